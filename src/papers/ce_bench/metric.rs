//! The scores of a pair of stories, in four readings.

mod pair;

pub use pair::{PairError, Reading, Scores, StoryLatents, max_z_score, score_pair};
