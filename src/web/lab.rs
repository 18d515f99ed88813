//! The instruments of the page: the map of weights, and the Pareto front from every side.

use wasm_bindgen::prelude::*;

use super::View;
use super::convert::{thrown, weights_of};
use crate::pareto::{ParetoError, Ties};
use crate::plot::Triangle;

#[wasm_bindgen]
impl View {
    /// The figures of the instruments.
    #[must_use]
    pub fn instrument_ids(&self) -> Vec<String> {
        crate::papers::sfc::figures::INSTRUMENTS.iter().map(|id| (*id).to_owned()).collect()
    }

    /// What counts as a tie on the front: "exact", "printed" (three decimals), or "within"
    /// `tolerance`, which the others ignore.
    pub fn set_ties(&mut self, mode: &str, tolerance: f64) -> Result<(), JsValue> {
        self.setting.ties = match mode {
            "exact" => Ties::Exact,
            "printed" => Ties::Printed,
            "within" if tolerance.is_finite() && tolerance >= 0.0 => Ties::Within(tolerance),
            "within" => {
                let error = ParetoError::Tolerance { value: tolerance };
                return Err(thrown(error.code(), &error.to_string(), Some("tolerance")));
            }
            _ => {
                let message = format!("{mode:?} is no rule for ties: exact, printed or within");
                return Err(thrown("pareto.ties", &message, Some("ties")));
            }
        };
        Ok(())
    }

    /// Where the boxes are seen from: degrees around C, and above the S–F plane (0 to 90).
    pub fn set_rotation(&mut self, yaw: f64, pitch: f64) -> Result<(), JsValue> {
        if !(yaw.is_finite() && pitch.is_finite()) {
            let message = format!("a view from {yaw}°, {pitch}° is none");
            return Err(thrown("pareto.rotation", &message, Some("rotation")));
        }
        self.setting.yaw = yaw.rem_euclid(360.0);
        self.setting.pitch = pitch.clamp(0.0, 90.0);
        Ok(())
    }

    /// The weights, with sum 1, at the place of the map that is nearest to (x, y), in CSS pixels on
    /// a drawing of that size.
    #[must_use]
    pub fn simplex_at(&self, x: f64, y: f64, css_width: f64, css_height: f64) -> Vec<f64> {
        Triangle::within(css_width, css_height).weights(x, y).to_vec()
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
        let weights = weights_of(alpha, beta, gamma)?;
        let (x, y) = Triangle::within(css_width, css_height).at(weights.values());
        Ok(vec![x, y])
    }

    /// Who wins under the weights in use, by how much, and the nearest weights with another winner.
    #[must_use]
    pub fn flip_sentence(&self) -> String {
        crate::papers::sfc::figures::flip_sentence(&self.report, self.weights)
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::web::run;

    #[wasm_bindgen_test]
    fn instruments_answer_and_refuse() {
        let settings = js_sys::JSON::parse(r#"{"samples": 200}"#).unwrap();
        let report = run(settings, &js_sys::Function::new_no_args("")).unwrap();
        let mut view = View::new(report).unwrap();
        for id in view.instrument_ids() {
            assert!(!view.summary(&id).unwrap().is_empty());
            assert!(view.preferred_height(&id, 340.0).unwrap() > 80.0);
            assert!(view.table(&id).is_ok());
        }
        let place = view.simplex_point(2.0, 1.0, 1.0, 640.0, 560.0).unwrap();
        let back = view.simplex_at(place[0], place[1], 640.0, 560.0);
        assert!(back.iter().zip([0.5, 0.25, 0.25]).all(|(a, b)| (a - b).abs() < 1e-12));
        assert!(view.simplex_point(0.0, 0.0, 0.0, 640.0, 560.0).is_err());
        assert!(view.flip_sentence().starts_with("Under 1:1:1, λ = "));

        let exact = view.summary("pareto-table").unwrap();
        view.set_ties("within", 0.05).unwrap();
        assert_ne!(view.summary("pareto-table").unwrap(), exact);
        for (mode, tolerance) in [("within", -1.0), ("within", f64::NAN), ("near", 0.0)] {
            assert!(view.set_ties(mode, tolerance).is_err());
        }
        assert!(view.set_rotation(-30.0, 400.0).is_ok());
        assert!(view.set_rotation(f64::NAN, 0.0).is_err());
    }
}
