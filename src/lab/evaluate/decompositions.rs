//! Decompositions of the same activations side by side, with what each should beat beside them.
//!
//! [`DecompositionComparison`] takes one [plan](EvaluationPlan) after another, so that no two are in memory at once, and evaluates each
//! and its controls as [`EvaluationRun`] does. [`DecompositionsReport`] has a row each, with the front and the exclusive
//! contributions of all.

mod controls;
#[allow(clippy::disallowed_methods)]
pub mod figures;
mod listed;
mod study_view;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::skipped_rows::KeptRows;
use super::{
    EvaluationError, EvaluationPlan, EvaluationReport, EvaluationRun, Options, Phase, Progress, Reading, SkipRules,
    SkippedRowCounts, Variance,
};
use crate::papers::sfc::metric::fidelity::FidelityMode;
use crate::pareto::{self, Objectives};
use crate::sae::recovery;
use crate::settings::named;
use crate::{Matrix, Weights};
use controls::{Controls, EvaluatedDecomposition};
pub use listed::{ComparisonMember, ComparisonRequest, ListedAutoencoder};
pub use study_view::StudyView as DecompositionsView;

named! {
    /// What a decomposition is there for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "DecompositionRole"))]
    #[serde(rename_all = "kebab-case")]
    pub enum DecompositionRole {
        /// It was asked for.
        #[serde(rename = "given")]
        Compared = "given",
        /// Control: as many random directions of length 1 as another has latents. Of each row as many codes are kept as are
        /// active in it on average: the largest of those projections of its deviation from the mean row that are above 0, as
        /// an autoencoder's codes are.
        Random = "random",
        /// Control: another's codes, decoded by its dictionary with the rows in another order.
        Permuted = "permuted",
        /// Baseline: as many principal components of the rows that are scored, no more of them than these determine. As many
        /// codes are kept of each row as of random directions: the largest in magnitude, as a component has no sign.
        Pca = "pca",
    }
}

impl DecompositionRole {
    /// What others are held against.
    const CONTROLS: [Self; 3] = [Self::Random, Self::Permuted, Self::Pca];
}

/// One decomposition of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DecompositionRow {
    /// Its name, which no other row has.
    pub name: String,
    /// What it is there for.
    pub role: DecompositionRole,
    /// The names of those that it is a control of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<Vec<String>>"))]
    pub control_of: Vec<String>,
    /// S.
    pub sparsity: f64,
    /// F in the mode that is scored; null where it has no value.
    pub fidelity: Option<f64>,
    /// C by the reading and over the variance that are scored, the same for all rows; null where it has no value.
    pub completeness: Option<f64>,
    /// SFC; null where an axis that has a weight has no value.
    pub sfc: Option<f64>,
    /// Whether no other row is at least as good in S, F and C and better in one of them; null where one of these has no
    /// value.
    pub on_front: Option<bool>,
    /// The volume above (0, 0, 0) in S, F and C that this row alone covers; null where one of these has no value.
    pub contribution: Option<f64>,
    /// Everything else that was measured.
    pub report: EvaluationReport,
}

/// How far two decompositions have the same directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DecompositionConsistency {
    /// The name of one.
    pub first: String,
    /// The name of the other.
    pub second: String,
    /// The pairwise dictionary mean correlation coefficient: the mean |cosine| of the directions of both, matched one to one
    /// so that it is largest; 0 to 1.
    pub pw_mcc: f64,
}

/// Decompositions of the same activations, by falling score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DecompositionsReport {
    /// The version of this program.
    pub version: String,
    /// The decompositions, by falling SFC; those without one come last.
    pub rows: Vec<DecompositionRow>,
    /// Weights of the score.
    pub weights: Weights,
    /// The fidelity that the score takes.
    pub mode: FidelityMode,
    /// The reading of completeness that the score takes.
    pub reading: Reading,
    /// The variance that completeness divides by.
    pub variance: Variance,
    /// Seed of the controls; null where there are none.
    pub seed: Option<u32>,
    /// Volume of the union of the boxes from (0, 0, 0) to (S, F, C) of all rows.
    pub hypervolume: f64,
    /// How far each two of those that were asked for have the same directions, where they have as many, and not too many
    /// to be matched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<Vec<DecompositionConsistency>>"))]
    pub consistency: Vec<DecompositionConsistency>,
    /// What a reader must know to read the numbers rightly, in sentences.
    pub notes: Vec<String>,
}

/// A comparison under way.
pub struct DecompositionComparison {
    options: Options,
    controls: Option<Controls>,
    rows: Vec<DecompositionRow>,
    /// Which rows were to be left out of the first, and which are scored where some are: the same for all.
    skip: SkipRules,
    kept: Option<Rc<KeptRows>>,
    /// Directions of those that were asked for, to be matched.
    directions: Vec<(String, Matrix)>,
    /// Names and shapes of those that are too many or too large to be matched.
    unmatched: Vec<(String, (usize, usize))>,
    notes: Vec<String>,
}

/// Most latents whose directions are matched, most numbers of these, and most decompositions of which each two are.
const MATCHING_LIMITS: (usize, usize, usize) = (1_024, 1 << 20, 8);

impl DecompositionComparison {
    /// Of none so far; with controls where a seed of these is given.
    #[must_use]
    pub fn new(options: Options, seed: Option<u32>) -> Self {
        let controls = seed.map(Controls::new);
        Self {
            options,
            controls,
            rows: Vec::new(),
            skip: SkipRules::default(),
            kept: None,
            directions: Vec::new(),
            unmatched: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Evaluates a decomposition and its controls. `tell` hears which row is at what, and the share of all of these rows
    /// that is done, which never falls.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] for a name that is there already, for other options than the comparison's, and for other rows or
    /// another width than those before it;
    /// whatever [`EvaluationRun::step`] and [`EvaluationRun::finish`] refuse.
    pub fn add_decomposition(
        &mut self,
        name: &str,
        plan: EvaluationPlan,
        tell: &mut dyn FnMut(&str, Progress, f64),
    ) -> Result<(), EvaluationError> {
        self.check_same_rows(name, &plan)?;
        let plan = if self.rows.is_empty() {
            self.skip = plan.skip.clone();
            plan
        } else {
            plan.with_kept_rows(self.kept.clone())
        };
        let plan = plan.with_held_bytes(self.held_bytes())?;
        let roles = if self.controls.is_some() { &DecompositionRole::CONTROLS[..] } else { &[] };
        let runs = 1.0 + roles.len() as f64;
        let (report, run) = run_to_end(plan.clone(), &mut |at| tell(name, at, at.fraction_done() / runs))?;
        plan.verify_checksums()?;
        let (kept, mean) = run.scored_rows_and_mean();
        self.queue_for_matching(name, &run);
        drop(run);
        self.kept.clone_from(&kept);
        let (k, l0) = (report.k, report.sparsity.l0);
        self.add_row(name.to_owned(), DecompositionRole::Compared, Vec::new(), report);
        let of = EvaluatedDecomposition { name, plan: &plan, k, l0, kept_rows: kept, row_mean: &mean };
        for (at, role) in (1u8..).zip(roles) {
            let beside = self.held_bytes();
            let Some(controls) = &mut self.controls else { break };
            let Some(control) = controls.control_name(*role, &of, &mut self.notes)? else {
                continue;
            };
            let twin = |row: &&mut DecompositionRow| (row.role, &row.name) == (*role, &control);
            if let Some(row) = self.rows.iter_mut().find(twin) {
                row.control_of.push(name.to_owned());
                continue;
            }
            let plan = controls.control_plan(*role, &of, beside)?;
            let (report, _) = run_to_end(plan, &mut |now| {
                tell(&control, now, (f64::from(at) + now.fraction_done()) / runs);
            })?;
            self.add_row(control, *role, vec![name.to_owned()], report);
        }
        Ok(())
    }

    /// Bytes that are kept from one run to the next.
    fn held_bytes(&self) -> u64 {
        let directions = self.directions.iter().map(|(_, all)| 8 * all.data().len() as u64);
        directions.sum::<u64>() + self.controls.as_ref().map_or(0, Controls::held_bytes)
    }

    fn queue_for_matching(&mut self, name: &str, run: &EvaluationRun) {
        let (latents, numbers, many) = MATCHING_LIMITS;
        let shapes = run.plan().shapes();
        let fits = shapes.k <= latents && shapes.k * shapes.dimensions <= numbers;
        // All of a large dictionary would be copied.
        let directions = (fits && self.directions.len() < many).then(|| run.directions()).flatten();
        match directions {
            Some(directions) => self.directions.push((name.to_owned(), directions)),
            None => self.unmatched.push((name.to_owned(), (shapes.k, shapes.dimensions))),
        }
    }

    /// Which pairs of as many directions are not matched, in a sentence; none where all are.
    fn unmatched_note(&self) -> Option<String> {
        let shapes = self.directions.iter().map(|(_, directions)| directions.shape());
        let shapes: Vec<(usize, usize)> = shapes.chain(self.unmatched.iter().map(|(_, shape)| *shape)).collect();
        let paired =
            self.unmatched.iter().filter(|(_, shape)| shapes.iter().filter(|other| *other == shape).count() > 1);
        let names: Vec<&str> = paired.map(|(name, _)| name.as_str()).collect();
        let (latents, numbers, many) = MATCHING_LIMITS;
        (!names.is_empty()).then(|| {
            format!(
                "There is no PW-MCC of {}: directions are matched of the first {many} decompositions that have up to \
                 {latents} latents and {numbers} numbers.",
                names.join(", ")
            )
        })
    }

    /// How far each two have the same directions.
    fn measure_consistency(&self) -> Result<Vec<DecompositionConsistency>, EvaluationError> {
        let mut found = Vec::new();
        for (at, (first, a)) in self.directions.iter().enumerate() {
            let others = self.directions[at + 1..].iter();
            for (second, b) in others.filter(|(_, b)| b.shape() == a.shape()) {
                let pw_mcc = recovery::match_directions(a, b)?.mcc;
                let (first, second) = (first.clone(), second.clone());
                found.push(DecompositionConsistency { first, second, pw_mcc });
            }
        }
        Ok(found)
    }

    fn add_row(&mut self, name: String, role: DecompositionRole, control_of: Vec<String>, report: EvaluationReport) {
        self.rows.push(DecompositionRow {
            name,
            role,
            control_of,
            sparsity: report.sparsity.s,
            fidelity: None,
            completeness: None,
            sfc: None,
            on_front: None,
            contribution: None,
            report,
        });
    }

    /// Whether a decomposition is one of the rows that those before it are of.
    fn check_same_rows(&self, name: &str, plan: &EvaluationPlan) -> Result<(), EvaluationError> {
        /// As it is in a request.
        fn to_json_text(value: &impl serde::Serialize) -> String {
            serde_json::to_string(value).unwrap_or_default()
        }
        let refuse = |field: &str, found: String, allowed: String| {
            Err(EvaluationError::invalid_config(name, field, found, allowed))
        };
        if self.rows.iter().any(|row| row.name == name) {
            let allowed = "a name that no other has".to_owned();
            return refuse("name", name.to_owned(), allowed);
        }
        if plan.options != self.options {
            let allowed = "those that the comparison is made with".to_owned();
            return refuse("options", to_json_text(&plan.options), allowed);
        }
        let Some(first) = self.rows.first() else { return Ok(()) };
        if plan.skip != self.skip {
            let allowed = format!("{}, as of {}", to_json_text(&self.skip), first.name);
            return refuse("skip", to_json_text(&plan.skip), allowed);
        }
        let (shapes, report) = (plan.shapes(), &first.report);
        let skipped = report.skipped.as_ref().map_or(0, SkippedRowCounts::count);
        for (field, found, there) in [
            ("rows", shapes.rows, report.rows + skipped),
            ("dimensions", shapes.dimensions, report.dimensions),
            ("outputs", shapes.outputs, report.outputs),
        ] {
            if found != there {
                let allowed = format!("{there}, as {} has", first.name);
                return refuse(field, found.to_string(), allowed);
            }
        }
        Ok(())
    }

    /// The table.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] where there is none.
    pub fn finish(self) -> Result<DecompositionsReport, EvaluationError> {
        if self.rows.is_empty() {
            return Err(EvaluationError::invalid_option("decompositions", "none", "one or more"));
        }
        let (consistency, unmatched) = (self.measure_consistency()?, self.unmatched_note());
        let mut notes = self.notes;
        notes.extend(unmatched);
        let Options { weights, fidelity, completeness, variance, .. } = self.options;
        let mut report = DecompositionsReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rows: self.rows,
            weights,
            mode: fidelity,
            reading: Reading::default(),
            variance,
            seed: self.controls.map(|controls| controls.seed()),
            hypervolume: 0.0,
            consistency,
            notes,
        };
        report.rescore(weights, fidelity, completeness, variance);
        Ok(report)
    }
}

impl DecompositionsReport {
    /// Scores what was measured anew: under `weights`, with the `mode` of fidelity, and with completeness by `reading`
    /// over `variance`. Without a reading it is the paper's, by the row space, unless that is 1 for some row whatever its
    /// dictionary has learnt: then it is by the reconstruction. Nothing is read again; the front does not depend on
    /// weights.
    pub fn rescore(&mut self, weights: Weights, mode: FidelityMode, reading: Option<Reading>, variance: Variance) {
        let spans = |row: &DecompositionRow| {
            let mut all = row.report.completeness.iter();
            all.any(|one| one.reading == Reading::RowSpace && one.identically_one)
        };
        let usual = match self.rows.iter().any(spans) {
            true => Reading::Reconstruction,
            false => Reading::RowSpace,
        };
        let reading = reading.unwrap_or(usual);
        (self.weights, self.mode) = (weights, mode);
        (self.reading, self.variance) = (reading, variance);
        for row in &mut self.rows {
            row.report.rescore(weights, mode, Some(reading), variance);
            row.sparsity = row.report.sparsity.s;
            row.fidelity = row.report.fidelity.scored_value();
            row.completeness = row.report.scored_completeness().and_then(|one| one.for_variance(variance));
            row.sfc = row.report.sfc;
        }
        let by_score =
            crate::order::argsort_descending(self.rows.iter().map(|row| row.sfc.unwrap_or(f64::NEG_INFINITY)));
        let mut rows: Vec<Option<DecompositionRow>> = self.rows.drain(..).map(Some).collect();
        self.rows = by_score.into_iter().filter_map(|at| rows[at].take()).collect();
        self.update_pareto_front();
    }

    /// The front and what each row alone adds to the hypervolume; the same whatever the weights are.
    fn update_pareto_front(&mut self) {
        let known: Vec<(usize, Objectives)> = self
            .rows
            .iter()
            .enumerate()
            .filter_map(|(at, row)| Some((at, [row.sparsity, row.fidelity?, row.completeness?])))
            .filter(|(_, point)| point.iter().all(|axis| axis.is_finite()))
            .collect();
        let points: Vec<Objectives> = known.iter().map(|(_, point)| *point).collect();
        for row in &mut self.rows {
            (row.on_front, row.contribution) = (None, None);
        }
        self.hypervolume = 0.0;
        // They are finite, and so is a volume below (1, 1, 1).
        if let (Ok(front), Ok(found)) = (pareto::front(&points, 0.0), pareto::hypervolume(&points, [0.0; 3])) {
            self.hypervolume = found.hypervolume;
            for (place, (at, _)) in known.iter().enumerate() {
                self.rows[*at].on_front = Some(front.contains(&place));
                self.rows[*at].contribution = found.contributions.get(place).copied();
            }
        }
    }
}

/// An evaluation that is done, and its report.
fn run_to_end(
    plan: EvaluationPlan,
    tell: &mut dyn FnMut(Progress),
) -> Result<(EvaluationReport, EvaluationRun), EvaluationError> {
    let mut run = EvaluationRun::new(plan);
    while run.progress().phase != Phase::Done {
        tell(run.step()?);
    }
    Ok((run.finish()?, run))
}
