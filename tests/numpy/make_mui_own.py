"""Files of neurons in the shapes that MUI-Eval leaves, of drawn scores, and what they come to: by counting with NumPy,
without the program under test.

    python tests/numpy/make_mui_own.py > tests/golden/mui_own.json

Facts of the format that the files keep to (github.com/ALEX-nlp/MUI-Eval, get_neuron.py, get_neuron_grad.py,
get_sae_gemma.py, depict_neuron.py): a line an answer; `top_neurons` lists of each layer the largest entries of the
answer's tokens x neurons in falling order, as layer, position, neuron and `score` (`attribution_score` for gradients);
`features` lists a layer's features as pos_index, feat_index and value; `neuron/MODEL/TASK_*.json` is a list of
[layer, neuron]; `proportion/result.csv` has model, task, neuron_file, mode, val, proportion and overlap.
"""

import json
import math
from fractions import Fraction

import numpy as np

LAYERS, NEURONS, TOKENS, KEPT = 3, 40, 4, 8
random = np.random.RandomState(13)


def listed(scores, kept=KEPT):
    """Of tokens x layers x neurons the largest of each layer, falling, the earlier first: (layer, position, neuron, score)."""
    out = []
    for layer in range(scores.shape[1]):
        flat = scores[:, layer].reshape(-1)
        order = np.argsort(-flat, kind="stable")[:kept]
        out += [(layer, int(i) // scores.shape[2], int(i) % scores.shape[2], float(flat[i])) for i in order]
    return out


def document(entries, k, share=None):
    """Neurons whose score is above 0 and reaches the k-th largest of the layer, or a share of the largest."""
    found = set()
    for layer in range(LAYERS):
        mine = [(score, neuron) for at, _, neuron, score in entries if at == layer]
        values = np.sort([score for score, _ in mine])[::-1]
        if len(values) == 0:
            continue
        least = share * values[0] if share is not None else values[min(k, len(values)) - 1]
        found |= {(layer, neuron) for score, neuron in mine if score >= least and score > 0}
    return found


def code(entries, k, share=None):
    """Neurons of the first k entries of the layer's falling order, of the first 2,000; or those that reach the share."""
    found = set()
    for layer in range(LAYERS):
        mine = [(score, neuron) for at, _, neuron, score in entries if at == layer]
        values = np.array([score for score, _ in mine])
        order = np.argsort(-values, kind="stable")[:2000]
        if share is None:
            order = order[:k]
        else:
            order = [i for i in order if values[i] >= share * values[order[0]]]
        found |= {(layer, mine[i][1]) for i in order}
    return found


def everywhere(entries, k, first):
    """The same of all layers together."""
    values = np.array([score for *_, score in entries])
    order = np.argsort(-values, kind="stable")
    if first:
        chosen = order[:k]
    else:
        least = values[order[min(k, len(order)) - 1]]
        chosen = [i for i in order if values[i] >= least and values[i] > 0]
    return {(entries[i][0], entries[i][2]) for i in chosen}


def index(sets):
    return len(set().union(*sets)) / (LAYERS * NEURONS)


def mean_index(sets, answers):
    """Over all choices of so many answers, exactly."""
    n, total = len(sets), Fraction(0)
    for neuron in set().union(*sets):
        c = sum(neuron in one for one in sets)
        total += 1 - Fraction(math.comb(n - c, answers), math.comb(n, answers))
    return float(total / (LAYERS * NEURONS))


def by_lot(sets, answers):
    share = np.mean([len(one) for one in sets]) / (LAYERS * NEURONS)
    return float(1 - (1 - share) ** answers)


def by_layer(used):
    return [sum(layer == at for layer, _ in used) / NEURONS for at in range(LAYERS)]


def expected(answers, k, right=None):
    """What a file of entries comes to."""
    sets, others = [document(one, k) for one in answers], [code(one, k) for one in answers]
    used = set().union(*sets)
    found = {
        "answers": len(sets),
        "used": len(used),
        "mui": index(sets),
        "mui_code": index(others),
        "by_lot": by_lot(sets, len(sets)),
        "mean_k": float(np.mean([len(one) for one in sets]) / LAYERS),
        "growth": [[t, mean_index(sets, t), by_lot(sets, t)] for t in range(1, len(sets) + 1)],
        "by_layer": by_layer(used),
        "thresholds": {},
    }
    for other in (1, 5, 10, k):
        of = [[which(one, other) for one in answers] for which in (document, code)]
        found["thresholds"][f"top {other} of each layer"] = [index(one) for one in of]
    for share in (0.8, 0.9, 0.95):
        of = [[which(one, 0, share) for one in answers] for which in (document, code)]
        found["thresholds"][f"from {share} of a layer’s largest score"] = [index(one) for one in of]
    of = [[everywhere(one, 10, first) for one in answers] for first in (False, True)]
    found["thresholds"]["top 10 of all layers"] = [index(one) for one in of]
    if right is not None:
        yes, no = ([one for one, told in zip(sets, right) if told == wanted] for wanted in (True, False))
        fewer = min(len(yes), len(no))
        found |= {
            "right": len(yes),
            "performance": 100 * len(yes) / len(sets),
            "mui_correct": index(yes),
            "mui_correct_code": index([one for one, told in zip(others, right) if told]),
            "equally": [fewer, mean_index(yes, fewer), mean_index(no, fewer)],
            "pur": 100 * len(yes) / len(sets) / math.sqrt(100 * index(sets)),
        }
    return found


def drawn(count, offset):
    """Scores with ties and, of some layers, mostly below 0; of one decimal, so that text and bytes agree."""
    scores = random.normal(size=(count, TOKENS, LAYERS, NEURONS))
    # Some neurons are used by most answers.
    scores[..., : 6 + offset] += 0.9
    scores[::3, :, 1] -= 3.2
    return np.round(scores, 1).astype(np.float32).astype(np.float64)


def lines(answers, key="score", right=None):
    out = []
    for at, entries in enumerate(answers):
        named = [
            {"layer": layer, "position": position, "neuron": neuron, key: score}
            for layer, position, neuron, score in entries
        ]
        record = {"prompt": f"a “prompt” {at}", "response": "[{\n", "top_neurons": named}
        if right is not None:
            record["correct"] = bool(right[at])
        out.append(json.dumps(record, ensure_ascii=False))
    return "\n".join(out) + "\n"


def feature_lines(answers):
    out = []
    for entries in answers:
        features = [
            {
                "layer": at,
                "feature_info": [
                    {"pos_index": position, "feat_index": neuron, "value": score}
                    for layer, position, neuron, score in entries
                    if layer == at
                ],
            }
            for at in range(LAYERS)
        ]
        out.append(json.dumps({"prompt": "", "response": "", "features": features, "loss": []}))
    return "\n".join(out) + "\n"


def main():
    k = 4
    first = [listed(scores) for scores in drawn(12, 0)]
    right = [bool(flag) for flag in random.random_sample(12) < 0.4]
    second = [listed(scores) for scores in drawn(9, 3)]
    told = [bool(flag) for flag in random.random_sample(9) < 0.7]
    array = drawn(5, 1)
    whole = [listed(scores, TOKENS * NEURONS) for scores in array]
    summed = [listed(scores.sum(axis=0, keepdims=True), NEURONS) for scores in array]
    last = [listed(scores[-1:], NEURONS) for scores in array]
    # Features are 0 or above: only those above are listed.
    features = [[entry for entry in listed(np.maximum(scores, 0), 30) if entry[3] > 0] for scores in drawn(6, 0)]
    sets = [document(one, 3) for one in first]

    one, other = ([document(entry, k) for entry in answers] for answers in (first, second))
    a, b = set().union(*one), set().union(*other)
    counts = [[sum(layer == at for layer, _ in used) for at in range(LAYERS)] for used in (a, b)]
    shared = sum(x * y / NEURONS for x, y in zip(*counts))
    fewer = min(len(one), len(other))
    tokens = expected(whole, k)
    for name, answers in ((", of sums over tokens (Eq. 15)", summed), (", of the last token", last)):
        of = [[which(entry, k) for entry in answers] for which in (document, code)]
        tokens["thresholds"][f"top {k} of each layer{name}"] = [index(found) for found in of]
    as_sets = {
        "answers": len(sets),
        "used": len(set().union(*sets)),
        "mui": index(sets),
        "by_lot": by_lot(sets, len(sets)),
        "growth": [[t, mean_index(sets, t), by_lot(sets, t)] for t in range(1, len(sets) + 1)],
        "by_layer": by_layer(set().union(*sets)),
    }
    rows = [[at, layer, neuron, score] for at, entries in enumerate(first) for layer, _, neuron, score in entries]
    shuffled = [rows[at] for at in random.permutation(len(rows))]
    # Of equal scores the order in the file decides by the code's reading.
    by_sample = [[(layer, 0, neuron, score) for at, layer, neuron, score in shuffled if at == sample] for sample in range(12)]
    document_of = {
        "source": "tests/numpy/make_mui_own.py, NumPy " + np.__version__,
        "layers": LAYERS,
        "neurons": NEURONS,
        "k": k,
        "files": {
            "model_task_result.jsonl": lines(first, right=right),
            "other_task_integrated_gradient_result.jsonl": lines(second, key="attribution_score"),
            "other_task_integrated_gradient_result.answers.csv": "id,correct\n"
            + "".join(f"{at},{int(told[at])}\n" for at in range(9)),
            "features.jsonl": feature_lines(features),
            "sets.jsonl": "".join(json.dumps([list(pair) for pair in sorted(one)]) + "\n" for one in sets),
            "union.json": json.dumps([list(pair) for pair in sorted(set().union(*sets))]),
            "rows.csv": "sample,layer,neuron,score\n" + "".join(f"{s},{l},{n},{x}\n" for s, l, n, x in shuffled),
            "result.csv": "model,task,neuron_file,mode,val,proportion,overlap\n"
            + f"model,task,score,topk,7,{index([code(entry, 7) for entry in first])!r},0.5\n"
            + f"model,task,score,topscore,0.85,{index([code(entry, 0, 0.85) for entry in first])!r},0.5\n"
            + "model,task,score,topk,6,0.5,0.5\n"
            + "absent,task,score,topk,4,0.25,0.5\n",
        },
        "array": array.tolist(),
        "expected": {
            "model_task_result.jsonl": expected(first, k, right),
            "other_task_integrated_gradient_result.jsonl": expected(second, k, told),
            "features.jsonl": expected(features, k),
            "rows.csv": expected(by_sample, k),
            "array": tokens,
            "sets.jsonl": as_sets,
        },
        "step": {
            "answers": fewer,
            "mui": [mean_index(one, fewer), mean_index(other, fewer)],
            "performance": [100 * sum(right) / 12, 100 * sum(told) / 9],
            "jaccard": len(a & b) / len(a | b),
            "jaccard_by_lot": shared / (len(a) + len(b) - shared),
        },
    }
    print(json.dumps(document_of, ensure_ascii=False, separators=(",", ":")))


main()
