//! M08 and EX34: the two lists of words that a feature or a direction is described by.

use super::parts::{
    average, ends_and_middle, histogram, limit, number, plane, said, some, stream, table, words,
};
use super::{CONTROLS, NamedValues, Picture, PlaneSeries, Settings};
use crate::order::falling;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::nla_sae::NlaSae;
use crate::papers::measurement::toy_model::{Stream, Subject};
use crate::plot::format::{fixed3, grouped};

/// Features of a table that agree most, in the middle, and least.
const EACH: usize = 4;

/// An autoencoder with its name, and whether it is a control.
struct Named<'a> {
    name: &'a str,
    control: bool,
    subject: Subject,
}

/// The settings' autoencoder, and the controls that it is not itself.
fn subjects<'a>(
    stream: &Stream,
    settings: &'a Settings,
) -> Result<Vec<Named<'a>>, MeasurementError> {
    let controls = CONTROLS.into_iter().filter(|name| settings.sae != *name);
    std::iter::once((settings.sae.as_str(), false))
        .chain(controls.map(|name| (name, true)))
        .map(|(name, control)| Ok(Named { name, control, subject: stream.subject(name)? }))
        .collect()
}

pub(super) fn m08(settings: &Settings) -> Result<Picture, MeasurementError> {
    let stream = stream(settings)?;
    let k = settings.top_k;
    let mut picture = Picture::of("m08");
    let (mut series, mut agreements, mut rows, mut active) =
        (Vec::new(), Vec::new(), Vec::new(), 0);
    for Named { name, control, subject } in subjects(&stream, settings)? {
        let found = stream.m08(&subject, k)?;
        picture.take(name, found.quantities());
        agreements.push(format!("{name} {}", said(found.agreement)));
        series.push(NamedValues::of(name, control, found.per_feature.iter().copied().flatten()));
        if control {
            continue;
        }
        active = found.active_features;
        let order = falling(found.per_feature.iter().map(|value| value.unwrap_or(-1.0)));
        let order: Vec<usize> = order.into_iter().take(active).collect();
        for feature in ends_and_middle(&order, EACH) {
            let [promoted, answered] = stream.lens_words(&subject, k, feature)?;
            let agreement = found.per_feature.get(feature).copied().flatten();
            rows.push(vec![
                words(feature.to_string()),
                number(agreement),
                words(some(&promoted)),
                words(some(&answered)),
            ]);
        }
    }
    let sae = &settings.sae;
    picture.panel(
        "Two descriptions of the same features",
        format!(
            "{} of {sae}’s features are active somewhere; mean agreement of their two lists: {}.",
            grouped(active),
            agreements.join(", ")
        ),
        format!("Features that agree most, in the middle, and least: the {k} words whose logit the decoder raises most against the up to {k} words on which the feature is strongest, the strongest first; agreement is the Jaccard index of the two lists."),
        table(&["feature", "agreement", "promotes", "is active on"], rows),
    );
    picture.panel(
        "Agreement feature by feature",
        format!("Mean agreement at k = {k}: {}.", agreements.join(", ")),
        "The Jaccard index of each active feature’s two lists. Two lists of many of 144 words share some by chance: random directions, and a decoder whose rows are permuted, say how many.".to_owned(),
        histogram("agreement of a feature’s two lists", series, vec![limit("passes above, on average", 0.3)]),
    );
    Ok(picture)
}

pub(super) fn ex34(settings: &Settings) -> Result<Picture, MeasurementError> {
    let stream = Stream::of(&settings.checkpoint, settings.n_samples)?;
    let k = settings.top_k;
    let mut picture = Picture::of("ex34");
    let (mut rows, mut series, mut planes, mut means) = (vec![], vec![], vec![], vec![]);
    for Named { name, control, subject } in subjects(&stream, settings)? {
        let found = stream.ex34(&subject, k, settings.n_features)?;
        picture.take(name, found.quantities());
        let [overlap, cosine] = [found.mean_token_overlap, found.mean_direction_cosine].map(fixed3);
        means.push(format!("{name} {overlap} and {cosine}"));
        let overlaps = overlaps(&found);
        let each = if control { 1 } else { EACH };
        // Of random directions the middle one: none is better than another.
        let order = falling(overlaps.iter().copied());
        let chosen = match control {
            false => ends_and_middle(&order, each),
            true => order.get(order.len() / 2).copied().into_iter().collect(),
        };
        for feature in chosen {
            let Some(of) = found.per_feature.get(feature) else { continue };
            let [strong, moved] = stream.direction_words(&subject, k, feature)?;
            rows.push(vec![
                words(format!("{name} {feature}")),
                number(of.token_overlap),
                number(of.direction_cosine),
                words(some(&strong)),
                words(some(&moved)),
            ]);
        }
        series.push(NamedValues::of(name, control, overlaps));
        let points = found.per_feature.iter().enumerate().map(|(feature, found)| {
            (found.token_overlap, found.direction_cosine, feature.to_string())
        });
        planes.push(PlaneSeries::points(name, points).control_if(control));
    }
    let positions = grouped(stream.drawn().len());
    picture.panel(
        "Where directions are strong, and what they promote or suppress",
        format!("Mean overlap of the two lists and mean |cos|: {}.", means.join("; ")),
        format!("Directions whose two lists overlap most, in the middle, and least, and the middle one of each control: the words at the {k} of {positions} positions with the largest |x·d|, each once, against the {k} words whose logit a direction raises (+) or lowers (−) most."),
        table(&["direction", "overlap", "|cos|", "is strong on", "promotes or suppresses"], rows),
    );
    picture.panel(
        "Overlap direction by direction",
        format!(
            "On average over {} directions the overlap at k = {k} is {}.",
            series.first().map_or(0, |first| first.values.len()),
            fixed3(series.first().map_or(0.0, |first| average(&first.values))),
        ),
        "The Jaccard index of each direction’s two lists. The reference code draws its directions at random.".to_owned(),
        histogram("overlap of a direction’s two lists", series, vec![limit("passes above, on average", 0.3)]),
    );
    picture.panel(
        "Overlap and direction",
        format!("Mean overlap and mean |cos|: {}.", means.join("; ")),
        "Each direction by the overlap of its two lists, and by its |cosine| with the first principal component of the stream where it is strongest; 0 where the stream is the same at all these positions.".to_owned(),
        plane(
            "overlap of the two lists",
            "|cos| with the first principal component",
            planes,
            vec![limit("text: passes above, on average", 0.5)],
        ),
    );
    Ok(picture)
}

fn overlaps(found: &NlaSae) -> Vec<f64> {
    found.per_feature.iter().map(|found| found.token_overlap).collect()
}
