//! What circuits of a task come to on the half of its prompts that they were not found on.

use serde::Serialize;

use super::prompt_half::PromptHalf;
use super::prompts::{AnswerDifference, CircuitPrompt, CircuitTask, SkippedPrompts};
use crate::lab::language_model::intervals::{CONFIDENCE, RESAMPLES};
use crate::model::ModelError;
use crate::papers::measurement::metric::{
    DPrime, Dif, DoseResponse, FaithfulnessArea, REDUCED_STRENGTH, Weber, ablation_recovery, completeness, d_prime,
    dif, faithfulness, faithfulness_area, normalised_faithfulness, weber,
};
use crate::statistics::{Bootstrap, StatisticsError, mean};
use crate::synthetic::{Head, HeadEdits};

/// By chance, of two answers.
const CHANCE_ACCURACY: f64 = 0.5;
/// A model does a task where so many right answers have at most this probability by chance.
const SIGNIFICANCE_LEVEL: f64 = 0.025;

/// Why an order of heads is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelHeadOrder"))]
#[serde(rename_all = "lowercase")]
pub enum HeadOrder {
    /// By falling size of effect.
    Effect,
    /// Control: by rising size of effect.
    Least,
    /// Control: by falling size of effect where right and wrong answers are swapped in a random half of the prompts.
    Shuffled,
    /// Control: random.
    Random,
}

impl HeadOrder {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Effect => "largest effects",
            Self::Least => "smallest effects",
            Self::Shuffled => "shuffled labels",
            Self::Random => "random",
        }
    }
}

/// A number with its interval at 95 %, by drawing prompts anew.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelEstimate"))]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Where the interval begins and ends; nothing where a sample of prompts has no such number.
    pub interval: Option<[f64; 2]>,
}

/// What a circuit does on the prompts that it was not found on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelHeadCircuit"))]
pub struct HeadCircuit {
    /// Its heads, by layer and number.
    pub heads: Vec<Head>,
    /// The mean difference with all other heads ablated.
    pub alone: f64,
    /// The mean difference with its heads ablated.
    pub without: f64,
    /// See [`faithfulness`].
    pub faithfulness: Estimate,
    /// Faithfulness as MIB has it: see [`normalised_faithfulness`].
    pub faithfulness_mib: Option<f64>,
    /// See [`completeness`].
    pub completeness: Estimate,
    /// See [`ablation_recovery`].
    pub ablation_recovery: f64,
    /// EX1.
    pub ex1: DPrime,
}

/// Circuits of rising size, each with the heads of the one before.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelOrderedCircuits"))]
pub struct OrderedCircuits {
    /// In which order heads are added.
    pub order: HeadOrder,
    /// The circuits.
    pub circuits: Vec<HeadCircuit>,
    /// MIB's areas of faithfulness over shares of heads, from the smallest circuit's to 1, where it is 1.
    pub area: Option<FaithfulnessArea>,
    /// The same of faithfulness as MIB has it.
    pub area_mib: Option<FaithfulnessArea>,
}

/// A head, and what ablating it alone does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelHeadEffect"))]
pub struct HeadEffect {
    /// The head.
    pub head: Head,
    /// By how much the mean difference drops, on the prompts that circuits are found on.
    pub effect: Estimate,
    /// The same where right and wrong answers are swapped in a random half of the prompts.
    pub shuffled: f64,
}

/// What can be said of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCircuitVerdict"))]
#[serde(rename_all = "kebab-case")]
pub enum CircuitVerdict {
    /// The model does not do the task: nothing.
    NotPerformed,
    /// Its faithfulness is nearer 1 than that of every control of its size, at 95 %.
    Separates,
    /// It is not.
    Inconclusive,
}

impl CircuitVerdict {
    /// As people say it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::NotPerformed => "none: the model does not do the task",
            Self::Separates => "separates from every control",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// A prompt, and what the whole model makes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMeasuredPrompt"))]
pub struct MeasuredPrompt {
    /// Whether circuits are measured on it, not found.
    pub held_out: bool,
    /// The prompt.
    #[serde(flatten)]
    pub prompt: CircuitPrompt,
    /// The difference of right and wrong answers.
    pub clean: f64,
    /// The same after the corrupted prompt.
    pub corrupt: f64,
}

/// Circuits of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelTaskCircuits"))]
pub struct TaskCircuits {
    /// The task.
    pub task: CircuitTask,
    /// What is measured of each answer.
    pub difference: AnswerDifference,
    /// Prompts that were drawn and are not measured.
    pub skipped: SkippedPrompts,
    /// Share of all prompts whose right answer is held likelier.
    pub accuracy: Estimate,
    /// By chance.
    pub chance: f64,
    /// The probability of as many right answers or more by chance (the binomial distribution's tail).
    pub p_chance: f64,
    /// The same answers after the corrupted prompts.
    pub accuracy_corrupted: f64,
    /// Whether the model does the task: so many right answers have a probability of at most 0.025 by chance, and the mean
    /// difference is larger than after corrupted prompts.
    pub performed: bool,
    /// The whole model's mean difference on the prompts that circuits are measured on.
    pub full: f64,
    /// The same after the corrupted prompts.
    pub corrupted: f64,
    /// With all heads ablated: the empty circuit.
    pub empty: f64,
    /// Faithfulness of the empty circuit.
    pub faithfulness_empty: f64,
    /// Every head, by layer and number.
    pub effects: Vec<HeadEffect>,
    /// Circuits by effect, then the controls.
    pub orders: Vec<OrderedCircuits>,
    /// Of the circuits by effect, one a size.
    pub verdicts: Vec<CircuitVerdict>,
    /// EX2 of the whole model, over groups of prompts.
    pub ex2: Dif,
    /// EX11 of the smallest circuit by effect; nothing where there is none.
    pub ex11: Option<Weber>,
    /// The prompts.
    pub prompts: Vec<MeasuredPrompt>,
}

/// The edits that EX11 takes of a circuit, each once for every dose.
pub(super) fn weber_edits(circuit: &[Head]) -> Vec<HeadEdits> {
    let mut edits = Vec::new();
    for level in [1.0, REDUCED_STRENGTH] {
        let asked = DoseResponse::measure(circuit, level, |scales| {
            edits.push(HeadEdits::scale(scales));
            Ok::<f64, std::convert::Infallible>(0.0)
        });
        drop(asked);
    }
    edits
}

/// All heads but some.
fn other_heads(all: &[Head], circuit: &[Head]) -> Vec<Head> {
    all.iter().filter(|head| !circuit.contains(head)).copied().collect()
}

/// What is run of a circuit: it alone, and the model without it.
fn circuit_edits(all: &[Head], circuit: &[Head]) -> [HeadEdits; 2] {
    [HeadEdits::ablate(&other_heads(all, circuit)), HeadEdits::ablate(circuit)]
}

/// All edits that orders of heads take on the prompts that circuits are measured on.
pub(super) fn all_circuit_edits(all: &[Head], orders: &[(HeadOrder, Vec<Head>)], sizes: &[usize]) -> Vec<HeadEdits> {
    let mut edits = vec![HeadEdits::ablate(all)];
    for (_, order) in orders {
        let circuits = sizes.iter().filter_map(|size| order.get(..*size));
        edits.extend(circuits.flat_map(|circuit| circuit_edits(all, circuit)));
    }
    let first = orders.first().zip(sizes.first());
    let smallest = first.and_then(|((_, order), size)| order.get(..*size));
    edits.extend(smallest.map(weber_edits).unwrap_or_default());
    edits
}

/// A task that has been run.
pub(super) struct MeasuredTask<'a> {
    pub task: CircuitTask,
    pub skipped: SkippedPrompts,
    pub halves: &'a [PromptHalf; 2],
    pub all_heads: &'a [Head],
    pub orders: &'a [(HeadOrder, Vec<Head>)],
    /// Heads of circuits.
    pub circuit_sizes: &'a [usize],
    /// Which prompts' labels were swapped, of those that circuits are found on.
    pub label_signs: &'a [f64],
    pub seed: u32,
}

fn statistics_error(_: StatisticsError) -> ModelError {
    // Differences are finite, one a prompt: what is no number comes of theirs.
    ModelError::NonFinite
}

fn select_values(values: &[f64], rows: &[usize]) -> Vec<f64> {
    rows.iter().filter_map(|row| values.get(*row)).copied().collect()
}

impl MeasuredTask<'_> {
    fn bootstrap(&self) -> Bootstrap {
        Bootstrap { resamples: RESAMPLES, confidence: CONFIDENCE, seed: self.seed }
    }

    /// A number of prompts, by their places, with its interval.
    fn estimate(&self, rows: usize, statistic: impl Fn(&[usize]) -> Option<f64>) -> Result<Estimate, ModelError> {
        let all: Vec<usize> = (0..rows).collect();
        let value = statistic(&all).filter(|value| value.is_finite());
        let value = value.ok_or(ModelError::NonFinite)?;
        let interval = self.bootstrap().interval_of_rows(rows, statistic).ok();
        Ok(Estimate { value, interval: interval.map(|of| [of.low, of.high]) })
    }

    /// Differences under edits, on the prompts that circuits are measured on.
    fn differences_under(&self, edits: &HeadEdits) -> Result<&[f64], ModelError> {
        let [_, measured] = self.halves;
        measured.differences_under(edits).ok_or(ModelError::NonFinite)
    }

    fn measure_circuit(&self, order: &[Head], empty: f64) -> Result<HeadCircuit, ModelError> {
        let [_, measured] = self.halves;
        let [alone, without] = circuit_edits(self.all_heads, order);
        let (alone, without) = (self.differences_under(&alone)?, self.differences_under(&without)?);
        let clean = measured.clean_differences.as_slice();
        let share = self.estimate(clean.len(), |rows| {
            faithfulness(&select_values(clean, rows), &select_values(alone, rows)).ok()
        })?;
        let gone = self.estimate(clean.len(), |rows| {
            completeness(&select_values(clean, rows), &select_values(without, rows)).ok()
        })?;
        let mut heads = order.to_vec();
        heads.sort_unstable();
        Ok(HeadCircuit {
            heads,
            alone: mean(alone).map_err(statistics_error)?,
            without: mean(without).map_err(statistics_error)?,
            faithfulness: share,
            faithfulness_mib: normalised_faithfulness(share.value, empty, 1.0),
            completeness: gone,
            ablation_recovery: ablation_recovery(clean, without).map_err(statistics_error)?,
            ex1: d_prime(clean, without).map_err(statistics_error)?,
        })
    }

    /// Areas of a curve over shares of heads that ends with all of them.
    fn area_of_curve(&self, curve: &[f64]) -> Option<FaithfulnessArea> {
        let share = |size: &usize| *size as f64 / self.all_heads.len() as f64;
        let shares: Vec<f64> = self.circuit_sizes.iter().map(share).chain([1.0]).collect();
        faithfulness_area(&shares, &[curve, &[1.0]].concat()).ok()
    }

    fn measure_orders(&self, empty: f64) -> Result<Vec<OrderedCircuits>, ModelError> {
        let mut found = Vec::new();
        for (order, heads) in self.orders {
            let circuits = self.circuit_sizes.iter().filter_map(|size| heads.get(..*size));
            let circuits = circuits.map(|circuit| self.measure_circuit(circuit, empty));
            let circuits = circuits.collect::<Result<Vec<_>, _>>()?;
            let curve: Vec<f64> = circuits.iter().map(|one| one.faithfulness.value).collect();
            let mib: Option<Vec<f64>> = circuits.iter().map(|one| one.faithfulness_mib).collect();
            found.push(OrderedCircuits {
                order: *order,
                area: self.area_of_curve(&curve),
                area_mib: mib.and_then(|curve| self.area_of_curve(&curve)),
                circuits,
            });
        }
        Ok(found)
    }

    /// Whether a circuit's faithfulness is nearer 1 than another's, at 95 %: prompts are drawn anew for both at once.
    fn is_more_faithful(&self, circuit: &[Head], other: &[Head]) -> Result<bool, ModelError> {
        let [_, measured] = self.halves;
        let clean = measured.clean_differences.as_slice();
        let [one, two] = [circuit, other].map(|heads| {
            let [alone, _] = circuit_edits(self.all_heads, heads);
            self.differences_under(&alone)
        });
        let (one, two) = (one?, two?);
        let apart = |ld: &[f64], rows: &[usize]| {
            let share = faithfulness(&select_values(clean, rows), &select_values(ld, rows)).ok()?;
            Some((1.0 - share).abs())
        };
        let by = |rows: &[usize]| Some(apart(two, rows)? - apart(one, rows)?);
        let interval = self.bootstrap().interval_of_rows(clean.len(), by);
        Ok(interval.is_ok_and(|interval| interval.low > 0.0))
    }

    fn circuit_verdicts(&self, performed: bool) -> Result<Vec<CircuitVerdict>, ModelError> {
        let Some(((_, order), controls)) = self.orders.split_first() else { return Ok(Vec::new()) };
        let mut verdicts = Vec::new();
        for size in self.circuit_sizes {
            let mut separates = true;
            for (_, control) in controls {
                let pair = order.get(..*size).zip(control.get(..*size));
                separates = separates
                    && match pair {
                        Some((circuit, control)) => self.is_more_faithful(circuit, control)?,
                        None => false,
                    };
            }
            verdicts.push(match (performed, separates) {
                (false, _) => CircuitVerdict::NotPerformed,
                (true, true) => CircuitVerdict::Separates,
                (true, false) => CircuitVerdict::Inconclusive,
            });
        }
        Ok(verdicts)
    }

    fn head_effects(&self) -> Result<Vec<HeadEffect>, ModelError> {
        let [finding, _] = self.halves;
        let mut found = Vec::new();
        for head in self.all_heads {
            let drops = drops_without_head(finding, *head).ok_or(ModelError::NonFinite)?;
            let effect = self.estimate(drops.len(), |rows| mean(&select_values(&drops, rows)).ok())?;
            let shuffled = signed_mean(&drops, self.label_signs);
            found.push(HeadEffect { head: *head, effect, shuffled });
        }
        Ok(found)
    }

    /// EX2 over groups of all prompts, in the order in which they come.
    fn dif_by_group(&self) -> Result<Dif, ModelError> {
        let mut groups: Vec<(&str, Vec<f64>)> = Vec::new();
        for half in self.halves {
            for (prompt, clean) in half.prompts.iter().zip(&half.clean_differences) {
                match groups.iter_mut().find(|(name, _)| *name == prompt.group) {
                    Some((_, values)) => values.push(*clean),
                    None => groups.push((prompt.group, vec![*clean])),
                }
            }
        }
        let groups: Vec<(&str, &[f64])> = groups.iter().map(|(name, values)| (*name, values.as_slice())).collect();
        dif(&groups).map_err(statistics_error)
    }

    /// EX11 of the smallest circuit by effect.
    fn weber_of_smallest(&self) -> Result<Option<Weber>, ModelError> {
        let first = self.orders.first().zip(self.circuit_sizes.first());
        let Some(circuit) = first.and_then(|((_, order), size)| order.get(..*size)) else {
            return Ok(None);
        };
        let doses = |level| {
            DoseResponse::measure(circuit, level, |scales| {
                mean(self.differences_under(&HeadEdits::scale(scales))?).map_err(statistics_error)
            })
        };
        Ok(Some(weber(&doses(1.0)?, &doses(REDUCED_STRENGTH)?).map_err(statistics_error)?))
    }

    pub fn report(&self) -> Result<TaskCircuits, ModelError> {
        let [_, measured] = self.halves;
        let prompts = self.halves.iter().zip([false, true]).flat_map(|(half, held_out)| {
            let differences = half.clean_differences.iter().zip(&half.corrupted_differences);
            half.prompts.iter().zip(differences).map(move |(prompt, (clean, corrupt))| {
                let (clean, corrupt) = (*clean, *corrupt);
                MeasuredPrompt { held_out, prompt: prompt.clone(), clean, corrupt }
            })
        });
        let prompts: Vec<MeasuredPrompt> = prompts.collect();
        let clean: Vec<f64> = prompts.iter().map(|prompt| prompt.clean).collect();
        let corrupted: Vec<f64> = prompts.iter().map(|prompt| prompt.corrupt).collect();
        let right = |values: &[f64]| {
            let right: Vec<f64> = values.iter().map(|x| f64::from(u8::from(*x > 0.0))).collect();
            mean(&right).ok()
        };
        let accuracy = self.estimate(clean.len(), |rows| right(&select_values(&clean, rows)))?;
        let p_chance = binomial_tail(clean.iter().filter(|x| **x > 0.0).count(), clean.len());
        let performed = p_chance <= SIGNIFICANCE_LEVEL
            && mean(&clean).map_err(statistics_error)? > mean(&corrupted).map_err(statistics_error)?;
        let empty = self.differences_under(&HeadEdits::ablate(self.all_heads))?;
        let faithfulness_empty = faithfulness(&measured.clean_differences, empty).map_err(statistics_error)?;
        Ok(TaskCircuits {
            task: self.task,
            difference: self.task.difference(),
            skipped: self.skipped,
            accuracy,
            chance: CHANCE_ACCURACY,
            p_chance,
            accuracy_corrupted: right(&corrupted).ok_or(ModelError::NonFinite)?,
            performed,
            full: mean(&measured.clean_differences).map_err(statistics_error)?,
            corrupted: mean(&measured.corrupted_differences).map_err(statistics_error)?,
            empty: mean(empty).map_err(statistics_error)?,
            faithfulness_empty,
            effects: self.head_effects()?,
            orders: self.measure_orders(faithfulness_empty)?,
            verdicts: self.circuit_verdicts(performed)?,
            ex2: self.dif_by_group()?,
            ex11: self.weber_of_smallest()?,
            prompts,
        })
    }
}

/// The probability of at least so many right answers of some, each right by chance.
fn binomial_tail(right: usize, count: usize) -> f64 {
    // C(n, k)/2ⁿ from k = 0 on.
    let mut term = libm::pow(CHANCE_ACCURACY, count as f64);
    let mut tail = 0.0;
    for k in 0..=count {
        if k >= right {
            tail += term;
        }
        term *= (count - k) as f64 / (k + 1) as f64;
    }
    tail.min(1.0)
}

/// By how much the difference of each prompt drops without a head.
pub(super) fn drops_without_head(half: &PromptHalf, head: Head) -> Option<Vec<f64>> {
    let without = half.differences_under(&HeadEdits::ablate(&[head]))?;
    Some(half.clean_differences.iter().zip(without).map(|(clean, without)| clean - without).collect())
}

/// The mean drop where prompts with sign −1 have right and wrong answers swapped.
pub(super) fn signed_mean(drops: &[f64], signs: &[f64]) -> f64 {
    let sum: f64 = drops.iter().zip(signs).map(|(drop, sign)| drop * sign).sum();
    sum / drops.len().max(1) as f64
}
