//! M07: two autoencoders, direction by direction and position by position.

use std::collections::BTreeMap;

use super::parts::{format_value, histogram_content, limit_line, mean_or_zero, plane_content, read_residual_stream};
use super::{CONTROL_DICTIONARIES, DetailView, NamedValues, PlaneSeries, Settings};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::{NearestCosines, architecture_duality};
use crate::papers::measurement::toy_model::EncodedDictionary;
use crate::plot::format::{fixed3, format_grouped};

pub(super) fn m07_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let stream = read_residual_stream(settings)?;
    let taken = architecture_duality::Settings::default();
    let (a, b) = (stream.encode_by_name(&settings.sae)?, stream.encode_by_name(&settings.beside)?);
    let [sae, beside] = [&settings.sae, &settings.beside];
    let found = stream.m07(&a, &b, &taken)?;
    let mut picture = DetailView::new("m07");
    picture.add_quantities(&format!("{sae} and {beside}"), found.quantities());
    let mut controls = Vec::new();
    for name in CONTROL_DICTIONARIES.into_iter().filter(|name| sae != name && beside != name) {
        let control = stream.encode_by_name(name)?;
        let quantities = stream.m07(&a, &control, &taken)?.quantities();
        picture.add_quantities(&format!("{sae} and {name}"), quantities);
        controls.push((name, control));
    }

    let nearest = NearestCosines::between(a.decoder(), b.decoder());
    let sides = [nearest.best_for_a, nearest.best_for_b]
        .map(|side| side.into_iter().map(|(cosine, _)| cosine).collect::<Vec<f64>>());
    let means = sides.each_ref().map(|side| fixed3(mean_or_zero(side)));
    let [of_a, of_b] = sides;
    let mut series = vec![
        NamedValues::from_values(format!("each of {sae} in {beside}"), false, of_a),
        NamedValues::from_values(format!("each of {beside} in {sae}"), false, of_b),
    ];
    let mut beyond = String::new();
    for (name, control) in &controls {
        let nearest = NearestCosines::between(a.decoder(), control.decoder()).best_for_a;
        let cosines: Vec<f64> = nearest.into_iter().map(|(cosine, _)| cosine).collect();
        beyond += &format!(", {} in {name}", fixed3(mean_or_zero(&cosines)));
        series.push(NamedValues::from_values(format!("each of {sae} in {name}"), true, cosines));
    }
    let [first, second] = means;
    picture.add_panel(
        "How near the other’s nearest direction is",
        format!(
            "Of a direction of {sae} the nearest in {beside} has |cos| {first} on average{beyond}, the other way round {second}; random directions would come to {}.",
            fixed3(found.direction_chance)
        ),
        "Each decoder direction’s largest |cosine| with a direction of the other autoencoder. A decoder whose rows are permuted has the same directions, though no latent means what it did.".to_owned(),
        histogram_content(
            "largest |cos| with a direction of the other",
            series,
            vec![limit_line("random directions, on average", found.direction_chance)],
        ),
    );

    let mut series = vec![coactivation_series(beside, &a, &b, taken.threshold)];
    for (name, control) in controls.iter().take(1) {
        series.push(coactivation_series(name, &a, control, taken.threshold).into_control());
    }
    picture.add_panel(
        "How many features are active together",
        format!(
            "The lesser number of active features over the greater is {} on average, which the code calls overlap; of the same numbers active in both, the text’s overlap, it is {}, and {} once features of {beside} have the names of those of {sae} that they match.",
            fixed3(found.feature_overlap_code),
            format_value(found.feature_overlap_document),
            fixed3(found.feature_overlap_matched),
        ),
        format!(
            "Each of {} positions by how many features are active there (|activation| above {}); positions with the same two numbers are one point.",
            format_grouped(stream.drawn_positions().len()),
            taken.threshold
        ),
        plane_content(
            &format!("active features of {sae}"),
            "active features of the other",
            series,
            Vec::new(),
        ),
    );
    Ok(picture)
}

/// Positions by how many features are active in both.
fn coactivation_series(name: &str, a: &EncodedDictionary, b: &EncodedDictionary, threshold: f64) -> PlaneSeries {
    let mut positions: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for both in a.active_counts(threshold).into_iter().zip(b.active_counts(threshold)) {
        *positions.entry(both).or_default() += 1;
    }
    let point = |((a, b), count): ((usize, usize), usize)| {
        let of = if count == 1 { "position" } else { "positions" };
        (a as f64, b as f64, format!("{} {of}", format_grouped(count)))
    };
    PlaneSeries::scatter(name, positions.into_iter().map(point))
}
