//! The benchmarks: against NumPy, Python and moocore, in the browser and natively.

use std::env;
use std::fmt;
use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;

use crate::process::{cargo_command, command_at_root, run};
use crate::{bundle, root, setup};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Bench {
    /// The whole paper: Chromium against NumPy
    Paper,
    /// 200 seeds against NumPy; more workers against more native processes
    Seeds,
    /// Training an autoencoder: Chromium against NumPy
    Train,
    /// Evaluating autoencoders with 24,576 latents: Chromium against NumPy, natively against PyTorch
    Evaluate,
    /// Autoencoders of each architecture: natively against SAELens
    Layouts,
    /// The toy model: Chromium and natively against NumPy, and against the machine's peak
    Model,
    /// A language model of SmolLM2's sizes: natively against NumPy, on all threads against PyTorch, and against its kernel
    /// alone
    LanguageModel,
    /// Measurement theory's metrics: natively against their reference code in Python
    Measurement,
    /// The hypervolume: natively against moocore
    Hypervolume,
    /// The page itself: its first drawing, and a drag of a weight
    Page,
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Paper => "benches/against-numpy.mjs",
            Self::Seeds => "benches/seeds.mjs",
            Self::Train => "benches/train.mjs",
            Self::Evaluate => "benches/evaluate.mjs",
            Self::Layouts => "benches/layouts.mjs",
            Self::Model => "benches/model.mjs",
            Self::LanguageModel => "benches/language-model.mjs",
            Self::Measurement => "benches/measurement.mjs",
            Self::Hypervolume => "benches/hypervolume.mjs",
            Self::Page => "benches/page.mjs",
        })
    }
}

/// Runs benchmarks, all of them where none is named, which print figures for docs/performance.md. Those that
/// compare do two things in turn, so that whatever slows the machine slows both.
pub fn run_benches(benches: &[Bench], rounds: u32) -> Result<()> {
    let benches = if benches.is_empty() { Bench::value_variants() } else { benches };
    let python = setup::find_numpy_python()?;
    let browser = setup::find_browser()?;
    setup::install_npm_packages()?;
    if benches.iter().any(|bench| !matches!(bench, Bench::Hypervolume | Bench::Measurement | Bench::Layouts)) {
        bundle::build(bundle::DIST_FOLDER.as_ref(), bundle::LabBuild::Published)?;
    }
    if benches.iter().any(|bench| matches!(bench, Bench::Seeds | Bench::Hypervolume | Bench::Evaluate | Bench::Layouts))
    {
        run(cargo_command().args(["build", "--release", "--bin", "sfc-bench"]))?;
        run(cargo_command().args(["build", "--release", "--example", "hypervolume_rounds"]))?;
    }
    if benches.contains(&Bench::Model) {
        run(cargo_command().args(["build", "--release", "--example", "model_rounds"]))?;
    }
    if benches.contains(&Bench::LanguageModel) {
        run(cargo_command().args(["build", "--release", "--example", "language_model_rounds"]))?;
    }
    if benches.contains(&Bench::Measurement) {
        run(cargo_command().args(["build", "--release", "--example", "measurement_rounds"]))?;
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let built = |name: &str| {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        root().join(&target).join("release").join(file)
    };
    for bench in benches {
        run(command_at_root("node")
            .arg(bench.to_string())
            .env("ROUNDS", rounds.to_string())
            .env("CHROMIUM", &browser.chromium)
            .env("PYTHON", &python)
            .env("SFC_BENCH", built("sfc-bench"))
            .env("HYPERVOLUME", built("examples/hypervolume_rounds"))
            .env("MODEL_ROUNDS", built("examples/model_rounds"))
            .env("LANGUAGE_MODEL_ROUNDS", built("examples/language_model_rounds"))
            .env("MEASUREMENT_ROUNDS", built("examples/measurement_rounds")))?;
    }
    Ok(())
}
