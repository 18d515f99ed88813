//! Trains the small models that are shipped beside the little one, and writes them to one file: half an hour.
//!
//! `cargo run --release --example small_models -- assets/little/models.safetensors`

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use sfc_bench::model::{Parameters, Precision};
use sfc_bench::papers::mui::baselines::SMALL;

fn main() {
    let path = std::env::args().nth(1).expect("the file to write");
    let next = AtomicUsize::new(0);
    let trained: Mutex<Vec<Option<Parameters>>> = Mutex::new(vec![None; SMALL.len()]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // The largest first.
    let mut order: Vec<usize> = (0..SMALL.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(SMALL[*at].width * SMALL[*at].layers));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let found = SMALL[*at].train().expect("it learns");
                    eprintln!("{} after {:.0} s", SMALL[*at].name, start.elapsed().as_secs_f64());
                    trained.lock().unwrap()[*at] = Some(found);
                }
            });
        }
    });
    let trained = trained.into_inner().unwrap();
    let all: Vec<(String, &Parameters)> = SMALL
        .iter()
        .zip(&trained)
        .map(|(s, p)| (s.before(), p.as_ref().expect("trained")))
        .collect();
    let bytes = Parameters::safetensors_of(&all, Precision::Half).expect("it can be written");
    std::fs::write(&path, &bytes).expect("the file can be written");
    println!("{path}: {} bytes", bytes.len());
}
