//! A reader's own in the audit: several autoencoders on the same activations, and scores that were published under
//! several seeds. No truth is known of them, so that nothing is said of validity.
//!
//! Autoencoders of one architecture that differ by their seeds are what reliability is about. Each is held against
//! controls and doses that are made from it; metrics that need a model, a readout, words or other trainings say nothing.

mod folder;
mod published;
mod recognise;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub use folder::{load_weights, load_weights_with_targets, parse_name_and_seed};
pub use published::{PublishedAssessment, assess_published};
pub use recognise::{AuditedFiles, DEFAULT_ROWS, UNTRAINED_FOLDER, audit_files, sample_paired_rows, sample_rows};

use super::decomposition::{self, GroundTruth};
use super::job::Clock;
use super::measure::measure_decompositions;
use super::metric::Metric;
use super::registry::Registry;
use super::row::SubjectRow;
use super::subject::{Kind, World};
use crate::Matrix;
use crate::io::{EscapedRule, EscapedText};
use crate::sae::{Activation, Weights};
use crate::study::impl_failure_from;

/// The fewest rows of activations.
pub const ROWS_MIN: usize = 16;
/// The largest seed.
pub const SEED_MAX: u32 = 1_000_000;
/// The most numbers of a decoder: some twenty autoencoders of that size are held at once.
pub const WEIGHTS_MAX: usize = 1 << 22;
/// The most codes, rows times latents.
pub const CODES_MAX: usize = 1 << 26;
/// Steps between M09's cores, as in the small preset.
const M09_STEPS_PER_CYCLE: u32 = 40;

/// An autoencoder of a reader's own.
#[derive(Clone, Debug)]
pub struct UserAutoencoder {
    /// Its architecture and settings, by whichever name: the same for those that differ by their seeds alone.
    pub place: String,
    /// Its seed, 0 to [`SEED_MAX`].
    pub seed: u32,
    /// Its numbers: F latents of D numbers.
    pub weights: Weights,
    /// Its numbers before its training, where they are known.
    pub untrained: Option<Weights>,
}

/// Why a reader's own are not audited.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UserAuditError {
    /// There is none.
    #[error("no autoencoder is given; allowed: one or more")]
    NoAutoencoder,
    /// Two of one architecture have one seed.
    #[error("{place:?} is there twice under seed {seed}; allowed: once under each seed")]
    Duplicate {
        /// Which.
        place: String,
        /// The seed.
        seed: u64,
    },
    /// One architecture has other seeds than another.
    #[error("{place:?} is there under the seeds {found}; allowed: {allowed}, as {other:?}")]
    SeedMismatch {
        /// Which.
        place: String,
        /// Its seeds.
        found: String,
        /// The other's.
        allowed: String,
        /// The other.
        other: String,
    },
    /// A number is none of those that it may be, or does not fit the others.
    #[error("{}, {field}: {}; allowed: {allowed}", EscapedText(place), EscapedText(found))]
    Value {
        /// Which autoencoder, or "the activations".
        place: String,
        /// What of it.
        field: &'static str,
        /// What it is.
        found: String,
        /// What it may be.
        allowed: String,
    },
    /// Subjects cannot be made of one.
    #[error("{}: {}", EscapedText(place), EscapedRule(message))]
    Refused {
        /// Which.
        place: String,
        /// The stable code of what refuses it.
        code: String,
        /// Why.
        message: String,
    },
}

impl UserAuditError {
    /// A stable code, e.g. `audit.own.seeds`.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::NoAutoencoder => "audit.own.none",
            Self::Duplicate { .. } => "audit.own.twice",
            Self::SeedMismatch { .. } => "audit.own.seeds",
            Self::Value { .. } => "audit.own.value",
            Self::Refused { code, .. } => code,
        }
    }

    /// What is to blame, where something is: an autoencoder, or "the activations".
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::NoAutoencoder => None,
            Self::Duplicate { place, .. }
            | Self::SeedMismatch { place, .. }
            | Self::Value { place, .. }
            | Self::Refused { place, .. } => Some(place),
        }
    }

    fn refused_error(place: &str, code: &str, message: &impl ToString) -> Self {
        Self::Refused { place: place.to_owned(), code: code.to_owned(), message: message.to_string() }
    }

    fn value_error(place: &str, field: &'static str, found: impl ToString, allowed: String) -> Self {
        Self::Value { place: place.to_owned(), field, found: found.to_string(), allowed }
    }
}

impl_failure_from!(UserAuditError);

/// What every metric of a registry that is defined on decompositions says of each autoencoder at rows of activations
/// (N × D), and of what is made from it; a control, dose or guise that it does not have is a row that says why. Of transcoders
/// `targets` are what they reconstruct (N × D'). `clock` says seconds; `tell` hears how many autoencoders are done.
///
/// The rows' world is [`World::Own`], without a truth; [`build_table`](super::build_table) takes them like any others.
///
/// # Errors
/// [`UserAuditError`]: sizes that do not fit each other or are too large, numbers that are not finite, an architecture
/// twice under one seed, or under other seeds than the others, transcoders without targets, and autoencoders with them.
pub fn measure_autoencoders(
    rows: &Matrix,
    targets: Option<&Matrix>,
    given: &[UserAutoencoder],
    registry: &Registry,
    clock: Clock,
    tell: &mut dyn FnMut(usize),
) -> Result<Vec<SubjectRow>, UserAuditError> {
    check_inputs(rows, targets, given)?;
    let mut found = Vec::new();
    for (at, own) in given.iter().enumerate() {
        tell(at);
        let ground = GroundTruth {
            steps_per_cycle: M09_STEPS_PER_CYCLE,
            targets: targets.cloned(),
            ..GroundTruth::from_rows(World::Own, own.seed, rows.clone())
        };
        let (made, without) =
            decomposition::build_user_subjects(&Rc::new(ground), &own.weights, own.untrained.as_ref(), clock)
                .map_err(|error| UserAuditError::refused_error(&own.place, error.code(), &error))?;
        let said = measure_decompositions((World::Own, own.seed), made, registry, |_, _: &_| {});
        found.extend(said.into_iter().map(|row| SubjectRow { place: own.place.clone(), ..row }));
        found.extend(without.into_iter().map(|(subject, why)| SubjectRow {
            world: World::Own,
            place: own.place.clone(),
            seed: own.seed,
            subject,
            truth: None,
            truths: BTreeMap::new(),
            size: None,
            width: None,
            values: Vec::new(),
            not_applicable: Some(why.to_owned()),
        }));
    }
    tell(given.len());
    Ok(found)
}

/// The metrics of a registry that say something of some row: what a table of a reader's own has.
#[must_use]
pub fn applicable_metrics(registry: &Registry, rows: &[SubjectRow]) -> Vec<Metric> {
    let said = rows.iter().flat_map(|row| &row.values).filter(|value| value.value.is_some());
    let said: BTreeSet<&str> = said.map(|value| value.metric.as_str()).collect();
    let defined = |metric: &&Metric| metric.kind() == Kind::Decomposition && said.contains(metric.id);
    registry.metrics().iter().filter(defined).copied().collect()
}

fn check_inputs(rows: &Matrix, targets: Option<&Matrix>, given: &[UserAutoencoder]) -> Result<(), UserAuditError> {
    let Some(first) = given.first() else { return Err(UserAuditError::NoAutoencoder) };
    let (count, width) = rows.shape();
    let activations = "the activations";
    if count < ROWS_MIN {
        let allowed = format!("{ROWS_MIN} or more");
        return Err(UserAuditError::value_error(activations, "rows", count, allowed));
    }
    check_finite(activations, "a number", rows.data())?;
    if let Some(targets) = targets {
        if targets.rows() != count {
            let allowed = format!("{count}, as of the activations");
            return Err(UserAuditError::value_error("the targets", "rows", targets.rows(), allowed));
        }
        check_finite("the targets", "a number", targets.data())?;
    }
    let written = targets.map_or(width, Matrix::cols);
    let mut seeds: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, [(&str, String); 3]> = BTreeMap::new();
    for own in given {
        let refused =
            |field, found: usize, allowed: String| Err(UserAuditError::value_error(&own.place, field, found, allowed));
        if own.seed > SEED_MAX {
            return refused("seed", own.seed as usize, format!("0 to {SEED_MAX}"));
        }
        for weights in [Some(&own.weights), own.untrained.as_ref()].into_iter().flatten() {
            if weights.transcoder.is_some() != targets.is_some() {
                let (found, allowed) = match targets {
                    None => ("none", "those that this transcoder reconstructs"),
                    Some(_) => ("some", "none, of an autoencoder, which reconstructs what it reads"),
                };
                let allowed = allowed.to_owned();
                return Err(UserAuditError::value_error(&own.place, "targets", found, allowed));
            }
            check_shapes(&own.place, weights, (count, width), written)?;
            let kind = [
                ("latents", weights.decoder.rows().to_string()),
                ("architecture", weights.activation.label()),
                ("normalize_activations", weights.normalisation.label().to_owned()),
            ];
            let before = kinds.entry(&own.place).or_insert_with(|| kind.clone());
            let mut both = before.iter().zip(kind);
            if let Some(((field, before), (_, found))) = both.find(|(a, b)| *a != b) {
                let allowed = format!("{before}, as under another seed");
                return Err(UserAuditError::value_error(&own.place, field, found, allowed));
            }
            weights
                .check_rows(rows)
                .map_err(|error| UserAuditError::refused_error(&own.place, error.code(), &error))?;
        }
        if !seeds.entry(&own.place).or_default().insert(own.seed) {
            let (place, seed) = (own.place.clone(), u64::from(own.seed));
            return Err(UserAuditError::Duplicate { place, seed });
        }
    }
    // A seed's number is the mean over architectures: it must be of the same ones.
    let wanted = seeds.get(first.place.as_str()).cloned().unwrap_or_default();
    let listed = |seeds: &BTreeSet<u32>| seeds.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    match seeds.iter().find(|(_, found)| **found != wanted) {
        Some((place, found)) => Err(UserAuditError::SeedMismatch {
            place: (*place).to_owned(),
            found: listed(found),
            allowed: listed(&wanted),
            other: first.place.clone(),
        }),
        None => Ok(()),
    }
}

/// Whether an autoencoder is one of N rows of D numbers, which reconstructs so many numbers of each.
fn check_shapes(
    place: &str,
    of: &Weights,
    (count, width): (usize, usize),
    written: usize,
) -> Result<(), UserAuditError> {
    let (latents, wide) = of.decoder.shape();
    let refused = |field, found: usize, allowed: String| Err(UserAuditError::value_error(place, field, found, allowed));
    if wide != written {
        let what = if of.transcoder.is_some() { "targets" } else { "activations" };
        let allowed = format!("{written}, as the {what} have");
        return refused("numbers of a direction", wide, allowed);
    }
    if of.encoder.shape() != (latents, width) {
        let found = of.encoder.data().len();
        return refused("numbers of the encoder", found, format!("{latents} × {width}"));
    }
    if of.encoder_bias.len() != latents {
        return refused("numbers of b_enc", of.encoder_bias.len(), latents.to_string());
    }
    if of.decoder_bias.len() != written {
        return refused("numbers of b_dec", of.decoder_bias.len(), written.to_string());
    }
    let skip = of.transcoder.as_ref().and_then(|of| of.skip.as_ref());
    if let Some(skip) = skip.filter(|skip| skip.shape() != (written, width)) {
        let found = skip.data().len();
        return refused("numbers of W_skip", found, format!("{written} × {width}"));
    }
    if let Activation::TopK(kept) | Activation::AbsTopK(kept) | Activation::RankedTopK { kept, .. } = of.activation
        && !(1..=latents).contains(&kept)
    {
        return refused("active latents", kept, format!("1 to {latents}"));
    }
    for (name, values) in of.activation.vectors() {
        if values.len() != latents {
            let allowed = format!("{latents} numbers");
            return Err(UserAuditError::value_error(place, name, values.len(), allowed));
        }
        check_finite(place, name, values)?;
    }
    let (field, widest) = match width > written {
        true => ("numbers of the encoder", width),
        false => ("numbers of the decoder", written),
    };
    if latents * widest > WEIGHTS_MAX {
        return refused(field, latents * widest, format!("to {WEIGHTS_MAX}"));
    }
    if count * latents > CODES_MAX {
        return refused("rows times latents", count * latents, format!("to {CODES_MAX}"));
    }
    check_finite(place, "a number of the encoder", of.encoder.data())?;
    check_finite(place, "a number of b_enc", &of.encoder_bias)?;
    check_finite(place, "a number of the decoder", of.decoder.data())?;
    check_finite(place, "a number of W_skip", skip.map_or(&[], Matrix::data))?;
    check_finite(place, "a number of b_dec", &of.decoder_bias)
}

fn check_finite(place: &str, field: &'static str, values: &[f64]) -> Result<(), UserAuditError> {
    match values.iter().find(|value| !(**value as f32).is_finite()) {
        Some(value) => Err(UserAuditError::value_error(place, field, value, "finite 32-bit floats".to_owned())),
        None => Ok(()),
    }
}
