//! MIB: faithfulness as edges are added in several orders.

use super::audit::shuffled;
use super::circuits::listed;
use super::parts::{limit, number, plane, said, table, words};
use super::{Cell, Picture, PlaneSeries, Settings};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::Circuits;
use crate::papers::measurement::metric::{
    FaithfulnessArea, THRESHOLDS, effect_in, faithfulness_area, head_edges, kept_edges, kept_heads,
    normalised_faithfulness,
};
use crate::papers::measurement::planted::{Curve, Curves};
use crate::plot::format::{fixed3, trimmed};
use crate::toy_model;
use crate::toy_model::task::tested;

/// Edges in an order of some name.
struct Ordered {
    name: String,
    control: bool,
    /// Whether sentences leave it out.
    spare: bool,
    curve: Curve,
}

pub(super) fn mib(settings: &Settings) -> Result<Picture, MeasurementError> {
    let model = toy_model::model(&settings.checkpoint)?;
    let prompts = tested(settings.task(), settings.n_prompts)?;
    let mut circuits = Circuits::new(&model, &prompts)?;
    let config = model.config();
    let pairs = head_edges(config.layers, config.heads);
    let effects = circuits.effects()?;
    let curves = Curves::measure(&pairs, effect_in(&effects), |heads| circuits.alone(heads))?;
    let all = circuits.heads().to_vec();
    let (empty, whole) = (circuits.alone(&[])?, circuits.alone(&all)?);
    let mut orders = vec![
        Ordered {
            name: "ranked by effect".to_owned(),
            control: false,
            spare: false,
            curve: curves.ranked,
        },
        Ordered { name: "code order".to_owned(), control: false, spare: false, curve: curves.code },
    ];
    for seed in 1..=settings.seeds {
        let order = shuffled(&pairs, seed);
        let curve = Curve::measure::<MeasurementError>(order, |heads| circuits.alone(heads))?;
        let name = format!("random order {seed}");
        orders.push(Ordered { name, control: true, spare: seed > 1, curve });
    }
    let mut picture = Picture::of("mib");
    let (mut series, mut scaled) = (Vec::new(), Vec::new());
    let (mut areas, mut distances) = (Vec::new(), Vec::new());
    for Ordered { name, control, spare, curve } in &orders {
        say(&mut picture, name, &curve.area);
        if !spare {
            areas.push(format!("{name} {}", fixed3(curve.area.cpr)));
        }
        series.push(line(name, &curve.faithfulness, *control));
        let each =
            curve.faithfulness.iter().map(|value| normalised_faithfulness(*value, empty, 1.0));
        if let Some(values) = each.collect::<Option<Vec<f64>>>() {
            let area = faithfulness_area(&THRESHOLDS, &values)?;
            let normalised = format!("{name}, normalised");
            say(&mut picture, &normalised, &area);
            scaled.push(line(&normalised, &values, *control));
            if !spare {
                let [cpr, distance] = [area.cpr, area.cmd_abs_mib].map(fixed3);
                distances.push(format!("{name} {cpr} (distance {distance})"));
            }
        }
    }
    picture.say("no head", "faithfulness", &empty);
    picture.say("all heads", "faithfulness", &whole);
    let task = &settings.task;
    picture.panel(
        "Faithfulness as edges are added",
        format!("{task}: the area (CPR) is {}; without any head the faithfulness is {}.", areas.join(", "), fixed3(empty)),
        format!("The share of the mean logit difference that is there with the heads of the first edges, all others mean-ablated; {} edges, {} prompts. Half of a perfect circuit’s area lies where half of the edges or more are kept.", pairs.len(), prompts.answer.len()),
        plane(
            "share of edges kept",
            "faithfulness",
            series,
            vec![limit("no head", empty), limit("whole model", 1.0)],
        ),
    );
    let summary = match distances.as_slice() {
        [] => {
            "The empty circuit does as much as the whole model, so that there is nothing to scale."
                .to_owned()
        }
        some => format!("The area is {}.", some.join(", ")),
    };
    picture.panel(
        "Between nothing and the whole model",
        summary,
        "The same, (f − f(∅))/(1 − f(∅)), as MIB has it: what the model does without any head is not the circuit’s.".to_owned(),
        plane("share of edges kept", "normalised faithfulness", scaled, vec![limit("no head", 0.0), limit("whole model", 1.0)]),
    );
    let (columns, rows) = thresholds(&orders, pairs.len())?;
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let steps: Vec<String> = orders
        .iter()
        .filter(|of| !of.spare)
        .map(|of| format!("{} {}", of.name, said(of.curve.area.largest_step)))
        .collect();
    picture.panel(
        "Threshold by threshold",
        format!("The curve rises most in one step by: {}.", steps.join(", ")),
        "Edges that each threshold keeps, one at least, and the heads at their ends when edges are ranked by the lesser |effect| of both.".to_owned(),
        table(&columns, rows),
    );
    Ok(picture)
}

fn say(picture: &mut Picture, subject: &str, found: &FaithfulnessArea) {
    let mut quantities = found.quantities();
    // All curves are over the same thresholds.
    quantities.retain(|(name, _)| *name != "span");
    picture.take(subject, quantities);
}

fn line(name: &str, values: &[f64], control: bool) -> PlaneSeries {
    let points = THRESHOLDS.iter().zip(values);
    let points = points.map(|(share, value)| (*share, *value, trimmed(*share)));
    PlaneSeries::line(name, points).control_if(control)
}

/// Headings, and a row for each threshold.
fn thresholds(
    orders: &[Ordered],
    edges: usize,
) -> Result<(Vec<String>, Vec<Vec<Cell>>), MeasurementError> {
    let mut columns = vec!["share of edges".to_owned(), "edges".to_owned()];
    columns.extend(orders.iter().map(|of| of.name.clone()));
    columns.push("heads, ranked by effect".to_owned());
    let ranked = orders.first().map(|of| kept_heads(&of.curve.order)).unwrap_or_default();
    let mut rows = Vec::new();
    for (at, share) in THRESHOLDS.into_iter().enumerate() {
        let mut row = vec![number(share), words(kept_edges(share, edges)?.to_string())];
        row.extend(orders.iter().map(|of| number(of.curve.faithfulness.get(at).copied())));
        row.push(words(ranked.get(at).map(|heads| listed(heads)).unwrap_or_default()));
        rows.push(row);
    }
    Ok((columns, rows))
}
