use serde::{Deserialize, Serialize};

use super::draws::{Band, draw_indices, format_percent, neurons_by_layer};
use super::judgement;
use super::judgement::ClaimJudgement;
use crate::NumpyRng;
use crate::model::{Batch, Hook, HookedActivation, Hooks, Site};
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::MeasuredModel;
use crate::papers::mui::metric::Neuron;
use crate::papers::mui::settings::Settings;
use crate::synthetic::language::{Prompts, Task};
use crate::toy_model::{ToyModelError, task};

/// Neurons of a layer that count as used by one answer, in turn.
const K_VALUES: [usize; 6] = [1, 2, 5, 10, 20, 40];
/// Times that equally many neurons are drawn at random.
const RANDOM_DRAWS: usize = 4;
/// Prompts of each of the other tasks.
const OTHER_TASK_PROMPTS: usize = 32;
/// The seed of the draws.
const DRAWS_SEED: u32 = 7_004;

/// What is left without some neurons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiMasked"))]
pub struct MaskingPoint {
    /// How many neurons of a layer were taken for used by one answer.
    pub k: usize,
    /// How many neurons are switched off, everywhere.
    pub neurons: usize,
    /// Accuracy on the task that they were selected by.
    pub own: f64,
    /// Mean accuracy on the other tasks.
    pub others: f64,
    /// As many random ones of each layer off instead: accuracy on the task.
    pub random_own: Band,
    /// And on the others.
    pub random_others: Band,
}

/// Whether the selected neurons are those that the task needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiMasking"))]
pub struct MaskingResult {
    /// The task.
    pub task: String,
    /// With all neurons: accuracy on the task.
    pub own: f64,
    /// And on the others.
    pub others: f64,
    /// By rising k.
    pub steps: Vec<MaskingPoint>,
}

/// Neurons that say 0 at every position.
struct ZeroAblation {
    by_layer: Vec<Vec<usize>>,
}

impl Hooks for ZeroAblation {
    fn wants(&self, hook: Hook) -> bool {
        matches!(hook, Hook::Block(layer, Site::MlpPost) if self.by_layer.get(layer).is_some_and(|off| !off.is_empty()))
    }

    fn on_activation(&mut self, hook: Hook, seen: &mut HookedActivation<'_>) {
        let Hook::Block(layer, _) = hook else { return };
        let Some(off) = self.by_layer.get(layer) else { return };
        for row in seen.values.chunks_exact_mut(seen.width.max(1)) {
            for neuron in off {
                row[*neuron] = 0.0;
            }
        }
    }
}

/// A model on a task and on all others, with some neurons off.
pub(super) struct MaskingTrial {
    pub subject: MeasuredModel,
    pub task: Task,
    tests: Vec<(Task, Prompts)>,
}

impl MaskingTrial {
    /// With so many prompts of the opened task, and of each other one.
    pub fn new(settings: &Settings, own: usize, others: usize) -> Result<Self, ToyModelError> {
        let subject = MeasuredModel::load(&settings.checkpoint)?;
        let of = |of: Task| {
            let count = if of == settings.task() { own } else { others };
            Ok((of, task::test_prompts(of, count.min(settings.prompts))?))
        };
        let tests: Result<Vec<(Task, Prompts)>, ToyModelError> = Task::ALL.into_iter().map(of).collect();
        Ok(Self { subject, task: settings.task(), tests: tests? })
    }

    /// Accuracy on the task, and the mean of the others'.
    pub fn accuracies(&self, off: &[Neuron]) -> Result<(f64, f64), ToyModelError> {
        let mut hooks = ZeroAblation { by_layer: neurons_by_layer(off, self.subject.model().config().layers) };
        let (mut here, mut others) = (0.0, 0.0);
        for (of, prompts) in &self.tests {
            let batch = Batch::new(&prompts.tokens)?;
            let logits = self.subject.model().last_logits(&batch, &mut hooks)?;
            let accuracy = task::score_logits(&logits, prompts).accuracy;
            if *of == self.task { here = accuracy } else { others += accuracy }
        }
        Ok((here, others / (self.tests.len() - 1).max(1) as f64))
    }

    /// The neurons that the task's answers use.
    pub fn select_neurons(&self, settings: &Settings) -> Result<Vec<Neuron>, ToyModelError> {
        let answers = self.subject.measure_task(self.task, settings)?;
        Ok(self.subject.used_neurons(&answers).used_neurons().collect())
    }
}

impl MaskingResult {
    /// At how many steps the selected neurons hurt the task more than every draw of random ones.
    #[must_use]
    pub fn count_worse_than_random(&self) -> usize {
        self.steps.iter().filter(|step| step.own < step.random_own.low).count()
    }

    pub(super) fn judge_claim(&self) -> ClaimJudgement {
        let (worse, steps) = (self.count_worse_than_random(), self.steps.len());
        let middle = self.steps.iter().find(|step| step.k == 5).or(self.steps.last());
        let said = middle.map_or_else(String::new, |step| {
            format!(
                "; at k = {}, {} neurons, the accuracy is {} % with the selected off and {} % with as many random ones, on the other tasks {} and {} %",
                step.k,
                step.neurons,
                format_percent(step.own),
                format_percent(step.random_own.mean),
                format_percent(step.others),
                format_percent(step.random_others.mean)
            )
        });
        let verdict = match judgement::verdict_of_counts(worse, steps) {
            // Where the task cannot be done anyway, nothing can hurt it.
            _ if self.own <= 0.0 => Verdict::Open,
            verdict => verdict,
        };
        let found = format!(
            "off, the selected neurons hurt {} more than every draw of random ones at {worse} of {steps} steps{said}",
            self.task
        );
        let claim = "Masking the selected neurons hurts far more than masking as many random ones (§3.8, Figure 11)";
        ClaimJudgement::new("mui-masking", claim, verdict, found)
    }
}

pub(super) fn run(settings: &Settings) -> Result<MaskingResult, ToyModelError> {
    let trial = MaskingTrial::new(settings, settings.prompts, OTHER_TASK_PROMPTS)?;
    let config = *trial.subject.model().config();
    let whole = trial.accuracies(&[])?;
    let mut rng = NumpyRng::new(DRAWS_SEED);
    let mut steps = Vec::with_capacity(K_VALUES.len());
    for k in K_VALUES {
        let wanted = Settings { threshold: "topk".to_owned(), k, ..settings.clone() };
        let selected = trial.select_neurons(&wanted)?;
        let counts: Vec<usize> = neurons_by_layer(&selected, config.layers).iter().map(Vec::len).collect();
        let found = trial.accuracies(&selected)?;
        let (mut random_own, mut random_others) = (Vec::new(), Vec::new());
        for _ in 0..RANDOM_DRAWS {
            let mut random: Vec<Neuron> = Vec::with_capacity(selected.len());
            for (layer, count) in counts.iter().enumerate() {
                let drawn = draw_indices(&mut rng, config.d_mlp, *count);
                random.extend(drawn.into_iter().map(|neuron| (layer, neuron)));
            }
            let (own, others) = trial.accuracies(&random)?;
            random_own.push(own);
            random_others.push(others);
        }
        let (Some(random_own), Some(random_others)) =
            (Band::from_values(&random_own), Band::from_values(&random_others))
        else {
            continue;
        };
        steps.push(MaskingPoint {
            k,
            neurons: selected.len(),
            own: found.0,
            others: found.1,
            random_own,
            random_others,
        });
    }
    Ok(MaskingResult { task: trial.task.name().to_owned(), own: whole.0, others: whole.1, steps })
}
