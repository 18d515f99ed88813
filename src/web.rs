//! What the page calls: the only module that speaks to JavaScript.
//!
//! A worker calls [`run`] and posts the report; the main thread hands the report to a [`View`] and
//! draws. Both instantiate the same module. Every refused value is thrown as a plain object with
//! `code` and `message`, and `field` where one is to blame.

use js_sys::Function;
use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use crate::config::{
    BIAS_SCALE, Draft, HIDDEN, INPUTS, LEVELS_MAX, NOISE, OUTPUTS, Problem, Problems, Range,
    SAMPLES, Settings, WEIGHT_SCALE,
};
use crate::metric::score::{PROFILES, WEIGHT_MAX, Weights};
use crate::plot::{self, Chart};
use crate::study::{self, Cell, Report, paper};
use crate::synth::{Preset, Shape};

/// What is thrown.
#[derive(Serialize)]
struct Thrown {
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

fn thrown(code: &str, message: &str, field: Option<&str>) -> JsValue {
    let thrown = Thrown {
        code: code.to_owned(),
        message: message.to_owned(),
        field: field.map(str::to_owned),
    };
    to_js(&thrown).unwrap_or_else(|error| error)
}

/// Plain objects rather than `Map`s, so that values look the same here and in JSON.
fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value
        .serialize(&Serializer::json_compatible())
        .map_err(|error| JsValue::from_str(&error.to_string()))
}

fn from_js<T: for<'de> Deserialize<'de>>(what: &str, value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|error| thrown(&format!("{what}.malformed"), &format!("{what}: {error}"), None))
}

/// A draft from a plain object. Each field is read by itself, so that one of another type, or one that
/// there is none of, is told by its name.
fn draft_from(value: &JsValue) -> Result<Draft, Problem> {
    let text = |value: &JsValue| {
        js_sys::JSON::stringify(value)
            .ok()
            .and_then(|text| text.as_string())
            .unwrap_or_else(|| format!("{value:?}"))
    };
    let Some(object) = js_sys::Object::try_from(value) else {
        return Err(Problem::new("settings", text(value), "an object"));
    };
    for entry in js_sys::Object::entries(object).iter() {
        let entry = js_sys::Array::from(&entry);
        let (key, value) = (entry.get(0), entry.get(1));
        let name = key.as_string().unwrap_or_default();
        if !Draft::FIELDS.contains(&name.as_str()) {
            return Err(Problem::new(&name, text(&value), Draft::FIELDS.join(", ")));
        }
        let alone = js_sys::Object::new();
        let set = js_sys::Reflect::set(&alone, &key, &value);
        if set.is_err() || serde_wasm_bindgen::from_value::<Draft>(alone.into()).is_err() {
            return Err(Problem::new(&name, text(&value), "a value of another type"));
        }
    }
    serde_wasm_bindgen::from_value(value.clone())
        .map_err(|error| Problem::new("settings", error.to_string(), "settings"))
}

/// The version of this crate.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The paper's settings.
#[wasm_bindgen]
pub fn defaults() -> Result<JsValue, JsValue> {
    to_js(&Settings::default())
}

/// Names and sizes of the configurations of Table 1.
#[wasm_bindgen]
pub fn presets() -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        label: &'static str,
        #[serde(flatten)]
        shape: Option<Shape>,
    }
    let rows: Vec<_> = Preset::TABLE_1
        .iter()
        .map(|preset| Row { name: preset.name(), label: preset.label(), shape: preset.shape() })
        .collect();
    to_js(&rows)
}

/// The seven weight profiles of Table 2; labels without the ratio, which the weights give.
#[wasm_bindgen]
pub fn profiles() -> Result<JsValue, JsValue> {
    let rows: Vec<_> = PROFILES
        .iter()
        .map(|profile| {
            let label = profile.label.split(" (").next();
            serde_json::json!({
                "name": profile.name,
                "label": label,
                "weights": profile.weights,
            })
        })
        .collect();
    to_js(&rows)
}

/// What each numeric field may hold.
#[wasm_bindgen]
pub fn limits() -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Limit {
        #[serde(flatten)]
        range: Range,
        allowed: String,
    }
    let ranges = [
        SAMPLES,
        INPUTS,
        HIDDEN,
        OUTPUTS,
        WEIGHT_SCALE,
        BIAS_SCALE,
        NOISE,
        Range::seed("model_seed"),
        Range::seed("data_seed"),
        Range::seed("completeness_seed"),
        // Both are bounded by the hidden width too, which the core checks.
        Range { field: "circuit", min: 1.0, ..HIDDEN },
        Range { field: "k", min: 1.0, ..HIDDEN },
        Range { field: "weights", min: 0.0, max: WEIGHT_MAX, whole: false },
        Range { field: "levels", min: 1.0, max: LEVELS_MAX as f64, whole: true },
    ];
    let limits: std::collections::BTreeMap<_, _> = ranges
        .into_iter()
        .map(|range| (range.field, Limit { allowed: range.allowed(), range }))
        .collect();
    to_js(&limits)
}

/// A seed from the browser's own randomness.
#[wasm_bindgen]
pub fn fresh_seed() -> Result<u32, JsValue> {
    use rand::TryRng;
    rand::rngs::SysRng
        .try_next_u32()
        .map_err(|error| thrown("random.unavailable", &error.to_string(), None))
}

/// Checks a draft: `{settings, problems}`, one of the two empty.
#[wasm_bindgen]
pub fn validate(draft: JsValue) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Checked {
        settings: Option<Settings>,
        problems: Vec<Problem>,
    }
    let parsed = draft_from(&draft).map_err(|problem| Problems(vec![problem]));
    to_js(&match parsed.and_then(|draft| draft.parse()) {
        Ok(settings) => Checked { settings: Some(settings), problems: vec![] },
        Err(problems) => Checked { settings: None, problems: problems.0 },
    })
}

/// Runs settings to a report, telling `on_progress(stage, fraction)`. Blocks: for workers.
#[wasm_bindgen]
pub fn run(settings: JsValue, on_progress: &Function) -> Result<JsValue, JsValue> {
    let parsed = draft_from(&settings).map_err(|problem| Problems(vec![problem]));
    let settings = parsed.and_then(|draft| draft.parse()).map_err(|problems| {
        let first = problems.0.first();
        thrown(
            first.map_or("settings", |problem| &problem.code),
            &problems.to_string(),
            first.map(|problem| problem.field.as_str()),
        )
    })?;
    let mut tell = |stage: &str, fraction: f64| {
        // A listener that throws has no say in the result.
        let _ = on_progress.call2(&JsValue::NULL, &stage.into(), &fraction.into());
    };
    let report = study::run(&settings, &mut tell)
        .map_err(|error| thrown(error.code(), &error.to_string(), error.field()))?;
    to_js(&report)
}

/// A report on screen, under live weights.
#[wasm_bindgen]
pub struct View {
    report: Report,
    cells: Vec<Cell>,
    weights: Weights,
}

#[wasm_bindgen]
impl View {
    /// Takes a report as [`run`] returns it.
    #[wasm_bindgen(constructor)]
    pub fn new(report: JsValue) -> Result<Self, JsValue> {
        let report: Report = from_js("report", report)?;
        Ok(Self { cells: paper::cells(&report), weights: report.settings.weights(), report })
    }

    /// Scores everything anew; nothing is run.
    pub fn set_weights(&mut self, alpha: f64, beta: f64, gamma: f64) -> Result<(), JsValue> {
        self.weights = Weights::new(alpha, beta, gamma)
            .map_err(|error| thrown("settings.weights", &error.to_string(), Some("weights")))?;
        study::rescore(&mut self.report, self.weights);
        Ok(())
    }

    /// The figures and tables there are.
    #[must_use]
    pub fn figure_ids(&self) -> Vec<String> {
        plot::FIGURES.iter().map(|id| (*id).to_owned()).collect()
    }

    fn chart(&self, id: &str) -> Result<Chart, JsValue> {
        plot::figure(id, &self.report, &self.cells, self.weights).ok_or_else(|| {
            thrown("figure.unknown", &format!("there is no figure {id:?}"), Some("id"))
        })
    }

    /// Height, in CSS pixels, that suits a figure of this width.
    pub fn preferred_height(&self, id: &str, css_width: f64) -> Result<f64, JsValue> {
        Ok(plot::preferred_height(&self.chart(id)?, css_width))
    }

    /// Draws a figure and returns its layout: where the data is, and the readouts.
    pub fn draw(
        &self,
        id: &str,
        canvas: &HtmlCanvasElement,
        css_width: f64,
        css_height: f64,
        dpr: f64,
        dark: bool,
    ) -> Result<JsValue, JsValue> {
        let chart = self.chart(id)?;
        let layout = plot::draw_on_canvas(&chart, canvas, css_width, css_height, dpr, dark)
            .map_err(|error| thrown("figure.draw", &error.to_string(), None))?;
        to_js(&layout)
    }

    /// The figure's data as a table.
    pub fn table(&self, id: &str) -> Result<JsValue, JsValue> {
        to_js(&self.chart(id)?.data_table())
    }

    /// The figure in one sentence.
    pub fn summary(&self, id: &str) -> Result<String, JsValue> {
        Ok(self.chart(id)?.summary)
    }

    /// The figure's title.
    pub fn title(&self, id: &str) -> Result<String, JsValue> {
        Ok(self.chart(id)?.title)
    }

    /// The figure's caption.
    pub fn caption(&self, id: &str) -> Result<String, JsValue> {
        Ok(self.chart(id)?.caption)
    }

    /// How many printed numbers agree, in numbers and in words.
    pub fn verdict(&self) -> Result<JsValue, JsValue> {
        to_js(&paper::verdict(&self.report, &self.cells))
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn problems(draft: &str) -> Vec<(String, String)> {
        #[derive(Deserialize)]
        struct Found {
            field: String,
            value: String,
        }
        #[derive(Deserialize)]
        struct Checked {
            problems: Vec<Found>,
        }
        let draft = js_sys::JSON::parse(draft).unwrap();
        let checked: Checked = serde_wasm_bindgen::from_value(validate(draft).unwrap()).unwrap();
        checked.problems.into_iter().map(|found| (found.field, found.value)).collect()
    }

    fn pair(field: &str, value: &str) -> (String, String) {
        (field.to_owned(), value.to_owned())
    }

    #[wasm_bindgen_test]
    fn drafts_are_refused_by_field() {
        assert!(problems("{}").is_empty());
        assert!(problems(r#"{"samples": 300, "levels": [0, 0.5]}"#).is_empty());
        assert_eq!(problems(r#"{"sampels": 300}"#), [pair("sampels", "300")]);
        assert_eq!(problems(r#"{"samples": "many"}"#), [pair("samples", "\"many\"")]);
        assert_eq!(problems(r#"{"weights": {"a": 1}}"#), [pair("weights", "{\"a\":1}")]);
        assert_eq!(problems("[1]"), [pair("0", "1")]);
        assert_eq!(problems("3"), [pair("settings", "3")]);
        assert_eq!(
            problems(r#"{"samples": 1, "hidden": 2.5}"#),
            [pair("hidden", "2.5"), pair("samples", "1")]
        );
    }

    #[wasm_bindgen_test]
    fn a_report_survives_the_way_through_javascript() {
        let settings = js_sys::JSON::parse(r#"{"samples": 200}"#).unwrap();
        let hear = Function::new_with_args("stage, part", "globalThis.heard = [stage, part]");
        let report = run(settings, &hear).unwrap();
        let heard = js_sys::Reflect::get(&js_sys::global(), &"heard".into()).unwrap();
        let stages = js_sys::Array::from(&heard);
        assert_eq!(stages.get(0), "done");
        assert_eq!(stages.get(1), 1.0);

        let native = Draft { samples: Some(200.0), ..Draft::default() }.parse().unwrap();
        let native = study::run(&native, &mut study::Silent).unwrap();
        let read: Report = serde_wasm_bindgen::from_value(report.clone()).unwrap();
        assert_eq!(read, native);

        let mut view = View::new(report).unwrap();
        view.set_weights(5.0, 1.0, 1.0).unwrap();
        assert_eq!(view.report.main.points[7].sfc, {
            let p = &native.main.points[7];
            PROFILES[1].weights.sfc(p.sparsity, p.fidelity, p.completeness)
        });
        assert!(view.set_weights(0.0, 0.0, 0.0).is_err());
        assert!(view.title("figure9").is_err());
        for id in view.figure_ids() {
            assert!(!view.summary(&id).unwrap().is_empty());
        }
    }
}
