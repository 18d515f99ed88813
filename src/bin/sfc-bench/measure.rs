//! Measurement theory on the command line.

use sfc_bench::papers::measurement::circuit::{self, EdgeAblation, head_name};
use sfc_bench::synthetic::language::Task;
use sfc_bench::toy_model::{self, FINAL_CHECKPOINT};
use sfc_bench::{Problem, object};

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_number, format_optional, to_json, to_json_map};
use crate::measure_all::MeasureAllArgs;
use crate::measure_attainable_range::AttainableRangeArgs;
use crate::measure_decomposition::DecompositionMetricCommand;
use crate::measure_evaluated::EvaluationMetricCommand;
use crate::model_metrics::CircuitArgs;
use crate::parameters::parse_choice;
use crate::progress::progress_bar;

#[derive(Debug, clap::Subcommand)]
pub enum MeasureCommand {
    /// The circuit of each task, found by ablating all other heads, and what EX1, EX2, EX11 and MIB say of it
    Tasks(TaskCircuitsArgs),
    /// Every edge between the parts of the model, cut one by one, with attribution patching beside it
    Edges(EdgesArgs),
    /// Circuits of heads of a language model of your own on IOI, greater-than and agreement prompts: faithfulness, completeness,
    /// EX1, EX2 and EX11, beside random circuits, the least important heads and shuffled labels
    Circuits(CircuitArgs),
    /// Every metric on good and bad subjects: trained, random, permuted, untrained, oracle and the like
    All(MeasureAllArgs),
    /// What the thresholds of all fifteen metrics can reach: the best and the worst cases, built and measured
    Reach(AttainableRangeArgs),
    #[command(flatten)]
    Evaluated(EvaluationMetricCommand),
    #[command(flatten)]
    Decomposition(DecompositionMetricCommand),
}

impl MeasureCommand {
    pub fn run(&self) -> Result<String, BoxError> {
        match self {
            Self::Tasks(wanted) => wanted.run(),
            Self::Edges(wanted) => wanted.run(),
            Self::Circuits(wanted) => wanted.run(),
            Self::All(wanted) => wanted.run(),
            Self::Reach(wanted) => wanted.run(),
            Self::Evaluated(wanted) => wanted.run(),
            Self::Decomposition(wanted) => wanted.run(),
        }
    }
}

fn parse_task(name: &str) -> Result<Task, Problem> {
    parse_choice("task", name, &Task::ALL, |task| task.name())
}

#[derive(Debug, clap::Args)]
pub struct TaskCircuitsArgs {
    /// Which weights: ck-00000 (untrained) to ck-12000, ft-…, seed1-12000
    #[arg(long, value_name = "NAME", default_value = FINAL_CHECKPOINT)]
    checkpoint: String,
    /// Prompts of each task, 1 to 4096
    #[arg(long, value_name = "N", default_value_t = 128)]
    prompts: usize,
    /// One task alone: ioi, copy, count, agree, recall, colour, sum, sum3, mood or request
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

impl TaskCircuitsArgs {
    fn run(&self) -> Result<String, BoxError> {
        let model = toy_model::load_model(&self.checkpoint)?;
        let wanted = match &self.task {
            Some(name) => vec![parse_task(name)?],
            None => Task::ALL.to_vec(),
        };
        let bar = progress_bar("tasks", wanted.len());
        let mut tasks = Vec::new();
        for task in wanted {
            let found = circuit::measure_task(&model, task, self.prompts)?;
            let weber = found.ex11.as_ref();
            let heads: Vec<String> = found.circuit.iter().copied().map(head_name).collect();
            let found = object! {
                circuit: heads,
                faithfulness: found.faithfulness,
                completeness: found.completeness,
                empty: found.empty,
                d_prime: found.ex1.dprime,
                cpr_code: found.mib.code.area.cpr,
                cpr_ranked: found.mib.ranked.area.cpr,
                max_dif: found.ex2.max_dif_code,
                /// Of the code; none of an empty circuit.
                weber_consistency: weber.map(|found| found.weber_consistency_code),
                detectable: weber.map(|found| found.n_detectable),
            };
            tasks.push((task, found));
            bar.inc(1);
        }
        drop(bar);
        let format = self.output.format();
        if format == Format::Json {
            let tasks = to_json_map(tasks.into_iter().map(|(task, found)| (task.name(), found)))?;
            return to_json(&object! { checkpoint: &self.checkpoint, prompts: self.prompts, tasks });
        }
        let mut rows = TextTable::new(&[
            "task",
            "circuit",
            "faithfulness",
            "completeness",
            "empty",
            "d′",
            "CPR, code order",
            "CPR, ranked",
            "max DIF",
            "Weber",
            "detectable",
        ]);
        for (task, found) in &tasks {
            let mut row = vec![task.name().to_owned(), found.circuit.join(" ")];
            let numbers = [
                found.faithfulness,
                found.completeness,
                found.empty,
                found.d_prime,
                found.cpr_code,
                found.cpr_ranked,
                found.max_dif,
            ];
            row.extend(numbers.map(|value| format_number(format, value)));
            row.push(format_optional(format, found.weber_consistency));
            row.push(found.detectable.map_or_else(|| "–".to_owned(), |count| count.to_string()));
            rows.push(row);
        }
        let Self { checkpoint, prompts, .. } = self;
        rows.render(format, |table| {
            format!(
                "{checkpoint}, {prompts} prompts a task; heads that backward elimination leaves, as layer.head\n{table}"
            )
        })
    }
}

/// Edges that a table shows.
const SHOWN_EDGES: usize = 24;

#[derive(Debug, clap::Args)]
pub struct EdgesArgs {
    /// Which weights: ck-00000 (untrained) to ck-12000, ft-…, seed1-12000
    #[arg(long, value_name = "NAME", default_value = FINAL_CHECKPOINT)]
    checkpoint: String,
    /// Prompts, 1 to 4096
    #[arg(long, value_name = "N", default_value_t = 128)]
    prompts: usize,
    /// Which task: ioi, copy, count, agree, recall, colour, sum, sum3, mood or request
    #[arg(long, value_name = "TASK", default_value = Task::Ioi.name())]
    task: String,
    /// What goes through a cut edge: mean (of what the sender writes) or next (what it writes in the next prompt)
    #[arg(long, value_name = "WORD", default_value = EdgeAblation::Mean.name())]
    instead: String,
    #[command(flatten)]
    output: OutputArgs,
}

impl EdgesArgs {
    fn run(&self) -> Result<String, BoxError> {
        let parameters = toy_model::load_parameters(&self.checkpoint)?;
        let task = parse_task(&self.task)?;
        let cut = EdgeAblation::named(&self.instead).ok_or_else(|| {
            let names = EdgeAblation::ALL.map(EdgeAblation::name).join(", ");
            Problem::new("instead", format!("{:?}", self.instead), names)
        })?;
        /// Marks of the bar.
        const PROGRESS_BAR_LENGTH: usize = 1_000;
        let bar = progress_bar("edges", PROGRESS_BAR_LENGTH);
        let mut tell = |share: f64| bar.set_position((share * PROGRESS_BAR_LENGTH as f64) as u64);
        let found = circuit::measure_edges(&parameters, task, self.prompts, cut, &mut tell)?;
        drop(bar);
        let format = self.output.format();
        if format == Format::Json {
            let edges = found.edges.iter().map(|edge| {
                object! {
                    edge: edge.edge.to_string(),
                    effect: edge.effect,
                    attribution: edge.attribution,
                }
            });
            let pairs = found.pairs.iter().map(|pair| {
                let [sender, receiver] = [pair.edge.sender, pair.edge.receiver].map(head_name);
                object! { sender, receiver, effect: pair.effect }
            });
            return to_json(&object! {
                checkpoint: &self.checkpoint,
                task: task.name(),
                prompts: self.prompts,
                instead: found.cut.name(),
                ld_mean: found.ld_mean,
                ld_empty: found.ld_empty,
                rank_correlation: found.rank_correlation,
                rank_correlation_sizes: found.rank_correlation_sizes,
                edges: edges.collect::<Vec<_>>(),
                pairs: pairs.collect::<Vec<_>>(),
                by_effect: &found.by_effect,
                by_attribution: &found.by_attribution,
            });
        }
        let mut rows = TextTable::new(&["edge", "effect", "attribution"]);
        let mut all: Vec<_> = found.edges.iter().collect();
        if format == Format::Table {
            all.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
            all.truncate(SHOWN_EDGES);
        }
        for edge in all {
            let numbers = [edge.effect, edge.attribution].map(|value| format_number(format, value));
            rows.push([edge.edge.to_string()].into_iter().chain(numbers).collect());
        }
        rows.render(format, |table| {
            format!(
                "{}, {}, {} prompts; mean logit difference {}, with all {} edges cut {}; Spearman's correlation of \
                 effects with attributions {}, of their sizes {}; the {SHOWN_EDGES} largest effects\n{table}",
                self.checkpoint,
                task,
                self.prompts,
                format_number(format, found.ld_mean),
                found.edges.len(),
                format_number(format, found.ld_empty),
                format_optional(format, found.rank_correlation),
                format_optional(format, found.rank_correlation_sizes),
            )
        })
    }
}
