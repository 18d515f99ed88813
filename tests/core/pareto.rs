//! Dominance and hypervolume: against moocore, against brute force, and by their properties.

use sfc_bench::NumpyRng;
use sfc_bench::papers::sfc::{NoProgress, compute_curve};
use sfc_bench::pareto::{Objectives, ParetoError, Ranking, TieRule, dominates, front, hypervolume, hypervolume_only};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, number, numbers, points};

#[test]
fn volumes_fronts_and_contributions_equal_moocores() {
    let golden = json(include_str!("../golden/hypervolume_moocore.json"));
    let cases = golden["cases"].as_array().expect("cases");
    assert!(cases.len() >= 12);
    for case in cases {
        let name = case["name"].as_str().expect("a name");
        let points = points(&case["points"]);
        let reference: Objectives = numbers(&case["reference"]).try_into().expect("three");
        let found = hypervolume(&points, reference).unwrap();
        assert_close(name, found.hypervolume, number(&case["hypervolume"]), 1e-12, 1e-15);
        for (index, wanted) in numbers(&case["contributions"]).into_iter().enumerate() {
            // moocore's are differences of two volumes, and round as such.
            let what = format!("{name}, contribution {index}");
            assert_close(&what, found.contributions[index], wanted, 1e-12, 1e-12);
        }
        let front = front(&points, 0.0).unwrap();
        let flags: Vec<bool> = (0..points.len()).map(|i| front.contains(&i)).collect();
        assert_eq!(serde_json::json!(flags), case["nondominated"], "{name}");
    }
}

/// `p / sqrt((p * p).sum(axis=1))` of `RandomState(seed).random_sample((count, 3))`.
fn octant(count: usize, seed: u32) -> Vec<Objectives> {
    random_points(&mut NumpyRng::new(seed), 2, count)
}

#[test]
fn volumes_of_many_points_equal_moocores() {
    let golden = json(include_str!("../golden/hypervolume_octants.json"));
    let cases = golden["cases"].as_array().expect("cases");
    assert!(cases.iter().any(|case| number(&case["count"]) >= 1e5));
    for case in cases {
        let (count, seed) = (number(&case["count"]) as usize, number(&case["seed"]) as u32);
        let found = hypervolume_only(&octant(count, seed), [0.0; 3]).unwrap();
        let what = format!("{count} points of seed {seed}");
        assert_close(&what, found, number(&case["hypervolume"]), 1e-12, 0.0);
    }
}

#[test]
fn the_volume_alone_has_the_bits_of_the_volume_with_contributions() {
    let mut rng = NumpyRng::new(21);
    for round in 0..600 {
        let count = (rng.next_word() % 200) as usize;
        let mut points = random_points(&mut rng, round, count);
        if round % 5 == 0 {
            // Every point a step of the staircase, and signed zeros among them.
            points.iter_mut().for_each(|p| p[1] = 1.0 - p[0]);
            points.iter_mut().step_by(7).for_each(|p| p[2] = -0.0);
        }
        for reference in [[0.0; 3], [0.1, -0.2, 0.3], [-1.0; 3]] {
            let both = hypervolume(&points, reference).unwrap().hypervolume;
            let alone = hypervolume_only(&points, reference).unwrap();
            assert_eq!(alone.to_bits(), both.to_bits(), "{count} points, kind {round}");
        }
    }
}

/// Points of several kinds: a cloud, a coarse grid (ties, duplicates), a front on a sphere.
fn random_points(rng: &mut NumpyRng, kind: u32, count: usize) -> Vec<Objectives> {
    (0..count)
        .map(|_| {
            let mut p = [0; 3].map(|_: i32| rng.random_sample());
            match kind % 3 {
                0 => {}
                1 => p = p.map(|x| (x * 5.0).floor() / 4.0 - 0.25),
                _ => {
                    let norm = p.iter().map(|x| x * x).sum::<f64>().sqrt();
                    p = p.map(|x| x / norm);
                }
            }
            p
        })
        .collect()
}

/// Volume of a union of boxes, cell by cell of the grid that the coordinates make.
fn brute_force(points: &[Objectives], reference: Objectives) -> f64 {
    let edges: Vec<Vec<f64>> = (0..3)
        .map(|axis| {
            let mut edges: Vec<f64> = points.iter().map(|p| p[axis].max(reference[axis])).collect();
            edges.push(reference[axis]);
            edges.sort_by(f64::total_cmp);
            edges.dedup();
            edges
        })
        .collect();
    let mut volume = 0.0;
    for x in edges[0].windows(2) {
        for y in edges[1].windows(2) {
            for z in edges[2].windows(2) {
                if points.iter().any(|p| p[0] >= x[1] && p[1] >= y[1] && p[2] >= z[1]) {
                    volume += (x[1] - x[0]) * (y[1] - y[0]) * (z[1] - z[0]);
                }
            }
        }
    }
    volume
}

#[test]
fn volume_and_contributions_equal_brute_force() {
    let mut rng = NumpyRng::new(17);
    for round in 0..300 {
        let count = (rng.next_word() % 13) as usize;
        let points = random_points(&mut rng, round, count);
        let reference = if round % 2 == 0 { [0.0; 3] } else { [0.1, -0.2, 0.3] };
        let found = hypervolume(&points, reference).unwrap();
        let all = brute_force(&points, reference);
        assert_close("volume", found.hypervolume, all, 1e-12, 1e-13);
        for index in 0..count {
            let mut others = points.clone();
            others.remove(index);
            let lost = all - brute_force(&others, reference);
            assert_close("contribution", found.contributions[index], lost, 1e-10, 1e-13);
        }
    }
}

#[test]
fn the_front_equals_the_definition_for_any_tolerance() {
    let mut rng = NumpyRng::new(18);
    for round in 0..300 {
        let count = (rng.next_word() % 40) as usize;
        let points = random_points(&mut rng, round, count);
        for tolerance in [0.0, 1e-3, 0.05, 0.25, 2.0] {
            let wanted: Vec<usize> =
                (0..count).filter(|i| !points.iter().any(|q| dominates(*q, points[*i], tolerance))).collect();
            assert_eq!(front(&points, tolerance).unwrap(), wanted, "tolerance {tolerance}");
        }
    }
}

#[test]
fn order_duplicates_and_dominated_points_do_not_change_the_volume() {
    let mut rng = NumpyRng::new(19);
    for round in 0..60 {
        let points = random_points(&mut rng, round, 60);
        let volume = hypervolume(&points, [0.0; 3]).unwrap();
        let shuffled: Vec<Objectives> = rng.permutation(60).into_iter().map(|i| points[i as usize]).collect();
        let again = hypervolume(&shuffled, [0.0; 3]).unwrap().hypervolume;
        assert_close("shuffled", again, volume.hypervolume, 1e-13, 0.0);

        let kept: Vec<Objectives> = front(&points, 0.0).unwrap().into_iter().map(|i| points[i]).collect();
        let of_front = hypervolume(&kept, [0.0; 3]).unwrap().hypervolume;
        assert_close("front alone", of_front, volume.hypervolume, 1e-13, 0.0);

        let twice: Vec<Objectives> = points.iter().chain(&points).copied().collect();
        let twice = hypervolume(&twice, [0.0; 3]).unwrap();
        assert_close("twice", twice.hypervolume, volume.hypervolume, 1e-13, 0.0);
        assert!(twice.contributions.iter().all(|c| *c <= 1e-15), "duplicates add nothing");
    }
}

#[test]
fn at_three_printed_digits_six_of_eight_points_survive() {
    let printed: Vec<Objectives> =
        sfc_bench::papers::sfc::printed::TABLE_3.iter().map(|row| [row[0], row[1], row[2]]).collect();
    assert_eq!(front(&printed, 0.0).unwrap(), [2, 3, 4, 5, 6, 7]);
}

#[test]
fn printed_digits_leave_six_of_the_papers_eight_points() {
    let curve = compute_curve(&sfc_bench::Settings::default(), &mut NoProgress).unwrap();
    let points: Vec<Objectives> = curve.points.iter().map(|p| [p.sparsity, p.fidelity, p.completeness]).collect();
    let exact = Ranking::new(&points, TieRule::Exact).unwrap();
    assert_eq!(exact.front, curve.front);
    assert_eq!(exact.hypervolume, curve.hypervolume);
    assert_eq!(exact.contributions, curve.contributions);
    let rounded = Ranking::new(&points, TieRule::Printed).unwrap();
    assert_eq!(rounded.front.len(), 6);
    for (index, by) in rounded.dominated_by.iter().enumerate() {
        assert_eq!(by.is_empty(), rounded.front.contains(&index));
    }
}

#[test]
fn bad_points_are_named() {
    let bad = [[0.1, 0.2, 0.3], [0.1, f64::INFINITY, 0.3]];
    let error = hypervolume(&bad, [0.0; 3]).unwrap_err();
    assert_eq!(hypervolume_only(&bad, [0.0; 3]).unwrap_err(), error);
    assert_eq!(error, ParetoError::NonFinite { index: 1, axis: 1, value: f64::INFINITY });
    assert_eq!(error.code(), "pareto.non-finite");
    assert_eq!(front(&bad, 0.0).unwrap_err(), error);
    assert!(matches!(hypervolume(&[], [0.0, f64::NAN, 0.0]), Err(ParetoError::Reference { axis: 1, .. })));
    assert!(matches!(hypervolume_only(&[], [0.0, 0.0, f64::INFINITY]), Err(ParetoError::Reference { axis: 2, .. })));
    let huge = [[1e200, 1e200, 1.0], [1.0, 1e200, 1e200]];
    assert_eq!(hypervolume_only(&huge, [0.0; 3]), Err(ParetoError::Overflow));
    assert_eq!(hypervolume_only(&[], [0.0; 3]), Ok(0.0));
    for tolerance in [-1e-9, f64::NAN, f64::INFINITY] {
        assert!(matches!(front(&[], tolerance), Err(ParetoError::Tolerance { .. })));
    }
    let none = hypervolume(&[], [0.0; 3]).unwrap();
    assert_eq!((none.hypervolume, none.contributions.len()), (0.0, 0));
}

#[test]
fn a_hundred_thousand_points_are_swept() {
    let mut rng = NumpyRng::new(20);
    let points = random_points(&mut rng, 2, 100_000);
    let found = hypervolume(&points, [0.0; 3]).unwrap();
    // All lie on the unit sphere, whose octant has volume π/6.
    let octant = std::f64::consts::FRAC_PI_6;
    assert!(found.hypervolume < octant && found.hypervolume > 0.98 * octant);
    assert_eq!(front(&points, 0.0).unwrap().len(), points.len());
    assert!(found.contributions.iter().all(|c| *c > 0.0));
}
