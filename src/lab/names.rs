//! Names by which people ask for figures.

use crate::lab::families::figures::FAMILIES_FIGURES;
use crate::lab::own::figures::OWN_FIGURES;
use crate::papers::sfc::figures::{FIGURES, INSTRUMENTS};

/// Plain names of figures and the identifiers they stand for.
pub const NAMES: [(&str, &str); 16] = [
    ("curves", "fig1a"),
    ("score", "fig1b"),
    ("weights", "fig2"),
    ("networks", "fig3a"),
    ("hypervolume", "fig3b"),
    ("information", "fig4a"),
    ("calibration", "fig4b"),
    ("heatmap", "fig5"),
    ("levels", "table3"),
    ("winners", "table4"),
    ("fronts", "table5"),
    ("sizes", "table6"),
    ("map", "simplex"),
    ("pareto", "pareto-sf"),
    ("boxes", "pareto-3d"),
    ("shares", "pareto-table"),
];

/// The figure of that name: one of [`NAMES`], or an identifier itself, of the paper's figures or of
/// the instruments.
///
/// ```
/// use sfc_bench::lab::names::named;
/// assert_eq!(named("curves"), Some("fig1a"));
/// assert_eq!(named("simplex"), Some("simplex"));
/// assert_eq!(named("fig9"), None);
/// ```
#[must_use]
pub fn named(name: &str) -> Option<&'static str> {
    let plain = NAMES.iter().find(|(other, _)| *other == name).map(|(_, id)| *id);
    plain.or_else(|| FIGURES.iter().chain(&INSTRUMENTS).copied().find(|id| *id == name))
}

/// Plain names of the figures of a study of families; those of a reader's own decomposition have none
/// but their identifiers.
pub const FAMILIES_NAMES: [(&str, &str); 8] = [
    ("families", "fam-hv"),
    ("families-score", "fam-score"),
    ("families-sf", "fam-sf"),
    ("families-sc", "fam-sc"),
    ("families-fc", "fam-fc"),
    ("families-map", "fam-map"),
    ("families-differences", "fam-differences"),
    ("families-truth", "fam-truth"),
];

/// The figure of that name that is not the paper's: one of [`FAMILIES_NAMES`], or an identifier of
/// [`FAMILIES_FIGURES`] or [`OWN_FIGURES`].
#[must_use]
pub fn study_named(name: &str) -> Option<&'static str> {
    let plain = FAMILIES_NAMES.iter().find(|(other, _)| *other == name).map(|(_, id)| *id);
    let mut ids = FAMILIES_FIGURES.iter().chain(&OWN_FIGURES).copied();
    plain.or_else(|| ids.find(|id| *id == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_a_figure_and_hides_none() {
        for (name, id) in NAMES {
            assert_eq!(named(name), Some(id));
            assert_eq!(named(id), Some(id), "{id} is a figure");
            assert!(!FIGURES.contains(&name) && !INSTRUMENTS.contains(&name), "{name}");
            assert_eq!(NAMES.iter().filter(|(other, _)| *other == name).count(), 1);
        }
        assert_eq!(named(""), None);
    }

    #[test]
    fn every_figure_of_families_has_a_name_that_no_other_figure_has() {
        for (name, id) in FAMILIES_NAMES {
            assert_eq!((study_named(name), study_named(id)), (Some(id), Some(id)));
            assert_eq!((named(name), named(id)), (None, None));
        }
        for id in FAMILIES_FIGURES {
            assert!(FAMILIES_NAMES.iter().any(|(_, named)| *named == id), "{id} has a name");
        }
        assert_eq!(study_named("own-score"), Some("own-score"));
        assert_eq!((study_named(""), study_named("fig1a")), (None, None));
    }
}
