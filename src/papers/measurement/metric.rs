//! The fifteen metrics, a file each: its formula in both readings, its thresholds and its table as data.

mod about;
mod audit;
mod circuit;
mod d_prime;
mod dif;
mod faithfulness_curve;
mod probe;
mod reproducibility;
mod weber;

pub use crate::model::{EdgeGraph, GraphEdge, NoSuchName, Node, Reads};
pub use about::{About, Condition, Passes, Relation, Row, all_hold};
pub use audit::{
    ABOUT as AUDIT, AUDIT_SEEDS, AuditAggregate, AuditCode, AuditDocument, audit_aggregate,
    audit_code, audit_document, coefficient_of_variation,
};
pub use circuit::{
    NOTHING, ablation_recovery, completeness, faithfulness, normalised_faithfulness,
};
pub use d_prime::{ABOUT as D_PRIME, DPrime, d_prime};
pub use dif::{ABOUT as DIF, Dif, DifGroup, DifPair, dif};
pub use faithfulness_curve::{
    ABOUT as FAITHFULNESS_CURVE, CurveError, FaithfulnessArea, HeadEdge, THRESHOLDS, code_order,
    edge_heads, edge_score, faithfulness_area, head_edges, kept_edges, kept_heads, ranked_order,
};
pub use probe::{INPUTS_MAX, Probe, ProbeError, ProbeScore, Split, probe_accuracy, split};
pub use reproducibility::{
    ABOUT as REPRODUCIBILITY, DEVIATION, Reproducibility, RunsError, SUMMARY, reproducibility,
    subsample,
};
pub use weber::{ABOUT as WEBER, Doses, NOTICED, REDUCED, SCALES, Weber, weber};
