//! What claims to be a file of neurons and is cut off, lies, or blows up: refused in words, without a panic, within
//! memory; and a file larger than memory should be is read by its parts.

use std::cell::Cell;
use std::rc::Rc;

use sfc_bench::NumpyRng;
use sfc_bench::io::{ReadAt, to_npy};
use sfc_bench::papers::mui::user_files::{LINE_BYTES_MAX, OptionsDraft, StreamedUserFile, UserResults, measure_files};
use sfc_bench::study::user_file::UserFileError;

use super::memory::measured;
use super::mutate::blindly;

/// Most that reading a hostile file may take besides its own bytes.
const ALLOWED: isize = 200 << 20;

fn file(name: &str, bytes: impl Into<Vec<u8>>) -> StreamedUserFile {
    StreamedUserFile { name: name.to_owned(), source: Rc::new(bytes.into()) }
}

fn sizes() -> OptionsDraft {
    OptionsDraft { layers: Some(3.0), neurons: Some(40.0), k: Some(4.0), ..OptionsDraft::default() }
}

fn found(files: Vec<StreamedUserFile>) -> Result<UserResults, UserFileError> {
    measure_files(files, &sizes().validate().unwrap(), &mut |_, _| {})
}

#[track_caller]
fn refused(name: &str, bytes: impl Into<Vec<u8>>, codes: &[&str]) {
    let given = file(name, bytes);
    let (result, most) = measured(|| found(vec![given]));
    let Err(error) = result else { panic!("{name}: read as if nothing were wrong") };
    let text = error.to_string();
    assert!(codes.contains(&error.code()), "{name}: {} ({text})", error.code());
    assert!(!text.contains('\n') && (12..900).contains(&text.len()), "{name}: {text:?}");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{name}: {text:?}");
    assert!(most <= ALLOWED, "{name}: {most} bytes were held");
}

#[test]
fn what_is_no_file_of_neurons_is_refused() {
    for name in ["a.jsonl", "a.json", "a.csv"] {
        for bytes in
            [&b"\x1f\x8b\x08\x00\x00"[..], b"\xff\xfe[\x00", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"\x80\x04\x95\x0b"]
        {
            // What begins as a zip archive is told by its end alone, but is no JSON and no number.
            refused(name, bytes, &["io.text", "given.value"]);
        }
        refused(name, "", &["given.value", "io.text"]);
        refused(name, " \n\n", &["given.value", "io.text"]);
    }
    for text in [
        "{",
        "[",
        "null",
        "7",
        "\"a\"",
        "NaN",
        "{}",
        "[[0]]",
        "[[0, 1, 2]]",
        "[[0, -1]]",
        "[[0, 1e300]]",
        "[[3, 0]]",
        "[[0, 40]]",
        "[[0.5, 1]]",
        "[[[0, 1]]]",
        "[{\"layer\": 0, \"neuron\": 40}]",
        "{\"top_neurons\": 1}",
        "{\"top_neurons\": [{\"layer\": 0, \"neuron\": 1, \"score\": NaN}]}",
        "{\"top_neurons\": [{\"layer\": 0, \"neuron\": 1, \"score\": 1e999}]}",
        "{\"top_neurons\": [{\"layer\": 0, \"position\": -1, \"neuron\": 1, \"score\": 1}]}",
        "{\"top_neurons\": [{\"layer\": 0, \"position\": 0, \"neuron\": 1, \"score\": 1}, {\"layer\": 0, \"position\": 0, \"neuron\": 1, \"score\": 2}]}",
        "{\"top_neurons\": [{\"layer\": 0, \"neuron\": \"\\u001b[2J\u{202e}\", \"score\": 1}]}",
        "{\"features\": [{\"layer\": 4294967295, \"feature_info\": [{\"feat_index\": 1, \"value\": 1}]}]}",
        "{\"top_neurons\": [], \"top_neurons\": []}",
        "[[0, 1]]\n{\"top_neurons\": [{\"layer\": 0, \"neuron\": 1, \"score\": 1}]}",
        "[[0, 1]]\n{\"correct\": true}",
        "<!DOCTYPE html>",
    ] {
        refused("a.jsonl", text, &["io.text", "given.value"]);
    }
    for text in [
        "sample,layer,neuron\n0,0,40\n",
        "sample,layer,neuron,score\n0,0,1,NaN\n",
        "sample,layer,neuron\n-1,0,1\n",
        "sample,layer,neuron\n99999999999,0,1\n",
        "0,1,2\n0,1\n",
        "sample,layer,neuron\n",
        "id,correct\n0,maybe\n",
        "model,task,mode,val,proportion\na,b,topk,1,2\n",
    ] {
        refused("a.csv", text, &["given.value", "io.text"]);
    }
    // Answers without anything that they are of.
    refused("a.csv", "id,correct\n0,1\n", &["given.unknown"]);
    refused("a.json", "[0, 3]", &["given.unknown"]);
    refused("a.txt", "[[0, 1]]", &["given.unknown"]);
    refused("a.json", "{\"num_hidden_layers\": 3}", &["io.field"]);
    for (shape, values) in [
        (&[2, 5][..], vec![0.0; 10]),
        (&[1, 1, 1, 1, 1], vec![0.0]),
        (&[1, 2, 1, 3, 40, 1], vec![0.0; 240]),
        (&[2, 3], vec![0.0, 0.0, 0.5, 0.0, 0.0, 1.0]),
        (&[2, 3], vec![0.0, -1.0, 0.0, 0.0, 0.0, 1.0]),
        (&[1, 2, 40], vec![0.0; 80]),
    ] {
        refused("a.npy", to_npy(shape, &values), &["given.value", "io.shape"]);
    }
    refused("a.npy", to_npy(&[1, 1, 3, 40], &[f64::NAN; 120]), &["io.non-finite"]);
    refused("a.npy", &to_npy(&[1, 1, 3, 40], &[0.0; 120])[..300], &["io.truncated"]);
    assert_eq!(found(Vec::new()).unwrap_err().code(), "given.none");
}

/// A source of a claimed size that makes its bytes as they are asked for, and counts them.
struct Made {
    size: u64,
    byte: fn(u64) -> u8,
    largest: Cell<usize>,
}

impl ReadAt for Made {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        self.largest.set(self.largest.get().max(into.len()));
        for (at, byte) in into.iter_mut().enumerate() {
            *byte = (self.byte)(offset + at as u64);
        }
        Ok(())
    }
}

fn made(name: &str, size: u64, byte: fn(u64) -> u8) -> (StreamedUserFile, Rc<Made>) {
    let source = Rc::new(Made { size, byte, largest: Cell::new(0) });
    (StreamedUserFile { name: name.to_owned(), source: source.clone() }, source)
}

#[test]
fn a_large_file_is_read_by_its_parts() {
    const LINE: &[u8] = b"[[0, 1], [2, 39], [1, 7]]\n";
    let (given, source) = made("large.jsonl", 96 << 20, |at| LINE[(at % LINE.len() as u64) as usize]);
    let mut parts = Vec::new();
    let asked = sizes().validate().unwrap();
    let (result, most) = measured(|| measure_files(vec![given], &asked, &mut |_, part| parts.push(part)));
    let result = result.unwrap();
    // The last line is cut off where the size is no multiple.
    assert_eq!(result.files[0].answers, Some((96 << 20) / LINE.len()));
    assert_eq!(result.files[0].used, 3);
    assert!(most < 8 << 20, "{most} bytes were held");
    assert!(source.largest.get() <= 1 << 20);
    assert!(parts.is_sorted() && parts.len() > 50 && parts.last() == Some(&1.0));
    // A line that never ends, of a file far larger than memory; one beyond what is read at all.
    for (size, codes) in [(60 << 30, "io.text"), (65 << 30, "io.too-large")] {
        let (endless, _) = made("endless.jsonl", size, |at| if at == 0 { b'[' } else { b' ' });
        let (result, most) = measured(|| found(vec![endless]));
        assert_eq!(result.unwrap_err().code(), codes);
        // A line's bytes, and twice as many while they are moved to where more fit.
        assert!(most <= 3 * LINE_BYTES_MAX as isize + (1 << 20), "{most} bytes were held");
    }
}

#[test]
fn a_line_of_several_megabytes_is_read() {
    let entries: Vec<String> = (0..64_000)
        .map(|at| {
            format!(
                "{{\"layer\": {}, \"position\": {}, \"neuron\": {}, \"score\": {}.5}}",
                at % 3,
                at / 120,
                at / 3 % 40,
                64_000 - at
            )
        })
        .collect();
    let line = format!("{{\"prompt\": \"\", \"response\": \"\", \"top_neurons\": [{}]}}\n", entries.join(", "));
    assert!(line.len() > 4 << 20 || line.len() > 3_500_000, "{}", line.len());
    let (result, most) = measured(|| found(vec![file("a.jsonl", [line.as_str(), &line].concat())]));
    let one = &result.unwrap().files[0];
    assert_eq!((one.answers, one.used, one.by_layer.clone()), (Some(2), 12, vec![0.1; 3]));
    assert!(most <= ALLOWED, "{most}");
}

#[test]
fn changed_files_never_panic() {
    let golden: serde_json::Value = serde_json::from_str(include_str!("../golden/mui_own.json")).unwrap();
    let mut rng = NumpyRng::new(13);
    let (mut read, mut refused) = (0, 0);
    for (name, text) in golden["files"].as_object().unwrap() {
        for _ in 0..150 {
            let mut bytes = text.as_str().unwrap().as_bytes().to_vec();
            blindly(&mut rng, &mut bytes);
            let given = file(name, bytes);
            let (result, most) = measured(|| found(vec![given]));
            assert!(most <= ALLOWED, "{name}: {most}");
            match result {
                Ok(found) => {
                    for found in &found.files {
                        assert!((0.0..=1.0).contains(&found.mui) && found.mui.is_finite());
                        let rising = found.growth.is_sorted_by(|a, b| a.mui <= b.mui + 1e-12);
                        assert!(rising, "{name}");
                    }
                    read += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().contains('\n'), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(read > 20 && refused > 200, "{read} read, {refused} refused");
}
