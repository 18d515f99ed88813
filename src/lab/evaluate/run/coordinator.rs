//! Who deals pieces of work, and adds what comes of them in their order.

use std::rc::Rc;

use super::super::plan::{EvaluationPlan, Options, rows_per_step};
use super::super::report::{
    Completeness, DirectionSimilarity, EvaluationReport, FeatureActivity, Fidelity, Histogram, Sparsity, WorstRow,
};
use super::super::skipped_rows::KeptRows;
use super::super::{DENSE_ACTIVE_SHARE_MIN, EvaluationError, Reading};
use super::direction_similarity::LargestCosines;
use super::notes::{report_notes, row_length_notes};
use super::part::{Basis, Job, JobKind, JobOutput, PartialResult};
use super::sums::{LargeErrorRow, RowSums};
use super::{Phase, Progress, evenly_spaced_index};
use crate::Matrix;
use crate::linalg::span::{Gram, RowSpace};
use crate::statistics::ColumnMoments;

/// Multiplications that the active-subspace reading may take, and likewise the comparison of
/// directions: some tens of seconds in a browser. Beyond, evenly spaced rows or features stand for all.
const MULTIPLICATIONS_MAX: f64 = 2e10;
/// Rows that the active-subspace reading takes at the least.
const ACTIVE_ROWS_MIN: f64 = 16.0;
/// Features that are compared at the least.
const COMPARED_FEATURES_MIN: f64 = 256.0;
/// How many rough multiplications take as long as one in double precision.
const DOUBLE_PRECISION_COST: f64 = 8.0;

/// Squared errors of one reading of completeness, and the outputs they are held against.
struct CompletenessErrors {
    error: f64,
    rows: usize,
    outputs: ColumnMoments,
}

/// What is known of an evaluation.
pub(super) struct Coordinator {
    progress: Progress,
    /// Of this phase.
    dealt: usize,
    gram: Gram,
    /// The rank of the dictionary, and whether it spans everything; once it is known.
    spans: Option<(usize, bool)>,
    sums: RowSums,
    active: CompletenessErrors,
    /// Lengths of rows, as they come.
    lengths: Vec<f64>,
    /// The rows that are scored, where some are left out.
    kept: Option<Rc<KeptRows>>,
    largest: LargestCosines,
}

impl Coordinator {
    pub fn new(plan: &EvaluationPlan) -> Self {
        let shapes = plan.shapes();
        let (d, o) = (shapes.dimensions, shapes.outputs);
        let of = if plan.inputs.readout.is_some() { o } else { 0 };
        Self {
            progress: Progress { phase: Phase::Loading, done: 0, total: shapes.k },
            dealt: 0,
            gram: Gram::new(shapes.k, d),
            spans: None,
            sums: RowSums::new(shapes.k, d, of),
            active: CompletenessErrors { error: 0.0, rows: 0, outputs: ColumnMoments::new(o) },
            lengths: Vec::new(),
            kept: None,
            largest: LargestCosines::new(0),
        }
    }

    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The next piece of this phase; none where all are dealt.
    pub fn assign_job(&mut self, plan: &EvaluationPlan) -> Option<Job> {
        let Progress { phase, total, .. } = self.progress;
        let start = self.dealt;
        if start >= total {
            return None;
        }
        let shapes = plan.shapes();
        let (k, d) = (shapes.k, shapes.dimensions);
        let coding = k as f64 * d as f64;
        let size = match phase {
            Phase::Loading => Gram::rows_per_part(k, d),
            Phase::Lengths => rows_per_step(d as f64),
            Phase::Rows | Phase::Directions => rows_per_step(coding),
            Phase::ActiveSubspace => {
                let again = if self.sums.active_by_row.is_none() { coding } else { 0.0 };
                rows_per_step(DOUBLE_PRECISION_COST * self.projection_cost() + again)
            }
            Phase::Done => return None,
        };
        let of = start..(start + size).min(total);
        let work = match phase {
            Phase::Loading => JobKind::Gram,
            Phase::Lengths => JobKind::Lengths,
            Phase::Rows => JobKind::Rows,
            Phase::ActiveSubspace => JobKind::ActiveSubspace {
                total,
                kept: self.sums.active_by_row.as_ref().map(|kept| {
                    let rows = of.clone().map(|i| evenly_spaced_index(i, total, self.row_count(plan)));
                    rows.map(|row| kept[row].clone()).collect()
                }),
            },
            _ => JobKind::Directions { total },
        };
        let rows = self.kept.as_ref().and_then(|kept| match &work {
            JobKind::Rows => Some(kept.rows[of.clone()].to_vec()),
            JobKind::ActiveSubspace { total, .. } => {
                let some = of.clone().map(|i| kept.rows[evenly_spaced_index(i, *total, kept.rows.len())]);
                Some(some.collect())
            }
            _ => None,
        });
        self.dealt = of.end;
        Some(Job { work, of, rows })
    }

    /// How many rows are scored.
    fn row_count(&self, plan: &EvaluationPlan) -> usize {
        self.kept.as_ref().map_or(plan.shapes().rows, |kept| kept.rows.len())
    }

    /// The rows that are scored, where some are left out, and the mean of those measured.
    pub fn scored_rows_and_mean(&self) -> (Option<Rc<KeptRows>>, Vec<f64>) {
        (self.kept.clone(), self.sums.totals.activations.mean())
    }

    /// Deals again what has not been taken.
    pub fn reset_assigned(&mut self) {
        self.dealt = self.progress.done;
    }

    /// Multiplications of a row of the active-subspace reading, on average.
    fn projection_cost(&self) -> f64 {
        self.sums.projection_cost / self.sums.rows.max(1) as f64
    }

    /// Takes what comes of the next piece. True where this phase has come to its end.
    pub fn merge_part(&mut self, part: &PartialResult, plan: &EvaluationPlan) -> bool {
        let shapes = plan.shapes();
        match &part.found {
            JobOutput::Gram(part) => self.gram.add_part(part),
            JobOutput::Lengths(lengths) => self.lengths.extend(lengths),
            JobOutput::Rows(found) => self.sums.merge_block(found, shapes.k, shapes.dimensions),
            JobOutput::ActiveSubspace(found) => {
                self.active.error += found.error;
                self.active.outputs.merge(&found.outputs);
                self.active.rows += part.count;
            }
            JobOutput::Directions(nearest) => self.largest.merge(nearest),
        }
        self.progress.done += part.count;
        self.progress.done >= self.progress.total
    }

    /// The Gram matrix, whose parts have all been taken.
    pub fn take_gram(&mut self) -> Matrix {
        std::mem::replace(&mut self.gram.matrix, Matrix::zeros(0, 0))
    }

    /// Begins with rows, as it is known what the dictionary spans.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] where no row is left.
    pub fn begin_rows(&mut self, basis: &Basis, plan: &EvaluationPlan) -> Result<(), EvaluationError> {
        let all = matches!(basis.space, RowSpace::All);
        self.spans = Some((basis.space.rank(plan.shapes().dimensions), all));
        if plan.skip.needs_lengths() {
            self.begin_phase(Phase::Lengths, plan.shapes().rows);
            return Ok(());
        }
        self.begin_kept_rows(plan)
    }

    /// Begins with the rows that are not left out.
    fn begin_kept_rows(&mut self, plan: &EvaluationPlan) -> Result<(), EvaluationError> {
        self.kept = plan.kept_rows.clone();
        if !plan.skip.skips_nothing() {
            let lengths = std::mem::take(&mut self.lengths);
            self.kept = Some(Rc::new(plan.skip.select_rows(plan.shapes().rows, &lengths)?));
        }
        self.begin_phase(Phase::Rows, self.row_count(plan));
        Ok(())
    }

    fn begin_phase(&mut self, phase: Phase, total: usize) {
        self.dealt = 0;
        self.progress = Progress { phase, done: 0, total };
    }

    /// Begins with what comes after this phase, which is not the first.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] where no row is left.
    pub fn begin_next_phase(&mut self, plan: &EvaluationPlan) -> Result<(), EvaluationError> {
        let shapes = plan.shapes();
        match self.progress.phase {
            Phase::Lengths => self.begin_kept_rows(plan)?,
            Phase::Rows => {
                let affordable = MULTIPLICATIONS_MAX / self.projection_cost().max(1.0);
                let affordable = affordable.max(ACTIVE_ROWS_MIN) as usize;
                let asked = plan.options.active_rows as usize;
                self.begin_phase(Phase::ActiveSubspace, affordable.min(asked).min(self.row_count(plan)));
            }
            Phase::ActiveSubspace => {
                self.sums.active_by_row = None;
                let one = shapes.dimensions as f64 * shapes.k as f64;
                let count = ((MULTIPLICATIONS_MAX / one).max(COMPARED_FEATURES_MIN) as usize).min(shapes.k);
                self.largest = LargestCosines::new(count);
                self.begin_phase(Phase::Directions, count);
            }
            Phase::Directions => self.progress.phase = Phase::Done,
            Phase::Loading | Phase::Done => {}
        }
        Ok(())
    }

    /// The report of what has been taken so far; none before any row.
    pub fn report(&self, plan: &EvaluationPlan) -> Result<Option<EvaluationReport>, EvaluationError> {
        let Self { sums, active, largest, .. } = self;
        let (Some((rank, spans)), true) = (self.spans, sums.rows > 0) else { return Ok(None) };
        let shapes = plan.shapes();
        let options = plan.options;
        let rows = sums.rows as f64;
        let over = |error: f64, all: f64| (all > 0.0).then(|| 1.0 - error / all);

        let totals = &sums.totals;
        let total: u64 = sums.active_counts.iter().sum();
        let l0 = total as f64 / rows;
        let sparsity = Sparsity { s: 1.0 - total as f64 / (rows * shapes.k as f64), l0 };
        let variance = totals.activations.total_sum_of_squares();
        let fidelity = Fidelity {
            cosine: totals.cosine / rows,
            r2: over(totals.squared_error, variance),
            fvu: (variance > 0.0).then(|| totals.squared_error / variance),
            one_minus_rel_mse: over(totals.squared_error, totals.squared),
            frac_variance_explained: over(totals.residuals.total_sum_of_squares(), variance),
            shrinkage: (totals.shrinkage_rows > 0).then(|| totals.shrinkage / totals.shrinkage_rows as f64),
            mode: options.fidelity,
        };
        let outputs = match plan.inputs.readout {
            None => &totals.activations,
            Some(_) => &totals.outputs,
        };
        let one = |reading, error, rows, outputs: &ColumnMoments, identically_one| {
            let [total, grand] =
                [outputs.total_sum_of_squares(), outputs.grand_sum_of_squares()].map(|all| over(error, all));
            Completeness { reading, total, grand, rows, identically_one, sfc: None }
        };
        let reading = Reading::ActiveSubspace;
        let completeness = vec![
            one(Reading::RowSpace, totals.row_space, sums.rows, outputs, spans),
            one(Reading::Reconstruction, totals.reconstruction, sums.rows, outputs, false),
            one(reading, active.error, active.rows, &active.outputs, false),
        ];
        let mut frequencies = Histogram::new(FREQUENCY_BIN_EDGES.to_vec());
        let alive = sums.active_counts.iter().filter(|count| **count > 0);
        alive.for_each(|count| frequencies.add(*count as f64 / rows));
        let features = FeatureActivity {
            dead: sums.active_counts.iter().filter(|count| **count == 0).count(),
            dense: sums.active_counts.iter().filter(|count| **count as f64 > DENSE_ACTIVE_SHARE_MIN * rows).count(),
            frequencies,
        };
        let similarity = DirectionSimilarity {
            mean_max_cosine: (largest.found_count > 0).then(|| largest.sum / largest.found_count as f64),
            max_cosine: (largest.found_count > 0).then_some(largest.max),
            compared: largest.expected_count,
            max_cosines: largest.histogram.clone(),
        };
        let worst = |row: &LargeErrorRow| WorstRow {
            row: self.kept.as_ref().map_or(row.at, |kept| kept.rows[row.at]),
            norm: row.norm,
            squared_error: row.squared_error,
            share: if totals.squared_error > 0.0 { row.squared_error / totals.squared_error } else { 0.0 },
        };
        let mut report = EvaluationReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files: plan.describe_files(),
            rows: sums.rows,
            skipped: self.kept.as_ref().map(|kept| kept.skipped.clone()),
            dimensions: shapes.dimensions,
            k: shapes.k,
            outputs: shapes.outputs,
            autoencoder: plan.inputs.decomposition.folder().map(|folder| folder.recognised().clone()),
            codes: plan.codes_label(),
            readout_given: plan.inputs.readout.is_some(),
            sparsity,
            fidelity,
            completeness,
            rank,
            features,
            similarity,
            decoder_norms: None,
            worst_rows: totals.worst.iter().map(worst).collect(),
            weights: options.weights,
            reading: Reading::default(),
            variance: options.variance,
            sfc: None,
            notes: Vec::new(),
        };
        let Options { weights, fidelity, completeness, variance, .. } = options;
        report.rescore(weights, fidelity, completeness, variance);
        report.notes = report_notes(&report, self.row_count(plan));
        if let Some(kept) = &self.kept {
            report.notes.push(kept.skipped.describe(kept.rows.len()));
        }
        report.notes.extend(row_length_notes(&report, totals.lengths.outliers(), totals.guarded));
        report.notes.extend(plan.inputs.decomposition.notes());
        report.notes.extend(plan.inputs.decomposition.transcoder_warning(report.fidelity.r2));
        report.notes.extend(plan.unread_notes());
        if let Some((measure, value)) = report.find_non_finite() {
            return Err(EvaluationError::NonFiniteMeasure { measure, value });
        }
        Ok(Some(report))
    }
}

/// Bounds of the bins of frequencies.
const FREQUENCY_BIN_EDGES: [f64; 13] = [0.0, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0];
