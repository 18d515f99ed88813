//! Names that another page may use: of figures, and of what a link says.

use wasm_bindgen::prelude::*;

use super::convert::to_js;
use crate::link;
use crate::object;
use crate::papers::sfc::settings::Settings;
use crate::studies;

/// The figure of that name or identifier: `{study, id, name, section}`; undefined where there is none.
#[wasm_bindgen]
pub fn figure_named(name: &str) -> Result<JsValue, JsValue> {
    studies::find_figure(name).map_or(Ok(JsValue::UNDEFINED), |row| to_js(&row))
}

/// The names under which the figures of a study can be asked for: `[{name, id}]`, the plain ones first.
#[wasm_bindgen]
pub fn figure_names(study: &str) -> Result<JsValue, JsValue> {
    let figures: Vec<_> =
        studies::all_figures().into_iter().filter(|row| row.study == study).map(|row| row.figure).collect();
    let plain = figures.iter().filter(|figure| figure.name != figure.id);
    let plain = plain.map(|figure| (figure.name, figure.id));
    let ids = figures.iter().map(|figure| (figure.id, figure.id));
    let rows = plain.chain(ids).map(|(name, id)| object! { name, id });
    to_js(&rows.collect::<Vec<_>>())
}

/// Every key of a link: `[{key, field, about}]`, `field` being that of the state or of its settings.
#[wasm_bindgen]
pub fn state_keys() -> Result<JsValue, JsValue> {
    let row = |link::Key { key, field, about, .. }| object! { key, field, about };
    to_js(&link::all_keys::<Settings>().map(row).collect::<Vec<_>>())
}
