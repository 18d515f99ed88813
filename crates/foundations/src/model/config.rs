use serde::Serialize;

use crate::kernel::single_precision;

/// What a neuron makes of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// max(0, x).
    Relu,
    /// x/2 · (1 + tanh(√(2/π)·(x + 0.044715·x³))), as in GPT-2.
    GeluTanh,
}

impl Activation {
    pub(super) fn apply(self, values: &mut [f32]) {
        match self {
            // Not by `max`, which has a function called for each number in WebAssembly.
            Self::Relu => {
                values.iter_mut().for_each(|x| *x = if *x > 0.0 { *x } else { 0.0 });
            }
            Self::GeluTanh => values.chunks_mut(GELU_BLOCK).for_each(gelu_in_place),
        }
    }
}

/// √(2/π).
const GELU_SCALE: f32 = 0.797_884_6;
const GELU_CUBIC: f32 = 0.044_715;
/// As many at a time.
const GELU_BLOCK: usize = 64;

/// GELU of each of at most [`GELU_BLOCK`]: x/2 · (1 + tanh u) is x/(1 + e⁻²ᵘ).
fn gelu_in_place(values: &mut [f32]) {
    let mut powers = [0.0; GELU_BLOCK];
    let powers = &mut powers[..values.len()];
    for (power, x) in powers.iter_mut().zip(&*values) {
        *power = -2.0 * GELU_SCALE * (x + GELU_CUBIC * x * x * x);
    }
    single_precision::exp(powers);
    for (x, power) in values.iter_mut().zip(&*powers) {
        *x /= 1.0 + power;
    }
}

/// The derivative of GELU.
pub(super) fn gelu_derivative(x: f32) -> f32 {
    let tanh = libm::tanhf(GELU_SCALE * (x + GELU_CUBIC * x * x * x));
    let inner = GELU_SCALE * (1.0 + 3.0 * GELU_CUBIC * x * x);
    0.5 * (1.0 + tanh) + 0.5 * x * (1.0 - tanh * tanh) * inner
}

/// The sizes of a transformer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Config {
    /// Blocks of attention and neurons.
    pub layers: usize,
    /// Heads of each layer.
    pub heads: usize,
    /// Width of the residual stream.
    pub d_model: usize,
    /// Width of a head.
    pub d_head: usize,
    /// Neurons of each layer.
    pub d_mlp: usize,
    /// Most positions.
    pub context: usize,
    /// Tokens there are.
    pub vocabulary: usize,
    /// What neurons compute.
    pub activation: Activation,
    /// ε of every LayerNorm.
    pub epsilon: f32,
    /// Whether W_U is the transpose of W_E, and b_U nothing.
    pub tied: bool,
}

impl Config {
    /// The model of the planted language.
    pub const TOY_MODEL: Self = Self {
        layers: 3,
        heads: 4,
        d_model: 48,
        d_head: 12,
        d_mlp: 192,
        context: 32,
        vocabulary: 144,
        activation: Activation::Relu,
        epsilon: 1e-5,
        tied: false,
    };

    /// Width of all heads of a layer side by side.
    pub(super) fn heads_width(&self) -> usize {
        self.heads * self.d_head
    }
}
