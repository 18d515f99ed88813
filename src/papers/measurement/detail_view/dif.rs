//! EX2: groups of prompts, by their logit differences.

use super::parts::{count, histogram, number, said, table, words};
use super::{NamedValues, Picture, Settings, UNTRAINED};
use crate::NumpyRng;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{compared, groups, mixed_group};
use crate::papers::measurement::metric::Dif;
use crate::plot::format::{fixed3, grouped};
use crate::toy_model;

pub(super) fn ex2(settings: &Settings) -> Result<Picture, MeasurementError> {
    let model = toy_model::model(&settings.checkpoint)?;
    let (task, prompts) = (settings.task(), settings.n_prompts);
    let mut picture = Picture::of("ex2");
    let mut each = groups(&model, task, prompts)?;
    let found = compared(&each)?;
    let name = "whole model";
    picture.take(name, found.quantities());
    let mut sentences = vec![sentence(name, &found)];
    let halves = each.first().cloned();
    if let Some(third) = mixed_group(&model, task, prompts)? {
        each.push(third);
        let found = compared(&each)?;
        let name = "whole model, with mixed names";
        picture.take(name, found.quantities());
        sentences.push(sentence(name, &found));
    }
    let mut series: Vec<NamedValues> = each
        .iter()
        .map(|(name, values)| NamedValues::of(name, false, values.iter().copied()))
        .collect();
    if settings.checkpoint != UNTRAINED {
        let untrained = compared(&groups(&*toy_model::model(UNTRAINED)?, task, prompts)?)?;
        picture.take("untrained", untrained.quantities());
        sentences.push(sentence("untrained", &untrained));
    }
    let mut null = Vec::new();
    if let Some((name, values)) = halves {
        for seed in 1..=settings.seeds {
            let halves = halved(&values, seed);
            let found = compared(&halves)?;
            picture.take(&format!("two halves of {name}, seed {seed}"), found.quantities());
            null.push(found.max_dif_code);
            if seed == 1 {
                let named = halves.into_iter();
                series.extend(named.map(|(half, values)| {
                    NamedValues::of(format!("{half} of {name}"), true, values)
                }));
            }
        }
    }
    let shown = compared(&each)?;
    let least = null.iter().copied().fold(f64::INFINITY, f64::min);
    let most = null.iter().copied().fold(0.0, f64::max);
    let chance = match null.is_empty() {
        true => String::new(),
        false => {
            format!(" Two halves of one group differ by {} to {}.", fixed3(least), fixed3(most))
        }
    };
    picture.panel(
        "Logit differences by group",
        format!("{}: {}.{chance}", settings.task, sentences.join("; ")),
        "Each prompt’s logit of the right word less that of the foil. Groups are those of names where a task has names, else what tells its prompts apart; two random halves of the first group are the control. The largest |d| of all pairs is held against ½, with variances of ddof 0 (the code) and ddof 1 (the text).".to_owned(),
        histogram("logit difference", series, Vec::new()),
    );
    let rows = shown.groups.iter().map(|of| {
        vec![
            words(&of.name),
            count(of.n),
            number(of.mean_ld),
            number(of.std_ld),
            number(of.accuracy),
        ]
    });
    picture.panel(
        "Each group",
        format!("{} groups of {} prompts together.", shown.groups.len(), grouped(shown.groups.iter().map(|of| of.n).sum())),
        "Mean and standard deviation (ddof 0) of the logit differences, and the share above 0. Nothing here corrects for how hard a group’s prompts are.".to_owned(),
        table(&["group", "prompts", "mean", "deviation", "share above 0"], rows.collect()),
    );
    let rows = shown.pairs.iter().map(|of| {
        vec![
            words(&of.first),
            words(&of.second),
            number(of.d_code_ddof0),
            number(of.d_standard_ddof1),
        ]
    });
    picture.panel(
        "Each pair of groups",
        format!("Largest |d|: {} (code), {} (text); the code reports {}.", fixed3(shown.max_dif_code), said(shown.max_dif_standard), fixed3(shown.value_code)),
        "Cohen’s d with variances of ddof 0, which is 0 where nothing varies, and as it is defined; groups of a single prompt are left out.".to_owned(),
        table(&["group", "other", "d (code)", "d (text)"], rows.collect()),
    );
    Ok(picture)
}

fn sentence(name: &str, found: &Dif) -> String {
    format!(
        "{name}, largest |d| {} (code) and {} (text)",
        fixed3(found.max_dif_code),
        said(found.max_dif_standard)
    )
}

/// Two halves of some values, by a permutation.
fn halved(values: &[f64], seed: u32) -> Vec<(String, Vec<f64>)> {
    let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
    let order = NumpyRng::new(seed).permutation(count);
    let (first, second) = order.split_at(order.len() / 2);
    let part = |order: &[u32]| -> Vec<f64> {
        order.iter().filter_map(|at| values.get(*at as usize).copied()).collect()
    };
    [("first half", part(first)), ("second half", part(second))]
        .map(|(name, values)| (name.to_owned(), values))
        .into()
}
