use serde::Serialize;

use super::Problem;

/// Seeds are NumPy's: one 32-bit word.
pub const SEED_MAX: u32 = u32::MAX;

/// A closed range a number must lie in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Range {
    /// The field's name, as a draft of the settings has it.
    pub field: &'static str,
    /// Smallest allowed value.
    pub min: f64,
    /// Largest allowed value.
    pub max: f64,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
}

impl Range {
    /// Whole numbers from `min` to `max`.
    pub const fn integer(field: &'static str, min: u32, max: u32) -> Self {
        Self { field, min: min as f64, max: max as f64, whole: true }
    }

    /// Numbers from `min` to `max`.
    pub const fn real(field: &'static str, min: f64, max: f64) -> Self {
        Self { field, min, max, whole: false }
    }

    /// The seeds' range, under the name of one of them.
    #[must_use]
    pub const fn seed(field: &'static str) -> Self {
        Self::integer(field, 0, SEED_MAX)
    }

    /// What is allowed, in words.
    #[must_use]
    pub fn describe_allowed(&self) -> String {
        let kind = if self.whole { "a whole number" } else { "a number" };
        format!("{kind} from {} to {}", self.min, self.max)
    }

    /// The value, if it is allowed.
    ///
    /// # Errors
    /// A [`Problem`] with the field, the value and what is allowed.
    pub fn check(&self, value: f64) -> Result<f64, Problem> {
        let fits = value >= self.min && value <= self.max;
        if fits && (!self.whole || libm::trunc(value) == value) {
            // −0 and 0 are the same setting; keep one of them.
            Ok(value + 0.0)
        } else {
            Err(Problem::new(self.field, format_refused(value), self.describe_allowed()))
        }
    }
}

/// The value nearest to `value` that a range allows.
pub fn clamp_to_range(range: Range, value: f64) -> f64 {
    let value = value.clamp(range.min, range.max);
    if range.whole { libm::round(value) } else { value }
}

/// A refused number, as people write it.
pub(crate) fn format_refused(value: f64) -> String {
    if value.is_nan() {
        "not a number".to_owned()
    } else if value.is_finite() && value.abs() >= 1e15 {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}
