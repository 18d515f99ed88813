//! M11: the features of a small dictionary in a large one.

use super::parts::{limit_line, plane_content, read_residual_stream};
use super::{DetailView, PlaneSeries, Settings};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::matryoshka::{COSINE_THRESHOLD, Matryoshka};
use crate::plot::format::{fixed3, format_grouped};

/// The small dictionary of the control.
pub(super) const RANDOM_DICTIONARY: &str = "random128";
/// Numbers of large features at which consistency is taken, beside the settings' own.
const K_VALUES: [usize; 5] = [1, 2, 5, 10, 20];

pub(super) fn m11_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let stream = read_residual_stream(settings)?;
    let large = stream.encode_by_name(&settings.sae)?;
    let mut picture = DetailView::new("m11");
    let mut ks = K_VALUES.to_vec();
    ks.push(settings.top_k);
    ks.sort_unstable();
    ks.dedup();
    let control = (settings.small != RANDOM_DICTIONARY).then_some(RANDOM_DICTIONARY);
    let (mut planes, mut curves, mut sentences) = (Vec::new(), Vec::new(), Vec::new());
    let mut splits = Vec::new();
    for name in std::iter::once(settings.small.as_str()).chain(control) {
        let small = stream.encode_by_name(name)?;
        let is_control = Some(name) == control;
        let (mut code, mut document) = (Vec::new(), Vec::new());
        for k in &ks {
            let found = stream.m11(&small, &large, *k)?;
            let point = |value: f64| (*k as f64, value, format!("k = {k}"));
            code.push(point(found.consistency_code));
            document.push(point(found.consistency_document));
            if *k != settings.top_k {
                continue;
            }
            let subject = format!("{name} in {}", settings.sae);
            picture.add_quantities(&subject, found.quantities());
            let [text, coded] = [found.consistency_document, found.consistency_code].map(fixed3);
            sentences.push(format!("{text} by the text and {coded} by the code for {name}"));
            splits.push(format!("{} of {name}", fixed3(found.splitting_rate)));
            planes.push(PlaneSeries::scatter(name, feature_points(&found)).with_control(is_control));
        }
        for (reading, points) in [("text", document), ("code", code)] {
            curves.push(PlaneSeries::line(format!("{name}, {reading}"), points).with_control(is_control));
        }
    }
    let k = format_grouped(settings.top_k);
    picture.add_panel(
        "Where small features are in the large dictionary",
        format!("At k = {k} the share of small features whose large ones point apart (mean |cos| below {COSINE_THRESHOLD}) is {}.", splits.join(", ")),
        format!("Each small feature by its largest |correlation| with a feature of {}, and by the mean |cos| among the directions of the k features that it correlates most with; of k = 1 that is 1.", settings.sae),
        plane_content(
            "largest |correlation| with a large feature",
            "mean |cos| among its k large features",
            planes,
            vec![limit_line("split below", COSINE_THRESHOLD)],
        ),
    );
    picture.add_panel(
        "Consistency against k",
        format!("At k = {k} the consistency is {}.", sentences.join("; ")),
        "Nothing splits at k = 1, where a single large feature has nothing to point apart from; how far a curve falls from there on is what the choice of k decides, of random directions, too. Text and code differ in what absorbed features are a share of.".to_owned(),
        plane_content("k", "consistency", curves, vec![limit_line("passes above", 0.7)]),
    );
    Ok(picture)
}

fn feature_points(found: &Matryoshka) -> impl Iterator<Item = (f64, f64, String)> + '_ {
    let each = found.correspondence.iter().zip(&found.coherence).enumerate();
    each.map(|(feature, (large, coherence))| {
        let (at, correlation) = large.first().copied().unwrap_or_default();
        (correlation.abs(), *coherence, format!("{feature}, best in {at}"))
    })
}
