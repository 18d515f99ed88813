//! EX11: a circuit's heads, turned down one by one.

use super::circuits::{Claim, FOUND, found_and_random, listed};
use super::parts::{limit, number, plane, said, table, take_named, words};
use super::{Picture, PictureError, PlaneSeries, Settings, UNTRAINED};
use crate::little;
use crate::little::task::tested;
use crate::papers::measurement::circuit::{CircuitError, Circuits, head_name};
use crate::papers::measurement::metric::{Doses, NOTHING, NOTICED, REDUCED, SCALES, Weber, weber};
use crate::plot::format::fixed3;
use crate::statistics::mean;
use crate::world::{Head, HeadEdits};

/// A circuit at both strengths.
struct Measured {
    full: Doses,
    reduced: Doses,
    found: Weber,
}

pub(super) fn ex11(settings: &Settings) -> Result<Picture, PictureError> {
    let model = little::model(&settings.checkpoint)?;
    let prompts = tested(settings.task(), settings.n_prompts)?;
    let mut circuits = Circuits::new(&model, &prompts)?;
    let claims = found_and_random(&mut circuits, &model, settings)?;
    let mut picture = Picture::of("ex11");
    let (mut full, mut half, mut rows, mut sentences) = (vec![], vec![], vec![], vec![]);
    for Claim { name, heads } in &claims {
        let Some(of) = measured(&mut circuits, heads)? else {
            sentences.push(format!("{name}: without a head there is nothing to turn down"));
            continue;
        };
        say(&mut picture, name, &of.found);
        sentences.push(sentence(name, &of.found));
        let control = name != FOUND;
        // One random circuit stands for all.
        if full.iter().any(|series: &PlaneSeries| series.control) {
            continue;
        }
        full.extend(curves(name, heads, &of.full, control));
        half.extend(curves(name, heads, &of.reduced, control));
        rows.extend(table_rows(name, heads, &of));
    }
    let untrained = settings.checkpoint != UNTRAINED;
    if let Some(Claim { name, heads }) = claims.first().filter(|_| untrained) {
        let model = little::model(UNTRAINED)?;
        let mut circuits = Circuits::new(&model, &prompts)?;
        if let Some(of) = measured(&mut circuits, heads)? {
            let name = format!("{name}, untrained");
            say(&mut picture, &name, &of.found);
            sentences.push(sentence(&name, &of.found));
        }
    }
    let heads = claims.first().map(|claim| listed(&claim.heads)).unwrap_or_default();
    let noticed = 1.0 - NOTICED;
    let caption = |strength: &str| {
        format!(
            "Mean logit difference over {} prompts of {} with one head scaled, as a share of what it is with none scaled further, at {strength}. The largest factor below {noticed} is where a head’s weakening is just noticed; grey are the heads of a random circuit.",
            settings.n_prompts, settings.task
        )
    };
    picture.panel(
        "Dose curves at full strength",
        format!("{heads}: {}.", sentences.join("; ")),
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
        format!(
            "The same with all heads of the circuit scaled by {REDUCED} to begin with: {}.",
            sentences.join("; ")
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
        format!("{}.", sentences.join("; ")),
        "The just-noticeable difference of each head at both strengths, and the Weber fractions, which divide it by the strength: a linear circuit has the same differences at both, and fractions that are twice as large at half the strength.".to_owned(),
        table(
            &["circuit", "head", "JND, full", "JND, half", "Weber fraction, full", "Weber fraction, half"],
            rows,
        ),
    );
    Ok(picture)
}

fn measured(circuits: &mut Circuits, heads: &[Head]) -> Result<Option<Measured>, PictureError> {
    if heads.is_empty() {
        return Ok(None);
    }
    let mut doses = |level| {
        Doses::measure(heads, level, |scales| {
            let ld = circuits.logit_differences(&HeadEdits::scale(scales))?;
            Ok::<f64, CircuitError>(mean(&ld)?)
        })
    };
    let (full, reduced) = (doses(1.0)?, doses(REDUCED)?);
    let found = weber(&full, &reduced)?;
    Ok(Some(Measured { full, reduced, found }))
}

fn say(picture: &mut Picture, subject: &str, found: &Weber) {
    take_named!(
        picture,
        subject,
        found,
        "weber_consistency_code",
        "weber_consistency_relative_jnd",
        "share_detectable",
        "share_same_jnd",
    );
    picture.say(subject, "n_detectable", &found.n_detectable);
}

fn sentence(name: &str, found: &Weber) -> String {
    format!(
        "{name}, {} of {} heads noticed, consistency {} of the fractions and {} of the differences",
        found.n_detectable,
        found.jnd_full.len(),
        said(found.weber_consistency_code),
        said(found.weber_consistency_relative_jnd)
    )
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
