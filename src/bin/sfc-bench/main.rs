//! The command line: the studies of the page, as tables, JSON or CSV.

// They end the program where nobody can be told: `console` does not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod audit;
mod ce_bench;
mod checkpoint;
mod compare;
mod console;
mod destination;
mod ensemble;
mod evaluate;
mod fade;
mod figure;
mod file_digest;
mod files;
mod format;
mod input;
mod interrupt;
mod jobs;
mod link;
mod measure;
mod measure_all;
mod measure_attainable_range;
mod measure_decomposition;
mod measure_evaluated;
mod model;
mod model_metrics;
mod mui;
mod output;
mod parameters;
mod points;
mod progress;
mod quantities;
mod refusal;
mod script;
mod small_files;
mod study_pieces;
mod synth;
mod train;
mod user_model;

use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::NoProgress;
use sfc_bench::pareto::Objectives;

use args::{Args, Command};
use destination::WriteError;
use format::BoxError;
use interrupt::Interrupted;
use points::PointsError;

/// Bad arguments, bad input, or a run that the settings make impossible.
const REFUSED_EXIT_CODE: u8 = 2;
/// The output could not be written.
const WRITE_FAILED_EXIT_CODE: u8 = 1;

/// Has no more threads started than there are processors, whatever `RAYON_NUM_THREADS` says.
fn limit_threads() {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse::<usize>().ok());
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if asked.is_some_and(|asked| asked > processors) {
        // Where it cannot be built, the first job tells why.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(processors).build_global();
    }
}

fn main() -> ExitCode {
    limit_threads();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return print_output(&error.to_string());
        }
        Err(error) => {
            let text = error.to_string();
            // What is wrong comes before the first empty line, usage and hints after it.
            let what = text.split("\n\n").next().unwrap_or_default();
            let line = what.trim_start_matches("error: ");
            return exit_refused(&match error.kind() {
                ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                    "name a command: paper, curve, sizes, weights, cross, ensemble, merge, hypervolume, \
                     evaluate, compare, train, families, model, fade, ce-bench, mui, measure, audit, script, link, figure or cite (see \
                     --help)"
                        .to_owned()
                }
                _ => format!("{line}{} (see --help)", clap_suggestion(&text)),
            });
        }
    };
    let error = match run_command(&args) {
        Ok(text) => return print_output(&text),
        Err(error) => error,
    };
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        let written = print_output(&interrupted.partial_output);
        console::print_stderr(&interrupted.message);
        return if written == ExitCode::SUCCESS { interrupt::INTERRUPTED_EXIT_CODE.into() } else { written };
    }
    let code = if error.is::<WriteError>() { WRITE_FAILED_EXIT_CODE } else { REFUSED_EXIT_CODE };
    console::print_stderr(&refusal::format_error(&*error));
    code.into()
}

fn run_command(args: &Args) -> Result<String, BoxError> {
    let text = match &args.command {
        Command::Hypervolume(wanted) => {
            let (points, left_out) = points::read(&wanted.file, wanted.labels())?;
            let reference = wanted.reference()?;
            let turned = |point: Objectives| point.map(|x| if wanted.minimise { -x } else { x });
            let maximised: Vec<Objectives> = points.iter().copied().map(turned).collect();
            let found = sfc_bench::pareto::hypervolume(&maximised, turned(reference))?;
            let front = sfc_bench::pareto::front(&maximised, wanted.tolerance)?;
            if points.is_empty() {
                let file = wanted.file.display().to_string();
                return Err(PointsError::Empty { file }.into());
            }
            let of = output::HypervolumeInput { points: &points, reference, minimised: wanted.minimise };
            output::format_hypervolume(wanted.format(), &of, &found, &front, left_out)?
        }
        Command::Paper(run) => {
            let settings = run.settings()?;
            output::format_paper(run.format(), &study::run(&settings, &mut NoProgress)?)?
        }
        Command::Curve(run) => {
            let settings = run.settings()?;
            output::format_curve(run.format(), &settings, &study::compute_curve(&settings, &mut NoProgress)?)?
        }
        Command::Sizes(run) => {
            let settings = run.settings()?;
            output::format_sizes(run.format(), &settings, &study::sweep_sizes(&settings, &mut NoProgress)?)?
        }
        Command::Weights(run) => {
            let settings = run.settings()?;
            output::format_weight_profiles(run.format(), &settings, &study::compute_curve(&settings, &mut NoProgress)?)?
        }
        Command::Ensemble(wanted) => ensemble::run(wanted)?,
        Command::Merge(wanted) => output::format_ensemble(wanted.format(), &ensemble::merge(&wanted.files)?)?,
        Command::Script(wanted) => wanted.run()?,
        Command::Link(wanted) => match &wanted.open {
            Some(text) => link::describe_link(text, wanted.check)?,
            None => link::format_query(wanted.settings()?, wanted.digest)?,
        },
        Command::Evaluate(wanted) => wanted.run()?,
        Command::Compare(wanted) => wanted.run()?,
        Command::Figure(wanted) => wanted.run()?,
        Command::Train(wanted) => wanted.run()?,
        Command::Families(wanted) => wanted.run()?,
        Command::Model(wanted) => wanted.run()?,
        Command::Fade(wanted) => wanted.run()?,
        Command::CeBench(wanted) => wanted.run()?,
        Command::Mui(wanted) => wanted.run()?,
        Command::Measure(wanted) => wanted.run()?,
        Command::Audit(wanted) => wanted.run()?,
        Command::Synth(wanted) => wanted.run()?,
        Command::Cite => figure::citations(),
        Command::Cross(run) => {
            let settings = run.settings()?;
            output::format_cross_configurations(
                run.format(),
                &settings,
                &study::preset_curves(&settings, &mut NoProgress)?,
            )?
        }
    };
    Ok(text)
}

/// What clap knows that is like what was typed.
fn clap_suggestion(text: &str) -> String {
    let tip = text.lines().find_map(|line| line.trim_start().strip_prefix("tip: "));
    let near = tip.filter(|tip| tip.contains("similar"));
    near.map_or_else(String::new, |tip| format!("; {tip}"))
}

fn exit_refused(message: &str) -> ExitCode {
    console::print_stderr(message);
    ExitCode::from(REFUSED_EXIT_CODE)
}

fn print_output(text: &str) -> ExitCode {
    match console::print_stdout(text) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader (`head`, say) has what it wanted.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            console::print_stderr(&format!("cannot write the output: {error}"));
            ExitCode::from(WRITE_FAILED_EXIT_CODE)
        }
    }
}
