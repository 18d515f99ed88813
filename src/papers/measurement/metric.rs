//! The fifteen metrics, a file each: its formula in both readings, its thresholds and its table as data.

mod about;
mod activations;
pub mod adaptive_sparsity;
pub mod architecture_duality;
mod audit;
mod circuit;
pub mod core_stability;
mod d_prime;
mod decomposition_error;
mod dif;
mod directions;
mod faithfulness_curve;
pub mod matryoshka;
pub mod nla_sae;
pub mod polysemanticity;
mod probe;
mod quantities;
mod reading;
mod reproducibility;
pub mod safety_sve;
pub mod superposition;
mod top_k;
mod weber;
pub mod weight_lens;

pub use crate::model::{EdgeGraph, GraphEdge, InputKind, Node, UnknownNameError};
pub use about::{Condition, Formula, InterpretationRow, MetricDescription, PassConditions, Relation, all_hold};
pub(crate) use about::{conditions, table};
pub use activations::Activations;
pub use audit::{
    ABOUT as AUDIT, AUDIT_SEEDS, AuditAggregate, AuditAsCoded, AuditAsDocumented, audit_aggregate, audit_as_coded,
    audit_as_documented, coefficient_of_variation,
};
pub use circuit::{LOGIT_DIFFERENCE_SUM_MIN, ablation_recovery, completeness, faithfulness, normalised_faithfulness};
pub use d_prime::{ABOUT as D_PRIME, DPrime, d_prime};
pub use decomposition_error::DecompositionError;
pub use dif::{ABOUT as DIF, Dif, DifGroup, DifPair, dif};
pub use directions::chance_agreement;
pub(super) use directions::{NearestCosines, unit_rows};
pub(crate) use faithfulness_curve::effect_lookup;
pub use faithfulness_curve::{
    ABOUT as FAITHFULNESS_CURVE, CurveError, FaithfulnessArea, HeadEdge, THRESHOLDS, count_kept_edges, edge_score,
    edges_by_score, edges_in_code_order, faithfulness_area, head_edges, heads_at_thresholds, heads_of_edges,
};
pub use probe::{INPUTS_MAX, Probe, ProbeError, ProbeScore, TrainTestSplit, probe_accuracy, train_test_split};
pub(crate) use quantities::{QuantityValue, quantities};
pub use reading::Reading;
pub use reproducibility::{
    ABOUT as REPRODUCIBILITY, RELATIVE_DEVIATION_MAX, Reproducibility, RunsAggregate, RunsError, SUMMARY_CONDITIONS,
    reproducibility, runs_aggregate, subsample,
};
pub(super) use weber::consistency;
pub use weber::{ABOUT as WEBER, DoseResponse, NOTICED_DROP_MIN, REDUCED_STRENGTH, SCALES, Weber, weber};

/// What is said of each of the fifteen, as the text has them in its summary.
pub const METRICS: [&MetricDescription; 15] = [
    &architecture_duality::ABOUT,
    &weight_lens::ABOUT,
    &core_stability::ABOUT,
    &polysemanticity::ABOUT,
    &matryoshka::ABOUT,
    &adaptive_sparsity::ABOUT,
    &superposition::ABOUT,
    &safety_sve::ABOUT,
    &D_PRIME,
    &DIF,
    &WEBER,
    &AUDIT,
    &REPRODUCIBILITY,
    &nla_sae::ABOUT,
    &FAITHFULNESS_CURVE,
];
