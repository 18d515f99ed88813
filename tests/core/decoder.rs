//! Language models of every family, held against an independent forward pass in float64.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value, json};
use sfc_bench::cancel;
use sfc_bench::io::{DataFile, Gguf, ReadAt};
use sfc_bench::model::{
    AblateTo, Ablation, ActivationCache, Architecture, Batch, Component, Edit, EditChange, EditTarget, EditValues,
    Edits, Gpt2Loader, Hook, LanguageModel, Model, ModelError, ModelFiles, PredictionEffect, Site, WeightType,
};
use sfc_bench::sae::latents::{
    Concept, DEFAULT_CONCEPTS, LatentActivations, LatentOrder, SAMPLE_TEXT, logit_effects, tokenize_into_contexts,
};
use sfc_bench::sae::{Autoencoder, LatentEdit, SaeFolder, SpliceOptions, splice};
use sfc_bench::synthetic::language::Token;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{self, numbers};

/// A tiny model of a family: its two configurations, its weights and what it comes to.
struct Tiny {
    name: &'static str,
    newer: &'static [u8],
    older: &'static [u8],
    weights: &'static [u8],
    golden: &'static [u8],
}

macro_rules! tiny {
    ($($name:literal),*) => {
        [$(Tiny {
            name: $name,
            newer: include_bytes!(concat!("../golden/models/", $name, "/config.json")),
            older: include_bytes!(concat!("../golden/models/", $name, "/config.v4.json")),
            weights: include_bytes!(concat!("../golden/models/", $name, "/model.safetensors")),
            golden: include_bytes!(concat!("../golden/models/", $name, "/golden.safetensors")),
        }),*]
    };
}

const ALL: [Tiny; 10] =
    tiny!["gemma2", "gemma3", "llama", "llama3", "mistral", "neox-sequential", "pythia", "qwen2", "qwen3", "smollm2"];
const CAP: u64 = 64 << 20;

fn open(files: &[(&str, &[u8])]) -> Result<ModelFiles, ModelError> {
    let files = files.iter().map(|(name, bytes)| {
        let source: Box<dyn ReadAt> = Box::new(bytes.to_vec());
        ((*name).to_owned(), source)
    });
    ModelFiles::open(files.collect(), CAP)
}

fn read(config: &[u8], weights: &[u8]) -> LanguageModel {
    let files = open(&[("m/config.json", config), ("m/model.safetensors", weights)]).unwrap();
    let bytes = files.memory_bytes();
    assert!(bytes < 3 * weights.len() as u64, "{bytes}");
    files.read(bytes).unwrap()
}

/// The arrays of a file, by name.
fn arrays(bytes: &[u8]) -> BTreeMap<String, Vec<f32>> {
    let file = DataFile::open("golden.safetensors", Box::new(bytes.to_vec()), CAP).unwrap();
    let all = file.arrays().iter();
    all.map(|array| (array.name().to_owned(), array.read_all().unwrap())).collect()
}

struct Golden {
    arrays: BTreeMap<String, Vec<f32>>,
    tokens: Vec<Token>,
    /// Of logits, and of hooks.
    tolerance: [f32; 2],
}

impl Tiny {
    fn golden(&self) -> Golden {
        let mut arrays = arrays(self.golden);
        let tokens = arrays.remove("tokens").unwrap().iter().map(|token| *token as Token).collect();
        let tolerance = arrays.remove("tolerance").unwrap().try_into().unwrap();
        Golden { arrays, tokens, tolerance }
    }

    fn model(&self) -> LanguageModel {
        read(self.newer, self.weights)
    }
}

fn of(name: &str) -> &'static Tiny {
    const { &ALL }.iter().find(|tiny| tiny.name == name).unwrap()
}

/// The greatest distance of two lists, where −∞ is as far from −1e30 as nothing.
fn distance(found: &[f32], wanted: &[f32]) -> f32 {
    assert_eq!(found.len(), wanted.len());
    let one = |(found, wanted): (&f32, &f32)| {
        if *wanted < -1e29 {
            if *found == f32::NEG_INFINITY { 0.0 } else { f32::INFINITY }
        } else {
            (found - wanted).abs()
        }
    };
    found.iter().zip(wanted).map(one).fold(0.0, f32::max)
}

fn greatest(row: &[f32]) -> usize {
    (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap()
}

fn logits(model: &LanguageModel, tokens: &[Token]) -> Vec<f32> {
    model.decoder().logits(&Batch::new(&[tokens]).unwrap(), &mut ()).unwrap()
}

#[test]
fn every_hook_of_every_family_is_what_float64_finds() {
    let mut seen = 0;
    for tiny in &ALL {
        let Golden { arrays, tokens, tolerance: [close, closer] } = tiny.golden();
        assert!(close <= 2e-4, "{}: {close}", tiny.name);
        let closer = closer.min(1e-4);
        for config in [tiny.newer, tiny.older] {
            let model = read(config, tiny.weights);
            let hooks = model.decoder().architecture().hooks();
            let mut taken = ActivationCache::for_hooks(&hooks);
            let batch = Batch::new(&[&tokens]).unwrap();
            let found = model.decoder().logits(&batch, &mut taken).unwrap();
            assert_eq!(found, logits(&model, &tokens), "{}: looking changes nothing", tiny.name);
            for (name, wanted) in &arrays {
                if name == "logits" {
                    let far = distance(&found, wanted);
                    assert!(far <= close, "{}: logits are {far} off", tiny.name);
                    let width = model.decoder().architecture().vocabulary;
                    for (found, wanted) in found.chunks(width).zip(wanted.chunks(width)) {
                        assert_eq!(greatest(found), greatest(wanted));
                    }
                    continue;
                }
                let hook = model.decoder().architecture().parse_hook(name).unwrap();
                let far = distance(taken.get(hook), wanted);
                assert!(far <= closer, "{}: {name} is {far} off", tiny.name);
                seen += 1;
            }
            // Every hook is come by, and has as many numbers as it says.
            for hook in hooks {
                let (heads, width) = model.decoder().architecture().hook_shape(hook).unwrap();
                let width = if width == 0 { tokens.len() } else { width };
                assert_eq!(taken.get(hook).len(), tokens.len() * heads * width, "{hook}");
            }
        }
    }
    assert!(seen > 700, "{seen}");
}

/// Each likely mistake moves the logits by more than the tolerance by which they are held.
#[test]
fn a_mistake_in_the_description_would_be_seen() {
    let mutations = common::json(include_str!("../golden/models/mutations.json"));
    let mut tried = 0;
    for tiny in &ALL {
        let Golden { tokens, tolerance: [close, _], .. } = tiny.golden();
        let model = tiny.model();
        let right = logits(&model, &tokens);
        for (name, wanted) in mutations[tiny.name]["mutations"].as_object().unwrap() {
            let mut of: Value = serde_json::from_slice(tiny.older).unwrap();
            let scaled = |value: &Value, by: f64| json!(value.as_f64().unwrap() * by);
            let window = of["sliding_window"].as_u64();
            match name.as_str() {
                "eps x10" => {
                    let key = if of["layer_norm_eps"].is_null() { "rms_norm_eps" } else { "layer_norm_eps" };
                    of[key] = scaled(&of[key], 10.0);
                }
                "theta x1.1" => {
                    for key in ["rope_theta", "rope_local_base_freq", "rotary_emb_base"] {
                        if !of[key].is_null() {
                            of[key] = scaled(&of[key], 1.1);
                        }
                    }
                }
                "gelu<->erf" if tiny.name.starts_with("gemma") => continue, // its files say either
                "gelu<->erf" => {
                    of["hidden_act"] = json!(if of["hidden_act"] == "gelu" { "gelu_new" } else { "gelu" });
                }
                "silu->gelu" => of["hidden_act"] = json!("gelu"),
                "window+1" => of["sliding_window"] = json!(window.unwrap() + 1),
                "window-1" => of["sliding_window"] = json!(window.unwrap() - 1),
                "no window" => of["sliding_window"] = json!(256),
                "no attn cap" => of["attn_logit_softcapping"] = Value::Null,
                "no final cap" => of["final_logit_softcapping"] = Value::Null,
                "no rope scaling" => of["rope_scaling"] = Value::Null,
                "local theta = global" => of["rope_local_base_freq"] = of["rope_theta"].clone(),
                "parallel flipped" => {
                    of["use_parallel_residual"] = json!(!of["use_parallel_residual"].as_bool().unwrap());
                }
                "rot all/half" => {
                    of["rotary_pct"] = json!(if of["rotary_pct"] == 1.0 { 0.5 } else { 1.0 });
                }
                "pattern swapped" if tiny.name == "gemma2" => {
                    of["layer_types"] = json!(["full_attention", "sliding_attention"]);
                }
                "scale dh^-.5 -> d^-.5" if tiny.name.starts_with("gemma") => {
                    of["query_pre_attn_scalar"] = of["hidden_size"].clone();
                }
                _ => continue,
            }
            let other = read(of.to_string().as_bytes(), tiny.weights);
            let far = distance(&logits(&other, &tokens), &right);
            assert!(far > close, "{}: {name} moves logits by {far} alone, {wanted}", tiny.name);
            tried += 1;
        }
    }
    assert!(tried >= 35, "{tried}");
}

#[test]
fn runs_end_where_the_last_hook_stands() {
    for tiny in &ALL {
        let (model, Golden { tokens, .. }) = (tiny.model(), tiny.golden());
        let of = model.decoder().architecture();
        let batch = Batch::new(&[&tokens, &tokens]).unwrap();
        let mut all = ActivationCache::for_hooks(&of.hooks());
        model.decoder().logits(&batch, &mut all).unwrap();
        for hook in of.hooks() {
            let mut taken = ActivationCache::for_hooks(&of.hooks());
            model.decoder().run_until(&batch, hook, &mut taken).unwrap();
            assert_eq!(taken.get(hook), all.get(hook), "{hook}");
            for layer in 1..of.layers {
                let next = Hook::Block(layer, Site::ResidPre);
                assert_eq!(hook < next, taken.get(next).is_empty(), "{hook}, {next}");
            }
        }
    }
}

/// GPT-2 by its description is GPT-2 as it has been computed, bit by bit.
#[test]
fn gpt2_is_a_row_of_the_description() {
    let folders: [[&[u8]; 2]; 2] = [
        [include_bytes!("../golden/model/own/config.json"), include_bytes!("../golden/model/own/model.safetensors")],
        [include_bytes!("../golden/model/gpt2/config.json"), include_bytes!("../golden/model/gpt2/model.safetensors")],
    ];
    for [config, weights] in folders {
        let file = DataFile::open("model.safetensors", Box::new(weights.to_vec()), CAP).unwrap();
        let older = Model::new(&Gpt2Loader::parse("config.json", config).unwrap().read(&file, CAP).unwrap());
        let model = read(config, weights);
        let batch = Batch::new(&[[5, 0, 17, 3, 3, 8, 2], [1, 2, 3, 4, 5, 6, 7]]).unwrap();
        let hooks = Hook::all(older.config().layers);
        let mut taken = [ActivationCache::for_hooks(&hooks), ActivationCache::for_hooks(&hooks)];
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        let plain = older.logits(&batch, &mut ()).unwrap();
        assert_eq!(bits(&model.decoder().logits(&batch, &mut ()).unwrap()), bits(&plain));
        older.logits(&batch, &mut taken[0]).unwrap();
        model.decoder().logits(&batch, &mut taken[1]).unwrap();
        for hook in hooks {
            assert!(!taken[0].get(hook).is_empty());
            assert_eq!(bits(taken[0].get(hook)), bits(taken[1].get(hook)), "{hook}");
        }
    }
}

#[test]
fn blocks_of_every_type_widen_to_the_numbers_of_ggml() {
    let blocks = common::json(include_str!("../golden/models/blocks.json"));
    let numbers_of = [
        ("F16", 1),
        ("BF16", 30),
        ("Q4_0", 2),
        ("Q4_1", 3),
        ("Q5_0", 6),
        ("Q5_1", 7),
        ("Q8_0", 8),
        ("Q4_K", 12),
        ("Q5_K", 13),
        ("Q6_K", 14),
    ];
    assert_eq!(blocks.as_object().unwrap().len(), numbers_of.len());
    for (name, number) in numbers_of {
        let kind = WeightType::from_ggml(number).unwrap();
        assert_eq!(kind.name(), name);
        let hex = blocks[name]["bytes_hex"].as_str().unwrap();
        let bytes: Vec<u8> =
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
        let wanted: Vec<f32> = numbers(&blocks[name]["values"]).iter().map(|v| *v as f32).collect();
        let mut found = vec![f32::NAN; wanted.len()];
        kind.dequantize(&bytes, &mut found);
        for (found, wanted) in found.iter().zip(&wanted) {
            assert_eq!(found.to_bits(), wanted.to_bits(), "{name}");
        }
    }
    assert_eq!(WeightType::from_ggml(10).unwrap_err(), "Q2_K");
}

/// The same weights in a GGUF file: in other names, in another order of rows, gains with 1 added to them.
#[test]
fn gguf_files_hold_the_same_models() {
    for (name, bytes, tolerance) in [
        ("smollm2", &include_bytes!("../golden/models/smollm2/model.gguf")[..], 0.0),
        ("llama3", include_bytes!("../golden/models/llama3/model.gguf"), 1e-4),
        ("gemma3", include_bytes!("../golden/models/gemma3/model.gguf"), 2e-5),
    ] {
        let Golden { tokens, .. } = of(name).golden();
        let files = open(&[("x/model.gguf", bytes)]).unwrap();
        let model = files.read(CAP).unwrap();
        let mut config: Value = serde_json::from_slice(of(name).newer).unwrap();
        if name == "gemma3" {
            // The file does not say that the last layer looks at everything.
            config["layer_types"] = json!(["sliding_attention", "sliding_attention"]);
        }
        let same = read(config.to_string().as_bytes(), of(name).weights);
        let far = distance(&logits(&model, &tokens), &logits(&same, &tokens));
        assert!(far <= tolerance, "{name}: {far}");
    }
}

/// What is said twice in different ways is the same, bit for bit: edits and hooks.
#[test]
fn edits_change_what_they_name() {
    let tiny = of("qwen3");
    let (model, Golden { tokens, .. }) = (tiny.model(), tiny.golden());
    let decoder = model.decoder();
    let batch = Batch::new(&[&tokens]).unwrap();
    let plain = logits(&model, &tokens);
    let run = |hook: &str, target: EditTarget, change: EditChange, positions: &[usize]| {
        let hook = decoder.architecture().parse_hook(hook).unwrap();
        let edit = Edit { hook, target, change, positions: positions.to_vec() };
        let mut edits = Edits::new(decoder, vec![edit]).unwrap();
        decoder.logits(&batch, &mut edits).unwrap()
    };
    let (one, zero) = (EditChange::Scale(1.0), EditChange::Scale(0.0));
    for hook in decoder.architecture().hooks() {
        let hook = hook.to_string();
        assert_eq!(run(&hook, EditTarget::All, one.clone(), &[]), plain, "{hook}");
        // What lies beyond the mask, times 0, is not a number: scores are not scaled.
        if !hook.contains("scores") && !hook.contains("scale") {
            assert_ne!(run(&hook, EditTarget::All, zero.clone(), &[]), plain, "{hook}");
        }
    }
    // A head without its values is a head that finds nothing; keys have fewer heads than queries.
    let no_head = run("blocks.1.attn.hook_z", EditTarget::Head(3), zero.clone(), &[]);
    let mut row = vec![0.0; 16];
    let replaced = EditChange::Replace(EditValues::Everywhere(std::mem::take(&mut row)));
    assert_eq!(run("blocks.1.attn.hook_z", EditTarget::Head(3), replaced, &[]), no_head);
    assert_ne!(no_head, plain);
    // Nothing before a position that is changed changes.
    let late = run("blocks.0.hook_resid_pre", EditTarget::Unit(3), zero.clone(), &[6]);
    let width = decoder.architecture().vocabulary;
    assert_eq!(late[..6 * width], plain[..6 * width]);
    assert_ne!(late[6 * width..], plain[6 * width..]);
    // An alias is the place itself.
    let alias = run("model.layers.1.mlp.down_proj.input", EditTarget::Unit(5), zero.clone(), &[]);
    assert_eq!(run("blocks.1.mlp.hook_post", EditTarget::Unit(5), zero, &[]), alias);

    let refused = |hook: Hook, target: EditTarget| {
        let edit = Edit { hook, target, change: one.clone(), positions: Vec::new() };
        Edits::new(decoder, vec![edit]).unwrap_err().to_string()
    };
    let keys = Hook::Block(0, Site::K);
    assert!(refused(keys, EditTarget::Head(2)).contains("head = 2; allowed: 0 to 1"));
    assert!(refused(Hook::Block(2, Site::Q), EditTarget::All).contains("layer = 2; allowed: 0 to 1"));
    assert!(refused(Hook::PosEmbed, EditTarget::All).contains("hook_pos_embed"));
    let allowed = decoder.architecture().parse_hook("blocks.1.hook_resid_pots").unwrap_err();
    assert!(allowed.contains("blocks.1.hook_resid_post, "), "{allowed}");
}

/// Weights in several files are those of one.
#[test]
fn shards_are_read_by_their_index() {
    use safetensors::SafeTensors;
    let tiny = of("qwen3");
    let whole = SafeTensors::deserialize(tiny.weights).unwrap();
    let mut tensors = whole.tensors();
    tensors.sort_by(|a, b| a.0.cmp(&b.0));
    let rest = tensors.split_off(9);
    let names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];
    let mut map = serde_json::Map::new();
    let parts = [tensors, rest].map(|part| part.into_iter().collect::<Vec<_>>());
    let files = [0, 1].map(|at| {
        for (tensor, _) in &parts[at] {
            map.insert(tensor.clone(), json!(names[at]));
        }
        safetensors::serialize(parts[at].iter().map(|(name, view)| (name, view)), None).unwrap()
    });
    let index =
        |map: &serde_json::Map<String, Value>| json!({"metadata": {"total_size": 1}, "weight_map": map}).to_string();
    let open_by = |index: &str, count: usize| {
        let all: [(&str, &[u8]); 4] = [
            ("q/config.json", tiny.newer),
            ("q/model.safetensors.index.json", index.as_bytes()),
            ("q/model-00001-of-00002.safetensors", &files[0]),
            ("q/model-00002-of-00002.safetensors", &files[1]),
        ];
        open(&all[..count])
    };
    let model = open_by(&index(&map), 4).unwrap().read(CAP).unwrap();
    let Golden { tokens, .. } = tiny.golden();
    assert_eq!(logits(&model, &tokens), logits(&tiny.model(), &tokens));

    let refused = |index: String, count: usize| match open_by(&index, count) {
        Ok(_) => panic!("read as if nothing were wrong: {index}"),
        Err(error) => error.code(),
    };
    assert_eq!(refused(index(&map), 3), "model.folder");
    let mut moved = map.clone();
    let first = map.keys().next().unwrap().clone();
    moved.insert(first.clone(), json!(names[1]));
    assert_eq!(refused(index(&moved), 4), "model.config");
    moved.remove(&first);
    assert_eq!(refused(index(&moved), 4), "model.config");
    let mut more = map.clone();
    more.insert("none".to_owned(), json!(names[0]));
    assert_eq!(refused(index(&more), 4), "model.missing");
    assert_eq!(refused("{}".to_owned(), 4), "model.config");
}

#[test]
fn a_description_that_is_not_computed_is_refused_by_name() {
    let cases: [(&str, &str, Value, &str); 12] = [
        ("llama", "model_type", json!("mamba"), "gpt2, gpt_neox, llama"),
        ("llama", "rope_scaling", json!({"rope_type": "yarn", "factor": 2}), "default, linear, llama3"),
        ("llama", "rope_scaling", json!({"type": "linear"}), "rope_scaling.factor"),
        ("llama", "num_key_value_heads", json!(3), "a divisor of 4"),
        ("llama", "attention_bias", json!(true), "no tensor model.layers.0.self_attn.q_proj.bias"),
        ("llama", "num_hidden_layers", json!(1), "tensors = model.layers.1"),
        ("llama", "hidden_act", json!("quick_gelu"), "silu, swish"),
        ("llama", "quantization_config", json!({"bits": 4}), "GGUF"),
        ("pythia", "rotary_pct", json!(0.03), "even number of dimensions"),
        ("gemma2", "use_bidirectional_attention", json!(true), "allowed: false"),
        ("gemma2", "layer_types", json!(["chunked_attention"]), "2 of full_attention"),
        ("smollm2", "head_dim", json!(15), "an even number"),
    ];
    for (name, field, value, said) in cases {
        let mut config: Value = serde_json::from_slice(of(name).older).unwrap();
        config[field] = value;
        let text = config.to_string();
        let files = [("config.json", text.as_bytes()), ("model.safetensors", of(name).weights)];
        let error = open(&files).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(said), "{name}, {field}: {error}");
    }
    // What is not said is what transformers takes.
    let config = br#"{"model_type": "gemma3", "text_config": {"num_hidden_layers": 12}}"#;
    let of = Architecture::parse("config.json", config).unwrap();
    assert_eq!((of.heads, of.kv_heads, of.d_head, of.vocabulary), (8, 4, 256, 262_208));
    assert_eq!(of.sliding.iter().filter(|local| **local).count(), 10);
    assert!(!of.sliding[5] && of.tied);
}

/// An autoencoder of so many dimensions whose latents are each coordinate and its negative, of which it decodes a share.
fn mirror(width: usize, share: f32) -> sfc_bench::sae::Autoencoder {
    use safetensors::{Dtype, tensor::TensorView};
    let mut encoder = vec![0.0f32; width * 2 * width];
    let mut decoder = encoder.clone();
    for at in 0..width {
        for (sign, latent) in [(1.0, at), (-1.0, width + at)] {
            encoder[at * 2 * width + latent] = sign;
            decoder[latent * width + at] = sign * share;
        }
    }
    let bytes = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let tensors = [
        ("W_enc", vec![width, 2 * width], bytes(&encoder)),
        ("W_dec", vec![2 * width, width], bytes(&decoder)),
        ("b_enc", vec![2 * width], bytes(&vec![0.0; 2 * width])),
        ("b_dec", vec![width], bytes(&vec![0.0; width])),
    ];
    let views =
        tensors.iter().map(|(name, shape, bytes)| (*name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
    let file = safetensors::serialize(views, None).unwrap();
    let file = DataFile::open("sae_weights.safetensors", Box::new(file), CAP).unwrap();
    let config = json!({"architecture": "standard", "d_in": width, "d_sae": 2 * width,
        "apply_b_dec_to_input": false, "normalize_activations": "none", "dtype": "float32"});
    let config = config.to_string().into_bytes();
    let folder = sfc_bench::sae::SaeFolder::new("cfg.json", config, std::rc::Rc::new(file)).unwrap();
    sfc_bench::sae::Autoencoder::open(&folder).unwrap()
}

#[test]
fn an_autoencoder_that_loses_nothing_recovers_everything_and_an_empty_one_nothing() {
    use sfc_bench::sae::SpliceError;
    for name in ["pythia", "gemma3", "qwen2"] {
        let (model, Golden { tokens, .. }) = (of(name).model(), of(name).golden());
        let decoder = model.decoder();
        for hook in ["blocks.1.hook_resid_post", "blocks.0.attn.hook_z", "blocks.1.hook_mlp_out"] {
            let hook = decoder.architecture().parse_hook(hook).unwrap();
            let (heads, width) = decoder.architecture().hook_shape(hook).unwrap();
            let width = heads * width;
            let run = |share: f32, keep_error| {
                let options = SpliceOptions { keep_error, ..SpliceOptions::default() };
                splice(decoder, &mirror(width, share), hook, &options, &tokens).unwrap()
            };
            let whole = run(1.0, false);
            assert_eq!((whole.kl, whole.top1_agreement, whole.mse), (0.0, 1.0, 0.0), "{hook}");
            assert_eq!((whole.recovered, whole.tokens), (Some(1.0), tokens.len() - 1));
            assert!((whole.l0 - width as f64).abs() < 1e-12, "each coordinate is one latent");
            let scored = model.score(&tokens, 1, &mut ()).unwrap();
            assert_eq!(Some(whole.cross_entropy), scored.cross_entropy);

            let none = run(0.0, false);
            assert_eq!(none.cross_entropy_spliced, none.cross_entropy_zero);
            assert_eq!(none.recovered, Some(0.0));
            assert!(none.kl > 1e-3 && none.mse > 0.0, "{hook}: {none:?}");
            // With what it lacks, nothing is lost.
            let kept = run(0.3, true);
            assert!(kept.kl < 1e-9 && kept.top1_agreement == 1.0, "{kept:?}");
            assert!(kept.mse > 0.0);
        }
        let hook = decoder.architecture().parse_hook("blocks.0.hook_resid_pre").unwrap();
        let narrow = splice(decoder, &mirror(7, 1.0), hook, &SpliceOptions::default(), &tokens);
        assert!(matches!(narrow, Err(SpliceError::Width { allowed: 7, .. })));
    }
}

/// What the model scores is what its logits say.
#[test]
fn texts_are_scored_by_their_logits() {
    let tiny = of("gemma2");
    let (model, Golden { arrays, tokens, .. }) = (tiny.model(), tiny.golden());
    let width = model.decoder().architecture().vocabulary;
    let rows: Vec<&[f32]> = arrays["logits"].chunks(width).collect();
    let loss = |(row, next): (&&[f32], &Token)| {
        let sum: f64 = row.iter().map(|logit| libm::exp(f64::from(*logit))).sum();
        libm::log(sum) - f64::from(row[*next as usize])
    };
    let losses = rows.iter().zip(&tokens[1..]).map(loss);
    let wanted = losses.sum::<f64>() / (tokens.len() - 1) as f64;
    let scored = model.score(&tokens, 10, &mut ()).unwrap();
    assert!((scored.cross_entropy.unwrap() - wanted).abs() < 1e-5);
    assert_eq!(scored.top.len(), 10);
    assert_eq!(scored.top[0].token as usize, greatest(rows[rows.len() - 1]));
    assert_eq!(model.score(&tokens[..1], 1, &mut ()).unwrap().cross_entropy, None);
    let error = model.score(&[], 1, &mut ()).unwrap_err();
    assert_eq!(error.code(), "model.size");
}

/// `smollm2-sae/`, in memory.
fn golden_autoencoder() -> Autoencoder {
    let weights: &[u8] = include_bytes!("../golden/models/smollm2-sae/sae_weights.safetensors");
    let name = "sae_weights.safetensors";
    let weights = DataFile::open(name, Box::new(weights.to_vec()), CAP).unwrap();
    let config = include_bytes!("../golden/models/smollm2-sae/cfg.json").to_vec();
    let folder = SaeFolder::open(Some(("cfg.json", config)), Rc::new(weights), Vec::new()).unwrap();
    Autoencoder::open(&folder).unwrap()
}

#[track_caller]
fn near(found: f64, wanted: &Value, what: &str) {
    let wanted = wanted.as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-4, "{what}: {found}, {wanted}");
}

#[track_caller]
fn same_effect(found: &PredictionEffect, wanted: &Value, what: &str) {
    near(found.cross_entropy.unwrap(), &wanted["cross_entropy"], what);
    near(found.kl, &wanted["kl"], what);
    near(found.top1_agreement, &wanted["top1_agreement"], what);
}

#[test]
fn what_is_inside_is_what_a_separate_pass_finds() {
    let golden = common::json(include_str!("../golden/models/inside.json"));
    let model = of("smollm2").model();
    let decoder = model.decoder();
    let tokens: Vec<Token> = serde_json::from_value(golden["tokens"].clone()).unwrap();
    let losses = model.score(&tokens, 1, &mut ()).unwrap().losses;
    assert_eq!(losses.len(), tokens.len() - 1);
    for (found, wanted) in losses.iter().zip(golden["losses"].as_array().unwrap()) {
        near(*found, wanted, "loss");
    }
    let lens = decoder.logit_lens(&tokens, &mut ()).unwrap();
    assert_eq!(lens.len(), 2);
    for (found, wanted) in lens.iter().zip(golden["lens"].as_array().unwrap()) {
        for (found, wanted) in found.iter().zip(wanted.as_array().unwrap()) {
            assert_eq!(Value::from(found.token), wanted["token"]);
            near(found.probability, &wanted["probability"], "lens");
        }
    }
    // The lens of the last layer is the model's own.
    let last = model.score(&tokens, 1, &mut ()).unwrap().top[0];
    assert_eq!(lens[1].last().unwrap().token, last.token);
    let pattern = decoder.attention_pattern(&tokens, "1.2".parse().unwrap(), &mut ()).unwrap();
    let rows = pattern.chunks(tokens.len()).zip(golden["pattern 1.2"].as_array().unwrap());
    for (found, wanted) in rows {
        for (found, wanted) in found.iter().zip(wanted.as_array().unwrap()) {
            near(f64::from(*found), wanted, "pattern");
        }
    }
    for wanted in golden["ablations"].as_array().unwrap() {
        let name = wanted["component"].as_str().unwrap();
        let to = if wanted["to"] == "mean" { AblateTo::Mean } else { AblateTo::Zero };
        let ablation = Ablation { components: vec![name.parse().unwrap()], ablate_to: to };
        let (plain, found) = ablation.report(decoder, &tokens, 3, 3).unwrap();
        assert_eq!(plain, model.score(&tokens, 3, &mut ()).unwrap());
        let mut edits = ablation.edits(decoder, &tokens).unwrap();
        assert_eq!(found.top, model.score(&tokens, 3, &mut edits).unwrap().top);
        same_effect(&found.effect, wanted, name);
        let mean = found.losses.iter().sum::<f64>() / found.losses.len() as f64;
        near(mean, &wanted["cross_entropy"], "losses without it");
        let control = found.control.unwrap();
        assert!(control.components.len() == 1 && control.components[0] != name);
        assert_eq!(control.components[0].split('.').next(), name.split('.').next(), "its layer");
    }

    let hook = decoder.architecture().parse_hook(golden["hook"].as_str().unwrap()).unwrap();
    let autoencoder = golden_autoencoder();
    assert_eq!(autoencoder.hook(decoder.architecture()), Some(hook));
    let wanted = &golden["splice"];
    let run = |options: SpliceOptions| splice(decoder, &autoencoder, hook, &options, &tokens).unwrap();
    let found = run(SpliceOptions::default());
    near(found.cross_entropy_spliced, &wanted["cross_entropy"], "spliced");
    near(found.kl, &wanted["kl"], "kl");
    near(found.recovered.unwrap(), &wanted["recovered"], "recovered");
    let loses = wanted["zeros"]["cross_entropy"].as_f64().unwrap() > found.cross_entropy;
    assert_eq!(found.zeros_lose, loses);
    near(found.l0, &wanted["l0"], "L0");
    near(found.mse, &wanted["mse"], "mean squared error");
    let names: Vec<&str> = found.controls.iter().map(|control| control.name).collect();
    assert_eq!(names, ["zeros", "mean", "random error"]);
    for control in &found.controls[..2] {
        same_effect(&control.effect, &wanted[control.name], control.name);
    }
    assert_eq!(found.controls[0].recovered, Some(0.0));
    let random = |seed| run(SpliceOptions { seed, ..SpliceOptions::default() }).controls[2].effect.kl;
    assert_eq!(random(1), random(1));
    assert!(random(1) != random(2) && random(1) > 0.0);
    assert_eq!((&*found.hook, &found.options), ("blocks.0.hook_resid_post", &SpliceOptions::default()));
    // A random error is as long as what the splice adds: nothing where the error term is kept and no latent is scaled.
    let kept = run(SpliceOptions { keep_error: true, ..SpliceOptions::default() });
    assert!(kept.kl.abs() < 1e-6 && kept.controls[2].effect.kl.abs() < 1e-6, "{kept:?}");
    let options = SpliceOptions { edits: vec![LatentEdit { latent: 0, scale: f64::NAN }], ..SpliceOptions::default() };
    let error = splice(decoder, &autoencoder, hook, &options, &tokens).unwrap_err();
    assert_eq!(error.code(), "splice.scale");
    let latent = wanted["latent"].as_u64().unwrap() as u32;
    let edits = vec![LatentEdit { latent, scale: 0.0 }];
    let without = run(SpliceOptions { keep_error: true, edits, seed: 0 });
    let wanted = &wanted["without it, error kept"];
    near(without.cross_entropy_spliced, &wanted["cross_entropy"], "without a latent");
    near(without.kl, &wanted["kl"], "without a latent");
    let edits = vec![LatentEdit { latent: 96, scale: 0.0 }];
    let options = SpliceOptions { edits, ..SpliceOptions::default() };
    let error = splice(decoder, &autoencoder, hook, &options, &tokens).unwrap_err();
    assert_eq!(error.code(), "splice.latent");

    let [raised, lowered] = logit_effects(decoder, &autoencoder, hook, latent as usize, 5).unwrap();
    let tokens: Vec<Token> = raised.iter().map(|one| one.token).collect();
    assert_eq!(Value::from(tokens), golden["effects"]["raised"]);
    near(raised[0].effect, &golden["effects"]["most"], "logit effect");
    assert!(lowered.windows(2).all(|pair| pair[0].effect <= pair[1].effect));
    let inside = decoder.architecture().parse_hook("blocks.0.ln1.hook_normalized").unwrap();
    assert!(logit_effects(decoder, &autoencoder, inside, 0, 5).is_none(), "it does not write there");
}

#[test]
fn components_that_there_are_not_are_refused() {
    let (model, Golden { tokens, .. }) = (of("smollm2").model(), of("smollm2").golden());
    for name in ["head:9.0", "head:0.3", "neuron:0.128", "neuron:2.0"] {
        for to in [AblateTo::Zero, AblateTo::Mean] {
            let ablation = Ablation { components: vec![name.parse().unwrap()], ablate_to: to };
            let error = ablation.report(model.decoder(), &tokens, 1, 0).unwrap_err();
            assert_eq!(error.code(), "model.edit", "{name}");
        }
    }
    for name in ["head:0", "neuron:a.1", "latent:0.1", "0.-1", ""] {
        assert!(name.parse::<Component>().is_err(), "{name}");
    }
    let error = model.decoder().attention_pattern(&tokens, "0.3".parse().unwrap(), &mut ());
    assert_eq!(error.unwrap_err().code(), "model.edit");
    // All heads of a layer have no others to be held against.
    let all = ["0.0", "0.1", "0.2"].map(|name| name.parse().unwrap());
    let ablation = Ablation { components: all.to_vec(), ablate_to: AblateTo::Zero };
    assert!(ablation.report(model.decoder(), &tokens, 1, 0).unwrap().1.control.is_none());
}

/// Whatever computes on a model ends where it stands once it is no longer wanted, and leaves nothing half done behind.
#[test]
fn what_is_no_longer_wanted_ends_in_between() {
    let (model, Golden { tokens, .. }) = (of("smollm2").model(), of("smollm2").golden());
    let (decoder, autoencoder) = (model.decoder(), golden_autoencoder());
    let hook = autoencoder.hook(decoder.architecture()).unwrap();
    let asked = Rc::new(Cell::new(0));
    // True from so many questions on.
    let ask = |most: usize| {
        asked.set(0);
        let asked = Rc::clone(&asked);
        cancel::set_cancel_check(Some(Box::new(move || {
            asked.set(asked.get() + 1);
            asked.get() > most
        })));
    };
    let ablation = Ablation { components: vec!["head:0.1".parse().unwrap()], ablate_to: AblateTo::Mean };
    type Work<'a> = Box<dyn Fn() -> Option<&'static str> + 'a>;
    let code = |error: ModelError| error.code();
    let all: [(&str, Work<'_>); 5] = [
        ("score", Box::new(|| model.score(&tokens, 1, &mut ()).err().map(code))),
        ("lens", Box::new(|| decoder.logit_lens(&tokens, &mut ()).err().map(code))),
        ("ablation", Box::new(|| ablation.report(decoder, &tokens, 1, 0).err().map(code))),
        (
            "splice",
            Box::new(|| {
                let options = SpliceOptions::default();
                splice(decoder, &autoencoder, hook, &options, &tokens).err().map(|one| one.code())
            }),
        ),
        (
            "latents",
            Box::new(|| {
                let mut latents = LatentActivations::new(decoder, &autoencoder, hook, 0).unwrap();
                let error = latents.add_text(decoder, &autoencoder, &tokens).err();
                let none = latents.latent_table(LatentOrder::Number, 1);
                assert!(error.is_none() || (none.positions, none.texts, none.l0) == (0, 0, 0.0));
                error.map(|one| one.code())
            }),
        ),
    ];
    for (what, work) in &all {
        ask(usize::MAX);
        assert_eq!(work(), None, "{what}");
        let whole = asked.get();
        // Each matrix of a layer asks, and each head.
        assert!(whole > if *what == "latents" { 10 } else { 20 }, "{what}: {whole}");
        for most in [0, 1, whole / 2, whole - 1] {
            ask(most);
            assert_eq!(work(), Some("cancelled"), "{what} after {most} of {whole}");
            assert_eq!(asked.get(), most + 1, "{what}: nobody is asked again");
        }
        cancel::set_cancel_check(None);
        assert_eq!(work(), None, "{what}");
    }
}

/// Latents over texts are what an encoder finds in each alone, and their scores those of counted pairs.
#[test]
fn latents_over_texts_are_those_of_each_text() {
    let model = {
        let files: [(&str, &[u8]); 1] = [("model.gguf", include_bytes!("../golden/models/smollm2/model.gguf"))];
        let files = open(&files).unwrap();
        let bytes = files.memory_bytes();
        files.read(bytes).unwrap()
    };
    let (decoder, tokenizer) = (model.decoder(), model.tokenizer().unwrap());
    let autoencoder = golden_autoencoder();
    let hook = autoencoder.hook(decoder.architecture()).unwrap();
    let texts = tokenize_into_contexts(tokenizer, SAMPLE_TEXT, 64).unwrap();
    assert!(texts.len() > 12 && texts.iter().all(|text| (1..=64).contains(&text.len())));
    let mut latents = LatentActivations::new(decoder, &autoencoder, hook, 1).unwrap();
    for text in &texts {
        latents.add_text(decoder, &autoencoder, text).unwrap();
    }
    let count: usize = texts.iter().map(|text| text.len() - 1).sum();
    let table = latents.latent_table(LatentOrder::Number, 1_000);
    assert_eq!((table.positions, table.texts, table.latents), (count, texts.len(), 96));
    let spread: f64 = table.rows.iter().map(|row| row.density).sum();
    assert!((spread - table.l0).abs() < 1e-9);
    let (most, densest) = (latents.latent_table(LatentOrder::Max, 1), latents.latent_table(LatentOrder::Density, 1));
    assert!(table.rows.iter().all(|row| row.max <= most.rows[0].max));
    assert!(table.rows.iter().all(|row| row.density <= densest.rows[0].density));

    // The codes of a text from its activations, by the definition.
    let latent = most.rows[0].latent;
    let contexts = latents.top_contexts(latent, 100);
    assert_eq!(contexts[0].activation, most.rows[0].max);
    assert!(contexts.windows(2).all(|pair| pair[0].activation >= pair[1].activation));
    let weights: &[u8] = include_bytes!("../golden/models/smollm2-sae/sae_weights.safetensors");
    let weights = arrays(weights);
    let code = |row: &[f32]| {
        let sum: f64 = (0..48)
            .map(|at| f64::from(row[at] - weights["b_dec"][at]) * f64::from(weights["W_enc"][at * 96 + latent]))
            .sum();
        (sum + f64::from(weights["b_enc"][latent])).max(0.0)
    };
    for context in &contexts[..3] {
        let mut taken = ActivationCache::for_hooks(&[hook]);
        let tokens = &texts[context.text];
        decoder.run_until(&Batch::new(&[tokens]).unwrap(), hook, &mut taken).unwrap();
        let codes: Vec<f64> = taken.get(hook).chunks(48).map(code).collect();
        assert!((codes[context.position] - f64::from(context.activation)).abs() < 1e-4);
        let from = context.position - context.at;
        for (offset, (token, activation)) in context.tokens.iter().enumerate() {
            assert_eq!(*token, tokens[from + offset]);
            let wanted = if from + offset == 0 { 0.0 } else { codes[from + offset] };
            assert!((wanted - f64::from(*activation)).abs() < 1e-4);
        }
    }

    let concepts = Concept::parse(DEFAULT_CONCEPTS).unwrap();
    let table = latents.score_concepts(tokenizer, &concepts);
    assert_eq!((table.rows.len(), table.directions), (concepts.len(), 96));
    assert_eq!(table.positions.iter().sum::<usize>(), count);
    // By pairs: every position of the concept with every other of the same half.
    let digits = &table.rows[0];
    let best = digits.best.unwrap();
    let mut halves: [[Vec<f64>; 2]; 2] = Default::default();
    let all = latents.top_contexts(best.index, usize::MAX);
    for (index, text) in texts.iter().enumerate() {
        let pieces: Vec<String> = text.iter().map(|token| tokenizer.token_text(*token).unwrap_or_default()).collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let labels = concepts[0].labels(&pieces);
        let mut taken = ActivationCache::for_hooks(&[hook]);
        decoder.run_until(&Batch::new(&[text]).unwrap(), hook, &mut taken).unwrap();
        let code = |row: &[f32]| {
            let sum: f64 = (0..48)
                .map(|at| f64::from(row[at] - weights["b_dec"][at]) * f64::from(weights["W_enc"][at * 96 + best.index]))
                .sum();
            ((sum + f64::from(weights["b_enc"][best.index])).max(0.0) as f32).into()
        };
        for (row, is) in taken.get(hook).chunks(48).zip(labels).skip(1) {
            halves[index % 2][usize::from(!is)].push(code(row));
        }
    }
    assert!(!all.is_empty());
    for (half, wanted) in [(0, best.chosen), (1, best.held_out)] {
        let [of, beside] = &halves[half];
        assert_eq!(of.len(), digits.positives[half]);
        let pairs = of.iter().flat_map(|a| beside.iter().map(move |b| (a, b)));
        let sum: f64 = pairs.map(|(a, b)| if (a - b).abs() < 1e-6 { 0.5 } else { f64::from(u8::from(a > b)) }).sum();
        let area = sum / (of.len() * beside.len()) as f64;
        assert!((area - wanted).abs() < 1e-3, "{half}: {area}, {wanted}");
    }
    // Shuffled labels are at chance, on the whole.
    let shuffled: Vec<f64> = table.rows.iter().filter_map(|row| Some(row.shuffled?.held_out)).collect();
    let mean = shuffled.iter().sum::<f64>() / shuffled.len() as f64;
    assert!(shuffled.len() > 5 && (mean - 0.5).abs() < 0.1, "{mean}");
}

/// A GGUF file in two, as llama.cpp's `gguf-split` writes them.
fn split_gguf(whole: &'static [u8]) -> [Vec<u8>; 2] {
    let number = |at: usize| u64::from_le_bytes(whole[at..at + 8].try_into().unwrap()) as usize;
    let kind = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().unwrap());
    let size = |kind: u32| [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8][kind as usize];
    // Where the metadata ends.
    let mut at = 24;
    for _ in 0..number(16) {
        at += 8 + number(at);
        let of = kind(at);
        at += 4;
        match of {
            8 => at += 8 + number(at),
            9 => {
                let (of, count) = (kind(at), number(at + 4));
                at += 12;
                for _ in 0..count {
                    at += if of == 8 { 8 + number(at) } else { size(of) };
                }
            }
            of => at += size(of),
        }
    }
    let file = Gguf::open("m.gguf", Rc::new(whole.to_vec())).unwrap();
    let key = |name: &str, value: u16| {
        let mut bytes = (name.len() as u64).to_le_bytes().to_vec();
        bytes.extend(name.bytes());
        bytes.extend(2u32.to_le_bytes());
        bytes.extend(value.to_le_bytes());
        bytes
    };
    let half = file.tensors().len() / 2;
    let halves = [&file.tensors()[..half], &file.tensors()[half..]];
    let part = |index: usize| {
        let (metadata, entries) = if index == 0 { (&whole[24..at], number(16)) } else { (&[][..], 0) };
        let mut bytes = b"GGUF\x03\0\0\0".to_vec();
        bytes.extend((halves[index].len() as u64).to_le_bytes());
        bytes.extend((entries as u64 + 2).to_le_bytes());
        bytes.extend(metadata);
        bytes.extend(key("split.no", index as u16));
        bytes.extend(key("split.count", 2));
        let mut data = Vec::new();
        for tensor in halves[index] {
            bytes.extend((tensor.name.len() as u64).to_le_bytes());
            bytes.extend(tensor.name.bytes());
            bytes.extend((tensor.shape.len() as u32).to_le_bytes());
            tensor.shape.iter().rev().for_each(|size| bytes.extend(size.to_le_bytes()));
            bytes.extend(tensor.type_id.to_le_bytes());
            bytes.extend((data.len() as u64).to_le_bytes());
            let count = tensor.shape.iter().product::<u64>() as usize;
            let mut read = vec![0; WeightType::from_ggml(tensor.type_id).unwrap().byte_count(count).unwrap()];
            file.read_tensor(tensor, &mut read).unwrap();
            data.extend(read);
            data.resize(data.len().next_multiple_of(32), 0);
        }
        bytes.resize(bytes.len().next_multiple_of(32), 0);
        bytes.extend(data);
        bytes
    };
    [part(0), part(1)]
}

#[test]
fn a_model_in_several_gguf_files_is_that_of_one() {
    let whole: &[u8] = include_bytes!("../golden/models/smollm2/model.gguf");
    let [first, second] = split_gguf(whole);
    let logits = |files: &[(&str, &[u8])]| {
        let files = open(files).unwrap();
        let bytes = files.memory_bytes();
        logits(&files.read(bytes).unwrap(), &[5, 6, 7])
    };
    let wanted = logits(&[("m.gguf", whole)]);
    // In whatever order they are given.
    let parts = [("b/m-00002-of-00002.gguf", &*second), ("b/m-00001-of-00002.gguf", &*first)];
    assert_eq!(logits(&parts), wanted);
    let refused = |files: &[(&str, &[u8])]| open(files).err().unwrap().to_string();
    assert!(refused(&parts[..1]).contains("split.count"));
    assert!(refused(&parts[1..]).contains("split.count"));
    assert!(refused(&[("1.gguf", &first), ("2.gguf", &first)]).contains("split.no"));
    assert!(refused(&[("1.gguf", whole), ("2.gguf", whole)]).contains("split.count"));
}
