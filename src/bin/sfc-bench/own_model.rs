//! A reader's own model: what it is, what it takes, and what comes next.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::Serialize;
use sfc_bench::Problem;
use sfc_bench::io::{self, IoError, ReadAt};
use sfc_bench::lab::own::Files;
use sfc_bench::model::{Config, ModelError, ModelFolder, Next, OwnModel, token_rows};
use sfc_bench::synthetic::language::Token;

use crate::files::{OnDisk, choice};
use crate::format::{Failed, Format, Output, Rows, Text, json, number};

/// Likeliest tokens that are shown.
const SHOWN: usize = 10;
/// Most prompts at once.
const PROMPTS_MAX: usize = 1_000;

/// A folder as Hugging Face's `save_pretrained` writes GPT-2: config.json, model.safetensors, and
/// tokenizer.json, which may be left out; or a .zip of it.
#[derive(Debug, clap::Args)]
pub struct Own {
    /// The model's folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// What comes after this text
    #[arg(long, value_name = "TEXT", conflicts_with = "tokens", allow_hyphen_values = true)]
    text: Option<String>,
    /// What comes after these tokens: numbers, as in 0,5,7, or a file of whole numbers, one prompt a row
    #[arg(long, value_name = "T,…|FILE.npy", allow_hyphen_values = true)]
    tokens: Option<String>,
    /// Memory the model may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u32,
    #[command(flatten)]
    output: Output,
}

#[derive(Serialize)]
struct Found {
    config: Config,
    /// Bytes that reading it takes.
    memory: u64,
    tokenizer: Option<Vocabulary>,
    hooks: Vec<String>,
    prompts: Vec<Prompt>,
}

#[derive(Serialize)]
struct Vocabulary {
    tokens: usize,
}

#[derive(Serialize)]
struct Prompt {
    tokens: Vec<Token>,
    next: Vec<Follows>,
}

#[derive(Serialize)]
struct Follows {
    #[serde(flatten)]
    next: Next,
    /// What it stands for, where there is a tokenizer that has it.
    text: Option<String>,
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
        let archive: Rc<dyn ReadAt> = Rc::new(archive);
        if !io::is_folder(&name, &archive)? {
            return Err(unreadable(folder, "it is no folder, nor a .zip of one"));
        }
        let packed = io::unpack(&name, &archive, cap)?;
        return Ok(packed.into_iter().map(|file| (file.name, file.source)).collect());
    }
    folder.read_dir().map_err(|error| unreadable(folder, error))?;
    let mut found: Vec<Source> = Vec::new();
    for path in NAMES.map(|name| folder.join(name)) {
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
        let folder = ModelFolder::open(files(&self.folder, cap)?, cap)?;
        let memory = folder.bytes();
        let prompts = self.prompts(&folder, cap)?;
        let model = folder.read(cap)?;
        let found = Found {
            config: *model.model().config(),
            memory,
            tokenizer: model.tokenizer().map(|t| Vocabulary { tokens: t.tokens() }),
            hooks: model.hooks().iter().map(ToString::to_string).collect(),
            prompts: prompts
                .into_iter()
                .map(|tokens| prompt(&model, tokens))
                .collect::<Result<_, _>>()?,
        };
        print(self.output.format(), &found)
    }

    /// The prompts that were asked for, as tokens.
    fn prompts(&self, folder: &ModelFolder, cap: u64) -> Result<Vec<Vec<Token>>, Failed> {
        if let Some(text) = &self.text {
            let Some(tokenizer) = folder.tokenizer() else {
                let allowed = "tokens (--tokens): the folder has no tokenizer.json";
                return Err(Problem::new("text", format!("{text:?}"), allowed).into());
            };
            return Ok(vec![tokenizer.encode(text).map_err(ModelError::from)?]);
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
        let rows = token_rows(array, folder.config())?;
        if rows.len() > PROMPTS_MAX {
            let (held, allowed) = (format!("{} rows", rows.len()), format!("1 to {PROMPTS_MAX}"));
            return Err(Problem::new("tokens", held, allowed).into());
        }
        Ok(rows)
    }
}

fn prompt(model: &OwnModel, tokens: Vec<Token>) -> Result<Prompt, ModelError> {
    let next = model.next(&tokens, SHOWN)?;
    let text = |token| model.tokenizer().and_then(|tokenizer| tokenizer.decode(&[token]).ok());
    let next = next.into_iter().map(|next| Follows { next, text: text(next.token) }).collect();
    Ok(Prompt { tokens, next })
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
            for follows in &prompt.next {
                let cells = std::iter::once(index.to_string()).chain(row(follows));
                rows.push(cells.collect());
            }
        }
        return rows.csv();
    }
    let Config { layers, heads, d_model, d_mlp, context, vocabulary, .. } = found.config;
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
        let mut rows = Rows::new(&["token", "text", "probability", "logit"]);
        prompt.next.iter().for_each(|follows| rows.push(row(follows).to_vec()));
        out += &format!("after {}\n{}", tokens.join(","), rows.table());
    }
    Ok(out)
}
