//! EX2: groups of prompts, by their logit differences.

use super::parts::{count_cell, format_value, histogram_content, number_cell, table_content, text_cell};
use super::{DetailView, NamedValues, Settings, UNTRAINED_CHECKPOINT};
use crate::NumpyRng;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{dif_of_groups, group_logit_differences, mixed_logit_differences};
use crate::papers::measurement::metric::Dif;
use crate::plot::format::{fixed3, format_grouped};
use crate::toy_model;

pub(super) fn ex2_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let model = toy_model::load_model(&settings.checkpoint)?;
    let (task, prompts) = (settings.task(), settings.n_prompts);
    let mut picture = DetailView::new("ex2");
    let mut each = group_logit_differences(&model, task, prompts)?;
    let found = dif_of_groups(&each)?;
    let name = "whole model";
    picture.add_quantities(name, found.quantities());
    let mut sentences = vec![dif_sentence(name, &found)];
    let halves = each.first().cloned();
    if let Some(third) = mixed_logit_differences(&model, task, prompts)? {
        each.push(third);
        let found = dif_of_groups(&each)?;
        let name = "whole model, with mixed names";
        picture.add_quantities(name, found.quantities());
        sentences.push(dif_sentence(name, &found));
    }
    let mut series: Vec<NamedValues> =
        each.iter().map(|(name, values)| NamedValues::from_values(name, false, values.iter().copied())).collect();
    if settings.checkpoint != UNTRAINED_CHECKPOINT {
        let untrained =
            dif_of_groups(&group_logit_differences(&*toy_model::load_model(UNTRAINED_CHECKPOINT)?, task, prompts)?)?;
        picture.add_quantities("untrained", untrained.quantities());
        sentences.push(dif_sentence("untrained", &untrained));
    }
    let mut null = Vec::new();
    if let Some((name, values)) = halves {
        for seed in 1..=settings.seeds {
            let halves = split_halves(&values, seed);
            let found = dif_of_groups(&halves)?;
            picture.add_quantities(&format!("two halves of {name}, seed {seed}"), found.quantities());
            null.push(found.max_dif_code);
            if seed == 1 {
                let named = halves.into_iter();
                series.extend(
                    named.map(|(half, values)| NamedValues::from_values(format!("{half} of {name}"), true, values)),
                );
            }
        }
    }
    let shown = dif_of_groups(&each)?;
    let least = null.iter().copied().fold(f64::INFINITY, f64::min);
    let most = null.iter().copied().fold(0.0, f64::max);
    let chance = match null.is_empty() {
        true => String::new(),
        false => {
            format!(" Two halves of one group differ by {} to {}.", fixed3(least), fixed3(most))
        }
    };
    picture.add_panel(
        "Logit differences by group",
        format!("{}: {}.{chance}", settings.task, sentences.join("; ")),
        "Each prompt’s logit of the right word less that of the foil. Groups are those of names where a task has names, else what tells its prompts apart; two random halves of the first group are the control. The largest |d| of all pairs is held against ½, with variances of ddof 0 (the code) and ddof 1 (the text).".to_owned(),
        histogram_content("logit difference", series, Vec::new()),
    );
    let rows = shown.groups.iter().map(|of| {
        vec![
            text_cell(&of.name),
            count_cell(of.n),
            number_cell(of.mean_ld),
            number_cell(of.std_ld),
            number_cell(of.accuracy),
        ]
    });
    picture.add_panel(
        "Each group",
        format!("{} groups of {} prompts together.", shown.groups.len(), format_grouped(shown.groups.iter().map(|of| of.n).sum())),
        "Mean and standard deviation (ddof 0) of the logit differences, and the share above 0. Nothing here corrects for how hard a group’s prompts are.".to_owned(),
        table_content(&["group", "prompts", "mean", "deviation", "share above 0"], rows.collect()),
    );
    let rows = shown.pairs.iter().map(|of| {
        vec![
            text_cell(&of.first),
            text_cell(&of.second),
            number_cell(of.d_code_ddof0),
            number_cell(of.d_standard_ddof1),
        ]
    });
    picture.add_panel(
        "Each pair of groups",
        format!("Largest |d|: {} (code), {} (text); the code reports {}.", fixed3(shown.max_dif_code), format_value(shown.max_dif_standard), fixed3(shown.value_code)),
        "Cohen’s d with variances of ddof 0, which is 0 where nothing varies, and as it is defined; groups of a single prompt are left out.".to_owned(),
        table_content(&["group", "other", "d (code)", "d (text)"], rows.collect()),
    );
    Ok(picture)
}

fn dif_sentence(name: &str, found: &Dif) -> String {
    format!(
        "{name}, largest |d| {} (code) and {} (text)",
        fixed3(found.max_dif_code),
        format_value(found.max_dif_standard)
    )
}

/// Two halves of some values, by a permutation.
fn split_halves(values: &[f64], seed: u32) -> Vec<(String, Vec<f64>)> {
    let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
    let order = NumpyRng::new(seed).permutation(count);
    let (first, second) = order.split_at(order.len() / 2);
    let part =
        |order: &[u32]| -> Vec<f64> { order.iter().filter_map(|at| values.get(*at as usize).copied()).collect() };
    [("first half", part(first)), ("second half", part(second))].map(|(name, values)| (name.to_owned(), values)).into()
}
