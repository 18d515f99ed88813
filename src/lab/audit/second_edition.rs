//! The second edition's evidence: a world at a time, models as units, trained subjects, truths that no metric computes.

pub(super) mod verdicts;

use std::collections::{BTreeMap, BTreeSet};

use super::block::Block;
use super::entry::{
    ChangeEvidence, ControlEvidence, ControlOutcome, Estimate, Evidence, StabilityEvidence, TruthEvidence, Validity,
};
use super::evidence::{CORRELATION_RANGE, MetricBlocks, SUBJECTS_MIN, UNBOUNDED_RANGE, keep_finite, round_values};
use super::row::SubjectRow;
use super::rule::VerdictWord;
use super::seeds::{CONFIDENCE, IntervalEstimator, ROUNDING_TOLERANCE, all_equal, mean_of_rows};
use super::subject::{Group, Kind, World};
use super::truths::{TRUTHS, is_blind_to_control, shares_term};
use crate::statistics::{Intraclass, joint_spearman, partial_spearman, spearman, standard_deviation};
use crate::toy_model::FINAL_CHECKPOINT;

/// The fewest models that intervals are over.
const MODELS_MIN: usize = 3;

/// The model that a block is of: the toy model, or a draw of a world.
fn model_name(block: &Block) -> String {
    match block.world {
        World::Toys => block.place().to_owned(),
        World::Stream0 | World::Stream1 | World::Stream2 | World::Tasks | World::Models => FINAL_CHECKPOINT.to_owned(),
        _ => seed_name(block),
    }
}

fn unit_name(block: &Block, by_model: bool) -> String {
    if by_model { model_name(block) } else { seed_name(block) }
}

fn seed_name(block: &Block) -> String {
    format!("{:06}", block.seed)
}

/// Whether a subject is one of those that validity, reliability and redundancy are about: what was trained, not what
/// was destroyed.
pub(super) fn is_trained(row: &SubjectRow) -> bool {
    match row.subject.group {
        Group::Reference | Group::Variant | Group::Trained => true,
        // At level 0 nothing is left: it is a control.
        Group::Dose => row.world.kind() != Kind::Decomposition && row.subject.level > 0.0,
        _ => false,
    }
}

/// Whether a subject is no copy of another and was not searched for.
fn is_distinct(row: &SubjectRow) -> bool {
    use Group::{Control, Dose, Reference, Trained, Truth, Variant};
    matches!(row.subject.group, Reference | Truth | Control | Dose | Variant | Trained)
}

/// What all metrics share of a table's rows.
pub(super) struct WorldFacts {
    /// Of each setting, whether its units are models: else seeds.
    by_model: BTreeMap<&'static str, bool>,
    /// Of each setting's controls, whether some truth says that it loses and none that it wins. Where nothing is
    /// known, by construction.
    loses: BTreeMap<(&'static str, String), bool>,
}

impl WorldFacts {
    pub(super) fn from_blocks(blocks: &[Block], estimates: &IntervalEstimator) -> Self {
        let mut models: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
        for block in blocks {
            models.entry(block.world.pool_name()).or_default().insert(model_name(block));
        }
        let by_model = models.into_iter().map(|(setting, all)| (setting, all.len() >= MODELS_MIN));
        let mut shared = Self { by_model: by_model.collect(), loses: BTreeMap::new() };
        let mut differences: BTreeMap<(&'static str, String), BTreeMap<&str, UnitTally<1>>> = BTreeMap::new();
        for block in blocks {
            let reference: Vec<&SubjectRow> =
                block.rows.iter().copied().filter(|row| row.subject.group == Group::Reference).collect();
            for row in block.rows.iter().filter(|row| row.subject.group == Group::Control) {
                let control = (block.world.pool_name(), row.subject.name.clone());
                let truths = differences.entry(control).or_default();
                for truth in TRUTHS {
                    let own = reference.iter().find_map(|row| keep_finite(row.truths.get(truth).copied()));
                    let other = keep_finite(row.truths.get(truth).copied());
                    if let Some((own, other)) = own.zip(other) {
                        let tally = truths.entry(truth).or_default();
                        tally.add(block, shared.has_model_units(block.world), [own - other]);
                    }
                }
            }
        }
        let loses = differences.into_iter().map(|(control, truths)| {
            let found: Vec<Estimate> = truths
                .values()
                .filter_map(|tally| estimates.estimate(&tally.unit_scalars(), UNBOUNDED_RANGE))
                .collect();
            let ends = |found: &Estimate| found.interval.unwrap_or([found.mean, found.mean]);
            let above = found.iter().any(|found| ends(found)[0] > 0.0);
            let below = found.iter().any(|found| ends(found)[1] < 0.0);
            (control, found.is_empty() || above && !below)
        });
        shared.loses = loses.collect();
        shared
    }

    fn has_model_units(&self, world: World) -> bool {
        self.by_model.get(world.pool_name()).copied().unwrap_or_default()
    }

    /// What a block's numbers are of, of that which intervals are over.
    fn unit_name(&self, block: &Block) -> String {
        unit_name(block, self.has_model_units(block.world))
    }
}

/// Numbers by the units that intervals are over.
struct UnitTally<const N: usize> {
    found: BTreeMap<String, Vec<[f64; N]>>,
}

impl<const N: usize> Default for UnitTally<N> {
    fn default() -> Self {
        Self { found: BTreeMap::new() }
    }
}

impl<const N: usize> UnitTally<N> {
    fn add(&mut self, block: &Block, by_model: bool, numbers: [f64; N]) {
        self.found.entry(unit_name(block, by_model)).or_default().push(numbers);
    }

    /// One set a unit: the mean over its blocks.
    fn unit_means(&self) -> Vec<[f64; N]> {
        self.found.values().map(|numbers| mean_of_rows(numbers)).collect()
    }
}

/// A subject of any place: group, name and level.
type SubjectKey<'a> = (Group, &'a str, u64);

fn subject_key(row: &SubjectRow) -> SubjectKey<'_> {
    // Adding 0 leaves no -0, which would be a level of its own.
    (row.subject.group, &row.subject.name, crate::order::sort_key(row.subject.level + 0.0))
}

/// Of each setting with several units, whether any subject's value differs between them: what is the same on every draw was
/// measured once, however many draws there are.
fn varying_pooled_worlds(of: &MetricBlocks, shared: &WorldFacts) -> BTreeMap<&'static str, bool> {
    // Units, and values by world, place and subject.
    type PooledWorldValues<'a> = (BTreeSet<String>, BTreeMap<(World, &'a str, SubjectKey<'a>), Vec<f64>>);
    let mut settings: BTreeMap<&'static str, PooledWorldValues> = BTreeMap::new();
    for block in of.blocks {
        let unit = shared.unit_name(block);
        // The place of a toy model is the model.
        let place = if block.world == World::Toys { "" } else { block.place() };
        for (row, value) in block.values_by_row(of.metric_index).filter(|(row, _)| is_distinct(row)) {
            let (units, subjects) = settings.entry(block.world.pool_name()).or_default();
            units.insert(unit.clone());
            subjects.entry((block.world, place, subject_key(row))).or_default().push(value);
        }
    }
    let differs =
        |(units, subjects): PooledWorldValues| units.len() < 2 || subjects.values().any(|values| !all_equal(values));
    settings.into_iter().map(|(setting, found)| (setting, differs(found))).collect()
}

impl UnitTally<1> {
    fn unit_scalars(&self) -> Vec<f64> {
        self.unit_means().into_iter().map(|[number]| number).collect()
    }
}

/// An estimate that ten draws give as one does: nothing is known of how it varies.
fn without_interval(found: Estimate) -> Estimate {
    Estimate { interval: None, p: None, ..found }
}

/// What rows say of a metric; q and words are not known yet.
pub(super) fn collect_evidence(of: &MetricBlocks, shared: &WorldFacts) -> Evidence {
    let mut reliability = of.measure_reliability();
    let varying = varying_pooled_worlds(of, shared);
    let varies = |world: &str| varying.get(world).copied().unwrap_or(true);
    reliability.worlds = measure_stability(of, shared);
    reliability.worlds.retain(|found| varies(&found.world));
    let mut controls = compare_controls(of, shared);
    for found in controls.iter_mut().filter(|found| !varies(&found.world)) {
        found.difference = without_interval(found.difference);
        found.auc_interval = None;
    }
    let mut truths = correlate_truths(of, shared);
    for found in truths.iter_mut().filter(|found| !varies(&found.world)) {
        found.rho = found.rho.map(without_interval);
        found.given_size = found.given_size.map(without_interval);
        found.p_models = None;
    }
    Evidence {
        reliability,
        controls,
        doses: of.measure_doses(),
        validity: Validity { known: !truths.is_empty(), truths, ..Validity::default() },
        changes: measure_changes(of, shared),
        reach: of.measure_reach(),
        alike: Vec::new(),
        cost: of.measure_cost(),
    }
}

fn measure_stability(of: &MetricBlocks, shared: &WorldFacts) -> Vec<StabilityEvidence> {
    // Values of each subject by unit, in each setting.
    type ValuesBySubject = BTreeMap<(Group, String, u64), BTreeMap<String, Vec<[f64; 1]>>>;
    let mut settings: BTreeMap<&'static str, (bool, ValuesBySubject)> = BTreeMap::new();
    for block in of.blocks {
        let by_model = shared.has_model_units(block.world);
        let unit = unit_name(block, by_model);
        for (row, value) in block.values_by_row(of.metric_index).filter(|(row, _)| is_trained(row)) {
            let (group, name, level) = subject_key(row);
            // Of several places or worlds of a unit the mean.
            let name = match row.world {
                // Architectures are what somebody compares.
                World::Own => format!("{}/{name}", row.place),
                _ => name.to_owned(),
            };
            let key = (group, name, level);
            let (_, subjects) = settings.entry(block.world.pool_name()).or_insert_with(|| (by_model, BTreeMap::new()));
            subjects.entry(key).or_default().entry(unit.clone()).or_default().push([value]);
        }
    }
    let found = settings.into_iter().filter_map(|(world, (models, subjects))| {
        let units: BTreeSet<&String> = subjects.values().flat_map(BTreeMap::keys).collect();
        let rows: Vec<Vec<f64>> = subjects
            .values()
            .filter(|by_unit| by_unit.len() == units.len())
            .map(|by_unit| by_unit.values().map(|values| mean_of_rows(values)[0]).collect())
            .collect();
        if rows.len() < SUBJECTS_MIN || units.len() < 2 || all_equal(&rows.concat()) {
            return None;
        }
        let found = Intraclass::from_ratings(&rows, CONFIDENCE).ok()??;
        Some(StabilityEvidence {
            world: world.to_owned(),
            icc: found.coefficient,
            interval: [found.interval.low, found.interval.high],
            subjects: rows.len(),
            units: units.len(),
            models,
            least_difference: found.least_difference,
            word: VerdictWord::Inconclusive,
        })
    });
    found.collect()
}

fn compare_controls(of: &MetricBlocks, shared: &WorldFacts) -> Vec<ControlEvidence> {
    #[derive(Default)]
    struct ControlTally {
        units: UnitTally<3>,
        differs: bool,
        models: bool,
    }
    let mut controls: BTreeMap<(&'static str, String), ControlTally> = BTreeMap::new();
    for block in of.blocks {
        let Some(reference) = block.reference_value(of.metric_index) else { continue };
        let models = shared.has_model_units(block.world);
        for run in block.series_in_group(Group::Control) {
            let Some(value) = block.control_value(of.metric_index, run.name) else { continue };
            let gathered = controls.entry((block.world.pool_name(), run.name.to_owned())).or_default();
            let (differs, pair) = of.paired_values(reference, value);
            gathered.differs |= differs;
            gathered.models = models;
            gathered.units.add(block, models, pair);
        }
    }
    let found = controls.into_iter().filter_map(|((world, name), gathered)| {
        let ControlTally { units, differs, models } = gathered;
        let units = units.unit_means();
        let found = of.compare_control(&name, &units, differs)?;
        let loses = shared.loses.get(&(world, name.clone())).copied().unwrap_or(true);
        let word = if !loses {
            ControlOutcome::NotApplicable
        } else if !differs && is_blind_to_control(of.metric.id, &name) {
            ControlOutcome::Equal
        } else {
            // Of one unit it is not known whether they differ.
            found.word
        };
        Some(ControlEvidence { word, world: world.to_owned(), models, ..found })
    });
    found.collect()
}

/// Whether a control is evidence.
pub(super) fn is_counted_control(control: &ControlEvidence) -> bool {
    !matches!(control.word, ControlOutcome::NotApplicable | ControlOutcome::Equal)
}

/// Values and truths of a place's subjects.
type ValueTruthPairs<'a> = BTreeMap<SubjectKey<'a>, (f64, f64)>;

fn correlate_truths(of: &MetricBlocks, shared: &WorldFacts) -> Vec<TruthEvidence> {
    #[derive(Default)]
    struct TruthTally<'a> {
        units: UnitTally<1>,
        given_size: UnitTally<1>,
        of_size: UnitTally<1>,
        of_width: UnitTally<1>,
        /// Of each place with an order, its unit and its subjects' values and truths.
        places: Vec<(String, ValueTruthPairs<'a>)>,
        subjects: usize,
        models: bool,
    }
    let mut all: BTreeMap<(&'static str, usize), TruthTally> = BTreeMap::new();
    for block in of.blocks {
        let models = shared.has_model_units(block.world);
        let mut rows: Vec<(&SubjectRow, f64)> = Vec::new();
        for (row, value) in block.values_by_row(of.metric_index).filter(|(row, _)| is_trained(row)) {
            if !rows.iter().any(|(other, _)| is_duplicate_row(other, row)) {
                rows.push((row, value));
            }
        }
        for (place, truth) in TRUTHS.into_iter().enumerate() {
            let known: Vec<(&SubjectRow, f64, f64)> = rows
                .iter()
                .filter_map(|(row, value)| Some((*row, *value, keep_finite(row.truths.get(truth).copied())?)))
                .collect();
            if known.is_empty() {
                continue;
            }
            let values: Vec<f64> = known.iter().map(|(_, value, _)| *value).collect();
            let truths: Vec<f64> = known.iter().map(|(.., truth)| *truth).collect();
            let gathered = all.entry((block.world.pool_name(), place)).or_default();
            gathered.models = models;
            gathered.subjects = gathered.subjects.max(values.len());
            if values.len() < SUBJECTS_MIN || all_equal(&values) || all_equal(&truths) {
                continue;
            }
            let (values, truths) = (round_values(&of.orient_values(&values)), round_values(&truths));
            if let Ok(found) = spearman(&values, &truths) {
                gathered.units.add(block, models, [found.coefficient]);
                let subjects = known.iter().map(|(row, ..)| subject_key(row));
                let pairs = values.iter().copied().zip(truths.iter().copied());
                gathered.places.push((shared.unit_name(block), subjects.zip(pairs).collect()));
            }
            let sizes: Option<Vec<f64>> = known.iter().map(|(row, ..)| keep_finite(row.size)).collect();
            let widths: Option<Vec<f64>> = known.iter().map(|(row, ..)| keep_finite(row.width)).collect();
            let alone = |trivial: Option<&Vec<f64>>, tally: &mut UnitTally<1>, sign: f64| {
                if let Some(Ok(found)) = trivial.map(|numbers| spearman(numbers, &truths)) {
                    tally.add(block, models, [sign * found.coefficient]);
                }
            };
            alone(sizes.as_ref(), &mut gathered.of_size, -1.0);
            alone(widths.as_ref(), &mut gathered.of_width, 1.0);
            let given = sizes.and_then(|sizes| partial_spearman(&values, &truths, &sizes).ok());
            if let Some(found) = given {
                gathered.given_size.add(block, models, [found.coefficient]);
            }
        }
    }
    // No word is made of what they say.
    let trivial = |tally: &UnitTally<1>| {
        let found = of.estimator.estimate(&tally.unit_scalars(), CORRELATION_RANGE)?;
        Some(Estimate { p: None, ..found })
    };
    let found = all.into_iter().filter_map(|((world, place), gathered)| {
        let truth = *TRUTHS.get(place)?;
        let rho = of.estimator.estimate(&gathered.units.unit_scalars(), CORRELATION_RANGE);
        let p_models = rho.and_then(|rho| rho.p);
        let p_subjects = subject_p_value(&gathered.places);
        // Of one model there is no p, and no p is larger than one that is not known.
        let p = p_models.zip(p_subjects).map(|(models, subjects)| f64::max(models, subjects));
        Some(TruthEvidence {
            world: world.to_owned(),
            truth: truth.to_owned(),
            tied: shares_term(truth, world, of.metric.id),
            subjects: gathered.subjects,
            models: gathered.models,
            rho: rho.map(|rho| Estimate { p, ..rho }),
            p_models,
            p_subjects,
            given_size: of.estimator.estimate(&gathered.given_size.unit_scalars(), CORRELATION_RANGE),
            of_size: trivial(&gathered.of_size),
            of_width: trivial(&gathered.of_width),
            word: VerdictWord::Inconclusive,
        })
    });
    found.collect()
}

/// p of the mean correlation over places where it is chance which of the subjects that all of them have has which truth.
fn subject_p_value(places: &[(String, ValueTruthPairs<'_>)]) -> Option<f64> {
    let (_, first) = places.first()?;
    let common: Vec<&SubjectKey> =
        first.keys().filter(|subject| places.iter().all(|(_, place)| place.contains_key(subject))).collect();
    if common.len() < SUBJECTS_MIN {
        return None;
    }
    let mut of_unit: BTreeMap<&str, f64> = BTreeMap::new();
    for (unit, _) in places {
        *of_unit.entry(unit).or_default() += 1.0;
    }
    let columns: Vec<(Vec<f64>, Vec<f64>, f64)> = places
        .iter()
        .map(|(unit, place)| {
            let (values, truths) = common.iter().filter_map(|at| place.get(at).copied()).unzip();
            // A unit is as much evidence as another, in however many places.
            (values, truths, 1.0 / of_unit.get(unit.as_str()).copied().unwrap_or(1.0))
        })
        .collect();
    let places: Vec<(&[f64], &[f64], f64)> =
        columns.iter().map(|(values, truths, weight)| (&**values, &**truths, *weight)).collect();
    joint_spearman(&places).ok()?.p
}

/// Whether two subjects of a place are one.
fn is_duplicate_row(one: &SubjectRow, other: &SubjectRow) -> bool {
    let same = |a: &super::row::MetricValue, b: &super::row::MetricValue| a.metric == b.metric && a.value == b.value;
    one.truths == other.truths
        && one.size == other.size
        && one.width == other.width
        && one.values.len() == other.values.len()
        && one.values.iter().zip(&other.values).all(|(a, b)| same(a, b))
}

fn measure_changes(of: &MetricBlocks, shared: &WorldFacts) -> Vec<ChangeEvidence> {
    let mut spread: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for block in of.blocks {
        let values = block.values_by_row(of.metric_index).filter(|(row, _)| is_distinct(row)).map(|(_, value)| value);
        spread.entry(block.world.pool_name()).or_default().extend(values);
    }
    let mut changes: BTreeMap<(&'static str, String), (bool, UnitTally<1>)> = BTreeMap::new();
    for block in of.blocks {
        let Some(reference) = block.reference_value(of.metric_index) else { continue };
        let Some(values) = spread.get(block.world.pool_name()) else { continue };
        let Ok(unit) = standard_deviation(values, 1) else { continue };
        let size = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        if unit <= ROUNDING_TOLERANCE * size {
            continue;
        }
        let models = shared.has_model_units(block.world);
        for run in block.series_in_group(Group::Same) {
            for (_, value) in block.values_of_series(of.metric_index, run) {
                let (_, tally) = changes
                    .entry((block.world.pool_name(), run.name.to_owned()))
                    .or_insert_with(|| (models, UnitTally::default()));
                tally.add(block, models, [(value - reference).abs() / unit]);
            }
        }
    }
    let found = changes.into_iter().filter_map(|((world, name), (models, tally))| {
        let found = of.estimator.estimate(&tally.unit_scalars(), [0.0, f64::INFINITY])?;
        // A size is never below 0, so that its mean is above says nothing.
        let change = Estimate { p: None, ..found };
        Some(ChangeEvidence { name, change, world: world.to_owned(), models, word: None })
    });
    found.collect()
}
