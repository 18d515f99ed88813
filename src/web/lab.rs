//! What only the paper's study does: the map of weights, the Pareto front from every side, a pinned
//! result beside the one on screen.

use wasm_bindgen::prelude::*;

use super::StudyHandle;
use super::convert::{failure_error, from_js, js_error, to_js};
use crate::lab::compare;
use crate::papers::sfc::{figures, parse_weights};
use crate::pareto::{ParetoError, TieRule};
use crate::plot::Triangle;

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// What counts as a tie on the front: "exact", "printed" (three decimals), or "within"
    /// `tolerance`, which the others ignore.
    pub fn set_ties(&mut self, mode: &str, tolerance: f64) -> Result<(), JsValue> {
        let ties = match mode {
            "exact" => TieRule::Exact,
            "printed" => TieRule::Printed,
            "within" if tolerance.is_finite() && tolerance >= 0.0 => TieRule::Within(tolerance),
            "within" => {
                let error = ParetoError::Tolerance { value: tolerance };
                return Err(js_error(error.code(), &error.to_string(), Some("tolerance")));
            }
            _ => {
                let message = format!("{mode:?} is no rule for ties: exact, printed or within");
                return Err(js_error("pareto.ties", &message, Some("ties")));
            }
        };
        self.paper_study_mut()?.setting.ties = ties;
        Ok(())
    }

    /// Where the boxes are seen from: degrees around C, and above the S–F plane (0 to 90).
    pub fn set_rotation(&mut self, yaw: f64, pitch: f64) -> Result<(), JsValue> {
        if !(yaw.is_finite() && pitch.is_finite()) {
            let message = format!("a view from {yaw}°, {pitch}° is none");
            return Err(js_error("pareto.rotation", &message, Some("rotation")));
        }
        let setting = &mut self.paper_study_mut()?.setting;
        setting.yaw = yaw.rem_euclid(360.0);
        setting.pitch = pitch.clamp(0.0, 90.0);
        Ok(())
    }

    /// The weights, with sum 1, at the place of the map that is nearest to (x, y), in CSS pixels on
    /// a drawing of that size.
    #[must_use]
    pub fn simplex_at(&self, x: f64, y: f64, css_width: f64, css_height: f64) -> Vec<f64> {
        Triangle::fit_within(css_width, css_height).weights_at_point(x, y).to_vec()
    }

    /// Where weights are on the map, in CSS pixels on a drawing of that size: `[x, y]`.
    pub fn simplex_point(
        &self,
        alpha: f64,
        beta: f64,
        gamma: f64,
        css_width: f64,
        css_height: f64,
    ) -> Result<Vec<f64>, JsValue> {
        let weights = parse_weights([alpha, beta, gamma]).map_err(failure_error)?;
        let (x, y) = Triangle::fit_within(css_width, css_height).point_at_weights(weights.values());
        Ok(vec![x, y])
    }

    /// Who wins under the weights in use, by how much, and the nearest weights with another winner.
    pub fn flip_sentence(&self) -> Result<String, JsValue> {
        let paper = self.paper_study()?;
        Ok(figures::describe_flip(&paper.report, paper.weights))
    }

    /// The report, scored under the weights in use.
    pub fn rescored(&self) -> Result<JsValue, JsValue> {
        to_js(&self.paper_study()?.report)
    }

    /// Every printed number of the paper beside the report's.
    pub fn printed_cells(&self) -> Result<JsValue, JsValue> {
        to_js(&self.paper_study()?.cells)
    }

    /// Pins a report as [`run`](super::run) returns it to a "comparison", under the weights of its
    /// settings: figures show it as a second layer, and there are more of them.
    pub fn set_pinned(&mut self, report: JsValue) -> Result<(), JsValue> {
        let report = from_js("report", report)?;
        self.downcast_mut::<compare::StudyView>()?.pin(Some(report));
        Ok(())
    }

    /// Unpins it.
    pub fn clear_pinned(&mut self) -> Result<(), JsValue> {
        self.downcast_mut::<compare::StudyView>()?.pin(None);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use js_sys::{Function, JSON, Reflect};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::web::run;

    #[wasm_bindgen_test]
    fn instruments_answer_and_refuse() {
        let settings = js_sys::JSON::parse(r#"{"samples": 200}"#).unwrap();
        let report = run(settings, &js_sys::Function::new_no_args("")).unwrap();
        let mut view = StudyHandle::open("sfc", report).unwrap();
        let figures = view.opened.figures();
        for figure in figures.iter().filter(|figure| ["map", "fronts"].contains(&figure.section)) {
            let id = figure.id;
            assert!(!view.summary(id).unwrap().is_empty());
            assert!(view.preferred_height(id, 340.0).unwrap() > 80.0);
            assert!(view.table(id).is_ok());
        }
        let place = view.simplex_point(2.0, 1.0, 1.0, 640.0, 560.0).unwrap();
        let back = view.simplex_at(place[0], place[1], 640.0, 560.0);
        assert!(back.iter().zip([0.5, 0.25, 0.25]).all(|(a, b)| (a - b).abs() < 1e-12));
        assert!(view.simplex_point(0.0, 0.0, 0.0, 640.0, 560.0).is_err());
        assert!(view.flip_sentence().unwrap().starts_with("Under 1:1:1, λ = "));

        let exact = view.summary("pareto-table").unwrap();
        view.set_ties("within", 0.05).unwrap();
        assert_ne!(view.summary("pareto-table").unwrap(), exact);
        for (mode, tolerance) in [("within", -1.0), ("within", f64::NAN), ("near", 0.0)] {
            assert!(view.set_ties(mode, tolerance).is_err());
        }
        assert!(view.set_rotation(-30.0, 400.0).is_ok());
        assert!(view.set_rotation(f64::NAN, 0.0).is_err());
    }

    fn report(settings: &str) -> JsValue {
        run(JSON::parse(settings).unwrap(), &Function::new_no_args("")).unwrap()
    }

    #[wasm_bindgen_test]
    fn a_pinned_result_is_laid_over_and_taken_away() {
        let both = js_sys::Object::new();
        Reflect::set(&both, &"now".into(), &report(r#"{"samples": 200, "k": 20}"#)).unwrap();
        let mut view = StudyHandle::open("comparison", both.into()).unwrap();
        let ids = |view: &StudyHandle| {
            let figures = view.opened.figures().into_iter();
            let own = figures.filter(|figure| figure.section == "compare");
            own.map(|figure| figure.id).collect::<Vec<_>>()
        };
        let alone = view.chart("fig1a").unwrap();
        assert!(ids(&view).is_empty() && view.title("compare-score").is_err());
        let pinned = report(r#"{"samples": 200, "weights": [5, 1, 1]}"#);
        view.set_pinned(pinned.clone()).unwrap();
        assert_ne!(view.chart("fig1a").unwrap(), alone);
        assert_eq!(ids(&view).len(), 4);
        for id in ids(&view) {
            assert!(!view.summary(id).unwrap().is_empty());
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
        view.clear_pinned().unwrap();
        assert_eq!(view.chart("fig1a").unwrap(), alone);
    }
}
