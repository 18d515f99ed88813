use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::settings::Problem;

/// What f(a) is compared with in completeness (Eq. 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// f(π(a)), π the projection on the span of all rows of the dictionary: the paper's. It is 1 for
    /// any activations once the rows span the whole space.
    #[default]
    RowSpace,
    /// f(â), â the reconstruction.
    Reconstruction,
    /// f(π(a)), π the projection on the span of the rows that are active for that input.
    ActiveSubspace,
}

impl Reading {
    /// All three.
    pub const ALL: [Self; 3] = [Self::RowSpace, Self::Reconstruction, Self::ActiveSubspace];

    /// Its name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RowSpace => "row-space",
            Self::Reconstruction => "reconstruction",
            Self::ActiveSubspace => "active-subspace",
        }
    }
}

impl FromStr for Reading {
    type Err = Problem;

    fn from_str(name: &str) -> Result<Self, Problem> {
        Self::ALL.into_iter().find(|reading| reading.name() == name).ok_or_else(|| {
            let allowed = Self::ALL.map(Self::name).join(", ");
            Problem::new("completeness", format!("{name:?}"), allowed)
        })
    }
}
