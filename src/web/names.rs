//! Names that another page may use: of figures, and of what a link says.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::View;
use super::convert::to_js;
use crate::link;
use crate::papers::sfc::settings::Settings;

/// A name and the figure it is of.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    id: &'static str,
}

/// The identifier of the figure of that name; none where there is no such figure.
#[wasm_bindgen]
#[must_use]
pub fn figure_named(name: &str) -> Option<String> {
    crate::lab::names::named(name).map(str::to_owned)
}

/// The names under which figures can be asked for: `[{name, id}]`, the plain ones first.
#[wasm_bindgen]
pub fn figure_names() -> Result<JsValue, JsValue> {
    let plain = crate::lab::names::NAMES.iter().map(|(name, id)| Row { name, id });
    let ids = crate::papers::sfc::figures::FIGURES
        .iter()
        .chain(&crate::papers::sfc::figures::INSTRUMENTS)
        .map(|id| Row { name: id, id });
    to_js(&plain.chain(ids).collect::<Vec<_>>())
}

/// The identifier of the figure of that name, of a study of families or of a reader's own
/// decomposition; none where there is no such figure.
#[wasm_bindgen]
#[must_use]
pub fn study_figure_named(name: &str) -> Option<String> {
    crate::lab::names::study_named(name).map(str::to_owned)
}

/// The names under which those can be asked for: `[{name, id}]`, the plain ones first.
#[wasm_bindgen]
pub fn study_figure_names() -> Result<JsValue, JsValue> {
    let plain = crate::lab::names::FAMILIES_NAMES.iter().map(|(name, id)| Row { name, id });
    let ids = crate::lab::families::figures::FAMILIES_FIGURES
        .iter()
        .chain(&crate::lab::own::figures::OWN_FIGURES);
    to_js(&plain.chain(ids.map(|id| Row { name: id, id })).collect::<Vec<_>>())
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

#[wasm_bindgen]
impl View {
    /// The report, scored under the weights in use.
    pub fn rescored(&self) -> Result<JsValue, JsValue> {
        to_js(&self.report)
    }

    /// Every printed number of the paper beside the report's.
    pub fn printed_cells(&self) -> Result<JsValue, JsValue> {
        to_js(&self.cells)
    }
}
