use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, js_error, to_js};
#[cfg(feature = "lab")]
use crate::lab::compare;
use crate::papers::sfc::{self, printed};
use crate::plot::Chart;
use crate::studies::{self, Visitor};
use crate::study::{self, AnyStudy, Failure};

/// A study's result on screen, under live weights. Whatever has figures is one of these; what only
/// one study does, the others refuse.
#[wasm_bindgen(js_name = Study)]
pub struct StudyHandle {
    pub(super) opened: Box<dyn AnyStudy>,
    /// The figures as they are now: a page asks for title, caption, height, picture and table one by one.
    charts: RefCell<HashMap<String, Rc<Chart>>>,
}

/// Opens a report from JavaScript.
struct ReportOpener(JsValue);

impl Visitor for ReportOpener {
    type Out = Result<Box<dyn AnyStudy>, JsValue>;

    fn visit<S: study::Study>(self) -> Self::Out {
        let report = from_js("report", self.0)?;
        Ok(Box::new(S::open(report).map_err(failure_error)?))
    }
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// Opens a report of a study, by its name: "sfc" as [`run`](super::run) returns it; in the lab also
    /// "comparison" (`{now, pinned}`), "ensemble", "families", "training" and "own".
    pub fn open(study: &str, report: JsValue) -> Result<StudyHandle, JsValue> {
        let opened = studies::visit(study, ReportOpener(report))
            .ok_or_else(|| js_error("study.unknown", &format!("there is no study {study:?}"), Some("study")))?;
        Ok(Self { opened: opened?, charts: RefCell::default() })
    }

    /// The name of the study.
    #[must_use]
    pub fn study(&self) -> String {
        self.opened.name().to_owned()
    }

    /// The figures and tables there are: `[{id, name, section}]`.
    pub fn figures(&self) -> Result<JsValue, JsValue> {
        to_js(&self.opened.figures())
    }

    /// Scores everything anew; nothing is run.
    pub fn set_weights(&mut self, alpha: f64, beta: f64, gamma: f64) -> Result<(), JsValue> {
        self.charts.get_mut().clear();
        self.opened.set_weights([alpha, beta, gamma]).map_err(failure_error)
    }

    /// How many printed numbers of the paper agree, in numbers and in words.
    pub fn verdict(&self) -> Result<JsValue, JsValue> {
        let paper = self.paper_study()?;
        to_js(&printed::tally_cells(&paper.report, &paper.cells))
    }
}

/// What any class does with charts that it has by their identifiers.
macro_rules! impl_chart_methods {
    ($type:ty as $class:ident) => {
        #[wasm_bindgen(js_class = $class)]
        impl $type {
            /// Height, in CSS pixels, that suits a figure of this width.
            pub fn preferred_height(&self, id: &str, css_width: f64) -> Result<f64, JsValue> {
                Ok($crate::plot::preferred_height(&*self.chart(id)?, css_width))
            }

            /// Draws a figure and returns its layout: where the data is, and the readouts.
            pub fn draw(
                &self,
                id: &str,
                canvas: &web_sys::HtmlCanvasElement,
                css_width: f64,
                css_height: f64,
                dpr: f64,
                dark: bool,
            ) -> Result<JsValue, JsValue> {
                let chart = self.chart(id)?;
                let (width, height) = (css_width, css_height);
                $crate::plot::draw_on_canvas(&*chart, canvas, width, height, dpr, dark)
                    .map_err(|error| $crate::web::convert::js_error("figure.draw", &error.to_string(), None))
                    .and_then(|layout| to_js(&layout))
            }

            /// The figure's data as a table.
            pub fn table(&self, id: &str) -> Result<JsValue, JsValue> {
                to_js(&self.chart(id)?.data_table())
            }

            /// The figure in one sentence.
            pub fn summary(&self, id: &str) -> Result<String, JsValue> {
                Ok(self.chart(id)?.summary.clone())
            }

            /// The figure's title.
            pub fn title(&self, id: &str) -> Result<String, JsValue> {
                Ok(self.chart(id)?.title.clone())
            }

            /// The figure's caption.
            pub fn caption(&self, id: &str) -> Result<String, JsValue> {
                Ok(self.chart(id)?.caption.clone())
            }
        }
    };
}
#[cfg(feature = "lab")]
pub(super) use impl_chart_methods;

impl_chart_methods!(StudyHandle as Study);

/// What only one study does was asked of another.
fn wrong_study_error() -> JsValue {
    failure_error(Failure::unsupported())
}

impl StudyHandle {
    pub(super) fn chart(&self, id: &str) -> Result<Rc<Chart>, JsValue> {
        if let Some(chart) = self.charts.borrow().get(id) {
            return Ok(Rc::clone(chart));
        }
        let chart = Rc::new(self.opened.chart(id).map_err(failure_error)?);
        self.charts.borrow_mut().insert(id.to_owned(), Rc::clone(&chart));
        Ok(chart)
    }

    /// The study with its type.
    pub(super) fn downcast<T: 'static>(&self) -> Result<&T, JsValue> {
        self.opened.as_any().downcast_ref().ok_or_else(wrong_study_error)
    }

    /// The paper's study, alone or beside a pinned result.
    pub(super) fn paper_study(&self) -> Result<&sfc::StudyView, JsValue> {
        #[cfg(feature = "lab")]
        if let Ok(both) = self.downcast::<compare::StudyView>() {
            return Ok(&both.current);
        }
        self.downcast()
    }
}

#[cfg(feature = "lab")]
impl StudyHandle {
    pub(super) fn new(opened: impl study::Study) -> Self {
        Self { opened: Box::new(opened), charts: RefCell::default() }
    }

    /// The study with its type, to change it.
    pub(super) fn downcast_mut<T: 'static>(&mut self) -> Result<&mut T, JsValue> {
        self.charts.get_mut().clear();
        self.opened.as_any_mut().downcast_mut().ok_or_else(wrong_study_error)
    }

    /// The paper's study, to change it.
    pub(super) fn paper_study_mut(&mut self) -> Result<&mut sfc::StudyView, JsValue> {
        self.charts.get_mut().clear();
        let opened = self.opened.as_any_mut();
        if opened.is::<compare::StudyView>() {
            let both = opened.downcast_mut::<compare::StudyView>();
            return both.map(|both| &mut both.current).ok_or_else(wrong_study_error);
        }
        opened.downcast_mut().ok_or_else(wrong_study_error)
    }
}
