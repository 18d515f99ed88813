//! Tables 3 to 6, every computed cell beside the printed one.

use crate::papers::sfc::metric::c_gt_chance;
use crate::papers::sfc::metric::score::{PROFILES, Weights};
use crate::papers::sfc::{Cell, CellValue, Point, format_ratio, method_name};

use super::weights::{label_without_ratio, profile_index};
use super::{ScoredReport, best_indices, point_level_label, point_name, score_point, sole_best_index};
use crate::order::{argmax, argsort};
use crate::plot::cells::{self, parse_columns};
use crate::plot::format::{capitalise_name, fixed3, format_level, format_with_noun};
use crate::plot::{Chart, ChartBody, Column, Status, Table, TableCell};

/// A number that is a setting, not a result.
fn setting_cell(text: String, value: f64) -> TableCell {
    TableCell { exact: Some(value), ..cells::text_cell(text) }
}

/// A computed cell beside the printed one, where the paper prints one.
fn compared_cell(text: String, exact: Option<f64>, cell: Option<&Cell>) -> TableCell {
    TableCell {
        text,
        printed: cell.map(|c| match &c.printed {
            CellValue::Number(number) => fixed3(*number),
            CellValue::Text(text) => text.clone(),
        }),
        detail: None,
        status: match cell {
            Some(cell) if cell.agrees => Status::Agrees,
            Some(_) => Status::Differs,
            None => Status::NotCompared,
        },
        exact,
    }
}

fn number_cell(value: f64, cell: Option<&Cell>) -> TableCell {
    compared_cell(fixed3(value), Some(value), cell)
}

/// "40 of 40 compared cells agree with the paper", or nothing where none is compared.
fn describe_agreement(rows: &[Vec<TableCell>]) -> String {
    let count = |status| rows.iter().flatten().filter(|c| c.status == status).count();
    let (agree, differ) = (count(Status::Agrees), count(Status::Differs));
    if agree + differ == 0 {
        return String::new();
    }
    format!(" {agree} of {} printed cells agree.", agree + differ)
}

/// S, F, C, SFC and C_GT of a point.
fn metric_cells(study: &ScoredReport<'_>, table: &str, row: &str, p: &Point) -> Vec<TableCell> {
    let cell = |column| study.find_cell(table, row, column);
    let joint = if study.has_equal_weights() { cell("SFC") } else { None };
    vec![
        number_cell(p.sparsity, cell("S")),
        number_cell(p.fidelity, cell("F")),
        number_cell(p.completeness, cell("C")),
        number_cell(score_point(p, study.weights), joint),
        number_cell(p.c_gt, cell("C_GT")),
    ]
}

/// The columns of Tables 3 and 6.
fn metric_columns(study: &ScoredReport<'_>, first: &str) -> Vec<Column> {
    let under = if study.has_equal_weights() { String::new() } else { format!(" ~ ({})", format_ratio(study.weights)) };
    parse_columns(&format!(">{first} | >S | >F | >C | >SFC{under} | >C_GT"))
}

/// Which row a caption says is set off.
fn best_row_note(best: Option<usize>) -> &'static str {
    if best.is_some() { " The row of the highest SFC is set off." } else { "" }
}

/// Table 3.
pub(crate) fn levels_table(study: &ScoredReport<'_>) -> Chart {
    let rows: Vec<Vec<TableCell>> = study
        .points
        .iter()
        .map(|p| {
            let mut row = vec![setting_cell(format_level(p.level), p.level)];
            row.extend(metric_cells(study, "Table 3", &point_level_label(p), p));
            row
        })
        .collect();
    let best = sole_best_index(&study.main_scores(study.weights));
    let (leaders, score) = study.best_points(study.weights);
    let place = match leaders.as_slice() {
        [only] => point_level_label(only),
        tied => format!("{} that tie", format_with_noun(tied.len(), "level")),
    };
    let peak = if leaders.is_empty() {
        String::new()
    } else {
        let (weights, score) = (format_ratio(study.weights), fixed3(score));
        format!(", the highest SFC under weights {weights} being {score} at {place}")
    };
    let summary = format!(
        "S, F, C, SFC and C_GT at {}{peak}.{}",
        format_with_noun(rows.len(), "level"),
        describe_agreement(&rows)
    );
    let caption =
        format!("Every level of {}.{}{}", study.describe_network(), best_row_note(best), study.describe_readings());
    let body = ChartBody::Table(Table { columns: metric_columns(study, "λ"), rows, best });
    Chart::new("table3", "Table 3. Metrics and score by level", summary, caption, body)
}

/// Table 4.
pub(crate) fn winners_table(study: &ScoredReport<'_>) -> Chart {
    let row = |label: &str, ratio_text: String, weights: Weights| {
        let scores = study.main_scores(weights);
        let best = argmax(&scores)?;
        let mut others = scores.clone();
        *others.get_mut(best)? = f64::NEG_INFINITY;
        let winner = study.points.get(best)?;
        let score = *scores.get(best)?;
        let runner_up = argmax(&others).and_then(|i| Some((study.points.get(i)?, scores.get(i)?))).map_or_else(
            || cells::text_cell("–".to_owned()),
            |(p, score)| TableCell {
                detail: Some(fixed3(*score)),
                status: Status::NotCompared,
                exact: Some(*score),
                ..cells::text_cell(point_name(p))
            },
        );
        let cell = |column| study.find_cell("Table 4", label, column);
        let mut method = compared_cell(method_name(winner.level), None, cell("Best method"));
        let tied = best_indices(&scores).len();
        if tied > 1 {
            method.detail = Some(format!("ties with {} more", tied - 1));
        }
        Some(vec![
            TableCell { detail: Some(ratio_text), ..cells::text_cell(label_without_ratio(label).to_owned()) },
            method,
            number_cell(score, cell("Score")),
            runner_up,
        ])
    };
    let mut rows: Vec<Vec<TableCell>> =
        PROFILES.iter().filter_map(|p| row(p.label, format_ratio(p.weights), p.weights)).collect();
    let known = profile_index(study.weights);
    if known.is_none() {
        rows.extend(row("Yours", format_ratio(study.weights), study.weights));
    }
    let best = known.or(rows.len().checked_sub(1)).filter(|i| *i < rows.len());
    let (leaders, score) = study.best_points(study.weights);
    let (weights, score) = (format_ratio(study.weights), fixed3(score));
    let yours = match leaders.as_slice() {
        [] => String::new(),
        [only] => {
            format!("Under weights {weights} the best decomposition is {} with {score}.", method_name(only.level))
        }
        tied => {
            let tied = format_with_noun(tied.len(), "decomposition");
            format!("Under weights {weights}, {tied} tie with {score}.")
        }
    };
    let summary = format!("{yours}{}", describe_agreement(&rows));
    let caption = "The best decomposition under each weight profile (S:F:C), and the runner-up. \
                   The row of the weights in use is set off."
        .to_owned();
    let columns = parse_columns("Profile | Best | >Score | Runner-up");
    let body = ChartBody::Table(Table { columns, rows, best });
    Chart::new("table4", "Table 4. The best decomposition by weight profile", summary, caption, body)
}

/// Table 5.
pub(crate) fn fronts_table(study: &ScoredReport<'_>) -> Chart {
    let rows: Vec<Vec<TableCell>> = study
        .report
        .cross
        .iter()
        .map(|c| {
            let label = capitalise_name(&c.name);
            let cell = |column| study.find_cell("Table 5", &label, column);
            let front = format!("{}/{}", c.front.len(), c.points.len());
            vec![
                cells::text_cell(label.clone()),
                compared_cell(front, None, cell("Pareto")),
                number_cell(c.hypervolume_front, cell("HV(front)")),
                number_cell(c.hypervolume, cell("HV(all)")),
            ]
        })
        .collect();
    let texts: Vec<String> =
        study.report.cross.iter().map(|c| format!("{} {}", c.name, fixed3(c.hypervolume))).collect();
    let summary = format!("Hypervolumes: {}.{}", texts.join(", "), describe_agreement(&rows));
    let differs = rows.iter().flatten().any(|c| c.status == Status::Differs);
    let caption = if differs && study.report.paper_settings {
        "Pareto fronts and hypervolumes of the four networks. The fronts agree, the hypervolumes \
         do not. The paper prints no seeds: those that give Tables 3, 4 and 6 give other large, \
         dense and sparse networks, and other seeds reach what it prints. The standard network’s \
         volume is 0.8751 at full precision; the digits of Table 3 allow 0.8743 to 0.8761, and so \
         the printed 0.874 too."
    } else {
        "Pareto fronts and hypervolumes of the four networks."
    };
    let columns = parse_columns("Config | >|Pareto|/N | >HV(front) | >HV(all)");
    let title = "Table 5. Pareto fronts and hypervolumes";
    cells::table_chart("table5", title, [summary, caption.to_owned()], columns, rows)
}

/// Table 6.
pub(crate) fn sizes_table(study: &ScoredReport<'_>) -> Chart {
    let sizes = &study.report.sizes;
    let by_size = argsort(sizes.iter().map(|p| p.k as u64).collect());
    let points: Vec<&Point> = by_size.into_iter().map(|index| &sizes[index]).collect();
    let scores: Vec<f64> = points.iter().map(|p| score_point(p, study.weights)).collect();
    let rows: Vec<Vec<TableCell>> = points
        .iter()
        .map(|p| {
            let mut row = vec![setting_cell(p.k.to_string(), p.k as f64)];
            row.extend(metric_cells(study, "Table 6", &format!("K = {}", p.k), p));
            let chance = c_gt_chance(p.k, study.report.main.shape.hidden);
            row.push(setting_cell(fixed3(chance), chance));
            row
        })
        .collect();
    let best = sole_best_index(&scores);
    let span = match (points.first(), points.last()) {
        (Some(first), Some(last)) => format!(
            "From K = {} to K = {}, C_GT goes {} → {} and SFC {} → {}.",
            first.k,
            last.k,
            fixed3(first.c_gt),
            fixed3(last.c_gt),
            fixed3(score_point(first, study.weights)),
            fixed3(score_point(last, study.weights)),
        ),
        _ => "No dictionary sizes were run.".to_owned(),
    };
    let summary = format!("{span}{}", describe_agreement(&rows));
    let at = points.first().map_or_else(|| "λ = 0.50".to_owned(), |p| point_level_label(p));
    let caption = format!(
        "Dictionary sizes K of the {} network at {at}. K/D is the C_GT that a random subspace is \
         expected to have.{}{}",
        study.report.main.name,
        best_row_note(best),
        study.describe_readings()
    );
    let mut columns = metric_columns(study, "K");
    columns.extend(cells::parse_columns(">K/D"));
    let body = ChartBody::Table(Table { columns, rows, best });
    Chart::new("table6", "Table 6. Metrics and score by dictionary size", summary, caption, body)
}
