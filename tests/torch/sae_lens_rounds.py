"""Scores autoencoders with SAELens' own classes on the CPU, as `evaluate` does: for each line with an architecture's name on
standard input encodes and decodes all rows and prints how long that took with the metrics, in ms, then S, the mean
cosine and R2.

    sae_lens_rounds.py THREADS FOLDER [ROWS [D [K]]]

writes, before it reads a line and where nobody has, what is scored into a folder: ROWS rows of D activations, sparse sums
of the K directions of a dictionary, and an autoencoder of each architecture as SAELens saves it, with about 40 latents
active in a row; by way of a prompt it prints the folder. SAELens saves BatchTopK for inference as JumpReLU with one
threshold. Loading is not timed.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
from sae_lens import SAE
from safetensors.torch import save_file

TOP, BATCH = 40, 4_096
KINDS = ["standard", "topk", "jumprelu", "gated", "batchtopk"]


def write(folder, rows, d, k):
    rng = np.random.RandomState(1)
    w = rng.standard_normal((k, d)).astype(np.float32)
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    a = 0.02 * rng.standard_normal((rows, d)).astype(np.float32)
    for row in a:
        chosen = rng.randint(0, k, rng.poisson(30))
        row += rng.exponential(1, len(chosen)).astype(np.float32) @ w[chosen]
    least = np.float32(np.quantile(a[:200] @ w.T, 1 - TOP / k))
    one, none = np.ones(k, np.float32), np.zeros(k, np.float32)
    parts = {
        "standard": ("standard", {}, {"b_enc": -least * one}),
        "topk": ("topk", {"k": TOP, "rescale_acts_by_decoder_norm": False}, {"b_enc": none}),
        "jumprelu": ("jumprelu", {}, {"b_enc": none, "threshold": least * rng.uniform(0.9, 1.1, k).astype(np.float32)}),
        "gated": ("gated", {}, {"b_gate": -least * one, "b_mag": none, "r_mag": none}),
        "batchtopk": ("jumprelu", {}, {"b_enc": none, "threshold": least * one}),
    }
    np.save(folder / "a.npy", a)
    for name, (architecture, config, tensors) in parts.items():
        (folder / name).mkdir()
        tensors = {"W_enc": w.T, "W_dec": w, "b_dec": np.zeros(d, np.float32), **tensors}
        tensors = {name: torch.from_numpy(np.array(tensor, order="C")) for name, tensor in tensors.items()}
        save_file(tensors, folder / name / "sae_weights.safetensors")
        config = {
            "architecture": architecture, "d_in": d, "d_sae": k, "dtype": "float32", "device": "cpu",
            "apply_b_dec_to_input": True, "normalize_activations": "none", "reshape_activations": "none",
            "metadata": {}, **config,
        }  # fmt: skip
        (folder / name / "cfg.json").write_text(json.dumps(config))


@torch.no_grad()
def score(sae, a):
    rows, k = len(a), sae.W_dec.shape[0]
    count = torch.zeros(k, dtype=torch.int64)
    cosines = error = 0.0
    for first in range(0, rows, BATCH):
        x = a[first : first + BATCH]
        codes = sae.encode(x)
        decoded = sae.decode(codes)
        count += (codes.abs() > 1e-6).sum(dim=0)
        cosines += float(torch.nn.functional.cosine_similarity(x, decoded, dim=1, eps=1e-10).sum())
        error += float((x - decoded).square().sum())
    varies = float((a - a.mean(dim=0)).square().sum())
    return 1 - float(count.sum()) / (rows * k), cosines / rows, 1 - error / varies


def main():
    torch.set_num_threads(int(sys.argv[1]))
    folder = Path(sys.argv[2])
    rows, d, k = (int(x) for x in (sys.argv[3:6] + ["20000", "512", "4096"][len(sys.argv[3:6]) :]))
    if not (folder / "a.npy").exists():
        write(folder, rows, d, k)
    a = torch.from_numpy(np.load(folder / "a.npy"))
    saes = {kind: SAE.load_from_disk(folder / kind, device="cpu") for kind in KINDS}
    print(folder, flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        found = score(saes[line.strip()], a)
        print(1e3 * (time.perf_counter() - start), flush=True)
        print(*found, flush=True)


if __name__ == "__main__":
    main()
