//! The audit: every metric of every paper on the same subjects, where the truth is known, and what it can be trusted for.
//!
//! A [`Job`] makes the subjects of one world and one seed: what was trained or found, controls that should lose, doses
//! between the two, and the same again in another guise. Every metric of the [`Registry`] that is defined on them is
//! measured, and what comes of it is [`SubjectRow`]s of plain numbers. All else, from effect sizes to words, follows from rows
//! alone, by the protocol in `docs/audit.md`.

mod advice;
mod block;
mod cells;
mod circuit;
pub mod clock;
mod controls;
mod counts;
mod decomposition;
mod entry;
mod evidence;
pub mod figures;
mod job;
mod measure;
mod memo;
mod metric;
mod metrics;
mod model_subject;
mod packed;
mod redundancy;
mod registry;
pub mod report;
mod row;
mod rule;
mod scores;
mod second_edition;
mod seeds;
pub mod settings;
pub mod single_subject;
mod study_view;
mod subject;
mod table;
mod truths;
pub mod user_files;

pub use advice::{Advice, choose_metric};
pub use circuit::Circuit;
pub use counts::{PassCounts, TestCount};
pub use decomposition::{ComparisonModels, Decomposition, EncodedModel, GroundTruth, encode_rows, transforms};
pub use entry::{
    Cell, ChangeEvidence, ControlEvidence, ControlOutcome, Correlations, Cost, DoseEvidence, Estimate, Evidence,
    LimitSensitivity, MetricEntry, Reach, Reliability, StabilityEvidence, Table, TruthEvidence, Validity,
};
pub use job::{Clock, Job, PreparedSubject, Preset};
pub use memo::Memo;
pub use metric::{AccessLevel, AnyMetricFn, Better, Metric, MetricFn, MetricInfo};
pub use model_subject::ModelSubject;
pub use packed::PackedReport;
pub use registry::Registry;
pub use report::Report;
pub use row::{MetricValue, SubjectRow};
pub use rule::{Column, Edition, Rule, VerdictWord};
pub use scores::{ScoreData, Scores};
pub use settings::Settings;
pub use study_view::StudyView;
pub use subject::{Group, Kind, Subject, World};
pub use table::{build_table, limit_sensitivity, weighted_score};
pub use truths::TRUTHS;
