//! A report on a reader's own decomposition.

use super::{Completeness, EvaluationReport, Reading, Variance};

use crate::papers::sfc::format_ratio;
use crate::papers::sfc::metric::fidelity::FidelityMode;
use crate::plot::cells::{self, count_cell, number_cell, parse_columns};
use crate::plot::format::{fixed3, format_trimmed, format_with_noun};
use crate::plot::{
    Axis, Bar, BarFill, BarGroup, BarSeries, Bars, Bin, Chart, ChartBody, ColourRole, Histogram, Marker, Rule, Stroke,
    Table, TableCell,
};
use crate::study::{FigureSpec, find_chart_fn, lab_only};

type BuildChart = fn(&&EvaluationReport) -> Chart;

/// The figures and tables of a reader's own decomposition.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("own-score", "own", |report| score_chart(report)),
    lab_only("own-readings", "own", |report| readings_chart(report)),
    lab_only("own-measures", "own", |report| measures_table(report)),
    lab_only("own-frequencies", "own", |report| frequencies_chart(report)),
    lab_only("own-similarity", "own", |report| similarity_chart(report)),
];

/// Builds one of [`FIGURES`]; none for any other name.
pub fn evaluation_figure(id: &str, report: &EvaluationReport) -> Option<Chart> {
    find_chart_fn(FIGURES, id).map(|build| build(&report))
}

/// "150 rows × 24, K = 48, codes: topk (6)".
fn describe_data(report: &EvaluationReport) -> String {
    format!(
        "{} × {}, K = {}, codes: {}",
        format_with_noun(report.rows, "row"),
        report.dimensions,
        report.k,
        report.codes
    )
}

fn reading_label(reading: Reading) -> &'static str {
    match reading {
        Reading::RowSpace => "row space",
        Reading::Reconstruction => "reconstruction",
        Reading::ActiveSubspace => "active subspace",
    }
}

fn fidelity_label(mode: FidelityMode) -> &'static str {
    match mode {
        FidelityMode::Cosine => "cosine",
        FidelityMode::R2 => "R²",
        FidelityMode::RelMse => "1 − relative MSE",
    }
}

/// "SFC 0.874 under weights 1:1:1".
fn describe_score(report: &EvaluationReport) -> String {
    let sfc = report.sfc.map_or_else(|| "has no value".to_owned(), fixed3);
    format!("SFC {sfc} under weights {}", format_ratio(report.weights))
}

/// How a score's axes are read, without the end of the sentence.
pub(super) fn describe_axes(mode: FidelityMode, by: Reading, variance: Variance) -> String {
    format!(
        "S is 1 − L0/K, F is {}, C is by the {} over the {} variance",
        match mode {
            FidelityMode::Cosine => "the mean cosine",
            FidelityMode::R2 => "R²",
            FidelityMode::RelMse => "1 − Σ‖a − â‖² / Σ‖a‖²",
        },
        reading_label(by),
        variance.name(),
    )
}

fn describe_scoring(report: &EvaluationReport) -> String {
    let readout = if report.readout_given { "" } else { ", with the identity as the readout" };
    format!("{}{readout}.", describe_axes(report.fidelity.mode, report.reading, report.variance))
}

fn bar_group(label: &str, detail: Option<String>, role: Option<ColourRole>) -> BarGroup {
    BarGroup { label: label.to_owned(), detail, role }
}

/// The three axes, and the score.
fn score_chart(report: &EvaluationReport) -> Chart {
    let c = report.scored_completeness();
    let axes = [
        ("S", "sparsity", ColourRole::Sparsity, Some(report.sparsity.s)),
        ("F", fidelity_label(report.fidelity.mode), ColourRole::Fidelity, report.fidelity.scored_value()),
        ("C", reading_label(report.reading), ColourRole::Completeness, c.and_then(|c| c.for_variance(report.variance))),
        ("SFC", "score", ColourRole::Score, report.sfc),
    ];
    let values = axes.iter().filter_map(|axis| axis.3);
    let y = Axis::unit_range("value", "", values);
    let bars = axes.iter().map(|axis| axis.3.and_then(Bar::with_value_label)).collect();
    let series = BarSeries::new("value", ColourRole::Score, BarFill::Solid, bars);
    let groups =
        axes.iter().map(|(label, detail, role, _)| bar_group(label, Some((*detail).to_owned()), Some(*role))).collect();
    let known = |value: Option<f64>| value.map_or_else(|| "no value".to_owned(), fixed3);
    let summary = format!(
        "{}: S {}, F {}, C {}; {}.",
        describe_score(report),
        known(axes[0].3),
        known(axes[1].3),
        known(axes[2].3),
        describe_data(report)
    );
    let caption = format!("{} {}", describe_scoring(report), completeness_warning(c));
    let body = ChartBody::Bars(Bars { x_title: "axis".to_owned(), y, groups, series: vec![series] });
    Chart::new("own-score", "The score of this dictionary", summary, caption.trim().to_owned(), body)
}

/// A warning where C says nothing.
fn completeness_warning(c: Option<&Completeness>) -> &'static str {
    match c {
        Some(c) if c.identically_one => {
            "This C is 1 whatever the dictionary has learnt, as its rows span the whole space: \
             read C by another."
        }
        _ => "",
    }
}

/// C, and the score, by each reading.
fn readings_chart(report: &EvaluationReport) -> Chart {
    let all = &report.completeness;
    let of = |value: fn(&Completeness, Variance) -> Option<f64>| -> Vec<Option<f64>> {
        all.iter().map(|c| value(c, report.variance)).collect()
    };
    let (values, scores) = (of(|c, variance| c.for_variance(variance)), of(|c, _| c.sfc));
    let y = Axis::unit_range("value", "", values.iter().chain(&scores).filter_map(|value| *value));
    let bars = |values: &[Option<f64>]| values.iter().map(|value| Bar::with_value_label((*value)?)).collect();
    let groups = all
        .iter()
        .map(|c| {
            let detail = if c.identically_one {
                Some("always 1".to_owned())
            } else {
                (c.rows < report.rows).then(|| format_with_noun(c.rows, "row"))
            };
            bar_group(reading_label(c.reading), detail, None)
        })
        .collect();
    let each: Vec<String> = all
        .iter()
        .zip(&values)
        .map(|(c, value)| {
            let value = value.map_or_else(|| "no value".to_owned(), fixed3);
            let always = if c.identically_one { ", which it always is" } else { "" };
            format!("{value} by the {}{always}", reading_label(c.reading))
        })
        .collect();
    let summary = format!("C is {}.", each.join(", "));
    let caption = format!(
        "Completeness over the {} variance by three readings of Eq. 3, and the score each gives \
         under weights {}. The row space is the paper’s: all rows of the dictionary. The \
         reconstruction is what the codes give back. The active subspace is spanned by the rows \
         that are active for the input at hand.",
        report.variance.name(),
        format_ratio(report.weights)
    );
    let body = ChartBody::Bars(Bars {
        x_title: "reading".to_owned(),
        y,
        groups,
        series: vec![
            BarSeries::new("C", ColourRole::Completeness, BarFill::Hollow, bars(&values)),
            BarSeries::new("SFC", ColourRole::Score, BarFill::Solid, bars(&scores)),
        ],
    });
    Chart::new("own-readings", "Completeness C, by three readings of Eq. 3", summary, caption, body)
}

/// Everything, one measure a row.
fn measures_table(report: &EvaluationReport) -> Chart {
    let mut rows = Vec::new();
    let mut push = |name: &str, cell: TableCell, meaning: &str| {
        rows.push(vec![cells::text_cell(name), cell, cells::text_cell(meaning)]);
    };
    let (f, features) = (&report.fidelity, &report.features);
    push("SFC", number_cell(report.sfc, 3), &format!("weights {}", format_ratio(report.weights)));
    push("S", number_cell(report.sparsity.s, 3), "1 − L0/K");
    push("L0", number_cell(report.sparsity.l0, 3), "active features a row, on average");
    push("F, cosine", number_cell(f.cosine, 3), "mean cosine of a and â");
    push("F, R²", number_cell(f.r2, 3), "1 − Σ‖a − â‖² / Σ‖a − ā‖²");
    push("F, 1 − relative MSE", number_cell(f.one_minus_rel_mse, 3), "1 − Σ‖a − â‖² / Σ‖a‖²");
    for c in &report.completeness {
        let of = match c.reading {
            Reading::RowSpace => "projected on all rows of W",
            Reading::Reconstruction => "â in the place of a",
            Reading::ActiveSubspace => "projected on active rows of W",
        };
        let rows = if c.identically_one { "; always 1" } else { "" };
        for (variance, value) in [(Variance::Total, c.total), (Variance::Grand, c.grand)] {
            let name = format!("C, {}, {} variance", reading_label(c.reading), variance.name());
            let used = c.reading == report.reading && variance == report.variance;
            let meaning = format!("{}{of}{rows}", if used { "scored; " } else { "" });
            push(&name, number_cell(value, 3), &meaning);
        }
        let name = format!("SFC, {}", reading_label(c.reading));
        push(&name, number_cell(c.sfc, 3), &format!("over the {} variance", report.variance.name()));
    }
    push("fraction of variance explained", number_cell(f.frac_variance_explained, 3), "1 − Σ Var(a − â) / Σ Var(a)");
    push("shrinkage", number_cell(f.shrinkage, 3), "mean ‖â‖/‖a‖");
    push("rank", count_cell(report.rank), "of the dictionary");
    push("dead features", count_cell(features.dead), "active on no row");
    push("dense features", count_cell(features.dense), "active on over a tenth of the rows");
    push("mean largest cosine", number_cell(report.similarity.mean_max_cosine, 3), "with the nearest direction");
    let summary = format!(
        "{}: {}; L0 {}, {} dead and {} dense features.",
        describe_data(report),
        describe_score(report),
        fixed3(report.sparsity.l0),
        features.dead,
        features.dense
    );
    let caption = format!(
        "Everything that was measured: {}. {} Shrinkage below 1 means that â is too short.",
        describe_data(report),
        describe_scoring(report)
    );
    let columns = parse_columns("Measure | >Value | What it is");
    let body = ChartBody::Table(Table { columns, rows, best: Some(0) });
    Chart::new("own-measures", "All measures of your decomposition", summary, caption, body)
}

/// "0.001", and "3e−6" where decimals would be many.
fn format_bound(value: f64) -> String {
    if value > 0.0 && value < 1e-3 { format!("{value:e}").replace('-', "−") } else { format_trimmed(value) }
}

/// How often features are active.
fn frequencies_chart(report: &EvaluationReport) -> Chart {
    let features = &report.features;
    let histogram = &features.frequencies;
    let bins = histogram.edges.windows(2).zip(&histogram.counts);
    // Bins below one row in all of them can hold nothing.
    let least = 1.0 / report.rows.max(1) as f64;
    let mut groups = vec![bar_group("0", Some("dead".to_owned()), Some(ColourRole::Neutral))];
    let mut counts = vec![features.dead as u64];
    for (edges, n) in bins.filter(|(edges, _)| edges[1] > least) {
        groups.push(bar_group(&format!("to {}", format_bound(edges[1])), None, None));
        counts.push(*n);
    }
    let most = counts.iter().copied().max().unwrap_or_default() as f64;
    let bars = counts.iter().map(|n| Some(Bar { value: *n as f64, text: n.to_string(), best: false })).collect();
    let series = BarSeries::new("features", ColourRole::Sparsity, BarFill::Solid, bars);
    let summary = format!(
        "Of {} {} dead and {} active on more than a tenth of {}.",
        format_with_noun(report.k, "feature"),
        if features.dead == 1 { "one is".to_owned() } else { format!("{} are", features.dead) },
        features.dense,
        format_with_noun(report.rows, "row")
    );
    let caption = "Features by the share of rows on which they are active (|c| > 10⁻⁶). Each bar \
                   goes from the bound of the one before it up to its own."
        .to_owned();
    let body = ChartBody::Bars(Bars {
        x_title: "share of rows".to_owned(),
        y: Axis::from_zero("features", most.max(5.0)),
        groups,
        series: vec![series],
    });
    Chart::new("own-frequencies", "How often features are active", summary, caption, body)
}

/// How alike directions are.
fn similarity_chart(report: &EvaluationReport) -> Chart {
    let found = &report.similarity;
    let bins: Vec<Bin> = found
        .max_cosines
        .edges
        .windows(2)
        .zip(&found.max_cosines.counts)
        .map(|(edges, n)| Bin { from: edges[0], to: edges[1], count: *n as usize })
        .collect();
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or_default() as f64;
    let rules = found.mean_max_cosine.map(|x| Rule {
        name: format!("mean {}", fixed3(x)),
        x,
        role: ColourRole::Score,
        stroke: Stroke::Solid,
        marker: Marker::Circle,
    });
    let mean = found.mean_max_cosine.map_or_else(
        || "Fewer than two features have a direction.".to_owned(),
        |mean| {
            let others = format!("a direction’s largest cosine with another is {}", fixed3(mean));
            format!("On average {others}, over {}.", format_with_noun(found.compared, "feature"))
        },
    );
    let caption = "Features by the largest cosine of their direction with any other’s: near 1 \
                   are near copies, 0 is orthogonal."
        .to_owned();
    let x = Axis {
        title: "largest cosine with another direction".to_owned(),
        symbol: "cos".to_owned(),
        min: -1.0,
        max: 1.0,
    };
    let body = ChartBody::Histogram(Histogram {
        x,
        y: Axis::from_zero("features", most.max(5.0)),
        counted: "features".to_owned(),
        bins,
        rules: rules.into_iter().collect(),
    });
    Chart::new("own-similarity", "Cosine similarity of directions", mean, caption, body)
}
