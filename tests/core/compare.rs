//! Two results side by side: every difference is that of two runs, whatever their grids and weights.

use sfc_bench::lab::compare::figures::OVERLAY_FIGURES;
use sfc_bench::lab::compare::{Comparison, StudyView, ValuePair};
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::{NoProgress, ParetoView, Point, Report, printed as paper};
use sfc_bench::plot::{self, Chart, ChartBody, DataValue, Marker, Stroke, Theme};
use sfc_bench::study::figure_ids;
use sfc_bench::{Draft, PROFILES, Weights};

fn run(draft: Draft) -> Report {
    let draft = Draft { samples: Some(300.0), ..draft };
    study::run(&draft.parse().unwrap(), &mut NoProgress).unwrap()
}

fn present() -> Report {
    run(Draft {
        k: Some(24.0),
        levels: Some(vec![0.0, 0.5, 0.9, 0.25, 0.95]),
        weights: Some(vec![5.0, 1.0, 1.0]),
        ..Draft::default()
    })
}

fn pinned() -> Report {
    run(Draft { levels: Some(vec![0.5, 0.0, 0.3, 0.95]), ..Draft::default() })
}

/// A pair, and what it is of.
type Metric = (ValuePair, fn(&Point) -> f64);

fn at(report: &Report, level: f64) -> Option<&Point> {
    report.main.points.iter().find(|p| p.level == level)
}

#[test]
fn differences_are_those_of_two_runs_on_whatever_grids() {
    let (now, then) = (present(), pinned());
    let both = Comparison::new(&now, &then);
    let levels: Vec<f64> = both.levels.iter().map(|p| p.level).collect();
    assert_eq!(levels, [0.0, 0.25, 0.3, 0.5, 0.9, 0.95], "either's levels, each once, ascending");
    for pair in &both.levels {
        let (a, b) = (at(&now, pair.level), at(&then, pair.level));
        let metrics: [Metric; 4] = [
            (pair.sparsity, |p| p.sparsity),
            (pair.fidelity, |p| p.fidelity),
            (pair.completeness, |p| p.completeness),
            // As the run itself scored it: under the weights of its own settings.
            (pair.sfc, |p| p.sfc),
        ];
        for (pair, value) in metrics {
            assert_eq!((pair.current, pair.pinned), (a.map(value), b.map(value)));
            let expected = a.zip(b).map(|(a, b)| value(a) - value(b));
            assert_eq!(pair.difference(), expected);
        }
        let rescored = b.map(|p| {
            let weights = now.settings.weights();
            weights.sfc(p.sparsity, p.fidelity, p.completeness)
        });
        assert_eq!(pair.sfc_same_weights, ValuePair { current: a.map(|p| p.sfc), pinned: rescored });
    }
    assert_eq!(both.dictionary_size, ValuePair { current: Some(24.0), pinned: Some(48.0) });
    assert_eq!(both.hypervolume.current, Some(now.main.hypervolume));
    assert_eq!(both.hypervolume.pinned, Some(then.main.hypervolume));
    assert_eq!(both.c_gt.pinned, Some(then.main.points[0].c_gt));

    for (report, half) in [(&now, 0), (&then, 1)] {
        let best = |weights: Weights| {
            study::best_point(&report.main.points, weights).map(|(at, score)| (report.main.points[at].level, score))
        };
        let of = |peaks: &sfc_bench::lab::compare::PeakPair| {
            [peaks.current, peaks.pinned][half].map(|peak| (peak.level, peak.sfc))
        };
        assert_eq!(of(&both.peak), best(report.settings.weights()));
        assert_eq!(of(&both.peak_same_weights), best(now.settings.weights()));
        assert_eq!(both.profile_peaks.len(), PROFILES.len());
        for (profile, peaks) in &both.profile_peaks {
            assert_eq!(of(peaks), best(profile.weights), "{}", profile.label);
        }
    }
}

#[test]
fn a_result_beside_itself_differs_in_nothing() {
    let report = pinned();
    let both = Comparison::new(&report, &report);
    for pair in &both.levels {
        for pair in [pair.sparsity, pair.fidelity, pair.completeness, pair.sfc, pair.sfc_same_weights] {
            assert_eq!(pair.difference(), Some(0.0));
        }
    }
    let chart = sfc_bench::lab::compare::figures::comparison_figure("compare-differences", &report, &report).unwrap();
    assert!(chart.summary.contains("ΔSFC is 0 everywhere"), "{}", chart.summary);
    let table =
        sfc_bench::lab::compare::figures::comparison_figure("compare-score", &report, &report).unwrap().data_table();
    assert_eq!(table.columns.len(), 4, "one set of weights needs no second column");
    assert!(table.rows.iter().all(|row| row[3].text == "0"));
}

#[test]
fn what_is_no_number_has_no_difference() {
    assert_eq!(ValuePair::new(Some(f64::NAN), Some(1.0)).difference(), None);
    assert_eq!(ValuePair::new(Some(1.0), Some(f64::INFINITY)), ValuePair { current: Some(1.0), pinned: None });
    assert_eq!(ValuePair::new(None, None), ValuePair::default());
    let (mut now, mut then) = (present(), pinned());
    // A grid without a common level, values that are none, scores that are all zero.
    now.main.points.retain(|p| p.level != 0.0 && p.level != 0.5 && p.level != 0.95);
    then.main.points.iter_mut().for_each(|p| p.fidelity = f64::NAN);
    let both = Comparison::new(&now, &then);
    assert!(both.levels.iter().all(|p| p.sparsity.difference().is_none()));
    assert_eq!(both.peak.pinned, None);
    now.main.points.clear();
    for id in figure_ids::<StudyView>() {
        let chart = sfc_bench::lab::compare::figures::comparison_figure(id, &now, &then).unwrap();
        assert!(!chart.summary.contains("NaN"), "{}", chart.summary);
        assert!(plot::to_svg(&chart, 400, 300, &Theme::light()).is_ok(), "{id}");
    }
    for id in OVERLAY_FIGURES {
        let chart = chart(id, &now);
        let laid = sfc_bench::lab::compare::figures::overlay_pinned(chart, &then, ParetoView::default());
        assert!(plot::to_svg(&laid, 400, 300, &Theme::light()).is_ok(), "{id}");
    }
}

fn chart(id: &str, report: &Report) -> Chart {
    sfc_bench::papers::sfc::figures::build_figure(id, report, &paper::compare_cells(report), report.settings.weights())
        .unwrap()
}

#[test]
fn a_pinned_layer_has_the_pinned_runs_points_and_is_not_told_by_colour_alone() {
    let (now, then) = (present(), pinned());
    for id in OVERLAY_FIGURES {
        let alone = chart(id, &now);
        let laid = sfc_bench::lab::compare::figures::overlay_pinned(alone.clone(), &then, ParetoView::default());
        let other = chart(id, &then);
        assert!(laid.summary.starts_with(&alone.summary) && laid.summary.contains(&other.summary));
        match (&laid.body, &alone.body, &other.body) {
            (ChartBody::Lines(laid), ChartBody::Lines(alone), ChartBody::Lines(other)) => {
                series(id, &laid.series, &alone.series, &other.series);
                assert!(laid.y.max >= alone.y.max.max(other.y.max));
            }
            (ChartBody::Scatter(laid), ChartBody::Scatter(alone), ChartBody::Scatter(other)) => {
                series(id, &laid.series, &alone.series, &other.series);
            }
            (ChartBody::Bars(laid), ChartBody::Bars(alone), ChartBody::Bars(other)) => {
                assert_eq!(laid.series.len(), alone.series.len() + 1);
                let pinned = laid.series.last().unwrap();
                assert_eq!(pinned.bars, other.series[0].bars);
                assert!(laid.series.iter().filter(|s| s.fill == pinned.fill).count() == 1);
            }
            (ChartBody::Projection(laid), ChartBody::Projection(alone), ChartBody::Projection(other)) => {
                assert_eq!((&laid.points, &laid.pinned), (&alone.points, &other.points));
            }
            _ => panic!("{id} has another body"),
        }
        let data = laid.data();
        let names: Vec<&String> = data.columns.iter().filter(|c| c.contains("pinned")).collect();
        let labelled = data.rows.iter().flatten().any(|value| match value {
            DataValue::Text(text) => text.contains("pinned"),
            _ => false,
        });
        assert!(!names.is_empty() || labelled, "{id}: {:?}", data.columns);
    }
    // What is not laid over stays as it was.
    let table = chart("table3", &now);
    assert_eq!(sfc_bench::lab::compare::figures::overlay_pinned(table.clone(), &then, ParetoView::default()), table);
}

#[track_caller]
fn series(id: &str, laid: &[plot::Series], alone: &[plot::Series], other: &[plot::Series]) {
    assert_eq!(&laid[..alone.len()], alone, "{id}: the present result is as it was");
    // The curve that shows equal weights belongs to the present figure alone.
    let own: Vec<_> = other.iter().filter(|s| s.stroke != Stroke::Faint).collect();
    let ghosts = &laid[alone.len()..];
    assert_eq!(ghosts.len(), own.len(), "{id}");
    for (ghost, own) in ghosts.iter().zip(own) {
        assert_eq!(ghost.name, format!("{}, pinned", own.name));
        assert_eq!(ghost.points, own.points);
        assert_ne!(ghost.marker, own.marker);
        assert!(matches!(
            ghost.marker,
            Marker::OpenCircle | Marker::OpenSquare | Marker::OpenTriangle | Marker::OpenDiamond
        ));
        assert!(matches!(ghost.stroke, Stroke::Faint | Stroke::None));
    }
}

#[test]
fn tables_say_every_number_at_full_precision() {
    let (now, then) = (present(), pinned());
    let both = Comparison::new(&now, &then);
    let data = sfc_bench::lab::compare::figures::comparison_figure("compare-score", &now, &then).unwrap().data();
    assert_eq!(data.columns, ["λ", "SFC (5:1:1)", "SFC pinned (1:1:1)", "ΔSFC", "SFC pinned (5:1:1)", "ΔSFC (5:1:1)"]);
    let value = |value: Option<f64>| value.map_or(DataValue::Missing, DataValue::Number);
    for (row, pair) in data.rows.iter().zip(&both.levels) {
        let expected = [
            DataValue::Number(pair.level),
            value(pair.sfc.current),
            value(pair.sfc.pinned),
            value(pair.sfc.difference()),
            value(pair.sfc_same_weights.pinned),
            value(pair.sfc_same_weights.difference()),
        ];
        assert_eq!(row[..], expected);
    }
    let data = sfc_bench::lab::compare::figures::comparison_figure("compare-metrics", &now, &then).unwrap().data();
    assert_eq!(data.columns.len(), 10);
    assert_eq!(data.rows.len(), both.levels.len());
    assert_eq!(data.rows[3][6], value(both.levels[3].fidelity.difference()));
    assert!(sfc_bench::lab::compare::figures::comparison_figure("fig1a", &now, &then).is_none());
}
