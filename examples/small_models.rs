//! Trains the small models that are shipped beside the little one, and writes them to one file: half an hour.
//! The name of the file says which.
//!
//! `cargo run --release --example small_models -- assets/little/models.safetensors`
//! `cargo run --release --example small_models -- assets/little/models-second.safetensors`

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use sfc_bench::model::{Parameters, Precision};
use sfc_bench::papers::mui::baselines::{BASELINES, BaselineModel, SECOND_BASELINES};

fn main() {
    let path = std::env::args().nth(1).expect("the file to write");
    let name = Path::new(&path).file_stem().expect("a file's name");
    let of_name = |all: &&[BaselineModel]| all.iter().all(|small| small.file_name() == name);
    let all = [&BASELINES[..], &SECOND_BASELINES].into_iter().find(of_name).expect("a shipped file's name");
    let next = AtomicUsize::new(0);
    let trained: Mutex<Vec<Option<Parameters>>> = Mutex::new(vec![None; all.len()]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // The largest first.
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(all[*at].width * all[*at].layers));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let found = all[*at].train().expect("it learns");
                    let accuracy = all[*at].accuracy(&found).expect("it can be asked");
                    let seconds = start.elapsed().as_secs_f64();
                    eprintln!("{} after {seconds:.0} s, accuracy {accuracy:.3}", all[*at].name);
                    trained.lock().unwrap()[*at] = Some(found);
                }
            });
        }
    });
    let trained = trained.into_inner().unwrap();
    let models: Vec<(String, &Parameters)> =
        all.iter().zip(&trained).map(|(s, p)| (s.tensor_prefix(), p.as_ref().expect("trained"))).collect();
    let bytes = Parameters::models_to_safetensors(&models, Precision::Half).expect("it can be written");
    std::fs::write(&path, &bytes).expect("the file can be written");
    println!("{path}: {} bytes", bytes.len());
}
