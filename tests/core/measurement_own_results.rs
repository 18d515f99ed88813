//! Results as mechval writes them: read, held against what follows from their own numbers, and refused by line and field.

use serde_json::Value;
use sfc_bench::papers::measurement::user_files::{
    DetectionScores, MechvalResult, NeuronpediaSummary, OwnResults, read,
};
use sfc_bench::study::user_file::{UserFile, UserFileError, Verdict};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::dice::Dice;
use super::common::{assert_close, json, number};

fn file(name: &str, bytes: impl Into<Vec<u8>>) -> UserFile {
    UserFile { name: name.to_owned(), bytes: bytes.into() }
}

fn all(files: &[(&str, String)]) -> Vec<(String, OwnResults)> {
    let files = files.iter().map(|(name, text)| file(name, text.as_str())).collect();
    read(files).unwrap_or_else(|error| panic!("{error}"))
}

fn results(found: &(String, OwnResults)) -> &[MechvalResult] {
    match &found.1 {
        OwnResults::Results(results) => results,
        other => panic!("{other:?}"),
    }
}

fn refused(name: &str, text: &str) -> UserFileError {
    read(vec![file(name, text)]).map(|found| panic!("{text}: {found:?}")).unwrap_err()
}

/// A result as `EvalResult.to_dict` has it.
fn result(metric: &str, value: &str, n: u32, metadata: &str) -> String {
    format!(
        "{{\"metric_id\": \"{metric}\", \"value\": {value}, \"baseline_random\": 0.25, \"baseline_untrained\": null, \
         \"baseline_literature\": null, \"n_samples\": {n}, \"ci_low\": null, \"ci_high\": null, \
         \"faithfulness_curve\": null, \"cpr\": null, \"cmd\": null, \"metadata\": {{{metadata}}}}}"
    )
}

fn envelope(results: &[String]) -> String {
    format!(
        "{{\"provenance\": {{\"git\": {{\"dirty\": true}}}}, \"config\": {{}}, \"results\": [{}]}}",
        results.join(", ")
    )
}

/// d′ of 40 prompts, all right with the circuit and 20 without, as SciPy has it: 2.2414027276049446.
const SIGNALS: &str = "\"task\": \"ioi\", \"hit_rate\": 1.0, \"false_alarm_rate\": 0.5, \"dprime\": 2.2414027276049446, \
    \"criterion\": -1.1207013638024723, \"auc\": 0.9, \"passed\": true";

#[test]
fn results_are_read_in_every_shape_that_was_written() {
    let one = result("EX1.dprime", "2.24", 40, SIGNALS);
    let lists = [
        ("a.json", envelope(std::slice::from_ref(&one)), "results.0"),
        ("a.json", format!("[{one}]"), "0"),
        ("a.json", one.clone(), "the whole of it"),
        ("a.jsonl", format!("\n{one}\n\n"), "line 2"),
    ];
    for (name, text, place) in lists {
        let found = all(&[(name, text)]);
        let [found] = results(&found[0]) else { panic!("{found:?}") };
        assert_eq!((found.place.as_str(), found.metric.as_str()), (place, "EX1.dprime"));
        assert_eq!((found.task.as_deref(), found.n, found.value), (Some("ioi"), Some(40), Some(2.24)));
        assert_eq!((found.passed, found.passed_code), (Some(true), Some(true)));
        assert_eq!((found.baseline_random, found.seed), (Some(0.25), None));
        let verdicts: Vec<_> = found.reported.iter().map(|one| (one.quantity.as_str(), one.verdict)).collect();
        assert_eq!(verdicts, [("dprime", Verdict::Agrees), ("criterion", Verdict::Agrees)]);
    }
    // What failed has a value that is none; what is not among the fifteen is read, and nothing is asked of it.
    let text = [
        result("EX25.reproducibility_check", "NaN", 0, ""),
        result("B50.weight_decomposition", "null", 8, "\"task\": \"ioi\", \"cpr\": \"high\""),
    ];
    let found = all(&[("a.jsonl", text.join("\n"))]);
    let [first, second] = results(&found[0]) else { panic!() };
    assert_eq!((first.value, first.passed_code, first.task.as_deref()), (None, None, None));
    assert_eq!((second.value, second.passed_document, second.reported.len()), (None, None, 0));
    assert_eq!(found.len(), 1);
}

#[test]
fn numbers_that_do_not_follow_from_others_are_told() {
    // 0.7 reported where the rates say 2.24; at exactly 1 the code passes, and the page does not.
    let wrong = SIGNALS.replace("\"dprime\": 2.2414027276049446", "\"dprime\": 1.0");
    let found = all(&[("a.jsonl", result("EX1.dprime", "1.0", 40, &wrong))]);
    let [found] = results(&found[0]) else { panic!() };
    assert_eq!(found.reported[0].verdict, Verdict::Differs);
    assert_close("d′", found.reported[0].recomputed.unwrap(), 2.241_402_727_604_944_6, 1e-12, 0.0);
    assert_eq!((found.passed_code, found.passed_document), (Some(true), Some(false)));
    // Shares of 7 prompts are none of 40.
    let odd = SIGNALS.replace("\"hit_rate\": 1.0", "\"hit_rate\": 0.142857");
    let found = all(&[("a.jsonl", result("EX1.dprime", "1.0", 40, &odd))]);
    assert_eq!(results(&found[0])[0].reported[0].verdict, Verdict::AsReported);

    // Two groups of 13: means 1 apart, deviations 2 with ddof 0, so d = ½ as coded and √(12/13)/2 as defined.
    let groups = "\"task\": \"ioi\", \"max_dif_cohens_d\": 0.5, \"per_group_stats\": {\"common\": {\"n\": 13, \"mean_ld\": 2, \
                  \"std_ld\": 2, \"accuracy\": 1}, \"rare\": {\"n\": 13, \"mean_ld\": 1, \"std_ld\": 2, \"accuracy\": 0.5}, \
                  \"none\": {\"n\": 0, \"mean_ld\": 0, \"std_ld\": 0, \"accuracy\": 0}}";
    let found = all(&[("a.jsonl", result("EX2.dif", "0.5", 26, groups))]);
    let [found] = results(&found[0]) else { panic!() };
    let one = &found.reported[0];
    assert_eq!(one.verdict, Verdict::Agrees);
    assert_close("d", one.document.unwrap(), 0.5 * f64::sqrt(12.0 / 13.0), 1e-12, 0.0);
    // The limit is met from below by the one alone.
    assert_eq!((found.passed_code, found.passed_document), (Some(false), Some(true)));

    // Fractions 0.1, 0.2 and (0.1, 0.1)/½: mean 0.175, deviation 0.0433.
    let heads = "\"task\": \"ioi\", \"weber_consistency\": 0.9, \"per_head_weber\": {\"L0H1\": {\"jnd_full\": 0.1, \
                 \"jnd_reduced\": 0.1}, \"L1H0\": {\"jnd_full\": 0.2, \"jnd_reduced\": 0.1}, \"L1H1\": {\"jnd_full\": null, \
                 \"jnd_reduced\": null}}";
    let found = all(&[("a.jsonl", result("EX11.weber_fechner", "0.9", 40, heads))]);
    let [found] = results(&found[0]) else { panic!() };
    assert_eq!(found.reported[0].verdict, Verdict::Differs);
    let wanted = 1.0 - f64::sqrt(3.0) / 4.0 * 0.1 / 0.175;
    assert_close("Weber", found.reported[0].recomputed.unwrap(), wanted, 1e-12, 0.0);
    assert_eq!(found.passed_code, Some(false));

    let audit = "\"task\": \"ioi\", \"probe_cv\": 0.04, \"ablation_cv\": 0.02, \"mean_cv\": 0.03, \"probe_mean\": 0.5, \
                 \"probe_std\": 0.02, \"discriminability_d\": 12, \"n_reseeds\": 5";
    let found = all(&[("a.jsonl", result("EX24.saebench_reliability_audit", "0.03", 40, audit))]);
    let [found] = results(&found[0]) else { panic!() };
    assert!(found.reported.iter().all(|one| one.verdict == Verdict::Agrees));
    assert_close("cv", found.reported[0].document.unwrap(), 0.04 * f64::sqrt(1.25), 1e-12, 0.0);
    // Of two configurations, which the page compares, the code says nothing.
    assert_eq!((found.passed_code, found.passed_document), (Some(true), None));

    let runs = "\"task\": \"ioi\", \"deviation_rate\": 0.5, \"max_deviation\": 0.1, \"coherence_score\": 0.95, \
                \"run_means\": [0.9, 1.0, 1.1]";
    let found = all(&[("a.jsonl", result("EX25.reproducibility_check", "0.5", 40, runs))]);
    let [found] = results(&found[0]) else { panic!() };
    let verdicts: Vec<_> = found.reported.iter().map(|one| one.verdict).collect();
    assert_eq!(verdicts, [Verdict::Differs, Verdict::Agrees]);
    assert_eq!(found.reported[0].recomputed, Some(1.0));
}

#[test]
fn curves_are_measured_anew() {
    let text = "{\"metric_id\": \"MIB.faithfulness_curve\", \"value\": 0.75, \"n_samples\": 10, \"faithfulness_curve\": \
                {\"1.0\": 1.0, \"0.5\": 1.0, \"0.001\": 0.0}, \"cpr\": 0.7495, \"cmd\": 0.3, \"metadata\": {\"task\": \"ioi\", \
                \"passed\": true}}";
    let found = all(&[("a.jsonl", text.to_owned())]);
    let [one] = results(&found[0]) else { panic!() };
    let verdicts: Vec<_> = one.reported.iter().map(|one| one.verdict).collect();
    assert_eq!(verdicts, [Verdict::Agrees, Verdict::Differs]);
    assert_eq!((one.passed_code, one.passed_document), (Some(true), Some(true)));
    let (label, OwnResults::Mib(curve)) = &found[1] else { panic!("{found:?}") };
    assert_eq!(label, "a.jsonl, line 1");
    assert_eq!(curve.thresholds, [0.001, 0.5, 1.0]);
    assert_close("CMD", curve.area.cmd_signed_document, 0.2495, 1e-12, 0.0);
}

#[test]
fn values_of_single_prompts_are_measured_anew() {
    let lines = [
        result("EX1.dprime", "1", 2, "\"signal_lds\": [1, 2.5], \"noise_lds\": [-1, 0.5]"),
        result("EX2.dif", "1", 4, "\"group_lds\": {\"a\": [1, 2], \"b\": [3, 5]}"),
        result(
            "EX25.reproducibility_check",
            "0",
            3,
            "\"runs\": [[1, 2, 3], [2, 3, 4]], \"prompts\": [[0, 1, 2], [1, 2, 3]]",
        ),
    ];
    let found = all(&[("a.jsonl", lines.join("\n"))]);
    let [_, (at, OwnResults::Ex1(ex1)), (_, OwnResults::Ex2(ex2)), (_, OwnResults::Ex25(ex25))] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!((at.as_str(), ex1.prompts, ex1.ex1.false_alarm_rate), ("a.jsonl, line 1", 2, 0.5));
    assert_close("d", ex2.max_dif_standard, 2.5 / f64::sqrt(1.25), 1e-12, 0.0);
    // Two prompts are too few to rank.
    assert_eq!((ex25.coherence_aligned, ex25.run_means.len()), (None, 2));
}

#[test]
fn results_under_several_seeds_are_audited() {
    let line = |task: &str, value: f64, more: &str| {
        result("F01.faithfulness", &value.to_string(), 40, &format!("\"task\": \"{task}\"{more}"))
    };
    let seeds = |found: &[(String, OwnResults)]| match found.last() {
        Some((_, OwnResults::Seeds(metrics))) => metrics.clone(),
        other => panic!("{other:?}"),
    };
    // By what the results say, by folders, or by coming again.
    let said = [line("ioi", 0.8, ", \"seed\": 1"), line("ioi", 0.9, ", \"seed\": 2")].join("\n");
    let again = [line("ioi", 0.8, ""), line("ioi", 0.9, "")].join("\n");
    let folders = vec![
        ("x/seed_1/a.json", envelope(&[line("ioi", 0.8, "")])),
        ("x/seed_2/a.json", envelope(&[line("ioi", 0.9, "")])),
    ];
    for files in [vec![("a.jsonl", said)], vec![("a.jsonl", again)], folders] {
        let metrics = seeds(&all(&files));
        assert_eq!((metrics.len(), metrics[0].quantity.as_str()), (1, "F01.faithfulness"));
        assert_eq!(metrics[0].evaluation, "mechval");
        let [configuration] = &metrics[0].audit.configurations[..] else { panic!() };
        assert_eq!((configuration.name.as_str(), &configuration.values[..]), ("ioi", &[0.8, 0.9][..]));
        assert_close("cv", configuration.cv_pop, 0.05 / 0.85, 1e-12, 0.0);
    }
    // A run writes each result twice, as it comes and at its end: that is one result.
    let both = [
        ("a.json", envelope(&[line("ioi", 0.8, ""), line("copy", 0.8, "")])),
        ("a.jsonl", [line("ioi", 0.8, ""), line("copy", 0.8, "")].join("\n")),
    ];
    assert_eq!(all(&both).len(), 2);
    // The same value again in one file is a run more.
    let same = [line("ioi", 0.8, ""), line("ioi", 0.8, "")].join("\n");
    assert_eq!(seeds(&all(&[("a.jsonl", same)]))[0].audit.configurations[0].cv_sample, Some(0.0));
    // Values of the same prompts under several seeds are ranked against each other.
    let each = |values: &str, seed: u32| line("ioi", 1.0, &format!(", \"seed\": {seed}, \"per_prompt\": [{values}]"));
    let lines = [each("1, 2, 3, 4", 1), each("1, 2, 4, 3", 2)].join("\n");
    let found = all(&[("a.jsonl", lines)]);
    let (_, OwnResults::Ex25(runs)) = &found[1] else { panic!("{found:?}") };
    assert_close("coherence", runs.coherence_aligned.unwrap(), 0.8, 1e-12, 0.0);

    let twice = [line("ioi", 0.8, ", \"seed\": 1"), line("ioi", 0.9, ", \"seed\": 1")].join("\n");
    let error = refused("a.jsonl", &twice);
    assert_eq!(error.code(), "given.twice");
    assert!(error.to_string().contains("a.jsonl, line 1 and a.jsonl, line 2"), "{error}");
}

#[test]
fn results_that_say_something_else_are_refused_by_line_and_field() {
    let good = result("EX1.dprime", "1", 40, SIGNALS);
    for (text, says) in [
        ("{}", "line 2, metric_id: not there"),
        ("[]", "line 2, the whole of it: a list of 0; allowed: an object"),
        ("7", "line 2"),
        ("{\"metric_id\": 1, \"value\": 1}", "line 2, metric_id: 1; allowed: a string"),
        ("{\"metric_id\": \"\", \"value\": 1}", "line 2, metric_id"),
        ("{\"metric_id\": \"a\"}", "line 2, value: not there"),
        ("{\"metric_id\": \"a\", \"value\": \"1\"}", "line 2, value: \"1\"; allowed: a number"),
        ("{\"metric_id\": \"a\", \"value\": 1, \"value\": 2}", "line 2, value: there twice"),
        ("{\"metric_id\": \"a\", \"value\": 1, \"metadata\": []}", "line 2, metadata"),
        ("{\"metric_id\": \"a\", \"value\": 1, \"n_samples\": -1}", "line 2, n_samples: -1"),
        ("{\"metric_id\": \"a\", \"value\": 1, \"metadata\": {\"task\": 3}}", "metadata.task"),
        ("{\"metric_id\": \"a\", \"value\": 1, \"metadata\": {\"seed\": 0.5}}", "metadata.seed"),
        ("{\"metric_id\": \"a\", \"value\": 1, \"metadata\": {\"passed\": 1}}", "metadata.passed"),
        ("{\"metric_id\": \"mib.a\", \"value\": 1, \"faithfulness_curve\": {\"x\": 1}}", "faithfulness_curve.x"),
        ("{\"metric_id\": \"mib.a\", \"value\": 1, \"faithfulness_curve\": {\"0\": 1}}", "above 0"),
        ("{\"metric_id\": \"mib.a\", \"value\": 1, \"faithfulness_curve\": {}}", "at least 1"),
        ("{\"metric_id\": \"ex1.a\", \"value\": 1, \"metadata\": {\"auc\": true}}", "metadata.auc"),
        (
            "{\"metric_id\": \"ex2.a\", \"value\": 1, \"metadata\": {\"per_group_stats\": {\"a\": {}}}}",
            "per_group_stats.a.n",
        ),
        ("{\"metric_id\": \"ex25.a\", \"value\": 1, \"metadata\": {\"run_means\": [1, null]}}", "run_means.1"),
        ("{\"metric_id\": \"a\", \"value\": 1, \"metadata\": {\"runs\": [[1], 2]}}", "metadata.runs.1"),
        ("{\"metric_id\": \"a\", \"value\": 1, \"metadata\": {\"runs\": [[1]]}}", "at least 2"),
        ("{\"metric_id\": \"a\", \"value\": 1, \"metadata\": {\"signal_lds\": [1], \"noise_lds\": []}}", "line 2"),
        ("{\"metric_id\": ", "line 2"),
    ] {
        let error = refused("a.jsonl", &format!("{good}\n{text}\n{good}"));
        let said = error.to_string();
        assert!(said.contains(says) && said.contains("a.jsonl"), "{text}: {said}");
    }
    assert!(refused("a.jsonl", "\n \n").to_string().contains("no line with a result"));
    assert!(refused("a.json", "{\"results\": []}").to_string().contains("no result"));
    assert!(refused("a.json", "{\"results\": [1]}").to_string().contains("results.0"));
    let text = "{\"config\": {\"seed\": -1}, \"results\": []}";
    assert!(refused("a.json", text).to_string().contains("config.seed"));
    let bad = envelope(&[good.clone(), good.replace("\"value\": 1", "\"value\": []")]);
    assert!(refused("a.json", &bad).to_string().contains("results.1.value: a list of 0"));
    let many: String = (0..101).map(|at| format!("\"g{at}\": {{}},")).collect();
    let many = format!("\"per_group_stats\": {{{}}}", many.trim_end_matches(','));
    let error = refused("a.jsonl", &result("EX2.dif", "1", 1, &many));
    assert!(error.to_string().contains("101 groups"), "{error}");
}

#[test]
fn defaced_results_are_read_or_refused() {
    let runs = result("EX25.reproducibility_check", "0", 3, "\"runs\": [[1, 2, 3], [2, 3, 4]], \"run_means\": [2, 3]");
    let good = result("EX1.dprime", "2.24", 40, SIGNALS);
    let texts = [
        ("a.jsonl", format!("{good}\n{runs}\n")),
        ("a.json", envelope(&[good.clone(), runs])),
        ("b.json", format!("[{good}]")),
    ];
    let scraps = ["\"", ",", "\n", "NaN", "1e999", "-", "{", "}", "[", "null", "é", "\0", "1e300", "0"];
    let mut dice = Dice::new(15);
    let (mut read_whole, mut not) = (0, 0);
    for _ in 0..2_000 {
        let (name, text) = dice.of(&texts);
        let text = dice.deface(text, 3, &scraps);
        match read(vec![file(name, text)]) {
            Ok(found) => {
                assert!(!found.is_empty());
                read_whole += 1;
            }
            Err(error) => {
                assert!(error.to_string().contains(name) && error.code().contains('.'), "{error}");
                not += 1;
            }
        }
    }
    assert!(read_whole > 100 && not > 100, "{read_whole} {not}");
}

fn golden_tools() -> Value {
    json(include_str!("../golden/tool_results.json"))
}

/// Lines of records.
fn lines(records: &Value) -> String {
    let lines = records.as_array().unwrap().iter().map(|record| format!("{record}\n"));
    lines.collect()
}

#[test]
fn mibs_results_have_its_areas() {
    let golden = &golden_tools()["mib"];
    let wanted = |name: &str| number(&golden["wanted"][name]);
    let curve = |text: String| {
        let mut found = all(&[("ioi_gpt2.json", text)]);
        assert_eq!(found.len(), 1);
        match found.pop().unwrap() {
            (file, OwnResults::Mib(curve)) => (file, curve),
            other => panic!("{other:?}"),
        }
    };
    let (name, found) = curve(golden["file"].to_string());
    assert_eq!(name, "ioi_gpt2.json");
    assert_close("CPR", found.area.cpr, wanted("cpr"), 1e-12, 0.0);
    assert_close("CMD", found.area.cmd_abs_mib, wanted("cmd"), 1e-12, 0.0);
    assert_close("mean", found.area.mean_faithfulness, wanted("average"), 1e-12, 0.0);
    assert_eq!(found.edges.as_deref().map(<[f64]>::len), Some(10));
    assert!(found.holds.unwrap().starts_with("MIB's faithfulness of a circuit at 10 shares"));
    let verdicts: Vec<_> = found.reported.iter().map(|one| (&*one.quantity, one.verdict)).collect();
    let names = ["area_under", "area_from_1", "average"];
    assert_eq!(verdicts, names.map(|name| (name, Verdict::Agrees)));

    // Its area over logarithms is one of the two; another number is neither.
    let mut changed = golden["file"].clone();
    changed["area_under"] = golden["wanted"]["cpr_log"].clone();
    changed["average"] = 0.5.into();
    let (_, found) = curve(changed.to_string());
    assert_eq!(found.reported[0].verdict, Verdict::Agrees);
    assert!(found.reported[0].why.as_ref().unwrap().contains("logarithms"));
    assert_eq!(found.reported[2].verdict, Verdict::Differs);

    // Several in one object, each by its name.
    let found = all(&[("all.json", format!("{{\"ioi\": {0}, \"mcqa\": {0}}}", golden["file"]))]);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["all.json, ioi", "all.json, mcqa"]);

    // Of other numbers of values the counts say the shares: that of no edge has no area.
    let text = "{\"weighted_edge_counts\": [0, 3, 10, 100], \"faithfulnesses\": [0.1, 0.4, 0.7, 0.99]}";
    let (_, found) = curve(text.to_owned());
    assert_eq!(found.thresholds, [0.03, 0.1, 1.0]);
    assert_close("CPR", found.area.cpr, 0.07 * 0.55 + 0.9 * 0.845, 1e-12, 0.0);
    let refused = |name: &str, text: &str| refused(name, text).to_string();
    let said = refused("a.json", "{\"faithfulnesses\": [0.1, 0.4]}");
    assert!(said.contains("2 values") && said.contains("weighted_edge_counts"), "{said}");
    let said = refused("a.json", "{\"faithfulnesses\": [0.1, \"x\"]}");
    assert!(said.contains("faithfulnesses.1"), "{said}");
    let said = refused("a.json", "{\"weighted_edge_counts\": [1, 2]}");
    assert!(said.contains("without faithfulnesses"), "{said}");
    let said = refused("a.json", "{\"TPR\": [1], \"FPR\": [0]}");
    assert!(said.contains("InterpBench"), "{said}");
    // MIB keeps its results as pickles, which are told by their names whatever is in them.
    let pickle = file("ioi_gpt2_validation_abs-True.pkl", *b"\x80\x04\x95\x05\x00");
    let said = read(vec![pickle]).unwrap_err();
    let text = said.to_string();
    assert_eq!((said.code(), said.field()), ("given.value", Some("ioi_gpt2_validation_abs-True.pkl")));
    assert!(text.contains("a pickle of Python's") && text.contains("json.dump"), "{text}");
    assert!(text.len() < 400, "{text}");
}

#[test]
fn delphis_scores_are_what_scikit_learn_says_of_them() {
    let golden = &golden_tools()["delphi"];
    let files: Vec<(&str, String)> = golden["files"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, examples)| (name.as_str(), examples.to_string()))
        .collect();
    let agree = |what: &str, found: &DetectionScores, wanted: &Value| {
        for (name, count) in [("examples", found.examples), ("failed", found.failed)] {
            assert_eq!(Some(count as u64), wanted[name].as_u64(), "{what}, {name}");
        }
        assert_eq!(found.activating.map(|count| count as u64), wanted["activating"].as_u64());
        for (name, value) in [
            ("accuracy", found.accuracy),
            ("balanced_accuracy", found.balanced_accuracy),
            ("precision", found.precision),
            ("recall", found.recall),
            ("f1", found.f1),
            ("auc", found.auc),
        ] {
            let wanted = number(&wanted[name]);
            assert_close(&format!("{what}, {name}"), value.unwrap(), wanted, 1e-12, 0.0);
        }
        let [low, high] = found.auc_interval.unwrap();
        let auc = found.auc.unwrap();
        assert!(low < high && low <= auc && auc <= high, "{what}");
    };
    let mut with_text = files.clone();
    with_text.push(("run/explanations/layers.5.mlp_latent3.txt", "\"the letter a\"".to_owned()));
    let found = all(&with_text);
    let [(first, OwnResults::Delphi(scores))] = &found[..] else { panic!("{found:?}") };
    assert_eq!(first, files[0].0);
    assert_eq!(scores.scorer, "detection");
    assert!(scores.holds.starts_with("delphi's detection scores of the explanations of 3 latents: of 60"));
    assert!(scores.holds.ends_with("1 explanation beside them: no number is in these."));
    agree("all", &scores.all, &golden["all"]);
    for latent in &scores.latents {
        agree(&latent.latent, &latent.found, &golden["each"][&latent.latent]);
    }
    let balanced = scores.latents.iter().map(|latent| latent.found.balanced_accuracy.unwrap());
    assert_close("mean", scores.mean_balanced_accuracy.unwrap(), balanced.sum::<f64>() / 3.0, 1e-12, 0.0);

    // An intruder is found or not; nothing says of which kind an example is.
    let intruder = "[{\"interpretation\": \"x\", \"prediction\": 2, \"correct_index\": 2, \"correct\": true}, \
        {\"prediction\": 0, \"correct_index\": 1, \"correct\": false}, \
        {\"prediction\": null, \"correct_index\": 1, \"correct\": null}]";
    let found = all(&[("scores/intruder/a_latent1.txt", intruder.to_owned())]);
    let [(_, OwnResults::Delphi(scores))] = &found[..] else { panic!("{found:?}") };
    assert_eq!((scores.all.accuracy, scores.all.failed), (Some(0.5), 1));
    assert_eq!((scores.all.f1, scores.all.auc, scores.mean_balanced_accuracy), (None, None, None));

    for (name, text, said) in [
        ("e/a_latent1.txt", "\"the letter a\"", "1 explanation of delphi's, without a number"),
        ("a.txt", "[1, 2]", "a list of 2"),
        ("a.txt", "notes of mine", "its name does not say what it is"),
        ("a.json", "[{\"activating\": 3, \"prediction\": 1, \"correct\": true}]", "0.activating"),
        ("a.json", "[{\"activating\": true, \"probability\": 2, \"correct\": true}]", "0.probability"),
        ("a.json", "[{\"activating\": true, \"prediction\": \"x\", \"correct\": true}]", "0.prediction"),
    ] {
        let error = refused(name, text).to_string();
        assert!(error.contains(said) && error.contains(name), "{error}");
    }
    let twice = vec![file("s/a_latent1.txt", intruder), file("s/a_latent1.json", intruder)];
    assert_eq!(read(twice).unwrap_err().code(), "given.twice");
}

#[test]
fn neuronpedias_exports_say_how_often_latents_are_active() {
    let golden = &golden_tools()["neuronpedia"];
    let wanted = &golden["wanted"];
    let check = |found: &NeuronpediaSummary| {
        for (name, count) in
            [("latents", found.latents), ("dead", found.dead.unwrap()), ("dense", found.dense.unwrap())]
        {
            assert_eq!(Some(count as u64), wanted[name].as_u64(), "{name}");
        }
        let sum = number(&wanted["active_per_token"]);
        assert_close("sum", found.active_per_token.unwrap(), sum, 1e-12, 0.0);
    };
    let export: Vec<(&str, String)> =
        ["features", "explanations", "activations"].map(|what| (what, lines(&golden[what]))).to_vec();
    let files = export.iter().map(|(what, text)| file(&format!("{what}/batch-0.jsonl"), text.as_str()));
    let found = read(files.collect()).unwrap();
    let [(first, OwnResults::Neuronpedia(source))] = &found[..] else { panic!("{found:?}") };
    assert_eq!(first, "features/batch-0.jsonl");
    check(source);
    assert_eq!(source.source, "gemma-2-2b, 20-gemmascope-res-16k");
    assert_eq!((source.explanations, source.explained, source.contexts), (7, 5, 1));
    assert_eq!(source.explainers, ["gpt-4o-mini"]);
    assert!(source.holds.contains("how often 40 latents are active, 7 explanations of 5 latents"));
    assert!(source.needs.as_ref().unwrap().contains("fade --own"));
    // As a list, and as SAEDashboard writes a batch.
    for (name, text) in [("a.json", golden["features"].to_string()), ("batch-0.json", golden["batch"].to_string())] {
        let found = all(&[(name, text)]);
        let [(_, OwnResults::Neuronpedia(source))] = &found[..] else { panic!("{found:?}") };
        check(source);
        assert_eq!(source.contexts, if name == "a.json" { 0 } else { 40 });
    }
    // Explanations alone are no numbers.
    let found = all(&[("explanations/batch-0.jsonl", lines(&golden["explanations"]))]);
    let [(_, OwnResults::Neuronpedia(source))] = &found[..] else { panic!("{found:?}") };
    assert_eq!((source.latents, source.active_per_token, source.dead), (0, None, None));
    // Of the site's interface, a latent with all that is known of it.
    let one = "{\"modelId\": \"m\", \"layer\": \"l\", \"index\": 4, \"frac_nonzero\": 0.25, \
        \"explanations\": [{\"description\": \"x\"}], \"activations\": [{\"tokens\": []}, {\"tokens\": []}]}";
    let found = all(&[("4.json", one.to_owned())]);
    let [(_, OwnResults::Neuronpedia(source))] = &found[..] else { panic!("{found:?}") };
    assert_eq!((source.latents, source.dense, source.explained, source.contexts), (1, Some(1), 1, 2));

    let line = "{\"modelId\": \"m\", \"layer\": \"l\", \"index\": \"4\", \"frac_nonzero\": 0.25}";
    for (text, said) in [
        (line.replace("0.25", "1.5"), "line 1, frac_nonzero"),
        (format!("{line}\n\n{}", line.replace("0.25", "0.5")), "line 3, the whole of it"),
        (format!("{line}\n{{\"modelId\": \"m\"}}"), "line 2, layer"),
        (format!("{line}\n[]"), "line 2"),
    ] {
        let error = refused("batch-0.jsonl", &text).to_string();
        assert!(error.contains(said) && error.contains("batch-0.jsonl"), "{error}");
    }
}
