//! An autoencoder in the place of what it reconstructs: what the model makes of that.

use serde::{Deserialize, Serialize};

use super::layout::Recognised;
use super::{Coder, Dictionary, SaeError, SaeFolder, TranscoderStatus};
use crate::Matrix;
use crate::cancel::{self, Cancelled};
use crate::io::match_entries;
use crate::linalg::span::{dictionary_row, widen_into};
use crate::model::{Batch, Decoder, Hook, HookedActivation, Hooks, ModelError, PredictionEffect};
use crate::rng::NumpyRng;
use crate::synthetic::language::Token;

/// A trained autoencoder, ready to reconstruct activations.
pub struct Autoencoder {
    pub(super) dictionary: Dictionary,
    pub(super) coder: Coder,
    recognised: Recognised,
}

impl Autoencoder {
    /// Reads the weights of a folder.
    ///
    /// # Errors
    /// As [`SaeFolder::shape`]; [`SaeError::Io`]; [`SaeError::Config`], also for a transcoder, whose output belongs
    /// elsewhere than its input.
    pub fn open(folder: &SaeFolder) -> Result<Self, SaeError> {
        folder.shape()?;
        if folder.config.transcoder == TranscoderStatus::Yes {
            let (file, allowed) = (&folder.config_file, "an autoencoder, which reconstructs its own input");
            return Err(SaeError::config(file, "architecture", "a transcoder", allowed));
        }
        let (dictionary, coder) = Coder::from_folder(folder)?;
        Ok(Self { dictionary, coder, recognised: folder.recognised().clone() })
    }

    /// Width of the activations, and number of latents.
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.dictionary.d, self.dictionary.k)
    }

    /// The hook of a model that its configuration names, by TransformerLens' name or Hugging Face's; by its layer alone the
    /// residual stream after it.
    #[must_use]
    pub fn hook(&self, of: &crate::model::Architecture) -> Option<Hook> {
        let named = self.recognised.hook.as_ref().and_then(|name| of.parse_hook(name).ok());
        let layer = self.recognised.layer.map(|layer| layer as usize);
        let after = layer.map(|layer| Hook::Block(layer, crate::model::Site::ResidPost));
        let unnamed = self.recognised.hook.is_none();
        named.or_else(|| after.filter(|hook| unnamed && of.hook_shape(*hook).is_some()))
    }

    /// What its files are.
    #[must_use]
    pub fn recognised(&self) -> &Recognised {
        &self.recognised
    }

    /// What a latent adds to a reconstruction, as it was trained: a row of W_dec.
    #[must_use]
    pub fn direction(&self, latent: usize) -> Option<Vec<f64>> {
        let Dictionary { d, k, rows } = &self.dictionary;
        let latent = u32::try_from(latent).ok().filter(|at| (*at as usize) < *k)?;
        let mut wide = vec![0.0; *d];
        match_entries!(rows, rows => widen_into(dictionary_row(rows, *d, latent), &mut wide));
        Some(wide)
    }

    /// A latent's activation at every row of a hook's activations.
    ///
    /// # Errors
    /// [`SaeError`]: a row that cannot be encoded.
    pub fn activations(&self, values: &[f32], latent: usize) -> Result<Vec<f64>, SaeError> {
        let rows = self.to_rows(values)?;
        let mut found = vec![0.0; rows.rows()];
        let nothing = Matrix::zeros(0, 0);
        self.coder.encode_and_decode_with(&self.dictionary, &rows, 0, (None, &nothing), &mut |row, codes| {
            let of = codes.iter().find(|(other, _)| *other as usize == latent);
            if let (Some(place), Some((_, code))) = (found.get_mut(row), of) {
                *place = *code;
            }
        })?;
        Ok(found)
    }

    /// Activations of a hook, row by row, as the autoencoder takes them.
    pub(super) fn to_rows(&self, values: &[f32]) -> Result<Matrix, SaeError> {
        let width = self.dictionary.d;
        let wide = values.iter().copied().map(f64::from).collect();
        Matrix::from_vec(values.len() / width, width, wide).map_err(|_| SaeError::Row {
            row: 0,
            why: "have another width",
            normalisation: "none",
        })
    }
}

/// What an autoencoder is put in the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Its reconstruction alone.
    Reconstruction,
    /// Its reconstruction and what that lacks: the activation itself, up to rounding.
    WithError,
    /// Zeros, a control.
    Zeros,
    /// The mean over the positions of the text but the first, a control.
    Mean,
    /// The activation and a random error at every position as long as what the splice adds to it there, a control: were all
    /// that is lost the length of the error, this would lose as much.
    RandomError {
        /// Of its directions.
        seed: u32,
        /// Whether that splice adds what the reconstruction lacks.
        with_error: bool,
    },
}

/// A latent whose code is multiplied before it is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LatentEdit {
    /// Its number, from 0.
    pub latent: u32,
    /// By what, a finite number; 0 ablates it.
    pub scale: f64,
}

/// How an autoencoder is put into a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct SpliceOptions {
    /// Whether what the reconstruction lacks is added to it.
    pub keep_error: bool,
    /// Latents that are scaled.
    pub edits: Vec<LatentEdit>,
    /// Of the random control.
    pub seed: u32,
}

/// Puts an autoencoder's reconstruction in the place of an activation.
pub struct Splice<'a> {
    autoencoder: &'a Autoencoder,
    hook: Hook,
    replacement: Replacement,
    edits: &'a [LatentEdit],
    /// What went wrong; the activation stays then.
    error: Option<SaeError>,
    /// Rows that averages are over: all but the first of a text of several.
    rows: usize,
    active: usize,
    /// Sums over rows of squares of what the reconstruction lacks.
    lost: f64,
}

impl<'a> Splice<'a> {
    /// At a hook.
    #[must_use]
    pub fn new(autoencoder: &'a Autoencoder, hook: Hook, replacement: Replacement) -> Self {
        let (rows, active) = (0, 0);
        Self { autoencoder, hook, replacement, edits: &[], error: None, rows, active, lost: 0.0 }
    }

    /// With latents scaled.
    #[must_use]
    pub fn with_edits(self, edits: &'a [LatentEdit]) -> Self {
        Self { edits, ..self }
    }

    /// Latents that are active for a row, on average, and the mean square of what its reconstruction lacks; both over all
    /// positions but the first, whose activations are outliers in many models.
    ///
    /// # Errors
    /// What went wrong in a run.
    pub fn l0_and_error(self) -> Result<(f64, f64), SaeError> {
        let rows = self.rows.max(1) as f64;
        let width = self.autoencoder.shape().0 as f64;
        self.error.map_or(Ok((self.active as f64 / rows, self.lost / (rows * width))), Err)
    }

    fn replace_values(&mut self, values: &mut [f32]) -> Result<(), SaeError> {
        let width = self.autoencoder.shape().0;
        let skipped = usize::from(values.len() > width);
        match self.replacement {
            Replacement::Zeros => {
                values.fill(0.0);
                return Ok(());
            }
            Replacement::Mean => {
                let mut sums = vec![0.0; width];
                let rows = values.chunks_exact(width).skip(skipped);
                let count = rows.len() as f64;
                for row in rows {
                    sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(*x));
                }
                for row in values.chunks_exact_mut(width) {
                    row.iter_mut().zip(&sums).for_each(|(x, sum)| *x = (sum / count) as f32);
                }
                return Ok(());
            }
            _ => {}
        }
        /// Rows that are encoded at a time, and between which it can be ended.
        const ROWS_AT_ONCE: usize = 32;
        let mut rng = match self.replacement {
            Replacement::RandomError { seed, .. } => Some(NumpyRng::new(seed)),
            _ => None,
        };
        let Autoencoder { dictionary, coder, .. } = self.autoencoder;
        let nothing = Matrix::zeros(0, 0);
        for (block, values) in values.chunks_mut(ROWS_AT_ONCE * width).enumerate() {
            // The run that this is part of ends at its next layer.
            if cancel::is_cancelled() {
                return Ok(());
            }
            let first = block * ROWS_AT_ONCE;
            let x = self.autoencoder.to_rows(values)?;
            let passed = coder.encode_and_decode(dictionary, &x, first, None, &nothing)?;
            let edited = match self.edits {
                [] => None,
                edits => {
                    Some(coder.encode_and_decode_with(dictionary, &x, first, (None, &nothing), &mut |_, codes| {
                        for (latent, code) in codes {
                            let of = edits.iter().filter(|edit| edit.latent == *latent);
                            of.for_each(|edit| *code *= edit.scale);
                        }
                    })?)
                }
            };
            let decoded = edited.as_ref().unwrap_or(&passed);
            for (index, row) in values.chunks_exact_mut(width).enumerate() {
                let (x, whole) = (x.row(index), passed.decoded.row(index));
                let lost: f64 = x.iter().zip(whole).map(|(x, found)| (x - found) * (x - found)).sum();
                if first + index >= skipped {
                    self.rows += 1;
                    self.active += passed.active_features.get(index).map_or(0, Vec::len);
                    self.lost += lost;
                }
                let found = decoded.decoded.row(index);
                let with_error = match self.replacement {
                    Replacement::WithError => true,
                    Replacement::RandomError { with_error, .. } => with_error,
                    _ => false,
                };
                let new = x.iter().zip(whole).zip(found).map(
                    |((x, whole), found)| {
                        if with_error { found + (x - whole) } else { *found }
                    },
                );
                let Some(rng) = &mut rng else {
                    row.iter_mut().zip(new).for_each(|(value, new)| *value = new as f32);
                    continue;
                };
                let added = new.zip(x).map(|(new, x)| (new - x) * (new - x)).sum::<f64>().sqrt();
                let mut noise = vec![0.0; width];
                rng.fill_standard_normal(&mut noise);
                let length = noise.iter().map(|x| x * x).sum::<f64>().sqrt();
                let by = if length > 0.0 { added / length } else { 0.0 };
                for ((value, x), noise) in row.iter_mut().zip(x).zip(&noise) {
                    *value = (x + noise * by) as f32;
                }
            }
        }
        Ok(())
    }
}

impl Hooks for Splice<'_> {
    fn wants(&self, hook: Hook) -> bool {
        hook == self.hook
    }

    fn on_activation(&mut self, _: Hook, seen: &mut HookedActivation<'_>) {
        if self.error.is_none() {
            self.error = self.replace_values(seen.values).err();
        }
    }
}

/// What becomes of a text's foretelling where an autoencoder stands in the place of an activation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SpliceReport {
    /// TransformerLens' name of the place.
    pub hook: String,
    /// How it was put there.
    #[serde(flatten)]
    pub options: SpliceOptions,
    /// Tokens that cross-entropies are averages of: all but the first of the text.
    pub tokens: usize,
    /// Latents that are active for a position but the first, on average.
    pub l0: f64,
    /// Mean square of what the reconstruction lacks at positions but the first.
    pub mse: f64,
    /// Mean cross-entropy of the model as it is, in nats.
    pub cross_entropy: f64,
    /// The same with the autoencoder.
    pub cross_entropy_spliced: f64,
    /// The same with zeros in the place of the activation.
    pub cross_entropy_zero: f64,
    /// (zero − spliced)/(zero − as it is): 1 where nothing is lost. Nothing where zeros change nothing; where
    /// `zeros_lose` is false, zeros lower the loss, and more of this is not better.
    pub recovered: Option<f64>,
    /// Whether zeros raise the loss, so that there is something to recover.
    pub zeros_lose: bool,
    /// Mean over positions of KL(as it is ‖ with the autoencoder), in nats.
    pub kl: f64,
    /// Share of positions at which both have the same likeliest token.
    pub top1_agreement: f64,
    /// What else in the place of the activation comes to.
    pub controls: Vec<SpliceControl>,
}

/// A control in the place of the activation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct SpliceControl {
    /// "zeros", "mean" or "random error".
    pub name: &'static str,
    /// What it does.
    #[serde(flatten)]
    pub effect: PredictionEffect,
    /// As [`SpliceReport::recovered`]: 0 for zeros.
    pub recovered: Option<f64>,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpliceError {
    /// The model cannot be run.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The autoencoder cannot encode what stands there.
    #[error(transparent)]
    Sae(#[from] SaeError),
    /// The autoencoder is of another width than the activation.
    #[error("{hook}: activations of {found} numbers; allowed: {allowed}, the autoencoder's")]
    Width {
        /// The place.
        hook: Hook,
        /// Its width.
        found: usize,
        /// The autoencoder's.
        allowed: usize,
    },
    /// An edit of a latent that the autoencoder does not have.
    #[error("latent = {found}; allowed: 0 to {last}")]
    Latent {
        /// The latent.
        found: u64,
        /// The autoencoder's last.
        last: usize,
    },
    /// A latent is scaled by what is no finite number.
    #[error("scale of latent {latent} = {found}; allowed: a finite number")]
    Scale {
        /// The latent.
        latent: u32,
        /// By what.
        found: f64,
    },
}

impl From<Cancelled> for SpliceError {
    fn from(cancelled: Cancelled) -> Self {
        ModelError::from(cancelled).into()
    }
}

impl SpliceError {
    /// A stable code, e.g. `splice.width`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Model(error) => error.code(),
            Self::Sae(SaeError::Io(error)) => error.code(),
            Self::Sae(SaeError::Row { .. }) => "evaluate.row",
            Self::Sae(SaeError::NonFinite { .. }) => "evaluate.non-finite",
            Self::Sae(_) => "evaluate.config",
            Self::Width { .. } => "splice.width",
            Self::Latent { .. } => "splice.latent",
            Self::Scale { .. } => "splice.scale",
        }
    }
}

/// Holds an autoencoder's width against that of what is at a hook.
pub(super) fn check_width(model: &Decoder, autoencoder: &Autoencoder, hook: Hook) -> Result<(), SpliceError> {
    let (heads, width) = model.architecture().hook_shape(hook).ok_or(ModelError::Hook { hook })?;
    let (found, allowed) = (heads * width, autoencoder.shape().0);
    if found == allowed { Ok(()) } else { Err(SpliceError::Width { hook, found, allowed }) }
}

/// Runs a model on a text as it is, with an autoencoder at a hook, and with controls there: zeros, the mean of the
/// activations, and a random error as long as what the splice adds.
///
/// # Errors
/// [`SpliceError`].
pub fn splice(
    model: &Decoder,
    autoencoder: &Autoencoder,
    hook: Hook,
    options: &SpliceOptions,
    tokens: &[Token],
) -> Result<SpliceReport, SpliceError> {
    check_width(model, autoencoder, hook)?;
    let last = autoencoder.shape().1.saturating_sub(1);
    if let Some(edit) = options.edits.iter().find(|edit| edit.latent as usize > last) {
        return Err(SpliceError::Latent { found: edit.latent.into(), last });
    }
    if let Some(edit) = options.edits.iter().find(|edit| !edit.scale.is_finite()) {
        return Err(SpliceError::Scale { latent: edit.latent, found: edit.scale });
    }
    if tokens.len() < 2 {
        return Err(ModelError::size("tokens of a text", tokens.len(), "at least 2").into());
    }
    let batch = Batch::new(&[tokens])?;
    let run = |replacement, edits| {
        let mut hooks = Splice::new(autoencoder, hook, replacement).with_edits(edits);
        let found = model.final_normalized(&batch, &mut hooks)?;
        Ok::<_, SpliceError>((found, hooks.l0_and_error()?))
    };
    let edits = options.edits.as_slice();
    let (plain, replacement) = (
        model.final_normalized(&batch, &mut ())?,
        match options.keep_error {
            true => Replacement::WithError,
            false => Replacement::Reconstruction,
        },
    );
    let (spliced, (l0, mse)) = run(replacement, edits)?;
    let random = Replacement::RandomError { seed: options.seed, with_error: options.keep_error };
    let controls =
        [("zeros", Replacement::Zeros, &[][..]), ("mean", Replacement::Mean, &[]), ("random error", random, edits)];
    let others = controls.map(|(name, replacement, edits)| Ok((name, run(replacement, edits)?.0)));
    let others = others.into_iter().collect::<Result<Vec<_>, SpliceError>>()?;
    let mut runs: Vec<&[f32]> = vec![&plain, &spliced];
    runs.extend(others.iter().map(|(_, found)| found.as_slice()));
    let effects = model.prediction_effects(tokens, &runs)?;
    let entropy = |at: usize| effects.get(at).and_then(|effect| effect.cross_entropy);
    let (Some(plain), Some(spliced), Some(zero), Some(&PredictionEffect { kl, top1_agreement, .. })) =
        (entropy(0), entropy(1), entropy(2), effects.get(1))
    else {
        return Err(ModelError::NonFinite.into());
    };
    let recovered = |entropy: f64| (zero != plain).then(|| (zero - entropy) / (zero - plain));
    let controls = others.iter().zip(effects.iter().skip(2));
    let controls = controls.map(|((name, _), effect)| SpliceControl {
        name,
        effect: *effect,
        recovered: effect.cross_entropy.and_then(recovered),
    });
    Ok(SpliceReport {
        hook: hook.to_string(),
        options: options.clone(),
        tokens: tokens.len() - 1,
        l0,
        mse,
        cross_entropy: plain,
        cross_entropy_spliced: spliced,
        cross_entropy_zero: zero,
        recovered: recovered(spliced),
        zeros_lose: zero > plain,
        kl,
        top1_agreement,
        controls: controls.collect(),
    })
}
