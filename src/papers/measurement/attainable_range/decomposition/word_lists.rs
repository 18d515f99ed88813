//! M08 and EX34: lists of words that agree by chance, and lists that cannot agree.

use super::super::super::metric::nla_sae::{self, NlaSae, nla_sae};
use super::super::super::metric::weight_lens::{self, WeightLens, weight_lens};
use super::super::super::metric::{Activations, Condition, DecompositionError, Reading};
use super::super::case_builders::{
    case_series, chance_overlap, constant_series, identity, indexed_series, matrix_from_fn, normal_matrix,
};
use super::super::{CaseKind, CaseReport, CaseSeries, MeasuredCase};
use crate::Matrix;
use crate::papers::measurement::MeasurementError;
use crate::rng::NumpyRng;
use crate::statistics::MetricError;
use CaseKind::{Best, Worst};
use Reading::{Code, Document};

const OVERLAP_MIN: f64 = 0.3;
const COSINE_MIN: f64 = 0.5;
/// Words of the exact cases.
const VOCABULARY_SIZE: usize = 100;

fn measure_lens(
    [decoder, unembed, activations]: [&Matrix; 3],
    k: usize,
) -> Result<MeasuredCase<WeightLens>, DecompositionError> {
    let tokens: Vec<u32> = (0..).take(activations.rows()).collect();
    let case = weight_lens(decoder, unembed, Activations::Dense(activations), &tokens, k)?;
    let value = case.agreement.ok_or(MetricError::Missing { what: "an active feature" })?;
    Ok(MeasuredCase { case, value, condition: Condition::above("agreement", OVERLAP_MIN) })
}

/// A feature of which nothing could be better: among 100 words it promotes `words` and no other, and these are the
/// ones on which it is active. Lists of k words have `words`/k of each other, since k words are promoted in any case.
///
/// # Errors
/// [`DecompositionError`] without words, or for a k above 100.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::attainable_range::perfect_feature;
/// assert!(!perfect_feature(15, 50)?.holds() && perfect_feature(16, 50)?.holds());
/// # Ok::<(), sfc_bench::papers::measurement::metric::DecompositionError>(())
/// ```
pub fn perfect_feature(words: usize, k: usize) -> Result<MeasuredCase<WeightLens>, DecompositionError> {
    let on = |word: usize| if word < words { 1.0 } else { 0.0 };
    let unembed = matrix_from_fn(1, VOCABULARY_SIZE, |_, word| on(word));
    let activations = matrix_from_fn(VOCABULARY_SIZE, 1, |word, _| on(word));
    measure_lens([&identity(1), &unembed, &activations], k)
}

/// Features of a random decoder and a random unembedding, which are active on all words of a vocabulary, however it
/// comes.
///
/// # Errors
/// [`DecompositionError`] without words, or for a k above their number.
pub fn random_features(vocabulary: usize, k: usize) -> Result<MeasuredCase<WeightLens>, DecompositionError> {
    const FEATURES: usize = 32;
    const WIDTH: usize = 16;
    let mut activations = normal_matrix(3, vocabulary, FEATURES);
    activations.data_mut().iter_mut().for_each(|value| *value = value.abs());
    measure_lens([&normal_matrix(1, FEATURES, WIDTH), &normal_matrix(2, WIDTH, vocabulary), &activations], k)
}

/// Five features that are active on 50 words. Three promote 24 of these, and 26 others; two promote none of them.
fn three_of_five_features() -> Result<MeasuredCase<WeightLens>, DecompositionError> {
    const K: usize = weight_lens::TOP_K;
    // 24 of 76 words is just above the limit.
    const SHARED_WORDS: usize = 24;
    let first = |feature: usize| if feature < 3 { K - SHARED_WORDS } else { K };
    let unembed = matrix_from_fn(5, VOCABULARY_SIZE, |feature, word| {
        if (first(feature)..first(feature) + K).contains(&word) { 1.0 } else { 0.0 }
    });
    let activations = matrix_from_fn(VOCABULARY_SIZE, 5, |word, _| if word < K { 1.0 } else { 0.0 });
    measure_lens([&identity(5), &unembed, &activations], K)
}

pub(in super::super) fn m08_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    const K: usize = weight_lens::TOP_K;
    let mut reached = Vec::new();
    for words in 1..=K {
        reached.push((words as f64, perfect_feature(words, K)?.value));
    }
    let by_words = || {
        let axes = ["words that the feature stands for", "agreement"];
        let limit = constant_series("limit", (1.0, K as f64), OVERLAP_MIN);
        (axes, vec![case_series("a perfect feature", reached.iter().copied()), limit])
    };
    let (mut measured, mut expected) = (Vec::new(), Vec::new());
    for vocabulary in (K..=200).step_by(10) {
        measured.push((vocabulary as f64, random_features(vocabulary, K)?.value));
        expected.push((vocabulary as f64, chance_overlap(vocabulary, K)?));
    }
    let by_vocabulary = || {
        let drawn = case_series("random features", measured.iter().copied());
        let expected = case_series("expected by chance", expected.iter().copied());
        (["words in the vocabulary", "agreement"], vec![drawn, expected])
    };
    let of = |kind| ("m08", Reading::Document, kind);
    let half = Condition::above("agreement", 0.5);
    let several = three_of_five_features()?;
    let each: Vec<f64> = several.case.per_feature.iter().copied().flatten().collect();
    let each = || {
        (
            ["feature", "agreement"],
            vec![indexed_series("features", &each), constant_series("limit", (1.0, 5.0), OVERLAP_MIN)],
        )
    };
    let share = several.case.frac_above.ok_or(MetricError::Missing { what: "an active feature" })?;
    Ok(vec![
        perfect_feature(1, K)?.to_report(
            of(Best),
            "A feature that promotes one word alone and is active on that word alone: 50 words are promoted in \
             any case, so the agreement is one fiftieth.",
            by_words(),
        ),
        perfect_feature(15, K)?.to_report(
            of(Best),
            "A feature that stands for 15 words, without any fault: 15 of 50 is the limit, which it does not \
             exceed. No feature of fewer words can pass.",
            by_words(),
        ),
        perfect_feature(16, K)?.to_report(
            of(Best),
            "A feature that stands for 16 words, the fewest with which one can pass.",
            by_words(),
        ),
        MeasuredCase { condition: half, ..perfect_feature(25, K)? }.to_report(
            of(Best),
            "A perfect feature of 25 words: above one half it takes 26.",
            by_words(),
        ),
        random_features(VOCABULARY_SIZE, K)?.to_report(
            of(Worst),
            "Random weights and random activations on a vocabulary of 100 words: two lists of 50 share a third by \
             chance, and pass.",
            by_vocabulary(),
        ),
        random_features(144, K)?.to_report(
            of(Worst),
            "The same on 144 words, as many as the toy model has: chance comes to a fifth, and fails.",
            by_vocabulary(),
        ),
        several.to_report(
            of(Worst),
            "Three features of five exceed the limit by a little, two have nothing in common with their words: \
             the mean fails.",
            each(),
        ),
        MeasuredCase { case: (), value: share, condition: Condition::above("frac_above", 0.5) }.to_report(
            of(Worst),
            "Of the same five, more than half are above the limit one by one.",
            each(),
        ),
    ])
}

/// Strengths and words of positions, one direction of the residual stream, and what it promotes.
fn measure_nla(strengths: &Matrix, tokens: &[u32], k: usize) -> Result<NlaSae, DecompositionError> {
    let width = strengths.cols();
    let direction = matrix_from_fn(1, width, |_, col| if col == 0 { 1.0 } else { 0.0 });
    // The first words are promoted most.
    let unembed = matrix_from_fn(
        width,
        VOCABULARY_SIZE,
        |row, word| {
            if row == 0 { (VOCABULARY_SIZE - word) as f64 } else { 0.0 }
        },
    );
    nla_sae(&direction, strengths, tokens, &unembed, k)
}

/// A direction that is strongest where `words` different words stand, all of which it promotes most.
fn measure_direction_on_words(words: usize) -> Result<NlaSae, DecompositionError> {
    const K: usize = nla_sae::TOP_K;
    let positions = K + nla_sae::SPARE_POSITIONS;
    let strengths = matrix_from_fn(positions, 2, |at, col| if col == 0 { (positions - at) as f64 } else { 0.0 });
    let tokens: Vec<u32> =
        (0..positions).zip(0..).map(|(at, token)| if at < K { (at % words) as u32 } else { token }).collect();
    measure_nla(&strengths, &tokens, K)
}

/// A direction of strength 10 or so at 20 words that it promotes, nothing elsewhere. Its strength varies by `along`;
/// what stands beside it in the stream varies by 1.
fn measure_varying_direction(along: f64) -> Result<NlaSae, DecompositionError> {
    const K: usize = nla_sae::TOP_K;
    let sign = |at: usize| if at.is_multiple_of(2) { 1.0 } else { -1.0 };
    let strengths = matrix_from_fn(K + nla_sae::SPARE_POSITIONS, 2, |at, col| match (at < K, col) {
        (false, _) => 0.0,
        (true, 0) => 10.0 + along * sign(at),
        (true, _) => sign(at / 2),
    });
    let tokens: Vec<u32> = (0..).take(K + nla_sae::SPARE_POSITIONS).collect();
    measure_nla(&strengths, &tokens, K)
}

/// Random directions and a random unembedding in a random stream of 16 dimensions, with words drawn at random: what
/// both lists and both directions have in common by chance, and by where the metric looks.
///
/// # Errors
/// [`DecompositionError`] without positions or words.
pub fn measure_random_directions(positions: usize, vocabulary: u32) -> Result<NlaSae, DecompositionError> {
    const DIRECTIONS: usize = 16;
    const WIDTH: usize = 16;
    let mut rng = NumpyRng::new(4);
    let tokens: Vec<u32> = (0..positions).map(|_| rng.next_word() % vocabulary.max(1)).collect();
    let unembed = normal_matrix(3, WIDTH, vocabulary as usize);
    let stream = normal_matrix(2, positions, WIDTH);
    nla_sae(&normal_matrix(1, DIRECTIONS, WIDTH), &stream, &tokens, &unembed, nla_sae::TOP_K)
}

pub(in super::super) fn ex34_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    const K: usize = nla_sae::TOP_K;
    /// Positions of random streams.
    const POSITIONS: usize = 2_000;
    /// Words on which chance passes.
    const SMALL_VOCABULARY_SIZE: u32 = 30;
    let overlap = |found: &NlaSae| {
        let condition = Condition::above("mean_token_overlap", OVERLAP_MIN);
        MeasuredCase { case: (), value: found.mean_token_overlap, condition }
    };
    let cosine = |found: &NlaSae| {
        let condition = Condition::above("mean_direction_cosine", COSINE_MIN);
        MeasuredCase { case: (), value: found.mean_direction_cosine, condition }
    };
    let mut reached = Vec::new();
    for words in 1..=K {
        reached.push((words as f64, measure_direction_on_words(words)?.mean_token_overlap));
    }
    let by_words = || {
        let limit = constant_series("limit", (1.0, K as f64), OVERLAP_MIN);
        let axes = ["different words where the direction is strong", "overlap"];
        (axes, vec![case_series("a perfect direction", reached.iter().copied()), limit])
    };
    let mut turned = Vec::new();
    for tenths in 0..=20_u32 {
        let along = f64::from(tenths) / 10.0 + 0.05;
        turned.push((along, measure_varying_direction(along)?.mean_direction_cosine));
    }
    let by_variation = || {
        let limit = constant_series("limit", (0.0, 2.1), COSINE_MIN);
        let axes = ["variation of the strength over that of the rest", "cosine"];
        (axes, vec![case_series("a perfect direction", turned.iter().copied()), limit])
    };
    let (mut lists, mut along) = (Vec::new(), Vec::new());
    for positions in [25, 50, 100, 200, 400, 800, POSITIONS] {
        let found = measure_random_directions(positions, SMALL_VOCABULARY_SIZE)?;
        lists.push((positions as f64, found.mean_token_overlap));
        along.push((positions as f64, found.mean_direction_cosine));
    }
    let (mut shared, mut expected) = (Vec::new(), Vec::new());
    for vocabulary in (K..=150).step_by(10) {
        let found = measure_random_directions(400, u32::try_from(vocabulary).unwrap_or(u32::MAX))?;
        shared.push((vocabulary as f64, found.mean_token_overlap));
        expected.push((vocabulary as f64, chance_overlap(vocabulary, K)?));
    }
    let by_vocabulary = || {
        let shared = case_series("random directions", shared.iter().copied());
        let expected = case_series("expected of 20 different words", expected.iter().copied());
        (["words in the vocabulary", "overlap"], vec![shared, expected])
    };
    let by_positions = || -> ([&'static str; 2], Vec<CaseSeries>) {
        let lists = case_series("overlap", lists.iter().copied());
        let along = case_series("cosine", along.iter().copied());
        (["positions", "of random directions"], vec![lists, along])
    };
    let random = measure_random_directions(POSITIONS, SMALL_VOCABULARY_SIZE)?;
    let more = measure_random_directions(POSITIONS, 144)?;
    Ok(vec![
        overlap(&measure_direction_on_words(K)?).to_report(
            ("ex34", Document, Best),
            "The 20 strongest positions hold 20 different words, which are the 20 promoted ones: the overlap is \
             1, and takes as many words.",
            by_words(),
        ),
        overlap(&measure_direction_on_words(1)?).to_report(
            ("ex34", Document, Best),
            "A direction that stands for one word, at all of its strongest positions: one twentieth, since 20 \
             words are promoted in any case.",
            by_words(),
        ),
        overlap(&measure_direction_on_words(6)?).to_report(
            ("ex34", Code, Best),
            "A direction of six words, without any fault: six of 20 is the limit. It takes seven words to pass.",
            by_words(),
        ),
        cosine(&measure_direction_on_words(K)?).to_report(
            ("ex34", Document, Best),
            "The stream varies along the direction alone: the first principal component is the direction.",
            by_variation(),
        ),
        cosine(&measure_varying_direction(0.0)?).to_report(
            ("ex34", Document, Best),
            "A direction that is equally strong at all its words: their mean is taken away, and the direction \
             with it. Whatever else varies is the first principal component.",
            by_variation(),
        ),
        overlap(&random).to_report(
            ("ex34", Code, Worst),
            "Random directions, as the code draws them, on a vocabulary of 30 words: the lists agree by chance, \
             and pass.",
            by_vocabulary(),
        ),
        overlap(&more).to_report(
            ("ex34", Code, Worst),
            "Random directions on 144 words, as many as the toy model has: chance does not suffice.",
            by_vocabulary(),
        ),
        cosine(&random).to_report(
            ("ex34", Document, Worst),
            "Random directions in a random stream of 16 dimensions and 2,000 positions: where a direction is \
             strongest, either way, the stream varies along it. Any direction passes.",
            by_positions(),
        ),
    ])
}
