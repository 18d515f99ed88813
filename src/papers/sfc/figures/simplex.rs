//! The map of weights, and its nearest flip in words.

use crate::papers::sfc::metric::score::{PROFILES, Weights};
use crate::papers::sfc::simplex::{NormalisedWeights, Simplex, Slide, normalise_weights};
use crate::papers::sfc::{ParetoView, Report, format_ratio};

use super::weights::{label_without_ratio, profile_index};
use super::{ScoredReport, point_level_label};
use crate::order::sort_indices_descending;
use crate::plot::format::{fixed3, format_decimals};
use crate::plot::{Chart, ChartBody, Ternary, TernaryBorder, TernaryPoint, TernaryRegion, format_percent};

/// The leads at which the shade deepens.
const LEAD_STEPS: [f64; 5] = [0.005, 0.01, 0.02, 0.05, 0.1];

const WEIGHT_SYMBOLS: [&str; 3] = ["α", "β", "γ"];
const AXIS_SYMBOLS: [&str; 3] = ["S", "F", "C"];

#[inline(never)]
fn divide_simplex(study: &ScoredReport<'_>) -> Simplex {
    let points: Vec<_> = study.points.iter().map(|p| [p.sparsity, p.fidelity, p.completeness]).collect();
    Simplex::new(&points)
}

/// The names of a study's points: its levels.
#[inline(never)]
fn level_names(study: &ScoredReport<'_>) -> Vec<String> {
    study.points.iter().map(|p| point_level_label(p)).collect()
}

#[inline(never)]
fn name_at(names: &[String], index: usize) -> String {
    names.get(index).cloned().unwrap_or_default()
}

/// Who wins under some weights, in words.
#[inline(never)]
fn describe_standing(names: &[String], simplex: &Simplex, weights: Weights) -> String {
    match simplex.standing(weights) {
        None => "every score is 0".to_owned(),
        Some(standing) => match standing.runner_up {
            None => {
                format!("{} alone, SFC {}", name_at(names, standing.index), fixed3(standing.score))
            }
            Some(second) if standing.margin == 0.0 => {
                let whom = match simplex.best_indices(weights).len() {
                    ..=2 => name_at(names, second),
                    tied => format!("{} others", tied - 1),
                };
                format!("{} ties with {whom}", name_at(names, standing.index))
            }
            Some(second) => format!(
                "{} wins by {} over {}",
                name_at(names, standing.index),
                format_lead(standing.margin),
                name_at(names, second)
            ),
        },
    }
}

/// A lead, with more digits than a score where it is small.
fn format_lead(margin: f64) -> String {
    match margin {
        5e-4.. => fixed3(margin),
        // Two digits that say something.
        5e-5.. => format_decimals(margin, 5),
        5e-7.. => format_decimals(margin, 7),
        _ => "less than 0.000001".to_owned(),
    }
}

/// Which weight to move, to what: "raise S's weight from 1 to 1.62".
fn describe_slide(slide: &Slide, weights: Weights) -> String {
    let values = weights.values();
    let (Some(from), Some(axis)) = (values.get(slide.axis), AXIS_SYMBOLS.get(slide.axis)) else {
        return String::new();
    };
    if slide.weight == 0.0 && *from == 0.0 {
        return format!("give {axis} any weight at all");
    }
    if slide.weight == 0.0 {
        return format!("take all its weight from {axis}");
    }
    let raised = slide.weight >= *from;
    // Rounded away from the present weight, so that the printed one does it.
    let step = libm::pow(10.0, libm::floor(libm::log10(slide.weight)).min(0.0) - 2.0);
    let steps = slide.weight / step;
    let rounded = step * if raised { libm::floor(steps) + 1.0 } else { libm::ceil(steps) - 1.0 };
    let number = |value: f64| {
        if value > 0.0 && value < 1e-4 {
            return format!("{value:.1e}");
        }
        let text = if value >= 0.01 { format!("{value:.4}") } else { format!("{value:.6}") };
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let verb = if raised { "raise" } else { "lower" };
    format!("{verb} {axis}’s weight from {} to {}", number(*from), number(rounded))
}

/// A mix as a ratio whose least part is 1: "2.1:1:1".
fn format_normalised_weights(mix: NormalisedWeights) -> String {
    let least = mix.iter().copied().filter(|w| *w > 1e-9).fold(f64::INFINITY, f64::min);
    // Of large parts nobody reads decimals.
    let told = |w: f64| if w < 100.0 { w } else { w.round() };
    let scaled = mix.map(|w| if w > 1e-9 { told(w / least) } else { 0.0 });
    Weights::try_from(scaled).map_or_else(|_| mix.map(fixed3).join(":"), format_ratio)
}

/// Where the nearest flip is, in words.
#[inline(never)]
fn describe_nearest_flip(names: &[String], simplex: &Simplex, weights: Weights) -> String {
    let now = describe_standing(names, simplex, weights);
    let Some(flip) = simplex.nearest_flip(weights) else {
        let everywhere = if simplex.regions().is_empty() { "under any weights" } else { "whatever the weights" };
        return format!("Under {}, {now}; so it is {everywhere}.", format_ratio(weights));
    };
    let to = name_at(names, flip.to);
    let slide = flip.slide.map_or_else(String::new, |slide| {
        let words = describe_slide(&slide, weights);
        let whom = if slide.to == flip.to { String::new() } else { format!(", for {}", name_at(names, slide.to)) };
        format!(" By one weight alone: {words}{whom}.")
    });
    let place = if flip.distance == 0.0 {
        format!("the least change can flip it to {to}.")
    } else {
        format!(
            "the nearest flip is to {to}, at about {} ({} away).",
            format_normalised_weights(flip.weights),
            fixed3(flip.distance)
        )
    };
    format!("Under {}, {now}; {place}{slide}", format_ratio(weights))
}

/// Who wins under the weights in use, and the smallest change of weights that changes it.
pub(crate) fn describe_flip(report: &Report, weights: Weights) -> String {
    let study = ScoredReport::new(report, &[], weights, ParetoView::default());
    describe_nearest_flip(&level_names(&study), &divide_simplex(&study), weights)
}

/// The map of weights.
pub(crate) fn weights_map(study: &ScoredReport<'_>) -> Chart {
    let names = level_names(study);
    // The level alone: "0.85".
    let short = |name: &String| name.rsplit(' ').next().unwrap_or_default().to_owned();
    let points = MapPoints {
        short_names: names.iter().map(short).collect(),
        names,
        colour_indices: (0..study.points.len()).collect(),
        simplex: divide_simplex(study),
        winner_phrase: format!("one level of {}", study.describe_network()),
    };
    weights_map_of_points("simplex", "Which level wins under which weights", &points, study.weights)
}

/// Points that compete under every choice of weights.
pub(crate) struct MapPoints {
    /// What each is called.
    pub names: Vec<String>,
    /// The same where there is little room; each is another.
    pub short_names: Vec<String>,
    /// The colour of each, as [`TernaryRegion::order`].
    pub colour_indices: Vec<usize>,
    pub simplex: Simplex,
    /// What a winner is, in words: "one level of …".
    pub winner_phrase: String,
}

/// The map of weights of any points.
#[inline(never)]
pub(crate) fn weights_map_of_points(id: &str, title: &str, points: &MapPoints, weights: Weights) -> Chart {
    let MapPoints { names, short_names: shorts, colour_indices: orders, simplex, winner_phrase: who } = points;
    let order = |index: usize| orders.get(index).copied().unwrap_or_default();
    let regions: Vec<TernaryRegion> = simplex
        .regions()
        .iter()
        .map(|region| TernaryRegion {
            label: name_at(names, region.index),
            short: name_at(shorts, region.index),
            share: region.share,
            order: order(region.index),
            corners: region.corners.clone(),
            led: LEAD_STEPS.iter().map(|margin| simplex.polygon_with_lead(region, *margin)).collect(),
        })
        .collect();
    let borders: Vec<TernaryBorder> = simplex
        .borders()
        .iter()
        .map(|border| {
            let none: Vec<String> = (0..3)
                .filter(|axis| border.ends.iter().all(|end| end[*axis] == 0.0))
                .map(|axis| format!("{} = 0", WEIGHT_SYMBOLS[axis]))
                .collect();
            TernaryBorder {
                label: format!("{}: {}", none.join(", "), name_at(names, border.index)),
                order: order(border.index),
                ends: border.ends,
            }
        })
        .collect();
    let point = |label: String, title: String, weights: Weights| TernaryPoint {
        at: normalise_weights(weights.values()),
        label,
        title,
        text: describe_standing(names, simplex, weights),
    };
    let profiles = PROFILES.iter().map(|p| {
        point(
            format_ratio(p.weights),
            format!("{} {}", label_without_ratio(p.label), format_ratio(p.weights)),
            p.weights,
        )
    });
    let known = profile_index(weights).is_some();
    let yours = point(
        if known { String::new() } else { format_ratio(weights) },
        format!("Your weights {}", format_ratio(weights)),
        weights,
    );
    let flip = simplex.nearest_flip(weights).filter(|flip| flip.distance > 0.0);
    let flip = flip.map(|flip| TernaryPoint {
        at: flip.weights,
        label: String::new(),
        title: format!("Nearest flip, {}", format_normalised_weights(flip.weights)),
        text: format!("from here on {}", name_at(names, flip.to)),
    });

    let shares: Vec<f64> = regions.iter().map(|region| region.share).collect();
    let mut falling: Vec<usize> = (0..regions.len()).collect();
    sort_indices_descending(&mut falling, &shares);
    let first = falling.iter().take(3).filter_map(|index| regions.get(*index));
    let most: Vec<String> = first.map(|r| format!("{} on {}", r.label, format_percent(r.share))).collect();
    let others = match shares.len().saturating_sub(3) {
        0 => String::new(),
        n => format!(" and {n} more on the rest"),
    };
    let summary = if most.is_empty() {
        format!(
            "Nothing scores above 0 where all three weights are positive. {}",
            describe_nearest_flip(names, simplex, weights)
        )
    } else {
        format!("Of all weights, {}{others} win. {}", most.join(", "), describe_nearest_flip(names, simplex, weights))
    };
    let edge = if borders.is_empty() {
        String::new()
    } else {
        let on: Vec<&str> = borders.iter().take(3).map(|b| b.label.as_str()).collect();
        format!(" A stripe marks what wins on an edge only ({}).", on.join("; "))
    };
    let caption = format!(
        "Every point of the triangle is one choice of weights: all on S, F or C at the corners, \
         equal in the middle. A region is where {who} wins; it is the deeper in colour \
         the further its winner leads. Small rings are the paper’s profiles; the large one is your \
         weights, the dashed line its shortest way to another winner.{edge}"
    );
    let body = ChartBody::Ternary(Ternary {
        regions,
        borders,
        leads: LEAD_STEPS.to_vec(),
        profiles: profiles.collect(),
        yours,
        flip,
    });
    Chart::new(id, title, summary, caption, body)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_written_without_powers_of_ten() {
        let leads = [0.25, 0.0041, 0.00041, 0.000_004_1, 1e-9].map(format_lead);
        assert_eq!(leads, ["0.250", "0.004", "0.00041", "0.0000041", "less than 0.000001"]);
    }

    #[test]
    fn large_parts_of_a_mix_have_no_decimals() {
        let large = [0.000_323, 0.499_838_5, 0.499_838_5];
        assert_eq!(format_normalised_weights(large), "1:1547:1547");
        assert_eq!(format_normalised_weights([0.2, 0.5, 0.3]), "1:2.5:1.5");
    }
}
