use serde::{Deserialize, Serialize};

use super::Reading;
use crate::settings::named;
use crate::statistics::{PairCounts, StatisticsError};

named! {
    /// What ‖A‖₀ is, by which the note's Gini formula divides for each of the two sets.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeNorm"))]
    #[serde(rename_all = "lowercase")]
    pub enum Norm {
        /// The number of activations, which makes a share of the sum.
        #[default]
        Elements = "elements",
        /// Literally: the number of activations that are not 0. What is no share then may exceed 1.
        Nonzero = "nonzero",
    }
}

/// Clarity: how well a feature tells texts that were made from its description from natural ones.
///
/// # Formula
/// |2·Σ 1\[a_c > a_n\]/(‖A_c‖₀·‖A_n‖₀) − 1| over all pairs of a made text's activation a_c and a natural one's a_n.
/// The document counts a tie as nothing: a feature that is never active has clarity 1. The code counts it ½ (it takes
/// the area under the ROC curve): that feature has 0. From 0 (not at all) to 1 (wholly, with either sign) where ‖A‖₀ is
/// the number of elements; without an upper end in the document's reading under [`Norm::Nonzero`], and nothing where
/// a set has no other activation than 0. The code divides by no norm: its reading is the same under both.
///
/// # Errors
/// [`StatisticsError::TooFew`] where one of the sets is empty, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::fade::metric::{Norm, Reading, clarity};
/// let dead = [0.0, 0.0];
/// assert_eq!(clarity(&dead, &dead, Reading::Document, Norm::Elements)?, Some(1.0));
/// assert_eq!(clarity(&dead, &dead, Reading::Code, Norm::Elements)?, Some(0.0));
/// let natural = [0.0, 0.0, 0.0, 1.0];
/// assert_eq!(clarity(&[2.0], &natural, Reading::Document, Norm::Elements)?, Some(1.0));
/// assert_eq!(clarity(&[2.0], &natural, Reading::Document, Norm::Nonzero)?, Some(7.0));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn clarity(made: &[f64], natural: &[f64], reading: Reading, norm: Norm) -> Result<Option<f64>, StatisticsError> {
    let pairs = PairCounts::from_scores(made, natural)?;
    let share = match (reading, norm) {
        (Reading::Code, _) => return Ok(Some(pairs.gini().abs())),
        (Reading::Document, Norm::Elements) => pairs.share_above(),
        (Reading::Document, Norm::Nonzero) => {
            let active = |set: &[f64]| set.iter().filter(|value| **value != 0.0).count();
            let [made, natural] = [made, natural].map(active);
            if made == 0 || natural == 0 {
                return Ok(None);
            }
            pairs.above as f64 / (made as f64 * natural as f64)
        }
    };
    Ok(Some(f64::abs(2.0 * share - 1.0)))
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
    norm: Norm,
) -> Result<Option<f64>, StatisticsError> {
    let [without, with] = split_by_label(activations, labels);
    if without.is_empty() || with.is_empty() {
        return Ok(None);
    }
    clarity(&with, &without, reading, norm)
}

/// Activations of the texts labelled 0 and of those labelled 2.
pub(super) fn split_by_label(activations: &[f64], labels: &[u8]) -> [Vec<f64>; 2] {
    [0, 2].map(|wanted| {
        let pairs = activations.iter().zip(labels);
        pairs.filter(|(_, label)| **label == wanted).map(|(a, _)| *a).collect()
    })
}
