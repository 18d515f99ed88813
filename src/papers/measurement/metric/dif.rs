//! EX2: differential item functioning, whether groups of prompts are answered alike.

use serde::Serialize;

use super::{Formula, MetricDescription, PassConditions, all_hold, conditions, quantities, table};
use crate::statistics::{StatisticsError, check_values, cohens_d, mean, standard_deviation};

/// What is said of it.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "ex2",
    name: "Differential item functioning",
    source: "Holland & Wainer 1993; Zumbo 1999",
    criteria: &["Behavioral", "Measurement Equivalence"],
    establishes: "Whether the task is answered alike with names of different kinds, so that what is measured is the task \
                  and not how familiar its words are.",
    leaves_open: "Whether a bias is the circuit's or the model's: as coded no circuit is applied at all, and nothing \
                  holds ability equal. It reads the scale of logit differences: two groups that are always answered \
                  right can differ.",
    passes: PassConditions { document: conditions!["max_dif_standard" < 0.5], code: conditions!["max_dif_code" < 0.5] },
    table: table! {
        "max_dif_standard" < 0.2 =>
            "Groups hardly differ. With fewer than some 190 prompts a group, two halves of one group differ by \
             more in over one of twenty cases.";
        "max_dif_standard" >= 0.2, "max_dif_standard" <= 0.5 =>
            "Some of what is measured is the kind of words.";
        "max_dif_standard" > 0.5 => "What is measured depends to a good part on the kind of words.";
    },
    formula: Formula {
        document: "Largest |Cohen’s d| of logit differences between groups of prompts.",
        code: "The same with the population’s variance of each group, pooled by n − 1; no circuit is applied.",
    },
    summary: ["d < 0.5"; 2],
    takes: &["checkpoint", "task"],
};

/// Two groups compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DifPair {
    /// The one group.
    pub first: String,
    /// The other.
    pub second: String,
    /// Cohen's d with variances of ddof 0, and 0 where nothing varies: the code.
    pub d_code_ddof0: f64,
    /// Cohen's d as it is defined; infinite where nothing varies and the means differ.
    pub d_standard_ddof1: f64,
}

/// A group by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DifGroup {
    /// Its name.
    pub name: String,
    /// Its prompts.
    pub n: usize,
    /// Its mean logit difference; none without prompts.
    pub mean_ld: Option<f64>,
    /// The standard deviation of its logit differences, ddof 0; none without prompts.
    pub std_ld: Option<f64>,
    /// Share of its logit differences above 0; none without prompts.
    pub accuracy: Option<f64>,
}

/// The result of [`dif`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Dif {
    /// Groups as they were given.
    pub groups: Vec<DifGroup>,
    /// All pairs of groups with two prompts or more.
    pub pairs: Vec<DifPair>,
    /// The largest |d| in the code's reading; 0 without pairs.
    pub max_dif_code: f64,
    /// The largest |d| as it is defined; 0 without pairs.
    pub max_dif_standard: f64,
    /// What the code reports: 1 − min(largest |d|, 1).
    pub value_code: f64,
    /// Whether the code's largest |d| is below ½.
    pub passed_code: bool,
    /// Whether the largest |d| as it is defined is below ½.
    pub passed_standard: bool,
}

quantities! {
    Dif: max_dif_standard, max_dif_code, value_code,
}

/// Compares groups of prompts, each a name and its logit differences.
///
/// # Formula
/// max |d| over pairs of groups with at least two prompts each, d [`cohens_d`]: with ddof 1 as the page has it, with
/// ddof 0 as the reference code takes it.
///
/// # Errors
/// [`StatisticsError::TooFew`] without groups, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::dif;
/// let found = dif(&[("common", &[0.0, 0.0, 1.0, 1.0]), ("rare", &[0.27, 0.27, 1.27, 1.27])])?;
/// assert!(found.passed_standard && !found.passed_code);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn dif(groups: &[(&str, &[f64])]) -> Result<Dif, StatisticsError> {
    if groups.is_empty() {
        return Err(StatisticsError::TooFew { what: "groups", found: 0, needed: 1 });
    }
    for (_, ld) in groups {
        check_values("logit differences of a group", ld, 0)?;
    }
    let of = |(name, ld): &(&str, &[f64])| DifGroup {
        name: (*name).to_owned(),
        n: ld.len(),
        mean_ld: mean(ld).ok(),
        std_ld: standard_deviation(ld, 0).ok(),
        accuracy: (!ld.is_empty()).then(|| ld.iter().filter(|ld| **ld > 0.0).count() as f64 / ld.len() as f64),
    };
    let mut pairs = Vec::new();
    let large = || groups.iter().enumerate().filter(|(_, (_, ld))| ld.len() >= 2);
    for (at, (first, x)) in large() {
        for (_, (second, y)) in large().filter(|(other, _)| *other > at) {
            let code = cohens_d(x, y, 0)?;
            pairs.push(DifPair {
                first: (*first).to_owned(),
                second: (*second).to_owned(),
                d_code_ddof0: if code.is_finite() { code } else { 0.0 },
                d_standard_ddof1: cohens_d(x, y, 1)?,
            });
        }
    }
    let largest = |d: fn(&DifPair) -> f64| pairs.iter().fold(0.0, |most: f64, pair| most.max(d(pair).abs()));
    let max_dif_code = largest(|pair| pair.d_code_ddof0);
    let max_dif_standard = largest(|pair| pair.d_standard_ddof1);
    let mut found = Dif {
        groups: groups.iter().map(of).collect(),
        pairs,
        max_dif_code,
        max_dif_standard,
        value_code: 1.0 - max_dif_code.min(1.0),
        passed_code: false,
        passed_standard: false,
    };
    found.passed_code = all_hold(ABOUT.passes.code, |name| found.value_by_name(name));
    found.passed_standard = all_hold(ABOUT.passes.document, |name| found.value_by_name(name));
    Ok(found)
}
