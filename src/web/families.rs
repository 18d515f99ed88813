//! A study of families on screen, while its results come in, and the curve of one training.

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::convert::{from_js, refused, thrown, to_js, weights_of};
use super::train::{drawn_from, families_failed, split_rows, train_failed};
use super::view::{figures, unknown};
use crate::export::{Archive, Origin, Training};
use crate::lab::families::figures::KeptMember;
use crate::lab::families::{
    FamiliesConfig, FamiliesReport, JobResult, Method, Runner, gather_finished,
};
use crate::papers::sfc::metric::score::Weights;
use crate::papers::sfc::settings::Settings;
use crate::plot::{self, Chart};
use crate::sae::train::{Metrics, State, TrainConfig, Trainer, scorable};
use crate::world::{Sample, World};

/// A study's finished methods under live weights.
#[wasm_bindgen]
pub struct FamiliesView {
    config: FamiliesConfig,
    results: Vec<JobResult>,
    report: FamiliesReport,
    weights: Weights,
    kept: Vec<KeptMember>,
    linear: Vec<JobResult>,
    settings: Settings,
}

#[wasm_bindgen]
impl FamiliesView {
    /// Takes a study as [`families_preset`](super::families_preset) gives it.
    #[wasm_bindgen(constructor)]
    pub fn new(config: JsValue) -> Result<Self, JsValue> {
        let config: FamiliesConfig = from_js("families", config)?;
        config.check().map_err(|problems| refused(&problems))?;
        let report = gather_finished(&config, &[]).map_err(|error| families_failed(&error))?;
        Ok(Self {
            config,
            results: Vec::new(),
            report,
            weights: Weights::EQUAL,
            kept: Vec::new(),
            linear: Vec::new(),
            settings: Settings::default(),
        })
    }

    /// Takes a result as a [`FamiliesRunner`](super::FamiliesRunner) returns it, in any order; one
    /// that is there already is left out. It shows once its method has all of its results. Returns
    /// whether that is so.
    pub fn add(&mut self, result: JsValue) -> Result<bool, JsValue> {
        let result: JobResult = from_js("results", result)?;
        if self.results.iter().any(|other| other.job == result.job) {
            return Ok(false);
        }
        let method = result.job.method;
        self.results.push(result);
        if !self.config.has_all_of(method, &self.results) {
            if let Some(coverage) = &mut self.report.provisional {
                coverage.members = self.results.len();
            }
            return Ok(false);
        }
        let before = self.report.methods.len();
        self.report = gather_finished(&self.config, &self.results)
            .map_err(|error| families_failed(&error))?;
        Ok(self.report.methods.len() > before)
    }

    /// Takes results of the same circuit read out by sums alone, for the sentence that compares.
    pub fn set_linear(&mut self, results: JsValue) -> Result<(), JsValue> {
        self.linear = from_js("results", results)?;
        Ok(())
    }

    /// Results so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.results.len()
    }

    /// Methods that are finished.
    #[must_use]
    pub fn methods(&self) -> usize {
        self.report.methods.len()
    }

    /// Scores everything anew; nothing is run.
    pub fn set_weights(&mut self, alpha: f64, beta: f64, gamma: f64) -> Result<(), JsValue> {
        self.weights = weights_of(alpha, beta, gamma)?;
        Ok(())
    }

    /// Shows an autoencoder of the reader's beside the families; one of the same name is replaced.
    pub fn keep(&mut self, name: &str, found: JsValue) -> Result<(), JsValue> {
        let found: JobResult = from_js("results", found)?;
        self.kept.retain(|kept| kept.name != name);
        self.kept.push(KeptMember { name: name.to_owned(), found });
        Ok(())
    }

    /// Shows it no more.
    pub fn forget(&mut self, name: &str) {
        self.kept.retain(|kept| kept.name != name);
    }

    /// The result in a few sentences.
    #[must_use]
    pub fn headline(&self) -> String {
        crate::lab::families::figures::families_headline(&self.report, self.weights, &self.linear)
    }

    /// What should not be, each in a sentence; under other weights it may be more.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        crate::lab::families::figures::families_warnings(&self.report, self.weights)
    }

    /// How much of the study there is, in words, while that is not all of it.
    #[must_use]
    pub fn provisional(&self) -> Option<String> {
        crate::lab::families::figures::families_provisional(&self.report)
    }

    /// When a difference counts as more than seed noise.
    #[must_use]
    pub fn criterion(&self) -> String {
        self.report.criterion.clone()
    }

    /// What `sfc-bench families --json` prints, once every method is finished.
    pub fn json(&self) -> Result<String, JsValue> {
        let text = self.report.to_json();
        text.map_err(|error| thrown("families.json", &error.to_string(), None))
    }

    pub(super) fn chart(&self, id: &str) -> Result<Chart, JsValue> {
        crate::lab::families::figures::families_figure(id, &self.report, self.weights, &self.kept)
            .ok_or_else(|| unknown(id))
    }

    pub(super) fn origin(&self) -> Origin<'_> {
        Origin { families: Some(&self.report.config), ..Origin::new(&self.settings, None) }
    }
}

figures!(FamiliesView, crate::lab::families::figures::FAMILIES_FIGURES);

/// The curve of a training, point by point.
#[wasm_bindgen]
#[derive(Default)]
pub struct TrainView {
    curve: Vec<Metrics>,
    /// What its files say that they are of.
    trained: Option<(TrainConfig, World)>,
    settings: Settings,
}

#[wasm_bindgen]
impl TrainView {
    /// An empty curve.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what is trained: only then can there be files of it.
    pub fn set_training(&mut self, config: JsValue, world: JsValue) -> Result<(), JsValue> {
        self.trained = Some((from_js("train", config)?, from_js("world", world)?));
        Ok(())
    }

    /// Takes what [`TrainSession::step`](super::TrainSession) returns.
    pub fn push(&mut self, metrics: JsValue) -> Result<(), JsValue> {
        self.curve.push(from_js("train", metrics)?);
        Ok(())
    }

    pub(super) fn chart(&self, id: &str) -> Result<Chart, JsValue> {
        crate::lab::families::figures::training_figure(id, &self.curve).ok_or_else(|| unknown(id))
    }

    pub(super) fn origin(&self) -> Result<Origin<'_>, JsValue> {
        let Some((config, world)) = &self.trained else {
            return Err(thrown("export.training", "nobody has said what is trained", None));
        };
        let training = Some(Training { config, world });
        Ok(Origin { training, ..Origin::new(&self.settings, None) })
    }
}

figures!(TrainView, crate::lab::families::figures::TRAINING_FIGURES);

/// The training that `state` is of, with the sample it was trained on.
fn resumed(state: JsValue, sample: &Sample) -> Result<Trainer, JsValue> {
    let state: State = from_js("state", state)?;
    Trainer::resume(state, &sample.activations).map_err(|error| train_failed(&error))
}

/// A trained autoencoder as a .zip of the folder that SAELens loads, which is named `name`, with the
/// `held` rows of its world that it was not trained on and what reads them out: all that an evaluation
/// takes. What is between is as [`TrainSession`](super::TrainSession) was given it.
#[wasm_bindgen]
pub fn train_folder(
    state: JsValue,
    world: JsValue,
    rows: usize,
    held: usize,
    drawn: JsValue,
    name: &str,
) -> Result<Uint8Array, JsValue> {
    let (sample, rest) = split_rows(world, rows, held, &drawn)?;
    let mut archive = Archive::new(name);
    let files = scorable(resumed(state, &sample)?.autoencoder(), &rest);
    for file in files.map_err(|error| train_failed(&error))? {
        let added = archive.add(file.name, &file.bytes);
        added.map_err(|error| thrown(error.code(), &error.to_string(), None))?;
    }
    Ok(Uint8Array::from(archive.finish().as_slice()))
}

/// A trained autoencoder and the `held` rows of its world that it was not trained on, as files that can
/// be scored: `[{name, bytes}]`.
#[wasm_bindgen]
pub fn train_files(
    state: JsValue,
    world: JsValue,
    rows: usize,
    held: usize,
    drawn: JsValue,
) -> Result<JsValue, JsValue> {
    let (trained, held) = split_rows(world, rows, held, &drawn)?;
    let files = scorable(resumed(state, &trained)?.autoencoder(), &held)
        .map_err(|error| train_failed(&error))?;
    let list = Array::new();
    for file in files {
        let one = Object::new();
        Reflect::set(&one, &"name".into(), &file.name.into())?;
        Reflect::set(&one, &"bytes".into(), &Uint8Array::from(file.bytes.as_slice()))?;
        list.push(&one);
    }
    Ok(list.into())
}

/// Measures a trained autoencoder on the `held` rows of its world that it was not trained on.
#[wasm_bindgen]
pub fn train_measured(
    state: JsValue,
    world: JsValue,
    rows: usize,
    held: usize,
    drawn: JsValue,
) -> Result<JsValue, JsValue> {
    let world: World = from_js("world", world)?;
    let mut config = FamiliesConfig { world, ..FamiliesConfig::small() };
    (config.train_rows, config.eval_rows) = (rows, held);
    // Nothing is trained here.
    config.methods = vec![Method::Svd];
    let drawn = drawn_from(&drawn)?;
    let runner = Runner::with(&config, drawn.as_ref()).map_err(|error| families_failed(&error))?;
    let trainer = resumed(state, runner.trained_on())?;
    let how = &trainer.state().config;
    let knob = if how.family.has_k() { how.k as f64 } else { how.sparsity };
    let job = crate::lab::families::Job { method: Method::of(how.family), knob, seed: how.seed };
    let found = runner.measure(&trainer.autoencoder(), job);
    to_js(&found.map_err(|error| families_failed(&error))?)
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::lab::families::gather;

    #[wasm_bindgen_test]
    fn a_study_shows_what_is_finished() {
        let mut config = FamiliesConfig::small();
        config.train.steps = 3;
        (config.ks, config.seeds) = (vec![2, 3], vec![0, 7]);
        config.methods = vec![Method::Svd, Method::TopK, Method::Random];
        let runner = Runner::new(&config).unwrap();
        let results: Vec<JobResult> =
            config.jobs().iter().map(|job| runner.run(job).unwrap()).collect();
        let mut view = FamiliesView::new(to_js(&config).unwrap()).unwrap();
        let mut finished = Vec::new();
        for result in results.iter().rev() {
            view.add(to_js(result).unwrap()).unwrap();
            finished.push(view.methods());
        }
        assert_eq!(finished, [0, 0, 0, 1, 1, 1, 1, 2, 2, 3]);
        assert!(!view.add(to_js(&results[0]).unwrap()).unwrap());
        let native = gather(&config, results.clone()).unwrap();
        assert_eq!(view.json().unwrap(), native.to_json().unwrap());
        let before = view.chart("fam-score").unwrap();
        view.set_weights(5.0, 1.0, 1.0).unwrap();
        assert_ne!(view.chart("fam-score").unwrap(), before);
        assert_eq!(view.chart("fam-hv").unwrap().body, {
            view.set_weights(1.0, 1.0, 1.0).unwrap();
            view.chart("fam-hv").unwrap().body
        });
        view.keep("mine", to_js(&results[1]).unwrap()).unwrap();
        assert_ne!(view.chart("fam-score").unwrap(), before);
        view.forget("mine");
        assert_eq!(view.chart("fam-score").unwrap(), before);
        for id in view.figure_ids() {
            assert!(!view.summary(&id).unwrap().is_empty());
        }
        assert!(view.title("fig1a").is_err());
    }
}
