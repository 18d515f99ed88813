use serde::{Deserialize, Serialize};

use crate::settings::{Problem, Problems, Range, from_name, named};

/// Latents F.
pub const LATENTS_RANGE: Range = Range::integer("latents", 1, 16_384);
/// Rows that one autoencoder is trained on, unless somebody says otherwise; of given activations as many
/// as there are.
pub const TRAIN_ROWS_DEFAULT: usize = 20_000;
/// Codes a row of one autoencoder, unless somebody says otherwise; of the families that have k.
pub const TRAIN_K_DEFAULT: usize = 3;
/// Points of a training's curve, unless somebody says otherwise.
pub const CURVE_POINTS_DEFAULT: u32 = 10;
/// Most points of a training's curve that a page or a program is handed.
pub const CURVE_POINTS_MAX: u32 = 10_000;
/// Input width D.
pub const INPUTS_RANGE: Range = Range::integer("inputs", 1, 1_024);
/// Rows of a batch.
pub const BATCH_RANGE: Range = Range::integer("batch", 1, 4_096);
/// Learning rate.
pub const RATE_RANGE: Range = Range::real("rate", 1e-7, 1.0);
/// Sparsity coefficient, and that of the auxiliary loss.
pub const COEFFICIENT_RANGE: Range = Range::real("sparsity", 0.0, 1e3);
/// Most steps of one training.
pub const STEPS_MAX: u32 = 10_000_000;
/// Most values (rows × width) one trainer takes.
pub const DATA_VALUES_MAX: usize = 32 << 20;
/// Most nested prefixes.
const PREFIXES_MAX: usize = 16;

named! {
    /// A kind of autoencoder; the table in the [module](super) says what each is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "TrainFamily"))]
    #[serde(rename_all = "kebab-case")]
    #[allow(missing_docs)] // their names say it
    pub enum Family {
        Relu = "relu",
        #[serde(rename = "topk")]
        TopK = "topk",
        #[serde(rename = "batch-topk")]
        BatchTopK = "batch-topk",
        #[serde(rename = "jumprelu")]
        JumpRelu = "jumprelu",
        Gated = "gated",
        Matryoshka = "matryoshka",
    }
}

impl Family {
    /// Its name for readers.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Relu => "ReLU + L1",
            Self::TopK => "TopK",
            Self::BatchTopK => "BatchTopK",
            Self::JumpRelu => "JumpReLU",
            Self::Gated => "Gated",
            Self::Matryoshka => "Matryoshka",
        }
    }

    /// Whether a number of codes sets its sparsity, rather than a coefficient.
    #[must_use]
    pub fn has_k(self) -> bool {
        matches!(self, Self::TopK | Self::BatchTopK | Self::Matryoshka)
    }

    /// Whether the codes of a batch are chosen together.
    #[must_use]
    pub fn uses_batch_top_k(self) -> bool {
        matches!(self, Self::BatchTopK | Self::Matryoshka)
    }
}

from_name! {
    Family of "family";
}

/// How an autoencoder is trained. [`TrainConfig::for_family`] a family has defaults for everything;
/// [`TrainConfig::check`] says what is not allowed, and every [`Trainer`](super::Trainer) checks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct TrainConfig {
    /// Which family.
    pub family: Family,
    /// Latents F.
    pub latents: usize,
    /// Codes a row (on average, where a batch chooses together); the families that have k.
    pub k: usize,
    /// λ; the families that have no k.
    pub sparsity: f64,
    /// Ends of Matryoshka's nested prefixes, ascending, the last one F; none: F/8, F/4, F/2, F.
    pub prefixes: Vec<usize>,
    /// JumpReLU: where its thresholds θ begin.
    pub threshold: f64,
    /// JumpReLU: ε, the width of the rectangle kernel about θ.
    pub bandwidth: f64,
    /// Steps planned: the learning rate falls over the last of them, λ rises over the first.
    pub steps: u32,
    /// Rows of a batch B.
    pub batch: usize,
    /// Learning rate η.
    pub rate: f64,
    /// Adam's β₁.
    pub beta1: f64,
    /// Adam's β₂.
    pub beta2: f64,
    /// Adam's ε.
    pub eps: f64,
    /// Share of the steps, at the end, over which the rate falls to a hundredth, linearly.
    pub decay: f64,
    /// Share of the steps, at the start, over which λ rises from 0, linearly.
    pub warm_up: f64,
    /// Whether rows of the decoder are kept at norm 1.
    pub unit_norm: bool,
    /// Steps without firing after which a latent counts as dead.
    pub dead_after: u32,
    /// Most dead latents the auxiliary loss takes for one row; 0 for no such loss.
    pub aux_k: usize,
    /// The auxiliary loss's coefficient.
    pub aux: f64,
    /// ReLU, Gated: steps between resamplings of dead latents, up to half of the steps; 0 for none.
    pub resample_every: u32,
    /// Seed of the first weights and of the rows' order.
    pub seed: u32,
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self::for_family(Family::TopK)
    }
}

impl TrainConfig {
    /// A family's defaults, for activations whose entries are about 1 in size.
    #[must_use]
    pub fn for_family(family: Family) -> Self {
        Self {
            family,
            latents: 256,
            k: 8,
            sparsity: match family {
                Family::JumpRelu => 0.006,
                Family::Gated => 0.04,
                _ => 0.02,
            },
            prefixes: Vec::new(),
            threshold: 0.1,
            bandwidth: 0.1,
            steps: 1_500,
            batch: 256,
            rate: 0.003,
            beta1: 0.9,
            beta2: 0.999,
            eps: 1e-8,
            decay: 0.2,
            warm_up: 0.1,
            unit_norm: true,
            dead_after: 100,
            aux_k: 32,
            aux: 1.0 / 32.0,
            resample_every: 250,
            seed: 0,
        }
    }

    /// Everything that is not allowed.
    ///
    /// # Errors
    /// [`Problems`], in the order of the fields.
    pub fn check(&self) -> Result<(), Problems> {
        let share = |field| Range::real(field, 0.0, 1.0);
        let coefficient = |field| Range { field, ..COEFFICIENT_RANGE };
        let steps = |field, min| Range::integer(field, min, STEPS_MAX);
        let at_most = |field, max: f64| Range { field, min: 1.0, max, whole: true };
        let latents = self.latents as f64;
        let numbers = [
            (LATENTS_RANGE, latents),
            (at_most("k", latents), if self.family.has_k() { self.k as f64 } else { 1.0 }),
            (coefficient("sparsity"), self.sparsity),
            (Range::real("threshold", 1e-6, 1e6), self.threshold),
            (Range::real("bandwidth", 1e-6, 1e6), self.bandwidth),
            (steps("steps", 1), f64::from(self.steps)),
            (BATCH_RANGE, self.batch as f64),
            (RATE_RANGE, self.rate),
            (Range::real("beta1", 0.0, 0.999_999), self.beta1),
            (Range::real("beta2", 0.0, 0.999_999_9), self.beta2),
            (Range::real("eps", 1e-12, 1.0), self.eps),
            (share("decay"), self.decay),
            (share("warm_up"), self.warm_up),
            (steps("dead_after", 1), f64::from(self.dead_after)),
            (Range { field: "aux_k", min: 0.0, ..LATENTS_RANGE }, self.aux_k as f64),
            (coefficient("aux"), self.aux),
            (steps("resample_every", 0), f64::from(self.resample_every)),
        ];
        let mut problems: Vec<Problem> =
            numbers.iter().filter_map(|(range, value)| range.check(*value).err()).collect();
        let ascending = self.prefixes.windows(2).all(|pair| pair[0] < pair[1]);
        let fits = self.prefixes.first().is_none_or(|first| *first > 0)
            && self.prefixes.last().is_none_or(|last| *last == self.latents)
            && self.prefixes.len() <= PREFIXES_MAX;
        if !(ascending && fits) {
            let allowed = format!("up to {PREFIXES_MAX} ascending whole numbers from 1, the last one {}", self.latents);
            problems.push(Problem::new("prefixes", format!("{:?}", self.prefixes), allowed));
        }
        if problems.is_empty() { Ok(()) } else { Err(Problems(problems)) }
    }

    /// Ends of the nested prefixes of latents whose errors the loss sums: F alone, but for Matryoshka.
    #[must_use]
    pub fn prefix_ends(&self) -> Vec<usize> {
        match (self.family, self.prefixes.is_empty()) {
            (Family::Matryoshka, false) => self.prefixes.clone(),
            (Family::Matryoshka, true) => {
                let mut ends: Vec<usize> = [8, 4, 2, 1].map(|part| self.latents.div_ceil(part)).to_vec();
                ends.dedup();
                ends
            }
            _ => vec![self.latents],
        }
    }

    /// The learning rate after `step` steps.
    pub(crate) fn rate_after(&self, step: u32) -> f64 {
        let falling = self.decay * f64::from(self.steps);
        let left = f64::from(self.steps.saturating_sub(step));
        if left >= falling { self.rate } else { self.rate * f64::max(left / falling, 0.01) }
    }

    /// λ after `step` steps.
    pub(crate) fn sparsity_after(&self, step: u32) -> f64 {
        let (step, rising) = (f64::from(step), self.warm_up * f64::from(self.steps));
        if step >= rising { self.sparsity } else { self.sparsity * (step / rising) }
    }
}
