//! Who does pieces of work: the files, and what is loaded of them.

use std::rc::Rc;

use super::super::EvaluationError;
use super::super::inputs::Inputs;
use super::super::plan::{EvaluationPlan, ROW_GAP_MAX};
use super::direction_similarity::DirectionComparison;
use super::evenly_spaced_index;
use super::loaded_model::{LoadedDecomposition, RowBlock};
use super::part::{Basis, Job, JobKind, JobOutput, PartialResult};
use super::sums::ActiveFeatures;
use crate::Matrix;
use crate::io::{ArrayRef, Entry, match_entries};
use crate::kernel;
use crate::linalg::span::{self, Gram, RowSpace};
use crate::sae::{Dictionary, SaeError};

/// What pieces of work are done with.
#[expect(clippy::large_enum_variant, reason = "there is one")]
enum WorkerState {
    Empty,
    Loaded(LoadedDecomposition, Option<f64>),
    Compared(DirectionComparison),
}

/// Does pieces of work.
pub(super) struct Worker {
    inputs: Inputs,
    /// Rows of the dictionary that codes are decoded by.
    order: Option<Rc<[u32]>>,
    state: WorkerState,
}

/// A piece with the rows that it takes.
pub(super) struct PreparedJob {
    job: Job,
    rows: Option<RowBlock>,
}

impl Worker {
    pub fn new(plan: &EvaluationPlan) -> Self {
        Self { inputs: plan.inputs.clone(), order: plan.decoder_order.clone(), state: WorkerState::Empty }
    }

    /// Whether anything is loaded.
    pub fn is_loaded(&self) -> bool {
        !matches!(self.state, WorkerState::Empty)
    }

    /// Loads what is to be loaded.
    pub fn load(&mut self) -> Result<(), EvaluationError> {
        if !self.is_loaded() {
            self.state = WorkerState::Loaded(LoadedDecomposition::load(&self.inputs, self.order.as_deref())?, None);
        }
        Ok(())
    }

    /// The dictionary, once it is loaded.
    fn dictionary(&self) -> Option<&Dictionary> {
        match &self.state {
            WorkerState::Empty => None,
            WorkerState::Loaded(loaded, _) => Some(&loaded.dictionary),
            WorkerState::Compared(compared) => Some(&compared.dictionary),
        }
    }

    /// Lengths of the dictionary's rows, once it is loaded.
    pub fn decoder_row_lengths(&self) -> Option<Vec<f64>> {
        self.dictionary().map(Dictionary::row_norms)
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
    pub fn compute_basis(&self, gram: Matrix) -> Result<Basis, EvaluationError> {
        let WorkerState::Loaded(loaded, _) = &self.state else {
            return Err(EvaluationError::Unfinished);
        };
        let dictionary = &loaded.dictionary;
        let space = match_entries!(&dictionary.rows, rows => RowSpace::from_gram(rows, dictionary.d, &gram));
        Ok(Basis { gram, space: space.ok_or(SaeError::NoConvergence)? })
    }

    /// Takes what all must know.
    pub fn set_basis(&mut self, basis: Basis) -> Result<(), EvaluationError> {
        self.load()?;
        if let WorkerState::Loaded(loaded, _) = &mut self.state {
            loaded.coder.compute_gram_inverse(&basis.gram)?;
            loaded.gram = basis.gram;
            loaded.row_space = basis.space;
        }
        Ok(())
    }

    /// What has been taken so.
    pub fn current_basis(&self) -> Option<Basis> {
        let WorkerState::Loaded(LoadedDecomposition { gram, row_space: space, .. }, _) = &self.state else {
            return None;
        };
        Some(Basis { gram: gram.clone(), space: space.clone() })
    }

    /// Makes ready for a piece, and reads what it takes of the files.
    pub fn prepare_job(&mut self, job: Job) -> Result<PreparedJob, EvaluationError> {
        self.load()?;
        if let JobKind::Directions { .. } = job.work {
            // What was loaded for coding goes before as much again is made.
            self.state = match std::mem::replace(&mut self.state, WorkerState::Empty) {
                WorkerState::Loaded(LoadedDecomposition { dictionary, .. }, _) => {
                    WorkerState::Compared(DirectionComparison::new(dictionary))
                }
                other => other,
            };
        }
        let rows = match (&mut self.state, &job.work) {
            (WorkerState::Loaded(loaded, _), JobKind::Lengths) => {
                let rows: Vec<usize> = job.of.clone().collect();
                let array = &self.inputs.activations;
                let scored = read_rows_as_f64(array, &rows, loaded.coder.input_width())?;
                Some(RowBlock { target_rows: scored, input_rows: None, codes: None, reconstruction: None })
            }
            (WorkerState::Loaded(loaded, _), JobKind::Rows) => {
                let rows = job.rows.clone().unwrap_or_else(|| job.of.clone().collect());
                Some(read_block(&self.inputs, loaded, &rows)?)
            }
            (WorkerState::Loaded(loaded, slack), JobKind::ActiveSubspace { total, kept }) => {
                let all = self.inputs.activations.rows();
                let spread = || job.of.clone().map(|i| evenly_spaced_index(i, *total, all)).collect();
                let rows: Vec<usize> = job.rows.clone().unwrap_or_else(spread);
                if slack.is_none() && matches!(loaded.row_space, RowSpace::All) {
                    *slack = Some(span::removable_squared_length(&loaded.gram, loaded.dictionary.k));
                }
                Some(match kept {
                    Some(_) => {
                        let array = self.inputs.reconstruction_target();
                        let scored = read_rows_as_f64(array, &rows, loaded.dictionary.d)?;
                        RowBlock { target_rows: scored, input_rows: None, codes: None, reconstruction: None }
                    }
                    None => read_block(&self.inputs, loaded, &rows)?,
                })
            }
            _ => None,
        };
        Ok(PreparedJob { job, rows })
    }

    /// What may be shared by threads: does a piece.
    pub fn job_runner(&self) -> impl Fn(PreparedJob) -> Result<PartialResult, EvaluationError> + Sync + Send + '_ {
        let state = &self.state;
        let all = self.inputs.activations.rows();
        move |given| state.run_job(given, all)
    }

    /// Does a piece.
    pub fn run_job(&mut self, job: Job) -> Result<PartialResult, EvaluationError> {
        let given = self.prepare_job(job)?;
        self.job_runner()(given)
    }
}

impl WorkerState {
    fn run_job(&self, PreparedJob { job, rows }: PreparedJob, all: usize) -> Result<PartialResult, EvaluationError> {
        let count = job.of.len();
        let found = match (self, job.work, rows) {
            (Self::Loaded(loaded, _), JobKind::Gram, _) => {
                let dictionary = &loaded.dictionary;
                JobOutput::Gram(
                    match_entries!(&dictionary.rows, rows => Gram::compute_part(rows, dictionary.d, job.of)),
                )
            }
            (Self::Loaded(..), JobKind::Lengths, Some(block)) => {
                let length = |row: &[f64]| kernel::dot(row, row).sqrt();
                JobOutput::Lengths(block.target_rows.iter_rows().map(length).collect())
            }
            (Self::Loaded(loaded, _), JobKind::Rows, Some(block)) => {
                let found = loaded.measure_rows(block, job.of.start);
                let found = found.map_err(|error| error.with_file_row(job.of.start, job.rows.as_deref()));
                JobOutput::Rows(Box::new(found?))
            }
            (Self::Loaded(loaded, slack), JobKind::ActiveSubspace { total, kept }, Some(block)) => {
                let kept = match kept {
                    Some(kept) => kept,
                    None => {
                        let first = evenly_spaced_index(job.of.start, total, all);
                        let passed = loaded.encode_and_decode(&block, first)?;
                        let k = loaded.dictionary.k;
                        passed.active_features.iter().map(|a| ActiveFeatures::from_active(a, k)).collect()
                    }
                };
                JobOutput::ActiveSubspace(loaded.measure_active_subspace(
                    &block.target_rows,
                    &kept,
                    slack.unwrap_or_default(),
                )?)
            }
            (Self::Compared(compared), JobKind::Directions { total }, _) => {
                let k = compared.dictionary.k;
                let features: Vec<usize> = job.of.map(|i| evenly_spaced_index(i, total, k)).collect();
                JobOutput::Directions(compared.nearest_cosines(&features))
            }
            // A piece of a phase that is over, or has not begun.
            _ => return Err(EvaluationError::Unfinished),
        };
        Ok(PartialResult { found, count })
    }
}

/// Rows of activations, of targets and of codes where those are given, by their numbers.
fn read_block(inputs: &Inputs, loaded: &LoadedDecomposition, rows: &[usize]) -> Result<RowBlock, EvaluationError> {
    let scored = read_rows_as_f64(inputs.reconstruction_target(), rows, loaded.dictionary.d)?;
    let targets = inputs.decomposition.targets();
    let read = targets.map(|_| read_rows_as_f64(&inputs.activations, rows, loaded.coder.input_width()));
    let codes = inputs.decomposition.given_codes();
    let codes = codes.map(|codes| read_rows_as_f64(codes, rows, loaded.dictionary.k));
    let decoded = inputs.decomposition.reconstruction();
    let decoded = decoded.map(|made| read_rows_as_f64(made, rows, loaded.dictionary.d)).transpose()?;
    Ok(RowBlock {
        target_rows: scored,
        input_rows: read.transpose()?,
        codes: codes.transpose()?,
        reconstruction: decoded,
    })
}

/// Rows of a matrix in a file, by their numbers, as `f64`: every number is what it is in the file.
pub(in crate::lab::evaluate) fn read_rows_as_f64(
    array: &ArrayRef,
    rows: &[usize],
    cols: usize,
) -> Result<Matrix, EvaluationError> {
    let mut wide = Matrix::zeros(rows.len(), cols);
    if array.exceeds_f32() {
        gather_rows_into(array, rows, cols, wide.data_mut())?;
    } else {
        let mut narrow = vec![0.0f32; rows.len() * cols];
        gather_rows_into(array, rows, cols, &mut narrow)?;
        span::widen_into(&narrow, wide.data_mut());
    }
    Ok(wide)
}

fn gather_rows_into<T: Entry>(
    array: &ArrayRef,
    rows: &[usize],
    cols: usize,
    out: &mut [T],
) -> Result<(), EvaluationError> {
    match rows {
        [first, .., last] if last - first + 1 == rows.len() => array.read_rows(*first, out)?,
        // A few times as much at once is quicker than many times a little.
        [first, .., last] if last - first < ROW_GAP_MAX * rows.len() => {
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
