use super::Reading;
use super::clarity::split_by_label;
use crate::order::argsort_descending;
use crate::statistics::{PairCounts, StatisticsError, average_precision};

/// Purity: whether a feature's strong activations are its concept's alone.
///
/// # Formula
/// AP = Σⱼ (rⱼ − rⱼ₋₁)·pⱼ of the natural texts labelled 2 among those labelled 0 and 2. By chance it is
/// their share. The code turns all signs where the concept lowers the feature (a negative Gini
/// coefficient); the document does not. Nothing where a label has no text.
///
/// # Errors
/// [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::fade::metric::{Reading, purity};
/// let (activations, labels) = ([-1.0, 0.0, 0.0], [2, 0, 0]);
/// assert_eq!(purity(&activations, &labels, Reading::Code)?, Some(1.0));
/// assert_eq!(purity(&activations, &labels, Reading::Document)?, Some(1.0 / 3.0));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn purity(activations: &[f64], labels: &[u8], reading: Reading) -> Result<Option<f64>, StatisticsError> {
    let [mut without, mut with] = split_by_label(activations, labels);
    if without.is_empty() || with.is_empty() {
        return Ok(None);
    }
    if reading == Reading::Code && PairCounts::from_scores(&with, &without)?.gini() < 0.0 {
        with.iter_mut().chain(&mut without).for_each(|activation| *activation = -*activation);
    }
    average_precision(&with, &without).map(Some)
}

/// A point of a precision–recall curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisionRecallPoint {
    /// The least activation that counts as positive.
    pub threshold: f64,
    /// Share of the texts labelled 2 that are at or above it.
    pub recall: f64,
    /// Share of the texts at or above it that are labelled 2.
    pub precision: f64,
}

/// The curve whose area in steps is [`purity`] in the document's reading: a point for each activation that
/// some text labelled 0 or 2 has, by falling activation; texts of one activation enter together.
#[must_use]
pub fn precision_recall_curve(activations: &[f64], labels: &[u8]) -> Vec<PrecisionRecallPoint> {
    let [without, with] = split_by_label(activations, labels);
    let all = with.iter().map(|a| (*a, 1)).chain(without.iter().map(|a| (*a, 0)));
    let all: Vec<(f64, usize)> = all.collect();
    let order = argsort_descending(all.iter().map(|(activation, _)| *activation));
    let (mut right, mut points) = (0, Vec::new());
    for (seen, at) in order.iter().enumerate() {
        let (threshold, is) = all[*at];
        right += is;
        if order.get(seen + 1).is_some_and(|next| all[*next].0 == threshold) {
            continue;
        }
        points.push(PrecisionRecallPoint {
            threshold,
            recall: right as f64 / with.len().max(1) as f64,
            precision: right as f64 / (seen + 1) as f64,
        });
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_of_the_curve_is_the_purity() {
        let activations = [0.0, 3.0, 3.0, 1.0, 0.0, 2.0, 0.5, 0.0];
        let labels = [0, 2, 0, 2, 2, 1, 2, 0];
        let points = precision_recall_curve(&activations, &labels);
        assert_eq!(points.last().map(|point| (point.recall, point.precision)), Some((1.0, 4.0 / 7.0)));
        let mut area = 0.0;
        let mut before = 0.0;
        for point in &points {
            area += (point.recall - before) * point.precision;
            before = point.recall;
        }
        let wanted = purity(&activations, &labels, Reading::Document).unwrap().unwrap();
        assert!((area - wanted).abs() < 1e-15, "{area} {wanted}");
        assert!(precision_recall_curve(&[], &[]).is_empty());
    }
}
