//! What a run is made of, as options.

use std::ops::RangeInclusive;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches, Id, value_parser};
use sfc_bench::settings::{self, Choice, Field, FieldKind, ParameterDraft, Value, check};
use sfc_bench::{Problem, Problems, Settings};

use crate::format::{Format, OutputArgs};

/// What [`Parameters`] and an output's format make together.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    knobs: ParameterArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl RunArgs {
    pub fn settings(&self) -> Result<Settings, Problems> {
        self.knobs.settings()
    }

    pub fn format(&self) -> Format {
        self.output.format()
    }
}

/// Everything that a study's settings are made of: one option a row of them.
#[derive(Clone, Debug)]
pub struct ParameterArgs<S: settings::Parameters = Settings>(S::ParameterDraft);

impl<S: settings::Parameters> ParameterArgs<S> {
    /// What was given of them, unchecked.
    pub fn draft(&self) -> &S::ParameterDraft {
        &self.0
    }

    pub fn settings(&self) -> Result<S, Problems> {
        check(&self.0)
    }
}

impl<S: settings::Parameters> Args for ParameterArgs<S> {
    fn group_id() -> Option<Id> {
        Some(Id::from("Knobs"))
    }

    fn augment_args(command: Command) -> Command {
        let names = S::FIELDS.iter().map(|field| field.name);
        command
            .allow_negative_numbers(true)
            .group(ArgGroup::new("Knobs").multiple(true).args(names))
            .args(study_args::<S>())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: settings::Parameters> FromArgMatches for ParameterArgs<S> {
    fn from_arg_matches(found: &ArgMatches) -> Result<Self, Error> {
        let mut draft = S::ParameterDraft::default();
        for field in S::FIELDS {
            if let Some(value) = parsed_value(field, found) {
                draft.set(field.name, value);
            }
        }
        Ok(Self(draft))
    }

    fn update_from_arg_matches(&mut self, found: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(found)?;
        Ok(())
    }
}

/// The options of a study, one a row of its settings.
pub fn study_args<S: settings::Parameters>() -> impl Iterator<Item = Arg> {
    let usual = S::default().draft();
    let study = if S::STUDY == <Settings as settings::Parameters>::STUDY { "paper" } else { "default" };
    S::FIELDS.iter().map(move |field| field_arg(field, &usual, study))
}

/// The option of a row.
fn field_arg(field: &'static Field, usual: &impl ParameterDraft, study: &str) -> Arg {
    // The parser keeps the name for as long as the program runs.
    let flag: &'static str = field.flag_name().leak();
    let arg = Arg::new(field.name)
        .long(flag)
        .help(field_help(field, usual, study))
        .help_heading(field.group.heading)
        .action(ArgAction::Set);
    let number = value_parser!(f64);
    match field.kind {
        FieldKind::Preset(_) | FieldKind::Choice(_) => arg.value_name("WORD"),
        FieldKind::Number(range) | FieldKind::Within(range, _) => {
            arg.value_name(if range.whole { "N" } else { "X" }).value_parser(number)
        }
        FieldKind::Seed => arg.value_name("SEED").value_parser(number),
        FieldKind::Switch => arg.action(ArgAction::SetTrue),
        FieldKind::List(_) | FieldKind::Weights { .. } => {
            let name = if matches!(field.kind, FieldKind::List(_)) { "L,…" } else { "A,B,C" };
            arg.value_name(name)
                .value_parser(number)
                .value_delimiter(',')
                .allow_hyphen_values(true)
                .action(ArgAction::Append)
        }
    }
}

/// What an option is, what it may hold, and what it is where it is not given.
fn field_help(field: &Field, usual: &impl ParameterDraft, study: &str) -> String {
    let help = field.help;
    let allowed = match field.kind {
        FieldKind::Preset(_) | FieldKind::Choice(_) => format!(": {}", describe_choices(field)),
        FieldKind::Number(range) => format!(", {} to {}", range.min, range.max),
        FieldKind::Within(range, other) => {
            format!(", {} to --{}", range.min, other.replace('_', "-"))
        }
        FieldKind::List(span) => format!("; each from {} to below {}", span.min, span.upper_bound),
        FieldKind::Seed | FieldKind::Switch | FieldKind::Weights { .. } => String::new(),
    };
    let usual = match usual.get(field.name) {
        Some(Value::Number(value)) => format!(" [{study}: {value}]"),
        Some(Value::Word(word)) => format!(" [{study}: {word}]"),
        Some(Value::List(values)) => {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            format!(" [{study}: {}]", values.join(","))
        }
        Some(Value::Switch(_)) | None => String::new(),
    };
    format!("{help}{allowed}{usual}")
}

/// The words of a row, each with what it means: `paper (100 rows; …) or total (…)`.
fn describe_choices(field: &Field) -> String {
    let said = |choice: &Choice| {
        let mut help = choice.help.trim_end_matches('.').chars();
        match help.next() {
            Some(first) => format!("{} ({}{})", choice.word, first.to_lowercase(), help.as_str()),
            None => choice.word.to_owned(),
        }
    };
    let mut words: Vec<String> = field.choices().iter().map(said).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

/// What was given of a row.
fn parsed_value(field: &Field, found: &ArgMatches) -> Option<Value> {
    match field.kind {
        FieldKind::Preset(_) | FieldKind::Choice(_) => found.get_one::<String>(field.name).cloned().map(Value::Word),
        FieldKind::Number(_) | FieldKind::Within(..) | FieldKind::Seed => {
            found.get_one::<f64>(field.name).copied().map(Value::Number)
        }
        FieldKind::Switch => Some(Value::Switch(found.get_flag(field.name))),
        FieldKind::List(_) | FieldKind::Weights { .. } => {
            found.get_many::<f64>(field.name).map(|values| Value::List(values.copied().collect()))
        }
    }
}

/// The value of `--seed-range`: "0..100", without its end.
pub fn parse_seed_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let parsed = text.split_once("..").and_then(|(first, end)| {
        let (first, end): (u32, u64) = (first.parse().ok()?, end.parse().ok()?);
        let last = u32::try_from(end.checked_sub(1)?).ok()?;
        (first <= last).then_some(first..=last)
    });
    parsed.ok_or_else(|| "two seeds from 0 to 4294967296, as in 0..100, are needed".to_owned())
}

/// One of some words.
pub fn parse_choice<T: Copy>(
    field: &str,
    found: &str,
    all: &[T],
    name: impl Fn(&T) -> &'static str,
) -> Result<T, Problem> {
    all.iter().find(|one| name(one) == found).copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(&name).collect();
        Problem::new(field, format!("{found:?}"), names.join(", "))
    })
}
