//! Files in a zip archive, as a folder: what SAELens writes, packed into one.

use std::io::Read;
use std::rc::Rc;

use zip::CompressionMethod;

use super::deflate_reader::DeflateReader;
use super::npz::{archive, inflate, is_added, path, place, unpacked_size};
use super::{IoError, ReadAt, UNPACKED_AT_ONCE, source};

/// A file of an archive.
pub struct Packed {
    /// Its path in the archive.
    pub name: String,
    /// Its bytes.
    pub source: Box<dyn ReadAt>,
}

/// Endings of files that are looked at.
const ENDINGS: [&str; 5] = [".npy", ".npz", ".safetensors", ".csv", ".json"];

fn ends(name: &str, ending: &str) -> bool {
    name.to_ascii_lowercase().ends_with(ending)
}

/// Whether a file is an archive of more than NumPy's arrays: a folder with an autoencoder.
///
/// # Errors
/// [`IoError::Archive`] where it is an archive that cannot be read.
pub fn is_folder(file: &str, source: &Rc<dyn ReadAt>) -> Result<bool, IoError> {
    let mut magic = [0; 4];
    // A tensor file whose header is as long as these two letters has nothing behind them.
    let read = source.size() >= 22 && source.read_at(0, &mut magic).is_ok();
    if !read || !matches!(magic, [b'P', b'K', more, _] if more > 0) {
        return Ok(false);
    }
    let archive = archive(file, source)?;
    let names = archive.file_names().filter_map(Result::ok).map(|name| path(&name));
    let mut names = names.filter(|name| !is_added(name));
    Ok(names.any(|name| ends(&name, ".safetensors") || ends(&name, "cfg.json")))
}

/// The files of an archive that may be something here, in its order. Stored ones are read where they
/// are, deflated ones unpacked, at once where they are small and else as they are read: `cap` bytes for
/// all of them together.
///
/// # Errors
/// [`IoError::Archive`], [`IoError::TooLarge`].
pub fn unpack(file: &str, source: &Rc<dyn ReadAt>, cap: u64) -> Result<Vec<Packed>, IoError> {
    let wrong = |entry: &str, reason: String| IoError::Archive {
        file: file.to_owned(),
        entry: entry.to_owned(),
        reason,
    };
    let mut archive = archive(file, source)?;
    let (mut left, mut at_once) = (cap, UNPACKED_AT_ONCE);
    let mut found: Vec<Packed> = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive
            .by_index(index)
            .map_err(|error| wrong(&format!("entry {index}"), error.to_string()))?;
        let name = entry.name().map(|name| name.into_owned());
        let name = name.map_err(|error| wrong(&format!("entry {index}"), error.to_string()))?;
        let name = path(&name);
        if !ENDINGS.iter().any(|ending| ends(&name, ending)) || is_added(&name) {
            continue;
        }
        if found.iter().any(|other| other.name == name) {
            return Err(wrong(&name, "a second file of the same name".to_owned()));
        }
        let (packed, size, crc) = (entry.compressed_size(), entry.size(), entry.crc32());
        let source: Box<dyn ReadAt> = match entry.compression() {
            CompressionMethod::Stored => {
                let from = entry.data_start();
                let end = from.and_then(|from| from.checked_add(size));
                match from.zip(end) {
                    Some((from, end)) if end <= source.size() && packed == size => {
                        Box::new(Part { whole: Rc::clone(source), from, size, crc })
                    }
                    _ => return Err(wrong(&name, "it ends after the file".to_owned())),
                }
            }
            CompressionMethod::Deflated => {
                unpacked_size(file, &name, packed, size, &mut left, cap)?;
                if size <= at_once {
                    at_once -= size;
                    let inflated = inflate(&mut entry as &mut dyn Read, size);
                    Box::new(inflated.map_err(|reason| wrong(&name, reason))?)
                } else {
                    let place = place(source, entry.data_start(), packed);
                    let place = place.map_err(|reason| wrong(&name, reason))?;
                    Box::new(DeflateReader::new(source, place, size, crc))
                }
            }
            other => {
                let reason = format!("packed by {other}; allowed: stored, deflated");
                return Err(wrong(&name, reason));
            }
        };
        found.push(Packed { name, source });
    }
    Ok(found)
}

/// A stretch of another source.
struct Part {
    whole: Rc<dyn ReadAt>,
    from: u64,
    size: u64,
    crc: u32,
}

impl ReadAt for Part {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        source::within(self.size, offset, into.len())?;
        self.whole.read_at(self.from + offset, into)
    }

    fn checksum(&self) -> Option<u32> {
        Some(self.crc)
    }
}
