//! Autoencoders in the layouts of other tools: codes, reconstructions and scores are those that the tools themselves
//! compute with them, and what cannot be read is refused by what is missing.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value;
use sfc_bench::io::{ArrayRef, DataFile};
use sfc_bench::lab::audit::user_files::{
    AuditedFiles, UserAutoencoder, audit_files, load_weights, load_weights_with_targets, measure_autoencoders,
    sample_paired_rows,
};
use sfc_bench::lab::audit::{Registry, Rule};
use sfc_bench::lab::evaluate::{
    ArrayChoice, DecompositionInput, EvaluationError, EvaluationPlan, EvaluationReport, EvaluationRun, Inputs,
    OpenFiles, Options, Request, open_sae_folder,
};
use sfc_bench::sae::layout::files::{SaeFileNames, files_of_weights, find_autoencoders};
use sfc_bench::sae::layout::layout_of_loader;
use sfc_bench::sae::{SaeFolder, TranscoderPart};
use sfc_bench::study::user_file::StreamedUserFile;

use super::common::{assert_close, json, number};
use super::own::audited_as_evaluated;
use sfc_bench::Matrix;

const CAP: u64 = 1 << 30;

fn golden() -> PathBuf {
    super::common::root().join("tests/golden/layouts")
}

fn expected() -> Vec<Value> {
    let expected = json(include_str!("../golden/layouts/expected.json"));
    expected.as_array().expect("cases").clone()
}

/// Files on disk; some of them changed.
#[derive(Default)]
struct Disk {
    changed: RefCell<Vec<(String, Vec<u8>)>>,
}

impl Disk {
    fn bytes(&self, name: &str) -> Vec<u8> {
        let changed = self.changed.borrow();
        let own = changed.iter().find(|(other, _)| name.ends_with(other.as_str()));
        own.map_or_else(|| std::fs::read(name).expect("a golden file"), |(_, bytes)| bytes.clone())
    }
}

impl OpenFiles for Disk {
    fn data_file(&self, name: &str) -> Result<Rc<DataFile>, EvaluationError> {
        Ok(Rc::new(DataFile::open(name, Box::new(self.bytes(name)), CAP)?))
    }

    fn config_bytes(&self, name: &str) -> Result<Vec<u8>, EvaluationError> {
        Ok(self.bytes(name))
    }
}

/// All files under a folder.
fn listed(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(listed(&path)),
            false => found.push(path.to_str().expect("text").to_owned()),
        }
    }
    found
}

/// The files of an autoencoder that is named by its folder or by its weights.
fn names(path: &Path) -> SaeFileNames {
    if path.is_dir() {
        let mut found = find_autoencoders(&listed(path));
        assert_eq!(found.len(), 1, "{}", path.display());
        return found.swap_remove(0);
    }
    files_of_weights(path.to_str().expect("text"), &listed(path.parent().expect("a folder")))
}

fn request(case: &str, names: SaeFileNames, targets: bool) -> Request {
    let file = |name: &str| ArrayChoice::new(golden().join(case).join(name).to_str().unwrap(), None);
    Request {
        activations: file("inputs.npy"),
        more_activations: Vec::new(),
        sae: Some(names),
        targets: if targets { vec![file("targets.npy")] } else { Vec::new() },
        dictionary: None,
        codes: None,
        more_codes: Vec::new(),
        decoder_bias: None,
        reconstruction: None,
        codes_by: Default::default(),
        readout: None,
        readout_bias: None,
        skip: Default::default(),
        options: Options::default(),
    }
}

fn scored(request: &Request, files: &Disk) -> Result<EvaluationReport, EvaluationError> {
    EvaluationRun::new(request.plan(files)?).run(&mut |_| {})
}

fn rows(file: &str, width: usize) -> Matrix {
    let bytes = std::fs::read(golden().join(file)).expect("a golden file");
    let file = DataFile::open(file, Box::new(bytes), CAP).expect("an array");
    let values = file.only_array().expect("one").read_all_as::<f64>().expect("numbers");
    let mut rows = Matrix::zeros(values.len() / width, width);
    rows.data_mut().copy_from_slice(&values);
    rows
}

/// Holds codes against those of the tool: the same latents, and the same values to single precision.
fn codes_agree(case: &str, folder: &SaeFolder) {
    let (latents, [width, _]) = folder.shape().unwrap();
    let found = folder.encode(&rows(&format!("{case}/inputs.npy"), width));
    let found = found.unwrap_or_else(|error| panic!("{case}: {error}"));
    let wanted = rows(&format!("{case}/codes.npz"), latents);
    assert_eq!(found.len(), wanted.rows(), "{case}");
    for (row, (found, wanted)) in found.iter().zip(wanted.iter_rows()).enumerate() {
        let nonzero = (0u32..).zip(wanted).filter(|(_, code)| **code != 0.0);
        let largest = wanted.iter().fold(0.0f64, |largest, code| largest.max(code.abs()));
        let latents: Vec<u32> = nonzero.clone().map(|(j, _)| j).collect();
        let own: Vec<u32> = found.iter().map(|(j, _)| *j).collect();
        assert_eq!(own, latents, "{case}, row {row}");
        for ((_, code), (j, wanted)) in found.iter().zip(nonzero) {
            // Single precision loses what is small beside what it is a difference of: in double precision, NumPy has
            // codes up to 1e-6 from those of the tools.
            let allowed = 1e-5 * largest + 1e-6;
            assert!((code - wanted).abs() <= allowed, "{case}, row {row}, {j}: {code}, {wanted}");
        }
    }
}

fn scores_agree(what: &str, metrics: &Value, found: &EvaluationReport) {
    let of = |name: &str| number(&metrics[name]);
    let close = |name: &str, found: f64, tolerance: f64| {
        assert_close(&format!("{what}, {name}"), found, of(name), 0.0, tolerance);
    };
    close("l0", found.sparsity.l0, 1e-8);
    close("explained_variance_r2", found.fidelity.r2.unwrap(), 1e-6);
    assert_close(what, found.fidelity.fvu.unwrap(), 1.0 - of("explained_variance_r2"), 0.0, 1e-6);
    close("cosine", found.fidelity.cosine, 1e-6);
    if !metrics["l2_ratio"].is_null() {
        close("l2_ratio", found.fidelity.shrinkage.unwrap(), 1e-6);
        close("explained_variance_residual_var", found.fidelity.frac_variance_explained.unwrap(), 1e-6);
        assert_eq!(found.features.dead as f64, of("dead"), "{what}");
        assert_eq!(found.rows as f64, of("rows"), "{what}");
    }
}

/// Cases whose folders are refused, and by which word.
const REFUSED: [(&str, &str); 2] = [
    ("saelens_finetuning_scaling_factor", "finetuning_scaling_factor"),
    ("saelens_threshold_without_architecture", "threshold"),
];
/// Whose factor is in none of its files, and what codes are none of: those have tests of their own.
const APART: [&str; 2] = ["llama_scope_r1_distill", "sparse_codes"];

#[test]
fn every_layout_gives_the_codes_and_scores_of_its_tool() {
    let files = Disk::default();
    let mut compared = 0;
    for told in expected() {
        let case = told["case"].as_str().unwrap();
        if APART.contains(&case) {
            continue;
        }
        let path = golden().join(case).join(told["open"].as_str().unwrap());
        let request = request(case, names(&path), told["targets"] == true);
        if let Some((_, word)) = REFUSED.iter().find(|(other, _)| *other == case) {
            let error = scored(&request, &files).expect_err("refused");
            assert_eq!((error.code(), error.field()), ("evaluate.config", Some(*word)), "{error}");
            continue;
        }
        let inputs = request.open_inputs(&files).unwrap_or_else(|error| panic!("{case}: {error}"));
        match &inputs.decomposition {
            DecompositionInput::Sae(folder) | DecompositionInput::Transcoder { folder, .. } => {
                codes_agree(case, folder);
            }
            DecompositionInput::Dictionary { .. } => panic!("{case}"),
        }
        let found = scored(&request, &files).unwrap_or_else(|error| panic!("{case}: {error}"));
        scores_agree(case, &told["metrics"], &found);
        let said = found.autoencoder.expect("recognised").describe();
        println!("{case}: {said}");
        compared += 1;
        // The same autoencoder in another of the case's folders.
        for other in told["also_open"].as_array().into_iter().flatten() {
            let other = other.as_str().unwrap().split(" (").next().unwrap();
            let names = match other.strip_suffix("ae.pt") {
                // Without its configuration.
                Some(_) => SaeFileNames {
                    weights: golden().join(case).join(other).to_str().unwrap().to_owned(),
                    ..SaeFileNames::default()
                },
                None => names(&golden().join(case).join(other)),
            };
            let request = self::request(case, names, false);
            match scored(&request, &files) {
                Ok(found) => scores_agree(&format!("{case}, {other}"), &told["metrics"], &found),
                // Which of two classes it is of, the file alone does not say.
                Err(error) => {
                    assert!(case.contains("topk") && error.to_string().contains("BatchTopKSAE"), "{case}: {error}");
                }
            }
        }
    }
    assert!(compared >= 58, "{compared}");
}

#[test]
fn a_factor_that_no_file_holds_may_be_named_in_the_configuration() {
    let told = expected().into_iter().find(|one| one["case"] == APART[0]).expect("the case");
    let case = APART[0];
    let names = names(&golden().join(case).join(told["open"].as_str().unwrap()));
    let files = Disk::default();
    let without = scored(&request(case, names.clone(), false), &files).unwrap();
    scores_agree(case, &told["without_factor"], &without);
    assert!(without.notes.iter().any(|note| note.contains("norm_scaling_factor")));
    let name = names.config.clone().expect("a configuration");
    let mut config: Value = serde_json::from_slice(&files.bytes(&name)).unwrap();
    config["norm_scaling_factor"] = told["norm_scaling_factor"].clone();
    files.changed.borrow_mut().push((name, serde_json::to_vec(&config).unwrap()));
    let request = request(case, names, false);
    scores_agree(case, &told["metrics"], &scored(&request, &files).unwrap());
    match request.open_inputs(&files).unwrap().decomposition {
        DecompositionInput::Sae(folder) => codes_agree(case, &folder),
        _ => panic!("an autoencoder"),
    }
}

#[test]
fn a_transcoder_is_scored_with_targets_alone() {
    let files = Disk::default();
    let of = |case: &str, open: &str| names(&golden().join(case).join(open));
    for (case, open) in [
        ("saelens_transcoder", "sae"),
        ("gemma_scope_2_tc", "transcoder/layer_13_width_16k_l0_big"),
        ("mwhanna_transcoder", "layer_7.safetensors"),
        ("sparsify_skip_transcoder", "layers.5.mlp"),
    ] {
        let error = scored(&request(case, of(case, open), false), &files).expect_err("refused");
        assert_eq!((error.code(), error.field()), ("evaluate.targets", Some("targets")), "{error}");
    }
    // What may be either is read as an autoencoder, with a word on it where that fits badly.
    let case = "gemma_scope_transcoder_npz";
    let path = golden().join(case).join("layer_6/width_16k/average_l0_12/params.npz");
    let bytes = std::fs::read(path).unwrap();
    let file = DataFile::open("average_l0_12/params.npz", Box::new(bytes), CAP).unwrap();
    let folder = SaeFolder::open(None, Rc::new(file), Vec::new()).unwrap();
    let array = |name: &str| {
        let name = golden().join(case).join(name).to_str().unwrap().to_owned();
        ArrayRef::find(&files.data_file(&name).unwrap(), None, &[]).unwrap()
    };
    let of_both = |decomposition| {
        let activations = array("inputs.npy");
        let inputs = Inputs { activations, decomposition, readout: None, readout_bias: None };
        EvaluationRun::new(EvaluationPlan::new(inputs, Options::default()).unwrap()).run(&mut |_| {}).unwrap()
    };
    let told = expected().into_iter().find(|one| one["case"] == case).unwrap();
    let with = DecompositionInput::from_transcoder(folder.clone(), array("targets.npy")).unwrap();
    scores_agree(case, &told["metrics"], &of_both(with));
    let found = of_both(DecompositionInput::Sae(folder));
    assert!(found.fidelity.r2.unwrap() < 0.0);
    assert!(found.notes.iter().any(|note| note.contains("may be a transcoder")), "{:?}", found.notes);
    // And an autoencoder has no targets.
    let case = "saelens_standard";
    let mut with = request(case, of(case, "sae"), false);
    with.targets = vec![with.activations.clone()];
    let error = scored(&with, &files).expect_err("refused");
    assert_eq!(error.field(), Some("targets"), "{error}");
}

#[test]
fn what_the_audit_takes_reconstructs_as_its_tool_does() {
    let files = Disk::default();
    for (case, open) in [
        ("gemma_scope_2_res", "resid_post/layer_12_width_16k_l0_medium"),
        ("openai_topk", "resid_post_mlp_v5_32k/autoencoders/6.pt"),
        ("openmoss_2026", "L7-resid"),
        ("llama_scope", "Llama3_1-8B-Base-L5R-8x"),
        ("saelens_transcoder", "sae"),
        ("sparsify_skip_transcoder", "layers.5.mlp"),
        ("clt_circuit_tracer", "W_enc_1.safetensors"),
        ("saelens_matching_pursuit", "sae"),
        ("saelens_covariance_whitening", "ckpt"),
        ("saelens_abstopk", "sae"),
        ("sparsify_groupmax", "layers.5"),
    ] {
        let folder = open_sae_folder(&names(&golden().join(case).join(open)), &files).unwrap();
        let weights = load_weights(&folder).unwrap_or_else(|error| panic!("{case}: {error}"));
        // The same reconstruction, by other code.
        let told = expected().into_iter().find(|one| one["case"] == case).unwrap();
        let wanted = &told["first_recon"];
        let given = rows(&format!("{case}/inputs.npy"), weights.encoder.cols());
        let (x, undo) = weights.normalise_rows(&given);
        let mut z = x.row(0).to_vec();
        if weights.transcoder.is_none() {
            z.iter_mut().zip(&weights.decoder_bias).for_each(|(z, b)| *z -= b);
        }
        let pre: Vec<f64> = weights
            .encoder
            .iter_rows()
            .zip(&weights.encoder_bias)
            .map(|(row, bias)| row.iter().zip(&z).map(|(w, z)| w * z).sum::<f64>() + bias)
            .collect();
        // Greedily: what is left of the row, and the largest product with it.
        let mut pursued = vec![0.0; pre.len()];
        if let sfc_bench::sae::Activation::MatchingPursuit(pursuit) = &weights.activation {
            let mut left = z.clone();
            for _ in 0..pursuit.max_iterations {
                let products =
                    weights.encoder.iter_rows().map(|row| -> f64 { row.iter().zip(&left).map(|(w, x)| w * x).sum() });
                let (latent, most) =
                    products.enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a }).expect("a latent");
                if most <= 0.0 {
                    break;
                }
                let again = pursued[latent] != 0.0;
                pursued[latent] += most;
                left.iter_mut().zip(weights.encoder.row(latent)).for_each(|(x, w)| *x -= most * w);
                let length = left.iter().map(|x| x * x).sum::<f64>().sqrt();
                if length < pursuit.residual_threshold || (again && pursuit.stop_on_duplicate_support) {
                    break;
                }
            }
        }
        let by_magnitude = matches!(weights.activation, sfc_bench::sae::Activation::AbsTopK(_));
        let size = |z: f64| if by_magnitude { z.abs() } else { z };
        let mut ranks: Vec<f64> = pre.iter().map(|z| size(*z)).collect();
        ranks.sort_by(|a, b| b.total_cmp(a));
        let mut out = weights.decoder_bias.clone();
        for (j, z) in pre.iter().enumerate() {
            let mut z = *z;
            let kept = match &weights.activation {
                sfc_bench::sae::Activation::TopK(k) => z > 0.0 && z >= ranks[k - 1],
                sfc_bench::sae::Activation::AbsTopK(k) => size(z) >= ranks[k - 1],
                sfc_bench::sae::Activation::GroupMax(groups) => {
                    let group = pre.iter().zip(groups).filter(|(_, of)| **of == groups[j]);
                    z > 0.0 && group.map(|(z, _)| *z).fold(f64::MIN, f64::max) == z
                }
                sfc_bench::sae::Activation::MatchingPursuit(_) => {
                    z = pursued[j];
                    z > 0.0
                }
                sfc_bench::sae::Activation::JumpRelu(thresholds) => z > thresholds[j],
                _ => z > 0.0,
            };
            if kept {
                out.iter_mut().zip(weights.decoder.row(j)).for_each(|(out, w)| *out += z * w);
            }
        }
        match (&weights.transcoder, undo.first()) {
            (Some(TranscoderPart { skip: Some(skip) }), _) => {
                for (out, row) in out.iter_mut().zip(skip.iter_rows()) {
                    *out += row.iter().zip(given.row(0)).map(|(w, x)| w * x).sum::<f64>();
                }
            }
            (None, Some(undo)) => weights.normalisation.undo(&mut out, *undo),
            _ => {}
        }
        for (found, wanted) in out.iter().zip(wanted.as_array().unwrap()) {
            assert_close(case, *found, number(wanted), 1e-5, 1e-5);
        }
    }
}

/// What the audit says of an autoencoder, or a transcoder, at the rows of a case, held against its evaluation.
fn audited(case: &str, request: &Request, files: &Disk) -> Vec<String> {
    let inputs = request.open_inputs(files).unwrap_or_else(|error| panic!("{case}: {error}"));
    let (folder, targets) = match &inputs.decomposition {
        DecompositionInput::Sae(folder) => (folder, None),
        DecompositionInput::Transcoder { folder, targets } => (folder, Some(targets.clone())),
        DecompositionInput::Dictionary { .. } => panic!("{case}"),
    };
    let weights = load_weights(folder).unwrap_or_else(|error| panic!("{case}: {error}"));
    let (rows, targets) = sample_paired_rows(inputs.activations, targets, Some(&weights), 2_000).unwrap();
    let given = [UserAutoencoder { place: case.to_owned(), seed: 0, weights, untrained: None }];
    // What trains anew on the rows says nothing of what is given.
    let registry = Registry::all().filter_metrics(|metric| metric.paper == "sfc");
    let found = measure_autoencoders(&rows, targets.as_ref(), &given, &registry, || 0.0, &mut |_| {});
    let found = found.unwrap_or_else(|error| panic!("{case}: {error}"));
    let report = scored(request, files).unwrap();
    let without = audited_as_evaluated(case, &found, &report);
    without.into_iter().map(str::to_owned).collect()
}

#[test]
fn every_layout_is_audited_as_it_is_evaluated() {
    let files = Disk::default();
    let mut audited = 0;
    for told in expected() {
        let case = told["case"].as_str().unwrap();
        if APART.contains(&case) || REFUSED.iter().any(|(other, _)| *other == case) {
            continue;
        }
        let path = golden().join(case).join(told["open"].as_str().unwrap());
        let transcoder = told["targets"] == true;
        let request = request(case, names(&path), transcoder);
        let wanted: &[&str] = match case {
            _ if transcoder => &["replaced"],
            "saelens_matching_pursuit" => &["duplicated", "widened"],
            "sparsify_groupmax" => &["duplicated"],
            _ => &[],
        };
        assert_eq!(self::audited(case, &request, &files), wanted, "{case}");
        audited += 1;
    }
    assert!(audited >= 58, "{audited}");
}

/// Of OpenMOSS' TopK the largest of a row are those whose code times the length of its direction is.
#[test]
fn codes_that_are_ranked_by_decoder_norm_are_audited_as_they_are_evaluated() {
    let (case, files) = ("openmoss_2026", Disk::default());
    let names = names(&golden().join(case).join("L7-resid"));
    let name = names.config.clone().expect("a configuration");
    let mut config: Value = serde_json::from_slice(&files.bytes(&name)).unwrap();
    let change = |config: &Value| {
        files.changed.borrow_mut().clear();
        files.changed.borrow_mut().push((name.clone(), serde_json::to_vec(config).unwrap()));
    };
    config["act_fn"] = "topk".into();
    config["top_k"] = 6.into();
    change(&config);
    let request = request(case, names, false);
    assert_eq!(audited(case, &request, &files), [""; 0]);
    let ranked = scored(&request, &files).unwrap().fidelity.cosine;
    config["sparsity_include_decoder_norm"] = false.into();
    change(&config);
    assert_eq!(audited(case, &request, &files), [""; 0]);
    // Or the norms would not matter here.
    assert!((scored(&request, &files).unwrap().fidelity.cosine - ranked).abs() > 1e-4);
}

/// As files are dropped on a page: those whose names say so are what a transcoder reconstructs.
#[test]
fn targets_are_told_by_their_name() {
    let case = "saelens_jumprelu_transcoder";
    let own = |name: &str| {
        let path = golden().join(case).join(name);
        let source = Rc::new(std::fs::read(path).expect("a golden file"));
        StreamedUserFile { name: name.to_owned(), source }
    };
    let files = ["sae/cfg.json", "sae/sae_weights.safetensors", "inputs.npy", "targets.npy"];
    let of = |files: &[&str]| {
        let files = files.iter().map(|name| own(name)).collect();
        audit_files(files, &Rule::first_edition(), || 0.0, &mut |_| {})
    };
    let AuditedFiles::Autoencoders { rows, notes, .. } = of(&files).unwrap() else { panic!() };
    let request = request(case, names(&golden().join(case).join("sae")), true);
    let report = scored(&request, &Disk::default()).unwrap();
    assert_eq!(audited_as_evaluated(case, &rows, &report), ["replaced"]);
    assert!(notes.iter().any(|note| note.contains("replaced is not applicable")), "{notes:?}");
    let error = of(&files[..3]).unwrap_err();
    assert_eq!((&*error.code, error.field.as_deref()), ("evaluate.targets", Some("targets")));
}

#[test]
fn the_audit_takes_transcoders_with_their_targets_alone() {
    let (case, files) = ("saelens_transcoder", Disk::default());
    let folder = |case: &str| open_sae_folder(&names(&golden().join(case).join("sae")), &files).unwrap();
    let error = load_weights_with_targets(folder(case), None).unwrap_err();
    assert_eq!((error.code(), error.field()), ("evaluate.targets", Some("targets")), "{error}");
    let error = load_weights_with_targets(folder("saelens_standard"), Some("t.npy")).unwrap_err();
    assert_eq!((error.code(), error.field()), ("evaluate.config", Some("targets")), "{error}");
    assert!(error.to_string().contains("t.npy"), "{error}");
    let weights = load_weights_with_targets(folder(case), Some("t.npy")).unwrap();
    let given = |weights| [UserAutoencoder { place: case.to_owned(), seed: 0, weights, untrained: None }];
    let x = rows(&format!("{case}/inputs.npy"), weights.encoder.cols());
    let t = rows(&format!("{case}/targets.npy"), weights.decoder.cols());
    let refused = |targets: Option<&Matrix>, weights: &sfc_bench::sae::Weights| {
        let given = given(weights.clone());
        let found = measure_autoencoders(&x, targets, &given, &Registry::all(), || 0.0, &mut |_| {});
        found.map(|_| ()).unwrap_err().to_string()
    };
    let none = refused(None, &weights);
    assert!(none.contains("targets: none; allowed: those that this transcoder"), "{none}");
    let few = refused(Some(&t.select_rows(&[0, 1])), &weights);
    assert!(few.starts_with("the targets, rows: 2; allowed: 96"), "{few}");
    let mut odd = t.clone();
    odd.data_mut()[3] = f64::NAN;
    assert!(refused(Some(&odd), &weights).starts_with("the targets, a number: NaN"));
    let narrow = refused(Some(&Matrix::zeros(96, 1)), &weights);
    assert!(narrow.contains("allowed: 1, as the targets have"), "{narrow}");
    let plain = sfc_bench::sae::Weights { transcoder: None, ..weights };
    let some = refused(Some(&t), &plain);
    assert!(some.contains("targets: some; allowed: none, of an autoencoder"), "{some}");
}

/// The releases that SAELens lists, by the loaders that it reads them with: facts of its pretrained_saes.yaml.
#[test]
fn nearly_every_published_autoencoder_has_a_layout_that_is_read() {
    let releases = json(include_str!("../golden/layouts/releases.json"));
    let (mut all, mut read, mut missing) = (0, 0, Vec::new());
    let (mut entries, mut releases_read) = (0u64, 0);
    for release in releases.as_array().unwrap() {
        let count = release["entries"].as_u64().unwrap();
        let loader = release["layout"].as_str().unwrap();
        all += 1;
        entries += count;
        match layout_of_loader(loader).filter(|layout| layout.is_supported()) {
            Some(_) => {
                releases_read += 1;
                read += count;
            }
            None => missing.push(format!("{} ({loader}, {count})", release["release"].as_str().unwrap())),
        }
    }
    let share = read as f64 / entries as f64;
    println!(
        "{releases_read} of {all} releases and {read} of {entries} autoencoders ({:.2} %) are read; not: {}",
        100.0 * share,
        missing.join(", ")
    );
    assert!(entries > 13_000 && share >= 0.95, "{share}");
    assert!(missing.iter().all(|one| one.contains("temporal")), "{missing:?}");
}

/// A file of zeros under these names.
fn zeros(name: &str, tensors: &[(&str, &[usize])]) -> Rc<DataFile> {
    let (mut header, mut end) = (serde_json::Map::new(), 0);
    for (name, shape) in tensors {
        let next = end + 4 * shape.iter().product::<usize>();
        let said = serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": [end, next]});
        header.insert((*name).to_owned(), said);
        end = next;
    }
    let header = Value::from(header).to_string();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.into_bytes());
    bytes.resize(bytes.len() + end, 0);
    Rc::new(DataFile::open(name, Box::new(bytes), CAP).unwrap())
}

#[test]
fn codes_of_more_than_a_row_and_an_encoder_are_refused_with_what_is_missing() {
    let temporal = [("D", &[4, 2][..]), ("b", &[2]), ("E", &[2, 4]), ("attn_layers.0.k", &[4, 4])];
    let weights = zeros("latest_ckpt.safetensors", &temporal);
    let error = SaeFolder::open(None, weights, Vec::new()).err().expect("refused");
    let said = error.to_string();
    assert!(said.contains("attention over the codes of a sequence"), "{said}");
    assert!(said.contains("which rows are of one sequence is not known here"), "{said}");
    let glu = [("W_E", &[2, 4][..]), ("W_D", &[4, 2]), ("b_E", &[4]), ("b_D", &[2])];
    let of = |more: &[(&str, &[usize])], config: &str| {
        let weights = zeros("sae_weights.safetensors", &[&glu[..], more].concat());
        let config = Some(("config.json", config.as_bytes().to_vec()));
        SaeFolder::open(config, weights, Vec::new())
    };
    let plain = "{\"act_fn\": \"relu\", \"norm_activation\": \"none\"}";
    assert!(of(&[], plain).is_ok());
    let said = plain.replace('}', ", \"use_glu_encoder\": true}");
    for (more, config) in [(&[][..], said.as_str()), (&[("W_E_glu", &[2, 4][..])], plain)] {
        let error = of(more, config).err().expect("refused");
        let said = error.to_string();
        assert!(said.contains("use_glu_encoder: an encoder with a gated linear unit"), "{said}");
        assert!(said.contains("of which one is read here"), "{said}");
    }
}

#[test]
fn what_is_missing_is_named() {
    let files = Disk::default();
    let at = |case: &str, path: &str| golden().join(case).join(path).to_str().unwrap().to_owned();
    let qwen = at("qwen_scope", "SAE-Res-Qwen3-1.7B-Base-W32K-L0_6/layer7.sae.pt");
    let bytes = files.bytes(&qwen);
    let open = |name: &str, bytes: Vec<u8>| Rc::new(DataFile::open(name, Box::new(bytes), CAP).unwrap());
    let error = SaeFolder::open(None, open("layer7.sae.pt", bytes), Vec::new()).err().expect("refused");
    assert!(error.to_string().contains("L0_<k>"), "{error}");
    let sparsify = at("sparsify_topk", "layers.5/sae.safetensors");
    let error = SaeFolder::open(None, open("sae.safetensors", files.bytes(&sparsify)), Vec::new());
    let error = error.err().expect("refused").to_string();
    assert!(error.contains("tensors") && error.contains("sparsify"), "{error}");
    let clt = at("clt_circuit_tracer", "W_enc_1.safetensors");
    let folder = SaeFolder::open(None, open("W_enc_1.safetensors", files.bytes(&clt)), Vec::new()).unwrap();
    assert!(folder.shape().expect_err("no decoder").to_string().contains("W_dec"), "the decoder's file");
    let picked = ArrayRef::find(&open("acts.npy", files.bytes(&at("clt_circuit_tracer", "inputs.npy"))), None, &[]);
    let inputs = Inputs {
        activations: picked.unwrap(),
        decomposition: DecompositionInput::Sae(folder),
        readout: None,
        readout_bias: None,
    };
    assert!(EvaluationPlan::new(inputs, Options::default()).is_err());
}

/// The same codes in every form in which tools write those that are not 0.
#[test]
fn sparse_codes_are_read_as_the_matrix_they_are_of() {
    let case = "sparse_codes";
    let told = expected().into_iter().find(|one| one["case"] == case).unwrap();
    let files = Disk::default();
    let file = |name: &str| golden().join(case).join(name).to_str().unwrap().to_owned();
    let split = ["0_11", "12_23", "24_35", "36_47"];
    let splits = split.map(|range| format!("delphi_splits/layers.5/{range}.safetensors"));
    for (names, metrics) in [
        (vec!["sparsify_topk.safetensors"], &told["metrics"]),
        (vec!["sparsify_topk.pt"], &told["metrics"]),
        (vec!["delphi_raw/layers.5.safetensors"], &told["metrics"]),
        (splits.iter().map(String::as_str).collect(), &told["f16_splits"]),
        (vec!["csr.npz"], &told["metrics"]),
        (vec!["coo.npz"], &told["metrics"]),
        (vec!["torch_coo.pt"], &told["metrics"]),
        (vec!["codes.npz"], &told["metrics"]),
    ] {
        let mut codes: Vec<ArrayChoice> = names.iter().map(|name| ArrayChoice::new(&file(name), None)).collect();
        let weights = file("sae_weights.safetensors");
        let mut request = Request {
            sae: None,
            dictionary: Some(ArrayChoice::new(&weights, Some("W_dec"))),
            codes: Some(codes.remove(0)),
            more_codes: codes,
            decoder_bias: Some(ArrayChoice::new(&weights, Some("b_dec"))),
            reconstruction: None,
            ..request(case, SaeFileNames::default(), false)
        };
        for inputs in ["inputs.npy", "inputs_3d.npy"] {
            request.activations = ArrayChoice::new(&file(inputs), None);
            let found = scored(&request, &files).unwrap_or_else(|error| panic!("{names:?}: {error}"));
            scores_agree(&format!("{names:?}"), metrics, &found);
        }
    }
}

/// Changed configurations and weights of every layout: scored, or refused in a line, and within memory.
#[test]
fn changed_autoencoders_of_all_layouts_are_scored_or_refused() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    one.expect("a thread").install(changed_autoencoders);
}

fn changed_autoencoders() {
    const ALLOWED: isize = 48 << 20;
    let cases: Vec<(String, SaeFileNames, bool)> = expected()
        .iter()
        .filter(|told| !APART.contains(&told["case"].as_str().unwrap()))
        .map(|told| {
            let case = told["case"].as_str().unwrap().to_owned();
            let names = names(&golden().join(&case).join(told["open"].as_str().unwrap()));
            (case, names, told["targets"] == true)
        })
        .collect();
    let found = super::hostile::fuzz("layouts", 2_000, |rng, changed| {
        let (case, names, targets) = &cases[super::mutate::below(rng, cases.len())];
        let files = Disk::default();
        let mut all: Vec<&String> = names.config.iter().chain(&names.scaler).collect();
        // Mostly the weights, which there always are.
        all.extend(names.more.iter().chain([&names.weights, &names.weights]));
        let name = all[super::mutate::below(rng, all.len())];
        let mut bytes = files.bytes(name);
        let ends = [".json", ".npz", ".safetensors", ".pt"];
        let like = ends.into_iter().find(|end| name.ends_with(end)).unwrap_or(".csv");
        super::mutate::file(rng, like, &mut bytes);
        changed.push(("changed", bytes.clone()));
        files.changed.borrow_mut().push((name.clone(), bytes));
        let mut request = request(case, names.clone(), *targets);
        request.options.memory = 4 << 20;
        let (result, most) = super::memory::measured(|| scored(&request, &files));
        assert!(most <= ALLOWED, "{case}, {name}: {most}");
        match result {
            Ok(report) => {
                let s = report.sparsity.s;
                assert!((0.0..=1.0).contains(&s), "{case}, {name}: {s}");
                true
            }
            Err(error) => {
                assert!(!error.to_string().contains('\n') && !error.code().is_empty(), "{error}");
                false
            }
        }
    });
    found.some_of_each();
}
