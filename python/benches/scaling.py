"""How an ensemble goes on Dask's workers: one process beside 1, 2 and 4 workers of one thread, in turn.

    python python/benches/scaling.py [SEEDS [ROUNDS]]

Prints the seconds of each round, and the efficiency: the time of one process over that of the workers, times
the number of workers that the machine has processors for.
"""

from __future__ import annotations

import os
import statistics
import sys
import time

import sfc_bench
from sfc_bench import dask as studies


def main() -> None:
    from distributed import Client, LocalCluster

    seeds, rounds = (int(x) for x in (sys.argv[1:3] + ["4000", "3"][len(sys.argv[1:3]) :]))
    counts = (1, 2, 4)
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    took: dict[str, list[float]] = {"process": []} | {str(count): [] for count in counts}
    expected = sfc_bench.ensemble(seeds, threads=1).json
    for _ in range(rounds):
        start = time.perf_counter()
        found = sfc_bench.ensemble(seeds, threads=1)
        took["process"].append(time.perf_counter() - start)
        assert found.json == expected
        for count in counts:
            with (
                LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster,
                Client(cluster) as client,
            ):
                # The workers have imported the package, as they have in a session that goes on.
                studies.ensemble(8 * count, client=client, chunk=1)
                start = time.perf_counter()
                found = studies.ensemble(seeds, client=client)
                took[str(count)].append(time.perf_counter() - start)
                assert found.json == expected
    one = statistics.median(took["process"])
    print(f"{seeds} seeds, {processors} processors")
    for name, seconds in took.items():
        shown = " ".join(f"{x:.2f}" for x in seconds)
        if name == "process":
            print(f"one process     {shown} s, {seeds / one:.0f} seeds/s")
            continue
        gain = one / statistics.median(seconds)
        most = min(int(name), processors)
        print(
            f"{name} worker(s)     {shown} s: {gain:.2f} times as fast, efficiency {gain / most:.2f} of {most}"
        )


if __name__ == "__main__":
    main()
