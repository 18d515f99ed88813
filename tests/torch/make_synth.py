"""Golden values of PyTorch's CPU generator, and of SAELens' evaluation of autoencoders on a saved synthetic model.

    python tests/torch/make_synth.py tests/golden/synthsaebench

reads `saved-a/` (a folder of `SyntheticModel.save`), `metrics/data.safetensors` (rows of that model) and the autoencoders of
`evaluated/`, and writes `torch_random.json` and `evaluated.json`. Made with torch 2.15.0 and sae_lens 6.54.12.
"""

import json
import sys
from pathlib import Path

import torch
from sae_lens import SAE
from sae_lens.synthetic import SyntheticModel, evals
from safetensors.torch import load_file


def random_numbers():
    """Normals of several counts, drawn at once, and uniform numbers, by seed."""
    cases = []
    for seed in [0, 1, 43, 2**32 + 5]:
        for count in [1, 2, 5, 15, 16, 17, 31, 40, 96]:
            generator = torch.Generator().manual_seed(seed)
            cases.append({
                "seed": seed,
                "normals": torch.randn(count, generator=generator).tolist(),
                # What is drawn next tells how many words were taken.
                "next": torch.rand(2, generator=generator).tolist(),
            })
    return cases


def summed(calculator, *batch):
    calculator.add_batch(*batch)
    return calculator.compute()


def scores(sae, directions, rows, features):
    codes = sae.encode(rows)
    outputs = sae.decode(codes)
    classified = summed(
        evals.ClassificationMetricsCalculator(sae.W_dec, directions), codes, features
    )
    return {
        "mcc": evals.mean_correlation_coefficient(sae.W_dec, directions),
        "uniqueness": evals.feature_uniqueness(sae.W_dec, directions),
        "precision": classified.precision,
        "recall": classified.recall,
        "f1": classified.f1_score,
        "accuracy": classified.accuracy,
        "explained_variance": summed(evals.ExplainedVarianceCalculator(), outputs, rows),
        "shrinkage": summed(evals.ShrinkageCalculator(), outputs, rows),
        "dead": summed(evals.DeadLatentsCalculator(sae.W_dec.shape[0]), codes),
        "l0": summed(evals.L0Calculator(), codes),
        "true_l0": summed(evals.L0Calculator(), features),
    }


def main(folder):
    torch.set_grad_enabled(False)
    (folder / "torch_random.json").write_text(json.dumps(random_numbers()) + "\n")
    model = SyntheticModel.load_from_disk(folder / "saved-a")
    data = load_file(folder / "metrics" / "data.safetensors")
    directions = model.feature_dict.feature_vectors
    found = {}
    for path in sorted((folder / "evaluated").iterdir()):
        sae = SAE.load_from_disk(path, device="cpu").eval()
        found[path.name] = scores(sae, directions, data["hidden"], data["feature_activations"])
    strengths = {}
    for path in sorted(folder.glob("saved-*")):
        generator = SyntheticModel.load_from_disk(path).activation_generator
        strengths[path.name] = {
            "means": generator.mean_firing_magnitudes.tolist(),
            "deviations": generator.std_firing_magnitudes.tolist(),
        }
    found = {"scores": found, "strengths": strengths}
    (folder / "evaluated.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
