//! The toy model in JavaScript: its files, its language, one text looked at, tasks, autoencoders.

use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, js_error, to_js};
use crate::object;
use crate::sae::train::Autoencoder;
use crate::study::Failure;
use crate::synthetic::language::{
    self, CONTEXT_TOKENS, Concept, LanguageRng, START_TOKEN, Task, Text, Token, VOCABULARY,
};
use crate::toy_model::task::{self, Head};
use crate::toy_model::training::{TrainingError, TrainingOptions, TrainingSession};
use crate::toy_model::{self, CHECKPOINTS, DICTIONARIES, Dictionary, FILES, FINAL_CHECKPOINT, ToyModelError, view};

impl From<&TrainingError> for Failure {
    fn from(error: &TrainingError) -> Self {
        match error {
            TrainingError::ToyModel(error) => error.into(),
            TrainingError::Train(error) => error.into(),
        }
    }
}

/// The files that belong to the toy model: `[{name, file, bytes, sha256}]`.
#[wasm_bindgen]
pub fn little_files() -> Result<JsValue, JsValue> {
    to_js(&FILES)
}

/// Takes one of them, if it is the very file that was shipped.
#[wasm_bindgen]
pub fn little_give(name: &str, bytes: Vec<u8>) -> Result<(), JsValue> {
    toy_model::provide_file(name, bytes).map_err(|error| failure_error(&error))
}

/// Whether one of them is here.
#[wasm_bindgen]
#[must_use]
pub fn little_has(name: &str) -> bool {
    toy_model::has_file(name)
}

/// The files that a run takes: of "fade" one of the autoencoder `subject`, of "ce-bench" all of them.
#[wasm_bindgen]
#[must_use]
pub fn little_needs(study: &str, subject: &str) -> Vec<String> {
    let wanted = |known: &&toy_model::NamedDictionary| study == "ce-bench" || known.name == subject;
    let mut names = vec![FINAL_CHECKPOINT];
    for known in DICTIONARIES.iter().filter(wanted).filter(|known| !known.file.is_empty()) {
        if !names.contains(&known.file) {
            names.push(known.file);
        }
    }
    names.into_iter().map(str::to_owned).collect()
}

/// The checkpoints' names, those of the training in its order.
#[wasm_bindgen]
#[must_use]
pub fn little_checkpoints() -> Vec<String> {
    CHECKPOINTS.map(str::to_owned).to_vec()
}

/// The autoencoders that are shipped: `[{name, label, file, tensors, kind, role}]`.
#[wasm_bindgen]
pub fn little_dictionaries() -> Result<JsValue, JsValue> {
    to_js(&DICTIONARIES)
}

/// The language: `{words, start, context, concepts: [{name, words}], tasks: [{name, asks}]}`.
#[wasm_bindgen(js_name = language)]
pub fn planted_language() -> Result<JsValue, JsValue> {
    let concepts = Concept::ALL.map(|of| object! { name: of.name(), words: of.words() });
    let tasks = Task::ALL.map(|of| object! { name: of.name(), asks: of.asks() });
    to_js(&object! {
        words: &VOCABULARY[..],
        start: START_TOKEN,
        context: CONTEXT_TOKENS,
        concepts: &concepts[..],
        tasks: &tasks[..],
    })
}

/// The natural text of a place, from 0, in the texts of a seed.
#[wasm_bindgen]
#[must_use]
pub fn language_text(seed: u32, index: u32) -> Vec<u32> {
    let mut draws = LanguageRng::new(seed);
    for _ in 0..index.min(10_000) {
        Text::draw(&mut draws);
    }
    Text::draw(&mut draws).tokens
}

/// The tokens of words with white space between them; refuses the first that the language does not have.
#[wasm_bindgen]
pub fn language_tokens(text: &str) -> Result<Vec<u32>, JsValue> {
    language::encode_words(text).map_err(|word| {
        let message = format!("“{word}” is no word of the language");
        js_error("language.word", &message, Some("text"))
    })
}

fn parse_task(name: &str) -> Result<Task, JsValue> {
    Task::from_name(name).ok_or_else(|| {
        let names = Task::NAMES.join(", ");
        let message = format!("task = {name:?}; allowed: {names}");
        js_error("language.task", &message, Some("task"))
    })
}

/// A test prompt of a task: `{tokens, answer, foil}`.
#[wasm_bindgen]
pub fn language_prompt(task: &str, index: usize) -> Result<JsValue, JsValue> {
    let index = index.min(task::PROMPTS_MAX - 1);
    let prompts = task::test_prompts(parse_task(task)?, index + 1).map_err(|error| failure_error(&error))?;
    let tokens = prompts.tokens.last().cloned().unwrap_or_default();
    let of = |tokens: &[Token]| tokens.last().copied().unwrap_or(START_TOKEN);
    to_js(&object! { tokens, answer: of(&prompts.answers), foil: of(&prompts.foils) })
}

/// Layers and heads, one after the other.
fn parse_heads(pairs: &[u32]) -> Vec<Head> {
    pairs.chunks_exact(2).map(|pair| (pair[0] as usize, pair[1] as usize)).collect()
}

/// What a checkpoint makes of a text of 1 to 32 tokens: likely next words, attention, neurons, and the
/// latents of an autoencoder. `ablated` are layers and heads in turn.
#[wasm_bindgen]
pub fn little_read(checkpoint: &str, tokens: &[u32], sae: &str, ablated: &[u32]) -> Result<JsValue, JsValue> {
    let found = toy_model::load_dictionary(sae)
        .and_then(|dictionary| view::view_text(checkpoint, tokens, &dictionary, &parse_heads(ablated)));
    to_js(&found.map_err(|error| failure_error(&error))?)
}

/// How well a checkpoint does each task, with heads ablated: `[{task, accuracy, ld_mean, ld_positive}]`.
#[wasm_bindgen]
pub fn little_tasks(checkpoint: &str, ablated: &[u32], count: usize) -> Result<JsValue, JsValue> {
    let all = || {
        let model = toy_model::load_model(checkpoint)?;
        let score = |of| {
            let score = task::score_task(&model, of, count, &parse_heads(ablated))?;
            Ok(object! {
                task: of,
                #[serde(flatten)]
                score,
            })
        };
        Task::ALL.into_iter().map(score).collect::<Result<Vec<_>, ToyModelError>>()
    };
    to_js(&all().map_err(|error| failure_error(&error))?)
}

/// What each head of a checkpoint does for each task: `[{task, score, effects: [{head, effect, accuracy}]}]`.
#[wasm_bindgen]
pub fn little_effects(checkpoint: &str, count: usize) -> Result<JsValue, JsValue> {
    let all = || {
        let model = toy_model::load_model(checkpoint)?;
        let of = |of| {
            let (score, effects) = task::score_and_effects(&model, of, count)?;
            Ok(object! { task: of, score, effects })
        };
        Task::ALL.into_iter().map(of).collect::<Result<Vec<_>, ToyModelError>>()
    };
    to_js(&all().map_err(|error| failure_error(&error))?)
}

/// An autoencoder being trained on the toy model's residual stream. Blocks while it steps: for workers.
#[wasm_bindgen]
pub struct LittleTrainer(TrainingSession);

#[wasm_bindgen]
impl LittleTrainer {
    /// Takes `{config, checkpoint, texts}`: a configuration as [`train_defaults`](super::train_defaults)
    /// gives it, the checkpoint that is read, and how many texts; all of it may be left out.
    #[wasm_bindgen(constructor)]
    pub fn new(wanted: JsValue) -> Result<Self, JsValue> {
        let wanted: TrainingOptions = from_js("train", wanted)?;
        TrainingSession::new(&wanted).map(Self).map_err(|error| failure_error(&error))
    }

    /// Takes steps; returns `{step, loss, mse, explained, l0, dead, sparsity, auxiliary}` of the last one.
    pub fn step(&mut self, steps: u32) -> Result<JsValue, JsValue> {
        to_js(&self.0.step(steps).map_err(|error| failure_error(&error))?)
    }

    /// What it has come to, as [`little_keep`] takes it.
    pub fn autoencoder(&self) -> Result<JsValue, JsValue> {
        to_js(&self.0.autoencoder())
    }
}

/// Keeps an autoencoder that [`LittleTrainer`] trained under a name: "own".
#[wasm_bindgen]
pub fn little_keep(name: &str, autoencoder: JsValue) -> Result<(), JsValue> {
    let autoencoder: Autoencoder = from_js("sae", autoencoder)?;
    toy_model::store_dictionary(name, Dictionary::from_trained(autoencoder)).map_err(|error| failure_error(&error))
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::web::{StudyHandle, fade_steered, study_run};

    fn given() {
        let model = include_bytes!("../../assets/little/ck-12000.safetensors");
        little_give("ck-12000", model.to_vec()).unwrap();
        little_give("sae", include_bytes!("../../assets/little/sae.safetensors").to_vec()).unwrap();
    }

    #[wasm_bindgen_test]
    fn what_was_not_given_is_asked_for_and_no_other_file_is_taken() {
        toy_model::forget_all();
        assert!(!little_has("ck-00188"));
        let absent = little_tasks("ck-00188", &[], 1).unwrap_err();
        assert_eq!(js_sys::Reflect::get(&absent, &"code".into()).unwrap(), "little.absent");
        let other = little_give("ck-00188", vec![1, 2, 3]).unwrap_err();
        assert_eq!(js_sys::Reflect::get(&other, &"code".into()).unwrap(), "little.changed");
        assert_eq!(little_needs("fade", "relu256"), ["ck-12000", "sae"]);
        assert_eq!(little_needs("ce-bench", "relu256"), ["ck-12000", "sae", "sae_controls"]);
        assert!(language_tokens("ann has love").is_err());
        assert_eq!(language_tokens("<s> ann").unwrap().len(), 2);
    }

    #[wasm_bindgen_test]
    fn a_study_is_run_opened_and_steered() {
        given();
        let settings =
            js_sys::JSON::parse(r#"{"texts": 60, "made": 5, "continuations": 4, "factors": [0, 10]}"#).unwrap();
        let report = study_run("fade", settings.clone(), &js_sys::Function::new_no_args("")).unwrap();
        let features = js_sys::Reflect::get(&report, &"features".into()).unwrap();
        let first = js_sys::Array::from(&features).get(0);
        let steered = fade_steered(settings, first).unwrap();
        let mut view = StudyHandle::open("fade", report).unwrap();
        view.add_steered(0, steered).unwrap();
        assert!(view.open_feature(10_000).is_err());
        view.open_feature(3).unwrap();
        for figure in view.opened.figures() {
            assert!(!view.summary(figure.id).unwrap().is_empty(), "{}", figure.id);
            assert!(view.preferred_height(figure.id, 340.0).unwrap() > 40.0);
        }
        assert!(view.open_reading("paper").is_err(), "that is CE-Bench's");
    }
}
