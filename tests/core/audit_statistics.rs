//! The audit's statistics against SciPy and NumPy (tests/golden/audit_statistics.json), and how often their intervals
//! hold what they should.

use serde_json::Value;
use sfc_bench::NumpyRng;
use sfc_bench::statistics::{
    Bootstrap, Linkage, OneSampleT, StatisticsError, StudentisedBootstrap, auc_interval, benjamini_hochberg, cohens_d,
    hedges_correction, hedges_g, normal_cdf, partial_spearman, roc_auc, sample_size, spearman,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, number, numbers};

/// As the audit promises; what is found is far nearer.
const RELATIVE: f64 = 1e-9;
const ABSOLUTE: f64 = 1e-12;

fn golden() -> Value {
    json(include_str!("../golden/audit_statistics.json"))
}

fn cases(file: &Value, key: &str, at_least: usize) -> Vec<Value> {
    let cases = file[key].as_array().unwrap_or_else(|| panic!("{key}: no list"));
    assert!(cases.len() >= at_least, "{key}: {} cases", cases.len());
    cases.clone()
}

#[track_caller]
fn near(what: &Value, found: f64, wanted: &Value) {
    assert_close(&what.to_string(), found, number(wanted), RELATIVE, ABSOLUTE);
}

fn normals(rng: &mut NumpyRng, n: usize) -> Vec<f64> {
    (0..n).map(|_| rng.standard_normal()).collect()
}

#[test]
fn one_sample_tests_and_their_intervals_are_scipys() {
    for case in cases(&golden(), "one_sample_t", 12) {
        let found = OneSampleT::from_values(&numbers(&case["values"]), number(&case["about"])).unwrap();
        near(&case["name"], found.t, &case["t"]);
        near(&case["name"], found.p, &case["p"]);
        for (confidence, ends) in [0.95, 0.8].into_iter().zip([0, 1]) {
            let interval = found.interval(confidence).unwrap();
            near(&case["name"], interval.low, &case["intervals"][ends][0]);
            near(&case["name"], interval.high, &case["intervals"][ends][1]);
        }
    }
    assert!(matches!(OneSampleT::from_values(&[1.0], 0.0), Err(StatisticsError::TooFew { .. })));
    assert!(matches!(OneSampleT::from_values(&[1.0; 3], 0.0), Err(StatisticsError::Constant { .. })));
}

#[test]
fn false_discovery_rates_are_scipys() {
    for case in cases(&golden(), "false_discovery", 5) {
        let found = benjamini_hochberg(&numbers(&case["p"])).unwrap();
        for (found, wanted) in found.into_iter().zip(case["q"].as_array().unwrap()) {
            near(&case["name"], found, wanted);
        }
    }
    assert_eq!(benjamini_hochberg(&[]), Ok(Vec::new()));
    assert!(matches!(benjamini_hochberg(&[0.5, 1.5]), Err(StatisticsError::Share { .. })));
    assert!(matches!(benjamini_hochberg(&[f64::NAN]), Err(StatisticsError::NonFinite { .. })));
}

#[test]
fn partial_correlations_are_those_of_rank_residuals() {
    for case in cases(&golden(), "partial", 5) {
        let [x, y, z] = ["x", "y", "z"].map(|key| numbers(&case[key]));
        let found = partial_spearman(&x, &y, &z).unwrap();
        near(&case["name"], found.coefficient, &case["r"]);
        near(&case["name"], found.p.unwrap(), &case["p"]);
        near(&case["name"], spearman(&x, &y).unwrap().coefficient, &case["spearman"]);
        // What does not vary takes nothing away.
        assert_eq!(partial_spearman(&x, &y, &vec![2.0; x.len()]), spearman(&x, &y));
        // What is the covariate has nothing left, whatever its scale.
        let stretched: Vec<f64> = z.iter().map(|z| libm::exp(*z)).collect();
        let left = partial_spearman(&stretched, &y, &z);
        assert!(matches!(left, Err(StatisticsError::Constant { .. })), "{left:?}");
    }
}

#[test]
fn effect_sizes_with_hedges_correction_are_numpys() {
    for case in cases(&golden(), "hedges", 5) {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        let found = hedges_g(&x, &y).unwrap();
        near(&case["name"], found, &case["g"]);
        let correction = hedges_correction((x.len() + y.len() - 2) as f64).unwrap();
        near(&case["name"], correction, &case["correction"]);
        assert_eq!(found, cohens_d(&x, &y, 1).unwrap() * correction);
    }
    assert_eq!(hedges_correction(1.0), Ok(0.0));
    for freedom in [0.5, f64::NAN, f64::INFINITY] {
        assert!(matches!(hedges_correction(freedom), Err(StatisticsError::Freedom { .. })));
    }
}

#[test]
fn intervals_of_areas_are_the_roots_that_scipy_finds() {
    for case in cases(&golden(), "auc", 24) {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        let auc = roc_auc(&x, &y).unwrap();
        near(&case["auc"], auc, &case["auc"]);
        for (confidence, ends) in [0.95, 0.8].into_iter().zip([0, 1]) {
            let interval = auc_interval(auc, x.len(), y.len(), confidence).unwrap();
            near(&case["auc"], interval.low, &case["intervals"][ends][0]);
            near(&case["auc"], interval.high, &case["intervals"][ends][1]);
        }
    }
    // Symmetric, with an end where the area is one, and as wide as there is room for.
    let ends = |auc| auc_interval(auc, 4, 6, 0.95).map(|found| (found.low, found.high)).unwrap();
    assert_eq!((ends(1.0).1, ends(0.0).0), (1.0, 0.0));
    assert_eq!(ends(1.0).0, 1.0 - ends(0.0).1);
    assert!(auc_interval(0.5, 1, 1, 0.95).is_ok());
    assert!(matches!(auc_interval(0.5, 0, 1, 0.95), Err(StatisticsError::TooFew { .. })));
    assert!(matches!(auc_interval(1.1, 1, 1, 0.95), Err(StatisticsError::Share { .. })));
}

#[test]
fn sample_sizes_are_those_of_scipys_normal() {
    for case in cases(&golden(), "sample_sizes", 18) {
        let [effect, alpha, power] = ["effect", "alpha", "power"].map(|key| number(&case[key]));
        assert_eq!(sample_size(effect, alpha, power), Ok(Some(number(&case["n"]))), "{case}");
    }
    assert_eq!(sample_size(f64::INFINITY, 0.05, 0.8), Ok(Some(2.0)));
    assert_eq!(sample_size(f64::NAN, 0.05, 0.8), Ok(None));
}

#[test]
fn studentised_bootstraps_are_those_of_numpys_draws() {
    for case in cases(&golden(), "studentised", 4) {
        let (values, seed) = (numbers(&case["values"]), number(&case["seed"]) as u32);
        let bootstrap = Bootstrap { resamples: 2000, confidence: 0.95, seed };
        let found = StudentisedBootstrap::new(&bootstrap, values.len()).unwrap().interval(&values).unwrap();
        near(&case["name"], found.low, &case["interval"][0]);
        near(&case["name"], found.high, &case["interval"][1]);
    }
    let bootstrap = Bootstrap { resamples: 500, confidence: 0.95, seed: 0 };
    let studentised = StudentisedBootstrap::new(&bootstrap, 10).unwrap();
    // Most resamples leave out the one that differs, and have no spread.
    let mut rare = vec![1.0; 10];
    assert!(matches!(studentised.interval(&rare), Err(StatisticsError::Constant { .. })));
    rare[3] = 0.5;
    assert!(matches!(studentised.interval(&rare), Err(StatisticsError::Constant { .. })));
    assert!(matches!(studentised.interval(&rare[1..]), Err(StatisticsError::Lengths { .. })));
    let many = StudentisedBootstrap::new(&bootstrap, usize::MAX);
    assert!(matches!(many, Err(StatisticsError::TooMany { .. })));
}

#[test]
fn leaves_stand_as_scipys() {
    for case in cases(&golden(), "leaves", 4) {
        let things = number(&case["things"]) as usize;
        let linkage = Linkage::average(things, numbers(&case["distances"])).unwrap();
        let leaves: Vec<f64> = linkage.leaves().into_iter().map(|leaf| leaf as f64).collect();
        assert_eq!(leaves, numbers(&case["leaves"]));
    }
    assert_eq!(Linkage::average(0, Vec::new()).unwrap().leaves(), [0; 0]);
    assert_eq!(Linkage::average(1, Vec::new()).unwrap().leaves(), [0]);
}

/// How often of `rounds` times something holds.
fn share(rounds: usize, mut holds: impl FnMut() -> bool) -> f64 {
    (0..rounds).filter(|_| holds()).count() as f64 / rounds as f64
}

/// Four standard deviations of a share of `rounds`.
fn binomial(share: f64, rounds: usize) -> f64 {
    4.0 * f64::sqrt(share * (1.0 - share) / rounds as f64)
}

#[test]
fn students_intervals_of_three_and_five_normals_hold_the_mean_95_times_of_100() {
    const ROUNDS: usize = 20_000;
    for n in [3, 5] {
        let mut rng = NumpyRng::new(n as u32);
        let found = share(ROUNDS, || {
            let test = OneSampleT::from_values(&normals(&mut rng, n), 0.0).unwrap();
            test.interval(0.95).unwrap().contains(0.0)
        });
        assert!((found - 0.95).abs() < binomial(0.95, ROUNDS), "{n} values: {found}");
    }
}

/// Of skewed values Student's interval is too short on one side, and the bootstrap less so.
#[test]
fn studentised_bootstraps_of_twenty_values_hold_the_mean() {
    const ROUNDS: usize = 1_500;
    let bootstrap = Bootstrap { resamples: 500, confidence: 0.95, seed: 0 };
    let studentised = StudentisedBootstrap::new(&bootstrap, 20).unwrap();
    let mut rng = NumpyRng::new(20);
    let normal = share(ROUNDS, || studentised.interval(&normals(&mut rng, 20)).unwrap().contains(0.0));
    assert!((normal - 0.95).abs() < binomial(0.95, ROUNDS), "normal: {normal}");
    let mut students = 0;
    let skewed = share(ROUNDS, || {
        let values: Vec<f64> = (0..20).map(|_| -libm::log1p(-rng.random_sample())).collect();
        let test = OneSampleT::from_values(&values, 0.0).unwrap();
        students += usize::from(test.interval(0.95).unwrap().contains(1.0));
        studentised.interval(&values).unwrap().contains(1.0)
    });
    let students = students as f64 / ROUNDS as f64;
    assert!((skewed - 0.95).abs() < binomial(0.95, ROUNDS), "skewed: {skewed}");
    assert!(skewed > students, "skewed: {skewed}, Student's {students}");
}

/// Newcombe finds the mean coverage of the method near 95 % for samples as small as these, above it in the middle and at
/// far areas, never far below.
#[test]
fn newcombes_intervals_of_five_against_five_hold_the_area() {
    const ROUNDS: usize = 10_000;
    let mut rng = NumpyRng::new(5);
    let mut all = 0.0;
    let shifts = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0];
    for shift in shifts {
        let truth = normal_cdf(shift / std::f64::consts::SQRT_2);
        let found = share(ROUNDS, || {
            let x: Vec<f64> = normals(&mut rng, 5).iter().map(|x| x + shift).collect();
            let auc = roc_auc(&x, &normals(&mut rng, 5)).unwrap();
            auc_interval(auc, 5, 5, 0.95).unwrap().contains(truth)
        });
        assert!((0.93..=0.995).contains(&found), "shift {shift}: {found}");
        all += found / shifts.len() as f64;
    }
    assert!((0.94..=0.98).contains(&all), "on average: {all}");
}

#[test]
fn of_nothing_but_chance_few_are_discovered() {
    const ROUNDS: usize = 4_000;
    let mut rng = NumpyRng::new(9);
    // Any discovery is a false one: their rate is the share of tables that have one.
    let found = share(ROUNDS, || {
        let test = |rng: &mut NumpyRng| OneSampleT::from_values(&normals(rng, 3), 0.0).unwrap().p;
        let p: Vec<f64> = (0..40).map(|_| test(&mut rng)).collect();
        benjamini_hochberg(&p).unwrap().into_iter().any(|q| q <= 0.05)
    });
    assert!(found < 0.05 + binomial(0.05, ROUNDS), "{found}");
    // And not for want of discovering anything.
    assert!(found > 0.05 - binomial(0.05, ROUNDS), "{found}");
}
