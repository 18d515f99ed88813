//! Somebody's own activations as a world.

use serde::{Deserialize, Serialize};

use super::sample::{DIMENSIONS_RANGE, Readout, Sample};
use crate::settings::{Problem, Problems, Range};
use crate::{Matrix, NumpyRng, kernel};

/// Mean norm that rows are scaled to. It is about that of the superposition's, for which the sparsity
/// coefficients of the presets were chosen: an L1 penalty weighs less the larger the activations are.
const TARGET_MEAN_NORM: f64 = 2.0;
/// Most numbers that are drawn, rows by dimensions; the study holds them twice, 8 bytes each.
const VALUES_MAX: u64 = 1 << 25;
/// Most numbers of a readout.
const READOUT_VALUES_MAX: usize = 1 << 24;
/// Most outputs of a readout that a line of text may name.
const OUTPUTS_MAX: u64 = 1 << 24;
/// Rows of a file: some to train on, some to measure on.
const ROWS_RANGE: Range = Range::integer("rows", 4, 4_294_967_295);

/// Which activations: a file's, by their shape and digest; the numbers themselves come beside it, as
/// [`DrawnRows`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "OwnWorld"))]
#[serde(deny_unknown_fields)]
pub struct UserActivations {
    /// Rows that there are, 4 to 2³² − 1.
    #[cfg_attr(feature = "types", ts(type = "number"))]
    pub rows: u64,
    /// Dimensions D, 1 to 1,024.
    pub dimensions: usize,
    /// Outputs of the readout that came with them; none: f is the identity.
    #[serde(default)]
    pub outputs: Option<usize>,
    /// SHA-256 of the file with the activations, in hexadecimal, where it was taken.
    #[serde(default)]
    pub sha256: Option<String>,
    /// SHA-256 of what else tells them from others: which array of the file they are, where it has
    /// several, and the readout's and its bias's files and arrays, where there are any.
    #[serde(default)]
    pub with: Option<String>,
    /// Seed of which rows are taken, and in which order.
    #[serde(default)]
    pub seed: u32,
}

/// What was read of the files: rows in the order of [`UserActivations::row_order`], row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnRows {
    /// n × D.
    pub activations: Vec<f32>,
    /// W of the readout f(a) = a·Wᵀ + b: outputs × D.
    pub readout: Option<Vec<f32>>,
    /// b: one value an output; 0 where there is a readout without.
    pub bias: Option<Vec<f32>>,
}

impl UserActivations {
    /// Its seed, where nothing is said of it.
    pub const SEED_DEFAULT: u32 = 42;

    /// Most rows that can be drawn: as many as there are, 2²⁵ numbers at most.
    #[must_use]
    pub fn rows_max(&self) -> u64 {
        self.rows.min(VALUES_MAX / self.dimensions.max(1) as u64)
    }

    /// How a line of text says which activations they are: 2000x64, or 2000x64x4 with a readout of four
    /// outputs.
    #[must_use]
    pub fn shape_text(&self) -> String {
        let outputs = self.outputs.map_or_else(String::new, |outputs| format!("x{outputs}"));
        format!("{}x{}{outputs}", self.rows, self.dimensions)
    }

    /// Reads what [`UserActivations::shape_text`] makes, with the two digests.
    ///
    /// # Errors
    /// A [`Problem`] with the field `of`, `sha256` or `with`, or as [`UserActivations::check`].
    pub fn from_shape_text(shape: &str, sha256: Option<&str>, with: Option<&str>) -> Result<Self, Problem> {
        let numbers: Option<Vec<u64>> = shape.split('x').map(|part| part.parse().ok()).collect();
        let (rows, dimensions, outputs) = match numbers.as_deref() {
            Some([rows, dimensions]) => (*rows, *dimensions, None),
            Some([rows, dimensions, outputs]) if (1..=OUTPUTS_MAX).contains(outputs) => {
                (*rows, *dimensions, Some(*outputs as usize))
            }
            _ => {
                let allowed = "rows x dimensions, or rows x dimensions x outputs, as in 2000x64x4";
                return Err(Problem::new("of", shape, allowed));
            }
        };
        let hex = |text: &str| text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        for (field, digest) in [("sha256", sha256), ("with", with)] {
            if let Some(digest) = digest.filter(|text| !hex(text)) {
                return Err(Problem::new(field, digest, "64 hexadecimal digits"));
            }
        }
        let dimensions = usize::try_from(dimensions).unwrap_or(usize::MAX);
        let [sha256, with] = [sha256, with].map(|digest| digest.map(str::to_owned));
        let given = Self { rows, dimensions, outputs, sha256, with, seed: Self::SEED_DEFAULT };
        match given.check(0) {
            Ok(()) => Ok(given),
            Err(mut problems) => Err(problems.0.swap_remove(0)),
        }
    }

    /// Whether so many rows can be drawn.
    ///
    /// # Errors
    /// [`Problems`] with `rows`, `dimensions`, or `train_rows`.
    pub fn check(&self, wanted: usize) -> Result<(), Problems> {
        let mut problems = Vec::new();
        problems.extend(ROWS_RANGE.check(self.rows as f64).err());
        problems.extend(DIMENSIONS_RANGE.check(self.dimensions as f64).err());
        let most = self.rows_max();
        if wanted as u64 > most {
            let allowed = format!("with the rows measured on at most {most} rows");
            problems.push(Problem::new("train_rows", wanted.to_string(), allowed));
        }
        let most = READOUT_VALUES_MAX / self.dimensions.max(1);
        if let Some(outputs) = self.outputs.filter(|outputs| *outputs > most) {
            let allowed = format!("at most {most} in so many dimensions");
            problems.push(Problem::new("outputs", outputs.to_string(), allowed));
        }
        if problems.is_empty() { Ok(()) } else { Err(Problems(problems)) }
    }

    /// Which rows are drawn: one of each of `wanted` equal stretches of the file, in random order, so
    /// that rows trained on and rows measured on both come from all over it.
    ///
    /// # Errors
    /// As [`UserActivations::check`].
    pub fn row_order(&self, wanted: usize) -> Result<Vec<u64>, Problems> {
        self.check(wanted)?;
        let mut rng = NumpyRng::new(self.seed);
        let bound = |index: usize| {
            // At most 2³²·10⁶: no overflow.
            index as u64 * self.rows / wanted as u64
        };
        let rows: Vec<u64> = (0..wanted)
            .map(|index| {
                let (from, to) = (bound(index), bound(index + 1));
                from + (rng.random_sample() * (to - from) as f64) as u64
            })
            .collect();
        let order = rng.permutation(wanted as u32);
        Ok(order.into_iter().map(|index| rows[index as usize]).collect())
    }

    /// The sample that the numbers are, scaled to a mean norm of 2.
    ///
    /// # Errors
    /// [`Problems`]: numbers that are not as many as they should be, not finite, or all 0.
    pub fn sample(&self, wanted: usize, drawn: &DrawnRows) -> Result<Sample, Problems> {
        self.check(wanted)?;
        let d = self.dimensions;
        let outputs = self.outputs.unwrap_or(0);
        if drawn.readout.is_some() != self.outputs.is_some() {
            let there = if drawn.readout.is_some() { "there" } else { "missing" };
            let allowed = if self.outputs.is_some() { "a readout" } else { "none" };
            return Err(config_error("readout", there.to_owned(), allowed.to_owned()));
        }
        let mut activations = to_matrix("activations", wanted, d, &drawn.activations)?;
        let norms: f64 = activations.iter_rows().map(|row| f64::sqrt(kernel::dot(row, row))).sum();
        let scale = TARGET_MEAN_NORM * wanted as f64 / norms;
        if !scale.is_finite() || scale == 0.0 {
            let value = format!("of a mean norm of {}", norms / wanted as f64);
            let allowed = "some that are neither 0 nor huge".to_owned();
            return Err(config_error("activations", value, allowed));
        }
        activations.data_mut().iter_mut().for_each(|value| *value *= scale);
        let readout = match &drawn.readout {
            None => Readout::Identity,
            Some(weights) => {
                // f takes what was given, not what it was scaled to.
                let mut weights = to_matrix("readout", outputs, d, weights)?;
                weights.data_mut().iter_mut().for_each(|value| *value /= scale);
                let bias = match &drawn.bias {
                    None => vec![0.0; outputs],
                    Some(bias) => to_matrix("bias", 1, outputs, bias)?.data().to_vec(),
                };
                Readout::Affine { weights, bias }
            }
        };
        Ok(Sample { scale, readout: Some(readout), ..Sample::from_activations(activations) })
    }
}

fn config_error(field: &str, value: String, allowed: String) -> Problems {
    Problems(vec![Problem::new(field, value, allowed)])
}

/// Numbers as a matrix, if they are as many as they should be, and finite.
fn to_matrix(field: &str, rows: usize, cols: usize, values: &[f32]) -> Result<Matrix, Problems> {
    if let Some(value) = values.iter().find(|value| !value.is_finite()) {
        return Err(config_error(field, value.to_string(), "finite numbers".to_owned()));
    }
    let wide = values.iter().map(|value| f64::from(*value)).collect();
    Matrix::from_vec(rows, cols, wide).map_err(|_| {
        let value = format!("{} numbers", values.len());
        config_error(field, value, format!("{rows} × {cols} numbers"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(rows: u64) -> UserActivations {
        UserActivations { rows, dimensions: 2, outputs: None, sha256: None, with: None, seed: 3 }
    }

    #[test]
    fn every_row_is_drawn_once_from_all_over_the_file() {
        for (rows, wanted) in [(7, 7), (7, 3), (1_000_000_000, 500), (4, 4)] {
            let order = given(rows).row_order(wanted).unwrap();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), wanted, "{rows}");
            for (index, row) in sorted.iter().enumerate() {
                let part = |index: usize| index as u64 * rows / wanted as u64;
                assert!((part(index)..part(index + 1)).contains(row), "{row}");
            }
            assert!(wanted < 10 || order != sorted, "in random order");
        }
        let other = UserActivations { seed: 4, ..given(1_000) };
        assert_ne!(other.row_order(100).unwrap(), given(1_000).row_order(100).unwrap());
        assert_eq!(given(5).row_order(6).unwrap_err().0[0].field, "train_rows");
    }

    #[test]
    fn a_sample_is_scaled_and_read_out_as_it_was_given() {
        let drawn = DrawnRows {
            activations: vec![30.0, 40.0, 0.0, 150.0],
            readout: Some(vec![1.0, 2.0]),
            bias: Some(vec![0.5]),
        };
        let world = UserActivations { outputs: Some(1), ..given(9) };
        let sample = world.sample(2, &drawn).unwrap();
        let norm = |row: usize| {
            let row = sample.activations.row(row);
            f64::sqrt(kernel::dot(row, row))
        };
        assert!((norm(0) + norm(1) - 4.0).abs() < 1e-12);
        let outputs = sample.readout.unwrap().outputs(&sample.activations).unwrap();
        assert!((outputs.row(0)[0] - 110.5).abs() < 1e-9);
        assert!((outputs.row(1)[0] - 300.5).abs() < 1e-9);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let fine = DrawnRows { activations: vec![1.0; 4], ..DrawnRows::default() };
        assert!(given(4).sample(2, &fine).is_ok());
        let field = |world: &UserActivations, drawn: DrawnRows| world.sample(2, &drawn).unwrap_err().0[0].field.clone();
        assert_eq!(field(&given(4), DrawnRows::default()), "activations");
        assert_eq!(field(&given(4), DrawnRows { activations: vec![0.0; 4], ..fine.clone() }), "activations");
        let wild = DrawnRows { activations: vec![1.0, f32::NAN, 1.0, 1.0], ..fine.clone() };
        assert_eq!(field(&given(4), wild), "activations");
        let more = DrawnRows { readout: Some(vec![1.0; 2]), ..fine.clone() };
        assert_eq!(field(&given(4), more), "readout");
        assert_eq!(field(&UserActivations { outputs: Some(1), ..given(4) }, fine.clone()), "readout");
        assert_eq!(field(&UserActivations { dimensions: 0, ..given(4) }, fine.clone()), "dimensions");
        let huge = UserActivations { outputs: Some(1 << 24), ..given(4) };
        assert_eq!(field(&huge, fine.clone()), "outputs");
        assert_eq!(field(&UserActivations { dimensions: 9_999, ..given(4) }, fine), "dimensions");
    }
}
