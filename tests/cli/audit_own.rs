//! `audit --own` and `audit --published`: a reader's folders and files, from the disk to a table.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use sfc_bench::io::to_npy;
use sfc_bench::sae::train::{Family, TrainConfig, Trainer, to_sae_lens};
use sfc_bench::synthetic::{Superposition, World};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
        .arg("audit")
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

#[track_caller]
fn text(args: &[&str]) -> String {
    let output = run(args);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {complaint}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn refusal(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("sfc-bench-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Two seeds of one architecture before and after their training, and the rows that they were trained on.
fn trained(at: &Path) {
    let world = Superposition { features: 16, dimensions: 8, ..Superposition::default() };
    let rows = World::Superposition(world).sample(300).unwrap().activations;
    let bytes = to_npy(&[rows.rows(), rows.cols()], rows.data());
    std::fs::write(at.join("acts.npy"), bytes).unwrap();
    for seed in 0..2 {
        let config = TrainConfig { latents: 16, k: 2, steps: 150, seed, ..TrainConfig::for_family(Family::TopK) };
        let mut trainer = Trainer::new(config, &rows).unwrap();
        for (part, steps) in [("before", 0), ("after", 150)] {
            if steps > 0 {
                trainer.step(steps).unwrap();
            }
            let folder = at.join(part).join(format!("seed_{seed}")).join("topk");
            std::fs::create_dir_all(&folder).unwrap();
            for file in to_sae_lens(&trainer.autoencoder()).unwrap() {
                std::fs::write(folder.join(file.name), file.bytes).unwrap();
            }
        }
    }
}

#[test]
fn folders_of_a_reader_are_audited() {
    let folder = scratch("audit-own");
    trained(&folder);
    let at = |part: &str| folder.join(part).display().to_string();
    let (first, second) = (at("after/seed_0/topk"), at("after/seed_1/topk"));
    let (before, acts) = (at("before/seed_0/topk"), at("acts.npy"));
    let asked = ["--own", &first, &second, "--untrained", &before, "--activations", &acts];

    let found: Value = serde_json::from_str(&text(&[&asked[..], &["--json"]].concat())).unwrap();
    let rows = found["own"].as_array().unwrap();
    let of = |seed: u64, name: &str| rows.iter().any(|row| row["seed"] == seed && row["subject"]["name"] == name);
    assert!(of(0, "random") && of(1, "random") && of(0, "untrained") && !of(1, "untrained"));
    assert!(rows.iter().all(|row| row["world"] == "own" && row["place"] == "topk"));
    let entries = found["table"]["entries"].as_array().unwrap();
    let entry = entries.iter().find(|entry| entry["metric"] == "sfc.f").unwrap();
    assert_eq!(entry["evidence"]["reliability"]["seeds"], 2);
    assert_eq!(entry["evidence"]["validity"]["known"], false);

    let table = text(&asked);
    assert!(table.contains("sfc.f") && !table.contains("m08"), "{table}");
    assert!(table.contains("2 autoencoders, 300 rows; 8 metrics have values."), "{table}");
    let csv = text(&[&asked[..], &["--csv"]].concat());
    assert_eq!(csv.lines().count(), 1 + entries.len());
    let few = text(&[&asked[..], &["--rows", "100", "--values", "--csv"]].concat());
    assert!(few.lines().skip(1).all(|line| line.starts_with("own,topk,")), "{few}");

    // What is refused is refused in a line.
    let twice = refusal(&["--own", &first, &first, "--activations", &acts]);
    assert!(twice.contains("[audit.own.twice]"), "{twice}");
    let alone = ["--own", &second, "--untrained", &before, "--activations", &acts];
    let untrained = refusal(&alone);
    assert!(untrained.contains("[audit.own.value]") && untrained.contains("untrained"), "{untrained}");
    refusal(&["--own", &first]);
    let missing = refusal(&["--own", &at("none"), "--activations", &acts]);
    assert!(missing.contains("cannot read") && missing.contains("none"), "{missing}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn transcoders_are_audited_with_their_targets() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/layouts");
    let at = |path: &str| format!("{golden}/{path}");
    let sae = at("saelens_skip_transcoder/sae");
    let [acts, targets] = ["inputs", "targets"].map(|name| at(&format!("saelens_skip_transcoder/{name}.npy")));
    let asked = ["--own", &sae, "--activations", &acts, "--targets", &targets];
    let output = run(&[&asked[..], &["--values", "--csv"]].concat());
    let (said, table) = (String::from_utf8(output.stderr), String::from_utf8(output.stdout));
    let (said, table) = (said.unwrap(), table.unwrap());
    assert!(output.status.success(), "{said}");
    assert!(said.contains("seed 0: replaced is not applicable, as a transcoder's latent"), "{said}");
    let mut lines = table.lines();
    assert!(lines.next().unwrap().ends_with(",evaluations,not_applicable"));
    let replaced: Vec<&str> = lines.filter(|line| line.contains(",replaced,")).collect();
    assert_eq!(replaced.len(), 1);
    assert!(replaced[0].contains("no one direction replaces both"), "{replaced:?}");
    let found: Value = serde_json::from_str(&text(&[&asked[..], &["--json"]].concat())).unwrap();
    let rows = found["own"].as_array().unwrap();
    let reasons: Vec<&Value> = rows.iter().filter(|row| !row["not_applicable"].is_null()).collect();
    assert_eq!(reasons.len(), 1);
    assert_eq!(reasons[0]["values"], serde_json::json!([]));

    let none = refusal(&asked[..4]);
    assert!(none.contains("[evaluate.targets]"), "{none}");
    let plain = at("saelens_standard/sae");
    let some = refusal(&["--own", &plain, "--activations", &acts, "--targets", &targets]);
    assert!(some.contains("[evaluate.config]") && some.contains("targets"), "{some}");
    let folder = scratch("audit-targets");
    let few = folder.join("few.npy").display().to_string();
    std::fs::write(&few, to_npy(&[2, 2], &[1.0; 4])).unwrap();
    let few = refusal(&["--own", &sae, "--activations", &acts, "--targets", &few]);
    assert!(few.contains("one row a row of activations"), "{few}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn several_files_of_activations_are_audited_as_one() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/evaluate");
    let folder = scratch("audit-shards");
    let whole = std::fs::read(format!("{golden}/acts_f32.npy")).unwrap();
    let data: Vec<f64> = whole[whole.len() - 150 * 12 * 4..]
        .chunks_exact(4)
        .map(|bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap())))
        .collect();
    for (name, of) in [("acts_2.npy", 0..70), ("acts_10.npy", 70..71), ("acts_11.npy", 71..150)] {
        let bytes = to_npy(&[of.len(), 12], &data[of.start * 12..of.end * 12]);
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let (sae, one) = (format!("{golden}/sae_gated"), format!("{golden}/acts_f32.npy"));
    let values = |activations: &[&str]| -> Vec<Value> {
        let asked = [&["--own", &sae, "--json", "--activations"], activations].concat();
        let found: Value = serde_json::from_str(&text(&asked)).unwrap();
        let rows = found["own"].as_array().unwrap();
        let values = rows.iter().flat_map(|row| row["values"].as_array().unwrap());
        values.map(|value| value["value"].clone()).collect()
    };
    let wanted = values(&[&one]);
    assert_eq!(values(&[folder.to_str().unwrap()]), wanted);
    let parts = [2, 10, 11].map(|at| folder.join(format!("acts_{at}.npy")).display().to_string());
    assert_eq!(values(&[&parts[0], &parts[1], &parts[2]]), wanted);
    std::fs::write(folder.join("acts_12.csv"), "1.5,2.5\n").unwrap();
    let said = refusal(&["--own", &sae, "--activations", folder.to_str().unwrap()]);
    assert!(said.contains("acts_12.csv") && said.contains("as wide as the first file"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn published_scores_are_audited() {
    let folder = scratch("audit-published");
    for (seed, a, b) in [(0, 0.8, 0.4), (1, 0.82, 0.41), (2, 0.79, 0.4)] {
        let under = folder.join(format!("seed_{seed}"));
        std::fs::create_dir_all(&under).unwrap();
        for (name, value) in [("a", a), ("b", b)] {
            let text =
                format!("{{\"eval_type_id\":\"tpp\",\"eval_result_metrics\":{{\"mean\":{{\"total\":{value}}}}}}}");
            std::fs::write(under.join(format!("{name}.json")), text).unwrap();
        }
    }
    let place = folder.display().to_string();
    let found: Value = serde_json::from_str(&text(&["--published", &place, "--json"])).unwrap();
    let [one] = &found.as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!((&one["reliability"], &one["passes"]), (&"holds".into(), &1.0.into()));
    let table = text(&["--published", &place]);
    assert!(table.contains("mean.total") && table.contains("passes"), "{table}");
    // By another limit of the rule.
    let strict = text(&["--published", &place, "--cv", "0.001", "--cv-partly", "0.002"]);
    assert!(strict.contains("fails"), "{strict}");
    let empty = refusal(&["--published", "Cargo.toml"]);
    assert!(empty.contains("[given."), "{empty}");
    std::fs::remove_dir_all(&folder).unwrap();
}
