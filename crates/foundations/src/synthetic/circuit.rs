//! Circuits of heads in two layers that are known because they were planted.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::linalg::{Matrix, product};
use crate::rng::NumpyRng;
use crate::settings::named;
use crate::statistics::{MetricError, check_matrix, check_shape};

/// A head, as (layer, number), from 0.
pub type Head = (usize, usize);

/// Entries of a prompt's input.
const INPUT_WIDTH: usize = 4;
/// Most prompts that are drawn.
pub const PROMPTS_MAX: usize = 100_000;
/// Most heads of a layer that are drawn.
pub const HEADS_MAX: usize = 64;

/// Why no planted circuit is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CircuitError {
    /// Shapes that do not fit each other, what is no number, or a head that is not there.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// Prompts that are too many, or of which one kind of answer is more frequent than the other.
    #[error("prompts is {found}; allowed: an even number from 2 to {PROMPTS_MAX}")]
    Prompts {
        /// The number asked for.
        found: usize,
    },
    /// Too few heads for the parts that they play, or too many.
    #[error("heads is {found}; allowed: from 2 to {HEADS_MAX}")]
    Heads {
        /// The number asked for, in each layer.
        found: usize,
    },
}

impl CircuitError {
    /// A stable code, e.g. `circuit.prompts`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Metric(error) => error.code(),
            Self::Prompts { .. } => "circuit.prompts",
            Self::Heads { .. } => "circuit.heads",
        }
    }
}

named! {
    /// What is planted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CircuitKind {
        /// Two heads of the first layer, which two of the second read.
        Planted = "planted",
        /// Two heads of each layer that do not read each other.
        Additive = "additive",
        /// All heads do the same.
        Redundant = "redundant",
        /// A head works against the others.
        Inhibitory = "inhibitory",
        /// Of what is claimed to be the circuit, half does nothing.
        DeadHead = "dead_head",
        /// No head does anything: the prompts alone decide.
        BiasOnly = "bias_only",
        /// Two heads of the first layer, and nothing that is not linear, nor any bias.
        LinearHomogeneous = "linear_homogeneous",
    }
}

impl CircuitKind {
    fn planted_counts(self) -> PlantedCounts {
        let (first, second, reads): (_, _, &[_]) = match self {
            Self::Planted => ([0.3, 0.2], [1.5, 1.0], &[(0, 0, 0.9), (1, 1, 0.7)]),
            Self::Additive => ([0.9, 0.6], [1.2, 0.8], &[]),
            Self::Redundant => ([0.5, 0.5], [0.7, 0.7], &[]),
            Self::Inhibitory => ([1.5, -0.8], [0.8, 0.0], &[(1, 0, 0.3)]),
            Self::DeadHead => ([1.0, 0.0], [0.7, 0.0], &[]),
            Self::BiasOnly => ([0.0, 0.0], [0.0, 0.0], &[]),
            Self::LinearHomogeneous => ([0.8, 0.5], [0.0, 0.0], &[]),
        };
        PlantedCounts { first, second, reads }
    }
}

/// What is planted, in numbers.
struct PlantedCounts {
    /// What heads 0 and 1 of the first layer write to the answer.
    first: [f64; 2],
    /// The same of the second layer.
    second: [f64; 2],
    /// What heads of the second layer read of the first: (reader, read, weight).
    reads: &'static [(usize, usize, f64)],
}

/// How a planted circuit is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CircuitSpec {
    /// What is planted.
    pub kind: CircuitKind,
    /// Prompts, an even number: both answers are right equally often.
    pub prompts: usize,
    /// Heads of each layer.
    pub heads: usize,
    /// Seed of prompts and weights.
    pub seed: u32,
}

/// Everything that a planted circuit is made of: N prompts with d inputs, H₀ heads in the first layer, H₁ in the
/// second.
#[derive(Clone, Debug, PartialEq)]
pub struct CircuitWeights {
    /// The prompts' inputs: N × d.
    pub x: Matrix,
    /// Which of a prompt's two answers is right: 1 or -1.
    pub y: Vec<f64>,
    /// What the first layer's heads look for: H₀ × d.
    pub q0: Matrix,
    /// What the second layer's heads look for: H₁ × d.
    pub q1: Matrix,
    /// What the second layer's heads read of the first layer's: H₁ × H₀.
    pub a: Matrix,
    /// What the first layer's heads write to the answer: H₀.
    pub v0: Vec<f64>,
    /// What the second layer's heads write to the answer: H₁.
    pub v1: Vec<f64>,
    /// What the prompts say without any head: N.
    pub bias: Vec<f64>,
}

/// What is done to heads' outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadEdits {
    /// Factors of outputs.
    pub scales: BTreeMap<Head, f64>,
    /// Heads whose output is its mean over the prompts instead.
    pub ablated: BTreeSet<Head>,
}

impl HeadEdits {
    /// Mean ablation of some heads.
    #[must_use]
    pub fn ablate(heads: &[Head]) -> Self {
        Self { ablated: heads.iter().copied().collect(), ..Self::default() }
    }

    /// Factors of some heads' outputs; of a head that is there twice the product.
    #[must_use]
    pub fn scale(heads: &[(Head, f64)]) -> Self {
        let mut scales = BTreeMap::new();
        for (head, factor) in heads {
            *scales.entry(*head).or_insert(1.0) *= factor;
        }
        Self { scales, ..Self::default() }
    }
}

/// A model of two layers of heads, each with one output, of which it is known what they do.
///
/// # Formula
/// z₀ = x·q₀ᵀ, z₁ = tanh(x·q₁ᵀ + o₀·Aᵀ), and the logit difference of a prompt is
/// LD = bias + y·(o₀·v₀ + o₁·v₁), where o is z, z times a factor, or z's mean over the prompts without edits. The
/// factor y matters: without it the sum of an affine model's logit differences is the same under any mean ablation,
/// so every circuit, the empty one too, would be perfectly faithful.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::synthetic::{CircuitKind, CircuitSpec, HeadEdits, PlantedCircuit};
/// let kind = CircuitKind::LinearHomogeneous;
/// let model = PlantedCircuit::draw(&CircuitSpec { kind, prompts: 16, heads: 3, seed: 0 })?;
/// assert_eq!(model.circuit_heads(), [(0, 0), (0, 1)]);
/// let without = model.logit_differences(&HeadEdits::ablate(&model.circuit_heads()))?;
/// assert!(without.iter().sum::<f64>().abs() < 1e-12);
/// # Ok::<(), sfc_bench::synthetic::CircuitError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlantedCircuit {
    weights: CircuitWeights,
    /// Of each layer, its heads' mean outputs without edits.
    means: [Vec<f64>; 2],
}

fn check_vector(what: &'static str, values: &[f64], wanted: usize) -> Result<(), MetricError> {
    let column = Matrix::from_vec(values.len(), 1, values.to_vec())?;
    check_shape(what, &column, (wanted, 1))?;
    check_matrix(what, &column)
}

impl PlantedCircuit {
    /// By all its parts.
    ///
    /// # Errors
    /// [`MetricError::Shape`] where parts do not fit each other, [`MetricError::Empty`], [`MetricError::NonFinite`].
    pub fn new(weights: CircuitWeights) -> Result<Self, MetricError> {
        let (prompts, inputs) = weights.x.shape();
        let (first, second) = (weights.q0.rows(), weights.q1.rows());
        check_matrix("the prompts", &weights.x)?;
        check_shape("the first layer's queries", &weights.q0, (first, inputs))?;
        check_matrix("the first layer's queries", &weights.q0)?;
        check_shape("the second layer's queries", &weights.q1, (second, inputs))?;
        check_matrix("the second layer's queries", &weights.q1)?;
        check_shape("what the second layer reads", &weights.a, (second, first))?;
        check_matrix("what the second layer reads", &weights.a)?;
        check_vector("the right answers", &weights.y, prompts)?;
        check_vector("the biases", &weights.bias, prompts)?;
        check_vector("what the first layer writes", &weights.v0, first)?;
        check_vector("what the second layer writes", &weights.v1, second)?;
        let mut model = Self { weights, means: [Vec::new(), Vec::new()] };
        let outputs = model.head_outputs(&HeadEdits::default());
        model.means = outputs.map(|layer| crate::linalg::column_means(&layer));
        Ok(model)
    }

    /// Draws the prompts and the weights, all from `RandomState(seed)` in this order: N × 4 normals u, N × 4
    /// normals w, H × 4 for q₀, H × 4 for q₁, N for the biases. y is 1 and -1 in turn, x = y·|1 + 0.3u| + 0.2w,
    /// q₀ = 0.3·|q₀|, q₁ = 0.1·|q₁|, bias = 0.8·bias; where only the bias counts it is |bias| + ½, and 0 where
    /// all is linear.
    ///
    /// # Errors
    /// [`CircuitError::Prompts`], [`CircuitError::Heads`].
    pub fn draw(spec: &CircuitSpec) -> Result<Self, CircuitError> {
        let CircuitSpec { kind, prompts, heads, seed } = *spec;
        if !(2..=PROMPTS_MAX).contains(&prompts) || !prompts.is_multiple_of(2) {
            return Err(CircuitError::Prompts { found: prompts });
        }
        if !(2..=HEADS_MAX).contains(&heads) {
            return Err(CircuitError::Heads { found: heads });
        }
        let mut rng = NumpyRng::new(seed);
        let mut normals = |count: usize| {
            let mut out = vec![0.0; count];
            rng.fill_standard_normal(&mut out);
            out
        };
        let matrix = |rows: usize, data: Vec<f64>| Matrix::from_vec(rows, INPUT_WIDTH, data);
        let y: Vec<f64> = [1.0, -1.0].into_iter().cycle().take(prompts).collect();
        let (size, noise) = (normals(prompts * INPUT_WIDTH), normals(prompts * INPUT_WIDTH));
        let signs = y.iter().flat_map(|y| [y; INPUT_WIDTH]);
        let x = signs.zip(size.iter().zip(&noise));
        let x = x.map(|(y, (u, w))| y * (1.0 + 0.3 * u).abs() + 0.2 * w).collect();
        let q0 = normals(heads * INPUT_WIDTH).iter().map(|q| q.abs() * 0.3).collect();
        let q1 = normals(heads * INPUT_WIDTH).iter().map(|q| q.abs() * 0.1).collect();
        let bias = normals(prompts).into_iter().map(|bias| 0.8 * bias);
        let bias = bias.map(|bias| match kind {
            CircuitKind::BiasOnly => bias.abs() + 0.5,
            CircuitKind::LinearHomogeneous => 0.0,
            _ => bias,
        });
        let PlantedCounts { first, second, reads } = kind.planted_counts();
        let written = |parts: [f64; 2]| {
            // Of what is redundant the other heads do the same as these.
            let rest = if kind == CircuitKind::Redundant { parts[0] } else { 0.0 };
            parts.into_iter().chain(std::iter::repeat(rest)).take(heads).collect()
        };
        let mut a = Matrix::zeros(heads, heads);
        for (reader, read, weight) in reads {
            if let Some(entry) = a.row_mut(*reader).get_mut(*read) {
                *entry = *weight;
            }
        }
        let weights = CircuitWeights {
            x: matrix(prompts, x).map_err(MetricError::from)?,
            q0: matrix(heads, q0).map_err(MetricError::from)?,
            q1: matrix(heads, q1).map_err(MetricError::from)?,
            a,
            v0: written(first),
            v1: written(second),
            bias: bias.collect(),
            y,
        };
        Ok(Self::new(weights)?)
    }

    /// Its parts.
    #[must_use]
    pub fn weights(&self) -> &CircuitWeights {
        &self.weights
    }

    /// All heads, by layer and number.
    #[must_use]
    pub fn heads(&self) -> Vec<Head> {
        let layers = [self.weights.q0.rows(), self.weights.q1.rows()];
        let each = layers.into_iter().enumerate();
        each.flat_map(|(layer, heads)| (0..heads).map(move |head| (layer, head))).collect()
    }

    /// The heads that can change any logit difference, by layer and number.
    #[must_use]
    pub fn circuit_heads(&self) -> Vec<Head> {
        let weights = &self.weights;
        let read = |head: usize| {
            let readers = weights.a.iter_rows().zip(&weights.v1);
            readers.into_iter().any(|(row, v)| *v != 0.0 && row.get(head).is_some_and(|a| *a != 0.0))
        };
        let first = weights.v0.iter().enumerate();
        let first = first.filter(|(head, v)| **v != 0.0 || read(*head)).map(|(head, _)| (0, head));
        let second = weights.v1.iter().enumerate();
        let second = second.filter(|(_, v)| **v != 0.0).map(|(head, _)| (1, head));
        first.chain(second).collect()
    }

    /// All heads but some.
    #[must_use]
    pub fn other_heads(&self, heads: &[Head]) -> Vec<Head> {
        self.heads().into_iter().filter(|head| !heads.contains(head)).collect()
    }

    /// A head's mean output over the prompts, without edits; none where there is no such head.
    #[must_use]
    pub fn mean_output(&self, (layer, head): Head) -> Option<f64> {
        self.means.get(layer)?.get(head).copied()
    }

    /// The same model on prompts that all say more for their right answer, by as much: a group of prompts that
    /// differs from another in this alone.
    ///
    /// # Errors
    /// [`MetricError::NonFinite`].
    pub fn shift_prompts(&self, by: f64) -> Result<Self, MetricError> {
        let mut weights = self.weights.clone();
        weights.bias.iter_mut().for_each(|bias| *bias += by);
        Self::new(weights)
    }

    /// The prompts' logit differences, right answer less wrong one, N of them.
    ///
    /// # Errors
    /// [`MetricError::Index`] for a head that is not there, [`MetricError::NonFinite`] for a factor that is no
    /// number.
    pub fn logit_differences(&self, edits: &HeadEdits) -> Result<Vec<f64>, MetricError> {
        for (layer, head) in edits.scales.keys().chain(&edits.ablated) {
            let Some(layer) = self.means.get(*layer) else {
                return Err(MetricError::Index { what: "layer", index: *layer, len: 2 });
            };
            if *head >= layer.len() {
                return Err(MetricError::Index { what: "head", index: *head, len: layer.len() });
            }
        }
        if let Some(((row, column), _)) = edits.scales.iter().find(|(_, scale)| !scale.is_finite()) {
            let (row, column) = (*row, *column);
            return Err(MetricError::NonFinite { what: "factors of heads", row, column });
        }
        let weights = &self.weights;
        let [first, second] = self.head_outputs(edits);
        let dot = |out: &[f64], v: &[f64]| out.iter().zip(v).map(|(o, v)| o * v).sum::<f64>();
        let rows = first.iter_rows().zip(second.iter_rows());
        let prompts = rows.zip(weights.y.iter().zip(&weights.bias));
        let each =
            prompts.map(|((first, second), (y, bias))| bias + y * (dot(first, &weights.v0) + dot(second, &weights.v1)));
        Ok(each.collect())
    }

    /// Of each layer what its heads put out: N × heads.
    fn head_outputs(&self, edits: &HeadEdits) -> [Matrix; 2] {
        let weights = &self.weights;
        let [first_means, second_means] = &self.means;
        let edit = |layer: usize, means: &[f64], out: &mut Matrix| {
            for at in 0..out.rows() {
                for (head, value) in out.row_mut(at).iter_mut().enumerate() {
                    *value *= edits.scales.get(&(layer, head)).unwrap_or(&1.0);
                    if let Some(mean) = means.get(head).filter(|_| edits.ablated.contains(&(layer, head))) {
                        *value = *mean;
                    }
                }
            }
        };
        let mut first = product(&weights.x, &weights.q0.transposed());
        edit(0, first_means, &mut first);
        let mut second = product(&weights.x, &weights.q1.transposed());
        let read = product(&first, &weights.a.transposed());
        second.data_mut().iter_mut().zip(read.data()).for_each(|(z, read)| *z = libm::tanh(*z + read));
        edit(1, second_means, &mut second);
        [first, second]
    }
}
