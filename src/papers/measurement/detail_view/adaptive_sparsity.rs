//! M12: how many features are active against how long the residual stream is, and against how many are planted.

use std::collections::BTreeMap;

use super::parts::{
    PlanePoint, format_value, histogram_content, limit_line, mean_or_zero, plane_content, read_residual_stream,
};
use super::{DetailView, NamedValues, PlaneSeries, Settings};
use crate::Matrix;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::adaptive_sparsity::{ACTIVE_THRESHOLD, adaptive_sparsity};
use crate::papers::measurement::metric::{Activations, adaptive_sparsity};
use crate::papers::measurement::toy_model::{EncodedDictionary, ResidualStream};
use crate::plot::format::{fixed3, format_grouped};
use crate::sae::train::{Family, TrainConfig, Trainer};
use crate::statistics::pearson_coefficient;
use crate::synthetic::{Superposition, World};

/// Random directions without a fixed number of active features.
pub(super) const RANDOM_DICTIONARY: &str = "random256relu";
/// Rows of a planted world.
const SYNTHETIC_ROWS: usize = 1_024;
/// Steps of training on one.
const TRAINING_STEPS: u32 = 400;

pub(super) fn m12_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let stream = read_residual_stream(settings)?;
    let mut picture = DetailView::new("m12");
    let control = (settings.sae != RANDOM_DICTIONARY).then_some(RANDOM_DICTIONARY);
    let (mut planes, mut deviations) = (Vec::new(), Vec::new());
    let mut lines = Vec::new();
    let mut shares = Vec::new();
    for name in std::iter::once(settings.sae.as_str()).chain(control) {
        let subject = stream.encode_by_name(name)?;
        let found = stream.m12(&subject, settings.mismatch_threshold)?;
        let is_control = Some(name) == control;
        let of = &found.found;
        picture.add_quantities(name, of.quantities());
        picture.add_quantity(name, "complexity_k_correlation_document", &found.complexity_k_correlation_document);
        lines.push(format!(
            "{name}, {} features for each unit of length (correlation {})",
            fixed3(of.slope),
            fixed3(of.complexity_k_correlation)
        ));
        let [code, text] = [of.k_mismatch_rate, of.k_mismatch_rate_document].map(fixed3);
        shares.push(format!("{code} of {name} (code; the text’s, of all positions, {text})"));
        planes.extend(count_by_length_series(&stream, &subject, name)?.map(|of| of.with_control(is_control)));
        deviations.push(NamedValues::from_values(name, is_control, of.deviation.iter().copied()));
    }
    let threshold = settings.mismatch_threshold;
    picture.add_panel(
        "Active features against length",
        format!("Slope of the line: {}.", lines.join("; ")),
        format!("The last position of each text, as the code takes them, by the length of its residual stream and by how many features’ |activation| exceeds {ACTIVE_THRESHOLD}, with the line of least squares. An autoencoder that keeps a fixed number has a flat line whatever there is to say."),
        plane_content("length of the residual stream", "active features", planes, Vec::new()),
    );
    picture.add_panel(
        "How far numbers are from what the line expects",
        format!("Beyond ±{} of what is expected: {}.", format_value(threshold), shares.join("; ")),
        "(k − expected)/max(expected, 1) of each text’s last position. No deviation is below −1, so that from a threshold of 1 on too few active features are never flagged.".to_owned(),
        histogram_content(
            "relative deviation",
            deviations,
            vec![limit_line("flagged above", threshold), limit_line("flagged below", -threshold)],
        ),
    );
    add_planted_panel(&mut picture, settings)?;
    Ok(picture)
}

/// An autoencoder's points, and their line.
fn count_by_length_series(
    stream: &ResidualStream,
    subject: &EncodedDictionary,
    name: &str,
) -> Result<[PlaneSeries; 2], MeasurementError> {
    let (length, k) = stream.complexity_and_k(subject, &stream.last_position_rows())?;
    let fit = adaptive_sparsity(&length, &k, 0.0)?;
    let least = length.iter().copied().fold(f64::INFINITY, f64::min);
    let most = length.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let end = |x: f64| (x, fit.intercept + fit.slope * x, String::new());
    let points = length.into_iter().zip(k).zip(stream.text_endings()).map(|((x, k), text)| (x, k, text));
    Ok([
        PlaneSeries::scatter(name, points),
        PlaneSeries::line(format!("{name}, least squares"), [end(least), end(most)]),
    ])
}

/// The same on planted superpositions, where it is known how many features each row is made of.
fn add_planted_panel(picture: &mut DetailView, settings: &Settings) -> Result<(), MeasurementError> {
    let mut series = Vec::new();
    // Of ReLU and TopK, with the planted number and with length.
    let mut relu = [Vec::new(), Vec::new()];
    let mut topk = relu.clone();
    let mut most = 0.0;
    for seed in 1..=settings.seeds {
        let world = Superposition { seed, data_seed: seed, ..Superposition::default() };
        let sample = World::Superposition(world).sample(SYNTHETIC_ROWS)?;
        let Some(truth) = &sample.truth else { continue };
        let there = |row: &[f64]| row.iter().filter(|value| **value != 0.0).count();
        let planted: Vec<usize> = truth.magnitudes.iter_rows().map(there).collect();
        let l0: Vec<f64> = planted.iter().map(|count| *count as f64).collect();
        most = l0.iter().copied().fold(most, f64::max);
        for family in [Family::Relu, Family::TopK] {
            let is_control = family == Family::TopK;
            let kept = mean_or_zero(&l0).round().max(1.0) as usize;
            let k = train_and_count_active(&sample.activations, family, world.features, kept, seed)?;
            let name = match is_control {
                false => format!("ReLU, seed {seed}"),
                true => format!("TopK, {kept} of {}, seed {seed}", world.features),
            };
            let length: Vec<f64> =
                sample.activations.iter_rows().map(|row| f64::sqrt(row.iter().map(|x| x * x).sum())).collect();
            // 0 where the number of active features does not vary.
            let along = |with: &[f64]| pearson_coefficient(with, &k).unwrap_or(0.0);
            let found = adaptive_sparsity(&length, &k, settings.mismatch_threshold)?;
            let subject = format!("planted, {name}");
            picture.add_quantity(&subject, "true_k_correlation", &along(&l0));
            picture.add_quantity(&subject, "complexity_k_correlation", &found.complexity_k_correlation);
            picture.add_quantity(&subject, "k_mismatch_rate", &found.k_mismatch_rate);
            let [with_planted, with_length] = if is_control { &mut topk } else { &mut relu };
            with_planted.push(along(&l0));
            with_length.push(found.complexity_k_correlation);
            series.push(PlaneSeries::line(name, mean_by_planted_count(&planted, &k)).with_control(is_control));
        }
    }
    let same = [0.0, most].map(|at| (at, at, String::new()));
    series.push(PlaneSeries::line("as many as planted", same).into_control());
    let [planted, length] = relu.map(|each| fixed3(mean_or_zero(&each)));
    let [fixed_planted, fixed_length] = topk.map(|each| fixed3(mean_or_zero(&each)));
    picture.add_panel(
        "Active features against planted ones",
        format!("The number of a ReLU’s active features correlates {} with the planted number and {} with length, a TopK’s {} and {}, on average over the seeds.", planted, length, fixed_planted, fixed_length),
        format!("Rows of planted superpositions (32 features in 16 dimensions), {} a seed, by how many features each is made of: the mean number of active features of autoencoders trained on them for {TRAINING_STEPS} steps. Here the truth is known, and length can be held against it.", format_grouped(SYNTHETIC_ROWS)),
        plane_content("features that a row is made of", "active features, on average", series, Vec::new()),
    );
    Ok(())
}

/// How many features of an autoencoder trained on rows are active in each.
fn train_and_count_active(
    rows: &Matrix,
    family: Family,
    latents: usize,
    k: usize,
    seed: u32,
) -> Result<Vec<f64>, MeasurementError> {
    let config = TrainConfig { latents, k, steps: TRAINING_STEPS, batch: 128, seed, ..TrainConfig::for_family(family) };
    let mut trainer = Trainer::new(config, rows)?;
    trainer.step(TRAINING_STEPS)?;
    let codes = trainer.autoencoder().encode_sparse(rows)?;
    let activations = Activations::Sparse { codes: &codes, features: latents };
    Ok(adaptive_sparsity::complexity_and_k(rows, activations)?.1)
}

/// The mean number of active features of the rows with each number of planted ones.
fn mean_by_planted_count(planted: &[usize], k: &[f64]) -> Vec<PlanePoint> {
    let mut rows: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (planted, k) in planted.iter().zip(k) {
        rows.entry(*planted).or_default().push(*k);
    }
    let point = |(planted, k): (usize, Vec<f64>)| {
        (planted as f64, mean_or_zero(&k), format!("{} rows", format_grouped(k.len())))
    };
    rows.into_iter().map(point).collect()
}
