use serde::{Deserialize, Serialize};

use super::config::FamiliesConfig;
use super::error::FamiliesError;
use super::job::{Job, JobResult};
use super::method::{Method, MethodRole};
use crate::Weights;
use crate::lab::Reading;
use crate::pareto::{self, Objectives};
use crate::statistics::{StudentT, extent, mean_or_nan, sum_of_squares};

/// When a difference counts as more than seed noise, in words.
pub const NOISE_CRITERION: &str = "Two mean hypervolumes differ by more than seed noise when their difference \
exceeds t times its standard error, √(s₁²/n₁ + s₂²/n₂), with the standard deviations s over the seeds \
and t the 97.5 % point of Student's distribution with the smaller n − 1 degrees of freedom. Methods \
without a seed have s = 0. With one seed nothing is said. The pairs are not corrected for their number.";

/// Random directions pass an axis when they come this close to the trained methods' mean.
const RANDOM_CONTROL_MARGIN: f64 = 0.02;

/// A quantity over the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Spread"))]
pub struct SeedSpread {
    /// Mean.
    pub mean: f64,
    /// Standard deviation (n − 1); 0 for one value.
    pub deviation: f64,
    /// Least.
    pub min: f64,
    /// Greatest.
    pub max: f64,
}

impl SeedSpread {
    pub(crate) fn from_values(values: &[f64]) -> Self {
        let mean = mean_or_nan(values);
        let freedom = values.len() as f64 - 1.0;
        let deviation = if freedom > 0.0 { f64::sqrt(sum_of_squares(values, mean) / freedom) } else { 0.0 };
        let (min, max) = extent(values.iter().copied());
        Self { mean, deviation, min, max }
    }

    fn from_optional_values(values: Vec<Option<f64>>) -> Option<Self> {
        values.into_iter().collect::<Option<Vec<f64>>>().map(|values| Self::from_values(&values))
    }
}

/// A method at one value of its knob, over the seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FamiliesPoint"))]
pub struct PointReport {
    /// k, or λ.
    pub knob: f64,
    /// S.
    pub sparsity: SeedSpread,
    /// F.
    pub fidelity: SeedSpread,
    /// C, in the configuration's reading.
    pub completeness: SeedSpread,
    /// The SFC-Score with equal weights.
    pub sfc: SeedSpread,
    /// Mean codes in a row.
    pub l0: SeedSpread,
    /// C by the row space.
    pub row_space: SeedSpread,
    /// C by the reconstruction.
    pub reconstruction: SeedSpread,
    /// C by the active subspace.
    pub active_subspace: SeedSpread,
    /// C_GT, where a circuit is planted.
    pub c_gt: Option<SeedSpread>,
    /// Mean matched |cosine|, where features are planted.
    pub mcc: Option<SeedSpread>,
    /// Share of planted directions recovered.
    pub recovered: Option<SeedSpread>,
    /// Mean F1 of latents as detectors.
    pub f1: Option<SeedSpread>,
    /// In how many seeds it is on its method's own Pareto front.
    pub on_front: usize,
}

/// A method over all knobs and seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct MethodReport {
    /// Which.
    pub method: Method,
    /// Its name for readers.
    pub label: String,
    /// What it is there for.
    pub role: MethodRole,
    /// How many seeds.
    pub seeds: usize,
    /// Each knob's points.
    pub points: Vec<PointReport>,
    /// Volume (from (0, 0, 0)) of all its points (S, F, C) of one seed, over the seeds.
    pub hypervolume: SeedSpread,
    /// The best SFC-Score with equal weights of one seed, over the seeds.
    pub best_sfc: SeedSpread,
    /// The best matched |cosine| of one seed, over the seeds; where features are planted.
    pub best_mcc: Option<SeedSpread>,
}

/// Two methods' volumes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FamiliesDifference"))]
pub struct HypervolumeDifference {
    /// One.
    pub first: Method,
    /// The other.
    pub second: Method,
    /// The first's mean hypervolume less the second's.
    pub difference: f64,
    /// How large a difference seed noise explains; none with too few seeds.
    pub noise: Option<f64>,
    /// Whether the difference exceeds it, by [`NOISE_CRITERION`].
    pub exceeds: Option<bool>,
}

/// How a difference stands to seed noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseVerdict {
    /// Neither method has a seed: there is no noise to exceed.
    NoSeeds,
    /// A seeded method has one seed, which says nothing of noise.
    OneSeed,
    /// It exceeds it.
    Exceeds,
    /// It does not.
    Within,
}

impl HypervolumeDifference {
    /// How it stands to seed noise. Where no method has a seed this is told from a noise of 0, which
    /// every difference would exceed.
    #[must_use]
    pub fn noise_verdict(&self) -> NoiseVerdict {
        if !(self.first.has_seed() || self.second.has_seed()) {
            return NoiseVerdict::NoSeeds;
        }
        match self.exceeds {
            None => NoiseVerdict::OneSeed,
            Some(true) => NoiseVerdict::Exceeds,
            Some(false) => NoiseVerdict::Within,
        }
    }
}

/// How much of a study there is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FamiliesCoverage"))]
pub struct Coverage {
    /// Members that there are, of methods that wait too.
    pub members: usize,
    /// Members of the whole study.
    pub of: usize,
    /// Methods that have not all of their members, and so no place in the report.
    pub waiting: Vec<Method>,
}

/// A quantity that random directions may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FamiliesAxis"))]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// S.
    Sparsity,
    /// F.
    Fidelity,
    /// C by the row space.
    RowSpace,
    /// C by the reconstruction.
    Reconstruction,
    /// C by the active subspace.
    ActiveSubspace,
}

impl Quantity {
    const ALL: [Self; 5] = [Self::Sparsity, Self::Fidelity, Self::RowSpace, Self::Reconstruction, Self::ActiveSubspace];

    fn value_of(self, result: &JobResult) -> f64 {
        match self {
            Self::Sparsity => result.sparsity,
            Self::Fidelity => result.fidelity,
            Self::RowSpace => result.completeness.row_space,
            Self::Reconstruction => result.completeness.reconstruction,
            Self::ActiveSubspace => result.completeness.active_subspace,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Sparsity => "Sparsity",
            Self::Fidelity => "Fidelity",
            Self::RowSpace => "Completeness by the row space",
            Self::Reconstruction => "Completeness by the reconstruction",
            Self::ActiveSubspace => "Completeness by the active subspace",
        }
    }
}

/// Something that should not be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FamiliesWarning"))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Warning {
    /// A control's mean hypervolume is at least a trained method's.
    ControlWins {
        /// The control.
        control: Method,
        /// The trained method.
        method: Method,
        /// By how much.
        by: f64,
        /// In words.
        message: String,
    },
    /// Random directions do about as well on one axis as trained methods: alone it shows nothing.
    RandomPasses {
        /// Which axis.
        axis: Quantity,
        /// Their mean over all knobs and seeds.
        random: f64,
        /// The trained methods' mean over all methods, knobs and seeds.
        trained: f64,
        /// In words.
        message: String,
    },
}

impl Warning {
    /// The warning in words.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::ControlWins { message, .. } | Self::RandomPasses { message, .. } => message,
        }
    }
}

/// What a study found. It depends on the results alone, not on their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct FamiliesReport {
    /// What was compared.
    pub config: FamiliesConfig,
    /// Every member, in the order of the jobs.
    pub results: Vec<JobResult>,
    /// Each method.
    pub methods: Vec<MethodReport>,
    /// Each pair of methods.
    pub differences: Vec<HypervolumeDifference>,
    /// [`NOISE_CRITERION`].
    pub criterion: String,
    /// What should not be.
    pub warnings: Vec<Warning>,
    /// Of a study that is not finished: how much of it this is of. Whatever needs all methods is not
    /// said then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub provisional: Option<Coverage>,
}

impl FamiliesReport {
    /// As the command line prints it.
    ///
    /// # Errors
    /// None is known: every number is finite or null.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Makes the report of a study's results, which may come in any order.
///
/// # Errors
/// [`FamiliesError::Config`]; [`FamiliesError::UnknownJob`] for a result of another study,
/// [`FamiliesError::ResultCount`] where a job has none or several; [`FamiliesError::Pareto`] for results
/// that are not finite.
pub fn build_report(config: &FamiliesConfig, results: Vec<JobResult>) -> Result<FamiliesReport, FamiliesError> {
    config.check()?;
    let jobs = config.jobs();
    let mut slots: Vec<Option<JobResult>> = vec![None; jobs.len()];
    for result in results {
        let Job { method, knob, seed } = result.job;
        match jobs.iter().position(|job| *job == result.job) {
            None => return Err(FamiliesError::UnknownJob { method, knob, seed }),
            Some(at) if slots[at].is_some() => {
                return Err(FamiliesError::ResultCount { method, knob, seed, count: 2 });
            }
            Some(at) => slots[at] = Some(result),
        }
    }
    let mut results = Vec::with_capacity(jobs.len());
    for (slot, job) in slots.into_iter().zip(jobs) {
        let Job { method, knob, seed } = job;
        results.push(slot.ok_or(FamiliesError::ResultCount { method, knob, seed, count: 0 })?);
    }
    let methods = config
        .available_methods()
        .into_iter()
        .map(|method| build_method_report(config, method, &results))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(FamiliesReport {
        config: config.clone(),
        differences: compare_methods(&methods),
        warnings: find_warnings(&methods, &results),
        criterion: NOISE_CRITERION.to_owned(),
        results,
        methods,
        provisional: None,
    })
}

/// Makes the report of those methods alone of which every job has a result. While results come in, what
/// is shown of a method is then what will stay; the report says that it is provisional, and has no
/// warning that other methods could take back.
///
/// # Errors
/// As [`build_report`], but for missing results.
pub fn build_finished_report(config: &FamiliesConfig, results: &[JobResult]) -> Result<FamiliesReport, FamiliesError> {
    let finished = |method: &Method| config.is_method_complete(*method, results);
    let methods: Vec<Method> = config.available_methods().into_iter().filter(finished).collect();
    let done = |result: &&JobResult| methods.contains(&result.job.method);
    let kept: Vec<JobResult> = results.iter().filter(done).cloned().collect();
    let waiting = |method: &Method| !methods.contains(method);
    let coverage = Coverage {
        members: results.len(),
        of: config.jobs().len(),
        waiting: config.available_methods().into_iter().filter(waiting).collect(),
    };
    if coverage.waiting.is_empty() {
        return build_report(config, kept);
    }
    if methods.is_empty() {
        config.check()?;
        return Ok(FamiliesReport {
            config: FamiliesConfig { methods, ..config.clone() },
            results: Vec::new(),
            methods: Vec::new(),
            differences: Vec::new(),
            criterion: NOISE_CRITERION.to_owned(),
            warnings: Vec::new(),
            provisional: Some(coverage),
        });
    }
    let mut report = build_report(&FamiliesConfig { methods, ..config.clone() }, kept)?;
    // Two methods that are finished stay as they are; a mean over all trained ones does not.
    report.warnings.retain(|warning| matches!(warning, Warning::ControlWins { .. }));
    report.provisional = Some(coverage);
    Ok(report)
}

impl FamiliesConfig {
    /// Whether all of a method's jobs are among the results.
    #[must_use]
    pub fn is_method_complete(&self, method: Method, results: &[JobResult]) -> bool {
        let jobs: Vec<Job> = self.jobs().into_iter().filter(|job| job.method == method).collect();
        // The count first: to look for each job among many results takes long.
        let count = results.iter().filter(|result| result.job.method == method).count();
        let there = |job: &Job| results.iter().any(|result| result.job == *job);
        count >= jobs.len() && jobs.iter().all(there)
    }

    /// S, F and C of a result, in this configuration's reading.
    #[must_use]
    pub fn objectives(&self, result: &JobResult) -> Objectives {
        objectives(self, result)
    }
}

fn objectives(config: &FamiliesConfig, result: &JobResult) -> Objectives {
    let readings = result.completeness;
    let completeness = match config.completeness {
        Reading::RowSpace => readings.row_space,
        Reading::Reconstruction => readings.reconstruction,
        Reading::ActiveSubspace => readings.active_subspace,
    };
    [result.sparsity, result.fidelity, completeness]
}

fn build_method_report(
    config: &FamiliesConfig,
    method: Method,
    results: &[JobResult],
) -> Result<MethodReport, FamiliesError> {
    let mine: Vec<&JobResult> = results.iter().filter(|r| r.job.method == method).collect();
    let sfc = |result: &JobResult| {
        let [s, f, c] = objectives(config, result);
        Weights::EQUAL.sfc(s, f, c)
    };
    let mut seeds: Vec<u32> = mine.iter().map(|result| result.job.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    let (mut volumes, mut scores, mut matches) = (Vec::new(), Vec::new(), Vec::new());
    let mut on_front: Vec<Job> = Vec::new();
    for seed in &seeds {
        let of_seed: Vec<&&JobResult> = mine.iter().filter(|r| r.job.seed == *seed).collect();
        let points: Vec<Objectives> = of_seed.iter().map(|result| objectives(config, result)).collect();
        volumes.push(pareto::hypervolume_only(&points, [0.0; 3])?);
        on_front.extend(pareto::front(&points, 0.0)?.into_iter().map(|at| of_seed[at].job));
        scores.push(of_seed.iter().map(|result| sfc(result)).fold(0.0, f64::max));
        let best = of_seed.iter().map(|result| result.mcc).collect::<Option<Vec<f64>>>();
        matches.push(best.map(|best| best.into_iter().fold(0.0, f64::max)));
    }
    let mut points = Vec::new();
    for knob in config.parameter_values(method) {
        let here: Vec<&&JobResult> = mine.iter().filter(|r| r.job.knob == knob).collect();
        let spread = |value: &dyn Fn(&JobResult) -> f64| {
            SeedSpread::from_values(&here.iter().map(|result| value(result)).collect::<Vec<f64>>())
        };
        let some = |value: &dyn Fn(&JobResult) -> Option<f64>| {
            SeedSpread::from_optional_values(here.iter().map(|result| value(result)).collect())
        };
        points.push(PointReport {
            knob,
            sparsity: spread(&|r| r.sparsity),
            fidelity: spread(&|r| r.fidelity),
            completeness: spread(&|r| objectives(config, r)[2]),
            sfc: spread(&sfc),
            l0: spread(&|r| r.l0),
            row_space: spread(&|r| r.completeness.row_space),
            reconstruction: spread(&|r| r.completeness.reconstruction),
            active_subspace: spread(&|r| r.completeness.active_subspace),
            c_gt: some(&|r| r.c_gt),
            mcc: some(&|r| r.mcc),
            recovered: some(&|r| r.recovered),
            f1: some(&|r| r.f1),
            on_front: on_front.iter().filter(|job| job.knob == knob).count(),
        });
    }
    Ok(MethodReport {
        method,
        label: method.label().to_owned(),
        role: method.role(),
        seeds: seeds.len(),
        points,
        hypervolume: SeedSpread::from_values(&volumes),
        best_sfc: SeedSpread::from_values(&scores),
        best_mcc: SeedSpread::from_optional_values(matches),
    })
}

fn compare_methods(methods: &[MethodReport]) -> Vec<HypervolumeDifference> {
    let mut out = Vec::new();
    for (at, first) in methods.iter().enumerate() {
        for second in &methods[at + 1..] {
            let difference = first.hypervolume.mean - second.hypervolume.mean;
            let noise = noise_threshold([first, second]);
            out.push(HypervolumeDifference {
                first: first.method,
                second: second.method,
                difference,
                noise,
                exceeds: noise.map(|noise| difference.abs() > noise),
            });
        }
    }
    out
}

/// The 97.5 % point of Student's t with some degrees of freedom, to the three decimals of printed
/// tables; none with no degree of freedom.
fn student_t_975(freedom: usize) -> Option<f64> {
    let t = StudentT::new(freedom as f64).ok()?.quantile(0.975).ok()?;
    Some(libm::round(1000.0 * t) / 1000.0)
}

/// t times the standard error of a difference; none where a seeded method has one seed.
fn noise_threshold(pair: [&MethodReport; 2]) -> Option<f64> {
    let seeded = || pair.iter().filter(|method| method.method.has_seed());
    let Some(least) = seeded().map(|method| method.seeds).min() else { return Some(0.0) };
    let t = student_t_975(least.saturating_sub(1))?;
    let variance: f64 =
        seeded().map(|method| method.hypervolume.deviation * method.hypervolume.deviation / method.seeds as f64).sum();
    Some(t * f64::sqrt(variance))
}

fn find_warnings(methods: &[MethodReport], results: &[JobResult]) -> Vec<Warning> {
    let mut out = Vec::new();
    for control in methods.iter().filter(|method| method.role == MethodRole::Control) {
        for method in methods.iter().filter(|method| method.role == MethodRole::Trained) {
            let by = control.hypervolume.mean - method.hypervolume.mean;
            if by >= 0.0 {
                let message = format!(
                    "{} reach a larger hypervolume ({:.3}) than {} ({:.3}).",
                    control.label, control.hypervolume.mean, method.label, method.hypervolume.mean
                );
                let (control, method) = (control.method, method.method);
                out.push(Warning::ControlWins { control, method, by, message });
            }
        }
    }
    let mean = |axis: Quantity, wanted: &dyn Fn(Method) -> bool| {
        let values: Vec<f64> = results.iter().filter(|r| wanted(r.job.method)).map(|r| axis.value_of(r)).collect();
        (!values.is_empty()).then(|| SeedSpread::from_values(&values).mean)
    };
    for axis in Quantity::ALL {
        let random = mean(axis, &|method| method == Method::Random);
        let trained = mean(axis, &|method| method.role() == MethodRole::Trained);
        if let (Some(random), Some(trained)) = (random, trained)
            && random >= trained - RANDOM_CONTROL_MARGIN
        {
            let message = format!(
                "{} does not tell trained methods ({trained:.3} on average) from random directions \
                 ({random:.3}).",
                axis.label()
            );
            out.push(Warning::RandomPasses { axis, random, trained, message });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::student_t_975;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// As tables of Student's t print it.
    const PRINTED: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ];

    #[test]
    fn students_t_is_what_tables_print() {
        let found: Vec<f64> = (1..=30).filter_map(student_t_975).collect();
        assert_eq!(found, PRINTED);
        assert_eq!([31, 60, 120, 100_000].map(student_t_975), [2.04, 2.0, 1.98, 1.96].map(Some));
    }
}
