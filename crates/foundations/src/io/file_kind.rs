//! What a file is that is none of those that are read, by its first bytes.

use super::IoError;

/// First bytes that are looked at.
pub(super) const SNIFFED_BYTES_MAX: usize = 64;

/// Kinds by how they begin.
const FILE_SIGNATURES: [(&[u8], &str); 23] = [
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a sound or a picture (RIFF)"),
    (b"%PDF", "a PDF document"),
    (b"\x1f\x8b", "packed with gzip: unpack it first"),
    (b"BZh", "packed with bzip2: unpack it first"),
    (b"\xfd7zXZ", "packed with xz: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "packed with Zstandard: unpack it first"),
    (b"7z\xbc\xaf", "packed with 7-Zip: unpack it first"),
    (b"\x89HDF", "an HDF5 file: numpy.save(\"x.npy\", h5py.File(\"x.h5\")[\"name\"][:]) converts an array"),
    (b"PAR1", "a Parquet file: pandas.read_parquet(\"x.parquet\").to_csv(\"x.csv\", index=False) converts it"),
    (b"ARROW1", "an Arrow file: convert it to .npy"),
    (b"GGUF", "a GGUF model: weights as .safetensors are needed"),
    (b"MATLAB 5.0", "a MATLAB file: numpy.save(\"x.npy\", scipy.io.loadmat(\"x.mat\")[\"name\"]) converts an array"),
    (
        b"MATLAB 7.3",
        "a MATLAB 7.3 file, which is HDF5: numpy.save(\"x.npy\", h5py.File(\"x.mat\")[\"name\"][:].T) converts an \
         array",
    ),
    (b"version https://git-lfs", "a pointer of Git LFS, not the file itself: git lfs pull fetches it"),
    (b"<!DOCTYPE", "a web page: what was to be downloaded may need another address"),
    (b"<!doctype", "a web page: what was to be downloaded may need another address"),
    (b"<html", "a web page: what was to be downloaded may need another address"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3", "a database"),
];

/// Kinds of archives, by a file that they hold.
const ARCHIVE_SIGNATURES: [(&str, &str); 3] = [
    ("workbook.xml", "an Excel workbook: save its sheet as CSV (comma-separated, with points in numbers)"),
    ("workbook.bin", "an Excel workbook: save its sheet as CSV (comma-separated, with points in numbers)"),
    ("content.xml", "an OpenDocument file: save its sheet as CSV (comma-separated, with points in numbers)"),
];

/// What an archive is by the paths in it, in words; none where it may be one of arrays.
pub(super) fn describe_archive<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'static str> {
    let mut lasts = names.map(|name| name.rsplit(['/', '\\']).next().unwrap_or(name));
    lasts.find_map(|last| ARCHIVE_SIGNATURES.iter().find(|(file, _)| *file == last).map(|(_, what)| *what))
}

/// What begins so, in words; none where it is not known.
pub(super) fn describe_bytes(begins: &[u8]) -> Option<String> {
    // A pickle says its protocol first: 2 to 5.
    if let [0x80, 2..=5, ..] = begins {
        return Some(
            "a pickle of Python's, which can run any program where it is opened: torch.save(tensors, \"x.pt\") or \
             numpy.save(\"x.npy\", array) keeps arrays without"
                .to_owned(),
        );
    }
    let known = FILE_SIGNATURES.iter().find(|(magic, _)| begins.starts_with(magic));
    known.map(|(_, what)| (*what).to_owned())
}

/// What begins so and is no text in UTF-8, in words; none where it may be one.
pub fn describe_non_text(bytes: &[u8]) -> Option<String> {
    let begins = bytes.get(..SNIFFED_BYTES_MAX).unwrap_or(bytes);
    match begins {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("text in UTF-16".to_owned()),
        _ => describe_bytes(begins),
    }
}

/// The bytes of a file of text, without the byte order mark that some editors begin it with.
///
/// # Errors
/// [`IoError::Text`] for what is no text in UTF-8 by its first bytes.
pub fn check_text<'a>(file: &str, bytes: &'a [u8], allowed: &str) -> Result<&'a [u8], IoError> {
    match describe_non_text(bytes) {
        Some(found) => Err(IoError::text(file, 1, found, allowed)),
        None => Ok(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)),
    }
}
