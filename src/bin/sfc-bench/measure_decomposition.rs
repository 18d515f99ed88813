//! Measurement theory's metrics of decompositions, of the toy model, on the command line.

use sfc_bench::papers::measurement::metric::core_stability::{CORE_SHARE, CycleSettings};
use sfc_bench::papers::measurement::metric::{
    Reading, architecture_duality, matryoshka, nla_sae, polysemanticity, safety_sve, weight_lens,
};
use sfc_bench::papers::measurement::toy_model::{
    Contrast, DIRECTIONS_MAX, MISMATCH_THRESHOLD_DEFAULT, POSITIONS_SEED_AND_COUNT, REQUESTS_SEED_AND_COUNT,
    ResidualStream, m14_up_to_layer,
};
use sfc_bench::toy_model::{AUTOENCODER_LAYER, FINAL_CHECKPOINT};

use sfc_bench::Problem;
use sfc_bench::papers::measurement::settings::{HOOK_CHOICES, SAMPLES_RANGE};
use sfc_bench::settings::Range;

use crate::format::{BoxError, OutputArgs, to_json_map};
use crate::quantities::format_with_score_readings;

#[derive(Debug, clap::Subcommand)]
pub enum DecompositionMetricCommand {
    /// Architecture duality: whether two autoencoders have the same features
    M07(M07),
    /// WeightLens: whether the words a feature promotes are those on which it is active
    M08(M08),
    /// Core stability: whether the most important features come back when the others are drawn anew
    M09(M09),
    /// PRISM: how many features answer to several kinds of contexts
    M10(M10),
    /// Matryoshka: whether a small dictionary's features live on in a large one
    M11(M11),
    /// Adaptive sparsity: whether more features are active where there is more to say
    M12(M12),
    /// Superposition: how many directions there are for how many dimensions
    M13(M13),
    /// Safety SVE: in how few directions layers tell safe from unsafe
    M14(M14),
    /// NLA–SAE: whether a direction's activations and weights tell of the same words
    Ex34(Ex34),
}

#[derive(Debug, clap::Args)]
pub struct M07 {
    /// One autoencoder: topk256, relu256, random256, topk256_permdec, …
    #[arg(long, value_name = "NAME", default_value = "topk256")]
    a: String,
    /// The other
    #[arg(long, value_name = "NAME", default_value = "relu256")]
    b: String,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
struct SaeArgs {
    /// The autoencoder: topk256, relu256, random256, topk256_permdec, …
    #[arg(long, value_name = "NAME", default_value = "topk256")]
    sae: String,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub struct M08 {
    #[command(flatten)]
    of: SaeArgs,
    /// Words of each list, 1 to 144
    #[arg(long, value_name = "K", default_value_t = weight_lens::TOP_K)]
    top_k: usize,
}

#[derive(Debug, clap::Args)]
pub struct M09 {
    #[command(flatten)]
    of: SaeArgs,
    /// How often a core is kept and the rest resampled, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 3)]
    n_cycles: usize,
    /// Steps of each training
    #[arg(long, value_name = "N", default_value_t = 200)]
    steps: u32,
    /// Seed of first weights and of the rows' order
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    /// Share of the features that a core holds, above 0 to 1
    #[arg(long, value_name = "X", default_value_t = CORE_SHARE)]
    top_fraction: f64,
    #[command(flatten)]
    drawn: ResidualStreamArgs,
}

#[derive(Debug, clap::Args)]
pub struct M10 {
    #[command(flatten)]
    of: SaeArgs,
    /// Features that are looked at, the strongest
    #[arg(long, value_name = "N", default_value_t = 100)]
    n_features: usize,
    /// Cosine distance up to which contexts are of one kind, 0 to 2
    #[arg(long, value_name = "X", default_value_t = 0.5)]
    cluster_threshold: f64,
}

#[derive(Debug, clap::Args)]
pub struct M11 {
    /// The small autoencoder
    #[arg(long, value_name = "NAME", default_value = "topk128")]
    small: String,
    /// The large one
    #[arg(long, value_name = "NAME", default_value = "topk256")]
    large: String,
    /// Large features that each small one is held against
    #[arg(long, value_name = "K", default_value_t = matryoshka::TOP_K)]
    top_k: usize,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub struct M12 {
    #[command(flatten)]
    of: SaeArgs,
    /// Relative deviation beyond which an input is flagged
    #[arg(long, value_name = "X", default_value_t = MISMATCH_THRESHOLD_DEFAULT)]
    mismatch_threshold: f64,
}

#[derive(Debug, clap::Args)]
pub struct M13 {
    #[command(flatten)]
    of: SaeArgs,
    #[command(flatten)]
    drawn: ResidualStreamArgs,
}

#[derive(Debug, clap::Args)]
pub struct M14 {
    /// Which weights: ck-00000 (untrained) to ck-12000, ft-…, seed1-12000
    #[arg(long, value_name = "NAME", default_value = FINAL_CHECKPOINT)]
    checkpoint: String,
    /// How often prompts are drawn again
    #[arg(long, value_name = "N", default_value_t = safety_sve::STABILITY_RUNS)]
    n_stability_runs: usize,
    /// Requests, safe and unsafe, 8 to 4096
    #[arg(long, value_name = "N", default_value_t = REQUESTS_SEED_AND_COUNT.1)]
    n_prompts: usize,
    /// The last layer whose residual stream is looked at: blocks.1.hook_resid_post or blocks.2.hook_resid_post
    #[arg(long, value_name = "NAME", default_value = LAST_HOOK)]
    hook: String,
    /// Hold two halves of the safe requests against each other instead, which have nothing to tell apart
    #[arg(long)]
    null: bool,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub struct Ex34 {
    #[command(flatten)]
    of: SaeArgs,
    /// Positions and words of each list
    #[arg(long, value_name = "K", default_value_t = nla_sae::TOP_K)]
    top_k: usize,
    /// How many latents, the first
    #[arg(long, value_name = "N", default_value_t = DIRECTIONS_MAX)]
    n_features: usize,
}

/// Requests of M14: as many as prompts of a task may be, and enough of both kinds.
const PROMPTS_RANGE: Range = Range { field: "n_prompts", min: 8.0, max: 4_096.0, whole: true };
/// The last of [`HOOK_CHOICES`], which all layers are below.
const LAST_HOOK: &str = HOOK_CHOICES[HOOK_CHOICES.len() - 1].word;
/// Where autoencoders read.
const SAE_HOOK: &str = HOOK_CHOICES[AUTOENCODER_LAYER].word;

/// Which positions of the residual stream are measured.
#[derive(Debug, clap::Args)]
struct ResidualStreamArgs {
    /// Positions of natural texts that are drawn, 32 to 2000
    #[arg(long, value_name = "N", default_value_t = POSITIONS_SEED_AND_COUNT.1)]
    n_samples: usize,
    /// After which layer: blocks.0.hook_resid_post, blocks.1.hook_resid_post or blocks.2.hook_resid_post
    #[arg(long, value_name = "NAME", default_value = SAE_HOOK)]
    hook: String,
}

impl ResidualStreamArgs {
    fn read_stream(&self) -> Result<(ResidualStream, usize), BoxError> {
        let (count, layer) = (check_range(SAMPLES_RANGE, self.n_samples)?, parse_layer(&self.hook)?);
        Ok((ResidualStream::for_checkpoint(FINAL_CHECKPOINT, count)?, layer))
    }
}

/// A number that a range allows.
fn check_range(range: Range, value: usize) -> Result<usize, Problem> {
    range.check(value as f64)?;
    Ok(value)
}

/// The layer that a hook is after.
fn parse_layer(hook: &str) -> Result<usize, Problem> {
    HOOK_CHOICES.iter().position(|known| known.word == hook).ok_or_else(|| {
        let names = HOOK_CHOICES.map(|hook| hook.word).join(", ");
        Problem::new("hook", format!("{hook:?}"), names)
    })
}

impl DecompositionMetricCommand {
    pub fn run(&self) -> Result<String, BoxError> {
        match self {
            Self::M07(wanted) => {
                let stream = ResidualStream::for_final_checkpoint()?;
                let (a, b) = (stream.encode_by_name(&wanted.a)?, stream.encode_by_name(&wanted.b)?);
                let settings = architecture_duality::Settings::default();
                format_with_score_readings(&wanted.output, "m07", &stream.m07(&a, &b, &settings)?)
            }
            Self::M08(M08 { of, top_k }) => {
                let stream = ResidualStream::for_final_checkpoint()?;
                format_with_score_readings(&of.output, "m08", &stream.m08(&stream.encode_by_name(&of.sae)?, *top_k)?)
            }
            Self::M09(M09 { of, drawn, n_cycles, steps, seed, top_fraction }) => {
                let (stream, layer) = drawn.read_stream()?;
                let features = stream.encode_by_name(&of.sae)?.latent_count();
                let settings = CycleSettings {
                    features,
                    cycles: *n_cycles,
                    steps: *steps,
                    seed: *seed,
                    top_share: *top_fraction,
                    ..CycleSettings::default()
                };
                let found = stream.m09_after_layer(layer, &settings)?;
                let readings = [("document", found.document), ("code", found.code)];
                let found = to_json_map(readings.map(|(name, found)| (name, found.stability)))?;
                format_with_score_readings(&of.output, "m09", &found)
            }
            Self::M10(M10 { of, n_features, cluster_threshold }) => {
                let stream = ResidualStream::for_final_checkpoint()?;
                let subject = stream.encode_by_name(&of.sae)?;
                let measured = |reading| {
                    let settings = polysemanticity::Settings {
                        features: *n_features,
                        cluster_threshold: *cluster_threshold,
                        reading,
                        ..polysemanticity::Settings::default()
                    };
                    stream.m10(&subject, &settings)
                };
                let document = measured(Reading::Document)?.rate;
                let code = measured(Reading::Code)?.rate;
                format_with_score_readings(&of.output, "m10", &to_json_map([("document", document), ("code", code)])?)
            }
            Self::M11(wanted) => {
                let stream = ResidualStream::for_final_checkpoint()?;
                let (small, large) = (stream.encode_by_name(&wanted.small)?, stream.encode_by_name(&wanted.large)?);
                format_with_score_readings(&wanted.output, "m11", &stream.m11(&small, &large, wanted.top_k)?)
            }
            Self::M12(M12 { of, mismatch_threshold }) => {
                let stream = ResidualStream::for_final_checkpoint()?;
                format_with_score_readings(
                    &of.output,
                    "m12",
                    &stream.m12(&stream.encode_by_name(&of.sae)?, *mismatch_threshold)?,
                )
            }
            Self::M13(M13 { of, drawn }) => {
                let (stream, layer) = drawn.read_stream()?;
                let found = stream.m13_after_layer(layer, &stream.encode_by_name(&of.sae)?)?;
                format_with_score_readings(&of.output, "m13", &found)
            }
            Self::M14(wanted) => {
                let contrast = if wanted.null { Contrast::SafeHalves } else { Contrast::Unsafe };
                let prompts = check_range(PROMPTS_RANGE, wanted.n_prompts)?;
                let last = parse_layer(&wanted.hook)?;
                let found = m14_up_to_layer(&wanted.checkpoint, contrast, wanted.n_stability_runs, prompts, last)?;
                format_with_score_readings(&wanted.output, "m14", &found)
            }
            Self::Ex34(Ex34 { of, top_k, n_features }) => {
                let stream = ResidualStream::for_final_checkpoint()?;
                format_with_score_readings(
                    &of.output,
                    "ex34",
                    &stream.ex34(&stream.encode_by_name(&of.sae)?, *top_k, *n_features)?,
                )
            }
        }
    }
}
