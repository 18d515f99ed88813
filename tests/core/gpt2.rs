//! A reader's own model: the folder that transformers writes for GPT-2, read and refused.

use sfc_bench::io::DataFile;
use sfc_bench::model::{Activation, Batch, Gpt2Loader, Model, ModelError};
use sfc_bench::synthetic::language::Token;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{json, numbers};

const CONFIG: &str = include_str!("../golden/model/gpt2/config.json");
const WEIGHTS: &[u8] = include_bytes!("../golden/model/gpt2/model.safetensors");

fn opened(bytes: Vec<u8>) -> DataFile {
    DataFile::open("model.safetensors", Box::new(bytes), 0).expect("a tensor file")
}

fn refused(config: &str) -> String {
    Gpt2Loader::parse("config.json", config.as_bytes()).unwrap_err().to_string()
}

#[test]
fn logits_are_those_of_transformers() {
    let folder = Gpt2Loader::parse("config.json", CONFIG.as_bytes()).unwrap();
    assert_eq!(folder.config.activation, Activation::GeluTanh);
    assert!(folder.config.tied && folder.config.d_mlp == 96);
    let parameters = folder.read(&opened(WEIGHTS.to_vec()), folder.memory_bytes()).unwrap();
    assert!(4 * parameters.values().len() as u64 <= folder.memory_bytes());
    let expected = json(include_str!("../golden/model/gpt2/expected.json"));
    let tokens: Vec<Vec<Token>> = expected["tokens"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| numbers(row).into_iter().map(|token| token as Token).collect())
        .collect();
    let logits = Model::new(&parameters).logits(&Batch::new(&tokens).unwrap(), &mut ()).unwrap();
    let wanted = expected["logits"].as_array().unwrap().iter();
    let wanted: Vec<f64> = wanted.flat_map(|rows| rows.as_array().unwrap()).flat_map(numbers).collect();
    assert_eq!(logits.len(), wanted.len());
    let mut most: f64 = 0.0;
    for (found, wanted) in logits.iter().zip(&wanted) {
        let apart = (f64::from(*found) - wanted).abs();
        assert!(apart < 1e-4, "{found}, {wanted}");
        most = most.max(wanted.abs());
    }
    assert!(most > 3.0, "logits that say something: {most}");
}

#[test]
fn what_is_not_computed_here_is_refused_by_name() {
    let changed = |from: &str, to: &str| {
        assert!(CONFIG.contains(from), "{from}");
        refused(&CONFIG.replace(from, to))
    };
    assert_eq!(changed("\"gpt2\"", "\"llama\""), "config.json: model_type = \"llama\"; allowed: gpt2");
    assert_eq!(
        changed("\"gelu_new\"", "\"silu\""),
        "config.json: activation_function = \"silu\"; allowed: gelu_new, gelu_pytorch_tanh, relu"
    );
    assert_eq!(changed("\"n_head\": 3", "\"n_head\": 5"), "config.json: n_head = 5; allowed: a divisor of 24");
    let by_layer = changed("inverse_layer_idx\": false", "inverse_layer_idx\": true");
    assert_eq!(by_layer, "config.json: scale_attn_by_inverse_layer_idx = true; allowed: false");
    for lie in ["0", "-1", "1.5", "1e300", "18446744073709551616", "\"2\"", "[[]]", "null", "99999999"] {
        let said = changed("\"n_layer\": 2", &format!("\"n_layer\": {lie}"));
        assert!(said.starts_with("config.json: n_layer = "), "{lie}: {said}");
    }
    for lie in ["0", "1", "-1e-5", "\"x\"", "{}"] {
        let said = changed("1e-05", lie);
        assert!(said.starts_with("config.json: layer_norm_epsilon = "), "{lie}: {said}");
    }
    assert!(changed("\"tie_word_embeddings\": true", "\"tie_word_embeddings\": 1").contains("true or false"));
    assert!(refused("[]").contains("no object"));
    assert!(refused("{}").contains("n_embd = nothing"));
    assert!(refused(&"[".repeat(100_000)).contains("the file"));
    assert!(refused(&" ".repeat(2 << 20)).contains("bytes = 2097152"));
}

#[test]
fn a_model_beyond_the_cap_or_with_other_shapes_is_refused_before_it_is_read() {
    let folder = Gpt2Loader::parse("config.json", CONFIG.as_bytes()).unwrap();
    let whole = opened(WEIGHTS.to_vec());
    let error = folder.read(&whole, folder.memory_bytes() - 1).unwrap_err();
    assert!(matches!(error, ModelError::TooLarge { .. }), "{error}");

    // Sizes that lie: as large as can be said, with a few bytes behind them.
    let huge = CONFIG
        .replace("\"n_layer\": 2", "\"n_layer\": 1024")
        .replace("\"n_embd\": 24", "\"n_embd\": 16777215")
        .replace("\"vocab_size\": 61", "\"vocab_size\": 16777216");
    let huge = Gpt2Loader::parse("config.json", huge.as_bytes()).unwrap();
    assert!(huge.memory_bytes() > 1 << 63);
    assert!(matches!(huge.read(&whole, 1 << 40).unwrap_err(), ModelError::TooLarge { .. }));
    let deep = CONFIG.replace("\"n_layer\": 2", "\"n_layer\": 3");
    let deep = Gpt2Loader::parse("config.json", deep.as_bytes()).unwrap();
    let missing = deep.read(&whole, 1 << 30).unwrap_err().to_string();
    assert_eq!(missing, "model.safetensors: no tensor transformer.h.2.ln_1.weight");
    let wide = CONFIG.replace("\"vocab_size\": 61", "\"vocab_size\": 62");
    let wide = Gpt2Loader::parse("config.json", wide.as_bytes()).unwrap();
    let shape = wide.read(&whole, 1 << 30).unwrap_err().to_string();
    assert_eq!(shape, "model.safetensors: transformer.wte.weight is 61 × 24; it must be 62 × 24");
    let untied = CONFIG.replace("\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false");
    let untied = Gpt2Loader::parse("config.json", untied.as_bytes()).unwrap();
    let head = untied.read(&whole, 1 << 30).unwrap_err().to_string();
    assert_eq!(head, "model.safetensors: no tensor lm_head.weight");
}

/// Weights that saved without the head have names without its prefix.
#[test]
fn names_without_the_prefix_are_found() {
    let length = u64::from_le_bytes(WEIGHTS[..8].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&WEIGHTS[8..8 + length]).unwrap();
    let header = header.replace("transformer.", "");
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(&WEIGHTS[8 + length..]);
    let folder = Gpt2Loader::parse("config.json", CONFIG.as_bytes()).unwrap();
    let read = |bytes: Vec<u8>| folder.read(&opened(bytes), 1 << 30).unwrap();
    assert_eq!(read(bytes), read(WEIGHTS.to_vec()));
}
