//! What is at a hook of a language model over a corpus: rows to train and to score autoencoders on.

use super::require_tokenizer;
use crate::io::npy_header;
use crate::model::{ActivationCache, Batch, Hook, LanguageModel, ModelError};
use crate::sae::latents::tokenize_into_contexts;
use crate::study::Failure;
use crate::synthetic::language::Token;
use crate::workers;

/// Tokens of a context.
const CONTEXT_TOKENS: usize = 128;
/// Most bytes of all rows together.
const BYTES_MAX: u64 = 1 << 30;

/// Activations over a corpus, context by context: of every position but the first of each, whose activations are outliers in
/// many models (attention sinks).
pub struct CorpusActivations {
    hook: Hook,
    texts: Vec<Vec<Token>>,
    done: usize,
    rows: usize,
    width: usize,
    /// The .npy so far, and how long its header is.
    file: Vec<u8>,
    header: usize,
}

impl CorpusActivations {
    /// Cuts a text into contexts of at most 128 tokens, at blank lines and where these are too long; nothing is run yet.
    ///
    /// # Errors
    /// Of a text that has no tokens; `model.size` for attention patterns, which have no rows, and for more than 1 GiB.
    pub fn new(model: &LanguageModel, text: &str, hook: Hook) -> Result<Self, Failure> {
        let architecture = model.decoder().architecture();
        let refuse = |field: &str, found: String, allowed: String| {
            let message = format_args!("{field} is {found}; allowed: {allowed}");
            Failure::new("model.size", &message, Some(field))
        };
        let (heads, width) = match architecture.hook_shape(hook) {
            Some((heads, width)) if width > 0 => (heads, width),
            _ => {
                let allowed = "a hook with one row of numbers a position".to_owned();
                return Err(refuse("hook", hook.to_string(), allowed));
            }
        };
        let longest = CONTEXT_TOKENS.min(architecture.context);
        let texts = tokenize_into_contexts(require_tokenizer(model)?, text, longest);
        let mut texts = texts.map_err(|error| Failure::from(&error))?;
        texts.retain(|tokens| tokens.len() > 1);
        let rows: usize = texts.iter().map(|tokens| tokens.len() - 1).sum();
        if rows == 0 {
            return Err(refuse("text", "no token after the first".to_owned(), "a text".to_owned()));
        }
        let width = heads * width;
        let bytes = 4 * rows as u64 * width as u64;
        if bytes > BYTES_MAX {
            let found = format!("{rows} rows of {width} numbers, {bytes} bytes");
            return Err(refuse("text", found, format!("at most {BYTES_MAX} bytes of activations")));
        }
        let mut file = npy_header(&[rows, width]);
        let header = file.len();
        if file.try_reserve_exact(bytes as usize).is_err() {
            let found = format!("{rows} rows of {width} numbers");
            return Err(refuse("text", found, format!("what there is memory for, not {bytes} bytes")));
        }
        Ok(Self { hook, texts, done: 0, rows, width, file, header })
    }

    /// How many contexts there are.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.texts.len()
    }

    /// Runs the model over the next context, or as many as are done at once, up to the hook; how many have been read. A step that is cancelled can be taken
    /// again.
    ///
    /// # Errors
    /// Those of the model; `model.non-finite` where what is at the hook is no finite number.
    pub fn step(&mut self, model: &LanguageModel) -> Result<usize, Failure> {
        let next: Vec<_> = self.texts.iter().skip(self.done).take(workers::worker_count()).collect();
        let read = |tokens: &Vec<Token>| {
            let mut taken = ActivationCache::for_hooks(&[self.hook]);
            model.decoder().run_until(&Batch::new(&[tokens])?, self.hook, &mut taken)?;
            match taken.get(self.hook).get(self.width..).unwrap_or_default() {
                rows if rows.iter().all(|value| value.is_finite()) => Ok(rows.to_vec()),
                _ => Err(ModelError::NonFinite),
            }
        };
        let texts = workers::parallel_map(next, read).map_err(|error| Failure::from(&error))?;
        self.done += texts.len();
        self.file.extend(texts.iter().flatten().flat_map(|value| value.to_le_bytes()));
        Ok(self.done)
    }

    /// How many rows there will be, of so many numbers each.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.width]
    }

    /// The rows that have been read, float32 row by row, each number in four bytes, the lowest first.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.file.get(self.header..).unwrap_or_default()
    }

    /// The rows as a .npy of float32, rows × width; none before every context has been read.
    #[must_use]
    pub fn to_npy(&self) -> Option<&[u8]> {
        (self.done == self.texts.len()).then_some(&self.file)
    }

    /// Its name as a file: that of the hook.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}.npy", self.hook)
    }
}
