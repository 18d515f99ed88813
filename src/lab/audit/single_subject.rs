//! Subjects that are asked for one at a time: the rows, models and prompts that the audit's jobs have, by name.
//!
//! What a metric says of one of these is what the audit's report says of it.

use std::rc::Rc;

use super::circuit::{self, Circuit};
use super::decomposition::{self, GroundTruth};
use super::job::{Clock, Job, Preset};
use super::model_subject::{self, ModelSubject};
use super::subject::World;
use crate::Matrix;
use crate::model::Parameters;
use crate::settings::Problem;
use crate::study::Failure;
use crate::synthetic::Head;
use crate::synthetic::language::{CONTEXT_TOKENS, Task, VOCABULARY};

/// Why a subject is not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubjectError {
    /// What is asked for is none of what there is.
    #[error(transparent)]
    InvalidRequest(#[from] Problem),
    /// It cannot be made: a shipped file is not there, say.
    #[error(transparent)]
    BuildFailed(#[from] Failure),
}

/// The worlds that have rows, by name.
pub const WORLDS_WITH_ROWS: [World; 5] =
    [World::Superposition, World::Layer, World::Stream0, World::Stream1, World::Stream2];

/// Rows of a world with all that is known of them, and the rows that autoencoders are trained on there; none for a
/// world of other things than rows.
///
/// What is trained beside ([`GroundTruth::comparison_models`]) is left out.
///
/// # Errors
/// Where a shipped file is not there.
///
/// # Examples
/// ```
/// use sfc_bench::lab::audit::{Preset, World, single_subject};
/// let (ground, training) = single_subject::sample_rows(World::Superposition, 0, Preset::Small)?.unwrap();
/// assert_eq!(ground.rows.cols(), training.cols());
/// assert!(single_subject::sample_rows(World::Scores, 0, Preset::Small)?.is_none());
/// # Ok::<(), sfc_bench::study::Failure>(())
/// ```
pub fn sample_rows(world: World, seed: u32, preset: Preset) -> Result<Option<(GroundTruth, Matrix)>, Failure> {
    if !WORLDS_WITH_ROWS.contains(&world) {
        return Ok(None);
    }
    decomposition::sample_rows(Job { world, seed, preset }).map(Some)
}

/// Whose heads they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CircuitSource<'a> {
    /// A planted circuit of two layers.
    Planted,
    /// The toy model's, on a task.
    Task {
        /// Which.
        task: Task,
        /// Its checkpoint: "ck-12000".
        checkpoint: &'a str,
    },
}

/// Which heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadSelection {
    /// The circuit: the planted one, or what backward elimination leaves on these prompts.
    Found,
    /// All.
    Full,
    /// None.
    Empty,
    /// These, by layer and number.
    Named(Vec<Head>),
}

/// Some heads of a model, on the prompts that a job of that seed has.
///
/// # Errors
/// [`SubjectError::InvalidRequest`] for a head that there is not; [`SubjectError::BuildFailed`] for a checkpoint that there is not.
///
/// # Examples
/// ```
/// use sfc_bench::lab::audit::single_subject::{self, HeadSelection, CircuitSource};
/// use sfc_bench::lab::audit::{Preset, clock};
/// let heads = HeadSelection::Named(vec![(0, 1), (1, 2)]);
/// let of = single_subject::build_circuit(CircuitSource::Planted, &heads, 0, Preset::Small, clock::seconds)?;
/// assert_eq!(of.heads(), [(0, 1), (1, 2)]);
/// # Ok::<(), single_subject::SubjectError>(())
/// ```
pub fn build_circuit(
    of: CircuitSource<'_>,
    heads: &HeadSelection,
    seed: u32,
    preset: Preset,
    clock: Clock,
) -> Result<Circuit, SubjectError> {
    let ground = match of {
        CircuitSource::Planted => circuit::planted_model(seed, preset, clock)?,
        CircuitSource::Task { task, checkpoint } => circuit::task_model(task, checkpoint, (seed, preset), clock)?,
    };
    let heads = match heads {
        HeadSelection::Found => ground.find_circuit()?,
        HeadSelection::Full => ground.heads().to_vec(),
        HeadSelection::Empty => Vec::new(),
        HeadSelection::Named(heads) => {
            if let Some((layer, head)) = heads.iter().find(|head| !ground.heads().contains(head)) {
                let (last, most) = ground.heads().last().copied().unwrap_or_default();
                let allowed = format!("a layer from 0 to {last} and a head from 0 to {most}");
                return Err(Problem::new("heads", format!("({layer}, {head})"), allowed).into());
            }
            heads.clone()
        }
    };
    Ok(Circuit::new(Rc::new(ground), heads, clock))
}

/// A model of the language, asked what a job of that seed asks.
///
/// # Errors
/// [`SubjectError::InvalidRequest`] for one of another vocabulary, or with too few positions for the language's texts.
pub fn build_model_subject(
    parameters: &Parameters,
    seed: u32,
    preset: Preset,
    clock: Clock,
) -> Result<ModelSubject, SubjectError> {
    let config = parameters.config();
    if config.vocabulary != VOCABULARY.len() || config.context < CONTEXT_TOKENS {
        let found = format!("{} words, {} positions", config.vocabulary, config.context);
        let allowed = format!("{} words, {CONTEXT_TOKENS} positions or more", VOCABULARY.len());
        return Err(Problem::new("model", found, allowed).into());
    }
    Ok(ModelSubject::new(parameters, Rc::new(model_subject::draw_prompts(preset, seed)), clock))
}
