//! The kinds of chart, a file each: the model, its data as text and typed, and its drawing.

pub(crate) mod bars;
pub(crate) mod boxes;
pub(crate) mod dots;
pub(crate) mod fronts;
pub(crate) mod heatmap;
pub(crate) mod histogram;
pub(crate) mod lines;
pub(crate) mod marks;
pub(crate) mod projection;
pub(crate) mod ranges;
pub(crate) mod ranked;
pub(crate) mod scatter;
pub(crate) mod table;
pub(crate) mod ternary;
