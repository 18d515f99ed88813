//! Byte-level BPE, held against Hugging Face's tokenizers.

use serde_json::{Value, json};
use sfc_bench::model::{TEXT_BYTES_MAX, Tokenizer, TokenizerError};
use sfc_bench::synthetic::language::Token;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common;

const FILE: &str = include_str!("../golden/model/own/tokenizer.json");

fn parsed(file: &Value) -> Tokenizer {
    Tokenizer::parse("tokenizer.json", file.to_string().as_bytes()).expect("a tokenizer")
}

fn expected() -> Value {
    common::json(include_str!("../golden/model/own/expected.json"))
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn tokens(list: &Value) -> Vec<Vec<Token>> {
    serde_json::from_value(list.clone()).unwrap()
}

#[track_caller]
fn assert_reads(tokenizer: &Tokenizer, texts: &[String], tokens: &[Vec<Token>]) {
    assert_eq!(texts.len(), tokens.len());
    for (text, tokens) in texts.iter().zip(tokens) {
        assert_eq!(&tokenizer.encode(text).unwrap(), tokens, "{text:?}");
    }
}

#[test]
fn texts_become_the_tokens_that_hugging_face_makes_of_them() {
    let expected = expected();
    let (texts, tokens) = (texts(&expected["texts"]), tokens(&expected["tokens"]));
    assert!(texts.len() >= 200);
    let file = common::json(FILE);
    let tokenizer = parsed(&file);
    assert_eq!((tokenizer.vocab_size(), tokenizer.largest_token()), (423, 422));
    assert_reads(&tokenizer, &texts, &tokens);

    // As older versions wrote merges.
    let mut older = file;
    for merge in older["model"]["merges"].as_array_mut().unwrap() {
        *merge = json!(format!("{} {}", merge[0].as_str().unwrap(), merge[1].as_str().unwrap()));
    }
    older["model"].as_object_mut().unwrap().remove("type");
    assert_reads(&parsed(&older), &texts, &tokens);
}

#[test]
fn other_settings_make_the_tokens_that_hugging_face_makes_under_them() {
    let expected = expected();
    let texts = texts(&expected["texts"]);
    let mut seen = 0;
    for otherwise in expected["otherwise"].as_array().unwrap() {
        let mut file = common::json(FILE);
        let [part, field] = ["part", "field"].map(|key| otherwise[key].as_str().unwrap());
        file[part][field] = otherwise["value"].clone();
        let wanted = tokens(&otherwise["tokens"]);
        assert_reads(&parsed(&file), &texts, &wanted);
        seen += usize::from(wanted != tokens(&expected["tokens"]));
    }
    assert!(seen >= 2, "settings that matter: {seen}");
}

#[test]
fn tokens_become_the_texts_that_hugging_face_makes_of_them() {
    let expected = expected();
    let tokenizer = parsed(&common::json(FILE));
    let all: Vec<Vec<Token>> = [tokens(&expected["tokens"]), tokens(&expected["cut"])].into_iter().flatten().collect();
    let wanted = texts(&expected["decoded"]);
    assert_eq!(all.len(), wanted.len());
    assert!(wanted.iter().any(|text| text.contains('\u{fffd}')), "cut within a character");
    for (tokens, wanted) in all.iter().zip(&wanted) {
        assert_eq!(&tokenizer.decode(tokens).unwrap(), wanted, "{tokens:?}");
    }
    for text in texts(&expected["texts"]) {
        assert_eq!(tokenizer.decode(&tokenizer.encode(&text).unwrap()).unwrap(), text);
    }
}

#[test]
fn what_cannot_be_cut_or_put_together_is_refused() {
    let tokenizer = parsed(&common::json(FILE));
    let refused = |error: TokenizerError| (error.code(), error.to_string());
    assert_eq!(
        refused(tokenizer.decode(&[1, 423]).unwrap_err()),
        ("tokenizer.token", "token 423; allowed: those of the vocabulary, to 422".to_owned())
    );
    let long = "a".repeat(TEXT_BYTES_MAX + 1);
    assert_eq!(refused(tokenizer.encode(&long).unwrap_err()).0, "tokenizer.text");
    // As long as it may be, and one word.
    let longest = tokenizer.encode(&long[1..]).unwrap();
    assert_eq!(tokenizer.decode(&longest).unwrap().len(), TEXT_BYTES_MAX);

    let few = parsed(&json!({
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
        "model": {"vocab": {"a": 7, "b": 3, "ab": 9}, "merges": ["a b"]},
    }));
    assert_eq!((few.vocab_size(), few.largest_token()), (3, 9));
    assert_eq!(few.encode("abba").unwrap(), [9, 3, 7]);
    assert_eq!(
        refused(few.encode("a b").unwrap_err()),
        ("tokenizer.byte", "the text has the byte 0x20; allowed: bytes of which the vocabulary has a token".to_owned())
    );
    assert_eq!(refused(few.decode(&[8]).unwrap_err()).0, "tokenizer.token");
}

/// A merge that is ranked before those it is made of is made as soon as it can be, from the left.
#[test]
fn merges_are_made_by_their_rank_and_from_the_left() {
    let file = json!({
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
        "model": {
            "vocab": {"a": 0, "b": 1, "ab": 2, "aba": 3, "aa": 4, "bab": 5},
            "merges": ["ab a", "b ab", "a b", "a a"],
        },
    });
    let tokenizer = parsed(&file);
    assert_eq!(tokenizer.encode("ababab").unwrap(), [3, 5]);
    assert_eq!(tokenizer.encode("aaaaa").unwrap(), [4, 4, 0]);
}

#[test]
fn a_thousand_added_tokens_that_begin_alike_are_found_in_a_long_text() {
    // Looked for one by one at every place, this took minutes.
    let prefix = "a".repeat(240);
    let added: Vec<Value> = (0..1_000)
        .map(|at| json!({"id": 1 + at, "content": format!("{prefix}{at:03}"), "normalized": false}))
        .collect();
    let mut vocabulary: serde_json::Map<String, Value> =
        added.iter().map(|one| (one["content"].as_str().unwrap().to_owned(), one["id"].clone())).collect();
    vocabulary.insert("a".to_owned(), 0.into());
    let file = json!({
        "added_tokens": added,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
        "model": {"type": "BPE", "vocab": vocabulary, "merges": []},
    });
    let tokenizer = parsed(&file);
    let text = format!("{}{prefix}007a{prefix}999", "a".repeat(60_000));
    let tokens = tokenizer.encode(&text).unwrap();
    assert_eq!(tokens.len(), 60_000 + 3);
    assert_eq!(tokens[60_000..], [8, 0, 1_000]);
}

/// Real kinds of tokenizers on small vocabularies, on texts of every kind.
#[test]
fn tokenizers_of_every_family_are_those_of_hugging_face() {
    let files: [(&str, &[u8]); 7] = [
        ("pythia", include_bytes!("../golden/models/pythia/tokenizer.json")),
        ("llama3", include_bytes!("../golden/models/llama3/tokenizer.json")),
        ("smollm2", include_bytes!("../golden/models/smollm2/tokenizer.json")),
        ("qwen2", include_bytes!("../golden/models/qwen2/tokenizer.json")),
        ("llama2", include_bytes!("../golden/models/llama/tokenizer.json")),
        ("mistral", include_bytes!("../golden/models/mistral/tokenizer.json")),
        ("gemma", include_bytes!("../golden/models/gemma2/tokenizer.json")),
    ];
    let expected = common::json(include_str!("../golden/models/tokenizers.json"));
    let mut failed = Vec::new();
    for (name, file) in files {
        let tokenizer = Tokenizer::parse("tokenizer.json", file).unwrap();
        let texts = expected["tokenizers"][name].as_array().unwrap();
        assert_eq!(texts.len(), 29);
        for case in texts {
            let text = case["text"].as_str().unwrap();
            let ids: Vec<Token> = serde_json::from_value(case["ids"].clone()).unwrap();
            let whole: Vec<Token> = serde_json::from_value(case["ids_with_special"].clone()).unwrap();
            let found = tokenizer.encode(text).unwrap();
            if found != ids {
                failed.push(format!("{name}: {text:?} becomes {found:?}, not {ids:?}"));
            }
            assert_eq!(
                tokenizer.encode_with_special_tokens(text).unwrap().len() - found.len(),
                whole.len() - ids.len()
            );
            let decoded = tokenizer.decode(&ids).unwrap();
            if decoded != case["decoded"].as_str().unwrap() {
                failed.push(format!("{name}: {ids:?} reads {decoded:?}, not {:?}", case["decoded"]));
            }
        }
    }
    assert!(failed.is_empty(), "{}\n{}", failed.len(), failed.join("\n"));
}

/// The same vocabularies in GGUF files.
#[test]
fn tokenizers_of_gguf_files_are_those_of_hugging_face() {
    let expected = common::json(include_str!("../golden/models/tokenizers.json"));
    let mut failed = Vec::new();
    let files: [(&str, &[u8]); 3] = [
        ("smollm2", include_bytes!("../golden/models/smollm2/model.gguf")),
        ("llama3", include_bytes!("../golden/models/llama3/model.gguf")),
        ("gemma", include_bytes!("../golden/models/gemma3/model.gguf")),
    ];
    for (name, file) in files {
        let source = std::rc::Rc::new(file.to_vec());
        let file = sfc_bench::io::Gguf::open("model.gguf", source).unwrap();
        let tokenizer = Tokenizer::from_gguf(&file).unwrap().unwrap();
        for case in expected["tokenizers"][name].as_array().unwrap() {
            let text = case["text"].as_str().unwrap();
            let ids: Vec<Token> = serde_json::from_value(case["ids_with_special"].clone()).unwrap();
            let found = tokenizer.encode_with_special_tokens(text).unwrap();
            if found != ids {
                failed.push(format!("{name}: {text:?} becomes {found:?}, not {ids:?}"));
            }
        }
    }
    // This file has <start_of_turn> as a token like any other; the converter knew no better.
    let known = |text: &String| text.contains("gemma: \"a<|endoftext|>");
    failed.retain(|text| !known(text));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
