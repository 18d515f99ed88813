//! The model against the report, and every drawing against its own bounds.

use super::ensemble::figures::*;
use super::families::figures::*;
use crate::lab::ensemble::{Ensemble, EnsemblePlan, Member, Varied};
use crate::papers::sfc::figures::{build_figure_with_view, describe_flip};
use crate::papers::sfc::settings::Settings;
use crate::papers::sfc::{self, Cell, CellValue, Curve, ParetoView, Point, Report};
use crate::pareto::TieRule;
use crate::plot::*;
use crate::study::{figure_ids, figures};
use crate::synthetic::Shape;
use crate::{Draft, PROFILES, Weights};

mod colour_vision;

/// As the crate's own, for weights that are surely good.
fn figure(id: &str, report: &Report, cells: &[Cell], weights: [f64; 3]) -> Option<Chart> {
    crate::papers::sfc::figures::build_figure(id, report, cells, Weights::try_from(weights).unwrap())
}

const EQUAL: [f64; 3] = [1.0, 1.0, 1.0];
const YOURS: [f64; 3] = [2.0, 3.5, 1.0];
const PAPER: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 0.95];

/// A point that behaves like the paper's.
fn point(level: f64, k: usize) -> Point {
    let dropped = (level * k as f64) as usize;
    let mut point = Point { level, k, dropped, ..Point::default() };
    point.sparsity = level * 0.987;
    point.fidelity = 0.991 - 0.22 * libm::pow(level, 8.0);
    point.completeness = 0.988;
    point.c_gt = 0.79;
    point.rate = 0.82 * (1.0 - level);
    point.distortion = 0.02 + 0.54 * libm::pow(level, 6.0);
    point.relevance = 0.359 - 0.012 * level;
    point
}

fn curve(name: &str, levels: &[f64]) -> Curve {
    Curve {
        name: name.to_owned(),
        shape: Shape { inputs: 16, hidden: 64, outputs: 4, circuit: 8 },
        k: 48,
        points: levels.iter().map(|l| point(*l, 48)).collect(),
        hypervolume: 0.8751,
        hypervolume_front: 0.8751,
        front: (0..levels.len()).collect(),
        contributions: vec![0.01; levels.len()],
        c_gt_chance: 0.75,
    }
}

fn report(levels: &[f64]) -> Report {
    Report {
        version: "0.1.0".to_owned(),
        settings: Settings::default(),
        paper_settings: true,
        main: curve("standard", levels),
        sizes: [8, 16, 24, 32, 48, 63].map(|k| point(0.5, k)).to_vec(),
        cross: ["standard", "large", "dense", "sparse"].map(|n| curve(n, levels)).to_vec(),
    }
}

fn number(table: &str, row: &str, column: &str, printed: f64, agrees: bool) -> Cell {
    Cell {
        table: table.to_owned(),
        row: row.to_owned(),
        column: column.to_owned(),
        printed: CellValue::Number(printed),
        computed: CellValue::Number(printed),
        agrees,
    }
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for level in PAPER {
        for column in ["S", "F", "C", "SFC", "C_GT"] {
            cells.push(number("Table 3", &format!("λ = {level:.2}"), column, 0.5, column != "F"));
        }
    }
    for row in ["Standard", "Large", "Dense", "Sparse"] {
        cells.push(number("Table 5", row, "HV(front)", 0.874, false));
        cells.push(number("Table 5", row, "HV(all)", 0.874, false));
        cells.push(Cell { printed: CellValue::Text("8/8".to_owned()), ..number("Table 5", row, "Pareto", 0.0, true) });
    }
    cells.push(number("Table 4", "Equal (1:1:1)", "Score", 0.905, true));
    cells.push(number("Table 6", "K = 48", "C_GT", 0.79, true));
    cells
}

/// Reports at the edge of what a run can give, and some beyond it.
fn edges() -> Vec<(&'static str, Report)> {
    let change = |levels: &[f64], change: &dyn Fn(&mut Point)| {
        let mut report = report(levels);
        let points = report.cross.iter_mut().flat_map(|c| c.points.iter_mut());
        report.main.points.iter_mut().chain(points).for_each(change);
        report
    };
    let many: Vec<f64> = (0..512).map(|i| f64::from(i) / 512.0).collect();
    let mut shuffled = PAPER;
    shuffled.reverse();
    shuffled.swap(1, 5);
    let mut no_volume = report(&PAPER);
    for curve in &mut no_volume.cross {
        (curve.hypervolume, curve.hypervolume_front) = (0.0, 0.0);
    }
    let mut no_sizes = report(&PAPER);
    no_sizes.sizes.clear();
    no_sizes.cross.clear();
    let mut named = report(&PAPER);
    named.main.name = "a network with a name that somebody else chose and made long".to_owned();
    named.cross.push(named.main.clone());
    vec![
        ("one level", report(&[0.5])),
        ("no level", report(&[])),
        ("512 levels", report(&many)),
        ("unsorted", report(&shuffled)),
        (
            "all equal",
            change(&PAPER, &|p| {
                (p.sparsity, p.fidelity, p.completeness, p.c_gt) = (0.5, 0.5, 0.5, 0.5);
                (p.rate, p.distortion, p.relevance) = (0.5, 0.5, 0.5);
            }),
        ),
        (
            "all zero",
            change(&PAPER, &|p| {
                (p.sparsity, p.fidelity, p.completeness, p.c_gt) = (0.0, 0.0, 0.0, 0.0);
            }),
        ),
        (
            "K = 1",
            change(&[0.0, 0.5], &|p| {
                (p.k, p.dropped, p.sparsity) = (1, 0, 0.0);
            }),
        ),
        (
            "far below zero",
            change(&PAPER, &|p| {
                (p.completeness, p.fidelity, p.distortion) = (-53.2, -0.4, 17.0);
            }),
        ),
        (
            "not numbers",
            change(&PAPER, &|p| {
                (p.completeness, p.relevance, p.rate) = (f64::NAN, f64::NAN, f64::INFINITY);
            }),
        ),
        ("fine levels", report(&[0.001, 0.1234, 0.5555, 0.9999])),
        ("no volume", no_volume),
        ("no sizes", no_sizes),
        ("long name", named),
    ]
}

fn every_chart(report: &Report, weights: [f64; 3]) -> Vec<Chart> {
    let cells = cells();
    figure_ids::<sfc::StudyView>()
        .map(|id| figure(id, report, &cells, weights).expect("a figure for each name"))
        .collect()
}

/// The charts under several weights, each once: most are the same under any.
#[cfg(not(target_arch = "wasm32"))]
fn charts_of_weights(report: &Report, all: &[[f64; 3]]) -> Vec<Chart> {
    let mut charts: Vec<Chart> = Vec::new();
    for chart in all.iter().flat_map(|weights| every_chart(report, *weights)) {
        if !charts.contains(&chart) {
            charts.push(chart);
        }
    }
    charts
}

/// Members that differ as other seeds' do; `spread` 0 makes them all alike.
fn ensemble(levels: &[f64], k: usize, seeds: u32, spread: f64) -> Ensemble {
    let draft = Draft { levels: Some(levels.to_vec()), k: Some(k as f64), ..Draft::default() };
    let member = |seed: u32| {
        let by = spread * (libm::fmod(f64::from(seed) * 0.618_033_988_7, 1.0) - 0.6);
        let mut points: Vec<Point> = levels.iter().map(|l| point(*l, k)).collect();
        for p in &mut points {
            p.fidelity -= 0.01 * by;
            p.completeness += 0.02 * by;
            p.c_gt += 0.2 * by;
            p.relevance += 0.3 * by;
        }
        Member { seed, points, hypervolume: 0.871 + 0.03 * by, on_front: levels.len() }
    };
    let plan = EnsemblePlan::new(draft.parse().unwrap(), Varied::Model);
    let mut found = Ensemble::from_members(plan, (0..seeds).map(member).collect()).unwrap();
    found.rescore(Weights::EQUAL);
    found
}

/// Ensembles as they are and at the edge of what there can be.
fn ensembles() -> Vec<(&'static str, Ensemble)> {
    let many: Vec<f64> = (0..512).map(|i| f64::from(i) / 512.0).collect();
    let mut yours = ensemble(&PAPER, 48, 30, 1.0);
    yours.rescore(Weights::try_from(YOURS).unwrap());
    let mut odd = ensemble(&PAPER, 48, 30, 1.0);
    for member in &mut odd.members {
        member.hypervolume = f64::NAN;
        for p in &mut member.points {
            (p.relevance, p.c_gt, p.distortion) = (f64::NAN, f64::INFINITY, -17.0);
        }
    }
    let odd = Ensemble::from_members(odd.plan, odd.members).unwrap();
    vec![
        ("100 seeds", ensemble(&PAPER, 48, 100, 1.0)),
        ("far apart", ensemble(&PAPER, 48, 250, 20.0)),
        ("your weights", yours),
        ("one seed", ensemble(&PAPER, 48, 1, 1.0)),
        ("three seeds", ensemble(&PAPER, 48, 3, 1.0)),
        ("all alike", ensemble(&PAPER, 48, 40, 0.0)),
        ("nothing printed", ensemble(&[0.9, 0.123, 0.5], 32, 30, 1.0)),
        ("one level", ensemble(&[0.5], 48, 30, 1.0)),
        ("512 levels", ensemble(&many, 48, 25, 1.0)),
        ("not numbers", odd),
    ]
}

fn every_ensemble_chart(found: &Ensemble) -> Vec<Chart> {
    let mut run = report(found.plan.config.levels());
    run.settings = found.plan.config.clone();
    let run = Some(&run);
    let charts = figure_ids::<super::ensemble::StudyView>().map(|id| ensemble_figure(id, found, run));
    charts.map(|chart| chart.expect("a figure for each name")).collect()
}

#[cfg(not(target_arch = "wasm32"))]
mod drawn {
    use super::*;
    use crate::plot::measure::text_width;

    /// A text of a drawing with the box its letters fill, in CSS pixels.
    #[derive(Debug)]
    #[allow(dead_code)] // `words` is for the messages of failures
    struct Text {
        words: String,
        left: f64,
        right: f64,
        top: f64,
        bottom: f64,
    }

    fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
        let from = tag.find(&format!(" {name}=\"")).expect("an attribute") + name.len() + 3;
        tag[from..].split('"').next().expect("its value")
    }

    fn texts(svg: &str) -> Vec<Text> {
        let unescape = |t: &str| t.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        svg.split("<text")
            .skip(1)
            .map(|tag| {
                let (tag, rest) = tag.split_once('>').expect("an opened tag");
                let words = unescape(rest.split("</text>").next().expect("a closed tag"));
                let number = |name| attribute(tag, name).parse::<f64>().expect("a number") / 8.0;
                let (x, y, size) = (number("x"), number("y"), number("font-size"));
                let bold = tag.contains("font-weight=\"bold\"");
                let width = text_width(&words, size, bold);
                let left = match attribute(tag, "text-anchor") {
                    "start" => x,
                    "middle" => x - width / 2.0,
                    _ => x - width,
                };
                // From the baseline to the middle of the capitals.
                let y = y - 0.36 * size;
                Text { words, left, right: left + width, top: y - 0.36 * size, bottom: y + 0.36 * size }
            })
            .collect()
    }

    fn check(what: &str, chart: &Chart, width: u32) {
        let height = preferred_height(chart, f64::from(width)) as u32;
        let svg = to_svg(chart, width, height, &Theme::light()).expect("a drawing");
        let mut texts = texts(&svg);
        let context = format!("{what}, {} at {width} × {height}", chart.id);
        assert!(!svg.contains("NaN") && !svg.contains("\"inf"), "{context}");
        for t in &texts {
            let inside = t.left >= -1.0
                && t.right <= f64::from(width) + 1.0
                && t.top >= -1.0
                && t.bottom <= f64::from(height) + 1.0;
            assert!(inside, "{context}: {t:?} is cut off");
        }
        // From above, so that each is held against those beside it alone.
        texts.sort_by(|a, b| a.top.total_cmp(&b.top));
        for (i, a) in texts.iter().enumerate() {
            for b in texts[i + 1..].iter().take_while(|b| a.bottom > b.top + 0.8) {
                let apart = a.right <= b.left + 0.8 || b.right <= a.left + 0.8;
                assert!(apart, "{context}: {a:?} and {b:?} overlap");
            }
        }
    }

    #[test]
    fn no_text_is_cut_off_or_overlaps_at_any_width() {
        for chart in charts_of_weights(&report(&PAPER), &[EQUAL, YOURS]) {
            for width in (280..=720).step_by(10).chain([900, 1100, 1600]) {
                check("paper", &chart, width);
            }
        }
    }

    #[test]
    fn no_text_is_cut_off_or_overlaps_at_the_edges() {
        for (what, report) in edges() {
            for chart in charts_of_weights(&report, &[EQUAL, YOURS, [0.0, 1.0, 0.0], [1e9, 1e-9, 0.333]]) {
                for width in [280, 350, 640, 1600] {
                    check(what, &chart, width);
                }
            }
        }
    }

    #[test]
    fn no_text_of_an_ensemble_is_cut_off_or_overlaps() {
        for (what, found) in ensembles() {
            for chart in every_ensemble_chart(&found) {
                for width in [280, 320, 340, 350, 420, 500, 640, 720, 1100, 1600] {
                    check(what, &chart, width);
                }
            }
        }
    }

    #[test]
    fn marks_lie_on_the_drawing_and_say_something() {
        use crate::plot::surface::PlottersBackend;
        use crate::plot::surface::UNITS_PER_PIXEL;
        use crate::plot::svg::Svg;
        use plotters::drawing::IntoDrawingArea;

        let reports = edges().into_iter().chain([("paper", report(&PAPER))]);
        let of_reports = reports.map(|(what, report)| (what, every_chart(&report, YOURS)));
        let found = ensembles().into_iter();
        let of_ensembles = found.map(|(what, found)| (what, every_ensemble_chart(&found)));
        for (what, charts) in of_reports.chain(of_ensembles) {
            for chart in charts {
                let (width, height) = (350, preferred_height(&chart, 350.0) as u32);
                let mut svg = Svg::new((width * UNITS_PER_PIXEL, height * UNITS_PER_PIXEL));
                let root = PlottersBackend(&mut svg).into_drawing_area();
                let layout = draw(&chart, &Theme::dark(), &root, f64::from(UNITS_PER_PIXEL)).unwrap();
                for mark in &layout.marks {
                    let context = format!("{what}, {}: {mark:?}", chart.id);
                    let box_is_finite = [mark.x, mark.y, mark.w, mark.h].iter().all(|v| v.is_finite());
                    assert!(box_is_finite, "{context}");
                    let (x, y) = (mark.x + mark.w / 2.0, mark.y + mark.h / 2.0);
                    assert!((0.0..=f64::from(width)).contains(&x), "{context}");
                    assert!((0.0..=f64::from(height)).contains(&y), "{context}");
                    assert!(!mark.title.is_empty() && !mark.text.is_empty(), "{context}");
                }
                let plot = layout.plot;
                assert!(plot.x + plot.w <= layout.width + 0.5, "{what}, {}", chart.id);
                assert!(plot.y + plot.h <= layout.height + 0.5, "{what}, {}", chart.id);
            }
        }
    }

    #[test]
    fn a_drawing_says_what_it_is() {
        let chart = figure("fig1b", &report(&PAPER), &[], EQUAL).unwrap();
        let svg = to_svg(&chart, 640, 400, &Theme::light()).unwrap();
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\""));
        assert!(svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains(&format!("<desc>{}</desc>", chart.summary)));
    }

    #[test]
    fn a_drawing_without_room_is_refused() {
        let chart = figure("fig1a", &report(&PAPER), &[], EQUAL).unwrap();
        let refused = to_svg(&chart, 100, 20, &Theme::light()).unwrap_err();
        assert_eq!(refused, DrawError::TooSmall { width: 100.0, height: 20.0 });
        assert_eq!(refused.code(), "plot.too-small");
    }
}

#[test]
fn figures_are_known_by_their_names_only() {
    let report = report(&PAPER);
    for id in figure_ids::<sfc::StudyView>() {
        assert_eq!(figure(id, &report, &[], EQUAL).unwrap().id, id);
    }
    assert!(figure("fig6", &report, &[], EQUAL).is_none());
}

#[test]
fn data_tables_are_rectangular_and_hold_no_nonsense() {
    let weights = [EQUAL, YOURS, [0.0, 0.0, 1.0]];
    let of_reports =
        edges().into_iter().flat_map(|(what, report)| weights.map(|weights| (what, every_chart(&report, weights))));
    let found = ensembles().into_iter();
    let of_ensembles = found.map(|(what, found)| (what, every_ensemble_chart(&found)));
    for (what, charts) in of_reports.chain(of_ensembles) {
        for chart in charts {
            let table = chart.data_table();
            let words = (table.rows.iter().flatten().map(|cell| &cell.text))
                .chain(table.columns.iter().map(|column| &column.title));
            for word in words.chain([&chart.summary, &chart.caption, &chart.title]) {
                let mut parts = word.split(|c: char| !c.is_alphabetic());
                let nonsense = parts.any(|part| matches!(part, "NaN" | "inf"));
                assert!(!nonsense, "{what}, {}: {word}", chart.id);
            }
            for row in &table.rows {
                assert_eq!(row.len(), table.columns.len(), "{what}, {}", chart.id);
            }
        }
    }
}

#[test]
fn an_ensembles_run_is_shown_only_where_it_is_one_of_its_settings() {
    let found = ensemble(&PAPER, 48, 30, 1.0);
    let rules = |run: Option<&Report>| {
        let chart = ensemble_figure("ens-hypervolume", &found, run).unwrap();
        let ChartBody::Histogram(histogram) = chart.body else { panic!("a histogram") };
        assert_eq!(histogram.bins.iter().map(|bin| bin.count).sum::<usize>(), 30);
        histogram.rules.into_iter().map(|rule| rule.name).collect::<Vec<_>>()
    };
    let mut run = report(&PAPER);
    let median = format!("median {:.3}", found.summary.hypervolume.median);
    let printed = "printed in Table 5 0.874".to_owned();
    assert_eq!(rules(None), [median.clone(), printed.clone()]);
    // Another seed and other weights are the same settings here; other noise is not.
    run.settings = run.settings.with_model_seed(7).with_weights(PROFILES[1].weights);
    assert_eq!(rules(Some(&run)), [median.clone(), "this run 0.875".to_owned(), printed.clone()]);
    run.settings = Draft { noise: Some(0.1), ..Draft::default() }.parse().unwrap();
    assert_eq!(rules(Some(&run)), [median, printed]);
}

#[test]
fn an_ensemble_says_who_wins_and_what_is_unusual() {
    let found = ensemble(&PAPER, 48, 100, 1.0);
    let chart = |id| ensemble_figure(id, &found, None).unwrap();
    assert!(ensemble_figure("ens-none", &found, None).is_none());
    let wins = chart("ens-wins");
    let ChartBody::Heatmap(map) = &wins.body else { panic!("a heatmap") };
    assert_eq!(map.rows.len(), 7);
    for row in &map.rows {
        assert!((row.values.iter().sum::<f64>() - 100.0).abs() < 1e-9);
    }
    assert!(wins.summary.contains("of 100 under equal weights"), "{}", wins.summary);
    // Every member has the same sparsity, 1.3 % off the printed one but for λ = 0.
    let table = chart("ens-percentiles").data_table();
    assert_eq!(table.rows[6][1].status, Some(Status::Unusual));
    assert!(table.rows[6][1].text.ends_with("unusual"), "{}", table.rows[6][1].text);
    assert_eq!(table.rows[0][1].status, Some(Status::Ordinary));
    for row in chart("ens-printed").data_table().rows {
        assert_eq!(row[3].text.matches("ordinary").count() + row[3].text.matches("unusual").count(), 1);
    }
    // Three members can call nothing unusual.
    let few = ensemble(&PAPER, 48, 3, 1.0);
    let few = ensemble_figure("ens-percentiles", &few, None).unwrap().data_table();
    assert!(few.rows.iter().flatten().all(|cell| cell.status != Some(Status::Unusual)));
}

#[test]
fn curves_are_in_order_of_level_whatever_the_run_was() {
    let chart = figure("fig1a", &report(&[0.9, 0.1, 0.5]), &[], EQUAL).unwrap();
    let levels: Vec<String> = chart.data_table().rows.into_iter().map(|r| r[0].text.clone()).collect();
    assert_eq!(levels, ["0.1", "0.5", "0.9"]);
}

#[test]
fn table_cells_say_whether_they_agree() {
    let chart = figure("table3", &report(&PAPER), &cells(), EQUAL).unwrap();
    let table = chart.data_table();
    let titles: Vec<&str> = table.columns.iter().map(|column| column.title.as_str()).collect();
    assert_eq!(titles, ["λ", "S", "F", "C", "SFC", "C_GT"]);
    let cell = |text: &str, printed: Option<&str>, status| DataCell {
        text: text.to_owned(),
        printed: printed.map(str::to_owned),
        status,
    };
    assert_eq!(table.rows[6][0], cell("0.85", None, None));
    assert_eq!(table.rows[6][2], cell("0.931", Some("0.500"), Some(Status::Differs)));
    assert_eq!(table.rows[6][3], cell("0.988", Some("0.500"), Some(Status::Agrees)));
    assert!(chart.summary.contains("32 of 40 printed cells agree"), "{}", chart.summary);
}

#[test]
fn scores_under_other_weights_are_not_compared() {
    let chart = figure("table3", &report(&PAPER), &cells(), [5.0, 1.0, 1.0]).unwrap();
    let ChartBody::Table(table) = &chart.body else { panic!("a table") };
    assert_eq!(table.columns[4].detail.as_deref(), Some("(5:1:1)"));
    assert!(table.rows.iter().all(|row| row[4].status == Status::NotCompared));
    assert!(table.rows.iter().all(|row| row[3].status == Status::Agrees));
}

#[test]
fn a_common_factor_in_the_weights_changes_nothing() {
    let report = report(&PAPER);
    let chart = |weights| figure("table3", &report, &cells(), weights).unwrap();
    assert_eq!(chart([3.0; 3]).data_table(), chart(EQUAL).data_table());
}

#[test]
fn your_weights_join_the_profiles_only_where_they_are_new() {
    let report = report(&PAPER);
    let rows = |id: &str, weights| match figure(id, &report, &[], weights).unwrap().body {
        ChartBody::Heatmap(map) => map.rows.len(),
        ChartBody::Bars(bars) => bars.series.len(),
        ChartBody::Table(table) => table.rows.len(),
        _ => 0,
    };
    for (id, known) in [("fig5", 7), ("fig2", 3), ("table4", 7)] {
        assert_eq!(rows(id, EQUAL), known);
        assert_eq!(rows(id, [10.0, 2.0, 2.0]), known);
        assert_eq!(rows(id, YOURS), known + 1);
    }
}

#[test]
fn ties_are_no_wins() {
    // Completeness is the same at every level.
    let report = report(&PAPER);
    let of = |id| figure(id, &report, &[], [0.0, 0.0, 5.0]).unwrap();
    let ChartBody::Lines(lines) = of("fig1b").body else { panic!("curves") };
    assert_eq!(lines.highlight, None);
    assert_eq!(of("fig1b").summary, "Under weights 0:0:5, 8 levels tie at 0.988.");
    assert!(of("fig1b").caption.ends_with("No level is the peak: 8 levels tie at 0.988."));
    let ChartBody::Bars(bars) = of("fig2").body else { panic!("bars") };
    let yours = bars.series.last().unwrap();
    assert_eq!(yours.note.as_deref(), Some("8 tie at 0.988"));
    assert!(yours.bars.iter().flatten().all(|bar| !bar.best));
    let ChartBody::Heatmap(map) = of("fig5").body else { panic!("a map") };
    assert_eq!(map.rows.last().unwrap().best, None);
    let ChartBody::Table(table) = of("table3").body else { panic!("a table") };
    assert_eq!(table.best, None);
    assert!(of("table3").summary.contains("0.988 at 8 levels that tie"));
    let ChartBody::Table(table) = of("table4").body else { panic!("a table") };
    assert_eq!(table.rows.last().unwrap()[1].detail.as_deref(), Some("ties with 7 more"));
}

#[test]
fn boxes_that_are_not_drawn_are_told() {
    let many: Vec<f64> = (0..120).map(|i| f64::from(i) / 120.0).collect();
    let caption = |levels: &[f64]| {
        let chart = instrument_of("pareto-3d", &report(levels), ParetoView::default());
        chart.caption
    };
    let said = caption(&many);
    assert!(said.contains("The 23 of 119 boxes that add least are not drawn."), "{said}");
    assert!(!caption(&PAPER).contains("not drawn"));
}

#[test]
fn captions_of_fronts_describe_what_is_there() {
    let caption = |id| instrument_of(id, &report(&PAPER), ParetoView::default()).caption;
    // Sparsity rises and fidelity falls from level to level; completeness stays.
    let said = caption("pareto-sc");
    assert!(said.contains("C is 0.988 at every level."), "{said}");
    assert!(!said.contains("dashed"), "nothing is dominated: {said}");
    assert!(said.contains("but not on the line owes it to F"), "{said}");
    assert!(!caption("pareto-sf").contains("owes"), "{}", caption("pareto-sf"));
}

#[test]
fn the_peak_is_the_first_of_the_highest() {
    let chart = figure("fig1b", &report(&PAPER), &[], EQUAL).unwrap();
    let ChartBody::Lines(lines) = &chart.body else { panic!("curves") };
    let peak = lines.highlight.as_ref().unwrap();
    let highest = lines.series[0].points.iter().map(|p| p.y).fold(0.0, f64::max);
    assert_eq!(peak.y, highest);
    assert!(chart.summary.contains("peaks at λ = "), "{}", chart.summary);
}

#[test]
fn heights_grow_with_rows_and_stay_sane() {
    let height = |id: &str, levels: &[f64], width| {
        preferred_height(&figure(id, &report(levels), &cells(), EQUAL).unwrap(), width)
    };
    for width in [350.0, 640.0] {
        let mut last = 0.0;
        for n in 1..=8 {
            let next = height("table3", &PAPER[..n], width);
            assert!(next > last, "{n} rows at {width}: {next} after {last}");
            last = next;
        }
    }
    let many: Vec<f64> = (0..512).map(|i| f64::from(i) / 512.0).collect();
    for id in figure_ids::<sfc::StudyView>() {
        for width in [0.0, 280.0, 350.0, 640.0, 1600.0, f64::NAN, f64::INFINITY] {
            let height = height(id, &many, width);
            assert!((80.0..2500.0).contains(&height), "{id} at {width}: {height}");
        }
    }
}

#[test]
fn charts_serialise_by_kind() {
    let chart = figure("fig5", &report(&PAPER), &[], EQUAL).unwrap();
    let json = serde_json::to_value(&chart).unwrap();
    assert_eq!(json["id"], "fig5");
    assert_eq!(json["body"]["kind"], "heatmap");
    assert_eq!(json["body"]["rows"].as_array().unwrap().len(), 7);
}

fn instrument_of(id: &str, report: &Report, setting: ParetoView) -> Chart {
    build_figure_with_view(id, report, &[], Weights::EQUAL, setting).unwrap()
}

#[test]
fn the_map_of_weights_says_who_wins_and_where_that_changes() {
    let report = report(&PAPER);
    let chart = figure("simplex", &report, &[], EQUAL).unwrap();
    let ChartBody::Ternary(map) = &chart.body else { panic!("a map") };
    let total: f64 = map.regions.iter().map(|region| region.share).sum();
    assert!((total - 1.0).abs() < 1e-12);
    assert_eq!(map.profiles.len(), 7);
    assert!(map.yours.label.is_empty(), "the first profile has that label");
    assert_eq!(map.borders[0].label, "α = 0: λ = 0.00");
    let sentence = describe_flip(&report, Weights::EQUAL);
    assert!(sentence.starts_with("Under 1:1:1, λ = "), "{sentence}");
    assert!(chart.summary.ends_with(&sentence));

    // The words name a weight that does it.
    for start in [EQUAL, YOURS, [5.0, 1.0, 1.0], [0.4, 3.0, 0.2]] {
        let sentence = describe_flip(&report, Weights::try_from(start).unwrap());
        let (_, words) = sentence.split_once("alone: ").unwrap();
        let axis = ["S’s", "F’s", "C’s"].iter().position(|axis| words.contains(axis)).unwrap();
        let words = words.trim_end_matches('.').split(", for").next().unwrap();
        let mut changed = start;
        changed[axis] = words.rsplit(' ').next().unwrap().parse().unwrap();
        let winner = |weights: [f64; 3]| {
            crate::papers::sfc::best_point(&report.main.points, Weights::try_from(weights).unwrap()).unwrap().0
        };
        assert_ne!(winner(changed), winner(start), "{sentence}");
    }
}

#[test]
fn the_map_of_weights_says_when_there_is_nothing_to_map() {
    for (what, sentence) in [
        ("one level", "Under 1:1:1, λ = 0.50 alone, SFC "),
        ("no level", "Under 1:1:1, every score is 0; so it is under any weights."),
        ("all zero", "Under 1:1:1, every score is 0; so it is under any weights."),
        ("all equal", "Under 1:1:1, λ = 0.00 ties with 7 others; the least change can flip it"),
        ("K = 1", "Under 1:1:1, every score is 0; the nearest flip is to λ = 0.00, at about 0:1:1"),
    ] {
        let report = edges().into_iter().find(|(name, _)| *name == what).unwrap().1;
        let found = describe_flip(&report, Weights::EQUAL);
        assert!(found.starts_with(sentence), "{found}");
    }
}

#[test]
fn ties_change_the_front_in_every_figure_of_it() {
    let report = report(&PAPER);
    for (ties, words) in [
        (TieRule::Exact, "8 of 8 levels are on the front"),
        (TieRule::Within(0.05), " of 8 levels are on the front"),
        (TieRule::Within(f64::NAN), "There is no front: the tie tolerance is NaN"),
    ] {
        for id in figures::<sfc::StudyView>().filter(|f| f.section == "fronts").map(|f| f.id) {
            let chart = instrument_of(id, &report, ParetoView { ties, ..ParetoView::default() });
            if !matches!(ties, TieRule::Within(t) if t.is_nan()) {
                assert!(chart.summary.contains(words), "{id}: {}", chart.summary);
                assert_eq!(chart.data_table().rows.len(), 8);
            } else {
                assert!(chart.summary.starts_with(words), "{id}: {}", chart.summary);
            }
        }
    }
    let table = |ties| {
        let table = instrument_of("pareto-table", &report, ParetoView { ties, ..ParetoView::default() });
        table.data_table().rows.iter().filter(|row| row[4].text == "front").count()
    };
    assert_eq!(table(TieRule::Exact), 8);
    assert!(table(TieRule::Within(0.05)) < 8);
}

#[test]
fn projections_step_down_from_left_to_right() {
    let chart = figure("pareto-sf", &report(&PAPER), &[], EQUAL).unwrap();
    let ChartBody::Projection(front) = &chart.body else { panic!("a projection") };
    assert_eq!(front.axes, [0, 1]);
    // A corner at each level, one on its right below it, and the left end.
    assert_eq!(front.steps.len(), 2 * 8 + 1);
    for pair in front.steps.windows(2) {
        let across = pair[1].0 > pair[0].0 && pair[1].1 == pair[0].1;
        let down = pair[1].1 < pair[0].1 && pair[1].0 == pair[0].0;
        assert!(across || down || pair[0] == pair[1], "{pair:?}");
    }
}
