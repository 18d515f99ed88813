//! A reader's own decomposition: files in, a report out.
//!
//! Made for a worker, which can read a `File` synchronously. A page uses it so:
//!
//! 1. `new OwnFiles(cap)`; for each file `add(name, bytes)` with a `Uint8Array` or
//!    `addFile(name, size, read)`, where `read(offset, length)` returns the `Uint8Array` of that part
//!    (in a worker `new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(…)))`), so that
//!    a file larger than memory is read as it is needed. `describe()` lists what is there.
//! 2. `plan(request)` holds shapes against each other and the memory against its cap, and returns an
//!    `OwnSession`; nothing but headers has been read.
//! 3. `step()` until its `phase` is `"done"`; between steps the worker may listen for "cancel".
//! 4. `finish()` returns the report; then `script()` the NumPy program.
//!
//! Or in several workers that have opened and planned the same: the first deals pieces of work (`deal`), each of them
//! does some (`work`; the others by `help()`), and the first takes what comes of them in the order in which they were
//! dealt (`take`). When loading is done its `basis()` goes to the others' `adopt` before any piece of rows.
//!
//! Everything refused is thrown as `{code, message, field?}`, `field` being a file's or an option's name.

use std::rc::Rc;

use js_sys::{Float32Array, Function, Object, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::convert::{ThrownError, failure_error, from_js, js_error, report_progress, to_js};
use crate::io::{self, DataFile, Description, Format, IoError, ReadAt};
use crate::lab::evaluate::{
    Basis, ComparisonRequest, EvaluationError, EvaluationPlan, EvaluationReport, EvaluationRun, EvaluationWorker, Job,
    ListedAutoencoder, OpenFiles, Options, PartialResult, Request, SaeFileNames, UserRows, WorldRequest,
    check_has_script, evaluation_script, open_sae_folder,
};
use crate::object;
use crate::sae::layout::files::{display_names, find_autoencoders};
use crate::sae::{SaeFolder, layout};
use crate::synthetic::World;
use crate::synthetic::synth_sae_bench::SavedModel;

fn file_error(error: IoError) -> JsValue {
    failure_error(EvaluationError::from(error))
}

/// Bytes on JavaScript's side, copied as they are needed.
pub(super) enum JsSource {
    /// All of them.
    Bytes(Uint8Array),
    /// Parts, as `read(offset, length)` returns them.
    Parts { size: u64, read: Function },
}

impl JsSource {
    pub(super) fn from_reader(name: &str, size: f64, read: Function) -> Result<Self, JsValue> {
        if !(0.0..=9e15).contains(&size) {
            let message = format!("{name} cannot have {size} bytes");
            return Err(js_error("io.unreadable", &message, Some(name)));
        }
        Ok(Self::Parts { size: size as u64, read })
    }
}

impl ReadAt for JsSource {
    fn size(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => u64::from(bytes.length()),
            Self::Parts { size, .. } => *size,
        }
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        let part = match self {
            Self::Bytes(bytes) => {
                let end = offset.checked_add(into.len() as u64);
                let end = end.and_then(|end| u32::try_from(end).ok()).ok_or("beyond the end")?;
                // The end is below 2³², so the offset is too.
                bytes.subarray(offset as u32, end)
            }
            Self::Parts { read, .. } => {
                let (offset, length) = (offset as f64, into.len() as f64);
                let part = read.call2(&JsValue::NULL, &offset.into(), &length.into());
                let part = part.map_err(|error| {
                    let said = js_sys::Reflect::get(&error, &"message".into());
                    let said = said.ok().and_then(|said| said.as_string());
                    said.unwrap_or_else(|| "the file cannot be read".to_owned())
                })?;
                part.dyn_into::<Uint8Array>().map_err(|_| "no Uint8Array was returned".to_owned())?
            }
        };
        if part.length() as usize != into.len() {
            return Err(format!("{} bytes where {} were asked for", part.length(), into.len()));
        }
        part.copy_to(into);
        Ok(())
    }
}

enum FileContent {
    Data(Rc<DataFile>),
    /// The bytes of a configuration, in JSON or YAML.
    Json(String, Vec<u8>),
}

struct OpenFile {
    held: FileContent,
    /// The archive that it came in.
    packed: Option<String>,
}

impl OpenFile {
    /// Whether it is the file of a name, or came in the archive of that name.
    fn matches_name(&self, name: &str) -> bool {
        self.held.name() == name || self.packed.as_deref() == Some(name)
    }
}

/// Files that a reader has opened.
#[wasm_bindgen]
pub struct OwnFiles {
    cap: u64,
    files: Vec<OpenFile>,
}

#[wasm_bindgen]
impl OwnFiles {
    /// No files yet. What has to be unpacked of all of them (deflated arrays, text) may take `cap` bytes;
    /// by default 1 GiB.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(cap: Option<f64>) -> Self {
        // A float becomes the nearest number there is.
        let cap = cap.map_or(Options::default().memory, |cap| cap as u64);
        Self { cap: cap.min(Options::MEMORY_MAX), files: Vec::new() }
    }

    /// Opens a file that is in memory; its bytes stay JavaScript's, and must not change. A file of the
    /// same name is replaced. Returns what it is, as `describe` lists it; of a .zip with an autoencoder's
    /// folder `{name, format: "zip", inside: […]}`, and the files in it are open under their paths.
    pub fn add(&mut self, name: &str, bytes: Uint8Array) -> Result<JsValue, JsValue> {
        self.open(name, JsSource::Bytes(bytes))
    }

    /// Opens a file of which `read(offset, length)` returns parts, synchronously, as `Uint8Array`s.
    #[wasm_bindgen(js_name = addFile)]
    pub fn add_file(&mut self, name: &str, size: f64, read: Function) -> Result<JsValue, JsValue> {
        self.open(name, JsSource::from_reader(name, size, read)?)
    }

    fn open(&mut self, name: &str, source: JsSource) -> Result<JsValue, JsValue> {
        let source: Rc<dyn ReadAt> = Rc::new(source);
        let packed =
            if io::is_archived_folder(name, &source).map_err(file_error)? { Some(name.to_owned()) } else { None };
        let mut opened = Vec::new();
        // What it takes the place of does not count.
        let others = self.files.iter().filter(|open| !open.matches_name(name));
        let others: u64 = others.map(|open| open.held.unpacked_bytes()).sum();
        let mut left = self.cap.saturating_sub(others);
        if packed.is_some() {
            for file in io::unpack_files(name, &source, left).map_err(file_error)? {
                let held = Self::read_file_content(&file.name, file.source, left)?;
                left = left.saturating_sub(held.unpacked_bytes());
                opened.push(held);
            }
        } else {
            opened.push(Self::read_file_content(name, Box::new(source), left)?);
        }
        self.remove(name);
        for held in &opened {
            self.remove(held.name());
        }
        let inside: Vec<FileDescription> = opened.iter().map(FileDescription::from_content).collect();
        let all = opened.into_iter().map(|held| OpenFile { held, packed: packed.clone() });
        self.files.extend(all);
        match (packed, inside.as_slice()) {
            (None, [row]) => to_js(row),
            // The files of an archive of a folder are open under their paths in it.
            _ => to_js(&object! { name, format: "zip", inside }),
        }
    }

    fn read_file_content(name: &str, source: Box<dyn ReadAt>, cap: u64) -> Result<FileContent, JsValue> {
        let lower = name.to_ascii_lowercase();
        if [".json", ".yaml", ".yml"].iter().any(|end| lower.ends_with(end)) {
            // A model of SynthSAEBench has a hierarchy that is larger than configurations are.
            let bytes = match lower.ends_with(SavedModel::HIERARCHY_FILE) {
                true => io::read_capped(name, &*source, "a hierarchy", io::json::BYTES_MAX),
                false => SaeFolder::read_config(name, &*source),
            };
            return Ok(FileContent::Json(name.to_owned(), bytes.map_err(file_error)?));
        }
        let file = DataFile::open(name, source, cap).map_err(file_error)?;
        Ok(FileContent::Data(Rc::new(file)))
    }

    /// Forgets a file; of an archive all that are in it.
    pub fn remove(&mut self, name: &str) {
        self.files.retain(|open| !open.matches_name(name));
    }

    /// The files: `[{name, format, arrays: [{name, dtype, shape, rows, cols}], autoencoder?}]`; `format` is "npy",
    /// "npz", "safetensors", "pt", "csv", or "json", which has no arrays; `autoencoder` says that the tensors are those of
    /// one, in any layout that is read.
    pub fn describe(&self) -> Result<JsValue, JsValue> {
        to_js(&self.files.iter().map(|open| FileDescription::from_content(&open.held)).collect::<Vec<_>>())
    }

    /// The autoencoders among these files, as a release has many: `[{name, sae, found?: {name, dimensions, k, transcoder?,
    /// recognised}, problem?: {code, message, field?}}]`, `sae` being what `plan` takes; `problem` says why one is not read.
    pub fn autoencoders(&self) -> Result<JsValue, JsValue> {
        #[derive(Serialize)]
        struct AutoencoderRow {
            name: String,
            sae: SaeFileNames,
            #[serde(skip_serializing_if = "Option::is_none")]
            found: Option<ListedAutoencoder>,
            #[serde(skip_serializing_if = "Option::is_none")]
            problem: Option<ThrownError>,
        }
        let mut all = find_autoencoders(&self.names());
        // Activations may be in files of the same kinds.
        all.retain(|one| self.data_file(&one.weights).is_ok_and(|file| layout::is_autoencoder(&file)));
        let row = |(name, sae): (String, SaeFileNames)| {
            let listed = open_sae_folder(&sae, self)
                .and_then(|folder| ListedAutoencoder::new(name.clone(), &folder).map_err(EvaluationError::from));
            let (found, problem) = match listed {
                Ok(found) => (Some(found), None),
                Err(error) => (None, Some(ThrownError::from(crate::study::Failure::from(&error)))),
            };
            AutoencoderRow { name, sae, found, problem }
        };
        let names = display_names(&all);
        to_js(&names.into_iter().zip(all).map(row).collect::<Vec<_>>())
    }

    /// Scores several decompositions of the same rows, with controls where there is a seed of them: `{members: [{name,
    /// request}], seed?}`, each request as `plan` takes it. `tell(row, share)` hears which row is being evaluated and the
    /// share of everything that is done. Returns the table, as `compare --json` prints it.
    pub fn compare(&self, request: JsValue, tell: &Function) -> Result<JsValue, JsValue> {
        let request: ComparisonRequest = from_js("evaluate", request)?;
        let mut hear = |row: &str, share: f64| report_progress(tell, row, share);
        to_js(&request.run(self, &mut hear).map_err(|error| failure_error(&error))?)
    }

    /// Activations, and what reads them out, as a world to train on: `{activations: {file, array?},
    /// readout?: {file, array?, transposed?}, readout_bias?, seed}`.
    pub fn given(&self, request: JsValue) -> Result<OwnActivations, JsValue> {
        let request: WorldRequest = from_js("world", request)?;
        let rows = request.open_rows(self).map_err(|error| failure_error(&error))?;
        Ok(OwnActivations { files: rows, seed: request.seed })
    }

    /// Plans an evaluation: `{activations: {file, array?}, sae: {config, weights}, readout?: {file,
    /// array?, transposed?}, readout_bias?, options?}`, or in place of `sae` a `dictionary: {file,
    /// array?, transposed?}` with `codes: {file, array?}` or `codes_by: "projection" |
    /// "least-squares" | "top-8"`, and a `decoder_bias` beside codes. `skip` says which rows are left out: `{zero_rows,
    /// rows, norm_above}`. `options` are those of the library: `{fidelity, completeness,
    /// variance, weights, active_rows, memory}`, all optional.
    pub fn plan(&self, request: JsValue) -> Result<OwnSession, JsValue> {
        let request: Request = from_js("evaluate", request)?;
        let plan = request.plan(self).map_err(|error| failure_error(&error))?;
        Ok(OwnSession { run: Some(EvaluationRun::new(plan.clone())), plan, found: None })
    }
}

impl OwnFiles {
    /// Names of all files that are open.
    pub(super) fn names(&self) -> Vec<String> {
        self.files.iter().map(|open| open.held.name().to_owned()).collect()
    }
}

impl OpenFiles for OwnFiles {
    fn data_file(&self, name: &str) -> Result<Rc<DataFile>, EvaluationError> {
        let found = self.files.iter().find_map(|open| match &open.held {
            FileContent::Data(file) if file.name() == name => Some(Rc::clone(file)),
            _ => None,
        });
        found.ok_or_else(|| EvaluationError::NotOpen(name.to_owned()))
    }

    fn config_bytes(&self, name: &str) -> Result<Vec<u8>, EvaluationError> {
        let found = self.files.iter().find_map(|open| match &open.held {
            FileContent::Json(other, bytes) if other == name => Some(bytes.clone()),
            _ => None,
        });
        found.ok_or_else(|| EvaluationError::NotOpen(name.to_owned()))
    }
}

impl FileContent {
    /// Bytes of memory that it holds of what had to be unpacked.
    fn unpacked_bytes(&self) -> u64 {
        match self {
            Self::Data(file) => file.unpacked_bytes(),
            Self::Json(_, bytes) => bytes.len() as u64,
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Data(file) => file.name(),
            Self::Json(name, _) => name,
        }
    }
}

/// A file, described.
#[derive(Serialize)]
struct FileDescription {
    name: String,
    #[serde(flatten)]
    kind: FileFormat,
    arrays: Vec<Description>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    autoencoder: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum FileFormat {
    Data { format: Format },
    Json { format: &'static str },
}

impl FileDescription {
    fn from_content(held: &FileContent) -> Self {
        let autoencoder = matches!(held, FileContent::Data(file) if layout::is_autoencoder(file));
        let (kind, arrays) = match held {
            FileContent::Data(file) => {
                let arrays = file.arrays().iter().map(|array| array.description()).collect();
                (FileFormat::Data { format: file.detected_format() }, arrays)
            }
            FileContent::Json(..) => (FileFormat::Json { format: "json" }, Vec::new()),
        };
        Self { name: held.name().to_owned(), kind, arrays, autoencoder }
    }
}

/// A reader's own activations as a world.
#[wasm_bindgen]
pub struct OwnActivations {
    files: UserRows,
    seed: u32,
}

#[wasm_bindgen]
impl OwnActivations {
    /// The world: an object whose `world` is "given". With `digest` the whole file is read once.
    pub fn world(&self, digest: bool) -> Result<JsValue, JsValue> {
        let world = self.files.to_world(self.seed, digest).map_err(|error| failure_error(&error))?;
        to_js(&World::Own(world))
    }

    /// That many of its rows, as sessions and runners take them: `{activations, readout?, bias?}`, each
    /// a `Float32Array`.
    pub fn draw(&self, rows: usize) -> Result<Object, JsValue> {
        let drawn = self.files.draw_rows(self.seed, rows).map_err(|error| failure_error(&error))?;
        let out = Object::new();
        let parts = [("activations", Some(drawn.activations)), ("readout", drawn.readout), ("bias", drawn.bias)];
        for (key, values) in parts {
            if let Some(values) = values {
                Reflect::set(&out, &key.into(), &Float32Array::from(values.as_slice()))?;
            }
        }
        Ok(out)
    }
}

/// An evaluation that is planned, under way, or finished.
#[wasm_bindgen]
pub struct OwnSession {
    plan: EvaluationPlan,
    run: Option<EvaluationRun>,
    found: Option<EvaluationReport>,
}

#[wasm_bindgen]
impl OwnSession {
    /// `{rows, dimensions, k, outputs, codes, memory, files}`: sizes, how codes are made, the estimated
    /// memory in bytes, here and of `another` worker that helps, and what is read.
    pub fn describe(&self) -> Result<JsValue, JsValue> {
        to_js(&object! {
            #[serde(flatten)]
            shapes: self.plan.shapes(),
            codes: self.plan.codes_label(),
            // Below the cap, and so exact.
            memory: self.plan.peak_memory_bytes() as f64,
            another: self.plan.worker_memory_bytes() as f64,
            files: self.plan.describe_files(),
        })
    }

    fn active_run(&mut self) -> Result<&mut EvaluationRun, JsValue> {
        let over = || js_error("evaluate.finished", "the evaluation is finished already", None);
        self.run.as_mut().ok_or_else(over)
    }

    /// Does one piece of work and says how far it has come: `{phase, done, total}`. Phases are "loading",
    /// "lengths", "rows", "active-subspace", "directions", "done"; `done` and `total` count rows or features.
    /// Loading is the longest step: a dictionary and its row space.
    pub fn step(&mut self) -> Result<JsValue, JsValue> {
        let progress = self.active_run()?.step().map_err(|error| failure_error(&error))?;
        to_js(&progress)
    }

    /// The next piece of work, as bytes; undefined where all that can be done now is dealt.
    pub fn deal(&mut self) -> Result<Option<Vec<u8>>, JsValue> {
        let job = self.active_run()?.assign_job();
        job.map(|job| job.to_bytes()).transpose().map_err(|error| failure_error(&error))
    }

    /// Does a piece of work; returns what comes of it, as bytes.
    pub fn work(&mut self, job: &[u8]) -> Result<Vec<u8>, JsValue> {
        let run = self.active_run()?;
        let part = Job::of_bytes(job).and_then(|job| run.run_job(job));
        part.and_then(|part| part.to_bytes()).map_err(|error| failure_error(&error))
    }

    /// Takes what came of the piece that was dealt first of those that have not been taken; says how far it has come, as
    /// `step`.
    pub fn take(&mut self, part: &[u8]) -> Result<JsValue, JsValue> {
        let run = self.active_run()?;
        PartialResult::of_bytes(part).and_then(|part| run.merge_part(&part)).map_err(|error| failure_error(&error))?;
        to_js(&run.progress())
    }

    /// What others must know before they do pieces of rows, as bytes; undefined before it is known.
    pub fn basis(&mut self) -> Result<Option<Vec<u8>>, JsValue> {
        let basis = self.active_run()?.basis();
        basis.map(|basis| basis.to_bytes()).transpose().map_err(|error| failure_error(&error))
    }

    /// The report of the rows that have been measured so far; null before there is one. Its notes say of how many.
    pub fn provisional(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.active_run()?.provisional_report().map_err(|error| failure_error(&error))?)
    }

    /// Another worker of the same run.
    #[must_use]
    pub fn help(&self) -> OwnHand {
        OwnHand { help: EvaluationWorker::new(&self.plan) }
    }

    /// The report, once `step` says "done": as `evaluate --json` prints it. With `digests` every file is
    /// read once more for its SHA-256.
    pub fn finish(&mut self, digests: bool) -> Result<JsValue, JsValue> {
        self.active_run()?;
        if let Some(run) = self.run.take() {
            let mut found = run.finish().map_err(|error| failure_error(&error))?;
            if digests {
                found.files = self.plan.digest_files().map_err(file_error)?;
            } else {
                self.plan.verify_checksums().map_err(file_error)?;
            }
            self.found = Some(found);
        }
        to_js(&self.found)
    }

    /// The NumPy program that computes the same from the same files, once there is a report. Unless
    /// that has digests, every file is read once more for its own. None for architectures and codes
    /// that no program is written for.
    pub fn script(&self) -> Result<Option<String>, JsValue> {
        let Some(found) = &self.found else {
            return Err(failure_error(&EvaluationError::Unfinished));
        };
        if check_has_script(&self.plan).is_err() {
            return Ok(None);
        }
        evaluation_script(&self.plan, found).map(Some).map_err(|error| failure_error(&error))
    }
}

/// Another worker of a run, which does pieces of work.
#[wasm_bindgen]
pub struct OwnHand {
    help: EvaluationWorker,
}

#[wasm_bindgen]
impl OwnHand {
    /// Takes the first's `basis()`, which must come before any piece of rows.
    pub fn adopt(&mut self, basis: &[u8]) -> Result<(), JsValue> {
        let basis = Basis::of_bytes(basis);
        basis.and_then(|basis| self.help.set_basis(basis)).map_err(|error| failure_error(&error))
    }

    /// Does a piece of work; returns what comes of it, as bytes.
    pub fn work(&mut self, job: &[u8]) -> Result<Vec<u8>, JsValue> {
        let part = Job::of_bytes(job).and_then(|job| self.help.run_job(job));
        part.and_then(|part| part.to_bytes()).map_err(|error| failure_error(&error))
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    const ACTIVATIONS: &[u8] = include_bytes!("../../tests/golden/evaluate/acts_f32.npy");
    const CONFIG: &[u8] = include_bytes!("../../tests/golden/evaluate/sae_topk/cfg.json");
    const WEIGHTS: &[u8] = include_bytes!("../../tests/golden/evaluate/sae_topk/sae_weights.safetensors");

    fn js(text: &str) -> JsValue {
        js_sys::JSON::parse(text).unwrap()
    }

    fn get(value: &JsValue, key: &str) -> JsValue {
        js_sys::Reflect::get(value, &key.into()).unwrap()
    }

    const REQUEST: &str = r#"{"activations": {"file": "a.npy"},
        "sae": {"config": "cfg.json", "weights": "sae_weights.safetensors"}}"#;

    #[wasm_bindgen_test]
    fn files_become_a_report() {
        let mut files = OwnFiles::new(None);
        let bytes = Uint8Array::from(ACTIVATIONS);
        let whole = bytes.clone();
        // Parts on demand, as a worker reads a file.
        let read = Closure::<dyn Fn(f64, f64) -> Uint8Array>::new(move |at: f64, length: f64| {
            whole.slice(at as u32, (at + length) as u32)
        });
        let size = f64::from(bytes.length());
        files.add_file("a.npy", size, read.as_ref().clone().unchecked_into()).unwrap();
        files.add("cfg.json", Uint8Array::from(CONFIG)).unwrap();
        files.add("sae_weights.safetensors", Uint8Array::from(WEIGHTS)).unwrap();
        assert_eq!(js_sys::Array::from(&files.describe().unwrap()).length(), 3);

        let mut run = files.plan(js(REQUEST)).unwrap();
        let described = run.describe().unwrap();
        assert_eq!(get(&described, "rows").as_f64(), Some(150.0));
        assert!(get(&described, "memory").as_f64().unwrap() > 10_000.0);
        assert!(run.script().is_err(), "there is no report yet");
        let mut steps = 0;
        while get(&run.step().unwrap(), "phase").as_string().as_deref() != Some("done") {
            steps += 1;
            assert!(steps < 100);
        }
        let report = run.finish(true).unwrap();
        assert!(get(&report, "sfc").as_f64().unwrap() > 0.0);
        let first = js_sys::Array::from(&get(&report, "files")).get(0);
        assert_eq!(get(&first, "sha256").as_string().unwrap().len(), 64);
        assert!(run.script().unwrap().unwrap().contains("import numpy as np"));
        assert!(run.step().is_err() && run.finish(false).is_err());
    }

    #[wasm_bindgen_test]
    fn activations_become_a_world() {
        use crate::lab::families::{FamiliesConfig, Method};
        let mut files = OwnFiles::new(None);
        files.add("a.npy", Uint8Array::from(ACTIVATIONS)).unwrap();
        let given = files.given(js(r#"{"activations": {"file": "a.npy"}, "seed": 3}"#)).unwrap();
        let world = given.world(true).unwrap();
        assert_eq!(get(&world, "world").as_string().unwrap(), "given");
        assert_eq!(get(&world, "sha256").as_string().unwrap().len(), 64);
        let mut config = FamiliesConfig::small();
        config.methods = vec![Method::Svd, Method::TopK];
        (config.train.steps, config.seeds) = (3, vec![1]);
        let config = crate::web::families_fit(to_js(&config).unwrap(), world.clone()).unwrap();
        let rows = |key: &str| get(&config, key).as_f64().unwrap() as usize;
        let (train, held) = (rows("train_rows"), rows("eval_rows"));
        assert_eq!((train, held), (120, 30));
        let drawn: JsValue = given.draw(150).unwrap().into();
        let runner = crate::web::FamiliesRunner::new(config.clone(), drawn.clone()).unwrap();
        let jobs = js_sys::Array::from(&crate::web::families_jobs(config.clone()).unwrap());
        for job in jobs.iter() {
            let found = runner.run(job).unwrap();
            assert!(get(&found, "fidelity").as_f64().unwrap() > 0.0);
        }
        assert!(crate::web::FamiliesRunner::new(config, JsValue::UNDEFINED).is_err());
        let how = js(r#"{"latents": 16, "k": 2, "batch": 40}"#);
        let mut session = crate::web::TrainSession::new(how, world.clone(), train, held, drawn.clone()).unwrap();
        session.step(5).unwrap();
        let state = session.state().unwrap();
        let measured = crate::web::train_measured(state.clone(), world.clone(), train, held, drawn.clone()).unwrap();
        assert!(get(&measured, "mcc").is_null() || get(&measured, "mcc").is_undefined());
        let zip = crate::web::train_folder(state, world, train, held, drawn, "mine").unwrap();
        assert!(zip.length() > 1_000);
        let code = |error: JsValue| get(&error, "code").as_string().unwrap();
        assert_eq!(code(given.draw(151).unwrap_err()), "evaluate.given");
    }

    #[wasm_bindgen_test]
    fn what_is_refused_says_why() {
        let code = |error: JsValue| get(&error, "code").as_string().unwrap();
        let mut files = OwnFiles::new(Some(1000.0));
        let cut = Uint8Array::from(&ACTIVATIONS[..500]);
        assert_eq!(code(files.add("a.npy", cut).unwrap_err()), "io.truncated");
        let other = Uint8Array::from(&b"what is this"[..]);
        assert_eq!(code(files.add("a.bin", other).unwrap_err()), "io.format");
        let lying = Function::new_no_args("return new Uint8Array(3)");
        let refusal = files.add_file("a.npy", 1e4, lying).unwrap_err();
        assert_eq!(code(refusal), "io.unreadable");
        let throwing = Function::new_no_args("throw new Error('gone')");
        let refusal = files.add_file("a.npy", 1e4, throwing).unwrap_err();
        assert!(get(&refusal, "message").as_string().unwrap().contains("gone"));
        assert!(files.add_file("a.npy", f64::NAN, Function::new_no_args("")).is_err());
        assert_eq!(code(files.plan(js(REQUEST)).err().unwrap()), "evaluate.file");
        assert_eq!(code(files.plan(js("{}")).err().unwrap()), "evaluate.malformed");
        files.add("a.npy", Uint8Array::from(ACTIVATIONS)).unwrap();
        let both = r#"{"activations": {"file": "a.npy"}}"#;
        assert_eq!(code(files.plan(js(both)).err().unwrap()), "evaluate.method");
        let tight = r#"{"activations": {"file": "a.npy"}, "dictionary": {"file": "a.npy"},
            "options": {"memory": 5}}"#;
        assert_eq!(code(files.plan(js(tight)).err().unwrap()), "evaluate.memory");
    }
}
