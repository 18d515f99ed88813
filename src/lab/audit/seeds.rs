use std::cell::RefCell;
use std::collections::BTreeMap;

use super::block::Block;
use super::entry::Estimate;
use super::subject::World;
use crate::statistics::{Bootstrap, OneSampleT, StudentisedBootstrap, extent};

/// Of so many seeds on an interval is bootstrapped.
const BOOTSTRAP_SEEDS_MIN: usize = 10;
/// How the seeds are drawn anew.
const BOOTSTRAP: Bootstrap = Bootstrap { resamples: 2000, confidence: CONFIDENCE, seed: 0 };
/// How often intervals hold.
pub(super) const CONFIDENCE: f64 = 0.95;
/// The share of a size that is rounding.
pub(super) const ROUNDING_TOLERANCE: f64 = 1e-12;

/// Numbers by seed and world, several a world where it has several places.
pub(super) struct SeedTally<const N: usize> {
    found: BTreeMap<(u32, World), Vec<[f64; N]>>,
}

impl<const N: usize> Default for SeedTally<N> {
    fn default() -> Self {
        Self { found: BTreeMap::new() }
    }
}

impl<const N: usize> SeedTally<N> {
    pub(super) fn add(&mut self, block: &Block, numbers: [f64; N]) {
        self.found.entry((block.seed, block.world)).or_default().push(numbers);
    }

    /// One set of numbers a seed: the mean over worlds of the mean over places. Only seeds count that have the worlds
    /// which most seeds have, the more worlds where two sets are as frequent: else a seed that is not yet through
    /// would differ from the others by its worlds.
    pub(super) fn seed_means(&self) -> Vec<[f64; N]> {
        let mut by_seed: BTreeMap<u32, (Vec<World>, Vec<[f64; N]>)> = BTreeMap::new();
        for ((seed, world), numbers) in &self.found {
            let (worlds, means) = by_seed.entry(*seed).or_default();
            worlds.push(*world);
            means.push(mean_of_rows(numbers));
        }
        let mut frequent: BTreeMap<&[World], usize> = BTreeMap::new();
        for (worlds, _) in by_seed.values() {
            *frequent.entry(worlds).or_default() += 1;
        }
        let most = frequent.iter().max_by_key(|(worlds, count)| (**count, worlds.len()));
        let Some((most, _)) = most else { return Vec::new() };
        let kept = by_seed.values().filter(|(worlds, _)| worlds == most);
        kept.map(|(_, means)| mean_of_rows(means)).collect()
    }
}

impl SeedTally<1> {
    /// The same of single numbers.
    pub(super) fn seed_scalars(&self) -> Vec<f64> {
        self.seed_means().into_iter().map(|[number]| number).collect()
    }

    /// Their mean over all seeds, whatever worlds they have.
    pub(super) fn mean_over_seeds(&self) -> Option<f64> {
        let mut by_seed: BTreeMap<u32, Vec<[f64; 1]>> = BTreeMap::new();
        for ((seed, _), numbers) in &self.found {
            by_seed.entry(*seed).or_default().push(mean_of_rows(numbers));
        }
        let seeds: Vec<[f64; 1]> = by_seed.values().map(|worlds| mean_of_rows(worlds)).collect();
        let [all] = mean_of_rows(&seeds);
        (!seeds.is_empty()).then_some(all)
    }
}

/// About the first, so that the mean of equal numbers is that number.
pub(super) fn mean_of_rows<const N: usize>(rows: &[[f64; N]]) -> [f64; N] {
    let first = rows.first().copied().unwrap_or([0.0; N]);
    let mut mean = first;
    for (at, (slot, about)) in mean.iter_mut().zip(first).enumerate() {
        let away = rows.iter().filter_map(|row| row.get(at)).map(|x| x - about).sum::<f64>();
        *slot += away / rows.len().max(1) as f64;
    }
    mean
}

/// Whether numbers differ by no more than rounding.
pub(super) fn all_equal(values: &[f64]) -> bool {
    let (low, high) = extent(values.iter().copied());
    high - low <= ROUNDING_TOLERANCE * low.abs().max(high.abs())
}

/// Makes estimates; what is drawn for one is kept for the next.
#[derive(Default)]
pub(super) struct IntervalEstimator {
    drawn: RefCell<BTreeMap<usize, Option<StudentisedBootstrap>>>,
}

impl IntervalEstimator {
    /// What numbers of seeds say, of a statistic that lies in a range; none of none.
    pub(super) fn estimate(&self, values: &[f64], range: [f64; 2]) -> Option<Estimate> {
        let singles: Vec<[f64; 1]> = values.iter().map(|value| [*value]).collect();
        let ([mean], seeds) = (mean_of_rows(&singles), values.len());
        let alone = Estimate { mean, interval: None, p: None, q: None, seeds };
        if seeds == 0 || !mean.is_finite() {
            return None;
        }
        if seeds == 1 {
            return Some(alone);
        }
        let (p, ends) = if all_equal(values) {
            // The sign-flip test: all signs as they are, or all turned.
            let none = mean.abs() <= ROUNDING_TOLERANCE;
            let p = if none { 1.0 } else { libm::exp2(1.0 - seeds as f64) };
            (p, [mean, mean])
        } else {
            let test = OneSampleT::from_values(values, 0.0).ok()?;
            let interval = self.bootstrap_interval(values).or_else(|| test.interval(CONFIDENCE).ok())?;
            (test.p, [interval.low, interval.high])
        };
        let [low, high] = range;
        let ends = ends.map(|end| end.max(low).min(high));
        // Of numbers too large for their squares there is none.
        let interval = Some(ends).filter(|ends| ends.iter().all(|end| end.is_finite()));
        Some(Estimate { interval, p: Some(p), ..alone })
    }

    /// None of few seeds, and where so many of them are equal that the bootstrap has no end: then Student's holds.
    fn bootstrap_interval(&self, values: &[f64]) -> Option<crate::statistics::Interval> {
        if values.len() < BOOTSTRAP_SEEDS_MIN {
            return None;
        }
        // What differs by rounding alone is equal: a resample of such values has no spread, not next to none.
        let step = ROUNDING_TOLERANCE * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let snapped = |value: &f64| libm::round(value / step) * step;
        let values: Vec<f64> = match step.is_normal() {
            true => values.iter().map(snapped).collect(),
            false => values.to_vec(),
        };
        let mut drawn = self.drawn.borrow_mut();
        let new = || StudentisedBootstrap::new(&BOOTSTRAP, values.len()).ok();
        drawn.entry(values.len()).or_insert_with(new).as_ref()?.interval(&values).ok()
    }
}
