use super::StatisticsError;
use super::error::check_values;

/// How many values fall into each of several equal bins.
///
/// # Formula
/// As `numpy.histogram`: `bins` equal bins from the least to the greatest value, each closed below
/// and open above, but the last, which is closed. Where all values are equal the bins span that
/// value ± ½.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::Histogram;
/// let histogram = Histogram::from_values(&[0.0, 0.1, 0.5, 0.9, 1.0], 2)?;
/// assert_eq!(histogram.edges(), [0.0, 0.5, 1.0]);
/// assert_eq!(histogram.counts(), [2, 3]);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    edges: Vec<f64>,
    counts: Vec<u32>,
}

impl Histogram {
    /// Counts values in a number of equal bins.
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`],
    /// [`StatisticsError::Bins`] for none, [`StatisticsError::Span`] for values too close together or
    /// too far apart for that many bins, [`StatisticsError::TooMany`] values.
    pub fn from_values(values: &[f64], bins: usize) -> Result<Self, StatisticsError> {
        let what = "the values";
        check_values(what, values, 1)?;
        if bins == 0 {
            return Err(StatisticsError::Bins { bins });
        }
        let (found, most) = (values.len(), u32::MAX as usize);
        if found > most {
            return Err(StatisticsError::TooMany { what, found, most });
        }
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (first, last) = if min < max { (min, max) } else { (min - 0.5, max + 0.5) };
        let mut laid = Bins::new(bins);
        laid.set_range(first, last);
        let rising = laid.edges.is_sorted_by(|low, high| low < high);
        if !(rising && laid.scale.is_finite() && laid.scale > 0.0) {
            return Err(StatisticsError::Span { min, max, bins });
        }
        let mut counts = vec![0; bins];
        values.iter().for_each(|value| counts[laid.bin_index(*value)] += 1);
        Ok(Self { edges: laid.edges, counts })
    }

    /// The bins' edges, one more than bins.
    #[must_use]
    pub fn edges(&self) -> &[f64] {
        &self.edges
    }

    /// How many values lie in each bin.
    #[must_use]
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Shannon entropy in nats.
    ///
    /// # Formula
    /// H = −Σ pₖ ln pₖ over the bins that are not empty, pₖ their share of the values; from 0 to
    /// ln bins.
    #[must_use]
    pub fn entropy(&self) -> f64 {
        entropy(&self.counts, self.counts.iter().map(|count| *count as usize).sum())
    }
}

/// Equal bins from `first` to `last`, as `numpy.histogram` has them.
#[derive(Clone, Debug)]
pub struct Bins {
    first: f64,
    last: f64,
    scale: f64,
    edges: Vec<f64>,
}

impl Bins {
    /// So many, of which none has an extent yet.
    pub fn new(bins: usize) -> Self {
        Self { first: 0.0, last: 0.0, scale: 0.0, edges: vec![0.0; bins + 1] }
    }

    /// Lays the edges anew: `numpy.linspace(first, last, bins + 1)`.
    pub fn set_range(&mut self, first: f64, last: f64) {
        let bins = self.edges.len() - 1;
        let step = (last - first) / bins as f64;
        for (index, edge) in self.edges.iter_mut().enumerate() {
            *edge = index as f64 * step + first;
        }
        self.edges[bins] = last;
        self.scale = bins as f64 / (last - first);
        (self.first, self.last) = (first, last);
    }

    /// The bin whose edges enclose `value`; the last one is closed. The quotient may miss it by
    /// one, so the edges decide.
    #[inline]
    pub fn bin_index(&self, value: f64) -> usize {
        let top = self.edges.len() - 2;
        let guess = (((value - self.first) * self.scale) as usize).min(top);
        let below = value < self.edges[guess];
        let above = guess < top && value >= self.edges[guess + 1];
        (guess + usize::from(above)).saturating_sub(usize::from(below))
    }
}

/// Shannon entropy, in nats, of a histogram of `n` values.
pub fn entropy(counts: &[u32], n: usize) -> f64 {
    let n = n as f64;
    let weighted: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|&count| f64::from(count) * libm::log(f64::from(count) / n))
        .sum();
    -weighted / n
}
