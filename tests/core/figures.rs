//! How every figure looks: each is drawn at a fixed setting and compared with the committed picture.
//!
//! A picture that has changed lies beside the committed one as `NAME.changed.svg`. To look at the two
//! and then accept all that changed: `SFC_BENCH_FIGURES=write cargo test --test public figures::`.

use std::collections::BTreeSet;
use std::rc::Rc;

use sfc_bench::export::{Appearance, Format, export};
use sfc_bench::io::DataFile;
use sfc_bench::lab::compare::figures::OVERLAY_FIGURES;
use sfc_bench::lab::evaluate::{self, ArrayRef, Inputs, Options};
use sfc_bench::lab::families::{FamiliesConfig, TrainingHistory, TrainingSetup};
use sfc_bench::lab::{audit, compare, ensemble, families, synth};
use sfc_bench::papers::{ce_bench, fade, measurement, mui, sfc};
use sfc_bench::sae::train::{TrainConfig, Trainer};
use sfc_bench::studies;
use sfc_bench::study::{Figure, Study};
use sfc_bench::synthetic::World;
use sfc_bench::{Draft, Settings};

/// Width of the pictures, in CSS pixels.
const WIDTH: u32 = 640;

/// Weights that are no profile's, so that "yours" is in the picture.
const YOURS: [f64; 3] = [2.0, 3.5, 1.0];

fn run<S: Study>(settings: S::Settings) -> S {
    S::open(S::run(settings, &mut |_, _| {}).unwrap()).unwrap()
}

/// Compares the pictures of a study with those committed of it, of which there must be no others.
#[track_caller]
fn hold<S: Study>(opened: &S) {
    hold_some(opened, |_| true);
}

/// The same of some of its figures.
#[track_caller]
fn hold_some<S: Study>(opened: &S, chosen: fn(&Figure) -> bool) {
    let accept = std::env::var("SFC_BENCH_FIGURES").is_ok_and(|word| word == "write");
    let golden = super::common::root().join("tests/golden/figures");
    let folder = golden.join(S::NAME);
    std::fs::create_dir_all(&folder).unwrap();
    let (mut known, mut differ) = (BTreeSet::new(), Vec::new());
    for figure in opened.figures().into_iter().filter(chosen) {
        let name = figure.id;
        let chart = opened.chart(name).unwrap();
        assert_eq!(chart.id, name);
        let origin = opened.figure_origin().unwrap();
        let picture = export(&chart, Format::Svg, origin, WIDTH, Appearance::Light).unwrap();
        let committed = folder.join(format!("{name}.svg"));
        let changed = folder.join(format!("{name}.changed.svg"));
        // There is none where the last picture did not differ.
        let _ = std::fs::remove_file(&changed);
        if accept {
            std::fs::write(&committed, picture).unwrap();
        } else if std::fs::read_to_string(&committed).ok().as_ref() != Some(&picture) {
            std::fs::write(&changed, picture).unwrap();
            differ.push(name);
        }
        assert!(known.insert(format!("{name}.svg")), "{name} is drawn once");
    }
    let files = std::fs::read_dir(&folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let stale: Vec<String> = names.filter(|name| !name.ends_with(".changed.svg") && !known.contains(name)).collect();
    for name in stale.iter().filter(|_| accept) {
        std::fs::remove_file(folder.join(name)).unwrap();
    }
    assert!(accept || stale.is_empty(), "pictures of no figure: {stale:?}");
    assert!(
        differ.is_empty(),
        "these look otherwise than in {} (see NAME.changed.svg there): {differ:?}; \
         SFC_BENCH_FIGURES=write cargo test --test public figures:: accepts them",
        folder.display()
    );
}

/// The paper's own settings: what is printed stands beside it.
#[test]
fn of_the_paper() {
    hold(&run::<sfc::StudyView>(Settings::default()));
}

/// Another dictionary size and other weights, pinned beside the paper.
#[test]
fn of_a_comparison() {
    let draft = Draft { k: Some(32.0), weights: Some(vec![5.0, 1.0, 1.0]), ..Draft::default() };
    let (now, pinned) = (Settings::default(), draft.parse().unwrap());
    let found = run::<compare::StudyView>(compare::ComparisonSettings { current: now, pinned });
    // The others are as without it.
    hold_some(&found, |figure| figure.section == "compare" || OVERLAY_FIGURES.contains(&figure.id));
}

#[test]
fn of_an_ensemble() {
    let draft = Draft { samples: Some(300.0), ..Draft::default() };
    let settings = draft.parse().unwrap();
    let plan = ensemble::EnsemblePlan::new(settings, ensemble::Varied::Model);
    // The plan's own settings, whose seeds those that vary replace.
    let settings = plan.config.clone();
    let mut found = run::<ensemble::StudyView>(ensemble::EnsembleSettings { plan, seeds: 0..=19 });
    // Under the same weights, as the page has it.
    let mut alone = run::<sfc::StudyView>(settings);
    alone.set_weights(YOURS).unwrap();
    found.current_run = Some(alone.report);
    found.set_weights(YOURS).unwrap();
    hold(&found);
}

#[test]
fn of_families() {
    let mut config = FamiliesConfig::small();
    config.train.steps = 20;
    (config.train_rows, config.eval_rows) = (400, 200);
    (config.ks, config.seeds) = (vec![2, 4], vec![0, 1]);
    (config.relu, config.gated, config.jumprelu) = (vec![0.02], vec![0.02], vec![0.02]);
    let mut found = run::<families::StudyView>(config);
    let first = found.report().results[0].clone();
    found.add_user_member("mine", first);
    found.set_weights(YOURS).unwrap();
    hold(&found);
}

#[test]
fn of_a_training() {
    let config = TrainConfig { latents: 24, k: 3, batch: 50, ..TrainConfig::default() };
    let world = World::from_name("superposition").unwrap();
    let sample = world.sample(400).unwrap();
    let mut trainer = Trainer::new(config.clone(), &sample.activations).unwrap();
    let directions = sample.truth.as_ref().unwrap().directions.clone();
    let mut point = |_| {
        trainer.step(5).unwrap();
        trainer.metrics_with_recovery(Some(&directions)).unwrap()
    };
    let curve = (0..12).map(&mut point).collect();
    hold(&TrainingHistory { training: Some(TrainingSetup { config, world }), curve });
}

#[test]
fn of_the_readers_own() {
    let files = evaluate::example_files().unwrap();
    let picked = |role: &str| {
        let file = files.iter().find(|file| file.role == role).expect("a file of that role");
        let open = DataFile::open(file.name, Box::new(file.bytes.clone()), 1 << 30).unwrap();
        ArrayRef::find(&Rc::new(open), None, &[]).unwrap()
    };
    let decomposition = evaluate::DecompositionInput::Dictionary {
        dictionary: picked("dictionary"),
        codes: evaluate::CodesSource::FromFile(picked("codes")),
    };
    let inputs = Inputs {
        activations: picked("activations"),
        decomposition,
        readout: Some(picked("readout")),
        readout_bias: Some(picked("readout_bias")),
    };
    hold(&run::<evaluate::StudyView>(evaluate::EvaluationPlan::new(inputs, Options::default()).unwrap()));
}

/// Two autoencoders of the same activations, with controls.
#[test]
fn of_decompositions_side_by_side() {
    let open = |name: &str, bytes: &[u8]| Rc::new(DataFile::open(name, Box::new(bytes.to_vec()), 1 << 30).unwrap());
    let activations = open("acts.npy", include_bytes!("../golden/evaluate/acts_f32.npy"));
    let plan = |config: &[u8], weights: &[u8]| {
        let weights = open("sae_weights.safetensors", weights);
        let inputs = Inputs {
            activations: ArrayRef::find(&activations, None, &[]).unwrap(),
            decomposition: evaluate::DecompositionInput::from_sae("cfg.json", config.to_vec(), weights).unwrap(),
            readout: None,
            readout_bias: None,
        };
        evaluate::EvaluationPlan::new(inputs, Options::default()).unwrap()
    };
    let topk = plan(
        include_bytes!("../golden/evaluate/sae_topk/cfg.json"),
        include_bytes!("../golden/evaluate/sae_topk/sae_weights.safetensors"),
    );
    let jumprelu = plan(
        include_bytes!("../golden/evaluate/sae_jumprelu/cfg.json"),
        include_bytes!("../golden/evaluate/sae_jumprelu/sae_weights.safetensors"),
    );
    let plans = vec![("topk".to_owned(), topk), ("jumprelu".to_owned(), jumprelu)];
    let comparison = evaluate::DecompositionComparison::new(Options::default(), Some(0));
    hold(&run::<evaluate::DecompositionsView>((comparison, plans)));
}

#[test]
fn of_fade() {
    let draft =
        fade::Draft { texts: Some(200.0), continuations: Some(8.0), sample: Some(80.0), ..fade::Draft::default() };
    let settings = draft.parse().unwrap();
    let mut found = run::<fade::StudyView>(settings.clone());
    for (at, feature) in found.report().features.clone().iter().enumerate() {
        found.set_steering_result(at, fade::steer_feature(&settings, feature).unwrap()).unwrap();
    }
    for (sae, seed) in [("topk256", 2), ("topk256", 5), ("random256", 2), ("random256", 5)] {
        let draft = fade::Draft {
            sae: Some(sae.to_owned()),
            seed: Some(f64::from(seed)),
            texts: Some(100.0),
            ..fade::Draft::default()
        };
        found.add_means(sae, seed, fade::mean_scores(&draft.parse().unwrap(), false).unwrap());
    }
    found.select_feature(15).unwrap();
    hold(&found);
}

#[test]
fn of_ce_bench() {
    let mut found = run::<ce_bench::StudyView>(ce_bench::Settings { pairs: 30, ..Default::default() });
    let other = ce_bench::Settings { pairs: 30, seed: 4, ..Default::default() };
    found.add_seed_scores(4, run::<ce_bench::StudyView>(other).report().subjects.clone());
    found.select_pair(2).unwrap();
    hold(&found);
}

#[test]
fn of_mui() {
    let [begin, lessons, taught, width] = ["new", "task", "request", "16"].map(str::to_owned);
    let draft = mui::Draft {
        prompts: Some(32.0),
        begin: Some(begin),
        lessons: Some(lessons),
        taught: Some(taught),
        steps: Some(60.0),
        rate: Some(0.01),
        seeds: Some(2.0),
        layers: Some(1.0),
        width: Some(width),
        ..Default::default()
    };
    let settings: mui::Settings = draft.try_into().unwrap();
    let mut report = mui::StudyView::run(settings.clone(), &mut |_, _| {}).unwrap();
    report.trained = mui::training::run(&settings, &mut |_, _| {}).unwrap();
    report.own = Some(neurons_of_a_reader());
    hold(&mui::StudyView::open(report).unwrap());
}

#[test]
fn of_measurement() {
    let draft = measurement::settings::Draft {
        seeds: Some(1.0),
        n_prompts: Some(16.0),
        metric: Some("m08".to_owned()),
        ..Default::default()
    };
    let settings: measurement::Settings = draft.try_into().unwrap();
    let mut report = measurement::StudyView::run(settings.clone(), &mut |_, _| {}).unwrap();
    report.picture = Some(measurement::detail_view::build_detail_view(&settings).unwrap());
    hold(&measurement::StudyView::open(report).unwrap());
}

#[test]
fn of_the_audit() {
    let draft = audit::settings::Draft { world: Some("scores".to_owned()), seeds: Some(3.0), ..Default::default() };
    let settings: audit::Settings = draft.try_into().unwrap();
    let mut report = audit::StudyView::run(settings, &mut |_, _| {}).unwrap();
    // What it takes is of the machine.
    let rows = report.jobs.iter_mut().flat_map(|job| &mut job.rows);
    rows.flat_map(|row| &mut row.values).for_each(|value| value.seconds = 0.25);
    hold(&audit::StudyView::open(report).unwrap());
}

#[test]
fn of_synth_sae_bench() {
    hold(&synth::StudyView::open(synth::Report::load_shipped().unwrap()).unwrap());
}

/// Two files of neurons, as MUI-Eval writes them.
fn neurons_of_a_reader() -> mui::user_files::UserResults {
    let golden = super::common::json(include_str!("../golden/mui_own.json"));
    let file = |name: &str| {
        let text = golden["files"][name].as_str().unwrap();
        let source = Rc::new(text.as_bytes().to_vec());
        mui::user_files::StreamedUserFile { name: format!("results/{name}"), source }
    };
    let names = ["model_task_result.jsonl", "other_task_integrated_gradient_result.jsonl"];
    let of = |key: &str| golden[key].as_f64();
    let (layers, neurons, k) = (of("layers"), of("neurons"), of("k"));
    let wanted = mui::user_files::OptionsDraft { layers, neurons, k, ..Default::default() };
    mui::user_files::measure_files(names.map(file).into(), &wanted.validate().unwrap(), &mut |_, _| {}).unwrap()
}

#[test]
fn of_every_study_there_is() {
    let golden = super::common::root().join("tests/golden/figures");
    let folders = std::fs::read_dir(golden).unwrap();
    let names = folders.map(|folder| folder.unwrap().file_name().into_string().unwrap());
    let wanted = studies::NAMES.iter().map(|name| (*name).to_owned());
    assert_eq!(names.collect::<BTreeSet<_>>(), wanted.collect::<BTreeSet<_>>());
}
