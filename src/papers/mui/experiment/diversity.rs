use serde::{Deserialize, Serialize};

use super::{Band, DRAWS, some};
use crate::NumpyRng;
use crate::little::LittleError;
use crate::papers::mui::measure::{Answer, Subject};
use crate::papers::mui::settings::Settings;
use crate::world::language::Task;

/// Kinds of tasks that answers are drawn from.
const KINDS: [usize; 4] = [1, 2, 5, 10];
/// The seed of the draws.
const SEED: u32 = 7_001;

/// The index over ever more answers of so many kinds of tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiGrowing"))]
pub struct Growing {
    /// How many kinds.
    pub kinds: usize,
    /// One for each of [`Diversity::answers`], over draws of kinds and of answers.
    pub indices: Vec<Band>,
}

/// Does the index grow with the diversity of the tasks, at equally many answers?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiDiversity"))]
pub struct Diversity {
    /// Numbers of answers.
    pub answers: Vec<usize>,
    /// By rising number of kinds.
    pub kinds: Vec<Growing>,
    /// In how many of the draws half as many answers of three kinds use at least as much as all of one kind.
    pub half_of_three: usize,
    /// Draws there were.
    pub draws: usize,
}

/// Answers of some kinds in turn, drawn without repetition.
fn drawn<'a>(
    rng: &mut NumpyRng,
    pools: &'a [Vec<Answer>],
    kinds: usize,
    answers: usize,
) -> Vec<&'a Answer> {
    let chosen = some(rng, pools.len(), kinds);
    let orders: Vec<Vec<usize>> =
        chosen.iter().map(|kind| some(rng, pools[*kind].len(), answers)).collect();
    let turns = (0..answers).flat_map(|turn| {
        let each = chosen.iter().zip(&orders);
        each.filter_map(move |(kind, order)| pools[*kind].get(*order.get(turn)?))
    });
    turns.take(answers).collect()
}

pub(super) fn run(settings: &Settings) -> Result<Diversity, LittleError> {
    let subject = Subject::shipped(&settings.checkpoint)?;
    let pools: Result<Vec<Vec<Answer>>, LittleError> =
        Task::ALL.into_iter().map(|task| subject.task(task, settings)).collect();
    let pools = pools?;
    let most = settings.prompts;
    let answers: Vec<usize> =
        std::iter::successors(Some(1), |at| Some(at * 2)).take_while(|at| *at <= most).collect();
    let mut rng = NumpyRng::new(SEED);
    let index = |answers: &[&Answer]| subject.used(answers.iter().copied()).index();
    let kinds = KINDS.map(|kinds| {
        let draws: Vec<Vec<&Answer>> =
            (0..DRAWS).map(|_| drawn(&mut rng, &pools, kinds, most)).collect();
        let indices = answers.iter().filter_map(|count| {
            let values: Vec<f64> =
                draws.iter().map(|draw| index(&draw[..(*count).min(draw.len())])).collect();
            Band::of(&values)
        });
        Growing { kinds, indices: indices.collect() }
    });
    let wins = (0..DRAWS).filter(|_| {
        let three = index(&drawn(&mut rng, &pools, 3, most.div_ceil(2)));
        three >= index(&drawn(&mut rng, &pools, 1, most))
    });
    let half_of_three = wins.count();
    Ok(Diversity { answers, kinds: kinds.to_vec(), half_of_three, draws: DRAWS })
}
