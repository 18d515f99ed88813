//! A report as it is shipped: the same numbers, a column a metric instead of a record a value, in gzip.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::report::{CompletedJob, Report};
use super::row::{MetricValue, SubjectRow};
use super::settings::Settings;
use super::subject::{Group, Subject, World};
use crate::io::EscapedText;
use crate::study::Failure;

/// The most that is unpacked, in bytes.
const UNPACKED_BYTES_MAX: u64 = 1 << 28;
/// Most values of all lists together: a byte or two of text become many bytes of memory.
const VALUES_MAX: u64 = 10_000_000;
/// Most metrics of a job.
const METRICS_MAX: usize = 1_000;

/// A report, with what it was made on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackedReport {
    /// What was wanted.
    settings: Settings,
    /// The machine that it was made on, in a few words.
    pub machine: String,
    jobs: Vec<JobColumns>,
}

/// A job's rows, column by column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct JobColumns {
    job: String,
    world: World,
    seed: u32,
    seconds: f64,
    subjects: Vec<PackedSubject>,
    /// By metric, in the order of the first row's values.
    #[serde(deserialize_with = "deserialize_metric_names")]
    metrics: Vec<String>,
    /// Metrics × subjects.
    values: Vec<Vec<Option<f64>>>,
    /// The same of seconds, to three digits.
    took: Vec<Vec<f64>>,
    /// The same of evaluations.
    evaluations: Vec<Vec<u64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PackedSubject {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    place: String,
    // A subject's fields, which are not flattened: what a file has besides would be held until its end.
    group: Group,
    name: String,
    level: f64,
    truth: Option<f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    truths: BTreeMap<String, f64>,
    size: Option<f64>,
    width: Option<f64>,
}

/// The names of a job's metrics, no more than there may be.
fn deserialize_metric_names<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    struct NamesVisitor;
    impl<'de> Visitor<'de> for NamesVisitor {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "at most {METRICS_MAX} metrics")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<String>, A::Error> {
            let mut names = Vec::new();
            while let Some(name) = from.next_element()? {
                if names.len() == METRICS_MAX {
                    return Err(A::Error::invalid_length(METRICS_MAX + 1, &self));
                }
                names.push(name);
            }
            Ok(names)
        }
    }
    from.deserialize_seq(NamesVisitor)
}

/// Text on its way to a reader of JSON, as long as it has no more values than there may be: all but one of a list
/// have a comma before them.
struct ValueLimitReader<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for ValueLimitReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let held = self.from.read(into)?;
        let commas = into.iter().take(held).filter(|byte| **byte == b',').count() as u64;
        let left = self.left.checked_sub(commas);
        let many = || io::Error::other(format!("more than {VALUES_MAX} values"));
        self.left = left.ok_or_else(many)?;
        Ok(held)
    }
}

/// So many seconds, to three digits: more would be noise.
fn round_seconds(seconds: f64) -> f64 {
    format!("{seconds:.2e}").parse().unwrap_or(seconds)
}

impl JobColumns {
    /// None where rows of a job are of several worlds, seeds or lists of metrics: no job's are.
    fn from_job(found: &CompletedJob) -> Option<Self> {
        let first = found.rows.first();
        let (world, seed) = first.map_or((World::Own, 0), |row| (row.world, row.seed));
        let names = |row: &SubjectRow| row.values.iter().map(|at| at.metric.clone()).collect();
        let metrics: Vec<String> = first.map_or_else(Vec::new, names);
        let alike = |row: &SubjectRow| row.world == world && row.seed == seed && names(row) == metrics;
        if !found.rows.iter().all(alike) {
            return None;
        }
        fn collect_columns<T>(rows: &[SubjectRow], metrics: usize, of: impl Fn(&MetricValue) -> T) -> Vec<Vec<T>> {
            let column = |at| rows.iter().filter_map(|row| Some(of(row.values.get(at)?))).collect();
            (0..metrics).map(column).collect()
        }
        let told = |row: &SubjectRow| PackedSubject {
            place: row.place.clone(),
            group: row.subject.group,
            name: row.subject.name.clone(),
            level: row.subject.level,
            truth: row.truth,
            truths: row.truths.clone(),
            size: row.size,
            width: row.width,
        };
        let (rows, count) = (&found.rows, metrics.len());
        Some(Self {
            job: found.job.clone(),
            world,
            seed,
            seconds: round_seconds(found.seconds),
            subjects: rows.iter().map(told).collect(),
            values: collect_columns(rows, count, |value| value.value),
            took: collect_columns(rows, count, |value| round_seconds(value.seconds)),
            evaluations: collect_columns(rows, count, |value| value.evaluations),
            metrics,
        })
    }

    /// None where columns are not as long as there are subjects.
    fn into_job(self) -> Option<CompletedJob> {
        let Self { job, world, seed, seconds, subjects, metrics, values, took, evaluations } = self;
        let whole = |lengths: &mut dyn Iterator<Item = usize>| {
            let all: Vec<usize> = lengths.collect();
            all.len() == metrics.len() && all.iter().all(|length| *length == subjects.len())
        };
        let fits = whole(&mut values.iter().map(Vec::len))
            && whole(&mut took.iter().map(Vec::len))
            && whole(&mut evaluations.iter().map(Vec::len));
        if !fits {
            return None;
        }
        let row = |(at, told): (usize, PackedSubject)| {
            let value = |(which, metric): (usize, &String)| {
                Some(MetricValue {
                    metric: metric.clone(),
                    value: *values.get(which)?.get(at)?,
                    seconds: *took.get(which)?.get(at)?,
                    evaluations: *evaluations.get(which)?.get(at)?,
                })
            };
            let PackedSubject { place, group, name, level, truth, truths, size, width } = told;
            let subject = Subject { group, name, level };
            let values = metrics.iter().enumerate().filter_map(value).collect();
            let not_applicable = None;
            SubjectRow { world, place, seed, subject, truth, truths, size, width, values, not_applicable }
        };
        let rows = subjects.into_iter().enumerate().map(row).collect();
        Some(CompletedJob { job, rows, seconds })
    }
}

impl PackedReport {
    /// Of a report; what of its jobs its settings do not ask for is left out.
    ///
    /// # Errors
    /// `audit.packed` for a report whose jobs are none of this audit's.
    pub fn from_report(report: &Report, machine: &str) -> Result<Self, Failure> {
        let wanted: BTreeSet<String> = report.settings.jobs().iter().map(|job| job.name()).collect();
        let jobs = report.jobs.iter().filter(|found| wanted.contains(&found.job));
        let jobs: BTreeMap<&str, JobColumns> = jobs
            .map(|found| Some((found.job.as_str(), JobColumns::from_job(found)?)))
            .collect::<Option<_>>()
            .ok_or_else(|| packed_failure("a job's rows are of several worlds or seeds"))?;
        let jobs = jobs.into_values().collect();
        Ok(Self { settings: report.settings.clone(), machine: machine.to_owned(), jobs })
    }

    /// Seconds of all jobs together, by one thread.
    #[must_use]
    pub fn total_seconds(&self) -> f64 {
        self.jobs.iter().map(|job| job.seconds).sum()
    }

    /// The report.
    ///
    /// # Errors
    /// `audit.packed` where columns have different lengths.
    pub fn into_report(self) -> Result<Report, Failure> {
        let jobs = self.jobs.into_iter().map(JobColumns::into_job).collect::<Option<_>>();
        let jobs = jobs.ok_or_else(|| packed_failure("columns have different lengths"))?;
        Ok(Report { jobs, ..Report::new(self.settings) }.with_detected_edition())
    }

    /// In gzip, the same bytes for the same numbers.
    ///
    /// # Errors
    /// `audit.packed`.
    pub fn to_gzip_bytes(&self) -> Result<Vec<u8>, Failure> {
        let mut to = GzEncoder::new(Vec::new(), Compression::best());
        let text = serde_json::to_vec(self).map_err(|error| packed_failure(&error.to_string()))?;
        to.write_all(&text).map_err(|error| packed_failure(&error.to_string()))?;
        to.finish().map_err(|error| packed_failure(&error.to_string()))
    }

    /// What [`to_gzip_bytes`](Self::to_gzip_bytes) wrote.
    ///
    /// # Errors
    /// `audit.packed` for anything else, more than 256 MiB of it, or more than 10,000,000 values.
    pub fn from_gzip_bytes(bytes: &[u8]) -> Result<Self, Failure> {
        let from = ValueLimitReader { from: GzDecoder::new(bytes).take(UNPACKED_BYTES_MAX), left: VALUES_MAX };
        serde_json::from_reader(std::io::BufReader::new(from)).map_err(|error| packed_failure(&error.to_string()))
    }
}

fn packed_failure(why: &str) -> Failure {
    let message = format!("the audit's packed report cannot be used: {}", EscapedText(why));
    Failure::new("audit.packed", &message, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seed: u32, value: Option<f64>) -> SubjectRow {
        let value = |metric: &str| MetricValue { metric: metric.to_owned(), value, seconds: 0.012_345, evaluations: 7 };
        SubjectRow {
            world: World::Scores,
            place: "a".to_owned(),
            seed,
            subject: Subject::with_level(Group::Dose, "noise", 0.5),
            truth: Some(1.0 / 3.0),
            truths: [("directions".to_owned(), 0.25)].into(),
            size: None,
            width: Some(4.0),
            values: vec![value("one"), value("two")],
            not_applicable: None,
        }
    }

    fn report(rows: Vec<SubjectRow>) -> Report {
        let settings = Settings { seeds: 1, world: "scores".to_owned(), ..Settings::default() };
        let jobs = vec![CompletedJob { job: "scores-0".to_owned(), rows, seconds: 1.5 }];
        Report { jobs, ..Report::new(settings) }
    }

    #[test]
    fn numbers_come_back_as_they_were() {
        let report = report(vec![row(0, Some(0.1 + 0.2)), row(0, None)]);
        let packed = PackedReport::from_report(&report, "a machine").unwrap();
        let back = PackedReport::from_gzip_bytes(&packed.to_gzip_bytes().unwrap()).unwrap();
        assert_eq!((back.machine.as_str(), back.total_seconds()), ("a machine", 1.5));
        let back = back.into_report().unwrap();
        assert_eq!(back.settings, report.settings);
        let mut wanted = report;
        for row in wanted.jobs.iter_mut().flat_map(|job| &mut job.rows) {
            row.values.iter_mut().for_each(|value| value.seconds = 0.0123);
        }
        assert_eq!(back.jobs, wanted.jobs);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert_eq!(
            PackedReport::from_report(&report(vec![row(0, None), row(1, None)]), "").unwrap_err().code,
            "audit.packed"
        );
        let bytes = PackedReport::from_report(&report(vec![row(0, None)]), "").unwrap().to_gzip_bytes().unwrap();
        for end in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert_eq!(PackedReport::from_gzip_bytes(&bytes[..end]).unwrap_err().code, "audit.packed");
        }
        let mut packed = PackedReport::from_gzip_bytes(&bytes).unwrap();
        packed.jobs[0].took[1].clear();
        assert_eq!(packed.into_report().unwrap_err().code, "audit.packed");
    }

    /// A packed file of text before a list, a value so often, and text behind it.
    fn bomb(before: &str, value: &str, count: usize, behind: &str) -> Vec<u8> {
        let mut to = GzEncoder::new(Vec::new(), Compression::fast());
        to.write_all(before.as_bytes()).unwrap();
        let (some, rounds) = (value.repeat(10_000), count / 10_000);
        (0..rounds).for_each(|_| to.write_all(some.as_bytes()).unwrap());
        to.write_all(behind.as_bytes()).unwrap();
        to.finish().unwrap()
    }

    #[test]
    fn a_few_bytes_do_not_become_many() {
        let start = "{\"settings\":{},\"machine\":\"x\",\"jobs\":[{\"job\":\"scores-0\",\"world\":\"scores\",\
                     \"seed\":0,\"seconds\":0,";
        let end = "],\"values\":[],\"took\":[],\"evaluations\":[]}]}";
        let names = format!("{start}\"subjects\":[],\"metrics\":[");
        let found = PackedReport::from_gzip_bytes(&bomb(&names, "\"\",", 100_000, &format!("\"\"{end}"))).unwrap_err();
        assert!(found.message.contains("at most 1000 metrics"), "{found}");
        // What nobody asked for beside a subject's fields is passed over, and not held.
        let subject = "\"subjects\":[{\"group\":\"reference\",\"name\":\"x\",\"level\":0,\"truth\":null,\
                       \"size\":null,\"width\":null,\"zz\":[";
        let behind = format!("0]}}],\"metrics\":[{end}");
        let besides = format!("{start}{subject}");
        assert!(PackedReport::from_gzip_bytes(&bomb(&besides, "0,", 100_000, &behind)).is_ok());
        let many = PackedReport::from_gzip_bytes(&bomb(&besides, "0,", 11_000_000, &behind)).unwrap_err();
        assert_eq!(many.code, "audit.packed");
        assert!(many.message.contains("more than 10000000 values"), "{many}");
    }
}
