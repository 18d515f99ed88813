//! Heads that are held against each other.

use std::rc::Rc;

use super::Circuit;
use super::circuit_model::CircuitModel;
use crate::lab::audit::truths::OVERLAP;
use crate::lab::audit::{Clock, Group, Job, PreparedSubject, Preset, Subject};
use crate::order::argsort_descending;
use crate::papers::measurement::circuit::select_prompts;
use crate::study::Failure;
use crate::synthetic::language::{ExerciseLength, Prompts, Task, task_prompts};
use crate::synthetic::{CircuitKind, CircuitSpec, CircuitWeights, Head, PlantedCircuit};
use crate::toy_model::{self, FINAL_CHECKPOINT};
use crate::{Matrix, NumpyRng};

/// Heads of each of a planted circuit's two layers.
const HEADS_PER_LAYER: usize = 6;
/// Shares of the circuit's heads that are still there, rounded down to whole heads.
const KEPT_SHARES: [f64; 4] = [0.0, 0.25, 0.5, 0.75];
/// Steps of the whole training.
const TRAINING_STEPS: f64 = 12_000.0;
/// Checkpoints before the last.
const CHECKPOINT_STEPS: [u32; 7] = [0, 188, 375, 750, 1_500, 3_000, 6_000];
/// Those of the small preset.
const SMALL_CHECKPOINT_STEPS: [u32; 3] = [0, 750, 3_000];
/// The tasks of the small preset: two that are learnt early and one that is still at chance after 750 steps. After the
/// whole training no task is.
const SMALL_TASKS: [Task; 3] = [Task::Agree, Task::Ioi, Task::Sum3];
/// Seeds of prompts are so far from those that papers are held against.
const PROMPT_SEED_OFFSET: u32 = 40_000;
/// Seeds of a job's samples are so far apart.
const SAMPLE_SEED_STRIDE: u32 = 1_000;

/// Samples, and prompts of each: planted ones cost next to nothing.
struct SampleSizes {
    planted: usize,
    prompts: usize,
    samples: u32,
}

fn sample_sizes(preset: Preset) -> SampleSizes {
    match preset {
        Preset::Small => SampleSizes { planted: 128, prompts: 32, samples: 2 },
        Preset::Full => SampleSizes { planted: 256, prompts: 64, samples: 4 },
    }
}

/// Subjects as they come.
struct SubjectBuilder {
    clock: Clock,
    place: String,
    truth: Vec<Head>,
    made: Vec<PreparedSubject<Circuit>>,
}

impl SubjectBuilder {
    /// What is measured of a model about whose heads nothing is known has no truth.
    fn add_subject(&mut self, subject: Subject, ground: &Rc<CircuitModel>, heads: Vec<Head>, known: bool) {
        let it = Circuit::new(Rc::clone(ground), heads, self.clock);
        let truth = known.then(|| head_jaccard(it.heads(), &self.truth));
        let (size, width) = (Some(it.heads().len() as f64), Some(ground.heads().len() as f64));
        let place = self.place.clone();
        let truths = truth.map(|truth| (OVERLAP.to_owned(), truth)).into_iter().collect();
        self.made.push(PreparedSubject { place, subject, truth, truths, size, width, data: it });
    }
}

/// Heads that both have, of those that either has; 1 of two without any.
fn head_jaccard(one: &[Head], other: &[Head]) -> f64 {
    let both = one.iter().filter(|head| other.contains(head)).count();
    let either = one.len() + other.len() - both;
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}

/// So many of some heads, drawn.
fn draw_heads(rng: &mut NumpyRng, heads: &[Head], count: usize) -> Vec<Head> {
    let chosen = rng.choice(heads.len() as u32, count);
    chosen.into_iter().filter_map(|at| heads.get(at as usize).copied()).collect()
}

/// As many heads: none of the circuit's where there are enough others.
fn draw_random_circuit(rng: &mut NumpyRng, ground: &CircuitModel, circuit: &[Head]) -> Vec<Head> {
    let others = ground.other_heads(circuit);
    let from = if others.len() >= circuit.len() { &others } else { ground.heads() };
    draw_heads(rng, from, circuit.len())
}

/// What every place has, of its circuit: the reference, controls, what lies between, and other sizes.
fn add_circuit_subjects(
    maker: &mut SubjectBuilder,
    ground: &Rc<CircuitModel>,
    circuit: &[Head],
    name: &str,
    seed: u32,
) {
    maker.add_subject(Subject::new(Group::Reference, name), ground, circuit.to_vec(), true);
    let mut rng = NumpyRng::new(1_000 + seed);
    let random = draw_random_circuit(&mut rng, ground, circuit);
    for (name, heads) in [("random", random.clone()), ("empty", Vec::new()), ("full", ground.heads().to_vec())] {
        maker.add_subject(Subject::new(Group::Control, name), ground, heads, true);
    }
    let order = draw_heads(&mut rng, circuit, circuit.len());
    // A random circuit that shares heads with this one has too few others: then any do.
    let mut others: Vec<Head> = random.iter().filter(|head| !circuit.contains(head)).copied().collect();
    let more: Vec<Head> = ground.other_heads(circuit).into_iter().filter(|head| !others.contains(head)).collect();
    others.extend(more);
    let mut before = None;
    for left in KEPT_SHARES {
        let kept = (circuit.len() as f64 * left) as usize;
        // Few heads have fewer shares: none is there twice.
        if before.replace(kept) == Some(kept) {
            continue;
        }
        let still = order.iter().take(kept);
        let heads = still.chain(others.iter().take(circuit.len() - kept)).copied().collect();
        maker.add_subject(Subject::with_level(Group::Dose, "replaced", left), ground, heads, true);
    }
    let weakest = |heads: &[Head]| {
        let effects = heads.iter().map(|head| ground.head_effect(*head).abs());
        argsort_descending(effects).last().and_then(|at| heads.get(*at).copied())
    };
    let strongest = |heads: &[Head]| {
        let effects = heads.iter().map(|head| ground.head_effect(*head).abs());
        argsort_descending(effects).first().and_then(|at| heads.get(*at).copied())
    };
    if let Some(gone) = weakest(circuit) {
        let heads = circuit.iter().filter(|head| **head != gone).copied().collect();
        maker.add_subject(Subject::new(Group::Variant, "one-fewer"), ground, heads, true);
    }
    if let Some(more) = strongest(&ground.other_heads(circuit)) {
        let heads = circuit.iter().copied().chain([more]).collect();
        maker.add_subject(Subject::new(Group::Variant, "one-more"), ground, heads, true);
    }
}

/// The circuit on the same prompts in another order, on fewer of them, and on others.
fn add_invariance_subjects(
    maker: &mut SubjectBuilder,
    circuit: &[Head],
    [reordered, fewer]: [CircuitModel; 2],
    samples: Vec<CircuitModel>,
) {
    for (name, ground) in [("reordered", reordered), ("fewer-prompts", fewer)] {
        maker.add_subject(Subject::new(Group::Same, name), &Rc::new(ground), circuit.to_vec(), true);
    }
    for (count, ground) in (1_u32..).zip(samples) {
        let subject = Subject::with_level(Group::Sample, "other-prompts", f64::from(count));
        maker.add_subject(subject, &Rc::new(ground), circuit.to_vec(), true);
    }
}

/// A planted circuit's heads on other prompts: their inputs, right answers and biases.
fn with_other_prompts(
    own: &PlantedCircuit,
    clock: Clock,
    x: impl Fn(&CircuitWeights) -> Matrix,
    others: impl Fn(&CircuitWeights) -> (Vec<f64>, Vec<f64>),
) -> Result<CircuitModel, Failure> {
    let of = own.weights();
    let (y, bias) = others(of);
    let weights = CircuitWeights { x: x(of), y, bias, ..of.clone() };
    CircuitModel::from_planted_circuit(PlantedCircuit::new(weights)?, clock)
}

/// Right answers and biases of some prompts.
fn select_targets(of: &CircuitWeights, rows: &[u32]) -> (Vec<f64>, Vec<f64>) {
    let pick = |values: &[f64]| rows.iter().filter_map(|row| values.get(*row as usize).copied()).collect();
    (pick(&of.y), pick(&of.bias))
}

/// The planted circuit of a seed, on so many prompts.
fn draw_planted_circuit(prompts: usize, seed: u32) -> Result<PlantedCircuit, Failure> {
    let spec = CircuitSpec { kind: CircuitKind::Planted, prompts, heads: HEADS_PER_LAYER, seed };
    PlantedCircuit::draw(&spec).map_err(Failure::from)
}

/// The planted circuit that a job of this seed has, on its prompts.
pub(in crate::lab::audit) fn planted_model(seed: u32, preset: Preset, clock: Clock) -> Result<CircuitModel, Failure> {
    CircuitModel::from_planted_circuit(draw_planted_circuit(sample_sizes(preset).planted, seed)?, clock)
}

/// A sample of a task's prompts under a seed: the first, 0, is the one that is measured.
fn draw_prompts(task: Task, prompts_each: usize, seed: u32, sample: u32) -> Prompts {
    let seed = PROMPT_SEED_OFFSET + 20 * seed + SAMPLE_SEED_STRIDE * 20 * sample + task as u32;
    task_prompts(task, prompts_each, seed, None, ExerciseLength::Constant)
}

/// A checkpoint of the toy model on the prompts of a task that a job of this seed has.
pub(in crate::lab::audit) fn task_model(
    task: Task,
    checkpoint: &str,
    (seed, preset): (u32, Preset),
    clock: Clock,
) -> Result<CircuitModel, Failure> {
    let model = toy_model::load_model(checkpoint)?;
    CircuitModel::from_language_model(&model, &draw_prompts(task, sample_sizes(preset).prompts, seed, 0), clock)
}

/// Planted circuits: which heads are in is known.
pub(super) fn build_planted_subjects(job: Job, clock: Clock) -> Result<Vec<PreparedSubject<Circuit>>, Failure> {
    let SampleSizes { planted: prompts, samples, .. } = sample_sizes(job.preset);
    let own = draw_planted_circuit(prompts, job.seed)?;
    let truth = own.circuit_heads();
    let mut maker = SubjectBuilder { clock, place: String::new(), truth, made: Vec::new() };
    let circuit = maker.truth.clone();
    let mut rng = NumpyRng::new(9_000 + job.seed);
    let order = rng.permutation(prompts as u32);
    // What is the same for each of two right answers stays so.
    let half: Vec<u32> = (0..prompts as u32 / 2).collect();
    let of = |rows: &[u32]| with_other_prompts(&own, clock, |of| of.x.select_rows(rows), |of| select_targets(of, rows));
    let others = [of(&order)?, of(&half)?];
    let samples = (1..=samples).map(|sample| {
        let other = draw_planted_circuit(prompts, job.seed + SAMPLE_SEED_STRIDE * sample)?;
        with_other_prompts(
            &own,
            clock,
            |_| other.weights().x.clone(),
            |_| (other.weights().y.clone(), other.weights().bias.clone()),
        )
    });
    let samples = samples.collect::<Result<_, Failure>>()?;
    let ground = Rc::new(CircuitModel::from_planted_circuit(own.clone(), clock)?);
    add_circuit_subjects(&mut maker, &ground, &circuit, "planted", job.seed);
    add_invariance_subjects(&mut maker, &circuit, others, samples);
    Ok(maker.made)
}

/// The toy model's tasks: which heads are in is found, on other prompts than those that are measured.
pub(super) fn build_task_subjects(job: Job, clock: Clock) -> Result<Vec<PreparedSubject<Circuit>>, Failure> {
    let SampleSizes { prompts: each, samples, .. } = sample_sizes(job.preset);
    let (tasks, before): (&[Task], &[u32]) = match job.preset {
        Preset::Small => (&SMALL_TASKS, &SMALL_CHECKPOINT_STEPS),
        Preset::Full => (&Task::ALL, &CHECKPOINT_STEPS),
    };
    let last = toy_model::load_model(FINAL_CHECKPOINT)?;
    let mut made = Vec::new();
    for task in tasks {
        let asked = |sample: u32| draw_prompts(*task, each, job.seed, sample);
        let own = asked(0);
        let ground = Rc::new(CircuitModel::from_language_model(&last, &own, clock)?);
        let truth = CircuitModel::from_language_model(&last, &asked(samples + 1), clock)?.find_circuit()?;
        let circuit = ground.find_circuit()?;
        let mut maker = SubjectBuilder { clock, place: task.name().to_owned(), truth, made: Vec::new() };
        add_circuit_subjects(&mut maker, &ground, &circuit, "found", job.seed);
        for steps in before {
            let model = toy_model::load_model(&format!("ck-{steps:05}"))?;
            let before = Rc::new(CircuitModel::from_language_model(&model, &own, clock)?);
            let level = f64::from(*steps) / TRAINING_STEPS;
            maker.add_subject(Subject::with_level(Group::Dose, "steps", level), &before, circuit.clone(), false);
        }
        let mut rng = NumpyRng::new(9_000 + job.seed);
        let order: Vec<usize> = rng.permutation(each as u32).into_iter().map(|at| at as usize).collect();
        let half: Vec<usize> = (0..each / 2).collect();
        let of = |rows: &[usize]| CircuitModel::from_language_model(&last, &select_prompts(&own, rows), clock);
        let others = [of(&order)?, of(&half)?];
        let samples = (1..=samples).map(|sample| CircuitModel::from_language_model(&last, &asked(sample), clock));
        let samples = samples.collect::<Result<_, Failure>>()?;
        add_invariance_subjects(&mut maker, &circuit, others, samples);
        made.append(&mut maker.made);
    }
    Ok(made)
}
