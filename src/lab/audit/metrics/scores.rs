//! Of scores: whether groups of prompts differ, and whether runs say the same.

use super::{MetricResult, theory_metric};
use crate::lab::audit::scores::{ScoreData, Scores};
use crate::lab::audit::{AccessLevel, AnyMetricFn, Better, Metric};
use crate::papers::measurement::metric::{
    AuditAsCoded, AuditAsDocumented, Dif, RELATIVE_DEVIATION_MAX, Reproducibility, ablation_recovery, audit_as_coded,
    audit_as_documented, dif, reproducibility,
};
use crate::statistics::{StatisticsError, mean};

/// They.
#[rustfmt::skip]
pub(super) const METRICS: &[Metric] = {
    use Better::{Higher, Lower};
    use AnyMetricFn::Scores as Of;
    use AccessLevel::Scores;
    &[
        theory_metric("ex2.difference.code", "EX2 difference of groups", ("ex2", "max_dif_code"), Lower, Scores, Of(|it| ex2(it, |found| found.max_dif_code))),
        theory_metric("ex2.difference.document", "EX2 difference of groups", ("ex2", "max_dif_standard"), Lower, Scores, Of(|it| ex2(it, |found| found.max_dif_standard))),
        theory_metric("ex24.variation.document", "EX24 variation over seeds", ("ex24", "cv_probe_sample"), Lower, Scores, Of(|it| ex24_document(it, |found| found.cv_probe_sample))),
        theory_metric("ex24.d.document", "EX24 discriminability", ("ex24", "cohens_d_document"), Higher, Scores, Of(|it| ex24_document(it, |found| found.cohens_d_document.abs()))),
        theory_metric("ex24.variation.code", "EX24 variation over seeds", ("ex24", "mean_cv_code"), Lower, Scores, Of(|it| ex24_code(it, |found| found.mean_cv_code))),
        theory_metric("ex25.coherence.code", "EX25 coherence", ("ex25", "coherence_code"), Higher, Scores, Of(|it| ex25(it, |found| Some(found.coherence_code)))),
        theory_metric("ex25.coherence.document", "EX25 coherence, prompts matched", ("ex25", "coherence_aligned"), Higher, Scores, Of(|it| ex25(it, |found| found.coherence_aligned))),
    ]
};

fn ex2(it: &Scores, of: fn(&Dif) -> f64) -> MetricResult {
    let ScoreData::Groups([first, second]) = it.data() else { return Ok(None) };
    Ok(Some(of(&dif(&[("group0", first), ("group1", second)])?)))
}

/// The score of each run: the mean of what it says.
fn run_means(runs: &[Vec<f64>]) -> Result<Vec<f64>, StatisticsError> {
    runs.iter().map(|run| mean(run)).collect()
}

fn ex24_document(it: &Scores, of: fn(&AuditAsDocumented) -> f64) -> MetricResult {
    let ScoreData::Runs { better, other, .. } = it.data() else { return Ok(None) };
    let (better, other) = (run_means(better)?, run_means(other)?);
    Ok(Some(of(&audit_as_documented(&better, &better, &other)?)))
}

/// Of two metrics: the score itself, and how much of the better one's the other loses.
fn ex24_code(it: &Scores, of: fn(&AuditAsCoded) -> f64) -> MetricResult {
    let ScoreData::Runs { better, other, .. } = it.data() else { return Ok(None) };
    let pairs = better.iter().zip(other);
    let recovered = pairs.map(|(better, other)| ablation_recovery(better, other));
    let recovered = recovered.collect::<Result<Vec<f64>, _>>()?;
    let scores = run_means(better)?;
    Ok(Some(of(&audit_as_coded(&scores, &recovered, mean(&scores)?, mean(&recovered)?)?)))
}

fn ex25(it: &Scores, of: fn(&Reproducibility) -> Option<f64>) -> MetricResult {
    let ScoreData::Runs { better, prompts, .. } = it.data() else { return Ok(None) };
    Ok(of(&reproducibility(better, Some(prompts), RELATIVE_DEVIATION_MAX)?))
}
