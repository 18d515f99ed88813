"""Runs a job for each line on standard input and prints how long it took, in ms.

    rounds.py [svd|gram]           the whole paper, once for each line
    rounds.py seeds [svd|gram]     the Standard curve with its hypervolume for the model seeds from A
                                   up to, but not including, B, for each line "A B"

Somebody else runs the same job in between: that is what the lines are for. One thread, as
reference.py sets it.
"""

import sys
import time

import reference  # first: it sets the number of threads

import numpy as np


def draw_inputs_once():
    """The inputs do not depend on the model seed: neither side draws them for each seed."""
    paper = reference.complete_settings()
    drawn, _ = reference.data(paper, reference.network(paper))

    def data(settings, net):
        return drawn, np.maximum(drawn @ net.w1.T + net.b1, 0.0)

    reference.data = data


def seeds(line, method):
    first, end = map(int, line.split())
    for seed in range(first, end):
        reference.with_volume(reference.prepare({"model_seed": seed}, method))


def main():
    words = sys.argv[1:]
    many = words[:1] == ["seeds"]
    method = (words[many:] or ["svd"])[0]
    if many:
        draw_inputs_once()
    for line in sys.stdin:
        start = time.perf_counter()
        if many:
            seeds(line, method)
        else:
            reference.paper(method)
        print(1e3 * (time.perf_counter() - start), flush=True)


if __name__ == "__main__":
    main()
