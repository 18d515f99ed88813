//! The command line: the studies of the page, as tables, JSON or CSV.

mod args;
mod audit;
mod ce_bench;
mod checkpoint;
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
mod knobs;
mod link;
mod mark;
mod measure;
mod measure_all;
mod measure_decomposition;
mod measure_evaluated;
mod measure_reach;
mod model;
mod mui;
mod output;
mod own_model;
mod points;
mod progress;
mod quantities;
mod refusal;
mod script;
mod train;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::Silent;

use args::{Args, Command};
use destination::Unwritten;
use format::Failed;
use interrupt::Interrupted;

/// Bad arguments, bad input, or a run that the settings make impossible.
const REFUSED: u8 = 2;
/// The output could not be written.
const UNWRITTEN: u8 = 1;

fn main() -> ExitCode {
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
                     evaluate, train, families, model, fade, ce-bench, mui, measure, audit, script, link, figure or cite (see \
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
        complain(&interrupted.said);
        return if written == ExitCode::SUCCESS { interrupt::INTERRUPTED.into() } else { written };
    }
    let code = if error.is::<Unwritten>() { UNWRITTEN } else { REFUSED };
    complain(&refusal::line(&*error));
    code.into()
}

fn text_of(args: &Args) -> Result<String, Failed> {
    let text = match &args.command {
        Command::Hypervolume(wanted) => {
            let (points, left_out) = points::read(&wanted.file)?;
            let reference = wanted.reference()?;
            let found = sfc_bench::pareto::hypervolume(&points, reference)?;
            let front = sfc_bench::pareto::front(&points, wanted.tolerance)?;
            output::hypervolume(wanted.format(), &points, &found, &front, &left_out)?
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
        Command::Figure(wanted) => wanted.text()?,
        Command::Train(wanted) => wanted.text()?,
        Command::Families(wanted) => wanted.text()?,
        Command::Model(wanted) => wanted.text()?,
        Command::Fade(wanted) => wanted.text()?,
        Command::CeBench(wanted) => wanted.text()?,
        Command::Mui(wanted) => wanted.text()?,
        Command::Measure(wanted) => wanted.text()?,
        Command::Audit(wanted) => wanted.text()?,
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

/// One line, whatever the message holds.
fn complain(message: &str) {
    eprintln!("sfc-bench: {}", message.lines().collect::<Vec<_>>().join(" "));
}

fn refuse(message: &str) -> ExitCode {
    complain(message);
    ExitCode::from(REFUSED)
}

fn write(text: &str) -> ExitCode {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader (`head`, say) has what it wanted.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sfc-bench: cannot write the output: {error}");
            ExitCode::from(UNWRITTEN)
        }
    }
}
