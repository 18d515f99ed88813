mod stages;

pub use stages::{Stage, StagedCurve};

use super::Point;
use super::codes::{MagnitudeSorter, dropped_count};
use super::metric::c_gt;
use super::metric::completeness::CompletenessReading;
use super::metric::completeness::{PAPER_ROW_COUNT, completeness_from_error};
use super::metric::fidelity::COSINE_GUARD;
use super::metric::fidelity::FidelityMode;
use super::metric::information::{RATE_BINS, row_norms};
use super::settings::Settings;
use crate::Matrix;
use crate::kernel::dot;
use crate::linalg;
use crate::linalg::{DictionaryError, SvdDictionary, column_means};
use crate::rng::NumpyRng;
use crate::sae::activity::is_active;
use crate::statistics::{Bins, MetricError, PearsonSums, grand_variance, total_sum_of_squares};
use crate::synthetic::{PlantedNetwork, Shape};

/// Why a curve could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CurveError {
    /// The activations give no such dictionary.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// A metric has no value.
    #[error(transparent)]
    Metric(#[from] MetricError),
}

/// One hidden layer's activations with their dictionary and codes: what every circuit, dictionary
/// size and level on that layer shares.
///
/// This is the fast path for the orthonormal dictionary. With codes cₖ = (a − m)·vₖ on orthonormal
/// vₖ (m = 0 uncentred), a reconstruction that keeps the codes k ∈ P has
/// ‖a − â‖² = ‖a − m‖² − Σ cₖ², a·â = a·m + Σ cₖ(cₖ + m·vₖ), ‖â‖² = ‖m‖² + Σ cₖ(cₖ + 2 m·vₖ), sums
/// over P. One sort of a row's codes turns these into suffix sums that serve every level at once.
pub struct LayerAnalysis {
    h: Matrix,
    dictionary: SvdDictionary,
    /// N × width.
    codes: Matrix,
    /// width × N: the same codes, a feature a row.
    features: Matrix,
    /// width × N: the bin of each of them in the histogram of all its feature's codes.
    bins: Vec<u8>,
    spans: Vec<CodeRange>,
    /// c·ln(c/N) for c = 0 to N: what a bin of c codes adds to an entropy.
    terms: Vec<f64>,
    /// N × width: each row's codes by ascending magnitude. The order of a narrower dictionary's codes
    /// is this one less the codes it lacks, so one sort a row serves every level and every K.
    orders: Vec<u16>,
    layer: LayerSums,
    /// Rows that the paper's completeness looks at, with their activations; none where all count.
    drawn: Option<(Vec<u32>, Matrix)>,
}

/// What every dictionary size and level needs to know of the rows.
struct LayerSums {
    rows: Vec<RowSums>,
    /// m·vₖ; zeros when uncentred.
    mean_codes: Vec<f64>,
    /// ‖m‖².
    mean_square: f64,
    /// Population variance over all activations together.
    grand_variance: f64,
    /// Σ‖a‖².
    energy: f64,
}

/// Of one row a: ‖a‖², ‖a‖, ‖a − m‖², a·m.
struct RowSums {
    square: f64,
    norm: f64,
    deviation: f64,
    on_mean: f64,
}

/// A feature's least and greatest code over all rows, with rows that have them, and the bin of 0.
#[derive(Clone, Copy)]
struct CodeRange {
    first: f64,
    last: f64,
    rows: [usize; 2],
    zero: usize,
}

/// A network that reads a layer, with its outputs on all rows.
pub(crate) struct NetworkOutputs {
    pub(crate) network: PlantedNetwork,
    outputs: Matrix,
    output_norms: Vec<f64>,
}

/// What one level's rows add up to.
#[derive(Clone, Default)]
struct LevelSums {
    active: u64,
    cosine: f64,
    squared_error: f64,
    relevance: Vec<PearsonSums>,
}

/// All levels of one dictionary size.
struct LevelScan {
    /// Numbers of zeroed codes, ascending, each once.
    cuts: Vec<usize>,
    /// One a cut.
    sums: Vec<LevelSums>,
    /// k × N: how many of the cuts keep each code.
    classes: Vec<u16>,
    /// What 1 − F is measured by.
    total: f64,
}

/// C and C_GT.
#[derive(Clone, Copy, Default)]
struct CompletenessValues {
    completeness: f64,
    c_gt: f64,
}

/// Of one row's reconstruction â: ‖â‖², a·â, ‖a − â‖².
struct ReconstructionSums {
    square: f64,
    on_row: f64,
    squared_error: f64,
}

/// How much larger than what is wanted its terms may be before sums of squares are not trusted: at
/// this ratio a difference of them is good to about 10⁻¹².
const CANCELLATION_MAX: f64 = 1e3;

/// Rows after which progress is told.
const PROGRESS_ROWS: usize = 4_096;

/// Codes on `widest` directions, or on all where there are fewer: N × width and width × N.
fn encode(h: &Matrix, dictionary: &SvdDictionary, widest: usize) -> Result<(Matrix, Matrix), CurveError> {
    let codes = dictionary.encode(h, widest.min(dictionary.rank()))?;
    let features = codes.transposed();
    Ok((codes, features))
}

/// Places of each row's codes by ascending magnitude: N × width.
fn magnitude_orders(codes: &Matrix) -> Vec<u16> {
    let mut orders = Vec::with_capacity(codes.data().len());
    let mut order = MagnitudeSorter::default();
    for row in codes.iter_rows() {
        let (ascending, index_mask) = order.sort_row(row);
        orders.extend(ascending.iter().map(|key| (key & index_mask) as u16));
    }
    orders
}

/// Rows that the paper's completeness looks at, with their activations; none where all count.
fn draw_paper_rows(h: &Matrix, settings: &Settings) -> Option<(Vec<u32>, Matrix)> {
    (settings.completeness() == CompletenessReading::Paper).then(|| {
        let mut rng = NumpyRng::new(settings.completeness_seed());
        let rows = rng.choice(h.rows() as u32, PAPER_ROW_COUNT);
        let activations = h.select_rows(&rows);
        (rows, activations)
    })
}

impl LayerSums {
    fn new(h: &Matrix, dictionary: &SvdDictionary) -> Result<Self, MetricError> {
        let origin = vec![0.0; h.cols()];
        let mean = dictionary.mean().unwrap_or(&origin);
        let mean_row = Matrix::from_vec(1, mean.len(), mean.to_vec())?;
        let mean_codes = linalg::product(&mean_row, dictionary.directions()).data().to_vec();
        let rows: Vec<RowSums> = h
            .iter_rows()
            .map(|row| {
                let square = dot(row, row);
                let on_mean = dot(row, mean);
                let deviation: f64 = if dictionary.mean().is_some() {
                    row.iter().zip(mean).map(|(a, m)| (a - m) * (a - m)).sum()
                } else {
                    square
                };
                RowSums { square, norm: f64::sqrt(square), deviation, on_mean }
            })
            .collect();
        Ok(Self {
            grand_variance: grand_variance(h.data()),
            energy: rows.iter().map(|row| row.square).sum(),
            mean_square: dot(mean, mean),
            mean_codes,
            rows,
        })
    }
}

impl LayerAnalysis {
    /// Decomposes the activations of the layer that `settings` describe. `widest` is the largest
    /// dictionary that will be asked for; the codes reach no further.
    ///
    /// # Errors
    /// [`DictionaryError::Zero`]: the activations are all zero.
    pub fn new(h: Matrix, settings: &Settings, widest: usize) -> Result<Self, CurveError> {
        let dictionary = SvdDictionary::new(&h, settings.centred())?;
        let (codes, features) = encode(&h, &dictionary, widest)?;
        let (bins, spans) = histogram_features(&features);
        let orders = magnitude_orders(&codes);
        let layer = LayerSums::new(&h, &dictionary)?;
        let terms = entropy_terms(h.rows());
        let drawn = draw_paper_rows(&h, settings);
        Ok(Self { h, dictionary, codes, features, bins, spans, terms, orders, layer, drawn })
    }

    /// The activations, N × D.
    #[must_use]
    pub fn activations(&self) -> &Matrix {
        &self.h
    }

    /// Their dictionary.
    #[must_use]
    pub fn dictionary(&self) -> &SvdDictionary {
        &self.dictionary
    }

    /// Attaches a network to the layer.
    pub(crate) fn attach_network(&self, network: PlantedNetwork) -> NetworkOutputs {
        let (outputs, output_norms) = self.outputs(&network);
        NetworkOutputs { outputs, output_norms, network }
    }

    /// A network's outputs on all rows, and their lengths.
    fn outputs(&self, network: &PlantedNetwork) -> (Matrix, Vec<f64>) {
        let outputs = network.outputs(&self.h);
        let norms = row_norms(&outputs);
        (outputs, norms)
    }

    /// One point a level, for each of the networks, which share the layer and thus S, F, rate and
    /// distortion. `told` hears of rows as they are done.
    pub(crate) fn measure_points(
        &self,
        settings: &Settings,
        k: usize,
        levels: &[f64],
        networks: &[&NetworkOutputs],
        told: &mut dyn FnMut(usize),
    ) -> Result<Vec<Vec<Point>>, CurveError> {
        let scan = self.scan_levels(settings, k, levels, networks, told)?;
        let rates = self.rates_at_cuts(k, &scan);
        networks
            .iter()
            .enumerate()
            .map(|(which, downstream)| {
                let truth = self.measure_completeness(settings, k, downstream)?;
                Ok(self.assemble_points(settings, k, levels, (&scan, which), &rates, truth))
            })
            .collect()
    }

    /// What each level's rows add up to, of their first `k` codes.
    fn scan_levels(
        &self,
        settings: &Settings,
        k: usize,
        levels: &[f64],
        networks: &[&NetworkOutputs],
        told: &mut dyn FnMut(usize),
    ) -> Result<LevelScan, CurveError> {
        self.dictionary.check_rank(k)?;
        let mut cuts: Vec<usize> = levels.iter().map(|level| dropped_count(*level, k)).collect();
        cuts.sort_unstable();
        cuts.dedup();

        let grand_square = self.layer.grand_variance * self.h.data().len() as f64;
        if grand_square <= 0.0 {
            return Err(MetricError::Constant { what: "the activations" }.into());
        }
        // What 1 − F is measured by, and the smallest thing that errors are divided by.
        let (total, least) = match settings.fidelity() {
            FidelityMode::Cosine => (1.0, grand_square),
            FidelityMode::RelMse => (self.layer.energy, grand_square),
            FidelityMode::R2 => {
                let total = total_sum_of_squares(&self.h, &column_means(&self.h));
                if total <= 0.0 {
                    return Err(MetricError::Constant { what: "the activations" }.into());
                }
                (total, grand_square.min(total))
            }
        };
        let deviations: f64 = self.layer.rows.iter().map(|row| row.deviation).sum();
        let direct = deviations > CANCELLATION_MAX * least;
        let (sums, classes) = self.sum_levels(k, &cuts, direct, networks, told);
        Ok(LevelScan { cuts, sums, classes, total })
    }

    /// The points of one of the scanned networks, with its C and C_GT.
    fn assemble_points(
        &self,
        settings: &Settings,
        k: usize,
        levels: &[f64],
        (scan, which): (&LevelScan, usize),
        rates: &[f64],
        CompletenessValues { completeness, c_gt }: CompletenessValues,
    ) -> Vec<Point> {
        let n = self.h.rows() as f64;
        let entries = self.h.data().len() as f64;
        let fidelity = |sums: &LevelSums| match settings.fidelity() {
            FidelityMode::Cosine => sums.cosine / n,
            FidelityMode::R2 | FidelityMode::RelMse => 1.0 - sums.squared_error / scan.total,
        };
        levels
            .iter()
            .map(|&level| {
                let dropped = dropped_count(level, k);
                let at = scan.cuts.partition_point(|cut| *cut < dropped);
                let sums = &scan.sums[at];
                let sparsity = 1.0 - sums.active as f64 / (n * k as f64);
                let fidelity = fidelity(sums);
                Point {
                    level,
                    k,
                    dropped,
                    sparsity,
                    fidelity,
                    completeness,
                    c_gt,
                    sfc: settings.weights().sfc(sparsity, fidelity, completeness),
                    rate: rates[at],
                    distortion: sums.squared_error / entries / self.layer.grand_variance,
                    relevance: sums.relevance[which].correlation().abs(),
                }
            })
            .collect()
    }

    /// Adds up what each cut (a number of zeroed codes) keeps of every row's first `k` codes. Also returns each code's class, a feature a row: how many of the cuts keep it.
    fn sum_levels(
        &self,
        k: usize,
        cuts: &[usize],
        direct: bool,
        networks: &[&NetworkOutputs],
        told: &mut dyn FnMut(usize),
    ) -> (Vec<LevelSums>, Vec<u16>) {
        let n = self.h.rows();
        let class_of_rank: Vec<u16> = (0..k).map(|rank| cuts.partition_point(|cut| *cut <= rank) as u16).collect();
        let centred = self.dictionary.mean().is_some();
        let mut classes = vec![0u16; k * n];
        let mut masked = vec![0.0; k];
        let width = self.codes.cols();
        let mut ascending = vec![0u16; width];
        let mut sums: Vec<LevelSums> = vec![LevelSums::default(); cuts.len()];
        for (index, (codes, row)) in self.codes.iter_rows().zip(&self.layer.rows).enumerate() {
            let codes = &codes[..k];
            let order = &self.orders[index * width..(index + 1) * width];
            let ascending = order_of_first_k(order, k, &mut ascending);
            for (&code, &class) in ascending.iter().zip(&class_of_rank) {
                classes[usize::from(code) * n + index] = class;
            }

            let (mut energy, mut on_mean, mut active) = (0.0, 0.0, 0u64);
            let mut rest = ascending;
            for (at, &cut) in cuts.iter().enumerate().rev() {
                let (below, kept) = rest.split_at(cut);
                rest = below;
                for &code in kept.iter().rev() {
                    let code = usize::from(code);
                    let value = codes[code];
                    energy += value * value;
                    active += u64::from(is_active(value));
                    if centred {
                        on_mean += value * self.layer.mean_codes[code];
                    }
                }
                let code_norm = f64::sqrt(energy);
                let sums = &mut sums[at];
                let mut found = ReconstructionSums {
                    square: self.layer.mean_square + 2.0 * on_mean + energy,
                    on_row: row.on_mean + on_mean + energy,
                    squared_error: (row.deviation - energy).max(0.0),
                };
                let cancels = found.squared_error * CANCELLATION_MAX < row.deviation
                    || found.square * CANCELLATION_MAX < self.layer.mean_square + energy;
                if direct || cancels {
                    let kept = ascending[cut..].iter().map(|code| usize::from(*code));
                    found = self.reconstruct(index, kept, &mut masked);
                }
                let norms = row.norm * f64::sqrt(found.square);
                if norms > 0.0 {
                    sums.cosine += found.on_row / (norms + COSINE_GUARD);
                }
                sums.squared_error += found.squared_error;
                sums.active += active;
                if index == 0 {
                    let about = |network: &&NetworkOutputs| PearsonSums::new(code_norm, network.output_norms[0]);
                    sums.relevance = networks.iter().map(about).collect();
                }
                for (pearson, network) in sums.relevance.iter_mut().zip(networks) {
                    pearson.add(code_norm, network.output_norms[index]);
                }
            }
            if (index + 1) % PROGRESS_ROWS == 0 || index + 1 == n {
                told(index + 1);
            }
        }
        (sums, classes)
    }

    /// A row's reconstruction from the kept codes, entry by entry: where the sums of squares would
    /// cancel. `masked` has one entry a code, and any content.
    fn reconstruct(&self, index: usize, kept: impl Iterator<Item = usize>, masked: &mut [f64]) -> ReconstructionSums {
        let (row, codes) = (self.h.row(index), self.codes.row(index));
        masked.fill(0.0);
        kept.for_each(|code| masked[code] = codes[code]);
        let mean = self.dictionary.mean();
        let mut found = ReconstructionSums { square: 0.0, on_row: 0.0, squared_error: 0.0 };
        for (d, (&a, directions)) in row.iter().zip(self.dictionary.directions().iter_rows()).enumerate() {
            let mean = mean.map_or(0.0, |mean| mean[d]);
            let a_hat = mean + dot(masked, &directions[..masked.len()]);
            found.square += a_hat * a_hat;
            found.on_row += a * a_hat;
            found.squared_error += (a - a_hat) * (a - a_hat);
        }
        found
    }

    /// The rate at each cut.
    ///
    /// Zeroing codes seldom moves a feature's least or greatest one, so the bins of all its codes
    /// mostly serve: a cut's counts are those of the classes it keeps, and its zeros. Where a cut
    /// does lose an end, what it keeps is binned anew.
    fn rates_at_cuts(&self, k: usize, LevelScan { cuts, classes, .. }: &LevelScan) -> Vec<f64> {
        let n = self.h.rows();
        let mut edges = Bins::new(RATE_BINS);
        let mut by_class = vec![[0u32; RATE_BINS]; cuts.len() + 1];
        let mut kept: Vec<(f64, u16)> = Vec::with_capacity(n);
        let mut totals = vec![0.0; cuts.len()];
        let features = self.features.iter_rows().zip(self.bins.chunks_exact(n)).zip(&self.spans);
        for (((codes, bins), span), classes) in features.take(k).zip(classes.chunks_exact(n)) {
            by_class.fill([0; RATE_BINS]);
            for (&bin, &class) in bins.iter().zip(classes) {
                by_class[usize::from(class)][usize::from(bin)] += 1;
            }
            // From each class alone to what a cut keeps: it and all above.
            for class in (1..cuts.len()).rev() {
                let (below, above) = by_class.split_at_mut(class + 1);
                below[class].iter_mut().zip(&above[0]).for_each(|(sum, count)| *sum += count);
            }
            let ends_in = span.rows.map(|row| usize::from(classes[row]));
            kept.clear();
            for (cut, total) in totals.iter_mut().enumerate() {
                let class = cut + 1;
                let mut counts = by_class[class];
                let zeros = n as u32 - counts.iter().sum::<u32>();
                let (mut first, mut last) = (span.first, span.last);
                let mut zero = span.zero;
                let has_ends = ends_in.iter().all(|end| *end >= class);
                if !has_ends || (zeros > 0 && (first > 0.0 || last < 0.0)) {
                    // What one cut keeps holds all that the next one does.
                    if kept.is_empty() {
                        kept.extend(codes.iter().copied().zip(classes.iter().copied()));
                    }
                    keep_classes_from(&mut kept, class);
                    (first, last) = code_range(kept.iter().map(|(code, _)| *code));
                    if zeros > 0 {
                        (first, last) = (first.min(0.0), last.max(0.0));
                    }
                    if first < last {
                        edges.set_range(first, last);
                        zero = edges.bin_index(0.0);
                        counts.fill(0);
                        kept.iter().for_each(|(code, _)| counts[edges.bin_index(*code)] += 1);
                    }
                }
                if first < last {
                    counts[zero] += zeros;
                    let sum: f64 = counts.iter().map(|count| self.terms[*count as usize]).sum();
                    *total += -sum / n as f64;
                }
            }
        }
        let scale = k as f64 * libm::log(RATE_BINS as f64);
        totals.into_iter().map(|total| total / scale).collect()
    }

    /// How much of a network the first `k` directions hold.
    fn measure_completeness(
        &self,
        settings: &Settings,
        k: usize,
        downstream: &NetworkOutputs,
    ) -> Result<CompletenessValues, MetricError> {
        let directions = self.dictionary.directions().first_cols(k).transposed();
        Ok(CompletenessValues {
            completeness: self.measure_c(settings, k, downstream)?,
            c_gt: c_gt(&directions, &downstream.network.circuit)?,
        })
    }

    fn measure_c(&self, settings: &Settings, k: usize, downstream: &NetworkOutputs) -> Result<f64, MetricError> {
        let missed = self.dictionary.residual_readout(&downstream.network.w2, k).transposed();
        let reading = settings.completeness();
        let missed_by = |activations: &Matrix| {
            let error = match self.dictionary.mean() {
                None => linalg::product(activations, &missed),
                Some(mean) => linalg::product(&crate::linalg::subtract_mean(activations, mean), &missed),
            };
            dot(error.data(), error.data())
        };
        match &self.drawn {
            None => completeness_from_error(reading, &downstream.outputs, missed_by(&self.h)),
            Some((rows, drawn)) => {
                completeness_from_error(reading, &downstream.outputs.select_rows(rows), missed_by(drawn))
            }
        }
    }
}

/// The codes below `k` of a row's order, in that order; `buffer` is as long as the row.
fn order_of_first_k<'a>(order: &'a [u16], k: usize, buffer: &'a mut [u16]) -> &'a [u16] {
    if k == order.len() {
        return order;
    }
    let mut len = 0;
    for &code in order {
        buffer[len] = code;
        len += usize::from(usize::from(code) < k);
    }
    &buffer[..len]
}

/// Least and greatest of some codes.
fn code_range(codes: impl Iterator<Item = f64>) -> (f64, f64) {
    codes.fold((f64::INFINITY, f64::NEG_INFINITY), |(first, last), code| {
        (if code < first { code } else { first }, if code > last { code } else { last })
    })
}

/// Drops the codes of lower classes, in place and without a branch that depends on them.
fn keep_classes_from(codes: &mut Vec<(f64, u16)>, class: usize) {
    let mut len = 0;
    for from in 0..codes.len() {
        codes[len] = codes[from];
        len += usize::from(usize::from(codes[from].1) >= class);
    }
    codes.truncate(len);
}

/// Bins and ends of every feature's codes (features × N).
fn histogram_features(features: &Matrix) -> (Vec<u8>, Vec<CodeRange>) {
    let mut edges = Bins::new(RATE_BINS);
    let mut bins = vec![0; features.data().len()];
    let of_feature = bins.chunks_exact_mut(features.cols().max(1));
    let spans = features
        .iter_rows()
        .zip(of_feature)
        .map(|(codes, bins)| {
            let (first, last) = code_range(codes.iter().copied());
            let row = |end: f64| codes.iter().position(|code| *code == end).unwrap_or(0);
            let mut zero = 0;
            if first < last {
                edges.set_range(first, last);
                zero = edges.bin_index(0.0);
                bins.iter_mut().zip(codes).for_each(|(bin, code)| *bin = edges.bin_index(*code) as u8);
            }
            CodeRange { first, last, rows: [row(first), row(last)], zero }
        })
        .collect();
    (bins, spans)
}

fn entropy_terms(n: usize) -> Vec<f64> {
    let term = |count: usize| match count {
        0 => 0.0,
        _ => count as f64 * libm::log(count as f64 / n as f64),
    };
    (0..=n).map(term).collect()
}

/// Whether settings that differ in nothing but their configuration have the same hidden layer, and so
/// the same [`LayerAnalysis`].
pub(crate) fn has_same_layer(a: &Settings, b: &Settings) -> bool {
    let layer = |settings: &Settings| {
        let Shape { inputs, hidden, .. } = settings.shape();
        (inputs, hidden)
    };
    layer(a) == layer(b)
}
