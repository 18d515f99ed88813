use crate::Matrix;
use crate::sae::train::Codes;
use crate::statistics::{self, MetricError, first_non_finite};

/// What features do at positions (positions × features), however it is kept.
#[derive(Clone, Copy, Debug)]
pub enum Activations<'a> {
    /// A matrix.
    Dense(&'a Matrix),
    /// In single precision, row by row.
    DenseF32 {
        /// Positions × features.
        values: &'a [f32],
        /// How many features.
        features: usize,
    },
    /// Of each position those that are not 0.
    Sparse {
        /// A row a position.
        codes: &'a Codes,
        /// How many features.
        features: usize,
    },
}

impl<'a> Activations<'a> {
    /// How many positions.
    #[must_use]
    pub fn position_count(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.rows(),
            Self::DenseF32 { values, features } => values.len().checked_div(*features).unwrap_or(0),
            Self::Sparse { codes, .. } => codes.len(),
        }
    }

    /// How many features.
    #[must_use]
    pub fn feature_count(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.cols(),
            Self::DenseF32 { features, .. } | Self::Sparse { features, .. } => *features,
        }
    }

    /// Refuses none at all, parts of rows, features that there are not, and what is no number.
    pub(super) fn check(&self, what: &'static str) -> Result<(), MetricError> {
        let features = self.feature_count();
        if features == 0 || self.position_count() == 0 {
            return Err(MetricError::Empty { what });
        }
        match self {
            Self::Dense(matrix) => statistics::check_matrix(what, matrix),
            Self::DenseF32 { values, .. } => {
                let positions = self.position_count();
                if positions * features != values.len() {
                    let wanted = (positions, features);
                    return Err(MetricError::Shape { what, found: (1, values.len()), wanted });
                }
                match values.iter().position(|value| !value.is_finite()) {
                    Some(at) => Err(MetricError::NonFinite { what, row: at / features, column: at % features }),
                    None => Ok(()),
                }
            }
            Self::Sparse { codes, .. } => {
                for (row, entries) in codes.rows().enumerate() {
                    for (feature, value) in entries {
                        let column = *feature as usize;
                        if column >= features {
                            return Err(MetricError::Index { what, index: column, len: features });
                        }
                        if !value.is_finite() {
                            return Err(MetricError::NonFinite { what, row, column });
                        }
                    }
                }
                Ok(())
            }
        }
    }

    /// Of each position (feature, activation) of those that are not 0, by rising feature.
    pub(super) fn sparse_rows(&self) -> Box<dyn Iterator<Item = Vec<(usize, f64)>> + 'a> {
        fn nonzero_entries(row: impl Iterator<Item = f64>) -> Vec<(usize, f64)> {
            row.enumerate().filter(|(_, value)| *value != 0.0).collect()
        }
        match *self {
            Self::Dense(matrix) => {
                Box::new((0..matrix.rows()).map(|row| nonzero_entries(matrix.row(row).iter().copied())))
            }
            Self::DenseF32 { values, features } => Box::new(
                values
                    .chunks_exact(features.max(1))
                    .map(|row| nonzero_entries(row.iter().map(|value| f64::from(*value)))),
            ),
            Self::Sparse { codes, .. } => Box::new(
                codes
                    .rows()
                    .map(|row| row.iter().map(|(feature, value)| (*feature as usize, f64::from(*value))).collect()),
            ),
        }
    }

    /// Of each position how many features' |activations| exceed a threshold, which is not negative. Refuses what
    /// [`Activations::check`] does.
    pub(super) fn count_active(&self, what: &'static str, threshold: f64) -> Result<Vec<usize>, MetricError> {
        let exceeds = |value: &f32| f64::from(value.abs()) > threshold;
        match *self {
            // Values are looked at once, while they are near.
            Self::Dense(matrix) if !matrix.data().is_empty() => {
                let rows = matrix.iter_rows().enumerate();
                rows.map(|(row, values)| match first_non_finite(values) {
                    Some(column) => Err(MetricError::NonFinite { what, row, column }),
                    None => Ok(values.iter().filter(|value| value.abs() > threshold).count()),
                })
                .collect()
            }
            Self::Dense(_) => Err(MetricError::Empty { what }),
            Self::DenseF32 { values, features } => {
                self.check(what)?;
                let rows = values.chunks_exact(features.max(1));
                Ok(rows.map(|row| row.iter().filter(|value| exceeds(value)).count()).collect())
            }
            Self::Sparse { codes, .. } => {
                self.check(what)?;
                let count = |row: &[(u32, f32)]| row.iter().filter(|(_, x)| exceeds(x)).count();
                Ok(codes.rows().map(count).collect())
            }
        }
    }

    /// Some features' activations, one feature a row: features × positions.
    pub(super) fn feature_rows(&self, from: usize, to: usize) -> Matrix {
        self.feature_columns(from, to).transposed()
    }

    /// Some features' activations: positions × features.
    pub(super) fn feature_columns(&self, from: usize, to: usize) -> Matrix {
        let to = to.min(self.feature_count());
        let mut out = Matrix::zeros(self.position_count(), to.saturating_sub(from));
        match self {
            Self::Dense(matrix) => {
                for (position, row) in matrix.iter_rows().enumerate() {
                    let out = out.row_mut(position).iter_mut();
                    out.zip(row.iter().skip(from)).for_each(|(out, value)| *out = *value);
                }
            }
            Self::DenseF32 { values, features } => {
                for (position, row) in values.chunks_exact((*features).max(1)).enumerate() {
                    let out = out.row_mut(position).iter_mut();
                    out.zip(row.iter().skip(from)).for_each(|(out, value)| *out = f64::from(*value));
                }
            }
            Self::Sparse { codes, .. } => {
                for (position, row) in codes.rows().enumerate() {
                    let first = row.partition_point(|(feature, _)| (*feature as usize) < from);
                    let mine = row.iter().skip(first);
                    let out = out.row_mut(position);
                    for (feature, value) in mine.take_while(|(feature, _)| (*feature as usize) < to) {
                        out[*feature as usize - from] = f64::from(*value);
                    }
                }
            }
        }
        out
    }
}
