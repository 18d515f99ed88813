"""FADE of tests/golden/models/smollm2-sae in tests/golden/models/smollm2, by a separate forward pass in float64: activations of
every text, scores in both readings with their controls, and what the model writes while a feature is steered. Of concepts
that single tokens decide: digits, and characters.

    sfc-bench fade --model smollm2 --sae smollm2-sae --concepts RULES --json > found.json
    python check_model_fade.py found.json RULES
"""

import json
import sys
from pathlib import Path

import numpy as np
from make_inside import MODELS, forward, tensors

PREFIX = 6
SAE = tensors(MODELS / "smollm2-sae" / "sae_weights.safetensors")
VOCABULARY = json.loads((MODELS / "smollm2" / "tokenizer.json").read_text())["model"]["vocab"]
TEXT = {number: text for text, number in VOCABULARY.items()}


def rule(line):
    kind, *rest = line.partition(":")[2].split()
    if kind == "class":
        assert rest == ["digit"], line
        return lambda token: any(c in "0123456789" for c in TEXT.get(token, ""))
    assert kind == "chars", line
    return lambda token: any(c in rest for c in TEXT.get(token, ""))


def latent(index):
    def activations(x):
        return np.maximum(0, (x - SAE["b_dec"]) @ SAE["W_enc"][:, index] + SAE["b_enc"][index])

    return activations, SAE["W_dec"][index]


def direction(index, seed):
    vector = np.random.RandomState(seed).standard_normal((48, 96))[:, index]
    return lambda x: x @ vector, vector / (vector @ vector)


def pooled(tokens, activations):
    found = activations(forward(np.array(tokens))[1]["0.resid_post"])[1:]
    return found[np.abs(found).argmax()]


def pairs(a, b):
    a, b = np.asarray(a)[:, None], np.asarray(b)[None]
    return (a > b).mean(), (a == b).mean()


def clarity(a, b):
    above, equal = pairs(a, b)
    return {"document": abs(2 * above - 1), "code": abs(2 * (above + equal / 2) - 1)}


def precision(with_, without):
    """The average precision; equal activations enter together."""
    values = np.concatenate([with_, without])
    area, before = 0.0, 0.0
    for least in sorted(set(values), reverse=True):
        right, all_ = (with_ >= least).sum(), (values >= least).sum()
        area += (right / len(with_) - before) * right / all_
        before = right / len(with_)
    return area


def purity(with_, without):
    above, equal = pairs(with_, without)
    sign = -1 if above + equal / 2 < 0.5 else 1
    return {"document": precision(with_, without), "code": precision(sign * with_, sign * without)}


def same(found, wanted, what, tolerance=1e-6):
    assert abs(found - wanted) <= tolerance, f"{what}: {found}, {wanted}"


def steered(found, feature, factors, activations, unit, is_of):
    shares = []
    for factor, rows in zip(factors, feature["written"]):
        wanted, has = factor * feature["largest"], []
        for row in rows:
            tokens = row[:PREFIX]

            def edit(name, x, wanted=wanted):
                if name == "0.resid_post":
                    x[1:] += (wanted - activations(x[1:]))[:, None] * unit
                return x

            while len(tokens) < len(row):
                tokens = [*tokens, int(forward(np.array(tokens), edit)[0][-1].argmax())]
            assert tokens == row, f"{found['concept']} at {factor}: {tokens}, {row}"
            assert not any(is_of(token) for token in row[1:PREFIX])
            has.append(any(is_of(token) for token in row[PREFIX:]))
        shares.append(np.mean(has))
    assert shares == feature["shares"], (shares, feature["shares"])
    base = shares[factors.index(0)]
    value = max(max(shares) - base, 0) / (1 - base) if base < 1 else 0
    same(feature["faithfulness"], value, "faithfulness")


def main():
    report = json.loads(Path(sys.argv[1]).read_text())
    rules = [rule(line) for line in Path(sys.argv[2]).read_text().splitlines()]
    options, checked, written = report["options"], 0, 0
    assert len(rules) == len(report["concepts"])
    for found, is_of in zip(report["concepts"], rules):
        labels = [any(is_of(token) for token in text[1:]) for text in report["natural"]]
        assert labels == found["labels"]
        same(found["prevalence"], np.mean(labels), "prevalence")
        assert all(any(is_of(token) for token in text[1:]) for text in found["made"])
        for kind in ["latent", "random", "shuffled"]:
            feature = found[kind]
            index = feature["index"]
            activations, unit = direction(index, options["seed"]) if kind == "random" else latent(index)
            natural = np.array([pooled(text, activations) for text in report["natural"]])
            made = np.array([pooled(text, activations) for text in found["made"]])
            assert np.allclose(natural, feature["natural"], atol=1e-3)
            assert np.allclose(made, feature["made"], atol=1e-3)
            same(feature["largest"], np.abs(natural).max(), "largest", 1e-3)
            # Float32 may part what is equal here, or the other way round: only where ranks are as close.
            natural, made = np.array(feature["natural"]), np.array(feature["made"])
            is_with, apart = np.array(labels), [made, natural]
            if kind == "shuffled":
                rng = np.random.RandomState(options["seed"])
                is_with = is_with[rng.permutation(len(is_with))]
                mixed = np.concatenate([natural, made])
                mixed = mixed[rng.permutation(len(mixed))]
                apart = [mixed[len(natural) :], mixed[: len(natural)]]
            with_, without = natural[is_with], natural[~is_with]
            wanted = {
                "clarity": clarity(*apart),
                "responsiveness": clarity(with_, without),
                "purity": purity(with_, without),
            }
            for score, readings in wanted.items():
                for reading, value in readings.items():
                    same(feature[score][reading], value, f"{found['concept']}, {kind}, {score}")
                    checked += 1
            passes = min(feature[score]["code"] for score in ["clarity", "responsiveness"]) >= 0.5
            assert feature["gate"] == passes
            if feature["written"]:
                steered(found, feature, options["factors"], activations, unit, is_of)
                written += len(feature["written"])
    assert checked >= 36 and written >= 14, (checked, written)
    print(f"{checked} scores and {written} factors are the same")


main()
