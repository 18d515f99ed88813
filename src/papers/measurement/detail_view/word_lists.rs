//! M08 and EX34: the two lists of words that a feature or a direction is described by.

use super::parts::{
    format_value, format_word_list, histogram_content, limit_line, mean_or_zero, number_cell, pick_ends_and_middle,
    plane_content, read_residual_stream, table_content, text_cell,
};
use super::{CONTROL_DICTIONARIES, DetailView, NamedValues, PlaneSeries, Settings};
use crate::order::argsort_descending;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::nla_sae::NlaSae;
use crate::papers::measurement::toy_model::{EncodedDictionary, ResidualStream};
use crate::plot::format::{fixed3, format_grouped};

/// Features of a table that agree most, in the middle, and least.
const FEATURES_PER_PICK: usize = 4;

/// An autoencoder with its name, and whether it is a control.
struct SubjectDictionary<'a> {
    name: &'a str,
    control: bool,
    subject: EncodedDictionary,
}

/// The settings' autoencoder, and the controls that it is not itself.
fn encode_dictionaries<'a>(
    stream: &ResidualStream,
    settings: &'a Settings,
) -> Result<Vec<SubjectDictionary<'a>>, MeasurementError> {
    let controls = CONTROL_DICTIONARIES.into_iter().filter(|name| settings.sae != *name);
    std::iter::once((settings.sae.as_str(), false))
        .chain(controls.map(|name| (name, true)))
        .map(|(name, control)| Ok(SubjectDictionary { name, control, subject: stream.encode_by_name(name)? }))
        .collect()
}

pub(super) fn m08_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let stream = read_residual_stream(settings)?;
    let k = settings.top_k;
    let mut picture = DetailView::new("m08");
    let (mut series, mut agreements, mut rows, mut active) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for SubjectDictionary { name, control, subject } in encode_dictionaries(&stream, settings)? {
        let found = stream.m08(&subject, k)?;
        picture.add_quantities(name, found.quantities());
        agreements.push(format!("{name} {}", format_value(found.agreement)));
        series.push(NamedValues::from_values(name, control, found.per_feature.iter().copied().flatten()));
        if control {
            continue;
        }
        active = found.active_features;
        let order = argsort_descending(found.per_feature.iter().map(|value| value.unwrap_or(-1.0)));
        let order: Vec<usize> = order.into_iter().take(active).collect();
        for feature in pick_ends_and_middle(&order, FEATURES_PER_PICK) {
            let [promoted, answered] = stream.lens_words(&subject, k, feature)?;
            let agreement = found.per_feature.get(feature).copied().flatten();
            rows.push(vec![
                text_cell(feature.to_string()),
                number_cell(agreement),
                text_cell(format_word_list(&promoted)),
                text_cell(format_word_list(&answered)),
            ]);
        }
    }
    let sae = &settings.sae;
    picture.add_panel(
        "Two descriptions of the same features",
        format!(
            "{} of {sae}’s features are active somewhere; mean agreement of their two lists: {}.",
            format_grouped(active),
            agreements.join(", ")
        ),
        format!("Features that agree most, in the middle, and least: the {k} words whose logit the decoder raises most against the up to {k} words on which the feature is strongest, the strongest first; agreement is the Jaccard index of the two lists."),
        table_content(&["feature", "agreement", "promotes", "is active on"], rows),
    );
    picture.add_panel(
        "Agreement feature by feature",
        format!("Mean agreement at k = {k}: {}.", agreements.join(", ")),
        "The Jaccard index of each active feature’s two lists. Two lists of many of 144 words share some by chance: random directions, and a decoder whose rows are permuted, say how many.".to_owned(),
        histogram_content("agreement of a feature’s two lists", series, vec![limit_line("passes above, on average", 0.3)]),
    );
    Ok(picture)
}

pub(super) fn ex34_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let stream = ResidualStream::for_checkpoint(&settings.checkpoint, settings.n_samples)?;
    let k = settings.top_k;
    let mut picture = DetailView::new("ex34");
    let (mut rows, mut series, mut planes, mut means) = (vec![], vec![], vec![], vec![]);
    for SubjectDictionary { name, control, subject } in encode_dictionaries(&stream, settings)? {
        let found = stream.ex34(&subject, k, settings.n_features)?;
        picture.add_quantities(name, found.quantities());
        let [overlap, cosine] = [found.mean_token_overlap, found.mean_direction_cosine].map(fixed3);
        means.push(format!("{name} {overlap} and {cosine}"));
        let overlaps = token_overlaps(&found);
        let each = if control { 1 } else { FEATURES_PER_PICK };
        // Of random directions the middle one: none is better than another.
        let order = argsort_descending(overlaps.iter().copied());
        let chosen = match control {
            false => pick_ends_and_middle(&order, each),
            true => order.get(order.len() / 2).copied().into_iter().collect(),
        };
        for feature in chosen {
            let Some(of) = found.per_feature.get(feature) else { continue };
            let [strong, moved] = stream.direction_words(&subject, k, feature)?;
            rows.push(vec![
                text_cell(format!("{name} {feature}")),
                number_cell(of.token_overlap),
                number_cell(of.direction_cosine),
                text_cell(format_word_list(&strong)),
                text_cell(format_word_list(&moved)),
            ]);
        }
        series.push(NamedValues::from_values(name, control, overlaps));
        let points = found
            .per_feature
            .iter()
            .enumerate()
            .map(|(feature, found)| (found.token_overlap, found.direction_cosine, feature.to_string()));
        planes.push(PlaneSeries::scatter(name, points).with_control(control));
    }
    let positions = format_grouped(stream.drawn_positions().len());
    picture.add_panel(
        "Where directions are strong, and what they promote or suppress",
        format!("Mean overlap of the two lists and mean |cos|: {}.", means.join("; ")),
        format!("Directions whose two lists overlap most, in the middle, and least, and the middle one of each control: the words at the {k} of {positions} positions with the largest |x·d|, each once, against the {k} words whose logit a direction raises (+) or lowers (−) most."),
        table_content(&["direction", "overlap", "|cos|", "is strong on", "promotes or suppresses"], rows),
    );
    picture.add_panel(
        "Overlap direction by direction",
        format!(
            "On average over {} directions the overlap at k = {k} is {}.",
            series.first().map_or(0, |first| first.values.len()),
            fixed3(series.first().map_or(0.0, |first| mean_or_zero(&first.values))),
        ),
        "The Jaccard index of each direction’s two lists. The reference code draws its directions at random."
            .to_owned(),
        histogram_content(
            "overlap of a direction’s two lists",
            series,
            vec![limit_line("passes above, on average", 0.3)],
        ),
    );
    picture.add_panel(
        "Overlap and direction",
        format!("Mean overlap and mean |cos|: {}.", means.join("; ")),
        "Each direction by the overlap of its two lists, and by its |cosine| with the first principal component of the stream where it is strongest; 0 where the stream is the same at all these positions.".to_owned(),
        plane_content(
            "overlap of the two lists",
            "|cos| with the first principal component",
            planes,
            vec![limit_line("text: passes above, on average", 0.5)],
        ),
    );
    Ok(picture)
}

fn token_overlaps(found: &NlaSae) -> Vec<f64> {
    found.per_feature.iter().map(|found| found.token_overlap).collect()
}
