use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::convert::{from_js, thrown, to_js, weights_of};
use crate::papers::sfc::metric::score::Weights;
use crate::papers::sfc::{self, Cell, Report, printed};
use crate::plot::{self, Chart};

/// A report on screen, under live weights.
#[wasm_bindgen]
pub struct View {
    pub(super) report: Report,
    pub(super) cells: Vec<Cell>,
    pub(super) weights: Weights,
    pub(super) setting: plot::Setting,
    #[cfg(feature = "lab")]
    pub(super) pinned: Option<Report>,
}

#[wasm_bindgen]
impl View {
    /// Takes a report as [`run`] returns it.
    #[wasm_bindgen(constructor)]
    pub fn new(report: JsValue) -> Result<Self, JsValue> {
        let report: Report = from_js("report", report)?;
        Ok(Self {
            cells: printed::cells(&report),
            weights: report.settings.weights(),
            setting: plot::Setting::default(),
            #[cfg(feature = "lab")]
            pinned: None,
            report,
        })
    }

    /// Scores everything anew; nothing is run.
    pub fn set_weights(&mut self, alpha: f64, beta: f64, gamma: f64) -> Result<(), JsValue> {
        self.weights = weights_of(alpha, beta, gamma)?;
        sfc::rescore(&mut self.report, self.weights);
        Ok(())
    }

    pub(super) fn chart(&self, id: &str) -> Result<Chart, JsValue> {
        let chart =
            crate::papers::sfc::figures::instrument(id, &self.report, self.weights, &self.setting)
                .or_else(|| {
                    crate::papers::sfc::figures::figure(id, &self.report, &self.cells, self.weights)
                });
        #[cfg(feature = "lab")]
        let chart = self.compared(id, chart);
        chart.ok_or_else(|| unknown(id))
    }

    /// How many printed numbers agree, in numbers and in words.
    pub fn verdict(&self) -> Result<JsValue, JsValue> {
        to_js(&printed::verdict(&self.report, &self.cells))
    }
}

/// What is thrown for a figure that there is none of.
pub(super) fn unknown(id: &str) -> JsValue {
    thrown("figure.unknown", &format!("there is no figure {id:?}"), Some("id"))
}

/// What the page asks of whatever has figures, so that it need not know of what they are: for a type
/// with `chart(&self, id: &str) -> Result<Chart, JsValue>`.
macro_rules! figures {
    ($view:ident, $ids:expr) => {
        #[wasm_bindgen]
        impl $view {
            /// The figures and tables there are.
            #[must_use]
            pub fn figure_ids(&self) -> Vec<String> {
                $ids.iter().map(|id| (*id).to_owned()).collect()
            }

            /// Height, in CSS pixels, that suits a figure of this width.
            pub fn preferred_height(&self, id: &str, css_width: f64) -> Result<f64, JsValue> {
                Ok(plot::preferred_height(&self.chart(id)?, css_width))
            }

            /// Draws a figure and returns its layout: where the data is, and the readouts.
            pub fn draw(
                &self,
                id: &str,
                canvas: &HtmlCanvasElement,
                css_width: f64,
                css_height: f64,
                dpr: f64,
                dark: bool,
            ) -> Result<JsValue, JsValue> {
                let chart = self.chart(id)?;
                let layout = plot::draw_on_canvas(&chart, canvas, css_width, css_height, dpr, dark)
                    .map_err(|error| thrown("figure.draw", &error.to_string(), None))?;
                to_js(&layout)
            }

            /// The figure's data as a table.
            pub fn table(&self, id: &str) -> Result<JsValue, JsValue> {
                to_js(&self.chart(id)?.data_table())
            }

            /// The figure in one sentence.
            pub fn summary(&self, id: &str) -> Result<String, JsValue> {
                Ok(self.chart(id)?.summary)
            }

            /// The figure's title.
            pub fn title(&self, id: &str) -> Result<String, JsValue> {
                Ok(self.chart(id)?.title)
            }

            /// The figure's caption.
            pub fn caption(&self, id: &str) -> Result<String, JsValue> {
                Ok(self.chart(id)?.caption)
            }
        }
    };
}
#[cfg(feature = "lab")]
pub(super) use figures;

figures!(View, crate::papers::sfc::figures::FIGURES);
