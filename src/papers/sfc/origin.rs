//! What the files of the paper's figures are called, and say of where they come from.

use serde::Serialize;

use super::settings::Settings;
use crate::plot::Chart;
use crate::settings::file_name;
use crate::study::{NAME, Origin, VERSION, document, safe, text};

/// One run, compared with another or with none.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What was run.
    pub settings: &'a Settings,
    /// Digest of the results, where one was made.
    pub digest: Option<&'a str>,
    /// The result that it is compared with, if any.
    pub pinned: Option<Pinned<'a>>,
}

/// A result that another is compared with.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Pinned<'a> {
    /// What was run.
    pub settings: &'a Settings,
    /// Digest of its results, under its own weights.
    pub digest: &'a str,
}

/// The paper, short.
pub(crate) const PAPER: &str = "SFC-Score (KDD ’26)";

/// Which seeds are behind a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seeds {
    /// Those of the settings.
    Own,
    /// So many of the network.
    Network(usize),
    /// So many of the network and the data.
    NetworkAndData(usize),
}

/// What a JSON file says of a run.
#[derive(Serialize)]
struct Members<'a> {
    settings: &'a Settings,
    version: &'a str,
    digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned: Option<Pinned<'a>>,
}

impl<'a> Run<'a> {
    /// Compared with none.
    #[must_use]
    pub fn new(settings: &'a Settings, digest: Option<&'a str>) -> Self {
        Self { settings, digest, pinned: None }
    }
}

impl Origin for Run<'_> {
    fn paper(&self) -> &'static str {
        PAPER
    }

    fn stem(&self, id: &str) -> String {
        let stem = stem(id, self.settings, Seeds::Own);
        match self.pinned {
            Some(pinned) => {
                let other = self::stem("", pinned.settings, Seeds::Own);
                let other = other.strip_prefix(NAME).unwrap_or(&other);
                format!("{stem}-pinned{other}")
            }
            None => stem,
        }
    }

    fn json(&self, chart: &Chart) -> String {
        let Self { settings, digest, pinned } = *self;
        document(chart, Members { settings, version: VERSION, digest, pinned })
    }

    fn files(&self) -> Vec<(&'static str, String)> {
        let pinned = self.pinned.map(|pinned| ("pinned-settings.json", text(pinned.settings)));
        std::iter::once(("settings.json", text(self.settings))).chain(pinned).collect()
    }
}

/// A file name that says what is in the file: `sfc-bench-fig1a-standard-k48-seed42`.
///
/// Every setting that is not the paper's has its part in the name, so that other settings give
/// other names; long lists are told apart by a hash.
pub(crate) fn stem(id: &str, settings: &Settings, seeds: Seeds) -> String {
    let id = if id.is_empty() { String::new() } else { format!("-{}", safe(id)) };
    // What varies has no one value.
    let instead = |field: &str| match (field, seeds) {
        ("model_seed", Seeds::Network(seeds) | Seeds::NetworkAndData(seeds)) => {
            Some(format!("-{seeds}seeds"))
        }
        ("data_seed", Seeds::NetworkAndData(_)) => Some("-other-data".to_owned()),
        _ => None,
    };
    format!("{NAME}{id}{}", file_name::stem(settings, instead))
}
