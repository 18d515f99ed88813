//! The index and what the paper makes of it, from one neuron's contribution to a law.
//!
//! Performance and index are in percent where both meet ([`direction`], [`pur`] and the law, which is
//! [`LogFit`](crate::statistics::LogFit)), as the paper prints them; a [`NeuronUnion`]'s index is a share.

mod law;
mod score;
mod selection;
mod union;
mod use_counts;

pub use law::{Direction, direction, pur};
pub use score::{IntegrationNodes, contributions, direct_logit_effects, integrated_gradients};
pub use selection::{AnswerScores, CODE_ENTRIES_MAX, Neuron, Reading, SortedScores, Threshold, neurons_in_share};
pub use union::{NeuronUnion, NoSuchNeuron, max_mui, random_mui, random_mui_of_share};
pub use use_counts::{MeanGrowth, UseCounts};
