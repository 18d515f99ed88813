//! Figures 2 and 5: what the weights change.

use crate::papers::sfc::format_ratio;
use crate::papers::sfc::metric::score::{PROFILES, Weights};

use super::{ScoredReport, point_name, score_point, sole_best_index};
use crate::order::argsort_descending;
use crate::papers::sfc::Point;
use crate::plot::format::fixed3;
use crate::plot::{Axis, Bar, BarFill, BarGroup, BarSeries, Bars, Chart, ChartBody, ColourRole, HeatRow, Heatmap};

const SPARSITY_HEAVY: Weights = PROFILES[1].weights;
const FIDELITY_HEAVY: Weights = PROFILES[2].weights;

/// Figure 2.
pub(crate) fn rankings_chart(study: &ScoredReport<'_>) -> Chart {
    let mut profiles = vec![
        ("sparsity-heavy", SPARSITY_HEAVY, ColourRole::Sparsity, BarFill::Striped),
        ("equal", Weights::EQUAL, ColourRole::Score, BarFill::Solid),
        ("fidelity-heavy", FIDELITY_HEAVY, ColourRole::Fidelity, BarFill::Split),
    ];
    if !profiles.iter().any(|(_, w, ..)| w.is_proportional_to(study.weights)) {
        profiles.push(("yours", study.weights, ColourRole::Yours, BarFill::Hollow));
    }
    let mut winners = Vec::new();
    let series: Vec<BarSeries> = profiles
        .into_iter()
        .map(|(label, weights, role, fill)| {
            let scores = study.main_scores(weights);
            let first = sole_best_index(&scores);
            let (leaders, score) = study.best_points(weights);
            let winner = match leaders.as_slice() {
                [] => None,
                [only] => Some(format!("{} {}", point_name(only), fixed3(score))),
                tied => Some(format!("{} tie at {}", tied.len(), fixed3(score))),
            };
            if let Some(winner) = &winner {
                winners.push(format!("{label} {}: {winner}", format_ratio(weights)));
            }
            let bar =
                |(i, score): (usize, &f64)| Some(Bar { value: *score, text: fixed3(*score), best: first == Some(i) });
            let bars = scores.iter().enumerate().map(bar).collect();
            let name = format!("{label} {}", format_ratio(weights));
            BarSeries { note: winner, ..BarSeries::new(&name, role, fill, bars) }
        })
        .collect();
    let summary = if winners.is_empty() {
        "There is no score above zero to rank.".to_owned()
    } else {
        format!("Best decomposition by weights: {}.", winners.join("; "))
    };
    let caption = format!(
        "SFC of every decomposition of {}, under different weights. A triangle marks the best \
         under each, where one is best alone.",
        study.describe_network()
    );
    let values = series.iter().flat_map(|s| s.bars.iter().flatten().map(|b| b.value));
    let body = ChartBody::Bars(Bars {
        x_title: "decomposition, by sparsity level".to_owned(),
        y: Axis::unit_range("SFC", "SFC", values),
        groups: study.points.iter().map(|p| BarGroup { label: point_name(p), detail: None, role: None }).collect(),
        series,
    });
    Chart::new("fig2", "Figure 2. Rankings under three weight profiles", summary, caption, body)
}

/// Figure 5.
pub(crate) fn heatmap_chart(study: &ScoredReport<'_>) -> Chart {
    // Ties stay in order of level.
    let order = argsort_descending(study.points.iter().map(|p| score_point(p, Weights::EQUAL)));
    let order: Vec<&Point> = order.into_iter().map(|index| study.points[index]).collect();
    let row = |label: &str, weights: Weights| {
        let values: Vec<f64> = order.iter().map(|p| score_point(p, weights)).collect();
        HeatRow { label: label.to_owned(), detail: Some(format_ratio(weights)), best: sole_best_index(&values), values }
    };
    let mut rows: Vec<HeatRow> = PROFILES.iter().map(|p| row(label_without_ratio(p.label), p.weights)).collect();
    if profile_index(study.weights).is_none() {
        rows.push(row("Yours", study.weights));
    }
    let columns: Vec<String> = order.iter().map(|p| point_name(p)).collect();
    let wins = |c: usize| rows.iter().filter(|r| r.best == Some(c)).count();
    let favourite = (0..columns.len()).max_by_key(|c| (wins(*c), std::cmp::Reverse(*c)));
    let summary = match favourite.and_then(|c| Some((columns.get(c)?, wins(c)))) {
        Some((_, 0)) => "No decomposition is the best alone under any weights.".to_owned(),
        Some((column, wins)) => {
            format!("{column} is the best under {wins} of {} weight profiles.", rows.len())
        }
        None => "There is no decomposition to score.".to_owned(),
    };
    let caption = "SFC under every weight profile (rows, S:F:C) of every decomposition (columns, \
                   best under equal weights first). The marked cell is the best of its row; none \
                   is where several tie."
        .to_owned();
    let top = rows.iter().flat_map(|r| r.values.iter().copied()).fold(1.0, f64::max);
    let body = ChartBody::Heatmap(Heatmap {
        x_title: "decomposition, best under equal weights first".to_owned(),
        y_title: "weights S:F:C".to_owned(),
        value_title: "SFC".to_owned(),
        columns,
        rows,
        min: 0.0,
        max: top,
        decimals: 3,
    });
    Chart::new("fig5", "Figure 5. Sensitivity to the weights", summary, caption, body)
}

/// Which of the paper's profiles some weights are; none where they are a reader's own.
pub(crate) fn profile_index(weights: Weights) -> Option<usize> {
    PROFILES.iter().position(|profile| profile.weights.is_proportional_to(weights))
}

/// A profile's label without its ratio: "Equal" of "Equal (1:1:1)".
pub(crate) fn label_without_ratio(label: &str) -> &str {
    label.split_once(" (").map_or(label, |(plain, _)| plain)
}
