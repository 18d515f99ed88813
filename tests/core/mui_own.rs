//! What a reader of MUI brings, against what NumPy counts in the same files (golden/mui_own.json, by
//! tests/numpy/make_mui_own.py).

use std::rc::Rc;

use serde_json::Value;
use sfc_bench::NumpyRng;
use sfc_bench::io::to_npy;
use sfc_bench::papers::mui::metric::Direction;
use sfc_bench::papers::mui::user_files::{
    FileContents, NeuronsResult, OptionsDraft, StreamedUserFile, UserResults, measure_files,
};
use sfc_bench::papers::mui::{Report, Settings, StudyView};
use sfc_bench::plot::{ChartData, DataValue as Cell};
use sfc_bench::study::Study;
use sfc_bench::study::user_file::UserFileError;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, number, numbers};

fn golden() -> Value {
    json(include_str!("../golden/mui_own.json"))
}

fn file(name: &str, bytes: impl Into<Vec<u8>>) -> StreamedUserFile {
    StreamedUserFile { name: name.to_owned(), source: Rc::new(bytes.into()) }
}

fn of(golden: &Value, name: &str) -> StreamedUserFile {
    file(name, golden["files"][name].as_str().unwrap())
}

/// As the golden file's sizes and k.
fn wanted(golden: &Value) -> OptionsDraft {
    let of = |key: &str| Some(number(&golden[key]));
    OptionsDraft { layers: of("layers"), neurons: of("neurons"), k: of("k"), ..OptionsDraft::default() }
}

fn found(files: Vec<StreamedUserFile>, wanted: &OptionsDraft) -> Result<UserResults, UserFileError> {
    measure_files(files, &wanted.validate().unwrap(), &mut |_, _| {})
}

/// Holds what was found in a file against NumPy's counts; sums of rounded numbers differ in their last bits.
fn check(found: &NeuronsResult, wanted: &Value) {
    let near = |what: &str, found: Option<f64>, wanted: &Value| match found {
        Some(found) => assert_close(what, found, number(wanted), 1e-12, 0.0),
        None => assert!(wanted.is_null(), "{what}: {wanted}"),
    };
    assert_eq!(found.answers, wanted["answers"].as_u64().map(|answers| answers as usize));
    assert_eq!(found.used as u64, wanted["used"].as_u64().unwrap());
    near("mui", Some(found.mui), &wanted["mui"]);
    near("mui_code", found.mui_code, &wanted["mui_code"]);
    near("by_lot", found.by_lot, &wanted["by_lot"]);
    near("performance", found.performance, &wanted["performance"]);
    near("mui_correct", found.mui_correct, &wanted["mui_correct"]);
    near("mui_correct_code", found.mui_correct_code, &wanted["mui_correct_code"]);
    near("pur", found.pur, &wanted["pur"]);
    assert_eq!(found.by_layer, numbers(&wanted["by_layer"]));
    match &found.equally {
        Some(equally) => {
            let wanted = numbers(&wanted["equally"]);
            assert_eq!(equally.answers as f64, wanted[0]);
            assert_close("right", equally.right, wanted[1], 1e-12, 0.0);
            assert_close("wrong", equally.wrong, wanted[2], 1e-12, 0.0);
        }
        None => assert!(wanted["equally"].is_null()),
    }
    assert!(!found.growth.is_empty());
    for point in &found.growth {
        let wanted = wanted["growth"].as_array().unwrap().iter().map(numbers);
        let wanted = wanted.into_iter().find(|row| row[0] == point.answers as f64).unwrap();
        assert_close("growth", point.mui, wanted[1], 1e-12, 0.0);
        assert_close("growth by lot", point.by_lot, wanted[2], 1e-12, 0.0);
    }
    let thresholds = wanted["thresholds"].as_object();
    for (threshold, wanted) in thresholds.into_iter().flatten() {
        let found = found.thresholds.iter().find(|found| found.threshold == *threshold);
        let found = found.unwrap_or_else(|| panic!("{threshold}"));
        let wanted = numbers(wanted);
        assert_close(threshold, found.mui, wanted[0], 1e-12, 0.0);
        assert_close(threshold, found.mui_code, wanted[1], 1e-12, 0.0);
    }
}

#[test]
fn every_kind_of_file_comes_to_what_numpy_counts() {
    let golden = golden();
    for (name, holds) in [
        ("model_task_result.jsonl", FileContents::Scores),
        ("features.jsonl", FileContents::Features),
        ("sets.jsonl", FileContents::Sets),
        ("rows.csv", FileContents::Scores),
    ] {
        let found = found(vec![of(&golden, name)], &wanted(&golden)).unwrap();
        assert_eq!((found.files.len(), found.files[0].holds), (1, holds), "{name}");
        check(&found.files[0], &golden["expected"][name]);
    }
    let found = found(vec![of(&golden, "union.json")], &wanted(&golden)).unwrap();
    let (union, sets) = (&found.files[0], &golden["expected"]["sets.jsonl"]);
    assert_eq!((union.holds, union.answers, union.by_lot), (FileContents::Union, None, None));
    assert_eq!(union.mui, number(&sets["mui"]));
    assert_eq!(union.by_layer, numbers(&sets["by_layer"]));
}

#[test]
fn an_array_comes_to_what_numpy_counts_and_says_its_sizes() {
    let golden = golden();
    let mut values = Vec::new();
    fn flat(value: &Value, into: &mut Vec<f64>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| flat(value, into)),
            value => into.push(number(value)),
        }
    }
    flat(&golden["array"], &mut values);
    let bytes = to_npy(&[5, 4, 3, 40], &values);
    let wanted = OptionsDraft { k: Some(number(&golden["k"])), ..OptionsDraft::default() };
    let one = found(vec![file("scores.npy", bytes.clone())], &wanted).unwrap();
    check(&one.files[0], &golden["expected"]["array"]);
    let flags = file("right.npy", to_npy(&[5], &[1.0, 0.0, 0.0, 1.0, 0.0]));
    let told = found(vec![file("scores.npy", bytes.clone()), flags], &wanted).unwrap();
    assert_eq!((told.files[0].right, told.files[0].performance), (2, Some(40.0)));
    let other = OptionsDraft { layers: Some(4.0), ..wanted.clone() };
    let refused = found(vec![file("scores.npy", bytes)], &other).unwrap_err().to_string();
    assert!(refused.contains("3 layers of 40 neurons; allowed: 4 layers of any neurons"), "{refused}");
    // Rows with a score, as floats; without, as whole numbers would be.
    let rows = file("rows.npy", to_npy(&[3, 4], &[1.0, 0.0, 2.0, 0.5, 0.0, 1.0, 0.0, 0.25, 1.0, 0.0, 1.0, 0.75]));
    let sizes = OptionsDraft { layers: Some(2.0), neurons: Some(4.0), k: Some(1.0), ..OptionsDraft::default() };
    let rows = found(vec![rows], &sizes).unwrap();
    assert_eq!((rows.files[0].answers, rows.files[0].used), (Some(2), 2));
    let sets = file("rows.npy", to_npy(&[3, 3], &[1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]));
    let sets = found(vec![sets], &sizes).unwrap();
    assert_eq!((sets.files[0].holds, sets.files[0].used), (FileContents::Sets, 3));
}

#[test]
fn two_files_are_two_models_with_a_direction_between_them() {
    let golden = golden();
    let names = [
        "model_task_result.jsonl",
        "other_task_integrated_gradient_result.jsonl",
        "other_task_integrated_gradient_result.answers.csv",
    ];
    let files = || names.iter().map(|name| of(&golden, name)).collect::<Vec<_>>();
    let both = found(files(), &wanted(&golden)).unwrap();
    for (found, name) in both.files.iter().zip(names) {
        check(found, &golden["expected"][name]);
    }
    let (step, expected) = (&both.steps[0], &golden["step"]);
    assert_eq!(step.answers.map(|answers| answers as u64), expected["answers"].as_u64());
    for (found, wanted) in step.mui.iter().zip(numbers(&expected["mui"])) {
        assert_close("mui", *found, wanted, 1e-12, 0.0);
    }
    assert_eq!(step.performance.unwrap().to_vec(), numbers(&expected["performance"]));
    // Performance rises, the index falls.
    assert_eq!(step.direction, Some(Direction::Evolving));
    assert_close("jaccard", step.jaccard.unwrap(), number(&expected["jaccard"]), 1e-12, 0.0);
    let lot = step.jaccard_by_lot.unwrap();
    assert_close("jaccard by lot", lot, number(&expected["jaccard_by_lot"]), 1e-12, 0.0);
    assert!(both.said.last().unwrap().contains("evolving"), "{:?}", both.said);
    assert!(both.notes.iter().any(|note| note.contains("joined by place, from 0")));

    // What is stated takes the place of what is counted; without either there is no direction.
    let stated = OptionsDraft { accuracy: Some(vec![80.0, 70.0]), ..wanted(&golden) };
    let stated = found(files(), &stated).unwrap();
    assert_eq!(stated.steps[0].direction, Some(Direction::Collapsing));
    assert_eq!(stated.files[0].performance, Some(80.0));
    let lacking = found(files().into_iter().take(2).collect(), &wanted(&golden)).unwrap();
    assert_eq!((lacking.steps[0].direction, lacking.files[1].performance), (None, None));
    assert!(lacking.notes.iter().any(|note| note.contains("Directions need")));
    let one = OptionsDraft { accuracy: Some(vec![80.0]), ..wanted(&golden) };
    assert_eq!(found(files(), &one).unwrap_err().code(), "given.missing");
    // A model of another size has no neurons in common.
    let wide = r#"{"num_hidden_layers": 3, "intermediate_size": 41}"#;
    let sizes = OptionsDraft { layers: None, neurons: None, ..wanted(&golden) };
    let config = found(files().into_iter().chain([file("config.json", wide)]).collect(), &sizes);
    assert_eq!(config.unwrap().files[0].neurons, 41);
}

/// The cell of a row, below a column whose title is that.
fn number_at(data: &ChartData, row: usize, title: &str) -> Option<f64> {
    let column = data.columns.iter().position(|column| column == title);
    let column = column.unwrap_or_else(|| panic!("{title}: {:?}", data.columns));
    match data.rows[row][column] {
        Cell::Number(number) => Some(number),
        _ => None,
    }
}

#[test]
fn growth_is_drawn_as_numpy_counts_it_file_beside_file() {
    let golden = golden();
    let names = ["model_task_result.jsonl", "sets.jsonl"];
    let own = found(names.map(|name| of(&golden, name)).into(), &wanted(&golden)).unwrap();
    let report = Report { own: Some(own.clone()), ..Report::new(Settings::default()) };
    // Reports go through JSON on their way to a page and back.
    let report: Report = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    let chart = StudyView::open(report).unwrap().chart("mui-own-growth").unwrap();
    let data = chart.data();
    for name in names {
        let rows = golden["expected"][name]["growth"].as_array().unwrap();
        let mut drawn = 0;
        for row in 0..data.rows.len() {
            let Some(mui) = number_at(&data, row, name) else { continue };
            drawn += 1;
            let answers = number_at(&data, row, "answers").unwrap();
            let wanted = rows.iter().map(numbers).find(|row| row[0] == answers).unwrap();
            assert_close(name, mui, 100.0 * wanted[1], 1e-10, 0.0);
            let lot = number_at(&data, row, &format!("{name}, random baseline")).unwrap();
            assert_close(name, lot, 100.0 * wanted[2], 1e-10, 0.0);
        }
        assert_eq!(drawn, own.files.iter().find(|one| one.file == name).unwrap().growth.len());
        assert!(chart.summary.contains(name), "{}", chart.summary);
    }

    // Names that are the same but for their folders keep them, long ones are cut, many files are told.
    let long = format!("b/{}.jsonl", "n".repeat(60));
    let names = ["a/x.jsonl", "b/x.jsonl", &long, "c/1.jsonl", "2.jsonl", "3.jsonl", "4.jsonl"];
    let text = golden["files"]["sets.jsonl"].as_str().unwrap();
    let own = found(names.map(|name| file(name, text)).into(), &wanted(&golden)).unwrap();
    let many = Report { own: Some(own), ..Report::new(Settings::default()) };
    let chart = StudyView::open(many).unwrap().chart("mui-own-growth").unwrap();
    let columns = chart.data().columns;
    assert!(["a/x.jsonl", "b/x.jsonl", "1.jsonl"].iter().all(|name| columns.contains(&(*name).to_owned())));
    assert!(columns.iter().any(|name| name.contains("n…n")), "{columns:?}");
    assert!(!columns.contains(&"4.jsonl".to_owned()) && chart.caption.contains("first 6 of 7 files"));

    // A set of all answers together does not say how it grew.
    let own = found(vec![of(&golden, "union.json")], &wanted(&golden)).unwrap();
    for own in [Some(own), None] {
        let report = Report { own, ..Report::new(Settings::default()) };
        let chart = StudyView::open(report).unwrap().chart("mui-own-growth").unwrap();
        assert_eq!(chart.summary, "No answers were given yet.");
    }
}

#[test]
fn what_was_found_is_taken_away_as_a_table() {
    let golden = golden();
    let own = found(vec![of(&golden, "sets.jsonl")], &wanted(&golden)).unwrap();
    let csv = own.tables()[0].to_csv();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(head[..2], ["file", "answers"]);
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let at = |name: &str| head.iter().position(|column| column == name).unwrap();
    assert_eq!((rows.len(), &rows[0][0]), (1, "sets.jsonl"));
    let mui: f64 = rows[0][at("mui")].parse().unwrap();
    assert_close("mui", mui, number(&golden["expected"]["sets.jsonl"]["mui"]), 0.0, 5e-5);
}

#[test]
fn reported_proportions_stand_beside_those_computed_anew() {
    let golden = golden();
    let files = ["model_task_result.jsonl", "result.csv"].map(|name| of(&golden, name));
    let found = found(files.into(), &wanted(&golden)).unwrap();
    let anew: Vec<Option<f64>> = found.proportions.iter().map(|row| row.recomputed).collect();
    // As NumPy has it, of a threshold that no other table shows; one row that says another; one without its file.
    for row in &found.proportions[..2] {
        assert_close(&row.mode, row.recomputed.unwrap(), row.mui, 1e-12, 0.0);
    }
    assert!(anew[2].is_some_and(|anew| (anew - 0.5).abs() > 0.01) && anew[3].is_none(), "{anew:?}");
    let said = found.said.last().unwrap();
    assert!(
        said.contains("Of 4 reported indices 3 could be recomputed") && said.contains("2 of these agree"),
        "{said}"
    );
}

#[test]
fn what_is_left_out_or_assumed_is_said() {
    let sizes = OptionsDraft { layers: Some(2.0), neurons: Some(8.0), k: Some(2.0), ..OptionsDraft::default() };
    let lines = [
        r#"{"top_neurons": [{"layer": 0, "position": 0, "neuron": 3, "score": 2}, {"layer": 0, "position": 0, "neuron": 3, "score": 2},
            {"layer": 0, "position": 1, "neuron": 3, "score": 1.5}, {"layer": 1, "position": 0, "neuron": 7, "score": -1},
            {"layer": null, "position": 0, "neuron": 1, "score": 9}, {"layer": 0, "position": 0, "neuron": 5, "score": 1}]}"#,
        "{\"top_neurons\": [",
        r#"{"top_neurons": [], "correct": "C"}"#,
    ]
    .map(|line| line.replace('\n', " "));
    let found = found(vec![file("a.jsonl", lines.join("\n"))], &sizes).unwrap();
    let one = &found.files[0];
    // An entry that is there twice counts once, so that the second largest of layer 0 is the same neuron's at another
    // token; below 0 a neuron counts by the code's reading alone.
    assert_eq!((one.answers, one.used), (Some(2), 1));
    assert_eq!(one.mui_code, Some(2.0 / 16.0));
    for words in [
        "1 lines are no JSON and are left out, as by the code: 2.",
        "1 entries are there twice",
        "1 entries have no layer or no number",
        "1 answers have what is neither right nor wrong",
        "1 answers use no neuron",
    ] {
        assert!(found.notes.iter().any(|note| note.contains(words)), "{words}: {:?}", found.notes);
    }
    let twice = file("a.jsonl", "[[0, 1], [0, 1], [1, 2]]\n[[0, 1]]\n");
    let twice = self::found(vec![twice], &sizes).unwrap();
    assert_eq!((twice.files[0].used, twice.files[0].mean_k), (2, Some(0.75)));
    assert!(twice.notes[0].contains("1 entries are there twice"));
    let golden = golden();
    let listed = self::found(vec![of(&golden, "model_task_result.jsonl")], &wanted(&golden)).unwrap();
    assert!(listed.notes[0].contains("no answer lists more than 8 scores of a layer"));
}

#[test]
fn neurons_that_are_drawn_by_lot_are_told_as_such() {
    let mut rng = NumpyRng::new(5);
    let mut lines = |count: usize, neurons: u32| {
        let line = |_| {
            let pairs: Vec<String> =
                (0..200).map(|_| format!("[{}, {}]", rng.next_word() % 4, rng.next_word() % neurons)).collect();
            format!("[{}]\n", pairs.join(","))
        };
        (0..count).map(line).collect::<String>()
    };
    let sizes = OptionsDraft { layers: Some(4.0), neurons: Some(1000.0), ..OptionsDraft::default() };
    let lot = found(vec![file("lot.jsonl", lines(20, 1000))], &sizes).unwrap();
    assert!(lot.said[0].contains("as many as a random baseline"), "{}", lot.said[0]);
    // The same numbers of a tenth of the neurons.
    let few = found(vec![file("few.jsonl", lines(20, 100))], &sizes).unwrap();
    assert!(few.said[0].contains("fewer than a random baseline, so answers share neurons"), "{}", few.said[0]);
}

#[test]
fn the_models_sizes_are_asked_for_where_nothing_says_them() {
    let line = r#"{"top_neurons": [{"layer": 31, "position": 0, "neuron": 14335, "score": 1}]}"#;
    let bare = found(vec![file("a.jsonl", line)], &OptionsDraft::default()).unwrap_err();
    let said = bare.to_string();
    assert_eq!(bare.code(), "given.missing");
    assert!(said.contains("layers and neurons") && said.contains("layer 31 and neuron 14335"), "{said}");
    let one = OptionsDraft { layers: Some(32.0), ..OptionsDraft::default() };
    let said = found(vec![file("a.jsonl", line)], &one).unwrap_err().to_string();
    assert!(said.starts_with("a.jsonl, neurons: not given"), "{said}");
    let told = r#"{"num_hidden_layers": 32, "intermediate_size": 14336, "top_neurons": []}"#;
    let told = found(vec![file("a.jsonl", format!("{told}\n{line}\n"))], &OptionsDraft::default()).unwrap();
    assert_eq!((told.files[0].layers, told.files[0].neurons, told.files[0].used), (32, 14_336, 1));
    assert_eq!(told.files[0].threshold.as_deref(), Some("top 14 of each layer"));
}
