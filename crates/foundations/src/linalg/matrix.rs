use crate::rng::NumpyRng;

/// Values do not make a matrix of the wanted shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} is {} × {}, but {} × {} is needed",
    found.0, found.1, wanted.0, wanted.1
)]
pub struct ShapeError {
    /// What was given.
    pub what: &'static str,
    /// Its shape.
    pub found: (usize, usize),
    /// The shape it should have.
    pub wanted: (usize, usize),
}

/// A dense matrix of `f64`, stored row by row.
///
/// One row is one sample nearly everywhere in this crate.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Matrix {
    /// A `rows × cols` matrix of zeros.
    #[must_use]
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// A matrix over `data`, which holds it row by row.
    ///
    /// # Errors
    /// [`ShapeError`] when `data` does not hold `rows · cols` values.
    pub fn from_vec(rows: usize, cols: usize, data: Vec<f64>) -> Result<Self, ShapeError> {
        if rows.checked_mul(cols) == Some(data.len()) {
            Ok(Self { rows, cols, data })
        } else {
            Err(ShapeError { what: "values of a matrix", found: (1, data.len()), wanted: (rows, cols) })
        }
    }

    /// The same over values in single precision.
    ///
    /// # Errors
    /// As [`from_vec`](Self::from_vec).
    pub fn from_f32(rows: usize, cols: usize, values: impl IntoIterator<Item = f32>) -> Result<Self, ShapeError> {
        Self::from_vec(rows, cols, values.into_iter().map(f64::from).collect())
    }

    /// Standard normal entries, drawn row by row.
    pub fn standard_normal(rng: &mut NumpyRng, rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: rng.standard_normals(rows * cols) }
    }

    /// A matrix over rows of equal length.
    ///
    /// # Errors
    /// [`ShapeError`] when a row's length differs from the first one's.
    pub fn from_rows(rows: &[Vec<f64>]) -> Result<Self, ShapeError> {
        let cols = rows.first().map_or(0, Vec::len);
        match rows.iter().find(|row| row.len() != cols) {
            Some(row) => Err(ShapeError { what: "a row of a matrix", found: (1, row.len()), wanted: (1, cols) }),
            None => Ok(Self { rows: rows.len(), cols, data: rows.concat() }),
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// (rows, columns).
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// All values, row by row.
    #[must_use]
    pub fn data(&self) -> &[f64] {
        &self.data
    }

    /// All entries, row by row, without a copy.
    #[must_use]
    pub fn into_data(self) -> Vec<f64> {
        self.data
    }

    /// All values, row by row.
    pub fn data_mut(&mut self) -> &mut [f64] {
        &mut self.data
    }

    /// One row.
    ///
    /// # Panics
    /// When there is no such row, as indexing does.
    #[must_use]
    #[inline]
    pub fn row(&self, index: usize) -> &[f64] {
        &self.data[index * self.cols..(index + 1) * self.cols]
    }

    /// One row, to write to.
    ///
    /// # Panics
    /// When there is no such row, as indexing does.
    pub fn row_mut(&mut self, index: usize) -> &mut [f64] {
        &mut self.data[index * self.cols..(index + 1) * self.cols]
    }

    /// The rows, first to last.
    pub fn iter_rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        // A matrix without columns has empty rows, which `chunks_exact` cannot make.
        (0..self.rows).map(|index| self.row(index))
    }

    /// The matrix of the given rows, in the given order.
    ///
    /// # Panics
    /// When there is no such row, as indexing does.
    #[must_use]
    pub fn select_rows(&self, indices: &[u32]) -> Self {
        let data = indices.iter().flat_map(|&index| self.row(index as usize)).copied().collect();
        Self { rows: indices.len(), cols: self.cols, data }
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transposed(&self) -> Self {
        // Blocks of rows, so that the writes of one column of a block are neighbours.
        const BLOCK: usize = 8;
        let mut out = Self::zeros(self.cols, self.rows);
        for start in (0..self.rows).step_by(BLOCK) {
            let end = self.rows.min(start + BLOCK);
            let block = &self.data[start * self.cols..end * self.cols];
            for col in 0..self.cols {
                let to = &mut out.data[col * self.rows + start..col * self.rows + end];
                for (value, from) in to.iter_mut().zip(block[col..].iter().step_by(self.cols)) {
                    *value = *from;
                }
            }
        }
        out
    }

    /// The first `cols` columns.
    #[must_use]
    pub fn first_cols(&self, cols: usize) -> Self {
        let cols = cols.min(self.cols);
        let data = self.iter_rows().flat_map(|row| &row[..cols]).copied().collect();
        Self { rows: self.rows, cols, data }
    }
}
