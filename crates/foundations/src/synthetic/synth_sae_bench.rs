//! SynthSAEBench's generator: planted features that fire by Zipf's law, together and under parents, exclude each other,
//! and overlap.
//!
//! Each stage is a function of what was drawn for it, as `sae_lens.synthetic` 6.54.12 has it; the tests hold every stage
//! against its numbers. What is drawn here is NumPy's, not torch's: a seed gives another model of the same kind.

mod saved;

pub use saved::SavedModel;

use crate::linalg::NORM_MIN;
pub use crate::linalg::unit_rows;
use crate::statistics::normal_quantile;
use crate::{Matrix, NumpyRng, kernel};

/// The least variance that correlation leaves to a feature of its own.
const OWN_VARIANCE_MIN: f64 = 0.01;
/// Adam's β₁, β₂ and ε.
const ADAM_BETAS_EPS: (f64, f64, f64) = (0.9, 0.999, 1e-8);

/// How features stand under each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HierarchySpec {
    /// Features at the top.
    pub roots: usize,
    /// Children of each feature, as long as there are features left.
    pub branching: usize,
    /// Levels below the roots.
    pub depth: usize,
    /// Whether of siblings at most one fires.
    pub exclusive_siblings: bool,
    /// Whether firing probabilities are raised by what parents and siblings take away.
    pub compensate_probabilities: bool,
    /// Whether a child is as much stronger as its parent is.
    pub scale_children: bool,
}

/// What is generated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SynthSpec {
    /// Features F.
    pub features: usize,
    /// Dimensions D.
    pub dimensions: usize,
    /// Zipf's exponent.
    pub zipf_exponent: f64,
    /// The least and greatest base probability.
    pub probability_range: (f64, f64),
    /// None: features know nothing of each other.
    pub hierarchy: Option<HierarchySpec>,
    /// Steps and rate by which directions are made more orthogonal.
    pub orthogonalisation: (u32, f64),
    /// Rank and scale of what features have in common.
    pub correlation_rank_and_scale: (usize, f64),
    /// Mean strengths of the first and last feature.
    pub mean_strength_range: (f64, f64),
    /// Mean and deviation of the folded normal from which each strength's own deviation is drawn.
    pub strength_deviation: (f64, f64),
    /// Length of the bias.
    pub bias_norm: f64,
    /// Seed of all that is drawn.
    pub seed: u32,
}

impl SynthSpec {
    /// The benchmark's kind in 96 features of 24 dimensions.
    #[must_use]
    pub fn small(seed: u32) -> Self {
        let (branching, depth) = (4, 2);
        let (exclusive, compensate, scaled) = (true, true, true);
        Self {
            features: 96,
            dimensions: 24,
            zipf_exponent: 0.5,
            probability_range: (0.005, 0.4),
            hierarchy: Some(HierarchySpec {
                roots: 2,
                branching,
                depth,
                exclusive_siblings: exclusive,
                compensate_probabilities: compensate,
                scale_children: scaled,
            }),
            orthogonalisation: (100, 3e-4),
            correlation_rank_and_scale: (8, 0.15),
            mean_strength_range: (5.0, 4.0),
            strength_deviation: (0.5, 0.5),
            bias_norm: 0.5,
            seed,
        }
    }

    /// The benchmark itself at another size: as SynthSAEBench-16k (16,384 features, 768 dimensions) has it, a root for every
    /// 128 features, four children each, three levels below. Rank and scale of the correlation are taken for 25 and 0.1.
    #[must_use]
    pub fn benchmark(features: usize, dimensions: usize, seed: u32) -> Self {
        let hierarchy = HierarchySpec {
            roots: (features / 128).max(1),
            branching: 4,
            depth: 3,
            exclusive_siblings: true,
            compensate_probabilities: true,
            scale_children: true,
        };
        Self {
            features,
            dimensions,
            probability_range: (5e-4, 0.4),
            hierarchy: Some(hierarchy),
            correlation_rank_and_scale: (25, 0.1),
            ..Self::small(seed)
        }
    }
}

/// Which feature is whose child, level by level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchy {
    /// Each feature's parent; none of roots and of features outside.
    pub parents: Vec<Option<usize>>,
    /// The features of each level from the roots on, ascending.
    pub levels: Vec<Vec<usize>>,
    /// Of each feature its children, ascending.
    children: Vec<Vec<usize>>,
    /// Of each feature whether at most one of its children fires.
    exclusive: Vec<bool>,
    /// Of each feature whether its children are as much stronger as it is.
    scaled: Vec<bool>,
}

impl Hierarchy {
    /// Of features that all stand outside.
    fn flat(features: usize) -> Self {
        Self {
            parents: vec![None; features],
            levels: Vec::new(),
            children: vec![Vec::new(); features],
            exclusive: vec![false; features],
            scaled: vec![false; features],
        }
    }

    /// Features 0, 1, 2, … in turn: the roots, then breadth first, until there are none left.
    ///
    /// # Examples
    /// ```
    /// # use sfc_bench_foundations as sfc_bench;
    /// # use sfc_bench::synthetic::synth_sae_bench::{Hierarchy, SynthSpec};
    /// let spec = SynthSpec::small(0);
    /// let found = Hierarchy::from_spec(spec.features, &spec.hierarchy.unwrap());
    /// assert_eq!(found.children(0), [2, 3, 4, 5]);
    /// assert_eq!((found.parents[10], found.parents[41], found.parents[42]), (Some(2), Some(9), None));
    /// ```
    #[must_use]
    pub fn from_spec(features: usize, spec: &HierarchySpec) -> Self {
        let mut found = Self::flat(features);
        let mut next = spec.roots.min(features);
        found.levels.push((0..next).collect());
        for _ in 0..spec.depth {
            let mut below = Vec::new();
            for parent in found.levels.last().cloned().unwrap_or_default() {
                let children = next..features.min(next + spec.branching);
                next = children.end;
                below.extend(children.clone());
                found.set_children(parent, children.collect(), spec.exclusive_siblings, spec.scale_children);
            }
            if below.is_empty() {
                break;
            }
            found.levels.push(below);
        }
        found
    }

    /// Places features under another.
    fn set_children(&mut self, parent: usize, children: Vec<usize>, exclusive: bool, scaled: bool) {
        for child in &children {
            if let Some(slot) = self.parents.get_mut(*child) {
                *slot = Some(parent);
            }
        }
        let slots = self.children.get_mut(parent).zip(self.exclusive.get_mut(parent));
        if let Some(((of, excludes), scales)) = slots.zip(self.scaled.get_mut(parent)) {
            (*of, *excludes, *scales) = (children, exclusive, scaled);
        }
    }

    /// Whether at most one of a feature's children fires.
    fn is_exclusive(&self, parent: usize) -> bool {
        self.exclusive.get(parent).is_some_and(|excludes| *excludes)
    }

    /// Whether a feature's children are as much stronger as it is.
    fn is_scaled(&self, parent: usize) -> bool {
        self.scaled.get(parent).is_some_and(|scales| *scales)
    }

    /// The children of a feature, ascending.
    #[must_use]
    pub fn children(&self, parent: usize) -> &[usize] {
        self.children.get(parent).map_or(&[], Vec::as_slice)
    }

    fn parent(&self, feature: usize) -> Option<usize> {
        self.parents.get(feature).copied().flatten()
    }
}

/// Zipf's probabilities q_r = r^(−exponent), brought to a range: p = min + (max − min)(q − q_F)/(q_1 − q_F). The rescaling
/// is affine, so that this is no pure power law.
#[must_use]
pub fn base_probabilities(features: usize, exponent: f64, (least, most): (f64, f64)) -> Vec<f64> {
    let q = |rank: usize| libm::pow((rank + 1) as f64, -exponent);
    let last = q(features.saturating_sub(1));
    let span = (q(0) - last).max(f64::MIN_POSITIVE);
    (0..features).map(|rank| least + (most - least) * (q(rank) - last) / span).collect()
}

/// Unit directions (F × D) after steps of full-batch Adam on Σ_{i≠j}(e_i·e_j)² + F·Σ_i(‖e_i‖² − 1)²; they are brought back to
/// length 1 by whoever has taken the last one.
#[must_use]
pub fn orthogonalise(directions: &Matrix, steps: u32, rate: f64) -> Matrix {
    let (beta1, beta2, epsilon) = ADAM_BETAS_EPS;
    let mut out = directions.clone();
    let count = out.data().len();
    let (mut first, mut second) = (vec![0.0; count], vec![0.0; count]);
    for step in 1..=steps {
        let gradient = orthogonality_gradient(&out);
        let [left1, left2] = [beta1, beta2].map(|beta| 1.0 - libm::pow(beta, f64::from(step)));
        let moments = first.iter_mut().zip(&mut second);
        for ((x, g), (m, v)) in out.data_mut().iter_mut().zip(gradient).zip(moments) {
            *m = beta1 * *m + (1.0 - beta1) * g;
            *v = beta2 * *v + (1.0 - beta2) * g * g;
            *x -= rate * (*m / left1) / (f64::sqrt(*v / left2) + epsilon);
        }
    }
    out
}

/// 4·Σ_{j≠i}(e_i·e_j)·e_j + 4F(‖e_i‖² − 1)·e_i.
fn orthogonality_gradient(directions: &Matrix) -> Vec<f64> {
    let features = directions.rows() as f64;
    let products = crate::linalg::product(directions, &directions.transposed());
    let mut weights = products;
    for at in 0..weights.rows() {
        if let Some(own) = weights.row_mut(at).get_mut(at) {
            *own = features * (*own - 1.0);
        }
    }
    let mut out = crate::linalg::product(&weights, directions);
    out.data_mut().iter_mut().for_each(|value| *value *= 4.0);
    out.data().to_vec()
}

/// By what base probabilities are multiplied, so that what parents and exclusive siblings take away is given back in
/// part: 1/p of the parent, and of exclusive siblings 1 + (the sum of the others' p)/(p of the parent).
#[must_use]
pub fn probability_corrections(base: &[f64], hierarchy: &Hierarchy) -> Vec<f64> {
    let p = |feature: usize| base.get(feature).copied().unwrap_or_default();
    let factor = |feature: usize| {
        let Some(parent) = hierarchy.parent(feature) else { return 1.0 };
        let siblings = hierarchy.children(parent);
        let others: f64 = siblings.iter().filter(|other| **other != feature).map(|at| p(*at)).sum();
        let excludes = hierarchy.is_exclusive(parent) && siblings.len() > 1;
        let shared = if excludes { 1.0 + others / p(parent) } else { 1.0 };
        shared / p(parent)
    };
    (0..base.len()).map(factor).collect()
}

/// The value that a standard normal exceeds with a probability: −∞ at 1.
#[must_use]
pub fn firing_threshold(probability: f64) -> f64 {
    // The lower tail keeps its digits.
    normal_quantile(probability.clamp(0.0, 1.0)).map_or(f64::NAN, |z| -z)
}

/// What features have in common, A (F × rank), and the variance δ that each has of its own, from normals times a
/// scale: rows whose δ were below 0.01 are shortened to leave that much.
#[must_use]
pub fn correlation_factor(normals: &Matrix, scale: f64) -> (Matrix, Vec<f64>) {
    let mut factor = normals.clone();
    factor.data_mut().iter_mut().for_each(|value| *value *= scale);
    let mut own = Vec::with_capacity(factor.rows());
    for at in 0..factor.rows() {
        let row = factor.row_mut(at);
        let squares = kernel::dot(row, row);
        if 1.0 - squares < OWN_VARIANCE_MIN {
            let by = f64::sqrt((1.0 - OWN_VARIANCE_MIN) / squares);
            row.iter_mut().for_each(|value| *value *= by);
        }
        own.push(1.0 - kernel::dot(row, row));
    }
    (factor, own)
}

/// A model of the benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct SynthSaeBench {
    /// F × D, each of length 1.
    pub directions: Matrix,
    /// D.
    pub bias: Vec<f64>,
    /// Firing probabilities before a hierarchy, F.
    pub probabilities: Vec<f64>,
    /// What a feature's Gaussian exceeds where it fires, F.
    pub thresholds: Vec<f64>,
    /// What features have in common: F × rank.
    pub correlation_factor: Matrix,
    /// The variance that each has of its own, F.
    pub own_variances: Vec<f64>,
    /// Mean strengths, F.
    pub mean_strengths: Vec<f64>,
    /// Their deviations, F.
    pub strength_deviations: Vec<f64>,
    /// None: features know nothing of each other.
    pub hierarchy: Option<Hierarchy>,
}

/// Rows of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct SynthRows {
    /// How strongly each feature fires, N × F; 0 where it does not.
    pub activations: Matrix,
    /// activations · directions + bias: N × D.
    pub hidden: Matrix,
}

impl SynthSaeBench {
    /// The model of a specification.
    #[must_use]
    pub fn draw(spec: &SynthSpec) -> Self {
        let mut rng = NumpyRng::new(spec.seed);
        let mut normals = |rows: usize, cols: usize| {
            let mut out = Matrix::zeros(rows, cols);
            rng.fill_standard_normal(out.data_mut());
            out
        };
        let (features, dimensions) = (spec.features, spec.dimensions);
        let directions = normals(features, dimensions);
        let bias = normals(1, dimensions);
        let (rank, scale) = spec.correlation_rank_and_scale;
        let common = normals(features, rank);
        let spread = normals(1, features);
        Self::from_normals(spec, &directions, bias.data(), (&common, scale), spread.data())
    }

    /// The same from normals: of directions (F × D), of the bias (D), of what features have in common (F × rank) with its
    /// scale, and of strengths' deviations (F).
    #[must_use]
    pub fn from_normals(
        spec: &SynthSpec,
        directions: &Matrix,
        bias: &[f64],
        (common, scale): (&Matrix, f64),
        spread: &[f64],
    ) -> Self {
        let (steps, rate) = spec.orthogonalisation;
        let directions = unit_rows(&orthogonalise(&unit_rows(directions), steps, rate));
        let length = f64::sqrt(kernel::dot(bias, bias)).max(NORM_MIN);
        let bias = bias.iter().map(|value| value / length * spec.bias_norm).collect();
        let base = base_probabilities(spec.features, spec.zipf_exponent, spec.probability_range);
        let hierarchy = spec.hierarchy.map(|of| Hierarchy::from_spec(spec.features, &of));
        let factors = match &hierarchy {
            Some(found) if spec.hierarchy.is_some_and(|of| of.compensate_probabilities) => {
                probability_corrections(&base, found)
            }
            _ => vec![1.0; base.len()],
        };
        let probabilities: Vec<f64> = base.iter().zip(&factors).map(|(p, factor)| (p * factor).min(1.0)).collect();
        let (factor, own) = correlation_factor(common, scale);
        let ((first, last), n) = (spec.mean_strength_range, spec.features.saturating_sub(1).max(1) as f64);
        let means = (0..spec.features).map(|at| first + (last - first) * at as f64 / n).collect();
        let (mean, deviation) = spec.strength_deviation;
        let deviations = spread.iter().map(|z| (mean + deviation * z).abs()).collect();
        let thresholds = probabilities.iter().map(|p| firing_threshold(*p)).collect();
        Self {
            directions,
            bias,
            probabilities,
            thresholds,
            correlation_factor: factor,
            own_variances: own,
            mean_strengths: means,
            strength_deviations: deviations,
            hierarchy,
        }
    }

    /// Which features fire, before a hierarchy: where the Gaussian of what is common (N × rank) and each feature's own
    /// (N × F) exceeds the threshold.
    #[must_use]
    pub fn firing_features(&self, common: &Matrix, own: &Matrix) -> Vec<Vec<bool>> {
        let mut gaussian = crate::linalg::product(common, &self.correlation_factor.transposed());
        let roots: Vec<f64> = self.own_variances.iter().map(|own| f64::sqrt(*own)).collect();
        for at in 0..gaussian.rows() {
            let row = gaussian.row_mut(at).iter_mut().zip(own.row(at)).zip(&roots);
            row.for_each(|((value, own), root)| *value += own * root);
        }
        let fires = |row: &[f64]| row.iter().zip(&self.thresholds).map(|(g, least)| g > least).collect();
        gaussian.iter_rows().map(fires).collect()
    }

    /// How strongly they fire, before a hierarchy: one normal of `normal` each, row by row. What is not above 0 does not fire.
    #[must_use]
    pub fn firing_strengths(&self, fired: &[Vec<bool>], normal: &mut dyn FnMut() -> f64) -> Matrix {
        let mut out = Matrix::zeros(fired.len(), self.mean_strengths.len());
        for (at, fired) in fired.iter().enumerate() {
            let about = self.mean_strengths.iter().zip(&self.strength_deviations);
            for ((value, fires), (mean, deviation)) in out.row_mut(at).iter_mut().zip(fired).zip(about) {
                if *fires {
                    *value = (mean + normal() * deviation).max(0.0);
                }
            }
        }
        out
    }

    /// Applies the hierarchy, level by level: where a parent does not fire its children do not; where they are scaled, a
    /// child is as much stronger as its parent is; of exclusive siblings that fire together the one stays whose number
    /// of `uniform` is the greatest. For each such conflict as many numbers are drawn as the largest group has members.
    pub fn apply_hierarchy(&self, activations: &mut Matrix, uniform: &mut dyn FnMut() -> f64) {
        let Some(hierarchy) = &self.hierarchy else { return };
        let slots = hierarchy.children.iter().map(Vec::len).max().unwrap_or_default();
        for level in &hierarchy.levels {
            for at in 0..activations.rows() {
                let row = activations.row_mut(at);
                for child in level {
                    let Some(parent) = hierarchy.parent(*child) else { continue };
                    let strength = row.get(parent).copied().unwrap_or_default();
                    let mean = self.mean_strengths.get(parent).copied().unwrap_or(1.0);
                    let Some(value) = row.get_mut(*child) else { continue };
                    if strength <= 0.0 {
                        *value = 0.0;
                    } else if hierarchy.is_scaled(parent) {
                        *value *= strength / mean;
                    }
                }
                for parent in level.iter().filter(|parent| hierarchy.is_exclusive(**parent)) {
                    let group = hierarchy.children(*parent);
                    let fires = |at: &usize| row.get(*at).is_some_and(|value| *value > 0.0);
                    if !fires(parent) || group.iter().filter(|at| fires(at)).count() < 2 {
                        continue;
                    }
                    let drawn: Vec<f64> = (0..slots).map(|_| uniform()).collect();
                    let mut stays: Option<(usize, f64)> = None;
                    for (at, score) in group.iter().zip(drawn).filter(|(at, _)| fires(at)) {
                        if stays.is_none_or(|(_, most)| score > most) {
                            stays = Some((*at, score));
                        }
                    }
                    for at in group {
                        if stays.is_none_or(|(kept, _)| kept != *at)
                            && let Some(value) = row.get_mut(*at)
                        {
                            *value = 0.0;
                        }
                    }
                }
            }
        }
    }

    /// Rows of activations (N × F) in the model's dimensions: N × D.
    #[must_use]
    pub fn to_hidden(&self, activations: &Matrix) -> Matrix {
        let mut out = crate::linalg::product(activations, &self.directions);
        for at in 0..out.rows() {
            out.row_mut(at).iter_mut().zip(&self.bias).for_each(|(value, bias)| *value += bias);
        }
        out
    }

    /// So many rows, drawn.
    #[must_use]
    pub fn sample(&self, rows: usize, rng: &mut NumpyRng) -> SynthRows {
        let mut common = Matrix::zeros(rows, self.correlation_factor.cols());
        rng.fill_standard_normal(common.data_mut());
        let mut own = Matrix::zeros(rows, self.mean_strengths.len());
        rng.fill_standard_normal(own.data_mut());
        let fired = self.firing_features(&common, &own);
        let mut activations = self.firing_strengths(&fired, &mut || rng.standard_normal());
        self.apply_hierarchy(&mut activations, &mut || rng.random_sample());
        SynthRows { hidden: self.to_hidden(&activations), activations }
    }
}

/// Draws rows of a model one by one, from the top of its hierarchy down: what stands under a feature is drawn only where that
/// fires. Of the same distribution as [`SynthSaeBench::sample`], by fewer numbers.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    model: &'a SynthSaeBench,
    rng: NumpyRng,
    /// Features without a parent.
    top: Vec<u32>,
    /// Square roots of the variances that features have of their own.
    own: Vec<f64>,
    common: Vec<f64>,
    /// Children of one parent that fire.
    group: Vec<(u32, f64)>,
}

impl<'a> Sampler<'a> {
    /// Of a model, with a stream of numbers.
    #[must_use]
    pub fn new(model: &'a SynthSaeBench, rng: NumpyRng) -> Self {
        let hierarchy = model.hierarchy.as_ref();
        let is_top = |at: &u32| hierarchy.is_none_or(|found| found.parent(*at as usize).is_none());
        let top = (0u32..).take(model.mean_strengths.len()).filter(is_top).collect();
        Self {
            top,
            own: model.own_variances.iter().map(|own| f64::sqrt(*own)).collect(),
            common: vec![0.0; model.correlation_factor.cols()],
            group: Vec::new(),
            model,
            rng,
        }
    }

    /// D.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.model.bias.len()
    }

    /// How strongly a feature fires by itself; none where it does not.
    fn draw_strength(&mut self, feature: u32) -> Option<f64> {
        let at = feature as usize;
        let shared = kernel::dot(&self.common, self.model.correlation_factor.row(at));
        let gaussian = shared + self.own.get(at)? * self.rng.standard_normal();
        if gaussian <= *self.model.thresholds.get(at)? {
            return None;
        }
        let (mean, deviation) = (self.model.mean_strengths.get(at)?, self.model.strength_deviations.get(at)?);
        Some(mean + self.rng.standard_normal() * deviation).filter(|value| *value > 0.0)
    }

    /// The next row: the features that fire with their strengths, and the row in the model's dimensions (D).
    pub fn draw(&mut self, active: &mut Vec<(u32, f64)>, hidden: &mut [f64]) {
        let mut common = std::mem::take(&mut self.common);
        self.rng.fill_standard_normal(&mut common);
        self.common = common;
        active.clear();
        for at in 0..self.top.len() {
            let Some(&feature) = self.top.get(at) else { break };
            if let Some(value) = self.draw_strength(feature) {
                active.push((feature, value));
            }
        }
        let mut at = 0;
        while let Some(&(parent, value)) = active.get(at) {
            self.draw_children(parent, value, active);
            at += 1;
        }
        hidden.copy_from_slice(&self.model.bias);
        for (feature, value) in active.iter() {
            kernel::add_scaled(hidden, *value, self.model.directions.row(*feature as usize));
        }
    }

    /// What fires under a feature that does.
    fn draw_children(&mut self, parent: u32, value: f64, active: &mut Vec<(u32, f64)>) {
        let model = self.model;
        let Some(hierarchy) = &model.hierarchy else { return };
        let at = parent as usize;
        let mean = model.mean_strengths.get(at).copied().unwrap_or(1.0);
        let scale = if hierarchy.is_scaled(at) { value / mean } else { 1.0 };
        self.group.clear();
        for child in hierarchy.children(at) {
            let child = *child as u32;
            if let Some(value) = self.draw_strength(child) {
                self.group.push((child, value * scale));
            }
        }
        if hierarchy.is_exclusive(at) && self.group.len() > 1 {
            let stays = (self.rng.random_sample() * self.group.len() as f64) as usize;
            active.extend(self.group.get(stays).copied());
        } else {
            active.extend_from_slice(&self.group);
        }
    }
}
