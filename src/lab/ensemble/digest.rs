use super::Ensemble;
use crate::papers::sfc::digest::{Hash, letters};

/// The digest of an ensemble: five characters of every seed with its results, the scores under its
/// plan's weights among them.
#[must_use]
pub fn digest(ensemble: &Ensemble) -> String {
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
