//! Measurement theory's metrics of decompositions, of the little model, on the command line.

use sfc_bench::little::FINAL;
use sfc_bench::papers::measurement::little::{Contrast, DIRECTIONS, Stream, THRESHOLD, m14};
use sfc_bench::papers::measurement::metric::core_stability::Cycles;
use sfc_bench::papers::measurement::metric::{
    Reading, architecture_duality, matryoshka, nla_sae, polysemanticity, safety_sve, weight_lens,
};

use crate::format::{Failed, Output, by_name};
use crate::quantities::print;

#[derive(Debug, clap::Subcommand)]
pub enum Decomposition {
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
    output: Output,
}

#[derive(Debug, clap::Args)]
struct Sae {
    /// The autoencoder: topk256, relu256, random256, topk256_permdec, …
    #[arg(long, value_name = "NAME", default_value = "topk256")]
    sae: String,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, clap::Args)]
pub struct M08 {
    #[command(flatten)]
    of: Sae,
    /// Words of each list, 1 to 144
    #[arg(long, value_name = "K", default_value_t = weight_lens::TOP_K)]
    top_k: usize,
}

#[derive(Debug, clap::Args)]
pub struct M09 {
    #[command(flatten)]
    of: Sae,
    /// How often a core is taken and the rest drawn anew, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 3)]
    n_cycles: usize,
    /// Steps of each training
    #[arg(long, value_name = "N", default_value_t = 200)]
    steps: u32,
    /// Seed of first weights and of the rows' order
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
}

#[derive(Debug, clap::Args)]
pub struct M10 {
    #[command(flatten)]
    of: Sae,
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
    output: Output,
}

#[derive(Debug, clap::Args)]
pub struct M12 {
    #[command(flatten)]
    of: Sae,
    /// Relative deviation beyond which an input is flagged
    #[arg(long, value_name = "X", default_value_t = THRESHOLD)]
    mismatch_threshold: f64,
}

#[derive(Debug, clap::Args)]
pub struct M13 {
    #[command(flatten)]
    of: Sae,
}

#[derive(Debug, clap::Args)]
pub struct M14 {
    /// Which weights: ck-00000 (untrained) to ck-12000, ft-…, seed1-12000
    #[arg(long, value_name = "NAME", default_value = FINAL)]
    checkpoint: String,
    /// How often prompts are drawn again
    #[arg(long, value_name = "N", default_value_t = safety_sve::STABILITY_RUNS)]
    n_stability_runs: usize,
    /// Hold two halves of the safe requests against each other instead, which have nothing to tell apart
    #[arg(long)]
    null: bool,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, clap::Args)]
pub struct Ex34 {
    #[command(flatten)]
    of: Sae,
    /// Positions and words of each list
    #[arg(long, value_name = "K", default_value_t = nla_sae::TOP_K)]
    top_k: usize,
    /// How many latents, the first
    #[arg(long, value_name = "N", default_value_t = DIRECTIONS)]
    n_features: usize,
}

impl Decomposition {
    pub fn text(&self) -> Result<String, Failed> {
        match self {
            Self::M07(wanted) => {
                let stream = Stream::read()?;
                let (a, b) = (stream.subject(&wanted.a)?, stream.subject(&wanted.b)?);
                let settings = architecture_duality::Settings::default();
                print(&wanted.output, &stream.m07(&a, &b, &settings)?)
            }
            Self::M08(M08 { of, top_k }) => {
                let stream = Stream::read()?;
                print(&of.output, &stream.m08(&stream.subject(&of.sae)?, *top_k)?)
            }
            Self::M09(M09 { of, n_cycles, steps, seed }) => {
                let stream = Stream::read()?;
                let features = stream.subject(&of.sae)?.latents();
                let cycles = *n_cycles;
                let settings =
                    Cycles { features, cycles, steps: *steps, seed: *seed, ..Cycles::default() };
                let found = stream.m09(&settings)?;
                let readings = [("document", found.document), ("code", found.code)];
                print(&of.output, &by_name(readings.map(|(name, found)| (name, found.stability)))?)
            }
            Self::M10(M10 { of, n_features, cluster_threshold }) => {
                let stream = Stream::read()?;
                let subject = stream.subject(&of.sae)?;
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
                print(&of.output, &by_name([("document", document), ("code", code)])?)
            }
            Self::M11(wanted) => {
                let stream = Stream::read()?;
                let (small, large) =
                    (stream.subject(&wanted.small)?, stream.subject(&wanted.large)?);
                print(&wanted.output, &stream.m11(&small, &large, wanted.top_k)?)
            }
            Self::M12(M12 { of, mismatch_threshold }) => {
                let stream = Stream::read()?;
                print(&of.output, &stream.m12(&stream.subject(&of.sae)?, *mismatch_threshold)?)
            }
            Self::M13(M13 { of }) => {
                let stream = Stream::read()?;
                print(&of.output, &stream.m13(&stream.subject(&of.sae)?)?)
            }
            Self::M14(wanted) => {
                let contrast = if wanted.null { Contrast::SafeHalves } else { Contrast::Unsafe };
                print(&wanted.output, &m14(&wanted.checkpoint, contrast, wanted.n_stability_runs)?)
            }
            Self::Ex34(Ex34 { of, top_k, n_features }) => {
                let stream = Stream::read()?;
                print(&of.output, &stream.ex34(&stream.subject(&of.sae)?, *top_k, *n_features)?)
            }
        }
    }
}
