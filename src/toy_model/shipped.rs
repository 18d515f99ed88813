use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use thiserror::Error;

use super::dictionary::{DICTIONARIES, Dictionary, NamedDictionary, RESIDUAL_STREAM_NAME, USER_TRAINED_NAME};
use crate::io::{DataFile, IoError, digest};
use crate::model::{Model, ModelError, Parameters};

/// A file that is shipped with the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LittleFile"))]
pub struct ShippedFile {
    /// By this it is asked for: "ck-12000".
    pub name: &'static str,
    /// Its name in the folder `assets/little`.
    pub file: &'static str,
    /// Its length.
    pub bytes: u32,
    /// SHA-256 of it, 64 hexadecimal digits.
    pub sha256: &'static str,
}

macro_rules! files {
    ($($name:literal $bytes:literal $sha256:literal,)*) => {
        /// Every file: checkpoints, the two of autoencoders, and the two of smaller models.
        pub const FILES: [ShippedFile; 17] = [$(ShippedFile {
            name: $name,
            file: concat!($name, ".safetensors"),
            bytes: $bytes,
            sha256: $sha256,
        }),*];

        #[cfg(not(target_arch = "wasm32"))]
        fn built_in_bytes(name: &str) -> Option<&'static [u8]> {
            match name {
                $($name => Some(include_bytes!(
                    concat!("../../assets/little/", $name, ".safetensors")
                )),)*
                _ => None,
            }
        }
    };
}

files! {
    "ck-00000" 205_152 "0c13e5a563f2ee45dba35aecc97fe8e5df1f03eac306d1de9f777c9f19f07bda",
    "ck-00094" 205_152 "2ad8f4ab5e80212e4713241794eb14f4171a25fdd5646f9f09b653e48f9bf87c",
    "ck-00188" 205_152 "f4be99d1842097af696318c7eeb1b97807a4e495c8a281a0bda88ec4b2b32481",
    "ck-00375" 205_152 "0e95aacd2738f2e53931f05170a14cc0534846a8408b22ef76908c2760039860",
    "ck-00750" 205_152 "7efb577c319449eb721c0365864b312f9bced879c7732049e80d5047ff04be6e",
    "ck-01500" 205_152 "c1d7d075259fd8a072d5212e6d4b799ff13be6383bc6058005555558d582ed98",
    "ck-03000" 205_152 "e58a02772931e392b0e05a69c9ce0f69f4bcde1f390a35ef8d92697e88aaf925",
    "ck-06000" 205_152 "ca6de9b3630a24c75fd9b8e149639ad484324e5739c438f674f4e29a6bf36e0d",
    "ck-12000" 205_152 "32cfc9fb3ca849fe019a804bce52936903d75a4246998c234ee1a11d8abde0b8",
    "ft-contaminated-00600" 205_152 "9c911b30e848bfad55dc84f7a54f7e2afe13d1b8a90ab9b9d4fc1db1e7876c73",
    "ft-copy-00300" 205_152 "6d8f8bf50b003891945d8bdf729e1b35b8f51b3ebad5f322467de3a46c2fb571",
    "ft-sum3-00400" 205_152 "8b381f3da6cb605ab5a59aea7a7b19521c4e03e51a54c37bfabef9d92c6c03c2",
    "seed1-12000" 205_152 "88b36199e9b6c1c49520a8650f6cdcc7446367575439248e0e2be1c1775c74cd",
    "sae" 225_936 "75335b318da2c478412beb1de5c0ace7d49c02ce94307fda85784fd353061796",
    "sae_controls" 249_880 "6034fc27814499cbb82d25153899b3b5028b75bdb72c3b1af417bbbc68f52a06",
    "models" 814_632 "8abc0133547d1331f0bc6142054e1c6a4bdbfda98d6f5d64ca62d0df714346cc",
    "models-second" 365_248 "6fbbbeafc034cae2b3dc4a1532adf42288448d61aa06f15a90172c0595f716b1",
}

/// The checkpoint that everything is measured on unless another is named: the end of the training.
pub const FINAL_CHECKPOINT: &str = "ck-12000";

/// The checkpoints, by name: those of the training in its order, then what was trained from them.
pub const CHECKPOINTS: [&str; 13] = {
    let mut names = [""; 13];
    let mut at = 0;
    while at < names.len() {
        names[at] = FILES[at].name;
        at += 1;
    }
    names
};

/// Why the toy model, or what belongs to it, cannot be had.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ToyModelError {
    /// There is none of that name.
    #[error("{field} = {found:?}; allowed: {allowed}")]
    Unknown {
        /// What was named: "checkpoint", "sae" or "file".
        field: &'static str,
        /// The name.
        found: String,
        /// The names there are.
        allowed: String,
    },
    /// The file is not here yet.
    #[error("{file} has not been loaded")]
    Absent {
        /// Its name among [`FILES`].
        file: &'static str,
    },
    /// What was given is not the file that was shipped.
    #[error("{file}: SHA-256 {found}; allowed: {allowed}")]
    Changed {
        /// Its name in the folder.
        file: &'static str,
        /// Its digest.
        found: String,
        /// The shipped one's.
        allowed: &'static str,
    },
    /// A number of prompts, texts or the like is out of range.
    #[error("{field} = {found}; allowed: {allowed}")]
    Count {
        /// Of what.
        field: &'static str,
        /// How many.
        found: usize,
        /// How many may be.
        allowed: String,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The model refuses.
    #[error(transparent)]
    Model(#[from] ModelError),
}

crate::study::impl_failure_from!(ToyModelError);

impl ToyModelError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "little.unknown",
            Self::Absent { .. } => "little.absent",
            Self::Changed { .. } => "little.changed",
            Self::Count { .. } => "little.count",
            Self::Io(error) => error.code(),
            Self::Model(_) => "little.model",
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { field, .. } | Self::Count { field, .. } => Some(field),
            _ => None,
        }
    }
}

/// What is here, and what was made of it.
#[derive(Default)]
struct ToyStore {
    files: BTreeMap<&'static str, Arc<Vec<u8>>>,
    models: BTreeMap<&'static str, Arc<Model>>,
    kept: BTreeMap<&'static str, Arc<Parameters>>,
    dictionaries: BTreeMap<String, Arc<Dictionary>>,
}

static STORE: LazyLock<Mutex<ToyStore>> = LazyLock::new(Mutex::default);

/// What it holds is whole at any time, also after a panic elsewhere.
fn lock_store() -> MutexGuard<'static, ToyStore> {
    STORE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unknown_error(field: &'static str, found: &str, names: &[&str]) -> ToyModelError {
    ToyModelError::Unknown { field, found: found.to_owned(), allowed: names.join(", ") }
}

fn find_shipped(field: &'static str, name: &str) -> Result<&'static ShippedFile, ToyModelError> {
    let names = || FILES.iter().map(|file| file.name).collect::<Vec<_>>();
    FILES.iter().find(|file| file.name == name).ok_or_else(|| unknown_error(field, name, &names()))
}

/// Takes a shipped file that was loaded from elsewhere, if it is that file.
///
/// # Errors
/// [`ToyModelError::Unknown`], [`ToyModelError::Changed`].
pub fn provide_file(name: &str, bytes: Vec<u8>) -> Result<(), ToyModelError> {
    let ShippedFile { name, file, sha256, .. } = *find_shipped("file", name)?;
    let found = digest(file, &bytes)?;
    if found != sha256 {
        return Err(ToyModelError::Changed { file, found, allowed: sha256 });
    }
    lock_store().files.insert(name, Arc::new(bytes));
    Ok(())
}

/// Leaves the store as it is when the core starts, whatever tests in the same browser gave it before.
#[cfg(all(test, target_arch = "wasm32"))]
pub(crate) fn forget_all() {
    *lock_store() = ToyStore::default();
}

/// Whether a shipped file is here.
#[must_use]
pub fn has_file(name: &str) -> bool {
    FILES.iter().any(|file| file.name == name && read_bytes(file).is_ok())
}

fn read_bytes(file: &'static ShippedFile) -> Result<Vec<u8>, ToyModelError> {
    if let Some(bytes) = lock_store().files.get(file.name) {
        return Ok(bytes.to_vec());
    }
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(bytes) = built_in_bytes(file.name) {
        return Ok(bytes.to_vec());
    }
    Err(ToyModelError::Absent { file: file.name })
}

/// A shipped file, by its name.
///
/// # Errors
/// [`ToyModelError::Unknown`], [`ToyModelError::Absent`].
pub fn open_file(name: &str) -> Result<DataFile, ToyModelError> {
    open_shipped(find_shipped("file", name)?)
}

fn open_shipped(file: &'static ShippedFile) -> Result<DataFile, ToyModelError> {
    Ok(DataFile::open(file.file, Box::new(read_bytes(file)?), 0)?)
}

fn find_checkpoint(name: &str) -> Result<&'static str, ToyModelError> {
    let known = CHECKPOINTS.into_iter().find(|other| *other == name);
    known.ok_or_else(|| unknown_error("checkpoint", name, &CHECKPOINTS))
}

/// A checkpoint, by its name; read once.
///
/// # Errors
/// [`ToyModelError::Unknown`], [`ToyModelError::Absent`].
pub fn load_model(name: &str) -> Result<Arc<Model>, ToyModelError> {
    if let Some(model) = lock_store().models.get(name) {
        return Ok(model.clone());
    }
    let name = find_checkpoint(name)?;
    let model = Arc::new(Model::new(&load_parameters(name)?));
    lock_store().models.insert(name, model.clone());
    Ok(model)
}

/// The weights of a checkpoint.
///
/// # Errors
/// As [`load_model`].
pub fn load_parameters(name: &str) -> Result<Parameters, ToyModelError> {
    if let Some(kept) = lock_store().kept.get(name) {
        return Ok(Parameters::clone(kept));
    }
    Ok(Parameters::open(&open_shipped(find_shipped("checkpoint", find_checkpoint(name)?)?)?)?)
}

/// Keeps a model of the language that stands in no file of its own under a name that no checkpoint has: it can be had
/// by that name from then on.
pub(crate) fn store_model(name: &'static str, parameters: Parameters) {
    if find_checkpoint(name).is_err() {
        let model = Arc::new(Model::new(&parameters));
        let mut store = lock_store();
        store.models.insert(name, model);
        store.kept.insert(name, Arc::new(parameters));
    }
}

/// Whether a model can be had by that name, without its file having been looked at.
pub(crate) fn is_model_available(name: &str) -> bool {
    CHECKPOINTS.contains(&name) || lock_store().kept.contains_key(name)
}

/// An autoencoder, by its name: a shipped one, or one that was [`store_dictionary`]t; read once.
///
/// # Errors
/// [`ToyModelError::Unknown`], [`ToyModelError::Absent`].
pub fn load_dictionary(name: &str) -> Result<Arc<Dictionary>, ToyModelError> {
    if let Some(dictionary) = lock_store().dictionaries.get(name) {
        return Ok(dictionary.clone());
    }
    let known = DICTIONARIES.iter().find(|other| other.name == name).ok_or_else(|| {
        if name == USER_TRAINED_NAME {
            let allowed = "that name once an autoencoder was trained here".to_owned();
            return ToyModelError::Unknown { field: "sae", found: name.to_owned(), allowed };
        }
        let names: Vec<&str> = DICTIONARIES.iter().map(|other| other.name).collect();
        unknown_error("sae", name, &names)
    })?;
    let dictionary = match known {
        NamedDictionary { name: RESIDUAL_STREAM_NAME, .. } => Dictionary::identity(*super::dictionary::RESIDUAL_WIDTH),
        NamedDictionary { file, tensors, kind, .. } => {
            Dictionary::open(&open_shipped(find_shipped("sae", file)?)?, tensors, *kind)?
        }
    };
    let dictionary = Arc::new(dictionary);
    lock_store().dictionaries.insert(name.to_owned(), dictionary.clone());
    Ok(dictionary)
}

/// Keeps an autoencoder of somebody's own under a name that no shipped one has; an earlier one of that name
/// is replaced.
///
/// # Errors
/// [`ToyModelError::Unknown`] for a name that is taken.
pub fn store_dictionary(name: &str, dictionary: Dictionary) -> Result<(), ToyModelError> {
    if DICTIONARIES.iter().any(|other| other.name == name) {
        let allowed = "a name that no shipped autoencoder has".to_owned();
        return Err(ToyModelError::Unknown { field: "sae", found: name.to_owned(), allowed });
    }
    lock_store().dictionaries.insert(name.to_owned(), Arc::new(dictionary));
    Ok(())
}

// In WebAssembly no file is built in.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_the_one_that_is_named_and_no_other_is_taken() {
        for file in &FILES {
            let bytes = built_in_bytes(file.name).unwrap().to_vec();
            assert_eq!(bytes.len(), file.bytes as usize);
            provide_file(file.name, bytes.clone()).unwrap();
            let mut other = bytes;
            *other.last_mut().unwrap() ^= 1;
            let error = provide_file(file.name, other).unwrap_err();
            assert_eq!(error.code(), "little.changed");
        }
        assert_eq!(provide_file("ck-1", Vec::new()).unwrap_err().code(), "little.unknown");
        for name in CHECKPOINTS {
            assert_eq!(load_model(name).unwrap().config().layers, 3);
        }
    }

    #[test]
    fn own_dictionaries_are_kept_beside_the_shipped_ones() {
        store_dictionary("mine", Dictionary::identity(48)).unwrap();
        assert_eq!(load_dictionary("mine").unwrap().latent_count(), 48);
        let taken = store_dictionary("topk256", Dictionary::identity(48)).unwrap_err();
        assert_eq!(taken.field(), Some("sae"));
        let error = load_dictionary("topk").unwrap_err().to_string();
        assert!(error.contains("topk256b") && error.contains("residual"), "{error}");
    }
}
