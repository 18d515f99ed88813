//! The Model Utilization Index of a language model on tasks of several choices that are made by rule.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};

use crate::model::{ActivationCache, Batch, Hook, LanguageModel, ModelError, Site, Tokenizer};
use crate::papers::mui::metric::{Neuron, Reading, Scores, Threshold, Union, drawn};
use crate::rng::NumpyRng;
use crate::synthetic::language::Token;

/// What a task asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// The word that followed the last one the first time: "red, blue, green, red," → blue.
    Copying,
    /// The larger of two numbers.
    Comparison,
    /// The form of the verb that the subject asks for, past a noun of the other number.
    Agreement,
}

impl TaskKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Copying, Self::Comparison, Self::Agreement];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Copying => "copying",
            Self::Comparison => "comparison",
            Self::Agreement => "agreement",
        }
    }

    /// A prompt and its choices, of which the first is right.
    fn question(self, rng: &mut NumpyRng) -> (String, Vec<String>) {
        let mut pick = |count: u32, some: usize| -> Vec<usize> {
            rng.permutation(count).into_iter().take(some).map(|at| at as usize).collect()
        };
        match self {
            Self::Copying => {
                const WORDS: [&str; 10] = [
                    "red", "blue", "green", "house", "river", "stone", "bread", "horse", "paper",
                    "light",
                ];
                let words: Vec<&str> = pick(10, 4).into_iter().map(|at| WORDS[at]).collect();
                let [a, b, c, d] = [words[0], words[1], words[2], words[3]];
                let choices = [b, c, d].map(|word| format!(" {word}")).to_vec();
                (format!("{a} {b} {c} {d} {a} {b} {c} {d} {a}"), choices)
            }
            Self::Comparison => {
                let digits = pick(10, 2);
                let (a, b) = (digits[0], digits[1]);
                let choices = vec![format!(" {}", a.max(b)), format!(" {}", a.min(b))];
                (format!("Of the numbers {a} and {b}, the larger one is"), choices)
            }
            Self::Agreement => {
                const NOUNS: [[&str; 2]; 6] = [
                    ["key", "keys"],
                    ["teacher", "teachers"],
                    ["picture", "pictures"],
                    ["dog", "dogs"],
                    ["letter", "letters"],
                    ["road", "roads"],
                ];
                const PLACES: [[&str; 2]; 4] = [
                    ["near the table", "near the tables"],
                    ["behind the house", "behind the houses"],
                    ["of the boy", "of the boys"],
                    ["beside the tree", "beside the trees"],
                ];
                let (noun, place, number) = (pick(6, 1)[0], pick(4, 1)[0], pick(2, 1)[0]);
                // The other noun is of the other number.
                let (subject, other) = (NOUNS[noun][number], PLACES[place][1 - number]);
                let verbs = [[" is", " are"], [" was", " were"]][pick(2, 1)[0]];
                let choices = vec![verbs[number].to_owned(), verbs[1 - number].to_owned()];
                (format!("The {subject} {other}"), choices)
            }
        }
    }
}

/// How the index is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MuiOptions {
    /// Of the questions.
    pub seed: u32,
    /// Questions of each task, 1 to 1,000.
    pub questions: usize,
    /// How many neurons of each layer count as used for an answer, at least 1; by default a thousandth, as the paper has it.
    pub kept: Option<usize>,
}

impl Default for MuiOptions {
    fn default() -> Self {
        Self { seed: 0, questions: 50, kept: None }
    }
}

/// A question, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MuiAnswer {
    /// The tokens of the question, and those that all choices begin with.
    pub tokens: Vec<Token>,
    /// How each choice goes on from there, of which the first is right.
    pub choices: Vec<Token>,
    /// Which choice has the largest logit.
    pub chosen: usize,
    /// The neurons that count as used for the right choice, as (layer, neuron).
    pub neurons: Vec<Neuron>,
}

/// A task's performance and index.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MuiTask {
    /// The task.
    pub task: TaskKind,
    /// Share of right answers, and by chance.
    pub accuracy: f64,
    /// See `accuracy`.
    pub chance: f64,
    /// The index: the share of all neurons that some answer uses.
    pub mui: f64,
    /// The same for another choice than the right one, a control: as many neurons are used for it.
    pub mui_other: f64,
    /// The same were as many neurons drawn at random for each answer.
    pub mui_random: f64,
    /// The index after the first 1, 2, … answers.
    pub growth: Vec<f64>,
    /// The answers.
    pub answers: Vec<MuiAnswer>,
}

/// The index of a language model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MuiReport {
    /// How it was measured.
    pub options: MuiOptions,
    /// Layers, and neurons of each.
    pub layers: usize,
    /// See `layers`.
    pub neurons: usize,
    /// How many neurons of each layer count as used for an answer.
    pub kept: usize,
    /// A row a task.
    pub tasks: Vec<MuiTask>,
    /// The index of the answers to all tasks.
    pub mui: f64,
}

struct Question {
    task: TaskKind,
    tokens: Vec<Token>,
    choices: Vec<Token>,
}

/// The index, question by question.
pub struct MuiRun {
    options: MuiOptions,
    layers: usize,
    neurons: usize,
    kept: usize,
    questions: Vec<Question>,
    answers: Vec<(MuiAnswer, Vec<Neuron>)>,
    /// What each neuron adds to a choice's logit: questions share their choices.
    promotions: BTreeMap<Token, Vec<Vec<f32>>>,
}

impl MuiRun {
    /// Makes the questions; nothing is read yet.
    ///
    /// # Errors
    /// [`ModelError::Size`] for an option out of range, [`ModelError::Tokenizer`].
    pub fn new(
        model: &LanguageModel,
        tokenizer: &Tokenizer,
        options: MuiOptions,
    ) -> Result<Self, ModelError> {
        let size = |field, found, allowed: &str| {
            Err(ModelError::Size { field, found, allowed: allowed.to_owned() })
        };
        if !(1..=1_000).contains(&options.questions) {
            return size("questions", options.questions, "1 to 1000");
        }
        let of = model.decoder().architecture();
        let kept = options.kept.unwrap_or((of.d_mlp / 1_000).max(1));
        if !(1..=of.d_mlp).contains(&kept) {
            return size("neurons of a layer that are kept", kept, &format!("1 to {}", of.d_mlp));
        }
        let mut rng = NumpyRng::new(options.seed);
        let mut questions = Vec::new();
        for task in TaskKind::ALL {
            for _ in 0..options.questions {
                let (text, choices) = task.question(&mut rng);
                let whole = |choice: &String| tokenizer.encode_whole(&format!("{text}{choice}"));
                let whole = choices.iter().map(whole).collect::<Result<Vec<_>, _>>()?;
                // What all go on from: the question, and what the choices have in common.
                let common = (0..).take_while(|at| {
                    let one = whole[0].get(*at);
                    one.is_some() && whole.iter().all(|tokens| tokens.get(*at) == one)
                });
                let common = common.count();
                let tokens = whole[0][..common].to_vec();
                let next = whole.iter().map(|tokens| tokens.get(common).copied());
                let Some(choices) = next.collect::<Option<Vec<_>>>() else { continue };
                if tokens.is_empty() {
                    continue;
                }
                // Of three, two that go on alike cannot be told by one token.
                let alike = choices.iter().enumerate().any(|(at, one)| choices[..at].contains(one));
                if !alike {
                    questions.push(Question { task, tokens, choices });
                }
            }
        }
        if questions.is_empty() {
            return size("questions whose choices one token decides", 0, "at least 1");
        }
        let (layers, neurons) = (of.layers, of.d_mlp);
        let (answers, promotions) = (Vec::new(), BTreeMap::new());
        Ok(Self { options, layers, neurons, kept, questions, answers, promotions })
    }

    /// How many questions there are.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.questions.len()
    }

    /// Asks the next question; how many have been asked.
    ///
    /// # Errors
    /// As [`crate::model::Decoder::logits`]; [`ModelError::NonFinite`].
    pub fn step(&mut self, model: &LanguageModel) -> Result<usize, ModelError> {
        let Some(Question { tokens, choices, .. }) = self.questions.get(self.answers.len()) else {
            return Ok(self.answers.len());
        };
        let decoder = model.decoder();
        let hooks: Vec<Hook> =
            (0..self.layers).map(|layer| Hook::Block(layer, Site::MlpPost)).collect();
        let mut taken = ActivationCache::of(&hooks);
        let logits = decoder.last_logits(&Batch::new(&[tokens])?, &mut taken)?;
        let logit = |choice: &Token| {
            logits.get(*choice as usize).copied().filter(|logit| logit.is_finite())
        };
        let found: Option<Vec<f32>> = choices.iter().map(logit).collect();
        let found = found.ok_or(ModelError::NonFinite)?;
        let mut chosen = 0;
        for (at, logit) in found.iter().enumerate() {
            if *logit > found[chosen] {
                chosen = at;
            }
        }
        let (neurons, kept) = (self.neurons, self.kept);
        let known = &mut self.promotions;
        let mut used = |choice: Token| -> Result<Vec<Neuron>, ModelError> {
            let promotions = match known.entry(choice) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(decoder.neuron_promotions(choice)?),
            };
            let layers = hooks.iter().zip(&*promotions).map(|(hook, promotions)| {
                let rows = taken.get(*hook);
                let last = &rows[rows.len() - promotions.len()..];
                last.iter().zip(promotions).map(|(x, by)| f64::from(*x) * f64::from(*by)).collect()
            });
            let scores = Scores::new(layers.collect(), neurons);
            let scores = scores.map_err(|_| ModelError::NonFinite)?;
            Ok(scores.selected(Threshold::TopK(kept), Reading::Document))
        };
        let (neurons, other) = (used(choices[0])?, used(choices[1])?);
        let (tokens, choices) = (tokens.clone(), choices.clone());
        self.answers.push((MuiAnswer { tokens, choices, chosen, neurons }, other));
        Ok(self.answers.len())
    }

    /// What there is so far.
    #[must_use]
    pub fn report(&self) -> MuiReport {
        let union = || Union::new(self.layers, self.neurons);
        let mut all = union();
        let mut tasks = Vec::new();
        for task in TaskKind::ALL {
            let of = self.questions.iter().zip(&self.answers);
            let of: Vec<_> = of.filter(|(question, _)| question.task == task).collect();
            if of.is_empty() {
                continue;
            }
            let (mut mine, mut other) = (union(), union());
            let mut growth = Vec::new();
            for (_, (answer, others)) in &of {
                // They are this model's own.
                let _ = (mine.add(&answer.neurons), all.add(&answer.neurons), other.add(others));
                growth.push(mine.index());
            }
            let count = of.len() as f64;
            let right = of.iter().filter(|(_, (answer, _))| answer.chosen == 0).count();
            let chance: f64 = of.iter().map(|(one, _)| 1.0 / one.choices.len() as f64).sum();
            tasks.push(MuiTask {
                task,
                accuracy: right as f64 / count,
                chance: chance / count,
                mui: mine.index(),
                mui_other: other.index(),
                mui_random: drawn(self.kept as f64 / self.neurons as f64, of.len()),
                growth,
                answers: of.into_iter().map(|(_, (answer, _))| answer.clone()).collect(),
            });
        }
        MuiReport {
            options: self.options.clone(),
            layers: self.layers,
            neurons: self.neurons,
            kept: self.kept,
            mui: all.index(),
            tasks,
        }
    }
}
