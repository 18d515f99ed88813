//! `measure reach`: the cases that the library has, printed.

use sfc_bench::papers::measurement::attainable_range;

use crate::toy_model;

#[test]
fn cases_are_printed_as_they_are_found() {
    let found = toy_model::printed(&["measure", "reach", "--json"]);
    assert_eq!(found, serde_json::to_value(attainable_range::all_cases().unwrap()).unwrap());
    let found = toy_model::printed(&["measure", "reach", "--metric", "m14", "--json"]);
    assert_eq!(found, serde_json::to_value(attainable_range::cases_for_metric("m14").unwrap()).unwrap());
    let (success, text, _) = toy_model::run(&["measure", "reach", "--metric", "m13", "--csv"]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("metric,reading,case,value,condition,holds,what was built"));
    let first = lines.next().unwrap();
    assert!(success && first.starts_with("m13,document,best,1,packing_ratio > 1.2,no,"), "{first}");
    let (success, text, _) = toy_model::run(&["measure", "reach", "--metric", "ex11"]);
    assert!(success && text.contains("share_detectable ≥ 1") && text.contains("0.667"), "{text}");
    let (success, _, error) = toy_model::run(&["measure", "reach", "--metric", "m15"]);
    let wanted = "metric is \"m15\"; allowed: m07, m08, ";
    assert!(!success && error.contains(wanted) && error.contains("did you mean"), "{error}");
}
