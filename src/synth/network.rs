use crate::Matrix;
use crate::config::Settings;
use crate::kernel;
use crate::rng::NumpyRng;
use crate::synth::Shape;

/// Standard deviation of W₂'s entries in the circuit's columns.
const READOUT_SCALE: f64 = 0.5;
/// Rows of inputs that [`activations`] draws at a time, so as not to hold them whole.
const INPUT_BLOCK: usize = 256;

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
    pub fn new(settings: &Settings) -> Self {
        let Shape { inputs, hidden, outputs, circuit } = settings.shape();
        let mut rng = NumpyRng::new(settings.model_seed());
        let normals = |count: usize, scale: f64, rng: &mut NumpyRng| {
            let mut out = vec![0.0; count];
            rng.fill_standard_normal(&mut out);
            out.iter_mut().for_each(|value| *value *= scale);
            out
        };

        let mut circuit: Vec<usize> =
            rng.choice(hidden as u32, circuit).into_iter().map(|unit| unit as usize).collect();
        circuit.sort_unstable();
        let w1 = normals(hidden * inputs, settings.weight_scale(), &mut rng);
        let mut w1_t = Matrix::zeros(inputs, hidden);
        for (unit, weights) in w1.chunks_exact(inputs).enumerate() {
            for (input, weight) in weights.iter().enumerate() {
                w1_t.row_mut(input)[unit] = *weight;
            }
        }
        let b1 = normals(hidden, settings.bias_scale(), &mut rng);
        let readout = normals(outputs * circuit.len(), READOUT_SCALE, &mut rng);
        let mut w2 = Matrix::zeros(outputs, hidden);
        for (output, weights) in readout.chunks_exact(circuit.len()).enumerate() {
            for (unit, weight) in circuit.iter().zip(weights) {
                w2.row_mut(output)[*unit] = *weight;
            }
        }
        let b2 = normals(outputs, settings.bias_scale(), &mut rng);
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
        let mut out = kernel::product(&columns(activations), &columns(&self.w2).transposed());
        for row in out.data_mut().chunks_exact_mut(self.b2.len()) {
            row.iter_mut().zip(&self.b2).for_each(|(value, bias)| *value += bias);
        }
        out
    }
}

/// Hidden activations H = ReLU(X·W₁ᵀ + b₁): N × hidden.
///
/// X (N × inputs) is drawn from a fresh stream of the data seed. Noise, if the settings ask for
/// it, follows from the same stream: H += noise · randn(N, hidden).
#[must_use]
pub fn activations(network: &PlantedNetwork, settings: &Settings) -> Matrix {
    let (inputs, hidden) = network.w1_t.shape();
    let mut rng = NumpyRng::new(settings.data_seed());
    let mut h = Matrix::zeros(settings.samples(), hidden);
    let mut block = vec![0.0; INPUT_BLOCK * inputs];
    for out in h.data_mut().chunks_mut(INPUT_BLOCK * hidden) {
        let x = &mut block[..out.len() / hidden * inputs];
        rng.fill_standard_normal(x);
        kernel::affine_relu(x, &network.w1_t, &network.b1, out);
    }
    add_noise(&mut h, settings, &mut rng);
    h
}

fn add_noise(h: &mut Matrix, settings: &Settings, rng: &mut NumpyRng) {
    if settings.noise() > 0.0 {
        for value in h.data_mut() {
            *value += settings.noise() * rng.standard_normal();
        }
    }
}

/// Inputs larger than this many bytes are drawn anew for each layer rather than kept.
const NORMALS_KEPT: usize = 16 << 20;

/// The normals of a data seed, drawn as far as they were needed: layers of other widths begin with
/// the same ones.
#[derive(Clone, Debug)]
pub(crate) struct Normals {
    x: Vec<f64>,
    rest: NumpyRng,
    seed: u32,
}

impl Normals {
    pub(crate) fn new(data_seed: u32) -> Self {
        Self { x: Vec::new(), rest: NumpyRng::new(data_seed), seed: data_seed }
    }

    /// What [`activations`] returns.
    pub(crate) fn activations(&mut self, network: &PlantedNetwork, settings: &Settings) -> Matrix {
        let (inputs, hidden) = network.w1_t.shape();
        let count = settings.samples() * inputs;
        // Noise follows where the inputs end, and these may be past that.
        let kept = settings.noise() == 0.0 && count * size_of::<f64>() <= NORMALS_KEPT;
        if !kept || settings.data_seed() != self.seed {
            return activations(network, settings);
        }
        if let Some(more) = count.checked_sub(self.x.len()) {
            let drawn = self.x.len();
            self.x.reserve_exact(more);
            self.x.resize(count, 0.0);
            self.rest.fill_standard_normal(&mut self.x[drawn..]);
        }
        let mut h = Matrix::zeros(settings.samples(), hidden);
        kernel::affine_relu(&self.x[..count], &network.w1_t, &network.b1, h.data_mut());
        h
    }
}

/// The inputs of a data seed, kept for many networks.
#[derive(Clone, Debug)]
pub struct Inputs {
    x: Matrix,
    /// The stream after the inputs: where noise begins.
    after: NumpyRng,
}

impl Inputs {
    /// Draws X (N × inputs) as [`activations`] does.
    #[must_use]
    pub fn draw(settings: &Settings) -> Self {
        let mut after = NumpyRng::new(settings.data_seed());
        let mut x = Matrix::zeros(settings.samples(), settings.shape().inputs);
        after.fill_standard_normal(x.data_mut());
        Self { x, after }
    }

    /// What [`activations`] returns, without drawing the inputs anew. `settings` must have the data
    /// seed, samples and input width that the inputs were drawn for.
    ///
    /// # Panics
    /// When the network has another input width.
    #[must_use]
    pub fn activations(&self, network: &PlantedNetwork, settings: &Settings) -> Matrix {
        let mut h = Matrix::zeros(self.x.rows(), network.b1.len());
        kernel::affine_relu(self.x.data(), &network.w1_t, &network.b1, h.data_mut());
        add_noise(&mut h, settings, &mut self.after.clone());
        h
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draft;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn kept_normals_give_the_activations_of_fresh_ones() {
        let draft = |inputs: f64, samples: f64, noise: f64| Draft {
            inputs: Some(inputs),
            samples: Some(samples),
            noise: Some(noise),
            ..Draft::default()
        };
        let mut normals = Normals::new(1);
        // Odd counts leave half a pair of normals waiting.
        for (inputs, samples, noise) in [
            (3.0, 67.0, 0.0),
            (5.0, 67.0, 0.0),
            (4.0, 70.0, 0.5),
            (1.0, 64.0, 0.0),
            (9.0, 71.0, 0.0),
        ] {
            let settings = draft(inputs, samples, noise).parse().unwrap();
            let network = PlantedNetwork::new(&settings);
            let fresh = activations(&network, &settings);
            assert_eq!(normals.activations(&network, &settings), fresh);
        }
        let other = Settings::default().with_data_seed(2);
        let network = PlantedNetwork::new(&other);
        assert_eq!(normals.activations(&network, &other), activations(&network, &other));
    }
}
