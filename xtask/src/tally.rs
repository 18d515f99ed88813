//! What came of tests: how many passed, and which took longest.

use std::time::Duration;

use serde_json::Value;

/// How many of the slowest tests are named.
const SLOWEST_MAX: usize = 10;

/// Tests that were run.
#[derive(Debug, Default, PartialEq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// How long each took, where that is known.
    took: Vec<(Duration, String)>,
}

impl Tally {
    /// Takes in a line of Rust's test harness, which came `later` than the line before it. A test's own
    /// time is on its line, or is `later` where the harness tells none and runs one after the other.
    pub fn add_harness_line(&mut self, line: &str, later: Option<Duration>) {
        if let Some(counts) = line.trim().strip_prefix("test result: ") {
            for part in counts.split([';', '.']) {
                let mut words = part.split_whitespace();
                let Some(count) = words.next().and_then(|word| word.parse::<usize>().ok()) else {
                    continue;
                };
                match words.next() {
                    Some("passed") => self.passed += count,
                    Some("failed") => self.failed += count,
                    Some("ignored") => self.skipped += count,
                    _ => {}
                }
            }
            return;
        }
        let Some((name, outcome)) = line.trim().strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... ")) else {
            return;
        };
        let told = outcome.split_once('<').and_then(|(_, rest)| rest.strip_suffix("s>"));
        let told = told.and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs_f64);
        if let Some(took) = told.or(later) {
            self.took.push((took, name.to_owned()));
        }
    }

    /// Takes in what `tests/page/lib/reporter.mjs` wrote of a file: an object a line.
    pub fn add_reporter_lines(&mut self, report: &str) {
        for line in report.lines() {
            let Ok(test) = serde_json::from_str::<Value>(line) else { continue };
            match test["outcome"].as_str() {
                Some("passed") => self.passed += 1,
                Some("skipped") => self.skipped += 1,
                _ => self.failed += 1,
            }
            if let (Some(name), Some(ms)) = (test["name"].as_str(), test["ms"].as_f64()) {
                self.took.push((Duration::from_secs_f64(ms.max(0.0) / 1e3), name.to_owned()));
            }
        }
    }

    /// Takes in other tests, whose names then begin with `place`.
    pub fn merge(&mut self, place: &str, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.took.extend(other.took.into_iter().map(|(took, name)| (took, format!("{place}{name}"))));
    }

    /// The tests that took longest, a line each, the slowest first.
    pub fn slowest_lines(&self) -> Vec<String> {
        let mut took: Vec<_> = self.took.iter().collect();
        took.sort_by_key(|(took, _)| std::cmp::Reverse(*took));
        let line = |(took, name): &&(Duration, String)| format!("{:>7.1} s  {name}", took.as_secs_f64());
        took.iter().take(SLOWEST_MAX).map(line).collect()
    }

    /// `3 passed, 0 failed`, and how many were skipped where any were.
    pub fn describe_counts(&self) -> String {
        let skipped = match self.skipped {
            0 => String::new(),
            count => format!(", {count} skipped"),
        };
        format!("{} passed, {} failed{skipped}", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rusts_harness_is_understood() {
        let mut tally = Tally::default();
        let lines = [
            "running 4 tests",
            "test rng::normals ... ok <0.250s>",
            "test rng::words ... FAILED <1.500s>",
            "test src/rng.rs - rng (line 10) ... ok",
            "test rng::slow ... ignored",
            "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 5 filtered out; finished in 1.60s",
        ];
        for line in lines {
            tally.add_harness_line(line, None);
        }
        assert_eq!(tally.describe_counts(), "2 passed, 1 failed, 1 skipped");
        assert_eq!(tally.slowest_lines(), ["    1.5 s  rng::words", "    0.2 s  rng::normals"]);

        let mut browser = Tally::default();
        browser.add_harness_line("test core::rng::normals ... ok", Some(Duration::from_millis(700)));
        browser.add_harness_line("test result: ok. 1 passed; 0 failed; 0 ignored", None);
        tally.merge("wasm: ", browser);
        assert_eq!(tally.describe_counts(), "3 passed, 1 failed, 1 skipped");
        assert_eq!(tally.slowest_lines()[1], "    0.7 s  wasm: core::rng::normals");
    }

    #[test]
    fn nodes_reports_are_understood() {
        let mut tally = Tally::default();
        tally.add_reporter_lines(
            "{\"name\":\"a › b\",\"outcome\":\"passed\",\"ms\":1200}\n\
             {\"name\":\"c\",\"outcome\":\"failed\",\"ms\":100}\n\
             {\"name\":\"d\",\"outcome\":\"skipped\",\"ms\":0}\n",
        );
        assert_eq!(tally.describe_counts(), "1 passed, 1 failed, 1 skipped");
        assert_eq!(tally.slowest_lines()[0], "    1.2 s  a › b");
    }

    #[test]
    fn ten_are_named() {
        let mut tally = Tally::default();
        for i in 0..20 {
            tally.add_harness_line(&format!("test t{i} ... ok <{i}.000s>"), None);
        }
        assert_eq!(tally.slowest_lines().len(), 10);
        assert!(tally.slowest_lines()[0].ends_with("t19"));
    }
}
