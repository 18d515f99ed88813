//! What the pages say: every number that is a result, held against what the core computes, printed as the
//! page prints it; and what the pages and ARCHITECTURE.md point to.

use sfc_bench::lab::ensemble::{EnsemblePlan, Varied, run_ensemble};
use sfc_bench::lab::evaluate::EXAMPLE_LEVEL;
use sfc_bench::papers::sfc::metric::ACTIVE_THRESHOLD;
use sfc_bench::papers::sfc::metric::information::RATE_BINS;
use sfc_bench::papers::sfc::settings::{PAPER_K, PAPER_LEVELS};
use sfc_bench::papers::sfc::{self, Curve, NoProgress, Preset, Report, printed};
use sfc_bench::statistics::pearson_coefficient;
use sfc_bench::{Draft, PROFILES, Settings, Weights, pareto, studies};

const INDEX: &str = include_str!("../../index.html");

/// As the paper prints its numbers.
fn three(value: f64) -> String {
    printed::format_three_decimals(value)
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a reader sees of some HTML.
fn text(html: &str) -> String {
    let mut out = String::new();
    for (index, part) in html.split('<').enumerate() {
        match part.split_once('>') {
            Some((_, after)) if index > 0 => out.push_str(after),
            _ => out.push_str(part),
        }
    }
    spaced(&out.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))
}

/// Every part of some HTML between two marks.
fn between<'a>(html: &'a str, from: &'a str, to: &'a str) -> impl Iterator<Item = &'a str> {
    html.split(from).skip(1).filter_map(move |part| part.split_once(to).map(|found| found.0))
}

/// Sentences in which numbers with decimals stand.
struct Prose(Vec<String>);

impl Prose {
    /// A page's, without its tables of printed values, which have a test of their own.
    fn of_page(html: &str) -> Self {
        let (_, main) = html.split_once("<main").expect("a page has a main part");
        let mut main = main.to_owned();
        while let Some((before, rest)) = main.split_once("<table") {
            let (_, after) = rest.split_once("</table>").expect("a table ends");
            main = format!("{before}{after}");
        }
        Self(vec![text(&main)])
    }

    /// A module's: what stands in its quotes and has words.
    fn of_module(source: &str) -> Self {
        let quoted = source.lines().flat_map(|line| {
            let quote = if line.contains('\'') { '\'' } else { '`' };
            line.split(quote).skip(1).step_by(2).map(spaced).collect::<Vec<_>>()
        });
        Self(quoted.filter(|text| text.contains(' ')).collect())
    }

    /// A sentence, or a part of one, stands there; its numbers are held by whoever asks.
    #[track_caller]
    fn says(&mut self, sentence: impl AsRef<str>) {
        let sentence = sentence.as_ref();
        let found = self.0.iter_mut().find(|text| text.contains(sentence));
        let found = found.unwrap_or_else(|| panic!("nowhere is it said: {sentence}"));
        *found = found.replace(sentence, "…");
    }

    /// No other number with decimals stands there.
    #[track_caller]
    fn says_no_more(&self) {
        for text in &self.0 {
            let other = text.split_whitespace().find(|word| {
                // §3.5 is no number, nor is a paper's identifier.
                !word.contains('§')
                    && !word.contains("arXiv:")
                    && word.split_once('.').is_some_and(|(before, after)| {
                        before.ends_with(|c: char| c.is_ascii_digit())
                            && after.starts_with(|c: char| c.is_ascii_digit())
                    })
            });
            assert_eq!(other, None, "a number that nothing holds, in: {text}");
        }
    }
}

fn paper() -> Report {
    sfc::run(&Settings::default(), &mut NoProgress).expect("the paper runs")
}

fn curve(draft: Draft) -> Curve {
    sfc::compute_curve(&draft.parse().expect("valid settings"), &mut NoProgress).expect("a curve")
}

/// The rows of a table, its caption and head first.
fn cells(table: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![text(between(table, "<caption>", "</caption>").next().unwrap())]];
    rows.extend(between(table, "<tr>", "</tr>").map(|row| {
        let cells = row.split("</t").filter(|cell| cell.contains("<t"));
        cells
            .map(|cell| {
                text(cell.split_once("<t").map_or("", |found| found.1).split_once('>').map_or("", |found| found.1))
            })
            .collect()
    }));
    rows
}

#[test]
fn the_tables_as_printed_are_the_papers() {
    let row = |first: String, numbers: &[f64]| {
        std::iter::once(first).chain(numbers.iter().map(|value| three(*value))).collect()
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let mut axes = words(&printed::METRIC_COLUMNS);
    axes.iter_mut().for_each(|axis| *axis = axis.replace('_', ""));
    let head = |first: &str| [words(&[first]), axes.clone()].concat();

    let mut wanted: Vec<Vec<Vec<String>>> = Vec::new();
    let mut table = vec![words(&["Table 3, as printed: the standard model (K = 48)"]), head("λ")];
    let rows = PAPER_LEVELS.iter().zip(printed::TABLE_3);
    table.extend(rows.map(|(level, numbers)| row(format!("{level:.2}"), &numbers)));
    wanted.push(table);
    let mut table = vec![words(&["Table 4, as printed: best decomposition under each profile"])];
    table.push(words(&["Profile", "Best method", "Score"]));
    let rows = PROFILES.iter().zip(printed::TABLE_4);
    table.extend(rows.map(|(profile, (method, score))| words(&[profile.label, method, &three(score)])));
    wanted.push(table);
    let mut table = vec![words(&["Table 5, as printed: Pareto front and hypervolume"])];
    table.push(words(&["Config", "Pareto", "HV(front)", "HV(all)"]));
    let rows = Preset::TABLE_1.iter().zip(printed::TABLE_5);
    table.extend(rows.map(|(preset, (share, front, all))| words(&[preset.label(), share, &three(front), &three(all)])));
    wanted.push(table);
    let mut table = vec![words(&["Table 6, as printed: dictionary size at λ = 0.5"]), head("K")];
    table.extend(printed::TABLE_6.iter().map(|(k, numbers)| row(k.to_string(), numbers)));
    wanted.push(table);

    let found: Vec<_> = between(INDEX, "<table class=\"data\">", "</table>").map(cells).collect();
    assert_eq!(found, wanted);
    // The figures call rows and columns alike.
    for cell in
        printed::compare_cells(&paper()).iter().filter(|cell| cell.table == "Table 4" || cell.table == "Table 5")
    {
        let table = &found[if cell.table == "Table 4" { 1 } else { 2 }];
        assert!(table[1].contains(&cell.column), "{cell:?}");
        assert!(table[2..].iter().any(|row| row[0] == cell.row), "{cell:?}");
    }
}

/// "24th, 72nd".
fn ordinal(percentile: f64) -> String {
    let whole = format!("{percentile:.0}");
    let ending = match whole.as_bytes() {
        [.., b'1', b'1' | b'2' | b'3'] => "th",
        [.., b'1'] => "st",
        [.., b'2'] => "nd",
        [.., b'3'] => "rd",
        _ => "th",
    };
    format!("{whole}{ending}")
}

#[test]
fn the_papers_page_says_what_is_computed() {
    let report = paper();
    let settings = &report.settings;
    let main = &report.main.points;
    let mut page = Prose::of_page(INDEX);
    let of = |preset: Preset| report.cross.iter().find(|curve| curve.name == preset.name()).expect("a configuration");
    let others = [Preset::Large, Preset::Dense, Preset::Sparse];
    let computed = others.map(|preset| three(of(preset).hypervolume));
    let table_5 = |preset: Preset| {
        let row = Preset::TABLE_1.iter().position(|other| *other == preset).expect("a row");
        printed::TABLE_5[row].2
    };
    let theirs = others.map(|preset| three(table_5(preset)));
    for (ours, theirs) in computed.iter().zip(&theirs) {
        assert_ne!(ours, theirs);
    }
    page.says(format!(
        "Model seed {} and data seed {} reproduce Tables 3, 4 and 6 to the last digit but give other large, \
         dense and sparse networks, whose hypervolumes are {}, {} and {} where the paper has {}, {} and {}.",
        settings.model_seed(),
        settings.data_seed(),
        computed[0],
        computed[1],
        computed[2],
        theirs[0],
        theirs[1],
        theirs[2]
    ));
    let cells = printed::compare_cells(&report);
    let exact = |cell: &&sfc::Cell| ["Table 3", "Table 4", "Table 6"].contains(&cell.table.as_str());
    assert!(cells.iter().filter(exact).all(|cell| cell.agrees));

    let standard = of(Preset::Standard).hypervolume;
    // S is known: ⌊λK⌋/K.
    let ends = [-5e-4, 5e-4].map(|half| {
        let printed = main.iter().zip(printed::TABLE_3);
        let points: Vec<_> = printed.map(|(point, row)| [point.sparsity, row[1] + half, row[2] + half]).collect();
        pareto::hypervolume_only(&points, [0.0; 3]).expect("a volume")
    });
    page.says(format!(
        "We get {standard:.4}, the paper prints {}. The rounded F and C of its own Table 3 allow anything \
         from {:.4} to {:.4}.",
        three(table_5(Preset::Standard)),
        ends[0],
        ends[1]
    ));

    let rounded = printed::TABLE_3.map(|row| [row[0], row[1], row[2]]);
    let ties: Vec<f64> = (1..8).filter(|at| rounded[*at][1] == rounded[at - 1][1]).map(|at| rounded[at][1]).collect();
    assert!(ties.iter().all(|tie| *tie == ties[0]));
    assert_eq!(pareto::front(&rounded, 0.0).expect("a front").len(), 6);
    assert_eq!(report.main.front.len(), 8);
    page.says(format!(
        "agrees, but only at full precision. On the three printed digits fidelity ties at {}, and two of the eight \
         points fall behind.",
        three(ties[0])
    ));

    let peaks = printed::compare_peaks(&report.cross);
    let peak = |preset: Preset| {
        let found = peaks.iter().find(|(of, ..)| *of == preset).expect("a peak");
        (three(found.1), three(found.2))
    };
    let (large, sparse) = (peak(Preset::Large), peak(Preset::Sparse));
    page.says(format!(
        "The large and the sparse network again: {} and {} where the paper has {} and {}.",
        large.1, sparse.1, large.0, sparse.0
    ));

    let sparsity: Vec<f64> = main.iter().map(|point| point.sparsity).collect();
    let analogue: Vec<f64> = main.iter().map(|point| 1.0 - point.rate).collect();
    let r = pearson_coefficient(&sparsity, &analogue).expect("a correlation");
    page.says(format!(
        "The paper reports r > 0.99 between sparsity and its analogue; S against 1 − rate gives {}.",
        three(r)
    ));
    assert!(r < 0.99);

    page.says(format!("The paper puts it near {} and prints no formula", three(printed::PRINTED_RELEVANCE)));
    page.says(format!(
        "the length of the output, which runs from {} to {}.",
        three(main[0].relevance),
        three(main[7].relevance)
    ));

    let size = |k: usize| three(report.sizes.iter().find(|point| point.k == k).expect("a size").c_gt);
    let chance = |k: usize| three(k as f64 / settings.shape().hidden as f64);
    page.says(format!(
        "{} against {} at K = 8, and {} against {} at K = {PAPER_K}.",
        size(8),
        chance(8),
        size(48),
        chance(48)
    ));

    // What differs, by the place where it is printed.
    let differ = |table: &str, row: &str| {
        let of = |cell: &&sfc::Cell| cell.table == table && cell.row.starts_with(row);
        cells.iter().filter(of).filter(|cell| !cell.agrees).count()
    };
    let differing = [differ("Table 5", ""), differ(printed::TEXT_TABLE, "§5.3"), differ(printed::TEXT_TABLE, "§5.5")];
    assert_eq!(differing, [8, 2, 2]);
    let all = cells.iter().filter(|cell| !cell.agrees).count();
    assert_eq!(all, differing.iter().sum::<usize>());
    page.says(format!("{all} of {} printed values", cells.len()));
    page.says(format!(
        "Twelve of {} printed values differ: eight of Table 5, the two peaks of §5.3, and §5.5’s correlation and \
         relevance.",
        cells.len()
    ));

    // What the page claims before it has computed anything.
    page.says("SFC-Score reproduces, but along the sparsity level λ only fidelity is measured");
    assert!(main.windows(2).any(|pair| pair[0].fidelity != pair[1].fidelity));
    assert!(main.iter().all(|point| point.completeness == main[0].completeness));
    // Of the mean squared projection of the circuit's units onto K directions drawn at random (Haar measure).
    let [k, d, m] = [PAPER_K, settings.shape().hidden, settings.shape().circuit].map(|n| n as f64);
    let deviation = (2.0 * k * (d - k) * (d - m) / (m * d * d * (d - 1.0) * (d + 2.0))).sqrt();
    let set = |dropped: usize| dropped as f64 / PAPER_K as f64;
    assert!(main.iter().all(|point| (point.sparsity - set(point.dropped)).abs() < 1e-9));
    page.says(format!(
        "All {} values of Tables 3, 4 and 6 reproduce. But sparsity S is set by λ itself, completeness C does not \
         change with λ, and ground-truth completeness CGT ({}) is within two standard deviations of chance ({}, SD {}). \
         So along λ at most one measurement enters the score: fidelity.",
        cells.iter().filter(exact).count(), three(main[0].c_gt), chance(PAPER_K), three(deviation)
    ));

    // The recipe's are settings, and constants of the metrics.
    page.says(format!(
        "Seed {} picks the circuit’s hidden units, then draws W₁ (scale {}), b₁ ({}), the circuit’s columns \
         of W₂ (0.5) and b₂ ({}).",
        settings.model_seed(),
        settings.weight_scale(),
        settings.bias_scale(),
        settings.bias_scale()
    ));
    page.says(format!("Seed {} draws 2,000 normal inputs X", settings.data_seed()));
    assert_eq!((settings.samples(), ACTIVE_THRESHOLD), (2_000, 1e-6));
    page.says("one minus the share of codes above 10⁻⁶ in magnitude");
    page.says(format!("on 100 rows picked by seed {}", settings.completeness_seed()));
    page.says(format!("a {RATE_BINS}-bin histogram of each feature’s codes over ln {RATE_BINS}"));
    page.says_no_more();
}

#[test]
fn the_printed_hypervolumes_lie_among_other_seeds_where_the_page_says() {
    let seeds = 100;
    let percentile = |preset: Preset| {
        let plan = EnsemblePlan::new(Settings::default().with_preset(preset), Varied::Model);
        let found = run_ensemble(plan, 0..=seeds - 1).expect("an ensemble");
        let rank = found.summary.printed.iter().find(|rank| rank.table == "Table 5");
        ordinal(rank.expect("a rank").percentile)
    };
    let found = std::thread::scope(|scope| {
        [Preset::Large, Preset::Dense, Preset::Sparse]
            .map(|preset| scope.spawn(move || percentile(preset)))
            .map(|thread| thread.join().expect("an ensemble"))
    });
    Prose::of_page(INDEX).says(format!(
        "among {seeds} model seeds they lie at the {}, {} and {} percentile.",
        found[0], found[1], found[2]
    ));
}

/// What is to be seen at the settings that stress the score.
#[test]
fn the_stresses_say_what_is_computed() {
    const SOURCE: &str = include_str!("../../www/papers/sfc/scenarios.js");
    let mut prose = Prose::of_module(SOURCE);
    let patch = |patch: &str| assert!(SOURCE.contains(patch), "{patch}");
    let best = |curve: &Curve| sfc::best_point(&curve.points, Weights::EQUAL).expect("levels").0;
    let paper = curve(Draft::default());
    let drawn = |k: usize, hidden: usize| k as f64 / hidden as f64;

    patch("patch: () => ({ levels: [0, 0.02, 0.04, 0.06, 0.08, 0.1] })");
    let levels = vec![0.0, 0.02, 0.04, 0.06, 0.08, 0.1];
    let next_to_nothing = curve(Draft { levels: Some(levels), ..Draft::default() });
    let most = next_to_nothing.points.iter().map(|point| point.sfc).fold(0.0, f64::max);
    for point in &next_to_nothing.points {
        assert!(point.fidelity > 0.985 && point.completeness > 0.985);
        assert_eq!(point.sparsity == 0.0, point.sfc == 0.0);
    }
    prose.says(format!(
        "F and C are near 1 throughout, yet the score stays below {:.2} and is 0 where S is. Zeroing 2 % of \
         48 codes zeroes none, so λ = 0.02 has S = 0 too.",
        (100.0 * most).ceil() / 100.0
    ));
    assert_eq!((next_to_nothing.points[1].level, next_to_nothing.points[1].sparsity), (0.02, 0.0));

    patch("patch: ({ hidden }) => ({ k: hidden })");
    for point in curve(Draft { k: Some(64.0), ..Draft::default() }).points {
        assert!((point.completeness - 1.0).abs() < 1e-12 && (point.c_gt - 1.0).abs() < 1e-12);
    }

    patch("patch: () => ({ noise: 0.5 })");
    let noise = curve(Draft { noise: Some(0.5), ..Draft::default() });
    for (noisy, point) in noise.points.iter().zip(&paper.points) {
        assert!((noisy.c_gt - point.c_gt).abs() < 0.02);
        assert!(noisy.fidelity < point.fidelity && noisy.completeness < point.completeness);
    }
    assert_eq!(best(&noise), best(&paper));
    prose.says(format!("it hardly moves (chance alone gives {:.2})", drawn(48, 64)));

    patch("patch: () => ({ samples: 60 })");
    let tiny = curve(Draft { samples: Some(60.0), ..Draft::default() });
    for (few, point) in tiny.points.iter().zip(&paper.points) {
        assert!(few.sfc > point.sfc || point.sfc == 0.0);
        assert!(few.c_gt < drawn(48, 64));
    }
    assert!(tiny.points[0].fidelity > 0.995);

    patch("patch: ({ hidden }) => ({ config: 'custom', circuit: hidden })");
    let everything = Draft { config: Some("custom".into()), circuit: Some(64.0), ..Draft::default() };
    for point in curve(everything).points {
        assert!((point.c_gt - drawn(48, 64)).abs() < 1e-12);
    }

    patch("levels: Array.from({ length: k }, (_, zeroed) => zeroed / k)");
    let every: Vec<f64> = (0..48).map(|zeroed| f64::from(zeroed) / 48.0).collect();
    let finest = curve(Draft { levels: Some(every), ..Draft::default() });
    let peak = &finest.points[best(&finest)];
    prose.says(format!(
        "on a grid of 8 it lies at λ = {:.2}. On the finest grid that 48 codes allow it lies at {} codes \
         zeroed, λ = {}.",
        paper.points[best(&paper)].level,
        peak.dropped,
        peak.level
    ));
    assert!(finest.hypervolume > paper.hypervolume);

    patch("patch: () => ({ completeness: 'total' })");
    let total = curve(Draft { completeness: Some("total".into()), ..Draft::default() });
    prose.says(format!(
        "It goes from {} to {}, and Table 3 no longer agrees.",
        three(paper.points[0].completeness),
        three(total.points[0].completeness)
    ));

    patch("patch: () => ({ k: 8 })");
    let few = curve(Draft { k: Some(8.0), ..Draft::default() });
    prose.says(format!(
        "C_GT: {} where a random dictionary of 8 directions in 64 has {}, although C says that {} of \
         the output is explained.",
        three(few.points[0].c_gt),
        three(drawn(8, 64)),
        three(few.points[0].completeness)
    ));
    prose.says_no_more();
}

#[test]
fn the_explanations_say_what_is_computed() {
    let mut prose = Prose::of_module(include_str!("../../www/papers/sfc/explain.js"));
    let (s, f, c) = (0.05, 0.99, 0.99);
    prose.says(format!(
        "Take F = C = {f} and let S drop to {s}: the ordinary mean is still {:.2}, the harmonic one {:.2}.",
        (s + f + c) / 3.0,
        Weights::EQUAL.sfc(s, f, c)
    ));
    prose.says_no_more();

    let mut prose = Prose::of_module(include_str!("../../www/papers/sfc/recipe.js"));
    let report = paper();
    let (first, last) = (&report.main.points[0], &report.main.points[7]);
    let [near, far] = printed::FIGURE_4[1].1;
    prose.says(format!(
        "Its values, {} to {}, are 1 − R²; 1 − F runs from {} to {}.",
        three(near),
        three(far),
        three(1.0 - first.fidelity),
        three(1.0 - last.fidelity)
    ));
    assert_eq!((three(first.distortion), three(last.distortion)), (three(near), three(far)));
    let scores = printed::TABLE_6.map(|(_, row)| row[3]);
    prose.says(format!(
        "scores “stable near 0.74” for K from {} to {}; its Table 6 runs from {} to {}.",
        printed::TABLE_6[0].0,
        printed::TABLE_6[5].0,
        three(scores.into_iter().fold(1.0, f64::min)),
        three(scores.into_iter().fold(0.0, f64::max))
    ));
    // The paper's own claim.
    prose.says("r > 0.99");
    prose.says_no_more();

    let mut prose = Prose::of_module(include_str!("../../www/lab/evaluate/example.js"));
    prose.says(format!("{PAPER_K} singular directions, their codes at λ = {EXAMPLE_LEVEL}"));
    prose.says_no_more();
}

#[test]
fn other_pages_say_no_result() {
    for page in [
        include_str!("../../metrics/index.html"),
        include_str!("../../gallery/index.html"),
        include_str!("../../fade/index.html"),
        include_str!("../../ce-bench/index.html"),
        include_str!("../../mui/index.html"),
        include_str!("../../measurement/index.html"),
        include_str!("../../audit/index.html"),
        include_str!("../../compare/index.html"),
        include_str!("../../synth/index.html"),
        include_str!("../../own/index.html"),
        include_str!("../../train/index.html"),
        include_str!("../../method/index.html"),
    ] {
        Prose::of_page(page).says_no_more();
    }
    // Names of heads; what is said of them is held by the command line's test of the toy model.
    let mut model = Prose::of_page(include_str!("../../model/index.html"));
    model.says("Without head 0.0 it answers fewer than half of the recall prompts right");
    model.says("without head 1.1 fewer than half of the colour prompts");
    model.says_no_more();
}

#[test]
fn every_figure_stands_in_a_section_of_its_page() {
    for row in studies::all_figures() {
        let page = match row.study {
            "sfc" | "ensemble" | "comparison" => INDEX,
            "families" => include_str!("../../compare/index.html"),
            "training" => include_str!("../../train/index.html"),
            "own" => include_str!("../../own/index.html"),
            "fade" => include_str!("../../fade/index.html"),
            "ce-bench" => include_str!("../../ce-bench/index.html"),
            "mui" => include_str!("../../mui/index.html"),
            "measurement" => include_str!("../../measurement/index.html"),
            "audit" => include_str!("../../audit/index.html"),
            "synth" => include_str!("../../synth/index.html"),
            // The command line and Python have it.
            "decompositions" => continue,
            other => panic!("{other} has no page"),
        };
        let (_, main) = page.split_once("<main").expect("a page has a main part");
        let id = format!("id=\"{}\"", row.figure.section);
        assert_eq!(main.matches(&id).count(), 1, "{}: {id}", row.figure.id);
    }
}

#[test]
fn what_the_architecture_points_to_is_there() {
    const TEXT: &str = include_str!("../../ARCHITECTURE.md");
    let root = super::common::root();
    let mut seen = 0;
    for name in TEXT.split('`').skip(1).step_by(2) {
        // A file to be made is named in capitals: its folder is there.
        let name = name.split_once("NAME").map_or(name, |(folder, _)| folder);
        let words = name.contains(' ') || name.starts_with("cargo") || name.contains(['<', '=', '!']);
        if words || !(name.contains('/') || name.ends_with(".rs") || name.ends_with(".toml")) {
            continue;
        }
        let places = ["", "src", "src/papers/sfc", "crates/foundations/src", "src/plot", "www"]
            .map(|place| root.join(place).join(name));
        assert!(places.iter().any(|place| place.exists()), "{name} is not there");
        seen += 1;
    }
    assert!(seen > 10, "only {seen}");
}
