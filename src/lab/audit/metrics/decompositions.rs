//! Of decompositions: what needs activations and a dictionary alone, or a model beside them.

use super::{INFINITY, MetricResult, theory_metric};
use crate::lab::Reading as Completeness;
use crate::lab::audit::decomposition::Decomposition;
use crate::lab::audit::{AccessLevel, AnyMetricFn, Better, Metric};
use crate::papers::measurement::metric::adaptive_sparsity::{
    AdaptiveSparsity, MISMATCH_THRESHOLD, adaptive_sparsity, complexity_and_k,
};
use crate::papers::measurement::metric::architecture_duality::{
    ArchitectureDuality, ComparedAutoencoder, Settings as Duality, architecture_duality,
};
use crate::papers::measurement::metric::core_stability::{
    CoreTraining, CycleSettings, core_training, standardise_rows,
};
use crate::papers::measurement::metric::matryoshka::{COSINE_THRESHOLD, Matryoshka, TOP_K, matryoshka};
use crate::papers::measurement::metric::nla_sae::{NlaSae, nla_sae};
use crate::papers::measurement::metric::polysemanticity::{self, polysemanticity};
use crate::papers::measurement::metric::weight_lens::weight_lens;
use crate::papers::measurement::metric::{Activations, Reading, nla_sae as convergence};
use crate::papers::measurement::toy_model::DIRECTIONS_MAX;
use crate::papers::measurement::validation::ReadingSource;
use crate::papers::sfc::metric::completeness::{CompletenessReading, RowSpace, completeness};
use crate::papers::sfc::metric::score::Weights;
use crate::papers::sfc::metric::{fidelity, sparsity};
use crate::sae::activity::ProjectionCentre;
use crate::statistics::MetricError;
use crate::study::Failure;
use crate::{Matrix, NumpyRng};

const fn sfc_metric(
    id: &'static str,
    name: &'static str,
    says: ReadingSource,
    needs: AccessLevel,
    reach: (f64, f64),
    of: fn(&Decomposition) -> MetricResult,
) -> Metric {
    let measure = AnyMetricFn::Decomposition(of);
    let better = Better::Higher;
    Metric { id, paper: "sfc", name, attribution: says, better, needs, condition: None, value_range: reach, measure }
}

/// They. Completeness is about the decoder's bias, as an autoencoder itself would have it.
#[rustfmt::skip]
pub(super) const METRICS: &[Metric] = {
    use Better::{Higher, Lower};
    use AccessLevel::{Activations, Model};
    use ReadingSource::{Both, Document, Neither};
    use AnyMetricFn::Decomposition as Of;
    &[
        sfc_metric("sfc.s", "sparsity S", Both, Activations, (0.0, 1.0), sparsity_value),
        sfc_metric("sfc.f", "fidelity F", Both, Activations, (-1.0, 1.0), fidelity_value),
        sfc_metric("sfc.c.row-space", "completeness C, row space", Document, Model, (-INFINITY, 1.0), |it| completeness_value(it, Completeness::RowSpace)),
        sfc_metric("sfc.c.reconstruction", "completeness C, reconstruction", Neither, Model, (-INFINITY, 1.0), |it| completeness_value(it, Completeness::Reconstruction)),
        sfc_metric("sfc.c.active", "completeness C, active subspace", Neither, Model, (-INFINITY, 1.0), |it| completeness_value(it, Completeness::ActiveSubspace)),
        sfc_metric("sfc.score", "SFC-Score, C by row space", Document, Model, (0.0, 1.0), |it| sfc_score(it, Completeness::RowSpace)),
        sfc_metric("sfc.score.reconstruction", "SFC-Score, C by reconstruction", Neither, Model, (0.0, 1.0), |it| sfc_score(it, Completeness::Reconstruction)),
        sfc_metric("sfc.score.active", "SFC-Score, C by active subspace", Neither, Model, (0.0, 1.0), |it| sfc_score(it, Completeness::ActiveSubspace)),
        theory_metric("m07.agreement.code", "M07 agreement", ("m07", "agreement_code"), Higher, Activations, Of(|it| m07(it, |found| Some(found.agreement_code)))),
        theory_metric("m07.agreement.document", "M07 agreement", ("m07", "agreement_document"), Higher, Activations, Of(|it| m07(it, |found| found.agreement_document))),
        theory_metric("m07.agreement.matched", "M07 agreement, latents matched", ("m07", "agreement_matched"), Higher, Activations, Of(|it| m07(it, |found| Some(found.agreement_matched)))),
        theory_metric("m08.agreement", "M08 agreement", ("m08", "agreement"), Higher, Model, Of(m08)),
        theory_metric("m09.overlap.document", "M09 overlap of cores", ("m09", "mean_overlap_document"), Higher, Activations, Of(|it| m09(it, |found| found.document.stability.mean_overlap))),
        theory_metric("m09.overlap.code", "M09 overlap of cores", ("m09", "mean_overlap_code"), Higher, Activations, Of(|it| m09(it, |found| found.code.stability.mean_overlap))),
        theory_metric("m10.rate.document", "M10 rate of several meanings", ("m10", "rate_document"), Lower, Activations, Of(|it| m10(it, Reading::Document))),
        theory_metric("m10.rate.code", "M10 rate of several meanings", ("m10", "rate_code"), Lower, Model, Of(|it| m10(it, Reading::Code))),
        theory_metric("m11.consistency.code", "M11 consistency", ("m11", "consistency_code"), Higher, Activations, Of(|it| m11(it, |found| found.consistency_code))),
        theory_metric("m11.consistency.document", "M11 consistency", ("m11", "consistency_document"), Higher, Activations, Of(|it| m11(it, |found| found.consistency_document))),
        theory_metric("m12.mismatch.code", "M12 mismatch", ("m12", "k_mismatch_rate"), Lower, Activations, Of(|it| m12(it, Reading::Code, |found| found.k_mismatch_rate))),
        theory_metric("m12.mismatch.document", "M12 mismatch", ("m12", "k_mismatch_rate_document"), Lower, Activations, Of(|it| m12(it, Reading::Document, |found| found.k_mismatch_rate_document))),
        theory_metric("m12.correlation", "M12 correlation", ("m12", "complexity_k_correlation"), Higher, Activations, Of(|it| m12(it, Reading::Code, |found| found.complexity_k_correlation))),
        theory_metric("ex34.overlap", "EX34 overlap of words", ("ex34", "mean_token_overlap"), Higher, Model, Of(|it| ex34(it, |found| found.mean_token_overlap))),
        theory_metric("ex34.cosine", "EX34 cosine", ("ex34", "mean_direction_cosine"), Higher, Activations, Of(|it| ex34(it, |found| found.mean_direction_cosine))),
    ]
};

fn sparsity_value(it: &Decomposition) -> MetricResult {
    Ok(Some(sparsity(it.codes())?))
}

fn fidelity_value(it: &Decomposition) -> MetricResult {
    let a_hat = it.reconstruct(it.codes());
    Ok(Some(fidelity::cosine(it.ground_truth().reconstruction_target(), &a_hat)?))
}

/// What completeness of one reading is, of codes that are there.
fn compute_completeness(
    it: &Decomposition,
    family: &crate::lab::families::Decomposition,
    reading: Completeness,
) -> Result<Option<f64>, MetricError> {
    let ground = it.ground_truth();
    let Some(readout) = &ground.readout else { return Ok(None) };
    let about = ProjectionCentre::Bias;
    let (rows, undo) = it.weights().normalise_rows(&ground.rows);
    let kept = match reading {
        Completeness::RowSpace => {
            family.project_on_span(&rows, &RowSpace::from_f32_dictionary(&family.directions)?, about)?
        }
        Completeness::Reconstruction => family.reconstruct(),
        Completeness::ActiveSubspace => family.project_on_active(&rows, about),
    };
    let kept = it.weights().denormalise_rows(kept, &undo);
    let (outputs, kept) = (readout.outputs(&ground.rows)?, readout.outputs(&kept)?);
    completeness(CompletenessReading::Total, &outputs, &kept).map(Some)
}

fn cached_completeness(it: &Decomposition, reading: Completeness) -> Result<Option<f64>, MetricError> {
    let name = match reading {
        Completeness::RowSpace => "sfc.c.row-space",
        Completeness::Reconstruction => "sfc.c.reconstruction",
        Completeness::ActiveSubspace => "sfc.c.active",
    };
    let found =
        it.memo().get_or_make(name, 0, || compute_completeness(it, &it.to_family_decomposition(it.codes()), reading));
    found.map(|found| *found)
}

fn completeness_value(it: &Decomposition, reading: Completeness) -> MetricResult {
    cached_completeness(it, reading).map_err(Failure::from)
}

fn sfc_score(it: &Decomposition, reading: Completeness) -> MetricResult {
    let Some(c) = cached_completeness(it, reading)? else { return Ok(None) };
    // C has asked for codes, and what they cost is counted.
    let (rows, codes) = (it.ground_truth().reconstruction_target(), it.cached_codes());
    let f = fidelity::cosine(rows, &it.reconstruct(codes))?;
    Ok(Some(Weights::EQUAL.sfc(sparsity(codes)?, f, c)))
}

fn m07(it: &Decomposition, of: fn(&ArchitectureDuality) -> Option<f64>) -> MetricResult {
    let Some(beside) = &it.ground_truth().comparison_models else { return Ok(None) };
    let rows = it.ground_truth().rows.rows() as u64;
    let found = it.memo().get_or_make("m07", rows, || {
        let side = ComparedAutoencoder {
            activations: Activations::Dense(it.codes()),
            decoder: it.decoder(),
            encoder: it.encoder(),
        };
        let other = ComparedAutoencoder {
            activations: Activations::Dense(&beside.relu.codes),
            decoder: &beside.relu.weights.decoder,
            encoder: Some(&beside.relu.weights.encoder),
        };
        architecture_duality(&side, &other, &Duality::default())
    })?;
    Ok(of(&found))
}

fn m08(it: &Decomposition) -> MetricResult {
    let ground = it.ground_truth();
    let Some(unembed) = &ground.unembed else { return Ok(None) };
    let codes = Activations::Dense(it.codes());
    Ok(weight_lens(it.decoder(), unembed, codes, &ground.row_words, ground.words_per_latent)?.agreement)
}

fn m09(it: &Decomposition, of: fn(&CoreTraining) -> f64) -> MetricResult {
    let (ground, features) = (it.ground_truth(), it.decoder().rows());
    if !it.allows_row_metrics() || ground.steps_per_cycle == 0 {
        return Ok(None);
    }
    // Seeds of other draws are none of other jobs'.
    let seed = ground.seed + 100_000 * it.draw_seed();
    let settings = CycleSettings { features, steps: ground.steps_per_cycle, seed, ..CycleSettings::default() };
    let trained = u64::from(settings.steps) * settings.batch as u64;
    let trainings = 1 + 2 * settings.cycles as u64;
    let found = it.memo().get_or_make("m09", trained * trainings, || {
        core_training(&standardise_rows(&ground.rows, &ground.mean_row()), &settings)
    })?;
    Ok(Some(of(&found)))
}

/// The mean of each context's rows.
fn context_means(rows: &Matrix, per_context: usize) -> Matrix {
    let each = per_context.max(1);
    let mut out = Matrix::zeros(rows.rows() / each, rows.cols());
    for (at, row) in rows.iter_rows().take(out.rows() * each).enumerate() {
        let sums = out.row_mut(at / each).iter_mut();
        sums.zip(row).for_each(|(sum, value)| *sum += value / each as f64);
    }
    out
}

/// The largest |activation| of each latent in each context.
fn max_abs_by_context(codes: &Matrix, per_context: usize) -> Matrix {
    let each = per_context.max(1);
    let mut out = Matrix::zeros(codes.rows() / each, codes.cols());
    for (at, row) in codes.iter_rows().take(out.rows() * each).enumerate() {
        let most = out.row_mut(at / each).iter_mut();
        most.zip(row).for_each(|(most, value)| *most = most.max(value.abs()));
    }
    out
}

fn m10(it: &Decomposition, reading: Reading) -> MetricResult {
    let ground = it.ground_truth();
    let embedded = match reading {
        Reading::Document => &ground.rows,
        Reading::Code => match &ground.row_embeddings {
            Some(embedded) => embedded,
            None => return Ok(None),
        },
    };
    let embeddings = context_means(embedded, ground.rows_per_context);
    let settings = polysemanticity::Settings { reading, ..polysemanticity::Settings::default() };
    let strengths = max_abs_by_context(it.codes(), ground.rows_per_context);
    Ok(Some(polysemanticity(&strengths, &embeddings, &settings)?.rate.rate))
}

fn m11(it: &Decomposition, of: fn(&Matryoshka) -> f64) -> MetricResult {
    let Some(beside) = &it.ground_truth().comparison_models else { return Ok(None) };
    let rows = it.ground_truth().rows.rows() as u64;
    let found = it.memo().get_or_make("m11", rows, || {
        let small = Activations::Dense(&beside.small.codes);
        let large = Activations::Dense(it.codes());
        matryoshka(small, large, it.decoder(), TOP_K, COSINE_THRESHOLD)
    })?;
    Ok(Some(of(&found)))
}

/// The text takes every row, the code each context's last.
fn m12(it: &Decomposition, reading: Reading, of: fn(&AdaptiveSparsity) -> f64) -> MetricResult {
    let name = match reading {
        Reading::Document => "m12.document",
        Reading::Code => "m12.code",
    };
    let found = it.memo().get_or_make(name, 0, || {
        let (rows, codes) = (&it.ground_truth().rows, it.codes());
        let (complexity, k) = match (reading, it.ground_truth().rows_per_context) {
            (Reading::Code, each @ 2..) => {
                let last: Vec<u32> = (0..rows.rows() as u32).skip(each - 1).step_by(each).collect();
                let codes = codes.select_rows(&last);
                complexity_and_k(&rows.select_rows(&last), Activations::Dense(&codes))?
            }
            _ => complexity_and_k(rows, Activations::Dense(codes))?,
        };
        adaptive_sparsity(&complexity, &k, MISMATCH_THRESHOLD)
    })?;
    Ok(Some(of(&found)))
}

/// The first directions, as the toy model's are looked at; under another draw others.
fn ex34(it: &Decomposition, of: fn(&NlaSae) -> f64) -> MetricResult {
    let ground = it.ground_truth();
    let Some(unembed) = &ground.unembed else { return Ok(None) };
    let latents = it.decoder().rows();
    let found = it.memo().get_or_make("ex34", 0, || {
        let count = DIRECTIONS_MAX.min(latents);
        let chosen = match it.draw_seed() {
            0 => (0_u32..).take(count).collect(),
            draw => NumpyRng::new(draw).choice(latents as u32, count),
        };
        let directions = it.decoder().select_rows(&chosen);
        nla_sae(&directions, &ground.rows, &ground.row_words, unembed, convergence::TOP_K)
    })?;
    Ok(Some(of(&found)))
}
