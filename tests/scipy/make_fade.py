"""Write what FADE's clarity, responsiveness and purity come to where the note leaves a choice.

    python3 make_fade.py            write ../golden/fade_choices.json
    python3 make_fade.py --check    compare with what is there instead, to 1e-12

Two choices: which natural texts are rated (all of them, or a sample from bands of activations and the top), and what
the note's ||A||_0 counts (elements, or elements other than 0). Samples are drawn by NumPy's RandomState; areas and
average precisions are scikit-learn's.
"""

import argparse
import json
import math
import pathlib
import sys

import numpy as np
from numpy.random import RandomState
from sklearn.metrics import average_precision_score, roc_auc_score

PATH = pathlib.Path(__file__).resolve().parent.parent / "golden" / "fade_choices.json"
#: Name, texts, made texts, texts of a sample, share of the top, seed of the sample, share of silent texts.
CASES = [
    ("sparse", 120, 12, 50, 0.1, 0, 0.6),
    ("no duplicates left to draw", 200, 10, 40, 0.5, 1, 0.0),
    ("the whole top band is drawn", 60, 8, 40, 0.1, 2, 0.3),
    ("nothing remains for the top", 240, 10, 40, 0.0, 3, 0.5),
    ("all from the top", 80, 10, 20, 1.0, 4, 0.5),
    ("one text", 50, 5, 1, 0.1, 5, 0.2),
    ("all are rated", 40, 6, 40, 0.1, 6, 0.4),
    ("the reference code's own numbers", 1000, 15, 500, 0.1, 7, 0.7),
    ("the same, of more texts", 2000, 15, 500, 0.1, 8, 0.7),
    ("silent", 60, 6, 20, 0.2, 9, 1.0),
    ("negative", 90, 9, 30, 0.2, 10, -1.0),
]


def bands(count, wanted, top):
    """Edges, and how many are drawn from each band."""
    edges = [int(share * count) for share in (0, 0.5, 0.75, 0.95, 1)]
    each = int(wanted * (1 - top) // 4)
    return edges, each


def samples(activations, wanted, top, seed):
    """Texts that are rated by the note and by the code."""
    count = len(activations)
    if count <= wanted:
        return {"note": list(range(count)), "code": list(range(count))}
    by_activation = sorted(range(count), key=lambda text: activations[text])
    edges, each = bands(count, wanted, top)
    draws, drawn = RandomState(seed), []
    for start, stop in zip(edges, edges[1:]):
        band = by_activation[start:stop]
        drawn += [int(text) for text in draws.choice(band, each, replace=False)] if len(band) > each else band
    remaining = wanted - len(drawn)
    code = set(drawn) | set(by_activation[-remaining:])
    note = set(drawn)
    for text in reversed(by_activation):
        if len(note) < wanted:
            note.add(text)
    return {"note": sorted(note), "code": sorted(code)}


def ginis(positive, negative):
    """|Gini| by the code, and by the note with both meanings of its norm."""
    if not positive or not negative:
        return None
    truth = [1] * len(positive) + [0] * len(negative)
    above = sum(a > b for a in positive for b in negative)

    def literal(pairs):
        return abs(2 * above / pairs - 1) if pairs else None

    nonzero = sum(a != 0 for a in positive) * sum(b != 0 for b in negative)
    return {
        "code": abs(2 * roc_auc_score(truth, positive + negative) - 1),
        "elements": literal(len(positive) * len(negative)),
        "nonzero": literal(nonzero),
    }


def precisions(positive, negative):
    """Average precision by the code, which turns signs where the concept lowers activations, and by the note."""
    if not positive or not negative:
        return None
    truth, scores = [1] * len(positive) + [0] * len(negative), np.array(positive + negative)
    turned = roc_auc_score(truth, scores) < 0.5
    return {
        "code": average_precision_score(truth, -scores if turned else scores),
        "note": average_precision_score(truth, scores),
    }


def case(name, texts, made, wanted, top, seed, silent):
    rng = RandomState(1000 + seed)
    labels = rng.choice([0, 0, 0, 1, 2, 2], texts)
    # Few values, so that many are equal.
    natural = np.round(rng.random_sample(texts) * 4 + (labels == 2), 1)
    activations = np.round(rng.random_sample(made) * 4 + 1, 1)
    if silent < 0:
        natural, activations = -natural, -activations
    else:
        natural[rng.random_sample(texts) < silent] = 0
        activations[rng.random_sample(made) < silent / 2] = 0
    natural, activations = natural.tolist(), activations.tolist()
    rated = samples(natural, wanted, top, seed)
    found = {"sample": rated}
    for which, chosen in (("all", {"note": range(texts), "code": range(texts)}), ("sampled", rated)):
        out = {}
        for reading, of in chosen.items():
            sets = [[natural[text] for text in of if labels[text] == label] for label in (2, 0)]
            gini, precision = ginis(*sets), precisions(*sets)
            names = ("code",) if reading == "code" else ("elements", "nonzero")
            out.setdefault("responsiveness", {}).update({key: gini and gini[key] for key in names})
            out.setdefault("purity", {})[reading] = precision and precision[reading]
        found[which] = out
    found["clarity"] = ginis(activations, natural)
    given = {"sample": wanted, "top": top, "seed": seed, "natural": natural, "labels": labels.tolist(), "made": activations}
    return {"name": name, "input": given, "expected": found}


def close(path, found, kept):
    """Whether two values are the same but for the last digits."""
    if isinstance(found, dict):
        return found.keys() == kept.keys() and all(close(f"{path}.{key}", found[key], kept[key]) for key in found)
    if isinstance(found, list):
        return len(found) == len(kept) and all(close(path, *both) for both in zip(found, kept))
    if isinstance(found, float) and isinstance(kept, (int, float)):
        same = math.isclose(found, kept, rel_tol=1e-12, abs_tol=1e-12)
    else:
        same = found == kept
    if not same:
        print(f"{path}: {found}, kept {kept}")
    return same


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    golden = {
        "metric": "clarity, responsiveness and purity of all texts and of a sample, by either norm",
        "oracle": "scikit-learn roc_auc_score, average_precision_score; NumPy RandomState.choice",
        "cases": [case(*given) for given in CASES],
    }
    if check:
        sys.exit(not close("golden", golden, json.loads(PATH.read_text())))
    lines = ",\n".join(f"  {json.dumps(one)}" for one in golden.pop("cases"))
    head = json.dumps(golden, indent=1)[:-2]
    PATH.write_text(f'{head},\n "cases": [\n{lines}\n ]\n}}\n')


if __name__ == "__main__":
    main()
