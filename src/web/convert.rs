//! Values on their way to JavaScript and back.

use js_sys::Function;
use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::object;
use crate::papers::sfc::settings::{Draft, Settings};
use crate::settings::{Problem, Problems};
use crate::study::Failure;

/// What is thrown.
#[derive(Serialize)]
pub(super) struct ThrownError {
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

impl From<Failure> for ThrownError {
    fn from(Failure { code, message, field }: Failure) -> Self {
        Self { code, message, field }
    }
}

pub(super) fn js_error(code: &str, message: &str, field: Option<&str>) -> JsValue {
    let thrown = ThrownError { code: code.to_owned(), message: message.to_owned(), field: field.map(str::to_owned) };
    to_js(&thrown).unwrap_or_else(|error| error)
}

/// What is refused, thrown with its code and the field that is to blame.
pub(super) fn failure_error(error: impl Into<Failure>) -> JsValue {
    to_js(&ThrownError::from(error.into())).unwrap_or_else(|error| error)
}

/// Plain objects rather than `Map`s, so that values look the same here and in JSON.
pub(super) fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::json_compatible()).map_err(|error| JsValue::from_str(&error.to_string()))
}

/// Tells a listener how far something is. One that throws has no say in the result.
pub(super) fn report_progress(listener: &Function, what: &str, part: f64) {
    let _ = listener.call2(&JsValue::NULL, &what.into(), &part.into());
}

/// Settings, or what is wrong with their draft: `{settings, problems}`, one of the two empty.
pub(super) fn settings_or_problems<S: Serialize>(found: Result<S, Problems>) -> Result<JsValue, JsValue> {
    let (settings, problems) = match found {
        Ok(settings) => (Some(settings), vec![]),
        Err(problems) => (None, problems.0),
    };
    to_js(&object! { settings, problems })
}

pub(super) fn from_js<T: for<'de> Deserialize<'de>>(what: &str, value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|error| js_error(&format!("{what}.malformed"), &format!("{what}: {error}"), None))
}

/// Checked settings from a plain object.
pub(super) fn parse_settings(value: &JsValue) -> Result<Settings, Problems> {
    parse_draft(value).map_err(|problem| Problems(vec![problem])).and_then(|draft| draft.parse())
}

/// A draft from a plain object. A field of another type, or one that there is none of, is told by its name.
pub(super) fn parse_draft(value: &JsValue) -> Result<Draft, Problem> {
    let text = |value: &JsValue| {
        js_sys::JSON::stringify(value).ok().and_then(|text| text.as_string()).unwrap_or_else(|| format!("{value:?}"))
    };
    let Some(object) = js_sys::Object::try_from(value) else {
        return Err(Problem::new("settings", text(value), "an object"));
    };
    let entries = js_sys::Object::entries(object);
    let field = |entry: &JsValue| {
        let entry = js_sys::Array::from(entry);
        (entry.get(0).as_string().unwrap_or_default(), entry.get(1))
    };
    let read = |object: JsValue| serde_wasm_bindgen::from_value::<Draft>(object);
    let unknown = |(name, _): &(String, JsValue)| !Draft::FIELDS.contains(&name.as_str());
    if let Some((name, value)) = entries.iter().map(|entry| field(&entry)).find(unknown) {
        return Err(Problem::new(&name, text(&value), Draft::FIELDS.join(", ")));
    }
    read(value.clone()).map_err(|error| {
        let refused = |entry: &JsValue| {
            let alone = js_sys::Object::from_entries(&js_sys::Array::of1(entry));
            alone.is_ok_and(|alone| read(alone.into()).is_err())
        };
        match entries.iter().find(refused).map(|entry| field(&entry)) {
            Some((name, value)) => Problem::new(&name, text(&value), "a value of another type"),
            None => Problem::new("settings", error.to_string(), "settings"),
        }
    })
}
