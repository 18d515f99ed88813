//! The toy model natively, timed for `benches/model.mjs`, which runs a browser and NumPy in between.
//!
//! Before it reads a line it prints what the work is, as JSON. For each line of standard input, "forward",
//! "train" or "peak", it does that once and prints how long it took, in ms, and what came of it: the sum of
//! all logits, the loss, or how many multiplications and additions that were.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::hint::black_box;
use std::io::{BufRead as _, Write as _};
use std::time::Instant;

use sfc_bench::kernel::single_precision::{PEAK_FLOPS_PER_ROUND, run_peak_workload};
use sfc_bench::toy_model::workload::{LEARNING_RATE, Workload};

/// Some hundredths of a second.
const PEAK_ROUNDS: u32 = 20_000_000;

fn main() {
    let mut out = std::io::stdout();
    let mut work = Workload::new().expect("the checkpoint is built in");
    let prompts: Vec<Vec<&[u32]>> =
        work.batches().iter().map(|batch| batch.tokens().chunks_exact(batch.position_count()).collect()).collect();
    let (read, told, weights) = work.training_batch().inputs_targets_weights();
    let lesson = serde_json::json!({
        "texts": work.training_batch().text_count(),
        "read": read,
        "told": told,
        "weights": weights,
        "rate": LEARNING_RATE,
    });
    let told = serde_json::json!({
        "lesson": lesson,
        "tokens": work.forward_token_count(),
        "flops": work.flops(),
        "lessonTokens": work.training_token_count(),
        "prompts": prompts,
    });
    writeln!(out, "{told}").expect("standard output is open");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let start = Instant::now();
        let found = match line.as_str() {
            "forward" => work.forward().expect("the shipped model runs"),
            "train" => work.train().expect("the shipped model learns"),
            "peak" => {
                black_box(run_peak_workload(PEAK_ROUNDS));
                f64::from(PEAK_ROUNDS) * PEAK_FLOPS_PER_ROUND
            }
            other => panic!("{other:?}; allowed: forward, train, peak"),
        };
        let ms = 1e3 * start.elapsed().as_secs_f64();
        writeln!(out, "{ms}\n{found}").expect("standard output is open");
    }
}
