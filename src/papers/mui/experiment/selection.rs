use serde::{Deserialize, Serialize};

use super::draws::{Band, permuted_spearman};
use super::judgement::ClaimJudgement;
use crate::NumpyRng;
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::{MeasuredModel, NeuronScores};
use crate::papers::mui::settings::{SCORE_CHOICES, Settings};
use crate::plot::format::fixed;
use crate::settings::Choice;
use crate::statistics::{kendall_tau_b, mean, spearman};
use crate::synthetic::language::Task;
use crate::toy_model::{CHECKPOINTS, ToyModelError, task};

/// Prompts of each task at each checkpoint.
const PROMPTS_PER_TASK: usize = 32;
/// Of all layers together, as many times k.
const GLOBAL_K_FACTOR: usize = 3;
/// A share of each layer's neurons: nine of 192.
const TOP_SHARE: f64 = 0.05;
/// The seed of the control.
const CONTROL_SEED: u32 = 7_007;

/// A score and a threshold, and the indices that they give.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiWay"))]
pub struct SelectionRule {
    /// What is scored: "contribution".
    pub score: String,
    /// "top 5 of each layer".
    pub threshold: String,
    /// Each task's index at the opened checkpoint.
    pub tasks: Vec<f64>,
    /// The mean index of all tasks at each of [`SelectionResult::checkpoints`].
    pub checkpoints: Vec<f64>,
}

/// How two ways order the same things.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Spearman's coefficient.
    pub spearman: f64,
    /// Its p-value.
    pub spearman_p: Option<f64>,
    /// Kendall's.
    pub kendall: f64,
    /// Its p-value.
    pub kendall_p: Option<f64>,
}

impl Agreement {
    /// Of two ways' indices; none where one of them does not differ.
    #[must_use]
    pub fn between(first: &[f64], second: &[f64]) -> Option<Self> {
        let (spearman, kendall) = (spearman(first, second).ok()?, kendall_tau_b(first, second).ok()?);
        Some(Self {
            spearman: spearman.coefficient,
            spearman_p: spearman.p,
            kendall: kendall.coefficient,
            kendall_p: kendall.p,
        })
    }
}

/// Whether it matters which neurons count as used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiSelection"))]
pub struct SelectionResult {
    /// The checkpoints of one training, by rising steps.
    pub checkpoints: Vec<String>,
    /// The first is the usual one.
    pub ways: Vec<SelectionRule>,
    /// Spearman's coefficients with the usual one, the tasks in random order.
    pub permuted: Option<Band>,
}

impl SelectionResult {
    /// How each of the others orders the tasks, and the checkpoints, against the usual way.
    #[must_use]
    pub fn agreements_with_default(&self) -> Vec<[Option<Agreement>; 2]> {
        let Some((usual, others)) = self.ways.split_first() else { return Vec::new() };
        let of = |way: &SelectionRule| {
            let checkpoints = Agreement::between(&usual.checkpoints, &way.checkpoints);
            [Agreement::between(&usual.tasks, &way.tasks), checkpoints]
        };
        others.iter().map(of).collect()
    }

    pub(super) fn judge_claim(&self) -> ClaimJudgement {
        let all = self.agreements_with_default();
        let [tasks, checkpoints] = [0, 1].map(|at| {
            let found: Vec<Agreement> = all.iter().filter_map(|both| both[at]).collect();
            let clear = |of: &&Agreement| of.spearman_p.is_some_and(|p| p < 0.05);
            let along = found.iter().filter(clear).filter(|of| of.spearman > 0.0).count();
            let against = found.iter().filter(clear).count() - along;
            let coefficients: Vec<f64> = found.iter().map(|of| of.spearman).collect();
            let average = mean(&coefficients).map_or("–".to_owned(), |mean| fixed(mean, 2));
            (along, against, average)
        });
        let verdict = match (tasks.0 + checkpoints.0, tasks.1 + checkpoints.1) {
            (0, 0) => Verdict::Open,
            (0, _) => Verdict::Fails,
            (along, _) if along == 2 * all.len() => Verdict::Holds,
            _ => Verdict::Partly,
        };
        let control = self.permuted.map_or(String::new(), |band| {
            let [low, high] = [band.low, band.high].map(|value| fixed(value, 2));
            format!("; with the tasks in random order it goes from {low} to {high}")
        });
        let words = format!(
            "of {} other ways {} order the ten tasks as the usual one does (p < 0.05) and {} turn them round; {} so order the {} checkpoints and {} turn them round; Spearman’s coefficient is on average {} and {}{control}",
            all.len(),
            tasks.0,
            tasks.1,
            checkpoints.0,
            self.checkpoints.len(),
            checkpoints.1,
            tasks.2,
            checkpoints.2
        );
        let claim =
            "Indices by other scores and thresholds go along with the usual one, at 0.723 on average (App. B.6.3)";
        ClaimJudgement::new("mui-selection", claim, verdict, words)
    }
}

/// Every score under every threshold, with words for both; the usual way first.
fn selection_rules(settings: &Settings) -> Vec<(Settings, [String; 2])> {
    let thresholds = [
        ("topk", settings.k, settings.share, format!("top {} of each layer", settings.k)),
        (
            "global-topk",
            GLOBAL_K_FACTOR * settings.k,
            settings.share,
            format!("top {} of all layers", GLOBAL_K_FACTOR * settings.k),
        ),
        ("top-share", settings.k, TOP_SHARE, format!("top {TOP_SHARE} of each layer")),
        ("topscore", settings.k, settings.share, format!("from {} of the largest", settings.share)),
    ];
    let of = |known: &Choice| {
        thresholds.clone().map(|(threshold, k, share, words)| {
            let [score, label, threshold] = [known.word, known.label, threshold].map(str::to_owned);
            (Settings { score, threshold, k, share, ..settings.clone() }, [label, words])
        })
    };
    SCORE_CHOICES.iter().flat_map(of).collect()
}

/// The index of each task by each way.
fn measure_mui_by_rule(
    subject: &MeasuredModel,
    ways: &[(Settings, [String; 2])],
    prompts: usize,
) -> Result<Vec<Vec<f64>>, ToyModelError> {
    let mut found = vec![Vec::with_capacity(Task::ALL.len()); ways.len()];
    let Some((any, _)) = ways.first() else { return Ok(found) };
    for of in Task::ALL {
        let prompts = task::test_prompts(of, prompts)?;
        let passed = subject.run_prompts(&prompts.tokens, &prompts.answers, any)?;
        let mut scored: Option<(&str, NeuronScores)> = None;
        for ((settings, _), found) in ways.iter().zip(&mut found) {
            let scored = match scored.take() {
                Some((score, kept)) if score == settings.score => &scored.insert((&settings.score, kept)).1,
                _ => &scored.insert((&settings.score, subject.score_neurons(&passed, settings)?)).1,
            };
            found.push(subject.summarise_answers(&scored.select(settings)).mui);
        }
    }
    Ok(found)
}

/// The checkpoints of the one training, without the untrained one.
pub(super) fn trained_checkpoints() -> Vec<&'static str> {
    CHECKPOINTS.into_iter().filter(|name| name.starts_with("ck-") && *name != CHECKPOINTS[0]).collect()
}

pub(super) fn run(settings: &Settings) -> Result<SelectionResult, ToyModelError> {
    let ways = selection_rules(settings);
    let tasks = measure_mui_by_rule(&MeasuredModel::load(&settings.checkpoint)?, &ways, settings.prompts)?;
    let checkpoints = trained_checkpoints();
    let mut along = vec![Vec::with_capacity(checkpoints.len()); ways.len()];
    for checkpoint in &checkpoints {
        let each =
            measure_mui_by_rule(&MeasuredModel::load(checkpoint)?, &ways, PROMPTS_PER_TASK.min(settings.prompts))?;
        for (along, each) in along.iter_mut().zip(each) {
            along.push(mean(&each).unwrap_or(f64::NAN));
        }
    }
    let mut rng = NumpyRng::new(CONTROL_SEED);
    let usual = tasks.first().cloned().unwrap_or_default();
    let permuted = permuted_spearman(&mut rng, &usual, &usual);
    let ways = ways
        .into_iter()
        .zip(tasks.into_iter().zip(along))
        .map(|((_, [score, threshold]), (tasks, checkpoints))| SelectionRule { score, threshold, tasks, checkpoints });
    let checkpoints = checkpoints.into_iter().map(str::to_owned).collect();
    Ok(SelectionResult { checkpoints, ways: ways.collect(), permuted })
}
