//! How every figure looks: each is drawn at a fixed setting and compared with the committed picture.
//!
//! A picture that has changed lies beside the committed one as `NAME.changed.svg`. To look at the two
//! and then accept all that changed: `SFC_BENCH_FIGURES=write cargo test --test core figures`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::LazyLock;

use sfc_bench::export::{Format, Look, Origin, export};
use sfc_bench::io::DataFile;
use sfc_bench::lab::compare::figures::{COMPARISONS, OVERLAID, beside, comparison};
use sfc_bench::lab::ensemble::figures::{ENSEMBLE_FIGURES, ensemble_figure};
use sfc_bench::lab::ensemble::{Plan, Varied, ensemble};
use sfc_bench::lab::families::figures::{
    FAMILIES_FIGURES, KeptMember, TRAINING_FIGURES, families_figure, training_figure,
};
use sfc_bench::lab::families::{FamiliesConfig, Runner, gather};
use sfc_bench::lab::own::figures::{OWN_FIGURES, own_figure};
use sfc_bench::lab::own::{self, Inputs, Options, OwnRun, Picked};
use sfc_bench::papers::sfc::figures::{FIGURES, INSTRUMENTS, figure};
use sfc_bench::papers::sfc::{self, Report, Silent, printed};
use sfc_bench::plot::{Chart, Setting};
use sfc_bench::sae::train::{TrainConfig, Trainer};
use sfc_bench::world::World;
use sfc_bench::{Draft, Settings, Weights};

/// Width of the pictures, in CSS pixels.
const WIDTH: u32 = 640;

/// The paper's own settings: what is printed stands beside it.
static PAPER: LazyLock<Report> =
    LazyLock::new(|| sfc::run(&Settings::default(), &mut Silent).unwrap());

/// Weights that are no profile's, so that "yours" is in the picture.
fn yours() -> Weights {
    Weights::new(2.0, 3.5, 1.0).unwrap()
}

/// Compares the pictures of a study with those committed of it, of which there must be no others.
#[track_caller]
fn hold(study: &str, charts: impl IntoIterator<Item = Chart>) {
    let accept = std::env::var("SFC_BENCH_FIGURES").is_ok_and(|word| word == "write");
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/figures");
    let folder = golden.join(study);
    std::fs::create_dir_all(&folder).unwrap();
    let (mut known, mut differ) = (BTreeSet::new(), Vec::new());
    let origin = Origin::new(&PAPER.settings, None);
    for chart in charts {
        let name = chart.id.clone();
        let picture = export(&chart, Format::Svg, origin, WIDTH, Look::Light).unwrap();
        let committed = folder.join(format!("{name}.svg"));
        let changed = folder.join(format!("{name}.changed.svg"));
        // There is none where the last picture did not differ.
        let _ = std::fs::remove_file(&changed);
        if accept {
            std::fs::write(&committed, picture).unwrap();
        } else if std::fs::read_to_string(&committed).ok().as_ref() != Some(&picture) {
            std::fs::write(&changed, picture).unwrap();
            differ.push(name.clone());
        }
        assert!(known.insert(format!("{name}.svg")), "{name} is drawn once");
    }
    let files = std::fs::read_dir(&folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let stale: Vec<String> =
        names.filter(|name| !name.ends_with(".changed.svg") && !known.contains(name)).collect();
    for name in stale.iter().filter(|_| accept) {
        std::fs::remove_file(folder.join(name)).unwrap();
    }
    assert!(accept || stale.is_empty(), "pictures of no figure: {stale:?}");
    assert!(
        differ.is_empty(),
        "these look otherwise than in {} (see NAME.changed.svg there): {differ:?}; \
         SFC_BENCH_FIGURES=write cargo test --test core figures accepts them",
        folder.display()
    );
}

fn paper(id: &str) -> Chart {
    figure(id, &PAPER, &printed::cells(&PAPER), Weights::EQUAL).expect("a figure for each name")
}

#[test]
fn of_the_paper() {
    hold("sfc", FIGURES.into_iter().chain(INSTRUMENTS).map(paper));
}

/// Another dictionary size and other weights, pinned beside the paper.
fn pinned() -> Report {
    let draft = Draft { k: Some(32.0), weights: Some(vec![5.0, 1.0, 1.0]), ..Draft::default() };
    sfc::run(&draft.parse().unwrap(), &mut Silent).unwrap()
}

#[test]
fn of_a_comparison() {
    let pinned = pinned();
    let own = COMPARISONS.map(|id| comparison(id, &PAPER, &pinned).unwrap());
    let laid = OVERLAID.map(|id| beside(paper(id), &pinned, &Setting::default()));
    hold("compare", own.into_iter().chain(laid));
}

#[test]
fn of_an_ensemble() {
    let draft = Draft { samples: Some(300.0), ..Draft::default() };
    let plan = Plan::new(draft.parse().unwrap(), Varied::Model);
    let mut found = ensemble(plan, 0..=19).unwrap();
    found.rescore(yours());
    let run = sfc::run(&found.plan.config, &mut Silent).unwrap();
    hold("ensemble", ENSEMBLE_FIGURES.map(|id| ensemble_figure(id, &found, Some(&run)).unwrap()));
}

#[test]
fn of_families() {
    let mut config = FamiliesConfig::small();
    config.train.steps = 20;
    (config.train_rows, config.eval_rows) = (400, 200);
    (config.ks, config.seeds) = (vec![2, 4], vec![0, 1]);
    (config.relu, config.gated, config.jumprelu) = (vec![0.02], vec![0.02], vec![0.02]);
    let runner = Runner::new(&config).unwrap();
    let results = config.jobs().iter().map(|job| runner.run(job).unwrap()).collect();
    let report = gather(&config, results).unwrap();
    let kept = [KeptMember { name: "mine".to_owned(), found: report.results[0].clone() }];
    hold(
        "families",
        FAMILIES_FIGURES.map(|id| families_figure(id, &report, yours(), &kept).unwrap()),
    );
}

#[test]
fn of_a_training() {
    let sample = World::named("superposition").unwrap().sample(400).unwrap();
    let config = TrainConfig { latents: 24, k: 3, batch: 50, ..TrainConfig::default() };
    let mut trainer = Trainer::new(config, &sample.activations).unwrap();
    let curve: Vec<_> = (0..12).map(|_| trainer.step(5).unwrap()).collect();
    hold("training", TRAINING_FIGURES.map(|id| training_figure(id, &curve).unwrap()));
}

#[test]
fn of_the_readers_own() {
    let files = own::example().unwrap();
    let picked = |role: &str| {
        let file = files.iter().find(|file| file.role == role).expect("a file of that role");
        let open = DataFile::open(file.name, Box::new(file.bytes.clone()), 1 << 30).unwrap();
        Picked::of(&Rc::new(open), None, &[]).unwrap()
    };
    let decomposition = own::Decomposition::Dictionary {
        dictionary: picked("dictionary"),
        codes: own::Codes::Given(picked("codes")),
    };
    let inputs = Inputs {
        activations: picked("activations"),
        decomposition,
        readout: Some(picked("readout")),
        readout_bias: Some(picked("readout_bias")),
    };
    let plan = own::Plan::new(inputs, Options::default()).unwrap();
    let report = OwnRun::new(plan).run(&mut |_| {}).unwrap();
    hold("own", OWN_FIGURES.map(|id| own_figure(id, &report).unwrap()));
}
