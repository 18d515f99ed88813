use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::settings::Problem;

/// How codes on a dictionary that comes alone are made.
///
/// Everywhere (in a request, on the command line, in a link) it is the same word: `projection`,
/// `least-squares`, or `top-8` for the eight largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(type = "'projection' | 'least-squares' | `top-${number}`"))]
#[serde(into = "String", try_from = "String")]
pub enum CodesBy {
    /// c = a·Wᵀ: right for orthonormal rows, and the paper's own. Hardly any of these codes is 0.
    #[default]
    Projection,
    /// The shortest c for which c·W is nearest to a.
    LeastSquares,
    /// The k codes of the projection that are largest in magnitude, the others 0; the lower index where
    /// they are equal.
    Top(usize),
}

impl CodesBy {
    /// How many are kept where nobody says how many.
    pub const TOP_K_DEFAULT: usize = 8;

    /// What a word for it may be.
    pub const ALLOWED_NAMES: &str = "projection, least-squares, or top- and how many: top-8";
}

impl fmt::Display for CodesBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Projection => f.write_str("projection"),
            Self::LeastSquares => f.write_str("least-squares"),
            Self::Top(k) => write!(f, "top-{k}"),
        }
    }
}

impl FromStr for CodesBy {
    type Err = Problem;

    fn from_str(word: &str) -> Result<Self, Problem> {
        let top = |rest: &str| rest.parse().ok().filter(|k| *k > 0).map(Self::Top);
        let found = match word {
            "projection" => Some(Self::Projection),
            "least-squares" => Some(Self::LeastSquares),
            _ => word.strip_prefix("top-").and_then(top),
        };
        found.ok_or_else(|| Problem::new("codes_by", format!("{word:?}"), Self::ALLOWED_NAMES))
    }
}

impl From<CodesBy> for String {
    fn from(by: CodesBy) -> Self {
        by.to_string()
    }
}

impl TryFrom<String> for CodesBy {
    type Error = Problem;

    fn try_from(word: String) -> Result<Self, Problem> {
        word.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_to_make_codes_is_one_word() {
        for by in [CodesBy::Projection, CodesBy::LeastSquares, CodesBy::Top(1), CodesBy::Top(900)] {
            assert_eq!(by.to_string().parse(), Ok(by));
            let json = serde_json::to_string(&by).unwrap();
            assert_eq!(json, format!("\"{by}\""));
            assert_eq!(serde_json::from_str::<CodesBy>(&json).unwrap(), by);
        }
        for word in ["", "top", "top-", "top-0", "top--3", "top-2.5", "Projection"] {
            let problem = word.parse::<CodesBy>().unwrap_err();
            assert_eq!((problem.field.as_str(), &*problem.allowed), ("codes_by", CodesBy::ALLOWED_NAMES));
        }
    }
}
