//! What Cargo.lock brings into the house: crates, their licences, and who needs them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::process::cargo_command;

/// One version of a crate.
#[derive(Debug, Deserialize)]
pub struct Crate {
    id: String,
    pub name: String,
    pub version: String,
    /// An SPDX expression.
    pub license: Option<String>,
    pub authors: Vec<String>,
    /// Its registry; none of the workspace's own.
    pub source: Option<String>,
    manifest_path: PathBuf,
}

impl Crate {
    /// Where its files are.
    pub fn folder(&self) -> PathBuf {
        self.manifest_path.parent().map_or_else(PathBuf::new, PathBuf::from)
    }
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Crate>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

/// All crates that any part of the workspace needs on any machine, and by whom each is needed.
pub struct Crates {
    /// By name and version.
    pub all: Vec<Crate>,
    /// Names of those that need a crate, by its identifier.
    needed_by: BTreeMap<String, BTreeSet<String>>,
}

impl Crates {
    pub fn read_locked() -> Result<Self> {
        let output = cargo_command()
            .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
            .output()
            .context("cannot start cargo")?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "cargo metadata failed: {}", complaint.trim());
        Self::from_metadata(&output.stdout)
    }

    /// From what `cargo metadata` prints.
    pub fn from_metadata(metadata: &[u8]) -> Result<Self> {
        let Metadata { mut packages, resolve } = serde_json::from_slice(metadata)?;
        packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        let names: BTreeMap<_, _> = packages.iter().map(|one| (one.id.clone(), one.name.clone())).collect();
        let mut needed_by = BTreeMap::<String, BTreeSet<String>>::new();
        for Node { id, dependencies } in resolve.nodes {
            let name = names.get(&id).context("a crate that is not listed")?;
            for needed in dependencies {
                needed_by.entry(needed).or_default().insert(name.clone());
            }
        }
        Ok(Self { all: packages, needed_by })
    }

    /// Names of those that need a crate.
    pub fn dependents(&self, one: &Crate) -> impl Iterator<Item = &str> {
        self.needed_by.get(&one.id).into_iter().flatten().map(String::as_str)
    }
}

/// Names and versions of what is built into the library, its WebAssembly and the command line, on any machine:
/// not what only builds or tests them, nor what runs in the compiler.
pub fn shipped_crates() -> Result<BTreeSet<(String, String)>> {
    let output = cargo_command()
        .args(["tree", "--package", "sfc-bench", "--package", "sfc-bench-python"])
        .args(["--locked", "--target", "all"])
        .args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"])
        .output()
        .context("cannot start cargo")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo tree failed: {}", complaint.trim());
    let text = String::from_utf8(output.stdout)?;
    let one = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        (!name.starts_with("sfc-bench")).then(|| (name.to_owned(), version.to_owned()))
    };
    let found: BTreeSet<_> = text.lines().filter_map(one).collect();
    ensure!(found.len() > 20, "cargo tree names hardly any crate");
    Ok(found)
}
