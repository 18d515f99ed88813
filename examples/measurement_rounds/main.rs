//! Measurement theory's metrics natively, timed for `benches/measurement.mjs`, which runs NumPy in between.
//!
//! The argument is one of the sizes: small, large or wide. Each line of standard input names a metric, e.g. "m07"; it is
//! computed once and answered by how long that took, in ms, and by what came of it, as JSON, a line each. Arrays are
//! made anew only where the metric is another than before, and that is not timed.
//!
//! The size "wide" has 24,576 features. NumPy is not asked for it; where Linux says so, the most memory that the program
//! ever held is said instead, arrays and all: "memory", in bytes.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod works;

use std::io::{BufRead as _, Write as _};
use std::time::Instant;

use works::{Size, Work, work};

/// The most that this program has held, in bytes.
fn most_held() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024.0 * line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()?)
}

fn main() {
    let size = match std::env::args().nth(1).as_deref() {
        Some("small") => Size::Small,
        Some("large") => Size::Large,
        Some("wide") => Size::Wide,
        other => panic!("{other:?}; allowed: small, large, wide"),
    };
    let mut out = std::io::stdout();
    let mut ready: Option<(String, Work)> = None;
    for line in std::io::stdin().lock().lines() {
        let name = line.expect("standard input is text");
        if ready.as_ref().is_none_or(|(known, _)| *known != name) {
            // What was ready makes room first.
            drop(ready.take());
            ready = Some((name.clone(), work(&name, size).expect("one of the metrics")));
        }
        let (_, work) = ready.as_ref().expect("it was made above");
        let start = Instant::now();
        let mut found = work();
        let ms = 1e3 * start.elapsed().as_secs_f64();
        if let (Size::Wide, Some(memory)) = (size, most_held()) {
            found.push(("memory", memory));
        }
        let found: serde_json::Map<String, serde_json::Value> =
            found.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        writeln!(out, "{ms}\n{}", serde_json::Value::from(found)).expect("standard output is open");
    }
}
