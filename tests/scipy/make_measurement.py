"""Write the golden files of measurement theory's probe and planted circuits, by scikit-learn and NumPy.

    python3 make_measurement.py            write ../golden/probe.json and ../golden/planted_circuits.json
    python3 make_measurement.py --check    compare with what is there instead, to 1e-10

The probe is scikit-learn's LogisticRegression with C = 1 after its StandardScaler, solved by its newton-cholesky to a
tolerance of 1e-14; rows are held out by its train_test_split. The planted circuits' recipe is `drawn`; what they do
is `logit_differences`.
"""

import argparse
import json
import sys

import numpy as np
import scipy
import sklearn
from make_golden import FOLDER, plain
from numpy.random import RandomState
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

KINDS = ("planted", "additive", "redundant", "inhibitory", "dead_head", "bias_only", "linear_homogeneous")


def probe_inputs():
    """Activations and labels, by name."""
    rng = RandomState(60)
    x = np.round(rng.randn(60, 5), 3)
    yield "five inputs", x, x @ [1.0, -2.0, 0.5, 0.0, 0.0] + rng.randn(60) > 0
    wide = np.round(rng.randn(30, 40), 3)
    yield "more inputs than rows", wide, wide[:, 0] > 0
    far = np.round(rng.randn(50, 3), 3) * [1.0, 1e-3, 1e4] + [0.0, 5.0, -2e5]
    yield "scales far apart", far, far[:, 0] + far[:, 1] * 1e3 > 5000.0
    still = np.c_[np.round(rng.randn(41, 2), 3), np.full(41, 0.1), np.zeros(41)]
    yield "columns that do not vary", still, rng.random_sample(41) < 0.3
    apart = np.round(rng.randn(40, 2), 3) + np.arange(40)[:, None] // 20 * 8.0
    yield "set apart", apart, np.arange(40) >= 20


def probe_cases():
    for name, x, labels in probe_inputs():
        seeds = []
        for seed in (0, 1, 42):
            rows = np.arange(len(x))
            train, test = train_test_split(rows, test_size=0.3, random_state=seed)
            scaler = StandardScaler().fit(x[train])
            probe = LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-14, max_iter=1000)
            probe.fit(scaler.transform(x[train]), labels[train])
            accuracy, training_accuracy = (
                probe.score(scaler.transform(x[part]), labels[part]) for part in (test, train)
            )
            seeds.append({
                "seed": seed, "train": train, "test": test, "weights": probe.coef_[0],
                "intercept": probe.intercept_[0], "accuracy": accuracy, "training_accuracy": training_accuracy,
            })  # fmt: skip
        yield {"name": name, "inputs": x, "labels": labels.tolist(), "seeds": seeds}


def drawn(kind, prompts, heads, seed):
    """A planted circuit: see PlantedCircuit::drawn."""
    rng = RandomState(seed)
    u, w = rng.randn(prompts, 4), rng.randn(prompts, 4)
    y = np.tile([1.0, -1.0], prompts // 2)
    x = y[:, None] * np.abs(1 + 0.3 * u) + 0.2 * w
    q0, q1 = 0.3 * np.abs(rng.randn(heads, 4)), 0.1 * np.abs(rng.randn(heads, 4))
    bias = 0.8 * rng.randn(prompts)
    a, v0, v1 = np.zeros((heads, heads)), np.zeros(heads), np.zeros(heads)
    if kind == "planted":
        v0[:2], v1[:2], a[0, 0], a[1, 1] = [0.3, 0.2], [1.5, 1.0], 0.9, 0.7
    if kind == "additive":
        v0[:2], v1[:2] = [0.9, 0.6], [1.2, 0.8]
    if kind == "redundant":
        v0[:], v1[:] = 0.5, 0.7
    if kind == "inhibitory":
        v0[:2], v1[0], a[1, 0] = [1.5, -0.8], 0.8, 0.3
    if kind == "dead_head":
        v0[0], v1[0] = 1.0, 0.7
    if kind == "bias_only":
        bias = np.abs(bias) + 0.5
    if kind == "linear_homogeneous":
        v0[:2], bias = [0.8, 0.5], np.zeros(prompts)
    return {"x": x, "y": y, "q0": q0, "q1": q1, "A": a, "v0": v0, "v1": v1, "bias": bias}


def logit_differences(model, scales, ablated):
    """One a prompt, with some heads of the first layer and of the second scaled, or at their means without edits."""

    def run(edit):
        first = edit(0, model["x"] @ model["q0"].T)
        return first, edit(1, np.tanh(model["x"] @ model["q1"].T + first @ model["A"].T))

    means = [out.mean(0) for out in run(lambda _, out: out)]

    def edit(layer, out):
        for head in range(out.shape[1]):
            out[:, head] *= scales.get((layer, head), 1.0)
            if (layer, head) in ablated:
                out[:, head] = means[layer][head]
        return out

    first, second = run(edit)
    return model["bias"] + model["y"] * (first @ model["v0"] + second @ model["v1"])


def circuit_cases():
    edits = [({}, set()), ({}, {(0, 0), (1, 0)}), ({(0, 0): 0.5, (1, 1): 0.9}, {(0, 1)})]
    for kind in KINDS:
        for prompts, heads, seed in ((8, 3, 0), (6, 2, 9)):
            model = drawn(kind, prompts, heads, seed)
            runs = [
                {
                    "scales": [[*head, factor] for head, factor in scales.items()],
                    "ablated": sorted(ablated),
                    "logit_differences": logit_differences(model, scales, ablated),
                }
                for scales, ablated in edits
            ]
            yield {"kind": kind, "prompts": prompts, "heads": heads, "seed": seed, "model": model, "runs": runs}


def near(found, wanted):
    """Whether two golden files say the same."""
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(near(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(near, found, wanted))
    if isinstance(wanted, float):
        return abs(found - wanted) <= 1e-10 + 1e-10 * abs(wanted)
    return found == wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    versions = {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__}
    wrong = 0
    for name, cases in (("probe.json", probe_cases()), ("planted_circuits.json", circuit_cases())):
        about = f"by tests/scipy/make_measurement.py, {versions}"
        found, path = plain({"about": about, "cases": list(cases)}), FOLDER / name
        if not check:
            path.write_text(json.dumps(found, allow_nan=False).replace(', "seeds"', ',\n"seeds"') + "\n")
        elif not near(found["cases"], json.loads(path.read_text())["cases"]):
            print(f"{name} differs", file=sys.stderr)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
