//! The second edition's evidence: a world at a time, models as units, trained subjects, truths that no metric computes.

pub(super) mod words;

use std::collections::{BTreeMap, BTreeSet};

use super::block::Block;
use super::entry::{
    ChangeFound, ControlFound, ControlOutcome, Estimate, Evidence, StabilityFound, TruthFound,
    Validity,
};
use super::evidence::{ANY, CORRELATION, MetricBlocks, SUBJECTS, finite, rounded};
use super::row::Row;
use super::rule::Word;
use super::seeds::{CONFIDENCE, Estimates, ROUNDING, equal, mean};
use super::subject::{Group, Kind, World};
use super::truths::{TRUTHS, is_blind, tied};
use crate::statistics::{
    Intraclass, joint_spearman, partial_spearman, spearman, standard_deviation,
};
use crate::toy_model::FINAL;

/// The fewest models that intervals are over.
const MODELS: usize = 3;

/// The model that a block is of: the toy model, or a draw of a world.
fn model_of(block: &Block) -> String {
    match block.world {
        World::Toys => block.place().to_owned(),
        World::Stream0 | World::Stream1 | World::Stream2 | World::Tasks | World::Models => {
            FINAL.to_owned()
        }
        _ => seed_of(block),
    }
}

fn unit_of(block: &Block, by_model: bool) -> String {
    if by_model { model_of(block) } else { seed_of(block) }
}

fn seed_of(block: &Block) -> String {
    format!("{:06}", block.seed)
}

/// Whether a subject is one of those that validity, reliability and redundancy are about: what was trained, not what
/// was destroyed.
pub(super) fn is_trained(row: &Row) -> bool {
    match row.subject.group {
        Group::Reference | Group::Variant | Group::Trained => true,
        // At level 0 nothing is left: it is a control.
        Group::Dose => row.world.kind() != Kind::Decomposition && row.subject.level > 0.0,
        _ => false,
    }
}

/// Whether a subject is no copy of another and was not searched for.
fn is_distinct(row: &Row) -> bool {
    use Group::{Control, Dose, Reference, Trained, Truth, Variant};
    matches!(row.subject.group, Reference | Truth | Control | Dose | Variant | Trained)
}

/// What all metrics share of a table's rows.
pub(super) struct ControlFacts {
    /// Of each setting, whether its units are models: else seeds.
    by_model: BTreeMap<&'static str, bool>,
    /// Of each setting's controls, whether some truth says that it loses and none that it wins. Where nothing is
    /// known, by construction.
    loses: BTreeMap<(&'static str, String), bool>,
}

impl ControlFacts {
    pub(super) fn of(blocks: &[Block], estimates: &Estimates) -> Self {
        let mut models: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
        for block in blocks {
            models.entry(block.world.setting()).or_default().insert(model_of(block));
        }
        let by_model = models.into_iter().map(|(setting, all)| (setting, all.len() >= MODELS));
        let mut shared = Self { by_model: by_model.collect(), loses: BTreeMap::new() };
        let mut differences: BTreeMap<(&'static str, String), BTreeMap<&str, Units<1>>> =
            BTreeMap::new();
        for block in blocks {
            let reference: Vec<&Row> = block
                .rows
                .iter()
                .copied()
                .filter(|row| row.subject.group == Group::Reference)
                .collect();
            for row in block.rows.iter().filter(|row| row.subject.group == Group::Control) {
                let control = (block.world.setting(), row.subject.name.clone());
                let truths = differences.entry(control).or_default();
                for truth in TRUTHS {
                    let own =
                        reference.iter().find_map(|row| finite(row.truths.get(truth).copied()));
                    let other = finite(row.truths.get(truth).copied());
                    if let Some((own, other)) = own.zip(other) {
                        let tally = truths.entry(truth).or_default();
                        tally.add(block, shared.is_by_model(block.world), [own - other]);
                    }
                }
            }
        }
        let loses = differences.into_iter().map(|(control, truths)| {
            let found: Vec<Estimate> =
                truths.values().filter_map(|tally| estimates.of(&tally.numbers(), ANY)).collect();
            let ends = |found: &Estimate| found.interval.unwrap_or([found.mean, found.mean]);
            let above = found.iter().any(|found| ends(found)[0] > 0.0);
            let below = found.iter().any(|found| ends(found)[1] < 0.0);
            (control, found.is_empty() || above && !below)
        });
        shared.loses = loses.collect();
        shared
    }

    fn is_by_model(&self, world: World) -> bool {
        self.by_model.get(world.setting()).copied().unwrap_or_default()
    }

    /// What a block's numbers are of, of that which intervals are over.
    fn unit_of(&self, block: &Block) -> String {
        unit_of(block, self.is_by_model(block.world))
    }
}

/// Numbers by the units that intervals are over.
struct Units<const N: usize> {
    found: BTreeMap<String, Vec<[f64; N]>>,
}

impl<const N: usize> Default for Units<N> {
    fn default() -> Self {
        Self { found: BTreeMap::new() }
    }
}

impl<const N: usize> Units<N> {
    fn add(&mut self, block: &Block, by_model: bool, numbers: [f64; N]) {
        self.found.entry(unit_of(block, by_model)).or_default().push(numbers);
    }

    /// One set a unit: the mean over its blocks.
    fn all(&self) -> Vec<[f64; N]> {
        self.found.values().map(|numbers| mean(numbers)).collect()
    }
}

/// A subject of any place: group, name and level.
type Subject<'a> = (Group, &'a str, u64);

fn subject_of(row: &Row) -> Subject<'_> {
    // Adding 0 leaves no -0, which would be a level of its own.
    (row.subject.group, &row.subject.name, crate::order::key(row.subject.level + 0.0))
}

/// Of each setting with several units, whether any subject's value differs between them: what is the same on every draw was
/// measured once, however many draws there are.
fn varying(of: &MetricBlocks, shared: &ControlFacts) -> BTreeMap<&'static str, bool> {
    // Units, and values by world, place and subject.
    type Drawn<'a> = (BTreeSet<String>, BTreeMap<(World, &'a str, Subject<'a>), Vec<f64>>);
    let mut settings: BTreeMap<&'static str, Drawn> = BTreeMap::new();
    for block in of.blocks {
        let unit = shared.unit_of(block);
        // The place of a toy model is the model.
        let place = if block.world == World::Toys { "" } else { block.place() };
        for (row, value) in block.said(of.at).filter(|(row, _)| is_distinct(row)) {
            let (units, subjects) = settings.entry(block.world.setting()).or_default();
            units.insert(unit.clone());
            subjects.entry((block.world, place, subject_of(row))).or_default().push(value);
        }
    }
    let differs = |(units, subjects): Drawn| {
        units.len() < 2 || subjects.values().any(|values| !equal(values))
    };
    settings.into_iter().map(|(setting, found)| (setting, differs(found))).collect()
}

impl Units<1> {
    fn numbers(&self) -> Vec<f64> {
        self.all().into_iter().map(|[number]| number).collect()
    }
}

/// An estimate that ten draws give as one does: nothing is known of how it varies.
fn once(found: Estimate) -> Estimate {
    Estimate { interval: None, p: None, ..found }
}

/// What rows say of a metric; q and words are not known yet.
pub(super) fn evidence(of: &MetricBlocks, shared: &ControlFacts) -> Evidence {
    let mut reliability = of.reliability();
    let varying = varying(of, shared);
    let varies = |world: &str| varying.get(world).copied().unwrap_or(true);
    reliability.worlds = stability(of, shared);
    reliability.worlds.retain(|found| varies(&found.world));
    let mut controls = controls(of, shared);
    for found in controls.iter_mut().filter(|found| !varies(&found.world)) {
        found.difference = once(found.difference);
        found.auc_interval = None;
    }
    let mut truths = truths(of, shared);
    for found in truths.iter_mut().filter(|found| !varies(&found.world)) {
        found.rho = found.rho.map(once);
        found.given_size = found.given_size.map(once);
        found.p_models = None;
    }
    Evidence {
        reliability,
        controls,
        doses: of.doses(),
        validity: Validity { known: !truths.is_empty(), truths, ..Validity::default() },
        changes: changes(of, shared),
        reach: of.reach(),
        alike: Vec::new(),
        cost: of.cost(),
    }
}

fn stability(of: &MetricBlocks, shared: &ControlFacts) -> Vec<StabilityFound> {
    // Values of each subject by unit, in each setting.
    type Subjects = BTreeMap<(Group, String, u64), BTreeMap<String, Vec<[f64; 1]>>>;
    let mut settings: BTreeMap<&'static str, (bool, Subjects)> = BTreeMap::new();
    for block in of.blocks {
        let by_model = shared.is_by_model(block.world);
        let unit = unit_of(block, by_model);
        for (row, value) in block.said(of.at).filter(|(row, _)| is_trained(row)) {
            let (group, name, level) = subject_of(row);
            // Of several places or worlds of a unit the mean.
            let name = match row.world {
                // Architectures are what somebody compares.
                World::Own => format!("{}/{name}", row.place),
                _ => name.to_owned(),
            };
            let key = (group, name, level);
            let (_, subjects) = settings
                .entry(block.world.setting())
                .or_insert_with(|| (by_model, BTreeMap::new()));
            subjects.entry(key).or_default().entry(unit.clone()).or_default().push([value]);
        }
    }
    let found = settings.into_iter().filter_map(|(world, (models, subjects))| {
        let units: BTreeSet<&String> = subjects.values().flat_map(BTreeMap::keys).collect();
        let rows: Vec<Vec<f64>> = subjects
            .values()
            .filter(|by_unit| by_unit.len() == units.len())
            .map(|by_unit| by_unit.values().map(|values| mean(values)[0]).collect())
            .collect();
        if rows.len() < SUBJECTS || units.len() < 2 || equal(&rows.concat()) {
            return None;
        }
        let found = Intraclass::of(&rows, CONFIDENCE).ok()??;
        Some(StabilityFound {
            world: world.to_owned(),
            icc: found.coefficient,
            interval: [found.interval.low, found.interval.high],
            subjects: rows.len(),
            units: units.len(),
            models,
            least_difference: found.least_difference,
            word: Word::Inconclusive,
        })
    });
    found.collect()
}

fn controls(of: &MetricBlocks, shared: &ControlFacts) -> Vec<ControlFound> {
    #[derive(Default)]
    struct Gathered {
        units: Units<3>,
        differs: bool,
        models: bool,
    }
    let mut controls: BTreeMap<(&'static str, String), Gathered> = BTreeMap::new();
    for block in of.blocks {
        let Some(reference) = block.reference(of.at) else { continue };
        let models = shared.is_by_model(block.world);
        for run in block.of_group(Group::Control) {
            let Some(value) = block.control(of.at, run.name) else { continue };
            let gathered =
                controls.entry((block.world.setting(), run.name.to_owned())).or_default();
            let (differs, pair) = of.pair(reference, value);
            gathered.differs |= differs;
            gathered.models = models;
            gathered.units.add(block, models, pair);
        }
    }
    let found = controls.into_iter().filter_map(|((world, name), gathered)| {
        let Gathered { units, differs, models } = gathered;
        let units = units.all();
        let found = of.control(&name, &units, differs)?;
        let loses = shared.loses.get(&(world, name.clone())).copied().unwrap_or(true);
        let word = if !loses {
            ControlOutcome::NotApplicable
        } else if !differs && is_blind(of.metric.id, &name) {
            ControlOutcome::Equal
        } else {
            // Of one unit it is not known whether they differ.
            found.word
        };
        Some(ControlFound { word, world: world.to_owned(), models, ..found })
    });
    found.collect()
}

/// Whether a control is evidence.
pub(super) fn counts(control: &ControlFound) -> bool {
    !matches!(control.word, ControlOutcome::NotApplicable | ControlOutcome::Equal)
}

/// Values and truths of a place's subjects.
type Pairs<'a> = BTreeMap<Subject<'a>, (f64, f64)>;

fn truths(of: &MetricBlocks, shared: &ControlFacts) -> Vec<TruthFound> {
    #[derive(Default)]
    struct Gathered<'a> {
        units: Units<1>,
        given_size: Units<1>,
        of_size: Units<1>,
        of_width: Units<1>,
        /// Of each place with an order, its unit and its subjects' values and truths.
        places: Vec<(String, Pairs<'a>)>,
        subjects: usize,
        models: bool,
    }
    let mut all: BTreeMap<(&'static str, usize), Gathered> = BTreeMap::new();
    for block in of.blocks {
        let models = shared.is_by_model(block.world);
        let mut rows: Vec<(&Row, f64)> = Vec::new();
        for (row, value) in block.said(of.at).filter(|(row, _)| is_trained(row)) {
            if !rows.iter().any(|(other, _)| is_double(other, row)) {
                rows.push((row, value));
            }
        }
        for (place, truth) in TRUTHS.into_iter().enumerate() {
            let known: Vec<(&Row, f64, f64)> = rows
                .iter()
                .filter_map(|(row, value)| {
                    Some((*row, *value, finite(row.truths.get(truth).copied())?))
                })
                .collect();
            if known.is_empty() {
                continue;
            }
            let values: Vec<f64> = known.iter().map(|(_, value, _)| *value).collect();
            let truths: Vec<f64> = known.iter().map(|(.., truth)| *truth).collect();
            let gathered = all.entry((block.world.setting(), place)).or_default();
            gathered.models = models;
            gathered.subjects = gathered.subjects.max(values.len());
            if values.len() < SUBJECTS || equal(&values) || equal(&truths) {
                continue;
            }
            let (values, truths) = (rounded(&of.signed(&values)), rounded(&truths));
            if let Ok(found) = spearman(&values, &truths) {
                gathered.units.add(block, models, [found.coefficient]);
                let subjects = known.iter().map(|(row, ..)| subject_of(row));
                let pairs = values.iter().copied().zip(truths.iter().copied());
                gathered.places.push((shared.unit_of(block), subjects.zip(pairs).collect()));
            }
            let sizes: Option<Vec<f64>> = known.iter().map(|(row, ..)| finite(row.size)).collect();
            let widths: Option<Vec<f64>> =
                known.iter().map(|(row, ..)| finite(row.width)).collect();
            let alone = |trivial: Option<&Vec<f64>>, tally: &mut Units<1>, sign: f64| {
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
    let trivial = |tally: &Units<1>| {
        let found = of.estimates.of(&tally.numbers(), CORRELATION)?;
        Some(Estimate { p: None, ..found })
    };
    let found = all.into_iter().filter_map(|((world, place), gathered)| {
        let truth = *TRUTHS.get(place)?;
        let rho = of.estimates.of(&gathered.units.numbers(), CORRELATION);
        let p_models = rho.and_then(|rho| rho.p);
        let p_subjects = over_subjects(&gathered.places);
        // Of one model there is no p, and no p is larger than one that is not known.
        let p = p_models.zip(p_subjects).map(|(models, subjects)| f64::max(models, subjects));
        Some(TruthFound {
            world: world.to_owned(),
            truth: truth.to_owned(),
            tied: tied(truth, world, of.metric.id),
            subjects: gathered.subjects,
            models: gathered.models,
            rho: rho.map(|rho| Estimate { p, ..rho }),
            p_models,
            p_subjects,
            given_size: of.estimates.of(&gathered.given_size.numbers(), CORRELATION),
            of_size: trivial(&gathered.of_size),
            of_width: trivial(&gathered.of_width),
            word: Word::Inconclusive,
        })
    });
    found.collect()
}

/// p of the mean correlation over places where it is chance which of the subjects that all of them have has which truth.
fn over_subjects(places: &[(String, Pairs<'_>)]) -> Option<f64> {
    let (_, first) = places.first()?;
    let common: Vec<&Subject> = first
        .keys()
        .filter(|subject| places.iter().all(|(_, place)| place.contains_key(subject)))
        .collect();
    if common.len() < SUBJECTS {
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
fn is_double(one: &Row, other: &Row) -> bool {
    let same =
        |a: &super::row::Value, b: &super::row::Value| a.metric == b.metric && a.value == b.value;
    one.truths == other.truths
        && one.size == other.size
        && one.width == other.width
        && one.values.len() == other.values.len()
        && one.values.iter().zip(&other.values).all(|(a, b)| same(a, b))
}

fn changes(of: &MetricBlocks, shared: &ControlFacts) -> Vec<ChangeFound> {
    let mut spread: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for block in of.blocks {
        let values = block.said(of.at).filter(|(row, _)| is_distinct(row)).map(|(_, value)| value);
        spread.entry(block.world.setting()).or_default().extend(values);
    }
    let mut changes: BTreeMap<(&'static str, String), (bool, Units<1>)> = BTreeMap::new();
    for block in of.blocks {
        let Some(reference) = block.reference(of.at) else { continue };
        let Some(values) = spread.get(block.world.setting()) else { continue };
        let Ok(unit) = standard_deviation(values, 1) else { continue };
        let size = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        if unit <= ROUNDING * size {
            continue;
        }
        let models = shared.is_by_model(block.world);
        for run in block.of_group(Group::Same) {
            for (_, value) in block.said_of(of.at, run) {
                let (_, tally) = changes
                    .entry((block.world.setting(), run.name.to_owned()))
                    .or_insert_with(|| (models, Units::default()));
                tally.add(block, models, [(value - reference).abs() / unit]);
            }
        }
    }
    let found = changes.into_iter().filter_map(|((world, name), (models, tally))| {
        let found = of.estimates.of(&tally.numbers(), [0.0, f64::INFINITY])?;
        // A size is never below 0, so that its mean is above says nothing.
        let change = Estimate { p: None, ..found };
        Some(ChangeFound { name, change, world: world.to_owned(), models, word: None })
    });
    found.collect()
}
