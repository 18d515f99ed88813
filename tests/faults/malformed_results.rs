//! Malformed results, thousands and other ones each time: refused in words, without a panic, within memory and time.
//! What is taken for JSON all the same Python takes for JSON, too, and for the same.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use sfc_bench::NumpyRng;
use sfc_bench::io::json::{Json, parse};
use sfc_bench::papers::ce_bench::user_files as ce_bench;
use sfc_bench::papers::fade::Settings;
use sfc_bench::papers::fade::user_files as fade;
use sfc_bench::study::user_file::{UserFile, UserFileError};
use sha2::{Digest, Sha256};

use crate::made_results::{KINDS, change, text};
use crate::malformed::{keep, python};
use crate::memory::measured;
use crate::seed;

/// Refused ones of each kind: as many files are made as that takes.
const REFUSED: usize = 500;
/// Most that reading one may take besides its own bytes: a file of one kind is small here, unless it is brackets.
const ALLOWED: isize = 16 << 20;
/// Longest that reading one may take.
const SLOWEST: Duration = Duration::from_secs(10);

/// A value in one way only: numbers by their bits, objects with every key.
fn plain(value: &Json, out: &mut String) {
    let quoted = |text: &str| format!("{}:{text}", text.len());
    match value {
        Json::Null => out.push('n'),
        Json::Bool(value) => out.push(if *value { 't' } else { 'f' }),
        Json::Number(value) if value.is_nan() => *out += "#nan",
        Json::Number(value) => {
            // Zero has one sign, as a whole number in Python has.
            let _ = write!(out, "#{:016x}", (value + 0.0).to_bits());
        }
        Json::Text(text) => *out += &quoted(text),
        Json::List(values) => {
            out.push('[');
            values.iter().for_each(|value| plain(value, out));
            out.push(']');
        }
        Json::Object(entries) => {
            out.push('{');
            for (key, value) in entries {
                *out += &quoted(key);
                plain(value, out);
            }
            out.push('}');
        }
    }
}

fn read(name: &str, bytes: Vec<u8>) -> Result<(), UserFileError> {
    let file = UserFile { name: name.to_owned(), bytes };
    if name.ends_with("stories.json") {
        let array = |name: &str| UserFile { name: name.to_owned(), bytes: b"1,2\n3,4\n".to_vec() };
        ce_bench::score_files(vec![array("0_a.csv"), array("0_b.csv"), file]).map(drop)
    } else if name.ends_with("results.json") {
        ce_bench::read_results(vec![file]).map(drop)
    } else if name.ends_with("texts.json") {
        // Alone they are of no use.
        let ratings = br#"{"a": 2, "b": 0}"#.to_vec();
        let ratings = UserFile { name: "activation_centric_ratings.json".to_owned(), bytes: ratings };
        let found = fade::score_files(vec![file, ratings], &Settings::default())?;
        match found.files.iter().any(|file| file.refused.is_some()) {
            true => Err(UserFileError::NoFiles { allowed: "what its row says".to_owned() }),
            false => Ok(()),
        }
    } else {
        fade::score_files(vec![file], &Settings::default()).map(drop)
    }
}

#[test]
fn malformed_results_are_refused_or_are_json_to_python_too() {
    let mut rng = NumpyRng::new(seed());
    let (mut refused, mut slowest, mut most) = (0, Duration::ZERO, 0);
    let mut parsed: Vec<((String, Vec<u8>), String)> = Vec::new();
    let mut taken = 0;
    for (kind, make) in KINDS {
        let (before, mut files) = (refused, 0);
        while refused - before < REFUSED {
            files += 1;
            assert!(files < 50 * REFUSED, "hardly any {kind} is refused");
            let made = make(&mut rng);
            let mut bytes = text(&mut rng, &made);
            let changes = rng.next_word() % 3;
            (0..changes).for_each(|_| {
                if !bytes.is_empty() {
                    change(&mut rng, &mut bytes)
                }
            });
            let name = format!("{files}-{kind}");
            let start = Instant::now();
            let copy = bytes.clone();
            let outcome = catch_unwind(AssertUnwindSafe(|| measured(|| read(&name, copy))));
            let (outcome, held) = outcome.unwrap_or_else(|panic| {
                eprintln!("SFC_FUZZ_SEED={}: {}", seed(), keep(&name, &bytes).display());
                resume_unwind(panic)
            });
            let took = start.elapsed();
            if took > SLOWEST || held > ALLOWED {
                panic!("{}: {took:?}, {held} bytes", keep(&name, &bytes).display());
            }
            (slowest, most) = (slowest.max(took), most.max(held));
            match outcome {
                Ok(()) => taken += 1,
                Err(error) => {
                    let text = error.to_string();
                    assert!(!text.contains('\n') && text.len() < 900, "{text}");
                    refused += 1;
                }
            }
            if let Ok(value) = parse(&name, &bytes) {
                let mut told = String::new();
                plain(&value, &mut told);
                let digest = Sha256::digest(told.as_bytes());
                let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
                parsed.push(((name, bytes), digest));
            }
        }
    }
    let files: Vec<_> = parsed.iter().map(|(file, _)| file.clone()).collect();
    // The digest of each in the same one way, or that it is refused.
    let answers = python("reads_json.py", &files, "read-json");
    assert_eq!(answers.len(), parsed.len());
    let other = parsed.iter().zip(&answers).filter(|((_, found), answer)| *answer != found);
    let wrong: Vec<String> = other
        .take(5)
        .map(|(((name, bytes), found), answer)| format!("{}: {found}, Python {answer:?}", keep(name, bytes).display()))
        .collect();
    println!(
        "{refused} malformed results refused, {taken} read; {} are JSON, to Python the same; the slowest in {} ms, at \
         most {} KiB of memory for one; SFC_FUZZ_SEED={}",
        parsed.len(),
        slowest.as_millis(),
        most >> 10,
        seed(),
    );
    assert!(wrong.is_empty(), "read otherwise:\n{}", wrong.join("\n"));
    assert!(taken > REFUSED && parsed.len() > taken, "{taken} {}", parsed.len());
}
