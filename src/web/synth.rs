//! SynthSAEBench: its jobs one by one, as a page streams them; and autoencoders trained elsewhere, piece by piece.

use std::sync::Arc;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, js_error, to_js};
use super::evaluate::OwnFiles;
use crate::lab::audit::clock::seconds;
use crate::lab::evaluate::{EvaluationError, OpenFiles as _, SaeFileNames, open_sae_folder};
use crate::lab::synth::{Evaluation, EvaluationJob, EvaluationOptions, EvaluationPart, Report};
use crate::settings::Problems;
use crate::synthetic::synth_sae_bench::{SavedModel, SynthSaeBench};

/// The run of the usual settings that is shipped: a `SynthReport`.
#[wasm_bindgen]
pub fn synth_shipped() -> Result<JsValue, JsValue> {
    to_js(&Report::load_shipped().map_err(failure_error)?)
}

/// An autoencoder on a saved model of the benchmark.
#[wasm_bindgen]
pub struct SynthEvaluation {
    evaluation: Evaluation,
    name: String,
}

#[wasm_bindgen]
impl SynthEvaluation {
    /// Does a job: bytes that `found` takes, in this worker or in another that has opened the same. Blocks: for workers.
    pub fn run(&self, name: &str) -> Result<Vec<u8>, JsValue> {
        let jobs = self.evaluation.jobs();
        let job = jobs.into_iter().find(|job| job.name() == name).ok_or_else(|| {
            let message = format!("job = {name:?}; allowed: those that jobs() names");
            js_error("synth.job", &message, Some("name"))
        })?;
        let began = seconds();
        let mut part = self.evaluation.run(job).map_err(|error| failure_error(&error))?;
        part.seconds = seconds() - began;
        rmp_serde::to_vec(&part).map_err(|error| js_error("synth.part", &error.to_string(), None))
    }

    /// The scores, of all jobs' bytes in whatever order: a `SynthEvaluation`.
    pub fn found(&self, parts: Vec<Uint8Array>) -> Result<JsValue, JsValue> {
        let read = |bytes: Uint8Array| {
            rmp_serde::from_slice::<EvaluationPart>(&bytes.to_vec())
                .map_err(|error| js_error("synth.part", &error.to_string(), Some("parts")))
        };
        let parts = parts.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let found = self
            .evaluation
            .combine_parts(&self.name, &parts)
            .ok_or_else(|| js_error("synth.part", "parts: one is missing; allowed: one of each job", Some("parts")))?;
        to_js(&found)
    }
}

/// The jobs of any autoencoder's evaluation by `{rows, seed}`, in the order in which they should be done.
#[wasm_bindgen]
pub fn synth_evaluation_jobs(options: JsValue) -> Result<Vec<String>, JsValue> {
    Ok(Evaluation::jobs_for_options(parse_options(options)?).into_iter().map(EvaluationJob::name).collect())
}

fn parse_options(options: JsValue) -> Result<EvaluationOptions, JsValue> {
    let options: EvaluationOptions = from_js("options", options)?;
    options.check().map_err(|problem| failure_error(Problems(vec![problem])))
}

/// A saved model of SynthSAEBench, read.
#[wasm_bindgen]
pub struct SynthModel {
    model: Arc<SynthSaeBench>,
    notes: Vec<String>,
}

#[wasm_bindgen]
impl SynthModel {
    /// An autoencoder among some files, as `autoencoders` lists it (`sae`), on the model, by `{rows, seed}`.
    pub fn evaluation(
        &self,
        files: &OwnFiles,
        name: String,
        sae: JsValue,
        options: JsValue,
    ) -> Result<SynthEvaluation, JsValue> {
        let refuse = |error: EvaluationError| failure_error(&error);
        let sae: SaeFileNames = from_js("sae", sae)?;
        let folder = open_sae_folder(&sae, files).map_err(refuse)?;
        let options = parse_options(options)?;
        let found = Evaluation::new(&self.model, &self.notes, &folder, options);
        Ok(SynthEvaluation { evaluation: found.map_err(refuse)?, name })
    }
}

#[wasm_bindgen]
impl OwnFiles {
    /// The saved model of SynthSAEBench that is among these files: those of the folder with its configuration.
    #[wasm_bindgen(js_name = synthModel)]
    pub fn synth_model(&self) -> Result<SynthModel, JsValue> {
        let refuse = |error: EvaluationError| failure_error(&error);
        let all = self.names();
        let is = |name: &&String| name.rsplit('/').next() == Some(SavedModel::CONFIG_FILE);
        let configs: Vec<&String> = all.iter().filter(is).collect();
        let config = match configs.as_slice() {
            [one] => one.as_str(),
            [] => return Err(missing_file_error(SavedModel::CONFIG_FILE)),
            [first, second, ..] => {
                let message = format!("models: {first}, {second}; allowed: one model at a time");
                return Err(js_error("synth.model", &message, Some(SavedModel::CONFIG_FILE)));
            }
        };
        let folder = config.strip_suffix(SavedModel::CONFIG_FILE).unwrap_or_default();
        let beside = |name: &str| {
            let name = format!("{folder}{name}");
            all.contains(&name).then_some(name)
        };
        let weights = beside(SavedModel::WEIGHTS_FILE).ok_or_else(|| missing_file_error(SavedModel::WEIGHTS_FILE))?;
        let bytes = self.config_bytes(config).map_err(refuse)?;
        let hierarchy = beside(SavedModel::HIERARCHY_FILE)
            .map(|name| self.config_bytes(&name).map(|bytes| (name, bytes)))
            .transpose()
            .map_err(refuse)?;
        let weights = self.data_file(&weights).map_err(refuse)?;
        let hierarchy = hierarchy.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let saved = SavedModel::read((config, &bytes), &weights, hierarchy)
            .map_err(|error| failure_error(EvaluationError::from(error)))?;
        Ok(SynthModel { model: Arc::new(saved.model), notes: saved.notes })
    }
}

fn missing_file_error(name: &str) -> JsValue {
    let message = format!(
        "{name} is not there; allowed: the model's {}, {} and, where it has one, {} in one folder",
        SavedModel::CONFIG_FILE,
        SavedModel::WEIGHTS_FILE,
        SavedModel::HIERARCHY_FILE,
    );
    js_error("synth.model", &message, Some(name))
}
