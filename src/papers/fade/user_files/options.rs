use crate::papers::fade::metric::RatedTexts;
use crate::papers::fade::settings::{Draft, FIELDS, Settings};
use crate::settings::{ParameterDraft, Problem, Problems, Value};

/// The settings that have a part in what a reader's own texts come to: `rated` and `norm`, and where a sample is rated
/// `sample`, `top` and the `seed` that it is drawn by.
///
/// # Errors
/// Every field that is given and would have no say, and what [`Draft::parse`] refuses.
///
/// # Examples
/// ```
/// use sfc_bench::papers::fade::{Draft, user_files};
/// let draft = Draft { rated: Some("sampled".into()), sample: Some(100.0), ..Draft::default() };
/// assert_eq!(user_files::parse_settings(&draft).unwrap().sample, 100);
/// let draft = Draft { sample: Some(100.0), ..Draft::default() };
/// let refused = user_files::parse_settings(&draft).unwrap_err();
/// assert_eq!(refused.to_string(), "sample is 100; allowed: no value unless rated is sampled");
/// ```
pub fn parse_settings(draft: &Draft) -> Result<Settings, Problems> {
    let settings = draft.parse()?;
    let idle = |name| match name {
        "rated" | "norm" => None,
        "sample" | "top" | "seed" if settings.rated == RatedTexts::Sampled => None,
        "sample" | "top" | "seed" => Some("no value unless rated is sampled"),
        _ => Some("no value with files of your own"),
    };
    let refused = FIELDS.iter().filter_map(|field| {
        let (value, allowed) = (draft.get(field.name)?, idle(field.name)?);
        Some(Problem::new(field.name, format_value(value), allowed))
    });
    let refused: Vec<Problem> = refused.collect();
    if refused.is_empty() { Ok(settings) } else { Err(Problems(refused)) }
}

fn format_value(value: Value) -> String {
    match value {
        Value::Number(value) => value.to_string(),
        Value::Word(word) => format!("{word:?}"),
        Value::Switch(on) => on.to_string(),
        Value::List(values) => values.iter().map(f64::to_string).collect::<Vec<_>>().join(", "),
    }
}
