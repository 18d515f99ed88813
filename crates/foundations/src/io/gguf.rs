//! GGUF, the container of llama.cpp, versions 2 and 3: metadata and named tensors after one header.

use std::collections::HashSet;
use std::rc::Rc;

use super::{ARRAYS_MAX, IoError, ReadAt, source};

/// Most bytes of metadata and tensor descriptions: a vocabulary of 2¹⁸ tokens with its merges has some 10 MB.
pub const GGUF_HEADER_BYTES_MAX: u64 = 64 << 20;
/// Most entries of metadata.
const METADATA_ENTRIES_MAX: u64 = 10_000;
/// Most elements of an array of metadata.
const ELEMENTS_MAX: u64 = 1 << 20;
/// Longest key or name of a tensor, in bytes.
const NAME_BYTES_MAX: u64 = 1_024;
/// Longest string of metadata, in bytes: templates of conversations have some thousands.
const STRING_BYTES_MAX: u64 = 1 << 20;
/// Most dimensions of a tensor.
const DIMENSIONS_MAX: u32 = 4;
const MAGIC: &[u8; 4] = b"GGUF";
/// Bytes that are read at a time.
const PIECE_BYTES: usize = 1 << 16;

/// Byte strings, one after the other: those of tokens need not be UTF-8.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByteStrings {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl ByteStrings {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let from = std::mem::replace(&mut start, *end as usize);
            self.bytes.get(from..start).unwrap_or_default()
        })
    }
}

/// A value of GGUF's metadata.
#[derive(Clone, Debug, PartialEq)]
pub enum GgufValue {
    /// A whole number from 0, of any width.
    Unsigned(u64),
    /// A whole number of a type with a sign.
    Signed(i64),
    /// A floating-point number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A string.
    String(String),
    /// An array of strings.
    Strings(ByteStrings),
    /// An array of numbers, or of truth values as 0 and 1.
    Numbers(Vec<f64>),
}

/// Where a tensor of a GGUF file is, and of what.
#[derive(Clone, Debug, PartialEq)]
pub struct GgufTensor {
    /// Its name.
    pub name: String,
    /// Its dimensions, that of adjacent numbers last, as NumPy and PyTorch have them.
    pub shape: Vec<u64>,
    /// ggml's number of its type.
    pub type_id: u32,
    /// Its first byte in the file.
    pub offset: u64,
}

/// A GGUF file whose metadata and tensor descriptions have been read.
pub struct Gguf {
    name: String,
    source: Rc<dyn ReadAt>,
    metadata: Vec<(String, GgufValue)>,
    tensors: Vec<GgufTensor>,
}

/// What is read from first byte to last.
struct ByteCursor<'a> {
    file: &'a str,
    source: &'a dyn ReadAt,
    piece: Vec<u8>,
    /// The first byte of the piece in the file, and how many of it are used.
    start: u64,
    used: usize,
}

impl ByteCursor<'_> {
    fn position(&self) -> u64 {
        self.start + self.used as u64
    }

    fn refuse<T>(&self, found: String, allowed: &str) -> Result<T, IoError> {
        let (file, allowed) = (self.file.to_owned(), allowed.to_owned());
        Err(IoError::Header { file, at: self.position(), found, allowed })
    }

    fn read_bytes(&mut self, mut count: usize, into: &mut Vec<u8>) -> Result<(), IoError> {
        if self.position() + count as u64 > GGUF_HEADER_BYTES_MAX.min(self.source.size()) {
            if self.source.size() > GGUF_HEADER_BYTES_MAX {
                let allowed = format!("at most {GGUF_HEADER_BYTES_MAX} bytes");
                return self.refuse("a longer header".to_owned(), &allowed);
            }
            return Err(IoError::Truncated {
                file: self.file.to_owned(),
                what: "its header".to_owned(),
                at: self.position(),
                needed: count as u64,
                held: self.source.size().saturating_sub(self.position()),
            });
        }
        while count > 0 {
            if self.used == self.piece.len() {
                self.start += self.used as u64;
                self.used = 0;
                let left = (self.source.size() - self.start).min(PIECE_BYTES as u64) as usize;
                self.piece.resize(left, 0);
                source::read(self.file, self.source, self.start, &mut self.piece)?;
            }
            let some = count.min(self.piece.len() - self.used);
            into.extend_from_slice(&self.piece[self.used..self.used + some]);
            self.used += some;
            count -= some;
        }
        Ok(())
    }

    fn read_array<const N: usize>(&mut self) -> Result<[u8; N], IoError> {
        let mut bytes = Vec::with_capacity(N);
        self.read_bytes(N, &mut bytes)?;
        Ok(bytes.first_chunk().copied().unwrap_or([0; N]))
    }

    fn read_u32(&mut self) -> Result<u32, IoError> {
        Ok(u32::from_le_bytes(self.read_array()?))
    }

    fn read_u64(&mut self) -> Result<u64, IoError> {
        Ok(u64::from_le_bytes(self.read_array()?))
    }

    /// A number that is no larger than it may be.
    fn read_count(&mut self, what: &str, most: u64) -> Result<u64, IoError> {
        let found = self.read_u64()?;
        if found > most {
            return self.refuse(format!("{found} {what}"), &format!("at most {most}"));
        }
        Ok(found)
    }

    fn read_string(&mut self, most: u64) -> Result<String, IoError> {
        let count = self.read_count("bytes of a string", most)? as usize;
        let mut bytes = Vec::new();
        self.read_bytes(count, &mut bytes)?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(_) => self.refuse("a string that is no UTF-8".to_owned(), "UTF-8"),
        }
    }

    fn read_value(&mut self, kind: u32) -> Result<GgufValue, IoError> {
        match kind {
            8 => Ok(GgufValue::String(self.read_string(STRING_BYTES_MAX)?)),
            9 => self.read_elements(),
            _ => self.read_scalar(kind),
        }
    }

    /// An array's type, length and elements; an array of arrays is refused before any of it is read.
    fn read_elements(&mut self) -> Result<GgufValue, IoError> {
        let kind = self.read_u32()?;
        if kind == 9 {
            return self.refuse("an array of arrays".to_owned(), "strings, numbers or truth values");
        }
        let count = self.read_count("elements of an array", ELEMENTS_MAX)?;
        if kind == 8 {
            let mut all = ByteStrings::default();
            for _ in 0..count {
                let length = self.read_count("bytes of a string", STRING_BYTES_MAX)? as usize;
                self.read_bytes(length, &mut all.bytes)?;
                // No more than a header has.
                all.ends.push(all.bytes.len() as u32);
            }
            return Ok(GgufValue::Strings(all));
        }
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(match self.read_scalar(kind)? {
                GgufValue::Unsigned(value) => value as f64,
                GgufValue::Signed(value) => value as f64,
                GgufValue::Float(value) => value,
                GgufValue::Bool(value) => f64::from(u8::from(value)),
                _ => return self.refuse(format!("elements of type {kind}"), "0 to 12"),
            });
        }
        Ok(GgufValue::Numbers(all))
    }

    fn read_scalar(&mut self, kind: u32) -> Result<GgufValue, IoError> {
        Ok(match kind {
            0 => GgufValue::Unsigned(u8::from_le_bytes(self.read_array()?).into()),
            1 => GgufValue::Signed(i8::from_le_bytes(self.read_array()?).into()),
            2 => GgufValue::Unsigned(u16::from_le_bytes(self.read_array()?).into()),
            3 => GgufValue::Signed(i16::from_le_bytes(self.read_array()?).into()),
            4 => GgufValue::Unsigned(self.read_u32()?.into()),
            5 => GgufValue::Signed(i32::from_le_bytes(self.read_array()?).into()),
            6 => GgufValue::Float(f32::from_le_bytes(self.read_array()?).into()),
            7 => match self.read_array::<1>()? {
                [0] => GgufValue::Bool(false),
                [1] => GgufValue::Bool(true),
                [other] => return self.refuse(format!("a truth value of {other}"), "0 or 1"),
            },
            10 => GgufValue::Unsigned(self.read_u64()?),
            11 => GgufValue::Signed(i64::from_le_bytes(self.read_array()?)),
            12 => GgufValue::Float(f64::from_le_bytes(self.read_array()?)),
            other => return self.refuse(format!("a value of type {other}"), "0 to 12"),
        })
    }
}

fn find_value<'a>(metadata: &'a [(String, GgufValue)], key: &str) -> Option<&'a GgufValue> {
    metadata.iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

impl Gguf {
    /// Whether a file's first bytes are GGUF's.
    ///
    /// # Errors
    /// [`IoError::Unreadable`].
    pub fn is_gguf(name: &str, from: &dyn ReadAt) -> Result<bool, IoError> {
        let mut magic = [0; MAGIC.len()];
        if from.size() < magic.len() as u64 {
            return Ok(false);
        }
        source::read(name, from, 0, &mut magic)?;
        Ok(&magic == MAGIC)
    }

    /// Reads metadata and tensor descriptions. Tensors are read later.
    ///
    /// # Errors
    /// [`IoError::Header`], [`IoError::Truncated`], [`IoError::Unreadable`].
    pub fn open(name: &str, from: Rc<dyn ReadAt>) -> Result<Self, IoError> {
        let mut cursor = ByteCursor { file: name, source: &*from, piece: Vec::new(), start: 0, used: 0 };
        let magic: [u8; 4] = cursor.read_array()?;
        if &magic != MAGIC {
            return cursor.refuse(format!("a file that begins with {magic:02x?}"), "GGUF");
        }
        let version = cursor.read_u32()?;
        if !(2..=3).contains(&version) {
            let big = (2..=3).contains(&version.swap_bytes());
            let found = if big { "big-endian GGUF".to_owned() } else { format!("version {version}") };
            return cursor.refuse(found, "versions 2 and 3, little-endian");
        }
        let tensors = cursor.read_count("tensors", ARRAYS_MAX as u64)?;
        let entries = cursor.read_count("entries of metadata", METADATA_ENTRIES_MAX)?;
        let (mut metadata, mut seen) = (Vec::new(), HashSet::new());
        for _ in 0..entries {
            let key = cursor.read_string(NAME_BYTES_MAX)?;
            let kind = cursor.read_u32()?;
            let value = cursor.read_value(kind)?;
            if !seen.insert(key.clone()) {
                return cursor.refuse(format!("two entries {key:?}"), "each key once");
            }
            metadata.push((key, value));
        }
        let mut all = Vec::new();
        seen.clear();
        for _ in 0..tensors {
            let tensor = Self::read_tensor_info(&mut cursor)?;
            if !seen.insert(tensor.name.clone()) {
                let found = format!("two tensors of the name {:?}", tensor.name);
                return cursor.refuse(found, "each name once");
            }
            all.push(tensor);
        }
        let alignment = match find_value(&metadata, "general.alignment") {
            None => 32,
            Some(GgufValue::Unsigned(size @ 1..=65_536)) if size.is_multiple_of(8) => *size,
            Some(other) => {
                let found = format!("general.alignment = {other:?}");
                return cursor.refuse(found, "a multiple of 8 to 65536");
            }
        };
        let data = cursor.position().next_multiple_of(alignment);
        for tensor in &mut all {
            let at = data.checked_add(tensor.offset).filter(|at| *at <= from.size());
            match at {
                Some(at) if tensor.offset.is_multiple_of(alignment) => tensor.offset = at,
                _ => {
                    let found = format!("{} at byte {} of the data", tensor.name, tensor.offset);
                    let allowed = format!("a multiple of {alignment} within the file");
                    return cursor.refuse(found, &allowed);
                }
            }
        }
        Ok(Self { name: name.to_owned(), source: from, metadata, tensors: all })
    }

    fn read_tensor_info(cursor: &mut ByteCursor<'_>) -> Result<GgufTensor, IoError> {
        let name = cursor.read_string(NAME_BYTES_MAX)?;
        let dimensions = cursor.read_u32()?;
        if !(1..=DIMENSIONS_MAX).contains(&dimensions) {
            let found = format!("{name} of {dimensions} dimensions");
            return cursor.refuse(found, &format!("1 to {DIMENSIONS_MAX}"));
        }
        let mut shape = Vec::new();
        for _ in 0..dimensions {
            shape.push(cursor.read_u64()?);
        }
        shape.reverse();
        let numbers = shape.iter().try_fold(1u64, |count, size| count.checked_mul(*size));
        // Half of the addresses, even at 8 bytes a number.
        if numbers.is_none_or(|count| count == 0 || count > (i64::MAX as u64) / 8) {
            let found = format!("{name} of shape {}", super::array::format_shape(&shape));
            return cursor.refuse(found, "sizes from 1 whose product can be addressed");
        }
        let kind = cursor.read_u32()?;
        Ok(GgufTensor { name, shape, type_id: kind, offset: cursor.read_u64()? })
    }

    /// The file's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its metadata, in the file's order.
    #[must_use]
    pub fn metadata(&self) -> &[(String, GgufValue)] {
        &self.metadata
    }

    /// A value of its metadata.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&GgufValue> {
        find_value(&self.metadata, key)
    }

    /// Its tensors, in the file's order.
    #[must_use]
    pub fn tensors(&self) -> &[GgufTensor] {
        &self.tensors
    }

    /// Fills `into` with a tensor's first bytes.
    ///
    /// # Errors
    /// [`IoError::Truncated`], [`IoError::Unreadable`].
    pub fn read_tensor(&self, tensor: &GgufTensor, into: &mut [u8]) -> Result<(), IoError> {
        source::read(&self.name, &*self.source, tensor.offset, into)
    }

    /// Bytes from a tensor's first to the file's last.
    #[must_use]
    pub fn bytes_to_file_end(&self, tensor: &GgufTensor) -> u64 {
        self.source.size().saturating_sub(tensor.offset)
    }

    /// Lets go of the metadata, which may be large.
    pub fn drop_metadata(&mut self) {
        self.metadata = Vec::new();
    }
}
