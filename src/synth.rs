//! Networks with a planted circuit, and the activations they give.

mod network;
mod presets;
pub mod worlds;

pub(crate) use network::Normals;
pub use network::{Inputs, PlantedNetwork, activations};
pub use presets::{Preset, Shape};
