//! A .zip file, its entries stored as they are.
//!
//! Sizes and checksums stand before the bytes of each entry, so that programs which read from front
//! to back can take it too. What weighs most, the PNGs, is compressed already. Dates are fixed: the
//! same entries give the same file.

/// Why an entry is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// A name with more than letters, digits, `-`, `_` and `.`, or one that begins with a dot.
    #[error("{0:?} is no name for a file: letters, digits, -, _ and . are allowed")]
    InvalidName(String),
    /// A second entry of a name.
    #[error("there are two files named {0:?}")]
    DuplicateName(String),
    /// More than the format has room for: 65,535 entries, 4 GiB.
    #[error("an archive has no room for {0:?}: 65535 files and 4 GiB are the most")]
    TooLarge(String),
}

impl ArchiveError {
    /// A stable code for the page and the command line.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidName(_) => "archive.name",
            Self::DuplicateName(_) => "archive.twice",
            Self::TooLarge(_) => "archive.full",
        }
    }
}

const LOCAL_SIGNATURE: u32 = 0x0403_4b50;
const CENTRAL_SIGNATURE: u32 = 0x0201_4b50;
const END_SIGNATURE: u32 = 0x0605_4b50;
/// The version of the format that knows of folders, which is all that is needed.
const VERSION_NEEDED: u16 = 20;
/// 1 January 1980, the format's first day, at midnight.
const TIME_AND_DATE: u32 = 0x0021_0000;
/// An ordinary file that its owner may write and everybody read, as Unix has it.
const FILE_MODE: u32 = 0o100_644 << 16;
const MADE_BY_UNIX: u16 = 3 << 8;
/// Bytes of a record before the name: of an entry, in the directory, and of the directory's end.
const LOCAL_HEADER_BYTES: usize = 30;
const CENTRAL_HEADER_BYTES: usize = 46;
const END_RECORD_BYTES: usize = 22;

/// A .zip file in the making.
#[derive(Clone, Debug)]
pub struct Archive {
    folder: String,
    names: Vec<String>,
    entries: Vec<u8>,
    directory: Vec<u8>,
}

impl Archive {
    /// An empty archive whose entries will all lie in one folder.
    #[must_use]
    pub fn new(folder: &str) -> Self {
        Self { folder: folder.to_owned(), names: Vec::new(), entries: Vec::new(), directory: Vec::new() }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// [`ArchiveError`] for a name that not every system takes, one that is there already, or too
    /// many bytes.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if !name.chars().all(plain) || name.is_empty() || name.starts_with('.') {
            return Err(ArchiveError::InvalidName(name.to_owned()));
        }
        if self.names.iter().any(|other| other.eq_ignore_ascii_case(name)) {
            return Err(ArchiveError::DuplicateName(name.to_owned()));
        }
        let path = format!("{}/{name}", self.folder);
        let full = || ArchiveError::TooLarge(name.to_owned());
        let length = u16::try_from(path.len()).map_err(|_| full())?;
        let after = self.entries.len() + LOCAL_HEADER_BYTES + path.len() + bytes.len();
        let directory = self.directory.len() + CENTRAL_HEADER_BYTES + path.len();
        if u32::try_from(after + directory + END_RECORD_BYTES).is_err() || self.names.len() >= usize::from(u16::MAX) {
            return Err(full());
        }
        // Both fit: their sum does.
        let (offset, size) = (self.entries.len() as u32, bytes.len() as u32);

        // What the entry and its line in the directory have in common, from version to name.
        let mut common = Vec::new();
        common.extend(VERSION_NEEDED.to_le_bytes());
        common.extend([0; 4]); // no flags; stored
        common.extend(TIME_AND_DATE.to_le_bytes());
        common.extend(crc32(bytes).to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend(length.to_le_bytes());
        common.extend([0; 2]); // nothing extra

        self.entries.extend(LOCAL_SIGNATURE.to_le_bytes());
        self.entries.extend(&common);
        self.entries.extend(path.as_bytes());
        self.entries.extend(bytes);

        self.directory.extend(CENTRAL_SIGNATURE.to_le_bytes());
        self.directory.extend((MADE_BY_UNIX | VERSION_NEEDED).to_le_bytes());
        self.directory.extend(&common);
        self.directory.extend([0; 6]); // no comment, the first disk, no text flag
        self.directory.extend(FILE_MODE.to_le_bytes());
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(path.as_bytes());
        self.names.push(name.to_owned());
        Ok(())
    }

    /// The whole file.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        // `add` has kept everything within these widths.
        let count = (self.names.len() as u16).to_le_bytes();
        let mut file = self.entries;
        let start = file.len() as u32;
        file.extend(&self.directory);
        file.extend(END_SIGNATURE.to_le_bytes());
        file.extend([0; 4]); // one disk
        file.extend(count);
        file.extend(count);
        file.extend((self.directory.len() as u32).to_le_bytes());
        file.extend(start.to_le_bytes());
        file.extend([0; 2]); // no comment
        file
    }
}

/// The checksum of ISO 3309 that the format asks for, four bits at a time.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 16] = {
        let mut table = [0; 16];
        let mut i = 0;
        while i < 16 {
            let mut word = i as u32;
            let mut bit = 0;
            while bit < 4 {
                word = if word & 1 == 1 { (word >> 1) ^ 0xedb8_8320 } else { word >> 1 };
                bit += 1;
            }
            table[i] = word;
            i += 1;
        }
        table
    };
    let nibble = |crc: u32, low: u32| TABLE[((crc ^ low) & 15) as usize] ^ (crc >> 4);
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        let byte = u32::from(*byte);
        nibble(nibble(crc, byte), byte >> 4)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_formats() {
        // The check value that catalogues of checksums list for CRC-32/ISO-HDLC.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn names_that_could_do_harm_are_refused() {
        let mut archive = Archive::new("a");
        for name in ["", "..", ".hidden", "a/b", "a\\b", "C:x", "ü", "a b", "a\n"] {
            assert_eq!(archive.add(name, b""), Err(ArchiveError::InvalidName(name.to_owned())), "{name:?}");
        }
        archive.add("one.txt", b"1").unwrap();
        assert_eq!(archive.add("ONE.txt", b"2"), Err(ArchiveError::DuplicateName("ONE.txt".to_owned())));
    }
}
