use super::Reading;
use super::clarity::split;
use crate::statistics::{Pairs, StatisticsError, average_precision};

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
pub fn purity(
    activations: &[f64],
    labels: &[u8],
    reading: Reading,
) -> Result<Option<f64>, StatisticsError> {
    let [mut without, mut with] = split(activations, labels);
    if without.is_empty() || with.is_empty() {
        return Ok(None);
    }
    if reading == Reading::Code && Pairs::of(&with, &without)?.gini() < 0.0 {
        with.iter_mut().chain(&mut without).for_each(|activation| *activation = -*activation);
    }
    average_precision(&with, &without).map(Some)
}
