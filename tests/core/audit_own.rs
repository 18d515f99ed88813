//! A reader's own in the audit: what is measured of autoencoders and of published scores, and what is refused.

use std::collections::BTreeSet;
use std::rc::Rc;

use sfc_bench::io::DataFile;
use sfc_bench::io::to_npy;
use sfc_bench::lab::audit::user_files::{
    AuditedFiles, UserAuditError, UserAutoencoder, applicable_metrics, assess_published, audit_files, load_weights,
    measure_autoencoders, parse_name_and_seed,
};
use sfc_bench::lab::audit::{
    ControlOutcome, Group, Metric, Registry, Report, Rule, Settings, StudyView, SubjectRow, VerdictWord, World,
    build_table, encode_rows,
};
use sfc_bench::papers::measurement::metric::coefficient_of_variation;
use sfc_bench::papers::sfc::metric::sparsity;
use sfc_bench::sae::train::{Family, TrainConfig, Trainer, to_sae_lens};
use sfc_bench::sae::{Activation, RowNorm, SaeFolder, Weights};
use sfc_bench::study::Study as _;
use sfc_bench::study::user_file::{StreamedUserFile, UserFile, UserFileError};
use sfc_bench::synthetic::{self, Superposition};
use sfc_bench::{Matrix, NumpyRng};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const LATENTS: usize = 16;

fn rows() -> Matrix {
    let world = Superposition { features: LATENTS, dimensions: 8, ..Superposition::default() };
    synthetic::World::Superposition(world).sample(400).unwrap().activations
}

fn trainer(rows: &Matrix, family: Family, seed: u32) -> Trainer {
    let config = TrainConfig { latents: LATENTS, k: 2, steps: 200, seed, ..TrainConfig::for_family(family) };
    Trainer::new(config, rows).unwrap()
}

fn trained(rows: &Matrix, family: Family, seed: u32) -> UserAutoencoder {
    let mut trainer = trainer(rows, family, seed);
    let kept = family.has_k().then_some(2);
    let untrained = Some(Weights::from_parameters(trainer.parameters(), kept));
    trainer.step(200).unwrap();
    let weights = Weights::from_parameters(trainer.parameters(), kept);
    UserAutoencoder { place: family.name().to_owned(), seed, weights, untrained }
}

fn found(rows: &Matrix, given: &[UserAutoencoder]) -> Vec<SubjectRow> {
    measure_autoencoders(rows, None, given, &Registry::all(), || 0.0, &mut |_| {}).unwrap()
}

fn refused(rows: &Matrix, given: &[UserAutoencoder]) -> String {
    let found = measure_autoencoders(rows, None, given, &Registry::all(), || 0.0, &mut |_| {}).map(|_| ());
    let error = found.unwrap_err();
    format!("{error} [{}]", error.code())
}

fn value(row: &SubjectRow, metric: &str) -> Option<f64> {
    row.values.iter().find(|value| value.metric == metric).unwrap().value
}

#[test]
fn autoencoders_are_held_against_what_is_made_of_them() {
    let rows = rows();
    let given: Vec<UserAutoencoder> = [Family::TopK, Family::Relu]
        .into_iter()
        .flat_map(|family| (0..3).map(move |seed| (family, seed)))
        .map(|(family, seed)| trained(&rows, family, seed))
        .collect();
    let said = found(&rows, &given);
    assert!(said.iter().all(|row| row.world == World::Own && row.truth.is_none()));
    let of = |place: &str, seed: u32, group: Group| -> Vec<&SubjectRow> {
        let mine = |row: &&SubjectRow| (&*row.place, row.seed, row.subject.group) == (place, seed, group);
        said.iter().filter(mine).collect()
    };
    for own in &given {
        let of = |group| of(&own.place, own.seed, group);
        let names = |group| -> BTreeSet<&str> { of(group).into_iter().map(|row| row.subject.name.as_str()).collect() };
        assert_eq!(names(Group::Control), BTreeSet::from(["permuted", "random", "untrained"]));
        assert_eq!(names(Group::Dose), BTreeSet::from(["noise", "replaced"]));
        assert_eq!(names(Group::Same).len(), 6);
        let [reference] = of(Group::Reference)[..] else { panic!() };
        let codes = encode_rows(&own.weights, &rows).unwrap();
        assert_eq!(value(reference, "sfc.s"), Some(sparsity(&codes).unwrap()));
        // A random dictionary is as active as it, also where no number of latents is fixed.
        let random = of(Group::Control).into_iter().find(|row| row.subject.name == "random");
        let (size, wanted) = (random.unwrap().size.unwrap(), reference.size.unwrap());
        assert!(size > 0.0 && size <= wanted + 0.5, "{size} {wanted}");
        // Seconds are the clock's.
        assert!(reference.values.iter().all(|value| value.seconds == 0.0));
    }

    // What needs a model, words, a readout or another training says nothing.
    let registry = Registry::all();
    let metrics = applicable_metrics(&registry, &said);
    let ids: BTreeSet<&str> = metrics.iter().map(|metric: &Metric| metric.id).collect();
    let wanted = [
        "m09.overlap.code",
        "m09.overlap.document",
        "m10.rate.document",
        "m12.correlation",
        "m12.mismatch.code",
        "m12.mismatch.document",
        "sfc.f",
        "sfc.s",
    ];
    assert_eq!(ids, BTreeSet::from(wanted));

    let table = build_table(&metrics, &said, &Rule::first_edition());
    let entry = |id: &str| table.entries.iter().find(|entry| entry.metric == id).unwrap();
    let fidelity = &entry("sfc.f").evidence;
    assert_eq!(fidelity.reliability.seeds, 3);
    let by_seed: Vec<f64> = (0..3)
        .map(|seed| {
            let of = |place| value(of(place, seed, Group::Reference)[0], "sfc.f").unwrap();
            0.5 * (of(Family::TopK.name()) + of(Family::Relu.name()))
        })
        .collect();
    let wanted = coefficient_of_variation(&by_seed, 1).unwrap();
    assert!((fidelity.reliability.cv_seeds.unwrap() - wanted).abs() < 1e-12);
    for control in &fidelity.controls {
        assert_eq!((control.word, control.auc), (ControlOutcome::Separated, 1.0), "{}", control.name);
    }
    assert!(!fidelity.validity.known && fidelity.validity.rho.is_none());
    // Codes are made without the decoder.
    let sparse = &entry("sfc.s").evidence.controls;
    let permuted = sparse.iter().find(|control| control.name == "permuted").unwrap();
    assert_eq!(permuted.word, ControlOutcome::NotSeen);
}

#[test]
fn the_order_of_folders_does_not_matter() {
    let rows = rows();
    let mut given: Vec<UserAutoencoder> = (0..2).map(|seed| trained(&rows, Family::TopK, seed)).collect();
    let forth = found(&rows, &given);
    given.reverse();
    let back = found(&rows, &given);
    let half = forth.len() / 2;
    assert_eq!((&forth[..half], &forth[half..]), (&back[half..], &back[..half]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let rows = rows();
    let own = trained(&rows, Family::TopK, 0);
    assert!(refused(&rows, &[]).ends_with("[audit.own.none]"));
    let twice = refused(&rows, &[own.clone(), own.clone()]);
    assert_eq!(twice, "\"topk\" is there twice under seed 0; allowed: once under each seed [audit.own.twice]");
    let relu = UserAutoencoder { place: "relu".to_owned(), seed: 1, ..own.clone() };
    let other = refused(&rows, &[own.clone(), relu]);
    assert_eq!(other, "\"relu\" is there under the seeds 1; allowed: 0, as \"topk\" [audit.own.seeds]");
    let with = |change: &dyn Fn(&mut UserAutoencoder)| {
        let mut changed = UserAutoencoder { seed: 1, ..own.clone() };
        change(&mut changed);
        refused(&rows, &[own.clone(), changed])
    };
    let kept = with(&|own| own.weights.activation = Activation::TopK(3));
    assert!(kept.starts_with("topk, architecture: topk (3); allowed: topk (2), as"), "{kept}");
    let normal = with(&|own| own.weights.normalisation = RowNorm::Constant);
    let wanted = "topk, normalize_activations: constant_norm_rescale; allowed: none, as under another seed";
    assert!(normal.starts_with(wanted), "{normal}");
    let thresholds = with(&|own| own.weights.activation = Activation::JumpRelu(vec![0.0; 3]));
    assert!(thresholds.starts_with("topk, threshold: 3; allowed: 16 numbers"), "{thresholds}");
    let none = with(&|own| own.weights.activation = Activation::TopK(0));
    assert!(none.starts_with("topk, active latents: 0; allowed: 1 to 16"), "{none}");
    let short = with(&|own| own.weights.encoder_bias.truncate(3));
    assert!(short.starts_with("topk, numbers of b_enc: 3; allowed: 16"), "{short}");
    let bad = with(&|own| own.weights.decoder.data_mut()[5] = f64::NAN);
    assert!(bad.starts_with("topk, a number of the decoder: NaN; allowed: finite"), "{bad}");
    let large = with(&|own| own.weights.decoder_bias[0] = 1e300);
    assert!(large.starts_with("topk, a number of b_dec: "), "{large}");
    let seed = with(&|own| own.seed = 1_000_001);
    assert!(seed.starts_with("topk, seed: 1000001; allowed: 0 to 1000000"), "{seed}");
    let narrow = refused(&Matrix::zeros(400, 7), std::slice::from_ref(&own));
    assert!(narrow.starts_with("topk, numbers of a direction: 8; allowed: 7"), "{narrow}");
    let constant =
        UserAutoencoder { weights: Weights { normalisation: RowNorm::Constant, ..own.weights.clone() }, ..own.clone() };
    let zeros = rows.iter_rows().filter(|row| row.iter().all(|value| *value == 0.0)).count();
    let wanted = format!(
        "topk: rows without a norm = {zeros}; allowed: 0, as constant_norm_rescale has no value for a row that is zero \
         [model.size]"
    );
    assert!(zeros > 0);
    assert_eq!(refused(&rows, &[constant]), wanted);
    let few = refused(&Matrix::zeros(15, 8), &[own]);
    assert!(few.starts_with("the activations, rows: 15; allowed: 16 or more"), "{few}");
}

#[test]
fn folders_say_their_seeds() {
    for (path, place, seed) in [
        ("seed_7/topk", "topk", 7),
        ("a\\seed_7\\b\\c", "b/c", 7),
        ("/relu/seed_1000000", "relu", 1_000_000),
        ("seed_3", "", 3),
        ("./mine", "mine", 0),
        ("seed_x/mine", "mine", 0),
    ] {
        assert_eq!(parse_name_and_seed(path), Ok((place.to_owned(), seed)), "{path}");
    }
    let UserAuditError::Value { field, found, .. } = parse_name_and_seed("seed_1000001/a").unwrap_err() else {
        panic!()
    };
    assert_eq!((field, &*found), ("seed", "1000001"));
}

fn folder(config: &[u8], bytes: &[u8]) -> SaeFolder {
    let file = DataFile::open("w.safetensors", Box::new(bytes.to_vec()), 1 << 30).unwrap();
    SaeFolder::new("cfg.json", config.to_vec(), Rc::new(file)).unwrap()
}

#[test]
fn folders_are_read_as_they_encode() {
    let rows = rows();
    for family in Family::ALL {
        let mut trainer = trainer(&rows, family, 3);
        trainer.step(100).unwrap();
        let autoencoder = trainer.autoencoder();
        let [config, file] = to_sae_lens(&autoencoder).unwrap();
        let plain = load_weights(&folder(&config.bytes, &file.bytes)).unwrap();
        let codes = encode_rows(&plain, &rows).unwrap();
        let wanted = autoencoder.encode(&rows).unwrap();
        assert!(codes.data().iter().any(|code| *code > 0.0));
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-5 * b.abs().max(1.0);
        assert!(codes.data().iter().zip(wanted.data()).all(near), "{}", family.name());

        // Where b_dec is not taken off before, codes are those of rows to which it is added.
        let text = String::from_utf8(config.bytes).unwrap();
        let without = text.replace("\"apply_b_dec_to_input\": true", "\"apply_b_dec_to_input\": false");
        assert_ne!(without, text);
        let other = load_weights(&folder(without.as_bytes(), &file.bytes)).unwrap();
        let mut shifted = rows.clone();
        for at in 0..shifted.rows() {
            let row = shifted.row_mut(at).iter_mut();
            row.zip(&plain.decoder_bias).for_each(|(value, bias)| *value += bias);
        }
        let (codes, wanted) = (encode_rows(&other, &rows).unwrap(), autoencoder.encode(&shifted).unwrap());
        assert!(codes.data().iter().zip(wanted.data()).all(near), "{}", family.name());
    }
}

/// Results of two autoencoders under some seeds: "a" about 0.8, "b" less by as much as is said.
fn results(seeds: u32, less: f64, noise: f64) -> Vec<UserFile> {
    let mut rng = NumpyRng::new(0);
    let each = (0..seeds).flat_map(|seed| [(seed, "a", 0.8), (seed, "b", 0.8 - less)]);
    each.map(|(seed, name, about)| {
        let value = about + noise * rng.standard_normal();
        let text = format!("{{\"eval_type_id\":\"tpp\",\"eval_result_metrics\":{{\"mean\":{{\"total\":{value}}}}}}}");
        let name = format!("results/seed_{seed}/{name}.json");
        UserFile { name, bytes: text.into_bytes() }
    })
    .collect()
}

#[test]
fn what_saebench_did_not_measure_is_no_number() {
    let of = |seed: u32, name: &str, loss: f64| {
        UserFile {
        name: format!("results/seed_{seed}/core/{name}_eval_results.json"),
        bytes: format!(
            "{{\"eval_type_id\":\"core\",\"eval_result_metrics\":{{\"p\":{{\"ce_loss_score\":{loss:?},\"kl_div_score\":-1.0}}}}}}"
        )
        .into_bytes(),
    }
    };
    let files = vec![
        of(0, "a", 0.98),
        of(1, "a", -1.0),
        of(2, "a", 0.985),
        of(0, "b", 0.9),
        of(1, "b", 0.91),
        of(2, "b", -1.0),
    ];
    let [loss, kl] = <[_; 2]>::try_from(assess_published(files, &Rule::default()).unwrap()).unwrap();
    assert_eq!((&*loss.quantity, loss.reliability), ("p.ce_loss_score", VerdictWord::Holds));
    assert_eq!((loss.configurations, loss.seeds), (2, 2));
    assert!(loss.variation.is_some_and(|cv| cv < 0.01), "{loss:?}");
    assert_eq!((&*kl.quantity, kl.reliability), ("p.kl_div_score", VerdictWord::Unknown));
    assert_eq!((kl.configurations, kl.variation, kl.pairs), (0, None, 0));
}

#[test]
fn published_scores_are_judged_by_the_rule() {
    let rule = Rule::default();
    let one = |files: Vec<UserFile>| {
        let [found] = <[_; 1]>::try_from(assess_published(files, &rule).unwrap()).unwrap();
        found
    };
    let found = one(results(5, 0.4, 0.01));
    assert_eq!((&*found.evaluation, &*found.quantity), ("tpp", "mean.total"));
    assert_eq!((found.configurations, found.seeds, found.pairs), (2, 5, 1));
    assert_eq!((found.passes, found.told), (Some(1.0), Some(1.0)));
    assert_eq!(found.reliability, VerdictWord::Holds);
    assert!(found.variation.is_some_and(|cv| cv > 0.003 && cv < 0.06), "{found:?}");
    // As much noise as there is to tell.
    let found = one(results(5, 0.0, 0.5));
    assert_eq!((found.reliability, found.passes), (VerdictWord::Fails, Some(0.0)));
    assert_eq!(found.told, Some(0.0));
    let found = one(results(1, 0.4, 0.01));
    assert_eq!((found.reliability, found.variation, found.passes), (VerdictWord::Unknown, None, None));
    let bytes = b"clean,ablated\n2,-1\n3,-2\n1,-1\n4,-3\n2,0.5\n".to_vec();
    let other = UserFile { name: "a.csv".to_owned(), bytes };
    assert!(matches!(assess_published(vec![other], &rule), Err(UserFileError::NoFiles { .. })));
}

/// The files of an autoencoder's folder.
fn files(folder: &str, trainer: &Trainer) -> Vec<UserFile> {
    let files = to_sae_lens(&trainer.autoencoder()).unwrap().into_iter();
    files.map(|file| UserFile { name: format!("{folder}/{}", file.name), bytes: file.bytes }).collect()
}

fn activations(name: &str, rows: &Matrix) -> UserFile {
    let bytes = to_npy(&[rows.rows(), rows.cols()], rows.data());
    UserFile { name: name.to_owned(), bytes }
}

fn read(files: &[UserFile]) -> Result<(AuditedFiles, Vec<f64>), sfc_bench::study::Failure> {
    let mut heard = Vec::new();
    let files = files.iter().cloned().map(StreamedUserFile::from).collect();
    let found = audit_files(files, &Rule::default(), || 0.0, &mut |part| heard.push(part))?;
    Ok((found, heard))
}

#[test]
fn dropped_files_say_what_they_are() {
    let rows = rows();
    let mut all = Vec::new();
    for seed in 0..2 {
        let mut trainer = trainer(&rows, Family::TopK, seed);
        all.extend(files(&format!("runs/untrained/seed_{seed}/topk"), &trainer));
        trainer.step(100).unwrap();
        let folder = format!("runs/seed_{seed}/topk");
        all.extend(files(&folder, &trainer));
        // As this project writes them: the same activations beside each, and what reads them out.
        all.push(activations(&format!("{folder}/activations.npy"), &rows));
        all.push(activations(&format!("{folder}/readout.npy"), &Matrix::zeros(3, 8)));
        let sparsity = UserFile { name: format!("{folder}/sparsity.safetensors"), bytes: vec![7] };
        all.push(sparsity);
    }
    let (found, heard) = read(&all).unwrap();
    let AuditedFiles::Autoencoders { autoencoders, activations: count, rows: measured, notes } = found else {
        panic!()
    };
    assert_eq!((autoencoders, count, heard), (2, 400, vec![0.0, 0.5, 1.0]));
    assert!(notes.is_empty(), "{notes:?}");
    assert!(measured.iter().all(|row| row.place == "topk" && row.world == World::Own));
    assert!(measured.iter().any(|row| row.seed == 1 && row.subject.name == "untrained"));

    // They are a report like any other, judged by its limits.
    let report = Report::from_user_rows(Settings::default(), measured.clone());
    let text = serde_json::to_string(&report).unwrap();
    let mut opened = StudyView::open(serde_json::from_str(&text).unwrap()).unwrap();
    assert!(opened.report().is_complete() && opened.report() == &report);
    assert_eq!(opened.opened_entry().map(|(metric, _)| metric.id), opened.shown_ids().first().copied());
    assert!(opened.metrics().len() >= 8 && opened.metrics().len() < Registry::all().metrics().len());
    assert!(opened.headline().unwrap().ends_with("nothing is said of validity."));
    opened.apply_settings(Settings {
        world: "layer".to_owned(),
        metric: "m08.weightlens".to_owned(),
        ..Settings::default()
    });
    assert_eq!(opened.metrics().len(), opened.table().entries.len());
    assert!(opened.opened_entry().is_some());

    // What cannot be told apart, or is not there, is refused by name.
    let refusal = |files: &[UserFile]| read(files).unwrap_err();
    assert_eq!(refusal(&[]).code, "given.none");
    let mut without = all.clone();
    without.retain(|file| !file.name.ends_with("activations.npy"));
    let missing = refusal(&without);
    assert_eq!((&*missing.code, missing.field.as_deref()), ("given.missing", Some("the activations")));
    without.push(activations("a.npy", &rows));
    assert!(read(&without).is_ok());
    without.push(activations("b.npy", &Matrix::zeros(400, 8)));
    assert_eq!(refusal(&without).code, "given.twice");
    // Parts of one array, which are alike but for numbers, are read in turn; again beside another autoencoder, once.
    let part = |name: &str, of: &[u32]| activations(name, &rows.select_rows(of));
    let order: Vec<u32> = (0..400).collect();
    without.truncate(without.len() - 2);
    for folder in ["", "runs/seed_1/topk/"] {
        without.push(part(&format!("{folder}acts_10.npy"), &order[150..]));
        without.push(part(&format!("{folder}acts_2.npy"), &order[..150]));
    }
    let AuditedFiles::Autoencoders { activations: count, rows: in_parts, .. } = read(&without).unwrap().0 else {
        panic!()
    };
    assert_eq!((count, &in_parts), (400, &measured));
    without.push(part("other.npy", &order[..20]));
    assert_eq!(refusal(&without).code, "given.twice");
    without.pop();
    without.push(activations("acts_11.npy", &Matrix::zeros(4, 7)));
    let narrow = refusal(&without);
    assert!(narrow.message.contains("acts_11.npy") && narrow.message.contains("as wide"), "{narrow:?}");
    let half: Vec<UserFile> = all.iter().filter(|file| !file.name.ends_with("cfg.json")).cloned().collect();
    let half = refusal(&half);
    assert_eq!(half.code, "given.missing", "{}", half.message);
    let mut alone = all.clone();
    alone.retain(|file| !file.name.starts_with("runs/seed_1/topk/"));
    assert_eq!(refusal(&alone).code, "audit.own.value");
    // A folder by itself has no name but its file's.
    let flat: Vec<UserFile> = files("x", &trainer(&rows, Family::TopK, 0))
        .into_iter()
        .map(|file| UserFile { name: file.name.replace("x/", ""), bytes: file.bytes })
        .chain([activations("acts.npy", &rows)])
        .collect();
    let (AuditedFiles::Autoencoders { rows: measured, .. }, _) = read(&flat).unwrap() else { panic!() };
    assert!(measured.iter().all(|row| row.place == "autoencoder" && row.seed == 0));
}

#[test]
fn dropped_results_are_published_scores() {
    let results = results(3, 0.2, 0.01);
    let (AuditedFiles::Published { scores }, _) = read(&results).unwrap() else { panic!() };
    assert_eq!(scores, assess_published(results, &Rule::default()).unwrap());
    let odd = UserFile { name: "odd.json".to_owned(), bytes: b"{".to_vec() };
    assert!(read(&[odd]).is_err());
}
