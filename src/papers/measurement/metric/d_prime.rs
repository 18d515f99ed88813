//! EX1: d′, what a circuit's ablation does to the sign of the answer.

use serde::Serialize;

use super::{Formula, MetricDescription, PassConditions, all_hold, conditions, quantities, table};
use crate::statistics::{StatisticsError, check_values, normal_quantile, roc_auc};

/// What is said of it.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "ex1",
    name: "d′ (signal detection)",
    source: "Green & Swets 1966; Macmillan & Creelman 2005",
    criteria: &["Signal Detection", "Causal"],
    establishes: "How well the circuit tells signal from noise, apart from how readily the model answers: sensitivity \
                  and criterion are two numbers.",
    leaves_open: "Whether other parts of the model could tell the two apart as well. And it looks at the sign of the \
                  logit difference alone: a circuit that carries most of it but not its sign has a small d′.",
    passes: PassConditions {
        document: conditions!["dprime" > 1.0, "auc" > 0.7],
        code: conditions!["dprime" >= 1.0, "auc" >= 0.7],
    },
    table: table! {
        "dprime" > 2.0, "auc" > 0.7 => "The circuit is a reliable detector.";
        "dprime" >= 1.0, "dprime" <= 2.0 => "The circuit contributes, but other parts do much of the work.";
        "dprime" < 1.0 => "Without the circuit the answers have nearly the same signs.";
        "dprime" > 1.0, "criterion_c" < 0.0 =>
            "Sensitive and liberal: answers are right more often than not with and without the circuit taken \
             together.";
        "dprime" > 1.0, "criterion_c" > 0.0 =>
            "Sensitive and conservative: answers are wrong more often than not, taken together.";
    },
    formula: Formula {
        document: "d′ = Z(hits) − Z(false alarms): shares of right answers with the circuit and without it. Passes \
                   above 1, with an AUC above 0.7.",
        code: "The same, at least 1 and 0.7.",
    },
    summary: ["d′ > 1, AUC > 0.7"; 2],
    takes: &["checkpoint", "task"],
};

/// The result of [`d_prime`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DPrime {
    /// Share of prompts with a logit difference above 0 in the whole model.
    pub hit_rate: f64,
    /// The same without the circuit.
    pub false_alarm_rate: f64,
    /// The hit rate, from 1/2N to 1 − 1/2N.
    pub hit_rate_adj: f64,
    /// The false alarms' rate, from 1/2N to 1 − 1/2N.
    pub fa_rate_adj: f64,
    /// d′, in standard deviations.
    pub dprime: f64,
    /// The criterion, which the page calls β: below 0 is liberal, above 0 conservative.
    pub criterion_c: f64,
    /// The likelihood ratio at the criterion, which the literature calls β.
    pub beta_likelihood_ratio: f64,
    /// The area under the ROC curve, a tie counting ½.
    pub auc: f64,
    /// Whether it passes where limits count as met: the code.
    pub passed_code_ge: bool,
    /// Whether it passes where limits must be exceeded: the text.
    pub passed_document_gt: bool,
    /// The largest d′ that so many prompts can have.
    pub dprime_max: f64,
}

quantities! {
    DPrime: dprime, auc, criterion_c, beta_likelihood_ratio, hit_rate, false_alarm_rate, dprime_max,
}

/// d′, the criterion and the area under the ROC curve of logit differences of the whole model (`signal_ld`, N₁
/// prompts) and of the model with the circuit mean-ablated (`noise_ld`, N₂ prompts).
///
/// # Formula
/// With Z the normal quantile, h and f the shares of logit differences above 0, each kept from 1/2N to 1 − 1/2N:
/// d′ = Z(h) − Z(f), c = −½(Z(h) + Z(f)), β = exp(d′·c) (Macmillan & Creelman 2005, chapters 1 and 2). The area is
/// that of [`roc_auc`]. The largest possible d′ is Z(1 − 1/2N₁) − Z(1/2N₂).
///
/// # Errors
/// [`StatisticsError::TooFew`] without prompts, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::d_prime;
/// let found = d_prime(&[2.0, 3.0, 1.0, 4.0, 2.0], &[-1.0, -2.0, -1.0, -3.0, 0.5])?;
/// assert!((found.dprime - 2.123).abs() < 1e-3 && found.passed_document_gt);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn d_prime(signal_ld: &[f64], noise_ld: &[f64]) -> Result<DPrime, StatisticsError> {
    check_values("logit differences of the whole model", signal_ld, 1)?;
    check_values("logit differences without the circuit", noise_ld, 1)?;
    let positive = |ld: &[f64]| ld.iter().filter(|ld| **ld > 0.0).count() as f64 / ld.len() as f64;
    let least = |ld: &[f64]| 1.0 / (2.0 * ld.len() as f64);
    let (hit_rate, false_alarm_rate) = (positive(signal_ld), positive(noise_ld));
    let kept = |rate: f64, least: f64| rate.clamp(least, 1.0 - least);
    let hit_rate_adj = kept(hit_rate, least(signal_ld));
    let fa_rate_adj = kept(false_alarm_rate, least(noise_ld));
    let (hit, false_alarm) = (normal_quantile(hit_rate_adj)?, normal_quantile(fa_rate_adj)?);
    let dprime = hit - false_alarm;
    let criterion_c = -0.5 * (hit + false_alarm);
    let largest = normal_quantile(1.0 - least(signal_ld))?;
    let mut found = DPrime {
        hit_rate,
        false_alarm_rate,
        hit_rate_adj,
        fa_rate_adj,
        dprime,
        criterion_c,
        beta_likelihood_ratio: libm::exp(dprime * criterion_c),
        auc: roc_auc(signal_ld, noise_ld)?,
        passed_code_ge: false,
        passed_document_gt: false,
        dprime_max: largest - normal_quantile(least(noise_ld))?,
    };
    found.passed_code_ge = all_hold(ABOUT.passes.code, |name| found.value_by_name(name));
    found.passed_document_gt = all_hold(ABOUT.passes.document, |name| found.value_by_name(name));
    Ok(found)
}
