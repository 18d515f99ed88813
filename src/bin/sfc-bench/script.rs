//! NumPy programs that compute what a study computed.

use std::fmt;

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, parser::ValueSource};
use sfc_bench::papers::{ce_bench, fade, mui, sfc};
use sfc_bench::settings::{Field, Parameters};
use sfc_bench::toy_model::DICTIONARIES;
use sfc_bench::{Problem, Problems, Settings};

use crate::format::BoxError;
use crate::parameters::{ParameterArgs, study_args};

/// Settings of a study that has a program.
trait HasScript: Parameters + 'static {
    /// Measures what the program is to find, and writes it.
    fn script(&self) -> Result<String, BoxError>;
}

impl HasScript for Settings {
    fn script(&self) -> Result<String, BoxError> {
        Ok(sfc::numpy_script(self))
    }
}

impl HasScript for fade::Settings {
    fn script(&self) -> Result<String, BoxError> {
        Ok(fade::numpy_script(&fade::run(self, &mut |_, _| {})?)?)
    }
}

impl HasScript for ce_bench::Settings {
    fn script(&self) -> Result<String, BoxError> {
        let names = DICTIONARIES.map(|known| known.name);
        Ok(ce_bench::numpy_script(&ce_bench::run(self, &names, &mut |_, _| {})?)?)
    }
}

impl HasScript for mui::Settings {
    fn script(&self) -> Result<String, BoxError> {
        let mut report = mui::Report::new(self.clone());
        report.add_checkpoint(mui::measure_checkpoint(self, &self.checkpoint)?);
        Ok(mui::numpy_script(&report)?)
    }
}

/// What writes a program, or refuses to.
type ScriptFn = Box<dyn Fn() -> Result<String, BoxError>>;

/// A study that may be named: its options, and what they make of it.
struct ScriptStudy {
    name: &'static str,
    fields: &'static [Field],
    args: fn() -> Vec<Arg>,
    parse: fn(&ArgMatches) -> Result<ScriptFn, Error>,
}

const fn study<S: HasScript>() -> ScriptStudy {
    ScriptStudy {
        name: S::STUDY,
        fields: S::FIELDS,
        args: || study_args::<S>().collect(),
        parse: |found| {
            let parameters = ParameterArgs::<S>::from_arg_matches(found)?;
            Ok(Box::new(move || parameters.settings()?.script()))
        },
    }
}

/// The paper first: it is meant where nothing is.
const STUDIES: [ScriptStudy; 4] =
    [study::<Settings>(), study::<fade::Settings>(), study::<ce_bench::Settings>(), study::<mui::Settings>()];

/// The study that is named, with its settings.
pub struct ScriptArgs(ScriptFn);

impl fmt::Debug for ScriptArgs {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("ScriptArgs").finish_non_exhaustive()
    }
}

impl ScriptArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        (self.0)()
    }

    /// Of options of other studies, or of a study that there is not.
    fn refused(problems: Vec<Problem>) -> Self {
        Self(Box::new(move || Err(Problems(problems.clone()).into())))
    }
}

impl Args for ScriptArgs {
    fn augment_args(command: Command) -> Command {
        let names = STUDIES.map(|study| study.name).join(", ");
        let study = Arg::new("study")
            .long("study")
            .value_name("STUDY")
            .default_value(Settings::STUDY)
            .hide_default_value(true)
            .help(format!("Whose program: {names} [default: {}, the paper]", Settings::STUDY));
        let mut command = ParameterArgs::<Settings>::augment_args(command.arg(study));
        let [_, first, others @ ..] = STUDIES;
        let mut of_others: Vec<Arg> = (first.args)();
        for study in others {
            for other in (study.args)() {
                // A name that several studies have is one option.
                let with_other = |same: Arg| {
                    let help = |arg: &Arg| arg.get_help().map(ToString::to_string).unwrap_or_default();
                    let both = format!("{}; of {}: {}", help(&same), study.name, help(&other));
                    same.help(both)
                };
                if let Some(same) = of_others.iter_mut().find(|arg| arg.get_id() == other.get_id()) {
                    *same = with_other(same.clone());
                } else if Settings::FIELDS.iter().any(|field| other.get_id() == field.name) {
                    command = command.mut_arg(other.get_id().clone(), with_other);
                } else {
                    of_others.push(other);
                }
            }
        }
        let heading = "With --study fade, ce-bench or mui";
        command.args(of_others.into_iter().map(|arg| arg.help_heading(heading)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ScriptArgs {
    fn from_arg_matches(found: &ArgMatches) -> Result<Self, Error> {
        let name = found.get_one::<String>("study").map_or(Settings::STUDY, String::as_str);
        let Some(study) = STUDIES.into_iter().find(|known| known.name == name) else {
            let names = STUDIES.map(|study| study.name).join(", ");
            return Ok(Self::refused(vec![Problem::new("study", format!("{name:?}"), names)]));
        };
        // Nothing that was given is passed over.
        let given = |name: &str| found.value_source(name) == Some(ValueSource::CommandLine);
        let mut foreign: Vec<&str> = Vec::new();
        for Field { name, .. } in STUDIES.iter().flat_map(|study| study.fields) {
            let own = study.fields.iter().any(|own| own.name == *name);
            if given(name) && !own && !foreign.contains(name) {
                foreign.push(name);
            }
        }
        if !foreign.is_empty() {
            let allowed = format!("no value with --study {}", study.name);
            let refused = |name| Problem::new(name, "given", allowed.clone());
            return Ok(Self::refused(foreign.into_iter().map(refused).collect()));
        }
        (study.parse)(found).map(Self)
    }

    fn update_from_arg_matches(&mut self, found: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(found)?;
        Ok(())
    }
}
