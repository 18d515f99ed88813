"""Check reference.py against the recorded results, the printed tables and the metric vectors.

    python3 check_reference.py        (exit status 1 on any disagreement)
"""

import json
import math
import pathlib
import sys

import numpy as np

import reference

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
RECORDED_RELATIVE = 1e-13
NAMES = {
    "sparsity": "sparsity",
    "fidelity": "fidelity",
    "completeness": "completeness",
    "c_gt": "c_gt",
    "sfc": "sfc_equal",
    "rate": "rate",
    "distortion": "distortion",
}
SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def load(name):
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))


def number(value):
    return SPECIAL[value] if isinstance(value, str) else value


def matrix(rows):
    return np.array([[number(value) for value in row] for row in rows], dtype=float)


class Tally:
    def __init__(self):
        self.failures = 0

    def section(self, name):
        self.name, self.compared, self.worst = name, 0, 0.0

    def close(self, label, expected, actual, relative, floor=0.0):
        self.compared += 1
        if math.isnan(expected) or math.isnan(actual):
            good = math.isnan(expected) and math.isnan(actual)
        else:
            difference = abs(expected - actual)
            self.worst = max(self.worst, difference / max(abs(expected), 1e-300))
            good = difference <= max(relative * abs(expected), floor)
        self.true(f"{label}: expected {expected!r}, got {actual!r}", good)

    def true(self, label, good):
        if not good:
            self.failures += 1
            print(f"  DISAGREES {self.name}: {label}")

    def end(self):
        print(f"{self.name}: {self.compared} values, greatest relative difference {self.worst:.1e}")


def check_recorded(tally):
    recorded, got = load("expected.json"), reference.plain(reference.paper())
    tally.section("expected.json")

    def points(label, expected, actual):
        tally.true(f"{label} count", len(expected) == len(actual))
        for one, other in zip(expected, actual):
            tally.true(f"{label} k", one["k"] == other["k"])
            for ours, theirs in NAMES.items():
                where = f"{label} level {one['lambda_']} k {one['k']} {ours}"
                tally.close(where, one[theirs], other[ours], RECORDED_RELATIVE)

    for name, config in recorded["configs"].items():
        points(name, config["curve"], got["configs"][name]["points"])
        volume = got["configs"][name]["hypervolume"]
        tally.close(f"{name} hypervolume", config["hypervolume"], volume, RECORDED_RELATIVE)
        settings = reference.complete_settings({"config": name})
        net = reference.network(settings)
        x, h = reference.data(settings, net)
        tally.true(f"{name} circuit", config["circuit"] == net.circuit.tolist())
        tally.true(f"{name} W1", config["w1_first"] == net.w1.ravel()[:4].tolist())
        first = net.w2[:, net.circuit].ravel()[:4].tolist()
        tally.true(f"{name} W2", config["w2_circuit_first"] == first)
        tally.true(f"{name} b2", config["b2"] == net.b2.tolist())
        tally.true(f"{name} X", config["x_first"] == x.ravel()[:4].tolist())
        tally.close(f"{name} sum of H", config["hidden_sum"], h.sum(), RECORDED_RELATIVE)
    points("sizes", recorded["dictionary_sizes"], got["sizes"])
    for name, profile in recorded["weight_profiles"].items():
        tally.true(f"{name} weights", profile["weights"] == got["profiles"][name]["weights"])
        for expected, actual in zip(profile["scores"], got["profiles"][name]["scores"]):
            tally.close(f"profile {name}", expected, actual, RECORDED_RELATIVE)
    tally.end()


def check_printed(tally):
    printed, got = load("printed.json"), reference.plain(reference.paper())
    tally.section("printed.json, tables 3, 4, 6 and the ends of figure 4")
    axes = ("sparsity", "fidelity", "completeness", "sfc", "c_gt")

    def cell(label, expected, actual):
        tally.compared += 1
        # Half a unit of the third digit, and room for the binary form of a tie.
        tally.true(f"{label}: {expected} {actual}", abs(expected - actual) <= 0.0005 + 1e-12)

    standard = got["configs"]["standard"]["points"]
    for rows, ours in ((printed["table3"], standard), (printed["table6"], got["sizes"])):
        for row, point in zip(rows["rows"], ours):
            for axis, value in zip(axes, row[1:]):
                cell(f"row {row[0]} {axis}", value, point[axis])
    for name, (winner, best) in printed["table4"].items():
        profile = got["profiles"][name]
        cell(f"profile {name}", best, profile["best"])
        tally.compared += 1
        tally.true(f"winner of {name}", winner == f"SAE-sp{round(100 * profile['winner'])}")
    for axis in ("rate", "distortion"):
        for value, point in zip(printed["text"][axis], (standard[0], standard[-1])):
            cell(axis, value, point[axis])
    tally.end()


def projection(words, a):
    """a projected on the row space of any dictionary."""
    _, s, vt = np.linalg.svd(words, full_matrices=False)
    vt = vt[s > s[0] * max(words.shape) * np.finfo(float).eps]
    return a @ vt.T @ vt


def check_vectors(tally):
    def cases(name):
        vectors = load(name)
        tally.section(name)
        for case in vectors["cases"]:
            yield case["name"], case["input"], case["expected"], vectors["tolerance"]
        tally.end()

    def close(label, expected, actual, tolerance):
        tally.close(label, number(expected), actual, tolerance["rel"], tolerance["abs"])

    with np.errstate(all="ignore"):
        for name, given, expected, tolerance in cases("sfc_fidelity.json"):
            a, a_hat = matrix(given["a"]), matrix(given["a_hat"])
            if not np.isfinite(a).all():
                continue  # the core refuses these
            for reading, key in (("cosine", "cosine"), ("r2", "r2"), ("rel-mse", "rel_mse")):
                close(name, expected[key], reference.fidelity(a, a_hat, reading), tolerance)
        for name, given, expected, tolerance in cases("sfc_completeness.json"):
            a, words, w2 = matrix(given["a"]), matrix(given["W"]), matrix(given["W2"])
            outputs, projected = (x @ w2.T + given["b2"] for x in (a, projection(words, a)))
            for reading, key in (("total", "C_total"), ("paper", "C_elementwise")):
                value = reference.completeness(outputs, projected, reading)
                close(f"{name} {key}", expected[key], value, tolerance)
        for name, given, expected, tolerance in cases("sfc_sparsity.json"):
            if given["c"] and np.isfinite(matrix(given["c"])).all():
                close(name, expected["S"], reference.sparsity(matrix(given["c"])), tolerance)
        for name, given, expected, tolerance in cases("sfc_score.json"):
            axes = [number(given[axis]) for axis in "SFC"]
            value = reference.score(*axes, [given[w] for w in ("alpha", "beta", "gamma")])
            close(name, expected["sfc"], value, tolerance)
        for name, given, expected, tolerance in cases("sfc_rate.json"):
            value = reference.rate(matrix(given["c"]), given["bins"])
            close(name, expected["rate"], value, tolerance)
        for name, given, expected, tolerance in cases("sfc_distortion.json"):
            # These vectors hold 1 - R2, which is not the recipe's distortion.
            value = 1.0 - reference.fidelity(matrix(given["a"]), matrix(given["a_hat"]), "r2")
            close(name, expected["distortion"], value, tolerance)
        for name, given, expected, tolerance in cases("sfc_hypervolume.json"):
            points = matrix(given["points"])
            if expected["hv"] == "reject" or points.shape[-1] != 3:
                continue
            for volume in (reference.hypervolume, reference.hypervolume_sweep):
                close(name, expected["hv"], volume(points, given["ref"]), tolerance)
            tally.true(name, reference.non_dominated(points).tolist() == expected["nondominated"])


def main():
    tally = Tally()
    check_recorded(tally)
    check_printed(tally)
    check_vectors(tally)
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
