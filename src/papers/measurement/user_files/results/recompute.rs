//! What follows from a result's own numbers: derived ones computed anew, and pass conditions in both readings.

use super::super::by_metric::COMPARED_MAX;
use super::{read_number, read_points};
use crate::io::IoError;
use crate::io::json::JsonNode;
use crate::papers::measurement::metric::{
    METRICS, REDUCED_STRENGTH, RELATIVE_DEVIATION_MAX, all_hold, consistency, d_prime, faithfulness_area,
    reproducibility,
};
use crate::study::user_file::{Recomputed, Reported, ReportedNumber, UserFileError};

/// Means closer to 0 than this divide as this.
const DIVISOR_MIN: f64 = 1e-8;
/// How far the number of right answers may be from a whole one.
const COUNT_TOLERANCE: f64 = 1e-6;
/// Most prompts that shares are told of.
const PROMPTS_MAX: u64 = 1_000_000;

/// Thresholds and faithfulness.
type CurvePoints = (Vec<f64>, Vec<f64>);

/// Numbers of a group of prompts.
#[derive(Clone, Copy, Debug)]
struct GroupStatistics {
    n: f64,
    mean: f64,
    /// With ddof 0.
    deviation: f64,
}

/// What a result has that something follows from.
#[derive(Clone, Debug)]
pub(super) struct ResultNumbers {
    /// The metric's short name: `ex1`.
    id: String,
    /// Numbers by the names that the file has.
    named: Vec<(&'static str, ReportedNumber)>,
    n: Option<u64>,
    groups: Vec<GroupStatistics>,
    run_means: Option<Vec<f64>>,
    /// Just-noticeable differences at full strength and at half of it.
    jnds: Option<Vec<[Option<f64>; 2]>>,
    /// A curve of faithfulness.
    pub curve: Option<CurvePoints>,
    reseeds: Option<f64>,
}

/// Numbers of `metadata`, or of the result itself, that are looked at.
const NUMBER_KEYS: [&str; 18] = [
    "hit_rate",
    "false_alarm_rate",
    "dprime",
    "criterion",
    "auc",
    "max_dif_cohens_d",
    "weber_consistency",
    "probe_cv",
    "ablation_cv",
    "mean_cv",
    "discriminability_d",
    "probe_mean",
    "probe_std",
    "deviation_rate",
    "max_deviation",
    "coherence_score",
    "cpr",
    "cmd",
];

impl ResultNumbers {
    /// Those of a result.
    pub fn from_result(
        place: &JsonNode<'_>,
        metadata: Option<&JsonNode<'_>>,
        metric: &str,
        n: Option<u64>,
    ) -> Result<Self, UserFileError> {
        let id = metric.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let known = METRICS.iter().any(|about| about.id == id);
        let mut found = Self {
            id,
            named: Vec::new(),
            n,
            groups: Vec::new(),
            run_means: None,
            jnds: None,
            curve: None,
            reseeds: None,
        };
        // Metrics that are not among the fifteen may mean anything by these names.
        if !known {
            return Ok(found);
        }
        for name in NUMBER_KEYS {
            let inner = metadata.map(|inner| inner.get_optional(name)).transpose()?.flatten();
            let there = if inner.is_some() { inner } else { place.get_optional(name)? };
            let said = there.map_or(Ok(ReportedNumber::Missing), |of| ReportedNumber::from_json(&of))?;
            found.named.push((name, said));
        }
        let mut curve = place.get_non_null("faithfulness_curve")?;
        if let Some(metadata) = metadata {
            found.groups = read_groups(metadata)?;
            found.run_means = read_run_means(metadata)?;
            found.jnds = read_jnds(metadata)?;
            found.reseeds = read_number(metadata, "n_reseeds")?;
            if curve.is_none() {
                curve = metadata.get_non_null("per_threshold_faithfulness")?;
            }
        }
        found.curve = curve.map(|place| read_points(&place)).transpose()?;
        Ok(found)
    }

    fn reported_number(&self, name: &str) -> ReportedNumber {
        let named = self.named.iter().find(|(known, _)| *known == name);
        named.map_or(ReportedNumber::Missing, |(_, said)| *said)
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.reported_number(name).finite()
    }

    /// A quantity by the name that conditions have for it.
    fn value_by_name(&self, name: &str) -> Option<f64> {
        match name {
            "max_dif_code" => self.get("max_dif_cohens_d"),
            "max_dif_standard" => self.max_abs_d(1.0),
            "share_detectable" => {
                let jnds = self.jnds.as_ref().filter(|jnds| !jnds.is_empty())?;
                let noticed = jnds.iter().filter(|[full, _]| full.is_some()).count();
                Some(noticed as f64 / jnds.len() as f64)
            }
            "mean_cv_code" => self.get("mean_cv"),
            "discriminability_code" => self.get("discriminability_d"),
            // The sample's deviation, which the page's reading takes, is larger than the code's.
            "cv_probe_sample" => {
                let seeds = self.reseeds.filter(|seeds| *seeds > 1.0)?;
                Some(self.get("probe_cv")? * f64::sqrt(seeds / (seeds - 1.0)))
            }
            "coherence_code" => self.get("coherence_score"),
            name => self.get(name),
        }
    }

    /// Whether the page's condition and the code's hold of the numbers that are there; none where one is missing.
    pub fn passed_readings(&self) -> (Option<bool>, Option<bool>) {
        let Some(about) = METRICS.iter().find(|about| about.id == self.id) else {
            return (None, None);
        };
        let [document, code] = [about.passes.document, about.passes.code].map(|conditions| {
            let known =
                !conditions.is_empty() && conditions.iter().all(|one| self.value_by_name(one.quantity).is_some());
            known.then(|| all_hold(conditions, |name| self.value_by_name(name)))
        });
        (document, code)
    }

    /// The largest |d| of two groups, whose variances are taken with ddof 0 or 1; none below two groups.
    fn max_abs_d(&self, ddof: f64) -> Option<f64> {
        let large: Vec<&GroupStatistics> = self.groups.iter().filter(|group| group.n >= 2.0).collect();
        let mut largest: Option<f64> = None;
        for (at, a) in large.iter().enumerate() {
            for b in large.iter().skip(at + 1) {
                let squares = |group: &GroupStatistics| {
                    group.deviation * group.deviation * (group.n - 1.0) * group.n / (group.n - ddof)
                };
                let pooled = f64::sqrt((squares(a) + squares(b)) / (a.n + b.n - 2.0));
                let apart = (a.mean - b.mean).abs();
                let d = match pooled > 0.0 {
                    true => apart / pooled,
                    // Of what does not vary the code says that it does not differ.
                    false if ddof > 0.0 && apart > 0.0 => f64::INFINITY,
                    false => 0.0,
                };
                largest = Some(largest.map_or(d, |most| most.max(d)));
            }
        }
        largest
    }

    /// Reported numbers beside what follows from others.
    pub fn recompute_reported(&self, file: &str) -> Result<Vec<Reported>, UserFileError> {
        let mut found = Vec::new();
        let mut told = |name: &'static str, anew: Recomputed| {
            let said = self.reported_number(name);
            if !matches!(said, ReportedNumber::Missing) {
                found.push(Reported::new(file, name, said, anew, None));
            }
        };
        let same = |value: Option<f64>| Recomputed::Values(value, value);
        match self.id.as_str() {
            "ex1" => {
                let signs = |rate: &str| self.signs_for_rate(rate);
                match (signs("hit_rate"), signs("false_alarm_rate")) {
                    (Some(hits), Some(alarms)) => {
                        let anew = d_prime(&hits, &alarms).ok();
                        told("dprime", same(anew.map(|found| found.dprime)));
                        told("criterion", same(anew.map(|found| found.criterion_c)));
                    }
                    _ => {
                        let why = "hit_rate and false_alarm_rate are no shares of n_samples prompts";
                        told("dprime", Recomputed::Unknown(why.to_owned()));
                    }
                }
            }
            "ex2" => told(
                "max_dif_cohens_d",
                match self.max_abs_d(0.0) {
                    Some(code) => Recomputed::Values(Some(code), self.max_abs_d(1.0)),
                    None => Recomputed::Unknown("per_group_stats of two groups are needed".to_owned()),
                },
            ),
            "ex11" => told(
                "weber_consistency",
                match &self.jnds {
                    Some(jnds) => {
                        let full = jnds.iter().filter_map(|[full, _]| *full);
                        let reduced = jnds.iter().filter_map(|[_, jnd]| Some((*jnd)? / REDUCED_STRENGTH));
                        same(Some(consistency(&full.chain(reduced).collect::<Vec<f64>>())))
                    }
                    None => Recomputed::Unknown("per_head_weber is needed".to_owned()),
                },
            ),
            "ex24" => {
                let cv = self.get("probe_mean").zip(self.get("probe_std"));
                if let Some((mean, deviation)) = cv {
                    told(
                        "probe_cv",
                        Recomputed::Values(
                            Some(deviation / mean.abs().max(DIVISOR_MIN)),
                            self.value_by_name("cv_probe_sample"),
                        ),
                    );
                }
                if let Some((probe, ablation)) = self.get("probe_cv").zip(self.get("ablation_cv")) {
                    // The page has no mean of two metrics.
                    told("mean_cv", Recomputed::Values(Some((probe + ablation) / 2.0), None));
                }
            }
            "ex25" => {
                if let Some(means) = &self.run_means {
                    let runs: Vec<Vec<f64>> = means.iter().map(|mean| vec![*mean]).collect();
                    let anew = reproducibility(&runs, None, RELATIVE_DEVIATION_MAX).ok();
                    let of = anew.as_ref();
                    told("deviation_rate", same(of.map(|found| found.deviation_rate)));
                    told("max_deviation", same(of.map(|found| found.max_deviation)));
                }
            }
            "mib" => {
                if let Some((thresholds, faithfulness)) = &self.curve {
                    let area = faithfulness_area(thresholds, faithfulness).ok();
                    told("cpr", same(area.map(|area| area.cpr)));
                    told("cmd", same(area.map(|area| area.cmd_signed_document)));
                }
            }
            _ => {}
        }
        Ok(found)
    }

    /// As many numbers above 0 as a share of the prompts says, and the others below.
    fn signs_for_rate(&self, rate: &str) -> Option<Vec<f64>> {
        let n = self.n.filter(|n| (1..=PROMPTS_MAX).contains(n))?;
        let right = self.get(rate).filter(|rate| (0.0..=1.0).contains(rate))? * n as f64;
        let whole = right.round();
        ((right - whole).abs() < COUNT_TOLERANCE)
            .then(|| (0..n).map(|at| if (at as f64) < whole { 1.0 } else { -1.0 }).collect())
    }
}

/// Means of EX25's runs.
fn read_run_means(metadata: &JsonNode<'_>) -> Result<Option<Vec<f64>>, IoError> {
    let Some(place) = metadata.get_non_null("run_means")? else { return Ok(None) };
    let means = place.as_numbers()?;
    if means.len() > COMPARED_MAX {
        let allowed = format!("at most {COMPARED_MAX}: all pairs are compared");
        return Err(place.field_error(format!("{} runs", means.len()), &allowed));
    }
    Ok(Some(means))
}

/// Numbers of EX2's groups.
fn read_groups(metadata: &JsonNode<'_>) -> Result<Vec<GroupStatistics>, IoError> {
    let Some(place) = metadata.get_non_null("per_group_stats")? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    let groups = place.as_object("an object of numbers by the groups' names")?;
    if groups.len() > COMPARED_MAX {
        let allowed = format!("at most {COMPARED_MAX}: all pairs are compared");
        return Err(place.field_error(format!("{} groups", groups.len()), &allowed));
    }
    for (name, value) in groups {
        let place = place.child(name, value);
        let n = place.get("n")?.as_count()? as f64;
        let deviation = place.get("std_ld")?;
        let known = (read_number(&place, "mean_ld")?, read_number(&place, "std_ld")?);
        let (Some(mean), Some(value)) = known else { continue };
        if value < 0.0 {
            return Err(deviation.invalid_value_error("a number from 0 on"));
        }
        found.push(GroupStatistics { n, mean, deviation: value });
    }
    Ok(found)
}

/// What is just noticed of each of EX11's heads.
fn read_jnds(metadata: &JsonNode<'_>) -> Result<Option<Vec<[Option<f64>; 2]>>, IoError> {
    let Some(place) = metadata.get_non_null("per_head_weber")? else { return Ok(None) };
    let mut found = Vec::new();
    for (name, value) in place.as_object("an object by the heads' names")? {
        let place = place.child(name, value);
        found.push([read_number(&place, "jnd_full")?, read_number(&place, "jnd_reduced")?]);
    }
    Ok(Some(found))
}
