//! By what this program knows a file that it wrote and that nobody changed since: a digest of its bytes, kept
//! beside them by the file system as an extended attribute. No format needs a place for it, nobody else writes
//! it, and a copy or an edited file does not have it. Where the file system keeps no attributes, no file is
//! known.

use std::fs::File;
use std::io;

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod kept {
    use std::fs::File;
    use std::io::{self, Read};

    use rustix::fs::{XattrFlags, fgetxattr, fsetxattr};
    use sha2::{Digest, Sha256};

    /// The attribute's name.
    const ATTRIBUTE_NAME: &str = "user.sfc-bench.sha256";

    pub fn store_digest(file: &File, bytes: &[u8]) {
        // A file without it is written over with --force alone.
        let _ = fsetxattr(file, ATTRIBUTE_NAME, &Sha256::digest(bytes), XattrFlags::empty());
    }

    pub fn has_matching_digest(mut file: &File) -> io::Result<bool> {
        let mut kept = [0; 32];
        if fgetxattr(file, ATTRIBUTE_NAME, &mut kept) != Ok(kept.len()) {
            return Ok(false);
        }
        let (mut digest, mut part) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            let held = file.read(&mut part)?;
            if held == 0 {
                return Ok(digest.finalize().as_slice() == kept);
            }
            digest.update(part.get(..held).unwrap_or_default());
        }
    }
}

/// Marks a file of these bytes as this program's.
pub fn store_digest(file: &File, bytes: &[u8]) {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    kept::store_digest(file, bytes);
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    let _ = (file, bytes);
}

/// Whether a file has the mark, and the bytes that it is of.
pub fn has_matching_digest(file: &File) -> io::Result<bool> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    return kept::has_matching_digest(file);
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    {
        let _ = file;
        Ok(false)
    }
}
