//! The metrics of the registry by themselves, on a subject of one's own or one of the audit's.

use std::path::Path;
use std::rc::Rc;

use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};
use sfc_bench::lab::audit::alone::{self, AloneError, Heads, Of};
use sfc_bench::lab::audit::clock::seconds;
use sfc_bench::lab::audit::own::SEED_MAX;
use sfc_bench::lab::audit::{
    Beside, Decomposition, Ground, Measure, Metric, Preset, Registry, Said, Scored, Scores, World,
};
use sfc_bench::model::Parameters;
use sfc_bench::papers::measurement::metric::weight_lens::TOP_K;
use sfc_bench::sae::Weights;
use sfc_bench::settings::MEMORY_CAP;
use sfc_bench::study::Failure;
use sfc_bench::synthetic::language::Task;
use sfc_bench::synthetic::{Readout, Truth};
use sfc_bench::toy_model::{self, CHECKPOINTS};
use sfc_bench::{Matrix, kernel, object};

use crate::error::{Refusal, Result};
use crate::evaluate::{InFolder, autoencoder, weights_of_model};
use crate::metrics::{Array2, matrix};
use crate::run::{Listener, beside, heard};
use crate::text::write;

/// The fewest rows that a metric of the registry is measured on.
const ROWS_MIN: usize = 16;
/// Steps between M09's cores, as in the small preset.
const CYCLES: u32 = 40;
/// Where a circuit is planted, beside the tasks.
const PLANTED: &str = "planted";

/// Every metric of the registry, without how it is computed.
#[pyfunction]
pub fn registry() -> Result<String> {
    write(&Registry::all().metrics().iter().map(Said::from).collect::<Vec<_>>())
}

/// The metrics of these ids; of none, all of those that `takes` holds of.
fn wanted(ids: Option<&[String]>, kind: &str, takes: fn(&Metric) -> bool) -> Result<Selection> {
    let registry = Registry::all();
    let Some(ids) = ids else {
        let metrics = registry.metrics().iter().copied().filter(takes).collect();
        return Ok(Selection { metrics, named: false });
    };
    let of = |id: &String| match registry.named(id) {
        Some(metric) if takes(metric) => Ok(*metric),
        _ => {
            let takes = registry.metrics().iter().filter(|metric| takes(metric));
            let all: Vec<&str> = takes.map(|metric| metric.id).collect();
            let mut refusal = Refusal::value("metrics", format!("{id:?}"), all.join(", "));
            refusal.say(&format!("there is no metric {id:?} of {kind}"));
            Err(refusal)
        }
    };
    Ok(Selection { metrics: ids.iter().map(of).collect::<Result<_>>()?, named: true })
}

/// Metrics that are measured, and whether they were asked for by their names: then one that refuses is told.
struct Selection {
    metrics: Vec<Metric>,
    named: bool,
}

/// What metrics say of a subject, by their ids: `{id: value or null}`.
macro_rules! measured {
    ($wanted:expr, $kind:path, $subject:expr, $listener:expr) => {{
        let (Selection { metrics, named }, subject, listener): (&Selection, _, &mut Listener<'_>) =
            ($wanted, $subject, $listener);
        let mut found = Map::new();
        for (at, metric) in metrics.iter().enumerate() {
            listener.hear(metric.name, at as f64 / metrics.len() as f64);
            if let $kind(measure) = metric.measure {
                let value = match measure(subject) {
                    Ok(value) => value.filter(|value| value.is_finite()),
                    Err(error) if *named => return Err(error.into()),
                    Err(_) => None,
                };
                found.insert(metric.id.to_owned(), value.map_or(Value::Null, Value::from));
            }
        }
        write(&found)
    }};
}

fn preset(word: &str) -> Result<Preset> {
    Preset::named(word).ok_or_else(|| Refusal::value("preset", format!("{word:?}"), "small, full"))
}

fn seeded(seed: u32) -> Result<u32> {
    let most = SEED_MAX;
    let refuse = || {
        let allowed = format!("a whole number from 0 to {most}");
        Refusal::value("seed", seed.to_string(), allowed)
    };
    (seed <= most).then_some(seed).ok_or_else(refuse)
}

impl From<AloneError> for Refusal {
    fn from(error: AloneError) -> Self {
        match error {
            AloneError::Asked(problem) => problem.into(),
            AloneError::Made(failure) => failure.into(),
            other => Failure::new("audit.failed", &other, None).into(),
        }
    }
}

/// Rows of one of the audit's worlds.
fn of_world(name: &str, seed: u32, preset: Preset) -> Result<(Ground, Matrix)> {
    let unknown = || {
        let names = alone::ROWS.map(World::name).join(", ");
        Refusal::value("world", format!("{name:?}"), names)
    };
    let world = World::MADE.into_iter().find(|world| world.name() == name);
    let found = alone::rows(world.ok_or_else(unknown)?, seeded(seed)?, preset)?;
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
    let (ground, training) = beside(py, || of_world(name, seed, preset(preset_of)?))?;
    // What is known of the rows that is no array.
    let besides = write(&object! { context: ground.per_context, scale: ground.scale })?;
    let found = PyDict::new(py);
    let set = |name: &str, matrix: Matrix| -> PyResult<()> {
        let (rows, cols) = matrix.shape();
        found.set_item(name, matrix.data().to_pyarray(py).reshape([rows, cols])?)
    };
    set("activations", ground.rows)?;
    set("training", training)?;
    if !ground.words.is_empty() {
        found.set_item("words", ground.words.into_pyarray(py))?;
    }
    if let Some(Truth { directions, magnitudes }) = ground.truth {
        set("directions", directions)?;
        set("magnitudes", magnitudes)?;
    }
    if let Some(Readout::Affine { weights, bias }) = ground.readout {
        set("readout", weights)?;
        found.set_item("readout_bias", bias.into_pyarray(py))?;
    }
    let others =
        [("circuit", ground.circuit), ("unembed", ground.unembed), ("embedded", ground.embedded)];
    for (name, matrix) in others {
        matrix.map(|matrix| set(name, matrix)).transpose()?;
    }
    Ok((found, besides))
}

/// What is known of rows of one's own besides; by itself each part may be left out.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Known<'py> {
    readout: Option<Array2<'py>>,
    readout_bias: Option<Array2<'py>>,
    context: usize,
    words: Option<PyReadonlyArray1<'py, u32>>,
    unembed: Option<Array2<'py>>,
    embedded: Option<Array2<'py>>,
    directions: Option<Array2<'py>>,
    magnitudes: Option<Array2<'py>>,
}

/// Refuses an array of another shape.
fn fits(field: &str, found: &Matrix, wanted: (usize, usize)) -> Result<()> {
    let shown = |(rows, cols): (usize, usize)| format!("{rows} × {cols}");
    if found.shape() == wanted {
        return Ok(());
    }
    Err(Refusal::value(field, shown(found.shape()), shown(wanted)))
}

fn pair<T, U>(names: [&str; 2], first: Option<T>, second: Option<U>) -> Result<Option<(T, U)>> {
    match (first, second) {
        (Some(first), Some(second)) => Ok(Some((first, second))),
        (None, None) => Ok(None),
        (found, _) => {
            let [given, missing] = if found.is_some() { names } else { [names[1], names[0]] };
            Err(Refusal::value(missing, "missing", format!("given where {given} is")))
        }
    }
}

impl Known<'_> {
    /// Rows of one's own with what is known of them.
    fn ground(self, rows: Matrix, seed: u32) -> Result<Ground> {
        let (count, width) = rows.shape();
        let read = |name: &'static str, array: Option<Array2<'_>>| {
            array.map(|array| matrix(name, &array)).transpose()
        };
        let readout = read("readout", self.readout)?
            .map(|weights| {
                fits("readout", &weights, (weights.rows(), width))?;
                let zero = || Matrix::zeros(1, weights.rows());
                let bias = read("readout_bias", self.readout_bias)?.unwrap_or_else(zero);
                fits("readout_bias", &bias, (1, weights.rows()))?;
                Ok::<_, Refusal>(Readout::Affine { weights, bias: bias.data().to_vec() })
            })
            .transpose()?;
        if !(1..=count).contains(&self.context) {
            let allowed = format!("a whole number from 1 to {count}, the rows");
            return Err(Refusal::value("context", self.context.to_string(), allowed));
        }
        let words = self.words.map(|words| words.as_array().iter().copied().collect::<Vec<_>>());
        let spoken = pair(["words", "unembed"], words, read("unembed", self.unembed)?)?;
        if let Some((words, unembed)) = &spoken {
            fits("unembed", unembed, (width, unembed.cols()))?;
            if words.len() != count {
                return Err(Refusal::value("words", words.len().to_string(), count.to_string()));
            }
            if let Some(word) = words.iter().find(|word| **word as usize >= unembed.cols()) {
                let allowed = format!("0 to {}, the columns of unembed", unembed.cols() - 1);
                return Err(Refusal::value("words", word.to_string(), allowed));
            }
        }
        let embedded = read("embedded", self.embedded)?;
        if let Some(embedded) = &embedded {
            fits("embedded", embedded, (count, width))?;
        }
        let planted = pair(
            ["directions", "magnitudes"],
            read("directions", self.directions)?,
            read("magnitudes", self.magnitudes)?,
        )?;
        let truth = planted.map(|planted| of_length_1(planted, (count, width))).transpose()?;
        let (words, unembed) = spoken.map_or((Vec::new(), None), |(w, u)| (w, Some(u)));
        Ok(Ground {
            readout,
            per_context: self.context,
            words,
            unembed,
            embedded,
            truth,
            listed: TOP_K,
            cycles: CYCLES,
            ..Ground::of(World::Own, seed, rows)
        })
    }
}

/// Directions of length 1, of which rows have so much the more.
fn of_length_1(
    (mut directions, mut magnitudes): (Matrix, Matrix),
    (count, width): (usize, usize),
) -> Result<Truth> {
    fits("directions", &directions, (directions.rows(), width))?;
    fits("magnitudes", &magnitudes, (count, directions.rows()))?;
    let mut lengths = Vec::with_capacity(directions.rows());
    for row in 0..directions.rows() {
        let row = directions.row_mut(row);
        let length = f64::sqrt(kernel::dot(row, row));
        if !(length > 0.0 && length.is_finite()) {
            return Err(Refusal::value(
                "directions",
                length.to_string(),
                "rows of a length above 0",
            ));
        }
        row.iter_mut().for_each(|x| *x /= length);
        lengths.push(length);
    }
    for row in magnitudes.data_mut().chunks_exact_mut(lengths.len().max(1)) {
        row.iter_mut().zip(&lengths).for_each(|(x, length)| *x *= length);
    }
    Ok(Truth { directions, magnitudes })
}

/// Two autoencoders as they are read: another family as wide, and a smaller one.
fn held(others: &[InFolder<'_>]) -> PyResult<Option<[Weights; 2]>> {
    let mut read = others.iter().map(|folder| autoencoder(folder, MEMORY_CAP));
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
    rows: Option<Array2<'_>>,
    known: Known<'_>,
    world: Option<&str>,
    sae: InFolder<'_>,
    others: Vec<InFolder<'_>>,
    ids: Option<Vec<String>>,
    seed: u32,
    preset_of: &str,
    tell: Option<Py<PyAny>>,
) -> PyResult<String> {
    let takes = |metric: &Metric| matches!(metric.measure, Measure::Decomposition(_));
    let metrics = wanted(ids.as_deref(), "decompositions", takes)?;
    let seed = seeded(seed)?;
    let preset = preset(preset_of)?;
    let own = match rows {
        Some(rows) => {
            let rows = matrix("activations", &rows)?;
            if rows.rows() < ROWS_MIN {
                let found = format!("{} rows", rows.rows());
                let allowed = format!("{ROWS_MIN} rows or more");
                return Err(Refusal::value("activations", found, allowed).into());
            }
            Some(known.ground(rows, seed)?)
        }
        None => None,
    };
    let weights = autoencoder(&sae, MEMORY_CAP)?;
    let others = held(&others)?;
    heard(py, tell, |listener| {
        let ground = match (own, world) {
            (Some(ground), _) => ground,
            (None, Some(name)) => of_world(name, seed, preset)?.0,
            (None, None) => {
                return Err(Refusal::value("activations", "missing", "rows, or a world's name"));
            }
        };
        listener.hear("rows", 0.0);
        let latents = weights.decoder.rows();
        let beside = others.map(|[one, two]| {
            fits("beside[0]", &one.decoder, (latents, ground.rows.cols()))?;
            fits("beside[1]", &two.decoder, (two.decoder.rows(), ground.rows.cols()))?;
            if two.decoder.rows() >= latents {
                let allowed = format!("fewer than {latents} latents, as the autoencoder has");
                let found = format!("{} latents", two.decoder.rows());
                return Err(Refusal::value("beside[1]", found, allowed));
            }
            Beside::at(one, two, &ground.rows).map_err(Refusal::from)
        });
        let ground = Rc::new(Ground { beside: beside.transpose()?, ..ground });
        // It is asked for: rows' own metrics and dear ones say something of it, too.
        let subject = Decomposition::new(ground, weights, seconds)?.of_its_rows().thoroughly();
        measured!(&metrics, Measure::Decomposition, &subject, listener)
    })
}

/// Heads by a word, or by layer and number.
#[derive(FromPyObject)]
pub enum Which {
    Word(String),
    These(Vec<(usize, usize)>),
}

/// What metrics of the registry say of some heads.
#[pyfunction]
#[pyo3(signature = (heads, task, checkpoint, ids, seed, preset_of, tell = None))]
#[expect(clippy::too_many_arguments)]
pub fn measure_circuit(
    py: Python<'_>,
    heads: Which,
    task: &str,
    checkpoint: &str,
    ids: Option<Vec<String>>,
    seed: u32,
    preset_of: &str,
    tell: Option<Py<PyAny>>,
) -> PyResult<(Vec<(usize, usize)>, String)> {
    let takes = |metric: &Metric| matches!(metric.measure, Measure::Circuit(_));
    let metrics = wanted(ids.as_deref(), "circuits", takes)?;
    let (seed, preset) = (seeded(seed)?, preset(preset_of)?);
    let heads = match heads {
        Which::These(heads) => Heads::Named(heads),
        Which::Word(word) => match word.as_str() {
            "found" => Heads::Found,
            "full" => Heads::Full,
            "empty" => Heads::Empty,
            _ => {
                let allowed = "found, full, empty, or a list of (layer, head)";
                return Err(Refusal::value("heads", format!("{word:?}"), allowed).into());
            }
        },
    };
    let of = match Task::named(task) {
        Some(task) => Of::Task { task, checkpoint },
        None if task == PLANTED => Of::Planted,
        None => {
            let allowed = format!("{}, {PLANTED}", Task::NAMES.join(", "));
            return Err(Refusal::value("task", format!("{task:?}"), allowed).into());
        }
    };
    heard(py, tell, |listener| {
        listener.hear("heads", 0.0);
        let subject = alone::circuit(of, &heads, seed, preset, seconds)?;
        let found = measured!(&metrics, Measure::Circuit, &subject, listener)?;
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
    let takes = |metric: &Metric| matches!(metric.measure, Measure::Model(_));
    let metrics = wanted(ids.as_deref(), "models", takes)?;
    let (seed, preset) = (seeded(seed)?, preset(preset_of)?);
    // A name that is no file's is meant for a checkpoint's.
    let path = Path::new(model);
    let named = path.extension().is_none() && !path.exists();
    let parameters: Parameters = if CHECKPOINTS.contains(&model) || named {
        toy_model::parameters(model).map_err(Refusal::from)?
    } else {
        weights_of_model(files, model, MEMORY_CAP)?
    };
    heard(py, tell, |listener| {
        let subject = alone::model(&parameters, seed, preset, seconds)?;
        measured!(&metrics, Measure::Model, &subject, listener)
    })
}

/// What metrics of the registry say of another metric's scores: of two groups of prompts, or run by run.
#[pyfunction]
#[pyo3(signature = (groups = None, better = None, other = None, prompts = None, ids = None))]
pub fn measure_scores(
    py: Python<'_>,
    groups: Option<[PyReadonlyArray1<'_, f64>; 2]>,
    better: Option<Array2<'_>>,
    other: Option<Array2<'_>>,
    prompts: Option<Vec<Vec<usize>>>,
    ids: Option<Vec<String>>,
) -> PyResult<String> {
    let takes = |metric: &Metric| matches!(metric.measure, Measure::Scores(_));
    let metrics = wanted(ids.as_deref(), "scores", takes)?;
    let said = match (groups, better, other) {
        (Some(groups), None, None) => {
            Scored::Groups(groups.map(|group| group.as_array().iter().copied().collect()))
        }
        (None, Some(better), Some(other)) => {
            let (better, other) = (matrix("better", &better)?, matrix("other", &other)?);
            fits("other", &other, better.shape())?;
            let (runs, columns) = better.shape();
            let prompts = prompts.unwrap_or_else(|| vec![(0..columns).collect(); runs]);
            if prompts.len() != runs || prompts.iter().any(|run| run.len() != columns) {
                let lengths: Vec<String> =
                    prompts.iter().map(|run| run.len().to_string()).collect();
                let allowed = format!("{runs} lists of {columns} prompts");
                return Err(Refusal::value("prompts", lengths.join(", "), allowed).into());
            }
            let rows = |matrix: &Matrix| matrix.iter_rows().map(<[f64]>::to_vec).collect();
            Scored::Runs { better: rows(&better), other: rows(&other), prompts }
        }
        _ => {
            let allowed = "either groups, or better and other";
            return Err(Refusal::value("scores", "neither or both", allowed).into());
        }
    };
    heard(py, None, |listener| {
        let subject = Scores::new(said, seconds);
        measured!(&metrics, Measure::Scores, &subject, listener)
    })
}
