//! M13: spectra of layers, and how directions stand to each other.

use super::parts::{histogram_content, limit_line, plane_content};
use super::{CONTROL_DICTIONARIES, DetailView, NamedValues, PlaneSeries, Settings, UNTRAINED_CHECKPOINT};
use crate::Matrix;
use crate::linalg::product;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::superposition::{TOP_COMPONENTS, feature_superposition, spectrum};
use crate::papers::measurement::metric::unit_rows;
use crate::papers::measurement::toy_model::ResidualStream;
use crate::plot::format::{fixed3, format_grouped};

pub(super) fn m13_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let mut picture = DetailView::new("m13");
    let checkpoint = settings.checkpoint.as_str();
    let control = (checkpoint != UNTRAINED_CHECKPOINT).then_some(UNTRAINED_CHECKPOINT);
    let layer = settings.layer_index();
    let (mut spectra, mut ratios, mut sentences) = (Vec::new(), Vec::new(), Vec::new());
    let mut directions = Vec::new();
    let mut welch = 0.0;
    for name in std::iter::once(checkpoint).chain(control) {
        let stream = ResidualStream::for_checkpoint(name, settings.n_samples)?;
        let is_control = Some(name) == control;
        let subject = stream.encode_by_name(&settings.sae)?;
        let found = stream.m13(&subject)?;
        if let Some(of) = found.layers.get(layer) {
            picture.add_quantities(name, of.quantities());
            sentences.push(format!(
                "{name}’s {} dimensions of {}",
                fixed3(of.participation_ratio),
                subject.decoder().cols()
            ));
        }
        let values = spectrum(&stream.residual_after_layer(layer)?, TOP_COMPONENTS)?;
        picture.add_quantity(name, "interference", &values.interference);
        for (reading, of) in [("text", found.layers_document), ("code", found.layers_code)] {
            let subject = format!("{name}, all layers, {reading}");
            picture.add_quantities(&subject, of.quantities());
        }
        // Spectra of unlike sizes are held against each other as shares of their first.
        let first = values.singular_values.first().copied().unwrap_or(0.0);
        let of_first = values.singular_values.iter().map(|value| value / first);
        let of_first: Vec<f64> = of_first.collect();
        spectra.push(PlaneSeries::indexed_line(name, 1, &of_first).with_control(is_control));
        let packing: Vec<f64> = found.layers.iter().map(|of| of.packing_ratio).collect();
        ratios.push(PlaneSeries::indexed_line(name, 0, &packing).with_control(is_control));
        if is_control {
            continue;
        }
        let [random, _] = CONTROL_DICTIONARIES;
        let others = (settings.sae != random).then_some(random);
        for name in std::iter::once(settings.sae.as_str()).chain(others) {
            let subject = stream.encode_by_name(name)?;
            let found = feature_superposition(subject.decoder())?;
            picture.add_quantities(name, found.quantities());
            if Some(name) != others {
                welch = found.welch_bound_rms;
            }
            directions.push((name, Some(name) == others, pair_cosines(subject.decoder()), found));
        }
    }
    let hook = &settings.hook;
    picture.add_panel(
        "Singular values of the residual stream",
        format!("{}: {} by the participation ratio, which cannot exceed the width.", hook, sentences.join(", ")),
        format!("Singular values of {} positions less their mean, as shares of the first. The principal components are orthogonal, so that their interference is 0 whatever the activations are.", format_grouped(settings.n_samples)),
        plane_content("number", "singular value over the first", spectra, Vec::new()),
    );
    let said: Vec<String> = directions
        .iter()
        .map(|(name, _, _, found)| {
            format!(
                "{name} {} (root mean square {})",
                fixed3(found.feature_interference),
                fixed3(found.feature_interference_rms)
            )
        })
        .collect();
    let series = directions
        .into_iter()
        .map(|(name, control, cosines, _)| NamedValues::from_values(name, control, cosines))
        .collect();
    picture.add_panel(
        "How directions stand to each other",
        format!("Mean |cos| of the pairs of directions: {}; so many directions as {} has cannot have a root mean square below {}.", said.join(", "), settings.sae, fixed3(welch)),
        "The |cosine| of every pair of decoder directions; of many pairs 2,000 or fewer, evenly by rank. This is the interference that the metric would measure if it took features instead of principal components.".to_owned(),
        histogram_content(
            "|cos| of two directions",
            series,
            vec![limit_line("Welch bound (root mean square)", welch), limit_line("high above, on average", 0.15)],
        ),
    );
    picture.add_panel(
        "How full each layer is",
        format!("{}.", describe_packing(&ratios)),
        format!("The participation ratio over the width after each layer. It is 1 at most, so that only the step from weak to in between (0.8) can be taken; a packing ratio above 1.2 is out of reach. {} is layer {layer}.", hook),
        plane_content("layer", "packing ratio", ratios, vec![limit_line("transition above", 0.8)]),
    );
    Ok(picture)
}

/// The |cosine| of every pair of rows.
fn pair_cosines(directions: &Matrix) -> Vec<f64> {
    let unit = unit_rows(directions);
    let cosines = product(&unit, &unit.transposed());
    let rows = cosines.iter_rows().enumerate();
    rows.flat_map(|(at, row)| row.iter().skip(at + 1).map(|cosine| cosine.abs())).collect()
}

/// Each line's values, in words.
fn describe_packing(lines: &[PlaneSeries]) -> String {
    let each = lines.iter().map(|line| {
        let values: Vec<String> = line.points.iter().map(|(_, y, _)| fixed3(*y)).collect();
        format!("{}: {}", line.name, values.join(", "))
    });
    each.collect::<Vec<_>>().join("; ")
}
