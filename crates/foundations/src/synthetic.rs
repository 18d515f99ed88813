//! Where activations come from: networks with a planted circuit, planted features, or a reader's own; heads with a
//! planted circuit; and a planted language, for models that read.

mod circuit;
pub mod language;
mod network;
mod sample;
pub mod synth_sae_bench;
mod user_activations;
mod worlds;

pub use circuit::{CircuitError, CircuitKind, CircuitSpec, CircuitWeights, Head, HeadEdits, PlantedCircuit};
pub use network::InputNormals;
pub use network::{
    DataSpec, NetworkInputs, NetworkSpec, PlantedNetwork, READOUT_SCALE, SAMPLES_RANGE, Shape, activations,
};
pub use sample::{DIMENSIONS_RANGE, PlantedFeatures, Readout, Sample};
pub use user_activations::{DrawnRows, UserActivations};
pub use worlds::{CORRELATION_RANGE, FEATURES_RANGE, INTERACTION_RANGE, Network, Nonlinear, Superposition, World};
