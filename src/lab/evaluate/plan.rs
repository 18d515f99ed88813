use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::inputs::{CodesSource, DecompositionInput, Inputs, readout_width};
use super::report::{InputFile, Variance};
use super::skipped_rows::KeptRows;
use super::{CodesBy, EvaluationError, Reading, SkipRules};
use crate::Weights;
use crate::io::{Array, IoError};
use crate::linalg::span::GRAM_PART_ROWS;
use crate::papers::sfc::metric::fidelity::FidelityMode;
use crate::settings::MEMORY_CAP;
use crate::threads;

/// Most rows that are read, coded and measured together.
const BLOCK_ROWS_MAX: usize = 64;

/// Rows closer than this are read with what is between them.
pub(super) const ROW_GAP_MAX: usize = 8;

/// Active features that are remembered: 16 MiB.
pub(super) const ACTIVE_ENTRIES_MAX: usize = 1 << 22;
/// What a row takes besides, in entries.
pub(super) const ROW_OVERHEAD_ENTRIES: usize = 12;

/// How many rows or features, of so many multiplications each, make one step: few enough that a browser
/// comes back from it in a tenth of a second or so. It fixes the order of sums.
pub(super) fn rows_per_step(one: f64) -> usize {
    /// Multiplications a step.
    const STEP_MULTIPLICATIONS: f64 = 1.2e9;
    ((STEP_MULTIPLICATIONS / one.max(1.0)) as usize).clamp(1, BLOCK_ROWS_MAX)
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateOptions"))]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The form of Eq. 2 that the score takes.
    pub fidelity: FidelityMode,
    /// The reading of Eq. 3 that the score takes; none: by the row space, the paper's, and by the
    /// reconstruction where the dictionary spans the whole space and the former is always 1.
    pub completeness: Option<Reading>,
    /// The variance that completeness divides by.
    pub variance: Variance,
    /// Weights of Eq. 4.
    pub weights: Weights,
    /// Most rows, evenly spaced, that the active-subspace reading looks at; fewer where they would
    /// take long.
    pub active_rows: u32,
    /// Memory the run may take, in bytes.
    #[cfg_attr(feature = "types", ts(type = "number"))]
    pub memory: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fidelity: FidelityMode::default(),
            completeness: None,
            variance: Variance::default(),
            weights: Weights::EQUAL,
            active_rows: 1_000,
            memory: MEMORY_CAP,
        }
    }
}

/// A number that a form asks for, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "OwnNumber"))]
pub struct FormNumber {
    /// What it is where nobody says otherwise.
    pub usual: f64,
    /// The most that it may be.
    pub max: f64,
}

/// The numbers of a run that a form asks for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "OwnNumbers"))]
pub struct FormNumbers {
    /// Codes that are kept of each row, where only the largest are.
    pub kept: FormNumber,
    /// As in [`Options`].
    pub active_rows: FormNumber,
    /// As in [`Options`], in bytes.
    pub memory: FormNumber,
}

impl Options {
    /// The numbers that a form asks for.
    #[must_use]
    pub fn form_number_fields() -> FormNumbers {
        let usual = Self::default();
        let most = f64::from(u32::MAX);
        FormNumbers {
            kept: FormNumber { usual: CodesBy::TOP_K_DEFAULT as f64, max: most },
            active_rows: FormNumber { usual: f64::from(usual.active_rows), max: most },
            // Below 2⁵³, and so exact.
            memory: FormNumber { usual: usual.memory as f64, max: Self::MEMORY_MAX as f64 },
        }
    }

    /// Most memory that may be asked for: what WebAssembly can address, less what it needs itself.
    pub const MEMORY_MAX: u64 = 7 << 29;

    /// # Errors
    /// [`EvaluationError::Sae`] with the option.
    pub fn check(&self) -> Result<(), EvaluationError> {
        if self.active_rows == 0 {
            return Err(EvaluationError::invalid_option("active_rows", "0", "a whole number from 1"));
        }
        if self.memory > Self::MEMORY_MAX && cfg!(target_arch = "wasm32") {
            let allowed = "at most 3758096384 bytes";
            return Err(EvaluationError::invalid_option("memory", self.memory.to_string(), allowed));
        }
        Ok(())
    }
}

/// Sizes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shapes {
    /// Rows N.
    pub rows: usize,
    /// Width D.
    pub dimensions: usize,
    /// Dictionary size K.
    pub k: usize,
    /// Width of f's output.
    pub outputs: usize,
}

/// An evaluation whose shapes fit and whose memory is known; no payload has been read.
#[derive(Clone)]
pub struct EvaluationPlan {
    pub(super) inputs: Inputs,
    pub(super) options: Options,
    pub(super) skip: SkipRules,
    /// The rows that are scored, where these were chosen before.
    pub(super) kept_rows: Option<Rc<KeptRows>>,
    /// Rows of the dictionary that codes are decoded by, where these are others than their latents'.
    pub(super) decoder_order: Option<Rc<[u32]>>,
    /// Bytes that are held beside the run.
    beside: u64,
    shapes: Shapes,
    /// Threads for which there is memory.
    threads: usize,
}

/// Pieces of work for each thread at a time, where there are several.
const PIECES_PER_THREAD: usize = 4;

impl EvaluationPlan {
    /// Holds shapes against each other, and the memory against its cap.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] for an array that is missing or of another shape, a configuration or an option;
    /// [`EvaluationError::Memory`].
    pub fn new(mut inputs: Inputs, options: Options) -> Result<Self, EvaluationError> {
        options.check()?;
        if let Some([read, scored]) = inputs.decomposition.widths() {
            // Heads, or layers, of one row that are a dimension of their own.
            inputs.activations = inputs.activations.fold_to_width(read)?;
            if let DecompositionInput::Transcoder { targets, .. } = &mut inputs.decomposition {
                *targets = targets.clone().fold_to_width(scored)?;
            }
        }
        let activations = &inputs.activations;
        let (rows, d) = (activations.rows(), activations.cols());
        let (k, d) = inputs.decomposition.check_shapes(rows, d)?;
        let outputs = readout_width(inputs.readout.as_ref(), inputs.readout_bias.as_ref(), d)?;
        let outputs = outputs.unwrap_or(d);
        let shapes = Shapes { rows, dimensions: d, k, outputs };
        let (skip, kept, order, beside) = (SkipRules::default(), None, None, 0);
        Self {
            inputs,
            options,
            skip,
            kept_rows: kept,
            decoder_order: order,
            beside,
            shapes,
            threads: threads::thread_count(),
        }
        .limit_threads()
    }

    /// The same without some rows.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] for rows that there are not, and where none is left; [`EvaluationError::Memory`].
    pub fn with_skip(mut self, skip: SkipRules) -> Result<Self, EvaluationError> {
        skip.check(self.shapes.rows)?;
        if !skip.skips_nothing() && !skip.needs_lengths() {
            skip.select_rows(self.shapes.rows, &[])?;
        }
        self.skip = skip;
        self.limit_threads()
    }

    /// The same with the rows of the dictionary that codes are decoded by in another order.
    pub(super) fn with_decoder_order(self, order: Rc<[u32]>) -> Self {
        Self { decoder_order: Some(order), ..self }
    }

    /// The same of rows that were chosen before, whatever was to be left out; of all rows without any.
    pub(super) fn with_kept_rows(self, kept: Option<Rc<KeptRows>>) -> Self {
        Self { skip: SkipRules::default(), kept_rows: kept, ..self }
    }

    /// The same with so many bytes held beside the run.
    ///
    /// # Errors
    /// [`EvaluationError::Memory`].
    pub(super) fn with_held_bytes(mut self, bytes: u64) -> Result<Self, EvaluationError> {
        self.beside = bytes;
        self.limit_threads()
    }

    /// Why the order of the dictionary does not matter to what is scored; none where it does.
    pub(super) fn order_invariance_reason(&self) -> Option<&'static str> {
        match &self.inputs.decomposition {
            DecompositionInput::Dictionary {
                codes: CodesSource::Computed(CodesBy::Projection | CodesBy::LeastSquares),
                ..
            } => Some("its codes are made by its dictionary, in whatever order the rows are"),
            DecompositionInput::Dictionary { codes: CodesSource::FromFileWithReconstruction { .. }, .. } => {
                Some("its reconstruction is given, and not made by its dictionary")
            }
            _ => None,
        }
    }

    /// The same on as many threads as there is memory for.
    fn limit_threads(mut self) -> Result<Self, EvaluationError> {
        while self.threads > 1 && self.peak_memory_bytes() > self.options.memory {
            self.threads -= 1;
        }
        let (needed, cap) = (self.peak_memory_bytes(), self.options.memory);
        if needed > cap {
            return Err(EvaluationError::Memory { needed, cap });
        }
        Ok(self)
    }

    /// How many pieces of work are to be had at once.
    pub(super) fn pieces_at_once(&self) -> usize {
        if self.threads > 1 { PIECES_PER_THREAD * self.threads } else { 1 }
    }

    /// Sizes of the run.
    #[must_use]
    pub fn shapes(&self) -> Shapes {
        self.shapes
    }

    /// What is asked for.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Estimated peak memory, in bytes: that of [another worker](EvaluationPlan::worker_memory_bytes), what is active in each row,
    /// and pieces of the Gram matrix on their way.
    #[must_use]
    pub fn peak_memory_bytes(&self) -> u64 {
        let Shapes { rows, k, dimensions: d, .. } = self.shapes;
        // Of every row at most half of the features; twice, while the list of rows grows.
        let entries = (rows as u64).saturating_mul((k / 2).saturating_add(ROW_OVERHEAD_ENTRIES) as u64);
        let kept = entries.min(ACTIVE_ENTRIES_MAX as u64) * 2 * 4;
        let side = d.min(k) as u64;
        let grams = side.saturating_mul(side).saturating_mul(2 * 8);
        // Lengths, and a list of the rows that are left.
        let skipped = if self.skip.skips_nothing() { 0 } else { (rows as u64).saturating_mul(8 * 3) };
        let own = [self.worker_memory_bytes(), kept, grams, skipped, self.beside];
        own.into_iter().fold(0, u64::saturating_add)
    }

    /// Estimated peak memory, in bytes, of one that only does pieces of work: the dictionary, the encoder and its rounded
    /// copy, decompositions of Gram matrices, a block of rows with its products for every thread, and what is unpacked.
    #[must_use]
    pub fn worker_memory_bytes(&self) -> u64 {
        let Shapes { dimensions, k, outputs, .. } = self.shapes;
        // What a transcoder reads may be wider than what it reconstructs.
        let dimensions = dimensions.max(self.inputs.activations.cols());
        let (d, k, o) = (dimensions as u64, k as u64, outputs as u64);
        let times = |a: u64, b: u64| a.saturating_mul(b);
        let weights = times(times(d, k), if self.inputs.decomposition.is_double_precision() { 8 } else { 4 });
        let rounded = times(times(d.next_multiple_of(16), k), 2);
        let encoder = match &self.inputs.decomposition {
            DecompositionInput::Dictionary { .. } => rounded,
            DecompositionInput::Sae(_) | DecompositionInput::Transcoder { .. } => weights.saturating_add(rounded),
        };
        // Gram matrix, its copy for nalgebra, eigenvectors, and what is made of them.
        let side = d.min(k);
        let grams = times(times(side, side), 8 * 5).saturating_add(times(times(side, d), 8 * 3));
        // Wide copies of active rows and their Gram matrix, for one row at a time.
        let active = times(times(side, side + 2 * d), 8).saturating_add(times(d, k.min(GRAM_PART_ROWS as u64) * 8));
        let between = times(ROW_GAP_MAX as u64, times(d, 4));
        let rows = rows_per_step(d as f64 * k as f64) as u64;
        let block = times(rows, times(8 * d + 2 * k + 2 * o, 8).saturating_add(between));
        let threads = times(self.threads as u64, active.saturating_add(block));
        let features = times(k, 96).saturating_add(times(o + d, 64));
        let readout = if self.inputs.readout.is_some() { times(times(o, d), 8) } else { 0 };
        let files = self.inputs.files();
        let held = files.iter().flat_map(|file| file.arrays()).map(Array::held_bytes).sum();
        [weights, encoder, grams, threads, features, readout, held].into_iter().fold(0, u64::saturating_add)
    }

    /// What is read, without digests.
    #[must_use]
    pub fn describe_files(&self) -> Vec<InputFile> {
        self.inputs.describe_files()
    }

    /// What is read, with the SHA-256 of every file: all of them are read whole, and where they say
    /// what their bytes should come to, it is compared.
    ///
    /// # Errors
    /// [`IoError::Unreadable`], [`IoError::Archive`].
    pub fn digest_files(&self) -> Result<Vec<InputFile>, IoError> {
        self.inputs.digest_files()
    }

    /// Reads again what has a checksum that was not compared when it was opened, and compares it.
    ///
    /// # Errors
    /// As [`EvaluationPlan::digest_files`].
    pub fn verify_checksums(&self) -> Result<(), IoError> {
        self.inputs.files().into_iter().try_for_each(|file| file.verify_checksums())
    }

    /// What of the files was not read as numbers, in sentences.
    #[must_use]
    pub fn unread_notes(&self) -> Vec<String> {
        self.inputs.files().into_iter().flat_map(|file| file.unread_notes()).collect()
    }

    /// How codes are made, in a word.
    #[must_use]
    pub fn codes_label(&self) -> String {
        self.inputs.decomposition.codes_label()
    }
}
