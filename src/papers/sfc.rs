//! The SFC-Score paper: level curves, dictionary sizes, weight profiles, configurations, and the
//! comparison with every printed number.

pub mod codes;
pub(crate) mod curve;
pub mod digest;
// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod figures;
pub mod metric;
mod origin;
mod presets;
pub mod printed;
mod report;
pub(crate) mod run;
mod script;
pub mod settings;
pub mod simplex;
mod study_view;
mod weights;

pub use crate::study::{Cell, CellValue};
pub use curve::{CurveError, LayerAnalysis, Stage, Stages};
pub use figures::pareto::ParetoView;
pub(crate) use origin::{PAPER, Seeds, stem};
pub use origin::{Pinned, Run};
pub use presets::Preset;
pub(crate) use report::quantities;
pub use report::{Curve, Point, QUANTITIES, Report, sizes_document, sizes_left_out};
pub use run::{Progress, RunError, Silent, cross, curve, run, sizes};
pub use script::numpy_script;
pub use settings::{Draft, Settings};
pub use study_view::StudyView;
pub(crate) use study_view::weights_of;
pub use weights::{Winner, best, method_name, ratio, rescore, winners};
