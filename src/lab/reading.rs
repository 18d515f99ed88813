use serde::{Deserialize, Serialize};

use crate::settings::{from_name, named};

named! {
    /// What f(a) is compared with in completeness (Eq. 3).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS))]
    #[serde(rename_all = "kebab-case")]
    pub enum Reading {
        /// f(π(a)), π the projection on the span of all rows of the dictionary: the paper's. It is 1 for
        /// any activations once the rows span the whole space.
        #[default]
        RowSpace = "row-space",
        /// f(â), â the reconstruction.
        Reconstruction = "reconstruction",
        /// f(π(a)), π the projection on the span of the rows that are active for that input.
        ActiveSubspace = "active-subspace",
    }
}

from_name! {
    Reading of "completeness";
}
