//! Training autoencoders in a worker, and studies of families of them, job by job.

use js_sys::{Float32Array, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, js_error, to_js};
use crate::lab::families::{FamiliesConfig, Job, JobResult, Runner, available_choices, build_report};
use crate::sae::train::{Family, SaeLensFile, TrainConfig, Trainer, TrainerState, to_sae_lens};
use crate::settings::Problems;
use crate::synthetic::DrawnRows;
use crate::synthetic::{Sample, World};

/// The defaults of a family ("relu", "topk", "batch-topk", "jumprelu", "gated", "matryoshka"), as
/// [`TrainSession`] takes them.
#[wasm_bindgen]
pub fn train_defaults(family: &str) -> Result<JsValue, JsValue> {
    let family: Family = family.parse().map_err(|problem| failure_error(Problems(vec![problem])))?;
    to_js(&TrainConfig::for_family(family))
}

/// The defaults of a world ("paper", "superposition", "nonlinear"): an object whose `world` is its
/// name.
#[wasm_bindgen]
pub fn world_defaults(name: &str) -> Result<JsValue, JsValue> {
    to_js(&World::from_name(name).map_err(|problem| failure_error(Problems(vec![problem])))?)
}

/// What there is to choose from in a study of families and in a training: `{methods: [{method, label,
/// role}], families: [{family, label, has_k}], k, rows, rows_max, points,
/// points_max, steps_max, jobs_max}`.
#[wasm_bindgen]
pub fn families_choices() -> Result<JsValue, JsValue> {
    to_js(&available_choices())
}

/// A training under way: step it, draw its curve, rest, go on. Blocks while it steps: for workers.
#[wasm_bindgen]
pub struct TrainSession {
    sample: Sample,
    trainer: Trainer,
}

#[wasm_bindgen]
impl TrainSession {
    /// Takes a configuration as [`train_defaults`] gives it (what is left out is TopK's default), a
    /// world as [`world_defaults`] gives it, how many rows of it to train on, and how many more to hold
    /// back for [`train_measured`](super::train_measured). Of a given world `drawn` are all these rows,
    /// as [`OwnActivations`](super::OwnActivations) draws them.
    #[wasm_bindgen(constructor)]
    pub fn new(config: JsValue, world: JsValue, rows: usize, held: usize, drawn: JsValue) -> Result<Self, JsValue> {
        let sample = training_sample(world, rows, held, &drawn)?;
        let config: TrainConfig = from_js("train", config)?;
        let trainer = Trainer::new(config, &sample.activations).map_err(|error| failure_error(&error))?;
        Ok(Self { sample, trainer })
    }

    /// Goes on from what [`TrainSession::state`] gave, with the same world and rows.
    pub fn resume(
        state: JsValue,
        world: JsValue,
        rows: usize,
        held: usize,
        drawn: JsValue,
    ) -> Result<TrainSession, JsValue> {
        let sample = training_sample(world, rows, held, &drawn)?;
        let state: TrainerState = from_js("state", state)?;
        let trainer = Trainer::resume(state, &sample.activations).map_err(|error| failure_error(&error))?;
        Ok(Self { sample, trainer })
    }

    /// Takes `steps` steps, or none; returns `{step, loss, mse, explained, l0, dead, sparsity, auxiliary}` of
    /// the last one, and in a world with planted features `mean_max_cosine` after it.
    pub fn step(&mut self, steps: u32) -> Result<JsValue, JsValue> {
        self.trainer.step(steps).map_err(|error| failure_error(&error))?;
        let planted = self.sample.truth.as_ref().map(|truth| &truth.directions);
        to_js(&self.trainer.metrics_with_recovery(planted).map_err(|error| failure_error(&error))?)
    }

    /// How the directions match the planted ones (`{mcc, pairs, best_match, uniqueness, recovered}`);
    /// null in a world without planted features.
    pub fn matching(&self) -> Result<JsValue, JsValue> {
        let Some(truth) = &self.sample.truth else { return Ok(JsValue::NULL) };
        let decoder = self.trainer.autoencoder().decoder();
        let found = crate::sae::recovery::match_directions(&decoder, &truth.directions)
            .map_err(|error| js_error(error.code(), &error.to_string(), None))?;
        to_js(&found)
    }

    /// All that the training has come to, to go on from.
    pub fn state(&self) -> Result<JsValue, JsValue> {
        to_js(self.trainer.state())
    }

    /// The content of `cfg.json` of the folder that SAELens loads.
    pub fn sae_config(&self) -> Result<Vec<u8>, JsValue> {
        Ok(self.sae_lens_files()?[0].bytes.clone())
    }

    /// The content of `sae_weights.safetensors` of that folder.
    pub fn sae_weights(&self) -> Result<Uint8Array, JsValue> {
        Ok(Uint8Array::from(self.sae_lens_files()?[1].bytes.as_slice()))
    }

    fn sae_lens_files(&self) -> Result<[SaeLensFile; 2], JsValue> {
        let autoencoder = self.trainer.autoencoder().unscale(self.sample.scale);
        to_sae_lens(&autoencoder).map_err(|error| failure_error(&error))
    }
}

/// The rows of a given world, `{activations, readout?, bias?}`, each a `Float32Array`; undefined: none.
pub(super) fn read_drawn_rows(value: &JsValue) -> Result<Option<DrawnRows>, JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    let part = |key: &str| {
        let part = Reflect::get(value, &key.into())?;
        if part.is_undefined() || part.is_null() {
            return Ok(None);
        }
        let part = part.dyn_into::<Float32Array>().map_err(|_| {
            let message = format!("{key} is no Float32Array");
            js_error("world.malformed", &message, Some(key))
        })?;
        Ok::<_, JsValue>(Some(part.to_vec()))
    };
    let activations = part("activations")?.unwrap_or_default();
    Ok(Some(DrawnRows { activations, readout: part("readout")?, bias: part("bias")? }))
}

/// The rows of a world that are trained on, the first of those that are drawn; and those held back.
pub(super) fn split_rows(
    world: JsValue,
    rows: usize,
    held: usize,
    drawn: &JsValue,
) -> Result<(Sample, Sample), JsValue> {
    let world: World = from_js("world", world)?;
    let drawn = read_drawn_rows(drawn)?;
    let sample =
        world.sample_with(rows.saturating_add(held), drawn.as_ref()).map_err(|problems| failure_error(&problems))?;
    Ok(sample.split(rows))
}

/// The rows of a world that are trained on.
pub(super) fn training_sample(world: JsValue, rows: usize, held: usize, drawn: &JsValue) -> Result<Sample, JsValue> {
    let (mut sample, _) = split_rows(world, rows, held, drawn)?;
    sample.readout = None;
    Ok(sample)
}

/// How many rows of a world one autoencoder is trained on, where `most` are wanted, and how many more
/// are held back to measure it on: `[rows, held]`.
#[wasm_bindgen]
pub fn world_split(world: JsValue, most: usize) -> Result<Vec<usize>, JsValue> {
    let world: World = from_js("world", world)?;
    let (rows, held) = world.train_and_held_out_rows(most);
    Ok(vec![rows, held])
}

/// The study of a preset ("small", "full"), to change and hand to the functions below.
#[wasm_bindgen]
pub fn families_preset(name: &str) -> Result<JsValue, JsValue> {
    let config = FamiliesConfig::preset(name);
    to_js(&config.map_err(|problem| failure_error(Problems(vec![problem])))?)
}

/// A study made to fit a given world: how many rows it
/// trains and measures on, and how many latents. Any other world only takes its place.
#[wasm_bindgen]
pub fn families_fit(config: JsValue, world: JsValue) -> Result<JsValue, JsValue> {
    let mut config: FamiliesConfig = from_js("families", config)?;
    config.world = from_js("world", world)?;
    if let World::Own(given) = &config.world {
        let (rows, dimensions) = (given.rows, given.dimensions);
        config.adapt_to_data(rows, dimensions);
    }
    to_js(&config)
}

/// A study's jobs (`{method, knob, seed}` each), which any worker may do in any order.
#[wasm_bindgen]
pub fn families_jobs(config: JsValue) -> Result<JsValue, JsValue> {
    let config: FamiliesConfig = from_js("families", config)?;
    config.check().map_err(|problems| failure_error(&problems))?;
    to_js(&config.jobs())
}

/// Makes the report of all jobs' results, in whatever order they come.
#[wasm_bindgen]
pub fn families_gather(config: JsValue, results: JsValue) -> Result<JsValue, JsValue> {
    let config: FamiliesConfig = from_js("families", config)?;
    let results: Vec<JobResult> = from_js("results", results)?;
    to_js(&build_report(&config, results).map_err(|error| failure_error(&error))?)
}

/// Does jobs of one study; the world is drawn once. Blocks: for workers.
#[wasm_bindgen]
pub struct FamiliesRunner {
    runner: Runner,
}

#[wasm_bindgen]
impl FamiliesRunner {
    /// Takes a study, and where its world is a given one, `drawn`: as many rows as it trains and
    /// measures on.
    #[wasm_bindgen(constructor)]
    pub fn new(config: JsValue, drawn: JsValue) -> Result<Self, JsValue> {
        let config: FamiliesConfig = from_js("families", config)?;
        let drawn = read_drawn_rows(&drawn)?;
        let runner = Runner::with_rows(&config, drawn.as_ref()).map_err(|error| failure_error(&error))?;
        Ok(Self { runner })
    }

    /// Does one job of [`families_jobs`]; returns its result for [`families_gather`].
    pub fn run(&self, job: JsValue) -> Result<JsValue, JsValue> {
        let job: Job = from_js("job", job)?;
        to_js(&self.runner.run(&job).map_err(|error| failure_error(&error))?)
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    const NONE: JsValue = JsValue::UNDEFINED;

    fn read<T: for<'de> serde::Deserialize<'de>>(value: JsValue) -> T {
        serde_wasm_bindgen::from_value(value).unwrap()
    }

    #[wasm_bindgen_test]
    fn a_training_rests_and_goes_on() {
        let config = || {
            let config = TrainConfig { latents: 24, k: 2, batch: 50, ..TrainConfig::default() };
            to_js(&config).unwrap()
        };
        let world = || world_defaults("superposition").unwrap();
        let mut whole = TrainSession::new(config(), world(), 300, 20, NONE).unwrap();
        let wanted: crate::sae::train::Metrics = read(whole.step(30).unwrap());
        let mut first = TrainSession::new(config(), world(), 300, 20, NONE).unwrap();
        first.step(11).unwrap();
        let mut second = TrainSession::resume(first.state().unwrap(), world(), 300, 20, NONE).unwrap();
        let found: crate::sae::train::Metrics = read(second.step(19).unwrap());
        assert_eq!(found, wanted);
        let directions = &second.sample.truth.as_ref().unwrap().directions;
        let decoder = second.trainer.autoencoder().decoder();
        let expected = crate::sae::recovery::mean_max_cosine(&decoder, directions).unwrap();
        assert_eq!(found.mean_max_cosine, Some(expected));
        assert!(found.mean_max_cosine.is_some_and(|mean| mean > 0.0 && mean <= 1.0));
        assert_eq!(whole.sae_weights().unwrap().to_vec(), second.sae_weights().unwrap().to_vec());
        assert!(!whole.matching().unwrap().is_null());
        assert!(TrainSession::new(config(), world(), 20, 20, NONE).is_err());
        assert!(train_defaults("l1").is_err() && world_defaults("real").is_err());
    }

    #[wasm_bindgen_test]
    fn a_study_goes_through_javascript_job_by_job() {
        let mut config = FamiliesConfig::small();
        config.train.steps = 5;
        (config.ks, config.seeds) = (vec![2], vec![0, 7]);
        let config = to_js(&config).unwrap();
        let runner = FamiliesRunner::new(config.clone(), NONE).unwrap();
        let results = js_sys::Array::new();
        for job in js_sys::Array::from(&families_jobs(config.clone()).unwrap()).iter() {
            results.unshift(&runner.run(job).unwrap());
        }
        let found = families_gather(config.clone(), results.clone().into()).unwrap();
        let found: crate::lab::families::FamiliesReport = read(found);
        assert_eq!(found.methods.len(), 12);
        results.pop();
        let error = families_gather(config, results.into()).unwrap_err();
        assert_eq!(js_sys::Reflect::get(&error, &"code".into()).unwrap(), "families.count");
    }
}
