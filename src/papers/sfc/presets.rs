use serde::{Deserialize, Serialize};

use crate::settings::named;
use crate::synthetic::Shape;

named! {
    /// The configurations of Table 1, and any other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS))]
    #[serde(rename_all = "kebab-case")]
    pub enum Preset {
        /// 16 → 64 → 4, circuit 8.
        Standard = "standard",
        /// 32 → 128 → 8, circuit 16.
        Large = "large",
        /// Standard with a circuit of 24.
        Dense = "dense",
        /// Standard with a circuit of 4.
        Sparse = "sparse",
        /// None of the above.
        Custom = "custom",
    }
}

impl Preset {
    /// The four rows of Table 1, in its order.
    pub const TABLE_1: [Self; 4] = [Self::Standard, Self::Large, Self::Dense, Self::Sparse];

    /// Sizes of the network; none for a custom one.
    #[must_use]
    pub fn shape(self) -> Option<Shape> {
        let standard = Shape::STANDARD;
        match self {
            Self::Standard => Some(standard),
            Self::Large => Some(Shape { inputs: 32, hidden: 128, outputs: 8, circuit: 16 }),
            Self::Dense => Some(Shape { circuit: 24, ..standard }),
            Self::Sparse => Some(Shape { circuit: 4, ..standard }),
            Self::Custom => None,
        }
    }

    /// The preset that has these sizes.
    #[must_use]
    pub fn from_shape(shape: Shape) -> Self {
        Self::TABLE_1.into_iter().find(|preset| preset.shape() == Some(shape)).unwrap_or(Self::Custom)
    }

    /// Its name in the paper's tables.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Standard => "Standard",
            Self::Large => "Large",
            Self::Dense => "Dense",
            Self::Sparse => "Sparse",
            Self::Custom => "Custom",
        }
    }
}
