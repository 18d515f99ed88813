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
    assert_eq!(found["hooks"].as_array().unwrap().len(), 44);
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
    let header = format!("{{'descr': '<u2', 'fortran_order': False, 'shape': (2, {}), }}\n", tokens.len());
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
    for word in ["2 layers of 2 heads", "44 hooks", "a tokenizer of 423", "MiB", "probability"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let without = printed(&["model", "own", &golden("gpt2")]);
    assert!(without["tokenizer"].is_null() && without["prompts"].as_array().unwrap().is_empty());
}

#[test]
fn what_cannot_be_read_is_refused_in_one_line_that_says_why() {
    let [own, gpt2] = ["own", "gpt2"].map(golden);
    let nothing = golden("nothing");
    let sae = golden("../evaluate/sae_standard");
    let array = golden("../evaluate/acts_f32.npy");
    for (args, said, code) in [
        (
            &[&*own, "--text", "a", "--hook", "blocks.0.hook_resid_pots", "--out", "x.npy"][..],
            "did you mean \"blocks.0.hook_resid_post\"?",
            "settings.hook",
        ),
        (&[&own, "--text", "a", "--hook", "hook_embed"], "with --out FILE.npy", "settings.hook"),
        (
            &[&own, "--text", "a", "--hook", "hook_embed", "--sae", &sae],
            "activations of 16 numbers; allowed: 12",
            "splice.width",
        ),
        (&[&own, "--tokens", "1,428"], "token 428; allowed: 0 to 427", "model.token"),
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

/// A GGUF file and the folder it was made of, from the same text to the same tokens; and what is at a hook, in a file.
#[test]
fn models_of_other_families_are_read_from_folders_and_gguf_files() {
    let folder = golden("../models/smollm2");
    let file = format!("{folder}/model.gguf");
    let text = "The file is read, once: 42 items — café!";
    let [found, same] = [&folder, &file].map(|path| printed(&["model", "own", path, "--text", text]));
    for key in ["tokens", "top", "cross_entropy"] {
        assert!(!found[key].is_null());
        assert_eq!(found[key], same[key], "{key}");
    }
    assert_eq!(found["top"].as_array().unwrap().len(), 10);
    for key in ["token", "text", "logit", "probability"] {
        assert!(!found["top"][0][key].is_null(), "{key}");
    }
    assert_eq!(found["top"], found["prompts"][0]["next"]);
    assert!((1.0..30.0).contains(&number(&found["cross_entropy"])));

    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("acts.npy");
    let _ = fs::remove_file(&out);
    let args = ["model", "own", &file, "--text", text, "--out", out.to_str().unwrap()];
    let taken = printed(&[&args[..], &["--hook", "model.layers.1"]].concat());
    let count = found["tokens"].as_array().unwrap().len();
    assert_eq!(taken["activations"]["shape"], serde_json::json!([count, 48]));
    assert_eq!(taken["activations"]["hook"], "blocks.1.hook_resid_post");
    assert!(taken["top"].is_null(), "no logits are computed");
    // The first ten rows are those of an independent forward pass.
    let read = |path: &Path, array: Option<&str>| {
        let bytes = Box::new(fs::read(path).unwrap());
        let file = sfc_bench::io::DataFile::open(path.to_str().unwrap(), bytes, 1 << 20).unwrap();
        let array = array.map_or_else(|| file.only_array(), |name| file.array(name)).unwrap();
        array.read_all().unwrap()
    };
    let golden = Path::new(&folder).join("golden.safetensors");
    let (rows, wanted) = (read(&out, None), read(&golden, Some("blocks.1.hook_resid_post")));
    assert_eq!((rows.len(), wanted.len()), (48 * count, 480));
    assert!(rows.iter().zip(&wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-4));
    // What this program did not write is not written over.
    fs::write(&out, "words").unwrap();
    let (code, _, error) = run(&[&args[..], &["--hook", "hook_embed"]].concat());
    assert!(code == Some(2) && error.contains("--force"), "{error}");
    let pattern = [&args[..], &["--hook", "blocks.0.attn.hook_pattern", "--force"]].concat();
    assert_eq!(printed(&pattern)["activations"]["shape"], serde_json::json!([3, count, count]));
    fs::remove_file(out).unwrap();
}

/// The command line shows what the library finds, which a separate pass has found (`tests/core/decoder.rs`).
#[test]
fn a_model_is_looked_into_with_its_autoencoder() {
    let [folder, file, sae] =
        ["smollm2", "smollm2/model.gguf", "smollm2-sae"].map(|name| golden(&format!("../models/{name}")));
    let inside = json(include_str!("../golden/models/inside.json"));
    let tokens: Vec<String> = inside["tokens"].as_array().unwrap().iter().map(Value::to_string).collect();
    let tokens = tokens.join(",");
    let asked = ["model", "own", &folder, "--tokens", &tokens];
    let near = |found: &Value, wanted: &Value| (number(found) - number(wanted)).abs() < 1e-4;
    let args = ["--lens", "--attention", "1.2", "--ablate", "head:0.1", "--to", "mean"];
    let found = printed(&[&asked[..], &args].concat());
    assert!(near(&found["losses"][3], &inside["losses"][3]));
    assert_eq!(found["attention"]["head"], "head:1.2");
    assert_eq!(found["lens"].as_array().unwrap().len(), 2);
    let wanted = &inside["ablations"][1];
    assert_eq!((&wanted["component"], &wanted["to"]), (&"head:0.1".into(), &"mean".into()));
    for key in ["cross_entropy", "kl", "top1_agreement"] {
        assert!(near(&found["ablation"][key], &wanted[key]), "{key}");
    }
    assert!(number(&found["ablation"]["control"]["kl"]) > 0.0);
    let plain = printed(&[&asked[..], &["--lens", "--attention", "1.2"]].concat());
    let lens = &inside["lens"][1][4];
    assert_eq!(plain["lens"][1][4]["token"], lens["token"]);
    assert!(near(&plain["lens"][1][4]["probability"], &lens["probability"]));
    assert!(near(&plain["attention"]["pattern"][7][2], &inside["pattern 1.2"][7][2]));

    // The autoencoder's configuration names its hook.
    let spliced = printed(&[&asked[..], &["--sae", &sae]].concat());
    assert!(near(&spliced["splice"]["recovered"], &inside["splice"]["recovered"]));
    let latent = inside["splice"]["latent"].to_string();
    let scale = format!("{latent}=0");
    let args = ["--sae", &sae, "--keep-error", "--scale", &scale];
    let without = printed(&[&asked[..], &args].concat());
    assert!(near(&without["splice"]["kl"], &inside["splice"]["without it, error kept"]["kl"]));

    let args = ["model", "own", &file, "--sae", &sae, "--latents", "5", "--latent", &latent];
    let study = printed(&args);
    assert_eq!(study["latents"]["rows"].as_array().unwrap().len(), 5);
    assert_eq!(study["concepts"]["rows"].as_array().unwrap().len(), 30);
    let context = &study["latent"]["contexts"][0];
    let at = context["at"].as_u64().unwrap() as usize;
    assert_eq!(context["tokens"][at][1], context["activation"]);
    assert!(context["pieces"][at].is_string() && study["latent"]["raised"][0]["text"].is_string());
    let (code, text, _) = run(&args);
    assert_eq!(code, Some(0));
    for word in ["of 96 latents active", "shuffled labels", "raises", "lowers"] {
        assert!(text.contains(word), "{word}: {text}");
    }

    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("concepts.txt");
    fs::write(&scratch, "digits: class thing\n").unwrap();
    let rules = scratch.to_str().unwrap();
    // What would be ignored is refused.
    let [text, corpus] = [&["--text", "a b"][..], &["--corpus", rules]];
    for (args, said) in [
        (&["--lens"][..], "lens"),
        (&["--ablate", "head:0.0"], "ablate"),
        (&["--sae", &sae], "sae"),
        (&["--sae", &sae, "--latents", "1", "--scale", "1=0"], "scale"),
        (&[text, &["--sae", &sae], corpus].concat(), "corpus"),
        (&[text, &["--seed", "1"]].concat(), "seed"),
        (&[text, &["--lens", "--csv"]].concat(), "lens"),
        (&[text, &["--sae", &sae, "--csv"]].concat(), "sae"),
        (&[text, &["--attention", "0.0", "--hook", "hook_embed", "--out", "x"]].concat(), "attention"),
    ] {
        let (code, _, error) = run(&[&["model", "own", &file], args].concat());
        let said = format!("[settings.{said}]");
        assert!(code == Some(2) && error.contains(&said), "{args:?}: {error}");
    }
    for (args, said) in [
        (&["--ablate", "head:0"][..], "head:LAYER.HEAD or neuron:LAYER.NEURON"),
        (&["--ablate", "head:7.0"], "0 to 1"),
        (&["--attention", "x"], "LAYER.HEAD"),
        (&["--sae", &sae, "--scale", "1:0"], "17=0"),
        (&["--sae", &sae, "--scale", "96=0"], "0 to 95"),
        (&["--sae", &sae, "--latent", "96"], "0 to 95"),
        (&["--sae", &sae, "--latents", "1", "--concepts", rules], "digit, capitalised"),
    ] {
        let (code, _, error) = run(&[&["model", "own", &file, "--text", "a b"], args].concat());
        assert!(code == Some(2) && error.contains(said), "{args:?}: {error}");
    }
    fs::remove_file(scratch).unwrap();
}

#[test]
fn activations_over_a_corpus_are_those_of_its_texts_without_their_first_positions() {
    let folder = format!("{}/tests/golden/models/smollm2", env!("CARGO_MANIFEST_DIR"));
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus-activations");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let file = |name: &str| place.join(name).to_str().unwrap().to_owned();
    let texts = ["It is 42, and it is done.", "A tree, and 17 more."];
    std::fs::write(file("texts.txt"), texts.join("\n\n")).unwrap();
    let values = |name: &str, rows: usize| {
        let bytes = std::fs::read(file(name)).unwrap();
        let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let values = bytes[header..].to_vec();
        let width = values.len() / rows;
        (values, width)
    };
    for hook in ["blocks.0.hook_resid_post", "blocks.1.attn.hook_z"] {
        let at = ["model", "own", &folder, "--hook", hook, "--force", "--out"];
        let mut wanted = Vec::new();
        for text in texts {
            let (out, more) = (file("one.npy"), ["--text", text]);
            let found = printed(&[&at[..], &[out.as_str()], &more].concat());
            let rows = found["activations"]["shape"][0].as_u64().unwrap() as usize;
            let (values, width) = values("one.npy", rows);
            wanted.extend_from_slice(&values[width..]);
        }
        let (out, corpus) = (file("all.npy"), file("texts.txt"));
        let found = printed(&[&at[..], &[&out, "--corpus", &corpus]].concat());
        let rows = found["activations"]["shape"][0].as_u64().unwrap() as usize;
        assert_eq!(values("all.npy", rows).0, wanted, "{hook}");
    }
    let (out, corpus) = (file("all.npy"), file("texts.txt"));
    for (more, named) in [
        (&["--corpus", &corpus][..], "corpus"),
        (&["--corpus", &corpus, "--hook", "blocks.0.attn.hook_pattern", "--out", &out, "--force"], "hook"),
    ] {
        let (code, _, error) = run(&[&["model", "own", &folder], more].concat());
        assert!(code != Some(0) && error.contains(named), "{more:?}: {error}");
    }
}
