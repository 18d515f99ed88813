//! A reader's own files: `.npy`, `.npz`, `.safetensors` and `.csv`, as matrices of `f32`.
//!
//! A file is opened by its header alone; rows are read when they are asked for, so that activations
//! may be larger than memory. Nothing is believed: a header is bounded before it is parsed, a shape is
//! multiplied with overflow in mind and held against the bytes that are there, an archive's entry is
//! inflated no further than its array may reach. Every refusal names the file, the place, what was
//! found and what is allowed.
//!
//! ```
//! use sfc_bench::io::DataFile;
//!
//! let file = DataFile::open("points.csv", Box::new(b"1,2\n3,4.5\n".to_vec()), 1 << 20)?;
//! let array = file.only()?;
//! assert_eq!((array.rows(), array.cols()), (2, 2));
//! assert_eq!(array.read_all()?, [1.0, 2.0, 3.0, 4.5]);
//! # Ok::<(), sfc_bench::io::IoError>(())
//! ```

mod array;
mod csv;
mod error;
mod npy;
mod npz;
mod number;
mod safetensors;
mod source;

pub use array::{Array, Description};
pub use error::IoError;
pub(crate) use error::Legible;
pub(crate) use npy::npy_float32;
pub use number::DType;
pub use source::ReadAt;

use std::rc::Rc;

use sha2::{Digest, Sha256};

/// Most bytes of a header, an `.npy`'s or a `.safetensors`'s, that are read.
pub const HEADER_MAX: u64 = 1 << 20;
/// Most arrays a file may hold.
pub const ARRAYS_MAX: usize = 10_000;

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
}

/// A file whose header has been read and whose arrays can be.
pub struct DataFile {
    name: String,
    format: Format,
    source: Rc<dyn ReadAt>,
    arrays: Vec<Array>,
}

impl DataFile {
    /// Opens a file. The format is told by its first bytes, or else by the end of its name.
    ///
    /// Arrays are read later, except what has to be unpacked (deflated entries, text), which is held
    /// from here on and may take at most `cap` bytes.
    ///
    /// # Errors
    /// An [`IoError`] for anything that is not a whole file of one of the formats.
    pub fn open(name: &str, source: Box<dyn ReadAt>, cap: u64) -> Result<Self, IoError> {
        let source: Rc<dyn ReadAt> = source.into();
        let format = Self::format(name, &*source)?;
        let arrays = match format {
            Format::Npy => vec![npy::open(name, &source)?],
            Format::Npz => npz::open(name, &source, cap)?,
            Format::Safetensors => safetensors::open(name, &source)?,
            Format::Csv => vec![csv::open(name, &source, cap)?],
        };
        Ok(Self { name: name.to_owned(), format, source, arrays })
    }

    fn format(name: &str, source: &dyn ReadAt) -> Result<Format, IoError> {
        let mut magic = [0; 6];
        let held = source.size().min(magic.len() as u64) as usize;
        source::read(name, source, 0, &mut magic[..held])?;
        let ends = |end: &str| name.to_ascii_lowercase().ends_with(end);
        if magic == *npy::MAGIC {
            Ok(Format::Npy)
        } else if magic.starts_with(b"PK") {
            Ok(Format::Npz)
        } else if ends(".safetensors") {
            Ok(Format::Safetensors)
        } else if ends(".csv") || ends(".txt") {
            Ok(Format::Csv)
        } else {
            Err(IoError::Format {
                file: name.to_owned(),
                found: format!("{held} bytes that begin with {:02x?}", &magic[..held]),
            })
        }
    }

    /// The file's name, as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the file is.
    #[must_use]
    pub fn format_found(&self) -> Format {
        self.format
    }

    /// Its arrays, in the file's order; never none.
    #[must_use]
    pub fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    /// The array of a name.
    ///
    /// # Errors
    /// [`IoError::Missing`], with the names there are.
    pub fn array(&self, name: &str) -> Result<&Array, IoError> {
        self.arrays.iter().find(|array| array.name() == name).ok_or_else(|| self.missing(name))
    }

    /// The one array of a file that has one.
    ///
    /// # Errors
    /// [`IoError::Missing`] where there are several to choose from.
    pub fn only(&self) -> Result<&Array, IoError> {
        match self.arrays.as_slice() {
            [array] => Ok(array),
            _ => Err(self.missing("a single array, or the name of one")),
        }
    }

    fn missing(&self, wanted: &str) -> IoError {
        const SHOWN: usize = 12;
        let mut held: Vec<&str> = self.arrays.iter().take(SHOWN).map(Array::name).collect();
        if self.arrays.len() > SHOWN {
            held.push("…");
        }
        IoError::Missing {
            file: self.name.clone(),
            wanted: wanted.to_owned(),
            held: held.join(", "),
        }
    }

    /// The file's SHA-256 as 64 hexadecimal digits: what a script knows the file by.
    ///
    /// # Errors
    /// [`IoError::Unreadable`].
    pub fn digest(&self) -> Result<String, IoError> {
        digest(&self.name, &*self.source)
    }
}

/// SHA-256 of a whole source, as 64 hexadecimal digits.
///
/// # Errors
/// [`IoError::Unreadable`].
pub fn digest(name: &str, source: &dyn ReadAt) -> Result<String, IoError> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut at = 0;
    while at < source.size() {
        let held = (source.size() - at).min(buffer.len() as u64) as usize;
        source::read(name, source, at, &mut buffer[..held])?;
        hash.update(&buffer[..held]);
        at += held as u64;
    }
    let digits = |byte: &u8| [byte >> 4, byte & 15].map(|four| b"0123456789abcdef"[four as usize]);
    Ok(hash.finalize().iter().flat_map(digits).map(char::from).collect())
}
