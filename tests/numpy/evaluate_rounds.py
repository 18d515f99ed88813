"""Scores a ReLU autoencoder's codes and reconstructions in NumPy on one thread, as `evaluate` does: for each
line "f4" or "f8" on standard input does so in that precision and prints how long that took, in ms, then S,
the cosine, and completeness by the active subspace.

    evaluate_rounds.py FOLDER [K]

writes, before it reads a line, what is scored into a folder: 2,000 rows of 768 activations, sparse sums of the
K directions (8,192 where nothing is said) of a dictionary, and an autoencoder whose bias leaves about 60
features active in a row; by way of a prompt it prints the folder. All is in memory when a line arrives.

Products are dense and left to BLAS; per row, the span of what is active is found by a Cholesky factor of its
Gram matrix, which took less time than `lstsq` and `qr`. As the core does, it takes the active subspace of
1,000 rows, and compares 3,178 directions of 8,192 with all others.
"""
import json
import sys
import time
from pathlib import Path

import reference  # noqa: F401  first: it sets the number of threads

import numpy as np

ROWS, D = 2_000, 768
ACTIVE_ROWS, BUDGET = 1_000, 2e10


def tensors(path, arrays):
    """Writes a .safetensors file of float32."""
    header, at = {}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            file.write(np.ascontiguousarray(array).tobytes())


def world(k):
    rng = np.random.RandomState(1)
    w = rng.standard_normal((k, D)).astype(np.float32)
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    sizes = rng.exponential(1, (ROWS, k)).astype(np.float32) * (rng.random_sample((ROWS, k)) < 40 / k)
    a = sizes @ w + 0.02 * rng.standard_normal((ROWS, D)).astype(np.float32)
    bias = np.full(k, -np.quantile(a[:200] @ w.T, 1 - 60 / k), np.float32)
    return a.astype(np.float32), w, bias


def score(a, w, bias):
    k = len(w)
    codes = a @ w.T
    codes += bias
    np.maximum(codes, 0, out=codes)
    active = codes > 1e-6
    a_hat = codes @ w
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(a_hat, axis=1)
    cosine = float(np.mean(np.einsum("ij,ij->i", a, a_hat) / (lengths + 1e-10)))
    error, varies = float(np.sum((a - a_hat) ** 2)), float(np.sum((a - a.mean(axis=0)) ** 2))
    squared, residual = float(np.sum(a**2)), a - a_hat
    explained = 1 - float(np.var(residual, axis=0).sum() / np.var(a, axis=0).sum())
    rank = int(np.sum(np.linalg.eigvalsh(w.T @ w) > 0))
    lost, some = 0.0, [i * ROWS // ACTIVE_ROWS for i in range(ACTIVE_ROWS)]
    for row in some:
        on = w[active[row]]
        factor = np.linalg.cholesky(on @ on.T)
        across = np.linalg.solve(factor, on @ a[row])
        left = a[row] - on.T @ np.linalg.solve(factor.T, across)
        lost += float(left @ left)
    taken = a[some]
    subspace = 1 - lost / float(np.sum((taken - taken.mean(axis=0)) ** 2))
    frequency = active.mean(axis=0)
    np.histogram(frequency[frequency > 0], bins=12)
    unit = w / np.linalg.norm(w, axis=1, keepdims=True)
    compared = min(k, int(BUDGET / (D * k)))
    largest = np.empty(compared)
    for start in range(0, compared, 256):
        features = [i * k // compared for i in range(start, min(start + 256, compared))]
        cosines = unit[features] @ unit.T
        cosines[range(len(features)), features] = -1
        largest[start : start + len(features)] = cosines.max(axis=1)
    np.histogram(largest, bins=np.linspace(-1, 1, 41))
    return 1 - active.mean(), cosine, subspace, error / varies, error / squared, explained, rank


def main():
    folder, k = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8_192
    a, w, bias = world(k)
    np.save(folder / "a.npy", a)
    np.save(folder / "w.npy", w)
    tensors(
        folder / "sae_weights.safetensors",
        {"W_enc": w.T, "W_dec": w, "b_enc": bias, "b_dec": np.zeros(D, np.float32)},
    )
    config = {"architecture": "standard", "d_in": D, "d_sae": k, "dtype": "float32"}
    (folder / "cfg.json").write_text(json.dumps(config))
    print(folder, flush=True)
    held = {}
    for line in sys.stdin:
        kind = line.strip()
        if kind not in held:
            held = {kind: [x.astype(kind) for x in (a, w, bias)]}
        start = time.perf_counter()
        found = score(*held[kind])
        print(1e3 * (time.perf_counter() - start), flush=True)
        print(*found[:3], flush=True)


if __name__ == "__main__":
    main()
