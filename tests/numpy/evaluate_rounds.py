"""Scores autoencoders in NumPy, or in PyTorch, on the CPU, as `evaluate` does: for each line "standard", "topk" or
"jumprelu" on standard input does so in single precision and prints how long that took, in ms, then S, the cosine, and
completeness by the active subspace. A line "peak" times the product of 2,048 rows with all latents and prints its
billions of additions and multiplications a second, twice.

    evaluate_rounds.py numpy|torch THREADS FOLDER [ROWS [K]]

writes, before it reads a line and where nobody has, what is scored into a folder: rows of 768 activations, sparse sums
of the K directions of a dictionary, and autoencoders on it, one by its bias, one by its thresholds, one by the 32
largest, of whose codes about 60 or 32 are active in a row; by way of a prompt it prints the folder. All is in memory
when a line arrives.

Codes are left to BLAS; what is done with them is sparse where that is quicker (SciPy's CSR, PyTorch's `topk` and
`embedding_bag`). Per row, the span of what is active is found by a Cholesky factor of its Gram matrix, which took less
time than `lstsq` and `qr`. As the core does, it takes the active subspace of 1,000 rows, and compares as many
directions with all others as 2e10 multiplications allow.
"""

import json
import os
import sys
import time
from pathlib import Path

KIND, THREADS = (sys.argv[1], sys.argv[2]) if __name__ == "__main__" else ("numpy", "1")
for name in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]:
    os.environ[name] = THREADS

import numpy as np

D, TOP, BATCH = 768, 32, 1_024
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


def write(folder, rows, k):
    rng = np.random.RandomState(1)
    w = rng.standard_normal((k, D)).astype(np.float32)
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    a = 0.02 * rng.standard_normal((rows, D)).astype(np.float32)
    for row in a:
        chosen = rng.randint(0, k, rng.poisson(40))
        row += rng.exponential(1, len(chosen)).astype(np.float32) @ w[chosen]
    bias = np.full(k, -np.quantile(a[:200] @ w.T, 1 - 60 / k), np.float32)
    np.save(folder / "a.npy", a)
    np.save(folder / "w.npy", w)
    nothing = np.zeros(k, np.float32)
    more = {
        "standard": ({}, {"b_enc": bias}),
        "topk": ({"k": TOP}, {"b_enc": nothing}),
        "jumprelu": ({}, {"b_enc": nothing, "threshold": -bias}),
    }
    for name, (config, arrays) in more.items():
        (folder / name).mkdir()
        arrays = {"W_enc": w.T, "W_dec": w, "b_dec": np.zeros(D, np.float32), **arrays}
        tensors(folder / name / "sae_weights.safetensors", arrays)
        config = {"architecture": name, "d_in": D, "d_sae": k, "dtype": "float32", **config}
        (folder / name / "cfg.json").write_text(json.dumps(config))
    np.save(folder / "bias.npy", bias)


class Numpy:
    def __init__(self, a, w, bias):
        from scipy import sparse

        self.sparse = sparse
        self.a, self.w, self.bias = a, w, bias
        self.w_t = np.ascontiguousarray(w.T)

    def codes(self, kind, a):
        """What is active in each row (as CSR), and the reconstruction."""
        z = a @ self.w_t
        if kind == "topk":
            chosen = np.argpartition(z, z.shape[1] - TOP, axis=1)[:, -TOP:]
            values = np.maximum(np.take_along_axis(z, chosen, 1), 0)
            index, start = chosen.ravel(), np.arange(len(a) + 1) * TOP
        else:
            if kind == "standard":
                z += self.bias
            rows, index = np.nonzero(z > (0 if kind == "standard" else -self.bias))
            values, start = z[rows, index], np.searchsorted(rows, np.arange(len(a) + 1))
        codes = self.sparse.csr_array((values.ravel(), index, start), shape=z.shape)
        return index, start, codes @ self.w

    def gram(self, w):
        return w.T @ w

    def largest(self, unit, features):
        cosines = unit[features] @ unit.T
        cosines[range(len(features)), features] = -1
        return cosines.max(axis=1)

    def peak(self):
        self.a[:2048] @ self.w_t


class Torch(Numpy):
    def __init__(self, a, w, bias):
        import torch

        torch.set_num_threads(int(THREADS))
        self.torch = torch
        self.a, self.w, self.bias = (torch.from_numpy(x) for x in (a, w, bias))

    def codes(self, kind, a):
        torch = self.torch
        z = torch.from_numpy(a) @ self.w.T
        if kind == "topk":
            values, chosen = torch.topk(z, TOP, dim=1)
            values = torch.relu(values)
            decoded = torch.nn.functional.embedding_bag(
                chosen, self.w, per_sample_weights=values, mode="sum"
            )
            return chosen.numpy().ravel(), np.arange(len(a) + 1) * TOP, decoded.numpy()
        if kind == "standard":
            z += self.bias
            on = z > 0
        else:
            on = z > -self.bias
        rows, index = torch.nonzero(on, as_tuple=True)
        start = torch.searchsorted(rows, torch.arange(len(a) + 1))
        decoded = torch.nn.functional.embedding_bag(
            index, self.w, start[:-1], per_sample_weights=z[rows, index], mode="sum"
        )
        return index.numpy(), start.numpy(), decoded.numpy()

    def gram(self, w):
        return (self.w.T @ self.w).numpy()

    def largest(self, unit, features):
        unit = self.torch.from_numpy(unit)
        cosines = unit[features] @ unit.T
        cosines[range(len(features)), features] = -1
        return cosines.max(dim=1).values.numpy()

    def peak(self):
        self.a[:2048] @ self.w.T


def score(by, kind, a, w):
    rows, k = len(a), len(w)
    some = [i * rows // ACTIVE_ROWS for i in range(min(ACTIVE_ROWS, rows))]
    wanted, lost = set(some), 0.0
    count = np.zeros(k, np.int64)
    cosines = error = squared = 0.0
    residuals = np.zeros(D)
    for first in range(0, rows, BATCH):
        x = a[first : first + BATCH]
        index, start, decoded = by.codes(kind, x)
        count += np.bincount(index, minlength=k)
        lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(decoded, axis=1)
        cosines += float(np.sum(np.einsum("ij,ij->i", x, decoded) / (lengths + 1e-10)))
        residual = x - decoded
        error += float(np.vdot(residual, residual))
        squared += float(np.vdot(x, x))
        residuals += residual.sum(axis=0)
        for row in range(len(x)):
            if first + row in wanted:
                on = w[index[start[row] : start[row + 1]]]
                factor = np.linalg.cholesky(on @ on.T)
                across = np.linalg.solve(factor, on @ x[row])
                left = x[row] - on.T @ np.linalg.solve(factor.T, across)
                lost += float(left @ left)
    varies = float(np.sum((a - a.mean(axis=0)) ** 2))
    explained = 1 - (error - float(residuals @ residuals) / rows) / varies
    rank = int(np.sum(np.linalg.eigvalsh(by.gram(w)) > 0))
    taken = a[some]
    subspace = 1 - lost / float(np.sum((taken - taken.mean(axis=0)) ** 2))
    frequency = count / rows
    np.histogram(frequency[frequency > 0], bins=12)
    unit = w / np.linalg.norm(w, axis=1, keepdims=True)
    compared = min(k, int(BUDGET / (D * k)))
    largest = np.empty(compared)
    for first in range(0, compared, 256):
        features = [i * k // compared for i in range(first, min(first + 256, compared))]
        largest[first : first + len(features)] = by.largest(unit, features)
    np.histogram(largest, bins=np.linspace(-1, 1, 41))
    return 1 - count.sum() / (rows * k), cosines / rows, subspace, error / squared, explained, rank


def main():
    folder = Path(sys.argv[3])
    rows, k = (int(x) for x in (sys.argv[4:6] + ["20000", "24576"][len(sys.argv[4:6]) :]))
    if not (folder / "bias.npy").exists():
        write(folder, rows, k)
    a, w, bias = (np.load(folder / f"{name}.npy") for name in ("a", "w", "bias"))
    by = {"numpy": Numpy, "torch": Torch}[KIND](a, w, bias)
    print(folder, flush=True)
    for line in sys.stdin:
        kind = line.strip()
        start = time.perf_counter()
        if kind == "peak":
            by.peak()
            speed = 2e-9 * 2048 * w.size / (time.perf_counter() - start)
            print(speed, speed, sep="\n", flush=True)
            continue
        found = score(by, kind, a, w)
        print(1e3 * (time.perf_counter() - start), flush=True)
        print(*found[:3], flush=True)


if __name__ == "__main__":
    main()
