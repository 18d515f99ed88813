//! EX24: the audit of metrics, whether seeds move a metric less than what it is to tell apart.

use serde::Serialize;

use super::{Formula, MetricDescription, PassConditions, all_hold, conditions, quantities, table};
use crate::statistics::{StatisticsError, check_values, cohens_d, mean, standard_deviation};

/// Seeds of the audit (arXiv:2605.18229, §3); the page's code counts from 0 instead.
pub const AUDIT_SEEDS: [u32; 5] = [42, 123, 456, 789, 2024];
/// Means closer to 0 than this divide as this.
const DIVISOR_MIN: f64 = 1e-8;

/// What is said of it.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "ex24",
    name: "Audit of metrics (reseed noise and discriminability)",
    source: "Anonymous 2026, arXiv:2605.18229",
    criteria: &["M1 Reliability", "M2 Measurement Invariance"],
    establishes: "Whether a metric by which autoencoders are compared is the same under another seed, and differs \
                  between things that differ.",
    leaves_open: "Whether any autoencoder is good. As coded it is about two metrics at once, and its \
                  discriminability subtracts a score of the one from a score of the other.",
    passes: PassConditions {
        document: conditions!["cv_probe_sample" < 0.05, "discriminability_document" > 0.8],
        code: conditions!["mean_cv_code" < 0.05, "discriminability_code" > 0.8],
    },
    table: table! {
        "cv_probe_sample" < 0.05, "discriminability_document" > 0.8 =>
            "The metric is stable and tells configurations apart.";
        "cv_probe_sample" < 0.05, "discriminability_document" <= 0.8 =>
            "The metric is stable, and does not tell these configurations apart.";
        "cv_probe_sample" >= 0.05 => "The metric is noisy: differences may be those of seeds.";
    },
    formula: Formula {
        document: "CV = σ / |mean| of a metric over seeds; d between two configurations.",
        code: "Mean CV of two metrics, a probe’s accuracy and ablation recovery; “d” = |probe − ablation| / σ of the \
               probe.",
    },
    summary: ["CV < 0.05, d > 0.8"; 2],
    takes: &["checkpoint", "task", "n_reseeds"],
};

/// The audit as the text has it: one metric under several seeds, and of two configurations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AuditAsDocumented {
    /// The coefficient of variation over seeds, with ddof 1.
    pub cv_probe_sample: f64,
    /// The same with ddof 0.
    pub cv_probe_pop: f64,
    /// Cohen's d of the two configurations; infinite where neither varies and they differ.
    pub cohens_d_document: f64,
    /// Whether the first is below 0.05 and |d| above 0.8.
    pub passed_document: bool,
}

quantities! {
    AuditAsDocumented: cv_probe_sample, cv_probe_pop, cohens_d_document, discriminability_document(),
}

/// The audit as it is coded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AuditAsCoded {
    /// The probe's coefficient of variation over seeds, with ddof 0.
    pub cv_probe_pop: f64,
    /// The ablation's.
    pub cv_ablation_pop: f64,
    /// Their mean.
    pub mean_cv_code: f64,
    /// The difference between a score of the probe and one of the ablation, as a multiple of the probe's deviation.
    pub discriminability_code: f64,
    /// Whether the mean is below 0.05 and the difference above 0.8.
    pub passed_code: bool,
}

quantities! {
    AuditAsCoded: mean_cv_code, cv_probe_pop, cv_ablation_pop, discriminability_code,
}

/// The audit over several tasks as it is coded, in which discriminability does not count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AuditAggregate {
    /// Mean of the tasks' coefficients of variation.
    pub mean_cv: f64,
    /// Their standard deviation, ddof 0.
    pub cv_std: f64,
    /// Whether the mean is below 0.05.
    pub passed: bool,
}

impl AuditAsDocumented {
    /// |d|, which the limit is for.
    fn discriminability_document(&self) -> f64 {
        self.cohens_d_document.abs()
    }
}

/// σ/|μ| of a metric's values, the mean kept from 10⁻⁸.
///
/// # Errors
/// [`StatisticsError::TooFew`] unless there are more values than `ddof`, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::coefficient_of_variation;
/// assert!((coefficient_of_variation(&[0.4, 0.6], 0)? - 0.2).abs() < 1e-15);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn coefficient_of_variation(values: &[f64], ddof: usize) -> Result<f64, StatisticsError> {
    Ok(standard_deviation(values, ddof)? / mean(values)?.abs().max(DIVISOR_MIN))
}

/// The audit in the text's reading: a metric's values under several seeds (`scores`), and its values in two
/// configurations of which one is better (`config_a`, `config_b`).
///
/// # Formula
/// CV = σ/|μ| of the scores, the deviation being the estimate from a sample (ddof 1; the text does not say which), the
/// mean kept from 10⁻⁸. d is [`cohens_d`] with ddof 1; its sign does not count.
///
/// # Errors
/// [`StatisticsError::TooFew`] below two values of anything, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::audit_as_documented;
/// let found = audit_as_documented(&[0.8, 0.81, 0.79], &[0.8, 0.81, 0.79], &[0.6, 0.61, 0.59])?;
/// assert!(found.passed_document && found.cohens_d_document > 19.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn audit_as_documented(
    scores: &[f64],
    config_a: &[f64],
    config_b: &[f64],
) -> Result<AuditAsDocumented, StatisticsError> {
    let mut found = AuditAsDocumented {
        cv_probe_sample: coefficient_of_variation(scores, 1)?,
        cv_probe_pop: coefficient_of_variation(scores, 0)?,
        cohens_d_document: cohens_d(config_a, config_b, 1)?,
        passed_document: false,
    };
    found.passed_document = all_hold(ABOUT.passes.document, |name| found.value_by_name(name));
    Ok(found)
}

/// The audit in the code's reading: a probe's and an ablation's values under several seeds, and one value more of
/// each.
///
/// # Formula
/// CV = σ/|μ| of each with ddof 0, the means kept from 10⁻⁸, and their mean; |full − ablated|/σ of the probe, that
/// deviation kept from 10⁻⁸, too.
///
/// # Errors
/// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::audit_as_coded;
/// // A probe that never varies passes whatever the other metric is.
/// assert!(audit_as_coded(&[0.5, 0.5], &[1.0, 1.0], 0.9, 0.1)?.passed_code);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn audit_as_coded(
    probe_scores: &[f64],
    ablation_scores: &[f64],
    full_score: f64,
    ablated_score: f64,
) -> Result<AuditAsCoded, StatisticsError> {
    check_values("the scores of the probe and the ablation", &[full_score, ablated_score], 2)?;
    let cv_probe_pop = coefficient_of_variation(probe_scores, 0)?;
    let cv_ablation_pop = coefficient_of_variation(ablation_scores, 0)?;
    let deviation = standard_deviation(probe_scores, 0)?.max(DIVISOR_MIN);
    let mut found = AuditAsCoded {
        cv_probe_pop,
        cv_ablation_pop,
        mean_cv_code: (cv_probe_pop + cv_ablation_pop) / 2.0,
        discriminability_code: (full_score - ablated_score).abs() / deviation,
        passed_code: false,
    };
    found.passed_code = all_hold(ABOUT.passes.code, |name| found.value_by_name(name));
    Ok(found)
}

/// What the code says of several tasks, from their mean coefficients of variation.
///
/// # Errors
/// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`].
pub fn audit_aggregate(mean_cvs: &[f64]) -> Result<AuditAggregate, StatisticsError> {
    let mean_cv = mean(mean_cvs)?;
    let cv_std = standard_deviation(mean_cvs, 0)?;
    let cv = |name: &str| (name == "mean_cv_code").then_some(mean_cv);
    let [variation, ..] = ABOUT.passes.code else {
        return Ok(AuditAggregate { mean_cv, cv_std, passed: false });
    };
    Ok(AuditAggregate { mean_cv, cv_std, passed: all_hold(&[*variation], cv) })
}
