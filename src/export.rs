//! A figure or a table as a file: for a paper, for a spreadsheet, for a program.
//!
//! Every format is made from the same [`Chart`], natively and in the browser to the same bytes.

mod archive;
mod cite;
mod json;
mod own;
mod text;

use serde::Serialize;

pub use archive::{Archive, ArchiveError};
pub use cite::{PAPER, software};
pub use own::{export_own, own_file_name};

use crate::hash::Fnv;
use crate::lab::ensemble::Varied;
use crate::lab::families::FamiliesConfig;
use crate::papers::sfc::settings::Settings;
use crate::plot::svg::to_titled_svg;
use crate::plot::{Chart, Data, DrawError, Theme};
use crate::sae::train::TrainConfig;
use crate::settings::file_name;
use crate::world::World;

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
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }
}

/// What a drawing is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Dark on white.
    #[default]
    Light,
    /// Light on the page's dark surface.
    Dark,
    /// Dark on nothing: whatever light surface it is laid on shows through.
    Transparent,
}

impl Look {
    /// The colours, and fonts that other programs than browsers know too.
    #[must_use]
    pub fn theme(self) -> Theme {
        let mut theme = if self == Self::Dark { Theme::dark() } else { Theme::light() };
        theme.background = (self != Self::Transparent).then_some(theme.surface);
        theme.font = FONTS.to_owned();
        theme
    }
}

const FONTS: &str = "system-ui, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif";

/// The widest drawing, in CSS pixels.
pub const WIDTH_MAX: u32 = 4_000;

/// Where a chart's numbers come from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// What was run.
    pub settings: &'a Settings,
    /// Digest of the results, where one was made.
    pub digest: Option<&'a str>,
    /// The result that it is compared with, if any.
    pub pinned: Option<Pinned<'a>>,
    /// The seeds behind it, where they are more than one; those of the settings that vary mean
    /// nothing then.
    pub ensemble: Option<Sample>,
    /// The study of families that it is of, if any; the settings mean nothing then.
    pub families: Option<&'a FamiliesConfig>,
    /// The training that it is of, if any; the settings mean nothing then.
    pub training: Option<Training<'a>>,
}

/// What is trained, and on what.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Training<'a> {
    /// How.
    pub config: &'a TrainConfig,
    /// Where the activations come from.
    pub world: &'a World,
}

/// A result that another is compared with.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Pinned<'a> {
    /// What was run.
    pub settings: &'a Settings,
    /// Digest of its results, under its own weights.
    pub digest: &'a str,
}

/// How many seeds an ensemble has, and which of the settings' seeds they are.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sample {
    /// Number of seeds.
    pub seeds: usize,
    /// Which vary.
    pub varied: Varied,
}

impl<'a> Origin<'a> {
    /// One run, compared with none.
    #[must_use]
    pub fn new(settings: &'a Settings, digest: Option<&'a str>) -> Self {
        Self { settings, digest, pinned: None, ensemble: None, families: None, training: None }
    }

    /// As [`file_name`], with what it is compared with, or how many seeds there are.
    #[must_use]
    pub fn file_name(&self, id: &str, extension: &str) -> String {
        format!("{}.{}", self.stem(id), safe(extension))
    }

    fn stem(&self, id: &str) -> String {
        if let Some(families) = self.families {
            return families_stem(id, families);
        }
        if let Some(training) = &self.training {
            return training_stem(id, training);
        }
        let stem = stem(id, self.settings, self.ensemble);
        match self.pinned {
            Some(pinned) => {
                let other = self::stem("", pinned.settings, None);
                let other = other.strip_prefix(NAME).unwrap_or(&other);
                format!("{stem}-pinned{other}")
            }
            None => stem,
        }
    }
}

/// How the name of every file begins.
const NAME: &str = "sfc-bench";

/// A chart as the text of a file. `width`, in CSS pixels and at most [`WIDTH_MAX`], and `look` are
/// for drawings.
///
/// # Errors
/// As [`draw`](crate::plot::draw), for drawings.
pub fn export(
    chart: &Chart,
    format: Format,
    origin: Origin<'_>,
    width: u32,
    look: Look,
) -> Result<String, DrawError> {
    written(chart, format, width, look, || {
        json::text(&Document {
            figure: &chart.id,
            title: &chart.title,
            caption: &chart.caption,
            data: chart.data(),
            settings: match origin {
                Origin { families: Some(families), .. } => Ran::Families(families),
                Origin { training: Some(training), .. } => Ran::Training(training),
                Origin { settings, .. } => Ran::Settings(settings),
            },
            version: VERSION,
            digest: origin.digest,
            pinned: origin.pinned,
            ensemble: origin.ensemble,
        })
    })
}

/// A chart as the text of a file; of the formats, only JSON says where it comes from.
fn written(
    chart: &Chart,
    format: Format,
    width: u32,
    look: Look,
    document: impl FnOnce() -> String,
) -> Result<String, DrawError> {
    Ok(match format {
        Format::Svg => to_titled_svg(chart, width.min(WIDTH_MAX), &look.theme())?,
        Format::Csv => text::csv(&chart.data()),
        Format::Json => document(),
        Format::Tex => text::latex(chart),
        Format::Markdown => text::markdown(chart),
    })
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a JSON file holds.
#[derive(Serialize)]
struct Document<'a> {
    figure: &'a str,
    title: &'a str,
    caption: &'a str,
    data: Data,
    settings: Ran<'a>,
    version: &'a str,
    digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned: Option<Pinned<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ensemble: Option<Sample>,
}

/// What was run.
#[derive(Serialize)]
#[serde(untagged)]
enum Ran<'a> {
    Settings(&'a Settings),
    Families(&'a FamiliesConfig),
    Training(Training<'a>),
}

/// Settings as JSON.
#[must_use]
pub fn settings(settings: &Settings) -> String {
    json::text(settings)
}

/// Charts with where they come from.
pub type Part<'a> = (&'a [Chart], Origin<'a>);

/// Everything in one .zip file: every chart in every format, what was run, how to cite it, and the
/// `extra` files (name and bytes; the page's PNGs). The same input gives the same bytes.
///
/// # Errors
/// [`ExportError`] where a chart has no room at `width`, or an extra file cannot be taken.
pub fn everything(
    charts: &[Chart],
    origin: Origin<'_>,
    width: u32,
    extra: &[(String, Vec<u8>)],
) -> Result<Vec<u8>, ExportError> {
    everything_of((charts, origin), &[], width, extra)
}

/// As [`everything`], with charts that come from elsewhere: the first part names the archive, and
/// its settings are those in `settings.json`.
///
/// # Errors
/// As [`everything`].
pub fn everything_of(
    part: Part<'_>,
    more: &[Part<'_>],
    width: u32,
    extra: &[(String, Vec<u8>)],
) -> Result<Vec<u8>, ExportError> {
    let (_, first) = part;
    let parts = || std::iter::once(&part).chain(more);
    let mut archive = Archive::new(&first.stem(""));
    let charts = parts().flat_map(|(charts, _)| charts.iter());
    archive.add("README.txt", cite::readme(charts, VERSION).as_bytes())?;
    archive.add("settings.json", settings(first.settings).as_bytes())?;
    if let Some(pinned) = first.pinned {
        archive.add("pinned-settings.json", settings(pinned.settings).as_bytes())?;
    }
    archive.add("citation.bib", format!("{PAPER}\n{}", software()).as_bytes())?;
    for (charts, origin) in parts() {
        for chart in *charts {
            for format in Format::ALL {
                let name = origin.file_name(&chart.id, format.extension());
                let text = export(chart, format, *origin, width, Look::Light)?;
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

/// A file name that says what is in the file: `sfc-bench-fig1a-standard-k48-seed42.svg`.
///
/// Every setting that is not the paper's has its part in the name, so that other settings give
/// other names; long lists are told apart by a hash. Letters, digits, `-` and `.` only.
#[must_use]
pub fn file_name(id: &str, settings: &Settings, extension: &str) -> String {
    Origin::new(settings, None).file_name(id, extension)
}

fn stem(id: &str, settings: &Settings, ensemble: Option<Sample>) -> String {
    let id = if id.is_empty() { String::new() } else { format!("-{}", safe(id)) };
    // What varies has no one value.
    let instead = |field: &str| match (field, ensemble) {
        ("model_seed", Some(sample)) => Some(format!("-{}seeds", sample.seeds)),
        ("data_seed", Some(Sample { varied: Varied::ModelAndData, .. })) => {
            Some("-other-data".to_owned())
        }
        _ => None,
    };
    format!("{NAME}{id}{}", file_name::stem(settings, instead))
}

/// `sfc-bench-fam-hv-superposition-12methods-3seeds-0a1b2c3d`: everything else tells in a hash.
fn families_stem(id: &str, config: &FamiliesConfig) -> String {
    format!(
        "{NAME}-{}-{}-{}methods-{}seeds-{:08x}",
        safe(id),
        config.world.name(),
        config.methods.len(),
        config.seeds.len(),
        hash_of(&json::text(config))
    )
}

/// `sfc-bench-train-loss-superposition-topk-32latents-seed0-0a1b2c3d`: likewise.
fn training_stem(id: &str, training: &Training<'_>) -> String {
    let Training { config, world } = training;
    format!(
        "{NAME}-{}-{}-{}-{}latents-seed{}-{:08x}",
        safe(id),
        world.name(),
        config.family.name(),
        config.latents,
        config.seed,
        hash_of(&json::text(training))
    )
}

/// A text's hash, folded to 32 bits. Each byte counts as a number, as in names of earlier versions.
fn hash_of(text: &str) -> u32 {
    let mut hash = Fnv::START;
    text.bytes().for_each(|byte| hash.bytes(&f64::from(byte).to_le_bytes()));
    (hash.plain() ^ hash.plain() >> 32) as u32
}

/// Only what every file system takes.
fn safe(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
}
