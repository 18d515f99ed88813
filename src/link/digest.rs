use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Version;
use crate::lab::ensemble::Ensemble;
use crate::papers::sfc::{Curve, Point, Report};
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
    pub(super) fn allowed() -> String {
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
fn letters(group: u32, out: &mut impl fmt::Write) -> fmt::Result {
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

/// FNV-1a, 64 bits.
struct Hash(u64);

impl Hash {
    const START: Self = Self(0xcbf2_9ce4_8422_2325);

    // One copy in the page, not one a field.
    #[inline(never)]
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    /// The bits of a number; a NaN's, which targets may choose, are always the same.
    fn real(&mut self, value: f64) {
        let bits = if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() };
        self.bytes(&bits.to_le_bytes());
    }

    fn points(&mut self, points: &[Point]) {
        self.count(points.len());
        for p in points {
            // All fields by name: one that is added has to be thought of here.
            let &Point {
                level,
                k,
                dropped,
                sparsity,
                fidelity,
                completeness,
                c_gt,
                sfc,
                rate,
                distortion,
                relevance,
            } = p;
            self.count(k);
            self.count(dropped);
            [level, sparsity, fidelity, completeness, c_gt, sfc, rate, distortion, relevance]
                .into_iter()
                .for_each(|value| self.real(value));
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

    /// The top bits, after every bit of the state has had its say in them (MurmurHash3's
    /// finaliser).
    fn finish(self) -> u32 {
        let mixed = (self.0 ^ self.0 >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let mixed = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        ((mixed ^ mixed >> 33) >> (u64::BITS - BITS)) as u32
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

/// The digest of an ensemble: five characters of every seed with its results, the scores under its
/// plan's weights among them.
#[must_use]
pub fn ensemble_digest(ensemble: &Ensemble) -> String {
    let mut hash = Hash::START;
    hash.count(ensemble.members.len());
    for member in &ensemble.members {
        hash.count(member.seed as usize);
        hash.points(&member.points);
        hash.real(member.hypervolume);
        hash.count(member.on_front);
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = letters(hash.finish(), &mut text);
    text
}

/// Whether results are those of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LinkVerdict"))]
pub struct Verdict {
    /// Whether all of them are.
    pub equal: bool,
    /// Those that are not.
    pub differs: Vec<Group>,
    /// In words, with the versions.
    pub sentence: String,
}

/// Holds a report against the digest that a link carries, and says what was found. `made` is the
/// version that the link says it was made with.
#[must_use]
pub fn compare(report: &Report, claimed: Digest, made: Option<&Version>) -> Verdict {
    let found = digest(report);
    let differs: Vec<Group> = Group::ALL
        .into_iter()
        .zip(found.0.iter().zip(claimed.0))
        .filter(|(_, (found, claimed))| **found != *claimed)
        .map(|(group, _)| group)
        .collect();
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
            let groups = Group::ALL.into_iter().filter(|group| differs.contains(group) == keep);
            groups.map(Group::label).collect::<Vec<_>>().join(" and ")
        };
        let rest = match named(false) {
            rest if rest.is_empty() => "nothing is equal".to_owned(),
            rest => format!("equal: {rest}"),
        };
        format!("Recomputed here, other than in the link: {}; {rest}. {made_with}", named(true))
    };
    Verdict { equal: differs.is_empty(), differs, sentence }
}
