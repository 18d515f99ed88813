use super::Ensemble;
use crate::papers::sfc::digest::add_points;
use crate::study::digest::{ResultHash, format_groups};

/// The digest of an ensemble: five characters of every seed with its results, the scores under its
/// plan's weights among them.
#[must_use]
pub fn digest(ensemble: &Ensemble) -> String {
    let mut hash = ResultHash::EMPTY;
    hash.update_count(ensemble.members.len());
    for member in &ensemble.members {
        hash.update_count(member.seed as usize);
        add_points(&mut hash, &member.points);
        hash.update_real(member.hypervolume);
        hash.update_count(member.on_front);
    }
    format_groups([hash.finish()])
}
