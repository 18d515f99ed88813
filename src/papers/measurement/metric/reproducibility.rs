//! EX25: reproducibility, whether runs with other seeds give the same numbers and the same ranking.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Condition, Formula, MetricDescription, PassConditions, all_hold, conditions, quantities, table};
use crate::rng::NumpyRng;
use crate::statistics::{StatisticsError, TieMethod, check_values, mean, ranks, spearman};

/// Relative deviations above this count.
pub const RELATIVE_DEVIATION_MAX: f64 = 0.08;
/// Means closer to 0 than this divide as this.
const DIVISOR_MIN: f64 = 1e-8;
/// Runs that share fewer prompts than this are not compared.
const SHARED_PROMPTS_MIN: usize = 3;

/// What is said of it.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "ex25",
    name: "Reproducibility",
    source: "Bai, Baumgartner, Sun, Holtzman & Tan 2026, arXiv:2602.18458",
    criteria: &["M1 Reliability"],
    establishes: "Whether a metric gives the same value and ranks prompts alike when it is run again with other seeds.",
    leaves_open: "Whether it measures what it should. As coded the seeds choose prompts, and the rankings compared are \
                  of different prompts: a metric without any noise fails.",
    passes: PassConditions {
        document: conditions!["deviation_rate" < 0.05, "max_deviation" < 0.08, "coherence_aligned" > 0.9],
        code: conditions!["deviation_rate" < 0.05, "max_deviation" < 0.08, "coherence_code" > 0.9],
    },
    table: table! {
        "deviation_rate" < 0.05, "coherence_aligned" > 0.9 => "The metric is reproducible.";
        "deviation_rate" >= 0.05, "coherence_aligned" > 0.9 =>
            "Rankings are the same and values are not: report rankings.";
        "deviation_rate" >= 0.05, "coherence_aligned" <= 0.9 => "Neither values nor rankings are the same.";
    },
    formula: Formula {
        document: "Share of pairs of runs that differ by over 8 %; coherence = mean Spearman correlation of the \
                   runs’ values prompt by prompt.",
        code: "Coherence correlates the n-th values of runs that have different prompts.",
    },
    summary: ["deviation rate < 0.05", "deviation rate < 0.05, largest deviation < 0.08, coherence > 0.9"],
    takes: &["checkpoint", "task", "n_runs"],
};

/// The pass condition of the page's summary table, which has one of the three that its text has.
pub const SUMMARY_CONDITIONS: &[Condition] = &[Condition::below("deviation_rate", 0.05)];

/// Why runs are not compared.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunsError {
    /// Too few runs, or values that are no numbers.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// A run does not say of each of its values which prompt it is of.
    #[error("run {run} has {values} values and {prompts} prompts; as many of each are needed")]
    PromptCount {
        /// Which run, from 0.
        run: usize,
        /// Its values.
        values: usize,
        /// Its prompts.
        prompts: usize,
    },
    /// There are prompts of another number of runs.
    #[error("there are {values} runs, and prompts of {prompts}; as many of each are needed")]
    RunCount {
        /// Runs with values.
        values: usize,
        /// Runs with prompts.
        prompts: usize,
    },
    /// A run has a prompt twice.
    #[error("run {run} has prompt {prompt} twice; allowed: once")]
    DuplicatePrompt {
        /// Which run, from 0.
        run: usize,
        /// The prompt.
        prompt: usize,
    },
}

impl RunsError {
    /// A stable code, e.g. `runs.twice`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Statistics(error) => error.code(),
            Self::PromptCount { .. } => "runs.prompts",
            Self::RunCount { .. } => "runs.runs",
            Self::DuplicatePrompt { .. } => "runs.twice",
        }
    }
}

/// The result of [`reproducibility`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reproducibility {
    /// Each run's mean; runs without values are left out.
    pub run_means: Vec<f64>,
    /// Share of pairs of runs whose means differ by more than the allowed share of the mean.
    pub deviation_rate: f64,
    /// The largest deviation of a run's mean from the mean of all, as a share of it: text and code.
    pub max_deviation: f64,
    /// The largest difference of two runs' means, as a share of the mean: what the code's own description says.
    pub max_deviation_pairwise: f64,
    /// Mean rank correlation of pairs of runs, the k-th value of one with the k-th of the other: the code.
    pub coherence_code: f64,
    /// The same, values of the same prompts with each other: the text. None without prompts, where two runs share fewer
    /// than three, or where a run's values do not vary.
    pub coherence_aligned: Option<f64>,
    /// Whether all three conditions hold in the code's reading.
    pub passed_code: bool,
    /// Whether all three hold with the same prompts compared.
    pub passed_aligned: bool,
    /// Whether the one condition holds that the page's summary table has.
    pub passed_summary: bool,
}

quantities! {
    Reproducibility: deviation_rate, max_deviation, max_deviation_pairwise, coherence_aligned,
        coherence_code,
}

/// Which of `count` prompts a run has, rising: the first ¾, at least two, of `RandomState(seed).permutation(count)`.
///
/// # Errors
/// [`StatisticsError::TooMany`] prompts to be counted by 32 bits.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::subsample;
/// assert_eq!(subsample(8, 0)?.len(), 6);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn subsample(count: usize, seed: u32) -> Result<Vec<usize>, StatisticsError> {
    let most = u32::MAX as usize;
    let Ok(all) = u32::try_from(count) else {
        return Err(StatisticsError::TooMany { what: "prompts", found: count, most });
    };
    let kept = (count / 4 * 3 + count % 4 * 3 / 4).max(2).min(count);
    let mut chosen: Vec<usize> =
        NumpyRng::new(seed).choice(all, kept).into_iter().map(|prompt| prompt as usize).collect();
    chosen.sort_unstable();
    Ok(chosen)
}

/// Compares runs of one metric, each its values of some prompts. `prompts` says which prompts, run by run.
///
/// # Formula
/// With run means mᵢ and their mean m, kept from 10⁻⁸: the share of pairs with |mᵢ − mⱼ|/|m| > `allowed`; the largest
/// |mᵢ − m|/|m|; the largest |mᵢ − mⱼ|/|m|. Coherence is the mean of pairwise rank correlations. The code takes the
/// first n values of each run, n being what the shortest has, and 1 − 6Σd²/(n(n² − 1)) of ranks without ties; below
/// three values it says 1. Of equal values the earlier has the lower rank here; there it is as NumPy's quicksort leaves
/// them, which depends on the processor. Aligned, it is Spearman's correlation over the prompts that two runs share.
///
/// # Errors
/// [`StatisticsError::TooFew`] below two runs with values, [`StatisticsError::NonFinite`], [`RunsError::RunCount`],
/// [`RunsError::PromptCount`], [`RunsError::DuplicatePrompt`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::{RELATIVE_DEVIATION_MAX, reproducibility};
/// // No noise at all; the second run lacks one prompt.
/// let runs = [vec![2.0, 5.0, 1.0, 4.0], vec![5.0, 1.0, 4.0]];
/// let prompts = [vec![0, 1, 2, 3], vec![1, 2, 3]];
/// let found = reproducibility(&runs, Some(&prompts), RELATIVE_DEVIATION_MAX)?;
/// assert!(found.coherence_code == -0.5 && found.coherence_aligned > Some(0.999));
/// # Ok::<(), sfc_bench::papers::measurement::metric::RunsError>(())
/// ```
pub fn reproducibility(
    runs: &[Vec<f64>],
    prompts: Option<&[Vec<usize>]>,
    allowed: f64,
) -> Result<Reproducibility, RunsError> {
    let by_prompt = prompts.map(|prompts| values_by_prompt(runs, prompts)).transpose()?;
    check_values("the allowed deviation", &[allowed], 1)?;
    for run in runs {
        check_values("values of a run", run, 0)?;
    }
    let runs: Vec<&[f64]> = runs.iter().map(Vec::as_slice).filter(|run| !run.is_empty()).collect();
    if runs.len() < 2 {
        let what = "runs with values";
        return Err(StatisticsError::TooFew { what, found: runs.len(), needed: 2 }.into());
    }
    let run_means = runs.iter().map(|run| mean(run)).collect::<Result<Vec<f64>, _>>()?;
    let centre = mean(&run_means)?;
    let size = centre.abs().max(DIVISOR_MIN);
    let relative: Vec<f64> = all_pairs(&run_means).map(|(a, b)| (a - b).abs() / size).collect();
    let deviating = relative.iter().filter(|deviation| **deviation > allowed).count();
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let mut found = Reproducibility {
        deviation_rate: deviating as f64 / relative.len() as f64,
        max_deviation: most(&mut run_means.iter().map(|run| (run - centre).abs())) / size,
        max_deviation_pairwise: most(&mut relative.iter().copied()),
        coherence_code: coherence_code(&runs)?,
        coherence_aligned: by_prompt.as_deref().and_then(coherence_aligned),
        run_means,
        passed_code: false,
        passed_aligned: false,
        passed_summary: false,
    };
    found.passed_code = all_hold(ABOUT.passes.code, |name| found.value_by_name(name));
    found.passed_aligned = all_hold(ABOUT.passes.document, |name| found.value_by_name(name));
    found.passed_summary = all_hold(SUMMARY_CONDITIONS, |name| found.value_by_name(name));
    Ok(found)
}

/// What the code says of several tasks, in which neither the largest deviation nor coherence counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RunsAggregate {
    /// Mean of the tasks' deviation rates.
    pub mean_deviation_rate: f64,
    /// Whether it is below 0.05.
    pub passed: bool,
}

/// What the code says of several tasks, from their deviation rates.
///
/// # Errors
/// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::runs_aggregate;
/// assert!(runs_aggregate(&[0.0, 0.0, 0.1])?.passed);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn runs_aggregate(deviation_rates: &[f64]) -> Result<RunsAggregate, StatisticsError> {
    let mean_deviation_rate = mean(deviation_rates)?;
    let rate = |name: &str| (name == "deviation_rate").then_some(mean_deviation_rate);
    Ok(RunsAggregate { mean_deviation_rate, passed: all_hold(SUMMARY_CONDITIONS, rate) })
}

/// All pairs of what is listed.
fn all_pairs<T>(items: &[T]) -> impl Iterator<Item = (&T, &T)> {
    let firsts = items.iter().enumerate();
    firsts.flat_map(|(at, first)| items.iter().skip(at + 1).map(move |second| (first, second)))
}

fn coherence_code(runs: &[&[f64]]) -> Result<f64, StatisticsError> {
    let n = runs.iter().map(|run| run.len()).min().unwrap_or_default();
    if n < SHARED_PROMPTS_MIN {
        return Ok(1.0);
    }
    let ranked = runs.iter().map(|run| ranks(run.get(..n).unwrap_or(run), TieMethod::Ordinal));
    let ranked = ranked.collect::<Result<Vec<_>, _>>()?;
    let each: Vec<f64> = all_pairs(&ranked)
        .map(|(a, b)| {
            let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
            let n = n as f64;
            1.0 - 6.0 * squares / (n * (n * n - 1.0))
        })
        .collect();
    mean(&each)
}

/// Of each run its values by prompt.
fn values_by_prompt(runs: &[Vec<f64>], prompts: &[Vec<usize>]) -> Result<Vec<BTreeMap<usize, f64>>, RunsError> {
    if runs.len() != prompts.len() {
        return Err(RunsError::RunCount { values: runs.len(), prompts: prompts.len() });
    }
    let mut found = Vec::with_capacity(runs.len());
    for (run, (values, prompts)) in runs.iter().zip(prompts).enumerate() {
        if values.len() != prompts.len() {
            let (values, prompts) = (values.len(), prompts.len());
            return Err(RunsError::PromptCount { run, values, prompts });
        }
        let mut map = BTreeMap::new();
        for (prompt, value) in prompts.iter().zip(values) {
            if map.insert(*prompt, *value).is_some() {
                return Err(RunsError::DuplicatePrompt { run, prompt: *prompt });
            }
        }
        if !map.is_empty() {
            found.push(map);
        }
    }
    Ok(found)
}

fn coherence_aligned(runs: &[BTreeMap<usize, f64>]) -> Option<f64> {
    let each = all_pairs(runs).map(|(first, second)| {
        let shared = first.iter().filter_map(|(prompt, a)| Some((*a, *second.get(prompt)?)));
        let (a, b): (Vec<f64>, Vec<f64>) = shared.unzip();
        if a.len() < SHARED_PROMPTS_MIN { None } else { spearman(&a, &b).ok().map(|found| found.coefficient) }
    });
    mean(&each.collect::<Option<Vec<f64>>>()?).ok()
}
