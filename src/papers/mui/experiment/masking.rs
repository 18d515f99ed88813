use serde::{Deserialize, Serialize};

use super::{Band, by_layer, some};
use crate::NumpyRng;
use crate::little::{LittleError, task};
use crate::model::{Batch, Hook, Hooks, Seen, Site};
use crate::papers::mui::measure::Subject;
use crate::papers::mui::metric::Neuron;
use crate::papers::mui::settings::Settings;
use crate::world::language::{Prompts, Task};

/// Neurons of a layer that count as used by one answer, in turn.
const KS: [usize; 6] = [1, 2, 5, 10, 20, 40];
/// Times that equally many neurons are drawn at random.
const RANDOM: usize = 4;
/// Prompts of each of the other tasks.
const FEW: usize = 32;
/// The seed of the draws.
const SEED: u32 = 7_004;

/// What is left without some neurons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiMasked"))]
pub struct Masked {
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
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiMasking"))]
pub struct Masking {
    /// The task.
    pub task: String,
    /// With all neurons: accuracy on the task.
    pub own: f64,
    /// And on the others.
    pub others: f64,
    /// By rising k.
    pub steps: Vec<Masked>,
}

/// Neurons that say 0 at every position.
struct Off {
    by_layer: Vec<Vec<usize>>,
}

impl Hooks for Off {
    fn wants(&self, hook: Hook) -> bool {
        matches!(hook, Hook::Block(layer, Site::MlpPost) if self.by_layer.get(layer).is_some_and(|off| !off.is_empty()))
    }

    fn at(&mut self, hook: Hook, seen: &mut Seen<'_>) {
        let Hook::Block(layer, _) = hook else { return };
        let Some(off) = self.by_layer.get(layer) else { return };
        for row in seen.values.chunks_exact_mut(seen.width.max(1)) {
            for neuron in off {
                row[*neuron] = 0.0;
            }
        }
    }
}

pub(super) fn run(settings: &Settings) -> Result<Masking, LittleError> {
    let subject = Subject::shipped(&settings.checkpoint)?;
    let config = *subject.model().config();
    let own = settings.task();
    let tests: Result<Vec<(Task, Prompts)>, LittleError> = Task::ALL
        .into_iter()
        .map(|of| {
            let count = if of == own { settings.prompts } else { FEW.min(settings.prompts) };
            Ok((of, task::tested(of, count)?))
        })
        .collect();
    let tests = tests?;
    let accuracies = |off: &[Neuron]| -> Result<(f64, f64), LittleError> {
        let mut hooks = Off { by_layer: by_layer(off, config.layers) };
        let (mut here, mut others) = (0.0, 0.0);
        for (of, prompts) in &tests {
            let batch = Batch::new(&prompts.tokens)?;
            let logits = subject.model().last_logits(&batch, &mut hooks)?;
            let accuracy = task::scored(&logits, prompts).accuracy;
            if *of == own { here = accuracy } else { others += accuracy }
        }
        Ok((here, others / (tests.len() - 1).max(1) as f64))
    };
    let whole = accuracies(&[])?;
    let mut rng = NumpyRng::new(SEED);
    let mut steps = Vec::with_capacity(KS.len());
    for k in KS {
        let wanted = Settings { threshold: "topk".to_owned(), k, ..settings.clone() };
        let selected: Vec<Neuron> = subject.used(&subject.task(own, &wanted)?).neurons().collect();
        let counts: Vec<usize> = by_layer(&selected, config.layers).iter().map(Vec::len).collect();
        let found = accuracies(&selected)?;
        let (mut random_own, mut random_others) = (Vec::new(), Vec::new());
        for _ in 0..RANDOM {
            let mut random: Vec<Neuron> = Vec::with_capacity(selected.len());
            for (layer, count) in counts.iter().enumerate() {
                let drawn = some(&mut rng, config.d_mlp, *count);
                random.extend(drawn.into_iter().map(|neuron| (layer, neuron)));
            }
            let (own, others) = accuracies(&random)?;
            random_own.push(own);
            random_others.push(others);
        }
        let (Some(random_own), Some(random_others)) =
            (Band::of(&random_own), Band::of(&random_others))
        else {
            continue;
        };
        steps.push(Masked {
            k,
            neurons: selected.len(),
            own: found.0,
            others: found.1,
            random_own,
            random_others,
        });
    }
    Ok(Masking { task: own.name().to_owned(), own: whole.0, others: whole.1, steps })
}
