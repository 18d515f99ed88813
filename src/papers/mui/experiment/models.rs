use serde::{Deserialize, Serialize};

use super::draws::{Band, permuted_spearman};
use super::judgement::ClaimJudgement;
use super::selection::Agreement;
use crate::NumpyRng;
use crate::model::{Batch, Model, Parameters};
use crate::papers::mui::baselines::{BASELINES, BaselineModel};
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::{MeasuredModel, MuiMeasurement};
use crate::papers::mui::metric::pur;
use crate::papers::mui::settings::Settings;
use crate::papers::mui::tables::PAPER_ALPHA;
use crate::plot::format::fixed;
use crate::statistics::{Bootstrap, mean, spearman};
use crate::synthetic::language::{ExerciseLength, Task, task_prompts};
use crate::toy_model::{ToyModelError, task};

/// The toy model along its training, and trained from another seed.
pub(super) const TOY_CHECKPOINTS: [&str; 8] =
    ["ck-00188", "ck-00375", "ck-00750", "ck-01500", "ck-03000", "ck-06000", "ck-12000", "seed1-12000"];
/// Tests of more items than any training showed: what a better model is better at.
const HARDER_TESTS: [(Task, usize); 6] =
    [(Task::Recall, 5), (Task::Recall, 6), (Task::Recall, 7), (Task::Copy, 9), (Task::Copy, 11), (Task::Copy, 13)];
/// The first seed of their items.
const ITEMS_SEED: u32 = 9_300;
/// The seed of what is drawn.
const DRAWS_SEED: u32 = 7_011;
/// Resamples of the models.
const RESAMPLE_COUNT: usize = 1_000;
/// Neurons of a layer that k is meant for.
const TOY_LAYER_WIDTH: usize = 192;

/// A model that is ranked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiModel"))]
pub struct RankedModel {
    /// Its name: "w24-l2", "ck-12000".
    pub name: String,
    /// Its neurons.
    pub neurons: usize,
    /// Neurons of a layer that count as used by one answer.
    pub k: usize,
    /// Mean share of right answers over the ten tasks.
    pub accuracy: f64,
    /// Mean index over them.
    pub mui: f64,
    /// Mean over them of PUR, from percent; of those of which some answer uses a neuron.
    pub pur: f64,
    /// Mean share of right answers on harder tests, which no training has shown.
    pub truth: f64,
}

/// Models, and how they are ordered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiModels"))]
pub struct ModelRanking {
    /// The exponent in PUR: the paper's.
    pub alpha: f64,
    /// The models.
    pub models: Vec<RankedModel>,
    /// Spearman's coefficients of the truth with performance in random order.
    pub permuted: Option<Band>,
}

/// How something orders models, against the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankAgreement {
    /// What it is.
    pub name: &'static str,
    /// Its agreement with the truth.
    pub agreement: Option<Agreement>,
    /// 95 % of Spearman's coefficient over resamples of the models.
    pub spearman_interval: Option<(f64, f64)>,
    /// The same of how much it is above that of performance; none of performance itself.
    pub gain_interval: Option<(f64, f64)>,
}

impl ModelRanking {
    /// By performance, by PUR, by the least index and by the most neurons.
    #[must_use]
    pub fn rank_agreements(&self) -> [RankAgreement; 4] {
        let of = |of: fn(&RankedModel) -> f64| -> Vec<f64> { self.models.iter().map(of).collect() };
        let truth = of(|model| model.truth);
        let performance = of(|model| model.accuracy);
        let rho = |values: &[f64], rows: &[usize]| {
            let take = |all: &[f64]| -> Vec<f64> { rows.iter().map(|at| all[*at]).collect() };
            // A resample in which all are alike orders nothing.
            Some(spearman(&take(values), &take(&truth)).map_or(0.0, |found| found.coefficient))
        };
        let bootstrap = Bootstrap { resamples: RESAMPLE_COUNT, confidence: 0.95, seed: DRAWS_SEED };
        let band = |statistic: &dyn Fn(&[usize]) -> Option<f64>| {
            let found = bootstrap.interval_of_rows(truth.len(), statistic).ok()?;
            Some((found.low, found.high))
        };
        [
            ("performance", performance.clone()),
            ("PUR", of(|model| model.pur)),
            ("least MUI", of(|model| -model.mui)),
            ("most neurons", of(|model| model.neurons as f64)),
        ]
        .map(|(name, values)| RankAgreement {
            name,
            agreement: Agreement::between(&values, &truth),
            spearman_interval: band(&|rows| rho(&values, rows)),
            gain_interval: if values == performance {
                None
            } else {
                band(&|rows| Some(rho(&values, rows)? - rho(&performance, rows)?))
            },
        })
    }

    pub(super) fn judge_claim(&self) -> ClaimJudgement {
        let [performance, by_pur, ..] = self.rank_agreements();
        let coefficient = |order: &RankAgreement| order.agreement.map_or("–".to_owned(), |of| fixed(of.spearman, 2));
        let (verdict, above) = match by_pur.gain_interval {
            Some((low, high)) => {
                let verdict = match (low > 0.0, high < 0.0) {
                    (true, _) => Verdict::Holds,
                    (_, true) => Verdict::Fails,
                    _ => Verdict::Open,
                };
                (verdict, format!("{} to {}", fixed(low, 2), fixed(high, 2)))
            }
            None => (Verdict::Open, "–".to_owned()),
        };
        let found = format!(
            "over {} models Spearman’s coefficient with accuracy on harder tests is {} for PUR and {} for performance \
             alone; the difference is {above} in 95 % of resamples of the models",
            self.models.len(),
            coefficient(&by_pur),
            coefficient(&performance)
        );
        let claim = "PUR orders models better than performance alone (Table 1).";
        ClaimJudgement::new("mui-models", claim, verdict, found)
    }
}

/// What a model's answers to several tasks come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskMeans {
    /// Mean share of right answers over the tasks.
    pub accuracy: f64,
    /// Mean index over them.
    pub mui: f64,
    /// The same of right answers alone.
    pub mui_correct: f64,
    /// Mean over them of PUR, from percent; of those of which some answer uses a neuron, 0 of none.
    pub pur: f64,
}

impl TaskMeans {
    /// Over tasks.
    #[must_use]
    pub fn mean_over(tasks: &[MuiMeasurement]) -> Self {
        let of = |of: fn(&MuiMeasurement) -> f64| tasks.iter().map(of).collect::<Vec<f64>>();
        let mean = |values: &[f64]| mean(values).unwrap_or(0.0);
        let each = tasks.iter();
        let purs = each.filter_map(|at| pur(100.0 * at.accuracy, 100.0 * at.mui, PAPER_ALPHA).ok());
        Self {
            accuracy: mean(&of(|at| at.accuracy)),
            mui: mean(&of(|at| at.mui)),
            mui_correct: mean(&of(|at| at.mui_correct)),
            pur: mean(&purs.collect::<Vec<f64>>()),
        }
    }
}

/// The share of a layer's neurons that `k` is of the toy model's, in neurons of a layer of `width`: at least 1.
#[must_use]
pub fn scale_k(k: usize, width: usize) -> usize {
    ((k * width + TOY_LAYER_WIDTH / 2) / TOY_LAYER_WIDTH).clamp(1, width)
}

/// Mean share of right answers on harder tests, which no training has shown: so many items of each, and others under
/// another seed. The paper's claim is held against those of seed 0.
///
/// # Errors
/// [`ToyModelError::Model`] for a model that does not know the language.
pub fn mean_harder_accuracy(model: &Model, count: usize, seed: u32) -> Result<f64, ToyModelError> {
    let first = ITEMS_SEED + HARDER_TESTS.len() as u32 * seed;
    let each = (first..).zip(HARDER_TESTS).map(|(seed, (of, items))| {
        let items = task_prompts(of, count, seed, None, ExerciseLength::Items(items));
        let logits = model.last_logits(&Batch::new(&items.tokens)?, &mut ())?;
        Ok(task::score_logits(&logits, &items).accuracy)
    });
    Ok(mean(&each.collect::<Result<Vec<f64>, ToyModelError>>()?).unwrap_or(0.0))
}

/// A model measured; `k` is the same share of its layers as of the toy model's.
fn measure_model(name: &str, parameters: &Parameters, settings: &Settings) -> Result<RankedModel, ToyModelError> {
    let config = *parameters.config();
    let k = scale_k(settings.k, config.d_mlp);
    let settings = Settings { k, ..settings.clone() };
    let subject = MeasuredModel::new(parameters);
    let indices = Task::ALL.map(|of| Ok(subject.summarise_answers(&subject.measure_task(of, &settings)?)));
    let indices: Result<Vec<MuiMeasurement>, ToyModelError> = indices.into_iter().collect();
    let TaskMeans { accuracy, mui, pur, .. } = TaskMeans::mean_over(&indices?);
    let truth = mean_harder_accuracy(subject.model(), settings.prompts, 0)?;
    let neurons = config.layers * config.d_mlp;
    Ok(RankedModel { name: name.to_owned(), neurons, k, accuracy, mui, pur, truth })
}

pub(super) fn run(settings: &Settings) -> Result<ModelRanking, ToyModelError> {
    let mut models = Vec::with_capacity(BASELINES.len() + TOY_CHECKPOINTS.len());
    for (small, parameters) in BaselineModel::load_all()? {
        models.push(measure_model(small.name, &parameters, settings)?);
    }
    for name in TOY_CHECKPOINTS {
        models.push(measure_model(name, &crate::toy_model::load_parameters(name)?, settings)?);
    }
    let of = |of: fn(&RankedModel) -> f64| -> Vec<f64> { models.iter().map(of).collect() };
    let (performance, truth) = (of(|model| model.accuracy), of(|model| model.truth));
    let permuted = permuted_spearman(&mut NumpyRng::new(DRAWS_SEED), &performance, &truth);
    Ok(ModelRanking { alpha: PAPER_ALPHA, models, permuted })
}
