#!/usr/bin/env python3
"""Files of activations and autoencoders as the usual libraries write them, and what they score.

Writes ../golden/evaluate: arrays by NumPy and ml_dtypes, tensors by PyTorch through safetensors, and
expected.json with every number computed here, in float64, by PyTorch and NumPy's linear algebra. Nothing
of the code under test is used; definitions of the autoencoders are written out from their papers and
SAELens's documentation.

    python3 make_evaluate.py            # write
    python3 make_evaluate.py --check    # compare expected.json with what is there

Needs torch, numpy, safetensors, ml_dtypes. Made with 2.15.0, 2.4.6, 0.8.0 and 0.6.0.
"""
import json
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import torch
from safetensors.torch import save_file

HERE = Path(__file__).parent / "../golden/evaluate"
N, D, K, O = 150, 12, 20, 3
rng = np.random.default_rng(20)


def features(count, width):
    """Unit directions, some of them alike."""
    rows = rng.standard_normal((count, width))
    rows[1] = rows[0] + 0.3 * rows[1]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


DIRECTIONS = features(K, D)
# Sparse mixtures of the directions, a mean that is not zero, noise, and one row of great length.
mixture = rng.exponential(1.0, (N, K)) * (rng.random((N, K)) < 0.15)
A = mixture @ DIRECTIONS + 0.2 * rng.standard_normal((N, D)) + 0.5
A[17] *= 40
A32 = A.astype(np.float32)


def npy(name, array, version=None, order="C"):
    array = np.asfortranarray(array) if order == "F" else np.ascontiguousarray(array)
    with open(HERE / name, "wb") as file:
        np.lib.format.write_array(file, array, version=version)


def write_activations():
    npy("acts_f32.npy", A32)
    npy("acts_f16.npy", A.astype(np.float16))
    npy("acts_f64.npy", A, version=(2, 0))
    npy("acts_bf16.npy", A.astype(ml_dtypes.bfloat16))
    npy("acts_big_endian_f4.npy", A.astype(">f4"))
    npy("acts_big_endian_fortran_f8.npy", A.astype(">f8"), order="F")
    npy("acts_fortran_f32.npy", A32, version=(3, 0), order="F")
    npy("acts_i16.npy", np.round(A * 100).astype(np.int16))
    npy("acts_3d_f32.npy", A32.reshape(10, 15, D))
    np.savez(HERE / "acts_stored.npz", activations=A32, other=np.arange(3.0))
    np.savez_compressed(HERE / "acts_deflated.npz", activations=A, other=np.asfortranarray(A32))
    tensors = {
        "f16": torch.tensor(A).half(),
        "bf16": torch.tensor(A).bfloat16(),
        "f32": torch.tensor(A32),
        "f64": torch.tensor(A),
        "mask": torch.ones(N, dtype=torch.bool),
    }
    save_file(tensors, HERE / "acts.safetensors", metadata={"made": "by torch"})
    with open(HERE / "acts.csv", "w") as file:
        file.write("# activations\n" + ",".join(f"d{j}" for j in range(D)) + "\n")
        for row in A32[:90]:
            file.write(",".join(repr(float(x)) for x in row) + "\n")


ACTIVATIONS = {
    "acts_f32.npy": (None, A32),
    "acts_f16.npy": (None, A.astype(np.float16)),
    "acts_f64.npy": (None, A32),
    "acts_bf16.npy": (None, A.astype(ml_dtypes.bfloat16)),
    "acts_big_endian_f4.npy": (None, A32),
    "acts_big_endian_fortran_f8.npy": (None, A32),
    "acts_fortran_f32.npy": (None, A32),
    "acts_i16.npy": (None, np.round(A * 100).astype(np.int16)),
    "acts_3d_f32.npy": (None, A32),
    "acts_stored.npz": ("activations", A32),
    "acts_deflated.npz": ("activations", A32),
    "acts_deflated.npz:other": ("other", A32),
    "acts.safetensors:f16": ("f16", A.astype(np.float16)),
    "acts.safetensors:bf16": ("bf16", A.astype(ml_dtypes.bfloat16)),
    "acts.safetensors:f32": ("f32", A32),
    "acts.safetensors:f64": ("f64", A32),
    "acts.csv": (None, A32[:90]),
}


def torch_of(array):
    return torch.tensor(np.asarray(array, dtype=np.float64))


def write_sae(name, config, tensors, dtype=torch.float32):
    """A folder; returns the configuration and the tensors as they were written."""
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    written = {key: value.to(dtype).contiguous() for key, value in tensors.items()}
    save_file(written, folder / "sae_weights.safetensors")
    config = {"d_in": D, "d_sae": K, "dtype": str(dtype).split(".")[1], "device": "cpu", **config}
    (folder / "cfg.json").write_text(json.dumps(config, indent=2) + "\n")
    return config, {key: value.double() for key, value in written.items()}


def saes():
    g = torch.Generator().manual_seed(5)
    randn = lambda *shape: torch.randn(*shape, generator=g, dtype=torch.float64)
    w_dec = torch.tensor(DIRECTIONS) * (0.8 + 0.4 * torch.rand(K, 1, generator=g, dtype=torch.float64))
    base = {
        "W_dec": w_dec,
        "W_enc": w_dec.T * 0.9 + 0.05 * randn(D, K),
        "b_enc": -0.3 + 0.1 * randn(K),
        "b_dec": 0.5 + 0.05 * randn(D),
    }
    gated = {key: value for key, value in base.items() if key != "b_enc"}
    gated |= {"b_gate": -0.4 + 0.1 * randn(K), "b_mag": 0.1 * randn(K), "r_mag": 0.2 * randn(K)}
    jump = base | {"threshold": 0.2 + 0.5 * torch.rand(K, generator=g, dtype=torch.float64)}
    jump["threshold"][3] = -0.5
    dead = {key: value.clone() for key, value in base.items()}
    dead["b_enc"][:4] = -1000.0
    dead["b_enc"][4] = 1000.0
    none = {"apply_b_dec_to_input": True, "normalize_activations": "none"}
    return {
        "standard": write_sae("sae_standard", {"architecture": "standard", **none}, base),
        "standard_f16": write_sae(
            "sae_standard_f16",
            {
                "architecture": "standard",
                "activation_fn_str": "relu",
                "apply_b_dec_to_input": False,
                "normalize_activations": "expected_average_only_in",
            },
            base,
            torch.float16,
        ),
        "dead": write_sae("sae_dead", {"architecture": "standard", **none}, dead),
        "topk": write_sae("sae_topk", {"architecture": "topk", "k": 4, **none}, base, torch.bfloat16),
        "topk_legacy": write_sae(
            "sae_topk_legacy",
            {
                "architecture": "standard",
                "activation_fn_str": "topk",
                "activation_fn_kwargs": {"k": 5},
                "apply_b_dec_to_input": True,
                "normalize_activations": "layer_norm",
            },
            base,
        ),
        "topk_rescaled": write_sae(
            "sae_topk_rescaled",
            {"architecture": "topk", "k": 3, "rescale_acts_by_decoder_norm": True, **none},
            base,
            torch.float64,
        ),
        "batchtopk": write_sae(
            "sae_batchtopk",
            {"architecture": "batchtopk", "k": 4, **none},
            base | {"topk_threshold": torch.tensor(0.45)},
        ),
        "jumprelu": write_sae(
            "sae_jumprelu",
            {
                "architecture": "jumprelu",
                "apply_b_dec_to_input": False,
                "normalize_activations": "constant_norm_rescale",
            },
            jump,
        ),
        "gated": write_sae("sae_gated", {"architecture": "gated", **none}, gated),
        "folded": write_sae(
            "sae_folded",
            {
                "architecture": "standard",
                "apply_b_dec_to_input": True,
                "normalize_activations": "expected_average_only_in",
                "norm_scaling_factor": 1.75,
            },
            base,
        ),
    }


def run_sae(config, t, x):
    """Codes and reconstructions, by the definitions."""
    architecture = config["architecture"]
    if config.get("activation_fn_str") == "topk":
        architecture = "topk"
    t = dict(t)
    factor = config.get("norm_scaling_factor", 1.0)
    # As they would be saved once folded: in float32.
    t["W_enc"] = (t["W_enc"] * factor).float().double()
    t["W_dec"] = (t["W_dec"] / factor).float().double()
    t["b_dec"] = t["b_dec"] / factor
    norm = config["normalize_activations"]
    if norm == "constant_norm_rescale":
        scale = D**0.5 / x.norm(dim=-1, keepdim=True)
        y, undo = x * scale, lambda out: out / scale
    elif norm == "layer_norm":
        mean = x.mean(dim=-1, keepdim=True)
        std = (x - mean).std(dim=-1, keepdim=True)
        y, undo = (x - mean) / (std + 1e-5), lambda out: out * std + mean
    else:
        y, undo = x, lambda out: out
    if config["apply_b_dec_to_input"]:
        y = y - t["b_dec"]
    z = y @ t["W_enc"]
    lengths = t["W_dec"].norm(dim=-1)
    rescaled = config.get("rescale_acts_by_decoder_norm", False)
    if architecture == "gated":
        gate = (z + t["b_gate"] > 0).double()
        codes = gate * torch.relu(y @ (t["W_enc"] * t["r_mag"].exp()) + t["b_mag"])
    else:
        z = z + t["b_enc"]
        if rescaled:
            z = z * lengths
        if architecture == "topk":
            k = config.get("k") or config["activation_fn_kwargs"]["k"]
            best = torch.topk(z, k, dim=-1)
            codes = torch.zeros_like(z).scatter(-1, best.indices, best.values.relu())
        elif architecture in ("jumprelu", "batchtopk"):
            bound = t["threshold"] if architecture == "jumprelu" else t["topk_threshold"]
            codes = torch.relu(z) * (z > torch.relu(bound))
        else:
            codes = torch.relu(z)
    decoded = (codes / lengths if rescaled else codes) @ t["W_dec"] + t["b_dec"]
    return codes, undo(decoded), t["W_dec"]


def outside(rows, a):
    """What of rows of `a` is outside the span of `rows`."""
    if len(rows) == 0:
        return a
    u, s, vh = np.linalg.svd(rows, full_matrices=False)
    basis = vh[s > s[0] * max(rows.shape) * np.finfo(np.float32).eps] if s[0] > 0 else vh[:0]
    return a - a @ basis.T @ basis


def measure(a, codes, a_hat, w, readout=None, bias=None):
    a, codes, a_hat, w = (np.asarray(x, dtype=np.float64) for x in (a, codes, a_hat, w))
    n, k = codes.shape
    active = np.abs(codes) > 1e-6
    error = np.sum((a - a_hat) ** 2)
    variance = np.sum((a - a.mean(axis=0)) ** 2)
    lengths = np.linalg.norm(a, axis=1), np.linalg.norm(a_hat, axis=1)
    f = (lambda x: x) if readout is None else (lambda x: x @ readout.T + bias)
    y = f(a)
    projections = {
        "row-space": a - outside(w, a),
        "reconstruction": a_hat,
        "active-subspace": np.stack(
            [row - outside(w[on], row[None])[0] for row, on in zip(a, active)]
        ),
    }
    total, grand = np.sum((y - y.mean(axis=0)) ** 2), np.sum((y - y.mean()) ** 2)
    completeness = {}
    for name, projected in projections.items():
        lost = np.sum((y - f(projected)) ** 2)
        completeness[name] = {"total": 1 - lost / total, "grand": 1 - lost / grand}
    frequency = active.mean(axis=0)
    unit = w / np.linalg.norm(w, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    largest = cosines.max(axis=1).clip(-1, 1)  # rounding aside
    s = 1 - active.mean()
    cosine = np.mean(np.sum(a * a_hat, axis=1) / (lengths[0] * lengths[1] + 1e-10))
    axes = np.array([s, cosine, completeness["reconstruction"]["total"]])
    edges = [0, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0]
    return {
        "rows": n,
        "k": k,
        "sparsity": s,
        "l0": active.sum(axis=1).mean(),
        "cosine": cosine,
        "r2": 1 - error / variance,
        "rel_mse": 1 - error / np.sum(a**2),
        "explained_variance": 1 - np.var(a - a_hat, axis=0).sum() / np.var(a, axis=0).sum(),
        "shrinkage": np.mean(lengths[1] / lengths[0]),
        "completeness": completeness,
        "sfc_reconstruction": 3 / np.sum(1 / axes) if (axes > 0).all() else 0.0,
        "rank": int(np.linalg.matrix_rank(w.astype(np.float32))),
        "dead": int(np.sum(frequency == 0)),
        "dense": int(np.sum(frequency > 0.1)),
        "frequencies": np.histogram(frequency[frequency > 0], bins=edges)[0].tolist(),
        "mean_max_cosine": largest.mean(),
        "max_cosines": np.histogram(largest, bins=np.linspace(-1, 1, 41))[0].tolist(),
    }


def cases():
    for file, (array, values) in ACTIVATIONS.items():
        x = torch_of(values)
        config, tensors = ALL["standard"]
        yield (
            {"name": f"standard on {file}", "activations": file.split(":")[0], "array": array, "sae": "sae_standard"},
            measure(x, *run_sae(config, tensors, x)),
        )
    readout = rng.standard_normal((O, D)).astype(np.float32)
    bias = rng.standard_normal(O).astype(np.float32)
    npy("readout.npy", readout)
    npy("readout_bias.npy", bias)
    x = torch_of(A32)
    base = {"activations": "acts_f32.npy", "array": None}
    for name, (config, tensors) in ALL.items():
        yield base | {"name": name, "sae": f"sae_{name}"}, measure(x, *run_sae(config, tensors, x))
    config, tensors = ALL["topk"]
    yield (
        base | {"name": "topk with a readout", "sae": "sae_topk", "readout": "readout.npy", "bias": "readout_bias.npy"},
        measure(x, *run_sae(config, tensors, x), readout.astype(np.float64), bias.astype(np.float64)),
    )
    few = DIRECTIONS[:7].astype(np.float32)
    # Sixteen rows of rank 5: exact in float32, so that the rank is no matter of rounding.
    small = rng.integers(-4, 5, (5, D)).astype(np.float32)
    deficient = np.concatenate([small, small[::-1], 2 * small, small[:1]])
    codes = (mixture[:, :7] * 0.9).astype(np.float32)
    npy("dictionary_few.npy", few)
    npy("dictionary_many.npy", DIRECTIONS.astype(np.float32))
    npy("dictionary_deficient.npy", deficient)
    npy("codes.npy", codes)
    yield (
        base | {"name": "codes given", "dictionary": "dictionary_few.npy", "codes": "codes.npy"},
        measure(x, codes.astype(np.float64), codes.astype(np.float64) @ few, few),
    )
    for file, w in [
        ("dictionary_few.npy", few),
        ("dictionary_many.npy", DIRECTIONS.astype(np.float32)),
        ("dictionary_deficient.npy", deficient),
    ]:
        w64 = w.astype(np.float64)
        projection = A32.astype(np.float64) @ w64.T
        least = A32.astype(np.float64) @ np.linalg.pinv(w64, rcond=1e-6)
        for by, c in [("projection", projection), ("least-squares", least)]:
            yield (
                base | {"name": f"{by} on {file}", "dictionary": file, "codes_by": by, "readout": "readout.npy"},
                measure(x, c, c @ w64, w64, readout.astype(np.float64), 0.0),
            )


if __name__ == "__main__":
    check = sys.argv[1:] == ["--check"]
    HERE.mkdir(exist_ok=True)
    old = json.loads((HERE / "expected.json").read_text()) if check else None
    write_activations()
    ALL = saes()
    found = [{**case, "expected": expected} for case, expected in cases()]
    text = json.dumps({"versions": {"torch": torch.__version__, "numpy": np.__version__}, "cases": found}, indent=1)
    if check:
        worst = 0.0

        def compare(a, b):
            global worst
            if isinstance(a, dict):
                assert a.keys() == b.keys()
                [compare(a[key], b[key]) for key in a]
            elif isinstance(a, list):
                assert len(a) == len(b)
                [compare(x, y) for x, y in zip(a, b)]
            elif isinstance(a, float):
                worst = max(worst, abs(a - b) / max(abs(b), 1e-300))
            else:
                assert a == b, (a, b)

        compare(json.loads(text)["cases"], old["cases"])
        print(f"largest relative difference {worst:.1e}")
        sys.exit(worst > 1e-9)
    (HERE / "expected.json").write_text(text + "\n")
    print(f"{len(found)} cases")
