//! What colours say must reach readers who see fewer of them, and be said by something else as well.

use std::sync::LazyLock;

use plotters::style::RGBColor;

use super::*;

/// Least difference (CIEDE2000) between any two colours of a chart, to anybody's eye; 1 is just
/// visible when two patches touch, and thin curves far apart need several times that.
const LEAST: f64 = 10.0;

/// Linear RGB as somebody sees it without one kind of cone: Machado, Oliveira and Fernandes, "A
/// Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
const VISIONS: [(&str, [[f64; 3]; 3]); 4] = [
    ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanopia", [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    (
        "deuteranopia",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    ("tritanopia", [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
];

fn times(matrix: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| (0..3).map(|column| matrix[row][column] * v[column]).sum())
}

/// CIELAB under D65 of a colour as somebody sees it.
fn lab(colour: RGBColor, vision: &[[f64; 3]; 3]) -> [f64; 3] {
    let linear = [colour.0, colour.1, colour.2].map(|channel| {
        let v = f64::from(channel) / 255.0;
        if v <= 0.04045 { v / 12.92 } else { libm::pow((v + 0.055) / 1.055, 2.4) }
    });
    let seen = times(vision, linear).map(|v| v.clamp(0.0, 1.0));
    let xyz = times(
        &[[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]],
        seen,
    );
    let [x, y, z] = [xyz[0] / 0.95047, xyz[1], xyz[2] / 1.08883]
        .map(|t| if t > 216.0 / 24389.0 { libm::cbrt(t) } else { (24389.0 / 27.0 * t + 16.0) / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The difference of two CIELAB colours: Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference
/// Formula" (2005).
fn difference(p: [f64; 3], q: [f64; 3]) -> f64 {
    let sin = |degrees: f64| libm::sin(degrees.to_radians());
    let cos = |degrees: f64| libm::cos(degrees.to_radians());
    let seventh = |c: f64| {
        let c7 = libm::pow(c, 7.0);
        libm::sqrt(c7 / (c7 + libm::pow(25.0, 7.0)))
    };
    let mean = (libm::hypot(p[1], p[2]) + libm::hypot(q[1], q[2])) / 2.0;
    let stretch = 1.0 + 0.5 * (1.0 - seventh(mean));
    let polar = |[_, a, b]: [f64; 3]| {
        let a = a * stretch;
        (libm::hypot(a, b), libm::atan2(b, a).to_degrees().rem_euclid(360.0))
    };
    let ((c1, h1), (c2, h2)) = (polar(p), polar(q));
    let grey = c1 * c2 == 0.0;
    let turn = match h2 - h1 {
        _ if grey => 0.0,
        turn if turn > 180.0 => turn - 360.0,
        turn if turn < -180.0 => turn + 360.0,
        turn => turn,
    };
    let hue = match h1 + h2 {
        sum if grey => sum,
        sum if libm::fabs(h1 - h2) <= 180.0 => sum / 2.0,
        sum if sum < 360.0 => (sum + 360.0) / 2.0,
        sum => (sum - 360.0) / 2.0,
    };
    let (light, chroma) = ((p[0] + q[0]) / 2.0, (c1 + c2) / 2.0);
    let t = 1.0 - 0.17 * cos(hue - 30.0) + 0.24 * cos(2.0 * hue) + 0.32 * cos(3.0 * hue + 6.0)
        - 0.20 * cos(4.0 * hue - 63.0);
    let off = (light - 50.0) * (light - 50.0);
    let dl = (q[0] - p[0]) / (1.0 + 0.015 * off / libm::sqrt(20.0 + off));
    let dc = (c2 - c1) / (1.0 + 0.045 * chroma);
    let dh = 2.0 * libm::sqrt(c1 * c2) * sin(turn / 2.0) / (1.0 + 0.015 * chroma * t);
    let bend = (hue - 275.0) / 25.0;
    let twist = -2.0 * seventh(chroma) * sin(60.0 * libm::exp(-bend * bend));
    libm::sqrt(dl * dl + dc * dc + dh * dh + twist * dc * dh)
}

#[test]
fn differences_are_those_of_the_formulas_authors() {
    // From the table of test data that goes with the article.
    let cases = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0009], 7.1792),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ];
    for (p, q, expected) in cases {
        for found in [difference(p, q), difference(q, p)] {
            assert!(libm::fabs(found - expected) < 1e-4, "{p:?} {q:?}: {found}");
        }
    }
}

/// A study of all methods, briefly trained.
fn families() -> crate::lab::families::FamiliesReport {
    use crate::lab::families::{FamiliesConfig, Runner, build_report};
    let mut config = FamiliesConfig::small();
    config.train.steps = 2;
    (config.ks, config.relu, config.gated, config.jumprelu) = (vec![2], vec![0.02], vec![0.02], vec![0.02]);
    config.train_rows = 300;
    let runner = Runner::new(&config).unwrap();
    let results = config.jobs().iter().map(|job| runner.run(job).unwrap()).collect();
    build_report(&config, results).unwrap()
}

/// Every chart of the page, with weights that are nobody's profile, so that "yours" is there.
static ALL: LazyLock<Vec<Chart>> = LazyLock::new(|| {
    let mut charts = every_chart(&report(&PAPER), YOURS);
    let (study, weights) = (families(), Weights::try_from(YOURS).unwrap());
    let kept = [UserMember { name: "mine".to_owned(), result: study.results[0].clone() }];
    let ids = figure_ids::<crate::lab::families::StudyView>();
    charts.extend(ids.map(|id| families_figure(id, &study, weights, &kept).unwrap()));
    charts.extend(ensembles().iter().flat_map(|(_, found)| every_ensemble_chart(found)));
    charts
});

/// The roles whose colours tell parts of a chart from each other.
fn roles(chart: &Chart) -> Vec<ColourRole> {
    let curves = |series: &[Series], references: &[ReferenceLine]| -> Vec<ColourRole> {
        let lines = (!references.is_empty()).then_some(ColourRole::Neutral);
        series.iter().map(|s| s.role).chain(lines).collect()
    };
    match &chart.body {
        ChartBody::Lines(c) => curves(&c.series, &c.references),
        ChartBody::Scatter(c) => curves(&c.series, &c.references),
        ChartBody::Bars(c) => {
            let groups: Vec<ColourRole> = c.groups.iter().filter_map(|g| g.role).collect();
            if groups.is_empty() { c.series.iter().map(|s| s.role).collect() } else { groups }
        }
        ChartBody::Histogram(c) => c.rules.iter().map(|r| r.role).chain([ColourRole::Extra]).collect(),
        ChartBody::Fronts(c) => curves(&c.cloud.series, &[]),
        ChartBody::Dots(c) => c.rows.iter().map(|r| r.role).collect(),
        // Each thing has a shape of its own.
        ChartBody::Ranges(_) => Vec::new(),
        ChartBody::Marks(c) => c.words.iter().map(|word| word.role).collect(),
        // Colours come round and round on the points' places in the order.
        ChartBody::Ternary(_) | ChartBody::Projection(_) | ChartBody::Boxes(_) => {
            vec![
                ColourRole::Sparsity,
                ColourRole::Fidelity,
                ColourRole::Completeness,
                ColourRole::GroundTruth,
                ColourRole::Yours,
            ]
        }
        // Numbers stand in every cell.
        ChartBody::Heatmap(_) | ChartBody::Table(_) => Vec::new(),
    }
}

#[test]
fn no_two_colours_of_a_chart_look_alike_to_anybody() {
    let mut alike = Vec::new();
    for (name, theme) in [("light", Theme::light()), ("dark", Theme::dark())] {
        for chart in &*ALL {
            let mut roles = roles(chart);
            roles.sort_by_key(|role| *role as u8);
            roles.dedup();
            for (vision, matrix) in &VISIONS {
                for (i, a) in roles.iter().enumerate() {
                    for b in &roles[i + 1..] {
                        let seen = [*a, *b].map(|role| lab(theme.role_colour(role), matrix));
                        let far = difference(seen[0], seen[1]);
                        if far < LEAST {
                            alike.push(format!("{name}, {vision}, {}: {a:?} and {b:?} are {far:.1} apart", chart.id));
                        }
                    }
                }
            }
        }
    }
    assert!(alike.is_empty(), "{}", alike.join("\n"));
}

#[test]
fn agreement_and_difference_look_unlike_to_everybody() {
    for theme in [Theme::light(), Theme::dark()] {
        for (vision, matrix) in &VISIONS {
            let far = difference(lab(theme.agreement_colour, matrix), lab(theme.difference_colour, matrix));
            assert!(far >= LEAST, "{vision}: {far:.1}");
        }
    }
}

#[test]
fn every_colour_has_a_second_cue_beside_it() {
    for chart in &*ALL {
        let cues: Vec<String> = match &chart.body {
            ChartBody::Lines(Lines { series, .. }) | ChartBody::Scatter(Scatter { series, .. }) => {
                // Stroke and marker each tell a curve apart: markers are left out where they touch.
                let strokes = series.iter().map(|s| format!("{:?} {:?}", s.stroke, s.marker));
                strokes.collect()
            }
            ChartBody::Bars(c) => c.series.iter().map(|s| format!("{:?}", s.fill)).collect(),
            ChartBody::Histogram(c) => c.rules.iter().map(|r| format!("{:?} {:?}", r.stroke, r.marker)).collect(),
            ChartBody::Heatmap(c) if c.columns.len() <= 8 => {
                let height = preferred_height(chart, 720.0) as u32;
                let svg = to_svg(chart, 720, height, &Theme::light()).unwrap();
                for value in c.rows.iter().flat_map(|row| &row.values) {
                    let number = crate::plot::format::fixed(*value, c.decimals);
                    assert!(svg.contains(&number), "{}: {number} is colour alone", chart.id);
                }
                continue;
            }
            // Cells too narrow for a number are read out, and stand in the table.
            ChartBody::Heatmap(_) => continue,
            ChartBody::Ternary(c) => c.regions.iter().map(|r| r.label.clone()).collect(),
            ChartBody::Fronts(c) => {
                let series = c.cloud.series.iter();
                series.map(|s| format!("{:?} {:?} {:?}", s.role, s.stroke, s.marker)).collect()
            }
            ChartBody::Dots(c) => c.rows.iter().map(|r| r.label.clone()).collect(),
            ChartBody::Ranges(c) => c.things.iter().map(|t| format!("{:?}", t.marker)).collect(),
            ChartBody::Marks(c) => c.words.iter().map(|word| format!("{:?}", word.marker)).collect(),
            ChartBody::Projection(c) => c.points.iter().map(|p| p.label.clone()).collect(),
            ChartBody::Boxes(c) => c.points.iter().map(|p| p.label.clone()).collect(),
            ChartBody::Table(_) => continue,
        };
        for (i, cue) in cues.iter().enumerate() {
            assert!(!cue.trim().is_empty(), "{}: a part has no name", chart.id);
            assert!(!cues[..i].contains(cue), "{}: {cue} twice", chart.id);
        }
    }
}
