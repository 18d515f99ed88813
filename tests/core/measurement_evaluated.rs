//! The metrics of evaluations on the toy model, one at a time: against a separate program in double precision
//! (model/circuits.json, model/audit.json), and against controls that are known to do nothing.

use serde_json::Value;
use sfc_bench::papers::measurement::circuit::{head_name, measure_task};
use sfc_bench::papers::measurement::evaluation::{
    AuditSettings, BaseMetric, CircuitChoice, EvaluationOptions, EvaluationResult, RunsSettings, audit_seeds,
    concept_of_task, ex1, ex2, ex11, ex24, ex24_of_tasks, ex25, ex25_of_tasks, mib,
};
use sfc_bench::papers::measurement::metric::AUDIT_SEEDS;
use sfc_bench::synthetic::language::{Concept, Task};
use sfc_bench::toy_model;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, number, numbers};

/// Of logits of some 10 in single precision.
const APART: f64 = 1e-4;

fn given() {
    give!("ck-00000", "ck-00750", "ck-12000");
}

fn golden(file: &str, task: Task) -> Value {
    let all = match file {
        "audit" => json(include_str!("../golden/model/audit.json")),
        _ => json(include_str!("../golden/model/circuits.json"))["ck-12000"].clone(),
    };
    all[task.name()].clone()
}

fn all_close(what: &str, found: &[f64], wanted: &Value, absolute: f64) {
    let wanted = numbers(wanted);
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (at, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        assert_close(&format!("{what} {at}"), *found, wanted, 0.0, absolute);
    }
}

fn names<M>(found: &EvaluationResult<M>) -> Vec<String> {
    found.circuit.iter().copied().map(head_name).collect()
}

#[test]
fn each_metric_alone_is_what_all_together_say() {
    given();
    let model = toy_model::load_model("ck-12000").unwrap();
    for task in [Task::Ioi, Task::Mood, Task::Sum] {
        let wanted = golden("circuits", task);
        let whole = measure_task(&model, task, 128).unwrap();
        let asked = EvaluationOptions::for_found_circuit(task, 128);
        let close = |what: &str, found: f64, wanted: &Value| {
            assert_close(&format!("{task}, {what}"), found, number(wanted), 0.0, APART);
        };

        let found = ex1(&model, asked).unwrap();
        assert_eq!(found.found.ex1, whole.ex1);
        assert_eq!(Value::from(names(&found)), wanted["circuit"]);
        close("d′", found.found.ex1.dprime, &wanted["ex1"]["dprime"]);
        close("criterion", found.found.ex1.criterion_c, &wanted["ex1"]["criterion_c"]);
        close("faithfulness", found.found.faithfulness, &wanted["backward_faith"]);
        close("completeness", found.found.completeness, &wanted["completeness"]);

        let found = ex2(&model, asked).unwrap().found;
        assert_eq!((&found.whole, &found.mixed), (&whole.ex2, &whole.ex2_mixed));
        close("DIF", found.whole.max_dif_code, &wanted["ex2"]["max_dif_code"]);
        assert_eq!(found.circuit_alone.groups.len(), if task == Task::Ioi { 3 } else { 2 });

        let found = ex11(&model, asked).unwrap().found.weber;
        assert_eq!(found, whole.ex11);
        let consistency = found.unwrap().weber_consistency_code;
        close("Weber", consistency, &wanted["ex11"]["weber_consistency_code"]);

        let found = mib(&model, EvaluationOptions { subject: CircuitChoice::Full, ..asked }).unwrap().found;
        assert_eq!(found.edges, 48);
        for (found, wanted) in [(found.code, &wanted["mib_code"]), (found.ranked, &wanted["mib_ranked"])] {
            let found = found.unwrap();
            close("CPR", found.area.cpr, &wanted["cpr"]);
            close("CMD", found.area.cmd_abs_mib, &wanted["cmd_abs_mib"]);
            close("CPR, scaled", found.normalised.unwrap().cpr, &wanted["normalised"]["cpr"]);
            let heads: Vec<u64> = found.n_heads.iter().map(|count| *count as u64).collect();
            assert_eq!(Value::from(heads), wanted["n_heads"]);
        }
    }
}

#[test]
fn all_heads_alone_are_the_model() {
    given();
    let model = toy_model::load_model("ck-12000").unwrap();
    for task in [Task::Ioi, Task::Count] {
        let asked =
            EvaluationOptions { subject: CircuitChoice::Full, ..EvaluationOptions::for_found_circuit(task, 64) };
        let found = ex2(&model, asked).unwrap().found;
        // Nothing is ablated, so the circuit's groups are the model's own.
        let whole = found.mixed.as_ref().unwrap_or(&found.whole);
        for (alone, whole) in found.circuit_alone.groups.iter().zip(&whole.groups) {
            assert_eq!((&alone.name, alone.n), (&whole.name, whole.n));
            let (alone, whole) = (alone.mean_ld.unwrap(), whole.mean_ld.unwrap());
            assert_close("mean", alone, whole, 0.0, 1e-5);
        }
    }
}

#[test]
fn controls_are_told_from_circuits() {
    given();
    let model = toy_model::load_model("ck-12000").unwrap();
    let of =
        |subject, seed| EvaluationOptions { subject, seed, ..EvaluationOptions::for_found_circuit(Task::Ioi, 128) };
    let found = ex1(&model, of(CircuitChoice::Found, 0)).unwrap();
    let wanted = golden("audit", Task::Ioi);

    let random = ex1(&model, of(CircuitChoice::Random, 0)).unwrap();
    assert_eq!(Value::from(names(&random)), wanted["random"]);
    let faithfulness = number(&wanted["random_faithfulness"]);
    assert_close("random", random.found.faithfulness, faithfulness, 0.0, APART);
    assert!(random.found.ex1.dprime < 1.0 && found.found.ex1.passed_document_gt);
    let other = ex1(&model, of(CircuitChoice::Random, 1)).unwrap();
    assert!(other.circuit.len() == 3 && other.circuit != random.circuit);

    let empty = ex1(&model, of(CircuitChoice::Empty, 0)).unwrap();
    assert_eq!((empty.found.ex1.dprime, empty.found.completeness), (0.0, 0.0));
    assert!(ex11(&model, of(CircuitChoice::Empty, 0)).unwrap().found.weber.is_none());
    let full = ex1(&model, of(CircuitChoice::Full, 0)).unwrap();
    assert_eq!((full.circuit.len(), full.found.faithfulness), (12, 1.0));

    let areas = |subject| mib(&model, of(subject, 0)).unwrap().found;
    let (empty, found, full) = (areas(CircuitChoice::Empty), areas(CircuitChoice::Found), areas(CircuitChoice::Full));
    // The curve of nothing is flat: what a model does without a head, times what thresholds span.
    let flat = empty.code.unwrap();
    assert!(flat.faithfulness.iter().all(|value| *value == empty.empty) && flat.n_heads == [0; 10]);
    assert_close("CPR", flat.area.cpr, empty.empty * 0.999, 1e-12, 0.0);
    assert_eq!((empty.edges, found.edges, full.edges), (0, 2, 48));
    assert!(found.code.unwrap().area.cpr > 0.8 && !flat.area.passed);
    // Heads of one layer have no edge between them.
    let agree = mib(&model, EvaluationOptions::for_found_circuit(Task::Agree, 128)).unwrap();
    let one_layer = agree.circuit.iter().all(|head| head.0 == agree.circuit[0].0);
    assert_eq!(agree.found.code.is_none(), one_layer);
    assert!(one_layer || agree.found.edges > 0);
    // A task that is not learned yet passes all the same, by a curve of nothing.
    let early = toy_model::load_model("ck-00750").unwrap();
    let found = mib(
        &early,
        EvaluationOptions { subject: CircuitChoice::Full, ..EvaluationOptions::for_found_circuit(Task::Recall, 128) },
    )
    .unwrap();
    assert!(found.found.code.unwrap().area.passed && found.found.empty > 1.0);
    assert!(!ex1(&early, EvaluationOptions::for_found_circuit(Task::Recall, 128)).unwrap().found.ex1.passed_code_ge);
}

#[test]
fn audits_are_those_of_numpy_and_scikit_learn() {
    given();
    let model = toy_model::load_model("ck-12000").unwrap();
    assert_eq!(audit_seeds(7), [42, 123, 456, 789, 2024, 2025, 2026]);
    assert_eq!(audit_seeds(5), AUDIT_SEEDS);
    let asked = EvaluationOptions::for_found_circuit(Task::Ioi, 128);
    let all = ex24_of_tasks(&model, &Task::ALL, asked, &AuditSettings::default(), &mut || ()).unwrap();
    for of in &all.tasks {
        let wanted = golden("audit", of.task);
        let found = &of.found;
        assert_eq!(found.concept.name(), wanted["concept"]);
        assert_eq!((found.texts as u64, found.positive as u64), {
            (wanted["texts"].as_u64().unwrap(), wanted["positive"].as_u64().unwrap())
        });
        let what = |name: &str| format!("{}, {name}", of.task);
        let held = found.texts * 3 / 10;
        // Activations in single precision: one text held out falls the other way now and then.
        let text = 1.0 / held as f64 + 1e-9;
        let (document, code) = (&found.document, &found.code);
        all_close(&what("probe"), &document.probe_scores, &wanted["probe_scores"], text);
        all_close(&what("untrained"), &document.probe_untrained, &wanted["probe_untrained"], text);
        all_close(&what("ablation"), &document.ablation_scores, &wanted["ablation_scores"], APART);
        all_close(&what("random"), &document.ablation_random, &wanted["ablation_random"], APART);
        let own = &wanted["code"];
        all_close(&what("shares"), &code.probe_scores, &own["probe_scores"], 1e-12);
        all_close(&what("zeros"), &code.ablation_scores, &own["ablation_scores"], APART);
        assert_close(&what("full"), code.full_score, number(&own["full_score"]), 0.0, 1e-12);
        let ablated = number(&own["ablated_score"]);
        assert_close(&what("ablated"), code.ablated_score, ablated, 0.0, APART);
        let cv = number(&own["cv_ablation_pop"]);
        assert_close(&what("cv"), code.audit.cv_ablation_pop, cv, 0.0, 1e-5);
        assert_eq!(code.hook, "blocks.1.hook_mlp_out");
        // With nothing to learn, a probe is no better than guessing.
        let shuffled = document.probe_shuffled.iter().sum::<f64>() / 5.0;
        assert!(shuffled < document.probe_majority + 0.03, "{}: {shuffled}", of.task);
    }
    let same = |task: Task| {
        let of = all.tasks.iter().find(|of| of.task == task).unwrap();
        all_close("exact", &of.found.document.probe_scores, &golden("audit", task)["probe_scores"], 1e-12);
    };
    same(Task::Ioi);
    assert_eq!(all.tasks.len(), 10);
    let cvs = all.tasks.iter().map(|of| of.found.code.audit.mean_cv_code);
    assert_close("aggregate", all.aggregate.mean_cv, cvs.sum::<f64>() / 10.0, 1e-12, 0.0);
}

#[test]
fn what_does_not_differ_is_not_told_apart() {
    given();
    let settings = AuditSettings { n_reseeds: 3, concept: Some(Concept::Place) };
    // The untrained network against itself.
    let model = toy_model::load_model("ck-00000").unwrap();
    let found = ex24(&model, EvaluationOptions::for_found_circuit(Task::Copy, 64), &settings).unwrap().found;
    assert_eq!((found.seeds.len(), found.concept), (3, Concept::Place));
    assert_eq!(found.document.probe.cohens_d_document, 0.0);
    assert!(!found.document.probe.passed_document);
    // All heads against all heads.
    let model = toy_model::load_model("ck-12000").unwrap();
    let asked =
        EvaluationOptions { subject: CircuitChoice::Full, ..EvaluationOptions::for_found_circuit(Task::Ioi, 64) };
    let found = ex24(&model, asked, &settings).unwrap().found;
    assert_eq!(found.document.ablation.cohens_d_document, 0.0);
    assert_eq!(found.document.ablation_scores, [1.0; 3]);
    // The code's reading does not depend on the circuit, and passes whatever the quality.
    let other = ex24(&model, EvaluationOptions::for_found_circuit(Task::Ioi, 64), &settings).unwrap().found;
    assert_eq!(other.code, found.code);
    assert_eq!(concept_of_task(Task::Request), Concept::Unsafe);
}

#[test]
fn runs_are_those_of_numpy_and_each_base_metric_is_one() {
    given();
    let model = toy_model::load_model("ck-12000").unwrap();
    let asked =
        EvaluationOptions { subject: CircuitChoice::Full, ..EvaluationOptions::for_found_circuit(Task::Ioi, 128) };
    let settings = RunsSettings { n_runs: 3, ..RunsSettings::default() };
    let all = ex25_of_tasks(&model, &Task::ALL, asked, &settings, &mut || ()).unwrap();
    for of in &all.tasks {
        let wanted = &golden("audit", of.task)["ex25"];
        let found = &of.found.found;
        let what = of.task.name();
        all_close(what, &found.run_means, &wanted["run_means"], APART);
        assert_close(what, found.max_deviation, number(&wanted["max_deviation"]), 0.0, 1e-5);
        assert_eq!(found.deviation_rate, number(&wanted["deviation_rate"]));
        // Two prompts whose logits are next to each other change places in single precision.
        assert_close(what, found.coherence_code, number(&wanted["coherence_code"]), 0.0, 1e-3);
        // A prompt says the same in every run, but for the order in which a batch is summed.
        assert!(found.coherence_aligned.unwrap() > 0.999_99);
        assert!(!found.passed_code && of.found.values == [96; 3]);
    }
    assert_eq!(all.aggregate.mean_deviation_rate, 0.0);
    assert!(all.aggregate.passed);

    let of = |metric, subject| {
        let asked = EvaluationOptions { subject, ..asked };
        ex25(&model, asked, &RunsSettings { n_runs: 4, metric }).unwrap().found
    };
    // Means over other prompts make the circuit's own answers differ a little.
    let found = of(BaseMetric::LogitDifference, CircuitChoice::Found).found;
    let aligned = found.coherence_aligned.unwrap();
    assert!(aligned < 0.9999 && found.passed_aligned, "{found:?}");
    let found = of(BaseMetric::ProbeAccuracy, CircuitChoice::Found);
    assert_eq!(found.values, [155; 4]);
    let scores = numbers(&golden("audit", Task::Ioi)["probe_scores"]);
    assert!((found.found.run_means[0] - scores[0]).abs() < 0.03);
    let found = of(BaseMetric::AblationRecovery, CircuitChoice::Full).found;
    // Nothing is ablated, and nothing varies that could be ranked.
    assert_eq!((found.run_means, found.coherence_aligned), (vec![1.0; 4], None));
}

#[test]
fn what_cannot_be_measured_is_refused_by_name() {
    given();
    let model = toy_model::load_model("ck-12000").unwrap();
    let asked = EvaluationOptions::for_found_circuit(Task::Ioi, 8);
    for n_reseeds in [0, 1, 101] {
        let settings = AuditSettings { n_reseeds, concept: None };
        let error = ex24(&model, asked, &settings).unwrap_err();
        assert_eq!((error.field(), error.code()), (Some("n_reseeds"), "little.count"));
        assert!(error.to_string().contains("2 to 100"), "{error}");
    }
    let error = ex25(&model, asked, &RunsSettings { n_runs: 1, ..Default::default() }).unwrap_err();
    assert_eq!(error.field(), Some("n_runs"));
    for prompts in [0, 4_097] {
        let asked = EvaluationOptions { n_prompts: prompts, ..asked };
        assert_eq!(ex1(&model, asked).unwrap_err().field(), Some("prompts"));
        assert_eq!(ex2(&model, asked).unwrap_err().field(), Some("prompts"));
        assert_eq!(mib(&model, asked).unwrap_err().field(), Some("prompts"));
    }
    // Of a single prompt there is a run, and no spread between prompts.
    let one = EvaluationOptions { n_prompts: 1, subject: CircuitChoice::Full, ..asked };
    let found = ex25(&model, one, &RunsSettings::default()).unwrap().found.found;
    assert_eq!((found.coherence_code, found.coherence_aligned), (1.0, None));
    assert!(ex24(&model, one, &AuditSettings::default()).is_ok());
    let none = ex24_of_tasks(&model, &[], asked, &AuditSettings::default(), &mut || ());
    assert_eq!(none.unwrap_err().code(), "statistics.too-few");
    let names: Vec<&str> = CircuitChoice::ALL.iter().map(|subject| subject.name()).collect();
    assert_eq!(names, ["found", "random", "full", "empty"]);
}
