//! A reader's own language model: a folder of Hugging Face's, or a GGUF file.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::architecture::Architecture;
use super::gguf;
use super::inspect::{Ablation, AblationReport, TextScore, token_loss};
use super::pass::Decoder;
use super::tensors::{self, TensorStore};
use crate::io::{DataFile, Gguf, ReadAt, read_capped};
use crate::model::folder::likeliest_tokens;
use crate::model::{
    Batch, CONFIG_BYTES_MAX, Hooks, ModelError, ModelFolder, NextToken, TOKENIZER_BYTES_MAX, Tokenizer,
};
use crate::synthetic::language::Token;

/// Largest list of which tensor is in which file, in bytes.
const INDEX_BYTES_MAX: u64 = 8 << 20;
/// Most files that weights may be in.
const SHARDS_MAX: usize = 1_000;
const ALLOWED_FILES: &str = "a .gguf file, or all those of a model; or config.json, model.safetensors or the files of model.safetensors.index.json, \
                       and tokenizer.json, each once";

/// A file: its name, whatever its folder is called, and its bytes.
type ModelFile = (String, Box<dyn ReadAt>);

enum Container {
    Folder(Vec<DataFile>),
    Gguf(Vec<Gguf>),
}

impl Container {
    fn tensor_store(&self) -> TensorStore<'_> {
        match self {
            Self::Folder(files) => TensorStore::Safetensors(files),
            Self::Gguf(files) => TensorStore::Gguf(files),
        }
    }
}

/// A reader's own language model whose configuration and tokenizer are read, and of whose weights names and shapes are
/// known.
pub struct ModelFiles {
    architecture: Architecture,
    container: Container,
    tokenizer: Option<Tokenizer>,
    bytes: u64,
}

#[derive(Deserialize)]
struct ShardIndex {
    #[serde(default, rename = "metadata")]
    _metadata: Option<IgnoredAny>,
    weight_map: BTreeMap<String, String>,
}

fn is_gguf(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".gguf")
}

fn file_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or_default()
}

fn folder_error(found: String) -> ModelError {
    ModelError::Folder { found, allowed: ALLOWED_FILES }
}

impl ModelFiles {
    /// Opens what of some files belongs to a model; other files are left alone. What has to be unpacked may come
    /// to `cap` bytes.
    ///
    /// # Errors
    /// [`ModelError::Folder`] where a file is missing or stands twice, or weights are pickled; [`ModelError::Config`],
    /// [`ModelError::Tokenizer`], [`ModelError::Io`], [`ModelError::Missing`], [`ModelError::Shape`];
    /// [`ModelError::Vocabulary`] where the tokenizer has tokens that the model has not.
    pub fn open(mut files: Vec<ModelFile>, cap: u64) -> Result<Self, ModelError> {
        let mut ggufs = Vec::new();
        // In a folder of both, the weights are those beside the configuration.
        let folder = files.iter().any(|(name, _)| file_name(name) == ModelFolder::CONFIG_FILE);
        let named = files.iter().filter(|(name, _)| !folder && is_gguf(name)).count();
        if named > SHARDS_MAX {
            return Err(folder_error(format!("{named} .gguf files")));
        }
        for (name, source) in files.extract_if(.., |(name, _)| !folder && is_gguf(name)) {
            ggufs.push(Gguf::open(&name, Rc::from(source))?);
        }
        // A file of any name is known by its first bytes.
        if let ([], [(name, source)]) = (ggufs.as_slice(), files.as_slice())
            && Gguf::is_gguf(name, &**source)?
            && let Some((name, source)) = files.pop()
        {
            ggufs.push(Gguf::open(&name, Rc::from(source))?);
        }
        if ggufs.is_empty() {
            return Self::open_folder(files, cap);
        }
        let mut files = gguf::sort_split_files(ggufs)?;
        let architecture = gguf::read_architecture(&files)?;
        let mut tokenizer = None;
        if let Some(file) = files.first() {
            tokenizer = Tokenizer::from_gguf(file)?;
            if let Some(tokenizer) = &tokenizer {
                check_tokenizer(file.name(), tokenizer, &architecture)?;
            }
        }
        files.iter_mut().for_each(Gguf::drop_metadata);
        Self::from_container(architecture, Container::Gguf(files), tokenizer)
    }

    fn open_folder(files: Vec<ModelFile>, cap: u64) -> Result<Self, ModelError> {
        let mut found: BTreeMap<String, ModelFile> = BTreeMap::new();
        let mut pickled = false;
        for (name, source) in files {
            let key = file_name(&name).to_owned();
            pickled |= key == ModelFolder::PICKLED_WEIGHTS_FILE;
            if found.insert(key.clone(), (name, source)).is_some() {
                return Err(folder_error(format!("two files {key}")));
            }
        }
        let (config, source) = found
            .remove(ModelFolder::CONFIG_FILE)
            .ok_or_else(|| folder_error(format!("no {}", ModelFolder::CONFIG_FILE)))?;
        let json = read_capped(&config, &*source, "the configuration", CONFIG_BYTES_MAX as u64)?;
        let architecture = Architecture::parse(&config, &json)?;
        let tokenizer = match found.remove(ModelFolder::TOKENIZER_FILE) {
            Some((name, source)) => {
                let json = read_capped(&name, &*source, "the tokenizer", TOKENIZER_BYTES_MAX as u64)?;
                let tokenizer = Tokenizer::parse(&name, &json)?;
                check_tokenizer(&name, &tokenizer, &architecture)?;
                Some(tokenizer)
            }
            None => None,
        };
        let weights = found.remove(ModelFolder::WEIGHTS_FILE);
        let shards = match (weights, found.remove(ModelFolder::INDEX_FILE)) {
            (Some((name, whole)), None) => vec![DataFile::open(&name, whole, cap)?],
            (None, Some((name, source))) => {
                let json = read_capped(&name, &*source, "the index", INDEX_BYTES_MAX)?;
                open_shards(&name, &json, found, cap)?
            }
            (Some(_), Some(_)) => {
                let (whole, index) = (ModelFolder::WEIGHTS_FILE, ModelFolder::INDEX_FILE);
                return Err(folder_error(format!("both {whole} and {index}")));
            }
            (None, None) => {
                let weights = ModelFolder::WEIGHTS_FILE;
                return Err(folder_error(match pickled {
                    true => format!("no {weights}, but {}", ModelFolder::PICKLED_WEIGHTS_FILE),
                    false => format!("no {weights}"),
                }));
            }
        };
        Self::from_container(architecture, Container::Folder(shards), tokenizer)
    }

    fn from_container(
        architecture: Architecture,
        container: Container,
        tokenizer: Option<Tokenizer>,
    ) -> Result<Self, ModelError> {
        let bytes = tensors::weights_memory_bytes(&container.tensor_store(), &architecture)?;
        Ok(Self { architecture, container, tokenizer, bytes })
    }

    /// What the model is.
    #[must_use]
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// What cuts a text into tokens, where the files have it.
    #[must_use]
    pub fn tokenizer(&self) -> Option<&Tokenizer> {
        self.tokenizer.as_ref()
    }

    /// Names of the types in which the files have weights, those of most numbers first.
    #[must_use]
    pub fn weight_types(&self) -> Vec<&'static str> {
        self.container.tensor_store().weight_types()
    }

    /// What the model is, in a line: its family, sizes, types and bytes.
    #[must_use]
    pub fn describe(&self) -> String {
        let of = self.architecture.describe();
        let tokenizer = match &self.tokenizer {
            Some(tokenizer) => format!("a tokenizer of {}", tokenizer.vocab_size()),
            None => "no tokenizer".to_owned(),
        };
        let mebibytes = self.bytes as f64 / f64::from(1 << 20);
        format!("{of}, {tokenizer}; {}, {mebibytes:.1} MiB to read it", self.weight_types().join(" and "))
    }

    /// Bytes of memory that the weights take, known before they are read.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads the weights into no more than `cap` bytes, in the type in which the files have them.
    ///
    /// # Errors
    /// [`ModelError::TooLarge`], [`ModelError::Io`].
    pub fn read(self, cap: u64) -> Result<LanguageModel, ModelError> {
        if self.bytes > cap {
            let file = match &self.container {
                Container::Folder(files) => files.first().map(DataFile::name).unwrap_or_default(),
                Container::Gguf(files) => files.first().map(Gguf::name).unwrap_or_default(),
            };
            let file = file.to_owned();
            return Err(ModelError::TooLarge { file, needed: self.bytes, cap });
        }
        let decoder = tensors::read_decoder(&self.container.tensor_store(), self.architecture)?;
        if let Container::Folder(files) = &self.container {
            files.iter().try_for_each(DataFile::verify_checksums)?;
        }
        Ok(LanguageModel { decoder, tokenizer: self.tokenizer })
    }
}

/// Refuses a tokenizer with tokens that the model has not.
fn check_tokenizer(file: &str, tokenizer: &Tokenizer, of: &Architecture) -> Result<(), ModelError> {
    if (tokenizer.largest_token() as usize) < of.vocabulary {
        return Ok(());
    }
    let (file, found) = (file.to_owned(), tokenizer.largest_token());
    Err(ModelError::Vocabulary { file, found, last: of.vocabulary.saturating_sub(1) })
}

/// The files of an index, each of which has the tensors that it says, and no others.
fn open_shards(
    name: &str,
    json: &[u8],
    mut files: BTreeMap<String, ModelFile>,
    cap: u64,
) -> Result<Vec<DataFile>, ModelError> {
    let index: ShardIndex = serde_json::from_slice(json)
        .map_err(|error| ModelError::config(name, "the file", error.to_string(), "an object with weight_map"))?;
    let names: BTreeSet<&String> = index.weight_map.values().collect();
    if names.is_empty() || names.len() > SHARDS_MAX {
        let found = format!("{} files", names.len());
        return Err(ModelError::config(name, "weight_map", found, format!("1 to {SHARDS_MAX}")));
    }
    let mut all = Vec::new();
    for shard in names {
        let (path, source) =
            files.remove(shard).ok_or_else(|| folder_error(format!("no {shard}, which {name} names")))?;
        let file = DataFile::open(&path, source, cap)?;
        for tensor in file.names() {
            if index.weight_map.get(tensor) != Some(shard) {
                let allowed = format!("each tensor of {shard}, and there alone");
                return Err(ModelError::config(name, "weight_map", tensor, allowed));
            }
        }
        for (tensor, of) in &index.weight_map {
            if of == shard && !file.names().any(|known| known == tensor) {
                let (file, tensor) = (file.name().to_owned(), tensor.clone());
                return Err(ModelError::Missing { file, tensor });
            }
        }
        all.push(file);
    }
    Ok(all)
}

/// A reader's own language model, ready to read.
pub struct LanguageModel {
    decoder: Decoder,
    tokenizer: Option<Tokenizer>,
}

/// Something of a token, and what the token stands for: nothing without a tokenizer, or of no whole characters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WithTokenText<T> {
    /// What is said of it.
    #[serde(flatten)]
    pub of: T,
    /// What it stands for.
    pub text: Option<String>,
}

/// What an ablation does, with what the likeliest tokens stand for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AblationWithTokenText {
    /// What it does.
    #[serde(flatten)]
    pub report: AblationReport,
    /// The likeliest tokens after the text with it.
    pub top: Vec<WithTokenText<NextToken>>,
}

impl LanguageModel {
    /// The model.
    #[must_use]
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// What cuts a text into tokens, where the files have it.
    #[must_use]
    pub fn tokenizer(&self) -> Option<&Tokenizer> {
        self.tokenizer.as_ref()
    }

    /// What a token stands for; nothing without a tokenizer, or of no whole characters.
    #[must_use]
    pub fn token_text(&self, token: Token) -> Option<String> {
        self.tokenizer.as_ref().and_then(|tokenizer| tokenizer.token_text(token))
    }

    /// What is said of tokens, with what each stands for.
    pub fn with_token_text<T>(
        &self,
        all: impl IntoIterator<Item = T>,
        token: impl Fn(&T) -> Token,
    ) -> Vec<WithTokenText<T>> {
        let spelled = |of: T| WithTokenText { text: self.token_text(token(&of)), of };
        all.into_iter().map(spelled).collect()
    }

    /// As [`Self::score`], and what an ablation of something does to that, by [`Ablation::report`].
    ///
    /// # Errors
    /// As both.
    pub fn score_with_ablation(
        &self,
        tokens: &[Token],
        count: usize,
        ablation: &Ablation,
        seed: u32,
    ) -> Result<(TextScore, Option<AblationWithTokenText>), ModelError> {
        if ablation.components.is_empty() {
            return Ok((self.score(tokens, count, &mut ())?, None));
        }
        let (scored, mut report) = ablation.report(&self.decoder, tokens, count, seed)?;
        let top = self.with_token_text(std::mem::take(&mut report.top), |next| next.token);
        Ok((scored, Some(AblationWithTokenText { report, top })))
    }

    /// The `count` likeliest tokens after some, as [`crate::model::UserModel::next_tokens`] has them, and how well these were
    /// foretold; with hooks.
    ///
    /// # Errors
    /// As [`Decoder::logits`]; [`ModelError::Size`] without a token, [`ModelError::NonFinite`].
    pub fn score(&self, tokens: &[Token], count: usize, hooks: &mut dyn Hooks) -> Result<TextScore, ModelError> {
        let (mut losses, mut top) = (Vec::new(), Ok(Vec::new()));
        self.decoder.for_each_logits(&Batch::new(&[tokens])?, hooks, |row, logits| match tokens.get(row + 1) {
            Some(next) => losses.push(token_loss(logits, *next)),
            None => top = likeliest_tokens(logits, count),
        })?;
        let mean: f64 = losses.iter().sum::<f64>() / losses.len() as f64;
        if tokens.len() > 1 && !mean.is_finite() {
            return Err(ModelError::NonFinite);
        }
        Ok(TextScore { top: top?, cross_entropy: (tokens.len() > 1).then_some(mean), losses })
    }
}
