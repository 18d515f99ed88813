//! Whole files in the shapes of FADE's and CE-Bench's that nobody made before, and changes of them.

use serde_json::{Map, Value, json};
use sfc_bench::NumpyRng;

use crate::malformed::damage;
use crate::mutate::{below, blindly};

/// Stands for a number that JSON has no word for, until it is text.
const BARE: [(&str, &str); 3] = [("\"@nan\"", "NaN"), ("\"@infinity\"", "Infinity"), ("\"@-infinity\"", "-Infinity")];

/// The names of files, and what makes one.
pub const KINDS: [(&str, fn(&mut NumpyRng) -> Value); 8] = [
    ("activation_centric_ratings.json", ratings),
    ("activation_centric_synthetic_data.json", texts),
    ("activation_centric_metrics.json", metrics),
    ("output_centric_ratings.json", outputs),
    ("output_centric_metrics.json", output_metrics),
    ("texts.json", texts),
    ("results.json", results),
    ("stories.json", stories),
];

/// As text, as `json.dump` lays it out, or another program.
pub fn text(rng: &mut NumpyRng, value: &Value) -> Vec<u8> {
    let written = if rng.next_word().is_multiple_of(2) {
        serde_json::to_string_pretty(value)
    } else {
        serde_json::to_string(value)
    };
    let mut text = written.expect("plain values");
    for (held, bare) in BARE {
        text = text.replace(held, bare);
    }
    if rng.next_word().is_multiple_of(8) {
        // Python escapes whatever is not ASCII.
        let escaped = |c: char| {
            let mut units = [0; 2];
            let units = c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}"));
            if c.is_ascii() { c.to_string() } else { units.collect() }
        };
        text = text.chars().map(escaped).collect();
    }
    if rng.next_word().is_multiple_of(3) {
        repeat_key(rng, &mut text);
    }
    text.into_bytes()
}

/// An entry of an object again, if it lies on a line of its own.
fn repeat_key(rng: &mut NumpyRng, text: &mut String) {
    let lines: Vec<&str> = text.split('\n').collect();
    let entry = |line: &&str| {
        let line = line.trim();
        line.starts_with('"') && line.ends_with(',') && line.contains("\": ")
    };
    let entries: Vec<usize> = lines.iter().enumerate().filter(|(_, line)| entry(line)).map(|(at, _)| at).collect();
    if entries.is_empty() {
        return;
    }
    let at = entries[below(rng, entries.len())];
    let mut lines: Vec<&str> = lines.clone();
    lines.insert(at, lines[at]);
    *text = lines.join("\n");
}

/// A file with something changed: a value, some bytes, its end.
pub fn change(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    const VALUES: [&str; 22] = [
        "NaN",
        "-Infinity",
        "Infinity",
        "1e999",
        "null",
        "true",
        "\"x\"",
        "[]",
        "{}",
        "-1",
        "2.5",
        "3",
        "0x1",
        "01",
        "1.",
        "\"\\ud800\"",
        "\"\\u0000\"",
        "'a'",
        "nan",
        "9007199254740993",
        "[[[[[[1]]]]]]",
        "1E-400",
    ];
    match rng.next_word() % 5 {
        0 => blindly(rng, bytes),
        1 => damage(rng, bytes),
        2 => {
            // A number becomes something else.
            let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
            if let Some(at) = digits.get(below(rng, digits.len())).copied() {
                let end = (at..bytes.len()).find(|end| !bytes[*end].is_ascii_digit());
                let value = VALUES[below(rng, VALUES.len())];
                bytes.splice(at..end.unwrap_or(bytes.len()), value.bytes());
            }
        }
        3 => {
            // A bracket, comma, colon or quote goes, or is there twice.
            let marks: Vec<usize> = (0..bytes.len()).filter(|at| b"[]{},:\"".contains(&bytes[*at])).collect();
            if let Some(at) = marks.get(below(rng, marks.len())).copied() {
                if rng.next_word().is_multiple_of(2) {
                    bytes.remove(at);
                } else {
                    bytes.insert(at, bytes[at]);
                }
            }
        }
        _ => {
            let before: [&[u8]; 4] = [b"\xef\xbb\xbf", b"\xff\xfe", b"// \n", b"\x00"];
            let before = before[below(rng, before.len())];
            bytes.splice(0..0, before.iter().copied());
        }
    }
}

fn word(rng: &mut NumpyRng) -> String {
    const PARTS: [&str; 12] =
        ["rain", " ", "snow\n", "“wind”", "é", "😀", "\\", "\"", "<subject>", "</subject>", "a, b", "\t{]"];
    (0..1 + below(rng, 6)).map(|_| PARTS[below(rng, PARTS.len())]).collect()
}

fn real(rng: &mut NumpyRng) -> Value {
    match rng.next_word() % 12 {
        0 => json!("@nan"),
        1 => json!("@infinity"),
        2 => json!("@-infinity"),
        3 => json!(1),
        4 => json!(rng.standard_normal() * 1e200),
        _ => json!(rng.standard_normal()),
    }
}

fn ratings(rng: &mut NumpyRng) -> Value {
    let entries = (0..below(rng, 30)).map(|at| (format!("{at} {}", word(rng)), json!(rng.next_word() % 4)));
    Value::Object(entries.collect())
}

fn texts(rng: &mut NumpyRng) -> Value {
    (0..below(rng, 20)).map(|_| word(rng)).collect()
}

fn numbers(rng: &mut NumpyRng, names: &[&str]) -> Map<String, Value> {
    names.iter().map(|name| ((*name).to_owned(), real(rng))).collect()
}

fn metrics(rng: &mut NumpyRng) -> Value {
    let names = ["Clarity", "Responsiveness", "Purity", "Natural Samples", "Natural Concept Samples"];
    let count = 1 + below(rng, names.len());
    Value::Object(numbers(rng, &names[..count]))
}

fn factors(rng: &mut NumpyRng) -> Vec<String> {
    const ALL: [&str; 9] = ["-50", "-10", "-1", "0", "1", "10", "50", "0.5", "-0.0"];
    ALL.into_iter().filter(|_| !rng.next_word().is_multiple_of(4)).chain(["2"]).map(str::to_owned).collect()
}

fn outputs(rng: &mut NumpyRng) -> Value {
    let mut all = Map::new();
    for factor in factors(rng) {
        let rated = (0..below(rng, 8)).map(|at| (at.to_string(), json!([word(rng), rng.next_word() % 4])));
        all.insert(factor, Value::Object(rated.collect()));
    }
    Value::Object(all)
}

fn output_metrics(rng: &mut NumpyRng) -> Value {
    let mut all = numbers(rng, &["Faithfulness", "Number of Modification Factors"]);
    let shares = factors(rng).into_iter();
    let shares = shares.map(|factor| (factor, Value::Object(numbers(rng, &["0", "1.0", "2"]))));
    all.insert("Value Counts".to_owned(), Value::Object(shares.collect()));
    Value::Object(all)
}

fn results(rng: &mut NumpyRng) -> Value {
    let names = ["contrastive_score_mean", "independent_score_mean", "interpretability_score_mean"];
    let mut all = numbers(rng, &names);
    if !rng.next_word().is_multiple_of(3) {
        let width = 1_u64 << (rng.next_word() % 54);
        all.insert("sae_config".to_owned(), json!({"d_sae": width, "model_name": word(rng), "seqpos_slice": [null]}));
        all.insert("sae_release".to_owned(), json!(word(rng)));
        all.insert("total_rows".to_owned(), json!(rng.next_word()));
    }
    Value::Object(all)
}

fn stories(rng: &mut NumpyRng) -> Value {
    let entry = |rng: &mut NumpyRng| json!({"story0": word(rng), "story1": word(rng), "story2": word(rng), "subject": word(rng)});
    (0..1 + below(rng, 6)).map(|_| entry(rng)).collect()
}
