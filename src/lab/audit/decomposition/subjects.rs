//! What an autoencoder is held against, on the same rows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::baselines::{self, Clusters};
use super::ground_truth::{ComparisonModels, GroundTruth};
use super::worlds::{self, DataSplit, JobData};
use super::{Decomposition, planted, transforms, truth};
use crate::lab::audit::subject::{FROZEN_DECODER, K_MEANS, PCA};
use crate::lab::audit::{Clock, Group, Job, PreparedSubject, Preset, Subject};
use crate::linalg::{column_means, product};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::validation::features::random_unit_vectors;
use crate::papers::sfc::metric::completeness::RowSpace;
use crate::sae::activity::is_active;
use crate::sae::train::{Family, TrainConfig, Trainer};
use crate::sae::{Activation, RowNorm, Weights};
use crate::{Matrix, NumpyRng};

/// Noise on the decoder, in root mean squares of it.
const NOISE_LEVELS: [f64; 4] = [4.0, 2.0, 1.0, 0.5];
/// Shares of latents that are still the reference's.
const KEPT_SHARES: [f64; 4] = [0.0, 0.25, 0.5, 0.75];
/// Shares of the training, the last one of which is all of it.
const TRAINING_SHARES: [(u32, u32); 6] = [(0, 1), (1, 16), (1, 8), (1, 4), (1, 2), (1, 1)];
/// What all activations are multiplied by.
const SCALE_FACTOR: f64 = 2.0;
/// Names of what not every autoencoder has.
const REPLACED_LATENTS: &str = "replaced";
const DUPLICATED_LATENT: &str = "duplicated";
const WIDENED_DICTIONARY: &str = "widened";
/// Seeds of what is trained beside are so far from the reference's.
const COMPARISON_SEED_STRIDE: u32 = 1_000;

/// Subjects as they come.
struct SubjectBuilder {
    clock: Clock,
    preset: Preset,
    place: String,
    made: Vec<PreparedSubject<Decomposition>>,
}

impl SubjectBuilder {
    fn make_decomposition(
        &self,
        ground: &Rc<GroundTruth>,
        weights: Weights,
    ) -> Result<Decomposition, MeasurementError> {
        Ok(Decomposition::new(Rc::clone(ground), weights, self.clock)?)
    }

    fn add_subject(&mut self, subject: Subject, it: Decomposition) -> Result<(), MeasurementError> {
        // They are made again where they are measured: all at once would be much to hold.
        let codes = match it.codes.get() {
            Some(codes) => Cow::Borrowed(codes),
            None => Cow::Owned(it.encode_rows()),
        };
        let known = truth::truth_and_size(&it.ground, &it.weights, &codes)?;
        let truths = match subject.group {
            Group::Reference | Group::Truth | Group::Control | Group::Variant | Group::Trained => {
                planted::planted_truths(&it.ground, &it.weights, &codes, worlds::held_out_text_count(self.preset))?
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
        let it = if first || self.preset == Preset::Full { it.with_costly_metrics() } else { it };
        let place = self.place.clone();
        self.made.push(PreparedSubject { place, subject, truth, truths, size, width, data: it });
        Ok(())
    }

    fn add_weights(
        &mut self,
        subject: Subject,
        ground: &Rc<GroundTruth>,
        weights: Weights,
    ) -> Result<(), MeasurementError> {
        let it = self.make_decomposition(ground, weights)?;
        self.add_subject(subject, it)
    }
}

/// The autoencoder after each of some numbers of steps, which ascend.
fn train_checkpoints(config: &TrainConfig, rows: &Matrix, after: &[u32]) -> Result<Vec<Weights>, MeasurementError> {
    let mut trainer = Trainer::new(config.clone(), rows)?;
    let (mut taken, mut out) = (0, Vec::new());
    for steps in after {
        if *steps > taken {
            trainer.step(steps - taken)?;
            taken = *steps;
        }
        let kept = config.family.has_k().then_some(config.k);
        out.push(Weights::from_parameters(trainer.parameters(), kept));
    }
    Ok(out)
}

/// The autoencoder after its training.
fn train_to_end(config: &TrainConfig, rows: &Matrix) -> Result<Weights, MeasurementError> {
    let found = train_checkpoints(config, rows, &[config.steps])?.pop();
    found.ok_or_else(|| crate::statistics::MetricError::Empty { what: "trainings" }.into())
}

/// The ground of a place, with what is trained beside.
fn with_comparison_models(place: &DataSplit, config: &TrainConfig) -> Result<GroundTruth, MeasurementError> {
    let relu = TrainConfig { seed: config.seed + COMPARISON_SEED_STRIDE, ..relu_config(config) };
    let small = TrainConfig { seed: config.seed + 2 * COMPARISON_SEED_STRIDE, ..scale_width(config, 0.5) };
    let (relu, small) = (train_to_end(&relu, &place.training_rows)?, train_to_end(&small, &place.training_rows)?);
    let beside = ComparisonModels::encode(relu, small, &place.ground_truth.rows)?;
    Ok(GroundTruth { comparison_models: Some(beside), ..place.ground_truth.clone() })
}

fn relu_config(config: &TrainConfig) -> TrainConfig {
    let TrainConfig { latents, steps, seed, .. } = *config;
    TrainConfig { latents, steps, seed, batch: config.batch, ..TrainConfig::for_family(Family::Relu) }
}

/// Autoencoders of further families, in three widths and two sparsities; of the small preset one a family.
fn variant_configs(config: &TrainConfig, preset: Preset) -> Vec<(String, TrainConfig)> {
    let of = |family: Family, width: f64, dense: f64| {
        let usual = TrainConfig::for_family(family);
        let TrainConfig { steps, seed, batch, .. } = *config;
        let (latents, k) = (scale_count(config.latents, width), scale_count(config.k, dense));
        let (prefixes, sparsity) = (Vec::new(), usual.sparsity / dense);
        TrainConfig { latents, k, sparsity, steps, seed, batch, prefixes, ..usual }
    };
    let sizes = [("", 1.0, 1.0), ("-dense", 1.0, 2.0), ("-half", 0.5, 1.0), ("-double", 2.0, 1.0)];
    let few = if preset == Preset::Small { 1 } else { sizes.len() };
    let all = [Family::BatchTopK, Family::Matryoshka, Family::JumpRelu, Family::Relu];
    let each = all
        .into_iter()
        .flat_map(|family| sizes.into_iter().take(few).map(move |(size, width, dense)| (family, size, width, dense)));
    // A variant is that one already.
    let each = each.filter(|(family, size, ..)| *family != Family::Relu || !size.is_empty());
    each.map(|(family, size, width, dense)| (format!("{}{size}", family.name()), of(family, width, dense))).collect()
}

/// An autoencoder after its training, with its thresholds.
fn train_with_thresholds(config: &TrainConfig, rows: &Matrix) -> Result<Weights, MeasurementError> {
    let mut trainer = Trainer::new(config.clone(), rows)?;
    trainer.step(config.steps)?;
    let kept = (config.family == Family::TopK).then_some(config.k);
    let weights = Weights::from_parameters(trainer.parameters(), kept);
    let thresholds = trainer.autoencoder().thresholds();
    Ok(match thresholds {
        Some(of) => {
            let of = of.into_iter().map(f64::from).collect();
            Weights { activation: Activation::JumpRelu(of), ..weights }
        }
        None => weights,
    })
}

fn scale_count(count: usize, factor: f64) -> usize {
    ((count as f64 * factor) as usize).max(1)
}

fn scale_width(config: &TrainConfig, factor: f64) -> TrainConfig {
    TrainConfig { latents: scale_count(config.latents, factor), ..config.clone() }
}

fn scale_k(config: &TrainConfig, factor: f64) -> TrainConfig {
    TrainConfig { k: scale_count(config.k, factor), ..config.clone() }
}

/// The latent that is active in the most rows; of equal ones the first.
fn most_active_latent(codes: &Matrix) -> usize {
    let mut counts = vec![0_u32; codes.cols()];
    for row in codes.iter_rows() {
        let latents = counts.iter_mut().zip(row).filter(|(_, code)| is_active(**code));
        latents.for_each(|(count, _)| *count += 1);
    }
    let most = counts.iter().copied().max().unwrap_or_default();
    counts.iter().position(|count| *count == most).unwrap_or_default()
}

/// All of a job.
pub(super) fn build_subjects(job: Job, clock: Clock) -> Result<Vec<PreparedSubject<Decomposition>>, MeasurementError> {
    let setting = worlds::sample_job_data(job)?;
    let ground = Rc::new(with_comparison_models(&setting.world_data, &setting.config)?);
    let after = TRAINING_SHARES.map(|(part, of)| setting.config.steps * part / of);
    let steps = train_checkpoints(&setting.config, &setting.world_data.training_rows, &after)?;
    let (Some(first), Some(reference)) = (steps.first(), steps.last()) else {
        return Ok(Vec::new());
    };
    let place = worlds::model_name(job)?;
    let mut maker = SubjectBuilder { clock, preset: job.preset, place, made: Vec::new() };
    let it = maker.make_decomposition(&ground, reference.clone())?.with_row_metrics();
    let codes = it.encode_rows();
    maker.add_subject(Subject::new(Group::Reference, "trained"), it)?;
    if let Some(planted) = &ground.planted_features {
        let (encoder, latents) = (planted.directions.clone(), planted.directions.rows());
        let weights = Weights {
            decoder: encoder.clone(),
            encoder,
            encoder_bias: vec![0.0; latents],
            decoder_bias: vec![0.0; ground.rows.cols()],
            activation: reference.activation.clone(),
            normalisation: RowNorm::None,
            transcoder: None,
        };
        let it = maker.make_decomposition(&ground, weights)?.with_codes(planted.magnitudes.clone())?;
        maker.add_subject(Subject::new(Group::Truth, "planted"), it.without_encoder())?;
    }
    add_controls(&mut maker, &setting, &ground, [first, reference])?;
    add_doses(&mut maker, job.seed, &ground, &steps)?;
    let rows = &setting.world_data.training_rows;
    for (name, config) in [
        ("half-width", scale_width(&setting.config, 0.5)),
        ("double-width", scale_width(&setting.config, 2.0)),
        ("half-active", scale_k(&setting.config, 0.5)),
        ("double-active", scale_k(&setting.config, 2.0)),
        ("relu", relu_config(&setting.config)),
    ] {
        maker.add_weights(Subject::new(Group::Variant, name), &ground, train_to_end(&config, rows)?)?;
    }
    for (name, config) in variant_configs(&setting.config, job.preset) {
        let weights = train_with_thresholds(&config, rows)?;
        maker.add_weights(Subject::new(Group::Trained, &name), &ground, weights)?;
    }
    add_invariance_subjects(&mut maker, job.seed, &ground, reference, &codes)?;
    for (count, sample) in (1_u32..).zip(setting.samples) {
        let beside = ground.comparison_models.as_ref().map(|beside| {
            let (relu, small) = (beside.relu.weights.clone(), beside.small.weights.clone());
            ComparisonModels::encode(relu, small, &sample.rows)
        });
        let sample = Rc::new(GroundTruth { comparison_models: beside.transpose()?, ..sample });
        let it = maker.make_decomposition(&sample, reference.clone())?.with_row_metrics();
        maker.add_subject(Subject::with_level(Group::Sample, "other-rows", f64::from(count)), it)?;
    }
    for draw in 1..=worlds::repeat_count(job.preset) {
        let it = maker.make_decomposition(&ground, reference.clone())?.with_row_metrics().with_draw_seed(draw);
        maker.add_subject(Subject::with_level(Group::Again, "other-seed", f64::from(draw)), it)?;
    }
    let most = most_active_latent(&codes);
    for (name, weights) in [
        ("dead", transforms::silence_all(reference)),
        ("dense", transforms::activate_all(reference, &ground.rows)),
        ("one", transforms::keep_latents(reference, &[most as u32])),
        ("copies", transforms::repeat_latent(reference, most)),
    ] {
        maker.add_weights(Subject::new(Group::Extreme, name), &ground, weights)?;
    }
    Ok(maker.made)
}

/// A control, dose or guise that an autoencoder does not have, and why.
pub(in crate::lab::audit) type NotApplicableSubject = (Subject, &'static str);

/// Somebody's own autoencoder, and what of all that can be made without its training: random directions of which as many
/// are active, its decoder in another order, it before its training where that is given, doses, and it in other guises.
/// Random directions are those of an autoencoder of what is reconstructed, as a comparison has them.
pub(in crate::lab::audit) fn build_user_subjects(
    ground: &Rc<GroundTruth>,
    reference: &Weights,
    untrained: Option<&Weights>,
    clock: Clock,
) -> Result<(Vec<PreparedSubject<Decomposition>>, Vec<NotApplicableSubject>), MeasurementError> {
    let mut maker = SubjectBuilder { clock, place: String::new(), preset: Preset::Small, made: Vec::new() };
    let it = maker.make_decomposition(ground, reference.clone())?.with_row_metrics();
    let codes = it.encode_rows();
    maker.add_subject(Subject::new(Group::Reference, "given"), it)?;
    let active = maker.made.last().and_then(|made| made.size).unwrap_or_default();
    match &ground.targets {
        None => {
            let (rows, _) = reference.normalise_rows(&ground.rows);
            let random = (ground, &reference.normalisation);
            add_untrained_controls(&mut maker, ground, reference, random, &column_means(&rows), Some(active))?;
        }
        Some(targets) => {
            let outputs = GroundTruth { rows: targets.clone(), targets: None, ..GroundTruth::clone(ground) };
            let random = (&Rc::new(outputs), &RowNorm::None);
            add_untrained_controls(&mut maker, ground, reference, random, &column_means(targets), Some(active))?;
        }
    }
    if let Some(untrained) = untrained {
        maker.add_weights(Subject::new(Group::Control, "untrained"), ground, untrained.clone())?;
    }
    add_degraded_subjects(&mut maker, ground.seed, ground, reference, active)?;
    add_invariance_subjects(&mut maker, ground.seed, ground, reference, &codes)?;
    let without = [
        (Group::Dose, REPLACED_LATENTS, check_replaceable(reference)),
        (Group::Same, DUPLICATED_LATENT, check_duplicable(reference)),
        (Group::Same, WIDENED_DICTIONARY, check_widenable(reference)),
    ];
    let without = without.into_iter();
    let without = without.filter_map(|(group, name, of)| Some((Subject::new(group, name), of.err()?)));
    Ok((maker.made, without.collect()))
}

/// Whether a latent can have another direction, in the encoder as in the decoder.
fn check_replaceable(of: &Weights) -> Result<(), &'static str> {
    match of.transcoder {
        None => Ok(()),
        Some(_) => {
            Err("a transcoder's latent reads one space and writes to another, so that no one direction replaces both")
        }
    }
}

/// Whether a latent that is there twice, with half of its direction each, leaves the reconstruction as it is.
fn check_duplicable(of: &Weights) -> Result<(), &'static str> {
    match of.activation {
        Activation::GroupMax(_) => Err("of two latents that are equal a group keeps one"),
        Activation::MatchingPursuit(_) => Err("of two latents that are equal a pursuit takes one"),
        _ => Ok(()),
    }
}

/// Whether there can be more latents that are never active.
fn check_widenable(of: &Weights) -> Result<(), &'static str> {
    match of.activation {
        Activation::MatchingPursuit(_) => {
            Err("a pursuit takes whichever direction is nearest, so that more of them change its codes")
        }
        _ => Ok(()),
    }
}

/// The threshold of all latents (F × D directions about a middle) at which as many of them are active in a row (N × D, as
/// they are encoded) as is said, in the mean: halfway between the last code that is active and the first that is not, or 0
/// where fewer codes are positive.
fn matching_threshold(directions: &Matrix, middle: &[f64], rows: &Matrix, active: f64) -> f64 {
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
fn add_controls(
    maker: &mut SubjectBuilder,
    setting: &JobData,
    ground: &Rc<GroundTruth>,
    [first, reference]: [&Weights; 2],
) -> Result<(), MeasurementError> {
    // Where every training begins: the rows' mean.
    let random = (ground, &reference.normalisation);
    add_untrained_controls(maker, ground, reference, random, &first.decoder_bias, None)?;
    let control = |name: &str| Subject::new(Group::Control, name);
    maker.add_weights(control("untrained"), ground, first.clone())?;
    let other = Rc::new(with_comparison_models(&setting.structureless, &setting.config)?);
    let weights = train_to_end(&setting.config, &setting.structureless.training_rows)?;
    let it = maker.make_decomposition(&other, weights)?.with_row_metrics();
    maker.add_subject(control("structureless"), it)?;
    add_literature_baselines(maker, setting, ground)
}

/// What ought to lose by the literature's own comparisons: principal components, clusters, a decoder that stays random.
fn add_literature_baselines(
    maker: &mut SubjectBuilder,
    setting: &JobData,
    ground: &Rc<GroundTruth>,
) -> Result<(), MeasurementError> {
    let control = |name: &str| Subject::new(Group::Control, name);
    let (config, rows) = (&setting.config, &setting.world_data.training_rows);
    let components = baselines::pca_dictionary(rows, config.latents, config.k)?;
    maker.add_weights(control(PCA), ground, components)?;
    let clusters = Clusters::fit(rows, config.latents, &mut NumpyRng::new(2_000 + ground.seed));
    let it = maker.make_decomposition(ground, clusters.to_weights())?.with_codes(clusters.encode(&ground.rows))?;
    maker.add_subject(control(K_MEANS), it.without_encoder())?;
    maker.add_weights(control(FROZEN_DECODER), ground, baselines::train_frozen_decoder(config, rows)?)
}

/// What ought to lose and takes no training: random directions about a middle, as active as the reference, and the
/// reference's decoder in another order. Random directions are measured at a ground of their own, whose rows are normalised
/// as is said.
///
/// Where it is said how many of the reference's latents are active in a row, in the mean, so many are kept of each row: the
/// largest of those above 0, as a comparison's random directions have them. Else codes are made by the reference's rule.
fn add_untrained_controls(
    maker: &mut SubjectBuilder,
    ground: &Rc<GroundTruth>,
    reference: &Weights,
    (outputs, normalisation): (&Rc<GroundTruth>, &RowNorm),
    middle: &[f64],
    active: Option<f64>,
) -> Result<(), MeasurementError> {
    let control = |name: &str| Subject::new(Group::Control, name);
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
        transcoder: None,
    };
    maker.add_weights(control("random"), outputs, random)?;
    let order = rng.permutation(latents as u32);
    maker.add_weights(control("permuted"), ground, transforms::permute_decoder(reference, &order))
}

/// From spoilt to the reference.
fn add_doses(
    maker: &mut SubjectBuilder,
    seed: u32,
    ground: &Rc<GroundTruth>,
    steps: &[Weights],
) -> Result<(), MeasurementError> {
    let dose = |name: &str, level: f64| Subject::with_level(Group::Dose, name, level);
    let Some((reference, before)) = steps.split_last() else { return Ok(()) };
    for ((part, of), weights) in TRAINING_SHARES.into_iter().zip(before) {
        let level = f64::from(part) / f64::from(of);
        maker.add_weights(dose("steps", level), ground, weights.clone())?;
    }
    add_degraded_subjects(maker, seed, ground, reference, 0.0)
}

/// The reference, of which so many latents are active in a row in the mean, with noise on its decoder, and with some of
/// its latents replaced. Where there are thresholds or gates, as many are active once all latents are.
fn add_degraded_subjects(
    maker: &mut SubjectBuilder,
    seed: u32,
    ground: &Rc<GroundTruth>,
    reference: &Weights,
    active: f64,
) -> Result<(), MeasurementError> {
    let dose = |name: &str, level: f64| Subject::with_level(Group::Dose, name, level);
    for sigma in NOISE_LEVELS {
        // The same noise, more of it.
        let mut rng = NumpyRng::new(7_000 + seed);
        let weights = transforms::add_decoder_noise(reference, sigma, &mut rng);
        maker.add_weights(dose("noise", 1.0 / (1.0 + sigma)), ground, weights)?;
    }
    if check_replaceable(reference).is_err() {
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
            let (rows, _) = reference.normalise_rows(&ground.rows);
            matching_threshold(&directions, &reference.decoder_bias, &rows, active)
        }
    };
    for left in KEPT_SHARES {
        let gone: Vec<u32> = order.iter().take(latents - scale_count_to_zero(latents, left)).copied().collect();
        let weights = transforms::replace_directions(reference, &gone, &directions, least);
        maker.add_weights(dose(REPLACED_LATENTS, left), ground, weights)?;
    }
    Ok(())
}

fn scale_count_to_zero(count: usize, factor: f64) -> usize {
    (count as f64 * factor) as usize
}

/// The reference in another guise.
fn add_invariance_subjects(
    maker: &mut SubjectBuilder,
    seed: u32,
    ground: &Rc<GroundTruth>,
    reference: &Weights,
    codes: &Matrix,
) -> Result<(), MeasurementError> {
    let same = |name: &str| Subject::new(Group::Same, name);
    let mut rng = NumpyRng::new(9_000 + seed);
    let (latents, width) = reference.decoder.shape();
    let order = rng.permutation(latents as u32);
    maker.add_weights(same("reordered"), ground, transforms::reorder_latents(reference, &order))?;
    let scaled = Rc::new(ground.scale_rows(SCALE_FACTOR)?);
    maker.add_weights(same("scaled"), &scaled, transforms::scale_inputs(reference, SCALE_FACTOR))?;
    let most = most_active_latent(codes);
    if check_duplicable(reference).is_ok() {
        let it = maker.make_decomposition(ground, transforms::duplicate_latent(reference, most))?;
        let it = it.with_codes(transforms::duplicate_code_column(codes, most))?;
        maker.add_subject(same(DUPLICATED_LATENT), it)?;
    }
    let more = random_unit_vectors(&mut rng, latents, width);
    if check_widenable(reference).is_ok() {
        maker.add_weights(same(WIDENED_DICTIONARY), ground, transforms::add_inactive_latents(reference, &more))?;
    }
    maker.add_weights(same("fewer-rows"), &Rc::new(ground.first_half()?), reference.clone())?;
    let mut turned = |width: usize| -> Result<Matrix, MeasurementError> {
        Ok(RowSpace::from_dictionary(&Matrix::standard_normal(&mut rng, width, width))?.basis().clone())
    };
    let basis = turned(reference.encoder.cols())?;
    let (mut rotated, mut weights) = (ground.rotate_rows(&basis)?, transforms::rotate_inputs(reference, &basis));
    if let Some(targets) = &ground.targets {
        let basis = turned(width)?;
        rotated.targets = Some(product(targets, &basis.transposed()));
        weights = transforms::rotate_outputs(&weights, &basis);
    }
    maker.add_weights(same("rotated"), &Rc::new(rotated), weights)
}
