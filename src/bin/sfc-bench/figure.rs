use std::path::{Path, PathBuf};

use clap::ValueEnum;
use sfc_bench::export::{self, Appearance, Format, PAPER_BIBTEX, software_bibtex};
use sfc_bench::papers::sfc::{self, NoProgress};
use sfc_bench::study::{self, Study};
use sfc_bench::{Problem, Problems};

use crate::format::BoxError;
use crate::parameters::RunArgs;
use crate::{destination, format, output};

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct FigureArgs {
    /// Which: 1a to 5, or t3 to t6 for the tables; fig1a and table3 do too
    #[arg(value_name = "FIGURE")]
    id: String,
    /// Write to this file; its ending says what: .svg, .csv, .json, .tex or .md
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "csv"])]
    out: Option<PathBuf>,
    /// Write over a file that this program did not write, or that was changed since
    #[arg(long, requires = "out")]
    force: bool,
    /// Colours of an SVG
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    theme: Theme,
    /// Width of an SVG in CSS pixels, 200 to 4000
    #[arg(long, value_name = "PX", default_value_t = 720.0)]
    width: f64,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Theme {
    Light,
    Dark,
    /// Light, without a background
    Transparent,
}

impl FigureArgs {
    /// Computes the figure, writes it where it is to be written, and gives what is to be printed. What is
    /// wrong about the request is said before anything is computed.
    pub fn run(&self) -> Result<String, BoxError> {
        let mut problems = Vec::new();
        let mut take = |problem| problems.push(problem);
        let id = parse_figure_id(&self.id).map_err(&mut take).ok();
        let width = export::validate_width(self.width).map_err(&mut take).ok();
        let format = match self.out.as_deref().map(format_from_path).transpose() {
            Ok(format) => format,
            Err(problem) => {
                take(problem);
                None
            }
        };
        let (Some(id), Some(width), true) = (id, width, problems.is_empty()) else {
            return Err(Problems(problems).into());
        };
        let settings = self.run.settings()?;
        destination::check_overwrite(self.out.as_deref(), self.force)?;
        let found = sfc::StudyView::open(sfc::run(&settings, &mut NoProgress)?)?;
        let chart = found.chart(id)?;
        let format = match (format, self.run.format()) {
            (Some(format), _) => format,
            (None, format::Format::Json) => Format::Json,
            (None, format::Format::Csv) => Format::Csv,
            (None, format::Format::Table) => return Ok(output::format_chart(&chart)),
        };
        let look = match self.theme {
            Theme::Light => Appearance::Light,
            Theme::Dark => Appearance::Dark,
            Theme::Transparent => Appearance::Transparent,
        };
        let text = export::export(&chart, format, found.figure_origin()?, width, look)?;
        let Some(path) = &self.out else { return Ok(text) };
        destination::write_file(path, text.as_bytes())?;
        Ok(format!("{}: {} bytes\n", path.display(), text.len()))
    }
}

/// The figures and tables of the paper, in its order.
fn paper_figure_ids() -> impl Iterator<Item = &'static str> {
    let of_paper = |id: &&str| id.starts_with("fig") || id.starts_with("table");
    study::figure_ids::<sfc::StudyView>().filter(of_paper)
}

/// The figure that somebody means by "1a", "fig1a", "Figure 1(a)", "t3" or "table3".
fn parse_figure_id(text: &str) -> Result<&'static str, Problem> {
    let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let tail = plain.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let kind = match plain.strip_suffix(tail) {
        Some("" | "f" | "fig" | "figure") => "fig",
        Some("t" | "table") => "table",
        _ => return Err(unknown_figure_error(text)),
    };
    let id = format!("{kind}{tail}");
    paper_figure_ids().find(|known| *known == id).ok_or_else(|| unknown_figure_error(text))
}

fn unknown_figure_error(text: &str) -> Problem {
    Problem::new("figure", format!("{text:?}"), paper_figure_ids().collect::<Vec<_>>().join(", "))
}

fn format_from_path(path: &Path) -> Result<Format, Problem> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(Format::from_extension).ok_or_else(|| {
        let endings: Vec<_> = Format::ALL.iter().map(|format| format!(".{}", format.extension())).collect();
        let allowed = format!("a file that ends in {}", endings.join(", "));
        Problem::new("out", format!("{:?}", path.display().to_string()), allowed)
    })
}

/// How to cite the paper and this program.
pub fn citations() -> String {
    format!("{PAPER_BIBTEX}\n{}", software_bibtex())
}
