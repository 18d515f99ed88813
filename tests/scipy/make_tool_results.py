"""Write results as MIB, delphi and Neuronpedia write them, of drawn numbers, and what they come to.

    python3 make_tool_results.py            write ../golden/tool_results.json
    python3 make_tool_results.py --check    compare with what is there instead, to 1e-12

Facts of the formats, from the tools' public sources:

- MIB's circuit track evaluates faithfulness at ten shares of edges, .001 to 1, and pickles weighted_edge_counts,
  area_under, area_from_1, average and faithfulnesses; areas are trapezoids over the shares, or over their logarithms.
- delphi writes a list of examples for each latent under scores/<scorer>/: str_tokens, activations, distance,
  activating, prediction (null where the answer was not understood), probability and correct; of an intruder test
  prediction, correct_index and correct.
- Neuronpedia exports lines with modelId, layer and index: latents with frac_nonzero, explanations with description and
  explanationModelName, activations with tokens and values. SAEDashboard's batches have sae_set and features.
"""

import argparse
import json
import sys

import numpy as np
from make_golden import FOLDER, differences, plain
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    precision_score,
    recall_score,
    roc_auc_score,
)

PATH = FOLDER / "tool_results.json"
SHARES = np.array([0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0])


def mib(rng: np.random.RandomState) -> dict:
    """A curve above and below 1, and its areas over shares and over their logarithms."""
    values = np.cumsum(rng.uniform(0, 0.3, len(SHARES)))
    found = {
        "weighted_edge_counts": (SHARES * 32491).astype(int).tolist(),
        "faithfulnesses": values.tolist(),
    }
    wanted = {
        "cpr": np.trapezoid(values, SHARES),
        "cmd": np.trapezoid(np.abs(1 - values), SHARES),
        "cpr_log": np.trapezoid(values, np.log(SHARES)),
        "average": values.mean(),
    }
    found |= {
        "area_under": wanted["cpr"],
        "area_from_1": wanted["cmd"],
        "average": wanted["average"],
    }
    return {"file": found, "wanted": wanted}


def scores(labels: list, predictions: list, probabilities: list) -> dict:
    """What scikit-learn says of examples with a prediction, and of all probabilities."""
    told = [
        (label, said)
        for label, said in zip(labels, predictions, strict=True)
        if said is not None
    ]
    y, said = (np.array(column, dtype=int) for column in zip(*told, strict=True))
    return {
        "examples": len(told),
        "failed": len(labels) - len(told),
        "activating": int(y.sum()),
        "accuracy": accuracy_score(y, said),
        "balanced_accuracy": balanced_accuracy_score(y, said),
        "precision": precision_score(y, said, zero_division=0),
        "recall": recall_score(y, said),
        "f1": f1_score(y, said, zero_division=0),
        "auc": roc_auc_score(labels, probabilities),
    }


def delphi(rng: np.random.RandomState) -> dict:
    """Examples of three latents, some without an answer; of one no answer says that it is active."""
    files, each = {}, {}
    all_of = ([], [], [])
    for latent, skill in ((3, 0.9), (17, 0.6), (40, 0.0)):
        labels = [bool(rng.randint(2)) for _ in range(20)]
        labels[0], labels[1] = True, False
        probabilities = [
            round(
                float(
                    np.clip(
                        skill * label + rng.uniform(-0.4, 0.4), 0, min(1, 0.49 + skill)
                    )
                ),
                3,
            )
            for label in labels
        ]
        predictions = [
            None if rng.uniform() < 0.1 else int(share >= 0.5)
            for share in probabilities
        ]
        examples = [
            {
                "str_tokens": [" a", " b"],
                "activations": [0.0, 1.5 * label],
                "distance": 4 if label else -1,
                "activating": label,
                "prediction": said,
                "probability": share,
                "correct": None if said is None else bool(said) == label,
            }
            for label, said, share in zip(
                labels, predictions, probabilities, strict=True
            )
        ]
        name = f"layers.5.mlp_latent{latent}"
        files[f"run/scores/detection/{name}.txt"] = examples
        each[name] = scores(labels, predictions, probabilities)
        for column, more in zip(
            all_of, (labels, predictions, probabilities), strict=True
        ):
            column.extend(more)
    return {"files": files, "each": each, "all": scores(*all_of)}


def neuronpedia(rng: np.random.RandomState) -> dict:
    """Shares of tokens of 40 latents, some dead and some dense, with explanations of some."""
    shares = np.round(rng.uniform(0, 1, 40) ** 6, 5)
    shares[:3] = 0
    model = {"modelId": "gemma-2-2b", "layer": "20-gemmascope-res-16k"}
    features = [
        model
        | {
            "index": str(at),
            "frac_nonzero": share,
            "maxActApprox": 3.5,
            "pos_str": ["a"],
        }
        for at, share in enumerate(shares.tolist())
    ]
    explanations = [
        model
        | {
            "index": str(at % 5),
            "description": "words",
            "typeName": "oai_token-act-pair",
            "explanationModelName": "gpt-4o-mini",
        }
        for at in range(7)
    ]
    activations = [
        model
        | {"index": "4", "tokens": ["a", "b"], "values": [0.0, 2.5], "maxValue": 2.5}
    ]
    wanted = {
        "latents": 40,
        "active_per_token": float(shares.sum()),
        "dead": int((shares == 0).sum()),
        "dense": int((shares > 0.1).sum()),
    }
    batch = {
        "model_id": "gemma-2-2b",
        "layer": 20,
        "sae_set": "res-16k",
        "features": [
            {
                "feature_index": at,
                "frac_nonzero": share,
                "activations": [{"tokens": ["a"], "values": [1.0]}],
            }
            for at, share in enumerate(shares.tolist())
        ],
    }
    return {
        "features": features,
        "explanations": explanations,
        "activations": activations,
        "batch": batch,
        "wanted": wanted,
    }


def main() -> int:
    """Writes them, or compares them with what is there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="compare instead of writing"
    )
    rng = np.random.RandomState(33)
    found = plain(
        {"mib": mib(rng), "delphi": delphi(rng), "neuronpedia": neuronpedia(rng)}
    )
    if parser.parse_args().check:
        wrong = differences(found, json.loads(PATH.read_text()))
        for place in wrong:
            print(f"{PATH.name} differs at {place}", file=sys.stderr)
        return 1 if wrong else 0
    PATH.write_text(json.dumps(found, indent=1, allow_nan=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
