//! The project's own commands: `cargo xtask build`, `serve`, `test`, `bench`, `lint`, `results`, `widget` and `notices`.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bench;
mod bundle;
mod crates;
mod deny;
mod lint;
mod notices;
mod offline;
mod package;
mod page_tests;
mod pages;
mod process;
mod python;
mod results;
mod serve;
mod setup;
mod single;
mod tally;
mod test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{Parser, Subcommand};

/// Build, serve and test the page.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the static page into a folder that any web host can serve, with the whole page as one
    /// file, sfc-bench.html, beside it
    Build {
        /// The folder to write; an earlier build there is replaced
        #[arg(long, default_value = "dist", value_name = "DIR")]
        out: PathBuf,
        /// Write sfc-bench.html only: it needs no host and opens from disk; whatever else the folder
        /// has is left alone
        #[arg(long)]
        single: bool,
    },
    /// Build the page and serve it on this machine
    Serve(serve::Options),
    /// Set up what the tests need and run them
    Test {
        /// Which tests; where none is named native, page, faults and python, and with --long wasm, too
        #[arg(value_enum)]
        stages: Vec<test::Stage>,
        #[command(flatten)]
        page: page_tests::Options,
    },
    /// Time the core against NumPy and moocore, in turn
    Bench {
        /// Which benchmarks; all where none is named
        #[arg(value_enum)]
        benches: Vec<bench::Bench>,
        /// How many times each
        #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
        rounds: u32,
    },
    /// Check formatting, clippy (native and wasm), rustdoc, and what other people's crates come in under which
    /// licences
    Lint,
    /// Write the module of the Python package's widget into its sources, where installing the package
    /// finds it
    Widget {
        /// A built page to make it of; it is built anew where none is named
        #[arg(long, value_name = "DIR")]
        page: Option<PathBuf>,
    },
    /// Compute the results of results/ again whose inputs are here, check the others' form; or record one
    Results(results::Options),
    /// Write the licences of what the page and the program contain into THIRD-PARTY-NOTICES.txt
    Notices,
}

/// The repository's top folder: of the checkout that cargo runs this in, which need not be the one that
/// it was built in where two share a target folder.
fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
    })
}

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Task::Build { out, single: true } => bundle::build_single_file(&out),
        Task::Build { out, single: false } => {
            bundle::build(&out, bundle::LabBuild::Published).and_then(|_| bundle::print_sizes(&out))
        }
        Task::Serve(options) => serve::run(&options),
        Task::Test { stages, page } => test::run_stages(&stages, &page),
        Task::Bench { benches, rounds } => bench::run_benches(&benches, rounds),
        Task::Lint => lint::run_checks(),
        Task::Results(options) => results::record_or_check(&options),
        Task::Notices => notices::write(),
        Task::Widget { page: Some(page) } => python::write_widget(&page),
        Task::Widget { page: None } => {
            page_tests::build_page(true).and_then(|()| python::write_widget(bundle::DIST_FOLDER.as_ref()))
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every `cargo xtask …` that a text names, in code or in a sentence.
    fn commands(text: &str) -> Vec<String> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let named = text.split("cargo xtask ").skip(1);
        named
            .map(|rest| rest.split(['`', '#', ',', ';', ')', '…']).next().unwrap_or_default())
            .map(|rest| rest.trim().to_owned())
            .collect()
    }

    #[test]
    fn the_documents_commands_are_understood() {
        let docs = std::fs::read_dir(root().join("docs")).unwrap();
        let docs = docs.map(|entry| entry.unwrap().path());
        let docs = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
        let top = ["README.md", "CONTRIBUTING.md", "results/README.md"].map(|name| root().join(name));
        let texts = docs.chain(top).map(|path| std::fs::read_to_string(path).unwrap());
        let commands: Vec<String> = texts.flat_map(|text| commands(&text)).collect();
        assert!(commands.len() >= 15, "{commands:?}");
        for command in commands {
            let words = ["cargo xtask"].into_iter().chain(command.split_whitespace());
            assert!(Args::try_parse_from(words).is_ok(), "cargo xtask {command}");
        }
    }
}
