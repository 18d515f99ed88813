use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::metric::Metric;
use super::row::SubjectRow;
use super::subject::{Group, World};

/// All subjects of one world, place and seed: what may be held against each other.
pub(super) struct Block<'a> {
    pub(super) seed: u32,
    pub(super) world: World,
    /// In an order that does not depend on the one they came in: by group, name and level.
    pub(super) rows: Vec<&'a SubjectRow>,
    /// Rows of one group and name.
    pub(super) series: Vec<SubjectSeries<'a>>,
    /// What each metric says of each row; none where it says nothing.
    pub(super) values: Vec<Vec<Option<f64>>>,
    /// Seconds and evaluations of each metric, of rows of which it says something.
    pub(super) costs: Vec<Vec<(f64, f64)>>,
}

/// Rows of one group and name.
pub(super) struct SubjectSeries<'a> {
    pub(super) group: Group,
    pub(super) name: &'a str,
    rows: Range<usize>,
}

impl<'a> Block<'a> {
    /// All blocks, by seed, world and place.
    pub(super) fn from_rows(metrics: &[Metric], rows: impl Iterator<Item = &'a SubjectRow>) -> Vec<Block<'a>> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, metric) in metrics.iter().enumerate() {
            places.entry(metric.id).or_insert(place);
        }
        let mut by_place: BTreeMap<(u32, World, &str), Vec<&SubjectRow>> = BTreeMap::new();
        for row in rows {
            by_place.entry((row.seed, row.world, &row.place)).or_default().push(row);
        }
        let block = |((seed, world, _), rows)| Self::new(seed, world, rows, metrics.len(), &places);
        by_place.into_iter().map(block).collect()
    }

    fn new(
        seed: u32,
        world: World,
        mut rows: Vec<&'a SubjectRow>,
        metrics: usize,
        places: &HashMap<&str, usize>,
    ) -> Self {
        rows.sort_by(|a, b| compare_rows(a, b));
        let mut values = vec![vec![None; rows.len()]; metrics];
        let mut costs = vec![Vec::new(); metrics];
        for (at, row) in rows.iter().enumerate() {
            for said in &row.values {
                let place = places.get(said.metric.as_str());
                let slots = place.and_then(|place| values.get_mut(*place).zip(costs.get_mut(*place)));
                let Some((values, costs)) = slots else { continue };
                let Some(value) = said.value.filter(|value| value.is_finite()) else { continue };
                if let Some(slot) = values.get_mut(at) {
                    *slot = Some(value);
                }
                if said.seconds.is_finite() {
                    costs.push((said.seconds, said.evaluations as f64));
                }
            }
        }
        let mut runs: Vec<SubjectSeries> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let (group, name) = (row.subject.group, row.subject.name.as_str());
            match runs.last_mut().filter(|run| (run.group, run.name) == (group, name)) {
                Some(run) => run.rows.end = at + 1,
                None => runs.push(SubjectSeries { group, name, rows: at..at + 1 }),
            }
        }
        Self { seed, world, rows, series: runs, values, costs }
    }

    /// Its place: the task or model where there are several; empty else.
    pub(super) fn place(&self) -> &'a str {
        self.rows.first().map_or("", |row| row.place.as_str())
    }

    /// What a metric says of each row, with the row.
    pub(super) fn values_by_row(&self, metric: usize) -> impl Iterator<Item = (&'a SubjectRow, f64)> {
        self.values_in_row_range(metric, 0..self.rows.len())
    }

    /// What it says of each row of a run.
    pub(super) fn values_of_series(
        &self,
        metric: usize,
        run: &SubjectSeries,
    ) -> impl Iterator<Item = (&'a SubjectRow, f64)> {
        self.values_in_row_range(metric, run.rows.clone())
    }

    fn values_in_row_range(&self, metric: usize, range: Range<usize>) -> impl Iterator<Item = (&'a SubjectRow, f64)> {
        let rows = self.rows.get(range.clone()).unwrap_or_default();
        let values = self.values.get(metric).and_then(|values| values.get(range));
        let pairs = rows.iter().zip(values.unwrap_or_default());
        pairs.filter_map(|(row, value)| Some((*row, (*value)?)))
    }

    /// The runs of a group.
    pub(super) fn series_in_group(&self, group: Group) -> impl Iterator<Item = &SubjectSeries<'a>> {
        self.series.iter().filter(move |run| run.group == group)
    }

    /// What a metric says of the reference.
    pub(super) fn reference_value(&self, metric: usize) -> Option<f64> {
        self.mean_over_series(metric, self.series_in_group(Group::Reference))
    }

    /// What it says of a control of a name.
    pub(super) fn control_value(&self, metric: usize, name: &str) -> Option<f64> {
        self.mean_over_series(metric, self.series_in_group(Group::Control).filter(|run| run.name == name))
    }

    fn mean_over_series<'b>(&self, metric: usize, runs: impl Iterator<Item = &'b SubjectSeries<'a>>) -> Option<f64>
    where
        'a: 'b,
    {
        let said = runs.flat_map(|run| self.values_of_series(metric, run));
        let (sum, count) = said.fold((0.0, 0.0), |(sum, count), (_, value)| (sum + value, count + 1.0));
        (count > 0.0).then(|| sum / count)
    }
}

/// An order of the rows of one place, the same however they came.
fn compare_rows(a: &SubjectRow, b: &SubjectRow) -> Ordering {
    let key = |row: &SubjectRow| [row.truth, row.size, row.width].map(|x| x.unwrap_or(f64::NAN));
    let numbers = |a: &[f64], b: &[f64]| {
        let each = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
        each.fold(Ordering::Equal, Ordering::then)
    };
    let said = |row: &SubjectRow| -> Vec<f64> {
        row.values.iter().flat_map(|said| [said.value.unwrap_or(f64::NAN), said.seconds]).collect()
    };
    (a.subject.group, &a.subject.name)
        .cmp(&(b.subject.group, &b.subject.name))
        .then_with(|| a.subject.level.total_cmp(&b.subject.level))
        .then_with(|| numbers(&key(a), &key(b)))
        // Only where a subject is there twice.
        .then_with(|| numbers(&said(a), &said(b)))
}
