//! Neurons switched off by other scores, or by other thresholds.

use serde::{Deserialize, Serialize};

use super::draws::{Band, draw_indices, format_percent};
use super::judgement::ClaimJudgement;
use super::judgement::verdict_of_counts;
use super::masking::MaskingTrial;
use crate::NumpyRng;
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::metric::Neuron;
use crate::papers::mui::settings::{SCORE_CHOICES, Settings};
use crate::toy_model::ToyModelError;

/// Prompts of the task, and of each of the others.
const PROMPT_COUNTS: [usize; 2] = [64, 16];
/// Neurons of a layer that count as used by one answer, in turn.
const K_VALUES: [usize; 5] = [1, 2, 5, 10, 20];
/// Of all layers together.
const GLOBAL_K_VALUES: [usize; 5] = [3, 6, 15, 30, 60];
/// Share of the largest score of a layer.
const TOP_SCORE_SHARES: [f64; 5] = [1.0, 0.8, 0.5, 0.3, 0.15];
/// Shares of all neurons that are drawn at random.
const RANDOM_SHARES: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.6];
/// Times that each is drawn.
const RANDOM_DRAWS: usize = 3;
/// The seed of the draws.
const DRAWS_SEED: u32 = 7_008;

/// What is left without some neurons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiCut"))]
pub struct AblationPoint {
    /// At what the selection was cut off: "k = 5".
    pub at: String,
    /// How many neurons are off.
    pub neurons: usize,
    /// Accuracy on the task that they were selected by.
    pub own: f64,
    /// Mean accuracy on the other tasks.
    pub others: f64,
}

/// As many neurons at random, of whichever layer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiRandomCut"))]
pub struct RandomAblationPoint {
    /// How many are off.
    pub neurons: usize,
    /// Accuracy on the task, over draws.
    pub own: Band,
    /// On the others.
    pub others: Band,
}

/// One way to select, ever wider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiCurve"))]
pub struct AblationCurve {
    /// The score or the threshold.
    pub name: String,
    /// By rising number of neurons.
    pub cuts: Vec<AblationPoint>,
}

/// Ways to select against each other and against random neurons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiCuts"))]
pub struct AblationCurves {
    /// The task.
    pub task: String,
    /// With all neurons: accuracy on the task.
    pub own: f64,
    /// And on the others.
    pub others: f64,
    /// One a way.
    pub curves: Vec<AblationCurve>,
    /// By rising number of neurons.
    pub random: Vec<RandomAblationPoint>,
}

impl AblationCurves {
    /// The lowest accuracy on the task with so many random neurons off, on straight lines between the draws.
    fn lowest_random_accuracy(&self, neurons: usize) -> f64 {
        let mut before = (0, self.own);
        for cut in &self.random {
            let here = (cut.neurons, cut.own.low);
            if neurons <= here.0 {
                let share = (neurons - before.0) as f64 / (here.0 - before.0).max(1) as f64;
                return before.1 + share * (here.1 - before.1);
            }
            before = here;
        }
        before.1
    }

    /// At how many cuts of a curve the selected neurons hurt the task more than every draw of random ones.
    #[must_use]
    pub fn count_worse_than_random(&self, curve: &AblationCurve) -> usize {
        curve.cuts.iter().filter(|cut| cut.own < self.lowest_random_accuracy(cut.neurons)).count()
    }

    pub(super) fn judge_claim(&self, figure: &str) -> ClaimJudgement {
        let most = |curve: &&AblationCurve| 2 * self.count_worse_than_random(curve) > curve.cuts.len();
        let verdict = match verdict_of_counts(self.curves.iter().filter(most).count(), self.curves.len()) {
            _ if self.own <= 0.0 => Verdict::Open,
            verdict => verdict,
        };
        let each = self.curves.iter().map(|curve| {
            let last = curve.cuts.last().map_or(String::new(), |cut| {
                format!(", with {} off {} % are right", cut.neurons, format_percent(cut.own))
            });
            format!("{} at {} of {}{last}", curve.name, self.count_worse_than_random(curve), curve.cuts.len())
        });
        let found = format!(
            "off, the selected neurons hurt {} more than every draw of as many random ones: by {}",
            self.task,
            each.collect::<Vec<_>>().join("; by ")
        );
        let claim =
            "Masking the selected neurons hurts far more than masking as many random ones (§3.8, Figures 22 to 26)";
        ClaimJudgement::new(figure, claim, verdict, found)
    }
}

/// What a threshold is set to, in turn.
fn threshold_settings(threshold: &str, settings: &Settings) -> Vec<(String, Settings)> {
    let of = |k: Option<usize>, share: Option<f64>| Settings {
        threshold: threshold.to_owned(),
        k: k.unwrap_or(settings.k),
        share: share.unwrap_or(settings.share),
        ..settings.clone()
    };
    match threshold {
        "topscore" => TOP_SCORE_SHARES.map(|share| (format!("share {share}"), of(None, Some(share)))).to_vec(),
        "global-topk" => GLOBAL_K_VALUES.map(|k| (format!("k = {k}"), of(Some(k), None))).to_vec(),
        _ => K_VALUES.map(|k| (format!("k = {k}"), of(Some(k), None))).to_vec(),
    }
}

fn measure_curve(
    trial: &MaskingTrial,
    name: &str,
    steps: Vec<(String, Settings)>,
) -> Result<AblationCurve, ToyModelError> {
    let mut cuts: Vec<AblationPoint> = Vec::with_capacity(steps.len());
    for (at, settings) in steps {
        let selected = trial.select_neurons(&settings)?;
        let (own, others) = trial.accuracies(&selected)?;
        cuts.push(AblationPoint { at, neurons: selected.len(), own, others });
    }
    Ok(AblationCurve { name: name.to_owned(), cuts })
}

fn measure_curves(settings: &Settings, ways: &[(&str, &str, Settings)]) -> Result<AblationCurves, ToyModelError> {
    let [own, others] = PROMPT_COUNTS;
    let trial = MaskingTrial::new(settings, own, others)?;
    let whole = trial.accuracies(&[])?;
    let mut curves = Vec::with_capacity(ways.len());
    for (name, threshold, settings) in ways {
        let few = Settings { prompts: own.min(settings.prompts), ..settings.clone() };
        curves.push(measure_curve(&trial, name, threshold_settings(threshold, &few))?);
    }
    let config = *trial.subject.model().config();
    let all = config.layers * config.d_mlp;
    let mut rng = NumpyRng::new(DRAWS_SEED);
    let mut random = Vec::with_capacity(RANDOM_SHARES.len());
    for share in RANDOM_SHARES {
        let neurons = (share * all as f64) as usize;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for _ in 0..RANDOM_DRAWS {
            let drawn = draw_indices(&mut rng, all, neurons).into_iter();
            let off: Vec<Neuron> = drawn.map(|at| (at / config.d_mlp, at % config.d_mlp)).collect();
            let found = trial.accuracies(&off)?;
            own.push(found.0);
            others.push(found.1);
        }
        let (Some(own), Some(others)) = (Band::from_values(&own), Band::from_values(&others)) else {
            continue;
        };
        random.push(RandomAblationPoint { neurons, own, others });
    }
    let task = trial.task.name().to_owned();
    Ok(AblationCurves { task, own: whole.0, others: whole.1, curves, random })
}

/// By each score, the k largest of each layer.
pub(super) fn curves_by_score(settings: &Settings) -> Result<AblationCurves, ToyModelError> {
    let ways: Vec<(&str, &str, Settings)> = SCORE_CHOICES
        .iter()
        .map(|score| {
            let settings = Settings { score: score.word.to_owned(), ..settings.clone() };
            (score.label, "topk", settings)
        })
        .collect();
    measure_curves(settings, &ways)
}

/// By each kind of threshold, under the chosen score. A share of a layer's neurons is a k of its own.
pub(super) fn curves_by_threshold(settings: &Settings) -> Result<AblationCurves, ToyModelError> {
    let ways = [
        ("top k of each layer", "topk"),
        ("top k of all layers", "global-topk"),
        ("share of the largest score", "topscore"),
    ];
    let ways = ways.map(|(name, threshold)| (name, threshold, settings.clone()));
    measure_curves(settings, &ways)
}
