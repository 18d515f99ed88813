//! Of models: how much of itself a model uses, and what its layers look like.

use super::{INFINITY, MetricResult, theory_metric};
use crate::Matrix;
use crate::lab::audit::model_subject::ModelSubject;
use crate::lab::audit::{AccessLevel, AnyMetricFn, Better, Metric};
use crate::papers::measurement::metric::safety_sve::{STABILITY_RUNS, SafetySve};
use crate::papers::measurement::metric::superposition::superposition;
use crate::papers::measurement::toy_model::{Contrast, compare_requests};
use crate::papers::measurement::validation::ReadingSource;
use crate::papers::mui::experiment::TaskMeans;
use crate::papers::mui::measure::MuiMeasurement;
use crate::papers::mui::metric::Reading;
use crate::statistics::MetricError;
use crate::toy_model::residual_stream::residual_stream_after;
use crate::toy_model::{self, ToyModelError};

const fn mui_metric(
    id: &'static str,
    name: &'static str,
    says: ReadingSource,
    better: Better,
    reach: (f64, f64),
    of: fn(&ModelSubject) -> MetricResult,
) -> Metric {
    let (measure, needs) = (AnyMetricFn::Model(of), AccessLevel::Model);
    Metric { id, paper: "mui", name, attribution: says, better, needs, condition: None, value_range: reach, measure }
}

/// They. Performance stands beside the index, which is read at a performance.
#[rustfmt::skip]
pub(super) const METRICS: &[Metric] = {
    use Better::{Higher, Lower};
    use ReadingSource::{Both, Code, Document};
    use AnyMetricFn::Model as Of;
    use AccessLevel::Model;
    const UNIT_RANGE: (f64, f64) = (0.0, 1.0);
    /// From percent, with an exponent below 1.
    const RATIO_RANGE: (f64, f64) = (0.0, INFINITY);
    &[
        mui_metric("mui.mui.document", "MUI", Document, Lower, UNIT_RANGE, |it| mui_mean(it, Reading::Document, |means| means.mui)),
        mui_metric("mui.mui.code", "MUI", Code, Lower, UNIT_RANGE, |it| mui_mean(it, Reading::Code, |means| means.mui)),
        mui_metric("mui.mui-correct", "MUI of right answers", Document, Lower, UNIT_RANGE, |it| mui_mean(it, Reading::Document, |means| means.mui_correct)),
        mui_metric("mui.pur.document", "PUR", Document, Higher, RATIO_RANGE, |it| mui_mean(it, Reading::Document, |means| means.pur)),
        mui_metric("mui.pur.code", "PUR", Code, Higher, RATIO_RANGE, |it| mui_mean(it, Reading::Code, |means| means.pur)),
        mui_metric("mui.performance", "performance", Both, Higher, UNIT_RANGE, |it| mui_mean(it, Reading::Document, |means| means.accuracy)),
        theory_metric("m13.packing", "M13 packing", ("m13", "packing_ratio"), Higher, Model, Of(packing_ratio)),
        theory_metric("m14.sve.code", "M14 SVE", ("m14", "sve_code"), Lower, Model, Of(|it| m14(it, |found| Some(found.sve_code)))),
        theory_metric("m14.sve.document", "M14 SVE", ("m14", "sve_document"), Lower, Model, Of(|it| m14(it, |found| Some(found.sve_document)))),
        theory_metric("m14.stability.code", "M14 stability", ("m14", "stability_code"), Higher, Model, Of(|it| m14(it, |found| found.stability_code))),
    ]
};

/// What answers to all tasks come to.
fn mui_mean(it: &ModelSubject, reading: Reading, of: fn(&TaskMeans) -> f64) -> MetricResult {
    let name = match reading {
        Reading::Document => "mui.document",
        Reading::Code => "mui.code",
    };
    // The code reads neurons in a second pass, where the word itself stands.
    let passes = match reading {
        Reading::Document => 1,
        Reading::Code => 2,
    };
    let found = it.memo().get_or_make(name, passes * it.prompts().count_prompts(), || {
        let settings = it.mui_settings(reading);
        let each = it.prompts().tasks.iter().map(|task| {
            let answers = it.measured_model().measure_answers(task, &settings)?;
            Ok(it.measured_model().summarise_answers(&answers))
        });
        let each: Result<Vec<MuiMeasurement>, ToyModelError> = each.collect();
        Ok::<_, ToyModelError>(TaskMeans::mean_over(&each?))
    })?;
    Ok(Some(of(&found)))
}

/// Of the layer that the toy model's autoencoders read, or the last of a model that has fewer.
fn packing_ratio(it: &ModelSubject) -> MetricResult {
    let model = it.measured_model().model();
    let config = *model.config();
    let layer = toy_model::AUTOENCODER_LAYER.min(config.layers.saturating_sub(1));
    let texts = &it.prompts().texts;
    it.memo().add_evaluations(texts.len() as u64);
    let rows = residual_stream_after(model, texts, layer)?;
    let rows = Matrix::from_f32(rows.len() / config.d_model.max(1), config.d_model, rows).map_err(MetricError::from)?;
    Ok(Some(superposition(&rows)?.packing_ratio))
}

/// Of unsafe requests against safe ones. Under another seed stability has other draws.
fn m14(it: &ModelSubject, of: fn(&SafetySve) -> Option<f64>) -> MetricResult {
    let asked = &it.prompts().requests;
    let found = it.memo().get_or_make("m14", asked.tokens.len() as u64, || {
        let first = STABILITY_RUNS * it.draw_seed() as usize;
        let drawn = first..first + STABILITY_RUNS;
        compare_requests(it.measured_model().model(), asked, Contrast::Unsafe, drawn)
    })?;
    Ok(of(&found))
}
