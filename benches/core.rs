//! The core natively: `cargo bench --package sfc-bench-benches`. Kernels, the stages of a run, and the whole paper.

#![allow(missing_docs, clippy::unwrap_used)] // what criterion's macros make has no docs

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sfc_bench::kernel::cases::{CASES, Implementation, Workload};
use sfc_bench::lab::ensemble::{EnsemblePlan, Varied, run_ensemble};
use sfc_bench::papers::sfc::{NoProgress, Stage, StagedCurve, compute_curve, preset_curves, printed as paper, run};
use sfc_bench::{NumpyRng, Settings, pareto};

fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kernel");
    for case in CASES {
        let mut work = Workload::new(case);
        // "Elements" are operations: criterion's Melem/s are MFLOP/s.
        group.throughput(Throughput::Elements(case.flops() as u64));
        let name = format!("{:?} {}", case.kernel, case.describe_sizes());
        group.bench_function(name, |b| b.iter(|| work.run(Implementation::Active, 1)));
    }
    group.finish();
}

fn stages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stage");
    let mut stages = StagedCurve::new(Settings::default()).unwrap();
    for stage in Stage::ALL {
        group.bench_function(stage.name(), |b| b.iter(|| stages.run(stage).unwrap()));
    }
    group.finish();
}

fn studies(criterion: &mut Criterion) {
    let settings = Settings::default();
    let mut group = criterion.benchmark_group("study");
    group.bench_function("level curve", |b| b.iter(|| compute_curve(&settings, &mut NoProgress).unwrap()));
    group.bench_function("four networks", |b| b.iter(|| preset_curves(&settings, &mut NoProgress).unwrap()));
    group.bench_function("whole paper", |b| b.iter(|| run(&settings, &mut NoProgress).unwrap()));
    let report = run(&settings, &mut NoProgress).unwrap();
    group.bench_function("comparison with the paper", |b| b.iter(|| paper::compare_cells(&report)));
    group.throughput(Throughput::Elements(10));
    group.bench_function("10 seeds", |b| {
        b.iter(|| run_ensemble(EnsemblePlan::new(settings.clone(), Varied::Model), 0..=9).unwrap())
    });
    group.finish();
}

fn volumes(criterion: &mut Criterion) {
    let mut rng = NumpyRng::new(1);
    // On a sphere, so that no point is dominated: the longest staircase there can be.
    let points: Vec<pareto::Objectives> = (0..10_000)
        .map(|_| {
            let point = [0; 3].map(|_| rng.standard_normal().abs());
            let length = point.iter().map(|value| value * value).sum::<f64>().sqrt();
            point.map(|value| value / length)
        })
        .collect();
    let mut group = criterion.benchmark_group("pareto");
    group.bench_function("hypervolume of 10,000 points", |b| {
        b.iter(|| pareto::hypervolume(black_box(&points), [0.0; 3]).unwrap())
    });
    group.bench_function("front of 10,000 points", |b| b.iter(|| pareto::front(black_box(&points), 0.0).unwrap()));
    group.finish();
}

criterion_group! {
    name = all;
    // Two dozen benchmarks, each long enough for its times to settle.
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(30);
    targets = kernels, stages, studies, volumes
}
criterion_main!(all);
