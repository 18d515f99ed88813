//! The digest that a link carries, held against what was found.

use serde::Serialize;

use super::{Digest, DigestGroup, Version, digest};
use crate::papers::sfc::Report;

/// Whether results are those of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LinkVerdict"))]
pub struct Verdict {
    /// Whether all of them are.
    pub equal: bool,
    /// Those that are not.
    pub differs: Vec<DigestGroup>,
    /// In words, with the versions.
    pub sentence: String,
}

/// Holds a report against the digest that a link carries, and says what was found. `made` is the
/// version that the link says it was made with.
#[must_use]
pub fn compare(report: &Report, claimed: &Digest, made: Option<&Version>) -> Verdict {
    let differs = digest(report).differing_groups(claimed);
    let here = report.version.as_str();
    let other = made.filter(|made| made.as_str() != here).map(Version::as_str);
    let made_with = match (made, other) {
        (None, _) => "The link does not say which version it was made with.".to_owned(),
        (_, None) => format!("The link says it was made with this version, {here}."),
        (_, Some(other)) => format!("The link was made with version {other}; this is {here}."),
    };
    let sentence = if differs.is_empty() {
        let version = if other.is_some() { format!(" {made_with}") } else { String::new() };
        format!("Recomputed here: equal to the link's results to the last bit.{version}")
    } else {
        let named = |keep: bool| {
            let groups = DigestGroup::ALL.into_iter().filter(|group| differs.contains(group) == keep);
            groups.map(DigestGroup::label).collect::<Vec<_>>().join(" and ")
        };
        let rest = match named(false) {
            rest if rest.is_empty() => "nothing is equal".to_owned(),
            rest => format!("equal: {rest}"),
        };
        format!("Recomputed here, other than in the link: {}; {rest}. {made_with}", named(true))
    };
    Verdict { equal: differs.is_empty(), differs, sentence }
}
