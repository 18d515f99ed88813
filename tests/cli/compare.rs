//! `sfc-bench compare`: decompositions side by side, as `evaluate` scores each, with controls.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::{assert_close, number};

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The program in a folder of golden files: whether it succeeds, what it prints, and what it complains of.
fn run(folder: &str, args: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
        .args(args)
        .current_dir(golden().join(folder))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn text(folder: &str, args: &[&str]) -> String {
    let (done, said, complaint) = run(folder, args);
    assert!(done, "{args:?}: {complaint}");
    said
}

#[track_caller]
fn printed(folder: &str, args: &[&str]) -> Value {
    serde_json::from_str(&text(folder, &[args, &["--json"]].concat())).unwrap()
}

#[track_caller]
fn refusal(folder: &str, args: &[&str]) -> String {
    let (done, said, complaint) = run(folder, args);
    assert!(!done && said.is_empty(), "{args:?}");
    complaint
}

fn row<'a>(table: &'a Value, name: &str) -> &'a Value {
    let rows = table["rows"].as_array().unwrap();
    let found = rows.iter().find(|row| row["name"] == name);
    found.unwrap_or_else(|| panic!("no {name}: {:?}", rows.iter().map(|r| &r["name"]).collect::<Vec<_>>()))
}

const ACTS: [&str; 2] = ["--activations", "acts_f32.npy"];

#[test]
fn every_row_is_what_evaluate_says_of_it() {
    let names = ["sae_standard", "sae_topk", "sae_jumprelu"];
    let table = printed("evaluate", &[&["compare"], &names[..], &ACTS].concat());
    for name in names {
        let mut alone = printed("evaluate", &[&["evaluate", "--sae", name], &ACTS[..]].concat());
        let mut there = row(&table, name)["report"].clone();
        let mut scored = there["completeness"].as_array().unwrap().iter();
        let scored = scored.find(|one| one["reading"] == table["reading"]).cloned().unwrap();
        assert_eq!(row(&table, name)["completeness"], scored["total"]);
        assert_eq!(row(&table, name)["sfc"], scored["sfc"]);
        // By which reading it is scored depends on the others.
        for report in [&mut alone, &mut there] {
            let report = report.as_object_mut().unwrap();
            for scored in ["reading", "sfc"] {
                report.remove(scored);
            }
        }
        assert_eq!(there, alone, "{name}");
    }
    // Three controls each; what two share is there once, and says of which.
    let rows = table["rows"].as_array().unwrap();
    let of = |role: &str| rows.iter().filter(|row| row["role"] == role).collect::<Vec<_>>();
    assert_eq!((of("given").len(), of("permuted").len()), (3, 3));
    for role in ["random", "pca"] {
        let beside = of(role).iter().map(|row| row["control_of"].as_array().unwrap().len()).sum::<usize>();
        assert_eq!(beside, 3, "{role}");
    }
    let scores: Vec<f64> = rows.iter().map(|row| number(&row["sfc"])).collect();
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
    for control in of("permuted") {
        let name = control["control_of"][0].as_str().unwrap();
        let own = row(&table, name);
        assert_eq!(control["sparsity"], own["sparsity"], "{name} keeps its codes");
        assert!(number(&control["fidelity"]) < number(&own["fidelity"]), "{name}");
    }
    let codes = |role: &str| of(role)[0]["report"]["codes"].as_str().unwrap().to_owned();
    assert!(codes("random").starts_with("positive top-"), "{}", codes("random"));
    assert!(codes("pca").starts_with("top-"), "{}", codes("pca"));
}

#[test]
fn the_front_and_contributions_are_those_of_hypervolume() {
    let args = ["compare", "sae_standard", "sae_topk", "sae_gated", "--activations", "acts_f32.npy"];
    let table = printed("evaluate", &args);
    let rows = table["rows"].as_array().unwrap();
    let mut points = String::new();
    for row in rows {
        let [s, f, c] = ["sparsity", "fidelity", "completeness"].map(|axis| number(&row[axis]));
        points += &format!("{s},{f},{c}\n");
    }
    let file = std::env::temp_dir().join(format!("sfc-bench-{}-points.csv", std::process::id()));
    std::fs::write(&file, points).unwrap();
    let found = printed("evaluate", &["hypervolume", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert_close("volume", number(&table["hypervolume"]), number(&found["hypervolume"]), 0.0, 1e-12);
    let front: Vec<u64> = found["front"].as_array().unwrap().iter().map(|at| at.as_u64().unwrap()).collect();
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(row["on_front"], Value::from(front.contains(&(at as u64))), "{row}");
        let alone = number(&found["contributions"][at]);
        assert_close("alone", number(&row["contribution"]), alone, 0.0, 1e-12);
    }
}

#[test]
fn a_folder_of_many_is_listed_and_chosen_from() {
    let listed = printed("layouts", &["compare", "openai_topk", "gemma_scope_npz/layer_20", "--list"]);
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names[0].ends_with("6") && names[1].ends_with("6_as_class_saves"), "{names:?}");
    assert_eq!(listed[2]["recognised"]["layout"], "Gemma Scope");
    let chosen = ["compare", "openai_topk", "--choose", "*_saves", "--no-controls"];
    let acts = ["--activations", "openai_topk/inputs.npy"];
    let table = printed("layouts", &[&chosen[..], &acts].concat());
    assert_eq!(table["rows"].as_array().unwrap().len(), 1);
    assert_eq!((&table["rows"][0]["name"], &table["seed"]), (&Value::from(names[1]), &Value::Null));
    let both = printed("layouts", &[&["compare", "openai_topk", "--no-controls"], &acts[..]].concat());
    assert_eq!(both["rows"].as_array().unwrap().len(), 2);
    let said = refusal("layouts", &[&["compare", "openai_topk", "--choose", "none"], &acts[..]].concat());
    assert!(said.contains("choose") && said.contains("--list"), "{said}");
}

#[test]
fn rows_are_the_same_for_all() {
    let skip = ["--skip-norm-above", "1.2", "--skip-rows", "0-4"];
    let args = [&["compare", "sae_standard", "sae_topk"], &ACTS[..], &skip].concat();
    let table = printed("evaluate", &args);
    let alone = printed("evaluate", &[&["evaluate", "--sae", "sae_topk"], &ACTS[..], &skip].concat());
    for row in table["rows"].as_array().unwrap() {
        assert_eq!(row["report"]["rows"], alone["rows"], "{}", row["name"]);
        assert_eq!(row["report"]["skipped"], alone["skipped"], "{}", row["name"]);
    }
    assert_eq!(row(&table, "sae_topk")["fidelity"], alone["fidelity"]["cosine"]);
    let said = refusal("evaluate", &[&["compare", "sae_topk", "sae_topk"], &ACTS[..]].concat());
    assert!(said.contains("sae_topk, name") && said.contains("[evaluate.config]"), "{said}");
    let said = refusal("evaluate", &[&["compare", "nowhere"], &ACTS[..]].concat());
    assert!(said.contains("nowhere"), "{said}");
}

#[test]
fn transcoders_stand_beside_autoencoders_of_what_they_reconstruct() {
    let case = "layouts/saelens_transcoder";
    let args = ["compare", "sae", "--activations", "inputs.npy", "--targets", "targets.npy"];
    let table = printed(case, &args);
    let own = row(&table, "sae");
    assert_close("r2", number(&own["report"]["fidelity"]["r2"]), 0.794176451, 0.0, 1e-6);
    // The controls are of the targets.
    let pca = table["rows"].as_array().unwrap().iter().find(|row| row["role"] == "pca").unwrap();
    assert_eq!(pca["report"]["dimensions"], own["report"]["dimensions"]);
    assert!(refusal(case, &args[..4]).contains("[evaluate.targets]"));
}

#[test]
fn a_table_is_printed_for_people_programs_and_papers() {
    let args = [&["compare", "sae_standard", "sae_topk"], &ACTS[..]].concat();
    let table = text("evaluate", &args);
    assert!(table.contains("sae_topk, permuted decoder") && table.contains("hypervolume"), "{table}");
    let latex = text("evaluate", &[&args[..], &["--latex"]].concat());
    assert!(latex.contains("\\begin{tabular}") && latex.contains("sae\\_topk"), "{latex}");
    let csv = text("evaluate", &[&args[..], &["--csv"]].concat());
    let table = printed("evaluate", &args);
    let mut lines = csv.lines();
    assert!(lines.next().unwrap().starts_with("name,role,k,sfc,sparsity,fidelity,completeness"));
    for (line, row) in lines.zip(table["rows"].as_array().unwrap()) {
        assert!(line.contains(&number(&row["fidelity"]).to_string()), "{line}");
    }
    // Another seed is another control, and nothing else.
    let other = printed("evaluate", &[&args[..], &["--seed", "7"]].concat());
    for one in table["rows"].as_array().unwrap() {
        let there = row(&other, one["name"].as_str().unwrap());
        let drawn = ["random", "permuted"].contains(&one["role"].as_str().unwrap());
        assert_eq!(there["fidelity"] == one["fidelity"], !drawn, "{}", one["name"]);
    }
}

#[test]
fn an_autoencoder_alone_says_what_it_is_scored_with() {
    let case = ["evaluate", "--sae", "gemma_scope_2_tc"];
    let said = text("layouts", &case);
    let found = printed("layouts", &case);
    let script = found["script"].as_str().unwrap();
    assert!(said.contains(script) && said.contains("Gemma Scope 2"), "{said}");
    let listed = printed("layouts", &["compare", "gemma_scope_2_tc", "--list"]);
    for key in ["name", "dimensions", "k", "recognised"] {
        assert_eq!(found[key], listed[0][key], "{key}");
    }
    let [read, made] = [0, 1].map(|at| found["dimensions"][at].as_u64().unwrap());
    assert!(script.contains(&format!("# activations.npy: {read} wide")), "{script}");
    assert!(script.contains(&format!("# targets.npy: {made} wide")), "{script}");
    // Nothing that belongs to a score is taken without one.
    for more in [
        &["--fidelity", "r2"][..],
        &["--weights", "1,2,3"],
        &["--skip-zero-rows"],
        &["--readout", "W.npy"],
        &["--targets", "t.npy"],
        &["--transposed", "readout"],
        &["--digest"],
        &["--script"],
        &["--csv"],
    ] {
        let said = refusal("layouts", &[&case[..], more].concat());
        assert!(said.contains("--activations") || said.contains("csv"), "{more:?}: {said}");
    }
    let listing = ["compare", "gemma_scope_2_tc", "--list", "--latex"];
    assert!(refusal("layouts", &listing).contains("--activations"));
}

#[test]
fn what_is_not_matched_is_said() {
    let folder = std::env::temp_dir().join(format!("sfc-bench-{}-nine", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let acts = golden().join("evaluate/acts_f32.npy");
    let names: Vec<String> = (0..9).map(|at| format!("d{at}.npy")).collect();
    for name in &names {
        // Activations serve as a dictionary: what it is does not matter.
        std::fs::copy(&acts, folder.join(name)).unwrap();
    }
    let files: Vec<String> = names.iter().map(|name| folder.join(name).to_str().unwrap().to_owned()).collect();
    let mut args = vec!["compare"];
    args.extend(files.iter().map(String::as_str));
    args.extend(["--no-controls", "--codes-by", "top-2"]);
    args.extend(ACTS);
    let table = printed("evaluate", &args);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(table["consistency"].as_array().unwrap().len(), 8 * 7 / 2);
    let notes = table["notes"].as_array().unwrap();
    assert_eq!(notes.len(), 1, "{notes:?}");
    let said = notes[0].as_str().unwrap();
    assert!(said.contains("no PW-MCC of") && said.contains("d8.npy"), "{said}");
}

/// What the page of comparisons claims, in its title and below.
#[test]
fn random_directions_beat_pca_beyond_seed_noise_in_the_full_preset_alone() {
    for (preset, beyond) in [("full", true), ("small", false)] {
        let args = ["families", "--preset", preset, "--methods", "pca,random"];
        let found = printed("", &args);
        let pair = &found["differences"][0];
        assert_eq!((&pair["first"], &pair["second"]), (&"pca".into(), &"random".into()));
        assert!(number(&pair["difference"]) < 0.0, "{pair}");
        assert_eq!(pair["exceeds"], beyond, "{pair}");
    }
}
