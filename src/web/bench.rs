//! The core's own speed, for a worker to measure and the page to draw.
//!
//! Nothing here reads a clock: JavaScript does, and asks for as many repeats as its clock is coarse.

use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, js_error, parse_settings, to_js};
use super::study::impl_chart_methods;
use crate::io::ReadAt;
use crate::kernel::cases::{CASES, Case, Implementation, Workload as KernelWorkload};
use crate::kernel::quantized::QuantizedRows;
use crate::kernel::single_precision;
use crate::lab::families::BarChartSpec;
use crate::model::{Batch, LanguageModel, ModelError, ModelFiles};
use crate::object;
use crate::papers::sfc::{self, NoProgress, Stage, StagedCurve, printed};
use crate::plot::Chart;
use crate::statistics::Quantiles;
use crate::study::Failure;
use crate::toy_model::ToyModelError;
use crate::toy_model::workload::Workload;
use crate::{NumpyRng, Settings};

/// The kernels at the sizes there are to measure: `[{kernel, sizes, flops}]`.
#[wasm_bindgen]
pub fn kernel_cases() -> Result<JsValue, JsValue> {
    let row = |case: &Case| object! { kernel: case.kernel, sizes: case.describe_sizes(), flops: case.flops() };
    to_js(&CASES.iter().map(row).collect::<Vec<_>>())
}

/// The lower quartile, the median and the upper quartile of measurements; nothing where there are
/// none.
#[wasm_bindgen]
#[must_use]
pub fn quartiles(samples: &[f64]) -> Vec<f64> {
    let found = Quantiles::new(samples)
        .and_then(|samples| [0.25, 0.5, 0.75].into_iter().map(|share| samples.at(share)).collect());
    found.unwrap_or_default()
}

/// One of [`kernel_cases`] with numbers to work on.
#[wasm_bindgen]
pub struct KernelBench(KernelWorkload);

#[wasm_bindgen]
impl KernelBench {
    /// Prepares the case of that index.
    #[wasm_bindgen(constructor)]
    pub fn new(index: usize) -> Result<Self, JsValue> {
        let case = CASES.get(index).ok_or_else(|| unknown_error("kernel", index))?;
        Ok(Self(KernelWorkload::new(*case)))
    }

    /// Computes it `repeats` times, in SIMD as runs do or by the plain specification, and returns a
    /// checksum of the result: the same for both.
    pub fn run(&mut self, simd: bool, repeats: u32) -> f64 {
        self.0.run(if simd { Implementation::Active } else { Implementation::Scalar }, repeats)
    }
}

/// The toy model at [its work](Workload); its checkpoint must have been given.
#[wasm_bindgen]
pub struct LittleBench(Workload);

#[wasm_bindgen]
impl LittleBench {
    /// Lays out model, prompts and texts.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Self, JsValue> {
        Workload::new().map(Self).map_err(|error| failure_error(&error))
    }

    /// Computes the logits after every position of all prompts; returns their sum.
    pub fn forward(&self) -> Result<f64, JsValue> {
        self.0.forward().map_err(|error| failure_error(ToyModelError::from(error)))
    }

    /// Takes a step of training; returns the loss before it.
    pub fn train(&mut self) -> Result<f64, JsValue> {
        self.0.train().map_err(|error| failure_error(ToyModelError::from(error)))
    }

    /// Multiplies and adds in registers alone; returns how many multiplications and additions that were.
    #[must_use]
    pub fn peak(rounds: u32) -> f64 {
        black_box_result(&single_precision::run_peak_workload(rounds));
        f64::from(rounds) * single_precision::PEAK_FLOPS_PER_ROUND
    }
}

/// A language model and texts to run it on.
#[wasm_bindgen]
pub struct LanguageModelBench {
    model: LanguageModel,
    batch: Batch,
}

#[wasm_bindgen]
impl LanguageModelBench {
    /// Reads a model's two files, and texts as JSON: a list of lists of tokens, all of one length.
    #[wasm_bindgen(constructor)]
    pub fn new(config: Vec<u8>, weights: Vec<u8>, texts: &str) -> Result<Self, JsValue> {
        let cap = 2 * weights.len() as u64;
        let files: Vec<(String, Box<dyn ReadAt>)> =
            vec![("config.json".to_owned(), Box::new(config)), ("model.safetensors".to_owned(), Box::new(weights))];
        let read = ModelFiles::open(files, cap).and_then(|found| found.read(cap));
        let texts: Vec<Vec<u32>> = serde_json::from_str(texts)
            .map_err(|error| js_error("bench.texts", &format!("texts: {error}"), Some("texts")))?;
        let refused = |error: ModelError| failure_error(ToyModelError::from(error));
        Ok(Self { model: read.map_err(refused)?, batch: Batch::new(&texts).map_err(refused)? })
    }

    /// Computes the logits after every position of all texts; returns their sum.
    pub fn forward(&self) -> Result<f64, JsValue> {
        let mut sum = 0.0;
        let add = |_: usize, logits: &[f32]| sum += logits.iter().copied().map(f64::from).sum::<f64>();
        let done = self.model.decoder().for_each_logits(&self.batch, &mut (), add);
        done.map_err(|error| failure_error(ToyModelError::from(error)))?;
        Ok(sum)
    }
}

/// Rough products of 64 rows of 768 entries with 24,576, as of a large autoencoder's codes.
#[wasm_bindgen]
pub struct RoughBench {
    a: QuantizedRows,
    b: QuantizedRows,
    out: Vec<i32>,
}

impl Default for RoughBench {
    fn default() -> Self {
        Self::new()
    }
}

#[wasm_bindgen]
impl RoughBench {
    /// Rounds the rows.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        const ROWS: usize = 64;
        const COLS: usize = 24_576;
        const DEPTH: usize = 768;
        let mut rng = NumpyRng::new(1);
        let mut rows = |count: usize| {
            let values: Vec<f64> = (0..count * DEPTH).map(|_| rng.random_sample() - 0.5).collect();
            QuantizedRows::from_rows(&values, DEPTH)
        };
        Self { a: rows(ROWS), b: rows(COLS), out: vec![0; ROWS * COLS] }
    }

    /// Computes them all; returns how many multiplications and additions that were.
    pub fn products(&mut self) -> f64 {
        self.a.products(&self.b, &mut self.out);
        black_box_result(&self.out);
        2.0 * self.out.len() as f64 * 768.0
    }
}

/// What [`StageBench`] can run beside the stages of a curve.
const WHOLE_RUNS: [&str; 2] = ["level curve", "whole paper"];

/// The stages of one run, each by itself.
#[wasm_bindgen]
pub struct StageBench {
    settings: Settings,
    stages: StagedCurve,
}

#[wasm_bindgen]
impl StageBench {
    /// Runs every stage of the level curve once.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: JsValue) -> Result<Self, JsValue> {
        let settings = parse_settings(&settings).map_err(|problems| failure_error(&problems))?;
        let stages = StagedCurve::new(settings.clone()).map_err(failure_error)?;
        Ok(Self { settings, stages })
    }

    /// The stages of a level curve in the order they run, then the whole curve, and everything the
    /// page shows with its comparison with the paper.
    #[must_use]
    pub fn names() -> Vec<String> {
        Stage::ALL.iter().map(|stage| stage.name()).chain(WHOLE_RUNS).map(str::to_owned).collect()
    }

    /// How many of [`names`](Self::names) are stages.
    #[must_use]
    pub fn stage_count() -> usize {
        Stage::ALL.len()
    }

    /// Runs what has that index among the names, `repeats` times.
    pub fn run(&mut self, index: usize, repeats: u32) -> Result<(), JsValue> {
        for _ in 0..repeats {
            let outcome = match (Stage::ALL.get(index), index.checked_sub(Stage::ALL.len())) {
                (Some(stage), _) => self.stages.run(*stage),
                (None, Some(0)) => {
                    sfc::compute_curve(&self.settings, &mut NoProgress).map(|curve| black_box_result(&curve))
                }
                (None, Some(1)) => sfc::run(&self.settings, &mut NoProgress)
                    .map(|report| black_box_result(&printed::compare_cells(&report))),
                _ => return Err(unknown_error("stage", index)),
            };
            outcome.map_err(failure_error)?;
        }
        Ok(())
    }
}

/// Has the compiler believe that a result is read.
fn black_box_result<T>(result: &T) {
    std::hint::black_box(result);
}

fn unknown_error(what: &str, index: usize) -> JsValue {
    js_error("bench.unknown", &format!("there is no {what} {index}"), None)
}

/// Measurements on screen, with those methods of a [`StudyHandle`](super::StudyHandle) that draw.
#[wasm_bindgen]
pub struct BenchView(Vec<Chart>);

#[wasm_bindgen]
impl BenchView {
    /// Takes a list of measurements to draw as bars, see [`Measured`].
    #[wasm_bindgen(constructor)]
    pub fn new(measured: JsValue) -> Result<Self, JsValue> {
        let measured: Vec<BarChartSpec> = from_js("measurements", measured)?;
        Ok(Self(measured.into_iter().map(BarChartSpec::into_chart).collect()))
    }

    fn chart(&self, id: &str) -> Result<&Chart, JsValue> {
        let found = self.0.iter().find(|chart| chart.id == id);
        found.ok_or_else(|| failure_error(Failure::unknown_figure(id)))
    }
}

impl_chart_methods!(BenchView as BenchView);

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    fn every_kernel_gives_one_checksum_by_both_paths() {
        for index in 0..CASES.len() {
            let mut bench = KernelBench::new(index).unwrap();
            let plain = bench.run(false, 1);
            assert!(plain.is_finite() && plain != 0.0);
            assert_eq!(bench.run(true, 2).to_bits(), plain.to_bits());
        }
        assert!(KernelBench::new(CASES.len()).is_err());
    }

    #[wasm_bindgen_test]
    fn the_little_model_works_once_it_is_here() {
        let bytes = include_bytes!("../../assets/little/ck-12000.safetensors");
        crate::toy_model::provide_file("ck-12000", bytes.to_vec()).unwrap();
        let mut bench = LittleBench::new().unwrap();
        let loss = bench.train().unwrap();
        assert!(bench.train().unwrap() < loss);
        assert_eq!(LittleBench::peak(10), 960.0);
    }

    #[wasm_bindgen_test]
    fn quartiles_are_numpys() {
        // numpy.quantile([7, 1, 4, 2], q) for q = 0.25, 0.5, 0.75
        assert_eq!(quartiles(&[7.0, 1.0, 4.0, 2.0]), [1.75, 3.0, 4.75]);
        assert_eq!(quartiles(&[3.0]), [3.0; 3]);
        assert!(quartiles(&[]).is_empty());
        assert!(quartiles(&[1.0, f64::INFINITY]).is_empty());
    }

    #[wasm_bindgen_test]
    fn every_named_stage_runs_and_no_other() {
        let settings = js_sys::JSON::parse(r#"{"samples": 200}"#).unwrap();
        let mut bench = StageBench::new(settings).unwrap();
        let names = StageBench::names();
        for index in 0..names.len() {
            bench.run(index, 1).unwrap();
        }
        assert!(bench.run(names.len(), 1).is_err());
        assert!(StageBench::new(js_sys::JSON::parse(r#"{"samples": 1}"#).unwrap()).is_err());
    }

    #[wasm_bindgen_test]
    fn measurements_are_read_as_the_page_writes_them() {
        let measured = js_sys::JSON::parse(
            r#"[{"id": "a", "title": "A", "summary": "", "caption": "", "x_title": "", "y_title": "ms",
                "groups": [["one", null], ["two", "2"]],
                "series": [{"name": "time", "values": [1.5, null]}]}]"#,
        )
        .unwrap();
        let view = BenchView::new(measured).unwrap();
        assert_eq!(view.title("a").unwrap(), "A");
        assert!(view.preferred_height("a", 400.0).unwrap() > 100.0);
        assert!(view.title("b").is_err());
        assert!(BenchView::new(JsValue::from_f64(1.0)).is_err());
    }
}
