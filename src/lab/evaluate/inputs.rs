//! What is read: the reader's files, each for what it is taken for.

use std::rc::Rc;

use super::EvaluationError;
use super::report::InputFile;
use crate::io::{ArrayRef, DataFile, IoError, MatrixView};
use crate::sae::{CodesBy, Normalisation, SaeFolder, TranscoderStatus};

/// What arrays are called where a file has several and none is named.
pub mod usual {
    /// The activations.
    pub const ACTIVATIONS_NAMES: &[&str] = &["activations", "acts"];
    /// A dictionary.
    pub const DICTIONARY_NAMES: &[&str] = &["W", "W_dec", "dictionary"];
    /// Codes on it.
    pub const CODES_NAMES: &[&str] = &["codes"];
    /// A decoder's bias.
    pub const DECODER_BIAS_NAMES: &[&str] = &["b_dec", "decoder_bias"];
    /// What codes are decoded to.
    pub const RECONSTRUCTION_NAMES: &[&str] = &["reconstruction", "a_hat"];
    /// A readout's weights.
    pub const READOUT_NAMES: &[&str] = &["W_out", "weight", "readout"];
    /// Its bias.
    pub const READOUT_BIAS_NAMES: &[&str] = &["b_out", "bias", "readout_bias"];
}

/// Codes on a dictionary that comes alone.
#[derive(Clone)]
pub enum CodesSource {
    /// Made here.
    Computed(CodesBy),
    /// From a file (N × K).
    FromFile(ArrayRef),
    /// From a file, of a decoder that adds a bias.
    FromFileWithBias {
        /// The codes (N × K).
        codes: ArrayRef,
        /// b_dec (D), which reconstructions have added.
        bias: ArrayRef,
    },
    /// From a file, with what they are decoded to, by whatever decoder: not by the dictionary, whose row space is measured.
    FromFileWithReconstruction {
        /// The codes (N × K).
        codes: ArrayRef,
        /// The reconstructions (N × D).
        reconstruction: ArrayRef,
    },
    /// Made here: the largest of the projection of a row's deviation from a middle.
    TopAboutMean {
        /// How many of a row.
        kept: usize,
        /// Whether they are the largest in magnitude, of either sign; or of those above 0.
        signed: bool,
        /// The middle (D), which reconstructions have added.
        middle: Rc<[f64]>,
    },
}

/// What is scored.
#[derive(Clone)]
pub enum DecompositionInput {
    /// An autoencoder.
    Sae(SaeFolder),
    /// A transcoder, which reconstructs other activations than it reads.
    Transcoder {
        /// Its weights.
        folder: SaeFolder,
        /// What it reconstructs (N × D of these).
        targets: ArrayRef,
    },
    /// A dictionary W (K × D) alone.
    Dictionary {
        /// W.
        dictionary: ArrayRef,
        /// How codes are made; or the codes.
        codes: CodesSource,
    },
}

/// A folder as a transcoder's, beside which a file of targets is named.
///
/// # Errors
/// [`EvaluationError::Sae`] where it is an autoencoder's.
pub(crate) fn as_transcoder(folder: SaeFolder, targets: &str) -> Result<SaeFolder, EvaluationError> {
    let weights = Rc::clone(&folder.weights);
    folder.into_transcoder().ok_or_else(|| {
        let allowed =
            format!("none with {}, an autoencoder, which reconstructs the activations that it reads", weights.name());
        EvaluationError::invalid_option("targets", targets, allowed)
    })
}

/// Refuses a transcoder without targets.
///
/// # Errors
/// [`EvaluationError::Targets`].
pub(crate) fn reject_missing_targets(folder: &SaeFolder) -> Result<(), EvaluationError> {
    if folder.config.transcoder != TranscoderStatus::Yes {
        return Ok(());
    }
    let file = folder.weights.name().to_owned();
    Err(EvaluationError::Targets { file, hook: folder.recognised().hook_out.clone() })
}

impl DecompositionInput {
    /// An autoencoder: the name and bytes of its configuration, and the open weights.
    ///
    /// # Errors
    /// As [`SaeFolder::new`].
    pub fn from_sae(name: &str, json: Vec<u8>, weights: Rc<DataFile>) -> Result<Self, EvaluationError> {
        Ok(Self::Sae(SaeFolder::new(name, json, weights)?))
    }

    /// A transcoder of what is reconstructed as `targets`.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] where it is an autoencoder.
    pub fn from_transcoder(folder: SaeFolder, targets: ArrayRef) -> Result<Self, EvaluationError> {
        let folder = as_transcoder(folder, targets.file().name())?;
        Ok(Self::Transcoder { folder, targets })
    }

    /// The autoencoder or transcoder, where it is one.
    pub(super) fn folder(&self) -> Option<&SaeFolder> {
        match self {
            Self::Sae(folder) | Self::Transcoder { folder, .. } => Some(folder),
            Self::Dictionary { .. } => None,
        }
    }

    /// What is reconstructed, where that is not what is read.
    pub(super) fn targets(&self) -> Option<&ArrayRef> {
        match self {
            Self::Transcoder { targets, .. } => Some(targets),
            _ => None,
        }
    }

    /// The width of the rows that it reads and, where rows of heads or layers come to that, of what it reconstructs; none
    /// where both are the activations'.
    pub(super) fn widths(&self) -> Option<[usize; 2]> {
        self.folder().and_then(|folder| folder.shape().ok()).map(|(_, widths)| widths)
    }

    /// What was named, of an autoencoder and of a dictionary with codes or a way to make them.
    ///
    /// # Errors
    /// [`EvaluationError::SaeOrDictionary`] where it is not one of the two.
    pub fn from_options(
        sae: Option<SaeFolder>,
        dictionary: Option<ArrayRef>,
        codes: Option<ArrayRef>,
        bias: Option<ArrayRef>,
        by: CodesBy,
    ) -> Result<Self, EvaluationError> {
        if let (None, Some(bias)) = (&codes, &bias) {
            let allowed = "none without codes, which are those of a decoder with this bias";
            return Err(EvaluationError::invalid_option("decoder_bias", bias.file().name(), allowed));
        }
        match (sae, dictionary) {
            (Some(folder), None) => Ok(Self::Sae(folder)),
            (None, Some(dictionary)) => {
                let codes = match (codes, bias) {
                    (None, _) => CodesSource::Computed(by),
                    (Some(codes), None) => CodesSource::FromFile(codes),
                    (Some(codes), Some(bias)) => CodesSource::FromFileWithBias { codes, bias },
                };
                Ok(Self::Dictionary { dictionary, codes })
            }
            _ => Err(EvaluationError::SaeOrDictionary),
        }
    }

    /// The same with what its codes are decoded to.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] where it is not a dictionary with codes, or has a bias that would be added.
    pub fn with_reconstruction(self, reconstruction: ArrayRef) -> Result<Self, EvaluationError> {
        match self {
            Self::Dictionary { dictionary, codes: CodesSource::FromFile(codes) } => Ok(Self::Dictionary {
                dictionary,
                codes: CodesSource::FromFileWithReconstruction { codes, reconstruction },
            }),
            _ => Err(EvaluationError::invalid_option(
                "reconstruction",
                reconstruction.file().name(),
                "beside a dictionary and codes, without a bias, which a reconstruction has in it",
            )),
        }
    }

    /// K and the width of what is scored, where the shapes fit `rows` rows of `d` activations.
    pub(super) fn check_shapes(&self, rows: usize, d: usize) -> Result<(usize, usize), EvaluationError> {
        match self {
            Self::Sae(folder) => {
                reject_missing_targets(folder)?;
                let decoder = folder.weights.array("W_dec")?;
                let (k, [_, width]) = folder.shape()?;
                if folder.config.normalisation == Normalisation::Whitening {
                    let matrix = folder.weights.array("matrix")?;
                    matrix.expect_shape(d, width, "one row a dimension of the activations")?;
                } else if width != d {
                    decoder.expect_shape(decoder.rows(), d, "as wide as the activations")?;
                }
                Ok((k, d))
            }
            Self::Transcoder { folder, targets } => {
                let (k, [read, width]) = folder.shape()?;
                let encoder = folder.weights.array("W_enc")?;
                if read != d {
                    encoder.expect_shape(d, encoder.cols(), "one row a dimension of the activations")?;
                }
                targets.expect_shape(rows, width, "one row a row of activations, as wide as W_dec")?;
                Ok((k, width))
            }
            Self::Dictionary { dictionary, codes } => {
                check_width("dictionary", dictionary, d)?;
                let k = dictionary.rows();
                match codes {
                    CodesSource::FromFile(codes)
                    | CodesSource::FromFileWithBias { codes, .. }
                    | CodesSource::FromFileWithReconstruction { codes, .. } => {
                        codes.expect_shape(rows, k, "one row a row of activations")?;
                        if let Some(made) = self.reconstruction() {
                            made.expect_shape(rows, d, "as the activations")?;
                        }
                        if let Some(bias) = self.decoder_bias() {
                            bias.expect_shape(1, d, "one a dimension")?;
                        }
                    }
                    CodesSource::Computed(CodesBy::Top(kept)) | CodesSource::TopAboutMean { kept, .. }
                        if !(1..=k).contains(kept) =>
                    {
                        let allowed = format!("top-1 to top-{k}, the number of features");
                        let found = CodesBy::Top(*kept).to_string();
                        return Err(EvaluationError::invalid_option("codes_by", found, allowed));
                    }
                    CodesSource::Computed(_) | CodesSource::TopAboutMean { .. } => {}
                }
                Ok((k, d))
            }
        }
    }

    /// Whether its weights are kept in double precision.
    pub(super) fn is_double_precision(&self) -> bool {
        match self {
            Self::Sae(folder) | Self::Transcoder { folder, .. } => {
                let wide = |name| folder.weights.array(name).is_ok_and(|array| array.dtype().exceeds_f32());
                folder.config.normalisation == Normalisation::Whitening || wide("W_dec") || wide("W_enc")
            }
            Self::Dictionary { dictionary, .. } => dictionary.array().dtype().exceeds_f32(),
        }
    }

    /// The codes that a file has.
    pub(super) fn given_codes(&self) -> Option<&ArrayRef> {
        match self {
            Self::Dictionary {
                codes:
                    CodesSource::FromFile(codes)
                    | CodesSource::FromFileWithBias { codes, .. }
                    | CodesSource::FromFileWithReconstruction { codes, .. },
                ..
            } => Some(codes),
            _ => None,
        }
    }

    /// What such codes are decoded to, where a file has that.
    pub(super) fn reconstruction(&self) -> Option<&ArrayRef> {
        match self {
            Self::Dictionary { codes: CodesSource::FromFileWithReconstruction { reconstruction, .. }, .. } => {
                Some(reconstruction)
            }
            _ => None,
        }
    }

    /// The bias of the decoder that such codes are of.
    pub(super) fn decoder_bias(&self) -> Option<&ArrayRef> {
        match self {
            Self::Dictionary { codes: CodesSource::FromFileWithBias { bias, .. }, .. } => Some(bias),
            _ => None,
        }
    }

    /// What must be known of it, in sentences.
    pub(super) fn notes(&self) -> Vec<String> {
        match self {
            Self::Sae(folder) | Self::Transcoder { folder, .. } => folder.notes(),
            Self::Dictionary { dictionary, .. } => {
                let file = dictionary.file();
                let own = ["b_dec", "W_enc", "b_enc", "threshold", "encoder.weight", "encoder.bias"];
                let taken = |name: &str| {
                    let mut biases = self.decoder_bias().into_iter();
                    biases.any(|bias| std::ptr::eq(&**bias.file(), &**file) && bias.array().name() == name)
                };
                let own = file.names().filter(|name| own.contains(name) && !taken(name));
                let own: Vec<&str> = own.collect();
                if own.is_empty() {
                    return Vec::new();
                }
                vec![format!(
                    "{}: an autoencoder's file, of which {} was taken for the dictionary; {} {} not used.",
                    file.name(),
                    dictionary.array().name(),
                    own.join(", "),
                    if own.len() > 1 { "were" } else { "was" },
                )]
            }
        }
    }

    /// What a bad fit says of weights that may be a transcoder's.
    pub(super) fn transcoder_warning(&self, r2: Option<f64>) -> Option<String> {
        let folder = self.folder().filter(|folder| folder.config.transcoder == TranscoderStatus::Unknown)?;
        r2.filter(|r2| *r2 < 0.0).map(|_| {
            format!(
                "R² is below 0: {} may be a transcoder, whose file looks the same. It is scored with the activations that it \
                 reconstructs as targets.",
                folder.weights.name()
            )
        })
    }

    /// How codes are made, in a word.
    pub(super) fn codes_label(&self) -> String {
        match self {
            Self::Sae(folder) | Self::Transcoder { folder, .. } => folder.config.architecture.label(),
            Self::Dictionary { codes: CodesSource::Computed(by), .. } => by.to_string(),
            Self::Dictionary {
                codes:
                    CodesSource::FromFile(_)
                    | CodesSource::FromFileWithBias { .. }
                    | CodesSource::FromFileWithReconstruction { .. },
                ..
            } => "given".to_owned(),
            Self::Dictionary { codes: CodesSource::TopAboutMean { kept, signed, .. }, .. } => {
                let sign = if *signed { "" } else { "positive " };
                format!("{sign}{} about the mean", CodesBy::Top(*kept))
            }
        }
    }
}

/// Refuses what is not as wide as the activations, with a word on what would be, transposed.
fn check_width(role: &'static str, picked: &ArrayRef, d: usize) -> Result<(), EvaluationError> {
    if picked.cols() != d && picked.rows() == d && !picked.is_transposed() {
        return Err(EvaluationError::Transposed {
            role,
            file: picked.file().name().to_owned(),
            rows: picked.rows(),
            cols: picked.cols(),
        });
    }
    Ok(picked.expect_shape(picked.rows(), d, "as wide as the activations")?)
}

/// The width of f's outputs, where readout and bias fit `d` activations.
pub(super) fn readout_width(
    readout: Option<&ArrayRef>,
    bias: Option<&ArrayRef>,
    d: usize,
) -> Result<Option<usize>, EvaluationError> {
    if let Some(readout) = readout {
        check_width("readout", readout, d)?;
    }
    let outputs = readout.map(ArrayRef::rows);
    if let Some(bias) = bias {
        bias.expect_shape(1, outputs.unwrap_or(0), "one a row of the readout")?;
    }
    Ok(outputs)
}

/// Everything that is read.
#[derive(Clone)]
pub struct Inputs {
    /// A (N × D), which may be several arrays.
    pub activations: ArrayRef,
    /// What is scored.
    pub decomposition: DecompositionInput,
    /// W_out (o × D) of the linear readout f(a) = W_out·a + b_out; none for the identity.
    pub readout: Option<ArrayRef>,
    /// b_out (o); none for zero. It matters only for the grand variance.
    pub readout_bias: Option<ArrayRef>,
}

impl Inputs {
    /// What is to be reconstructed.
    pub(super) fn reconstruction_target(&self) -> &ArrayRef {
        self.decomposition.targets().unwrap_or(&self.activations)
    }

    /// The arrays by their parts, in the order in which they are told; an autoencoder's weights apart.
    pub(super) fn arrays(&self) -> Vec<(&'static str, &ArrayRef)> {
        let mut all: Vec<(&str, &ArrayRef)> = self.activations.parts().map(|part| ("activations", part)).collect();
        let targets = self.decomposition.targets().into_iter().flat_map(ArrayRef::parts);
        all.extend(targets.map(|part| ("targets", part)));
        if let DecompositionInput::Dictionary { dictionary, .. } = &self.decomposition {
            all.push(("dictionary", dictionary));
        }
        all.extend(self.decomposition.given_codes().map(|codes| ("codes", codes)));
        all.extend(self.decomposition.decoder_bias().map(|bias| ("decoder bias", bias)));
        all.extend(self.decomposition.reconstruction().map(|made| ("reconstruction", made)));
        all.extend(self.readout.iter().map(|readout| ("readout", readout)));
        all.extend(self.readout_bias.iter().map(|bias| ("readout bias", bias)));
        all
    }

    /// The files, each once.
    pub(super) fn files(&self) -> Vec<&Rc<DataFile>> {
        let mut all: Vec<&Rc<DataFile>> = Vec::new();
        let folder = self.decomposition.folder();
        let weights =
            folder.into_iter().flat_map(|folder| std::iter::once(&folder.weights).chain(&folder.extra_weights));
        let arrays = self.arrays().into_iter().map(|(_, picked)| picked.file());
        for file in arrays.chain(weights) {
            if !all.iter().any(|other| Rc::ptr_eq(other, file)) {
                all.push(file);
            }
        }
        all
    }

    /// What is read, without digests.
    pub(super) fn describe_files(&self) -> Vec<InputFile> {
        let mut files: Vec<InputFile> = self
            .arrays()
            .into_iter()
            .map(|(role, picked)| InputFile {
                role: role.to_owned(),
                file: picked.file().name().to_owned(),
                array: Some(picked.description()),
                transposed: picked.is_transposed(),
                sha256: None,
            })
            .collect();
        if let Some(folder) = self.decomposition.folder() {
            let config = folder.config_digest.as_ref().map(|digest| InputFile {
                role: "configuration".to_owned(),
                file: folder.config_file.clone(),
                array: None,
                transposed: false,
                sha256: Some(digest.clone()),
            });
            let decoder = folder.weights.array("W_dec").ok();
            let weights = InputFile {
                role: "weights".to_owned(),
                file: folder.weights.name().to_owned(),
                array: decoder.map(|array| array.description()),
                transposed: decoder.is_some_and(|array| array.view() == MatrixView::Transposed),
                sha256: None,
            };
            let more = folder.extra_weights.iter().map(|file| InputFile {
                role: "weights".to_owned(),
                file: file.name().to_owned(),
                array: None,
                transposed: false,
                sha256: None,
            });
            let scaler = folder.scaler_file.as_ref().map(|(file, digest)| InputFile {
                role: "scaling of activations".to_owned(),
                file: file.clone(),
                array: None,
                transposed: false,
                sha256: Some(digest.clone()),
            });
            let first = self.activations.parts().count();
            let all = config.into_iter().chain([weights]).chain(more).chain(scaler);
            files.splice(first..first, all);
        }
        files
    }

    /// What is read, with the SHA-256 of every file: all of them are read whole.
    pub(super) fn digest_files(&self) -> Result<Vec<InputFile>, IoError> {
        let mut described = self.describe_files();
        for file in self.files() {
            let digest = file.digest()?;
            let same = described.iter_mut().filter(|one| one.file == file.name());
            same.filter(|one| one.sha256.is_none()).for_each(|one| one.sha256 = Some(digest.clone()));
        }
        Ok(described)
    }
}
