use serde::Serialize;

/// One refused value: which field, what it held, what it may hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[error("{message}")]
pub struct Problem {
    /// Stable code, e.g. `settings.samples`.
    pub code: String,
    /// The field's name, as a draft of the settings has it.
    pub field: String,
    /// The refused value.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
    /// All of it in one line.
    pub message: String,
}

impl Problem {
    /// A refused `value` of `field`, with what is `allowed` instead.
    #[must_use]
    pub fn new(field: &str, value: impl Into<String>, allowed: impl Into<String>) -> Self {
        let (value, allowed) = (value.into(), allowed.into());
        Self {
            code: format!("settings.{field}"),
            message: format!("{field} is {value}; allowed: {allowed}"),
            field: field.to_owned(),
            value,
            allowed,
        }
    }
}

/// Every problem of a draft, in the order of its fields. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}", .0.iter().map(|p| p.message.as_str()).collect::<Vec<_>>().join("; "))]
pub struct Problems(pub Vec<Problem>);
