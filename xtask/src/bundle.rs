//! The static page: wasm, its JavaScript glue and the files of `www`, in one folder.

use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::process::{WASM_TARGET, cargo_wasm_command, command_at_root, run};
use crate::{offline, package, pages, root, setup, single};

/// Where the built page is, for the commands that do not choose.
pub const DIST_FOLDER: &str = "dist";

/// Where the generated files go, and the one by which an earlier build is known.
const PKG_FOLDER: &str = "www/pkg";
const PAGE_WASM: &str = "www/pkg/sfc_bench_bg.wasm";

/// Where the toy model's weights go, beside the scripts that load them.
const TOY_MODEL_FOLDER: &str = "www/little";

/// The two builds of the core: what draws the paper, loaded first, and all the rest, loaded later. What is below the
/// core is compiled for both at once.
///
/// The first is optimised over crates and inlines functions half as large as `opt-level = 3` would (its threshold is
/// 225): its code compresses to 18 kB less, and a run takes as long. The kernels are inlined by their own attributes.
fn core_builds(lab: LabBuild) -> [(&'static str, String); 2] {
    let first = "--crate-type cdylib -- -C llvm-args=-inline-threshold=112";
    // Not optimised over crates, which takes longer and makes it larger. The crates below are there as the first needs
    // them, in LLVM's bitcode, which the linker compiles; functions that it moved from one to another would take
    // wasm-bindgen's descriptions along.
    let apart = "-C lto=off -C link-arg=-mllvm -C link-arg=-import-instr-limit=0";
    let lab = match lab {
        LabBuild::Published => "",
        // Of the core, what only its tests use shows here.
        LabBuild::Tested => "-D warnings -C opt-level=2 -C codegen-units=16",
    };
    let lab = format!("--features lab --crate-type cdylib -- {apart} {lab}");
    [("sfc_bench", first.to_owned()), ("sfc_bench_lab", lab)]
}

/// How what is loaded later is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LabBuild {
    /// As it is published.
    Published,
    /// Optimised less, in less than half the time: no value depends on what is inlined where.
    Tested,
}

/// How the audit is done, and programs that compute its statistics and a model's metrics anew: pages lead there.
const LINKED_FILES: [[&str; 2]; 4] = [
    ["docs/audit.md", "audit/protocol.md"],
    ["docs/audit-first-edition.md", "audit/audit-first-edition.md"],
    ["src/lab/audit/check.py", "audit/check.py"],
    ["src/lab/language_model/check.py", "model/check.py"],
];

/// The audit's full reports, compressed, one an edition; where each goes, and the button that opens it.
const FULL_REPORTS: [[&str; 3]; 2] = [
    ["assets/audit/full.json.gz", "www/audit/full.json.gz", "audit-full"],
    ["assets/audit/first-edition.json.gz", "www/audit/first-edition.json.gz", "audit-full-first"],
];

/// What browsers are told of the site as something to be installed.
const MANIFEST_FILE: &str = "manifest.webmanifest";

/// One file of the page.
pub struct PageFile {
    /// From the page's folder, with `/` between the parts.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Builds the page as one file into `out`; what else is there stays.
pub fn build_single_file(out: &Path) -> Result<()> {
    let page = root().join("target").join("page");
    let files = build(&page, LabBuild::Published)?;
    let file = files.iter().find(|file| file.path == single::FILE_NAME).context("nothing was built")?;
    let path = root().join(out).join(single::FILE_NAME);
    let written = path.parent().map_or(Ok(()), fs::create_dir_all);
    written.and_then(|()| fs::write(&path, &file.bytes)).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{} ({} bytes)", path.display(), file.bytes.len());
    Ok(())
}

/// Builds the page into `out`, in place of an earlier build.
pub fn build(out: &Path, lab: LabBuild) -> Result<Vec<PageFile>> {
    let out = root().join(out);
    ensure!(
        is_replaceable(&out),
        "{} has files that are not an earlier build of the page: name another folder",
        out.display()
    );
    setup::install_wasm_target()?;
    let pkg = root().join("target").join("pkg");
    if pkg.exists() {
        fs::remove_dir_all(&pkg)?;
    }
    for (name, options) in core_builds(lab) {
        // Read before the next build, whose file has the same name.
        write_glue(&compile_wasm(&options)?, name, &pkg)?;
        add_build_digest(name, &pkg)?;
    }

    let mut files = Vec::new();
    let version = package::cargo_version()?;
    for name in pages::PAGES {
        let page = fs::read_to_string(root().join(name));
        let page = page.with_context(|| format!("cannot read {name}"))?;
        let html = pages::fill_shell(name, &page, &version)?;
        files.push(PageFile { path: name.to_owned(), bytes: html.into_bytes() });
    }
    let bytes = fs::read(root().join(MANIFEST_FILE)).with_context(|| format!("cannot read {MANIFEST_FILE}"))?;
    files.push(PageFile { path: MANIFEST_FILE.to_owned(), bytes });
    collect_files(&root().join("www"), "www", &mut files)?;
    collect_files(&root().join("assets/little"), TOY_MODEL_FOLDER, &mut files)?;
    files.retain(|file| !file.path.starts_with(TOY_MODEL_FOLDER) || !file.path.ends_with(".md"));
    for [from, path] in LINKED_FILES {
        let bytes = fs::read(root().join(from)).with_context(|| format!("cannot read {from}"))?;
        files.push(PageFile { path: path.to_owned(), bytes });
    }
    add_full_reports(&mut files)?;
    collect_files(&pkg, PKG_FOLDER, &mut files)?;
    files.extend(package::package_files()?.into_iter().map(|(path, bytes)| PageFile { path, bytes }));
    write_files(&files, &out).with_context(|| format!("cannot write {}", out.display()))?;

    minify(&out, &mut files)?;

    // Made of the page that is there now, and named on it with its size.
    let one = single::build_single_page(&out)?;
    edit_file(&mut files, "method/index.html", |html| single::insert_size(html, one.len()))?;
    files.push(PageFile { path: single::FILE_NAME.to_owned(), bytes: one.into_bytes() });
    // Last, over everything as it now is.
    let all: Vec<_> = files.iter().map(|file| (&*file.path, &*file.bytes)).collect();
    let script = fs::read_to_string(root().join(offline::WORKER_FILE))?;
    let script = offline::build_worker(&script, all)?;
    files.push(PageFile { path: offline::WORKER_FILE.to_owned(), bytes: script.into_bytes() });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    write_files(&files, &out).with_context(|| format!("cannot write {}", out.display()))?;
    Ok(files)
}

/// Takes the audit's full reports along and names them on its page.
fn add_full_reports(files: &mut Vec<PageFile>) -> Result<()> {
    for [from, path, button] in FULL_REPORTS {
        let bytes = fs::read(root().join(from)).with_context(|| format!("cannot read {from}"))?;
        files.push(PageFile { path: path.to_owned(), bytes });
        edit_file(files, "audit/index.html", |html| {
            let none = format!("id=\"{button}\" data-report=\"\"");
            ensure!(html.matches(&none).count() == 1, "the audit's page should have one {none}");
            let named = format!("id=\"{button}\" data-report=\"../{path}\"");
            Ok(html.replacen(&none, &named, 1))
        })?;
    }
    Ok(())
}

/// Takes out of the scripts and styles in `out` what no browser reads: comments and indents are more
/// than a third of a script, compressed.
fn minify(out: &Path, files: &mut [PageFile]) -> Result<()> {
    setup::install_npm_packages()?;
    run(command_at_root("node").arg("xtask/slim.mjs").arg(out))?;
    for file in files {
        let path = out.join(&file.path);
        file.bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(())
}

/// Whether `out` may be written: absent, empty, or built by this program.
fn is_replaceable(out: &Path) -> bool {
    match fs::read_dir(out) {
        Ok(mut entries) => entries.next().is_none() || out.join(PAGE_WASM).is_file(),
        Err(_) => !out.exists(),
    }
}

/// Compiles the library to wasm and returns where Cargo put it.
fn compile_wasm(options: &str) -> Result<PathBuf> {
    let mut command = cargo_wasm_command("rustc", &["--package", "sfc-bench"]);
    hide_source_paths(&mut command);
    // Names what Cargo keeps of a `cdylib` by its features, too, as rustc's own build asks for: else the two builds
    // take each other's place, and both are compiled anew each time. Where Cargo knew it no more, they would be.
    command.env("__CARGO_DEFAULT_LIB_METADATA", "page");
    command
        .arg("--release")
        .arg("--message-format=json-render-diagnostics")
        .args(options.split_whitespace())
        .stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot start cargo")?;
    let output = BufReader::new(child.stdout.take().context("cargo has no output")?);

    let mut wasm = None;
    for message in serde_json::Deserializer::from_reader(output).into_iter::<Value>() {
        let message = message.context("cannot read cargo's messages")?;
        if message["reason"] == "compiler-artifact" {
            let files = message["filenames"].as_array().into_iter().flatten();
            wasm = files
                .filter_map(Value::as_str)
                .find(|file| file.ends_with("sfc_bench.wasm"))
                .map(PathBuf::from)
                .or(wasm);
        }
    }
    ensure!(child.wait()?.success(), "the wasm build failed");
    wasm.context("cargo built no sfc_bench.wasm")
}

/// Panic messages name source files: those of the dependencies are named from `/crates`, not from
/// this machine's folder, so that the page is the same wherever it is built.
fn hide_source_paths(command: &mut Command) {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let sources = home.map(|home| home.join("registry").join("src"));
    for registry in sources.and_then(|dir| fs::read_dir(dir).ok()).into_iter().flatten().flatten() {
        let path = registry.path();
        command
            .arg("--config")
            .arg(format!("target.{WASM_TARGET}.rustflags=['--remap-path-prefix={}=/crates']", path.display()));
    }
}

/// Writes the glue for a web page, and the wasm without what only a debugger reads.
fn write_glue(wasm: &Path, name: &str, pkg: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(wasm)
        .out_name(name)
        .web(true)?
        .typescript(true)
        // Without this the glue does not know where the wasm is: `init()` needs it.
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(pkg)
        .context("wasm-bindgen failed")
}

/// Adds to a build's glue the SHA-256 of its wasm: what is kept in a browser is held against it.
fn add_build_digest(name: &str, pkg: &Path) -> Result<()> {
    let wasm = pkg.join(format!("{name}_bg.wasm"));
    let bytes = fs::read(&wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let digest = offline::sha256(&bytes);
    for (ending, line) in
        [("js", format!("export const BUILD = '{digest}';\n")), ("d.ts", "export const BUILD: string;\n".to_owned())]
    {
        let path = pkg.join(format!("{name}.{ending}"));
        let glue = fs::read_to_string(&path);
        let glue = glue.with_context(|| format!("cannot read {}", path.display()))?;
        fs::write(&path, format!("{glue}\n{line}"))?;
    }
    Ok(())
}

/// Reads every file below `folder`; hidden ones and an old `pkg` are not the page's.
pub fn collect_files(folder: &Path, prefix: &str, files: &mut Vec<PageFile>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            bail!("{} has a name that is not Unicode", path.display());
        };
        let relative = format!("{prefix}/{name}");
        if name.starts_with('.') || (relative == PKG_FOLDER && path.is_dir()) {
            continue;
        }
        if path.is_dir() {
            collect_files(&path, &relative, files)?;
        } else {
            let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            files.push(PageFile { path: relative, bytes });
        }
    }
    Ok(())
}

/// Changes a file's text.
fn edit_file(files: &mut [PageFile], path: &str, change: impl Fn(&str) -> Result<String>) -> Result<()> {
    let file = files.iter_mut().find(|file| file.path == path);
    let file = file.with_context(|| format!("the page has no {path}"))?;
    file.bytes = change(std::str::from_utf8(&file.bytes)?)?.into_bytes();
    Ok(())
}

/// Writes files into a folder, in the place of what it has.
pub fn write_files(files: &[PageFile], out: &Path) -> Result<()> {
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    for file in files {
        let path = out.join(&file.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, &file.bytes)?;
    }
    Ok(())
}

/// Prints what each file of the page in `out` weighs, as it is and compressed.
pub fn print_sizes(out: &Path) -> Result<()> {
    run(command_at_root("node").arg("xtask/sizes.mjs").arg(root().join(out)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_folder_with_other_files_is_never_replaced() {
        let folder = scratch("replaceable");
        assert!(is_replaceable(&folder), "an empty folder may be written");
        assert!(is_replaceable(&folder.join("absent")));

        fs::write(folder.join("index.html"), "mine").unwrap();
        assert!(!is_replaceable(&folder));
        assert!(!is_replaceable(&folder.join("index.html")), "a file is not a folder");

        fs::create_dir_all(folder.join(PKG_FOLDER)).unwrap();
        fs::write(folder.join(PAGE_WASM), "").unwrap();
        assert!(is_replaceable(&folder), "an earlier build may be replaced");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_build_takes_the_place_of_the_one_before() {
        let folder = scratch("write");
        let file = |path: &str| PageFile { path: path.to_owned(), bytes: path.into() };
        write_files(&[file("index.html"), file("www/old.js")], &folder).unwrap();
        write_files(&[file("index.html"), file("www/new.js")], &folder).unwrap();

        let mut files = Vec::new();
        collect_files(&folder, ".", &mut files).unwrap();
        let mut paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["./index.html", "./www/new.js"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
