"""Writes the same 4,000 rows of 256 activations in every order, type and format that is read, and a
dictionary of 512 directions beside them: what `cargo xtask bench evaluate` times the reading of.

    read_files.py FOLDER

prints the files' names, the dictionary's last, on one line.
"""
import sys
from pathlib import Path

import numpy as np
from evaluate_rounds import tensors

ROWS, D, K = 4_000, 256, 512


def main():
    folder = Path(sys.argv[1])
    rng = np.random.RandomState(2)
    a = rng.standard_normal((ROWS, D)).astype(np.float32)
    names = []
    for order, arranged in [("c", np.ascontiguousarray(a)), ("fortran", np.asfortranarray(a))]:
        for dtype in ["f2", "f4", "f8"]:
            names.append(f"{order}-{dtype}.npy")
            np.save(folder / names[-1], arranged.astype("<" + dtype))
    np.savez(folder / "stored.npz", activations=a)
    np.savez(folder / "stored-fortran.npz", activations=np.asfortranarray(a))
    np.savez_compressed(folder / "deflated.npz", activations=a)
    tensors(folder / "f4.safetensors", {"activations": a})
    names += ["stored.npz", "stored-fortran.npz", "deflated.npz", "f4.safetensors"]
    w = rng.standard_normal((K, D)).astype(np.float32)
    np.save(folder / "read-w.npy", w / np.linalg.norm(w, axis=1, keepdims=True))
    print(*names, "read-w.npy", flush=True)


if __name__ == "__main__":
    main()
