//! What a reader brings: logit differences with and without a circuit, of groups of prompts, of runs; a metric under
//! several seeds, results of SAEBench and of mechval among them; faithfulness at shares of edges; circuits as MIB keeps them,
//! and its results; delphi's scores and Neuronpedia's exports.

mod by_metric;
mod decomposition;
mod graph;
mod reader;
mod results;
mod seeds;
mod table;
mod tools;

pub use by_metric::{
    Configuration, ConfigurationPair, DelphiScores, DetectionScores, LISTED_PAIRS_MAX, LatentScores, MechvalResult,
    NeuronpediaSummary, OwnAudit, OwnCurve, OwnDPrime, OwnResults, OwnSuperposition, PAIRS_MAX, PairsSummary,
    SeedMetric,
};
pub use graph::{OwnEdge, OwnGraph};
pub use reader::read;
pub(crate) use seeds::seed_from_path;
