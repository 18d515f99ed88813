//! The toy model: its autoencoders, its layers and its tasks, with what ought to lose beside them.

use std::sync::Arc;

use super::circuits::{apart, audited, dealt, drawn, level, noise, runs};
use super::{Decomposed, Ground, Line, Lines, Subject, UNTRAINED};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{Circuits, groups};
use crate::papers::measurement::metric::core_stability::Cycles;
use crate::papers::measurement::metric::safety_sve::{STABILITY_RUNS, safety_sve};
use crate::papers::measurement::metric::superposition::superposition;
use crate::papers::measurement::metric::{
    Reading, architecture_duality, effect_in, head_edges, matryoshka, nla_sae, polysemanticity,
    weight_lens,
};
use crate::papers::measurement::planted::{Curve, Curves};
use crate::papers::measurement::toy_model::{
    Contrast, DIRECTIONS, Stream, Subject as Coded, TEXTS, THRESHOLD, m14,
};
use crate::sae::train::{Family, TrainConfig, Trainer};
use crate::synthetic::Head;
use crate::synthetic::language::{Task, texts};
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
    let m10 = |reading| {
        let settings =
            polysemanticity::Settings { reading, ..polysemanticity::Settings::default() };
        stream.m10(coded, &settings)
    };
    let found = Decomposed {
        m07: stream.m07(coded, &beside.relu, &architecture_duality::Settings::default())?,
        m08: stream.m08(coded, weight_lens::TOP_K)?,
        m10: [m10(Reading::Document)?, m10(Reading::Code)?],
        m11: stream.m11(&beside.small, coded, matryoshka::TOP_K)?,
        m12: stream.m12(coded, THRESHOLD)?.found,
        ex34: stream.ex34(coded, nla_sae::TOP_K, DIRECTIONS)?,
    };
    lines.decomposed(subject, &found);
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
        lines.cores(subject, &stream.m09(&Cycles { steps, seed, ..Cycles::default() })?);
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
        let rows = Matrix::from_singles(rows.len() / width.max(1), width, rows)?;
        lines.add("m13", "packing_ratio", subject, superposition(&rows)?.packing_ratio);
    }
    let width = toy_model::model(FINAL)?.config().d_model;
    let layers = toy_model::model(FINAL)?.config().layers;
    let mut rng = NumpyRng::new(4_000);
    let mut normals = |rows: usize| Matrix::standard_normal(&mut rng, rows, width);
    let random = superposition(&normals(2_000))?;
    lines.add("m13", "packing_ratio", Subject::Random, random.packing_ratio);
    for (subject, checkpoint, contrast) in [
        (Subject::Trained, FINAL, Contrast::Unsafe),
        (Subject::Untrained, UNTRAINED, Contrast::Unsafe),
        (Subject::Permuted, FINAL, Contrast::SafeHalves),
    ] {
        lines.spread(subject, &m14(checkpoint, contrast, STABILITY_RUNS)?);
    }
    let draws = [normals(layers), normals(layers), normals(layers)];
    lines.spread(Subject::Random, &safety_sve(&normals(layers), &draws)?);
    Ok(lines.lines)
}

/// EX1, EX2, EX11, EX24, EX25 and MIB of a task.
pub(super) fn task(task: Task, count: usize) -> Result<Vec<Line>, MeasurementError> {
    let mut lines = Lines::on(Ground::Language);
    let model = toy_model::model(FINAL)?;
    let prompts = tested(task, count)?;
    let mut circuits = Circuits::new(&model, &prompts)?;
    let config = model.config();
    let heads = circuits.heads().to_vec();
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
        lines.take("ex1", subject, circuits.d_prime(circuit)?.quantities(), &["dprime", "auc"]);
        if let Some(found) = circuits.weber(circuit)? {
            lines.consistencies(subject, &found);
        }
    }
    let edges = head_edges(config.layers, config.heads);
    let curves = Curves::measure(&edges, effect_in(&effects), |heads| circuits.alone(heads))?;
    lines.areas(Subject::Found, [curves.code.area.cpr, curves.ranked.area.cpr]);
    let order = rng.permutation(edges.len() as u32);
    let by_lot = order.into_iter().filter_map(|at| edges.get(at as usize).copied()).collect();
    let by_lot = Curve::measure(by_lot, |heads| circuits.alone(heads))?;
    lines.areas(Subject::Random, [by_lot.area.cpr; 2]);
    lines.areas(Subject::Full, [level(1.0)?; 2]);
    lines.areas(Subject::Empty, [level(circuits.alone(&[])?)?; 2]);

    let [first, second] = dealt(&mut rng, &clean);
    apart(&mut lines, Subject::Dealt, [&first, &second])?;
    // Where a task has names, nine of ten are of one group: the difference is planted.
    if matches!(task, Task::Ioi | Task::Recall | Task::Mood)
        && let [(_, common), (_, rare)] = groups(&model, task, count)?.as_slice()
    {
        apart(&mut lines, Subject::Differing, [common, rare])?;
    }
    let [alone, other] = [circuits.alone_ld(&found)?, circuits.alone_ld(&random)?];
    audited(&mut lines, Subject::Found, [&clean, &alone, &other])?;
    noise(&mut lines, &mut rng)?;
    runs(&mut lines, &clean, Subject::Trained, &mut rng)?;
    Ok(lines.lines)
}
