use std::borrow::Cow;

use serde::Serialize;

use crate::model::{Batch, HeadEditRunner, Model};
use crate::order::argsort_descending;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::faithfulness;
use crate::rng::NumpyRng;
use crate::statistics::mean;
use crate::synthetic::language::Prompts;
use crate::synthetic::{Head, HeadEdits};
use crate::toy_model::task::logit_differences;

/// How far from 1 the faithfulness of what a search finds may be.
pub const FAITHFULNESS_TOLERANCE: f64 = 0.1;

/// Heads in the order in which a search adds them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResult {
    /// The heads.
    pub order: Vec<Head>,
    /// Faithfulness of the first 0, 1, 2, … of them.
    pub curve: Vec<f64>,
}

/// A model on a task's prompts, whose heads are ablated and scaled again and again.
#[derive(Clone, Debug)]
pub struct CircuitEvaluator<'a> {
    runs: HeadEditRunner<'a>,
    prompts: Cow<'a, Prompts>,
    heads: Vec<Head>,
    clean: Vec<f64>,
}

impl<'a> CircuitEvaluator<'a> {
    /// Runs the whole model.
    ///
    /// # Errors
    /// As [`Model::logits`].
    pub fn new(model: &'a Model, prompts: &'a Prompts) -> Result<Self, MeasurementError> {
        Self::from_cow(Cow::Borrowed(model), Cow::Borrowed(prompts))
    }

    /// The same with a model and prompts of its own.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn from_owned(model: Model, prompts: Prompts) -> Result<CircuitEvaluator<'static>, MeasurementError> {
        CircuitEvaluator::from_cow(Cow::Owned(model), Cow::Owned(prompts))
    }

    fn from_cow(model: Cow<'a, Model>, prompts: Cow<'a, Prompts>) -> Result<Self, MeasurementError> {
        let config = *model.config();
        let mut runs = HeadEditRunner::new(model, &Batch::new(&prompts.tokens)?)?;
        let clean = logit_differences(&runs.last_logits(&HeadEdits::default())?, &prompts);
        let heads = (0..config.layers).flat_map(|layer| (0..config.heads).map(move |head| (layer, head))).collect();
        Ok(Self { runs, prompts, heads, clean })
    }

    /// All heads of the model, by layer and number.
    #[must_use]
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// So many of the heads, the first of `RandomState(seed).permutation` of all, by layer and number.
    #[must_use]
    pub fn random_heads(&self, seed: u32, count: usize) -> Vec<Head> {
        let all = u32::try_from(self.heads.len()).unwrap_or(u32::MAX);
        let drawn = NumpyRng::new(seed).choice(all, count).into_iter();
        let mut drawn: Vec<Head> = drawn.filter_map(|at| self.heads.get(at as usize).copied()).collect();
        drawn.sort_unstable();
        drawn
    }

    /// Logit differences of the whole model, one a prompt.
    #[must_use]
    pub fn clean_logit_differences(&self) -> &[f64] {
        &self.clean
    }

    /// Logit differences with some heads scaled or mean-ablated, one a prompt.
    ///
    /// # Errors
    /// For a head that there is not.
    pub fn logit_differences(&mut self, edits: &HeadEdits) -> Result<Vec<f64>, MeasurementError> {
        Ok(logit_differences(&self.runs.last_logits(edits)?, &self.prompts))
    }

    /// The faithfulness of some heads: all others are mean-ablated.
    ///
    /// # Errors
    /// For logit differences that are no numbers.
    pub fn faithfulness_of(&mut self, circuit: &[Head]) -> Result<f64, MeasurementError> {
        let ld = self.circuit_logit_differences(circuit)?;
        Ok(faithfulness(&self.clean, &ld)?)
    }

    /// Logit differences with all heads but some mean-ablated, one a prompt.
    ///
    /// # Errors
    /// As [`Self::logit_differences`].
    pub fn circuit_logit_differences(&mut self, circuit: &[Head]) -> Result<Vec<f64>, MeasurementError> {
        let others: Vec<Head> = self.heads.iter().filter(|head| !circuit.contains(head)).copied().collect();
        self.logit_differences(&HeadEdits::ablate(&others))
    }

    /// By how much the mean logit difference drops without each head, alone.
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn head_effects(&mut self) -> Result<Vec<(Head, f64)>, MeasurementError> {
        let whole = mean(&self.clean)?;
        let mut found = Vec::with_capacity(self.heads.len());
        for head in self.heads.clone() {
            let without = self.logit_differences(&HeadEdits::ablate(&[head]))?;
            found.push((head, whole - mean(&without)?));
        }
        Ok(found)
    }

    /// Of some circuits the one whose faithfulness is nearest 1, of equal ones the first: its place and how far it is.
    fn find_most_faithful(&mut self, circuits: &[Vec<Head>]) -> Result<Option<(usize, f64)>, MeasurementError> {
        let mut best: Option<(usize, f64)> = None;
        for (at, circuit) in circuits.iter().enumerate() {
            let apart = (1.0 - self.faithfulness_of(circuit)?).abs();
            if best.is_none_or(|(_, least)| apart < least) {
                best = Some((at, apart));
            }
        }
        Ok(best)
    }

    /// Backward elimination: from all heads on, the head is dropped without which faithfulness is nearest 1, as long as
    /// it stays within [`FAITHFULNESS_TOLERANCE`]. What is left, by layer and number.
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn backward_elimination(&mut self) -> Result<Vec<Head>, MeasurementError> {
        let mut circuit = self.heads.clone();
        loop {
            let less: Vec<Vec<Head>> =
                circuit.iter().map(|head| circuit.iter().filter(|other| *other != head).copied().collect()).collect();
            match self.find_most_faithful(&less)? {
                Some((at, apart)) if apart <= FAITHFULNESS_TOLERANCE => {
                    circuit.remove(at);
                }
                _ => return Ok(circuit),
            }
        }
    }

    /// Greedy search: from no head on, the head is added with which faithfulness is nearest 1, until it is within
    /// [`FAITHFULNESS_TOLERANCE`].
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn greedy_search(&mut self) -> Result<SearchResult, MeasurementError> {
        let mut search = SearchResult { order: Vec::new(), curve: vec![self.faithfulness_of(&[])?] };
        while search.curve.last().is_some_and(|f| (1.0 - f).abs() > FAITHFULNESS_TOLERANCE) {
            let left = self.heads.iter().filter(|head| !search.order.contains(head));
            let more: Vec<Vec<Head>> = left.map(|head| [search.order.as_slice(), &[*head]].concat()).collect();
            let Some((at, _)) = self.find_most_faithful(&more)? else { break };
            let Some(order) = more.into_iter().nth(at) else { break };
            search.curve.push(self.faithfulness_of(&order)?);
            search.order = order;
        }
        Ok(search)
    }

    /// All heads by the falling size of their effects, of equal ones the earlier first.
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn search_by_effect(&mut self, effects: &[(Head, f64)]) -> Result<SearchResult, MeasurementError> {
        let order = argsort_descending(effects.iter().map(|(_, effect)| effect.abs()));
        let order = order.into_iter().filter_map(|at| effects.get(at));
        let order: Vec<Head> = order.map(|(head, _)| *head).collect();
        let mut curve = Vec::with_capacity(order.len() + 1);
        for count in 0..=order.len() {
            curve.push(self.faithfulness_of(order.get(..count).unwrap_or(&order))?);
        }
        Ok(SearchResult { order, curve })
    }
}
