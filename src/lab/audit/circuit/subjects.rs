//! Heads that are held against each other.

use std::rc::Rc;

use super::Circuit;
use super::ground::Ground;
use crate::lab::audit::truths::OVERLAP;
use crate::lab::audit::{Clock, Group, Job, Made, Preset, Subject};
use crate::order::falling;
use crate::papers::measurement::circuit::some;
use crate::study::Failure;
use crate::synthetic::language::{Prompts, Size, Task, prompts};
use crate::synthetic::{CircuitKind, CircuitSpec, CircuitWeights, Head, PlantedCircuit};
use crate::toy_model::{self, FINAL};
use crate::{Matrix, NumpyRng};

/// Heads of each of a planted circuit's two layers.
const HEADS: usize = 6;
/// Shares of the circuit's heads that are still there, rounded down to whole heads.
const LEFT: [f64; 4] = [0.0, 0.25, 0.5, 0.75];
/// Steps of the whole training.
const STEPS: f64 = 12_000.0;
/// Checkpoints before the last.
const BEFORE: [u32; 7] = [0, 188, 375, 750, 1_500, 3_000, 6_000];
/// Those of the small preset.
const FEW: [u32; 3] = [0, 750, 3_000];
/// The tasks of the small preset: two that are learnt early and one that is still at chance after 750 steps. After the
/// whole training no task is.
const TASKS: [Task; 3] = [Task::Agree, Task::Ioi, Task::Sum3];
/// Seeds of prompts are so far from those that papers are held against.
const SEEDS: u32 = 40_000;
/// Seeds of a job's samples are so far apart.
const APART: u32 = 1_000;

/// Samples, and prompts of each: planted ones cost next to nothing.
struct Count {
    planted: usize,
    prompts: usize,
    samples: u32,
}

fn count(preset: Preset) -> Count {
    match preset {
        Preset::Small => Count { planted: 128, prompts: 32, samples: 2 },
        Preset::Full => Count { planted: 256, prompts: 64, samples: 4 },
    }
}

/// Subjects as they come.
struct Maker {
    clock: Clock,
    place: String,
    truth: Vec<Head>,
    made: Vec<Made<Circuit>>,
}

impl Maker {
    /// What is measured of a model about whose heads nothing is known has no truth.
    fn add(&mut self, subject: Subject, ground: &Rc<Ground>, heads: Vec<Head>, known: bool) {
        let it = Circuit::new(Rc::clone(ground), heads, self.clock);
        let truth = known.then(|| overlap(it.heads(), &self.truth));
        let (size, width) = (Some(it.heads().len() as f64), Some(ground.heads().len() as f64));
        let place = self.place.clone();
        let truths = truth.map(|truth| (OVERLAP.to_owned(), truth)).into_iter().collect();
        self.made.push(Made { place, subject, truth, truths, size, width, it });
    }
}

/// Heads that both have, of those that either has; 1 of two without any.
fn overlap(one: &[Head], other: &[Head]) -> f64 {
    let both = one.iter().filter(|head| other.contains(head)).count();
    let either = one.len() + other.len() - both;
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}

/// So many of some heads, drawn.
fn drawn(rng: &mut NumpyRng, heads: &[Head], count: usize) -> Vec<Head> {
    let chosen = rng.choice(heads.len() as u32, count);
    chosen.into_iter().filter_map(|at| heads.get(at as usize).copied()).collect()
}

/// As many heads: none of the circuit's where there are enough others.
fn random(rng: &mut NumpyRng, ground: &Ground, circuit: &[Head]) -> Vec<Head> {
    let others = ground.others(circuit);
    let from = if others.len() >= circuit.len() { &others } else { ground.heads() };
    drawn(rng, from, circuit.len())
}

/// What every place has, of its circuit: the reference, controls, what lies between, and other sizes.
fn around(maker: &mut Maker, ground: &Rc<Ground>, circuit: &[Head], name: &str, seed: u32) {
    maker.add(Subject::of(Group::Reference, name), ground, circuit.to_vec(), true);
    let mut rng = NumpyRng::new(1_000 + seed);
    let random = random(&mut rng, ground, circuit);
    for (name, heads) in
        [("random", random.clone()), ("empty", Vec::new()), ("full", ground.heads().to_vec())]
    {
        maker.add(Subject::of(Group::Control, name), ground, heads, true);
    }
    let order = drawn(&mut rng, circuit, circuit.len());
    // A random circuit that shares heads with this one has too few others: then any do.
    let mut others: Vec<Head> =
        random.iter().filter(|head| !circuit.contains(head)).copied().collect();
    let more: Vec<Head> =
        ground.others(circuit).into_iter().filter(|head| !others.contains(head)).collect();
    others.extend(more);
    let mut before = None;
    for left in LEFT {
        let kept = (circuit.len() as f64 * left) as usize;
        // Few heads have fewer shares: none is there twice.
        if before.replace(kept) == Some(kept) {
            continue;
        }
        let still = order.iter().take(kept);
        let heads = still.chain(others.iter().take(circuit.len() - kept)).copied().collect();
        maker.add(Subject::at(Group::Dose, "replaced", left), ground, heads, true);
    }
    let weakest = |heads: &[Head]| {
        let effects = heads.iter().map(|head| ground.effect(*head).abs());
        falling(effects).last().and_then(|at| heads.get(*at).copied())
    };
    let strongest = |heads: &[Head]| {
        let effects = heads.iter().map(|head| ground.effect(*head).abs());
        falling(effects).first().and_then(|at| heads.get(*at).copied())
    };
    if let Some(gone) = weakest(circuit) {
        let heads = circuit.iter().filter(|head| **head != gone).copied().collect();
        maker.add(Subject::of(Group::Variant, "one-fewer"), ground, heads, true);
    }
    if let Some(more) = strongest(&ground.others(circuit)) {
        let heads = circuit.iter().copied().chain([more]).collect();
        maker.add(Subject::of(Group::Variant, "one-more"), ground, heads, true);
    }
}

/// The circuit on the same prompts in another order, on fewer of them, and on others.
fn again(
    maker: &mut Maker,
    circuit: &[Head],
    [reordered, fewer]: [Ground; 2],
    samples: Vec<Ground>,
) {
    for (name, ground) in [("reordered", reordered), ("fewer-prompts", fewer)] {
        maker.add(Subject::of(Group::Same, name), &Rc::new(ground), circuit.to_vec(), true);
    }
    for (count, ground) in (1_u32..).zip(samples) {
        let subject = Subject::at(Group::Sample, "other-prompts", f64::from(count));
        maker.add(subject, &Rc::new(ground), circuit.to_vec(), true);
    }
}

/// A planted circuit's heads on other prompts: their inputs, right answers and biases.
fn asked(
    own: &PlantedCircuit,
    clock: Clock,
    x: impl Fn(&CircuitWeights) -> Matrix,
    others: impl Fn(&CircuitWeights) -> (Vec<f64>, Vec<f64>),
) -> Result<Ground, Failure> {
    let of = own.weights();
    let (y, bias) = others(of);
    let weights = CircuitWeights { x: x(of), y, bias, ..of.clone() };
    Ground::planted(PlantedCircuit::new(weights)?, clock)
}

/// Right answers and biases of some prompts.
fn picked(of: &CircuitWeights, rows: &[u32]) -> (Vec<f64>, Vec<f64>) {
    let pick =
        |values: &[f64]| rows.iter().filter_map(|row| values.get(*row as usize).copied()).collect();
    (pick(&of.y), pick(&of.bias))
}

/// The planted circuit of a seed, on so many prompts.
fn drawn_circuit(prompts: usize, seed: u32) -> Result<PlantedCircuit, Failure> {
    let spec = CircuitSpec { kind: CircuitKind::Planted, prompts, heads: HEADS, seed };
    PlantedCircuit::drawn(&spec).map_err(Failure::from)
}

/// The planted circuit that a job of this seed has, on its prompts.
pub(in crate::lab::audit) fn planted(
    seed: u32,
    preset: Preset,
    clock: Clock,
) -> Result<Ground, Failure> {
    Ground::planted(drawn_circuit(count(preset).planted, seed)?, clock)
}

/// A sample of a task's prompts under a seed: the first, 0, is the one that is measured.
fn asked_of(task: Task, prompts_each: usize, seed: u32, sample: u32) -> Prompts {
    let seed = SEEDS + 20 * seed + APART * 20 * sample + task as u32;
    prompts(task, prompts_each, seed, None, Size::Constant)
}

/// A checkpoint of the toy model on the prompts of a task that a job of this seed has.
pub(in crate::lab::audit) fn of_task(
    task: Task,
    checkpoint: &str,
    (seed, preset): (u32, Preset),
    clock: Clock,
) -> Result<Ground, Failure> {
    let model = toy_model::model(checkpoint)?;
    Ground::language(&model, &asked_of(task, count(preset).prompts, seed, 0), clock)
}

/// Planted circuits: which heads are in is known.
pub(super) fn all_planted(job: Job, clock: Clock) -> Result<Vec<Made<Circuit>>, Failure> {
    let Count { planted: prompts, samples, .. } = count(job.preset);
    let own = drawn_circuit(prompts, job.seed)?;
    let truth = own.circuit();
    let mut maker = Maker { clock, place: String::new(), truth, made: Vec::new() };
    let circuit = maker.truth.clone();
    let mut rng = NumpyRng::new(9_000 + job.seed);
    let order = rng.permutation(prompts as u32);
    // What is the same for each of two right answers stays so.
    let half: Vec<u32> = (0..prompts as u32 / 2).collect();
    let of = |rows: &[u32]| asked(&own, clock, |of| of.x.select_rows(rows), |of| picked(of, rows));
    let others = [of(&order)?, of(&half)?];
    let samples = (1..=samples).map(|sample| {
        let other = drawn_circuit(prompts, job.seed + APART * sample)?;
        asked(
            &own,
            clock,
            |_| other.weights().x.clone(),
            |_| (other.weights().y.clone(), other.weights().bias.clone()),
        )
    });
    let samples = samples.collect::<Result<_, Failure>>()?;
    let ground = Rc::new(Ground::planted(own.clone(), clock)?);
    around(&mut maker, &ground, &circuit, "planted", job.seed);
    again(&mut maker, &circuit, others, samples);
    Ok(maker.made)
}

/// The toy model's tasks: which heads are in is found, on other prompts than those that are measured.
pub(super) fn all_of_tasks(job: Job, clock: Clock) -> Result<Vec<Made<Circuit>>, Failure> {
    let Count { prompts: each, samples, .. } = count(job.preset);
    let (tasks, before): (&[Task], &[u32]) = match job.preset {
        Preset::Small => (&TASKS, &FEW),
        Preset::Full => (&Task::ALL, &BEFORE),
    };
    let last = toy_model::model(FINAL)?;
    let mut made = Vec::new();
    for task in tasks {
        let asked = |sample: u32| asked_of(*task, each, job.seed, sample);
        let own = asked(0);
        let ground = Rc::new(Ground::language(&last, &own, clock)?);
        let truth = Ground::language(&last, &asked(samples + 1), clock)?.found()?;
        let circuit = ground.found()?;
        let mut maker = Maker { clock, place: task.name().to_owned(), truth, made: Vec::new() };
        around(&mut maker, &ground, &circuit, "found", job.seed);
        for steps in before {
            let model = toy_model::model(&format!("ck-{steps:05}"))?;
            let before = Rc::new(Ground::language(&model, &own, clock)?);
            let level = f64::from(*steps) / STEPS;
            maker.add(Subject::at(Group::Dose, "steps", level), &before, circuit.clone(), false);
        }
        let mut rng = NumpyRng::new(9_000 + job.seed);
        let order: Vec<usize> =
            rng.permutation(each as u32).into_iter().map(|at| at as usize).collect();
        let half: Vec<usize> = (0..each / 2).collect();
        let of = |rows: &[usize]| Ground::language(&last, &some(&own, rows), clock);
        let others = [of(&order)?, of(&half)?];
        let samples = (1..=samples).map(|sample| Ground::language(&last, &asked(sample), clock));
        let samples = samples.collect::<Result<_, Failure>>()?;
        again(&mut maker, &circuit, others, samples);
        made.append(&mut maker.made);
    }
    Ok(made)
}
