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
pub use curve::{CurveError, LayerAnalysis, Stage, StagedCurve};
pub use figures::pareto::ParetoView;
pub(crate) use origin::{PAPER_NAME, SeedsShown, file_stem};
pub use origin::{PinnedResult, RunOrigin};
pub use presets::Preset;
pub(crate) use report::quantities;
pub use report::{Curve, Point, QUANTITIES, Report, omitted_sizes, sizes_to_json};
pub use run::{NoProgress, Progress, RunError, compute_curve, preset_curves, run, sweep_sizes};
pub use script::numpy_script;
pub use settings::{Draft, Settings};
pub use study_view::StudyView;
pub(crate) use study_view::parse_weights;
pub use weights::{Winner, best_point, format_ratio, method_name, profile_winners, rescore};
