//! Ensembles: the same bands however the seeds are shared out, and NumPy's quantiles.

use sfc_bench::lab::ensemble::{
    Ensemble, EnsembleBuilder, EnsembleError, EnsemblePlan, Member, Runner, Varied, check_seed_count, parse_seed_range,
    run_ensemble,
};
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::NoProgress;
use sfc_bench::{Draft, NumpyRng, PROFILES, Settings, Weights};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::assert_close;

fn small() -> Settings {
    Draft { samples: Some(200.0), ..Draft::default() }.parse().expect("valid settings")
}

fn plan(varied: Varied) -> EnsemblePlan {
    EnsemblePlan::new(small(), varied)
}

#[test]
fn a_member_is_the_curve_of_its_seed() {
    let noisy = Draft { samples: Some(150.0), noise: Some(0.1), ..Draft::default() };
    for settings in [small(), noisy.parse().unwrap()] {
        for varied in [Varied::Model, Varied::ModelAndData] {
            let runner = Runner::new(EnsemblePlan::new(settings.clone(), varied));
            for seed in [0, 7, u32::MAX] {
                let alone = settings.with_model_seed(seed);
                let alone = match varied {
                    Varied::Model => alone,
                    Varied::ModelAndData => alone.with_data_seed(seed),
                };
                let curve = study::compute_curve(&alone, &mut NoProgress).unwrap();
                let member = runner.run_member(seed).unwrap();
                assert_eq!(member.points, curve.points);
                assert_eq!(member.hypervolume.to_bits(), curve.hypervolume.to_bits());
                assert_eq!((member.seed, member.on_front), (seed, curve.front.len()));
            }
        }
    }
}

#[test]
fn order_and_parts_do_not_change_an_ensemble() {
    let whole = run_ensemble(plan(Varied::Model), 0..=19).unwrap();
    let mut shuffled = whole.members.clone();
    for (i, j) in NumpyRng::new(1).permutation(20).into_iter().enumerate() {
        shuffled.swap(i, j as usize);
    }
    assert_ne!(shuffled, whole.members);
    assert_eq!(Ensemble::from_members(whole.plan.clone(), shuffled).unwrap(), whole);

    let parts: Vec<Ensemble> =
        [12..=19, 0..=4, 3..=11].into_iter().map(|seeds| run_ensemble(plan(Varied::Model), seeds).unwrap()).collect();
    assert_eq!(Ensemble::merge(parts).unwrap(), whole);

    let text = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<Ensemble>(&text).unwrap(), whole);
}

#[test]
fn rescoring_equals_running_under_those_weights() {
    let mut found = run_ensemble(EnsemblePlan::new(Settings::default(), Varied::Model), 40..=44).unwrap();
    for weights in [Weights::new(2.0, 3.5, 0.0).unwrap(), PROFILES[1].weights, Weights::EQUAL] {
        let settings = Settings::default().with_weights(weights);
        let run = run_ensemble(EnsemblePlan::new(settings, Varied::Model), 40..=44).unwrap();
        assert_ne!(found, run);
        found.rescore(weights);
        assert_eq!(found, run);
        assert_eq!(found.to_json().unwrap(), run.to_json().unwrap());
        assert_eq!(found.count_wins(weights).iter().sum::<usize>(), 5);
    }
    for (profile, wins) in PROFILES.iter().zip(&found.summary.wins) {
        assert_eq!(found.count_wins(profile.weights), wins.wins);
    }
}

#[test]
fn members_are_gathered_in_any_order_and_under_any_weights() {
    let whole = run_ensemble(plan(Varied::Model), 0..=11).unwrap();
    let mut gathering = EnsembleBuilder::new(plan(Varied::Model));
    assert_eq!(gathering.update_summary(), Err(EnsembleError::Empty));
    for seeds in [8..12, 0..5, 3..8, 8..9] {
        for member in &whole.members[seeds] {
            gathering.add_member(member.clone()).unwrap();
        }
        gathering.update_summary().unwrap();
    }
    assert_eq!((gathering.member_count(), gathering.ensemble()), (12, Some(&whole)));

    // Scores are the plan's, whatever the members were run with.
    let mut other = whole.clone();
    other.rescore(PROFILES[2].weights);
    let mut late = EnsembleBuilder::new(plan(Varied::Model));
    for (i, member) in other.members.iter().enumerate() {
        late.add_member(member.clone()).unwrap();
        if i == 4 {
            late.update_summary().unwrap();
            late.set_weights(PROFILES[1].weights);
        }
    }
    late.set_weights(Weights::EQUAL);
    late.update_summary().unwrap();
    assert_eq!(late.ensemble(), Some(&whole));

    let forged = Member { hypervolume: 0.5, ..whole.members[3].clone() };
    assert_eq!(late.add_member(forged.clone()), Err(EnsembleError::SeedConflict(3)));
    let short = Member { seed: 99, points: vec![], ..forged.clone() };
    let odd = EnsembleError::Points { seed: 99, points: 0, levels: 8 };
    assert_eq!(late.add_member(short), Err(odd));
    let mut waiting = EnsembleBuilder::new(plan(Varied::Model));
    waiting.add_member(forged).unwrap();
    assert_eq!(waiting.add_member(whole.members[3].clone()), Err(EnsembleError::SeedConflict(3)));
    assert_eq!((late.member_count(), waiting.member_count()), (12, 1));
}

#[test]
fn seeds_are_whole_and_in_range() {
    let end = f64::from(u32::MAX) + 1.0;
    assert_eq!(parse_seed_range(0.0, end), Ok(0..=u32::MAX));
    assert_eq!(parse_seed_range(end - 1.0, end), Ok(u32::MAX..=u32::MAX));
    for (from, to) in [(5.0, 5.0), (-1.0, 5.0), (0.5, 5.0), (0.0, end + 1.0), (f64::NAN, 5.0)] {
        assert_eq!(parse_seed_range(from, to).unwrap_err().code(), "ensemble.seeds");
    }
    assert_eq!("model-and-data".parse(), Ok(Varied::ModelAndData));
    assert_eq!("data".parse::<Varied>().unwrap_err().code(), "ensemble.varied");
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let part = |varied, seeds| run_ensemble(plan(varied), seeds).unwrap();
    let other = vec![part(Varied::Model, 0..=1), part(Varied::ModelAndData, 2..=3)];
    assert_eq!(Ensemble::merge(other), Err(EnsembleError::PlanMismatch));
    assert_eq!(Ensemble::merge(vec![]), Err(EnsembleError::Empty));

    let first = part(Varied::Model, 0..=1);
    let mut forged = first.clone();
    forged.members[1].hypervolume += 1e-9;
    let merged = Ensemble::merge(vec![first.clone(), forged]);
    assert_eq!(merged, Err(EnsembleError::SeedConflict(1)));

    let short = Member { points: vec![], ..first.members[0].clone() };
    let odd = Ensemble::from_members(first.plan, vec![short]);
    assert_eq!(odd, Err(EnsembleError::Points { seed: 0, points: 0, levels: 8 }));
}

#[test]
fn only_so_many_seeds_are_run() {
    let settings = small();
    assert!(check_seed_count(&settings, &(0..=249_999)).is_ok());
    assert_eq!(
        check_seed_count(&settings, &(0..=250_000)),
        Err(EnsembleError::SeedCount { seeds: 250_001, most: 250_000 })
    );
    assert!(check_seed_count(&settings, &(u32::MAX..=u32::MAX)).is_ok());
    #[allow(clippy::reversed_empty_ranges)]
    let none = 5..=4;
    assert!(matches!(check_seed_count(&settings, &none), Err(EnsembleError::SeedCount { seeds: 0, .. })));

    let narrow = Draft { samples: Some(20.0), ..Draft::default() }.parse().unwrap();
    let error = run_ensemble(EnsemblePlan::new(narrow, Varied::Model), 3..=4).unwrap_err();
    assert_eq!(error.code(), "dictionary.rank-deficient");
    assert!(error.to_string().starts_with("seed 3: "));
}

/// Members whose values are known, so that their quantiles are.
#[test]
fn bands_are_numpys_quantiles() {
    let template = Runner::new(plan(Varied::Model)).run_member(0).unwrap();
    let values = [0.4, 0.1, 0.9, 0.2, 0.7, 0.3];
    let members = (0..).zip(values).map(|(seed, hypervolume)| Member { seed, hypervolume, ..template.clone() });
    let band = Ensemble::from_members(plan(Varied::Model), members.collect()).unwrap().summary.hypervolume;
    // numpy.quantile([0.4, 0.1, 0.9, 0.2, 0.7, 0.3], [0, .05, .25, .5, .75, .95, 1])
    let expected = [0.1, 0.125, 0.225, 0.35, 0.625, 0.85, 0.9];
    let found = [band.min, band.q05, band.q25, band.median, band.q75, band.q95, band.max];
    for (found, expected) in found.into_iter().zip(expected) {
        assert_close("quantile", found, expected, 1e-15, 0.0);
    }
}

#[test]
fn the_papers_seed_agrees_with_its_printed_numbers() {
    let one = run_ensemble(EnsemblePlan::new(Settings::default(), Varied::Model), 42..=42).unwrap();
    let of = |table: &str| one.summary.printed.iter().filter(|rank| rank.table == table).count();
    assert_eq!([of("Table 3"), of("Table 4"), of("Table 5")], [40, 7, 1]);
    for rank in one.summary.printed.iter().filter(|rank| rank.table != "Table 5") {
        assert_eq!(rank.percentile, 50.0, "{} {} {}", rank.table, rank.row, rank.column);
    }
    let wins = &one.summary.wins[0];
    assert_eq!((wins.profile.as_str(), &wins.wins[..]), ("Equal (1:1:1)", &[0, 0, 0, 0, 0, 0, 1, 0][..]));
}
