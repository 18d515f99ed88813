//! Measurement theory's metrics of evaluations on the command line: of the toy model's tasks, and of a reader's own
//! files.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value};
use sfc_bench::model::Model;
use sfc_bench::papers::measurement::MeasurementError;
use sfc_bench::papers::measurement::evaluation::{
    AuditSettings, BaseMetric, CircuitChoice, EvaluationOptions, EvaluationResult, RunsSettings, ex1, ex2, ex11, ex24,
    ex24_of_tasks, ex25, ex25_of_tasks, mib,
};
use sfc_bench::papers::measurement::user_files;
use sfc_bench::synthetic::language::{Concept, Task};
use sfc_bench::toy_model::{self, FINAL_CHECKPOINT};
use sfc_bench::{Problem, object};

use crate::format::{BoxError, Format, OutputArgs, TextTable, to_json, to_json_map};
use crate::parameters::parse_choice;
use crate::progress::progress_bar;
use crate::quantities::{drop_long_lists, flatten, format_with_score_readings};
use crate::small_files;

/// The word for every task.
const ALL_TASKS: &str = "all";
/// How names of files end that may be a reader's own.
const FILE_ENDINGS: [&str; 7] = [".csv", ".json", ".jsonl", ".npy", ".npz", ".safetensors", ".txt"];

#[derive(Debug, clap::Subcommand)]
pub enum EvaluationMetricCommand {
    /// d′: whether a task's circuit is what tells right answers from wrong ones
    Ex1(CircuitMetricArgs),
    /// Differential item functioning: whether logit differences depend on what prompts differ in
    Ex2(Ex2),
    /// Weber's law: how much less of each head of a circuit is noticed
    Ex11(CircuitMetricArgs),
    /// Audit of metrics: whether seeds move a probe and an ablation less than what they are to tell apart
    Ex24(Ex24),
    /// Reproducibility: whether runs on other prompts give the same value and rank prompts alike
    Ex25(Ex25),
    /// Faithfulness as the edges of a circuit are added, and the areas of that curve
    Mib(Mib),
    /// Your own files: logit differences, groups, seeds, runs, curves, circuits; results of mechval, SAEBench, MIB, delphi and
    /// Neuronpedia
    Own(OwnFilesArgs),
}

#[derive(Debug, clap::Args)]
struct TaskArgs {
    /// Which weights: ck-00000 (untrained) to ck-12000, ft-…, seed1-12000
    #[arg(long, value_name = "NAME", default_value = FINAL_CHECKPOINT)]
    checkpoint: String,
    /// Which task: ioi, copy, count, agree, recall, colour, sum, sum3, mood or request; or all
    #[arg(long, value_name = "TASK", default_value = Task::Ioi.name())]
    task: String,
    /// Prompts of each task, 1 to 4096
    #[arg(long, value_name = "N", default_value_t = 128)]
    prompts: usize,
    /// Seed of a random circuit
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u32,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub struct CircuitMetricArgs {
    #[command(flatten)]
    on: TaskArgs,
    /// Which heads: found (by backward elimination), random (as many), full (all) or empty (none)
    #[arg(long, value_name = "WORD", default_value = CircuitChoice::Found.name())]
    circuit: String,
}

#[derive(Debug, clap::Args)]
pub struct Ex2 {
    #[command(flatten)]
    on: TaskArgs,
    /// Which heads are run alone: found (by backward elimination), random (as many), full (all) or empty (none)
    #[arg(long, value_name = "WORD", default_value = CircuitChoice::Found.name())]
    circuit: String,
}

#[derive(Debug, clap::Args)]
pub struct Ex24 {
    #[command(flatten)]
    on: TaskArgs,
    /// Which heads are run alone: found (by backward elimination), random (as many), full (all) or empty (none)
    #[arg(long, value_name = "WORD", default_value = CircuitChoice::Found.name())]
    circuit: String,
    /// How many seeds, 2 to 100: 42, 123, 456, 789, 2024, 2025, …; the code's reading counts from 0
    #[arg(long, value_name = "N", default_value_t = AuditSettings::default().n_reseeds)]
    n_reseeds: usize,
    /// What the probe is about: person, animal, number, positive, …; the task's own where none is named
    #[arg(long, value_name = "WORD")]
    concept: Option<String>,
}

#[derive(Debug, clap::Args)]
pub struct Ex25 {
    #[command(flatten)]
    on: TaskArgs,
    /// Which heads are run alone: found, random, full or empty; full for logit differences where none is named, else
    /// found
    #[arg(long, value_name = "WORD")]
    circuit: Option<String>,
    /// How many runs, 2 to 100, with the seeds 0, 1, …
    #[arg(long, value_name = "N", default_value_t = RunsSettings::default().n_runs)]
    n_runs: usize,
    /// What is run: logit-difference, probe-accuracy or ablation-recovery
    #[arg(long, value_name = "WORD", default_value = BaseMetric::LogitDifference.name())]
    metric: String,
}

#[derive(Debug, clap::Args)]
pub struct Mib {
    #[command(flatten)]
    on: TaskArgs,
    /// Whose pairs of heads: full (the model's), found (by backward elimination), random (as many heads) or empty
    #[arg(long, value_name = "WORD", default_value = CircuitChoice::Full.name())]
    circuit: String,
}

#[derive(Debug, clap::Args)]
pub struct OwnFilesArgs {
    /// Files, and folders of them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

/// A task by its name, where all may be named as well.
fn parse_single_task(name: &str) -> Result<Task, Problem> {
    parse_choice("task", name, &Task::ALL, |task| task.name()).map_err(|mut problem| {
        problem.allowed += &format!(", {ALL_TASKS}");
        problem
    })
}

impl TaskArgs {
    fn evaluation_options(&self, task: Task, circuit: &str) -> Result<EvaluationOptions, Problem> {
        let subject = parse_choice("circuit", circuit, &CircuitChoice::ALL, |subject| subject.name())?;
        Ok(EvaluationOptions { task, n_prompts: self.prompts, subject, seed: self.seed })
    }

    /// Prints one task by itself, or all by their names.
    fn measure_tasks<M: Serialize>(
        &self,
        metric: &str,
        circuit: &str,
        measure: impl Fn(&Model, EvaluationOptions) -> Result<EvaluationResult<M>, MeasurementError>,
    ) -> Result<String, BoxError> {
        let model = toy_model::load_model(&self.checkpoint)?;
        if self.task != ALL_TASKS {
            let asked = self.evaluation_options(parse_single_task(&self.task)?, circuit)?;
            return format_with_score_readings(&self.output, metric, &self.with_checkpoint(&measure(&model, asked)?)?);
        }
        let bar = progress_bar("tasks", Task::ALL.len());
        let mut tasks = Vec::new();
        for task in Task::ALL {
            tasks.push((task.name(), measure(&model, self.evaluation_options(task, circuit)?)?));
            bar.inc(1);
        }
        drop(bar);
        self.format_tasks(metric, to_json_map(tasks)?, None)
    }

    /// A result with the checkpoint that it is of.
    fn with_checkpoint(&self, found: &impl Serialize) -> Result<Map<String, Value>, BoxError> {
        let mut all = to_json_map([("checkpoint", &self.checkpoint)])?;
        if let Value::Object(found) = serde_json::to_value(found)? {
            all.extend(found);
        }
        Ok(all)
    }

    fn format_tasks(
        &self,
        metric: &str,
        tasks: Map<String, Value>,
        aggregate: Option<Value>,
    ) -> Result<String, BoxError> {
        let mut all = to_json_map([("checkpoint", &self.checkpoint)])?;
        all.insert("tasks".to_owned(), Value::Object(tasks));
        all.extend(aggregate.map(|found| ("aggregate".to_owned(), found)));
        format_with_score_readings(&self.output, metric, &all)
    }
}

impl EvaluationMetricCommand {
    pub fn run(&self) -> Result<String, BoxError> {
        match self {
            Self::Ex1(CircuitMetricArgs { on, circuit }) => on.measure_tasks("ex1", circuit, ex1),
            Self::Ex2(Ex2 { on, circuit }) => on.measure_tasks("ex2", circuit, ex2),
            Self::Ex11(CircuitMetricArgs { on, circuit }) => on.measure_tasks("ex11", circuit, ex11),
            Self::Mib(Mib { on, circuit }) => on.measure_tasks("mib", circuit, mib),
            Self::Ex24(wanted) => wanted.run(),
            Self::Ex25(wanted) => wanted.run(),
            Self::Own(wanted) => wanted.run(),
        }
    }
}

impl Ex24 {
    fn run(&self) -> Result<String, BoxError> {
        let Self { on, circuit, n_reseeds, concept } = self;
        let concept = concept.as_deref();
        let concept = concept.map(|name| parse_choice("concept", name, &Concept::ALL, |concept| concept.name()));
        let settings = AuditSettings { n_reseeds: *n_reseeds, concept: concept.transpose()? };
        if on.task != ALL_TASKS {
            return on.measure_tasks("ex24", circuit, |model, asked| ex24(model, asked, &settings));
        }
        let model = toy_model::load_model(&on.checkpoint)?;
        let asked = on.evaluation_options(Task::Ioi, circuit)?;
        let bar = progress_bar("tasks", Task::ALL.len());
        let found = ex24_of_tasks(&model, &Task::ALL, asked, &settings, &mut || bar.inc(1))?;
        drop(bar);
        let tasks = to_json_map(found.tasks.iter().map(|found| (found.task.name(), found)))?;
        on.format_tasks("ex24", tasks, Some(serde_json::to_value(found.aggregate)?))
    }
}

impl Ex25 {
    fn run(&self) -> Result<String, BoxError> {
        let Self { on, circuit, n_runs, metric } = self;
        let metric = parse_choice("metric", metric, &BaseMetric::ALL, |metric| metric.name())?;
        let settings = RunsSettings { n_runs: *n_runs, metric };
        let usual = match metric {
            BaseMetric::LogitDifference => CircuitChoice::Full,
            _ => CircuitChoice::Found,
        };
        let circuit = circuit.as_deref().unwrap_or(usual.name());
        if on.task != ALL_TASKS {
            return on.measure_tasks("ex25", circuit, |model, asked| ex25(model, asked, &settings));
        }
        let model = toy_model::load_model(&on.checkpoint)?;
        let asked = on.evaluation_options(Task::Ioi, circuit)?;
        let bar = progress_bar("tasks", Task::ALL.len());
        let found = ex25_of_tasks(&model, &Task::ALL, asked, &settings, &mut || bar.inc(1))?;
        drop(bar);
        let tasks = to_json_map(found.tasks.iter().map(|found| (found.task.name(), found)))?;
        on.format_tasks("ex25", tasks, Some(serde_json::to_value(found.aggregate)?))
    }
}

impl OwnFilesArgs {
    fn run(&self) -> Result<String, BoxError> {
        let format = self.output.format();
        let mut all = Vec::new();
        for (file, found) in user_files::read(small_files::read_files(&self.files, &FILE_ENDINGS)?)? {
            let mut found = serde_json::to_value(found)?;
            // Of a circuit a table tells how many edges it has, and not each of them.
            if format != Format::Json && found["metric"] == "circuit" {
                found = drop_long_lists(found);
            }
            all.push(object! {
                file,
                #[serde(flatten)]
                found,
            });
        }
        if format == Format::Json {
            return to_json(&to_json_map([("found", all)])?);
        }
        let mut rows = TextTable::new(&["file", "metric", "quantity", "value"]);
        for one in all {
            let name = one.found.get("metric").and_then(Value::as_str).unwrap_or_default();
            let mut quantities = TextTable::new(&[""; 0]);
            flatten("", one.found.get("found").unwrap_or(&Value::Null), format, &mut quantities);
            for row in quantities.rows {
                rows.push([one.file.clone(), name.to_owned()].into_iter().chain(row).collect());
            }
        }
        rows.render(format, |table| table)
    }
}
