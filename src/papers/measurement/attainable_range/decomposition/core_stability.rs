//! M09: cores that cannot change, and cores that have nothing to do with each other.

use super::super::super::metric::core_stability::{
    CORE_SHARE, CoreStability, CoreTraining, CycleSettings, STABLE_OVERLAP_MIN, core_stability, core_training,
    select_core,
};
use super::super::super::metric::{Condition, DecompositionError, Reading};
use super::super::case_builders::{case_series, constant_series, indexed_series, normal_matrix};
use super::super::{CaseKind, CaseReport, CaseSeries, MeasuredCase};
use crate::papers::measurement::MeasurementError;
use crate::rng::NumpyRng;

/// Features of cores that are given.
const FEATURES: u32 = 256;
/// Share of the features above which a core is worth speaking of.
const NOTABLE_CORE_SHARE_MIN: f64 = 0.05;
/// Share below which it is next to nothing.
const SMALL_CORE_SHARE: f64 = 0.01;
/// Overlap below which a core drifts.
const DRIFT_OVERLAP_MAX: f64 = 0.5;

/// Cycles whose training changes next to nothing (a learning rate of 10⁻⁷, five steps a cycle), of random rows. The
/// code draws nothing anew, so that its core is the same by construction.
///
/// # Errors
/// None that is known.
pub fn frozen_cycles(reading: Reading) -> Result<MeasuredCase<CoreTraining>, DecompositionError> {
    let settings = CycleSettings {
        features: 64,
        cycles: 5,
        steps: 5,
        batch: 64,
        rate: 1e-7,
        rows: 128,
        ..CycleSettings::default()
    };
    let case = core_training(&normal_matrix(8, 128, 16), &settings)?;
    let cycled = match reading {
        Reading::Document => &case.document,
        Reading::Code => &case.code,
    };
    let value = cycled.stability.mean_overlap;
    Ok(MeasuredCase { case, value, condition: Condition::above("mean_overlap", STABLE_OVERLAP_MIN) })
}

/// The same core in each of three cycles and after them, of so many features: its share is ⌊F/10⌋/F, one feature at
/// least. From ten features on it is a tenth at most.
///
/// # Errors
/// [`DecompositionError`] without features.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::attainable_range::constant_core;
/// assert_eq!(constant_core(256)?.value, 25.0 / 256.0);
/// assert_eq!(constant_core(3)?.value, 1.0 / 3.0);
/// # Ok::<(), sfc_bench::papers::measurement::metric::DecompositionError>(())
/// ```
pub fn constant_core(features: usize) -> Result<MeasuredCase<CoreStability>, DecompositionError> {
    let core = select_core(&vec![1.0; features], CORE_SHARE)?;
    let case = core_stability(&[core.clone(), core.clone(), core.clone()], &core, features, STABLE_OVERLAP_MIN)?;
    let value = case.core_fraction_all_cycles;
    Ok(MeasuredCase { case, value, condition: Condition::above("core_fraction_all_cycles", NOTABLE_CORE_SHARE_MIN) })
}

/// Cores of 25 of 256 features that are drawn at random, in so many cycles and after them.
///
/// # Errors
/// None that is known.
pub fn random_cores(cycles: usize, seed: u32) -> Result<MeasuredCase<CoreStability>, DecompositionError> {
    let mut rng = NumpyRng::new(seed);
    let mut cores: Vec<Vec<usize>> =
        (0..=cycles).map(|_| rng.choice(FEATURES, 25).into_iter().map(|at| at as usize).collect()).collect();
    let last = cores.pop().unwrap_or_default();
    let case = core_stability(&cores, &last, FEATURES as usize, STABLE_OVERLAP_MIN)?;
    let value = case.mean_overlap;
    Ok(MeasuredCase { case, value, condition: Condition::below("mean_overlap", DRIFT_OVERLAP_MAX) })
}

/// Cores of nine features of 90 in three cycles, each of which replaces one: eight of ten are in common, which is the
/// limit itself.
///
/// # Errors
/// None that is known.
pub fn cores_with_one_replaced(condition: Condition) -> Result<MeasuredCase<CoreStability>, DecompositionError> {
    let cores: Vec<Vec<usize>> = (0..3).map(|cycle| (cycle..cycle + 9).collect()).collect();
    let case = core_stability(&cores, &(3..12).collect::<Vec<_>>(), 90, STABLE_OVERLAP_MIN)?;
    Ok(MeasuredCase { value: case.mean_overlap, case, condition })
}

fn overlap_series(name: &str, overlaps: &[f64], limit: f64) -> Vec<CaseSeries> {
    let limit = constant_series("limit", (1.0, overlaps.len().max(2) as f64), limit);
    vec![indexed_series(name, overlaps), limit]
}

pub(in super::super) fn m09_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    use CaseKind::{Best, Worst};
    use Reading::{Code, Document};
    const OVERLAP_AXES: [&str; 2] = ["pair of cycles", "overlap"];
    let (code, document) = (frozen_cycles(Code)?, frozen_cycles(Document)?);
    let of_both = || {
        let overlap = |name, found: &CoreStability| indexed_series(name, &found.overlaps);
        let CoreTraining { document, code } = &code.case;
        (OVERLAP_AXES, vec![overlap("code", &code.stability), overlap("document", &document.stability)])
    };
    let random = random_cores(20, 9)?;
    let mut shares = Vec::new();
    for features in 1..=60 {
        shares.push((features as f64, constant_core(features)?.value));
    }
    let shares = (["features", "share of the core"], vec![case_series("the same core always", shares)]);
    let met = cores_with_one_replaced(Condition::at_least("mean_overlap", STABLE_OVERLAP_MIN))?;
    let exceeded = cores_with_one_replaced(Condition::above("mean_overlap", STABLE_OVERLAP_MIN))?;
    // All cycles have one core, and after the last there is another.
    let core: Vec<usize> = (0..25).collect();
    let other: Vec<usize> = (25..50).collect();
    let left = core_stability(&[core.clone(), core.clone(), core], &other, FEATURES as usize, STABLE_OVERLAP_MIN)?;
    let of_left = overlap_series("overlap", &left.overlaps, STABLE_OVERLAP_MIN);
    let left = MeasuredCase {
        value: left.mean_overlap,
        case: left,
        condition: Condition::above("mean_overlap", STABLE_OVERLAP_MIN),
    };
    let fraction = random.case.core_fraction_all_cycles;
    let condition = Condition::below("core_fraction_all_cycles", SMALL_CORE_SHARE);
    let fraction = MeasuredCase { case: (), value: fraction, condition };
    let of_random = || (OVERLAP_AXES, overlap_series("random cores", &random.case.overlaps, DRIFT_OVERLAP_MAX));
    Ok(vec![
        code.to_report(
            ("m09", Code, Worst),
            "Cycles whose training changes next to nothing, of an untrained autoencoder: the code draws nothing \
             anew, so the core stays the same by construction.",
            of_both(),
        ),
        document.to_report(
            ("m09", Document, Worst),
            "The same cycles as in the paper: what is resampled takes the places of what was important.",
            of_both(),
        ),
        met.to_report(
            ("m09", Code, Best),
            "Nine features, of which each cycle replaces one: eight of ten in common are 0.8, which counts as \
             stable in the code.",
            (OVERLAP_AXES, overlap_series("overlap", &met.case.overlaps, STABLE_OVERLAP_MIN)),
        ),
        exceeded.to_report(
            ("m09", Document, Best),
            "The same cores in the text, which asks for more than 0.8.",
            (OVERLAP_AXES, overlap_series("overlap", &exceeded.case.overlaps, STABLE_OVERLAP_MIN)),
        ),
        left.to_report(
            ("m09", Document, Worst),
            "The same core in every cycle, and after the last one another that has nothing in common with it: \
             the mean does not look at it.",
            (OVERLAP_AXES, of_left),
        ),
        random.to_report(
            ("m09", Document, Worst),
            "Cores of a tenth that are drawn at random have about a twentieth in common: they drift.",
            of_random(),
        ),
        constant_core(FEATURES as usize)?.to_report(
            ("m09", Document, Best),
            "The same core always: its share is a tenth, rounded down to whole features, and no core that moves \
             has a larger one.",
            shares,
        ),
        fraction.to_report(
            ("m09", Document, Worst),
            "Of cores that are drawn at random in twenty cycles nothing comes back in all of them.",
            of_random(),
        ),
    ])
}
