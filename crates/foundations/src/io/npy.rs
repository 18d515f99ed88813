//! NumPy's own format: a magic number, a version, and a Python dictionary of three keys in front of
//! the numbers.
//!
//! The dictionary is read here rather than by a crate for the whole of Python's literals: it has three
//! keys of known types, and its length is bounded before anything of that length is made.

use std::rc::Rc;

use super::array::{Array, Layout, Storage, payload_bytes};
use super::{DType, HEADER_BYTES_MAX, IoError, ReadAt, source};

pub(super) const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// What a type may be.
const ALLOWED_DTYPE: &str = "a type's name in quotes, such as '<f4', and not a type with fields";

const ALLOWED_HEADER: &str = "a dictionary of 'descr', 'fortran_order' and 'shape'";

/// An array of `float32`, rows one after the other, in version 1 of NumPy's format: the header is
/// padded so that the numbers begin at a multiple of 64 bytes.
#[must_use]
pub fn to_npy(shape: &[usize], values: &[f64]) -> Vec<u8> {
    let mut out = npy_header(shape);
    append_npy_values(&mut out, values);
    out
}

/// What stands before the numbers of such a file.
pub fn npy_header(shape: &[usize]) -> Vec<u8> {
    let start = [&MAGIC[..], &[1, 0]].concat();
    let shape: String = match shape {
        [one] => format!("{one},"),
        more => more.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    };
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    while !(start.len() + 2 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut out = start;
    // Three short keys: far below 65,536.
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.into_bytes());
    out
}

/// Adds numbers to such a file.
pub fn append_npy_values(out: &mut Vec<u8>, values: &[f64]) {
    out.extend(values.iter().flat_map(|value| (*value as f32).to_le_bytes()));
}

pub(super) fn open(file: &str, source: &Rc<dyn ReadAt>) -> Result<Array, IoError> {
    let mut read = |at: u64, into: &mut [u8]| source::read(file, &**source, at, into);
    let (layout, start) = read_header(file, "its array", &mut read)?;
    let needed = payload_bytes(file, "its array", &layout)?;
    let held = source.size() - start;
    if needed > held {
        let what = "the array".to_owned();
        return Err(IoError::Truncated { file: file.to_owned(), what, at: start, needed, held });
    }
    if needed < held {
        return Err(IoError::Header {
            file: file.to_owned(),
            at: start + needed,
            found: format!("{} bytes after the array's end", held - needed),
            allowed: "none".to_owned(),
        });
    }
    Ok(Array::new(file, "", layout, Storage::InFile(Rc::clone(source), start)))
}

/// Fills a slice with the bytes from a place on.
pub(super) type ReadFn<'a> = dyn FnMut(u64, &mut [u8]) -> Result<(), IoError> + 'a;

/// The layout, and where the numbers begin. `read` is called with ascending, adjacent places.
pub(super) fn read_header(file: &str, array: &str, read: &mut ReadFn<'_>) -> Result<(Layout, u64), IoError> {
    let refuse = |at: u64, found: String, allowed: &str| {
        Err(IoError::Header { file: file.to_owned(), at, found, allowed: allowed.to_owned() })
    };
    let mut first = [0; 8];
    read(0, &mut first)?;
    if first[..6] != *MAGIC {
        return refuse(0, format!("{:02x?}", &first[..6]), "\\x93NUMPY");
    }
    let version = (first[6], first[7]);
    let (length, start) = match version {
        (1, 0) => {
            let mut length = [0; 2];
            read(8, &mut length)?;
            (u64::from(u16::from_le_bytes(length)), 10)
        }
        (2 | 3, 0) => {
            let mut length = [0; 4];
            read(8, &mut length)?;
            (u64::from(u32::from_le_bytes(length)), 12)
        }
        (major, minor) => {
            return refuse(6, format!("version {major}.{minor}"), "versions 1.0, 2.0 and 3.0");
        }
    };
    if length > HEADER_BYTES_MAX {
        return refuse(8, format!("a header of {length} bytes"), "at most 1048576 bytes");
    }
    let mut text = vec![0; length as usize];
    read(start, &mut text)?;
    let mut literal = LiteralParser { text: &text, at: 0 };
    match literal.parse_dictionary() {
        Ok(HeaderFields { descr, fortran, shape }) => match parse_dtype(&descr) {
            Some((dtype, big_endian)) => {
                Ok((Layout { dtype, big_endian, fortran_order: fortran, shape }, start + length))
            }
            None => Err(IoError::DType {
                file: file.to_owned(),
                array: array.to_owned(),
                found: descr.chars().take(40).collect(),
            }),
        },
        Err(wanted) => {
            let rest = &text[literal.at.min(text.len())..];
            let rest: String = String::from_utf8_lossy(rest).chars().take(24).collect();
            refuse(start + literal.at as u64, format!("{:?}", rest.trim_end()), wanted)
        }
    }
}

/// Whether a header is refused for its type, which is no plain one.
pub(super) fn is_structured_dtype(why: &IoError) -> bool {
    matches!(why, IoError::Header { allowed, .. } if allowed == ALLOWED_DTYPE)
}

/// NumPy's short names. `V2` is what ml_dtypes' bfloat16 is written as.
fn parse_dtype(descr: &str) -> Option<(DType, bool)> {
    let (big_endian, name) = match descr.as_bytes().first() {
        Some(b'<' | b'|' | b'=') => (false, &descr[1..]),
        Some(b'>') => (true, &descr[1..]),
        _ => (false, descr),
    };
    let dtype = match name {
        "f2" => DType::Float16,
        "V2" | "bfloat16" => DType::BFloat16,
        "f4" => DType::Float32,
        "f8" => DType::Float64,
        "i1" => DType::Int8,
        "i2" => DType::Int16,
        "i4" => DType::Int32,
        "i8" => DType::Int64,
        "u1" => DType::UInt8,
        "u2" => DType::UInt16,
        "u4" => DType::UInt32,
        "u8" => DType::UInt64,
        _ => return None,
    };
    Some((dtype, big_endian))
}

struct HeaderFields {
    descr: String,
    fortran: bool,
    shape: Vec<u64>,
}

/// As much of a Python literal as a header has. Errors are what is allowed at `at`.
struct LiteralParser<'a> {
    text: &'a [u8],
    at: usize,
}

impl LiteralParser<'_> {
    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Takes a character, after any space, where it is the next one.
    fn take_char(&mut self, wanted: u8) -> bool {
        self.skip_space();
        let found = self.text.get(self.at) == Some(&wanted);
        self.at += usize::from(found);
        found
    }

    fn expect_char(&mut self, wanted: u8, allowed: &'static str) -> Result<(), &'static str> {
        if self.take_char(wanted) { Ok(()) } else { Err(allowed) }
    }

    fn parse_dictionary(&mut self) -> Result<HeaderFields, &'static str> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect_char(b'{', ALLOWED_HEADER)?;
        while !self.take_char(b'}') {
            let from = self.at;
            let key = self.parse_string(ALLOWED_HEADER)?;
            self.expect_char(b':', "a colon")?;
            let twice = match key.as_str() {
                "descr" => descr.replace(self.parse_descr()?).is_some(),
                "fortran_order" => fortran.replace(self.parse_bool()?).is_some(),
                "shape" => shape.replace(self.parse_shape()?).is_some(),
                _ => true,
            };
            if twice {
                self.at = from;
                return Err(ALLOWED_HEADER);
            }
            if !self.take_char(b',') {
                self.expect_char(b'}', "a comma or a closing brace")?;
                break;
            }
        }
        self.skip_space();
        if self.at < self.text.len() {
            return Err("nothing after the dictionary");
        }
        match (descr, fortran, shape) {
            (Some(descr), Some(fortran), Some(shape)) => Ok(HeaderFields { descr, fortran, shape }),
            _ => Err(ALLOWED_HEADER),
        }
    }

    fn parse_string(&mut self, allowed: &'static str) -> Result<String, &'static str> {
        self.skip_space();
        let Some(quote @ (b'\'' | b'"')) = self.text.get(self.at).copied() else {
            return Err(allowed);
        };
        let rest = &self.text[self.at + 1..];
        let length = rest.iter().position(|byte| *byte == quote).ok_or(allowed)?;
        let plain = |byte: &u8| byte.is_ascii_graphic() && *byte != b'\\';
        if !rest[..length].iter().all(plain) {
            return Err(allowed);
        }
        self.at += length + 2;
        Ok(rest[..length].iter().map(|byte| char::from(*byte)).collect())
    }

    /// A type's name; of a type with fields, only that it is one.
    fn parse_descr(&mut self) -> Result<String, &'static str> {
        self.parse_string(ALLOWED_DTYPE)
    }

    fn parse_bool(&mut self) -> Result<bool, &'static str> {
        self.skip_space();
        for (word, value) in [("True", true), ("False", false)] {
            if self.text[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err("True or False")
    }

    fn parse_shape(&mut self) -> Result<Vec<u64>, &'static str> {
        const ALLOWED: &str = "a tuple of whole numbers below 2^63";
        let mut shape = Vec::new();
        self.skip_space();
        let begin = self.at;
        self.expect_char(b'(', ALLOWED)?;
        while !self.take_char(b')') {
            if shape.len() > 64 {
                return Err("a tuple of at most 64 numbers");
            }
            self.skip_space();
            let from = self.at;
            let mut size = 0u64;
            while let Some(digit @ b'0'..=b'9') = self.text.get(self.at).copied() {
                size = size
                    .checked_mul(10)
                    .and_then(|size| size.checked_add(u64::from(digit - b'0')))
                    .filter(|size| *size <= i64::MAX as u64)
                    .ok_or(ALLOWED)?;
                self.at += 1;
            }
            // Python takes no zeros in front of a number.
            let digits = &self.text[from..self.at];
            if digits.is_empty() || digits.len() > 1 && digits[0] == b'0' {
                self.at = from;
                return Err(ALLOWED);
            }
            // Python 2 wrote long numbers so.
            self.take_char(b'L');
            shape.push(size);
            if !self.take_char(b',') {
                self.expect_char(b')', "a comma or a closing parenthesis")?;
                if shape.len() == 1 {
                    // A number in parentheses is no tuple to Python.
                    self.at = begin;
                    return Err(ALLOWED);
                }
                break;
            }
        }
        Ok(shape)
    }
}
