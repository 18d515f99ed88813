use serde::Serialize;

use super::{Format, Look, NAME, VERSION, json, safe, written};
use crate::lab::own::OwnReport;
use crate::plot::{Chart, Data, DrawError};

/// What a JSON file of a reader's own figure holds.
#[derive(Serialize)]
struct Document<'a> {
    figure: &'a str,
    title: &'a str,
    caption: &'a str,
    data: Data,
    version: &'a str,
    /// The whole report, with the files it is of.
    report: &'a OwnReport,
}

/// As [`export`](super::export), for a chart of a reader's own decomposition.
///
/// # Errors
/// As [`draw`](crate::plot::draw), for drawings.
pub fn export_own(
    chart: &Chart,
    format: Format,
    report: &OwnReport,
    width: u32,
    look: Look,
) -> Result<String, DrawError> {
    written(chart, format, width, look, || {
        json::text(&Document {
            figure: &chart.id,
            title: &chart.title,
            caption: &chart.caption,
            data: chart.data(),
            version: VERSION,
            report,
        })
    })
}

/// The name of the file of one of its figures: with the beginning of the activations' SHA-256, where
/// it is known, so that other files have another name.
#[must_use]
pub fn own_file_name(id: &str, report: &OwnReport, extension: &str) -> String {
    let digest = report.files.iter().find_map(|file| file.sha256.as_deref());
    let digest = digest.map_or_else(String::new, |digest| {
        format!("-{}", safe(digest).chars().take(8).collect::<String>())
    });
    let codes = safe(&report.codes.replace(' ', "-"));
    format!("{NAME}-{}-{codes}-k{}{digest}.{}", safe(id), report.k, safe(extension))
}
