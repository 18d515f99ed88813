//! Figures as files, for the page's export menu.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::StudyHandle;
use super::convert::{failure_error, js_error};
use crate::export::{self, Appearance, Format};
use crate::plot::{self, Chart, DrawError};
use crate::study::Origin;

/// Width of the drawings in an archive, in CSS pixels.
const ARCHIVE_WIDTH: u32 = 720;

fn draw_error(error: &DrawError) -> JsValue {
    js_error(error.code(), &error.to_string(), None)
}

fn appearance_for(dark: bool) -> Appearance {
    if dark { Appearance::Dark } else { Appearance::Light }
}

impl StudyHandle {
    fn figure_origin(&self) -> Result<&dyn Origin, JsValue> {
        self.opened.figure_origin().map_err(failure_error)
    }

    fn all_charts(&self) -> Result<Vec<Chart>, JsValue> {
        let chart = |id| self.opened.chart(id).map_err(failure_error);
        self.opened.figures().iter().map(|figure| chart(figure.id)).collect()
    }
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// A figure as the text of a file: "svg", "csv", "json", "tex" or "md".
    pub fn export_text(&self, id: &str, format: &str, css_width: f64, dark: bool) -> Result<String, JsValue> {
        let chart = self.chart(id)?;
        let format = Format::from_extension(format)
            .ok_or_else(|| js_error("export.format", &format!("there is no format {format:?}"), Some("format")))?;
        // `as` takes what is no number to 0, which is refused as too narrow.
        export::export(&chart, format, self.figure_origin()?, css_width as u32, appearance_for(dark))
            .map_err(|error| draw_error(&error))
    }

    /// Draws a figure with its title, as in an SVG file, on a canvas that is given its size.
    pub fn export_picture(
        &self,
        id: &str,
        canvas: &HtmlCanvasElement,
        css_width: f64,
        dpr: f64,
        dark: bool,
    ) -> Result<(), JsValue> {
        let theme = appearance_for(dark).theme();
        let (chart, source) = (self.chart(id)?, self.figure_origin()?.source_line());
        plot::draw_titled_on_canvas(&chart, &source, canvas, css_width, dpr, &theme).map_err(|error| draw_error(&error))
    }

    /// The name of a figure's file; without an id, of everything's.
    pub fn file_name(&self, id: &str, extension: &str) -> Result<String, JsValue> {
        Ok(self.figure_origin()?.file_name(id, extension))
    }

    /// Whether a figure is a table.
    pub fn is_table(&self, id: &str) -> Result<bool, JsValue> {
        Ok(self.chart(id)?.is_table())
    }

    /// The result in a few sentences.
    pub fn headline(&self) -> Result<String, JsValue> {
        self.opened.headline().map_err(failure_error)
    }

    /// The report as the command line prints it.
    pub fn json(&self) -> Result<String, JsValue> {
        self.opened.json().map_err(failure_error)
    }

    /// Everything as a .zip file; `extra` is a list of `[name, Uint8Array]`.
    pub fn archive(&self, extra: &Array) -> Result<Uint8Array, JsValue> {
        build_archive(self, None, extra)
    }

    /// As [`archive`](Self::archive), with the figures of another study, and its report as the command
    /// line prints it.
    pub fn archive_with(&self, other: &StudyHandle, extra: &Array) -> Result<Uint8Array, JsValue> {
        build_archive(self, Some(other), extra)
    }
}

/// How to cite "paper" or "software", for BibTeX.
#[wasm_bindgen]
pub fn bibtex(which: &str) -> Result<String, JsValue> {
    match which {
        "paper" => Ok(export::PAPER_BIBTEX.to_owned()),
        "software" => Ok(export::software_bibtex()),
        _ => Err(js_error("export.cite", "paper and software can be cited", Some("which"))),
    }
}

fn build_archive(first: &StudyHandle, other: Option<&StudyHandle>, extra: &Array) -> Result<Uint8Array, JsValue> {
    let mut extra: Vec<(String, Vec<u8>)> = extra
        .iter()
        .map(|entry| {
            let entry: Array = entry.dyn_into().ok()?;
            Some((entry.get(0).as_string()?, entry.get(1).dyn_into::<Uint8Array>().ok()?.to_vec()))
        })
        .collect::<Option<_>>()
        .ok_or_else(|| js_error("export.extra", "a list of [name, bytes] is needed", Some("extra")))?;
    let charts = first.all_charts()?;
    let others = other.map_or(Ok(Vec::new()), StudyHandle::all_charts)?;
    let mut more: Vec<export::ChartsWithOrigin<'_>> = Vec::new();
    if let Some(other) = other {
        more.push((&others, other.figure_origin()?));
        extra.push((format!("{}.json", other.opened.name()), other.json()?.into_bytes()));
    }
    export::export_all((&charts, first.figure_origin()?), &more, ARCHIVE_WIDTH, &extra)
        .map(|bytes| Uint8Array::from(bytes.as_slice()))
        .map_err(|error| js_error(error.code(), &error.to_string(), None))
}
