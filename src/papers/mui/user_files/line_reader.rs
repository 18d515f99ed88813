//! Lines of a file that may be larger than memory.

use std::rc::Rc;

use crate::io::{IoError, ReadAt, describe_non_text, read_at};
use crate::study::user_file::UserFileError;

/// Most bytes of a line: the reference code writes some 4 MB for an answer.
pub const LINE_BYTES_MAX: usize = 64 << 20;
/// Bytes that are read at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// A file's lines, one after the other.
pub(super) struct LineReader {
    file: String,
    source: Rc<dyn ReadAt>,
    /// Bytes that were read.
    at: u64,
    held: Vec<u8>,
    /// Where in `held` the next line begins.
    next: usize,
    /// Where in `held` its end is still to be looked for.
    looked: usize,
    number: u64,
}

impl LineReader {
    /// From the first line on.
    ///
    /// # Errors
    /// [`IoError::Text`] for what is no text by its first bytes: packed files, pictures, text in UTF-16.
    pub fn new(file: &str, source: &Rc<dyn ReadAt>) -> Result<Self, UserFileError> {
        let mut lines = Self {
            file: file.to_owned(),
            source: Rc::clone(source),
            at: 0,
            held: Vec::new(),
            next: 0,
            looked: 0,
            number: 0,
        };
        lines.read_chunk()?;
        if let Some(found) = describe_non_text(&lines.held) {
            return Err(IoError::text(file, 1, found, "lines of JSON in UTF-8").into());
        }
        if lines.held.starts_with(b"\xef\xbb\xbf") {
            (lines.next, lines.looked) = (3, 3);
        }
        Ok(lines)
    }

    /// Bytes of the file that were read.
    pub fn bytes_read(&self) -> u64 {
        self.at
    }

    /// Reads on, if there is more.
    fn read_chunk(&mut self) -> Result<bool, UserFileError> {
        let left = self.source.size().saturating_sub(self.at).min(CHUNK_BYTES as u64) as usize;
        if left == 0 {
            return Ok(false);
        }
        self.held.drain(..self.next);
        self.looked -= self.next;
        self.next = 0;
        let from = self.held.len();
        self.held.resize(from + left, 0);
        read_at(&self.file, &*self.source, self.at, &mut self.held[from..])?;
        self.at += left as u64;
        Ok(true)
    }

    /// The next line that is not empty, with its number from 1; without its end.
    ///
    /// # Errors
    /// [`IoError::Text`] for a line beyond [`LINE_BYTES_MAX`], [`IoError::Unreadable`].
    pub fn next_line(&mut self) -> Result<Option<(u64, &[u8])>, UserFileError> {
        loop {
            let end = self.held[self.looked..].iter().position(|byte| *byte == b'\n');
            let (end, after) = match end {
                Some(end) => (self.looked + end, self.looked + end + 1),
                None => {
                    self.looked = self.held.len();
                    if self.looked - self.next <= LINE_BYTES_MAX && self.read_chunk()? {
                        continue;
                    }
                    // The last line needs no end.
                    (self.held.len(), self.held.len())
                }
            };
            let begin = self.next;
            if begin == after {
                return Ok(None);
            }
            if end - begin > LINE_BYTES_MAX {
                let allowed = format!("{LINE_BYTES_MAX} bytes a line");
                let line = self.number + 1;
                return Err(IoError::text(&self.file, line, "a longer line", allowed).into());
            }
            (self.next, self.looked) = (after, after);
            self.number += 1;
            if !self.held[begin..end].trim_ascii().is_empty() {
                return Ok(Some((self.number, self.held[begin..end].trim_ascii())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> Result<Vec<(u64, usize)>, UserFileError> {
        let source: Rc<dyn ReadAt> = Rc::new(bytes.to_vec());
        let mut lines = LineReader::new("a.jsonl", &source)?;
        let mut found = Vec::new();
        while let Some((number, line)) = lines.next_line()? {
            found.push((number, line.len()));
        }
        Ok(found)
    }

    #[test]
    fn lines_are_whole_wherever_a_chunk_ends() {
        assert_eq!(of(b"").unwrap(), []);
        assert_eq!(of(b"\n\r\n  \n").unwrap(), []);
        assert_eq!(of(b"\xef\xbb\xbfab\r\n\ncde").unwrap(), [(1, 2), (3, 3)]);
        for length in [CHUNK_BYTES - 2, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 4 << 20, 9 << 20] {
            let long = [vec![b'x'; length], b"\nyz\n".to_vec()].concat();
            assert_eq!(of(&long).unwrap(), [(1, length), (2, 2)], "{length}");
        }
    }

    #[test]
    fn what_is_no_text_and_what_never_ends_is_refused() {
        assert!(of(b"\x1f\x8b\x08\x00").unwrap_err().to_string().contains("gzip"));
        assert!(of(b"\xff\xfe[\x00").unwrap_err().to_string().contains("UTF-16"));
        assert_eq!(of(&vec![b'['; LINE_BYTES_MAX + CHUNK_BYTES + 2]).unwrap_err().code(), "io.text");
    }
}
