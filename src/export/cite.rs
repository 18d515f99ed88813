//! How to cite the paper and this program; what the facts of `CITATION.cff` are is checked by test.

use crate::plot::Chart;
use crate::study::CRATE_VERSION;

/// The paper, for BibTeX.
pub const PAPER_BIBTEX: &str = "\
@inproceedings{sfc-score-2026,
  title     = {{SFC-Score}: A Unified Metric Framework Balancing Sparsity, Fidelity, and Mechanistic Completeness for Interpretability Evaluation},
  author    = {{Anonymous Author(s)}},
  booktitle = {Proceedings of the 32nd ACM SIGKDD Conference on Knowledge Discovery and Data Mining (KDD '26)},
  year      = {2026}
}
";

/// This program in this version, for BibTeX.
#[must_use]
pub fn software_bibtex() -> String {
    format!(
        "\
@software{{sfc-bench,
  title   = {{{{sfc-bench}}: an in-browser benchmark for mechanistic-interpretability metrics}},
  author  = {{{{The sfc-bench authors}}}},
  version = {{{}}},
  year    = {{2026}}
}}
",
        CRATE_VERSION
    )
}

/// What lies in an archive of everything.
pub(super) fn archive_readme<'a>(charts: impl Iterator<Item = &'a Chart>) -> String {
    let mut text = format!(
        "Figures and tables of the SFC-Score paper, recomputed by sfc-bench {CRATE_VERSION}.\n\n\
         settings.json  what was run; everything here follows from it and the version\n\
         citation.bib   the paper and the program, for BibTeX\n\n\
         .svg .png      drawings\n\
         .csv .json     the data at full precision\n\
         .tex .md       tables as on the page, for LaTeX (with booktabs) and Markdown\n\n\
         A .json file names the settings, the version and a digest of the results it is of, and\n\
         those of a pinned result that is shown beside them. Where an ensemble is included,\n\
         ensemble.json has every seed's results; where families are, families.json has every\n\
         member's.\n\n"
    );
    for chart in charts {
        text += &format!("{}\n  {}\n", chart.title, chart.summary);
    }
    text
}
