//! Where activations come from: networks with a planted circuit, planted features, or a reader's own; heads with a
//! planted circuit; and a planted language, for models that read.

mod circuit;
pub mod language;
mod network;
mod own;
mod sample;
pub mod synth_sae_bench;
mod worlds;

pub use circuit::{
    CircuitError, CircuitKind, CircuitSpec, CircuitWeights, Head, HeadEdits, PlantedCircuit,
};
pub(crate) use network::Normals;
pub use network::{
    Data, Inputs, NetworkSpec, PlantedNetwork, READOUT_SCALE, SAMPLES, Shape, activations,
};
pub use own::{Drawn, Own};
pub use sample::{DIMENSIONS, Readout, Sample, Truth};
pub use worlds::{CORRELATION, FEATURES, INTERACTION, Network, Nonlinear, Superposition, World};
