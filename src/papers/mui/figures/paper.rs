//! The paper's tables.

use std::sync::OnceLock;

use super::super::claims::{
    BASE_MODELS, ModelStep, SPECIALISED_PAIRS, Verdict, all_steps, claims, fit_law as law_of, law_points, steps_between,
};
use super::super::metric::{Direction, pur};
use super::super::printed::{
    DATA_SETS, Row, TABLE_1, TABLE_5, TABLE_8, TABLE_9, TABLE_10, TABLE_11, TABLE_12, TABLE_13, TABLE_14,
};
use super::super::settings::{NO_MODEL_OMITTED, REFERENCE_CHOICES};
use super::super::tables::{COEFFICIENT_ROWS, DerivedCell, PAPER_ALPHA, coefficients, find_row, implied_mui};
use super::{
    MuiSource, SERIES_ROLES, arrow_series, arrow_start_series, describe_law, law_cells, law_series, new_datum,
    path_series as path_of, performance_chart,
};
use crate::order::argsort_descending;
use crate::plot::cells::{number_cell, parse_columns, table_chart, text_cell};
use crate::plot::format::{fixed, fixed3, format_with_noun};
use crate::plot::{
    Axis, Chart, ChartBody, ColourRole, CurveBand, Datum, Highlight, Lines, Marker, Scatter, Series, Status, Stroke,
    TableCell, band_edges, min_max,
};
use crate::statistics::{StatisticsError, kendall_tau_b, mean, spearman};

/// A trend is significant where its p is below this.
const P_SIGNIFICANT_MAX: f64 = 0.05;

pub(super) fn claims_table(_: &MuiSource<'_>) -> Chart {
    let all = claims();
    let rows = all.iter().map(|claim| {
        let verdict = match claim.verdict {
            Verdict::Holds => "holds",
            Verdict::Partly => "in part",
            Verdict::Fails => "does not",
            Verdict::Open => "open",
        };
        let count = claim.count.map_or("–".to_owned(), |(of, all)| format!("{of} of {all}"));
        vec![text_cell(&*claim.id), text_cell(&*claim.place), text_cell(verdict), text_cell(count)]
    });
    let of = |wanted: Verdict| all.iter().filter(|claim| claim.verdict == wanted).count();
    let summary = format!(
        "Of {} claims {} hold by the paper’s own tables, {} hold in part, {} do not, and {} cannot be decided by them.",
        all.len(),
        of(Verdict::Holds),
        of(Verdict::Partly),
        of(Verdict::Fails),
        of(Verdict::Open)
    );
    let caption = "In how many of the cases that a claim speaks of it holds; each in words above.";
    let columns = parse_columns("claim | where | holds | >cases");
    table_chart("mui-claims", "Claims", [summary, caption.to_owned()], columns, rows.collect())
}

/// What kind of number a cell is: "PUR", "Spearman", "repeated".
fn cell_table_and_kind(cell: &DerivedCell) -> (String, String) {
    let what = match (cell.table.as_str(), cell.row.as_str()) {
        ("Table 1", row @ ("Spearman" | "Kendall")) => {
            let whole = ["average", "Δ"].iter().find(|word| cell.column.starts_with(**word));
            whole.map_or_else(|| row.to_owned(), |word| format!("{row}, {word}"))
        }
        ("Table 1", _) if cell.column.ends_with("PUR") => "PUR".to_owned(),
        ("Table 2" | "Table 3" | "Section 3.2", _) => cell.column.clone(),
        ("Appendix B.6.3" | "Section 3.9", _) => "across methods".to_owned(),
        _ => "repeated from another table".to_owned(),
    };
    (cell.table.clone(), what)
}

pub(super) fn derived_table(source: &MuiSource<'_>) -> Chart {
    let mut kinds: Vec<((String, String), [usize; 3])> = Vec::new();
    for cell in source.derived {
        let kind = cell_table_and_kind(cell);
        let at = kinds.iter().position(|(other, _)| *other == kind).unwrap_or_else(|| {
            kinds.push((kind, [0; 3]));
            kinds.len() - 1
        });
        let column = match (cell.agrees, cell.possible) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        kinds[at].1[column] += 1;
    }
    let rows = kinds.into_iter().map(|((place, what), counts)| {
        let total: usize = counts.iter().sum();
        let mut row = vec![text_cell(place), text_cell(what), text_cell(total.to_string())];
        row.extend(counts.map(|count| text_cell(if count == 0 { "–".to_owned() } else { count.to_string() })));
        row
    });
    let total = source.derived.len();
    let agree = source.derived.iter().filter(|cell| cell.agrees).count();
    let summary = format!(
        "{agree} of {total} printed numbers that follow from other printed numbers come out to the printed digit."
    );
    let caption = "Within rounding: the printed number is not what the rounded inputs give, but what their \
                   unrounded values can give. The rest of the paper’s numbers follow from nothing printed."
        .to_owned();
    let columns = parse_columns("where | what | >numbers | >agree | >within rounding | >differ");
    table_chart("mui-derived", "What follows from what is printed", [summary, caption], columns, rows.collect())
}

pub(super) fn discrepancies_table(source: &MuiSource<'_>) -> Chart {
    let all = source.derived.iter().filter(|cell| !cell.agrees);
    let rows: Vec<Vec<TableCell>> = all
        .map(|cell| {
            let derived = TableCell {
                text: fixed(cell.derived, cell.decimals),
                printed: Some(fixed(cell.printed, cell.decimals)),
                detail: None,
                status: Status::Differs,
                exact: Some(cell.derived),
            };
            // Of a coefficient, that takes every order of what is printed the same.
            let examined = cell.table.starts_with("Table") && !COEFFICIENT_ROWS.contains(&&*cell.row);
            let rounding = match (examined, cell.possible) {
                (false, _) => "not examined",
                (true, true) => "explains it",
                (true, false) => "does not",
            };
            let words = [&*cell.table, &*cell.row, &*cell.column].map(text_cell);
            words.into_iter().chain([derived, text_cell(rounding)]).collect()
        })
        .collect();
    let summary = format!("{} of {} derived numbers differ from the printed ones.", rows.len(), source.derived.len());
    let caption = "Spearman’s coefficients of Appendix B.6.3 are given in every way of averaging that we know; \
                   none gives the printed number. Rounding: whether that of the inputs can explain the difference."
        .to_owned();
    let columns = parse_columns("where | row | column | >derived | rounding");
    table_chart("mui-differs", "Every number that differs", [summary, caption], columns, rows)
}

pub(super) fn law_chart(source: &MuiSource<'_>) -> Chart {
    let settings = &source.report.settings;
    let (at, without) = (settings.data_set_index(), settings.without.as_str());
    let points = law_points(at, without);
    let mut series = Vec::new();
    let fit = law_of(at, without);
    let least = points.iter().map(|point| point.1).fold(100.0, f64::min);
    if let Some(fit) = &fit {
        series.push(law_series(fit, least));
    }
    for (place, (model, accuracy, index)) in points.iter().enumerate() {
        let role = SERIES_ROLES[place % SERIES_ROLES.len()];
        let marker = [Marker::Circle, Marker::OpenSquare][place / SERIES_ROLES.len() % 2];
        let points = vec![new_datum(model, (*accuracy, *index))];
        series.push(Series::new(model, role, Stroke::None, marker, points));
    }
    // What else the table has on this data set, which the law is not fitted to.
    let others: Vec<Datum> = TABLE_5
        .iter()
        .filter(|row| !points.iter().any(|(model, ..)| *model == row.model))
        .filter_map(|row| Some(new_datum(row.model, row.entry(at)?)))
        .collect();
    series.push(Series {
        note: Some("specialised, larger, or left out".to_owned()),
        ..Series::new("not fitted", ColourRole::Neutral, Stroke::None, Marker::OpenDiamond, others)
    });
    let said = fit.as_ref().map_or_else(|| "too few models for a law".to_owned(), describe_law);
    let was_in = law_points(at, NO_MODEL_OMITTED).iter().any(|(model, ..)| *model == without);
    let left_out = if was_in { format!(", without {without}") } else { String::new() };
    let summary = format!(
        "{}: over {}{left_out}, {said}.",
        DATA_SETS[at],
        format_with_noun(points.len(), "general-purpose model")
    );
    let caption = "Accuracy and index as Table 5 prints them (Figures 2 and 12 of the paper). The dashed line \
                   is the least-squares law over the general-purpose models, with its band."
        .to_owned();
    let found = match fit.as_ref().map(|fit| (fit.line().p(), fit.line().slope())) {
        None => "too few models",
        Some((Some(p), slope)) if p < P_SIGNIFICANT_MAX && slope < 0.0 => "the index falls as accuracy rises",
        Some((Some(p), _)) if p < P_SIGNIFICANT_MAX => "the index rises with accuracy",
        Some(_) => "no significant trend",
    };
    performance_chart("mui-law", &format!("The law on {}: {found}", DATA_SETS[at]), [summary, caption], series, true)
}

pub(super) fn laws_table(source: &MuiSource<'_>) -> Chart {
    let without = source.report.settings.without.as_str();
    let mut clear = 0;
    let rows: Vec<Vec<TableCell>> = DATA_SETS
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let fit = law_of(at, without);
            let falls = fit
                .as_ref()
                .is_some_and(|fit| fit.line().slope() < 0.0 && fit.line().p().is_some_and(|p| p < P_SIGNIFICANT_MAX));
            clear += usize::from(falls);
            // How far the slope moves when one model more is left out.
            let slopes = BASE_MODELS.iter().filter(|model| **model != without).filter_map(|model| {
                let kept: Vec<(f64, f64)> = law_points(at, without)
                    .into_iter()
                    .filter(|(other, ..)| other != model)
                    .map(|(_, accuracy, index)| (accuracy, index))
                    .collect();
                let (x, y): (Vec<f64>, Vec<f64>) = kept.into_iter().unzip();
                Some(crate::statistics::LogFit::fit(&x, &y).ok()?.line().slope())
            });
            let (low, high) = min_max(slopes);
            let range =
                if low <= high { text_cell(format!("{} … {}", fixed3(low), fixed3(high))) } else { text_cell("–") };
            let mut row = vec![text_cell(*name), text_cell(law_points(at, without).len().to_string())];
            row.extend(law_cells(fit.as_ref()));
            row.push(range);
            row.push(text_cell(if falls { "yes" } else { "no" }));
            row
        })
        .collect();
    let summary = format!(
        "The index falls with the logarithm of the performance more clearly than by chance on {clear} of {} data sets{}.",
        DATA_SETS.len(),
        if without == NO_MODEL_OMITTED { String::new() } else { format!(", fitted without {without}") }
    );
    let caption = "p is that of a slope of this size by chance (two-sided, Student’s t), uncorrected for seven tests. \
                   The range of A is over the laws with one model more left out."
        .to_owned();
    let columns =
        parse_columns("data set | >models | >A | >B | >r | >p | >MUI at 100 % | >A, one left out | falls (p < 0.05)");
    table_chart("mui-laws", "The law, data set by data set", [summary, caption], columns, rows)
}

pub(super) fn directions_chart(_: &MuiSource<'_>) -> Chart {
    let ends = [
        (Direction::Evolving, (1.0, -1.0)),
        (Direction::Accumulating, (1.0, 1.0)),
        (Direction::Coarsening, (-1.0, 1.0)),
        (Direction::Collapsing, (-1.0, -1.0)),
    ];
    let begin = || new_datum("before", (0.0, 0.0));
    let mut series: Vec<Series> = ends
        .iter()
        .enumerate()
        .map(|(at, (direction, end))| {
            arrow_series(direction.name(), at, [begin(), new_datum(direction.name(), *end)], None)
        })
        .collect();
    series.push(arrow_start_series(vec![begin()]));
    let summary = "Four directions by the signs of two differences: evolving (more performance, lower index), \
                   accumulating (more, higher), coarsening (less, higher), collapsing (less, lower)."
        .to_owned();
    let caption = "Figure 4 of the paper. Where one of the two does not change the paper names nothing: \
                   such steps are undetermined here."
        .to_owned();
    let axis =
        |title: &str, symbol: &str| Axis { title: title.to_owned(), symbol: symbol.to_owned(), min: -1.5, max: 1.5 };
    let body = ChartBody::Scatter(Scatter {
        x: axis("change of performance", "ΔP"),
        y: axis("change of MUI", "ΔMUI"),
        series,
        references: Vec::new(),
    });
    Chart::new("mui-directions", "Four directions", summary, caption, body)
}

pub(super) fn pre_training_chart(source: &MuiSource<'_>) -> Chart {
    let at = source.report.settings.data_set_index();
    let short = |row: &Row| row.model.trim_start_matches("OLMo-2-7B-").to_owned();
    let points: Vec<Datum> = TABLE_8.iter().filter_map(|row| Some(new_datum(&short(row), row.entry(at)?))).collect();
    let on_set = |step: &ModelStep| step.data_set == DATA_SETS[at];
    let said: Vec<String> = all_steps()
        .iter()
        .filter(|step| step.table == "Table 8" && on_set(step))
        .map(|step| {
            let to = step.to.trim_start_matches("OLMo-2-7B-");
            format!("to {to} {}", step.direction.name())
        })
        .collect();
    let all = path_of(["0.5T tokens", "checkpoints", "4T tokens"], points).into();
    let summary = format!("OLMo-2-7B on {}: {}.", DATA_SETS[at], said.join(", "));
    let caption = "Table 8, checkpoint by checkpoint (Figures 6, 7 and 15 of the paper).".to_owned();
    let title = format!("A pre-training on {}", DATA_SETS[at]);
    performance_chart("mui-pretraining", &title, [summary, caption], all, false)
}

/// Steps of pairs of rows on the opened data set.
fn arrows_of_pairs(source: &MuiSource<'_>, name: &str, pairs: &[(&Row, &Row)]) -> (Vec<Series>, String) {
    let at = source.report.settings.data_set_index();
    let (mut series, mut begin) = (Vec::new(), Vec::new());
    let mut said = Vec::new();
    for (place, (from, to)) in pairs.iter().enumerate() {
        let step = steps_between(name, from, to).into_iter().find(|step| step.data_set == DATA_SETS[at]);
        let (Some(step), Some(a), Some(b)) = (step, from.entry(at), to.entry(at)) else { continue };
        let ends = [new_datum(from.model, a), new_datum(to.model, b)];
        begin.push(ends[0].clone());
        series.push(arrow_series(to.model, place, ends, Some(step.direction)));
        said.push(format!("{} {}", to.model, step.direction.name()));
    }
    series.push(arrow_start_series(begin));
    (series, said.join(", "))
}

pub(super) fn specialised_chart(source: &MuiSource<'_>) -> Chart {
    let of = |model: &str| find_row(&TABLE_9, model);
    let pairs: Vec<(&Row, &Row)> =
        SPECIALISED_PAIRS.iter().filter_map(|[base, special]| of(base).zip(of(special))).collect();
    let (series, said) = arrows_of_pairs(source, "Table 9", &pairs);
    let set = DATA_SETS[source.report.settings.data_set_index()];
    let summary = format!("On {set}: {said}.");
    let caption = "From a model to what was made of it for code or mathematics (Table 9, Figure 5 of the paper): \
                   a line each, with its end marked."
        .to_owned();
    let title = format!("Specialised models on {set}");
    performance_chart("mui-specialised", &title, [summary, caption], series, false)
}

pub(super) fn contaminated_chart(source: &MuiSource<'_>) -> Chart {
    let pairs: Vec<(&Row, &Row)> =
        TABLE_10.chunks_exact(3).flat_map(|all| [(&all[0], &all[1]), (&all[0], &all[2])]).collect();
    let (series, said) = arrows_of_pairs(source, "Table 10", &pairs);
    let set = DATA_SETS[source.report.settings.data_set_index()];
    let summary = format!("On {set}: {said}.");
    let caption = "From a model to the same trained on test samples of code (HumanEval, MBPP) or of mathematics \
                   (GSM8K, MATH): Table 10, Figure 8 of the paper."
        .to_owned();
    let title = format!("Contaminated models on {set}");
    performance_chart("mui-contaminated", &title, [summary, caption], series, false)
}

pub(super) fn steps_table(_: &MuiSource<'_>) -> Chart {
    let all = all_steps();
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    let mut begun: Option<(&str, &str, &str)> = None;
    for step in &all {
        let key = (step.table.as_str(), step.from.as_str(), step.to.as_str());
        if begun != Some(key) {
            begun = Some(key);
            let mut row = vec![text_cell(&*step.table), text_cell(&*step.to)];
            row.extend(DATA_SETS.iter().map(|_| text_cell("–")));
            rows.push(row);
        }
        let place = DATA_SETS.iter().position(|name| *name == step.data_set);
        if let Some((cell, row)) = place.zip(rows.last_mut()) {
            row[cell + 2] = text_cell(step.direction.name());
        }
    }
    let count = |direction: Direction| all.iter().filter(|step| step.direction == direction).count();
    let summary = format!(
        "{} steps: {} evolving, {} accumulating, {} coarsening, {} collapsing, {} undetermined.",
        all.len(),
        count(Direction::Evolving),
        count(Direction::Accumulating),
        count(Direction::Coarsening),
        count(Direction::Collapsing),
        count(Direction::Undetermined)
    );
    let caption = "Every step of Tables 8, 9 and 10, by the printed numbers; undetermined where accuracy or index is \
                   printed the same before and after."
        .to_owned();
    let columns = parse_columns(&format!("where | to | {}", DATA_SETS.join(" | ")));
    table_chart("mui-steps", "Directions of every step", [summary, caption], columns, rows)
}

/// A model, its accuracy and index on each data set.
type ModelPairs = (&'static str, Vec<(f64, f64)>);

/// Accuracy and index of the models of Table 1 on its data sets: of one that Table 5 lacks, the index that its
/// PUR comes from.
fn models_of_table_1() -> Vec<ModelPairs> {
    let each = TABLE_1.iter().map(|printed| {
        let own = || {
            let indices = implied_mui(printed).into_iter();
            printed.entries().map(|(accuracy, _)| accuracy).zip(indices).collect()
        };
        let known = find_row(&TABLE_5, printed.model);
        let pairs = known.map_or_else(own, |row| row.entries().take(6).collect());
        (printed.model, pairs)
    });
    each.collect()
}

/// The reference ranking as numbers that rise with rank.
fn reference_ranks(name: &str, models: &[ModelPairs]) -> Vec<f64> {
    let of = |(at, (_, pairs)): (usize, &ModelPairs)| match name {
        "accuracy" => pairs.iter().map(|pair| pair.0).sum::<f64>() / pairs.len() as f64,
        "gsm8k" => pairs.first().map_or(0.0, |pair| pair.0),
        _ => at as f64,
    };
    models.iter().enumerate().map(of).collect()
}

type CorrelateFn = fn(&[f64], &[f64]) -> Result<crate::statistics::Correlation, StatisticsError>;

/// A coefficient with the reference, of PUR at an exponent on a data set.
fn pur_coefficient(
    models: &[ModelPairs],
    reference: &[f64],
    (data_set, alpha): (usize, f64),
    of: CorrelateFn,
) -> Option<f64> {
    let values: Option<Vec<f64>> =
        models.iter().map(|(_, pairs)| pairs.get(data_set).and_then(|(p, m)| pur(*p, *m, alpha).ok())).collect();
    of(reference, &values?).ok().map(|found| 100.0 * found.coefficient)
}

pub(super) fn ranking_chart(source: &MuiSource<'_>) -> Chart {
    let settings = &source.report.settings;
    let models = models_of_table_1();
    let order = reference_ranks(&settings.reference, &models);
    let as_printed = settings.alpha == PAPER_ALPHA;
    let places = argsort_descending(order.iter().copied());
    let rank = |at: usize| places.iter().position(|place| *place == at).map_or(0, |rank| rank + 1);
    let compared = |value: Option<f64>, printed: Option<f64>| match value {
        Some(value) => {
            let agrees = printed.map(|printed| fixed(value, 1) == fixed(printed, 1));
            TableCell {
                text: fixed(value, 1),
                printed: printed.map(|printed| fixed(printed, 1)),
                detail: None,
                status: match agrees {
                    Some(true) => Status::Agrees,
                    Some(false) => Status::Differs,
                    None => Status::NotCompared,
                },
                exact: Some(value),
            }
        }
        None => text_cell("–"),
    };
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    for (at, ((model, pairs), printed)) in models.iter().zip(&TABLE_1).enumerate() {
        let mut row = vec![text_cell(*model)];
        row.extend(pairs.iter().zip(printed.entries()).map(|((p, m), (_, wanted))| {
            // The model that Table 5 lacks has an index only by its PUR.
            let known = super::super::tables::find_row(&TABLE_5, model).is_some();
            compared(pur(*p, *m, settings.alpha).ok(), (as_printed && known).then_some(wanted))
        }));
        row.push(text_cell(rank(at).to_string()));
        rows.push(row);
    }
    let all = coefficients();
    let by_hand = settings.reference == "paper";
    let mut averages = Vec::new();
    for (kendall, name, of) in
        [(false, "Spearman", spearman as CorrelateFn), (true, "Kendall", kendall_tau_b as CorrelateFn)]
    {
        for (what, alpha) in [("accuracy", 0.0), ("PUR", settings.alpha)] {
            let mut row = vec![text_cell(format!("{name}, {what}"))];
            let mut values = Vec::new();
            for data_set in 0..6 {
                let value = if what == "PUR" && as_printed {
                    // From the printed PUR, as the paper’s are.
                    let printed: Vec<f64> = TABLE_1.iter().filter_map(|row| Some(row.entry(data_set)?.1)).collect();
                    of(&order, &printed).ok().map(|found| 100.0 * found.coefficient)
                } else {
                    pur_coefficient(&models, &order, (data_set, alpha), of)
                };
                values.extend(value);
                let printed = all
                    .iter()
                    .find(|c| c.is_kendall == kendall && c.ranked.name() == what && c.data_set_index == data_set);
                let printed = printed.filter(|_| by_hand && (as_printed || what == "accuracy"));
                row.push(compared(value, printed.map(|c| c.printed)));
            }
            let average = mean(&values).ok();
            averages.push(average);
            row.push(number_cell(average, 1));
            rows.push(row);
        }
    }
    let alpha = fixed(settings.alpha, 2);
    let said = |at: usize| averages.get(at).copied().flatten().map_or("–".to_owned(), |v| fixed(v, 1));
    let summary = format!(
        "At α = {alpha} PUR goes with this reference at {} on average by Spearman ({} by Kendall), accuracy alone at {} ({}).",
        said(1),
        said(3),
        said(0),
        said(2)
    );
    let whose = match settings.reference.as_str() {
        "accuracy" => "The reference is the mean accuracy over the six data sets: accuracy is at home here.",
        "gsm8k" => {
            "The reference is accuracy on GSM8K, with which, the paper says, the Arena’s scores go along at up to 0.9."
        }
        _ => {
            "The reference is the paper’s, ordered by hand and guided by its Figure 3, the plot of performance and index \
              that PUR is made of: that PUR goes along with it is partly so by construction."
        }
    };
    let caption = format!(
        "PUR = P / MUI^α from Table 5, at α = {alpha}; Llama-3-8B stands in no other table, so that its index is the one its \
         printed PUR comes from. {whose}"
    );
    let data_sets = DATA_SETS[..6].join(" | >");
    let columns = parse_columns(&format!("model | >{data_sets} | >reference, average"));
    table_chart("mui-ranking", "Models by performance for use (Table 1)", [summary, caption], columns, rows)
}

/// The coefficients, with their colours.
const COEFFICIENTS_DRAWN: [(&str, ColourRole, CorrelateFn); 2] =
    [("Spearman", ColourRole::Score, spearman), ("Kendall", ColourRole::Extra, kendall_tau_b)];

/// The average of a coefficient over the six data sets, at an exponent.
fn mean_coefficient(models: &[ModelPairs], order: &[f64], alpha: f64, of: CorrelateFn) -> Option<f64> {
    let each: Vec<f64> = (0..6).filter_map(|at| pur_coefficient(models, order, (at, alpha), of)).collect();
    mean(&each).ok()
}

/// Both averages at every exponent from 0 to 2, with each model left out in turn.
fn coefficients_over_alpha(order: &[f64]) -> Vec<Series> {
    const ALPHA_STEPS: usize = 40;
    let models = models_of_table_1();
    let without: Vec<(Vec<ModelPairs>, Vec<f64>)> = (0..models.len())
        .map(|out| {
            let kept = (0..models.len()).filter(|at| *at != out);
            kept.map(|at| (models[at].clone(), order[at])).unzip()
        })
        .collect();
    let curve = |(name, role, of): (&str, ColourRole, CorrelateFn)| {
        let mut points = Vec::new();
        let mut edges = Vec::new();
        for step in 0..=ALPHA_STEPS {
            let alpha = 2.0 * step as f64 / ALPHA_STEPS as f64;
            let Some(y) = mean_coefficient(&models, order, alpha, of) else { continue };
            points.push(Datum { x: alpha, y, label: format!("α = {}", fixed(alpha, 2)) });
            let spread = without.iter().filter_map(|(some, ranks)| mean_coefficient(some, ranks, alpha, of));
            edges.push(spread.fold((y, y), |(low, high), v| (low.min(v), high.max(v))));
        }
        let bands = vec![CurveBand { name: "one model left out".to_owned(), edges }];
        Series { bands, ..Series::new(name, role, Stroke::Solid, Marker::None, points) }
    };
    COEFFICIENTS_DRAWN.into_iter().map(curve).collect()
}

pub(super) fn alpha_chart(source: &MuiSource<'_>) -> Chart {
    // Of each reference once: whoever drags α changes nothing of it.
    static ALPHA_CURVES: [OnceLock<Vec<Series>>; REFERENCE_CHOICES.len()] =
        [const { OnceLock::new() }; REFERENCE_CHOICES.len()];
    let settings = &source.report.settings;
    let models = models_of_table_1();
    let order = reference_ranks(&settings.reference, &models);
    let place = REFERENCE_CHOICES.iter().position(|known| known.word == settings.reference);
    let series = ALPHA_CURVES[place.unwrap_or(0)].get_or_init(|| coefficients_over_alpha(&order)).clone();
    let at_alpha = mean_coefficient(&models, &order, settings.alpha, spearman);
    let best = series.first().and_then(|s| s.points.iter().max_by(|a, b| a.y.total_cmp(&b.y)).map(|p| (p.x, p.y)));
    let y = Axis::around_values("average correlation with the reference (%)", "correlation", band_edges(&series));
    let summary = match (at_alpha, best) {
        (Some(now), Some((x, most))) => format!(
            "By Spearman {} at α = {}; the most is {} at α = {}.",
            fixed(now, 1),
            fixed(settings.alpha, 2),
            fixed(most, 1),
            fixed(x, 2)
        ),
        _ => "There is no coefficient.".to_owned(),
    };
    let caption =
        "Averages over the six data sets at every exponent from 0, which is accuracy alone, to 2. The bands go \
                   from the lowest to the highest with one of the nine models left out: differences smaller than \
                   these hang on a single model."
            .to_owned();
    let highlight =
        at_alpha.map(|y| Highlight { x: settings.alpha, y, label: format!("α = {}", fixed(settings.alpha, 2)) });
    let x = Axis { title: "α".to_owned(), symbol: "α".to_owned(), min: 0.0, max: 2.0 };
    let body = ChartBody::Lines(Lines { highlight, ..Lines::curves_only(x, y, series) });
    Chart::new("mui-alpha", "How much the exponent matters", summary, caption, body)
}

pub(super) fn thresholds_table(source: &MuiSource<'_>) -> Chart {
    let at = source.report.settings.data_set_index();
    let tables: [(&str, &str, &[Row]); 5] = [
        ("Table 5", "contribution, top 1 ‰", &TABLE_5),
        ("Table 11", "contribution, “top 1 ‰”", &TABLE_11),
        ("Table 12", "contribution, top 15", &TABLE_12),
        ("Table 13", "activation, top 10", &TABLE_13),
        ("Table 14", "gradients, from 0.95", &TABLE_14),
    ];
    let models: Vec<&str> = TABLE_11.iter().map(|row| row.model).collect();
    let of = |table: &[Row], model: &str| find_row(table, model).and_then(|row| row.entry(at));
    let mut rows: Vec<Vec<TableCell>> = models
        .iter()
        .map(|model| {
            let mut row = vec![text_cell(*model)];
            row.extend(tables.iter().map(|(.., table)| number_cell(of(table, model).map(|pair| pair.1), 1)));
            row
        })
        .collect();
    let column =
        |table: &[Row]| -> Vec<f64> { models.iter().filter_map(|model| of(table, model).map(|pair| pair.1)).collect() };
    let first = column(&TABLE_11);
    let ranks: Vec<Option<f64>> =
        tables.iter().map(|(.., table)| spearman(&first, &column(table)).ok().map(|found| found.coefficient)).collect();
    let mut last = vec![text_cell("rank with Table 11")];
    last.extend(ranks.iter().map(|rank| number_cell(*rank, 2)));
    rows.push(last);
    let said: Vec<String> = tables
        .iter()
        .zip(&ranks)
        .filter(|((name, ..), _)| *name != "Table 11")
        .filter_map(|((name, ..), rank)| Some(format!("{name} {}", fixed((*rank)?, 2))))
        .collect();
    let set = DATA_SETS[at];
    let summary = format!("On {set} Spearman’s coefficient over five models with Table 11: {}.", said.join(", "));
    let caption =
        "The index by other scores and thresholds (Tables 11 to 14, Figure 27 of the paper); ranks of five models \
                   tell little either way. The column of Table 13 on HumanEval has a slipped decimal in four rows."
            .to_owned();
    let columns =
        parse_columns(&format!("model | {}", tables.map(|(name, what, _)| format!(">{name} ~ {what}")).join(" | ")));
    table_chart("mui-thresholds", &format!("Other thresholds on {set}"), [summary, caption], columns, rows)
}
