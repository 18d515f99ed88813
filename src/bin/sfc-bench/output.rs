use serde_json::json;
use sfc_bench::lab::ensemble::{Band, Ensemble, Varied};
use sfc_bench::papers::sfc::metric::c_gt_chance;
use sfc_bench::papers::sfc::{
    Cell, CellValue, Curve, Point, QUANTITIES, Report, method_name, omitted_sizes, printed as paper, profile_winners,
    sizes_to_json,
};
use sfc_bench::pareto::{Hypervolume, Objectives};
use sfc_bench::plot::{Chart, DataCell, Status};
use sfc_bench::{CompletenessReading, FidelityMode, Settings};

use crate::format::{Format, TextResult, TextTable, format_number, to_json};

/// A figure's data as on the page, under its title and above its caption.
pub fn format_chart(chart: &Chart) -> String {
    let data = chart.data_table();
    let text = |cell: &DataCell| match (&cell.printed, cell.status) {
        (Some(_), Some(Status::Agrees)) => format!("{} ✓", cell.text),
        (Some(printed), Some(Status::Differs)) => format!("{} ✗ ({printed})", cell.text),
        _ => cell.text.clone(),
    };
    let rows = TextTable {
        columns: data.columns.iter().map(|column| column.title.clone()).collect(),
        rows: data.rows.iter().map(|row| row.iter().map(text).collect()).collect(),
    };
    format!("{}\n{}{}\n", chart.title, rows.to_table(), chart.caption)
}

/// What was run; beyond the network, what differs from the paper's settings.
fn describe_run(settings: &Settings, k: usize) -> String {
    describe_run_with_seeds(&seed_labels(settings), settings, k)
}

fn seed_labels(settings: &Settings) -> [String; 2] {
    [format!("model seed {}", settings.model_seed()), format!("data seed {}", settings.data_seed())]
}

fn describe_run_with_seeds(seeds: &[String], settings: &Settings, k: usize) -> String {
    let shape = settings.shape();
    let mut heading = format!(
        "{} {} → {} → {}, circuit {}, K = {k}; {}",
        settings.config().label(),
        shape.inputs,
        shape.hidden,
        shape.outputs,
        shape.circuit,
        describe_conditions(seeds, settings),
    );
    heading.push('\n');
    heading
}

fn describe_conditions(seeds: &[String], settings: &Settings) -> String {
    let paper = Settings::default();
    let mut words = vec![format!("{} samples", settings.samples())];
    words.extend_from_slice(seeds);
    let mut differs = |differs: bool, word: String| {
        if differs {
            words.push(word);
        }
    };
    let seed = settings.completeness_seed();
    differs(seed != paper.completeness_seed(), format!("completeness seed {seed}"));
    let scale = settings.weight_scale();
    differs(scale != paper.weight_scale(), format!("weight scale {scale}"));
    let scale = settings.bias_scale();
    differs(scale != paper.bias_scale(), format!("bias scale {scale}"));
    let noise = settings.noise();
    differs(noise != paper.noise(), format!("noise {noise}"));
    differs(settings.centred(), "centred".to_owned());
    let total = settings.completeness() == CompletenessReading::Total;
    differs(total, "completeness over all rows".to_owned());
    differs(settings.fidelity() == FidelityMode::R2, "fidelity by R²".to_owned());
    differs(settings.fidelity() == FidelityMode::RelMse, "fidelity by relative MSE".to_owned());
    let weights = settings.weights();
    let ratio = weights.values().map(|weight| weight.to_string()).join(":");
    differs(weights != paper.weights(), format!("weights {ratio}"));
    words.join(", ")
}

/// Under every table of points.
const RELEVANCE_NOTE: &str = "Relevance is a definition of ours; the paper's is not identified.\n";

fn point_columns() -> Vec<&'static str> {
    ["level", "k"].into_iter().chain(QUANTITIES.iter().copied()).collect()
}

fn point_rows<'a>(format: Format, points: impl IntoIterator<Item = &'a Point>) -> TextTable {
    let mut rows = TextTable::new(&point_columns());
    rows.rows.extend(points.into_iter().map(|p| point_row(format, p)));
    rows
}

fn point_row(format: Format, p: &Point) -> Vec<String> {
    let mut row = vec![p.level.to_string(), p.k.to_string()];
    row.extend(p.quantities().map(|value| format_number(format, value)));
    row
}

pub fn format_curve(format: Format, settings: &Settings, curve: &Curve) -> TextResult {
    let rows = point_rows(format, &curve.points);
    match format {
        Format::Json => to_json(&curve.to_json(settings)),
        Format::Csv => rows.to_csv(),
        Format::Table => Ok(format!(
            "{}{}Hypervolume {:.4}; {} of {} points on the Pareto front; C_GT by chance {:.3}\n\
             {RELEVANCE_NOTE}",
            describe_run(settings, curve.k),
            rows.to_table(),
            curve.hypervolume,
            curve.front.len(),
            curve.points.len(),
            curve.c_gt_chance,
        )),
    }
}

pub fn format_sizes(format: Format, settings: &Settings, points: &[Point]) -> TextResult {
    let chance = |k| c_gt_chance(k, settings.shape().hidden);
    let left_out = omitted_sizes(settings, points);
    let mut rows = point_rows(format, points);
    rows.columns.push("c_gt_chance".to_owned());
    for (row, point) in rows.rows.iter_mut().zip(points) {
        row.push(format_number(format, chance(point.k)));
    }
    match format {
        Format::Json => to_json(&sizes_to_json(settings, points)),
        Format::Csv => rows.to_csv(),
        Format::Table => {
            let mut out = describe_run(settings, settings.k()) + &rows.to_table() + RELEVANCE_NOTE;
            if !left_out.is_empty() {
                let sizes: Vec<String> = left_out.iter().map(usize::to_string).collect();
                out += &format!("Left out, above the rank of the activations: K = {}\n", sizes.join(", "));
            }
            Ok(out)
        }
    }
}

pub fn format_weight_profiles(format: Format, settings: &Settings, curve: &Curve) -> TextResult {
    let profiles = profile_winners(&curve.points);
    let methods: Vec<String> = curve.points.iter().map(|p| method_name(p.level)).collect();
    if format == Format::Json {
        let config = json!({ "config": settings, "methods": methods, "profiles": profiles });
        return to_json(&config);
    }
    let mut columns = vec!["profile", "best", "score"];
    columns.extend(methods.iter().map(String::as_str));
    let mut rows = TextTable::new(&columns);
    for winner in &profiles {
        let mut row = vec![winner.profile.label.to_owned(), winner.method.clone(), format_number(format, winner.score)];
        row.extend(winner.scores.iter().map(|score| format_number(format, *score)));
        rows.rows.push(row);
    }
    rows.render(format, |table| describe_run(settings, curve.k) + &table)
}

pub fn format_cross_configurations(format: Format, settings: &Settings, curves: &[Curve]) -> TextResult {
    match format {
        Format::Json => to_json(&json!({ "config": settings, "curves": curves })),
        Format::Csv => {
            let mut rows = TextTable::new(&point_columns());
            rows.columns.insert(0, "config".to_owned());
            for curve in curves {
                for point in &curve.points {
                    let mut row = point_row(format, point);
                    row.insert(0, curve.name.clone());
                    rows.rows.push(row);
                }
            }
            rows.to_csv()
        }
        Format::Table => {
            let mut rows = TextTable::new(&["config", "K", "Pareto/N", "HV(front)", "HV(all)", "peak", "SFC"]);
            for curve in curves {
                let best = sfc_bench::papers::sfc::best_point(&curve.points, settings.weights());
                let peak =
                    best.map(|(index, score)| (method_name(curve.points[index].level), format_number(format, score)));
                let (method, score) = peak.unwrap_or_default();
                rows.rows.push(vec![
                    curve.name.clone(),
                    curve.k.to_string(),
                    format!("{}/{}", curve.front.len(), curve.points.len()),
                    format_number(format, curve.hypervolume_front),
                    format_number(format, curve.hypervolume),
                    method,
                    score,
                ]);
            }
            Ok(format!("{}\n{}", describe_conditions(&seed_labels(settings), settings), rows.to_table()))
        }
    }
}

pub fn format_paper(format: Format, report: &Report) -> TextResult {
    let cells = paper::compare_cells(report);
    let agree = cells.iter().filter(|cell| cell.agrees).count();
    if format == Format::Json {
        let summary = json!({ "agree": agree, "total": cells.len() });
        return to_json(&json!({ "summary": summary, "cells": cells }));
    }
    let text = |value: &CellValue| match value {
        CellValue::Number(value) => format_number(format, *value),
        CellValue::Text(text) => text.clone(),
    };
    let mut rows = TextTable::new(&["table", "row", "column", "printed", "computed", "agrees"]);
    for cell in &cells {
        rows.rows.push(vec![
            cell.table.clone(),
            cell.row.clone(),
            cell.column.clone(),
            text(&cell.printed),
            text(&cell.computed),
            if cell.agrees { "yes" } else { "NO" }.to_owned(),
        ]);
    }
    rows.render(format, |mut out| {
        let mut tables: Vec<&str> = cells.iter().map(|cell| cell.table.as_str()).collect();
        tables.dedup();
        for table in tables {
            let of_table = || cells.iter().filter(|cell: &&Cell| cell.table == table);
            let agree = of_table().filter(|cell| cell.agrees).count();
            out += &format!("{table}: {agree} of {} printed cells agree\n", of_table().count());
        }
        out + &format!("{}\n", paper::tally_cells(report, &cells).sentence)
    })
}

/// Bands of every level; in the table also winners and the paper's numbers.
pub fn format_ensemble(format: Format, found: &Ensemble) -> TextResult {
    if format == Format::Json {
        return Ok(found.to_json()?);
    }
    let summary = &found.summary;
    let band = |band: &Band| match format {
        Format::Table => format!(
            "{} ({}–{})",
            paper::format_three_decimals(band.median),
            paper::format_three_decimals(band.q05),
            paper::format_three_decimals(band.q95)
        ),
        _ => band.median.to_string(),
    };
    if format == Format::Csv {
        let columns = ["level", "quantity", "min", "q05", "q25", "median", "q75", "q95", "max"];
        let mut rows = TextTable::new(&columns);
        let mut push = |level: String, quantity: &str, band: &Band| {
            let mut row = vec![level, quantity.to_owned()];
            let values = [band.min, band.q05, band.q25, band.median, band.q75, band.q95, band.max];
            row.extend(values.map(|value| value.to_string()));
            rows.rows.push(row);
        };
        for level in &summary.levels {
            for (quantity, band) in QUANTITIES.iter().zip(level.bands()) {
                push(level.level.to_string(), quantity, band);
            }
        }
        push(String::new(), "hypervolume", &summary.hypervolume);
        push(String::new(), "peak_sfc", &summary.peak_sfc);
        return rows.to_csv();
    }

    let config = &found.plan.config;
    let [first, last] =
        [found.members.first(), found.members.last()].map(|member| member.map_or(0, |member| member.seed));
    let data = match found.plan.varied {
        Varied::Model => format!("data seed {}", config.data_seed()),
        Varied::ModelAndData => "data seeds likewise".to_owned(),
    };
    let seeds = [format!("{} model seeds from {first} to {last}", summary.members), data];
    let mut out = describe_run_with_seeds(&seeds, config, config.k());
    out += "Median and, in brackets, the middle 90 %\n";
    let mut rows = TextTable::new(&["level", "fidelity", "completeness", "c_gt", "sfc", "rate"]);
    for level in &summary.levels {
        let mut row = vec![level.level.to_string()];
        let shown = [level.fidelity, level.completeness, level.c_gt, level.sfc, level.rate];
        row.extend(shown.iter().map(band));
        rows.rows.push(row);
    }
    out += &rows.to_table();
    out += &format!("Hypervolume {}; peak SFC {}\n", band(&summary.hypervolume), band(&summary.peak_sfc));
    out += &format!("All points on the Pareto front in {} of {} seeds\n", summary.all_on_front, summary.members);
    for wins in &summary.wins {
        let mut order: Vec<_> = wins.methods.iter().zip(&wins.wins).filter(|w| *w.1 > 0).collect();
        order.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let words: Vec<String> = order.iter().map(|(method, count)| format!("{method} wins {count}")).collect();
        out += &format!("{}: {}\n", wins.profile, words.join(", "));
    }
    if !summary.printed.is_empty() {
        let mut rows = TextTable::new(&["table", "row", "column", "printed", "percentile", "members"]);
        for rank in &summary.printed {
            rows.rows.push(vec![
                rank.table.clone(),
                rank.row.clone(),
                rank.column.clone(),
                paper::format_three_decimals(rank.printed),
                format!("{:.1}", rank.percentile),
                band(&rank.band),
            ]);
        }
        out += &rows.to_table();
    }
    Ok(out)
}

/// Points whose volume is wanted.
pub struct HypervolumeInput<'a> {
    /// As the file has them.
    pub points: &'a [Objectives],
    /// As it is asked for.
    pub reference: Objectives,
    /// Whether smaller is better.
    pub minimised: bool,
}

impl HypervolumeInput<'_> {
    /// Whether a point is better than the reference in all coordinates.
    fn is_better_than_reference(&self, point: &Objectives) -> bool {
        let mut both = point.iter().zip(self.reference);
        both.all(|(x, r)| if self.minimised { *x < r } else { *x > r })
    }

    /// That no point counts, with what would.
    fn no_volume_note(&self) -> Option<String> {
        if self.points.iter().any(|point| self.is_better_than_reference(point)) {
            return None;
        }
        let (better, worse) = if self.minimised { ("below", "above") } else { ("above", "below") };
        let hint = if self.minimised {
            "Without --minimise larger is better."
        } else {
            "Where smaller is better, say --minimise."
        };
        let reference = self.reference.map(format_exact).join(", ");
        Some(format!(
            "No point is {better} the reference {reference} in all three coordinates, so the hypervolume is 0. Name \
             a --reference {worse} the points. {hint}"
        ))
    }
}

/// A number with all its digits; a very large or small one by its power of ten.
fn format_exact(value: f64) -> String {
    let size = value.abs();
    if size > 0.0 && !(1e-6..1e16).contains(&size) { format!("{value:e}") } else { value.to_string() }
}

pub fn format_hypervolume(
    format: Format,
    of: &HypervolumeInput<'_>,
    found: &Hypervolume,
    front: &[usize],
    mut notes: Vec<String>,
) -> TextResult {
    notes.extend(of.no_volume_note());
    if format == Format::Json {
        let mut members = json!({
            "direction": if of.minimised { "minimise" } else { "maximise" },
            "hypervolume": found.hypervolume,
            "front": front,
            "contributions": found.contributions,
        });
        if !notes.is_empty() {
            members["notes"] = json!(notes);
        }
        return to_json(&members);
    }
    let mut rows = TextTable::new(&["point", "x", "y", "z", "front", "contribution"]);
    for (index, (point, contribution)) in of.points.iter().zip(&found.contributions).enumerate() {
        let mut row = vec![index.to_string()];
        row.extend(point.map(format_exact));
        row.push(if front.binary_search(&index).is_ok() { "yes" } else { "no" }.to_owned());
        row.push(format_exact(*contribution));
        rows.rows.push(row);
    }
    match format {
        Format::Csv => {
            crate::progress::print_notes(&notes);
            rows.to_csv()
        }
        _ => Ok(format!(
            "{}Hypervolume {}; {} of {} points on the Pareto front; {} is better\n{}",
            rows.to_table(),
            format_exact(found.hypervolume),
            front.len(),
            of.points.len(),
            if of.minimised { "smaller" } else { "larger" },
            notes.iter().map(|sentence| format!("{sentence}\n")).collect::<String>()
        )),
    }
}
