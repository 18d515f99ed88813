//! What the files of any study's figures are called, and what stands in those that say where they
//! come from.

use serde::Serialize;

use super::{Failure, Study, json};
use crate::hash::Fnv;
use crate::plot::{Chart, Data};
use crate::settings::{Parameters, file_name};

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The sources of which this program was compiled, by their length and checksum: other ones of the same version may
/// compute other bits, and do not go on with what these have kept.
pub const BUILD: &str = env!("SFC_BENCH_BUILD");

/// How the name of every file begins.
pub(crate) const NAME: &str = "sfc-bench";

/// Where the numbers of a figure come from.
pub trait Origin {
    /// What the name of a figure's file says, without its ending: `sfc-bench-fig1a-standard-k48-seed42`.
    /// Without an identifier, that of everything's. Letters, digits, `-`, `_` and `.` only.
    fn stem(&self, id: &str) -> String;

    /// A figure as a JSON file: its data at full precision, with what they were computed from.
    fn json(&self, chart: &Chart) -> String;

    /// The paper that it recomputes, short: "FADE (arXiv:2502.16994)"; nothing where it is of none.
    fn paper(&self) -> &'static str {
        ""
    }

    /// Whose numbers a picture has, in a line below it.
    fn source_line(&self) -> String {
        match self.paper() {
            "" => format!("Computed with {NAME}"),
            paper => format!("Source: {NAME}, after {paper}"),
        }
    }

    /// What was run, as files of an archive: names and texts.
    fn files(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The name of a figure's file.
    fn file_name(&self, id: &str, extension: &str) -> String {
        format!("{}.{}", self.stem(id), safe(extension))
    }
}

/// A study whose files are named after its settings, and have them beside the version and the digest.
pub(crate) trait BySettings: Study<Settings: Parameters + Serialize> {
    /// As [`Origin::paper`].
    const PAPER: &'static str = "";

    /// What was run.
    fn settings(&self) -> &Self::Settings;

    /// What the name of a figure's file has between its identifier and the settings.
    fn name_part(&self, _id: &str) -> String {
        String::new()
    }

    /// As [`Origin::json`].
    fn document(&self, chart: &Chart) -> String {
        document_of(chart, self.settings(), self.digest())
    }
}

impl<S: BySettings> Origin for S {
    fn stem(&self, id: &str) -> String {
        let id = safe(if id.is_empty() { Self::NAME } else { id });
        let settings = file_name::stem(self.settings(), |_| None);
        format!("{NAME}-{id}{}{settings}", self.name_part(&id))
    }

    fn json(&self, chart: &Chart) -> String {
        self.document(chart)
    }

    fn paper(&self) -> &'static str {
        S::PAPER
    }

    fn files(&self) -> Vec<(&'static str, String)> {
        vec![("settings.json", json::text(self.settings()))]
    }
}

/// A JSON file of a figure.
#[derive(Serialize)]
struct Document<'a, O> {
    figure: &'a str,
    title: &'a str,
    caption: &'a str,
    data: Data,
    #[serde(flatten)]
    origin: O,
}

/// A figure as the text of a JSON file, with the members of `origin` behind its own.
pub(crate) fn document(chart: &Chart, origin: impl Serialize) -> String {
    json::text(&Document {
        figure: &chart.id,
        title: &chart.title,
        caption: &chart.caption,
        data: chart.data(),
        origin,
    })
}

/// A figure as the text of a JSON file, with the settings of its run, this version and the digest of what was found;
/// none where there is none that a link could have.
pub(crate) fn document_of(
    chart: &Chart,
    settings: &impl Serialize,
    digest: Option<String>,
) -> String {
    #[derive(Serialize)]
    struct Members<'a, S> {
        settings: &'a S,
        version: &'static str,
        digest: Option<String>,
    }
    document(chart, Members { settings, version: VERSION, digest })
}

/// A figure as the text of a JSON file, with this version and the whole report, which names the files that it is of.
pub(crate) fn document_of_report(chart: &Chart, report: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Members<'a, R> {
        version: &'static str,
        report: &'a R,
    }
    document(chart, Members { version: VERSION, report })
}

/// Only what every file system takes.
pub(crate) fn safe(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
}

/// A text's hash, folded to 32 bits. Each byte counts as a number, as in names of earlier versions.
pub(crate) fn folded(text: &str) -> u32 {
    let mut hash = Fnv::START;
    text.bytes().for_each(|byte| hash.bytes(&f64::from(byte).to_le_bytes()));
    (hash.plain() ^ hash.plain() >> 32) as u32
}

/// A report as the command line prints it.
pub(crate) fn pretty(report: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(report);
    text.map(|text| text + "\n").map_err(|error| Failure::new("study.json", &error, None))
}
