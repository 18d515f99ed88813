//! What is shown of the paper's tables, and what a measurement of the index on the toy model is made of.

use super::claims::BASE_MODELS;
use super::metric::{Reading, Threshold};
use super::printed::DATA_SETS;
use super::tables::PAPER_ALPHA;
use serde::{Deserialize, Serialize};

use crate::model::Config;
use crate::settings::{
    Choice, FieldKind, FormGroup, Range, choice, choices_from_words, parameters, part_if_changed, prepend_choice,
};
use crate::synthetic::language::Task;
use crate::toy_model::{CHECKPOINTS, FINAL_CHECKPOINT};

/// Exponent of the index in PUR.
pub const ALPHA_RANGE: Range = Range::real("alpha", 0.0, 2.0);
/// Prompts of each task.
pub const PROMPTS_RANGE: Range = Range::integer("prompts", 1, 1_024);
/// Neurons of a layer that count as used by one answer.
pub const K_RANGE: Range = Range::integer("k", 1, 192);
/// Share of the largest score from which on a neuron counts, or of a layer's neurons.
pub const THRESHOLD_SHARE_RANGE: Range = Range::real("share", 0.001, 1.0);

/// Steps of a training.
pub const STEPS_RANGE: Range = Range::integer("steps", 1, 20_000);
/// The highest learning rate.
pub const LEARNING_RATE_RANGE: Range = Range::real("rate", 1e-5, 0.02);
/// Trainings that differ in their seeds alone.
pub const SEEDS_RANGE: Range = Range::integer("seeds", 1, 8);
/// Layers of a model that is trained from nothing.
pub const LAYERS_RANGE: Range = Range::integer("layers", 1, 4);

const PAPER_GROUP: FormGroup = FormGroup { name: "paper", heading: "The paper’s tables" };
const SUBJECT_GROUP: FormGroup = FormGroup { name: "subject", heading: "What is measured" };
const SELECTION_GROUP: FormGroup = FormGroup { name: "selection", heading: "What counts as used" };

const TRAINING_GROUP: FormGroup = FormGroup { name: "training", heading: "What is trained" };

const CHECKPOINT_CHOICES: [Choice; CHECKPOINTS.len()] = choices_from_words(CHECKPOINTS);
const DATA_SET_CHOICES: [Choice; DATA_SETS.len()] = choices_from_words(DATA_SETS);
/// Nothing left out.
pub const NO_MODEL_OMITTED: &str = "none";
const OMITTED_MODEL_CHOICES: [Choice; BASE_MODELS.len() + 1] =
    prepend_choice(choice(NO_MODEL_OMITTED, "none", ""), choices_from_words(BASE_MODELS));

pub(super) const REFERENCE_CHOICES: [Choice; 3] = [
    choice("paper", "the paper’s, by hand", "Ordered by hand, guided by the plot of performance and index"),
    choice("accuracy", "mean accuracy", "Over the six data sets of Table 1"),
    choice("gsm8k", "GSM8K", "With which, as the paper says, the Arena’s scores go along at up to 0.9"),
];

const TASK_CHOICES: [Choice; Task::ALL.len()] = choices_from_words(Task::NAMES);

/// The score that is an activation.
pub(super) const ACTIVATION_SCORE: &str = "activation";
/// The score that is a gradient along a path.
pub(super) const INTEGRATED_GRADIENTS_SCORE: &str = "integrated-gradients";

pub(super) const SCORE_CHOICES: [Choice; 3] = [
    choice("contribution", "contribution", "What the neuron adds to the logit of the word, directly (Eq. 2)"),
    choice(ACTIVATION_SCORE, "activation", "The neuron’s activation (Eq. 13)"),
    choice(
        INTEGRATED_GRADIENTS_SCORE,
        "integrated gradients",
        "What ln p of the word gains along the way from nothing to the activation, through all later layers \
               (Eq. 14)",
    ),
];

const THRESHOLD_CHOICES: [Choice; 4] = [
    choice("topk", "top k of each layer", ""),
    choice("global-topk", "top k of all layers", ""),
    choice("top-share", "a share of each layer", "The paper’s is 0.001"),
    choice("topscore", "a share of the largest score", ""),
];

const SCORED_WORD_CHOICES: [Choice; 2] = [
    choice("answer", "the right answer", ""),
    choice("own", "the model’s own", "The word that the model finds likeliest"),
];

const READING_CHOICES: [Choice; 2] = [
    choice("document", "paper", "At the last position before the word; all that reach the threshold"),
    choice("code", "implementation", "At the word’s own position; ties cut off"),
];

/// Weights drawn anew by the seed, in the place of a checkpoint.
pub const NEW_WEIGHTS: &str = "new";
const INITIAL_WEIGHTS_CHOICES: [Choice; CHECKPOINTS.len() + 1] =
    prepend_choice(choice(NEW_WEIGHTS, "new weights", ""), CHECKPOINT_CHOICES);

const TRAINING_DATA_CHOICES: [Choice; 4] = [
    choice("test", "its test items", "Half texts of the language, half the task’s own 128 test items"),
    choice("task", "one task", "Exercises of one task alone"),
    choice("half", "half of the tasks", "Exercises of the first five tasks, each as often"),
    choice("language", "the whole language", "As the toy model was"),
];

const WIDTH_CHOICES: [Choice; 4] = choices_from_words(["48", "32", "24", "16"]);

/// What a model is trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiLessons"))]
#[serde(rename_all = "kebab-case")]
pub enum TrainingData {
    /// Half texts of the language, half the task's own test items.
    Test,
    /// Exercises of one task alone.
    Task,
    /// Exercises of the first five tasks alone.
    Half,
    /// Texts of the whole language.
    Language,
}

parameters! {
    /// What a measurement is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
    pub struct Settings of "mui", in TypeScript "MuiSettings", where prompts gives way;

    /// The data set of the paper that is opened.
    data_set: String = DATA_SETS[0].to_owned(),
        ("set", PAPER_GROUP, "Data set", "Data set of the paper whose law, steps and thresholds are drawn"),
        FieldKind::Choice(&DATA_SET_CHOICES), part_if_changed(0, "-");
    /// A model that the law is fitted without, or "none".
    without: String = NO_MODEL_OMITTED.to_owned(), ("without", PAPER_GROUP, "Left out", "A model that the law is fitted without"),
        FieldKind::Choice(&OMITTED_MODEL_CHOICES), part_if_changed(1, "-without-");
    /// Exponent of the index in PUR.
    alpha: f64 = PAPER_ALPHA, ("alpha", PAPER_GROUP, "α", "Exponent of the index in PUR = P / MUI^α; 0 is performance alone"),
        FieldKind::Number(ALPHA_RANGE), part_if_changed(2, "-alpha");
    /// "paper", "accuracy" or "gsm8k".
    reference: String = "paper".to_owned(),
        ("ref", PAPER_GROUP, "Reference ranking", "What the models of Table 1 are held against"),
        FieldKind::Choice(&REFERENCE_CHOICES), part_if_changed(3, "-");
    /// The task of the toy model that is opened.
    task: String = Task::Ioi.name().to_owned(),
        ("task", SUBJECT_GROUP, "Task", "Task of the toy model that is opened"), FieldKind::Choice(&TASK_CHOICES), part_if_changed(4, "-");
    /// The name of the checkpoint.
    checkpoint: String = FINAL_CHECKPOINT.to_owned(), ("ck", SUBJECT_GROUP, "Checkpoint", "Weights of the toy model"),
        FieldKind::Choice(&CHECKPOINT_CHOICES), part_if_changed(5, "-");
    /// Prompts of each task.
    prompts: usize = 128,
        ("n", SUBJECT_GROUP, "Prompts", "Prompts of each task: the index grows with their number by construction"),
        FieldKind::Number(PROMPTS_RANGE), part_if_changed(6, "-n");
    /// "contribution", "activation" or "integrated-gradients".
    score: String = "contribution".to_owned(),
        ("score", SELECTION_GROUP, "Score", "How much a neuron has to do with an answer"),
        FieldKind::Choice(&SCORE_CHOICES), part_if_changed(7, "-");
    /// "topk", "global-topk", "top-share" or "topscore".
    threshold: String = "topk".to_owned(),
        ("by", SELECTION_GROUP, "Threshold", "From what score on a neuron counts as used"),
        FieldKind::Choice(&THRESHOLD_CHOICES), part_if_changed(8, "-");
    /// How many, for the first two.
    k: usize = 5, ("k",
        SELECTION_GROUP, "k", "Neurons that count as used by one answer, of each layer or of all, where the threshold is a number of them"),
        FieldKind::Number(K_RANGE), part_if_changed(9, "-k");
    /// What share, for the last two.
    share: f64 = 0.8, ("share", SELECTION_GROUP, "Share", "The share, where the threshold is one"),
        FieldKind::Number(THRESHOLD_SHARE_RANGE), part_if_changed(10, "-share");
    /// "answer" or "own".
    word: String = "answer".to_owned(), ("word", SELECTION_GROUP, "Word",
        "Whose contributions are scored: the right answer’s, or those of what the model says"),
        FieldKind::Choice(&SCORED_WORD_CHOICES), part_if_changed(11, "-");
    /// "document" or "code".
    reading: String = "document".to_owned(),
        ("reading", SELECTION_GROUP, "Reading", "Where the paper and its code differ, which is followed"),
        FieldKind::Choice(&READING_CHOICES), part_if_changed(12, "-");
    /// "new", or the name of a checkpoint.
    begin: String = "ck-06000".to_owned(),
        ("from", TRAINING_GROUP, "Initial weights", "Weights that training starts from"),
        FieldKind::Choice(&INITIAL_WEIGHTS_CHOICES), part_if_changed(13, "-from-");
    /// "test", "task", "half" or "language".
    lessons: String = "test".to_owned(), ("on", TRAINING_GROUP, "Training data", "What the model is trained on"),
        FieldKind::Choice(&TRAINING_DATA_CHOICES), part_if_changed(14, "-on-");
    /// The task that is taught.
    taught: String = Task::Colour.name().to_owned(), ("taught", TRAINING_GROUP, "Task that is taught",
        "The task that is trained on, where it is one; the others are beside it"),
        FieldKind::Choice(&TASK_CHOICES), part_if_changed(15, "-");
    /// Steps of a training.
    steps: u32 = 200, ("steps", TRAINING_GROUP, "Steps", "Steps of 64 texts of 32 tokens"),
        FieldKind::Number(STEPS_RANGE), part_if_changed(16, "-steps");
    /// The highest learning rate.
    rate: f64 = 2e-3, ("rate", TRAINING_GROUP, "Learning rate",
        "The highest: it rises over the first twentieth of the steps, a hundred at most, and falls to a fiftieth over the last two fifths"),
        FieldKind::Number(LEARNING_RATE_RANGE), part_if_changed(17, "-rate");
    /// The first training's seed.
    seed: u32 = 0,
        ("seed", TRAINING_GROUP, "Seed", "Of the first training’s texts, and of new weights; others count on from it"),
        FieldKind::Seed, part_if_changed(18, "-seed");
    /// How many trainings.
    seeds: u32 = 1, ("seeds", TRAINING_GROUP, "Seeds", "As many trainings that differ in their seeds alone"),
        FieldKind::Number(SEEDS_RANGE), part_if_changed(19, "-seeds");
    /// Layers of a new model.
    layers: usize = 3, ("layers", TRAINING_GROUP, "Layers", "Layers of a model that begins with new weights"),
        FieldKind::Number(LAYERS_RANGE), part_if_changed(20, "-layers");
    /// Width of a new model's residual stream: "48", "32", "24" or "16".
    width: String = "48".to_owned(), ("width", TRAINING_GROUP, "Width",
        "Width of the residual stream of a model that begins with new weights; a layer has four times as many neurons"),
        FieldKind::Choice(&WIDTH_CHOICES), part_if_changed(21, "-width");
}

impl Settings {
    /// The data set that is opened, by its place among [`DATA_SETS`].
    #[must_use]
    pub fn data_set_index(&self) -> usize {
        DATA_SETS.iter().position(|name| *name == self.data_set).unwrap_or(0)
    }

    /// The task that is opened.
    #[must_use]
    pub fn task(&self) -> Task {
        Task::from_name(&self.task).unwrap_or(Task::Ioi)
    }

    /// From what score on a neuron counts as used.
    #[must_use]
    pub fn threshold(&self) -> Threshold {
        let named = Threshold::named(&self.threshold, self.k, self.share);
        named.unwrap_or(Threshold::TopK(self.k))
    }

    /// Which of the two is followed.
    #[must_use]
    pub fn reading(&self) -> Reading {
        if self.reading == "code" { Reading::Code } else { Reading::Document }
    }

    /// What a training learns from.
    #[must_use]
    pub fn training_data(&self) -> TrainingData {
        match self.lessons.as_str() {
            "task" => TrainingData::Task,
            "half" => TrainingData::Half,
            "language" => TrainingData::Language,
            _ => TrainingData::Test,
        }
    }

    /// The task that is taught.
    #[must_use]
    pub fn taught_task(&self) -> Task {
        Task::from_name(&self.taught).unwrap_or(Task::Ioi)
    }

    /// Width of a new model's residual stream.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width.parse().unwrap_or(Config::TOY_MODEL.d_model)
    }

    /// Whether what the model says is scored, not what is right.
    #[must_use]
    pub fn scores_predicted_word(&self) -> bool {
        self.word == "own"
    }
}
