//! What a reader brings: performances and indices of models of their own, and the neurons that their answers use.

mod answers;
mod arrays;
mod found;
mod law;
mod lines;
mod proportion;
mod read;
mod record;
mod tally;
mod wanted;

pub use crate::study::given::OwnFile;
pub use found::{Equally, GrowthPoint, Holds, NeuronsFound, OwnFound, StepFound, ThresholdFound};
pub use law::{LawFound, LawRow, ModelPoint, OwnLaw, law, points};
pub use lines::LINE_MAX;
pub use proportion::Proportion;
pub use read::{FILE_MAX, read};
pub use wanted::{Asked, NEURONS_MAX, Wanted};
