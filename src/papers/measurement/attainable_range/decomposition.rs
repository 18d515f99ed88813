//! The reach of the metrics of decompositions.

mod contexts;
mod cores;
mod duality;
mod layers;
mod scales;
mod sparsity;
mod words;

pub use contexts::{Contexts, common_direction, deaths, one_context};
pub use cores::{one_replaced, random_cores, same_core, settled};
pub use duality::{apart, renumbered, untrained};
pub use layers::{crowded_layer, layer_spread, most_layers, steadiness};
pub use scales::{nested, several_of_one};
pub use sparsity::{bursts, fixed_number};
pub use words::{described, random_directions, random_promotion};

pub(super) use contexts::m10;
pub(super) use cores::m09;
pub(super) use duality::m07;
pub(super) use layers::{m13, m14};
pub(super) use scales::m11;
pub(super) use sparsity::m12;
pub(super) use words::{ex34, m08};
