//! The metrics of the registry by themselves, on a subject of one's own or one of the audit's.

use std::path::Path;
use std::rc::Rc;

use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};
use sfc_bench::lab::audit::clock::seconds;
use sfc_bench::lab::audit::single_subject::{self, CircuitSource, HeadSelection, SubjectError};
use sfc_bench::lab::audit::user_files::SEED_MAX;
use sfc_bench::lab::audit::{
    AnyMetricFn, ComparisonModels, Decomposition, GroundTruth, Metric, MetricInfo, Preset, Registry, ScoreData, Scores,
    World,
};
use sfc_bench::model::Parameters;
use sfc_bench::papers::measurement::metric::weight_lens::TOP_K;
use sfc_bench::sae::Weights;
use sfc_bench::settings::MEMORY_CAP;
use sfc_bench::study::Failure;
use sfc_bench::synthetic::language::Task;
use sfc_bench::synthetic::{PlantedFeatures, Readout};
use sfc_bench::toy_model::{self, CHECKPOINTS};
use sfc_bench::{Matrix, kernel, object};

use crate::error::{Refusal, Result};
use crate::evaluate::{AutoencoderFiles, read_autoencoder_weights, read_model_parameters};
use crate::metrics::{PyMatrix, read_matrix};
use crate::run::{ProgressListener, run_detached, run_with_progress};
use crate::text::write_json;

/// The fewest rows that a metric of the registry is measured on.
const ROWS_MIN: usize = 16;
/// Steps between M09's cores, as in the small preset.
const CORE_CYCLE_STEPS: u32 = 40;
/// Where a circuit is planted, beside the tasks.
const PLANTED_TASK: &str = "planted";

/// Every metric of the registry, without how it is computed.
#[pyfunction]
pub fn registry() -> Result<String> {
    write_json(&Registry::all().metrics().iter().map(MetricInfo::from).collect::<Vec<_>>())
}

/// The metrics of these ids; of none, all of those that `takes` holds of.
fn select_metrics(ids: Option<&[String]>, kind: &str, takes: fn(&Metric) -> bool) -> Result<MetricSelection> {
    let registry = Registry::all();
    let Some(ids) = ids else {
        let metrics = registry.metrics().iter().copied().filter(takes).collect();
        return Ok(MetricSelection { metrics, named: false });
    };
    let of = |id: &String| match registry.find_metric(id) {
        Some(metric) if takes(metric) => Ok(*metric),
        _ => {
            let takes = registry.metrics().iter().filter(|metric| takes(metric));
            let all: Vec<&str> = takes.map(|metric| metric.id).collect();
            let mut refusal = Refusal::invalid_value("metrics", format!("{id:?}"), all.join(", "));
            refusal.set_message(&format!("there is no metric {id:?} of {kind}"));
            Err(refusal)
        }
    };
    Ok(MetricSelection { metrics: ids.iter().map(of).collect::<Result<_>>()?, named: true })
}

/// Metrics that are measured, and whether they were asked for by their names: then one that refuses is told.
struct MetricSelection {
    metrics: Vec<Metric>,
    named: bool,
}

/// What metrics say of a subject, by their ids: `{id: value or null}`.
macro_rules! measure_metrics {
    ($wanted:expr, $kind:path, $subject:expr, $listener:expr) => {{
        let (MetricSelection { metrics, named }, subject, listener): (&MetricSelection, _, &mut ProgressListener<'_>) =
            ($wanted, $subject, $listener);
        let mut found = Map::new();
        for (at, metric) in metrics.iter().enumerate() {
            listener.report(metric.name, at as f64 / metrics.len() as f64);
            if let $kind(measure) = metric.measure {
                let value = match measure(subject) {
                    Ok(value) => value.filter(|value| value.is_finite()),
                    Err(error) if *named => return Err(error.into()),
                    Err(_) => None,
                };
                found.insert(metric.id.to_owned(), value.map_or(Value::Null, Value::from));
            }
        }
        write_json(&found)
    }};
}

fn parse_preset(word: &str) -> Result<Preset> {
    Preset::named(word).ok_or_else(|| Refusal::invalid_value("preset", format!("{word:?}"), "small, full"))
}

fn check_seed(seed: u32) -> Result<u32> {
    let most = SEED_MAX;
    let refuse = || {
        let allowed = format!("a whole number from 0 to {most}");
        Refusal::invalid_value("seed", seed.to_string(), allowed)
    };
    (seed <= most).then_some(seed).ok_or_else(refuse)
}

impl From<SubjectError> for Refusal {
    fn from(error: SubjectError) -> Self {
        match error {
            SubjectError::InvalidRequest(problem) => problem.into(),
            SubjectError::BuildFailed(failure) => failure.into(),
            other => Failure::new("audit.failed", &other, None).into(),
        }
    }
}

/// Rows of one of the audit's worlds.
fn draw_world_rows(name: &str, seed: u32, preset: Preset) -> Result<(GroundTruth, Matrix)> {
    let unknown = || {
        let names = single_subject::WORLDS_WITH_ROWS.map(World::name).join(", ");
        Refusal::invalid_value("world", format!("{name:?}"), names)
    };
    let world = World::BUILT_IN.into_iter().find(|world| world.name() == name);
    let found = single_subject::sample_rows(world.ok_or_else(unknown)?, check_seed(seed)?, preset)?;
    found.ok_or_else(unknown)
}

/// Rows of a world with what is known of them: arrays by name, and the rest.
#[pyfunction]
pub fn world_rows<'py>(
    py: Python<'py>,
    name: &str,
    seed: u32,
    preset_of: &str,
) -> PyResult<(Bound<'py, PyDict>, String)> {
    let (ground, training) = run_detached(py, || draw_world_rows(name, seed, parse_preset(preset_of)?))?;
    // What is known of the rows that is no array.
    let besides = write_json(&object! { context: ground.rows_per_context, scale: ground.scale })?;
    let found = PyDict::new(py);
    let set = |name: &str, matrix: Matrix| -> PyResult<()> {
        let (rows, cols) = matrix.shape();
        found.set_item(name, matrix.data().to_pyarray(py).reshape([rows, cols])?)
    };
    set("activations", ground.rows)?;
    set("training", training)?;
    if !ground.row_words.is_empty() {
        found.set_item("words", ground.row_words.into_pyarray(py))?;
    }
    if let Some(PlantedFeatures { directions, magnitudes }) = ground.planted_features {
        set("directions", directions)?;
        set("magnitudes", magnitudes)?;
    }
    if let Some(Readout::Affine { weights, bias }) = ground.readout {
        set("readout", weights)?;
        found.set_item("readout_bias", bias.into_pyarray(py))?;
    }
    let others =
        [("circuit", ground.circuit_directions), ("unembed", ground.unembed), ("embedded", ground.row_embeddings)];
    for (name, matrix) in others {
        matrix.map(|matrix| set(name, matrix)).transpose()?;
    }
    Ok((found, besides))
}

/// What is known of rows of one's own besides; by itself each part may be left out.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct RowMetadata<'py> {
    readout: Option<PyMatrix<'py>>,
    readout_bias: Option<PyMatrix<'py>>,
    context: usize,
    words: Option<PyReadonlyArray1<'py, u32>>,
    unembed: Option<PyMatrix<'py>>,
    embedded: Option<PyMatrix<'py>>,
    directions: Option<PyMatrix<'py>>,
    magnitudes: Option<PyMatrix<'py>>,
}

/// Refuses an array of another shape.
fn check_shape(field: &str, found: &Matrix, wanted: (usize, usize)) -> Result<()> {
    let shown = |(rows, cols): (usize, usize)| format!("{rows} × {cols}");
    if found.shape() == wanted {
        return Ok(());
    }
    Err(Refusal::invalid_value(field, shown(found.shape()), shown(wanted)))
}

fn both_or_neither<T, U>(names: [&str; 2], first: Option<T>, second: Option<U>) -> Result<Option<(T, U)>> {
    match (first, second) {
        (Some(first), Some(second)) => Ok(Some((first, second))),
        (None, None) => Ok(None),
        (found, _) => {
            let [given, missing] = if found.is_some() { names } else { [names[1], names[0]] };
            Err(Refusal::invalid_value(missing, "missing", format!("given where {given} is")))
        }
    }
}

impl RowMetadata<'_> {
    /// Rows of one's own with what is known of them.
    fn into_ground_truth(self, rows: Matrix, seed: u32) -> Result<GroundTruth> {
        let (count, width) = rows.shape();
        let read =
            |name: &'static str, array: Option<PyMatrix<'_>>| array.map(|array| read_matrix(name, &array)).transpose();
        let readout = read("readout", self.readout)?
            .map(|weights| {
                check_shape("readout", &weights, (weights.rows(), width))?;
                let zero = || Matrix::zeros(1, weights.rows());
                let bias = read("readout_bias", self.readout_bias)?.unwrap_or_else(zero);
                check_shape("readout_bias", &bias, (1, weights.rows()))?;
                Ok::<_, Refusal>(Readout::Affine { weights, bias: bias.data().to_vec() })
            })
            .transpose()?;
        if !(1..=count).contains(&self.context) {
            let allowed = format!("a whole number from 1 to {count}, the rows");
            return Err(Refusal::invalid_value("context", self.context.to_string(), allowed));
        }
        let words = self.words.map(|words| words.as_array().iter().copied().collect::<Vec<_>>());
        let spoken = both_or_neither(["words", "unembed"], words, read("unembed", self.unembed)?)?;
        if let Some((words, unembed)) = &spoken {
            check_shape("unembed", unembed, (width, unembed.cols()))?;
            if words.len() != count {
                return Err(Refusal::invalid_value("words", words.len().to_string(), count.to_string()));
            }
            if let Some(word) = words.iter().find(|word| **word as usize >= unembed.cols()) {
                let allowed = format!("0 to {}, the columns of unembed", unembed.cols() - 1);
                return Err(Refusal::invalid_value("words", word.to_string(), allowed));
            }
        }
        let embedded = read("embedded", self.embedded)?;
        if let Some(embedded) = &embedded {
            check_shape("embedded", embedded, (count, width))?;
        }
        let planted = both_or_neither(
            ["directions", "magnitudes"],
            read("directions", self.directions)?,
            read("magnitudes", self.magnitudes)?,
        )?;
        let truth = planted.map(|planted| normalise_directions(planted, (count, width))).transpose()?;
        let (words, unembed) = spoken.map_or((Vec::new(), None), |(w, u)| (w, Some(u)));
        Ok(GroundTruth {
            readout,
            rows_per_context: self.context,
            row_words: words,
            unembed,
            row_embeddings: embedded,
            planted_features: truth,
            words_per_latent: TOP_K,
            steps_per_cycle: CORE_CYCLE_STEPS,
            ..GroundTruth::from_rows(World::Own, seed, rows)
        })
    }
}

/// Directions of length 1, of which rows have so much the more.
fn normalise_directions(
    (mut directions, mut magnitudes): (Matrix, Matrix),
    (count, width): (usize, usize),
) -> Result<PlantedFeatures> {
    check_shape("directions", &directions, (directions.rows(), width))?;
    check_shape("magnitudes", &magnitudes, (count, directions.rows()))?;
    let mut lengths = Vec::with_capacity(directions.rows());
    for row in 0..directions.rows() {
        let row = directions.row_mut(row);
        let length = f64::sqrt(kernel::dot(row, row));
        if !(length > 0.0 && length.is_finite()) {
            return Err(Refusal::invalid_value("directions", length.to_string(), "rows of a length above 0"));
        }
        row.iter_mut().for_each(|x| *x /= length);
        lengths.push(length);
    }
    for row in magnitudes.data_mut().chunks_exact_mut(lengths.len().max(1)) {
        row.iter_mut().zip(&lengths).for_each(|(x, length)| *x *= length);
    }
    Ok(PlantedFeatures { directions, magnitudes })
}

/// Two autoencoders as they are read: another family as wide, and a smaller one.
fn read_other_autoencoders(others: &[AutoencoderFiles<'_>]) -> PyResult<Option<[Weights; 2]>> {
    let mut read = others.iter().map(|folder| read_autoencoder_weights(folder, MEMORY_CAP));
    match [read.next().transpose()?, read.next().transpose()?] {
        [Some(one), Some(two)] => Ok(Some([one, two])),
        _ => Ok(None),
    }
}

/// What metrics of the registry say of an autoencoder, at rows of one's own or at those of a world.
#[pyfunction]
#[pyo3(signature = (rows, known, world, sae, others, ids, seed, preset_of, tell = None))]
#[expect(clippy::too_many_arguments)]
pub fn measure_decomposition(
    py: Python<'_>,
    rows: Option<PyMatrix<'_>>,
    known: RowMetadata<'_>,
    world: Option<&str>,
    sae: AutoencoderFiles<'_>,
    others: Vec<AutoencoderFiles<'_>>,
    ids: Option<Vec<String>>,
    seed: u32,
    preset_of: &str,
    tell: Option<Py<PyAny>>,
) -> PyResult<String> {
    let takes = |metric: &Metric| matches!(metric.measure, AnyMetricFn::Decomposition(_));
    let metrics = select_metrics(ids.as_deref(), "decompositions", takes)?;
    let seed = check_seed(seed)?;
    let preset = parse_preset(preset_of)?;
    let own = match rows {
        Some(rows) => {
            let rows = read_matrix("activations", &rows)?;
            if rows.rows() < ROWS_MIN {
                let found = format!("{} rows", rows.rows());
                let allowed = format!("{ROWS_MIN} rows or more");
                return Err(Refusal::invalid_value("activations", found, allowed).into());
            }
            Some(known.into_ground_truth(rows, seed)?)
        }
        None => None,
    };
    let weights = read_autoencoder_weights(&sae, MEMORY_CAP)?;
    let others = read_other_autoencoders(&others)?;
    run_with_progress(py, tell, |listener| {
        let ground = match (own, world) {
            (Some(ground), _) => ground,
            (None, Some(name)) => draw_world_rows(name, seed, preset)?.0,
            (None, None) => {
                return Err(Refusal::invalid_value("activations", "missing", "rows, or a world's name"));
            }
        };
        listener.report("rows", 0.0);
        let latents = weights.decoder.rows();
        let beside = others.map(|[one, two]| {
            check_shape("beside[0]", &one.decoder, (latents, ground.rows.cols()))?;
            check_shape("beside[1]", &two.decoder, (two.decoder.rows(), ground.rows.cols()))?;
            if two.decoder.rows() >= latents {
                let allowed = format!("fewer than {latents} latents, as the autoencoder has");
                let found = format!("{} latents", two.decoder.rows());
                return Err(Refusal::invalid_value("beside[1]", found, allowed));
            }
            ComparisonModels::encode(one, two, &ground.rows).map_err(Refusal::from)
        });
        let ground = Rc::new(GroundTruth { comparison_models: beside.transpose()?, ..ground });
        // It is asked for: rows' own metrics and dear ones say something of it, too.
        let subject = Decomposition::new(ground, weights, seconds)?.with_row_metrics().with_costly_metrics();
        measure_metrics!(&metrics, AnyMetricFn::Decomposition, &subject, listener)
    })
}

/// Heads by a word, or by layer and number.
#[derive(FromPyObject)]
pub enum HeadsArgument {
    Word(String),
    These(Vec<(usize, usize)>),
}

/// What metrics of the registry say of some heads.
#[pyfunction]
#[pyo3(signature = (heads, task, checkpoint, ids, seed, preset_of, tell = None))]
#[expect(clippy::too_many_arguments)]
pub fn measure_circuit(
    py: Python<'_>,
    heads: HeadsArgument,
    task: &str,
    checkpoint: &str,
    ids: Option<Vec<String>>,
    seed: u32,
    preset_of: &str,
    tell: Option<Py<PyAny>>,
) -> PyResult<(Vec<(usize, usize)>, String)> {
    let takes = |metric: &Metric| matches!(metric.measure, AnyMetricFn::Circuit(_));
    let metrics = select_metrics(ids.as_deref(), "circuits", takes)?;
    let (seed, preset) = (check_seed(seed)?, parse_preset(preset_of)?);
    let heads = match heads {
        HeadsArgument::These(heads) => HeadSelection::Named(heads),
        HeadsArgument::Word(word) => match word.as_str() {
            "found" => HeadSelection::Found,
            "full" => HeadSelection::Full,
            "empty" => HeadSelection::Empty,
            _ => {
                let allowed = "found, full, empty, or a list of (layer, head)";
                return Err(Refusal::invalid_value("heads", format!("{word:?}"), allowed).into());
            }
        },
    };
    let of = match Task::from_name(task) {
        Some(task) => CircuitSource::Task { task, checkpoint },
        None if task == PLANTED_TASK => CircuitSource::Planted,
        None => {
            let allowed = format!("{}, {PLANTED_TASK}", Task::NAMES.join(", "));
            return Err(Refusal::invalid_value("task", format!("{task:?}"), allowed).into());
        }
    };
    run_with_progress(py, tell, |listener| {
        listener.report("heads", 0.0);
        let subject = single_subject::build_circuit(of, &heads, seed, preset, seconds)?;
        let found = measure_metrics!(&metrics, AnyMetricFn::Circuit, &subject, listener)?;
        Ok((subject.heads().to_vec(), found))
    })
}

/// What metrics of the registry say of a model of the language: a checkpoint by its name, or a file of weights.
#[pyfunction]
#[pyo3(signature = (model, files, ids, seed, preset_of, tell = None))]
pub fn measure_model(
    py: Python<'_>,
    model: &str,
    files: &Bound<'_, PyDict>,
    ids: Option<Vec<String>>,
    seed: u32,
    preset_of: &str,
    tell: Option<Py<PyAny>>,
) -> PyResult<String> {
    let takes = |metric: &Metric| matches!(metric.measure, AnyMetricFn::Model(_));
    let metrics = select_metrics(ids.as_deref(), "models", takes)?;
    let (seed, preset) = (check_seed(seed)?, parse_preset(preset_of)?);
    // A name that is no file's is meant for a checkpoint's.
    let path = Path::new(model);
    let named = path.extension().is_none() && !path.exists();
    let parameters: Parameters = if CHECKPOINTS.contains(&model) || named {
        toy_model::load_parameters(model).map_err(Refusal::from)?
    } else {
        read_model_parameters(files, model, MEMORY_CAP)?
    };
    run_with_progress(py, tell, |listener| {
        let subject = single_subject::build_model_subject(&parameters, seed, preset, seconds)?;
        measure_metrics!(&metrics, AnyMetricFn::Model, &subject, listener)
    })
}

/// What metrics of the registry say of another metric's scores: of two groups of prompts, or run by run.
#[pyfunction]
#[pyo3(signature = (groups = None, better = None, other = None, prompts = None, ids = None))]
pub fn measure_scores(
    py: Python<'_>,
    groups: Option<[PyReadonlyArray1<'_, f64>; 2]>,
    better: Option<PyMatrix<'_>>,
    other: Option<PyMatrix<'_>>,
    prompts: Option<Vec<Vec<usize>>>,
    ids: Option<Vec<String>>,
) -> PyResult<String> {
    let takes = |metric: &Metric| matches!(metric.measure, AnyMetricFn::Scores(_));
    let metrics = select_metrics(ids.as_deref(), "scores", takes)?;
    let said = match (groups, better, other) {
        (Some(groups), None, None) => ScoreData::Groups(groups.map(|group| group.as_array().iter().copied().collect())),
        (None, Some(better), Some(other)) => {
            let (better, other) = (read_matrix("better", &better)?, read_matrix("other", &other)?);
            check_shape("other", &other, better.shape())?;
            let (runs, columns) = better.shape();
            let prompts = prompts.unwrap_or_else(|| vec![(0..columns).collect(); runs]);
            if prompts.len() != runs || prompts.iter().any(|run| run.len() != columns) {
                let lengths: Vec<String> = prompts.iter().map(|run| run.len().to_string()).collect();
                let allowed = format!("{runs} lists of {columns} prompts");
                return Err(Refusal::invalid_value("prompts", lengths.join(", "), allowed).into());
            }
            let rows = |matrix: &Matrix| matrix.iter_rows().map(<[f64]>::to_vec).collect();
            ScoreData::Runs { better: rows(&better), other: rows(&other), prompts }
        }
        _ => {
            let allowed = "either groups, or better and other";
            return Err(Refusal::invalid_value("scores", "neither or both", allowed).into());
        }
    };
    run_with_progress(py, None, |listener| {
        let subject = Scores::new(said, seconds);
        measure_metrics!(&metrics, AnyMetricFn::Scores, &subject, listener)
    })
}
