/// Means and squared deviations of columns, from blocks of rows: exact to rounding however far the
/// mean is from zero (Chan, Golub and LeVeque's pairwise update).
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub struct ColumnMoments {
    rows: f64,
    means: Vec<f64>,
    /// Σ (x − column mean)².
    squares: Vec<f64>,
    #[serde(skip)]
    block_means: Vec<f64>,
    #[serde(skip)]
    block_squares: Vec<f64>,
}

impl ColumnMoments {
    /// Of no rows yet.
    pub fn new(cols: usize) -> Self {
        let zeros = || vec![0.0; cols];
        Self { rows: 0.0, means: zeros(), squares: zeros(), block_means: zeros(), block_squares: zeros() }
    }

    /// Takes whole rows.
    pub fn add_rows(&mut self, values: &[f64]) {
        let cols = self.means.len();
        if cols == 0 || values.len() < cols {
            return;
        }
        let (about, rows) = (&values[..cols], (values.len() / cols) as f64);
        self.block_means.fill(0.0);
        self.block_squares.fill(0.0);
        for row in values.chunks_exact(cols) {
            for ((sum, value), about) in self.block_means.iter_mut().zip(row).zip(about) {
                *sum += value - about;
            }
        }
        for (sum, about) in self.block_means.iter_mut().zip(about) {
            *sum = about + *sum / rows;
        }
        for row in values.chunks_exact(cols) {
            for ((sum, value), mean) in self.block_squares.iter_mut().zip(row).zip(&self.block_means) {
                *sum += (value - mean) * (value - mean);
            }
        }
        let (means, squares) = (&self.block_means, &self.block_squares);
        merge_moments((&mut self.rows, &mut self.means, &mut self.squares), (rows, means, squares));
    }

    /// Takes the rows of another, as they would be taken by themselves.
    pub fn merge(&mut self, other: &Self) {
        if other.rows > 0.0 {
            let one = (&mut self.rows, &mut self.means, &mut self.squares);
            merge_moments(one, (other.rows, &other.means, &other.squares));
        }
    }

    /// The mean row.
    pub fn mean(&self) -> Vec<f64> {
        self.means.clone()
    }

    /// The variance of each column, over all rows (ddof 0); 0 without rows.
    pub fn variances(&self) -> Vec<f64> {
        self.squares.iter().map(|square| square / self.rows.max(1.0)).collect()
    }

    /// Σ ‖x − mean row‖² over all rows.
    pub fn total_sum_of_squares(&self) -> f64 {
        self.squares.iter().sum()
    }

    /// Σ (x − grand mean)² over all entries.
    pub fn grand_sum_of_squares(&self) -> f64 {
        let Some(&about) = self.means.first() else { return 0.0 };
        let cols = self.means.len() as f64;
        let mean = about + self.means.iter().map(|mean| mean - about).sum::<f64>() / cols;
        let between: f64 = self.means.iter().map(|m| (m - mean) * (m - mean)).sum();
        self.total_sum_of_squares() + self.rows * between
    }
}

/// Moments of rows and of further ones, together.
fn merge_moments(
    (rows, means, squares): (&mut f64, &mut Vec<f64>, &mut Vec<f64>),
    (more, other_means, other_squares): (f64, &[f64], &[f64]),
) {
    let total = *rows + more;
    let old = means.iter_mut().zip(squares);
    for ((mean, square), (other, scatter)) in old.zip(other_means.iter().zip(other_squares)) {
        let apart = other - *mean;
        *mean += apart * (more / total);
        *square += scatter + apart * apart * (*rows * more / total);
    }
    *rows = total;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::column_means;
    use crate::statistics::{grand_variance, total_sum_of_squares};
    use crate::{Matrix, NumpyRng};

    #[test]
    fn blocks_come_to_what_the_whole_does() {
        let mut rng = NumpyRng::new(3);
        for (rows, cols, mean) in [(1, 1, 0.0), (7, 3, 1e6), (200, 5, -3.0), (130, 17, 0.0)] {
            let mut data: Vec<f64> = (0..rows * cols).map(|_| rng.standard_normal()).collect();
            data.iter_mut().enumerate().for_each(|(i, x)| *x += mean * (1 + i % cols) as f64);
            for block in [1, 3, 64, 1000] {
                let mut moments = ColumnMoments::new(cols);
                data.chunks(block * cols).for_each(|rows| moments.add_rows(rows));
                let whole = Matrix::from_vec(rows, cols, data.clone()).unwrap();
                let total = total_sum_of_squares(&whole, &column_means(&whole));
                let grand = grand_variance(&data) * data.len() as f64;
                assert!((moments.total_sum_of_squares() - total).abs() <= 1e-9 * total, "{rows} {cols} {block}");
                assert!((moments.grand_sum_of_squares() - grand).abs() <= 1e-9 * grand, "{rows} {cols} {block}");
            }
        }
    }
}
