//! What is said about a metric where it was proposed, as data.

use serde::Serialize;

/// How a quantity stands to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Greater than the limit.
    Above,
    /// Greater than the limit, or equal to it.
    AtLeast,
    /// Less than the limit.
    Below,
    /// Less than the limit, or equal to it.
    AtMost,
}

impl Relation {
    /// Its sign.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Above => ">",
            Self::AtLeast => "≥",
            Self::Below => "<",
            Self::AtMost => "≤",
        }
    }
}

/// That a quantity stands in a relation to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Condition {
    /// The quantity's name, as the metric's result has it.
    pub quantity: &'static str,
    /// How it stands.
    pub relation: Relation,
    /// To what.
    pub limit: f64,
}

impl Condition {
    /// `quantity > limit`.
    #[must_use]
    pub const fn above(quantity: &'static str, limit: f64) -> Self {
        Self { quantity, relation: Relation::Above, limit }
    }

    /// `quantity ≥ limit`.
    #[must_use]
    pub const fn at_least(quantity: &'static str, limit: f64) -> Self {
        Self { quantity, relation: Relation::AtLeast, limit }
    }

    /// `quantity < limit`.
    #[must_use]
    pub const fn below(quantity: &'static str, limit: f64) -> Self {
        Self { quantity, relation: Relation::Below, limit }
    }

    /// `quantity ≤ limit`.
    #[must_use]
    pub const fn at_most(quantity: &'static str, limit: f64) -> Self {
        Self { quantity, relation: Relation::AtMost, limit }
    }

    /// Whether a value of the quantity meets it. NaN meets none.
    ///
    /// # Examples
    /// ```
    /// use sfc_bench::papers::measurement::metric::Condition;
    /// assert!(Condition::at_least("AUC", 0.7).holds(0.7));
    /// assert!(!Condition::above("AUC", 0.7).holds(0.7));
    /// assert!(!Condition::below("AUC", 0.7).holds(f64::NAN));
    /// ```
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        match self.relation {
            Relation::Above => value > self.limit,
            Relation::AtLeast => value >= self.limit,
            Relation::Below => value < self.limit,
            Relation::AtMost => value <= self.limit,
        }
    }
}

/// Whether a result, which gives its quantities by their names, meets all conditions. What it does not give meets
/// none.
pub fn all_hold(conditions: &[Condition], quantity: impl Fn(&str) -> Option<f64>) -> bool {
    let holds = |condition: &Condition| quantity(condition.quantity).is_some_and(|x| condition.holds(x));
    conditions.iter().all(holds)
}

/// When the metric passes: all conditions of a reading hold. None: it reports only, and nothing fails.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PassConditions {
    /// As the text has it.
    pub document: &'static [Condition],
    /// As the reference code has it.
    pub code: &'static [Condition],
}

/// A row of the table by which the text reads scores: what is meant where all conditions hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct InterpretationRow {
    /// When it applies. The text's "high" and "low" without a number are held against the pass condition's limit.
    pub when: &'static [Condition],
    /// What it says then, in our words.
    pub means: &'static str,
}

/// A formula in words and signs, for readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formula {
    /// As the text has it.
    pub document: &'static str,
    /// As the reference code computes it.
    pub code: &'static str,
}

/// A metric, as it was proposed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MetricDescription {
    /// Its name on the command line: `m07`.
    pub id: &'static str,
    /// Its name in words.
    pub name: &'static str,
    /// Whom the text derives it from.
    pub source: &'static str,
    /// Codes of the criteria it stands for: `M2`.
    pub criteria: &'static [&'static str],
    /// What it establishes according to the text, in our words.
    pub establishes: &'static str,
    /// What it does not, in our words.
    pub leaves_open: &'static str,
    /// When it passes.
    pub passes: PassConditions,
    /// How scores are read.
    pub table: &'static [InterpretationRow],
    /// Its formula.
    #[serde(skip)]
    pub formula: Formula,
    /// When it passes in words: as the text's summary table has it, and as the text does where it speaks of the metric.
    #[serde(skip)]
    pub summary: [&'static str; 2],
    /// The settings that it depends on, opened; all have the prompts of the tasks and the seeds beside them.
    #[serde(skip)]
    pub takes: &'static [&'static str],
}

impl MetricDescription {
    /// The rows of its table that apply to a result, which gives its quantities by their names.
    pub fn matching_rows(&self, quantity: impl Fn(&str) -> Option<f64>) -> Vec<&'static InterpretationRow> {
        self.table.iter().filter(|row| all_hold(row.when, &quantity)).collect()
    }
}

/// Conditions as they are written: `"dprime" > 1.0, "auc" >= 0.7`.
macro_rules! conditions {
    (@ >) => { $crate::papers::measurement::metric::Relation::Above };
    (@ >=) => { $crate::papers::measurement::metric::Relation::AtLeast };
    (@ <) => { $crate::papers::measurement::metric::Relation::Below };
    (@ <=) => { $crate::papers::measurement::metric::Relation::AtMost };
    ($($quantity:literal $relation:tt $limit:expr),+ $(,)?) => {
        &[$($crate::papers::measurement::metric::Condition {
            quantity: $quantity,
            relation: $crate::papers::measurement::metric::conditions!(@ $relation),
            limit: $limit,
        }),+]
    };
}
pub(crate) use conditions;

/// Rows of the table by which the text reads scores: conditions, and what is meant where all of them hold.
macro_rules! table {
    ($($($quantity:literal $relation:tt $limit:expr),+ => $means:literal;)+) => {
        &[$($crate::papers::measurement::metric::InterpretationRow {
            when: $crate::papers::measurement::metric::conditions![$($quantity $relation $limit),+],
            means: $means,
        }),+]
    };
}
pub(crate) use table;
