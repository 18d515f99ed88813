//! What is shown of the paper's tables, and what a measurement of the index on the little model is made of.

use serde::{Deserialize, Serialize};

use super::claims::BASE_MODELS;
use super::metric::{Reading, Threshold};
use super::printed::DATA_SETS;
use super::tables::ALPHA;
use crate::little::{CHECKPOINTS, FINAL};
use crate::settings::{
    Choice, Field, Group, Kind, Knobs, Part, Problems, Range, When, check, wish,
};
use crate::world::language::Task;

/// Exponent of the index in PUR.
pub const ALPHAS: Range = Range::real("alpha", 0.0, 2.0);
/// Prompts of each task.
pub const PROMPTS: Range = Range::whole("prompts", 1, 1_024);
/// Neurons of a layer that count as used by one answer.
pub const K: Range = Range::whole("k", 1, 192);
/// Share of the largest score from which on a neuron counts, or of a layer's neurons.
pub const SHARE: Range = Range::real("share", 0.001, 1.0);

const PAPER: Group = Group { name: "paper", heading: "The paper’s tables" };
const SUBJECT: Group = Group { name: "subject", heading: "What is measured" };
const SELECTION: Group = Group { name: "selection", heading: "What counts as used" };

/// Choices of which each is its own label.
const fn words<const N: usize>(words: [&'static str; N]) -> [Choice; N] {
    let mut choices = [Choice { word: "", label: "", help: "" }; N];
    let mut at = 0;
    while at < N {
        choices[at] = Choice { word: words[at], label: words[at], help: "" };
        at += 1;
    }
    choices
}

const NAMES: [Choice; CHECKPOINTS.len()] = words(CHECKPOINTS);
const SETS: [Choice; DATA_SETS.len()] = words(DATA_SETS);
/// Nothing left out.
pub const NONE: &str = "none";
const WITHOUT: [Choice; BASE_MODELS.len() + 1] = {
    let mut choices = [Choice { word: NONE, label: "none", help: "" }; BASE_MODELS.len() + 1];
    let models = words(BASE_MODELS);
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

const TASKS: [Choice; Task::ALL.len()] = {
    let mut names = [""; Task::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Task::ALL[at].name();
        at += 1;
    }
    words(names)
};

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

const fn changed(rank: u8, lead: &'static str) -> Part {
    Part { rank, lead, when: When::Changed }
}

/// Every knob, in the order in which a link has them.
pub const FIELDS: [Field; 13] = [
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
    /// The task of the little model that is opened.
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
        Task::ALL.into_iter().find(|task| task.name() == self.task).unwrap_or(Task::Ioi)
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
        }
    }
}

impl TryFrom<Draft> for Settings {
    type Error = Problems;

    fn try_from(draft: Draft) -> Result<Self, Problems> {
        check(&draft)
    }
}

impl Knobs for Settings {
    type Wish = Draft;
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
        }
    }
}
