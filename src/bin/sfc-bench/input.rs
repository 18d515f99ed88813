//! What is read from where it is named: regular files, whose size is looked at first, and standard input,
//! up to a bound.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file; with its size. Whatever else has a name (a folder, a pipe that nobody writes to,
/// a device without an end) is refused before it is opened.
pub fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    check_regular(fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    // What was opened may be another one by now.
    let found = file.metadata()?;
    check_regular(found.file_type())?;
    Ok((file, found.len()))
}

fn check_regular(found: FileType) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    if found.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let what = "it is a pipe or a device; allowed: a regular file";
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// A regular file, or for `-` standard input, of at most so many bytes; and so many a line, where `line`
/// says so.
pub fn open_bounded(path: &Path, most: u64, line: Option<u64>) -> io::Result<BoundedReader> {
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let (file, size) = open_regular(path)?;
        if size > most {
            return Err(too_large_error(most));
        }
        Box::new(file)
    };
    Ok(BoundedReader { source, left: most, most, line: 0, line_most: line.unwrap_or(u64::MAX) })
}

fn too_large_error(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {most} bytes"))
}

/// A source that is read no further than a bound.
pub struct BoundedReader {
    source: Box<dyn Read>,
    left: u64,
    most: u64,
    /// Bytes since the last end of a line.
    line: u64,
    line_most: u64,
}

impl BoundedReader {
    /// How many bytes of the bound are left.
    pub fn remaining_bytes(&self) -> u64 {
        self.left
    }
}

impl Read for BoundedReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let held = self.source.read(into)?;
        let bytes = held as u64;
        if bytes > self.left {
            return Err(too_large_error(self.most));
        }
        self.left -= bytes;
        match into[..held].iter().rposition(|byte| *byte == b'\n') {
            Some(end) => self.line = (held - end - 1) as u64,
            None => self.line += bytes,
        }
        if self.line > self.line_most {
            let what = format!("a line of more than {} bytes", self.line_most);
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        Ok(held)
    }
}
