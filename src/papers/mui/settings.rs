//! What is shown of the paper's tables, and what a measurement of the index on the toy model is made of.

use serde::{Deserialize, Serialize};

use super::claims::BASE_MODELS;
use super::metric::{Reading, Threshold};
use super::printed::DATA_SETS;
use super::tables::ALPHA;
use super::training::TrainingData;
use crate::model::Config;
use crate::settings::{
    Choice, Field, Group, Kind, Parameters, Problems, Range, changed, check, of_words, wish,
};
use crate::synthetic::language::Task;
use crate::toy_model::{CHECKPOINTS, FINAL};

/// Exponent of the index in PUR.
pub const ALPHAS: Range = Range::real("alpha", 0.0, 2.0);
/// Prompts of each task.
pub const PROMPTS: Range = Range::whole("prompts", 1, 1_024);
/// Neurons of a layer that count as used by one answer.
pub const K: Range = Range::whole("k", 1, 192);
/// Share of the largest score from which on a neuron counts, or of a layer's neurons.
pub const SHARE: Range = Range::real("share", 0.001, 1.0);

/// Steps of a training.
pub const STEPS: Range = Range::whole("steps", 1, 20_000);
/// The highest rate of learning.
pub const RATE: Range = Range::real("rate", 1e-5, 0.02);
/// Trainings that differ in their seeds alone.
pub const SEEDS: Range = Range::whole("seeds", 1, 8);
/// Layers of a model that is trained from nothing.
pub const LAYERS: Range = Range::whole("layers", 1, 4);

const PAPER: Group = Group { name: "paper", heading: "The paper’s tables" };
const SUBJECT: Group = Group { name: "subject", heading: "What is measured" };
const SELECTION: Group = Group { name: "selection", heading: "What counts as used" };

const TRAINING: Group = Group { name: "training", heading: "What is trained" };

const NAMES: [Choice; CHECKPOINTS.len()] = of_words(CHECKPOINTS);
const SETS: [Choice; DATA_SETS.len()] = of_words(DATA_SETS);
/// Nothing left out.
pub const NONE: &str = "none";
const WITHOUT: [Choice; BASE_MODELS.len() + 1] = {
    let mut choices = [Choice { word: NONE, label: "none", help: "" }; BASE_MODELS.len() + 1];
    let models = of_words(BASE_MODELS);
    let mut at = 0;
    while at < models.len() {
        choices[at + 1] = models[at];
        at += 1;
    }
    choices
};

pub(super) const REFERENCES: [Choice; 3] = [
    Choice {
        word: "paper",
        label: "the paper’s, by hand",
        help: "Ordered by hand, guided by the plot of performance and index",
    },
    Choice { word: "accuracy", label: "mean accuracy", help: "Over the six data sets of Table 1" },
    Choice {
        word: "gsm8k",
        label: "GSM8K",
        help: "With which, as the paper says, the Arena’s scores go along at up to 0.9",
    },
];

const TASKS: [Choice; Task::ALL.len()] = of_words(Task::NAMES);

/// The score that is an activation.
pub(super) const ACTIVATION: &str = "activation";
/// The score that is a gradient along a path.
pub(super) const INTEGRATED_GRADIENTS: &str = "integrated-gradients";

pub(super) const SCORES: [Choice; 3] = [
    Choice {
        word: "contribution",
        label: "contribution",
        help: "What the neuron adds to the logit of the word, directly (Eq. 2)",
    },
    Choice { word: ACTIVATION, label: "activation", help: "The neuron’s activation (Eq. 13)" },
    Choice {
        word: INTEGRATED_GRADIENTS,
        label: "integrated gradients",
        help: "What ln p of the word gains along the way from nothing to the activation, through all later layers \
               (Eq. 14)",
    },
];

const THRESHOLDS: [Choice; 4] = [
    Choice { word: "topk", label: "top k of each layer", help: "" },
    Choice { word: "global-topk", label: "top k of all layers", help: "" },
    Choice { word: "top-share", label: "a share of each layer", help: "The paper’s is 0.001" },
    Choice { word: "topscore", label: "a share of the largest score", help: "" },
];

const WORDS: [Choice; 2] = [
    Choice { word: "answer", label: "the right answer", help: "" },
    Choice {
        word: "own",
        label: "the model’s own",
        help: "The word that the model finds likeliest",
    },
];

const READINGS: [Choice; 2] = [
    Choice {
        word: "document",
        label: "the paper’s",
        help: "At the last position before the word; all that reach the threshold",
    },
    Choice {
        word: "code", label: "the code’s", help: "At the word’s own position; ties cut off"
    },
];

/// Weights drawn anew by the seed, in the place of a checkpoint.
pub const NEW: &str = "new";
const BEGINNINGS: [Choice; CHECKPOINTS.len() + 1] = {
    let mut choices = [Choice { word: NEW, label: "new weights", help: "" }; CHECKPOINTS.len() + 1];
    let mut at = 0;
    while at < CHECKPOINTS.len() {
        choices[at + 1] = NAMES[at];
        at += 1;
    }
    choices
};

const LESSONS: [Choice; 4] = [
    Choice {
        word: "test",
        label: "its test items",
        help: "Half texts of the language, half the task’s own 128 test items",
    },
    Choice { word: "task", label: "one task", help: "Exercises of one task alone" },
    Choice {
        word: "half",
        label: "half of the tasks",
        help: "Exercises of the first five tasks, each as often",
    },
    Choice { word: "language", label: "the whole language", help: "As the little model was" },
];

const WIDTHS: [Choice; 4] = of_words(["48", "32", "24", "16"]);

/// Every knob, in the order in which a link has them.
pub const FIELDS: [Field; 22] = [
    Field {
        name: "data_set",
        key: "set",
        group: PAPER,
        label: "Data set",
        help: "Data set of the paper whose law, steps and thresholds are drawn",
        kind: Kind::Choice(&SETS),
        part: changed(0, "-"),
    },
    Field {
        name: "without",
        key: "without",
        group: PAPER,
        label: "Left out",
        help: "A model that the law is fitted without",
        kind: Kind::Choice(&WITHOUT),
        part: changed(1, "-without-"),
    },
    Field {
        name: "alpha",
        key: "alpha",
        group: PAPER,
        label: "α",
        help: "Exponent of the index in PUR = P / MUI^α; 0 is performance alone",
        kind: Kind::Number(ALPHAS),
        part: changed(2, "-alpha"),
    },
    Field {
        name: "reference",
        key: "ref",
        group: PAPER,
        label: "Reference ranking",
        help: "What the models of Table 1 are held against",
        kind: Kind::Choice(&REFERENCES),
        part: changed(3, "-"),
    },
    Field {
        name: "task",
        key: "task",
        group: SUBJECT,
        label: "Task",
        help: "Task of the little model that is opened",
        kind: Kind::Choice(&TASKS),
        part: changed(4, "-"),
    },
    Field {
        name: "checkpoint",
        key: "ck",
        group: SUBJECT,
        label: "Checkpoint",
        help: "Weights of the little model",
        kind: Kind::Choice(&NAMES),
        part: changed(5, "-"),
    },
    Field {
        name: "prompts",
        key: "n",
        group: SUBJECT,
        label: "Prompts",
        help: "Prompts of each task: the index grows with their number by construction",
        kind: Kind::Number(PROMPTS),
        part: changed(6, "-n"),
    },
    Field {
        name: "score",
        key: "score",
        group: SELECTION,
        label: "Score",
        help: "How much a neuron has to do with an answer",
        kind: Kind::Choice(&SCORES),
        part: changed(7, "-"),
    },
    Field {
        name: "threshold",
        key: "by",
        group: SELECTION,
        label: "Threshold",
        help: "From what score on a neuron counts as used",
        kind: Kind::Choice(&THRESHOLDS),
        part: changed(8, "-"),
    },
    Field {
        name: "k",
        key: "k",
        group: SELECTION,
        label: "k",
        help: "Neurons that count as used by one answer, of each layer or of all, where the threshold is a number of \
               them",
        kind: Kind::Number(K),
        part: changed(9, "-k"),
    },
    Field {
        name: "share",
        key: "share",
        group: SELECTION,
        label: "Share",
        help: "The share, where the threshold is one",
        kind: Kind::Number(SHARE),
        part: changed(10, "-share"),
    },
    Field {
        name: "word",
        key: "word",
        group: SELECTION,
        label: "Word",
        help: "Whose contributions are scored: the right answer’s, or those of what the model says",
        kind: Kind::Choice(&WORDS),
        part: changed(11, "-"),
    },
    Field {
        name: "reading",
        key: "reading",
        group: SELECTION,
        label: "Reading",
        help: "Where the paper and its code differ, which is followed",
        kind: Kind::Choice(&READINGS),
        part: changed(12, "-"),
    },
    Field {
        name: "begin",
        key: "from",
        group: TRAINING,
        label: "Going on from",
        help: "Weights that a training begins with",
        kind: Kind::Choice(&BEGINNINGS),
        part: changed(13, "-from-"),
    },
    Field {
        name: "lessons",
        key: "on",
        group: TRAINING,
        label: "Learning from",
        help: "What is learnt from",
        kind: Kind::Choice(&LESSONS),
        part: changed(14, "-on-"),
    },
    Field {
        name: "taught",
        key: "taught",
        group: TRAINING,
        label: "Task that is taught",
        help: "The task that is trained on, where it is one; the others are beside it",
        kind: Kind::Choice(&TASKS),
        part: changed(15, "-"),
    },
    Field {
        name: "steps",
        key: "steps",
        group: TRAINING,
        label: "Steps",
        help: "Steps of 64 texts of 32 tokens",
        kind: Kind::Number(STEPS),
        part: changed(16, "-steps"),
    },
    Field {
        name: "rate",
        key: "rate",
        group: TRAINING,
        label: "Rate of learning",
        help: "The highest: it rises over the first twentieth of the steps, a hundred at most, and falls to a fiftieth \
               over the last two fifths",
        kind: Kind::Number(RATE),
        part: changed(17, "-rate"),
    },
    Field {
        name: "seed",
        key: "seed",
        group: TRAINING,
        label: "Seed",
        help: "Of the first training’s texts, and of new weights; others count on from it",
        kind: Kind::Seed,
        part: changed(18, "-seed"),
    },
    Field {
        name: "seeds",
        key: "seeds",
        group: TRAINING,
        label: "Seeds",
        help: "As many trainings that differ in their seeds alone",
        kind: Kind::Number(SEEDS),
        part: changed(19, "-seeds"),
    },
    Field {
        name: "layers",
        key: "layers",
        group: TRAINING,
        label: "Layers",
        help: "Layers of a model that begins with new weights",
        kind: Kind::Number(LAYERS),
        part: changed(20, "-layers"),
    },
    Field {
        name: "width",
        key: "width",
        group: TRAINING,
        label: "Width",
        help: "Width of the residual stream of a model that begins with new weights; a layer has four times as many \
               neurons",
        kind: Kind::Choice(&WIDTHS),
        part: changed(21, "-width"),
    },
];

wish! {
    /// Somebody's wish for [`Settings`], unchecked.
    pub struct Draft {
        data_set: Word,
        without: Word,
        alpha: Number,
        reference: Word,
        task: Word,
        checkpoint: Word,
        prompts: Number,
        score: Word,
        threshold: Word,
        k: Number,
        share: Number,
        word: Word,
        reading: Word,
        begin: Word,
        lessons: Word,
        taught: Word,
        steps: Number,
        rate: Number,
        seed: Number,
        seeds: Number,
        layers: Number,
        width: Word,
    }
}

/// What a measurement is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiSettings"))]
#[serde(try_from = "Draft")]
pub struct Settings {
    /// The data set of the paper that is opened.
    pub data_set: String,
    /// A model that the law is fitted without, or "none".
    pub without: String,
    /// Exponent of the index in PUR.
    pub alpha: f64,
    /// "paper", "accuracy" or "gsm8k".
    pub reference: String,
    /// The task of the toy model that is opened.
    pub task: String,
    /// The name of the checkpoint.
    pub checkpoint: String,
    /// Prompts of each task.
    pub prompts: usize,
    /// "contribution", "activation" or "integrated-gradients".
    pub score: String,
    /// "topk", "global-topk", "top-share" or "topscore".
    pub threshold: String,
    /// How many, for the first two.
    pub k: usize,
    /// What share, for the last two.
    pub share: f64,
    /// "answer" or "own".
    pub word: String,
    /// "document" or "code".
    pub reading: String,
    /// "new", or the name of a checkpoint.
    pub begin: String,
    /// "test", "task", "half" or "language".
    pub lessons: String,
    /// The task that is taught.
    pub taught: String,
    /// Steps of a training.
    pub steps: u32,
    /// The highest rate of learning.
    pub rate: f64,
    /// The first training's seed.
    pub seed: u32,
    /// How many trainings.
    pub seeds: u32,
    /// Layers of a new model.
    pub layers: usize,
    /// Width of a new model's residual stream: "48", "32", "24" or "16".
    pub width: String,
}

impl Settings {
    /// The data set that is opened, by its place among [`DATA_SETS`].
    #[must_use]
    pub fn data_set(&self) -> usize {
        DATA_SETS.iter().position(|name| *name == self.data_set).unwrap_or(0)
    }

    /// The task that is opened.
    #[must_use]
    pub fn task(&self) -> Task {
        Task::named(&self.task).unwrap_or(Task::Ioi)
    }

    /// From what score on a neuron counts as used.
    #[must_use]
    pub fn threshold(&self) -> Threshold {
        match self.threshold.as_str() {
            "global-topk" => Threshold::GlobalTopK(self.k),
            "top-share" => Threshold::TopShare(self.share),
            "topscore" => Threshold::TopScore(self.share),
            _ => Threshold::TopK(self.k),
        }
    }

    /// Which of the two is followed.
    #[must_use]
    pub fn reading(&self) -> Reading {
        if self.reading == "code" { Reading::Code } else { Reading::Document }
    }

    /// What a training learns from.
    #[must_use]
    pub fn lessons(&self) -> TrainingData {
        match self.lessons.as_str() {
            "task" => TrainingData::Task,
            "half" => TrainingData::Half,
            "language" => TrainingData::Language,
            _ => TrainingData::Test,
        }
    }

    /// The task that is taught.
    #[must_use]
    pub fn taught(&self) -> Task {
        Task::named(&self.taught).unwrap_or(Task::Ioi)
    }

    /// Width of a new model's residual stream.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width.parse().unwrap_or(Config::LITTLE.d_model)
    }

    /// Whether what the model says is scored, not what is right.
    #[must_use]
    pub fn own_word(&self) -> bool {
        self.word == "own"
    }
}

impl Default for Settings {
    fn default() -> Self {
        let [score, threshold, word, reading] =
            ["contribution", "topk", "answer", "document"].map(str::to_owned);
        let [data_set, without, reference, task, checkpoint] =
            [DATA_SETS[0], NONE, "paper", Task::Ioi.name(), FINAL].map(str::to_owned);
        Self {
            data_set,
            without,
            alpha: ALPHA,
            reference,
            task,
            checkpoint,
            prompts: 128,
            score,
            threshold,
            k: 5,
            share: 0.8,
            word,
            reading,
            begin: "ck-06000".to_owned(),
            lessons: "test".to_owned(),
            taught: Task::Colour.name().to_owned(),
            steps: 200,
            rate: 2e-3,
            seed: 0,
            seeds: 1,
            layers: 3,
            width: "48".to_owned(),
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
    const STUDY: &'static str = "mui";
    const FIELDS: &'static [Field] = &FIELDS;
    const GIVES_WAY: &'static str = "prompts";

    fn fill(wish: &Draft) -> Self {
        let usual = Self::default();
        let word = |wish: &Option<String>, usual| wish.clone().unwrap_or(usual);
        Self {
            data_set: word(&wish.data_set, usual.data_set),
            without: word(&wish.without, usual.without),
            alpha: wish.alpha.unwrap_or(usual.alpha),
            reference: word(&wish.reference, usual.reference),
            task: word(&wish.task, usual.task),
            checkpoint: word(&wish.checkpoint, usual.checkpoint),
            prompts: wish.prompts.map_or(usual.prompts, |prompts| prompts as usize),
            score: word(&wish.score, usual.score),
            threshold: word(&wish.threshold, usual.threshold),
            k: wish.k.map_or(usual.k, |k| k as usize),
            share: wish.share.unwrap_or(usual.share),
            word: word(&wish.word, usual.word),
            reading: word(&wish.reading, usual.reading),
            begin: word(&wish.begin, usual.begin),
            lessons: word(&wish.lessons, usual.lessons),
            taught: word(&wish.taught, usual.taught),
            steps: wish.steps.map_or(usual.steps, |steps| steps as u32),
            rate: wish.rate.unwrap_or(usual.rate),
            seed: wish.seed.map_or(usual.seed, |seed| seed as u32),
            seeds: wish.seeds.map_or(usual.seeds, |seeds| seeds as u32),
            layers: wish.layers.map_or(usual.layers, |layers| layers as usize),
            width: word(&wish.width, usual.width),
        }
    }

    fn wish(&self) -> Draft {
        Draft {
            data_set: Some(self.data_set.clone()),
            without: Some(self.without.clone()),
            alpha: Some(self.alpha),
            reference: Some(self.reference.clone()),
            task: Some(self.task.clone()),
            checkpoint: Some(self.checkpoint.clone()),
            prompts: Some(self.prompts as f64),
            score: Some(self.score.clone()),
            threshold: Some(self.threshold.clone()),
            k: Some(self.k as f64),
            share: Some(self.share),
            word: Some(self.word.clone()),
            reading: Some(self.reading.clone()),
            begin: Some(self.begin.clone()),
            lessons: Some(self.lessons.clone()),
            taught: Some(self.taught.clone()),
            steps: Some(f64::from(self.steps)),
            rate: Some(self.rate),
            seed: Some(f64::from(self.seed)),
            seeds: Some(f64::from(self.seeds)),
            layers: Some(self.layers as f64),
            width: Some(self.width.clone()),
        }
    }
}
