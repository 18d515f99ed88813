//! Changes to files that keep enough of their structure for a parser to follow: lengths, dimensions,
//! types, JSON tokens, directories of archives, packed streams, cells; and blind ones.

use std::io::{Cursor, Read, Write};

use serde_json::{Map, Value, json};
use sfc_bench::NumpyRng;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Numbers that matter to parsers.
const TELLING: [&[u8]; 14] = [
    b"\x00",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\x00\x00\x00\x80",
    b"9999999999999999999",
    b"-1",
    b"(",
    b"{",
    b"[",
    b"'",
    b"\"",
    b",",
    b"PK\x05\x06",
    b"PK\x06\x07",
];

/// Whole numbers, as text, near what overflows, is empty, or is no such number.
const COUNTS: [&str; 19] = [
    "0",
    "1",
    "2",
    "3",
    "12",
    "150",
    "1800",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "-1",
    "1.0",
    "1e3",
    "007",
    "١",
    "",
];

const NPY_TYPES: [&str; 22] = [
    "<f4", ">f4", "<f8", ">f8", "<f2", ">f2", "<V2", "|V2", "<i1", "|u1", "<i2", ">u2", "<i4", "<u8", "=f4", "|f4",
    "<f16", "|O", "<c8", "", "<", "<f4<f4",
];

const TENSOR_TYPES: [&str; 14] =
    ["F16", "BF16", "F32", "F64", "I8", "U8", "I16", "U16", "I32", "I64", "BOOL", "F8_E4M3", "f32", ""];

pub fn below(rng: &mut NumpyRng, bound: usize) -> usize {
    rng.next_word() as usize % bound.max(1)
}

fn one<'a, T: ?Sized>(rng: &mut NumpyRng, of: &[&'a T]) -> &'a T {
    of[below(rng, of.len())]
}

/// A few random changes: bits, bytes, parts doubled, moved or cut out.
pub fn blindly(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    for _ in 0..rng.next_word() % 6 + 1 {
        if bytes.is_empty() {
            return;
        }
        // Headers are at the start, directories at the end.
        let len = bytes.len();
        let at = match rng.next_word() % 3 {
            0 => below(rng, len.min(256)),
            1 => len - 1 - below(rng, len.min(256)),
            _ => below(rng, len),
        };
        let end = (at + below(rng, 40)).min(len);
        match rng.next_word() % 6 {
            0 => bytes[at] ^= 1 << (rng.next_word() % 8),
            1 => bytes[at] = rng.next_word() as u8,
            2 => {
                let told = one(rng, &TELLING);
                let end = (at + told.len()).min(len);
                bytes[at..end].copy_from_slice(&told[..end - at]);
            }
            3 => {
                bytes.drain(at..end);
            }
            4 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            _ => bytes.truncate(at),
        }
    }
}

/// Changes a file of the format that its name ends with: by its structure, blindly, or both.
pub fn file(rng: &mut NumpyRng, name: &str, bytes: &mut Vec<u8>) {
    let how = rng.next_word() % 4;
    if how > 0 {
        match name.rsplit('.').next() {
            Some("npy") => npy(rng, bytes),
            Some("npz") => npz(rng, bytes),
            Some("safetensors") => safetensors(rng, bytes),
            Some("pt") => pt(rng, bytes),
            Some("csv") => csv(rng, bytes),
            Some("gguf") => gguf(rng, bytes),
            _ if name.ends_with("tokenizer.json") => tokenizer(rng, bytes),
            _ if name.ends_with("config.json") => model_config(rng, bytes),
            _ => json_file(rng, bytes),
        }
    }
    if how < 2 {
        blindly(rng, bytes);
    }
}

/// Opcodes of pickles: those that tensors need, and some that would run something.
const OPCODES: &[u8] = b"\x80\x95(NKMJGXcQRbst}])aeuqhrj.\x81\x82\x85\x86\x87\x88\x89\x8a\x8c\x93\x94ioP0128";

/// A pickle with other opcodes, numbers, names, or parts of it elsewhere.
fn pickle(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    const WORDS: [&[u8]; 6] =
        [b"cos\nsystem\n", b"ctorch\nLongStorage\n", b"ctorch\nSize\n", b"X\x01\0\0\0a", b"J\xff\xff\xff\x7f", b"(tR"];
    for _ in 0..1 + rng.next_word() % 3 {
        if bytes.len() < 8 {
            return;
        }
        let at = 2 + below(rng, bytes.len() - 2);
        match rng.next_word() % 6 {
            0 => bytes[at] = OPCODES[below(rng, OPCODES.len())],
            1 => {
                let word = one(rng, &WORDS).to_vec();
                bytes.splice(at..at, word);
            }
            // A small number, as shapes, strides and sizes are, becomes another one.
            2 | 3 => {
                let small = bytes.iter().enumerate().filter(|(_, byte)| [b'K', b'M', b'J'].contains(byte));
                let places: Vec<usize> = small.map(|(at, _)| at + 1).filter(|at| *at < bytes.len()).collect();
                if let Some(place) = places.get(below(rng, places.len())) {
                    bytes[*place] = [0, 1, 2, 3, 7, 40, 255, rng.next_word() as u8][below(rng, 8)];
                }
            }
            4 => {
                let end = (at + below(rng, 60)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                let to = 2 + below(rng, bytes.len() - 2);
                bytes.splice(to..to, part);
            }
            _ => {
                let end = (at + below(rng, 12)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
}

/// Tensors as PyTorch writes them, of which the pickle, a storage or an entry is changed.
fn pt(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(&*bytes)) else {
        return pickle(rng, bytes);
    };
    let mut entries: Vec<(String, Vec<u8>)> = Vec::new();
    for index in 0..archive.len() {
        let Ok(mut entry) = archive.by_index(index) else { return };
        let name = entry.name().map(|name| name.into_owned()).unwrap_or_default();
        let mut held = Vec::new();
        if entry.read_to_end(&mut held).is_err() {
            return;
        }
        entries.push((name, held));
    }
    let which = below(rng, entries.len());
    match rng.next_word() % 8 {
        0 => resized(rng, &mut entries[which].1),
        1 => drop(entries.remove(which)),
        2 => entries[which].0 = one(rng, &["x/data.pkl", "data/0", "x/data/0", "x/byteorder"]).to_owned(),
        _ => {
            if let Some((_, held)) = entries.iter_mut().find(|(name, _)| name.ends_with("data.pkl")) {
                pickle(rng, held);
            }
        }
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, held) in entries {
        let method = match rng.next_word() % 16 {
            0 => CompressionMethod::Deflated,
            _ => CompressionMethod::Stored,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        // Names that are there already are not written again.
        if writer.start_file(name, options).is_err() || writer.write_all(&held).is_err() {
            return;
        }
    }
    if let Ok(done) = writer.finish() {
        *bytes = done.into_inner();
    }
}

/// Numbers in place of some of the payload's: large, tiny, none.
fn payload(rng: &mut NumpyRng, bytes: &mut [u8]) {
    const NUMBERS: [f32; 8] = [f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -0.0, 0.0, f32::NAN, f32::INFINITY];
    let number = NUMBERS[below(rng, NUMBERS.len())].to_le_bytes();
    let places = bytes.len() / 4;
    for _ in 0..1 + below(rng, places.min(40)) {
        let at = 4 * below(rng, places);
        if let Some(place) = bytes.get_mut(at..at + 4) {
            place.copy_from_slice(&number);
        }
    }
}

/// A length that is wrong by little, or by much.
fn lie(rng: &mut NumpyRng, length: u64) -> u64 {
    match rng.next_word() % 8 {
        0 => length.wrapping_add(1),
        1 => length.wrapping_sub(1),
        2 => length.wrapping_add(rng.next_word().into()),
        3 => 0,
        4 => u64::MAX - u64::from(rng.next_word() % 16),
        5 => 1 << (rng.next_word() % 64),
        _ => length,
    }
}

fn resized(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    match rng.next_word() % 8 {
        0 => bytes.truncate(below(rng, bytes.len())),
        1 => bytes.extend(vec![0; below(rng, 100)]),
        2 => payload(rng, bytes),
        _ => {}
    }
}

fn npy(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    let wide = bytes.get(6).is_some_and(|version| *version > 1);
    let start = if wide { 12 } else { 10 };
    let length = match bytes.get(8..start) {
        Some(&[a, b]) => usize::from(u16::from_le_bytes([a, b])),
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as usize,
        _ => return,
    };
    let Some(rest) = bytes.get(start + length..) else { return };
    let mut rest = rest.to_vec();
    let text = String::from_utf8_lossy(&bytes[start..start + length]).into_owned();
    let quoted = |key: &str| {
        let from = text.split(key).nth(1)?;
        from.split('\'').nth(1).map(str::to_owned)
    };
    let mut descr = quoted("'descr':").unwrap_or_else(|| "<f4".to_owned());
    let shape = text.split('(').nth(1).and_then(|from| from.split(')').next()).unwrap_or("1");
    let mut dims: Vec<String> = shape.split(',').map(|dim| dim.trim().to_owned()).collect();
    dims.retain(|dim| !dim.is_empty());
    let mut fortran = if text.contains("True") { "True" } else { "False" };
    for _ in 0..1 + rng.next_word() % 3 {
        match rng.next_word() % 8 {
            0 => one(rng, &NPY_TYPES).clone_into(&mut descr),
            1 => fortran = one(rng, &["True", "False", "true", "0", "None"]),
            2 => dims.reverse(),
            3 => dims.insert(below(rng, dims.len() + 1), one(rng, &COUNTS).to_owned()),
            4 if !dims.is_empty() => {
                dims.remove(below(rng, dims.len()));
            }
            5 if !dims.is_empty() => {
                let at = below(rng, dims.len());
                one(rng, &COUNTS).clone_into(&mut dims[at]);
            }
            6 => dims = vec!["1".to_owned(); below(rng, 70)],
            _ => resized(rng, &mut rest),
        }
    }
    let shape = match dims.as_slice() {
        [only] => format!("({only},)"),
        dims => format!("({})", dims.join(one(rng, &[", ", ",", " , ", ",\n", ",,"]))),
    };
    let mut parts =
        vec![format!("'descr': '{descr}'"), format!("'fortran_order': {fortran}"), format!("'shape': {shape}")];
    match rng.next_word() % 12 {
        0 => parts.reverse(),
        1 => parts.push(parts[below(rng, 3)].clone()),
        2 => {
            parts.remove(below(rng, 3));
        }
        3 => parts[0] = parts[0].replace('\'', "\""),
        _ => {}
    }
    let mut header = format!("{{{}, }}", parts.join(", "));
    let pad = (64 - (start + header.len() + 1) % 64) % 64;
    header.push_str(&" ".repeat(if rng.next_word().is_multiple_of(4) { below(rng, 70) } else { pad }));
    header.push('\n');
    let version = if rng.next_word().is_multiple_of(4) { rng.next_word() % 5 } else { if wide { 2 } else { 1 } };
    let length = if rng.next_word().is_multiple_of(4) { lie(rng, header.len() as u64) } else { header.len() as u64 };
    bytes.truncate(6);
    bytes.extend([version as u8, 0]);
    match version {
        1 => bytes.extend((length as u16).to_le_bytes()),
        _ => bytes.extend((length as u32).to_le_bytes()),
    }
    bytes.extend(header.into_bytes());
    bytes.extend(rest);
}

/// Changes a GGUF file: numbers within its metadata and its tensors' descriptions, or anything.
fn gguf(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    /// What the tiny models' headers are at least.
    const HEADER: usize = 8_000;
    for _ in 0..1 + rng.next_word() % 3 {
        let near = match rng.next_word() % 3 {
            0 => 1_200,
            1 => HEADER,
            _ => bytes.len(),
        };
        let at = below(rng, near.min(bytes.len()));
        let more = below(rng, 9);
        let end = (at + more).min(bytes.len());
        match rng.next_word() % 5 {
            0 => bytes[at..end].fill(0),
            1 => bytes[at..end].fill(0xff),
            2 => bytes[at] = rng.next_word() as u8,
            3 => bytes[at] ^= 1 << (rng.next_word() % 8),
            _ => return blindly(rng, bytes),
        }
    }
}

/// Writes a JSON value as somebody might: with other spaces, a key twice, numbers otherwise.
pub fn text_of(rng: &mut NumpyRng, value: &Value) -> Vec<u8> {
    let mut text = match rng.next_word() % 4 {
        0 => serde_json::to_string_pretty(value),
        _ => serde_json::to_string(value),
    }
    .expect("JSON");
    match rng.next_word() % 16 {
        0 => text = text.replacen(':', " :\t", 3),
        1 => text = text.replacen('0', "0.0", 1),
        2 => text = text.replacen('1', "1e0", 1),
        3 => text = text.replacen('e', "\\u0065", 2),
        4 => text.insert(0, '\u{feff}'),
        5 => text.push_str(&" ".repeat(below(rng, 16))),
        6 => {
            // The first key once more.
            if let Some(end) = text.find(',') {
                let first = text[1..=end].to_owned();
                text.insert_str(1, &first);
            }
        }
        7 => text = format!("{}{text}{}", "[".repeat(200), "]".repeat(200)),
        _ => {}
    }
    text.into_bytes()
}

/// Anything that JSON may hold.
pub fn value(rng: &mut NumpyRng) -> Value {
    const WORDS: [&str; 18] = [
        "",
        "standard",
        "topk",
        "batchtopk",
        "matryoshka_batchtopk",
        "jumprelu",
        "gated",
        "relu",
        "none",
        "layer_norm",
        "constant_norm_rescale",
        "expected_average_only_in",
        "covariance_whitening",
        "hook_z",
        "float16",
        "\u{0}\n\u{202e}",
        "F32",
        "W_dec",
    ];
    match rng.next_word() % 12 {
        0 => Value::Null,
        1 => json!(rng.next_word().is_multiple_of(2)),
        2 => json!(rng.next_word() % 40),
        3 => json!(-1),
        4 => json!(u64::MAX - u64::from(rng.next_word() % 2)),
        5 => json!(1e308),
        6 => json!(f64::MIN_POSITIVE / 2.0),
        7 => json!([rng.next_word() % 30, 12]),
        8 => json!({ "k": rng.next_word() % 30 }),
        9 => (0..below(rng, 120)).fold(json!(1), |inner, _| json!([inner])),
        10 => json!("x".repeat(below(rng, 3_000))),
        _ => json!(one(rng, &WORDS)),
    }
}

fn json_file(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    const FIELDS: [&str; 17] = [
        "architecture",
        "activation_fn",
        "activation_fn_str",
        "activation_fn_kwargs",
        "k",
        "d_in",
        "d_sae",
        "dtype",
        "apply_b_dec_to_input",
        "normalize_activations",
        "reshape_activations",
        "rescale_acts_by_decoder_norm",
        "norm_scaling_factor",
        "finetuning_scaling_factor",
        "metadata",
        "hook_name",
        "device",
    ];
    let Ok(Value::Object(mut root)) = serde_json::from_slice::<Value>(bytes) else { return };
    for _ in 0..1 + rng.next_word() % 3 {
        let field = one(rng, &FIELDS);
        match rng.next_word() % 8 {
            0 => {
                root.remove(field);
            }
            // What is understood, put together anew.
            1 => {
                let word = one(rng, &["standard", "topk", "batchtopk", "jumprelu", "gated"]);
                root.insert("architecture".to_owned(), json!(word));
                root.insert("k".to_owned(), json!(1 + rng.next_word() % 25));
            }
            2 => {
                let word = one(rng, &["none", "layer_norm", "constant_norm_rescale"]);
                root.insert("normalize_activations".to_owned(), json!(word));
            }
            3 => {
                let field = one(rng, &["apply_b_dec_to_input", "rescale_acts_by_decoder_norm"]);
                root.insert(field.to_owned(), json!(rng.next_word().is_multiple_of(2)));
            }
            4 => {
                let factor = one(rng, &[&1e-12, &1e12, &0.5, &1e13, &0.0]);
                root.insert("norm_scaling_factor".to_owned(), json!(factor));
            }
            _ => {
                root.insert(field.to_owned(), value(rng));
            }
        }
    }
    *bytes = text_of(rng, &Value::Object(root));
}

/// A configuration of GPT-2.
fn model_config(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    const SIZES: [&str; 6] = ["n_embd", "n_head", "n_layer", "n_positions", "vocab_size", "n_inner"];
    const FIELDS: [&str; 12] = [
        "model_type",
        "activation_function",
        "scale_attn_weights",
        "scale_attn_by_inverse_layer_idx",
        "add_cross_attention",
        "layer_norm_epsilon",
        "tie_word_embeddings",
        "architectures",
        "transformers_version",
        "bos_token_id",
        "use_cache",
        "dtype",
    ];
    let Ok(Value::Object(mut root)) = serde_json::from_slice::<Value>(bytes) else { return };
    for _ in 0..1 + rng.next_word() % 3 {
        let field = match rng.next_word() % 2 {
            0 => one(rng, &SIZES),
            _ => one(rng, &FIELDS),
        };
        match rng.next_word() % 8 {
            0 => {
                root.remove(field);
            }
            1 => {
                let count = one(rng, &COUNTS);
                let lie = serde_json::from_str(count).unwrap_or_else(|_| json!(count));
                root.insert(field.to_owned(), lie);
            }
            // What may well be.
            2 => {
                root.insert("layer_norm_epsilon".to_owned(), json!(one(rng, &[&1e-5, &1e-12, &0.5])));
            }
            3 => {
                let word = one(rng, &["gelu_new", "gelu_pytorch_tanh", "relu"]);
                root.insert("activation_function".to_owned(), json!(word));
            }
            4 => {
                let anything = value(rng);
                root.insert("unknown".to_owned(), anything);
            }
            _ => {
                let anything = value(rng);
                root.insert(field.to_owned(), anything);
            }
        }
    }
    *bytes = text_of(rng, &Value::Object(root));
}

/// A tokenizer's parts, its vocabulary and its merges.
fn tokenizer(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    const PLACES: [&str; 20] = [
        "/added_tokens",
        "/added_tokens/0",
        "/added_tokens/0/id",
        "/added_tokens/0/content",
        "/added_tokens/0/special",
        "/added_tokens/0/lstrip",
        "/added_tokens/0/normalized",
        "/normalizer",
        "/pre_tokenizer",
        "/pre_tokenizer/type",
        "/pre_tokenizer/add_prefix_space",
        "/pre_tokenizer/use_regex",
        "/post_processor",
        "/decoder",
        "/truncation",
        "/model/type",
        "/model/dropout",
        "/model/vocab",
        "/model/merges",
        "/model/ignore_merges",
    ];
    const TOKENS: [&str; 12] = ["a", "Ġ", "", " ", "ab", "Ġthe", "\u{0}", "言", "é", "<|x|>", "\u{202e}", "Ċ"];
    let Ok(mut root) = serde_json::from_slice::<Value>(bytes) else { return };
    for _ in 0..1 + rng.next_word() % 3 {
        match rng.next_word() % 10 {
            0 | 1 => {
                let anything = value(rng);
                if let Some(place) = root.pointer_mut(one(rng, &PLACES)) {
                    *place = anything;
                }
            }
            2 => {
                let lie = rng.next_word().is_multiple_of(2);
                if let Some(place) = root.pointer_mut(one(rng, &PLACES)) {
                    *place = json!(lie);
                }
            }
            3..=5 => {
                let Some(merges) = root.pointer_mut("/model/merges").and_then(Value::as_array_mut) else {
                    continue;
                };
                let (at, other) = (below(rng, merges.len()), below(rng, merges.len()));
                match rng.next_word() % 6 {
                    // Other ranks are another tokenizer's, and none the worse.
                    0 | 1 if !merges.is_empty() => merges.swap(at, other),
                    2 => merges.truncate(at),
                    3 if !merges.is_empty() => {
                        let pair = merges[at].as_array().cloned().unwrap_or_default();
                        let texts: Vec<&str> = pair.iter().filter_map(Value::as_str).collect();
                        merges[at] = json!(texts.join(one(rng, &[" ", " ", " ", "  ", ""])));
                    }
                    4 if !merges.is_empty() => {
                        merges[at] = json!([one(rng, &TOKENS), one(rng, &TOKENS)]);
                    }
                    _ => {
                        let anything = value(rng);
                        merges.insert(at, anything);
                    }
                }
            }
            _ => {
                let Some(vocab) = root.pointer_mut("/model/vocab").and_then(Value::as_object_mut) else {
                    continue;
                };
                let names: Vec<String> = vocab.keys().cloned().collect();
                if names.is_empty() {
                    continue;
                }
                let name = names[below(rng, names.len())].clone();
                let other = names[below(rng, names.len())].clone();
                match rng.next_word() % 6 {
                    0 => {
                        vocab.remove(&name);
                    }
                    1 | 2 => {
                        // Two that change places.
                        let (a, b) = (vocab[&name].clone(), vocab[&other].clone());
                        vocab.insert(name, b);
                        vocab.insert(other, a);
                    }
                    3 => {
                        let number = vocab[&other].clone();
                        vocab.insert(name, number);
                    }
                    4 => {
                        let next = json!(vocab.len() + below(rng, 4));
                        vocab.insert(one(rng, &TOKENS).to_owned(), next);
                    }
                    _ => {
                        let anything = value(rng);
                        vocab.insert(name, anything);
                    }
                }
            }
        }
    }
    *bytes = text_of(rng, &root);
}

fn safetensors(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    let Some(start) = bytes.first_chunk::<8>() else { return };
    let size = u64::from_le_bytes(*start) as usize;
    let Some(header) = bytes.get(8..).and_then(|rest| rest.get(..size)) else { return };
    let Ok(Value::Object(mut root)) = serde_json::from_slice::<Value>(header) else { return };
    let mut rest = bytes[8 + size..].to_vec();
    for _ in 0..1 + rng.next_word() % 3 {
        let names: Vec<String> = root.keys().cloned().collect();
        if names.is_empty() {
            break;
        }
        let name = names[below(rng, names.len())].clone();
        let other = names[below(rng, names.len())].clone();
        match rng.next_word() % 14 {
            0 => {
                root.remove(&name);
            }
            1 => {
                let entry = root[&name].clone();
                root.insert(one(rng, &["W", "", "a/b", "W_dec", "threshold", "\u{1}"]).to_owned(), entry);
            }
            2 => {
                // Two that change places.
                let (a, b) = (root[&name].clone(), root[&other].clone());
                root.insert(name, b);
                root.insert(other, a);
            }
            3 => {
                root.insert("__metadata__".to_owned(), value(rng));
            }
            4 => resized(rng, &mut rest),
            5 | 6 => payload(rng, &mut rest),
            7 => {
                let anything = value(rng);
                root.insert(name, anything);
            }
            how => {
                if let Some(Value::Object(entry)) = root.get_mut(&name) {
                    tensor(rng, how, entry);
                }
            }
        }
    }
    let header = text_of(rng, &Value::Object(root));
    let length = if rng.next_word().is_multiple_of(8) { lie(rng, header.len() as u64) } else { header.len() as u64 };
    *bytes = length.to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.extend(rest);
}

fn tensor(rng: &mut NumpyRng, how: u32, entry: &mut Map<String, Value>) {
    let list = |entry: &Map<String, Value>, key: &str| -> Vec<Value> {
        entry.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
    };
    match how {
        8 => {
            entry.insert("dtype".to_owned(), json!(one(rng, &TENSOR_TYPES)));
        }
        9 | 10 => {
            let mut shape = list(entry, "shape");
            match rng.next_word() % 5 {
                0 => shape.reverse(),
                1 => shape.push(json!(1)),
                2 => {
                    shape.pop();
                }
                // As many entries, otherwise arranged.
                3 => shape = vec![json!(1), json!(shape.iter().filter_map(Value::as_u64).fold(1, u64::wrapping_mul))],
                _ if !shape.is_empty() => {
                    let at = below(rng, shape.len());
                    let count = one(rng, &COUNTS);
                    shape[at] = serde_json::from_str(count).unwrap_or_else(|_| json!(count));
                }
                _ => {}
            }
            entry.insert("shape".to_owned(), Value::Array(shape));
        }
        11 | 12 => {
            let mut offsets = list(entry, "data_offsets");
            if offsets.is_empty() {
                return;
            }
            let at = below(rng, offsets.len());
            let offset = offsets[at].as_u64().unwrap_or(0);
            offsets[at] = json!(lie(rng, offset));
            if rng.next_word().is_multiple_of(4) {
                offsets.reverse();
            }
            entry.insert("data_offsets".to_owned(), Value::Array(offsets));
        }
        _ => {
            let key = one(rng, &["dtype", "shape", "data_offsets", "more"]);
            let anything = value(rng);
            entry.insert(key.to_owned(), anything);
        }
    }
}

fn csv(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    const CELLS: [&str; 30] = [
        "\"1\"",
        "\"1,2\"",
        "\"",
        "\"\"",
        "'1'",
        "nan",
        "-inf",
        "1e39",
        "-1e-400",
        "1e400",
        "+1",
        ".5",
        "5.",
        "1_000",
        "0x1p3",
        "1d3",
        "١",
        " 1 ",
        "\t1",
        "",
        "#",
        "# 1",
        "-",
        "1 2",
        "1;2",
        "\u{feff}1",
        "\u{0}",
        "1\r",
        "infinity",
        "9007199254740993",
    ];
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut end = "\n";
    for _ in 0..1 + rng.next_word() % 4 {
        if lines.is_empty() {
            break;
        }
        // The first lines are read otherwise than the others.
        let early = rng.next_word().is_multiple_of(2);
        let at = below(rng, if early { 4.min(lines.len()) } else { lines.len() });
        match rng.next_word() % 10 {
            0 => end = one(rng, &["\r\n", "\r", "\n\n", "\n\r", "\u{2028}", ",\n", "\n#\n", ";"]),
            1 => {
                lines.remove(at);
            }
            2 => lines.insert(at, lines[below(rng, lines.len())].clone()),
            3 => lines.insert(at, one(rng, &["", "#", "a,b", ",", "# \u{0}", " ", "\"\n\""]).to_owned()),
            4 => lines.iter_mut().for_each(|line| line.push(',')),
            5 => lines.truncate(at),
            6 => {
                let cell = one(rng, &["1", "\"", "9", "e"]).repeat(below(rng, 5_000));
                lines[at].push_str(&cell);
            }
            _ => {
                let mut cells: Vec<&str> = lines[at].split(',').collect();
                let place = below(rng, cells.len());
                match rng.next_word() % 4 {
                    0 => cells.insert(place, one(rng, &CELLS)),
                    1 => {
                        cells.remove(place);
                    }
                    _ => cells[place] = one(rng, &CELLS),
                }
                lines[at] = cells.join(",");
            }
        }
    }
    *bytes = lines.join(end).into_bytes();
    if rng.next_word().is_multiple_of(2) {
        bytes.extend(end.bytes());
    }
}

/// The arrays of an archive.
fn entries(bytes: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).ok()?;
        let name = entry.name().ok()?.into_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).ok()?;
        found.push((name, content));
    }
    Some(found)
}

/// Packs arrays; a name that the writer refuses, as one that comes twice, is left out.
fn packed(rng: &mut NumpyRng, entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        let method = match rng.next_word() % 2 {
            0 => CompressionMethod::Stored,
            _ => CompressionMethod::Deflated,
        };
        let large = rng.next_word().is_multiple_of(4);
        let options = SimpleFileOptions::default().compression_method(method).large_file(large);
        if writer.start_file(name.as_str(), options).is_ok() {
            writer.write_all(content).expect("a vector takes everything");
        }
    }
    writer.finish().expect("a vector takes everything").into_inner()
}

fn npz(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    // Half of the time the arrays are changed and packed rightly, so that they are reached.
    if rng.next_word().is_multiple_of(2)
        && let Some(mut all) = entries(bytes)
    {
        let at = below(rng, all.len());
        match rng.next_word() % 6 {
            0 => all[at].0 = one(rng, &["x.npy", "/x.npy", "../x.npy", "x.NPY", ".npy", "x", "x/", "é.npy"]).to_owned(),
            1 => {
                let again = all[at].clone();
                all.push((format!("{}.npy", rng.next_word()), again.1));
            }
            2 => blindly(rng, &mut all[at].1),
            _ => npy(rng, &mut all[at].1),
        }
        *bytes = packed(rng, &all);
        if rng.next_word().is_multiple_of(2) {
            return;
        }
    }
    /// Where each field of a record is, and how many bytes it has.
    type Fields = &'static [(usize, usize)];
    /// What begins a record, and its fields.
    const RECORDS: [(&[u8], Fields); 5] = [
        (b"PK\x03\x04", &[(4, 2), (6, 2), (8, 2), (10, 4), (14, 4), (18, 4), (22, 4), (26, 2), (28, 2)]),
        (
            b"PK\x01\x02",
            &[
                (4, 2),
                (6, 2),
                (8, 2),
                (10, 2),
                (16, 4),
                (20, 4),
                (24, 4),
                (28, 2),
                (30, 2),
                (32, 2),
                (34, 2),
                (36, 2),
                (38, 4),
                (42, 4),
            ],
        ),
        (b"PK\x05\x06", &[(4, 2), (6, 2), (8, 2), (10, 2), (12, 4), (16, 4), (20, 2)]),
        (b"PK\x06\x06", &[(4, 8), (12, 2), (16, 4), (24, 8), (32, 8), (40, 8), (48, 8)]),
        (b"PK\x06\x07", &[(4, 4), (8, 8), (16, 4)]),
    ];
    let places: Vec<(usize, Fields)> = (0..bytes.len().saturating_sub(3))
        .filter_map(|at| {
            let known = RECORDS.iter().find(|(mark, _)| bytes[at..].starts_with(mark));
            known.map(|(_, fields)| (at, *fields))
        })
        .collect();
    if places.is_empty() {
        return;
    }
    for _ in 0..1 + rng.next_word() % 3 {
        let (record, fields) = places[below(rng, places.len())];
        let (offset, size) = fields[below(rng, fields.len())];
        let at = record + offset;
        if rng.next_word().is_multiple_of(4) {
            // A packed stream begins after the header and its name: its block type, lengths, codes.
            let at = record + 30 + below(rng, 60);
            if let Some(byte) = bytes.get_mut(at) {
                *byte = if rng.next_word().is_multiple_of(2) {
                    *byte ^ (1 << (rng.next_word() % 8))
                } else {
                    rng.next_word() as u8
                };
            }
            continue;
        }
        let Some(field) = bytes.get_mut(at..at + size) else { continue };
        let mut wide = [0; 8];
        wide[..size].copy_from_slice(field);
        let number = lie(rng, u64::from_le_bytes(wide));
        field.copy_from_slice(&number.to_le_bytes()[..size]);
    }
}
