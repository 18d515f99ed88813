//! A reader's own files: `.npy`, `.npz`, `.safetensors`, `.pt` and `.csv`, as matrices of `f32` or `f64`; and JSON.
//!
//! A file is opened by its header alone; rows are read when they are asked for, so that activations
//! may be larger than memory. Nothing is believed: a header is bounded before it is parsed, a shape is
//! multiplied with overflow in mind and held against the bytes that are there, an archive's entry is
//! inflated no further than its array may reach. Every refusal names the file, the place, what was
//! found and what is allowed.
//!
//! ```
//! # use sfc_bench_foundations as sfc_bench;
//! use sfc_bench::io::DataFile;
//!
//! let file = DataFile::open("points.csv", Box::new(b"1,2\n3,4.5\n".to_vec()), 1 << 20)?;
//! let array = file.only_array()?;
//! assert_eq!((array.rows(), array.cols()), (2, 2));
//! assert_eq!(array.read_all()?, [1.0, 2.0, 3.0, 4.5]);
//! # Ok::<(), sfc_bench::io::IoError>(())
//! ```

mod array;
mod array_ref;
/// Text of comma-separated numbers.
pub mod csv;
mod deflate_reader;
mod error;
mod file_kind;
mod folder;
mod gguf;
pub mod json;
mod npy;
mod npz;
mod number;
mod pt;
mod safetensors;
mod shards;
mod skipped_lines;
mod source;
mod sparse;
mod strided;

pub use array::match_entries;
pub use array::{Array, Description, Entries, Entry, MatrixView};
pub use array_ref::ArrayRef;
pub use error::IoError;
pub use error::text_constructors;
pub use error::{EscapedRule, EscapedText};
pub use file_kind::{check_text, describe_non_text};
pub use folder::{ArchiveFile, is_archived_folder, unpack_files};
pub use gguf::{ByteStrings, GGUF_HEADER_BYTES_MAX, Gguf, GgufTensor, GgufValue};
pub use npy::to_npy;
pub use npy::{append_npy_values, npy_header};
pub use number::DType;
pub use shards::{differ_by_number, find_shards, numeric_sort_key};
pub use skipped_lines::{DoubtfulCell, FirstLine, IndexColumn, LabelDetection, SkippedLines, detect_dialect, unquote};
pub use source::ReadAt;
pub use source::read as read_at;
pub use sparse::{is_sparse, open_sparse};

use std::rc::Rc;

use sha2::{Digest, Sha256};

/// Memory that a run, or what is unpacked of an archive, may take, in bytes; more is refused before anything is allocated.
pub const MEMORY_CAP: u64 = 1 << 30;
/// Most bytes of a header, an `.npy`'s or a `.safetensors`'s, that are read.
pub const HEADER_BYTES_MAX: u64 = 1 << 20;
/// Most arrays a file may hold.
pub const ARRAYS_MAX: usize = 10_000;
/// Bytes of an archive that are unpacked at once; beyond them what it holds is unpacked as it is read.
const EAGER_UNPACK_MAX: u64 = 8 << 20;

const CHECKSUM_MISMATCH: &str = "its checksum is not that of its bytes: it is damaged";

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// One NumPy array, versions 1 to 3.
    Npy,
    /// NumPy arrays in a zip archive, stored or deflated.
    Npz,
    /// Named tensors after one header.
    Safetensors,
    /// Numbers as text, one row a line.
    Csv,
    /// Tensors as PyTorch's `torch.save` writes them.
    Pt,
}

/// A number or a word that a file has beside its arrays.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the names say it
pub enum Scalar {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

/// A file whose header has been read and whose arrays can be.
pub struct DataFile {
    name: String,
    format: Format,
    source: Rc<dyn ReadAt>,
    arrays: Vec<Array>,
    /// Arrays of other things than numbers, or of no matrix's shape, and why they are not read.
    unread: Vec<(String, IoError)>,
    left_out: SkippedLines,
    /// Numbers and words beside its arrays.
    scalars: Vec<(String, Scalar)>,
    /// What was not compared yet.
    checks: Box<PendingChecksums>,
}

/// A stretch of a file and the CRC-32 that an archive says of it.
#[derive(Clone)]
pub(crate) struct ChecksumRange {
    entry: String,
    from: u64,
    end: u64,
    crc: u32,
}

/// An entry of an archive that is unpacked as it is read, to be held against its checksum.
#[derive(Clone)]
pub(crate) struct PackedEntry {
    entry: String,
    source: Rc<dyn ReadAt>,
}

/// What is left to be compared of an archive's entries.
#[derive(Clone, Default)]
pub(crate) struct PendingChecksums {
    /// Stretches whose checksums are known.
    stretches: Vec<ChecksumRange>,
    packed: Vec<PackedEntry>,
}

impl DataFile {
    /// Opens a file. The format is told by its first bytes, or else by the end of its name.
    ///
    /// Arrays are read later, except text and deflated entries of a few MiB, which are held from here on.
    /// What is deflated beyond that is unpacked as it is read. All that has to be unpacked may come to at
    /// most `cap` bytes.
    ///
    /// # Errors
    /// An [`IoError`] for anything that is not a whole file of one of the formats.
    pub fn open(name: &str, source: Box<dyn ReadAt>, cap: u64) -> Result<Self, IoError> {
        Self::open_as(name, source, cap, LabelDetection::default())
    }

    /// As [`DataFile::open`]; of text, `labels` says whether numbers may be labels.
    ///
    /// # Errors
    /// As [`DataFile::open`].
    pub fn open_as(name: &str, source: Box<dyn ReadAt>, cap: u64, labels: LabelDetection) -> Result<Self, IoError> {
        let source: Rc<dyn ReadAt> = source.into();
        let mut format = Self::detect_format(name, &*source)?;
        let (mut checks, mut left_out) = (PendingChecksums::default(), SkippedLines::default());
        let (mut unread, mut scalars) = (Vec::new(), Vec::new());
        let arrays = match format {
            Format::Npy => vec![npy::open(name, &source)?],
            Format::Npz => {
                let mut archive = npz::open_archive(name, &source)?;
                let names = pt::entry_paths(&archive);
                match pt::find_folder(names.iter().map(String::as_str)) {
                    None => npz::open(name, &source, archive, cap, &mut checks, &mut unread)?,
                    Some(folder) => {
                        format = Format::Pt;
                        let into = pt::SideOutput {
                            checks: &mut checks,
                            unreadable_arrays: &mut unread,
                            scalars: &mut scalars,
                        };
                        pt::open_zip(name, &source, &mut archive, &folder, cap, into)?
                    }
                }
            }
            Format::Pt => {
                let into =
                    pt::SideOutput { checks: &mut checks, unreadable_arrays: &mut unread, scalars: &mut scalars };
                pt::open_legacy(name, &source, into)?
            }
            Format::Safetensors => safetensors::open(name, &source, &mut unread)?,
            Format::Csv => {
                let (array, left) = csv::open(name, &source, cap, labels)?;
                left_out = left;
                vec![array]
            }
        };
        if let Some(crc) = source.checksum() {
            checks.stretches.push(ChecksumRange { entry: name.to_owned(), from: 0, end: source.size(), crc });
        }
        Ok(Self { name: name.to_owned(), format, source, arrays, unread, left_out, scalars, checks: Box::new(checks) })
    }

    fn detect_format(name: &str, source: &dyn ReadAt) -> Result<Format, IoError> {
        let mut magic = [0; file_kind::SNIFFED_BYTES_MAX];
        let held = source.size().min(magic.len() as u64) as usize;
        source::read(name, source, 0, &mut magic[..held])?;
        let begins = &magic[..held];
        let ends = |end: &str| name.to_ascii_lowercase().ends_with(end);
        if begins.starts_with(npy::MAGIC) {
            return Ok(Format::Npy);
        }
        // It begins with a length, whose bytes may be what another kind begins with.
        if ends(".safetensors") && safetensors::looks_like_safetensors(begins) {
            return Ok(Format::Safetensors);
        }
        if begins.starts_with(b"PK") {
            return Ok(Format::Npz);
        }
        if pt::is_legacy(begins) {
            return Ok(Format::Pt);
        }
        let found = file_kind::describe_bytes(begins);
        if found.is_none() && ends(".safetensors") {
            return Ok(Format::Safetensors);
        }
        if found.is_none() && (ends(".csv") || ends(".txt") || ends(".tsv")) {
            return Ok(Format::Csv);
        }
        let found = found.unwrap_or_else(|| {
            let begins = &begins[..held.min(6)];
            format!("{} bytes that begin with {begins:02x?}", begins.len())
        });
        Err(IoError::Format { file: name.to_owned(), found })
    }

    /// The file's name, as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the file is.
    #[must_use]
    pub fn detected_format(&self) -> Format {
        self.format
    }

    /// What of it was not read as numbers, in sentences: a text file's header and comments.
    #[must_use]
    pub fn unread_notes(&self) -> Vec<String> {
        self.left_out.describe(&self.name)
    }

    /// Of text, the line of its header and whether its first column is an index, where numbers were taken for labels or
    /// are in quotes.
    pub fn header_and_index(&self) -> Option<(Option<u64>, bool)> {
        (!self.left_out.is_plain()).then(|| self.left_out.header_and_index())
    }

    /// Its arrays, in the file's order; never none.
    #[must_use]
    pub fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    /// The names of all its arrays, those that cannot be read as numbers among them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let unread = self.unread.iter().map(|(name, _)| name.as_str());
        self.arrays.iter().map(Array::display_name).chain(unread)
    }

    /// The same file with other arrays: some of its own, or of others, under other names.
    #[must_use]
    pub(crate) fn with_arrays(&self, arrays: Vec<Array>) -> Self {
        Self {
            name: self.name.clone(),
            format: self.format,
            source: Rc::clone(&self.source),
            arrays,
            unread: Vec::new(),
            left_out: self.left_out.clone(),
            scalars: self.scalars.clone(),
            checks: self.checks.clone(),
        }
    }

    /// The number or word of a name that stands beside the arrays.
    #[must_use]
    pub fn scalar(&self, name: &str) -> Option<&Scalar> {
        self.scalars.iter().find(|(other, _)| other == name).map(|(_, scalar)| scalar)
    }

    /// The array of a name.
    ///
    /// # Errors
    /// [`IoError::Missing`], with the names there are; why it is not read where it is there.
    pub fn array(&self, name: &str) -> Result<&Array, IoError> {
        self.arrays.iter().find(|array| array.display_name() == name).ok_or_else(|| {
            let unread = self.unread.iter().find(|(other, _)| other == name);
            unread.map_or_else(|| self.missing_array_error(name), |(_, why)| why.clone())
        })
    }

    /// The one array of a file that has one.
    ///
    /// # Errors
    /// [`IoError::Missing`] where there are several to choose from.
    pub fn only_array(&self) -> Result<&Array, IoError> {
        match self.arrays.as_slice() {
            [array] => Ok(array),
            _ => Err(self.missing_array_error("a single array, or the name of one")),
        }
    }

    fn missing_array_error(&self, wanted: &str) -> IoError {
        const NAMES_SHOWN_MAX: usize = 12;
        let mut held: Vec<&str> = self.arrays.iter().take(NAMES_SHOWN_MAX).map(Array::display_name).collect();
        if self.arrays.len() > NAMES_SHOWN_MAX {
            held.push("…");
        }
        IoError::Missing { file: self.name.clone(), wanted: wanted.to_owned(), held: held.join(", ") }
    }

    /// Bytes of memory that it holds of what had to be unpacked.
    #[must_use]
    pub fn unpacked_bytes(&self) -> u64 {
        self.arrays.iter().map(Array::unpacked_bytes).sum()
    }

    /// The file's SHA-256 as 64 hexadecimal digits: what a script knows the file by. Checksums that the
    /// file holds and that were not compared yet are compared on the way.
    ///
    /// # Errors
    /// [`IoError::Unreadable`], and [`IoError::Archive`] where a checksum is another one.
    pub fn digest(&self) -> Result<String, IoError> {
        let mut hash = Sha256::new();
        self.scan_bytes(&mut |bytes| hash.update(bytes))?;
        Ok(to_hex(&hash.finalize()))
    }

    /// Reads what has a checksum that was not compared yet, and compares it.
    ///
    /// # Errors
    /// As [`DataFile::digest`].
    pub fn verify_checksums(&self) -> Result<(), IoError> {
        if self.checks.stretches.is_empty() { self.verify_packed_entries() } else { self.scan_bytes(&mut |_| {}) }
    }

    /// Reads the whole file, from its first byte to its last.
    fn scan_bytes(&self, each: &mut dyn FnMut(&[u8])) -> Result<(), IoError> {
        let mut sums = vec![crc32fast::Hasher::new(); self.checks.stretches.len()];
        let mut at = 0;
        for_each_piece(&self.name, &*self.source, &mut |bytes| {
            let end = at + bytes.len() as u64;
            for (check, sum) in self.checks.stretches.iter().zip(&mut sums) {
                let (from, until) = (check.from.max(at), check.end.min(end));
                if from < until {
                    sum.update(&bytes[(from - at) as usize..(until - at) as usize]);
                }
            }
            at = end;
            each(bytes);
        })?;
        for (check, sum) in self.checks.stretches.iter().zip(sums) {
            if sum.finalize() != check.crc {
                return Err(IoError::archive(&self.name, &check.entry, CHECKSUM_MISMATCH));
            }
        }
        self.verify_packed_entries()
    }

    /// Unpacks what was to be unpacked as it is read, once and to its end.
    fn verify_packed_entries(&self) -> Result<(), IoError> {
        let name = &self.name;
        self.source.verify_bytes().map_err(|reason| IoError::archive(name, name, reason))?;
        for PackedEntry { entry, source } in &self.checks.packed {
            source.verify_bytes().map_err(|reason| IoError::archive(name, entry, reason))?;
        }
        Ok(())
    }
}

/// SHA-256 of a whole source, as 64 hexadecimal digits.
///
/// # Errors
/// [`IoError::Unreadable`].
pub fn digest(name: &str, source: &dyn ReadAt) -> Result<String, IoError> {
    let mut hash = Sha256::new();
    for_each_piece(name, source, &mut |bytes| hash.update(bytes))?;
    Ok(to_hex(&hash.finalize()))
}

fn for_each_piece(name: &str, source: &dyn ReadAt, each: &mut dyn FnMut(&[u8])) -> Result<(), IoError> {
    let mut buffer = vec![0; 1 << 18];
    let mut at = 0;
    while at < source.size() {
        let held = (source.size() - at).min(buffer.len() as u64) as usize;
        source::read(name, source, at, &mut buffer[..held])?;
        each(&buffer[..held]);
        at += held as u64;
    }
    Ok(())
}

/// Two hexadecimal digits a byte.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    let digits = |byte: &u8| [byte >> 4, byte & 15].map(|four| b"0123456789abcdef"[four as usize]);
    bytes.iter().flat_map(digits).map(char::from).collect()
}

/// A file's name, or its path, without its ending.
pub fn file_stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// All bytes of a source that is to be small.
///
/// # Errors
/// [`IoError::TooLarge`] beyond `cap` bytes, [`IoError::Unreadable`], [`IoError::Archive`] where its
/// checksum is another one.
pub fn read_capped(name: &str, source: &dyn ReadAt, what: &str, cap: u64) -> Result<Vec<u8>, IoError> {
    let needed = source.size();
    if needed > cap {
        let (file, what) = (name.to_owned(), what.to_owned());
        return Err(IoError::TooLarge { file, what, needed, cap });
    }
    let mut bytes = vec![0; needed as usize];
    source::read(name, source, 0, &mut bytes)?;
    if source.checksum().is_some_and(|crc| crc != crc32fast::hash(&bytes)) {
        return Err(IoError::archive(name, name, CHECKSUM_MISMATCH));
    }
    source.verify_bytes().map_err(|reason| IoError::archive(name, name, reason))?;
    Ok(bytes)
}
