use std::rc::Rc;

use serde::Deserialize;

use super::inputs::{Decomposition, Inputs, usual};
use super::plan::Options;
use super::rows::OwnRows;
use super::{CodesBy, OwnError, OwnPlan, Skip};
use crate::io::{ArrayRef, DataFile, is_sparse, sparse};
pub use crate::sae::layout::files::FolderNames;
use crate::sae::{Folder, Transcoder};

/// Files that are open, or can be opened, under their names.
pub trait Files {
    /// One with arrays.
    ///
    /// # Errors
    /// [`OwnError::NotOpen`], [`OwnError::Sae`].
    fn data(&self, name: &str) -> Result<Rc<DataFile>, OwnError>;

    /// The bytes of a configuration.
    ///
    /// # Errors
    /// [`OwnError::NotOpen`], [`OwnError::Sae`].
    fn config(&self, name: &str) -> Result<Vec<u8>, OwnError>;
}

fn pick(files: &dyn Files, choice: &Choice, usual: &[&str]) -> Result<ArrayRef, OwnError> {
    let file = files.data(&choice.file)?;
    Ok(ArrayRef::of(&file, choice.array.as_deref(), usual)?.read(choice.transposed))
}

fn maybe(
    files: &dyn Files,
    choice: Option<&Choice>,
    usual: &[&str],
) -> Result<Option<ArrayRef>, OwnError> {
    choice.map(|choice| pick(files, choice, usual)).transpose()
}

/// Activations in one array, or in several, one after the other.
///
/// # Errors
/// Those of `files`; [`OwnError::Sae`] with a file that is not as wide as the first.
pub fn activations(
    files: &dyn Files,
    first: &Choice,
    more: &[Choice],
) -> Result<ArrayRef, OwnError> {
    let pick = |choice: &Choice| pick(files, choice, usual::ACTIVATIONS);
    let others = more.iter().map(pick).collect::<Result<Vec<ArrayRef>, OwnError>>()?;
    Ok(pick(first)?.followed_by(others)?)
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
    pub fn one(folder: &str, mut found: Vec<Self>) -> Result<Self, OwnError> {
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
    /// As [`Folder::open`] and [`Folder::scaled`], and those of `files`.
    pub fn folder(&self, files: &dyn Files) -> Result<Folder, OwnError> {
        // Where there is no folder at all, what is told is its first file.
        let config = self
            .config
            .as_ref()
            .map(|name| Ok::<_, OwnError>((name.as_str(), files.config(name)?)));
        let config = config.transpose()?;
        let weights = files.data(&self.weights)?;
        let more = self.more.iter().map(|name| files.data(name)).collect::<Result<Vec<_>, _>>()?;
        let folder = Folder::open(config, weights, more)?;
        Ok(match &self.scaler {
            Some(name) => folder.scaled(name, &files.config(name)?)?,
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
    pub fn of(activations: Choice, more_activations: Vec<Choice>, options: Options) -> Self {
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
    pub fn among_others(mut self, files: &dyn Files) -> Result<OwnPlan, OwnError> {
        let autoencoder = match &self.sae {
            Some(names) => names.folder(files)?.config.transcoder == Transcoder::No,
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
    /// As [`Request::inputs`], [`OwnPlan::new`] and [`OwnPlan::skipping`].
    pub fn plan(&self, files: &dyn Files) -> Result<OwnPlan, OwnError> {
        OwnPlan::new(self.inputs(files)?, self.options)?.skipping(self.skip.clone())
    }

    /// The codes that it names, of so many rows and latents: an array of all of them, or those that are not 0.
    fn codes(
        &self,
        files: &dyn Files,
        rows: usize,
        latents: usize,
    ) -> Result<Option<ArrayRef>, OwnError> {
        let Some(choice) = &self.codes else { return Ok(None) };
        let first = files.data(&choice.file)?;
        if choice.array.is_none() && is_sparse(&first) {
            let more = self.more_codes.iter().map(|choice| files.data(&choice.file));
            let all =
                std::iter::once(Ok(first)).chain(more).collect::<Result<Vec<_>, OwnError>>()?;
            return Ok(Some(sparse(&all, rows, latents)?));
        }
        let picked = pick(files, choice, usual::CODES)?;
        let more = self.more_codes.iter().map(|choice| pick(files, choice, usual::CODES));
        Ok(Some(picked.followed_by(more.collect::<Result<_, _>>()?)?))
    }

    /// The files and arrays that it names.
    ///
    /// # Errors
    /// [`OwnError::Both`], [`OwnError::Sae`], and those of `files`.
    pub fn inputs(&self, files: &dyn Files) -> Result<Inputs, OwnError> {
        // Either, before anything is opened.
        if self.sae.is_some() == self.dictionary.is_some() {
            return Err(OwnError::Both);
        }
        let targets = match self.targets.split_first() {
            Some((first, more)) => Some(activations(files, first, more)?),
            None => None,
        };
        let folder = self.sae.as_ref().map(|names| names.folder(files)).transpose()?;
        let dictionary = maybe(files, self.dictionary.as_ref(), usual::DICTIONARY)?;
        let rows = activations(files, &self.activations, &self.more_activations)?;
        let decomposition = match (folder, targets) {
            (Some(folder), Some(targets)) => Decomposition::transcoder(folder, targets)?,
            (folder, None) => Decomposition::one(
                folder,
                dictionary.clone(),
                self.codes(files, rows.rows(), dictionary.as_ref().map_or(0, ArrayRef::rows))?,
                maybe(files, self.decoder_bias.as_ref(), usual::DECODER_BIAS)?,
                self.codes_by,
            )?,
            (None, Some(targets)) => {
                let found = targets.file().name();
                return Err(OwnError::option("targets", found, "none without a transcoder"));
            }
        };
        let made = maybe(files, self.reconstruction.as_ref(), usual::RECONSTRUCTION)?;
        let decomposition = match made {
            Some(made) => decomposition.reconstructed(made)?,
            None => decomposition,
        };
        Ok(Inputs {
            activations: rows,
            decomposition,
            readout: maybe(files, self.readout.as_ref(), usual::READOUT)?,
            readout_bias: maybe(files, self.readout_bias.as_ref(), usual::BIAS)?,
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
    pub fn rows(&self, files: &dyn Files) -> Result<OwnRows, OwnError> {
        OwnRows::new(
            activations(files, &self.activations, &self.more_activations)?,
            maybe(files, self.readout.as_ref(), usual::READOUT)?,
            maybe(files, self.readout_bias.as_ref(), usual::BIAS)?,
        )
    }
}
