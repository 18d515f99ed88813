//! The toy model: its autoencoders, its layers and its tasks, with what ought to lose beside them.

use std::sync::Arc;

use super::circuits::{
    apart, audited, consistencies, constant, dealt, drawn, level, noise, of_doses, runs,
};
use super::{Ground, Line, Lines, Subject, UNTRAINED};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{Circuits, groups};
use crate::papers::measurement::metric::core_stability::Cycles;
use crate::papers::measurement::metric::safety_sve::{STABILITY_RUNS, safety_sve};
use crate::papers::measurement::metric::superposition::superposition;
use crate::papers::measurement::metric::{
    Doses, REDUCED, Reading, architecture_duality, d_prime, head_edges, matryoshka, nla_sae,
    polysemanticity, weight_lens,
};
use crate::papers::measurement::planted::{Curve, Curves};
use crate::papers::measurement::toy_model::{
    Contrast, DIRECTIONS, Stream, Subject as Coded, TEXTS, THRESHOLD, m14,
};
use crate::sae::train::{Family, TrainConfig, Trainer};
use crate::statistics::{MetricError, mean};
use crate::synthetic::language::{Task, texts};
use crate::synthetic::{Head, HeadEdits};
use crate::toy_model::stream::residual_after;
use crate::toy_model::task::tested;
use crate::toy_model::{self, Dictionary, FINAL, LAYER};
use crate::{Matrix, NumpyRng};

/// M07 holds autoencoders against this one, and M11 this one's features against theirs.
const BESIDE: (&str, &str) = ("relu256", "topk128");
/// Steps after which an autoencoder counts as half trained; the shipped ones had ten times as many.
const STEPS: u32 = 150;

/// The shipped ones.
pub(super) fn autoencoders() -> Result<Vec<Line>, MeasurementError> {
    let mut lines = Lines::on(Ground::Language);
    let stream = Stream::read()?;
    let beside = Beside::of(&stream)?;
    for (subject, name) in [
        (Subject::Trained, "topk256"),
        (Subject::Random, "random256"),
        (Subject::Permuted, "topk256_permdec"),
    ] {
        of_subject(&mut lines, subject, &stream, &stream.subject(name)?, &beside)?;
    }
    Ok(lines.lines)
}

struct Beside {
    relu: Coded,
    small: Coded,
}

impl Beside {
    fn of(stream: &Stream) -> Result<Self, MeasurementError> {
        Ok(Self { relu: stream.subject(BESIDE.0)?, small: stream.subject(BESIDE.1)? })
    }
}

fn of_subject(
    lines: &mut Lines,
    subject: Subject,
    stream: &Stream,
    coded: &Coded,
    beside: &Beside,
) -> Result<(), MeasurementError> {
    let found = stream.m07(coded, &beside.relu, &architecture_duality::Settings::default())?;
    lines.add("m07", "agreement_code", subject, found.agreement_code);
    lines.add("m07", "agreement_matched", subject, found.agreement_matched);
    if let Some(agreement) = found.agreement_document {
        lines.add("m07", "agreement_document", subject, agreement);
    }
    if let Some(agreement) = stream.m08(coded, weight_lens::TOP_K)?.agreement {
        lines.add("m08", "agreement", subject, agreement);
    }
    for (reading, quantity) in [(Reading::Document, "rate_document"), (Reading::Code, "rate_code")]
    {
        let settings =
            polysemanticity::Settings { reading, ..polysemanticity::Settings::default() };
        lines.add("m10", quantity, subject, stream.m10(coded, &settings)?.rate.rate);
    }
    let found = stream.m11(&beside.small, coded, matryoshka::TOP_K)?;
    lines.add("m11", "consistency_code", subject, found.consistency_code);
    lines.add("m11", "consistency_document", subject, found.consistency_document);
    let found = stream.m12(coded, THRESHOLD)?.found;
    lines.add("m12", "k_mismatch_rate", subject, found.k_mismatch_rate);
    lines.add("m12", "k_mismatch_rate_document", subject, found.k_mismatch_rate_document);
    lines.add("m12", "complexity_k_correlation", subject, found.complexity_k_correlation);
    let found = stream.ex34(coded, nla_sae::TOP_K, DIRECTIONS)?;
    lines.add("ex34", "mean_token_overlap", subject, found.mean_token_overlap);
    lines.add("ex34", "mean_direction_cosine", subject, found.mean_direction_cosine);
    Ok(())
}

/// What is trained here from a seed.
pub(super) fn made(seed: u32) -> Result<Vec<Line>, MeasurementError> {
    let mut lines = Lines::on(Ground::Language);
    let stream = Stream::read()?;
    let beside = Beside::of(&stream)?;
    let config = TrainConfig { steps: 10 * STEPS, seed, ..TrainConfig::of(Family::TopK) };
    let (rows, scale) = stream.scaled()?;
    let mut trainer = Trainer::new(config, &rows)?;
    for (subject, steps) in [(Subject::Untrained, 0), (Subject::HalfTrained, STEPS)] {
        if steps > 0 {
            trainer.step(steps)?;
        }
        let dictionary = Dictionary::trained(trainer.autoencoder().unscaled(scale));
        let coded = stream.made(Arc::new(dictionary))?;
        of_subject(&mut lines, subject, &stream, &coded, &beside)?;
    }
    for (subject, steps) in [(Subject::Trained, 200), (Subject::Untrained, 1)] {
        let found = stream.m09(&Cycles { steps, seed, ..Cycles::default() })?;
        lines.add("m09", "mean_overlap_document", subject, found.document.stability.mean_overlap);
        lines.add("m09", "mean_overlap_code", subject, found.code.stability.mean_overlap);
    }
    Ok(lines.lines)
}

/// M13 and M14.
pub(super) fn layers() -> Result<Vec<Line>, MeasurementError> {
    let mut lines = Lines::on(Ground::Language);
    let drawn = texts(TEXTS.0, TEXTS.1);
    for (subject, checkpoint) in [(Subject::Trained, FINAL), (Subject::Untrained, UNTRAINED)] {
        let rows = residual_after(&*toy_model::model(checkpoint)?, &drawn, LAYER)?;
        let width = toy_model::model(checkpoint)?.config().d_model;
        let rows: Vec<f64> = rows.into_iter().map(f64::from).collect();
        let rows =
            Matrix::from_vec(rows.len() / width.max(1), width, rows).map_err(MetricError::from)?;
        lines.add("m13", "packing_ratio", subject, superposition(&rows)?.packing_ratio);
    }
    let width = toy_model::model(FINAL)?.config().d_model;
    let layers = toy_model::model(FINAL)?.config().layers;
    let mut rng = NumpyRng::new(4_000);
    let mut normals = |rows: usize| -> Result<Matrix, MetricError> {
        let mut values = vec![0.0; rows * width];
        rng.fill_standard_normal(&mut values);
        Ok(Matrix::from_vec(rows, width, values)?)
    };
    let random = superposition(&normals(2_000)?)?;
    lines.add("m13", "packing_ratio", Subject::Random, random.packing_ratio);
    let mut add = |subject, found: &crate::papers::measurement::metric::safety_sve::SafetySve| {
        lines.add("m14", "sve_code", subject, found.sve_code);
        lines.add("m14", "sve_document", subject, found.sve_document);
        if let Some(stability) = found.stability_code {
            lines.add("m14", "stability_code", subject, stability);
        }
    };
    add(Subject::Trained, &m14(FINAL, Contrast::Unsafe, STABILITY_RUNS)?);
    add(Subject::Untrained, &m14(UNTRAINED, Contrast::Unsafe, STABILITY_RUNS)?);
    add(Subject::Permuted, &m14(FINAL, Contrast::SafeHalves, STABILITY_RUNS)?);
    let draws = [normals(layers)?, normals(layers)?, normals(layers)?];
    add(Subject::Random, &safety_sve(&normals(layers)?, &draws)?);
    Ok(lines.lines)
}

/// EX1, EX2, EX11, EX24, EX25 and MIB of a task.
pub(super) fn task(task: Task, count: usize) -> Result<Vec<Line>, MeasurementError> {
    let mut lines = Lines::on(Ground::Language);
    let model = toy_model::model(FINAL)?;
    let prompts = tested(task, count)?;
    let mut circuits = Circuits::new(&model, &prompts)?;
    let config = model.config();
    let heads: Vec<Head> = (0..config.layers)
        .flat_map(|layer| (0..config.heads).map(move |head| (layer, head)))
        .collect();
    let clean = circuits.clean_ld().to_vec();
    let effects = circuits.effects()?;
    let found = circuits.backward()?;
    let mut rng = NumpyRng::new(5_000 + task as u32);
    // Of the heads that were not found, where there are enough.
    let others: Vec<Head> = heads.iter().filter(|head| !found.contains(head)).copied().collect();
    let random = drawn(&mut rng, &others, found.len());
    let subjects: [(Subject, &[Head]); 4] = [
        (Subject::Found, &found),
        (Subject::Full, &heads),
        (Subject::Empty, &[]),
        (Subject::Random, &random),
    ];
    for (subject, circuit) in subjects {
        let ablated = circuits.logit_differences(&HeadEdits::ablate(circuit))?;
        let measured = d_prime(&clean, &ablated)?;
        lines.add("ex1", "dprime", subject, measured.dprime);
        lines.add("ex1", "auc", subject, measured.auc);
        let mut doses = |level: f64| {
            Doses::measure(circuit, level, |scales| {
                let ld = circuits.logit_differences(&HeadEdits::scale(scales))?;
                Ok::<f64, MeasurementError>(mean(&ld)?)
            })
        };
        if !circuit.is_empty() {
            let (whole, reduced) = (doses(1.0)?, doses(REDUCED)?);
            if let Some(found) = of_doses(&whole, &reduced)? {
                consistencies(&mut lines, subject, &found);
            }
        }
    }
    let edges = head_edges(config.layers, config.heads);
    let effect = |head: Head| {
        effects.iter().find(|(other, _)| *other == head).map_or(0.0, |(_, effect)| *effect)
    };
    let curves = Curves::measure(&edges, effect, |heads| circuits.alone(heads))?;
    lines.add("mib", "cpr_code", Subject::Found, curves.code.area.cpr);
    lines.add("mib", "cpr_ranked", Subject::Found, curves.ranked.area.cpr);
    let order = rng.permutation(edges.len() as u32);
    let by_lot = order.into_iter().filter_map(|at| edges.get(at as usize).copied()).collect();
    let by_lot = Curve::measure(by_lot, |heads| circuits.alone(heads))?;
    constant(&mut lines, Subject::Random, by_lot.area.cpr);
    constant(&mut lines, Subject::Full, level(1.0)?);
    constant(&mut lines, Subject::Empty, level(circuits.alone(&[])?)?);

    let [first, second] = dealt(&mut rng, &clean);
    apart(&mut lines, Subject::Dealt, [&first, &second])?;
    // Where a task has names, nine of ten are of one group: the difference is planted.
    if matches!(task, Task::Ioi | Task::Recall | Task::Mood)
        && let [(_, common), (_, rare)] = groups(&model, task, count)?.as_slice()
    {
        apart(&mut lines, Subject::Differing, [common, rare])?;
    }
    let mut alone = |kept: &[Head]| {
        let gone: Vec<Head> = heads.iter().filter(|head| !kept.contains(head)).copied().collect();
        circuits.logit_differences(&HeadEdits::ablate(&gone))
    };
    audited(&mut lines, Subject::Found, [&clean, &alone(&found)?, &alone(&random)?])?;
    noise(&mut lines, &mut rng)?;
    runs(&mut lines, &clean, Subject::Trained, &mut rng)?;
    Ok(lines.lines)
}
