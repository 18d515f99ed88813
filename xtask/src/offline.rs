//! What the page's service worker has to know: which files there are, and what is in them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use sha2::{Digest as _, Sha256};

use crate::{notices, single};

/// The service worker's name; it stands at the top, since it serves only what is below it.
pub const WORKER_FILE: &str = "sw.js";

/// What lies beside the page for programs and for taking away. Some hosts leave such files out, or change them.
const UNCACHED_FILES: [&str; 7] = [
    single::FILE_NAME,
    notices::FILE_NAME,
    "package.json",
    "README.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "CITATION.cff",
];

/// Whether a browser that has the page offline needs this file: not the declarations of types, which
/// no browser reads, nor what lies beside the page.
fn is_cached(path: &str) -> bool {
    !path.ends_with(".d.ts") && path != WORKER_FILE && !UNCACHED_FILES.contains(&path)
}

/// The worker's script under a list of the hashes of `files`, paths and contents.
///
/// # Errors
///
/// Where the list cannot be written as JSON.
pub fn build_worker<'a>(script: &str, files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Result<String> {
    let hashes: BTreeMap<&str, String> = files
        .into_iter()
        .filter(|(path, _)| is_cached(path))
        // A host has the folder itself for index.html, and may send whoever asks for that there.
        .map(|(path, bytes)| (path.strip_suffix("index.html").unwrap_or(path), sha256(bytes)))
        .collect();
    let list = serde_json::to_string_pretty(&hashes)?;
    // Another worker is another version: what a former one kept is not taken for its own.
    let version = &sha256(format!("{list}{script}").as_bytes())[..16];
    Ok(format!("const VERSION = '{version}';\nconst FILES = {list};\n\n{script}"))
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> String {
        build_worker("script", files.iter().map(|(path, text)| (*path, text.as_bytes()))).unwrap()
    }

    #[test]
    fn every_file_is_listed_by_the_hash_of_what_is_in_it() {
        let script = of(&[("index.html", "abc"), ("www/a.js", ""), ("www/a.d.ts", "")]);
        // Test vectors of FIPS 180-2: "abc", and nothing.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert!(script.contains(&format!("\"\": \"{abc}\"")), "{script}");
        assert!(script.contains(&format!("\"www/a.js\": \"{nothing}\"")), "{script}");
        assert!(!script.contains("d.ts"));
        let beside = of(&[("README.md", "abc"), ("LICENSE-MIT", "abc"), ("audit/protocol.md", "")]);
        assert!(!beside.contains(abc) && beside.contains("audit/protocol.md"), "{beside}");
        assert!(of(&[("own/index.html", "abc")]).contains(&format!("\"own/\": \"{abc}\"")));
        assert!(script.ends_with("\n\nscript"));
    }

    #[test]
    fn the_version_is_that_of_the_files() {
        let version = |files: &[(&str, &str)]| of(files).lines().next().map(str::to_owned);
        let first = version(&[("a", "1"), ("b", "2")]);
        assert_eq!(first, version(&[("b", "2"), ("a", "1")]), "in any order");
        assert_eq!(first, version(&[("a", "1"), ("b", "2"), (single::FILE_NAME, "3")]));
        assert_ne!(first, version(&[("a", "1"), ("b", "3")]));
        assert_ne!(first, version(&[("a", "2"), ("b", "1")]));
        let other = build_worker("other", [("a", "1".as_bytes()), ("b", "2".as_bytes())]).unwrap();
        assert_ne!(first.as_deref(), other.lines().next(), "and of the worker");
    }
}
