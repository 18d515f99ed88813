//! What the thresholds of measurement theory's fifteen metrics can reach: the cases that are built, and searches that
//! find none beyond them.

use sfc_bench::papers::measurement::attainable_range::{self, CaseKind, CaseReport};
use sfc_bench::papers::measurement::metric::adaptive_sparsity::{MISMATCH_THRESHOLD, adaptive_sparsity};
use sfc_bench::papers::measurement::metric::architecture_duality::{
    ComparedAutoencoder, Settings, architecture_duality,
};
use sfc_bench::papers::measurement::metric::matryoshka::matryoshka;
use sfc_bench::papers::measurement::metric::safety_sve::safety_sve;
use sfc_bench::papers::measurement::metric::superposition::{Regime, superposition};
use sfc_bench::papers::measurement::metric::{
    Activations, Condition, METRICS, Reading, chance_agreement, nla_sae, weight_lens,
};
use sfc_bench::{Matrix, NumpyRng};

use super::common::assert_close;
use CaseKind::{Best, Worst};
use Reading::{Code, Document};

fn drawn(seed: u32, rows: usize, cols: usize) -> Matrix {
    let mut out = Matrix::zeros(rows, cols);
    NumpyRng::new(seed).fill_standard_normal(out.data_mut());
    out
}

/// Of each row the first `kept` of an order that is drawn anew, as 1.
fn active(rng: &mut NumpyRng, rows: usize, cols: u32, kept: usize) -> Matrix {
    let mut out = Matrix::zeros(rows, cols as usize);
    for row in 0..rows {
        for at in rng.choice(cols, kept) {
            out.row_mut(row)[at as usize] = 1.0;
        }
    }
    out
}

#[test]
fn every_metric_has_cases_for_all_its_pass_conditions() {
    let all = attainable_range::all_cases().unwrap();
    let mut names: Vec<&str> = all.iter().map(|one| one.metric).collect();
    names.dedup();
    assert_eq!(names, METRICS.map(|about| about.id));
    let same = |a: &Condition, b: &Condition| (a.quantity, a.relation, a.limit) == (b.quantity, b.relation, b.limit);
    for about in METRICS {
        let cases = attainable_range::cases_for_metric(about.id).unwrap();
        assert!(cases.iter().all(|one| one.metric == about.id));
        for condition in about.passes.document.iter().chain(about.passes.code) {
            let found = cases.iter().any(|one| same(&one.condition, condition));
            assert!(found, "{}: {condition:?}", about.id);
        }
        // Those that only report are read by their tables.
        let rows = || about.table.iter().flat_map(|row| row.when);
        if about.passes.document.is_empty() && about.id != "m13" {
            for quantity in rows().map(|condition| condition.quantity) {
                assert!(cases.iter().any(|one| one.condition.quantity == quantity), "{quantity}");
            }
        }
        // What cases are held against is what is said of the metric; M13's rule is a function.
        let known: Vec<&Condition> = rows().chain(about.passes.document).chain(about.passes.code).collect();
        for one in cases.iter().filter(|one| !is_of_the_rule(one)) {
            let condition = &one.condition;
            let known =
                known.iter().any(|other| (other.quantity, other.limit) == (condition.quantity, condition.limit));
            assert!(known, "{}: {condition:?}", about.id);
        }
    }
    let error = attainable_range::cases_for_metric("m15").unwrap_err();
    assert_eq!((error.code(), error.field()), ("settings.metric", Some("metric")));
}

/// Whether it is held against a number of M13's rule, which changes the regime there.
fn is_of_the_rule(one: &CaseReport) -> bool {
    let limit = one.condition.limit;
    let [below, above] = [limit, limit + 1e-9];
    match one.condition.quantity {
        "packing_ratio" | "feature_packing" => {
            assert_ne!(Regime::by_code_rule(below, 0.0), Regime::by_code_rule(above, 0.0));
            assert_ne!(Regime::by_document_rule(below, 0.0), Regime::by_document_rule(above, 0.0));
        }
        "interference" => {
            assert_ne!(Regime::by_code_rule(1.0, below), Regime::by_code_rule(1.0, above));
            assert_ne!(Regime::by_document_rule(0.0, below), Regime::by_document_rule(0.0, above));
        }
        _ => return false,
    }
    true
}

#[test]
fn cases_can_be_drawn() {
    for one in attainable_range::all_cases().unwrap() {
        let CaseReport { metric, value, condition, holds, ref shows, .. } = one;
        let what = format!("{metric} {}: {}", condition.quantity, one.says);
        assert!(value.is_finite(), "{what}");
        assert_eq!(holds, condition.holds(value), "{what}");
        assert!((1..=2).contains(&shows.len()), "{what}");
        let numbers: usize = shows.iter().map(|shown| shown.x.len() + shown.y.len()).sum();
        assert!(numbers <= 200, "{numbers}: {what}");
        for shown in shows {
            assert!(!shown.x.is_empty() && shown.x.len() == shown.y.len(), "{what}");
            assert!(shown.x.iter().chain(&shown.y).all(|value| value.is_finite()), "{what}");
            assert!(!shown.name.is_empty() && one.axes.iter().all(|axis| !axis.is_empty()));
        }
    }
}

/// Every case: whose reading, which end, of which quantity, its value to four digits, and whether the condition holds.
#[test]
fn cases_have_the_values_that_are_said_of_them() {
    let wanted = [
        ("m07", Code, Worst, "agreement_code", 0.784, true),
        ("m07", Code, Worst, "agreement_code", 0.5, true),
        ("m07", Code, Worst, "agreement_code", 0.03125, false),
        ("m07", Document, Worst, "agreement_document", 0.5, true),
        ("m07", Document, Worst, "agreement_document", 0.3937, true),
        ("m07", Document, Worst, "agreement_document", 0.1746, false),
        ("m07", Document, Best, "agreement_document", 0.5, true),
        ("m07", Document, Best, "agreement_document", 0.5, false),
        ("m08", Document, Best, "agreement", 0.02, false),
        ("m08", Document, Best, "agreement", 0.3, false),
        ("m08", Document, Best, "agreement", 0.32, true),
        ("m08", Document, Best, "agreement", 0.5, false),
        ("m08", Document, Worst, "agreement", 0.3325, true),
        ("m08", Document, Worst, "agreement", 0.2232, false),
        ("m08", Document, Worst, "agreement", 3.6 / 19.0, false),
        ("m08", Document, Worst, "frac_above", 0.6, true),
        ("m09", Code, Worst, "mean_overlap", 1.0, true),
        ("m09", Document, Worst, "mean_overlap", 0.3952, false),
        ("m09", Code, Best, "mean_overlap", 0.8, true),
        ("m09", Document, Best, "mean_overlap", 0.8, false),
        ("m09", Document, Worst, "mean_overlap", 1.0, true),
        ("m09", Document, Worst, "mean_overlap", 0.0457, true),
        ("m09", Document, Best, "core_fraction_all_cycles", 25.0 / 256.0, true),
        ("m09", Document, Worst, "core_fraction_all_cycles", 0.0, true),
        ("m10", Document, Best, "rate", 0.0, true),
        ("m10", Document, Worst, "rate", 1.0, true),
        ("m10", Document, Best, "rate", 0.0, true),
        ("m10", Code, Best, "rate", 1.0, false),
        ("m10", Document, Worst, "rate", 0.0, true),
        ("m10", Document, Worst, "n_dead", 0.0, false),
        ("m11", Document, Best, "consistency_document", 0.5, false),
        ("m11", Code, Best, "consistency_code", 0.5, false),
        ("m11", Code, Best, "consistency_code", 1.0, true),
        ("m11", Code, Worst, "consistency_code", 0.8958, true),
        ("m11", Code, Worst, "consistency_code", 1.0, true),
        ("m11", Document, Worst, "consistency_document", 0.75, true),
        ("m11", Document, Worst, "consistency_document", 1.0 - 1.0 / 64.0, true),
        ("m11", Code, Worst, "consistency_code", 0.5, false),
        ("m11", Document, Best, "splitting_rate", 1.0, true),
        ("m11", Document, Worst, "absorption_rate_document_all_large", 0.5, true),
        ("m12", Document, Worst, "k_mismatch_rate_document", 0.0, true),
        ("m12", Code, Worst, "k_mismatch_rate", 0.0, true),
        ("m12", Code, Worst, "k_mismatch_rate", 0.0, true),
        ("m12", Code, Best, "k_mismatch_rate", 0.0, true),
        ("m12", Code, Worst, "k_mismatch_rate", 0.25, false),
        ("m12", Document, Worst, "k_mismatch_rate_document", 0.25, false),
        ("m12", Code, Worst, "k_mismatch_rate", 0.0, true),
        ("m12", Document, Worst, "k_mismatch_rate_document", 0.25, false),
        ("m13", Document, Best, "packing_ratio", 1.0, false),
        ("m13", Document, Best, "interference", 0.0, false),
        ("m13", Code, Best, "share_strong", 0.0, false),
        ("m13", Document, Best, "share_strong", 0.0, false),
        ("m13", Document, Best, "packing_ratio", 1.0, true),
        ("m13", Code, Best, "packing_ratio", 19.0 / 48.0, false),
        ("m13", Code, Best, "share_weak", 1.0, true),
        ("m13", Document, Best, "feature_packing", 2.0, true),
        ("m14", Code, Worst, "sve_code", 1.9459, true),
        ("m14", Code, Worst, "sve_code", 2.0794, false),
        ("m14", Document, Worst, "sve_document", 1.9459, true),
        ("m14", Document, Worst, "sve_document", 2.0794, false),
        ("m14", Document, Best, "stability_document", 1.0, true),
        ("m14", Document, Worst, "stability_document", 0.0, false),
        ("m14", Code, Worst, "stability_code", 0.0, false),
        ("m14", Code, Worst, "stability_code", 1.0, true),
        ("m14", Document, Worst, "effective_rank_90_document", 3.0, true),
        ("ex1", Document, Best, "dprime", 2.0004, true),
        ("ex1", Document, Best, "dprime", 1.96, false),
        ("ex1", Document, Best, "dprime", 1.1503, true),
        ("ex1", Code, Best, "dprime", 0.0, false),
        ("ex1", Code, Best, "auc", 1.0, true),
        ("ex1", Document, Worst, "auc", 0.5, false),
        ("ex2", Code, Worst, "max_dif_code", 0.0, true),
        ("ex2", Code, Worst, "max_dif_code", 100.0, false),
        ("ex2", Document, Worst, "max_dif_standard", 50.0 * 3_f64.sqrt(), false),
        ("ex2", Document, Worst, "max_dif_standard", 0.0, true),
        ("ex11", Document, Best, "weber_consistency_code", 2.0 / 3.0, false),
        ("ex11", Document, Worst, "weber_consistency_code", 1.0, true),
        ("ex11", Document, Best, "share_detectable", 1.0, true),
        ("ex11", Code, Best, "share_detectable", 0.0, false),
        ("ex11", Code, Best, "share_detectable", 0.5, false),
        ("ex24", Code, Worst, "discriminability_code", 8e7, true),
        ("ex24", Code, Worst, "mean_cv_code", 0.0, true),
        ("ex24", Document, Worst, "discriminability_document", 6.4_f64.sqrt(), true),
        ("ex24", Document, Best, "discriminability_document", 14.4_f64.sqrt(), true),
        ("ex24", Document, Best, "cv_probe_sample", 0.025_f64.sqrt(), false),
        ("ex25", Code, Best, "coherence_code", 0.41, false),
        ("ex25", Code, Best, "coherence_code", 1.0, true),
        ("ex25", Document, Best, "coherence_aligned", 1.0, true),
        ("ex25", Document, Best, "deviation_rate", 1.0, false),
        ("ex25", Document, Best, "max_deviation", 5.6413, false),
        ("ex25", Document, Worst, "deviation_rate", 0.0, true),
        ("ex25", Document, Worst, "max_deviation", 0.0, true),
        ("ex25", Document, Worst, "coherence_aligned", -0.1, false),
        ("ex34", Document, Best, "mean_token_overlap", 1.0, true),
        ("ex34", Document, Best, "mean_token_overlap", 0.05, false),
        ("ex34", Code, Best, "mean_token_overlap", 0.3, false),
        ("ex34", Document, Best, "mean_direction_cosine", 1.0, true),
        ("ex34", Document, Best, "mean_direction_cosine", 0.0, false),
        ("ex34", Code, Worst, "mean_token_overlap", 0.4331, true),
        ("ex34", Code, Worst, "mean_token_overlap", 0.0677, false),
        ("ex34", Document, Worst, "mean_direction_cosine", 0.9341, true),
        ("mib", Document, Best, "cpr", 0.999, true),
        ("mib", Document, Worst, "cpr", 0.65, true),
        ("mib", Document, Worst, "cpr", 0.25, false),
        ("mib", Code, Worst, "cpr", 0.65, true),
        ("mib", Document, Worst, "least_faithfulness", 0.0, false),
    ];
    let all = attainable_range::all_cases().unwrap();
    assert_eq!(all.len(), wanted.len());
    for (one, (metric, reading, kind, quantity, value, holds)) in all.iter().zip(wanted) {
        let found = (one.metric, one.reading, one.kind, one.condition.quantity, one.holds);
        assert_eq!(found, (metric, reading, kind, quantity, holds), "{}", one.says);
        // Half of the last digit that is written above.
        assert_close(one.says, one.value, value, 1e-9, 5e-5);
    }
}

#[test]
fn as_many_active_features_are_half_of_the_agreement() {
    let mut rng = NumpyRng::new(1);
    let mut least: f64 = 1.0;
    for seed in 0..40 {
        let (features, width) = (8 + rng.next_word() % 24, 4 + rng.next_word() as usize % 28);
        let kept = 1 + rng.next_word() as usize % 8;
        let [a, b] = [0, 1].map(|_| active(&mut rng, 20, features, kept));
        let [d, e] = [0, 100].map(|more| drawn(seed + more, features as usize, width));
        let side = |codes, directions| ComparedAutoencoder {
            activations: Activations::Dense(codes),
            decoder: directions,
            encoder: None,
        };
        let found = architecture_duality(&side(&a, &d), &side(&b, &e), &Settings::default());
        least = least.min(found.unwrap().agreement_code);
    }
    assert!(least > 0.5, "{least}");
    // Without anything in common it is the ratio alone that decides.
    for active in 1..=10 {
        let found = attainable_range::orthogonal_pair(10, active, Code).unwrap();
        assert_close("half of the ratio", found.value, active as f64 / 20.0, 1e-15, 0.0);
        assert_eq!(found.holds(), active > 6);
    }
    // Chance alone passes in the text's reading up to twelve dimensions.
    for (width, passes) in [(4, true), (12, true), (14, false), (48, false)] {
        assert_eq!(0.5 * chance_agreement(width, 2 * width).unwrap() > 0.3, passes, "{width}");
    }
    let random = attainable_range::untrained_pair(8, 16, 2, Document).unwrap().case;
    assert!(random.direction_agreement_document.unwrap() > 0.6, "{random:?}");
    for moved in 2..=16 {
        let found = attainable_range::renumbered_pair(16, moved, 0.3).unwrap();
        assert_close("numbers", found.value, 1.0 - moved as f64 / 32.0, 1e-15, 0.0);
        assert_eq!(found.case.direction_agreement_document, Some(1.0));
    }
}

#[test]
fn lists_of_words_agree_by_chance_or_not_at_all() {
    for words in 1..=50 {
        let found = attainable_range::perfect_feature(words, weight_lens::TOP_K).unwrap();
        assert_close("words", found.value, words as f64 / 50.0, 1e-15, 0.0);
        assert_eq!(found.holds(), words >= 16);
    }
    // The mean of many pairs of random lists, within five times its standard error (0.05 each at most).
    let mut rng = NumpyRng::new(2);
    for (vocabulary, k) in [(100, 50), (144, 50), (43, 20), (144, 20)] {
        let mut sum = 0.0;
        for _ in 0..1_000 {
            let [mut a, mut b] = [0, 1].map(|_| rng.choice(vocabulary, k));
            a.sort_unstable();
            b.retain(|word| a.binary_search(word).is_ok());
            sum += b.len() as f64 / (2 * k - b.len()) as f64;
        }
        let chance = attainable_range::chance_overlap(vocabulary as usize, k).unwrap();
        assert_close("chance", chance, sum / 1_000.0, 0.0, 5.0 * 0.05 / 1_000_f64.sqrt());
    }
    assert_close("all", attainable_range::chance_overlap(50, 50).unwrap(), 1.0, 1e-12, 0.0);
    assert!(attainable_range::chance_overlap(49, 50).is_err() && attainable_range::chance_overlap(9, 0).is_err());
    // The largest vocabularies on which random lists pass.
    let passes = |words, k| attainable_range::chance_overlap(words, k).unwrap() > 0.3;
    assert!(passes(108, weight_lens::TOP_K) && !passes(109, weight_lens::TOP_K));
    assert!(passes(43, nla_sae::TOP_K) && !passes(44, nla_sae::TOP_K));
    let both = attainable_range::measure_random_directions(2_000, 30).unwrap();
    assert!(both.passed && both.enough_positions, "{both:?}");
}

#[test]
fn cores_stay_by_construction() {
    let (code, document) =
        (attainable_range::frozen_cycles(Code).unwrap(), attainable_range::frozen_cycles(Document).unwrap());
    assert_eq!(code.case.code.drawn_anew, 0.0);
    assert!(code.case.code.cores.iter().all(|core| *core == code.case.code.last));
    assert!(document.case.document.drawn_anew > 50.0 && !document.holds());
    for features in 10..200 {
        assert!(attainable_range::constant_core(features).unwrap().value <= 0.1, "{features}");
    }
    assert!(attainable_range::constant_core(9).unwrap().value > 0.1);
    for seed in 0..20 {
        let found = attainable_range::random_cores(3, seed).unwrap();
        // A tenth of a tenth is in common: 1/19, with a standard error of 0.03.
        assert_close("random", found.value, 1.0 / 19.0, 0.0, 0.12);
        assert!(found.case.core_fraction_all_cycles < 0.01);
    }
}

#[test]
fn what_contexts_have_in_common_hides_their_kinds() {
    for common in [0.0, 0.5, 0.99, 1.01, 3.0] {
        let found = attainable_range::contexts_with_common_direction(common).unwrap();
        let wanted = if common < 1.0 { 1.0 } else { 0.0 };
        assert_eq!(found.value, wanted, "{common}");
        let heights = &found.case.polysemanticity.features[0].clusters.merge_heights;
        let apart = 1.0 / (1.0 + common * common);
        assert_close("apart", *heights.last().unwrap(), apart, 1e-12, 0.0);
    }
    for dead in [0, 99, 100, 101, 150] {
        let found = attainable_range::dead_features(dead).unwrap();
        assert_eq!(found.value, dead.saturating_sub(100) as f64);
    }
    assert!(
        attainable_range::single_context_features(Code).unwrap().case.polysemanticity.features[0].contexts.len() == 20
    );
}

#[test]
fn at_one_large_feature_each_no_pair_fails_in_the_texts_reading() {
    let mut rng = NumpyRng::new(3);
    for seed in 0..60 {
        let small = 2 + rng.next_word() as usize % 20;
        let large = small + rng.next_word() as usize % 20;
        let all = drawn(seed, 12, large);
        // Copies of a few large features, dead ones, or random ones.
        let few = 1 + rng.next_word() as usize % large;
        let mut codes = drawn(seed + 500, 12, small);
        let kind = seed % 3;
        for at in 0..small {
            let of = rng.next_word() as usize % few;
            for row in 0..12 {
                let value = &mut codes.row_mut(row)[at];
                *value = [all.row(row)[of], 0.0, *value][kind as usize];
            }
        }
        let dense = Activations::Dense;
        let found = matryoshka(dense(&codes), dense(&all), &drawn(7, large, 4), 1, 0.5).unwrap();
        assert!(found.consistency_document >= 0.75 && found.pass_document, "{found:?}");
    }
    // With orthogonal directions none passes at any other k.
    for k in 2..=20 {
        for reading in [Document, Code] {
            assert_eq!(attainable_range::nested_dictionaries(16, k, reading).unwrap().value, 0.5, "{k}");
        }
    }
    // Directions whose |cosines| are ½ in the mean fill less than four dimensions.
    for seed in 0..200 {
        let width = 2 + seed as usize % 3;
        let k = 3 + seed as usize % 18;
        let directions = drawn(seed, k, width);
        let (mut sum, mut squares) = (0.0, k as f64);
        for (at, a) in directions.iter_rows().enumerate() {
            for b in directions.iter_rows().skip(at + 1) {
                let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                let cosine = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
                sum += cosine.abs();
                squares += 2.0 * cosine * cosine;
            }
        }
        let coherence = sum / (k * (k - 1) / 2) as f64;
        let filled = (k * k) as f64 / squares;
        if coherence >= 0.5 {
            assert!(filled <= 4.0 * k as f64 / (k + 3) as f64 + 1e-12, "{k}: {filled}");
        }
    }
}

#[test]
fn fewer_than_a_third_of_the_inputs_can_be_off() {
    let mut rng = NumpyRng::new(5);
    let mut most: f64 = 0.0;
    for _ in 0..500 {
        let n = 10 + rng.next_word() as usize % 90;
        let few = 1 + rng.next_word() as usize % n;
        let k: Vec<f64> = (0..n).map(|at| if at < few { 20.0 + f64::from(rng.next_word() % 3) } else { 0.0 }).collect();
        // Where complexity does not vary, the mean is expected of all.
        let found = adaptive_sparsity(&vec![6.0; n], &k, MISMATCH_THRESHOLD).unwrap();
        assert_eq!(found.under_activation_rate, 0.0);
        assert_eq!(found.under_activation_rate_document, 0.0);
        most = most.max(found.k_mismatch_rate_document);
    }
    assert!((0.3..1.0 / 3.0).contains(&most), "{most}");
    for (k, code, document) in [(1.0, 0.0, 0.25), (4.0, 0.25, 0.25), (50.0, 0.25, 0.25)] {
        assert_eq!(attainable_range::bursty_k(k, Code).unwrap().value, code, "{k}");
        assert_eq!(attainable_range::bursty_k(k, Document).unwrap().value, document, "{k}");
        assert_eq!(attainable_range::fixed_k(k, Code).unwrap().value, 0.0);
    }
}

#[test]
fn spectra_are_bounded() {
    for width in [2, 5, 16] {
        let crowded = attainable_range::isotropic_layer(width).unwrap();
        assert_close("packing", crowded.value, 1.0, 1e-12, 0.0);
        assert!(crowded.case.1.interference_is_numerically_zero);
        assert_eq!(crowded.case.0.regime_code, Regime::Transition);
    }
    // Twenty texts, however often they come, cannot leave the weak regime from 24 dimensions on.
    let texts = drawn(1, 20, 24);
    let mut often = Matrix::zeros(100, 24);
    for row in 0..100 {
        often.row_mut(row).copy_from_slice(texts.row(row % 20));
    }
    let found = superposition(&often).unwrap();
    assert!(found.packing_ratio <= 19.0 / 24.0 && found.regime_code == Regime::Weak);
    // No directions of eight layers have a larger entropy than those that are built.
    for seed in 0..50 {
        let layers = 2 + seed as usize % 8;
        let found = safety_sve(&drawn(seed, layers, 12), &[]).unwrap();
        let most = |reading| attainable_range::orthogonal_layers(layers, reading).unwrap().value + 1e-12;
        assert!(found.sve_code <= most(Code) && found.sve_document <= most(Document));
    }
    // Two layers have one direction less their mean, and are steady whatever it is.
    let two = attainable_range::stability_of_draws(2, false, Code).unwrap();
    assert!(two.case.sves_code.iter().all(|sve| sve.abs() < 1e-12) && two.value == 1.0);
    assert_eq!(two.case.pass_code, Some(true));
    assert_eq!(attainable_range::stability_of_draws(8, false, Code).unwrap().case.pass_code, Some(false));
}
