//! A comparison of decompositions: its table, and S, F and C against one another.

use super::{DecompositionRole, DecompositionRow, DecompositionsReport};
use crate::lab::evaluate::figures::describe_axes;
use crate::papers::sfc::figures::pareto::AXIS_TITLES;
use crate::papers::sfc::format_ratio;
use crate::plot::cells::{self, count_cell, number_cell, parse_columns};
use crate::plot::format::{fixed3, format_with_noun};
use crate::plot::{
    Axis, Chart, ChartBody, ColourRole as Colour, Datum, Marker, Scatter, Series, Stroke, Table, x_values, y_values,
};
use crate::study::{FigureSpec, lab_only};

type BuildChart = fn(&&DecompositionsReport) -> Chart;

/// The figures and tables of a comparison.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("decompositions-table", "own", |report| rows_table(report)),
    lab_only("decompositions-front", "own", |report| front_chart("decompositions-front", report, [0, 1])),
    lab_only("decompositions-sc", "own", |report| front_chart("decompositions-sc", report, [0, 2])),
    lab_only("decompositions-fc", "own", |report| front_chart("decompositions-fc", report, [1, 2])),
];

/// How rows are scored, in a sentence.
fn describe_scoring(report: &DecompositionsReport) -> String {
    let axes = describe_axes(report.mode, report.reading, report.variance);
    format!("{axes}, SFC under weights {}.", format_ratio(report.weights))
}

/// Which row is first, and how many are on the front.
fn summary_sentence(report: &DecompositionsReport) -> String {
    let given = report.rows.iter().filter(|row| row.role == DecompositionRole::Compared).count();
    let front = report.rows.iter().filter(|row| row.on_front == Some(true)).count();
    let first = report.rows.first().and_then(|row| Some((row, row.sfc?)));
    let first = first.map_or_else(
        || "No decomposition has a score.".to_owned(),
        |(row, sfc)| format!("{} has the highest SFC, {}.", row.name, fixed3(sfc)),
    );
    format!(
        "{} and {}: {first} {front} of {} on the front; their hypervolume is {}.",
        format_with_noun(given, "decomposition"),
        format_with_noun(report.rows.len() - given, "control"),
        if report.rows.len() == 1 { "1 is".to_owned() } else { format!("{} are", report.rows.len()) },
        fixed3(report.hypervolume)
    )
}

/// Every row with its numbers.
fn rows_table(report: &DecompositionsReport) -> Chart {
    let row = |row: &DecompositionRow| {
        let found = &row.report;
        let front = match row.on_front {
            Some(true) => "yes",
            Some(false) => "no",
            None => "–",
        };
        vec![
            cells::text_cell(&*row.name),
            cells::text_cell(row.role.name()),
            count_cell(found.k),
            number_cell(row.sfc, 3),
            number_cell(row.sparsity, 3),
            number_cell(row.fidelity, 3),
            number_cell(row.completeness, 3),
            number_cell(found.sparsity.l0, 2),
            number_cell(found.fidelity.r2, 3),
            number_cell(found.fidelity.fvu, 3),
            count_cell(found.features.dead),
            count_cell(found.features.dense),
            cells::text_cell(front),
            number_cell(row.contribution, 4),
        ]
    };
    let columns = parse_columns(
        "decomposition | role | >K | >SFC | >S | >F | >C | >L0 | >R² | >FVU | >dead | >dense | \
         front | >alone",
    );
    let caption = format!(
        "Decompositions of the same {}, by falling SFC. {} FVU is the fraction of variance unexplained, 1 − R². Dead \
         features are active on no row, dense ones on over a tenth of them. On the front is what no other row beats in S, F \
         and C; alone is the volume that this row adds to what all enclose.",
        format_with_noun(report.rows.first().map_or(0, |row| row.report.rows), "row"),
        describe_scoring(report)
    );
    let best = report.rows.first().and_then(|row| row.sfc).map(|_| 0);
    let body = ChartBody::Table(Table { columns, rows: report.rows.iter().map(row).collect(), best });
    let title = "Decompositions side by side";
    Chart::new("decompositions-table", title, summary_sentence(report), caption, body)
}

/// Two of S, F and C.
fn front_chart(id: &str, report: &DecompositionsReport, axes: [usize; 2]) -> Chart {
    let point = |row: &DecompositionRow| {
        let all = [Some(row.sparsity), row.fidelity, row.completeness];
        let [x, y] = axes.map(|axis| all[axis]);
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        Some(Datum { x: finite(x)?, y: finite(y)?, label: row.name.clone() })
    };
    let series = |name: &str, role, marker, of: &dyn Fn(&DecompositionRow) -> bool| {
        let mut points: Vec<Datum> = report.rows.iter().filter(|row| of(row)).filter_map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series::new(name, role, Stroke::None, marker, points)
    };
    let given = |row: &DecompositionRow| row.role == DecompositionRole::Compared;
    let front = |row: &DecompositionRow| row.on_front == Some(true);
    let of = |role: DecompositionRole| move |row: &DecompositionRow| row.role == role;
    let all = [
        series("on the front", Colour::Score, Marker::Circle, &|row| given(row) && front(row)),
        series("dominated", Colour::Score, Marker::OpenCircle, &|row| given(row) && !front(row)),
        series("principal components", Colour::Fidelity, Marker::Square, &of(DecompositionRole::Pca)),
        series("random directions", Colour::Neutral, Marker::OpenSquare, &of(DecompositionRole::Random)),
        series("permuted decoder", Colour::Neutral, Marker::OpenTriangle, &of(DecompositionRole::Permuted)),
    ];
    let series: Vec<Series> = all.into_iter().filter(|one| !one.points.is_empty()).collect();
    let [(x_title, first), (y_title, second)] = axes.map(|axis| AXIS_TITLES[axis]);
    let x = Axis::unit_range(x_title, first, x_values(&series));
    let y = Axis::unit_range(y_title, second, y_values(&series));
    let caption = format!(
        "Each decomposition by {first} and {second}. The front is that of S, F and C together. {}",
        describe_scoring(report)
    );
    let title = format!("Decompositions by {first} and {second}");
    let body = ChartBody::Scatter(Scatter { x, y, series, references: Vec::new() });
    Chart::new(id, &title, summary_sentence(report), caption, body)
}
