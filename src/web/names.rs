//! Names that another page may use: of figures, and of what a link says.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::convert::to_js;
use crate::link;
use crate::papers::sfc::settings::Settings;
use crate::studies;

/// The figure of that name or identifier: `{study, id, name, section}`; undefined where there is none.
#[wasm_bindgen]
pub fn figure_named(name: &str) -> Result<JsValue, JsValue> {
    studies::named(name).map_or(Ok(JsValue::UNDEFINED), |row| to_js(&row))
}

/// The names under which the figures of a study can be asked for: `[{name, id}]`, the plain ones first.
#[wasm_bindgen]
pub fn figure_names(study: &str) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        id: &'static str,
    }
    let figures: Vec<_> = studies::rows()
        .into_iter()
        .filter(|row| row.study == study)
        .map(|row| row.figure)
        .collect();
    let plain = figures.iter().filter(|figure| figure.name != figure.id);
    let plain = plain.map(|figure| Row { name: figure.name, id: figure.id });
    let ids = figures.iter().map(|figure| Row { name: figure.id, id: figure.id });
    to_js(&plain.chain(ids).collect::<Vec<_>>())
}

/// Every key of a link: `[{key, field, about}]`, `field` being that of the state or of its settings.
#[wasm_bindgen]
pub fn state_keys() -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Row {
        key: &'static str,
        field: &'static str,
        about: &'static str,
    }
    let row = |key: link::Key| Row { key: key.key, field: key.field, about: key.about };
    to_js(&link::keys::<Settings>().map(row).collect::<Vec<_>>())
}
