//! Which files on a disk are a model.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::io::{self, Gguf, IoError, ReadAt};
use crate::model::ModelFolder;

/// A file by its name.
pub type NamedFile = (String, Box<dyn ReadAt>);

/// Opens a file, with its size.
pub type OpenFn<'a> = &'a dyn Fn(&Path) -> Result<(File, u64), IoError>;

/// Files of a folder that belong to a model, or may be taken to.
const MODEL_FILE_NAMES: [&str; 5] = [
    ModelFolder::CONFIG_FILE,
    ModelFolder::WEIGHTS_FILE,
    ModelFolder::TOKENIZER_FILE,
    ModelFolder::INDEX_FILE,
    ModelFolder::PICKLED_WEIGHTS_FILE,
];

fn unreadable_error(path: &Path, reason: impl ToString) -> IoError {
    IoError::unreadable(path.display().to_string(), reason)
}

/// The files of a model of which one is named `…-00001-of-00003.gguf`.
fn gguf_parts(file: &Path) -> Option<Vec<PathBuf>> {
    let stem = file.file_name()?.to_str()?.strip_suffix(".gguf")?;
    let (before, count) = stem.rsplit_once("-of-")?;
    let (name, number) = before.rsplit_once('-')?;
    let digits = |text: &str| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    let all = 1..=count.parse::<u32>().ok().filter(|all| digits(count) && *all <= 1_000)?;
    let part = |part| file.with_file_name(format!("{name}-{part:05}-of-{count}.gguf"));
    digits(number).then(|| all.map(part).collect())
}

/// The files of a model: of a folder, a .zip of one, or a GGUF file with its other parts, as `open` opens what is on the
/// disk. Nothing but names is read, and `cap` bounds what is unpacked.
///
/// # Errors
/// [`IoError`] for what cannot be read, or is none of these.
pub fn model_files(folder: &Path, cap: u64, open: OpenFn<'_>) -> Result<Vec<NamedFile>, IoError> {
    if folder.is_file() {
        let (name, archive) = (folder.display().to_string(), open(folder)?);
        if Gguf::is_gguf(&name, &archive)? {
            return match gguf_parts(folder) {
                None => Ok(vec![(name, Box::new(archive))]),
                Some(parts) => {
                    parts.iter().map(|part| Ok((part.display().to_string(), Box::new(open(part)?) as _))).collect()
                }
            };
        }
        let archive: Rc<dyn ReadAt> = Rc::new(archive);
        if !io::is_archived_folder(&name, &archive)? {
            let reason = "it is no folder, nor a .zip of one, nor a GGUF file";
            return Err(unreadable_error(folder, reason));
        }
        let packed = io::unpack_files(&name, &archive, cap)?;
        return Ok(packed.into_iter().map(|file| (file.name, file.source)).collect());
    }
    let listed = folder.read_dir().map_err(|error| unreadable_error(folder, error))?;
    let mut paths: Vec<PathBuf> = MODEL_FILE_NAMES.map(|name| folder.join(name)).to_vec();
    // Weights in several files, of which the index says which; or, without a configuration, the parts of a GGUF.
    let ending = match folder.join(ModelFolder::CONFIG_FILE).is_file() {
        true => folder.join(ModelFolder::INDEX_FILE).is_file().then_some("safetensors"),
        false => Some("gguf"),
    };
    if let Some(ending) = ending {
        let parts = listed.flatten().map(|entry| entry.path());
        let is_part = |path: &PathBuf| path.extension().is_some_and(|end| end == ending) && !paths.contains(path);
        let mut parts: Vec<PathBuf> = parts.filter(is_part).collect();
        parts.sort();
        paths.extend(parts);
    }
    let mut found: Vec<NamedFile> = Vec::new();
    for path in paths {
        match path.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            _ => found.push((path.display().to_string(), Box::new(open(&path)?))),
        }
    }
    Ok(found)
}
