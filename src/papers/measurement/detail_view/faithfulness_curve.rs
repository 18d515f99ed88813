//! MIB: faithfulness as edges are added in several orders.

use super::audit::shuffle_edges;
use super::circuits::join_head_names;
use super::parts::{format_value, limit_line, number_cell, plane_content, table_content, text_cell};
use super::{Cell, DetailView, PlaneSeries, Settings};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::CircuitEvaluator;
use crate::papers::measurement::metric::{
    FaithfulnessArea, THRESHOLDS, count_kept_edges, effect_lookup, faithfulness_area, head_edges, heads_at_thresholds,
    normalised_faithfulness,
};
use crate::papers::measurement::planted::{FaithfulnessCurve, FaithfulnessCurves};
use crate::plot::format::{fixed3, format_trimmed};
use crate::toy_model;
use crate::toy_model::task::test_prompts;

/// Edges in an order of some name.
struct NamedCurve {
    name: String,
    control: bool,
    /// Whether sentences leave it out.
    spare: bool,
    curve: FaithfulnessCurve,
}

pub(super) fn mib_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let model = toy_model::load_model(&settings.checkpoint)?;
    let prompts = test_prompts(settings.task(), settings.n_prompts)?;
    let mut circuits = CircuitEvaluator::new(&model, &prompts)?;
    let config = model.config();
    let pairs = head_edges(config.layers, config.heads);
    let effects = circuits.head_effects()?;
    let curves = FaithfulnessCurves::measure(&pairs, effect_lookup(&effects), |heads| circuits.faithfulness_of(heads))?;
    let all = circuits.heads().to_vec();
    let (empty, whole) = (circuits.faithfulness_of(&[])?, circuits.faithfulness_of(&all)?);
    let mut orders = vec![
        NamedCurve { name: "ranked by effect".to_owned(), control: false, spare: false, curve: curves.ranked },
        NamedCurve { name: "code order".to_owned(), control: false, spare: false, curve: curves.code },
    ];
    for seed in 1..=settings.seeds {
        let order = shuffle_edges(&pairs, seed);
        let curve = FaithfulnessCurve::measure::<MeasurementError>(order, |heads| circuits.faithfulness_of(heads))?;
        let name = format!("random order {seed}");
        orders.push(NamedCurve { name, control: true, spare: seed > 1, curve });
    }
    let mut picture = DetailView::new("mib");
    let (mut series, mut scaled) = (Vec::new(), Vec::new());
    let (mut areas, mut distances) = (Vec::new(), Vec::new());
    for NamedCurve { name, control, spare, curve } in &orders {
        add_quantities(&mut picture, name, &curve.area);
        if !spare {
            areas.push(format!("{name} {}", fixed3(curve.area.cpr)));
        }
        series.push(curve_series(name, &curve.faithfulness, *control));
        let each = curve.faithfulness.iter().map(|value| normalised_faithfulness(*value, empty, 1.0));
        if let Some(values) = each.collect::<Option<Vec<f64>>>() {
            let area = faithfulness_area(&THRESHOLDS, &values)?;
            let normalised = format!("{name}, normalised");
            add_quantities(&mut picture, &normalised, &area);
            scaled.push(curve_series(&normalised, &values, *control));
            if !spare {
                let [cpr, distance] = [area.cpr, area.cmd_abs_mib].map(fixed3);
                distances.push(format!("{name} {cpr} (distance {distance})"));
            }
        }
    }
    picture.add_quantity("no head", "faithfulness", &empty);
    picture.add_quantity("all heads", "faithfulness", &whole);
    let task = &settings.task;
    picture.add_panel(
        "Faithfulness as edges are added",
        format!("{task}: the area (CPR) is {}; without any head the faithfulness is {}.", areas.join(", "), fixed3(empty)),
        format!("The share of the mean logit difference that is there with the heads of the first edges, all others mean-ablated; {} edges, {} prompts. Half of a perfect circuit’s area lies where half of the edges or more are kept.", pairs.len(), prompts.answers.len()),
        plane_content(
            "share of edges kept",
            "faithfulness",
            series,
            vec![limit_line("no head", empty), limit_line("whole model", 1.0)],
        ),
    );
    let summary = match distances.as_slice() {
        [] => "The empty circuit does as much as the whole model, so that there is nothing to scale.".to_owned(),
        some => format!("The area is {}.", some.join(", ")),
    };
    picture.add_panel(
        "Between nothing and the whole model",
        summary,
        "The same, (f − f(∅))/(1 − f(∅)), as MIB has it: what the model does without any head is not the circuit’s."
            .to_owned(),
        plane_content(
            "share of edges kept",
            "normalised faithfulness",
            scaled,
            vec![limit_line("no head", 0.0), limit_line("whole model", 1.0)],
        ),
    );
    let (columns, rows) = thresholds_table(&orders, pairs.len())?;
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let steps: Vec<String> = orders
        .iter()
        .filter(|of| !of.spare)
        .map(|of| format!("{} {}", of.name, format_value(of.curve.area.largest_step)))
        .collect();
    picture.add_panel(
        "Threshold by threshold",
        format!("The curve rises most in one step by: {}.", steps.join(", ")),
        "Edges that each threshold keeps, one at least, and the heads at their ends when edges are ranked by the lesser |effect| of both.".to_owned(),
        table_content(&columns, rows),
    );
    Ok(picture)
}

fn add_quantities(picture: &mut DetailView, subject: &str, found: &FaithfulnessArea) {
    let mut quantities = found.quantities();
    // All curves are over the same thresholds.
    quantities.retain(|(name, _)| *name != "span");
    picture.add_quantities(subject, quantities);
}

fn curve_series(name: &str, values: &[f64], control: bool) -> PlaneSeries {
    let points = THRESHOLDS.iter().zip(values);
    let points = points.map(|(share, value)| (*share, *value, format_trimmed(*share)));
    PlaneSeries::line(name, points).with_control(control)
}

/// Headings, and a row for each threshold.
fn thresholds_table(orders: &[NamedCurve], edges: usize) -> Result<(Vec<String>, Vec<Vec<Cell>>), MeasurementError> {
    let mut columns = vec!["share of edges".to_owned(), "edges".to_owned()];
    columns.extend(orders.iter().map(|of| of.name.clone()));
    columns.push("heads, ranked by effect".to_owned());
    let ranked = orders.first().map(|of| heads_at_thresholds(&of.curve.order)).unwrap_or_default();
    let mut rows = Vec::new();
    for (at, share) in THRESHOLDS.into_iter().enumerate() {
        let mut row = vec![number_cell(share), text_cell(count_kept_edges(share, edges)?.to_string())];
        row.extend(orders.iter().map(|of| number_cell(of.curve.faithfulness.get(at).copied())));
        row.push(text_cell(ranked.get(at).map(|heads| join_head_names(heads)).unwrap_or_default()));
        rows.push(row);
    }
    Ok((columns, rows))
}
