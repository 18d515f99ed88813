//! NumPy programs that compute what a study computed.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, parser::ValueSource};
use sfc_bench::papers::{ce_bench, fade, mui, sfc};
use sfc_bench::settings::{Field, Parameters as _};
use sfc_bench::toy_model::DICTIONARIES;
use sfc_bench::{Problem, Problems, Settings};

use crate::format::BoxError;
use crate::parameters::{ParameterArgs, study_args};

/// What may be named, the paper first: it is meant where nothing is.
const STUDIES: [(&str, &[Field]); 4] = [
    (Settings::STUDY, Settings::FIELDS),
    (fade::Settings::STUDY, fade::Settings::FIELDS),
    (ce_bench::Settings::STUDY, ce_bench::Settings::FIELDS),
    (mui::Settings::STUDY, mui::Settings::FIELDS),
];

/// A study with its settings.
#[derive(Debug)]
enum ScriptStudy {
    Paper(ParameterArgs),
    Fade(ParameterArgs<fade::Settings>),
    CeBench(ParameterArgs<ce_bench::Settings>),
    Mui(ParameterArgs<mui::Settings>),
    /// Options of other studies were given too, or there is no such study.
    Refused(Vec<Problem>),
}

#[derive(Debug)]
pub struct ScriptArgs(ScriptStudy);

impl ScriptArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        Ok(match &self.0 {
            ScriptStudy::Paper(knobs) => sfc::numpy_script(&knobs.settings()?),
            ScriptStudy::Fade(knobs) => fade::numpy_script(&fade::run(&knobs.settings()?, &mut |_, _| {})?)?,
            ScriptStudy::CeBench(knobs) => {
                let names = DICTIONARIES.map(|known| known.name);
                let found = ce_bench::run(&knobs.settings()?, &names, &mut |_, _| {})?;
                ce_bench::numpy_script(&found)?
            }
            ScriptStudy::Mui(knobs) => {
                let settings = knobs.settings()?;
                let mut report = mui::Report::new(settings.clone());
                report.add_checkpoint(mui::measure_checkpoint(&settings, &settings.checkpoint)?);
                mui::numpy_script(&report)?
            }
            ScriptStudy::Refused(problems) => return Err(Problems(problems.clone()).into()),
        })
    }
}

impl Args for ScriptArgs {
    fn augment_args(command: Command) -> Command {
        let names = STUDIES.map(|(name, _)| name).join(", ");
        let study = Arg::new("study")
            .long("study")
            .value_name("STUDY")
            .default_value(Settings::STUDY)
            .hide_default_value(true)
            .help(format!("Whose program: {names} [default: {}, the paper]", Settings::STUDY));
        // A name that several studies have is one option.
        let both = |arg: &Arg, study: &str, other: &Arg| {
            let help = |arg: &Arg| arg.get_help().map(ToString::to_string).unwrap_or_default();
            format!("{}; of {study}: {}", help(arg), help(other))
        };
        let mut of_little: Vec<Arg> = study_args::<fade::Settings>().collect();
        let ce_bench = study_args::<ce_bench::Settings>().map(|arg| (ce_bench::Settings::STUDY, arg));
        let mui = study_args::<mui::Settings>().map(|arg| (mui::Settings::STUDY, arg));
        let mut command = ParameterArgs::<Settings>::augment_args(command.arg(study));
        for (study, other) in ce_bench.chain(mui) {
            if let Some(same) = of_little.iter_mut().find(|arg| arg.get_id() == other.get_id()) {
                *same = same.clone().help(both(same, study, &other));
            } else if Settings::FIELDS.iter().any(|field| other.get_id() == field.name) {
                command = command.mut_arg(other.get_id().clone(), |same| {
                    let help = both(&same, study, &other);
                    same.help(help)
                });
            } else {
                of_little.push(other);
            }
        }
        let heading = "With --study fade, ce-bench or mui";
        command.args(of_little.into_iter().map(|arg| arg.help_heading(heading)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ScriptArgs {
    fn from_arg_matches(found: &ArgMatches) -> Result<Self, Error> {
        let name = found.get_one::<String>("study").map_or(Settings::STUDY, String::as_str);
        let Some((study, fields)) = STUDIES.iter().find(|(known, _)| *known == name) else {
            let names = STUDIES.map(|(name, _)| name).join(", ");
            return Ok(Self(ScriptStudy::Refused(vec![Problem::new("study", format!("{name:?}"), names)])));
        };
        // Nothing that was given is passed over.
        let given = |name: &str| found.value_source(name) == Some(ValueSource::CommandLine);
        let mut foreign: Vec<&str> = Vec::new();
        for Field { name, .. } in STUDIES.iter().flat_map(|(_, others)| *others) {
            let own = fields.iter().any(|own| own.name == *name);
            if given(name) && !own && !foreign.contains(name) {
                foreign.push(name);
            }
        }
        if !foreign.is_empty() {
            let allowed = format!("no value with --study {study}");
            let refused = |name| Problem::new(name, "given", allowed.clone());
            return Ok(Self(ScriptStudy::Refused(foreign.into_iter().map(refused).collect())));
        }
        Ok(Self(match *study {
            fade::Settings::STUDY => ScriptStudy::Fade(ParameterArgs::from_arg_matches(found)?),
            ce_bench::Settings::STUDY => ScriptStudy::CeBench(ParameterArgs::from_arg_matches(found)?),
            mui::Settings::STUDY => ScriptStudy::Mui(ParameterArgs::from_arg_matches(found)?),
            _ => ScriptStudy::Paper(ParameterArgs::from_arg_matches(found)?),
        }))
    }

    fn update_from_arg_matches(&mut self, found: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(found)?;
        Ok(())
    }
}
