//! What of the fifteen metrics is measured, and with what parameters.

use serde::{Deserialize, Serialize};

use super::metric::{METRICS, matryoshka, nla_sae, weight_lens};
use crate::settings::{
    Choice, Field, Group, Kind, Parameters, Problems, Range, changed, check, of_words, wish,
};
use crate::synthetic::language::Task;
use crate::toy_model::{CHECKPOINTS, DICTIONARIES, FINAL, choices};

/// Prompts of each task.
pub const PROMPTS: Range = Range::whole("n_prompts", 8, 1_024);
/// Seeds of planted features and circuits.
pub const SEEDS: Range = Range::whole("seeds", 1, 10);
/// Words, positions or features that are compared.
pub const TOP_K: Range = Range::whole("top_k", 1, 144);
/// Features that are looked at.
pub const FEATURES: Range = Range::whole("n_features", 1, 256);
/// Cosine distance up to which contexts are of one kind.
pub const CUT: Range = Range::real("cluster_threshold", 0.0, 2.0);
/// Relative deviation beyond which an input is flagged.
pub const MISMATCH: Range = Range::real("mismatch_threshold", 0.0, 10.0);
/// Times that a core is taken.
pub const CYCLES: Range = Range::whole("n_cycles", 1, 20);
/// Steps of each of M09's trainings.
pub const STEPS: Range = Range::whole("steps", 1, 2_000);
/// Positions of the natural texts.
pub const SAMPLES: Range = Range::whole("n_samples", 32, 2_000);
/// Times that M14's prompts are drawn again.
pub const STABILITY: Range = Range::whole("n_stability_runs", 0, 50);
/// Seeds under which EX24's metrics are taken.
pub const RESEEDS: Range = Range::whole("n_reseeds", 2, 30);
/// Runs of EX25.
pub const RUNS: Range = Range::whole("n_runs", 2, 30);

const ALL: Group = Group { name: "all", heading: "All fifteen" };
const SUBJECT: Group = Group { name: "subject", heading: "What is measured" };
const PARAMETERS: Group = Group { name: "parameters", heading: "Parameters of the metric" };

const METRIC_NAMES: [Choice; METRICS.len()] = {
    let mut choices = [Choice { word: "", label: "", help: "" }; METRICS.len()];
    let mut at = 0;
    while at < choices.len() {
        choices[at] = Choice { word: METRICS[at].id, label: METRICS[at].name, help: "" };
        at += 1;
    }
    choices
};

const TASKS: [Choice; Task::ALL.len()] = of_words(Task::NAMES);

const WEIGHTS: [Choice; CHECKPOINTS.len()] = of_words(CHECKPOINTS);

/// The shipped autoencoders; the residual stream is none.
const SAES: [Choice; DICTIONARIES.len() - 1] = choices(false);

/// The residual stream after each layer.
pub const HOOKS: [Choice; 3] =
    of_words(["blocks.0.hook_resid_post", "blocks.1.hook_resid_post", "blocks.2.hook_resid_post"]);

/// Every knob, in the order in which a link has them.
pub const FIELDS: [Field; 19] = [
    Field {
        name: "n_prompts",
        key: "n",
        group: ALL,
        label: "Prompts",
        help: "Prompts of each task of the little model",
        kind: Kind::Number(PROMPTS),
        part: changed(0, "-n"),
    },
    Field {
        name: "seeds",
        key: "seeds",
        group: ALL,
        label: "Seeds",
        help: "Draws of planted features and circuits, and of autoencoders that are trained for this",
        kind: Kind::Number(SEEDS),
        part: changed(1, "-seeds"),
    },
    Field {
        name: "metric",
        key: "metric",
        group: SUBJECT,
        label: "Metric",
        help: "Which of the fifteen is opened",
        kind: Kind::Choice(&METRIC_NAMES),
        part: changed(2, "-"),
    },
    Field {
        name: "sae",
        key: "sae",
        group: SUBJECT,
        label: "Autoencoder",
        help: "Autoencoder that is measured; M11’s large one",
        kind: Kind::Choice(&SAES),
        part: changed(3, "-"),
    },
    Field {
        name: "beside",
        key: "beside",
        group: SUBJECT,
        label: "The other one",
        help: "Autoencoder that M07 holds it against",
        kind: Kind::Choice(&SAES),
        part: changed(4, "-beside-"),
    },
    Field {
        name: "small",
        key: "small",
        group: SUBJECT,
        label: "Small one",
        help: "Autoencoder whose features M11 looks for in the large one",
        kind: Kind::Choice(&SAES),
        part: changed(5, "-small-"),
    },
    Field {
        name: "hook",
        key: "hook",
        group: SUBJECT,
        label: "Hook",
        help: "Where M13 takes the residual stream",
        kind: Kind::Choice(&HOOKS),
        part: changed(6, "-"),
    },
    Field {
        name: "checkpoint",
        key: "ck",
        group: SUBJECT,
        label: "Checkpoint",
        help: "Weights of the little model",
        kind: Kind::Choice(&WEIGHTS),
        part: changed(7, "-"),
    },
    Field {
        name: "task",
        key: "task",
        group: SUBJECT,
        label: "Task",
        help: "Task whose circuit is measured",
        kind: Kind::Choice(&TASKS),
        part: changed(8, "-"),
    },
    Field {
        name: "top_k",
        key: "k",
        group: PARAMETERS,
        label: "k",
        help: "Words, positions or features that are compared; of M10 contexts of a feature",
        kind: Kind::Number(TOP_K),
        part: changed(9, "-k"),
    },
    Field {
        name: "n_features",
        key: "features",
        group: PARAMETERS,
        label: "Features",
        help: "Features that are looked at",
        kind: Kind::Number(FEATURES),
        part: changed(10, "-features"),
    },
    Field {
        name: "cluster_threshold",
        key: "cut",
        group: PARAMETERS,
        label: "Cluster threshold",
        help: "Cosine distance up to which contexts are of one kind",
        kind: Kind::Number(CUT),
        part: changed(11, "-cut"),
    },
    Field {
        name: "mismatch_threshold",
        key: "mismatch",
        group: PARAMETERS,
        label: "Mismatch threshold",
        help: "Relative deviation beyond which an input is flagged",
        kind: Kind::Number(MISMATCH),
        part: changed(12, "-mismatch"),
    },
    Field {
        name: "n_cycles",
        key: "cycles",
        group: PARAMETERS,
        label: "Cycles",
        help: "How often a core is taken and the rest drawn anew",
        kind: Kind::Number(CYCLES),
        part: changed(13, "-cycles"),
    },
    Field {
        name: "steps",
        key: "steps",
        group: PARAMETERS,
        label: "Steps",
        help: "Steps of each training of M09",
        kind: Kind::Number(STEPS),
        part: changed(14, "-steps"),
    },
    Field {
        name: "n_samples",
        key: "samples",
        group: PARAMETERS,
        label: "Samples",
        help: "Positions of the natural texts that M13 and EX34 take",
        kind: Kind::Number(SAMPLES),
        part: changed(15, "-samples"),
    },
    Field {
        name: "n_stability_runs",
        key: "stability",
        group: PARAMETERS,
        label: "Stability runs",
        help: "How often M14’s prompts are drawn again",
        kind: Kind::Number(STABILITY),
        part: changed(16, "-stability"),
    },
    Field {
        name: "n_reseeds",
        key: "reseeds",
        group: PARAMETERS,
        label: "Reseeds",
        help: "Seeds under which EX24’s metrics are taken",
        kind: Kind::Number(RESEEDS),
        part: changed(17, "-reseeds"),
    },
    Field {
        name: "n_runs",
        key: "runs",
        group: PARAMETERS,
        label: "Runs",
        help: "Runs that EX25 compares",
        kind: Kind::Number(RUNS),
        part: changed(18, "-runs"),
    },
];

wish! {
    /// Somebody's wish for [`Settings`], unchecked.
    pub struct Draft {
        n_prompts: Number,
        seeds: Number,
        metric: Word,
        sae: Word,
        beside: Word,
        small: Word,
        hook: Word,
        checkpoint: Word,
        task: Word,
        top_k: Number,
        n_features: Number,
        cluster_threshold: Number,
        mismatch_threshold: Number,
        n_cycles: Number,
        steps: Number,
        n_samples: Number,
        n_stability_runs: Number,
        n_reseeds: Number,
        n_runs: Number,
    }
}

/// What is measured. Out-of-range values cannot be held: it is made from a [`Draft`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MeasurementSettings"))]
#[serde(try_from = "Draft")]
pub struct Settings {
    /// Prompts of each task.
    pub n_prompts: usize,
    /// How many seeds.
    pub seeds: u32,
    /// The metric that is opened, by its id: "m07".
    pub metric: String,
    /// The autoencoder that is measured.
    pub sae: String,
    /// M07's other one.
    pub beside: String,
    /// M11's small one.
    pub small: String,
    /// Where M13 takes the residual stream.
    pub hook: String,
    /// The name of the checkpoint.
    pub checkpoint: String,
    /// The task whose circuit is measured.
    pub task: String,
    /// Words, positions or features that are compared: of M08 50 by default, else 20.
    pub top_k: usize,
    /// Features that are looked at: of EX34 64 by default, else 100.
    pub n_features: usize,
    /// M10's.
    pub cluster_threshold: f64,
    /// M12's.
    pub mismatch_threshold: f64,
    /// M09's.
    pub n_cycles: usize,
    /// Of each training of M09.
    pub steps: u32,
    /// Positions that M13 and EX34 take.
    pub n_samples: usize,
    /// M14's.
    pub n_stability_runs: usize,
    /// EX24's.
    pub n_reseeds: u32,
    /// EX25's.
    pub n_runs: u32,
}

impl Settings {
    /// The task whose circuit is measured.
    #[must_use]
    pub fn task(&self) -> Task {
        Task::named(&self.task).unwrap_or(Task::Ioi)
    }

    /// The layer after which M13 takes the residual stream.
    #[must_use]
    pub fn layer(&self) -> usize {
        HOOKS.iter().position(|hook| hook.word == self.hook).unwrap_or(crate::toy_model::LAYER)
    }
}

/// The fields that one metric, opened, depends on; all have the prompts of the tasks and the seeds beside them.
#[must_use]
pub fn takes(metric: &str) -> &'static [&'static str] {
    match metric {
        "m07" => &["sae", "beside", "checkpoint"],
        "m08" => &["sae", "top_k", "checkpoint"],
        "m09" => &["sae", "n_cycles", "steps", "checkpoint"],
        "m10" => &["sae", "top_k", "n_features", "cluster_threshold", "checkpoint"],
        "m11" => &["sae", "small", "top_k", "checkpoint"],
        "m12" => &["sae", "mismatch_threshold", "checkpoint"],
        "m13" => &["sae", "hook", "n_samples", "checkpoint"],
        "m14" => &["checkpoint", "n_stability_runs"],
        "ex24" => &["checkpoint", "task", "n_reseeds"],
        "ex25" => &["checkpoint", "task", "n_runs"],
        "ex34" => &["sae", "top_k", "n_features", "n_samples", "checkpoint"],
        _ => &["checkpoint", "task"],
    }
}

/// What a metric takes where nothing is said: k, and how many features.
#[must_use]
pub fn usual(metric: &str) -> (usize, usize) {
    let k = match metric {
        "m08" => weight_lens::TOP_K,
        "ex34" => nla_sae::TOP_K,
        _ => matryoshka::TOP_K,
    };
    (k, if metric == "ex34" { super::toy_model::DIRECTIONS } else { 100 })
}

impl Default for Settings {
    fn default() -> Self {
        let [metric, sae, beside, small] =
            [METRICS[0].id, "topk256", "relu256", "topk128"].map(str::to_owned);
        let [hook, checkpoint, task] = [HOOKS[1].word, FINAL, Task::Ioi.name()].map(str::to_owned);
        let (top_k, n_features) = usual(&metric);
        Self {
            n_prompts: 128,
            seeds: 3,
            metric,
            sae,
            beside,
            small,
            hook,
            checkpoint,
            task,
            top_k,
            n_features,
            cluster_threshold: 0.5,
            mismatch_threshold: super::toy_model::THRESHOLD,
            n_cycles: 3,
            steps: 200,
            n_samples: super::toy_model::POSITIONS.1,
            n_stability_runs: super::metric::safety_sve::STABILITY_RUNS,
            n_reseeds: 5,
            n_runs: 5,
        }
    }
}

impl TryFrom<Draft> for Settings {
    type Error = Problems;

    fn try_from(draft: Draft) -> Result<Self, Problems> {
        check(&draft)
    }
}

impl Parameters for Settings {
    type ParameterDraft = Draft;
    const STUDY: &'static str = "measurement";
    const FIELDS: &'static [Field] = &FIELDS;
    const GIVES_WAY: &'static str = "n_prompts";

    fn fill(wish: &Draft) -> Self {
        let default = Self::default();
        let word = |wish: &Option<String>, default| wish.clone().unwrap_or(default);
        let whole = |wish: Option<f64>, default| wish.map_or(default, |value| value as usize);
        let number = |wish: Option<f64>, default| wish.map_or(default, |value| value as u32);
        let metric = word(&wish.metric, default.metric);
        let (top_k, n_features) = usual(&metric);
        Self {
            n_prompts: whole(wish.n_prompts, default.n_prompts),
            seeds: number(wish.seeds, default.seeds),
            sae: word(&wish.sae, default.sae),
            beside: word(&wish.beside, default.beside),
            small: word(&wish.small, default.small),
            hook: word(&wish.hook, default.hook),
            checkpoint: word(&wish.checkpoint, default.checkpoint),
            task: word(&wish.task, default.task),
            top_k: whole(wish.top_k, top_k),
            n_features: whole(wish.n_features, n_features),
            cluster_threshold: wish.cluster_threshold.unwrap_or(default.cluster_threshold),
            mismatch_threshold: wish.mismatch_threshold.unwrap_or(default.mismatch_threshold),
            n_cycles: whole(wish.n_cycles, default.n_cycles),
            steps: number(wish.steps, default.steps),
            n_samples: whole(wish.n_samples, default.n_samples),
            n_stability_runs: whole(wish.n_stability_runs, default.n_stability_runs),
            n_reseeds: number(wish.n_reseeds, default.n_reseeds),
            n_runs: number(wish.n_runs, default.n_runs),
            metric,
        }
    }

    fn wish(&self) -> Draft {
        let word = |value: &String| Some(value.clone());
        let whole = |value: usize| Some(value as f64);
        Draft {
            n_prompts: whole(self.n_prompts),
            seeds: Some(f64::from(self.seeds)),
            metric: word(&self.metric),
            sae: word(&self.sae),
            beside: word(&self.beside),
            small: word(&self.small),
            hook: word(&self.hook),
            checkpoint: word(&self.checkpoint),
            task: word(&self.task),
            top_k: whole(self.top_k),
            n_features: whole(self.n_features),
            cluster_threshold: Some(self.cluster_threshold),
            mismatch_threshold: Some(self.mismatch_threshold),
            n_cycles: whole(self.n_cycles),
            steps: Some(f64::from(self.steps)),
            n_samples: whole(self.n_samples),
            n_stability_runs: whole(self.n_stability_runs),
            n_reseeds: Some(f64::from(self.n_reseeds)),
            n_runs: Some(f64::from(self.n_runs)),
        }
    }
}
