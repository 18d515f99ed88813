use crate::linalg;
use crate::linalg::span::rank_threshold;
use nalgebra::{DMatrix, DVector};

use super::job::{Job, JobResult, Readings};
use crate::papers::sfc::metric::completeness::{RowSpace, completeness};
use crate::papers::sfc::metric::{fidelity, sparsity};
use crate::sae::activity::{ProjectionCentre, is_active};
use crate::sae::recovery;
use crate::statistics::MetricError;
use crate::synthetic::Sample;
use crate::{CompletenessReading, Matrix, kernel};

/// What is left of a row agrees with no direction any more below this share of what it began with.
const RESIDUAL_TOLERANCE: f64 = 1e-8;

/// Codes (N × K) and directions (K × D); the reconstruction is codes · directions + bias.
#[derive(Clone, Debug)]
pub(in crate::lab) struct Decomposition {
    pub codes: Matrix,
    pub directions: Matrix,
    pub bias: Vec<f64>,
}

impl Decomposition {
    pub fn measure(&self, job: Job, sample: &Sample, about: ProjectionCentre) -> Result<JobResult, MetricError> {
        let a = &sample.activations;
        let a_hat = self.reconstruct();
        let core = recovery::core_metrics(a, &a_hat, &self.codes)?;
        let space = RowSpace::from_f32_dictionary(&self.directions)?;
        let readings = match &sample.readout {
            None => return Err(MetricError::Missing { what: "the readout" }),
            Some(readout) => {
                let outputs = readout.outputs(a)?;
                let reading =
                    |rows: &Matrix| completeness(CompletenessReading::Total, &outputs, &readout.outputs(rows)?);
                Readings {
                    row_space: reading(&self.project_on_span(a, &space, about)?)?,
                    reconstruction: reading(&a_hat)?,
                    active_subspace: reading(&self.project_on_active(a, about))?,
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
                let matching = recovery::match_directions(&self.directions, &truth.directions)?;
                let classes = recovery::classify_latents(&self.codes, &truth.magnitudes, &matching.best_match)?;
                Some((matching, classes.f1))
            }
        };
        let active_total = self.codes.data().iter().filter(|code| is_active(**code)).count();
        let columns = self.codes.transposed();
        let dead = columns.iter_rows().filter(|latent| !latent.iter().any(|c| is_active(*c)));
        let dead = dead.count();
        Ok(JobResult {
            job,
            sparsity: sparsity(&self.codes)?,
            fidelity: fidelity::cosine(a, &a_hat)?,
            completeness: readings,
            l0: active_total as f64 / self.codes.rows() as f64,
            explained: core.explained_variance,
            dead: dead as f64 / self.codes.cols() as f64,
            c_gt,
            mcc: truth.as_ref().map(|(matching, _)| matching.mcc),
            uniqueness: truth.as_ref().map(|(matching, _)| matching.uniqueness),
            recovered: truth.as_ref().map(|(matching, _)| matching.recovered),
            f1: truth.as_ref().map(|(_, f1)| *f1),
        })
    }

    /// Codes · directions + bias: N × D.
    pub fn reconstruct(&self) -> Matrix {
        self.add_bias(linalg::product(&self.codes, &self.directions), 1.0)
    }

    /// Rows projected on the span of all directions.
    pub fn project_on_span(
        &self,
        rows: &Matrix,
        space: &RowSpace,
        about: ProjectionCentre,
    ) -> Result<Matrix, MetricError> {
        let (from, to) = Self::bias_signs(about);
        Ok(self.add_bias(space.project(&self.add_bias(rows.clone(), from))?, to))
    }

    /// Rows, each projected on the span of the directions that are active in it.
    pub fn project_on_active(&self, rows: &Matrix, about: ProjectionCentre) -> Matrix {
        let (from, to) = Self::bias_signs(about);
        self.add_bias(self.project_rows_on_active(&self.add_bias(rows.clone(), from)), to)
    }

    /// Without its bias, and with it again.
    const fn bias_signs(about: ProjectionCentre) -> (f64, f64) {
        match about {
            ProjectionCentre::Origin => (0.0, 0.0),
            ProjectionCentre::Bias => (-1.0, 1.0),
        }
    }

    /// Every row with `sign` times the bias added.
    fn add_bias(&self, mut rows: Matrix, sign: f64) -> Matrix {
        for row in rows.data_mut().chunks_exact_mut(self.bias.len()) {
            row.iter_mut().zip(&self.bias).for_each(|(value, bias)| *value += sign * bias);
        }
        rows
    }

    /// Each row's projection on the span of the directions that are active in it.
    fn project_rows_on_active(&self, rows: &Matrix) -> Matrix {
        let d = rows.cols();
        let mut out = Matrix::zeros(rows.rows(), d);
        let mut basis: Vec<f64> = Vec::new();
        for index in 0..rows.rows() {
            basis.clear();
            let codes = self.codes.row(index);
            let active = codes.iter().filter(|code| is_active(**code)).count();
            let share = rank_threshold(active, d);
            let codes = codes.iter().zip(self.directions.iter_rows());
            for (_, direction) in codes.filter(|(code, _)| is_active(**code)) {
                add_to_basis(&mut basis, direction, share);
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

/// Adds a direction to an orthonormal basis, unless no more than a share of it is outside the basis' span:
/// Gram and Schmidt's way, twice, which is enough.
fn add_to_basis(basis: &mut Vec<f64>, direction: &[f64], share: f64) {
    let mut rest = direction.to_vec();
    let before = f64::sqrt(kernel::dot(&rest, &rest));
    for _ in 0..2 {
        for unit in basis.chunks_exact(rest.len()) {
            let along = kernel::dot(unit, &rest);
            rest.iter_mut().zip(unit).for_each(|(value, unit)| *value -= along * unit);
        }
    }
    let left = f64::sqrt(kernel::dot(&rest, &rest));
    if left > share * before {
        basis.extend(rest.iter().map(|value| value / left));
    }
}

/// Codes of rows (N × D) on unit directions (K × D) by orthogonal matching pursuit: up to `k` times
/// the direction that what is left agrees with most is taken, and all codes are fitted anew.
pub(super) fn orthogonal_matching_pursuit(rows: &Matrix, directions: &Matrix, k: usize) -> Matrix {
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
            if agreement <= RESIDUAL_TOLERANCE * size {
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

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::NumpyRng;
    use crate::io::{ArrayRef, DataFile, to_npy};
    use crate::lab::Reading;
    use crate::lab::evaluate::{self, CodesSource, EvaluationPlan, EvaluationRun, Inputs, Options};
    use crate::lab::families::Method;
    use crate::synthetic::{DataSpec, Readout, World};

    /// A matrix of numbers that single precision holds.
    fn random(rng: &mut NumpyRng, rows: usize, cols: usize) -> Matrix {
        let values = (0..rows * cols).map(|_| f64::from(rng.standard_normal() as f32)).collect();
        Matrix::from_vec(rows, cols, values).unwrap()
    }

    fn picked(matrix: &Matrix) -> ArrayRef {
        let bytes = to_npy(&[matrix.rows(), matrix.cols()], matrix.data());
        let file = DataFile::open("m.npy", Box::new(bytes), 1 << 20).unwrap();
        ArrayRef::find(&Rc::new(file), None, &[]).unwrap()
    }

    #[test]
    fn families_and_own_files_mean_the_same_by_active() {
        let mut rng = NumpyRng::new(4);
        for (k, d) in [(6, 9), (9, 9), (14, 9)] {
            let rows = 120;
            let mut directions = random(&mut rng, k, d);
            // One is another but for what single precision does not resolve.
            let first = directions.row(0).to_vec();
            for (at, value) in directions.row_mut(k - 1).iter_mut().enumerate() {
                *value = f64::from((first[at] * (1.0 + 1e-7 * (at % 2) as f64)) as f32);
            }
            let mut codes = random(&mut rng, rows, k);
            for (at, code) in codes.data_mut().iter_mut().enumerate() {
                // Nothing, next to nothing, just enough, and plenty.
                *code = f64::from([0.0, 9e-7, -1.1e-6, *code][at * 7 % 11 % 4] as f32);
            }
            let activations = random(&mut rng, rows, d);
            let inputs = Inputs {
                activations: picked(&activations),
                decomposition: evaluate::DecompositionInput::Dictionary {
                    dictionary: picked(&directions),
                    codes: CodesSource::FromFile(picked(&codes)),
                },
                readout: None,
                readout_bias: None,
            };
            let plan = EvaluationPlan::new(inputs, Options::default()).unwrap();
            let wanted = EvaluationRun::new(plan).run(&mut |_| {}).unwrap();
            let mut sample = World::default().sample(DataSpec::default().samples).unwrap();
            (sample.activations, sample.readout) = (activations, Some(Readout::Identity));
            (sample.circuit, sample.truth) = (None, None);
            let family = Decomposition { codes, directions, bias: vec![0.0; d] };
            let job = Job { method: Method::Svd, knob: 1.0, seed: 0 };
            for about in [ProjectionCentre::Origin, ProjectionCentre::Bias] {
                // Without a bias there is one point only.
                let found = family.measure(job, &sample, about).unwrap();
                let near = |what: &str, a: f64, b: f64| {
                    assert!((a - b).abs() < 1e-6, "{k} × {d}, {what}: {a}, not {b}");
                };
                assert_eq!((found.sparsity, found.l0), (wanted.sparsity.s, wanted.sparsity.l0));
                near("F", found.fidelity, wanted.fidelity.cosine);
                for (c, found) in wanted.completeness.iter().zip([
                    found.completeness.row_space,
                    found.completeness.reconstruction,
                    found.completeness.active_subspace,
                ]) {
                    near(c.reading.name(), found, c.total.unwrap());
                }
                assert_eq!(wanted.completeness[2].reading, Reading::ActiveSubspace);
            }
            assert_eq!(wanted.rank, (k - 1).min(d));
        }
    }
}
