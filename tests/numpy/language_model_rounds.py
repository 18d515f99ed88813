"""A model of SmolLM2's kind in NumPy or in PyTorch, float32: for each line on standard input computes the logits after
every position of every text, and prints how long that took, in ms, then the sum of all logits.

    language_model_rounds.py FOLDER [numpy|torch [THREADS]]

by default in NumPy on one thread, reads model.safetensors and tokens.json of the folder before it reads a line.
"""

import json
import os
import sys
import time
from pathlib import Path

KIND, THREADS = (sys.argv[2:] + ["numpy", "1"][len(sys.argv[2:]) :])[:2]
for name in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]:
    os.environ[name] = THREADS

import numpy as np  # after that: it reads the number of threads as it is loaded

from model_rounds import tensors

HEADS, KV_HEADS, THETA, EPSILON = 9, 3, 1e5, np.float32(1e-5)


def norm(x, gain):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + EPSILON) * gain


def turn(x, cos, sin):
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def heads(x, count):
    return x.reshape(*x.shape[:-1], count, -1).swapaxes(1, 2)


def forward(w, tokens):
    embed = w["model.embed_tokens.weight"]
    x = embed[tokens]
    texts, positions, width = x.shape
    d_head = width // HEADS
    angles = np.outer(np.arange(positions), THETA ** (-np.arange(0, d_head, 2) / d_head))
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    mask = np.triu(np.full((positions, positions), -np.inf, np.float32), 1)
    layer = 0
    while f"model.layers.{layer}.input_layernorm.weight" in w:
        get = lambda name: w[f"model.layers.{layer}.{name}.weight"]  # noqa: B023, E731
        n = norm(x, get("input_layernorm")).reshape(-1, width)
        q, k, v = (
            heads((n @ get(f"self_attn.{part}_proj").T).reshape(texts, positions, -1), count)
            for part, count in zip("qkv", (HEADS, KV_HEADS, KV_HEADS))
        )
        q, k = turn(q, cos, sin), turn(k, cos, sin)
        k, v = (np.repeat(part, HEADS // KV_HEADS, axis=1) for part in (k, v))
        scores = q @ k.swapaxes(-1, -2) * np.float32(d_head**-0.5) + mask
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        z = scores / scores.sum(axis=-1, keepdims=True) @ v
        z = z.swapaxes(1, 2).reshape(-1, width)
        x = x + (z @ get("self_attn.o_proj").T).reshape(x.shape)
        n = norm(x, get("post_attention_layernorm")).reshape(-1, width)
        gate = n @ get("mlp.gate_proj").T
        post = gate / (1 + np.exp(-gate)) * (n @ get("mlp.up_proj").T)
        x = x + (post @ get("mlp.down_proj").T).reshape(x.shape)
        layer += 1
    return norm(x, w["model.norm.weight"]).reshape(-1, width) @ embed.T


def forward_torch(torch, w, tokens):
    """The same by PyTorch's own functions."""
    functional = torch.nn.functional
    embed = w["model.embed_tokens.weight"]
    x = embed[tokens]
    texts, positions, width = x.shape
    d_head = width // HEADS
    angles = torch.outer(torch.arange(positions), THETA ** (-torch.arange(0, d_head, 2) / d_head))
    cos, sin = torch.cos(angles), torch.sin(angles)

    def parted(x, count):
        return x.view(texts, positions, count, d_head).transpose(1, 2)

    def turned(x):
        first, second = x.chunk(2, dim=-1)
        return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)

    layer = 0
    while f"model.layers.{layer}.input_layernorm.weight" in w:
        get = lambda name: w[f"model.layers.{layer}.{name}.weight"]  # noqa: B023, E731
        n = functional.rms_norm(x, (width,), get("input_layernorm"), float(EPSILON))
        q, k, v = (
            parted(functional.linear(n, get(f"self_attn.{part}_proj")), count)
            for part, count in zip("qkv", (HEADS, KV_HEADS, KV_HEADS))
        )
        k, v = (part.repeat_interleave(HEADS // KV_HEADS, dim=1) for part in (turned(k), v))
        z = functional.scaled_dot_product_attention(turned(q), k, v, is_causal=True)
        z = z.transpose(1, 2).reshape(texts, positions, width)
        x = x + functional.linear(z, get("self_attn.o_proj"))
        n = functional.rms_norm(x, (width,), get("post_attention_layernorm"), float(EPSILON))
        post = functional.silu(functional.linear(n, get("mlp.gate_proj")))
        post = post * functional.linear(n, get("mlp.up_proj"))
        x = x + functional.linear(post, get("mlp.down_proj"))
        layer += 1
    x = functional.rms_norm(x, (width,), w["model.norm.weight"], float(EPSILON))
    return functional.linear(x, embed)


def runner(weights, tokens):
    """What computes all logits as an array."""
    if KIND == "numpy":
        return lambda: forward(weights, tokens)
    import torch

    torch.set_num_threads(int(THREADS))
    weights = {name: torch.from_numpy(np.array(value)) for name, value in weights.items()}
    tokens = torch.from_numpy(tokens)

    def run():
        with torch.inference_mode():
            return forward_torch(torch, weights, tokens).numpy()

    return run


def main():
    folder = Path(sys.argv[1])
    weights = tensors(folder / "model.safetensors")
    tokens = np.array(json.loads((folder / "tokens.json").read_text()))
    run = runner(weights, tokens)
    for _ in sys.stdin:
        start = time.perf_counter()
        logits = run()
        took = time.perf_counter() - start
        print(f"{1e3 * took}\n{logits.astype(np.float64).sum()}", flush=True)


main()
