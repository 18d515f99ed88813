"""Write the golden files of the statistics, by SciPy, scikit-learn and NumPy.

    python3 make_golden.py            write ../golden/statistics.json and ../golden/detectors.json
    python3 make_golden.py --check    compare with what is there instead, to 1e-12

NaN stands for "no value" and is null; infinities are the words "Infinity" and "-Infinity".
"""

import argparse
import json
import math
import pathlib
import sys
import warnings

import numpy as np
import scipy
import sklearn
from numpy.random import RandomState
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "golden"


def plain(value):
    """As strict JSON has it."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, np.bool_, str)) or value is None:
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    value = float(value)
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def samples():
    """Pairs of samples of one length, by name."""
    rng = RandomState(20)
    x = rng.randn(40)
    rising = np.arange(12.0)
    yield "normal", x, 0.4 * x + rng.randn(40)
    yield "few", x[:5], rng.randn(5)
    yield "three", x[:3], x[3:6]
    yield "rounded", np.round(rng.randn(60), 1), np.round(rng.randn(60), 1)
    yield "halves", rng.randint(0, 3, 25).astype(float), rng.randint(0, 2, 25).astype(float)
    yield "one swap of 50", np.arange(50.0), np.r_[1.0, 0.0, np.arange(2.0, 50.0)]
    yield "rising 50", np.arange(50.0), np.exp(np.arange(50.0) / 5)
    yield "33 pairs", rng.randn(33), rng.randn(33)
    yield "34 pairs", rng.randn(34), rng.randn(34)
    yield "one tie in 10", np.r_[rng.randn(9), 0.0][[*range(9), 8]], rng.randn(10)
    yield "far from 0", 1e9 + rng.randn(20), rng.randn(20) - 1e6
    yield "large", 1e200 * rng.randn(12), 1e180 * rng.randn(12)
    yield "small", 1e-200 * rng.randn(12), 1e-180 * rng.randn(12)
    yield "nearly a line", rising, 3 * rising + 1 + 0.05 * rng.randn(12)
    yield "500 pairs", rng.randn(500), rng.randint(0, 40, 500).astype(float)


def correlations():
    for name, x, y in samples():
        found = {
            "pearson": stats.pearsonr(x, y),
            "spearman": stats.spearmanr(x, y),
            "kendall_tau_b": stats.kendalltau(x, y),
        }
        expected = {key: {"r": one.statistic, "p": one.pvalue} for key, one in found.items()}
        yield {"name": name, "x": x, "y": y, **expected}


def rank_cases():
    rng = RandomState(21)
    cases = {
        "ties": rng.randint(0, 6, 20).astype(float),
        "none": [],
        "one": [3.0],
        "signed zeros and infinities": [0.0, np.inf, -0.0, -np.inf, 1.0, np.inf],
        "equal": [2.0] * 5,
    }
    for name, values in cases.items():
        kinds = ("average", "min", "max", "dense", "ordinal")
        ranks = {kind: stats.rankdata(values, method=kind) for kind in kinds}
        yield {"name": name, "values": values, **ranks}


def quantile_cases():
    rng = RandomState(22)
    shares = [0.0, 0.01, 0.05, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.975, 1.0]
    for name, values in (
        ("normal", rng.randn(101)),
        ("even", rng.randn(10)),
        ("one", [7.0]),
        ("two", [1.0, 2.0]),
        ("ties", rng.randint(0, 4, 30).astype(float)),
    ):
        quantiles = np.quantile(values, shares)
        yield {"name": name, "values": values, "shares": shares, "quantiles": quantiles}


def moment_cases():
    rng = RandomState(23)
    for name, values in (("normal", rng.randn(50)), ("one", [4.0]), ("far", 1e6 + rng.randn(30))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            spread = {f"variance_{ddof}": np.var(values, ddof=ddof) for ddof in (0, 1, 2)}
        yield {"name": name, "values": values, "mean": np.mean(values), **spread}


def histogram_cases():
    rng = RandomState(24)
    for name, values, bins in (
        ("normal", rng.randn(200), 30),
        ("one bin", rng.randn(5), 1),
        ("equal", [3.0] * 4, 4),
        ("edges", np.arange(11) / 10, 10),
        ("mostly zeros", np.r_[np.zeros(20), rng.random_sample(5)], 30),
    ):
        counts, edges = np.histogram(values, bins)
        entropy = stats.entropy(counts)
        yield {
            "name": name, "values": values, "bins": bins,
            "counts": counts, "edges": edges, "entropy": entropy,
        }  # fmt: skip


def normal_cases():
    z = np.r_[np.linspace(-9, 9, 37), -37.0, -20.5, 1e-10, -1e-300]
    p = np.r_[
        np.linspace(0.01, 0.99, 50), 10.0 ** -np.arange(3, 300, 13), 0.075, 0.925, 0.0749, 0.5,
        1 - 1e-12, math.exp(-25), 0.0, 1.0,
    ]  # fmt: skip
    return {
        "cdf": {"z": z, "p": stats.norm.cdf(z), "survival": stats.norm.sf(z)},
        "quantile": {"p": p, "z": stats.norm.ppf(p)},
    }


def student_cases():
    # Not closer to 0: there SciPy is off by 1e-9 with one degree of freedom, whose law is known.
    t = np.array([0.0, 0.01, 0.1, 0.7, 1.0, 2.0, 5.0, 30.0, 1e3, 1e6])
    p = np.array([1e-12, 1e-6, 0.001, 0.025, 0.05, 0.25, 0.3, 0.5, 0.6, 0.75, 0.9, 0.975, 0.9995])
    for freedom in (0.5, 1, 2, 2.5, 3, 5, 10, 29, 39.9, 40, 100, 1000, 12345.6, 19999, 20001, 1e6):
        yield {
            "freedom": freedom,
            "t": t,
            "cdf": stats.t.cdf(-t, freedom),
            "two_sided": 2 * stats.t.sf(t, freedom),
            "p": p,
            "quantile": stats.t.ppf(p, freedom),
        }


def two_samples():
    rng = RandomState(25)
    yield "8 and 8", rng.randn(8), rng.randn(8) + 0.5
    yield "9 and 9", rng.randn(9), rng.randn(9) + 0.5
    yield "8 and 60", rng.randn(8) + 1, rng.randn(60)
    yield "60 and 3", rng.randn(60), rng.randn(3)
    yield "1 and 20", rng.randn(1), rng.randn(20)
    yield "20 and 30", rng.randn(20), rng.randn(30) - 0.3
    yield "ties", rng.randint(0, 5, 12).astype(float), rng.randint(0, 5, 7).astype(float)
    yield "many ties", rng.randint(0, 2, 40).astype(float), rng.randint(0, 2, 50).astype(float)
    yield "apart", np.arange(10.0), 20 + np.arange(11.0)
    yield "equal", np.ones(3), np.ones(5)
    yield "sparse", np.r_[np.zeros(30), 1 + rng.random_sample(10)], np.r_[np.zeros(60), 0.5, 1.5]


def mann_whitney_cases():
    methods = {
        "auto": {"method": "auto"},
        "exact": {"method": "exact"},
        "asymptotic": {"method": "asymptotic"},
        "without continuity": {"method": "asymptotic", "use_continuity": False},
    }
    for name, x, y in two_samples():
        p = {}
        for method, options in methods.items():
            for side in ("two-sided", "less", "greater"):
                found = stats.mannwhitneyu(x, y, alternative=side, **options)
                p[f"{method} {side}"] = found.pvalue
        yield {"name": name, "x": x, "y": y, "u1": found.statistic, "p": p}


def auc_cases():
    for name, positives, negatives in two_samples():
        labels = np.r_[np.ones(len(positives)), np.zeros(len(negatives))]
        scores = np.r_[positives, negatives]
        yield {
            "name": name, "positives": positives, "negatives": negatives,
            "roc_auc": roc_auc_score(labels, scores),
            "average_precision": average_precision_score(labels, scores),
        }  # fmt: skip


def detectors():
    """Scores and labels of 1,000 detectors, from one stream that any program can draw again; most with ties."""
    draw = RandomState(31).random_sample
    for _ in range(1000):
        count = 2 + int(120 * draw())
        levels = 1 + int(12 * draw())
        share = draw()
        scores, labels = [], []
        for _ in range(count):
            score = draw() - 0.5
            # With a level each, most are tied; the others are as they were drawn. Zeros have both signs.
            if levels < 12:
                score = np.trunc(levels * score) / levels
            scores.append(score)
            labels.append(draw() < share)
        labels[:2] = [True, False]
        yield labels, scores


def detector_golden():
    cases = list(detectors())
    return plain({
        "about": "areas and average precisions of the detectors of tests/scipy/make_golden.py",
        "versions": {"numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "roc_auc": [roc_auc_score(*case) for case in cases],
        "average_precision": [average_precision_score(*case) for case in cases],
    })


def regression_cases():
    rng = RandomState(26)
    x = rng.random_sample(15) * 10 + 0.1
    cases = {
        "noisy": (x, 3 - 0.5 * x + rng.randn(15)),
        "three points": (x[:3], rng.randn(3)),
        "nearly exact": (x, 2 * x + 1 + 0.02 * rng.randn(15)),
        "flat": (x, rng.randn(15)),
        "repeated x": (np.repeat([1.0, 2.0, 4.0], 5), rng.randn(15)),
        "far from 0": (1000 + x, 1e4 + x + rng.randn(15)),
    }
    for name, (x, y) in cases.items():
        for curve in ("line", "logarithm"):
            along = x if curve == "line" else np.log(x)
            fit = stats.linregress(along, y)
            at = np.array([x.min(), np.median(x), x.max() * 2])
            where = at if curve == "line" else np.log(at)
            # Textbook: the band of the mean response.
            left = y - fit.intercept - fit.slope * along
            s = math.sqrt((left @ left) / (len(x) - 2))
            away = where - along.mean()
            squares = ((along - along.mean()) ** 2).sum()
            half = stats.t.ppf(0.975, len(x) - 2) * s * np.sqrt(1 / len(x) + away**2 / squares)
            middle = fit.intercept + fit.slope * where
            yield {
                "name": name, "curve": curve, "x": x, "y": y,
                "slope": fit.slope, "intercept": fit.intercept, "r": fit.rvalue, "p": fit.pvalue,
                "slope_error": fit.stderr, "intercept_error": fit.intercept_stderr,
                "at": at, "low": middle - half, "high": middle + half,
            }  # fmt: skip


def bootstrap_cases():
    rng = RandomState(27)
    for name, values, seed, confidence in (
        ("mean of 30", rng.randn(30), 0, 0.95),
        ("mean of 7", rng.randn(7), 42, 0.8),
        ("mean of one", [2.0], 1, 0.9),
        ("mean of 33", rng.randn(33), 2**32 - 1, 0.9),
    ):
        values = np.asarray(values)
        draws, n = RandomState(seed), len(values)
        rows = [draws.randint(0, n, n) for _ in range(200)]
        means = [np.mean(values[row]) for row in rows]
        low, high = np.quantile(means, [0.5 - confidence / 2, 0.5 + confidence / 2])
        yield {
            "name": name, "values": values, "seed": seed, "confidence": confidence,
            "resamples": len(rows), "last_rows": rows[-1], "low": low, "high": high,
        }  # fmt: skip


def golden():
    return plain({
        "about": "what SciPy, scikit-learn and NumPy find, by tests/scipy/make_golden.py",
        "versions": {
            "numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__,
        },
        "moments": list(moment_cases()),
        "ranks": list(rank_cases()),
        "quantiles": list(quantile_cases()),
        "histograms": list(histogram_cases()),
        "normal": normal_cases(),
        "student_t": list(student_cases()),
        "correlations": list(correlations()),
        "mann_whitney": list(mann_whitney_cases()),
        "auc": list(auc_cases()),
        "regressions": list(regression_cases()),
        "bootstraps": list(bootstrap_cases()),
    })  # fmt: skip


def differences(found, wanted, path=""):
    """Paths at which two golden files differ."""
    if isinstance(wanted, dict) and isinstance(found, dict) and found.keys() == wanted.keys():
        return [at for key in wanted for at in differences(found[key], wanted[key], f"{path}/{key}")]
    if isinstance(wanted, list) and isinstance(found, list) and len(found) == len(wanted):
        pairs = enumerate(zip(found, wanted))
        return [at for index, (a, b) in pairs for at in differences(a, b, f"{path}/{index}")]
    if isinstance(wanted, float) and isinstance(found, float):
        return [] if math.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-15) else [path]
    return [] if found == wanted else [path]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    wrong = 0
    for name, found in (("statistics.json", golden()), ("detectors.json", detector_golden())):
        path = FOLDER / name
        if check:
            for place in differences(found, json.loads(path.read_text())):
                print(f"{name} differs at {place}", file=sys.stderr)
                wrong += 1
        else:
            path.write_text(json.dumps(found, indent=1, allow_nan=False) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
