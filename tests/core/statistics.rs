//! Statistics against SciPy, scikit-learn and NumPy (tests/golden/{statistics,stats_*,fade_gini_ap,
//! mui_logfit}.json), and what holds of them for any data.

use serde_json::Value;
use sfc_bench::NumpyRng;
use sfc_bench::statistics::{
    Alternative, Bootstrap, Correlation, Histogram, LinearFit, LogFit, NullDistribution, PairCounts, Quantiles,
    StatisticsError, StudentT, TieMethod, average_precision, gini, kendall_tau_b, mann_whitney, mean, median,
    normal_cdf, normal_quantile, normal_survival, pearson, quantile, ranks, roc_auc, spearman, standard_deviation,
    variance,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::dice::Dice;
use super::common::{assert_close, close, fnv_of, json, number, numbers};

type Correlate = fn(&[f64], &[f64]) -> Result<Correlation, StatisticsError>;

const CORRELATIONS: [(&str, Correlate); 3] =
    [("pearson", pearson), ("spearman", spearman), ("kendall_tau_b", kendall_tau_b)];

/// Against other implementations of the same arithmetic.
const RELATIVE: f64 = 1e-12;
/// For numbers about 0 that come of numbers about 1.
const ABSOLUTE: f64 = 1e-14;

fn golden() -> Value {
    json(include_str!("../golden/statistics.json"))
}

fn cases<'a>(file: &'a Value, key: &str, at_least: usize) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let cases = file[key].as_array().unwrap_or_else(|| panic!("{key}: no list"));
    assert!(cases.len() >= at_least, "{key}: {} cases", cases.len());
    cases.iter().map(|case| (case["name"].as_str().unwrap_or_default(), case))
}

/// Calls `check` with each vector's name, input, expected values, and tolerances.
fn vectors(text: &str, at_least: usize, check: impl Fn(&str, &Value, &Value, (f64, f64))) {
    let file = json(text);
    let tolerance = (number(&file["tolerance"]["rel"]), number(&file["tolerance"]["abs"]));
    for (name, case) in cases(&file, "cases", at_least) {
        check(name, &case["input"], &case["expected"], tolerance);
    }
}

/// A number, where there is one: NaN, null and "error:…" stand for none.
fn some(value: &Value) -> Option<f64> {
    match value {
        Value::Null => None,
        Value::String(word) if word.starts_with("error") => None,
        value => Some(number(value)).filter(|value| !value.is_nan()),
    }
}

/// Both have a value and it is the same, or neither has one.
#[track_caller]
fn same(what: &str, found: Option<f64>, wanted: Option<f64>, (relative, absolute): (f64, f64)) {
    match (found, wanted) {
        (Some(found), Some(wanted)) if found == wanted => (),
        (Some(found), Some(wanted)) => assert_close(what, found, wanted, relative, absolute),
        _ => assert_eq!(found, wanted, "{what}"),
    }
}

#[track_caller]
fn all_same(what: &str, found: &[f64], wanted: &Value, tolerance: (f64, f64)) {
    let wanted = numbers(wanted);
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (at, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        same(&format!("{what} [{at}]"), Some(*found), Some(wanted), tolerance);
    }
}

fn normals(rng: &mut NumpyRng, n: usize) -> Vec<f64> {
    (0..n).map(|_| rng.standard_normal()).collect()
}

/// Normals, of which some are rounded so that they tie.
fn drawn(dice: &mut Dice, n: usize) -> Vec<f64> {
    let digits = dice.of(&[0.5, 1.0, 4.0, 1e12]);
    (0..n).map(|_| libm::round(dice.0.standard_normal() * digits) / digits).collect()
}

fn permuted<T: Copy>(dice: &mut Dice, values: &[T]) -> Vec<T> {
    let order = dice.0.permutation(values.len() as u32);
    order.into_iter().map(|at| values[at as usize]).collect()
}

/// The detectors of tests/scipy/make_golden.py, drawn again: most of them with ties, zeros of both signs.
#[test]
fn areas_and_average_precisions_of_a_thousand_detectors_are_scikit_learns() {
    let file = json(include_str!("../golden/detectors.json"));
    let [areas, precisions] = ["roc_auc", "average_precision"].map(|key| numbers(&file[key]));
    assert_eq!((areas.len(), precisions.len()), (1000, 1000));
    let mut rng = NumpyRng::new(31);
    let mut tied = 0;
    for (area, precision) in areas.into_iter().zip(precisions) {
        let count = 2 + (120.0 * rng.random_sample()) as usize;
        let levels = 1 + (12.0 * rng.random_sample()) as usize;
        let share = rng.random_sample();
        let (mut positives, mut negatives) = (Vec::new(), Vec::new());
        for at in 0..count {
            let drawn = rng.random_sample() - 0.5;
            let levels = levels as f64;
            let score = if levels < 12.0 { libm::trunc(levels * drawn) / levels } else { drawn };
            let positive = rng.random_sample() < share;
            // Of each kind there is at least one.
            if if at < 2 { at == 0 } else { positive } {
                positives.push(score);
            } else {
                negatives.push(score);
            }
        }
        let pairs = PairCounts::from_scores(&positives, &negatives).unwrap();
        tied += usize::from(pairs.tied > 0);
        assert_eq!(pairs.auc(), roc_auc(&positives, &negatives).unwrap());
        assert_close("roc_auc", pairs.auc(), area, 0.0, 1e-12);
        let found = average_precision(&positives, &negatives).unwrap();
        assert_close("average_precision", found, precision, 0.0, 1e-12);
    }
    assert!(tied > 700, "{tied} with ties");
}

#[test]
fn correlations_and_ranks_equal_the_vectors() {
    vectors(include_str!("../golden/stats_rank.json"), 12, |name, input, expected, tolerance| {
        let (x, y) = (numbers(&input["x"]), numbers(&input["y"]));
        for (key, correlate) in CORRELATIONS {
            let found = correlate(&x, &y);
            let coefficient = found.ok().map(|found| found.coefficient);
            same(&format!("{name}: {key}"), coefficient, some(&expected[key]), tolerance);
            let p = found.ok().and_then(|found| found.p);
            same(&format!("{name}: p of {key}"), p, some(&expected[format!("{key}_p")]), tolerance);
        }
        if !expected["ranks_avg_x"].is_null() {
            let found = ranks(&x, TieMethod::Average).unwrap();
            assert_eq!(found, numbers(&expected["ranks_avg_x"]), "{name}");
        }
    });
}

#[test]
fn normals_equal_the_vectors() {
    vectors(include_str!("../golden/stats_norm.json"), 27, |name, input, expected, tolerance| {
        let x = number(&input["x"]);
        let found = match input["fn"].as_str() {
            Some("ppf") => normal_quantile(x).ok(),
            Some("cdf") => Some(normal_cdf(x)).filter(|p| !p.is_nan()),
            other => panic!("{name}: {other:?}"),
        };
        same(name, found, some(&expected["value"]), tolerance);
    });
}

#[test]
fn mann_whitney_equals_the_vectors() {
    let text = include_str!("../golden/stats_mannwhitney.json");
    vectors(text, 8, |name, input, expected, tolerance| {
        let (x, y) = (numbers(&input["x"]), numbers(&input["y"]));
        for (key, method) in [
            ("auto", NullDistribution::Auto),
            ("exact", NullDistribution::Exact),
            ("asymptotic", NullDistribution::Asymptotic { continuity: true }),
        ] {
            for (side, alternative) in [("two-sided", Alternative::TwoSided), ("greater", Alternative::Greater)] {
                let found = mann_whitney(&x, &y, alternative, method).ok();
                same(name, found.map(|found| found.u1), some(&expected["U1"]), tolerance);
                let key = format!("p_{key}_{side}");
                let p = found.map(|found| found.p);
                same(&format!("{name}: {key}"), p, some(&expected[&key]), tolerance);
            }
        }
        if let Ok(auc) = roc_auc(&x, &y) {
            same(name, Some(auc), some(&expected["auc_U_over_nm"]), tolerance);
        }
    });
}

/// "document" in the vectors is the reading in which a tie counts nothing, or the scores keep their
/// sign; in the other one, ties count ½ and scores that point the wrong way are turned.
#[test]
fn auc_gini_and_average_precision_equal_the_vectors() {
    let text = include_str!("../golden/fade_gini_ap.json");
    vectors(text, 13, |name, input, expected, tolerance| {
        let (positives, negatives) = (numbers(&input["concept"]), numbers(&input["non_concept"]));
        let Ok(pairs) = PairCounts::from_scores(&positives, &negatives) else {
            assert!(expected["error"].is_string() || positives.is_empty() || negatives.is_empty());
            assert!(average_precision(&positives, &negatives).is_err(), "{name}");
            return;
        };
        let negated = |scores: &[f64]| scores.iter().map(|score| -score).collect::<Vec<f64>>();
        let as_given = average_precision(&positives, &negatives).unwrap();
        let turned = if pairs.gini() < 0.0 {
            average_precision(&negated(&positives), &negated(&negatives)).unwrap()
        } else {
            as_given
        };
        for (key, found) in [
            ("auc", pairs.auc()),
            ("gini_signed", pairs.gini()),
            ("gini_abs", gini(&positives, &negatives).unwrap().abs()),
            ("auc_strict_document", pairs.share_above()),
            ("gini_abs_document", (2.0 * pairs.share_above() - 1.0).abs()),
            ("tie_fraction", pairs.share_tied()),
            ("ap_document", as_given),
            ("ap_code", turned),
        ] {
            same(&format!("{name}: {key}"), Some(found), some(&expected[key]), tolerance);
        }
    });
}

/// A line always goes through two points, so it has no error and says nothing of chance; SciPy, and
/// so the vector, gives both as 0.
#[test]
fn logarithmic_fits_equal_the_vectors() {
    vectors(include_str!("../golden/mui_logfit.json"), 7, |name, input, expected, tolerance| {
        let fit = LogFit::fit(&numbers(&input["P"]), &numbers(&input["MUI"]));
        let line = fit.as_ref().ok().map(|fit| *fit.line());
        let two_points = name == "two_points";
        assert_eq!(line.is_some(), some(&expected["A"]).is_some(), "{name}");
        for (key, found) in [
            ("A", line.map(|line| line.slope())),
            ("B", line.map(|line| line.intercept())),
            ("r", line.and_then(|line| line.correlation())),
            ("r2", line.and_then(|line| line.r_squared())),
            ("stderr", line.and_then(|line| line.slope_error())),
            ("p_value", line.and_then(|line| line.p())),
            ("mui_at_100", fit.ok().and_then(|fit| fit.predict(100.0).ok())),
        ] {
            let wanted = some(&expected[key]);
            if two_points && ["stderr", "p_value"].contains(&key) {
                assert_eq!((found, wanted), (None, Some(0.0)), "{name}: {key}");
            } else {
                same(&format!("{name}: {key}"), found, wanted, tolerance);
            }
        }
    });
}

#[test]
fn moments_ranks_and_quantiles_equal_numpys() {
    let golden = golden();
    for (name, case) in cases(&golden, "moments", 3) {
        let values = numbers(&case["values"]);
        same(name, mean(&values).ok(), some(&case["mean"]), (RELATIVE, 0.0));
        for ddof in 0..3 {
            let wanted = some(&case[format!("variance_{ddof}")]).filter(|found| found.is_finite());
            // NumPy divides by nothing, or by less: there is no such variance.
            let wanted = wanted.filter(|_| values.len() > ddof);
            same(name, variance(&values, ddof).ok(), wanted, (RELATIVE, 0.0));
            let deviation = standard_deviation(&values, ddof).ok();
            same(name, deviation, wanted.map(f64::sqrt), (RELATIVE, 0.0));
        }
    }
    for (name, case) in cases(&golden, "ranks", 5) {
        let values = numbers(&case["values"]);
        for (key, ties) in [
            ("average", TieMethod::Average),
            ("min", TieMethod::Min),
            ("max", TieMethod::Max),
            ("dense", TieMethod::Dense),
            ("ordinal", TieMethod::Ordinal),
        ] {
            assert_eq!(ranks(&values, ties).unwrap(), numbers(&case[key]), "{name}: {key}");
        }
    }
    for (name, case) in cases(&golden, "quantiles", 5) {
        let values = numbers(&case["values"]);
        let quantiles = Quantiles::new(&values).unwrap();
        let shares = numbers(&case["shares"]);
        let found: Vec<f64> = shares.iter().map(|share| quantiles.at(*share).unwrap()).collect();
        all_same(name, &found, &case["quantiles"], (RELATIVE, ABSOLUTE));
        let each: Vec<f64> = shares.iter().map(|share| quantile(&values, *share).unwrap()).collect();
        assert_eq!(each, found, "{name}");
        assert_eq!(median(&values), quantiles.at(0.5), "{name}");
    }
}

#[test]
fn histograms_equal_numpys() {
    for (name, case) in cases(&golden(), "histograms", 5) {
        let bins = case["bins"].as_u64().unwrap() as usize;
        let found = Histogram::from_values(&numbers(&case["values"]), bins).unwrap();
        assert_eq!(serde_json::json!(found.counts()), case["counts"], "{name}");
        assert_eq!(found.edges(), numbers(&case["edges"]), "{name}");
        assert_close(name, found.entropy(), number(&case["entropy"]), RELATIVE, ABSOLUTE);
    }
}

#[test]
fn distributions_equal_scipys() {
    let golden = golden();
    let normal = &golden["normal"];
    let at = |values: &Value, f: &dyn Fn(f64) -> f64| -> Vec<f64> { numbers(values).into_iter().map(f).collect() };
    let cdf = &normal["cdf"];
    all_same("normal cdf", &at(&cdf["z"], &normal_cdf), &cdf["p"], (1e-13, 0.0));
    let survival = at(&cdf["z"], &normal_survival);
    all_same("normal survival", &survival, &cdf["survival"], (1e-13, 0.0));
    let z = at(&normal["quantile"]["p"], &|p| normal_quantile(p).unwrap());
    all_same("normal quantile", &z, &normal["quantile"]["z"], (1e-14, 1e-16));

    for (_, case) in cases(&golden, "student_t", 16) {
        let freedom = number(&case["freedom"]);
        let student = StudentT::new(freedom).unwrap();
        let name = format!("{freedom} degrees of freedom");
        let tail = at(&case["t"], &|t| student.cdf(-t));
        all_same(&format!("{name}, cdf"), &tail, &case["cdf"], (1e-11, 1e-300));
        let upper = at(&case["t"], &|t| 1.0 - student.cdf(t));
        all_same(&format!("{name}, cdf above 0"), &upper, &case["cdf"], (1e-11, 1e-15));
        let both = at(&case["t"], &|t| student.two_sided_p_value(t));
        all_same(&format!("{name}, two-sided"), &both, &case["two_sided"], (1e-11, 1e-300));
        let t = at(&case["p"], &|p| student.quantile(p).unwrap());
        all_same(&format!("{name}, quantile"), &t, &case["quantile"], (1e-11, ABSOLUTE));
    }
}

#[test]
fn correlations_equal_scipys() {
    for (name, case) in cases(&golden(), "correlations", 15) {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        for (key, correlate) in CORRELATIONS {
            let found = correlate(&x, &y).unwrap();
            let what = format!("{name}: {key}");
            same(&what, Some(found.coefficient), some(&case[key]["r"]), (RELATIVE, ABSOLUTE));
            same(&format!("{what}: p"), found.p, some(&case[key]["p"]), (1e-10, 1e-300));
        }
    }
}

#[test]
fn mann_whitney_equals_scipys() {
    let golden = golden();
    for (name, case) in cases(&golden, "mann_whitney", 11) {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        for (key, wanted) in case["p"].as_object().unwrap() {
            let (method, side) = key.rsplit_once(' ').unwrap();
            let method = match method {
                "auto" => NullDistribution::Auto,
                "exact" => NullDistribution::Exact,
                "asymptotic" => NullDistribution::Asymptotic { continuity: true },
                _ => NullDistribution::Asymptotic { continuity: false },
            };
            let alternative = match side {
                "less" => Alternative::Less,
                "greater" => Alternative::Greater,
                _ => Alternative::TwoSided,
            };
            let found = mann_whitney(&x, &y, alternative, method).unwrap();
            assert_eq!(found.u1, number(&case["u1"]), "{name}");
            // Of equal values SciPy's z without a correction is 0/0.
            let wanted = some(wanted).unwrap_or(1.0);
            same(&format!("{name}: {key}"), Some(found.p), Some(wanted), (1e-12, 1e-300));
        }
    }
    for (name, case) in cases(&golden, "auc", 11) {
        let (positives, negatives) = (numbers(&case["positives"]), numbers(&case["negatives"]));
        let auc = roc_auc(&positives, &negatives).ok();
        same(name, auc, some(&case["roc_auc"]), (RELATIVE, 0.0));
        let precision = average_precision(&positives, &negatives).ok();
        same(name, precision, some(&case["average_precision"]), (RELATIVE, 0.0));
    }
}

#[test]
fn lines_equal_scipys() {
    for (name, case) in cases(&golden(), "regressions", 12) {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        let logarithm = (case["curve"] == "logarithm").then(|| LogFit::fit(&x, &y).unwrap());
        let fit = logarithm.map_or_else(|| LinearFit::fit(&x, &y).unwrap(), |fit| *fit.line());
        for (key, found) in
            [("slope", Some(fit.slope())), ("intercept", Some(fit.intercept())), ("r", fit.correlation())]
        {
            same(&format!("{name}: {key}"), found, some(&case[key]), (1e-11, 1e-13));
        }
        for (key, found) in
            [("p", fit.p()), ("slope_error", fit.slope_error()), ("intercept_error", fit.intercept_error())]
        {
            same(&format!("{name}: {key}"), found, some(&case[key]), (1e-10, 0.0));
        }
        let (low, high) = (numbers(&case["low"]), numbers(&case["high"]));
        for ((at, low), high) in numbers(&case["at"]).into_iter().zip(low).zip(high) {
            let band = match logarithm {
                Some(curve) => curve.confidence_band(at, 0.95).unwrap(),
                None => fit.confidence_band(at, 0.95).unwrap(),
            };
            same(&format!("{name}: low at {at}"), Some(band.low), Some(low), (1e-10, 1e-11));
            same(&format!("{name}: high at {at}"), Some(band.high), Some(high), (1e-10, 1e-11));
        }
    }
}

#[test]
fn a_bootstrap_draws_what_numpy_draws() {
    for (name, case) in cases(&golden(), "bootstraps", 4) {
        let values = numbers(&case["values"]);
        let bootstrap = Bootstrap {
            resamples: case["resamples"].as_u64().unwrap() as usize,
            confidence: number(&case["confidence"]),
            seed: case["seed"].as_u64().unwrap() as u32,
        };
        let found = bootstrap.interval(&values, |sample| mean(sample).ok()).unwrap();
        all_same(name, &[found.low], &Value::from(vec![case["low"].clone()]), (RELATIVE, 1e-14));
        all_same(name, &[found.high], &Value::from(vec![case["high"].clone()]), (RELATIVE, 1e-14));
        let mut last = Vec::new();
        let by_rows = bootstrap.interval_of_rows(values.len(), |rows| {
            last = rows.to_vec();
            Some(rows.iter().map(|row| values[*row]).sum::<f64>() / rows.len() as f64)
        });
        assert_eq!(by_rows, Ok(found), "{name}");
        assert_eq!(serde_json::json!(last), case["last_rows"], "{name}");
    }
}

/// How often 90 % intervals of the mean of normals hold the truth, which is 0.
fn coverage(n: usize, trials: u32) -> f64 {
    let mut rng = NumpyRng::new(7);
    let held = (0..trials).filter(|trial| {
        let values = normals(&mut rng, n);
        let bootstrap = Bootstrap { resamples: 300, confidence: 0.9, seed: 1000 + trial };
        bootstrap.interval(&values, |sample| mean(sample).ok()).unwrap().contains(0.0)
    });
    held.count() as f64 / f64::from(trials)
}

/// A percentile interval is one with the normal's quantile and the population's deviation, where
/// Student's and the sample's would be right: of n normals it holds the truth with the probability
/// that |T| with n − 1 degrees of freedom is below z √((n − 1)/n).
#[test]
fn bootstrap_intervals_hold_the_truth_as_often_as_they_should() {
    let z = normal_quantile(0.95).unwrap();
    for n in [10, 40] {
        let trials = 1500;
        let freedom = (n - 1) as f64;
        let outside = StudentT::new(freedom).unwrap().two_sided_p_value(z * f64::sqrt(freedom / n as f64));
        let (found, wanted) = (coverage(n, trials), 1.0 - outside);
        let noise = f64::sqrt(wanted * (1.0 - wanted) / f64::from(trials));
        assert!((found - wanted).abs() < 3.0 * noise, "{n} values: {found}, not {wanted}");
    }
}

/// A line's band holds the true line as often as it says.
#[test]
fn confidence_bands_hold_the_truth_as_often_as_they_should() {
    let mut rng = NumpyRng::new(8);
    let x: Vec<f64> = (0..6).map(f64::from).collect();
    let trials = 2000;
    let held = (0..trials).filter(|_| {
        let y: Vec<f64> = x.iter().map(|x| 2.0 - 0.3 * x + rng.standard_normal()).collect();
        let fit = LinearFit::fit(&x, &y).unwrap();
        fit.confidence_band(7.5, 0.8).unwrap().contains(2.0 - 0.3 * 7.5)
    });
    let found = held.count() as f64 / f64::from(trials);
    assert!((found - 0.8).abs() < 3.0 * f64::sqrt(0.8 * 0.2 / f64::from(trials)), "{found}");
}

#[test]
fn area_under_the_curve_is_a_share_of_u() {
    let mut dice = Dice::new(31);
    for _ in 0..300 {
        let (m, n) = (dice.whole(1, 30), dice.whole(1, 30));
        let (x, y) = (drawn(&mut dice, m), drawn(&mut dice, n));
        let test = mann_whitney(&x, &y, Alternative::TwoSided, NullDistribution::Auto).unwrap();
        let pairs = PairCounts::from_scores(&x, &y).unwrap();
        let mn = (m * n) as f64;
        assert!(close(test.u1 / mn, pairs.auc(), 1e-14, 0.0));
        assert_eq!(test.u1 + test.u2, mn);
        assert_eq!(pairs.above + pairs.tied + pairs.below, (m * n) as u64);
        assert!(close(pairs.gini(), 2.0 * pairs.auc() - 1.0, 1e-12, 1e-14));
        // The other way round.
        let back = PairCounts::from_scores(&y, &x).unwrap();
        assert_eq!((back.above, back.tied, back.below), (pairs.below, pairs.tied, pairs.above));
        let swapped = mann_whitney(&y, &x, Alternative::TwoSided, NullDistribution::Auto).unwrap();
        assert_eq!((swapped.u1, swapped.u2), (test.u2, test.u1));
        assert!(close(swapped.p, test.p, 1e-13, 0.0));
    }
}

#[test]
fn order_does_not_matter() {
    let mut dice = Dice::new(32);
    for _ in 0..200 {
        let n = dice.whole(3, 40);
        let (x, y) = (drawn(&mut dice, n), drawn(&mut dice, n));
        let rows: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
        let (x2, y2): (Vec<f64>, Vec<f64>) = permuted(&mut dice, &rows).into_iter().unzip();
        for (name, correlate) in CORRELATIONS {
            let (found, again) = (correlate(&x, &y), correlate(&x2, &y2));
            let coefficients = [found, again].map(|one| one.ok().map(|one| one.coefficient));
            same(name, coefficients[0], coefficients[1], (1e-12, 1e-13));
        }
        let (xs, ys) = (permuted(&mut dice, &x), permuted(&mut dice, &y));
        assert_eq!(Quantiles::new(&x), Quantiles::new(&xs));
        assert_eq!(Histogram::from_values(&x, 7), Histogram::from_values(&xs, 7));
        assert_eq!(PairCounts::from_scores(&x, &y), PairCounts::from_scores(&xs, &ys));
        assert_eq!(average_precision(&x, &y), average_precision(&xs, &ys));
        let [found, again] = [(&x, &y), (&xs, &ys)]
            .map(|(x, y)| mann_whitney(x, y, Alternative::Greater, NullDistribution::Auto).unwrap());
        assert_eq!(found, again);
    }
}

#[test]
fn correlations_are_symmetric_and_turn_with_a_sign() {
    let mut dice = Dice::new(33);
    for _ in 0..200 {
        let n = dice.whole(2, 40);
        let (x, y) = (drawn(&mut dice, n), drawn(&mut dice, n));
        let negated: Vec<f64> = y.iter().map(|y| -y).collect();
        for (name, correlate) in CORRELATIONS {
            let Ok(found) = correlate(&x, &y) else {
                let alike = |values: &[f64]| values.iter().all(|value| *value == values[0]);
                assert!(alike(&x) || alike(&y), "{name}");
                continue;
            };
            assert!((-1.0..=1.0).contains(&found.coefficient), "{name}");
            assert!(found.p.is_none_or(|p| (0.0..=1.0).contains(&p)), "{name}: {found:?}");
            let swapped = correlate(&y, &x).unwrap();
            assert!(close(swapped.coefficient, found.coefficient, 1e-14, 1e-15), "{name}");
            let turned = correlate(&x, &negated).unwrap();
            assert!(close(turned.coefficient, -found.coefficient, 1e-13, 1e-14), "{name}");
            let own = correlate(&x, &x).unwrap().coefficient;
            assert!((own - 1.0).abs() < 1e-13, "{name}: {own}");
        }
    }
}

/// Only their order counts for ranks.
#[test]
fn rising_transforms_leave_ranks_as_they_are() {
    let mut dice = Dice::new(34);
    for _ in 0..200 {
        let n = dice.whole(3, 40);
        let (x, y) = (drawn(&mut dice, n), drawn(&mut dice, n));
        let bent: Vec<f64> = x.iter().map(|x| x * x * x + libm::exp(*x)).collect();
        for correlate in [spearman, kendall_tau_b] {
            assert_eq!(correlate(&x, &y), correlate(&bent, &y));
        }
        let bent_y: Vec<f64> = y.iter().map(|y| y * y * y + libm::exp(*y)).collect();
        assert_eq!(PairCounts::from_scores(&x, &y), PairCounts::from_scores(&bent, &bent_y));
        assert_eq!(average_precision(&x, &y), average_precision(&bent, &bent_y));
        for ties in [TieMethod::Average, TieMethod::Min, TieMethod::Max, TieMethod::Dense, TieMethod::Ordinal] {
            assert_eq!(ranks(&x, ties), ranks(&bent, ties));
        }
    }
}

/// As the definition says, over all pairs of pairs.
#[test]
fn kendall_counts_all_pairs_of_pairs() {
    let mut dice = Dice::new(35);
    for _ in 0..200 {
        let n = dice.whole(2, 25);
        let (x, y) = (drawn(&mut dice, n), drawn(&mut dice, n));
        let sign = |a: f64, b: f64| f64::from(i8::from(a > b) - i8::from(a < b));
        let (mut excess, mut in_x, mut in_y) = (0.0, 0.0, 0.0);
        for first in 0..n {
            for second in first + 1..n {
                let (sx, sy) = (sign(x[first], x[second]), sign(y[first], y[second]));
                (excess, in_x, in_y) = (excess + sx * sy, in_x + sx * sx, in_y + sy * sy);
            }
        }
        let wanted = (in_x > 0.0 && in_y > 0.0).then(|| excess / f64::sqrt(in_x * in_y));
        let found = kendall_tau_b(&x, &y).ok().map(|found| found.coefficient);
        same("τ", found, wanted, (1e-13, 1e-15));
    }
}

/// By listing every arrangement.
#[test]
fn exact_p_values_count_arrangements() {
    for (m, n) in [(1, 1), (1, 6), (3, 4), (5, 5), (6, 2)] {
        let all: usize = m + n;
        let us: Vec<usize> = (0..1_usize << all)
            .filter(|first| first.count_ones() as usize == m)
            .map(|first| {
                let is_first = |at: usize| first >> at & 1 == 1;
                let below = |at: usize| (0..at).filter(|at| !is_first(*at)).count();
                (0..all).filter(|at| is_first(*at)).map(below).sum()
            })
            .collect();
        for first in (0..1_usize << all).filter(|first| first.count_ones() as usize == m) {
            let (x, y): (Vec<usize>, Vec<usize>) = (0..all).partition(|at| first >> at & 1 == 1);
            let [x, y] = [x, y].map(|places| places.iter().map(|at| *at as f64).collect::<Vec<_>>());
            let found = mann_whitney(&x, &y, Alternative::Greater, NullDistribution::Exact).unwrap();
            let extreme = us.iter().filter(|u| **u as f64 >= found.u1).count();
            assert!(close(found.p, extreme as f64 / us.len() as f64, 1e-14, 0.0));
        }
    }
}

/// 128 bits hold the arrangements of 64 and 65 values, not of 70 and 70.
#[test]
fn arrangements_that_do_not_count_are_refused_or_approximated() {
    let ramp = |n: u32, shift: f64| (0..n).map(|at| f64::from(at) + shift).collect::<Vec<f64>>();
    let (x, y) = (ramp(64, 0.0), ramp(65, 0.25));
    let exact = mann_whitney(&x, &y, Alternative::Less, NullDistribution::Exact).unwrap().p;
    let near = NullDistribution::Asymptotic { continuity: true };
    let asymptotic = mann_whitney(&x, &y, Alternative::Less, near).unwrap().p;
    assert!(close(exact, asymptotic, 2e-3, 0.0), "{exact} {asymptotic}");
    let (x, y) = (ramp(70, 0.0), ramp(70, 0.25));
    let refused = mann_whitney(&x, &y, Alternative::Less, NullDistribution::Exact);
    assert_eq!(refused, Err(StatisticsError::Uncountable { first: 70, second: 70 }));
    let (few, very_many) = (ramp(8, 0.5), ramp(300_000, 0.0));
    let auto = mann_whitney(&few, &very_many, Alternative::Less, NullDistribution::Auto).unwrap();
    assert_eq!(auto, mann_whitney(&few, &very_many, Alternative::Less, near).unwrap());
}

#[test]
fn quantiles_undo_distributions() {
    let mut dice = Dice::new(36);
    for _ in 0..500 {
        let p = dice.0.random_sample();
        let tail = libm::pow(10.0, -250.0 * p);
        for p in [p, tail] {
            assert!(close(normal_cdf(normal_quantile(p).unwrap()), p, 1e-12, 0.0), "{p}");
            let student = StudentT::new(dice.of(&[0.7, 1.0, 3.0, 8.0, 40.0, 1e4])).unwrap();
            let t = student.quantile(p).unwrap();
            if t.is_finite() {
                assert!(close(student.cdf(t), p, 1e-11, 0.0), "{student:?} {p}");
            }
        }
    }
    // Cauchy's distribution and that of two degrees of freedom are known.
    let (one, two) = (StudentT::new(1.0).unwrap(), StudentT::new(2.0).unwrap());
    for freedom in [0.5, 3.0, 1e5, 1e300] {
        let student = StudentT::new(freedom).unwrap();
        let ends = [-1.0, 1.0].map(|sign| sign * f64::INFINITY);
        assert_eq!(ends.map(|t| student.cdf(t)), [0.0, 1.0]);
        assert_eq!([0.0, 1.0].map(|p| student.quantile(p).unwrap()), ends);
        assert_eq!((student.cdf(0.0), student.quantile(0.5)), (0.5, Ok(0.0)));
        assert!(student.cdf(f64::NAN).is_nan());
    }
    for t in [-1e-8, -0.3, -1e5, -1e200] {
        let cauchy = libm::atan2(1.0, -t) / std::f64::consts::PI;
        assert!(close(one.cdf(t), cauchy, 1e-14, 0.0), "{t}");
    }
    for p in [1e-9, 0.01, 0.2, 0.4, 0.6, 0.99] {
        let cauchy = -1.0 / libm::tan(std::f64::consts::PI * p);
        assert!(close(one.quantile(p).unwrap(), cauchy, 1e-13, 0.0), "{p}");
        let known = (2.0 * p - 1.0) / f64::sqrt(2.0 * p * (1.0 - p));
        assert!(close(two.quantile(p).unwrap(), known, 1e-13, 0.0), "{p}");
    }
    let wide = StudentT::new(1e300).unwrap();
    for p in [1e-200, 0.025, 0.4, 0.975] {
        assert!(close(wide.quantile(p).unwrap(), normal_quantile(p).unwrap(), 1e-13, 0.0), "{p}");
    }
}

/// Natively and in a browser. The digest is of this implementation's own values: what they should
/// be is for the tests above.
#[test]
fn statistics_have_the_same_bits_everywhere() {
    let mut dice = Dice::new(37);
    let mut found = Vec::new();
    for _ in 0..40 {
        let n = dice.whole(4, 40);
        let (x, y) = (drawn(&mut dice, n), drawn(&mut dice, n));
        for (_, correlate) in CORRELATIONS {
            let one = correlate(&x, &y);
            found.extend(one.iter().flat_map(|one| [one.coefficient, one.p.unwrap_or(-1.0)]));
        }
        let test = mann_whitney(&x, &y[1..], Alternative::TwoSided, NullDistribution::Auto).unwrap();
        found.extend([test.u1, test.p, variance(&x, 1).unwrap(), median(&x).unwrap()]);
        found.extend([roc_auc(&x, &y).unwrap(), average_precision(&x, &y).unwrap()]);
        found.push(Histogram::from_values(&x, 9).unwrap().entropy());
        if let Ok(fit) = LogFit::fit(&x.iter().map(|x| libm::exp(*x)).collect::<Vec<_>>(), &y) {
            let band = fit.confidence_band(2.0, 0.9);
            found.extend(band.iter().flat_map(|band| [band.low, band.high]));
            found.extend([fit.line().slope(), fit.line().p().unwrap_or(-1.0)]);
        }
        let p = dice.0.random_sample();
        let student = StudentT::new(n as f64 / 3.0).unwrap();
        found.extend([normal_quantile(p).unwrap(), student.quantile(p).unwrap()]);
        let bootstrap = Bootstrap { resamples: 50, confidence: 0.9, seed: n as u32 };
        let interval = bootstrap.interval(&x, |sample| median(sample).ok()).unwrap();
        found.extend([interval.low, interval.high]);
    }
    assert!(found.iter().all(|value| value.is_finite()));
    assert_eq!(fnv_of(&found), "0c006672815ec5f8");
}

#[test]
fn data_without_an_answer_are_refused() {
    use StatisticsError as E;
    let nan = [1.0, f64::NAN];
    let none: [f64; 0] = [];
    let bootstrap = Bootstrap { resamples: 10, confidence: 0.9, seed: 0 };
    let of_mean = |sample: &[f64]| mean(sample).ok();
    for (error, code, message) in [
        (mean(&none).unwrap_err(), "statistics.too-few", "the values: 0 given; at least 1 needed"),
        (mean(&nan).unwrap_err(), "statistics.non-finite", "the values: value NaN at index 1 is not finite"),
        (
            ranks(&nan, TieMethod::Average).unwrap_err(),
            "statistics.nan",
            "the values: the value at index 1 is NaN, which has no rank",
        ),
        (
            pearson(&[1.0], &[1.0, 2.0]).unwrap_err(),
            "statistics.lengths",
            "x has 1 and y has 2; as many values of each are needed",
        ),
        (
            pearson(&[1.0, 2.0], &[0.1, 0.1]).unwrap_err(),
            "statistics.constant",
            "y does not vary, so what divides by its deviation is undefined",
        ),
        (quantile(&[1.0], 1.5).unwrap_err(), "statistics.share", "the share is 1.5; allowed: from 0 to 1"),
        (normal_quantile(-0.1).unwrap_err(), "statistics.share", "the probability is -0.1; allowed: from 0 to 1"),
        (
            StudentT::new(0.0).unwrap_err(),
            "statistics.freedom",
            "0 degrees of freedom are asked for; allowed: finite and above 0",
        ),
        (Histogram::from_values(&[1.0], 0).unwrap_err(), "statistics.bins", "0 bins are asked for; allowed: 1 or more"),
        (Histogram::from_values(&[0.0, 5e-324], 4).unwrap_err(), "statistics.span", "values from 0 to 0.000"),
        (Histogram::from_values(&[-1e308, 1e308], 4).unwrap_err(), "statistics.span", "values from -1000"),
        (
            LogFit::fit(&[1.0, 0.0], &[1.0, 2.0]).unwrap_err(),
            "statistics.non-positive",
            "x: value 0 at index 1 has no logarithm; allowed: above 0",
        ),
        (
            LinearFit::fit(&[1e200, -1e200], &[1.0, 2.0]).unwrap_err(),
            "statistics.squares",
            "x: the squares of the values are too large or too small for numbers",
        ),
        (
            bootstrap.interval(&[1.0, 2.0], |_| None).unwrap_err(),
            "statistics.resample",
            "the statistic has no value on resample 0",
        ),
        (
            Bootstrap { confidence: 1.0, ..bootstrap }.interval(&[1.0], of_mean).unwrap_err(),
            "statistics.confidence",
            "the confidence is 1; allowed: between 0 and 1, both excluded",
        ),
        (
            Bootstrap { resamples: 1, ..bootstrap }.interval(&[1.0], of_mean).unwrap_err(),
            "statistics.too-few",
            "the resamples: 1 given; at least 2 needed",
        ),
        (bootstrap.interval_of_rows(usize::MAX, |_| None).unwrap_err(), "statistics.too-many", "the rows: "),
        (
            mann_whitney(&[0.0; 90], &[0.0; 90], Alternative::Less, NullDistribution::Exact).unwrap_err(),
            "statistics.uncountable",
            "the arrangements of 90 and 90 values are too many",
        ),
    ] {
        assert_eq!(error.code(), code);
        assert!(error.to_string().starts_with(message), "{error}");
    }
    assert!(matches!(roc_auc(&none, &[1.0]), Err(E::TooFew { .. })));
    assert!(matches!(average_precision(&[1.0], &none), Err(E::TooFew { .. })));
    let line = LinearFit::fit(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
    assert!(matches!(line.confidence_band(1.0, 0.9), Err(E::TooFew { found: 2, needed: 3, .. })));
    let flat = LinearFit::fit(&[1.0, 2.0, 3.0], &[4.0; 3]).unwrap();
    assert!(matches!(flat.confidence_band(1.0, 0.9), Err(E::Constant { what: "y" })));
    assert_eq!((flat.slope(), flat.predict(9.0), flat.p(), flat.r_squared()), (0.0, 4.0, None, None));
}
