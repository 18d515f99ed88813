//! Files of PyTorch's: tensors are read bit for bit as PyTorch has them, and whatever else a pickle asks for is refused
//! by its name, with nothing executed and within memory.

use std::io::{Cursor, Write};

use sfc_bench::io::{DataFile, Entries, IoError, Scalar};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::common::json;
use super::memory::measured;

const CAP: u64 = 4 << 20;
/// Most that reading a hostile file may take besides its own bytes.
const ALLOWED: isize = 48 << 20;

macro_rules! files {
    ($folder:literal: $($name:literal)*) => {
        [$(($name, &include_bytes!(concat!("../golden/layouts/", $folder, "/", $name))[..]),)*]
    };
}

/// Files that PyTorch wrote, by name.
pub fn formats() -> [(&'static str, &'static [u8]); 15] {
    files! {
        "pt":
        "bare_tensor.pt" "cuda_location.pt" "deflated.pt" "dtypes.pt" "legacy.pt" "legacy_state_dict.pt"
        "nested_checkpoint.pt" "offset_shared.pt" "parameters.pt" "plain_dict.pt" "protocol4.pt" "renamed.pt"
        "scalars_empty.pt" "state_dict_ordered.pt" "transposed_view.pt"
    }
}

fn hostile() -> [(&'static str, &'static [u8]); 13] {
    files! {
        "pt_hostile":
        "big_endian.pt" "eval.pt" "huge_shape.pt" "memo_bomb.pt" "negative_offset.pt" "numpy_scalar.pt"
        "os_system.pt" "plain_pickle_not_zip.pt" "storage_missing.pt" "storage_short.pt" "truncated.pt"
        "v_reduce_alias.pt" "whole_module.pt"
    }
}

fn open(name: &str, bytes: &[u8]) -> Result<DataFile, IoError> {
    DataFile::open(name, Box::new(bytes.to_vec()), CAP)
}

/// SHA-256 of an array's values, as the type of the manifest.
fn digest(values: &[f64], hashed_as: &str) -> String {
    let bytes: Vec<u8> = match hashed_as {
        "float32" => values.iter().flat_map(|v| (*v as f32).to_le_bytes()).collect(),
        "int64" => values.iter().flat_map(|v| (*v as i64).to_le_bytes()).collect(),
        "int32" => values.iter().flat_map(|v| (*v as i32).to_le_bytes()).collect(),
        "int16" => values.iter().flat_map(|v| (*v as i16).to_le_bytes()).collect(),
        "int8" => values.iter().flat_map(|v| (*v as i8).to_le_bytes()).collect(),
        "uint8" | "bool" => values.iter().map(|v| *v as u8).collect(),
        other => panic!("{other}"),
    };
    Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn tensors_are_those_that_pytorch_wrote() {
    let manifest = json(include_str!("../golden/layouts/pt/manifest.json"));
    let mut compared = 0;
    for (name, bytes) in formats() {
        let file = open(name, bytes).unwrap_or_else(|error| panic!("{error}"));
        file.verify_checksums().expect("its checksums");
        let empty = serde_json::Map::new();
        for (tensor, told) in manifest[name]["tensors"].as_object().unwrap_or(&empty) {
            if let Some(word) = told["value"].as_str() {
                let held = file.scalar(tensor);
                match told["type"].as_str() {
                    Some("int") => assert_eq!(held, Some(&Scalar::Int(word.parse().unwrap()))),
                    Some("float") => assert_eq!(held, Some(&Scalar::Float(word.parse().unwrap()))),
                    Some("bool") => assert_eq!(held, Some(&Scalar::Bool(word == "True"))),
                    Some("str") => {
                        // The manifest has the beginning of a long one.
                        let text = word.trim_matches('\'');
                        let held = matches!(held, Some(Scalar::Text(held)) if held.starts_with(text));
                        assert!(held, "{name}, {tensor}");
                    }
                    _ => assert_eq!(held, None),
                }
                continue;
            }
            let shape: Vec<u64> = told["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
            if shape.contains(&0) {
                let error = file.array(tensor).err().expect("no matrix");
                assert_eq!(error.code(), "io.shape");
                continue;
            }
            let array = file.array(tensor).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(array.shape(), shape, "{name}, {tensor}");
            let values = match array.read_all_as::<f64>() {
                Ok(values) => values,
                // NaN and infinity are no numbers to compute with.
                Err(error) => {
                    assert_eq!((tensor.as_str(), error.code()), ("neg_zero", "io.non-finite"));
                    continue;
                }
            };
            let found = digest(&values, told["hashed_as"].as_str().unwrap());
            assert_eq!(Some(&*found), told["sha256_rowmajor"].as_str(), "{name}, {tensor}");
            // Row by row, and column by column.
            let mut rows = vec![0.0f64; values.len()];
            for (row, into) in rows.chunks_exact_mut(array.cols()).enumerate() {
                array.read_rows(row, into).unwrap();
            }
            assert_eq!(rows, values, "{name}, {tensor}");
            let turned = array.read_columns_as::<f64>().unwrap();
            let back = (0..array.rows()).flat_map(|i| turned.iter().skip(i).step_by(array.rows()));
            assert!(back.eq(&values), "{name}, {tensor}");
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared}");
}

#[test]
fn what_is_no_tensor_is_refused_and_nothing_is_executed() {
    for (name, bytes) in hostile() {
        let (result, most) = measured(|| {
            let file = open(name, bytes)?;
            file.arrays().iter().try_for_each(|array| array.read_all().map(drop))
        });
        let error = result.err().unwrap_or_else(|| panic!("{name} is read as if nothing were wrong"));
        let text = error.to_string();
        assert!(text.starts_with(name) && !text.contains('\n') && text.len() < 600, "{text}");
        assert!(most <= ALLOWED, "{name}: {most}");
        let codes = ["io.pickle", "io.archive", "io.truncated", "io.format", "io.header"];
        assert!(codes.contains(&error.code()), "{}: {text}", error.code());
        for (file, word) in [
            ("os_system.pt", "posix.system"),
            ("eval.pt", "eval"),
            ("whole_module.pt", "state_dict()"),
            ("v_reduce_alias.pt", "print"),
            ("big_endian.pt", "big"),
            ("storage_missing.pt", "data/1"),
        ] {
            assert!(name != file || text.contains(word), "{text}");
        }
    }
}

/// A stored archive as PyTorch has it.
fn archive(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        writer.start_file(format!("x/{name}"), options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn pickles_that_would_take_too_much_are_refused_at_once() {
    let pickle = |bytes: Vec<u8>| archive(&[("data.pkl", bytes)]);
    let repeated =
        |head: &[u8], part: &[u8], count: usize, tail: &[u8]| [b"\x80\x02", head, &part.repeat(count), tail].concat();
    // Every list twice in the next: 2^60 of them, were they gone through.
    let laughs = repeated(b"]q\0", b"]q\x01(h\0h\0eq\0", 60, b".");
    let cycle = b"\x80\x02}q\0X\x01\0\0\0ah\0s.".to_vec();
    for (what, bytes) in [
        ("lists in one another", repeated(b"", b"]", 200_000, b".")),
        ("marks", repeated(b"", b"(", 200_000, b".")),
        ("appended lists", repeated(b"", b"](", 100_000, &b"e".repeat(100_000))),
        ("twice in one another", laughs),
        ("in itself", cycle),
        ("no end", b"\x80\x02}".to_vec()),
        ("nothing to pop", b"\x80\x02.".to_vec()),
        ("a tuple of nothing", b"\x80\x02\x87.".to_vec()),
        ("below its mark", b"\x80\x02]N(a.".to_vec()),
        ("a memo without", b"\x80\x02h\x09.".to_vec()),
        ("text beyond the end", b"\x80\x02X\xff\xff\xff\xffa.".to_vec()),
        ("protocol 0", b"\x80\x00N.".to_vec()),
        ("an instance", b"\x80\x02cos\nsystem\nq\0)\x81.".to_vec()),
        ("an old instance", b"\x80\x02(ios\nsystem\n.".to_vec()),
        ("an extension", b"\x80\x02\x82\x01.".to_vec()),
        ("a call of text", b"\x80\x02X\x01\0\0\0a)R.".to_vec()),
    ] {
        let (result, most) = measured(|| open("x.pt", &pickle(bytes)));
        let error = result.err().unwrap_or_else(|| panic!("{what}: read"));
        assert_eq!(error.code(), "io.pickle", "{what}: {error}");
        assert!(most <= ALLOWED, "{what}: {most}");
    }
    // A pickle that is too large is not read at all.
    let (result, most) = measured(|| open("x.pt", &pickle(vec![b'N'; 9 << 20])));
    assert_eq!(result.err().expect("refused").code(), "io.too-large");
    assert!(most <= ALLOWED, "{most}");
}

/// A tensor with any strides: what it reads is what these say, one number at a time.
#[test]
fn strided_tensors_are_gathered_as_their_strides_say() {
    let number = |n: u64| -> Vec<u8> { [b"J".to_vec(), (n as u32).to_le_bytes().to_vec()].concat() };
    let tuple = |items: &[u64]| -> Vec<u8> {
        let items: Vec<u8> = items.iter().flat_map(|n| number(*n)).collect();
        [b"(".to_vec(), items, b"t".to_vec()].concat()
    };
    let held: Vec<f32> = (0..900u16).map(|n| f32::from(n) * 0.5).collect();
    let data: Vec<u8> = held.iter().flat_map(|x| x.to_le_bytes()).collect();
    for (shape, strides, offset) in [
        (vec![3, 4], vec![4, 1], 0),
        (vec![3, 4], vec![1, 3], 5),
        (vec![3, 4], vec![7, 2], 11),
        (vec![3, 4], vec![0, 1], 2),
        (vec![3, 4], vec![1, 0], 2),
        (vec![5, 1], vec![9, 77], 0),
        (vec![2, 3, 4], vec![1, 2, 6], 3),
        (vec![2, 3, 4], vec![12, 1, 3], 0),
        (vec![2, 3, 4], vec![300, 90, 20], 0),
        (vec![1, 1, 6], vec![5, 5, 149], 1),
        (vec![9], vec![100], 99),
    ] {
        let storage = [
            b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpu".to_vec(),
            number(held.len() as u64),
            b"tQ".to_vec(),
        ]
        .concat();
        let pickle = [
            b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(".to_vec(),
            storage,
            number(offset),
            tuple(&shape),
            tuple(&strides),
            b"\x89ccollections\nOrderedDict\n)RtR.".to_vec(),
        ]
        .concat();
        let bytes = archive(&[("data.pkl", pickle), ("data/0", data.clone())]);
        let file = open("x.pt", &bytes).unwrap_or_else(|error| panic!("{shape:?}: {error}"));
        let array = file.only_array().unwrap();
        let count: u64 = shape.iter().product();
        let wanted: Vec<f32> = (0..count)
            .map(|mut n| {
                let mut at = offset;
                for (size, stride) in shape.iter().zip(&strides).rev() {
                    at += n % size * stride;
                    n /= size;
                }
                held[at as usize]
            })
            .collect();
        match array.read_entries().unwrap() {
            Entries::Single(values) => assert_eq!(values, wanted, "{shape:?} {strides:?}"),
            Entries::Double(_) => panic!("float32"),
        }
        // From any row on.
        for start in 0..array.rows() {
            let mut rest = vec![0.0f32; (array.rows() - start) * array.cols()];
            array.read_rows(start, &mut rest).unwrap();
            assert_eq!(rest, wanted[start * array.cols()..], "{shape:?} {strides:?}");
        }
    }
}
