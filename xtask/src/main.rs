//! The project's own commands: `cargo xtask build`, `serve`, `test`, `bench` and `lint`.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bench;
mod bundle;
mod lint;
mod process;
mod serve;
mod setup;
mod test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

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
    /// Build the static page into a folder that any web host can serve
    Build {
        /// The folder to write
        #[arg(long, default_value = "dist", value_name = "DIR")]
        out: PathBuf,
    },
    /// Build the page and serve it on this machine
    Serve(serve::Options),
    /// Set up what the tests need and run them
    Test {
        /// Which tests; all but lint where none is named
        #[arg(value_enum)]
        stages: Vec<test::Stage>,
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
    /// Check formatting, clippy (native and wasm), rustdoc and the JavaScript types
    Lint,
}

/// The repository's top folder.
fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Task::Build { out } => bundle::build(&out).and_then(|files| bundle::print_sizes(&files)),
        Task::Serve(options) => serve::run(&options),
        Task::Test { stages } => test::run_stages(&stages),
        Task::Bench { benches, rounds } => bench::run_benches(&benches, rounds),
        Task::Lint => lint::run_checks(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
