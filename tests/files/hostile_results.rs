//! What claims to be a result of FADE or CE-Bench, or a reader's arrays for them, and is cut off, lies, or blows up:
//! refused in words, without a panic, within memory.

use std::io::Write;

use sfc_bench::io::json::{BYTES_MAX, DEPTH_MAX, VALUES_MAX};
use sfc_bench::papers::ce_bench::user_files as ce_bench;
use sfc_bench::papers::fade::Settings;
use sfc_bench::papers::fade::user_files as fade;
use sfc_bench::study::user_file::{UserFile, UserFileError};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::memory::measured;
use super::results::{golden, under};

/// Most that reading a hostile file may take besides its own bytes: the values of a file of JSON, twice while a list
/// of them grows, and their texts again where they are kept by text.
const ALLOWED: isize = 160 << 20;

/// Which reader is to refuse it.
#[derive(Clone, Copy, Debug)]
enum Reader {
    Fade,
    Results,
    Pairs,
}

impl Reader {
    fn read(self, files: Vec<UserFile>) -> Result<(), UserFileError> {
        match self {
            Self::Fade => fade::score_files(files, &Settings::default()).map(drop),
            Self::Results => ce_bench::read_results(files).map(drop),
            Self::Pairs => ce_bench::score_files(files).map(drop),
        }
    }
}

fn file(name: &str, bytes: impl Into<Vec<u8>>) -> UserFile {
    UserFile { name: name.to_owned(), bytes: bytes.into() }
}

#[derive(Default)]
struct Tally {
    refused: usize,
}

impl Tally {
    /// Files that must be refused together, by one of some codes.
    #[track_caller]
    fn refuse(&mut self, reader: Reader, what: &str, files: Vec<UserFile>, codes: &[&str]) {
        let (result, most) = measured(|| reader.read(files));
        let Err(error) = result else { panic!("{reader:?}, {what}: read as if nothing were wrong") };
        let text = error.to_string();
        assert!(codes.contains(&error.code()), "{what}: {} ({text})", error.code());
        assert!(!text.contains('\n') && (12..900).contains(&text.len()), "{what}: {text:?}");
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{what}: {text:?}");
        assert!(most <= ALLOWED, "{what}: {most} bytes were held");
        self.refused += 1;
    }

    #[track_caller]
    fn json(&mut self, reader: Reader, name: &str, text: &str, codes: &[&str]) {
        let shown: String = text.chars().take(60).collect();
        self.refuse(reader, &format!("{name}: {shown}"), vec![file(name, text)], codes);
    }
}

const RATINGS: &str = "activation_centric_ratings.json";
const SYNTHETIC: &str = "activation_centric_synthetic_data.json";
const METRICS: &str = "activation_centric_metrics.json";
const OUTPUTS: &str = "output_centric_ratings.json";
const OUTPUT_METRICS: &str = "output_centric_metrics.json";

/// Every kind of file of JSON, and who reads it.
const KINDS: [(Reader, &str); 8] = [
    (Reader::Fade, RATINGS),
    (Reader::Fade, SYNTHETIC),
    (Reader::Fade, METRICS),
    (Reader::Fade, OUTPUTS),
    (Reader::Fade, OUTPUT_METRICS),
    (Reader::Fade, "texts.json"),
    (Reader::Results, "results.json"),
    (Reader::Pairs, "stories.json"),
];

#[test]
fn what_is_no_json_is_refused_by_every_reader() {
    let mut tally = Tally::default();
    let nested = "[".repeat(1_000_000);
    let objects = "{\"a\":".repeat(500_000);
    let deep = format!("{}{}", "[".repeat(DEPTH_MAX + 1), "]".repeat(DEPTH_MAX + 1));
    let many = format!("[{}0]", "0,".repeat(VALUES_MAX + 10));
    let keys = format!("{{{}\"b\":0}}", "\"a\":0,".repeat(VALUES_MAX + 10));
    let texts = [
        "",
        " \n\t",
        "{",
        "[",
        "\"",
        "{\"a\"",
        "{\"a\":",
        "[1,",
        "nan",
        "Nan",
        "[NAN]",
        "[+1]",
        "[01]",
        "[.5]",
        "[1.]",
        "[1e999]",
        "[-1e999]",
        "[0x10]",
        "[1,]",
        "{\"a\": 1,}",
        "{a: 1}",
        "{'a': 1}",
        "{NaN: 1}",
        "{1: 1}",
        "[1] [2]",
        "[1]\u{0}",
        "// one\n[1]",
        "[1 2]",
        "True",
        "None",
        "\"\\ud800\"",
        "\"\\x41\"",
        "\"a\nb\"",
        "<!DOCTYPE html>",
        "version https://git-lfs.github.com/spec/v1",
    ];
    for (reader, name) in KINDS {
        // What is large is the same to every file of a reader.
        let heavy = [&nested[..], &objects, &deep, &many, &keys];
        let once = [RATINGS, "results.json", "stories.json"].contains(&name);
        for text in texts.into_iter().chain(heavy.into_iter().filter(|_| once)) {
            tally.json(reader, name, text, &["io.text"]);
        }
        for (what, bytes) in [
            ("no text", &b"[\"\xff\xfe\"]"[..]),
            ("UTF-16", b"\xff\xfe[\x001\x00]\x00"),
            ("UTF-16, big end first", b"\xfe\xff\x00[\x00]"),
            ("gzip", b"\x1f\x8b\x08\x00"),
            ("a pickle", b"\x80\x04\x95\x0b"),
            ("a picture", b"\x89PNG\r\n"),
        ] {
            tally.refuse(reader, what, vec![file(name, bytes)], &["io.text"]);
        }
        let large = vec![b' '; BYTES_MAX as usize + 1];
        tally.refuse(reader, "too large", vec![file(name, large)], &["io.too-large"]);
        // What is JSON, and something else. Only some may be an empty list or object.
        for text in ["null", "true", "1", "NaN", "-Infinity", "\"a\"", "[1]", "[null]", "[[]]", "{\"a\": []}"] {
            let codes = ["io.field", "given.value"];
            tally.json(reader, name, text, &codes);
        }
        // The mark of an editor before it is read past.
        tally.json(reader, name, "\u{feff}1", &["io.field"]);
    }
    println!("{} files refused", tally.refused);
    assert!(tally.refused >= 400, "{}", tally.refused);
}

#[test]
fn results_that_are_cut_off_are_refused() {
    let mut tally = Tally::default();
    for (folder, reader) in [
        ("fade_results/model.layers[3].mlp/42", Reader::Fade),
        ("ce_bench_results/interpretability_eval", Reader::Results),
    ] {
        for whole in under(&golden(folder)) {
            let end = whole.bytes.len();
            for cut in [0, 1, 2, 20, end / 4, end / 2, end - 20, end - 2, end - 1] {
                let cut = file(&whole.name, &whole.bytes[..cut]);
                tally.refuse(reader, &whole.name, vec![cut], &["io.text"]);
            }
            let twice = [&whole.bytes[..], &whole.bytes].concat();
            tally.refuse(reader, &whole.name, vec![file(&whole.name, twice)], &["io.text"]);
        }
    }
    println!("{} files refused", tally.refused);
    assert!(tally.refused >= 100, "{}", tally.refused);
}

#[test]
fn values_that_are_none_are_refused_where_they_stand() {
    let mut tally = Tally::default();
    let field = &["io.field"];
    for value in ["\"2\"", "2.5", "-1", "4", "1e300", "NaN", "Infinity", "null", "true", "[2]", "{}"] {
        tally.json(Reader::Fade, RATINGS, &format!("{{\"a\": 0, \"b\": {value}}}"), field);
        let text = format!("{{\"0\": {{\"0\": [\"a\", {value}]}}}}");
        tally.json(Reader::Fade, OUTPUTS, &text, field);
    }
    let many: String = (0..10_001).map(|factor| format!("\"{factor}\": {{}},")).collect();
    let many = format!("{{{} \"-1\": {{}}}}", many);
    for text in [
        "{}",
        r#"{"x": {}}"#,
        r#"{"": {}}"#,
        r#"{"NaN": {}}"#,
        r#"{"inf": {}}"#,
        r#"{"-Infinity": {}}"#,
        r#"{"1e999": {}}"#,
        r#"{"0x1": {}}"#,
        r#"{"0": []}"#,
        r#"{"0": 2}"#,
        r#"{"0": {"0": "a"}}"#,
        r#"{"0": {"0": []}}"#,
        r#"{"0": {"0": ["a"]}}"#,
        r#"{"0": {"0": ["a", 2, 3]}}"#,
        r#"{"0": {"0": [2, "a"]}}"#,
        r#"{"0": {"0": {"a": 2}}}"#,
        &many,
    ] {
        tally.json(Reader::Fade, OUTPUTS, text, field);
    }
    for text in [
        r#"{"Clarity": "high"}"#,
        r#"{"Clarity": [1]}"#,
        r#"{"Clarity": true}"#,
        r#"{"Clarity": 1, "Clarity": 2}"#,
        r#"{"clarity": 1}"#,
        r#"{"Faithfulness": 1}"#,
        "{}",
    ] {
        tally.json(Reader::Fade, METRICS, text, field);
    }
    for text in [
        r#"{"Faithfulness": "NaN"}"#,
        r#"{"Faithfulness": 1, "Faithfulness": 1}"#,
        r#"{"Value Counts": {}}"#,
        r#"{"Faithfulness": 1, "Value Counts": []}"#,
        r#"{"Faithfulness": 1, "Value Counts": {"a": {}}}"#,
        r#"{"Faithfulness": 1, "Value Counts": {"0": 1}}"#,
        r#"{"Faithfulness": 1, "Value Counts": {"0": {"a": 1}}}"#,
        r#"{"Faithfulness": 1, "Value Counts": {"0": {"2": "all"}}}"#,
        r#"{"Faithfulness": 1, "Value Counts": {}, "Value Counts": {}}"#,
    ] {
        tally.json(Reader::Fade, OUTPUT_METRICS, text, field);
    }
    for text in ["{}", "[1]", "[\"a\", null]", "[[\"a\"]]"] {
        tally.json(Reader::Fade, SYNTHETIC, text, field);
    }
    for text in
        [r#"{"1": "a"}"#, r#"{"0": "a", "0": "b"}"#, r#"{"-1": "a"}"#, r#"{"0": 1}"#, r#"{"a": "b"}"#, r#"["a", 1]"#]
    {
        tally.json(Reader::Fade, "texts.json", text, field);
    }
    let scores = r#""contrastive_score_mean": 1, "independent_score_mean": 2, "interpretability_score_mean": 3"#;
    for text in [
        "{}",
        r#"{"contrastive_score_mean": 1}"#,
        r#"{"contrastive_score_mean": "1", "independent_score_mean": 2, "interpretability_score_mean": 3}"#,
        r#"{"contrastive_score_mean": null, "independent_score_mean": 2, "interpretability_score_mean": 3}"#,
        r#"{"contrastive_score_mean": [1], "independent_score_mean": 2, "interpretability_score_mean": 3}"#,
        &format!("{{{scores}, \"contrastive_score_mean\": 1}}"),
        &format!("{{{scores}, \"sae_config\": []}}"),
        &format!("{{{scores}, \"sae_config\": {{\"d_sae\": -1}}}}"),
        &format!("{{{scores}, \"sae_config\": {{\"d_sae\": 1.5}}}}"),
        &format!("{{{scores}, \"sae_config\": {{\"d_sae\": 1e300}}}}"),
        &format!("{{{scores}, \"sae_config\": {{\"d_sae\": NaN}}}}"),
        &format!("{{{scores}, \"sae_config\": {{\"d_sae\": \"4096\"}}}}"),
        &format!("{{{scores}, \"sae_config\": {{\"d_sae\": 2, \"d_sae\": 3}}}}"),
        &format!("{{{scores}, \"sae_config\": {{\"model_name\": 3}}}}"),
        &format!("{{{scores}, \"sae_release\": 3}}"),
        &format!("{{{scores}, \"sae_id\": [\"\\u001b[2J\\u202e\"]}}"),
        &format!("{{{scores}, \"total_rows\": \"80\"}}"),
        &format!("{{{scores}, \"total_rows\": -80}}"),
        &format!("{{{scores}, \"contrastive_dataset\": {{}}}}"),
    ] {
        tally.json(Reader::Results, "a/results.json", text, field);
    }
    let entries = format!("[{}{{}}]", r#"{"story1":"","story2":""},"#.repeat(50_001));
    for text in [
        "[]",
        "[{}]",
        r#"[{"story1": "a"}]"#,
        r#"[{"story1": "a", "story2": null}]"#,
        r#"[{"story1": "a", "story1": "b", "story2": "c"}]"#,
        r#"[{"story1": "a", "story2": "b", "subject": 1}]"#,
        r#"[{"story1": "a", "story2": "b", "tokens1": "a"}]"#,
        r#"[{"story1": "a", "story2": "b", "tokens2": [1]}]"#,
        &entries,
    ] {
        tally.json(Reader::Pairs, "stories.json", text, field);
    }
    let lines = "{\"story1\": \"a\", \"story2\": \"b\"}\n\n{\"story1\": \"a\",}\n";
    let (result, _) = measured(|| ce_bench::score_files(vec![file("s.jsonl", lines)]));
    assert!(result.unwrap_err().to_string().contains("line 3"), "of the whole file");
    tally.json(Reader::Pairs, "s.jsonl", "\n \n", field);
    tally.json(Reader::Pairs, "s.jsonl", "[]\n", field);
    // Names that no reader knows, or that would steer a terminal.
    for name in ["cfg.json", "ratings.json", "\u{1b}[2J\u{202e}.json", "metrics_activation_centric.json", ".json"] {
        tally.json(Reader::Fade, name, "{}", &["given.unknown"]);
    }
    println!("{} files refused", tally.refused);
    assert!(tally.refused >= 90, "{}", tally.refused);
}

/// An array as NumPy writes it, of a claimed shape.
fn npy(descr: &str, shape: &str, payload: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(payload);
    bytes
}

fn singles(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// An archive of zeros that unpack to so many bytes.
fn bomb(name: &str, mebibytes: usize) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    writer.start_file(format!("{name}.npy"), options).expect("an entry");
    let numbers = mebibytes << 18;
    writer.write_all(&npy("<f4", &format!("({numbers},)"), &[])).expect("a header");
    for _ in 0..mebibytes {
        writer.write_all(&vec![0; 1 << 20]).expect("zeros");
    }
    writer.finish().expect("an archive").into_inner()
}

#[test]
fn arrays_that_lie_or_do_not_fit_are_refused() {
    let mut tally = Tally::default();
    let acts = || file("activations.csv", "0.5\n1\n2\n");
    let labels = |text: &str| file("labels.csv", text);
    let claims = ["(26214400,)", "(1048576, 65536)", "(4294967296, 4294967296)", "(9223372036854775807, 2)", "(0,)"];
    for shape in claims {
        for (reader, name) in
            [(Reader::Fade, "activations.npy"), (Reader::Fade, "labels.npy"), (Reader::Pairs, "0_a.npy")]
        {
            let codes = ["io.truncated", "io.shape", "io.header"];
            tally.refuse(reader, shape, vec![file(name, npy("<f4", shape, &[0; 64]))], &codes);
        }
    }
    // A few hundred kilobytes that unpack to more than all arrays may take, and to more texts than there may be.
    let packed = bomb("0_a_activations", 132);
    assert!(packed.len() < 1 << 20);
    for reader in [Reader::Fade, Reader::Pairs] {
        tally.refuse(reader, "a bomb", vec![file("a.npz", packed.clone())], &["io.too-large"]);
    }
    let packed = bomb("activations", 8);
    tally.refuse(Reader::Fade, "two million texts", vec![file("a.npz", packed)], &["given.value"]);
    for value in [f32::NAN, f32::INFINITY] {
        let array = npy("<f4", "(3,)", &singles(&[0.0, 1.0, value]));
        let files = |name: &str| vec![file(name, array.clone())];
        tally.refuse(Reader::Fade, "no number", files("activations.npy"), &["io.non-finite"]);
        tally.refuse(Reader::Pairs, "no number", files("0_b.npy"), &["io.non-finite"]);
    }
    tally.refuse(
        Reader::Fade,
        "booleans",
        vec![acts(), file("labels.npy", npy("|b1", "(3,)", &[1; 3]))],
        &["io.dtype"],
    );
    tally.refuse(Reader::Fade, "text", vec![file("activations.npy", npy("<U4", "(1,)", &[0; 16]))], &["io.dtype"]);
    for text in ["0\n1\n", "0\n1\n2\n0\n", "0,1\n1,2\n2,0\n", "0\n1\n3\n", "0\n1\n-1\n", "0\n1\n0.5\n"] {
        tally.refuse(Reader::Fade, text, vec![acts(), labels(text)], &["given.value"]);
    }
    tally.refuse(Reader::Fade, "words", vec![acts(), labels("0\nyes\n2\n")], &["io.text"]);
    tally.refuse(Reader::Fade, "labels alone", vec![labels("0\n2\n")], &["given.missing"]);
    tally.refuse(Reader::Fade, "made alone", vec![file("made.csv", "0\n2\n")], &["given.missing"]);
    tally.refuse(Reader::Fade, "factors alone", vec![acts(), file("factors.csv", "0\n2\n")], &["given.missing"]);
    let made = file("synthetic.csv", "1,2\n3,4\n");
    tally.refuse(Reader::Fade, "made of two", vec![acts(), made], &["given.value"]);
    let again = file("more_activations.csv", "1\n2\n");
    tally.refuse(Reader::Fade, "twice", vec![acts(), again], &["given.twice"]);
    tally.refuse(Reader::Fade, "a name", vec![file("x.csv", "1\n2\n")], &["given.unknown"]);
    for text in
        ["0,1,0,0\n1,1,1,1\n", "0\n1\n2\n", "0,3\n1,2\n", "0,1,-1\n0,1,0\n", "0,1,0.5\n0,1,0\n", "0,1,70000\n0,1,0\n"]
    {
        tally.refuse(Reader::Fade, text, vec![file("ratings.csv", text)], &["given.value"]);
    }
    // A first row of 0, 1, 2 would count columns.
    let ratings = || file("ratings.csv", "0.0,1,2\n0,1,2\n2,2,2\n");
    for text in ["0,1\n2,3\n", "0\n1\n"] {
        tally.refuse(Reader::Fade, text, vec![acts(), ratings(), file("factors.csv", text)], &["given.value"]);
    }
    let bad = file("ratings.csv", "0.0,1,2\n0,1,5\n2,2,2\n");
    tally.refuse(Reader::Fade, "5", vec![acts(), bad, file("factors.csv", "0\n1\n2\n")], &["given.value"]);
    tally.refuse(Reader::Fade, "nothing", vec![], &["given.none"]);

    let story = |name: &str| file(name, "1,2,3\n4,5,6\n");
    let pair = || vec![story("0_a.csv"), story("0_b.csv")];
    let with = |more: Vec<UserFile>| [pair(), more].concat();
    assert!(ce_bench::score_files(pair()).is_ok());
    tally.refuse(Reader::Pairs, "one story", vec![story("0_a.csv")], &["given.missing"]);
    tally.refuse(Reader::Pairs, "marks alone", vec![story("0_marks_a.csv")], &["given.missing"]);
    tally.refuse(Reader::Pairs, "a name", vec![story("latents.csv")], &["given.unknown"]);
    tally.refuse(Reader::Pairs, "both at once", vec![story("a_b.csv")], &["given.unknown"]);
    tally.refuse(Reader::Pairs, "twice", with(vec![story("0.a.csv")]), &["given.twice"]);
    tally.refuse(Reader::Pairs, "one mark", with(vec![file("0_marks_a.csv", "0\n1\n")]), &["given.missing"]);
    for text in ["0\n1\n1\n", "0\n2\n", "0\n0.5\n", "0\n-1\n", "0,1\n1,0\n"] {
        let marks = vec![file("0_marks_a.csv", text), file("0_marks_b.csv", text)];
        tally.refuse(Reader::Pairs, text, with(marks), &["given.value"]);
    }
    let narrow = |name: &str| file(name, "1,2\n3,4\n");
    let other = with(vec![narrow("1_a.csv"), narrow("1_b.csv")]);
    tally.refuse(Reader::Pairs, "two widths", other, &["given.value"]);
    let mixed = vec![story("0_a.csv"), narrow("0_b.csv")];
    tally.refuse(Reader::Pairs, "two widths of a pair", mixed, &["given.value"]);
    let entry = r#"[{"story1": "a b", "story2": "a b", "tokens1": ["a", "\u001b[2J"]}]"#;
    tally.refuse(Reader::Pairs, "a token that is not there", with(vec![file("s.json", entry)]), &["given.value"]);
    let entry = r#"[{"story1": "a b", "story2": "a b"}]"#;
    let far = vec![story("7_a.csv"), story("7_b.csv"), file("s.json", entry)];
    tally.refuse(Reader::Pairs, "an entry that is not there", far, &["given.value"]);
    let named =
        vec![story("calm_a.csv"), story("calm_b.csv"), story("wild_a.csv"), story("wild_b.csv"), file("s.json", entry)];
    tally.refuse(Reader::Pairs, "fewer entries than pairs", named, &["given.value"]);
    let two = with(vec![file("s.json", entry), file("t.json", entry)]);
    tally.refuse(Reader::Pairs, "two files of stories", two, &["given.twice"]);
    tally.refuse(Reader::Results, "a picture", vec![file("a.png", "x")], &["given.unknown"]);
    tally.refuse(Reader::Results, "nothing", vec![], &["given.none"]);
    println!("{} files refused", tally.refused);
    assert!(tally.refused >= 60, "{}", tally.refused);
}

/// Numbers at the ends of what is allowed are read, and give reports that JSON can hold.
#[test]
fn what_is_strange_but_allowed_is_read() {
    let fade = |files| serde_json::to_string(&fade::score_files(files, &Settings::default()).unwrap()).unwrap();
    let one = fade(vec![file("activations.csv", "1\n"), file("labels.csv", "2\n"), file("made.csv", "1\n")]);
    assert!(one.contains("no text is labelled 0"), "{one}");
    let largest = file("activations.csv", "3e38\n-3e38\n3e38\n");
    let labels = file("labels.csv", "2\n0\n0\n");
    assert!(fade(vec![largest, labels]).contains("\"responsiveness\":{\"document\":0.0"));
    assert!(fade(vec![file(RATINGS, "{}")]).contains("\"with\":0"));
    assert!(fade(vec![file(SYNTHETIC, "[]")]).contains("\"made\":0"));
    let none = fade(vec![file(OUTPUTS, r#"{"1": {"0": ["a", 2]}}"#)]);
    assert!(none.contains("continuations at factor 0"), "{none}");
    let infinite = fade(vec![file(METRICS, r#"{"Clarity": Infinity, "Purity": null}"#)]);
    assert!(infinite.contains("\"reported_as\":\"Infinity\"") && infinite.contains("\"reported_as\":\"null\""));
    let zero = fade(vec![file(OUTPUTS, r#"{"-0.0": {"0": ["a", 0]}, "0": {"0": ["b", 2]}}"#)]);
    assert!(zero.contains("\"continuations\":2") && zero.contains("keys are there again"), "{zero}");

    let scores =
        r#""contrastive_score_mean": 1e308, "independent_score_mean": 1e308, "interpretability_score_mean": 0"#;
    for config in ["", r#", "sae_config": {"d_sae": 0}"#, r#", "sae_config": {"d_sae": 1}"#, r#", "sae_config": {}"#] {
        let text = format!("{{{scores}{config}}}");
        let report = ce_bench::read_results(vec![file("a/b/results.json", text)]).unwrap();
        let row = &report.rows[0];
        assert_eq!((row.bound, row.rank, row.sae.as_str()), (None, None, "a/b"));
        assert!(row.why.is_some());
        assert!(row.sum.is_none_or(f64::is_finite));
    }
    // One token, one latent: no deviation over latents.
    let report = ce_bench::score_files(vec![file("a.csv", "1\n"), file("b.csv", "2\n")]).unwrap();
    assert_eq!((report.latents, report.readings[1].contrastive, report.readings[1].bound), (1, None, None));
    assert!(report.readings[1].why.as_ref().unwrap().contains("one latent"));
    assert_eq!(report.readings[3].contrastive, Some(1.0));
}
