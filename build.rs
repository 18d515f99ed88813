//! Names the build: results that are kept are gone on with by the same sources alone, whichever program (the command
//! line, the Python package) was compiled of them.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = Vec::new();
    for folder in ["src", "crates/foundations/src"].map(|folder| root.join(folder)) {
        // A published crate has the second beside it, at its own version alone.
        if folder.exists() {
            collect(&folder, &mut files)?;
            // A file that is new.
            println!("cargo::rerun-if-changed={}", folder.display());
        }
    }
    // What it depends on, where it is not itself a dependency.
    files.extend(Some(root.join("Cargo.lock")).filter(|path| path.exists()));
    files.sort();
    let (mut crc, mut length) = (crc32fast::Hasher::new(), 0);
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let bytes = fs::read(&path)?;
        crc.update(&bytes);
        length += bytes.len();
    }
    println!("cargo::rustc-env=SFC_BENCH_BUILD={length}-{:08x}", crc.finalize());
    Ok(())
}

/// Every file below a folder but the command line's, which decides no number.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true if path.ends_with("src/bin") => {}
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
