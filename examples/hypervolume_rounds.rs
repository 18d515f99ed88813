//! The hypervolume, timed for `tests/numpy/against_moocore.py`, which runs moocore in between.
//!
//! Every line of standard input names a number of points, as `N SEED`; the answer is the time in ms
//! and the volume. The points lie on the unit sphere's positive octant, so all of them are on the
//! front. Only the volume itself is timed.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead as _, Write as _};
use std::time::Instant;

use sfc_bench::NumpyRng;
use sfc_bench::pareto::{Objectives, hypervolume_only};

/// `p / sqrt((p * p).sum(axis=1))` of `RandomState(seed).random_sample((count, 3))`.
fn octant(count: usize, seed: u32) -> Vec<Objectives> {
    let mut rng = NumpyRng::new(seed);
    let point = |_| {
        let p = [0; 3].map(|_| rng.random_sample());
        let norm = f64::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        p.map(|x| x / norm)
    };
    (0..count).map(point).collect()
}

fn main() {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let (count, seed) = line.split_once(' ').expect("a count and a seed");
        let points = octant(count.parse().expect("a count"), seed.parse().expect("a seed"));
        let start = Instant::now();
        let found = hypervolume_only(&points, [0.0; 3]).expect("the points are finite");
        let ms = 1e3 * start.elapsed().as_secs_f64();
        writeln!(out, "{ms} {found:e}").expect("standard output is open");
    }
}
