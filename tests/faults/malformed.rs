//! Malformed files, thousands of each format and other ones each time: refused in words, without a panic,
//! within memory and time. What is read all the same, NumPy reads too, and as the same numbers.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sfc_bench::NumpyRng;
use sfc_bench::io::{DataFile, IoError};
use sha2::{Digest, Sha256};

use crate::memory::measured;
use crate::mutate::{self, below};
use crate::python::interpreter;
use crate::{golden, made, seed};

/// Refused ones of each format: as many files are made as that takes.
const REFUSED: usize = 2_000;
/// Bytes a file may have unpacked.
const CAP: u64 = 4 << 20;
/// Most that reading one may take besides its own bytes: what may be unpacked, one and a half times while it
/// grows; a parsed header of 1 MiB; a directory of 4 MiB.
const ALLOWED: isize = 48 << 20;
/// Longest that reading one may take.
const SLOWEST: Duration = Duration::from_secs(10);
/// Most that this program may take, with all its files.
const PROGRAM_KIB: u64 = (11 << 20) / 10;

/// What a reader made of a file: rows, columns and the digest of the values of each array.
type Arrays = BTreeMap<String, Value>;

/// Files as the libraries write them.
fn written(ends: &str) -> Vec<&'static [u8]> {
    let all = golden::arrays();
    all.into_iter().filter(|(name, _)| name.ends_with(ends)).map(|(_, bytes)| bytes).collect()
}

/// Opens a file and reads all of it, with its checksums.
fn read(name: &str, bytes: Vec<u8>) -> Result<Arrays, IoError> {
    let file = DataFile::open(name, Box::new(bytes), CAP)?;
    file.verify_checksums()?;
    let told = |array: &sfc_bench::io::Array| {
        let values = array.read_all()?;
        let mut hash = Sha256::new();
        values.iter().for_each(|value| hash.update(value.to_le_bytes()));
        let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok((array.name().to_owned(), json!([array.rows(), array.cols(), digest])))
    };
    file.arrays().iter().map(told).collect()
}

/// Damage that the changes by structure make seldom: an end cut off, two files in one, a stretch of zeros,
/// brackets without end.
pub fn damage(rng: &mut NumpyRng, bytes: &mut Vec<u8>) {
    let at = below(rng, bytes.len());
    match rng.next_word() % 5 {
        0 => bytes.truncate(at),
        1 => bytes.extend(bytes.clone()),
        2 => {
            let end = (at + below(rng, 600)).min(bytes.len());
            bytes[at..end].fill(0);
        }
        3 => {
            let nested = [b"[".repeat(100_000), b"{\"a\":".repeat(50_000), b"(".repeat(60_000)];
            let nested = nested[below(rng, 3)].clone();
            bytes.splice(at..at, nested);
        }
        // One byte, most likely of the numbers.
        _ => bytes[at] ^= 1 << (rng.next_word() % 8),
    }
}

/// Writes what broke a test to `target`, and says where.
pub fn keep(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("malformed");
    let path = folder.join(format!("{}-{name}", seed()));
    fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes)).expect("a file");
    path
}

/// What a program in Python, which is given a folder and the names in it, says of files, a line each.
pub fn python(script: &str, files: &[(String, Vec<u8>)], place: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(place);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).expect("a file");
    }
    let mut child = interpreter()
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults").join(script))
        .arg(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let mut names = child.stdin.take().expect("a pipe");
    let list: String = files.iter().map(|(name, _)| format!("{name}\n")).collect();
    let writer = std::thread::spawn(move || names.write_all(list.as_bytes()));
    let output = child.wait_with_output().expect("Python ends");
    assert!(writer.join().is_ok() && output.status.success(), "{script}: is there NumPy?");
    fs::remove_dir_all(&folder).expect("the folder is removed");
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    answers.lines().map(str::to_owned).collect()
}

/// What NumPy makes of files.
fn numpy(files: &[(String, Vec<u8>)], ends: &str) -> Vec<Result<Arrays, String>> {
    python("reads.py", files, &format!("read{ends}")).iter().map(|line| answer(line)).collect()
}

fn answer(line: &str) -> Result<Arrays, String> {
    let answer: Value = serde_json::from_str(line).expect("JSON");
    match answer["refused"].as_str() {
        Some(why) => Err(why.to_owned()),
        None => Ok(serde_json::from_value(answer["arrays"].clone()).expect("arrays")),
    }
}

/// What was found of one format.
#[derive(Default)]
struct Found {
    refused: usize,
    slowest: Duration,
    most: isize,
    /// Those that were read, with what they were read as.
    read: Vec<((String, Vec<u8>), Arrays)>,
}

impl Found {
    /// Reads a file, which is to be harmless.
    fn take(&mut self, name: String, bytes: Vec<u8>) -> Option<IoError> {
        let start = Instant::now();
        let copy = bytes.clone();
        let outcome = catch_unwind(AssertUnwindSafe(|| measured(|| read(&name, copy))));
        let took = start.elapsed();
        let (outcome, held) = outcome.unwrap_or_else(|panic| {
            eprintln!("SFC_FUZZ_SEED={}: {}", seed(), keep(&name, &bytes).display());
            resume_unwind(panic)
        });
        if took > SLOWEST || held > ALLOWED {
            panic!("{}: {took:?}, {held} bytes", keep(&name, &bytes).display());
        }
        self.slowest = self.slowest.max(took);
        self.most = self.most.max(held);
        match outcome {
            Ok(arrays) => {
                self.read.push(((name, bytes), arrays));
                None
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains(&name) && !text.contains('\n') && text.len() < 900, "{text}");
                self.refused += 1;
                Some(error)
            }
        }
    }
}

/// How what was read here stands to what NumPy reads.
enum Verdict {
    Same,
    /// An archive whose directory or whose entries' headers contradict themselves; what the checksums are of
    /// is as NumPy reads it, where it does.
    Records,
    Other,
}

/// How `reads.py` begins the reason where an archive's records are what is wrong.
const RECORDS: &str = "Records: ";

fn held_against(ends: &str, arrays: &Arrays, numpy: &Result<Arrays, String>) -> Verdict {
    match numpy {
        Ok(numpy) if numpy == arrays => Verdict::Same,
        // A tensor of a type that is of no use here is left out.
        Ok(numpy) if ends == ".safetensors" => {
            let same = arrays.iter().all(|(name, array)| numpy.get(name) == Some(array));
            if same { Verdict::Same } else { Verdict::Other }
        }
        Ok(numpy) if ends == ".npz" => {
            let minds = |numpys: &Value| numpys.as_str().is_some_and(|why| why.starts_with(RECORDS));
            let other = |(name, array)| numpy.get(name).is_some_and(|numpys| numpys != array && !minds(numpys));
            if arrays.iter().any(other) { Verdict::Other } else { Verdict::Records }
        }
        Err(why) if why.starts_with(RECORDS) => Verdict::Records,
        _ => Verdict::Other,
    }
}

fn malformed(ends: &str, make: fn(&mut NumpyRng) -> Vec<u8>) {
    let written = written(ends);
    let mut rng = NumpyRng::new(seed());
    let mut found = Found::default();
    let (mut files, mut whole) = (0, 0);
    while found.refused < REFUSED {
        files += 1;
        assert!(files < 50 * REFUSED, "hardly any of the files is refused");
        let name = format!("{files}{ends}");
        let made = !rng.next_word().is_multiple_of(4);
        let mut bytes = if made { make(&mut rng) } else { written[below(&mut rng, written.len())].to_vec() };
        match rng.next_word() % 8 {
            // As it is: it must be read.
            0 => {
                whole += 1;
                let copy = bytes.clone();
                if let Some(error) = found.take(name.clone(), bytes) {
                    panic!("{}: a whole file, {error}", keep(&name, &copy).display());
                }
                continue;
            }
            1 => damage(&mut rng, &mut bytes),
            _ => mutate::file(&mut rng, &name, &mut bytes),
        }
        found.take(name, bytes);
    }

    let files_read: Vec<_> = found.read.iter().map(|(file, _)| file.clone()).collect();
    let answers = numpy(&files_read, ends);
    assert_eq!(answers.len(), found.read.len());
    let (mut wrong, mut records) = (Vec::new(), 0);
    for (((name, bytes), arrays), answer) in found.read.iter().zip(answers) {
        match held_against(ends, arrays, &answer) {
            Verdict::Same => {}
            Verdict::Records => records += 1,
            Verdict::Other => {
                let path = keep(name, bytes);
                wrong.push(format!("{}: {arrays:?}, but NumPy: {answer:?}", path.display()));
            }
        }
    }
    println!(
        "{} malformed {ends} files refused; {} read as NumPy reads them, {whole} of them whole{}; the slowest in \
         {} ms, at most {} KiB of memory for one; SFC_FUZZ_SEED={}",
        found.refused,
        found.read.len() - wrong.len() - records,
        match records {
            0 => String::new(),
            count => format!("; {count} more, whose numbers are whole, though NumPy minds the archive's records"),
        },
        found.slowest.as_millis(),
        found.most >> 10,
        seed(),
    );
    let shown = wrong.iter().take(5).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} read otherwise, such as:\n{shown}", wrong.len());
    assert!(whole > 100 && found.read.len() > whole + 100 && records < found.read.len() / 5);
    if let Some(kib) = program_kib() {
        println!("the program with all files so far: {} MiB", kib >> 10);
        assert!(kib < PROGRAM_KIB, "{kib} KiB");
    }
}

/// The most memory that this program has had, where the system tells.
fn program_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[test]
fn malformed_npy_files_are_refused_or_read_as_numpy_reads_them() {
    malformed(".npy", made::npy);
}

#[test]
fn malformed_npz_files_are_refused_or_read_as_numpy_reads_them() {
    malformed(".npz", made::npz);
}

#[test]
fn malformed_safetensors_files_are_refused_or_read_by_their_description() {
    malformed(".safetensors", made::safetensors);
}

#[test]
fn malformed_csv_files_are_refused_or_read_as_numpy_reads_them() {
    malformed(".csv", made::csv);
}
