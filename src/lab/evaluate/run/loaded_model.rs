//! What is loaded once, and what blocks of rows come to by it.

use super::super::EvaluationError;
use super::super::inputs::{CodesSource, DecompositionInput, Inputs};
use super::sums::{ActiveFeatures, LargeErrorRow, RowBlockResult, RowTotals};
use serde::{Deserialize, Serialize};

use crate::Matrix;
use crate::io::{Entries, match_entries};
use crate::kernel::{self, Panels};
use crate::linalg;
use crate::linalg::span::{RowSpace, rows_outside_span};
use crate::papers::sfc::metric::fidelity::COSINE_GUARD;
use crate::sae::{Coder, CodesBy, Dictionary, EncodeDecodeOutput, SaeError};
use crate::statistics::ColumnMoments;

/// Lengths whose product is not so many times the cosine's guard make it noticeably smaller.
const GUARD_FACTOR: f64 = 100.0;

/// Columns of weights that rows are multiplied with.
pub(super) enum WeightColumns {
    Single(Panels),
    Double(Matrix),
}

impl WeightColumns {
    fn new(rows: Entries, depth: usize) -> Self {
        match rows {
            Entries::Single(rows) => Self::Single(Panels::from_columns(&rows, depth)),
            Entries::Double(rows) => {
                let mut columns = Matrix::zeros(depth, rows.len() / depth.max(1));
                for (j, row) in rows.chunks_exact(depth.max(1)).enumerate() {
                    row.iter().enumerate().for_each(|(i, value)| columns.row_mut(i)[j] = *value);
                }
                Self::Double(columns)
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Single(panels) => panels.shape().1,
            Self::Double(matrix) => matrix.cols(),
        }
    }

    /// Every entry is summed in the same order, whatever the weights are kept in.
    fn product(&self, x: &Matrix) -> Matrix {
        match self {
            Self::Single(panels) => {
                let mut out = Matrix::zeros(x.rows(), self.len());
                kernel::widening_product(x.data(), panels, out.data_mut());
                out
            }
            Self::Double(matrix) => linalg::product(x, matrix),
        }
    }
}

/// f.
pub(super) enum Readout {
    Identity,
    /// W_out's rows, as columns; b_out.
    Linear(WeightColumns, Vec<f64>),
}

impl Readout {
    /// W_out·x for rows x, without the bias.
    fn apply_linear(&self, x: &Matrix) -> Matrix {
        match self {
            Self::Identity => x.clone(),
            Self::Linear(weights, _) => weights.product(x),
        }
    }

    fn apply(&self, x: &Matrix) -> Matrix {
        let mut out = self.apply_linear(x);
        if let Self::Linear(_, bias) = self {
            for index in 0..out.rows() {
                out.row_mut(index).iter_mut().zip(bias).for_each(|(out, b)| *out += b);
            }
        }
        out
    }

    /// Σ‖W_out·x‖²: the squared difference of f between two points that are x apart.
    fn squared_norm(&self, x: &Matrix) -> f64 {
        let out = self.apply_linear(x);
        out.iter_rows().map(|row| kernel::dot(row, row)).sum()
    }
}

/// What loading makes, piece by piece.
pub(super) struct LoadedDecomposition {
    pub dictionary: Dictionary,
    pub coder: Coder,
    /// The smaller Gram matrix of the dictionary, once it is known.
    pub gram: Matrix,
    pub row_space: RowSpace,
    pub readout: Readout,
}

/// Rows of files.
pub(super) struct RowBlock {
    /// What is reconstructed.
    pub target_rows: Matrix,
    /// What is read, where that is something else.
    pub input_rows: Option<Matrix>,
    /// The codes, where a file has them.
    pub codes: Option<Matrix>,
    /// What they are decoded to, where a file has that.
    pub reconstruction: Option<Matrix>,
}

/// One block of the rows that the active-subspace reading takes.
#[derive(Serialize, Deserialize)]
pub(super) struct ActiveSubspaceResult {
    pub error: f64,
    pub outputs: ColumnMoments,
}

impl LoadedDecomposition {
    /// Reads all but the activations. The row space comes when the Gram matrix is there. `order` are the rows of the
    /// dictionary that codes are decoded by, where these are others than their latents'.
    pub fn load(inputs: &Inputs, order: Option<&[u32]>) -> Result<Self, EvaluationError> {
        let (dictionary, mut coder) = match &inputs.decomposition {
            DecompositionInput::Sae(folder) | DecompositionInput::Transcoder { folder, .. } => {
                Coder::from_folder(folder)?
            }
            DecompositionInput::Dictionary { dictionary, codes } => {
                let (k, d) = (dictionary.rows(), dictionary.cols());
                let dictionary = Dictionary { d, k, rows: dictionary.read_entries()? };
                let mut coder = match codes {
                    CodesSource::Computed(by) => Coder::from_dictionary(&dictionary, Some(*by)),
                    CodesSource::TopAboutMean { kept, signed: true, .. } => {
                        Coder::from_dictionary(&dictionary, Some(CodesBy::Top(*kept)))
                    }
                    CodesSource::TopAboutMean { kept, .. } => Coder::positive_top_k(&dictionary, *kept),
                    CodesSource::FromFile(_)
                    | CodesSource::FromFileWithBias { .. }
                    | CodesSource::FromFileWithReconstruction { .. } => Coder::from_dictionary(&dictionary, None),
                };
                if let CodesSource::TopAboutMean { middle, .. } = codes {
                    coder.set_centre(middle.to_vec());
                }
                if let Some(bias) = inputs.decomposition.decoder_bias() {
                    coder.add_bias(bias.read_all_as()?);
                }
                (dictionary, coder)
            }
        };
        if let Some(order) = order {
            coder.set_decoder_order(order.to_vec());
        }
        let readout = match &inputs.readout {
            None => Readout::Identity,
            Some(readout) => {
                let bias = match &inputs.readout_bias {
                    Some(bias) => bias.read_all_as()?,
                    None => vec![0.0; readout.rows()],
                };
                Readout::Linear(WeightColumns::new(readout.read_entries()?, dictionary.d), bias)
            }
        };
        let gram = Matrix::zeros(0, 0);
        Ok(Self { dictionary, coder, gram, row_space: RowSpace::All, readout })
    }

    /// What a block of rows comes to; `first` is the first one's number.
    pub fn measure_rows(&self, block: RowBlock, first: usize) -> Result<RowBlockResult, EvaluationError> {
        let d = self.dictionary.d;
        let passed = self.encode_and_decode(&block, first)?;
        let a = &block.target_rows;
        let a_hat = block.reconstruction.as_ref().unwrap_or(&passed.decoded);
        let outputs = match &self.readout {
            Readout::Identity => 0,
            Readout::Linear(weights, _) => weights.len(),
        };
        let mut totals = RowTotals::new(d, outputs);
        let mut residual = Matrix::zeros(a.rows(), d);
        for (index, (a, b)) in a.iter_rows().zip(a_hat.iter_rows()).enumerate() {
            let (aa, bb) = (kernel::dot(a, a), kernel::dot(b, b));
            let norms = aa.sqrt() * bb.sqrt();
            if norms > 0.0 {
                totals.cosine += kernel::dot(a, b) / (norms + COSINE_GUARD);
                totals.guarded += usize::from(norms < GUARD_FACTOR * COSINE_GUARD);
            }
            totals.lengths.add(aa.sqrt());
            if aa > 0.0 {
                totals.shrinkage += bb.sqrt() / aa.sqrt();
                totals.shrinkage_rows += 1;
            }
            totals.squared += aa;
            let out = residual.row_mut(index);
            out.iter_mut().zip(a).zip(b).for_each(|((out, a), b)| *out = a - b);
            let squared_error = kernel::dot(out, out);
            totals.squared_error += squared_error;
            totals.insert_worst(LargeErrorRow { at: index, norm: aa.sqrt(), squared_error });
        }
        totals.activations.add_rows(a.data());
        totals.residuals.add_rows(residual.data());
        if let Readout::Linear(..) = self.readout {
            totals.outputs.add_rows(self.readout.apply(a).data());
        }
        totals.reconstruction = self.readout.squared_norm(&residual);
        if let RowSpace::Basis(..) = self.row_space {
            totals.row_space = self.readout.squared_norm(&self.row_space.project_outside(a));
        }
        Ok(RowBlockResult { totals, active: passed.active_features })
    }

    /// What is active for a block of rows, and what that is decoded to.
    pub fn encode_and_decode(&self, block: &RowBlock, first: usize) -> Result<EncodeDecodeOutput, EvaluationError> {
        let read = block.input_rows.as_ref().unwrap_or(&block.target_rows);
        Ok(self.coder.encode_and_decode(&self.dictionary, read, first, block.codes.as_ref(), &self.gram)?)
    }

    /// What of rows is outside the span of the features that are active for each. `slack` is what a dictionary that spans
    /// everything may lose and still do so.
    pub fn measure_active_subspace(
        &self,
        a: &Matrix,
        active: &[ActiveFeatures],
        slack: f64,
    ) -> Result<ActiveSubspaceResult, EvaluationError> {
        let Dictionary { rows: dictionary, d, k } = &self.dictionary;
        let of = |active: &[u32], a: &[f64]| match_entries!(dictionary, rows => rows_outside_span(rows, *d, active, a, &self.gram));
        // What is outside the span of all rows is known, and mostly also of nearly all.
        let mut outside = self.row_space.project_outside(a);
        for (index, (a, active)) in a.iter_rows().zip(active).enumerate() {
            if active.idle && active.features.is_empty() {
                continue;
            }
            if active.idle && matches!(self.row_space, RowSpace::All) {
                let idle = active.features.iter().map(|j| self.dictionary.dot_rows(*j, *j));
                if idle.sum::<f64>() < slack {
                    continue;
                }
            }
            let left = of(&active.active(*k), a);
            outside.row_mut(index).copy_from_slice(&left.ok_or(SaeError::NoConvergence)?);
        }
        let applied = self.readout.apply(a);
        let mut outputs = ColumnMoments::new(applied.cols());
        outputs.add_rows(applied.data());
        Ok(ActiveSubspaceResult { error: self.readout.squared_norm(&outside), outputs })
    }
}
