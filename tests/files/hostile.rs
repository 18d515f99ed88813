//! Files that are cut off, lie, or blow up: each is refused in words, without a panic, and without
//! taking more memory than it may. And files with random changes, for as long as one likes:
//! `SFC_FUZZ_SECONDS=600 SFC_FUZZ_SEED=7 cargo test --test public changed_ -- --nocapture`, ten
//! minutes for each format (with `--release` more files, but overflow goes unseen). The same seed makes the
//! same files; one that does harm is written to `target/fuzz`.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

use sfc_bench::NumpyRng;
use sfc_bench::io::{DataFile, IoError};
use sfc_bench::lab::evaluate::{
    ArrayRef, CodesBy, CodesSource, DecompositionInput, EvaluationError, EvaluationPlan, EvaluationRun, Inputs, Options,
};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::memory::measured;
use super::{golden, mutate};

/// Bytes a file may have unpacked.
const CAP: u64 = 4 << 20;
/// Most that reading a hostile file may take besides its own bytes: what may be unpacked, one and a
/// half times while it grows; a parsed header of 1 MiB; a directory of 4 MiB.
const ALLOWED: isize = 48 << 20;

/// Opens a file and reads every array of it.
fn read(name: &str, bytes: Vec<u8>) -> Result<usize, IoError> {
    let file = DataFile::open(name, Box::new(bytes), CAP)?;
    let mut values = 0;
    for array in file.arrays() {
        let found = array.read_all()?;
        assert_eq!(found.len(), array.rows() * array.cols());
        assert!(!found.is_empty() && found.iter().all(|value| value.is_finite()));
        values += found.len();
    }
    Ok(values)
}

#[derive(Default)]
struct Tally {
    refused: usize,
}

impl Tally {
    /// A file that must be refused, by one of some codes.
    #[track_caller]
    fn refuse(&mut self, what: &str, name: &str, bytes: Vec<u8>, codes: &[&str]) -> IoError {
        let (result, most) = measured(|| read(name, bytes));
        let Err(error) = result else { panic!("{what}: read as if nothing were wrong") };
        let text = error.to_string();
        assert!(codes.contains(&error.code()), "{what}: {} ({text})", error.code());
        assert!(text.contains(name) && !text.contains('\n'), "{what}: {text:?}");
        assert!(text.len() > name.len() + 10 && text.len() < 600, "{what}: {text:?}");
        assert!(most <= ALLOWED, "{what}: {most} bytes were held");
        self.refused += 1;
        error
    }
}

fn npy_with(version: u8, dictionary: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    let length = dictionary.len() as u32;
    match version {
        1 => bytes.extend((length as u16).to_le_bytes()),
        _ => bytes.extend(length.to_le_bytes()),
    }
    bytes.extend(dictionary.as_bytes());
    bytes.extend(payload);
    bytes
}

fn dictionary(descr: &str, fortran: bool, shape: &str) -> String {
    let fortran = if fortran { "True" } else { "False" };
    format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n")
}

pub fn npy(descr: &str, fortran: bool, shape: &str, payload: &[u8]) -> Vec<u8> {
    npy_with(1, &dictionary(descr, fortran, shape), payload)
}

pub fn safetensors(header: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(payload);
    bytes
}

fn npz(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).expect("an entry");
        writer.write_all(bytes).expect("its bytes");
    }
    writer.finish().expect("an archive").into_inner()
}

/// Files as the libraries write them.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    golden::arrays().into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect()
}

const CUT: [&str; 4] = ["io.truncated", "io.format", "io.header", "io.archive"];

#[test]
fn hostile_files_are_refused_in_words_and_within_memory() {
    let mut tally = Tally::default();

    // The seeds themselves are read.
    for (name, bytes) in seeds() {
        assert!(read(name, bytes).is_ok(), "{name}");
    }

    // Cut off: within and after every part.
    for (name, bytes) in seeds() {
        if name.ends_with(".csv") {
            continue; // a text that is cut between lines is a shorter text
        }
        let header = match name {
            name if name.ends_with(".safetensors") => 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize,
            name if name.ends_with(".npy") => 128,
            _ => 200,
        };
        let end = bytes.len();
        let cuts = [0, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 40, 64, header - 1, header, header + 1].into_iter().chain([
            end / 2,
            end - 200,
            end - 100,
            end - 46,
            end - 22,
            end - 4,
            end - 1,
        ]);
        for cut in cuts {
            tally.refuse(&format!("{name} cut at {cut}"), name, bytes[..cut].to_vec(), &CUT);
        }
        // Something after the end.
        if !name.ends_with(".npz") {
            let mut longer = bytes.clone();
            longer.push(0);
            tally.refuse(&format!("{name} and a byte"), name, longer, &["io.header"]);
        }
    }

    // Shapes that no memory holds, or whose product overflows.
    let shapes = [
        "(4294967296, 4294967296)",
        "(9223372036854775807, 2)",
        "(9223372036854775807,)",
        "(4611686018427387904, 4)",
        "(2147483648, 2147483648, 4)",
        "(1, 1, 1, 9223372036854775807)",
        "(1000000, 1000000)",
        "(1099511627776,)",
        "(0, 12)",
        "(12, 0)",
        "(0,)",
        "(3, 5)",
        "(2, 2)",
        "(18446744073709551616, 1)",
        "(99999999999999999999999, 1)",
    ];
    for shape in shapes {
        for (descr, version) in [("<f4", 1), (">f8", 2), ("<f2", 3), ("|u1", 1)] {
            for fortran in [false, true] {
                let bytes = npy_with(version, &dictionary(descr, fortran, shape), &[0; 13]);
                let what = format!("{shape} of {descr}");
                let codes = ["io.shape", "io.truncated", "io.header"];
                tally.refuse(&what, "shape.npy", bytes, &codes);
            }
        }
        let list = shape.replace('(', "[").replace(",)", "]").replace(')', "]");
        let header = format!(r#"{{"W": {{"dtype": "F32", "shape": {list}, "data_offsets": [0, 13]}}}}"#);
        let bytes = safetensors(&header, &[0; 13]);
        tally.refuse(&format!("{list} as tensor"), "a.safetensors", bytes, &["io.header"]);
    }

    // Dictionaries that are none, or say something else.
    // Python takes no zeros in front of a number, and a number in parentheses for no tuple.
    for shape in ["(02, 2)", "(2, 02)", "(00, 4)", "(4)", " (4 )"] {
        tally.refuse(shape, "s.npy", npy("<f4", false, shape, &[0; 16]), &["io.header"]);
    }
    let many = format!("({})", "1, ".repeat(100));
    let dictionaries = [
        "",
        " ",
        "{",
        "{}",
        "[]",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), } x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0, 1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 1)}",
        "{'descr': '<f4', 'fortran_order': Fals, 'shape': (1, 1)}",
        "{'descr': '<f4', 'descr': '<f4', 'shape': (1, 1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), 'more': 1}",
        "{'descr: '<f4', 'fortran_order': False, 'shape': (1, 1)}",
        "{'descr' '<f4', 'fortran_order': False, 'shape': (1, 1)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 1)}",
        "{'descr': '<f4\\', 'fortran_order': False, 'shape': (1, 1)}",
        "{descr: '<f4', 'fortran_order': False, 'shape': (1, 1)}",
        "{'descr': u'<f4', 'fortran_order': False, 'shape': (1, 1)}",
        "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (((((((((1, 1)",
        &many,
        "\u{fffd}\u{0}\u{1}",
    ];
    for text in dictionaries {
        let bytes = npy_with(1, text, &[0; 4]);
        tally.refuse(&format!("{text:?}"), "dictionary.npy", bytes, &["io.header"]);
    }
    let descrs =
        ["<c8", "<c16", "|O", "<U4", "|S3", "<M8[s]", "<f3", "f", "", "<", "<V3", "|b1", "float32", "<f16", "\u{7f}"];
    for descr in descrs {
        let bytes = npy(descr, false, "(1, 1)", &[0; 4]);
        tally.refuse(&format!("type {descr:?}"), "type.npy", bytes, &["io.dtype", "io.header"]);
    }
    // Headers that claim to be long, and versions there are not.
    for (version, length) in [(2u8, u32::MAX), (3, u32::MAX - 5), (2, 1 << 30), (3, 1 << 20 | 1)] {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        bytes.extend(length.to_le_bytes());
        bytes.extend(b"{'descr'");
        let what = format!("a header of {length}");
        tally.refuse(&what, "long.npy", bytes, &["io.header"]);
    }
    for version in [[0, 0], [1, 1], [4, 0], [255, 255]] {
        let mut bytes = npy("<f4", false, "(1, 1)", &[0; 4]);
        bytes[6..8].copy_from_slice(&version);
        tally.refuse(&format!("{version:?}"), "version.npy", bytes, &["io.header"]);
    }

    // Headers of tensors.
    let tensor = |dtype: &str, shape: &str, offsets: &str| {
        format!(r#"{{"W": {{"dtype": "{dtype}", "shape": {shape}, "data_offsets": {offsets}}}}}"#)
    };
    let headers = [
        "".to_owned(),
        "{}".to_owned(),
        "[]".to_owned(),
        "null".to_owned(),
        r#"{"W": 1}"#.to_owned(),
        r#"{"W": {"dtype": "F32", "shape": [1]}}"#.to_owned(),
        r#"{"__metadata__": {"a": "b"}}"#.to_owned(),
        r#"{"__metadata__": 3, "W": 4}"#.to_owned(),
        tensor("F33", "[1, 1]", "[0, 4]"),
        tensor("F32", "[1, 1]", "[4, 0]"),
        tensor("F32", "[1, 1]", "[0, 3]"),
        tensor("F32", "[1, 1]", "[1, 5]"),
        tensor("F32", "[1, 1]", "[0, 18446744073709551615]"),
        tensor("F32", "[1, 1]", "[-4, 0]"),
        tensor("F32", "[1, 1]", "[0, 4, 8]"),
        tensor("F32", "[1.5, 1]", "[0, 4]"),
        tensor("F32", "[[1], 1]", "[0, 4]"),
        tensor("F32", "\"1\"", "[0, 4]"),
        format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{{\"a\": {}", "{\"a\":".repeat(50_000)),
        format!("[{}]", "1,".repeat(400_000)),
        format!(r#"{{"W": {{"dtype": "F32", "shape": [{}1], "data_offsets": [0, 4]}}, "V": 1}}"#, "1,".repeat(300_000)),
        format!("{}{}", tensor("F32", "[1, 1]", "[0, 4]"), " x"),
        r#"{"W": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
            "V": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}"#
            .to_owned(),
        r#"{"W": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
            "V": {"dtype": "F32", "shape": [1], "data_offsets": [8, 12]}}"#
            .to_owned(),
        r#"{"W": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
            "W": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}"#
            .to_owned(),
        "\u{0}\u{0}\u{0}".to_owned(),
    ];
    for header in &headers {
        let what: String = header.chars().take(60).collect();
        tally.refuse(&what, "b.safetensors", safetensors(header, &[0; 4]), &["io.header"]);
    }
    let header = tensor("C64", "[1, 1]", "[0, 8]");
    tally.refuse("complex", "c.safetensors", safetensors(&header, &[0; 8]), &["io.dtype"]);
    for length in [u64::MAX, u64::MAX - 8, 1 << 63, 1 << 40, 100_000_001, (1 << 20) + 1, 60] {
        let mut bytes = length.to_le_bytes().to_vec();
        bytes.extend(b"{\"W\": {}}");
        let codes = ["io.header", "io.truncated"];
        tally.refuse(&format!("{length}"), "d.safetensors", bytes, &codes);
    }

    // Numbers that are not finite, wherever the file has them.
    let numbers: [(&str, [Vec<u8>; 2]); 4] = [
        ("f2", [vec![0x00, 0x7e], vec![0x00, 0xfc]]),
        ("V2", [vec![0xc0, 0x7f], vec![0x80, 0x7f]]),
        ("f4", [f32::NAN.to_le_bytes().to_vec(), f32::INFINITY.to_le_bytes().to_vec()]),
        ("f8", [f64::NAN.to_le_bytes().to_vec(), 1e300f64.to_le_bytes().to_vec()]),
    ];
    for (kind, values) in &numbers {
        for value in values {
            for big in [false, true] {
                for fortran in [false, true] {
                    let (row, column) = (1, 2);
                    let size = value.len();
                    let mut payload = vec![0; 12 * size];
                    let at = if fortran { column * 3 + row } else { row * 4 + column };
                    let mut value = value.clone();
                    if big {
                        value.reverse();
                    }
                    payload[at * size..(at + 1) * size].copy_from_slice(&value);
                    let descr = format!("{}{kind}", if big { '>' } else { '<' });
                    let bytes = npy(&descr, fortran, "(3, 4)", &payload);
                    let what = format!("{descr} {fortran} {value:02x?}");
                    let error = tally.refuse(&what, "n.npy", bytes, &["io.non-finite"]);
                    let place = matches!(error, IoError::NonFinite { row: 1, column: 2, .. });
                    assert!(place, "{what}: {error}");
                }
            }
        }
    }

    // Archives.
    let good = npy("<f4", false, "(2, 2)", &[0; 16]);
    let stored = |entries: &[(&str, &[u8])]| npz(entries, CompressionMethod::Stored);
    let deflated = |entries: &[(&str, &[u8])]| npz(entries, CompressionMethod::Deflated);
    assert_eq!(read("good.npz", stored(&[("a.npy", &good)])), Ok(4));
    assert_eq!(read("good.npz", deflated(&[("a.npy", &good), ("readme.txt", b"x")])), Ok(4));
    let archive = &["io.archive", "io.header", "io.truncated", "io.dtype", "io.shape"];
    for make in [&stored as &dyn Fn(&[(&str, &[u8])]) -> Vec<u8>, &deflated] {
        tally.refuse("no arrays", "z.npz", make(&[("a.txt", b"x")]), archive);
        tally.refuse("nothing", "z.npz", make(&[]), archive);
        tally.refuse("an entry cut off", "z.npz", make(&[("a.npy", &good[..40])]), archive);
        tally.refuse("a payload cut off", "z.npz", make(&[("a.npy", &good[..80])]), archive);
        let mut longer = good.clone();
        longer.extend([0; 100]);
        tally.refuse("a payload too long", "z.npz", make(&[("a.npy", &longer)]), archive);
        tally.refuse("no array", "z.npz", make(&[("a.npy", b"no array at all, but text")]), archive);
        let vast = npy("<f4", false, "(1000000, 1000000)", &[0; 16]);
        tally.refuse("a vast shape", "z.npz", make(&[("a.npy", &vast)]), archive);
        let objects = npy("|O", false, "(2, 2)", &[0; 16]);
        tally.refuse("objects", "z.npz", make(&[("a.npy", &objects)]), archive);
    }
    // Bombs: 64 MiB of zeros in 64 KiB, and a directory that hides them.
    let zeros = vec![0u8; 64 << 20];
    let header = dictionary("<f4", false, "(4096, 4096)");
    let bomb = deflated(&[("a.npy", &npy_with(1, &header, &zeros))]);
    assert!(bomb.len() < 1 << 17);
    tally.refuse("a bomb", "bomb.npz", bomb.clone(), &["io.too-large"]);
    let hidden = deflated(&[("a.npy", &npy_with(1, &dictionary("<f4", false, "(2, 2)"), &zeros))]);
    tally.refuse("a bomb behind a small header", "bomb.npz", hidden.clone(), &["io.archive"]);
    let size = good.len() as u32;
    let true_size = (10 + dictionary("<f4", false, "(2, 2)").len() + zeros.len()) as u32;
    let mut lying = hidden;
    let places: Vec<usize> = lying
        .windows(4)
        .enumerate()
        .filter(|(_, window)| *window == true_size.to_le_bytes())
        .map(|(at, _)| at)
        .collect();
    assert!(!places.is_empty());
    for at in places {
        lying[at..at + 4].copy_from_slice(&size.to_le_bytes());
    }
    tally.refuse("a bomb whose directory lies", "bomb.npz", lying, &["io.archive"]);
    // Many that are each within bounds.
    let one = npy_with(1, &dictionary("<f4", false, "(512, 1024)"), &zeros[..2 << 20]);
    let names: Vec<String> = (0..8).map(|i| format!("{i}.npy")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|n| (n.as_str(), one.as_slice())).collect();
    tally.refuse("eight bombs", "bombs.npz", deflated(&entries), &["io.too-large"]);
    // Every byte of the directory and of the local header, changed.
    let mut changed = 0;
    for archive in [stored(&[("a.npy", &good)]), deflated(&[("a.npy", &good)])] {
        for at in (0..archive.len()).rev().take(75).chain(0..30) {
            for value in [0x00, 0xff] {
                let mut bytes = archive.clone();
                bytes[at] = value;
                let (result, most) = measured(|| read("changed.npz", bytes));
                assert!(most <= ALLOWED, "byte {at}: {most}");
                changed += usize::from(result.is_err());
            }
        }
    }
    assert!(changed > 40, "{changed}");

    // Text.
    let long = format!("{}\n", "1,".repeat(9 << 20));
    let texts: [(&str, &[u8]); 22] = [
        ("nothing", b""),
        ("a header alone", b"a,b,c\n"),
        ("comments alone", b"# a\n# b\n"),
        ("a short line", b"1,2\n3\n"),
        ("a long line", b"1,2\n3,4,5\n"),
        ("a header of another width", b"a,b\n1,2,3\n"),
        ("a word", b"1,2\n3,four\n"),
        ("a second header", b"a,b\nc,d\n1,2\n"),
        ("a blank", b"1,2\n3,\n"),
        ("not a number", b"1,2\n3,nan\n"),
        ("infinity", b"1,2\ninf,4\n"),
        ("beyond 64 bits", b"1,2\n3,1e309\n"),
        ("quotes without end", b"1,2\n\"3,4\n"),
        ("bytes that are no text", b"1,2\n3,\xff\xfe\n"),
        ("hexadecimal", b"1,2\n0x10,4\n"),
        ("a line without end", long.as_bytes()),
        ("minus signs of print", "−1,−2\n3,4\n".as_bytes()),
        ("hexadecimal at first", b"0x10,0x20\n3,4\n"),
        ("what is missing at first", b"NA,NA\n3,4\n"),
        ("a row that begins like a comment", b"1,2\n#N/A,4\n5,6\n"),
        ("one that is nothing else", b"1\n#DIV/0!\n5\n"),
        ("blanks at first", b",\n3,4\n"),
    ];
    for (what, bytes) in texts {
        tally.refuse(what, "t.csv", bytes.to_vec(), &["io.text"]);
    }
    tally.refuse("beyond 32 bits", "t.csv", b"1,2\n3,1e39\n".to_vec(), &["io.non-finite"]);
    let large = "1.5,2.5\n".repeat(400_000);
    tally.refuse("too many", "t.csv", large.into(), &["io.too-large"]);

    // Nothing of the kind.
    for bytes in [&b""[..], b"\x00", b"GIF89a", b"\x93NUMPX\x01\x00", b"{\"a\": 1}", b"\x1f\x8b\x08"] {
        tally.refuse("another format", "unknown.bin", bytes.to_vec(), &["io.format"]);
    }

    println!("{} files refused", tally.refused);
    assert!(tally.refused >= 400, "{}", tally.refused);
}

/// What a loop of changed files found.
pub struct Fuzzed {
    rounds: u64,
    refused: u64,
}

impl Fuzzed {
    /// Neither all nor none: changes that break everything would reach no further than the header.
    #[track_caller]
    pub fn some_of_each(self) {
        let Self { rounds, refused } = self;
        assert!(refused > rounds / 10 && refused < rounds - rounds / 50, "{refused} of {rounds}");
    }
}

/// As many rounds as asked for, or as many as fit into `SFC_FUZZ_SECONDS`. What goes wrong in one, a panic
/// or a failed assertion, is told with the files that `round` had made, which are written to `target/fuzz`,
/// and with the seed that makes the same ones again.
pub fn fuzz(
    what: &str,
    rounds: u64,
    round: impl Fn(&mut NumpyRng, &mut Vec<(&'static str, Vec<u8>)>) -> bool,
) -> Fuzzed {
    let setting = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = setting("SFC_FUZZ_SEED").unwrap_or(1) as u32;
    let until = setting("SFC_FUZZ_SECONDS").map(|s| Instant::now() + Duration::from_secs(s));
    let mut rng = NumpyRng::new(seed);
    let mut done = Fuzzed { rounds: 0, refused: 0 };
    let mut slowest = Duration::ZERO;
    while until.map_or(done.rounds < rounds, |until| Instant::now() < until) {
        let mut files = Vec::new();
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| round(&mut rng, &mut files)));
        slowest = slowest.max(start.elapsed());
        match outcome {
            Ok(read) => done.refused += u64::from(!read),
            Err(panic) => {
                let folder = super::common::root().join("target").join("fuzz");
                let folder = folder.join(format!("{what}-{seed}-{}", done.rounds));
                std::fs::create_dir_all(&folder).expect("a folder");
                for (name, bytes) in files {
                    std::fs::write(folder.join(name), bytes).expect("a file");
                }
                eprintln!("{what}: round {} of SFC_FUZZ_SEED={seed}: {}", done.rounds, folder.display());
                resume_unwind(panic);
            }
        }
        done.rounds += 1;
    }
    println!(
        "{what}: {} changed files, {} of them refused, the slowest in {} ms; SFC_FUZZ_SEED={seed}",
        done.rounds,
        done.refused,
        slowest.as_millis(),
    );
    done
}

fn fuzz_files(ends: &str) {
    let seeds: Vec<_> = seeds().into_iter().filter(|(name, _)| name.ends_with(ends)).collect();
    let found = fuzz(&ends[1..], 2_000, |rng, files| {
        let (name, bytes) = &seeds[mutate::below(rng, seeds.len())];
        let mut bytes = bytes.clone();
        mutate::file(rng, name, &mut bytes);
        files.push((*name, bytes.clone()));
        let (result, most) = measured(|| read(name, bytes));
        assert!(most <= ALLOWED, "{name}: {most}");
        if let Err(error) = &result {
            assert!(error.to_string().contains(error.file_name()));
        }
        result.is_ok()
    });
    found.some_of_each();
}

#[test]
fn changed_npy_files_do_no_harm() {
    fuzz_files(".npy");
}

#[test]
fn changed_npz_files_do_no_harm() {
    fuzz_files(".npz");
}

#[test]
fn changed_safetensors_files_do_no_harm() {
    fuzz_files(".safetensors");
}

#[test]
fn changed_files_of_pytorch_do_no_harm() {
    let seeds = super::pt::formats();
    let found = fuzz("pt", 4_000, |rng, files| {
        let (name, bytes) = seeds[mutate::below(rng, seeds.len())];
        let mut bytes = bytes.to_vec();
        mutate::file(rng, name, &mut bytes);
        files.push((name, bytes.clone()));
        let (result, most) = measured(|| read(name, bytes));
        assert!(most <= ALLOWED, "{name}: {most}");
        if let Err(error) = &result {
            assert!(error.to_string().contains(error.file_name()) && !error.to_string().contains('\n'));
        }
        result.is_ok()
    });
    found.some_of_each();
}

#[test]
fn changed_text_does_no_harm() {
    fuzz_files(".csv");
}

const CONFIG: &str = "cfg.json";

#[test]
fn changed_configurations_do_no_harm() {
    let seeds = [
        &include_bytes!("../golden/evaluate/sae_topk_legacy/cfg.json")[..],
        include_bytes!("../golden/evaluate/sae_folded/cfg.json"),
        include_bytes!("../golden/evaluate/sae_jumprelu/cfg.json"),
    ];
    let weights = include_bytes!("../golden/evaluate/sae_topk/sae_weights.safetensors").to_vec();
    let weights = DataFile::open("w.safetensors", Box::new(weights), CAP).expect("weights");
    let weights = Rc::new(weights);
    let found = fuzz("configurations", 5_000, |rng, files| {
        let mut bytes = seeds[mutate::below(rng, seeds.len())].to_vec();
        mutate::file(rng, CONFIG, &mut bytes);
        files.push((CONFIG, bytes.clone()));
        let (result, most) = measured(|| DecompositionInput::from_sae(CONFIG, bytes, Rc::clone(&weights)));
        assert!(most <= ALLOWED, "{most}");
        if let Err(error) = &result {
            assert!(error.to_string().starts_with("cfg.json, "), "{error}");
        }
        result.is_ok()
    });
    found.some_of_each();
}

/// On one thread, whose memory is counted.
fn alone(work: fn()) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    one.expect("a thread").install(work);
}

#[test]
fn changed_folders_are_scored_or_refused() {
    alone(changed_folders_are_scored_or_refused_here);
}

fn changed_folders_are_scored_or_refused_here() {
    let seeds = golden::sae_folders();
    const ACTIVATIONS: &str = "acts.npy";
    const WEIGHTS: &str = "sae_weights.safetensors";
    let activations = include_bytes!("../golden/evaluate/acts_f16.npy");
    let Fuzzed { rounds, refused } = fuzz("folders", 5_000, |rng, files| {
        let [config, weights] = seeds[mutate::below(rng, seeds.len())];
        let [mut config, mut weights] = [config, weights].map(<[u8]>::to_vec);
        let mut activations = activations.to_vec();
        // Mostly one of them alone: two that are wrong are refused at the first.
        let which = rng.next_word() % 8;
        if which < 3 {
            mutate::file(rng, CONFIG, &mut config);
        }
        if which > 1 {
            mutate::file(rng, WEIGHTS, &mut weights);
        }
        if which == 7 {
            mutate::file(rng, ACTIVATIONS, &mut activations);
        }
        let all = [(CONFIG, &config), (WEIGHTS, &weights), (ACTIVATIONS, &activations)];
        files.extend(all.map(|(name, bytes)| (name, bytes.clone())));
        let open = |name: &str, bytes: Vec<u8>| -> Result<Rc<DataFile>, EvaluationError> {
            Ok(Rc::new(DataFile::open(name, Box::new(bytes), CAP)?))
        };
        let plan = || -> Result<EvaluationPlan, EvaluationError> {
            let inputs = Inputs {
                decomposition: DecompositionInput::from_sae(CONFIG, config, open(WEIGHTS, weights)?)?,
                activations: ArrayRef::find(&open(ACTIVATIONS, activations)?, None, &[])?,
                readout: None,
                readout_bias: None,
            };
            // Wider than the seeds are, no changed shape can be that is backed by numbers.
            EvaluationPlan::new(inputs, Options { memory: CAP, ..Options::default() })
        };
        let plan = match plan() {
            Ok(plan) => plan,
            Err(error) => {
                assert!(!error.to_string().contains('\n') && !error.code().is_empty(), "{error}");
                return false;
            }
        };
        let (result, most) = measured(|| EvaluationRun::new(plan).run(&mut |_| {}));
        assert!(most <= ALLOWED, "{most}");
        let Ok(report) = result else { return false };
        let s = report.sparsity.s;
        assert!((0.0..=1.0).contains(&s), "{s}");
        assert!(report.fidelity.cosine.abs() <= 1.0 + 1e-9, "{}", report.fidelity.cosine);
        let text = serde_json::to_string(&report).expect("JSON");
        assert!(!text.contains("NaN"));
        true
    });
    assert!(refused > rounds / 10 && refused < rounds - rounds / 20, "{refused} of {rounds}");
}

#[test]
fn a_run_takes_the_memory_it_said_it_would() {
    alone(a_run_takes_the_memory_it_said_it_would_here);
}

fn a_run_takes_the_memory_it_said_it_would_here() {
    let mut rng = NumpyRng::new(9);
    let mut matrix = |rows: usize, cols: usize| {
        let values = (0..rows * cols).flat_map(|_| (rng.standard_normal() as f32).to_le_bytes());
        let bytes = npy("<f4", false, &format!("({rows}, {cols})"), &values.collect::<Vec<u8>>());
        let file = DataFile::open("m.npy", Box::new(bytes), CAP).expect("a matrix");
        ArrayRef::find(&Rc::new(file), None, &[]).expect("one array")
    };
    for (n, d, k) in [(300, 48, 400), (300, 160, 80), (200, 96, 96), (130, 8, 2000)] {
        for codes_by in [CodesBy::Projection, CodesBy::LeastSquares] {
            let inputs = Inputs {
                activations: matrix(n, d),
                decomposition: DecompositionInput::Dictionary {
                    dictionary: matrix(k, d),
                    codes: CodesSource::Computed(codes_by),
                },
                readout: Some(matrix(5, d)),
                readout_bias: None,
            };
            let plan = EvaluationPlan::new(inputs, Options::default()).expect("a plan");
            let said = plan.peak_memory_bytes() as isize;
            let (found, most) = measured(|| EvaluationRun::new(plan).run(&mut |_| {}));
            assert!(found.is_ok());
            println!("{n} × {d}, K = {k}: {most} bytes of {said}");
            assert!(most <= said, "{n} × {d}, K = {k}: {most} bytes, not {said}");
            // Nor is it so careful that what would run is refused.
            assert!(said <= 5 * most, "{n} × {d}, K = {k}: {most} bytes, far below {said}");
        }
    }
}

/// Opening a large deflated array reads its header, and reading it takes no memory that grows with it;
/// its numbers are those of the stored one, and a wrong checksum is told before anybody believes them.
#[test]
fn large_deflated_arrays_are_unpacked_by_parts() {
    const ROWS: usize = 34_000;
    const COLS: usize = 64;
    const SOME: isize = 4 << 20;
    let payload: Vec<u8> =
        (0..(ROWS * COLS) as u32).flat_map(|i| ((i.wrapping_mul(i) % 1_021) as f32).to_le_bytes()).collect();
    for fortran in [false, true] {
        let array = npy("<f4", fortran, &format!("({ROWS}, {COLS})"), &payload);
        let packed = |method| npz(&[("x.npy", &array)], method);
        let open = |bytes: Vec<u8>| DataFile::open("a.npz", Box::new(bytes), 1 << 30);
        let stored = open(packed(CompressionMethod::Stored)).unwrap();
        let deflated = packed(CompressionMethod::Deflated);
        let (file, most) = measured(|| open(deflated.clone()));
        let file = file.unwrap();
        assert!(most - (deflated.len() as isize) < SOME, "opening it held {most} bytes");
        assert_eq!(file.unpacked_bytes(), 0);
        let (mine, theirs) = (&file.arrays()[0], &stored.arrays()[0]);
        assert_eq!(mine.held_bytes(), theirs.held_bytes() + (array.len() as u64));

        let mut rows = vec![0.0; 500 * COLS];
        let mut others = rows.clone();
        let ((), most) = measured(|| {
            for start in (0..ROWS).step_by(500) {
                mine.read_rows(start, &mut rows).unwrap();
                theirs.read_rows(start, &mut others).unwrap();
                assert_eq!(rows, others, "rows from {start}");
            }
        });
        let tiles = 2 * theirs.held_bytes() as isize;
        assert!(most < SOME + 2 * tiles, "reading its rows in order held {most} bytes");
        // Here and there, as often as one likes.
        for start in (0..12).map(|i| (i * 7_919 * 13) % (ROWS - 500)) {
            mine.read_rows(start, &mut rows).unwrap();
            theirs.read_rows(start, &mut others).unwrap();
            assert_eq!(rows, others, "rows from {start}");
        }
        assert_eq!(mine.read_columns().unwrap(), theirs.read_columns().unwrap());
        file.verify_checksums().unwrap();
        assert_eq!(file.digest().unwrap().len(), 64);

        // The checksum, as the directory and the entry's own header say it.
        let crc = crc32fast::hash(&array).to_le_bytes();
        let mut wrong = deflated;
        for at in 0..wrong.len() - 4 {
            if wrong[at..at + 4] == crc {
                wrong[at] ^= 1;
            }
        }
        let file = open(wrong).unwrap();
        for result in [file.verify_checksums(), file.digest().map(drop)] {
            let error = result.unwrap_err();
            assert_eq!(error.code(), "io.archive");
            assert!(error.to_string().contains("checksum"), "{error}");
        }
    }
}
