use serde::{Deserialize, Serialize};

use super::draws::{Band, DRAW_COUNT, draw_indices, format_percent};
use super::judgement::ClaimJudgement;
use super::judgement::sign_test_p;
use crate::NumpyRng;
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::{Answer, MeasuredModel};
use crate::papers::mui::settings::Settings;
use crate::plot::format::format_with_noun;
use crate::synthetic::language::Task;
use crate::toy_model::ToyModelError;

/// Kinds of tasks that answers are drawn from.
const KIND_COUNTS: [usize; 4] = [1, 2, 5, 10];
/// The seed of the draws.
const DRAWS_SEED: u32 = 7_001;
/// Kinds of which half as many answers are held against all of one.
const KINDS_TO_HALVE: usize = 3;
/// Doublings of the number of answers over which growth is taken apart.
const GROWTH_DOUBLINGS: usize = 3;

/// The index over ever more answers of so many kinds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiGrowing"))]
pub struct GrowthCurve {
    /// How many kinds.
    pub kinds: usize,
    /// One for each of [`DiversityResult::answers`], over draws of kinds and of answers.
    pub indices: Vec<Band>,
}

/// Does the index grow with the diversity of the answers, at equally many of them?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiDiversity"))]
pub struct DiversityResult {
    /// Numbers of answers.
    pub answers: Vec<usize>,
    /// By rising number of kinds.
    pub kinds: Vec<GrowthCurve>,
    /// The same after all answers were dealt out to the kinds at random, so that a kind is none.
    pub dealt: Vec<GrowthCurve>,
    /// Half as many answers of three kinds.
    pub three: Option<Band>,
    /// All answers of one kind.
    pub one: Option<Band>,
    /// In how many of the draws the former use at least as much as the latter.
    pub half_of_three: usize,
    /// Draws there were.
    pub draws: usize,
}

/// By how much the index grows, from few answers of one kind to many of several.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GrowthParts {
    /// How many kinds.
    pub kinds: usize,
    /// From so many answers
    pub from: usize,
    /// to so many.
    pub to: usize,
    /// The index of one kind, at first.
    pub begin: f64,
    /// What more answers of that one kind add.
    pub by_answers: f64,
    /// What further kinds add at equally many answers.
    pub by_kinds: f64,
    /// What they add where the kinds are dealt out at random.
    pub by_dealt: f64,
}

impl GrowthParts {
    /// What share of the growth is that of the number of answers alone.
    #[must_use]
    pub fn share_from_answers(&self) -> f64 {
        self.by_answers / (self.by_answers + self.by_kinds)
    }
}

impl DiversityResult {
    /// Growth over the last doublings of the number of answers, taken apart, for each number of kinds above one.
    #[must_use]
    pub fn growth_parts(&self) -> Vec<GrowthParts> {
        let (Some(last), Some(one), Some(dealt)) =
            (self.answers.len().checked_sub(1), self.kinds.first(), self.dealt.first())
        else {
            return Vec::new();
        };
        let first = last.saturating_sub(GROWTH_DOUBLINGS);
        let at = |of: &GrowthCurve, at: usize| of.indices.get(at).map(|band| band.mean);
        let each = self.kinds.iter().zip(&self.dealt).skip(1);
        each.filter_map(|(several, control)| {
            Some(GrowthParts {
                kinds: several.kinds,
                from: self.answers[first],
                to: self.answers[last],
                begin: at(one, first)?,
                by_answers: at(one, last)? - at(one, first)?,
                by_kinds: at(several, last)? - at(one, last)?,
                by_dealt: at(control, last)? - at(dealt, last)?,
            })
        })
        .collect()
    }

    /// Whether the index grows with the number of kinds; what these are, in a word.
    pub(super) fn judge_growth(&self, figure: &str, kind: &str) -> ClaimJudgement {
        let ends: Vec<(usize, Band)> =
            self.kinds.iter().filter_map(|of| Some((of.kinds, *of.indices.last()?))).collect();
        let apart = |less: Option<&(usize, Band)>, more: Option<&(usize, Band)>| {
            less.zip(more).is_some_and(|((_, less), (_, more))| less.high < more.low)
        };
        let (one, all) = (ends.first(), ends.last());
        let rises = ends.windows(2).all(|pair| pair[0].1.mean < pair[1].1.mean);
        let verdict = match (apart(one, all) && rises, apart(all, one)) {
            (true, _) => Verdict::Holds,
            (_, true) => Verdict::Fails,
            _ => Verdict::Open,
        };
        let means: Vec<String> = ends
            .iter()
            .map(|(kinds, band)| format!("{} of {}", format_percent(band.mean), format_with_noun(*kinds, kind)))
            .collect();
        let dealt = self.dealt.iter().map(|of| of.indices.last()).collect::<Vec<_>>();
        let dealt = match dealt[..] {
            [Some(one), .., Some(all)] => {
                format!("; shuffled, {} of one and {} of all", format_percent(one.mean), format_percent(all.mean))
            }
            _ => String::new(),
        };
        let answers = self.answers.last().copied().unwrap_or(0);
        let found = format!(
            "after {} the index is, in percent, {}{dealt}",
            format_with_noun(answers, "answer"),
            means.join(", ")
        );
        let claim = "The index grows with the diversity of the data, at equally many samples (§3.6)";
        ClaimJudgement::new(figure, claim, verdict, found)
    }

    /// Whether half as many answers of three kinds use what all of one use.
    pub(super) fn judge_halves(&self, figure: &str, kind: &str) -> ClaimJudgement {
        // The draws share answers, so that p is too small; it only keeps from telling from a few draws.
        let clear = sign_test_p(self.half_of_three, self.draws) < 0.05;
        let more = 2 * self.half_of_three > self.draws;
        let differ = self.three.map(|band| band.mean) != self.one.map(|band| band.mean);
        let verdict = match (clear && differ, more) {
            (true, true) => Verdict::Holds,
            (true, false) => Verdict::Fails,
            _ => Verdict::Open,
        };
        let answers = self.answers.last().copied().unwrap_or(0);
        let mean = |band: Option<Band>| band.map_or("–".to_owned(), |band| format_percent(band.mean));
        let share = self.growth_parts().last().map_or(String::new(), |parts| {
            format!(
                "; from {} of one {kind} to {} of {}, {} % of the growth is that of the number of answers alone",
                format_with_noun(parts.from, "answer"),
                parts.to,
                parts.kinds,
                format_percent(parts.share_from_answers())
            )
        });
        let found = format!(
            "{} of three {kind}s use {} %, {answers} of one {} %, at least as much in {} of {} draws{share}",
            format_with_noun(answers.div_ceil(2), "answer"),
            mean(self.three),
            mean(self.one),
            self.half_of_three,
            self.draws
        );
        let claim = "600 samples of three abilities give what 1,200 of one give (§3.6)";
        ClaimJudgement::new(figure, claim, verdict, found)
    }
}

/// Answers of some kinds in turn, drawn without repetition.
fn draw_answers<'a>(rng: &mut NumpyRng, pools: &'a [Vec<Answer>], kinds: usize, answers: usize) -> Vec<&'a Answer> {
    let chosen = draw_indices(rng, pools.len(), kinds);
    let orders: Vec<Vec<usize>> = chosen.iter().map(|kind| draw_indices(rng, pools[*kind].len(), answers)).collect();
    let turns = (0..answers).flat_map(|turn| {
        let each = chosen.iter().zip(&orders);
        each.filter_map(move |(kind, order)| pools[*kind].get(*order.get(turn)?))
    });
    turns.take(answers).collect()
}

/// All answers, dealt out to as many pools of the same sizes.
fn shuffle_pools(rng: &mut NumpyRng, pools: &[Vec<Answer>]) -> Vec<Vec<Answer>> {
    let all: Vec<&Answer> = pools.iter().flatten().collect();
    let mut order = draw_indices(rng, all.len(), all.len()).into_iter();
    let pool = |pool: &Vec<Answer>| {
        order.by_ref().take(pool.len()).filter_map(|at| all.get(at).map(|a| (*a).clone())).collect()
    };
    pools.iter().map(pool).collect()
}

/// How the index grows over pools of answers, one of each kind.
pub(super) fn measure_diversity(
    subject: &MeasuredModel,
    pools: &[Vec<Answer>],
    kinds: &[usize],
    most: usize,
    seed: u32,
) -> DiversityResult {
    let answers: Vec<usize> = std::iter::successors(Some(1), |at| Some(at * 2)).take_while(|at| *at <= most).collect();
    let mut rng = NumpyRng::new(seed);
    let index = |answers: &[&Answer]| subject.used_neurons(answers.iter().copied()).mui();
    let growing = |rng: &mut NumpyRng, pools: &[Vec<Answer>]| -> Vec<GrowthCurve> {
        let each = kinds.iter().map(|kinds| {
            let draws: Vec<Vec<&Answer>> = (0..DRAW_COUNT).map(|_| draw_answers(rng, pools, *kinds, most)).collect();
            let indices = answers.iter().filter_map(|count| {
                let values: Vec<f64> = draws.iter().map(|draw| index(&draw[..(*count).min(draw.len())])).collect();
                Band::from_values(&values)
            });
            GrowthCurve { kinds: *kinds, indices: indices.collect() }
        });
        each.collect()
    };
    let kinds = growing(&mut rng, pools);
    let pairs: Vec<(f64, f64)> = (0..DRAW_COUNT)
        .map(|_| {
            let three = index(&draw_answers(&mut rng, pools, KINDS_TO_HALVE, most.div_ceil(2)));
            (three, index(&draw_answers(&mut rng, pools, 1, most)))
        })
        .collect();
    let half_of_three = pairs.iter().filter(|(three, one)| three >= one).count();
    let (three, one): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    let control = shuffle_pools(&mut rng, pools);
    let dealt = growing(&mut rng, &control);
    let (three, one) = (Band::from_values(&three), Band::from_values(&one));
    DiversityResult { answers, kinds, dealt, three, one, half_of_three, draws: DRAW_COUNT }
}

pub(super) fn run(settings: &Settings) -> Result<DiversityResult, ToyModelError> {
    let subject = MeasuredModel::load(&settings.checkpoint)?;
    let pools: Result<Vec<Vec<Answer>>, ToyModelError> =
        Task::ALL.into_iter().map(|task| subject.measure_task(task, settings)).collect();
    Ok(measure_diversity(&subject, &pools?, &KIND_COUNTS, settings.prompts, DRAWS_SEED))
}
