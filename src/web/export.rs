//! Figures as files, for the page's export menu.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::convert::thrown;
use super::view::View;
use crate::plot::export::{self, Format, Look, Origin};
use crate::plot::{self, DrawError};

/// Width of the drawings in an archive, in CSS pixels.
const ARCHIVE_WIDTH: u32 = 720;

impl View {
    fn origin(&self) -> Origin<'_> {
        Origin { settings: &self.report.settings, digest: None }
    }
}

fn undrawn(error: &DrawError) -> JsValue {
    thrown(error.code(), &error.to_string(), None)
}

fn look(dark: bool) -> Look {
    if dark { Look::Dark } else { Look::Light }
}

/// A figure as the text of a file: "svg", "csv", "json", "tex" or "md".
#[wasm_bindgen]
pub fn export_text(
    view: &View,
    id: &str,
    format: &str,
    css_width: f64,
    dark: bool,
) -> Result<String, JsValue> {
    let format = Format::of_extension(format).ok_or_else(|| {
        thrown("export.format", &format!("there is no format {format:?}"), Some("format"))
    })?;
    // `as` takes what is no number to 0, which is refused as too narrow.
    export::export(&view.chart(id)?, format, view.origin(), css_width as u32, look(dark))
        .map_err(|error| undrawn(&error))
}

/// Draws a figure with its title, as in an SVG file, on a canvas that is given its size.
#[wasm_bindgen]
pub fn export_picture(
    view: &View,
    id: &str,
    canvas: &HtmlCanvasElement,
    css_width: f64,
    dpr: f64,
    dark: bool,
) -> Result<(), JsValue> {
    plot::draw_titled_on_canvas(&view.chart(id)?, canvas, css_width, dpr, &look(dark).theme())
        .map_err(|error| undrawn(&error))
}

/// What the figures are of, as the archive's `settings.json` says it.
#[wasm_bindgen]
#[must_use]
pub fn export_settings(view: &View) -> String {
    export::settings(&view.report.settings)
}

/// The name of a figure's file; without an id, of everything's.
#[wasm_bindgen]
#[must_use]
pub fn file_name(view: &View, id: &str, extension: &str) -> String {
    export::file_name(id, &view.report.settings, extension)
}

/// How to cite "paper" or "software", for BibTeX.
#[wasm_bindgen]
pub fn bibtex(which: &str) -> Result<String, JsValue> {
    match which {
        "paper" => Ok(export::PAPER.to_owned()),
        "software" => Ok(export::software()),
        _ => Err(thrown("export.cite", "paper and software can be cited", Some("which"))),
    }
}

/// Everything as a .zip file; `extra` is a list of `[name, Uint8Array]`.
#[wasm_bindgen]
pub fn zip(view: &View, extra: &Array) -> Result<Uint8Array, JsValue> {
    let extra: Vec<(String, Vec<u8>)> = extra
        .iter()
        .map(|entry| {
            let entry: Array = entry.dyn_into().ok()?;
            Some((entry.get(0).as_string()?, entry.get(1).dyn_into::<Uint8Array>().ok()?.to_vec()))
        })
        .collect::<Option<_>>()
        .ok_or_else(|| {
            thrown("export.extra", "a list of [name, bytes] is needed", Some("extra"))
        })?;
    let ids = plot::FIGURES.iter().chain(&plot::INSTRUMENTS);
    let charts = ids.map(|id| view.chart(id)).collect::<Result<Vec<_>, _>>()?;
    export::everything(&charts, view.origin(), ARCHIVE_WIDTH, &extra)
        .map(|bytes| Uint8Array::from(bytes.as_slice()))
        .map_err(|error| thrown(error.code(), &error.to_string(), None))
}
