//! The audit on the command line: every metric on the same subjects, and what it can be trusted for.

mod own;

use std::io::BufRead;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use sfc_bench::lab::audit::clock::seconds;
use sfc_bench::lab::audit::report::CompletedJob;
use sfc_bench::lab::audit::{
    Column, Edition, MetricEntry, MetricInfo, MetricValue, PackedReport, Registry, Report, Settings, StudyView,
    SubjectRow, weighted_score,
};
use sfc_bench::object;
use sfc_bench::settings::{Parameters as _, check};
use sfc_bench::study::{Failure, Study};

use crate::format::{BoxError, Format, OutputArgs, TextResult, TextTable, format_number, format_optional, to_json};
use crate::parameters::{ParameterArgs, parse_seed_range};
use crate::{checkpoint, destination, input, jobs};

/// What a packed file begins with.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Most seeds from the first to the last of what is judged together: every one between them has jobs.
const SEED_SPAN_MAX: u32 = 10_000;
/// The most that a report takes which is judged anew.
const REPORT_BYTES_MAX: u64 = 1 << 30;

#[derive(Debug, clap::Args)]
pub struct AuditArgs {
    #[command(flatten)]
    knobs: ParameterArgs<Settings>,
    /// Seeds from A up to, but not including, B
    #[arg(long, value_name = "A..B", value_parser = parse_seed_range, conflicts_with_all = ["seeds", "first_seed"])]
    seed_range: Option<RangeInclusive<u32>>,
    /// Print what every metric says of every subject instead of what follows from it
    #[arg(long, conflicts_with_all = ["json", "published"])]
    values: bool,
    /// Judge what `audit --json` printed, of one or several ranges of seeds, by these limits; nothing is measured
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["own", "published"])]
    from: Vec<PathBuf>,
    /// Write the report as the site has it, whole: a packed file that --from reads
    #[arg(long, value_name = "FILE", conflicts_with_all = ["values", "own", "published"])]
    pack: Option<PathBuf>,
    /// Write over a file that this program did not write, or that was changed since
    #[arg(long, requires = "pack")]
    force: bool,
    #[command(flatten)]
    own: own::OwnAuditArgs,
    #[command(flatten)]
    checkpoint: checkpoint::Options,
    #[command(flatten)]
    output: OutputArgs,
}

/// Why a report cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error("cannot read {file}: {error}")]
    Unreadable { file: String, error: std::io::Error },
    #[error("{file} is not what `audit --json` prints: {error}")]
    Malformed { file: String, error: serde_json::Error },
    #[error("{file}: {0}", error.message)]
    Packed { file: String, error: Failure },
    #[error("{done} of {all} parts are there; allowed to be packed: all of them")]
    Incomplete { done: usize, all: usize },
    #[error("{file} is of the {found} preset; allowed: {allowed}, as the others")]
    MixedPresets { file: String, found: &'static str, allowed: &'static str },
    #[error("the seeds go from {first} to {last}; allowed: {SEED_SPAN_MAX} at most, with those between them")]
    SeedSpan { first: u32, last: u32 },
    #[error("{file} is of somebody's own autoencoders; allowed: by itself, and not to be packed")]
    UserAudit { file: String },
}

impl AuditError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "audit.unreadable",
            Self::Malformed { .. } => "audit.malformed",
            Self::Packed { .. } => "audit.packed",
            Self::Incomplete { .. } => "audit.part",
            Self::MixedPresets { .. } => "audit.preset",
            Self::SeedSpan { .. } => "audit.seeds",
            Self::UserAudit { .. } => "audit.own",
        }
    }
}

impl AuditArgs {
    pub fn run(&self) -> TextResult {
        let mut settings = self.knobs.settings()?;
        if let Some(range) = &self.seed_range {
            settings.first_seed = *range.start();
            settings.seeds = (range.end() - range.start()).saturating_add(1);
            // The range is held to the same limits as its two options.
            settings = check(&settings.draft())?;
        }
        if let Some(text) = self.own.run(&settings, &self.output, self.values) {
            return text;
        }
        destination::check_overwrite(self.pack.as_deref(), self.force)?;
        if !self.from.is_empty() {
            return self.format_report(&self.read_reports(settings)?);
        }
        let wanted = settings.jobs();
        let asked = result_affecting_settings(&settings);
        let (of, registry) = (wanted.len(), Registry::all());
        let place = |found: &CompletedJob| wanted.iter().position(|job| job.name() == found.job);
        let work = |at: usize| Ok(CompletedJob::measure(wanted[at], &registry, seconds)?);
        let (kept, jobs) = jobs::run_resumable(&self.checkpoint, ("audit", &asked), of, place, "parts", work)?;
        let done = jobs.len();
        let report = Report { jobs, ..Report::new(settings) };
        if done == of {
            return self.format_report(&report);
        }
        let finished = format!("{done} of {of} parts are measured");
        let print = || self.format_report(&report);
        jobs::finish_interrupted(kept.as_ref(), self.output.format(), (done, of), (&finished, ""), print)
    }

    /// What files hold, one report of them all.
    fn read_reports(&self, settings: Settings) -> Result<Report, BoxError> {
        let mut report = Report::new(settings.clone());
        for (at, path) in self.from.iter().enumerate() {
            let file = path.display().to_string();
            let read = match input::open_bounded(path, REPORT_BYTES_MAX, None) {
                Ok(read) => read,
                Err(error) => return Err(AuditError::Unreadable { file, error }.into()),
            };
            let part = read_report(std::io::BufReader::new(read), file.clone())?.with_detected_edition();
            if let Some(own) = part.own {
                if self.from.len() > 1 || self.pack.is_some() {
                    return Err(AuditError::UserAudit { file }.into());
                }
                return Ok(Report::from_user_rows(settings, own));
            }
            // Rows of the second edition have what the first one needs; not the other way round.
            if part.edition() == Edition::First {
                report.settings.edition = Edition::First;
            }
            if at == 0 {
                report.settings.preset = part.settings.preset;
            } else if part.settings.preset != report.settings.preset {
                let [found, allowed] = [part.settings.preset, report.settings.preset].map(|preset| preset.name());
                return Err(AuditError::MixedPresets { file, found, allowed }.into());
            }
            for job in part.jobs {
                // The same part is the same numbers, whichever file has it.
                if !report.jobs.iter().any(|other| other.job == job.job) {
                    report.jobs.push(job);
                }
            }
        }
        // Whichever seeds they have are what is asked for.
        let seeds = || report.jobs.iter().flat_map(|job| job.rows.iter().map(|row| row.seed));
        if let (Some(first), Some(last)) = (seeds().min(), seeds().max()) {
            if last - first >= SEED_SPAN_MAX {
                return Err(AuditError::SeedSpan { first, last }.into());
            }
            report.settings.first_seed = first;
            report.settings.seeds = last - first + 1;
        }
        Ok(report)
    }

    fn format_report(&self, report: &Report) -> TextResult {
        if let Some(path) = &self.pack {
            let (done, all) = report.progress();
            if done < all {
                return Err(AuditError::Incomplete { done, all }.into());
            }
            let packed = PackedReport::from_report(report, &describe_machine())?.to_gzip_bytes()?;
            destination::write_file(path, &packed)?;
        }
        if self.values {
            return format_values(self.output.format(), report.rows());
        }
        let opened = StudyView::open(report.clone())?;
        match self.output.format() {
            // What was measured, and what follows from it.
            Format::Json => to_json(&object! {
                #[serde(flatten)]
                report,
                /// None of a part of what was asked for.
                digest: opened.digest(),
                /// What the metrics are, in their papers' order.
                metrics: opened.metrics().iter().map(MetricInfo::from).collect::<Vec<_>>(),
                table: opened.table(),
            }),
            format => format_study(format, &opened),
        }
    }
}

/// A report as it is printed, or packed.
fn read_report(mut from: impl BufRead, file: String) -> Result<Report, BoxError> {
    let begin = from.fill_buf().map(|begin| begin.starts_with(&GZIP_MAGIC));
    match begin {
        Ok(false) => serde_json::from_reader(from).map_err(|error| AuditError::Malformed { file, error }.into()),
        Ok(true) => {
            let mut bytes = Vec::new();
            if let Err(error) = from.read_to_end(&mut bytes) {
                return Err(AuditError::Unreadable { file, error }.into());
            }
            let unpacked = PackedReport::from_gzip_bytes(&bytes).and_then(PackedReport::into_report);
            unpacked.map_err(|error| AuditError::Packed { file, error }.into())
        }
        Err(error) => Err(AuditError::Unreadable { file, error }.into()),
    }
}

/// What this is running on: the processor's name where Linux says it, and its threads.
fn describe_machine() -> String {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let threads = rayon::current_num_threads();
    format!("{name}, {threads} threads")
}

/// Of the settings what results follow from: limits, weights and orders are of the words alone.
fn result_affecting_settings(settings: &Settings) -> serde_json::Value {
    let Settings { preset, seeds, first_seed, world, edition, .. } = settings;
    serde_json::json!({
        "preset": preset,
        "seeds": seeds,
        "first_seed": first_seed,
        "world": world,
        "edition": edition,
    })
}

/// A metric a line, a column a word with its number.
fn format_study(format: Format, opened: &StudyView) -> TextResult {
    let entries = &opened.table().entries;
    let find = |id| entries.iter().find(|entry| entry.metric == id);
    let entries: Vec<&MetricEntry> = opened.shown_ids().into_iter().filter_map(find).collect();
    let printed = format_entries(format, &entries, &opened.report().settings.column_weights())?;
    if format == Format::Csv {
        return Ok(printed);
    }
    Ok(format!("{printed}{}\n", opened.headline()?))
}

/// Entries as CSV or a table.
fn format_entries(format: Format, entries: &[&MetricEntry], weights: &[f64; 7]) -> TextResult {
    let registry = Registry::all();
    let columns = Column::ALL.map(Column::name);
    let mut names = vec!["metric", "reading"];
    names.extend(columns);
    names.push("score");
    let mut rows = TextTable::new(&names);
    for entry in entries {
        let Some(metric) = registry.find_metric(&entry.metric) else { continue };
        let mut row = vec![metric.id.to_owned(), metric.attribution.label().to_owned()];
        row.extend(entry.cells.iter().map(|cell| {
            let value = cell.value.map(|value| format_number(format, value));
            value.map_or_else(|| cell.word.name().to_owned(), |value| format!("{} {value}", cell.word.name()))
        }));
        row.resize(names.len() - 1, String::new());
        let scored = weighted_score(entry, weights);
        row.push(format_optional(format, scored));
        rows.push(row);
    }
    rows.render(format, |table| table)
}

/// A value a line.
fn format_values<'a>(format: Format, found: impl Iterator<Item = &'a SubjectRow>) -> TextResult {
    let mut rows = TextTable::new(&[
        "world",
        "place",
        "seed",
        "group",
        "subject",
        "level",
        "truth",
        "size",
        "width",
        "metric",
        "value",
        "seconds",
        "evaluations",
        "not_applicable",
    ]);
    let some = |value: Option<f64>| value.map_or_else(String::new, |value| format_number(format, value));
    for row in found {
        let group = serde_json::to_value(row.subject.group)?;
        let mut push = |said: [String; 4], why: &str| {
            let [metric, value, seconds, evaluations] = said;
            rows.push(vec![
                row.world.name().to_owned(),
                row.place.clone(),
                row.seed.to_string(),
                group.as_str().unwrap_or_default().to_owned(),
                row.subject.name.clone(),
                format_number(format, row.subject.level),
                some(row.truth),
                some(row.size),
                some(row.width),
                metric,
                value,
                seconds,
                evaluations,
                why.to_owned(),
            ]);
        };
        for MetricValue { metric, value, seconds, evaluations } in &row.values {
            let seconds = format_number(format, *seconds);
            push([metric.clone(), some(*value), seconds, evaluations.to_string()], "");
        }
        if let Some(why) = &row.not_applicable {
            push(Default::default(), why);
        }
    }
    rows.render(format, |table| table)
}
