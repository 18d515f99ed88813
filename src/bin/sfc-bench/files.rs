//! A reader's own files, opened where they are named.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use sfc_bench::Problem;
use sfc_bench::io::{self, DataFile, IoError, LabelDetection, ReadAt};
use sfc_bench::lab::evaluate::{
    ArrayChoice, EvaluationError, OpenFiles, SaeFileNames, expect_one_sae, find_saes_on_disk,
};
use sfc_bench::sae::SaeFolder;
use sfc_bench::sae::layout::files::find_autoencoders;

use crate::format::BoxError;

/// How text files of numbers are read.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TextLabelsArgs {
    /// Of .csv files, read a first line 0,1,2,… and a first column of whole numbers under no name as numbers, too, not as
    /// the header and index that pandas writes
    #[arg(long)]
    no_csv_labels: bool,
}

impl TextLabelsArgs {
    pub fn to_labels(self) -> LabelDetection {
        if self.no_csv_labels { LabelDetection::Numbers } else { LabelDetection::Recognised }
    }
}

/// Files on disk, each opened once, and those of archives under their paths in them.
pub struct DiskFiles {
    /// Bytes that what has to be unpacked of all files may take.
    cap: u64,
    labels: LabelDetection,
    open: RefCell<HashMap<String, Rc<DataFile>>>,
    configs: RefCell<HashMap<String, Vec<u8>>>,
}

fn unreadable_error(name: &str, reason: &dyn ToString) -> IoError {
    IoError::Unreadable { file: name.to_owned(), at: 0, reason: reason.to_string() }
}

/// Files whose paths are no text, by the names that stand for them.
static NON_UTF8_PATHS: Mutex<Vec<(String, PathBuf)>> = Mutex::new(Vec::new());

/// The name of a file by which it is opened: its path, or what stands for one that is no text.
pub fn path_name(path: &Path) -> String {
    if let Some(text) = path.to_str() {
        return text.to_owned();
    }
    let mut others = NON_UTF8_PATHS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((name, _)) = others.iter().find(|(_, other)| other == path) {
        return name.clone();
    }
    let mut name = path.to_string_lossy().into_owned();
    while others.iter().any(|(other, _)| *other == name) || Path::new(&name).exists() {
        name.push(char::REPLACEMENT_CHARACTER);
    }
    others.push((name.clone(), path.to_owned()));
    name
}

fn open_source(name: &str) -> Result<(File, u64), IoError> {
    let others = NON_UTF8_PATHS.lock().unwrap_or_else(PoisonError::into_inner);
    let path = others.iter().find(|(other, _)| other == name).map(|(_, path)| path.clone());
    let path = path.unwrap_or_else(|| PathBuf::from(name));
    crate::input::open_regular(&path).map_err(|error| unreadable_error(name, &error))
}

/// A file, or an array of one, by FILE:ARRAY.
pub fn parse_array_ref(path: &Path) -> ArrayChoice {
    // A name with a colon may be a file's own, and so may an array's.
    if path.exists() {
        return ArrayChoice::new(&path_name(path), None);
    }
    let mut splits = split_at_colons(path);
    let first = splits.iter().position(|(file, _)| file.is_file());
    let at = first.or_else(|| splits.len().checked_sub(1));
    match at.map(|at| splits.swap_remove(at)) {
        Some((file, array)) => ArrayChoice::new(&path_name(&file), Some(&array)),
        None => ArrayChoice::new(&path_name(path), None),
    }
}

/// What stands before each colon, and behind it.
fn split_at_colons(path: &Path) -> Vec<(PathBuf, String)> {
    #[cfg(unix)]
    {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let bytes = path.as_os_str().as_bytes();
        let colons = bytes.iter().enumerate().filter(|(_, byte)| **byte == b':');
        let split = |(at, _)| {
            let (file, array) = bytes.split_at(at);
            let array = String::from_utf8_lossy(array).chars().skip(1).collect();
            (PathBuf::from(OsStr::from_bytes(file)), array)
        };
        colons.map(split).collect()
    }
    #[cfg(not(unix))]
    {
        let text = path.to_string_lossy();
        let split = |(at, _)| {
            let (file, array) = text.split_at(at);
            (PathBuf::from(file), array.chars().skip(1).collect())
        };
        text.match_indices(':').map(split).collect()
    }
}

/// A file that may be left out.
pub fn optional_array_ref(path: Option<&PathBuf>) -> Option<ArrayChoice> {
    path.map(|path| parse_array_ref(path))
}

/// SHA-256 of every file of an autoencoder, with what it is.
pub fn digest_files(folder: &SaeFolder) -> Result<Vec<(String, String)>, IoError> {
    let weights = std::iter::once(&folder.weights).chain(&folder.extra_weights).zip(1..);
    let weights = weights.map(|(file, at)| Ok((format!("weights {at}"), file.digest()?)));
    let mut digests = weights.collect::<Result<Vec<_>, IoError>>()?;
    let scaler = folder.scaler_file.as_ref().map(|(_, digest)| digest);
    for (name, digest) in [("config", folder.config_digest.as_ref()), ("scaler", scaler)] {
        digests.extend(digest.map(|digest| (name.to_owned(), digest.clone())));
    }
    Ok(digests)
}

impl DiskFiles {
    pub fn new(cap: u64) -> Self {
        Self { cap, labels: LabelDetection::default(), open: RefCell::default(), configs: RefCell::default() }
    }

    /// With text read so.
    pub fn with_labels(self, labels: LabelDetection) -> Self {
        Self { labels, ..self }
    }

    /// Bytes that what has to be unpacked may still take.
    fn remaining_bytes(&self) -> u64 {
        let taken = self.open.borrow().values().map(|file| file.unpacked_bytes()).sum();
        self.cap.saturating_sub(taken)
    }

    /// The files of arrays in a folder, in the order of their names, numbers in these by their value; or a file.
    pub fn list_shards(&self, path: &Path) -> Result<Vec<ArrayChoice>, EvaluationError> {
        if !path.is_dir() {
            return Ok(vec![parse_array_ref(path)]);
        }
        let name = path_name(path);
        let listed = std::fs::read_dir(path).map_err(|error| unreadable_error(&name, &error))?;
        let mut files = Vec::new();
        for entry in listed {
            let inside = entry.map_err(|error| unreadable_error(&name, &error))?.path();
            if inside.is_file() {
                files.push(path_name(&inside));
            }
        }
        Ok(io::find_shards(&name, files)?.iter().map(|file| ArrayChoice::new(file, None)).collect())
    }

    /// What several paths come to, one after the other.
    pub fn list_all_shards(&self, paths: &[PathBuf]) -> Result<Vec<ArrayChoice>, EvaluationError> {
        let mut all = Vec::new();
        for path in paths {
            all.extend(self.list_shards(path)?);
        }
        Ok(all)
    }

    /// The same, the first apart.
    ///
    /// # Errors
    /// Those of [`OnDisk::shards`]; a problem where nothing is named.
    pub fn list_activations(&self, paths: &[PathBuf]) -> Result<(ArrayChoice, Vec<ArrayChoice>), BoxError> {
        let mut all = self.list_all_shards(paths)?;
        if all.is_empty() {
            return Err(Problem::new("activations", "none", "a file, or a folder of files").into());
        }
        let first = all.remove(0);
        Ok((first, all))
    }

    /// The files of an autoencoder: its folder's, those beside its weights, or those of a .zip that holds one.
    pub fn autoencoder_files(&self, path: &Path) -> Result<SaeFileNames, EvaluationError> {
        expect_one_sae(&path_name(path), self.all_autoencoder_files(path)?)
    }

    /// The files of all autoencoders of a folder or a .zip, or of the weights that are named; none of a file that holds
    /// none.
    pub fn all_autoencoder_files(&self, path: &Path) -> Result<Vec<SaeFileNames>, EvaluationError> {
        if self.is_archive(path)? {
            let name = path_name(path);
            return self.unpack_archive(&name, &(Rc::new(open_source(&name)?) as Rc<dyn ReadAt>));
        }
        find_saes_on_disk(path, &path_name)
    }

    /// Whether a file is an archive of a folder, by what it holds.
    pub fn is_archive(&self, path: &Path) -> Result<bool, EvaluationError> {
        let name = path_name(path);
        Ok(path.is_file() && io::is_archived_folder(&name, &(Rc::new(open_source(&name)?) as Rc<dyn ReadAt>))?)
    }

    fn unpack_archive(&self, archive: &str, source: &Rc<dyn ReadAt>) -> Result<Vec<SaeFileNames>, EvaluationError> {
        let mut names = Vec::new();
        for file in io::unpack_files(archive, source, self.remaining_bytes())? {
            names.push(file.name.clone());
            if file.name.ends_with(".json") || file.name.ends_with(".yaml") {
                let bytes = SaeFolder::read_config(&file.name, &*file.source)?;
                self.configs.borrow_mut().insert(file.name, bytes);
            } else {
                let open = DataFile::open(&file.name, file.source, self.remaining_bytes())?;
                self.open.borrow_mut().insert(file.name, Rc::new(open));
            }
        }
        Ok(find_autoencoders(&names))
    }
}

impl OpenFiles for DiskFiles {
    fn data_file(&self, name: &str) -> Result<Rc<DataFile>, EvaluationError> {
        if let Some(open) = self.open.borrow().get(name) {
            return Ok(Rc::clone(open));
        }
        let file = Rc::new(DataFile::open_as(name, Box::new(open_source(name)?), self.remaining_bytes(), self.labels)?);
        self.open.borrow_mut().insert(name.to_owned(), Rc::clone(&file));
        Ok(file)
    }

    fn config_bytes(&self, name: &str) -> Result<Vec<u8>, EvaluationError> {
        if let Some(bytes) = self.configs.borrow().get(name) {
            return Ok(bytes.clone());
        }
        Ok(SaeFolder::read_config(name, &open_source(name)?)?)
    }
}
