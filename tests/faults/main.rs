//! What the readers and the command line do where something fails around them. They run by their
//! name only: `cargo xtask test faults`, or `cargo test --test faults -- --nocapture`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/golden.rs"]
mod golden;
#[cfg(unix)]
#[path = "../common/killed.rs"]
mod killed;
#[path = "../common/memory.rs"]
mod memory;
#[path = "../files/mutate.rs"]
mod mutate;
#[path = "../common/python.rs"]
mod python;

mod folders;
#[cfg(unix)]
mod killed_runs;
mod made;
mod made_results;
mod malformed;
mod malformed_results;
mod models;

/// How often something slow is tried: all of it in `cargo xtask test --long`, a quarter else.
#[cfg(unix)]
pub fn tried(all: usize) -> usize {
    if common::is_long_run() { all } else { all.div_ceil(4) }
}

/// What the accidents of this run are drawn from, as `SFC_FUZZ_SEED` says: other ones each time in the stage.
pub fn seed() -> u32 {
    let given = std::env::var("SFC_FUZZ_SEED").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(1)
}
