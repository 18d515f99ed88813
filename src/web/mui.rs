//! The Model Utilization Index: its claims, and what of a measurement streams in.

use js_sys::{Float32Array, Function};
use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, js_error, report_progress, to_js};
use super::results::open_files;
use crate::model::{Parameters, Precision};
use crate::papers::mui::Settings;
use crate::papers::mui::claims::claims;
use crate::papers::mui::experiment::{Experiment, Experiments};
use crate::papers::mui::tables::derived_cells;
use crate::papers::mui::training::{TrainingRequest, TrainingSession, TrainingState, model_config};
use crate::papers::mui::user_files::{self, LawRow, UserLaw, UserResults, measure_files};

/// What the paper claims of its tables, and whether they say it: `[claim]`, in the paper's order.
#[wasm_bindgen]
pub fn mui_claims() -> Result<JsValue, JsValue> {
    to_js(&claims())
}

/// Every number that the paper prints and that follows from others, derived anew: `[derived]`, in the paper's order.
#[wasm_bindgen]
pub fn mui_tables() -> Result<JsValue, JsValue> {
    to_js(&derived_cells())
}

/// The law over a reader's own models, `[{model, accuracy, mui}]` with both in percent and names where there are any:
/// a `MuiOwnLaw`.
#[wasm_bindgen]
pub fn mui_law(rows: JsValue) -> Result<JsValue, JsValue> {
    let rows: Vec<LawRow> = from_js("rows", rows)?;
    to_js(&UserLaw::from_rows(rows).map_err(|error| failure_error(&error))?)
}

/// The trainings that settings ask for: `[{lessons, seed, control}]`, as [`MuiTrainer`] takes them.
#[wasm_bindgen]
pub fn mui_trainings(settings: JsValue) -> Result<JsValue, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    to_js(&TrainingRequest::from_settings(&settings))
}

/// Weights in a training's numbers as a `.safetensors` file, single precision, TransformerLens' names.
#[wasm_bindgen]
pub fn mui_weights(settings: JsValue, numbers: &[f32]) -> Result<Vec<u8>, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    let weights = Parameters::from_values(model_config(&settings), numbers)
        .ok_or_else(|| js_error("mui.numbers", "numbers are not those of this training", Some("numbers")))?;
    weights.to_safetensors(Precision::Single).map_err(|error| failure_error(&error))
}

/// A training, looked at as it goes. Blocks while it steps: for workers.
#[wasm_bindgen]
pub struct MuiTrainer(TrainingSession);

#[wasm_bindgen]
impl MuiTrainer {
    /// Begins.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: JsValue, wanted: JsValue) -> Result<Self, JsValue> {
        let settings: Settings = from_js("settings", settings)?;
        let wanted: TrainingRequest = from_js("training", wanted)?;
        TrainingSession::new(wanted, &settings).map(Self).map_err(|error| failure_error(&error))
    }

    /// Goes on from what [`state`](Self::state) and [`numbers`](Self::numbers) of the same training gave.
    pub fn resume(settings: JsValue, wanted: JsValue, state: JsValue, numbers: &[f32]) -> Result<Self, JsValue> {
        let settings: Settings = from_js("settings", settings)?;
        let wanted: TrainingRequest = from_js("training", wanted)?;
        let state: TrainingState = from_js("state", state)?;
        let session = TrainingSession::resume(wanted, &settings, state, numbers);
        let session = session.map_err(|error| failure_error(&error))?;
        session.map(Self).ok_or_else(|| js_error("mui.state", "state is of another training", Some("state")))
    }

    /// Takes up to so many steps, and gives what is seen where it is to be looked at: `{step, loss, tasks, fresh}`,
    /// or null.
    pub fn go(&mut self, steps: u32) -> Result<JsValue, JsValue> {
        to_js(&self.0.train_steps(steps).map_err(|error| failure_error(&error))?)
    }

    /// Whether all steps are taken and looked at.
    pub fn is_done(&self) -> bool {
        self.0.is_done()
    }

    /// How far it is: `{step, looked, loss}`.
    pub fn state(&self) -> Result<JsValue, JsValue> {
        to_js(&self.0.state())
    }

    /// Weights, and what the optimizer knows of each: three numbers a parameter.
    pub fn numbers(&self) -> Float32Array {
        Float32Array::from(self.0.state_values().as_slice())
    }
}

/// The names of the experiments on the toy model, in the page's order.
#[wasm_bindgen]
#[must_use]
pub fn mui_experiments() -> Vec<String> {
    experiment_names(&Experiment::ALL)
}

/// The names of those that a figure shows something of.
#[wasm_bindgen]
#[must_use]
pub fn mui_experiments_of(figure: &str) -> Vec<String> {
    experiment_names(&Experiment::for_figure(figure))
}

/// What the experiments that were done say of the paper's claims: `[judgement]`, in the page's order.
#[wasm_bindgen]
pub fn mui_judgements(experiments: JsValue) -> Result<JsValue, JsValue> {
    let experiments: Experiments = from_js("experiments", experiments)?;
    to_js(&experiments.judgements())
}

fn experiment_names(of: &[Experiment]) -> Vec<String> {
    of.iter().map(|which| which.name().to_owned()).collect()
}

/// The index of a reader's own models from the neurons that their answers use, or the law over a table of models: a
/// `MuiOwn`.
///
/// `files` is a list of `{name, size, read}`, where `read(offset, length)` returns the `Uint8Array` of that part
/// synchronously, as a worker can: files are read piece by piece and never held. `wanted` is a `MuiOwnWanted`.
/// `tell(file, part)` hears how far it is, from 0 to 1. Blocks: for workers.
#[wasm_bindgen]
pub fn mui_own(files: &JsValue, wanted: JsValue, tell: &Function) -> Result<JsValue, JsValue> {
    let opened = open_files(files)?;
    let wanted: user_files::OptionsDraft = from_js("wanted", wanted)?;
    let asked = wanted.validate().map_err(|problems| failure_error(&problems))?;
    let mut hear = |file: &str, part: f64| report_progress(tell, file, part);
    to_js(&measure_files(opened, &asked, &mut hear).map_err(|error| failure_error(&error))?)
}

/// What [`mui_own`] found as comma-separated values: the first of its tables, as the command line prints it.
#[wasm_bindgen]
pub fn mui_own_csv(found: JsValue) -> Result<String, JsValue> {
    let found: UserResults = from_js("found", found)?;
    Ok(found.tables().first().map(crate::study::user_file::Table::to_csv).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use js_sys::{Array, Object, Reflect, Uint8Array};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn file(name: &str, bytes: &[u8]) -> JsValue {
        let whole = Uint8Array::from(bytes);
        let read = Closure::<dyn Fn(f64, f64) -> Uint8Array>::new(move |at: f64, length: f64| {
            whole.slice(at as u32, (at + length) as u32)
        });
        let file = Object::new();
        let size = bytes.len() as f64;
        for (key, value) in [("name", name.into()), ("size", size.into()), ("read", read.into_js_value())] {
            Reflect::set(&file, &key.into(), &value).unwrap();
        }
        file.into()
    }

    fn get(value: &JsValue, key: &str) -> JsValue {
        Reflect::get(value, &key.into()).unwrap()
    }

    #[wasm_bindgen_test]
    fn files_are_read_by_parts() {
        let lines = b"{\"neurons\": [[0, 1], [1, 2]], \"correct\": true}\n[[0, 1]]\n";
        let wanted = || js_sys::JSON::parse(r#"{"layers": 2, "neurons": 4}"#).unwrap();
        let hear = Function::new_with_args("file, part", "globalThis.heard = part");
        let files = Array::of1(&file("a.jsonl", lines));
        let found = mui_own(&files, wanted(), &hear).unwrap();
        let first = Array::from(&get(&found, "files")).get(0);
        assert_eq!(get(&first, "mui").as_f64(), Some(0.25));
        assert_eq!(get(&first, "right").as_f64(), Some(1.0));
        assert_eq!(get(&js_sys::global(), "heard"), 1.0);
        let csv = mui_own_csv(found).unwrap();
        assert!(csv.starts_with("file,answers,layers,neurons") && csv.lines().count() == 2, "{csv}");

        let code = |error: JsValue| get(&error, "code").as_string().unwrap();
        let refused = mui_own(&files, Object::new().into(), &hear).unwrap_err();
        assert_eq!(code(refused), "given.missing");
        assert_eq!(code(mui_own(&"a".into(), wanted(), &hear).unwrap_err()), "given.malformed");
        let odd = js_sys::JSON::parse(r#"{"layers": 0.5}"#).unwrap();
        assert_eq!(code(mui_own(&files, odd, &hear).unwrap_err()), "settings.layers");
        let odd = js_sys::JSON::parse(r#"{"layers": "two"}"#).unwrap();
        assert_eq!(code(mui_own(&files, odd, &hear).unwrap_err()), "wanted.malformed");
        assert_eq!(code(mui_own_csv(Object::new().into()).unwrap_err()), "found.malformed");
    }

    #[wasm_bindgen_test]
    fn a_law_is_fitted_and_what_is_no_model_refused() {
        let of = |text: &str| mui_law(js_sys::JSON::parse(text).unwrap());
        let two = of(r#"[{"model": "a", "accuracy": 10, "mui": 20}, {"accuracy": 100, "mui": 5}]"#);
        let law = get(&two.unwrap(), "law");
        assert!((get(&law, "b").as_f64().unwrap() - 35.0).abs() < 1e-12);
        let code = |error: JsValue| get(&error, "code").as_string().unwrap();
        assert_eq!(code(of(r#"[{"accuracy": 0, "mui": 1}]"#).unwrap_err()), "given.value");
        assert_eq!(code(of(r#"[{"accuracy": 1}]"#).unwrap_err()), "rows.malformed");
        assert_eq!(code(of(r#"[{"accuracy": "1", "mui": 1}]"#).unwrap_err()), "rows.malformed");
    }

    #[wasm_bindgen_test]
    fn experiments_are_told_by_name_and_by_figure() {
        assert_eq!(mui_experiments().len(), Experiment::ALL.len());
        assert_eq!(mui_experiments_of("mui-parts"), ["diversity", "domains"]);
        assert_eq!(mui_experiments_of("mui-ways"), ["selection"]);
        assert!(mui_experiments_of("mui-law").is_empty());
    }
}
