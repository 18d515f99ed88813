/// Why a statistic has no value on the given data.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// There are not enough values.
    #[error("{what}: {found} given; at least {needed} needed")]
    TooFew {
        /// The argument.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many it must have.
        needed: usize,
    },
    /// There are more values than can be handled.
    #[error("{what}: {found} is more than the {most} that can be handled")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A value is NaN or infinite.
    #[error("{what}: value {value} at index {index} is not finite")]
    NonFinite {
        /// The argument.
        what: &'static str,
        /// Index of the first such value.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A value has no place in an order.
    #[error("{what}: the value at index {index} is NaN, which has no rank")]
    Nan {
        /// The argument.
        what: &'static str,
        /// Index of the first such value.
        index: usize,
    },
    /// Values that belong together are not as many on both sides.
    #[error("x has {first} and y has {second}; as many values of each are needed")]
    Lengths {
        /// How many on one side.
        first: usize,
        /// How many on the other.
        second: usize,
    },
    /// Values are all the same, or differ by no more than rounding.
    #[error("{what} does not vary, so what divides by its deviation is undefined")]
    Constant {
        /// The argument.
        what: &'static str,
    },
    /// Values so large, or so close together, that their squares cannot be summed.
    #[error("{what}: the squares of the values are too large or too small for numbers")]
    Squares {
        /// The argument.
        what: &'static str,
    },
    /// A logarithm is taken of a value that is not above 0.
    #[error("{what}: value {value} at index {index} has no logarithm; allowed: above 0")]
    NonPositive {
        /// The argument.
        what: &'static str,
        /// Index of the first such value.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A share or probability lies outside 0 to 1.
    #[error("the {what} is {value}; allowed: from 0 to 1")]
    Share {
        /// What is meant by it.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// A level of confidence that no interval has.
    #[error("the confidence is {value}; allowed: between 0 and 1, both excluded")]
    Confidence {
        /// The value.
        value: f64,
    },
    /// Degrees of freedom outside what is computed.
    #[error("{value} degrees of freedom are asked for; allowed: finite and above 0")]
    Freedom {
        /// The value.
        value: f64,
    },
    /// A histogram needs a bin.
    #[error("{bins} bins are asked for; allowed: 1 or more")]
    Bins {
        /// The number asked for.
        bins: usize,
    },
    /// Numbers so far apart, or so close together, that no bins fit between them.
    #[error("values from {min} to {max} cannot be cut into {bins} equal bins")]
    Span {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
        /// How many bins there should be.
        bins: usize,
    },
    /// Arrangements that are too many to be counted.
    #[error(
        "the arrangements of {first} and {second} values are too many to be counted exactly; \
         the asymptotic method is as good there"
    )]
    Uncountable {
        /// Size of the first sample.
        first: usize,
        /// Size of the second.
        second: usize,
    },
    /// A statistic has no value on one of the samples drawn from the data.
    #[error("the statistic has no value on resample {resample}")]
    Resample {
        /// Which one, from 0.
        resample: usize,
    },
}

impl StatisticsError {
    /// A stable code, e.g. `statistics.constant`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooFew { .. } => "statistics.too-few",
            Self::TooMany { .. } => "statistics.too-many",
            Self::NonFinite { .. } => "statistics.non-finite",
            Self::Nan { .. } => "statistics.nan",
            Self::Lengths { .. } => "statistics.lengths",
            Self::Constant { .. } => "statistics.constant",
            Self::Squares { .. } => "statistics.squares",
            Self::NonPositive { .. } => "statistics.non-positive",
            Self::Share { .. } => "statistics.share",
            Self::Confidence { .. } => "statistics.confidence",
            Self::Freedom { .. } => "statistics.freedom",
            Self::Bins { .. } => "statistics.bins",
            Self::Span { .. } => "statistics.span",
            Self::Uncountable { .. } => "statistics.uncountable",
            Self::Resample { .. } => "statistics.resample",
        }
    }
}

/// Refuses fewer values than needed, and values that are not finite.
pub fn check_values(what: &'static str, values: &[f64], needed: usize) -> Result<(), StatisticsError> {
    check_count(what, values, needed)?;
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(StatisticsError::NonFinite { what, index, value: values[index] }),
        None => Ok(()),
    }
}

/// Refuses fewer values than needed, and NaN; infinities have their place in an order.
pub(super) fn check_ordered(what: &'static str, values: &[f64], needed: usize) -> Result<(), StatisticsError> {
    check_count(what, values, needed)?;
    match values.iter().position(|value| value.is_nan()) {
        Some(index) => Err(StatisticsError::Nan { what, index }),
        None => Ok(()),
    }
}

fn check_count(what: &'static str, values: &[f64], needed: usize) -> Result<(), StatisticsError> {
    let found = values.len();
    if found < needed { Err(StatisticsError::TooFew { what, found, needed }) } else { Ok(()) }
}

/// Refuses pairs of which one half is missing.
pub fn check_lengths(x: &[f64], y: &[f64]) -> Result<(), StatisticsError> {
    let (first, second) = (x.len(), y.len());
    if first == second { Ok(()) } else { Err(StatisticsError::Lengths { first, second }) }
}

/// Refuses a probability outside 0 to 1.
pub(super) fn check_share(what: &'static str, value: f64) -> Result<(), StatisticsError> {
    if (0.0..=1.0).contains(&value) { Ok(()) } else { Err(StatisticsError::Share { what, value }) }
}

/// Refuses a confidence that is not strictly between 0 and 1.
pub(super) fn check_confidence(value: f64) -> Result<(), StatisticsError> {
    if value > 0.0 && value < 1.0 { Ok(()) } else { Err(StatisticsError::Confidence { value }) }
}
