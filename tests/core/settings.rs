//! What settings may be, how a refusal reads, and that no valid settings break a run.

use std::collections::BTreeMap;

use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::metric::fidelity::fidelity;
use sfc_bench::papers::sfc::metric::score::{ScoreAxis, WEIGHT_MAX, WEIGHT_MIN};
use sfc_bench::papers::sfc::settings::{
    BIAS_SCALE_RANGE, HIDDEN_RANGE, INPUTS_RANGE, LEVELS_MAX, NOISE_RANGE, OUTPUTS_RANGE, PAPER_K, PAPER_LEVELS,
    WEIGHT_SCALE_RANGE,
};
use sfc_bench::papers::sfc::{Curve, LayerAnalysis, NoProgress, Point, RunError};
use sfc_bench::settings::{MEMORY_CAP, Range};
use sfc_bench::synthetic::{PlantedNetwork, SAMPLES_RANGE, activations};
use sfc_bench::{
    CompletenessReading, Draft, FidelityMode, NumpyRng, PROFILES, Preset, Problem, Settings, Weights, WeightsError,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Sets a field of a draft.
type Set = fn(&mut Draft, f64);

/// Every field that is one number, with its range at the paper's hidden width.
fn number_fields() -> [(Range, Set); 12] {
    let up_to_hidden = |field| Range { field, min: 1.0, max: 64.0, whole: true };
    [
        (INPUTS_RANGE, |draft, value| draft.inputs = Some(value)),
        (HIDDEN_RANGE, |draft, value| draft.hidden = Some(value)),
        (OUTPUTS_RANGE, |draft, value| draft.outputs = Some(value)),
        (up_to_hidden("circuit"), |draft, value| draft.circuit = Some(value)),
        (WEIGHT_SCALE_RANGE, |draft, value| draft.weight_scale = Some(value)),
        (BIAS_SCALE_RANGE, |draft, value| draft.bias_scale = Some(value)),
        (NOISE_RANGE, |draft, value| draft.noise = Some(value)),
        (Range::seed("model_seed"), |draft, value| draft.model_seed = Some(value)),
        (Range::seed("data_seed"), |draft, value| draft.data_seed = Some(value)),
        (Range::seed("completeness_seed"), |draft, value| draft.completeness_seed = Some(value)),
        (SAMPLES_RANGE, |draft, value| draft.samples = Some(value)),
        (up_to_hidden("k"), |draft, value| draft.k = Some(value)),
    ]
}

fn with(set: Set, value: f64) -> Draft {
    let mut draft = Draft::default();
    set(&mut draft, value);
    draft
}

fn text(settings: &Settings) -> String {
    serde_json::to_string(settings).expect("settings are JSON")
}

/// What a valid draft's canonical JSON holds in a field.
fn held(draft: &Draft, field: &str) -> f64 {
    let settings = draft.parse().unwrap_or_else(|error| panic!("{draft:?}: {error}"));
    let json = serde_json::to_value(settings).expect("settings are JSON");
    json[field].as_f64().unwrap_or_else(|| panic!("{field} is no number in {json}"))
}

/// The only problem of a draft.
#[track_caller]
fn only_problem(draft: &Draft) -> Problem {
    let problems = draft.parse().expect_err("must be refused").0;
    assert_eq!(problems.len(), 1, "{problems:?}");
    let problem = problems.into_iter().next().unwrap();
    let Problem { code, field, value, allowed, message } = &problem;
    assert_eq!(*code, format!("settings.{field}"));
    assert_eq!(*message, format!("{field} is {value}; allowed: {allowed}"));
    problem
}

#[test]
fn limits_are_the_documented_ones() {
    let limits: Vec<_> = number_fields().map(|(range, _)| (range.field, range.min, range.max)).into();
    let seeds = f64::from(u32::MAX);
    assert_eq!(
        limits,
        [
            ("inputs", 1.0, 512.0),
            ("hidden", 2.0, 1024.0),
            ("outputs", 1.0, 64.0),
            ("circuit", 1.0, 64.0),
            ("weight_scale", 0.0, 100.0),
            ("bias_scale", 0.0, 100.0),
            ("noise", 0.0, 100.0),
            ("model_seed", 0.0, seeds),
            ("data_seed", 0.0, seeds),
            ("completeness_seed", 0.0, seeds),
            ("samples", 2.0, 200_000.0),
            ("k", 1.0, 64.0),
        ]
    );
}

#[test]
fn numbers_at_their_limits_are_taken_as_they_are() {
    for (range, set) in number_fields() {
        for value in [range.min, range.max] {
            assert_eq!(held(&with(set, value), range.field), value, "{}", range.field);
        }
        if !range.whole {
            assert_eq!(held(&with(set, f64::from_bits(1)), range.field), f64::from_bits(1));
        }
    }
}

#[test]
fn numbers_past_their_limits_are_refused_by_name() {
    for (range, set) in number_fields() {
        let past =
            if range.whole { [range.min - 1.0, range.max + 1.0] } else { [-f64::from_bits(1), range.max.next_up()] };
        let mut refused = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e300];
        refused.extend(past);
        if range.whole {
            refused.extend([range.min + 0.5, range.max - 0.5, range.max.next_down()]);
        }
        for value in refused {
            let problem = only_problem(&with(set, value));
            assert_eq!(problem.field, range.field);
            assert_eq!(problem.allowed, range.describe_allowed());
            let shown = match value {
                value if value.is_nan() => "not a number".to_owned(),
                value if value.is_finite() && value.abs() >= 1e15 => format!("{value:e}"),
                value => value.to_string(),
            };
            assert_eq!(problem.value, shown, "{}", range.field);
        }
    }
    assert_eq!(SAMPLES_RANGE.describe_allowed(), "a whole number from 2 to 200000");
    assert_eq!(NOISE_RANGE.describe_allowed(), "a number from 0 to 100");
}

#[test]
fn a_negative_zero_is_a_zero_everywhere() {
    for (range, set) in number_fields() {
        if range.min > 0.0 {
            assert_eq!(only_problem(&with(set, -0.0)).field, range.field);
        } else {
            let zeros = [0.0, -0.0].map(|zero| with(set, zero).parse().expect("zero is allowed"));
            assert_eq!(zeros[0], zeros[1]);
            assert_eq!(text(&zeros[0]), text(&zeros[1]), "{}", range.field);
        }
    }
    let levels = |zero| Draft { levels: Some(vec![zero, 0.5]), ..Draft::default() };
    let parsed = levels(-0.0).parse().unwrap();
    assert!(parsed.levels()[0].is_sign_positive());
    assert_eq!(text(&parsed), text(&levels(0.0).parse().unwrap()));
    let weights = |zero| Draft { weights: Some(vec![zero, 1.0, 1.0]), ..Draft::default() };
    assert_eq!(text(&weights(-0.0).parse().unwrap()), text(&weights(0.0).parse().unwrap()));
}

#[test]
fn circuit_and_k_reach_to_the_hidden_width() {
    for hidden in [2.0, 3.0, 128.0, 1024.0] {
        let draft = Draft { hidden: Some(hidden), ..Draft::default() };
        for set in [(|draft, value| draft.circuit = Some(value)) as Set, |draft, value| draft.k = Some(value)] {
            let [mut fits, mut exceeds] = [draft.clone(), draft.clone()];
            set(&mut fits, hidden);
            fits.parse().expect("as many as there are units");
            set(&mut exceeds, hidden + 1.0);
            assert_eq!(only_problem(&exceeds).allowed, format!("a whole number from 1 to {hidden}"));
        }
    }
}

#[test]
fn what_is_missing_follows_from_the_rest() {
    let parse = |draft: Draft| draft.parse().expect("valid");
    for (hidden, k, circuit) in [(2, 1, 2), (8, 7, 8), (48, 47, 8), (49, 48, 8), (1024, 48, 8)] {
        let settings = parse(Draft { hidden: Some(f64::from(hidden)), ..Draft::default() });
        assert_eq!((settings.k(), settings.shape().circuit), (k, circuit), "{hidden}");
    }
    let large = parse(Draft { config: Some("large".into()), ..Draft::default() });
    assert_eq!(Some(large.shape()), Preset::Large.shape());
    assert_eq!(large.k(), PAPER_K);
    let wider = Draft { config: Some("large".into()), inputs: Some(33.0), ..Draft::default() };
    assert_eq!(parse(wider.clone()).config(), Preset::Custom);
    assert_eq!(parse(wider).shape().hidden, 128);

    let paper = parse(Draft::default());
    assert_eq!(paper, Settings::default());
    assert_eq!(paper.levels(), PAPER_LEVELS);
    assert_eq!((paper.samples(), paper.model_seed(), paper.data_seed(), paper.completeness_seed()), (2000, 42, 1, 42));
    assert_eq!((paper.weight_scale(), paper.bias_scale(), paper.noise()), (0.3, 0.1, 0.0));
    assert_eq!(paper.completeness(), CompletenessReading::Paper);
    assert_eq!((paper.fidelity(), paper.centred()), (FidelityMode::Cosine, false));
    assert_eq!(paper.weights(), Weights::EQUAL);
}

#[test]
fn words_are_matched_whole() {
    for word in ["", "Standard", "standard ", "huge"] {
        let problem = only_problem(&Draft { config: Some(word.into()), ..Draft::default() });
        assert_eq!((problem.field.as_str(), problem.value), ("config", format!("{word:?}")));
        assert_eq!(problem.allowed, "standard, large, dense, sparse, custom");
    }
    let problem = only_problem(&Draft { completeness: Some("all".into()), ..Draft::default() });
    assert_eq!(problem.message, "completeness is \"all\"; allowed: paper, total");
    let problem = only_problem(&Draft { fidelity: Some("R2".into()), ..Draft::default() });
    assert_eq!(problem.message, "fidelity is \"R2\"; allowed: cosine, r2, rel-mse");

    let total = Draft { completeness: Some("total".into()), ..Draft::default() };
    assert_eq!(total.parse().unwrap().completeness(), CompletenessReading::Total);
    for (word, mode) in [("cosine", FidelityMode::Cosine), ("r2", FidelityMode::R2), ("rel-mse", FidelityMode::RelMse)]
    {
        let draft = Draft { fidelity: Some(word.into()), ..Draft::default() };
        assert_eq!(draft.parse().unwrap().fidelity(), mode);
    }
}

#[test]
fn levels_lie_from_zero_to_below_one() {
    let draft = |levels: &[f64]| Draft { levels: Some(levels.to_vec()), ..Draft::default() };
    let below_one = 1.0_f64.next_down();
    let kept = [below_one, 0.0, 0.5, 0.5, f64::from_bits(1)];
    assert_eq!(draft(&kept).parse().unwrap().levels(), kept, "order and repeats are kept");
    for bad in [1.0, -f64::from_bits(1), -0.1, 1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let problem = only_problem(&draft(&[0.0, bad, 0.5]));
        assert_eq!(problem.field, "levels");
        let shown = if bad.is_nan() { "not a number".to_owned() } else { bad.to_string() };
        assert_eq!(problem.value, shown);
        assert_eq!(problem.allowed, "numbers from 0 up to, but not including, 1");
    }
    assert_eq!(draft(&[0.25; LEVELS_MAX]).parse().unwrap().levels().len(), LEVELS_MAX);
    for count in [0, LEVELS_MAX + 1] {
        let problem = only_problem(&draft(&vec![0.25; count]));
        assert_eq!(problem.value, format!("a list of {count}"));
        assert_eq!(problem.allowed, "1 to 512 levels");
    }
}

#[test]
fn weights_are_three_and_say_which_is_wrong() {
    let axes = [ScoreAxis::Sparsity, ScoreAxis::Fidelity, ScoreAxis::Completeness];
    for (index, axis) in axes.into_iter().enumerate() {
        let at = |value| {
            let mut weights = [1.0; 3];
            weights[index] = value;
            let [alpha, beta, gamma] = weights;
            (weights, Weights::new(alpha, beta, gamma))
        };
        for value in [0.0, WEIGHT_MIN, WEIGHT_MAX] {
            let (weights, parsed) = at(value);
            assert_eq!(parsed.unwrap().values(), weights);
        }
        let (_, nan) = at(f64::NAN);
        assert!(matches!(nan, Err(WeightsError::NotFinite { axis: found, .. }) if found == axis));
        for value in [f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(at(value).1, Err(WeightsError::NotFinite { axis, value }));
        }
        for value in [-1.0, -f64::from_bits(1)] {
            assert_eq!(at(value).1, Err(WeightsError::Negative { axis, value }));
        }
        for value in [f64::from_bits(1), WEIGHT_MIN.next_down(), WEIGHT_MAX.next_up()] {
            assert_eq!(at(value).1, Err(WeightsError::OutOfRange { axis, value }));
        }

        let (weights, _) = at(-2.0);
        let problem = only_problem(&Draft { weights: Some(weights.to_vec()), ..Draft::default() });
        assert_eq!(problem.field, "weights");
        assert_eq!(problem.value, weights.map(|weight| weight.to_string()).join(", "));
        assert_eq!(problem.allowed, "three numbers from 0.000000001 to 1000000000 or 0, not all of them 0");
    }
    assert_eq!(Weights::new(0.0, -0.0, 0.0), Err(WeightsError::AllZero));
    for count in [0, 1, 2, 4] {
        let problem = only_problem(&Draft { weights: Some(vec![1.0; count]), ..Draft::default() });
        assert_eq!(problem.value, format!("a list of {count}"));
    }
}

#[test]
fn several_problems_are_told_together_in_the_fields_order() {
    let draft = Draft {
        config: Some("medium".into()),
        inputs: Some(0.0),
        outputs: Some(65.0),
        circuit: Some(0.5),
        weight_scale: Some(f64::NAN),
        bias_scale: Some(-1.0),
        noise: Some(101.0),
        model_seed: Some(-1.0),
        data_seed: Some(4_294_967_296.0),
        completeness_seed: Some(0.5),
        samples: Some(1.0),
        k: Some(65.0),
        levels: Some(vec![]),
        completeness: Some("half".into()),
        fidelity: Some("sine".into()),
        weights: Some(vec![0.0; 3]),
        ..Draft::default()
    };
    let problems = draft.parse().unwrap_err();
    let fields: Vec<_> = problems.0.iter().map(|problem| problem.field.as_str()).collect();
    assert_eq!(
        fields,
        [
            "config",
            "inputs",
            "outputs",
            "circuit",
            "weight_scale",
            "bias_scale",
            "noise",
            "model_seed",
            "data_seed",
            "completeness_seed",
            "samples",
            "k",
            "levels",
            "completeness",
            "fidelity",
            "weights",
        ]
    );
    let messages: Vec<_> = problems.0.iter().map(|problem| problem.message.clone()).collect();
    assert_eq!(problems.to_string(), messages.join("; "));
}

#[test]
fn a_refused_width_is_not_blamed_on_what_depends_on_it() {
    // 100 units in a circuit are right for many widths; only the width itself is known to be wrong.
    let draft = Draft { hidden: Some(2000.0), circuit: Some(100.0), k: Some(100.0), ..Draft::default() };
    assert_eq!(only_problem(&draft).field, "hidden");
}

#[test]
fn equal_meanings_are_equal_settings() {
    for preset in Preset::TABLE_1 {
        let named = Draft { config: Some(preset.name().into()), ..Draft::default() }.parse().unwrap();
        let shape = preset.shape().unwrap();
        for config in ["custom", "sparse", "large"] {
            let sized = Draft {
                config: Some(config.into()),
                inputs: Some(shape.inputs as f64),
                hidden: Some(shape.hidden as f64),
                outputs: Some(shape.outputs as f64),
                circuit: Some(shape.circuit as f64),
                ..Draft::default()
            };
            let sized = sized.parse().unwrap();
            assert_eq!(sized.config(), preset);
            assert_eq!(sized, named);
            assert_eq!(text(&sized), text(&named));
        }
    }
    assert_eq!(Preset::from_shape(Preset::Dense.shape().unwrap()), Preset::Dense);
}

#[test]
fn is_paper_means_the_recipe_whatever_the_weights() {
    let paper = Settings::default();
    assert!(paper.has_paper_values());
    assert!(paper.clone().with_weights(PROFILES[1].weights).has_paper_values());
    let other = |change: fn(&mut Draft)| {
        let mut draft = Draft::default();
        change(&mut draft);
        draft.parse().unwrap()
    };
    let others = [
        other(|d| d.config = Some("sparse".into())),
        other(|d| d.inputs = Some(17.0)),
        other(|d| d.weight_scale = Some(0.3_f64.next_up())),
        other(|d| d.bias_scale = Some(0.2)),
        other(|d| d.noise = Some(1e-9)),
        other(|d| d.model_seed = Some(43.0)),
        other(|d| d.data_seed = Some(2.0)),
        other(|d| d.completeness_seed = Some(41.0)),
        other(|d| d.samples = Some(2001.0)),
        other(|d| d.k = Some(47.0)),
        other(|d| d.levels = Some(PAPER_LEVELS[..7].to_vec())),
        other(|d| d.completeness = Some("total".into())),
        other(|d| d.fidelity = Some("r2".into())),
        other(|d| d.centred = Some(true)),
    ];
    for settings in others {
        assert!(!settings.has_paper_values(), "{settings:?}");
    }
}

#[test]
fn another_preset_keeps_the_rest_and_caps_k() {
    let draft = Draft {
        config: Some("large".into()),
        k: Some(100.0),
        samples: Some(77.0),
        noise: Some(0.5),
        centred: Some(true),
        weights: Some(vec![1.0, 2.0, 3.0]),
        ..Draft::default()
    };
    let large = draft.parse().unwrap();
    assert_eq!(large.with_preset(Preset::Large), large);
    let sparse = large.with_preset(Preset::Sparse);
    let wanted = Draft { config: Some("sparse".into()), k: Some(64.0), ..draft.clone() };
    assert_eq!(sparse, wanted.parse().unwrap());
    // Back again the sizes are Large's, the cap stays.
    let again = Draft { k: Some(64.0), ..draft };
    assert_eq!(sparse.with_preset(Preset::Large), again.parse().unwrap());

    let custom = Draft { hidden: Some(9.0), circuit: Some(3.0), ..Draft::default() }.parse().unwrap();
    assert_eq!(custom.with_preset(Preset::Custom), custom);
}

#[test]
fn swept_sizes_ascend_within_the_width() {
    let sizes =
        |hidden: usize| Draft { hidden: Some(hidden as f64), ..Draft::default() }.parse().unwrap().swept_sizes();
    assert_eq!(sizes(64), [8, 16, 24, 32, 48, 63]);
    assert_eq!(sizes(2), [1]);
    for hidden in 2..=1024 {
        let sizes = sizes(hidden);
        assert!(sizes.is_sorted_by(|a, b| a < b) && sizes[0] > 0, "{hidden}: {sizes:?}");
        assert_eq!(sizes.last(), Some(&(hidden - 1)));
    }
}

#[test]
fn memory_over_the_cap_is_refused() {
    let (mut accepted, mut refused) = (0, 0);
    for samples in (1..=40).map(|step| f64::from(step) * 5_000.0) {
        for hidden in (1..=64).map(|step| f64::from(step) * 16.0) {
            for centred in [false, true] {
                let draft =
                    Draft { samples: Some(samples), hidden: Some(hidden), centred: Some(centred), ..Draft::default() };
                match draft.parse() {
                    Ok(settings) => {
                        accepted += 1;
                        // No run does with less than the activations and the codes once each way.
                        let least = 8.0 * samples * hidden * 3.0;
                        assert!(least <= MEMORY_CAP as f64, "{samples} × {hidden} is accepted");
                        assert!(settings.estimate_memory() as f64 >= least && settings.estimate_memory() <= MEMORY_CAP);
                    }
                    Err(_) => {
                        refused += 1;
                        let problem = only_problem(&draft);
                        assert_eq!(problem.code, "settings.memory");
                        assert!(problem.allowed.starts_with("at most 1024 MiB"), "{problem:?}");
                        let mebibytes: f64 = problem.value.strip_suffix(" MiB").unwrap().parse().unwrap();
                        assert!(mebibytes > 1024.0, "{problem:?}");
                    }
                }
            }
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} accepted, {refused} refused");

    let most = Draft { samples: Some(200_000.0), hidden: Some(1024.0), ..Draft::default() };
    let widest = Draft { k: Some(1024.0), inputs: Some(512.0), centred: Some(true), ..most };
    assert_eq!(only_problem(&widest).field, "memory");
    // A value out of range is told of first: what it would need is not known.
    let both = Draft { noise: Some(-1.0), ..widest };
    assert_eq!(only_problem(&both).field, "noise");
}

#[test]
fn json_holds_settings_to_the_last_bit() {
    let mut rng = NumpyRng::new(31);
    for _ in 0..200 {
        let mut draft = hostile(&mut rng);
        draft.weight_scale = Some(100.0 * rng.random_sample());
        draft.levels = Some((0..5).map(|_| rng.random_sample()).collect());
        draft.weights = Some((0..3).map(|_| rng.random_sample()).collect());
        let settings = draft.parse().unwrap_or_else(|error| panic!("{draft:?}: {error}"));
        let written = text(&settings);
        let read: Settings = serde_json::from_str(&written).expect("settings read back");
        assert_eq!(read, settings);
        assert_eq!(text(&read), written);
    }
}

#[test]
fn json_is_checked_like_a_draft() {
    let read = |text: &str| serde_json::from_str::<Settings>(text);
    assert_eq!(read("{}").unwrap(), Settings::default());
    assert_eq!(read(r#"{"k":null,"samples":300}"#).unwrap().samples(), 300);
    for unknown in [r#"{"sampels":300}"#, r#"{"shape":{"hidden":64}}"#, r#"{"Samples":300}"#] {
        assert!(read(unknown).unwrap_err().to_string().contains("unknown field"), "{unknown}");
    }
    let refused = read(r#"{"samples":1,"levels":[1]}"#).unwrap_err().to_string();
    assert!(refused.contains("samples is 1;") && refused.contains("levels is 1;"), "{refused}");
    for wrong in [r#"{"samples":"300"}"#, r#"{"levels":0.5}"#, r#"{"centred":1}"#, "[]x", "3"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    // Settings' own JSON names all its fields, in one flat object.
    let json = serde_json::to_value(Settings::default()).unwrap();
    let names: Vec<_> = json.as_object().unwrap().keys().cloned().collect();
    let mut wanted = vec![
        "config",
        "inputs",
        "hidden",
        "outputs",
        "circuit",
        "weight_scale",
        "bias_scale",
        "noise",
        "model_seed",
        "data_seed",
        "completeness_seed",
        "samples",
        "k",
        "levels",
        "completeness",
        "fidelity",
        "centred",
        "weights",
    ];
    wanted.sort_unstable();
    assert_eq!(names, wanted);
}

/// A small draft from the far corners of what is allowed.
fn hostile(rng: &mut NumpyRng) -> Draft {
    fn pick<T: Copy>(rng: &mut NumpyRng, from: &[T]) -> T {
        from[rng.next_word() as usize % from.len()]
    }
    fn whole(rng: &mut NumpyRng, low: u32, high: u32) -> f64 {
        f64::from(low + rng.next_word() % (high - low + 1))
    }
    let hidden = whole(rng, 2, 20);
    let around = [1.0, hidden, (hidden - 1.0).max(1.0), whole(rng, 1, hidden as u32)];
    let (few, some) = (whole(rng, 2, 6), whole(rng, 7, 150));
    let levels = [0.0, 0.5, 0.95, 1.0_f64.next_down(), f64::from_bits(1), rng.random_sample()];
    let weights: Vec<f64> = (0..3).map(|_| pick(rng, &[0.0, 1e-3, 1.0, 1e9])).collect();
    Draft {
        inputs: Some(whole(rng, 1, 12)),
        hidden: Some(hidden),
        outputs: Some(whole(rng, 1, 4)),
        circuit: Some(pick(rng, &around)),
        weight_scale: Some(pick(rng, &[0.0, 1e-3, 0.3, 0.3, 100.0])),
        bias_scale: Some(pick(rng, &[0.0, 1e-3, 0.1, 100.0])),
        noise: Some(pick(rng, &[0.0, 0.0, 1e-3, 1.0, 100.0])),
        model_seed: Some(f64::from(rng.next_word())),
        data_seed: Some(f64::from(rng.next_word())),
        completeness_seed: Some(f64::from(rng.next_word())),
        samples: Some(pick(rng, &[2.0, few, some, some])),
        k: Some(pick(rng, &around)),
        levels: Some((0..1 + rng.next_word() % 6).map(|_| pick(rng, &levels)).collect()),
        completeness: Some(pick(rng, &["paper", "total"]).into()),
        fidelity: Some(pick(rng, &["cosine", "r2", "rel-mse"]).into()),
        centred: Some(pick(rng, &[false, true])),
        weights: Some(if weights.iter().all(|w| *w == 0.0) { vec![1.0; 3] } else { weights }),
        ..Draft::default()
    }
}

/// What is wrong with a point.
fn faults(point: &Point, settings: &Settings) -> Vec<String> {
    let below = 1.0 + 1e-12;
    let unbounded = f64::NEG_INFINITY;
    let least = if settings.fidelity() == FidelityMode::Cosine { -below } else { unbounded };
    let ranges = [
        ("level", point.level, 0.0, 1.0_f64.next_down()),
        ("sparsity", point.sparsity, 0.0, 1.0),
        ("fidelity", point.fidelity, least, below),
        ("completeness", point.completeness, unbounded, below),
        ("c_gt", point.c_gt, 0.0, below),
        ("sfc", point.sfc, 0.0, below),
        ("rate", point.rate, 0.0, below),
        ("distortion", point.distortion, 0.0, f64::INFINITY),
        ("relevance", point.relevance, 0.0, 1.0),
    ];
    let mut faults: Vec<String> = ranges
        .into_iter()
        .filter(|(_, value, low, high)| !(value.is_finite() && value >= low && value <= high))
        .map(|(name, value, ..)| format!("{name} is {value:?} at λ = {}", point.level))
        .collect();
    if point.dropped > point.k {
        faults.push(format!("{} of {} codes are dropped", point.dropped, point.k));
    }
    faults
}

#[track_caller]
fn check_curve(curve: &Curve, settings: &Settings) {
    let points = &curve.points;
    assert_eq!(points.len(), settings.levels().len());
    let mut faults: Vec<String> = points.iter().flat_map(|p| faults(p, settings)).collect();
    for (point, level) in points.iter().zip(settings.levels()) {
        assert_eq!((point.level, point.k), (*level, curve.k));
    }
    for volume in [curve.hypervolume, curve.hypervolume_front] {
        if !(0.0..=1.0 + 1e-11).contains(&volume) {
            faults.push(format!("hypervolume is {volume}"));
        }
    }
    if (curve.hypervolume - curve.hypervolume_front).abs() > 1e-12 {
        faults.push(format!("{} is not {}", curve.hypervolume, curve.hypervolume_front));
    }
    let contributions: f64 = curve.contributions.iter().sum();
    if !(0.0..=curve.hypervolume + 1e-12).contains(&contributions) {
        faults.push(format!("contributions add up to {contributions}"));
    }
    if curve.front.is_empty() {
        faults.push("nothing is on the front".to_owned());
    }
    assert!(faults.is_empty(), "{faults:#?}\n{}", text(settings));
}

#[track_caller]
fn check_error(error: &RunError, settings: &Settings) -> &'static str {
    let code = error.code();
    let known = match code {
        "dictionary.rank-deficient" => error.field() == Some("k"),
        "dictionary.zero" | "metric.constant" => error.field() == Some("weight_scale"),
        _ => false,
    };
    assert!(known, "{code}: {error}\n{}", text(settings));
    code
}

#[test]
fn valid_settings_give_numbers_in_range_or_a_typed_error() {
    let mut rng = NumpyRng::new(30);
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..600 {
        let draft = hostile(&mut rng);
        let settings = draft.parse().unwrap_or_else(|error| panic!("{draft:?}: {error}"));
        let end = match study::compute_curve(&settings, &mut NoProgress) {
            Ok(curve) => {
                check_curve(&curve, &settings);
                "a curve"
            }
            Err(error) => check_error(&error, &settings),
        };
        *ends.entry(end).or_default() += 1;
    }
    for end in ["a curve", "dictionary.rank-deficient", "dictionary.zero", "metric.constant"] {
        assert!(ends.get(end).is_some_and(|count| *count >= 5), "{ends:?}");
    }
    assert!(ends["a curve"] >= 150, "{ends:?}");
}

#[test]
fn sweeps_of_valid_settings_stay_in_range_too() {
    let mut rng = NumpyRng::new(32);
    let mut ran = 0;
    for _ in 0..60 {
        let settings = hostile(&mut rng).parse().expect("valid");
        match study::sweep_sizes(&settings, &mut NoProgress) {
            Ok(points) => {
                ran += 1;
                let faults: Vec<_> = points.iter().flat_map(|p| faults(p, &settings)).collect();
                assert!(faults.is_empty(), "{faults:#?}\n{}", text(&settings));
            }
            Err(error) => {
                check_error(&error, &settings);
            }
        }
    }
    assert!(ran >= 10, "{ran}");
}

#[test]
fn whole_runs_of_valid_settings_stay_in_range_too() {
    let mut rng = NumpyRng::new(33);
    let mut ran = 0;
    for _ in 0..12 {
        let settings = hostile(&mut rng).parse().expect("valid");
        match study::run(&settings, &mut NoProgress) {
            Ok(report) => {
                ran += 1;
                check_curve(&report.main, &settings);
                report.cross.iter().for_each(|curve| check_curve(curve, &settings));
                assert_eq!(report.cross.len(), 4);
            }
            Err(error) => {
                check_error(&error, &settings);
            }
        }
    }
    assert!(ran >= 3, "{ran}");
}

#[test]
fn scales_next_to_nothing_stay_in_range_too() {
    // Squares of these vanish, lose digits, or come out as rounding errors.
    let tiny = [5e-324, 1e-300, 1e-170, 1e-160, 1e-155, 1e-150, 1e-100, 1e-30, 1e-15, 1e-12, 1e-7];
    let mut rng = NumpyRng::new(34);
    for weight_scale in tiny {
        for bias_scale in [0.0, weight_scale, 0.1] {
            for noise in [0.0, weight_scale] {
                for fidelity in ["cosine", "r2", "rel-mse"] {
                    let draft = Draft {
                        weight_scale: Some(weight_scale),
                        bias_scale: Some(bias_scale),
                        noise: Some(noise),
                        fidelity: Some(fidelity.into()),
                        samples: Some(40.0),
                        k: Some(1.0),
                        ..hostile(&mut rng)
                    };
                    let settings = draft.parse().expect("valid");
                    match study::compute_curve(&settings, &mut NoProgress) {
                        Ok(curve) => check_curve(&curve, &settings),
                        Err(error) => {
                            check_error(&error, &settings);
                        }
                    }
                }
            }
        }
    }
}

/// F of the curve's first point, and by the general formula.
fn fidelities(draft: &Draft) -> (f64, f64) {
    let settings: Settings = draft.parse().expect("valid");
    let curve = study::compute_curve(&settings, &mut NoProgress).expect("a curve");
    let network = PlantedNetwork::new(&settings.network_spec());
    let h = activations(&network, &settings.data_spec());
    let analysis = LayerAnalysis::new(h, &settings, settings.k()).expect("a layer");
    let h = analysis.activations();
    let a_hat = analysis.dictionary().decode(&analysis.dictionary().encode(h, settings.k()).expect("codes"));
    let general = fidelity(settings.fidelity(), h, &a_hat).expect("F");
    (curve.points[0].fidelity, general)
}

#[test]
fn constant_activations_have_no_r2() {
    // Several outputs vary among themselves, so the paper's completeness has a value all the same.
    for (seed, samples) in [(1.0, 14.0), (2.0, 40.0), (3.0, 100.0), (4.0, 101.0), (5.0, 2000.0)] {
        let settings = Draft {
            weight_scale: Some(0.0),
            model_seed: Some(seed),
            samples: Some(samples),
            k: Some(1.0),
            fidelity: Some("r2".into()),
            ..Draft::default()
        };
        let found = study::compute_curve(&settings.parse().expect("valid"), &mut NoProgress);
        let code = found.map(|curve| curve.points[0].fidelity).map_err(|error| error.code());
        assert_eq!(code, Err("metric.constant"), "seed {seed}, {samples} samples");
    }
}

#[test]
fn r2_does_not_drown_in_a_large_bias() {
    for weight_scale in [1e-3, 1e-5, 1e-7, 1e-9, 1e-11] {
        let (fast, general) = fidelities(&Draft {
            weight_scale: Some(weight_scale),
            bias_scale: Some(1.0),
            hidden: Some(16.0),
            samples: Some(200.0),
            k: Some(1.0),
            fidelity: Some("r2".into()),
            ..Draft::default()
        });
        assert!((fast - general).abs() < 1e-8, "weight scale {weight_scale}: {fast}, not {general}");
    }
}

#[test]
fn a_centred_cosine_does_not_drown_in_the_mean() {
    // Many rows' units are all off: nothing but noise there, a hundred-thousandth of the mean row.
    for seed in 0..8 {
        let (fast, general) = fidelities(&Draft {
            inputs: Some(2.0),
            hidden: Some(2.0),
            circuit: Some(1.0),
            model_seed: Some(f64::from(seed)),
            weight_scale: Some(100.0),
            bias_scale: Some(0.0),
            noise: Some(1e-3),
            samples: Some(130.0),
            k: Some(2.0),
            centred: Some(true),
            ..Draft::default()
        });
        assert!((fast - general).abs() < 1e-10, "model seed {seed}: {fast}, not {general}");
    }
}
