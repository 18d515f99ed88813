//! `sfc-bench evaluate`, and the NumPy program it writes: run by Python, it finds the same.
//!
//! `PYTHON` names an interpreter that has NumPy; without it, `python3` must.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::common::{assert_close, json, number};
use crate::python::{interpreter, run_script};

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/evaluate")
}

/// The program, in the folder of the golden files.
fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
        .arg("evaluate")
        .args(args)
        .current_dir(golden())
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

#[track_caller]
fn text(args: &[&str]) -> String {
    let output = run(args);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{args:?}: {complaint}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn refusal(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty());
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    complaint
}

fn cases() -> Vec<Value> {
    let golden = json(include_str!("../golden/evaluate/expected.json"));
    golden["cases"].as_array().expect("cases").clone()
}

/// A golden case as arguments.
fn arguments(case: &Value) -> Vec<String> {
    let file = |key: &str| case[key].as_str();
    let mut activations = file("activations").expect("activations").to_owned();
    if let Some(array) = file("array") {
        activations += &format!(":{array}");
    }
    let mut args = vec!["--activations".to_owned(), activations];
    let options = [
        ("sae", "--sae"),
        ("dictionary", "--dictionary"),
        ("codes", "--codes"),
        ("codes_by", "--codes-by"),
        ("readout", "--readout"),
        ("bias", "--readout-bias"),
    ];
    for (key, option) in options {
        if let Some(value) = file(key) {
            args.extend([option.to_owned(), value.to_owned()]);
        }
    }
    args.extend(["--completeness".to_owned(), "reconstruction".to_owned()]);
    args
}

fn python(script: &str, args: &[&str]) -> Output {
    run_script(interpreter().current_dir(golden()), script, args)
}

#[test]
fn the_script_finds_what_the_report_says() {
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        let args = arguments(&case);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let report: Value = serde_json::from_str(&text(&[&args[..], &["--json"]].concat())).expect("JSON");
        let script = text(&[&args[..], &["--script"]].concat());
        assert!(script.is_ascii(), "{name}");
        let output = python(&script, &["--json"]);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "is there NumPy?\n{name}: {complaint}\n{script}");
        let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let check = |what: &str, script: &Value, report: &Value| {
            // As in tests/files/own.rs: losses of what is perfect are rounding.
            let what = format!("{name}: {what}");
            assert_close(&what, number(script), number(report), 1e-7, 1e-11);
        };
        check("S", &found["sparsity"], &report["sparsity"]["s"]);
        check("L0", &found["l0"], &report["sparsity"]["l0"]);
        for key in ["cosine", "r2", "one_minus_rel_mse", "frac_variance_explained", "shrinkage"] {
            check(key, &found[key], &report["fidelity"][key]);
        }
        for c in report["completeness"].as_array().unwrap() {
            let reading = c["reading"].as_str().unwrap();
            for variance in ["total", "grand"] {
                check(reading, &found["completeness"][reading][variance], &c[variance]);
            }
            check("SFC", &found["sfc"][reading], &c["sfc"]);
        }
        check("SFC", &found["sfc"]["reconstruction"], &report["sfc"]);
        let similarity = &report["similarity"];
        check("cosines", &found["mean_max_cosine"], &similarity["mean_max_cosine"]);
        assert_eq!(found["max_cosines"], similarity["max_cosines"]["counts"], "{name}");
        let features = &report["features"];
        assert_eq!(found["frequencies"], features["frequencies"]["counts"], "{name}");
        for key in ["dead", "dense"] {
            assert_eq!(found[key], features[key], "{name}: {key}");
        }
        for key in ["rows", "k"] {
            assert_eq!(found[key], report[key], "{name}: {key}");
        }
    }
}

#[test]
fn the_script_refuses_other_files_and_prints_tables() {
    let args = ["--activations", "acts_f32.npy", "--dictionary", "dictionary_few.npy"];
    let options = ["--active-rows", "40", "--weights", "0,2,1", "--fidelity", "r2", "--script"];
    let script = text(&[&args[..], &options].concat());
    let output = python(&script, &[]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("SFC, row-space"), "{printed}");
    let folder = std::env::temp_dir().join(format!("sfc-bench-script-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for file in ["acts_f32.npy", "dictionary_few.npy"] {
        let mut bytes = std::fs::read(golden().join(file)).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(folder.join(file), bytes).unwrap();
    }
    let output = python(&script, &[folder.to_str().unwrap()]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(!output.status.success());
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(complaint.trim(), "acts_f32.npy is not the file that was evaluated");
}

#[test]
fn a_sample_of_rows_is_told_and_scripted() {
    let args = ["--activations", "acts_f32.npy", "--sae", "sae_topk", "--active-rows", "40"];
    let report: Value = serde_json::from_str(&text(&[&args[..], &["--json"]].concat())).unwrap();
    let active = &report["completeness"][2];
    assert_eq!(active["rows"], 40);
    let note = "Completeness by active-subspace uses 40 evenly spaced rows of 150.";
    assert!(report["notes"].as_array().unwrap().iter().any(|said| said == note));
    let output = python(&text(&[&args[..], &["--script"]].concat()), &["--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = &found["completeness"]["active-subspace"];
    for variance in ["total", "grand"] {
        assert_close(variance, number(&active[variance]), number(&found[variance]), 1e-7, 0.0);
    }
}

#[test]
fn every_format_holds_the_report() {
    let args = ["--activations", "acts_f32.npy", "--sae", "sae_topk", "--digest"];
    let report: Value = serde_json::from_str(&text(&[&args[..], &["--json"]].concat())).unwrap();
    assert_eq!(report["codes"], "topk (4)");
    assert_eq!(report["files"].as_array().unwrap().len(), 3);
    for file in report["files"].as_array().unwrap() {
        assert_eq!(file["sha256"].as_str().unwrap().len(), 64);
    }
    let table = text(&args);
    for wanted in [
        "150 rows × 12, K = 20, codes: topk (4); identity readout",
        "activations: acts_f32.npy, 150 × 12 float32, SHA-256 ",
        "No readout was given",
        "The dictionary spans all 12 dimensions",
        "under weights 1:1:1, completeness by reconstruction, total variance",
    ] {
        assert!(table.contains(wanted), "{wanted}\n{table}");
    }
    let csv = text(&[&args[..], &["--csv"]].concat());
    let cell = |name: &str| {
        let line = csv.lines().find(|line| line.trim_start_matches('"').starts_with(name));
        line.and_then(|line| line.rsplit(',').next()).unwrap_or_else(|| panic!("{name}\n{csv}"))
    };
    assert_eq!(cell("sparsity").parse::<f64>().ok(), report["sparsity"]["s"].as_f64());
    assert_eq!(cell("fidelity, r2").parse::<f64>().ok(), report["fidelity"]["r2"].as_f64());
    assert_eq!(cell("sfc, reconstruction").parse::<f64>().ok(), report["sfc"].as_f64());
    // Asked for, the paper's reading is scored though it is always 1.
    let asked = [&args[..], &["--completeness", "row-space", "--json"]].concat();
    let asked: Value = serde_json::from_str(&text(&asked)).unwrap();
    assert_eq!(cell("sfc, row-space").parse::<f64>().ok(), asked["sfc"].as_f64());
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let acts = ["--activations", "acts_f32.npy"];
    let with = |more: &[&str]| refusal(&[&acts[..], more].concat());
    for (more, wanted) in [
        (&["--dictionary", "absent.npy"][..], "cannot read absent.npy"),
        (&["--dictionary", "sae_topk"], "cannot read sae_topk"),
        (&["--sae", "acts.csv"], "an autoencoder of SAELens, Gemma Scope"),
        (&["--dictionary", "acts.safetensors"], "acts.safetensors has f64, f32, bf16, f16"),
        (&["--dictionary", "acts.safetensors:f9"], "f9 is needed"),
        (&["--dictionary", "readout_bias.npy"], "allowed: 1 × 12"),
        (&["--dictionary", "dictionary_few.npy", "--codes-by", "magic"], "allowed: projection"),
        (&["--dictionary", "dictionary_few.npy", "--fidelity", "l1"], "allowed: cosine, r2"),
        (&["--dictionary", "dictionary_few.npy", "--weights", "1,2"], "three numbers"),
        (&["--dictionary", "dictionary_few.npy", "--weights", "1,-2,3"], "negative"),
        (&["--dictionary", "dictionary_few.npy", "--memory", "0"], "the run needs 1 MiB"),
        (&["--dictionary", "dictionary_few.npy", "--active-rows", "0"], "from 1"),
        (&["--dictionary", "dictionary_few.npy", "--sae", "sae_topk"], "cannot be used with"),
        (&["--dictionary", "dictionary_few.npy", "--readout-bias", "codes.npy"], "--readout"),
        (&[], "--sae"),
    ] {
        let complaint = with(more);
        assert!(complaint.contains(wanted), "{more:?}: {complaint}");
    }
}

#[test]
fn the_largest_codes_of_a_projection_are_scripted() {
    let args = ["--activations", "acts_f32.npy", "--dictionary", "dictionary_many.npy"];
    let top = [&args[..], &["--codes-by", "top-3"]].concat();
    let report: Value = serde_json::from_str(&text(&[&top[..], &["--json"]].concat())).unwrap();
    assert_eq!((&report["codes"], number(&report["sparsity"]["l0"])), (&"top-3".into(), 3.0));
    let output = python(&text(&[&top[..], &["--script"]].concat()), &["--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for (what, script, report) in [
        ("F", &found["cosine"], &report["fidelity"]["cosine"]),
        ("S", &found["sparsity"], &report["sparsity"]["s"]),
        ("SFC", &found["sfc"]["reconstruction"], &report["sfc"]),
    ] {
        assert_close(what, number(script), number(report), 1e-7, 1e-11);
    }
    assert!(text(&args).contains("Nearly every code is active"), "dense codes are told");
    let complaint = refusal(&[&args[..], &["--codes-by", "top-999"]].concat());
    assert!(complaint.contains("top-1 to top-20"), "{complaint}");
}

/// A folder of its own for a test's files.
fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("sfc-bench-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_transposed_dictionary_is_read_so_where_it_is_said() {
    let folder = scratch("turned");
    // A golden dictionary's bytes are an .npy's of version 1; its numbers are written by columns.
    let straight = std::fs::read(golden().join("dictionary_few.npy")).unwrap();
    let start = straight.len() - 7 * 12 * 4;
    let number = |row: usize, col: usize| &straight[start + 4 * (12 * row + col)..][..4];
    let mut turned = straight[..start].to_vec();
    let shape = turned.windows(7).position(|seven| seven == b"(7, 12)").expect("the shape");
    turned[shape..shape + 7].copy_from_slice(b"(12, 7)");
    (0..12).for_each(|col| (0..7).for_each(|row| turned.extend(number(row, col))));
    let path = folder.join("turned.npy");
    std::fs::write(&path, turned).unwrap();
    let path = path.to_str().unwrap();
    let acts = ["--activations", "acts_f32.npy"];
    let with = |dictionary: &[&str]| {
        let args = [&acts[..], &["--dictionary"], dictionary, &["--json"]].concat();
        serde_json::from_str::<Value>(&text(&args)).unwrap()
    };
    let complaint = refusal(&[&acts[..], &["--dictionary", path]].concat());
    assert!(complaint.contains("Transposed?") && complaint.contains("12 × 7"), "{complaint}");
    let found = with(&[path, "--transposed", "dictionary"]);
    let wanted = with(&["dictionary_few.npy"]);
    assert_eq!((&found["sfc"], &found["completeness"]), (&wanted["sfc"], &wanted["completeness"]));
    assert_eq!(found["files"][1]["transposed"], true);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_training_writes_is_what_evaluating_takes() {
    let folder = scratch("trained");
    let place = folder.to_str().unwrap();
    for world in ["superposition", "paper"] {
        let trained = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
            .args(["train", "--world", world, "--rows", "400", "--steps", "20", "--force"])
            .args(["--out", place])
            .output()
            .expect("the program starts");
        assert!(trained.status.success(), "{}", String::from_utf8_lossy(&trained.stderr));
        let file = |name: &str| format!("{place}/{name}");
        let (activations, readout, bias) = (file("activations.npy"), file("readout.npy"), file("readout_bias.npy"));
        let args = ["--sae", place, "--activations", &activations, "--readout", &readout, "--json"];
        let found: Value = serde_json::from_str(&text(&[&args[..], &["--readout-bias", &bias]].concat())).unwrap();
        assert_eq!((&found["rows"], &found["k"]), (&512.into(), &32.into()), "{world}");
        assert_eq!(found["readout_given"], true);

        // The same in one .zip, as the page saves it.
        let mut archive = sfc_bench::export::Archive::new("sae-mine");
        for name in ["cfg.json", "sae_weights.safetensors", "activations.npy", "readout.npy"] {
            archive.add(name, &std::fs::read(file(name)).unwrap()).unwrap();
        }
        let zip = file("mine.zip");
        std::fs::write(&zip, archive.finish()).unwrap();
        let zipped: Value = serde_json::from_str(&text(&[
            "--sae",
            &zip,
            "--activations",
            &zip,
            "--readout",
            &readout,
            "--readout-bias",
            &bias,
            "--json",
        ]))
        .unwrap();
        assert_eq!((&zipped["sfc"], &zipped["completeness"]), (&found["sfc"], &found["completeness"]), "{world}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A stored array of which one bit is another, so that its number is finite still: NumPy refuses it.
#[test]
fn a_damaged_archive_is_refused_before_a_result_is_shown() {
    let whole = std::fs::read(golden().join("acts_stored.npz")).unwrap();
    let folder = std::env::temp_dir().join(format!("sfc-bench-damaged-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("damaged.npz");
    let magic = b"\x93NUMPY";
    let begin = whole.windows(magic.len()).position(|part| part == magic).unwrap();
    let mut damaged = whole;
    // In the array's numbers, behind 128 bytes of header.
    damaged[begin + 128 + 400] ^= 1;
    std::fs::write(&path, &damaged).unwrap();
    let archive = path.to_str().unwrap();
    let file = |array: &str| format!("{archive}:{array}");
    let names = text(&["--activations", "acts_stored.npz:activations", "--dictionary", "dictionary_few.npy"]);
    assert!(names.contains("activations"), "{names}");
    for more in [&[][..], &["--json"], &["--csv"], &["--script"], &["--digest"]] {
        let mut args = vec!["--dictionary", "dictionary_few.npy", "--activations"];
        let activations = file("activations");
        args.push(&activations);
        args.extend(more);
        let line = refusal(&args);
        assert!(line.contains("checksum") && line.ends_with("[io.archive]\n"), "{more:?}: {line}");
    }
    for command in [&["train", "--steps", "2"][..], &["families", "--preset", "small", "--steps", "2"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
            .args(command)
            .args(["--activations", &file("activations")])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8_lossy(&output.stderr).contains("checksum"), "{output:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_checkpoint_is_scored_with_the_factor_beside_it() {
    let folder = scratch("scaler");
    let from = golden().join("sae_folded");
    let weights = std::fs::read(from.join("sae_weights.safetensors")).unwrap();
    let config = std::fs::read_to_string(from.join("cfg.json")).unwrap();
    let config = config.replace(",\n  \"norm_scaling_factor\": 1.75", "");
    std::fs::write(folder.join("sae_weights.safetensors"), weights).unwrap();
    std::fs::write(folder.join("cfg.json"), config).unwrap();
    let of = |sae: &str, format: &str| text(&["--activations", "acts_f32.npy", "--sae", sae, format]);
    let numbers = |sae: &str| -> Value {
        let report: Value = serde_json::from_str(&of(sae, "--json")).unwrap();
        serde_json::json!([report["fidelity"], report["sparsity"]])
    };
    let path = folder.to_str().unwrap();
    assert_ne!(numbers(path), numbers("sae_folded"));
    std::fs::write(folder.join("activation_scaler.json"), r#"{"scaling_factor": 1.75}"#).unwrap();
    assert_eq!(numbers(path), numbers("sae_folded"));
    assert!(of(path, "--digest").contains("scaling of activations: "));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn names_of_arrays_may_have_colons() {
    // As TensorFlow names them.
    let folder = scratch("colons");
    let rows = std::fs::read(golden().join("acts_f32.npy")).unwrap();
    let length = u16::from_le_bytes(rows[8..10].try_into().unwrap()) as usize;
    let header = br#"{"dense/kernel:0":{"dtype":"F32","shape":[150,12],"data_offsets":[0,7200]}}"#;
    let mut tensors = (header.len() as u64).to_le_bytes().to_vec();
    tensors.extend(header);
    tensors.extend(&rows[10 + length..]);
    let file = folder.join("t.safetensors");
    std::fs::write(&file, tensors).unwrap();
    let named = format!("{}:dense/kernel:0", file.display());
    let of = |acts: &str| text(&["--activations", acts, "--dictionary", "dictionary_few.npy", "--csv"]);
    assert_eq!(of(&named), of("acts_f32.npy"));
    // Where there is no such file, the last colon parts its name from the array's.
    let said = refusal(&["--activations", "no.npz:a:b", "--dictionary", "dictionary_few.npy"]);
    assert!(said.contains("cannot read no.npz:a at byte 0"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_script_reads_text_as_the_report_does() {
    let folder = scratch("labels");
    let rows: Vec<String> = (0..9)
        .map(|row| format!("{row},{},{},{}", (row * 7 % 5) as f64 - 1.5, 0.25 * row as f64, 1.0 / (1.0 + row as f64)))
        .collect();
    let text_of = format!("# so\n,0,1,2\n{}\n", rows.join("\n"));
    std::fs::write(folder.join("a.csv"), text_of).unwrap();
    std::fs::write(folder.join("w.csv"), "\"0.5\",\"-1\",\"2\"\n\"1\",\"0\",\"0.5\"\n").unwrap();
    let (a, w) = (folder.join("a.csv"), folder.join("w.csv"));
    let args = ["--activations", a.to_str().unwrap(), "--dictionary", w.to_str().unwrap()];
    let report: Value = serde_json::from_str(&text(&[&args[..], &["--json"]].concat())).unwrap();
    assert_eq!(report["rows"], 9);
    let output = python(&text(&[&args[..], &["--script"]].concat()), &["--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_close("r2", number(&found["r2"]), number(&report["fidelity"]["r2"]), 1e-7, 1e-11);
    let said = refusal(&[&args[..], &["--no-csv-labels"]].concat());
    assert!(said.contains("line 2: \"\" in column 1"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Autoencoders of other tools, by their folders and by their weights.
#[test]
fn autoencoders_of_other_tools_are_recognised() {
    let layouts = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/layouts");
    let at = |path: &str| layouts.join(path).to_str().unwrap().to_owned();
    let evaluated = |case: &str, sae: &str, more: &[&str]| {
        let (activations, sae) = (at(&format!("{case}/inputs.npy")), at(&format!("{case}/{sae}")));
        text(&[&["--activations", &activations, "--sae", &sae], more].concat())
    };
    for (case, sae, said) in [
        ("gemma_scope_npz", "layer_20/width_16k/average_l0_71", "Gemma Scope, layer 20, 48 latents, jumprelu"),
        ("gemma_scope_npz", "layer_20", "Gemma Scope, layer 20, 48 latents, jumprelu"),
        (
            "dictionary_learning_topk",
            "resid_post_layer_3/trainer_0/ae.pt",
            "dictionary_learning AutoEncoderTopK, EleutherAI/pythia-70m-deduped, layer 3",
        ),
        ("llama_scope", "Llama3_1-8B-Base-L5R-8x", "Llama Scope, layer 5, blocks.5.hook_resid_post"),
        ("llama_scope", "Llama3_1-8B-Base-L5R-8x/checkpoints/final.safetensors", "Llama Scope, layer 5"),
        ("connor_rob_hook_z", ".", "blocks.5.attn.hook_z"),
        ("openai_topk", "resid_post_mlp_v5_32k/autoencoders/6.pt", "OpenAI, 48 latents, topk (6)"),
    ] {
        if sae == "." {
            // The activations and codes beside are no autoencoder's, but may be by their endings.
            continue;
        }
        let table = evaluated(case, sae, &[]);
        assert!(table.contains(&format!("autoencoder: {said}")), "{case}: {table}");
        let report: Value = serde_json::from_str(&evaluated(case, sae, &["--json"])).unwrap();
        assert!(report["autoencoder"]["layout"].is_string() && report["fidelity"]["fvu"].is_number());
    }
    // A transcoder needs targets.
    let (activations, sae) = (at("saelens_transcoder/inputs.npy"), at("saelens_transcoder/sae"));
    let args = ["--activations", &activations, "--sae", &sae];
    let said = refusal(&args);
    assert!(said.contains("targets") && said.contains("[evaluate.targets]"), "{said}");
    let targets = at("saelens_transcoder/targets.npy");
    let report: Value = serde_json::from_str(&text(&[&args[..], &["--targets", &targets, "--json"]].concat())).unwrap();
    assert_close("r2", number(&report["fidelity"]["r2"]), 0.794176451, 0.0, 1e-6);
    // Several are named, and none, too.
    let said = refusal(&["--activations", "acts_f32.npy", "--sae", &at("openai_topk")]);
    assert!(said.contains("2 autoencoders: ") && said.contains("6_as_class_saves.pt"), "{said}");
    assert!(said.contains("[evaluate.layout]"), "{said}");
    let folder = scratch("layouts");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("readme.md"), "").unwrap();
    let said = refusal(&["--activations", "acts_f32.npy", "--sae", folder.to_str().unwrap()]);
    assert!(said.contains("no weights of an autoencoder") && said.contains("[evaluate.layout]"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Codes that are not 0 alone, in one file or in a folder of them.
#[test]
fn sparse_codes_are_read_as_a_matrix() {
    let layouts = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/layouts/sparse_codes");
    let at = |path: &str| layouts.join(path).to_str().unwrap().to_owned();
    let (activations, weights) = (at("inputs.npy"), at("sae_weights.safetensors"));
    let (dictionary, bias) = (format!("{weights}:W_dec"), format!("{weights}:b_dec"));
    for (codes, r2) in
        [("csr.npz", 0.864814451), ("sparsify_topk.pt", 0.864814451), ("delphi_splits/layers.5", 0.864812955)]
    {
        let codes = at(codes);
        let args = ["--activations", &activations, "--dictionary", &dictionary, "--codes", &codes];
        let report = text(&[&args[..], &["--decoder-bias", &bias, "--json"]].concat());
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_close(&codes, number(&report["fidelity"]["r2"]), r2, 0.0, 1e-6);
    }
}

#[test]
fn an_autoencoders_file_may_be_taken_for_its_dictionary() {
    // What of an autoencoder's file is left aside where its decoder is taken for a dictionary.
    let table = text(&["--activations", "acts_f32.npy", "--dictionary", "sae_standard/sae_weights.safetensors:W_dec"]);
    assert!(table.contains("an autoencoder's file, of which W_dec was taken"), "{table}");
}

/// Parts of activations score as the whole does, named one by one or as a folder whose numbers are not of one length.
#[test]
fn activations_may_come_in_several_files() {
    let folder = scratch("shards");
    let whole = std::fs::read(golden().join("acts_f32.npy")).unwrap();
    let (rows, cols) = (150, 12);
    let data = &whole[whole.len() - rows * cols * 4..];
    for (name, of) in [("acts_2.npy", 0..70), ("acts_10.npy", 70..71), ("acts_11.npy", 71..rows)] {
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {cols}), }}\n", of.len());
        let length = (header.len() as u16).to_le_bytes();
        let rows = &data[of.start * cols * 4..of.end * cols * 4];
        let file = [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes(), rows].concat();
        std::fs::write(folder.join(name), file).unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "of no arrays").unwrap();
    let [two, ten, eleven] = [2, 10, 11].map(|at| folder.join(format!("acts_{at}.npy")).to_str().unwrap().to_owned());
    let sae = ["--sae", "sae_topk"];
    let report = |args: &[&str]| -> Value {
        let mut found: Value = serde_json::from_str(&text(&[args, &sae, &["--json", "--digest"]].concat())).unwrap();
        let files = found["files"].take();
        let all = files.as_array().unwrap().iter();
        found["files"] = all.filter(|one| one["role"] == "activations").count().into();
        found
    };
    let mut wanted = report(&["--activations", "acts_f32.npy"]);
    assert_eq!(wanted["files"], 1);
    wanted["files"] = 3.into();
    assert_eq!(report(&["--activations", folder.to_str().unwrap()]), wanted);
    let each = ["--activations", &two, "--activations", &ten, "--activations", &eleven];
    assert_eq!(report(&each), wanted);
    let output = python(&text(&[&each[..], &sae, &["--script"]].concat()), &["--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["rows"], 150);
    assert_close("r2", number(&found["r2"]), number(&wanted["fidelity"]["r2"]), 1e-7, 1e-11);
    let none = folder.join("none");
    std::fs::create_dir(&none).unwrap();
    let said = refusal(&["--activations", none.to_str().unwrap(), "--sae", "sae_topk"]);
    assert!(said.contains("a folder without files of arrays"), "{said}");
    let narrow = folder.join("narrow.csv");
    std::fs::write(&narrow, "1.5,2.5\n").unwrap();
    let said = refusal(&["--activations", &two, narrow.to_str().unwrap(), "--sae", "sae_topk"]);
    assert!(said.contains("as wide as the first file of them"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn rows_that_are_left_out_are_scripted() {
    let files = ["--activations", "acts_f32.npy", "--dictionary", "dictionary_few.npy"];
    let skip = ["--skip-rows", "0,5-9", "--skip-norm-above", "1.5", "--skip-zero-rows"];
    for codes in [&["--codes", "codes.npy"][..], &[]] {
        let args = [&files[..], codes, &skip].concat();
        let report: Value = serde_json::from_str(&text(&[&args[..], &["--json"]].concat())).unwrap();
        let skipped = &report["skipped"];
        assert_eq!((skipped["rows"].as_str(), &skipped["named"]), (Some("0,5-9"), &6.into()));
        assert!(skipped["long"].as_u64() > Some(0), "{skipped}");
        let output = python(&text(&[&args[..], &["--script"]].concat()), &["--json"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["rows"], report["rows"]);
        for key in ["cosine", "r2"] {
            assert_close(key, number(&found[key]), number(&report["fidelity"][key]), 1e-7, 1e-11);
        }
        let active = number(&report["completeness"][2]["total"]);
        let scripted = number(&found["completeness"]["active-subspace"]["total"]);
        assert_close("C", scripted, active, 1e-7, 1e-11);
    }
    for (flags, field) in [
        (["--skip-rows", "x"], "skip.rows"),
        (["--skip-rows", "0-149"], "all 150 rows"),
        (["--skip-rows", "150"], "rows from 0 to 149"),
        (["--skip-norm-above", "0.5"], "a multiple of the median"),
    ] {
        let said = refusal(&[&files[..], &flags].concat());
        assert!(said.contains(field), "{said}");
    }
}

#[test]
fn given_codes_may_have_a_decoders_bias() {
    let files = ["--activations", "acts_f32.npy", "--dictionary", "dictionary_few.npy"];
    let codes = ["--codes", "codes.npy"];
    let folder = scratch("bias");
    let bias = folder.join("b_dec.csv");
    std::fs::write(&bias, "0.5,-1,2,0,0,0.25,1,1,-1,0,0,3\n").unwrap();
    let given = ["--decoder-bias", bias.to_str().unwrap()];
    let alone = refusal(&[&files[..], &given].concat());
    assert!(alone.contains("--codes"), "{alone}");
    let all = |args: &[&str]| text(&[&files[..], &codes, args].concat());
    let report = |args: &[&str]| -> Value { serde_json::from_str(&all(&[args, &["--json"]].concat())).unwrap() };
    let (plain, biased) = (report(&[]), report(&given));
    assert_ne!(plain["fidelity"], biased["fidelity"]);
    assert_eq!(plain["sparsity"], biased["sparsity"]);
    let output = python(&all(&[&given[..], &["--script"]].concat()), &["--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in ["cosine", "r2"] {
        assert_close(key, number(&found[key]), number(&biased["fidelity"][key]), 1e-7, 1e-11);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
