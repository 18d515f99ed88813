"""`evaluate` on arrays in memory beside the same in PyTorch on the CPU, with as many threads, in turn.

    python python/benches/evaluate.py [ROWS [LATENTS [ROUNDS [KIND ...]]]]

Rows of 768 activations and autoencoders on them are made by tests/numpy/evaluate_rounds.py in a folder that
is gone afterwards; KIND is standard, topk or jumprelu. What PyTorch does is in that file too: codes and
reconstructions in batches, what is sparse done sparsely, and the same quantities. Prints the seconds of each
round, the ratio of their medians, and how much memory the process came to hold beyond the arrays.
"""

from __future__ import annotations

import importlib.util
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import sfc_bench

PROGRAM = pathlib.Path(__file__).parents[2] / "tests" / "numpy" / "evaluate_rounds.py"


def load():
    spec = importlib.util.spec_from_file_location("evaluate_rounds", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


#: In a process of its own, which has held nothing but the arrays before: how much more it comes to hold, in MiB.
MEMORY = r"""
import pathlib, re, sys
import numpy as np
import sfc_bench
folder, kind, threads = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
# Of this program alone: what getrusage tells was its parent's, too.
held = lambda: int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path("/proc/self/status").read_text())[1]) >> 10
a = np.load(folder / "a.npy")
before = held()
sfc_bench.evaluate(a, folder / kind, threads=threads)
print(held() - before)
"""


def main() -> None:
    rows, latents, rounds = (int(x) for x in (sys.argv[1:4] + ["100000", "8192", "3"][len(sys.argv[1:4]) :]))
    kinds = sys.argv[4:] or ["topk", "standard", "jumprelu"]
    import torch

    threads = torch.get_num_threads()
    by_torch = load()
    by_torch.THREADS = str(threads)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        by_torch.write(folder, rows, latents)
        a, w, bias = (np.load(folder / f"{file}.npy") for file in ("a", "w", "bias"))
        first = {kind: sfc_bench.evaluate(a, folder / kind, threads=threads) for kind in kinds}
        print(f"{rows} x 768, {latents} latents, {threads} threads; the rows are {a.nbytes >> 20} MiB")
        for kind in kinds:
            words = [sys.executable, "-c", MEMORY, folder, kind, str(threads)]
            more = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
            print(f"{kind:9} {more} MiB beyond the rows")
        other = by_torch.Torch(a, w, bias)
        for kind in kinds:
            ours, theirs = [], []
            for _ in range(rounds):
                start = time.perf_counter()
                found = sfc_bench.evaluate(a, folder / kind, threads=threads)
                ours.append(time.perf_counter() - start)
                assert found == first[kind]
                start = time.perf_counter()
                s, f, *_ = by_torch.score(other, kind, a, w)
                theirs.append(time.perf_counter() - start)
                # Codes near their threshold may differ.
                assert abs(s - found["sparsity"]["s"]) < 1e-5
                assert abs(f - found["fidelity"]["cosine"]) < 1e-4
            ratio = statistics.median(ours) / statistics.median(theirs)
            shown = [" ".join(f"{x:.2f}" for x in each) for each in (ours, theirs)]
            print(
                f"{kind:9} sfc-bench {shown[0]} s, PyTorch {shown[1]} s: {ratio:.2f} of PyTorch", flush=True
            )


if __name__ == "__main__":
    main()
