//! EX1: logit differences with a circuit and without it.

use super::circuits::{Claim, claims, named};
use super::parts::{histogram, limit, plane};
use super::{NamedValues, Picture, PlaneSeries, Settings, UNTRAINED};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::Circuits;
use crate::papers::measurement::metric::{completeness, d_prime, faithfulness};
use crate::plot::format::{fixed3, grouped};
use crate::statistics::roc_curve;
use crate::synthetic::HeadEdits;
use crate::toy_model;
use crate::toy_model::task::tested;

pub(super) fn ex1(settings: &Settings) -> Result<Picture, MeasurementError> {
    let model = toy_model::model(&settings.checkpoint)?;
    let prompts = tested(settings.task(), settings.n_prompts)?;
    let mut circuits = Circuits::new(&model, &prompts)?;
    let clean = circuits.clean_ld().to_vec();
    let mut picture = Picture::of("ex1");
    let mut series = vec![NamedValues::of("whole model", false, clean.iter().copied())];
    let (mut curves, mut said) = (Vec::new(), Vec::new());
    let mut found = None;
    let claimed = claims(&mut circuits, settings)?;
    for claim in &claimed {
        let without = circuits.logit_differences(&HeadEdits::ablate(&claim.heads))?;
        let kept = circuits.alone_ld(&claim.heads)?;
        let of = d_prime(&clean, &without)?;
        picture.take(&claim.name, of.quantities());
        picture.say(&claim.name, "faithfulness", &faithfulness(&clean, &kept)?);
        picture.say(&claim.name, "completeness", &completeness(&clean, &without)?);
        let control = !claim.is_found();
        if !claim.is_spare() {
            said.push(format!("{} {}", claim.name, fixed3(of.dprime)));
        }
        // With no head ablated the model is whole.
        if !claim.is_spare() && !claim.heads.is_empty() {
            let name = format!("without {}", claim.name);
            series.push(NamedValues::of(name, control, without.iter().copied()));
        }
        let points = roc_curve(&clean, &without)?.into_iter();
        let points = points.map(|[x, y]| (x, y, String::new()));
        curves.push(PlaneSeries::line(claim.name.as_str(), points).control_if(control));
        if claim.is_found() {
            found = Some((of, named(&claim.heads)));
        }
    }
    if let Some(Claim { heads, name }) =
        claimed.first().filter(|_| settings.checkpoint != UNTRAINED)
    {
        let untrained = toy_model::model(UNTRAINED)?;
        let mut circuits = Circuits::new(&untrained, &prompts)?;
        let without = circuits.logit_differences(&HeadEdits::ablate(heads))?;
        let of = d_prime(circuits.clean_ld(), &without)?;
        picture.take(&format!("{name}, untrained"), of.quantities());
        said.push(format!("{name} in the untrained model {}", fixed3(of.dprime)));
    }
    let Some((found, heads)) = found else { return Ok(picture) };
    let task = &settings.task;
    picture.panel(
        "Answers with the circuit and without it",
        format!(
            "{task}, {heads}: the share of {} prompts with a logit difference above 0 is {} in the whole model and {} without the circuit; d′ is {}, of {} at most with so many prompts.",
            grouped(prompts.answer.len()),
            fixed3(found.hit_rate),
            fixed3(found.false_alarm_rate),
            fixed3(found.dprime),
            fixed3(found.dprime_max),
        ),
        "Each prompt’s logit of the right word less that of the foil, in the whole model, and with the circuit mean-ablated. d′ counts on which side of 0 these are; the area under the ROC curve takes them all.".to_owned(),
        histogram("logit difference", series, vec![limit("right above", 0.0)]),
    );
    let chance = [0.0, 1.0].map(|at| (at, at, String::new()));
    curves.push(PlaneSeries::line("chance", chance).control());
    picture.panel(
        "ROC curves",
        format!("Area {} of the found circuit; d′: {}.", fixed3(found.auc), said.join(", ")),
        format!("At each logit difference the share of prompts at or above it in the whole model, against the same share without a circuit: as many random heads, all heads, and none, without which nothing changes. {task}, {} prompts.", grouped(prompts.answer.len())),
        plane("share without the circuit", "share in the whole model", curves, Vec::new()),
    );
    Ok(picture)
}
