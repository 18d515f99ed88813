//! What the files of the paper's figures are called, and say of where they come from.

use serde::Serialize;

use super::settings::Settings;
use crate::plot::Chart;
use crate::settings::file_name;
use crate::study::{CRATE_VERSION, FILE_PREFIX, Origin, figure_json, safe_file_name, to_json_text};

/// One run, compared with another or with none.
#[derive(Clone, Copy, Debug)]
pub struct RunOrigin<'a> {
    /// What was run.
    pub settings: &'a Settings,
    /// Digest of the results, where one was made.
    pub digest: Option<&'a str>,
    /// The result that it is compared with, if any.
    pub pinned: Option<PinnedResult<'a>>,
}

/// A result that another is compared with.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PinnedResult<'a> {
    /// What was run.
    pub settings: &'a Settings,
    /// Digest of its results, under its own weights.
    pub digest: &'a str,
}

/// The paper, short.
pub(crate) const PAPER_NAME: &str = "SFC-Score (KDD ’26)";

/// Which seeds are behind a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeedsShown {
    /// Those of the settings.
    Own,
    /// So many of the network.
    Network(usize),
    /// So many of the network and the data.
    NetworkAndData(usize),
}

/// What a JSON file says of a run.
#[derive(Serialize)]
struct FigureMetadata<'a> {
    settings: &'a Settings,
    version: &'a str,
    digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned: Option<PinnedResult<'a>>,
}

impl<'a> RunOrigin<'a> {
    /// Compared with none.
    #[must_use]
    pub fn new(settings: &'a Settings, digest: Option<&'a str>) -> Self {
        Self { settings, digest, pinned: None }
    }
}

impl Origin for RunOrigin<'_> {
    fn paper(&self) -> &'static str {
        PAPER_NAME
    }

    fn file_stem(&self, id: &str) -> String {
        let stem = file_stem(id, self.settings, SeedsShown::Own);
        match self.pinned {
            Some(pinned) => {
                let other = self::file_stem("", pinned.settings, SeedsShown::Own);
                let other = other.strip_prefix(FILE_PREFIX).unwrap_or(&other);
                format!("{stem}-pinned{other}")
            }
            None => stem,
        }
    }

    fn json(&self, chart: &Chart) -> String {
        let Self { settings, digest, pinned } = *self;
        figure_json(chart, FigureMetadata { settings, version: CRATE_VERSION, digest, pinned })
    }

    fn archive_files(&self) -> Vec<(&'static str, String)> {
        let pinned = self.pinned.map(|pinned| ("pinned-settings.json", to_json_text(pinned.settings)));
        std::iter::once(("settings.json", to_json_text(self.settings))).chain(pinned).collect()
    }
}

/// A file name that says what is in the file: `sfc-bench-fig1a-standard-k48-seed42`.
///
/// Every setting that is not the paper's has its part in the name, so that other settings give
/// other names; long lists are told apart by a hash.
pub(crate) fn file_stem(id: &str, settings: &Settings, seeds: SeedsShown) -> String {
    let id = if id.is_empty() { String::new() } else { format!("-{}", safe_file_name(id)) };
    // What varies has no one value.
    let instead = |field: &str| match (field, seeds) {
        ("model_seed", SeedsShown::Network(seeds) | SeedsShown::NetworkAndData(seeds)) => {
            Some(format!("-{seeds}seeds"))
        }
        ("data_seed", SeedsShown::NetworkAndData(_)) => Some("-other-data".to_owned()),
        _ => None,
    };
    format!("{FILE_PREFIX}{id}{}", file_name::file_stem(settings, instead))
}
