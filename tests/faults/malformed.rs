//! Malformed files, thousands of each format and other ones each time: read as NumPy reads them, or refused
//! in words, without a panic, within memory and time.

use std::time::{Duration, Instant};

use sfc_bench::NumpyRng;
use sfc_bench::io::DataFile;

use crate::memory::measured;
use crate::{mutate, seed};

/// How many of each format.
const FILES: u32 = 2_000;
/// Bytes a file may have unpacked.
const CAP: u64 = 4 << 20;
/// Most that reading one may take besides its own bytes.
const ALLOWED: isize = 48 << 20;
/// Longest that reading one may take.
const SLOWEST: Duration = Duration::from_secs(10);

/// Files as the libraries write them.
fn written(ends: &str) -> Vec<(&'static str, &'static [u8])> {
    macro_rules! files {
        ($($name:literal)*) => {
            vec![$(($name, &include_bytes!(concat!("../golden/evaluate/", $name))[..]),)*]
        };
    }
    let mut all = files! {
        "acts_f16.npy" "acts_f64.npy" "acts_bf16.npy" "acts_fortran_f32.npy"
        "acts_big_endian_fortran_f8.npy" "acts_i16.npy" "acts_stored.npz" "acts_deflated.npz"
        "acts.safetensors" "acts.csv"
    };
    all.retain(|(name, _)| name.ends_with(ends));
    all
}

fn malformed(ends: &str) {
    let written = written(ends);
    let mut rng = NumpyRng::new(seed());
    let (mut refused, mut slowest, mut most) = (0, Duration::ZERO, 0);
    for _ in 0..FILES {
        let (name, bytes) = written[mutate::below(&mut rng, written.len())];
        let mut bytes = bytes.to_vec();
        mutate::file(&mut rng, name, &mut bytes);
        let start = Instant::now();
        let (outcome, held) = measured(|| {
            let file = DataFile::open(name, Box::new(bytes), CAP)?;
            file.arrays().iter().try_for_each(|array| array.read_all().map(drop))
        });
        slowest = slowest.max(start.elapsed());
        most = most.max(held);
        refused += u32::from(outcome.is_err());
    }
    println!(
        "{ends}: {FILES} malformed files, {refused} refused, the slowest in {} ms, at most {} KiB",
        slowest.as_millis(),
        most >> 10
    );
    assert!(slowest < SLOWEST && most < ALLOWED, "{slowest:?}, {most} bytes");
    assert!((FILES / 10..FILES).contains(&refused));
}

#[test]
fn malformed_npy_files_are_read_or_refused() {
    malformed(".npy");
}

#[test]
fn malformed_npz_files_are_read_or_refused() {
    malformed(".npz");
}

#[test]
fn malformed_safetensors_files_are_read_or_refused() {
    malformed(".safetensors");
}

#[test]
fn malformed_csv_files_are_read_or_refused() {
    malformed(".csv");
}
