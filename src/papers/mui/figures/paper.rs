//! The paper's tables.

use std::sync::OnceLock;

use super::super::claims::{
    BASE_MODELS, SPECIALISED, Step, Verdict, all_steps, claims, law as law_of, law_points, steps,
};
use super::super::metric::{Direction, pur};
use super::super::printed::{
    DATA_SETS, Row, TABLE_1, TABLE_5, TABLE_8, TABLE_9, TABLE_10, TABLE_11, TABLE_12, TABLE_13,
    TABLE_14,
};
use super::super::settings::{NONE, REFERENCES};
use super::super::tables::{ALPHA, COEFFICIENTS, Derived, coefficients, implied, row};
use super::{
    ROLES, Source, arrow, beginnings, datum, law_cells, law_series, law_words, path as path_of,
    plane,
};
use crate::order::falling;
use crate::plot::cells::{columns, number, table, text};
use crate::plot::format::{counted, fixed, fixed3};
use crate::plot::{
    Axis, Body, Chart, CurveBand, Datum, Highlight, Lines, Marker, Role, Scatter, Series, Status,
    Stroke, TableCell, band_edges, extent,
};
use crate::statistics::{StatisticsError, kendall_tau_b, mean, spearman};

/// A trend is significant where its p is below this.
const SIGNIFICANT: f64 = 0.05;

pub(super) fn claims_table(_: &Source<'_>) -> Chart {
    let all = claims();
    let rows = all.iter().map(|claim| {
        let verdict = match claim.verdict {
            Verdict::Holds => "holds",
            Verdict::Partly => "in part",
            Verdict::Fails => "does not",
            Verdict::Open => "open",
        };
        let count = claim.count.map_or("–".to_owned(), |(of, all)| format!("{of} of {all}"));
        vec![text(&*claim.id), text(&*claim.place), text(verdict), text(count)]
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
    let columns = columns("claim | where | holds | >cases");
    table("mui-claims", "Claims", [summary, caption.to_owned()], columns, rows.collect())
}

/// What kind of number a cell is: "PUR", "Spearman", "repeated".
fn kind(cell: &Derived) -> (String, String) {
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

pub(super) fn derived_table(source: &Source<'_>) -> Chart {
    let mut kinds: Vec<((String, String), [usize; 3])> = Vec::new();
    for cell in source.derived {
        let kind = kind(cell);
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
        let mut row = vec![text(place), text(what), text(total.to_string())];
        row.extend(
            counts.map(|count| text(if count == 0 { "–".to_owned() } else { count.to_string() })),
        );
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
    let columns = columns("where | what | >numbers | >agree | >within rounding | >differ");
    table(
        "mui-derived",
        "What follows from what is printed",
        [summary, caption],
        columns,
        rows.collect(),
    )
}

pub(super) fn differing(source: &Source<'_>) -> Chart {
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
            let examined = cell.table.starts_with("Table") && !COEFFICIENTS.contains(&&*cell.row);
            let rounding = match (examined, cell.possible) {
                (false, _) => "not examined",
                (true, true) => "explains it",
                (true, false) => "does not",
            };
            let words = [&*cell.table, &*cell.row, &*cell.column].map(text);
            words.into_iter().chain([derived, text(rounding)]).collect()
        })
        .collect();
    let summary = format!(
        "{} of {} derived numbers differ from the printed ones.",
        rows.len(),
        source.derived.len()
    );
    let caption = "Spearman’s coefficients of Appendix B.6.3 are given in every way of averaging that we know; \
                   none gives the printed number. Rounding: whether that of the inputs can explain the difference."
        .to_owned();
    let columns = columns("where | row | column | >derived | rounding");
    table("mui-differs", "Every number that differs", [summary, caption], columns, rows)
}

pub(super) fn law(source: &Source<'_>) -> Chart {
    let settings = &source.report.settings;
    let (at, without) = (settings.data_set(), settings.without.as_str());
    let points = law_points(at, without);
    let mut series = Vec::new();
    let fit = law_of(at, without);
    let least = points.iter().map(|point| point.1).fold(100.0, f64::min);
    if let Some(fit) = &fit {
        series.push(law_series(fit, least));
    }
    for (place, (model, accuracy, index)) in points.iter().enumerate() {
        let role = ROLES[place % ROLES.len()];
        let marker = [Marker::Circle, Marker::OpenSquare][place / ROLES.len() % 2];
        let points = vec![datum(model, (*accuracy, *index))];
        series.push(Series::new(model, role, Stroke::None, marker, points));
    }
    // What else the table has on this data set, which the law is not fitted to.
    let others: Vec<Datum> = TABLE_5
        .iter()
        .filter(|row| !points.iter().any(|(model, ..)| *model == row.model))
        .filter_map(|row| Some(datum(row.model, row.entry(at)?)))
        .collect();
    series.push(Series {
        note: Some("specialised, larger, or left out".to_owned()),
        ..Series::new("not fitted", Role::Neutral, Stroke::None, Marker::OpenDiamond, others)
    });
    let said = fit.as_ref().map_or_else(|| "too few models for a law".to_owned(), law_words);
    let was_in = law_points(at, NONE).iter().any(|(model, ..)| *model == without);
    let left_out = if was_in { format!(", without {without}") } else { String::new() };
    let summary = format!(
        "{}: over {}{left_out}, {said}.",
        DATA_SETS[at],
        counted(points.len(), "general-purpose model")
    );
    let caption = "Accuracy and index as Table 5 prints them (Figures 2 and 12 of the paper). The dashed line \
                   is the least-squares law over the general-purpose models, with its band."
        .to_owned();
    let found = match fit.as_ref().map(|fit| (fit.line().p(), fit.line().slope())) {
        None => "too few models",
        Some((Some(p), slope)) if p < SIGNIFICANT && slope < 0.0 => {
            "the index falls as accuracy rises"
        }
        Some((Some(p), _)) if p < SIGNIFICANT => "the index rises with accuracy",
        Some(_) => "no significant trend",
    };
    plane(
        "mui-law",
        &format!("The law on {}: {found}", DATA_SETS[at]),
        [summary, caption],
        series,
        true,
    )
}

pub(super) fn laws(source: &Source<'_>) -> Chart {
    let without = source.report.settings.without.as_str();
    let mut clear = 0;
    let rows: Vec<Vec<TableCell>> = DATA_SETS
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let fit = law_of(at, without);
            let falls = fit.as_ref().is_some_and(|fit| {
                fit.line().slope() < 0.0 && fit.line().p().is_some_and(|p| p < SIGNIFICANT)
            });
            clear += usize::from(falls);
            // How far the slope moves when one model more is left out.
            let slopes =
                BASE_MODELS.iter().filter(|model| **model != without).filter_map(|model| {
                    let kept: Vec<(f64, f64)> = law_points(at, without)
                        .into_iter()
                        .filter(|(other, ..)| other != model)
                        .map(|(_, accuracy, index)| (accuracy, index))
                        .collect();
                    let (x, y): (Vec<f64>, Vec<f64>) = kept.into_iter().unzip();
                    Some(crate::statistics::LogFit::of(&x, &y).ok()?.line().slope())
                });
            let (low, high) = extent(slopes);
            let range = if low <= high {
                text(format!("{} … {}", fixed3(low), fixed3(high)))
            } else {
                text("–")
            };
            let mut row = vec![text(*name), text(law_points(at, without).len().to_string())];
            row.extend(law_cells(fit.as_ref()));
            row.push(range);
            row.push(text(if falls { "yes" } else { "no" }));
            row
        })
        .collect();
    let summary = format!(
        "The index falls with the logarithm of the performance more clearly than by chance on {clear} of {} data sets{}.",
        DATA_SETS.len(),
        if without == NONE { String::new() } else { format!(", fitted without {without}") }
    );
    let caption = "p is that of a slope of this size by chance (two-sided, Student’s t), uncorrected for seven tests. \
                   The range of A is over the laws with one model more left out."
        .to_owned();
    let columns = columns(
        "data set | >models | >A | >B | >r | >p | >MUI at 100 % | >A, one left out | falls (p < 0.05)",
    );
    table("mui-laws", "The law, data set by data set", [summary, caption], columns, rows)
}

pub(super) fn directions(_: &Source<'_>) -> Chart {
    let ends = [
        (Direction::Evolving, (1.0, -1.0)),
        (Direction::Accumulating, (1.0, 1.0)),
        (Direction::Coarsening, (-1.0, 1.0)),
        (Direction::Collapsing, (-1.0, -1.0)),
    ];
    let begin = || datum("before", (0.0, 0.0));
    let mut series: Vec<Series> = ends
        .iter()
        .enumerate()
        .map(|(at, (direction, end))| {
            arrow(direction.name(), at, [begin(), datum(direction.name(), *end)], None)
        })
        .collect();
    series.push(beginnings(vec![begin()]));
    let summary = "Four directions by the signs of two differences: evolving (more performance, lower index), \
                   accumulating (more, higher), coarsening (less, higher), collapsing (less, lower)."
        .to_owned();
    let caption =
        "Figure 4 of the paper. Where one of the two does not change the paper names nothing: \
                   such steps are undetermined here."
            .to_owned();
    let axis = |title: &str, symbol: &str| Axis {
        title: title.to_owned(),
        symbol: symbol.to_owned(),
        min: -1.5,
        max: 1.5,
    };
    let body = Body::Scatter(Scatter {
        x: axis("change of performance", "ΔP"),
        y: axis("change of MUI", "ΔMUI"),
        series,
        references: Vec::new(),
    });
    Chart::new("mui-directions", "Four directions", summary, caption, body)
}

pub(super) fn pre_training(source: &Source<'_>) -> Chart {
    let at = source.report.settings.data_set();
    let short = |row: &Row| row.model.trim_start_matches("OLMo-2-7B-").to_owned();
    let points: Vec<Datum> =
        TABLE_8.iter().filter_map(|row| Some(datum(&short(row), row.entry(at)?))).collect();
    let on_set = |step: &Step| step.data_set == DATA_SETS[at];
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
    let caption =
        "Table 8, checkpoint by checkpoint (Figures 6, 7 and 15 of the paper).".to_owned();
    let title = format!("A pre-training on {}", DATA_SETS[at]);
    plane("mui-pretraining", &title, [summary, caption], all, false)
}

/// Steps of pairs of rows on the opened data set.
fn arrows(source: &Source<'_>, name: &str, pairs: &[(&Row, &Row)]) -> (Vec<Series>, String) {
    let at = source.report.settings.data_set();
    let (mut series, mut begin) = (Vec::new(), Vec::new());
    let mut said = Vec::new();
    for (place, (from, to)) in pairs.iter().enumerate() {
        let step = steps(name, from, to).into_iter().find(|step| step.data_set == DATA_SETS[at]);
        let (Some(step), Some(a), Some(b)) = (step, from.entry(at), to.entry(at)) else { continue };
        let ends = [datum(from.model, a), datum(to.model, b)];
        begin.push(ends[0].clone());
        series.push(arrow(to.model, place, ends, Some(step.direction)));
        said.push(format!("{} {}", to.model, step.direction.name()));
    }
    series.push(beginnings(begin));
    (series, said.join(", "))
}

pub(super) fn specialised_models(source: &Source<'_>) -> Chart {
    let of = |model: &str| row(&TABLE_9, model);
    let pairs: Vec<(&Row, &Row)> =
        SPECIALISED.iter().filter_map(|[base, special]| of(base).zip(of(special))).collect();
    let (series, said) = arrows(source, "Table 9", &pairs);
    let set = DATA_SETS[source.report.settings.data_set()];
    let summary = format!("On {set}: {said}.");
    let caption = "From a model to what was made of it for code or mathematics (Table 9, Figure 5 of the paper): \
                   a line each, with its end marked."
        .to_owned();
    let title = format!("Specialised models on {set}");
    plane("mui-specialised", &title, [summary, caption], series, false)
}

pub(super) fn contaminated_models(source: &Source<'_>) -> Chart {
    let pairs: Vec<(&Row, &Row)> =
        TABLE_10.chunks_exact(3).flat_map(|all| [(&all[0], &all[1]), (&all[0], &all[2])]).collect();
    let (series, said) = arrows(source, "Table 10", &pairs);
    let set = DATA_SETS[source.report.settings.data_set()];
    let summary = format!("On {set}: {said}.");
    let caption = "From a model to the same trained on test samples of code (HumanEval, MBPP) or of mathematics \
                   (GSM8K, MATH): Table 10, Figure 8 of the paper."
        .to_owned();
    let title = format!("Contaminated models on {set}");
    plane("mui-contaminated", &title, [summary, caption], series, false)
}

pub(super) fn steps_table(_: &Source<'_>) -> Chart {
    let all = all_steps();
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    let mut begun: Option<(&str, &str, &str)> = None;
    for step in &all {
        let key = (step.table.as_str(), step.from.as_str(), step.to.as_str());
        if begun != Some(key) {
            begun = Some(key);
            let mut row = vec![text(&*step.table), text(&*step.to)];
            row.extend(DATA_SETS.iter().map(|_| text("–")));
            rows.push(row);
        }
        let place = DATA_SETS.iter().position(|name| *name == step.data_set);
        if let Some((cell, row)) = place.zip(rows.last_mut()) {
            row[cell + 2] = text(step.direction.name());
        }
    }
    let count =
        |direction: Direction| all.iter().filter(|step| step.direction == direction).count();
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
    let columns = columns(&format!("where | to | {}", DATA_SETS.join(" | ")));
    table("mui-steps", "Directions of every step", [summary, caption], columns, rows)
}

/// A model, its accuracy and index on each data set.
type Model = (&'static str, Vec<(f64, f64)>);

/// Accuracy and index of the models of Table 1 on its data sets: of one that Table 5 lacks, the index that its
/// PUR comes from.
fn ranked() -> Vec<Model> {
    let each = TABLE_1.iter().map(|printed| {
        let own = || {
            let indices = implied(printed).into_iter();
            printed.entries().map(|(accuracy, _)| accuracy).zip(indices).collect()
        };
        let known = row(&TABLE_5, printed.model);
        let pairs = known.map_or_else(own, |row| row.entries().take(6).collect());
        (printed.model, pairs)
    });
    each.collect()
}

/// The reference ranking as numbers that rise with rank.
fn reference(name: &str, models: &[Model]) -> Vec<f64> {
    let of = |(at, (_, pairs)): (usize, &Model)| match name {
        "accuracy" => pairs.iter().map(|pair| pair.0).sum::<f64>() / pairs.len() as f64,
        "gsm8k" => pairs.first().map_or(0.0, |pair| pair.0),
        _ => at as f64,
    };
    models.iter().enumerate().map(of).collect()
}

type Correlate = fn(&[f64], &[f64]) -> Result<crate::statistics::Correlation, StatisticsError>;

/// A coefficient with the reference, of PUR at an exponent on a data set.
fn coefficient(
    models: &[Model],
    reference: &[f64],
    (data_set, alpha): (usize, f64),
    of: Correlate,
) -> Option<f64> {
    let values: Option<Vec<f64>> = models
        .iter()
        .map(|(_, pairs)| pairs.get(data_set).and_then(|(p, m)| pur(*p, *m, alpha).ok()))
        .collect();
    of(reference, &values?).ok().map(|found| 100.0 * found.coefficient)
}

pub(super) fn ranking(source: &Source<'_>) -> Chart {
    let settings = &source.report.settings;
    let models = ranked();
    let order = reference(&settings.reference, &models);
    let as_printed = settings.alpha == ALPHA;
    let places = falling(order.iter().copied());
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
        None => text("–"),
    };
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    for (at, ((model, pairs), printed)) in models.iter().zip(&TABLE_1).enumerate() {
        let mut row = vec![text(*model)];
        row.extend(pairs.iter().zip(printed.entries()).map(|((p, m), (_, wanted))| {
            // The model that Table 5 lacks has an index only by its PUR.
            let known = super::super::tables::row(&TABLE_5, model).is_some();
            compared(pur(*p, *m, settings.alpha).ok(), (as_printed && known).then_some(wanted))
        }));
        row.push(text(rank(at).to_string()));
        rows.push(row);
    }
    let all = coefficients();
    let by_hand = settings.reference == "paper";
    let mut averages = Vec::new();
    for (kendall, name, of) in
        [(false, "Spearman", spearman as Correlate), (true, "Kendall", kendall_tau_b as Correlate)]
    {
        for (what, alpha) in [("accuracy", 0.0), ("PUR", settings.alpha)] {
            let mut row = vec![text(format!("{name}, {what}"))];
            let mut values = Vec::new();
            for data_set in 0..6 {
                let value = if what == "PUR" && as_printed {
                    // From the printed PUR, as the paper’s are.
                    let printed: Vec<f64> =
                        TABLE_1.iter().filter_map(|row| Some(row.entry(data_set)?.1)).collect();
                    of(&order, &printed).ok().map(|found| 100.0 * found.coefficient)
                } else {
                    coefficient(&models, &order, (data_set, alpha), of)
                };
                values.extend(value);
                let printed = all.iter().find(|c| {
                    c.kendall == kendall && c.ranked.name() == what && c.data_set == data_set
                });
                let printed = printed.filter(|_| by_hand && (as_printed || what == "accuracy"));
                row.push(compared(value, printed.map(|c| c.printed)));
            }
            let average = mean(&values).ok();
            averages.push(average);
            row.push(number(average, 1));
            rows.push(row);
        }
    }
    let alpha = fixed(settings.alpha, 2);
    let said =
        |at: usize| averages.get(at).copied().flatten().map_or("–".to_owned(), |v| fixed(v, 1));
    let summary = format!(
        "At α = {alpha} PUR goes with this reference at {} on average by Spearman ({} by Kendall), accuracy alone at {} ({}).",
        said(1),
        said(3),
        said(0),
        said(2)
    );
    let whose = match settings.reference.as_str() {
        "accuracy" => {
            "The reference is the mean accuracy over the six data sets: accuracy is at home here."
        }
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
    let columns = columns(&format!("model | >{data_sets} | >reference, average"));
    table(
        "mui-ranking",
        "Models by performance for use (Table 1)",
        [summary, caption],
        columns,
        rows,
    )
}

/// The coefficients, with their colours.
const BOTH: [(&str, Role, Correlate); 2] =
    [("Spearman", Role::Score, spearman), ("Kendall", Role::Extra, kendall_tau_b)];

/// The average of a coefficient over the six data sets, at an exponent.
fn average(models: &[Model], order: &[f64], alpha: f64, of: Correlate) -> Option<f64> {
    let each: Vec<f64> =
        (0..6).filter_map(|at| coefficient(models, order, (at, alpha), of)).collect();
    mean(&each).ok()
}

/// Both averages at every exponent from 0 to 2, with each model left out in turn.
fn over_alpha(order: &[f64]) -> Vec<Series> {
    const STEPS: usize = 40;
    let models = ranked();
    let without: Vec<(Vec<Model>, Vec<f64>)> = (0..models.len())
        .map(|out| {
            let kept = (0..models.len()).filter(|at| *at != out);
            kept.map(|at| (models[at].clone(), order[at])).unzip()
        })
        .collect();
    let curve = |(name, role, of): (&str, Role, Correlate)| {
        let mut points = Vec::new();
        let mut edges = Vec::new();
        for step in 0..=STEPS {
            let alpha = 2.0 * step as f64 / STEPS as f64;
            let Some(y) = average(&models, order, alpha, of) else { continue };
            points.push(Datum { x: alpha, y, label: format!("α = {}", fixed(alpha, 2)) });
            let spread = without.iter().filter_map(|(some, ranks)| average(some, ranks, alpha, of));
            edges.push(spread.fold((y, y), |(low, high), v| (low.min(v), high.max(v))));
        }
        let bands = vec![CurveBand { name: "one model left out".to_owned(), edges }];
        Series { bands, ..Series::new(name, role, Stroke::Solid, Marker::None, points) }
    };
    BOTH.into_iter().map(curve).collect()
}

pub(super) fn alpha(source: &Source<'_>) -> Chart {
    // Of each reference once: whoever drags α changes nothing of it.
    static CURVES: [OnceLock<Vec<Series>>; REFERENCES.len()] =
        [const { OnceLock::new() }; REFERENCES.len()];
    let settings = &source.report.settings;
    let models = ranked();
    let order = reference(&settings.reference, &models);
    let place = REFERENCES.iter().position(|known| known.word == settings.reference);
    let series = CURVES[place.unwrap_or(0)].get_or_init(|| over_alpha(&order)).clone();
    let at_alpha = average(&models, &order, settings.alpha, spearman);
    let best = series
        .first()
        .and_then(|s| s.points.iter().max_by(|a, b| a.y.total_cmp(&b.y)).map(|p| (p.x, p.y)));
    let y = Axis::around(
        "average correlation with the reference (%)",
        "correlation",
        band_edges(&series),
    );
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
    let caption = "Averages over the six data sets at every exponent from 0, which is accuracy alone, to 2. The bands go \
                   from the lowest to the highest with one of the nine models left out: differences smaller than \
                   these hang on a single model."
        .to_owned();
    let highlight = at_alpha.map(|y| Highlight {
        x: settings.alpha,
        y,
        label: format!("α = {}", fixed(settings.alpha, 2)),
    });
    let x = Axis { title: "α".to_owned(), symbol: "α".to_owned(), min: 0.0, max: 2.0 };
    let body = Body::Lines(Lines { highlight, ..Lines::plain(x, y, series) });
    Chart::new("mui-alpha", "How much the exponent matters", summary, caption, body)
}

pub(super) fn thresholds(source: &Source<'_>) -> Chart {
    let at = source.report.settings.data_set();
    let tables: [(&str, &str, &[Row]); 5] = [
        ("Table 5", "contribution, top 1 ‰", &TABLE_5),
        ("Table 11", "contribution, “top 1 ‰”", &TABLE_11),
        ("Table 12", "contribution, top 15", &TABLE_12),
        ("Table 13", "activation, top 10", &TABLE_13),
        ("Table 14", "gradients, from 0.95", &TABLE_14),
    ];
    let models: Vec<&str> = TABLE_11.iter().map(|row| row.model).collect();
    let of = |table: &[Row], model: &str| row(table, model).and_then(|row| row.entry(at));
    let mut rows: Vec<Vec<TableCell>> = models
        .iter()
        .map(|model| {
            let mut row = vec![text(*model)];
            row.extend(
                tables.iter().map(|(.., table)| number(of(table, model).map(|pair| pair.1), 1)),
            );
            row
        })
        .collect();
    let column = |table: &[Row]| -> Vec<f64> {
        models.iter().filter_map(|model| of(table, model).map(|pair| pair.1)).collect()
    };
    let first = column(&TABLE_11);
    let ranks: Vec<Option<f64>> = tables
        .iter()
        .map(|(.., table)| spearman(&first, &column(table)).ok().map(|found| found.coefficient))
        .collect();
    let mut last = vec![text("rank with Table 11")];
    last.extend(ranks.iter().map(|rank| number(*rank, 2)));
    rows.push(last);
    let said: Vec<String> = tables
        .iter()
        .zip(&ranks)
        .filter(|((name, ..), _)| *name != "Table 11")
        .filter_map(|((name, ..), rank)| Some(format!("{name} {}", fixed((*rank)?, 2))))
        .collect();
    let set = DATA_SETS[at];
    let summary = format!(
        "On {set} Spearman’s coefficient over five models with Table 11: {}.",
        said.join(", ")
    );
    let caption = "The index by other scores and thresholds (Tables 11 to 14, Figure 27 of the paper); ranks of five models \
                   tell little either way. The column of Table 13 on HumanEval has a slipped decimal in four rows."
        .to_owned();
    let columns = columns(&format!(
        "model | {}",
        tables.map(|(name, what, _)| format!(">{name} ~ {what}")).join(" | ")
    ));
    table(
        "mui-thresholds",
        &format!("Other thresholds on {set}"),
        [summary, caption],
        columns,
        rows,
    )
}
