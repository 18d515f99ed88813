//! A short digest of every bit of a report's results.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Curve, Point, Report};
use crate::hash::Fnv;
use crate::settings::Problem;

/// Bits kept of each group's hash: five characters of five.
const BITS: u32 = 25;
/// Crockford's base 32, small: no i, l, o, u, which read like others.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The parts of a report that are told apart, so that a reader learns which figures differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DigestGroup"))]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// The configuration in view: Figures 1, 2, 4, 5; Tables 3 and 4.
    Curve,
    /// Dictionary sizes: Table 6.
    Sizes,
    /// The four configurations: Figure 3; Table 5.
    Networks,
}

impl Group {
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

/// A short digest of every bit of a report's results, five characters for each [`Group`]:
/// `2k9ah-0pq3v-zz81d`.
///
/// It tells that results differ, not who made them: there is nothing secret in it, and a digest to
/// suit any results is easily made. Two groups that differ have the same five characters once in 33
/// million.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
#[serde(into = "String", try_from = "String")]
pub struct Digest([u32; 3]);

impl Digest {
    /// The groups in which two digests differ.
    #[must_use]
    pub fn differs(self, other: Self) -> Vec<Group> {
        let pairs = self.0.into_iter().zip(other.0);
        let groups = Group::ALL.into_iter().zip(pairs);
        groups.filter(|(_, (own, other))| own != other).map(|(group, _)| group).collect()
    }

    pub(crate) fn allowed() -> String {
        "three groups of five digits and letters".to_owned()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, group) in self.0.into_iter().enumerate() {
            if index > 0 {
                out.write_str("-")?;
            }
            letters(group, out)?;
        }
        Ok(())
    }
}

/// A group's five characters.
pub(crate) fn letters(group: u32, out: &mut impl fmt::Write) -> fmt::Result {
    (0..BITS).step_by(5).rev().try_for_each(|shift| {
        let letter = ALPHABET[(group >> shift) as usize % ALPHABET.len()];
        out.write_char(char::from(letter))
    })
}

impl FromStr for Digest {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let mut groups = [0; 3];
        let mut fits = text.len() == 17;
        for (at, byte) in text.bytes().take(17).enumerate() {
            if at % 6 == 5 {
                fits &= byte == b'-';
            } else if let Some(value) = ALPHABET.iter().position(|letter| *letter == byte) {
                groups[at / 6] = groups[at / 6] << 5 | value as u32;
            } else {
                fits = false;
            }
        }
        if fits { Ok(Self(groups)) } else { Err(Problem::new("digest", text, Self::allowed())) }
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

/// The hash of some results.
pub(crate) struct Hash(Fnv);

impl Hash {
    pub const START: Self = Self(Fnv::START);

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.bytes(bytes);
    }

    pub fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    /// The bits of a number; a NaN's, which targets may choose, are always the same.
    pub fn real(&mut self, value: f64) {
        let bits = if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() };
        self.bytes(&bits.to_le_bytes());
    }

    pub fn points(&mut self, points: &[Point]) {
        self.count(points.len());
        for p in points {
            self.count(p.k);
            self.count(p.dropped);
            self.real(p.level);
            p.quantities().into_iter().for_each(|value| self.real(value));
        }
    }

    fn curve(&mut self, curve: &Curve) {
        let Curve {
            name,
            shape,
            k,
            points,
            hypervolume,
            hypervolume_front,
            front,
            contributions,
            c_gt_chance,
        } = curve;
        self.count(name.len());
        self.bytes(name.as_bytes());
        [shape.inputs, shape.hidden, shape.outputs, shape.circuit, *k, front.len()]
            .into_iter()
            .chain(front.iter().copied())
            .for_each(|count| self.count(count));
        self.points(points);
        [hypervolume, hypervolume_front, c_gt_chance]
            .into_iter()
            .chain(contributions)
            .for_each(|value| self.real(*value));
    }

    /// The top bits, after every bit of the state has had its say in them.
    pub fn finish(self) -> u32 {
        (self.0.mixed() >> (u64::BITS - BITS)) as u32
    }
}

/// The digest of a report: of every number in it, the scores under its settings' weights among them
/// (the weights, too, stand in the link); not of the version that computed it.
#[must_use]
pub fn digest(report: &Report) -> Digest {
    Digest(Group::ALL.map(|group| {
        let mut hash = Hash::START;
        match group {
            Group::Curve => hash.curve(&report.main),
            Group::Sizes => hash.points(&report.sizes),
            Group::Networks => {
                hash.count(report.cross.len());
                report.cross.iter().for_each(|curve| hash.curve(curve));
            }
        }
        hash.finish()
    }))
}
