use serde::Serialize;

use crate::io::DataFile;
use crate::kernel::single_precision::{self, TopKSelector, WeightPanels};
use crate::model::{Config, ModelError};
use crate::sae::train::Autoencoder;
use crate::sae::{Activation, MatchingPursuit, RowNorm, Weights};
use crate::settings::{Choice, choice};
use crate::{Matrix, kernel};

/// Numbers of the residual stream.
pub(super) const RESIDUAL_WIDTH: &usize = &Config::TOY_MODEL.d_model;

/// The residual stream itself, as if it were a dictionary.
pub const RESIDUAL_STREAM_NAME: &str = "residual";

/// The autoencoder that somebody trained here, once there is one.
pub const USER_TRAINED_NAME: &str = "own";

/// How latents are made of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LatentKind"))]
#[serde(rename_all = "lowercase")]
pub enum LatentKind {
    /// relu((x − b_dec)·W_encᵀ + b_enc).
    Relu,
    /// The same, of which so many of the largest are kept; of equal ones those of lower index.
    TopK(usize),
    /// The row's own numbers.
    Itself,
    /// As one of the trained families makes them.
    Trained,
}

/// What an autoencoder is to a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "DictionaryRole"))]
#[serde(rename_all = "lowercase")]
pub enum DictionaryRole {
    /// It was trained.
    Trained,
    /// It should lose: random directions, a permuted decoder, no dictionary at all.
    Control,
}

/// An autoencoder that is shipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "NamedDictionary"))]
pub struct NamedDictionary {
    /// By this it is asked for.
    pub name: &'static str,
    /// What it is, in a few words.
    pub label: &'static str,
    /// The shipped file that it is in; empty where it needs none.
    pub file: &'static str,
    /// What its tensors' names begin with.
    pub tensors: &'static str,
    /// How its latents are made.
    pub kind: LatentKind,
    /// What it is to a comparison.
    pub role: DictionaryRole,
}

/// How many latents of a row the shipped TopK autoencoders keep.
const SHIPPED_TOP_K: LatentKind = LatentKind::TopK(8);

const fn trained_entry(name: &'static str, label: &'static str, kind: LatentKind) -> NamedDictionary {
    NamedDictionary { name, label, file: "sae", tensors: name, kind, role: DictionaryRole::Trained }
}

const fn control_entry(
    name: &'static str,
    label: &'static str,
    tensors: &'static str,
    kind: LatentKind,
) -> NamedDictionary {
    NamedDictionary { name, label, file: "sae_controls", tensors, kind, role: DictionaryRole::Control }
}

/// Every shipped autoencoder, and the residual stream as it is.
pub const DICTIONARIES: [NamedDictionary; 11] = [
    trained_entry("topk256", "TopK, 256 latents", SHIPPED_TOP_K),
    trained_entry("topk256b", "TopK, 256 latents, another seed", SHIPPED_TOP_K),
    trained_entry("relu256", "ReLU, 256 latents", LatentKind::Relu),
    trained_entry("topk128", "TopK, 128 latents", SHIPPED_TOP_K),
    trained_entry("topk128c", "TopK, 128 latents, another seed", SHIPPED_TOP_K),
    trained_entry("relu128", "ReLU, 128 latents", LatentKind::Relu),
    control_entry("random256", "random directions, TopK, 256", "random256", SHIPPED_TOP_K),
    control_entry("random128", "random directions, TopK, 128", "random128", SHIPPED_TOP_K),
    control_entry("random256relu", "random directions, ReLU, 256", "random256", LatentKind::Relu),
    control_entry("topk256_permdec", "TopK, 256, decoder permuted", "topk256_permdec", SHIPPED_TOP_K),
    NamedDictionary {
        name: RESIDUAL_STREAM_NAME,
        label: "no dictionary: the residual stream",
        file: "",
        tensors: "",
        kind: LatentKind::Itself,
        role: DictionaryRole::Control,
    },
];

/// The first of [`DICTIONARIES`] as what a field may hold; with `own`, the last one is the autoencoder that somebody
/// trained here.
pub(crate) const fn dictionary_choices<const N: usize>(own: bool) -> [Choice; N] {
    let mut choices = [choice(USER_TRAINED_NAME, "the one trained here", ""); N];
    let end = if own { N - 1 } else { N };
    let mut at = 0;
    while at < end {
        choices[at] = choice(DICTIONARIES[at].name, DICTIONARIES[at].label, "");
        at += 1;
    }
    choices
}

/// An autoencoder: h = f((x − b_dec)·W_encᵀ + b_enc), x̂ = h·W_dec + b_dec.
#[derive(Clone, Debug)]
pub struct Dictionary {
    kind: LatentKind,
    width: usize,
    latents: usize,
    encoder: WeightPanels,
    encoder_bias: Vec<f32>,
    /// Latents × width.
    decoder: Vec<f32>,
    decoder_bias: Vec<f32>,
    /// Thresholds or gates, where there are some, and how rows are normalised.
    gate: Gate,
    normalisation: RowNorm,
    /// One that was trained here.
    trained: Option<Autoencoder>,
}

/// What lets pre-activations through.
#[derive(Clone, Debug, Default)]
enum Gate {
    /// That they are positive.
    #[default]
    Positive,
    /// That they exceed the latent's threshold.
    Thresholds(Vec<f32>),
    /// That they are, of a row, among so many of the largest in magnitude.
    TopK(usize),
    /// That they are positive and, times the latent's number, among so many of the largest of a row.
    RankedTopK(usize, Vec<f64>),
    /// That a pursuit of these rows (latents × width), in double precision, takes them.
    MatchingPursuit(MatchingPursuit, Matrix),
    /// That they are positive and the largest of the latent's group.
    Groups(Vec<f64>),
    /// That they are positive; what gets through is x·W_encᵀ times a gain, and an offset.
    Magnitudes { gains: Vec<f32>, offsets: Vec<f32> },
}

impl Dictionary {
    /// Of plain numbers: `encoder` and `decoder` are latents × width.
    ///
    /// # Errors
    /// [`ModelError::Size`] where a length does not fit the others.
    pub fn new(
        encoder: &[f32],
        encoder_bias: Vec<f32>,
        decoder: Vec<f32>,
        decoder_bias: Vec<f32>,
        kind: LatentKind,
    ) -> Result<Self, ModelError> {
        let (latents, width) = (encoder_bias.len(), decoder_bias.len());
        for (field, found) in [("W_enc", encoder.len()), ("W_dec", decoder.len())] {
            if found != latents * width || found == 0 {
                let allowed = format!("{latents} × {width} numbers");
                return Err(ModelError::size(field, found, allowed));
            }
        }
        let mut panels = WeightPanels::default();
        panels.fill(encoder, width);
        Ok(Self {
            kind,
            width,
            latents,
            encoder: panels,
            encoder_bias,
            decoder,
            decoder_bias,
            gate: Gate::default(),
            normalisation: RowNorm::None,
            trained: None,
        })
    }

    /// Of an autoencoder of any architecture, in single precision.
    ///
    /// # Errors
    /// [`ModelError::Size`] where a length does not fit the others, and for a transcoder.
    pub fn from_weights(weights: &Weights) -> Result<Self, ModelError> {
        weights.check_not_transcoder()?;
        let single = |values: &[f64]| values.iter().map(|value| *value as f32).collect::<Vec<f32>>();
        let latents = weights.encoder_bias.len();
        for (field, values) in weights.activation.vectors() {
            if values.len() != latents {
                let allowed = format!("{latents} numbers");
                return Err(ModelError::size(field, values.len(), allowed));
            }
        }
        let (kind, gate) = match &weights.activation {
            Activation::Relu => (LatentKind::Relu, Gate::Positive),
            Activation::TopK(kept) => (LatentKind::TopK(*kept), Gate::Positive),
            Activation::AbsTopK(kept) => (LatentKind::Relu, Gate::TopK(*kept)),
            Activation::RankedTopK { kept, norms } => (LatentKind::Relu, Gate::RankedTopK(*kept, norms.clone())),
            Activation::MatchingPursuit(pursuit) => {
                (LatentKind::Relu, Gate::MatchingPursuit(*pursuit, weights.encoder.clone()))
            }
            Activation::GroupMax(groups) => (LatentKind::Relu, Gate::Groups(groups.clone())),
            Activation::JumpRelu(thresholds) => (LatentKind::Relu, Gate::Thresholds(single(thresholds))),
            Activation::Gated { gains, offsets } => {
                let (gains, offsets) = (single(gains), single(offsets));
                (LatentKind::Relu, Gate::Magnitudes { gains, offsets })
            }
        };
        let plain = Self::new(
            &single(weights.encoder.data()),
            single(&weights.encoder_bias),
            single(weights.decoder.data()),
            single(&weights.decoder_bias),
            kind,
        )?;
        Ok(Self { gate, normalisation: weights.normalisation.clone(), ..plain })
    }

    /// The tensors `NAME.W_enc` and `NAME.W_dec` (latents × width), `NAME.b_enc` and `NAME.b_dec` of a file.
    ///
    /// # Errors
    /// [`ModelError`]: a missing tensor, a shape that does not fit.
    pub fn open(file: &DataFile, name: &str, kind: LatentKind) -> Result<Self, ModelError> {
        let read = |tensor: &str| {
            let tensor = format!("{name}.{tensor}");
            let array = file
                .array(&tensor)
                .map_err(|_| ModelError::Missing { file: file.name().to_owned(), tensor: tensor.clone() })?;
            Ok::<_, ModelError>(array.read_all()?)
        };
        Self::new(&read("W_enc")?, read("b_enc")?, read("W_dec")?, read("b_dec")?, kind)
    }

    /// Rows as they are.
    #[must_use]
    pub fn identity(width: usize) -> Self {
        let mut decoder = vec![0.0; width * width];
        decoder.iter_mut().step_by(width + 1).for_each(|value| *value = 1.0);
        Self {
            kind: LatentKind::Itself,
            width,
            latents: width,
            encoder: WeightPanels::default(),
            encoder_bias: Vec::new(),
            decoder,
            decoder_bias: vec![0.0; width],
            gate: Gate::default(),
            normalisation: RowNorm::None,
            trained: None,
        }
    }

    /// One that was trained, of whichever family.
    #[must_use]
    pub fn from_trained(autoencoder: Autoencoder) -> Self {
        let parameters = autoencoder.parameters();
        Self {
            kind: LatentKind::Trained,
            width: parameters.input_width(),
            latents: parameters.latent_count(),
            encoder: WeightPanels::default(),
            encoder_bias: Vec::new(),
            decoder: parameters.decoder().to_vec(),
            decoder_bias: parameters.b_dec().to_vec(),
            gate: Gate::default(),
            normalisation: RowNorm::None,
            trained: Some(autoencoder),
        }
    }

    /// How many latents.
    #[must_use]
    pub fn latent_count(&self) -> usize {
        self.latents
    }

    /// Numbers of a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// How its latents are made.
    #[must_use]
    pub fn kind(&self) -> LatentKind {
        self.kind
    }

    /// A latent's direction in the residual stream; nothing where there is no such latent.
    #[must_use]
    pub fn direction(&self, latent: usize) -> &[f32] {
        self.decoder.get(latent * self.width..(latent + 1) * self.width).unwrap_or(&[])
    }

    /// The latents of rows (rows × width): rows × latents.
    #[must_use]
    pub fn encode(&self, rows: &[f32]) -> Vec<f32> {
        let kept = match self.kind {
            LatentKind::Itself => return rows.to_vec(),
            LatentKind::Trained => return self.encode_trained(rows),
            LatentKind::Relu => None,
            LatentKind::TopK(kept) => Some(kept),
        };
        if let Gate::MatchingPursuit(pursuit, latents) = &self.gate {
            return self.encode_pursuit(rows, pursuit, latents);
        }
        let mut centred = rows.to_vec();
        for row in centred.chunks_exact_mut(self.width) {
            self.normalise(row);
            row.iter_mut().zip(&self.decoder_bias).for_each(|(x, bias)| *x -= bias);
        }
        let mut codes = vec![0.0; rows.len() / self.width * self.latents];
        if let Gate::Magnitudes { gains, offsets } = &self.gate {
            single_precision::affine(&centred, &self.encoder, &vec![0.0; self.latents], &mut codes);
            for row in codes.chunks_exact_mut(self.latents) {
                let latents = row.iter_mut().zip(&self.encoder_bias).zip(gains.iter().zip(offsets));
                for ((code, bias), (gain, offset)) in latents {
                    let open = *code + bias > 0.0;
                    *code = if open { (*code * gain + offset).max(0.0) } else { 0.0 };
                }
            }
            return codes;
        }
        single_precision::affine(&centred, &self.encoder, &self.encoder_bias, &mut codes);
        let (mut selector, mut chosen) = (TopKSelector::default(), Vec::new());
        for row in codes.chunks_exact_mut(self.latents) {
            match &self.gate {
                Gate::Thresholds(thresholds) => {
                    let latents = row.iter_mut().zip(thresholds);
                    let closed = latents.filter(|(code, least)| **code <= **least);
                    closed.for_each(|(code, _)| *code = 0.0);
                }
                Gate::TopK(kept) => {
                    keep_top_k(row, *kept, |_, code| code.abs());
                    continue;
                }
                Gate::RankedTopK(kept, norms) => {
                    keep_top_k(row, *kept, |latent, code| code * norms[latent]);
                }
                Gate::Groups(groups) => keep_group_max(row, groups),
                Gate::Positive | Gate::Magnitudes { .. } | Gate::MatchingPursuit(..) => {}
            }
            let Some(kept) = kept else {
                row.iter_mut().for_each(|code| *code = code.max(0.0));
                continue;
            };
            selector.top_k(row, kept, &mut chosen);
            row.fill(0.0);
            for (latent, value) in &chosen {
                row[*latent as usize] = *value;
            }
        }
        codes
    }

    /// Normalises a row in place; says by what a direction's multiple has to be multiplied to be one of the row as it was.
    /// A row that has no normalisation stays as it is.
    fn normalise(&self, row: &mut [f32]) -> f32 {
        if self.normalisation == RowNorm::None {
            return 1.0;
        }
        let mut wide: Vec<f64> = row.iter().map(|value| f64::from(*value)).collect();
        let Ok(undo) = self.normalisation.normalise(&mut wide) else { return 1.0 };
        row.iter_mut().zip(wide).for_each(|(value, wide)| *value = wide as f32);
        undo.scale as f32
    }

    /// Adds `by` times a latent's direction to a row (of [`width`](Self::width) numbers) in which its code is to grow by so
    /// much, as a decoder that undoes the row's normalisation does.
    pub fn steer(&self, row: &mut [f32], latent: usize, by: f32) {
        let scale = match self.normalisation {
            RowNorm::None => 1.0,
            _ => self.normalise(&mut row.to_vec()),
        };
        let more = by * scale;
        row.iter_mut().zip(self.direction(latent)).for_each(|(x, direction)| *x += more * direction);
    }

    /// Codes by matching pursuit: which latent comes next may hang on the last digits.
    fn encode_pursuit(&self, rows: &[f32], pursuit: &MatchingPursuit, latents: &Matrix) -> Vec<f32> {
        let mut codes = vec![0.0; rows.len() / self.width * self.latents];
        let all = rows.chunks_exact(self.width).zip(codes.chunks_exact_mut(self.latents));
        for (row, codes) in all {
            let mut row: Vec<f64> = row.iter().map(|value| f64::from(*value)).collect();
            // A row that has no normalisation stays as it is.
            let _ = self.normalisation.normalise(&mut row);
            row.iter_mut().zip(&self.decoder_bias).for_each(|(x, bias)| *x -= f64::from(*bias));
            let products = |rest: &[f64], out: &mut Vec<f64>| {
                out.clear();
                out.extend(latents.iter_rows().map(|latent| kernel::dot(rest, latent)));
            };
            let subtract = |rest: &mut [f64], value: f64, latent: u32| {
                kernel::add_scaled(rest, -value, latents.row(latent as usize));
            };
            for (latent, code) in pursuit.encode_row(&row, products, subtract) {
                codes[latent as usize] = code as f32;
            }
        }
        codes
    }

    fn encode_trained(&self, rows: &[f32]) -> Vec<f32> {
        let mut codes = vec![0.0; rows.len() / self.width * self.latents];
        let mut matrix = Matrix::zeros(rows.len() / self.width, self.width);
        matrix.data_mut().iter_mut().zip(rows).for_each(|(out, x)| *out = f64::from(*x));
        // Rows that are no numbers have no latents.
        let found = self.trained.as_ref().and_then(|trained| trained.encode_sparse(&matrix).ok());
        for (out, row) in codes.chunks_exact_mut(self.latents).zip(found.iter().flat_map(|codes| codes.rows())) {
            row.iter().for_each(|(latent, value)| out[*latent as usize] = *value);
        }
        codes
    }
}

/// Leaves so many codes of the largest size; the lower index where they are equal.
fn keep_top_k(row: &mut [f32], kept: usize, size: impl Fn(usize, f64) -> f64) {
    let sizes = row.iter().enumerate().map(|(latent, code)| size(latent, f64::from(*code)));
    let order = crate::order::argsort_descending(sizes);
    order.into_iter().skip(kept).for_each(|latent| row[latent] = 0.0);
}

/// Leaves the largest of each group; the lower index where they are equal.
fn keep_group_max(row: &mut [f32], groups: &[f64]) {
    let mut best: std::collections::BTreeMap<u64, usize> = std::collections::BTreeMap::new();
    for (latent, group) in groups.iter().enumerate().take(row.len()) {
        let at = best.entry(group.to_bits()).or_insert(latent);
        if row[latent] > row[*at] {
            *at = latent;
        }
    }
    let kept: std::collections::BTreeSet<usize> = best.into_values().collect();
    (0..row.len()).filter(|latent| !kept.contains(latent)).for_each(|latent| row[latent] = 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_magnitudes_keep_one_of_equal_ones() {
        let weights = |activation| {
            let encoder = Matrix::from_vec(4, 2, vec![1.0, 0.0, 1.0, 0.0, 0.0, 1.0, -1.0, 0.0]);
            let encoder = encoder.unwrap();
            Weights {
                decoder: encoder.clone(),
                encoder,
                encoder_bias: vec![0.0; 4],
                decoder_bias: vec![0.0; 2],
                activation,
                normalisation: RowNorm::None,
                transcoder: None,
            }
        };
        let codes = |activation, row: &[f32]| Dictionary::from_weights(&weights(activation)).unwrap().encode(row);
        let groups = Activation::GroupMax(vec![0.0, 0.0, 1.0, 1.0]);
        assert_eq!(codes(groups.clone(), &[2.0, 1.0]), [2.0, 0.0, 1.0, 0.0]);
        assert_eq!(codes(groups, &[-2.0, -1.0]), [0.0, 0.0, 0.0, 2.0]);
        assert_eq!(codes(Activation::AbsTopK(2), &[-2.0, -1.0]), [-2.0, -2.0, 0.0, 0.0]);
        // The third is the smallest of those that are positive, and the second of them by rank.
        let ranked = Activation::RankedTopK { kept: 2, norms: vec![1.0, 1.5, 3.0, 1.0] };
        assert_eq!(codes(ranked, &[2.0, 1.0]), [0.0, 2.0, 1.0, 0.0]);
        // Of what is left after the first of two equal ones nothing is left for the other.
        let pursuit = MatchingPursuit { max_iterations: 9, residual_threshold: 1e-9, stop_on_duplicate_support: true };
        assert_eq!(codes(Activation::MatchingPursuit(pursuit), &[2.0, 1.0]), [2.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn latents_are_kept_by_size_and_ties_by_index() {
        let encoder = [1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
        let make = |kind| Dictionary::new(&encoder, vec![0.0; 3], encoder.to_vec(), vec![1.0, 0.0], kind).unwrap();
        assert_eq!(make(LatentKind::TopK(1)).encode(&[3.0, 1.0]), [2.0, 0.0, 0.0]);
        assert_eq!(make(LatentKind::Relu).encode(&[3.0, -1.0]), [2.0, 2.0, 0.0]);
        assert_eq!(make(LatentKind::Relu).direction(2), [0.0, 1.0]);
        assert!(make(LatentKind::Relu).direction(3).is_empty());
        let lying = Dictionary::new(&encoder, vec![0.0; 2], Vec::new(), vec![0.0; 2], LatentKind::Relu);
        assert!(lying.unwrap_err().to_string().starts_with("W_enc = 6; allowed: 2 × 2"));
    }

    #[test]
    fn the_residual_stream_is_its_own_dictionary() {
        let residual = Dictionary::identity(2);
        assert_eq!(residual.encode(&[-1.0, 2.0]), [-1.0, 2.0]);
        assert_eq!(residual.direction(1), [0.0, 1.0]);
    }
}
