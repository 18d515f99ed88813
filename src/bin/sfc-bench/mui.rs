//! The Model Utilization Index on the command line.

mod train;

use std::path::PathBuf;
use std::rc::Rc;

use sfc_bench::object;
use sfc_bench::papers::mui::claims::{Claim, Verdict, claims};
use sfc_bench::papers::mui::experiment::{ClaimJudgement, Experiment, experiment};
use sfc_bench::papers::mui::tables::derived_cells;
use sfc_bench::papers::mui::{Report, Settings, StudyView, measure, user_files};
use sfc_bench::statistics::{Interval, LogFit};
use sfc_bench::study::Study;
use sfc_bench::study::user_file::UserFileError;

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_number, format_optional, to_json, to_json_map};
use crate::model_metrics::MuiArgs;
use crate::parameters::ParameterArgs;
use crate::small_files;

/// How often the interval of the law's slope holds.
const CONFIDENCE: f64 = 0.95;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct MuiCommandArgs {
    #[command(subcommand)]
    of: Option<MuiCommand>,
    #[command(flatten)]
    model: MuiArgs,
    #[command(flatten)]
    knobs: ParameterArgs<Settings>,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Subcommand)]
enum MuiCommand {
    /// Every number that the paper prints and that follows from others, derived anew; and what it claims of them
    Tables(TablesArgs),
    /// The law MUI = a ln P + b over models of your own
    Law(LawArgs),
    /// Train a model, or go on with one, and look at performance and index as it learns
    Train(Box<train::MuiTrainArgs>),
    /// What the paper's corollaries ask, of the toy model; and whether the claims hold there
    Experiment(Box<ExperimentArgs>),
    /// The index of your own models, from the neurons that each of their answers uses
    Own(OwnModelsArgs),
}

#[derive(Debug, clap::Args)]
struct ExperimentArgs {
    /// diversity, domains, difficulty, length, masking, scores, cutoffs, selection, contamination, correctness,
    /// features; or all
    name: String,
    #[command(flatten)]
    knobs: ParameterArgs<Settings>,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
struct TablesArgs {
    /// Only what does not agree
    #[arg(long)]
    differing: bool,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
struct LawArgs {
    /// Columns accuracy and mui, both in percent, and if you like model; a header allowed
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
struct OwnModelsArgs {
    /// MUI-Eval's *_result.jsonl, sets of neurons (.json), scores or (sample, layer, neuron, score) in .npy, .npz,
    /// .safetensors or .csv; right and wrong answers (.csv, .jsonl, .json); proportion/result.csv. Directions are from
    /// each file of neurons to the next
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Layers of the model, where no file says it
    #[arg(long, value_name = "N")]
    layers: Option<f64>,
    /// Neurons of each layer, or features, where no file says it
    #[arg(long, value_name = "N")]
    neurons: Option<f64>,
    /// Scores of each layer that count [default: a thousandth of the neurons, 50 of features]
    #[arg(long, value_name = "N")]
    k: Option<f64>,
    /// Exponent of the index in PUR
    #[arg(long, value_name = "X")]
    alpha: Option<f64>,
    /// Accuracy of each file of neurons in percent, where answers do not tell it
    #[arg(long, value_name = "P,…", value_delimiter = ',')]
    accuracy: Option<Vec<f64>>,
    #[command(flatten)]
    output: OutputArgs,
}

impl MuiCommandArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        match &self.of {
            Some(MuiCommand::Tables(wanted)) => wanted.run(),
            Some(MuiCommand::Law(wanted)) => wanted.run(),
            Some(MuiCommand::Train(wanted)) => wanted.run(),
            Some(MuiCommand::Experiment(wanted)) => wanted.run(),
            Some(MuiCommand::Own(wanted)) => wanted.run(),
            None => match &self.model.of.model {
                Some(path) => self.model.run(path, &self.knobs, self.output.format()),
                None => self.run_study(),
            },
        }
    }

    fn run_study(&self) -> Result<String, BoxError> {
        let settings = self.knobs.settings()?;
        let found = measure::measure_tasks(&settings)?;
        let format = self.output.format();
        if format == Format::Json {
            let tasks = to_json_map(found.iter().map(|(task, index)| (task.name(), index)))?;
            return to_json(&object! { settings, tasks });
        }
        let mut rows = TextTable::new(&["task", "accuracy", "MUI", "MUI, right answers"]);
        for (task, index) in &found {
            let cells = [index.accuracy, index.mui, index.mui_correct];
            let cells = cells.map(|value| format_number(format, value));
            rows.push(std::iter::once(task.name().to_owned()).chain(cells).collect());
        }
        let Settings { checkpoint, prompts, .. } = settings;
        let s = if prompts == 1 { "" } else { "s" };
        rows.render(format, |table| {
            format!("{checkpoint}, {prompts} prompt{s} a task; shares of all neurons that some answer uses\n{table}")
        })
    }
}

/// "holds", "fails".
fn verdict_label(claim: &Claim) -> &'static str {
    match claim.verdict {
        Verdict::Holds => "holds",
        Verdict::Partly => "in part",
        Verdict::Fails => "fails",
        Verdict::Open => "open",
    }
}

impl TablesArgs {
    fn run(&self) -> Result<String, BoxError> {
        let mut cells = derived_cells().to_vec();
        let agree = cells.iter().filter(|cell| cell.agrees).count();
        let total = cells.len();
        if self.differing {
            cells.retain(|cell| !cell.agrees);
        }
        let claims = claims();
        let format = self.output.format();
        if format == Format::Json {
            return to_json(&object! { cells, claims });
        }
        let mut rows = TextTable::new(&["table", "row", "column", "printed", "derived", "agrees"]);
        for cell in &cells {
            let written = match format {
                Format::Csv => [cell.printed, cell.derived].map(|value| value.to_string()),
                // One more than is printed, so that one sees how near it is.
                _ => [(cell.printed, 0), (cell.derived, 1)]
                    .map(|(value, more)| format!("{value:.*}", cell.decimals + more)),
            };
            let [printed, derived] = written;
            let agrees = match (cell.agrees, cell.possible) {
                (true, _) => "yes",
                (false, true) => "within rounding",
                (false, false) => "no",
            };
            let words = [&cell.table, &cell.row, &cell.column].map(String::clone);
            let tail = [printed, derived, agrees.to_owned()];
            rows.push(words.into_iter().chain(tail).collect());
        }
        let says = claims.iter().map(|claim| {
            let Claim { place, says, found, .. } = claim;
            format!("{place}: {says} – {}\n  {found}\n", verdict_label(claim))
        });
        let says: String = says.collect();
        rows.render(format, |table| format!("{agree} of {total} derived numbers agree\n{table}{says}"))
    }
}

impl LawArgs {
    fn run(&self) -> Result<String, BoxError> {
        let files = small_files::read_files(std::slice::from_ref(&self.file), &[".csv"])?;
        let file = files.into_iter().next().ok_or("no file was given")?;
        let user_files::UserLaw { points, law: found } = user_files::UserLaw::read(&file)?;
        let format = self.output.format();
        if format == Format::Json {
            return to_json(&found);
        }
        let mut rows = TextTable::new(&["a", "b", "r", "p", "models", "MUI at 100 %"]);
        rows.push(vec![
            format_number(format, found.a),
            format_number(format, found.b),
            format_optional(format, found.r),
            match found.p {
                // No probability is 0.
                Some(p) if format == Format::Table && p < 0.001 => "< 0.001".to_owned(),
                p => format_optional(format, p),
            },
            found.models.to_string(),
            format_number(format, found.at_100),
        ]);
        if format == Format::Csv {
            return rows.to_csv();
        }
        let of = |value: fn(&user_files::ModelPoint) -> f64| points.iter().map(value).collect::<Vec<_>>();
        let fit = LogFit::fit(&of(|point| point.performance), &of(|point| point.index))?;
        // Two models have none, nor has an index that does not vary.
        let interval = fit.line().slope_interval(CONFIDENCE).map_or_else(
            |_| String::new(),
            |Interval { low, high }| {
                let [low, high] = [low, high].map(|value| format_number(format, value));
                format!("a lies from {low} to {high}, with 95 % confidence\n")
            },
        );
        let notes: String = found.notes.iter().map(|note| format!("{note}\n")).collect();
        Ok(format!("MUI = a ln P + b, in percent\n{}{interval}{notes}", rows.to_table()))
    }
}

/// The word for every experiment.
const ALL_EXPERIMENTS: &str = "all";

impl ExperimentArgs {
    fn parse_experiments(&self) -> Result<Vec<Experiment>, BoxError> {
        if self.name == ALL_EXPERIMENTS {
            return Ok(Experiment::ALL.to_vec());
        }
        let found = Experiment::named(&self.name).ok_or_else(|| {
            let names = Experiment::ALL.map(Experiment::name).join(", ");
            format!("experiment = {:?}; allowed: {names}, {ALL_EXPERIMENTS}", self.name)
        });
        Ok(vec![found?])
    }

    fn run(&self) -> Result<String, BoxError> {
        let wanted = self.parse_experiments()?;
        let settings = self.knobs.settings()?;
        let mut report = Report::new(settings.clone());
        for which in &wanted {
            report.experiments.take(experiment(&settings, *which)?);
        }
        let judgements = report.experiments.judgements();
        let format = self.output.format();
        if format == Format::Json {
            return to_json(&object! { settings, judgements, experiments: &report.experiments });
        }
        if format == Format::Csv {
            let mut rows = TextTable::new(&["figure", "verdict", "found", "claim"]);
            for ClaimJudgement { figure, words, found, claim, .. } in judgements {
                rows.push(vec![figure, words, found, claim]);
            }
            return rows.to_csv();
        }
        let opened = StudyView::open(report)?;
        let mut text = String::new();
        for figure in wanted.iter().flat_map(|which| which.figures()) {
            let chart = opened.chart(figure)?;
            let table = chart.data_table();
            let columns: Vec<&str> = table.columns.iter().map(|column| &*column.title).collect();
            let mut rows = TextTable::new(&columns);
            for row in table.rows {
                rows.push(row.into_iter().map(|cell| cell.text).collect());
            }
            text += &format!("{}\n{}", chart.title, rows.to_table());
            for judgement in judgements.iter().filter(|of| of.figure == *figure) {
                text += &format!("{}\n  {}\n", judgement.claim, judgement.sentence());
            }
            text += "\n";
        }
        Ok(text)
    }
}

impl OwnModelsArgs {
    fn run(&self) -> Result<String, BoxError> {
        let Self { layers, neurons, k, alpha, .. } = *self;
        let accuracy = self.accuracy.clone();
        let asked = user_files::OptionsDraft { layers, neurons, k, alpha, accuracy }.validate()?;
        let files = self.files.iter().map(|path| {
            let name = path.display().to_string();
            let source =
                crate::input::open_regular(path).map_err(|error| small_files::unreadable_error(path, &error))?;
            Ok(user_files::StreamedUserFile { name, source: Rc::new(source) })
        });
        let files = files.collect::<Result<Vec<_>, UserFileError>>()?;
        let found = user_files::measure_files(files, &asked, &mut |_, _| {})?;
        let notes: Vec<String> = found.said.iter().chain(&found.notes).cloned().collect();
        small_files::format_tables(self.output.format(), &found, found.tables(), &notes)
    }
}
