//! A language model of one's own: what it makes of a text, an autoencoder in it, and the papers' metrics on both.

use std::path::Path;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use sfc_bench::lab::evaluate::{EvaluationError, SaeFileNames, open_sae_folder};
use sfc_bench::lab::language_model::{
    CorpusActivations, MetricRequest, MetricRun, MuiDirections, MuiModel, require_tokenizer, resolve_hook,
};
use sfc_bench::model::{
    Ablation, AblationWithTokenText, ActivationCache, Batch, Hook, LanguageModel as Model, ModelError, ModelFiles,
    NextToken, TextScore, Tokenizer, WithTokenText, on_disk,
};
use sfc_bench::object;
use sfc_bench::sae::latents::SAMPLE_TEXT;
use sfc_bench::sae::{Autoencoder, SpliceOptions, splice};
use sfc_bench::study::Failure;

use crate::error::{Refusal, Result};
use crate::evaluate::{PythonFiles, open_file, read_python_files};
use crate::run::{ProgressListener, run_detached, run_with_progress, thread_pool};
use crate::text::{read_json, write_pretty_json};

/// A model, read.
#[pyclass(frozen, module = "sfc_bench._core")]
pub struct LanguageModel {
    model: Model,
    about: String,
    /// In bytes, of what is read beside it, too.
    memory: u64,
}

/// An autoencoder by the names of its files, of which some are in memory.
fn open_autoencoder(names: &str, files: &PythonFiles<'_>) -> Result<Autoencoder> {
    let names: SaeFileNames = read_json("sae", names)?;
    let folder = open_sae_folder(&names, files)?;
    Ok(Autoencoder::open(&folder).map_err(EvaluationError::from)?)
}

/// Does something short without Python, on as many threads as there are processors.
fn run_on_pool<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    run_detached(py, || thread_pool(None)?.install(work))
}

/// The same of something long, which says how far it is.
fn run_on_pool_with_progress<T: Send>(
    py: Python<'_>,
    tell: Option<Py<PyAny>>,
    work: impl FnOnce(&mut ProgressListener<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    run_with_progress(py, tell, |listener| thread_pool(None)?.install(|| work(listener)))
}

/// Where models have gone from each to the next, by their reports on the index, as JSON.
#[pyfunction]
pub fn mui_directions(py: Python<'_>, models: &str) -> PyResult<String> {
    run_on_pool(py, || {
        let models: Vec<MuiModel> = read_json("models", models)?;
        write_pretty_json(&MuiDirections::from_models(&models)?)
    })
}

/// What is ablated.
fn parse_ablation(components: &[String], to: &str) -> Result<Ablation> {
    let to = serde_json::from_value(to.into())
        .map_err(|_| Refusal::invalid_value("to", format!("{to:?}"), "zero or mean"))?;
    let read = |text: &String| {
        text.parse().map_err(|allowed: &str| Refusal::invalid_value("ablate", format!("{text:?}"), allowed))
    };
    Ok(Ablation { components: components.iter().map(read).collect::<Result<_>>()?, ablate_to: to })
}

impl LanguageModel {
    fn parse_hook(&self, name: &str) -> Result<Hook> {
        let found = self.model.decoder().architecture().parse_hook(name);
        found.map_err(|allowed| Refusal::invalid_value("hook", format!("{name:?}"), allowed))
    }
}

#[pymethods]
impl LanguageModel {
    /// Reads the folder or the GGUF file at `path`, within so many bytes.
    #[new]
    fn new(py: Python<'_>, path: &str, memory: u64) -> PyResult<Self> {
        run_detached(py, || {
            let open = |path: &Path| open_file(&path.display().to_string());
            let files = on_disk::model_files(Path::new(path), memory, &open)?;
            let files = ModelFiles::open(files, memory)?;
            let config = files.architecture();
            let hooks: Vec<String> = config.hooks().iter().map(ToString::to_string).collect();
            let about = write_pretty_json(&object! {
                sentence: files.describe(),
                config,
                memory: files.memory_bytes(),
                tokens: files.tokenizer().map(Tokenizer::vocab_size),
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
        let tokenizer = require_tokenizer(&self.model).map_err(Refusal::from)?;
        let found = tokenizer.encode_with_special_tokens(text).map_err(ModelError::from);
        Ok(found.map_err(Refusal::from)?)
    }

    /// What tokens stand for; none where there is no tokenizer, or one has no whole characters.
    fn pieces(&self, tokens: Vec<u32>) -> Vec<Option<String>> {
        tokens.iter().map(|token| self.model.token_text(*token)).collect()
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
        struct ScoreOutput<'a> {
            tokens: &'a [u32],
            top: Vec<WithTokenText<NextToken>>,
            cross_entropy: Option<f64>,
            losses: Vec<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            ablation: Option<AblationWithTokenText>,
        }
        run_on_pool(py, || {
            let asked = parse_ablation(&components, to)?;
            let scored = self.model.score_with_ablation(&tokens, count, &asked, seed)?;
            let (TextScore { top, cross_entropy, losses }, ablation) = scored;
            let top = self.model.with_token_text(top, |next| next.token);
            write_pretty_json(&ScoreOutput { tokens: &tokens, top, cross_entropy, losses, ablation })
        })
    }

    /// What is at a hook while it reads some tokens: the shape, and values row by row. Later layers are not computed.
    fn activations<'py>(
        &self,
        py: Python<'py>,
        tokens: Vec<u32>,
        hook: &str,
    ) -> PyResult<(Vec<usize>, Bound<'py, PyArray1<f32>>)> {
        let (shape, values) = run_on_pool(py, || {
            let hook = self.parse_hook(hook)?;
            let mut taken = ActivationCache::for_hooks(&[hook]);
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
        let (shape, values): (_, Vec<f32>) = run_on_pool_with_progress(py, tell, |listener| {
            let corpus = corpus.unwrap_or(SAMPLE_TEXT);
            let mut run = CorpusActivations::new(&self.model, corpus, self.parse_hook(hook)?)?;
            let steps = run.steps();
            while {
                let done = run.step(&self.model)?;
                listener.report("steps", (done as f64 / steps.max(1) as f64).min(0.999));
                done < steps
            } {}
            let number = |value: &[u8; 4]| f32::from_le_bytes(*value);
            Ok((run.shape(), run.as_bytes().as_chunks().0.iter().map(number).collect()))
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
        let given = read_python_files(files)?;
        run_on_pool(py, || {
            let options: SpliceOptions = read_json("splice", options)?;
            let autoencoder = open_autoencoder(sae, &PythonFiles::new(&given, self.memory))?;
            let hook = resolve_hook(&self.model, &autoencoder, hook)?;
            let found = splice(self.model.decoder(), &autoencoder, hook, &options, &tokens);
            write_pretty_json(&found.map_err(|error| Failure::from(&error))?)
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
        let given = read_python_files(files)?;
        run_on_pool_with_progress(py, tell, |listener| {
            let request: MetricRequest = read_json("request", request)?;
            let files = PythonFiles::new(&given, self.memory);
            let autoencoder = sae.map(|names| open_autoencoder(names, &files)).transpose()?;
            let mut run = MetricRun::new(&self.model, autoencoder.as_ref(), request)?;
            let steps = run.steps();
            while {
                let done = run.step(&self.model, autoencoder.as_ref())?;
                listener.report("steps", (done as f64 / steps.max(1) as f64).min(0.999));
                done < steps
            } {}
            write_pretty_json(&run.report()?)
        })
    }
}
