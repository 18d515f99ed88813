//! What the files of any study's figures are called, and what stands in those that say where they
//! come from.

use serde::Serialize;

use super::{Failure, Study, json};
use crate::hash::Fnv;
use crate::plot::{Chart, ChartData};
use crate::settings::{Parameters, file_name};

/// The version of this crate.
pub const CRATE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The sources of which this program was compiled, by their length and checksum: other ones of the same version may
/// compute other bits, and do not go on with what these have kept.
pub const BUILD_ID: &str = env!("SFC_BENCH_BUILD");

/// How the name of every file begins.
pub(crate) const FILE_PREFIX: &str = "sfc-bench";

/// Where the numbers of a figure come from.
pub trait Origin {
    /// What the name of a figure's file says, without its ending: `sfc-bench-fig1a-standard-k48-seed42`.
    /// Without an identifier, that of everything's. Letters, digits, `-`, `_` and `.` only.
    fn file_stem(&self, id: &str) -> String;

    /// A figure as a JSON file: its data at full precision, with what they were computed from.
    fn json(&self, chart: &Chart) -> String;

    /// The paper that it recomputes, short: "FADE (arXiv:2502.16994)"; nothing where it is of none.
    fn paper(&self) -> &'static str {
        ""
    }

    /// Whose numbers a picture has, in a line below it.
    fn source_line(&self) -> String {
        match self.paper() {
            "" => format!("Computed with {FILE_PREFIX}"),
            paper => format!("Source: {FILE_PREFIX}, after {paper}"),
        }
    }

    /// What was run, as files of an archive: names and texts.
    fn archive_files(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The name of a figure's file.
    fn file_name(&self, id: &str, extension: &str) -> String {
        format!("{}.{}", self.file_stem(id), safe_file_name(extension))
    }
}

/// A study whose files are named after its settings, and have them beside the version and the digest.
pub(crate) trait SettingsOrigin: Study<Settings: Parameters + Serialize> {
    /// As [`Origin::paper`].
    const PAPER: &'static str = "";

    /// What was run.
    fn settings(&self) -> &Self::Settings;

    /// What the name of a figure's file has between its identifier and the settings.
    fn name_part(&self, _id: &str) -> String {
        String::new()
    }

    /// As [`Origin::json`].
    fn figure_json(&self, chart: &Chart) -> String {
        figure_json_with_settings(chart, self.settings(), self.digest())
    }
}

impl<S: SettingsOrigin> Origin for S {
    fn file_stem(&self, id: &str) -> String {
        let id = safe_file_name(if id.is_empty() { Self::NAME } else { id });
        let settings = file_name::file_stem(self.settings(), |_| None);
        format!("{FILE_PREFIX}-{id}{}{settings}", self.name_part(&id))
    }

    fn json(&self, chart: &Chart) -> String {
        self.figure_json(chart)
    }

    fn paper(&self) -> &'static str {
        S::PAPER
    }

    fn archive_files(&self) -> Vec<(&'static str, String)> {
        vec![("settings.json", json::to_json_text(self.settings()))]
    }
}

/// A JSON file of a figure.
#[derive(Serialize)]
struct Document<'a, O> {
    figure: &'a str,
    title: &'a str,
    caption: &'a str,
    data: ChartData,
    #[serde(flatten)]
    origin: O,
}

/// A figure as the text of a JSON file, with the members of `origin` behind its own.
pub(crate) fn figure_json(chart: &Chart, origin: impl Serialize) -> String {
    json::to_json_text(&Document {
        figure: &chart.id,
        title: &chart.title,
        caption: &chart.caption,
        data: chart.data(),
        origin,
    })
}

/// A figure as the text of a JSON file, with the settings of its run, this version and the digest of what was found;
/// none where there is none that a link could have.
pub(crate) fn figure_json_with_settings(chart: &Chart, settings: &impl Serialize, digest: Option<String>) -> String {
    #[derive(Serialize)]
    struct Members<'a, S> {
        settings: &'a S,
        version: &'static str,
        digest: Option<String>,
    }
    figure_json(chart, Members { settings, version: CRATE_VERSION, digest })
}

/// A figure as the text of a JSON file, with this version and the whole report, which names the files that it is of.
pub(crate) fn figure_json_with_report(chart: &Chart, report: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Members<'a, R> {
        version: &'static str,
        report: &'a R,
    }
    figure_json(chart, Members { version: CRATE_VERSION, report })
}

/// Only what every file system takes.
pub(crate) fn safe_file_name(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
}

/// A text's hash, folded to 32 bits. Each byte counts as a number, as in names of earlier versions.
pub(crate) fn hash_text(text: &str) -> u32 {
    let mut hash = Fnv::OFFSET_BASIS;
    text.bytes().for_each(|byte| hash.update(&f64::from(byte).to_le_bytes()));
    (hash.value() ^ hash.value() >> 32) as u32
}

/// A report as the command line prints it.
pub(crate) fn pretty_json(report: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(report);
    text.map(|text| text + "\n").map_err(|error| Failure::new("study.json", &error, None))
}
