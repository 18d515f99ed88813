//! What a reader brings: logit differences with and without a circuit, of groups of prompts, of runs; a metric under
//! several seeds, results of SAEBench and of mechval among them; faithfulness at shares of edges; and circuits as MIB keeps them.

mod decomposition;
mod graph;
mod read;
mod results;
mod seeds;
mod table;

pub use decomposition::OwnSuperposition;
pub use graph::{OwnEdge, OwnGraph};
pub use read::{
    Configuration, ConfigurationPair, LISTED_MAX, OwnAudit, OwnCurve, OwnFound, OwnSignals,
    PAIRS_MAX, PairsSummary, read,
};
pub use results::OwnResult;
pub use seeds::SeedMetric;
pub(crate) use seeds::seed;
