//! The index and what the paper makes of it, from one neuron's contribution to a law.
//!
//! Performance and index are in percent where both meet ([`direction`], [`pur`] and the law, which is
//! [`LogFit`](crate::statistics::LogFit)), as the paper prints them; a [`Union`]'s index is a share.

mod law;
mod score;
mod selection;
mod union;
mod uses;

pub use law::{Direction, direction, pur};
pub use score::{Nodes, contributions, integrated_gradients, promotions};
pub use selection::{CODE_KEEPS, Neuron, Ranked, Reading, Scores, Threshold, permille};
pub use union::{NoSuchNeuron, Union, by_lot, drawn, greatest};
pub use uses::{MeanGrowth, Uses};
