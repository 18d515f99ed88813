use serde::{Deserialize, Serialize};

use super::job::{Subject, SynthJobResult};
use super::printed::SynthMetric;
use super::settings::Settings;
use crate::sae::sae_lens_trainer::Architecture;
use crate::sae::synth_sae_bench::SynthScores;
use crate::statistics::{mean, standard_deviation};
use crate::study::Failure;

/// A run, as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "SynthReport"))]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// What was wanted.
    pub settings: Settings,
    /// Jobs that are done, by name.
    #[serde(default)]
    pub jobs: Vec<SynthJobResult>,
}

/// A mean over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeedStatistics {
    /// Mean.
    pub mean: f64,
    /// Standard deviation (n − 1); none of one seed.
    pub deviation: Option<f64>,
    /// Seeds.
    pub seeds: usize,
}

/// A clear order of the printed table, and what was found of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedRanking {
    /// By which number.
    pub metric: SynthMetric,
    /// Which is higher in print.
    pub higher: Architecture,
    /// Which is lower there.
    pub lower: Architecture,
    /// The difference in print.
    pub printed_difference: f64,
    /// The difference here.
    pub found_difference: f64,
    /// The sum of both standard deviations over seeds; none of one seed.
    pub summed_deviation: Option<f64>,
}

impl PrintedRanking {
    /// Whether the order came out.
    #[must_use]
    pub fn is_reproduced(&self) -> bool {
        self.found_difference > 0.0
    }

    /// Whether it came out, or the other way round, by more than the spread over seeds.
    #[must_use]
    pub fn exceeds_spread(&self) -> bool {
        self.summed_deviation.is_some_and(|spread| self.found_difference.abs() > spread)
    }
}

/// The usual settings' run as `sfc-bench synth --json` printed it: report alone.
const SHIPPED_JSON: &str = include_str!("shipped.json");

impl Report {
    /// The usual settings' run, computed natively.
    ///
    /// # Errors
    /// Where the file that is built in is none: a test reads it.
    pub fn load_shipped() -> Result<Self, Failure> {
        serde_json::from_str(SHIPPED_JSON).map_err(|error| Failure::new("synth.shipped", &error, None))
    }

    /// Of nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, jobs: Vec::new() }
    }

    /// How many of the jobs that the settings ask for are there, and how many they ask for.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        let wanted = self.settings.jobs();
        let there = |name: &str| self.jobs.iter().any(|found| found.job == name);
        (wanted.iter().filter(|job| there(&job.name())).count(), wanted.len())
    }

    /// Whether all of them are there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let (done, all) = self.progress();
        done == all
    }

    /// The scores of a subject, of the seeds that are there.
    #[must_use]
    pub fn scores(&self, subject: Subject) -> Vec<&SynthScores> {
        let wanted = self.settings.jobs().into_iter().filter(|job| job.subject == subject);
        let found = |name: String| self.jobs.iter().find(|found| found.job == name);
        wanted.filter_map(|job| Some(&found(job.name())?.scores)).collect()
    }

    /// A number of a subject over seeds; none where nothing is there.
    #[must_use]
    pub fn seed_statistics(&self, subject: Subject, of: &dyn Fn(&SynthScores) -> f64) -> Option<SeedStatistics> {
        let values: Vec<f64> = self.scores(subject).into_iter().map(of).collect();
        Some(SeedStatistics {
            mean: mean(&values).ok()?,
            deviation: standard_deviation(&values, 1).ok().filter(|value| value.is_finite()),
            seeds: values.len(),
        })
    }

    /// The clear orders of the printed table whose both sides are there.
    #[must_use]
    pub fn rankings(&self) -> Vec<PrintedRanking> {
        let printed = self.settings.printed_table();
        let order = |(metric, higher, lower): (SynthMetric, Architecture, Architecture)| {
            let of = |architecture| {
                let spread = self.seed_statistics(Subject::Trained(architecture), &|x| metric.value_of(x))?;
                Some((spread, printed.cell(architecture, metric)))
            };
            let ((a, a_printed), (b, b_printed)) = (of(higher)?, of(lower)?);
            Some(PrintedRanking {
                metric,
                higher,
                lower,
                printed_difference: a_printed.mean - b_printed.mean,
                found_difference: a.mean - b.mean,
                summed_deviation: a.deviation.zip(b.deviation).map(|(a, b)| a + b),
            })
        };
        printed.clear_rankings().into_iter().filter_map(order).collect()
    }
}
