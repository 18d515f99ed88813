"""The SFC-Score paper's experiment in NumPy.

This is the second, independent implementation that the Rust core is tested and timed against. It
shares no code with the core and takes another road where it can: singular vectors by LAPACK's SVD
of the activations, codes and reconstructions by plain matrix products, and no use of the
dictionary being orthonormal except where the paper's own formula has it.

The recipe
----------
Every draw comes from NumPy's legacy generator, ``RandomState(seed)``.

Model (one generator, ``model_seed``, in this order; h hidden, i inputs, o outputs, c circuit):
    circuit = sorted(choice(h, c, replace=False))
    W1 = weight_scale * randn(h, i)
    b1 = bias_scale * randn(h)
    W2 = zeros(o, h);  W2[:, circuit] = 0.5 * randn(o, c)
    b2 = bias_scale * randn(o)
Data (a fresh generator, ``data_seed``):
    X = randn(N, i);  H = relu(X W1' + b1);  if noise > 0: H += noise * randn(N, h)
Dictionary V: the first K right singular vectors of H, uncentred; codes c = H V'.
    The centred variant (ours, not the paper's) decomposes H - mean(H) instead: codes
    (H - mean) V', reconstruction c V + mean, projection mean + (a - mean) V'V.
Level: in each row zero the floor(level * K) codes of smallest magnitude, ties to the lower index.
S = 1 - mean(|c| > 1e-6).
F = mean row cosine of H and its reconstruction, with COSINE_GUARD in its denominator (or R2, or
    1 - relative squared error).
C = 1 - mean((f(a) - f(pi(a)))^2) / var(f(a)), f(a) = a W2' + b2, on 100 rows drawn by a fresh
    generator, ``completeness_seed``, one grand mean over all entries ("paper"); or on every row
    with squared distances of whole output vectors ("total").
C_GT = mean over circuit units u of |V e_u|^2.
SFC = weighted harmonic mean of S, F, C; 0 where an axis that counts is <= 0.
Rate = mean over features of the entropy of a 30-bin histogram of its codes, over ln 30.
Distortion = mean((H - reconstruction)^2) / var(H), both over all entries.
Relevance = |Pearson correlation| of |codes| and |output| by rows (ours: the paper prints no formula).
Hypervolume of the points (S, F, C) against the origin; front = the non-dominated points.

Command line
------------
    reference.py curve|sizes|weights|cross --settings FILE     (JSON; "-" reads standard input)
    reference.py paper
    reference.py rng SEED N
    reference.py bench ROUNDS [--dictionary svd|gram]
"""

import os

# One thread: the comparison is with one core's worth of work, and small matrices gain nothing.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

import argparse
import json
import sys
import time
from typing import NamedTuple

import numpy as np
from numpy.random import RandomState

try:
    import moocore
except ImportError:  # the exact sweep below gives the same numbers to rounding
    moocore = None

# Table 1 of the paper: inputs, hidden, outputs, circuit.
PRESETS = {
    "standard": (16, 64, 4, 8),
    "large": (32, 128, 8, 16),
    "dense": (16, 64, 4, 24),
    "sparse": (16, 64, 4, 4),
}
SIZE_NAMES = ("inputs", "hidden", "outputs", "circuit")

DEFAULTS = {
    "config": "standard",
    "weight_scale": 0.3,  # W1 only; W2 is always 0.5 * randn
    "bias_scale": 0.1,  # both biases
    "noise": 0.0,
    "model_seed": 42,
    "data_seed": 1,
    "completeness_seed": 42,
    "samples": 2000,
    "k": 48,
    "levels": [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 0.95],
    "completeness": "paper",
    "fidelity": "cosine",
    "centred": False,
    "weights": [1, 1, 1],
}

# Table 2 of the paper: weights of S, F, C.
PROFILES = {
    "equal": (1, 1, 1),
    "sparsity_heavy": (5, 1, 1),
    "fidelity_heavy": (1, 5, 1),
    "completeness_heavy": (1, 1, 5),
    "s_f": (2, 2, 1),
    "f_c": (1, 2, 2),
    "s_c": (2, 1, 2),
}

SIZES = (8, 16, 24, 32, 48, 63)
SIZES_LEVEL = 0.5
OUTPUT_SCALE = 0.5
ACTIVE_ABOVE = 1e-6
HISTOGRAM_BINS = 30
COMPLETENESS_ROWS = 100

# What the studies add to |a||a_hat| before dividing by it. Neither the paper nor the recipe in
# words has it; it was found from the recorded full-precision results, which it explains to the
# last bit and which the bare cosine misses by a constant 2.6e-12. No printed digit depends on it,
# but where rows are short it shows: a row with |a||a_hat| = 1e-3 loses 1e-7 of its cosine.
COSINE_GUARD = 1e-10


class SettingsError(ValueError):
    """A setting that is unknown or out of range."""


class RankDeficient(ValueError):
    """More dictionary rows were asked for than the activations have independent directions."""

    def __init__(self, rank, k):
        super().__init__(f"the activations have rank {rank}, a dictionary of {k} was asked for")
        self.rank, self.k = rank, k


def complete_settings(given=None):
    """Every setting, the given ones over the defaults and over the sizes of the preset."""
    given = dict(given or {})
    unknown = set(given) - set(DEFAULTS) - set(SIZE_NAMES)
    if unknown:
        raise SettingsError(f"unknown settings: {sorted(unknown)}")
    settings = {**DEFAULTS, **given}
    sizes = PRESETS.get(settings["config"], (None,) * 4)
    for name, size in zip(SIZE_NAMES, sizes):
        settings.setdefault(name, size)
        if settings[name] is None:
            raise SettingsError(f"configuration {settings['config']!r} has no preset {name}")
    if not 1 <= settings["circuit"] <= settings["hidden"]:
        raise SettingsError("circuit must be 1 to hidden")
    if not 1 <= settings["k"] <= settings["hidden"]:
        raise SettingsError("k must be 1 to hidden")
    if not all(0 <= level < 1 for level in settings["levels"]):
        raise SettingsError("levels must be at least 0 and below 1")
    if settings["completeness"] not in ("paper", "total"):
        raise SettingsError("completeness must be paper or total")
    if settings["fidelity"] not in ("cosine", "r2", "rel-mse"):
        raise SettingsError("fidelity must be cosine, r2 or rel-mse")
    return settings


# The experiment --------------------------------------------------------------------------------


class Network(NamedTuple):
    circuit: np.ndarray  # c sorted unit numbers
    w1: np.ndarray  # hidden x inputs
    b1: np.ndarray
    w2: np.ndarray  # outputs x hidden, zero outside the circuit
    b2: np.ndarray

    def read_out(self, activations):
        """f(a) = a W2' + b2, row by row."""
        return activations @ self.w2.T + self.b2


def network(settings):
    """The planted network: only the circuit's hidden units reach the output."""
    inputs, hidden, outputs, units = (settings[name] for name in SIZE_NAMES)
    rng = RandomState(settings["model_seed"])
    circuit = np.sort(rng.choice(hidden, units, replace=False))
    w1 = settings["weight_scale"] * rng.randn(hidden, inputs)
    b1 = settings["bias_scale"] * rng.randn(hidden)
    w2 = np.zeros((outputs, hidden))
    w2[:, circuit] = OUTPUT_SCALE * rng.randn(outputs, units)
    b2 = settings["bias_scale"] * rng.randn(outputs)
    return Network(circuit, w1, b1, w2, b2)


def data(settings, net):
    """Inputs X (N x inputs) and activations H (N x hidden)."""
    rng = RandomState(settings["data_seed"])
    x = rng.randn(settings["samples"], settings["inputs"])
    h = np.maximum(x @ net.w1.T + net.b1, 0.0)
    if settings["noise"] > 0:
        h += settings["noise"] * rng.randn(*h.shape)
    return x, h


class Dictionary(NamedTuple):
    """Every right singular vector of the activations; ``first(k)`` is the dictionary of size k."""

    mean: np.ndarray | None  # None: uncentred, as in the paper
    singular_values: np.ndarray
    vectors: np.ndarray  # min(N, hidden) x hidden, orthonormal rows
    rank: int

    def first(self, k):
        if k > self.rank:
            raise RankDeficient(self.rank, k)
        return self._replace(vectors=self.vectors[:k])

    def encode(self, activations):
        if self.mean is not None:
            activations = activations - self.mean
        return activations @ self.vectors.T

    def decode(self, codes):
        reconstruction = codes @ self.vectors
        return reconstruction if self.mean is None else reconstruction + self.mean

    def project(self, activations):
        return self.decode(self.encode(activations))


def dictionary(activations, centred=False, method="svd"):
    """Right singular vectors of the activations (of their deviations from the mean if centred).

    ``method="gram"`` takes them as eigenvectors of the Gram matrix: several times faster, but
    small singular values are lost below about 1e-8 of the largest. It is used to judge how well
    conditioned a case is and as a second timing, never for the numbers that are compared.
    """
    mean = activations.mean(axis=0) if centred else None
    matrix = activations - mean if centred else activations
    if method == "gram":
        eigenvalues, eigenvectors = np.linalg.eigh(matrix.T @ matrix)
        s = np.sqrt(np.maximum(eigenvalues[::-1], 0.0))
        vt = np.ascontiguousarray(eigenvectors.T[::-1])  # products of reversed views miss BLAS
    else:
        _, s, vt = np.linalg.svd(matrix, full_matrices=False)
    scale = np.linalg.norm(activations) if centred else s[0]  # a constant matrix centres to dust
    rank = int(np.count_nonzero(s > scale * max(matrix.shape) * np.finfo(float).eps))
    return Dictionary(mean, s, vt, rank)


class Levels:
    """Codes with the smallest magnitudes of each row zeroed; one sort serves every level."""

    def __init__(self, codes):
        self.codes = codes
        self.magnitudes = np.abs(codes)
        self.ascending = np.sort(self.magnitudes, axis=1)

    def at(self, level):
        """``(number dropped in each row, codes)`` with the floor(level * K) smallest zeroed."""
        drop = int(level * self.codes.shape[1])
        if drop == 0:
            return 0, self.codes
        least_kept = self.ascending[:, drop]
        kept = np.where(self.magnitudes >= least_kept[:, None], self.codes, 0.0)
        # The comparison keeps too many where the last dropped equals the least kept.
        for row in np.flatnonzero(self.ascending[:, drop - 1] == least_kept):
            order = np.argsort(self.magnitudes[row], kind="stable")
            kept[row] = self.codes[row]
            kept[row, order[:drop]] = 0.0
        return drop, kept


# Metrics ---------------------------------------------------------------------------------------


def _ratio(numerator, denominator):
    return numerator / denominator if denominator > 0 else float("nan")


def sparsity(codes):
    """S (Eq. 1): the share of codes that are inactive."""
    return 1.0 - np.count_nonzero(np.abs(codes) > ACTIVE_ABOVE) / codes.size


def row_norms(matrix):
    return np.sqrt(np.einsum("ij,ij->i", matrix, matrix))


def squared_error(a, b):
    """Sum of (a - b)^2 over all entries."""
    difference = a - b
    difference *= difference
    return difference.sum()  # pairwise: a dot product would lose a digit and a half here


def fidelity(a, a_hat, reading="cosine", guard=0.0):
    """F (Eq. 2) and its two alternatives.

    cosine   mean over rows of a.a_hat / (|a||a_hat| + guard); a row of zero length counts 0
    r2       1 - SSE / SST, SST about the *mean of each column*
    rel-mse  1 - SSE / sum(a^2)
    """
    if reading == "cosine":
        dot = np.einsum("ij,ij->i", a, a_hat)
        length = row_norms(a) * row_norms(a_hat) + guard
        return np.divide(dot, length, out=np.zeros_like(dot), where=length > 0).mean()
    sse = squared_error(a, a_hat)
    if reading == "r2":
        return 1.0 - _ratio(sse, squared_error(a, a.mean(axis=0)))
    return 1.0 - _ratio(sse, squared_error(a, 0.0))


def completeness(outputs, projected_outputs, reading="paper"):
    """C (Eq. 3) from f(a) and f(pi(a)).

    paper  mean and variance over all entries, one grand mean
    total  squared lengths of rows, about the mean output vector
    """
    error = squared_error(outputs, projected_outputs)
    mean = outputs.mean() if reading == "paper" else outputs.mean(axis=0)
    return 1.0 - _ratio(error, squared_error(outputs, mean))


def completeness_rows(samples, seed):
    """The rows on which the paper's reading looks."""
    return RandomState(seed).choice(samples, min(COMPLETENESS_ROWS, samples), replace=False)


def ground_truth_completeness(vectors, circuit):
    """C_GT: how much of each circuit unit's direction lies in the dictionary's row space."""
    return np.square(vectors[:, circuit]).sum(axis=0).mean()


def score(s, f, c, weights=(1, 1, 1)):
    """SFC (Eq. 4): the weighted harmonic mean of the axes whose weight is not zero."""
    axes = [(axis, weight) for axis, weight in zip((s, f, c), weights) if weight > 0]
    if any(np.isnan(axis) for axis, _ in axes):
        return float("nan")
    if any(axis <= 0 for axis, _ in axes):
        return 0.0
    return sum(weight for _, weight in axes) / sum(weight / axis for axis, weight in axes)


def rate(codes, bins=HISTOGRAM_BINS):
    """Mean entropy of the features' histograms, over ln(bins).

    The counts are those of ``numpy.histogram``, by its edges: bins closed on the left, the last on
    both sides, a constant column widened by a half to each side. Sorting each column and looking
    the edges up in it is several times faster than a call of ``numpy.histogram`` for each.
    """
    samples, features = codes.shape
    columns = np.sort(np.ascontiguousarray(codes.T), axis=1)
    low, high = columns[:, 0], columns[:, -1]
    constant = low == high
    low, high = np.where(constant, low - 0.5, low), np.where(constant, high + 0.5, high)
    edges = np.linspace(low, high, bins + 1, axis=1)
    below = np.zeros((features, bins + 1), dtype=np.intp)
    below[:, -1] = samples
    for row, column, inner in zip(below, columns, edges[:, 1:-1]):
        row[1:-1] = np.searchsorted(column, inner)
    counts = np.diff(below, axis=1)
    p = counts[counts > 0] / samples
    return -np.sum(p * np.log(p)) / (features * np.log(bins))


def distortion(a, a_hat, spread=None):
    """Mean squared error over the variance, both over all entries (one grand mean).

    Not 1 - R2, whose variance is about the mean of each column. ``spread`` is the sum of squares
    about the grand mean where the caller has it already.
    """
    spread = squared_error(a, a.mean()) if spread is None else spread
    return _ratio(squared_error(a, a_hat), spread)


def relevance(codes, outputs):
    """|Pearson| of the rows' code lengths and output lengths."""
    x, y = row_norms(codes), row_norms(outputs)
    x, y = x - x.mean(), y - y.mean()
    return abs(_ratio(x @ y, np.sqrt((x @ x) * (y @ y))))


def non_dominated(points):
    """True where no other point is at least as good on every axis and better on one."""
    points = np.asarray(points)
    if moocore is not None:
        return moocore.is_nondominated(points, maximise=True, keep_weakly=True)
    as_good = (points[:, None] >= points[None]).all(axis=2)
    better = (points[:, None] > points[None]).any(axis=2)
    return ~(as_good & better).any(axis=0)


def hypervolume_sweep(points, reference=(0.0, 0.0, 0.0)):
    """Exact volume dominated by 3-D points above the reference: slices along the third axis."""
    points = np.asarray(points, dtype=float).reshape(-1, 3) - np.asarray(reference)
    points = points[(points > 0).all(axis=1)]
    points = points[np.argsort(-points[:, 2], kind="stable")]
    heights = np.append(points[:, 2], 0.0)
    volume = 0.0
    for n in range(1, len(points) + 1):
        thickness = heights[n - 1] - heights[n]
        if thickness > 0:
            x, y = points[:n, :2][np.argsort(-points[:n, 0], kind="stable")].T
            reached = np.maximum.accumulate(y)
            volume += thickness * np.sum(x * np.diff(reached, prepend=0.0))
    return volume


def hypervolume(points, reference=(0.0, 0.0, 0.0)):
    """Volume between the points and the reference, every axis maximised."""
    points = np.asarray(points, dtype=float)
    if moocore is not None:
        return moocore.hypervolume(points, ref=reference, maximise=True)
    return hypervolume_sweep(points, reference)


# Studies ---------------------------------------------------------------------------------------


class Run(NamedTuple):
    """What every level and dictionary size of one configuration shares."""

    settings: dict
    network: Network
    activations: np.ndarray
    outputs: np.ndarray
    dictionary: Dictionary


def prepare(settings, method="svd", disturb=None):
    """Build the network, draw the data, decompose. ``disturb`` maps H to a neighbouring H."""
    settings = complete_settings(settings)
    net = network(settings)
    _, h = data(settings, net)
    if disturb is not None:
        h = disturb(h)
    return Run(settings, net, h, net.read_out(h), dictionary(h, settings["centred"], method))


def points(run, k=None, levels=None):
    """The measures of one dictionary size at every level."""
    settings, net, h, outputs = run.settings, run.network, run.activations, run.outputs
    k = settings["k"] if k is None else k
    levels = settings["levels"] if levels is None else levels
    words = run.dictionary.first(k)
    coded = Levels(words.encode(h))

    rows = slice(None)
    if settings["completeness"] == "paper":
        rows = completeness_rows(len(h), settings["completeness_seed"])
    c = completeness(
        outputs[rows], net.read_out(words.project(h[rows])), settings["completeness"]
    )
    spread = squared_error(h, h.mean())
    c_gt = ground_truth_completeness(words.vectors, net.circuit)

    result = []
    for level in levels:
        dropped, codes = coded.at(level)
        reconstruction = words.decode(codes)
        s = sparsity(codes)
        f = fidelity(h, reconstruction, settings["fidelity"], COSINE_GUARD)
        result.append(
            {
                "level": level,
                "k": k,
                "dropped": dropped,
                "sparsity": s,
                "fidelity": f,
                "completeness": c,
                "c_gt": c_gt,
                "sfc": score(s, f, c, settings["weights"]),
                "rate": rate(codes),
                "distortion": distortion(h, reconstruction, spread),
                "relevance": relevance(codes, outputs),
            }
        )
    return result


def with_volume(run):
    """The curve of a prepared run with its hypervolume and front."""
    curve_points = points(run)
    axes = [(p["sparsity"], p["fidelity"], p["completeness"]) for p in curve_points]
    if not np.isfinite(axes).all():
        return {"points": curve_points, "hypervolume": None, "front": None}
    return {
        "points": curve_points,
        "hypervolume": hypervolume(axes),
        "front": np.flatnonzero(non_dominated(axes)),
    }


def curve(settings=None):
    """Every level of one configuration: Table 3."""
    return with_volume(prepare(settings))


def sizes_of(run):
    """The six dictionary sizes at one level, those that fit: Table 6."""
    fitting = [k for k in SIZES if k <= run.settings["hidden"]]
    return [points(run, k, [SIZES_LEVEL])[0] for k in fitting]


def sizes(settings=None):
    given = dict(settings or {})
    # The size set here is never used, but has to fit.
    given["k"] = min(given.get("k", DEFAULTS["k"]), given.get("hidden", DEFAULTS["k"]))
    return {"points": sizes_of(prepare(given))}


def profiles_of(curve_points):
    """The seven weight profiles on the points of a curve, and the level that wins: Table 4."""
    result = {}
    for name, weights in PROFILES.items():
        scores = [
            score(p["sparsity"], p["fidelity"], p["completeness"], weights) for p in curve_points
        ]
        best = int(np.nanargmax(scores))
        result[name] = {
            "weights": weights,
            "scores": scores,
            "winner": curve_points[best]["level"],
            "best": scores[best],
        }
    return result


def weights(settings=None):
    return {"profiles": profiles_of(points(prepare(settings)))}


def cross(settings=None):
    """The four configurations: Table 5 and Figure 3."""
    given = {k: v for k, v in (settings or {}).items() if k not in SIZE_NAMES}
    return {"configs": {name: curve({**given, "config": name}) for name in PRESETS}}


def paper(method="svd"):
    """All that the page computes when it opens."""
    runs = {name: prepare({"config": name}, method) for name in PRESETS}
    configs = {name: with_volume(run) for name, run in runs.items()}
    return {
        "configs": configs,
        "sizes": sizes_of(runs["standard"]),
        "profiles": profiles_of(configs["standard"]["points"]),
    }


# Command line ----------------------------------------------------------------------------------


def plain(value):
    """The same value in JSON's types; what is not finite becomes null."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if np.isfinite(value) else None
    return value.item() if isinstance(value, np.generic) else value


def bench(rounds, method="svd"):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        paper(method)
        times.append(1e3 * (time.perf_counter() - start))
    return {
        "job": "paper",
        "dictionary": method,
        "rounds": rounds,
        "times_ms": times,
        "median_ms": float(np.median(times)),
        "numpy": np.__version__,
    }


def main(arguments=None):
    parser = argparse.ArgumentParser(description="The SFC-Score paper's experiment in NumPy.")
    commands = parser.add_subparsers(dest="command", required=True)
    studies = {"curve": curve, "sizes": sizes, "weights": weights, "cross": cross}
    for name in studies:
        commands.add_parser(name).add_argument("--settings", help="JSON file; - is standard input")
    commands.add_parser("paper")
    stream = commands.add_parser("rng", help="the first N normals of RandomState(SEED)")
    stream.add_argument("seed", type=int)
    stream.add_argument("n", type=int)
    timing = commands.add_parser("bench", help="time the whole paper, ROUNDS times")
    timing.add_argument("rounds", type=int)
    timing.add_argument("--dictionary", choices=("svd", "gram"), default="svd")
    options = parser.parse_args(arguments)

    if options.command in studies:
        settings = {}
        if options.settings == "-":
            settings = json.load(sys.stdin)
        elif options.settings:
            with open(options.settings, encoding="utf-8") as file:
                settings = json.load(file)
        try:
            result = studies[options.command](settings)
        except (SettingsError, RankDeficient) as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            return 2
    elif options.command == "paper":
        result = paper()
    elif options.command == "rng":
        result = {"seed": options.seed, "randn": RandomState(options.seed).randn(options.n)}
    else:
        result = bench(options.rounds, options.dictionary)
    print(json.dumps(plain(result), indent=1, allow_nan=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
