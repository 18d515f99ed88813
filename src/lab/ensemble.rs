//! The same study under many seeds: does a conclusion survive other draws?

// A picture need not be the same to the last bit.
mod digest;
#[allow(clippy::disallowed_methods)]
pub mod figures;
mod study_view;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use digest::digest;
pub use study_view::{EnsembleSettings, StudyView};

use crate::order::sorted;
use crate::papers::sfc::Preset;
use crate::papers::sfc::metric::score::{PROFILES, Weights};
use crate::papers::sfc::run::{RunError, compute_points, to_objectives};
use crate::papers::sfc::settings::{PAPER_K, PAPER_LEVELS, Settings};
use crate::papers::sfc::{Point, QUANTITIES, best_point, method_name, printed, quantities};
use crate::pareto;
use crate::statistics::quantile_of_ascending;
use crate::synthetic::NetworkInputs;

/// Most points (members × levels) one ensemble may have.
pub const POINTS_MAX: u64 = 2_000_000;
/// Inputs larger than this many bytes are drawn anew for each member rather than kept.
const CACHED_INPUT_BYTES_MAX: usize = 64 << 20;

/// Which of the two seeds an ensemble varies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Varied {
    /// The network's: the data stay as they are.
    #[default]
    Model,
    /// Both: member s has model seed s and data seed s.
    ModelAndData,
}

impl FromStr for Varied {
    type Err = EnsembleError;

    /// "model" or "model-and-data".
    fn from_str(name: &str) -> Result<Self, EnsembleError> {
        match name {
            "model" => Ok(Self::Model),
            "model-and-data" => Ok(Self::ModelAndData),
            _ => Err(EnsembleError::Varied(name.to_owned())),
        }
    }
}

/// One seed's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The model seed.
    pub seed: u32,
    /// One point a level.
    pub points: Vec<Point>,
    /// Hypervolume of all points.
    pub hypervolume: f64,
    /// Points on the Pareto front.
    pub on_front: usize,
}

impl Member {
    fn rescore(&mut self, weights: Weights) {
        for point in &mut self.points {
            point.sfc = weights.sfc(point.sparsity, point.fidelity, point.completeness);
        }
    }
}

/// What every member of an ensemble has in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnsemblePlan {
    /// The settings; the seeds that vary are 0 in them.
    pub config: Settings,
    /// Which seeds vary.
    pub varied: Varied,
}

impl EnsemblePlan {
    /// A plan; the seeds that vary are set to 0 in its settings, so that plans that mean the same are
    /// equal.
    #[must_use]
    pub fn new(config: Settings, varied: Varied) -> Self {
        let config = config.with_model_seed(0);
        let config = match varied {
            Varied::Model => config,
            Varied::ModelAndData => config.with_data_seed(0),
        };
        Self { config, varied }
    }
}

/// Members of one plan, by ascending seed, and what they say together.
///
/// Everything in [`Summary`] follows from the members in the order of their seeds, so it is the
/// same however the seeds were shared out and in whatever order they came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ensemble {
    /// What was run.
    #[serde(flatten)]
    pub plan: EnsemblePlan,
    /// Each seed's results, by ascending seed.
    pub members: Vec<Member>,
    /// The members together.
    pub summary: Summary,
}

/// Quantiles of one quantity over the members (linear interpolation, as `numpy.quantile`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Least value.
    pub min: f64,
    /// 5 %: lower edge of the middle 90 %.
    pub q05: f64,
    /// 25 %: lower edge of the middle half.
    pub q25: f64,
    /// Median.
    pub median: f64,
    /// 75 %.
    pub q75: f64,
    /// 95 %.
    pub q95: f64,
    /// Greatest value.
    pub max: f64,
}

macro_rules! level_bands {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Bands of one level.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[allow(missing_docs)] // the fields are those of `Point`
        pub struct LevelBands {
            pub level: f64,
            $(pub $name: Band,)*
        }

        impl LevelBands {
            /// Of the points of one level, one a member.
            fn from_points(level: f64, points: &[&Point]) -> Self {
                Self { level, $($name: Band::from_values(points.iter().map(|point| point.$name)),)* }
            }

            /// The bands, in the order of [`QUANTITIES`](crate::papers::sfc::QUANTITIES).
            #[must_use]
            pub fn bands(&self) -> [&Band; QUANTITIES.len()] {
                [$(&self.$name),*]
            }
        }
    };
}

quantities!(level_bands);

/// How often each level wins under a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileWins {
    /// The profile's row in Table 4.
    pub profile: String,
    /// Names of the levels, in the order of the settings.
    pub methods: Vec<String>,
    /// Members in which each is best.
    pub wins: Vec<usize>,
}

/// Where a printed number lies among the members'.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrintedRank {
    /// The table.
    pub table: String,
    /// Its row.
    pub row: String,
    /// Its column.
    pub column: String,
    /// As the paper prints it.
    pub printed: f64,
    /// Share of members below it, in percent; equal ones (at the printed digits) count half.
    pub percentile: f64,
    /// The members'.
    pub band: Band,
}

/// An ensemble in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many seeds.
    pub members: usize,
    /// Bands of every curve.
    pub levels: Vec<LevelBands>,
    /// Hypervolume.
    pub hypervolume: Band,
    /// Highest score under the settings' weights.
    pub peak_sfc: Band,
    /// Members all of whose points lie on the front.
    pub all_on_front: usize,
    /// Winners under the seven profiles.
    pub wins: Vec<ProfileWins>,
    /// The paper's printed numbers for this configuration.
    pub printed: Vec<PrintedRank>,
}

/// Why there is no ensemble.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleError {
    /// No seeds, or more than [`POINTS_MAX`] allows at these levels.
    #[error("{seeds} seeds are asked for; allowed: 1 to {most} with this many levels")]
    SeedCount {
        /// How many are asked for.
        seeds: u64,
        /// How many are allowed.
        most: u64,
    },
    /// A member could not be run.
    #[error("seed {seed}: {error}")]
    Member {
        /// Its seed.
        seed: u32,
        /// What is wrong with it.
        error: RunError,
    },
    /// Two numbers that are not the ends of a range of seeds.
    #[error("seeds from {from} up to {to}; needed: whole numbers, 0 ≤ from < to ≤ 4294967296")]
    Seeds {
        /// First seed.
        from: f64,
        /// The seed after the last.
        to: f64,
    },
    /// No seed is called so.
    #[error("{0:?} cannot be varied; allowed: model, model-and-data")]
    Varied(String),
    /// The parts were not run with the same settings.
    #[error("the parts were run with different settings")]
    PlanMismatch,
    /// A seed is in several parts, with different results.
    #[error("seed {0} is in several parts, with different results")]
    SeedConflict(u32),
    /// There are no members to merge.
    #[error("there are no members")]
    Empty,
    /// A member has not as many points as the settings have levels.
    #[error("seed {seed} has {points} points where the settings have {levels} levels")]
    Points {
        /// Its seed.
        seed: u32,
        /// Its points.
        points: usize,
        /// Levels of the settings.
        levels: usize,
    },
}

impl EnsembleError {
    /// A stable code, e.g. `ensemble.count`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::SeedCount { .. } => "ensemble.count",
            Self::Member { error, .. } => error.code(),
            Self::Seeds { .. } => "ensemble.seeds",
            Self::Varied(_) => "ensemble.varied",
            Self::PlanMismatch => "ensemble.plans",
            Self::SeedConflict(_) => "ensemble.conflict",
            Self::Empty => "ensemble.empty",
            Self::Points { .. } => "ensemble.points",
        }
    }
}

/// Runs members of one plan; what they share is computed once.
pub struct Runner {
    plan: EnsemblePlan,
    inputs: Option<NetworkInputs>,
}

impl Runner {
    /// Prepares for any seeds of a plan.
    #[must_use]
    pub fn new(plan: EnsemblePlan) -> Self {
        let size = plan.config.samples() * plan.config.shape().inputs * size_of::<f64>();
        let keep = plan.varied == Varied::Model && size <= CACHED_INPUT_BYTES_MAX;
        let inputs = keep.then(|| NetworkInputs::draw(&plan.config.data_spec(), plan.config.shape().inputs));
        Self { plan, inputs }
    }

    /// One seed.
    ///
    /// # Errors
    /// [`EnsembleError::Member`], as [`study::curve`](crate::papers::sfc::compute_curve).
    pub fn run_member(&self, seed: u32) -> Result<Member, EnsembleError> {
        let settings = self.plan.config.with_model_seed(seed);
        let settings = match self.plan.varied {
            Varied::Model => settings,
            Varied::ModelAndData => settings.with_data_seed(seed),
        };
        let found = || -> Result<Member, RunError> {
            let points = compute_points(self.inputs.as_ref(), &settings)?;
            let objectives = to_objectives(&points);
            let hypervolume = pareto::hypervolume_only(&objectives, [0.0; 3])?;
            let on_front = pareto::front(&objectives, 0.0)?.len();
            Ok(Member { seed, points, hypervolume, on_front })
        };
        found().map_err(|error| EnsembleError::Member { seed, error })
    }
}

/// The seeds from `from` up to, but not including, `to`.
///
/// # Errors
/// [`EnsembleError::Seeds`] unless both are whole and 0 ≤ `from` < `to` ≤ 2³².
pub fn parse_seed_range(from: f64, to: f64) -> Result<RangeInclusive<u32>, EnsembleError> {
    let whole = |value: f64| value == libm::trunc(value);
    let most = f64::from(u32::MAX) + 1.0;
    if whole(from) && whole(to) && 0.0 <= from && from < to && to <= most {
        Ok(from as u32..=(to - 1.0) as u32)
    } else {
        Err(EnsembleError::Seeds { from, to })
    }
}

/// Checks how many seeds a range holds.
///
/// # Errors
/// [`EnsembleError::SeedCount`].
pub fn check_seed_count(settings: &Settings, seeds: &RangeInclusive<u32>) -> Result<(), EnsembleError> {
    let count = (u64::from(*seeds.end()) + 1).saturating_sub(u64::from(*seeds.start()));
    let most = POINTS_MAX / settings.levels().len() as u64;
    if (1..=most).contains(&count) { Ok(()) } else { Err(EnsembleError::SeedCount { seeds: count, most }) }
}

/// Runs all seeds of a range, one after the other.
///
/// # Errors
/// [`EnsembleError::SeedCount`] and [`EnsembleError::Member`].
pub fn run_ensemble(plan: EnsemblePlan, seeds: RangeInclusive<u32>) -> Result<Ensemble, EnsembleError> {
    check_seed_count(&plan.config, &seeds)?;
    let runner = Runner::new(plan.clone());
    let members = seeds.map(|seed| runner.run_member(seed)).collect::<Result<_, _>>()?;
    Ensemble::from_members(plan, members)
}

impl Ensemble {
    /// Sums members up, in whatever order they come. A seed that is there twice with the same
    /// results counts once.
    ///
    /// # Errors
    /// [`EnsembleError::Empty`], [`EnsembleError::SeedConflict`], [`EnsembleError::Points`].
    pub fn from_members(plan: EnsemblePlan, members: Vec<Member>) -> Result<Self, EnsembleError> {
        // A map rather than a sort: less code, and as fast.
        let mut by_seed: BTreeMap<u32, Member> = BTreeMap::new();
        for member in members {
            match by_seed.get(&member.seed) {
                Some(known) if *known != member => {
                    return Err(EnsembleError::SeedConflict(member.seed));
                }
                Some(_) => {}
                None => {
                    by_seed.insert(member.seed, member);
                }
            }
        }
        let members: Vec<Member> = by_seed.into_values().collect();
        let levels = plan.config.levels().len();
        if let Some(odd) = members.iter().find(|member| member.points.len() != levels) {
            return Err(EnsembleError::Points { seed: odd.seed, points: odd.points.len(), levels });
        }
        if members.is_empty() {
            return Err(EnsembleError::Empty);
        }
        let summary = summarise(&plan.config, &members);
        Ok(Self { plan, members, summary })
    }

    /// Joins ensembles of one plan: equal to one run over all their seeds.
    ///
    /// # Errors
    /// [`EnsembleError::PlanMismatch`] where the plans differ, otherwise as [`from_members`](Self::from_members).
    pub fn merge(parts: Vec<Self>) -> Result<Self, EnsembleError> {
        let plan = parts.first().ok_or(EnsembleError::Empty)?.plan.clone();
        if parts.iter().any(|part| part.plan != plan) {
            return Err(EnsembleError::PlanMismatch);
        }
        Self::from_members(plan, parts.into_iter().flat_map(|part| part.members).collect())
    }

    /// Scores every point anew and sums up what depends on the weights: equal to a run under them.
    pub fn rescore(&mut self, weights: Weights) {
        self.plan.config = self.plan.config.clone().with_weights(weights);
        for member in &mut self.members {
            member.rescore(weights);
        }
        for (at, bands) in self.summary.levels.iter_mut().enumerate() {
            bands.sfc = Band::from_values(self.members.iter().map(|member| member.points[at].sfc));
        }
        self.summary.peak_sfc = Band::from_values(self.members.iter().map(|member| peak_score(member, weights)));
    }

    /// How often each level wins under some weights, in the order of the settings.
    #[must_use]
    pub fn count_wins(&self, weights: Weights) -> Vec<usize> {
        count_wins(self.plan.config.levels().len(), &self.members, weights)
    }

    /// The ensemble as JSON, ending in a new line: what the command line prints and merges.
    ///
    /// # Errors
    /// As [`serde_json::to_string_pretty`].
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Members of one plan as they come in, in any order, summed up when asked.
#[derive(Clone, Debug)]
pub struct EnsembleBuilder {
    plan: EnsemblePlan,
    found: Option<Ensemble>,
    /// By seed; none of them is in `found`.
    waiting: BTreeMap<u32, Member>,
}

impl EnsembleBuilder {
    /// No members yet.
    #[must_use]
    pub fn new(plan: EnsemblePlan) -> Self {
        Self { plan, found: None, waiting: BTreeMap::new() }
    }

    /// Members so far.
    #[must_use]
    pub fn member_count(&self) -> usize {
        self.waiting.len() + self.found.as_ref().map_or(0, |found| found.members.len())
    }

    /// Takes a member, scored under the plan's weights whatever it was scored under before. One that
    /// is there already, with the same results, changes nothing.
    ///
    /// # Errors
    /// [`EnsembleError::SeedConflict`], [`EnsembleError::Points`], and [`EnsembleError::SeedCount`] where
    /// there are as many as there may be; the member is not taken then.
    pub fn add_member(&mut self, mut member: Member) -> Result<(), EnsembleError> {
        let Member { seed, ref points, .. } = member;
        let levels = self.plan.config.levels().len();
        if points.len() != levels {
            return Err(EnsembleError::Points { seed, points: points.len(), levels });
        }
        member.rescore(self.plan.config.weights());
        let summed = self.found.as_ref().and_then(|found| {
            let at = found.members.binary_search_by_key(&seed, |member| member.seed).ok()?;
            found.members.get(at)
        });
        if let Some(known) = summed.or_else(|| self.waiting.get(&seed)) {
            let same = *known == member;
            return if same { Ok(()) } else { Err(EnsembleError::SeedConflict(seed)) };
        }
        let (seeds, most) = (self.member_count() as u64 + 1, POINTS_MAX / levels as u64);
        if seeds > most {
            return Err(EnsembleError::SeedCount { seeds, most });
        }
        self.waiting.insert(seed, member);
        Ok(())
    }

    /// Forgets every seed but those below this one; the others are summed up at the next refresh.
    pub fn keep_seeds_below(&mut self, below: u32) {
        let summed = self.found.take().map_or_else(Vec::new, |found| found.members);
        self.waiting.extend(summed.into_iter().map(|member| (member.seed, member)));
        self.waiting.retain(|seed, _| *seed < below);
    }

    /// Scores every point anew, as [`Ensemble::rescore`].
    pub fn set_weights(&mut self, weights: Weights) {
        self.plan.config = self.plan.config.clone().with_weights(weights);
        for member in self.waiting.values_mut() {
            member.rescore(weights);
        }
        if let Some(found) = &mut self.found {
            found.rescore(weights);
        }
    }

    /// Sums up all members there are.
    ///
    /// # Errors
    /// [`EnsembleError::Empty`].
    pub fn update_summary(&mut self) -> Result<(), EnsembleError> {
        if !self.waiting.is_empty() || self.found.is_none() {
            let mut members = self.found.take().map_or_else(Vec::new, |found| found.members);
            members.extend(std::mem::take(&mut self.waiting).into_values());
            self.found = Some(Ensemble::from_members(self.plan.clone(), members)?);
        }
        Ok(())
    }

    /// The members as they were last summed up.
    #[must_use]
    pub fn ensemble(&self) -> Option<&Ensemble> {
        self.found.as_ref()
    }
}

impl Band {
    /// Of values in whatever order, one or more.
    #[must_use]
    pub fn from_values(values: impl Iterator<Item = f64>) -> Self {
        let values = sorted(values);
        let quantile = |share: f64| quantile_of_ascending(&values, share);
        Self {
            min: quantile(0.0),
            q05: quantile(0.05),
            q25: quantile(0.25),
            median: quantile(0.5),
            q75: quantile(0.75),
            q95: quantile(0.95),
            max: quantile(1.0),
        }
    }
}

/// The highest score of a member.
fn peak_score(member: &Member, weights: Weights) -> f64 {
    best_point(&member.points, weights).map_or(0.0, |(_, score)| score)
}

fn count_wins(levels: usize, members: &[Member], weights: Weights) -> Vec<usize> {
    let mut wins = vec![0; levels];
    for member in members {
        if let Some((index, _)) = best_point(&member.points, weights) {
            wins[index] += 1;
        }
    }
    wins
}

fn summarise(settings: &Settings, members: &[Member]) -> Summary {
    let levels: Vec<LevelBands> = (0..settings.levels().len())
        .map(|at| {
            let points: Vec<&Point> = members.iter().filter_map(|member| member.points.get(at)).collect();
            LevelBands::from_points(settings.levels()[at], &points)
        })
        .collect();
    let methods: Vec<String> = settings.levels().iter().map(|level| method_name(*level)).collect();
    let wins = PROFILES
        .iter()
        .map(|profile| ProfileWins {
            profile: profile.label.to_owned(),
            methods: methods.clone(),
            wins: count_wins(methods.len(), members, profile.weights),
        })
        .collect();
    let printed = printed_ranks(settings, members, &levels);
    let weights = settings.weights();
    Summary {
        members: members.len(),
        levels,
        hypervolume: Band::from_values(members.iter().map(|member| member.hypervolume)),
        peak_sfc: Band::from_values(members.iter().map(|member| peak_score(member, weights))),
        all_on_front: members.iter().filter(|m| m.on_front == m.points.len()).count(),
        wins,
        printed,
    }
}

/// The printed numbers that the settings have counterparts of.
fn printed_ranks(settings: &Settings, members: &[Member], levels: &[LevelBands]) -> Vec<PrintedRank> {
    let mut ranks = Vec::new();
    // A band that is known need not be found again.
    let mut rank = |(table, row, column): (&str, &str, &str),
                    printed: f64,
                    known: Option<Band>,
                    value: &dyn Fn(&Member) -> f64| {
        let digits = printed::format_three_decimals(printed);
        let (mut below, mut equal) = (0, 0);
        let mut last = (f64::NAN, false);
        for value in members.iter().map(value) {
            // Text decides only next to a half of the last digit, and once for equal values (S is
            // the same under every seed): making it takes long.
            let off = (value - printed).abs();
            if (4.9e-4..5.1e-4).contains(&off) && value != last.0 {
                last = (value, printed::format_three_decimals(value) == digits);
            }
            if off < 4.9e-4 || value == last.0 && last.1 {
                equal += 1;
            } else if value < printed {
                below += 1;
            }
        }
        let share = (f64::from(below) + 0.5 * f64::from(equal)) / members.len() as f64;
        ranks.push(PrintedRank {
            table: table.to_owned(),
            row: row.to_owned(),
            column: column.to_owned(),
            printed,
            percentile: 100.0 * share,
            band: known.unwrap_or_else(|| Band::from_values(members.iter().map(value))),
        });
    };
    if settings.k() != PAPER_K {
        return ranks;
    }
    let at = |level: f64| settings.levels().iter().position(|mine| *mine == level);
    let preset = settings.config();
    if preset == Preset::Standard {
        for (level, printed) in PAPER_LEVELS.iter().zip(printed::TABLE_3) {
            let Some(at) = at(*level) else { continue };
            let row = format!("λ = {level:.2}");
            let bands = &levels[at];
            let known = [
                Some(bands.sparsity),
                Some(bands.fidelity),
                Some(bands.completeness),
                (settings.weights() == Weights::EQUAL).then_some(bands.sfc),
                Some(bands.c_gt),
            ];
            let values: [fn(&Point) -> f64; 5] = [
                |p| p.sparsity,
                |p| p.fidelity,
                |p| p.completeness,
                |p| Weights::EQUAL.sfc(p.sparsity, p.fidelity, p.completeness),
                |p| p.c_gt,
            ];
            let cells = printed::METRIC_COLUMNS.iter().zip(printed).zip(known.into_iter().zip(values));
            for ((column, printed), (known, value)) in cells {
                rank(("Table 3", &row, column), printed, known, &|m| value(&m.points[at]));
            }
        }
    }
    if !PAPER_LEVELS.iter().all(|level| at(*level).is_some()) {
        return ranks;
    }
    if preset == Preset::Standard {
        for (profile, (_, printed)) in PROFILES.iter().zip(printed::TABLE_4) {
            rank(("Table 4", profile.label, "Score"), printed, None, &|member| peak_score(member, profile.weights));
        }
    }
    let row = Preset::TABLE_1.iter().position(|of_table| *of_table == preset);
    if let Some((_, _, printed)) = row.map(|row| printed::TABLE_5[row]) {
        let cell = ("Table 5", preset.label(), "HV(all)");
        rank(cell, printed, None, &|member| member.hypervolume);
    }
    if let Some((_, printed)) = printed::PRINTED_PEAKS.iter().find(|(of_text, _)| *of_text == preset) {
        let cell = ("§5.3", preset.label(), "Peak SFC");
        rank(cell, *printed, None, &|member| peak_score(member, Weights::EQUAL));
    }
    ranks
}
