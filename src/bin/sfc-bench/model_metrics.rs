//! The papers' metrics on a language model of one's own: FADE, CE-Bench, the Model Utilization Index, and circuits of heads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use sfc_bench::lab::language_model::{
    AnswerDifference, CeBenchOptions, CeBenchRun, CircuitOptions, CircuitReport, CircuitRun, CircuitVerdict, Estimate,
    FadeOptions, FadeReport, FadeRun, HeadAblationKind, HeadCircuit, HeadOrder, MuiChange, MuiDirections, MuiModel,
    MuiOptions, MuiReport, MuiRun, MuiTaskLaw, SteeredFeatures, StoryPair, TaskCircuits, TaskKind, template_pairs,
};
use sfc_bench::model::{Hook, LanguageModel, ModelFiles};
use sfc_bench::papers::ce_bench::{self, metric::Reading};
use sfc_bench::papers::fade::Settings;
use sfc_bench::papers::measurement::circuit::head_name;
use sfc_bench::papers::mui;
use sfc_bench::papers::mui::user_files::UserLaw;
use sfc_bench::sae::Autoencoder;
use sfc_bench::sae::latents::{DEFAULT_CONCEPTS, SAMPLE_TEXT};
use sfc_bench::settings::{self, ParameterDraft as _, Value};
use sfc_bench::study::user_file::UserFile;
use sfc_bench::{Problem, object};

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_number, format_optional, to_json};
use crate::parameters::{ParameterArgs, parse_choice};
use crate::progress::{print_notes, progress_bar};
use crate::study_pieces::StudyCheckpoint;
use crate::{checkpoint, study_pieces, user_model};

/// The model, and where in it.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A language model of your own")]
pub struct ModelArgs {
    /// Take this language model instead of the toy model: a folder or a .gguf file as for `model own`
    #[arg(long, value_name = "PATH")]
    pub model: Option<PathBuf>,
    /// Memory the model may take, in MiB; by default 2048
    #[arg(long, value_name = "MIB", requires = "model")]
    memory: Option<u32>,
}

/// Where an autoencoder, by its folder, is in the model.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A language model of your own")]
pub struct HookArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The place of the autoencoder, where its configuration names none; --sae is its folder then
    #[arg(long, value_name = "NAME", requires = "model")]
    hook: Option<String>,
    #[command(flatten)]
    checkpoint: checkpoint::Options,
}

/// What FADE of an autoencoder in the model is of.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A language model of your own")]
pub struct FadeArgs {
    #[command(flatten)]
    pub of: HookArgs,
    /// Natural texts: a text whose parts are between blank lines, in place of the one that is built in
    #[arg(long, value_name = "FILE.txt", requires = "model")]
    corpus: Option<PathBuf>,
    /// Rules of concepts, a line each, in place of those that are built in
    #[arg(long, value_name = "FILE.txt", requires = "model")]
    concepts: Option<PathBuf>,
    /// Which features are steered, for faithfulness: gated (those clear and responsive enough, as by default), all or none
    #[arg(long, value_name = "WORD", requires = "model")]
    steer: Option<String>,
    /// Tokens that are written after each prompt; by default 6
    #[arg(long, value_name = "N", requires = "model")]
    written: Option<usize>,
}

/// What CE-Bench of an autoencoder in the model is of.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A language model of your own")]
pub struct StoryArgs {
    #[command(flatten)]
    pub of: HookArgs,
    /// Pairs of stories as CE-Bench's data set has them, in place of those that are made by templates: story1, story2 and
    /// subject, with <subject> and </subject> around what tells them apart
    #[arg(long, value_name = "FILE.csv|.json|.jsonl", requires = "model")]
    stories: Option<PathBuf>,
}

/// Refuses parameters of the toy model's run but some.
fn reject_other_parameters<S: settings::Parameters>(knobs: &ParameterArgs<S>, taken: &[&str]) -> Result<(), Problem> {
    let given = |name| match knobs.draft().get(name) {
        None | Some(Value::Switch(false)) => false,
        Some(_) => true,
    };
    let refused = S::FIELDS.iter().find(|field| !taken.contains(&field.name) && given(field.name));
    refused.map_or(Ok(()), |field| Err(Problem::new(field.name, "given", "no value with --model")))
}

/// A whole number among a run's parameters.
fn integer_parameter<S: settings::Parameters>(
    knobs: &ParameterArgs<S>,
    name: &'static str,
    usual: usize,
) -> Result<usize, Problem> {
    match knobs.draft().number(name) {
        None => Ok(usual),
        Some(value) if value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value) => Ok(value as usize),
        Some(value) => Err(Problem::new(name, value.to_string(), "a whole number from 0")),
    }
}

impl ModelArgs {
    fn memory_bytes(&self) -> u64 {
        u64::from(self.memory.unwrap_or(2_048)) << 20
    }

    fn open_files(&self, path: &Path) -> Result<ModelFiles, BoxError> {
        let cap = self.memory_bytes();
        Ok(ModelFiles::open(user_model::list_files(path, cap)?, cap)?)
    }

    /// SHA-256 of each file.
    fn digest_files(&self, path: &Path) -> Result<BTreeMap<String, String>, BoxError> {
        study_pieces::digest_model(user_model::list_files(path, self.memory_bytes())?)
    }
}

impl HookArgs {
    /// Refuses what is of a model alone.
    pub fn check(&self) -> Result<(), Problem> {
        if self.checkpoint.is_given() && self.model.model.is_none() {
            return Err(Problem::new("checkpoint", "given", "no value without --model"));
        }
        Ok(())
    }

    /// Where the pieces of a run are kept; `settings` are all that they follow from but the files and the place.
    fn open_study_checkpoint<S: settings::Parameters>(
        &self,
        command: &str,
        path: &Path,
        knobs: &ParameterArgs<S>,
        (hook, steps): (Hook, usize),
        mut settings: Json,
    ) -> Result<StudyCheckpoint, BoxError> {
        let settings = || {
            settings["hook"] = hook.to_string().into();
            let autoencoder = study_pieces::digest_autoencoder(&Self::sae_path(knobs)?, self.model.memory_bytes())?;
            settings["autoencoder"] = serde_json::to_value(autoencoder)?;
            settings["model"] = serde_json::to_value(self.model.digest_files(path)?)?;
            Ok(settings)
        };
        StudyCheckpoint::open(&self.checkpoint, command, settings, steps)
    }

    /// The folder of the autoencoder, which a run's parameters name.
    fn sae_path<S: settings::Parameters>(knobs: &ParameterArgs<S>) -> Result<PathBuf, Problem> {
        match knobs.draft().get("sae") {
            Some(Value::Word(sae)) => Ok(sae.into()),
            _ => Err(Problem::new("sae", "nothing", "the folder of an autoencoder")),
        }
    }

    /// The model, the autoencoder that a run's parameters name, and its place.
    fn open_model_and_sae<S: settings::Parameters>(
        &self,
        path: &Path,
        knobs: &ParameterArgs<S>,
    ) -> Result<(LanguageModel, Autoencoder, Hook), BoxError> {
        let (sae, cap) = (Self::sae_path(knobs)?, self.model.memory_bytes());
        let files = self.model.open_files(path)?;
        let autoencoder = user_model::open_autoencoder(&sae, cap)?;
        let hook = match &self.hook {
            None => user_model::configured_hook(files.architecture(), &autoencoder)?,
            Some(name) => user_model::parse_hook(files.architecture(), name)?,
        };
        Ok((files.read(cap)?, autoencoder, hook))
    }
}

impl FadeArgs {
    /// How latents are rated.
    fn options(&self, knobs: &ParameterArgs<Settings>) -> Result<FadeOptions, BoxError> {
        reject_other_parameters(knobs, &["sae", "made", "seed", "continuations", "factors"])?;
        let usual = FadeOptions::default();
        let steer = match &self.steer {
            None => SteeredFeatures::Gated,
            Some(found) => parse_choice("steer", found, &SteeredFeatures::ALL, |steer| steer.name())?,
        };
        let factors = match knobs.draft().get("factors") {
            Some(Value::List(factors)) => factors,
            _ => usual.factors.clone(),
        };
        Ok(FadeOptions {
            seed: integer_parameter(knobs, "seed", 0)? as u32,
            made: integer_parameter(knobs, "made", usual.made)?,
            prompts: integer_parameter(knobs, "continuations", usual.prompts)?,
            written: self.written.unwrap_or(usual.written),
            steer,
            factors,
            ..usual
        })
    }

    pub fn run(&self, path: &Path, knobs: &ParameterArgs<Settings>, format: Format) -> Result<String, BoxError> {
        let options = self.options(knobs)?;
        let read = |path: &Option<PathBuf>, usual: &str| match path {
            Some(path) => user_model::read_text(path),
            None => Ok(usual.to_owned()),
        };
        let (corpus, rules) = (read(&self.corpus, SAMPLE_TEXT)?, read(&self.concepts, DEFAULT_CONCEPTS)?);
        let concepts = user_model::parse_concepts(&rules)?;
        let (model, autoencoder, hook) = self.of.open_model_and_sae(path, knobs)?;
        let tokenizer = user_model::model_tokenizer(&model)?;
        let texts = (corpus.as_str(), concepts);
        let settings = json!({
            "options": options,
            "corpus": study_pieces::digest_text(&corpus)?,
            "concepts": study_pieces::digest_text(&rules)?,
        });
        let mut run = FadeRun::new(&model, tokenizer, &autoencoder, hook, texts, options)?;
        let pieces = self.of.open_study_checkpoint("fade", path, knobs, (hook, run.steps()), settings)?;
        pieces.run_steps(0, || Ok(run.step(&model, tokenizer, &autoencoder)? < run.steps()))?;
        format_fade(&run.report(), format)
    }
}

/// The columns of a number with its interval: one for people, three for programs.
fn interval_columns(name: &str, format: Format) -> Vec<String> {
    match format {
        Format::Csv => ["", ", low", ", high"].map(|end| format!("{name}{end}")).to_vec(),
        _ => vec![name.to_owned()],
    }
}

/// What stands in them.
fn interval_cells(value: Option<f64>, interval: Option<[f64; 2]>, format: Format) -> Vec<String> {
    let shown = |value| format_optional(format, value);
    let [low, high] = interval.map_or([None; 2], |ends| ends.map(Some)).map(shown);
    match (format, interval) {
        (Format::Csv, _) => vec![shown(value), low, high],
        (_, Some(_)) => vec![format!("{} ({low} to {high})", shown(value))],
        (_, None) => vec![shown(value)],
    }
}

fn format_fade(report: &FadeReport, format: Format) -> Result<String, BoxError> {
    if format == Format::Json {
        return to_json(report);
    }
    let [clarity, responsiveness] = ["clarity", "responsiveness"].map(|name| interval_columns(name, format));
    let columns = [
        &["concept", "texts", "feature", "number"].map(str::to_owned)[..],
        &clarity,
        &responsiveness,
        &["purity", "by chance", "faithfulness", "at factor", "gate"].map(str::to_owned),
    ]
    .concat();
    let mut rows = TextTable::new(&columns);
    for row in &report.concepts {
        let features = [("latent", &row.latent), ("random direction", &row.random), ("shuffled labels", &row.shuffled)];
        for (name, feature) in features {
            let Some(feature) = feature else { continue };
            let scores = [
                (feature.clarity.code, feature.intervals.clarity),
                (feature.responsiveness.code, feature.intervals.responsiveness),
            ];
            let mut cells = vec![row.concept.clone(), row.with.to_string()];
            cells.extend([name.to_owned(), feature.index.to_string()]);
            cells.extend(scores.into_iter().flat_map(|(value, ends)| interval_cells(value, ends, format)));
            cells.extend([
                format_optional(format, feature.purity.code),
                format_optional(format, row.prevalence),
                format_optional(format, feature.faithfulness),
                feature.best_factor.map_or_else(|| "–".to_owned(), |factor| factor.to_string()),
                if feature.gate { "passed" } else { "–" }.to_owned(),
            ]);
            rows.push(cells);
        }
    }
    let none: Vec<&str> =
        report.concepts.iter().filter(|row| row.latent.is_none()).map(|row| row.concept.as_str()).collect();
    let none = match none.as_slice() {
        [] => String::new(),
        none => format!("too few texts have, or lack, {}\n", none.join(", ")),
    };
    rows.render(format, |table| {
        format!(
            "{}: of each concept the latent (of {}) and the random direction (of {}) that separate its tokens best in {} texts, \
             rated in {} others by the reference code's reading, with 95 % intervals over texts, 0 in them where the \
             direction is not sure\n{table}{none}",
            report.hook,
            report.latents,
            report.directions,
            report.chosen_in,
            report.natural.len(),
        )
    })
}

impl StoryArgs {
    pub fn run(
        &self,
        path: &Path,
        knobs: &ParameterArgs<ce_bench::Settings>,
        format: Format,
    ) -> Result<String, BoxError> {
        reject_other_parameters(knobs, &["sae", "seed"])?;
        let options = CeBenchOptions { seed: integer_parameter(knobs, "seed", 0)? as u32 };
        let mut settings = json!({ "options": options });
        let pairs = match &self.stories {
            None => template_pairs(),
            Some(path) => {
                let text = user_model::read_text(path)?;
                settings["stories"] = study_pieces::digest_text(&text)?.into();
                let file = UserFile { name: path.display().to_string(), bytes: text.into() };
                let named = |(name, stories)| StoryPair { name, stories };
                ce_bench::user_files::read_story_pairs(&file)?.into_iter().map(named).collect()
            }
        };
        let (model, autoencoder, hook) = self.of.open_model_and_sae(path, knobs)?;
        let tokenizer = user_model::model_tokenizer(&model)?;
        let mut run = CeBenchRun::new(&model, tokenizer, &autoencoder, hook, &pairs, options)?;
        let pieces = self.of.open_study_checkpoint("ce-bench", path, knobs, (hook, run.steps()), settings)?;
        pieces.run_steps(0, || Ok(run.step(&model, &autoencoder)? < run.steps()))?;
        let report = run.report().map_err(|error| Problem::new("sae", error.to_string(), "finite latents"))?;
        if format == Format::Json {
            return to_json(&report);
        }
        let scores = ["contrastive", "independence", "interpretability"];
        let scores = scores.map(|name| interval_columns(name, format)).concat();
        let mut rows = TextTable::new(&[&["", "latents", "reading"].map(str::to_owned)[..], &scores].concat());
        let encoders = [
            ("autoencoder", report.autoencoder),
            ("random directions", report.random),
            ("tokens in random order", report.shuffled),
        ];
        for (name, scores) in encoders {
            for reading in Reading::ALL {
                let of = scores.readings.get(reading);
                let ends = scores.intervals.for_reading(reading);
                let numbers = [
                    (of.contrastive, ends.contrastive),
                    (of.independence, ends.independence),
                    (of.interpretability, ends.interpretability),
                ];
                let words = [name.to_owned(), scores.latents.to_string(), reading.name().to_owned()];
                let numbers = numbers.into_iter().flat_map(|(value, ends)| interval_cells(Some(value), ends, format));
                rows.push(words.into_iter().chain(numbers).collect());
            }
        }
        let (hook, pairs) = (report.hook, report.pairs.len());
        rows.render(format, |table| {
            format!(
                "{hook}: means over {pairs} pairs of stories, with 95 % intervals over pairs drawn with replacement\n{table}"
            )
        })
    }
}

/// What the index of a model is of.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A language model of your own")]
pub struct MuiArgs {
    #[command(flatten)]
    pub of: ModelArgs,
    /// An earlier model, such as a base model or a checkpoint, as for --model: directions run from it to --model; with
    /// several, in their order, and with the law over all of them. Only one is in memory at a time
    #[arg(long, value_name = "PATH", requires = "model")]
    before: Vec<PathBuf>,
    /// Go on with what the folder holds of the same settings: with --model, --checkpoint is a folder in which what is done is
    /// kept, question by question
    #[arg(long, requires_all = ["model", "checkpoint"], help_heading = "Interruption")]
    resume: bool,
}

impl MuiArgs {
    fn options(knobs: &ParameterArgs<mui::Settings>) -> Result<MuiOptions, BoxError> {
        reject_other_parameters(knobs, &["prompts", "k", "seed", "threshold", "share", "checkpoint"])?;
        let usual = MuiOptions::default();
        let draft = knobs.draft();
        let kept = draft.number("k").is_some();
        let kept = kept.then(|| integer_parameter(knobs, "k", 0)).transpose()?;
        let threshold = match draft.get("threshold") {
            Some(Value::Word(word)) => word,
            _ => usual.threshold,
        };
        let questions = integer_parameter(knobs, "prompts", usual.questions)?;
        let (seed, share) = (integer_parameter(knobs, "seed", 0)? as u32, draft.number("share"));
        Ok(MuiOptions { seed, questions, threshold, kept, share })
    }

    /// Where the answers of all models are kept, so many numbers a model.
    fn open_study_checkpoint(
        &self,
        path: &Path,
        knobs: &ParameterArgs<mui::Settings>,
        options: &MuiOptions,
        each: usize,
    ) -> Result<StudyCheckpoint, BoxError> {
        let folder = match knobs.draft().get("checkpoint") {
            Some(Value::Word(folder)) => Some(folder.into()),
            _ => None,
        };
        let kept = checkpoint::Options::new(folder, self.resume);
        let settings = || {
            let before = self.before.iter().enumerate();
            let before = before.map(|(at, path)| Ok((at.to_string(), self.of.digest_files(path)?)));
            let before: BTreeMap<_, _> = before.collect::<Result<_, BoxError>>()?;
            let model = self.of.digest_files(path)?;
            Ok(json!({ "options": options, "model": model, "before": before }))
        };
        let most = (self.before.len() + 1) * each;
        StudyCheckpoint::open(&kept, "mui", settings, most)
    }

    /// The index of a model, and where it has gone since the earlier ones.
    pub fn run(&self, path: &Path, knobs: &ParameterArgs<mui::Settings>, format: Format) -> Result<String, BoxError> {
        let options = Self::options(knobs)?;
        let named = |path: &Path, report| MuiModel { model: path.display().to_string(), report };
        let each = TaskKind::ALL.len() * options.questions;
        let mut pieces = None;
        // Each model is let go before the next is read.
        let mut measured = |of: &Path, at: usize| {
            let model = self.of.open_files(of)?.read(self.of.memory_bytes())?;
            let mut run = MuiRun::new(&model, user_model::model_tokenizer(&model)?, options.clone())?;
            // The folder comes once nothing is left that could be refused.
            let pieces = match &mut pieces {
                Some(pieces) => pieces,
                none => none.insert(self.open_study_checkpoint(path, knobs, &options, each)?),
            };
            pieces.run_steps(at * each, || Ok(run.step(&model)? < run.steps()))?;
            Ok::<_, BoxError>(run.report())
        };
        let mut models = Vec::new();
        for (at, path) in self.before.iter().enumerate() {
            models.push(named(path, measured(path, at)?));
        }
        let report = measured(path, models.len())?;
        if models.is_empty() {
            return match format {
                Format::Json => to_json(&report),
                _ => format_indices(&report, format),
            };
        }
        models.push(named(path, report));
        let directions = MuiDirections::from_models(&models)?;
        let Some((MuiModel { report, .. }, before)) = models.split_last() else {
            return Ok(String::new());
        };
        match format {
            Format::Json => to_json(&object! {
                #[serde(flatten)]
                report,
                before,
                directions,
            }),
            Format::Csv => change_table(&directions, format).to_csv(),
            Format::Table => {
                let laws: String = directions.laws.iter().map(format_law).collect();
                let moves = change_table(&directions, format).to_table();
                Ok(format!(
                    "{}\nfrom each model to the next over the same questions, with 95 % intervals over {} resamples of what each question adds; \
                     undetermined where an interval of accuracy or MUI has 0 in it, and of fewer than 10 questions\n{moves}{laws}",
                    format_indices(report, format)?,
                    directions.resamples,
                ))
            }
        }
    }
}

/// A model's index, task by task.
fn format_indices(report: &MuiReport, format: Format) -> Result<String, BoxError> {
    let columns = [
        &["task", "questions"].map(str::to_owned)[..],
        &interval_columns("accuracy", format),
        &["by chance".to_owned()],
        &interval_columns("MUI", format),
        &interval_columns("MUI, another choice", format),
        &["MUI at random".to_owned()],
    ]
    .concat();
    let mut rows = TextTable::new(&columns);
    for task in &report.tasks {
        let cells = [
            &[task.task.name().to_owned(), task.answers.len().to_string()][..],
            &interval_cells(Some(task.accuracy), task.accuracy_interval, format),
            &[format_number(format, task.chance)],
            &interval_cells(Some(task.mui), task.mui_interval, format),
            &interval_cells(Some(task.mui_other), task.mui_other_interval, format),
            &[format_number(format, task.mui_random)],
        ];
        rows.push(cells.concat());
    }
    rows.render(format, |table| {
        format!(
            "{} layers of {} neurons, of which count as used for an answer: {}; {} of all are used for some; with 95 % intervals over \
             questions\n{table}",
            report.layers,
            report.neurons,
            report.threshold,
            format_number(format, report.mui),
        )
    })
}

/// From each model to the next, task by task: for people with intervals in brackets, for programs in columns.
fn change_table(found: &MuiDirections, format: Format) -> TextTable {
    let ends = match format {
        Format::Csv => &["change", "low", "high"][..],
        _ => &["change"],
    };
    let changes = |of: &str| ends.iter().map(|end| format!("{of}, {end}")).collect();
    let columns: [Vec<String>; 6] = [
        ["from", "to", "task", "questions"].map(str::to_owned).to_vec(),
        changes("accuracy"),
        changes("MUI"),
        vec!["direction".to_owned()],
        changes("another choice"),
        ["direction by it", "at random, change"].map(str::to_owned).to_vec(),
    ];
    let mut rows = TextTable::new(&columns.concat());
    for step in &found.steps {
        for task in &step.tasks {
            let change = |of: &MuiChange| interval_cells(Some(of.difference), Some([of.low, of.high]), format);
            let [before, after] = task.mui_random;
            let mut row = vec![step.from.clone(), step.to.clone(), task.task.name().to_owned()];
            row.push(task.questions.to_string());
            row.extend(change(&task.accuracy));
            row.extend(change(&task.mui));
            row.push(task.direction.name().to_owned());
            row.extend(change(&task.mui_other));
            row.push(task.direction_other.name().to_owned());
            row.push(format_number(format, after - before));
            rows.push(row);
        }
    }
    rows
}

/// The law of a task in a line.
fn format_law(MuiTaskLaw { task, law, law_other, refused }: &MuiTaskLaw) -> String {
    let number = |value| format_number(Format::Table, value);
    let line = |UserLaw { law, .. }: &UserLaw| {
        let p = law.p.map_or_else(String::new, |p| format!(", p = {}", number(p)));
        format!("MUI = {} ln P + {} in percent{p}", number(law.a), number(law.b))
    };
    match (law, refused) {
        (Some(law), _) => {
            let other = law_other.as_ref().map(|law| format!("; for another choice {}", line(law)));
            let models = law.points.len();
            format!("{}: {} over {models} models{}\n", task.name(), line(law), other.unwrap_or_default())
        }
        (None, Some(why)) => format!("{}: no law: {why}\n", task.name()),
        (None, None) => String::new(),
    }
}

/// Circuits of a model's heads.
#[derive(Debug, clap::Args)]
pub struct CircuitArgs {
    /// A folder or a .gguf file as for `model own`
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Prompts of each task, 4 to 200: circuits are found on the first half and measured on the second; by default 16
    #[arg(long, value_name = "N")]
    prompts: Option<usize>,
    /// Shares of all heads that circuits have, rising; by default 0.05,0.1,0.2,0.5
    #[arg(long, value_name = "X,…", value_delimiter = ',')]
    fractions: Option<Vec<f64>>,
    /// Random orders of heads, 1 to 20; by default 3
    #[arg(long, value_name = "N")]
    random: Option<usize>,
    /// What ablated heads write: corrupted (what they write in the corrupted prompt, as by default), mean (over corrupted
    /// prompts of that length) or zero
    #[arg(long, value_name = "WORD")]
    ablation: Option<String>,
    /// Of the prompts, random circuits, shuffled labels and bootstraps; by default 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    /// Memory the model may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u32,
    #[command(flatten)]
    checkpoint: checkpoint::Options,
    #[command(flatten)]
    output: OutputArgs,
}

/// Heads of a circuit that a table names.
const NAMED_HEADS_MAX: usize = 6;

impl CircuitArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        let usual = CircuitOptions::default();
        let ablation = match &self.ablation {
            None => usual.ablation,
            Some(found) => parse_choice("ablation", found, &HeadAblationKind::ALL, |kind| kind.name())?,
        };
        let options = CircuitOptions {
            seed: self.seed,
            prompts: self.prompts.unwrap_or(usual.prompts),
            fractions: self.fractions.clone().unwrap_or(usual.fractions),
            random: self.random.unwrap_or(usual.random),
            ablation,
        };
        let args = ModelArgs { model: None, memory: Some(self.memory) };
        let model = args.open_files(&self.path)?.read(args.memory_bytes())?;
        let mut run = CircuitRun::new(&model, user_model::model_tokenizer(&model)?, options.clone())?;
        let passes = run.steps();
        print_notes(&[format!("{passes} forward passes, each over at most 8 prompts")]);
        let settings = || {
            let model = args.digest_files(&self.path)?;
            Ok(json!({ "options": options, "model": model }))
        };
        let pieces = StudyCheckpoint::open(&self.checkpoint, "circuits", settings, passes)?;
        let bar = progress_bar("forward passes", passes);
        pieces.run_steps(0, || {
            let more = run.step(&model)? < passes;
            bar.inc(u64::from(more));
            Ok(more)
        })?;
        drop(bar);
        let report = run.report()?;
        match self.output.format() {
            Format::Json => to_json(&report),
            Format::Csv => all_circuits_table(&report).to_csv(),
            Format::Table => Ok(format_circuits(&report)),
        }
    }
}

/// Every circuit, a row each.
fn all_circuits_table(report: &CircuitReport) -> TextTable {
    let mut rows = TextTable::new(&[
        "task",
        "accuracy",
        "by chance",
        "after corrupted prompts",
        "order of heads",
        "heads",
        "circuit",
        "faithfulness",
        "from",
        "to",
        "faithfulness, MIB",
        "completeness",
        "from",
        "to",
        "ablation recovery",
        "d′",
        "verdict",
    ]);
    let shown = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for task in &report.tasks {
        for of in &task.orders {
            for (at, circuit) in of.circuits.iter().enumerate() {
                let Estimate { value, interval } = circuit.faithfulness;
                let gone = circuit.completeness;
                let verdict = task.verdicts.get(at).filter(|_| of.order == HeadOrder::Effect);
                rows.push(vec![
                    task.task.name().to_owned(),
                    task.accuracy.value.to_string(),
                    task.chance.to_string(),
                    task.accuracy_corrupted.to_string(),
                    of.order.name().to_owned(),
                    circuit.heads.len().to_string(),
                    describe_heads(circuit, usize::MAX),
                    value.to_string(),
                    shown(interval.map(|[low, _]| low)),
                    shown(interval.map(|[_, high]| high)),
                    shown(circuit.faithfulness_mib),
                    gone.value.to_string(),
                    shown(gone.interval.map(|[low, _]| low)),
                    shown(gone.interval.map(|[_, high]| high)),
                    circuit.ablation_recovery.to_string(),
                    circuit.ex1.dprime.to_string(),
                    verdict.map_or_else(String::new, |verdict| verdict.label().to_owned()),
                ]);
            }
        }
    }
    rows
}

/// The first heads of a circuit, and how many there are besides.
fn describe_heads(circuit: &HeadCircuit, most: usize) -> String {
    let named = circuit.heads.iter().take(most).copied().map(head_name);
    let named = named.collect::<Vec<_>>().join(" ");
    match circuit.heads.len().saturating_sub(most) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

fn format_circuits(report: &CircuitReport) -> String {
    let CircuitReport { layers, heads, .. } = report;
    let mut text = format!(
        "{layers} layers of {heads} heads; circuits are found on the first half of the prompts and measured on the second, with \
         intervals at 95 %, of random circuits from the lowest to the highest\n"
    );
    for task in &report.tasks {
        text += &format!("\n{}\n{}", describe_task_circuits(task), circuit_table(task).to_table());
    }
    for task in &report.left_out {
        text += &format!(
            "\n{}: left out, since the tokenizer cuts only {} of the prompts into pairs of one length whose answers one token \
             tells apart\n",
            task.task.name(),
            task.prompts
        );
    }
    text
}

/// What a model makes of a task.
fn describe_task_circuits(task: &TaskCircuits) -> String {
    let show = |value: f64| format_number(Format::Table, value);
    let interval = |of: Estimate| {
        of.interval.map_or_else(String::new, |[low, high]| format!(" ({} to {})", show(low), show(high)))
    };
    let difference = match task.difference {
        AnswerDifference::Logit => "logit difference",
        AnswerDifference::Probability => "probability difference",
    };
    let does = if task.performed { "the model does the task" } else { "the model does not do the task: no verdict" };
    let skipped = task.skipped.length + task.skipped.answers;
    let smallest = task.ex11.as_ref().map_or_else(String::new, |weber| {
        format!("; EX11, of the smallest circuit: {} of {} heads noticed", weber.n_detectable, weber.jnd_full.len())
    });
    format!(
        "{}: {} prompts, {skipped} skipped; accuracy {}{}, by chance {}, after corrupted prompts {}: {does}\n\
         mean {difference} {}, after corrupted prompts {}, with all heads ablated {} (faithfulness {}); EX2, between groups of \
         prompts: {}{smallest}",
        task.task.name(),
        task.prompts.len(),
        show(task.accuracy.value),
        interval(task.accuracy),
        show(task.chance),
        show(task.accuracy_corrupted),
        show(task.full),
        show(task.corrupted),
        show(task.empty),
        show(task.faithfulness_empty),
        match task.ex2.pairs.as_slice() {
            [] => "–".to_owned(),
            _ => show(task.ex2.max_dif_standard),
        },
    )
}

fn circuit_table(task: &TaskCircuits) -> TextTable {
    let mut rows = TextTable::new(&[
        "heads",
        "order of heads",
        "circuit",
        "faithfulness",
        "from",
        "to",
        "MIB",
        "completeness",
        "d′",
        "verdict",
    ]);
    let show = |value: f64| format_number(Format::Table, value);
    let shown = |value| format_optional(Format::Table, value);
    let average = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    for (at, verdict) in task.verdicts.iter().enumerate() {
        let (random, others): (Vec<_>, Vec<_>) = task.orders.iter().partition(|of| of.order == HeadOrder::Random);
        for of in others {
            let Some(circuit) = of.circuits.get(at) else { continue };
            let verdict = Some(verdict).filter(|_| of.order == HeadOrder::Effect);
            let Estimate { value, interval } = circuit.faithfulness;
            rows.push(vec![
                circuit.heads.len().to_string(),
                of.order.name().to_owned(),
                describe_heads(circuit, NAMED_HEADS_MAX),
                show(value),
                shown(interval.map(|[low, _]| low)),
                shown(interval.map(|[_, high]| high)),
                shown(circuit.faithfulness_mib),
                show(circuit.completeness.value),
                show(circuit.ex1.dprime),
                verdict.map_or("", |verdict: &CircuitVerdict| verdict.label()).to_owned(),
            ]);
        }
        let drawn: Vec<&HeadCircuit> = random.iter().filter_map(|of| of.circuits.get(at)).collect();
        let of = |value: fn(&HeadCircuit) -> f64| -> Vec<f64> { drawn.iter().map(|circuit| value(circuit)).collect() };
        let shares = of(|circuit| circuit.faithfulness.value);
        let mib: Option<Vec<f64>> = drawn.iter().map(|circuit| circuit.faithfulness_mib).collect();
        rows.push(vec![
            drawn.first().map_or(0, |circuit| circuit.heads.len()).to_string(),
            format!("{}, mean of {}", HeadOrder::Random.name(), drawn.len()),
            "–".to_owned(),
            show(average(&shares)),
            show(shares.iter().copied().fold(f64::INFINITY, f64::min)),
            show(shares.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
            shown(mib.map(|mib| average(&mib))),
            show(average(&of(|circuit| circuit.completeness.value))),
            show(average(&of(|circuit| circuit.ex1.dprime))),
            String::new(),
        ]);
    }
    rows
}
