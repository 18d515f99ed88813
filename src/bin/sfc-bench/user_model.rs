//! A reader's own model: what it is, what it takes, and what comes next.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sfc_bench::Problem;
use sfc_bench::io::{self, IoError};
use sfc_bench::lab::evaluate::{EvaluationError, OpenFiles, open_sae_folder};
use sfc_bench::lab::language_model::CorpusActivations;
use sfc_bench::model::{
    AblateTo, Ablation, AblationWithTokenText, ActivationCache, Architecture, Batch, Component, Config, Edits, Hook,
    LanguageModel, LikeliestToken, ModelError, ModelFiles, NextToken, PredictionEffect, TextScore, Tokenizer,
    WithTokenText, on_disk, read_token_rows,
};
use sfc_bench::sae::latents::{
    BestSeparator, Concept, ConceptTable, ContextWithTokenText, DEFAULT_CONCEPTS, LatentActivations, LatentOrder,
    LatentTable, LatentView, SAMPLE_TEXT, tokenize_into_contexts,
};
use sfc_bench::sae::{Autoencoder, LatentEdit, SpliceOptions, SpliceReport, splice};
use sfc_bench::synthetic::language::Token;
use sfc_bench::threads;

use crate::files::{DiskFiles, parse_array_ref};
use crate::format::{BoxError, Format, OutputArgs, TextResult, TextTable, format_number, format_optional, to_json};
use crate::study_pieces::StudyCheckpoint;
use crate::{checkpoint, destination, study_pieces};

/// Likeliest tokens that are shown.
const SHOWN_TOKENS: usize = 10;
/// Most prompts at once.
const PROMPTS_MAX: usize = 1_000;

/// A language model: a folder as Hugging Face's `save_pretrained` writes GPT-2, GPT-NeoX (Pythia), Llama, SmolLM2,
/// Mistral, Qwen2, Qwen3, Gemma 2 or Gemma 3 (config.json, model.safetensors or its shards, and tokenizer.json, which may
/// be left out), a .zip of it, or a GGUF file, or a folder of its parts.
#[derive(Debug, clap::Args)]
pub struct UserModelArgs {
    /// The model's folder, or its .gguf file
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// What comes after this text
    #[arg(long, value_name = "TEXT", conflicts_with = "tokens", allow_hyphen_values = true)]
    text: Option<String>,
    /// What comes after these tokens: numbers, as in 0,5,7, or a file of whole numbers, one prompt a row
    #[arg(long, value_name = "T,…|FILE.npy", allow_hyphen_values = true)]
    tokens: Option<String>,
    /// A place in the model, by TransformerLens' name (blocks.3.hook_resid_post) or Hugging Face's (model.layers.3)
    #[arg(long, value_name = "NAME")]
    hook: Option<String>,
    /// Write the activations at the hook there: a .npy of float32, a row a position
    #[arg(long, value_name = "FILE.npy", requires = "hook", conflicts_with = "sae")]
    out: Option<PathBuf>,
    /// Write over what stands there
    #[arg(long, requires = "out")]
    force: bool,
    /// For each layer and position, the likeliest token by the logit lens: the last normalisation and the unembedding of
    /// its residual stream
    #[arg(long)]
    lens: bool,
    /// The attention pattern of this head
    #[arg(long, value_name = "LAYER.HEAD")]
    attention: Option<String>,
    /// Ablate these heads and neurons, beside as many random others of the same layers
    #[arg(long, value_name = "head:L.H,neuron:L.N,…", value_delimiter = ',')]
    ablate: Vec<String>,
    /// What ablated components write: zero, or their mean over the positions of the text but the first
    #[arg(long, value_enum, default_value_t = AblationValue::Zero, requires = "ablate")]
    to: AblationValue,
    /// Seed of random controls, with --ablate or --sae; by default 0
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Put this autoencoder's reconstruction in the place of what is at the hook (by default the one its configuration
    /// names): its folder in any layout, or a .zip of it
    #[arg(long, value_name = "FOLDER")]
    sae: Option<PathBuf>,
    /// Add what the reconstruction lacks to it
    #[arg(long, requires = "sae")]
    keep_error: bool,
    /// Multiply the activations of latents before they are decoded: 0 ablates
    #[arg(long, value_name = "LATENT=FACTOR,…", value_delimiter = ',', requires = "sae")]
    scale: Vec<String>,
    /// This many latents over a corpus, those of the greatest activation first, and which concepts latents separate
    #[arg(long, value_name = "N", requires = "sae")]
    latents: Option<usize>,
    /// One latent over a corpus: where it is most active, and which logits it raises and lowers
    #[arg(long, value_name = "LATENT", requires = "sae")]
    latent: Option<usize>,
    /// The corpus: a text whose parts are between blank lines, in place of the one that is built in; without a prompt,
    /// activations at a hook are those of its parts, at every position but the first of each
    #[arg(long, value_name = "FILE.txt")]
    corpus: Option<PathBuf>,
    /// Rules of concepts, a line each, in place of those that are built in
    #[arg(long, value_name = "FILE.txt", requires = "latents")]
    concepts: Option<PathBuf>,
    /// Memory the model may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u32,
    #[command(flatten)]
    checkpoint: checkpoint::Options,
    #[command(flatten)]
    output: OutputArgs,
}

/// What ablated components write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum AblationValue {
    Zero,
    Mean,
}

/// Tokens of a context of a corpus.
const CONTEXT_TOKENS: usize = 128;
/// Largest corpus, and largest file of rules, in bytes.
const CORPUS_BYTES_MAX: u64 = 4 << 20;

#[derive(Serialize)]
struct JsonOutput {
    config: Architecture,
    /// Bytes that reading it takes.
    memory: u64,
    tokenizer: Option<TokenizerSummary>,
    hooks: Vec<String>,
    /// Those of the prompt, where there is one.
    #[serde(flatten)]
    only: Option<PromptResult>,
    prompts: Vec<PromptResult>,
    activations: Option<ActivationsFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    latents: Option<LatentTable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    concepts: Option<ConceptTable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    latent: Option<LatentView>,
    /// What is said of all of it.
    #[serde(skip)]
    sentence: String,
}

#[derive(Clone, Serialize)]
struct AttentionPattern {
    head: String,
    /// Positions × positions that are looked at.
    pattern: Vec<Vec<f32>>,
}

#[derive(Serialize)]
struct TokenizerSummary {
    tokens: usize,
}

#[derive(Clone, Default, Serialize)]
struct PromptResult {
    tokens: Vec<Token>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Vec<WithTokenText<NextToken>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<Vec<WithTokenText<NextToken>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cross_entropy: Option<f64>,
    /// −ln p of each token but the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    losses: Option<Vec<f64>>,
    /// Layers × positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    lens: Option<Vec<Vec<WithTokenText<LikeliestToken>>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attention: Option<AttentionPattern>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ablation: Option<AblationWithTokenText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    splice: Option<SpliceReport>,
}

#[derive(Serialize)]
struct ActivationsFile {
    hook: String,
    shape: Vec<usize>,
    file: String,
}

fn unreadable_error(path: &Path, reason: impl ToString) -> IoError {
    IoError::Unreadable { file: path.display().to_string(), at: 0, reason: reason.to_string() }
}

fn open_source(path: &Path) -> Result<(File, u64), IoError> {
    crate::input::open_regular(path).map_err(|error| unreadable_error(path, error))
}

pub fn list_files(path: &Path, cap: u64) -> Result<Vec<on_disk::NamedFile>, IoError> {
    on_disk::model_files(path, cap, &open_source)
}

impl UserModelArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        self.check()?;
        let cap = u64::from(self.memory) << 20;
        let files = ModelFiles::open(list_files(&self.path, cap)?, cap)?;
        let memory = files.memory_bytes();
        let hook = self.hook.as_ref().map(|name| parse_hook(files.architecture(), name)).transpose()?;
        let sae = self.sae.as_ref().map(|path| open_autoencoder(path, cap)).transpose()?;
        let hook = match (hook, &sae) {
            (None, Some(sae)) => Some(configured_hook(files.architecture(), sae)?),
            (hook, _) => hook,
        };
        let prompts = self.read_prompts(&files, cap)?;
        destination::check_overwrite(self.out.as_deref(), self.force)?;
        let components = self.parse_components()?;
        let sentence = files.describe();
        let model = files.read(cap)?;
        let mut activations = None;
        let (mut latents, mut concepts, mut latent) = (None, None, None);
        if let (Some(hook), Some(sae)) = (hook, &sae)
            && (self.latents.is_some() || self.latent.is_some())
        {
            let all = self.study_latents(&model, sae, hook)?;
            latents = self.latents.map(|count| all.latent_table(LatentOrder::Max, count));
            if self.latents.is_some() {
                concepts = Some(self.score_concepts(&model, &all)?);
            }
            latent = self.latent.map(|at| all.latent_view(&model, sae, at, SHOWN_TOKENS)).transpose()?;
        }
        let prompts = match (hook, &sae) {
            (Some(hook), None) => {
                activations = Some(match &self.corpus {
                    Some(corpus) => self.write_corpus_activations(&model, hook, corpus)?,
                    None => self.write_activations(&model, hook, &prompts)?,
                });
                let plain = |tokens| PromptResult { tokens, ..PromptResult::default() };
                prompts.into_iter().map(plain).collect()
            }
            _ => {
                let work = |tokens: Vec<Token>| {
                    let spliced = match (hook, &sae) {
                        (Some(hook), Some(sae)) => Some(self.run_splice(&model, sae, hook, &tokens)?),
                        _ => None,
                    };
                    let prompt = self.run_prompt(&model, tokens, &components)?;
                    Ok::<PromptResult, BoxError>(PromptResult { splice: spliced, ..prompt })
                };
                threads::parallel_map(prompts, work)?
            }
        };
        let only = match prompts.as_slice() {
            [one] => Some(PromptResult { top: one.next.clone(), next: None, ..one.clone() }),
            _ => None,
        };
        let found = JsonOutput {
            config: model.decoder().architecture().clone(),
            memory,
            tokenizer: model.tokenizer().map(|t| TokenizerSummary { tokens: t.vocab_size() }),
            hooks: model.decoder().architecture().hooks().iter().map(ToString::to_string).collect(),
            only,
            prompts,
            activations,
            latents,
            concepts,
            latent,
            sentence,
        };
        format_output(self.output.format(), &found)
    }

    fn seed(&self) -> u32 {
        self.seed.unwrap_or(0)
    }

    /// Refuses what would be ignored.
    fn check(&self) -> Result<(), Problem> {
        let asked = self.text.is_some() || self.tokens.is_some();
        let studied = self.latents.is_some() || self.latent.is_some();
        let inside =
            [("lens", self.lens), ("attention", self.attention.is_some()), ("ablate", !self.ablate.is_empty())];
        let spliced = [
            ("sae", self.sae.is_some() && !studied),
            ("keep-error", self.keep_error),
            ("scale", !self.scale.is_empty()),
        ];
        let alone = self.hook.is_some() && self.sae.is_none();
        let csv = self.output.format() == Format::Csv;
        let others = [("hook", self.hook.is_some()), ("sae", self.sae.is_some())];
        let refuse = |given: &[(&'static str, bool)], when: bool, allowed: &str| {
            let ignored = given.iter().find(|(_, given)| when && *given);
            ignored.map_or(Ok(()), |(name, _)| Err(Problem::new(name, "given", allowed)))
        };
        let prompt = "with a prompt (--text or --tokens)";
        refuse(&inside, !asked, prompt)?;
        refuse(&spliced, !asked, &format!("{prompt}, or --sae with --latents or --latent"))?;
        refuse(&inside, alone, "without --hook and --out: activations are those of the whole model")?;
        let gathers = self.out.is_some() && !asked;
        let allowed = "with --latents or --latent, or in place of a prompt with --hook and --out";
        refuse(&[("corpus", self.corpus.is_some())], !studied && !gathers, allowed)?;
        let over_texts = studied || (gathers && self.corpus.is_some());
        let allowed = "over the texts of a corpus: with --latents, --latent or --corpus";
        refuse(&[("checkpoint", self.checkpoint.is_given())], !over_texts, allowed)?;
        let random = self.sae.is_some() || !self.ablate.is_empty();
        refuse(&[("seed", self.seed.is_some())], !random, "with --ablate or --sae")?;
        let listed = "as text or with --json: --csv lists the likeliest tokens alone";
        refuse(&[inside, spliced].concat(), csv, listed)?;
        refuse(&others, csv, listed)
    }

    /// What is ablated.
    fn parse_components(&self) -> Result<Vec<Component>, Problem> {
        let refuse = |text: &String, allowed| Problem::new("ablate", format!("{text:?}"), allowed);
        let read = |text: &String| text.parse().map_err(|allowed: &str| refuse(text, allowed));
        self.ablate.iter().map(read).collect()
    }

    /// What an autoencoder's latents are over the corpus.
    fn study_latents(
        &self,
        model: &LanguageModel,
        sae: &Autoencoder,
        hook: Hook,
    ) -> Result<LatentActivations, BoxError> {
        let text = match &self.corpus {
            Some(path) => read_text(path)?,
            None => SAMPLE_TEXT.to_owned(),
        };
        let mut all = LatentActivations::new(model.decoder(), sae, hook, self.seed()).map_err(BoxError::from)?;
        let longest = CONTEXT_TOKENS.min(model.decoder().architecture().context);
        let texts = tokenize_into_contexts(model_tokenizer(model)?, &text, longest)?;
        let pieces = self.open_study_checkpoint("latents", hook, &text, texts.len())?;
        pieces.run_steps(0, || {
            all.add_texts(model.decoder(), sae, &texts)?;
            Ok(false)
        })?;
        Ok(all)
    }

    /// Where what is done of so many contexts of a corpus is kept.
    fn open_study_checkpoint(
        &self,
        command: &str,
        hook: Hook,
        corpus: &str,
        contexts: usize,
    ) -> Result<StudyCheckpoint, BoxError> {
        let cap = u64::from(self.memory) << 20;
        let settings = || {
            let of_autoencoder = |path: &PathBuf| study_pieces::digest_autoencoder(path, cap);
            Ok(serde_json::json!({
                "hook": hook.to_string(),
                "seed": self.seed(),
                "corpus": study_pieces::digest_text(corpus)?,
                "autoencoder": self.sae.as_ref().map(of_autoencoder).transpose()?,
                "model": study_pieces::digest_model(list_files(&self.path, cap)?)?,
            }))
        };
        StudyCheckpoint::open(&self.checkpoint, command, settings, contexts)
    }

    fn score_concepts(&self, model: &LanguageModel, of: &LatentActivations) -> Result<ConceptTable, BoxError> {
        let rules = match &self.concepts {
            Some(path) => read_text(path)?,
            None => DEFAULT_CONCEPTS.to_owned(),
        };
        Ok(of.score_concepts(model_tokenizer(model)?, &parse_concepts(&rules)?))
    }

    /// What the model makes of a prompt.
    fn run_prompt(
        &self,
        model: &LanguageModel,
        tokens: Vec<Token>,
        components: &[Component],
    ) -> Result<PromptResult, BoxError> {
        let decoder = model.decoder();
        let to = if self.to == AblationValue::Mean { AblateTo::Mean } else { AblateTo::Zero };
        let ablation = Ablation { components: components.to_vec(), ablate_to: to };
        let (scored, ablated) = model.score_with_ablation(&tokens, SHOWN_TOKENS, &ablation, self.seed())?;
        let TextScore { top, cross_entropy, losses } = scored;
        // Lens and attention are those of the ablated model.
        let looks = self.lens || self.attention.is_some();
        let mut edits = match components {
            [_, ..] if looks => ablation.edits(decoder, &tokens)?,
            _ => Edits::default(),
        };
        let lens = match self.lens {
            true => Some(decoder.logit_lens(&tokens, &mut edits)?),
            false => None,
        };
        let lens = lens.map(|layers| {
            let rows = layers.into_iter().map(|row| model.with_token_text(row, |one| one.token));
            rows.collect()
        });
        let attention = match &self.attention {
            Some(name) => {
                let head: Component = name
                    .parse()
                    .map_err(|_| Problem::new("attention", format!("{name:?}"), "LAYER.HEAD, both from 0"))?;
                let pattern = decoder.attention_pattern(&tokens, head, &mut edits)?;
                let pattern = pattern.chunks(tokens.len().max(1)).map(<[f32]>::to_vec).collect();
                Some(AttentionPattern { head: head.to_string(), pattern })
            }
            None => None,
        };
        Ok(PromptResult {
            tokens,
            next: Some(model.with_token_text(top, |next| next.token)),
            cross_entropy,
            losses: Some(losses),
            lens,
            attention,
            ablation: ablated,
            ..PromptResult::default()
        })
    }

    fn run_splice(
        &self,
        model: &LanguageModel,
        sae: &Autoencoder,
        hook: Hook,
        tokens: &[Token],
    ) -> Result<SpliceReport, BoxError> {
        let edit = |text: &String| {
            let parts = text.split_once('=');
            let parts = parts.map(|(latent, by)| (latent.trim().parse(), by.trim().parse::<f64>()));
            match parts {
                Some((Ok(latent), Ok(scale))) if scale.is_finite() => Ok(LatentEdit { latent, scale }),
                _ => {
                    let allowed = "LATENT=FACTOR, as in 17=0";
                    Err(Problem::new("scale", format!("{text:?}"), allowed))
                }
            }
        };
        let edits = self.scale.iter().map(edit).collect::<Result<_, _>>()?;
        let options = SpliceOptions { keep_error: self.keep_error, edits, seed: self.seed() };
        Ok(splice(model.decoder(), sae, hook, &options, tokens)?)
    }

    /// Writes what is at a hook, and says what it has written; of later layers and logits nothing is computed.
    fn write_activations(
        &self,
        model: &LanguageModel,
        hook: Hook,
        prompts: &[Vec<Token>],
    ) -> Result<ActivationsFile, BoxError> {
        let Some(out) = &self.out else {
            let allowed = "with --out FILE.npy, where activations are written, or --sae FOLDER";
            return Err(Problem::new("hook", hook.to_string(), allowed).into());
        };
        if prompts.is_empty() {
            let allowed = "with --text, --tokens or --corpus";
            return Err(Problem::new("hook", hook.to_string(), allowed).into());
        }
        let of = model.decoder().architecture();
        let (heads, width) = of.hook_shape(hook).ok_or(ModelError::Hook { hook })?;
        let run = |tokens: &Vec<Token>| {
            let mut taken = ActivationCache::for_hooks(&[hook]);
            model.decoder().run_until(&Batch::new(&[tokens])?, hook, &mut taken)?;
            Ok::<Vec<f32>, ModelError>(taken.get(hook).to_vec())
        };
        let all = threads::parallel_map(prompts.iter().collect(), run)?;
        let all: Vec<f64> = all.iter().flatten().copied().map(f64::from).collect();
        // Patterns are of one prompt: heads × positions × positions that are looked at.
        let shape = match (width, prompts) {
            (0, [one]) => vec![heads, one.len(), one.len()],
            (0, _) => {
                let (found, allowed) = (format!("{} prompts", prompts.len()), "1 at this hook");
                return Err(Problem::new("tokens", found, allowed).into());
            }
            _ => vec![all.len() / (heads * width), heads * width],
        };
        destination::write_file(out, &io::to_npy(&shape, &all))?;
        Ok(ActivationsFile { hook: hook.to_string(), shape, file: out.display().to_string() })
    }

    /// Writes what is at a hook over a corpus, and says what it has written.
    fn write_corpus_activations(
        &self,
        model: &LanguageModel,
        hook: Hook,
        corpus: &Path,
    ) -> Result<ActivationsFile, BoxError> {
        let text = read_text(corpus)?;
        let mut run = CorpusActivations::new(model, &text, hook)?;
        let pieces = self.open_study_checkpoint("activations", hook, &text, run.steps())?;
        pieces.run_steps(0, || Ok(run.step(model)? < run.steps()))?;
        if let (Some(out), Some(file)) = (&self.out, run.to_npy()) {
            destination::write_file(out, file)?;
        }
        let file = self.out.as_ref().map_or_else(String::new, |out| out.display().to_string());
        Ok(ActivationsFile { hook: hook.to_string(), shape: run.shape().to_vec(), file })
    }

    /// The prompts that were asked for, as tokens.
    fn read_prompts(&self, files: &ModelFiles, cap: u64) -> Result<Vec<Vec<Token>>, BoxError> {
        if let Some(text) = &self.text {
            let Some(tokenizer) = files.tokenizer() else {
                let allowed = "tokens (--tokens): the folder has no tokenizer.json";
                return Err(Problem::new("text", format!("{text:?}"), allowed).into());
            };
            return Ok(vec![tokenizer.encode_with_special_tokens(text).map_err(ModelError::from)?]);
        }
        let Some(text) = &self.tokens else { return Ok(Vec::new()) };
        let number = |c: char| c.is_ascii_digit() || matches!(c, ',' | '-' | '+' | '.' | ' ');
        if text.chars().all(number) {
            let tokens = text.split(',').map(|token| token.trim().parse());
            let tokens: Result<Vec<Token>, _> = tokens.collect();
            let allowed = "whole numbers from 0 with commas between them, or a file";
            return match tokens {
                Ok(tokens) => Ok(vec![tokens]),
                Err(_) => Err(Problem::new("tokens", format!("{text:?}"), allowed).into()),
            };
        }
        let chosen = parse_array_ref(Path::new(text));
        let file = DiskFiles::new(cap).data_file(&chosen.file)?;
        let array = match &chosen.array {
            Some(name) => file.array(name)?,
            None => file.only_array()?,
        };
        let &Architecture { context, vocabulary, .. } = files.architecture();
        let rows = read_token_rows(array, &Config { context, vocabulary, ..Config::TOY_MODEL })?;
        if rows.len() > PROMPTS_MAX {
            let (held, allowed) = (format!("{} rows", rows.len()), format!("1 to {PROMPTS_MAX}"));
            return Err(Problem::new("tokens", held, allowed).into());
        }
        Ok(rows)
    }
}

pub fn open_autoencoder(path: &Path, cap: u64) -> Result<Autoencoder, BoxError> {
    let files = DiskFiles::new(cap);
    let folder = open_sae_folder(&files.autoencoder_files(path)?, &files)?;
    Ok(Autoencoder::open(&folder).map_err(EvaluationError::from)?)
}

/// The hook of that name.
pub fn parse_hook(of: &Architecture, name: &str) -> Result<Hook, Problem> {
    of.parse_hook(name).map_err(|allowed| Problem::new("hook", format!("{name:?}"), allowed))
}

/// The hook that an autoencoder's configuration names.
pub fn configured_hook(of: &Architecture, sae: &Autoencoder) -> Result<Hook, Problem> {
    sae.hook(of).ok_or_else(|| {
        let found = sae.recognised().hook.clone().unwrap_or_else(|| "nothing".to_owned());
        Problem::new("hook", found, "a hook of the model's, by --hook: the autoencoder does not name one")
    })
}

pub fn model_tokenizer(model: &LanguageModel) -> Result<&Tokenizer, Problem> {
    let allowed = "a model with a tokenizer";
    model.tokenizer().ok_or_else(|| Problem::new("corpus", "no tokenizer", allowed))
}

/// Concepts by their rules.
pub fn parse_concepts(rules: &str) -> Result<Vec<Concept>, Problem> {
    Concept::parse(rules).map_err(|error| Problem::new("concepts", error.found.clone(), error.to_string()))
}

/// A file of text.
pub fn read_text(path: &Path) -> Result<String, BoxError> {
    let (mut file, size) = open_source(path)?;
    if size > CORPUS_BYTES_MAX {
        let found = format!("{} of {size} bytes", path.display());
        return Err(Problem::new("file", found, format!("at most {CORPUS_BYTES_MAX} bytes")).into());
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| unreadable_error(path, error))?;
    Ok(text)
}

fn format_output(format: Format, found: &JsonOutput) -> TextResult {
    if format == Format::Json {
        return to_json(found);
    }
    let row = |next: &WithTokenText<NextToken>| {
        let WithTokenText { of: next, text } = next;
        let text = text.as_ref().map_or_else(String::new, |text| match format {
            Format::Csv => text.clone(),
            // Spaces and ends of lines are seen.
            _ => format!("{text:?}"),
        });
        let [probability, logit] = [next.probability, f64::from(next.logit)].map(|value| format_number(format, value));
        [next.token.to_string(), text, probability, logit]
    };
    if format == Format::Csv {
        let mut rows = TextTable::new(&["prompt", "token", "text", "probability", "logit"]);
        for (index, prompt) in found.prompts.iter().enumerate() {
            for follows in prompt.next.iter().flatten() {
                let cells = std::iter::once(index.to_string()).chain(row(follows));
                rows.push(cells.collect());
            }
        }
        return rows.to_csv();
    }
    let mut out = format!("{}\n", found.sentence);
    if let [first, .., last] = found.hooks.as_slice() {
        out += &format!("{} hooks, from {first} to {last}\n", found.hooks.len());
    }
    for prompt in &found.prompts {
        let tokens: Vec<String> = prompt.tokens.iter().map(Token::to_string).collect();
        out += &format!("after {}\n", tokens.join(","));
        if let Some(next) = &prompt.next {
            let mut rows = TextTable::new(&["token", "text", "probability", "logit"]);
            next.iter().for_each(|follows| rows.push(row(follows).to_vec()));
            out += &rows.to_table();
        }
        if let Some(entropy) = prompt.cross_entropy {
            let entropy = format_number(format, entropy);
            out += &format!("cross-entropy {entropy} nats, of all tokens but the first\n");
        }
        if let Some(layers) = &prompt.lens {
            out += "logit lens: the likeliest token by layer and position\n";
            for (layer, row) in layers.iter().enumerate() {
                let cells: Vec<String> = row
                    .iter()
                    .map(|one| {
                        let text = one.text.as_ref();
                        let text = text.map_or(one.of.token.to_string(), |text| format!("{text:?}"));
                        format!("{text} {:.0}%", 100.0 * one.of.probability)
                    })
                    .collect();
                out += &format!("{layer}: {}\n", cells.join("  "));
            }
        }
        if let Some(AttentionPattern { head, pattern }) = &prompt.attention {
            out += &format!("attention of {head}, a row a position\n");
            for row in pattern {
                let cells: Vec<String> = row.iter().map(|weight| format!("{weight:.2}")).collect();
                out += &format!("{}\n", cells.join(" "));
            }
        }
        if let Some(AblationWithTokenText { report, .. }) = &prompt.ablation {
            let line = |names: &[String], PredictionEffect { cross_entropy, kl, top1_agreement }: PredictionEffect| {
                let entropy = format_optional(format, cross_entropy);
                let [kl, agreed] = [kl, top1_agreement].map(|value| format_number(format, value));
                format!(
                    "without {}: cross-entropy {entropy}, KL {kl}, the same likeliest token at {agreed} of positions\n",
                    names.join(", ")
                )
            };
            out += &line(&report.components, report.effect);
            out += &report.control.as_ref().map_or_else(
                || "no other component of the layer to hold it against\n".to_owned(),
                |control| format!("a random control {}", line(&control.components, control.effect)),
            );
        }
        if let Some(report) = &prompt.splice {
            let plain = format_number(format, report.cross_entropy);
            let [l0, mse] = [report.l0, report.mse].map(|value| format_number(format, value));
            out += &format!(
                "an autoencoder in the place of the activation (L0 {l0}, mean squared error {mse}, both of all positions \
                 but the first; cross-entropy without it {plain})\n"
            );
            let spliced = PredictionEffect {
                cross_entropy: Some(report.cross_entropy_spliced),
                kl: report.kl,
                top1_agreement: report.top1_agreement,
            };
            let mut rows = TextTable::new(&["", "cross-entropy", "recovered", "KL", "top-1 agreement"]);
            let own = ("autoencoder", &spliced, report.recovered);
            let controls = report.controls.iter().map(|control| (control.name, &control.effect, control.recovered));
            for (name, effect, recovered) in std::iter::once(own).chain(controls) {
                let PredictionEffect { cross_entropy, kl, top1_agreement } = *effect;
                let numbers = [cross_entropy, recovered, Some(kl), Some(top1_agreement)];
                let cells = numbers.map(|value| format_optional(format, value)).into_iter();
                rows.push(std::iter::once(name.to_owned()).chain(cells).collect());
            }
            out += &rows.to_table();
            if !report.zeros_lose {
                out += "zeros lower the loss of this text: what is recovered of it says nothing\n";
            }
        }
    }
    if let Some(table) = &found.latents {
        let LatentTable { texts, positions, latents, alive, l0, rows } = table;
        out += &format!(
            "{texts} texts, {positions} positions without the first of each; {alive} of {latents} latents active, L0 {}\n",
            format_number(format, *l0)
        );
        let mut lines = TextTable::new(&["latent", "greatest", "mean where active", "density"]);
        for row in rows {
            let numbers = [f64::from(row.max), row.mean, row.density];
            let cells = numbers.map(|value| format_number(format, value)).into_iter();
            lines.push(std::iter::once(row.latent.to_string()).chain(cells).collect());
        }
        out += &lines.to_table();
    }
    if let Some(table) = &found.concepts {
        out += &format!(
            "concepts: AUROC of the latent that is best in even texts, measured in odd ones; beside it the best of {} random \
             directions, and the best latent for shuffled labels\n",
            table.directions
        );
        let mut lines =
            TextTable::new(&["concept", "positions", "latent", "AUROC", "random directions", "shuffled labels"]);
        for row in &table.rows {
            let held = |best: Option<BestSeparator>| format_optional(format, best.map(|best| best.held_out));
            lines.push(vec![
                row.concept.clone(),
                row.positives.iter().sum::<usize>().to_string(),
                row.best.map_or("–".to_owned(), |best| best.index.to_string()),
                held(row.best),
                held(row.random),
                held(row.shuffled),
            ]);
        }
        out += &lines.to_table();
    }
    if let Some(LatentView { latent, contexts, raised, lowered }) = &found.latent {
        out += &format!("latent {latent}\n");
        for ContextWithTokenText { context, pieces } in contexts {
            let words = pieces.iter().enumerate().map(|(at, piece)| {
                let piece = piece.as_deref().unwrap_or("\u{fffd}").replace('\n', "⏎");
                if at == context.at { format!("[{piece}]") } else { piece }
            });
            let activation = format_number(format, f64::from(context.activation));
            out += &format!("{activation}  {}\n", words.collect::<String>());
        }
        for (name, moved) in [("raises", raised), ("lowers", lowered)] {
            let Some(moved) = moved else { continue };
            let words = moved.iter().map(|one| {
                let text = one.text.as_ref();
                let text = text.map_or(one.of.token.to_string(), |text| format!("{text:?}"));
                format!("{text} {:+.3}", one.of.effect)
            });
            out += &format!("{name} {}\n", words.collect::<Vec<_>>().join(", "));
        }
    }
    if let Some(ActivationsFile { hook, shape, file }) = &found.activations {
        let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
        out += &format!("{hook}: {} float32 in {file}\n", sizes.join(" × "));
    }
    Ok(out)
}
