//! What a circuit does without the rest of its model, and the model without the circuit.
//!
//! All of it compares sums of logit differences (right answer less wrong one) over the same prompts, so a model whose
//! sum is near 0 has no value: 0 stands for it, as in the reference code. Nothing is cut off at 0 or 1.

use crate::statistics::{StatisticsError, check_lengths, check_values};

/// Sums of logit differences closer to 0 than this are nothing.
pub const LOGIT_DIFFERENCE_SUM_MIN: f64 = 1e-8;

/// The share of the summed logit difference that is there after an edit.
fn remaining_share(clean: &[f64], edited: &[f64]) -> Result<Option<f64>, StatisticsError> {
    check_lengths(clean, edited)?;
    check_values("logit differences of the whole model", clean, 1)?;
    check_values("logit differences of the edited model", edited, 1)?;
    let whole: f64 = clean.iter().sum();
    Ok((whole.abs() >= LOGIT_DIFFERENCE_SUM_MIN).then(|| edited.iter().sum::<f64>() / whole))
}

/// How much of the behaviour the circuit has without all other heads.
///
/// # Formula
/// Σld(others mean-ablated) / Σld(whole model), over N prompts each. 1: as much as the whole model. 0 where the whole
/// model's sum is below 10⁻⁸.
///
/// # Errors
/// [`StatisticsError::Lengths`], [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::faithfulness;
/// assert_eq!(faithfulness(&[2.0, 3.0], &[1.0, 3.0])?, 0.8);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn faithfulness(clean: &[f64], others_ablated: &[f64]) -> Result<f64, StatisticsError> {
    Ok(remaining_share(clean, others_ablated)?.unwrap_or(0.0))
}

/// How much of the behaviour is gone with the circuit.
///
/// # Formula
/// 1 − Σld(circuit mean-ablated) / Σld(whole model), over N prompts each. 1: nothing is left. 0 where the whole
/// model's sum is below 10⁻⁸.
///
/// # Errors
/// As [`faithfulness`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::completeness;
/// assert_eq!(completeness(&[2.0, 3.0], &[-1.0, 1.0])?, 1.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn completeness(clean: &[f64], circuit_ablated: &[f64]) -> Result<f64, StatisticsError> {
    Ok(remaining_share(clean, circuit_ablated)?.map_or(0.0, |left| 1.0 - left))
}

/// How little an ablation changes the behaviour: a base metric of EX25.
///
/// # Formula
/// 1 − |Σld(ablated) − Σld(whole model)| / |Σld(whole model)|, at most 1. 0 where the whole model's sum is below
/// 10⁻⁸.
///
/// # Errors
/// As [`faithfulness`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::ablation_recovery;
/// assert_eq!(ablation_recovery(&[2.0, 2.0], &[3.0, 2.0])?, 0.75);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn ablation_recovery(clean: &[f64], ablated: &[f64]) -> Result<f64, StatisticsError> {
    Ok(remaining_share(clean, ablated)?.map_or(0.0, |left| 1.0 - (left - 1.0).abs()))
}

/// Faithfulness as MIB has it (Mueller et al. 2025, arXiv:2504.13151), between nothing and the whole model.
///
/// # Formula
/// (m(C) − m(∅)) / (m(N) − m(∅)) of the behaviour m with the circuit, with nothing and with the whole model; all three
/// may be [`faithfulness`], whose m(N) is 1. None where the whole model does no more than nothing does.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::normalised_faithfulness;
/// assert_eq!(normalised_faithfulness(0.75, 0.5, 1.0), Some(0.5));
/// assert_eq!(normalised_faithfulness(0.75, 1.0, 1.0), None);
/// ```
#[must_use]
pub fn normalised_faithfulness(circuit: f64, nothing: f64, whole: f64) -> Option<f64> {
    let span = whole - nothing;
    // NaN is no span either.
    (span.abs() >= LOGIT_DIFFERENCE_SUM_MIN).then(|| (circuit - nothing) / span)
}
