//! A run as a short NumPy program, for whoever would rather believe their own interpreter.

use std::fmt::Write;

use super::metric::completeness::{CompletenessReading, PAPER_ROW_COUNT};
use super::metric::fidelity::FidelityMode;
use super::metric::score::Weights;
use super::settings::{SIZE_SWEEP_LEVEL, Settings};
use crate::settings::format_number;

/// Columns a line of the script may take.
const LINE_WIDTH: usize = 96;

/// A program that computes what the core does for these settings, with nothing but NumPy: every
/// level, every dictionary size, the hypervolume and the front. It prints tables, and with `--json`
/// the same at full precision under the names of [`Point`](crate::papers::sfc::Point)'s fields.
///
/// It holds only what these settings need (no noise, no line about noise), names the paper's
/// equations, and is plain ASCII.
#[must_use]
pub fn numpy_script(settings: &Settings) -> String {
    let mut out = String::with_capacity(6_000);
    for part in [
        write_heading(settings),
        write_constants(settings),
        write_network(settings),
        write_dictionary(settings),
        write_completeness(settings),
        write_score(settings.weights()),
        RATE_FUNCTION.to_owned(),
        write_measurement(settings),
        PROGRAM_END.to_owned(),
    ] {
        out.push_str(&part);
    }
    out
}

fn write_heading(settings: &Settings) -> String {
    let recipe =
        if *settings == Settings::default() { "the paper's settings" } else { "settings other than the paper's" };
    format!(
        "#!/usr/bin/env python3
\"\"\"The SFC-Score of decompositions of a network with a planted circuit, in NumPy alone.

Written by sfc-bench {} for {recipe}.
Run as it is, it prints tables; with --json, the same numbers at full precision. Sections and
equations in the comments are the paper's.
\"\"\"
import json
import sys

import numpy as np

",
        env!("CARGO_PKG_VERSION")
    )
}

fn write_constants(settings: &Settings) -> String {
    let paper = Settings::default();
    let shape = settings.shape();
    let counts = |counts: &[usize]| counts.iter().map(usize::to_string).collect();
    let numbers = |values: &[f64]| values.iter().map(|value| format_number(*value)).collect();
    let mut out = format!(
        "INPUTS, HIDDEN, OUTPUTS = {}, {}, {}\n\
         CIRCUIT = {}  # hidden units that reach the output\n\
         SAMPLES = {}{}\n\
         K = {}  # dictionary size{}\n",
        shape.inputs,
        shape.hidden,
        shape.outputs,
        shape.circuit,
        settings.samples(),
        paper_comment("  # ", &settings.samples(), &paper.samples()),
        settings.k(),
        paper_comment("; ", &settings.k(), &paper.k()),
    );
    out += &format_list("LEVELS", numbers(settings.levels()), "share of each row's codes that is zeroed");
    out += &format_list("SIZES", counts(&settings.swept_sizes()), "dictionary sizes of Table 6");
    out += &format_list("WEIGHTS", numbers(&settings.weights().values()), "of S, F, C");
    out
}

/// A comment on the paper's value, where it is another.
fn paper_comment<T: PartialEq + ToString>(start: &str, value: &T, paper: &T) -> String {
    if value == paper { String::new() } else { format!("{start}the paper has {}", paper.to_string()) }
}

/// A list as Python has it, on as many lines as it takes.
fn format_list(name: &str, items: Vec<String>, about: &str) -> String {
    let inline = format!("{name} = [{}]", items.join(", "));
    if inline.len() + about.len() + 4 <= LINE_WIDTH {
        return format!("{inline}  # {about}\n");
    }
    let mut out = format!("{name} = [  # {about}\n   ");
    let mut column = 3;
    for item in items {
        if column + item.len() + 2 > LINE_WIDTH {
            out.push_str("\n   ");
            column = 3;
        }
        out.push(' ');
        out.push_str(&item);
        out.push(',');
        column += item.len() + 2;
    }
    out.push_str("\n]\n");
    out
}

fn write_network(settings: &Settings) -> String {
    let paper = Settings::default();
    let [w, b, noise] = [settings.weight_scale(), settings.bias_scale(), settings.noise()].map(format_number);
    let seed = |seed: u32, paper: u32| paper_comment("  # ", &seed, &paper);
    let mut out = format!(
        "
# The planted network (4.1): y = W2 relu(W1 x + b1) + b2; only the circuit's columns of W2 are
# not zero. RandomState is NumPy's frozen generator: the same numbers everywhere.
rng = np.random.RandomState({}){}
circuit = np.sort(rng.choice(HIDDEN, CIRCUIT, replace=False))
W1 = {w} * rng.randn(HIDDEN, INPUTS){}
b1 = {b} * rng.randn(HIDDEN){}
W2 = np.zeros((OUTPUTS, HIDDEN))
W2[:, circuit] = 0.5 * rng.randn(OUTPUTS, CIRCUIT)
b2 = {b} * rng.randn(OUTPUTS)

# Its hidden activations on random inputs, one row a sample.
rng = np.random.RandomState({}){}
X = rng.randn(SAMPLES, INPUTS)
H = np.maximum(X @ W1.T + b1, 0)
",
        settings.model_seed(),
        seed(settings.model_seed(), paper.model_seed()),
        paper_comment("  # ", &w, &format_number(paper.weight_scale())),
        paper_comment("  # ", &b, &format_number(paper.bias_scale())),
        settings.data_seed(),
        seed(settings.data_seed(), paper.data_seed()),
    );
    if settings.noise() > 0.0 {
        let _ = writeln!(out, "H += {noise} * rng.randn(SAMPLES, HIDDEN)  # noise; none in the paper");
    }
    out
}

fn write_dictionary(settings: &Settings) -> String {
    let (about, matrix) = if settings.centred() {
        ("activations about\n# their mean (the paper does not centre them)", "H - mean")
    } else {
        ("uncentred activations", "H")
    };
    let mean = if settings.centred() { "mean = H.mean(axis=0)\n" } else { "" };
    format!(
        "
# The dictionary: the right singular vectors, a row each, of the {about}.
{mean}_, s, V = np.linalg.svd({matrix}, full_matrices=False)
rank = np.sum(s > s[0] * max(H.shape) * np.finfo(float).eps)

"
    )
}

fn write_completeness(settings: &Settings) -> String {
    let projected = if settings.centred() { "mean + (a - mean) @ D.T @ D" } else { "a @ D.T @ D" };
    match settings.completeness() {
        CompletenessReading::Paper => format!(
            "
def completeness(D):
    \"\"\"C (Eq. 3): how much of the output survives projecting the activations on D's rows.\"\"\"
    # The paper's digits come from {rows} random rows, and one variance over all their outputs.
    a = H[np.random.RandomState({seed}).choice(SAMPLES, {rows}, replace=False)]
    y, y_hat = (x @ W2.T + b2 for x in (a, {projected}))
    return 1 - np.mean((y - y_hat) ** 2) / np.var(y)

",
            rows = PAPER_ROW_COUNT.min(settings.samples()),
            seed = settings.completeness_seed(),
        ),
        CompletenessReading::Total => format!(
            "
def completeness(D):
    \"\"\"C (Eq. 3): how much of the output survives projecting the activations on D's rows.\"\"\"
    # The textbook reading: all rows, variance about the mean output. (The paper's is another.)
    a = H
    y, y_hat = (x @ W2.T + b2 for x in (a, {projected}))
    return 1 - np.sum((y - y_hat) ** 2) / np.sum((y - y.mean(axis=0)) ** 2)

"
        ),
    }
}

fn write_score(weights: Weights) -> String {
    // An axis without weight drops out; where all have one, no line need say so.
    let all = weights.values().into_iter().all(|weight| weight > 0.0);
    let pairs = if all {
        "    pairs = list(zip(WEIGHTS, axes))"
    } else {
        "    # An axis of weight 0 is left out.
    pairs = [(w, x) for w, x in zip(WEIGHTS, axes) if w > 0]"
    };
    format!(
        "
def sfc(*axes):
    \"\"\"SFC (Eq. 4): the weighted harmonic mean; 0 where an axis is not positive.\"\"\"
{pairs}
    defined = all(x > 0 for _, x in pairs)
    return sum(w for w, _ in pairs) / sum(w / x for w, x in pairs) if defined else 0.0

"
    )
}

const RATE_FUNCTION: &str = "
def rate(codes):
    \"\"\"Rate (3.5): mean entropy of a 30-bin histogram of each feature's codes, over ln 30.\"\"\"
    total = 0.0
    for feature in codes.T:
        p = np.histogram(feature, bins=30)[0] / len(feature)
        total -= np.sum(p[p > 0] * np.log(p[p > 0]))
    return total / (len(codes.T) * np.log(30))

";

fn write_measurement(settings: &Settings) -> String {
    let (codes, decoded) =
        if settings.centred() { ("(H - mean) @ D.T", "mean + codes @ D") } else { ("H @ D.T", "codes @ D") };
    let fidelity = match settings.fidelity() {
        FidelityMode::Cosine => {
            "    lengths = np.linalg.norm(H, axis=1) * np.linalg.norm(H_hat, axis=1)
    F = np.mean(np.sum(H * H_hat, axis=1) / (lengths + 1e-10))  # Eq. 2: mean cosine"
        }
        FidelityMode::R2 => "    F = 1 - error / np.sum((H - H.mean(axis=0)) ** 2)  # in place of Eq. 2: R squared",
        FidelityMode::RelMse => "    F = 1 - error / np.sum(H ** 2)  # in place of Eq. 2: one less the relative error",
    };
    format!(
        "
def measure(level, k):
    \"\"\"One decomposition on every axis: the first k directions, the weakest codes zeroed.\"\"\"
    D = V[:k]
    codes = {codes}
    drop = int(level * k)
    weakest = np.argsort(np.abs(codes), axis=1, kind=\"stable\")[:, :drop]
    np.put_along_axis(codes, weakest, 0, axis=1)
    H_hat = {decoded}
    error = np.sum((H - H_hat) ** 2)

    S = 1 - np.mean(np.abs(codes) > 1e-6)  # Eq. 1
{fidelity}
    C = completeness(D)
    return {{
        \"level\": float(level), \"k\": k,
        \"sparsity\": S, \"fidelity\": F, \"completeness\": C,
        \"c_gt\": np.mean(np.sum(D[:, circuit] ** 2, axis=0)),  # chance: k / HIDDEN
        \"sfc\": sfc(S, F, C),
        \"rate\": rate(codes),
        \"distortion\": error / H.size / np.var(H),
    }}


def table(points):
    lines = [points[0].keys()] if points else []
    lines += [[x if isinstance(x, int) else f\"{{x:.3f}}\" for x in p.values()] for p in points]
    return \"\\n\".join(\"\".join(f\"{{x:>13}}\" for x in line) for line in lines)


points = [measure(level, K) for level in LEVELS]
sizes = [measure({}, k) for k in SIZES if k <= rank]
",
        format_number(SIZE_SWEEP_LEVEL)
    )
}

const PROGRAM_END: &str = "\
axes = np.array([(p[\"sparsity\"], p[\"fidelity\"], p[\"completeness\"]) for p in points])

# The Pareto front (3.4): points that no other equals everywhere and betters somewhere.
dominated = [np.any(np.all(axes >= p, axis=1) & np.any(axes > p, axis=1)) for p in axes]
front = [i for i, beaten in enumerate(dominated) if not beaten]

# The hypervolume (Eq. 5), the volume of the union of the boxes from 0 to each point: between two
# neighbouring values of C it has one cross-section, a staircase in S and F.
hypervolume = floor = 0.0
boxes = [tuple(p) for p in axes if min(p) > 0]
for ceiling in sorted({c for _, _, c in boxes}):
    area = height = 0.0
    for s, f, c in sorted(boxes, reverse=True):
        if c >= ceiling and f > height:
            area += s * (f - height)
            height = f
    hypervolume += area * (ceiling - floor)
    floor = ceiling

if \"--json\" in sys.argv:
    print(json.dumps(dict(points=points, sizes=sizes, hypervolume=hypervolume, front=front)))
else:
    print(table(points), table(sizes), sep=\"\\n\\n\")
    print(f\"\\nHypervolume {hypervolume:.4f}; {len(front)} of {len(points)} points on the front\")
";
