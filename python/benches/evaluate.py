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
import resource
import statistics
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


def held() -> int:
    """The most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


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
        before = held()
        first = {kind: sfc_bench.evaluate(a, folder / kind, threads=threads) for kind in kinds}
        print(f"{rows} x 768, {latents} latents, {threads} threads; {held() - before} MiB beyond the arrays")
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
            print(f"{kind:9} sfc-bench {shown[0]} s, PyTorch {shown[1]} s: {ratio:.2f} of PyTorch", flush=True)


if __name__ == "__main__":
    main()
