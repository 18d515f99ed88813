//! A reader's own model with its tokenizer: from a text to what comes next, held against transformers.

use serde_json::Value;
use sfc_bench::io::{DataFile, ReadAt};
use sfc_bench::model::{Config, Hook, ModelError, ModelFolder, Site, read_token_rows};
use sfc_bench::synthetic::language::Token;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{self, numbers};

const CONFIG: &[u8] = include_bytes!("../golden/model/own/config.json");
const WEIGHTS: &[u8] = include_bytes!("../golden/model/own/model.safetensors");
const TOKENIZER: &[u8] = include_bytes!("../golden/model/own/tokenizer.json");
const CAP: u64 = 64 << 20;

fn folder(files: &[(&str, &[u8])]) -> Result<ModelFolder, ModelError> {
    let files = files.iter().map(|(name, bytes)| {
        let source: Box<dyn ReadAt> = Box::new(bytes.to_vec());
        ((*name).to_owned(), source)
    });
    ModelFolder::open(files.collect(), CAP)
}

fn whole() -> ModelFolder {
    let all = [
        ("mine/config.json", CONFIG),
        ("mine/model.safetensors", WEIGHTS),
        ("mine/tokenizer.json", TOKENIZER),
        ("mine/generation_config.json", b"{"),
        ("mine/README.md", b"words"),
    ];
    folder(&all).expect("a folder")
}

#[track_caller]
fn refused(files: &[(&str, &[u8])]) -> (&'static str, String) {
    let Err(error) = folder(files) else { panic!("opened as if nothing were wrong") };
    (error.code(), error.to_string())
}

fn expected() -> Value {
    common::json(include_str!("../golden/model/own/expected.json"))
}

#[test]
fn what_comes_next_is_what_transformers_finds() {
    let expected = expected();
    let logits = numbers(&expected["logits"]);
    let folder = whole();
    assert_eq!((folder.config().vocabulary, folder.config().d_mlp), (logits.len(), 40));
    let bytes = folder.memory_bytes();
    let Err(error) = whole().read(bytes - 1) else { panic!("read beyond the cap") };
    assert_eq!(error.code(), "model.too-large");
    let model = folder.read(bytes).unwrap();
    let tokenizer = model.tokenizer().unwrap();
    let tokens = tokenizer.encode(expected["prompt"].as_str().unwrap()).unwrap();
    let wanted: Vec<Token> = serde_json::from_value(expected["prompt_tokens"].clone()).unwrap();
    assert_eq!(tokens, wanted);

    let next = model.next_tokens(&tokens, usize::MAX).unwrap();
    assert_eq!(next.len(), logits.len());
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(most > 2.0, "logits that say something: {most}");
    let sum: f64 = logits.iter().map(|logit| libm::exp(logit - most)).sum();
    for one in &next {
        let wanted = logits[one.token as usize];
        assert!((f64::from(one.logit) - wanted).abs() < 1e-4, "{one:?}, {wanted}");
        let probability = libm::exp(wanted - most) / sum;
        assert!((one.probability - probability).abs() < 1e-4, "{one:?}, {probability}");
    }
    assert!(next.is_sorted_by(|a, b| a.logit >= b.logit));
    let all: f64 = next.iter().map(|one| one.probability).sum();
    assert!((all - 1.0).abs() < 1e-12);
    assert_eq!(model.next_tokens(&tokens, 3).unwrap(), next[..3]);
    assert_eq!(model.next_tokens(&[], 3).unwrap_err().code(), "model.size");
    assert_eq!(model.next_tokens(&[0, 428], 3).unwrap_err().code(), "model.token");
    assert_eq!(model.next_tokens(&[0; 49], 3).unwrap_err().code(), "model.size");
}

#[test]
fn hooks_have_their_usual_names_and_come_by_in_this_order() {
    let model = whole().read(CAP).unwrap();
    let hooks = model.hooks();
    assert_eq!(hooks.len(), 3 + 2 * Site::MODEL_SITES.len());
    for hook in &hooks {
        assert_eq!(hook.to_string().parse(), Ok(*hook));
    }
    let names: Vec<String> = hooks.iter().map(Hook::to_string).collect();
    assert_eq!(names[..3], ["hook_embed", "hook_pos_embed", "blocks.0.hook_resid_pre"]);
    assert_eq!(names[names.len() - 2..], ["blocks.1.hook_resid_post", "ln_final.hook_normalized"]);
}

#[test]
fn a_folder_that_is_none_is_refused_in_words() {
    let allowed = "allowed: config.json and model.safetensors, each once, and tokenizer.json";
    let said = |found: &str| ("model.folder", format!("the folder has {found}; {allowed}"));
    let [config, weights] = [("config.json", CONFIG), ("model.safetensors", WEIGHTS)];
    assert!(folder(&[config, weights]).unwrap().tokenizer().is_none());
    assert_eq!(refused(&[]), said("no config.json"));
    assert_eq!(refused(&[weights]), said("no config.json"));
    assert_eq!(refused(&[config]), said("no model.safetensors"));
    let again = ("old/config.json", CONFIG);
    assert_eq!(refused(&[config, weights, again]), said("two files config.json"));
    let parts = [config, ("model.safetensors.index.json", b"{}"), ("model-00001-of-00002.safetensors", WEIGHTS)];
    let index = "weights in several files, by model.safetensors.index.json";
    assert_eq!(refused(&parts), said(index));
    let pickled = [config, ("pytorch_model.bin", &b"\x80\x02}"[..])];
    assert_eq!(refused(&pickled), said("no model.safetensors, but pytorch_model.bin"));

    // A tokenizer with more tokens than there are rows of the embedding.
    let text = std::str::from_utf8(TOKENIZER).unwrap();
    let more = text.replace("\"id\": 422", "\"id\": 428");
    assert_eq!(
        refused(&[config, weights, ("tokenizer.json", more.as_bytes())]),
        ("model.vocabulary", "tokenizer.json: token 428; allowed: 0 to 427, the model's vocabulary".to_owned())
    );
}

/// An `.npy` file of version 1.
fn npy(descr: &str, shape: &str, payload: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(payload);
    bytes
}

fn rows(bytes: Vec<u8>) -> Result<Vec<Vec<Token>>, (&'static str, String)> {
    let config = Config { vocabulary: 50_257, context: 4, ..Config::TOY_MODEL };
    let file = DataFile::open("ids.npy", Box::new(bytes), CAP).expect("an array");
    read_token_rows(file.only_array().expect("one array"), &config).map_err(|error| (error.code(), error.to_string()))
}

#[test]
fn tokens_are_read_from_files_of_whole_numbers() {
    let whole = |ids: &[i64]| ids.iter().flat_map(|id| id.to_le_bytes()).collect::<Vec<u8>>();
    let ids = whole(&[0, 7, 50_256, 1]);
    assert_eq!(rows(npy("<i8", "(4,)", &ids)).unwrap(), [[0, 7, 50_256, 1]]);
    assert_eq!(rows(npy("<i8", "(2, 2)", &ids)).unwrap(), [[0, 7], [50_256, 1]]);
    assert_eq!(rows(npy("|u1", "(3,)", &[9, 0, 255])).unwrap(), [[9, 0, 255]]);

    let beyond = |id: i64| rows(npy("<i8", "(2, 2)", &whole(&[0, 1, 2, id]))).unwrap_err();
    for (id, shown) in [
        (-1, "-1"),
        (50_257, "50257"),
        (16_777_215, "16777215"),
        (i64::from(u32::MAX) + 1, "about 4294967300"),
        (i64::MIN, "about -9223372000000000000"),
    ] {
        let said = format!("ids.npy, row 1, column 1: token {shown}; allowed: 0 to 50256");
        assert_eq!(beyond(id), ("model.token", said));
    }
    let floats: Vec<u8> = [1.0f32, 2.0].iter().flat_map(|id| id.to_le_bytes()).collect();
    assert_eq!(
        rows(npy("<f4", "(2,)", &floats)).unwrap_err(),
        ("model.tokens", "ids.npy: float32 numbers; allowed: whole numbers".to_owned())
    );
    assert_eq!(
        rows(npy("|u1", "(5,)", &[0; 5])).unwrap_err(),
        ("model.tokens", "ids.npy: rows of 5 tokens; allowed: 1 to 4, the model's positions".to_owned())
    );
    assert_eq!(
        rows(npy("|u1", "(1, 2, 2)", &[0; 4])).unwrap_err(),
        ("model.tokens", "ids.npy: 3 dimensions; allowed: 1 (a prompt) or 2 (a prompt a row)".to_owned())
    );
}
