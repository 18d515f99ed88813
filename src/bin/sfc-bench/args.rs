use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use sfc_bench::lab::ensemble::{Plan, Varied};
use sfc_bench::pareto::Objectives;
use sfc_bench::{Draft, Problem, Problems, Settings};

use crate::evaluate::Evaluate;
use crate::figure::Figure;
use crate::output::Format;
use crate::train::{Families, Train};

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
    Paper(Run),
    /// Sparsity, fidelity, completeness and score at each level (Table 3, Figures 1 and 4)
    Curve(Run),
    /// Dictionary sizes at level 0.5 (Table 6)
    Sizes(Run),
    /// Every level under the seven weight profiles (Table 4, Figures 2 and 5)
    Weights(Run),
    /// The four configurations (Table 5, Figure 3)
    Cross(Run),
    /// One configuration under many model seeds: bands, winners, and where the paper's numbers lie
    Ensemble(Ensemble),
    /// Join ensembles that were printed as JSON, e.g. of parts of a range of seeds
    Merge(Merge),
    /// Pareto front, hypervolume and exclusive contributions of points in a CSV file
    Hypervolume(Points),
    /// Your own activations and decomposition, from files, on the same axes
    Evaluate(Box<Evaluate>),
    /// A NumPy program that computes the same curve and sizes, to check them with
    Script(Knobs),
    /// The settings as the page's link has them; or, with --open, what a link says
    Link(Link),
    /// One figure or table: as a file for a paper (SVG, LaTeX, CSV, …), or printed
    Figure(Figure),
    /// Train a sparse autoencoder and, with --out, save it as SAELens loads it
    Train(Train),
    /// Families of autoencoders against each other and against controls
    Families(Families),
    /// How to cite the paper and this program, for BibTeX
    Cite,
}

#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub struct Output {
    /// Print JSON, at full precision
    #[arg(long)]
    json: bool,
    /// Print CSV, at full precision
    #[arg(long)]
    csv: bool,
}

impl Output {
    pub fn format(&self) -> Format {
        match (self.json, self.csv) {
            (true, _) => Format::Json,
            (_, true) => Format::Csv,
            _ => Format::Table,
        }
    }
}

/// What [`Knobs`] and an output's format make together.
#[derive(Debug, clap::Args)]
pub struct Run {
    #[command(flatten)]
    knobs: Knobs,
    #[command(flatten)]
    pub output: Output,
}

impl Run {
    pub fn settings(&self) -> Result<Settings, Problems> {
        self.knobs.settings()
    }
}

/// Everything that settings are made of.
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Knobs {
    /// Configuration of Table 1: standard, large, dense or sparse
    #[arg(long, value_name = "NAME", help_heading = "Network")]
    config: Option<String>,
    /// Input width, 1 to 512
    #[arg(long, value_name = "N", help_heading = "Network")]
    inputs: Option<f64>,
    /// Hidden width D, 2 to 1024
    #[arg(long, value_name = "N", help_heading = "Network")]
    hidden: Option<f64>,
    /// Output width, 1 to 64
    #[arg(long, value_name = "N", help_heading = "Network")]
    outputs: Option<f64>,
    /// Hidden units that reach the output, 1 to D
    #[arg(long, value_name = "N", help_heading = "Network")]
    circuit: Option<f64>,
    /// Standard deviation of the first layer's weights [paper: 0.3]
    #[arg(long, value_name = "X", help_heading = "Network")]
    weight_scale: Option<f64>,
    /// Standard deviation of the biases [paper: 0.1]
    #[arg(long, value_name = "X", help_heading = "Network")]
    bias_scale: Option<f64>,
    /// Standard deviation of noise added to the activations [paper: 0]
    #[arg(long, value_name = "X", help_heading = "Network")]
    noise: Option<f64>,

    /// Seed of circuit, weights and biases [paper: 42]
    #[arg(long, value_name = "SEED", help_heading = "Seeds")]
    model_seed: Option<f64>,
    /// Seed of the inputs [paper: 1]
    #[arg(long, value_name = "SEED", help_heading = "Seeds")]
    data_seed: Option<f64>,
    /// Seed that picks the 100 rows of the paper's completeness [paper: 42]
    #[arg(long, value_name = "SEED", help_heading = "Seeds")]
    completeness_seed: Option<f64>,

    /// Rows of activations, 2 to 200000 [paper: 2000]
    #[arg(long, value_name = "N", help_heading = "Decomposition")]
    samples: Option<f64>,
    /// Dictionary size K, 1 to D [paper: 48]
    #[arg(long, value_name = "K", help_heading = "Decomposition")]
    k: Option<f64>,
    /// Sparsity levels, from 0 to below 1 [paper: 0,0.1,0.2,0.3,0.5,0.7,0.85,0.95]
    #[arg(
        long,
        value_name = "L,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Decomposition"
    )]
    levels: Option<Vec<f64>>,
    /// Take the dictionary of the centred activations (principal components)
    #[arg(long, help_heading = "Decomposition")]
    centred: bool,

    /// Reading of completeness: paper (100 rows, grand variance) or total (all rows)
    #[arg(long, value_name = "READING", help_heading = "Metrics")]
    completeness: Option<String>,
    /// Fidelity: cosine, r2 or rel-mse
    #[arg(long, value_name = "MODE", help_heading = "Metrics")]
    fidelity: Option<String>,
    /// Weights of sparsity, fidelity, completeness [paper: 1,1,1]
    #[arg(
        long,
        value_name = "A,B,C",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Metrics"
    )]
    weights: Option<Vec<f64>>,
}

impl Knobs {
    pub fn settings(&self) -> Result<Settings, Problems> {
        Draft {
            config: self.config.clone(),
            inputs: self.inputs,
            hidden: self.hidden,
            outputs: self.outputs,
            circuit: self.circuit,
            weight_scale: self.weight_scale,
            bias_scale: self.bias_scale,
            noise: self.noise,
            model_seed: self.model_seed,
            data_seed: self.data_seed,
            completeness_seed: self.completeness_seed,
            samples: self.samples,
            k: self.k,
            levels: self.levels.clone(),
            completeness: self.completeness.clone(),
            fidelity: self.fidelity.clone(),
            centred: Some(self.centred),
            weights: self.weights.clone(),
        }
        .parse()
    }
}

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Points {
    /// Three columns of numbers, one point a line, a header allowed; - reads standard input
    #[arg(value_name = "FILE.csv")]
    pub file: PathBuf,
    /// Reference point
    #[arg(
        long,
        value_name = "X,Y,Z",
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "0,0,0"
    )]
    reference: Vec<f64>,
    /// Differences up to this count as ties for the front
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub tolerance: f64,
    #[command(flatten)]
    pub output: Output,
}

impl Points {
    pub fn reference(&self) -> Result<Objectives, Problem> {
        self.reference.as_slice().try_into().map_err(|_| {
            let held = format!("a list of {}", self.reference.len());
            Problem::new("reference", held, "three numbers")
        })
    }
}

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Ensemble {
    /// Number of model seeds, from 0 on
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "seed_range")]
    seeds: u32,
    /// Model seeds from A up to, but not including, B
    #[arg(long, value_name = "A..B", value_parser = seed_range)]
    seed_range: Option<RangeInclusive<u32>>,
    /// Vary the data seed along with the model seed
    #[arg(long)]
    vary_data: bool,
    #[command(flatten)]
    pub run: Run,
}

impl Ensemble {
    pub fn seeds(&self) -> Result<RangeInclusive<u32>, Problem> {
        match (&self.seed_range, self.seeds.checked_sub(1)) {
            (Some(range), _) => Ok(range.clone()),
            (None, Some(last)) => Ok(0..=last),
            (None, None) => Err(Problem::new("seeds", "0", "a whole number from 1")),
        }
    }

    pub fn plan(&self) -> Result<Plan, Problems> {
        let varied = if self.vary_data { Varied::ModelAndData } else { Varied::Model };
        Ok(Plan::new(self.run.settings()?, varied))
    }
}

fn seed_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let parsed = text.split_once("..").and_then(|(first, end)| {
        let (first, end): (u32, u64) = (first.parse().ok()?, end.parse().ok()?);
        let last = u32::try_from(end.checked_sub(1)?).ok()?;
        (first <= last).then_some(first..=last)
    });
    parsed.ok_or_else(|| "two seeds from 0 to 4294967296, as in 0..100, are needed".to_owned())
}

#[derive(Debug, clap::Args)]
pub struct Merge {
    /// Files that `ensemble --json` printed
    #[arg(value_name = "FILE.json", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, clap::Args)]
pub struct Link {
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
    knobs: Knobs,
}

impl Link {
    pub fn settings(&self) -> Result<Settings, Problems> {
        self.knobs.settings()
    }
}
