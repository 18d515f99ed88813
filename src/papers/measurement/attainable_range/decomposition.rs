//! The reach of the metrics of decompositions.

mod adaptive_sparsity;
mod architecture_duality;
mod core_stability;
mod matryoshka;
mod polysemanticity;
mod spectra;
mod word_lists;

pub use adaptive_sparsity::{bursty_k, fixed_k};
pub use architecture_duality::{orthogonal_pair, renumbered_pair, untrained_pair};
pub use core_stability::{constant_core, cores_with_one_replaced, frozen_cycles, random_cores};
pub use matryoshka::{duplicated_features, nested_dictionaries};
pub use polysemanticity::{
    PolysemanticityCase, contexts_with_common_direction, dead_features, single_context_features,
};
pub use spectra::{isotropic_layer, max_passing_layers, orthogonal_layers, stability_of_draws};
pub use word_lists::{measure_random_directions, perfect_feature, random_features};

pub(super) use adaptive_sparsity::m12_cases;
pub(super) use architecture_duality::m07_cases;
pub(super) use core_stability::m09_cases;
pub(super) use matryoshka::m11_cases;
pub(super) use polysemanticity::m10_cases;
pub(super) use spectra::{m13_cases, m14_cases};
pub(super) use word_lists::{ex34_cases, m08_cases};
