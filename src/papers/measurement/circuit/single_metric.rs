//! One metric of a circuit at a time, for who does not want them all.

use super::CircuitEvaluator;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::{
    DPrime, Doses, HeadEdge, REDUCED_STRENGTH, Weber, completeness, d_prime, effect_in, weber,
};
use crate::papers::measurement::planted::Curves;
use crate::statistics::mean;
use crate::synthetic::{Head, HeadEdits};

impl CircuitEvaluator<'_> {
    /// EX1: the whole model against the model without some heads.
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn d_prime(&mut self, circuit: &[Head]) -> Result<DPrime, MeasurementError> {
        let without = self.logit_differences(&HeadEdits::ablate(circuit))?;
        Ok(d_prime(self.clean_differences(), &without)?)
    }

    /// How much of the behaviour is gone without some heads.
    ///
    /// # Errors
    /// As [`Self::faithfulness_of`].
    pub fn completeness(&mut self, circuit: &[Head]) -> Result<f64, MeasurementError> {
        let without = self.logit_differences(&HeadEdits::ablate(circuit))?;
        Ok(completeness(self.clean_differences(), &without)?)
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
            Doses::measure(circuit, level, |scales| {
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
    ) -> Result<Curves, MeasurementError> {
        Curves::measure(pairs, effect_in(effects), |heads| self.faithfulness_of(heads))
    }
}
