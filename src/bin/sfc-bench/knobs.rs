//! What a run is made of, as options.

use sfc_bench::{Draft, Problems, Settings};

use crate::format::{Format, Output};

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

    pub fn format(&self) -> Format {
        self.output.format()
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
