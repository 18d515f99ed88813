//! Files in a zip archive, as a folder: what SAELens writes, packed into one.

use std::io::Read;
use std::rc::Rc;

use zip::CompressionMethod;
use zip::read::ZipFile;

use super::deflate_reader::DeflateReader;
use super::npz::{
    SourceCursor, check_unpacked_size, entry_range, inflate, is_macos_metadata, normalise_path, open_archive,
};
use super::{EAGER_UNPACK_MAX, IoError, ReadAt, source};

/// A file of an archive.
pub struct ArchiveFile {
    /// Its path in the archive.
    pub name: String,
    /// Its bytes.
    pub source: Box<dyn ReadAt>,
}

/// Endings of files that are looked at.
const KNOWN_EXTENSIONS: [&str; 8] = [".npy", ".npz", ".safetensors", ".csv", ".json", ".yaml", ".pt", ".pth"];

fn has_extension(name: &str, ending: &str) -> bool {
    name.to_ascii_lowercase().ends_with(ending)
}

/// Whether a file is an archive of more than NumPy's arrays: a folder with an autoencoder.
///
/// # Errors
/// [`IoError::Archive`] where it is an archive that cannot be read.
pub fn is_archived_folder(file: &str, source: &Rc<dyn ReadAt>) -> Result<bool, IoError> {
    let mut magic = [0; 4];
    // A tensor file whose header is as long as these two letters has nothing behind them.
    let read = source.size() >= 22 && source.read_at(0, &mut magic).is_ok();
    if !read || !matches!(magic, [b'P', b'K', more, _] if more > 0) {
        return Ok(false);
    }
    let archive = open_archive(file, source)?;
    let names = archive.file_names().filter_map(Result::ok).map(|name| normalise_path(&name));
    let mut names = names.filter(|name| !is_macos_metadata(name));
    let own = [".safetensors", "cfg.json", ".npz", ".pt", ".pth"];
    Ok(names.any(|name| own.iter().any(|end| has_extension(&name, end))))
}

/// The files of an archive that may be something here, in its order. Stored ones are read where they
/// are, deflated ones unpacked, at once where they are small and else as they are read: `cap` bytes for
/// all of them together.
///
/// # Errors
/// [`IoError::Archive`], [`IoError::TooLarge`].
pub fn unpack_files(file: &str, source: &Rc<dyn ReadAt>, cap: u64) -> Result<Vec<ArchiveFile>, IoError> {
    let wrong = |entry: &str, reason: String| IoError::archive(file, entry, reason);
    let mut archive = open_archive(file, source)?;
    let mut budget = UnpackBudget::new(cap);
    let mut found: Vec<ArchiveFile> = Vec::new();
    for index in 0..archive.len() {
        let mut zipped =
            archive.by_index(index).map_err(|error| wrong(&format!("entry {index}"), error.to_string()))?;
        let name = zipped.name().map(|name| name.into_owned());
        let name = name.map_err(|error| wrong(&format!("entry {index}"), error.to_string()))?;
        let name = normalise_path(&name);
        if !KNOWN_EXTENSIONS.iter().any(|ending| has_extension(&name, ending)) || is_macos_metadata(&name) {
            continue;
        }
        if found.iter().any(|other| other.name == name) {
            return Err(wrong(&name, "a second file of the same name".to_owned()));
        }
        let source = open_entry(file, &name, source, &mut zipped, &mut budget)?;
        found.push(ArchiveFile { name, source });
    }
    Ok(found)
}

/// Bytes that entries of an archive may still be unpacked to.
pub(super) struct UnpackBudget {
    left: u64,
    at_once: u64,
    cap: u64,
}

impl UnpackBudget {
    pub fn new(cap: u64) -> Self {
        Self { left: cap, at_once: EAGER_UNPACK_MAX, cap }
    }
}

/// An entry of an archive: a stored one where it is, a deflated one unpacked, at once where it is small and else as it
/// is read.
///
/// # Errors
/// [`IoError::Archive`], [`IoError::TooLarge`].
pub(super) fn open_entry(
    file: &str,
    name: &str,
    source: &Rc<dyn ReadAt>,
    entry: &mut ZipFile<'_, SourceCursor>,
    budget: &mut UnpackBudget,
) -> Result<Box<dyn ReadAt>, IoError> {
    let wrong = |reason: String| IoError::archive(file, name, reason);
    let (packed, size, crc) = (entry.compressed_size(), entry.size(), entry.crc32());
    match entry.compression() {
        CompressionMethod::Stored => {
            let from = entry.data_start();
            let end = from.and_then(|from| from.checked_add(size));
            match from.zip(end) {
                Some((from, end)) if end <= source.size() && packed == size => {
                    Ok(Box::new(SourceRange { whole: Rc::clone(source), from, size, crc }))
                }
                _ => Err(wrong("it ends after the file".to_owned())),
            }
        }
        CompressionMethod::Deflated => {
            check_unpacked_size(file, name, packed, size, &mut budget.left, budget.cap)?;
            if size <= budget.at_once {
                budget.at_once -= size;
                Ok(Box::new(inflate(entry as &mut dyn Read, size).map_err(wrong)?))
            } else {
                let place = entry_range(source, entry.data_start(), packed).map_err(wrong)?;
                Ok(Box::new(DeflateReader::new(source, place, size, crc)))
            }
        }
        other => Err(wrong(format!("packed by {other}; allowed: stored, deflated"))),
    }
}

/// A stretch of another source.
struct SourceRange {
    whole: Rc<dyn ReadAt>,
    from: u64,
    size: u64,
    crc: u32,
}

impl ReadAt for SourceRange {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        source::check_range(self.size, offset, into.len())?;
        self.whole.read_at(self.from + offset, into)
    }

    fn checksum(&self) -> Option<u32> {
        Some(self.crc)
    }
}
