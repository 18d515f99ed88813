//! Scores that were published under several seeds, by the audit's rule.

use serde::Serialize;

use crate::lab::audit::{Rule, VerdictWord};
use crate::papers::measurement::user_files::{OwnResults, SeedMetric, read};
use crate::statistics::{auc_interval, roc_auc};
use crate::study::user_file::{UserFile, UserFileError};

/// How often intervals hold.
const CONFIDENCE: f64 = 0.95;

/// What can be said of a number that an evaluation reports: there is neither a truth nor a control.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditPublished"))]
pub struct PublishedAssessment {
    /// The evaluation: "sparse_probing".
    pub evaluation: String,
    /// Which number.
    pub quantity: String,
    /// How many autoencoders it is of under two seeds or more.
    pub configurations: usize,
    /// The fewest seeds of one of these.
    pub seeds: usize,
    /// Its coefficient of variation over seeds (ddof 1), averaged over autoencoders; none where some mean is 0, or no
    /// autoencoder has two seeds.
    pub variation: Option<f64>,
    /// What the rule says of that.
    pub reliability: VerdictWord,
    /// Pairs of autoencoders.
    pub pairs: usize,
    /// The share of pairs that EX24 passes as its text has it; none without a pair.
    pub passes: Option<f64>,
    /// The share of pairs whose seeds an interval of AUC tells apart; none without a pair.
    pub told: Option<f64>,
}

/// What SAEBench's results in folders `seed_<number>` say of their own numbers, EX24 on each, by a rule.
///
/// # Errors
/// [`UserFileError`]: as reading them, and [`UserFileError::NoFiles`] where none of them is a result of SAEBench under a seed.
pub fn assess_published(files: Vec<UserFile>, rule: &Rule) -> Result<Vec<PublishedAssessment>, UserFileError> {
    let seeds = |found| match found {
        (_, OwnResults::Seeds(metrics)) => Some(metrics),
        _ => None,
    };
    let found: Vec<SeedMetric> = read(files)?.into_iter().filter_map(seeds).flatten().collect();
    if found.is_empty() {
        let allowed = "SAEBench's results in folders seed_<number>".to_owned();
        return Err(UserFileError::NoFiles { allowed });
    }
    Ok(found.into_iter().map(|metric| assess_metric(metric, rule)).collect())
}

fn assess_metric(metric: SeedMetric, rule: &Rule) -> PublishedAssessment {
    let SeedMetric { evaluation, quantity, audit } = metric;
    let several: Vec<_> = audit.configurations.iter().filter(|configuration| configuration.values.len() > 1).collect();
    let variations: Option<Vec<f64>> = several.iter().map(|one| one.cv_sample).collect();
    let variations = variations.filter(|all| !all.is_empty());
    let variation = variations.map(|all| all.iter().sum::<f64>() / all.len() as f64);
    let reliability = match variation {
        _ if several.is_empty() => VerdictWord::Unknown,
        Some(cv) if cv <= rule.cv_holds => VerdictWord::Holds,
        Some(cv) if cv <= rule.cv_partly => VerdictWord::Partly,
        _ => VerdictWord::Fails,
    };
    let all = audit.pairs_summary();
    let pairs = all.pairs;
    let share = |count: usize| (pairs > 0).then(|| count as f64 / pairs as f64);
    let told = |first: &[f64], second: &[f64]| {
        let interval = roc_auc(first, second).and_then(|auc| auc_interval(auc, first.len(), second.len(), CONFIDENCE));
        interval.is_ok_and(|interval| interval.low > 0.5 || interval.high < 0.5)
    };
    let apart = several.iter().enumerate().map(|(at, first)| {
        let others = several.iter().skip(at + 1);
        others.filter(|second| told(&first.values, &second.values)).count()
    });
    let apart = apart.sum();
    PublishedAssessment {
        configurations: several.len(),
        seeds: several.iter().map(|one| one.values.len()).min().unwrap_or_default(),
        variation,
        reliability,
        pairs,
        passes: share(all.passed_document),
        told: share(apart),
        evaluation,
        quantity,
    }
}
