use std::cell::RefCell;

use crate::lab::audit::Clock;
use crate::model::Model;
use crate::papers::measurement::circuit::CircuitEvaluator;
use crate::papers::measurement::metric::{HeadEdge, effect_lookup, faithfulness, head_edges};
use crate::statistics::mean;
use crate::study::Failure;
use crate::synthetic::language::Prompts;
use crate::synthetic::{Head, HeadEdits, PlantedCircuit};

/// A model whose heads are ablated and scaled, on some prompts.
pub struct CircuitModel {
    runs: ModelKind,
    heads: Vec<Head>,
    edges: Vec<HeadEdge>,
    clean: Vec<f64>,
    effects: Vec<(Head, f64)>,
    clean_seconds: f64,
    effects_seconds: f64,
}

enum ModelKind {
    Planted(Box<PlantedCircuit>),
    /// What a layer finds is kept for every setting of the heads before it.
    Language(Box<RefCell<CircuitEvaluator<'static>>>),
}

impl CircuitModel {
    /// Where it is known which heads matter. `clock` says seconds.
    ///
    /// # Errors
    /// For logit differences that are no numbers.
    pub fn from_planted_circuit(model: PlantedCircuit, clock: Clock) -> Result<Self, Failure> {
        let began = clock();
        let heads = model.heads();
        let in_layer = heads.iter().filter(|head| head.0 == 0).count();
        Self::new(ModelKind::Planted(Box::new(model)), heads, head_edges(2, in_layer), (clock, began))
    }

    /// A model of the language on prompts of a task. `clock` says seconds.
    ///
    /// # Errors
    /// As [`CircuitEvaluator::new`].
    pub fn from_language_model(model: &Model, prompts: &Prompts, clock: Clock) -> Result<Self, Failure> {
        let began = clock();
        let config = *model.config();
        let circuits = CircuitEvaluator::from_owned(model.clone(), prompts.clone())?;
        let heads = circuits.heads().to_vec();
        let runs = ModelKind::Language(Box::new(RefCell::new(circuits)));
        Self::new(runs, heads, head_edges(config.layers, config.heads), (clock, began))
    }

    fn new(
        runs: ModelKind,
        heads: Vec<Head>,
        edges: Vec<HeadEdge>,
        (clock, began): (Clock, f64),
    ) -> Result<Self, Failure> {
        let (clean, effects) = (Vec::new(), Vec::new());
        let (clean_seconds, effects_seconds) = (0.0, 0.0);
        let mut ground = Self { runs, heads, edges, clean, effects, clean_seconds, effects_seconds };
        ground.clean = ground.logit_differences(&HeadEdits::default())?;
        let passed = clock();
        ground.clean_seconds = passed - began;
        let whole = mean(&ground.clean)?;
        let effects = ground.heads.iter().map(|head| {
            let without = ground.logit_differences(&HeadEdits::ablate(&[*head]))?;
            Ok((*head, whole - mean(&without)?))
        });
        ground.effects = effects.collect::<Result<_, Failure>>()?;
        ground.effects_seconds = clock() - passed;
        Ok(ground)
    }

    /// All heads, by layer and number.
    #[must_use]
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// The edges between some heads: from those of a layer to those of all layers above.
    #[must_use]
    pub fn edges(&self, of: &[Head]) -> Vec<HeadEdge> {
        let inside = |edge: &&HeadEdge| of.contains(&edge.sender) && of.contains(&edge.receiver);
        self.edges.iter().filter(inside).copied().collect()
    }

    /// Logit differences of the whole model, one a prompt.
    #[must_use]
    pub fn clean_logit_differences(&self) -> &[f64] {
        &self.clean
    }

    /// Seconds that the whole model took.
    #[must_use]
    pub fn clean_seconds(&self) -> f64 {
        self.clean_seconds
    }

    /// Seconds that it took without each of the heads.
    #[must_use]
    pub fn effects_seconds(&self) -> f64 {
        self.effects_seconds
    }

    /// By how much the mean logit difference drops without a head; 0 of a head that there is not.
    #[must_use]
    pub fn head_effect(&self, head: Head) -> f64 {
        effect_lookup(&self.effects)(head)
    }

    /// Logit differences with some heads scaled or mean-ablated, one a prompt.
    ///
    /// # Errors
    /// For a head that there is not.
    pub fn logit_differences(&self, edits: &HeadEdits) -> Result<Vec<f64>, Failure> {
        match &self.runs {
            ModelKind::Planted(model) => Ok(model.logit_differences(edits)?),
            ModelKind::Language(circuits) => Ok(circuits.borrow_mut().logit_differences(edits)?),
        }
    }

    /// The faithfulness of some heads: all others are mean-ablated.
    ///
    /// # Errors
    /// For logit differences that are no numbers.
    pub fn faithfulness_of(&self, kept: &[Head]) -> Result<f64, Failure> {
        let gone = self.other_heads(kept);
        let ld = self.logit_differences(&HeadEdits::ablate(&gone))?;
        Ok(faithfulness(&self.clean, &ld)?)
    }

    /// All heads but some.
    #[must_use]
    pub fn other_heads(&self, kept: &[Head]) -> Vec<Head> {
        self.heads.iter().filter(|head| !kept.contains(head)).copied().collect()
    }

    /// Heads that backward elimination leaves: they are found, not known.
    ///
    /// # Errors
    /// For logit differences that are no numbers.
    pub fn find_circuit(&self) -> Result<Vec<Head>, Failure> {
        match &self.runs {
            ModelKind::Planted(model) => Ok(model.circuit_heads()),
            ModelKind::Language(circuits) => Ok(circuits.borrow_mut().backward_elimination()?),
        }
    }
}
