//! The licences of what others wrote and the page, the library and the command line contain: one committed
//! file, in the crate and beside the built page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use spdx::LicenseReq;

use crate::crates::{self, Crate, Crates};
use crate::deny::{self, Rules};
use crate::root;

/// The file.
pub const FILE_NAME: &str = "THIRD-PARTY-NOTICES.txt";

const SEPARATOR: &str = "--------------------------------------------------------------------------------";

/// Writes the file anew.
pub fn write() -> Result<()> {
    let path = root().join(FILE_NAME);
    fs::write(&path, build_notices()?).with_context(|| format!("cannot write {}", path.display()))
}

/// Fails where the committed file is of other crates than those that are locked.
pub fn check() -> Result<()> {
    let committed = fs::read_to_string(root().join(FILE_NAME)).unwrap_or_default();
    ensure!(
        committed == build_notices()?,
        "{FILE_NAME} is not that of Cargo.lock: `cargo xtask notices` writes it, then look at what changed"
    );
    Ok(())
}

fn build_notices() -> Result<String> {
    let allowed = Rules::read_committed()?.allowed_licences()?;
    let (locked, shipped) = (Crates::read_locked()?, crates::shipped_crates()?);
    let is_shipped = |one: &&Crate| shipped.contains(&(one.name.clone(), one.version.clone()));
    let shipped_crates: Vec<&Crate> = locked.all.iter().filter(is_shipped).collect();
    ensure!(shipped_crates.len() == shipped.len(), "cargo tree and cargo metadata disagree");

    let mut out = String::from(
        "Third-party notices\n\n\
         sfc-bench (MIT or Apache-2.0) contains what the crates below are, each under the licence named\n\
         with it. Their texts follow, each text once. `cargo xtask notices` writes this file.\n\n",
    );
    // By text, but for its spaces: who it is of.
    let mut texts = BTreeMap::<String, (String, BTreeSet<String>)>::new();
    for one in shipped_crates {
        let named = format!("{} {}", one.name, one.version);
        let chosen = deny::chosen_licences(one, &allowed)?;
        let licences: Vec<String> = chosen.iter().map(ToString::to_string).collect();
        writeln!(out, "{named}: {}", licences.join(" and "))?;
        for found in licence_texts(one, &chosen)? {
            let words = found.split_whitespace().collect::<Vec<_>>().join(" ");
            texts.entry(words).or_insert((found, BTreeSet::new())).1.insert(named.clone());
        }
    }
    writeln!(out, "the Rust standard library: MIT")?;
    let rust = spdx_text("MIT")?.replace("<year> <copyright holders>", "The Rust Project Contributors");
    let of = BTreeSet::from(["the Rust standard library".to_owned()]);
    let words = rust.split_whitespace().collect::<Vec<_>>().join(" ");
    texts.insert(words, (rust, of));

    let mut texts: Vec<_> = texts.into_values().collect();
    // Those of many crates last: they are the long ones.
    texts.sort_by(|(a, of_a), (b, of_b)| (of_a.len(), of_a, a).cmp(&(of_b.len(), of_b, b)));
    for (text, of) in texts {
        let of = of.into_iter().collect::<Vec<_>>().join(", ");
        write!(out, "\n{SEPARATOR}\n{of}\n{SEPARATOR}\n\n{text}\n")?;
    }
    Ok(out)
}

/// The texts of the licences that a crate is taken under, and what it wants to be said beside.
fn licence_texts(one: &Crate, chosen: &[LicenseReq]) -> Result<Vec<String>> {
    let files = licence_files(&one.folder())?;
    let mut texts = Vec::new();
    for licence in chosen {
        let licence = licence.to_string();
        // `MIT` of `LICENSE-MIT`, `APACHE` of `Apache-2.0`.
        let word = licence.split('-').next().unwrap_or(&licence).to_uppercase();
        let named = |name: &str| name.to_uppercase().contains(&word);
        let whole = |name: &str| {
            let stem = name.to_uppercase();
            let stem = stem.split('.').next().unwrap_or_default();
            ["LICENSE", "LICENCE", "COPYING"].contains(&stem)
        };
        let found = files.iter().find(|(name, _)| named(name));
        let found = found.or_else(|| files.iter().find(|(name, _)| whole(name)));
        texts.push(match found {
            Some((_, text)) => text.clone(),
            None => {
                let authors = match one.authors.as_slice() {
                    [] => String::new(),
                    authors => format!("Authors: {}\n\n", authors.join(", ")),
                };
                format!("{authors}{}", spdx_text(&licence)?)
            }
        });
    }
    let notices = files.iter().filter(|(name, _)| name.to_uppercase().starts_with("NOTICE"));
    texts.extend(notices.map(|(_, text)| text.clone()));
    Ok(texts)
}

/// Files of a crate that are about its licence, by name.
fn licence_files(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let begins = ["LICENSE", "LICENCE", "COPYING", "NOTICE"];
        if path.is_file() && begins.iter().any(|begin| name.to_uppercase().starts_with(begin)) {
            let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            found.push((name.to_owned(), trim_lines(&String::from_utf8_lossy(&text))));
        }
    }
    found.sort();
    Ok(found)
}

/// A licence's text as SPDX has it.
fn spdx_text(licence: &str) -> Result<String> {
    let id = spdx::license_id(licence).with_context(|| format!("{licence} is no licence"))?;
    Ok(trim_lines(id.text()))
}

/// Without what editors leave at the ends of lines, and of the file.
fn trim_lines(text: &str) -> String {
    let text = text.replace('\u{c}', "");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}
