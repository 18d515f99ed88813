//! A reader's own model, where its files lie: every one is refused in words and within memory. And such files
//! with random changes, as in [`crate::hostile`].

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sfc_bench::NumpyRng;
use sfc_bench::io::{DataFile, ReadAt};
use sfc_bench::model::{
    Batch, Config, Gpt2Loader, Model, ModelError, ModelFiles, ModelFolder, Parameters, TOKENIZER_BYTES_MAX, Tokenizer,
    VOCABULARY_MAX, read_token_rows,
};

use super::golden;
use super::hostile::{fuzz, npy, safetensors};
use super::memory::measured;
use super::mutate::{self, below, value};

/// Bytes a model may take.
const CAP: u64 = 4 << 20;
/// Most that reading one may take besides its files' own bytes: a configuration of 1 MiB as a tree, which is
/// forty times as large, and a header.
const ALLOWED: isize = 48 << 20;
/// Most that a tokenizer may take besides its own bytes, which are read once more, merges by themselves: its
/// tokens, merges and pieces.
const TOKENIZER_ALLOWED: isize = 96 << 20;

const CONFIG: &str = "config.json";
const WEIGHTS: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";

fn config() -> Value {
    serde_json::from_slice(golden::models()[1][0]).unwrap()
}

/// A tensor file taken apart: each tensor's type, shape and bytes.
#[derive(Clone)]
struct Tensors(BTreeMap<String, (String, Vec<usize>, Vec<u8>)>);

impl Tensors {
    fn of(bytes: &[u8]) -> Self {
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        let header: Map<String, Value> = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
        let payload = &bytes[8 + length..];
        let tensors = header.into_iter().filter(|(name, _)| name != "__metadata__");
        let tensor = |(name, entry): (String, Value)| {
            let [from, to]: [usize; 2] = serde_json::from_value(entry["data_offsets"].clone()).unwrap();
            let shape = serde_json::from_value(entry["shape"].clone()).unwrap();
            let dtype = entry["dtype"].as_str().unwrap().to_owned();
            (name, (dtype, shape, payload[from..to].to_vec()))
        };
        Self(tensors.map(tensor).collect())
    }

    fn file(&self) -> Vec<u8> {
        let (mut header, mut payload) = (Map::new(), Vec::new());
        for (name, (dtype, shape, bytes)) in &self.0 {
            let from = payload.len();
            payload.extend(bytes);
            let entry = json!({"dtype": dtype, "shape": shape, "data_offsets": [from, payload.len()]});
            header.insert(name.clone(), entry);
        }
        safetensors(&Value::Object(header).to_string(), &payload)
    }

    /// The file with something done to one of its tensors.
    fn with(&self, name: &str, change: impl FnOnce(&mut (String, Vec<usize>, Vec<u8>))) -> Vec<u8> {
        let mut changed = self.clone();
        change(changed.0.get_mut(name).expect("a tensor of the name"));
        changed.file()
    }
}

/// Opens a folder, reads it, and asks it what comes next.
fn read(files: &[(&str, &[u8])]) -> Result<(), ModelError> {
    let files = files.iter().map(|(name, bytes)| {
        let source: Box<dyn ReadAt> = Box::new(bytes.to_vec());
        ((*name).to_owned(), source)
    });
    let model = ModelFolder::open(files.collect(), CAP)?.read(CAP)?;
    let tokens = match model.tokenizer() {
        Some(tokenizer) => tokenizer.encode("The cat, 12 'll\n")?,
        None => vec![0],
    };
    let next = model.next_tokens(&tokens, 3)?;
    assert!(next.iter().all(|next| next.probability.is_finite() && next.logit.is_finite()));
    Ok(())
}

#[derive(Default)]
struct Tally {
    refused: usize,
}

impl Tally {
    #[track_caller]
    fn take<T>(&mut self, what: &str, allowed: isize, codes: &[&str], run: impl FnOnce() -> Result<T, ModelError>) {
        let (result, most) = measured(run);
        let Err(error) = result else { panic!("{what}: read as if nothing were wrong") };
        let text = error.to_string();
        assert!(codes.contains(&error.code()), "{what}: {} ({text})", error.code());
        assert!(!text.contains('\n') && (20..700).contains(&text.len()), "{what}: {text:?}");
        assert!(most <= allowed, "{what}: {most} bytes were held");
        self.refused += 1;
    }

    /// A configuration that must be refused.
    #[track_caller]
    fn config(&mut self, what: &str, bytes: &[u8], codes: &[&str]) {
        let weights = golden::models()[1][1];
        let files = [(CONFIG, bytes), (WEIGHTS, weights)];
        self.take(what, bytes.len() as isize + ALLOWED, codes, || read(&files));
    }

    /// Weights that must be refused.
    #[track_caller]
    fn weights(&mut self, what: &str, bytes: &[u8], codes: &[&str]) {
        let files = [(CONFIG, golden::models()[1][0]), (WEIGHTS, bytes)];
        self.take(what, bytes.len() as isize + ALLOWED, codes, || read(&files));
    }

    #[track_caller]
    fn tokenizer(&mut self, what: &str, bytes: &[u8], codes: &[&str]) {
        self.take(what, TOKENIZER_ALLOWED, codes, || Ok(Tokenizer::parse(TOKENIZER, bytes)?));
    }

    #[track_caller]
    fn finish(self, at_least: usize) {
        println!("{} refused", self.refused);
        assert!(self.refused >= at_least, "{}", self.refused);
    }
}

#[test]
fn hostile_configurations_are_refused_in_words_and_within_memory() {
    let mut tally = Tally::default();
    let whole = golden::models()[1];
    read(&[(CONFIG, whole[0]), (WEIGHTS, whole[1]), (TOKENIZER, golden::tokenizer())]).unwrap();

    let mut changed = |field: &str, value: Value, codes: &[&str]| {
        let mut config = config();
        config[field] = value;
        let text = config.to_string();
        tally.config(&format!("{field} = {}", config[field]), text.as_bytes(), codes);
    };
    let sizes = ["n_embd", "n_head", "n_layer", "n_positions", "vocab_size", "n_inner"];
    for field in sizes {
        for lie in [
            json!(0),
            json!(-1),
            json!(i64::MIN),
            json!(1.5),
            json!(1e300),
            json!(u64::MAX),
            json!(16_777_217),
            json!("16"),
            json!([[]]),
            json!({"n": 1}),
            json!(true),
        ] {
            changed(field, lie, &["model.config"]);
        }
        // What may be, but is not so. With one head the shapes would be the same.
        let codes = ["model.shape", "model.missing", "model.too-large", "model.config"];
        for lie in [1, 6, 12, 18, 4096, 16_777_216] {
            if (field, lie) != ("n_head", 1) {
                changed(field, json!(lie), &codes);
            }
        }
    }
    // Before anything is listed layer by layer.
    for layers in [1_025, 200_000] {
        let mut config = config();
        config["n_layer"] = json!(layers);
        let error = Gpt2Loader::parse(CONFIG, config.to_string().as_bytes()).unwrap_err();
        let allowed = format!("n_layer = {layers}; allowed: 1 to 1024");
        assert!(error.to_string().contains(&allowed), "{error}");
    }
    for field in ["n_embd", "n_head", "n_layer", "n_positions", "vocab_size"] {
        changed(field, Value::Null, &["model.config"]);
    }
    let flags = [
        ("scale_attn_weights", json!(false)),
        ("scale_attn_by_inverse_layer_idx", json!(true)),
        ("add_cross_attention", json!(true)),
    ];
    for (field, lie) in flags {
        changed(field, lie, &["model.config"]);
        for lie in [json!(1), json!("true"), json!([]), json!({})] {
            changed(field, lie, &["model.config"]);
        }
    }
    changed("tie_word_embeddings", json!("no"), &["model.config"]);
    changed("tie_word_embeddings", json!(false), &["model.missing"]);
    for lie in [json!("llama"), json!("GPT2"), json!(""), json!(2), json!({}), json!("x".repeat(9_000))] {
        changed("model_type", lie, &["model.config"]);
    }
    for lie in [json!("gelu"), json!("swish"), json!(["relu"]), json!("\u{202e}\u{0}\n")] {
        changed("activation_function", lie, &["model.config"]);
    }
    for lie in [json!(0), json!(-1e-5), json!(1), json!(1e-300), json!(1e300), json!("1e-5"), json!([])] {
        changed("layer_norm_epsilon", lie, &["model.config"]);
    }

    let text = config().to_string();
    let open = &text[..text.len() - 1];
    for (what, bytes) in [
        ("nothing", String::new()),
        ("half of it", text[..text.len() / 2].to_owned()),
        ("a list", "[]".to_owned()),
        ("null", "null".to_owned()),
        ("a number", "1e999".to_owned()),
        ("an empty object", "{}".to_owned()),
        ("more behind it", format!("{text}{text}")),
        ("a mark of its order", format!("\u{feff}{text}")),
        ("no number", text.replace("\"n_embd\":16", "\"n_embd\":NaN")),
        ("half a pair of surrogates", format!("{open},\"\\ud800\":1}}")),
        ("the other half", format!("{open},\"a\":\"\\udc00\"}}")),
        ("lists without end", format!("{open},\"a\":{}", "[".repeat(500_000))),
        ("deep lists", format!("{open},\"a\":{}{}}}", "[".repeat(200), "]".repeat(200))),
        ("deep objects", format!("{open},\"a\":{}1{}}}", "{\"a\":".repeat(200), "}".repeat(200))),
        ("a comma behind the last", format!("{open},}}")),
        ("long", format!("{open}{}}}", " ".repeat(2 << 20))),
    ] {
        tally.config(what, bytes.as_bytes(), &["model.config", "io.too-large"]);
    }
    tally.config("no text", b"{\"n_embd\": \xff\xfe}", &["model.config"]);
    // As much as a configuration can hold, beside sizes that lie.
    let many = format!("{{\"n_embd\":-1,\"a\":[{}1]}}", "1,".repeat(500_000));
    tally.config("a long list", many.as_bytes(), &["model.config"]);
    tally.finish(150);
}

#[test]
fn hostile_weights_are_refused_in_words_and_within_memory() {
    let mut tally = Tally::default();
    let tensors = Tensors::of(golden::models()[1][1]);
    let names: Vec<String> = tensors.0.keys().cloned().collect();
    assert_eq!(names.len(), 2 * 12 + 4);
    read(&[(CONFIG, golden::models()[1][0]), (WEIGHTS, &tensors.file())]).unwrap();
    for name in &names {
        let mut without = tensors.clone();
        let tensor = without.0.remove(name).unwrap();
        tally.weights(&format!("{name} missing"), &without.file(), &["model.missing"]);
        without.0.insert(format!("{name}."), tensor);
        tally.weights(&format!("{name} misnamed"), &without.file(), &["model.missing"]);

        // As many numbers, otherwise arranged.
        let count = |shape: &[usize]| shape.iter().product::<usize>();
        let flat = tensors.with(name, |(_, shape, _)| *shape = vec![1, count(shape)]);
        tally.weights(&format!("{name} flat"), &flat, &["model.shape"]);
        let deep = tensors.with(name, |(_, shape, _)| shape.insert(0, 1));
        tally.weights(&format!("{name} deep"), &deep, &["model.shape"]);
        let less = tensors.with(name, |(_, shape, bytes)| {
            let row = bytes.len() / shape[0];
            shape[0] -= 1;
            bytes.truncate(bytes.len() - row);
        });
        tally.weights(&format!("{name} short of a row"), &less, &["model.shape"]);

        let whole = tensors.with(name, |(dtype, _, _)| *dtype = "I16".to_owned());
        tally.weights(&format!("{name} of whole numbers"), &whole, &["model.dtype"]);
        // A type that is not read, of as many bytes: as if it were not there.
        let narrow = tensors.with(name, |(dtype, shape, _)| {
            *dtype = "F8_E4M3".to_owned();
            *shape.last_mut().unwrap() *= 2;
        });
        tally.weights(&format!("{name} of another type"), &narrow, &["model.missing"]);
        let unknown = tensors.with(name, |(dtype, _, _)| *dtype = "F17".to_owned());
        tally.weights(&format!("{name} of no type"), &unknown, &["io.header"]);

        // The last number is none: NaN, infinity.
        for number in [[0x00, 0x7e], [0x00, 0xfc]] {
            let wrong = tensors.with(name, |(_, _, bytes)| {
                let end = bytes.len();
                bytes[end - 2..].copy_from_slice(&number);
            });
            tally.weights(&format!("{name} with {number:02x?}"), &wrong, &["io.non-finite"]);
        }
    }
    // More layers than the configuration has.
    let mut more = tensors.clone();
    more.0.insert("transformer.h.2.ln_1.weight".to_owned(), more.0["transformer.h.1.ln_1.weight"].clone());
    tally.weights("a third layer", &more.file(), &["model.config"]);
    // Finite, but not what is computed of them.
    let bfloat = |value: f32| value.to_bits().to_be_bytes()[..2].iter().rev().copied().collect();
    let huge: Vec<u8> = bfloat(3e38);
    for name in ["transformer.wte.weight", "transformer.wpe.weight", "transformer.ln_f.weight"] {
        let large = tensors.with(name, |(dtype, _, bytes)| {
            *dtype = "BF16".to_owned();
            *bytes = huge.repeat(bytes.len() / 2);
        });
        tally.weights(&format!("{name} of 3e38"), &large, &["model.non-finite"]);
    }

    let file = tensors.file();
    let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let cuts = [0, 1, 7, 8, 9, 100, 8 + length - 1, 8 + length, 8 + length + 1, file.len() - 1];
    for cut in cuts {
        let codes = ["io.truncated", "io.format", "io.header"];
        tally.weights(&format!("cut at {cut}"), &file[..cut], &codes);
    }
    let longer = [&file[..], &[0]].concat();
    tally.weights("a byte more", &longer, &["io.header"]);
    // Other formats of that name.
    let array = npy("<f4", false, "(2, 2)", &[0; 16]);
    tally.weights("an array", &array, &["model.missing"]);
    tally.weights("a pickle", b"\x80\x02}q\x00.", &["io.format", "io.header", "io.truncated"]);
    tally.weights("a page", b"<!doctype html><title>404</title>", &["io.format", "io.header"]);
    tally.weights("a pointer", b"version https://git-lfs.github.com/spec/v1\noid", &["io.format"]);
    tally.finish(280);
}

/// A tokenizer with a field of a path changed.
fn tokenizer_with(path: &str, value: Value) -> Vec<u8> {
    let mut file: Value = serde_json::from_slice(golden::tokenizer()).unwrap();
    *file.pointer_mut(path).unwrap_or_else(|| panic!("no {path}")) = value;
    file.to_string().into_bytes()
}

#[test]
fn hostile_tokenizers_are_refused_in_words_and_within_memory() {
    let mut tally = Tally::default();
    const JSON: &[&str] = &["tokenizer.json"];
    const FIELD: &[&str] = &["tokenizer.field"];
    let mut changed = |path: &str, value: Value, codes: &[&str]| {
        let what = format!("{path} = {:.60}", value.to_string());
        tally.tokenizer(&what, &tokenizer_with(path, value), codes);
    };
    for value in [json!("WordPiece"), json!("Unigram"), json!("bpe"), json!("\u{202e}")] {
        changed("/model/type", value, FIELD);
    }
    for value in [json!(0.1), json!(-1), json!(1e300)] {
        changed("/model/dropout", value, FIELD);
    }
    for value in [json!("x"), json!([]), json!(true)] {
        changed("/model/dropout", value, JSON);
    }
    changed("/model/continuing_subword_prefix", json!("##"), FIELD);
    changed("/model/end_of_word_suffix", json!("</w>"), FIELD);
    changed("/model/ignore_merges", json!(1), JSON);
    for value in [json!(null), json!([]), json!("a"), json!(3)] {
        changed("/model", value, JSON);
    }
    for value in [json!(null), json!([]), json!([["a", 0]]), json!("a"), json!({"a": {}})] {
        changed("/model/vocab", value, JSON);
    }
    changed("/model/vocab", json!({}), FIELD);
    for value in [
        json!(-1),
        json!(1.5),
        json!("3"),
        json!(null),
        json!([3]),
        json!(u64::MAX),
        json!(u32::MAX),
        json!(VOCABULARY_MAX),
    ] {
        changed("/model/vocab/a", value, JSON);
    }
    // Another's number.
    changed("/model/vocab/a", json!(0), FIELD);
    changed("/model/vocab/a", json!(422), FIELD);
    for value in [json!(null), json!({}), json!("a b"), json!(1)] {
        changed("/model/merges", value, JSON);
    }
    for merge in [
        json!("ab"),
        json!(""),
        json!("a b c"),
        json!("a  b"),
        json!([]),
        json!(["a"]),
        json!(["a", "b", "c"]),
        json!(["a", 1]),
        json!([["a"], "b"]),
        json!({"a": "b"}),
        json!(1),
        json!(null),
    ] {
        changed("/model/merges/5", merge, JSON);
    }
    for merge in [json!(" "), json!("a "), json!("q x"), json!(["a", "\u{0}"]), json!(["h", "e"])] {
        changed("/model/merges/5", merge, FIELD);
    }
    let added = "/added_tokens";
    for value in [json!(null), json!({}), json!("a"), json!([1]), json!([{}]), json!([["a"]])] {
        changed(added, value, JSON);
    }
    for value in [json!(-1), json!(1.5), json!("a"), json!(u64::MAX), json!(null)] {
        changed("/added_tokens/1/id", value, JSON);
    }
    for value in [json!(VOCABULARY_MAX), json!(u32::MAX), json!(5), json!(0), json!(421)] {
        changed("/added_tokens/1/id", value, FIELD);
    }
    changed("/added_tokens/0/id", json!(423), FIELD);
    for value in [json!(""), json!("x".repeat(257)), json!("he"), json!("<|user|>\n")] {
        changed("/added_tokens/1/content", value, FIELD);
    }
    changed("/added_tokens/1/content", json!(7), JSON);
    for field in ["single_word", "lstrip", "rstrip"] {
        changed(&format!("/added_tokens/2/{field}"), json!(true), FIELD);
        changed(&format!("/added_tokens/2/{field}"), json!("no"), JSON);
    }
    let token = |id: usize| json!({"id": id, "content": format!("<{id}>")});
    changed(added, (1_000..17_385).map(token).collect(), JSON);
    let replace = |pattern: Value, content: &str| json!({"type": "Replace", "pattern": pattern, "content": content});
    for value in [
        json!({"type": "NFKC"}),
        json!({"type": "Prepend"}),
        json!({"type": "Prepend", "prepend": "x".repeat(17)}),
        replace(json!({"String": ""}), "a"),
        replace(json!({"Regex": "a+"}), "a"),
        json!({"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]}),
    ] {
        changed("/normalizer", value, FIELD);
    }
    let nested = json!({"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": []}]});
    let many = json!({"type": "Sequence", "normalizers": vec![json!({"type": "NFC"}); 17]});
    for value in [nested, many, replace(json!("a"), "b"), replace(json!({"Other": 1}), "b")] {
        changed("/normalizer", value, JSON);
    }
    for value in [json!({}), json!("NFC"), json!([]), json!(1), json!({"type": 1})] {
        changed("/normalizer", value.clone(), JSON);
        changed("/pre_tokenizer", value, JSON);
    }
    for value in [
        Value::Null,
        json!({"type": "Whitespace"}),
        json!({"type": "Sequence", "pretokenizers": []}),
        json!({"type": "ByteLevel"}),
        json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": false}),
        json!({"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": "(a+)+b"}, "behavior": "Isolated", "invert": false},
            {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false},
        ]}),
    ] {
        changed("/pre_tokenizer", value, FIELD);
    }
    for value in [json!(1), json!("yes"), json!([])] {
        changed("/pre_tokenizer/add_prefix_space", value.clone(), JSON);
        changed("/pre_tokenizer/use_regex", value, JSON);
    }
    let special = json!([{"SpecialToken": {"id": "<s>", "type_id": 0}}]);
    let template = |single| json!({"type": "TemplateProcessing", "single": single});
    changed("/post_processor", template(special.clone()), FIELD);
    let text = json!({"Sequence": {"id": "A", "type_id": 0}});
    let both = json!([special[0], text]);
    changed("/post_processor", template(both.clone()), FIELD);
    changed("/post_processor", template(json!([text, text])), FIELD);
    let mut named = template(both);
    named["special_tokens"] = json!({"<s>": {"id": "<s>", "ids": [423], "tokens": ["<s>"]}});
    changed("/post_processor", named.clone(), FIELD);
    named["special_tokens"]["<s>"]["ids"] = json!(vec![1; 17]);
    changed("/post_processor", named, JSON);
    changed("/post_processor", json!({"type": "BertProcessing"}), FIELD);
    for single in [json!(1), json!([1]), json!(["A"]), json!([{"Other": {}}]), json!([{}])] {
        changed("/post_processor", template(single), JSON);
    }
    changed("/decoder", json!({"type": "WordPiece"}), FIELD);
    changed("/decoder", json!("ByteLevel"), JSON);

    // Text that is no such JSON, or more of it than there may be.
    let text = std::str::from_utf8(golden::tokenizer()).unwrap();
    let instead = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let nested = "[".repeat(1 << 20);
    let closed = "]".repeat(1 << 20);
    let vocabulary: Vec<String> = (0..=VOCABULARY_MAX).map(|id| format!("\"x{id}\":{}", id % VOCABULARY_MAX)).collect();
    for (what, file, codes) in [
        ("nothing", String::new(), JSON),
        ("an empty object", "{}".to_owned(), JSON),
        ("a list", "[]".to_owned(), JSON),
        ("null", "null".to_owned(), JSON),
        ("half of it", text[..text.len() / 2].to_owned(), JSON),
        ("more behind it", format!("{text} {{}}"), JSON),
        ("a mark of its order", format!("\u{feff}{text}"), JSON),
        ("a token twice", instead("\"!\": 1", "\"!\": 1, \"!\": 1"), JSON),
        ("a number twice", instead("\"!\": 1", "\"!\": 2"), FIELD),
        ("no number", instead("\"!\": 1", "\"!\": NaN"), JSON),
        ("half a pair of surrogates", instead("\"!\": 1", "\"\\ud800\": 1"), JSON),
        ("the other half", instead("\"!\": 1", "\"\\udc00x\": 1"), JSON),
        ("halves in the wrong order", instead("\"!\": 1", "\"\\udc00\\ud800\": 1"), JSON),
        ("half a pair in a merge", instead("\"h\"", "\"\\ud83d\""), JSON),
        ("two models", instead("\"model\"", "\"model\": null, \"model\""), JSON),
        ("a field twice", instead("\"truncation\"", "\"decoder\": null, \"version\""), JSON),
        ("vocabulary without end", instead("\"vocab\": {", "\"vocab\": {\"a\": {"), JSON),
        ("lists without end", format!("{{\"x\": {nested}"), JSON),
        ("deep lists", format!("{{\"x\": {nested}{closed}}}"), JSON),
        ("objects without end", format!("{{\"x\": {}", "{\"a\":".repeat(1 << 20)), JSON),
        ("a vocabulary without end", format!("{{\"model\":{{\"vocab\":{{{}}}}}}}", vocabulary.join(",")), JSON),
        ("merges without end", format!("{{\"model\":{{\"merges\":[{}\"a b\"]}}}}", "\"a b\",".repeat(1 << 20)), JSON),
        ("a list for a merge", format!("{{\"model\":{{\"merges\":[[{}1]]}}}}", "1,".repeat(4 << 20)), JSON),
        ("a deep merge", format!("{{\"model\":{{\"merges\":[{nested}"), JSON),
        (
            "a template without end",
            format!(
                "{{\"post_processor\":{{\"type\":\"ByteLevel\",\"single\":[{}1",
                "{\"Sequence\":1},".repeat(1 << 19)
            ),
            JSON,
        ),
        ("long", format!("{text}{}", " ".repeat(TOKENIZER_BYTES_MAX)), JSON),
    ] {
        tally.tokenizer(what, file.as_bytes(), codes);
    }
    tally.tokenizer("no text", b"{\"\xff\": 1}", JSON);
    tally.finish(140);
}

#[test]
fn hostile_token_files_are_refused_in_words_and_within_memory() {
    let mut tally = Tally::default();
    let config = Config { vocabulary: 50_257, context: 1024, ..Config::TOY_MODEL };
    let mut refuse = |what: &str, name: &str, bytes: &[u8], codes: &[&str]| {
        tally.take(what, ALLOWED, codes, || {
            let file = DataFile::open(name, Box::new(bytes.to_vec()), CAP)?;
            read_token_rows(file.only_array()?, &config)
        });
    };
    type Bytes = fn(i64) -> Vec<u8>;
    let wholes: [(&str, Bytes); 3] = [
        ("<i2", |id| (id as i16).to_le_bytes().to_vec()),
        ("<i4", |id| (id as i32).to_le_bytes().to_vec()),
        (">i8", |id| id.to_be_bytes().to_vec()),
    ];
    for (descr, bytes) in wholes {
        for id in [-1, i64::from(i16::MIN)] {
            let ids = [bytes(3), bytes(id)].concat();
            for shape in ["(2,)", "(2, 1)", "(1, 2)"] {
                refuse(&format!("{id}"), "ids.npy", &npy(descr, false, shape, &ids), &["model.token"]);
            }
        }
    }
    for (descr, id) in [
        ("<u2", 50_257u64),
        ("<u2", 65_535),
        ("<u4", 50_257),
        ("<u4", u64::from(u32::MAX)),
        ("<u8", 16_777_216),
        ("<u8", 1 << 32),
        ("<u8", u64::MAX),
    ] {
        let size: usize = descr[2..].parse().unwrap();
        let ids = [&[0; 8][..size], &id.to_le_bytes()[..size]].concat();
        refuse(&format!("{id}"), "ids.npy", &npy(descr, false, "(2,)", &ids), &["model.token"]);
    }
    for (descr, size) in [("<f2", 2), ("<f4", 4), (">f8", 8), ("<V2", 2)] {
        let zeros = vec![0; 4 * size];
        refuse(descr, "ids.npy", &npy(descr, false, "(2, 2)", &zeros), &["model.tokens"]);
    }
    for (descr, size) in [("|b1", 1), ("<U1", 4), ("|O", 8), ("<c8", 8), ("<M8[s]", 8)] {
        let codes = ["io.dtype", "io.header"];
        refuse(descr, "ids.npy", &npy(descr, false, "(2,)", &vec![0; 2 * size]), &codes);
    }
    for shape in ["(1, 1, 4)", "(2, 2, 1)", "(1, 1, 1, 1, 4)"] {
        refuse(shape, "ids.npy", &npy("|u1", false, shape, &[0; 4]), &["model.tokens"]);
    }
    refuse("a long row", "ids.npy", &npy("|u1", false, "(1025,)", &[0; 1025]), &["model.tokens"]);
    let many = npy("|u1", false, "(5000000, 1)", &vec![0; 5_000_000]);
    refuse("many rows", "ids.npy", &many, &["model.tokens"]);
    for shape in ["(0,)", "(0, 4)", "(4, 0)", "()", "(-4,)", "(1000000000000,)", "(5,)", "(3,)"] {
        let codes = ["io.shape", "io.header", "io.truncated", "model.token", "model.tokens"];
        refuse(shape, "ids.npy", &npy("<i8", false, shape, &[0xff; 32]), &codes);
    }
    refuse("text", "ids.csv", b"1,2\n3,4\n", &["model.tokens"]);
    let two = r#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},
                  "b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}"#;
    refuse("two arrays", "ids.safetensors", &safetensors(two, &[0; 2]), &["io.missing"]);
    tally.finish(40);
}

/// The names and shapes that the toy model's loader looks for, small.
fn little() -> Tensors {
    let config =
        Config { layers: 2, heads: 2, d_model: 6, d_head: 3, d_mlp: 5, context: 4, vocabulary: 7, ..Config::TOY_MODEL };
    let tensors = Parameters::zeros(config).tensor_specs().into_iter().map(|tensor| {
        let bytes = vec![0; 4 * tensor.range.len()];
        (tensor.name, ("F32".to_owned(), tensor.shape, bytes))
    });
    Tensors(tensors.collect())
}

fn read_little(bytes: &[u8]) -> Result<(), ModelError> {
    let file = DataFile::open("little.safetensors", Box::new(bytes.to_vec()), CAP)?;
    let model = Model::new(&Parameters::open(&file)?);
    let logits = model.last_logits(&Batch::new(&[[0]])?, &mut ())?;
    assert_eq!(logits.len(), model.config().vocabulary);
    Ok(())
}

#[test]
fn hostile_weights_of_the_little_model_are_refused_in_words_and_within_memory() {
    let mut tally = Tally::default();
    let tensors = little();
    read_little(&tensors.file()).unwrap();
    let names: Vec<String> = tensors.0.keys().cloned().collect();
    let mut refuse = |what: &str, bytes: &[u8], codes: &[&str]| {
        tally.take(what, bytes.len() as isize + ALLOWED, codes, || read_little(bytes));
    };
    for name in &names {
        let mut without = tensors.clone();
        without.0.remove(name);
        // Without its head, or its second layer's first tensor, it would be another model's.
        refuse(&format!("{name} missing"), &without.file(), &["model.missing", "model.shape"]);
        let deep = tensors.with(name, |(_, shape, _)| shape.push(1));
        refuse(&format!("{name} deep"), &deep, &["model.shape"]);
        let whole = tensors.with(name, |(dtype, _, _)| *dtype = "I32".to_owned());
        refuse(&format!("{name} of whole numbers"), &whole, &["model.dtype"]);
        let wrong = tensors.with(name, |(_, _, bytes)| bytes[..4].fill(0xff));
        refuse(&format!("{name} with NaN"), &wrong, &["io.non-finite"]);
    }
    // Sizes that are each in the file, and together more than any machine has.
    let wide = |name: &str, shape: &[usize]| {
        tensors.with(name, |(dtype, of, bytes)| {
            *dtype = "F16".to_owned();
            *of = shape.to_vec();
            *bytes = vec![0; 2 * shape.iter().product::<usize>()];
        })
    };
    for (name, shape) in [
        ("embed.W_E", &[1_000_000, 1][..]),
        ("embed.W_E", &[1, 1_000_000]),
        ("pos_embed.W_pos", &[1_000_000, 1]),
        ("blocks.0.attn.W_Q", &[1, 1, 1_000_000]),
        ("blocks.0.attn.W_Q", &[1_000_000, 1, 1]),
        ("blocks.0.attn.W_Q", &[1_000, 1, 1_000]),
        ("blocks.0.mlp.W_in", &[1, 1_000_000]),
    ] {
        refuse(&format!("{name} of {shape:?}"), &wide(name, shape), &["model.shape"]);
    }
    let mut all = tensors.clone();
    for (name, shape) in [
        ("embed.W_E", vec![1, 500_000]),
        ("pos_embed.W_pos", vec![500_000, 1]),
        ("blocks.0.attn.W_Q", vec![1, 1, 500_000]),
        ("blocks.0.mlp.W_in", vec![1, 500_000]),
    ] {
        let bytes = vec![0; 2 * shape.iter().product::<usize>()];
        all.0.insert(name.to_owned(), ("F16".to_owned(), shape, bytes));
    }
    refuse("all of them wide", &all.file(), &["model.shape"]);
    tally.finish(130);
}

#[test]
fn reading_a_model_takes_the_memory_it_said_it_would() {
    for [config, weights] in golden::models() {
        let open = || {
            let files: Vec<(String, Box<dyn ReadAt>)> =
                vec![(CONFIG.to_owned(), Box::new(config.to_vec())), (WEIGHTS.to_owned(), Box::new(weights.to_vec()))];
            ModelFolder::open(files, CAP).expect("a folder")
        };
        let said = open().memory_bytes();
        let folder = open();
        let (model, most) = measured(|| folder.read(said));
        let model = model.expect("a model");
        println!("{} layers: {most} bytes of {said}", model.model().config().layers);
        // Besides what one tensor is read through.
        assert!(most <= said as isize + (1 << 20), "{most} bytes, not {said}");
    }
}

#[test]
fn changed_models_do_no_harm() {
    let seeds = golden::models();
    let found = fuzz("models", 2_000, |rng, files| {
        let [mut config, mut weights] = seeds[below(rng, seeds.len())].map(<[u8]>::to_vec);
        let mut tokenizer = golden::tokenizer().to_vec();
        // Mostly one of them alone: two that are wrong are refused at the first.
        let which = rng.next_word() % 8;
        if which < 4 {
            mutate::file(rng, CONFIG, &mut config);
        }
        if which > 2 {
            mutate::file(rng, WEIGHTS, &mut weights);
        }
        if which == 7 {
            mutate::file(rng, TOKENIZER, &mut tokenizer);
        }
        let mut all = vec![(CONFIG, config), (WEIGHTS, weights)];
        if which > 5 {
            all.push((TOKENIZER, tokenizer));
        }
        files.extend(all.clone());
        let all: Vec<(&str, &[u8])> = all.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
        let (result, most) = measured(|| read(&all));
        assert!(most <= ALLOWED, "{most}");
        if let Err(error) = &result {
            let text = error.to_string();
            assert!(!text.contains('\n') && text.len() < 900, "{text}");
        }
        result.is_ok()
    });
    found.some_of_each();
}

#[test]
fn changed_tokenizers_do_no_harm() {
    let found = fuzz("tokenizers", 2_000, |rng, files| {
        let mut bytes = golden::tokenizer().to_vec();
        mutate::file(rng, TOKENIZER, &mut bytes);
        files.push((TOKENIZER, bytes.clone()));
        let (result, most) = measured(|| {
            let tokenizer = Tokenizer::parse(TOKENIZER, &bytes)?;
            let text = "The cat's 12\n\n  言葉 <|endoftext|>";
            // What has a token for every byte gives the text back, unless it puts a space before it.
            match tokenizer.encode(text) {
                Ok(tokens) => {
                    let found = tokenizer.decode(&tokens)?;
                    assert!(found == text || found.replace(' ', "") == text.replace(' ', ""), "{found:?}");
                }
                Err(error) => assert_eq!(error.code(), "tokenizer.byte"),
            }
            Ok::<(), ModelError>(())
        });
        assert!(most <= ALLOWED, "{most}");
        if let Err(error) = &result {
            let text = error.to_string();
            assert!(text.starts_with(TOKENIZER) && !text.contains('\n') && text.len() < 900, "{text}");
        }
        result.is_ok()
    });
    found.some_of_each();
}

#[test]
fn changed_token_files_do_no_harm() {
    let config = Config { vocabulary: 200, context: 12, ..Config::TOY_MODEL };
    let found = fuzz("token-files", 20_000, |rng, files| {
        let count = 1 + below(rng, 24);
        let ids: Vec<u8> = (0..count).flat_map(|_| u64::from(rng.next_word() % 190).to_le_bytes()).collect();
        let shape = match count.is_multiple_of(2) {
            true => format!("({}, 2)", count / 2),
            false => format!("({count},)"),
        };
        let mut bytes = npy("<i8", false, &shape, &ids);
        mutate::file(rng, "ids.npy", &mut bytes);
        files.push(("ids.npy", bytes.clone()));
        let (result, most) = measured(|| {
            let file = DataFile::open("ids.npy", Box::new(bytes), CAP)?;
            read_token_rows(file.only_array()?, &config)
        });
        assert!(most <= ALLOWED, "{most}");
        match &result {
            Ok(rows) => {
                let mut tokens = rows.iter().flatten();
                assert!(tokens.all(|token| *token < 200) && !rows.is_empty());
            }
            Err(error) => assert!(error.to_string().contains("ids.npy"), "{error}"),
        }
        result.is_ok()
    });
    found.some_of_each();
}

/// A family's files: its configuration, its weights, and the same in a GGUF file where there is one.
fn language_models() -> [[&'static [u8]; 2]; 4] {
    [
        [
            include_bytes!("../golden/models/gemma3/config.json"),
            include_bytes!("../golden/models/gemma3/model.safetensors"),
        ],
        [
            include_bytes!("../golden/models/llama3/config.v4.json"),
            include_bytes!("../golden/models/llama3/model.safetensors"),
        ],
        [
            include_bytes!("../golden/models/neox-sequential/config.json"),
            include_bytes!("../golden/models/neox-sequential/model.safetensors"),
        ],
        [
            include_bytes!("../golden/models/qwen2/config.json"),
            include_bytes!("../golden/models/qwen2/model.safetensors"),
        ],
    ]
}

fn ggufs() -> [&'static [u8]; 3] {
    [
        include_bytes!("../golden/models/gemma3/model.gguf"),
        include_bytes!("../golden/models/llama3/model.gguf"),
        include_bytes!("../golden/models/smollm2/model.gguf"),
    ]
}

/// Opens files of a language model, reads it and asks it what comes next.
fn ask(files: &[(&str, &[u8])]) -> Result<(), ModelError> {
    let files = files.iter().map(|(name, bytes)| {
        let source: Box<dyn ReadAt> = Box::new(bytes.to_vec());
        ((*name).to_owned(), source)
    });
    let model = ModelFiles::open(files.collect(), CAP)?.read(CAP)?;
    let tokens = match model.tokenizer() {
        Some(tokenizer) => tokenizer.encode_with_special_tokens("The cat, 12 'll\n é")?,
        None => vec![0, 1],
    };
    let scored = model.score(&tokens, 3, &mut ())?;
    assert!(scored.top.iter().all(|next| next.logit.is_finite()));
    Ok(())
}

/// A GGUF file of some metadata and of tensors as they are described.
fn gguf(version: u32, counts: [u64; 2], rest: &[u8]) -> Vec<u8> {
    let mut bytes = b"GGUF".to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    bytes.extend(rest);
    bytes
}

#[test]
fn hostile_ggufs_are_refused_in_words_and_within_memory() {
    let mut tally = Tally::default();
    const HEADER: &[&str] = &["io.header", "io.truncated"];
    let mut refuse = |what: &str, bytes: &[u8], codes: &[&str]| {
        tally.take(what, bytes.len() as isize + ALLOWED, codes, || ask(&[("m.gguf", bytes)]));
    };
    let string = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let entry = |key: &str, kind: u32, value: &[u8]| [&string(key)[..], &kind.to_le_bytes(), value].concat();
    let list = |kind: u32, count: u64| [&kind.to_le_bytes()[..], &count.to_le_bytes()].concat();
    for version in [0, 1, 4, 3 << 24, u32::MAX] {
        refuse(&format!("version {version}"), &gguf(version, [0, 0], b""), HEADER);
    }
    for counts in [[u64::MAX, 0], [0, u64::MAX], [1, 0], [0, 1], [10_001, 0], [0, 10_001]] {
        refuse(&format!("counts {counts:?}"), &gguf(3, counts, b""), HEADER);
    }
    let huge = u64::MAX.to_le_bytes();
    for (what, bytes) in [
        ("a key without end", huge.to_vec()),
        ("a string without end", entry("a", 8, &huge)),
        ("a list without end", entry("a", 9, &list(4, u64::MAX))),
        ("strings without end", entry("a", 9, &list(8, 1 << 20))),
        ("a list of lists", entry("a", 9, &[list(9, 1), list(4, 0)].concat())),
        // As deep as would overflow a stack.
        ("lists of lists of lists", entry("a", 9, &list(9, 1).repeat(200_000))),
        ("a truth of 2", entry("a", 7, &[2])),
        ("a type of 13", entry("a", 13, &[0; 8])),
        ("no UTF-8", entry("a", 8, &[&1u64.to_le_bytes()[..], &[0xff]].concat())),
        ("no alignment", entry("general.alignment", 4, &0u32.to_le_bytes())),
    ] {
        refuse(what, &gguf(3, [0, 1], &bytes), HEADER);
    }
    let twice = [entry("a", 4, &[0; 4]), entry("a", 4, &[0; 4])].concat();
    refuse("a key twice", &gguf(3, [0, 2], &twice), HEADER);
    let tensor = |shape: &[u64], kind: u32, at: u64| {
        let sizes: Vec<u8> = shape.iter().flat_map(|size| size.to_le_bytes()).collect();
        let count = (shape.len() as u32).to_le_bytes();
        [&string("t")[..], &count, &sizes, &kind.to_le_bytes(), &at.to_le_bytes()].concat()
    };
    for (what, bytes) in [
        ("no dimension", tensor(&[], 0, 0)),
        ("five dimensions", tensor(&[1; 5], 0, 0)),
        ("nothing in it", tensor(&[0], 0, 0)),
        ("more than there are addresses", tensor(&[u64::MAX, 2], 0, 0)),
        ("a place between", tensor(&[1], 0, 7)),
        ("a place beyond", tensor(&[1], 0, 1 << 40)),
        ("a place that overflows", tensor(&[1], 0, u64::MAX - 31)),
    ] {
        refuse(what, &gguf(3, [1, 0], &bytes), HEADER);
    }
    refuse("no architecture", &gguf(3, [0, 0], b""), &["model.config"]);
    let other = entry("general.architecture", 8, &string("mamba"));
    refuse("another architecture", &gguf(3, [0, 1], &other), &["model.config"]);
    // A whole file that ends early, or has a type of quantisation that is not read.
    for whole in ggufs() {
        for end in [4, 100, whole.len() / 2, whole.len() - 1] {
            let codes = ["io.header", "io.truncated", "model.config", "model.folder", "io.format"];
            refuse(&format!("its first {end} bytes"), &whole[..end], &codes);
        }
        let mut typed = whole.to_vec();
        let name = b"token_embd.weight";
        let at = typed.windows(name.len()).position(|bytes| bytes == name).unwrap();
        typed[at + name.len() + 4 + 16] = 10;
        refuse("Q2_K", &typed, &["model.config"]);
    }
    tally.finish(46);
}

#[test]
fn reading_a_language_model_takes_the_memory_it_said_it_would() {
    for gguf in ggufs() {
        let open = || {
            let files: Vec<(String, Box<dyn ReadAt>)> = vec![("m.gguf".to_owned(), Box::new(gguf.to_vec()))];
            ModelFiles::open(files, CAP).expect("a file")
        };
        let said = open().memory_bytes();
        let files = open();
        let (model, most) = measured(|| files.read(said));
        model.expect("a model");
        println!("{most} bytes of {said}");
        assert!(most <= said as isize + (1 << 20), "{most} bytes, not {said}");
        assert!(open().read(said - 1).is_err_and(|error| error.code() == "model.too-large"));
    }
}

/// Changes a configuration of a language model: sizes, words, objects of it.
fn change_config(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    let Ok(Value::Object(mut root)) = serde_json::from_slice::<Value>(bytes) else { return };
    let names: Vec<String> = root.keys().cloned().collect();
    for _ in 0..1 + rng.next_word() % 2 {
        let name = &names[below(rng, names.len())];
        let found = match rng.next_word() % 4 {
            0 => {
                root.remove(name);
                continue;
            }
            1 => json!(1 << (rng.next_word() % 25)),
            2 => json!(rng.next_word() % 5),
            _ => value(rng),
        };
        let inner = root.get_mut(name).and_then(Value::as_object_mut);
        match inner.filter(|_| rng.next_word().is_multiple_of(2)) {
            Some(inner) => {
                let names: Vec<String> = inner.keys().cloned().collect();
                inner.insert(names[below(rng, names.len())].clone(), found);
            }
            None => {
                root.insert(name.clone(), found);
            }
        }
    }
    *bytes = Value::Object(root).to_string().into_bytes();
}

#[test]
fn changed_language_models_do_no_harm() {
    let seeds = language_models();
    let found = fuzz("language-models", 1_000, |rng, files| {
        let [mut config, mut weights] = seeds[below(rng, seeds.len())].map(<[u8]>::to_vec);
        let which = rng.next_word() % 8;
        if which < 6 {
            change_config(rng, &mut config);
        }
        if which > 4 {
            mutate::file(rng, WEIGHTS, &mut weights);
        }
        files.extend([(CONFIG, config.clone()), (WEIGHTS, weights.clone())]);
        let (result, most) = measured(|| ask(&[(CONFIG, &config), (WEIGHTS, &weights)]));
        assert!(most <= ALLOWED, "{most}");
        if let Err(error) = &result {
            let text = error.to_string();
            assert!(!text.contains('\n') && text.len() < 900, "{text}");
        }
        result.is_ok()
    });
    found.some_of_each();
}

#[test]
fn changed_ggufs_do_no_harm() {
    let seeds = ggufs();
    let found = fuzz("ggufs", 1_000, |rng, files| {
        let mut bytes = seeds[below(rng, seeds.len())].to_vec();
        mutate::file(rng, "m.gguf", &mut bytes);
        files.push(("m.gguf", bytes.clone()));
        let (result, most) = measured(|| ask(&[("m.gguf", &bytes)]));
        assert!(most <= ALLOWED, "{most}");
        if let Err(error) = &result {
            let text = error.to_string();
            assert!(!text.contains('\n') && text.len() < 900, "{text}");
        }
        result.is_ok()
    });
    found.some_of_each();
}
