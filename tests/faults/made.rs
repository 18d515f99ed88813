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
    match rng.word() % 3 {
        0 => telling[below(rng, telling.len())],
        1 => rng.standard_normal(),
        _ => rng.standard_normal() * libm::exp2(f64::from(rng.word() % 240) - 120.0),
    }
}

/// Its bytes, least first: a finite one of the type, or, of a whole number, any.
fn number(rng: &mut NumpyRng, dtype: &str) -> Vec<u8> {
    let value = real(rng);
    let whole = u64::from(rng.word()) << 32 | u64::from(rng.word());
    // Whole numbers of every length, half-way between two singles more often than chance would have it.
    let whole = match rng.word() % 3 {
        0 => whole,
        1 => whole >> (rng.word() % 64),
        _ => {
            let (high, shift) = (whole >> 40 | 1 << 23, rng.word() % 40);
            ((high << 1 | 1) << shift).wrapping_add(u64::from(rng.word() % 3)).wrapping_sub(1)
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
    let fortran = rng.word().is_multiple_of(3);
    let shape = shape(rng, if fortran { 2 } else { 4 });
    // NumPy writes no order of bytes for a type that has none.
    let big = size > 1 && numpy != "V2" && rng.word().is_multiple_of(3);
    let order = if size == 1 || numpy == "V2" && rng.word().is_multiple_of(2) {
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
    let mut header = format!(
        "{{'descr': '{order}{numpy}', 'fortran_order': {fortran}, 'shape': {dimensions}, }}"
    );
    let version = 1 + (rng.word() % 3) as u8;
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
        let method = if rng.word().is_multiple_of(2) {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        // As NumPy writes them: in the long form, whatever their size.
        let long = !rng.word().is_multiple_of(3);
        let options = SimpleFileOptions::default().compression_method(method).large_file(long);
        let name = if rng.word().is_multiple_of(9) { "notes.txt" } else { "arr_" };
        let _ = writer.start_file(format!("{name}{index}.npy"), options);
        writer.write_all(&npy(rng)).expect("a vector takes everything");
    }
    if rng.word().is_multiple_of(5) {
        let _ = writer.set_comment("a note of whoever packed this");
    }
    writer.finish().expect("a vector takes everything").into_inner()
}

pub fn safetensors(rng: &mut NumpyRng) -> Vec<u8> {
    let (mut header, mut bytes) = (Map::new(), Vec::new());
    if rng.word().is_multiple_of(2) {
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
    let text = match rng.word() % 8 {
        0 => format!("{value:e}"),
        1 => format!("{:E}", value as f32),
        2 => format!("{value:.3}"),
        3 => format!("{}", value as f32),
        4 => format!("{:+}", rng.word() as i32),
        5 => format!(".{}", rng.word()),
        6 => format!("{}.", rng.word()),
        // More digits than any type holds.
        _ => format!("{}{:019}.{:019}", rng.word() % 10, rng.word(), rng.word()),
    };
    match rng.word() % 8 {
        0 => format!(" {text}"),
        1 => format!("{text}\t"),
        _ => text,
    }
}

pub fn csv(rng: &mut NumpyRng) -> Vec<u8> {
    let (rows, cols) = (1 + below(rng, 12), 1 + below(rng, 7));
    let end = ["\n", "\r\n", "\r"][below(rng, 3)];
    let mut lines = Vec::new();
    if rng.word().is_multiple_of(4) {
        lines.push("# made by nobody, 1 2 3".to_owned());
    }
    if rng.word().is_multiple_of(2) {
        lines.push((0..cols).map(|j| format!("unit {j}")).collect::<Vec<_>>().join(","));
    }
    for _ in 0..rows {
        lines.push((0..cols).map(|_| cell(rng)).collect::<Vec<_>>().join(","));
        if rng.word().is_multiple_of(16) {
            lines.push(["", "# between"][below(rng, 2)].to_owned());
        }
    }
    let mark = if rng.word().is_multiple_of(8) { "\u{feff}" } else { "" };
    let last = if rng.word().is_multiple_of(2) { end } else { "" };
    format!("{mark}{}{last}", lines.join(end)).into_bytes()
}
