use serde::Serialize;

use super::{Batch, Config, Gpt2Loader, Hook, Model, ModelError, Tokenizer};
use crate::io::{DataFile, ReadAt, read_capped};
use crate::synthetic::language::Token;

/// A reader's own model, as Hugging Face's `save_pretrained` writes GPT-2: `config.json` and
/// `model.safetensors`, with raw weights in float32, float16 or bfloat16, and `tokenizer.json`, which may be
/// left out. The configuration and the tokenizer are read, of the weights their names and shapes.
pub struct ModelFolder {
    gpt2: Gpt2Loader,
    weights: DataFile,
    tokenizer: Option<Tokenizer>,
}

/// A file of a folder: its name, whatever the folder is called, and its bytes.
type ModelFile = (String, Box<dyn ReadAt>);

/// What a folder may hold, at most once each.
const FILE_NAMES: [&str; 4] =
    [ModelFolder::CONFIG_FILE, ModelFolder::WEIGHTS_FILE, ModelFolder::TOKENIZER_FILE, ModelFolder::INDEX_FILE];
const ALLOWED_FILES: &str = "config.json and model.safetensors, each once, and tokenizer.json";

impl ModelFolder {
    /// Name of the configuration.
    pub const CONFIG_FILE: &str = "config.json";
    /// Name of the weights.
    pub const WEIGHTS_FILE: &str = "model.safetensors";
    /// Name of the tokenizer.
    pub const TOKENIZER_FILE: &str = "tokenizer.json";
    /// Name of what says in which files weights are that are in several: these are not read.
    pub const INDEX_FILE: &str = "model.safetensors.index.json";
    /// Name of weights that are no tensor file, and not read: to read them is to run them.
    pub const PICKLED_WEIGHTS_FILE: &str = "pytorch_model.bin";

    /// Opens what of some files belongs to a model; other files are left alone. What has to be unpacked may come
    /// to `cap` bytes.
    ///
    /// # Errors
    /// [`ModelError::Folder`] where a file is missing, stands twice, or the weights are in several files
    /// (`model.safetensors.index.json`: only whole ones are read) or pickled; [`ModelError::Config`],
    /// [`ModelError::Tokenizer`], [`ModelError::Io`]; [`ModelError::Vocabulary`] where the tokenizer has tokens
    /// that the model has not.
    pub fn open(files: Vec<ModelFile>, cap: u64) -> Result<Self, ModelError> {
        let mut found: [Option<ModelFile>; 4] = Default::default();
        let mut pickled = false;
        for (name, source) in files {
            let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
            pickled |= last == Self::PICKLED_WEIGHTS_FILE;
            let Some(at) = FILE_NAMES.iter().position(|known| *known == last) else { continue };
            if found[at].replace((name, source)).is_some() {
                return Err(folder_error(format!("two files {}", FILE_NAMES[at])));
            }
        }
        let [config, weights, tokenizer, index] = found;
        let (config, source) = config.ok_or_else(|| folder_error(format!("no {}", Self::CONFIG_FILE)))?;
        let (weights, whole) = weights.ok_or_else(|| match (&index, pickled) {
            (Some(_), _) => folder_error(format!("weights in several files, by {}", Self::INDEX_FILE)),
            (None, true) => folder_error(format!("no {}, but {}", Self::WEIGHTS_FILE, Self::PICKLED_WEIGHTS_FILE)),
            (None, false) => folder_error(format!("no {}", Self::WEIGHTS_FILE)),
        })?;
        let json = read_capped(&config, &*source, "the configuration", super::CONFIG_BYTES_MAX as u64)?;
        let gpt2 = Gpt2Loader::parse(&config, &json)?;
        let tokenizer = match tokenizer {
            Some((name, source)) => {
                let most = super::TOKENIZER_BYTES_MAX as u64;
                let json = read_capped(&name, &*source, "the tokenizer", most)?;
                let tokenizer = Tokenizer::parse(&name, &json)?;
                let vocabulary = gpt2.config.vocabulary;
                if tokenizer.largest_token() as usize >= vocabulary {
                    let (file, found) = (name, tokenizer.largest_token());
                    return Err(ModelError::Vocabulary { file, found, last: vocabulary - 1 });
                }
                Some(tokenizer)
            }
            None => None,
        };
        let weights = DataFile::open(&weights, whole, cap)?;
        Ok(Self { gpt2, weights, tokenizer })
    }

    /// The model's sizes.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.gpt2.config
    }

    /// What cuts a text into tokens, where the folder has it.
    #[must_use]
    pub fn tokenizer(&self) -> Option<&Tokenizer> {
        self.tokenizer.as_ref()
    }

    /// Bytes of memory that reading the model takes at most, known before a weight is read.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.gpt2.memory_bytes()
    }

    /// Reads the weights into no more than `cap` bytes.
    ///
    /// # Errors
    /// As [`Gpt2Loader::read`]; [`ModelError::Io`] where the weights' checksum is another one.
    pub fn read(self, cap: u64) -> Result<UserModel, ModelError> {
        let parameters = self.gpt2.read(&self.weights, cap)?;
        self.weights.verify_checksums()?;
        Ok(UserModel { model: Model::new(&parameters), tokenizer: self.tokenizer })
    }
}

fn folder_error(found: String) -> ModelError {
    ModelError::Folder { found, allowed: ALLOWED_FILES }
}

/// A reader's own model, ready to read.
pub struct UserModel {
    model: Model,
    tokenizer: Option<Tokenizer>,
}

/// A token that may follow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NextToken {
    /// The token.
    pub token: Token,
    /// Its probability, from 0 to 1.
    pub probability: f64,
    /// Its logit.
    pub logit: f32,
}

impl UserModel {
    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What cuts a text into tokens, where the folder has it.
    #[must_use]
    pub fn tokenizer(&self) -> Option<&Tokenizer> {
        self.tokenizer.as_ref()
    }

    /// Every place where it can be read and changed, in the order in which they come by.
    #[must_use]
    pub fn hooks(&self) -> Vec<Hook> {
        Hook::all(self.model.config().layers)
    }

    /// The `count` likeliest tokens after some, the likeliest first; of equal ones that of lower index.
    /// Probabilities are exp(l − m)/Σ exp(l − m) over all logits l, with m the largest, in double precision.
    ///
    /// # Errors
    /// As [`Model::logits`], [`ModelError::Size`] without a token; [`ModelError::NonFinite`] where weights are
    /// so large that a logit is no finite number.
    pub fn next_tokens(&self, tokens: &[Token], count: usize) -> Result<Vec<NextToken>, ModelError> {
        let logits = self.model.last_logits(&Batch::new(&[tokens])?, &mut ())?;
        likeliest_tokens(&logits, count)
    }
}

/// The `count` likeliest tokens by their logits, as [`UserModel::next_tokens`] has them.
pub(super) fn likeliest_tokens(logits: &[f32], count: usize) -> Result<Vec<NextToken>, ModelError> {
    if logits.iter().any(|logit| !logit.is_finite()) {
        return Err(ModelError::NonFinite);
    }
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weight = |logit: f32| libm::exp(f64::from(logit) - f64::from(most));
    let sum: f64 = logits.iter().map(|logit| weight(*logit)).sum();
    let mut all: Vec<NextToken> =
        (0..).zip(logits).map(|(token, &logit)| NextToken { token, probability: weight(logit) / sum, logit }).collect();
    // Stable: of equal ones the first stays the first.
    all.sort_by(|a, b| b.logit.total_cmp(&a.logit));
    all.truncate(count);
    Ok(all)
}
