//! M09: cores that cannot change, and cores that have nothing to do with each other.

use super::super::super::metric::core_stability::{
    CORE_SHARE, CoreStability, CoreTraining, Cycles, STABLE, core, core_stability, core_training,
};
use super::super::super::metric::{Condition, DecompositionError, Reading};
use super::super::made::{drawn, level, numbered, series};
use super::super::{Case, CaseSeries, Reach, Reached};
use crate::papers::measurement::MeasurementError;
use crate::rng::NumpyRng;

/// Features of cores that are given.
const FEATURES: u32 = 256;
/// Share of the features above which a core is worth speaking of.
const LARGE: f64 = 0.05;
/// Share below which it is next to nothing.
const SMALL: f64 = 0.01;
/// Overlap below which a core drifts.
const DRIFTS: f64 = 0.5;

/// Cycles whose training changes next to nothing (a learning rate of 10⁻⁷, five steps a cycle), of random rows. The
/// code draws nothing anew, so that its core is the same by construction.
///
/// # Errors
/// None that is known.
pub fn settled(reading: Reading) -> Result<Reach<CoreTraining>, DecompositionError> {
    let settings = Cycles {
        features: 64,
        cycles: 5,
        steps: 5,
        batch: 64,
        rate: 1e-7,
        rows: 128,
        ..Cycles::default()
    };
    let case = core_training(&drawn(8, 128, 16), &settings)?;
    let cycled = match reading {
        Reading::Document => &case.document,
        Reading::Code => &case.code,
    };
    let value = cycled.stability.mean_overlap;
    Ok(Reach { case, value, condition: Condition::above("mean_overlap", STABLE) })
}

/// The same core in each of three cycles and after them, of so many features: its share is ⌊F/10⌋/F, one feature at
/// least. From ten features on it is a tenth at most.
///
/// # Errors
/// [`DecompositionError`] without features.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::attainable_range::same_core;
/// assert_eq!(same_core(256)?.value, 25.0 / 256.0);
/// assert_eq!(same_core(3)?.value, 1.0 / 3.0);
/// # Ok::<(), sfc_bench::papers::measurement::metric::DecompositionError>(())
/// ```
pub fn same_core(features: usize) -> Result<Reach<CoreStability>, DecompositionError> {
    let core = core(&vec![1.0; features], CORE_SHARE)?;
    let case =
        core_stability(&[core.clone(), core.clone(), core.clone()], &core, features, STABLE)?;
    let value = case.core_fraction_all_cycles;
    Ok(Reach { case, value, condition: Condition::above("core_fraction_all_cycles", LARGE) })
}

/// Cores of 25 of 256 features that are drawn at random, in so many cycles and after them.
///
/// # Errors
/// None that is known.
pub fn random_cores(cycles: usize, seed: u32) -> Result<Reach<CoreStability>, DecompositionError> {
    let mut rng = NumpyRng::new(seed);
    let mut cores: Vec<Vec<usize>> = (0..=cycles)
        .map(|_| rng.choice(FEATURES, 25).into_iter().map(|at| at as usize).collect())
        .collect();
    let last = cores.pop().unwrap_or_default();
    let case = core_stability(&cores, &last, FEATURES as usize, STABLE)?;
    let value = case.mean_overlap;
    Ok(Reach { case, value, condition: Condition::below("mean_overlap", DRIFTS) })
}

/// Cores of nine features of 90 in three cycles, each of which replaces one: eight of ten are in common, which is the
/// limit itself.
///
/// # Errors
/// None that is known.
pub fn one_replaced(condition: Condition) -> Result<Reach<CoreStability>, DecompositionError> {
    let cores: Vec<Vec<usize>> = (0..3).map(|cycle| (cycle..cycle + 9).collect()).collect();
    let case = core_stability(&cores, &(3..12).collect::<Vec<_>>(), 90, STABLE)?;
    Ok(Reach { value: case.mean_overlap, case, condition })
}

fn overlaps(name: &str, overlaps: &[f64], limit: f64) -> Vec<CaseSeries> {
    let limit = level("limit", (1.0, overlaps.len().max(2) as f64), limit);
    vec![numbered(name, overlaps), limit]
}

pub(in super::super) fn m09() -> Result<Vec<Reached>, MeasurementError> {
    use Case::{Best, Worst};
    use Reading::{Code, Document};
    const CYCLES: [&str; 2] = ["pair of cycles", "overlap"];
    let (code, document) = (settled(Code)?, settled(Document)?);
    let of_both = || {
        let overlap = |name, found: &CoreStability| numbered(name, &found.overlaps);
        let CoreTraining { document, code } = &code.case;
        (CYCLES, vec![overlap("code", &code.stability), overlap("document", &document.stability)])
    };
    let random = random_cores(20, 9)?;
    let mut shares = Vec::new();
    for features in 1..=60 {
        shares.push((features as f64, same_core(features)?.value));
    }
    let shares = (["features", "share of the core"], vec![series("the same core always", shares)]);
    let met = one_replaced(Condition::at_least("mean_overlap", STABLE))?;
    let exceeded = one_replaced(Condition::above("mean_overlap", STABLE))?;
    // All cycles have one core, and after the last there is another.
    let core: Vec<usize> = (0..25).collect();
    let other: Vec<usize> = (25..50).collect();
    let left =
        core_stability(&[core.clone(), core.clone(), core], &other, FEATURES as usize, STABLE)?;
    let of_left = overlaps("overlap", &left.overlaps, STABLE);
    let left = Reach {
        value: left.mean_overlap,
        case: left,
        condition: Condition::above("mean_overlap", STABLE),
    };
    let fraction = random.case.core_fraction_all_cycles;
    let condition = Condition::below("core_fraction_all_cycles", SMALL);
    let fraction = Reach { case: (), value: fraction, condition };
    let of_random = || (CYCLES, overlaps("random cores", &random.case.overlaps, DRIFTS));
    Ok(vec![
        code.said(
            ("m09", Code, Worst),
            "Cycles whose training changes next to nothing, of an untrained autoencoder: the code draws nothing \
             anew, so the core stays the same by construction.",
            of_both(),
        ),
        document.said(
            ("m09", Document, Worst),
            "The same cycles as in the paper: what is resampled takes the places of what was important.",
            of_both(),
        ),
        met.said(
            ("m09", Code, Best),
            "Nine features, of which each cycle replaces one: eight of ten in common are 0.8, which counts as \
             stable in the code.",
            (CYCLES, overlaps("overlap", &met.case.overlaps, STABLE)),
        ),
        exceeded.said(
            ("m09", Document, Best),
            "The same cores in the text, which asks for more than 0.8.",
            (CYCLES, overlaps("overlap", &exceeded.case.overlaps, STABLE)),
        ),
        left.said(
            ("m09", Document, Worst),
            "The same core in every cycle, and after the last one another that has nothing in common with it: \
             the mean does not look at it.",
            (CYCLES, of_left),
        ),
        random.said(
            ("m09", Document, Worst),
            "Cores of a tenth that are drawn at random have about a twentieth in common: they drift.",
            of_random(),
        ),
        same_core(FEATURES as usize)?.said(
            ("m09", Document, Best),
            "The same core always: its share is a tenth, rounded down to whole features, and no core that moves \
             has a larger one.",
            shares,
        ),
        fraction.said(
            ("m09", Document, Worst),
            "Of cores that are drawn at random in twenty cycles nothing comes back in all of them.",
            of_random(),
        ),
    ])
}
