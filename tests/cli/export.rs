//! Figures as files: each format is opened by a reader of its own, and its numbers are the report's.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;
use sfc_bench::export::{Appearance, Format, PAPER_BIBTEX, export, export_all, software_bibtex};
use sfc_bench::lab::families::{TrainingHistory, TrainingSetup};
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::figures::build_figure;
use sfc_bench::papers::sfc::{NoProgress, Report, RunOrigin, printed as paper};
use sfc_bench::plot::{Chart, DrawError};
use sfc_bench::sae::train::{TrainConfig, Trainer};
use sfc_bench::study::{Origin, figure_ids};
use sfc_bench::synthetic::World;
use sfc_bench::{Draft, Settings, Weights};

use crate::python::interpreter;

/// A run that takes no time, under weights that are no profile's.
static REPORT: LazyLock<Report> = LazyLock::new(|| {
    let draft = Draft { samples: Some(300.0), weights: Some(vec![5.0, 1.0, 0.5]), ..Draft::default() };
    study::run(&draft.parse().unwrap(), &mut NoProgress).unwrap()
});

fn chart(id: &str) -> Chart {
    let report = &*REPORT;
    build_figure(id, report, &paper::compare_cells(report), report.settings.weights()).unwrap()
}

fn charts() -> Vec<Chart> {
    let of_paper = |id: &&str| id.starts_with("fig") || id.starts_with("table");
    figure_ids::<study::StudyView>().filter(of_paper).map(chart).collect()
}

fn origin() -> RunOrigin<'static> {
    RunOrigin::new(&REPORT.settings, Some("e2b5f11ffffc81e2"))
}

fn file_name(id: &str, settings: &Settings, extension: &str) -> String {
    RunOrigin::new(settings, None).file_name(id, extension)
}

fn text(chart: &Chart, format: Format) -> String {
    export(chart, format, &origin(), 720, Appearance::Light).unwrap()
}

/// A CSV's columns by their headings, in order.
fn columns(csv: &str) -> Vec<(String, Vec<String>)> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let mut columns: Vec<(String, Vec<String>)> =
        reader.headers().unwrap().iter().map(|title| (title.to_owned(), vec![])).collect();
    for record in reader.records() {
        let record = record.expect("rows of one length");
        for (column, field) in columns.iter_mut().zip(&record) {
            column.1.push(field.to_owned());
        }
    }
    columns
}

/// The numbers of a column of a figure's CSV.
#[track_caller]
fn numbers(id: &str, title: &str) -> Vec<f64> {
    let columns = columns(&text(&chart(id), Format::Csv));
    let found = columns.iter().find(|(known, _)| known == title);
    let titles: Vec<_> = columns.iter().map(|(title, _)| title).collect();
    let (_, fields) = found.unwrap_or_else(|| panic!("{title:?} is none of {titles:?}"));
    fields.iter().map(|field| field.parse().unwrap_or(f64::NAN)).collect()
}

#[test]
fn a_csv_holds_the_reports_numbers_to_the_last_bit() {
    let report = &*REPORT;
    let points = &report.main.points;
    let of = |value: &dyn Fn(&study::Point) -> f64| points.iter().map(value).collect::<Vec<_>>();
    assert_eq!(numbers("fig1a", "sparsity level λ"), of(&|p| p.level));
    assert_eq!(numbers("fig1a", "F"), of(&|p| p.fidelity));
    assert_eq!(numbers("fig1b", "SFC"), of(&|p| p.sfc));
    assert_eq!(numbers("fig4a", "distortion"), of(&|p| p.distortion));
    assert_eq!(numbers("table3", "λ"), of(&|p| p.level));
    assert_eq!(numbers("table3", "C_GT"), of(&|p| p.c_gt));
    assert_eq!(numbers("table3", "SFC (5:1:0.5)"), of(&|p| p.sfc));
    assert_eq!(numbers("fig2", "yours 5:1:0.5"), of(&|p| p.sfc));

    let volumes: Vec<f64> = report.cross.iter().map(|curve| curve.hypervolume).collect();
    assert_eq!(numbers("fig3b", "computed"), volumes);
    assert_eq!(numbers("table5", "HV(all)"), volumes);
    assert_eq!(numbers("table5", "HV(all) (printed)"), paper::TABLE_5.map(|(_, _, all)| all));
    let large: Vec<f64> = report.cross[1].points.iter().map(|p| p.sfc).collect();
    assert_eq!(numbers("fig3a", "Large"), large);

    let sizes: Vec<f64> = report.sizes.iter().map(|p| p.completeness).collect();
    assert_eq!(numbers("table6", "C"), sizes);
    assert_eq!(numbers("table6", "K/D")[5], 63.0 / 64.0);

    let analogues: Vec<f64> =
        (of(&|p| 1.0 - p.rate).into_iter()).chain(of(&|p| 1.0 - p.distortion)).chain(of(&|p| p.relevance)).collect();
    assert_eq!(numbers("fig4b", "information-theoretic analogue"), analogues);

    // The heatmap's columns are in order of score; its rows are the profiles, and ours the last.
    let best = points.iter().map(|p| p.sfc).fold(0.0, f64::max);
    let cells: Vec<f64> = columns(&text(&chart("fig5"), Format::Csv))
        .iter()
        .filter_map(|(_, fields)| fields.last()?.parse().ok())
        .collect();
    assert_eq!(cells.len(), points.len());
    assert_eq!(cells.iter().copied().fold(0.0, f64::max), best);

    // In Table 4 the runner-up's name and score are told apart.
    let winners = columns(&text(&chart("table4"), Format::Csv));
    let field = |title: &str| &winners.iter().find(|(t, _)| t == title).expect(title).1[0];
    let mut scores: Vec<f64> =
        points.iter().map(|p| Weights::EQUAL.sfc(p.sparsity, p.fidelity, p.completeness)).collect();
    scores.sort_by(f64::total_cmp);
    assert_eq!(field("Profile"), "Equal");
    assert_eq!(field("Profile (detail)"), "1:1:1");
    assert_eq!(field("Score").parse(), Ok(scores[scores.len() - 1]));
    assert_eq!(field("Runner-up (detail)").parse(), Ok(scores[scores.len() - 2]));
}

#[test]
fn a_csv_is_as_rfc_4180_has_it() {
    for chart in charts() {
        let csv = text(&chart, Format::Csv);
        assert!(csv.ends_with("\r\n"), "{}", chart.id);
        assert_eq!(csv.matches('\n').count(), csv.matches("\r\n").count(), "{}", chart.id);
        let columns = columns(&csv);
        let data = chart.data();
        assert_eq!(columns.len(), data.columns.len());
        assert!(columns.iter().all(|(_, fields)| fields.len() == data.rows.len()));
    }
    assert_eq!(columns(&text(&chart("fig1a"), Format::Csv))[5].0, { "chance level of C_GT, K/D = 0.750" });
}

#[test]
fn json_holds_what_the_csv_does_and_where_it_comes_from() {
    for chart in charts() {
        let json: Value = serde_json::from_str(&text(&chart, Format::Json)).expect("JSON");
        let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let wanted = ["caption", "data", "digest", "figure", "settings", "title", "version"];
        assert_eq!(keys.iter().copied().collect::<BTreeSet<_>>(), BTreeSet::from(wanted));
        assert_eq!(json["figure"], chart.id);
        assert_eq!(json["title"], chart.title);
        assert_eq!(json["caption"], chart.caption);
        assert_eq!(json["digest"], "e2b5f11ffffc81e2");
        assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
        let settings: Settings = serde_json::from_value(json["settings"].clone()).unwrap();
        assert_eq!(settings, REPORT.settings);

        let rows = json["data"]["rows"].as_array().unwrap();
        for (c, (title, fields)) in columns(&text(&chart, Format::Csv)).into_iter().enumerate() {
            assert_eq!(json["data"]["columns"][c], title);
            assert_eq!(rows.len(), fields.len());
            for (row, field) in rows.iter().zip(fields) {
                match &row[c] {
                    Value::Null => assert_eq!(field, ""),
                    Value::Bool(flag) => assert_eq!(field, flag.to_string()),
                    Value::String(text) => assert_eq!(&field, text),
                    number => assert_eq!(
                        number.as_f64().map(f64::to_bits),
                        field.parse::<f64>().ok().map(f64::to_bits),
                        "{}, {title}",
                        chart.id
                    ),
                }
            }
        }
    }
}

#[test]
fn the_files_of_a_training_say_what_was_trained() {
    let sample = World::default().sample(400).unwrap();
    let config = TrainConfig { latents: 24, k: 2, ..TrainConfig::default() };
    let mut trainer = Trainer::new(config.clone(), &sample.activations).unwrap();
    let curve: Vec<_> = (0..4).map(|_| trainer.step(5).unwrap()).collect();
    let mut names = BTreeSet::new();
    let longer = TrainConfig { steps: 9, ..config.clone() };
    let worlds = [World::default(), World::from_name("paper").unwrap()];
    for (config, world) in [(&config, &worlds[0]), (&longer, &worlds[0]), (&config, &worlds[1])] {
        let origin = TrainingSetup { config: config.clone(), world: world.clone() };
        for id in figure_ids::<TrainingHistory>() {
            let chart = sfc_bench::lab::families::figures::training_figure(id, &curve).unwrap();
            let text = export(&chart, Format::Json, &origin, 720, Appearance::Light).unwrap();
            let json: Value = serde_json::from_str(&text).unwrap();
            let of: TrainConfig = serde_json::from_value(json["settings"]["config"].clone()).unwrap();
            let on: World = serde_json::from_value(json["settings"]["world"].clone()).unwrap();
            assert_eq!((&of, &on), (config, world));
            let name = origin.file_name(id, "json");
            assert!(name.starts_with(&format!("sfc-bench-{id}-{}-topk-24latents-seed0-", world.name())));
            assert!(names.insert(name));
        }
    }
    // Three trainings of four figures each.
    assert_eq!(names.len(), 3 * figure_ids::<TrainingHistory>().count());
}

#[test]
fn what_is_no_number_is_left_empty() {
    let mut report = REPORT.clone();
    report.main.points[2].relevance = f64::NAN;
    report.main.points[3].c_gt = f64::INFINITY;
    for id in ["table3", "fig4a", "fig1a"] {
        let chart = build_figure(id, &report, &[], Weights::EQUAL).unwrap();
        let csv = text(&chart, Format::Csv);
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{csv}");
        let json: Value = serde_json::from_str(&text(&chart, Format::Json)).unwrap();
        let nulls = json["data"]["rows"].as_array().unwrap().iter().flat_map(|r| r.as_array());
        assert_eq!(nulls.flatten().filter(|v| v.is_null()).count(), 1, "{id}");
    }
}

// ------------------------------------------------------------------------------------------ LaTeX

/// What plain LaTeX with booktabs knows, of what a table of ours may use.
const COMMANDS: [&str; 27] = [
    "usepackage",
    "centering",
    "caption",
    "label",
    "toprule",
    "midrule",
    "bottomrule",
    "lambda",
    "alpha",
    "beta",
    "gamma",
    "sigma",
    "Sigma",
    "Vert",
    "times",
    "cdot",
    "pm",
    "le",
    "ge",
    "approx",
    "rightarrow",
    "surd",
    "mathrm",
    "ldots",
    "textbackslash",
    "textasciitilde",
    "textasciicircum",
];

/// Reads a table as LaTeX would, and says where it would stop.
fn check_latex(source: &str) -> Result<(), String> {
    if !source.is_ascii() {
        return Err("a letter outside ASCII".to_owned());
    }
    let (mut braces, mut math, mut open) = (0_i32, false, Vec::new());
    let (mut cells, mut width) = (None::<usize>, 0);
    for line in source.lines() {
        if line.starts_with('%') {
            continue;
        }
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            rest = &rest[1..];
            match c {
                '\\' => {
                    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
                    rest = &rest[word.len()..];
                    let argument =
                        |rest: &str| rest.strip_prefix('{')?.split_once('}').map(|(name, _)| name.to_owned());
                    match word.as_str() {
                        "begin" => {
                            let name = argument(rest).ok_or("\\begin of nothing")?;
                            if name == "tabular" {
                                let spec = rest["{tabular}".len()..].to_owned();
                                let spec = argument(&spec).ok_or("no columns")?;
                                if !spec.chars().all(|c| matches!(c, 'l' | 'r')) {
                                    return Err(format!("columns {spec}"));
                                }
                                (width, cells) = (spec.len(), Some(1));
                            }
                            open.push(name);
                        }
                        "end" => {
                            if open.pop() != argument(rest) {
                                return Err(format!("\\end out of turn: {line}"));
                            }
                            cells = None;
                        }
                        "" => {
                            let next = rest.chars().next().ok_or("a lone backslash")?;
                            rest = &rest[1..];
                            match (next, &mut cells) {
                                ('\\', Some(count)) if *count == width => *count = 1,
                                ('\\', _) => return Err(format!("a row of other length: {line}")),
                                ('&' | '%' | '$' | '#' | '_' | '{' | '}', _) => {}
                                _ => return Err(format!("\\{next}")),
                            }
                        }
                        word if COMMANDS.contains(&word) => {}
                        word => return Err(format!("\\{word} is unknown")),
                    }
                }
                '{' => braces += 1,
                '}' if braces == 0 => return Err(format!("a brace too many: {line}")),
                '}' => braces -= 1,
                '$' => math = !math,
                '&' => *cells.as_mut().ok_or("& outside a table")? += 1,
                '_' | '^' if math => {}
                // The last three are other signs in the oldest encoding.
                '_' | '^' | '%' | '#' | '~' => return Err(format!("a bare {c}: {line}")),
                '<' | '>' | '|' if !math => return Err(format!("a bare {c}: {line}")),
                '?' => return Err(format!("a letter without a translation: {line}")),
                _ => {}
            }
        }
        if math {
            return Err(format!("mathematics without an end: {line}"));
        }
    }
    match (braces, open.is_empty()) {
        (0, true) => Ok(()),
        _ => Err(format!("{braces} braces and {open:?} are open at the end")),
    }
}

#[test]
fn every_table_is_good_latex() {
    for chart in charts() {
        let latex = text(&chart, Format::Tex);
        assert_eq!(check_latex(&latex), Ok(()), "{}:\n{latex}", chart.id);
        assert!(latex.contains(&format!("\\label{{tab:{}}}", chart.id)));
        assert_eq!(latex.matches(" \\\\\n").count(), chart.data_table().rows.len() + 1);
    }
    let table = text(&chart("table3"), Format::Tex);
    assert!(table.contains("    $\\lambda$ & S & F & C & SFC (5:1:0.5) & $C_{\\mathrm{GT}}$ \\\\\n"));
}

#[test]
fn whatever_a_chart_says_is_escaped_for_latex() {
    let mut chart = chart("table5");
    chart.title = "Table 5. 100 % of #1 & {~^\\} $x_1$ <|>".to_owned();
    assert_eq!(check_latex(&text(&chart, Format::Tex)), Ok(()));
}

#[test]
fn the_check_of_latex_finds_what_is_wrong() {
    let table = |body: &str| format!("\\begin{{tabular}}{{lr}}\n{body}\n\\end{{tabular}}\n");
    assert_eq!(check_latex(&table("a & $b_1$ \\\\")), Ok(()));
    for wrong in ["a \\\\", "a & b & c \\\\", "a_1 & b \\\\", "a & $b \\\\", "{a & b \\\\", "λ & b \\\\"]
        .map(table)
        .into_iter()
        .chain(["\\checkmark", "a & b", "\\begin{a}\\end{b}", "100 %", "}", "a < b", "\\begin{a}"].map(str::to_owned))
    {
        assert!(check_latex(&wrong).is_err(), "{wrong}");
    }
}

// --------------------------------------------------------------------------- Markdown, names, facts

#[test]
fn every_markdown_table_is_rectangular() {
    for chart in charts() {
        let markdown = text(&chart, Format::Markdown);
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        let lines: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
        let table = chart.data_table();
        assert_eq!(lines.len(), table.rows.len() + 2, "{}", chart.id);
        assert!(lines.iter().all(|line| bars(line) == table.columns.len() + 1), "{}", chart.id);
    }
}

#[test]
fn file_names_tell_settings_apart_and_suit_every_file_system() {
    assert_eq!(file_name("fig1a", &Settings::default(), "svg"), "sfc-bench-fig1a-standard-k48-seed42.svg");
    let paper = Draft::default();
    let drafts = [
        paper.clone(),
        Draft { config: Some("large".into()), ..paper.clone() },
        Draft { inputs: Some(17.0), ..paper.clone() },
        Draft { hidden: Some(65.0), ..paper.clone() },
        Draft { outputs: Some(5.0), ..paper.clone() },
        Draft { circuit: Some(9.0), ..paper.clone() },
        Draft { weight_scale: Some(0.5), ..paper.clone() },
        Draft { bias_scale: Some(0.5), ..paper.clone() },
        Draft { noise: Some(0.5), ..paper.clone() },
        Draft { noise: Some(1e-300), ..paper.clone() },
        Draft { model_seed: Some(7.0), ..paper.clone() },
        Draft { data_seed: Some(7.0), ..paper.clone() },
        Draft { completeness_seed: Some(7.0), ..paper.clone() },
        Draft { samples: Some(7.0), ..paper.clone() },
        Draft { k: Some(7.0), ..paper.clone() },
        Draft { levels: Some(vec![0.5, 0.25]), ..paper.clone() },
        Draft { levels: Some(vec![0.25, 0.5]), ..paper.clone() },
        Draft { levels: Some(vec![0.1; 512]), ..paper.clone() },
        Draft { levels: Some(vec![0.2; 512]), ..paper.clone() },
        Draft { completeness: Some("total".into()), ..paper.clone() },
        Draft { fidelity: Some("r2".into()), ..paper.clone() },
        Draft { fidelity: Some("rel-mse".into()), ..paper.clone() },
        Draft { centred: Some(true), ..paper.clone() },
        Draft { weights: Some(vec![5.0, 1.0, 1.0]), ..paper.clone() },
        Draft { weights: Some(vec![1.0, 5.0, 1.0 / 3.0]), ..paper },
    ];
    let names: BTreeSet<String> =
        drafts.iter().map(|draft| file_name("table3", &draft.parse().expect("good settings"), "csv")).collect();
    assert_eq!(names.len(), drafts.len(), "{names:#?}");
    for name in &names {
        let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        assert!(name.chars().all(safe) && name.len() < 120, "{name}");
        assert!(name.starts_with("sfc-bench-table3-") && name.ends_with(".csv"), "{name}");
    }
    assert_eq!(file_name("../a b", &Settings::default(), "c/d"), { "sfc-bench-ab-standard-k48-seed42.cd" });
}

#[test]
fn citations_state_the_facts_of_the_citation_file() {
    let facts = include_str!("../../CITATION.cff");
    let fact = |key: &str, nth: usize| {
        let line = facts.lines().filter(|line| line.trim_start_matches([' ', '-']).starts_with(key));
        let value = line.clone().nth(nth).unwrap_or_else(|| panic!("no {key}"));
        value.split_once(": ").expect("a value").1.trim_matches('"').to_owned()
    };
    // Braces only keep capitals.
    let plain = |bibtex: &str| bibtex.replace(['{', '}'], "");
    let software = plain(&software_bibtex());
    for said in [fact("title", 0), fact("name", 0), fact("version", 0)] {
        assert!(software.contains(&said), "{said} in {software}");
    }
    assert!(software.contains(&format!("year    = {}", &fact("date-released", 0)[..4])));
    let paper = plain(PAPER_BIBTEX);
    for said in [fact("title", 1), fact("name", 1), fact("year", 0), fact("collection-title", 0)] {
        assert!(paper.contains(&said), "{said} in {paper}");
    }
    assert_eq!(fact("version", 0), env!("CARGO_PKG_VERSION"));
}

// ----------------------------------------------------------------------- drawings and the archive

#[test]
fn a_drawing_has_its_own_background_and_fonts() {
    let chart = chart("fig1a");
    let svg = |look| export(&chart, Format::Svg, &origin(), 500, look).unwrap();
    let behind = |svg: &str| svg.contains("<rect x=\"0\" y=\"0\" width=\"4000\"");
    assert!(behind(&svg(Appearance::Light)) && svg(Appearance::Light).contains("#ffffff"));
    assert!(behind(&svg(Appearance::Dark)) && svg(Appearance::Dark).contains("#14181c"));
    assert!(!behind(&svg(Appearance::Transparent)));
    assert!(svg(Appearance::Light).contains(", sans-serif\""));
    assert!(!svg(Appearance::Light).contains("href"), "nothing from elsewhere");

    let refused = export(&chart, Format::Svg, &origin(), 90, Appearance::Light).unwrap_err();
    assert!(matches!(refused, DrawError::TooSmall { .. }), "{refused}");
}

/// Opens what `argv` names with Python's own readers: every file, and the words that must be in it.
const READER: &str = r#"
import csv, io, json, sys, zipfile
import xml.etree.ElementTree as xml

archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
titles = json.loads(sys.argv[2])
names = archive.namelist()
assert len(set(names)) == len(names) == 5 * len(titles) + 4, names
folder = names[0].split('/')[0]
assert all(name.startswith(folder + '/') for name in names), names

def read(suffix):
    [name] = [name for name in names if name.endswith(suffix)]
    return archive.read(name).decode('utf-8')

for info in archive.infolist():
    assert info.date_time == (1980, 1, 1, 0, 0, 0), info
    assert info.external_attr >> 16 == 0o100644, info

assert json.loads(read('/settings.json'))['samples'] == 300
assert '@software{' in read('.bib') and '@inproceedings{' in read('.bib')
assert archive.read(folder + '/picture.png') == bytes(range(256)) * 300
svg = '{http://www.w3.org/2000/svg}'
for id, title in titles.items():
    assert title in read('README.txt')
    root = xml.fromstring(read(f'-{id}-{folder[10:]}.svg'))
    assert root.tag == svg + 'svg'
    assert root.find(svg + 'title').text == title
    assert len(root.find(svg + 'desc').text) > 20
    texts = [text.text for text in root.iter(svg + 'text')]
    drawn = ' '.join(texts)
    assert title in drawn, (title, drawn)
    assert len(texts) > 8
    x0, y0, w, h = map(float, root.get('viewBox').split())
    for text in root.iter(svg + 'text'):
        assert 0 <= float(text.get('x')) <= w and 0 <= float(text.get('y')) <= h, text.text
    document = json.loads(read(f'-{id}-{folder[10:]}.json'))
    rows = list(csv.reader(io.StringIO(read(f'-{id}-{folder[10:]}.csv'), newline='')))
    assert rows[0] == document['data']['columns']
    for line, row in zip(rows[1:], document['data']['rows'], strict=True):
        for field, value in zip(line, row, strict=True):
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                assert float(field) == value, (field, value)
print('read', len(names))
"#;

#[test]
fn the_archive_opens_elsewhere_and_holds_everything() {
    let charts = charts();
    let extra = [("picture.png".to_owned(), (0..=255).collect::<Vec<u8>>().repeat(300))];
    let bytes = export_all((&charts, &origin()), &[], 720, &extra).unwrap();
    assert_eq!(bytes, export_all((&charts, &origin()), &[], 720, &extra).unwrap(), "the same bytes");

    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("everything.zip");
    std::fs::write(&path, &bytes).unwrap();
    let titles: serde_json::Map<String, Value> =
        charts.iter().map(|chart| (chart.id.clone(), chart.title.clone().into())).collect();
    let titles = serde_json::to_string(&titles).unwrap();
    let output = interpreter().args(["-c", READER, path.to_str().unwrap(), &titles]).output().expect("Python starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "read 64");

    let evil = [("../../etc/passwd".to_owned(), vec![])];
    let refused = export_all((&charts, &origin()), &[], 720, &evil).unwrap_err();
    assert_eq!(refused.code(), "archive.name");
}

// --------------------------------------------------------------------------------- command line

fn program(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args(arguments).output().expect("it starts")
}

#[test]
fn the_command_line_writes_what_the_core_exports() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("figures");
    std::fs::create_dir_all(&folder).unwrap();
    let digest = sfc_bench::link::digest(&REPORT).to_string();
    let origin = RunOrigin::new(&REPORT.settings, Some(&digest));
    for (id, name) in [("fig1a", "1a"), ("fig5", "Figure 5"), ("table3", "t3"), ("table6", "table6")] {
        for format in Format::ALL {
            let file = folder.join(format!("{id}.{}", format.extension()));
            let output = program(&[
                "figure",
                name,
                "--out",
                file.to_str().unwrap(),
                "--theme",
                "dark",
                "--width",
                "600",
                "--samples",
                "300",
                "--weights",
                "5,1,0.5",
            ]);
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
            let wanted = export(&chart(id), format, &origin, 600, Appearance::Dark).unwrap();
            let said = format!("{}: {} bytes\n", file.display(), wanted.len());
            assert_eq!(String::from_utf8(output.stdout).unwrap(), said);
            assert_eq!(std::fs::read_to_string(&file).unwrap(), wanted, "{id}, {format:?}");
        }
    }
    let printed = program(&["figure", "t5", "--samples", "300"]);
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert!(printed.starts_with("Table 5. ") && printed.contains("│ Standard"), "{printed}");
    let csv = program(&["figure", "t3", "--csv", "--samples", "300", "--weights", "5,1,0.5"]);
    assert_eq!(String::from_utf8(csv.stdout).unwrap(), text(&chart("table3"), Format::Csv));
    let cited = program(&["cite"]);
    assert_eq!(String::from_utf8(cited.stdout).unwrap(), format!("{PAPER_BIBTEX}\n{}", software_bibtex()));
}

#[test]
fn the_command_line_refuses_in_one_line() {
    for (arguments, said) in [
        (&["figure", "6"][..], "figure is \"6\"; allowed: fig1a, fig1b, fig2, "),
        (&["figure", "t1a"], "figure is \"t1a\"; allowed: "),
        (&["figure", ""], "figure is \"\"; allowed: "),
        (&["figure", "1a", "--out", "a.png"], "out is \"a.png\"; allowed: a file that ends in .svg"),
        (&["figure", "1a", "--out", "svg"], "out is \"svg\"; allowed: "),
        (&["figure", "1a", "--width", "20"], "width is 20; allowed: a whole number from 200 to 4000"),
        (&["figure", "1a", "--width", "nan"], "width is NaN; allowed: "),
        (&["figure", "1a", "--width", "300.5"], "width is 300.5; allowed: "),
        (&["figure", "1a", "--theme", "blue"], "invalid value 'blue' for '--theme <THEME>'"),
        (&["figure", "1a", "--samples", "1"], "samples is 1; allowed: "),
        (&["figure", "1a", "--out", "a.svg", "--csv"], "the argument '--out <FILE>' cannot be used"),
    ] {
        let output = program(arguments);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
        assert!(output.stdout.is_empty() && complaint.lines().count() == 1, "{complaint}");
        assert!(complaint.starts_with(&format!("sfc-bench: {said}")), "{complaint}");
    }
    let unwritten = program(&["figure", "t5", "--samples", "300", "--out", "no/such/folder/a.csv"]);
    assert_eq!(unwritten.status.code(), Some(1));
    let complaint = String::from_utf8(unwritten.stderr).unwrap();
    assert!(complaint.starts_with("sfc-bench: cannot write no/such/folder/a.csv: "), "{complaint}");
}
