use std::io::{Error, Read, Seek, SeekFrom};
use std::rc::Rc;

use zip::{CompressionMethod, ZipArchive};

use super::array::{Array, Storage, payload_bytes};
use super::deflate_reader::DeflateReader;
use super::{
    ARRAYS_MAX, ChecksumRange, EAGER_UNPACK_MAX, IoError, PackedEntry, PendingChecksums, ReadAt, file_kind, npy,
};

/// Most that deflate can make of one byte.
const DEFLATE_RATIO_MAX: u64 = 1_032;
/// Bytes that are inflated at a time.
const INFLATE_STEP_BYTES: usize = 1 << 20;
/// Largest directory that is read: the reader holds it whole, some five times over.
const DIRECTORY_BYTES_MAX: u64 = 4 << 20;

/// An archive whose directory has been read.
pub(super) fn open_archive(file: &str, source: &Rc<dyn ReadAt>) -> Result<ZipArchive<SourceCursor>, IoError> {
    let wrong = |reason: String| IoError::archive(file, "its directory", reason);
    check_directory(source).map_err(wrong)?;
    let archive = ZipArchive::new(SourceCursor::new(Rc::clone(source))).map_err(|error| wrong(error.to_string()))?;
    if archive.len() > ARRAYS_MAX {
        return Err(wrong(format!("{} entries; allowed: {ARRAYS_MAX}", archive.len())));
    }
    Ok(archive)
}

/// Refuses what cannot unpack to so much, or is more than is `left` of `cap`.
pub(super) fn check_unpacked_size(
    file: &str,
    entry: &str,
    packed: u64,
    needed: u64,
    left: &mut u64,
    cap: u64,
) -> Result<(), IoError> {
    if needed > *left {
        let what = format!("{entry}, unpacked with those before it,");
        let needed = needed.saturating_add(cap - *left);
        return Err(IoError::TooLarge { file: file.to_owned(), what, needed, cap });
    }
    if packed.saturating_add(1).saturating_mul(DEFLATE_RATIO_MAX) < needed {
        let reason = format!("{packed} bytes cannot unpack to {needed}");
        return Err(IoError::archive(file, entry, reason));
    }
    *left -= needed;
    Ok(())
}

/// Arrays of an archive. Stored ones are read from the file, and their checksums left to be compared;
/// deflated ones are unpacked at once where they are small, and else as they are read: as far as their own
/// header says and no further, `cap` bytes for all of them together. Those of other things than numbers, or of no
/// matrix's shape, go to `unread`.
pub(super) fn open(
    file: &str,
    source: &Rc<dyn ReadAt>,
    mut archive: ZipArchive<SourceCursor>,
    cap: u64,
    checks: &mut PendingChecksums,
    unread: &mut Vec<(String, IoError)>,
) -> Result<Vec<Array>, IoError> {
    let wrong = |entry: &str, reason: String| IoError::archive(file, entry, reason);
    // Other programs' files are archives too.
    let names: Vec<_> = archive.file_names().filter_map(Result::ok).collect();
    if let Some(found) = file_kind::describe_archive(names.iter().map(|name| &**name)) {
        return Err(IoError::Format { file: file.to_owned(), found: found.to_owned() });
    }
    drop(names);
    let mut arrays: Vec<Array> = Vec::new();
    let (mut left, mut at_once) = (cap, EAGER_UNPACK_MAX);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| wrong(&format!("entry {index}"), error.to_string()))?;
        let name = entry.name().map(|name| name.into_owned());
        let name = name.map_err(|error| wrong(&format!("entry {index}"), error.to_string()))?;
        let name = normalise_path(&name);
        let Some(array) = name.strip_suffix(".npy").filter(|_| !is_macos_metadata(&name)) else {
            continue;
        };
        let twice = arrays.iter().map(Array::name).chain(unread.iter().map(|(name, _)| &**name));
        if twice.into_iter().any(|other| other == array) {
            return Err(wrong(&name, "a second array of the same name".to_owned()));
        }
        let (packed, size, method) = (entry.compressed_size(), entry.size(), entry.compression());
        let (crc, begin) = (entry.crc32(), entry.data_start());
        let mut begun = 0;
        let mut read = |at: u64, into: &mut [u8]| {
            debug_assert_eq!(at, begun);
            begun += into.len() as u64;
            entry.read_exact(into).map_err(|error| wrong(&name, error.to_string()))
        };
        let header = npy::read_header(file, &name, &mut read)
            .and_then(|(layout, start)| Ok((payload_bytes(file, &name, &layout)?, layout, start)));
        let (needed, layout, start) = match header {
            Ok(header) => header,
            // It may be of anything as long as nobody asks for it.
            Err(why @ (IoError::DType { .. } | IoError::Shape { .. })) => {
                unread.push((array.to_owned(), why));
                continue;
            }
            Err(why) if npy::is_structured_dtype(&why) => {
                unread.push((array.to_owned(), why));
                continue;
            }
            Err(why) => return Err(why),
        };
        if start.checked_add(needed) != Some(size) {
            let reason = format!("its array has {needed} bytes after {start} of header; the directory says {size}");
            return Err(wrong(&name, reason));
        }
        let place = match method {
            CompressionMethod::Stored => {
                let end = begin.and_then(|begin| begin.checked_add(size));
                match begin.zip(end) {
                    Some((from, end)) if end <= source.size() && packed == size => {
                        checks.stretches.push(ChecksumRange { entry: name.clone(), from, end, crc });
                        // Before the end: start is less than the size.
                        Storage::InFile(Rc::clone(source), from + start)
                    }
                    _ => return Err(wrong(&name, "it ends after the file".to_owned())),
                }
            }
            CompressionMethod::Deflated => {
                check_unpacked_size(file, &name, packed, needed, &mut left, cap)?;
                if needed <= at_once {
                    at_once -= needed;
                    let bytes = inflate(&mut entry, needed).map_err(|reason| wrong(&name, reason));
                    Storage::InMemory(Rc::new(bytes?))
                } else {
                    let place = entry_range(source, begin, packed).map_err(|reason| wrong(&name, reason))?;
                    let inflated: Rc<dyn ReadAt> = Rc::new(DeflateReader::new(source, place, size, crc));
                    let source = Rc::clone(&inflated);
                    checks.packed.push(PackedEntry { entry: name.clone(), source });
                    Storage::InFile(inflated, start)
                }
            }
            other => {
                let reason = format!("packed by {other}; allowed: stored, deflated");
                return Err(wrong(&name, reason));
            }
        };
        arrays.push(Array::new(file, array, layout, place));
    }
    if let (true, Some((_, why))) = (arrays.is_empty(), unread.first()) {
        return Err(why.clone());
    }
    if arrays.is_empty() {
        return Err(wrong("its directory", "no entry ends in .npy".to_owned()));
    }
    Ok(arrays)
}

/// A path in an archive, whose folders some programs of Windows end by backslashes.
pub(super) fn normalise_path(name: &str) -> String {
    name.replace('\\', "/")
}

/// Whether macOS added a file to an archive: attributes of another one, which are nobody's data.
pub(super) fn is_macos_metadata(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("__MACOSX") || last.starts_with("._")
}

/// Where an entry's packed bytes are: from which byte on, and how many.
pub(super) fn entry_range(source: &Rc<dyn ReadAt>, begin: Option<u64>, packed: u64) -> Result<(u64, u64), String> {
    let from = begin.filter(|from| from.checked_add(packed).is_some_and(|end| end <= source.size()));
    from.map(|from| (from, packed)).ok_or_else(|| "it ends after the file".to_owned())
}

/// Exactly so many bytes; memory grows only as they come.
pub(super) fn inflate(entry: &mut dyn Read, needed: u64) -> Result<Vec<u8>, String> {
    let needed = usize::try_from(needed).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    while bytes.len() < needed {
        let held = bytes.len();
        let step = (needed - held).min(INFLATE_STEP_BYTES.max(held));
        bytes.try_reserve_exact(step).map_err(|error| error.to_string())?;
        bytes.resize(held + step, 0);
        entry.read_exact(&mut bytes[held..]).map_err(|error| error.to_string())?;
    }
    // One more byte, were there any; and the checksum, which is compared at the end.
    match entry.read(&mut [0]) {
        Ok(0) => Ok(bytes),
        Ok(_) => Err("it unpacks to more than its header says".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Refuses a directory that claims to be large, in either form of the record that ends an archive.
fn check_directory(source: &Rc<dyn ReadAt>) -> Result<(), String> {
    /// The end's record, and the longest comment after it.
    const END_RECORD_BYTES: u64 = 22;
    const COMMENT_MAX: u64 = 65_535;
    /// What points to the longer record, just before the end's.
    const LOCATOR_BYTES: usize = 20;
    let size = source.size();
    let tail = size.min(LOCATOR_BYTES as u64 + END_RECORD_BYTES + COMMENT_MAX);
    let mut bytes = vec![0; tail as usize];
    source.read_at(size - tail, &mut bytes)?;
    let bounded = |claimed: u64| {
        if claimed <= DIRECTORY_BYTES_MAX {
            Ok(())
        } else {
            Err(format!("a directory of {claimed} bytes; allowed: {DIRECTORY_BYTES_MAX}"))
        }
    };
    let mut ends = 0;
    // The reader tries every place that looks like an end, so each is looked at.
    for at in 0..bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(b"PK\x05\x06")
            && let Some(claimed) = read_little_endian::<4>(rest, 12)
        {
            ends += 1;
            // All ones: the longer record says.
            if claimed != u64::from(u32::MAX) {
                bounded(claimed)?;
            }
        } else if rest.starts_with(b"PK\x06\x07")
            && let Some(record) = read_little_endian::<8>(rest, 8)
        {
            let mut long = [0; 56];
            source.read_at(record, &mut long)?;
            bounded(read_little_endian::<8>(&long, 40).unwrap_or(u64::MAX))?;
        }
    }
    if ends == 0 {
        return Err("the archive has no end: it may be cut off".to_owned());
    }
    Ok(())
}

/// `N` bytes from a place on, least first.
fn read_little_endian<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + N)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Bytes that are read at once where fewer are asked for: headers are read a few bytes at a time, and a browser takes
/// milliseconds for each.
const BLOCK_BYTES: usize = 16 << 10;

/// A source as a stream.
pub(super) struct SourceCursor {
    source: Rc<dyn ReadAt>,
    at: u64,
    /// Where the last block begins, and its bytes.
    block: (u64, Vec<u8>),
}

impl SourceCursor {
    fn new(source: Rc<dyn ReadAt>) -> Self {
        Self { source, at: 0, block: (0, Vec::new()) }
    }

    /// What of the block follows from here.
    fn buffered_bytes(&self) -> &[u8] {
        let (from, bytes) = &self.block;
        let within = self.at.checked_sub(*from).and_then(|by| usize::try_from(by).ok());
        within.and_then(|by| bytes.get(by..)).unwrap_or_default()
    }
}

impl Read for SourceCursor {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let left = self.source.size().saturating_sub(self.at);
        let mut held = left.min(into.len() as u64) as usize;
        if held >= BLOCK_BYTES {
            self.source.read_at(self.at, &mut into[..held]).map_err(Error::other)?;
        } else if held > 0 {
            if self.buffered_bytes().is_empty() {
                let mut bytes = vec![0; left.min(BLOCK_BYTES as u64) as usize];
                self.source.read_at(self.at, &mut bytes).map_err(Error::other)?;
                self.block = (self.at, bytes);
            }
            let following = self.buffered_bytes();
            held = held.min(following.len());
            into[..held].copy_from_slice(&following[..held]);
        }
        self.at += held as u64;
        Ok(held)
    }
}

impl Seek for SourceCursor {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.source.size().checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| Error::other("a place before the start"))?;
        Ok(self.at)
    }
}
