//! Scores that are drawn, with noise or a difference that is planted in them.

use super::{ScoreData, Scores};
use crate::NumpyRng;
use crate::lab::audit::truths;
use crate::lab::audit::{Clock, Group, Job, PreparedSubject, Preset, Subject};
use crate::papers::measurement::metric::{AUDIT_SEEDS, subsample};

/// Prompts that scores are of.
const PROMPT_COUNT: usize = 96;
/// Mean of what is said of them.
const SCORE_MEAN: f64 = 1.0;
/// Its deviation from prompt to prompt.
const SCORE_DEVIATION: f64 = 0.3;
/// By how much the other of two configurations is worse.
const CONFIGURATION_GAP: f64 = 0.3;
/// Noise of a whole run that leaves nothing to be told.
const RUN_NOISE_MAX: f64 = 0.5;
/// Deviations between groups of which nobody would say that they are alike.
const SHIFT_MAX: f64 = 1.0;
/// Of both, the shares that are planted between none and all.
const DOSE_SHARES: [f64; 4] = [1.0, 0.5, 0.25, 0.125];
/// What all scores are multiplied by.
const SCALE_FACTOR: f64 = 2.0;
/// Seeds of a job's samples are so far apart.
const SAMPLE_SEED_STRIDE: u32 = 1_000;
/// Seeds by which runs choose prompts are so far apart where a metric is run again.
const RERUN_SEED_STRIDE: u32 = 100_000;

/// What is said of each prompt, without noise.
fn draw_base_scores(seed: u32) -> Vec<f64> {
    let mut rng = NumpyRng::new(50_000 + seed);
    rng.standard_normals(PROMPT_COUNT).into_iter().map(|x| SCORE_MEAN + SCORE_DEVIATION * x).collect()
}

/// Two halves of the prompts, of which one has more by so many deviations.
fn draw_groups(seed: u32, shift: f64) -> ScoreData {
    let mut values = draw_base_scores(seed);
    let second = values.split_off(PROMPT_COUNT / 2);
    ScoreData::Groups([values, second.into_iter().map(|x| x + shift * SCORE_DEVIATION).collect()])
}

/// Runs over three quarters of the prompts each, with noise of each answer and as much of the whole run.
fn draw_runs(seed: u32, noise: f64, draw: u32) -> ScoreData {
    let values = draw_base_scores(seed);
    let mut rng = NumpyRng::new(51_000 + seed);
    // There are not more prompts than can be counted.
    let prompts: Vec<Vec<usize>> = AUDIT_SEEDS
        .into_iter()
        .filter_map(|seed| subsample(PROMPT_COUNT, seed + RERUN_SEED_STRIDE * draw).ok())
        .collect();
    let mut configuration = |less: f64| -> Vec<Vec<f64>> {
        let each = prompts.iter().map(|prompts| {
            // All numbers are drawn whatever the noise: more of it is more of the same.
            let (own, whole) = (rng.standard_normals(PROMPT_COUNT), rng.standard_normal());
            let value = |at: &usize| Some(values.get(*at)? - less + noise * (SCORE_DEVIATION * own.get(*at)? + whole));
            prompts.iter().filter_map(value).collect()
        });
        each.collect()
    };
    let (better, other) = (configuration(0.0), configuration(CONFIGURATION_GAP));
    ScoreData::Runs { better, other, prompts }
}

/// What was said, in another order, which does not matter.
fn reverse_scores(said: &ScoreData) -> ScoreData {
    let back = |values: &[f64]| values.iter().rev().copied().collect::<Vec<f64>>();
    match said {
        ScoreData::Groups([first, second]) => ScoreData::Groups([back(first), back(second)]),
        ScoreData::Runs { better, other, prompts } => ScoreData::Runs {
            better: better.iter().rev().cloned().collect(),
            other: other.iter().rev().cloned().collect(),
            prompts: prompts.iter().rev().cloned().collect(),
        },
    }
}

/// The same in another unit.
fn scale_scores(said: &ScoreData) -> ScoreData {
    let by = |values: &[f64]| values.iter().map(|x| SCALE_FACTOR * x).collect::<Vec<f64>>();
    let all = |runs: &[Vec<f64>]| runs.iter().map(|run| by(run)).collect();
    match said {
        ScoreData::Groups([first, second]) => ScoreData::Groups([by(first), by(second)]),
        ScoreData::Runs { better, other, prompts } => {
            ScoreData::Runs { better: all(better), other: all(other), prompts: prompts.clone() }
        }
    }
}

/// All of a job.
pub(super) fn build_subjects(job: Job, clock: Clock) -> Vec<PreparedSubject<Scores>> {
    let again = match job.preset {
        Preset::Small => 2,
        Preset::Full => 4,
    };
    let mut made = Vec::new();
    for (place, planted, most) in [("groups", "shift", SHIFT_MAX), ("runs", "noise", RUN_NOISE_MAX)] {
        let of = |seed: u32, amount: f64, draw: u32| match place {
            "groups" => draw_groups(seed, amount),
            _ => draw_runs(seed, amount, draw),
        };
        let mut add = |subject: Subject, share: f64, said: ScoreData| {
            let it = Scores::new(said, clock);
            let (place, truth) = (place.to_owned(), Some(-share));
            let truths = [(truths::NOISE.to_owned(), -share)].into();
            made.push(PreparedSubject { place, subject, truth, truths, size: None, width: None, data: it });
        };
        let reference = of(job.seed, 0.0, 0);
        add(Subject::new(Group::Reference, "plain"), 0.0, reference.clone());
        let control = if place == "groups" { "shifted" } else { "noise" };
        add(Subject::new(Group::Control, control), 1.0, of(job.seed, most, 0));
        for share in DOSE_SHARES {
            let subject = Subject::with_level(Group::Dose, planted, 1.0 - share);
            add(subject, share, of(job.seed, most * share, 0));
        }
        add(Subject::new(Group::Same, "reordered"), 0.0, reverse_scores(&reference));
        add(Subject::new(Group::Same, "scaled"), 0.0, scale_scores(&reference));
        for sample in 1..=again {
            let subject = Subject::with_level(Group::Sample, "other-prompts", f64::from(sample));
            add(subject, 0.0, of(job.seed + SAMPLE_SEED_STRIDE * sample, 0.0, 0));
        }
        for draw in 1..=again {
            let subject = Subject::with_level(Group::Again, "other-seed", f64::from(draw));
            add(subject, 0.0, of(job.seed, 0.0, draw));
        }
    }
    made
}
