//! What the paper does with the metrics: level curves, dictionary sizes, weight profiles,
//! configurations, and the comparison with every printed number; and, beyond it, families of trained
//! autoencoders against each other.

pub mod compare;
mod curve;
pub mod ensemble;
pub mod families;
pub mod paper;
mod report;
mod run;
pub mod simplex;
mod weights;

pub use curve::{Bench, CurveError, Stage, Stages};
pub use report::{Cell, Curve, Point, Printed, Report};
pub use run::{Progress, RunError, Silent, cross, curve, run, sizes};
pub use weights::{Winner, best, method_name, rescore, winners};
