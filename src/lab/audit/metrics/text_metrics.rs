//! Of decompositions: what needs texts that are judged.
//!
//! FADE's scores are means over the language's concepts, each described to its best latent; CE-Bench's are means over
//! pairs of stories. Both are of dictionaries of the toy model's residual stream alone, and there of the stream as the
//! model has it.

mod texts;

use std::rc::Rc;

use self::texts::{Read, Stream};
use super::Found;
use crate::lab::audit::{Better, Decomposition, Measure, Metric, Needs};
use crate::papers::ce_bench::metric::{Reading as PairReading, Scores};
use crate::papers::ce_bench::{CeBenchError, Readings, StoryActivations, Totals};
use crate::papers::fade::metric::{GATE, Reading};
use crate::papers::fade::{self, Case, Feature, Latents, Means, Place};
use crate::papers::measurement::metric::Condition;
use crate::papers::measurement::validation::Attribution;
use crate::study::Failure;
use crate::synthetic::language::{CONTEXT, Concept};
use crate::toy_model::stream::Codes;

const UNIT: (f64, f64) = (0.0, 1.0);
/// A z-score is at most √(D − 1) of D latents: without end, as dictionaries have as many as they like.
const ENDLESS: (f64, f64) = (0.0, f64::INFINITY);

/// Where the reference code does not go on to faithfulness; the text has no limit.
const fn gate(quantity: &'static str) -> Option<Condition> {
    Some(Condition::at_least(quantity, GATE))
}

const fn of_fade(
    id: &'static str,
    name: &'static str,
    says: Attribution,
    condition: Option<Condition>,
    of: fn(&Decomposition) -> Found,
) -> Metric {
    let (better, needs, measure) = (Better::Higher, Needs::Judge, Measure::Decomposition(of));
    Metric { id, paper: "fade", name, says, better, needs, condition, reach: UNIT, measure }
}

const fn of_pairs(
    id: &'static str,
    name: &'static str,
    says: Attribution,
    reach: (f64, f64),
    of: fn(&Decomposition) -> Found,
) -> Metric {
    let (better, needs, measure) = (Better::Higher, Needs::Model, Measure::Decomposition(of));
    Metric { id, paper: "ce-bench", name, says, better, needs, condition: None, reach, measure }
}

/// They. Which text or code a reading of CE-Bench follows is part of its name.
#[rustfmt::skip]
pub(super) const METRICS: &[Metric] = {
    use PairReading::{CodeHead, Paper, Readme, V1Marked};
    use Attribution::{Code, Document, Neither};
    &[
        of_fade("fade.clarity.document", "FADE clarity", Document, None, |it| means(it, Reading::Document, |means| means.clarity)),
        of_fade("fade.clarity.code", "FADE clarity", Code, gate("clarity"), |it| means(it, Reading::Code, |means| means.clarity)),
        of_fade("fade.responsiveness.document", "FADE responsiveness", Document, None, |it| means(it, Reading::Document, |means| means.responsiveness)),
        of_fade("fade.responsiveness.code", "FADE responsiveness", Code, gate("responsiveness"), |it| means(it, Reading::Code, |means| means.responsiveness)),
        of_fade("fade.purity.document", "FADE purity", Document, None, |it| means(it, Reading::Document, |means| means.purity)),
        of_fade("fade.purity.code", "FADE purity", Code, None, |it| means(it, Reading::Code, |means| means.purity)),
        of_fade("fade.faithfulness.document", "FADE faithfulness", Document, None, |it| faithfulness(it, Reading::Document)),
        of_fade("fade.faithfulness.code", "FADE faithfulness", Code, None, |it| faithfulness(it, Reading::Code)),
        of_pairs("ce-bench.contrastive.v1_marked", "CE-Bench contrastive, older code", Code, ENDLESS, |it| totals(it, V1Marked, |totals| totals.contrastive)),
        of_pairs("ce-bench.contrastive.code_head", "CE-Bench contrastive, newest code", Code, ENDLESS, |it| totals(it, CodeHead, |totals| totals.contrastive)),
        of_pairs("ce-bench.contrastive.readme", "CE-Bench contrastive, README", Document, UNIT, |it| totals(it, Readme, |totals| totals.contrastive)),
        of_pairs("ce-bench.contrastive.paper", "CE-Bench contrastive, abstract", Document, ENDLESS, |it| totals(it, Paper, |totals| totals.contrastive)),
        of_pairs("ce-bench.independence.v1_marked", "CE-Bench independence, older code", Code, ENDLESS, |it| totals(it, V1Marked, |totals| totals.independence)),
        of_pairs("ce-bench.independence.code_head", "CE-Bench independence, newest code", Code, ENDLESS, |it| totals(it, CodeHead, |totals| totals.independence)),
        of_pairs("ce-bench.independence.readme", "CE-Bench independence, README", Document, UNIT, |it| totals(it, Readme, |totals| totals.independence)),
        of_pairs("ce-bench.independence.paper", "CE-Bench independence, abstract", Document, ENDLESS, |it| totals(it, Paper, |totals| totals.independence)),
        of_pairs("ce-bench.interpretability.v1_marked", "CE-Bench interpretability, older code", Code, ENDLESS, |it| totals(it, V1Marked, |totals| totals.interpretability)),
        of_pairs("ce-bench.interpretability.code_head", "CE-Bench interpretability, newest code", Code, ENDLESS, |it| totals(it, CodeHead, |totals| totals.interpretability)),
        of_pairs("ce-bench.interpretability.readme", "CE-Bench interpretability, README", Document, (0.0, 2.0), |it| totals(it, Readme, |totals| totals.interpretability)),
        of_pairs("ce-bench.interpretability.paper", "CE-Bench interpretability, abstract", Document, ENDLESS, |it| totals(it, Paper, |totals| totals.interpretability)),
        Metric { needs: Needs::Judge, ..of_pairs("ce-bench.winner.topic", "CE-Bench winners about their topic", Neither, UNIT, |it| winners(it, 0)) },
        Metric { needs: Needs::Judge, ..of_pairs("ce-bench.winner.mood", "CE-Bench winners about their mood", Neither, UNIT, |it| winners(it, 1)) },
    ]
};

/// Natural texts, and what a dictionary makes of them.
struct Natural {
    read: Rc<Read>,
    codes: Codes,
}

fn coded(it: &Decomposition, residual: &[f32]) -> Codes {
    Codes::of(&it.dictionary(), residual, CONTEXT - 1)
}

/// A text is passed through the model once, and each of its tokens but the first is encoded.
fn evaluations(texts: usize) -> u64 {
    (texts * CONTEXT) as u64
}

fn natural(it: &Decomposition, of: Stream) -> Result<Rc<Natural>, Failure> {
    it.memo().of("judged.natural", evaluations(of.natural_texts()), || {
        let read = texts::natural(it.memo(), of)?;
        Ok(Natural { codes: coded(it, read.natural.residual()), read })
    })
}

/// Every concept's best latent.
fn features(it: &Decomposition, of: Stream) -> Result<Rc<Vec<Feature>>, Failure> {
    let made = evaluations(of.made_texts() * Concept::ALL.len());
    it.memo().of("fade.features", made, || {
        let natural = natural(it, of)?;
        let rated = texts::rated(it.memo(), of, &natural.read)?;
        let latents = Latents::of(&natural.read.natural, &natural.codes);
        let feature = |rated| {
            let (best, _) = latents.best(fade::Rated::description(rated));
            let made = coded(it, rated.residual());
            latents.feature(Case::Best, best, rated, &made).map_err(Failure::from)
        };
        rated.iter().map(feature).collect()
    })
}

fn means(it: &Decomposition, reading: Reading, of: fn(&Means) -> f64) -> Found {
    let Some(stream) = Stream::of(it) else { return Ok(None) };
    let features = features(it, stream)?;
    Ok(Some(of(&Means::over(features.iter(), reading))))
}

/// The same features, steered; they cost far more than all else together.
fn steered(it: &Decomposition, of: Stream) -> Result<Rc<Vec<Feature>>, Failure> {
    let settings = of.settings();
    let prompts = settings.continuations * settings.factors.len() * Concept::ALL.len();
    it.memo().of("fade.steered", prompts as u64, || {
        let (model, dictionary) = (of.model()?, it.dictionary());
        let (layer, grammar) = (of.layer(), of.grammar());
        let place = Place { model: &model, layer, dictionary: &dictionary, grammar };
        let mut features = features(it, of)?.to_vec();
        for feature in &mut features {
            feature.steered = Some(fade::steered_at(place, &settings, feature, of.made_seed())?);
        }
        Ok(features)
    })
}

/// The text's is of all concepts. The code's is of those that pass its gate, and has no number where all that is written
/// without the feature is of the concept already; none where that leaves no concept.
fn faithfulness(it: &Decomposition, reading: Reading) -> Found {
    let Some(stream) = Stream::of(it).filter(|_| it.is_thorough()) else { return Ok(None) };
    let features = steered(it, stream)?;
    let counts = |feature: &&Feature| {
        let saturated = feature.steered.as_ref().is_some_and(|steered| steered.saturated);
        reading == Reading::Document || (feature.gate && !saturated)
    };
    let counted = features.iter().filter(counts);
    let any = counted.clone().next().is_some();
    Ok(Means::over(counted, reading).faithfulness.filter(|_| any))
}

/// Pairs of stories, and every pair's scores.
struct Scored {
    told: Rc<StoryActivations>,
    scores: Vec<[Scores; 4]>,
}

fn pairs(it: &Decomposition, of: Stream) -> Result<Rc<Scored>, Failure> {
    it.memo().of("ce-bench.pairs", evaluations(2 * of.made_texts()), || {
        let told = texts::told(it.memo(), of)?;
        let scores = told.scores(&coded(it, told.residual()));
        let scores = scores.map_err(CeBenchError::from)?;
        Ok(Scored { told, scores })
    })
}

fn totals(it: &Decomposition, reading: PairReading, of: fn(&Totals) -> f64) -> Found {
    let Some(stream) = Stream::of(it) else { return Ok(None) };
    let pairs = pairs(it, stream)?;
    Ok(Some(of(&Readings::over(&pairs.scores).of(reading))))
}

/// How many of the winners are about the topic (0) or the mood (1) that their pairs contrast.
fn winners(it: &Decomposition, contrast: usize) -> Found {
    let Some(stream) = Stream::of(it) else { return Ok(None) };
    let found = it.memo().of("ce-bench.winners", 0, || {
        let (pairs, natural) = (pairs(it, stream)?, natural(it, stream)?);
        let labels = &natural.read.labels;
        Ok::<_, Failure>(pairs.told.winners(&pairs.scores, labels, &natural.codes))
    })?;
    Ok(found.get(contrast).copied().flatten())
}
