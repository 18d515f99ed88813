//! What a reader brings: performances and indices of models of their own, and the neurons that their answers use.

mod answers;
mod arrays;
mod law;
mod line_reader;
mod options;
mod proportion;
mod read;
mod record;
mod report;
mod tally;

pub use crate::study::user_file::StreamedUserFile;
pub use law::{LawResult, LawRow, ModelPoint, UserLaw, read_law, read_points};
pub use line_reader::LINE_BYTES_MAX;
pub use options::{NEURONS_MAX, Options, OptionsDraft};
pub use proportion::ProportionRow;
pub use read::{FILE_BYTES_MAX, measure_files};
pub use report::{
    EqualCountMui, FileComparison, FileContents, GrowthPoint, NeuronsResult, ThresholdResult, UserResults,
};
