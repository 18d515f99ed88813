//! The SFC-Score paper: level curves, dictionary sizes, weight profiles, configurations, and the
//! comparison with every printed number.

pub mod codes;
pub(crate) mod curve;
// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod figures;
pub mod metric;
mod presets;
pub mod printed;
mod report;
pub(crate) mod run;
pub mod settings;
pub mod simplex;
mod weights;

pub use curve::{Bench, CurveError, Stage, Stages};
pub use presets::Preset;
pub(crate) use report::quantities;
pub use report::{Cell, Curve, Point, Printed, QUANTITIES, Report};
pub use run::{Progress, RunError, Silent, cross, curve, run, sizes};
pub use settings::{Draft, Settings};
pub use weights::{Winner, best, method_name, rescore, winners};
