use super::{Field, FieldKind, ParameterDraft, Problem, Problems, Value};

/// The settings of a study, of which every knob is a row.
pub trait Parameters: Clone + Default + PartialEq {
    /// What somebody typed of them.
    type ParameterDraft: ParameterDraft;

    /// The study's name, as a link has it.
    const STUDY: &'static str;
    /// The rows, in the order of a draft, of a link and of refusals.
    const FIELDS: &'static [Field];
    /// The field that takes its usual value where each is allowed by itself and all together are not.
    const CONFLICT_RESET_FIELD: &'static str;

    /// What is missing in a draft whose every value its row allows.
    fn defaults_for(_draft: &Self::ParameterDraft) -> Self {
        Self::default()
    }

    /// Complete settings of a draft whose every value its row allows: what is missing takes the value
    /// that the study gives it under the rest.
    fn from_valid_draft(draft: &Self::ParameterDraft) -> Self;

    /// The draft that says all that the settings do.
    fn draft(&self) -> Self::ParameterDraft;

    /// What is wrong with the whole, where every part of it is allowed.
    fn problem(&self) -> Option<Problem> {
        None
    }

    /// The row of that name.
    #[must_use]
    fn field(name: &str) -> Option<&'static Field> {
        Self::FIELDS.iter().find(|field| field.name == name)
    }
}

/// Settings of a draft.
///
/// # Errors
/// All refused fields together, in the order of the rows; if there is none, what is wrong with the
/// whole.
#[inline(never)]
pub fn check<S: Parameters>(draft: &S::ParameterDraft) -> Result<S, Problems> {
    let mut good = S::ParameterDraft::default();
    let mut problems: Vec<Problem> = Vec::new();
    for field in S::FIELDS {
        let Some(value) = draft.get(field.name) else { continue };
        // Under a bound that is itself refused, what depends on it may still be right.
        let most = match field.kind {
            FieldKind::Within(_, other) if problems.iter().any(|problem| problem.field == other) => None,
            _ => upper_bound::<S>(&good, field),
        };
        match field.check(&value, most) {
            Ok(value) => {
                good.set(field.name, value);
            }
            Err(problem) => problems.push(problem),
        }
    }
    let settings = S::from_valid_draft(&good);
    if problems.is_empty() {
        problems.extend(settings.problem());
    }
    if problems.is_empty() { Ok(settings) } else { Err(Problems(problems)) }
}

/// What another field allows a field at most, under a draft of allowed values.
#[inline(never)]
pub fn upper_bound<S: Parameters>(draft: &S::ParameterDraft, field: &Field) -> Option<f64> {
    match field.kind {
        FieldKind::Within(_, other) => S::from_valid_draft(draft).draft().number(other),
        _ => None,
    }
}

/// Whether the settings have a preset's name.
pub fn has_preset_name<S: Parameters>(draft: &S::ParameterDraft) -> bool {
    let presets = S::FIELDS.iter().filter_map(|field| match field.kind {
        FieldKind::Preset(choices) => Some((field.name, choices.last()?.word)),
        _ => None,
    });
    presets.into_iter().all(|(name, none)| draft.get(name) != Some(Value::Word(none.to_owned())))
}
