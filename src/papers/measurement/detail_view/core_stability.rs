//! M09: cores from cycle to cycle.

use super::parts::{
    count_cell, limit_line, mean_or_zero, number_cell, plane_content, read_residual_stream, table_content, text_cell,
};
use super::{DetailView, PlaneSeries, Settings};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::core_stability::{
    CycleSettings, CyclesResult, STABLE_OVERLAP_MIN, core_stability,
};
use crate::plot::format::{fixed3, format_grouped};

pub(super) fn m09_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let stream = read_residual_stream(settings)?;
    let mut picture = DetailView::new("m09");
    let (mut series, mut rows) = (Vec::new(), Vec::new());
    let mut means = [Vec::new(), Vec::new()];
    let (mut features, mut size, mut anew) = (0, 0, 0.0);
    for seed in 0..settings.seeds {
        let cycles =
            CycleSettings { cycles: settings.n_cycles, steps: settings.steps, seed, ..CycleSettings::default() };
        features = cycles.features;
        let found = stream.m09(&cycles)?;
        let readings = [("text", &found.document), ("code", &found.code)];
        for ((reading, of), means) in readings.into_iter().zip(&mut means) {
            let subject = format!("{reading}, seed {seed}");
            picture.add_quantities(&subject, of.stability.quantities());
            picture.add_quantity(&subject, "drawn_anew", &of.drawn_anew);
            picture.add_quantity(&subject, "mse", &of.mse);
            means.push(of.stability.mean_overlap);
            size = of.last.len();
            anew = f64::max(anew, of.drawn_anew);
            let overlaps = overlaps_with_last(of, features)?;
            let name = match reading {
                "text" => format!("rest resampled, seed {seed}"),
                _ => format!("nothing resampled, seed {seed}"),
            };
            series.push(PlaneSeries::indexed_line(name, 1, &overlaps));
            rows.push(vec![
                text_cell(reading),
                text_cell(seed.to_string()),
                count_cell(of.last.len()),
                number_cell(of.stability.mean_overlap),
                number_cell(of.stability.core_fraction_code),
                number_cell(of.stability.core_fraction_all_cycles),
                number_cell(of.drawn_anew),
                number_cell(of.mse),
            ]);
        }
    }
    let chance = expected_overlap(size, features);
    picture.add_quantity("two random cores", "mean_overlap", &chance);
    let [text, code] = means.map(|means| fixed3(mean_or_zero(&means)));
    let (cycles, last) = (settings.n_cycles, settings.n_cycles + 1);
    let averages = match cycles {
        // A single core has none before it to be held against, so that both means are of nothing.
        1 => "With one cycle there are no two cores that the mean is taken of".to_owned(),
        _ => format!(
            "The mean overlap of one cycle’s core with the next one’s is {text} where all outside the core are resampled (the paper) and {code} where nothing is (the code)"
        ),
    };
    picture.add_panel(
        "Cores from cycle to cycle",
        format!("{averages}; two random cores of {} of {} features would come to about {}.", format_grouped(size), format_grouped(features), fixed3(chance)),
        format!("The Jaccard index of each cycle’s core with the next one’s, after {} steps of training each. The last point, of core {cycles} with core {last}, is that of the core after all cycles, which is not in the mean.", format_grouped(settings.steps as usize)),
        plane_content(
            "cycle",
            "overlap with the next core",
            series,
            vec![limit_line("stable from", STABLE_OVERLAP_MIN), limit_line("two random cores", chance)],
        ),
    );
    picture.add_panel(
        "What is left of the core",
        format!(
            "A core holds {} of {} features, so that no fraction can exceed {}; of the others a cycle in the paper resamples {}, the implementation none.",
            format_grouped(size),
            format_grouped(features),
            fixed3(size as f64 / features.max(1) as f64),
            format_grouped(anew as usize)
        ),
        "Fractions are of all features: those in the last cycle’s core and the final one, and those in every core. The mean squared error is the last batch’s, of activations of mean square 1.".to_owned(),
        table_content(
            &["reading", "seed", "core", "mean overlap", "in last and final", "in all cores", "resampled", "mse"],
            rows,
        ),
    );
    Ok(picture)
}

/// The overlaps of consecutive cores, the one after the last cycle among them.
fn overlaps_with_last(of: &CyclesResult, features: usize) -> Result<Vec<f64>, MeasurementError> {
    let mut cores = of.cores.clone();
    cores.push(of.last.clone());
    Ok(core_stability(&cores, &of.last, features, STABLE_OVERLAP_MIN)?.overlaps)
}

/// The Jaccard index of two random cores of some size whose overlap is the expected one: n²/F of n + n − n²/F.
fn expected_overlap(size: usize, features: usize) -> f64 {
    let both = (size * size) as f64 / features.max(1) as f64;
    both / (2.0 * size as f64 - both).max(f64::MIN_POSITIVE)
}
