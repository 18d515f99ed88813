//! SynthSAEBench's generator and numbers against SAELens' own.

use std::collections::BTreeMap;

use sfc_bench::io::{DataFile, IoError};
use sfc_bench::lab::synth::{Draft, StudyView};
use sfc_bench::lab::synth::{Job, PrintedTable, Report, Settings, Subject, SynthJobResult, SynthMetric};
use sfc_bench::sae::sae_lens_trainer::{Architecture, Autotuner, AutotunerState, Recipe, SaeLensTrainer, Weights};
use sfc_bench::sae::synth_sae_bench::compute_scores;
use sfc_bench::settings::check;
use sfc_bench::study::Study as _;
use sfc_bench::synthetic::synth_sae_bench::{
    Hierarchy, Sampler, SavedModel, SynthSaeBench, SynthSpec, base_probabilities, correlation_factor, firing_threshold,
    orthogonalise, probability_corrections, unit_rows,
};
use sfc_bench::{Matrix, NumpyRng, TorchRng};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::is_long_run;

type Tensors = BTreeMap<String, (Vec<usize>, Vec<f64>)>;

/// The tensors of a file in safetensors' format, of singles and bytes.
fn tensors(bytes: &[u8]) -> Tensors {
    let (length, rest) = bytes.split_at(8);
    let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
    let (header, data) = rest.split_at(length);
    let header: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(header).unwrap();
    let tensors = header.into_iter().filter(|(name, _)| name != "__metadata__");
    let tensor = |(name, about): (String, serde_json::Value)| {
        let whole = |value: &serde_json::Value| -> Vec<usize> {
            value.as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as usize).collect()
        };
        let (shape, ends) = (whole(&about["shape"]), whole(&about["data_offsets"]));
        let bytes = &data[ends[0]..ends[1]];
        let values = match about["dtype"].as_str().unwrap() {
            "F32" => {
                bytes.chunks_exact(4).map(|four| f64::from(f32::from_le_bytes(four.try_into().unwrap()))).collect()
            }
            "F64" => bytes.chunks_exact(8).map(|eight| f64::from_le_bytes(eight.try_into().unwrap())).collect(),
            "U8" => bytes.iter().map(|byte| f64::from(*byte)).collect(),
            other => panic!("{other}"),
        };
        (name, (shape, values))
    };
    tensors.map(tensor).collect()
}

fn matrix(of: &Tensors, name: &str) -> Matrix {
    let (shape, values) = &of[name];
    Matrix::from_vec(shape[0], shape[1], values.clone()).unwrap()
}

fn vector(of: &Tensors, name: &str) -> Vec<f64> {
    of[name].1.clone()
}

#[track_caller]
fn close(name: &str, own: &[f64], golden: &[f64], within: f64) {
    assert_eq!(own.len(), golden.len(), "{name}");
    for (at, (own, golden)) in own.iter().zip(golden).enumerate() {
        let away = (own - golden).abs() / golden.abs().max(1.0);
        assert!(own == golden || away <= within, "{name}[{at}]: {own} instead of {golden}");
    }
}

const DRAWS: &[u8] = include_bytes!("../golden/synthsaebench/draws.safetensors");
const STAGES: &[u8] = include_bytes!("../golden/synthsaebench/stages.safetensors");

/// What rounding to single precision leaves.
const SINGLE: f64 = 1e-6;

fn model(draws: &Tensors) -> SynthSaeBench {
    let spec = SynthSpec::small(7);
    let common = matrix(draws, "correlation_normals");
    let common = (&common, spec.correlation_rank_and_scale.1);
    let directions = matrix(draws, "feature_normals");
    let bias = vector(draws, "bias_normals");
    SynthSaeBench::from_normals(&spec, &directions, &bias, common, &vector(draws, "std_normals"))
}

#[test]
fn every_stage_of_a_model_is_sae_lens_from_what_was_drawn() {
    let (draws, stages) = (tensors(DRAWS), tensors(STAGES));
    let unit = unit_rows(&matrix(&draws, "feature_normals"));
    close("unit", unit.data(), &vector(&stages, "features_unit"), SINGLE);
    for steps in [1, 2, 5, 20, 100] {
        // Theirs are brought back to length 1 after the last step.
        let own = unit_rows(&orthogonalise(&unit, steps, 3e-4));
        let name = format!("features_after_{steps}_steps");
        close(&name, own.data(), &vector(&stages, &name), SINGLE);
    }
    let spec = SynthSpec::small(7);
    let base = base_probabilities(96, spec.zipf_exponent, spec.probability_range);
    close("base", &base, &vector(&stages, "base_probabilities"), SINGLE);
    let hierarchy = Hierarchy::from_spec(96, &spec.hierarchy.unwrap());
    let factors = probability_corrections(&base, &hierarchy);
    close("factors", &factors, &vector(&stages, "correction_factors"), SINGLE);
    let found = model(&draws);
    close("vectors", found.directions.data(), &vector(&stages, "feature_vectors"), SINGLE);
    close("bias", &found.bias, &vector(&stages, "bias"), SINGLE);
    close("p", &found.probabilities, &vector(&stages, "firing_probabilities"), SINGLE);
    // Its inverse error function is of single precision.
    close("thresholds", &found.thresholds, &vector(&stages, "thresholds"), 4e-6);
    assert_eq!(found.thresholds.iter().filter(|z| **z == f64::NEG_INFINITY).count(), 3);
    assert_eq!(firing_threshold(1.0), f64::NEG_INFINITY);
    let (factor, own) = correlation_factor(&matrix(&draws, "correlation_normals"), 0.15);
    close("factor", factor.data(), &vector(&stages, "correlation_factor"), SINGLE);
    close("own", &own, &vector(&stages, "correlation_diag"), SINGLE);
    close("means", &found.mean_strengths, &vector(&stages, "mean_magnitudes"), SINGLE);
    close("deviations", &found.strength_deviations, &vector(&stages, "std_magnitudes"), SINGLE);
}

#[test]
fn rows_are_sae_lens_from_what_was_drawn() {
    let (draws, stages) = (tensors(DRAWS), tensors(STAGES));
    let found = model(&draws);
    let fired = found.firing_features(&matrix(&draws, "eps"), &matrix(&draws, "eta"));
    let golden: Vec<bool> = vector(&stages, "fired").iter().map(|fires| *fires != 0.0).collect();
    assert_eq!(fired.concat(), golden);
    let mut normals = vector(&draws, "magnitude_normals_in_row_order").into_iter();
    let mut activations = found.firing_strengths(&fired, &mut || normals.next().unwrap());
    assert!(normals.next().is_none());
    let before = vector(&stages, "activations_before_hierarchy");
    close("before", activations.data(), &before, SINGLE);
    let scores = [vector(&draws, "exclusion_scores_0"), vector(&draws, "exclusion_scores_1")];
    let mut scores = scores.concat().into_iter();
    found.apply_hierarchy(&mut activations, &mut || scores.next().unwrap());
    assert!(scores.next().is_none(), "every conflict has its scores");
    close("after", activations.data(), &vector(&stages, "feature_activations"), SINGLE);
    // Strengths add up the last digits of the directions: those of the stage before.
    let directions = matrix(&stages, "feature_vectors");
    let bias = vector(&stages, "bias");
    let hidden = SynthSaeBench { directions, bias, ..found }.to_hidden(&activations);
    close("hidden", hidden.data(), &vector(&stages, "hidden"), SINGLE);
}

#[test]
fn numbers_of_dictionaries_are_sae_lens() {
    let data = tensors(include_bytes!("../golden/synthsaebench/metrics/data.safetensors"));
    let (rows, directions) = (matrix(&data, "hidden"), matrix(&data, "feature_vectors"));
    let activations = matrix(&data, "feature_activations");
    macro_rules! case {
        ($name:literal) => {
            (
                $name,
                tensors(include_bytes!(concat!("../golden/synthsaebench/metrics/", $name, "/sae.safetensors"))),
                include_str!(concat!("../golden/synthsaebench/metrics/", $name, "/golden.json")),
            )
        };
    }
    let cases =
        [case!("narrow"), case!("zero_rows"), case!("wide_with_duplicates_and_dead"), case!("trained_batchtopk")];
    for (name, of, golden) in cases {
        let golden: serde_json::Value = serde_json::from_str(golden).unwrap();
        let (decoder, codes) = (matrix(&of, "W_dec"), matrix(&of, "latents"));
        let outputs = matrix(&of, "outputs");
        let known = (&directions, &activations);
        let found = compute_scores(&decoder, (&codes, &outputs), &rows, known).unwrap();
        let numbers = [
            ("mcc", found.mcc),
            ("uniqueness", found.uniqueness),
            ("precision", found.precision),
            ("recall", found.recall),
            ("f1", found.f1),
            ("accuracy", found.accuracy),
            ("explained_variance", found.explained_variance),
            ("shrinkage", found.shrinkage),
            ("sae_l0", found.l0),
            ("true_l0", found.true_l0),
        ];
        for (what, own) in numbers {
            close(&format!("{name}, {what}"), &[own], &[golden[what].as_f64().unwrap()], SINGLE);
        }
        assert_eq!(golden["dead_latents"], found.dead, "{name}");
        assert_eq!(golden["shrinkage_rows"], found.shrinkage_rows, "{name}");
    }
}

#[test]
fn what_is_drawn_here_has_the_benchmarks_statistics() {
    let spec = SynthSpec::small(3);
    let found = SynthSaeBench::draw(&spec);
    let rows = found.sample(20_000, &mut NumpyRng::new(5));
    let active = rows.activations.data().iter().filter(|value| **value > 0.0).count() as f64;
    // SAELens' own model of this kind has 2.76; models differ by what their features have in common.
    assert!((active / 20_000.0 - 2.76).abs() < 0.2, "{}", active / 20_000.0);
    let hierarchy = Hierarchy::from_spec(96, &spec.hierarchy.unwrap());
    for row in rows.activations.iter_rows() {
        let fires = |at: usize| row[at] > 0.0;
        for parent in 0..10 {
            let children = hierarchy.children(parent);
            let count = children.iter().filter(|at| fires(**at)).count();
            assert!(count <= 1 && (count == 0 || fires(parent)));
        }
    }
    let rate = rows.activations.iter_rows().filter(|row| row[0] > 0.0).count() as f64 / 20_000.0;
    assert!((rate - 0.4).abs() < 0.02, "{rate}");
}

/// Rows from the top of the hierarchy down fire as those of all features at once do, feature by feature, and together.
#[test]
fn rows_drawn_from_the_top_down_have_the_same_distribution() {
    const ROWS: usize = 40_000;
    let found = SynthSaeBench::draw(&SynthSpec::small(3));
    let all = found.sample(ROWS, &mut NumpyRng::new(5));
    let mut sampler = Sampler::new(&found, NumpyRng::new(6));
    let (mut active, mut hidden) = (Vec::new(), vec![0.0; 24]);
    let (mut rates, mut strengths, mut squares) = (vec![0.0; 96], vec![0.0; 96], 0.0);
    let (mut pairs, mut means) = (vec![0.0; 96 * 96], vec![0.0; 24]);
    for _ in 0..ROWS {
        sampler.draw(&mut active, &mut hidden);
        for (at, value) in &active {
            rates[*at as usize] += 1.0;
            strengths[*at as usize] += value;
            for (other, _) in &active {
                pairs[*at as usize * 96 + *other as usize] += 1.0;
            }
        }
        squares += (active.len() * active.len()) as f64;
        means.iter_mut().zip(&hidden).for_each(|(mean, value)| *mean += value / ROWS as f64);
    }
    let n = ROWS as f64;
    let fires = |row: &[f64], at: usize| row[at] > 0.0;
    let (mut other_rates, mut other_strengths) = (vec![0.0; 96], vec![0.0; 96]);
    let (mut other_pairs, mut other_squares) = (vec![0.0; 96 * 96], 0.0);
    for row in all.activations.iter_rows() {
        let there: Vec<usize> = (0..96).filter(|at| fires(row, *at)).collect();
        for at in &there {
            other_rates[*at] += 1.0;
            other_strengths[*at] += row[*at];
            there.iter().for_each(|other| other_pairs[at * 96 + other] += 1.0);
        }
        other_squares += (there.len() * there.len()) as f64;
    }
    // Two counts of the same rate differ by their standard errors; of 9,216 of them none by more than six.
    let same = |name: &str, a: f64, b: f64| {
        let (p, q) = (a / n, b / n);
        let error = ((p * (1.0 - p) + q * (1.0 - q)) / n).sqrt().max(3.0 / n);
        assert!((p - q).abs() < 6.0 * error, "{name}: {p} against {q}");
    };
    for at in 0..96 {
        same("a rate", rates[at], other_rates[at]);
        if rates[at] > 300.0 {
            let (a, b) = (strengths[at] / rates[at], other_strengths[at] / other_rates[at]);
            assert!((a - b).abs() < 0.35, "strength of {at}: {a} against {b}");
        }
        (0..96).for_each(|other| same("a pair", pairs[at * 96 + other], other_pairs[at * 96 + other]));
    }
    assert!((squares / other_squares - 1.0).abs() < 0.03, "{squares} against {other_squares}");
    let mean = |at: usize| all.hidden.iter_rows().map(|row| row[at]).sum::<f64>() / n;
    for (at, own) in means.iter().enumerate() {
        assert!((own - mean(at)).abs() < 0.12, "dimension {at}: {own} against {}", mean(at));
    }
}

/// `scale_statistics.json` of the benchmark at 512 features, by SAELens on 204,800 rows: 4.685 active features a row, and by
/// depth 0.999, 0.632, 0.396 and 0.321 of the base rates.
#[test]
fn the_benchmark_at_512_features_fires_as_sae_lens_has_it() {
    const ROWS: usize = 20_000;
    let spec = SynthSpec::benchmark(512, 64, 0);
    let found = SynthSaeBench::draw(&spec);
    let raised: f64 = found.probabilities.iter().sum();
    assert!((raised - 198.308_471_679_687_5).abs() < 1e-3, "{raised}");
    let mut sampler = Sampler::new(&found, NumpyRng::new(1));
    let (mut active, mut hidden) = (Vec::new(), vec![0.0; 64]);
    let mut rates = vec![0.0; 512];
    for _ in 0..ROWS {
        sampler.draw(&mut active, &mut hidden);
        active.iter().for_each(|(at, _)| rates[*at as usize] += 1.0 / ROWS as f64);
    }
    let l0: f64 = rates.iter().sum();
    assert!((l0 - 4.685).abs() < 0.15, "{l0}");
    let base = base_probabilities(512, spec.zipf_exponent, spec.probability_range);
    let hierarchy = Hierarchy::from_spec(512, &spec.hierarchy.unwrap());
    for (level, wanted) in hierarchy.levels.iter().zip([0.999, 0.632, 0.396, 0.321]) {
        let mean = level.iter().map(|at| rates[*at] / base[*at]).sum::<f64>() / level.len() as f64;
        assert!((mean - wanted).abs() < 0.05, "{mean} instead of {wanted}");
    }
}

macro_rules! training {
    ($name:literal, $architecture:ident) => {
        (
            $name,
            Architecture::$architecture,
            tensors(include_bytes!(concat!("../golden/synthsaebench/training/", $name, ".safetensors"))),
            include_str!(concat!("../golden/synthsaebench/training/", $name, ".json")),
        )
    };
}

/// Twenty steps of `SAETrainer` 6.54.12 from its own weights on its own batches.
#[test]
fn trainings_are_those_of_sae_lens() {
    const STEPS: [usize; 4] = [1, 2, 5, 20];
    let batches = tensors(include_bytes!("../golden/synthsaebench/training/batches.safetensors"));
    let (shape, batches) = &batches["batches"];
    let (rows, d, m) = (shape[1], shape[2], 48);
    let single = |values: &[f64]| values.iter().map(|value| *value as f32).collect::<Vec<f32>>();
    let batches = single(batches);
    for (name, architecture, golden, said) in [
        training!("batchtopk", BatchTopK),
        training!("matryoshka", Matryoshka),
        training!("matching_pursuit", MatchingPursuit),
        training!("standard", Standard),
        training!("jumprelu", JumpRelu),
    ] {
        let said: serde_json::Value = serde_json::from_str(said).unwrap();
        let config = &said["config"];
        // W_enc is D × latents there.
        let part = |when: &str, what: &str| -> Vec<f64> {
            let Some((_, values)) = golden.get(&format!("{when}.{what}")) else {
                return Vec::new();
            };
            if what != "W_enc" {
                return values.clone();
            }
            (0..m * d).map(|at| values[at % d * m + at / d]).collect()
        };
        let of = |what: &str| single(&part("init", what));
        let weights = Weights {
            decoder: of("W_dec"),
            b_dec: of("b_dec"),
            encoder: of("W_enc"),
            b_enc: of("b_enc"),
            threshold: of("threshold"),
        };
        let number = |what: &str| config[what].as_f64();
        let recipe = Recipe {
            architecture,
            inputs: d,
            latents: m,
            k: number("k").or(number("max_iterations")).unwrap_or(0.0) as usize,
            widths: config["matryoshka_widths"]
                .as_array()
                .map(|all| all.iter().map(|x| x.as_u64().unwrap() as usize).collect())
                .unwrap_or_default(),
            rate: said["trainer"]["lr"].as_f64().unwrap(),
            dead_after: said["trainer"]["dead_feature_window"].as_u64().unwrap() as u32,
            coefficient: number("l1_coefficient").or(number("l0_coefficient")).unwrap_or(1.0),
            warm_up: number("l1_warm_up_steps").unwrap_or(0.0) as u32,
            bandwidth: number("jumprelu_bandwidth").unwrap_or(1.0) as f32,
            autotuner: None,
        };
        let mut trainer = SaeLensTrainer::new(recipe, weights);
        for (step, wanted) in said["steps"].as_array().unwrap().iter().enumerate() {
            let loss = trainer.step(&batches[step * rows * d..][..rows * d]);
            let parts = &wanted["parts"];
            let mut numbers = vec![
                ("loss", loss.total(), &wanted["loss"]),
                ("mse", loss.mse, &parts["mse_loss"]),
                ("l0", loss.l0, &wanted["l0"]),
                ("norm", loss.gradient_norm, &wanted["grad_norm_before_clip"]),
            ];
            for (what, own) in [
                ("auxiliary_reconstruction_loss", loss.auxiliary),
                ("l1_loss", loss.sparsity),
                ("l0_loss", loss.sparsity),
            ] {
                if !parts[what].is_null() {
                    numbers.push((what, own, &parts[what]));
                }
            }
            for (at, inner) in loss.inner_mse.iter().enumerate() {
                let end = config["matryoshka_widths"][at].as_u64().unwrap();
                numbers.push(("inner", *inner, &parts[format!("inner_mse_loss_{end}")]));
            }
            for (what, own, golden) in numbers {
                close(&format!("{name}, step {step}, {what}"), &[own], &[golden.as_f64().unwrap()], SINGLE);
            }
            assert_eq!(wanted["dead_before"], loss.dead, "{name}, step {step}");
            let after = step + 1;
            if !STEPS.contains(&after) {
                continue;
            }
            let now = trainer.weights();
            for (what, own) in [
                ("W_dec", &now.decoder),
                ("b_dec", &now.b_dec),
                ("W_enc", &now.encoder),
                ("b_enc", &now.b_enc),
                ("threshold", &now.threshold),
            ] {
                let own: Vec<f64> = own.iter().map(|value| f64::from(*value)).collect();
                let when = format!("after_{after}");
                close(&format!("{name}, {when}, {what}"), &own, &part(&when, what), SINGLE);
            }
            if let Some((_, threshold)) = golden.get(&format!("after_{after}.topk_threshold")) {
                close(&format!("{name}, threshold"), &[trainer.topk_threshold()], threshold, SINGLE);
            }
        }
    }
}

#[test]
fn the_autotuner_is_that_of_the_experiments() {
    let golden = include_str!("../golden/synthsaebench/training/autotuner.json");
    let golden: serde_json::Value = serde_json::from_str(golden).unwrap();
    for name in ["standard", "fast"] {
        let config = &golden[name]["config"];
        let number = |what: &str| config[what].as_f64().unwrap();
        let tuner = Autotuner {
            target: number("target_l0"),
            start: number("start_step") as u32,
            gain: number("integral_gain"),
        };
        let mut tuned = AutotunerState::default();
        for (step, row) in golden[name]["steps"].as_array().unwrap().iter().enumerate() {
            tuned.update(&tuner, step as u32, row[0].as_f64().unwrap());
            let own = [tuned.multiplier, tuned.l0.unwrap(), tuned.rate];
            let wanted = [1, 2, 3].map(|at| row[at].as_f64().unwrap());
            close(&format!("{name}, step {step}"), &own, &wanted, SINGLE);
        }
    }
}

#[test]
fn the_printed_tables_are_those_of_the_source() {
    let golden = include_str!("../golden/synthsaebench/printed.json");
    let golden: serde_json::Value = serde_json::from_str(golden).unwrap();
    for l0 in ["25", "20"] {
        let table = PrintedTable::for_l0(l0);
        for architecture in Architecture::ALL {
            for (metric, key) in SynthMetric::ALL.into_iter().zip(["f1", "mcc", "uniqueness", "explained_variance"]) {
                let wanted = &golden["tables"][l0][architecture.name_in_paper()][key];
                let cell = table.cell(architecture, metric);
                assert_eq!(wanted["mean"], cell.mean);
                assert_eq!(wanted["sd"], cell.deviation);
            }
        }
    }
    // BatchTopK and JumpReLU are a tie by F1; so is their uniqueness.
    assert_eq!(PrintedTable::for_l0("25").clear_rankings().len(), 38);
}

/// A training of a few steps: reports of parts say that they are, and orders follow from the numbers.
#[test]
fn a_small_run_is_reported_and_a_part_has_no_verdict() {
    let draft = Draft {
        features: Some(128.0),
        dimensions: Some(16.0),
        k: Some(2.0),
        samples: Some(2_560.0),
        evaluated: Some(1_000.0),
        seeds: Some(2.0),
        ..Draft::default()
    };
    let settings: Settings = check(&draft).unwrap();
    let jobs = settings.jobs();
    assert_eq!(jobs.len(), 12);
    let mut report = Report::new(settings.clone());
    for job in &jobs {
        report.jobs.push(job.run(&settings, &mut |_| {}).unwrap());
    }
    let again = jobs[0].run(&settings, &mut |_| {}).unwrap();
    assert_eq!(again, report.jobs[0], "the same settings, the same bits");
    let l0 = |name: &str| report.jobs.iter().find(|found| found.job == name).map(|found| found.scores.l0).unwrap();
    // Batches of 1,000 rows: k of each.
    assert_eq!((l0("batchtopk-0"), l0("matryoshka-1")), (2.0, 2.0));
    assert!(l0("matching-pursuit-0") <= 2.0);
    let opened = StudyView::open(report.clone()).unwrap();
    assert!(opened.headline().unwrap().starts_with("At 128 features, "), "{}", opened.headline().unwrap());
    assert!(opened.digest().is_some());
    for order in report.rankings() {
        let mean = |architecture| {
            let values = report.scores(Subject::Trained(architecture));
            values.iter().map(|scores| order.metric.value_of(scores)).sum::<f64>() / 2.0
        };
        assert!((order.found_difference - (mean(order.higher) - mean(order.lower))).abs() < 1e-12);
        assert!(order.printed_difference > 0.0 && order.summed_deviation.is_some());
    }
    report.jobs.pop();
    let part = StudyView::open(report.clone()).unwrap();
    assert_eq!((part.digest(), part.report().is_complete()), (None, false));
    assert!(part.headline().unwrap().starts_with("11 of 12 autoencoders are measured."));
    let stray = SynthJobResult { job: "batchtopk-9".to_owned(), ..report.jobs[0].clone() };
    report.jobs.push(stray);
    assert_eq!(StudyView::open(report).unwrap().report().jobs.len(), 11);
    let wide = check::<Settings>(&Draft { k: Some(40.0), ..draft.clone() }).unwrap_err();
    assert_eq!(wide.0[0].field, "k");
    let job = Job { subject: Subject::Untrained, seed: 3 };
    assert_eq!(job.name(), "untrained-3");
}

/// A training of it is done again before a release: `cargo xtask test --long`.
#[test]
fn the_shipped_run_is_of_the_usual_settings() {
    let shipped = Report::load_shipped().unwrap();
    assert_eq!(shipped.settings, Settings::default());
    assert!(shipped.is_complete());
    let orders = shipped.rankings();
    let kept = orders.iter().filter(|order| order.is_reproduced()).count();
    let opened = StudyView::open(shipped.clone()).unwrap();
    let said = opened.headline().unwrap();
    assert!(said.starts_with(&format!("At 512 features, {kept} of the 38 clear orders ")), "{said}");
    if is_long_run() {
        let job = shipped.settings.jobs()[0];
        let again = job.run(&shipped.settings, &mut |_| {}).unwrap();
        assert_eq!(again, shipped.jobs[0]);
    }
}

/// `torch.randn` and `torch.rand` 2.15.0 on the CPU, by seed and count.
#[test]
fn random_numbers_are_those_of_torch() {
    let golden = include_str!("../golden/synthsaebench/torch_random.json");
    let golden: serde_json::Value = serde_json::from_str(golden).unwrap();
    let numbers = |of: &serde_json::Value| -> Vec<f64> {
        of.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    for case in golden.as_array().unwrap() {
        let mut rng = TorchRng::new(case["seed"].as_u64().unwrap());
        let wanted = numbers(&case["normals"]);
        let name = format!("{} normals of seed {}", wanted.len(), case["seed"]);
        let own: Vec<f64> = rng.randn(wanted.len()).into_iter().map(f64::from).collect();
        close(&name, &own, &wanted, SINGLE);
        let next = [rng.uniform(), rng.uniform()].map(f64::from);
        assert_eq!(next.to_vec(), numbers(&case["next"]), "after {name}");
    }
}

macro_rules! saved {
    ($name:literal $(, $hierarchy:literal)?) => {{
        #[allow(unused_mut, unused_assignments)]
        let mut hierarchy: Option<&[u8]> = None;
        $(hierarchy = Some(include_bytes!(concat!(
            "../golden/synthsaebench/", $name, "/", $hierarchy
        )));)?
        (
            $name,
            include_str!(concat!(
                "../golden/synthsaebench/", $name, "/synthetic_model_config.json"
            )),
            include_bytes!(concat!("../golden/synthsaebench/", $name, "/synthetic_model.safetensors"))
                .as_slice(),
            hierarchy,
        )
    }};
}

type Files = (&'static str, &'static str, &'static [u8], Option<&'static [u8]>);

fn saved_models() -> [Files; 3] {
    [saved!("saved-a", "hierarchy.json"), saved!("saved-b", "hierarchy.json"), saved!("saved-d")]
}

fn read(config: &str, weights: &[u8], hierarchy: Option<&[u8]>) -> Result<SavedModel, IoError> {
    let weights = DataFile::open("w.safetensors", Box::new(weights.to_vec()), 1 << 20)?;
    let hierarchy = hierarchy.map(|bytes| ("hierarchy.json", bytes));
    SavedModel::read(("config.json", config.as_bytes()), &weights, hierarchy)
}

/// Folders of `SyntheticModel.save`: strengths are those that SAELens draws on loading them, and rows fire as often as a million
/// rows of SAELens' own do.
#[test]
fn saved_models_are_read_and_sampled_as_sae_lens_does() {
    const ROWS: usize = 60_000;
    let strengths = include_str!("../golden/synthsaebench/evaluated.json");
    let strengths: serde_json::Value = serde_json::from_str(strengths).unwrap();
    let rates = include_str!("../golden/synthsaebench/saved_rates.json");
    let rates: serde_json::Value = serde_json::from_str(rates).unwrap();
    let numbers = |of: &serde_json::Value| -> Vec<f64> {
        of.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    for (name, config, weights, hierarchy) in saved_models() {
        let SavedModel { model, notes } = read(config, weights, hierarchy).unwrap();
        assert_eq!(notes, [""; 0], "{name}: stored probabilities are the configuration's");
        let wanted = &strengths["strengths"][name];
        close(name, &model.mean_strengths, &numbers(&wanted["means"]), SINGLE);
        close(name, &model.strength_deviations, &numbers(&wanted["deviations"]), SINGLE);
        let d = model.bias.len();
        let mut sampler = Sampler::new(&model, NumpyRng::new(8));
        let (mut active, mut hidden) = (Vec::new(), vec![0.0; d]);
        let features = model.mean_strengths.len();
        let (mut fired, mut sums) = (vec![0.0; features], vec![0.0; features]);
        let (mut mean, mut squares) = (vec![0.0; d], 0.0);
        for _ in 0..ROWS {
            sampler.draw(&mut active, &mut hidden);
            for (at, value) in &active {
                fired[*at as usize] += 1.0;
                sums[*at as usize] += value;
            }
            mean.iter_mut().zip(&hidden).for_each(|(mean, x)| *mean += x / ROWS as f64);
            squares += hidden.iter().map(|x| x * x).sum::<f64>() / ROWS as f64;
        }
        let wanted = &rates[name];
        let (of, strength) = (numbers(&wanted["firing_rate"]), numbers(&wanted["mean_activation_when_firing"]));
        for at in 0..features {
            let (own, p) = (fired[at] / ROWS as f64, of[at]);
            let error = (p * (1.0 - p) / ROWS as f64).sqrt().max(2.0 / ROWS as f64);
            assert!((own - p).abs() < 5.0 * error, "{name}, rate of {at}: {own} instead of {p}");
            if fired[at] > 2_000.0 {
                let own = sums[at] / fired[at];
                assert!((own / strength[at] - 1.0).abs() < 0.05, "{name}, strength of {at}: {own}");
            }
        }
        let l0 = fired.iter().sum::<f64>() / ROWS as f64;
        let (wanted_l0, error) = (wanted["l0_mean"].as_f64().unwrap(), wanted["l0_se"].as_f64().unwrap());
        // The error of a million rows.
        let error = error * (1e6 / ROWS as f64).sqrt();
        assert!((l0 - wanted_l0).abs() < 5.0 * error, "{name}: L0 {l0} instead of {wanted_l0}");
        let variance = squares - mean.iter().map(|x| x * x).sum::<f64>();
        let trace = wanted["hidden_cov_trace"].as_f64().unwrap();
        assert!((variance / trace - 1.0).abs() < 0.03, "{name}: {variance} instead of {trace}");
    }
}

#[test]
fn folders_that_are_no_models_are_refused_by_field() {
    let [(_, config, weights, hierarchy), _, (_, flat, flat_weights, _)] = saved_models();
    let refused = |config: &str, weights: &[u8], hierarchy: Option<&[u8]>, said: &str| {
        let error = read(config, weights, hierarchy).unwrap_err().to_string();
        assert!(error.contains(said), "{error:?} instead of {said:?}");
    };
    let changed = |from: &str, to: &str| {
        assert!(config.contains(from), "{from}");
        config.replace(from, to)
    };
    for (from, to, said) in [
        ("\"num_features\": 96", "\"num_features\": 95", "feature_vectors: shape 96 × 24; allowed: 95"),
        ("\"num_features\": 96", "\"num_features\": 0", "num_features: 0; allowed: a whole number from 1"),
        ("\"hidden_dim\": 24", "\"hidden_dim\": 2.5", "hidden_dim: 2.5; allowed: a whole number from 1"),
        ("\"seed\": 7", "\"seed\": null", "seed: null; allowed: a whole number from 0 on"),
        ("\"seed\": 7", "\"seed\": -7", "seed: -7; allowed"),
        ("\"float32\"", "\"float16\"", "dtype: \"float16\"; allowed: float32"),
        ("\"folded_normal\"", "\"gamma\"", "std_firing_magnitudes.generator_name: \"gamma\"; allowed: constant, "),
        ("\"zipfian\"", "\"poisson\"", "firing_probability.generator_name: \"poisson\"; allowed: zipfian, "),
    ] {
        refused(&changed(from, to), weights, hierarchy, said);
    }
    refused(config, weights, None, "hierarchy: an object of 8; allowed: null where there is no hierarchy.json");
    let text = std::str::from_utf8(hierarchy.unwrap()).unwrap();
    for (from, to, said) in [
        ("\"feature_index\": 41", "\"feature_index\": 40", "feature_index: 40; allowed: each feature once"),
        ("\"feature_index\": 41", "\"feature_index\": 96", "feature_index: 96; allowed: a feature from 0 to 95"),
        ("\"feature_index\": 41", "\"feature_index\": null", "feature_index: null; allowed: a feature"),
        ("\"roots\"", "\"trees\"", "roots: not there"),
    ] {
        assert!(text.contains(from), "{from}");
        refused(config, weights, Some(text.replace(from, to).as_bytes()), said);
    }
    refused(flat, weights, None, "feature_vectors: shape 96 × 24; allowed: 64");
    refused(
        &flat.replace("\"correlation\": null", "\"correlation\": {}"),
        flat_weights,
        None,
        "correlation: an object of 0; allowed: null, as the weights have no correlation_factor",
    );
    // What SAELens would draw by is said where it is not what is stored.
    let other = changed("\"max_prob\": 0.4", "\"max_prob\": 0.3");
    let notes = read(&other, weights, hierarchy).unwrap().notes;
    assert!(notes[0].contains("asks for 0.3, not 0.40000004, for feature 0"), "{notes:?}");
    let more = changed("\"seed\": 7", "\"seed\": 7, \"temperature\": 2");
    let notes = read(&more, weights, hierarchy).unwrap().notes;
    assert_eq!(notes, ["config.json: not read: temperature."]);
}
