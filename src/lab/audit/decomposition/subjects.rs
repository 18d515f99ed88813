//! What an autoencoder is held against, on the same rows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::baselines::{self, Clusters};
use super::ground::{Beside, Ground};
use super::worlds::{self, Place, Setting};
use super::{Decomposition, change, planted, truth};
use crate::lab::audit::subject::{FROZEN_DECODER, K_MEANS, PCA};
use crate::lab::audit::{Clock, Group, Job, Made, Preset, Subject};
use crate::linalg::{column_means, product};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::validation::features::random_unit_vectors;
use crate::papers::sfc::metric::completeness::RowSpace;
use crate::sae::active::is_active;
use crate::sae::train::{Family, TrainConfig, Trainer};
use crate::sae::{Activation, RowNorm, Weights};
use crate::{Matrix, NumpyRng};

/// Noise on the decoder, in root mean squares of it.
const NOISE: [f64; 4] = [4.0, 2.0, 1.0, 0.5];
/// Shares of latents that are still the reference's.
const LEFT: [f64; 4] = [0.0, 0.25, 0.5, 0.75];
/// Shares of the training, the last one of which is all of it.
const STEPS: [(u32, u32); 6] = [(0, 1), (1, 16), (1, 8), (1, 4), (1, 2), (1, 1)];
/// What all activations are multiplied by.
const FACTOR: f64 = 2.0;
/// Names of what not every autoencoder has.
const REPLACED: &str = "replaced";
const DUPLICATED: &str = "duplicated";
const WIDENED: &str = "widened";
/// Seeds of what is trained beside are so far from the reference's.
const BESIDE: u32 = 1_000;

/// Subjects as they come.
struct Maker {
    clock: Clock,
    preset: Preset,
    place: String,
    made: Vec<Made<Decomposition>>,
}

impl Maker {
    fn of(&self, ground: &Rc<Ground>, weights: Weights) -> Result<Decomposition, MeasurementError> {
        Ok(Decomposition::new(Rc::clone(ground), weights, self.clock)?)
    }

    fn add(&mut self, subject: Subject, it: Decomposition) -> Result<(), MeasurementError> {
        // They are made again where they are measured: all at once would be much to hold.
        let codes = match it.codes.get() {
            Some(codes) => Cow::Borrowed(codes),
            None => Cow::Owned(it.encoded()),
        };
        let known = truth::known(&it.ground, &it.weights, &codes)?;
        let truths = match subject.group {
            Group::Reference | Group::Truth | Group::Control | Group::Variant | Group::Trained => {
                planted::all(&it.ground, &it.weights, &codes, worlds::held(self.preset))?
            }
            // Of no other does a word say whether it follows the truth.
            _ => BTreeMap::new(),
        };
        let width = Some(it.decoder().rows() as f64);
        let (truth, size) = (known.truth, Some(known.size));
        let first = match subject.group {
            Group::Reference => true,
            Group::Control => matches!(&*subject.name, "random" | "permuted"),
            _ => false,
        };
        let it = if first || self.preset == Preset::Full { it.thoroughly() } else { it };
        let place = self.place.clone();
        self.made.push(Made { place, subject, truth, truths, size, width, it });
        Ok(())
    }

    fn plain(
        &mut self,
        subject: Subject,
        ground: &Rc<Ground>,
        weights: Weights,
    ) -> Result<(), MeasurementError> {
        let it = self.of(ground, weights)?;
        self.add(subject, it)
    }
}

/// The autoencoder after each of some numbers of steps, which ascend.
fn trained(
    config: &TrainConfig,
    rows: &Matrix,
    after: &[u32],
) -> Result<Vec<Weights>, MeasurementError> {
    let mut trainer = Trainer::new(config.clone(), rows)?;
    let (mut taken, mut out) = (0, Vec::new());
    for steps in after {
        if *steps > taken {
            trainer.step(steps - taken)?;
            taken = *steps;
        }
        let kept = config.family.has_k().then_some(config.k);
        out.push(Weights::of(trainer.parameters(), kept));
    }
    Ok(out)
}

/// The autoencoder after its training.
fn whole(config: &TrainConfig, rows: &Matrix) -> Result<Weights, MeasurementError> {
    let found = trained(config, rows, &[config.steps])?.pop();
    found.ok_or_else(|| crate::statistics::MetricError::Empty { what: "trainings" }.into())
}

/// The ground of a place, with what is trained beside.
fn grounded(place: &Place, config: &TrainConfig) -> Result<Ground, MeasurementError> {
    let relu = TrainConfig { seed: config.seed + BESIDE, ..relu(config) };
    let small = TrainConfig { seed: config.seed + 2 * BESIDE, ..wide(config, 0.5) };
    let (relu, small) = (whole(&relu, &place.training)?, whole(&small, &place.training)?);
    let beside = Beside::at(relu, small, &place.ground.rows)?;
    Ok(Ground { beside: Some(beside), ..place.ground.clone() })
}

fn relu(config: &TrainConfig) -> TrainConfig {
    let TrainConfig { latents, steps, seed, .. } = *config;
    TrainConfig { latents, steps, seed, batch: config.batch, ..TrainConfig::of(Family::Relu) }
}

/// Autoencoders of further families, in three widths and two sparsities; of the small preset one a family.
fn families(config: &TrainConfig, preset: Preset) -> Vec<(String, TrainConfig)> {
    let of = |family: Family, width: f64, dense: f64| {
        let usual = TrainConfig::of(family);
        let TrainConfig { steps, seed, batch, .. } = *config;
        let (latents, k) = (times(config.latents, width), times(config.k, dense));
        let (prefixes, sparsity) = (Vec::new(), usual.sparsity / dense);
        TrainConfig { latents, k, sparsity, steps, seed, batch, prefixes, ..usual }
    };
    let sizes = [("", 1.0, 1.0), ("-dense", 1.0, 2.0), ("-half", 0.5, 1.0), ("-double", 2.0, 1.0)];
    let few = if preset == Preset::Small { 1 } else { sizes.len() };
    let all = [Family::BatchTopK, Family::Matryoshka, Family::JumpRelu, Family::Relu];
    let each = all.into_iter().flat_map(|family| {
        sizes.into_iter().take(few).map(move |(size, width, dense)| (family, size, width, dense))
    });
    // A variant is that one already.
    let each = each.filter(|(family, size, ..)| *family != Family::Relu || !size.is_empty());
    each.map(|(family, size, width, dense)| {
        (format!("{}{size}", family.name()), of(family, width, dense))
    })
    .collect()
}

/// An autoencoder after its training, with its thresholds.
fn trained_as(config: &TrainConfig, rows: &Matrix) -> Result<Weights, MeasurementError> {
    let mut trainer = Trainer::new(config.clone(), rows)?;
    trainer.step(config.steps)?;
    let kept = (config.family == Family::TopK).then_some(config.k);
    let weights = Weights::of(trainer.parameters(), kept);
    let thresholds = trainer.autoencoder().thresholds();
    Ok(match thresholds {
        Some(of) => {
            let of = of.into_iter().map(f64::from).collect();
            Weights { activation: Activation::JumpRelu(of), ..weights }
        }
        None => weights,
    })
}

fn times(count: usize, factor: f64) -> usize {
    ((count as f64 * factor) as usize).max(1)
}

fn wide(config: &TrainConfig, factor: f64) -> TrainConfig {
    TrainConfig { latents: times(config.latents, factor), ..config.clone() }
}

fn active(config: &TrainConfig, factor: f64) -> TrainConfig {
    TrainConfig { k: times(config.k, factor), ..config.clone() }
}

/// The latent that is active in the most rows; of equal ones the first.
fn most_active(codes: &Matrix) -> usize {
    let mut counts = vec![0_u32; codes.cols()];
    for row in codes.iter_rows() {
        let latents = counts.iter_mut().zip(row).filter(|(_, code)| is_active(**code));
        latents.for_each(|(count, _)| *count += 1);
    }
    let most = counts.iter().copied().max().unwrap_or_default();
    counts.iter().position(|count| *count == most).unwrap_or_default()
}

/// All of a job.
pub(super) fn all(job: Job, clock: Clock) -> Result<Vec<Made<Decomposition>>, MeasurementError> {
    let setting = worlds::drawn(job)?;
    let ground = Rc::new(grounded(&setting.place, &setting.config)?);
    let after = STEPS.map(|(part, of)| setting.config.steps * part / of);
    let steps = trained(&setting.config, &setting.place.training, &after)?;
    let (Some(first), Some(reference)) = (steps.first(), steps.last()) else {
        return Ok(Vec::new());
    };
    let place = worlds::place(job)?;
    let mut maker = Maker { clock, preset: job.preset, place, made: Vec::new() };
    let it = maker.of(&ground, reference.clone())?.of_its_rows();
    let codes = it.encoded();
    maker.add(Subject::of(Group::Reference, "trained"), it)?;
    if let Some(planted) = &ground.truth {
        let (encoder, latents) = (planted.directions.clone(), planted.directions.rows());
        let weights = Weights {
            decoder: encoder.clone(),
            encoder,
            encoder_bias: vec![0.0; latents],
            decoder_bias: vec![0.0; ground.rows.cols()],
            activation: reference.activation.clone(),
            normalisation: RowNorm::None,
            transcodes: None,
        };
        let it = maker.of(&ground, weights)?.with_codes(planted.magnitudes.clone())?;
        maker.add(Subject::of(Group::Truth, "planted"), it.without_encoder())?;
    }
    controls(&mut maker, &setting, &ground, [first, reference])?;
    doses(&mut maker, job.seed, &ground, &steps)?;
    let rows = &setting.place.training;
    for (name, config) in [
        ("half-width", wide(&setting.config, 0.5)),
        ("double-width", wide(&setting.config, 2.0)),
        ("half-active", active(&setting.config, 0.5)),
        ("double-active", active(&setting.config, 2.0)),
        ("relu", relu(&setting.config)),
    ] {
        maker.plain(Subject::of(Group::Variant, name), &ground, whole(&config, rows)?)?;
    }
    for (name, config) in families(&setting.config, job.preset) {
        let weights = trained_as(&config, rows)?;
        maker.plain(Subject::of(Group::Trained, &name), &ground, weights)?;
    }
    same(&mut maker, job.seed, &ground, reference, &codes)?;
    for (count, sample) in (1_u32..).zip(setting.samples) {
        let beside = ground.beside.as_ref().map(|beside| {
            let (relu, small) = (beside.relu.weights.clone(), beside.small.weights.clone());
            Beside::at(relu, small, &sample.rows)
        });
        let sample = Rc::new(Ground { beside: beside.transpose()?, ..sample });
        let it = maker.of(&sample, reference.clone())?.of_its_rows();
        maker.add(Subject::at(Group::Sample, "other-rows", f64::from(count)), it)?;
    }
    for draw in 1..=worlds::again(job.preset) {
        let it = maker.of(&ground, reference.clone())?.of_its_rows().drawn(draw);
        maker.add(Subject::at(Group::Again, "other-seed", f64::from(draw)), it)?;
    }
    let most = most_active(&codes);
    for (name, weights) in [
        ("dead", change::dead(reference)),
        ("dense", change::dense(reference, &ground.rows)),
        ("one", change::alone(reference, &[most as u32])),
        ("copies", change::copies(reference, most)),
    ] {
        maker.plain(Subject::of(Group::Extreme, name), &ground, weights)?;
    }
    Ok(maker.made)
}

/// A control, dose or guise that an autoencoder does not have, and why.
pub(in crate::lab::audit) type NotApplicable = (Subject, &'static str);

/// Somebody's own autoencoder, and what of all that can be made without its training: random directions of which as many
/// are active, its decoder in another order, it before its training where that is given, doses, and it in other guises.
/// Random directions are those of an autoencoder of what is reconstructed, as a comparison has them.
pub(in crate::lab::audit) fn own(
    ground: &Rc<Ground>,
    reference: &Weights,
    untrained: Option<&Weights>,
    clock: Clock,
) -> Result<(Vec<Made<Decomposition>>, Vec<NotApplicable>), MeasurementError> {
    let mut maker = Maker { clock, place: String::new(), preset: Preset::Small, made: Vec::new() };
    let it = maker.of(ground, reference.clone())?.of_its_rows();
    let codes = it.encoded();
    maker.add(Subject::of(Group::Reference, "given"), it)?;
    let active = maker.made.last().and_then(|made| made.size).unwrap_or_default();
    match &ground.targets {
        None => {
            let (rows, _) = reference.normalised(&ground.rows);
            let random = (ground, &reference.normalisation);
            drawn(&mut maker, ground, reference, random, &column_means(&rows), Some(active))?;
        }
        Some(targets) => {
            let outputs = Ground { rows: targets.clone(), targets: None, ..Ground::clone(ground) };
            let random = (&Rc::new(outputs), &RowNorm::None);
            drawn(&mut maker, ground, reference, random, &column_means(targets), Some(active))?;
        }
    }
    if let Some(untrained) = untrained {
        maker.plain(Subject::of(Group::Control, "untrained"), ground, untrained.clone())?;
    }
    spoilt(&mut maker, ground.seed, ground, reference, active)?;
    same(&mut maker, ground.seed, ground, reference, &codes)?;
    let without = [
        (Group::Dose, REPLACED, replaceable(reference)),
        (Group::Same, DUPLICATED, duplicable(reference)),
        (Group::Same, WIDENED, widenable(reference)),
    ];
    let without = without.into_iter();
    let without =
        without.filter_map(|(group, name, of)| Some((Subject::of(group, name), of.err()?)));
    Ok((maker.made, without.collect()))
}

/// Whether a latent can have another direction, in the encoder as in the decoder.
fn replaceable(of: &Weights) -> Result<(), &'static str> {
    match of.transcodes {
        None => Ok(()),
        Some(_) => Err(
            "a transcoder's latent reads one space and writes to another, so that no one direction replaces both",
        ),
    }
}

/// Whether a latent that is there twice, with half of its direction each, leaves the reconstruction as it is.
fn duplicable(of: &Weights) -> Result<(), &'static str> {
    match of.activation {
        Activation::GroupMax(_) => Err("of two latents that are equal a group keeps one"),
        Activation::MatchingPursuit(_) => Err("of two latents that are equal a pursuit takes one"),
        _ => Ok(()),
    }
}

/// Whether there can be more latents that are never active.
fn widenable(of: &Weights) -> Result<(), &'static str> {
    match of.activation {
        Activation::MatchingPursuit(_) => Err(
            "a pursuit takes whichever direction is nearest, so that more of them change its codes",
        ),
        _ => Ok(()),
    }
}

/// The threshold of all latents (F × D directions about a middle) at which as many of them are active in a row (N × D, as
/// they are encoded) as is said, in the mean: halfway between the last code that is active and the first that is not, or 0
/// where fewer codes are positive.
fn threshold(directions: &Matrix, middle: &[f64], rows: &Matrix, active: f64) -> f64 {
    let mut centred = rows.clone();
    for row in centred.data_mut().chunks_exact_mut(middle.len().max(1)) {
        row.iter_mut().zip(middle).for_each(|(value, middle)| *value -= middle);
    }
    let mut codes = product(&centred, &directions.transposed()).data().to_vec();
    let last = ((active * rows.rows() as f64 + 0.5) as usize).max(1);
    if last >= codes.len() {
        return 0.0;
    }
    let (above, next, _) = codes.select_nth_unstable_by(last, |a, b| b.total_cmp(a));
    let least = above.iter().copied().fold(f64::INFINITY, f64::min);
    (0.5 * (least + *next)).max(0.0)
}

/// What ought to lose.
fn controls(
    maker: &mut Maker,
    setting: &Setting,
    ground: &Rc<Ground>,
    [first, reference]: [&Weights; 2],
) -> Result<(), MeasurementError> {
    // Where every training begins: the rows' mean.
    let random = (ground, &reference.normalisation);
    drawn(maker, ground, reference, random, &first.decoder_bias, None)?;
    let control = |name: &str| Subject::of(Group::Control, name);
    maker.plain(control("untrained"), ground, first.clone())?;
    let other = Rc::new(grounded(&setting.structureless, &setting.config)?);
    let weights = whole(&setting.config, &setting.structureless.training)?;
    let it = maker.of(&other, weights)?.of_its_rows();
    maker.add(control("structureless"), it)?;
    of_literature(maker, setting, ground)
}

/// What ought to lose by the literature's own comparisons: principal components, clusters, a decoder that stays random.
fn of_literature(
    maker: &mut Maker,
    setting: &Setting,
    ground: &Rc<Ground>,
) -> Result<(), MeasurementError> {
    let control = |name: &str| Subject::of(Group::Control, name);
    let (config, rows) = (&setting.config, &setting.place.training);
    let components = baselines::components(rows, config.latents, config.k)?;
    maker.plain(control(PCA), ground, components)?;
    let clusters = Clusters::of(rows, config.latents, &mut NumpyRng::new(2_000 + ground.seed));
    let it = maker.of(ground, clusters.weights())?.with_codes(clusters.codes(&ground.rows))?;
    maker.add(control(K_MEANS), it.without_encoder())?;
    maker.plain(control(FROZEN_DECODER), ground, baselines::frozen_decoder(config, rows)?)
}

/// What ought to lose and takes no training: random directions about a middle, as active as the reference, and the
/// reference's decoder in another order. Random directions are measured at a ground of their own, whose rows are normalised
/// as is said.
///
/// Where it is said how many of the reference's latents are active in a row, in the mean, so many are kept of each row: the
/// largest of those above 0, as a comparison's random directions have them. Else codes are made by the reference's rule.
fn drawn(
    maker: &mut Maker,
    ground: &Rc<Ground>,
    reference: &Weights,
    (outputs, normalisation): (&Rc<Ground>, &RowNorm),
    middle: &[f64],
    active: Option<f64>,
) -> Result<(), MeasurementError> {
    let control = |name: &str| Subject::of(Group::Control, name);
    let mut rng = NumpyRng::new(1_000 + ground.seed);
    let (latents, width) = reference.decoder.shape();
    let directions = random_unit_vectors(&mut rng, latents, width);
    let activation = match active {
        Some(active) => Activation::TopK(((active + 0.5) as usize).clamp(1, latents.max(1))),
        None => reference.activation.clone(),
    };
    let random = Weights {
        encoder: directions.clone(),
        encoder_bias: vec![0.0; latents],
        decoder: directions,
        decoder_bias: middle.to_vec(),
        activation,
        normalisation: normalisation.clone(),
        transcodes: None,
    };
    maker.plain(control("random"), outputs, random)?;
    let order = rng.permutation(latents as u32);
    maker.plain(control("permuted"), ground, change::permuted(reference, &order))
}

/// From spoilt to the reference.
fn doses(
    maker: &mut Maker,
    seed: u32,
    ground: &Rc<Ground>,
    steps: &[Weights],
) -> Result<(), MeasurementError> {
    let dose = |name: &str, level: f64| Subject::at(Group::Dose, name, level);
    let Some((reference, before)) = steps.split_last() else { return Ok(()) };
    for ((part, of), weights) in STEPS.into_iter().zip(before) {
        let level = f64::from(part) / f64::from(of);
        maker.plain(dose("steps", level), ground, weights.clone())?;
    }
    spoilt(maker, seed, ground, reference, 0.0)
}

/// The reference, of which so many latents are active in a row in the mean, with noise on its decoder, and with some of
/// its latents replaced. Where there are thresholds or gates, as many are active once all latents are.
fn spoilt(
    maker: &mut Maker,
    seed: u32,
    ground: &Rc<Ground>,
    reference: &Weights,
    active: f64,
) -> Result<(), MeasurementError> {
    let dose = |name: &str, level: f64| Subject::at(Group::Dose, name, level);
    for sigma in NOISE {
        // The same noise, more of it.
        let mut rng = NumpyRng::new(7_000 + seed);
        let weights = change::noisy(reference, sigma, &mut rng);
        maker.plain(dose("noise", 1.0 / (1.0 + sigma)), ground, weights)?;
    }
    if replaceable(reference).is_err() {
        return Ok(());
    }
    let mut rng = NumpyRng::new(8_000 + seed);
    let (latents, width) = reference.decoder.shape();
    let directions = random_unit_vectors(&mut rng, latents, width);
    let order = rng.permutation(latents as u32);
    let least = match reference.activation {
        Activation::Relu
        | Activation::TopK(_)
        | Activation::RankedTopK { .. }
        | Activation::AbsTopK(_)
        | Activation::MatchingPursuit(_)
        | Activation::GroupMax(_) => 0.0,
        Activation::JumpRelu(_) | Activation::Gated { .. } => {
            let (rows, _) = reference.normalised(&ground.rows);
            threshold(&directions, &reference.decoder_bias, &rows, active)
        }
    };
    for left in LEFT {
        let gone: Vec<u32> =
            order.iter().take(latents - times_or_none(latents, left)).copied().collect();
        let weights = change::replaced(reference, &gone, &directions, least);
        maker.plain(dose(REPLACED, left), ground, weights)?;
    }
    Ok(())
}

fn times_or_none(count: usize, factor: f64) -> usize {
    (count as f64 * factor) as usize
}

/// The reference in another guise.
fn same(
    maker: &mut Maker,
    seed: u32,
    ground: &Rc<Ground>,
    reference: &Weights,
    codes: &Matrix,
) -> Result<(), MeasurementError> {
    let same = |name: &str| Subject::of(Group::Same, name);
    let mut rng = NumpyRng::new(9_000 + seed);
    let (latents, width) = reference.decoder.shape();
    let order = rng.permutation(latents as u32);
    maker.plain(same("reordered"), ground, change::reordered(reference, &order))?;
    let scaled = Rc::new(ground.scaled(FACTOR)?);
    maker.plain(same("scaled"), &scaled, change::scaled(reference, FACTOR))?;
    let most = most_active(codes);
    if duplicable(reference).is_ok() {
        let it = maker.of(ground, change::duplicated(reference, most))?;
        let it = it.with_codes(change::duplicated_codes(codes, most))?;
        maker.add(same(DUPLICATED), it)?;
    }
    let more = random_unit_vectors(&mut rng, latents, width);
    if widenable(reference).is_ok() {
        maker.plain(same(WIDENED), ground, change::widened(reference, &more))?;
    }
    maker.plain(same("fewer-rows"), &Rc::new(ground.half()?), reference.clone())?;
    let mut turned = |width: usize| -> Result<Matrix, MeasurementError> {
        Ok(RowSpace::of(&Matrix::standard_normal(&mut rng, width, width))?.basis().clone())
    };
    let basis = turned(reference.encoder.cols())?;
    let (mut rotated, mut weights) = (ground.rotated(&basis)?, change::rotated(reference, &basis));
    if let Some(targets) = &ground.targets {
        let basis = turned(width)?;
        rotated.targets = Some(product(targets, &basis.transposed()));
        weights = change::rotated_outputs(&weights, &basis);
    }
    maker.plain(same("rotated"), &Rc::new(rotated), weights)
}
