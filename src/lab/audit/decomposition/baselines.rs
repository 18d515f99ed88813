//! Controls of the literature beside random directions: principal components, clusters, and an autoencoder whose random
//! decoder is never trained.

use crate::linalg::{SvdDictionary, column_means, product, subtract_mean};
use crate::papers::measurement::MeasurementError;
use crate::sae::train::{TrainConfig, Trainer};
use crate::sae::{Activation, RowNorm, Weights};
use crate::statistics::MetricError;
use crate::{Matrix, NumpyRng, kernel};

/// Rounds of k-means.
const KMEANS_ROUNDS: usize = 10;
/// The most rows that clusters are found in.
const KMEANS_ROWS_MAX: usize = 4_096;

/// Principal components of rows (N × D) as latents: each direction and its opposite, those of the largest variance first,
/// F at most. Of a row the k largest are active.
///
/// # Errors
/// For rows that do not vary.
pub(super) fn pca_dictionary(rows: &Matrix, latents: usize, k: usize) -> Result<Weights, MeasurementError> {
    let found = SvdDictionary::new(rows, true).map_err(|_| MetricError::Undetermined)?;
    let directions = found.directions().transposed();
    let count = directions.rows().min(latents / 2).max(1);
    let mut encoder = Matrix::zeros(2 * count, directions.cols());
    for (at, direction) in directions.iter_rows().take(count).enumerate() {
        encoder.row_mut(2 * at).copy_from_slice(direction);
        let opposite = encoder.row_mut(2 * at + 1).iter_mut();
        opposite.zip(direction).for_each(|(out, value)| *out = -value);
    }
    Ok(Weights {
        decoder: encoder.clone(),
        encoder_bias: vec![0.0; encoder.rows()],
        encoder,
        decoder_bias: column_means(rows),
        activation: Activation::TopK(k),
        normalisation: RowNorm::None,
        transcoder: None,
    })
}

/// An autoencoder that is trained like the reference, but for its decoder, which stays as it was drawn: random.
///
/// # Errors
/// As [`Trainer::new`] and [`Trainer::step`].
pub(super) fn train_frozen_decoder(config: &TrainConfig, rows: &Matrix) -> Result<Weights, MeasurementError> {
    let mut trainer = Trainer::new(config.clone(), rows)?;
    let decoder = trainer.parameters().decoder().to_vec();
    for _ in 0..config.steps {
        trainer.step(1)?;
        let mut parameters = trainer.parameters().clone();
        parameters.decoder_mut().copy_from_slice(&decoder);
        trainer.set_parameters(parameters)?;
    }
    Ok(Weights::from_parameters(trainer.parameters(), config.family.has_k().then_some(config.k)))
}

/// Clusters of rows.
pub(super) struct Clusters {
    /// F × D.
    centres: Matrix,
    mean: Vec<f64>,
}

impl Clusters {
    /// F clusters of some rows (N × D, F at most N) by Lloyd's rounds, beginning with F of the rows; one that no row is
    /// nearest to stays where it is.
    pub(super) fn fit(rows: &Matrix, clusters: usize, rng: &mut NumpyRng) -> Self {
        let drawn = rng.permutation(rows.rows() as u32);
        let rows_of = |count: usize| -> Vec<u32> { drawn.iter().copied().take(count).collect() };
        let some = rows.select_rows(&rows_of(KMEANS_ROWS_MAX));
        let mut found = Self { centres: rows.select_rows(&rows_of(clusters)), mean: column_means(rows) };
        for _ in 0..KMEANS_ROUNDS {
            let mut sums = Matrix::zeros(found.centres.rows(), found.centres.cols());
            let mut counts = vec![0.0; found.centres.rows()];
            for (row, at) in some.iter_rows().zip(found.nearest_centres(&some)) {
                sums.row_mut(at).iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
                counts[at] += 1.0;
            }
            for (at, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0.0) {
                let sums = sums.row(at).iter().map(|sum| sum / count);
                found.centres.row_mut(at).iter_mut().zip(sums).for_each(|(out, mean)| *out = mean);
            }
        }
        found
    }

    /// The centre nearest to each row; the first of equal ones.
    fn nearest_centres(&self, rows: &Matrix) -> Vec<usize> {
        let half: Vec<f64> = self.centres.iter_rows().map(|centre| 0.5 * kernel::dot(centre, centre)).collect();
        let best = |row: &[f64]| {
            let near = row.iter().zip(&half).map(|(product, half)| product - half).enumerate();
            near.fold((0, f64::NEG_INFINITY), |best, one| if one.1 > best.1 { one } else { best }).0
        };
        product(rows, &self.centres.transposed()).iter_rows().map(best).collect()
    }

    /// As a dictionary: the mean of all rows, and a direction of length 1 from it to each centre.
    pub(super) fn to_weights(&self) -> Weights {
        let mut decoder = subtract_mean(&self.centres, &self.mean);
        for (at, length) in self.centre_distances().into_iter().enumerate() {
            decoder.row_mut(at).iter_mut().for_each(|value| *value /= length);
        }
        Weights {
            encoder: decoder.clone(),
            encoder_bias: vec![0.0; decoder.rows()],
            decoder,
            decoder_bias: self.mean.clone(),
            activation: Activation::TopK(1),
            normalisation: RowNorm::None,
            transcoder: None,
        }
    }

    /// Codes of rows (N × F): of the nearest centre its distance from the mean, so that a row is reconstructed as its
    /// centre.
    pub(super) fn encode(&self, rows: &Matrix) -> Matrix {
        let lengths = self.centre_distances();
        let mut codes = Matrix::zeros(rows.rows(), lengths.len());
        for (row, at) in self.nearest_centres(rows).into_iter().enumerate() {
            if let Some((code, length)) = codes.row_mut(row).get_mut(at).zip(lengths.get(at)) {
                *code = *length;
            }
        }
        codes
    }

    fn centre_distances(&self) -> Vec<f64> {
        let away = subtract_mean(&self.centres, &self.mean);
        let lengths = away.iter_rows().map(|row| f64::sqrt(kernel::dot(row, row)));
        lengths.map(|length| length.max(f64::MIN_POSITIVE)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::audit::encode_rows;
    use crate::sae::train::Family;

    /// Three clusters of four rows each, of small spread, on the axes of three dimensions.
    fn rows() -> Matrix {
        let row = |at: usize| {
            let mut row = vec![0.0; 3];
            row[at % 3] = 2.0 + 0.01 * at as f64;
            row
        };
        Matrix::from_rows(&(0..12).map(row).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn clusters_reconstruct_rows_as_their_centres() {
        // Of these draws three rows of three clusters are among the first.
        let found = (0..20).map(|seed| Clusters::fit(&rows(), 3, &mut NumpyRng::new(seed)));
        let errors = found.map(|found| {
            let (codes, weights) = (found.encode(&rows()), found.to_weights());
            assert!(codes.iter_rows().all(|row| row.iter().filter(|code| **code > 0.0).count() == 1));
            let mut out = product(&codes, &weights.decoder);
            for at in 0..out.rows() {
                let row = out.row_mut(at).iter_mut();
                row.zip(&weights.decoder_bias).for_each(|(value, bias)| *value += bias);
            }
            let apart = out.data().iter().zip(rows().data().to_vec()).map(|(a, b)| (a - b) * (a - b));
            apart.sum::<f64>()
        });
        // Σ over three clusters of Σ (0.03 · (i − 1.5))² of their four rows.
        let least = errors.fold(f64::INFINITY, f64::min);
        assert!((least - 3.0 * 0.0045).abs() < 1e-12, "{least}");
    }

    #[test]
    fn components_with_all_of_them_active_reconstruct_everything() {
        let mut rng = NumpyRng::new(3);
        let mut rows = Matrix::zeros(40, 4);
        rng.fill_standard_normal(rows.data_mut());
        let found = pca_dictionary(&rows, 8, 8).unwrap();
        assert_eq!(found.decoder.shape(), (8, 4));
        let codes = encode_rows(&found, &rows).unwrap();
        let mut out = product(&codes, &found.decoder);
        for at in 0..out.rows() {
            let row = out.row_mut(at).iter_mut();
            row.zip(&found.decoder_bias).for_each(|(value, bias)| *value += bias);
        }
        assert!(out.data().iter().zip(rows.data()).all(|(a, b)| (a - b).abs() < 1e-5));
        assert_eq!(pca_dictionary(&rows, 2, 1).unwrap().decoder.rows(), 2);
    }

    #[test]
    fn a_frozen_decoder_is_the_one_that_was_drawn_and_its_encoder_is_not() {
        let mut rng = NumpyRng::new(5);
        let mut rows = Matrix::zeros(400, 6);
        rng.fill_standard_normal(rows.data_mut());
        let config = TrainConfig { latents: 12, k: 2, steps: 50, ..TrainConfig::for_family(Family::TopK) };
        let drawn = Weights::from_parameters(Trainer::new(config.clone(), &rows).unwrap().parameters(), Some(2));
        let found = train_frozen_decoder(&config, &rows).unwrap();
        assert_eq!(found.decoder, drawn.decoder);
        assert_ne!(found.encoder, drawn.encoder);
        assert_ne!(found.encoder_bias, drawn.encoder_bias);
    }
}
