//! The reach of the metrics of decompositions.

mod adaptive_sparsity;
mod architecture_duality;
mod core_stability;
mod matryoshka;
mod polysemanticity;
mod spectra;
mod word_lists;

pub use adaptive_sparsity::{bursts, fixed_number};
pub use architecture_duality::{apart, renumbered, untrained};
pub use core_stability::{one_replaced, random_cores, same_core, settled};
pub use matryoshka::{nested, several_of_one};
pub use polysemanticity::{Contexts, common_direction, deaths, one_context};
pub use spectra::{crowded_layer, layer_spread, most_layers, steadiness};
pub use word_lists::{described, random_directions, random_promotion};

pub(super) use adaptive_sparsity::m12;
pub(super) use architecture_duality::m07;
pub(super) use core_stability::m09;
pub(super) use matryoshka::m11;
pub(super) use polysemanticity::m10;
pub(super) use spectra::{m13, m14};
pub(super) use word_lists::{ex34, m08};
