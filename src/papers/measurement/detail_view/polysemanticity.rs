//! M10: features by the kinds of contexts that they answer to.

use super::parts::{
    format_value, histogram_content, mean_or_zero, number_cell, pick_ends_and_middle, read_residual_stream,
    table_content, text_cell,
};
use super::{CONTROL_DICTIONARIES, DetailView, NamedValues, Settings};
use crate::order::argsort_descending;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::Reading;
use crate::papers::measurement::metric::polysemanticity::{self, FeatureContexts};
use crate::papers::measurement::toy_model::{EncodedDictionary, ResidualStream};
use crate::plot::format::format_grouped;

/// Features of the table that have most groups, a middle number, and fewest.
const FEATURES_PER_PICK: usize = 3;
/// Contexts of a group that the table has.
const CONTEXTS_SHOWN: usize = 2;
/// Groups that the table has.
const GROUPS_SHOWN: usize = 3;

pub(super) fn m10_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let stream = read_residual_stream(settings)?;
    let mut picture = DetailView::new("m10");
    let (mut series, mut rows, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    let [random, _] = CONTROL_DICTIONARIES;
    let control = (settings.sae != random).then_some(random);
    for name in std::iter::once(settings.sae.as_str()).chain(control) {
        let subject = stream.encode_by_name(name)?;
        for (reading, said_so) in [(Reading::Document, "text"), (Reading::Code, "code")] {
            let taken = polysemanticity::Settings {
                features: settings.n_features,
                contexts: settings.top_k,
                cluster_threshold: settings.cluster_threshold,
                reading,
            };
            let found = stream.m10(&subject, &taken)?;
            let title = format!("{name}, {said_so}");
            picture.add_quantities(&title, found.rate.quantities());
            let counts = found.features.iter().map(|of| of.clusters.n_clusters as f64);
            let is_control = Some(name) == control;
            rates.push(format!("{title} {}", format_value(found.rate.rate)));
            if !is_control && reading == Reading::Document {
                rows = context_rows(&stream, &subject, &found.features);
            }
            series.push(NamedValues::from_values(title, is_control, counts));
        }
    }
    let features = series.first().map_or(0, |first| first.values.len());
    let groups = series.first().map_or(0.0, |first| mean_or_zero(&first.values));
    let cut = settings.cluster_threshold;
    picture.add_panel(
        "Contexts by their kinds",
        format!(
            "Of {}’s {} strongest features the share with more than one group of contexts: {}.",
            settings.sae,
            format_grouped(features),
            rates.join(", ")
        ),
        format!("Features with most groups, a middle number, and fewest, as in the paper: contexts are the up to {} texts in which a feature is strongest, here by the words about its strongest place; groups are joined up to a cosine distance of {}. Up to {GROUPS_SHOWN} groups are shown, the largest first.", format_grouped(settings.top_k), format_value(cut)),
        table_content(&["feature", "groups", "sizes", "contexts by group"], rows),
    );
    picture.add_panel(
        "How many groups features have",
        format!("Share with more than one group: {}; {}’s features have {} on average as in the paper.", rates.join(", "), settings.sae, format_value(groups)),
        "The text embeds a context by the mean of its residual stream, and takes texts where the feature is active; the code by the mean of its words’ embeddings, and takes the strongest texts whether or not it is active there.".to_owned(),
        histogram_content("groups of a feature’s contexts", series, Vec::new()),
    );
    Ok(picture)
}

/// A row for each of a few features.
fn context_rows(
    stream: &ResidualStream,
    subject: &EncodedDictionary,
    features: &[FeatureContexts],
) -> Vec<Vec<super::Cell>> {
    let order = argsort_descending(features.iter().map(|of| of.clusters.n_clusters as f64));
    let chosen = pick_ends_and_middle(&order, FEATURES_PER_PICK);
    let each = chosen.into_iter().filter_map(|at| features.get(at)).map(|of| {
        let labels = 1..=of.clusters.n_clusters;
        let mut groups: Vec<Vec<usize>> = labels
            .map(|label| {
                let all = of.contexts.iter().zip(&of.clusters.partition);
                all.filter(|(_, group)| **group == label).map(|(context, _)| *context).collect()
            })
            .collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let sizes: Vec<String> = groups.iter().map(|group| group.len().to_string()).collect();
        let pieces = groups.iter().take(GROUPS_SHOWN).map(|group| {
            let some = group.iter().take(CONTEXTS_SHOWN);
            let pieces = some.map(|text| stream.strongest_excerpt(subject, of.feature, *text));
            pieces.collect::<Vec<_>>().join(" / ")
        });
        let pieces: Vec<String> = pieces.collect();
        vec![
            text_cell(of.feature.to_string()),
            number_cell(of.clusters.n_clusters as f64),
            text_cell(sizes.join(", ")),
            text_cell(pieces.join(" ‖ ")),
        ]
    });
    each.collect()
}
