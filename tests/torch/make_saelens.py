#!/usr/bin/env python3
"""Autoencoders as SAELens itself saves them, and what its own encoding and decoding score.

Writes ../golden/saelens.json: for each case the two files of the folder (cfg.json as text, the weights as
hex), and the measures of make_evaluate.py, of codes and reconstructions that SAELens computes on
../golden/evaluate/acts_f32.npy, having loaded the folder in float64. Weights are random. What is saved for
training (architectures "batchtopk" and "matryoshka_batchtopk") SAELens loads for inference only once it is
saved so: its numbers are those of `save_inference_model`.

    python3 make_saelens.py                     # write
    python3 make_saelens.py --trained PROGRAM   # have sfc-bench train one of each family; SAELens loads it

Needs sae-lens beside what make_evaluate.py needs. Made with 6.54.12.
"""
import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import sae_lens
import torch
from safetensors.torch import save_file
from sae_lens import (
    SAE,
    BatchTopKTrainingSAE,
    BatchTopKTrainingSAEConfig,
    GatedSAE,
    GatedSAEConfig,
    GatedTrainingSAE,
    GatedTrainingSAEConfig,
    JumpReLUSAE,
    JumpReLUSAEConfig,
    JumpReLUTrainingSAE,
    JumpReLUTrainingSAEConfig,
    MatryoshkaBatchTopKTrainingSAE,
    MatryoshkaBatchTopKTrainingSAEConfig,
    StandardSAE,
    StandardSAEConfig,
    StandardTrainingSAE,
    StandardTrainingSAEConfig,
    TopKSAE,
    TopKSAEConfig,
    TopKTrainingSAE,
    TopKTrainingSAEConfig,
)

import make_evaluate as evaluate

GOLDEN = Path(__file__).parent / "../golden"
D, K = evaluate.D, evaluate.K
SIZES = {"d_in": D, "d_sae": K}
generator = torch.Generator().manual_seed(6)


def fill(sae):
    """Random weights: an encoder that is nearly the decoder's transpose, lengths that differ."""

    def normal(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    lengths = 0.6 + torch.rand(K, 1, generator=generator, dtype=torch.float64)
    decoder = torch.tensor(evaluate.DIRECTIONS) * lengths
    values = {
        "W_dec": decoder,
        "W_enc": decoder.T * 0.8 + 0.05 * normal(D, K),
        "b_dec": 0.4 + 0.1 * normal(D),
        "b_enc": -0.2 + 0.2 * normal(K),
        "b_gate": -0.3 + 0.2 * normal(K),
        "b_mag": 0.1 * normal(K),
        "r_mag": 0.2 * normal(K),
        "threshold": 0.3 + 0.1 * normal(K).abs(),
        "log_threshold": torch.log(0.3 + 0.1 * normal(K).abs()),
        "topk_threshold": torch.tensor(0.45, dtype=torch.float64),
    }
    with torch.no_grad():
        for name, tensor in sae.state_dict().items():
            tensor.copy_(values[name])
    return sae


def run(folder, hook_z=False):
    """SAELens's codes and reconstructions, in float64, and the dictionary it decodes with."""
    sae = SAE.load_from_disk(folder, dtype="float64")
    x = torch.tensor(evaluate.A32, dtype=torch.float64)
    with torch.no_grad():
        codes = sae.encode(x.reshape(len(x), 3, D // 3) if hook_z else x)
        decoded = sae.decode(codes).reshape(len(x), D)
    found = (value.detach().double().numpy() for value in (codes, decoded, sae.W_dec))
    return evaluate.measure(x.numpy(), *found)


def case(name, folder, expected):
    folder = Path(folder)
    return {
        "name": name,
        "config": (folder / "cfg.json").read_text(),
        "weights": (folder / "sae_weights.safetensors").read_bytes().hex(),
        "expected": expected,
    }


def present():
    """Folders in the format of SAELens 6, by its own classes."""
    plain = [
        ("standard", StandardSAE, StandardSAEConfig, {}),
        ("standard, b_dec not applied", StandardSAE, StandardSAEConfig, {"apply_b_dec_to_input": False}),
        ("standard, expected average", StandardSAE, StandardSAEConfig, {"normalize_activations": "expected_average_only_in"}),
        ("standard, whitening", StandardSAE, StandardSAEConfig, {"normalize_activations": "covariance_whitening"}),
        ("standard, float64", StandardSAE, StandardSAEConfig, {"dtype": "float64"}),
        ("topk", TopKSAE, TopKSAEConfig, {"k": 4}),
        ("topk, rescaled", TopKSAE, TopKSAEConfig, {"k": 3, "rescale_acts_by_decoder_norm": True}),
        ("topk, layer norm", TopKSAE, TopKSAEConfig, {"k": 5, "normalize_activations": "layer_norm"}),
        ("topk, bfloat16", TopKSAE, TopKSAEConfig, {"k": 4, "dtype": "bfloat16"}),
        ("jumprelu", JumpReLUSAE, JumpReLUSAEConfig, {}),
        ("jumprelu, constant norm", JumpReLUSAE, JumpReLUSAEConfig, {"normalize_activations": "constant_norm_rescale"}),
        ("jumprelu, float16", JumpReLUSAE, JumpReLUSAEConfig, {"dtype": "float16", "apply_b_dec_to_input": False}),
        ("gated", GatedSAE, GatedSAEConfig, {}),
        ("gated, layer norm, hook_z", GatedSAE, GatedSAEConfig, {"normalize_activations": "layer_norm", "reshape_activations": "hook_z"}),
    ]
    for name, sae, config, fields in plain:
        with tempfile.TemporaryDirectory() as folder:
            fill(sae(config(**SIZES, **fields))).save_model(folder)
            yield case(name, folder, run(folder, "hook_z" in name))
    training = [
        ("standard, trained", StandardTrainingSAE, StandardTrainingSAEConfig, {}),
        ("topk, trained", TopKTrainingSAE, TopKTrainingSAEConfig, {"k": 4}),
        ("jumprelu, trained", JumpReLUTrainingSAE, JumpReLUTrainingSAEConfig, {}),
        ("gated, trained", GatedTrainingSAE, GatedTrainingSAEConfig, {}),
        ("batchtopk, trained", BatchTopKTrainingSAE, BatchTopKTrainingSAEConfig, {"k": 4}),
        (
            "matryoshka, trained",
            MatryoshkaBatchTopKTrainingSAE,
            MatryoshkaBatchTopKTrainingSAEConfig,
            {"k": 4, "matryoshka_widths": [5, K], "rescale_acts_by_decoder_norm": False},
        ),
    ]
    for name, sae, config, fields in training:
        model = fill(sae(config(**SIZES, **fields)))
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as unfinished:
            model.save_model(unfinished)
            # In float64 nothing is lost where lengths are folded into the weights.
            exact = copy.deepcopy(model).to(dtype=torch.float64)
            with tempfile.TemporaryDirectory() as finished:
                exact.save_inference_model(finished)
                yield case(name.replace("trained", "for training"), unfinished, run(finished))
            # The last: it may write into the model's own tensors.
            model.save_inference_model(folder)
            yield case(name, folder, run(folder))


def former():
    """Configurations as SAELens 3 to 5 wrote them, typed after its documentation; loaded by this one."""
    base = {
        **SIZES,
        "dtype": "torch.float32",
        "device": "cpu",
        "model_name": "gpt2-small",
        "hook_name": "blocks.8.hook_resid_pre",
        "hook_layer": 8,
        "hook_head_index": None,
        "prepend_bos": True,
        "dataset_path": "Skylion007/openwebtext",
        "context_size": 128,
        "neuronpedia_id": None,
    }
    fifth = {
        **base,
        "dtype": "float32",
        "architecture": "standard",
        "activation_fn_str": "relu",
        "activation_fn_kwargs": {},
        "apply_b_dec_to_input": True,
        "finetuning_scaling_factor": False,
        "normalize_activations": "none",
        "reshape_activations": "none",
        "sae_lens_training_version": "5.3.0",
        "dataset_trust_remote_code": True,
        "model_from_pretrained_kwargs": {},
        "seqpos_slice": [None],
    }
    third = {**base, "activation_fn_str": "relu", "apply_b_dec_to_input": False}
    top = {"activation_fn_str": "topk", "activation_fn_kwargs": {"k": 4}}
    ones = {"scaling_factor": torch.ones(K)}
    standard, gated, jump = (StandardSAE, StandardSAEConfig), (GatedSAE, GatedSAEConfig), (JumpReLUSAE, JumpReLUSAEConfig)
    for name, (sae, config), fields, more in [
        ("version 5, standard", standard, fifth, {}),
        ("version 5, topk by its activation", standard, fifth | top, {}),
        ("version 5, two values of k", standard, fifth | top | {"architecture": "topk", "k": 7}, {}),
        ("version 5, gated", gated, fifth | {"architecture": "gated", "normalize_activations": "layer_norm"}, {}),
        ("version 5, jumprelu", jump, fifth | {"architecture": "jumprelu"}, {}),
        ("version 5, a scaling factor of ones", standard, fifth | {"finetuning_scaling_factor": True}, ones),
        ("version 5, no scaling factor", standard, fifth | {"finetuning_scaling_factor": True}, {}),
        ("version 3", standard, third, ones),
        ("version 3, normalised", standard, third | {"normalize_activations": True}, {}),
        ("version 3, not normalised", standard, third | {"normalize_activations": False}, {}),
        ("version 3, null", standard, third | {"normalize_activations": None, "activation_fn_str": "relu"}, {}),
    ]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            state = fill(sae(config(**SIZES))).state_dict()
            save_file({**state, **more}, path / "sae_weights.safetensors")
            config = {**fields, "dtype": "float32"}
            (path / "cfg.json").write_text(json.dumps(config))
            expected = run(folder)
            (path / "cfg.json").write_text(json.dumps(fields))
            yield case(name, folder, expected)


def trained(program):
    """Trains one of each family by the command line and has SAELens load it."""
    for family in ["relu", "topk", "batch-topk", "jumprelu", "gated", "matryoshka"]:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "sae"
            subprocess.run(
                [program, "train", "--family", family, "--out", out, *sys.argv[3:]],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            sae = SAE.load_from_disk(out, dtype="float64")
            rng = np.random.default_rng(3)
            x = rng.standard_normal((500, sae.cfg.d_in)).astype(np.float32)
            np.save(out / "x.npy", x)
            x = torch.tensor(x, dtype=torch.float64)
            with torch.no_grad():
                codes = sae.encode(x)
                decoded = sae.decode(codes)
            wanted = evaluate.measure(*(v.detach().numpy() for v in (x, codes, decoded, sae.W_dec)))
            text = subprocess.run(
                [program, "evaluate", "--activations", out / "x.npy", "--sae", out, "--json"],
                check=True,
                capture_output=True,
            ).stdout
            found = json.loads(text)
            worst = max(
                abs(found["sparsity"]["l0"] / wanted["l0"] - 1),
                *(abs(found["fidelity"][key] - wanted[key]) for key in ["cosine", "r2", "rel_mse", "shrinkage"]),
                *(
                    abs(c["total"] - wanted["completeness"][c["reading"]]["total"])
                    for c in found["completeness"]
                ),
            )
            print(f"{family}: {type(sae).__name__}, L0 {wanted['l0']:.3f}, largest difference {worst:.1e}")
            assert worst < 1e-9


if __name__ == "__main__":
    if sys.argv[1:2] == ["--trained"]:
        trained(sys.argv[2])
        sys.exit()
    cases = [*present(), *former()]
    text = json.dumps({"versions": {"sae-lens": sae_lens.__version__}, "cases": cases}, indent=1)
    (GOLDEN / "saelens.json").write_text(text + "\n")
    print(f"{len(cases)} cases")
