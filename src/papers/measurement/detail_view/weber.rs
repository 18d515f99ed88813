//! EX11: a circuit's heads, turned down one by one.

use super::circuits::{Claim, found_and_random, named};
use super::parts::{limit, number, plane, said, table, words};
use super::{Picture, PlaneSeries, Settings, UNTRAINED};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{Circuits, head_name};
use crate::papers::measurement::metric::{Doses, NOTHING, NOTICED, REDUCED, SCALES, Weber, weber};
use crate::plot::format::fixed3;
use crate::statistics::mean;
use crate::synthetic::{Head, HeadEdits};
use crate::toy_model;
use crate::toy_model::task::tested;

/// A circuit at both strengths.
struct Measured {
    full: Doses,
    reduced: Doses,
    found: Weber,
}

pub(super) fn ex11(settings: &Settings) -> Result<Picture, MeasurementError> {
    let model = toy_model::model(&settings.checkpoint)?;
    let prompts = tested(settings.task(), settings.n_prompts)?;
    let mut circuits = Circuits::new(&model, &prompts)?;
    let claims = found_and_random(&mut circuits, settings)?;
    let mut picture = Picture::of("ex11");
    let (mut full, mut half, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut sentences = Sentences::default();
    for claim in &claims {
        let Claim { name, heads } = claim;
        let Some(of) = measured(&mut circuits, heads)? else { continue };
        say(&mut picture, name, &of.found);
        if claim.is_spare() {
            continue;
        }
        sentences.of(name, &of);
        let control = !claim.is_found();
        full.extend(curves(name, heads, &of.full, control));
        half.extend(curves(name, heads, &of.reduced, control));
        rows.extend(table_rows(name, heads, &of));
    }
    let untrained = settings.checkpoint != UNTRAINED;
    if let Some(Claim { name, heads }) = claims.first().filter(|_| untrained) {
        let model = toy_model::model(UNTRAINED)?;
        let mut circuits = Circuits::new(&model, &prompts)?;
        if let Some(of) = measured(&mut circuits, heads)? {
            let name = format!("{name}, untrained");
            say(&mut picture, &name, &of.found);
            sentences.of(&name, &of);
        }
    }
    let task = &settings.task;
    let heads = claims.first().map(|claim| named(&claim.heads)).unwrap_or_default();
    let noticed = 1.0 - NOTICED;
    let caption = |strength: &str| {
        format!(
            "Mean logit difference over {} prompts of {} with one head scaled, as a share of what it is with none scaled further, at {strength}. The largest factor below {noticed} is where a head’s weakening is just noticed; grey are the heads of a random circuit.",
            settings.n_prompts, settings.task
        )
    };
    picture.panel(
        "Dose curves at full strength",
        Sentences::joined(
            &format!("{task}, {heads}; heads that are noticed at full strength"),
            &sentences.noticed,
        ),
        caption("full strength"),
        plane(
            "factor of the head",
            "share of the baseline",
            full,
            vec![limit("noticed below", noticed)],
        ),
    );
    picture.panel(
        "Dose curves at half strength",
        Sentences::joined(
            &format!("Mean logit difference with all heads of the circuit scaled by {REDUCED}"),
            &sentences.baselines,
        ),
        caption("half strength of the whole circuit"),
        plane(
            "factor of the head",
            "share of the baseline",
            half,
            vec![limit("noticed below", noticed)],
        ),
    );
    picture.panel(
        "What is just noticed",
        Sentences::joined("Consistency of the Weber fractions, and of the differences themselves", &sentences.consistency),
        "The just-noticeable difference of each head at both strengths, and the Weber fractions, which divide it by the strength: a linear circuit has the same differences at both, and fractions that are twice as large at half the strength.".to_owned(),
        table(
            &["circuit", "head", "JND, full", "JND, half", "Weber fraction, full", "Weber fraction, half"],
            rows,
        ),
    );
    Ok(picture)
}

fn measured(circuits: &mut Circuits, heads: &[Head]) -> Result<Option<Measured>, MeasurementError> {
    if heads.is_empty() {
        return Ok(None);
    }
    let mut doses = |level| {
        Doses::measure(heads, level, |scales| {
            let ld = circuits.logit_differences(&HeadEdits::scale(scales))?;
            Ok::<f64, MeasurementError>(mean(&ld)?)
        })
    };
    let (full, reduced) = (doses(1.0)?, doses(REDUCED)?);
    let found = weber(&full, &reduced)?;
    Ok(Some(Measured { full, reduced, found }))
}

fn say(picture: &mut Picture, subject: &str, found: &Weber) {
    picture.take(subject, found.quantities());
    picture.say(subject, "n_detectable", &found.n_detectable);
}

/// What is said of each circuit.
#[derive(Default)]
struct Sentences {
    noticed: Vec<String>,
    baselines: Vec<String>,
    consistency: Vec<String>,
}

impl Sentences {
    fn of(&mut self, name: &str, of: &Measured) {
        let Weber { n_detectable, jnd_full, .. } = &of.found;
        self.noticed.push(format!("{name} {n_detectable} of {}", jnd_full.len()));
        let [full, reduced] = [of.full.baseline, of.reduced.baseline].map(fixed3);
        self.baselines.push(format!("{name} {reduced} of {full}"));
        let code = said(of.found.weber_consistency_code);
        let relative = said(of.found.weber_consistency_relative_jnd);
        self.consistency.push(format!("{name} {code} and {relative}"));
    }

    /// Those that there are, or that there is no head.
    fn joined(lead: &str, each: &[String]) -> String {
        match each {
            [] => "Without a head there is nothing to turn down.".to_owned(),
            each => format!("{lead}: {}.", each.join("; ")),
        }
    }
}

/// A line for each head; a fall is a fall also where the baseline is negative.
fn curves<'a>(
    name: &'a str,
    heads: &'a [Head],
    doses: &'a Doses,
    control: bool,
) -> impl Iterator<Item = PlaneSeries> + 'a {
    let baseline = doses.baseline;
    let share = move |value: f64| match baseline.abs() < NOTHING {
        true => f64::NAN,
        false => 1.0 + (value - baseline) / baseline.abs(),
    };
    heads.iter().zip(&doses.curves).map(move |(head, curve)| {
        let points = SCALES.iter().zip(curve).map(|(scale, value)| {
            (*scale, share(*value), format!("mean logit difference {}", fixed3(*value)))
        });
        let label = head_name(*head);
        let label = if control { format!("{label} ({name})") } else { label };
        PlaneSeries::line(label, points).control_if(control)
    })
}

fn table_rows(name: &str, heads: &[Head], of: &Measured) -> Vec<Vec<super::Cell>> {
    let both = of.found.jnd_full.iter().zip(&of.found.jnd_reduced);
    let each = heads.iter().zip(both).map(|(head, (full, reduced))| {
        vec![
            words(name),
            words(head_name(*head)),
            number(*full),
            number(*reduced),
            number(*full),
            number(reduced.map(|jnd| jnd / REDUCED)),
        ]
    });
    each.collect()
}
