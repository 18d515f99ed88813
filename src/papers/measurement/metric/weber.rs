//! EX11: Weber's law, how much less of a head is noticed.

use serde::Serialize;

use super::circuit::LOGIT_DIFFERENCE_SUM_MIN;
use super::{Formula, MetricDescription, PassConditions, conditions, quantities, table};
use crate::statistics::{StatisticsError, check_lengths, check_values, mean, standard_deviation};
use crate::synthetic::Head;

/// Factors by which a head's output is scaled, rising, the last of which is 1.
pub const SCALES: [f64; 8] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0];
/// The share of the baseline by which the logit difference must drop to be noticed.
pub const NOTICED_DROP_MIN: f64 = 0.05;
/// The factor of the whole circuit at the reduced baseline.
pub const REDUCED_STRENGTH: f64 = 0.5;

/// What is said of it.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "ex11",
    name: "Weber–Fechner (just-noticeable difference)",
    source: "Weber 1834; Fechner 1860; Gescheider 1997",
    criteria: &["Behavioral", "Construct Validity"],
    establishes: "Whether what is just noticed of a head is a constant share of how strong the circuit is to begin \
                  with, and whether every head of the circuit is noticed at all.",
    leaves_open: "Whether this law is the right one. Only drops count, so a head that works against the answer is \
                  never noticed; nor is one whose work others do as well. The just-noticeable difference has seven \
                  possible values.",
    passes: PassConditions {
        document: conditions!["share_detectable" >= 1.0],
        code: conditions!["share_detectable" >= 1.0],
    },
    table: table! {
        "weber_consistency_code" > 0.8 => "The response follows the law.";
        "weber_consistency_code" >= 0.5, "weber_consistency_code" <= 0.8 =>
            "Some heads follow the law. A circuit that is exactly linear has at best 2/3 as coded, since its \
             fractions at half the strength are twice those at full strength.";
        "share_detectable" < 1.0 =>
            "Some heads of the circuit do nothing that is noticed, and may not belong to it.";
        "share_same_jnd" < 1.0 =>
            "A head is noticed sooner or later when the whole circuit is weaker: the response is not linear.";
    },
    formula: Formula {
        document: "Just-noticeable difference of a head: 1 − the largest scale at which the logit difference drops \
                   by over 5 %. Consistency: 1 − σ / mean of JND / baseline, at full strength and at half.",
        code: "The same.",
    },
    summary: ["all heads noticed"; 2],
    takes: &["checkpoint", "task"],
};

/// Mean logit differences at one strength of the circuit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DoseResponse {
    /// With no head scaled further.
    pub baseline: f64,
    /// Of each head of the circuit, with that head scaled by each of [`SCALES`].
    pub curves: Vec<[f64; SCALES.len()]>,
}

impl DoseResponse {
    /// Measures a circuit whose heads are all scaled by `level` to begin with. `mean_ld` gives the mean logit
    /// difference with some heads scaled by factors.
    ///
    /// # Errors
    /// Those of `mean_ld`.
    pub fn measure<E>(
        circuit: &[Head],
        level: f64,
        mut mean_ld: impl FnMut(&[(Head, f64)]) -> Result<f64, E>,
    ) -> Result<Self, E> {
        let at = |head: Option<Head>, scale: f64| -> Vec<(Head, f64)> {
            let factor = |other: Head| if Some(other) == head { level * scale } else { level };
            circuit.iter().map(|other| (*other, factor(*other))).collect()
        };
        let baseline = mean_ld(&at(None, 1.0))?;
        let mut curves = Vec::with_capacity(circuit.len());
        for head in circuit {
            let mut curve = [baseline; SCALES.len()];
            for (value, scale) in curve.iter_mut().zip(SCALES).filter(|(_, scale)| *scale != 1.0) {
                *value = mean_ld(&at(Some(*head), scale))?;
            }
            curves.push(curve);
        }
        Ok(Self { baseline, curves })
    }

    /// Of each head, how much less of it is just noticed.
    fn jnd(&self) -> Vec<Option<f64>> {
        self.curves.iter().map(|curve| jnd(curve, self.baseline)).collect()
    }
}

/// The result of [`weber`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Weber {
    /// Of each head, the just-noticeable difference at full strength, from 0.02 to 0.5; none where no drop is
    /// noticed.
    pub jnd_full: Vec<Option<f64>>,
    /// The same at half the strength.
    pub jnd_reduced: Vec<Option<f64>>,
    /// Weber fractions at full strength, of the heads that have one.
    pub weber_full: Vec<f64>,
    /// Weber fractions at half the strength, of the heads that have one.
    pub weber_reduced: Vec<f64>,
    /// Consistency of the fractions of both strengths, which divide by the strength: text and code.
    pub weber_consistency_code: f64,
    /// Consistency of the just-noticeable differences themselves, which are shares already.
    pub weber_consistency_relative_jnd: f64,
    /// Whether every head is noticed at full strength, which is the pass condition.
    pub all_detectable: bool,
    /// Heads that are noticed at full strength.
    pub n_detectable: usize,
    /// Whether the reference code leaves the task out: its baseline is nothing.
    pub skipped_code: bool,
}

quantities! {
    Weber: weber_consistency_code, weber_consistency_relative_jnd, share_detectable(),
        share_same_jnd(),
}

impl Weber {
    /// The share of the circuit's heads that are noticed.
    fn share_detectable(&self) -> f64 {
        self.n_detectable as f64 / self.jnd_full.len() as f64
    }

    /// The share of heads that are noticed at both strengths or at neither, at the same factor.
    fn share_same_jnd(&self) -> f64 {
        let both = self.jnd_full.iter().zip(&self.jnd_reduced);
        both.filter(|(full, reduced)| full == reduced).count() as f64 / self.jnd_full.len() as f64
    }
}

/// 1 less the largest factor at which the logit difference has dropped by more than 5 % of the baseline.
fn jnd(curve: &[f64; SCALES.len()], baseline: f64) -> Option<f64> {
    if baseline.abs() < LOGIT_DIFFERENCE_SUM_MIN {
        return None;
    }
    let [.., whole] = curve;
    let noticed = |value: &f64| (whole - value) / baseline.abs() > NOTICED_DROP_MIN;
    let falling = curve.iter().zip(SCALES).rev();
    falling.into_iter().find(|(value, _)| noticed(value)).map(|(_, scale)| 1.0 - scale)
}

/// 1 − σ/μ, ddof 0; 1 of one value, 0 of none.
pub(in crate::papers::measurement) fn consistency(values: &[f64]) -> f64 {
    match (mean(values), standard_deviation(values, 0)) {
        (Ok(mean), Ok(deviation)) if values.len() > 1 => 1.0 - deviation / mean,
        (Ok(_), _) => 1.0,
        _ => 0.0,
    }
}

/// Just-noticeable differences and Weber fractions of a circuit's heads, from mean logit differences at full strength
/// and at half of it.
///
/// # Formula
/// JND = 1 − the largest factor s with (ld(1) − ld(s))/|baseline| > 0.05; none where there is no such factor, or
/// the baseline is below 10⁻⁸. Weber fraction = JND/strength, the strengths being 1 and ½. Consistency = 1 − σ/μ of
/// the fractions at both strengths together, ddof 0: 1 of one fraction, 0 of none, and below 0 where they scatter.
///
/// A linear circuit without bias has the same JNDs at both strengths. Its fractions are then j and 2j for each head,
/// and their σ/μ is at least 1/3: the consistency is at most 2/3.
///
/// # Errors
/// [`StatisticsError::TooFew`] without heads, [`StatisticsError::Lengths`] where the two strengths do not have as
/// many heads, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::{DoseResponse, SCALES, weber};
/// let full = DoseResponse { baseline: 1.0, curves: vec![SCALES] };
/// let half = DoseResponse { baseline: 0.5, curves: vec![SCALES.map(|scale| scale / 2.0)] };
/// let found = weber(&full, &half)?;
/// assert!((found.weber_consistency_code - 2.0 / 3.0).abs() < 1e-15 && found.all_detectable);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn weber(full: &DoseResponse, reduced: &DoseResponse) -> Result<Weber, StatisticsError> {
    for doses in [full, reduced] {
        check_values("the baseline", &[doses.baseline], 1)?;
        if doses.curves.is_empty() {
            return Err(StatisticsError::TooFew { what: "heads", found: 0, needed: 1 });
        }
        check_values("mean logit differences", doses.curves.as_flattened(), 1)?;
    }
    let firsts = |doses: &DoseResponse| doses.curves.iter().map(|[first, ..]| *first).collect::<Vec<_>>();
    check_lengths(&firsts(full), &firsts(reduced))?;
    let (jnd_full, jnd_reduced) = (full.jnd(), reduced.jnd());
    let present = |jnd: &[Option<f64>]| jnd.iter().flatten().copied().collect::<Vec<f64>>();
    let weber_full = present(&jnd_full);
    let unscaled = present(&jnd_reduced);
    let weber_reduced: Vec<f64> = unscaled.iter().map(|jnd| jnd / REDUCED_STRENGTH).collect();
    let both = |reduced: &[f64]| [weber_full.as_slice(), reduced].concat();
    Ok(Weber {
        weber_consistency_code: consistency(&both(&weber_reduced)),
        weber_consistency_relative_jnd: consistency(&both(&unscaled)),
        all_detectable: weber_full.len() == jnd_full.len(),
        n_detectable: weber_full.len(),
        skipped_code: full.baseline.abs() < LOGIT_DIFFERENCE_SUM_MIN,
        jnd_full,
        jnd_reduced,
        weber_full,
        weber_reduced,
    })
}
