//! The papers' metrics on a language model of one's own and an autoencoder in it, with texts that a rule labels.

mod activations;
mod agreement;
mod ce_bench;
mod circuits;
mod directions;
mod fade;
mod intervals;
mod metric;
mod mui;
mod steering;

pub use activations::CorpusActivations;
pub use ce_bench::{
    CeBenchOptions, CeBenchPair, CeBenchReport, CeBenchRun, CeBenchScores, ReadingIntervals, ScoreIntervals, StoryPair,
    template_pairs,
};
pub use circuits::{
    AnswerDifference, CircuitOptions, CircuitPrompt, CircuitReport, CircuitRun, CircuitTask, CircuitVerdict, Estimate,
    HeadAblationKind, HeadCircuit, HeadEffect, HeadOrder, LeftOutTask, MeasuredPrompt, OrderedCircuits, SkippedPrompts,
    TaskCircuits,
};
pub use directions::{MuiChange, MuiDirections, MuiModel, MuiModelStep, MuiTaskLaw, MuiTaskStep};
pub use fade::{ConceptFade, FadeFeature, FadeIntervals, FadeOptions, FadeReport, FadeRun, SteeredFeatures};
pub use metric::{MetricReport, MetricRequest, MetricRun, StoryFile, require_tokenizer, resolve_hook};
pub use mui::{MuiAnswer, MuiOptions, MuiReport, MuiRun, MuiTask, TaskKind};
