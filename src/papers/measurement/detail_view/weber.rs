//! EX11: a circuit's heads, turned down one by one.

use super::circuits::{NamedCircuit, describe_heads, found_and_random_circuits};
use super::parts::{format_value, limit_line, number_cell, plane_content, table_content, text_cell};
use super::{DetailView, PlaneSeries, Settings, UNTRAINED_CHECKPOINT};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{CircuitEvaluator, head_name};
use crate::papers::measurement::metric::{
    DoseResponse, LOGIT_DIFFERENCE_SUM_MIN, NOTICED_DROP_MIN, REDUCED_STRENGTH, SCALES, Weber, weber,
};
use crate::plot::format::fixed3;
use crate::statistics::mean;
use crate::synthetic::{Head, HeadEdits};
use crate::toy_model;
use crate::toy_model::task::test_prompts;

/// A circuit at both strengths.
struct MeasuredCircuit {
    full: DoseResponse,
    reduced: DoseResponse,
    found: Weber,
}

pub(super) fn ex11_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let model = toy_model::load_model(&settings.checkpoint)?;
    let prompts = test_prompts(settings.task(), settings.n_prompts)?;
    let mut circuits = CircuitEvaluator::new(&model, &prompts)?;
    let claims = found_and_random_circuits(&mut circuits, settings)?;
    let mut picture = DetailView::new("ex11");
    let (mut full, mut half, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut sentences = CircuitSentences::default();
    for claim in &claims {
        let NamedCircuit { name, heads } = claim;
        let Some(of) = measure_circuit(&mut circuits, heads)? else { continue };
        add_quantities(&mut picture, name, &of.found);
        if claim.is_extra_random() {
            continue;
        }
        sentences.add_circuit(name, &of);
        let control = !claim.is_found();
        full.extend(dose_series(name, heads, &of.full, control));
        half.extend(dose_series(name, heads, &of.reduced, control));
        rows.extend(table_rows(name, heads, &of));
    }
    let untrained = settings.checkpoint != UNTRAINED_CHECKPOINT;
    if let Some(NamedCircuit { name, heads }) = claims.first().filter(|_| untrained) {
        let model = toy_model::load_model(UNTRAINED_CHECKPOINT)?;
        let mut circuits = CircuitEvaluator::new(&model, &prompts)?;
        if let Some(of) = measure_circuit(&mut circuits, heads)? {
            let name = format!("{name}, untrained");
            add_quantities(&mut picture, &name, &of.found);
            sentences.add_circuit(&name, &of);
        }
    }
    let task = &settings.task;
    let heads = claims.first().map(|claim| describe_heads(&claim.heads)).unwrap_or_default();
    let noticed = 1.0 - NOTICED_DROP_MIN;
    let caption = |strength: &str| {
        format!(
            "Mean logit difference over {} prompts of {} with one head scaled, as a share of what it is with none scaled further, at {strength}. The largest factor below {noticed} is where a head’s weakening is just noticed; grey are the heads of a random circuit.",
            settings.n_prompts, settings.task
        )
    };
    picture.add_panel(
        "Dose curves at full strength",
        CircuitSentences::join_or_none(
            &format!("{task}, {heads}; heads that are noticed at full strength"),
            &sentences.noticed,
        ),
        caption("full strength"),
        plane_content("factor of the head", "share of the baseline", full, vec![limit_line("noticed below", noticed)]),
    );
    picture.add_panel(
        "Dose curves at half strength",
        CircuitSentences::join_or_none(
            &format!("Mean logit difference with all heads of the circuit scaled by {REDUCED_STRENGTH}"),
            &sentences.baselines,
        ),
        caption("half strength of the whole circuit"),
        plane_content("factor of the head", "share of the baseline", half, vec![limit_line("noticed below", noticed)]),
    );
    picture.add_panel(
        "What is just noticed",
        CircuitSentences::join_or_none("Consistency of the Weber fractions, and of the differences themselves", &sentences.consistency),
        "The just-noticeable difference of each head at both strengths, and the Weber fractions, which divide it by the strength: a linear circuit has the same differences at both, and fractions that are twice as large at half the strength.".to_owned(),
        table_content(
            &["circuit", "head", "JND, full", "JND, half", "Weber fraction, full", "Weber fraction, half"],
            rows,
        ),
    );
    Ok(picture)
}

fn measure_circuit(
    circuits: &mut CircuitEvaluator,
    heads: &[Head],
) -> Result<Option<MeasuredCircuit>, MeasurementError> {
    if heads.is_empty() {
        return Ok(None);
    }
    let mut doses = |level| {
        DoseResponse::measure(heads, level, |scales| {
            let ld = circuits.logit_differences(&HeadEdits::scale(scales))?;
            Ok::<f64, MeasurementError>(mean(&ld)?)
        })
    };
    let (full, reduced) = (doses(1.0)?, doses(REDUCED_STRENGTH)?);
    let found = weber(&full, &reduced)?;
    Ok(Some(MeasuredCircuit { full, reduced, found }))
}

fn add_quantities(picture: &mut DetailView, subject: &str, found: &Weber) {
    picture.add_quantities(subject, found.quantities());
    picture.add_quantity(subject, "n_detectable", &found.n_detectable);
}

/// What is said of each circuit.
#[derive(Default)]
struct CircuitSentences {
    noticed: Vec<String>,
    baselines: Vec<String>,
    consistency: Vec<String>,
}

impl CircuitSentences {
    fn add_circuit(&mut self, name: &str, of: &MeasuredCircuit) {
        let Weber { n_detectable, jnd_full, .. } = &of.found;
        self.noticed.push(format!("{name} {n_detectable} of {}", jnd_full.len()));
        let [full, reduced] = [of.full.baseline, of.reduced.baseline].map(fixed3);
        self.baselines.push(format!("{name} {reduced} of {full}"));
        let code = format_value(of.found.weber_consistency_code);
        let relative = format_value(of.found.weber_consistency_relative_jnd);
        self.consistency.push(format!("{name} {code} and {relative}"));
    }

    /// Those that there are, or that there is no head.
    fn join_or_none(lead: &str, each: &[String]) -> String {
        match each {
            [] => "Without a head there is nothing to turn down.".to_owned(),
            each => format!("{lead}: {}.", each.join("; ")),
        }
    }
}

/// A line for each head; a fall is a fall also where the baseline is negative.
fn dose_series<'a>(
    name: &'a str,
    heads: &'a [Head],
    doses: &'a DoseResponse,
    control: bool,
) -> impl Iterator<Item = PlaneSeries> + 'a {
    let baseline = doses.baseline;
    let share = move |value: f64| match baseline.abs() < LOGIT_DIFFERENCE_SUM_MIN {
        true => f64::NAN,
        false => 1.0 + (value - baseline) / baseline.abs(),
    };
    heads.iter().zip(&doses.curves).map(move |(head, curve)| {
        let points = SCALES
            .iter()
            .zip(curve)
            .map(|(scale, value)| (*scale, share(*value), format!("mean logit difference {}", fixed3(*value))));
        let label = head_name(*head);
        let label = if control { format!("{label} ({name})") } else { label };
        PlaneSeries::line(label, points).with_control(control)
    })
}

fn table_rows(name: &str, heads: &[Head], of: &MeasuredCircuit) -> Vec<Vec<super::Cell>> {
    let both = of.found.jnd_full.iter().zip(&of.found.jnd_reduced);
    let each = heads.iter().zip(both).map(|(head, (full, reduced))| {
        vec![
            text_cell(name),
            text_cell(head_name(*head)),
            number_cell(*full),
            number_cell(*reduced),
            number_cell(*full),
            number_cell(reduced.map(|jnd| jnd / REDUCED_STRENGTH)),
        ]
    });
    each.collect()
}
