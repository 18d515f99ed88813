//! The pieces of a study of a language model of one's own, kept in a checkpoint as they come.

use sfc_bench::lab::evaluate::open_sae_folder;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sfc_bench::cancel::Cancelled;
use sfc_bench::io;
use sfc_bench::model::on_disk::NamedFile;
use sfc_bench::workers::{self, PieceStore};

use crate::checkpoint::{self, Checkpoint, Options};
use crate::files::{DiskFiles, digest_files};
use crate::format::BoxError;
use crate::interrupt::{self, Interrupted};

/// The most bytes of a piece: two digits each, and what stands around them, fill a line.
const PIECE_BYTES_MAX: usize = checkpoint::LINE_BYTES_MAX as usize / 2 - 64;

/// A piece as a line has it.
#[derive(Serialize, Deserialize)]
struct Piece {
    number: usize,
    #[serde(serialize_with = "serialize_hex", deserialize_with = "deserialize_hex")]
    bytes: Vec<u8>,
}

/// Bytes as hexadecimal digits.
fn serialize_hex<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&io::to_hex(bytes))
}

fn deserialize_hex<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(from)?;
    let wrong = || D::Error::custom("no hexadecimal digits");
    let value = |digit: u8| char::from(digit).to_digit(16).ok_or_else(wrong);
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Ok((value(*high)? << 4 | value(*low)?) as u8),
            _ => Err(wrong()),
        })
        .collect()
}

/// What is kept, and what went wrong with it.
struct CheckpointStore {
    checkpoint: Checkpoint,
    held: Mutex<Vec<Option<Piece>>>,
    done: AtomicUsize,
    failed: Mutex<Option<BoxError>>,
}

impl PieceStore for CheckpointStore {
    fn check(&self) -> Result<(), Cancelled> {
        let failed = self.failed.lock().is_ok_and(|failed| failed.is_some());
        if failed || interrupt::is_requested() { Err(Cancelled) } else { Ok(()) }
    }

    fn load(&self, number: usize) -> Option<Vec<u8>> {
        let piece = self.held.lock().ok()?.get_mut(number)?.take()?;
        Some(piece.bytes)
    }

    fn store(&self, number: usize, bytes: Vec<u8>) -> Result<(), Cancelled> {
        // A longer line would not be believed: such a piece is done again.
        if bytes.len() > PIECE_BYTES_MAX {
            return Ok(());
        }
        if let Err(error) = self.checkpoint.append(&Piece { number, bytes }) {
            if let Ok(mut failed) = self.failed.lock() {
                failed.get_or_insert(error);
            }
            return Err(Cancelled);
        }
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Where the pieces of a study are kept, if anywhere.
pub struct StudyCheckpoint(Option<Arc<CheckpointStore>>);

impl StudyCheckpoint {
    /// Opens the folder, where one is given; `settings` are all that the pieces follow from, of which there are `most`
    /// at most.
    pub fn open<S: Serialize>(
        options: &Options,
        command: &str,
        settings: impl FnOnce() -> Result<S, BoxError>,
        most: usize,
    ) -> Result<Self, BoxError> {
        if !options.is_given() {
            return Ok(Self(None));
        }
        let place = |piece: &Piece| Some(piece.number);
        let (checkpoint, held) = options.open(command, &settings()?, most, place)?;
        let store = checkpoint.map(|checkpoint| {
            interrupt::listen_for_signals();
            let done = AtomicUsize::new(held.iter().flatten().count());
            let (held, failed) = (Mutex::new(held), Mutex::new(None));
            Arc::new(CheckpointStore { checkpoint, held, done, failed })
        });
        Ok(Self(store))
    }

    /// Takes the steps of a run that has pieces, as long as a step says that there are more, with those that are kept,
    /// numbered from `first` on.
    pub fn run_steps(&self, first: usize, mut step: impl FnMut() -> Result<bool, BoxError>) -> Result<(), BoxError> {
        let mut found = Ok(true);
        let Some(store) = &self.0 else {
            while found? {
                found = step();
            }
            return Ok(());
        };
        workers::set_store(Some((Arc::clone(store) as Arc<dyn PieceStore>, first)));
        while matches!(found, Ok(true)) && !interrupt::is_requested() {
            found = step();
        }
        workers::set_store(None);
        if let Some(error) = store.failed.lock().ok().and_then(|mut failed| failed.take()) {
            return Err(error);
        }
        store.checkpoint.sync()?;
        if !matches!(found, Ok(false)) && interrupt::is_requested() {
            let done = store.done.load(Ordering::Relaxed);
            let kept = checkpoint::resume_hint(Some(&store.checkpoint));
            let said = format!("interrupted: {done} pieces are done; {kept}");
            return Err(Interrupted { message: said, partial_output: String::new() }.into());
        }
        found.map(|_| ())
    }
}

/// SHA-256 of every file of a model, by its name in the folder.
pub fn digest_model(files: Vec<NamedFile>) -> Result<BTreeMap<String, String>, BoxError> {
    let of = |(name, source): NamedFile| {
        let last = name.rsplit(['/', '\\']).next().unwrap_or(&name).to_owned();
        Ok((last, io::digest(&name, &*source)?))
    };
    files.into_iter().map(of).collect()
}

/// SHA-256 of every file of an autoencoder, by what it is.
pub fn digest_autoencoder(path: &Path, cap: u64) -> Result<BTreeMap<String, String>, BoxError> {
    let files = DiskFiles::new(cap);
    Ok(digest_files(&open_sae_folder(&files.autoencoder_files(path)?, &files)?)?.into_iter().collect())
}

/// SHA-256 of a text.
pub fn digest_text(text: &str) -> Result<String, BoxError> {
    Ok(io::digest("", &text.as_bytes().to_vec())?)
}
