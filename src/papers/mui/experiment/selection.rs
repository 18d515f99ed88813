use serde::{Deserialize, Serialize};

use super::{Band, Judgement, permuted};
use crate::NumpyRng;
use crate::little::{CHECKPOINTS, LittleError, task};
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::{Scored, Subject};
use crate::papers::mui::settings::{SCORES, Settings};
use crate::plot::format::fixed;
use crate::settings::Choice;
use crate::statistics::{kendall_tau_b, mean, spearman};
use crate::world::language::Task;

/// Prompts of each task at each checkpoint.
const FEW: usize = 32;
/// Of all layers together, as many times k.
const LAYERS: usize = 3;
/// A share of each layer's neurons: nine of 192.
const TOP_SHARE: f64 = 0.05;
/// The seed of the control.
const SEED: u32 = 7_007;

/// A score and a threshold, and the indices that they give.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiWay"))]
pub struct Way {
    /// What is scored: "contribution".
    pub score: String,
    /// "top 5 of each layer".
    pub threshold: String,
    /// Each task's index at the opened checkpoint.
    pub tasks: Vec<f64>,
    /// The mean index of all tasks at each of [`Selection::checkpoints`].
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
    pub fn of(first: &[f64], second: &[f64]) -> Option<Self> {
        let (spearman, kendall) =
            (spearman(first, second).ok()?, kendall_tau_b(first, second).ok()?);
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
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiSelection"))]
pub struct Selection {
    /// The checkpoints of one training, by rising steps.
    pub checkpoints: Vec<String>,
    /// The first is the usual one.
    pub ways: Vec<Way>,
    /// Spearman's coefficients with the usual one, the tasks in random order.
    pub permuted: Option<Band>,
}

impl Selection {
    /// How each of the others orders the tasks, against the usual way.
    #[must_use]
    pub fn with_usual(&self) -> Vec<Option<Agreement>> {
        let Some((usual, others)) = self.ways.split_first() else { return Vec::new() };
        others.iter().map(|way| Agreement::of(&usual.tasks, &way.tasks)).collect()
    }

    pub(super) fn judged(&self) -> Judgement {
        let all = self.with_usual();
        let found: Vec<Agreement> = all.iter().copied().flatten().collect();
        let clear = |of: &&Agreement| of.spearman_p.is_some_and(|p| p < 0.05);
        let agree = found.iter().filter(clear).filter(|of| of.spearman > 0.0).count();
        let against = found.iter().filter(clear).filter(|of| of.spearman < 0.0).count();
        let verdict = match (agree, against) {
            (0, 0) => Verdict::Open,
            (0, _) => Verdict::Fails,
            (agree, _) if agree == all.len() => Verdict::Holds,
            _ => Verdict::Partly,
        };
        let coefficients: Vec<f64> = found.iter().map(|of| of.spearman).collect();
        let average = mean(&coefficients).map_or("–".to_owned(), |mean| fixed(mean, 2));
        let control = self.permuted.map_or(String::new(), |band| {
            format!(
                "; with the tasks in random order it goes from {} to {}",
                fixed(band.low, 2),
                fixed(band.high, 2)
            )
        });
        let words = format!(
            "{agree} of {} other ways order the ten tasks as the usual one does (p < 0.05), {against} the other way round; Spearman’s coefficient is {average} on average{control}",
            all.len()
        );
        let claim = "Indices by other scores and thresholds go along with the usual one, at 0.723 on average (App. B.6.3)";
        Judgement::new("mui-selection", claim, verdict, words)
    }
}

/// Every score under every threshold, with words for both; the usual way first.
fn ways(settings: &Settings) -> Vec<(Settings, [String; 2])> {
    let thresholds = [
        ("topk", settings.k, settings.share, format!("top {} of each layer", settings.k)),
        (
            "global-topk",
            LAYERS * settings.k,
            settings.share,
            format!("top {} of all layers", LAYERS * settings.k),
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
    SCORES.iter().flat_map(of).collect()
}

/// The index of each task by each way.
fn indices(
    subject: &Subject,
    ways: &[(Settings, [String; 2])],
    prompts: usize,
) -> Result<Vec<Vec<f64>>, LittleError> {
    let mut found = vec![Vec::with_capacity(Task::ALL.len()); ways.len()];
    let Some((any, _)) = ways.first() else { return Ok(found) };
    for of in Task::ALL {
        let prompts = task::tested(of, prompts)?;
        let passed = subject.passed(&prompts.tokens, &prompts.answer, any)?;
        let mut scored: Option<(&str, Scored)> = None;
        for ((settings, _), found) in ways.iter().zip(&mut found) {
            let scored = match scored.take() {
                Some((score, kept)) if score == settings.score => {
                    &scored.insert((&settings.score, kept)).1
                }
                _ => &scored.insert((&settings.score, subject.scored(&passed, settings)?)).1,
            };
            found.push(subject.index(&scored.selected(settings)).mui);
        }
    }
    Ok(found)
}

/// The checkpoints of the one training, without the untrained one.
pub(super) fn trained() -> Vec<&'static str> {
    CHECKPOINTS
        .into_iter()
        .filter(|name| name.starts_with("ck-") && *name != CHECKPOINTS[0])
        .collect()
}

pub(super) fn run(settings: &Settings) -> Result<Selection, LittleError> {
    let ways = ways(settings);
    let tasks = indices(&Subject::shipped(&settings.checkpoint)?, &ways, settings.prompts)?;
    let checkpoints = trained();
    let mut along = vec![Vec::with_capacity(checkpoints.len()); ways.len()];
    for checkpoint in &checkpoints {
        let each = indices(&Subject::shipped(checkpoint)?, &ways, FEW.min(settings.prompts))?;
        for (along, each) in along.iter_mut().zip(each) {
            along.push(mean(&each).unwrap_or(f64::NAN));
        }
    }
    let mut rng = NumpyRng::new(SEED);
    let usual = tasks.first().cloned().unwrap_or_default();
    let permuted = permuted(&mut rng, &usual, &usual);
    let ways = ways.into_iter().zip(tasks.into_iter().zip(along)).map(
        |((_, [score, threshold]), (tasks, checkpoints))| Way {
            score,
            threshold,
            tasks,
            checkpoints,
        },
    );
    let checkpoints = checkpoints.into_iter().map(str::to_owned).collect();
    Ok(Selection { checkpoints, ways: ways.collect(), permuted })
}
