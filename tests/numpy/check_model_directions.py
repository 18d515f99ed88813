"""Where language models have moved between performance and utilization, from their answers alone: shares, the bootstrap of what
each question adds to their differences, directions, and the law over three or more, by a separate program.

    sfc-bench mui --model C --before A --before B --json > directions.json
    python check_model_directions.py directions.json
"""

import json
import sys
from pathlib import Path

import numpy as np

RESAMPLES, LEAST = 1_000, 10


def near(found, wanted, what):
    assert abs(found - wanted) <= 1e-9 * max(1, abs(wanted)), f"{what}: {found}, {wanted}"


def index(report, answers, kind):
    used = {tuple(neuron) for answer in answers for neuron in answer[kind]}
    return len(used) / (report["layers"] * report["neurons"])


def bootstrap(pairs, share, seed):
    """By leaving out each question in turn (the jackknife), moved so that the mean is the difference of all."""
    rng = np.random.RandomState(seed)
    before, after = share(pairs)
    count = len(pairs)
    without = [share(pairs[:at] + pairs[at + 1 :]) for at in range(count)]
    without = np.array([other - one for one, other in without])
    added = after - before + (count - 1) * (without.mean() - without)
    drawn = [added[rng.randint(0, count, count)].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return before, after, low, high


def same(found, wanted, what):
    before, after, low, high = wanted
    for name, value in zip(
        ["before", "after", "difference", "low", "high"], [before, after, after - before, low, high]
    ):
        near(found[name], value, f"{what}, {name}")


def direction(questions, accuracy, index):
    sure = [low > 1e-12 or high < -1e-12 for *_, low, high in (accuracy, index)]
    if questions < LEAST or not all(sure):
        return "undetermined"
    better, more = (after > before for before, after, *_ in (accuracy, index))
    return {(1, 0): "evolving", (1, 1): "accumulating", (0, 1): "coarsening", (0, 0): "collapsing"}[
        int(better), int(more)
    ]


def check_task(task, reports):
    answers = [
        next(of["answers"] for of in report["tasks"] if of["task"] == task["task"]) for report in reports
    ]
    second = {answer["question"]: answer for answer in answers[1]}
    pairs = [(one, second[one["question"]]) for one in answers[0] if one["question"] in second]
    assert len(pairs) == task["questions"]
    seed = reports[0]["options"]["seed"]

    def right(pairs):
        return [np.mean([pair[at]["chosen"] == 0 for pair in pairs]) for at in (0, 1)]

    def used(kind):
        return lambda pairs: [index(reports[at], [pair[at] for pair in pairs], kind) for at in (0, 1)]

    accuracy = bootstrap(pairs, right, seed)
    mui, other = (bootstrap(pairs, used(kind), seed) for kind in ("neurons", "other"))
    same(task["accuracy"], accuracy, "accuracy")
    same(task["mui"], mui, "MUI")
    same(task["mui_other"], other, "MUI of another choice")
    assert task["direction"] == direction(len(pairs), accuracy, mui), task["direction"]
    assert task["direction_other"] == direction(len(pairs), accuracy, other)
    for at in (0, 1):
        size = reports[at]["layers"] * reports[at]["neurons"]
        share = np.mean([len(pair[at]["neurons"]) for pair in pairs]) / size
        near(task["mui_random"][at], 1 - (1 - share) ** len(pairs), "MUI at random")
    near(task["chance"], np.mean([1 / len(one["choices"]) for one, _ in pairs]), "by chance")


def check_law(law, models):
    of = [next(of for of in report["tasks"] if of["task"] == law["task"]) for report in models]
    accuracy = np.array([100 * task["accuracy"] for task in of])
    if (accuracy <= 0).any() or np.ptp(accuracy) == 0:
        assert law["law"] is None and law["refused"], law["task"]
        return 0
    for name, kind in (("law", "mui"), ("law_other", "mui_other")):
        slope, intercept = np.polyfit(np.log(accuracy), [100 * task[kind] for task in of], 1)
        near(law[name]["law"]["a"], slope, "slope")
        near(law[name]["law"]["b"], intercept, "intercept")
    return 1


report = json.loads(Path(sys.argv[1]).read_text())
models = [*(one["report"] for one in report["before"]), report]
steps, laws = report["directions"]["steps"], report["directions"]["laws"]
assert len(steps) == len(models) - 1
for step, reports in zip(steps, zip(models, models[1:])):
    assert step["tasks"]
    for task in step["tasks"]:
        check_task(task, reports)
assert bool(laws) == (len(models) > 2)
fitted = sum(check_law(law, models) for law in laws)
print(f"{sum(len(step['tasks']) for step in steps)} directions and {fitted} laws are the same")
