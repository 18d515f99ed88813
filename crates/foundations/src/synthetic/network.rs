use serde::{Deserialize, Serialize};

use crate::linalg::{self, Matrix};
use crate::rng::NumpyRng;
use crate::settings::Range;

/// Samples N.
pub const SAMPLES_RANGE: Range = Range::integer("samples", 2, 200_000);

/// The shape of a planted network (the SFC-Score paper's, Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Shape {
    /// Input width.
    pub inputs: usize,
    /// Hidden width D: the dimension of the activations.
    pub hidden: usize,
    /// Output width.
    pub outputs: usize,
    /// Hidden units that reach the output.
    pub circuit: usize,
}

impl Shape {
    /// 16 → 64 → 4 with a circuit of 8: the Standard row of Table 1.
    pub const STANDARD: Self = Self { inputs: 16, hidden: 64, outputs: 4, circuit: 8 };
}

/// How a planted network is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkSpec {
    /// Its sizes; the circuit is at most as large as the hidden layer.
    pub shape: Shape,
    /// Standard deviation of W₁'s entries.
    pub weight_scale: f64,
    /// Standard deviation of both biases' entries.
    pub bias_scale: f64,
    /// Seed of circuit, weights and biases.
    pub seed: u32,
}

impl Default for NetworkSpec {
    /// The SFC-Score paper's Standard network.
    fn default() -> Self {
        Self { shape: Shape::STANDARD, weight_scale: 0.3, bias_scale: 0.1, seed: 42 }
    }
}

/// Which rows a network is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataSpec {
    /// Rows N.
    pub samples: usize,
    /// Seed of the inputs, and of the noise after them.
    pub seed: u32,
    /// Standard deviation of the noise added to the activations.
    pub noise: f64,
}

impl Default for DataSpec {
    /// The SFC-Score paper's 2,000 rows, without noise.
    fn default() -> Self {
        Self { samples: 2_000, seed: 1, noise: 0.0 }
    }
}

/// Standard deviation of W₂'s entries in the circuit's columns.
pub const READOUT_SCALE: f64 = 0.5;
/// Rows of inputs that [`activations`] draws at a time, so as not to hold them whole.
const INPUT_BLOCK_ROWS: usize = 256;

/// A two-layer network y = W₂·ReLU(W₁x + b₁) + b₂ in which only the units of a planted circuit
/// reach the output (§4.1).
#[derive(Clone, Debug, PartialEq)]
pub struct PlantedNetwork {
    /// Hidden units that reach the output, ascending.
    pub circuit: Vec<usize>,
    /// W₁ transposed: inputs × hidden.
    pub w1_t: Matrix,
    /// b₁: one value a hidden unit.
    pub b1: Vec<f64>,
    /// W₂: outputs × hidden; zero outside the circuit's columns.
    pub w2: Matrix,
    /// b₂: one value an output.
    pub b2: Vec<f64>,
}

impl PlantedNetwork {
    /// Draws the network: circuit, W₁, b₁, the circuit's columns of W₂, b₂, in this order from one
    /// stream of the model seed.
    #[must_use]
    pub fn new(spec: &NetworkSpec) -> Self {
        let Shape { inputs, hidden, outputs, circuit } = spec.shape;
        let mut rng = NumpyRng::new(spec.seed);
        let normals = |count: usize, scale: f64, rng: &mut NumpyRng| {
            let mut out = vec![0.0; count];
            rng.fill_standard_normal(&mut out);
            out.iter_mut().for_each(|value| *value *= scale);
            out
        };

        let mut circuit: Vec<usize> =
            rng.choice(hidden as u32, circuit).into_iter().map(|unit| unit as usize).collect();
        circuit.sort_unstable();
        let w1 = normals(hidden * inputs, spec.weight_scale, &mut rng);
        let mut w1_t = Matrix::zeros(inputs, hidden);
        for (unit, weights) in w1.chunks_exact(inputs).enumerate() {
            for (input, weight) in weights.iter().enumerate() {
                w1_t.row_mut(input)[unit] = *weight;
            }
        }
        let b1 = normals(hidden, spec.bias_scale, &mut rng);
        let readout = normals(outputs * circuit.len(), READOUT_SCALE, &mut rng);
        let mut w2 = Matrix::zeros(outputs, hidden);
        for (output, weights) in readout.chunks_exact(circuit.len()).enumerate() {
            for (unit, weight) in circuit.iter().zip(weights) {
                w2.row_mut(output)[*unit] = *weight;
            }
        }
        let b2 = normals(outputs, spec.bias_scale, &mut rng);
        Self { circuit, w1_t, b1, w2, b2 }
    }

    /// The outputs f(a) = a·W₂ᵀ + b₂ of rows of activations (N × hidden): N × outputs.
    #[must_use]
    pub fn outputs(&self, activations: &Matrix) -> Matrix {
        // The circuit's columns alone: the others' zeros would change no bit of a sum.
        let columns = |matrix: &Matrix| {
            let mut out = Matrix::zeros(matrix.rows(), self.circuit.len());
            for row in 0..matrix.rows() {
                let from = matrix.row(row);
                let units = out.row_mut(row).iter_mut().zip(&self.circuit);
                units.for_each(|(value, unit)| *value = from[*unit]);
            }
            out
        };
        let mut out = linalg::product(&columns(activations), &columns(&self.w2).transposed());
        for row in out.data_mut().chunks_exact_mut(self.b2.len()) {
            row.iter_mut().zip(&self.b2).for_each(|(value, bias)| *value += bias);
        }
        out
    }
}

/// Hidden activations H = ReLU(X·W₁ᵀ + b₁): N × hidden.
///
/// X (N × inputs) is drawn from a fresh stream of the data seed. Noise, if the data ask for
/// it, follows from the same stream: H += noise · randn(N, hidden).
#[must_use]
pub fn activations(network: &PlantedNetwork, data: &DataSpec) -> Matrix {
    let (inputs, hidden) = network.w1_t.shape();
    let mut rng = NumpyRng::new(data.seed);
    let mut h = Matrix::zeros(data.samples, hidden);
    let mut block = vec![0.0; INPUT_BLOCK_ROWS * inputs];
    for out in h.data_mut().chunks_mut(INPUT_BLOCK_ROWS * hidden) {
        let x = &mut block[..out.len() / hidden * inputs];
        rng.fill_standard_normal(x);
        linalg::affine_relu(x, &network.w1_t, &network.b1, out);
    }
    add_noise(&mut h, data, &mut rng);
    h
}

fn add_noise(h: &mut Matrix, data: &DataSpec, rng: &mut NumpyRng) {
    if data.noise > 0.0 {
        for value in h.data_mut() {
            *value += data.noise * rng.standard_normal();
        }
    }
}

/// Inputs larger than this many bytes are drawn anew for each layer rather than kept.
const INPUT_CACHE_BYTES_MAX: usize = 16 << 20;

/// The normals of a data seed, drawn as far as they were needed: layers of other widths begin with
/// the same ones.
#[derive(Clone, Debug)]
pub struct InputNormals {
    x: Vec<f64>,
    rest: NumpyRng,
    seed: u32,
}

impl InputNormals {
    /// None drawn yet.
    pub fn new(data_seed: u32) -> Self {
        Self { x: Vec::new(), rest: NumpyRng::new(data_seed), seed: data_seed }
    }

    /// What [`activations`] returns.
    pub fn activations(&mut self, network: &PlantedNetwork, data: &DataSpec) -> Matrix {
        let (inputs, hidden) = network.w1_t.shape();
        let count = data.samples * inputs;
        // Noise follows where the inputs end, and these may be past that.
        let kept = data.noise == 0.0 && count * size_of::<f64>() <= INPUT_CACHE_BYTES_MAX;
        if !kept || data.seed != self.seed {
            return activations(network, data);
        }
        if let Some(more) = count.checked_sub(self.x.len()) {
            let drawn = self.x.len();
            self.x.reserve_exact(more);
            self.x.resize(count, 0.0);
            self.rest.fill_standard_normal(&mut self.x[drawn..]);
        }
        let mut h = Matrix::zeros(data.samples, hidden);
        linalg::affine_relu(&self.x[..count], &network.w1_t, &network.b1, h.data_mut());
        h
    }
}

/// The inputs of a data seed, kept for many networks.
#[derive(Clone, Debug)]
pub struct NetworkInputs {
    x: Matrix,
    /// The stream after the inputs: where noise begins.
    after: NumpyRng,
}

impl NetworkInputs {
    /// Draws X (N × inputs) as [`activations`] does.
    #[must_use]
    pub fn draw(data: &DataSpec, inputs: usize) -> Self {
        let mut after = NumpyRng::new(data.seed);
        let mut x = Matrix::zeros(data.samples, inputs);
        after.fill_standard_normal(x.data_mut());
        Self { x, after }
    }

    /// What [`activations`] returns, without drawing the inputs anew. `data` must have the
    /// seed, samples and input width that the inputs were drawn for.
    ///
    /// # Panics
    /// When the network has another input width.
    #[must_use]
    pub fn activations(&self, network: &PlantedNetwork, data: &DataSpec) -> Matrix {
        let mut h = Matrix::zeros(self.x.rows(), network.b1.len());
        linalg::affine_relu(self.x.data(), &network.w1_t, &network.b1, h.data_mut());
        add_noise(&mut h, data, &mut self.after.clone());
        h
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn kept_normals_give_the_activations_of_fresh_ones() {
        let mut normals = InputNormals::new(1);
        // Odd counts leave half a pair of normals waiting.
        for (inputs, samples, noise) in [(3, 67, 0.0), (5, 67, 0.0), (4, 70, 0.5), (1, 64, 0.0), (9, 71, 0.0)] {
            let shape = Shape { inputs, ..Shape::STANDARD };
            let spec = NetworkSpec { shape, ..NetworkSpec::default() };
            let data = DataSpec { samples, noise, ..DataSpec::default() };
            let network = PlantedNetwork::new(&spec);
            let fresh = activations(&network, &data);
            assert_eq!(normals.activations(&network, &data), fresh);
        }
        let other = DataSpec { seed: 2, ..DataSpec::default() };
        let network = PlantedNetwork::new(&NetworkSpec::default());
        assert_eq!(normals.activations(&network, &other), activations(&network, &other));
    }
}
