use serde::{Deserialize, Serialize};

use crate::synthetic::Shape;

/// The configurations of Table 1, and any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// 16 → 64 → 4, circuit 8.
    Standard,
    /// 32 → 128 → 8, circuit 16.
    Large,
    /// Standard with a circuit of 24.
    Dense,
    /// Standard with a circuit of 4.
    Sparse,
    /// None of the above.
    Custom,
}

impl Preset {
    /// The four rows of Table 1, in its order.
    pub const TABLE_1: [Self; 4] = [Self::Standard, Self::Large, Self::Dense, Self::Sparse];

    /// Every name a configuration may have.
    pub const ALL: [Self; 5] =
        [Self::Standard, Self::Large, Self::Dense, Self::Sparse, Self::Custom];

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
    pub fn of(shape: Shape) -> Self {
        Self::TABLE_1
            .into_iter()
            .find(|preset| preset.shape() == Some(shape))
            .unwrap_or(Self::Custom)
    }

    /// The configuration of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// Its name in settings, links and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Large => "large",
            Self::Dense => "dense",
            Self::Sparse => "sparse",
            Self::Custom => "custom",
        }
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
