//! What is known of subjects, by name, and which metrics share a term with it or cannot see a control.

/// The names of truths, in the order in which they are shown.
pub const TRUTHS: [&str; 9] =
    [DIRECTIONS, ACTIVATIONS, SUBSPACE, STEERING, ABLATION, PROBING, OVERLAP, ACCURACY, NOISE];

/// Whether planted directions are among a decoder's.
pub(super) const DIRECTIONS: &str = "directions";
/// Whether latents are active where what is planted is present.
pub(super) const ACTIVATIONS: &str = "activations";
/// How much of the planted circuit's subspace a reconstruction keeps.
pub(super) const SUBSPACE: &str = "subspace";
/// Whether adding a latent's direction changes the output as planted.
pub(super) const STEERING: &str = "steering";
/// Whether taking a latent's contribution away removes what was planted.
pub(super) const ABLATION: &str = "ablation";
/// Whether few latents predict what is planted.
pub(super) const PROBING: &str = "probing";
/// How many heads of a circuit are there.
pub(super) const OVERLAP: &str = "overlap";
/// How well a model does on harder prompts.
pub(super) const ACCURACY: &str = "accuracy";
/// Less the noise or shift that was planted.
pub(super) const NOISE: &str = "noise";

/// Where a truth and metrics share a term: the truth, the only setting where they do or none for all, what the
/// metrics' ids begin with. The protocol gives the reasons.
const SHARED_TERMS: [(&str, Option<&str>, &[&str]); 7] = [
    (SUBSPACE, None, &["sfc.f", "sfc.c.", "sfc.score."]),
    (ACTIVATIONS, None, &["fade.responsiveness.", "fade.purity.", "fade.clarity.", "ce-bench.winner."]),
    (PROBING, None, &["fade.clarity."]),
    (STEERING, None, &["fade.faithfulness."]),
    (OVERLAP, Some("tasks"), &["mib."]),
    (ACCURACY, None, &["mui.performance", "mui.pur."]),
    (NOISE, None, &["ex2.", "ex24.", "ex25."]),
];

/// Whether a metric shares a term with a truth of a setting.
pub(super) fn shares_term(truth: &str, setting: &str, metric: &str) -> bool {
    SHARED_TERMS.iter().any(|(of, only, metrics)| {
        *of == truth && only.is_none_or(|only| only == setting) && metrics.iter().any(|begin| metric.starts_with(begin))
    })
}

/// What the ids of metrics begin with that do not read which direction belongs to which latent.
const CODES_ONLY_PREFIXES: [&str; 10] = [
    "sfc.s",
    "sfc.c.row-space",
    "m07.agreement.code",
    "m07.agreement.document",
    "m10.",
    "m12.",
    "ex34.",
    "fade.clarity.",
    "fade.responsiveness.",
    "fade.purity.",
];

/// Whether a control changes nothing that a metric reads: a decoder in another order, to a metric of codes.
pub(super) fn is_blind_to_control(metric: &str, control: &str) -> bool {
    let of_codes = || {
        let exact = |begin: &&str| !begin.ends_with('.') && *begin == metric;
        let within = |begin: &&str| begin.ends_with('.') && metric.starts_with(*begin);
        CODES_ONLY_PREFIXES.iter().any(|begin| exact(begin) || within(begin)) || metric.starts_with("ce-bench.")
    };
    control == "permuted" && of_codes()
}
