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
mod files;
mod format;
mod given;
mod input;
mod interrupt;
mod jobs;
mod link;
mod mark;
mod measure;
mod measure_all;
mod measure_decomposition;
mod measure_evaluated;
mod measure_reach;
mod model;
mod model_metrics;
mod mui;
mod output;
mod own_model;
mod parameters;
mod pieces;
mod points;
mod progress;
mod quantities;
mod refusal;
mod script;
mod synth;
mod train;

use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::Silent;
use sfc_bench::pareto::Objectives;

use args::{Args, Command};
use destination::Unwritten;
use format::Failed;
use interrupt::Interrupted;
use points::PointsError;

/// Bad arguments, bad input, or a run that the settings make impossible.
const REFUSED: u8 = 2;
/// The output could not be written.
const UNWRITTEN: u8 = 1;

/// Has no more threads started than there are processors, whatever `RAYON_NUM_THREADS` says.
fn bound_threads() {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse::<usize>().ok());
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if asked.is_some_and(|asked| asked > processors) {
        // Where it cannot be built, the first job tells why.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(processors).build_global();
    }
}

fn main() -> ExitCode {
    bound_threads();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error)
            if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) =>
        {
            return write(&error.to_string());
        }
        Err(error) => {
            let text = error.to_string();
            // What is wrong comes before the first empty line, usage and hints after it.
            let what = text.split("\n\n").next().unwrap_or_default();
            let line = what.trim_start_matches("error: ");
            return refuse(&match error.kind() {
                ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                    "name a command: paper, curve, sizes, weights, cross, ensemble, merge, hypervolume, \
                     evaluate, compare, train, families, model, fade, ce-bench, mui, measure, audit, script, link, figure or cite (see \
                     --help)"
                        .to_owned()
                }
                _ => format!("{line}{} (see --help)", tip(&text)),
            });
        }
    };
    let error = match text_of(&args) {
        Ok(text) => return write(&text),
        Err(error) => error,
    };
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        let written = write(&interrupted.text);
        console::say(&interrupted.said);
        return if written == ExitCode::SUCCESS { interrupt::INTERRUPTED.into() } else { written };
    }
    let code = if error.is::<Unwritten>() { UNWRITTEN } else { REFUSED };
    console::say(&refusal::line(&*error));
    code.into()
}

fn text_of(args: &Args) -> Result<String, Failed> {
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
                return Err(PointsError::None { file }.into());
            }
            let of = output::Points { points: &points, reference, minimised: wanted.minimise };
            output::hypervolume(wanted.format(), &of, &found, &front, left_out)?
        }
        Command::Paper(run) => {
            let settings = run.settings()?;
            output::paper(run.format(), &study::run(&settings, &mut Silent)?)?
        }
        Command::Curve(run) => {
            let settings = run.settings()?;
            output::curve(run.format(), &settings, &study::curve(&settings, &mut Silent)?)?
        }
        Command::Sizes(run) => {
            let settings = run.settings()?;
            output::sizes(run.format(), &settings, &study::sizes(&settings, &mut Silent)?)?
        }
        Command::Weights(run) => {
            let settings = run.settings()?;
            output::weights(run.format(), &settings, &study::curve(&settings, &mut Silent)?)?
        }
        Command::Ensemble(wanted) => ensemble::text(wanted)?,
        Command::Merge(wanted) => {
            output::ensemble(wanted.format(), &ensemble::merge(&wanted.files)?)?
        }
        Command::Script(wanted) => wanted.text()?,
        Command::Link(wanted) => match &wanted.open {
            Some(text) => link::open(text, wanted.check)?,
            None => link::print(wanted.settings()?, wanted.digest)?,
        },
        Command::Evaluate(wanted) => wanted.text()?,
        Command::Compare(wanted) => wanted.text()?,
        Command::Figure(wanted) => wanted.text()?,
        Command::Train(wanted) => wanted.text()?,
        Command::Families(wanted) => wanted.text()?,
        Command::Model(wanted) => wanted.text()?,
        Command::Fade(wanted) => wanted.text()?,
        Command::CeBench(wanted) => wanted.text()?,
        Command::Mui(wanted) => wanted.text()?,
        Command::Measure(wanted) => wanted.text()?,
        Command::Audit(wanted) => wanted.text()?,
        Command::Synth(wanted) => wanted.text()?,
        Command::Cite => figure::citations(),
        Command::Cross(run) => {
            let settings = run.settings()?;
            output::cross(run.format(), &settings, &study::cross(&settings, &mut Silent)?)?
        }
    };
    Ok(text)
}

/// What clap knows that is like what was typed.
fn tip(text: &str) -> String {
    let tip = text.lines().find_map(|line| line.trim_start().strip_prefix("tip: "));
    let near = tip.filter(|tip| tip.contains("similar"));
    near.map_or_else(String::new, |tip| format!("; {tip}"))
}

fn refuse(message: &str) -> ExitCode {
    console::say(message);
    ExitCode::from(REFUSED)
}

fn write(text: &str) -> ExitCode {
    match console::print(text) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader (`head`, say) has what it wanted.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            console::say(&format!("cannot write the output: {error}"));
            ExitCode::from(UNWRITTEN)
        }
    }
}
