//! Figures as files, for the page's export menu.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::convert::thrown;
use super::ensemble::EnsembleView;
use super::families::{FamiliesView, TrainView};
use super::view::View;
use crate::export::{self, Format, Look, Origin, Pinned, Sample};
use crate::link;
use crate::plot::{self, Chart, DrawError};

/// Width of the drawings in an archive, in CSS pixels.
const ARCHIVE_WIDTH: u32 = 720;

/// What was made of the results, to be borrowed by an [`Origin`].
struct Digests {
    own: String,
    pinned: Option<String>,
}

impl View {
    fn digests(&self) -> Digests {
        let of = |report| link::digest(report).to_string();
        Digests { own: of(&self.report), pinned: self.pinned.as_ref().map(of) }
    }

    fn origin<'a>(&'a self, digests: &'a Digests) -> Origin<'a> {
        let pinned = self.pinned.as_ref().zip(digests.pinned.as_deref());
        Origin {
            pinned: pinned.map(|(report, digest)| Pinned { settings: &report.settings, digest }),
            ..Origin::new(&self.report.settings, Some(&digests.own))
        }
    }

    /// For a file's name, in which no digest stands: it takes all results to make one.
    fn undigested(&self) -> Origin<'_> {
        let pinned = self.pinned.as_ref();
        Origin {
            pinned: pinned.map(|report| Pinned { settings: &report.settings, digest: "" }),
            ..Origin::new(&self.report.settings, None)
        }
    }
}

impl EnsembleView {
    fn origin<'a>(&'a self, digest: &'a str) -> Result<Origin<'a>, JsValue> {
        let found = self.found()?;
        let sample = Sample { seeds: found.members.len(), varied: found.plan.varied };
        Ok(Origin { ensemble: Some(sample), ..Origin::new(&found.plan.config, Some(digest)) })
    }
}

pub(super) fn undrawn(error: &DrawError) -> JsValue {
    thrown(error.code(), &error.to_string(), None)
}

pub(super) fn look(dark: bool) -> Look {
    if dark { Look::Dark } else { Look::Light }
}

pub(super) fn kind(format: &str) -> Result<Format, JsValue> {
    Format::of_extension(format).ok_or_else(|| {
        thrown("export.format", &format!("there is no format {format:?}"), Some("format"))
    })
}

fn text(
    chart: &Chart,
    format: &str,
    origin: Origin<'_>,
    css_width: f64,
    dark: bool,
) -> Result<String, JsValue> {
    // `as` takes what is no number to 0, which is refused as too narrow.
    export::export(chart, kind(format)?, origin, css_width as u32, look(dark))
        .map_err(|error| undrawn(&error))
}

pub(super) fn picture(
    chart: &Chart,
    canvas: &HtmlCanvasElement,
    css_width: f64,
    dpr: f64,
    dark: bool,
) -> Result<(), JsValue> {
    plot::draw_titled_on_canvas(chart, canvas, css_width, dpr, &look(dark).theme())
        .map_err(|error| undrawn(&error))
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
    text(&view.chart(id)?, format, view.origin(&view.digests()), css_width, dark)
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
    picture(&view.chart(id)?, canvas, css_width, dpr, dark)
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
    view.undigested().file_name(id, extension)
}

/// What the page asks of whatever makes its own files, as `figures!` is of whatever has figures.
macro_rules! pictures {
    ($view:ident) => {
        #[wasm_bindgen]
        impl $view {
            /// As [`export_picture`](super::export_picture).
            pub fn export_picture(
                &self,
                id: &str,
                canvas: &HtmlCanvasElement,
                css_width: f64,
                dpr: f64,
                dark: bool,
            ) -> Result<(), JsValue> {
                super::export::picture(&self.chart(id)?, canvas, css_width, dpr, dark)
            }

            /// Whether a figure is a table.
            pub fn is_table(&self, id: &str) -> Result<bool, JsValue> {
                Ok(self.chart(id)?.is_table())
            }
        }
    };
}
pub(super) use pictures;

#[wasm_bindgen]
impl View {
    /// Whether a figure is a table.
    pub fn is_table(&self, id: &str) -> Result<bool, JsValue> {
        Ok(self.chart(id)?.is_table())
    }
}

pictures!(EnsembleView);
pictures!(FamiliesView);
pictures!(TrainView);

#[wasm_bindgen]
impl EnsembleView {
    /// As [`export_text`].
    pub fn export_text(
        &self,
        id: &str,
        format: &str,
        css_width: f64,
        dark: bool,
    ) -> Result<String, JsValue> {
        let digest = link::ensemble_digest(self.found()?);
        text(&self.chart(id)?, format, self.origin(&digest)?, css_width, dark)
    }

    /// As [`file_name`].
    pub fn file_name(&self, id: &str, extension: &str) -> Result<String, JsValue> {
        Ok(self.origin("")?.file_name(id, extension))
    }
}

#[wasm_bindgen]
impl FamiliesView {
    /// As [`export_text`].
    pub fn export_text(
        &self,
        id: &str,
        format: &str,
        css_width: f64,
        dark: bool,
    ) -> Result<String, JsValue> {
        text(&self.chart(id)?, format, self.origin(), css_width, dark)
    }

    /// As [`file_name`].
    #[must_use]
    pub fn file_name(&self, id: &str, extension: &str) -> String {
        self.origin().file_name(id, extension)
    }
}

#[wasm_bindgen]
impl TrainView {
    /// As [`export_text`].
    pub fn export_text(
        &self,
        id: &str,
        format: &str,
        css_width: f64,
        dark: bool,
    ) -> Result<String, JsValue> {
        text(&self.chart(id)?, format, self.origin()?, css_width, dark)
    }

    /// As [`file_name`].
    pub fn file_name(&self, id: &str, extension: &str) -> Result<String, JsValue> {
        Ok(self.origin()?.file_name(id, extension))
    }
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
    packed(view, None, extra)
}

/// As [`zip`], with the figures of an ensemble and its members as the command line prints them.
#[wasm_bindgen]
pub fn zip_with_ensemble(
    view: &View,
    ensemble: &EnsembleView,
    extra: &Array,
) -> Result<Uint8Array, JsValue> {
    packed(view, Some(ensemble), extra)
}

fn packed(
    view: &View,
    ensemble: Option<&EnsembleView>,
    extra: &Array,
) -> Result<Uint8Array, JsValue> {
    let mut extra: Vec<(String, Vec<u8>)> = extra
        .iter()
        .map(|entry| {
            let entry: Array = entry.dyn_into().ok()?;
            Some((entry.get(0).as_string()?, entry.get(1).dyn_into::<Uint8Array>().ok()?.to_vec()))
        })
        .collect::<Option<_>>()
        .ok_or_else(|| {
            thrown("export.extra", "a list of [name, bytes] is needed", Some("extra"))
        })?;
    let drawn = crate::papers::sfc::figures::FIGURES
        .iter()
        .chain(&crate::papers::sfc::figures::INSTRUMENTS)
        .map(|id| (*id).to_owned());
    let ids = drawn.chain(view.comparison_ids());
    let charts = ids.map(|id| view.chart(&id)).collect::<Result<Vec<_>, _>>()?;
    let digests = view.digests();
    let mut seeds = Vec::new();
    let mut digest = String::new();
    if let Some(ensemble) = ensemble {
        digest = link::ensemble_digest(ensemble.found()?);
        seeds = crate::lab::ensemble::figures::ENSEMBLE_FIGURES
            .iter()
            .map(|id| ensemble.chart(id))
            .collect::<Result<_, _>>()?;
        extra.push(("ensemble.json".to_owned(), ensemble.json()?.into_bytes()));
    }
    let more = match ensemble {
        Some(ensemble) => vec![(seeds.as_slice(), ensemble.origin(&digest)?)],
        None => Vec::new(),
    };
    export::everything_of((&charts, view.origin(&digests)), &more, ARCHIVE_WIDTH, &extra)
        .map(|bytes| Uint8Array::from(bytes.as_slice()))
        .map_err(|error| thrown(error.code(), &error.to_string(), None))
}
