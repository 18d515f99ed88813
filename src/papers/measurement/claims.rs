//! What the page quotes and claims beside its formulas, and what can be said of it here.

use std::sync::LazyLock;

use serde::Serialize;

use super::metric::METRICS;
use crate::plot::format::fixed3;

/// What becomes of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementStanding"))]
#[serde(rename_all = "kebab-case")]
pub enum ClaimStatus {
    /// It follows from the formula, or from what is measured here.
    Follows,
    /// What is measured or derived here says otherwise.
    Contradicted,
    /// It is quoted from elsewhere, and nothing here can tell.
    NotDerivable,
}

impl ClaimStatus {
    /// In words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Follows => "follows",
            Self::Contradicted => "contradicted",
            Self::NotDerivable => "cannot be derived",
        }
    }
}

/// A claim of the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementClaim"))]
pub struct Claim {
    /// Its metric's id.
    pub metric: &'static str,
    /// What is claimed, in our words.
    pub says: &'static str,
    /// What becomes of it.
    pub standing: ClaimStatus,
    /// Why.
    pub found: String,
}

/// Stable features of one dictionary of 65,000, as the page quotes them.
const QUOTED_STABLE_AND_TOTAL: (f64, f64) = (197.0, 65_000.0);

/// Every claim, in the page's order.
#[must_use]
pub fn claims() -> &'static [Claim] {
    static ALL: LazyLock<Vec<Claim>> = LazyLock::new(build_claims);
    &ALL
}

/// Claims, a row each: metric, standing, what is claimed, and why it stands so.
macro_rules! claims {
    ($($metric:literal $standing:ident $says:literal => $found:expr;)+) => {
        vec![$(Claim {
            metric: $metric,
            says: $says,
            standing: ClaimStatus::$standing,
            found: $found.into(),
        }),+]
    };
}

fn build_claims() -> Vec<Claim> {
    let share = 100.0 * QUOTED_STABLE_AND_TOTAL.0 / QUOTED_STABLE_AND_TOTAL.1;
    claims! {
        "m09" NotDerivable "197 of 65,000 features of one autoencoder are stable." =>
            format!(
                "That autoencoder is not at hand. The share is {} %, which the page’s own table reads as very small. As \
                 coded, a core is a tenth of all features by definition, which would be 6,500 of them.",
                fixed3(share)
            );
        "m09" Contradicted "Features outside the core are resampled in each cycle." =>
            "The reference code writes the new weights to a copy that is thrown away: nothing is resampled.";
        "ex25" NotDerivable "93 % of research outputs fail when run again." =>
            "It is quoted from elsewhere. The check itself, as coded, fails a metric without any noise, since it \
             compares the rankings of different prompts.";
        "ex25" Contradicted "It passes below a deviation rate of 0.05." =>
            "So says the summary table. The text asks for a largest deviation below 0.08 and a coherence above 0.9, too; so does \
             the code.";
        "ex24" NotDerivable "Two of SAEBench’s metrics have a coefficient of variation of 16 to 39 %." =>
            "Results of several seeds are wanted, which can be given above. By the page’s limit of 5 % either end fails.";
        "m13" Contradicted "Layers can be in strong superposition." =>
            "Singular vectors are orthogonal, so their interference is 0, and a packing ratio is at most 1: no \
             activations are called strong.";
        "m12" Contradicted "It finds autoencoders that ignore how much an input holds." =>
            "One that keeps a fixed number fits its line exactly and always passes.";
        "ex11" Contradicted "A consistency above 0.8 shows that the response follows the law." =>
            "A circuit that is exactly linear has 2/3 at best, for its fractions at half the strength are doubled.";
        "mib" Contradicted "A flat curve near 1 shows that nearly all edges contribute." =>
            "A curve that is near 1 from the start shows that the first edges suffice.";
        "mib" Contradicted "The area runs over shares of edges from 0 to 1." =>
            "The first threshold is a thousandth: a perfect circuit has 0.999.";
        "m10" Follows "A rate of at least 0 passes trivially, so it is only reported." =>
            "A share cannot be below 0.";
    }
}

/// The pass conditions as the summary table has them, and as the text does where it speaks of the metric.
#[must_use]
pub fn pass_conditions() -> Vec<[&'static str; 3]> {
    let each = METRICS.iter().map(|about| {
        let [summary, text] = about.summary;
        [about.id, summary, text]
    });
    each.collect()
}
