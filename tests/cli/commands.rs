//! The command line: what each command prints in each format, and how it refuses.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::{NoProgress, Point, printed as paper};
use sfc_bench::pareto::{Objectives, front, hypervolume};
use sfc_bench::{Draft, NumpyRng, PROFILES, Preset, Settings};

use crate::common::{assert_close, number};

const STUDIES: [&str; 5] = ["paper", "curve", "sizes", "weights", "cross"];

/// A run that takes no time, as arguments and as a draft.
const SMALL: [&str; 12] = [
    "--samples",
    "300",
    "--data-seed",
    "7",
    "--levels",
    "0,0.3,0.85",
    "--weights",
    "5,1,0.1",
    "--k",
    "31",
    "--noise",
    "0.125",
];

fn small() -> Draft {
    Draft {
        samples: Some(300.0),
        data_seed: Some(7.0),
        levels: Some(vec![0.0, 0.3, 0.85]),
        weights: Some(vec![5.0, 1.0, 0.1]),
        k: Some(31.0),
        noise: Some(0.125),
        ..Draft::default()
    }
}

fn small_settings() -> Settings {
    small().parse().expect("valid")
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sfc-bench"));
    command.stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    program().args(args).output().expect("the program starts")
}

/// What a command that succeeds prints.
#[track_caller]
fn text(args: &[&str]) -> String {
    printed(args, run(args))
}

#[track_caller]
fn printed(args: &[&str], output: Output) -> String {
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{args:?}: {complaint}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn json(args: &[&str]) -> Value {
    serde_json::from_str(&text(args)).expect("JSON")
}

/// A CSV's columns and rows.
fn csv(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let fields = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    let columns = fields(reader.headers().expect("a header"));
    (columns, reader.records().map(|row| fields(&row.expect("rows of one length"))).collect())
}

/// The one line that a command which refuses prints.
#[track_caller]
fn refusal(args: &[&str]) -> String {
    refused(args, run(args))
}

#[track_caller]
fn refused(args: &[&str], output: Output) -> String {
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
    assert!(output.stdout.is_empty(), "{args:?} prints besides");
    let line = complaint.strip_suffix('\n').expect("a whole line");
    assert!(!line.contains('\n'), "{args:?}: more than a line: {line}");
    line.strip_prefix("sfc-bench: ").unwrap_or_else(|| panic!("{args:?}: {line}")).to_owned()
}

fn with_small<'a>(start: &[&'a str]) -> Vec<&'a str> {
    start.iter().copied().chain(SMALL).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Bit for bit what the library says, member by member.
#[track_caller]
fn assert_same(what: &str, printed: &Value, wanted: &impl serde::Serialize) {
    let wanted = serde_json::to_value(wanted).expect("results are JSON");
    assert_eq!(same(printed, &wanted), Ok(()), "{what}");
}

fn same(printed: &Value, wanted: &Value) -> Result<(), String> {
    match (printed, wanted) {
        (Value::Number(a), Value::Number(b)) => {
            let bits = |number: &serde_json::Number| number.as_f64().map(f64::to_bits);
            if bits(a) == bits(b) { Ok(()) } else { Err(format!("{a} is not {b}")) }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a.iter().zip(b).try_for_each(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.values().zip(b.values()).try_for_each(|(a, b)| same(a, b))
        }
        (a, b) => {
            if a == b {
                Ok(())
            } else {
                Err(format!("{a} is not {b}"))
            }
        }
    }
}

const POINT: [&str; 9] =
    ["level", "sparsity", "fidelity", "completeness", "c_gt", "sfc", "rate", "distortion", "relevance"];

#[track_caller]
fn check_points(what: &str, printed: &Value, wanted: &[Point]) {
    for (point, wanted) in printed.as_array().expect("points").iter().zip(wanted) {
        for name in POINT {
            assert!(point[name].is_f64() || point[name].is_u64(), "{what}: {name} is {}", point[name]);
        }
        // `Value` goes through a map; the text must hold the very bits too.
        let read: Point = serde_json::from_value(point.clone()).expect("a point");
        assert_eq!(read, *wanted, "{what}");
    }
    assert_same(what, printed, &wanted);
}

#[test]
fn the_whole_paper_agrees_in_ninety_two_cells_of_a_hundred_and_four() {
    let found = json(&["paper", "--json"]);
    assert_eq!(keys(&found), ["cells", "summary"]);
    assert_eq!(found["summary"], serde_json::json!({ "agree": 92, "total": 104 }));
    let cells = found["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 104);
    for (table, agree, total) in [
        ("Table 3", 40, 40),
        ("Table 4", 14, 14),
        ("Table 5", 4, 12),
        ("Table 6", 30, 30),
        ("Figure 4", 4, 4),
        ("Text", 0, 4),
    ] {
        let of_table = || cells.iter().filter(|cell| cell["table"] == table);
        let agreeing = of_table().filter(|cell| cell["agrees"] == true).count();
        assert_eq!((agreeing, of_table().count()), (agree, total), "{table}");
    }
    for cell in cells {
        assert_eq!(keys(cell), ["agrees", "column", "computed", "printed", "row", "table"]);
        assert!(cell["agrees"].is_boolean() && cell["row"].is_string() && cell["column"].is_string());
        assert_eq!(cell["printed"].is_string(), cell["computed"].is_string());
        assert!(cell["computed"].is_string() || cell["computed"].is_number());
    }
    let report = study::run(&Settings::default(), &mut NoProgress).expect("the paper runs");
    assert_same("cells", &found["cells"], &paper::compare_cells(&report));

    let table = text(&["paper"]);
    for line in [
        "Table 3: 40 of 40 printed cells agree",
        "Table 4: 14 of 14 printed cells agree",
        "Table 5: 4 of 12 printed cells agree",
        "Table 6: 30 of 30 printed cells agree",
        "Figure 4: 4 of 4 printed cells agree",
        "Text: 0 of 4 printed cells agree",
        "92 of 104 printed values agree: all 84 of Tables 3, 4 and 6, 4 of 12 of Table 5, all 4 of Figure 4 and 0 of 4 of the text",
    ] {
        assert!(table.lines().any(|found| found == line), "{line:?} is missing in\n{table}");
    }

    let (columns, rows) = csv(&text(&["paper", "--csv"]));
    assert_eq!(columns, ["table", "row", "column", "printed", "computed", "agrees"]);
    assert_eq!(rows.len(), cells.len());
    for (row, cell) in rows.iter().zip(cells) {
        assert_eq!(
            [&row[0], &row[1], &row[2]],
            [&cell["table"], &cell["row"], &cell["column"]].map(|v| v.as_str().unwrap())
        );
        assert_eq!(row[5] == "yes", cell["agrees"] == true);
        match &cell["computed"] {
            Value::String(word) => assert_eq!(row[4], *word),
            number => assert_eq!(row[4].parse::<f64>().ok(), number.as_f64()),
        }
    }
}

#[test]
fn a_curve_in_json_is_the_librarys_to_the_last_bit() {
    let settings = small_settings();
    let curve = study::compute_curve(&settings, &mut NoProgress).expect("a curve");
    let found = json(&with_small(&["curve", "--json"]));
    for key in ["config", "points", "hypervolume", "front"] {
        assert!(found.get(key).is_some(), "{key} is missing");
    }
    assert_same("config", &found["config"], &settings);
    check_points("curve", &found["points"], &curve.points);
    assert_same("hypervolume", &found["hypervolume"], &curve.hypervolume);
    assert_same("front", &found["front"], &curve.front);
    assert_same("contributions", &found["contributions"], &curve.contributions);
    // The settings that are printed are settings to run again.
    let again: Settings = serde_json::from_value(found["config"].clone()).expect("settings");
    assert_eq!(again, settings);
}

#[test]
fn every_option_reaches_the_run() {
    let args = [
        "curve",
        "--json",
        "--config",
        "large",
        "--inputs",
        "5",
        "--hidden",
        "24",
        "--outputs",
        "3",
        "--circuit",
        "6",
        "--model-seed",
        "4294967295",
        "--data-seed",
        "11",
        "--completeness-seed",
        "12",
        "--samples",
        "150",
        "--k",
        "9",
        "--levels",
        "0.25,0.1",
        "--weights",
        "1,2,3",
        "--completeness",
        "total",
        "--fidelity",
        "rel-mse",
        "--weight-scale",
        "0.4",
        "--bias-scale",
        "0.05",
        "--noise",
        "0.01",
        "--centred",
    ];
    let settings = Draft {
        config: Some("custom".into()),
        inputs: Some(5.0),
        hidden: Some(24.0),
        outputs: Some(3.0),
        circuit: Some(6.0),
        weight_scale: Some(0.4),
        bias_scale: Some(0.05),
        noise: Some(0.01),
        model_seed: Some(4_294_967_295.0),
        data_seed: Some(11.0),
        completeness_seed: Some(12.0),
        samples: Some(150.0),
        k: Some(9.0),
        levels: Some(vec![0.25, 0.1]),
        completeness: Some("total".into()),
        fidelity: Some("rel-mse".into()),
        centred: Some(true),
        weights: Some(vec![1.0, 2.0, 3.0]),
    };
    let settings = settings.parse().expect("valid");
    let found = json(&args);
    assert_same("config", &found["config"], &settings);
    let curve = study::compute_curve(&settings, &mut NoProgress).expect("a curve");
    check_points("curve", &found["points"], &curve.points);
    for preset in Preset::TABLE_1 {
        let found = json(&["curve", "--json", "--samples", "200", "--config", preset.name()]);
        assert_eq!(found["config"]["config"], preset.name());
        assert_eq!(found["config"]["hidden"], preset.shape().unwrap().hidden);
    }
}

#[test]
fn sizes_in_json_are_the_librarys_to_the_last_bit() {
    let settings = small_settings();
    let found = json(&with_small(&["sizes", "--json"]));
    assert_same("config", &found["config"], &settings);
    let sizes = study::sweep_sizes(&settings, &mut NoProgress).expect("sizes");
    assert_eq!(sizes.iter().map(|p| p.k).collect::<Vec<_>>(), [8, 16, 24, 32, 48, 63]);
    check_points("sizes", &found["points"], &sizes);
}

#[test]
fn weights_in_json_are_the_librarys_to_the_last_bit() {
    let settings = small_settings();
    let found = json(&with_small(&["weights", "--json"]));
    assert_same("config", &found["config"], &settings);
    assert_eq!(found["methods"], serde_json::json!(["SAE-sp00", "SAE-sp30", "SAE-sp85"]));
    let curve = study::compute_curve(&settings, &mut NoProgress).expect("a curve");
    assert_same("profiles", &found["profiles"], &study::profile_winners(&curve.points));
    assert_eq!(found["profiles"].as_array().map(Vec::len), Some(7));
}

#[test]
fn a_cross_in_json_is_the_librarys_to_the_last_bit() {
    let settings = small_settings();
    let found = json(&with_small(&["cross", "--json"]));
    assert_same("config", &found["config"], &settings);
    let curves = study::preset_curves(&settings, &mut NoProgress).expect("four curves");
    assert_same("curves", &found["curves"], &curves);
    let names: Vec<_> = found["curves"].as_array().unwrap().iter().map(|c| &c["name"]).collect();
    assert_eq!(names, ["standard", "large", "dense", "sparse"]);
}

/// A point's row, as CSV has it.
#[track_caller]
fn check_row(columns: &[String], row: &[String], point: &Point) {
    let wanted = serde_json::to_value(point).unwrap();
    for (column, text) in columns.iter().zip(row) {
        let wanted = wanted[column].as_f64().unwrap_or_else(|| panic!("no {column} in a point"));
        let found: f64 = text.parse().unwrap_or_else(|_| panic!("{column} is {text:?}"));
        assert_eq!(found.to_bits(), wanted.to_bits(), "{column}");
    }
}

#[test]
fn csv_holds_every_bit_too() {
    let settings = small_settings();
    let named =
        ["level", "k", "sparsity", "fidelity", "completeness", "c_gt", "sfc", "rate", "distortion", "relevance"];
    let curve = study::compute_curve(&settings, &mut NoProgress).expect("a curve");
    let sizes = study::sweep_sizes(&settings, &mut NoProgress).expect("sizes");
    for (command, points) in [("curve", &curve.points), ("sizes", &sizes)] {
        let (columns, rows) = csv(&text(&with_small(&[command, "--csv"])));
        // Sizes differ in the chance level too.
        let chance: &[&str] = if command == "sizes" { &["c_gt_chance"] } else { &[] };
        assert_eq!(columns, [&named, chance].concat());
        assert_eq!(rows.len(), points.len());
        for (row, point) in rows.iter().zip(points) {
            check_row(&named.map(str::to_owned), &row[..named.len()], point);
            if command == "sizes" {
                assert_eq!(row[named.len()].parse(), Ok(point.k as f64 / 64.0));
            }
        }
    }

    let (columns, rows) = csv(&text(&with_small(&["cross", "--csv"])));
    assert_eq!((columns[0].as_str(), &columns[1..]), ("config", &named.map(str::to_owned)[..]));
    let curves = study::preset_curves(&settings, &mut NoProgress).expect("four curves");
    let points: Vec<_> = curves.iter().flat_map(|c| c.points.iter().map(|p| (&c.name, p))).collect();
    assert_eq!(rows.len(), points.len());
    for (row, (name, point)) in rows.iter().zip(points) {
        assert_eq!(row[0], *name);
        check_row(&columns[1..], &row[1..], point);
    }

    let (columns, rows) = csv(&text(&with_small(&["weights", "--csv"])));
    assert_eq!(columns, ["profile", "best", "score", "SAE-sp00", "SAE-sp30", "SAE-sp85"]);
    let winners = study::profile_winners(&curve.points);
    assert_eq!(rows.len(), winners.len());
    for (row, winner) in rows.iter().zip(winners) {
        assert_eq!([&row[0], &row[1]], [winner.profile.label, &winner.method]);
        let scores: Vec<f64> = row[2..].iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(scores[0].to_bits(), winner.score.to_bits());
        assert_eq!(scores[1..], winner.scores);
    }
}

/// The cells of a table's rows, without borders.
fn table_rows(text: &str) -> Vec<Vec<&str>> {
    let inner = text.lines().filter(|line| line.starts_with('│'));
    inner.map(|line| line.trim_matches('│').split_whitespace().collect()).collect()
}

#[test]
fn tables_show_three_digits_under_a_heading() {
    let shape = "Standard 16 → 64 → 4, circuit 8, K = 31; 300 samples, model seed 42, data seed 7, \
                 noise 0.125, weights 5:1:0.1";
    let curve = text(&with_small(&["curve"]));
    assert_eq!(curve.lines().next(), Some(shape));
    let points = study::compute_curve(&small_settings(), &mut NoProgress).expect("a curve");
    let rows = table_rows(&curve);
    assert_eq!(rows[0][..4], ["level", "k", "sparsity", "fidelity"]);
    assert_eq!(rows.len(), 4);
    for (row, p) in rows[1..].iter().zip(&points.points) {
        let numbers = [p.sparsity, p.fidelity, p.completeness, p.c_gt, p.sfc, p.rate, p.distortion, p.relevance];
        assert_eq!(row[..2], [p.level.to_string(), p.k.to_string()]);
        assert_eq!(row[2..], numbers.map(|x| format!("{x:.3}")));
    }
    let volume = format!("Hypervolume {:.4}; 3 of 3 points", points.hypervolume);
    assert!(curve.lines().any(|line| line.starts_with(&volume)), "{curve}");

    let sizes = text(&with_small(&["sizes"]));
    assert_eq!(table_rows(&sizes).len(), 7);
    let weights = text(&with_small(&["weights"]));
    for profile in PROFILES {
        assert!(weights.contains(profile.label), "{} is missing", profile.label);
    }
    let cross = table_rows(&text(&with_small(&["cross"]))).concat().join(" ");
    for preset in Preset::TABLE_1 {
        assert!(cross.contains(preset.name()), "{} is missing in {cross}", preset.name());
    }
}

#[test]
fn help_names_every_command_and_every_option() {
    let help = text(&["--help"]);
    for command in STUDIES.into_iter().chain(["hypervolume"]) {
        assert!(help.lines().any(|line| line.trim_start().starts_with(command)), "{command}");
    }
    let options = [
        "--config",
        "--inputs",
        "--hidden",
        "--outputs",
        "--circuit",
        "--model-seed",
        "--data-seed",
        "--completeness-seed",
        "--samples",
        "--k",
        "--levels",
        "--weights",
        "--completeness",
        "--fidelity",
        "--noise",
        "--weight-scale",
        "--bias-scale",
        "--centred",
        "--json",
        "--csv",
    ];
    let named = |help: &str, option: &str| {
        help.lines()
            .any(|line| line.split_whitespace().any(|word| word == option) && line.trim_start().starts_with('-'))
    };
    for command in STUDIES {
        for flag in ["--help", "-h"] {
            let help = text(&[command, flag]);
            for option in options {
                assert!(named(&help, option), "{command} {flag} does not name {option}:\n{help}");
            }
        }
    }
    let help = text(&["hypervolume", "--help"]);
    for option in ["--reference", "--minimise", "--no-csv-labels", "--tolerance", "--json", "--csv"] {
        assert!(named(&help, option), "{option}");
    }
    assert!(help.contains("FILE.csv"));
    assert_eq!(text(&["--version"]), concat!("sfc-bench ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(text(&["help", "curve"]), text(&["curve", "--help"]));
}

#[test]
fn bad_arguments_are_refused_in_one_line_that_names_them() {
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["paper", "curve", "sizes", "weights", "cross", "hypervolume", "--help"]),
        (&["draw"], &["draw"]),
        (&["--json"], &["--json"]),
        (&["curve", "--sampels", "3"], &["--sampels"]),
        (&["curve", "extra"], &["extra"]),
        (&["curve", "--samples"], &["--samples"]),
        (&["curve", "--samples", ""], &["--samples"]),
        (&["curve", "--samples", "many"], &["--samples", "many"]),
        (&["curve", "--samples", "1\n2"], &["--samples"]),
        (&["curve", "--samples", "1"], &["samples is 1", "from 2 to 200000"]),
        (&["curve", "--samples", "2.5"], &["samples is 2.5"]),
        (&["curve", "--samples", "-3"], &["samples is -3"]),
        (&["curve", "--samples", "nan"], &["samples is not a number"]),
        (&["curve", "--samples", "inf"], &["samples is inf"]),
        (&["curve", "--samples", "5", "--samples", "6"], &["--samples"]),
        (&["curve", "--json", "--csv"], &["--json", "--csv"]),
        (&["curve", "--config", "medium"], &["config is \"medium\"", "standard, large, dense, sparse"]),
        (&["curve", "--config", "a\nb"], &["config is"]),
        (&["curve", "--inputs", "513"], &["inputs is 513", "1 to 512"]),
        (&["curve", "--hidden", "1"], &["hidden is 1", "2 to 1024"]),
        (&["curve", "--outputs", "0"], &["outputs is 0", "1 to 64"]),
        (&["curve", "--circuit", "65"], &["circuit is 65", "1 to 64"]),
        (&["curve", "--k", "65"], &["k is 65", "1 to 64"]),
        (&["curve", "--model-seed", "4294967296"], &["model_seed is 4294967296"]),
        (&["curve", "--data-seed", "-1"], &["data_seed is -1"]),
        (&["curve", "--completeness-seed", "0.5"], &["completeness_seed is 0.5"]),
        (&["curve", "--noise", "101"], &["noise is 101"]),
        (&["curve", "--weight-scale", "-0.1"], &["weight_scale is -0.1"]),
        (&["curve", "--bias-scale", "1e9"], &["bias_scale is 1000000000"]),
        (&["curve", "--levels", "0,1"], &["levels is 1"]),
        (&["curve", "--levels", ""], &["--levels"]),
        (&["curve", "--levels", "0,,1"], &["--levels"]),
        (&["curve", "--levels", "0,x"], &["--levels", "x"]),
        (&["curve", "--levels", "-0.5"], &["levels is -0.5"]),
        (&["curve", "--levels", "0,-0.5"], &["levels is -0.5"]),
        (&["curve", "--levels", "-0.5,0"], &["levels is -0.5"]),
        (&["curve", "--weights", "1,1"], &["weights is a list of 2"]),
        (&["curve", "--weights", "0,0,0"], &["weights is 0, 0, 0"]),
        (&["curve", "--weights", "1,-1,1"], &["weights is 1, -1, 1"]),
        (&["curve", "--weights", "-1,1,1"], &["weights is -1, 1, 1"]),
        (&["curve", "--weights", "1,nan,1"], &["weights is 1, NaN, 1"]),
        (&["curve", "--completeness", "all"], &["completeness is \"all\"", "paper, total"]),
        (&["curve", "--fidelity", "L2"], &["fidelity is \"L2\"", "cosine, r2, rel-mse"]),
        (&["curve", "--samples", "1", "--k", "0"], &["samples is 1", "k is 0"]),
        (&["curve", "--samples", "200000", "--hidden", "1024"], &["memory", "MiB"]),
        (&["curve", "--samples", "20"], &["rank 20", "48"]),
        (&["curve", "--weight-scale", "0", "--bias-scale", "0"], &["zero"]),
        (&["sizes", "--samples", "20"], &["rank 20"]),
        (&["paper", "--samples", "20"], &["rank 20"]),
        (&["weights", "--samples", "20"], &["rank 20"]),
        (&["cross", "--weight-scale", "0", "--bias-scale", "0"], &["zero"]),
        (&["hypervolume"], &["FILE.csv"]),
        (&["hypervolume", "--k", "3", "x.csv"], &["--k"]),
        (&["hypervolume", "no-such-file.csv"], &["no-such-file.csv", "cannot read"]),
        (&["hypervolume", "no\nsuch.csv"], &["cannot read"]),
        (&["hypervolume", "."], &["."]),
        (&["hypervolume", "-", "--reference", "1,2"], &["reference is a list of 2"]),
        (&["hypervolume", "-", "--reference", "1,2,nan"], &["reference point", "NaN"]),
        (&["hypervolume", "-", "--reference", "1,2,x"], &["--reference", "x"]),
        (&["hypervolume", "-", "--tolerance", "-1"], &["tolerance is -1"]),
        (&["hypervolume", "-", "--tolerance", "nan"], &["tolerance is NaN"]),
    ];
    let mut wrong = Vec::new();
    for (args, needed) in cases {
        let line = refusal(args);
        if !needed.iter().all(|word| line.contains(word)) {
            wrong.push(format!("{args:?}: {line:?} lacks some of {needed:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn refusals_end_with_their_codes_and_name_what_may_have_been_meant() {
    let cases: &[(&[&str], &str)] = &[
        (&["curve", "--config", "standrd"], "; did you mean \"standard\"? [settings.config]"),
        (&["curve", "--fidelity", "cosin"], "; did you mean \"cosine\"? [settings.fidelity]"),
        (&["curve", "--samples", "1", "--k", "0"], " [settings.samples, settings.k]"),
        (&["curve", "--samples", "20"], " [dictionary.rank-deficient]"),
        (&["hypervolume", "no-such-file.csv"], " [points.unreadable]"),
        (&["merge", "no-such-file.json"], " [merge.unreadable]"),
        (&["evaluate", "--activations", "no.npy", "--dictionary", "no.npy"], " [io.unreadable]"),
        (&["curve", "--sampels", "3"], "; a similar argument exists: '--samples' (see --help)"),
        (&["figur"], "; a similar subcommand exists: 'figure' (see --help)"),
    ];
    for (args, end) in cases {
        let line = refusal(args);
        assert!(line.ends_with(end), "{args:?}: {line}");
    }
    // Nothing allowed is like it.
    assert!(!refusal(&["curve", "--config", "medium"]).contains("did you mean"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"\xff\xfe");
    for args in [vec!["curve", "--config"], vec!["curve", "--samples"], vec![], vec!["hypervolume"]] {
        refused(&args, program().args(&args).arg(odd).output().expect("the program starts"));
    }
}

/// A file of the test's own, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, content).expect("a scratch file");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path that is text")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn points_csv(points: &[Objectives]) -> String {
    points.iter().map(|[x, y, z]| format!("{x},{y},{z}\n")).collect()
}

const POINTS: [Objectives; 5] =
    [[0.1, 0.7, 0.3], [0.1 + 0.2, 0.6, 1.0 / 3.0], [0.05, 0.6, 0.2], [0.9, 0.1, 1e-3], [0.1, 0.7, 0.3]];

#[track_caller]
fn check_volume(found: &Value, points: &[Objectives], reference: Objectives, tolerance: f64) {
    // What was left out of the file is told, where something was.
    let members = keys(found).into_iter().filter(|key| *key != "notes");
    assert_eq!(members.collect::<Vec<_>>(), ["contributions", "direction", "front", "hypervolume"]);
    assert_eq!(found["direction"], "maximise");
    let wanted = hypervolume(points, reference).unwrap();
    assert_same("hypervolume", &found["hypervolume"], &wanted.hypervolume);
    assert_same("contributions", &found["contributions"], &wanted.contributions);
    assert_same("front", &found["front"], &front(points, tolerance).unwrap());
}

#[test]
fn points_are_read_from_csv() {
    let plain = points_csv(&POINTS);
    let spaced = plain.replace(',', " ,\t");
    let variants = [
        plain.clone(),
        format!("sparsity,fidelity,completeness\n{plain}"),
        format!("# measured\n# twice\nS,F,C\n# so\n{plain}# end\n"),
        format!("\n\n{}\n", plain.replace('\n', "\n\n")),
        plain.replace('\n', "\r\n"),
        plain.trim_end().to_owned(),
        spaced,
        plain.replace("0.7", "\"0.7\"").replace("0.9", "+9e-1"),
        format!("\u{feff}{plain}"),
        format!("\u{feff}x,y,z\n{plain}"),
    ];
    for (index, text) in variants.iter().enumerate() {
        let file = Scratch::new(&format!("points-{index}.csv"), text);
        check_volume(&json(&["hypervolume", "--json", file.path()]), &POINTS, [0.0; 3], 0.0);
    }
    let file = Scratch::new("points-reference.csv", &plain);
    let path = file.path();
    let found = json(&["hypervolume", path, "--json", "--reference", "0.05,0.05,-1"]);
    check_volume(&found, &POINTS, [0.05, 0.05, -1.0], 0.0);
    let found = json(&["hypervolume", path, "--json", "--reference", "-1,-0.5,-1e-3"]);
    check_volume(&found, &POINTS, [-1.0, -0.5, -1e-3], 0.0);
    let found = json(&["hypervolume", path, "--json", "--tolerance", "0.15"]);
    check_volume(&found, &POINTS, [0.0; 3], 0.15);
    assert_ne!(front(&POINTS, 0.15), front(&POINTS, 0.0), "the tolerance is seen to");

    let (columns, rows) = csv(&text(&["hypervolume", "--csv", path]));
    assert_eq!(columns, ["point", "x", "y", "z", "front", "contribution"]);
    let wanted = hypervolume(&POINTS, [0.0; 3]).unwrap();
    for (index, row) in rows.iter().enumerate() {
        let read: Vec<f64> = row[1..4].iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!((row[0].clone(), read), (index.to_string(), POINTS[index].to_vec()));
        assert_eq!(row[4] == "yes", front(&POINTS, 0.0).unwrap().contains(&index));
        assert_eq!(row[5].parse(), Ok(wanted.contributions[index]));
    }
    assert_eq!(rows.len(), POINTS.len());
    let table = text(&["hypervolume", path]);
    assert_eq!(table_rows(&table).len(), 6);
    let volume = wanted.hypervolume;
    let last = format!("Hypervolume {volume}; 4 of 5 points on the Pareto front; larger is better");
    assert_eq!(table.lines().last(), Some(last.as_str()));
}

#[test]
fn what_is_left_out_of_points_is_told() {
    let text_of = "# measured\nS,F,C\n1,2,3\n# so\n";
    let file = Scratch::new("points-left-out.csv", text_of);
    let path = file.path();
    let header = format!("{path}: line 2 was taken for a header: S, F, C.");
    let comments = format!("{path}: 2 lines begin with # and were left out: 1, 4.");
    let table = text(&["hypervolume", path]);
    assert!(table.ends_with(&format!("\n{header}\n{comments}\n")), "{table}");
    let found = json(&["hypervolume", "--json", path]);
    assert_eq!(found["notes"], serde_json::json!([header, comments]));
    // What is in columns has no place for it.
    let output = run(&["hypervolume", "--csv", path]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, format!("sfc-bench: {header}\nsfc-bench: {comments}\n"));
    assert_eq!(csv(&String::from_utf8(output.stdout).unwrap()).1.len(), 1);
    let plain = Scratch::new("points-nothing-left-out.csv", "1,2,3\n");
    assert_eq!(json(&["hypervolume", "--json", plain.path()]).get("notes"), None);
}

fn piped(args: &[&str], input: &str) -> Output {
    let mut child = program()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn points_are_read_from_standard_input() {
    let args = ["hypervolume", "--json", "-"];
    let found = printed(&args, piped(&args, &points_csv(&POINTS)));
    check_volume(&serde_json::from_str(&found).unwrap(), &POINTS, [0.0; 3], 0.0);
    let line = refused(&args, piped(&args, "1,2,3\n1,2\n"));
    assert!(line.contains("line 2"), "{line}");
}

#[test]
fn a_file_without_points_is_refused() {
    for (name, text) in [("empty", ""), ("comment", "# nothing\n"), ("header", "x,y,z\n")] {
        let file = Scratch::new(&format!("no-points-{name}.csv"), text);
        let args = ["hypervolume", file.path()];
        let said = refused(&args, run(&args));
        assert!(said.contains("has no points; allowed: at least one [points.none]"), "{said}");
    }
}

#[test]
fn the_direction_of_a_hypervolume_is_said_and_can_be_turned() {
    let help = text(&["hypervolume", "--help"]);
    assert!(help.contains("--minimise") && help.contains("larger is better"), "{help}");
    let file = Scratch::new("points-minimised.csv", points_csv(&POINTS));
    let path = file.path();
    let found = json(&["hypervolume", path, "--json", "--minimise", "--reference", "1,1,1"]);
    let turned = POINTS.map(|point| point.map(|x| 1.0 - x));
    let wanted = hypervolume(&turned, [0.0; 3]).unwrap();
    assert_close("hypervolume", number(&found["hypervolume"]), wanted.hypervolume, 1e-12, 0.0);
    assert_eq!(found["direction"], "minimise");
    assert_eq!(found["front"], serde_json::json!(front(&POINTS.map(|p| p.map(|x| -x)), 0.0).unwrap()));
    let table = text(&["hypervolume", path, "--minimise", "--reference", "1,1,1"]);
    assert!(table.trim_end().ends_with("; smaller is better"), "{table}");
    // Where no point counts, it is said why, with what would help.
    let found = json(&["hypervolume", path, "--json", "--reference", "1,1,1"]);
    let note = found["notes"][0].as_str().unwrap();
    assert!(note.starts_with("No point is above the reference 1, 1, 1"), "{note}");
    assert!(note.ends_with("say --minimise."), "{note}");
    let tiny = Scratch::new("points-tiny.csv", "1e-200,1e-200,1e-200\n");
    let table = text(&["hypervolume", tiny.path()]);
    assert!(table.contains("1e-200") && table.lines().all(|line| line.chars().count() < 120), "{table}");
}

#[test]
fn labels_that_pandas_writes_are_no_points() {
    let rows = "0.5,0.6,0.2\n0.7,0.3,0.4\n";
    let indexed = "0,0.5,0.6,0.2\n1,0.7,0.3,0.4\n";
    let points: [Objectives; 2] = [[0.5, 0.6, 0.2], [0.7, 0.3, 0.4]];
    for (name, text, notes) in [
        ("header", format!("0,1,2\n{rows}"), 1),
        ("quoted", format!("\"0\",\"1\",\"2\"\n{rows}"), 1),
        ("index", format!(",S,F,C\n{indexed}"), 2),
        ("both", format!(",0,1,2\n{indexed}"), 2),
        ("unnamed", format!("Unnamed: 0,S,F,C\n{indexed}"), 2),
        ("filtered", ",S,F,C\n7,0.5,0.6,0.2\n9,0.7,0.3,0.4\n".to_owned(), 2),
    ] {
        let file = Scratch::new(&format!("points-labels-{name}.csv"), &text);
        let found = json(&["hypervolume", "--json", file.path()]);
        check_volume(&found, &points, [0.0; 3], 0.0);
        assert_eq!(found["notes"].as_array().unwrap().len(), notes, "{name}: {found}");
    }
    // Where all are whole numbers, ranks perhaps, so are the first.
    let ranks = Scratch::new("points-ranks.csv", "0,1,2\n1,0,2\n2,2,0\n");
    let found = json(&["hypervolume", "--json", "--reference", "-1,-1,-1", ranks.path()]);
    check_volume(&found, &[[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [2.0, 2.0, 0.0]], [-1.0; 3], 0.0);
    // A row alone, and numbers with a point, are numbers; and all are where that is said.
    let alone = Scratch::new("points-alone.csv", "0,1,2\n");
    check_volume(&json(&["hypervolume", "--json", alone.path()]), &[[0.0, 1.0, 2.0]], [0.0; 3], 0.0);
    let all = [[0.0, 1.0, 2.0], [0.5, 0.6, 0.2], [0.7, 0.3, 0.4]];
    for (text, more) in [("0,1,2\n", vec!["--no-csv-labels"]), ("0.0,1.0,2.0\n", vec![])] {
        let file = Scratch::new("points-numbers.csv", format!("{text}{rows}"));
        let args = [vec!["hypervolume", "--json", file.path()], more].concat();
        check_volume(&json(&args), &all, [0.0; 3], 0.0);
    }
    // An index that counts nothing is a fourth column.
    let file = Scratch::new("points-no-index.csv", ",S,F,C\n0.5,0.5,0.6,0.2\n");
    let args = ["hypervolume", file.path()];
    assert!(refused(&args, run(&args)).contains("4 columns where 3 are needed"));
}

#[test]
fn other_separators_of_points_are_named() {
    for (text, wanted) in [
        ("0,5;0,6;0,2\n0,7;0,3;0,4\n", "numbers between semicolons, with decimal commas"),
        ("a;b;c\n0.1;0.2;0.3\n", "names between semicolons"),
        ("0.1\t0.2\t0.3\n", "numbers between tabs"),
        ("0.5 0.6 0.2\n0.7 0.3 0.4\n", "numbers between spaces"),
    ] {
        let file = Scratch::new("points-separated.csv", text);
        let args = ["hypervolume", file.path()];
        let said = refused(&args, run(&args));
        assert!(said.contains(&format!(": {wanted}; allowed: numbers between commas")), "{said}");
        assert!(said.contains("save the file so [points.separator]"), "{said}");
    }
}

#[test]
fn files_that_hold_no_points_are_refused_by_line() {
    let cases: &[(&[u8], &[&str])] = &[
        (b"1,2\n", &["line 1", "2 columns", "3 are needed"]),
        (b"x,y,z\n1,2,3\n# more\n1,2,3,4\n", &["line 4", "4 columns"]),
        (b"1;2;3\n1,2,3\n4;5;6\n", &["line 1", "numbers between semicolons"]),
        (b"1,2,3\n4,five,6\n", &["line 2", "column 2", "five"]),
        (b"1,2,3\nx,y,z\n", &["line 2", "column 1"]),
        (b"1,,3\n", &["line 1", "column 2"]),
        (b"1,2,3\nNaN,2,3\n", &["line 2", "column 1", "NaN"]),
        (b"1,2,3\n4,inf,6\n", &["line 2", "column 2", "inf"]),
        (b"1,2,3\n4,1e999,6\n", &["line 2", "column 2", "1e999"]),
        (b"1,2,\"a\nb\"\n", &["line 1", "column 3"]),
        (b"1,2,3\n\xff\xfe,2,3\n", &["not CSV"]),
        ("−1,−2,−3\n1,2,3\n".as_bytes(), &["line 1", "column 1", "\"−1\"", "a header of names"]),
        (b"0x10,0x20,0x30\n1,2,3\n", &["line 1", "column 1", "0x10"]),
        (b"NA,y,z\n1,2,3\n", &["line 1", "column 1", "NA"]),
        (b"1,2,3\n#N/A,2,3\n", &["line 2", "column 1", "#N/A"]),
    ];
    let mut wrong = Vec::new();
    for (index, (content, needed)) in cases.iter().enumerate() {
        let file = Scratch::new(&format!("bad-points-{index}.csv"), content);
        for format in ["--json", "--csv"] {
            let line = refusal(&["hypervolume", format, file.path()]);
            if !needed.iter().all(|word| line.contains(word)) {
                wrong.push(format!("{:?}: {line:?}", String::from_utf8_lossy(content)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_volume_past_all_numbers_is_refused_not_null() {
    for (name, args) in
        [("1e200,1e200,1e200\n1e201,1e199,1e200\n", vec![]), ("1e308,1,1\n", vec!["--reference=-1e308,0,0"])]
    {
        let mut all = vec!["hypervolume", "--json", "-"];
        all.extend(args);
        refused(&all, piped(&all, name));
    }
}

fn many_points() -> Vec<Objectives> {
    let mut rng = NumpyRng::new(8);
    (0..100_000).map(|_| [(); 3].map(|()| rng.random_sample())).collect()
}

#[test]
fn a_hundred_thousand_points_are_read_and_measured() {
    let points = many_points();
    let file = Scratch::new("many-points.csv", points_csv(&points));
    check_volume(&json(&["hypervolume", "--json", file.path()]), &points, [0.0; 3], 0.0);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let file = Scratch::new("piped-points.csv", points_csv(&many_points()[..20_000]));
    for format in ["--json", "--csv"] {
        let mut child = program()
            .args(["hypervolume", format, file.path()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // The output is far longer than a pipe holds.
        let mut first = [0; 10];
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut first).expect("it writes");
        drop(stdout);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_in_one_line() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = program().arg("--help").stdout(full).output().expect("the program starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(
        complaint.starts_with("sfc-bench: cannot write the output") && complaint.lines().count() == 1,
        "{complaint}"
    );
}

#[test]
fn an_ensemble_prints_what_its_page_saves() {
    use sfc_bench::lab::ensemble::{EnsembleBuilder, EnsemblePlan, Runner, Varied};

    let weights = sfc_bench::Weights::new(2.0, 3.5, 1.0).unwrap();
    let settings: sfc_bench::Settings =
        sfc_bench::Draft { samples: Some(100.0), ..Default::default() }.parse().unwrap();
    let plan = EnsemblePlan::new(settings, Varied::Model);
    let runner = Runner::new(plan.clone());
    let mut gathering = EnsembleBuilder::new(plan);
    for seed in [2, 0, 1, 2] {
        gathering.add_member(runner.run_member(seed).unwrap()).unwrap();
        gathering.update_summary().unwrap();
    }
    let json = |gathering: &EnsembleBuilder| gathering.ensemble().unwrap().to_json().unwrap();
    let args = ["ensemble", "--seeds", "3", "--samples", "100", "--json"];
    assert_eq!(json(&gathering), text(&args));
    gathering.set_weights(weights);
    assert_eq!(json(&gathering), text(&[&args[..], &["--weights", "2,3.5,1"]].concat()));
}

#[test]
fn ensembles_merge_to_the_single_run() {
    let part = |range: &str| text(&["ensemble", "--seed-range", range, "--samples", "100", "--json"]);
    let whole = part("0..12");
    let first = Scratch::new("ensemble-first.json", part("5..12"));
    let second = Scratch::new("ensemble-second.json", part("0..5"));
    assert_eq!(text(&["merge", "--json", first.path(), second.path()]), whole);
    assert_eq!(text(&["ensemble", "--seeds", "12", "--samples", "100", "--json"]), whole);

    let found: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(found["members"].as_array().unwrap().len(), 12);
    assert_eq!(found["summary"]["members"], 12);
    let table = text(&["merge", first.path(), second.path()]);
    assert!(table.contains("12 model seeds from 0 to 11, data seed 1"), "{table}");
    let (columns, rows) = csv(&text(&["merge", "--csv", first.path()]));
    assert_eq!(columns[..2], ["level", "quantity"]);
    assert_eq!(rows.len(), 8 * 8 + 2);

    for args in [
        &["ensemble", "--seeds", "0"][..],
        &["ensemble", "--seed-range", "5..5"],
        &["ensemble", "--seed-range", "5"],
        &["ensemble", "--seeds", "3", "--seed-range", "0..2"],
        &["ensemble", "--seeds", "4000000000"],
        &["merge"],
        &["merge", "no-such-file.json"],
        &["merge", env!("CARGO_MANIFEST_PATH")],
    ] {
        refusal(args);
    }
    let other = Scratch::new("ensemble-other.json", text(&["ensemble", "--seeds", "2", "--samples", "90", "--json"]));
    assert!(refusal(&["merge", first.path(), other.path()]).contains("different settings"));
}

#[test]
fn autoencoders_are_trained_and_saved() {
    let folder = std::env::temp_dir().join(format!("sfc-bench-train-{}", std::process::id()));
    let path = folder.to_str().unwrap();
    let small = ["--rows", "600", "--steps", "40", "--batch", "50", "--latents", "24", "--k", "2"];
    let args = |start: &[&'static str]| -> Vec<&str> { start.iter().copied().chain(small).collect() };
    for family in ["relu", "topk", "batch-topk", "jumprelu", "gated", "matryoshka"] {
        let found = json(&[&args(&["train", "--json", "--family"])[..3], &[family], &small].concat());
        assert_eq!(keys(&found), ["config", "curve", "matching", "world"]);
        let curve = found["curve"].as_array().unwrap();
        assert_eq!((curve.len(), &curve[9]["step"]), (10, &40.into()));
    }
    let (columns, rows) = csv(&text(&args(&["train", "--csv", "--out", Box::leak(path.to_owned().into_boxed_str())])));
    assert_eq!((columns[0].as_str(), rows.len()), ("step", 10));
    for name in ["cfg.json", "sae_weights.safetensors"] {
        assert!(std::fs::metadata(folder.join(name)).unwrap().len() > 100, "{name}");
    }
    // What the folder holds is not written over unless somebody says so.
    let config = folder.join("cfg.json");
    std::fs::write(&config, "mine").unwrap();
    let again = [&["train", "--out", path][..], &small].concat();
    assert!(refusal(&again).contains("--force to write over it"), "{}", refusal(&again));
    assert_eq!(std::fs::read_to_string(&config).unwrap(), "mine");
    text(&[&again[..], &["--force"]].concat());
    assert!(std::fs::read_to_string(&config).unwrap().contains("architecture"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(text(&args(&["train"])).contains("mean matched cosine"));
    for (bad, field) in [
        (vec!["train", "--family", "l1"], "family is \"l1\""),
        (vec!["train", "--world", "real"], "world is \"real\""),
        (vec!["train", "--k", "99"], "k is 99"),
        (vec!["train", "--world", "paper", "--features", "3"], "features is set"),
        (vec!["train", "--rows", "10"], "too few rows for one batch of 256: 10"),
        (vec!["families", "--preset", "huge"], "preset is \"huge\""),
        (vec!["families", "--methods", "svd,umap"], "methods is \"umap\""),
        (vec!["families", "--seeds", "0"], "seeds is []"),
        (vec!["families", "--completeness", "paper"], "completeness is"),
        (
            vec!["families", "--study", "small,ks:1_99"],
            "the study cannot be followed to the letter: ks is \"1_99\"; allowed: ",
        ),
        (vec!["families", "--study", "small", "--world", "paper"], "the argument '--study <TEXT>' cannot be used with"),
    ] {
        assert!(refusal(&bad).starts_with(field), "{bad:?}: {}", refusal(&bad));
    }
}

#[test]
fn families_print_what_the_library_finds() {
    use sfc_bench::lab::families::{FamiliesConfig, Method, Runner, build_report};
    let args = ["families", "--preset", "small", "--methods", "svd,topk,random", "--seeds", "2"];
    let args = [&args[..], &["--steps", "20", "--ks", "1,3"]].concat();
    let mut config = FamiliesConfig::small();
    config.methods = vec![Method::Svd, Method::TopK, Method::Random];
    config.seeds = vec![0, 1];
    config.train.steps = 20;
    config.ks = vec![1, 3];
    let runner = Runner::new(&config).unwrap();
    let results = config.jobs().iter().map(|job| runner.run(job)).collect::<Result<_, _>>();
    let wanted = build_report(&config, results.unwrap()).unwrap();
    assert_same("families", &json(&[&args[..], &["--json"]].concat()), &wanted);
    let study = "small,methods:svd_topk_random,seeds:0_1,steps:20,ks:1_3";
    assert_same("families", &json(&["families", "--study", study, "--json"]), &wanted);
    let (columns, rows) = csv(&text(&[&args[..], &["--csv"]].concat()));
    assert_eq!((columns[0].as_str(), rows.len()), ("method", wanted.results.len()));
    let table = text(&args);
    assert!(table.contains("seed noise"));
    // Every pair here has a method with seeds.
    assert!(!table.contains("no seeds"));
    let seedless = ["families", "--preset", "small", "--methods", "svd,pca", "--ks", "2"];
    let told = text(&seedless);
    let row = told.lines().find(|line| line.contains(" svd ") && line.contains(" pca "));
    assert!(row.is_some_and(|row| row.contains("no seeds")), "{row:?}");
}

#[test]
fn families_compare_on_given_activations() {
    let file = |name: &str| format!("{}/tests/golden/evaluate/{name}", env!("CARGO_MANIFEST_DIR"));
    let (acts, readout) = (file("acts_f32.npy"), file("readout.npy"));
    let study = |text: &str, more: &[&str]| {
        let mut args = vec!["families", "--study", text, "--activations", &acts, "--json"];
        args.extend(more);
        args.iter().map(ToString::to_string).collect::<Vec<String>>()
    };
    let found = |text: &str, more: &[&str]| {
        let args = study(text, more);
        json(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let small = "small,methods:svd_random,seeds:0,ks:2,latents:40,rows:100,eval:50";
    let plain = found(small, &[]);
    // What the text says is what is run, on the file that is there.
    assert_eq!(plain["config"]["train"]["latents"], 40);
    assert_eq!(plain["config"]["world"]["rows"], 150);
    let read = found(small, &["--readout", &readout]);
    assert_ne!(plain["results"][0]["completeness"], read["results"][0]["completeness"]);
    // A study that names its activations runs on no others.
    let digest = plain["config"]["world"]["sha256"].as_str().unwrap();
    let named = |digest: &str| format!("small,world:given,of:150x12,sha256:{digest},{}", &small["small,".len()..]);
    assert_eq!(found(&named(digest), &[]), plain);
    let unnamed = small.replace("small,", "small,world:given,of:150x12,");
    assert_eq!(found(&unnamed, &[])["results"], plain["results"]);
    let others = named(&"5".repeat(64));
    for (text, why) in [
        (others.as_str(), "activations is another file"),
        ("small,world:given,of:150x13,methods:svd,rows:100,eval:50", "activations is 150x12"),
        ("small,features:8,methods:svd,rows:100,eval:50", "study is world:superposition"),
        ("small,methods:svd", "train_rows is 8704"),
    ] {
        let args = study(text, &[]);
        let refused = refusal(&args.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(refused.contains(why), "{refused}");
    }
}
