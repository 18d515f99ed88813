use super::config::FamiliesConfig;
use super::error::FamiliesError;
use super::job::{Job, JobResult};
use super::measure::{Decomposition, orthogonal_matching_pursuit};
use super::method::Method;
use crate::linalg::SvdDictionary;
use crate::sae::activity::ProjectionCentre;
use crate::sae::train::{Autoencoder, Family, TrainConfig, Trainer};
use crate::synthetic::{DrawnRows, Sample};
use crate::{Matrix, NumpyRng};

/// Does jobs; what they share is drawn once.
#[derive(Clone, Debug)]
pub struct Runner {
    config: FamiliesConfig,
    train: Sample,
    eval: Sample,
}

impl Runner {
    /// Draws the world.
    ///
    /// # Errors
    /// [`FamiliesError::Config`].
    pub fn new(config: &FamiliesConfig) -> Result<Self, FamiliesError> {
        Self::with_rows(config, None)
    }

    /// Draws the world; of a given one `drawn` are its rows, those trained on and those measured on.
    ///
    /// # Errors
    /// [`FamiliesError::Config`].
    pub fn with_rows(config: &FamiliesConfig, drawn: Option<&DrawnRows>) -> Result<Self, FamiliesError> {
        config.check()?;
        let sample = config.world.sample_with(config.train_rows + config.eval_rows, drawn)?;
        let (mut train, eval) = sample.split(config.train_rows);
        // Nothing that is trained sees it, and it may be large.
        train.readout = None;
        Ok(Self { config: config.clone(), train, eval })
    }

    /// Does one job.
    ///
    /// # Errors
    /// Any [`FamiliesError`] but [`FamiliesError::ResultCount`].
    pub fn run(&self, job: &Job) -> Result<JobResult, FamiliesError> {
        let Job { method, knob, seed } = *job;
        let known = self.config.available_methods().contains(&method)
            && self.config.parameter_values(method).contains(&knob)
            && self.config.seeds.contains(&seed);
        if !known {
            return Err(FamiliesError::UnknownJob { method, knob, seed });
        }
        let found = match method {
            Method::Svd | Method::Pca => self.svd_decomposition(method == Method::Pca, knob as usize)?,
            Method::Oracle | Method::Random => {
                let directions = match &self.train.truth {
                    Some(truth) if method == Method::Oracle => truth.directions.clone(),
                    _ => self.random_directions(seed),
                };
                let bias = vec![0.0; directions.cols()];
                let codes = orthogonal_matching_pursuit(&self.eval.activations, &directions, knob as usize);
                Decomposition { codes, directions, bias }
            }
            _ => self.train_decomposition(job)?,
        };
        Ok(found.measure(*job, &self.eval, ProjectionCentre::Bias)?)
    }

    /// The rows that are trained on.
    #[must_use]
    pub fn training_sample(&self) -> &Sample {
        &self.train
    }

    /// Measures an autoencoder that was trained elsewhere, on the rows that the study measures on;
    /// `job` says how, and need not be one of the study's.
    ///
    /// # Errors
    /// [`FamiliesError::Metric`], where its width is not the activations' for one.
    pub fn measure(&self, autoencoder: &Autoencoder, job: Job) -> Result<JobResult, FamiliesError> {
        let codes = autoencoder.encode(&self.eval.activations)?;
        let (directions, bias) = (autoencoder.decoder(), autoencoder.b_dec());
        Ok(Decomposition { codes, directions, bias }.measure(job, &self.eval, ProjectionCentre::Bias)?)
    }

    fn svd_decomposition(&self, centred: bool, k: usize) -> Result<Decomposition, FamiliesError> {
        let dictionary = SvdDictionary::new(&self.train.activations, centred)?;
        let mut codes = dictionary.encode(&self.eval.activations, dictionary.rank())?;
        let dropped = codes.cols().saturating_sub(k);
        crate::papers::sfc::codes::zero_smallest(&mut codes, dropped);
        let directions = dictionary.directions().transposed();
        let bias = dictionary.mean().map_or_else(|| vec![0.0; directions.cols()], <[f64]>::to_vec);
        Ok(Decomposition { codes, directions, bias })
    }

    fn random_directions(&self, seed: u32) -> Matrix {
        // Not the stream of the world, whose seed may be the same.
        let mut rng = NumpyRng::new(seed ^ 0x5fc0_ffee);
        let mut out = Matrix::zeros(self.config.train.latents, self.train.activations.cols());
        rng.fill_standard_normal(out.data_mut());
        for index in 0..out.rows() {
            let row = out.row_mut(index);
            let norm = f64::sqrt(crate::kernel::dot(row, row));
            row.iter_mut().for_each(|value| *value /= norm);
        }
        out
    }

    fn train_decomposition(&self, job: &Job) -> Result<Decomposition, FamiliesError> {
        let Job { method, knob, seed } = *job;
        let family = method.family().unwrap_or(Family::TopK);
        let mut config = TrainConfig { family, seed, ..self.config.train.clone() };
        if family.has_k() {
            config.k = knob as usize;
        } else {
            config.sparsity = knob;
        }
        let failed = |error| FamiliesError::Train { method, error };
        let steps = if method == Method::Untrained { 0 } else { config.steps };
        let mut trainer = Trainer::new(config, &self.train.activations).map_err(failed)?;
        trainer.step(steps).map_err(failed)?;
        let autoencoder = trainer.autoencoder();
        let codes = autoencoder.encode(&self.eval.activations)?;
        let mut directions = autoencoder.decoder();
        if method == Method::Permuted {
            let order = NumpyRng::new(seed ^ 0x0dd_5eed).permutation(directions.rows() as u32);
            directions = directions.select_rows(&order);
        }
        Ok(Decomposition { codes, directions, bias: autoencoder.b_dec() })
    }
}
