//! What counts as used: other scores, other thresholds, features of autoencoders.

use super::super::experiment::{AblationCurves, Agreement, Band, RandomAblationPoint, SelectionRule};
use super::experiments::{curve_series, format_interval};
use super::toy_model::not_measured_chart;
use super::{MuiSource, SERIES_MARKERS, SERIES_ROLES, p_value_cell};
use crate::plot::cells::{number_cell, parse_columns, table_chart, text_cell};
use crate::plot::format::fixed;
use crate::plot::{
    Axis, Chart, ChartBody, ColourRole, CurveBand, Datum, HeatRow, Heatmap, Lines, Series, Stroke, TableCell, x_values,
};

/// A coefficient and its p, as cells.
fn coefficient_cells(found: Option<Agreement>) -> [TableCell; 4] {
    [
        number_cell(found.map(|of| of.spearman), 2),
        p_value_cell(found.and_then(|of| of.spearman_p)),
        number_cell(found.map(|of| of.kendall), 2),
        p_value_cell(found.and_then(|of| of.kendall_p)),
    ]
}

pub(super) fn selection_table(source: &MuiSource<'_>) -> Chart {
    let title = "How other scores and thresholds order the tasks";
    let experiments = &source.report.experiments;
    let Some(found) = &experiments.selection else {
        return not_measured_chart("mui-selection", title);
    };
    let row = |(at, way): (usize, &SelectionRule)| HeatRow {
        label: format!("{}. {}", at + 1, way.score),
        detail: Some(way.threshold.clone()),
        values: found
            .ways
            .iter()
            .map(|other| Agreement::between(&way.tasks, &other.tasks).map_or(0.0, |of| of.spearman))
            .collect(),
        best: None,
    };
    let body = ChartBody::Heatmap(Heatmap {
        x_title: "way".to_owned(),
        y_title: "way".to_owned(),
        value_title: "Spearman’s coefficient".to_owned(),
        columns: (1..=found.ways.len()).map(|at| at.to_string()).collect(),
        rows: found.ways.iter().enumerate().map(row).collect(),
        min: -1.0,
        max: 1.0,
        decimals: 2,
    });
    let caption = "Spearman’s coefficient of the ten tasks’ indices at the opened checkpoint, of every two ways to say which neurons \
                   count as used (Tables 11 to 17 of the paper, which have models in the place of tasks). Where an index is \
                   the same for all tasks, 0 is drawn."
        .to_owned();
    Chart::new("mui-selection", title, experiments.describe_figure("mui-selection"), caption, body)
}

pub(super) fn rules_table(source: &MuiSource<'_>) -> Chart {
    let title = "Other scores and thresholds against the usual one";
    let Some(found) = &source.report.experiments.selection else {
        return not_measured_chart("mui-ways", title);
    };
    let Some(usual) = found.ways.first() else { return not_measured_chart("mui-ways", title) };
    let row = |(at, way): (usize, &SelectionRule)| {
        let mut low_high = way.tasks.clone();
        low_high.sort_by(f64::total_cmp);
        let ends = low_high.first().zip(low_high.last());
        let ends = ends
            .map_or("–".to_owned(), |(low, high)| format!("{}–{}", fixed(100.0 * low, 1), fixed(100.0 * high, 1)));
        let other = |a: &[f64], b: &[f64]| Agreement::between(a, b).filter(|_| at > 0);
        let mut row =
            vec![text_cell(format!("{}. {}", at + 1, way.score)), text_cell(&*way.threshold), text_cell(ends)];
        row.extend(coefficient_cells(other(&usual.tasks, &way.tasks)));
        row.extend(coefficient_cells(other(&usual.checkpoints, &way.checkpoints)).into_iter().take(2));
        row
    };
    let mut rows: Vec<Vec<TableCell>> = found.ways.iter().enumerate().map(row).collect();
    let control = format_interval(found.permuted.map(|band| (band.low, band.high)));
    let mut last = vec![text_cell("tasks in random order"), text_cell(""), text_cell(""), text_cell(&*control)];
    last.extend((0..5).map(|_| text_cell("")));
    rows.push(last);
    let summary = format!(
        "{} ways, each against the first over ten tasks and {} checkpoints; with the tasks in random order Spearman’s coefficient goes from {control}.",
        found.ways.len(),
        found.checkpoints.len()
    );
    let caption = "The lowest and the highest index of a task, in percent; how the tasks are ordered, and how the checkpoints of the \
                   training are, by their mean over tasks with 32 prompts at most. Checkpoints of one training are not \
                   independent, so that their p is too small."
        .to_owned();
    let columns =
        parse_columns("score | threshold | >MUI (%) | >ρ of tasks | >p | >τ of tasks | >p | >ρ of checkpoints | >p");
    table_chart("mui-ways", title, [summary, caption], columns, rows)
}

pub(super) fn scores_chart(source: &MuiSource<'_>) -> Chart {
    let caption = "Accuracy as ever more neurons say nothing: those that the task’s answers use by each score at k = 1, 2, 5, 10 and 20 \
                   of each layer; random ones of whichever layer, three draws each (Figures 22 to 26 of the paper). Up to 64 \
                   prompts of the task and 16 of each of the others.";
    let words = ["mui-scores", "Without the neurons that each score selects", caption];
    ablation_chart(source, source.report.experiments.scores.as_ref(), words)
}

pub(super) fn thresholds_chart(source: &MuiSource<'_>) -> Chart {
    let caption = "Accuracy as ever more neurons say nothing: those that the task’s answers use by each kind of threshold under the \
                   chosen score, ever wider; random ones of whichever layer, three draws each (Figures 22 to 26 of the \
                   paper). A share of each layer’s neurons is a k of its own, and is not drawn. Up to 64 prompts of the \
                   task and 16 of each of the others.";
    let words = ["mui-cutoffs", "Without the neurons that each threshold selects", caption];
    ablation_chart(source, source.report.experiments.cutoffs.as_ref(), words)
}

fn ablation_chart(source: &MuiSource<'_>, found: Option<&AblationCurves>, [id, title, caption]: [&str; 3]) -> Chart {
    let Some(found) = found else { return not_measured_chart(id, title) };
    let datum = |neurons: usize, share: f64, label: String| Datum { x: neurons as f64, y: 100.0 * share, label };
    let mut all = Vec::new();
    for (at, of) in found.curves.iter().enumerate() {
        for (own, stroke) in [(true, Stroke::Solid), (false, Stroke::Dashed)] {
            let whole = if own { found.own } else { found.others };
            let mut points = vec![datum(0, whole, "no neuron off".to_owned())];
            points.extend(
                of.cuts.iter().map(|cut| datum(cut.neurons, if own { cut.own } else { cut.others }, cut.at.clone())),
            );
            let task = if own { &*found.task } else { "other tasks" };
            let name = format!("{}, {task}", of.name);
            let role = SERIES_ROLES[at % SERIES_ROLES.len()];
            all.push(Series::new(&name, role, stroke, SERIES_MARKERS[at % SERIES_MARKERS.len()], points));
        }
    }
    let mut random = |name: String, stroke, whole: f64, of: fn(&RandomAblationPoint) -> Band| {
        let mut points = vec![datum(0, whole, "no neuron off".to_owned())];
        let mut edges = vec![(100.0 * whole, 100.0 * whole)];
        for cut in &found.random {
            let band = of(cut);
            points.push(datum(cut.neurons, band.mean, format!("{} at random", cut.neurons)));
            edges.push((100.0 * band.low, 100.0 * band.high));
        }
        let band = CurveBand { name: "over the draws".to_owned(), edges };
        all.push(curve_series(name, ColourRole::Neutral, stroke, points, Some(band)));
    };
    random(format!("random, {}", found.task), Stroke::Solid, found.own, |cut| cut.own);
    random("random, other tasks".to_owned(), Stroke::Dotted, found.others, |cut| cut.others);
    let most = x_values(&all).fold(1.0, f64::max);
    let x = Axis::from_zero("neurons off", most).with_symbol("off");
    let y = Axis::from_zero("accuracy (%)", 100.0).with_symbol("accuracy");
    let body = ChartBody::Lines(Lines::curves_only(x, y, all));
    Chart::new(id, title, source.report.experiments.describe_figure(id), caption.to_owned(), body)
}

pub(super) fn features_table(source: &MuiSource<'_>) -> Chart {
    let title = "The index by features of autoencoders";
    let experiments = &source.report.experiments;
    let Some(found) = &experiments.features else {
        return not_measured_chart("mui-features", title);
    };
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    let mean = |values: &[f64]| number_cell(crate::statistics::mean(values).ok().map(|mean| 100.0 * mean), 1);
    for of in &found.dictionaries {
        let [active, contributing] = found.agreements_with_neurons(of);
        let mut row = vec![
            text_cell(&*of.label),
            text_cell(if of.control { "control" } else { "trained" }),
            text_cell(of.latents.to_string()),
            mean(&of.active),
        ];
        row.extend(coefficient_cells(active).into_iter().take(2));
        row.push(mean(&of.contributing));
        row.extend(coefficient_cells(contributing).into_iter().take(2));
        rows.push(row);
    }
    let mut neurons = vec![text_cell("neurons"), text_cell(""), text_cell("576"), mean(&found.neurons)];
    neurons.extend((0..5).map(|_| text_cell("")));
    rows.push(neurons);
    let control = format_interval(found.permuted.map(|band| (band.low, band.high)));
    let mut last = vec![
        text_cell("tasks in random order"),
        text_cell("control"),
        text_cell(""),
        text_cell(""),
        text_cell(control),
    ];
    last.extend((0..4).map(|_| text_cell("")));
    rows.push(last);
    let caption = format!(
        "Of each answer the {} most active features of the residual stream after the second layer, where neurons are read, too, as \
         the paper has it (Eq. 5, 6); beside it those that add most to the word’s logit directly, the latent times its \
         direction times W_U. The index is the mean over the ten tasks, at ck-12000; ρ is over the tasks, against the \
         index by neurons. The paper takes 50 of 131,072 features; of 256 that would be none.",
        found.k
    );
    let columns =
        parse_columns("dictionary |  | >features | >MUI, active (%) | >ρ | >p | >MUI, contributing (%) | >ρ | >p");
    table_chart("mui-features", title, [experiments.describe_figure("mui-features"), caption], columns, rows)
}

pub(super) fn agreements_table(source: &MuiSource<'_>) -> Chart {
    let title = "Does PUR order models better?";
    let experiments = &source.report.experiments;
    let Some(found) = &experiments.models else { return not_measured_chart("mui-models", title) };
    let mut rows: Vec<Vec<TableCell>> = found
        .rank_agreements()
        .into_iter()
        .map(|order| {
            let [rho, p, tau, _] = coefficient_cells(order.agreement);
            let [interval, above] =
                [order.spearman_interval, order.gain_interval].map(|ends| text_cell(format_interval(ends)));
            vec![text_cell(order.name), rho, interval, p, tau, above]
        })
        .collect();
    let control = format_interval(found.permuted.map(|band| (band.low, band.high)));
    rows.push(vec![
        text_cell("performance, in random order"),
        text_cell("–"),
        text_cell(control),
        text_cell("–"),
        text_cell("–"),
        text_cell("–"),
    ]);
    let caption = format!(
        "{} models: smaller ones of several widths, depths, seeds and lengths of training, and the toy model along \
         its training. They are ordered by their means over the ten tasks, at α = {}, and held against accuracy on tests \
         with more items than any training showed. Bands are over resamples of the models, 95 %; over random orders, \
         from the lowest to the highest.",
        found.models.len(),
        found.alpha
    );
    let columns = parse_columns("ordered by | >ρ | >95 % | >p | >τ | >ρ above performance’s, 95 %");
    table_chart("mui-models", title, [experiments.describe_figure("mui-models"), caption], columns, rows)
}

pub(super) fn ranked_table(source: &MuiSource<'_>) -> Chart {
    let title = "The models that are ordered";
    let Some(found) = &source.report.experiments.models else {
        return not_measured_chart("mui-ranked", title);
    };
    let mut models: Vec<_> = found.models.iter().collect();
    models.sort_by(|a, b| b.truth.total_cmp(&a.truth));
    let rows: Vec<Vec<TableCell>> = models
        .iter()
        .map(|model| {
            vec![
                text_cell(&*model.name),
                text_cell(model.neurons.to_string()),
                text_cell(model.k.to_string()),
                number_cell(Some(100.0 * model.accuracy), 1),
                number_cell(Some(100.0 * model.mui), 1),
                number_cell(Some(model.pur), 1),
                number_cell(Some(100.0 * model.truth), 1),
            ]
        })
        .collect();
    let summary = match (models.first(), models.last()) {
        (Some(best), Some(worst)) => format!(
            "On harder tests {} is best with {} %, {} worst with {} %.",
            best.name,
            fixed(100.0 * best.truth, 1),
            worst.name,
            fixed(100.0 * worst.truth, 1)
        ),
        _ => String::new(),
    };
    let caption =
        "By accuracy on harder tests: recall of 5, 6 and 7, copy of 9, 11 and 13 items. w24-l2 has width 24 and two \
                   layers, and was trained for 6,000 steps unless its name says otherwise. k is the same share of a \
                   layer’s neurons as of the toy model’s, rounded: the index depends on it."
            .to_owned();
    let columns = parse_columns("model | >neurons | >k | >accuracy (%) | >MUI (%) | >PUR | >harder tests (%)");
    table_chart("mui-ranked", title, [summary, caption], columns, rows)
}
