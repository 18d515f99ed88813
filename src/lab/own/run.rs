use serde::Serialize;

use super::inputs::{Codes, Decomposition};
use super::plan::{APART, KEPT, KEPT_ROW, Options, OwnPlan, affordable};
use super::report::{Completeness, Features, Fidelity, Histogram, OwnReport, Similarity, Sparsity};
use super::{DENSE, OwnError, Reading};
use crate::Matrix;
use crate::kernel::quantized::QuantizedRows;
use crate::kernel::{self, Panels};
use crate::linalg::span::{self, Gram, RowSpace, outside_rows, row_of};
use crate::papers::sfc::metric::fidelity::COSINE_GUARD;
use crate::sae::{Coder, CodesBy, Dictionary};
use crate::statistics::ColumnMoments;

/// Multiplications that the active-subspace reading may take, and likewise the comparison of
/// directions: some tens of seconds in a browser. Beyond, evenly spaced rows or features stand for all.
const BUDGET: f64 = 2e10;
/// Rows that the active-subspace reading takes at the least.
const ACTIVE_ROWS_MIN: f64 = 16.0;
/// Features that are compared at the least.
const COMPARED_MIN: f64 = 256.0;
/// Bins of the largest cosines, from −1 to 1.
const COSINE_BINS: usize = 40;

/// What an evaluation is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluatePhase"))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Reading the dictionary and its row space.
    Loading,
    /// Coding and measuring rows.
    Rows,
    /// Projecting rows on what is active for them.
    ActiveSubspace,
    /// Comparing directions.
    Directions,
    /// Nothing more.
    Done,
}

/// How far an evaluation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluateProgress"))]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// Rows, or features, of this phase that are done.
    pub done: usize,
    /// Rows, or features, of this phase.
    pub total: usize,
}

/// Squared errors of one reading of completeness, and the outputs they are held against.
struct Errors {
    error: f64,
    rows: usize,
    outputs: Option<ColumnMoments>,
}

/// f.
enum Readout {
    Identity,
    /// W_out's rows, as columns; b_out.
    Linear(Panels, Vec<f64>),
}

impl Readout {
    /// W_out·x for rows x, without the bias.
    fn linear(&self, x: &Matrix) -> Matrix {
        match self {
            Self::Identity => x.clone(),
            Self::Linear(weights, _) => {
                let mut out = Matrix::zeros(x.rows(), weights.shape().1);
                kernel::wide_product(x.data(), weights, out.data_mut());
                out
            }
        }
    }

    fn apply(&self, x: &Matrix) -> Matrix {
        let mut out = self.linear(x);
        if let Self::Linear(_, bias) = self {
            for index in 0..out.rows() {
                out.row_mut(index).iter_mut().zip(bias).for_each(|(out, b)| *out += b);
            }
        }
        out
    }

    /// Σ‖W_out·x‖²: the squared difference of f between two points that are x apart.
    fn squared(&self, x: &Matrix) -> f64 {
        let out = self.linear(x);
        out.iter_rows().map(|row| kernel::dot(row, row)).sum()
    }
}

/// What loading makes, piece by piece.
struct Loaded {
    dictionary: Dictionary,
    coder: Coder,
    gram: Gram,
    space: RowSpace,
    readout: Readout,
}

/// Sums over rows.
struct Sums {
    active: Vec<u64>,
    cosine: f64,
    squared_error: f64,
    squared: f64,
    shrinkage: f64,
    shrinkage_rows: usize,
    activations: ColumnMoments,
    residuals: ColumnMoments,
    outputs: ColumnMoments,
    row_space: f64,
    reconstruction: f64,
    projection_cost: f64,
    /// What is active in each row, while it is not too much.
    kept: Option<Vec<Kept>>,
    kept_entries: usize,
}

/// The active features of a row, or the idle ones where these are fewer.
#[derive(Clone)]
struct Kept {
    idle: bool,
    features: Vec<u32>,
}

impl Kept {
    fn of(active: &[u32], k: usize) -> Self {
        let idle = 2 * active.len() > k;
        let features = if idle { others(active, k) } else { active.to_vec() };
        Self { idle, features }
    }

    fn active(&self, k: usize) -> Vec<u32> {
        if self.idle { others(&self.features, k) } else { self.features.clone() }
    }
}

/// The numbers below `k` that are not among these, which ascend.
fn others(these: &[u32], k: usize) -> Vec<u32> {
    let mut these = these.iter().peekable();
    (0..k as u32).filter(|number| these.next_if_eq(&number).is_none()).collect()
}

/// Largest cosines, as they come.
struct Compared {
    dictionary: Dictionary,
    /// Of its row space.
    rank: usize,
    /// Whether that is everything.
    spans: bool,
    directions: QuantizedRows,
    lengths: Vec<f64>,
    count: usize,
    sum: f64,
    found: usize,
    histogram: Histogram,
}

/// An evaluation under way: [`step`](OwnRun::step) until it is done, then
/// [`finish`](OwnRun::finish).
pub struct OwnRun {
    plan: OwnPlan,
    progress: Progress,
    loaded: Option<Loaded>,
    sums: Sums,
    active: Errors,
    /// What a dictionary that spans everything may lose and still do so, once it is needed.
    slack: Option<f64>,
    compared: Option<Compared>,
}

/// The i-th of `count` evenly spaced numbers below `total`.
fn spaced(i: usize, count: usize, total: usize) -> usize {
    (i as u64 * total as u64 / count as u64) as usize
}

impl OwnRun {
    /// Begins; nothing is read yet.
    #[must_use]
    pub fn new(plan: OwnPlan) -> Self {
        let shapes = plan.shapes();
        let (d, o) = (shapes.dimensions, shapes.outputs);
        let sums = Sums {
            active: vec![0; shapes.k],
            cosine: 0.0,
            squared_error: 0.0,
            squared: 0.0,
            shrinkage: 0.0,
            shrinkage_rows: 0,
            activations: ColumnMoments::new(d),
            residuals: ColumnMoments::new(d),
            // Of the identity these are the activations'.
            outputs: ColumnMoments::new(if plan.inputs.readout.is_some() { o } else { 0 }),
            row_space: 0.0,
            reconstruction: 0.0,
            projection_cost: 0.0,
            kept: Some(Vec::new()),
            kept_entries: 0,
        };
        Self {
            plan,
            progress: Progress { phase: Phase::Loading, done: 0, total: shapes.k },
            loaded: None,
            sums,
            active: Errors { error: 0.0, rows: 0, outputs: Some(ColumnMoments::new(o)) },
            slack: None,
            compared: None,
        }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &OwnPlan {
        &self.plan
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Runs to the end, telling how far it has come after every step.
    ///
    /// # Errors
    /// As [`OwnRun::step`].
    pub fn run(mut self, tell: &mut dyn FnMut(Progress)) -> Result<OwnReport, OwnError> {
        while self.progress.phase != Phase::Done {
            tell(self.step()?);
        }
        self.finish()
    }

    /// Does the next piece of work: loading, or one block of rows or features.
    ///
    /// # Errors
    /// [`OwnError::Io`] for rows that cannot be read or are not finite,
    /// [`OwnError::Row`], [`OwnError::NonFinite`], [`OwnError::NoConvergence`]. An evaluation that failed stays where
    /// it is.
    pub fn step(&mut self) -> Result<Progress, OwnError> {
        let done = self.progress.done;
        if self.progress.phase == Phase::Done {
            return Ok(self.progress);
        }
        let next = match (self.progress.phase, self.loaded.take()) {
            (Phase::Directions | Phase::Done, _) => {
                let done = done + self.directions(done);
                let phase =
                    if done < self.progress.total { Phase::Directions } else { Phase::Done };
                Progress { phase, done, total: self.progress.total }
            }
            (_, None) => {
                self.loaded = Some(self.load()?);
                self.progress
            }
            (Phase::Loading, Some(mut loaded)) => {
                let Loaded { dictionary, coder, gram, space, .. } = &mut loaded;
                let d = dictionary.d;
                if gram.done() < dictionary.k {
                    gram.step(&dictionary.rows, d);
                    let done = gram.done();
                    self.loaded = Some(loaded);
                    self.progress = Progress { done, ..self.progress };
                    return Ok(self.progress);
                }
                let found = RowSpace::of(&dictionary.rows, d, &gram.matrix);
                *space = found.ok_or(OwnError::NoConvergence)?;
                coder.invert(&gram.matrix)?;
                self.loaded = Some(loaded);
                Progress { phase: Phase::Rows, done: 0, total: self.plan.shapes().rows }
            }
            (Phase::Rows, Some(loaded)) => {
                let result = self.rows(&loaded, done);
                self.loaded = Some(loaded);
                let done = done + result?;
                if done < self.progress.total {
                    Progress { done, ..self.progress }
                } else {
                    let total = self.active_rows();
                    Progress { phase: Phase::ActiveSubspace, done: 0, total }
                }
            }
            (Phase::ActiveSubspace, Some(loaded)) => {
                let result = self.active(&loaded, done);
                if let Ok(count) = result
                    && done + count >= self.progress.total
                {
                    let total = self.compare(loaded);
                    self.progress = Progress { phase: Phase::Directions, done: 0, total };
                    return Ok(self.progress);
                }
                self.loaded = Some(loaded);
                Progress { done: done + result?, ..self.progress }
            }
        };
        self.progress = next;
        Ok(next)
    }

    fn load(&self) -> Result<Loaded, OwnError> {
        let (dictionary, coder) = match &self.plan.inputs.decomposition {
            Decomposition::Sae(folder) => Coder::trained(&folder.config, &folder.weights)?,
            Decomposition::Dictionary { dictionary, codes } => {
                let (k, d) = (dictionary.rows(), dictionary.cols());
                let dictionary = Dictionary { d, k, rows: dictionary.read_all()? };
                let by = match codes {
                    Codes::Made(by) => Some(*by),
                    Codes::Given(_) => None,
                };
                let coder = Coder::alone(&dictionary, by);
                (dictionary, coder)
            }
        };
        let gram = Gram::new(dictionary.k, dictionary.d);
        let readout = match &self.plan.inputs.readout {
            None => Readout::Identity,
            Some(readout) => {
                let bias = match &self.plan.inputs.readout_bias {
                    Some(bias) => bias.read_all()?.into_iter().map(f64::from).collect(),
                    None => vec![0.0; readout.rows()],
                };
                let weights = readout.read_all()?;
                Readout::Linear(Panels::from_columns(&weights, dictionary.d), bias)
            }
        };
        // The space is found when the Gram matrix is there.
        Ok(Loaded { dictionary, coder, gram, space: RowSpace::All, readout })
    }

    /// Rows of activations, and of codes where those are given, by their numbers.
    fn read(&self, loaded: &Loaded, rows: &[usize]) -> Result<(Matrix, Option<Matrix>), OwnError> {
        let inputs = &self.plan.inputs;
        let activations = gather(inputs.activations.array(), rows, loaded.dictionary.d)?;
        let codes = inputs.decomposition.given_codes();
        let codes = codes.map(|codes| gather(codes.array(), rows, loaded.dictionary.k));
        Ok((activations, codes.transpose()?))
    }

    /// One block of rows; returns how many.
    fn rows(&mut self, loaded: &Loaded, start: usize) -> Result<usize, OwnError> {
        let (k, d) = (loaded.dictionary.k, loaded.dictionary.d);
        let count = affordable(k as f64 * d as f64).min(self.progress.total - start);
        let rows: Vec<usize> = (start..start + count).collect();
        let (a, given) = self.read(loaded, &rows)?;
        let Loaded { dictionary, coder, gram, .. } = loaded;
        let passed = coder.pass(dictionary, &a, start, given, &gram.matrix)?;
        let a_hat = passed.decoded;
        let sums = &mut self.sums;
        for active in &passed.active {
            active.iter().for_each(|j| sums.active[*j as usize] += 1);
            sums.projection_cost += span::cost(active.len(), k, d);
            sums.kept_entries += active.len().min(k - active.len()) + KEPT_ROW;
        }
        if sums.kept_entries > KEPT {
            sums.kept = None;
        }
        if let Some(kept) = &mut sums.kept {
            kept.extend(passed.active.iter().map(|active| Kept::of(active, k)));
        }
        let mut residual = Matrix::zeros(count, d);
        for (index, (a, b)) in a.iter_rows().zip(a_hat.iter_rows()).enumerate() {
            let (aa, bb) = (kernel::dot(a, a), kernel::dot(b, b));
            let norms = aa.sqrt() * bb.sqrt();
            if norms > 0.0 {
                sums.cosine += kernel::dot(a, b) / (norms + COSINE_GUARD);
            }
            if aa > 0.0 {
                sums.shrinkage += bb.sqrt() / aa.sqrt();
                sums.shrinkage_rows += 1;
            }
            sums.squared += aa;
            let out = residual.row_mut(index);
            out.iter_mut().zip(a).zip(b).for_each(|((out, a), b)| *out = a - b);
            sums.squared_error += kernel::dot(out, out);
        }
        sums.activations.add(a.data());
        sums.residuals.add(residual.data());
        if let Readout::Linear(..) = loaded.readout {
            sums.outputs.add(loaded.readout.apply(&a).data());
        }
        sums.reconstruction += loaded.readout.squared(&residual);
        if let RowSpace::Basis(..) = loaded.space {
            sums.row_space += loaded.readout.squared(&loaded.space.outside(&a));
        }
        Ok(count)
    }

    /// Rows that the active-subspace reading takes.
    fn active_rows(&self) -> usize {
        let rows = self.plan.shapes().rows;
        let mean = self.sums.projection_cost / rows as f64;
        let affordable = (BUDGET / mean.max(1.0)).max(ACTIVE_ROWS_MIN) as usize;
        affordable.min(self.plan.options.active_rows as usize).min(rows)
    }

    /// One block of the spaced rows; returns how many.
    fn active(&mut self, loaded: &Loaded, start: usize) -> Result<usize, OwnError> {
        let total = self.progress.total;
        let all = self.plan.shapes().rows;
        let Dictionary { rows: dictionary, d, k } = &loaded.dictionary;
        let gram = &loaded.gram.matrix;
        let mut one = self.sums.projection_cost / all as f64;
        if self.sums.kept.is_none() {
            // They are coded again.
            one += *k as f64 * *d as f64;
        }
        let count = affordable(one).min(total - start);
        let rows: Vec<usize> = (start..start + count).map(|i| spaced(i, total, all)).collect();
        let (a, active) = match &self.sums.kept {
            Some(kept) => {
                let a = gather(self.plan.inputs.activations.array(), &rows, *d)?;
                (a, rows.iter().map(|row| kept[*row].clone()).collect::<Vec<_>>())
            }
            None => {
                let (a, given) = self.read(loaded, &rows)?;
                let first = rows.first().copied().unwrap_or(0);
                let passed = loaded.coder.pass(&loaded.dictionary, &a, first, given, gram)?;
                (a, passed.active.iter().map(|active| Kept::of(active, *k)).collect())
            }
        };
        // What is outside the span of all rows is known, and mostly also of nearly all.
        let mut outside = loaded.space.outside(&a);
        for (index, (a, active)) in a.iter_rows().zip(&active).enumerate() {
            if active.idle && active.features.is_empty() {
                continue;
            }
            if active.idle && matches!(loaded.space, RowSpace::All) {
                let slack = *self.slack.get_or_insert_with(|| span::slack(gram, *k));
                let idle = active.features.iter().map(|j| {
                    let row = row_of(dictionary, *d, *j);
                    span::dot(row, row)
                });
                if idle.sum::<f64>() < slack {
                    continue;
                }
            }
            let left = outside_rows(dictionary, *d, &active.active(*k), a, gram);
            outside.row_mut(index).copy_from_slice(&left.ok_or(OwnError::NoConvergence)?);
        }
        self.active.error += loaded.readout.squared(&outside);
        self.active.rows += count;
        if let Some(outputs) = &mut self.active.outputs {
            outputs.add(loaded.readout.apply(&a).data());
        }
        Ok(count)
    }

    /// Rounds directions, in the place of what was loaded for coding; returns how many are to be
    /// compared.
    fn compare(&mut self, loaded: Loaded) -> usize {
        let Loaded { dictionary, coder, gram, space, readout } = loaded;
        // Before as much again is made.
        drop((coder, gram, readout));
        self.sums.kept = None;
        let (d, k) = (dictionary.d, dictionary.k);
        let affordable = (BUDGET / (d as f64 * k as f64)).max(COMPARED_MIN) as usize;
        let count = affordable.min(k);
        let edges = (0..=COSINE_BINS).map(|i| -1.0 + 2.0 * i as f64 / COSINE_BINS as f64);
        self.compared = Some(Compared {
            directions: QuantizedRows::of(&dictionary.rows, d),
            lengths: dictionary.lengths(),
            rank: space.rank(d),
            spans: matches!(space, RowSpace::All),
            dictionary,
            count,
            sum: 0.0,
            found: 0,
            histogram: Histogram::new(edges.collect()),
        });
        count
    }

    /// One block of features; returns how many.
    ///
    /// QuantizedRows products tell which of the others may be the nearest; only these are compared exactly.
    fn directions(&mut self, start: usize) -> usize {
        let left = self.progress.total - start;
        let Some(compared) = &mut self.compared else { return left };
        let Dictionary { rows: dictionary, d, k } = &compared.dictionary;
        let count = affordable(*k as f64 * *d as f64).min(left);
        let features: Vec<usize> =
            (start..start + count).map(|i| spaced(i, compared.count, *k)).collect();
        let chosen = compared.directions.rows(&features);
        let mut products = vec![0; count * *k];
        chosen.products(&compared.directions, &mut products);
        for (at, (products, feature)) in products.chunks_exact(*k).zip(features).enumerate() {
            let length = compared.lengths[feature];
            let others = || {
                let rows = products.iter().zip(&compared.lengths).enumerate();
                let others = rows.filter(|(j, (_, length))| *j != feature && **length > 0.0);
                others.map(|(j, (product, _))| {
                    let error = chosen.error(at, &compared.directions, j);
                    (j, QuantizedRows::cosine(*product), error)
                })
            };
            let least = others().map(|(_, near, error)| near - error);
            let least = least.fold(f64::NEG_INFINITY, f64::max);
            let mut largest = f64::NEG_INFINITY;
            let row = row_of(dictionary, *d, feature as u32);
            for (j, near, error) in others() {
                if near + error >= least {
                    let product = span::dot(row, row_of(dictionary, *d, j as u32));
                    largest = largest.max(product / (length * compared.lengths[j]));
                }
            }
            // A feature without length has no direction, and one alone nothing to be like.
            if length > 0.0 && largest.is_finite() {
                compared.sum += largest;
                compared.found += 1;
                compared.histogram.add(largest);
            }
        }
        count
    }

    /// The report.
    ///
    /// # Errors
    /// [`OwnError::Unfinished`] before the last step, [`OwnError::Measure`] where a measure is no
    /// finite number.
    pub fn finish(self) -> Result<OwnReport, OwnError> {
        let Self { plan, progress, sums, active, compared: Some(compared), .. } = self else {
            return Err(OwnError::Unfinished);
        };
        if progress.phase != Phase::Done {
            return Err(OwnError::Unfinished);
        }
        let shapes = plan.shapes();
        let options = plan.options;
        let rows = shapes.rows as f64;
        let over = |error: f64, all: f64| (all > 0.0).then(|| 1.0 - error / all);

        let total: u64 = sums.active.iter().sum();
        let l0 = total as f64 / rows;
        let sparsity = Sparsity { s: 1.0 - total as f64 / (rows * shapes.k as f64), l0 };
        let variance = sums.activations.total();
        let fidelity = Fidelity {
            cosine: sums.cosine / rows,
            r2: over(sums.squared_error, variance),
            rel_mse: over(sums.squared_error, sums.squared),
            explained_variance: over(sums.residuals.total(), variance),
            shrinkage: (sums.shrinkage_rows > 0)
                .then(|| sums.shrinkage / sums.shrinkage_rows as f64),
            mode: options.fidelity,
        };
        let outputs = match plan.inputs.readout {
            None => &sums.activations,
            Some(_) => &sums.outputs,
        };
        let spans = compared.spans;
        let one = |reading, error, rows, outputs: &ColumnMoments, identically_one| {
            let [total, grand] = [outputs.total(), outputs.grand()].map(|all| over(error, all));
            Completeness { reading, total, grand, rows, identically_one, sfc: None }
        };
        let mut completeness = vec![
            one(Reading::RowSpace, sums.row_space, shapes.rows, outputs, spans),
            one(Reading::Reconstruction, sums.reconstruction, shapes.rows, outputs, false),
        ];
        if let Some(outputs) = &active.outputs {
            let reading = Reading::ActiveSubspace;
            completeness.push(one(reading, active.error, active.rows, outputs, false));
        }

        let mut frequencies = Histogram::new(FREQUENCIES.to_vec());
        let alive = sums.active.iter().filter(|count| **count > 0);
        alive.for_each(|count| frequencies.add(*count as f64 / rows));
        let features = Features {
            dead: sums.active.iter().filter(|count| **count == 0).count(),
            dense: sums.active.iter().filter(|count| **count as f64 > DENSE * rows).count(),
            frequencies,
        };
        let similarity = Similarity {
            mean_max_cosine: (compared.found > 0).then(|| compared.sum / compared.found as f64),
            compared: compared.count,
            max_cosines: compared.histogram,
        };
        let mut report = OwnReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files: plan.described(),
            rows: shapes.rows,
            dimensions: shapes.dimensions,
            k: shapes.k,
            outputs: shapes.outputs,
            codes: plan.codes(),
            readout_given: plan.inputs.readout.is_some(),
            sparsity,
            fidelity,
            completeness,
            rank: compared.rank,
            features,
            similarity,
            weights: options.weights,
            reading: options.completeness,
            variance: options.variance,
            sfc: None,
            notes: Vec::new(),
        };
        let Options { weights, fidelity, completeness, variance, .. } = options;
        report.rescore(weights, fidelity, completeness, variance);
        report.notes = notes(&report);
        report.notes.extend(plan.left_out());
        if let Some((measure, value)) = report.non_finite() {
            return Err(OwnError::Measure { measure, value });
        }
        Ok(report)
    }
}

/// Bounds of the bins of frequencies.
const FREQUENCIES: [f64; 13] =
    [0.0, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0];

/// Rows of a matrix in a file, by their numbers, as `f64`.
fn gather(array: &crate::io::Array, rows: &[usize], cols: usize) -> Result<Matrix, OwnError> {
    let mut narrow = vec![0.0; rows.len() * cols];
    match rows {
        [first, .., last] if last - first + 1 == rows.len() => {
            array.read_rows(*first, &mut narrow)?;
        }
        // A few times as much at once is quicker than many times a little.
        [first, .., last] if last - first < APART * rows.len() => {
            let mut all = vec![0.0; (last - first + 1) * cols];
            array.read_rows(*first, &mut all)?;
            for (row, into) in rows.iter().zip(narrow.chunks_exact_mut(cols)) {
                into.copy_from_slice(&all[(row - first) * cols..][..cols]);
            }
        }
        _ => {
            for (row, into) in rows.iter().zip(narrow.chunks_exact_mut(cols)) {
                array.read_rows(*row, into)?;
            }
        }
    }
    let mut wide = Matrix::zeros(rows.len(), cols);
    span::widen(&narrow, wide.data_mut());
    Ok(wide)
}

/// Codes of a dictionary alone are called dense where S is no more than this.
const DENSE_CODES: f64 = 0.05;

fn notes(report: &OwnReport) -> Vec<String> {
    let mut notes = Vec::new();
    let alone = [CodesBy::Projection, CodesBy::LeastSquares];
    if report.sparsity.s <= DENSE_CODES && alone.iter().any(|by| by.to_string() == report.codes) {
        notes.push(format!(
            "Nearly every code is active, as codes by {} are on any dictionary: S is about 0, and \
             with it the score, whatever the directions are. Codes by {} keep the largest of each \
             row.",
            report.codes,
            CodesBy::Top((report.k / 10).max(1))
        ));
    }
    if !report.readout_given {
        notes.push(
            "No readout was given: f is the identity, so completeness measures the activations \
             themselves, and its reconstruction reading with the total variance is R²."
                .to_owned(),
        );
    }
    if report.completeness.iter().any(|c| c.identically_one) {
        notes.push(format!(
            "The dictionary spans all {} dimensions: completeness by its row space is 1 whatever \
             it has learnt.",
            report.dimensions
        ));
    } else if report.rank < report.k.min(report.dimensions) {
        notes.push(format!("The dictionary's rows have rank {}.", report.rank));
    }
    for c in &report.completeness {
        if c.rows < report.rows {
            notes.push(format!(
                "Completeness by {} is of {} evenly spaced rows of {}.",
                c.reading.name(),
                c.rows,
                report.rows
            ));
        }
    }
    if report.similarity.compared < report.k {
        notes.push(format!(
            "Directions of {} evenly spaced features of {} were compared with all others.",
            report.similarity.compared, report.k
        ));
    }
    notes
}
