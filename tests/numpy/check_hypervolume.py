"""Compare the command line's hypervolume with moocore's on freshly drawn points, to 1e-12.

    python3 check_hypervolume.py PROGRAM [--seed N]

Without moocore, reference.py's own sweep takes its place, on fewer points: it is slow.
"""

import argparse
import json
import subprocess
import sys

import reference  # first: it sets the number of threads

import numpy as np
from numpy.random import RandomState

RELATIVE = 1e-12


def octant(count, seed):
    """Points on the positive octant of the unit sphere: none dominates another."""
    p = RandomState(seed).random_sample((count, 3))
    return p / np.sqrt((p * p).sum(axis=1))[:, None]


def clouds(count, seed):
    rng = RandomState(seed)
    yield "octant", octant(count, seed), [0.0, 0.0, 0.0]
    yield "bowl", 1.0 - octant(count, seed), [0.0, 0.0, 0.0]
    yield "cloud", rng.random_sample((count, 3)), [0.2, 0.1, 0.3]
    yield "normal", rng.randn(count, 3), [-0.5, -1.0, -2.0]
    yield "fiftieths", np.round(50 * octant(count, seed)) / 50, [0.0, 0.0, 0.0]
    # The widest staircase there is: every point is a step, whatever its height.
    x = rng.random_sample(count)
    yield "wall", np.column_stack([x, 1.0 - x, rng.random_sample(count)]), [0.0, 0.0, 0.0]


def volume_of(program, points, ref):
    lines = "\n".join(",".join(map(repr, point)) for point in points.tolist())
    done = subprocess.run(
        [program, "hypervolume", "-", "--json", "--reference", ",".join(map(repr, ref))],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)["hypervolume"]


def main():
    parser = argparse.ArgumentParser(description="Compare hypervolumes with moocore's.")
    parser.add_argument("program", help="the built sfc-bench")
    parser.add_argument("--seed", type=int, default=1, help="draws the points (default 1)")
    options = parser.parse_args()

    count = 1_000 if reference.moocore is None else 10_000
    good = True
    for name, points, ref in clouds(count, options.seed):
        wanted = reference.hypervolume(points, ref)
        off = abs(volume_of(options.program, points, ref) - wanted) / wanted
        good &= off <= RELATIVE
        print(f"{'agrees' if off <= RELATIVE else 'DIFFERS':8} {off:8.1e}  {name} {count}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
