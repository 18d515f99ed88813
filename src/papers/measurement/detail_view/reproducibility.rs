//! EX25: runs that have some of the prompts each.

use super::circuits::{describe_heads, found_and_random_circuits};
use super::parts::{format_value, limit_line, number_cell, plane_content, table_content};
use super::{DetailView, PlaneSeries, Settings};
use crate::order::argsort_ascending;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::CircuitEvaluator;
use crate::papers::measurement::metric::{RELATIVE_DEVIATION_MAX, Reproducibility, reproducibility, subsample};
use crate::plot::format::{fixed, fixed3};
use crate::statistics::mean;
use crate::toy_model;
use crate::toy_model::task::test_prompts;

/// What is run again and again, with a value of each prompt.
struct RunSubject {
    name: String,
    values: Vec<f64>,
    control: bool,
    /// Whether sentences leave it out.
    spare: bool,
}

pub(super) fn ex25_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let model = toy_model::load_model(&settings.checkpoint)?;
    let prompts = test_prompts(settings.task(), settings.n_prompts)?;
    let mut circuits = CircuitEvaluator::new(&model, &prompts)?;
    let claims = found_and_random_circuits(&mut circuits, settings)?;
    let clean = circuits.clean_logit_differences().to_vec();
    let rising: Vec<f64> =
        argsort_ascending(clean.iter().copied()).into_iter().filter_map(|at| clean.get(at).copied()).collect();
    let mut subjects = vec![RunSubject { name: "whole model".to_owned(), values: clean, control: false, spare: false }];
    let mut heads = String::new();
    for claim in &claims {
        let values = circuits.circuit_logit_differences(&claim.heads)?;
        let (name, control) = (format!("{} alone", claim.name), !claim.is_found());
        if !control {
            heads = describe_heads(&claim.heads);
        }
        subjects.push(RunSubject { name, values, control, spare: claim.is_extra_random() });
    }
    let none = circuits.circuit_logit_differences(&[])?;
    subjects.push(RunSubject { name: "no head".to_owned(), values: none, control: true, spare: false });
    let name = "whole model, prompts by rising value".to_owned();
    subjects.push(RunSubject { name, values: rising, control: true, spare: false });

    let drawn = (0..settings.n_runs).map(|seed| subsample(prompts.answers.len(), seed));
    let drawn = drawn.collect::<Result<Vec<_>, _>>()?;
    let mut picture = DetailView::new("ex25");
    let (mut means, mut coherence, mut rows, mut sentences) = (vec![], vec![], vec![], vec![]);
    let mut limits = Vec::new();
    for RunSubject { name, values, control, spare } in &subjects {
        let runs: Vec<Vec<f64>> =
            drawn.iter().map(|run| run.iter().filter_map(|at| values.get(*at).copied()).collect()).collect();
        let found = reproducibility(&runs, Some(&drawn), RELATIVE_DEVIATION_MAX)?;
        picture.add_quantities(name, found.quantities());
        if limits.is_empty() {
            let centre = mean(&found.run_means)?;
            let off = RELATIVE_DEVIATION_MAX * centre.abs();
            limits = vec![
                limit_line("whole model, 8 % above its mean", centre + off),
                limit_line("whole model, 8 % below", centre - off),
            ];
        }
        means.push(PlaneSeries::indexed_line(name.as_str(), 0, &found.run_means).with_control(*control));
        let pairs = PlaneSeries::scatter(name.as_str(), pair_points(&runs, &drawn)?);
        coherence.push(pairs.with_control(*control));
        rows.push(subject_row(name, &found));
        if !spare {
            sentences.push(format!(
                "{name} {} (code) and {} (text)",
                fixed3(found.coherence_code),
                format_value(found.coherence_aligned)
            ));
        }
    }
    let count = drawn.first().map_or(0, Vec::len);
    let runs = settings.n_runs;
    picture.add_panel(
        "Ranks from run to run",
        format!("Mean rank correlation of two runs: {}.", sentences.join("; ")),
        "Each pair of runs by the rank correlation of the k-th value of one with the k-th of the other, which are of different prompts (the code), and of the values of the prompts that both have (the text). Nothing here has noise: the model says the same of a prompt in every run. Prompts put by rising value cohere as coded, whatever is measured.".to_owned(),
        plane_content(
            "k-th value with the k-th (code)",
            "same prompt with the same (text)",
            coherence,
            vec![limit_line("passes above", 0.9)],
        ),
    );
    let deviations: Vec<String> = rows
        .iter()
        .zip(&subjects)
        .filter(|(_, subject)| !subject.spare)
        .map(|((_, rate, _), subject)| format!("{} {} %", subject.name, fixed(100.0 * rate, 1)))
        .collect();
    picture.add_panel(
        "The mean of each run",
        format!("Share of pairs of runs whose means differ by more than 8 % of the mean: {}.", deviations.join(", ")),
        format!("The mean logit difference of each of {runs} runs on {count} of {} prompts of {}; the found circuit is {heads}. A mean near 0 deviates by much of itself.", prompts.answers.len(), settings.task),
        plane_content("run", "mean logit difference", means, limits),
    );
    picture.add_panel(
        "Every condition",
        format!("{} of {} subjects pass as coded, {} with the same prompts compared, {} by the one condition of the summary.",
            rows.iter().filter(|row| row.2.passed_code).count(),
            rows.len(),
            rows.iter().filter(|row| row.2.passed_aligned).count(),
            rows.iter().filter(|row| row.2.passed_summary).count()),
        "Passes with a deviation rate below 0.05, a largest deviation below 0.08 and a coherence above 0.9; the page’s summary table has the first alone.".to_owned(),
        table_content(
            &["subject", "deviation rate", "largest deviation", "of two runs", "coherence (code)", "coherence (text)"],
            rows.into_iter().map(|(cells, ..)| cells).collect(),
        ),
    );
    Ok(picture)
}

/// A subject's row, its deviation rate, and what was found.
fn subject_row(name: &str, found: &Reproducibility) -> (Vec<super::Cell>, f64, Reproducibility) {
    let cells = vec![
        super::parts::text_cell(name),
        number_cell(found.deviation_rate),
        number_cell(found.max_deviation),
        number_cell(found.max_deviation_pairwise),
        number_cell(found.coherence_code),
        number_cell(found.coherence_aligned),
    ];
    (cells, found.deviation_rate, found.clone())
}

/// Each pair of runs by itself: coherence as coded and with the same prompts; none where that has no value.
fn pair_points(runs: &[Vec<f64>], prompts: &[Vec<usize>]) -> Result<Vec<super::parts::PlanePoint>, MeasurementError> {
    let mut points = Vec::new();
    for (at, (first, of_first)) in runs.iter().zip(prompts).enumerate() {
        let others = runs.iter().zip(prompts).enumerate().skip(at + 1);
        for (other, (second, of_second)) in others {
            let both = [first.clone(), second.clone()];
            let prompts = [of_first.clone(), of_second.clone()];
            let found = reproducibility(&both, Some(&prompts), RELATIVE_DEVIATION_MAX)?;
            let Some(aligned) = found.coherence_aligned else { continue };
            points.push((found.coherence_code, aligned, format!("runs {at} and {other}")));
        }
    }
    Ok(points)
}
