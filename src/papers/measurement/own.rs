//! What a reader brings: logit differences with and without a circuit, of groups of prompts, of runs; a metric under
//! several seeds, results of SAEBench and of mechval among them; faithfulness at shares of edges; and circuits as MIB keeps them.

mod decomposition;
mod graph;
mod measured;
mod read;
mod results;
mod seeds;
mod table;

pub use graph::{OwnEdge, OwnGraph};
pub use measured::{
    Configuration, ConfigurationPair, LISTED_MAX, OwnAudit, OwnCurve, OwnResult, OwnResults,
    OwnSignals, OwnSuperposition, PAIRS_MAX, PairsSummary, SeedMetric,
};
pub use read::read;
pub(crate) use seeds::seed;
