//! Families of autoencoders against each other: jobs, their gathering, and what must come out.

use sfc_bench::lab::families::{
    FamiliesConfig, FamiliesError, FamiliesReport, JobResult, Method, MethodRole, Quantity, Reading, Runner, Warning,
    build_report,
};
use sfc_bench::pareto;
use sfc_bench::synthetic::{DrawnRows, UserActivations};
use sfc_bench::synthetic::{Network, World};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, close};

fn tiny() -> FamiliesConfig {
    let mut config = FamiliesConfig::small();
    config.train.steps = 40;
    config.train.batch = 64;
    (config.train_rows, config.eval_rows) = (640, 200);
    config.ks = vec![1, 3];
    config.relu = vec![0.01, 0.05];
    config.gated = vec![0.02];
    config.jumprelu = vec![0.006, 0.02];
    config.seeds = vec![3, 9];
    config
}

fn results(config: &FamiliesConfig) -> Vec<JobResult> {
    let runner = Runner::new(config).unwrap();
    config.jobs().iter().map(|job| runner.run(job).unwrap()).collect()
}

#[test]
fn jobs_make_the_same_report_in_any_order_and_by_any_runner() {
    let config = tiny();
    let jobs = config.jobs();
    // Three methods without a seed, six with k, ReLU and JumpReLU with two values, Gated with one.
    assert_eq!(jobs.len(), 3 * 2 + 6 * 2 * 2 + 2 * 2 * 2 + 2);
    let found = results(&config);
    let report = build_report(&config, found.clone()).unwrap();
    let runner = Runner::new(&config).unwrap();
    let backwards = jobs.iter().rev().map(|job| runner.run(job).unwrap()).collect();
    assert_eq!(build_report(&config, backwards).unwrap(), report);
    assert_eq!(report.results.iter().map(|r| r.job).collect::<Vec<_>>(), jobs);
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<FamiliesReport>(&text).unwrap(), report);

    for method in &report.methods {
        let mine = || found.iter().filter(|r| r.job.method == method.method);
        let mut volumes = Vec::new();
        for seed in &config.seeds[..method.seeds] {
            let points: Vec<[f64; 3]> = mine()
                .filter(|r| r.job.seed == *seed)
                .map(|r| [r.sparsity, r.fidelity, r.completeness.reconstruction])
                .collect();
            volumes.push(pareto::hypervolume(&points, [0.0; 3]).unwrap().hypervolume);
        }
        let mean = volumes.iter().sum::<f64>() / volumes.len() as f64;
        assert_close(&method.label, method.hypervolume.mean, mean, 1e-12, 1e-15);
        let least = volumes.iter().copied().fold(f64::INFINITY, f64::min);
        assert_close(&method.label, method.hypervolume.min, least, 1e-12, 1e-15);
        if let [a, b] = volumes[..] {
            let deviation = (a - b).abs() / f64::sqrt(2.0);
            assert_close(&method.label, method.hypervolume.deviation, deviation, 1e-9, 1e-15);
        }
    }
    let pairs = report.methods.len() * (report.methods.len() - 1) / 2;
    assert_eq!(report.differences.len(), pairs);
    let of = |a, b| {
        let mut pairs = report.differences.iter();
        pairs.find(|pair| (pair.first, pair.second) == (a, b)).unwrap()
    };
    assert_eq!(of(Method::Svd, Method::Pca).noise, Some(0.0));
    // With two seeds Student's t of one degree of freedom, 12.706.
    let [topk, batch] = [Method::TopK, Method::BatchTopK]
        .map(|method| report.methods.iter().find(|r| r.method == method).unwrap().hypervolume);
    let squares = topk.deviation * topk.deviation + batch.deviation * batch.deviation;
    let error = f64::sqrt(squares / 2.0);
    let pair = of(Method::TopK, Method::BatchTopK);
    assert_close("noise", pair.noise.unwrap(), 12.706 * error, 1e-9, 1e-15);
    assert_close("difference", pair.difference, topk.mean - batch.mean, 0.0, 1e-12);
    assert_eq!(pair.exceeds, Some(pair.difference.abs() > pair.noise.unwrap()));
}

#[test]
fn one_seed_claims_nothing_about_noise() {
    let mut config = tiny();
    config.methods = vec![Method::Svd, Method::Random];
    config.seeds = vec![0];
    let report = build_report(&config, results(&config)).unwrap();
    assert_eq!((report.differences[0].noise, report.differences[0].exceeds), (None, None));
}

#[test]
fn controls_and_ceilings_are_what_they_are_for() {
    let mut config = FamiliesConfig::small();
    config.methods =
        vec![Method::Svd, Method::TopK, Method::Oracle, Method::Random, Method::Permuted, Method::Untrained];
    config.seeds = vec![0, 1];
    config.ks = vec![2, 3];
    let found = results(&config);
    let of = |method| found.iter().filter(move |r: &&JobResult| r.job.method == method);
    for oracle in of(Method::Oracle) {
        assert!(close(oracle.mcc.unwrap(), 1.0, 1e-12, 0.0), "{oracle:?}");
        assert_eq!(oracle.recovered, Some(1.0));
    }
    for (topk, permuted) in of(Method::TopK).zip(of(Method::Permuted)) {
        // The same directions, so the same span and the same matches; other reconstructions.
        assert_eq!(topk.sparsity, permuted.sparsity);
        assert_close("mcc", permuted.mcc.unwrap(), topk.mcc.unwrap(), 1e-12, 0.0);
        assert!(permuted.fidelity < topk.fidelity - 0.1);
    }
    for (topk, untrained) in of(Method::TopK).zip(of(Method::Untrained)) {
        assert!(untrained.mcc.unwrap() < topk.mcc.unwrap() - 0.1, "{untrained:?}, {topk:?}");
        assert!(untrained.fidelity < topk.fidelity);
    }
    // 32 directions span 16 dimensions, whatever they are: the paper's completeness sees nothing.
    for result in &found {
        assert!(result.completeness.row_space > 1.0 - 1e-9, "{result:?}");
        assert_eq!(result.job.method.role() == MethodRole::Ceiling, result.job.method == Method::Oracle);
    }
    let report = build_report(&config, found).unwrap();
    let passes = report.warnings.iter().filter_map(|warning| match warning {
        Warning::RandomPasses { axis, .. } => Some(*axis),
        Warning::ControlWins { .. } => None,
    });
    assert!(passes.into_iter().any(|axis| axis == Quantity::RowSpace), "{:?}", report.warnings);
}

#[test]
fn the_papers_activations_have_no_planted_features() {
    let mut config = tiny();
    config.world = World::Paper(Network::default());
    config.methods = vec![Method::Svd, Method::TopK, Method::Oracle];
    config.train.latents = 48;
    config.ks = vec![8, 64 - 17];
    config.completeness = Reading::RowSpace;
    assert!(config.jobs().iter().all(|job| job.method != Method::Oracle));
    let report = build_report(&config, results(&config)).unwrap();
    let svd = &report.results[1];
    assert!(svd.mcc.is_none() && report.methods[0].best_mcc.is_none());
    assert!(svd.completeness.row_space > 1.0 - 1e-9 && svd.fidelity > 0.99);
}

#[test]
fn bad_studies_and_strange_results_are_refused() {
    let code = |config: &FamiliesConfig| Runner::new(config).map(|_| ()).unwrap_err().code().to_owned();
    let with = |change: &dyn Fn(&mut FamiliesConfig)| {
        let mut config = tiny();
        change(&mut config);
        code(&config)
    };
    assert_eq!(with(&|c| c.seeds.clear()), "settings.seeds");
    assert_eq!(with(&|c| c.seeds = vec![1, 1]), "settings.seeds");
    assert_eq!(with(&|c| c.methods.clear()), "settings.methods");
    assert_eq!(with(&|c| c.ks = vec![0]), "settings.ks");
    assert_eq!(with(&|c| c.ks = vec![33]), "settings.ks");
    assert_eq!(with(&|c| c.relu = vec![f64::NAN]), "settings.relu");
    assert_eq!(with(&|c| c.gated = vec![]), "settings.gated");
    assert_eq!(with(&|c| c.eval_rows = 1), "settings.eval_rows");
    assert_eq!(with(&|c| c.train.rate = -1.0), "settings.rate");
    assert_eq!(with(&|c| c.seeds = (0..2_000).collect()), "settings.methods");

    let mut config = tiny();
    config.methods = vec![Method::Svd, Method::Random];
    let found = results(&config);
    let gathered = |results: Vec<JobResult>| build_report(&config, results).unwrap_err();
    assert!(matches!(gathered(vec![]), FamiliesError::ResultCount { count: 0, .. }));
    let twice = [found.clone(), vec![found[0].clone()]].concat();
    assert!(matches!(gathered(twice), FamiliesError::ResultCount { count: 2, .. }));
    let mut strange = found.clone();
    strange[0].job.knob = 7.0;
    assert!(matches!(gathered(strange), FamiliesError::UnknownJob { .. }));
    let mut broken = found;
    broken[0].fidelity = f64::NAN;
    assert!(matches!(gathered(broken), FamiliesError::Pareto(_)));
    let runner = Runner::new(&config).unwrap();
    let mut job = config.jobs()[0];
    job.method = Method::TopK;
    assert!(matches!(runner.run(&job), Err(FamiliesError::UnknownJob { .. })));
}

#[test]
fn given_activations_are_a_world_of_which_nothing_is_known() {
    let mut config = tiny();
    let rows = config.train_rows + config.eval_rows;
    let paper = World::Paper(Network::default()).sample(1_000).unwrap();
    let given = UserActivations { rows: 1_000, dimensions: 64, outputs: None, sha256: None, with: None, seed: 5 };
    let drawn = |factor: f32| {
        let rows = given.row_order(rows).unwrap().into_iter();
        let values = rows.flat_map(|row| paper.activations.row(row as usize).to_vec());
        DrawnRows { activations: values.map(|x| x as f32 * factor).collect(), ..DrawnRows::default() }
    };
    config.world = World::Own(given.clone());
    assert!(Runner::new(&config).is_err(), "its rows are not there");
    assert!(!config.available_methods().contains(&Method::Oracle));
    let run = |config: &FamiliesConfig, drawn: &DrawnRows| -> Vec<JobResult> {
        let runner = Runner::with_rows(config, Some(drawn)).unwrap();
        config.jobs().iter().map(|job| runner.run(job).unwrap()).collect()
    };
    config.ks = vec![3, 32];
    let found = run(&config, &drawn(1.0));
    // Rows are brought to one size, so that λ means the same; by powers of two that is exact.
    assert_eq!(run(&config, &drawn(1024.0)), found);
    for result in &found {
        assert_eq!((result.c_gt, result.mcc, result.recovered), (None, None, None));
        if result.job.method == Method::Svd && result.job.knob == 32.0 {
            // f is the identity: C is the share of the variance that singular vectors keep.
            let reconstruction = result.completeness.reconstruction;
            assert_close("SVD", reconstruction, result.explained, 1e-9, 0.0);
        }
    }
    let report = build_report(&config, found).unwrap();
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<FamiliesReport>(&text).unwrap(), report);

    // With a readout of one activation alone, completeness is that one's.
    let mut one = vec![0.0; 64];
    one[7] = 3.0;
    config.world = World::Own(UserActivations { outputs: Some(1), ..given.clone() });
    config.methods = vec![Method::Svd];
    config.ks = vec![1, 32];
    let (readout, bias) = (Some(one), Some(vec![9.0]));
    let read = run(&config, &DrawnRows { readout, bias, ..drawn(1.0) });
    assert!(read[0].completeness.reconstruction < read[1].completeness.reconstruction);
    assert!(read[1].completeness.reconstruction <= 1.0);

    config.adapt_to_data(500, 64);
    assert_eq!((config.train_rows, config.eval_rows, config.train.latents), (400, 100, 128));
    config.adapt_to_data(3, 4_096);
    assert_eq!((config.train_rows, config.eval_rows, config.train.batch), (1, 2, 1));
    assert!(config.check().is_err());
}
