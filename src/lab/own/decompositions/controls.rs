//! What a decomposition is held against: random directions, its own decoder shuffled, principal components.

use std::rc::Rc;

use super::super::plan::OwnPlan;
use super::super::run::gather;
use super::super::{Codes, Decomposition, Inputs, OwnError};
use super::Role;
use crate::io::{ArrayRef, DataFile, npy};
use crate::linalg::SvdDictionary;
use crate::papers::measurement::validation::features::units;
use crate::{Matrix, NumpyRng};

/// Most rows, evenly spaced, that principal components are of.
const PCA_ROWS: usize = 8_192;
/// The seed of a control's directions or order is this plus the seed that is asked for, as in the audit.
const SEED: u32 = 1_000;

/// Controls of decompositions of the same rows.
pub(super) struct Controls {
    seed: u32,
    /// The components, by falling singular value; none before they are asked for, nothing where there are none.
    components: Option<Option<Components>>,
}

/// Principal components (rank × D) and the mean that they are about.
struct Components {
    directions: Matrix,
    mean: Rc<[f64]>,
}

/// One to be evaluated.
pub(super) struct Control {
    pub name: String,
    pub role: Role,
    pub plan: OwnPlan,
}

impl Controls {
    pub fn new(seed: u32) -> Self {
        Self { seed, components: None }
    }

    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// Those of a decomposition of `k` latents of which `l0` are active in a row on average. `rows` are those that are
    /// scored, where some are left out, and `mean` is theirs.
    pub fn of(
        &mut self,
        name: &str,
        plan: &OwnPlan,
        (k, l0): (usize, f64),
        (rows, mean): (Option<&[usize]>, &[f64]),
        notes: &mut Vec<String>,
    ) -> Result<Vec<Control>, OwnError> {
        let d = plan.shapes().dimensions;
        let kept = (libm::round(l0) as usize).clamp(1, k.max(1));
        let mut rng = NumpyRng::new(SEED.wrapping_add(self.seed));
        let directions = units(&mut rng, k, d)?;
        let order = rng.permutation(k as u32);
        let mut all = Vec::new();
        all.push(Control {
            name: format!("random directions, {}", coded(k, kept)),
            role: Role::Random,
            plan: made(plan, rows, "random directions", &directions, (kept, mean.into()))?,
        });
        drop(directions);
        if plan.codes_follow_dictionary() {
            notes.push(format!(
                "{name} has no permuted control: its codes are made by its dictionary, in whatever order the rows are."
            ));
        } else {
            let (name, role) = (format!("{name}, permuted decoder"), Role::Permuted);
            all.push(Control { name, role, plan: plan.clone().permuted(order.into()) });
        }
        if self.components.is_none() {
            self.components = Some(components(plan, rows)?);
        }
        let Some(Some(found)) = &self.components else {
            let said =
                "There is no baseline of principal components: the rows do not vary.".to_owned();
            if !notes.contains(&said) {
                notes.push(said);
            }
            return Ok(all);
        };
        let most = k.min(found.directions.rows());
        let kept = kept.min(most);
        let first: Vec<u32> = (0..most as u32).collect();
        let directions = found.directions.select_rows(&first);
        all.push(Control {
            name: format!("principal components, {}", coded(most, kept)),
            role: Role::Pca,
            plan: made(
                plan,
                rows,
                "principal components",
                &directions,
                (kept, found.mean.clone()),
            )?,
        });
        Ok(all)
    }
}

/// "K = 48, 6 a row".
fn coded(k: usize, kept: usize) -> String {
    format!("K = {k}, {kept} a row")
}

/// Directions with the largest codes of a row's deviation from a middle, on the rows that another plan scores.
fn made(
    of: &OwnPlan,
    rows: Option<&[usize]>,
    name: &str,
    directions: &Matrix,
    (kept, middle): (usize, Rc<[f64]>),
) -> Result<OwnPlan, OwnError> {
    let bytes = npy(&[directions.rows(), directions.cols()], directions.data());
    // It has to be unpacked nowhere.
    let file = Rc::new(DataFile::open(name, Box::new(bytes), 0)?);
    let dictionary = ArrayRef::of(&file, None, &[])?;
    let inputs = Inputs {
        activations: of.inputs.scored().clone(),
        decomposition: Decomposition::Dictionary {
            dictionary,
            codes: Codes::About { kept, middle },
        },
        ..of.inputs.clone()
    };
    let plan = OwnPlan::new(inputs, of.options)?;
    match rows {
        Some(rows) => plan.keeping(rows),
        None => Ok(plan),
    }
}

/// Principal components of the rows that are scored, or of evenly spaced ones where they are many; nothing where they do
/// not vary.
fn components(plan: &OwnPlan, rows: Option<&[usize]>) -> Result<Option<Components>, OwnError> {
    let (n, d) = (plan.shapes().rows, plan.shapes().dimensions);
    let count = rows.map_or(n, <[usize]>::len);
    // A quarter of the memory for the rows, which are copied once.
    let room = (plan.options.memory / 4 / 16 / (d as u64).max(1)) as usize;
    let most = count.min(PCA_ROWS).min(room.max(2));
    let row = |at: usize| (at as u64 * count as u64 / most.max(1) as u64) as usize;
    let picked = (0..most).map(|at| rows.map_or(row(at), |rows| rows[row(at)]));
    let picked: Vec<usize> = picked.collect();
    let values = gather(plan.inputs.scored(), &picked, d)?;
    let Ok(found) = SvdDictionary::new(&values, true) else { return Ok(None) };
    let mean = found.mean().map_or_else(|| vec![0.0; d], <[f64]>::to_vec);
    Ok(Some(Components { directions: found.directions().transposed(), mean: mean.into() }))
}
