//! Models of a job: along a training, smaller, or with their neurons in another order.

use std::rc::Rc;

use super::{ModelPrompts, ModelSubject};
use crate::NumpyRng;
use crate::lab::audit::truths::ACCURACY;
use crate::lab::audit::{Clock, Group, Job, PreparedSubject, Preset, Subject};
use crate::model::Parameters;
use crate::papers::mui::baselines::BaselineModel;
use crate::papers::mui::experiment::mean_harder_accuracy;
use crate::synthetic::language::{ExerciseLength, Prompts, Task, draw_texts, task_prompts};
use crate::toy_model::{self, FINAL_CHECKPOINT, ToyModelError};

/// The same model, trained from another seed.
pub(super) const SECOND_SEED_MODEL: &str = "seed1-12000";
/// Seeds of a job's prompts and texts are so far from those that papers are held against.
const PROMPT_SEED_OFFSET: u32 = 30_000;
/// Seeds of a job's samples are so far apart.
const SAMPLE_SEED_STRIDE: u32 = 1_000;
/// Steps of the whole training.
const TRAINING_STEPS: f64 = 12_000.0;
/// Checkpoints between the first and the last.
const CHECKPOINT_STEPS: [u32; 6] = [188, 375, 750, 1_500, 3_000, 6_000];
/// Those of the small preset.
const SMALL_CHECKPOINT_STEPS: [u32; 3] = [375, 1_500, 6_000];
/// The smaller models of the small preset.
const SMALL_MODELS: [&str; 4] = ["w16-l1", "w24-l2", "w32-l2-1500", "w32-l3"];

/// How much is asked.
#[derive(Clone, Copy)]
struct PromptCounts {
    prompts: usize,
    requests: usize,
    texts: usize,
}

fn prompt_counts(preset: Preset) -> PromptCounts {
    match preset {
        Preset::Small => PromptCounts { prompts: 24, requests: 64, texts: 60 },
        Preset::Full => PromptCounts { prompts: 64, requests: 192, texts: 200 },
    }
}

/// What is asked under a seed.
pub(in crate::lab::audit) fn draw_prompts(preset: Preset, seed: u32) -> ModelPrompts {
    let PromptCounts { prompts: each, requests, texts: natural } = prompt_counts(preset);
    let first = PROMPT_SEED_OFFSET + 20 * seed;
    let of = |task: &Task| task_prompts(*task, each, first + *task as u32, None, ExerciseLength::Constant);
    ModelPrompts {
        tasks: Task::ALL.iter().map(of).collect(),
        requests: task_prompts(Task::Request, requests, first + 19, None, ExerciseLength::Constant),
        texts: draw_texts(PROMPT_SEED_OFFSET + seed, natural),
    }
}

/// The first half of all that is asked.
fn first_half(asked: &ModelPrompts) -> ModelPrompts {
    let fewer = |of: &Prompts| {
        let mut of = of.clone();
        let left = of.tokens.len().div_ceil(2);
        of.tokens.truncate(left);
        of.answers.truncate(left);
        of.foils.truncate(left);
        of.groups.truncate(left);
        of
    };
    ModelPrompts {
        tasks: asked.tasks.iter().map(fewer).collect(),
        requests: fewer(&asked.requests),
        texts: asked.texts.iter().take(asked.texts.len().div_ceil(2)).cloned().collect(),
    }
}

/// The same model with the neurons of every layer in another order.
fn permute_neurons(parameters: &Parameters, seed: u32) -> Parameters {
    let mut out = parameters.clone();
    let config = *parameters.config();
    let mut rng = NumpyRng::new(9_000 + seed);
    for layer in 0..config.layers {
        let order = rng.permutation(config.d_mlp as u32);
        for (name, columns) in [("W_in", true), ("b_in", true), ("W_out", false)] {
            let name = format!("blocks.{layer}.mlp.{name}");
            let Some(tensor) = parameters.tensor_specs().into_iter().find(|other| other.name == name) else {
                continue;
            };
            let from = parameters.tensor(&name);
            let Some(to) = out.values_mut().get_mut(tensor.range) else { continue };
            if columns {
                for (to, from) in to.chunks_exact_mut(config.d_mlp).zip(from.chunks_exact(config.d_mlp)) {
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
struct SubjectBuilder {
    clock: Clock,
    seed: u32,
    prompts: usize,
    asked: Rc<ModelPrompts>,
    made: Vec<PreparedSubject<ModelSubject>>,
}

impl SubjectBuilder {
    fn harder_accuracy(&self, it: &ModelSubject) -> Result<f64, ToyModelError> {
        mean_harder_accuracy(it.measured_model().model(), self.prompts, PROMPT_SEED_OFFSET / 100 + self.seed)
    }

    fn add_subject(&mut self, subject: Subject, it: ModelSubject, truth: f64) {
        let config = it.measured_model().model().config();
        let width = Some((config.layers * config.d_mlp) as f64);
        let (place, truth) = (String::new(), Some(truth));
        let truths = truth.map(|truth| (ACCURACY.to_owned(), truth)).into_iter().collect();
        self.made.push(PreparedSubject { place, subject, truth, truths, size: None, width, data: it });
    }

    fn add_model(&mut self, subject: Subject, parameters: &Parameters) -> Result<f64, ToyModelError> {
        let it = ModelSubject::new(parameters, Rc::clone(&self.asked), self.clock);
        let truth = self.harder_accuracy(&it)?;
        self.add_subject(subject, it, truth);
        Ok(truth)
    }
}

fn checkpoint_name(steps: u32) -> String {
    format!("ck-{steps:05}")
}

/// All of a job.
pub(super) fn build_subjects(job: Job, clock: Clock) -> Result<Vec<PreparedSubject<ModelSubject>>, ToyModelError> {
    let asked = Rc::new(draw_prompts(job.preset, job.seed));
    let prompts = prompt_counts(job.preset).prompts;
    let made = Vec::new();
    let mut maker = SubjectBuilder { clock, seed: job.seed, prompts, asked: Rc::clone(&asked), made };
    let reference = toy_model::load_parameters(FINAL_CHECKPOINT)?;
    let truth = maker.add_model(Subject::new(Group::Reference, "trained"), &reference)?;
    let untrained = toy_model::load_parameters(&checkpoint_name(0))?;
    maker.add_model(Subject::new(Group::Control, "untrained"), &untrained)?;
    let (steps, smaller): (&[u32], &[&str]) = match job.preset {
        Preset::Small => (&SMALL_CHECKPOINT_STEPS, &SMALL_MODELS),
        Preset::Full => (&CHECKPOINT_STEPS, &[]),
    };
    maker.add_model(Subject::with_level(Group::Dose, "steps", 0.0), &untrained)?;
    for steps in steps {
        let level = f64::from(*steps) / TRAINING_STEPS;
        let parameters = toy_model::load_parameters(&checkpoint_name(*steps))?;
        maker.add_model(Subject::with_level(Group::Dose, "steps", level), &parameters)?;
    }
    maker
        .add_model(Subject::new(Group::Variant, SECOND_SEED_MODEL), &toy_model::load_parameters(SECOND_SEED_MODEL)?)?;
    for (small, parameters) in BaselineModel::load_all()? {
        if smaller.is_empty() || smaller.contains(&small.name) {
            maker.add_model(Subject::new(Group::Variant, small.name), &parameters)?;
        }
    }
    let same = |name| Subject::new(Group::Same, name);
    let it = ModelSubject::new(&permute_neurons(&reference, job.seed), Rc::clone(&asked), clock);
    maker.add_subject(same("reordered"), it, truth);
    maker.add_subject(same("fewer-prompts"), ModelSubject::new(&reference, Rc::new(first_half(&asked)), clock), truth);
    let again = match job.preset {
        Preset::Small => 2,
        Preset::Full => 4,
    };
    for sample in 1..=again {
        let other = Rc::new(draw_prompts(job.preset, job.seed + SAMPLE_SEED_STRIDE * sample));
        let it = ModelSubject::new(&reference, other, clock);
        maker.add_subject(Subject::with_level(Group::Sample, "other-prompts", f64::from(sample)), it, truth);
    }
    for draw in 1..=again {
        let it = ModelSubject::new(&reference, Rc::clone(&asked), clock).with_draw_seed(draw);
        maker.add_subject(Subject::with_level(Group::Again, "other-seed", f64::from(draw)), it, truth);
    }
    Ok(maker.made)
}
