use serde::Serialize;

use super::metric::score::{PROFILES, Profile, Weights};
use super::{Point, Report};

/// The best decomposition under one profile (Table 4).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Winner {
    /// The profile.
    pub profile: Profile,
    /// Index of the best point.
    pub index: usize,
    /// Its name, as [`method_name`].
    pub method: String,
    /// Its score.
    pub score: f64,
    /// Every point's score under the profile.
    pub scores: Vec<f64>,
}

/// The paper's name of a decomposition: "SAE-sp85" for λ = 0.85, "SAE-sp08.3333" for λ = 1/12.
#[must_use]
pub fn method_name(level: f64) -> String {
    // No level is 1, so none is called "sp100".
    let percent = f64::min(libm::round(level * 1e6) / 1e4, 99.9999);
    let digits = format!("{percent:07.4}");
    format!("SAE-sp{}", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// Weights as a ratio: "5:1:1".
#[must_use]
pub fn format_ratio(weights: Weights) -> String {
    weights.values().map(format_ratio_part).join(":")
}

fn format_ratio_part(weight: f64) -> String {
    if weight >= 1e5 || (weight > 0.0 && weight < 0.01) {
        return format!("{weight:.0e}");
    }
    let text = format!("{weight:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Index and score of the best point under some weights: the first of equals. None without points.
#[must_use]
pub fn best_point(points: &[Point], weights: Weights) -> Option<(usize, f64)> {
    points
        .iter()
        .map(|p| weights.sfc(p.sparsity, p.fidelity, p.completeness))
        .enumerate()
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// The best point under each of the seven profiles.
#[must_use]
pub fn profile_winners(points: &[Point]) -> Vec<Winner> {
    PROFILES
        .iter()
        .filter_map(|profile| {
            let (index, score) = best_point(points, profile.weights)?;
            Some(Winner {
                profile: *profile,
                index,
                method: method_name(points[index].level),
                score,
                scores: points.iter().map(|p| profile.weights.sfc(p.sparsity, p.fidelity, p.completeness)).collect(),
            })
        })
        .collect()
}

/// Gives every point of a report its score under other weights; nothing else depends on them.
pub fn rescore(report: &mut Report, weights: Weights) {
    report.settings = report.settings.clone().with_weights(weights);
    let curves = report.cross.iter_mut().map(|curve| &mut curve.points);
    let all = curves.chain([&mut report.main.points, &mut report.sizes]).flatten();
    for point in all {
        point.sfc = weights.sfc(point.sparsity, point.fidelity, point.completeness);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_print_as_a_ratio() {
        let ratio = |a, b, c| format_ratio(Weights::new(a, b, c).unwrap());
        assert_eq!(ratio(5.0, 1.0, 1.0), "5:1:1");
        assert_eq!(ratio(2.0, 3.5, 0.0), "2:3.5:0");
        assert_eq!(ratio(1.0 / 3.0, 10.0, 1e9), "0.33:10:1e9");
    }
}
