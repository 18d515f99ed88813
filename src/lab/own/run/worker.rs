//! Who does pieces of work: the files, and what is loaded of them.

use std::rc::Rc;

use super::super::OwnError;
use super::super::inputs::Inputs;
use super::super::plan::{APART, OwnPlan};
use super::compared::Compared;
use super::loaded::{Block, Loaded};
use super::part::{Basis, Found, Job, Part, Work};
use super::spaced;
use super::sums::Kept;
use crate::Matrix;
use crate::io::{ArrayRef, Entry, either};
use crate::kernel;
use crate::linalg::span::{self, Gram, RowSpace};
use crate::sae::{Dictionary, SaeError};

/// What pieces of work are done with.
#[expect(clippy::large_enum_variant, reason = "there is one")]
enum State {
    Nothing,
    Loaded(Loaded, Option<f64>),
    Compared(Compared),
}

/// Does pieces of work.
pub(super) struct Worker {
    inputs: Inputs,
    /// Rows of the dictionary that codes are decoded by.
    order: Option<Rc<[u32]>>,
    state: State,
}

/// A piece with the rows that it takes.
pub(super) struct Given {
    job: Job,
    rows: Option<Block>,
}

impl Worker {
    pub fn new(plan: &OwnPlan) -> Self {
        Self { inputs: plan.inputs.clone(), order: plan.order.clone(), state: State::Nothing }
    }

    /// Whether anything is loaded.
    pub fn is_loaded(&self) -> bool {
        !matches!(self.state, State::Nothing)
    }

    /// Loads what is to be loaded.
    pub fn load(&mut self) -> Result<(), OwnError> {
        if !self.is_loaded() {
            self.state = State::Loaded(Loaded::of(&self.inputs, self.order.as_deref())?, None);
        }
        Ok(())
    }

    /// The dictionary, once it is loaded.
    fn dictionary(&self) -> Option<&Dictionary> {
        match &self.state {
            State::Nothing => None,
            State::Loaded(loaded, _) => Some(&loaded.dictionary),
            State::Compared(compared) => Some(&compared.dictionary),
        }
    }

    /// Lengths of the dictionary's rows, once it is loaded.
    pub fn lengths(&self) -> Option<Vec<f64>> {
        self.dictionary().map(Dictionary::lengths)
    }

    /// The rows of the dictionary (K × D), once it is loaded.
    pub fn directions(&self) -> Option<Matrix> {
        let dictionary = self.dictionary()?;
        let mut out = Matrix::zeros(dictionary.k, dictionary.d);
        let values = out.data_mut().iter_mut().zip(dictionary.rows.iter());
        values.for_each(|(out, value)| *out = value);
        Some(out)
    }

    /// What all must know, of the Gram matrix.
    pub fn basis(&self, gram: Matrix) -> Result<Basis, OwnError> {
        let State::Loaded(loaded, _) = &self.state else { return Err(OwnError::Unfinished) };
        let dictionary = &loaded.dictionary;
        let space = either!(&dictionary.rows, rows => RowSpace::of(rows, dictionary.d, &gram));
        Ok(Basis { gram, space: space.ok_or(SaeError::NoConvergence)? })
    }

    /// Takes what all must know.
    pub fn adopt(&mut self, basis: Basis) -> Result<(), OwnError> {
        self.load()?;
        if let State::Loaded(loaded, _) = &mut self.state {
            loaded.coder.invert(&basis.gram)?;
            loaded.gram = basis.gram;
            loaded.space = basis.space;
        }
        Ok(())
    }

    /// What has been taken so.
    pub fn adopted(&self) -> Option<Basis> {
        let State::Loaded(Loaded { gram, space, .. }, _) = &self.state else { return None };
        Some(Basis { gram: gram.clone(), space: space.clone() })
    }

    /// Makes ready for a piece, and reads what it takes of the files.
    pub fn give(&mut self, job: Job) -> Result<Given, OwnError> {
        self.load()?;
        if let Work::Directions { .. } = job.work {
            // What was loaded for coding goes before as much again is made.
            self.state = match std::mem::replace(&mut self.state, State::Nothing) {
                State::Loaded(Loaded { dictionary, .. }, _) => {
                    State::Compared(Compared::new(dictionary))
                }
                other => other,
            };
        }
        let rows = match (&mut self.state, &job.work) {
            (State::Loaded(loaded, _), Work::Lengths) => {
                let rows: Vec<usize> = job.of.clone().collect();
                let array = &self.inputs.activations;
                let scored = gather(array, &rows, loaded.coder.width())?;
                Some(Block { scored, read: None, codes: None, decoded: None })
            }
            (State::Loaded(loaded, _), Work::Rows) => {
                let rows = job.rows.clone().unwrap_or_else(|| job.of.clone().collect());
                Some(read(&self.inputs, loaded, &rows)?)
            }
            (State::Loaded(loaded, slack), Work::ActiveSubspace { total, kept }) => {
                let all = self.inputs.activations.rows();
                let spread = || job.of.clone().map(|i| spaced(i, *total, all)).collect();
                let rows: Vec<usize> = job.rows.clone().unwrap_or_else(spread);
                if slack.is_none() && matches!(loaded.space, RowSpace::All) {
                    *slack = Some(span::slack(&loaded.gram, loaded.dictionary.k));
                }
                Some(match kept {
                    Some(_) => {
                        let array = self.inputs.scored();
                        let scored = gather(array, &rows, loaded.dictionary.d)?;
                        Block { scored, read: None, codes: None, decoded: None }
                    }
                    None => read(&self.inputs, loaded, &rows)?,
                })
            }
            _ => None,
        };
        Ok(Given { job, rows })
    }

    /// What may be shared by threads: does a piece.
    pub fn worker(&self) -> impl Fn(Given) -> Result<Part, OwnError> + Sync + Send + '_ {
        let state = &self.state;
        let all = self.inputs.activations.rows();
        move |given| state.work(given, all)
    }

    /// Does a piece.
    pub fn work(&mut self, job: Job) -> Result<Part, OwnError> {
        let given = self.give(job)?;
        self.worker()(given)
    }
}

impl State {
    fn work(&self, Given { job, rows }: Given, all: usize) -> Result<Part, OwnError> {
        let count = job.of.len();
        let found = match (self, job.work, rows) {
            (Self::Loaded(loaded, _), Work::Gram, _) => {
                let dictionary = &loaded.dictionary;
                Found::Gram(
                    either!(&dictionary.rows, rows => Gram::part(rows, dictionary.d, job.of)),
                )
            }
            (Self::Loaded(..), Work::Lengths, Some(block)) => {
                let length = |row: &[f64]| kernel::dot(row, row).sqrt();
                Found::Lengths(block.scored.iter_rows().map(length).collect())
            }
            (Self::Loaded(loaded, _), Work::Rows, Some(block)) => {
                let found = loaded.rows(block, job.of.start);
                let found = found.map_err(|error| error.of_row(job.of.start, job.rows.as_deref()));
                Found::Rows(Box::new(found?))
            }
            (Self::Loaded(loaded, slack), Work::ActiveSubspace { total, kept }, Some(block)) => {
                let kept = match kept {
                    Some(kept) => kept,
                    None => {
                        let first = spaced(job.of.start, total, all);
                        let passed = loaded.pass(&block, first)?;
                        let k = loaded.dictionary.k;
                        passed.active.iter().map(|a| Kept::of(a, k)).collect()
                    }
                };
                Found::ActiveSubspace(loaded.active(
                    &block.scored,
                    &kept,
                    slack.unwrap_or_default(),
                )?)
            }
            (Self::Compared(compared), Work::Directions { total }, _) => {
                let k = compared.dictionary.k;
                let features: Vec<usize> = job.of.map(|i| spaced(i, total, k)).collect();
                Found::Directions(compared.nearest(&features))
            }
            // A piece of a phase that is over, or has not begun.
            _ => return Err(OwnError::Unfinished),
        };
        Ok(Part { found, count })
    }
}

/// Rows of activations, of targets and of codes where those are given, by their numbers.
fn read(inputs: &Inputs, loaded: &Loaded, rows: &[usize]) -> Result<Block, OwnError> {
    let scored = gather(inputs.scored(), rows, loaded.dictionary.d)?;
    let targets = inputs.decomposition.targets();
    let read = targets.map(|_| gather(&inputs.activations, rows, loaded.coder.width()));
    let codes = inputs.decomposition.given_codes();
    let codes = codes.map(|codes| gather(codes, rows, loaded.dictionary.k));
    let decoded = inputs.decomposition.reconstruction();
    let decoded = decoded.map(|made| gather(made, rows, loaded.dictionary.d)).transpose()?;
    Ok(Block { scored, read: read.transpose()?, codes: codes.transpose()?, decoded })
}

/// Rows of a matrix in a file, by their numbers, as `f64`: every number is what it is in the file.
pub(in crate::lab::own) fn gather(
    array: &ArrayRef,
    rows: &[usize],
    cols: usize,
) -> Result<Matrix, OwnError> {
    let mut wide = Matrix::zeros(rows.len(), cols);
    if array.is_wide() {
        collect(array, rows, cols, wide.data_mut())?;
    } else {
        let mut narrow = vec![0.0f32; rows.len() * cols];
        collect(array, rows, cols, &mut narrow)?;
        span::widen(&narrow, wide.data_mut());
    }
    Ok(wide)
}

fn collect<T: Entry>(
    array: &ArrayRef,
    rows: &[usize],
    cols: usize,
    out: &mut [T],
) -> Result<(), OwnError> {
    match rows {
        [first, .., last] if last - first + 1 == rows.len() => array.read_rows(*first, out)?,
        // A few times as much at once is quicker than many times a little.
        [first, .., last] if last - first < APART * rows.len() => {
            let mut all = vec![T::default(); (last - first + 1) * cols];
            array.read_rows(*first, &mut all)?;
            for (row, into) in rows.iter().zip(out.chunks_exact_mut(cols)) {
                into.copy_from_slice(&all[(row - first) * cols..][..cols]);
            }
        }
        _ => {
            for (row, into) in rows.iter().zip(out.chunks_exact_mut(cols)) {
                array.read_rows(*row, into)?;
            }
        }
    }
    Ok(())
}
