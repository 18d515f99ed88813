//! The built page as an npm package: its manifest, and the files that belong beside it.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{notices, root};

/// Files of the project that the page has no use for, but other pages and programs have.
const EXTRA_FILES: [&str; 6] =
    ["sfc-bench.js", "README.md", "LICENSE-APACHE", "LICENSE-MIT", "CITATION.cff", notices::FILE_NAME];

/// What the package adds to the page: paths within it, and contents.
pub fn package_files() -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = vec![("package.json".to_owned(), build_manifest()?.into_bytes())];
    for name in EXTRA_FILES {
        let path = root().join(name);
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        files.push((name.to_owned(), bytes));
    }
    Ok(files)
}

/// The manifest: what can be said once is said in Cargo.toml.
fn build_manifest() -> Result<String> {
    let path = root().join("Cargo.toml");
    let cargo = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    manifest_from_cargo(&cargo)
}

/// The manifest of what a Cargo.toml says.
fn manifest_from_cargo(cargo: &str) -> Result<String> {
    let field = |name: &str| -> Result<Value> {
        package_field(cargo, name).with_context(|| format!("Cargo.toml has no {name}"))
    };
    // The publisher's addresses, where Cargo.toml has them.
    let mut addresses = String::new();
    if let Some(homepage) = package_field(cargo, "homepage") {
        addresses.push_str(&format!("  \"homepage\": {homepage},\n"));
    }
    if let Some(Value::String(url)) = package_field(cargo, "repository") {
        let url = Value::from(format!("git+{}.git", url.trim_end_matches(".git")));
        addresses.push_str(&format!("  \"repository\": {{ \"type\": \"git\", \"url\": {url} }},\n"));
    }
    // As text: the first condition that holds is taken, so the order of `exports` has a meaning.
    Ok(format!(
        r#"{{
  "name": {name},
  "version": {version},
  "description": {description},
  "license": {license},
{addresses}  "keywords": {keywords},
  "type": "module",
  "engines": {{ "node": ">=20" }},
  "types": "./www/types/sfc-bench.d.ts",
  "exports": {{
    ".": {{
      "types": "./www/types/sfc-bench.d.ts",
      "node": "./www/package/package-node.js",
      "default": "./www/package/package.js"
    }},
    "./element": {{
      "types": "./www/types/sfc-bench-element.d.ts",
      "default": "./sfc-bench.js"
    }},
    "./package.json": "./package.json"
  }},
  "sideEffects": [
    "./sfc-bench.js",
    "./www/element/element.js",
    "./www/frame.js",
    "./www/package/package.js",
    "./www/package/package-node.js",
    "./www/papers/sfc/main.js",
    "./www/shell/theme-early.js",
    "./www/workers/worker*.js"
  ],
  "files": ["*.html", "*/index.html", "sfc-bench.js", "www", {notices:?}]
}}
"#,
        name = field("name")?,
        version = field("version")?,
        description = field("description")?,
        license = field("license")?,
        keywords = field("keywords")?,
        notices = notices::FILE_NAME,
    ))
}

/// The program's version, as Cargo.toml has it.
pub fn cargo_version() -> Result<String> {
    let path = root().join("Cargo.toml");
    let cargo = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let version = package_field(&cargo, "version");
    version.as_ref().and_then(Value::as_str).map(str::to_owned).context("Cargo.toml has no version")
}

/// A field of Cargo.toml's first section, a text or a list of texts on one line: both are written
/// as in JSON.
fn package_field(cargo: &str, name: &str) -> Option<Value> {
    let lines = cargo.lines().skip_while(|line| *line != "[package]").skip(1);
    lines.take_while(|line| !line.starts_with('[')).find_map(|line| {
        let (key, value) = line.split_once(" = ")?;
        if key == name { serde_json::from_str(value).ok() } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_says_what_cargo_says() {
        let manifest: Value = serde_json::from_str(&build_manifest().unwrap()).unwrap();
        assert_eq!(manifest["name"], "sfc-bench");
        let version = manifest["version"].as_str().unwrap();
        assert!(version.split('.').count() == 3, "{version}");
        assert!(manifest["keywords"].as_array().is_some_and(|words| words.len() > 2));
    }

    #[test]
    fn the_manifest_has_the_publishers_addresses_once_there_are_any() {
        let cargo = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let with = "[package]\nrepository = \"https://example.org/a/b\"\nhomepage = \"https://example.org/\"";
        let manifest = manifest_from_cargo(&cargo.replacen("[package]", with, 1)).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["repository"]["url"], "git+https://example.org/a/b.git");
        assert_eq!(manifest["homepage"], "https://example.org/");
    }

    #[test]
    fn fields_of_other_sections_are_not_taken() {
        let cargo = "[package]\nname = \"a\"\n\n[lib]\nversion = \"9\"\n";
        assert_eq!(package_field(cargo, "name"), Some(Value::from("a")));
        assert_eq!(package_field(cargo, "version"), None);
    }
}
