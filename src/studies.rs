//! Every study, a line each.
//!
//! ```
//! use sfc_bench::studies;
//! let found = studies::named("curves").unwrap();
//! assert_eq!((found.study, found.figure.id), ("sfc", "fig1a"));
//! assert_eq!(studies::named("simplex").unwrap().figure.section, "map");
//! assert!(studies::named("fig9").is_none());
//! ```

use serde::Serialize;

use crate::lab::{audit, compare, ensemble, families, own, synth};
use crate::papers::{ce_bench, fade, measurement, mui, sfc};
use crate::plot::INCLUDED;
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
macro_rules! here {
    (paper) => {
        true
    };
    (lab) => {
        INCLUDED
    };
}

macro_rules! studies {
    ($($floor:ident $study:ty,)*) => {
        /// The names of all studies.
        pub const NAMES: &[&str] = &[$(<$study>::NAME),*];

        /// Does something with the study of that name; none where this build has no such study.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Out> {
            $(if here!($floor) && name == <$study>::NAME {
                return Some(visitor.visit::<$study>());
            })*
            None
        }

        /// The figures of all studies that this build has, in the order of studies and of their lists.
        #[must_use]
        pub fn rows() -> Vec<StudyFigure> {
            let mut rows = Vec::new();
            $(if here!($floor) {
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
    lab families::OpenedTraining,
    lab own::StudyView,
    lab own::DecompositionsView,
    lab fade::StudyView,
    lab ce_bench::StudyView,
    lab mui::StudyView,
    lab measurement::StudyView,
    lab audit::StudyView,
    lab synth::StudyView,
}

/// The figure that somebody means by a plain name or by an identifier.
#[must_use]
pub fn named(name: &str) -> Option<StudyFigure> {
    let rows = rows();
    let found =
        |what: fn(&StudyFigure) -> &'static str| rows.iter().find(|row| what(row) == name).copied();
    found(|row| row.figure.name).or_else(|| found(|row| row.figure.id))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_figure_is_found_by_its_name_and_by_its_identifier_and_hides_no_other() {
        let rows = rows();
        assert_eq!(NAMES.iter().collect::<BTreeSet<_>>().len(), NAMES.len());
        for row in &rows {
            let Figure { id, name, .. } = row.figure;
            assert_eq!((named(id), named(name)), (Some(*row), Some(*row)));
            let same = |other: &&StudyFigure| [other.figure.id, other.figure.name].contains(&name);
            assert_eq!(rows.iter().filter(same).count(), 1, "{name} is of one figure");
            assert!(NAMES.contains(&row.study));
        }
        assert_eq!(named(""), None);
    }

    #[test]
    fn a_study_is_visited_by_its_name() {
        struct Count;
        impl Visitor for Count {
            type Out = (&'static str, usize);
            fn visit<S: Study>(self) -> Self::Out {
                (S::NAME, figures::<S>().count())
            }
        }
        let found: usize = NAMES
            .iter()
            .map(|name| {
                let (study, count) = visit(name, Count).unwrap();
                assert_eq!(study, *name);
                count
            })
            .sum();
        assert_eq!(found, rows().len());
        assert_eq!(visit("fig1a", Count), None);
    }
}
