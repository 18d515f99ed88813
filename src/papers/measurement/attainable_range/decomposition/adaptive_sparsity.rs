//! M12: numbers of active features that say nothing of an input, and numbers that say all.

use super::super::super::metric::adaptive_sparsity::{AdaptiveSparsity, MISMATCH_THRESHOLD, adaptive_sparsity};
use super::super::super::metric::{Condition, DecompositionError, Reading};
use super::super::case_builders::case_series;
use super::super::{CaseKind, CaseReport, CaseSeries, MeasuredCase};
use crate::papers::measurement::MeasurementError;

const MISMATCH_MAX: f64 = 0.2;
/// Inputs of a case, in groups of the same complexity.
const INPUTS: usize = 40;
const GROUP_SIZE: usize = 4;

/// Complexities from 5 on, each of four inputs.
fn input_complexities() -> Vec<f64> {
    (0..INPUTS).map(|input| 5.0 + (input / GROUP_SIZE) as f64).collect()
}

fn measure_case(k_active: &[f64], reading: Reading) -> Result<MeasuredCase<AdaptiveSparsity>, DecompositionError> {
    let case = adaptive_sparsity(&input_complexities(), k_active, MISMATCH_THRESHOLD)?;
    let (quantity, value) = match reading {
        Reading::Document => ("k_mismatch_rate_document", case.k_mismatch_rate_document),
        Reading::Code => ("k_mismatch_rate", case.k_mismatch_rate),
    };
    Ok(MeasuredCase { case, value, condition: Condition::below(quantity, MISMATCH_MAX) })
}

/// The same number of active features at every input, whatever it holds.
///
/// # Errors
/// [`DecompositionError`] for a number that is none.
pub fn fixed_k(k: f64, reading: Reading) -> Result<MeasuredCase<AdaptiveSparsity>, DecompositionError> {
    measure_case(&[k; INPUTS], reading)
}

/// `k` active features at one input of four of each complexity, none at the others: a quarter is expected everywhere.
///
/// # Errors
/// [`DecompositionError`] for a number that is none.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::Reading;
/// use sfc_bench::papers::measurement::attainable_range::bursty_k;
/// assert!(!bursty_k(16.0, Reading::Code)?.holds() && bursty_k(1.0, Reading::Code)?.holds());
/// # Ok::<(), sfc_bench::papers::measurement::metric::DecompositionError>(())
/// ```
pub fn bursty_k(k: f64, reading: Reading) -> Result<MeasuredCase<AdaptiveSparsity>, DecompositionError> {
    measure_case(&burst_counts(k), reading)
}

fn burst_counts(k: f64) -> Vec<f64> {
    (0..INPUTS).map(|input| if input.is_multiple_of(GROUP_SIZE) { k } else { 0.0 }).collect()
}

/// Numbers against complexities, and what the line expects.
fn active_count_chart(
    k_active: &[f64],
    found: &MeasuredCase<AdaptiveSparsity>,
) -> ([&'static str; 2], Vec<CaseSeries>) {
    let pairs = |values: &[f64]| input_complexities().into_iter().zip(values.to_vec()).collect::<Vec<_>>();
    let expected = pairs(&found.case.expected_k).into_iter().step_by(GROUP_SIZE);
    let shows = vec![case_series("active", pairs(k_active)), case_series("expected", expected)];
    (["complexity", "active features"], shows)
}

pub(in super::super) fn m12_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    use CaseKind::{Best, Worst};
    use Reading::{Code, Document};
    let rising = input_complexities();
    let falling: Vec<f64> = rising.iter().map(|complexity| 20.0 - complexity).collect();
    let fixed = [8.0; INPUTS];
    let (many, one) = (burst_counts(16.0), burst_counts(1.0));
    let case = |k: &[f64], reading, kind, says| -> Result<CaseReport, MeasurementError> {
        let found = measure_case(k, reading)?;
        Ok(found.to_report(("m12", reading, kind), says, active_count_chart(k, &found)))
    };
    Ok(vec![
        case(
            &fixed,
            Document,
            Worst,
            "Eight features at every input, whatever it holds: the line through them expects eight, so nothing \
             is off, and any autoencoder of a fixed number passes.",
        )?,
        case(&fixed, Code, Worst, "The same as coded: nothing is off, and the correlation is 0.")?,
        case(
            &falling,
            Code,
            Worst,
            "Fewer features where there is more to say, exactly linearly: the line expects what is there, and it \
             passes.",
        )?,
        case(
            &rising,
            Code,
            Best,
            "As many features as there is to say: 0 again. The pass condition cannot tell it from the other two.",
        )?,
        case(
            &many,
            Code,
            Worst,
            "What fails: sixteen features at a quarter of the inputs and none at the others, whatever they hold. \
             An input is off with more than three times what is expected of it, and none can be off with too \
             few.",
        )?,
        case(&many, Document, Worst, "The same as in the paper, which divides alike here.")?,
        case(
            &one,
            Code,
            Worst,
            "One feature at a quarter of the inputs, none at the others: the code divides by 1 where less is \
             expected, and it passes.",
        )?,
        case(
            &one,
            Document,
            Worst,
            "The same as in the paper, which divides by the quarter that is expected: it fails.",
        )?,
    ])
}
