//! Whole files that nobody made before: any type, order, shape and packing, with numbers near the ends of
//! what their types hold. Changed, they are malformed; as they are, they must be read as NumPy reads them.

use std::io::{Cursor, Write};

use half::{bf16, f16};
use serde_json::{Map, Value, json};
use sfc_bench::NumpyRng;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::mutate::below;

/// NumPy's name of a type, the tensor format's, and the bytes of a number.
const TYPES: [(&str, &str, usize); 12] = [
    ("f2", "F16", 2),
    ("V2", "BF16", 2),
    ("f4", "F32", 4),
    ("f8", "F64", 8),
    ("i1", "I8", 1),
    ("u1", "U8", 1),
    ("i2", "I16", 2),
    ("u2", "U16", 2),
    ("i4", "I32", 4),
    ("u4", "U32", 4),
    ("i8", "I64", 8),
    ("u8", "U64", 8),
];

/// A number that some type rounds, or only just holds.
fn real(rng: &mut NumpyRng) -> f64 {
    let telling = [
        0.0,
        -0.0,
        1.0 / 3.0,
        65_504.0,
        f64::from(f32::MAX),
        f64::from(f32::MIN_POSITIVE),
        1e-45,
        7e-46,
        -1e-400,
        16_777_217.0,
        9_007_199_254_740_993.0,
    ];
    match rng.next_word() % 3 {
        0 => telling[below(rng, telling.len())],
        1 => rng.standard_normal(),
        _ => rng.standard_normal() * libm::exp2(f64::from(rng.next_word() % 240) - 120.0),
    }
}

/// Its bytes, least first: a finite one of the type, or, of a whole number, any.
fn number(rng: &mut NumpyRng, dtype: &str) -> Vec<u8> {
    let value = real(rng);
    let whole = u64::from(rng.next_word()) << 32 | u64::from(rng.next_word());
    // Whole numbers of every length, half-way between two singles more often than chance would have it.
    let whole = match rng.next_word() % 3 {
        0 => whole,
        1 => whole >> (rng.next_word() % 64),
        _ => {
            let (high, shift) = (whole >> 40 | 1 << 23, rng.next_word() % 40);
            ((high << 1 | 1) << shift).wrapping_add(u64::from(rng.next_word() % 3)).wrapping_sub(1)
        }
    };
    match dtype {
        "F16" => f16::from_f64(value.clamp(-65_504.0, 65_504.0)).to_le_bytes().to_vec(),
        "BF16" => bf16::from_f64(value.clamp(-1e38, 1e38)).to_le_bytes().to_vec(),
        "F32" => (value as f32).to_le_bytes().to_vec(),
        "F64" => value.to_le_bytes().to_vec(),
        _ => whole.to_le_bytes().to_vec(),
    }
}

/// Numbers one after the other.
fn payload(rng: &mut NumpyRng, dtype: &str, size: usize, count: usize, big: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(count * size);
    for _ in 0..count {
        let mut one = number(rng, dtype);
        one.truncate(size);
        if big {
            one.reverse();
        }
        bytes.extend(one);
    }
    bytes
}

fn shape(rng: &mut NumpyRng, most: usize) -> Vec<usize> {
    (0..1 + below(rng, most)).map(|_| 1 + below(rng, 7)).collect()
}

pub fn npy(rng: &mut NumpyRng) -> Vec<u8> {
    let (numpy, tensor, size) = TYPES[below(rng, TYPES.len())];
    let fortran = rng.next_word().is_multiple_of(3);
    let shape = shape(rng, if fortran { 2 } else { 4 });
    // NumPy writes no order of bytes for a type that has none.
    let big = size > 1 && numpy != "V2" && rng.next_word().is_multiple_of(3);
    let order = if size == 1 || numpy == "V2" && rng.next_word().is_multiple_of(2) {
        '|'
    } else if big {
        '>'
    } else {
        '<'
    };
    let dimensions: Vec<String> = shape.iter().map(usize::to_string).collect();
    let dimensions = match dimensions.as_slice() {
        [one] => format!("({one},)"),
        more => format!("({})", more.join(", ")),
    };
    let fortran = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '{order}{numpy}', 'fortran_order': {fortran}, 'shape': {dimensions}, }}");
    let version = 1 + (rng.next_word() % 3) as u8;
    let start = if version == 1 { 10 } else { 12 };
    while !(start + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    let length = (header.len() as u32).to_le_bytes();
    bytes.extend(&length[..if version == 1 { 2 } else { 4 }]);
    bytes.extend(header.into_bytes());
    bytes.extend(payload(rng, tensor, size, shape.iter().product(), big));
    bytes
}

pub fn npz(rng: &mut NumpyRng) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..1 + below(rng, 5) {
        let method =
            if rng.next_word().is_multiple_of(2) { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        // As NumPy writes them: in the long form, whatever their size.
        let long = !rng.next_word().is_multiple_of(3);
        let options = SimpleFileOptions::default().compression_method(method).large_file(long);
        let name = if rng.next_word().is_multiple_of(9) { "notes.txt" } else { "arr_" };
        let _ = writer.start_file(format!("{name}{index}.npy"), options);
        writer.write_all(&npy(rng)).expect("a vector takes everything");
    }
    if rng.next_word().is_multiple_of(5) {
        let _ = writer.set_comment("a note of whoever packed this");
    }
    writer.finish().expect("a vector takes everything").into_inner()
}

pub fn safetensors(rng: &mut NumpyRng) -> Vec<u8> {
    let (mut header, mut bytes) = (Map::new(), Vec::new());
    if rng.next_word().is_multiple_of(2) {
        header.insert("__metadata__".to_owned(), json!({ "format": "pt" }));
    }
    for index in 0..1 + below(rng, 6) {
        let (_, dtype, size) = TYPES[below(rng, TYPES.len())];
        let shape = shape(rng, 3);
        let from = bytes.len();
        bytes.extend(payload(rng, dtype, size, shape.iter().product(), false));
        let tensor = json!({ "dtype": dtype, "shape": shape, "data_offsets": [from, bytes.len()] });
        let name = ["W_enc", "b_dec", "blocks.0.hook", "é", "a b", "\u{1}"][index];
        header.insert(name.to_owned(), tensor);
    }
    let mut text = Value::Object(header).to_string();
    while !text.len().is_multiple_of(8) {
        text.push(' ');
    }
    let mut out = (text.len() as u64).to_le_bytes().to_vec();
    out.extend(text.into_bytes());
    out.extend(bytes);
    out
}

/// Numbers as programs print them, and as people type them.
fn cell(rng: &mut NumpyRng) -> String {
    let value = real(rng).clamp(-3e38, 3e38);
    let text = match rng.next_word() % 8 {
        0 => format!("{value:e}"),
        1 => format!("{:E}", value as f32),
        2 => format!("{value:.3}"),
        3 => format!("{}", value as f32),
        4 => format!("{:+}", rng.next_word() as i32),
        5 => format!(".{}", rng.next_word()),
        6 => format!("{}.", rng.next_word()),
        // More digits than any type holds.
        _ => format!("{}{:019}.{:019}", rng.next_word() % 10, rng.next_word(), rng.next_word()),
    };
    match rng.next_word() % 8 {
        0 => format!(" {text}"),
        1 => format!("{text}\t"),
        _ => text,
    }
}

pub fn csv(rng: &mut NumpyRng) -> Vec<u8> {
    let (rows, cols) = (1 + below(rng, 12), 1 + below(rng, 7));
    let end = ["\n", "\r\n", "\r"][below(rng, 3)];
    let mut lines = Vec::new();
    if rng.next_word().is_multiple_of(4) {
        lines.push("# made by nobody, 1 2 3".to_owned());
    }
    if rng.next_word().is_multiple_of(2) {
        lines.push((0..cols).map(|j| format!("unit {j}")).collect::<Vec<_>>().join(","));
    }
    for _ in 0..rows {
        lines.push((0..cols).map(|_| cell(rng)).collect::<Vec<_>>().join(","));
        if rng.next_word().is_multiple_of(16) {
            lines.push(["", "# between"][below(rng, 2)].to_owned());
        }
    }
    let mark = if rng.next_word().is_multiple_of(8) { "\u{feff}" } else { "" };
    let last = if rng.next_word().is_multiple_of(2) { end } else { "" };
    format!("{mark}{}{last}", lines.join(end)).into_bytes()
}

/// A tensor file of floating-point numbers of one type, small ones, each tensor after the other.
fn weights(rng: &mut NumpyRng, tensors: &[(String, Vec<usize>)]) -> Vec<u8> {
    let dtype = ["F32", "F32", "F16", "BF16"][below(rng, 4)];
    let (mut header, mut payload) = (Map::new(), Vec::new());
    if rng.next_word().is_multiple_of(2) {
        header.insert("__metadata__".to_owned(), json!({ "format": "pt" }));
    }
    for (name, shape) in tensors {
        let from = payload.len();
        for _ in 0..shape.iter().product() {
            let value = 0.4 * rng.standard_normal();
            match dtype {
                "F16" => payload.extend(f16::from_f64(value).to_le_bytes()),
                "BF16" => payload.extend(bf16::from_f64(value).to_le_bytes()),
                _ => payload.extend((value as f32).to_le_bytes()),
            }
        }
        let entry = json!({"dtype": dtype, "shape": shape, "data_offsets": [from, payload.len()]});
        header.insert(name.clone(), entry);
    }
    let header = Value::Object(header).to_string();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.into_bytes());
    bytes.extend(payload);
    bytes
}

/// A model's configuration and weights, as transformers lays GPT-2 out.
pub fn model(rng: &mut NumpyRng) -> [Vec<u8>; 2] {
    let [heads, head, layers] = [3, 4, 3].map(|most| 1 + below(rng, most));
    let [vocabulary, positions, inner] = [20, 8, 12].map(|most| 1 + below(rng, most));
    let width = heads * head;
    let inner = rng.next_word().is_multiple_of(2).then_some(inner);
    let tied = !rng.next_word().is_multiple_of(4);
    let activation = ["gelu_new", "gelu_pytorch_tanh", "relu"][below(rng, 3)];
    let config = json!({
        "model_type": "gpt2",
        "activation_function": activation,
        "layer_norm_epsilon": 1e-5,
        "n_embd": width,
        "n_head": heads,
        "n_inner": inner,
        "n_layer": layers,
        "n_positions": positions,
        "vocab_size": vocabulary,
        "tie_word_embeddings": tied,
        "scale_attn_weights": true,
        "scale_attn_by_inverse_layer_idx": false,
        "transformers_version": "5.23.0",
    });
    let prefix = if rng.next_word().is_multiple_of(2) { "transformer." } else { "" };
    let inner = inner.unwrap_or(4 * width);
    let mut tensors = vec![
        (format!("{prefix}wte.weight"), vec![vocabulary, width]),
        (format!("{prefix}wpe.weight"), vec![positions, width]),
        (format!("{prefix}ln_f.weight"), vec![width]),
        (format!("{prefix}ln_f.bias"), vec![width]),
    ];
    for layer in 0..layers {
        for (name, shape) in [
            ("ln_1.weight", vec![width]),
            ("ln_1.bias", vec![width]),
            ("attn.c_attn.weight", vec![width, 3 * width]),
            ("attn.c_attn.bias", vec![3 * width]),
            ("attn.c_proj.weight", vec![width, width]),
            ("attn.c_proj.bias", vec![width]),
            ("ln_2.weight", vec![width]),
            ("ln_2.bias", vec![width]),
            ("mlp.c_fc.weight", vec![width, inner]),
            ("mlp.c_fc.bias", vec![inner]),
            ("mlp.c_proj.weight", vec![inner, width]),
            ("mlp.c_proj.bias", vec![width]),
        ] {
            tensors.push((format!("{prefix}h.{layer}.{name}"), shape));
        }
    }
    if !tied {
        tensors.push(("lm_head.weight".to_owned(), vec![vocabulary, width]));
    }
    [config.to_string().into_bytes(), weights(rng, &tensors)]
}

/// Weights under TransformerLens' names.
pub fn little(rng: &mut NumpyRng) -> Vec<u8> {
    let [layers, heads, head, model] = [3, 3, 4, 9].map(|most| 1 + below(rng, most));
    let [inner, positions, vocabulary] = [12, 8, 20].map(|most| 1 + below(rng, most));
    let mut tensors = vec![
        ("embed.W_E".to_owned(), vec![vocabulary, model]),
        ("pos_embed.W_pos".to_owned(), vec![positions, model]),
        ("ln_final.w".to_owned(), vec![model]),
        ("ln_final.b".to_owned(), vec![model]),
    ];
    for layer in 0..layers {
        for (name, shape) in [
            ("ln1.w", vec![model]),
            ("ln1.b", vec![model]),
            ("attn.W_Q", vec![heads, model, head]),
            ("attn.b_Q", vec![heads, head]),
            ("attn.W_K", vec![heads, model, head]),
            ("attn.b_K", vec![heads, head]),
            ("attn.W_V", vec![heads, model, head]),
            ("attn.b_V", vec![heads, head]),
            ("attn.W_O", vec![heads, head, model]),
            ("attn.b_O", vec![model]),
            ("ln2.w", vec![model]),
            ("ln2.b", vec![model]),
            ("mlp.W_in", vec![model, inner]),
            ("mlp.b_in", vec![inner]),
            ("mlp.W_out", vec![inner, model]),
            ("mlp.b_out", vec![model]),
        ] {
            tensors.push((format!("blocks.{layer}.{name}"), shape));
        }
    }
    if rng.next_word().is_multiple_of(2) {
        tensors.push(("unembed.W_U".to_owned(), vec![model, vocabulary]));
        tensors.push(("unembed.b_U".to_owned(), vec![vocabulary]));
    }
    weights(rng, &tensors)
}

/// GPT-2's character for a byte.
fn character(byte: u8) -> char {
    let seen = |byte: u8| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    if seen(byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|other| !seen(*other)).count() as u32;
    char::from_u32(256 + before).expect("a character")
}

/// A byte-level tokenizer of all bytes and some merges, its tokens numbered at random.
pub fn tokenizer(rng: &mut NumpyRng) -> Vec<u8> {
    let mut tokens: Vec<String> = (0..=255).map(|byte| character(byte).to_string()).collect();
    let pairs = rng.next_word().is_multiple_of(2);
    let mut merges = Vec::new();
    for _ in 0..below(rng, 60) {
        // The letters and the space, and what was made of them.
        let part = |rng: &mut NumpyRng, tokens: &[String]| {
            let common = ["e", "t", "a", "h", "Ġ", "n", "'", "s"];
            match rng.next_word() % 2 {
                0 => common[below(rng, common.len())].to_owned(),
                _ => tokens[256.min(tokens.len() - 1)..][below(rng, tokens.len() - 256)].clone(),
            }
        };
        let [first, second] = [part(rng, &tokens), part(rng, &tokens)];
        let both = format!("{first}{second}");
        if both.len() < 40 && !tokens.contains(&both) {
            tokens.push(both);
            merges.push(match pairs {
                true => json!([first, second]),
                false => json!(format!("{first} {second}")),
            });
        }
    }
    let count = tokens.len() as u32;
    let ids = rng.permutation(count);
    let vocabulary: Map<String, Value> = tokens.into_iter().zip(&ids).map(|(token, id)| (token, json!(id))).collect();
    let added: Vec<Value> = (0..rng.next_word() % 4)
        .map(|index| {
            let content = ["<|end|>", "<|end|>\n", "<s>", "言葉"][index as usize];
            let (special, normalized) = (rng.next_word().is_multiple_of(2), rng.next_word().is_multiple_of(2));
            json!({"id": count + index, "content": content, "single_word": false, "lstrip": false,
                   "rstrip": false, "normalized": normalized, "special": special})
        })
        .collect();
    let [prefix, regex, ignore] = [4, 4, 4].map(|one_in| rng.next_word().is_multiple_of(one_in));
    let byte_level = json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true});
    let file = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added,
        "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": true,
                          "use_regex": !regex},
        "post_processor": if rng.next_word().is_multiple_of(2) { byte_level.clone() } else { Value::Null },
        "decoder": byte_level,
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "ignore_merges": ignore,
                  "vocab": vocabulary, "merges": merges},
    });
    file.to_string().into_bytes()
}

/// Whole numbers below 100, as NumPy writes them: one row, or some.
pub fn tokens(rng: &mut NumpyRng) -> Vec<u8> {
    let whole = [("|u1", 1), ("|i1", 1), ("<u2", 2), (">i4", 4), ("<i8", 8), ("<u8", 8)];
    let (descr, size) = whole[below(rng, whole.len())];
    let [rows, cols] = [4, 12].map(|most| 1 + below(rng, most));
    let (rows, shape) = match rng.next_word().is_multiple_of(2) {
        true => (1, format!("({cols},)")),
        false => (rows, format!("({rows}, {cols})")),
    };
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.into_bytes());
    for _ in 0..rows * cols {
        let mut one = u64::from(rng.next_word() % 100).to_le_bytes()[..size].to_vec();
        if descr.starts_with('>') {
            one.reverse();
        }
        bytes.extend(one);
    }
    bytes
}
