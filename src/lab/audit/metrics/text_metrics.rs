//! Of decompositions: what needs texts that are judged.
//!
//! FADE's scores are means over the language's concepts, each described to its best latent; CE-Bench's are means over
//! pairs of stories. Both are of dictionaries of the toy model's residual stream alone, and there of the stream as the
//! model has it.

mod texts;

use std::rc::Rc;

use self::texts::{LabelledTexts, ResidualSource};
use super::MetricResult;
use crate::lab::audit::{AccessLevel, AnyMetricFn, Better, Decomposition, Metric};
use crate::papers::ce_bench::metric::{Reading as PairReading, Scores};
use crate::papers::ce_bench::{CeBenchError, MeanScores, ScoresByReading, StoryActivations};
use crate::papers::fade::metric::{GATE_MIN, Reading};
use crate::papers::fade::{
    self, DescriptionCase, Feature, LatentActivity, MeanScores as MeanFadeScores, SteeringContext,
};
use crate::papers::measurement::metric::Condition;
use crate::papers::measurement::validation::ReadingSource;
use crate::study::Failure;
use crate::synthetic::language::{CONTEXT_TOKENS, Concept};
use crate::toy_model::residual_stream::Codes;

const UNIT_RANGE: (f64, f64) = (0.0, 1.0);
/// A z-score is at most √(D − 1) of D latents: without end, as dictionaries have as many as they like.
const Z_SCORE_VALUE_RANGE: (f64, f64) = (0.0, f64::INFINITY);

/// Where the reference code does not go on to faithfulness; the text has no limit.
const fn gate_condition(quantity: &'static str) -> Option<Condition> {
    Some(Condition::at_least(quantity, GATE_MIN))
}

const fn fade_metric(
    id: &'static str,
    name: &'static str,
    says: ReadingSource,
    condition: Option<Condition>,
    of: fn(&Decomposition) -> MetricResult,
) -> Metric {
    let (better, needs, measure) = (Better::Higher, AccessLevel::Judge, AnyMetricFn::Decomposition(of));
    Metric { id, paper: "fade", name, attribution: says, better, needs, condition, value_range: UNIT_RANGE, measure }
}

const fn ce_bench_metric(
    id: &'static str,
    name: &'static str,
    says: ReadingSource,
    reach: (f64, f64),
    of: fn(&Decomposition) -> MetricResult,
) -> Metric {
    let (better, needs, measure) = (Better::Higher, AccessLevel::Model, AnyMetricFn::Decomposition(of));
    Metric {
        id,
        paper: "ce-bench",
        name,
        attribution: says,
        better,
        needs,
        condition: None,
        value_range: reach,
        measure,
    }
}

/// They. Which text or code a reading of CE-Bench follows is part of its name.
#[rustfmt::skip]
pub(super) const METRICS: &[Metric] = {
    use PairReading::{CodeHead, Paper, Readme, V1Marked};
    use ReadingSource::{Code, Document, Neither};
    &[
        fade_metric("fade.clarity.document", "FADE clarity", Document, None, |it| mean_fade_score(it, Reading::Document, |means| means.clarity)),
        fade_metric("fade.clarity.code", "FADE clarity", Code, gate_condition("clarity"), |it| mean_fade_score(it, Reading::Code, |means| means.clarity)),
        fade_metric("fade.responsiveness.document", "FADE responsiveness", Document, None, |it| mean_fade_score(it, Reading::Document, |means| means.responsiveness)),
        fade_metric("fade.responsiveness.code", "FADE responsiveness", Code, gate_condition("responsiveness"), |it| mean_fade_score(it, Reading::Code, |means| means.responsiveness)),
        fade_metric("fade.purity.document", "FADE purity", Document, None, |it| mean_fade_score(it, Reading::Document, |means| means.purity)),
        fade_metric("fade.purity.code", "FADE purity", Code, None, |it| mean_fade_score(it, Reading::Code, |means| means.purity)),
        fade_metric("fade.faithfulness.document", "FADE faithfulness", Document, None, |it| fade_faithfulness(it, Reading::Document)),
        fade_metric("fade.faithfulness.code", "FADE faithfulness", Code, None, |it| fade_faithfulness(it, Reading::Code)),
        ce_bench_metric("ce-bench.contrastive.v1_marked", "CE-Bench contrastive, older code", Code, Z_SCORE_VALUE_RANGE, |it| ce_bench_total(it, V1Marked, |totals| totals.contrastive)),
        ce_bench_metric("ce-bench.contrastive.code_head", "CE-Bench contrastive, newest code", Code, Z_SCORE_VALUE_RANGE, |it| ce_bench_total(it, CodeHead, |totals| totals.contrastive)),
        ce_bench_metric("ce-bench.contrastive.readme", "CE-Bench contrastive, README", Document, UNIT_RANGE, |it| ce_bench_total(it, Readme, |totals| totals.contrastive)),
        ce_bench_metric("ce-bench.contrastive.paper", "CE-Bench contrastive, abstract", Document, Z_SCORE_VALUE_RANGE, |it| ce_bench_total(it, Paper, |totals| totals.contrastive)),
        ce_bench_metric("ce-bench.independence.v1_marked", "CE-Bench independence, older code", Code, Z_SCORE_VALUE_RANGE, |it| ce_bench_total(it, V1Marked, |totals| totals.independence)),
        ce_bench_metric("ce-bench.independence.code_head", "CE-Bench independence, newest code", Code, Z_SCORE_VALUE_RANGE, |it| ce_bench_total(it, CodeHead, |totals| totals.independence)),
        ce_bench_metric("ce-bench.independence.readme", "CE-Bench independence, README", Document, UNIT_RANGE, |it| ce_bench_total(it, Readme, |totals| totals.independence)),
        ce_bench_metric("ce-bench.independence.paper", "CE-Bench independence, abstract", Document, Z_SCORE_VALUE_RANGE, |it| ce_bench_total(it, Paper, |totals| totals.independence)),
        ce_bench_metric("ce-bench.interpretability.v1_marked", "CE-Bench interpretability, older code", Code, Z_SCORE_VALUE_RANGE, |it| ce_bench_total(it, V1Marked, |totals| totals.interpretability)),
        ce_bench_metric("ce-bench.interpretability.code_head", "CE-Bench interpretability, newest code", Code, Z_SCORE_VALUE_RANGE, |it| ce_bench_total(it, CodeHead, |totals| totals.interpretability)),
        ce_bench_metric("ce-bench.interpretability.readme", "CE-Bench interpretability, README", Document, (0.0, 2.0), |it| ce_bench_total(it, Readme, |totals| totals.interpretability)),
        ce_bench_metric("ce-bench.interpretability.paper", "CE-Bench interpretability, abstract", Document, Z_SCORE_VALUE_RANGE, |it| ce_bench_total(it, Paper, |totals| totals.interpretability)),
        Metric { needs: AccessLevel::Judge, ..ce_bench_metric("ce-bench.winner.topic", "CE-Bench winners about their topic", Neither, UNIT_RANGE, |it| winner_share(it, 0)) },
        Metric { needs: AccessLevel::Judge, ..ce_bench_metric("ce-bench.winner.mood", "CE-Bench winners about their mood", Neither, UNIT_RANGE, |it| winner_share(it, 1)) },
    ]
};

/// Natural texts, and what a dictionary makes of them.
struct EncodedTexts {
    read: Rc<LabelledTexts>,
    codes: Codes,
}

fn encode_residual(it: &Decomposition, residual: &[f32]) -> Codes {
    Codes::encode(&it.dictionary(), residual, CONTEXT_TOKENS - 1)
}

/// A text is passed through the model once, and each of its tokens but the first is encoded.
fn count_evaluations(texts: usize) -> u64 {
    (texts * CONTEXT_TOKENS) as u64
}

fn encoded_texts(it: &Decomposition, of: ResidualSource) -> Result<Rc<EncodedTexts>, Failure> {
    it.memo().get_or_make("judged.natural", count_evaluations(of.natural_text_count()), || {
        let read = texts::labelled_texts(it.memo(), of)?;
        Ok(EncodedTexts { codes: encode_residual(it, read.natural.residual()), read })
    })
}

/// Every concept's best latent.
fn fade_features(it: &Decomposition, of: ResidualSource) -> Result<Rc<Vec<Feature>>, Failure> {
    let made = count_evaluations(of.generated_text_count() * Concept::ALL.len());
    it.memo().get_or_make("fade.features", made, || {
        let natural = encoded_texts(it, of)?;
        let rated = texts::rated_concepts(it.memo(), of, &natural.read)?;
        let latents = LatentActivity::new(&natural.read.natural, &natural.codes);
        let feature = |rated| {
            let (best, _) = latents.find_best_latent(fade::RatedDescription::description(rated));
            let made = encode_residual(it, rated.residual());
            latents.score_feature(DescriptionCase::Best, best, rated, &made).map_err(Failure::from)
        };
        rated.iter().map(feature).collect()
    })
}

fn mean_fade_score(it: &Decomposition, reading: Reading, of: fn(&MeanFadeScores) -> f64) -> MetricResult {
    let Some(stream) = ResidualSource::from_decomposition(it) else { return Ok(None) };
    let features = fade_features(it, stream)?;
    Ok(Some(of(&MeanFadeScores::mean_over(features.iter(), reading))))
}

/// The same features, steered; they cost far more than all else together.
fn steered_features(it: &Decomposition, of: ResidualSource) -> Result<Rc<Vec<Feature>>, Failure> {
    let settings = of.fade_settings();
    let prompts = settings.continuations * settings.factors.len() * Concept::ALL.len();
    it.memo().get_or_make("fade.steered", prompts as u64, || {
        let (model, dictionary) = (of.model()?, it.dictionary());
        let (layer, grammar) = (of.layer(), of.grammar());
        let place = SteeringContext { model: &model, layer, dictionary: &dictionary, grammar };
        let mut features = fade_features(it, of)?.to_vec();
        for feature in &mut features {
            feature.steered = Some(fade::steer_feature_at(place, &settings, feature, of.generation_seed())?);
        }
        Ok(features)
    })
}

/// The text's is of all concepts. The code's is of those that pass its gate, and has no number where all that is written
/// without the feature is of the concept already; none where that leaves no concept.
fn fade_faithfulness(it: &Decomposition, reading: Reading) -> MetricResult {
    let Some(stream) = ResidualSource::from_decomposition(it).filter(|_| it.allows_costly_metrics()) else {
        return Ok(None);
    };
    let features = steered_features(it, stream)?;
    let counts = |feature: &&Feature| {
        let saturated = feature.steered.as_ref().is_some_and(|steered| steered.saturated);
        reading == Reading::Document || (feature.gate && !saturated)
    };
    let counted = features.iter().filter(counts);
    let any = counted.clone().next().is_some();
    Ok(MeanFadeScores::mean_over(counted, reading).faithfulness.filter(|_| any))
}

/// Pairs of stories, and every pair's scores.
struct ScoredPairs {
    told: Rc<StoryActivations>,
    scores: Vec<[Scores; 4]>,
}

fn scored_pairs(it: &Decomposition, of: ResidualSource) -> Result<Rc<ScoredPairs>, Failure> {
    it.memo().get_or_make("ce-bench.pairs", count_evaluations(2 * of.generated_text_count()), || {
        let told = texts::story_activations(it.memo(), of)?;
        let scores = told.score_pairs(&encode_residual(it, told.residual()));
        let scores = scores.map_err(CeBenchError::from)?;
        Ok(ScoredPairs { told, scores })
    })
}

fn ce_bench_total(it: &Decomposition, reading: PairReading, of: fn(&MeanScores) -> f64) -> MetricResult {
    let Some(stream) = ResidualSource::from_decomposition(it) else { return Ok(None) };
    let pairs = scored_pairs(it, stream)?;
    Ok(Some(of(&ScoresByReading::mean_over(&pairs.scores).get(reading))))
}

/// How many of the winners are about the topic (0) or the mood (1) that their pairs contrast.
fn winner_share(it: &Decomposition, contrast: usize) -> MetricResult {
    let Some(stream) = ResidualSource::from_decomposition(it) else { return Ok(None) };
    let found = it.memo().get_or_make("ce-bench.winners", 0, || {
        let (pairs, natural) = (scored_pairs(it, stream)?, encoded_texts(it, stream)?);
        let labels = &natural.read.labels;
        Ok::<_, Failure>(pairs.told.winner_relevance(&pairs.scores, labels, &natural.codes))
    })?;
    Ok(found.get(contrast).copied().flatten())
}
