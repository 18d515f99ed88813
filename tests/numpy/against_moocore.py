"""The hypervolume of points on a sphere's octant: the core's and moocore's, in turn.

    python3 against_moocore.py PROGRAM [ROUNDS]    PROGRAM is examples/hypervolume_rounds.rs, built

Both run natively on one thread and are timed for the volume alone, without reading points or
printing them. Prints a JSON object for each number of points: times in ms, and the greatest relative
difference of the volumes. Fails where that exceeds 1e-12.
"""

import json
import subprocess
import sys
import time

import reference  # first: it sets the number of threads

from check_hypervolume import RELATIVE, octant

COUNTS = (1_000, 10_000, 100_000)


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 15
    if reference.moocore is None:
        print("no moocore here: nothing compared", file=sys.stderr)
        return 0
    core = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    worst = 0.0
    for count in COUNTS:
        ours, theirs, furthest = [], [], 0.0
        for seed in range(rounds + 1):
            core.stdin.write(f"{count} {seed}\n")
            core.stdin.flush()
            ms, volume = map(float, core.stdout.readline().split())
            points = octant(count, seed)
            start = time.perf_counter()
            wanted = reference.moocore.hypervolume(points, ref=[0.0, 0.0, 0.0], maximise=True)
            theirs.append(1e3 * (time.perf_counter() - start))
            ours.append(ms)
            furthest = max(furthest, abs(volume - wanted) / wanted)
        # The first round of each warms both up.
        print(
            json.dumps(
                {"points": count, "core": ours[1:], "moocore": theirs[1:], "difference": furthest}
            ),
            flush=True,
        )
        worst = max(worst, furthest)
    core.stdin.close()
    core.wait()
    return 0 if worst <= RELATIVE else 1


if __name__ == "__main__":
    sys.exit(main())
