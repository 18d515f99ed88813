//! What every study has in common: figures with names, a digest, files, under live weights.
//!
//! A study is a paper's experiment, or what the lab does with one. Its result, opened, is a [`Study`];
//! [`AnyStudy`] is the same without its types, for whoever draws, writes or shows any study. The list
//! of them is [`studies`](crate::studies). A figure is a function and a [`FigureSpec`]: everything that
//! asks for identifiers, names, order or sections reads these.

pub(crate) mod digest;
mod file;
mod jobs;
mod json;
mod printed;
mod spreadsheet;
pub mod user_file;

use std::any::Any;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::plot::{Chart, LAB_INCLUDED};
use crate::settings::Problems;
use crate::statistics::{MetricError, StatisticsError};

pub use file::{BUILD_ID, CRATE_VERSION, Origin};
pub(crate) use file::{
    FILE_PREFIX, SettingsOrigin, figure_json, figure_json_with_report, figure_json_with_settings, hash_text,
    pretty_json, safe_file_name,
};
pub use jobs::{StudyJob, StudyJobs};
pub(crate) use json::to_json_text;
pub use printed::{Cell, CellValue};
pub use spreadsheet::escape_formula;

/// A figure or a table of a study; `B` is the function that makes its chart.
pub struct FigureSpec<B> {
    /// Stable identifier, also of its chart: "fig1a", "table3", "ens-score".
    pub id: &'static str,
    /// The plain name by which people ask for it: "curves"; its identifier where it has none.
    pub name: &'static str,
    /// The section of the study's page that it stands in, by its id there.
    pub section: &'static str,
    /// Makes its chart; none in a build that leaves the figure out.
    pub build: Option<B>,
}

/// Makes the chart of a figure of study `S`.
pub type ChartFn<S> = for<'a> fn(&<S as Study>::Source<'a>) -> Chart;

/// A figure that only the lab shows, in a section of the study's page: left out of the page's first build. Its name
/// is its identifier, unless it is [`with_name`](FigureSpec::with_name).
pub(crate) const fn lab_only<B: Copy>(id: &'static str, section: &'static str, build: B) -> FigureSpec<B> {
    let build = if LAB_INCLUDED { Some(build) } else { None };
    FigureSpec { id, name: id, section, build }
}

/// A figure as others know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FigureRow"))]
pub struct Figure {
    /// As [`FigureSpec::id`].
    pub id: &'static str,
    /// As [`FigureSpec::name`].
    pub name: &'static str,
    /// As [`FigureSpec::section`].
    pub section: &'static str,
}

impl<B: Copy> FigureSpec<B> {
    /// The same under a name of its own.
    pub(crate) const fn with_name(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Without how it is made.
    #[must_use]
    pub fn figure(&self) -> Figure {
        Figure { id: self.id, name: self.name, section: self.section }
    }
}

/// Why a study cannot do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// A stable code.
    pub code: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The field that is to blame, where one is.
    pub field: Option<String>,
}

impl Failure {
    /// Of an error with its code, and the field that is to blame.
    pub fn new(code: &str, error: &impl fmt::Display, field: Option<&str>) -> Self {
        Self { code: code.to_owned(), message: error.to_string(), field: field.map(str::to_owned) }
    }

    /// What is asked for is not among what the study does.
    #[must_use]
    pub fn unsupported() -> Self {
        Self::new("study.other", &"this study does not do that", None)
    }

    /// There is no figure of that name.
    #[must_use]
    pub fn unknown_figure(id: &str) -> Self {
        Self::new("figure.unknown", &format_args!("there is no figure {id:?}"), Some("id"))
    }
}

/// Makes a [`Failure`] of errors that have a code and a field; `Error: |error| …` says the field of one that has no
/// such method.
macro_rules! impl_failure_from {
    ($($error:ty: $field:expr),+) => {$(
        impl From<&$error> for $crate::study::Failure {
            fn from(error: &$error) -> Self {
                let field: fn(&$error) -> Option<&str> = $field;
                Self::new(error.code(), error, field(error))
            }
        }

        impl From<$error> for $crate::study::Failure {
            fn from(error: $error) -> Self {
                Self::from(&error)
            }
        }
    )+};
    ($($error:ty),+) => {
        $crate::study::impl_failure_from!($($error: <$error>::field),+);
    };
}
pub(crate) use impl_failure_from;

impl_failure_from!(StatisticsError: |_| None, MetricError: |_| None);

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Self::from(&problems)
    }
}

impl From<&Problems> for Failure {
    fn from(problems: &Problems) -> Self {
        let first = problems.0.first();
        Self::new(
            first.map_or("settings", |problem| &problem.code),
            problems,
            first.map(|problem| problem.field.as_str()),
        )
    }
}

/// A study's result, opened: its figures can be built, under weights that may change.
pub trait Study: Sized + 'static {
    /// The name of the study, as a program says it: "sfc".
    const NAME: &'static str;
    /// Its figures and tables, in the order of its pages.
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>];
    /// What is run.
    type Settings;
    /// What a run hands back.
    type Report: Serialize + DeserializeOwned;
    /// What its figures are built from.
    type Source<'a>;

    /// Runs the study, telling how far it is: a stage, and the part of everything that is done.
    ///
    /// # Errors
    /// As the study's own runner.
    fn run(settings: Self::Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Self::Report, Failure>;

    /// Opens a report.
    ///
    /// # Errors
    /// Where the report is of settings that are not allowed.
    fn open(report: Self::Report) -> Result<Self, Failure>;

    /// What is drawn.
    ///
    /// # Errors
    /// Where there is nothing to draw yet.
    fn source(&self) -> Result<Self::Source<'_>, Failure>;

    /// The figures that there are now.
    fn figures(&self) -> Vec<Figure> {
        figures::<Self>().collect()
    }

    /// Builds a figure.
    ///
    /// # Errors
    /// For an identifier that no figure has, and as [`Study::source`].
    fn chart(&self, id: &str) -> Result<Chart, Failure> {
        let source = self.source()?;
        let build = find_chart_fn(Self::FIGURES, id).ok_or_else(|| Failure::unknown_figure(id))?;
        Ok(build(&source))
    }

    /// Scores everything anew under weights of S, F and C; nothing is run. Without an effect where nothing is weighed.
    ///
    /// # Errors
    /// For weights that are none.
    fn set_weights(&mut self, _weights: [f64; 3]) -> Result<(), Failure> {
        Ok(())
    }

    /// What the paper prints, beside what was found; nothing where there is no paper.
    fn printed_cells(&self) -> &[Cell] {
        &[]
    }

    /// Digest of the results under the weights in use, where the study has one.
    fn digest(&self) -> Option<String> {
        None
    }

    /// The result in a few sentences.
    ///
    /// # Errors
    /// As [`Study::source`].
    fn headline(&self) -> Result<String, Failure>;

    /// The report as the command line prints it.
    ///
    /// # Errors
    /// As [`Study::source`].
    fn json(&self) -> Result<String, Failure>;

    /// A NumPy program that computes the report's scores anew and holds them against it.
    ///
    /// # Errors
    /// For a study that has none; and where what it needs is not there.
    fn numpy_script(&self) -> Result<String, Failure> {
        Err(Failure::unsupported())
    }

    /// What the files of its figures say of where they come from.
    ///
    /// # Errors
    /// Where that is not known.
    fn figure_origin(&self) -> Result<&dyn Origin, Failure>;
}

/// Every figure of a study that this build has.
pub fn figures<S: Study>() -> impl Iterator<Item = Figure> {
    S::FIGURES.iter().filter(|spec| spec.build.is_some()).map(FigureSpec::figure)
}

/// The identifiers of all figures of a study, also of those that this build leaves out: what a link may
/// name does not depend on the build that reads it.
pub fn all_figure_ids<S: Study>() -> impl Iterator<Item = &'static str> {
    S::FIGURES.iter().map(|spec| spec.id)
}

/// The identifiers of a study's figures, in order.
pub fn figure_ids<S: Study>() -> impl Iterator<Item = &'static str> {
    figures::<S>().map(|figure| figure.id)
}

/// How a figure is made; none for an identifier that no figure of this build has.
pub(crate) fn find_chart_fn<B: Copy>(figures: &[FigureSpec<B>], id: &str) -> Option<B> {
    figures.iter().find(|spec| spec.id == id)?.build
}

/// A [`Study`] without its types.
pub trait AnyStudy {
    /// As [`Study::NAME`].
    fn name(&self) -> &'static str;
    /// As [`Study::figures`].
    fn figures(&self) -> Vec<Figure>;
    /// As [`Study::chart`].
    ///
    /// # Errors
    /// As [`Study::chart`].
    fn chart(&self, id: &str) -> Result<Chart, Failure>;
    /// As [`Study::set_weights`].
    ///
    /// # Errors
    /// As [`Study::set_weights`].
    fn set_weights(&mut self, weights: [f64; 3]) -> Result<(), Failure>;
    /// As [`Study::printed_cells`].
    fn printed_cells(&self) -> &[Cell];
    /// As [`Study::digest`]; none in a build without the lab.
    fn digest(&self) -> Option<String>;
    /// As [`Study::headline`].
    ///
    /// # Errors
    /// As [`Study::headline`].
    fn headline(&self) -> Result<String, Failure>;
    /// As [`Study::json`].
    ///
    /// # Errors
    /// As [`Study::json`].
    fn json(&self) -> Result<String, Failure>;
    /// As [`Study::numpy_script`].
    ///
    /// # Errors
    /// As [`Study::numpy_script`].
    fn numpy_script(&self) -> Result<String, Failure>;
    /// As [`Study::figure_origin`].
    ///
    /// # Errors
    /// As [`Study::figure_origin`].
    fn figure_origin(&self) -> Result<&dyn Origin, Failure>;
    /// The study with its type, for what only one study does.
    fn as_any(&self) -> &dyn Any;
    /// The same, to change it.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// What a build without the lab answers to what only the lab asks.
fn refuse_without_lab<T>() -> Result<T, Failure> {
    Err(Failure::new("study.left-out", &"this build has no files", None))
}

impl<S: Study> AnyStudy for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn figures(&self) -> Vec<Figure> {
        Study::figures(self)
    }

    fn chart(&self, id: &str) -> Result<Chart, Failure> {
        Study::chart(self, id)
    }

    fn set_weights(&mut self, weights: [f64; 3]) -> Result<(), Failure> {
        Study::set_weights(self, weights)
    }

    fn printed_cells(&self) -> &[Cell] {
        Study::printed_cells(self)
    }

    fn digest(&self) -> Option<String> {
        if LAB_INCLUDED { Study::digest(self) } else { None }
    }

    fn headline(&self) -> Result<String, Failure> {
        if LAB_INCLUDED { Study::headline(self) } else { refuse_without_lab() }
    }

    fn json(&self) -> Result<String, Failure> {
        if LAB_INCLUDED { Study::json(self) } else { refuse_without_lab() }
    }

    fn numpy_script(&self) -> Result<String, Failure> {
        if LAB_INCLUDED { Study::numpy_script(self) } else { refuse_without_lab() }
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        if LAB_INCLUDED { Study::figure_origin(self) } else { refuse_without_lab() }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
