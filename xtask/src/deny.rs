//! Which crates may come in: `deny.toml`, as `cargo deny` reads it.
//!
//! Where that program is installed, it checks everything, known vulnerabilities too if their database is on
//! this machine. It takes minutes to build, so a machine that lacks it is not made to: licences, bans,
//! duplicates and sources are checked here by the same file, of which this reads what it has in use and
//! refuses anything else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, anyhow, ensure};
use serde::Deserialize;
use spdx::{Expression, LicenseReq, Licensee, ParseMode};

use crate::crates::{Crate, Crates};
use crate::process::{command_at_root, run, succeeds};
use crate::root;

/// The file.
const RULES_FILE: &str = "deny.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    graph: Graph,
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Graph {
    all_features: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Licenses {
    /// In order of preference.
    allow: Vec<String>,
    unused_allowed_license: DenyLevel,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bans {
    multiple_versions: DenyLevel,
    /// Versions that may be there beside others.
    skip: Vec<CrateRule>,
    deny: Vec<CrateRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CrateRule {
    /// `name`, or `name@version`.
    #[serde(rename = "crate")]
    name: String,
    /// Why.
    #[serde(rename = "reason")]
    _reason: String,
    /// Those that may need a banned one all the same.
    #[serde(default)]
    wrappers: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sources {
    unknown_registry: DenyLevel,
    unknown_git: DenyLevel,
}

/// The only level in use.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DenyLevel {
    Deny,
}

impl Rules {
    pub fn read_committed() -> Result<Self> {
        let path = root().join(RULES_FILE);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{RULES_FILE} has what is not understood here"))
    }

    /// The licences that are allowed, the preferred ones first.
    pub fn allowed_licences(&self) -> Result<Vec<Licensee>> {
        let parse =
            |name: &String| Licensee::parse(name).map_err(|error| anyhow!("{RULES_FILE}: {name}: {}", error.reason));
        self.licenses.allow.iter().map(parse).collect()
    }

    /// What is wrong, a sentence each.
    fn find_problems(&self, crates: &Crates) -> Result<Vec<String>> {
        let mut wrong = self.licence_problems(crates)?;
        wrong.extend(self.ban_problems(crates));
        let Graph { all_features } = self.graph;
        ensure!(all_features, "{RULES_FILE}: all features are looked at here");
        let Sources { unknown_registry: DenyLevel::Deny, unknown_git: DenyLevel::Deny } = self.sources;
        let registries = crates.all.iter().filter_map(|one| one.source.as_deref());
        let mut registries: Vec<_> = registries.collect();
        registries.sort_unstable();
        registries.dedup();
        if registries.len() > 1 || registries.iter().any(|source| source.starts_with("git+")) {
            wrong.push(format!("crates from more than one registry: {}", registries.join(", ")));
        }
        Ok(wrong)
    }

    fn licence_problems(&self, crates: &Crates) -> Result<Vec<String>> {
        let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
        let allowed = self.allowed_licences()?;
        let DenyLevel::Deny = self.licenses.unused_allowed_license;
        for one in &crates.all {
            let expression = licence_expression(one)?;
            let fits = expression.evaluate(|wanted| {
                let of = allowed.iter().position(|licence| licence.satisfies(wanted));
                used.extend(of);
                of.is_some()
            });
            if !fits {
                wrong.push(format!("{} {}: {expression} is not allowed", one.name, one.version));
            }
        }
        let unused = (0..allowed.len()).filter(|index| !used.contains(index));
        wrong.extend(
            unused.map(|index| format!("the licence {} is allowed, but no crate has it", self.licenses.allow[index])),
        );
        Ok(wrong)
    }

    fn ban_problems(&self, crates: &Crates) -> Vec<String> {
        let mut wrong = Vec::new();
        let DenyLevel::Deny = self.bans.multiple_versions;
        let mut versions = BTreeMap::<&str, Vec<&str>>::new();
        let mut skipped = BTreeSet::new();
        for one in &crates.all {
            let full = format!("{}@{}", one.name, one.version);
            match self.bans.skip.iter().position(|skip| [&one.name, &full].contains(&&skip.name)) {
                Some(index) => {
                    skipped.insert(index);
                }
                None => versions.entry(&one.name).or_default().push(&one.version),
            }
            for banned in self.bans.deny.iter().filter(|ban| ban.name == one.name) {
                let by: Vec<_> = crates
                    .dependents(one)
                    .filter(|name| !banned.wrappers.iter().any(|wrapper| wrapper == name))
                    .collect();
                if banned.wrappers.is_empty() || !by.is_empty() {
                    wrong.push(format!("{full} is banned, but needed by {}", by.join(", ")));
                }
            }
        }
        for (name, versions) in versions.into_iter().filter(|(_, versions)| versions.len() > 1) {
            wrong.push(format!("{name} is there more than once: {}", versions.join(", ")));
        }
        let unused = self.bans.skip.iter().enumerate().filter(|(at, _)| !skipped.contains(at));
        wrong.extend(unused.map(|(_, skip)| format!("{} is skipped, but not there", skip.name)));
        wrong
    }
}

/// What a crate says of its licence; old crates write a slash for "or".
fn licence_expression(one: &Crate) -> Result<Expression> {
    let said = one.license.as_deref();
    let said = said.with_context(|| format!("{} names no licence", one.name))?;
    Expression::parse_mode(said, ParseMode::LAX).map_err(|error| anyhow!("{}: {said}: {}", one.name, error.reason))
}

/// The licences under which a crate is taken.
pub fn chosen_licences(one: &Crate, allowed: &[Licensee]) -> Result<Vec<LicenseReq>> {
    let expression = licence_expression(one)?;
    let chosen = expression.minimized_requirements(allowed);
    chosen.map_err(|error| anyhow!("{}: {expression}: {error}", one.name))
}

/// Checks what is locked.
pub fn check() -> Result<()> {
    let wrong = Rules::read_committed()?.find_problems(&Crates::read_locked()?)?;
    ensure!(wrong.is_empty(), "{RULES_FILE} is broken:\n{}", wrong.join("\n"));
    if succeeds(command_at_root("cargo").args(["deny", "--version"])) {
        run(command_at_root("cargo").args(["deny", "check", "licenses", "bans", "sources"]))?;
        // What is known today, without asking anybody: only where somebody has fetched it.
        let database = std::env::home_dir().map(|home| home.join(".cargo/advisory-dbs"));
        if database.is_some_and(|folder| folder.is_dir()) {
            run(command_at_root("cargo").args(["deny", "check", "--disable-fetch", "advisories"]))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A workspace of `mine`, which needs some crates: names, versions, licences, and who needs them.
    fn crates(needed: &[(&str, &str, &str, &str)]) -> Crates {
        let mut packages = vec![json!({ "id": "mine 1", "name": "mine", "version": "1",
            "license": "MIT", "authors": [], "source": null, "manifest_path": "Cargo.toml" })];
        let mut nodes = Vec::new();
        for (name, version, license, _) in needed {
            packages.push(json!({ "id": format!("{name} {version}"), "name": name, "version": version,
                "license": license, "authors": [], "source": "registry+a", "manifest_path": "" }));
        }
        for package in &packages {
            let needs = needed.iter().filter(|(.., by)| package["name"] == *by);
            let needs: Vec<_> = needs.map(|(name, version, ..)| format!("{name} {version}")).collect();
            nodes.push(json!({ "id": package["id"], "dependencies": needs }));
        }
        let metadata = json!({ "packages": packages, "resolve": { "nodes": nodes } });
        Crates::from_metadata(metadata.to_string().as_bytes()).unwrap()
    }

    fn rules() -> Rules {
        let text = r#"
            [graph]
            all-features = true
            [licenses]
            allow = ["MIT", "Zlib"]
            unused-allowed-license = "deny"
            [bans]
            multiple-versions = "deny"
            skip = [{ crate = "twice@1.0.0", reason = "old" }]
            deny = [{ crate = "old", wrappers = ["server"], reason = "unkept" }]
            [sources]
            unknown-registry = "deny"
            unknown-git = "deny"
        "#;
        toml::from_str(text).unwrap()
    }

    const ALLOWED: [(&str, &str, &str, &str); 5] = [
        ("twice", "1.0.0", "MIT", "mine"),
        ("twice", "2.0.0", "GPL-3.0-only OR MIT", "mine"),
        ("server", "1.0.0", "Apache-2.0/MIT", "mine"),
        ("old", "0.1.0", "Zlib", "server"),
        ("both", "1.0.0", "MIT AND Zlib", "old"),
    ];

    #[test]
    fn what_keeps_to_the_rules_passes() {
        assert_eq!(rules().find_problems(&crates(&ALLOWED)).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn what_breaks_a_rule_is_named() {
        for (more, told) in [
            (("copyleft", "1.0.0", "GPL-3.0-only", "mine"), "copyleft 1.0.0: GPL-3.0-only is not"),
            (("half", "1.0.0", "MIT AND GPL-3.0-only", "mine"), "half 1.0.0: MIT AND GPL-3.0-only"),
            (("both", "2.0.0", "MIT", "mine"), "both is there more than once: 1.0.0, 2.0.0"),
            (("twice", "1.0.1", "MIT", "mine"), "twice is there more than once: 1.0.1, 2.0.0"),
            (("old", "0.1.0", "Zlib", "both"), "old@0.1.0 is banned, but needed by both"),
        ] {
            let mut needed = ALLOWED.to_vec();
            needed.push(more);
            let wrong = rules().find_problems(&crates(&needed)).unwrap();
            assert!(wrong.iter().any(|line| line.contains(told)), "{wrong:?}");
        }
        // What is allowed for nobody.
        let wrong = rules().find_problems(&crates(&ALLOWED[1..3])).unwrap();
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].contains("Zlib is allowed, but no crate"), "{wrong:?}");
        assert!(wrong[1].contains("twice@1.0.0 is skipped, but not there"), "{wrong:?}");
    }

    #[test]
    fn what_is_locked_keeps_to_the_rules() {
        let wrong = Rules::read_committed().unwrap().find_problems(&Crates::read_locked().unwrap()).unwrap();
        assert_eq!(wrong, Vec::<String>::new());
    }

    #[test]
    fn a_rule_that_is_not_understood_is_refused() {
        assert!(toml::from_str::<Rules>("[licenses]\nconfidence-threshold = 1").is_err());
        Rules::read_committed().unwrap().allowed_licences().unwrap();
    }
}
