//! A reader's own model: what it is, what it takes, and what comes next.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::Serialize;
use sfc_bench::Problem;
use sfc_bench::io::{self, Gguf, IoError, ReadAt};
use sfc_bench::lab::own::{Files, OwnError};
use sfc_bench::model::{
    Architecture, Batch, Config, Hook, LanguageModel, ModelError, ModelFiles, ModelFolder, Next,
    Taken, token_rows,
};
use sfc_bench::sae::{Autoencoder, Replacement, SpliceError, SpliceReport, splice};
use sfc_bench::synthetic::language::Token;

use crate::destination;
use crate::files::{OnDisk, choice};
use crate::format::{Failed, Format, Output, Rows, Text, json, number};

/// Likeliest tokens that are shown.
const SHOWN: usize = 10;
/// Most prompts at once.
const PROMPTS_MAX: usize = 1_000;

/// A language model: a folder as Hugging Face's `save_pretrained` writes GPT-2, GPT-NeoX (Pythia), Llama, SmolLM2,
/// Mistral, Qwen2, Qwen3, Gemma 2 or Gemma 3 (config.json, model.safetensors or its shards, and tokenizer.json, which may
/// be left out), a .zip of it, or a GGUF file.
#[derive(Debug, clap::Args)]
pub struct Own {
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
    /// Put this autoencoder's reconstruction in the place of what is at the hook: SAELens' folder, or a .zip of it
    #[arg(long, value_name = "FOLDER", requires = "hook")]
    sae: Option<PathBuf>,
    /// Add what the reconstruction lacks to it
    #[arg(long, requires = "sae")]
    keep_error: bool,
    /// Memory the model may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u32,
    #[command(flatten)]
    output: Output,
}

#[derive(Serialize)]
struct Found {
    config: Architecture,
    /// Bytes that reading it takes.
    memory: u64,
    tokenizer: Option<Vocabulary>,
    hooks: Vec<String>,
    /// Those of the prompt, where there is one.
    #[serde(flatten)]
    only: Option<Prompt>,
    prompts: Vec<Prompt>,
    activations: Option<Activations>,
}

#[derive(Serialize)]
struct Vocabulary {
    tokens: usize,
}

#[derive(Clone, Serialize)]
struct Prompt {
    tokens: Vec<Token>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Vec<Follows>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<Vec<Follows>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cross_entropy: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    splice: Option<SpliceReport>,
}

#[derive(Clone, Serialize)]
struct Follows {
    #[serde(flatten)]
    next: Next,
    /// What it stands for, where there is a tokenizer that has it.
    text: Option<String>,
}

#[derive(Serialize)]
struct Activations {
    hook: String,
    shape: Vec<usize>,
    file: String,
}

/// Files of a folder that belong to a model, or may be taken to.
const NAMES: [&str; 5] = [
    ModelFolder::CONFIG,
    ModelFolder::WEIGHTS,
    ModelFolder::TOKENIZER,
    ModelFolder::INDEX,
    ModelFolder::PICKLED,
];

type Source = (String, Box<dyn ReadAt>);

fn unreadable(path: &Path, reason: impl ToString) -> IoError {
    IoError::Unreadable { file: path.display().to_string(), at: 0, reason: reason.to_string() }
}

fn source(path: &Path) -> Result<(File, u64), IoError> {
    crate::input::regular(path).map_err(|error| unreadable(path, error))
}

fn files(folder: &Path, cap: u64) -> Result<Vec<Source>, IoError> {
    if folder.is_file() {
        let (name, archive) = (folder.display().to_string(), source(folder)?);
        if Gguf::is(&name, &archive)? {
            return Ok(vec![(name, Box::new(archive))]);
        }
        let archive: Rc<dyn ReadAt> = Rc::new(archive);
        if !io::is_folder(&name, &archive)? {
            let reason = "it is no folder, nor a .zip of one, nor a GGUF file";
            return Err(unreadable(folder, reason));
        }
        let packed = io::unpack(&name, &archive, cap)?;
        return Ok(packed.into_iter().map(|file| (file.name, file.source)).collect());
    }
    let listed = folder.read_dir().map_err(|error| unreadable(folder, error))?;
    let mut paths: Vec<PathBuf> = NAMES.map(|name| folder.join(name)).to_vec();
    if folder.join(ModelFolder::INDEX).is_file() {
        // Weights in several files: which of these, the index says.
        let shards = listed.flatten().map(|entry| entry.path());
        let is_shard = |path: &PathBuf| {
            path.extension().is_some_and(|end| end == "safetensors") && !paths.contains(path)
        };
        let mut shards: Vec<PathBuf> = shards.filter(is_shard).collect();
        shards.sort();
        paths.extend(shards);
    }
    let mut found: Vec<Source> = Vec::new();
    for path in paths {
        match path.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            _ => found.push((path.display().to_string(), Box::new(source(&path)?))),
        }
    }
    Ok(found)
}

impl Own {
    pub fn text(&self) -> Result<String, Failed> {
        let cap = u64::from(self.memory) << 20;
        let files = ModelFiles::open(files(&self.path, cap)?, cap)?;
        let memory = files.bytes();
        let hook = self.hook.as_ref().map(|name| {
            files
                .architecture()
                .hook(name)
                .map_err(|allowed| Problem::new("hook", format!("{name:?}"), allowed))
        });
        let hook = hook.transpose()?;
        let sae = self.sae.as_ref().map(|path| autoencoder(path, cap)).transpose()?;
        let prompts = self.prompts(&files, cap)?;
        if let (Some(path), false) = (&self.out, self.force) {
            destination::refuse_others(path)?;
        }
        let model = files.read(cap)?;
        let mut activations = None;
        let prompts = match (hook, &sae) {
            (Some(hook), None) => {
                activations = Some(self.activations(&model, hook, &prompts)?);
                let plain = |tokens| Prompt {
                    tokens,
                    next: None,
                    top: None,
                    cross_entropy: None,
                    splice: None,
                };
                prompts.into_iter().map(plain).collect()
            }
            _ => {
                let mut all = Vec::new();
                for tokens in prompts {
                    let spliced = match (hook, &sae) {
                        (Some(hook), Some(sae)) => Some(self.splice(&model, sae, hook, &tokens)?),
                        _ => None,
                    };
                    let mut prompt = prompt(&model, tokens)?;
                    prompt.splice = spliced;
                    all.push(prompt);
                }
                all
            }
        };
        let only = match prompts.as_slice() {
            [one] => Some(Prompt { top: one.next.clone(), next: None, ..one.clone() }),
            _ => None,
        };
        let found = Found {
            config: model.decoder().architecture().clone(),
            memory,
            tokenizer: model.tokenizer().map(|t| Vocabulary { tokens: t.tokens() }),
            hooks: model.decoder().architecture().hooks().iter().map(ToString::to_string).collect(),
            only,
            prompts,
            activations,
        };
        print(self.output.format(), &found)
    }

    fn splice(
        &self,
        model: &LanguageModel,
        sae: &Autoencoder,
        hook: Hook,
        tokens: &[Token],
    ) -> Result<SpliceReport, SpliceError> {
        let replacement =
            if self.keep_error { Replacement::WithError } else { Replacement::Reconstruction };
        splice(model.decoder(), sae, hook, replacement, tokens)
    }

    /// Writes what is at a hook, and says what it has written; of later layers and logits nothing is computed.
    fn activations(
        &self,
        model: &LanguageModel,
        hook: Hook,
        prompts: &[Vec<Token>],
    ) -> Result<Activations, Failed> {
        let Some(out) = &self.out else {
            let allowed = "with --out FILE.npy, where activations are written, or --sae FOLDER";
            return Err(Problem::new("hook", hook.to_string(), allowed).into());
        };
        if prompts.is_empty() {
            let allowed = "with --text or --tokens";
            return Err(Problem::new("hook", hook.to_string(), allowed).into());
        }
        let of = model.decoder().architecture();
        let (heads, width) = of.hook_shape(hook).ok_or(ModelError::Hook { hook })?;
        let mut all: Vec<f64> = Vec::new();
        for tokens in prompts {
            let mut taken = Taken::of(&[hook]);
            model.decoder().run_until(&Batch::new(&[tokens])?, hook, &mut taken)?;
            all.extend(taken.get(hook).iter().map(|value| f64::from(*value)));
        }
        // Patterns are of one prompt: heads × positions × positions that are looked at.
        let shape = match (width, prompts) {
            (0, [one]) => vec![heads, one.len(), one.len()],
            (0, _) => {
                let (found, allowed) = (format!("{} prompts", prompts.len()), "1 at this hook");
                return Err(Problem::new("tokens", found, allowed).into());
            }
            _ => vec![all.len() / (heads * width), heads * width],
        };
        destination::file(out, &io::npy(&shape, &all))?;
        Ok(Activations { hook: hook.to_string(), shape, file: out.display().to_string() })
    }

    /// The prompts that were asked for, as tokens.
    fn prompts(&self, files: &ModelFiles, cap: u64) -> Result<Vec<Vec<Token>>, Failed> {
        if let Some(text) = &self.text {
            let Some(tokenizer) = files.tokenizer() else {
                let allowed = "tokens (--tokens): the folder has no tokenizer.json";
                return Err(Problem::new("text", format!("{text:?}"), allowed).into());
            };
            return Ok(vec![tokenizer.encode_whole(text).map_err(ModelError::from)?]);
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
        let chosen = choice(Path::new(text));
        let file = OnDisk::new(cap).data(&chosen.file)?;
        let array = match &chosen.array {
            Some(name) => file.array(name)?,
            None => file.only()?,
        };
        let &Architecture { context, vocabulary, .. } = files.architecture();
        let rows = token_rows(array, &Config { context, vocabulary, ..Config::LITTLE })?;
        if rows.len() > PROMPTS_MAX {
            let (held, allowed) = (format!("{} rows", rows.len()), format!("1 to {PROMPTS_MAX}"));
            return Err(Problem::new("tokens", held, allowed).into());
        }
        Ok(rows)
    }
}

fn autoencoder(path: &Path, cap: u64) -> Result<Autoencoder, Failed> {
    let files = OnDisk::new(cap);
    let folder = files.folder(path)?.folder(&files)?;
    Ok(Autoencoder::open(&folder).map_err(OwnError::from)?)
}

fn prompt(model: &LanguageModel, tokens: Vec<Token>) -> Result<Prompt, ModelError> {
    let scored = model.score(&tokens, SHOWN, &mut ())?;
    let text = |token| model.tokenizer().and_then(|tokenizer| tokenizer.text(token));
    let next = scored.top.into_iter();
    let next = next.map(|next| Follows { next, text: text(next.token) }).collect();
    Ok(Prompt {
        tokens,
        next: Some(next),
        top: None,
        cross_entropy: scored.cross_entropy,
        splice: None,
    })
}

fn print(format: Format, found: &Found) -> Text {
    if format == Format::Json {
        return json(found);
    }
    let row = |follows: &Follows| {
        let Follows { next, text } = follows;
        let text = text.as_ref().map_or_else(String::new, |text| match format {
            Format::Csv => text.clone(),
            // Spaces and ends of lines are seen.
            _ => format!("{text:?}"),
        });
        let [probability, logit] =
            [next.probability, f64::from(next.logit)].map(|value| number(format, value));
        [next.token.to_string(), text, probability, logit]
    };
    if format == Format::Csv {
        let mut rows = Rows::new(&["prompt", "token", "text", "probability", "logit"]);
        for (index, prompt) in found.prompts.iter().enumerate() {
            for follows in prompt.next.iter().flatten() {
                let cells = std::iter::once(index.to_string()).chain(row(follows));
                rows.push(cells.collect());
            }
        }
        return rows.csv();
    }
    let Architecture { layers, heads, d_model, d_mlp, context, vocabulary, .. } = found.config;
    let tokenizer = match &found.tokenizer {
        Some(tokenizer) => format!("a tokenizer of {}", tokenizer.tokens),
        None => "no tokenizer".to_owned(),
    };
    let mut out = format!(
        "{layers} layers of {heads} heads and {d_mlp} neurons, width {d_model}, {context} positions, \
         {vocabulary} tokens, {tokenizer}; {:.1} MiB to read it\n",
        found.memory as f64 / f64::from(1 << 20)
    );
    if let [first, .., last] = found.hooks.as_slice() {
        out += &format!("{} hooks, from {first} to {last}\n", found.hooks.len());
    }
    for prompt in &found.prompts {
        let tokens: Vec<String> = prompt.tokens.iter().map(Token::to_string).collect();
        out += &format!("after {}\n", tokens.join(","));
        if let Some(next) = &prompt.next {
            let mut rows = Rows::new(&["token", "text", "probability", "logit"]);
            next.iter().for_each(|follows| rows.push(row(follows).to_vec()));
            out += &rows.table();
        }
        if let Some(entropy) = prompt.cross_entropy {
            let entropy = number(format, entropy);
            out += &format!("cross-entropy {entropy} nats, of all tokens but the first\n");
        }
        if let Some(report) = &prompt.splice {
            let SpliceReport { l0, mse, kl, top1_agreement, .. } = *report;
            let [l0, mse, kl, agreed, spliced, zero] = [
                l0,
                mse,
                kl,
                top1_agreement,
                report.cross_entropy_spliced,
                report.cross_entropy_zero,
            ]
            .map(|value| number(format, value));
            let recovered =
                report.recovered.map_or("–".to_owned(), |share| number(format, share));
            out += &format!(
                "with the autoencoder {spliced}, with zeros {zero}: {recovered} of it recovered; KL {kl}, the same \
                 likeliest token at {agreed} of positions; L0 {l0}, mean squared error {mse}\n"
            );
        }
    }
    if let Some(Activations { hook, shape, file }) = &found.activations {
        let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
        out += &format!("{hook}: {} float32 in {file}\n", sizes.join(" × "));
    }
    Ok(out)
}
