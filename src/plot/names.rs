//! Names by which people ask for figures.

use super::{FIGURES, INSTRUMENTS};

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
/// use sfc_bench::plot::named;
/// assert_eq!(named("curves"), Some("fig1a"));
/// assert_eq!(named("simplex"), Some("simplex"));
/// assert_eq!(named("fig9"), None);
/// ```
#[must_use]
pub fn named(name: &str) -> Option<&'static str> {
    let plain = NAMES.iter().find(|(other, _)| *other == name).map(|(_, id)| *id);
    plain.or_else(|| FIGURES.iter().chain(&INSTRUMENTS).copied().find(|id| *id == name))
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
}
