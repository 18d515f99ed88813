//! FADE's and CE-Bench's metrics against vectors (tests/golden/{fade_*,cebench_*}.json).

use serde_json::Value;
use sfc_bench::papers::ce_bench::metric::{PairError, Reading as PairReading, StoryLatents, max_z_score, score_pair};
use sfc_bench::papers::fade::metric::{
    Norm, RatedDose, Reading, Sample, SamplingBands, clarity, faithfulness, max_abs_pool, purity, responsiveness,
};
use sfc_bench::statistics::normal_cdf;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, number, numbers};

fn cases(text: &str, at_least: usize) -> Vec<Value> {
    let cases = json(text)["cases"].as_array().expect("cases").clone();
    assert!(cases.len() >= at_least);
    cases
}

fn name(case: &Value) -> &str {
    case["name"].as_str().expect("a name")
}

fn is_finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

#[test]
fn clarity_responsiveness_and_purity_are_scikit_learns() {
    let mut valued = 0;
    for case in cases(include_str!("../golden/fade_gini_ap.json"), 13) {
        let (with, without) = (numbers(&case["input"]["concept"]), numbers(&case["input"]["non_concept"]));
        let expected = &case["expected"];
        let activations = [with.clone(), without.clone()].concat();
        let labels = [vec![2; with.len()], vec![0; without.len()]].concat();
        if with.is_empty() || without.is_empty() {
            assert!(clarity(&with, &without, Reading::Code, Norm::Elements).is_err());
            let none = responsiveness(&activations, &labels, Reading::Code, Norm::Elements);
            assert_eq!(none, Ok(None));
            assert_eq!(purity(&activations, &labels, Reading::Code), Ok(None));
            continue;
        }
        if !is_finite(&activations) {
            let refused = clarity(&with, &without, Reading::Code, Norm::Elements);
            assert!(refused.is_err(), "{}", name(&case));
            assert!(purity(&activations, &labels, Reading::Document).is_err());
            continue;
        }
        for (reading, gini, ap) in
            [(Reading::Document, "gini_abs_document", "ap_document"), (Reading::Code, "gini_abs", "ap_code")]
        {
            let close = |found, key: &str| {
                assert_close(name(&case), found, number(&expected[key]), 1e-12, 1e-14);
            };
            let clear = clarity(&with, &without, reading, Norm::Elements).unwrap();
            close(clear.unwrap(), gini);
            let responsive = |activations: &[f64], labels: &[u8]| {
                responsiveness(activations, labels, reading, Norm::Elements).unwrap().unwrap()
            };
            close(responsive(&activations, &labels), gini);
            close(purity(&activations, &labels, reading).unwrap().unwrap(), ap);
            // Texts that express it partially are left out.
            let more = [activations.clone(), vec![9e9]].concat();
            let partial = [labels.clone(), vec![1]].concat();
            close(responsive(&more, &partial), gini);
            close(purity(&more, &partial, reading).unwrap().unwrap(), ap);
        }
        valued += 1;
    }
    assert!(valued >= 8, "{valued}");
}

#[test]
fn faithfulness_is_the_closed_form() {
    for case in cases(include_str!("../golden/fade_faithfulness.json"), 9) {
        let expected = &case["expected"];
        let doses: Vec<RatedDose> = case["input"]["ratings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rating| RatedDose {
                factor: number(&rating["factor"]),
                labels: numbers(&rating["labels"]).iter().map(|label| *label as u8).collect(),
            })
            .collect();
        let found = faithfulness(&doses);
        if expected["faithfulness"] == "reject" {
            assert!(found.is_err(), "{}", name(&case));
            continue;
        }
        let found = found.unwrap();
        assert_close(name(&case), found.value, number(&expected["faithfulness"]), 1e-14, 1e-15);
        let shares: Vec<f64> = found.clear_shares.iter().map(|share| share.unwrap_or(f64::NAN)).collect();
        let wanted = numbers(&expected["R"]);
        assert!(shares.iter().zip(&wanted).all(|(a, b)| a == b || (a.is_nan() && b.is_nan())));
        assert_eq!(found.best_factor, expected["argmax_factor"].as_f64(), "{}", name(&case));
        if let Some(largest) = expected.get("max_modification_factor_code") {
            assert_eq!(found.largest_factor, largest.as_f64(), "{}", name(&case));
        }
        let undefined = expected.get("faithfulness_code").is_some();
        assert_eq!(found.is_saturated, undefined, "{}", name(&case));
    }
}

#[test]
fn pooling_and_the_sampler_are_the_codes() {
    for case in cases(include_str!("../golden/fade_pooling.json"), 5) {
        let found = max_abs_pool(&numbers(&case["input"]["token_activations"]));
        assert_eq!(found, case["expected"]["sample_activation"].as_f64(), "{}", name(&case));
    }
    for case in cases(include_str!("../golden/fade_sampler.json"), 6) {
        let (input, expected) = (&case["input"], &case["expected"]);
        let [texts, wanted] = ["n", "num_samples"].map(|key| number(&input[key]) as usize);
        let Some(found) = SamplingBands::plan(texts, wanted, number(&input["top_fraction"])) else {
            assert_eq!(expected["all"], true, "{}", name(&case));
            continue;
        };
        let whole = |values: &[usize]| values.iter().map(|value| *value as f64).collect::<Vec<_>>();
        assert_eq!(expected["all"], false);
        assert_eq!(whole(&found.edges), numbers(&expected["band_edges"]), "{}", name(&case));
        assert_eq!(whole(&found.drawn_per_band), numbers(&expected["drawn"]), "{}", name(&case));
        assert_eq!(found.wanted_per_band as f64, number(&expected["samples_per_band"]));
        assert_eq!(found.top_count as f64, number(&expected["remaining_from_top"]));
        assert_eq!(found.takes_everything, expected["code_bug_remaining_zero_takes_everything"]);
    }
}

/// Which texts are rated, and what the note's formula divides by (tests/golden/fade_choices.json).
#[test]
fn samples_and_literal_norms_are_numpys_and_scikit_learns() {
    let mut above = 0;
    for case in cases(include_str!("../golden/fade_choices.json"), 11) {
        let (input, expected) = (&case["input"], &case["expected"]);
        let (natural, made) = (numbers(&input["natural"]), numbers(&input["made"]));
        let labels: Vec<u8> = numbers(&input["labels"]).iter().map(|label| *label as u8).collect();
        let close = |what: &str, found: Option<f64>, wanted: &Value| match wanted.as_f64() {
            None => assert_eq!(found, None, "{}: {what}", name(&case)),
            Some(wanted) => {
                let what = format!("{}: {what}", name(&case));
                assert_close(&what, found.expect("a value"), wanted, 1e-12, 1e-12);
            }
        };
        let readings = [
            (Reading::Code, Norm::Elements, "code"),
            (Reading::Code, Norm::Nonzero, "code"),
            (Reading::Document, Norm::Elements, "elements"),
            (Reading::Document, Norm::Nonzero, "nonzero"),
        ];
        for (reading, norm, key) in readings {
            let found = clarity(&made, &natural, reading, norm).unwrap();
            close(&format!("clarity, {key}"), found, &expected["clarity"][key]);
            above += usize::from(found > Some(1.0));
        }
        let drawn = Sample::draw(
            &natural,
            number(&input["sample"]) as usize,
            number(&input["top"]),
            number(&input["seed"]) as u32,
        );
        for (reading, key) in [(Reading::Document, "note"), (Reading::Code, "code")] {
            let every: Vec<usize> = (0..natural.len()).collect();
            let rated = drawn.as_ref().map_or(&every[..], |sample| sample.text_indices(reading));
            let wanted = numbers(&expected["sample"][key]);
            let rated: Vec<f64> = rated.iter().map(|text| *text as f64).collect();
            assert_eq!(rated, wanted, "{}, by the {key}", name(&case));
            for (which, sample) in [("all", None), ("sampled", drawn.as_ref())] {
                let wanted = &expected[which];
                let (activations, labels) = match sample {
                    None => (natural.clone(), labels.clone()),
                    Some(sample) => (sample.select(&natural, reading), sample.select(&labels, reading)),
                };
                let found = purity(&activations, &labels, reading).unwrap();
                close(&format!("{which}: purity, {key}"), found, &wanted["purity"][key]);
                for (_, norm, key) in readings.iter().filter(|(other, ..)| *other == reading) {
                    let found = responsiveness(&activations, &labels, reading, *norm).unwrap();
                    let what = format!("{which}: responsiveness, {key}");
                    close(&what, found, &wanted["responsiveness"][key]);
                }
            }
        }
    }
    assert!(above >= 3, "a literal norm makes no share: {above}");
}

/// Scores of many activations come to what the distributions say.
#[test]
fn planted_distributions_have_their_clarity() {
    const COUNT: usize = 2_000;
    let quantile = |at: usize, mean: f64, sigma: f64| {
        let share = (at as f64 + 0.5) / COUNT as f64;
        mean + sigma * sfc_bench::statistics::normal_quantile(share).unwrap()
    };
    let mut seen = 0;
    for case in cases(include_str!("../golden/fade_planted.json"), 8) {
        let (input, expected) = (&case["input"], &case["expected"]);
        if let (Some(a), Some(b)) = (input["mu_concept"].as_f64(), input["mu_other"].as_f64()) {
            let sigma = number(&input["sigma"]);
            let of = |mean| (0..COUNT).map(|at| quantile(at, mean, sigma)).collect::<Vec<_>>();
            let found = clarity(&of(a), &of(b), Reading::Code, Norm::Elements).unwrap().unwrap();
            assert_close(name(&case), found, number(&expected["population_gini"]), 0.0, 1e-3);
            let closed = 2.0 * normal_cdf((a - b) / (sigma * f64::sqrt(2.0))) - 1.0;
            assert_close(name(&case), closed, number(&expected["population_gini"]), 1e-10, 1e-12);
        } else {
            let firing = |share: f64| {
                let active = (share * 1_000.0).round() as usize;
                [vec![1.0; active], vec![0.0; 1_000 - active]].concat()
            };
            let (p, q) = (number(&input["p_fire_given_concept"]), number(&input["p_fire_given_other"]));
            let found = |reading| clarity(&firing(p), &firing(q), reading, Norm::Elements).unwrap().unwrap();
            let wanted = |key: &str| number(&expected[key]);
            assert_close(name(&case), found(Reading::Code), wanted("population_gini_abs"), 1e-10, 1e-12);
            let strict = wanted("population_gini_abs_document_strict");
            assert_close(name(&case), found(Reading::Document), strict, 1e-10, 1e-12);
        }
        seen += 1;
    }
    assert!(seen >= 8);
}

#[test]
fn pair_scores_of_four_readings_are_numpys() {
    let mut seen = 0;
    for case in cases(include_str!("../golden/cebench_scores.json"), 10) {
        let (input, expected) = (&case["input"], &case["expected"]);
        let rows = |key: &str| -> Vec<f64> { input[key].as_array().unwrap().iter().flat_map(numbers).collect() };
        let marks = |key: &str| -> Vec<bool> {
            input[key].as_array().unwrap().iter().map(|mark| mark.as_bool().unwrap()).collect()
        };
        let (a, b, mean) = (rows("A"), rows("B"), numbers(&input["I_avg"]));
        let (marked_a, marked_b) = (marks("marked_A"), marks("marked_B"));
        let stories = [StoryLatents { latents: &a, marks: &marked_a }, StoryLatents { latents: &b, marks: &marked_b }];
        for reading in PairReading::ALL {
            let found = score_pair(stories, mean.len(), &mean, reading);
            if expected.is_string() {
                assert!(matches!(found, Err(PairError::NonFinite { story: 0, token: 0, latent: 0, .. })));
                continue;
            }
            let Some(expected) = expected.get(reading.name()) else { continue };
            let found = found.unwrap();
            for (key, found) in [
                ("contrastive", found.contrastive),
                ("independence", found.independence),
                ("interpretability", found.interpretability),
            ] {
                let wanted = number(&expected[key]);
                let what = format!("{} {} {key}", name(&case), reading.name());
                assert_eq!(found.is_nan(), wanted.is_nan(), "{what}");
                if !wanted.is_nan() {
                    assert_close(&what, found, wanted, 1e-10, 1e-12);
                }
            }
            if let Some(latent) = expected["argmax_contrastive"].as_u64() {
                assert_eq!(found.contrastive_latent as u64, latent, "{}", name(&case));
                let latent = expected["argmax_independence"].as_u64().unwrap();
                assert_eq!(found.independence_latent as u64, latent, "{}", name(&case));
            }
            seen += 1;
        }
    }
    assert!(seen >= 34, "{seen}");
}

#[test]
fn the_largest_z_score_is_that_of_one_latent_alone() {
    for case in cases(include_str!("../golden/cebench_zmax_bound.json"), 5) {
        let latents = number(&case["input"]["D"]) as usize;
        let expected = &case["expected"];
        for (ddof, key) in [(0, "bound_ddof0"), (1, "bound_ddof1")] {
            let bound = max_z_score(latents, ddof);
            assert_close(name(&case), bound, number(&expected[key]), 1e-14, 0.0);
        }
        let mut one = vec![0.0; latents];
        one[latents - 1] = 3.0;
        let none = vec![0.0; latents];
        let stories =
            [StoryLatents { latents: &one, marks: &[true] }, StoryLatents { latents: &none, marks: &[false] }];
        let found = score_pair(stories, latents, &[], PairReading::V1Marked).unwrap();
        assert_close(name(&case), found.contrastive, number(&expected["z_max_ddof0"]), 1e-10, 0.0);
        assert_eq!(found.contrastive_latent, latents - 1);
    }
}

#[test]
fn pairs_that_do_not_fit_are_refused() {
    let story = StoryLatents { latents: &[1.0, 2.0], marks: &[true] };
    let scored = |stories, latents, mean: &[f64], reading| score_pair(stories, latents, mean, reading).unwrap_err();
    assert_eq!(scored([story, story], 0, &[], PairReading::Readme), PairError::NoLatents);
    assert!(matches!(
        scored([story, story], 3, &[], PairReading::Readme),
        PairError::Shape { story: 0, found: 2, tokens: 1, latents: 3 }
    ));
    let error = scored([story, story], 2, &[0.0], PairReading::Paper).to_string();
    assert_eq!(error, "mean of the data set: 1 latents; allowed: 2");
}
