//! An autoencoder in the place of what it reconstructs: what the model makes of that.

use serde::Serialize;

use super::{Coder, Dictionary, Folder, SaeError, Transcoder};
use crate::Matrix;
use crate::model::{Batch, Decoder, Hook, Hooks, ModelError, Seen};
use crate::synthetic::language::Token;

/// A trained autoencoder, ready to reconstruct activations.
pub struct Autoencoder {
    dictionary: Dictionary,
    coder: Coder,
}

impl Autoencoder {
    /// Reads the weights of a folder.
    ///
    /// # Errors
    /// As [`Folder::shape`]; [`SaeError::Io`]; [`SaeError::Config`], also for a transcoder, whose output belongs
    /// elsewhere than its input.
    pub fn open(folder: &Folder) -> Result<Self, SaeError> {
        folder.shape()?;
        if folder.config.transcoder == Transcoder::Yes {
            return Err(SaeError::Config {
                file: folder.config_file.clone(),
                field: "architecture".to_owned(),
                found: "a transcoder".to_owned(),
                allowed: "an autoencoder, which reconstructs its own input".to_owned(),
            });
        }
        let (dictionary, coder) = Coder::trained(folder)?;
        Ok(Self { dictionary, coder })
    }

    /// Width of the activations, and number of latents.
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.dictionary.d, self.dictionary.k)
    }
}

/// What an autoencoder is put in the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Its reconstruction alone.
    Reconstruction,
    /// Its reconstruction and what that lacks: the activation itself, up to rounding.
    WithError,
    /// Zeros, to hold the others against.
    Zeros,
}

/// Puts an autoencoder's reconstruction in the place of an activation.
pub struct Splice<'a> {
    autoencoder: &'a Autoencoder,
    hook: Hook,
    replacement: Replacement,
    /// What went wrong; the activation stays then.
    error: Option<SaeError>,
    rows: usize,
    active: usize,
    /// Sums over rows of squares of what the reconstruction lacks.
    lost: f64,
}

impl<'a> Splice<'a> {
    /// At a hook.
    #[must_use]
    pub fn new(autoencoder: &'a Autoencoder, hook: Hook, replacement: Replacement) -> Self {
        Self { autoencoder, hook, replacement, error: None, rows: 0, active: 0, lost: 0.0 }
    }

    /// Latents that are active for a row, on average, and the mean square of what its reconstruction lacks.
    ///
    /// # Errors
    /// What went wrong in a run.
    pub fn finish(self) -> Result<(f64, f64), SaeError> {
        let rows = self.rows.max(1) as f64;
        let width = self.autoencoder.shape().0 as f64;
        self.error.map_or(Ok((self.active as f64 / rows, self.lost / (rows * width))), Err)
    }

    fn replace(&mut self, values: &mut [f32]) -> Result<(), SaeError> {
        let width = self.autoencoder.shape().0;
        if self.replacement == Replacement::Zeros {
            values.fill(0.0);
            return Ok(());
        }
        /// Rows that are encoded at a time.
        const ROWS: usize = 256;
        for values in values.chunks_mut(ROWS * width) {
            let wide = values.iter().copied().map(f64::from).collect();
            let x = Matrix::from_vec(values.len() / width, width, wide).map_err(|_| {
                SaeError::Row { row: 0, why: "have another width", normalisation: "none" }
            })?;
            let Autoencoder { dictionary, coder } = self.autoencoder;
            let passed = coder.pass(dictionary, &x, self.rows, None, &Matrix::zeros(0, 0))?;
            self.rows += x.rows();
            self.active += passed.active.iter().map(Vec::len).sum::<usize>();
            let all = values.iter_mut().zip(x.iter_rows().flatten());
            for ((value, x), found) in all.zip(passed.decoded.iter_rows().flatten()) {
                self.lost += (x - found) * (x - found);
                *value = match self.replacement {
                    Replacement::WithError => (found + (x - found)) as f32,
                    _ => *found as f32,
                };
            }
        }
        Ok(())
    }
}

impl Hooks for Splice<'_> {
    fn wants(&self, hook: Hook) -> bool {
        hook == self.hook
    }

    fn at(&mut self, _: Hook, seen: &mut Seen<'_>) {
        if self.error.is_none() {
            self.error = self.replace(seen.values).err();
        }
    }
}

/// What becomes of a text's foretelling where an autoencoder stands in the place of an activation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SpliceReport {
    /// Tokens that cross-entropies are averages of: all but the first of the text.
    pub tokens: usize,
    /// Latents that are active for a position, on average.
    pub l0: f64,
    /// Mean square of what the reconstruction lacks.
    pub mse: f64,
    /// Mean cross-entropy of the model as it is, in nats.
    pub cross_entropy: f64,
    /// The same with the autoencoder.
    pub cross_entropy_spliced: f64,
    /// The same with zeros in the place of the activation.
    pub cross_entropy_zero: f64,
    /// (zero − spliced)/(zero − as it is): 1 where nothing is lost. Nothing where zeros change nothing.
    pub recovered: Option<f64>,
    /// Mean over positions of KL(as it is ‖ with the autoencoder), in nats.
    pub kl: f64,
    /// Share of positions at which both have the same likeliest token.
    pub top1_agreement: f64,
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
        }
    }
}

/// ln of the sum of exponentials, and the likeliest token: of equal ones the first.
fn of_row(logits: &[f32]) -> (f64, usize) {
    let mut most = 0;
    for (at, logit) in logits.iter().enumerate() {
        if *logit > logits[most] {
            most = at;
        }
    }
    (crate::model::log_sum_exp(logits), most)
}

/// Runs a model on a text as it is, with an autoencoder at a hook, and with zeros there.
///
/// # Errors
/// [`SpliceError`].
pub fn splice(
    model: &Decoder,
    autoencoder: &Autoencoder,
    hook: Hook,
    replacement: Replacement,
    tokens: &[Token],
) -> Result<SpliceReport, SpliceError> {
    let (heads, width) = model.architecture().hook_shape(hook).ok_or(ModelError::Hook { hook })?;
    let (found, allowed) = (heads * width, autoencoder.shape().0);
    if found != allowed {
        return Err(SpliceError::Width { hook, found, allowed });
    }
    if tokens.len() < 2 {
        let allowed = "at least 2".to_owned();
        let field = "tokens of a text";
        return Err(ModelError::Size { field, found: tokens.len(), allowed }.into());
    }
    let batch = Batch::new(&[tokens])?;
    let mut with = Splice::new(autoencoder, hook, replacement);
    let mut zeros = Splice::new(autoencoder, hook, Replacement::Zeros);
    let plain = model.final_normalized(&batch, &mut ())?;
    let spliced = model.final_normalized(&batch, &mut with)?;
    let (l0, mse) = with.finish()?;
    let zero = model.final_normalized(&batch, &mut zeros)?;

    let (mut entropies, mut kl, mut agreed) = ([0.0; 3], 0.0, 0);
    let (mut row, mut finite) = (0, true);
    model.each_logits_of([&plain, &spliced, &zero], |[a, b, c]| {
        let all = [a, b, c].map(|logits| (logits, of_row(logits)));
        finite &= all.iter().all(|(_, (sum, _))| sum.is_finite());
        if let Some(next) = tokens.get(row + 1) {
            for (entropy, (logits, (sum, _))) in entropies.iter_mut().zip(&all) {
                *entropy += sum - logits.get(*next as usize).copied().map_or(0.0, f64::from);
            }
        }
        let [(a, (sum, most)), (b, (other, likeliest)), _] = all;
        agreed += usize::from(most == likeliest);
        for (a, b) in a.iter().zip(b) {
            let a = f64::from(*a) - sum;
            kl += libm::exp(a) * (a - (f64::from(*b) - other));
        }
        row += 1;
    });
    if !finite {
        return Err(ModelError::NonFinite.into());
    }
    let count = tokens.len() - 1;
    let [plain, spliced, zero] = entropies.map(|sum| sum / count as f64);
    Ok(SpliceReport {
        tokens: count,
        l0,
        mse,
        cross_entropy: plain,
        cross_entropy_spliced: spliced,
        cross_entropy_zero: zero,
        recovered: (zero != plain).then(|| (zero - spliced) / (zero - plain)),
        kl: kl / tokens.len() as f64,
        top1_agreement: agreed as f64 / tokens.len() as f64,
    })
}
