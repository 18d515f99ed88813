"""CE-Bench of tests/golden/models/smollm2-sae in tests/golden/models/smollm2, and the Model Utilization Index of that model, by
a separate forward pass in float64 from the tokens that were read.

    sfc-bench ce-bench --model smollm2 --sae smollm2-sae --json > stories.json
    sfc-bench mui --model smollm2 --json > questions.json
    python check_model_metrics.py stories.json questions.json …
"""

import json
import sys
from pathlib import Path

import numpy as np
from make_inside import MODELS, C, W, forward, tensors

SAE = tensors(MODELS / "smollm2-sae" / "sae_weights.safetensors")


def near(found, wanted, what, tolerance=1e-3):
    assert abs(found - wanted) <= tolerance * max(1, abs(wanted)), f"{what}: {found}, {wanted}"


def encode(tokens):
    x = forward(np.array(tokens))[1]["0.resid_post"][1:]
    return np.maximum(0, (x - SAE["b_dec"]) @ SAE["W_enc"] + SAE["b_enc"])


def directions(seed):
    vectors = np.random.RandomState(seed).standard_normal((48, 96))
    return lambda tokens: np.maximum(0, forward(np.array(tokens))[1]["0.resid_post"][1:] @ vectors)


def z(values, ddof):
    std = values.std(ddof=ddof)
    return ((values - values.mean()) / (std if std > 0 else 1)).max()


def mean(rows):
    return rows.mean(0) if len(rows) else np.zeros(rows.shape[1])


def scores(stories, marks, every):
    """The readings in their order, each its contrastive, independence and interpretability score."""
    tokens, marked = np.concatenate(stories), np.concatenate(marks)
    contrast = abs(stories[0].mean(0) - stories[1].mean(0))
    with_, without = mean(tokens[marked]), mean(tokens[~marked])
    v1 = abs(with_ - without)
    head = tokens.mean(0)
    paper = abs(tokens.mean(0) - every)

    def scaled(a, b):
        least, most = min(a.min(), b.min()), max(a.max(), b.max())
        return abs(a - b).max() / (most - least if most > least else 1)

    readme = [scaled(stories[0].mean(0), stories[1].mean(0)), scaled(with_, without)]
    return [
        [z(contrast, 0), z(v1, 0), z(contrast + v1, 0)],
        [z(contrast, 1), z(head, 1), z(contrast + head, 1)],
        [*readme, sum(readme)],
        [contrast.max(), paper.max(), contrast.max() + paper.max()],
    ]


def check_stories(report):
    names = ["v1_marked", "code_head", "readme", "paper"]
    kinds = ["contrastive", "independence", "interpretability"]
    pairs = report["pairs"]
    assert len(pairs) == 30

    def means(encoder, shuffled=False):
        all_ = [[encoder(story) for story in pair["tokens"]] for pair in pairs]
        every = np.concatenate([story for pair in all_ for story in pair]).mean(0)
        found = []
        for index, (stories, pair) in enumerate(zip(all_, pairs)):
            marks = [np.array(mark) for mark in pair["marks"]]
            assert all(len(a) == len(b) and b.any() for a, b in zip(stories, marks))
            if shuffled:
                rng, first = np.random.RandomState(report["seed"] + index), len(stories[0])
                rows, marked = np.concatenate(stories), np.concatenate(marks)
                rows = rows[rng.permutation(len(rows))]
                marked = marked[rng.permutation(len(marked))]
                stories, marks = [rows[:first], rows[first:]], [marked[:first], marked[first:]]
            found.append(scores(stories, marks, every))
        return np.array(found)

    own = means(encode)
    for pair, wanted in zip(pairs, own):
        for reading, row in zip(pair["scores"], wanted):
            for kind, value in zip(kinds, row):
                near(reading[kind], value, f"{pair['name']}, {kind}")
    others = {"random": means(directions(report["seed"])), "shuffled": means(encode, True)}
    for name, wanted in ({"autoencoder": own} | others).items():
        for reading, row in zip(names, wanted.mean(0)):
            for kind, value in zip(kinds, row):
                near(report[name]["readings"][reading][kind], value, f"{name}, {reading}, {kind}")
        near(report[name]["of_bound"], wanted.mean(0)[0][2] / np.sqrt(95), f"{name}, share of bound")
    return own.size


def used_neurons(scores, options):
    """Of scores, layers × neurons, which count by the threshold."""
    rule, kept, share = (options[name] for name in ("threshold", "kept", "share"))
    if rule == "topscore":
        least = (share or 0.8) * scores.max(1, keepdims=True)
        return {(int(layer), int(at)) for layer, at in np.argwhere(scores >= least)}
    if rule == "global-topk":
        order = (-scores.ravel()).argsort(kind="stable")[: kept or len(scores)]
        return {divmod(int(at), scores.shape[1]) for at in order}
    count = int(share * scores.shape[1]) if rule == "top-share" else kept
    rows = (-scores).argsort(axis=1, kind="stable")[:, :count]
    return {(layer, int(at)) for layer, row in enumerate(rows) for at in row}


def check_questions(report):
    layers, width = C["num_hidden_layers"], C["intermediate_size"]
    assert (report["layers"], report["neurons"]) == (layers, width)
    unembed = W["model.embed_tokens.weight"] * W["model.norm.weight"]
    out = [W[f"model.layers.{layer}.mlp.down_proj.weight"] for layer in range(layers)]
    everything, answers = set(), 0
    for task in report["tasks"]:
        used, other, growth, counts = set(), set(), [], []
        for answer in task["answers"]:
            logits, seen = forward(np.array(answer["tokens"]))
            assert int(logits[-1, answer["choices"]].argmax()) == answer["chosen"]

            def neurons(token, seen=seen):
                by = [seen[f"{at}.post"][-1] * (unembed[token] @ out[at]) for at in range(layers)]
                return used_neurons(np.array(by), report["options"])

            mine = neurons(answer["choices"][0])
            assert mine == {tuple(one) for one in answer["neurons"]}
            used |= mine
            counts.append(len(mine))
            others = neurons(answer["choices"][1])
            assert others == {tuple(one) for one in answer["other"]}
            other |= others
            growth.append(len(used) / (layers * width))
            answers += 1
        everything |= used
        count = len(task["answers"])
        right = np.mean([answer["chosen"] == 0 for answer in task["answers"]])
        chance = np.mean([1 / len(answer["choices"]) for answer in task["answers"]])
        near(task["accuracy"], right, "accuracy", 1e-9)
        near(task["chance"], chance, "chance", 1e-9)
        near(task["mui"], growth[-1], "MUI", 1e-9)
        near(task["mui_other"], len(other) / (layers * width), "MUI of another choice", 1e-9)
        near(task["mean_k"], np.mean(counts) / layers, "neurons of a layer", 1e-9)
        share = np.mean(counts) / (layers * width)
        near(task["mui_random"], 1 - (1 - share) ** count, "MUI at random", 1e-9)
        assert np.allclose(task["growth"], growth)
    near(report["mui"], len(everything) / (layers * width), "MUI of all", 1e-9)
    assert answers >= 30, answers
    return answers


stories, *questions = (json.loads(Path(path).read_text()) for path in sys.argv[1:])
answers = sum(check_questions(report) for report in questions)
print(f"{check_stories(stories)} scores and {answers} answers are the same")
