//! A reader's own model in JavaScript: a GPT-2 folder, what it takes, what comes next, and its activations.

use js_sys::{Function, Object};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::convert::{failed, thrown, to_js};
use super::files::file_object;
use super::own::Source;
use crate::io::{ReadAt, npy};
use crate::model::{Batch, Config, Hook, ModelError, ModelFolder, Next, OwnModel, Taken};
use crate::study::Failure;

/// Bytes that a model may take in a tab, whose memory ends at 4 GiB.
const CAP: u64 = 3 << 30;
/// Tokens of a text at once.
const TOKENS_MAX: usize = 1_024;

impl From<&ModelError> for Failure {
    fn from(error: &ModelError) -> Self {
        Self::new(error.code(), error, None)
    }
}

fn refused(error: ModelError) -> JsValue {
    failed(&error)
}

/// A model of a reader's own, from its files to its activations. Made for a worker, which can read a `File`
/// synchronously.
#[wasm_bindgen]
#[derive(Default)]
pub struct ModelReader {
    files: Vec<(String, Box<dyn ReadAt>)>,
    folder: Option<ModelFolder>,
    model: Option<OwnModel>,
}

#[wasm_bindgen]
impl ModelReader {
    /// No files yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a file of the folder, of which `read(offset, length)` returns parts as `Uint8Array`s.
    pub fn add(&mut self, name: &str, size: f64, read: Function) -> Result<(), JsValue> {
        if !(0.0..=9e15).contains(&size) {
            let message = format!("{name} cannot have {size} bytes");
            return Err(thrown("io.unreadable", &message, Some(name)));
        }
        self.files.push((name.to_owned(), Box::new(Source::Parts { size: size as u64, read })));
        Ok(())
    }

    /// Reads configuration and tokenizer, of the weights their names and shapes:
    /// `{config, bytes, cap, tokens, hooks}`, where `bytes` is the memory that reading takes at most and
    /// `tokens` how many the tokenizer has, null without one.
    pub fn open(&mut self) -> Result<JsValue, JsValue> {
        #[derive(Serialize)]
        struct Found {
            config: Config,
            bytes: u64,
            cap: u64,
            tokens: Option<usize>,
            hooks: Vec<String>,
        }
        (self.folder, self.model) = (None, None);
        let folder = ModelFolder::open(std::mem::take(&mut self.files), CAP).map_err(refused)?;
        let config = *folder.config();
        let found = Found {
            config,
            bytes: folder.bytes(),
            cap: CAP,
            tokens: folder.tokenizer().map(crate::model::Tokenizer::tokens),
            hooks: Hook::all(config.layers).iter().map(ToString::to_string).collect(),
        };
        self.folder = Some(folder);
        to_js(&found)
    }

    /// Reads the weights.
    pub fn read(&mut self) -> Result<(), JsValue> {
        let folder = self.folder.take().ok_or_else(absent)?;
        self.model = Some(folder.read(CAP).map_err(refused)?);
        Ok(())
    }

    fn model(&self) -> Result<&OwnModel, JsValue> {
        self.model.as_ref().ok_or_else(absent)
    }

    /// The tokens of a text, by the folder's tokenizer.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, JsValue> {
        let model = self.model()?;
        let Some(tokenizer) = model.tokenizer() else {
            let message = "the folder has no tokenizer.json: give tokens by their numbers";
            return Err(thrown("tokenizer.absent", message, Some("text")));
        };
        tokenizer.encode(text).map_err(|error| refused(error.into()))
    }

    /// What tokens stand for: `[text]`, null where there is no tokenizer, or one has no whole characters.
    pub fn pieces(&self, tokens: &[u32]) -> Result<JsValue, JsValue> {
        let tokenizer = self.model()?.tokenizer();
        let piece = |token: &u32| tokenizer.and_then(|known| known.decode(&[*token]).ok());
        to_js(&tokens.iter().map(piece).collect::<Vec<_>>())
    }

    /// The `count` likeliest tokens after some: `[{token, probability, logit}]`.
    pub fn next(&self, tokens: &[u32], count: usize) -> Result<JsValue, JsValue> {
        let found: Vec<Next> =
            self.model()?.next(fits(tokens)?, count.min(100)).map_err(refused)?;
        to_js(&found)
    }

    /// What stands at a hook while the model reads some tokens, as a .npy file in the shape that TransformerLens
    /// has, with one prompt: `{name, bytes}`.
    pub fn activation(&self, tokens: &[u32], hook: &str) -> Result<Object, JsValue> {
        let model = self.model()?.model();
        let of: Hook =
            hook.parse().map_err(|error: String| thrown("model.hook", &error, Some("hook")))?;
        let mut taken = Taken::of(&[of]);
        let batch = Batch::new(&[fits(tokens)?]).map_err(refused)?;
        model.last_logits(&batch, &mut taken).map_err(refused)?;
        let values: Vec<f64> = taken.get(of).iter().map(|value| f64::from(*value)).collect();
        let shape = shape_of(of, model.config(), batch.positions());
        if shape.iter().product::<usize>() != values.len() {
            let message = format!("no activation was found at {hook}");
            return Err(thrown("model.hook", &message, Some("hook")));
        }
        file_object(&format!("{hook}.npy"), &npy(&shape, &values))
    }
}

fn absent() -> JsValue {
    thrown("model.absent", "no model has been read", None)
}

fn fits(tokens: &[u32]) -> Result<&[u32], JsValue> {
    if (1..=TOKENS_MAX).contains(&tokens.len()) {
        return Ok(tokens);
    }
    let message = format!("{} tokens; allowed: 1 to {TOKENS_MAX}", tokens.len());
    Err(thrown("model.tokens", &message, Some("tokens")))
}

/// The shape of an activation of one prompt.
fn shape_of(hook: Hook, config: &Config, positions: usize) -> Vec<usize> {
    use crate::model::Site;
    let Config { heads, d_head, d_model, d_mlp, .. } = *config;
    match hook {
        Hook::Block(_, Site::Q | Site::K | Site::V | Site::Z) => vec![1, positions, heads, d_head],
        Hook::Block(_, Site::Pattern) => vec![1, heads, positions, positions],
        Hook::Block(_, Site::MlpPre | Site::MlpPost) => vec![1, positions, d_mlp],
        _ => vec![1, positions, d_model],
    }
}

#[cfg(test)]
mod tests {
    use js_sys::{Array, JSON, Reflect, Uint8Array};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn field(object: &JsValue, name: &str) -> JsValue {
        Reflect::get(object, &name.into()).unwrap()
    }

    #[wasm_bindgen_test]
    fn a_folder_is_opened_read_and_asked() {
        let files: [(&str, &[u8]); 2] = [
            ("config.json", include_bytes!("../../tests/golden/model/gpt2/config.json")),
            (
                "model.safetensors",
                include_bytes!("../../tests/golden/model/gpt2/model.safetensors"),
            ),
        ];
        let mut reader = ModelReader::new();
        assert!(reader.open().is_err(), "there is no file");
        for (name, bytes) in files {
            let read = Function::new_with_args(
                "from, length",
                "return this.subarray(from, from + length)",
            );
            let read = read.bind0(&Uint8Array::from(bytes));
            reader.add(name, bytes.len() as f64, read).unwrap();
        }
        let found = reader.open().unwrap();
        assert!(field(&found, "bytes").as_f64().unwrap() > 1_000.0);
        assert!(field(&found, "tokens").is_null());
        assert!(reader.next(&[1], 3).is_err(), "nothing has been read");
        reader.read().unwrap();
        let next = Array::from(&reader.next(&[1, 2, 3], 3).unwrap());
        assert_eq!(next.length(), 3);
        let first = field(&next.get(0), "probability").as_f64().unwrap();
        assert!((0.0..=1.0).contains(&first), "{}", String::from(JSON::stringify(&next).unwrap()));
        for hook in Array::from(&field(&found, "hooks")).iter() {
            let name = hook.as_string().unwrap();
            let file = reader.activation(&[1, 2, 3], &name).unwrap();
            assert_eq!(field(&file, "name").as_string().unwrap(), format!("{name}.npy"));
        }
        assert!(reader.activation(&[1], "hook").is_err());
        assert!(reader.encode("a").is_err(), "there is no tokenizer");
        assert!(reader.next(&[], 1).is_err());
        assert!(reader.next(&[u32::MAX], 1).is_err());
    }
}
