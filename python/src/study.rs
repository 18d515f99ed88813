//! Any study by its name: its settings, its run, its figures.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sfc_bench::export::{self, Format, Look};
use sfc_bench::lab::audit;
use sfc_bench::link::{State, print};
use sfc_bench::papers::{ce_bench, fade, measurement, mui, sfc};
use sfc_bench::settings::{Parameters, check};
use sfc_bench::studies::{self, Visitor};
use sfc_bench::study::{AnyStudy, Study};

use crate::error::{Refusal, Result};
use crate::run::{Listener, heard};
use crate::text::{pretty, read, write};

/// What a run is started of by its settings alone.
const RUN: &str = "sfc, fade, ce-bench, mui, measurement, audit";

macro_rules! with {
    ($name:expr, $call:ident($($arg:expr),*)) => {
        match $name {
            "sfc" => $call::<sfc::StudyView>($($arg),*),
            "fade" => $call::<fade::StudyView>($($arg),*),
            "ce-bench" => $call::<ce_bench::StudyView>($($arg),*),
            "mui" => $call::<mui::StudyView>($($arg),*),
            "measurement" => $call::<measurement::StudyView>($($arg),*),
            "audit" => $call::<audit::StudyView>($($arg),*),
            name => Err(Refusal::value("study", format!("{name:?}"), RUN)),
        }
    };
}

/// Complete settings of a draft, in which whatever is missing is the study's own.
fn settled<S>(draft: &str) -> Result<S::Settings>
where
    S: Study<Settings: Parameters<ParameterDraft: DeserializeOwned>>,
{
    let draft: serde_json::Map<String, serde_json::Value> = read("settings", draft)?;
    let known = <S::Settings as Parameters>::FIELDS.iter().map(|field| field.name);
    let known: Vec<&str> = known.collect();
    if let Some(name) = draft.keys().find(|name| !known.contains(&name.as_str())) {
        let value = draft.get(name).map(ToString::to_string).unwrap_or_default();
        let mut refusal = Refusal::value(name, value, "nothing: no setting has this name");
        refusal.say(&format!("there is no setting {name:?}; allowed: {}", known.join(", ")));
        return Err(refusal);
    }
    let wish = read("settings", &write(&draft)?).map_err(|mut refusal: Refusal| {
        // A row says what it may hold better than its type does.
        if let Some(field) = refusal.field().and_then(<S::Settings as Parameters>::field) {
            refusal.allow(&field.allowed(None));
        }
        refusal
    })?;
    Ok(check::<S::Settings>(&wish)?)
}

/// The complete settings of a draft, as JSON.
#[pyfunction]
pub fn study_settings(study: &str, draft: &str) -> Result<String> {
    fn settings<S>(draft: &str) -> Result<String>
    where
        S: Study<Settings: Parameters<ParameterDraft: DeserializeOwned> + Serialize>,
    {
        write(&settled::<S>(draft)?)
    }
    with!(study, settings(draft))
}

/// Runs a study of a draft of its settings; `tell` hears the stage and the part that is done.
#[pyfunction]
#[pyo3(signature = (study, draft, tell = None))]
pub fn study_run(
    py: Python<'_>,
    study: &str,
    draft: &str,
    tell: Option<Py<PyAny>>,
) -> PyResult<String> {
    fn run<S>(draft: &str, listener: &mut Listener<'_>) -> Result<String>
    where
        S: Study<Settings: Parameters<ParameterDraft: DeserializeOwned>>,
    {
        let mut tell = |stage: &str, fraction: f64| listener.hear(stage, fraction);
        write(&S::run(settled::<S>(draft)?, &mut tell)?)
    }
    heard(py, tell, |listener| with!(study, run(draft, listener)))
}

/// The level curve of a draft of settings, as the command line prints it.
#[pyfunction]
pub fn curve(py: Python<'_>, draft: &str) -> PyResult<String> {
    heard(py, None, |listener| {
        let settings = settled::<sfc::StudyView>(draft)?;
        let mut tell = |stage: &str, fraction: f64| listener.hear(stage, fraction);
        let curve = sfc::curve(&settings, &mut tell)?;
        pretty(&curve.document(&settings))
    })
}

/// The dictionary sizes of a draft of settings, as the command line prints them.
#[pyfunction]
pub fn sizes(py: Python<'_>, draft: &str) -> PyResult<String> {
    heard(py, None, |listener| {
        let settings = settled::<sfc::StudyView>(draft)?;
        let mut tell = |stage: &str, fraction: f64| listener.hear(stage, fraction);
        let points = sfc::sizes(&settings, &mut tell)?;
        pretty(&sfc::sizes_document(&settings, &points))
    })
}

/// The figures of a study: `[{id, name, section}]`.
#[pyfunction]
pub fn figures(study: &str) -> Result<String> {
    let rows = studies::rows().into_iter().filter(|row| row.study == study);
    write(&rows.map(|row| row.figure).collect::<Vec<_>>())
}

/// What a link of the page says of complete settings of the first paper: its query.
#[pyfunction]
pub fn link(settings: &str) -> PyResult<String> {
    let settings = read("settings", settings)?;
    Ok(print(&State { settings, ..State::default() }))
}

/// Opens a report from its JSON.
struct Open<'a>(&'a str);

impl Visitor for Open<'_> {
    type Out = Result<Box<dyn AnyStudy>>;

    fn visit<S: Study>(self) -> Self::Out {
        Ok(Box::new(S::open(read("report", self.0)?)?))
    }
}

/// A result under live weights: its figures and tables.
#[pyclass(unsendable)]
pub struct StudyView(Box<dyn AnyStudy>);

#[pymethods]
impl StudyView {
    #[new]
    fn new(study: &str, report: &str) -> PyResult<Self> {
        let unknown = || Refusal::value("study", format!("{study:?}"), studies::NAMES.join(", "));
        Ok(Self(studies::visit(study, Open(report)).ok_or_else(unknown)??))
    }

    fn figures(&self) -> Result<String> {
        write(&self.0.figures())
    }

    #[pyo3(signature = (id, width = 720, theme = "light"))]
    fn svg(&self, id: &str, width: u32, theme: &str) -> Result<String> {
        self.export(id, "svg", width, theme)
    }

    #[pyo3(signature = (id, format, width = 720, theme = "light"))]
    fn export(&self, id: &str, format: &str, width: u32, theme: &str) -> Result<String> {
        let width = export::width(f64::from(width))?;
        let look = Look::named(theme).ok_or_else(|| {
            let allowed = Look::ALL.map(Look::name).join(", ");
            Refusal::value("theme", format!("{theme:?}"), allowed)
        })?;
        let format = Format::of_extension(format).ok_or_else(|| {
            let all = Format::ALL.map(Format::extension).join(", ");
            Refusal::value("format", format!("{format:?}"), all)
        })?;
        Ok(export::export(&self.chart(id)?, format, self.0.origin()?, width, look)?)
    }

    fn table(&self, id: &str) -> Result<String> {
        write(&self.chart(id)?.data_table())
    }

    fn title(&self, id: &str) -> PyResult<String> {
        Ok(self.chart(id)?.title)
    }

    fn caption(&self, id: &str) -> PyResult<String> {
        Ok(self.chart(id)?.caption)
    }

    fn summary(&self, id: &str) -> PyResult<String> {
        Ok(self.chart(id)?.summary)
    }

    fn set_weights(&mut self, alpha: f64, beta: f64, gamma: f64) -> Result<()> {
        Ok(self.0.set_weights([alpha, beta, gamma])?)
    }

    fn printed(&self) -> Result<String> {
        write(&self.0.printed())
    }

    fn digest(&self) -> Option<String> {
        self.0.digest()
    }

    fn headline(&self) -> Result<String> {
        Ok(self.0.headline()?)
    }

    /// The report as the command line prints it.
    fn json(&self) -> Result<String> {
        Ok(self.0.json()?)
    }
}

impl StudyView {
    fn chart(&self, id: &str) -> Result<sfc_bench::plot::Chart> {
        let figures = self.0.figures();
        let known = figures.iter().find(|figure| [figure.id, figure.name].contains(&id));
        let Some(figure) = known else {
            let all: Vec<&str> = figures.iter().map(|figure| figure.id).collect();
            return Err(Refusal::value("figure", format!("{id:?}"), all.join(", ")));
        };
        Ok(self.0.chart(figure.id)?)
    }
}
