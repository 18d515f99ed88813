//! Somebody's own activations and decomposition, from memory or from files.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::rc::Rc;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sfc_bench::io::{DataFile, IoError, ReadAt};
use sfc_bench::lab::audit::user_files::load_weights;
use sfc_bench::lab::evaluate::{
    CodesBy, EvaluationError, EvaluationRun, OpenFiles, Phase, Reading, Request, RowNumbers, SaeFileNames, Variance,
    evaluation_script, expect_one_sae, find_sae_on_disk, find_saes_on_disk, open_sae_folder,
};
use sfc_bench::sae::{SaeFolder, layout};
use sfc_bench::settings::MEMORY_CAP;
use sfc_bench::{FidelityMode, Weights};

use crate::error::{Refusal, Result};
use crate::run::{run_with_progress, thread_pool};
use crate::text::{read_json, write_pretty_json};

/// Bytes of a file that is nowhere but in memory.
#[derive(Clone)]
enum FilePiece {
    /// A header that was written here.
    Owned(Rc<[u8]>),
    /// An array's numbers, which somebody else keeps where they are.
    Borrowed(BorrowedBytes),
}

/// The numbers of an array that Python keeps for as long as they are read.
#[derive(Clone, Copy)]
struct BorrowedBytes {
    start: *const u8,
    len: usize,
}

// SAFETY: the numbers are only read, and `Source` keeps their array for as long as there are pieces of it.
unsafe impl Send for BorrowedBytes {}
// SAFETY: as above.
unsafe impl Sync for BorrowedBytes {}

impl FilePiece {
    fn len(&self) -> usize {
        match self {
            Self::Owned(bytes) => bytes.len(),
            Self::Borrowed(lent) => lent.len,
        }
    }

    /// Copies from `at` on what fits, of which there is as much.
    fn copy_to(&self, at: usize, into: &mut [u8]) {
        match self {
            Self::Owned(bytes) => into.copy_from_slice(&bytes[at..at + into.len()]),
            Self::Borrowed(BorrowedBytes { start, len }) => {
                assert!(at.checked_add(into.len()).is_some_and(|end| end <= *len));
                // SAFETY: the array is contiguous, of this length, and kept by `Source`. No reference is made to it:
                // Python may write to it meanwhile, and then finds what it has mixed in the results.
                unsafe { start.add(at).copy_to_nonoverlapping(into.as_mut_ptr(), into.len()) }
            }
        }
    }
}

/// A file that is nowhere but in memory: pieces, one after the other.
struct MemoryFile(Vec<FilePiece>);

impl ReadAt for MemoryFile {
    fn size(&self) -> u64 {
        self.0.iter().map(|piece| piece.len() as u64).sum()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> std::result::Result<(), String> {
        let ended = || "the bytes end before".to_owned();
        let mut at = usize::try_from(offset).map_err(|_| ended())?;
        let mut left = into;
        for piece in &self.0 {
            let Some(there) = piece.len().checked_sub(at) else {
                at -= piece.len();
                continue;
            };
            let (now, later) = left.split_at_mut(there.min(left.len()));
            piece.copy_to(at, now);
            left = later;
            at = 0;
        }
        if left.is_empty() { Ok(()) } else { Err(ended()) }
    }
}

/// What Python gives under a name: bytes before the numbers of arrays, and these.
pub struct PythonFile {
    name: String,
    head: Vec<u8>,
    lent: Vec<BorrowedBytes>,
    /// Keeps the numbers where they are.
    _arrays: Vec<Py<PyAny>>,
}

/// Files by name: those that are given, and all others from the disk.
pub struct PythonFiles<'a> {
    cap: u64,
    given: &'a [PythonFile],
    open: RefCell<HashMap<String, Rc<DataFile>>>,
}

/// Opens a regular file, with its size.
pub fn open_file(name: &str) -> std::result::Result<(File, u64), IoError> {
    let refuse = |reason: String| IoError::Unreadable { file: name.to_owned(), at: 0, reason };
    let file = File::open(Path::new(name)).map_err(|error| refuse(error.to_string()))?;
    let found = file.metadata().map_err(|error| refuse(error.to_string()))?;
    if !found.is_file() {
        return Err(refuse("it is no regular file".to_owned()));
    }
    Ok((file, found.len()))
}

impl<'a> PythonFiles<'a> {
    /// With so many bytes at most of what has to be unpacked.
    pub fn new(given: &'a [PythonFile], cap: u64) -> Self {
        Self { cap, given, open: RefCell::default() }
    }

    /// A file's bytes, wherever they are.
    pub fn open_source(&self, name: &str) -> std::result::Result<Box<dyn ReadAt>, IoError> {
        let Some(source) = self.find_python_file(name) else {
            return Ok(Box::new(open_file(name)?));
        };
        let head = FilePiece::Owned(source.head.clone().into());
        let lent = source.lent.iter().map(|lent| FilePiece::Borrowed(*lent));
        Ok(Box::new(MemoryFile(std::iter::once(head).chain(lent).collect())))
    }

    fn find_python_file(&self, name: &str) -> Option<&PythonFile> {
        self.given.iter().find(|source| source.name == name)
    }

    fn remaining_bytes(&self) -> u64 {
        let taken = self.open.borrow().values().map(|file| file.unpacked_bytes()).sum();
        self.cap.saturating_sub(taken)
    }
}

impl OpenFiles for PythonFiles<'_> {
    fn data_file(&self, name: &str) -> std::result::Result<Rc<DataFile>, EvaluationError> {
        if let Some(open) = self.open.borrow().get(name) {
            return Ok(Rc::clone(open));
        }
        let file = Rc::new(DataFile::open(name, self.open_source(name)?, self.remaining_bytes())?);
        self.open.borrow_mut().insert(name.to_owned(), Rc::clone(&file));
        Ok(file)
    }

    fn config_bytes(&self, name: &str) -> std::result::Result<Vec<u8>, EvaluationError> {
        Ok(SaeFolder::read_config(name, &*self.open_source(name)?)?)
    }
}

/// What a dictionary of Python's gives: `{name: (head, [array, ...])}`, each array's numbers as bytes in one
/// piece.
pub fn read_python_files(files: &Bound<'_, PyDict>) -> PyResult<Vec<PythonFile>> {
    let mut sources = Vec::new();
    for (name, given) in files {
        let (head, arrays): (Bound<'_, PyBytes>, Vec<PyReadonlyArray1<'_, u8>>) = given.extract()?;
        let mut lent = Vec::new();
        for array in &arrays {
            let bytes =
                array.as_slice().map_err(|_| Refusal::invalid_value("array", "with gaps", "an array in one piece"))?;
            lent.push(BorrowedBytes { start: bytes.as_ptr(), len: bytes.len() });
        }
        let kept = arrays.iter().map(|array| array.as_any().clone().unbind()).collect();
        let head = head.as_bytes().to_vec();
        sources.push(PythonFile { name: name.extract()?, head, lent, _arrays: kept });
    }
    Ok(sources)
}

pub fn phase_label(phase: Phase) -> &'static str {
    if phase == Phase::Done { Phase::Rows.name() } else { phase.name() }
}

/// Refuses words that stand for nothing, by the option's name.
pub fn check_choices(request: &str) -> Result<()> {
    fn check_option<T: DeserializeOwned>(request: &Value, at: &str, allowed: &str) -> Result<()> {
        let Some(word) = request.pointer(at) else { return Ok(()) };
        // As the function's argument is called.
        let field = at.trim_start_matches("/options").trim_start_matches('/').replace('/', "_");
        let refuse = |_| Refusal::invalid_value(&field, word.to_string(), allowed);
        T::deserialize(word).map(drop).map_err(refuse)
    }
    let request: Value = read_json("request", request)?;
    check_option::<FidelityMode>(&request, "/options/fidelity", "cosine, r2, rel-mse")?;
    let readings = "row-space, reconstruction, active-subspace";
    check_option::<Option<Reading>>(&request, "/options/completeness", readings)?;
    check_option::<Variance>(&request, "/options/variance", "total, grand")?;
    check_option::<Weights>(&request, "/options/weights", "three numbers, not all 0 and none below")?;
    check_option::<RowNumbers>(&request, "/skip/rows", RowNumbers::ALLOWED_DESCRIPTION)?;
    check_option::<CodesBy>(&request, "/codes_by", CodesBy::ALLOWED_NAMES)
}

/// Refuses a request whose options are not allowed, whatever its files hold.
#[pyfunction]
pub fn check_request(request: &str) -> Result<()> {
    check_choices(request)?;
    let request: Request = read_json("request", request)?;
    Ok(request.options.check()?)
}

/// Scores what a request names: the report as the command line prints it, or a NumPy program that computes
/// the same. `digest` puts the SHA-256 of every file into the report, `notes` are added to its own.
#[pyfunction]
#[pyo3(signature = (request, files, tell = None, threads = None, digest = false, script = false, notes = vec![]))]
#[expect(clippy::too_many_arguments)]
pub fn evaluate(
    py: Python<'_>,
    request: &str,
    files: &Bound<'_, PyDict>,
    tell: Option<Py<PyAny>>,
    threads: Option<usize>,
    digest: bool,
    script: bool,
    notes: Vec<String>,
) -> PyResult<String> {
    let given = read_python_files(files)?;
    let pool = thread_pool(threads)?;
    run_with_progress(py, tell, |listener| {
        check_choices(request)?;
        let request: Request = read_json("request", request)?;
        let mut work = || -> Result<String> {
            let files = PythonFiles::new(&given, request.options.memory);
            let plan = request.plan(&files)?;
            let mut run = EvaluationRun::new(plan.clone());
            loop {
                let at = run.step()?;
                // Done is when everything is summed up.
                let part = (at.done as f64 / at.total.max(1) as f64).min(0.999);
                listener.report(phase_label(at.phase), part);
                if at.phase == Phase::Done {
                    break;
                }
            }
            let mut found = run.finish()?;
            found.notes.extend(notes.iter().cloned());
            if digest {
                found.files = plan.digest_files().map_err(EvaluationError::from)?;
            } else {
                plan.verify_checksums().map_err(EvaluationError::from)?;
            }
            if script { Ok(evaluation_script(&plan, &found)?) } else { write_pretty_json(&found) }
        };
        pool.install(&mut work)
    })
}

/// The names, of those of a folder's files, that hold arrays, in the order in which they are read.
#[pyfunction]
pub fn shards(folder: &str, names: Vec<String>) -> PyResult<Vec<String>> {
    let refuse = |_| {
        let allowed = "a folder with files of arrays: .npy, .npz, .safetensors, .pt or .csv";
        Refusal::invalid_value("activations", folder, allowed)
    };
    Ok(sfc_bench::io::find_shards(folder, names).map_err(refuse)?)
}

/// The weights of a model: a file of tensors by TransformerLens' names.
pub fn read_model_parameters(
    given: &Bound<'_, PyDict>,
    name: &str,
    cap: u64,
) -> PyResult<sfc_bench::model::Parameters> {
    let given = read_python_files(given)?;
    let read = || -> Result<_> {
        let files = PythonFiles::new(&given, cap);
        Ok(sfc_bench::model::Parameters::open(&*files.data_file(name)?)?)
    };
    Ok(read()?)
}

/// The names of the files of an autoencoder on the disk, as a request has them: of a folder, or of its weights.
#[pyfunction]
pub fn autoencoder_files(path: &str) -> Result<String> {
    let named = |path: &Path| path.to_string_lossy().into_owned();
    write_pretty_json(&find_sae_on_disk(Path::new(path), &named)?)
}

/// The names of the files of all autoencoders of a folder on the disk, or of the weights of one, each under what it is
/// called among the others: `[[name, files], …]`.
#[pyfunction]
pub fn autoencoders_in(path: &str) -> Result<String> {
    let named = |path: &Path| path.to_string_lossy().into_owned();
    let found = find_saes_on_disk(Path::new(path), &named)?;
    if found.is_empty() {
        // It says what is missing.
        expect_one_sae(path, Vec::new())?;
    }
    let names = layout::files::display_names(&found);
    write_pretty_json(&names.into_iter().zip(found).collect::<Vec<_>>())
}

/// Whether a name is one of those that some pattern means.
#[pyfunction]
pub fn is_meant(name: &str, patterns: Vec<String>) -> bool {
    patterns.iter().any(|pattern| layout::files::matches_pattern(name, pattern))
}

/// Whether a file on the disk holds an autoencoder's weights, by the names of its tensors.
#[pyfunction]
pub fn is_autoencoder(path: &str) -> bool {
    let open = || -> Result<_> { Ok(DataFile::open(path, Box::new(open_file(path)?), MEMORY_CAP)?) };
    // What is wrong with it is told where it is read.
    open().is_ok_and(|file| layout::is_autoencoder(&file))
}

/// An autoencoder: files in memory, and the names of its files, as a request has them.
pub type AutoencoderFiles<'py> = (Bound<'py, PyDict>, String);

/// The numbers of an autoencoder's folder, as the audit takes them.
pub fn read_autoencoder_weights((given, names): &AutoencoderFiles<'_>, cap: u64) -> PyResult<sfc_bench::sae::Weights> {
    let given = read_python_files(given)?;
    let weights_of = || -> Result<_> {
        let files = PythonFiles::new(&given, cap);
        let names: SaeFileNames = read_json("sae", names)?;
        Ok(load_weights(&open_sae_folder(&names, &files)?)?)
    };
    Ok(weights_of()?)
}
