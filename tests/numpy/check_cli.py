"""Compare the command line with reference.py on settings nobody has seen.

    python3 check_cli.py PATH/TO/sfc-bench [--seed N] [--cases 12] [--verbose]

The settings are drawn from the seed. Each is first judged by perturbing its activations: where
rounding alone moves the results by more than a tenth of the tolerance, the two programs cannot be
expected to agree, and the case is shown as skipped, with how far it moved and how far the command
line was off, and another is drawn in its place. Exit status: 0 if all agree, 1 on any
disagreement, 2 if fewer than 10 cases could be compared.
"""

import argparse
import json
import math
import subprocess
import sys

import reference  # first: it sets the number of threads

from numpy.random import RandomState

import compare

AT_LEAST = 10
TIME_LIMIT = 120
FLAGS = (
    *reference.SIZE_NAMES,
    *("model_seed", "data_seed", "completeness_seed", "samples", "k", "completeness", "fidelity"),
    *("noise", "weight_scale", "bias_scale"),
)


def draw_settings(rng, number):
    """One set of settings. Presets and custom sizes take turns, so that both are always met."""

    def whole(low, high):  # both included
        return int(rng.randint(low, high + 1, dtype="int64"))

    def pick(*values):
        return values[rng.randint(len(values))]

    settings = {"config": pick(*reference.PRESETS)}
    if number % 2:
        hidden = whole(2, 128)
        # Fewer inputs than about a tenth of the units leave singular values too close together.
        inputs = whole(max(1, hidden // 10), max(2, hidden // 2))
        settings.update(inputs=inputs, hidden=hidden, outputs=whole(1, 12))
        settings["circuit"] = whole(1, hidden)
    else:
        hidden = reference.PRESETS[settings["config"]][1]
    settings.update(
        model_seed=whole(0, 2**32 - 1),
        data_seed=whole(0, 2**32 - 1),
        completeness_seed=whole(0, 2**32 - 1),
        samples=pick(whole(hidden + 10, hidden + 99), whole(300, 2500), whole(2500, 6000)),
        k=pick(whole(1, hidden), whole(1, hidden), 1, hidden),
        levels=sorted({pick(round(x, 2), x) for x in rng.random_sample(whole(1, 12)).tolist()}),
        weights=pick(
            *(list(weights) for weights in reference.PROFILES.values()),
            [round(x, 3) for x in rng.random_sample(3).tolist()],
            rng.random_sample(3).tolist(),
        ),
        completeness=pick("paper", "total"),
        fidelity=pick("cosine", "r2", "rel-mse"),
        centred=pick(True, False, False),
        noise=pick(0.0, 0.0, 0.2, float(rng.random_sample())),
        weight_scale=pick(0.3, 0.3, 0.1, 1.5 * float(rng.random_sample()) + 0.05),
        bias_scale=pick(0.1, 0.1, 0.5, float(rng.random_sample())),
    )
    settings["levels"] = [level for level in settings["levels"] if level < 1] or [0.0]
    return settings


def command(program, settings):
    words = [program, "curve", "--json", "--config", settings["config"]]
    for name in FLAGS:
        if name in settings:
            words += [f"--{name.replace('_', '-')}", repr(settings[name]).strip("'")]
    for name in ("levels", "weights"):
        words += [f"--{name}", ",".join(map(repr, settings[name]))]
    return words + ["--centred"] * settings["centred"]


def run(program, settings):
    """The command line's answer, or why there is none."""
    try:
        done = subprocess.run(
            command(program, settings), capture_output=True, text=True, timeout=TIME_LIMIT
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    if done.returncode != 0:
        return None, f"exit {done.returncode}: {done.stderr.strip()}"
    try:
        answer = json.loads(done.stdout)
        compare.curve_distances(answer, answer)  # every part is there and is a number
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return None, f"not the expected JSON: {error!r}"
    return answer, None


def judge(program, settings):
    """``(verdict, distances or None, conditioning or None, remark)``; see the columns below."""
    answer, trouble = run(program, settings)
    try:
        found = compare.conditioning(settings)
    except reference.RankDeficient as error:
        remark = f"{error}; command line: {trouble or 'gave a result'}"
        # The two may draw the line of numerical rank at different places, so this decides nothing.
        return "skipped", None, None, remark
    if answer is None:
        return "FAILED", None, found, trouble
    expected = reference.plain(reference.curve(settings))
    distances = compare.curve_distances(expected, answer)
    if not found.steady:
        return "skipped", distances, found, "rounding alone moves it this far"
    worst = max(distances, key=distances.get)
    if distances[worst] > compare.RELATIVE:
        others = [name for name, far in distances.items() if far > compare.RELATIVE]
        return "DIFFERS", distances, found, f"{', '.join(others)}; worst {worst}"
    return "agrees", distances, found, ""


def brief(settings):
    sizes = [settings.get(name) for name in reference.SIZE_NAMES]
    shape = settings["config"] if None in sizes else "-".join(map(str, sizes))
    parts = [shape, f"N={settings['samples']}", f"K={settings['k']}"]
    parts += [f"{len(settings['levels'])} levels", settings["completeness"], settings["fidelity"]]
    parts += ["centred"] * settings["centred"] + ["noise"] * (settings["noise"] > 0)
    return " ".join(parts)


def main():
    parser = argparse.ArgumentParser(description="Compare the command line with NumPy.")
    parser.add_argument("program", help="the built sfc-bench")
    parser.add_argument("--seed", type=int, default=1, help="draws the settings (default 1)")
    parser.add_argument("--cases", type=int, default=12, help="how many to compare (default 12)")
    parser.add_argument("--verbose", action="store_true", help="print each command")
    options = parser.parse_args()

    rng = RandomState(options.seed)
    counts = dict.fromkeys(("agrees", "DIFFERS", "FAILED", "skipped"), 0)
    print(f"{'':8} {'off by':>8} {'moves':>8}  settings")
    for number in range(4 * options.cases):
        settings = draw_settings(rng, number)
        verdict, distances, found, remark = judge(options.program, settings)
        counts[verdict] += 1
        off = f"{max(distances.values()):8.1e}" if distances else f"{'-':>8}"
        moves = f"{max(found.perturbed, found.gram):8.1e}" if found else f"{'-':>8}"
        print(f"{verdict:8} {off} {moves}  {brief(settings)}" + (f"  [{remark}]" if remark else ""))
        if options.verbose or verdict in ("DIFFERS", "FAILED"):
            print(f"{'':9}{' '.join(command(options.program, settings))}")
        if counts["agrees"] + counts["DIFFERS"] + counts["FAILED"] >= options.cases:
            break

    compared = counts["agrees"] + counts["DIFFERS"]
    print(
        f"seed {options.seed}: {compared} compared to {compare.RELATIVE:g}, {counts['agrees']} agree, "
        f"{counts['DIFFERS']} differ, {counts['FAILED']} failed, {counts['skipped']} skipped"
    )
    if counts["DIFFERS"] or counts["FAILED"]:
        return 1
    return 0 if compared >= AT_LEAST else 2


if __name__ == "__main__":
    sys.exit(main())
