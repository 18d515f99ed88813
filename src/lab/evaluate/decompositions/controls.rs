//! What a decomposition is held against: random directions, its own decoder shuffled, principal components.

use std::rc::Rc;

use super::super::plan::EvaluationPlan;
use super::super::run::read_rows_as_f64;
use super::super::skipped_rows::KeptRows;
use super::super::{CodesSource, DecompositionInput, EvaluationError, Inputs};
use super::DecompositionRole;
use crate::io::{ArrayRef, DataFile, append_npy_values, npy_header, to_npy};
use crate::linalg::{DictionaryError, SvdDictionary};
use crate::papers::measurement::validation::features::random_unit_vectors;
use crate::sae::SaeError;
use crate::{Matrix, NumpyRng};

/// Most rows, evenly spaced, that principal components are of.
const PCA_ROWS_MAX: usize = 8_192;
/// The seed of a control's directions or order is this plus the seed that is asked for, as in the audit.
const SEED_OFFSET: u32 = 1_000;

/// Controls of decompositions of the same rows.
pub(super) struct Controls {
    seed: u32,
    /// The components, by falling singular value; none before they are asked for, nothing where there are none.
    components: Option<Option<PrincipalComponents>>,
}

/// Principal components (rank × D) and the mean that they are about.
struct PrincipalComponents {
    directions: Matrix,
    mean: Rc<[f64]>,
}

/// A decomposition that was evaluated, as its controls take it.
pub(super) struct EvaluatedDecomposition<'a> {
    pub name: &'a str,
    pub plan: &'a EvaluationPlan,
    /// K.
    pub k: usize,
    /// Latents that are active in a row on average.
    pub l0: f64,
    /// The rows that are scored, where some are left out.
    pub kept_rows: Option<Rc<KeptRows>>,
    /// Their mean.
    pub row_mean: &'a [f64],
}

impl EvaluatedDecomposition<'_> {
    /// Codes of a row that a control keeps.
    fn codes_per_row(&self) -> usize {
        (libm::round(self.l0) as usize).clamp(1, self.k.max(1))
    }
}

impl Controls {
    pub fn new(seed: u32) -> Self {
        Self { seed, components: None }
    }

    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// Bytes that are kept from one decomposition to the next.
    pub fn held_bytes(&self) -> u64 {
        let components = self.components.iter().flatten();
        components.map(|found| 8 * found.directions.data().len() as u64).sum()
    }

    /// The name of a control of a decomposition, by which two that are the same are known; none where there is no such
    /// control, for a reason that is told.
    pub fn control_name(
        &mut self,
        role: DecompositionRole,
        of: &EvaluatedDecomposition<'_>,
        notes: &mut Vec<String>,
    ) -> Result<Option<String>, EvaluationError> {
        Ok(match role {
            DecompositionRole::Compared => None,
            DecompositionRole::Random => {
                Some(format!("random directions, {}", describe_codes(of.k, of.codes_per_row())))
            }
            DecompositionRole::Permuted => match of.plan.order_invariance_reason() {
                None => Some(format!("{}, permuted decoder", of.name)),
                Some(why) => {
                    notes.push(format!("{} has no permuted control: {why}.", of.name));
                    None
                }
            },
            DecompositionRole::Pca => self.principal_components(of, notes)?.map(|found| {
                let most = of.k.min(found.directions.rows());
                format!("principal components, {}", describe_codes(most, of.codes_per_row().min(most)))
            }),
        })
    }

    /// A control of a decomposition that has one, beside which so many bytes are held.
    pub fn control_plan(
        &self,
        role: DecompositionRole,
        of: &EvaluatedDecomposition<'_>,
        beside: u64,
    ) -> Result<EvaluationPlan, EvaluationError> {
        let d = of.plan.shapes().dimensions;
        let mut rng = NumpyRng::new(SEED_OFFSET.wrapping_add(self.seed));
        match (role, &self.components) {
            (DecompositionRole::Random, _) => {
                // Row by row: all of them in double precision would take more memory than the run.
                let mut file = npy_header(&[of.k, d]);
                file.reserve_exact(4 * of.k * d);
                for _ in 0..of.k {
                    append_npy_values(&mut file, random_unit_vectors(&mut rng, 1, d).data());
                }
                let codes =
                    CodesSource::TopAboutMean { kept: of.codes_per_row(), signed: false, middle: of.row_mean.into() };
                plan_with_directions(of, "random directions", file, codes, beside)
            }
            (DecompositionRole::Pca, Some(Some(found))) => {
                let most = of.k.min(found.directions.rows());
                let first: Vec<u32> = (0..most as u32).collect();
                let kept = of.codes_per_row().min(most);
                let codes = CodesSource::TopAboutMean { kept, signed: true, middle: found.mean.clone() };
                let directions = found.directions.select_rows(&first);
                let file = to_npy(&[most, d], directions.data());
                plan_with_directions(of, "principal components", file, codes, beside)
            }
            _ => {
                // As in the audit, whose order is drawn after its directions.
                let mut row = vec![0.0; d];
                (0..of.k).for_each(|_| rng.fill_standard_normal(&mut row));
                let order = rng.permutation(of.k as u32);
                of.plan.clone().with_decoder_order(order.into()).with_held_bytes(beside)
            }
        }
    }

    /// The components, made of the rows of the first decomposition that asks for them.
    fn principal_components(
        &mut self,
        of: &EvaluatedDecomposition<'_>,
        notes: &mut Vec<String>,
    ) -> Result<Option<&PrincipalComponents>, EvaluationError> {
        if self.components.is_none() {
            let (count, all) = pca_row_counts(of);
            let found = fit_principal_components(of, count, all)?;
            if found.is_none() {
                notes.push("There is no baseline of principal components: the rows do not vary.".to_owned());
            } else if count < all {
                notes.push(format!("Principal components are of {count} evenly spaced rows of {all}."));
            }
            self.components = Some(found);
        }
        Ok(self.components.as_ref().and_then(Option::as_ref))
    }
}

/// "K = 48, 6 a row".
fn describe_codes(k: usize, kept: usize) -> String {
    format!("K = {k}, {kept} a row")
}

/// The directions of a file, with codes that are made here, on the rows that another decomposition is scored on.
fn plan_with_directions(
    of: &EvaluatedDecomposition<'_>,
    name: &str,
    bytes: Vec<u8>,
    codes: CodesSource,
    beside: u64,
) -> Result<EvaluationPlan, EvaluationError> {
    let beside = beside.saturating_add(bytes.len() as u64);
    // It has to be unpacked nowhere.
    let file = Rc::new(DataFile::open(name, Box::new(bytes), 0)?);
    let dictionary = ArrayRef::find(&file, None, &[])?;
    let inputs = Inputs {
        activations: of.plan.inputs.reconstruction_target().clone(),
        decomposition: DecompositionInput::Dictionary { dictionary, codes },
        ..of.plan.inputs.clone()
    };
    EvaluationPlan::new(inputs, of.plan.options)?.with_kept_rows(of.kept_rows.clone()).with_held_bytes(beside)
}

/// How many rows principal components are of, of how many that are scored.
fn pca_row_counts(of: &EvaluatedDecomposition<'_>) -> (usize, usize) {
    let shapes = of.plan.shapes();
    let all = of.kept_rows.as_ref().map_or(shapes.rows, |kept| kept.rows.len());
    // A quarter of the memory for the rows, which are copied once.
    let room = (of.plan.options.memory / 4 / 16 / (shapes.dimensions as u64).max(1)) as usize;
    (all.min(PCA_ROWS_MAX).min(room.max(2)), all)
}

/// Principal components of some of the rows that are scored, evenly spaced; nothing where they do not vary.
fn fit_principal_components(
    of: &EvaluatedDecomposition<'_>,
    count: usize,
    all: usize,
) -> Result<Option<PrincipalComponents>, EvaluationError> {
    let d = of.plan.shapes().dimensions;
    let row = |at: usize| (at as u64 * all as u64 / count.max(1) as u64) as usize;
    let picked: Vec<usize> = match &of.kept_rows {
        Some(kept) => (0..count).map(|at| kept.rows[row(at)]).collect(),
        None => (0..count).map(row).collect(),
    };
    let values = read_rows_as_f64(of.plan.inputs.reconstruction_target(), &picked, d)?;
    let found = match SvdDictionary::new(&values, true) {
        Ok(found) => found,
        Err(DictionaryError::NoConvergence) => return Err(SaeError::NoConvergence.into()),
        Err(_) => return Ok(None),
    };
    let mean = found.mean().map_or_else(|| vec![0.0; d], <[f64]>::to_vec);
    Ok(Some(PrincipalComponents { directions: found.directions().transposed(), mean: mean.into() }))
}
