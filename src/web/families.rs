//! What only a study of families does: take results while they come in; and the curve of one training.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

use super::StudyHandle;
use super::convert::{failure_error, from_js, to_js};
use super::files::{file_object, zip_files};
use super::train::{read_drawn_rows, split_rows};
use crate::lab::families::figures::{families_provisional_note, families_warnings};
use crate::lab::families::{FamiliesConfig, Method, Runner, StudyView, TrainingHistory, TrainingSetup};
use crate::sae::train::{Trainer, TrainerState, to_scorable_files};
use crate::synthetic::{Sample, World};

/// A study of families without results, to gather them as they come in. Takes a configuration as
/// [`families_preset`](super::families_preset) gives it.
#[wasm_bindgen]
pub fn gather_families(config: JsValue) -> Result<StudyHandle, JsValue> {
    let opened = StudyView::new(from_js("families", config)?);
    Ok(StudyHandle::new(opened.map_err(failure_error)?))
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// Takes a result as a [`FamiliesRunner`](super::FamiliesRunner) returns it, in any order; one
    /// that is there already is left out. It shows once its method has all of its results. Returns
    /// whether that is so.
    pub fn add_result(&mut self, result: JsValue) -> Result<bool, JsValue> {
        let result = from_js("results", result)?;
        self.downcast_mut::<StudyView>()?.add_result(result).map_err(failure_error)
    }

    /// Takes results of the same circuit read out by sums alone, for the sentence that compares.
    pub fn set_linear(&mut self, results: JsValue) -> Result<(), JsValue> {
        self.downcast_mut::<StudyView>()?.linear_results = from_js("results", results)?;
        Ok(())
    }

    /// Methods that are finished.
    pub fn methods(&self) -> Result<usize, JsValue> {
        Ok(self.downcast::<StudyView>()?.report().methods.len())
    }

    /// Shows an autoencoder of the reader's beside the families; one of the same name is replaced.
    pub fn keep(&mut self, name: &str, found: JsValue) -> Result<(), JsValue> {
        let found = from_js("results", found)?;
        self.downcast_mut::<StudyView>()?.add_user_member(name, found);
        Ok(())
    }

    /// Shows it no more.
    pub fn forget(&mut self, name: &str) -> Result<(), JsValue> {
        self.downcast_mut::<StudyView>()?.remove_user_member(name);
        Ok(())
    }

    /// What should not be, each in a sentence; under other weights it may be more.
    pub fn warnings(&self) -> Result<Vec<String>, JsValue> {
        let study = self.downcast::<StudyView>()?;
        Ok(families_warnings(study.report(), study.weights()))
    }

    /// How much of the study there is, in words, while that is not all of it.
    pub fn provisional(&self) -> Result<Option<String>, JsValue> {
        Ok(families_provisional_note(self.downcast::<StudyView>()?.report()))
    }
}

/// An empty curve of a training, as a study, to which its points are added as they come.
#[wasm_bindgen]
#[must_use]
pub fn gather_training() -> StudyHandle {
    StudyHandle::new(TrainingHistory::default())
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// Says what is trained: only then can there be files of it.
    pub fn set_training(&mut self, config: JsValue, world: JsValue) -> Result<(), JsValue> {
        let training = TrainingSetup { config: from_js("train", config)?, world: from_js("world", world)? };
        self.downcast_mut::<TrainingHistory>()?.training = Some(training);
        Ok(())
    }

    /// Takes what [`TrainSession::step`](super::TrainSession) returns.
    pub fn push(&mut self, metrics: JsValue) -> Result<(), JsValue> {
        let metrics = from_js("train", metrics)?;
        self.downcast_mut::<TrainingHistory>()?.curve.push(metrics);
        Ok(())
    }
}

/// The training that `state` is of, with the sample it was trained on.
fn resume_trainer(state: JsValue, sample: &Sample) -> Result<Trainer, JsValue> {
    let state: TrainerState = from_js("state", state)?;
    Trainer::resume(state, &sample.activations).map_err(|error| failure_error(&error))
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
    let files = to_scorable_files(resume_trainer(state, &sample)?.autoencoder(), &rest);
    let files = files.map_err(|error| failure_error(&error))?;
    zip_files(name, files.iter().map(|file| (file.name, &*file.bytes)))
}

/// A trained autoencoder and the `held` rows of its world that it was not trained on, as files that can
/// be scored: `[{name, bytes}]`.
#[wasm_bindgen]
pub fn train_files(state: JsValue, world: JsValue, rows: usize, held: usize, drawn: JsValue) -> Result<Array, JsValue> {
    let (trained, held) = split_rows(world, rows, held, &drawn)?;
    let files = to_scorable_files(resume_trainer(state, &trained)?.autoencoder(), &held)
        .map_err(|error| failure_error(&error))?;
    files.iter().map(|file| file_object(file.name, &file.bytes)).collect()
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
    let drawn = read_drawn_rows(&drawn)?;
    let runner = Runner::with_rows(&config, drawn.as_ref()).map_err(|error| failure_error(&error))?;
    let trainer = resume_trainer(state, runner.training_sample())?;
    let how = &trainer.state().config;
    let knob = if how.family.has_k() { how.k as f64 } else { how.sparsity };
    let job = crate::lab::families::Job { method: Method::from_family(how.family), knob, seed: how.seed };
    let found = runner.measure(&trainer.autoencoder(), job);
    to_js(&found.map_err(|error| failure_error(&error))?)
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::lab::families::{JobResult, build_report};

    #[wasm_bindgen_test]
    fn a_study_shows_what_is_finished() {
        let mut config = FamiliesConfig::small();
        config.train.steps = 3;
        (config.ks, config.seeds) = (vec![2, 3], vec![0, 7]);
        config.methods = vec![Method::Svd, Method::TopK, Method::Random];
        let runner = Runner::new(&config).unwrap();
        let results: Vec<JobResult> = config.jobs().iter().map(|job| runner.run(job).unwrap()).collect();
        let mut view = gather_families(to_js(&config).unwrap()).unwrap();
        let mut finished = Vec::new();
        for result in results.iter().rev() {
            view.add_result(to_js(result).unwrap()).unwrap();
            finished.push(view.methods().unwrap());
        }
        assert_eq!(finished, [0, 0, 0, 1, 1, 1, 1, 2, 2, 3]);
        assert!(!view.add_result(to_js(&results[0]).unwrap()).unwrap());
        let native = build_report(&config, results.clone()).unwrap();
        assert_eq!(view.json().unwrap(), native.to_json().unwrap());
        let before = view.chart("fam-score").unwrap();
        view.set_weights(5.0, 1.0, 1.0).unwrap();
        assert_ne!(view.chart("fam-score").unwrap(), before);
        assert_eq!(view.chart("fam-hv").unwrap().body, {
            view.set_weights(1.0, 1.0, 1.0).unwrap();
            view.chart("fam-hv").unwrap().body.clone()
        });
        view.keep("mine", to_js(&results[1]).unwrap()).unwrap();
        assert_ne!(view.chart("fam-score").unwrap(), before);
        view.forget("mine").unwrap();
        assert_eq!(view.chart("fam-score").unwrap(), before);
        for figure in view.opened.figures() {
            assert!(!view.summary(figure.id).unwrap().is_empty());
        }
        assert!(view.title("fig1a").is_err());
    }
}
