//! `model own`: a folder as transformers saves it, from a text or from tokens to what comes next.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{json, number};

fn golden(folder: &str) -> String {
    format!("{}/tests/golden/model/{folder}", env!("CARGO_MANIFEST_DIR"))
}

fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let found = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (found.status.code(), text(found.stdout), text(found.stderr))
}

#[track_caller]
fn printed(args: &[&str]) -> Value {
    let (code, text, error) = run(&[args, &["--json"]].concat());
    assert_eq!(code, Some(0), "{args:?}: {error}");
    json(&text)
}

#[test]
fn what_comes_after_a_text_is_what_transformers_finds() {
    let expected = json(include_str!("../golden/model/own/expected.json"));
    let folder = golden("own");
    let prompt = expected["prompt"].as_str().unwrap();
    let found = printed(&["model", "own", &folder, "--text", prompt]);
    assert_eq!(found["config"]["d_model"], 16);
    assert_eq!(found["tokenizer"]["tokens"], 423);
    assert_eq!(found["hooks"].as_array().unwrap().len(), 31);
    assert!(found["memory"].as_u64().unwrap() > 4 * 428 * 16);
    let after = &found["prompts"][0];
    assert_eq!(after["tokens"], expected["prompt_tokens"]);
    let next = after["next"].as_array().unwrap();
    assert_eq!(next.len(), 10);
    for next in next {
        let wanted = &expected["logits"][next["token"].as_u64().unwrap() as usize];
        assert!((number(&next["logit"]) - number(wanted)).abs() < 1e-4, "{next}");
        assert!(next["text"].is_string());
    }

    // The same tokens by number, and two prompts in a file.
    let tokens: Vec<u16> = serde_json::from_value(expected["prompt_tokens"].clone()).unwrap();
    let list: Vec<String> = tokens.iter().map(u16::to_string).collect();
    let listed = printed(&["model", "own", &folder, "--tokens", &list.join(",")]);
    assert_eq!(listed["prompts"], found["prompts"]);
    let header =
        format!("{{'descr': '<u2', 'fortran_order': False, 'shape': (2, {}), }}\n", tokens.len());
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    for _ in 0..2 {
        bytes.extend(tokens.iter().flat_map(|token| token.to_le_bytes()));
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-tokens.npy");
    fs::write(&file, bytes).unwrap();
    let read = printed(&["model", "own", &folder, "--tokens", file.to_str().unwrap()]);
    assert_eq!(read["prompts"][0], found["prompts"][0]);
    assert_eq!(read["prompts"][1], found["prompts"][0]);
    fs::remove_file(file).unwrap();

    let (code, text, _) = run(&["model", "own", &folder, "--text", prompt]);
    assert_eq!(code, Some(0));
    for word in ["2 layers of 2 heads", "31 hooks", "a tokenizer of 423", "MiB", "probability"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let without = printed(&["model", "own", &golden("gpt2")]);
    assert!(without["tokenizer"].is_null() && without["prompts"].as_array().unwrap().is_empty());
}

#[test]
fn what_cannot_be_read_is_refused_in_one_line_that_says_why() {
    let [own, gpt2] = ["own", "gpt2"].map(golden);
    let nothing = golden("nothing");
    let array = golden("../evaluate/acts_f32.npy");
    for (args, said, code) in [
        (&[&*own, "--tokens", "1,428"][..], "token 428; allowed: 0 to 427", "model.token"),
        (&[&own, "--tokens", "1,-2"], "allowed: whole numbers from 0", "settings.tokens"),
        (&[&own, "--tokens", "1,,2"], "allowed: whole numbers from 0", "settings.tokens"),
        (&[&own, "--tokens", &array], "float32 numbers; allowed: whole numbers", "model.tokens"),
        (&[&own, "--tokens", "ids.npy"], "cannot read ids.npy", "io.unreadable"),
        (&[&own, "--text", ""], "tokens of a prompt = 0", "model.size"),
        (&[&gpt2, "--text", "a"], "the folder has no tokenizer.json", "settings.text"),
        (&[&own, "--memory", "0"], "model takes", "model.too-large"),
        (&[&golden("")], "the folder has no config.json", "model.folder"),
        (&[&nothing], "cannot read", "io.unreadable"),
        (&[&array], "nor a .zip of one", "io.unreadable"),
    ] {
        let (found, out, error) = run(&[&["model", "own"], args].concat());
        assert_eq!((found, out.as_str()), (Some(2), ""), "{args:?}: {error}");
        let ends = format!(" [{code}]\n");
        assert!(error.contains(said) && error.ends_with(&ends), "{args:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
