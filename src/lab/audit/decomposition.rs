mod baselines;
mod ground_truth;
mod planted;
mod search;
mod subjects;
mod trained_models;
pub mod transforms;
mod truth;
mod worlds;

use std::cell::OnceCell;
use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;

pub use ground_truth::{ComparisonModels, EncodedModel, GroundTruth, encode_rows};
pub(super) use search::SearchPool;
pub(super) use subjects::build_user_subjects;

use super::job::{Clock, Job, PreparedSubject};
use super::memo::Memo;
use super::subject::World;
use crate::Matrix;
use crate::lab::families;
use crate::model::ModelError;
use crate::sae::Weights;
use crate::study::Failure;
use crate::toy_model::{Dictionary, FINAL_CHECKPOINT};

/// The toy model before its training.
const UNTRAINED_CHECKPOINT: &str = "ck-00000";

/// A dictionary, and what it makes of activations.
pub struct Decomposition {
    memo: Memo,
    ground: Rc<GroundTruth>,
    weights: Weights,
    dictionary: Arc<Dictionary>,
    /// Whether there is an encoder at all.
    encodes: bool,
    codes: OnceCell<Matrix>,
    draw: u32,
    of_rows: bool,
    thorough: bool,
}

impl Decomposition {
    /// An autoencoder at the rows of a ground. `clock` says seconds.
    ///
    /// # Errors
    /// [`ModelError::Size`] where the autoencoder's sizes do not fit each other, or not the rows, or a transcoder's not the
    /// targets; rows that it cannot normalise.
    pub fn new(ground: Rc<GroundTruth>, weights: Weights, clock: Clock) -> Result<Self, ModelError> {
        if ground.targets.is_none() {
            weights.check_not_transcoder()?;
        }
        for (field, found, wanted) in [
            ("W_dec", weights.decoder.cols(), ground.reconstruction_target().cols()),
            ("W_enc", weights.encoder.cols(), ground.rows.cols()),
        ] {
            if found != wanted {
                let allowed = format!("{wanted} numbers a row");
                return Err(ModelError::Size { field, found, allowed });
            }
        }
        weights.check_rows(&ground.rows)?;
        Ok(Self {
            memo: Memo::new(clock),
            dictionary: ground.dictionary_for_world(&weights)?,
            ground,
            weights,
            encodes: true,
            codes: OnceCell::new(),
            draw: 0,
            of_rows: false,
            thorough: false,
        })
    }

    /// The same with codes (N × F) that its encoder does not make of the rows.
    ///
    /// # Errors
    /// [`ModelError::Size`] for codes of another shape.
    pub fn with_codes(mut self, codes: Matrix) -> Result<Self, ModelError> {
        let wanted = (self.ground.rows.rows(), self.weights.decoder.rows());
        if codes.shape() != wanted {
            let allowed = format!("{} × {} numbers", wanted.0, wanted.1);
            return Err(ModelError::Size { field: "codes", found: codes.data().len(), allowed });
        }
        self.codes = OnceCell::from(codes);
        Ok(self)
    }

    /// The same as one whose codes no encoder makes.
    #[must_use]
    pub fn without_encoder(self) -> Self {
        Self { encodes: false, ..self }
    }

    /// The same under another seed of the metrics' own.
    #[must_use]
    pub fn with_draw_seed(self, draw: u32) -> Self {
        Self { draw, ..self }
    }

    /// The same as one that stands for its rows, too: metrics of rows alone say something of it.
    #[must_use]
    pub fn with_row_metrics(self) -> Self {
        Self { of_rows: true, ..self }
    }

    /// The same as one of which dear metrics say something, too.
    #[must_use]
    pub fn with_costly_metrics(self) -> Self {
        Self { thorough: true, ..self }
    }

    /// What its metrics share.
    #[must_use]
    pub fn memo(&self) -> &Memo {
        &self.memo
    }

    /// What it is measured on.
    #[must_use]
    pub fn ground_truth(&self) -> &GroundTruth {
        &self.ground
    }

    /// Its plain numbers, for the ground's rows.
    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// It as a dictionary for rows as its world makes them: where the ground's are scaled or turned, this one is not, so
    /// that it can read and steer the toy model. Its codes of the world's rows are [`codes`](Self::codes).
    #[must_use]
    pub fn dictionary(&self) -> Arc<Dictionary> {
        Arc::clone(&self.dictionary)
    }

    /// The directions of its latents: F × D.
    #[must_use]
    pub fn decoder(&self) -> &Matrix {
        &self.weights.decoder
    }

    /// The rows of its encoder, F × D; none where no encoder makes the codes.
    #[must_use]
    pub fn encoder(&self) -> Option<&Matrix> {
        self.encodes.then_some(&self.weights.encoder)
    }

    /// Its codes at the ground's rows, N × F. Ask once a metric: what encoding costs is counted each time.
    #[must_use]
    pub fn codes(&self) -> &Matrix {
        let rows = self.ground.rows.rows();
        // Kept for its seconds alone.
        let _ = self.memo.get_or_make("codes", rows as u64, || Ok::<_, Infallible>(self.cached_codes().rows()));
        self.cached_codes()
    }

    /// The same without being counted, for metrics that have asked already.
    #[must_use]
    pub(in crate::lab::audit) fn cached_codes(&self) -> &Matrix {
        self.codes.get_or_init(|| self.encode_rows())
    }

    fn encode_rows(&self) -> Matrix {
        // Sizes were looked at when it was made.
        let none = || Matrix::zeros(self.ground.rows.rows(), self.weights.decoder.rows());
        encode_rows(&self.weights, &self.ground.rows).unwrap_or_else(|_| none())
    }

    /// The seed of the metrics' own draws; 0 but for subjects that are there to vary it.
    #[must_use]
    pub fn draw_seed(&self) -> u32 {
        self.draw
    }

    /// Whether it stands for its rows, too.
    #[must_use]
    pub fn allows_row_metrics(&self) -> bool {
        self.of_rows
    }

    /// Whether dear metrics say something of it.
    #[must_use]
    pub fn allows_costly_metrics(&self) -> bool {
        self.thorough
    }

    /// The checkpoint of the toy model, and the layer after which it reads its residual stream.
    #[must_use]
    pub fn checkpoint_layer(&self) -> Option<(&'static str, usize)> {
        self.ground.checkpoint_layer
    }

    /// As families of methods are measured, with its codes: of rows as they are after its normalisation, as their
    /// reconstruction is before that is undone.
    #[must_use]
    pub(in crate::lab::audit) fn to_family_decomposition(&self, codes: &Matrix) -> families::Decomposition {
        families::Decomposition {
            codes: codes.clone(),
            directions: self.weights.decoder.clone(),
            bias: self.weights.decoder_bias.clone(),
        }
    }

    /// The reconstruction of its rows, N × D, or of a transcoder's targets.
    #[must_use]
    pub(in crate::lab::audit) fn reconstruct(&self, codes: &Matrix) -> Matrix {
        self.weights.decode(codes, &self.ground.rows)
    }
}

/// The shipped files that its subjects take.
pub(super) fn required_files(world: World) -> Vec<&'static str> {
    match world {
        World::Stream0 | World::Stream1 | World::Stream2 => {
            vec![FINAL_CHECKPOINT, UNTRAINED_CHECKPOINT]
        }
        World::Toys => trained_models::TOY_FILES.to_vec(),
        _ => Vec::new(),
    }
}

/// The rows of a job, with all that is known of them, and those that its autoencoders are trained on.
pub(super) fn sample_rows(job: Job) -> Result<(GroundTruth, Matrix), Failure> {
    let drawn = worlds::sample_job_data(job)?;
    let worlds::DataSplit { ground_truth: ground, training_rows: training } = drawn.world_data;
    Ok((ground, training))
}

/// All subjects of a job.
pub(super) fn build_subjects(job: Job, clock: Clock) -> Result<Vec<PreparedSubject<Decomposition>>, Failure> {
    subjects::build_subjects(job, clock).map_err(Failure::from)
}
