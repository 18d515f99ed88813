"""Writes ../golden/train_steps.json: loss, gradients and Adam's steps of every family, by PyTorch's
automatic differentiation in float64.

    python make_train.py            # write the file
    python make_train.py --check    # or compare with it

Nothing of the Rust core is used. The families are written from their papers:

    BatchTopK 2412.06410, JumpReLU 2407.14435, Gated 2404.16014, Matryoshka 2503.17547, and TopK's
    auxiliary loss 2406.04093.

Losses are means over the rows, squared errors divided by the width too. Made with PyTorch 2.15 (CPU).
"""

import json
import sys
from pathlib import Path

import torch

torch.set_default_dtype(torch.float64)
FILE = Path(__file__).parent.parent / "golden" / "train_steps.json"
ADAM = {"lr": 3e-3, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8}


class Step(torch.autograd.Function):
    """Heaviside(z − θ) with the rectangle kernel's pseudo-derivative by θ, none by z."""

    @staticmethod
    def forward(ctx, z, theta, width):
        ctx.save_for_backward(z, theta)
        ctx.width = width
        return (z > theta).to(z)

    @staticmethod
    def backward(ctx, grad):
        z, theta = ctx.saved_tensors
        inside = (((z - theta) / ctx.width).abs() < 0.5).to(z)
        return None, -(inside / ctx.width * grad).sum(0), None


class JumpReLU(torch.autograd.Function):
    """z where z > θ, with the pseudo-derivative −θ/ε · rectangle((z − θ)/ε) by θ."""

    @staticmethod
    def forward(ctx, z, theta, width):
        ctx.save_for_backward(z, theta)
        ctx.width = width
        return z * (z > theta)

    @staticmethod
    def backward(ctx, grad):
        z, theta = ctx.saved_tensors
        inside = (((z - theta) / ctx.width).abs() < 0.5).to(z)
        return grad * (z > theta), -(theta / ctx.width * inside * grad).sum(0), None


def keep_largest(z, count):
    """The `count` largest entries of each row; the rest 0."""
    values, at = z.topk(count, dim=-1)
    return torch.zeros_like(z).scatter(-1, at, values)


def loss(case, p, x):
    family = case["family"]
    rows, width = x.shape
    h = (x - p["b_dec"]) @ p["W_enc"].T + p["b_enc"]
    mean_square = lambda error: (error**2).sum() / (rows * width)
    decode = lambda z: z @ p["W_dec"] + p["b_dec"]
    if family == "jumprelu":
        theta = p["log_threshold"].exp()
        z = JumpReLU.apply(h, theta, case["bandwidth"])
        active = Step.apply(h, theta, case["bandwidth"])
        return mean_square(x - decode(z)) + case["sparsity"] * active.sum() / rows, z
    if family == "gated":
        magnitude = torch.relu(p["r_mag"].exp() * (h - p["b_enc"]) + p["b_mag"])
        z = (h > 0).to(h) * magnitude
        gate = torch.relu(h)
        frozen = gate @ p["W_dec"].detach() + p["b_dec"].detach()
        return (
            mean_square(x - decode(z))
            + case["sparsity"] * gate.sum() / rows
            + mean_square(x - frozen)
        ), z
    positive = torch.relu(h)
    if family == "topk":
        z = keep_largest(positive, case["k"])
    else:
        z = keep_largest(positive.reshape(1, -1), case["k"] * rows).reshape(rows, -1)
    total = 0.0
    for end in case.get("prefixes") or [h.shape[1]]:
        total = total + mean_square(x - decode(z * (torch.arange(h.shape[1]) < end)))
    if case.get("dead"):
        dead = torch.tensor(case["dead"])
        mask = torch.zeros(h.shape[1]).index_fill(0, dead, 1.0)
        spare = keep_largest(positive * mask, min(case["aux_k"], len(dead)))
        rest = (x - decode(z)).detach()
        total = total + case["aux"] * mean_square(rest - spare @ p["W_dec"])
    return total, z


def lists(p):
    return {name: value.detach().tolist() for name, value in p.items()}


def run(case):
    torch.manual_seed(case["seed"])
    d, f, rows = case["inputs"], case["latents"], case["rows"]
    p = {
        "W_enc": 0.6 * torch.randn(f, d),
        "W_dec": 0.6 * torch.randn(f, d),
        "b_enc": 0.1 * torch.randn(f),
        "b_dec": 0.1 * torch.randn(d),
    }
    if case["family"] == "jumprelu":
        p["log_threshold"] = torch.log(0.2 + 0.3 * torch.rand(f))
    if case["family"] == "gated":
        p["r_mag"] = 0.2 * torch.randn(f)
        p["b_mag"] = 0.1 * torch.randn(f)
    if case["unit_norm"]:
        p["W_dec"] /= p["W_dec"].norm(dim=1, keepdim=True)
    # What the core reads is float32: both sides begin with the same numbers.
    single = lambda value: value.to(torch.float32).to(torch.float64)
    p = {name: single(value).requires_grad_() for name, value in p.items()}
    x = single(torch.randn(rows, d))
    out = {**case, "params": lists(p), "x": x.tolist()}

    total, z = loss(case, p, x)
    total.backward()
    out["loss"] = total.item()
    out["codes"] = z.tolist()
    out["grad"] = lists({name: value.grad for name, value in p.items()})
    for value in p.values():
        value.grad = None

    betas = (ADAM["beta1"], ADAM["beta2"])
    optimiser = torch.optim.Adam(p.values(), lr=ADAM["lr"], betas=betas, eps=ADAM["eps"])
    for step in range(1, 6):
        optimiser.zero_grad()
        # The auxiliary loss needs dead latents, which a fresh trainer has none of.
        loss({**case, "dead": []}, p, x)[0].backward()
        if case["unit_norm"]:
            rows_ = p["W_dec"].detach()
            grad = p["W_dec"].grad
            grad -= (grad * rows_).sum(1, keepdim=True) * rows_
        optimiser.step()
        if case["unit_norm"]:
            with torch.no_grad():
                p["W_dec"] /= p["W_dec"].norm(dim=1, keepdim=True)
        if step in (1, 5):
            out[f"params_after_{step}"] = lists(p)
    return out


def cases():
    base = {"inputs": 5, "latents": 8, "rows": 6, "unit_norm": False}
    yield {"name": "topk with dead latents", "family": "topk", "k": 2, "dead": [1, 4, 6], "aux_k": 2,
           "aux": 0.25, "seed": 1, **base}
    yield {"name": "batch topk", "family": "batch-topk", "k": 2, "seed": 2, **base}
    yield {"name": "batch topk with dead latents", "family": "batch-topk", "k": 1, "dead": [0, 7],
           "aux_k": 4, "aux": 0.5, "seed": 3, **base}
    yield {"name": "jumprelu", "family": "jumprelu", "sparsity": 0.05, "bandwidth": 0.5, "seed": 4, **base}
    yield {"name": "jumprelu narrow", "family": "jumprelu", "sparsity": 0.2, "bandwidth": 0.1, "seed": 5,
           **base}
    yield {"name": "gated", "family": "gated", "sparsity": 0.05, "seed": 6, **base}
    yield {"name": "matryoshka", "family": "matryoshka", "k": 2, "prefixes": [2, 4, 8], "seed": 7, **base}
    yield {"name": "topk of unit norm", "family": "topk", "k": 3, "seed": 8, **base, "unit_norm": True}
    yield {"name": "gated of unit norm", "family": "gated", "sparsity": 0.02, "seed": 9, **base,
           "unit_norm": True}
    yield {"name": "matryoshka with dead latents", "family": "matryoshka", "k": 2, "prefixes": [3, 8],
           "dead": [2, 5], "aux_k": 8, "aux": 0.125, "seed": 10, **base}
    yield {"name": "one row", "family": "jumprelu", "sparsity": 0.1, "bandwidth": 1.0, "seed": 11, **base,
           "rows": 1}


def main():
    found = {
        "oracle": f"torch {torch.__version__.split('+')[0]} autograd and Adam, float64",
        "adam": ADAM,
        "cases": [run(case) for case in cases()],
    }
    if sys.argv[1:] == ["--check"]:
        kept = json.loads(FILE.read_text())
        same = [kept["adam"], kept["cases"]] == [found["adam"], found["cases"]]
        print("equal" if same else "different")
        sys.exit(not same)
    FILE.write_text(json.dumps(found, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
