//! The audit's metrics that need judged texts: FADE's and CE-Bench's, of any dictionary of the residual stream.

use std::collections::BTreeMap;
use std::rc::Rc;

use sfc_bench::lab::audit::{AnyMetricFn, Decomposition, GroundTruth, Registry, World, transforms};
use sfc_bench::papers::ce_bench::{self, metric::Reading as PairReading};
use sfc_bench::papers::fade::{self, MeanScores, metric::Reading};
use sfc_bench::sae::{Activation, RowNorm, Weights};
use sfc_bench::synthetic::language::draw_texts;
use sfc_bench::{Matrix, toy_model};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn given() {
    give!("ck-00000", "ck-12000", "sae");
}

/// The shipped autoencoder as plain numbers.
fn topk256() -> Weights {
    let file = toy_model::open_file("sae").unwrap();
    let read = |name: &str| -> Vec<f64> {
        let found: Vec<f32> = file.array(&format!("topk256.{name}")).unwrap().read_all().unwrap();
        found.into_iter().map(f64::from).collect()
    };
    let matrix = |name: &str| Matrix::from_vec(256, 48, read(name)).unwrap();
    Weights {
        encoder: matrix("W_enc"),
        encoder_bias: read("b_enc"),
        decoder: matrix("W_dec"),
        decoder_bias: read("b_dec"),
        activation: Activation::TopK(8),
        normalisation: RowNorm::None,
        transcoder: None,
    }
}

/// So many texts of a seed after the toy model's second layer. No row is looked at here.
fn ground(seed: u32, count: usize) -> Rc<GroundTruth> {
    Rc::new(GroundTruth {
        checkpoint_layer: Some((toy_model::FINAL_CHECKPOINT, toy_model::AUTOENCODER_LAYER)),
        texts: draw_texts(seed, count),
        texts_seed: seed,
        ..GroundTruth::from_rows(World::Stream1, 0, Matrix::zeros(2, 48))
    })
}

fn of(ground: &Rc<GroundTruth>, weights: Weights) -> Decomposition {
    Decomposition::new(Rc::clone(ground), weights, || 0.0).unwrap()
}

/// What every metric of the two papers says.
fn values(it: &Decomposition) -> BTreeMap<&'static str, Option<f64>> {
    let registry = Registry::all();
    let metrics = registry.metrics().iter();
    let metrics = metrics.filter(|metric| ["fade", "ce-bench"].contains(&metric.paper));
    let found = metrics.map(|metric| match metric.measure {
        AnyMetricFn::Decomposition(of) => (metric.id, of(it).unwrap()),
        _ => panic!("{}: of no decomposition", metric.id),
    });
    let found: BTreeMap<_, _> = found.collect();
    assert_eq!(found.len(), 22);
    found
}

#[test]
fn fades_scores_are_those_of_its_own_run() {
    given();
    let found = values(&of(&ground(0, 24), topk256()).with_costly_metrics());
    let settings = fade::Settings { texts: 120, made: 8, seed: 0, continuations: 8, ..fade::Settings::default() };
    let report = fade::run(&settings, &mut |_, _| {}).unwrap();
    for (word, reading) in [("document", Reading::Document), ("code", Reading::Code)] {
        let wanted = MeanScores::mean_over(report.best_features(), reading);
        for (score, wanted) in
            [("clarity", wanted.clarity), ("responsiveness", wanted.responsiveness), ("purity", wanted.purity)]
        {
            assert_eq!(found[&*format!("fade.{score}.{word}")], Some(wanted), "{score} {word}");
        }
    }
    assert_eq!(report.means(), MeanScores::mean_over(report.best_features(), Reading::Code));
    assert_eq!(found["fade.faithfulness.document"], report.means().faithfulness);
    let steered = |feature: &&fade::Feature| feature.steered.as_ref().unwrap().saturated;
    let through = report.best_features().filter(|feature| feature.gate && !steered(feature));
    let faithful = through.clone().map(|feature| feature.steered.as_ref().unwrap().faithfulness);
    let mean = faithful.sum::<f64>() / through.count() as f64;
    assert_eq!(found["fade.faithfulness.code"], Some(mean));
    assert!(report.best_features().any(|feature| !feature.gate), "the gate has nothing to do");
}

#[test]
fn ce_benchs_scores_are_those_of_its_own_run() {
    given();
    // CE-Bench's own natural texts are the first 600 of seed 2.
    let found = values(&of(&ground(2, 120), topk256()));
    let settings = ce_bench::Settings { pairs: 40, seed: 2, ..ce_bench::Settings::default() };
    let wanted = ce_bench::EncodedStories::from_settings(&settings).unwrap().score_subject("topk256").unwrap();
    for reading in PairReading::ALL {
        let (name, totals) = (reading.name(), wanted.readings.get(reading));
        for (score, wanted) in [
            ("contrastive", totals.contrastive),
            ("independence", totals.independence),
            ("interpretability", totals.interpretability),
        ] {
            assert_eq!(found[&*format!("ce-bench.{score}.{name}")], Some(wanted), "{score} {name}");
        }
    }
    assert_eq!(found["ce-bench.winner.topic"], wanted.about.topic);
    assert_eq!(found["ce-bench.winner.mood"], wanted.about.mood);
    assert!(wanted.about.topic.is_some_and(|share| share > 0.5), "{:?}", wanted.about);
}

#[test]
fn a_permuted_decoder_is_seen_by_steering_alone() {
    given();
    let (ground, weights) = (ground(4, 24), topk256());
    let order: Vec<u32> = (0..256).map(|at| (at + 97) % 256).collect();
    let permuted = transforms::permute_decoder(&weights, &order);
    let found = values(&of(&ground, permuted).with_costly_metrics());
    for (id, wanted) in values(&of(&ground, weights).with_costly_metrics()) {
        if id.starts_with("fade.faithfulness") {
            let (found, wanted) = (found[id].unwrap(), wanted.unwrap());
            assert!(found < 0.7 * wanted, "{id}: {found}, in its order {wanted}");
        } else {
            assert!(wanted.is_some(), "{id}");
            assert_eq!(found[id], wanted, "{id}");
        }
    }
}

#[test]
fn what_is_never_active_is_clear_by_the_text_alone() {
    given();
    let found = values(&of(&ground(4, 24), transforms::silence_all(&topk256())));
    for (id, value) in found {
        let wanted = match id {
            "fade.clarity.document" | "fade.responsiveness.document" => Some(1.0),
            // As often as concepts are: no latent tells texts apart.
            "fade.purity.document" | "fade.purity.code" => {
                assert!(value.is_some_and(|value| (0.05..0.5).contains(&value)), "{id}: {value:?}");
                continue;
            }
            // Nobody asked for it.
            "fade.faithfulness.document" | "fade.faithfulness.code" => None,
            _ => Some(0.0),
        };
        assert_eq!(value, wanted, "{id}");
    }
}

#[test]
fn extremes_have_what_the_formula_gives() {
    given();
    let (ground, weights) = (ground(4, 24), topk256());
    // A row of which every latent is well above nothing, whatever else there is.
    let rows = Matrix::from_vec(2, 48, vec![0.0; 96]).unwrap();
    for (name, weights) in [
        ("dense", transforms::activate_all(&weights, &rows)),
        ("one", transforms::keep_latents(&weights, &[7])),
        ("copies", transforms::repeat_latent(&weights, 7)),
    ] {
        for (id, value) in values(&of(&ground, weights)) {
            let alone = name == "one" && id.ends_with("code_head");
            let steered = id.starts_with("fade.faithfulness");
            if alone {
                assert!(value.unwrap().is_nan(), "{id}: no deviation of one number with ddof 1");
            } else {
                assert_eq!(value.is_some_and(f64::is_finite), !steered, "{name} {id}: {value:?}");
            }
        }
    }
    let one = values(&of(&ground, transforms::keep_latents(&weights, &[7])));
    assert_eq!(one["ce-bench.contrastive.v1_marked"], Some(0.0), "one number is its own mean");
}

#[test]
fn draws_texts_and_layers_are_ones_own() {
    given();
    let usual = ground(4, 24);
    let found = values(&of(&usual, topk256()));
    let drawn = values(&of(&usual, topk256()).with_draw_seed(1));
    // A perfect rater says the same each time: only what is made differs.
    for (id, value) in &drawn {
        let of_natural = id.starts_with("fade.responsiveness")
            || id.starts_with("fade.purity")
            || id.starts_with("fade.faithfulness");
        if id.starts_with("fade.clarity") || id.starts_with("ce-bench.interpretability") {
            assert_ne!(found[id], *value, "{id}");
        } else if of_natural {
            assert_eq!(found[id], *value, "{id}");
        }
    }
    let other = values(&of(&ground(5, 24), topk256()));
    let earlier = GroundTruth { checkpoint_layer: Some((toy_model::FINAL_CHECKPOINT, 0)), ..(*usual).clone() };
    let earlier = values(&of(&Rc::new(earlier), topk256()));
    let untrained = GroundTruth { checkpoint_layer: Some(("ck-00000", 1)), ..(*usual).clone() };
    let untrained = values(&of(&Rc::new(untrained), topk256()));
    for id in ["fade.clarity.code", "fade.purity.document", "ce-bench.interpretability.paper"] {
        for other in [&other, &earlier, &untrained] {
            assert_ne!(found[id], other[id], "{id}");
        }
    }
    // The stream where it was trained serves it better than that of another layer or of no model.
    for other in [&earlier, &untrained] {
        assert!(other["fade.clarity.code"] < found["fade.clarity.code"]);
    }
}

#[test]
fn what_is_of_no_language_has_none() {
    let ground = Rc::new(GroundTruth { checkpoint_layer: None, ..GroundTruth::clone(&ground(4, 24)) });
    let weights = Weights {
        encoder: Matrix::zeros(2, 48),
        encoder_bias: vec![0.0; 2],
        decoder: Matrix::zeros(2, 48),
        decoder_bias: vec![0.0; 48],
        activation: Activation::Relu,
        normalisation: RowNorm::None,
        transcoder: None,
    };
    for (id, value) in values(&of(&ground, weights).with_costly_metrics()) {
        assert_eq!(value, None, "{id}");
    }
}
