//! Every study, a line each.
//!
//! ```
//! use sfc_bench::studies;
//! let found = studies::find_figure("curves").unwrap();
//! assert_eq!((found.study, found.figure.id), ("sfc", "fig1a"));
//! assert_eq!(studies::find_figure("simplex").unwrap().figure.section, "map");
//! assert!(studies::find_figure("fig9").is_none());
//! ```

use serde::Serialize;

use crate::lab::{audit, compare, ensemble, evaluate, families, synth};
use crate::papers::{ce_bench, fade, measurement, mui, sfc};
use crate::plot::LAB_INCLUDED;
use crate::study::{Figure, Study, figures};

/// A figure, and the study that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StudyFigure {
    /// As [`Study::NAME`].
    pub study: &'static str,
    /// The figure.
    #[serde(flatten)]
    pub figure: Figure,
}

/// What is done with a study whose name is known only when the program runs.
pub trait Visitor {
    /// What comes of it.
    type Out;
    /// Does it.
    fn visit<S: Study>(self) -> Self::Out;
}

/// Whether this build has a study: the lab's are not in the page's first one.
macro_rules! is_in_build {
    (paper) => {
        true
    };
    (lab) => {
        LAB_INCLUDED
    };
}

macro_rules! studies {
    ($($floor:ident $study:ty,)*) => {
        /// The names of all studies.
        pub const NAMES: &[&str] = &[$(<$study>::NAME),*];

        /// Does something with the study of that name; none where this build has no such study.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Out> {
            $(if is_in_build!($floor) && name == <$study>::NAME {
                return Some(visitor.visit::<$study>());
            })*
            None
        }

        /// The figures of all studies that this build has, in the order of studies and of their lists.
        #[must_use]
        pub fn all_figures() -> Vec<StudyFigure> {
            let mut rows = Vec::new();
            $(if is_in_build!($floor) {
                let of = |figure| StudyFigure { study: <$study>::NAME, figure };
                rows.extend(figures::<$study>().map(of));
            })*
            rows
        }
    };
}

studies! {
    paper sfc::StudyView,
    lab ensemble::StudyView,
    lab compare::StudyView,
    lab families::StudyView,
    lab families::TrainingHistory,
    lab evaluate::StudyView,
    lab evaluate::DecompositionsView,
    lab fade::StudyView,
    lab ce_bench::StudyView,
    lab mui::StudyView,
    lab measurement::StudyView,
    lab audit::StudyView,
    lab synth::StudyView,
}

/// The figure that somebody means by a plain name or by an identifier.
#[must_use]
pub fn find_figure(name: &str) -> Option<StudyFigure> {
    let rows = all_figures();
    let found = |what: fn(&StudyFigure) -> &'static str| rows.iter().find(|row| what(row) == name).copied();
    found(|row| row.figure.name).or_else(|| found(|row| row.figure.id))
}
