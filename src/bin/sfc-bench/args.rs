use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use sfc_bench::io::LabelDetection;
use sfc_bench::lab::ensemble::{EnsemblePlan, Varied};
use sfc_bench::pareto::Objectives;
use sfc_bench::{Problem, Problems, Settings};

use crate::audit::AuditArgs;
use crate::ce_bench::CeBenchArgs;
use crate::checkpoint;
use crate::compare::CompareArgs;
use crate::evaluate::EvaluateArgs;
use crate::fade::FadeCommandArgs;
use crate::figure::FigureArgs;
use crate::files::TextLabelsArgs;
use crate::format::{Format, OutputArgs};
use crate::measure::MeasureCommand;
use crate::model::ModelCommand;
use crate::mui::MuiCommandArgs;
use crate::parameters::{ParameterArgs, RunArgs, parse_seed_range};
use crate::script::ScriptArgs;
use crate::synth::SynthArgs;
use crate::train::{FamiliesArgs, TrainArgs};

/// Recomputes the SFC-Score paper: sparsity, fidelity and completeness of decompositions of
/// networks with a planted circuit.
///
/// Without options every command runs the paper's own settings.
#[derive(Debug, Parser)]
#[command(name = "sfc-bench", version, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Every printed number of Tables 3 to 6 and Figure 4 beside the computed one
    Paper(RunArgs),
    /// Sparsity, fidelity, completeness and score at each level (Table 3, Figures 1 and 4)
    Curve(RunArgs),
    /// Dictionary sizes at level 0.5 (Table 6)
    Sizes(RunArgs),
    /// Every level under the seven weight profiles (Table 4, Figures 2 and 5)
    Weights(RunArgs),
    /// The four configurations (Table 5, Figure 3)
    Cross(RunArgs),
    /// One configuration under many model seeds: bands, winners, and where the paper's numbers lie
    Ensemble(EnsembleArgs),
    /// Join ensembles that were printed as JSON, e.g. of parts of a range of seeds
    Merge(MergeArgs),
    /// Pareto front, hypervolume and exclusive contributions of points in a CSV file
    Hypervolume(HypervolumeArgs),
    /// Your own activations and decomposition, from files, on the same axes
    Evaluate(Box<EvaluateArgs>),
    /// Several decompositions of the same activations side by side, with controls: a table and a front
    Compare(Box<CompareArgs>),
    /// A NumPy program that computes the same curve and sizes, or a study's scores, to check them with
    Script(ScriptArgs),
    /// The settings as the page's link has them; or, with --open, what a link says
    Link(LinkArgs),
    /// One figure or table: as a file for a paper (SVG, LaTeX, CSV, …), or printed
    Figure(FigureArgs),
    /// Train a sparse autoencoder and, with --out, save it as SAELens loads it
    Train(TrainArgs),
    /// Families of autoencoders against each other and against controls
    Families(FamiliesArgs),
    /// The toy model: its tasks, texts of its language, its logits; or a model of your own
    #[command(subcommand)]
    Model(ModelCommand),
    /// FADE on the toy model: how well descriptions fit an autoencoder's latents
    Fade(Box<FadeCommandArgs>),
    /// CE-Bench on the toy model: whether an autoencoder's latents tell contrasting stories apart
    CeBench(Box<CeBenchArgs>),
    /// The Model Utilization Index: of the toy model, of the paper's tables, of models of your own
    Mui(Box<MuiCommandArgs>),
    /// Measurement theory on the toy model: metrics about metrics
    #[command(subcommand)]
    Measure(MeasureCommand),
    /// The audit: every metric of every paper on the same subjects, and what it can be trusted for
    Audit(Box<AuditArgs>),
    /// SynthSAEBench: five architectures trained on planted features, beside the printed table
    Synth(Box<SynthArgs>),
    /// How to cite the paper and this program, for BibTeX
    Cite,
}

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct HypervolumeArgs {
    /// Three columns of numbers, one point a line, a header allowed; - reads standard input
    #[arg(value_name = "FILE.csv")]
    pub file: PathBuf,
    /// Reference point, which points count by how far they exceed it (with --minimise: stay below it)
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', allow_hyphen_values = true, default_value = "0,0,0")]
    reference: Vec<f64>,
    /// Smaller is better in all three coordinates; without it, larger is better
    #[arg(long)]
    pub minimise: bool,
    #[command(flatten)]
    labels: TextLabelsArgs,
    /// Differences up to this count as ties for the front
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub tolerance: f64,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl HypervolumeArgs {
    pub fn labels(&self) -> LabelDetection {
        self.labels.to_labels()
    }

    pub fn format(&self) -> Format {
        self.output.format()
    }

    pub fn reference(&self) -> Result<Objectives, Problem> {
        self.reference.as_slice().try_into().map_err(|_| {
            let held = format!("a list of {}", self.reference.len());
            Problem::new("reference", held, "three numbers")
        })
    }
}

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct EnsembleArgs {
    /// Number of model seeds, from 0 on
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "seed_range")]
    seeds: u32,
    /// Model seeds from A up to, but not including, B
    #[arg(long, value_name = "A..B", value_parser = parse_seed_range)]
    seed_range: Option<RangeInclusive<u32>>,
    /// Vary the data seed along with the model seed
    #[arg(long)]
    vary_data: bool,
    #[command(flatten)]
    pub checkpoint: checkpoint::Options,
    #[command(flatten)]
    pub run: RunArgs,
}

impl EnsembleArgs {
    pub fn seeds(&self) -> Result<RangeInclusive<u32>, Problem> {
        match (&self.seed_range, self.seeds.checked_sub(1)) {
            (Some(range), _) => Ok(range.clone()),
            (None, Some(last)) => Ok(0..=last),
            (None, None) => Err(Problem::new("seeds", "0", "a whole number from 1")),
        }
    }

    pub fn plan(&self) -> Result<EnsemblePlan, Problems> {
        let varied = if self.vary_data { Varied::ModelAndData } else { Varied::Model };
        Ok(EnsemblePlan::new(self.run.settings()?, varied))
    }
}

#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// Files that `ensemble --json` printed; - reads standard input
    #[arg(value_name = "FILE.json", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

impl MergeArgs {
    pub fn format(&self) -> Format {
        self.output.format()
    }
}

#[derive(Debug, clap::Args)]
pub struct LinkArgs {
    /// Read a link, or the part after its question mark: print its state and what had to be changed
    #[arg(long, value_name = "LINK", conflicts_with_all = ["Knobs", "digest"], allow_hyphen_values = true)]
    pub open: Option<String>,
    /// With --open: run the link's settings and hold the results against its digest
    #[arg(long, requires = "open")]
    pub check: bool,
    /// Run the settings and put a digest of the results into the link
    #[arg(long)]
    pub digest: bool,
    #[command(flatten)]
    knobs: ParameterArgs,
}

impl LinkArgs {
    pub fn settings(&self) -> Result<Settings, Problems> {
        self.knobs.settings()
    }
}
