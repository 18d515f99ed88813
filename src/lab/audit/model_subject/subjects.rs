//! Models of a job: along a training, smaller, or with their neurons in another order.

use std::rc::Rc;

use super::{Asked, ModelSubject};
use crate::NumpyRng;
use crate::lab::audit::truths::ACCURACY;
use crate::lab::audit::{Clock, Group, Job, Made, Preset, Subject};
use crate::model::Parameters;
use crate::papers::mui::baselines::Small;
use crate::papers::mui::experiment::harder;
use crate::synthetic::language::{Prompts, Size, Task, prompts, texts};
use crate::toy_model::{self, FINAL, ToyModelError};

/// The same model, trained from another seed.
pub(super) const OTHER: &str = "seed1-12000";
/// Seeds of a job's prompts and texts are so far from those that papers are held against.
const SEEDS: u32 = 30_000;
/// Seeds of a job's samples are so far apart.
const APART: u32 = 1_000;
/// Steps of the whole training.
const STEPS: f64 = 12_000.0;
/// Checkpoints between the first and the last.
const BETWEEN: [u32; 6] = [188, 375, 750, 1_500, 3_000, 6_000];
/// Those of the small preset.
const FEW: [u32; 3] = [375, 1_500, 6_000];
/// The smaller models of the small preset.
const SMALL: [&str; 4] = ["w16-l1", "w24-l2", "w32-l2-1500", "w32-l3"];

/// How much is asked.
#[derive(Clone, Copy)]
struct Count {
    prompts: usize,
    requests: usize,
    texts: usize,
}

fn count(preset: Preset) -> Count {
    match preset {
        Preset::Small => Count { prompts: 24, requests: 64, texts: 60 },
        Preset::Full => Count { prompts: 64, requests: 192, texts: 200 },
    }
}

/// What is asked under a seed.
pub(in crate::lab::audit) fn drawn(preset: Preset, seed: u32) -> Asked {
    let Count { prompts: each, requests, texts: natural } = count(preset);
    let first = SEEDS + 20 * seed;
    let of = |task: &Task| prompts(*task, each, first + *task as u32, None, Size::Constant);
    Asked {
        tasks: Task::ALL.iter().map(of).collect(),
        requests: prompts(Task::Request, requests, first + 19, None, Size::Constant),
        texts: texts(SEEDS + seed, natural),
    }
}

/// The first half of all that is asked.
fn half(asked: &Asked) -> Asked {
    let fewer = |of: &Prompts| {
        let mut of = of.clone();
        let left = of.tokens.len().div_ceil(2);
        of.tokens.truncate(left);
        of.answer.truncate(left);
        of.foil.truncate(left);
        of.group.truncate(left);
        of
    };
    Asked {
        tasks: asked.tasks.iter().map(fewer).collect(),
        requests: fewer(&asked.requests),
        texts: asked.texts.iter().take(asked.texts.len().div_ceil(2)).cloned().collect(),
    }
}

/// The same model with the neurons of every layer in another order.
fn reordered(parameters: &Parameters, seed: u32) -> Parameters {
    let mut out = parameters.clone();
    let config = *parameters.config();
    let mut rng = NumpyRng::new(9_000 + seed);
    for layer in 0..config.layers {
        let order = rng.permutation(config.d_mlp as u32);
        for (name, columns) in [("W_in", true), ("b_in", true), ("W_out", false)] {
            let name = format!("blocks.{layer}.mlp.{name}");
            let Some(tensor) = parameters.tensors().into_iter().find(|other| other.name == name)
            else {
                continue;
            };
            let from = parameters.tensor(&name);
            let Some(to) = out.values_mut().get_mut(tensor.range) else { continue };
            if columns {
                for (to, from) in
                    to.chunks_exact_mut(config.d_mlp).zip(from.chunks_exact(config.d_mlp))
                {
                    for (to, at) in to.iter_mut().zip(&order) {
                        *to = from.get(*at as usize).copied().unwrap_or_default();
                    }
                }
            } else {
                for (to, at) in to.chunks_exact_mut(config.d_model).zip(&order) {
                    let from = from.iter().skip(*at as usize * config.d_model);
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                }
            }
        }
    }
    out
}

/// Subjects as they come.
struct Maker {
    clock: Clock,
    seed: u32,
    prompts: usize,
    asked: Rc<Asked>,
    made: Vec<Made<ModelSubject>>,
}

impl Maker {
    fn truth(&self, it: &ModelSubject) -> Result<f64, ToyModelError> {
        harder(it.subject().model(), self.prompts, SEEDS / 100 + self.seed)
    }

    fn add(&mut self, subject: Subject, it: ModelSubject, truth: f64) {
        let config = it.subject().model().config();
        let width = Some((config.layers * config.d_mlp) as f64);
        let (place, truth) = (String::new(), Some(truth));
        let truths = truth.map(|truth| (ACCURACY.to_owned(), truth)).into_iter().collect();
        self.made.push(Made { place, subject, truth, truths, size: None, width, it });
    }

    fn model(&mut self, subject: Subject, parameters: &Parameters) -> Result<f64, ToyModelError> {
        let it = ModelSubject::new(parameters, Rc::clone(&self.asked), self.clock);
        let truth = self.truth(&it)?;
        self.add(subject, it, truth);
        Ok(truth)
    }
}

fn checkpoint(steps: u32) -> String {
    format!("ck-{steps:05}")
}

/// All of a job.
pub(super) fn all(job: Job, clock: Clock) -> Result<Vec<Made<ModelSubject>>, ToyModelError> {
    let asked = Rc::new(drawn(job.preset, job.seed));
    let prompts = count(job.preset).prompts;
    let made = Vec::new();
    let mut maker = Maker { clock, seed: job.seed, prompts, asked: Rc::clone(&asked), made };
    let reference = toy_model::parameters(FINAL)?;
    let truth = maker.model(Subject::of(Group::Reference, "trained"), &reference)?;
    let untrained = toy_model::parameters(&checkpoint(0))?;
    maker.model(Subject::of(Group::Control, "untrained"), &untrained)?;
    let (steps, smaller): (&[u32], &[&str]) = match job.preset {
        Preset::Small => (&FEW, &SMALL),
        Preset::Full => (&BETWEEN, &[]),
    };
    maker.model(Subject::at(Group::Dose, "steps", 0.0), &untrained)?;
    for steps in steps {
        let level = f64::from(*steps) / STEPS;
        let parameters = toy_model::parameters(&checkpoint(*steps))?;
        maker.model(Subject::at(Group::Dose, "steps", level), &parameters)?;
    }
    maker.model(Subject::of(Group::Variant, OTHER), &toy_model::parameters(OTHER)?)?;
    for (small, parameters) in Small::shipped()? {
        if smaller.is_empty() || smaller.contains(&small.name) {
            maker.model(Subject::of(Group::Variant, small.name), &parameters)?;
        }
    }
    let same = |name| Subject::of(Group::Same, name);
    let it = ModelSubject::new(&reordered(&reference, job.seed), Rc::clone(&asked), clock);
    maker.add(same("reordered"), it, truth);
    maker.add(
        same("fewer-prompts"),
        ModelSubject::new(&reference, Rc::new(half(&asked)), clock),
        truth,
    );
    let again = match job.preset {
        Preset::Small => 2,
        Preset::Full => 4,
    };
    for sample in 1..=again {
        let other = Rc::new(drawn(job.preset, job.seed + APART * sample));
        let it = ModelSubject::new(&reference, other, clock);
        maker.add(Subject::at(Group::Sample, "other-prompts", f64::from(sample)), it, truth);
    }
    for draw in 1..=again {
        let it = ModelSubject::new(&reference, Rc::clone(&asked), clock).drawn(draw);
        maker.add(Subject::at(Group::Again, "other-seed", f64::from(draw)), it, truth);
    }
    Ok(maker.made)
}
