//! What of the fifteen metrics is measured, and with what parameters.

use super::metric::{METRICS, matryoshka, nla_sae, weight_lens};
use crate::settings::{Choice, FieldKind, FormGroup, Range, choice, choices_from_words, parameters, part_if_changed};
use crate::synthetic::language::Task;
use crate::toy_model::{CHECKPOINTS, DICTIONARIES, FINAL_CHECKPOINT, dictionary_choices};

/// Prompts of each task.
pub const PROMPTS_RANGE: Range = Range::integer("n_prompts", 8, 1_024);
/// Seeds of planted features and circuits.
pub const SEEDS_RANGE: Range = Range::integer("seeds", 1, 10);
/// Words, positions or features that are compared.
pub const TOP_K_RANGE: Range = Range::integer("top_k", 1, 144);
/// Features that are looked at.
pub const FEATURES_RANGE: Range = Range::integer("n_features", 1, 256);
/// Cosine distance up to which contexts are of one kind.
pub const CLUSTER_THRESHOLD_RANGE: Range = Range::real("cluster_threshold", 0.0, 2.0);
/// Relative deviation beyond which an input is flagged.
pub const MISMATCH_THRESHOLD_RANGE: Range = Range::real("mismatch_threshold", 0.0, 10.0);
/// Times that a core is taken.
pub const CYCLES_RANGE: Range = Range::integer("n_cycles", 1, 20);
/// Steps of each of M09's trainings.
pub const STEPS_RANGE: Range = Range::integer("steps", 1, 2_000);
/// Positions of the natural texts.
pub const SAMPLES_RANGE: Range = Range::integer("n_samples", 32, 2_000);
/// Times that M14's prompts are drawn again.
pub const STABILITY_RUNS_RANGE: Range = Range::integer("n_stability_runs", 0, 50);
/// Seeds under which EX24's metrics are taken.
pub const RESEEDS_RANGE: Range = Range::integer("n_reseeds", 2, 30);
/// Runs of EX25.
pub const RUNS_RANGE: Range = Range::integer("n_runs", 2, 30);

const ALL_GROUP: FormGroup = FormGroup { name: "all", heading: "All fifteen" };
const SUBJECT_GROUP: FormGroup = FormGroup { name: "subject", heading: "What is measured" };
const PARAMETERS_GROUP: FormGroup = FormGroup { name: "parameters", heading: "Parameters of the metric" };

const METRIC_CHOICES: [Choice; METRICS.len()] = {
    let mut choices = [choice("", "", ""); METRICS.len()];
    let mut at = 0;
    while at < choices.len() {
        choices[at] = choice(METRICS[at].id, METRICS[at].name, "");
        at += 1;
    }
    choices
};

const TASK_CHOICES: [Choice; Task::ALL.len()] = choices_from_words(Task::NAMES);

const CHECKPOINT_CHOICES: [Choice; CHECKPOINTS.len()] = choices_from_words(CHECKPOINTS);

/// The shipped autoencoders; the residual stream is none.
const SAE_CHOICES: [Choice; DICTIONARIES.len() - 1] = dictionary_choices(false);

/// The residual stream after each layer.
pub const HOOK_CHOICES: [Choice; 3] =
    choices_from_words(["blocks.0.hook_resid_post", "blocks.1.hook_resid_post", "blocks.2.hook_resid_post"]);

parameters! {
    /// What is measured. Out-of-range values cannot be held: it is made from a [`Draft`].
    pub struct Settings of "measurement", in TypeScript "MeasurementSettings", where n_prompts gives way;

    /// Prompts of each task.
    n_prompts: usize = 128, ("n", ALL_GROUP, "Prompts", "Prompts of each task of the toy model"),
        FieldKind::Number(PROMPTS_RANGE), part_if_changed(0, "-n");
    /// How many seeds.
    seeds: u32 = 3, ("seeds", ALL_GROUP, "Seeds",
        "Draws of planted features and circuits, and of autoencoders that are trained for this"),
        FieldKind::Number(SEEDS_RANGE), part_if_changed(1, "-seeds");
    /// The metric that is opened, by its id: "m07".
    metric: String = METRICS[0].id.to_owned(), ("metric", SUBJECT_GROUP, "Metric", "Which of the fifteen is opened"),
        FieldKind::Choice(&METRIC_CHOICES), part_if_changed(2, "-");
    /// The autoencoder that is measured.
    sae: String = "topk256".to_owned(),
        ("sae", SUBJECT_GROUP, "Autoencoder", "Autoencoder that is measured; M11’s large one"),
        FieldKind::Choice(&SAE_CHOICES), part_if_changed(3, "-");
    /// M07's other one.
    beside: String = "relu256".to_owned(),
        ("beside", SUBJECT_GROUP, "Compared with", "Autoencoder that M07 compares it with"),
        FieldKind::Choice(&SAE_CHOICES), part_if_changed(4, "-beside-");
    /// M11's small one.
    small: String = "topk128".to_owned(),
        ("small", SUBJECT_GROUP, "Small autoencoder", "Autoencoder whose features M11 looks for in the large one"),
        FieldKind::Choice(&SAE_CHOICES), part_if_changed(5, "-small-");
    /// Where M13 takes the residual stream.
    hook: String = HOOK_CHOICES[1].word.to_owned(), ("hook", SUBJECT_GROUP, "Hook", "Where M13 takes the residual stream"),
        FieldKind::Choice(&HOOK_CHOICES), part_if_changed(6, "-");
    /// The name of the checkpoint.
    checkpoint: String = FINAL_CHECKPOINT.to_owned(), ("ck", SUBJECT_GROUP, "Checkpoint", "Weights of the toy model"),
        FieldKind::Choice(&CHECKPOINT_CHOICES), part_if_changed(7, "-");
    /// The task whose circuit is measured.
    task: String = Task::Ioi.name().to_owned(), ("task", SUBJECT_GROUP, "Task", "Task whose circuit is measured"),
        FieldKind::Choice(&TASK_CHOICES), part_if_changed(8, "-");
    /// Words, positions or features that are compared: of M08 50 by default, else 20.
    top_k: usize = default_k_and_features(METRICS[0].id).0,
        ("k", PARAMETERS_GROUP, "k", "Words, positions or features that are compared; of M10 contexts of a feature"),
        FieldKind::Number(TOP_K_RANGE), part_if_changed(9, "-k");
    /// Features that are looked at: of EX34 64 by default, else 100.
    n_features: usize = default_k_and_features(METRICS[0].id).1, ("features", PARAMETERS_GROUP, "Features", "Features that are looked at"),
        FieldKind::Number(FEATURES_RANGE), part_if_changed(10, "-features");
    /// M10's.
    cluster_threshold: f64 = 0.5,
        ("cut", PARAMETERS_GROUP, "Cluster threshold", "Cosine distance up to which contexts are of one kind"),
        FieldKind::Number(CLUSTER_THRESHOLD_RANGE), part_if_changed(11, "-cut");
    /// M12's.
    mismatch_threshold: f64 = super::toy_model::MISMATCH_THRESHOLD_DEFAULT,
        ("mismatch", PARAMETERS_GROUP, "Mismatch threshold", "Relative deviation beyond which an input is flagged"),
        FieldKind::Number(MISMATCH_THRESHOLD_RANGE), part_if_changed(12, "-mismatch");
    /// M09's.
    n_cycles: usize = 3, ("cycles", PARAMETERS_GROUP, "Cycles", "How often a core is kept and the rest resampled"),
        FieldKind::Number(CYCLES_RANGE), part_if_changed(13, "-cycles");
    /// Of each training of M09.
    steps: u32 = 200, ("steps", PARAMETERS_GROUP, "Steps", "Steps of each training of M09"),
        FieldKind::Number(STEPS_RANGE), part_if_changed(14, "-steps");
    /// Positions that M13 and EX34 take.
    n_samples: usize = super::toy_model::POSITIONS_SEED_AND_COUNT.1,
        ("samples", PARAMETERS_GROUP, "Samples", "Positions of the natural texts that M13 and EX34 take"),
        FieldKind::Number(SAMPLES_RANGE), part_if_changed(15, "-samples");
    /// M14's.
    n_stability_runs: usize = super::metric::safety_sve::STABILITY_RUNS,
        ("stability", PARAMETERS_GROUP, "Stability runs", "How often M14’s prompts are drawn again"),
        FieldKind::Number(STABILITY_RUNS_RANGE), part_if_changed(16, "-stability");
    /// EX24's.
    n_reseeds: u32 = 5, ("reseeds", PARAMETERS_GROUP, "Reseeds", "Seeds under which EX24’s metrics are taken"),
        FieldKind::Number(RESEEDS_RANGE), part_if_changed(17, "-reseeds");
    /// EX25's.
    n_runs: u32 = 5, ("runs", PARAMETERS_GROUP, "Runs", "Runs that EX25 compares"),
        FieldKind::Number(RUNS_RANGE), part_if_changed(18, "-runs");

    {
        fn defaults_for(draft: &Draft) -> Self {
            let default = Self::default();
            let (top_k, n_features) = default_k_and_features(draft.metric.as_ref().unwrap_or(&default.metric));
            Self { top_k, n_features, ..default }
        }
    }
}

impl Settings {
    /// The task whose circuit is measured.
    #[must_use]
    pub fn task(&self) -> Task {
        Task::from_name(&self.task).unwrap_or(Task::Ioi)
    }

    /// The layer after which M13 takes the residual stream.
    #[must_use]
    pub fn layer_index(&self) -> usize {
        HOOK_CHOICES.iter().position(|hook| hook.word == self.hook).unwrap_or(crate::toy_model::AUTOENCODER_LAYER)
    }
}

/// What a metric takes where nothing is said: k, and how many features.
#[must_use]
pub fn default_k_and_features(metric: &str) -> (usize, usize) {
    let k = match metric {
        "m08" => weight_lens::TOP_K,
        "ex34" => nla_sae::TOP_K,
        _ => matryoshka::TOP_K,
    };
    (k, if metric == "ex34" { super::toy_model::DIRECTIONS_MAX } else { 100 })
}
