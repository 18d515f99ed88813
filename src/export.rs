//! A figure or a table as a file: for a paper, for a spreadsheet, for a program.
//!
//! Every format is made from the same [`Chart`], natively and in the browser to the same bytes.

mod archive;
mod cite;
mod text;

pub use archive::{Archive, ArchiveError};
pub use cite::{PAPER_BIBTEX, software_bibtex};

use crate::plot::svg::to_titled_svg;
use crate::plot::{Chart, DrawError, Theme};
use crate::settings::{Problem, named};
use crate::study::Origin;

/// A kind of file that a chart is exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A drawing, with its title.
    Svg,
    /// The data at full precision, as RFC 4180 has it: a header row, lines ended by CR LF.
    Csv,
    /// The data at full precision, with what they were computed from.
    Json,
    /// A table for LaTeX with booktabs, rounded as on the page.
    Tex,
    /// A table for Markdown, rounded as on the page.
    Markdown,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Svg, Self::Csv, Self::Json, Self::Tex, Self::Markdown];

    /// How the names of such files end, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Tex => "tex",
            Self::Markdown => "md",
        }
    }

    /// The format whose files end so, in capitals or not.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }
}

named! {
    /// What a drawing is made for.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Appearance {
        /// Dark on white.
        #[default]
        Light = "light",
        /// Light on the page's dark surface.
        Dark = "dark",
        /// Dark on nothing: whatever light surface it is laid on shows through.
        Transparent = "transparent",
    }
}

impl Appearance {
    /// The colours, and fonts that other programs than browsers know too.
    #[must_use]
    pub fn theme(self) -> Theme {
        let mut theme = if self == Self::Dark { Theme::dark() } else { Theme::light() };
        theme.background = (self != Self::Transparent).then_some(theme.surface);
        theme.font = FONT_FAMILY.to_owned();
        theme
    }
}

const FONT_FAMILY: &str = "system-ui, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif";

/// The narrowest drawing that leaves room for a title and its chart, in CSS pixels.
pub const WIDTH_MIN: u32 = 200;
/// The widest drawing, in CSS pixels.
pub const WIDTH_MAX: u32 = 4_000;

/// A drawing's width, in CSS pixels.
///
/// # Errors
/// Of what is no whole number from [`WIDTH_MIN`] to [`WIDTH_MAX`].
pub fn validate_width(asked: f64) -> Result<u32, Problem> {
    let fits = (f64::from(WIDTH_MIN)..=f64::from(WIDTH_MAX)).contains(&asked);
    if fits && asked.fract() == 0.0 {
        // Whole and in range: the conversion is exact.
        return Ok(asked as u32);
    }
    let allowed = format!("a whole number from {WIDTH_MIN} to {WIDTH_MAX}");
    Err(Problem::new("width", asked.to_string(), allowed))
}

/// A chart as the text of a file. `width`, in CSS pixels and at most [`WIDTH_MAX`], and `look` are
/// for drawings; of the formats, only JSON says where the chart comes from.
///
/// # Errors
/// As [`draw`](crate::plot::draw), for drawings.
pub fn export(
    chart: &Chart,
    format: Format,
    origin: &dyn Origin,
    width: u32,
    look: Appearance,
) -> Result<String, DrawError> {
    Ok(match format {
        Format::Svg => to_titled_svg(chart, &origin.source_line(), width.min(WIDTH_MAX), &look.theme())?,
        Format::Csv => text::to_csv(&chart.data()),
        Format::Json => origin.json(chart),
        Format::Tex => text::to_latex(chart),
        Format::Markdown => text::to_markdown(chart),
    })
}

/// Charts with where they come from.
pub type ChartsWithOrigin<'a> = (&'a [Chart], &'a dyn Origin);

/// Everything in one .zip file: every chart in every format, what was run, how to cite it, and the
/// `extra` files (name and bytes; the page's PNGs). The first part names the archive, and what was run
/// is that part's. The same input gives the same bytes.
///
/// # Errors
/// [`ExportError`] where a chart has no room at `width`, or an extra file cannot be taken.
pub fn export_all(
    part: ChartsWithOrigin<'_>,
    more: &[ChartsWithOrigin<'_>],
    width: u32,
    extra: &[(String, Vec<u8>)],
) -> Result<Vec<u8>, ExportError> {
    let (_, first) = part;
    let parts = || std::iter::once(&part).chain(more);
    let mut archive = Archive::new(&first.file_stem(""));
    let charts = parts().flat_map(|(charts, _)| charts.iter());
    archive.add("README.txt", cite::archive_readme(charts).as_bytes())?;
    for (name, text) in first.archive_files() {
        archive.add(name, text.as_bytes())?;
    }
    archive.add("citation.bib", format!("{PAPER_BIBTEX}\n{}", software_bibtex()).as_bytes())?;
    for (charts, origin) in parts() {
        for chart in *charts {
            for format in Format::ALL {
                let name = origin.file_name(&chart.id, format.extension());
                let text = export(chart, format, *origin, width, Appearance::Light)?;
                archive.add(&name, text.as_bytes())?;
            }
        }
    }
    for (name, bytes) in extra {
        archive.add(name, bytes)?;
    }
    Ok(archive.finish())
}

/// Why there is no archive.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A chart could not be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// A file could not be put into the archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

impl ExportError {
    /// A stable code for the page and the command line.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Draw(error) => error.code(),
            Self::Archive(error) => error.code(),
        }
    }
}
