use std::rc::Rc;

use serde::Deserialize;

use super::inputs::{DecompositionInput, Inputs, usual};
use super::plan::Options;
use super::rows::UserRows;
use super::{CodesBy, EvaluationError, EvaluationPlan, SkipRules};
use crate::io::{ArrayRef, DataFile, is_sparse, open_sparse};
pub use crate::sae::layout::files::SaeFileNames;
use crate::sae::{SaeFolder, TranscoderStatus};

/// Files that are open, or can be opened, under their names.
pub trait OpenFiles {
    /// One with arrays.
    ///
    /// # Errors
    /// [`EvaluationError::NotOpen`], [`EvaluationError::Sae`].
    fn data_file(&self, name: &str) -> Result<Rc<DataFile>, EvaluationError>;

    /// The bytes of a configuration.
    ///
    /// # Errors
    /// [`EvaluationError::NotOpen`], [`EvaluationError::Sae`].
    fn config_bytes(&self, name: &str) -> Result<Vec<u8>, EvaluationError>;
}

fn open_array(files: &dyn OpenFiles, choice: &ArrayChoice, usual: &[&str]) -> Result<ArrayRef, EvaluationError> {
    let file = files.data_file(&choice.file)?;
    Ok(ArrayRef::find(&file, choice.array.as_deref(), usual)?.with_transposed(choice.transposed))
}

fn open_optional_array(
    files: &dyn OpenFiles,
    choice: Option<&ArrayChoice>,
    usual: &[&str],
) -> Result<Option<ArrayRef>, EvaluationError> {
    choice.map(|choice| open_array(files, choice, usual)).transpose()
}

/// Activations in one array, or in several, one after the other.
///
/// # Errors
/// Those of `files`; [`EvaluationError::Sae`] with a file that is not as wide as the first.
pub fn open_activations(
    files: &dyn OpenFiles,
    first: &ArrayChoice,
    more: &[ArrayChoice],
) -> Result<ArrayRef, EvaluationError> {
    let pick = |choice: &ArrayChoice| open_array(files, choice, usual::ACTIVATIONS_NAMES);
    let others = more.iter().map(pick).collect::<Result<Vec<ArrayRef>, EvaluationError>>()?;
    Ok(pick(first)?.concat_rows(others)?)
}

/// An array of a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateChoice"))]
#[serde(deny_unknown_fields)]
pub struct ArrayChoice {
    /// The file's name.
    pub file: String,
    /// The array's, where there are several.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub array: Option<String>,
    /// Whether its rows are to be taken for columns: of a dictionary or a readout.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<bool>"))]
    pub transposed: bool,
}

impl ArrayChoice {
    /// An array of a file, or the only one.
    #[must_use]
    pub fn new(file: &str, array: Option<&str>) -> Self {
        Self { file: file.to_owned(), array: array.map(str::to_owned), transposed: false }
    }
}

/// The one autoencoder of those in a folder.
///
/// # Errors
/// [`EvaluationError::Layout`] where there is none, or several, which are named.
pub fn expect_one_sae(folder: &str, mut found: Vec<SaeFileNames>) -> Result<SaeFileNames, EvaluationError> {
    /// Names that are told.
    const NAMES_SHOWN_MAX: usize = 12;
    let said = match found.len() {
        1 => return Ok(found.swap_remove(0)),
        0 => "no weights of an autoencoder".to_owned(),
        count => {
            let names = found.iter().take(NAMES_SHOWN_MAX).map(|one| one.weights.as_str());
            let more = if count > NAMES_SHOWN_MAX { ", …" } else { "" };
            format!("{count} autoencoders: {}{more}", names.collect::<Vec<_>>().join(", "))
        }
    };
    Err(EvaluationError::Layout { file: folder.to_owned(), found: said })
}

/// The folder of an autoencoder whose files are named.
///
/// # Errors
/// As [`SaeFolder::open`] and [`SaeFolder::with_activation_scaler`], and those of `files`.
pub fn open_sae_folder(names: &SaeFileNames, files: &dyn OpenFiles) -> Result<SaeFolder, EvaluationError> {
    // Where there is no folder at all, what is told is its first file.
    let config = names.config.as_ref().map(|name| Ok::<_, EvaluationError>((name.as_str(), files.config_bytes(name)?)));
    let config = config.transpose()?;
    let weights = files.data_file(&names.weights)?;
    let more = names.more.iter().map(|name| files.data_file(name)).collect::<Result<Vec<_>, _>>()?;
    let folder = SaeFolder::open(config, weights, more)?;
    Ok(match &names.scaler {
        Some(name) => folder.with_activation_scaler(name, &files.config_bytes(name)?)?,
        None => folder,
    })
}

/// What is to be scored, among files that are open under their names.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateRequest"))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// A, N × D.
    pub activations: ArrayChoice,
    /// Further files of A, whose rows come after these.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<Vec<ArrayChoice>>"))]
    pub more_activations: Vec<ArrayChoice>,
    /// An autoencoder,
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub sae: Option<SaeFileNames>,
    /// or a transcoder with what it reconstructs, as many rows,
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<Vec<ArrayChoice>>"))]
    pub targets: Vec<ArrayChoice>,
    /// or a dictionary alone, K × D,
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub dictionary: Option<ArrayChoice>,
    /// with codes, N × K,
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub codes: Option<ArrayChoice>,
    /// further files of them, of other latents, where codes are written in parts,
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<Vec<ArrayChoice>>"))]
    pub more_codes: Vec<ArrayChoice>,
    /// of a decoder that adds a bias, D values,
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub decoder_bias: Option<ArrayChoice>,
    /// or of any decoder, with what it makes of them, N × D,
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub reconstruction: Option<ArrayChoice>,
    /// or a way to make them.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<CodesBy>"))]
    pub codes_by: CodesBy,
    /// A linear readout, o × D; without one f is the identity.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub readout: Option<ArrayChoice>,
    /// Its bias, o values.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub readout_bias: Option<ArrayChoice>,
    /// Rows that are left out; none where nothing is said.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<SkipRules>"))]
    pub skip: SkipRules,
    /// What the score takes, and what the run may take.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, type = "Partial<EvaluateOptions>"))]
    pub options: Options,
}

impl Request {
    /// Of activations, in one file or several; what is scored of them is to be named.
    #[must_use]
    pub fn for_activations(activations: ArrayChoice, more_activations: Vec<ArrayChoice>, options: Options) -> Self {
        Self {
            activations,
            more_activations,
            sae: None,
            targets: Vec::new(),
            dictionary: None,
            codes: None,
            more_codes: Vec::new(),
            decoder_bias: None,
            reconstruction: None,
            codes_by: CodesBy::default(),
            readout: None,
            readout_bias: None,
            skip: SkipRules::default(),
            options,
        }
    }

    /// The plan of what it asks for, among others: where targets are named for those that are transcoders, all others
    /// read and reconstruct these.
    ///
    /// # Errors
    /// As [`Request::plan`].
    pub fn plan_for_comparison(mut self, files: &dyn OpenFiles) -> Result<EvaluationPlan, EvaluationError> {
        let autoencoder = match &self.sae {
            Some(names) => open_sae_folder(names, files)?.config.transcoder == TranscoderStatus::No,
            None => true,
        };
        if autoencoder && !self.targets.is_empty() {
            self.activations = self.targets.remove(0);
            self.more_activations = std::mem::take(&mut self.targets);
        }
        self.plan(files)
    }

    /// The plan of what it asks for.
    ///
    /// # Errors
    /// As [`Request::open_inputs`], [`EvaluationPlan::new`] and [`EvaluationPlan::with_skip`].
    pub fn plan(&self, files: &dyn OpenFiles) -> Result<EvaluationPlan, EvaluationError> {
        EvaluationPlan::new(self.open_inputs(files)?, self.options)?.with_skip(self.skip.clone())
    }

    /// The codes that it names, of so many rows and latents: an array of all of them, or those that are not 0.
    fn open_codes(
        &self,
        files: &dyn OpenFiles,
        rows: usize,
        latents: usize,
    ) -> Result<Option<ArrayRef>, EvaluationError> {
        let Some(choice) = &self.codes else { return Ok(None) };
        let first = files.data_file(&choice.file)?;
        if choice.array.is_none() && is_sparse(&first) {
            let more = self.more_codes.iter().map(|choice| files.data_file(&choice.file));
            let all = std::iter::once(Ok(first)).chain(more).collect::<Result<Vec<_>, EvaluationError>>()?;
            return Ok(Some(open_sparse(&all, rows, latents)?));
        }
        let picked = open_array(files, choice, usual::CODES_NAMES)?;
        let more = self.more_codes.iter().map(|choice| open_array(files, choice, usual::CODES_NAMES));
        Ok(Some(picked.concat_rows(more.collect::<Result<_, _>>()?)?))
    }

    /// The files and arrays that it names.
    ///
    /// # Errors
    /// [`EvaluationError::SaeOrDictionary`], [`EvaluationError::Sae`], and those of `files`.
    pub fn open_inputs(&self, files: &dyn OpenFiles) -> Result<Inputs, EvaluationError> {
        // Either, before anything is opened.
        if self.sae.is_some() == self.dictionary.is_some() {
            return Err(EvaluationError::SaeOrDictionary);
        }
        let targets = match self.targets.split_first() {
            Some((first, more)) => Some(open_activations(files, first, more)?),
            None => None,
        };
        let folder = self.sae.as_ref().map(|names| open_sae_folder(names, files)).transpose()?;
        let dictionary = open_optional_array(files, self.dictionary.as_ref(), usual::DICTIONARY_NAMES)?;
        let rows = open_activations(files, &self.activations, &self.more_activations)?;
        let decomposition = match (folder, targets) {
            (Some(folder), Some(targets)) => DecompositionInput::from_transcoder(folder, targets)?,
            (folder, None) => DecompositionInput::from_options(
                folder,
                dictionary.clone(),
                self.open_codes(files, rows.rows(), dictionary.as_ref().map_or(0, ArrayRef::rows))?,
                open_optional_array(files, self.decoder_bias.as_ref(), usual::DECODER_BIAS_NAMES)?,
                self.codes_by,
            )?,
            (None, Some(targets)) => {
                let found = targets.file().name();
                return Err(EvaluationError::invalid_option("targets", found, "none without a transcoder"));
            }
        };
        let made = open_optional_array(files, self.reconstruction.as_ref(), usual::RECONSTRUCTION_NAMES)?;
        let decomposition = match made {
            Some(made) => decomposition.with_reconstruction(made)?,
            None => decomposition,
        };
        Ok(Inputs {
            activations: rows,
            decomposition,
            readout: open_optional_array(files, self.readout.as_ref(), usual::READOUT_NAMES)?,
            readout_bias: open_optional_array(files, self.readout_bias.as_ref(), usual::READOUT_BIAS_NAMES)?,
        })
    }
}

/// Activations among such files, and what reads them out, as a world to train on.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "OwnWorldRequest"))]
#[serde(deny_unknown_fields)]
pub struct WorldRequest {
    /// A, N × D.
    pub activations: ArrayChoice,
    /// Further files of A, whose rows come after these.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<Vec<ArrayChoice>>"))]
    pub more_activations: Vec<ArrayChoice>,
    /// A linear readout, o × D; without one f is the identity.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub readout: Option<ArrayChoice>,
    /// Its bias, o values.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub readout_bias: Option<ArrayChoice>,
    /// Seed of which rows are taken, and in which order.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<u32>"))]
    pub seed: u32,
}

impl WorldRequest {
    /// The rows that it names.
    ///
    /// # Errors
    /// Those of `files`, and as [`UserRows::new`].
    pub fn open_rows(&self, files: &dyn OpenFiles) -> Result<UserRows, EvaluationError> {
        UserRows::new(
            open_activations(files, &self.activations, &self.more_activations)?,
            open_optional_array(files, self.readout.as_ref(), usual::READOUT_NAMES)?,
            open_optional_array(files, self.readout_bias.as_ref(), usual::READOUT_BIAS_NAMES)?,
        )
    }
}
