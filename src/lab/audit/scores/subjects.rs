//! Scores that are drawn, with noise or a difference that is planted in them.

use super::{Said, Scores};
use crate::NumpyRng;
use crate::lab::audit::truths;
use crate::lab::audit::{Clock, Group, Job, Made, Preset, Subject};
use crate::papers::measurement::metric::{AUDIT_SEEDS, subsample};

/// Prompts that scores are of.
const PROMPTS: usize = 96;
/// Mean of what is said of them.
const MEAN: f64 = 1.0;
/// Its deviation from prompt to prompt.
const DEVIATION: f64 = 0.3;
/// By how much the other of two configurations is worse.
const WORSE: f64 = 0.3;
/// Noise of a whole run that leaves nothing to be told.
const NOISE: f64 = 0.5;
/// Deviations between groups of which nobody would say that they are alike.
const SHIFT: f64 = 1.0;
/// Of both, the shares that are planted between none and all.
const DOSES: [f64; 4] = [1.0, 0.5, 0.25, 0.125];
/// What all scores are multiplied by.
const FACTOR: f64 = 2.0;
/// Seeds of a job's samples are so far apart.
const APART: u32 = 1_000;
/// Seeds by which runs choose prompts are so far apart where a metric is run again.
const AGAIN: u32 = 100_000;

/// What is said of each prompt, without noise.
fn base(seed: u32) -> Vec<f64> {
    let mut rng = NumpyRng::new(50_000 + seed);
    rng.standard_normals(PROMPTS).into_iter().map(|x| MEAN + DEVIATION * x).collect()
}

/// Two halves of the prompts, of which one has more by so many deviations.
fn groups(seed: u32, shift: f64) -> Said {
    let mut values = base(seed);
    let second = values.split_off(PROMPTS / 2);
    Said::Groups([values, second.into_iter().map(|x| x + shift * DEVIATION).collect()])
}

/// Runs over three quarters of the prompts each, with noise of each answer and as much of the whole run.
fn runs(seed: u32, noise: f64, draw: u32) -> Said {
    let values = base(seed);
    let mut rng = NumpyRng::new(51_000 + seed);
    // There are not more prompts than can be counted.
    let prompts: Vec<Vec<usize>> = AUDIT_SEEDS
        .into_iter()
        .filter_map(|seed| subsample(PROMPTS, seed + AGAIN * draw).ok())
        .collect();
    let mut configuration = |less: f64| -> Vec<Vec<f64>> {
        let each = prompts.iter().map(|prompts| {
            // All numbers are drawn whatever the noise: more of it is more of the same.
            let (own, whole) = (rng.standard_normals(PROMPTS), rng.standard_normal());
            let value = |at: &usize| {
                Some(values.get(*at)? - less + noise * (DEVIATION * own.get(*at)? + whole))
            };
            prompts.iter().filter_map(value).collect()
        });
        each.collect()
    };
    let (better, other) = (configuration(0.0), configuration(WORSE));
    Said::Runs { better, other, prompts }
}

/// What was said, in another order, which does not matter.
fn reordered(said: &Said) -> Said {
    let back = |values: &[f64]| values.iter().rev().copied().collect::<Vec<f64>>();
    match said {
        Said::Groups([first, second]) => Said::Groups([back(first), back(second)]),
        Said::Runs { better, other, prompts } => Said::Runs {
            better: better.iter().rev().cloned().collect(),
            other: other.iter().rev().cloned().collect(),
            prompts: prompts.iter().rev().cloned().collect(),
        },
    }
}

/// The same in another unit.
fn scaled(said: &Said) -> Said {
    let by = |values: &[f64]| values.iter().map(|x| FACTOR * x).collect::<Vec<f64>>();
    let all = |runs: &[Vec<f64>]| runs.iter().map(|run| by(run)).collect();
    match said {
        Said::Groups([first, second]) => Said::Groups([by(first), by(second)]),
        Said::Runs { better, other, prompts } => {
            Said::Runs { better: all(better), other: all(other), prompts: prompts.clone() }
        }
    }
}

/// All of a job.
pub(super) fn all(job: Job, clock: Clock) -> Vec<Made<Scores>> {
    let again = match job.preset {
        Preset::Small => 2,
        Preset::Full => 4,
    };
    let mut made = Vec::new();
    for (place, planted, most) in [("groups", "shift", SHIFT), ("runs", "noise", NOISE)] {
        let of = |seed: u32, amount: f64, draw: u32| match place {
            "groups" => groups(seed, amount),
            _ => runs(seed, amount, draw),
        };
        let mut add = |subject: Subject, share: f64, said: Said| {
            let it = Scores::new(said, clock);
            let (place, truth) = (place.to_owned(), Some(-share));
            let truths = [(truths::NOISE.to_owned(), -share)].into();
            made.push(Made { place, subject, truth, truths, size: None, width: None, it });
        };
        let reference = of(job.seed, 0.0, 0);
        add(Subject::of(Group::Reference, "plain"), 0.0, reference.clone());
        let control = if place == "groups" { "shifted" } else { "noise" };
        add(Subject::of(Group::Control, control), 1.0, of(job.seed, most, 0));
        for share in DOSES {
            let subject = Subject::at(Group::Dose, planted, 1.0 - share);
            add(subject, share, of(job.seed, most * share, 0));
        }
        add(Subject::of(Group::Same, "reordered"), 0.0, reordered(&reference));
        add(Subject::of(Group::Same, "scaled"), 0.0, scaled(&reference));
        for sample in 1..=again {
            let subject = Subject::at(Group::Sample, "other-prompts", f64::from(sample));
            add(subject, 0.0, of(job.seed + APART * sample, 0.0, 0));
        }
        for draw in 1..=again {
            let subject = Subject::at(Group::Again, "other-seed", f64::from(draw));
            add(subject, 0.0, of(job.seed, 0.0, draw));
        }
    }
    made
}
