use std::rc::Rc;

use super::IoError;

/// Bytes that can be read from any place: a file, a browser's `File`, or memory.
pub trait ReadAt {
    /// How many bytes there are.
    fn size(&self) -> u64;

    /// Fills `into` with the bytes from `offset` on.
    ///
    /// # Errors
    /// What went wrong, in words; reading past the end is an error.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String>;

    /// The CRC-32 that all bytes should have, where it is known and was not compared.
    fn checksum(&self) -> Option<u32> {
        None
    }

    /// Holds all bytes against what else is known of them.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    fn verify_bytes(&self) -> Result<(), String> {
        Ok(())
    }

    /// Bytes of memory that reading it may come to hold.
    fn held_bytes(&self) -> u64 {
        0
    }
}

/// Refuses a stretch that ends after `size` bytes, in the words of a source that has no more.
pub(super) fn check_range(size: u64, offset: u64, len: usize) -> Result<(), String> {
    match offset.checked_add(len as u64) {
        Some(end) if end <= size => Ok(()),
        _ => Err("the bytes end before".to_owned()),
    }
}

/// What several share.
impl ReadAt for Rc<dyn ReadAt> {
    fn size(&self) -> u64 {
        (**self).size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        (**self).read_at(offset, into)
    }

    fn checksum(&self) -> Option<u32> {
        (**self).checksum()
    }

    fn verify_bytes(&self) -> Result<(), String> {
        (**self).verify_bytes()
    }

    fn held_bytes(&self) -> u64 {
        (**self).held_bytes()
    }
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        let from = usize::try_from(offset).ok();
        let held = from
            .and_then(|from| Some((from, from.checked_add(into.len())?)))
            .and_then(|(from, end)| self.get(from..end));
        match held {
            Some(held) => {
                into.copy_from_slice(held);
                Ok(())
            }
            None => Err("the bytes end before".to_owned()),
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl ReadAt for (std::fs::File, u64) {
    fn size(&self) -> u64 {
        self.1
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = &self.0;
        file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(into)).map_err(|error| error.to_string())
    }
}

/// Fills `into` with the bytes of a file from `offset` on.
///
/// # Errors
/// [`IoError::Truncated`] where it ends before, [`IoError::Unreadable`].
pub fn read(file: &str, source: &dyn ReadAt, offset: u64, into: &mut [u8]) -> Result<(), IoError> {
    let end = offset.checked_add(into.len() as u64);
    if end.is_none_or(|end| end > source.size()) {
        return Err(IoError::Truncated {
            file: file.to_owned(),
            what: "what its header promises".to_owned(),
            at: offset,
            needed: into.len() as u64,
            held: source.size().saturating_sub(offset),
        });
    }
    source.read_at(offset, into).map_err(|reason| IoError::Unreadable { file: file.to_owned(), at: offset, reason })
}
