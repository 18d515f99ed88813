//! The fifteen metrics, a file each: its formula in both readings, its thresholds and its table as data.

mod about;

pub use about::{About, Condition, Passes, Relation, Row};
