//! How alike the directions of a dictionary are.

use super::super::report::Histogram;
use crate::kernel::quantized::QuantizedRows;
use crate::sae::Dictionary;

/// Bins of the largest cosines, from −1 to 1.
const COSINE_BINS: usize = 40;

/// Directions that are held against each other.
pub(super) struct DirectionComparison {
    pub dictionary: Dictionary,
    directions: QuantizedRows,
    lengths: Vec<f64>,
}

/// Largest cosines, as they come.
pub(super) struct LargestCosines {
    /// How many features are to be compared.
    pub expected_count: usize,
    pub sum: f64,
    pub max: f64,
    pub found_count: usize,
    pub histogram: Histogram,
}

impl LargestCosines {
    pub fn new(count: usize) -> Self {
        let edges = (0..=COSINE_BINS).map(|i| -1.0 + 2.0 * i as f64 / COSINE_BINS as f64);
        let most = f64::NEG_INFINITY;
        Self { expected_count: count, sum: 0.0, max: most, found_count: 0, histogram: Histogram::new(edges.collect()) }
    }

    /// Takes the next features'.
    pub fn merge(&mut self, nearest: &[Option<f64>]) {
        for largest in nearest.iter().flatten() {
            self.sum += largest;
            self.max = self.max.max(*largest);
            self.found_count += 1;
            self.histogram.add(*largest);
        }
    }
}

impl DirectionComparison {
    /// Rounds directions.
    pub fn new(dictionary: Dictionary) -> Self {
        Self { directions: dictionary.quantized_rows(), lengths: dictionary.row_norms(), dictionary }
    }

    /// The largest cosine of each of some features with any other; none where there is no such thing.
    ///
    /// Rough products tell which of the others may be the nearest; only these are compared exactly.
    pub fn nearest_cosines(&self, features: &[usize]) -> Vec<Option<f64>> {
        let k = &self.dictionary.k;
        let chosen = self.directions.select_rows(features);
        let mut products = vec![0; features.len() * *k];
        chosen.products(&self.directions, &mut products);
        let one = |(at, (products, feature)): (usize, (&[i32], &usize))| {
            let length = self.lengths[*feature];
            let others = || {
                let rows = products.iter().zip(&self.lengths).enumerate();
                let others = rows.filter(|(j, (_, length))| j != feature && **length > 0.0);
                others.map(|(j, (product, _))| {
                    let error = chosen.cosine_error(at, &self.directions, j);
                    (j, QuantizedRows::cosine(*product), error)
                })
            };
            let least = others().map(|(_, near, error)| near - error);
            let least = least.fold(f64::NEG_INFINITY, f64::max);
            let mut largest = f64::NEG_INFINITY;
            for (j, near, error) in others() {
                if near + error >= least {
                    let product = self.dictionary.dot_rows(*feature as u32, j as u32);
                    largest = largest.max(product / (length * self.lengths[j]));
                }
            }
            // A feature without length has no direction, and one alone nothing to be like.
            (length > 0.0 && largest.is_finite()).then_some(largest)
        };
        products.chunks_exact((*k).max(1)).zip(features).enumerate().map(one).collect()
    }
}
