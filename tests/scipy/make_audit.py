"""Write the golden file of the audit's statistics, by SciPy and NumPy.

    python3 make_audit.py            write ../golden/audit_statistics.json
    python3 make_audit.py --check    compare with what is there instead, to 1e-12
"""

import argparse
import json
import sys

import numpy as np
import scipy
from make_golden import FOLDER, differences, plain
from numpy.random import RandomState
from scipy import optimize, special, stats
from scipy.cluster import hierarchy

PATH = FOLDER / "audit_statistics.json"


def t_cases():
    rng = RandomState(1)
    samples = {
        "two": np.array([1.0, 4.0]), "three": rng.randn(3) + 1, "five": rng.randn(5) - 0.3,
        "twenty": rng.randn(20) + 0.2, "far": 1e6 + rng.randn(7), "tied": np.array([0.2, 0.2, 0.3]),
    }  # fmt: skip
    for name, values in samples.items():
        for about in (0.0, 0.5):
            test = stats.ttest_1samp(values, about)
            ends = [list(test.confidence_interval(level)) for level in (0.95, 0.8)]
            yield {
                "name": name, "values": values, "about": about, "t": test.statistic,
                "p": test.pvalue, "intervals": ends,
            }  # fmt: skip


def discovery_cases():
    rng = RandomState(2)
    samples = {
        "one": [0.04], "ties": [0.01, 0.01, 0.02, 0.5, 0.5], "ends": [0.0, 1.0, 1.0, 0.0, 0.3],
        "uniform": rng.rand(100), "mixed": np.r_[rng.rand(40), rng.rand(20) * 1e-4],
    }  # fmt: skip
    for name, p in samples.items():
        yield {"name": name, "p": p, "q": stats.false_discovery_control(p)}


def residuals(values, covariate):
    """What a line of the covariate leaves."""
    columns = np.stack([np.ones(len(values)), covariate], 1)
    return values - columns @ np.linalg.lstsq(columns, values, rcond=None)[0]


def partial_cases():
    rng = RandomState(3)
    size = rng.randint(1, 6, 30).astype(float)
    truth = size + rng.randn(30)
    samples = {
        "by size": (0.5 * truth + size + rng.randn(30), truth, size),
        "noise": (rng.randn(12), rng.randn(12), rng.randn(12)),
        "five": (rng.randn(5), rng.randn(5), rng.randn(5)),
        "ties": tuple(rng.randint(0, 4, 40).astype(float) for _ in range(3)),
        "against": (-truth + size, truth, size),
    }
    for name, (x, y, z) in samples.items():
        ranked = [stats.rankdata(values) for values in (x, y, z)]
        left = [residuals(values, ranked[2]) for values in ranked[:2]]
        r = stats.pearsonr(*left).statistic
        freedom = len(x) - 3
        p = 2 * stats.t.sf(abs(r) * np.sqrt(freedom / (1 - r * r)), freedom)
        yield {
            "name": name, "x": x, "y": y, "z": z, "r": r, "p": p,
            "spearman": stats.spearmanr(x, y).statistic,
        }  # fmt: skip


def hedges_cases():
    rng = RandomState(4)
    for name, m, n in (("two", 2, 2), ("three", 3, 3), ("five", 5, 5), ("unequal", 4, 9), ("twenty", 20, 20)):
        x, y = rng.randn(m) + 1, 2 * rng.randn(n)
        freedom = m + n - 2
        pooled = np.sqrt(((m - 1) * np.var(x, ddof=1) + (n - 1) * np.var(y, ddof=1)) / freedom)
        log = special.gammaln(freedom / 2) - special.gammaln((freedom - 1) / 2)
        correction = np.exp(log) / np.sqrt(freedom / 2)
        yield {
            "name": name, "x": x, "y": y, "correction": correction,
            "g": (x.mean() - y.mean()) / pooled * correction,
        }  # fmt: skip


def newcombe(auc, m, n, confidence):
    """The two roots of the score equation in θ."""
    z = stats.norm.ppf(0.5 + confidence / 2)
    star = (m + n) / 2 - 1

    def beyond(theta):
        spread = theta * (1 - theta) * (1 + star * ((1 - theta) / (2 - theta) + theta / (1 + theta)))
        return abs(theta - auc) - z * np.sqrt(spread / (m * n))

    # At an end of the range there is a root that is no end of the interval.
    tiny = 1e-12
    low = optimize.brentq(beyond, 0, auc - tiny, xtol=1e-15) if auc > 0 else 0.0
    high = optimize.brentq(beyond, auc + tiny, 1, xtol=1e-15) if auc < 1 else 1.0
    return [low, high]


def auc_cases():
    rng = RandomState(5)
    for m, n in ((2, 2), (3, 3), (3, 7), (5, 5), (20, 20), (200, 90)):
        for shift in (-3.0, 0.0, 0.7, 5.0):
            x, y = np.round(rng.randn(m) + shift, 1), np.round(rng.randn(n), 1)
            auc = stats.mannwhitneyu(x, y).statistic / (m * n)
            yield {
                "x": x, "y": y, "auc": auc,
                "intervals": [newcombe(auc, m, n, level) for level in (0.95, 0.8)],
            }  # fmt: skip


def size_cases():
    for effect in (0.1, 0.3, 0.5, 0.8, 1.0, 1.7, 2.8, 4.0, -0.6):
        for alpha, power in ((0.05, 0.8), (0.01, 0.9)):
            z = stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(power)
            needed = max(2, int(np.ceil(2 * (z / effect) ** 2)))
            yield {"effect": effect, "alpha": alpha, "power": power, "n": needed}


def bootstrap_cases():
    rng = RandomState(6)
    samples = {
        "normal": (rng.randn(20), 0), "skewed": (np.exp(rng.randn(12)), 0), "ten": (rng.rand(10), 7),
        "tied": (np.r_[np.full(6, 0.5), rng.rand(8)], 0),
    }  # fmt: skip
    for name, (values, seed) in samples.items():
        draws, n = RandomState(seed), len(values)
        mean, error = values.mean(), values.std(ddof=1) / np.sqrt(n)
        found = []
        for _ in range(2000):
            sample = values[draws.randint(0, n, n)]
            found.append((sample.mean() - mean) / (sample.std(ddof=1) / np.sqrt(n)))
        low, high = np.quantile(found, [0.025, 0.975])
        yield {
            "name": name, "values": values, "seed": seed,
            "interval": [mean - high * error, mean - low * error],
        }  # fmt: skip


def leaf_cases():
    rng = RandomState(7)
    for things in (2, 3, 8, 30):
        distances = rng.rand(things * (things - 1) // 2)
        tree = hierarchy.linkage(distances, "average")
        yield {"things": things, "distances": distances, "leaves": hierarchy.leaves_list(tree)}


def golden():
    return plain({
        "about": "what SciPy and NumPy find, by tests/scipy/make_audit.py",
        "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
        "one_sample_t": list(t_cases()),
        "false_discovery": list(discovery_cases()),
        "partial": list(partial_cases()),
        "hedges": list(hedges_cases()),
        "auc": list(auc_cases()),
        "sample_sizes": list(size_cases()),
        "studentised": list(bootstrap_cases()),
        "leaves": list(leaf_cases()),
    })  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    found = golden()
    if parser.parse_args().check:
        wrong = differences(found, json.loads(PATH.read_text()))
        for place in wrong:
            print(f"{PATH.name} differs at {place}", file=sys.stderr)
        return 1 if wrong else 0
    PATH.write_text(json.dumps(found, indent=1, allow_nan=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
