//! A language model of one's own: what it makes of a text, an autoencoder in it, and the papers' metrics on both.

use std::path::Path;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use sfc_bench::lab::language_model::{
    CorpusActivations, MetricRequest, MetricRun, MuiDirections, MuiModel, hook_of, tokenizer,
};
use sfc_bench::lab::own::{FolderNames, OwnError};
use sfc_bench::model::{
    Ablation, ActivationCache, Batch, Hook, LanguageModel as Model, ModelError, ModelFiles, Next,
    Scored, Spelled, SpelledAblation, Tokenizer, on_disk,
};
use sfc_bench::object;
use sfc_bench::sae::latents::SAMPLE;
use sfc_bench::sae::{Autoencoder, SpliceOptions, splice};
use sfc_bench::study::Failure;

use crate::error::{Refusal, Result};
use crate::evaluate::{Given, open_file, sources};
use crate::run::{Listener, beside, heard, pool};
use crate::text::{pretty, read};

/// A model, read.
#[pyclass(frozen, module = "sfc_bench._core")]
pub struct LanguageModel {
    model: Model,
    about: String,
    /// In bytes, of what is read beside it, too.
    memory: u64,
}

/// An autoencoder by the names of its files, of which some are in memory.
fn autoencoder(names: &str, files: &Given<'_>) -> Result<Autoencoder> {
    let names: FolderNames = read("sae", names)?;
    let folder = names.folder(files)?;
    Ok(Autoencoder::open(&folder).map_err(OwnError::from)?)
}

/// Does something short without Python, on as many threads as there are processors.
fn on_all<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    beside(py, || pool(None)?.install(work))
}

/// The same of something long, which says how far it is.
fn heard_on_all<T: Send>(
    py: Python<'_>,
    tell: Option<Py<PyAny>>,
    work: impl FnOnce(&mut Listener<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    heard(py, tell, |listener| pool(None)?.install(|| work(listener)))
}

/// Where models have gone from each to the next, by their reports on the index, as JSON.
#[pyfunction]
pub fn mui_directions(py: Python<'_>, models: &str) -> PyResult<String> {
    on_all(py, || {
        let models: Vec<MuiModel> = read("models", models)?;
        pretty(&MuiDirections::of(&models)?)
    })
}

/// What is ablated.
fn ablation(components: &[String], to: &str) -> Result<Ablation> {
    let to = serde_json::from_value(to.into())
        .map_err(|_| Refusal::value("to", format!("{to:?}"), "zero or mean"))?;
    let read = |text: &String| {
        text.parse().map_err(|allowed: &str| Refusal::value("ablate", format!("{text:?}"), allowed))
    };
    Ok(Ablation { components: components.iter().map(read).collect::<Result<_>>()?, to })
}

impl LanguageModel {
    fn hook(&self, name: &str) -> Result<Hook> {
        let found = self.model.decoder().architecture().hook(name);
        found.map_err(|allowed| Refusal::value("hook", format!("{name:?}"), allowed))
    }
}

#[pymethods]
impl LanguageModel {
    /// Reads the folder or the GGUF file at `path`, within so many bytes.
    #[new]
    fn new(py: Python<'_>, path: &str, memory: u64) -> PyResult<Self> {
        beside(py, || {
            let open = |path: &Path| open_file(&path.display().to_string());
            let files = on_disk::files(Path::new(path), memory, &open)?;
            let files = ModelFiles::open(files, memory)?;
            let config = files.architecture();
            let hooks: Vec<String> = config.hooks().iter().map(ToString::to_string).collect();
            let about = pretty(&object! {
                sentence: files.sentence(),
                config,
                memory: files.bytes(),
                tokens: files.tokenizer().map(Tokenizer::tokens),
                hooks,
            })?;
            Ok(Self { model: files.read(memory)?, about, memory })
        })
    }

    /// What it is, as JSON: `sentence`, `config`, `memory`, `tokens`, `hooks`.
    fn about(&self) -> &str {
        &self.about
    }

    /// The tokens of a text, with those that every text begins and ends with.
    fn encode(&self, text: &str) -> PyResult<Vec<u32>> {
        let tokenizer = tokenizer(&self.model).map_err(Refusal::from)?;
        let found = tokenizer.encode_whole(text).map_err(ModelError::from);
        Ok(found.map_err(Refusal::from)?)
    }

    /// What tokens stand for; none where there is no tokenizer, or one has no whole characters.
    fn pieces(&self, tokens: Vec<u32>) -> Vec<Option<String>> {
        tokens.iter().map(|token| self.model.text(*token)).collect()
    }

    /// The likeliest next tokens and how well those that are there were predicted, as JSON.
    fn score(
        &self,
        py: Python<'_>,
        tokens: Vec<u32>,
        count: usize,
        components: Vec<String>,
        to: &str,
        seed: u32,
    ) -> PyResult<String> {
        #[derive(Serialize)]
        struct Found<'a> {
            tokens: &'a [u32],
            top: Vec<Spelled<Next>>,
            cross_entropy: Option<f64>,
            losses: Vec<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            ablation: Option<SpelledAblation>,
        }
        on_all(py, || {
            let asked = ablation(&components, to)?;
            let scored = self.model.score_with(&tokens, count, &asked, seed)?;
            let (Scored { top, cross_entropy, losses }, ablation) = scored;
            let top = self.model.spelled(top, |next| next.token);
            pretty(&Found { tokens: &tokens, top, cross_entropy, losses, ablation })
        })
    }

    /// What is at a hook while it reads some tokens: the shape, and values row by row. Later layers are not computed.
    fn activations<'py>(
        &self,
        py: Python<'py>,
        tokens: Vec<u32>,
        hook: &str,
    ) -> PyResult<(Vec<usize>, Bound<'py, PyArray1<f32>>)> {
        let (shape, values) = on_all(py, || {
            let hook = self.hook(hook)?;
            let mut taken = ActivationCache::of(&[hook]);
            let decoder = self.model.decoder();
            decoder.run_until(&Batch::new(&[&tokens])?, hook, &mut taken)?;
            let values = taken.get(hook).to_vec();
            let shape = decoder.architecture().hook_shape(hook);
            let (heads, width) = shape.ok_or(ModelError::Hook { hook })?;
            Ok((
                match width {
                    0 => vec![heads, tokens.len(), tokens.len()],
                    _ if heads == 1 => vec![tokens.len(), width],
                    _ => vec![tokens.len(), heads, width],
                },
                values,
            ))
        })?;
        Ok((shape, PyArray1::from_vec(py, values)))
    }

    /// What is at a hook over a corpus, every position but the first of each context: rows, width, and values row by row.
    #[pyo3(signature = (corpus, hook, tell = None))]
    fn corpus_activations<'py>(
        &self,
        py: Python<'py>,
        corpus: Option<&str>,
        hook: &str,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<([usize; 2], Bound<'py, PyArray1<f32>>)> {
        let (shape, values): (_, Vec<f32>) = heard_on_all(py, tell, |listener| {
            let corpus = corpus.unwrap_or(SAMPLE);
            let mut run = CorpusActivations::new(&self.model, corpus, self.hook(hook)?)?;
            let steps = run.steps();
            while {
                let done = run.step(&self.model)?;
                listener.hear("steps", (done as f64 / steps.max(1) as f64).min(0.999));
                done < steps
            } {}
            let number = |value: &[u8; 4]| f32::from_le_bytes(*value);
            Ok((run.shape(), run.values().as_chunks().0.iter().map(number).collect()))
        })?;
        Ok((shape, PyArray1::from_vec(py, values)))
    }

    /// What becomes of predictions with an autoencoder at a hook, as JSON.
    #[pyo3(signature = (tokens, sae, files, hook, options))]
    fn splice(
        &self,
        py: Python<'_>,
        tokens: Vec<u32>,
        sae: &str,
        files: &Bound<'_, PyDict>,
        hook: Option<&str>,
        options: &str,
    ) -> PyResult<String> {
        let given = sources(files)?;
        on_all(py, || {
            let options: SpliceOptions = read("splice", options)?;
            let autoencoder = autoencoder(sae, &Given::of(&given, self.memory))?;
            let hook = hook_of(&self.model, &autoencoder, hook)?;
            let found = splice(self.model.decoder(), &autoencoder, hook, &options, &tokens);
            pretty(&found.map_err(|error| Failure::from(&error))?)
        })
    }

    /// A paper's metric, as the command line's JSON has it; the autoencoder, where one is needed, as for `splice`.
    #[pyo3(signature = (request, sae, files, tell = None))]
    fn metric(
        &self,
        py: Python<'_>,
        request: &str,
        sae: Option<&str>,
        files: &Bound<'_, PyDict>,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let given = sources(files)?;
        heard_on_all(py, tell, |listener| {
            let request: MetricRequest = read("request", request)?;
            let files = Given::of(&given, self.memory);
            let autoencoder = sae.map(|names| autoencoder(names, &files)).transpose()?;
            let mut run = MetricRun::new(&self.model, autoencoder.as_ref(), request)?;
            let steps = run.steps();
            while {
                let done = run.step(&self.model, autoencoder.as_ref())?;
                listener.hear("steps", (done as f64 / steps.max(1) as f64).min(0.999));
                done < steps
            } {}
            pretty(&run.report()?)
        })
    }
}
