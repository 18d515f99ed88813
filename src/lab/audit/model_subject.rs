//! Models, and what they are asked.

mod subjects;

use std::rc::Rc;

use super::job::{Clock, Job, PreparedSubject};
use super::memo::Memo;
use crate::model::Parameters;
use crate::papers::mui::baselines::BASELINES_FILE;
use crate::papers::mui::experiment::scale_k;
use crate::papers::mui::measure::MeasuredModel;
use crate::papers::mui::metric::Reading;
use crate::papers::mui::settings::Settings;
use crate::study::Failure;
use crate::synthetic::language::{Prompts, Token};
use crate::toy_model::CHECKPOINTS;

pub(super) use subjects::draw_prompts;

/// What models are asked, and what they read.
#[derive(Clone)]
pub struct ModelPrompts {
    /// Prompts of each task.
    pub tasks: Vec<Prompts>,
    /// Requests, safe and unsafe.
    pub requests: Prompts,
    /// Natural texts.
    pub texts: Vec<Vec<Token>>,
}

impl ModelPrompts {
    /// How many prompts all tasks have.
    #[must_use]
    pub fn count_prompts(&self) -> u64 {
        self.tasks.iter().map(|task| task.tokens.len() as u64).sum()
    }
}

/// A model that is watched.
pub struct ModelSubject {
    memo: Memo,
    subject: MeasuredModel,
    asked: Rc<ModelPrompts>,
    draw: u32,
}

impl ModelSubject {
    /// A model by its weights. `clock` says seconds.
    #[must_use]
    pub fn new(parameters: &Parameters, asked: Rc<ModelPrompts>, clock: Clock) -> Self {
        Self { memo: Memo::new(clock), subject: MeasuredModel::new(parameters), asked, draw: 0 }
    }

    /// The same under another seed of the metrics' own.
    #[must_use]
    pub fn with_draw_seed(self, draw: u32) -> Self {
        Self { draw, ..self }
    }

    /// What its metrics share.
    #[must_use]
    pub fn memo(&self) -> &Memo {
        &self.memo
    }

    /// The model, its neurons watched.
    #[must_use]
    pub fn measured_model(&self) -> &MeasuredModel {
        &self.subject
    }

    /// What it is asked.
    #[must_use]
    pub fn prompts(&self) -> &ModelPrompts {
        &self.asked
    }

    /// The seed of the metrics' own draws; 0 but for subjects that are there to vary it.
    #[must_use]
    pub fn draw_seed(&self) -> u32 {
        self.draw
    }

    /// How its neurons are selected: as the index's paper does by a reading, k being the same share of any width.
    #[must_use]
    pub fn mui_settings(&self, reading: Reading) -> Settings {
        let settings = Settings::default();
        let reading = match reading {
            Reading::Document => "document",
            Reading::Code => "code",
        };
        let width = self.subject.model().config().d_mlp;
        let k = scale_k(settings.k, width);
        Settings { k, reading: reading.to_owned(), ..settings }
    }
}

/// The shipped files that its subjects take.
pub(super) fn required_files() -> Vec<&'static str> {
    let wanted = |name: &&str| name.starts_with("ck-") || *name == subjects::SECOND_SEED_MODEL;
    CHECKPOINTS.into_iter().filter(wanted).chain([BASELINES_FILE]).collect()
}

/// All subjects of a job.
pub(super) fn build_subjects(job: Job, clock: Clock) -> Result<Vec<PreparedSubject<ModelSubject>>, Failure> {
    subjects::build_subjects(job, clock).map_err(Failure::from)
}
