//! A short digest of every bit of a report's results.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Curve, Point, Report};
use crate::settings::Problem;
use crate::study::digest::{ResultHash, format_groups, parse_groups};

/// The parts of a report that are told apart, so that a reader learns which figures differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "DigestGroup"))]
#[serde(rename_all = "kebab-case")]
pub enum DigestGroup {
    /// The configuration in view: Figures 1, 2, 4, 5; Tables 3 and 4.
    Curve,
    /// Dictionary sizes: Table 6.
    Sizes,
    /// The four configurations: Figure 3; Table 5.
    Networks,
}

impl DigestGroup {
    /// All of them, in the order of a digest.
    pub const ALL: [Self; 3] = [Self::Curve, Self::Sizes, Self::Networks];

    /// "the level curve".
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Curve => "the level curve",
            Self::Sizes => "the dictionary sizes",
            Self::Networks => "the four networks",
        }
    }
}

/// A short digest of every bit of a report's results, five characters for each [`DigestGroup`]:
/// `2k9ah-0pq3v-zz81d`.
///
/// It tells that results differ, not who made them: there is nothing secret in it, and a digest to
/// suit any results is easily made. Two groups that differ have the same five characters once in 33
/// million.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(type = "string"))]
#[serde(into = "String", try_from = "String")]
pub struct Digest(Vec<(DigestGroup, u32)>);

impl Digest {
    /// The groups in which two digests differ.
    #[must_use]
    pub fn differing_groups(&self, other: &Self) -> Vec<DigestGroup> {
        let pairs = self.0.iter().zip(&other.0);
        pairs.filter(|(own, other)| own != other).map(|((group, _), _)| *group).collect()
    }

    pub(crate) fn allowed_format() -> String {
        "three groups of five digits and letters".to_owned()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&format_groups(self.0.iter().map(|(_, hash)| *hash)))
    }
}

impl FromStr for Digest {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let hashes = parse_groups(text, DigestGroup::ALL.len())
            .ok_or_else(|| Problem::new("digest", text, Self::allowed_format()))?;
        Ok(Self(DigestGroup::ALL.into_iter().zip(hashes).collect()))
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = Problem;

    fn try_from(text: String) -> Result<Self, Problem> {
        text.parse()
    }
}

/// Adds points, with every quantity of theirs.
pub(crate) fn add_points(hash: &mut ResultHash, points: &[Point]) {
    hash.update_count(points.len());
    for p in points {
        hash.update_count(p.k);
        hash.update_count(p.dropped);
        hash.update_real(p.level);
        p.quantities().into_iter().for_each(|value| hash.update_real(value));
    }
}

fn add_curve(hash: &mut ResultHash, curve: &Curve) {
    let Curve { name, shape, k, points, hypervolume, hypervolume_front, front, contributions, c_gt_chance } = curve;
    hash.update_count(name.len());
    hash.update(name.as_bytes());
    [shape.inputs, shape.hidden, shape.outputs, shape.circuit, *k, front.len()]
        .into_iter()
        .chain(front.iter().copied())
        .for_each(|count| hash.update_count(count));
    add_points(hash, points);
    [hypervolume, hypervolume_front, c_gt_chance]
        .into_iter()
        .chain(contributions)
        .for_each(|value| hash.update_real(*value));
}

/// The digest of a report: of every number in it, the scores under its settings' weights among them
/// (the weights, too, stand in the link); not of the version that computed it.
#[must_use]
pub fn digest(report: &Report) -> Digest {
    let of = |group: DigestGroup| {
        let mut hash = ResultHash::EMPTY;
        match group {
            DigestGroup::Curve => add_curve(&mut hash, &report.main),
            DigestGroup::Sizes => add_points(&mut hash, &report.sizes),
            DigestGroup::Networks => {
                hash.update_count(report.cross.len());
                report.cross.iter().for_each(|curve| add_curve(&mut hash, curve));
            }
        }
        (group, hash.finish())
    };
    Digest(DigestGroup::ALL.map(of).to_vec())
}
