"""Circuits of heads of tests/golden/models/smollm2, by a separate forward pass in float64 from the prompts that were read: patched
differences, orders of heads, and what the metrics make of them.

    sfc-bench measure circuits smollm2 --json > circuits.json
    python check_model_circuits.py circuits.json …
"""

import json
import sys
from math import comb
from pathlib import Path
from statistics import NormalDist

import numpy as np
from make_inside import DH, HEADS, C, forward

ALL = [(layer, head) for layer in range(C["num_hidden_layers"]) for head in range(HEADS)]
SCALES = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0]


def near(found, wanted, what, tolerance=2e-3):
    assert abs(found - wanted) <= tolerance * max(1, abs(wanted)), f"{what}: {found}, {wanted}"


def difference(kind, prompt, logits):
    if kind == "logit":
        return logits[prompt["right"]].mean() - logits[prompt["wrong"]].mean()
    p = np.exp(logits - logits.max())
    return (p[prompt["right"]].sum() - p[prompt["wrong"]].sum()) / p.sum()


class Runs:
    """The prompts of a half of a task, with some heads replaced or scaled."""

    def __init__(self, task, half, ablation):
        self.kind, self.prompts, self.known = task["difference"], half, {}
        seen = [forward(np.array(prompt["corrupted"])) for prompt in half]
        self.corrupted = self.of(logits[-1] for logits, _ in seen)
        self.instead = []
        for prompt, (_, own) in zip(half, seen):
            alike = [z for other, (_, z) in zip(half, seen) if len(other["tokens"]) == len(prompt["tokens"])]
            kept = {}
            for layer in range(C["num_hidden_layers"]):
                name = f"{layer}.z"
                zero, mean = np.zeros((len(prompt["tokens"]), HEADS, DH)), np.mean([z[name] for z in alike], 0)
                kept[name] = {"corrupted": own[name], "mean": mean, "zero": zero}[ablation]
            self.instead.append(kept)

    def of(self, rows):
        return np.array([difference(self.kind, prompt, row) for prompt, row in zip(self.prompts, rows)])

    def under(self, ablated=(), scales=()):
        key = (tuple(sorted(ablated)), tuple(sorted(scales)))
        if key not in self.known:

            def edit(name, x, instead):
                for layer, head in ablated:
                    if name == f"{layer}.z":
                        x[:, head] = instead[name][:, head]
                for (layer, head), factor in scales:
                    if name == f"{layer}.z":
                        x[:, head] *= factor
                return x

            self.known[key] = self.of(
                forward(np.array(prompt["tokens"]), lambda name, x, to=to: edit(name, x, to))[0][-1]
                for prompt, to in zip(self.prompts, self.instead)
            )
        return self.known[key]


def d_prime(clean, without):
    def z(values):
        least = 1 / (2 * len(values))
        return NormalDist().inv_cdf(min(max((values > 0).mean(), least), 1 - least))

    return z(clean) - z(without)


def jnd(runs, circuit, level):
    def ld(head, scale):
        return runs.under(scales=[(other, level * (scale if other == head else 1)) for other in circuit]).mean()

    found = []
    for head in circuit:
        whole = ld(head, 1)
        noticed = [scale for scale in SCALES if (whole - ld(head, scale)) / abs(whole) > 0.05]
        found.append(1 - max(noticed) if noticed else None)
    return found


def check_circuit(circuit, runs, empty, what):
    heads, clean = [tuple(head) for head in circuit["heads"]], runs.under()
    alone = runs.under([head for head in ALL if head not in heads])
    without = runs.under(heads)
    near(circuit["alone"], alone.mean(), f"{what}, alone")
    near(circuit["without"], without.mean(), f"{what}, without")
    share, left = alone.sum() / clean.sum(), without.sum() / clean.sum()
    near(circuit["faithfulness"]["value"], share, f"{what}, faithfulness")
    near(circuit["faithfulness_mib"], (share - empty) / (1 - empty), f"{what}, MIB", 2e-2)
    near(circuit["completeness"]["value"], 1 - left, f"{what}, completeness")
    near(circuit["ablation_recovery"], 1 - abs(left - 1), f"{what}, ablation recovery")
    near(circuit["ex1"]["dprime"], d_prime(clean, without), f"{what}, d′")
    for name in ("faithfulness", "completeness"):
        low, high = circuit[name]["interval"]
        assert low <= high
    return share


def check_interval(circuit, runs, seed):
    """Of the first circuit: the percentiles of resampled prompts."""
    heads, clean = [tuple(head) for head in circuit["heads"]], runs.under()
    alone = runs.under([head for head in ALL if head not in heads])
    rng = np.random.RandomState(seed)
    rows = [rng.randint(0, len(clean), len(clean)) for _ in range(1000)]
    shares = [alone[row].sum() / clean[row].sum() for row in rows]
    for found, wanted in zip(circuit["faithfulness"]["interval"], np.quantile(shares, [0.025, 0.975])):
        near(found, wanted, "interval", 2e-2)


def check_task(task, options):
    prompts = task["prompts"]
    assert all(len(prompt["tokens"]) == len(prompt["corrupted"]) for prompt in prompts)
    assert not any(set(prompt["right"]) & set(prompt["wrong"]) for prompt in prompts)
    held = [[prompt for prompt in prompts if prompt["held_out"] is side] for side in (False, True)]
    finding, measured = (Runs(task, half, options["ablation"]) for half in held)
    clean, corrupted = (
        np.concatenate([runs.under() if name == "clean" else runs.corrupted for runs in (finding, measured)])
        for name in ("clean", "corrupt")
    )
    for prompt, *wanted in zip(prompts, clean, corrupted):
        near(prompt["clean"], wanted[0], "difference")
        near(prompt["corrupt"], wanted[1], "difference after the corrupted prompt")
    near(task["accuracy"]["value"], (clean > 0).mean(), "accuracy", 1e-9)
    near(task["accuracy_corrupted"], (corrupted > 0).mean(), "accuracy after corrupted prompts", 1e-9)
    p = sum(comb(len(clean), right) for right in range(int((clean > 0).sum()), len(clean) + 1)) / 2 ** len(clean)
    near(task["p_chance"], p, "probability by chance", 1e-9)
    assert task["performed"] == (p <= 0.025 and clean.mean() > corrupted.mean())
    near(task["full"], measured.under().mean(), "whole model")
    near(task["corrupted"], measured.corrupted.mean(), "corrupted")
    near(task["empty"], measured.under(ALL).mean(), "empty circuit")
    empty = measured.under(ALL).sum() / measured.under().sum()
    near(task["faithfulness_empty"], empty, "empty circuit's faithfulness")

    for head, found in zip(ALL, task["effects"]):
        assert tuple(found["head"]) == head
        near(found["effect"]["value"], (finding.under() - finding.under([head])).mean(), f"effect of {head}")
    effects = [abs(found["effect"]["value"]) for found in task["effects"]]
    shuffled = [abs(found["shuffled"]) for found in task["effects"]]
    sizes = [len(circuit["heads"]) for circuit in task["orders"][0]["circuits"]]
    wanted = sorted({min(max(int(share * len(ALL) + 0.5), 1), len(ALL)) for share in options["fractions"]} - {len(ALL)})
    assert sizes == wanted, sizes
    orders = {"effect": np.negative(effects), "least": effects, "shuffled": np.negative(shuffled)}
    assert [of["order"] for of in task["orders"]] == [*orders, *["random"] * options["random"]]
    for of in task["orders"]:
        curve = []
        for size, circuit in zip(sizes, of["circuits"]):
            if of["order"] in orders:
                order = np.argsort(orders[of["order"]], kind="stable")[:size]
                assert sorted(ALL[at] for at in order) == [tuple(head) for head in circuit["heads"]]
            curve.append(check_circuit(circuit, measured, empty, f"{task['task']}, {of['order']}, {size} heads"))
        shares = np.array([*sizes, len(ALL)]) / len(ALL)
        near(of["area"]["cpr"], np.trapezoid([*curve, 1], shares), "area")
    check_interval(task["orders"][0]["circuits"][0], measured, options["seed"])
    groups = {}
    for prompt, ld in zip(prompts, clean):
        groups.setdefault(prompt["group"], []).append(ld)
    assert {group["name"]: group["n"] for group in task["ex2"]["groups"]} == {name: len(of) for name, of in groups.items()}
    smallest = [tuple(head) for head in task["orders"][0]["circuits"][0]["heads"]]
    for level, name in ((1.0, "jnd_full"), (0.5, "jnd_reduced")):
        found = {None if jnd is None else round(jnd, 9) for jnd in task["ex11"][name]}
        assert found == {None if one is None else round(one, 9) for one in jnd(measured, smallest, level)}, name
    return len(finding.known) + len(measured.known)


tasks = [(task, report["options"]) for report in (json.loads(Path(path).read_text()) for path in sys.argv[1:]) for task in report["tasks"]]
assert {task["task"] for task, _ in tasks} == {"ioi", "greater-than", "agreement"}
print(f"{sum(check_task(task, options) for task, options in tasks)} edits of heads make the same differences")
