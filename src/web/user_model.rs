//! A reader's own model in JavaScript: any language model that is read, what it makes of a text, and an autoencoder in it.

use js_sys::{Float32Array, Function, Object, Uint8Array};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, js_error, to_js};
use super::evaluate::{JsSource, OwnFiles};
use super::files::file_object;
use crate::cancel;
use crate::io::{self, ReadAt, to_npy};
use crate::lab::evaluate::{expect_one_sae, open_sae_folder};
use crate::lab::language_model::{CorpusActivations, MetricRun, MuiDirections, MuiModel, require_tokenizer};
use crate::model::{
    AblateTo, Ablation, ActivationCache, Batch, Component, Edits, Hook, HookShapes, LanguageModel, LikeliestToken,
    ModelError, ModelFiles, TextScore, Tokenizer, tokens_read,
};
use crate::object;
use crate::sae::latents::{
    Concept, DEFAULT_CONCEPTS, LatentActivations, LatentOrder, SAMPLE_TEXT, tokenize_into_contexts,
};
use crate::sae::layout::files::find_autoencoders;
use crate::sae::{Autoencoder, SpliceError, SpliceOptions, splice};
use crate::synthetic::language::Token;
use crate::workers;

/// Where the memory of a tab's WebAssembly ends.
const MEMORY_MAX: u64 = 4 << 30;
/// What the program and a tokenizer take of it, at most.
const RESERVED_BYTES: u64 = 128 << 20;
/// Tokens of a text at once.
const TOKENS_MAX: usize = 1_024;
/// Tokens of a context of a corpus.
const CONTEXT_TOKENS: usize = 128;
/// Latents and places that are listed, at most.
const LISTED_ROWS_MAX: usize = 1_000;

fn model_error(error: ModelError) -> JsValue {
    failure_error(&error)
}

/// The rules of concepts that are looked for unless others are given.
#[wasm_bindgen]
#[must_use]
pub fn concept_rules() -> String {
    DEFAULT_CONCEPTS.to_owned()
}

/// The texts that latents are looked for in unless others are given.
#[wasm_bindgen]
#[must_use]
pub fn latent_texts() -> String {
    SAMPLE_TEXT.to_owned()
}

/// How much has been done here, and in how much memory: `{tokens, bytes}`, where `tokens` counts those that forward passes
/// of readers' models have read so far, and `bytes` is this worker's WebAssembly memory.
#[wasm_bindgen]
pub fn model_meter() -> Result<JsValue, JsValue> {
    // Pages of 64 KiB.
    let bytes = (core::arch::wasm32::memory_size::<0>() as u64) << 16;
    to_js(&object! { tokens: tokens_read(), bytes })
}

/// Where models have gone from each to the next, and the law over three or more, by their reports on the Model Utilization
/// Index: `[{model, report}]` to `{resamples, confidence, steps, laws}`, as the command line's JSON has it. Of no model
/// anything is in memory.
#[wasm_bindgen]
pub fn mui_directions(models: JsValue) -> Result<JsValue, JsValue> {
    let models: Vec<MuiModel> = from_js("models", models)?;
    to_js(&MuiDirections::from_models(&models).map_err(model_error)?)
}

/// Latents over a corpus, text by text.
struct LatentStudy {
    texts: Vec<Vec<Token>>,
    done: usize,
    latents: LatentActivations,
}

/// A model of a reader's own, from its files to its activations, and an autoencoder for it. Made for a worker, which can
/// read a `File` synchronously.
#[wasm_bindgen]
#[derive(Default)]
pub struct ModelReader {
    files: Vec<(String, Box<dyn ReadAt>)>,
    opened: Option<(ModelFiles, u64)>,
    model: Option<LanguageModel>,
    autoencoder: Option<Autoencoder>,
    study: Option<LatentStudy>,
    metric: Option<MetricRun>,
    gathered: Option<CorpusActivations>,
}

/// What is ablated: `{components: ["head:0.1", …], to: "zero" | "mean", seed}`.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct AblationRequest {
    components: Vec<String>,
    to: AblateTo,
    seed: u32,
}

impl AblationRequest {
    fn parse(value: JsValue) -> Result<(Ablation, u32), JsValue> {
        let Self { components, to, seed } =
            if value.is_undefined() || value.is_null() { Self::default() } else { from_js("ablate", value)? };
        let read = |text: &String| {
            text.parse().map_err(|allowed: &str| {
                let message = format!("ablate = {text:?}; allowed: {allowed}");
                js_error("model.component", &message, Some("ablate"))
            })
        };
        let components = components.iter().map(read).collect::<Result<Vec<Component>, _>>()?;
        Ok((Ablation { components, ablate_to: to }, seed))
    }
}

#[wasm_bindgen]
impl ModelReader {
    /// No files yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a file of the model, of which `read(offset, length)` returns parts as `Uint8Array`s.
    pub fn add(&mut self, name: &str, size: f64, read: Function) -> Result<(), JsValue> {
        self.files.push((name.to_owned(), Box::new(JsSource::from_reader(name, size, read)?)));
        Ok(())
    }

    /// Reads configuration and tokenizer, of the weights their names and shapes:
    /// `{sentence, family, config, types, bytes, run, cap, tokens, hooks}`, where `bytes` is the memory that reading takes
    /// at most, `run` what a text of as many tokens as are read at once takes besides, `cap` what a tab has for the
    /// weights, and `tokens` how many the tokenizer has, null without one.
    pub fn open(&mut self) -> Result<JsValue, JsValue> {
        (self.opened, self.model, self.autoencoder) = (None, None, None);
        (self.study, self.metric, self.gathered) = (None, None, None);
        let files = ModelFiles::open(std::mem::take(&mut self.files), MEMORY_MAX).map_err(model_error)?;
        let config = files.architecture();
        let run = config.run_memory_bytes(TOKENS_MAX.min(config.context));
        let cap = MEMORY_MAX.saturating_sub(run).saturating_sub(RESERVED_BYTES);
        let hooks: Vec<String> = config.hooks().iter().map(ToString::to_string).collect();
        let found = to_js(&object! {
            sentence: files.describe(),
            family: config.family.label(),
            config,
            types: files.weight_types(),
            bytes: files.memory_bytes(),
            run,
            cap,
            tokens: files.tokenizer().map(Tokenizer::vocab_size),
            hooks,
        });
        self.opened = Some((files, cap));
        found
    }

    /// Reads the weights.
    pub fn read(&mut self) -> Result<(), JsValue> {
        let (files, cap) = self.opened.take().ok_or_else(no_model_error)?;
        self.model = Some(files.read(cap).map_err(model_error)?);
        Ok(())
    }

    fn model(&self) -> Result<&LanguageModel, JsValue> {
        self.model.as_ref().ok_or_else(no_model_error)
    }

    fn tokenizer(&self) -> Result<&Tokenizer, JsValue> {
        require_tokenizer(self.model()?).map_err(failure_error)
    }

    /// The tokens of a text, by the model's tokenizer, with those that it begins and ends every text with.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, JsValue> {
        self.tokenizer()?.encode_with_special_tokens(text).map_err(|error| model_error(error.into()))
    }

    /// What tokens stand for: `[text]`, null where there is no tokenizer, or one has no whole characters.
    pub fn pieces(&self, tokens: &[u32]) -> Result<JsValue, JsValue> {
        let model = self.model()?;
        to_js(&tokens.iter().map(|token| model.token_text(*token)).collect::<Vec<_>>())
    }

    /// The `count` likeliest tokens after some, and how well these were predicted:
    /// `{top: [{token, text, probability, logit}], cross_entropy, losses, ablation}`. With something ablated, `ablation` is
    /// what that does, with its own `top` and `losses` and beside its control.
    pub fn score(&self, tokens: &[u32], count: usize, ablate: JsValue) -> Result<JsValue, JsValue> {
        let (model, tokens) = (self.model()?, check_tokens(tokens)?);
        let (ablation, seed) = AblationRequest::parse(ablate)?;
        let scored = model.score_with_ablation(tokens, count.min(100), &ablation, seed);
        let (TextScore { top, cross_entropy, losses }, ablation) = scored.map_err(model_error)?;
        let top = model.with_token_text(top, |next| next.token);
        to_js(&object! { top, cross_entropy, losses, ablation })
    }

    fn ablation_edits(&self, tokens: &[u32], ablate: JsValue) -> Result<Edits, JsValue> {
        let (ablation, _) = AblationRequest::parse(ablate)?;
        if ablation.components.is_empty() {
            return Ok(Edits::default());
        }
        ablation.edits(self.model()?.decoder(), tokens).map_err(model_error)
    }

    /// The logit lens, layers × positions: `[[{token, text, probability}]]`, of the first `shown` positions. Means that
    /// ablated components write are those of all.
    pub fn lens(&self, tokens: &[u32], shown: usize, ablate: JsValue) -> Result<JsValue, JsValue> {
        let (model, tokens) = (self.model()?, check_tokens(tokens)?);
        let mut edits = self.ablation_edits(tokens, ablate)?;
        let seen = &tokens[..shown.clamp(1, tokens.len())];
        let layers = model.decoder().logit_lens(seen, &mut edits).map_err(model_error)?;
        let rows = layers.into_iter().map(|row| model.with_token_text(row, |one: &LikeliestToken| one.token));
        to_js(&rows.collect::<Vec<_>>())
    }

    /// The attention pattern of a head, "LAYER.HEAD", at the first `shown` positions: these × these that are looked at.
    pub fn attention(
        &self,
        tokens: &[u32],
        shown: usize,
        head: &str,
        ablate: JsValue,
    ) -> Result<Float32Array, JsValue> {
        let tokens = check_tokens(tokens)?;
        let mut edits = self.ablation_edits(tokens, ablate)?;
        let head: Component = head.parse().map_err(|allowed: &str| {
            js_error("model.component", &format!("head = {head:?}; allowed: {allowed}"), Some("head"))
        })?;
        let (model, seen) = (self.model()?.decoder(), &tokens[..shown.clamp(1, tokens.len())]);
        let found = model.attention_pattern(seen, head, &mut edits).map_err(model_error)?;
        Ok(Float32Array::from(found.as_slice()))
    }

    fn parse_hook(&self, name: &str) -> Result<Hook, JsValue> {
        self.model()?.decoder().architecture().parse_hook(name).map_err(|allowed| {
            let message = format!("hook = {name:?}; allowed: {allowed}");
            js_error("model.hook", &message, Some("hook"))
        })
    }

    /// What is at a hook while the model reads some tokens, as a .npy file in the shape that TransformerLens has, with one
    /// prompt: `{name, bytes}`. Later layers and logits are not computed.
    pub fn activation(&self, tokens: &[u32], hook: &str) -> Result<Object, JsValue> {
        let (model, of) = (self.model()?.decoder(), self.parse_hook(hook)?);
        let mut taken = ActivationCache::for_hooks(&[of]);
        let batch = Batch::new(&[check_tokens(tokens)?]).map_err(model_error)?;
        model.run_until(&batch, of, &mut taken).map_err(model_error)?;
        let values: Vec<f64> = taken.get(of).iter().map(|value| f64::from(*value)).collect();
        let count = batch.position_count();
        let shape = match model.hook_shape(of) {
            Some((heads, 0)) => vec![1, heads, count, count],
            Some((1, width)) if !has_head_dimension(of) => vec![1, count, width],
            Some((heads, width)) => vec![1, count, heads, width],
            None => return Err(model_error(ModelError::Hook { hook: of })),
        };
        file_object(&format!("{of}.npy"), &to_npy(&shape, &values))
    }

    /// Takes the autoencoder among some files, in any layout:
    /// `{sentence, assumed, width, latents, hook}`, where `hook` is the one that its configuration names, null where it
    /// names none that the model has.
    pub fn sae(&mut self, files: &OwnFiles) -> Result<JsValue, JsValue> {
        (self.autoencoder, self.study, self.metric) = (None, None, None);
        let names = expect_one_sae("the files", find_autoencoders(&files.names()));
        let names = names.map_err(|error| failure_error(&error))?;
        let folder = open_sae_folder(&names, files).map_err(|error| failure_error(&error))?;
        let autoencoder = Autoencoder::open(&folder).map_err(|error| failure_error(SpliceError::from(error)))?;
        let (width, latents) = autoencoder.shape();
        let recognised = autoencoder.recognised();
        let hook = autoencoder.hook(self.model()?.decoder().architecture());
        let found = to_js(&object! {
            sentence: recognised.describe(),
            assumed: &recognised.assumed,
            width,
            latents,
            hook: hook.map(|hook| hook.to_string()),
        });
        self.autoencoder = Some(autoencoder);
        found
    }

    fn autoencoder(&self) -> Result<&Autoencoder, JsValue> {
        self.autoencoder.as_ref().ok_or_else(no_autoencoder_error)
    }

    /// What becomes of predictions with the autoencoder at a hook, beside its controls, as `model own --sae --json` has it.
    /// `options`: `{keep_error, edits: [{latent, scale}], seed}`.
    pub fn splice(&self, tokens: &[u32], hook: &str, options: JsValue) -> Result<JsValue, JsValue> {
        let options: SpliceOptions = from_js("splice", options)?;
        let (model, hook) = (self.model()?.decoder(), self.parse_hook(hook)?);
        let found = splice(model, self.autoencoder()?, hook, &options, check_tokens(tokens)?);
        to_js(&found.map_err(|error| failure_error(&error))?)
    }

    /// Begins to look for latents in a text, cut into contexts at blank lines; how many contexts there are.
    pub fn study(&mut self, text: &str, hook: &str, seed: u32) -> Result<usize, JsValue> {
        self.study = None;
        let (model, hook) = (self.model()?.decoder(), self.parse_hook(hook)?);
        let longest = CONTEXT_TOKENS.min(model.architecture().context);
        let texts = tokenize_into_contexts(self.tokenizer()?, text, longest).map_err(model_error)?;
        let latents = LatentActivations::new(model, self.autoencoder()?, hook, seed);
        let latents = latents.map_err(|error| failure_error(&error))?;
        let count = texts.len();
        self.study = Some(LatentStudy { texts, done: 0, latents });
        Ok(count)
    }

    /// Reads the next context, or as many as there are workers; how many have been read.
    pub fn study_step(&mut self) -> Result<usize, JsValue> {
        let model = self.model.as_ref().ok_or_else(no_model_error)?.decoder();
        let autoencoder = self.autoencoder.as_ref().ok_or_else(no_model_error)?;
        let study = self.study.as_mut().ok_or_else(no_study_error)?;
        let next: Vec<_> = study.texts.iter().skip(study.done).take(workers::worker_count()).collect();
        let added = study.latents.add_texts(model, autoencoder, &next);
        added.map_err(|error| failure_error(&error))?;
        study.done += next.len();
        Ok(study.done)
    }

    fn current_study(&self) -> Result<&LatentStudy, JsValue> {
        self.study.as_ref().ok_or_else(no_study_error)
    }

    /// Latents over what has been read: `{texts, positions, latents, alive, l0, rows}`; `order` is "max", "density" or
    /// "number".
    pub fn latents(&self, order: JsValue, count: usize) -> Result<JsValue, JsValue> {
        let order: LatentOrder = from_js("order", order)?;
        to_js(&self.current_study()?.latents.latent_table(order, count.min(LISTED_ROWS_MAX)))
    }

    /// Where a latent is most active, and the logits that it raises and lowers most:
    /// `{latent, contexts: [{text, position, activation, tokens: [[token, activation]], pieces, at}], raised, lowered}`, the last
    /// two null where its hook does not write into the residual stream.
    pub fn latent(&self, latent: usize, count: usize) -> Result<JsValue, JsValue> {
        let (study, autoencoder) = (self.current_study()?, self.autoencoder()?);
        let view = study.latents.latent_view(self.model()?, autoencoder, latent, count.min(LISTED_ROWS_MAX));
        to_js(&view.map_err(|error| failure_error(&error))?)
    }

    /// Begins to gather what is at a hook over a text, cut into contexts at blank lines; how many contexts there are.
    pub fn gather(&mut self, text: &str, hook: &str) -> Result<usize, JsValue> {
        self.gathered = None;
        let run = CorpusActivations::new(self.model()?, text, self.parse_hook(hook)?).map_err(failure_error)?;
        Ok(self.gathered.insert(run).steps())
    }

    /// Reads the next context, or as many as there are workers; how many have been read.
    pub fn gather_step(&mut self) -> Result<usize, JsValue> {
        let model = self.model.as_ref().ok_or_else(no_model_error)?;
        self.gathered.as_mut().ok_or_else(no_study_error)?.step(model).map_err(failure_error)
    }

    /// What was gathered, every position but the first of each context, as a .npy file: `{name, bytes}`; it is let go.
    pub fn gathered(&mut self) -> Result<Object, JsValue> {
        let run = self.gathered.take().ok_or_else(no_study_error)?;
        file_object(&run.file_name(), run.to_npy().ok_or_else(no_study_error)?)
    }

    /// Begins a paper's metric: `{metric: "fade", hook, texts, rules, options}`, `{metric: "ce-bench", hook, stories: {name,
    /// text}, options}`, `{metric: "mui", options}` or `{metric: "circuits", options}`; how many steps there are.
    pub fn metric(&mut self, request: JsValue) -> Result<usize, JsValue> {
        self.metric = None;
        let request = from_js("metric", request)?;
        let run = MetricRun::new(self.model()?, self.autoencoder.as_ref(), request);
        Ok(self.metric.insert(run.map_err(failure_error)?).steps())
    }

    /// Takes its next step, or as many as there are workers; how many have been taken. One that is cancelled can be taken
    /// again.
    pub fn metric_step(&mut self) -> Result<usize, JsValue> {
        let model = self.model.as_ref().ok_or_else(no_model_error)?;
        let run = self.metric.as_mut().ok_or_else(no_study_error)?;
        run.step(model, self.autoencoder.as_ref()).map_err(failure_error)
    }

    /// What there is of it so far, as the command line's JSON has it.
    pub fn metric_report(&self) -> Result<JsValue, JsValue> {
        let run = self.metric.as_ref().ok_or_else(no_study_error)?;
        to_js(&run.report().map_err(failure_error)?)
    }

    /// Which concepts latents separate, by rules a line each: `{positions, directions, rows: [{concept, positives, best,
    /// random, shuffled}]}`.
    pub fn concepts(&self, rules: &str) -> Result<JsValue, JsValue> {
        let concepts = Concept::parse(rules).map_err(|error| failure_error(&error))?;
        to_js(&self.current_study()?.latents.score_concepts(self.tokenizer()?, &concepts))
    }
}

/// Has what is computed in this instance call `ask` between pieces of work, and end with code "cancelled" once it is true;
/// nobody is asked without one.
#[wasm_bindgen]
pub fn cancel_when(ask: Option<Function>) {
    let ask = ask.map(|ask| -> Box<dyn FnMut() -> bool> {
        Box::new(move || ask.call0(&JsValue::NULL).is_ok_and(|found| found.is_truthy()))
    });
    cancel::set_cancel_check(ask);
}

/// SHA-256 of a file of which `read(offset, length)` returns parts as `Uint8Array`s, from its first to its last, as
/// hexadecimal digits.
#[wasm_bindgen]
pub fn file_digest(name: &str, size: f64, read: Function) -> Result<String, JsValue> {
    io::digest(name, &JsSource::from_reader(name, size, read)?).map_err(|error| model_error(error.into()))
}

/// Makes this instance one of `world_size` workers, the one numbered `rank`, that hold the same model and take the same steps
/// of the same study: each does its own share of a step and hands it to all.
#[wasm_bindgen]
pub fn join_workers(rank: usize, world_size: usize) {
    workers::set_rank(rank, world_size);
}

/// This worker's share of the step that ended with code "cancelled" because it waits for the others': undefined where it
/// waits for nobody.
#[wasm_bindgen]
#[must_use]
pub fn computed_share() -> Option<Vec<u8>> {
    workers::take_computed_pieces()
}

/// The shares of all workers, by rank, for the step that waits for them; it is taken again then.
#[wasm_bindgen]
pub fn gathered_shares(shares: Vec<Uint8Array>) {
    workers::set_gathered_pieces(shares.iter().map(Uint8Array::to_vec).collect());
}

fn no_model_error() -> JsValue {
    js_error("model.absent", "no model has been read", None)
}

fn no_autoencoder_error() -> JsValue {
    js_error("splice.absent", "no autoencoder has been opened", None)
}

fn no_study_error() -> JsValue {
    js_error("latents.absent", "latents have been looked for in no text", None)
}

fn check_tokens(tokens: &[u32]) -> Result<&[u32], JsValue> {
    if (1..=TOKENS_MAX).contains(&tokens.len()) {
        return Ok(tokens);
    }
    let message = format!("{} tokens; allowed: 1 to {TOKENS_MAX}", tokens.len());
    Err(js_error("model.tokens", &message, Some("tokens")))
}

/// Whether a hook has a dimension of heads, though a model may have one head alone.
fn has_head_dimension(hook: Hook) -> bool {
    use crate::model::Site;
    let Hook::Block(_, site) = hook else { return false };
    matches!(
        site,
        Site::Q | Site::K | Site::V | Site::QNormalized | Site::KNormalized | Site::RotQ | Site::RotK | Site::Z
    )
}

#[cfg(test)]
mod tests {
    use js_sys::{Array, JSON, Reflect};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn field(object: &JsValue, name: &str) -> JsValue {
        Reflect::get(object, &name.into()).unwrap()
    }

    fn reader(files: &[(&str, &[u8])]) -> ModelReader {
        let mut reader = ModelReader::new();
        for (name, bytes) in files {
            let read = Function::new_with_args("from, length", "return this.subarray(from, from + length)");
            let read = read.bind0(&Uint8Array::from(*bytes));
            reader.add(name, bytes.len() as f64, read).unwrap();
        }
        reader
    }

    #[wasm_bindgen_test]
    fn a_folder_is_opened_read_and_asked() {
        let files: [(&str, &[u8]); 2] = [
            ("config.json", include_bytes!("../../tests/golden/model/gpt2/config.json")),
            ("model.safetensors", include_bytes!("../../tests/golden/model/gpt2/model.safetensors")),
        ];
        assert!(ModelReader::new().open().is_err(), "there is no file");
        let mut reader = reader(&files);
        let found = reader.open().unwrap();
        assert!(field(&found, "bytes").as_f64().unwrap() > 1_000.0);
        assert!(field(&found, "sentence").as_string().unwrap().starts_with("GPT-2, "));
        assert!(field(&found, "tokens").is_null());
        let none = JsValue::UNDEFINED;
        assert!(reader.score(&[1], 3, none.clone()).is_err(), "nothing has been read");
        reader.read().unwrap();
        let next = Array::from(&field(&reader.score(&[1, 2, 3], 3, none.clone()).unwrap(), "top"));
        assert_eq!(next.length(), 3);
        let first = field(&next.get(0), "probability").as_f64().unwrap();
        assert!((0.0..=1.0).contains(&first), "{}", String::from(JSON::stringify(&next).unwrap()));
        let hooks = Array::from(&field(&found, "hooks"));
        assert_eq!(hooks.length(), 44);
        for hook in hooks.iter() {
            let name = hook.as_string().unwrap();
            let file = reader.activation(&[1, 2, 3], &name).unwrap();
            assert_eq!(field(&file, "name").as_string().unwrap(), format!("{name}.npy"));
        }
        assert!(reader.activation(&[1], "hook").is_err());
        assert!(reader.encode("a").is_err(), "there is no tokenizer");
        assert!(reader.score(&[], 1, none.clone()).is_err());
        assert!(reader.score(&[u32::MAX], 1, none).is_err());
    }

    #[wasm_bindgen_test]
    fn a_gguf_file_is_looked_into_with_an_autoencoder() {
        let gguf: &[u8] = include_bytes!("../../tests/golden/models/smollm2/model.gguf");
        let mut reader = reader(&[("model.gguf", gguf)]);
        let found = reader.open().unwrap();
        assert!(field(&found, "sentence").as_string().unwrap().starts_with("Llama, "));
        reader.read().unwrap();
        let tokens = reader.encode("It is 42, and it is done.").unwrap();
        let ablate = JSON::parse(r#"{"components": ["head:0.1"], "to": "mean"}"#).unwrap();
        let scored = reader.score(&tokens, 5, ablate.clone()).unwrap();
        let ablation = field(&scored, "ablation");
        assert!(field(&ablation, "kl").as_f64().unwrap() > 0.0);
        assert!(field(&field(&ablation, "control"), "kl").as_f64().unwrap() > 0.0);
        let lens = Array::from(&reader.lens(&tokens, 4, JsValue::UNDEFINED).unwrap());
        assert_eq!(Array::from(&lens.get(0)).length(), 4);
        let pattern = reader.attention(&tokens, 1_000, "1.0", ablate).unwrap();
        assert_eq!(pattern.length() as usize, tokens.len() * tokens.len());
        assert!((pattern.subarray(0, 1).get_index(0) - 1.0).abs() < 1e-6);
        assert!(reader.attention(&tokens, 3, "9.0", JsValue::UNDEFINED).is_err());

        assert!(reader.study("a b", "blocks.0.hook_resid_post", 0).is_err(), "no autoencoder");
        let mut files = OwnFiles::new(None);
        let config: &[u8] = include_bytes!("../../tests/golden/models/smollm2-sae/cfg.json");
        let weights: &[u8] = include_bytes!("../../tests/golden/models/smollm2-sae/sae_weights.safetensors");
        files.add("cfg.json", Uint8Array::from(config)).unwrap();
        files.add("sae_weights.safetensors", Uint8Array::from(weights)).unwrap();
        let sae = reader.sae(&files).unwrap();
        let hook = field(&sae, "hook").as_string().unwrap();
        assert_eq!(hook, "blocks.0.hook_resid_post");
        let options = JSON::parse(r#"{"keep_error": true}"#).unwrap();
        let spliced = reader.splice(&tokens, &hook, options).unwrap();
        assert!(field(&spliced, "kl").as_f64().unwrap() < 1e-6);
        let count = reader.study(&latent_texts(), &hook, 0).unwrap();
        assert!(count >= 10, "{count}");
        for done in 1..=3 {
            assert_eq!(reader.study_step().unwrap(), done);
        }
        let table = reader.latents("max".into(), 4).unwrap();
        let first = Array::from(&field(&table, "rows")).get(0);
        let latent = field(&first, "latent").as_f64().unwrap() as usize;
        let shown = reader.latent(latent, 3).unwrap();
        let context = Array::from(&field(&shown, "contexts")).get(0);
        assert_eq!(field(&context, "activation"), field(&first, "max"));
        assert_eq!(Array::from(&field(&shown, "raised")).length(), 3);
        let concepts = reader.concepts(&concept_rules()).unwrap();
        assert_eq!(Array::from(&field(&concepts, "rows")).length(), 30);
        assert!(reader.concepts("digits").is_err());

        assert!(reader.metric_step().is_err(), "no metric was asked for");
        let request = |text: &str| JSON::parse(text).unwrap();
        for (asked, list) in [
            (r#"{"metric": "mui", "options": {"questions": 2}}"#, "tasks"),
            (r#"{"metric": "circuits", "options": {"prompts": 4}}"#, "tasks"),
            (r#"{"metric": "ce-bench", "hook": "blocks.0.hook_resid_post", "options": {}}"#, "pairs"),
            (
                r#"{"metric": "fade", "hook": "blocks.0.hook_resid_post", "rules": "digits: class digit", "options": {"made": 2}}"#,
                "concepts",
            ),
        ] {
            let steps = reader.metric(request(asked)).unwrap();
            for done in 1..=steps {
                assert_eq!(reader.metric_step().unwrap(), done, "{asked}");
            }
            let report = reader.metric_report().unwrap();
            assert!(Array::from(&field(&report, list)).length() > 0, "{asked}");
            if asked.contains(r#""metric": "mui""#) {
                let report = String::from(JSON::stringify(&report).unwrap());
                let model = format!(r#"{{"model": "m", "report": {report}}}"#);
                let found = mui_directions(request(&format!("[{model}, {model}]"))).unwrap();
                assert_eq!(Array::from(&field(&found, "steps")).length(), 1);
                assert!(mui_directions(request(&format!("[{model}]"))).is_err());
            }
        }
        assert!(reader.metric(request(r#"{"metric": "mui", "options": {"questions": 0}}"#)).is_err());
    }
}
