//! An evaluation as a NumPy program that reads the same files, known by their digests.

use std::fmt::Write;

use super::inputs::{CodesSource, DecompositionInput};
use super::plan::EvaluationPlan;
use super::report::Variance;
use super::{ArrayRef, CodesBy, EvaluationError, EvaluationReport, Reading, SkipRules};
use crate::io::{DType, Format, MatrixView};
use crate::papers::sfc::metric::fidelity::FidelityMode;
use crate::sae::{Architecture, Normalisation, SaeFolder, TranscoderStatus};
use crate::settings::format_number;

/// A program that computes what was found, with nothing but NumPy, from the same files: it looks for
/// them by name in the folder it is run in (or the one it is given) and refuses files with other
/// bytes. It prints tables, and with `--json` the same at full precision under the report's names.
///
/// It holds only what this evaluation needs, names the paper's equations, and is plain ASCII but for
/// the files' names.
///
/// # Errors
/// [`EvaluationError::Sae`] where a file cannot be read for its digest; as [`check_has_script`].
pub fn evaluation_script(plan: &EvaluationPlan, found: &EvaluationReport) -> Result<String, EvaluationError> {
    check_has_script(plan)?;
    let mut out = String::with_capacity(8_000);
    out.push_str(&script_header(plan, found)?);
    let picked = plan.inputs.arrays();
    let formats = |wanted: Format| picked.iter().any(|(_, p)| p.file().detected_format() == wanted);
    let weights = match &plan.inputs.decomposition {
        DecompositionInput::Sae(folder) | DecompositionInput::Transcoder { folder, .. } => {
            Some(folder.weights.detected_format())
        }
        DecompositionInput::Dictionary { .. } => None,
    };
    if weights == Some(Format::Safetensors) || formats(Format::Safetensors) {
        out.push_str(SAFETENSORS_READER);
    }
    if weights == Some(Format::Pt) || formats(Format::Pt) {
        out.push_str(PYTORCH_READER);
    }
    out.push_str(&activations_code(plan));
    out.push_str(&decomposition_code(plan));
    out.push_str(&measures_code(plan, found));
    out.push_str(&PRINT_CODE.replace("{READING}", found.reading.name()));
    Ok(out)
}

/// Whether [`evaluation_script`] has a program for what is evaluated.
///
/// # Errors
/// [`EvaluationError::Sae`] with the field `script` for architectures and codes that it has none for.
pub fn check_has_script(plan: &EvaluationPlan) -> Result<(), EvaluationError> {
    if let Some(folder) = plan.inputs.decomposition.folder() {
        check_supported(folder)?;
    }
    match plan.inputs.decomposition.given_codes().filter(|codes| codes.is_derived()) {
        Some(codes) => {
            let (file, found) = (codes.file().name(), "codes that are not 0, with their places");
            Err(EvaluationError::invalid_config(file, "script", found, "codes as a matrix"))
        }
        None => Ok(()),
    }
}

/// A word as Python has it in quotes.
fn python_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn script_header(plan: &EvaluationPlan, found: &EvaluationReport) -> Result<String, EvaluationError> {
    let mut digests = String::new();
    let mut seen: Vec<String> = Vec::new();
    let known = found.files.iter().all(|file| file.sha256.is_some());
    for file in if known { found.files.clone() } else { plan.digest_files()? } {
        if !seen.contains(&file.file) {
            let digest = file.sha256.unwrap_or_default();
            let _ = writeln!(digests, "    {}:\n        \"{digest}\",", python_string(&file.file));
            seen.push(file.file);
        }
    }
    Ok(format!(
        "#!/usr/bin/env python3
\"\"\"The SFC-Score of a decomposition of activations in files, in NumPy alone.

Written by sfc-bench {}. Run in the folder of the files, or with that folder as its
argument, it prints tables; with --json, the same numbers at full precision. Equations in the
comments are the SFC-Score paper's.
\"\"\"
import hashlib
import json
import sys
from pathlib import Path

import numpy as np

FOLDER = Path(next((word for word in sys.argv[1:] if not word.startswith(\"--\")), \".\"))
SHA256 = {{
{digests}}}
for name, wanted in SHA256.items():
    if hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() != wanted:
        sys.exit(f\"{{name}} is not the file that was evaluated\")

",
        env!("CARGO_PKG_VERSION")
    ))
}

const SAFETENSORS_READER: &str = "
def tensors(name):
    \"\"\"All tensors of a .safetensors file, in double precision.\"\"\"
    data = (FOLDER / name).read_bytes()
    size = int.from_bytes(data[:8], \"little\")
    types = {\"F16\": \"<f2\", \"BF16\": \"<u2\", \"F32\": \"<f4\", \"F64\": \"<f8\", \"I8\": \"i1\", \"U8\": \"u1\",
             \"I16\": \"<i2\", \"U16\": \"<u2\", \"I32\": \"<i4\", \"U32\": \"<u4\", \"I64\": \"<i8\", \"U64\": \"<u8\"}
    found = {}
    for name, info in json.loads(data[8:8 + size]).items():
        if info.get(\"dtype\") in types:
            start, end = (8 + size + offset for offset in info[\"data_offsets\"])
            values = np.frombuffer(data[start:end], types[info[\"dtype\"]])
            if info[\"dtype\"] == \"BF16\":  # the upper half of a float32
                values = (values.astype(np.uint32) << 16).view(np.float32)
            found[name] = values.astype(np.float64).reshape(info[\"shape\"])
    return found

";

const PYTORCH_READER: &str = "
def tensors_of_pytorch(name):
    \"\"\"All tensors of a file of PyTorch's by the keys on the way to them, in double precision.\"\"\"
    import torch  # reads the file; nothing is computed with it
    found, left = {}, [(\"\", torch.load(FOLDER / name, map_location=\"cpu\", weights_only=True))]
    while left:
        at, value = left.pop()
        if isinstance(value, torch.Tensor):
            found[at] = value.double().numpy()
        elif isinstance(value, (dict, list, tuple)):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            left += [(f\"{at}.{key}\" if at else str(key), item) for key, item in items]
    return found

";

/// An array, in double precision.
fn array_expression(picked: &ArrayRef) -> String {
    let (file, array) = (python_string(picked.file().name()), picked.array());
    let name = python_string(array.name());
    let bf16 = array.description().dtype == DType::BFloat16;
    let raw = match picked.file().detected_format() {
        Format::Safetensors => return format!("tensors({file})[{name}]"),
        Format::Pt => return format!("tensors_of_pytorch({file})[{name}]"),
        Format::Npy => format!("np.load(FOLDER / {file})"),
        Format::Npz => format!("np.load(FOLDER / {file})[{name}]"),
        Format::Csv if let Some((header, index)) = picked.file().header_and_index() => {
            let (from, column) = (header.unwrap_or(0), usize::from(index));
            return format!(
                "np.array([[float(x.strip(' \"')) for x in line.split(\",\")[{column}:]] for line in\n              \
                 (FOLDER / {file}).read_text(\"utf-8-sig\").splitlines()[{from}:]\n              \
                 if line.strip() and line[:1] != \"#\"])"
            );
        }
        Format::Csv => {
            return format!(
                "np.array([[float(x) for x in line.split(\",\")] for line in\n              \
                 (FOLDER / {file}).read_text().splitlines()\n              \
                 if line[:1] in set(\"0123456789-+.\")])"
            );
        }
    };
    if bf16 {
        // NumPy alone has no such type; its bytes are the upper half of a float32.
        let order = if array.is_big_endian() { ">u2" } else { "<u2" };
        format!("({raw}.view(\"{order}\").astype(np.uint32) << 16).view(np.float32).astype(float)")
    } else {
        format!("{raw}.astype(np.float64)")
    }
}

fn activations_code(plan: &EvaluationPlan) -> String {
    let arrays: Vec<String> = plan.inputs.activations.parts().map(array_expression).collect();
    // Heads of one row stand side by side.
    let width = match plan.inputs.activations.array().view() {
        MatrixView::RowsOfWidth(width) => width.to_string(),
        _ => "A.shape[-1]".to_owned(),
    };
    let mut out = match arrays.as_slice() {
        [array] => format!("A = {array}\nA = A.reshape(-1, {width})  # N x D\n"),
        several => {
            let several = several.join(",\n    ");
            format!(
                "A = [\n    {several},\n]\n\
                 A = np.concatenate([a.reshape(-1, {}) for a in A])  # N x D\n",
                width.replace('A', "a")
            )
        }
    };
    out.push_str(&skip_code(plan));
    match &plan.inputs.readout {
        None => out.push_str("readout = lambda a: a  # none was given: f is the identity\n"),
        Some(readout) => {
            let _ = writeln!(out, "W_out = {}", matrix_expression(readout));
            match &plan.inputs.readout_bias {
                None => out.push_str("readout = lambda a: a @ W_out.T\n"),
                Some(bias) => {
                    let _ = writeln!(out, "b_out = {}.ravel()", array_expression(bias));
                    out.push_str("readout = lambda a: a @ W_out.T + b_out\n");
                }
            }
        }
    }
    out
}

/// Leaves out the rows that the evaluation does.
fn skip_code(plan: &EvaluationPlan) -> String {
    let SkipRules { zero_rows, rows, norm_above } = &plan.skip;
    if plan.skip.skips_nothing() {
        return String::new();
    }
    let mut out = "keep = np.ones(len(A), dtype=bool)  # rows that are not left out\n".to_owned();
    if let Some(rows) = rows {
        let ranges = rows.ranges().iter().map(|(first, last)| format!("({first}, {last})"));
        let ranges = ranges.collect::<Vec<String>>().join(", ");
        let _ = writeln!(out, "for first, last in [{ranges}]:\n    keep[first:last + 1] = False");
    }
    if plan.skip.needs_lengths() {
        out.push_str("length = np.linalg.norm(A, axis=1)\n");
    }
    if let Some(times) = norm_above {
        let _ = writeln!(
            out,
            "others = length[keep & (length > 0)]\n\
             if len(others):\n    keep &= length <= {} * np.median(others)",
            format_number(*times)
        );
    }
    if *zero_rows {
        out.push_str("keep &= length > 0\n");
    }
    out.push_str("A = A[keep]\n");
    out
}

/// An array as a matrix, as it is read.
fn matrix_expression(picked: &ArrayRef) -> String {
    let transpose = if picked.is_transposed() { ".T" } else { "" };
    format!("np.atleast_2d({}){transpose}", array_expression(picked))
}

fn decomposition_code(plan: &EvaluationPlan) -> String {
    match &plan.inputs.decomposition {
        DecompositionInput::Sae(folder) | DecompositionInput::Transcoder { folder, .. } => {
            let mut out = String::new();
            write_autoencoder(folder, &mut out);
            out
        }
        DecompositionInput::Dictionary { dictionary, codes } => {
            let mut out = format!("W = {}  # K x D\n", matrix_expression(dictionary));
            let only = if plan.skip.skips_nothing() { "" } else { "[keep]" };
            let codes = match codes {
                CodesSource::Computed(CodesBy::Projection) => "A @ W.T".to_owned(),
                CodesSource::Computed(CodesBy::Top(kept)) => {
                    let _ = writeln!(
                        out,
                        "z = A @ W.T\n\
                         best = np.argsort(-np.abs(z), axis=1, kind=\"stable\")[:, :{kept}]\n\
                         largest = np.zeros_like(z)\n\
                         np.put_along_axis(largest, best, np.take_along_axis(z, best, axis=1), axis=1)"
                    );
                    "largest".to_owned()
                }
                CodesSource::Computed(CodesBy::LeastSquares) => {
                    // Singular values that single precision does not resolve count as none.
                    "A @ np.linalg.pinv(W, rcond=max(W.shape) * np.finfo(np.float32).eps)".to_owned()
                }
                // Of controls, which are in no file.
                CodesSource::TopAboutMean { .. } => String::new(),
                CodesSource::FromFile(codes)
                | CodesSource::FromFileWithBias { codes, .. }
                | CodesSource::FromFileWithReconstruction { codes, .. } => {
                    format!("{}{only}", matrix_expression(codes))
                }
            };
            if let Some(made) = plan.inputs.decomposition.reconstruction() {
                let _ = writeln!(out, "codes = {codes}  # N x K\nA_hat = {}{only}  # N x D", matrix_expression(made));
                return out;
            }
            let bias = plan.inputs.decomposition.decoder_bias();
            let bias = bias.map_or_else(String::new, |bias| format!(" + {}.ravel()", array_expression(bias)));
            let _ = writeln!(out, "codes = {codes}  # N x K\nA_hat = codes @ W{bias}");
            out
        }
    }
}

/// Refuses what no program is written for.
fn check_supported(folder: &SaeFolder) -> Result<(), EvaluationError> {
    let config = &folder.config;
    let plain = match config.architecture {
        Architecture::AbsTopK { .. } | Architecture::GroupMax { .. } | Architecture::MatchingPursuit { .. } => false,
        Architecture::TopK { .. } => !config.gates_by_decoder_norm,
        _ => true,
    };
    let views = folder.weights.arrays().iter().map(|array| array.view());
    let plain = plain
        && config.transcoder != TranscoderStatus::Yes
        && config.normalisation != Normalisation::Whitening
        && config.bias_factor.is_none()
        && views
            .into_iter()
            .all(|view| matches!(view, MatrixView::AsStored | MatrixView::Transposed | MatrixView::Flat));
    if plain {
        return Ok(());
    }
    let (file, found) = (folder.weights.name(), folder.recognised().describe());
    let allowed = "autoencoders of the architectures standard, topk, batchtopk, jumprelu and gated";
    Err(EvaluationError::invalid_config(file, "script", found, allowed))
}

/// The tensors by SAELens' names.
fn tensors_code(folder: &SaeFolder) -> String {
    let (weights, file) = (&folder.weights, python_string(folder.weights.name()));
    let all = match weights.detected_format() {
        Format::Pt => format!("tensors_of_pytorch({file})"),
        Format::Npz => format!("np.load(FOLDER / {file})"),
        _ => format!("tensors({file})"),
    };
    let mut out = format!("T = {all}\n");
    if weights.detected_format() == Format::Npz
        || weights.arrays().iter().any(|array| array.display_name() != array.name())
    {
        out.push_str("T = {\n");
        for array in weights.arrays() {
            let (called, name) = (python_string(array.display_name()), python_string(array.name()));
            let turned = if array.view() == MatrixView::Transposed { ".T" } else { "" };
            let _ = writeln!(out, "    {called}: T[{name}]{turned}.astype(np.float64),");
        }
        out.push_str("}\n");
    }
    out
}

fn write_autoencoder(folder: &SaeFolder, out: &mut String) {
    let config = &folder.config;
    out.push_str(&tensors_code(folder));
    let has = |name: &str| folder.weights.names().any(|other| other == name);
    if !has("b_dec") {
        out.push_str("T[\"b_dec\"] = np.zeros(T[\"W_dec\"].shape[1])  # the decoder has none\n");
    }
    if config.architecture == Architecture::JumpRelu {
        if let Some(threshold) = config.threshold {
            let _ = writeln!(out, "T[\"threshold\"] = {}", format_number(threshold));
        } else if !has("threshold") {
            out.push_str("T[\"threshold\"] = np.exp(T[\"log_threshold\"])\n");
        }
        if config.gates_by_decoder_norm {
            out.push_str("T[\"threshold\"] = T[\"threshold\"] / np.linalg.norm(T[\"W_dec\"], axis=1)\n");
        }
    }
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    line("W, W_enc, b_dec = T[\"W_dec\"], T[\"W_enc\"], T[\"b_dec\"]  # K x D, D x K, D");
    if config.weight_factor() != 1.0 {
        let factor = format_number(config.weight_factor());
        let fold = |name: &str, by: &str| match folder.weights.array(name) {
            Ok(array) if array.dtype().exceeds_f32() => by.to_owned(),
            _ => format!("({by}).astype(np.float32).astype(np.float64)"),
        };
        line(&format!("scale = {factor}  # folded into the weights, which stay of their type"));
        line(&format!("W_enc = {}", fold("W_enc", "W_enc * scale")));
        line(&format!("W = {}", fold("W_dec", "W / scale")));
        if !config.keeps_decoder_bias {
            line("b_dec = b_dec / scale");
        }
    }
    match config.normalisation {
        Normalisation::None | Normalisation::Whitening => line("x = A"),
        Normalisation::ConstantNorm => {
            line("length = np.linalg.norm(A, axis=1, keepdims=True)");
            line("x = A * (np.sqrt(A.shape[1]) / length)");
        }
        Normalisation::LayerNorm => {
            line("mean = A.mean(axis=1, keepdims=True)");
            line("deviation = A.std(axis=1, ddof=1, keepdims=True)");
            line("x = (A - mean) / (deviation + 1e-5)");
        }
    }
    if config.apply_b_dec_to_input {
        line("x = x - b_dec");
    }
    line("z = x @ W_enc");
    let gated = config.architecture == Architecture::Gated;
    if gated {
        line("magnitude = np.maximum(z * np.exp(T[\"r_mag\"]) + T[\"b_mag\"], 0)");
        line("codes = np.where(z + T[\"b_gate\"] > 0, magnitude, 0)  # N x K");
    } else {
        line("z = z + T[\"b_enc\"]");
    }
    if config.rescale_acts_by_decoder_norm {
        line("lengths = np.linalg.norm(W, axis=1)");
        if !gated {
            line("z = z * lengths");
        }
    }
    match config.architecture {
        // No program is written for the last three.
        Architecture::Gated
        | Architecture::AbsTopK { .. }
        | Architecture::GroupMax { .. }
        | Architecture::MatchingPursuit { .. } => {}
        Architecture::Standard => line("codes = np.maximum(z, 0)  # N x K"),
        Architecture::TopK { k } => {
            line(&format!("best = np.argsort(-z, axis=1, kind=\"stable\")[:, :{k}]"));
            line("codes = np.zeros_like(z)  # N x K");
            line("kept = np.maximum(np.take_along_axis(z, best, axis=1), 0)");
            line("np.put_along_axis(codes, best, kept, axis=1)");
        }
        Architecture::JumpRelu => {
            line("codes = np.where(z > np.maximum(T[\"threshold\"], 0), z, 0)  # N x K");
        }
        Architecture::BatchTopK => {
            line("threshold = T.get(\"threshold\", T.get(\"topk_threshold\"))");
            if config.rescale_acts_by_decoder_norm && config.weight_factor() != 1.0 {
                line("threshold = threshold / scale");
            }
            line("codes = np.where(z > np.maximum(threshold, 0), z, 0)  # N x K");
        }
    }
    line(if config.rescale_acts_by_decoder_norm {
        "A_hat = (codes / lengths) @ W + b_dec"
    } else {
        "A_hat = codes @ W + b_dec"
    });
    match config.normalisation {
        Normalisation::None | Normalisation::Whitening => {}
        Normalisation::ConstantNorm => line("A_hat = A_hat * (length / np.sqrt(A.shape[1]))"),
        Normalisation::LayerNorm => line("A_hat = A_hat * deviation + mean"),
    }
}

fn measures_code(plan: &EvaluationPlan, found: &EvaluationReport) -> String {
    let weights = plan.options.weights.values().map(format_number).join(", ");
    let fidelity = match plan.options.fidelity {
        FidelityMode::Cosine => "cosine",
        FidelityMode::R2 => "r2",
        FidelityMode::RelMse => "one_minus_rel_mse",
    };
    let variance = match plan.options.variance {
        Variance::Total => "total",
        Variance::Grand => "grand",
    };
    let active = found.completeness.iter().find(|c| c.reading == Reading::ActiveSubspace);
    MEASURES_CODE
        .replace("{WEIGHTS}", &weights)
        .replace("{FIDELITY}", fidelity)
        .replace("{VARIANCE}", variance)
        .replace("{ACTIVE_ROWS}", &active.map_or(0, |c| c.rows).to_string())
        .replace("{COMPARED}", &found.similarity.compared.to_string())
}

const MEASURES_CODE: &str = "
N, K = codes.shape
active = np.abs(codes) > 1e-6
S = 1 - active.mean()  # Eq. 1

dots = np.sum(A * A_hat, axis=1)
long, long_hat = np.linalg.norm(A, axis=1), np.linalg.norm(A_hat, axis=1)
error, variance = np.sum((A - A_hat) ** 2), np.sum((A - A.mean(axis=0)) ** 2)
F = {  # Eq. 2, and two others
    \"cosine\": np.mean(dots / (long * long_hat + 1e-10)),
    \"r2\": 1 - error / variance,
    \"one_minus_rel_mse\": 1 - error / np.sum(A ** 2),
    \"frac_variance_explained\": 1 - np.var(A - A_hat, axis=0).sum() / np.var(A, axis=0).sum(),
    \"shrinkage\": np.mean(long_hat[long > 0] / long[long > 0]),
}


def project(a, rows):
    \"\"\"Rows of a on the span of some rows of the dictionary.\"\"\"
    if not np.any(rows):
        return np.zeros_like(a)
    _, s, V = np.linalg.svd(rows, full_matrices=False)
    # What single precision does not resolve is no direction.
    V = V[s > s[0] * max(rows.shape) * np.finfo(np.float32).eps]
    return a @ V.T @ V


def completeness(a, projected):
    \"\"\"C (Eq. 3), over the variance about the mean output and about one grand mean.\"\"\"
    y, y_hat = readout(a), readout(projected)
    lost = np.sum((y - y_hat) ** 2)
    return {
        \"total\": 1 - lost / np.sum((y - y.mean(axis=0)) ** 2),
        \"grand\": 1 - lost / np.sum((y - y.mean()) ** 2),
    }


some = np.arange({ACTIVE_ROWS}) * N // {ACTIVE_ROWS}
C = {
    \"row-space\": completeness(A, project(A, W)),
    \"reconstruction\": completeness(A, A_hat),
    \"active-subspace\": completeness(
        A[some], np.array([project(A[i], W[active[i]]) for i in some])),
}


def sfc(*axes):
    \"\"\"SFC (Eq. 4): the weighted harmonic mean; 0 where an axis is not positive.\"\"\"
    pairs = [(w, x) for w, x in zip([{WEIGHTS}], axes) if w > 0]
    defined = all(x > 0 for _, x in pairs)
    return sum(w for w, _ in pairs) / sum(w / x for w, x in pairs) if defined else 0.0


frequency = active.mean(axis=0)
edges = [0, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0]
lengths = np.linalg.norm(W, axis=1)
unit = W[lengths > 0] / lengths[lengths > 0, None]
compared = np.arange({COMPARED}) * K // {COMPARED}
compared = (np.cumsum(lengths > 0) - 1)[compared[lengths[compared] > 0]]
cosines = unit[compared] @ unit.T
cosines[np.arange(len(compared)), compared] = -np.inf
largest = cosines.max(axis=1).clip(-np.inf, 1)
largest = largest[np.isfinite(largest)]
found = {
    \"rows\": N,
    \"k\": K,
    \"sparsity\": S,
    \"l0\": active.sum(axis=1).mean(),
    **F,
    \"completeness\": C,
    \"sfc\": {name: sfc(S, F[\"{FIDELITY}\"], c[\"{VARIANCE}\"]) for name, c in C.items()},
    \"dead\": int(np.sum(frequency == 0)),
    \"dense\": int(np.sum(frequency > 0.1)),
    \"frequencies\": np.histogram(frequency[frequency > 0], bins=edges)[0].tolist(),
    \"mean_max_cosine\": largest.mean() if len(largest) else None,
    \"max_cosines\": np.histogram(largest, bins=np.linspace(-1, 1, 41))[0].tolist(),
}
";

const PRINT_CODE: &str = "
if \"--json\" in sys.argv:
    print(json.dumps(found, indent=2))
else:
    for name in [\"sparsity\", \"l0\", *F, \"dead\", \"dense\", \"mean_max_cosine\"]:
        print(f\"{name:<32} {found[name]}\")
    for name, c in C.items():
        print(f\"{'completeness, ' + name:<32} {c['total']}  (grand: {c['grand']})\")
    print(f\"{'SFC, {READING}':<32} {found['sfc']['{READING}']}\")
";
