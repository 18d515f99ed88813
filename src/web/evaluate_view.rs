//! What only a reader's own decomposition does: read its axes otherwise.

use js_sys::{Array, Reflect, Uint8Array};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use super::StudyHandle;
use super::convert::{from_js, js_error, to_js};
use super::files::{file_object, zip_files};
use crate::lab::Reading;
use crate::lab::evaluate::{self, StudyView, Variance};
use crate::papers::sfc::metric::fidelity::FidelityMode;

/// How the axes are read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AxisReadings {
    fidelity: FidelityMode,
    completeness: Option<Reading>,
    variance: Variance,
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// Has the score take other forms of F and C: `{fidelity, completeness, variance}`, as in the
    /// options of an evaluation.
    pub fn set_axes(&mut self, axes: JsValue) -> Result<(), JsValue> {
        let AxisReadings { fidelity, completeness, variance } = from_js("axes", axes)?;
        let report = &mut self.downcast_mut::<StudyView>()?.report;
        report.rescore(report.weights, fidelity, completeness, variance);
        Ok(())
    }

    /// The report under the weights and readings of the moment, as `evaluate --json` prints it.
    pub fn report(&self) -> Result<JsValue, JsValue> {
        to_js(&self.downcast::<StudyView>()?.report)
    }
}

/// Files to try an evaluation with: `[{role, name, bytes}]`, `role` being a key of what
/// [`OwnFiles::plan`](super::OwnFiles::plan) takes and `bytes` a `Uint8Array`.
#[wasm_bindgen]
pub fn evaluate_example() -> Result<Array, JsValue> {
    let of = |file: &evaluate::ExampleFile| {
        let object = file_object(file.name, &file.bytes)?;
        Reflect::set(&object, &"role".into(), &file.role.into())?;
        Ok(object)
    };
    example_files()?.iter().map(of).collect()
}

/// The same files in a .zip, for a reader to keep: what the example's program reads.
#[wasm_bindgen]
pub fn evaluate_example_zip() -> Result<Uint8Array, JsValue> {
    let files = example_files()?;
    zip_files("sfc-bench-example", files.iter().map(|file| (file.name, &*file.bytes)))
}

fn example_files() -> Result<Vec<evaluate::ExampleFile>, JsValue> {
    evaluate::example_files().map_err(|error| js_error(error.code(), &error.to_string(), None))
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::web::OwnFiles;

    fn js(text: &str) -> JsValue {
        js_sys::JSON::parse(text).unwrap()
    }

    fn get(value: &JsValue, key: &str) -> JsValue {
        Reflect::get(value, &key.into()).unwrap()
    }

    #[wasm_bindgen_test]
    fn the_example_becomes_figures_and_files() {
        let mut files = OwnFiles::new(None);
        let request = js(r#"{"options": {}}"#);
        for file in evaluate_example().unwrap().iter() {
            let name = get(&file, "name").as_string().unwrap();
            files.add(&name, get(&file, "bytes").unchecked_into()).unwrap();
            let choice = js_sys::Object::new();
            Reflect::set(&choice, &"file".into(), &name.into()).unwrap();
            Reflect::set(&request, &get(&file, "role"), &choice).unwrap();
        }
        let mut run = files.plan(request).unwrap();
        while get(&run.step().unwrap(), "phase").as_string().as_deref() != Some("done") {}
        let report = run.finish(false).unwrap();

        let mut view = StudyHandle::open("own", report).unwrap();
        let before = get(&view.report().unwrap(), "sfc").as_f64().unwrap();
        for figure in view.opened.figures() {
            let id = figure.id;
            assert!(view.preferred_height(id, 340.0).unwrap() > 80.0);
            assert!(view.export_text(id, "svg", 640.0, true).unwrap().contains("<svg"));
            assert!(view.export_text(id, "json", 640.0, false).unwrap().contains("\"report\""));
            assert_eq!(view.is_table(id).unwrap(), id == "own-measures");
        }
        view.set_weights(0.0, 0.0, 1.0).unwrap();
        let after = get(&view.report().unwrap(), "sfc").as_f64().unwrap();
        assert!(after > before && after > 0.97, "{after}");
        view.set_axes(js(r#"{"fidelity": "r2", "completeness": "reconstruction", "variance": "grand"}"#)).unwrap();
        assert_ne!(get(&view.report().unwrap(), "sfc").as_f64().unwrap(), after);

        assert!(view.set_weights(0.0, 0.0, 0.0).is_err());
        assert!(view.set_axes(js(r#"{"fidelity": "r3"}"#)).is_err());
        assert!(view.title("fig1a").is_err() && view.export_text("own-score", "doc", 9.0, true).is_err());
        assert!(StudyHandle::open("own", JsValue::NULL).is_err());
    }
}
