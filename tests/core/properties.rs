//! What holds for any input: of scores, levels, dictionaries, volumes and whole runs.

use proptest::prelude::*;
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::codes::{dropped_count, zero_smallest};
use sfc_bench::papers::sfc::metric::completeness::RowSpace;
use sfc_bench::papers::sfc::metric::information::{RATE_BINS, rate};
use sfc_bench::papers::sfc::metric::{c_gt, fidelity, sparsity};
use sfc_bench::papers::sfc::{Curve, LayerAnalysis, NoProgress, Point, Report};
use sfc_bench::pareto::{Objectives, hypervolume};
use sfc_bench::synthetic::{PlantedNetwork, activations};
use sfc_bench::{Draft, FidelityMode, Matrix, NumpyRng, Settings, Weights};

const MODES: [FidelityMode; 3] = [FidelityMode::Cosine, FidelityMode::R2, FidelityMode::RelMse];

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

fn near(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * a.abs().max(b.abs()).max(1e-300)
}

fn normals(seed: u32, rows: usize, cols: usize) -> Matrix {
    let mut matrix = Matrix::zeros(rows, cols);
    NumpyRng::new(seed).fill_standard_normal(matrix.data_mut());
    matrix
}

fn map(matrix: &Matrix, f: impl Fn(usize, f64) -> f64) -> Matrix {
    let mut out = matrix.clone();
    let cols = out.cols();
    out.data_mut().iter_mut().enumerate().for_each(|(at, value)| *value = f(at % cols, *value));
    out
}

fn axis() -> impl Strategy<Value = f64> {
    prop_oneof![8 => 1e-6..=1.0, 1 => Just(1.0), 1 => 1e-300..1e-6]
}

fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![2 => Just(0.0), 6 => 1e-3..100.0, 1 => 1e-9..1e-3, 1 => 1e6..=1e9]
}

fn weights() -> impl Strategy<Value = [f64; 3]> {
    [weight(), weight(), weight()].prop_filter("one above 0", |w| w.iter().sum::<f64>() > 0.0)
}

fn score([alpha, beta, gamma]: [f64; 3], [s, f, c]: [f64; 3]) -> f64 {
    Weights::new(alpha, beta, gamma).expect("valid weights").sfc(s, f, c)
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_score_lies_between_its_axes(w in weights(), axes in [axis(), axis(), axis()]) {
        let weighted = || axes.into_iter().zip(w).filter(|(_, w)| *w > 0.0).map(|(axis, _)| axis);
        let low = weighted().fold(f64::INFINITY, f64::min);
        let high = weighted().fold(0.0, f64::max);
        let score = score(w, axes);
        prop_assert!(score >= low * (1.0 - 1e-14) && score <= high * (1.0 + 1e-14), "{score}");
    }

    #[test]
    fn only_the_ratios_of_weights_count(
        w in weights(), axes in [axis(), axis(), axis()], by in 1e-3..1e3, exponent in -20..20i32,
    ) {
        prop_assume!(w.iter().all(|w| *w == 0.0 || (1e-3..=1e5).contains(w)));
        let plain = score(w, axes);
        prop_assert!(near(score(w.map(|w| w * by), axes), plain, 1e-14));
        // Within what weights may be, a power of two changes no digit.
        let power = libm::ldexp(1.0, exponent.min(13));
        prop_assert_eq!(score(w.map(|w| w * power), axes).to_bits(), plain.to_bits());
    }

    #[test]
    fn a_score_grows_with_each_axis(
        w in weights(), axes in [axis(), axis(), axis()], which in 0..3usize, better in axis(),
    ) {
        let mut other = axes;
        other[which] = better;
        let (low, high) = if better >= axes[which] { (axes, other) } else { (other, axes) };
        // Every rounding on the way is monotone, so no tolerance is needed.
        prop_assert!(score(w, low) <= score(w, high));
        if w[which] == w[0] && w[0] > 0.0 && w.iter().all(|x| *x == w[0]) && better > 2.0 * axes[which] {
            prop_assert!(score(w, low) < score(w, high), "an axis that counts must be seen to");
        }
    }

    #[test]
    fn a_weight_of_zero_drops_its_axis(
        w in weights(), axes in [axis(), axis(), axis()], which in 0..3usize,
        held in prop_oneof![Just(f64::NAN), Just(0.0), Just(-3.0), Just(f64::INFINITY), axis()],
    ) {
        let mut w = w;
        w[which] = 0.0;
        prop_assume!(w.iter().any(|w| *w > 0.0));
        let mut other = axes;
        other[which] = held;
        prop_assert_eq!(score(w, other).to_bits(), score(w, axes).to_bits());
    }

    #[test]
    fn an_axis_at_or_below_zero_that_counts_makes_the_score_zero(
        w in weights(), axes in [axis(), axis(), axis()], which in 0..3usize,
        held in prop_oneof![Just(0.0), Just(-0.0), -10.0..0.0, Just(f64::NEG_INFINITY)],
    ) {
        prop_assume!(w[which] > 0.0);
        let mut axes = axes;
        axes[which] = held;
        prop_assert_eq!(score(w, axes), 0.0);
        axes[which] = f64::NAN;
        prop_assert!(score(w, axes).is_nan());
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn the_order_of_rows_does_not_count(
        seed: u32, rows in 2..60usize, cols in 1..12usize, count in 0..12usize,
    ) {
        let a = normals(seed, rows, cols);
        let mut codes = a.clone();
        zero_smallest(&mut codes, count.min(cols));
        let order = NumpyRng::new(seed ^ 1).permutation(rows as u32);
        let shuffled = (a.select_rows(&order), codes.select_rows(&order));
        prop_assert_eq!(sparsity(&codes).unwrap(), sparsity(&shuffled.1).unwrap());
        for mode in MODES {
            let before = fidelity::fidelity(mode, &a, &codes).unwrap();
            let after = fidelity::fidelity(mode, &shuffled.0, &shuffled.1).unwrap();
            prop_assert!((before - after).abs() <= 1e-12 * (1.0 + before.abs()), "{before} {after}");
        }
    }

    #[test]
    fn a_threshold_keeps_the_largest_codes_as_they_are(
        seed: u32, cols in prop_oneof![9 => 1..40usize, 1 => 1000..3000usize], level in 0.0..1.0,
        coarse: bool,
    ) {
        // Coarse codes have ties.
        let before = map(&normals(seed, 5, cols), |_, x| if coarse { (2.0 * x).round() } else { x });
        let count = dropped_count(level, cols);
        prop_assert!(count < cols && count as f64 <= level * cols as f64);
        let mut after = before.clone();
        zero_smallest(&mut after, count);
        for (before, after) in before.iter_rows().zip(after.iter_rows()) {
            let mut sizes: Vec<f64> = before.iter().map(|x| x.abs()).collect();
            sizes.sort_by(f64::total_cmp);
            let mut kept: Vec<f64> = after.iter().map(|x| x.abs()).collect();
            kept.sort_by(f64::total_cmp);
            sizes[..count].fill(0.0);
            prop_assert!(kept == sizes, "not the {} largest of {cols}", cols - count);
            prop_assert!(before.iter().zip(after).all(|(b, a)| *a == *b || *a == 0.0));
        }
    }

    #[test]
    fn a_rate_does_not_see_scales_and_signs(
        seed: u32, rows in 2..200usize, cols in 1..6usize, exponents in [-30..30i32, -30..30, -30..30],
        flips: [bool; 3], sparse: bool,
    ) {
        let mut codes = normals(seed, rows, cols);
        if sparse {
            zero_smallest(&mut codes, cols / 2);
        }
        let plain = rate(&codes, RATE_BINS).unwrap();
        let scaled = map(&codes, |col, x| libm::ldexp(x, exponents[col % 3]));
        prop_assert_eq!(rate(&scaled, RATE_BINS).unwrap().to_bits(), plain.to_bits());
        // The last bin alone is closed, so a flipped feature moves only what lies on an edge: here
        // nothing does but its least and its greatest code, and those stay at the ends.
        let flipped = map(&codes, |col, x| if flips[col % 3] { -x } else { x });
        prop_assert!(near(rate(&flipped, RATE_BINS).unwrap(), plain, 1e-12));
        prop_assert!((0.0..=1.0 + 1e-12).contains(&plain));
    }

    #[test]
    fn a_projection_is_idempotent(
        seed: u32, distinct in 1..8usize, repeats in 0..3usize, cols in 1..12usize,
    ) {
        // Sums and multiples of rows, and a row of zeros, add no dimension.
        let rows = normals(seed, distinct, cols);
        let mut all: Vec<Vec<f64>> = rows.iter_rows().map(<[f64]>::to_vec).collect();
        for index in 0..repeats {
            let sum = all[index].iter().zip(rows.row(0)).map(|(a, b)| 0.5 * a - 2.0 * b).collect();
            all.push(sum);
        }
        all.push(vec![0.0; cols]);
        let space = RowSpace::from_dictionary(&Matrix::from_rows(&all).unwrap()).unwrap();
        prop_assert_eq!(space.basis().rows(), distinct.min(cols));
        let close = |a: &Matrix, b: &Matrix| {
            a.data().iter().zip(b.data()).all(|(a, b)| (a - b).abs() < 1e-12 * cols as f64)
        };
        prop_assert!(close(&space.project(&rows).unwrap(), &rows), "its own rows stay");
        let a = normals(seed ^ 7, 9, cols);
        let once = space.project(&a).unwrap();
        prop_assert!(close(&space.project(&once).unwrap(), &once));
        let left = map(&once, |_, x| -x);
        let left = Matrix::from_vec(
            9, cols, a.data().iter().zip(left.data()).map(|(a, b)| a + b).collect(),
        ).unwrap();
        prop_assert!(close(&space.project(&left).unwrap(), &Matrix::zeros(9, cols)));
    }
}

#[test]
fn a_projection_keeps_what_a_library_once_lost() {
    // Three rows, what follows from them, and zeros: nalgebra 0.35's decomposition spans another space.
    let rows = normals(2_171_560_036, 3, 10);
    let mut all: Vec<Vec<f64>> = rows.iter_rows().map(<[f64]>::to_vec).collect();
    all.push(rows.row(0).iter().map(|x| -1.5 * x).collect());
    all.push(vec![0.0; 10]);
    let space = RowSpace::from_dictionary(&Matrix::from_rows(&all).unwrap()).unwrap();
    assert_eq!(space.basis().rows(), 3);
    let projected = space.project(&rows).unwrap();
    for (found, wanted) in projected.data().iter().zip(rows.data()) {
        assert!((found - wanted).abs() < 1e-13, "{found} {wanted}");
    }
}

#[test]
fn weights_next_to_nothing_weigh_as_others_do() {
    for weight in [5e-324, 1e-320, 1e-310, 1e-300, 1e-30, 1e-9] {
        // Where such weights are allowed at all.
        if let Ok(weights) = Weights::new(weight, weight, weight) {
            let score = weights.sfc(0.7, 0.7, 0.7);
            assert!(near(score, 0.7, 1e-14), "three weights of {weight:e}: {score}");
        }
    }
}

fn point() -> impl Strategy<Value = Objectives> {
    // A grid makes ties and duplicates; the cloud reaches below the reference.
    prop_oneof![[0..=4i32, 0..=4, 0..=4].prop_map(|p| p.map(|x| f64::from(x) / 4.0)), [-0.2..1.0, -0.2..1.0, -0.2..1.0],]
}

fn volume(points: &[Objectives], reference: Objectives) -> f64 {
    hypervolume(points, reference).unwrap().hypervolume
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn points_only_add_volume(points in prop::collection::vec(point(), 0..30), more in point()) {
        let before = hypervolume(&points, [0.0; 3]).unwrap();
        let claimed: f64 = before.contributions.iter().sum();
        prop_assert!(before.contributions.iter().all(|c| *c >= 0.0));
        prop_assert!(claimed <= before.hypervolume * (1.0 + 1e-12) + 1e-15);
        let largest = points.iter().map(|p| p.iter().map(|x| x.max(0.0)).product::<f64>());
        let least = largest.fold(0.0, f64::max);
        prop_assert!(before.hypervolume >= least * (1.0 - 1e-12) && before.hypervolume <= 1.0 + 1e-12);

        let mut all = points.clone();
        all.push(more);
        let after = hypervolume(&all, [0.0; 3]).unwrap();
        prop_assert!(after.hypervolume >= before.hypervolume - 1e-14);
        // What a point adds when it comes last is what it alone covers.
        let gained = after.hypervolume - before.hypervolume;
        prop_assert!((gained - after.contributions[points.len()]).abs() < 1e-13);
        for (before, after) in before.contributions.iter().zip(&after.contributions) {
            prop_assert!(*after <= before + 1e-14, "another point takes from the others' shares");
        }
        all.push(more);
        let twice = hypervolume(&all, [0.0; 3]).unwrap();
        prop_assert_eq!(twice.hypervolume.to_bits(), after.hypervolume.to_bits());
        prop_assert_eq!(&twice.contributions[points.len()..], &[0.0, 0.0]);
    }

    #[test]
    fn volumes_move_with_the_reference(
        points in prop::collection::vec(point(), 1..20), by in [-8..8i32, -8..8, -8..8], turn in 0..3usize,
    ) {
        let plain = volume(&points, [0.0; 3]);
        let moved = |p: Objectives| [0, 1, 2].map(|axis| p[axis] + f64::from(by[axis]));
        let shifted: Vec<_> = points.iter().map(|p| moved(*p)).collect();
        prop_assert!((volume(&shifted, moved([0.0; 3])) - plain).abs() < 1e-12);
        let turned: Vec<Objectives> =
            points.iter().map(|p| [p[turn], p[(turn + 1) % 3], p[(turn + 2) % 3]]).collect();
        prop_assert!((volume(&turned, [0.0; 3]) - plain).abs() < 1e-13, "axes are alike");
        let doubled: Vec<_> = points.iter().map(|p| p.map(|x| 2.0 * x)).collect();
        prop_assert_eq!(volume(&doubled, [0.0; 3]), 8.0 * plain);
        // A lower reference is farther from everything.
        prop_assert!(volume(&points, [-0.25, 0.0, -0.5]) >= plain - 1e-14);
    }
}

/// A small run: presets' layers at few samples. Its output varies: of a circuit whose units are never active it does not,
/// and completeness is refused.
fn draft() -> impl Strategy<Value = Draft> {
    let sizes = (1..10u32, 3..40u32, 1..5u32);
    let seeds = (0..=u32::MAX, 0..=u32::MAX, 0..=u32::MAX);
    let drafts = (sizes, seeds, 60..300u32, prop_oneof![Just(0.0), 0.01..0.5], any::<bool>()).prop_map(
        |((inputs, hidden, outputs), (model, data, completeness), samples, noise, total)| Draft {
            inputs: Some(f64::from(inputs)),
            hidden: Some(f64::from(hidden)),
            outputs: Some(f64::from(outputs)),
            circuit: Some(f64::from(1 + hidden / 5)),
            model_seed: Some(f64::from(model)),
            data_seed: Some(f64::from(data)),
            completeness_seed: Some(f64::from(completeness)),
            samples: Some(f64::from(samples)),
            noise: Some(noise),
            completeness: Some(if total { "total" } else { "paper" }.into()),
            ..Draft::default()
        },
    );
    drafts.prop_filter("an output that does not vary", |draft| {
        let narrow = Draft { k: Some(1.0), ..draft.clone() }.parse().expect("valid");
        let curve = study::compute_curve(&narrow, &mut NoProgress);
        curve.err().is_none_or(|error| error.code() != "metric.constant")
    })
}

/// The draft with the widest dictionary its layer determines, at most `k`.
fn settled(draft: &Draft, k: usize) -> Settings {
    let settings: Settings = draft.parse().expect("valid");
    let network = PlantedNetwork::new(&settings.network_spec());
    let h = activations(&network, &settings.data_spec());
    let analysis = LayerAnalysis::new(h, &settings, 1).expect("a layer");
    let k = k.clamp(1, analysis.dictionary().rank()).min(settings.shape().hidden);
    Draft { k: Some(k as f64), ..draft.clone() }.parse().expect("valid")
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn more_level_is_sparser_and_less_faithful(draft in draft(), k in 1..40usize) {
        let levels: Vec<f64> = (0..20).map(|step| f64::from(step) / 20.0).collect();
        for mode in ["cosine", "r2", "rel-mse"] {
            let draft = Draft { levels: Some(levels.clone()), fidelity: Some(mode.into()), ..draft.clone() };
            let points = study::compute_curve(&settled(&draft, k), &mut NoProgress).expect("a curve").points;
            for pair in points.windows(2) {
                let [before, after] = pair else { unreachable!() };
                prop_assert!(after.sparsity >= before.sparsity);
                prop_assert!(after.fidelity <= before.fidelity + 1e-12, "{mode}");
                // A dictionary of full rank leaves nothing but rounding, of which more or less says nothing.
                prop_assert!(after.distortion >= before.distortion * (1.0 - 1e-12) - 1e-14);
                // Neither looks at the codes.
                prop_assert_eq!(after.completeness.to_bits(), before.completeness.to_bits());
                prop_assert_eq!(after.c_gt.to_bits(), before.c_gt.to_bits());
                if after.dropped == before.dropped {
                    prop_assert_eq!(after.fidelity.to_bits(), before.fidelity.to_bits());
                }
            }
            let (first, last) = (&points[0], &points[points.len() - 1]);
            if first.k > 1 {
                prop_assert!(last.sparsity > first.sparsity && last.fidelity < first.fidelity);
            }
        }
    }

    #[test]
    fn a_wider_dictionary_holds_more_of_the_circuit(draft in draft()) {
        let settings = settled(&draft, 40);
        let sizes = study::sweep_sizes(&settings, &mut NoProgress).expect("sizes");
        prop_assert!(sizes.windows(2).all(|pair| pair[0].k < pair[1].k));
        prop_assert!(sizes.windows(2).all(|pair| pair[0].c_gt <= pair[1].c_gt + 1e-13));

        let network = PlantedNetwork::new(&settings.network_spec());
        let h = activations(&network, &settings.data_spec());
        let analysis = LayerAnalysis::new(h, &settings, 1).expect("a layer");
        let directions = analysis.dictionary().directions();
        let mut before = 0.0;
        for k in 1..=directions.cols() {
            let held = c_gt(&directions.first_cols(k).transposed(), &network.circuit).unwrap();
            prop_assert!(held >= before - 1e-13 && held <= 1.0 + 1e-12);
            before = held;
        }
        if directions.cols() == directions.rows() {
            prop_assert!((before - 1.0).abs() < 1e-12, "all directions hold all of it: {before}");
        }
    }
}

fn exact(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("reports are JSON")
}

fn run(settings: &Settings) -> Report {
    study::run(settings, &mut NoProgress).expect("a report")
}

/// A preset, Large, and sizes of no preset, each with something unusual.
fn varied() -> Vec<Settings> {
    let small = || Draft { samples: Some(250.0), ..Draft::default() };
    let drafts = [
        small(),
        Draft { config: Some("large".into()), k: Some(70.0), centred: Some(true), ..small() },
        Draft { config: Some("sparse".into()), noise: Some(0.2), fidelity: Some("r2".into()), ..small() },
        Draft {
            hidden: Some(20.0),
            circuit: Some(5.0),
            completeness: Some("total".into()),
            levels: Some(vec![0.9, 0.1]),
            ..small()
        },
    ];
    drafts.iter().map(|draft| draft.parse().expect("valid")).collect()
}

#[test]
fn a_run_is_its_parts_bit_for_bit() {
    for settings in varied() {
        let report = run(&settings);
        let curve: Curve = study::compute_curve(&settings, &mut NoProgress).expect("a curve");
        assert_eq!(exact(&report.main), exact(&curve));
        let sizes: Vec<Point> = study::sweep_sizes(&settings, &mut NoProgress).expect("sizes");
        assert_eq!(exact(&report.sizes), exact(&sizes));
        assert_eq!(exact(&report.cross), exact(&study::preset_curves(&settings, &mut NoProgress).expect("four")));
        assert_eq!(report.settings, settings);
        assert_eq!(exact(&run(&settings)), exact(&report), "a second run is the first");
    }
}

#[test]
fn rescoring_is_a_run_with_other_weights() {
    for settings in varied() {
        let mut report = run(&settings);
        for weights in [[5.0, 1.0, 1.0], [0.0, 0.3, 7.0], [1.0, 1.0, 1.0]] {
            let [alpha, beta, gamma] = weights;
            let weights = Weights::new(alpha, beta, gamma).unwrap();
            let before = exact(&report);
            study::rescore(&mut report, weights);
            assert_ne!(exact(&report), before);
            assert_eq!(exact(&report), exact(&run(&settings.clone().with_weights(weights))));
        }
    }
}

fn heard(study: impl FnOnce(&mut dyn study::Progress)) -> Vec<(String, f64)> {
    let mut heard: Vec<(String, f64)> = Vec::new();
    study(&mut |stage: &str, fraction: f64| heard.push((stage.to_owned(), fraction)));
    heard
}

#[track_caller]
fn check_progress(what: &str, heard: &[(String, f64)], stages: &[&str]) {
    assert!(heard.len() >= 3, "{what}: {heard:?}");
    assert!(heard.iter().all(|(_, part)| (0.0..=1.0).contains(part)), "{what}: {heard:?}");
    let fall = heard.windows(2).find(|pair| pair[1].1 < pair[0].1);
    assert_eq!(fall, None, "{what} goes back: {heard:?}");
    assert_eq!(heard[0].1, 0.0, "{what}");
    let (_, last) = &heard[heard.len() - 1];
    assert!((last - 1.0).abs() < 1e-9, "{what} ends at {last}");
    for (stage, _) in heard {
        assert!(stages.contains(&stage.as_str()), "{what}: unknown stage {stage:?}");
    }
    for stage in stages {
        assert!(heard.iter().any(|(name, _)| name == stage), "{what}: {stage} is missing");
    }
}

const LAYER: &str = "activations and dictionary";

#[test]
fn progress_of_a_run_rises_from_zero_to_one() {
    for settings in varied() {
        let heard = heard(|listener| drop(study::run(&settings, listener).expect("a report")));
        check_progress("run", &heard, &[LAYER, "levels", "dictionary sizes", "done"]);
    }
}

#[test]
fn progress_of_a_cross_rises_where_a_rank_caps_the_dictionary() {
    // 30 rows determine at most 30 directions, which is less work than K = 48 was reckoned at.
    let settings = Draft { samples: Some(30.0), ..Draft::default() }.parse().expect("valid");
    let heard = heard(|listener| drop(study::preset_curves(&settings, listener).expect("curves")));
    check_progress("cross", &heard, &[LAYER, "levels", "done"]);
}

#[test]
fn progress_of_a_curve_and_of_sizes_rises_from_zero_to_one() {
    for settings in varied() {
        let of_curve = heard(|listener| drop(study::compute_curve(&settings, listener).expect("a curve")));
        let stages: Vec<_> = of_curve.iter().map(|(stage, _)| stage.as_str()).collect();
        let known = if stages.contains(&"done") { &[LAYER, "levels", "done"][..] } else { &[LAYER, "levels"] };
        check_progress("curve", &of_curve, known);
        let of_sizes = heard(|listener| drop(study::sweep_sizes(&settings, listener).expect("sizes")));
        let done = of_sizes.iter().any(|(stage, _)| stage == "done");
        let known = [LAYER, "levels", "dictionary sizes", "done"];
        check_progress("sizes", &of_sizes, if done { &known } else { &known[..3] });
    }
}

#[test]
fn progress_is_told_within_a_long_stage() {
    let settings = Draft { samples: Some(20_000.0), ..Draft::default() }.parse().expect("valid");
    let heard = heard(|listener| drop(study::compute_curve(&settings, listener).expect("a curve")));
    let inside = heard.iter().filter(|(stage, part)| stage == "levels" && *part < 1.0).count();
    assert!(inside >= 4, "{heard:?}");
}
