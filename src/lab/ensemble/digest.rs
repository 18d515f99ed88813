use super::Ensemble;
use crate::papers::sfc::digest::add_points;
use crate::study::digest::{Hash, print};

/// The digest of an ensemble: five characters of every seed with its results, the scores under its
/// plan's weights among them.
#[must_use]
pub fn digest(ensemble: &Ensemble) -> String {
    let mut hash = Hash::START;
    hash.count(ensemble.members.len());
    for member in &ensemble.members {
        hash.count(member.seed as usize);
        add_points(&mut hash, &member.points);
        hash.real(member.hypervolume);
        hash.count(member.on_front);
    }
    print([hash.finish()])
}
