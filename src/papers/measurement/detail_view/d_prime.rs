//! EX1: logit differences with a circuit and without it.

use super::circuits::{NamedCircuit, circuits_to_compare, describe_heads};
use super::parts::{histogram_content, limit_line, plane_content};
use super::{DetailView, NamedValues, PlaneSeries, Settings, UNTRAINED_CHECKPOINT};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::CircuitEvaluator;
use crate::papers::measurement::metric::{completeness, d_prime, faithfulness};
use crate::plot::format::{fixed3, format_grouped};
use crate::statistics::roc_curve;
use crate::synthetic::HeadEdits;
use crate::toy_model;
use crate::toy_model::task::test_prompts;

pub(super) fn ex1_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let model = toy_model::load_model(&settings.checkpoint)?;
    let prompts = test_prompts(settings.task(), settings.n_prompts)?;
    let mut circuits = CircuitEvaluator::new(&model, &prompts)?;
    let clean = circuits.clean_logit_differences().to_vec();
    let mut picture = DetailView::new("ex1");
    let mut series = vec![NamedValues::from_values("whole model", false, clean.iter().copied())];
    let (mut curves, mut said) = (Vec::new(), Vec::new());
    let mut found = None;
    let claimed = circuits_to_compare(&mut circuits, settings)?;
    for claim in &claimed {
        let without = circuits.logit_differences(&HeadEdits::ablate(&claim.heads))?;
        let kept = circuits.circuit_logit_differences(&claim.heads)?;
        let of = d_prime(&clean, &without)?;
        picture.add_quantities(&claim.name, of.quantities());
        picture.add_quantity(&claim.name, "faithfulness", &faithfulness(&clean, &kept)?);
        picture.add_quantity(&claim.name, "completeness", &completeness(&clean, &without)?);
        let control = !claim.is_found();
        if !claim.is_extra_random() {
            said.push(format!("{} {}", claim.name, fixed3(of.dprime)));
        }
        // With no head ablated the model is whole.
        if !claim.is_extra_random() && !claim.heads.is_empty() {
            let name = format!("without {}", claim.name);
            series.push(NamedValues::from_values(name, control, without.iter().copied()));
        }
        let points = roc_curve(&clean, &without)?.into_iter();
        let points = points.map(|[x, y]| (x, y, String::new()));
        curves.push(PlaneSeries::line(claim.name.as_str(), points).with_control(control));
        if claim.is_found() {
            found = Some((of, describe_heads(&claim.heads)));
        }
    }
    if let Some(NamedCircuit { heads, name }) = claimed.first().filter(|_| settings.checkpoint != UNTRAINED_CHECKPOINT)
    {
        let untrained = toy_model::load_model(UNTRAINED_CHECKPOINT)?;
        let mut circuits = CircuitEvaluator::new(&untrained, &prompts)?;
        let without = circuits.logit_differences(&HeadEdits::ablate(heads))?;
        let of = d_prime(circuits.clean_logit_differences(), &without)?;
        picture.add_quantities(&format!("{name}, untrained"), of.quantities());
        said.push(format!("{name} in the untrained model {}", fixed3(of.dprime)));
    }
    let Some((found, heads)) = found else { return Ok(picture) };
    let task = &settings.task;
    picture.add_panel(
        "Answers with the circuit and without it",
        format!(
            "{task}, {heads}: the share of {} prompts with a logit difference above 0 is {} in the whole model and {} without the circuit; d′ is {}, of {} at most with so many prompts.",
            format_grouped(prompts.answers.len()),
            fixed3(found.hit_rate),
            fixed3(found.false_alarm_rate),
            fixed3(found.dprime),
            fixed3(found.dprime_max),
        ),
        "Each prompt’s logit of the right word less that of the foil, in the whole model, and with the circuit mean-ablated. d′ counts on which side of 0 these are; the area under the ROC curve takes them all.".to_owned(),
        histogram_content("logit difference", series, vec![limit_line("right above", 0.0)]),
    );
    let chance = [0.0, 1.0].map(|at| (at, at, String::new()));
    curves.push(PlaneSeries::line("chance", chance).into_control());
    picture.add_panel(
        "ROC curves",
        format!("Area {} of the found circuit; d′: {}.", fixed3(found.auc), said.join(", ")),
        format!("At each logit difference the share of prompts at or above it in the whole model, against the same share without a circuit: as many random heads, all heads, and none, without which nothing changes. {task}, {} prompts.", format_grouped(prompts.answers.len())),
        plane_content("share without the circuit", "share in the whole model", curves, Vec::new()),
    );
    Ok(picture)
}
