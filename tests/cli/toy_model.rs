//! `model`, `fade` and `ce-bench`: what programs read of them, held against the reference.

use std::process::Command;

use serde_json::Value;

use crate::common::{json, number};

pub(crate) fn run(args: &[&str]) -> (bool, String, String) {
    let found = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (found.status.success(), text(found.stdout), text(found.stderr))
}

pub(crate) fn printed(args: &[&str]) -> Value {
    let (success, text, error) = run(args);
    assert!(success, "{args:?}: {error}");
    json(&text)
}

pub(crate) fn near(what: &str, found: &Value, wanted: &Value, apart: f64) {
    let (found, wanted) = (number(found), number(wanted));
    assert!((found - wanted).abs() <= apart, "{what}: {found} is not {wanted}");
}

#[test]
fn tasks_have_accuracy_and_what_each_head_does() {
    let golden = json(include_str!("../golden/model/metrics.json"));
    for checkpoint in ["ck-00375", "ck-12000"] {
        let found = printed(&["model", "tasks", "--checkpoint", checkpoint, "--json"]);
        let tasks = found["tasks"].as_object().unwrap();
        assert_eq!(tasks.len(), 10);
        for (task, found) in tasks {
            let wanted = &golden["tasks"][checkpoint][task];
            near(task, &found["accuracy"], &wanted["accuracy"], 1e-12);
            near(task, &found["ld_mean"], &wanted["ld_mean"], 1e-4);
            assert!(found["ld_positive"].is_number());
            assert_eq!(found["head_effect"].as_object().unwrap().len(), 12);
            assert!(found["head_effect"]["0.0"].is_number());
        }
    }
}

/// The claim of the model's page.
#[test]
fn two_of_ten_solved_tasks_depend_on_a_single_head() {
    let page = include_str!("../../model/index.html");
    let claim = "The toy model solves all ten tasks; ablating one head takes recall or colour below half";
    assert!(page.contains(claim));
    let found = printed(&["model", "tasks", "--json"]);
    let tasks = found["tasks"].as_object().unwrap();
    assert_eq!(tasks.len(), 10);
    let mut depend = Vec::new();
    for (task, found) in tasks {
        assert_eq!(number(&found["accuracy"]), 1.0, "{task}");
        for (head, accuracy) in found["head_accuracy"].as_object().unwrap() {
            if number(accuracy) < 0.5 {
                depend.push(format!("{task} on {head}"));
            }
        }
    }
    assert_eq!(depend, ["colour on 1.1", "recall on 0.0"]);
}

#[test]
fn texts_and_logits_are_those_of_the_reference() {
    let golden = json(include_str!("../golden/language.json"));
    let found = printed(&["model", "text", "--seed", "2", "--count", "3", "--json"]);
    let texts = found["texts"].as_array().unwrap();
    assert_eq!(texts.len(), 3);
    let wanted = golden["texts"]["2"].as_array().unwrap();
    assert_eq!(texts[..], wanted[..3]);
    let model = json(include_str!("../golden/model/golden.json"));
    let first = &model["forward"][0];
    let tokens: Vec<String> = first["tokens"].as_array().unwrap().iter().map(Value::to_string).collect();
    let tokens = tokens.join(",");
    let found = printed(&["model", "logits", "--checkpoint", "ck-12000", "--tokens", &tokens, "--json"]);
    let (found, wanted) = (found["logits"].as_array().unwrap(), first["logits_last"].as_array().unwrap());
    assert_eq!(found.len(), 144);
    for (found, wanted) in found.iter().zip(wanted) {
        near("a logit", found, wanted, 1e-4);
    }
}

#[test]
fn fade_gives_every_concept_its_scores() {
    let golden = json(include_str!("../golden/model/metrics.json"));
    let found = printed(&["fade", "--sae", "topk256", "--json"]);
    let features = found["features"].as_array().unwrap();
    assert_eq!(features.len(), 18);
    for (found, wanted) in features.iter().zip(golden["fade"]["topk256"].as_array().unwrap()) {
        assert_eq!(found["concept"], wanted["concept"]);
        assert_eq!(found["latent"], wanted["latent"]);
        let what = wanted["concept"].as_str().unwrap();
        for name in ["clarity", "clarity_document", "responsiveness", "purity"] {
            near(what, &found[name], &wanted[name], 2e-3);
        }
        // A continuation of 32 can differ where single precision decides a draw otherwise.
        near(what, &found["faithfulness"], &wanted["faithfulness"], 0.1);
    }
}

#[test]
fn ce_bench_has_four_readings() {
    let golden = json(include_str!("../golden/model/metrics.json"));
    let found = printed(&["ce-bench", "--sae", "random256", "--json"]);
    let readings = found["readings"].as_object().unwrap();
    assert_eq!(readings.len(), 4);
    for (reading, found) in readings {
        for name in ["contrastive", "independence", "interpretability"] {
            let wanted = &golden["cebench"]["random256"][reading][name];
            near(reading, &found[name], wanted, 1e-5);
        }
    }
    assert_eq!(found["independence_without_marks"], serde_json::json!(["code_head", "paper"]));
    let csv = run(&["ce-bench", "--pairs", "3", "--csv"]).1;
    for (reading, marks) in [("v1_marked", "with marks"), ("paper", "without marks")] {
        assert!(csv.contains(&format!(",{reading},{marks},")), "{csv}");
    }
}

#[test]
fn what_is_not_allowed_is_refused_in_one_line_that_names_it() {
    for (args, said) in [
        (&["model", "tasks", "--checkpoint", "ck-1"][..], "checkpoint = \"ck-1\"; allowed: ck-00000"),
        (&["model", "tasks", "--prompts", "0"], "prompts = 0; allowed: 1 to 4096"),
        (&["model", "text", "--count", "0"], "count is 0; allowed: 1 to 100000"),
        (&["model", "logits", "--tokens", "0,144"], "token 144; allowed: 0 to 143"),
        (&["model", "logits", "--text", "ann has love"], "text is \"love\"; allowed"),
        (&["fade", "--sae", "topk"], "sae is \"topk\"; allowed: topk256"),
        (&["fade", "--factors", "1,2"], "factors is 1, 2; allowed: a list with 0 in it"),
        (&["ce-bench", "--pairs", "1"], "pairs is 1; allowed"),
        (&["measure", "tasks", "--task", "iou"], "task is \"iou\"; allowed: ioi"),
        (&["measure", "tasks", "--checkpoint", "ck-1"], "checkpoint = \"ck-1\"; allowed: ck-00000"),
        (&["measure", "edges", "--instead", "zero"], "instead is \"zero\"; allowed: mean, next"),
        (&["measure", "edges", "--prompts", "0"], "prompts = 0; allowed: 1 to 4096"),
    ] {
        let (success, _, error) = run(args);
        assert!(!success, "{args:?}");
        assert!(error.contains(said) && error.lines().count() == 1, "{args:?}: {error}");
    }
}

#[test]
fn mui_gives_every_task_its_index() {
    let golden = json(include_str!("../golden/model/mui.json"));
    let found = printed(&["mui", "--checkpoint", "ck-12000", "--json"]);
    let tasks = found["tasks"].as_object().unwrap();
    assert_eq!(tasks.len(), 10);
    for (task, found) in tasks {
        let wanted = &golden["ck-12000"][task];
        near(task, &found["accuracy"], &wanted["acc"], 1e-12);
        // A neuron of 576, where single precision decides a tie.
        near(task, &found["mui"], &wanted["mui"], 1.0 / 576.0 + 1e-9);
        near(task, &found["mui_correct"], &wanted["mui_correct"], 1.0 / 576.0 + 1e-9);
    }
    let (success, _, error) = run(&["mui", "--checkpoint", "ck-1"]);
    assert!(!success && error.contains("ck-00094"), "{error}");
}

#[test]
fn measure_finds_the_circuit_of_every_task() {
    let golden = json(include_str!("../golden/model/circuits.json"));
    let found = printed(&["measure", "tasks", "--checkpoint", "ck-12000", "--json"]);
    let tasks = found["tasks"].as_object().unwrap();
    assert_eq!(tasks.len(), 10);
    for (task, found) in tasks {
        let wanted = &golden["ck-12000"][task];
        assert_eq!(found["circuit"], wanted["circuit"], "{task}");
        for (key, wanted) in [
            ("faithfulness", &wanted["backward_faith"]),
            ("completeness", &wanted["completeness"]),
            ("empty", &wanted["faith_none"]),
            ("d_prime", &wanted["ex1"]["dprime"]),
            ("cpr_code", &wanted["mib_code"]["cpr"]),
            ("cpr_ranked", &wanted["mib_ranked"]["cpr"]),
            ("max_dif", &wanted["ex2"]["max_dif_code"]),
        ] {
            near(&format!("{task}, {key}"), &found[key], wanted, 1e-4);
        }
    }
    let one = printed(&["measure", "tasks", "--task", "sum", "--prompts", "8", "--json"]);
    assert_eq!(one["tasks"].as_object().unwrap().len(), 1);
    let (success, text, _) = run(&["measure", "tasks", "--task", "agree", "--prompts", "16"]);
    assert!(success && text.contains("agree"), "{text}");
}

#[test]
fn measure_cuts_every_edge_of_a_task() {
    let args = ["measure", "edges", "--task", "ioi", "--prompts", "8"];
    let found = printed(&[&args[..], &["--json"]].concat());
    assert_eq!(found["edges"].as_array().unwrap().len(), 262);
    assert_eq!(found["pairs"].as_array().unwrap().len(), 48);
    let (success, text, _) = run(&[&args[..], &["--instead", "next"]].concat());
    // Who is given something is told by the head that looks at who gives.
    assert!(success && text.contains("input->a0.h0<v>"), "{text}");
    let (success, text, _) = run(&[&args[..], &["--csv"]].concat());
    assert!(success && text.lines().count() == 263, "{text}");
}

#[test]
fn mui_derives_the_papers_tables() {
    let found = printed(&["mui", "tables", "--json"]);
    let cells = found["cells"].as_array().unwrap();
    for cell in cells {
        for key in ["table", "row", "column"] {
            assert!(cell[key].is_string(), "{cell}");
        }
        assert!(cell["printed"].is_number() && cell["derived"].is_number(), "{cell}");
        assert!(cell["agrees"].is_boolean(), "{cell}");
    }
    let differing = printed(&["mui", "tables", "--differing", "--json"]);
    let differ = cells.iter().filter(|cell| cell["agrees"] == false).count();
    assert_eq!(differing["cells"].as_array().unwrap().len(), differ);
    let (success, text, _) = run(&["mui", "tables"]);
    assert!(success && text.contains("does not") | text.contains("fails"), "{text}");
    assert!(run(&["mui", "tables", "--csv"]).1.starts_with("table,row,column,printed,derived"));
}

#[test]
fn mui_looks_at_a_model_as_it_learns() {
    let file = std::env::temp_dir().join(format!("sfc-bench-mui-{}.safetensors", std::process::id()));
    let name = file.display().to_string();
    let args = [
        "mui",
        "train",
        "--begin",
        "new",
        "--layers",
        "1",
        "--width",
        "16",
        "--prompts",
        "4",
        "--steps",
        "12",
        "--lessons",
        "half",
        "--seeds",
        "2",
    ];
    let found = printed(&[&args[..], &["--json", "--out", &name, "--half"]].concat());
    let trained = found["trained"].as_array().unwrap();
    assert_eq!(trained.len(), 3);
    for (at, one) in trained.iter().enumerate() {
        assert_eq!(one["wanted"]["control"], at == 2);
        let steps: Vec<u64> = one["points"].as_array().unwrap().iter().map(|p| p["step"].as_u64().unwrap()).collect();
        assert_eq!(steps, (0..=12).collect::<Vec<_>>());
        assert_eq!(one["points"][3]["tasks"].as_array().unwrap().len(), 10);
    }
    // Another seed begins with other weights; the control begins as the first.
    assert_ne!(trained[0]["points"][0], trained[1]["points"][0]);
    assert_eq!(trained[0]["points"][0]["tasks"], trained[2]["points"][0]["tasks"]);
    let written = std::fs::read(&file).unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&written).unwrap();
    assert_eq!(tensors.tensor("blocks.0.mlp.W_in").unwrap().shape(), [16, 64]);
    assert_eq!(tensors.tensor("unembed.W_U").unwrap().dtype(), safetensors::Dtype::F16);
    std::fs::remove_file(&file).unwrap();
    let (success, text, _) = run(&[&args[..], &["--alone"]].concat());
    assert!(success && text.starts_with("From new; colour") && text.contains("half, seed 1"), "{text}");
    for (option, value) in [("--steps", "0"), ("--begin", "ck-1"), ("--width", "20"), ("--rate", "1")] {
        let (success, _, error) = run(&["mui", "train", option, value]);
        assert!(!success && error.contains(value) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn mui_does_experiments_and_judges_them() {
    let few = ["--prompts", "8", "--json"];
    let found = printed(&[&["mui", "experiment", "masking"], &few[..]].concat());
    let judgement = &found["judgements"][0];
    assert_eq!(judgement["figure"], "mui-masking");
    assert!(["holds", "partly", "fails", "open"].iter().any(|word| judgement["verdict"] == *word));
    assert_eq!(found["experiments"]["masking"]["steps"].as_array().unwrap().len(), 6);
    assert!(found["experiments"]["diversity"].is_null());
    // The sentence is made of the numbers that stand there.
    let steps = found["experiments"]["masking"]["steps"].as_array().unwrap();
    let worse = steps.iter().filter(|step| number(&step["own"]) < number(&step["random_own"]["low"]));
    let said = format!("at {} of 6 steps", worse.count());
    assert!(judgement["found"].as_str().unwrap().contains(&said), "{judgement}");
    let found = printed(&[&["mui", "experiment", "all"], &few[..]].concat());
    let experiments = found["experiments"].as_object().unwrap();
    assert!(experiments.values().all(|found| !found.is_null()));
    let (success, text, error) = run(&["mui", "experiment", "diversity", "--prompts", "8"]);
    assert!(success && text.contains(" here: ") | text.contains("at this size: "), "{text}{error}");
    let (success, _, error) = run(&["mui", "experiment", "diverse"]);
    assert!(!success && error.contains("experiment = \"diverse\"; allowed: diversity"), "{error}");
}

#[test]
fn mui_fits_the_law_to_a_table() {
    let file = std::env::temp_dir().join(format!("sfc-bench-law-{}.csv", std::process::id()));
    std::fs::write(
        &file,
        "accuracy,mui\n11.9,5.4\n25.8,3.8\n58.7,3.0\n86.5,2.7\n82.3,2.2\n84.5,1.9\n71.6,3.1\n82.6,2.6\n",
    )
    .unwrap();
    let name = file.display().to_string();
    let found = printed(&["mui", "law", &name, "--json"]);
    // As SciPy has it (golden/mui_logfit.json).
    for (key, wanted) in [
        ("a", -1.439_250_384_920_637_5),
        ("b", 8.807_031_452_780_295),
        ("r", -0.952_252_304_633_534_3),
        ("p", 0.000_262_490_466_340_804_94),
    ] {
        near(key, &found[key], &serde_json::json!(wanted), 1e-12);
    }
    let (_, text, _) = run(&["mui", "law", &name]);
    assert!(text.contains(" < 0.001 ") && !text.contains(" 0.000 "), "{text}");
    // The slope's standard error is 0.188388, and t of 6 degrees 2.446912.
    assert!(text.contains("a lies from -1.900 to -0.978, with 95 % confidence\n"), "{text}");
    let (_, csv, _) = run(&["mui", "law", &name, "--csv"]);
    assert!(csv.contains(",0.00026249046634080"), "{csv}");
    std::fs::write(&file, "accuracy,mui\n11.9,5.4\n25.8,3.8\n").unwrap();
    let (success, text, _) = run(&["mui", "law", &name]);
    assert!(success && !text.contains("a lies from"), "{text}");
    std::fs::write(&file, "accuracy,mui\n0,5.4\n").unwrap();
    let (success, _, error) = run(&["mui", "law", &name]);
    assert!(!success && error.contains("line 2, performance"), "{error}");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn mui_reads_the_neurons_of_a_readers_own_models() {
    let golden = json(include_str!("../golden/mui_own.json"));
    let folder = std::env::temp_dir().join(format!("sfc-bench-mui-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str| {
        let path = folder.join(name);
        std::fs::write(&path, golden["files"][name].as_str().unwrap()).unwrap();
        path.display().to_string()
    };
    let first = write("model_task_result.jsonl");
    let second = write("other_task_integrated_gradient_result.jsonl");
    let answers = write("other_task_integrated_gradient_result.answers.csv");
    let sizes = ["--layers", "3", "--neurons", "40", "--k", "4"];
    let with = |files: &[&str], more: &[&str]| -> Vec<String> {
        let all = ["mui", "own"].iter().chain(files).chain(&sizes).chain(more);
        all.map(|word| (*word).to_owned()).collect()
    };
    let words = with(&[&first, &second, &answers], &["--json"]);
    let found = printed(&words.iter().map(String::as_str).collect::<Vec<_>>());
    for (at, name) in ["model_task_result.jsonl", "other_task_integrated_gradient_result.jsonl"].into_iter().enumerate()
    {
        let wanted = &golden["expected"][name];
        for key in ["mui", "mui_code", "mui_correct", "performance", "pur"] {
            near(key, &found["files"][at][key], &wanted[key], 1e-12);
        }
    }
    near("jaccard", &found["steps"][0]["jaccard"], &golden["step"]["jaccard"], 1e-12);
    assert_eq!(found["steps"][0]["direction"], "evolving");
    let words = with(&[&first, &second], &["--accuracy", "80,70"]);
    let (success, text, _) = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(success && text.contains("collapsing") && text.contains("random baseline"), "{text}");
    let words = with(&[&first], &["--csv"]);
    let (_, text, _) = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(text.starts_with("file,answers,layers,neurons"), "{text}");
    for (args, said) in [
        (&["mui", "own", first.as_str()][..], "layers and neurons: not given"),
        (&["mui", "own", &first, "--layers", "3", "--neurons", "39"], "allowed: layers 0 to 2, neurons 0 to 38"),
        (&["mui", "own", &first, "--layers", "-1"], "layers is -1; allowed: a whole number from 1"),
        (&["mui", "own", &first, "--k", "0"], "k is 0; allowed"),
        (&["mui", "own", &first, "--accuracy", "1,2"], "accuracy: not given; one number for each file"),
        (&["mui", "own", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
    ] {
        let (success, _, error) = run(args);
        assert!(!success && error.contains(said) && error.lines().count() == 1, "{args:?}: {error}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
