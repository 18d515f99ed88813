//! The page's state as a link: printed as a query string, and read back from whatever somebody
//! made of one.
//!
//! [`to_query()`] is canonical: equal states give equal strings, and what is as in the paper is left
//! out.
//! It is of the study [`DEFAULT_STUDY`], and may say so; links to other studies' pages are [`Page`]s.
//! [`parse`] never fails: out of any text comes the nearest valid [`State`], with a sentence for
//! everything that had to be changed. [`all_keys()`] is the one list of what a link may hold.
//!
//! ```
//! use sfc_bench::link;
//! let read = link::parse("?v=1&k=700&levels=0,0.5,0.9");
//! assert_eq!(read.state.settings.k(), 64);
//! let change = &read.changes[0].sentence;
//! assert_eq!(change, "k is \"700\"; allowed: a whole number from 1 to 64; 64 is used");
//! assert_eq!(link::to_query(&read.state), "v=1&k=64&levels=0,0.5,0.9");
//! ```
//!
//! A link may carry a [`Digest`] of the results its maker saw, so that whoever opens it can tell
//! whether their own machine finds the same: [`digest`], [`compare`].

mod digest_check;
mod keys;
mod page;
mod parse;
mod print;

use serde::{Deserialize, Serialize};

use crate::lab::ensemble::{self, POINTS_MAX, Varied};
use crate::lab::evaluate;
use crate::lab::families::query;
use crate::papers::sfc;
use crate::papers::sfc::settings::Settings;
use crate::settings::{Parameters, Problem};
use crate::study::all_figure_ids;

pub use crate::lab::ensemble::digest as ensemble_digest;
pub use crate::papers::sfc::digest::{Digest, DigestGroup, digest};
pub use crate::settings::Change;
pub use digest_check::{Verdict, compare};
pub use keys::{Key, VIEW_KEYS, all_keys, setting_keys};
pub use page::{Page, page_to_query, read_page};
pub use parse::{LENGTH_MAX, PAIRS_MAX, Parsed, parse};
pub use print::to_query;

/// The study that a link is of where it does not say so: the one that links were of before there were
/// others.
pub const DEFAULT_STUDY: &str = Settings::STUDY;

/// The version of the format. It grows when a key changes its meaning, not when one is added.
pub const FORMAT_VERSION: &str = "1";
/// Most seeds a link may ask an ensemble for.
pub const SEEDS_MAX: u32 = 10_000;
/// Longest text that names the files of a reader's own decomposition.
pub const FILES_LENGTH_MAX: usize = evaluate::query::LENGTH_MAX;
/// Longest text of a study of families that a link takes.
pub const STUDY_LENGTH_MAX: usize = query::LENGTH_MAX;
/// Parts of the page that a link may hide, in the page's order; it may also hide any setting, by its
/// key.
pub const PAGE_PARTS: [&str; 33] = [
    "header",
    "title",
    "verdict",
    "share",
    "trade-off",
    "weights",
    "profiles",
    "settings",
    "group-network",
    "group-seeds",
    "group-data",
    "group-metrics",
    "stress",
    "cells",
    "weights-decide",
    "map",
    "networks",
    "fronts",
    "ties",
    "ensemble",
    "ensemble-form",
    "information",
    "sizes",
    "families",
    "evaluate",
    "disagree",
    "how",
    "benchmark",
    "notes",
    "footer",
    // Of every figure: its buttons, its caption, its title.
    "tools",
    "captions",
    "titles",
];

/// Most seeds that an ensemble of these settings may have.
fn seeds_max(settings: &Settings) -> u32 {
    let most = POINTS_MAX / settings.levels().len() as u64;
    u32::try_from(most).unwrap_or(SEEDS_MAX).min(SEEDS_MAX)
}

/// Everything of a study's page that a link holds. (The theme is the reader's own, but for a page that is
/// shown inside another.)
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LinkState"))]
#[serde(default, deny_unknown_fields)]
pub struct State {
    /// What is run.
    pub settings: Settings,
    /// Settings kept for comparison.
    pub pin: Option<Settings>,
    /// How many seeds the ensemble has.
    pub seeds: Seeds,
    /// Which seeds it varies.
    pub vary: Varied,
    /// The study of families that the form is set to; its default one where there is none.
    pub families: Option<Study>,
    /// The files that a decomposition of somebody's own was scored from.
    pub own: Option<Files>,
    /// The figure in focus.
    pub figure: Option<Figure>,
    /// Whether the page is shown inside another one.
    pub embed: bool,
    /// What is hidden.
    pub hide: Hidden,
    /// Colours of an embedded page; the reader's own system decides where there are none.
    pub theme: Option<Colours>,
    /// What an embedded page calls itself towards the page around it.
    pub id: Option<FrameId>,
    /// Digest of the results the link's maker saw.
    pub digest: Option<Digest>,
    /// Version of this crate that the link was made with.
    pub made: Option<Version>,
}

/// A number of seeds, 1 to [`SEEDS_MAX`]; 100 unless it is said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(into = "u32", try_from = "u32")]
pub struct Seeds(u32);

impl Seeds {
    /// That many seeds; none outside the range.
    #[must_use]
    pub fn new(count: u32) -> Option<Self> {
        (1..=SEEDS_MAX).contains(&count).then_some(Self(count))
    }

    /// How many.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0
    }
}

impl Default for Seeds {
    fn default() -> Self {
        Self(100)
    }
}

impl From<Seeds> for u32 {
    fn from(seeds: Seeds) -> Self {
        seeds.0
    }
}

impl TryFrom<u32> for Seeds {
    type Error = Problem;

    fn try_from(count: u32) -> Result<Self, Problem> {
        let allowed = || format!("a whole number from 1 to {SEEDS_MAX}");
        Self::new(count).ok_or_else(|| Problem::new("seeds", count.to_string(), allowed()))
    }
}

/// A type that holds one word and cannot hold one that does not fit.
macro_rules! checked_word {
    ($(#[$doc:meta])* $name:ident, $field:literal, $allowed:expr, $fits:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "types", derive(ts_rs::TS))]
        #[serde(into = "String", try_from = "String")]
        pub struct $name(String);

        impl $name {
            /// The word, if it is one of those allowed.
            #[must_use]
            pub fn new(word: &str) -> Option<Self> {
                let fits: fn(&str) -> bool = $fits;
                fits(word).then(|| Self(word.to_owned()))
            }

            /// The word.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            fn allowed() -> String {
                $allowed
            }
        }

        impl From<$name> for String {
            fn from(word: $name) -> Self {
                word.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = Problem;

            fn try_from(word: String) -> Result<Self, Problem> {
                Self::new(&word).ok_or_else(|| Problem::new($field, word, Self::allowed()))
            }
        }
    };
}

checked_word! {
    /// A figure of the paper or of its ensemble.
    Figure, "figure",
    format!("one of {}", Figure::names().collect::<Vec<_>>().join(", ")),
    |word| Figure::names().any(|name| name == word)
}

impl Figure {
    /// Every figure of the page, the paper's first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        all_figure_ids::<sfc::StudyView>().chain(all_figure_ids::<ensemble::StudyView>())
    }
}

checked_word! {
    /// The files of somebody's own decomposition, by their digests, and what is scored of them: of this
    /// the page alone knows more than that it is 1 to [`FILES_LENGTH_MAX`] letters, digits and
    /// `. , : _ -`.
    Files, "own",
    format!("1 to {FILES_LENGTH_MAX} letters, digits and . , : _ -"),
    |word| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".,:_-".contains(&byte);
        (1..=FILES_LENGTH_MAX).contains(&word.len()) && word.bytes().all(fits)
    }
}

checked_word! {
    /// A study of families as text, of which a link knows no more than that it is one:
    /// [`query`] reads it. 1 to [`STUDY_LENGTH_MAX`] letters, digits
    /// and `. , : _ -`.
    Study, "families",
    format!("1 to {STUDY_LENGTH_MAX} letters, digits and . , : _ -"),
    |word| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".,:_-".contains(&byte);
        (1..=STUDY_LENGTH_MAX).contains(&word.len()) && word.bytes().all(fits)
    }
}

checked_word! {
    /// `light` or `dark`.
    Colours, "theme", "light or dark".to_owned(), |word| matches!(word, "light" | "dark")
}

checked_word! {
    /// A name: 1 to 32 letters, digits and hyphens.
    FrameId, "id", "1 to 32 letters, digits and hyphens".to_owned(),
    |word| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        (1..=32).contains(&word.len()) && word.bytes().all(fits)
    }
}

checked_word! {
    /// A version: digits, letters, full stops and hyphens, at most 32, a digit first.
    Version, "made", "a version, as in 0.1.0".to_owned(),
    |word| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-';
        let digit = word.starts_with(|first: char| first.is_ascii_digit());
        digit && word.len() <= 32 && word.bytes().all(fits)
    }
}

impl Version {
    /// The version of this crate.
    #[must_use]
    pub fn current() -> Option<Self> {
        Self::new(env!("CARGO_PKG_VERSION"))
    }
}

/// A set of [`PAGE_PARTS`] and of settings, named by their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(type = "Array<string>"))]
#[serde(into = "Vec<String>", try_from = "Vec<String>")]
pub struct Hidden(
    // Where each name stands among all that can be hidden, and the name; in that order.
    Vec<(usize, &'static str)>,
);

impl Hidden {
    /// Everything that can be hidden, in the order in which it is printed.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PAGE_PARTS.into_iter().chain(setting_keys::<Settings>().map(|row| row.key))
    }

    /// Adds a part or a setting; false if there is none of that name.
    pub fn insert(&mut self, name: &str) -> bool {
        let found = Self::names().enumerate().find(|(_, other)| *other == name);
        if let Some(Err(at)) = found.map(|place| self.0.binary_search(&place)) {
            self.0.splice(at..at, found);
        }
        found.is_some()
    }

    /// What is hidden.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(_, name)| *name)
    }

    fn allowed() -> String {
        format!("any of {}, or keys of settings", PAGE_PARTS.join(", "))
    }
}

impl From<Hidden> for Vec<String> {
    fn from(hidden: Hidden) -> Self {
        hidden.iter().map(str::to_owned).collect()
    }
}

impl TryFrom<Vec<String>> for Hidden {
    type Error = Problem;

    fn try_from(names: Vec<String>) -> Result<Self, Problem> {
        let mut hidden = Self::default();
        match names.into_iter().find(|name| !hidden.insert(name)) {
            Some(unknown) => Err(Problem::new("hide", unknown, Self::allowed())),
            None => Ok(hidden),
        }
    }
}
