//! The toy model: its autoencoders, its layers and its tasks, with what ought to lose beside them.

use std::sync::Arc;

use super::circuits::{
    add_audit, add_dif, add_noise_audit, add_reproducibility, constant_curve_cpr, draw_heads, random_halves,
};
use super::{DecompositionMetrics, MeasurementRecord, RecordCollector, Subject, Testbed, UNTRAINED_CHECKPOINT};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{CircuitEvaluator, group_logit_differences};
use crate::papers::measurement::metric::core_stability::CycleSettings;
use crate::papers::measurement::metric::safety_sve::{STABILITY_RUNS, safety_sve};
use crate::papers::measurement::metric::superposition::superposition;
use crate::papers::measurement::metric::{
    Reading, architecture_duality, effect_lookup, head_edges, matryoshka, nla_sae, polysemanticity, weight_lens,
};
use crate::papers::measurement::planted::{FaithfulnessCurve, FaithfulnessCurves};
use crate::papers::measurement::toy_model::{
    Contrast, DIRECTIONS_MAX, EncodedDictionary as Coded, MISMATCH_THRESHOLD_DEFAULT, ResidualStream,
    TEXTS_SEED_AND_COUNT, m14,
};
use crate::sae::train::{Family, TrainConfig, Trainer};
use crate::synthetic::Head;
use crate::synthetic::language::{Task, draw_texts};
use crate::toy_model::residual_stream::residual_stream_after;
use crate::toy_model::task::test_prompts;
use crate::toy_model::{self, AUTOENCODER_LAYER, Dictionary, FINAL_CHECKPOINT};
use crate::{Matrix, NumpyRng};

/// M07 holds autoencoders against this one, and M11 this one's features against theirs.
const COMPARISON_DICTIONARIES: (&str, &str) = ("relu256", "topk128");
/// Steps after which an autoencoder counts as half trained; the shipped ones had ten times as many.
const HALF_TRAINED_STEPS: u32 = 150;

/// The shipped ones.
pub(super) fn measure_autoencoders() -> Result<Vec<MeasurementRecord>, MeasurementError> {
    let mut lines = RecordCollector::new(Testbed::Language);
    let stream = ResidualStream::for_final_checkpoint()?;
    let beside = ComparisonDictionaries::load(&stream)?;
    for (subject, name) in
        [(Subject::Trained, "topk256"), (Subject::Random, "random256"), (Subject::Permuted, "topk256_permdec")]
    {
        add_subject(&mut lines, subject, &stream, &stream.encode_by_name(name)?, &beside)?;
    }
    Ok(lines.lines)
}

struct ComparisonDictionaries {
    relu: Coded,
    small: Coded,
}

impl ComparisonDictionaries {
    fn load(stream: &ResidualStream) -> Result<Self, MeasurementError> {
        Ok(Self {
            relu: stream.encode_by_name(COMPARISON_DICTIONARIES.0)?,
            small: stream.encode_by_name(COMPARISON_DICTIONARIES.1)?,
        })
    }
}

fn add_subject(
    lines: &mut RecordCollector,
    subject: Subject,
    stream: &ResidualStream,
    coded: &Coded,
    beside: &ComparisonDictionaries,
) -> Result<(), MeasurementError> {
    let m10 = |reading| {
        let settings = polysemanticity::Settings { reading, ..polysemanticity::Settings::default() };
        stream.m10(coded, &settings)
    };
    let found = DecompositionMetrics {
        m07: stream.m07(coded, &beside.relu, &architecture_duality::Settings::default())?,
        m08: stream.m08(coded, weight_lens::TOP_K)?,
        m10: [m10(Reading::Document)?, m10(Reading::Code)?],
        m11: stream.m11(&beside.small, coded, matryoshka::TOP_K)?,
        m12: stream.m12(coded, MISMATCH_THRESHOLD_DEFAULT)?.found,
        ex34: stream.ex34(coded, nla_sae::TOP_K, DIRECTIONS_MAX)?,
    };
    lines.add_decomposition_metrics(subject, &found);
    Ok(())
}

/// What is trained here from a seed.
pub(super) fn measure_partly_trained(seed: u32) -> Result<Vec<MeasurementRecord>, MeasurementError> {
    let mut lines = RecordCollector::new(Testbed::Language);
    let stream = ResidualStream::for_final_checkpoint()?;
    let beside = ComparisonDictionaries::load(&stream)?;
    let config = TrainConfig { steps: 10 * HALF_TRAINED_STEPS, seed, ..TrainConfig::for_family(Family::TopK) };
    let (rows, scale) = stream.training_rows()?;
    let mut trainer = Trainer::new(config, &rows)?;
    for (subject, steps) in [(Subject::Untrained, 0), (Subject::HalfTrained, HALF_TRAINED_STEPS)] {
        if steps > 0 {
            trainer.step(steps)?;
        }
        let dictionary = Dictionary::from_trained(trainer.autoencoder().unscale(scale));
        let coded = stream.encode_with(Arc::new(dictionary))?;
        add_subject(&mut lines, subject, &stream, &coded, &beside)?;
    }
    for (subject, steps) in [(Subject::Trained, 200), (Subject::Untrained, 1)] {
        lines.add_core_training(subject, &stream.m09(&CycleSettings { steps, seed, ..CycleSettings::default() })?);
    }
    Ok(lines.lines)
}

/// M13 and M14.
pub(super) fn measure_layers() -> Result<Vec<MeasurementRecord>, MeasurementError> {
    let mut lines = RecordCollector::new(Testbed::Language);
    let drawn = draw_texts(TEXTS_SEED_AND_COUNT.0, TEXTS_SEED_AND_COUNT.1);
    for (subject, checkpoint) in [(Subject::Trained, FINAL_CHECKPOINT), (Subject::Untrained, UNTRAINED_CHECKPOINT)] {
        let rows = residual_stream_after(&*toy_model::load_model(checkpoint)?, &drawn, AUTOENCODER_LAYER)?;
        let width = toy_model::load_model(checkpoint)?.config().d_model;
        let rows = Matrix::from_f32(rows.len() / width.max(1), width, rows)?;
        lines.add("m13", "packing_ratio", subject, superposition(&rows)?.packing_ratio);
    }
    let width = toy_model::load_model(FINAL_CHECKPOINT)?.config().d_model;
    let layers = toy_model::load_model(FINAL_CHECKPOINT)?.config().layers;
    let mut rng = NumpyRng::new(4_000);
    let mut normals = |rows: usize| Matrix::standard_normal(&mut rng, rows, width);
    let random = superposition(&normals(2_000))?;
    lines.add("m13", "packing_ratio", Subject::Random, random.packing_ratio);
    for (subject, checkpoint, contrast) in [
        (Subject::Trained, FINAL_CHECKPOINT, Contrast::Unsafe),
        (Subject::Untrained, UNTRAINED_CHECKPOINT, Contrast::Unsafe),
        (Subject::Permuted, FINAL_CHECKPOINT, Contrast::SafeHalves),
    ] {
        lines.add_safety_sve(subject, &m14(checkpoint, contrast, STABILITY_RUNS)?);
    }
    let draws = [normals(layers), normals(layers), normals(layers)];
    lines.add_safety_sve(Subject::Random, &safety_sve(&normals(layers), &draws)?);
    Ok(lines.lines)
}

/// EX1, EX2, EX11, EX24, EX25 and MIB of a task.
pub(super) fn measure_task(task: Task, count: usize) -> Result<Vec<MeasurementRecord>, MeasurementError> {
    let mut lines = RecordCollector::new(Testbed::Language);
    let model = toy_model::load_model(FINAL_CHECKPOINT)?;
    let prompts = test_prompts(task, count)?;
    let mut circuits = CircuitEvaluator::new(&model, &prompts)?;
    let config = model.config();
    let heads = circuits.heads().to_vec();
    let clean = circuits.clean_logit_differences().to_vec();
    let effects = circuits.head_effects()?;
    let found = circuits.backward_elimination()?;
    let mut rng = NumpyRng::new(5_000 + task as u32);
    // Of the heads that were not found, where there are enough.
    let others: Vec<Head> = heads.iter().filter(|head| !found.contains(head)).copied().collect();
    let random = draw_heads(&mut rng, &others, found.len());
    let subjects: [(Subject, &[Head]); 4] =
        [(Subject::Found, &found), (Subject::Full, &heads), (Subject::Empty, &[]), (Subject::Random, &random)];
    for (subject, circuit) in subjects {
        lines.add_named_quantities("ex1", subject, circuits.d_prime(circuit)?.quantities(), &["dprime", "auc"]);
        if let Some(found) = circuits.weber(circuit)? {
            lines.add_weber(subject, &found);
        }
    }
    let edges = head_edges(config.layers, config.heads);
    let curves = FaithfulnessCurves::measure(&edges, effect_lookup(&effects), |heads| circuits.faithfulness_of(heads))?;
    lines.add_mib_areas(Subject::Found, [curves.code.area.cpr, curves.ranked.area.cpr]);
    let order = rng.permutation(edges.len() as u32);
    let by_lot = order.into_iter().filter_map(|at| edges.get(at as usize).copied()).collect();
    let by_lot = FaithfulnessCurve::measure(by_lot, |heads| circuits.faithfulness_of(heads))?;
    lines.add_mib_areas(Subject::Random, [by_lot.area.cpr; 2]);
    lines.add_mib_areas(Subject::Full, [constant_curve_cpr(1.0)?; 2]);
    lines.add_mib_areas(Subject::Empty, [constant_curve_cpr(circuits.faithfulness_of(&[])?)?; 2]);

    let [first, second] = random_halves(&mut rng, &clean);
    add_dif(&mut lines, Subject::Dealt, [&first, &second])?;
    // Where a task has names, nine of ten are of one group: the difference is planted.
    if matches!(task, Task::Ioi | Task::Recall | Task::Mood)
        && let [(_, common), (_, rare)] = group_logit_differences(&model, task, count)?.as_slice()
    {
        add_dif(&mut lines, Subject::Differing, [common, rare])?;
    }
    let [alone, other] = [circuits.circuit_logit_differences(&found)?, circuits.circuit_logit_differences(&random)?];
    add_audit(&mut lines, Subject::Found, [&clean, &alone, &other])?;
    add_noise_audit(&mut lines, &mut rng)?;
    add_reproducibility(&mut lines, &clean, Subject::Trained, &mut rng)?;
    Ok(lines.lines)
}
