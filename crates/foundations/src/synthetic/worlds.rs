//! Activations to train autoencoders on, of which more is known than the activations.

use serde::{Deserialize, Serialize};

use super::sample::{DIMENSIONS_RANGE, PlantedFeatures, Readout, Sample};
use super::{DataSpec, DrawnRows, NetworkSpec, PlantedNetwork, SAMPLES_RANGE, UserActivations, activations};
use crate::linalg::column_means;
use crate::settings::{Problem, Problems, Range};
use crate::{Matrix, NumpyRng};
use crate::{kernel, linalg};

/// Planted features.
pub const FEATURES_RANGE: Range = Range::integer("features", 1, 1_024);
/// How much features of one block fire together.
pub const CORRELATION_RANGE: Range = Range::real("correlation", 0.0, 1.0);
/// From sums (0) to products (1).
pub const INTERACTION_RANGE: Range = Range::real("interaction", 0.0, 1.0);
/// Rows held back from the training of one autoencoder.
const HELD_OUT_ROWS: usize = 512;
/// Features of the superposition that reach the output, and how many outputs there are.
const CIRCUIT_FEATURES: usize = 8;
const OUTPUT_COUNT: usize = 4;
/// Standard deviation of the readout's weights, as in the paper's networks.
const READOUT_SCALE: f64 = 0.5;
/// Features of one block share their chance where features are correlated.
const BLOCK_FEATURES: usize = 4;

/// Where activations come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "world", rename_all = "kebab-case")]
pub enum World {
    /// The hidden activations of a planted network, as the paper has them.
    Paper(Network),
    /// More features than dimensions.
    Superposition(Superposition),
    /// A planted network whose circuit's units act in pairs, by products.
    Nonlinear(Nonlinear),
    /// Somebody's own; the numbers come beside it. Links and reports have always called it given.
    #[serde(rename = "given")]
    Own(UserActivations),
}

/// The paper's Standard network and its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct Network {
    /// Seed of circuit, weights and biases.
    pub seed: u32,
    /// Seed of the inputs.
    pub data_seed: u32,
}

impl Default for Network {
    fn default() -> Self {
        Self { seed: NetworkSpec::default().seed, data_seed: DataSpec::default().seed }
    }
}

/// The paper's Standard network with another readout. The paper's text concedes that a linear
/// dictionary cannot be complete where units interact by multiplication; here it shows.
///
/// # Formula
/// f(a) = W₂·g(a) + b₂ with g_c = (1 − t)·s_c + t·s_c·s_c′ over the circuit's units c, each with the next
/// one c′ (the last with the first); s are a's entries less their mean, over their standard deviation,
/// both over the sample. With t = 0 the readout is affine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct Nonlinear {
    /// The network and its inputs.
    #[serde(flatten)]
    pub network: Network,
    /// t, from 0 (sums alone) to 1 (products alone).
    pub interaction: f64,
}

impl Default for Nonlinear {
    fn default() -> Self {
        Self { network: Network::default(), interaction: 1.0 }
    }
}

/// Features that are unit directions, more of them than dimensions; rows are sums of those that fire.
///
/// Feature i fires with probability pᵢ: Zipf's 1/(i + 1)ˢ, stretched to run from `p_max` to `p_min`. Its
/// magnitude is max(0.1, 1 + ¼·N(0, 1)). Eight features reach the output, by a linear readout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct Superposition {
    /// Features.
    pub features: usize,
    /// Dimensions D.
    pub dimensions: usize,
    /// Zipf's exponent s.
    pub zipf: f64,
    /// How often the first feature fires.
    pub p_max: f64,
    /// How often the last feature fires.
    pub p_min: f64,
    /// With this probability a feature fires by a chance that it shares with its block of four.
    pub correlation: f64,
    /// This many of the last features fire only where their parents (the first features) do.
    pub children: usize,
    /// Steps of descent on the squared cosines between directions, which drive them apart.
    pub repulsion: u32,
    /// Standard deviation of noise on every entry.
    pub noise: f64,
    /// Seed of the directions and the readout.
    pub seed: u32,
    /// Seed of the rows.
    pub data_seed: u32,
}

impl Default for Superposition {
    fn default() -> Self {
        Self {
            features: 32,
            dimensions: 16,
            zipf: 0.5,
            p_max: 0.3,
            p_min: 0.05,
            correlation: 0.0,
            children: 0,
            repulsion: 200,
            noise: 0.0,
            seed: 42,
            data_seed: 1,
        }
    }
}

impl Default for World {
    fn default() -> Self {
        Self::Superposition(Superposition::default())
    }
}

impl World {
    /// Most rows that can be drawn of one.
    pub const ROWS_MAX: usize = SAMPLES_RANGE.max as usize;

    /// The names of the worlds that are drawn from nothing but numbers.
    pub const NAMES: [&str; 3] = ["paper", "superposition", "nonlinear"];

    /// The world of a name, as it is by default.
    ///
    /// # Errors
    /// A [`Problem`] with the field `world`.
    pub fn from_name(name: &str) -> Result<Self, Problem> {
        match name {
            "paper" => Ok(Self::Paper(Network::default())),
            "superposition" => Ok(Self::default()),
            "nonlinear" => Ok(Self::Nonlinear(Nonlinear::default())),
            _ => Err(Problem::new("world", format!("{name:?}"), Self::NAMES.join(", "))),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Paper(_) => "paper",
            Self::Superposition(_) => "superposition",
            Self::Nonlinear(_) => "nonlinear",
            Self::Own(_) => "given",
        }
    }

    /// How many rows one autoencoder is trained on, where `most` are wanted, and how many more are held
    /// back to measure it on: 512, or of few given ones a fifth.
    #[must_use]
    pub fn train_and_held_out_rows(&self, most: usize) -> (usize, usize) {
        match self {
            Self::Own(given) => {
                let held = (given.rows / 5).clamp(2, HELD_OUT_ROWS as u64) as usize;
                let all = usize::try_from(given.rows_max()).unwrap_or(usize::MAX);
                (most.min(all.saturating_sub(held)), held)
            }
            _ => (most, HELD_OUT_ROWS),
        }
    }

    /// Whether the world's own numbers are allowed.
    ///
    /// # Errors
    /// [`Problems`], in the order of the fields.
    pub fn check(&self) -> Result<(), Problems> {
        match self {
            Self::Paper(_) => Ok(()),
            Self::Nonlinear(world) => match INTERACTION_RANGE.check(world.interaction) {
                Ok(_) => Ok(()),
                Err(problem) => Err(Problems(vec![problem])),
            },
            Self::Superposition(world) => world.check(),
            Self::Own(world) => world.check(0),
        }
    }

    /// Draws `rows` rows, 2 to 200,000.
    ///
    /// # Errors
    /// [`Problems`] of the world's numbers or the rows; of a given world, that its rows are missing.
    pub fn sample(&self, rows: usize) -> Result<Sample, Problems> {
        self.sample_with(rows, None)
    }

    /// Draws `rows` rows, 2 to 200,000; of a given world `drawn` are they.
    ///
    /// # Errors
    /// As [`World::sample`] and [`UserActivations::sample`].
    pub fn sample_with(&self, rows: usize, drawn: Option<&DrawnRows>) -> Result<Sample, Problems> {
        SAMPLES_RANGE.check(rows as f64).map_err(|problem| Problems(vec![problem]))?;
        self.check()?;
        match self {
            Self::Paper(network) => network.sample(rows, None),
            Self::Nonlinear(Nonlinear { network, interaction }) => network.sample(rows, Some(*interaction)),
            Self::Superposition(world) => world.sample(rows),
            Self::Own(world) => match drawn {
                Some(drawn) => world.sample(rows, drawn),
                None => {
                    let (value, allowed) = ("given".to_owned(), "with its activations beside it");
                    Err(Problems(vec![Problem::new("world", value, allowed)]))
                }
            },
        }
    }
}

impl Network {
    fn sample(self, rows: usize, interaction: Option<f64>) -> Result<Sample, Problems> {
        let spec = NetworkSpec { seed: self.seed, ..NetworkSpec::default() };
        let data = DataSpec { samples: rows, seed: self.data_seed, ..DataSpec::default() };
        let network = PlantedNetwork::new(&spec);
        let activations = activations(&network, &data);
        let units = network.circuit;
        let mut circuit = Matrix::zeros(units.len(), activations.cols());
        for (row, unit) in units.iter().enumerate() {
            circuit.row_mut(row)[*unit] = 1.0;
        }
        let readout = match interaction {
            None => Readout::Affine { weights: network.w2, bias: network.b2 },
            Some(interaction) => {
                let columns: Vec<u32> = units.iter().map(|unit| *unit as u32).collect();
                let weights = network.w2.transposed().select_rows(&columns).transposed();
                let scales = column_means_and_stds(&activations, &units);
                Readout::Products { weights, bias: network.b2, units, scales, interaction }
            }
        };
        Ok(Sample { readout: Some(readout), circuit: Some(circuit), ..Sample::from_activations(activations) })
    }
}

/// Mean and standard deviation of some columns; 1 for one that does not vary.
fn column_means_and_stds(activations: &Matrix, units: &[usize]) -> Vec<(f64, f64)> {
    let means = column_means(activations);
    let scale = |unit: &usize| {
        let mean = means[*unit];
        let squares: f64 = activations.iter_rows().map(|row| (row[*unit] - mean) * (row[*unit] - mean)).sum();
        let deviation = f64::sqrt(squares / activations.rows() as f64);
        (mean, if deviation > 0.0 { deviation } else { 1.0 })
    };
    units.iter().map(scale).collect()
}

impl Superposition {
    /// How many children so many features may have.
    #[must_use]
    pub fn children_range(features: f64) -> Range {
        Range { field: "children", min: 0.0, max: libm::floor(features / 2.0), whole: true }
    }

    fn check(&self) -> Result<(), Problems> {
        let share = |field| Range::real(field, 0.0, 1.0);
        let ranges = [
            (FEATURES_RANGE, self.features as f64),
            (DIMENSIONS_RANGE, self.dimensions as f64),
            (Range::real("zipf", 0.0, 10.0), self.zipf),
            (share("p_max"), self.p_max),
            (Range { field: "p_min", min: 0.0, max: self.p_max, whole: false }, self.p_min),
            (CORRELATION_RANGE, self.correlation),
            (Self::children_range(self.features as f64), self.children as f64),
            (Range::integer("repulsion", 0, 10_000), f64::from(self.repulsion)),
            (Range::real("noise", 0.0, 100.0), self.noise),
        ];
        let problems: Vec<Problem> = ranges.iter().filter_map(|(range, value)| range.check(*value).err()).collect();
        if problems.is_empty() { Ok(()) } else { Err(Problems(problems)) }
    }

    /// How often each feature fires (a child: where its parent does).
    #[must_use]
    pub fn firing_probabilities(&self) -> Vec<f64> {
        let weight = |index: usize| libm::pow(1.0 / (index + 1) as f64, self.zipf);
        let (first, last) = (1.0, weight(self.features.saturating_sub(1)));
        let stretch = if first > last { (self.p_max - self.p_min) / (first - last) } else { 0.0 };
        (0..self.features)
            .map(|index| self.p_max - (first - weight(index)) * stretch)
            .map(|p| p.clamp(0.0, 1.0))
            .collect()
    }

    fn draw_directions(&self, rng: &mut NumpyRng) -> Matrix {
        let mut out = Matrix::zeros(self.features, self.dimensions);
        rng.fill_standard_normal(out.data_mut());
        let unit = |matrix: &mut Matrix| {
            for index in 0..matrix.rows() {
                let row = matrix.row_mut(index);
                let norm = f64::sqrt(kernel::dot(row, row));
                row.iter_mut().for_each(|value| *value /= norm);
            }
        };
        unit(&mut out);
        // The gradient of Σ cos² over pairs is proportional to (Gram − 1)·W; a fixed small step.
        const REPULSION_STEP_SIZE: f64 = 0.05;
        for _ in 0..self.repulsion {
            let mut gram = linalg::product(&out, &out.transposed());
            for index in 0..self.features {
                gram.row_mut(index)[index] = 0.0;
            }
            let push = linalg::product(&gram, &out);
            let values = out.data_mut().iter_mut().zip(push.data());
            values.for_each(|(value, push)| *value -= REPULSION_STEP_SIZE * push);
            unit(&mut out);
        }
        out
    }

    fn sample(&self, rows: usize) -> Result<Sample, Problems> {
        self.check()?;
        let mut rng = NumpyRng::new(self.seed);
        let directions = self.draw_directions(&mut rng);
        let outputs: Vec<u32> = rng.choice(self.features as u32, CIRCUIT_FEATURES.min(self.features));
        let circuit = directions.select_rows(&outputs);
        let mut mixing = Matrix::zeros(OUTPUT_COUNT, circuit.rows());
        rng.fill_standard_normal(mixing.data_mut());
        mixing.data_mut().iter_mut().for_each(|value| *value *= READOUT_SCALE);
        let weights = linalg::product(&mixing, &circuit);

        let mut rng = NumpyRng::new(self.data_seed);
        let probabilities = self.firing_probabilities();
        let mut magnitudes = Matrix::zeros(rows, self.features);
        let mut shared = vec![0.0; self.features.div_ceil(BLOCK_FEATURES)];
        for index in 0..rows {
            // As many draws for every row, whatever comes of them: a feature's do not move with the
            // settings of others.
            shared.iter_mut().for_each(|chance| *chance = rng.random_sample());
            let row = magnitudes.row_mut(index);
            for (feature, (value, p)) in row.iter_mut().zip(&probabilities).enumerate() {
                let (own, together) = (rng.random_sample(), rng.random_sample());
                let size = f64::max(0.1, 1.0 + 0.25 * rng.standard_normal());
                let chance = if together < self.correlation { shared[feature / BLOCK_FEATURES] } else { own };
                *value = if chance < *p { size } else { 0.0 };
            }
            for child in self.features - self.children..self.features {
                if row[self.features - 1 - child] == 0.0 {
                    row[child] = 0.0;
                }
            }
        }
        let mut activations = linalg::product(&magnitudes, &directions);
        if self.noise > 0.0 {
            for value in activations.data_mut() {
                *value += self.noise * rng.standard_normal();
            }
        }
        Ok(Sample {
            readout: Some(Readout::Affine { weights, bias: vec![0.0; OUTPUT_COUNT] }),
            circuit: Some(circuit),
            truth: Some(PlantedFeatures { directions, magnitudes }),
            ..Sample::from_activations(activations)
        })
    }
}
