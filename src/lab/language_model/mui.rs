//! The Model Utilization Index of a language model on tasks of several choices that are made by rule.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::agreement::{MODIFIERS, NOUNS, VERBS};
use super::intervals;
use crate::model::{ActivationCache, Batch, Decoder, Hook, LanguageModel, ModelError, Site, Tokenizer};
use crate::papers::mui::metric::{
    AnswerScores, Neuron, NeuronUnion, Reading, Threshold, UseCounts, neurons_in_share, random_mui_of_share,
};
use crate::rng::NumpyRng;
use crate::synthetic::language::Token;
use crate::workers;

/// The paper's share of a layer's neurons.
const PAPER_TOP_SHARE: f64 = 0.001;
/// A share of the largest score that the paper looks at.
const PAPER_SCORE_SHARE: f64 = 0.8;

/// What a task asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMuiTaskKind"))]
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
    fn draw_question(self, rng: &mut NumpyRng) -> (String, Vec<String>) {
        let mut pick = |count: u32, some: usize| -> Vec<usize> {
            rng.permutation(count).into_iter().take(some).map(|at| at as usize).collect()
        };
        match self {
            Self::Copying => {
                const COPY_WORDS: [&str; 10] =
                    ["red", "blue", "green", "house", "river", "stone", "bread", "horse", "paper", "light"];
                let words: Vec<&str> = pick(10, 4).into_iter().map(|at| COPY_WORDS[at]).collect();
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
                // The first six and four of them.
                let (noun, place, number) = (pick(6, 1)[0], pick(4, 1)[0], pick(2, 1)[0]);
                // The other noun is of the other number.
                let (subject, other) = (NOUNS[noun][number], MODIFIERS[place][1 - number]);
                let verbs = VERBS[pick(2, 1)[0]];
                let choices = vec![verbs[number].to_owned(), verbs[1 - number].to_owned()];
                (format!("The {subject} {other}"), choices)
            }
        }
    }
}

/// How the index is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMuiOptions"))]
#[serde(default, deny_unknown_fields)]
pub struct MuiOptions {
    /// Of the questions.
    pub seed: u32,
    /// Questions of each task, 1 to 1,000.
    pub questions: usize,
    /// From what score on a neuron counts as used for an answer: "topk" (of each layer), "global-topk" (of all layers),
    /// "top-share" (of each layer's neurons) or "topscore" (of a layer's largest score).
    pub threshold: String,
    /// How many neurons count, for the first two, at least 1; by default a thousandth of each layer's, as the paper has it, or
    /// as many for each layer.
    pub kept: Option<usize>,
    /// What share, for the last two: by default 0.001 of a layer's neurons, as the paper has it, or 0.8 of the largest score.
    pub share: Option<f64>,
}

impl Default for MuiOptions {
    fn default() -> Self {
        let threshold = Threshold::NAMES[0].to_owned();
        Self { seed: 0, questions: 50, threshold, kept: None, share: None }
    }
}

impl MuiOptions {
    /// The threshold in a model of so many layers of so many neurons.
    fn threshold(&self, layers: usize, neurons: usize) -> Result<Threshold, ModelError> {
        let refuse = |field, found: String, allowed: String| Err(ModelError::Value { field, found, allowed });
        let share = self.share.unwrap_or(match self.threshold.as_str() {
            "topscore" => PAPER_SCORE_SHARE,
            _ => PAPER_TOP_SHARE,
        });
        let usual = neurons_in_share(PAPER_TOP_SHARE, neurons).max(1);
        let (usual, most) = match self.threshold.as_str() {
            "global-topk" => (usual * layers, neurons * layers),
            _ => (usual, neurons),
        };
        let kept = self.kept.unwrap_or(usual);
        let Some(threshold) = Threshold::named(&self.threshold, kept, share) else {
            let allowed = Threshold::NAMES.join(", ");
            return refuse("threshold", format!("{:?}", self.threshold), allowed);
        };
        match threshold {
            Threshold::TopK(_) | Threshold::GlobalTopK(_) => {
                if let Some(share) = self.share {
                    let allowed = "no value where the threshold is a number of neurons";
                    return refuse("share", share.to_string(), allowed.to_owned());
                }
                if !(1..=most).contains(&kept) {
                    let (field, allowed) = ("neurons that are kept", format!("1 to {most}"));
                    return Err(ModelError::size(field, kept, allowed));
                }
            }
            Threshold::TopShare(_) | Threshold::TopScore(_) => {
                if let Some(kept) = self.kept {
                    let allowed = "no value where the threshold is a share";
                    return refuse("kept", kept.to_string(), allowed.to_owned());
                }
                let none = matches!(threshold, Threshold::TopShare(_)) && neurons_in_share(share, neurons) == 0;
                if !(share > 0.0 && share <= 1.0) || none {
                    let allowed = match threshold {
                        Threshold::TopShare(_) => {
                            format!("at least one neuron of {neurons}, up to 1")
                        }
                        _ => "above 0, up to 1".to_owned(),
                    };
                    return refuse("share", share.to_string(), allowed);
                }
            }
        }
        Ok(threshold)
    }
}

/// A question, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMuiAnswer"))]
pub struct MuiAnswer {
    /// Its number among all questions of the task, from 0: models with other tokenizers leave out other questions.
    pub question: usize,
    /// The tokens of the question, and those that all choices begin with.
    pub tokens: Vec<Token>,
    /// How each choice goes on from there, of which the first is right.
    pub choices: Vec<Token>,
    /// Which choice has the largest logit.
    pub chosen: usize,
    /// The neurons that count as used for the right choice, as (layer, neuron).
    pub neurons: Vec<Neuron>,
    /// Those that count as used for another choice.
    pub other: Vec<Neuron>,
}

/// A task's performance and index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMuiTask"))]
pub struct MuiTask {
    /// The task.
    pub task: TaskKind,
    /// Share of right answers, and by chance.
    pub accuracy: f64,
    /// See `accuracy`.
    pub chance: f64,
    /// The index: the share of all neurons that some answer uses.
    pub mui: f64,
    /// The same for another choice than the right one, a control.
    pub mui_other: f64,
    /// The same were as many neurons drawn at random for each answer.
    pub mui_random: f64,
    /// 95 % intervals of the accuracy, over questions drawn with replacement, and of the two indices, over what each question
    /// adds; none of fewer than ten questions, and where all add the same.
    #[serde(default)]
    pub accuracy_interval: Option<[f64; 2]>,
    /// See `accuracy_interval`.
    #[serde(default)]
    pub mui_interval: Option<[f64; 2]>,
    /// See `accuracy_interval`.
    #[serde(default)]
    pub mui_other_interval: Option<[f64; 2]>,
    /// Neurons of a layer that an answer uses, in the mean.
    pub mean_k: f64,
    /// The index after the first 1, 2, … answers.
    pub growth: Vec<f64>,
    /// The answers.
    pub answers: Vec<MuiAnswer>,
}

/// The index of a language model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMui"))]
pub struct MuiReport {
    /// How it was measured.
    pub options: MuiOptions,
    /// Layers, and neurons of each.
    pub layers: usize,
    /// See `layers`.
    pub neurons: usize,
    /// From what score on a neuron counts as used for an answer, in words.
    pub threshold: String,
    /// How many neurons of each layer that is, where it is a number of them.
    pub kept: Option<usize>,
    /// A row a task.
    pub tasks: Vec<MuiTask>,
    /// The index of the answers to all tasks.
    pub mui: f64,
}

struct Question {
    task: TaskKind,
    number: usize,
    tokens: Vec<Token>,
    choices: Vec<Token>,
}

/// The index, question by question.
pub struct MuiRun {
    options: MuiOptions,
    layers: usize,
    neurons: usize,
    threshold: Threshold,
    questions: Vec<Question>,
    answers: Vec<MuiAnswer>,
    /// What each neuron adds to a choice's logit: questions share their choices.
    promotions: BTreeMap<Token, Vec<Vec<f32>>>,
}

impl MuiRun {
    /// Makes the questions; nothing is read yet.
    ///
    /// # Errors
    /// [`ModelError::Size`] for an option out of range, [`ModelError::Tokenizer`].
    pub fn new(model: &LanguageModel, tokenizer: &Tokenizer, options: MuiOptions) -> Result<Self, ModelError> {
        ModelError::check_sizes(&[("questions", options.questions, 1, 1_000)])?;
        let of = model.decoder().architecture();
        let threshold = options.threshold(of.layers, of.d_mlp)?;
        let mut rng = NumpyRng::new(options.seed);
        let mut questions = Vec::new();
        for task in TaskKind::ALL {
            for number in 0..options.questions {
                let (text, choices) = task.draw_question(&mut rng);
                let whole = |choice: &String| tokenizer.encode_with_special_tokens(&format!("{text}{choice}"));
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
                    questions.push(Question { task, number, tokens, choices });
                }
            }
        }
        if questions.is_empty() {
            return Err(ModelError::size("questions whose choices one token decides", 0, "at least 1"));
        }
        let (layers, neurons) = (of.layers, of.d_mlp);
        let (answers, promotions) = (Vec::new(), BTreeMap::new());
        Ok(Self { options, layers, neurons, threshold, questions, answers, promotions })
    }

    /// How many questions there are.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.questions.len()
    }

    /// Asks the next question, or as many as are done at once; how many have been asked.
    ///
    /// # Errors
    /// As [`crate::model::Decoder::logits`]; [`ModelError::NonFinite`].
    pub fn step(&mut self, model: &LanguageModel) -> Result<usize, ModelError> {
        let decoder = model.decoder();
        let next = self.questions.iter().skip(self.answers.len()).take(workers::worker_count());
        let next: Vec<&Question> = next.collect();
        let mut missing: Vec<Token> =
            next.iter().flat_map(|question| question.choices.iter().take(2).copied()).collect();
        missing.sort_unstable();
        missing.dedup();
        missing.retain(|choice| !self.promotions.contains_key(choice));
        let promotions = |choice| decoder.neuron_promotions(choice);
        let found = workers::parallel_map_unstored(missing.clone(), promotions)?;
        self.promotions.extend(missing.into_iter().zip(found));
        let answers = workers::parallel_map(next, |question| self.measure_answer(decoder, question))?;
        self.answers.extend(answers);
        Ok(self.answers.len())
    }

    /// What comes of a question, of whose choices is known what neurons add to them.
    fn measure_answer(&self, decoder: &Decoder, question: &Question) -> Result<MuiAnswer, ModelError> {
        let Question { tokens, choices, number, .. } = question;
        let hooks: Vec<Hook> = (0..self.layers).map(|layer| Hook::Block(layer, Site::MlpPost)).collect();
        let mut taken = ActivationCache::for_hooks(&hooks);
        let logits = decoder.last_logits(&Batch::new(&[tokens])?, &mut taken)?;
        let logit = |choice: &Token| logits.get(*choice as usize).copied().filter(|logit| logit.is_finite());
        let found: Option<Vec<f32>> = choices.iter().map(logit).collect();
        let found = found.ok_or(ModelError::NonFinite)?;
        let mut chosen = 0;
        for (at, logit) in found.iter().enumerate() {
            if *logit > found[chosen] {
                chosen = at;
            }
        }
        let used = |choice: Option<&Token>| -> Result<Vec<Neuron>, ModelError> {
            let known = choice.and_then(|choice| self.promotions.get(choice));
            let layers = hooks.iter().zip(known.into_iter().flatten()).map(|(hook, promotions)| {
                let rows = taken.get(*hook);
                let last = &rows[rows.len() - promotions.len()..];
                last.iter().zip(promotions).map(|(x, by)| f64::from(*x) * f64::from(*by)).collect()
            });
            let scores = AnswerScores::new(layers.collect(), self.neurons);
            let scores = scores.map_err(|_| ModelError::NonFinite)?;
            Ok(scores.select(self.threshold, Reading::Document))
        };
        Ok(MuiAnswer {
            question: *number,
            chosen,
            neurons: used(choices.first())?,
            other: used(choices.get(1))?,
            tokens: tokens.clone(),
            choices: choices.clone(),
        })
    }

    /// What there is so far.
    #[must_use]
    pub fn report(&self) -> MuiReport {
        let union = || NeuronUnion::new(self.layers, self.neurons);
        let mut all = union();
        let mut tasks = Vec::new();
        for task in TaskKind::ALL {
            let of = self.questions.iter().zip(&self.answers);
            let of: Vec<_> = of.filter(|(question, _)| question.task == task).collect();
            if of.is_empty() {
                continue;
            }
            let (mut mine, mut other) = (union(), union());
            let mut uses = UseCounts::new(self.layers, self.neurons);
            let mut growth = Vec::new();
            for (_, answer) in &of {
                // They are this model's own.
                let _ = (mine.add_answer(&answer.neurons), all.add_answer(&answer.neurons));
                let _ = (uses.add_answer(&answer.neurons), other.add_answer(&answer.other));
                growth.push(mine.mui());
            }
            let count = of.len() as f64;
            let right = of.iter().filter(|(_, answer)| answer.chosen == 0).count();
            let rights: Vec<f64> = of.iter().map(|(_, one)| f64::from(u8::from(one.chosen == 0))).collect();
            let answers: Vec<&MuiAnswer> = of.iter().map(|(_, answer)| *answer).collect();
            let seed = self.options.seed;
            let interval = |index: f64, neurons: fn(&MuiAnswer) -> &[Neuron]| {
                let used: Vec<_> = answers.iter().map(|answer| neurons(answer)).collect();
                let alone = intervals::share_per_answer(&used, self.layers * self.neurons);
                let found = intervals::mean_interval(&intervals::index_contributions(index, &alone), seed);
                // An index is a share.
                found.map(|ends| ends.map(|end| end.clamp(0.0, 1.0)))
            };
            let chance: f64 = of.iter().map(|(one, _)| 1.0 / one.choices.len() as f64).sum();
            tasks.push(MuiTask {
                task,
                accuracy: right as f64 / count,
                chance: chance / count,
                mui: mine.mui(),
                mui_other: other.mui(),
                mui_random: random_mui_of_share(uses.mean_share_per_answer(), of.len()),
                accuracy_interval: intervals::mean_interval(&rights, seed),
                mui_interval: interval(mine.mui(), |answer| &answer.neurons),
                mui_other_interval: interval(other.mui(), |answer| &answer.other),
                mean_k: uses.mean_share_per_answer() * self.neurons as f64,
                growth,
                answers: of.into_iter().map(|(_, answer)| answer.clone()).collect(),
            });
        }
        MuiReport {
            options: self.options.clone(),
            layers: self.layers,
            neurons: self.neurons,
            threshold: self.threshold.to_string(),
            kept: match self.threshold {
                Threshold::TopK(k) => Some(k),
                Threshold::TopShare(share) => Some(neurons_in_share(share, self.neurons)),
                Threshold::GlobalTopK(_) | Threshold::TopScore(_) => None,
            },
            mui: all.mui(),
            tasks,
        }
    }
}
