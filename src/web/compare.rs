//! A pinned result beside the one on screen.

use wasm_bindgen::prelude::*;

use super::View;
use super::convert::from_js;
use crate::papers::sfc::{self, Report};
use crate::plot::Chart;

#[wasm_bindgen]
impl View {
    /// Pins a report as [`run`](super::run) returns it, under the weights of its settings: figures
    /// show it as a second layer, and those of `comparison_ids` are there.
    pub fn set_pinned(&mut self, report: JsValue) -> Result<(), JsValue> {
        let mut report: Report = from_js("report", report)?;
        let weights = report.settings.weights();
        sfc::rescore(&mut report, weights);
        self.pinned = Some(report);
        Ok(())
    }

    /// Unpins it.
    pub fn clear_pinned(&mut self) {
        self.pinned = None;
    }

    /// The figures of the comparison; none without a pinned result.
    #[must_use]
    pub fn comparison_ids(&self) -> Vec<String> {
        let ids =
            crate::lab::compare::figures::COMPARISONS.iter().filter(|_| self.pinned.is_some());
        ids.map(|id| (*id).to_owned()).collect()
    }

    /// The chart of an id with the pinned result in it, where there is one.
    pub(super) fn compared(&self, id: &str, chart: Option<Chart>) -> Option<Chart> {
        let Some(pinned) = &self.pinned else { return chart };
        match chart {
            Some(chart) => Some(crate::lab::compare::figures::beside(chart, pinned, &self.setting)),
            None => crate::lab::compare::figures::comparison(id, &self.report, pinned),
        }
    }
}

#[cfg(test)]
mod tests {
    use js_sys::{Function, JSON, Reflect};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::web::run;

    fn report(settings: &str) -> JsValue {
        run(JSON::parse(settings).unwrap(), &Function::new_no_args("")).unwrap()
    }

    #[wasm_bindgen_test]
    fn a_pinned_result_is_laid_over_and_taken_away() {
        let mut view = View::new(report(r#"{"samples": 200, "k": 20}"#)).unwrap();
        let alone = view.chart("fig1a").unwrap();
        assert!(view.comparison_ids().is_empty() && view.title("compare-score").is_err());
        let pinned = report(r#"{"samples": 200, "weights": [5, 1, 1]}"#);
        view.set_pinned(pinned.clone()).unwrap();
        assert_ne!(view.chart("fig1a").unwrap(), alone);
        for id in view.comparison_ids() {
            assert!(!view.summary(&id).unwrap().is_empty());
        }
        // What a report says of its scores is not believed.
        let main = Reflect::get(&pinned, &"main".into()).unwrap();
        let points = Reflect::get(&main, &"points".into()).unwrap();
        let point = Reflect::get_u32(&points, 0).unwrap();
        Reflect::set(&point, &"sfc".into(), &7.0.into()).unwrap();
        let before = view.chart("compare-score").unwrap();
        view.set_pinned(pinned).unwrap();
        assert_eq!(view.chart("compare-score").unwrap(), before);
        assert!(view.set_pinned(JsValue::NULL).is_err());
        view.clear_pinned();
        assert_eq!(view.chart("fig1a").unwrap(), alone);
    }
}
