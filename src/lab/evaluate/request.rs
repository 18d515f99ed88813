use std::rc::Rc;

use serde::Deserialize;

use super::inputs::{Decomposition, Inputs, usual};
use super::plan::Options;
use super::rows::OwnRows;
use super::{CodesBy, OwnError, OwnPlan, Skip};
use crate::io::{ArrayRef, DataFile, is_sparse, open_sparse};
pub use crate::sae::layout::files::FolderNames;
use crate::sae::{Folder, Transcoder};

/// Files that are open, or can be opened, under their names.
pub trait OpenFiles {
    /// One with arrays.
    ///
    /// # Errors
    /// [`OwnError::NotOpen`], [`OwnError::Sae`].
    fn data_file(&self, name: &str) -> Result<Rc<DataFile>, OwnError>;

    /// The bytes of a configuration.
    ///
    /// # Errors
    /// [`OwnError::NotOpen`], [`OwnError::Sae`].
    fn config_bytes(&self, name: &str) -> Result<Vec<u8>, OwnError>;
}

fn open_array(
    files: &dyn OpenFiles,
    choice: &Choice,
    usual: &[&str],
) -> Result<ArrayRef, OwnError> {
    let file = files.data_file(&choice.file)?;
    Ok(ArrayRef::find(&file, choice.array.as_deref(), usual)?.with_transposed(choice.transposed))
}

fn open_optional_array(
    files: &dyn OpenFiles,
    choice: Option<&Choice>,
    usual: &[&str],
) -> Result<Option<ArrayRef>, OwnError> {
    choice.map(|choice| open_array(files, choice, usual)).transpose()
}

/// Activations in one array, or in several, one after the other.
///
/// # Errors
/// Those of `files`; [`OwnError::Sae`] with a file that is not as wide as the first.
pub fn open_activations(
    files: &dyn OpenFiles,
    first: &Choice,
    more: &[Choice],
) -> Result<ArrayRef, OwnError> {
    let pick = |choice: &Choice| open_array(files, choice, usual::ACTIVATIONS);
    let others = more.iter().map(pick).collect::<Result<Vec<ArrayRef>, OwnError>>()?;
    Ok(pick(first)?.concat_rows(others)?)
}

/// An array of a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluateChoice"))]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The file's name.
    pub file: String,
    /// The array's, where there are several.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub array: Option<String>,
    /// Whether its rows are to be taken for columns: of a dictionary or a readout.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub transposed: bool,
}

impl Choice {
    /// An array of a file, or the only one.
    #[must_use]
    pub fn new(file: &str, array: Option<&str>) -> Self {
        Self { file: file.to_owned(), array: array.map(str::to_owned), transposed: false }
    }
}

impl FolderNames {
    /// The one of those in a folder.
    ///
    /// # Errors
    /// [`OwnError::Layout`] where there is none, or several, which are named.
    pub fn expect_one(folder: &str, mut found: Vec<Self>) -> Result<Self, OwnError> {
        /// Names that are told.
        const SHOWN: usize = 12;
        let said = match found.len() {
            1 => return Ok(found.swap_remove(0)),
            0 => "no weights of an autoencoder".to_owned(),
            count => {
                let names = found.iter().take(SHOWN).map(|one| one.weights.as_str());
                let more = if count > SHOWN { ", …" } else { "" };
                format!("{count} autoencoders: {}{more}", names.collect::<Vec<_>>().join(", "))
            }
        };
        Err(OwnError::Layout { file: folder.to_owned(), found: said })
    }

    /// The folder that they are of.
    ///
    /// # Errors
    /// As [`Folder::open`] and [`Folder::with_activation_scaler`], and those of `files`.
    pub fn open_folder(&self, files: &dyn OpenFiles) -> Result<Folder, OwnError> {
        // Where there is no folder at all, what is told is its first file.
        let config = self
            .config
            .as_ref()
            .map(|name| Ok::<_, OwnError>((name.as_str(), files.config_bytes(name)?)));
        let config = config.transpose()?;
        let weights = files.data_file(&self.weights)?;
        let more =
            self.more.iter().map(|name| files.data_file(name)).collect::<Result<Vec<_>, _>>()?;
        let folder = Folder::open(config, weights, more)?;
        Ok(match &self.scaler {
            Some(name) => folder.with_activation_scaler(name, &files.config_bytes(name)?)?,
            None => folder,
        })
    }
}

/// What is to be scored, among files that are open under their names.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluateRequest"))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// A, N × D.
    pub activations: Choice,
    /// Further files of A, whose rows come after these.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Choice>>"))]
    pub more_activations: Vec<Choice>,
    /// An autoencoder,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub sae: Option<FolderNames>,
    /// or a transcoder with what it reconstructs, as many rows,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Choice>>"))]
    pub targets: Vec<Choice>,
    /// or a dictionary alone, K × D,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub dictionary: Option<Choice>,
    /// with codes, N × K,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub codes: Option<Choice>,
    /// further files of them, of other latents, where codes are written in parts,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Choice>>"))]
    pub more_codes: Vec<Choice>,
    /// of a decoder that adds a bias, D values,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub decoder_bias: Option<Choice>,
    /// or of any decoder, with what it makes of them, N × D,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub reconstruction: Option<Choice>,
    /// or a way to make them.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<CodesBy>"))]
    pub codes_by: CodesBy,
    /// A linear readout, o × D; without one f is the identity.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub readout: Option<Choice>,
    /// Its bias, o values.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub readout_bias: Option<Choice>,
    /// Rows that are left out; none where nothing is said.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Skip>"))]
    pub skip: Skip,
    /// What the score takes, and what the run may take.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, type = "Partial<EvaluateOptions>"))]
    pub options: Options,
}

impl Request {
    /// Of activations, in one file or several; what is scored of them is to be named.
    #[must_use]
    pub fn for_activations(
        activations: Choice,
        more_activations: Vec<Choice>,
        options: Options,
    ) -> Self {
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
            skip: Skip::default(),
            options,
        }
    }

    /// The plan of what it asks for, among others: where targets are named for those that are transcoders, all others
    /// read and reconstruct these.
    ///
    /// # Errors
    /// As [`Request::plan`].
    pub fn plan_among_others(mut self, files: &dyn OpenFiles) -> Result<OwnPlan, OwnError> {
        let autoencoder = match &self.sae {
            Some(names) => names.open_folder(files)?.config.transcoder == Transcoder::No,
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
    /// As [`Request::open_inputs`], [`OwnPlan::new`] and [`OwnPlan::with_skip`].
    pub fn plan(&self, files: &dyn OpenFiles) -> Result<OwnPlan, OwnError> {
        OwnPlan::new(self.open_inputs(files)?, self.options)?.with_skip(self.skip.clone())
    }

    /// The codes that it names, of so many rows and latents: an array of all of them, or those that are not 0.
    fn open_codes(
        &self,
        files: &dyn OpenFiles,
        rows: usize,
        latents: usize,
    ) -> Result<Option<ArrayRef>, OwnError> {
        let Some(choice) = &self.codes else { return Ok(None) };
        let first = files.data_file(&choice.file)?;
        if choice.array.is_none() && is_sparse(&first) {
            let more = self.more_codes.iter().map(|choice| files.data_file(&choice.file));
            let all =
                std::iter::once(Ok(first)).chain(more).collect::<Result<Vec<_>, OwnError>>()?;
            return Ok(Some(open_sparse(&all, rows, latents)?));
        }
        let picked = open_array(files, choice, usual::CODES)?;
        let more = self.more_codes.iter().map(|choice| open_array(files, choice, usual::CODES));
        Ok(Some(picked.concat_rows(more.collect::<Result<_, _>>()?)?))
    }

    /// The files and arrays that it names.
    ///
    /// # Errors
    /// [`OwnError::SaeOrDictionary`], [`OwnError::Sae`], and those of `files`.
    pub fn open_inputs(&self, files: &dyn OpenFiles) -> Result<Inputs, OwnError> {
        // Either, before anything is opened.
        if self.sae.is_some() == self.dictionary.is_some() {
            return Err(OwnError::SaeOrDictionary);
        }
        let targets = match self.targets.split_first() {
            Some((first, more)) => Some(open_activations(files, first, more)?),
            None => None,
        };
        let folder = self.sae.as_ref().map(|names| names.open_folder(files)).transpose()?;
        let dictionary = open_optional_array(files, self.dictionary.as_ref(), usual::DICTIONARY)?;
        let rows = open_activations(files, &self.activations, &self.more_activations)?;
        let decomposition = match (folder, targets) {
            (Some(folder), Some(targets)) => Decomposition::from_transcoder(folder, targets)?,
            (folder, None) => Decomposition::from_options(
                folder,
                dictionary.clone(),
                self.open_codes(files, rows.rows(), dictionary.as_ref().map_or(0, ArrayRef::rows))?,
                open_optional_array(files, self.decoder_bias.as_ref(), usual::DECODER_BIAS)?,
                self.codes_by,
            )?,
            (None, Some(targets)) => {
                let found = targets.file().name();
                return Err(OwnError::option("targets", found, "none without a transcoder"));
            }
        };
        let made = open_optional_array(files, self.reconstruction.as_ref(), usual::RECONSTRUCTION)?;
        let decomposition = match made {
            Some(made) => decomposition.with_reconstruction(made)?,
            None => decomposition,
        };
        Ok(Inputs {
            activations: rows,
            decomposition,
            readout: open_optional_array(files, self.readout.as_ref(), usual::READOUT)?,
            readout_bias: open_optional_array(files, self.readout_bias.as_ref(), usual::BIAS)?,
        })
    }
}

/// Activations among such files, and what reads them out, as a world to train on.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OwnWorldRequest"))]
#[serde(deny_unknown_fields)]
pub struct WorldRequest {
    /// A, N × D.
    pub activations: Choice,
    /// Further files of A, whose rows come after these.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Choice>>"))]
    pub more_activations: Vec<Choice>,
    /// A linear readout, o × D; without one f is the identity.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub readout: Option<Choice>,
    /// Its bias, o values.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub readout_bias: Option<Choice>,
    /// Seed of which rows are taken, and in which order.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub seed: u32,
}

impl WorldRequest {
    /// The rows that it names.
    ///
    /// # Errors
    /// Those of `files`, and as [`OwnRows::new`].
    pub fn open_rows(&self, files: &dyn OpenFiles) -> Result<OwnRows, OwnError> {
        OwnRows::new(
            open_activations(files, &self.activations, &self.more_activations)?,
            open_optional_array(files, self.readout.as_ref(), usual::READOUT)?,
            open_optional_array(files, self.readout_bias.as_ref(), usual::BIAS)?,
        )
    }
}
