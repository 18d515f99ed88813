//! A reader's files as they are dropped on a page: which are autoencoders, which their activations, and which results.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use super::{
    PublishedAssessment, UserAuditError, UserAutoencoder, assess_published, load_weights_with_targets,
    measure_autoencoders, parse_name_and_seed,
};
use crate::Matrix;
use crate::io::{self, ArrayRef, DataFile, IoError, ReadAt};
use crate::lab::audit::{Clock, Registry, Rule, SubjectRow};
use crate::lab::evaluate::{EvaluationError, UserRows, usual};
use crate::sae::SaeFolder;
use crate::sae::Weights;
use crate::sae::layout::files::{SaeFileNames, find_named_weights};
use crate::study::Failure;
use crate::study::user_file::{ARRAY_BYTES_MAX, BYTES_MAX, StreamedUserFile, UserFile, UserFileError, check_count};

/// Rows of the activations that are taken, unless something else is said.
pub const DEFAULT_ROWS: usize = 2_000;
/// The folder whose autoencoders are those before their training.
pub const UNTRAINED_FOLDER: &str = "untrained";

/// The names of files of what transcoders reconstruct have this word in them.
const TARGETS_WORD: &str = "target";
/// So are files named that read activations out: nothing here is measured of these.
const READOUT_PREFIX: &str = "readout";
/// What may be given.
const ALLOWED_FILES: &str = "folders with cfg.json and sae_weights.safetensors, or as other tools write autoencoders, or .zip of \
    one, with a .npy, .npz, .safetensors, .pt or .csv of their activations, and of transcoders one of their targets; or SAEBench's results in folders seed_<number>";

/// What a reader's files say.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditGiven"))]
pub enum AuditedFiles {
    /// Autoencoders, measured.
    Autoencoders {
        /// How many there are.
        autoencoders: usize,
        /// How many rows of the activations were taken.
        activations: usize,
        /// What was measured.
        rows: Vec<SubjectRow>,
        /// What must be known of their files, in sentences.
        notes: Vec<String>,
    },
    /// Results under several seeds.
    Published {
        /// What is said of each number.
        scores: Vec<PublishedAssessment>,
    },
}

/// Rows of activations (of one array, or of several one after the other) from all over them, in the order in which they
/// are drawn; all of them where there are no more than `most`.
///
/// # Errors
/// [`EvaluationError`]: as reading them.
pub fn sample_rows(picked: ArrayRef, most: usize) -> Result<Matrix, EvaluationError> {
    let (count, width) = (picked.rows().min(most), picked.cols());
    let drawn = UserRows::new(picked, None, None)?.draw_rows(0, count)?;
    let mut rows = Matrix::zeros(count, width);
    rows.data_mut().iter_mut().zip(drawn.activations).for_each(|(row, value)| *row = f64::from(value));
    Ok(rows)
}

/// As [`sample_rows`], of activations and of what transcoders reconstruct of them: the same rows of both, in which heads or layers of
/// one row stand one after the other where that is as wide as an autoencoder reads, or writes.
///
/// # Errors
/// [`EvaluationError`]: as reading them, and other numbers of rows.
pub fn sample_paired_rows(
    mut picked: ArrayRef,
    mut targets: Option<ArrayRef>,
    of: Option<&Weights>,
    most: usize,
) -> Result<(Matrix, Option<Matrix>), EvaluationError> {
    if let Some(of) = of {
        picked = picked.fold_to_width(of.encoder.cols())?;
        targets = targets.map(|targets| targets.fold_to_width(of.decoder.cols())).transpose()?;
    }
    let rows = picked.rows();
    if let Some(targets) = &targets {
        targets.expect_shape(rows, targets.cols(), "one row a row of activations")?;
    }
    let targets = targets.map(|targets| sample_rows(targets, most)).transpose()?;
    Ok((sample_rows(picked, most)?, targets))
}

/// Reads a reader's files and measures them. Files of activations that are [alike](io::differ_by_number) but for numbers in their names
/// are read one after the other; so are those of targets, whose names say so, and which make all of them transcoders. Autoencoders below a folder [`UNTRAINED_FOLDER`] are what those of the same name are
/// before their training; [`parse_name_and_seed`] says what names mean. Results are judged by the rule. `tell` hears the part of the
/// work that is done.
///
/// # Errors
/// A [`Failure`] of [`UserFileError`], [`EvaluationError`] or [`UserAuditError`]: files that are not understood, are too large or do
/// not fit each other.
pub fn audit_files(
    files: Vec<StreamedUserFile>,
    rule: &Rule,
    clock: Clock,
    tell: &mut dyn FnMut(f64),
) -> Result<AuditedFiles, Failure> {
    check_count(files.len(), ALLOWED_FILES).map_err(failure_from)?;
    let sorted = SortedFiles::from_files(files)?;
    if sorted.folders.is_empty() && sorted.activations.is_empty() {
        let scores = assess_published(sorted.results, rule).map_err(failure_from)?;
        return Ok(AuditedFiles::Published { scores });
    }
    let targets = sorted.targets.first().map(|file| file.name().to_owned());
    let activations = concat_activations(sorted.activations)?;
    let (own, mut notes) = load_autoencoders(sorted.folders, targets.as_deref())?;
    let all = targets.map(|_| concat_activations(sorted.targets)).transpose()?;
    let first = own.first().map(|own| &own.weights);
    let (rows, targets) = sample_paired_rows(activations, all, first, DEFAULT_ROWS).map_err(failure_from)?;
    let mut hear = |done: usize| tell(done as f64 / own.len() as f64);
    let found = measure_autoencoders(&rows, targets.as_ref(), &own, &Registry::all(), clock, &mut hear)
        .map_err(failure_from)?;
    notes.extend(found.iter().filter_map(SubjectRow::not_applicable_note));
    let (autoencoders, activations) = (own.len(), rows.rows());
    Ok(AuditedFiles::Autoencoders { autoencoders, activations, rows: found, notes })
}

/// Activations of all files, one after the other by their names and the numbers in them.
fn concat_activations(mut files: Vec<Rc<DataFile>>) -> Result<ArrayRef, Failure> {
    files.sort_by_cached_key(|file| io::numeric_sort_key(file.name()));
    let picked = files.iter().map(|file| ArrayRef::find(file, None, usual::ACTIVATIONS_NAMES));
    let mut picked = picked.collect::<Result<Vec<ArrayRef>, IoError>>().map_err(io_failure)?.into_iter();
    let first = picked.next().ok_or_else(|| {
        missing_file_failure("the activations", "a .npy, .npz, .safetensors, .pt or .csv beside the autoencoders")
    })?;
    first.concat_rows(picked.collect()).map_err(io_failure)
}

fn missing_file_failure(what: &str, allowed: &str) -> Failure {
    failure_from(UserFileError::missing(what, format!("allowed: {allowed}")))
}

/// The files of an autoencoder, as they come.
#[derive(Default)]
struct AutoencoderFiles {
    config: Option<(String, Vec<u8>)>,
    scaler: Option<(String, Vec<u8>)>,
    weights: Option<Rc<DataFile>>,
    more: Vec<Rc<DataFile>>,
    /// Whether its weights are those of a layout that has no configuration.
    bare: bool,
}

/// The folder that an autoencoder is called by: that of its weights, or above one of checkpoints, or the weights
/// themselves where it is one of several in a folder.
fn autoencoder_folder(names: &SaeFileNames, all: &[SaeFileNames]) -> String {
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let own = folder(&names.weights);
    if all.iter().filter(|other| folder(&other.weights) == own).count() > 1 {
        return io::file_stem(&names.weights).to_owned();
    }
    names.config.as_ref().filter(|_| own.ends_with("checkpoints")).map_or(own, |config| folder(config))
}

/// Files by what they are for.
#[derive(Default)]
struct SortedFiles {
    /// By the folder's path.
    folders: BTreeMap<String, AutoencoderFiles>,
    /// Files of activations, each once.
    activations: Vec<Rc<DataFile>>,
    /// Files of what transcoders reconstruct, likewise.
    targets: Vec<Rc<DataFile>>,
    results: Vec<UserFile>,
    /// Bytes that were unpacked.
    unpacked: u64,
}

impl SortedFiles {
    fn from_files(files: Vec<StreamedUserFile>) -> Result<Self, Failure> {
        let mut sorted = Self::default();
        let in_folder = |file: &StreamedUserFile| {
            [SaeFolder::CONFIG_FILE, SaeFolder::WEIGHTS_FILE].contains(&file.folder_and_name().1)
        };
        let folders: Vec<String> =
            files.iter().filter(|file| in_folder(file)).map(|file| file.folder_and_name().0.to_owned()).collect();
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        // Those that SAELens' folders are not, which keep to names of their own.
        let mut others = find_named_weights(&names);
        others.retain(|names| {
            !names.weights.ends_with(SaeFolder::WEIGHTS_FILE)
                || names.config.as_ref().is_some_and(|config| !config.ends_with(SaeFolder::CONFIG_FILE))
        });
        let mut left = BYTES_MAX;
        for file in files {
            let other = others.iter().find(|names| names.has(&file.name));
            if let Some(names) = other {
                let parts = sorted.folders.entry(autoencoder_folder(names, &others)).or_default();
                parts.bare = names.config.is_none();
                if names.weights == file.name {
                    let weights = sorted.open_file(&file.name, Box::new(file.source))?;
                    sorted.folders.entry(autoencoder_folder(names, &others)).or_default().weights = Some(weights);
                } else if names.more.contains(&file.name) {
                    let more = sorted.open_file(&file.name, Box::new(file.source))?;
                    sorted.folders.entry(autoencoder_folder(names, &others)).or_default().more.push(more);
                } else {
                    // One configuration may be that of several.
                    let read = read_config(file.name, &*file.source)?;
                    for names in others.iter().filter(|names| names.config.as_ref() == Some(&read.0)) {
                        let parts = sorted.folders.entry(autoencoder_folder(names, &others)).or_default();
                        parts.config = Some(read.clone());
                    }
                }
                continue;
            }
            let (folder, name) = file.folder_and_name();
            let (folder, lower) = (folder.to_owned(), name.to_ascii_lowercase());
            // Whatever else stands beside an autoencoder's tensors was written with them: the sparsity of its latents.
            let beside = folders.contains(&folder) && lower.ends_with(".safetensors");
            if name == SaeFolder::CONFIG_FILE {
                sorted.folders.entry(folder).or_default().config = Some(read_config(file.name, &*file.source)?);
            } else if name == SaeFolder::SCALER_FILE {
                sorted.folders.entry(folder).or_default().scaler = Some(read_config(file.name, &*file.source)?);
            } else if name == SaeFolder::WEIGHTS_FILE {
                let weights = sorted.open_file(&file.name, Box::new(file.source))?;
                sorted.folders.entry(folder).or_default().weights = Some(weights);
            } else if lower.ends_with(".json") {
                let bytes = io::read_capped(&file.name, &*file.source, "results", left).map_err(io_failure)?;
                left -= bytes.len() as u64;
                sorted.results.push(UserFile { name: file.name, bytes });
            } else if !beside && !lower.starts_with(READOUT_PREFIX) {
                sorted.add_data_file(file)?;
            }
        }
        Ok(sorted)
    }

    /// Activations, or an autoencoder's folder in an archive.
    fn add_data_file(&mut self, StreamedUserFile { name, source }: StreamedUserFile) -> Result<(), Failure> {
        if io::is_archived_folder(&name, &source).map_err(io_failure)? {
            let left = ARRAY_BYTES_MAX.saturating_sub(self.unpacked);
            let mut parts = AutoencoderFiles::default();
            for packed in io::unpack_files(&name, &source, left).map_err(io_failure)? {
                match packed.name.rsplit('/').next() {
                    Some(SaeFolder::CONFIG_FILE) if parts.config.is_none() => {
                        parts.config = Some(read_config(packed.name, &*packed.source)?);
                    }
                    Some(SaeFolder::SCALER_FILE) if parts.scaler.is_none() => {
                        parts.scaler = Some(read_config(packed.name, &*packed.source)?);
                    }
                    Some(SaeFolder::WEIGHTS_FILE) if parts.weights.is_none() => {
                        parts.weights = Some(self.open_file(&packed.name, packed.source)?);
                    }
                    _ => {}
                }
            }
            self.folders.insert(name.strip_suffix(".zip").unwrap_or(&name).to_owned(), parts);
            return Ok(());
        }
        let file = self.open_file(&name, Box::new(source))?;
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let digest = file.digest().map_err(io_failure)?;
        // As the page gives files their roles.
        let (what, those) = match last(&name).to_ascii_lowercase().contains(TARGETS_WORD) {
            true => ("the targets", &mut self.targets),
            false => ("the activations", &mut self.activations),
        };
        let mut shard = true;
        for other in &*those {
            let same = other.digest().map_err(io_failure)? == digest;
            let alike = io::differ_by_number(other.name(), &name) && last(other.name()) != last(&name);
            // Each autoencoder may have the same ones beside it.
            if same && !alike {
                return Ok(());
            }
            shard &= alike;
        }
        if let Some(first) = those.first().filter(|_| !shard) {
            return Err(failure_from(UserFileError::duplicate(what, first.name(), name)));
        }
        those.push(file);
        Ok(())
    }

    fn open_file(&mut self, name: &str, source: Box<dyn ReadAt>) -> Result<Rc<DataFile>, Failure> {
        let left = ARRAY_BYTES_MAX.saturating_sub(self.unpacked);
        let file = DataFile::open(name, source, left).map_err(io_failure)?;
        self.unpacked += file.unpacked_bytes();
        Ok(Rc::new(file))
    }
}

fn read_config(name: String, source: &dyn ReadAt) -> Result<(String, Vec<u8>), Failure> {
    let bytes = SaeFolder::read_config(&name, source).map_err(io_failure)?;
    Ok((name, bytes))
}

fn failure_from<E>(error: E) -> Failure
where
    Failure: for<'a> From<&'a E>,
{
    Failure::from(&error)
}

fn io_failure(error: IoError) -> Failure {
    failure_from(EvaluationError::from(error))
}

/// Those that were trained, each with what it was before, and what must be known of their files.
fn load_autoencoders(
    folders: BTreeMap<String, AutoencoderFiles>,
    targets: Option<&str>,
) -> Result<(Vec<UserAutoencoder>, Vec<String>), Failure> {
    let mut notes = Vec::new();
    let mut trained: Vec<UserAutoencoder> = Vec::new();
    let mut before: Vec<(String, String, u32, Weights)> = Vec::new();
    for (folder, parts) in folders {
        let whole = |name: &str| {
            let name = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            missing_file_failure(&name, "both files of an autoencoder's folder")
        };
        if parts.config.is_none() && !parts.bare {
            return Err(whole(SaeFolder::CONFIG_FILE));
        }
        let file = parts.weights.ok_or_else(|| whole(SaeFolder::WEIGHTS_FILE))?;
        let config = parts.config.as_ref().map(|(name, bytes)| (name.as_str(), bytes.clone()));
        let read = SaeFolder::open(config, file, parts.more).and_then(|read| match &parts.scaler {
            Some((name, bytes)) => read.with_activation_scaler(name, bytes),
            None => Ok(read),
        });
        let read = read.map_err(|error| failure_from(EvaluationError::from(error)))?;
        notes.extend(read.notes());
        let weights = load_weights_with_targets(read, targets).map_err(failure_from)?;
        let steps: Vec<&str> = folder.split(['/', '\\']).collect();
        let kept: Vec<&str> = steps.iter().copied().filter(|step| *step != UNTRAINED_FOLDER).collect();
        let (place, seed) = parse_name_and_seed(&kept.join("/")).map_err(failure_from)?;
        let place = if place.is_empty() { "autoencoder".to_owned() } else { place };
        if kept.len() < steps.len() {
            before.push((folder, place, seed, weights));
        } else {
            trained.push(UserAutoencoder { place, seed, weights, untrained: None });
        }
    }
    for (folder, place, seed, weights) in before {
        let own = trained.iter_mut().find(|own| own.place == place && own.seed == seed);
        let Some(own) = own else {
            let error = UserAuditError::value_error(
                &folder,
                "untrained",
                format!("{place} under seed {seed}"),
                "one that is there after its training, too".to_owned(),
            );
            return Err(failure_from(error));
        };
        if own.untrained.replace(weights).is_some() {
            return Err(failure_from(UserAuditError::Duplicate { place, seed: u64::from(seed) }));
        }
    }
    Ok((trained, notes))
}
