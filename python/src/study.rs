//! Any study by its name: its settings, its run, its figures.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sfc_bench::export::{self, Appearance, Format};
use sfc_bench::lab::audit;
use sfc_bench::link::{State, to_query};
use sfc_bench::papers::{ce_bench, fade, measurement, mui, sfc};
use sfc_bench::settings::{Parameters, check};
use sfc_bench::studies::{self, Visitor};
use sfc_bench::study::{AnyStudy, Study};

use crate::error::{Refusal, Result};
use crate::run::{ProgressListener, run_with_progress};
use crate::text::{read_json, write_json, write_pretty_json};

/// What a run is started of by its settings alone.
const RUNNABLE_STUDIES: &str = "sfc, fade, ce-bench, mui, measurement, audit";

macro_rules! dispatch_study {
    ($name:expr, $call:ident($($arg:expr),*)) => {
        match $name {
            "sfc" => $call::<sfc::StudyView>($($arg),*),
            "fade" => $call::<fade::StudyView>($($arg),*),
            "ce-bench" => $call::<ce_bench::StudyView>($($arg),*),
            "mui" => $call::<mui::StudyView>($($arg),*),
            "measurement" => $call::<measurement::StudyView>($($arg),*),
            "audit" => $call::<audit::StudyView>($($arg),*),
            name => Err(Refusal::invalid_value("study", format!("{name:?}"), RUNNABLE_STUDIES)),
        }
    };
}

/// Complete settings of a draft, in which whatever is missing is the study's own.
fn complete_settings<S>(draft: &str) -> Result<S::Settings>
where
    S: Study<Settings: Parameters<ParameterDraft: DeserializeOwned>>,
{
    let draft: serde_json::Map<String, serde_json::Value> = read_json("settings", draft)?;
    let known = <S::Settings as Parameters>::FIELDS.iter().map(|field| field.name);
    let known: Vec<&str> = known.collect();
    if let Some(name) = draft.keys().find(|name| !known.contains(&name.as_str())) {
        let value = draft.get(name).map(ToString::to_string).unwrap_or_default();
        let mut refusal = Refusal::invalid_value(name, value, "nothing: no setting has this name");
        refusal.set_message(&format!("there is no setting {name:?}; allowed: {}", known.join(", ")));
        return Err(refusal);
    }
    let wish = read_json("settings", &write_json(&draft)?).map_err(|mut refusal: Refusal| {
        // A row says what it may hold better than its type does.
        if let Some(field) = refusal.field().and_then(<S::Settings as Parameters>::field) {
            refusal.set_allowed(&field.describe_allowed(None));
        }
        refusal
    })?;
    Ok(check::<S::Settings>(&wish)?)
}

/// The complete settings of a draft, as JSON.
#[pyfunction]
pub fn study_settings(study: &str, draft: &str) -> Result<String> {
    fn settings_json<S>(draft: &str) -> Result<String>
    where
        S: Study<Settings: Parameters<ParameterDraft: DeserializeOwned> + Serialize>,
    {
        write_json(&complete_settings::<S>(draft)?)
    }
    dispatch_study!(study, settings_json(draft))
}

/// Runs a study of a draft of its settings; `tell` hears the stage and the part that is done.
#[pyfunction]
#[pyo3(signature = (study, draft, tell = None))]
pub fn study_run(py: Python<'_>, study: &str, draft: &str, tell: Option<Py<PyAny>>) -> PyResult<String> {
    fn run<S>(draft: &str, listener: &mut ProgressListener<'_>) -> Result<String>
    where
        S: Study<Settings: Parameters<ParameterDraft: DeserializeOwned>>,
    {
        let mut tell = |stage: &str, fraction: f64| listener.report(stage, fraction);
        write_json(&S::run(complete_settings::<S>(draft)?, &mut tell)?)
    }
    run_with_progress(py, tell, |listener| dispatch_study!(study, run(draft, listener)))
}

/// The level curve of a draft of settings, as the command line prints it.
#[pyfunction]
pub fn curve(py: Python<'_>, draft: &str) -> PyResult<String> {
    run_with_progress(py, None, |listener| {
        let settings = complete_settings::<sfc::StudyView>(draft)?;
        let mut tell = |stage: &str, fraction: f64| listener.report(stage, fraction);
        let curve = sfc::compute_curve(&settings, &mut tell)?;
        write_pretty_json(&curve.to_json(&settings))
    })
}

/// The dictionary sizes of a draft of settings, as the command line prints them.
#[pyfunction]
pub fn sizes(py: Python<'_>, draft: &str) -> PyResult<String> {
    run_with_progress(py, None, |listener| {
        let settings = complete_settings::<sfc::StudyView>(draft)?;
        let mut tell = |stage: &str, fraction: f64| listener.report(stage, fraction);
        let points = sfc::sweep_sizes(&settings, &mut tell)?;
        write_pretty_json(&sfc::sizes_to_json(&settings, &points))
    })
}

/// The figures of a study: `[{id, name, section}]`.
#[pyfunction]
pub fn figures(study: &str) -> Result<String> {
    let rows = studies::all_figures().into_iter().filter(|row| row.study == study);
    write_json(&rows.map(|row| row.figure).collect::<Vec<_>>())
}

/// What a link of the page says of complete settings of the first paper: its query.
#[pyfunction]
pub fn link(settings: &str) -> PyResult<String> {
    let settings = read_json("settings", settings)?;
    Ok(to_query(&State { settings, ..State::default() }))
}

/// Opens a report from its JSON.
struct ReportOpener<'a>(&'a str);

impl Visitor for ReportOpener<'_> {
    type Out = Result<Box<dyn AnyStudy>>;

    fn visit<S: Study>(self) -> Self::Out {
        Ok(Box::new(S::open(read_json("report", self.0)?)?))
    }
}

/// A result under live weights: its figures and tables.
#[pyclass(unsendable)]
pub struct StudyView(Box<dyn AnyStudy>);

#[pymethods]
impl StudyView {
    #[new]
    fn new(study: &str, report: &str) -> PyResult<Self> {
        let unknown = || Refusal::invalid_value("study", format!("{study:?}"), studies::NAMES.join(", "));
        Ok(Self(studies::visit(study, ReportOpener(report)).ok_or_else(unknown)??))
    }

    fn figures(&self) -> Result<String> {
        write_json(&self.0.figures())
    }

    #[pyo3(signature = (id, width = 720, theme = "light"))]
    fn svg(&self, id: &str, width: u32, theme: &str) -> Result<String> {
        self.export(id, "svg", width, theme)
    }

    #[pyo3(signature = (id, format, width = 720, theme = "light"))]
    fn export(&self, id: &str, format: &str, width: u32, theme: &str) -> Result<String> {
        let width = export::validate_width(f64::from(width))?;
        let look = Appearance::named(theme).ok_or_else(|| {
            let allowed = Appearance::ALL.map(Appearance::name).join(", ");
            Refusal::invalid_value("theme", format!("{theme:?}"), allowed)
        })?;
        let format = Format::from_extension(format).ok_or_else(|| {
            let all = Format::ALL.map(Format::extension).join(", ");
            Refusal::invalid_value("format", format!("{format:?}"), all)
        })?;
        Ok(export::export(&self.chart(id)?, format, self.0.figure_origin()?, width, look)?)
    }

    fn table(&self, id: &str) -> Result<String> {
        write_json(&self.chart(id)?.data_table())
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
        write_json(&self.0.printed_cells())
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
            return Err(Refusal::invalid_value("figure", format!("{id:?}"), all.join(", ")));
        };
        Ok(self.0.chart(figure.id)?)
    }
}
