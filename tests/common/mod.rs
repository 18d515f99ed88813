//! What several test files share. The files run natively and, unchanged, in a browser.
#![allow(dead_code)] // each test file uses its part

pub mod dice;

#[cfg(not(target_arch = "wasm32"))]
use std::path::{Path, PathBuf};

use serde_json::Value;
use sfc_bench::Matrix;

/// The repository's top folder, in which the package of a test may be a folder.
#[cfg(not(target_arch = "wasm32"))]
pub fn root() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("tests/golden").is_dir()).expect("the repository").to_owned()
}

/// Whether everything is to be run, as before a release (`cargo xtask test --long`).
pub fn is_long_run() -> bool {
    std::env::var("SFC_BENCH_LONG").as_deref() == Ok("1")
}

/// A committed JSON file, by its text.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("golden files are JSON")
}

/// A number that strict JSON cannot hold is a word in the golden files.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::String(word) if word == "NaN" => f64::NAN,
        Value::String(word) if word == "Infinity" => f64::INFINITY,
        Value::String(word) if word == "-Infinity" => f64::NEG_INFINITY,
        value => value.as_f64().unwrap_or_else(|| panic!("{value} is no number")),
    }
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

pub fn matrix(value: &Value) -> Matrix {
    let rows: Vec<Vec<f64>> = value.as_array().expect("rows").iter().map(numbers).collect();
    Matrix::from_rows(&rows).expect("rows of one length")
}

pub fn points(value: &Value) -> Vec<[f64; 3]> {
    let rows = value.as_array().expect("points").iter();
    rows.map(|row| numbers(row).try_into().expect("three coordinates")).collect()
}

/// |a − b| ≤ absolute + relative · |b|.
pub fn close(a: f64, b: f64, relative: f64, absolute: f64) -> bool {
    (a - b).abs() <= absolute + relative * b.abs()
}

#[track_caller]
pub fn assert_close(what: &str, a: f64, b: f64, relative: f64, absolute: f64) {
    assert!(
        close(a, b, relative, absolute),
        "{what}: {a} is not {b} (relative difference {:e})",
        (a - b).abs() / b.abs()
    );
}

/// FNV-1a, 64 bits.
pub fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

pub fn fnv_of(values: &[f64]) -> String {
    format!("{:016x}", fnv(values.iter().flat_map(|value| value.to_le_bytes())))
}
