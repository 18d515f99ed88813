//! Networks with a planted circuit, and the activations they give.

mod given;
mod network;
mod presets;
pub mod worlds;

pub use given::{Drawn, Given};
pub(crate) use network::Normals;
pub use network::{Inputs, PlantedNetwork, activations};
pub use presets::{Preset, Shape};
