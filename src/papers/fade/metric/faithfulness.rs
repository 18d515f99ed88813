use crate::statistics::StatisticsError;

/// By what the code multiplies a feature's largest activation, unless told otherwise.
pub const DEFAULT_FACTORS: [f64; 7] = [-50.0, -10.0, -1.0, 0.0, 1.0, 10.0, 50.0];

/// What a rater found in continuations that were written with a feature set to one factor.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedDose {
    /// By what the feature was multiplied.
    pub factor: f64,
    /// A label each continuation: 0, 1 or 2.
    pub labels: Vec<u8>,
}

impl RatedDose {
    /// The share of continuations that clearly express the concept; nothing without one.
    #[must_use]
    pub fn clear_share(&self) -> Option<f64> {
        let clear = self.labels.iter().filter(|label| **label == 2).count();
        (!self.labels.is_empty()).then(|| clear as f64 / self.labels.len() as f64)
    }
}

/// Faithfulness, and where it was reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Faithfulness {
    /// From 0 (no factor says more of the concept than none) to 1.
    pub value: f64,
    /// Of each factor, the share that expresses the concept.
    pub clear_shares: Vec<Option<f64>>,
    /// The first factor with the largest share, where that is above the share at 0.
    pub best_factor: Option<f64>,
    /// What the reference code reports instead of it: the largest factor of all.
    pub largest_factor: Option<f64>,
    /// Whether all continuations at factor 0 express the concept: the formula is 0/0 there, which the code
    /// reports as no number, and this as 0.
    pub is_saturated: bool,
}

/// Faithfulness: whether a feature makes the model speak of its concept.
///
/// # Formula
/// max(max_f R_f − R₀, 0)/(1 − R₀), with R_f the share of continuations labelled 2 among all at factor f;
/// R₀ is that at factor 0, where the feature is turned off. Where R₀ is 1 it is 0.
///
/// # Errors
/// [`StatisticsError::TooFew`] without continuations at factor 0.
///
/// # Examples
/// ```
/// use sfc_bench::papers::fade::metric::{RatedDose, faithfulness};
/// let doses = [RatedDose { factor: 0.0, labels: vec![2, 0] }, RatedDose { factor: 10.0, labels: vec![2, 2] }];
/// let found = faithfulness(&doses)?;
/// assert_eq!((found.value, found.best_factor), (1.0, Some(10.0)));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn faithfulness(doses: &[RatedDose]) -> Result<Faithfulness, StatisticsError> {
    let none = StatisticsError::TooFew { what: "continuations at factor 0", found: 0, needed: 1 };
    let base = doses.iter().find(|dose| dose.factor == 0.0).and_then(RatedDose::clear_share).ok_or(none)?;
    let mut best: Option<(f64, f64)> = None;
    for dose in doses {
        if let Some(share) = dose.clear_share()
            && best.is_none_or(|(largest, _)| share > largest)
        {
            best = Some((share, dose.factor));
        }
    }
    let above = best.filter(|(share, _)| *share > base);
    let value = above.map_or(0.0, |(share, _)| (share - base) / (1.0 - base));
    let largest = doses.iter().map(|dose| dose.factor).fold(f64::NEG_INFINITY, f64::max);
    Ok(Faithfulness {
        value,
        clear_shares: doses.iter().map(RatedDose::clear_share).collect(),
        best_factor: above.map(|(_, factor)| factor),
        largest_factor: above.map(|_| largest),
        is_saturated: base == 1.0,
    })
}
