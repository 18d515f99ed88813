//! A reader's own models.

use super::super::user_files::{GrowthPoint, NeuronsResult};
use super::toy_model::empty_chart;
use super::{MuiSource, SERIES_MARKERS, SERIES_ROLES};
use crate::plot::format::{fixed, format_with_noun};
use crate::plot::{Axis, Chart, ChartBody, Datum, Lines, Marker, Series, Stroke, x_values, y_values};

/// Files that are drawn; more curves could not be told apart.
const FILES_DRAWN_MAX: usize = SERIES_MARKERS.len();
/// Characters of a file's name that a legend has room for.
const LABEL_CHARS_MAX: usize = 36;

/// The index of each file over ever more of its answers, beside what it would be by lot.
pub(super) fn growth_chart(source: &MuiSource<'_>) -> Chart {
    let (id, title) = ("mui-own-growth", "How the index of your answers grows with their number");
    let files = source.report.own.iter().flat_map(|own| &own.files);
    let all: Vec<&NeuronsResult> = files.filter(|file| !file.growth.is_empty()).collect();
    if all.is_empty() {
        return empty_chart(id, title, ["No answers were given yet.", "no answers were given yet"]);
    }
    let mut series = Vec::new();
    let mut said = Vec::new();
    for ((file, role), marker) in all.iter().zip(SERIES_ROLES).zip(SERIES_MARKERS) {
        let name = file_label(file, &all);
        let points = |of: fn(&GrowthPoint) -> f64| -> Vec<Datum> {
            let datum = |point: &GrowthPoint| Datum {
                x: point.answers as f64,
                y: 100.0 * of(point),
                label: format_with_noun(point.answers, "answer"),
            };
            file.growth.iter().map(datum).collect()
        };
        let (found, lot) = (points(|point| point.mui), points(|point| point.by_lot));
        if let Some(last) = file.growth.last() {
            said.push(format!(
                "{name} {} % after {}, random baseline {} %",
                fixed(100.0 * last.mui, 1),
                format_with_noun(last.answers, "answer"),
                fixed(100.0 * last.by_lot, 1)
            ));
        }
        let by_lot = if all.len() == 1 { "random baseline".to_owned() } else { format!("{name}, random baseline") };
        series.push(Series::new(&name, role, Stroke::Solid, marker, found));
        series.push(Series::new(&by_lot, role, Stroke::Dotted, Marker::None, lot));
    }
    let left = if all.len() > FILES_DRAWN_MAX {
        format!(" The first {FILES_DRAWN_MAX} of {} files are drawn.", all.len())
    } else {
        String::new()
    };
    let caption = format!(
        "Exact means over all choices of so many answers of a file. The index rises or stays with more answers, whatever the \
         model can do: only indices of equally many can be compared. Random baseline: every answer draws as many neurons at random as \
         the file’s answers use in the mean, 1 − (1 − k/N)ᵀ.{left}"
    );
    let most = x_values(&series).fold(0.0, f64::max);
    let highest = y_values(&series).fold(0.0, f64::max);
    let x = Axis::from_zero("answers", most).with_symbol("T");
    let y = Axis::from_zero("MUI (%)", highest).with_symbol("MUI");
    let body = ChartBody::Lines(Lines::curves_only(x, y, series));
    Chart::new(id, title, format!("{}.", said.join("; ")), caption, body)
}

/// A file's name without its folders, unless another one has the same; cut in the middle where it is long.
fn file_label(file: &NeuronsResult, all: &[&NeuronsResult]) -> String {
    let base = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
    let short = base(&file.file);
    let alone = all.iter().filter(|other| base(&other.file) == short).count() == 1;
    let name = if alone { short } else { file.file.clone() };
    let length = name.chars().count();
    if length <= LABEL_CHARS_MAX {
        return name;
    }
    let half = LABEL_CHARS_MAX / 2;
    let (begin, end) = (name.chars().take(half), name.chars().skip(length - half));
    begin.chain(['…']).chain(end).collect()
}
