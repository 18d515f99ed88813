use crate::linalg;
use nalgebra::{DMatrix, DVector};

use super::job::{Job, JobResult, Readings};
use crate::papers::sfc::metric::completeness::{RowSpace, completeness};
use crate::papers::sfc::metric::{fidelity, sparsity};
use crate::sae::recovery;
use crate::statistics::MetricError;
use crate::world::Sample;
use crate::{CompletenessReading, Matrix, kernel};

/// A direction adds to a span when this share of its length is outside it.
const INDEPENDENT: f64 = 1e-8;

/// Codes (N × K) and directions (K × D); the reconstruction is codes · directions + bias.
#[derive(Clone, Debug)]
pub(super) struct Decomposition {
    pub codes: Matrix,
    pub directions: Matrix,
    pub bias: Vec<f64>,
}

impl Decomposition {
    pub fn measure(&self, job: Job, sample: &Sample) -> Result<JobResult, MetricError> {
        let a = &sample.activations;
        let a_hat = self.shifted(linalg::product(&self.codes, &self.directions), 1.0);
        let core = recovery::core(a, &a_hat, &self.codes)?;
        let space = RowSpace::of(&self.directions)?;
        let about = self.shifted(a.clone(), -1.0);
        let readings = match &sample.readout {
            None => return Err(MetricError::Empty { what: "the readout" }),
            Some(readout) => {
                let outputs = readout.outputs(a)?;
                let reading = |rows: &Matrix| {
                    completeness(CompletenessReading::Total, &outputs, &readout.outputs(rows)?)
                };
                Readings {
                    row_space: reading(&self.shifted(space.project(&about)?, 1.0))?,
                    reconstruction: reading(&a_hat)?,
                    active_subspace: reading(&self.shifted(self.on_active(&about), 1.0))?,
                }
            }
        };
        let c_gt = sample.circuit.as_ref().map(|circuit| {
            let held = linalg::product(circuit, &space.basis().transposed());
            held.data().iter().map(|x| x * x).sum::<f64>() / circuit.rows() as f64
        });
        let truth = match &sample.truth {
            None => None,
            Some(truth) => {
                let matching = recovery::matching(&self.directions, &truth.directions)?;
                let classes =
                    recovery::classification(&self.codes, &truth.magnitudes, &matching.best_match)?;
                Some((matching, classes.f1))
            }
        };
        Ok(JobResult {
            job,
            sparsity: sparsity(&self.codes)?,
            fidelity: fidelity::cosine(a, &a_hat)?,
            completeness: readings,
            l0: core.l0,
            explained: core.explained_variance,
            dead: core.dead as f64 / self.codes.cols() as f64,
            c_gt,
            mcc: truth.as_ref().map(|(matching, _)| matching.mcc),
            uniqueness: truth.as_ref().map(|(matching, _)| matching.uniqueness),
            recovered: truth.as_ref().map(|(matching, _)| matching.recovered),
            f1: truth.as_ref().map(|(_, f1)| *f1),
        })
    }

    /// Every row with `sign` times the bias added.
    fn shifted(&self, mut rows: Matrix, sign: f64) -> Matrix {
        for row in rows.data_mut().chunks_exact_mut(self.bias.len()) {
            row.iter_mut().zip(&self.bias).for_each(|(value, bias)| *value += sign * bias);
        }
        rows
    }

    /// Each row's projection on the span of the directions whose codes are not 0 in it.
    fn on_active(&self, rows: &Matrix) -> Matrix {
        let d = rows.cols();
        let mut out = Matrix::zeros(rows.rows(), d);
        let mut basis: Vec<f64> = Vec::new();
        for index in 0..rows.rows() {
            basis.clear();
            let codes = self.codes.row(index).iter().zip(self.directions.iter_rows());
            for (_, direction) in codes.filter(|(code, _)| **code != 0.0) {
                add_to_basis(&mut basis, direction);
                if basis.len() == d * d {
                    break;
                }
            }
            let out = out.row_mut(index);
            for unit in basis.chunks_exact(d) {
                let along = kernel::dot(unit, rows.row(index));
                out.iter_mut().zip(unit).for_each(|(out, unit)| *out += along * unit);
            }
        }
        out
    }
}

/// Adds a direction to an orthonormal basis, unless it is in its span already: Gram and Schmidt's way,
/// twice, which is enough.
fn add_to_basis(basis: &mut Vec<f64>, direction: &[f64]) {
    let mut rest = direction.to_vec();
    let before = f64::sqrt(kernel::dot(&rest, &rest));
    for _ in 0..2 {
        for unit in basis.chunks_exact(rest.len()) {
            let along = kernel::dot(unit, &rest);
            rest.iter_mut().zip(unit).for_each(|(value, unit)| *value -= along * unit);
        }
    }
    let left = f64::sqrt(kernel::dot(&rest, &rest));
    if left > INDEPENDENT * before {
        basis.extend(rest.iter().map(|value| value / left));
    }
}

/// Codes of rows (N × D) on unit directions (K × D) by orthogonal matching pursuit: up to `k` times
/// the direction that what is left agrees with most is taken, and all codes are fitted anew.
pub(super) fn pursuit(rows: &Matrix, directions: &Matrix, k: usize) -> Matrix {
    let gram = linalg::product(directions, &directions.transposed());
    let products = linalg::product(rows, &directions.transposed());
    let mut out = Matrix::zeros(rows.rows(), directions.rows());
    for index in 0..rows.rows() {
        let wanted = products.row(index);
        let size = wanted.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut taken: Vec<usize> = Vec::new();
        let mut codes = DVector::zeros(0);
        while taken.len() < k.min(rows.cols()) {
            // How what is left agrees with each direction.
            let left = |at: usize| {
                let held = taken.iter().zip(codes.iter()).map(|(t, code)| gram.row(at)[*t] * code);
                (wanted[at] - held.sum::<f64>()).abs()
            };
            let (best, agreement) = (0..wanted.len())
                .filter(|at| !taken.contains(at))
                .map(|at| (at, left(at)))
                .fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
            if agreement <= INDEPENDENT * size {
                break;
            }
            taken.push(best);
            let n = taken.len();
            let small = DMatrix::from_fn(n, n, |i, j| gram.row(taken[i])[taken[j]]);
            match small.cholesky() {
                Some(factor) => {
                    codes = factor.solve(&DVector::from_fn(n, |i, _| wanted[taken[i]]));
                }
                None => {
                    taken.pop();
                    break;
                }
            }
        }
        for (at, code) in taken.iter().zip(codes.iter()) {
            out.row_mut(index)[*at] = *code;
        }
    }
    out
}
