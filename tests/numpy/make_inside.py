"""What is inside tests/golden/models/smollm2, by a separate forward pass in float64: the logit lens, losses, ablations, and
an autoencoder in the place of the residual stream. Writes tests/golden/models/inside.json, and smollm2-sae/ with the
autoencoder: ± an orthonormal basis, with thresholds that lose some of it.

    python make_inside.py
"""

import json
import struct
from pathlib import Path

import numpy as np

MODELS = Path(__file__).parent.parent / "golden" / "models"
HOOK = "blocks.0.hook_resid_post"
TYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U32": "<u4", "I32": "<i4"}


def tensors(path):
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header, data = json.loads(raw[8 : 8 + length]), raw[8 + length :]
    header.pop("__metadata__", None)
    out = {}
    for name, of in header.items():
        part = data[slice(*of["data_offsets"])]
        if of["dtype"] == "BF16":
            values = (np.frombuffer(part, "<u2").astype(np.uint32) << 16).view(np.float32)
        elif of["dtype"] == "F16":
            values = np.frombuffer(part, "<f2")
        else:
            values = np.frombuffer(part, TYPES[of["dtype"]])
        out[name] = values.astype(np.float64).reshape(of["shape"])
    return out


def write(path, arrays):
    header, data = {}, b""
    for name, array in arrays.items():
        part = array.astype("<f4").tobytes()
        offsets = [len(data), len(data) + len(part)]
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": offsets}
        data += part
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    path.write_bytes(struct.pack("<Q", len(head)) + head + data)


W = tensors(MODELS / "smollm2" / "model.safetensors")
C = json.loads((MODELS / "smollm2" / "config.json").read_text())
HEADS, KV, DH = C["num_attention_heads"], C["num_key_value_heads"], C["head_dim"]


def norm(x, gain):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + C["rms_norm_eps"]) * gain


def rotate(x):
    half = DH // 2
    angle = np.arange(len(x))[:, None] * C["rope_parameters"]["rope_theta"] ** (-np.arange(half) / half)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def unembed(x):
    return norm(x, W["model.norm.weight"]) @ W["model.embed_tokens.weight"].T


def forward(tokens, edit=lambda name, x: x):
    """Logits, and what is at some hooks."""
    seen = {}

    def at(name, x):
        seen[name] = edit(name, x.copy())
        return seen[name]

    x = W["model.embed_tokens.weight"][tokens]
    n = len(tokens)
    for layer in range(C["num_hidden_layers"]):
        w = {k.removeprefix(f"model.layers.{layer}."): v for k, v in W.items()}
        a = norm(x, w["input_layernorm.weight"])
        q, k, v = (a @ w[f"self_attn.{p}_proj.weight"].T for p in "qkv")
        q, k = rotate(q.reshape(n, HEADS, DH)), rotate(k.reshape(n, KV, DH))
        v = v.reshape(n, KV, DH)
        z, patterns = np.zeros((n, HEADS, DH)), []
        for head in range(HEADS):
            of = head // (HEADS // KV)
            scores = q[:, head] @ k[:, of].T / np.sqrt(DH)
            scores[np.triu_indices(n, 1)] = -np.inf
            pattern = np.exp(scores - scores.max(-1, keepdims=True))
            patterns.append(pattern / pattern.sum(-1, keepdims=True))
            z[:, head] = patterns[-1] @ v[:, of]
        seen[f"{layer}.pattern"] = patterns
        z = at(f"{layer}.z", z)
        x = x + z.reshape(n, -1) @ w["self_attn.o_proj.weight"].T
        b = norm(x, w["post_attention_layernorm.weight"])
        gate = b @ w["mlp.gate_proj.weight"].T
        post = gate / (1 + np.exp(-gate)) * (b @ w["mlp.up_proj.weight"].T)
        x = x + at(f"{layer}.post", post) @ w["mlp.down_proj.weight"].T
        x = at(f"{layer}.resid_post", x)
    return unembed(x), seen


def log_softmax(logits):
    logits = logits - logits.max(-1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(-1, keepdims=True))


def effect(plain, changed, tokens):
    a, b = log_softmax(plain), log_softmax(changed)
    return {
        "cross_entropy": -b[np.arange(len(tokens) - 1), tokens[1:]].mean(),
        "kl": (np.exp(a) * (a - b)).sum(-1).mean(),
        "top1_agreement": (a.argmax(-1) == b.argmax(-1)).mean(),
    }


def main():
    tokens = tensors(MODELS / "smollm2" / "golden.safetensors")["tokens"].astype(int).ravel()
    plain, seen = forward(tokens)
    found = {"tokens": tokens.tolist(), "hook": HOOK}
    found["losses"] = (-log_softmax(plain)[np.arange(len(tokens) - 1), tokens[1:]]).tolist()
    lens = [np.exp(log_softmax(unembed(seen[f"{layer}.resid_post"]))) for layer in range(2)]
    found["lens"] = [[{"token": int(r.argmax()), "probability": r.max()} for r in p] for p in lens]
    found["pattern 1.2"] = seen["1.pattern"][2].tolist()

    def ablated(place, index, to):
        def edit(name, x):
            if name == place:
                x[:, index] = 0 if to == "zero" else x[1:, index].mean(0)
            return x

        return effect(plain, forward(tokens, edit)[0], tokens)

    found["ablations"] = [
        {"component": component, "to": to} | ablated(place, index, to)
        for component, place, index in [
            ("head:0.1", "0.z", 1),
            ("head:1.2", "1.z", 2),
            ("neuron:0.17", "0.post", 17),
        ]
        for to in ["zero", "mean"]
    ]

    rng = np.random.RandomState(7)
    basis = np.linalg.qr(rng.standard_normal((48, 48)))[0]
    scale = np.sqrt((seen["0.resid_post"] ** 2).mean())
    w_dec = np.concatenate([basis, -basis]).astype(np.float32).astype(np.float64)
    b_enc = (-np.linspace(0, 1.2, 96) * scale).astype(np.float32).astype(np.float64)
    b_dec = (0.1 * scale * rng.standard_normal(48)).astype(np.float32).astype(np.float64)
    folder = MODELS / "smollm2-sae"
    folder.mkdir(exist_ok=True)
    arrays = {"W_enc": w_dec.T.copy(), "b_enc": b_enc, "W_dec": w_dec, "b_dec": b_dec}
    write(folder / "sae_weights.safetensors", arrays)
    config = {
        "architecture": "standard",
        "d_in": 48,
        "d_sae": 96,
        "dtype": "float32",
        "apply_b_dec_to_input": True,
        "normalize_activations": "none",
        "metadata": {"hook_name": HOOK},
    }
    (folder / "cfg.json").write_text(json.dumps(config, indent=2) + "\n")

    def encode(x):
        return np.maximum(0, (x - b_dec) @ w_dec.T + b_enc)

    def spliced(replace):
        def edit(name, x):
            return replace(x) if name == "0.resid_post" else x

        return effect(plain, forward(tokens, edit)[0], tokens)

    x = seen["0.resid_post"]
    codes = encode(x)
    without = codes.copy()
    latent = int(codes[1:].sum(0).argmax())
    without[:, latent] = 0
    zeros = spliced(np.zeros_like)
    one = spliced(lambda x: encode(x) @ w_dec + b_dec)
    lost = zeros["cross_entropy"] - effect(plain, plain, tokens)["cross_entropy"]
    found["splice"] = one | {
        "recovered": (zeros["cross_entropy"] - one["cross_entropy"]) / lost,
        "l0": (codes[1:] > 0).sum(1).mean(),
        "mse": ((x - codes @ w_dec - b_dec)[1:] ** 2).mean(),
        "zeros": zeros,
        "mean": spliced(lambda x: np.broadcast_to(x[1:].mean(0), x.shape)),
        "latent": latent,
        "without it, error kept": spliced(lambda x: x + (without - codes) @ w_dec),
    }
    effects = w_dec[latent] * W["model.norm.weight"] @ W["model.embed_tokens.weight"].T
    effects -= effects.mean()
    found["effects"] = {"raised": [int(t) for t in (-effects).argsort()[:5]], "most": effects.max()}
    (MODELS / "inside.json").write_text(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
