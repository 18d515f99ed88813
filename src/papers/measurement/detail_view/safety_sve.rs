//! M14: the directions between safe and unsafe requests, layer by layer.

use super::parts::{format_value, limit_line, plane_content};
use super::{DetailView, PlaneSeries, Settings, UNTRAINED_CHECKPOINT};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::safety_sve::SafetySve;
use crate::papers::measurement::toy_model::{Contrast, REQUESTS_SEED_AND_COUNT, m14};
use crate::plot::format::fixed3;

pub(super) fn m14_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let mut picture = DetailView::new("m14");
    let checkpoint = settings.checkpoint.as_str();
    let mut asked = vec![
        ("unsafe and safe".to_owned(), checkpoint, Contrast::Unsafe),
        ("two halves of the safe".to_owned(), checkpoint, Contrast::SafeHalves),
    ];
    if checkpoint != UNTRAINED_CHECKPOINT {
        asked.push(("unsafe and safe, untrained".to_owned(), UNTRAINED_CHECKPOINT, Contrast::Unsafe));
    }
    let (mut values, mut lengths, mut draws) = (Vec::new(), Vec::new(), Vec::new());
    let (mut entropies, mut norms, mut steadiness) = (Vec::new(), Vec::new(), Vec::new());
    let mut most = None;
    for (at, (name, checkpoint, contrast)) in asked.into_iter().enumerate() {
        let found = m14(checkpoint, contrast, settings.n_stability_runs)?;
        picture.add_quantities(&name, found.quantities());
        let control = at > 0;
        let centred = found.singular_values_centred.as_slice();
        let each = [("as they are", found.singular_values.as_slice()), ("less their mean", centred)];
        for (how, of) in each {
            let name = format!("{name}, {how}");
            values.push(PlaneSeries::indexed_line(name, 1, of).with_control(control));
        }
        lengths.push(PlaneSeries::indexed_line(name.as_str(), 0, &found.norms).with_control(control));
        for (reading, of) in [("text", &found.sves_document), ("code", &found.sves_code)] {
            let name = format!("{name}, {reading}");
            draws.push(PlaneSeries::indexed_line(name, 0, of).with_control(control));
        }
        let [text, code] = [found.sve_document, found.sve_code].map(fixed3);
        entropies.push(format!("{name} {text} (text) and {code} (code)"));
        norms.push(format!("{name} {}", format_max_norm(&found)));
        let [text, code] = [found.stability_document, found.stability_code].map(format_value);
        steadiness.push(format!("{name} {text} (text) and {code} (code)"));
        most.get_or_insert((found.max_possible, found.max_possible_centred));
    }
    let (text, code) = most.unwrap_or_default();
    let of_few = format!("With so few layers it cannot exceed {} (text) or {} (code)", fixed3(text), fixed3(code));
    picture.add_panel(
        "Singular values over the layers",
        format!("Entropy: {}.", entropies.join("; ")),
        format!("Singular values of the layers’ mean differences between two sets taken of {} requests at the last position, as they are (the text) and less their mean over the layers (the code). {of_few}; two halves of the safe requests differ by nothing but chance.", REQUESTS_SEED_AND_COUNT.1),
        plane_content("number", "singular value", values, Vec::new()),
    );
    picture.add_panel(
        "Length of each layer’s direction",
        format!("The longest: {}.", norms.join(", ")),
        "How far apart the means of the two sets are after each layer. The entropy knows nothing of this length: a chance difference has one as well as a large one has.".to_owned(),
        plane_content("layer", "length of the mean difference", lengths, Vec::new()),
    );
    picture.add_panel(
        "Entropy from draw to draw",
        format!("Stability over {} draws: {}.", settings.n_stability_runs, steadiness.join("; ")),
        format!("The entropy of all requests (0), then of each draw of three quarters of both sets. {of_few}, so that below 2 says nothing of them."),
        plane_content("draw", "entropy", draws, vec![limit_line("passes below", 2.0)]),
    );
    Ok(picture)
}

fn format_max_norm(found: &SafetySve) -> String {
    fixed3(found.norms.iter().copied().fold(0.0, f64::max))
}
