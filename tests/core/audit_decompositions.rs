//! The audit's decompositions.

use sfc_bench::lab::audit::{Job, Preset, Registry, Row, World};

fn clock() -> f64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64()
}

#[test]
#[ignore]
fn dump() {
    let world = std::env::var("W").unwrap();
    let seed = std::env::var("S").map_or(0, |s| s.parse().unwrap());
    let world = World::MADE.into_iter().find(|w| w.name() == world).unwrap();
    let job = Job { world, seed, preset: Preset::Small };
    let began = clock();
    let none = job.measured(&Registry::all(), clock).unwrap();
    let all = clock() - began;
    let measuring: f64 = none.iter().flat_map(|r| &r.values).map(|v| v.seconds).sum();
    println!("{all:.2} s, as if alone measuring {measuring:.2}");
    let head: Vec<_> = none[0].values.iter().map(|v| v.metric.clone()).collect();
    for (at, m) in head.iter().enumerate() {
        let s: f64 = none.iter().map(|r| r.values[at].seconds).sum();
        println!("{at} {m} {:.4} {}", s / none.len() as f64, none[0].values[at].evaluations);
    }
    for Row { subject, truth, size, width, values, .. } in &none {
        let v: Vec<String> =
            values.iter().map(|v| v.value.map_or("  -  ".into(), |v| format!("{v:.3}"))).collect();
        println!(
            "{:?} {} {:.3} | t {:.3} s {:.2} w {} | {}",
            subject.group,
            subject.name,
            subject.level,
            truth.unwrap_or(f64::NAN),
            size.unwrap(),
            width.unwrap(),
            v.join(" ")
        );
    }
}
