//! Measurement theory's metrics against Python, on arrays that both draw.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Map, Value};

use crate::common::close;
use crate::numpy::python;

#[path = "../../examples/measurement_rounds/works.rs"]
mod works;

/// What Python finds, a line a metric.
fn found_by_python() -> Vec<Map<String, Value>> {
    let mut child = python()
        .args(["measurement.py", "small"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let asked = works::NAMES.join("\n");
    child.stdin.take().expect("a pipe").write_all(asked.as_bytes()).expect("Python reads");
    let output = child.wait_with_output().expect("Python ends");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "is there NumPy? PYTHON names an interpreter that has it\n{complaint}");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    // Every other line is a time.
    let values = said.lines().skip(1).step_by(2);
    values.map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn python_finds_the_same_metrics_by_the_loops_of_their_reference_code() {
    let theirs = found_by_python();
    assert_eq!(theirs.len(), works::NAMES.len());
    for (name, mut wanted) in works::NAMES.into_iter().zip(theirs) {
        let work = works::work(name, works::Size::Small).expect("one of the metrics");
        let found = work();
        assert_eq!(work(), found, "{name}: another time");
        for (quantity, found) in found {
            let wanted = wanted.remove(quantity).and_then(|value| value.as_f64());
            let wanted = wanted.unwrap_or_else(|| panic!("{name}: Python has no {quantity}"));
            // Relative, and absolute below 1.
            assert!(
                close(found, wanted, 1e-9, 0.0) || close(found, wanted, 0.0, 1e-9),
                "{name}, {quantity}: {found}, not {wanted}"
            );
        }
        assert!(wanted.is_empty(), "{name}: {wanted:?}");
    }
}
