//! A linear probe: whether activations say what a text is about. EX24 and EX25 measure it again and again.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use crate::linalg::Matrix;
use crate::rng::NumpyRng;
use crate::statistics::{MetricError, check_matrix};

/// C: the weight of the likelihood against the penalty ½|w|², as in scikit-learn's default.
const C: f64 = 1.0;
/// The share of the rows that is held out.
const TEST_SIZE: f64 = 0.3;
/// Most steps of Newton's method; ten are many.
const NEWTON_STEPS_MAX: usize = 100;
/// Most halvings of a step.
const HALVINGS_MAX: usize = 60;
/// What a step may gain, as a share of the loss, and still be lost in the rounding of a sum over thousands of rows.
const ROUNDING_TOLERANCE: f64 = 1e-13;
/// A gradient whose entries are all smaller than this, a row, is one of the minimum.
const GRADIENT_TOLERANCE: f64 = 1e-12;
/// Most inputs: their square is held.
pub const INPUTS_MAX: usize = 4_096;

/// Why there is no probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// No activations, or some that are no numbers.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// Rows and labels are not as many.
    #[error("there are {rows} rows and {labels} labels; as many of each are needed")]
    Labels {
        /// Rows of activations.
        rows: usize,
        /// Labels.
        labels: usize,
    },
    /// All rows to be learned from have the same label.
    #[error("of the {rows} rows to be learned from {positive} are positive; allowed: at least one, and not all")]
    OneClass {
        /// Rows to be learned from.
        rows: usize,
        /// Positive ones among them.
        positive: usize,
    },
    /// So few rows that none is learned from or none held out, or too many.
    #[error("there are {rows} rows; allowed: from 2 to {}", u32::MAX)]
    Rows {
        /// Rows of activations.
        rows: usize,
    },
    /// Too many inputs.
    #[error("there are {inputs} inputs; allowed: at most {INPUTS_MAX}")]
    Inputs {
        /// Columns of activations.
        inputs: usize,
    },
    /// Newton's method ends without a minimum.
    #[error("no minimum of the probe's loss was found")]
    Undetermined,
}

impl ProbeError {
    /// A stable code, e.g. `probe.one-class`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Metric(error) => error.code(),
            Self::Labels { .. } => "probe.labels",
            Self::OneClass { .. } => "probe.one-class",
            Self::Rows { .. } => "probe.rows",
            Self::Inputs { .. } => "probe.inputs",
            Self::Undetermined => "probe.undetermined",
        }
    }
}

/// A logistic regression with ridge on standardised inputs.
///
/// # Formula
/// Inputs are brought to mean 0 and deviation 1 (ddof 0; inputs that do not vary are only centred). Weights w and
/// intercept b minimise C·Σ ln(1 + exp(−y(w·x + b))) + ½|w|² with C = 1 and y = ±1: scikit-learn's
/// `LogisticRegression` after its `StandardScaler`, to convergence by Newton's method.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    means: Vec<f64>,
    deviations: Vec<f64>,
    weights: Vec<f64>,
    intercept: f64,
}

/// How good a probe is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProbeScore {
    /// Share of the held-out rows that it is right about.
    pub accuracy: f64,
    /// The same of the rows that it has learned from.
    pub training_accuracy: f64,
    /// Share of the held-out rows that have the more frequent label among them: what guessing gives.
    pub majority: f64,
    /// Rows learned from.
    pub train: usize,
    /// Rows held out.
    pub test: usize,
}

/// Which rows are learned from, and which are held out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainTestSplit {
    /// Rows to learn from.
    pub train: Vec<u32>,
    /// Rows held out.
    pub test: Vec<u32>,
}

/// Holds out ⌈0.3·n⌉ of n rows: the first of `RandomState(seed).permutation(n)`; the rest, in that order, are learned
/// from. It is scikit-learn's `train_test_split(test_size=0.3, random_state=seed)`.
///
/// # Errors
/// [`ProbeError::Rows`] below two rows, and beyond what 32 bits count.
pub fn train_test_split(rows: usize, seed: u32) -> Result<TrainTestSplit, ProbeError> {
    let Some(count) = u32::try_from(rows).ok().filter(|count| *count >= 2) else {
        return Err(ProbeError::Rows { rows });
    };
    let held = libm::ceil(TEST_SIZE * f64::from(count)) as usize;
    let mut test = NumpyRng::new(seed).permutation(count);
    let train = test.split_off(held.min(rows));
    Ok(TrainTestSplit { train, test })
}

/// Learns from 70 % of the rows (N × inputs), drawn from a seed, and is scored on the others.
///
/// # Errors
/// [`ProbeError`]; the rows learned from need both labels.
///
/// # Examples
/// ```
/// use sfc_bench::Matrix;
/// use sfc_bench::papers::measurement::metric::probe_accuracy;
/// let labels: Vec<bool> = (0..20).map(|row| row >= 10).collect();
/// let rows = Matrix::from_vec(20, 1, (0..20).map(f64::from).collect())?;
/// let found = probe_accuracy(&rows, &labels, 0)?;
/// assert_eq!((found.train, found.test, found.accuracy), (14, 6, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn probe_accuracy(inputs: &Matrix, labels: &[bool], seed: u32) -> Result<ProbeScore, ProbeError> {
    let (rows, labelled) = (inputs.rows(), labels.len());
    if rows != labelled {
        return Err(ProbeError::Labels { rows, labels: labelled });
    }
    let TrainTestSplit { train, test } = train_test_split(rows, seed)?;
    let part = |rows: &[u32]| {
        let labels = rows.iter().filter_map(|row| labels.get(*row as usize)).copied();
        (inputs.select_rows(rows), labels.collect::<Vec<bool>>())
    };
    let (train_inputs, train_labels) = part(&train);
    let (test_inputs, test_labels) = part(&test);
    let probe = Probe::fit(&train_inputs, &train_labels)?;
    let positive = test_labels.iter().filter(|label| **label).count();
    Ok(ProbeScore {
        accuracy: probe.accuracy(&test_inputs, &test_labels)?,
        training_accuracy: probe.accuracy(&train_inputs, &train_labels)?,
        majority: positive.max(test.len() - positive) as f64 / test.len() as f64,
        train: train.len(),
        test: test.len(),
    })
}

impl Probe {
    /// Learns to tell positive rows from others (N × inputs).
    ///
    /// # Errors
    /// [`ProbeError`].
    pub fn fit(inputs: &Matrix, labels: &[bool]) -> Result<Self, ProbeError> {
        check_matrix("activations", inputs)?;
        let (rows, cols) = inputs.shape();
        if rows != labels.len() {
            return Err(ProbeError::Labels { rows, labels: labels.len() });
        }
        if cols > INPUTS_MAX {
            return Err(ProbeError::Inputs { inputs: cols });
        }
        let positive = labels.iter().filter(|label| **label).count();
        if positive == 0 || positive == rows {
            return Err(ProbeError::OneClass { rows, positive });
        }
        let means = crate::linalg::column_means(inputs);
        let deviations = column_stds(inputs, &means);
        let mut probe = Self { means, deviations, weights: vec![0.0; cols], intercept: 0.0 };
        let mut standard = DMatrix::from_element(rows, cols + 1, 1.0);
        for (at, row) in inputs.iter_rows().enumerate() {
            let mut to = standard.row_mut(at);
            probe.standardise(row).zip(to.iter_mut()).for_each(|(value, to)| *to = value);
        }
        let signs: Vec<f64> = labels.iter().map(|label| if *label { 1.0 } else { -1.0 }).collect();
        let solution = minimise_loss(&standard, &signs).ok_or(ProbeError::Undetermined)?;
        let mut solution = solution.as_slice().to_vec();
        probe.intercept = solution.pop().unwrap_or_default();
        probe.weights = solution;
        Ok(probe)
    }

    /// Weights of the standardised inputs.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The intercept.
    #[must_use]
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// A row's inputs, standardised.
    fn standardise<'a>(&'a self, row: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let scales = self.means.iter().zip(&self.deviations);
        row.iter().zip(scales).map(|(value, (mean, deviation))| (value - mean) / deviation)
    }

    /// The logarithm of the odds that a row is positive, as far as it has the inputs.
    #[must_use]
    pub fn log_odds(&self, row: &[f64]) -> f64 {
        let sum: f64 = self.standardise(row).zip(&self.weights).map(|(x, w)| x * w).sum();
        sum + self.intercept
    }

    /// Share of rows that it is right about.
    ///
    /// # Errors
    /// [`MetricError::Shape`], [`MetricError::NonFinite`], [`MetricError::Empty`], [`ProbeError::Labels`].
    pub fn accuracy(&self, inputs: &Matrix, labels: &[bool]) -> Result<f64, ProbeError> {
        let (rows, labelled) = (inputs.rows(), labels.len());
        if rows != labelled {
            return Err(ProbeError::Labels { rows, labels: labelled });
        }
        check_matrix("activations", inputs)?;
        crate::statistics::check_shape("activations", inputs, (rows, self.means.len()))?;
        let each = inputs.iter_rows().zip(labels);
        let right = each.filter(|(row, label)| (self.log_odds(row) > 0.0) == **label).count();
        Ok(right as f64 / rows as f64)
    }
}

/// Each column's standard deviation, ddof 0; 1 of a column that does not vary beyond rounding.
fn column_stds(inputs: &Matrix, means: &[f64]) -> Vec<f64> {
    let rows = inputs.rows() as f64;
    let mut squares = vec![0.0; means.len()];
    for row in inputs.iter_rows() {
        for ((sum, value), mean) in squares.iter_mut().zip(row).zip(means) {
            *sum += (value - mean) * (value - mean);
        }
    }
    let each = squares.iter().zip(means).map(|(sum, mean)| {
        let variance = sum / rows;
        // As scikit-learn bounds it: the mean's own rounding is no variance.
        let error = rows * f64::EPSILON * variance + (rows * mean * f64::EPSILON) * (rows * mean * f64::EPSILON);
        if variance <= error { 1.0 } else { f64::sqrt(variance) }
    });
    each.collect()
}

/// ln(1 + exp(−m)), without overflow.
fn logistic_loss(margin: f64) -> f64 {
    (-margin).max(0.0) + libm::log1p(libm::exp(-margin.abs()))
}

/// Weights and intercept at the minimum of the loss; the last column of the inputs is 1.
fn minimise_loss(inputs: &DMatrix<f64>, signs: &[f64]) -> Option<DVector<f64>> {
    let (rows, cols) = inputs.shape();
    let penalty = |at: usize| if at + 1 < cols { 1.0 } else { 0.0 };
    let margins = |point: &DVector<f64>| {
        let mut margins = inputs * point;
        margins.iter_mut().zip(signs).for_each(|(margin, sign)| *margin *= sign);
        margins
    };
    let loss = |point: &DVector<f64>, margins: &DVector<f64>| {
        let weights = point.iter().enumerate().map(|(at, w)| penalty(at) * w * w).sum::<f64>();
        C * margins.iter().map(|margin| logistic_loss(*margin)).sum::<f64>() + 0.5 * weights
    };
    let mut point = DVector::zeros(cols);
    let mut found = margins(&point);
    let mut least = loss(&point, &found);
    for _ in 0..NEWTON_STEPS_MAX {
        // Of each row the probability of being wrong, and the curvature.
        let wrong: Vec<f64> = found.iter().map(|margin| 1.0 / (1.0 + libm::exp(*margin))).collect();
        let mut gradient = DVector::from_fn(cols, |at, _| {
            let column = inputs.column(at);
            let each = column.iter().zip(signs.iter().zip(&wrong));
            -C * each.map(|(x, (sign, wrong))| x * sign * wrong).sum::<f64>()
        });
        gradient.iter_mut().zip(point.iter()).enumerate().for_each(|(at, (g, w))| *g += penalty(at) * w);
        if gradient.iter().all(|entry| entry.abs() <= GRADIENT_TOLERANCE * rows as f64) {
            return Some(point);
        }
        let mut weighted = inputs.clone();
        for (mut row, wrong) in weighted.row_iter_mut().zip(&wrong) {
            row *= C * wrong * (1.0 - wrong);
        }
        let mut curvature = inputs.tr_mul(&weighted);
        for at in 0..cols {
            if let Some(entry) = curvature.get_mut((at, at)) {
                *entry += penalty(at);
            }
        }
        let step = curvature.cholesky()?.solve(&gradient);
        if gradient.dot(&step) <= ROUNDING_TOLERANCE * least.max(1.0) {
            // What the step gains is less than the loss's own rounding, by which no step can be judged; so near the
            // minimum a whole one is right.
            point -= step;
            found = margins(&point);
            least = loss(&point, &found);
            continue;
        }
        let mut share = 1.0;
        let better = (0..HALVINGS_MAX).find_map(|_| {
            let next = &point - &step * share;
            let margins = margins(&next);
            let value = loss(&next, &margins);
            share *= 0.5;
            (value <= least).then_some((next, margins, value))
        });
        let Some((next, margins, value)) = better else {
            // Nothing is better than rounding: this is the minimum as far as it can be told.
            return Some(point);
        };
        (point, found, least) = (next, margins, value);
    }
    None
}
