use super::Reading;
use crate::statistics::{Pairs, StatisticsError};

/// Clarity: how well a feature tells texts that were made from its description from natural ones.
///
/// # Formula
/// |2·P(a_c > a_n) − 1| over all pairs of a made text's activation a_c and a natural one's a_n, from 0 (not
/// at all) to 1 (wholly, with either sign). The document counts a tie as nothing: a feature that is never
/// active has clarity 1. The code counts it ½ (it takes the area under the ROC curve): that feature has 0.
///
/// # Errors
/// [`StatisticsError::TooFew`] where one of the sets is empty, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::fade::metric::{Reading, clarity};
/// let dead = [0.0, 0.0];
/// assert_eq!(clarity(&dead, &dead, Reading::Document)?, 1.0);
/// assert_eq!(clarity(&dead, &dead, Reading::Code)?, 0.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn clarity(made: &[f64], natural: &[f64], reading: Reading) -> Result<f64, StatisticsError> {
    let pairs = Pairs::of(made, natural)?;
    Ok(match reading {
        Reading::Document => f64::abs(2.0 * pairs.share_above() - 1.0),
        Reading::Code => pairs.gini().abs(),
    })
}

/// Responsiveness: how well a feature tells natural texts with the concept from those without.
///
/// # Formula
/// As [`clarity`], of the natural texts labelled 2 against those labelled 0; those labelled 1 are left out.
/// Nothing where a label has no text: the code has no value there either.
///
/// # Errors
/// [`StatisticsError::NonFinite`].
pub fn responsiveness(
    activations: &[f64],
    labels: &[u8],
    reading: Reading,
) -> Result<Option<f64>, StatisticsError> {
    let [without, with] = split(activations, labels);
    if without.is_empty() || with.is_empty() {
        return Ok(None);
    }
    clarity(&with, &without, reading).map(Some)
}

/// Activations of the texts labelled 0 and of those labelled 2.
pub(super) fn split(activations: &[f64], labels: &[u8]) -> [Vec<f64>; 2] {
    [0, 2].map(|wanted| {
        let pairs = activations.iter().zip(labels);
        pairs.filter(|(_, label)| **label == wanted).map(|(a, _)| *a).collect()
    })
}
