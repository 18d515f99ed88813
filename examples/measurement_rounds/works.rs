//! The metrics on arrays that `tests/numpy/measurement.py` draws alike, in the same order from the same seeds: what one
//! finds the other must. Where text and code differ it is the code's reading, as it is there.

use sfc_bench::papers::measurement::metric::{
    Activations, DoseResponse, REDUCED_STRENGTH, adaptive_sparsity, architecture_duality, audit_aggregate,
    audit_as_coded, d_prime, dif, edges_in_code_order, faithfulness, faithfulness_area, head_edges,
    heads_at_thresholds, matryoshka, nla_sae, polysemanticity, reproducibility, safety_sve, subsample, superposition,
    weber, weight_lens,
};
use sfc_bench::papers::measurement::metric::{RELATIVE_DEVIATION_MAX, THRESHOLDS};
use sfc_bench::synthetic::Head;
use sfc_bench::{Matrix, NumpyRng};

/// How much work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code)] // the test has small ones alone
pub enum Size {
    /// For a test.
    Small,
    /// For the clock.
    Large,
    /// 24,576 features, for the memory; of M07, M11 and M13 alone, and as large as [`Size::Large`] elsewhere.
    Wide,
}

impl Size {
    fn of<T>(self, small: T, large: T) -> T {
        if self == Self::Small { small } else { large }
    }

    fn wide<T>(self, small: T, large: T, wide: T) -> T {
        if self == Self::Wide { wide } else { self.of(small, large) }
    }
}

/// What a metric comes to, by name.
pub type Values = Vec<(&'static str, f64)>;

/// Computes a metric of arrays that are there already.
pub type Work = Box<dyn Fn() -> Values>;

/// The names that [`work`] knows.
#[allow(dead_code)] // the test asks for all of them, the program for those it is told
pub const NAMES: [&str; 15] = [
    "m07",
    "m08",
    "m10",
    "m11",
    "m12",
    "m13",
    "m13_features",
    "m14",
    "ex1",
    "ex2",
    "ex11",
    "ex24",
    "ex25",
    "ex34",
    "mib",
];

/// Draws a metric's arrays.
pub fn work(name: &str, size: Size) -> Option<Work> {
    Some(match name {
        "m07" => m07(size),
        "m08" => m08(size),
        "m10" => m10(size),
        "m11" => m11(size),
        "m12" => m12(size),
        "m13" => m13(size),
        "m13_features" => m13_features(size),
        "m14" => m14(size),
        "ex1" => ex1(size),
        "ex2" => ex2(size),
        "ex11" => ex11(size),
        "ex24" => ex24(size),
        "ex25" => ex25(size),
        "ex34" => ex34(size),
        "mib" => mib(size),
        _ => return None,
    })
}

/// `randn(rows, cols)`.
fn normals(rng: &mut NumpyRng, rows: usize, cols: usize) -> Matrix {
    let mut out = Matrix::zeros(rows, cols);
    rng.fill_standard_normal(out.data_mut());
    out
}

/// `maximum(randn(rows, cols) - above, 0)`: few are active.
fn rectified(rng: &mut NumpyRng, rows: usize, cols: usize, above: f64) -> Matrix {
    let mut out = normals(rng, rows, cols);
    out.data_mut().iter_mut().for_each(|value| *value = (*value - above).max(0.0));
    out
}

/// The same in single precision, of which there is never more than a row in double.
fn rectified_single(rng: &mut NumpyRng, rows: usize, cols: usize, above: f64) -> Vec<f32> {
    let mut out = Vec::with_capacity(rows * cols);
    for _ in 0..rows {
        out.extend(rectified(rng, 1, cols, above).data().iter().map(|value| *value as f32));
    }
    out
}

/// `(random_sample(count) * below).astype(int)`.
fn whole(rng: &mut NumpyRng, count: usize, below: usize) -> Vec<usize> {
    (0..count).map(|_| (rng.random_sample() * below as f64) as usize).collect()
}

/// `floor(50 * (randn(count) + mean)) / 50`: some are equal.
fn differences(rng: &mut NumpyRng, count: usize, mean: f64) -> Vec<f64> {
    (0..count).map(|_| f64::floor(50.0 * (rng.standard_normal() + mean)) / 50.0).collect()
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

fn m07(size: Size) -> Work {
    use architecture_duality::{ComparedAutoencoder, Settings, architecture_duality};
    let [first, second, width] = size.wide([300, 280, 24], [8_192, 8_192, 768], [24_576, 24_576, 768]);
    let [prompts, each] = size.wide([12, 9], [64, 128], [16, 128]);
    let mut rng = NumpyRng::new(7);
    let decoder_a = normals(&mut rng, first, width);
    let mut decoder_b = normals(&mut rng, second, width);
    // Half of B's are near A's.
    let half = second / 2 * width;
    let near = decoder_b.data_mut().iter_mut().zip(decoder_a.data()).take(half);
    near.for_each(|(b, a)| *b += a);
    let settings = Settings { prompts: vec![each; prompts], ..Settings::default() };
    let positions = prompts * each;
    let found = move |a: Activations, b: Activations| {
        let a = ComparedAutoencoder { activations: a, decoder: &decoder_a, encoder: None };
        let b = ComparedAutoencoder { activations: b, decoder: &decoder_b, encoder: None };
        let found = architecture_duality(&a, &b, &settings).unwrap();
        vec![
            ("feature_overlap", found.feature_overlap_code),
            ("direction_agreement", found.direction_agreement),
            ("architecture_agreement", found.agreement_code),
        ]
    };
    if size == Size::Wide {
        let a = rectified_single(&mut rng, positions, first, 2.0);
        let b = rectified_single(&mut rng, positions, second, 2.2);
        return Box::new(move || found(single_of(&a, first), single_of(&b, second)));
    }
    let a = rectified(&mut rng, positions, first, 2.0);
    let b = rectified(&mut rng, positions, second, 2.2);
    Box::new(move || found(Activations::Dense(&a), Activations::Dense(&b)))
}

fn single_of(values: &[f32], features: usize) -> Activations<'_> {
    Activations::DenseF32 { values, features }
}

fn m08(size: Size) -> Work {
    let [features, width, words, positions, k] = size.of([120, 24, 60, 150, 20], [512, 256, 4_096, 1_024, 50]);
    let mut rng = NumpyRng::new(8);
    let decoder = normals(&mut rng, features, width);
    let unembed = normals(&mut rng, width, words);
    let activations = rectified(&mut rng, positions, features, 1.0);
    let tokens: Vec<u32> = whole(&mut rng, positions, words).into_iter().map(|token| token as u32).collect();
    Box::new(move || {
        let activations = Activations::Dense(&activations);
        let found = weight_lens::weight_lens(&decoder, &unembed, activations, &tokens, k).unwrap();
        vec![
            ("agreement", found.agreement.unwrap()),
            ("median", found.median.unwrap()),
            ("std", found.std_pop.unwrap()),
            ("frac_above", found.frac_above.unwrap()),
            ("active_features", found.active_features as f64),
        ]
    })
}

fn m10(size: Size) -> Work {
    use polysemanticity::{Settings, polysemanticity};
    let [contexts, features, width, looked_at] = size.of([120, 80, 16, 30], [400, 2_048, 256, 100]);
    let mut rng = NumpyRng::new(10);
    let mut strengths = rectified(&mut rng, contexts, features, 1.0);
    let centres = normals(&mut rng, 4, width);
    let kinds = whole(&mut rng, contexts, 4);
    let mut embeddings = normals(&mut rng, contexts, width);
    for (context, kind) in kinds.into_iter().enumerate() {
        let near = embeddings.row_mut(context).iter_mut().zip(centres.row(kind));
        near.for_each(|(value, centre)| *value = 0.6 * *value + centre);
        // Two features of three prefer one kind of contexts.
        let preferred = strengths.row_mut(context).iter_mut().skip(kind).step_by(6);
        preferred.for_each(|value| *value += 2.0);
    }
    let settings = Settings { features: looked_at, ..Settings::default() };
    Box::new(move || {
        let found = polysemanticity(&strengths, &embeddings, &settings).unwrap();
        let groups = found.features.iter().map(|feature| feature.clusters.n_clusters as f64);
        vec![
            ("polysemanticity_rate", found.rate.rate),
            ("mean_clusters", found.rate.mean_clusters),
            ("n_alive", found.rate.n_alive as f64),
            ("n_clusters_first", groups.clone().next().unwrap()),
            ("n_clusters_all", groups.sum()),
        ]
    })
}

fn m11(size: Size) -> Work {
    let [small, large, width, positions, k] =
        size.wide([60, 150, 16, 90, 20], [2_048, 8_192, 768, 8_192, 20], [6_144, 24_576, 768, 2_048, 20]);
    let mut rng = NumpyRng::new(11);
    let decoder = normals(&mut rng, large, width);
    let found = move |small: Activations, large: Activations| {
        let found = matryoshka::matryoshka(small, large, &decoder, k, matryoshka::COSINE_THRESHOLD).unwrap();
        let most = found.correspondence.iter().map(|found| found[0].1.abs());
        vec![
            ("mean_coherence", mean(found.coherence.iter().copied())),
            ("mean_best_correlation", mean(most)),
            ("splitting_rate", found.splitting_rate),
            ("absorption_rate", found.absorption_rate_code),
            ("consistency", found.consistency_code),
        ]
    };
    if size == Size::Wide {
        let b = rectified_single(&mut rng, positions, large, 1.5);
        let a = rectified_single(&mut rng, positions, small, 1.5);
        return Box::new(move || found(single_of(&a, small), single_of(&b, large)));
    }
    let b = rectified(&mut rng, positions, large, 1.5);
    let mut a = rectified(&mut rng, positions, small, 1.5);
    // Every small feature goes with a large one.
    for position in 0..positions {
        let near = a.row_mut(position).iter_mut().zip(b.row(position).iter().step_by(2));
        near.for_each(|(a, b)| *a = 0.5 * *a + b);
    }
    Box::new(move || found(Activations::Dense(&a), Activations::Dense(&b)))
}

fn m12(size: Size) -> Work {
    use adaptive_sparsity::{MISMATCH_THRESHOLD, adaptive_sparsity, complexity_and_k};
    let [prompts, width, features] = size.of([80, 16, 64], [4_096, 256, 2_048]);
    let mut rng = NumpyRng::new(12);
    let residual = normals(&mut rng, prompts, width);
    let mut activations = rectified(&mut rng, prompts, features, 1.5);
    // At every tenth prompt everything is active.
    for prompt in (0..prompts).step_by(10) {
        activations.row_mut(prompt).iter_mut().for_each(|value| *value += 2.0);
    }
    Box::new(move || {
        let activations = Activations::Dense(&activations);
        let (complexity, active) = complexity_and_k(&residual, activations).unwrap();
        let found = adaptive_sparsity(&complexity, &active, MISMATCH_THRESHOLD).unwrap();
        vec![
            ("k_mismatch_rate", found.k_mismatch_rate),
            ("over_activation_rate", found.over_activation_rate),
            ("under_activation_rate", found.under_activation_rate),
            ("correlation", found.complexity_k_correlation),
            ("slope", found.slope),
            ("intercept", found.intercept),
            ("mean_deviation", mean(found.deviation.iter().map(|value| value.abs()))),
        ]
    })
}

fn m13(size: Size) -> Work {
    let [positions, width] = size.wide([200, 24], [8_192, 768], [2_000, 24_576]);
    let activations = normals(&mut NumpyRng::new(13), positions, width);
    Box::new(move || {
        let found = superposition::superposition(&activations).unwrap();
        vec![
            ("participation_ratio", found.participation_ratio),
            ("packing_ratio", found.packing_ratio),
            ("regime", f64::from(found.regime_code as u8)),
        ]
    })
}

fn m13_features(size: Size) -> Work {
    let [features, width] = size.wide([50, 24], [8_192, 768], [24_576, 768]);
    let directions = normals(&mut NumpyRng::new(113), features, width);
    Box::new(move || {
        let found = superposition::feature_superposition(&directions).unwrap();
        vec![
            ("packing", found.feature_packing),
            ("interference", found.feature_interference),
            ("interference_rms", found.feature_interference_rms),
        ]
    })
}

fn m14(size: Size) -> Work {
    let [layers, prompts, width] = size.of([6, 20, 16], [24, 40, 768]);
    let mut rng = NumpyRng::new(14);
    // Of each layer the prompts' vectors of both sets.
    let sets: Vec<[Matrix; 2]> =
        (0..layers).map(|_| [normals(&mut rng, prompts, width), normals(&mut rng, prompts, width)]).collect();
    let all: Vec<u32> = (0..prompts as u32).collect();
    let directions = move |first: &[u32], second: &[u32]| {
        let mut out = Matrix::zeros(sets.len(), width);
        for (layer, [safe, unsafe_]) in sets.iter().enumerate() {
            for (set, chosen, sign) in [(unsafe_, second, 1.0), (safe, first, -1.0)] {
                for prompt in chosen {
                    let sum = out.row_mut(layer).iter_mut().zip(set.row(*prompt as usize));
                    sum.for_each(|(sum, value)| *sum += sign * value / chosen.len() as f64);
                }
            }
        }
        out
    };
    Box::new(move || {
        let count = prompts as u32;
        let draws: Vec<Matrix> = safety_sve::draw_subsamples(count, count, safety_sve::STABILITY_RUNS)
            .iter()
            .map(|[first, second]| directions(first, second))
            .collect();
        let found = safety_sve::safety_sve(&directions(&all, &all), &draws).unwrap();
        vec![
            ("sve", found.sve_code),
            ("effective_rank", found.effective_rank_90_code as f64),
            ("stability", found.stability_code.unwrap()),
            ("mean_sve", mean(found.sves_code.iter().copied())),
            ("mean_norm", mean(found.norms.iter().copied())),
        ]
    })
}

fn ex1(size: Size) -> Work {
    let count = size.of(60, 1_000);
    let mut rng = NumpyRng::new(1);
    let signal = differences(&mut rng, count, 0.8);
    let noise = differences(&mut rng, count, -0.2);
    Box::new(move || {
        let found = d_prime(&signal, &noise).unwrap();
        vec![
            ("hit_rate", found.hit_rate),
            ("false_alarm_rate", found.false_alarm_rate),
            ("dprime", found.dprime),
            ("criterion", found.criterion_c),
            ("auc", found.auc),
        ]
    })
}

fn ex2(size: Size) -> Work {
    const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
    let count = size.of(13, 500);
    let mut rng = NumpyRng::new(2);
    let groups: Vec<Vec<f64>> =
        (0..NAMES.len()).map(|group| differences(&mut rng, count, 0.2 * group as f64)).collect();
    Box::new(move || {
        let groups: Vec<(&str, &[f64])> = NAMES.into_iter().zip(groups.iter().map(Vec::as_slice)).collect();
        let found = dif(&groups).unwrap();
        vec![
            ("max_dif", found.max_dif_code),
            ("value", found.value_code),
            ("sum_dif", found.pairs.iter().map(|pair| pair.d_code_ddof0).sum()),
        ]
    })
}

fn ex11(size: Size) -> Work {
    let [prompts, heads] = size.of([20, 4], [500, 16]);
    let mut rng = NumpyRng::new(111);
    let bias = normals(&mut rng, 1, prompts);
    let mut effect = normals(&mut rng, prompts, heads);
    // Heads of very different size, the last ones against the answer.
    for prompt in 0..prompts {
        for (head, value) in effect.row_mut(prompt).iter_mut().enumerate() {
            *value = 0.1 * *value + 0.6 - 0.9 * head as f64 / heads as f64;
        }
    }
    Box::new(move || {
        let circuit: Vec<Head> = (0..heads).map(|head| (0, head)).collect();
        let doses = |level: f64| {
            DoseResponse::measure(&circuit, level, |scales| {
                let rows = bias.data().iter().zip(effect.iter_rows());
                let ld = rows.map(|(bias, effect)| {
                    let scaled = scales.iter().map(|((_, head), scale)| scale * effect[*head]);
                    let sum: f64 = scaled.sum();
                    0.2 * bias + sum + 0.05 * sum * sum
                });
                Ok::<f64, ()>(mean(ld))
            })
            .unwrap()
        };
        let found = weber(&doses(1.0), &doses(REDUCED_STRENGTH)).unwrap();
        let sum = |jnd: &[Option<f64>]| jnd.iter().flatten().sum();
        vec![
            ("consistency", found.weber_consistency_code),
            ("n_detectable", found.n_detectable as f64),
            ("sum_jnd_full", sum(&found.jnd_full)),
            ("sum_jnd_reduced", sum(&found.jnd_reduced)),
        ]
    })
}

fn ex24(size: Size) -> Work {
    let tasks = size.of(7, 1_000);
    let mut rng = NumpyRng::new(24);
    let drawn = normals(&mut rng, tasks, 12);
    Box::new(move || {
        let mut mean_cvs = Vec::with_capacity(tasks);
        let mut discriminability = 0.0;
        for row in drawn.iter_rows() {
            let probe: Vec<f64> = row[..5].iter().map(|x| 0.8 + 0.02 * x).collect();
            let ablation: Vec<f64> = row[5..10].iter().map(|x| 1.0 + 0.1 * x).collect();
            let found = audit_as_coded(&probe, &ablation, 0.8 + 0.02 * row[10], 1.0 + 0.1 * row[11]).unwrap();
            mean_cvs.push(found.mean_cv_code);
            discriminability += found.discriminability_code;
        }
        let found = audit_aggregate(&mean_cvs).unwrap();
        vec![("mean_cv", found.mean_cv), ("cv_std", found.cv_std), ("sum_discriminability", discriminability)]
    })
}

fn ex25(size: Size) -> Work {
    let [runs, prompts] = size.of([5, 40], [20, 400]);
    let mut rng = NumpyRng::new(25);
    let base = normals(&mut rng, 1, prompts);
    let noise = normals(&mut rng, runs, prompts);
    Box::new(move || {
        let runs: Vec<Vec<f64>> = (0..runs)
            .map(|run| {
                let chosen = subsample(prompts, run as u32).unwrap();
                let value = |at: usize| 2.0 + base.data()[at] + 0.3 * noise.row(run)[at];
                chosen.into_iter().map(value).collect()
            })
            .collect();
        let found = reproducibility(&runs, None, RELATIVE_DEVIATION_MAX).unwrap();
        vec![
            ("deviation_rate", found.deviation_rate),
            ("max_deviation", found.max_deviation),
            ("coherence", found.coherence_code),
        ]
    })
}

fn ex34(size: Size) -> Work {
    let [directions, width, positions, words, k] = size.of([20, 16, 60, 100, 10], [100, 256, 2_000, 4_096, 20]);
    let mut rng = NumpyRng::new(34);
    let stream = normals(&mut rng, positions, width);
    let unembed = normals(&mut rng, width, words);
    let tokens: Vec<u32> = whole(&mut rng, positions, words).into_iter().map(|token| token as u32).collect();
    let directions = normals(&mut rng, directions, width);
    Box::new(move || {
        let found = nla_sae::nla_sae(&directions, &stream, &tokens, &unembed, k).unwrap();
        vec![
            ("mean_token_overlap", found.mean_token_overlap),
            ("mean_direction_cosine", found.mean_direction_cosine),
            ("std_token_overlap", found.std_token_overlap),
            ("std_direction_cosine", found.std_direction_cosine),
        ]
    })
}

fn mib(size: Size) -> Work {
    let [layers, heads, prompts] = size.of([3, 3, 20], [8, 8, 100]);
    let mut rng = NumpyRng::new(9);
    let mut effect = normals(&mut rng, prompts, layers * heads);
    effect.data_mut().iter_mut().for_each(|value| *value = 0.05 * *value + 0.1);
    Box::new(move || {
        let edges = edges_in_code_order(&head_edges(layers, heads));
        // Logit differences with some heads alone.
        let alone = |kept: &[Head]| -> Vec<f64> {
            let of = |row: &[f64]| kept.iter().map(|(layer, head)| row[layer * heads + head]).sum();
            effect.iter_rows().map(of).collect()
        };
        let all: Vec<Head> = (0..layers).flat_map(|layer| (0..heads).map(move |head| (layer, head))).collect();
        let clean = alone(&all);
        let curve: Vec<f64> =
            heads_at_thresholds(&edges).iter().map(|kept| faithfulness(&clean, &alone(kept)).unwrap()).collect();
        let found = faithfulness_area(&THRESHOLDS, &curve).unwrap();
        vec![
            ("cpr", found.cpr),
            ("cmd", found.cmd_signed_document),
            ("first", curve[0]),
            ("half", curve[8]),
            ("last", curve[9]),
        ]
    })
}
