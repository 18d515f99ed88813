"""Write files in the shapes that FADE and CE-Bench leave, and what they come to.

    python3 make_results.py            write ../golden/fade_results and ../golden/ce_bench_results
    python3 make_results.py --check    compare the expected values with what is there instead, to 1e-12

The files are of invented features and stories: nothing in them was measured on a model. Their shapes are facts of
the programs that write them: names and order of keys, integers and floats as keys, `[text, rating]` pairs, bare NaN,
`json.dump` with its indents. What they come to is computed here, by scikit-learn and NumPy.
"""

import argparse
import json
import math
import pathlib
import sys

import numpy as np
from numpy.random import RandomState
from sklearn.metrics import average_precision_score, roc_auc_score

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
FADE = GOLDEN / "fade_results"
CE = GOLDEN / "ce_bench_results"
FACTORS = [-50, -10, -1, 0, 1, 10, 50]


# FADE

def areas(negative, positive):
    """Gini coefficient and average precision in the code's reading and in the document's."""
    truth = np.r_[np.zeros(len(negative)), np.ones(len(positive))]
    scores = np.r_[negative, positive].astype(float)
    gini = 2 * roc_auc_score(truth, scores) - 1
    above = np.mean(np.asarray(positive, float)[:, None] > np.asarray(negative, float)[None, :])
    return {
        "gini": {"code": abs(gini), "document": abs(2 * above - 1)},
        "ap": {
            "code": average_precision_score(truth, -scores if gini < 0 else scores),
            "document": average_precision_score(truth, scores),
        },
    }


def scores(natural, labels, made):
    labels = np.asarray(labels)
    response = areas(natural[labels == 0], natural[labels == 2])
    return {
        "clarity": areas(natural, made)["gini"],
        "responsiveness": response["gini"],
        "purity": response["ap"],
    }


def faithfulness(doses):
    """Of {factor: labels}: by the document (0 where all express the concept already) and by the code (no number)."""
    share = {factor: np.mean(np.asarray(labels) == 2) for factor, labels in doses.items() if len(labels)}
    base, most = share[0], max(share.values())
    if base == 1:
        return {"document": 0.0, "code": None}
    value = max(most - base, 0) / (1 - base)
    return {"document": value, "code": value}


def dump(path, value, indent):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        json.dump(value, file, indent=indent)


def shares(doses):
    """What the code writes as value counts: by factor and label, labels that occur anywhere; 0/0 is NaN."""
    found = sorted({label for labels in doses.values() for label in labels})
    counts = {}
    for factor, labels in doses.items():
        total = len(labels)
        counts[factor] = {label: labels.count(label) / total if total else math.nan for label in found}
    return counts


def feature(folder, rng, concept, shift, samples, doses, saved):
    """Writes one feature's files; gives back what they come to."""
    texts = [f"{concept} text {index}, \u201cwith quotes\u201d\nand a line" for index in range(samples)]
    # Two samples of the data set have the same text: one key of the ratings.
    texts[samples - 1] = texts[0]
    labels = rng.choice([0, 0, 0, 1, 2, 2], size=samples)
    labels[samples - 1] = labels[0] = 2
    natural = (rng.standard_normal(samples) + shift * (labels == 2)).astype(np.float32)
    made = (rng.standard_normal(20) + shift).astype(np.float32)
    data = FADE / folder / "data"
    dump(data / "activation_centric_ratings.json", {text: int(label) for text, label in zip(texts, labels)}, 2)
    dump(data / "activation_centric_synthetic_data.json", [f"made {concept} {index}" for index in range(20)], 2)
    found = scores(natural, labels, made)
    dump(
        data / "activation_centric_metrics.json",
        {
            "Clarity": found["clarity"]["code"],
            "Responsiveness": found["responsiveness"]["code"],
            "Purity": found["purity"]["code"],
            "Natural Samples": samples,
            "Synthetic Samples": len(made),
            "Natural Concept Samples": int(np.sum(labels == 2)),
            "Natural Non-Concept Samples": int(np.sum(labels == 0)),
        },
        2,
    )
    rated = dict(zip(texts, (int(label) for label in labels)))
    out = {
        "reported": found,
        "labels": [list(rated.values()).count(label) for label in (0, 1, 2)],
        "made": len(made),
    }
    if doses is not None:
        dump(
            data / "output_centric_ratings.json",
            {
                factor: {10 * at: (f"goes on {factor} {at}", label) for at, label in enumerate(given)}
                for factor, given in doses.items()
            },
            2,
        )
        value = faithfulness(doses)
        reported = math.nan if value["code"] is None else value["code"]
        dump(
            data / "output_centric_metrics.json",
            {
                "Faithfulness": reported,
                "Number of Modification Factors": len(doses),
                # The code counts the factors here.
                "Number of Sequences per Modification Factor": len(doses),
                "Value Counts": shares(doses),
            },
            2,
        )
        out["faithfulness"] = value
        out["shares"] = {
            str(factor): None if not given else given.count(2) / len(given) for factor, given in doses.items()
        }
    if saved:
        np.save(FADE / "natural_activations.npy", natural)
        np.save(FADE / "synthetic_activations.npy", made)
        dump(FADE / "texts.json", {index: text for index, text in enumerate(texts)}, 1)
        # Both samples of the one text have its rating, as they had.
        out["recomputed"] = found
    return out


def fade_files():
    rng = RandomState(12)
    draw = lambda share: [int(label) for label in rng.choice([0, 1, 2], size=8, p=[0.9 - share, 0.1, share])]
    good = {factor: draw(min(0.1 + 0.25 * math.log1p(abs(factor)), 0.85) if factor > 0 else 0.1) for factor in FACTORS}
    whole = {factor: [2] * 6 for factor in FACTORS}
    whole[50] = []
    whole[-1] = [2, 2, 3, 0, 1, 2]
    folders = {
        "model.layers[3].mlp/42": feature("model.layers[3].mlp/42", rng, "rain", 3.0, 40, good, True),
        "model.layers[3].mlp/7": feature("model.layers[3].mlp/7", rng, "snow", -2.5, 30, whole, False),
        "model.layers[3].mlp/9": feature("model.layers[3].mlp/9", rng, "fog", 0.1, 30, None, False),
    }
    # A reader's own arrays: three features, of which the second is dead and the third is lowered by its concept.
    own = FADE / "own"
    own.mkdir(exist_ok=True)
    labels = rng.choice([0, 1, 2], size=60)
    shift = np.array([2.0, 0.0, -2.0])
    natural = rng.standard_normal((60, 3)) + shift * (labels == 2)[:, None]
    natural[:, 1] = 0
    # Ties, as a rectifier makes them.
    natural[:, 0] = np.maximum(natural[:, 0], 0)
    natural = natural.astype(np.float32)
    made = rng.standard_normal((25, 3)) + shift
    made[:, 1] = 0
    made = made.astype(np.float32)
    np.save(own / "activations.npy", natural)
    np.save(own / "labels.npy", labels.astype(np.uint8))
    np.savez(own / "all.npz", activations=natural, labels=np.repeat(labels[:, None], 3, 1), synthetic=made)
    np.savetxt(own / "activations_0.csv", natural[:, 0], fmt="%.9g")
    np.savetxt(own / "labels_0.csv", labels, fmt="%d", header="label", comments="")
    factors = np.array([-10, 0, 0.1, 10])
    rated = rng.choice([0, 1, 2], size=(3, 4, 10))
    rated[0, 1] = 0
    rated[0, 3] = 2
    rated[2, 1] = 2
    np.save(own / "factors.npy", factors)
    np.save(own / "ratings.npy", rated.astype(np.int64))
    rows = [(factors[f], rated[0, f, c]) for c in range(10) for f in range(4)]
    np.savetxt(own / "ratings_0.csv", rows, fmt="%g", delimiter=",", header="factor,label", comments="")
    features = []
    for index in range(3):
        doses = {float(factor): list(rated[index, at]) for at, factor in enumerate(factors)}
        features.append(
            scores(natural[:, index], labels, made[:, index])
            | {"faithfulness": faithfulness(doses), "best": max(doses, key=lambda f: np.mean(np.asarray(doses[f]) == 2))}
        )
    counts = [int(np.sum(labels == label)) for label in (0, 1, 2)]
    return {"folders": folders, "own": {"features": features, "labels": counts}}


# CE-Bench

def result(rng, release, sae_id, width, dataset, older=False):
    """A dictionary's results, in the order of the file's keys."""
    contrastive, independent = map(float, rng.uniform(5, 60, size=2))
    interpretability = rng.uniform(0.7, 1.05) * max(contrastive, independent)
    out = {} if dataset is None else {"contrastive_dataset": dataset}
    names = (
        {"experiment_name": release, "architecture": release, "steps": "244k", "best_model": sae_id, "model_name": "little"}
        if older
        else {"sae_release": release, "sae_id": sae_id}
    )
    out |= names | {
        "contrastive_score_mean": contrastive,
        "independent_score_mean": independent,
        "interpretability_score_mean": interpretability,
        "total_rows": 80,
    }
    if not older:
        out["sae_config"] = {
            "architecture": "standard",
            "d_in": 48,
            "d_sae": width,
            "dtype": "torch.bfloat16",
            "device": "cpu",
            "model_name": "little",
            "hook_name": "blocks.1.hook_resid_post",
            "hook_layer": 1,
            "hook_head_index": None,
            "activation_fn_kwargs": {"k": 20},
            "seqpos_slice": [None],
        }
        out["date"] = "2026-01-02 03:04:05"
    return out


def z_max(values, ddof):
    """The largest z-score; nothing is divided where all are equal."""
    with np.errstate(invalid="ignore", divide="ignore"):
        deviation = np.std(values, ddof=ddof)
        return float(np.max((values - np.mean(values)) / (deviation if deviation != 0 else 1)))


def pair(a, b, marks_a, marks_b, mean):
    a, b = np.asarray(a, float), np.asarray(b, float)
    both, marks = np.vstack([a, b]), np.r_[marks_a, marks_b].astype(bool)
    empty = np.zeros(a.shape[1])
    v1, v2 = a.mean(0), b.mean(0)
    marked = both[marks].mean(0) if marks.any() else empty
    unmarked = both[~marks].mean(0) if (~marks).any() else empty
    contrast = np.abs(v1 - v2)
    out = {}
    for name, ddof, apart in [
        ("v1_marked", 0, np.abs(marked - unmarked)),
        ("code_head", 1, np.abs(both.mean(0))),
    ]:
        out[name] = [z_max(contrast, ddof), z_max(apart, ddof), z_max(contrast + apart, ddof)]

    def joined(x, y):
        low, high = min(x.min(), y.min()), max(x.max(), y.max())
        return float(np.max(np.abs(x - y)) / (high - low if high > low else 1))

    readme = [joined(v1, v2), joined(marked, unmarked)]
    paper = [float(contrast.max()), float(np.abs(both.mean(0) - mean).max())]
    out["readme"], out["paper"] = readme + [sum(readme)], paper + [sum(paper)]
    return out


def ce_files():
    rng = RandomState(34)
    rows, root = [], CE / "interpretability_eval"
    for number, (release, sae_id, width, dataset, older) in enumerate([
        ("topk_16", "blocks.1.hook_resid_post__trainer_0", 16, "little/stories-v2", False),
        ("topk_16", "blocks.1.hook_resid_post__trainer_1", 4096, "little/stories-v2", False),
        ("gemma-like-res", "layer_1/width_16k/average_l0_20", 16384, None, False),
        ("standard_64k", "trainer_3", 65536, "little/stories-v3", False),
        ("kan_relu", "best_1_ce_2", None, None, True),
        ("nan", "trainer_0", 4096, "little/stories-v3", False),
    ]):
        found = result(rng, release, sae_id, width, dataset, older)
        if number == 0:
            # So narrow a dictionary cannot have such scores.
            found["contrastive_score_mean"] = 40.5
        if number == 3:
            found["interpretability_score_mean"] = found["contrastive_score_mean"] + found["independent_score_mean"]
        if release == "nan":
            found["independent_score_mean"] = math.nan
        path = root / release / sae_id / "results.json"
        dump(path, found, 4)
        three = [found[key + "_score_mean"] for key in ("contrastive", "independent", "interpretability")]
        bound = None if width is None else (width - 1) / math.sqrt(width)
        finite = lambda value: None if value is None or math.isnan(value) else value
        total = three[0] + three[1]
        rows.append({
            "file": str(path.relative_to(CE)),
            "scores": [finite(value) for value in three],
            "latents": width,
            "sum": finite(total),
            "difference": finite(three[2] - total),
            "holds": None if math.isnan(total) else math.isclose(three[2], total, rel_tol=1e-6),
            "above_both": None if math.isnan(total) else bool(three[2] > max(three[:2])),
            "bound": bound,
            "bound_ddof0": None if width is None else math.sqrt(width - 1),
            "shares": [None if bound is None else finite(value / bound) for value in three],
        })
    ranked = sorted((row for row in rows if row["bound"]), key=lambda row: -row["shares"][2])

    # Three pairs with marks, from tags of their stories; of the first the activations have a row for the begin.
    own = CE / "own"
    own.mkdir(exist_ok=True)
    words = [
        [["the", "*calm", "*quiet", "sea"], ["the", "*wild", "*angry", "sea", "*roared"]],
        [["a", "*kind", "dog", "ran"], ["a", "*cruel", "dog", "ran"]],
        [["one", "*rich", "king"], ["one", "*poor", "king", "sat"]],
    ]
    entries, arrays, pairs = [], {}, []
    for number, stories in enumerate(words):
        subject = ["storms", "kindness", "wealth"][number]
        tagged = [" ".join(f"<subject>{w[1:]}</subject>" if w[0] == "*" else w for w in story) for story in stories]
        entries.append({"story0": f"A story of {subject}.", "story1": tagged[0], "story2": tagged[1], "subject": subject})
        both, marks = [], []
        for letter, story in zip("ab", stories):
            begin = 1 if number == 0 else 0
            latents = np.maximum(rng.standard_normal((len(story) + begin, 12)), 0).astype(np.float32)
            mark = np.array([False] * begin + [word[0] == "*" for word in story])
            latents[mark, 5] += 2
            arrays[f"{number}_{letter}"], arrays[f"{number}_marks_{letter}"] = latents, mark.astype(np.uint8)
            both.append(latents)
            marks.append(mark)
        pairs.append((both, marks))
    mean = np.vstack([story for both, _ in pairs for story in both]).astype(float).mean(0)
    found = [pair(*both, *marks, mean) for both, marks in pairs]
    np.savez(own / "pairs.npz", **arrays)
    np.savez_compressed(own / "activations.npz", **{name: values for name, values in arrays.items() if "marks" not in name})
    dump(own / "stories.json", entries, 2)
    with open(own / "stories.jsonl", "w") as file:
        file.write("".join(json.dumps(entry) + "\n" for entry in entries))
    # The same with tokens that are no words.
    pieces = [entry | {} for entry in entries]
    for number, stories in enumerate(words):
        for key, story in zip(("tokens1", "tokens2"), stories):
            begin = ["<bos>"] if number == 0 else []
            pieces[number][key] = begin + [("\u0120" if at else "") + word.lstrip("*") for at, word in enumerate(story)]
    dump(own / "tokens" / "stories.json", pieces, 2)
    # One pair of files of its own.
    np.save(own / "one_story1.npy", arrays["1_a"])
    np.save(own / "one_story2.npy", arrays["1_b"])
    means = {name: [float(np.mean([one[name][at] for one in found])) for at in range(3)] for name in found[0]}
    return {
        "results": rows,
        "ranked": [row["file"] for row in ranked],
        "pairs": found,
        "means": means,
        "marked": [[int(mark.sum()) for mark in marks] for _, marks in pairs],
        "bounds": {"v1_marked": math.sqrt(11), "code_head": 11 / math.sqrt(12)},
    }


def same(a, b):
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
    return a == b


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    for folder, make in ((FADE, fade_files), (CE, ce_files)):
        folder.mkdir(exist_ok=True)
        path = folder / "expected.json"
        # The files are written again either way: they are the same.
        found = json.loads(json.dumps(make()))
        if check:
            if not same(json.loads(path.read_text()), found):
                sys.exit(f"{path} is another")
        else:
            path.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
