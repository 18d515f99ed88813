"""Comparing two curves, and judging how far rounding alone can move one."""

import math
from typing import NamedTuple

import numpy as np

import reference

RELATIVE = 1e-10
FLOOR = 1e-12

# A case is compared only if neighbouring activations give results at least ten times closer than
# the tolerance.
STEADY = RELATIVE / 10
PERTURBATION = 1e-15
TRIALS = 3

MEASURES = (
    "level",
    "sparsity",
    "fidelity",
    "completeness",
    "c_gt",
    "sfc",
    "rate",
    "distortion",
    "relevance",
)


def distance(expected, actual):
    """|difference| in units of the value, or of FLOOR / RELATIVE where the value is smaller.

    The two agree exactly when this is at most RELATIVE. An undefined value (null) agrees with
    nothing but another one.
    """
    if expected is None or actual is None:
        return 0.0 if expected is actual else math.inf
    if not (math.isfinite(expected) and math.isfinite(actual)):
        return math.inf
    return abs(expected - actual) / max(abs(expected), FLOOR / RELATIVE)


def curve_distances(expected, actual):
    """The greatest distance of each measure between two curves as JSON has them."""
    if len(expected["points"]) != len(actual["points"]):
        return {"points": math.inf}
    distances = {
        name: max(
            distance(one[name], other.get(name, math.nan))
            for one, other in zip(expected["points"], actual["points"])
        )
        for name in MEASURES
    }
    distances["hypervolume"] = distance(expected["hypervolume"], actual["hypervolume"])
    distances["front"] = 0.0 if expected["front"] == actual["front"] else math.inf
    return distances


class Conditioning(NamedTuple):
    gap_at_k: float  # (s_K - s_K+1) / s_1; s_K / s_1 where K is all there is
    least_gap: float  # the smallest such gap up to K: codes, not only their span, have to hold
    least_value: float  # s_K / s_1
    perturbed: float  # greatest distance under relative noise of 1e-15 in the activations
    gram: float  # greatest distance when the dictionary comes from the Gram matrix

    @property
    def steady(self):
        return max(self.perturbed, self.gram) < STEADY


def conditioning(settings):
    """How far the results of these settings move for reasons that are only rounding."""
    run = reference.prepare(settings)
    k = run.settings["k"]
    expected = reference.plain(reference.with_volume(run))
    s = run.dictionary.singular_values / run.dictionary.singular_values[0]
    gaps = -np.diff(np.append(s, 0.0))[:k]

    def moved(**change):
        other = reference.with_volume(reference.prepare(settings, **change))
        return max(curve_distances(expected, reference.plain(other)).values())

    def disturbance(seed):
        rng = np.random.RandomState(seed)
        return lambda h: h * (1.0 + PERTURBATION * rng.randn(*h.shape))

    return Conditioning(
        gap_at_k=float(gaps[-1]),
        least_gap=float(gaps.min()),
        least_value=float(s[k - 1]),
        perturbed=max(moved(disturb=disturbance(seed)) for seed in range(TRIALS)),
        gram=moved(method="gram"),
    )
