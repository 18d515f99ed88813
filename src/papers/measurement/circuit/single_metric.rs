//! One metric of a circuit at a time, for who does not want them all.

use super::CircuitEvaluator;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::{
    DPrime, DoseResponse, HeadEdge, REDUCED_STRENGTH, Weber, completeness, d_prime, effect_lookup, weber,
};
use crate::papers::measurement::planted::FaithfulnessCurves;
use crate::statistics::mean;
use crate::synthetic::{Head, HeadEdits};

impl CircuitEvaluator<'_> {
    /// EX1: the whole model against the model without some heads.
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn d_prime(&mut self, circuit: &[Head]) -> Result<DPrime, MeasurementError> {
        let without = self.logit_differences(&HeadEdits::ablate(circuit))?;
        Ok(d_prime(self.clean_logit_differences(), &without)?)
    }

    /// How much of the behaviour is gone without some heads.
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn completeness(&mut self, circuit: &[Head]) -> Result<f64, MeasurementError> {
        let without = self.logit_differences(&HeadEdits::ablate(circuit))?;
        Ok(completeness(self.clean_logit_differences(), &without)?)
    }

    /// EX11, of some heads; none of none.
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn weber(&mut self, circuit: &[Head]) -> Result<Option<Weber>, MeasurementError> {
        if circuit.is_empty() {
            return Ok(None);
        }
        let mut doses = |level| {
            DoseResponse::measure(circuit, level, |scales| {
                let ld = self.logit_differences(&HeadEdits::scale(scales))?;
                Ok::<f64, MeasurementError>(mean(&ld)?)
            })
        };
        Ok(Some(weber(&doses(1.0)?, &doses(REDUCED_STRENGTH)?)?))
    }

    /// MIB over some pairs of heads, in the code's order and ranked by what each head does.
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn faithfulness_curves(
        &mut self,
        pairs: &[HeadEdge],
        effects: &[(Head, f64)],
    ) -> Result<FaithfulnessCurves, MeasurementError> {
        FaithfulnessCurves::measure(pairs, effect_lookup(effects), |heads| self.faithfulness_of(heads))
    }
}
