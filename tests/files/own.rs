//! A reader's own files: what NumPy, ml_dtypes, safetensors and PyTorch wrote is read, and scores what
//! PyTorch and NumPy say it does.

use std::rc::Rc;

use serde_json::Value;
use sfc_bench::export::{Appearance, Archive, Format, export};
use sfc_bench::io::{DataFile, IoError, LabelDetection, ReadAt, is_archived_folder, to_npy, unpack_files};
use sfc_bench::lab::audit::user_files::{UserAutoencoder, measure_autoencoders, sample_rows};
use sfc_bench::lab::audit::{self, Registry};
use sfc_bench::lab::evaluate::figures::evaluation_figure;
use sfc_bench::lab::evaluate::{
    ArrayRef, Basis, CodesBy, CodesSource, DecompositionInput, EXAMPLE_LEVEL, EvaluationError, EvaluationPlan,
    EvaluationReport, EvaluationRun, EvaluationWorker, Inputs, Job, Options, PartialResult, Phase, Reading, SkipRules,
    StudyView, Variance, evaluation_script, example_files,
};
use sfc_bench::papers::sfc::printed::TABLE_3;
use sfc_bench::papers::sfc::settings::PAPER_LEVELS;
use sfc_bench::plot::ChartBody;
use sfc_bench::sae::{Activation, SaeError, SaeFolder};
use sfc_bench::study::{Origin, figure_ids};
use sfc_bench::{FidelityMode, Weights};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, fnv, json, number};

macro_rules! golden {
    ($($name:literal)*) => {
        /// A golden file, by its name: there are no files in a browser.
        fn bytes(name: &str) -> Vec<u8> {
            match name {
                $($name => include_bytes!(concat!("../golden/evaluate/", $name)).to_vec(),)*
                _ => panic!("no golden file {name}"),
            }
        }
    };
}

golden! {
    "acts.csv" "acts.safetensors" "acts_3d_f32.npy" "acts_bf16.npy" "acts_big_endian_f4.npy"
    "acts_big_endian_fortran_f8.npy" "acts_deflated.npz" "acts_f16.npy" "acts_f32.npy"
    "acts_f64.npy" "acts_fortran_f32.npy" "acts_i16.npy" "acts_stored.npz" "codes.npy"
    "dictionary_deficient.npy" "dictionary_few.npy" "dictionary_many.npy" "readout.npy"
    "readout_bias.npy"
    "sae_batchtopk/cfg.json" "sae_batchtopk/sae_weights.safetensors"
    "sae_dead/cfg.json" "sae_dead/sae_weights.safetensors"
    "sae_folded/cfg.json" "sae_folded/sae_weights.safetensors"
    "sae_gated/cfg.json" "sae_gated/sae_weights.safetensors"
    "sae_jumprelu/cfg.json" "sae_jumprelu/sae_weights.safetensors"
    "sae_standard/cfg.json" "sae_standard/sae_weights.safetensors"
    "sae_standard_f16/cfg.json" "sae_standard_f16/sae_weights.safetensors"
    "sae_topk/cfg.json" "sae_topk/sae_weights.safetensors"
    "sae_topk_legacy/cfg.json" "sae_topk_legacy/sae_weights.safetensors"
    "sae_topk_rescaled/cfg.json" "sae_topk_rescaled/sae_weights.safetensors"
}

const CAP: u64 = 1 << 30;

fn cases() -> Vec<Value> {
    let golden = json(include_str!("../golden/evaluate/expected.json"));
    golden["cases"].as_array().expect("cases").clone()
}

fn open(name: &str) -> Rc<DataFile> {
    Rc::new(DataFile::open(name, Box::new(bytes(name)), CAP).expect("a valid file"))
}

fn picked(name: &str, array: Option<&str>) -> ArrayRef {
    ArrayRef::find(&open(name), array, &[]).expect("one array")
}

fn sae(folder: &str) -> DecompositionInput {
    let weights = open(&format!("{folder}/sae_weights.safetensors"));
    DecompositionInput::from_sae("cfg.json", bytes(&format!("{folder}/cfg.json")), weights).expect("a valid folder")
}

fn inputs(case: &Value) -> Inputs {
    let file = |key: &str| case[key].as_str();
    let method = match file("sae") {
        Some(folder) => sae(folder),
        None => DecompositionInput::Dictionary {
            dictionary: picked(file("dictionary").expect("a dictionary"), None),
            codes: match (file("codes"), file("codes_by")) {
                (Some(codes), _) => CodesSource::FromFile(picked(codes, None)),
                (None, Some("least-squares")) => CodesSource::Computed(CodesBy::LeastSquares),
                _ => CodesSource::Computed(CodesBy::Projection),
            },
        },
    };
    Inputs {
        activations: picked(file("activations").expect("activations"), file("array")),
        decomposition: method,
        readout: file("readout").map(|name| picked(name, None)),
        readout_bias: file("bias").map(|name| picked(name, None)),
    }
}

/// The score takes the reading that does not become 1.
fn options() -> Options {
    Options { completeness: Some(Reading::Reconstruction), ..Options::default() }
}

fn evaluate(case: &Value, options: Options) -> EvaluationReport {
    let plan = EvaluationPlan::new(inputs(case), options).expect("a plan");
    EvaluationRun::new(plan).run(&mut |_| {}).expect("a report")
}

/// Holds a report against a golden case.
fn agrees(case: &Value, found: &EvaluationReport) {
    let name = case["name"].as_str().unwrap();
    let wanted = &case["expected"];
    // Both compute in f64 what the files hold in f32 or less: far closer than the promised 1e-5.
    // What is 0 but for rounding (a perfect reconstruction's loss) is compared absolutely.
    let check = |what: &str, found: f64, wanted: &Value| {
        assert_close(&format!("{name}: {what}"), found, number(wanted), 1e-7, 1e-11);
    };
    check("S", found.sparsity.s, &wanted["sparsity"]);
    check("L0", found.sparsity.l0, &wanted["l0"]);
    check("cosine", found.fidelity.cosine, &wanted["cosine"]);
    for (what, value) in [
        ("r2", found.fidelity.r2),
        ("rel_mse", found.fidelity.one_minus_rel_mse),
        ("explained_variance", found.fidelity.frac_variance_explained),
        ("shrinkage", found.fidelity.shrinkage),
        ("mean_max_cosine", found.similarity.mean_max_cosine),
        ("sfc_reconstruction", found.sfc),
    ] {
        check(what, value.unwrap(), &wanted[what]);
    }
    assert_eq!(found.completeness.len(), 3);
    for c in &found.completeness {
        let wanted = &wanted["completeness"][c.reading.name()];
        check(c.reading.name(), c.total.unwrap(), &wanted["total"]);
        check(c.reading.name(), c.grand.unwrap(), &wanted["grand"]);
        assert_eq!(c.rows, found.rows, "{name}: all rows of so few");
    }
    let counts = [
        ("rows", found.rows),
        ("k", found.k),
        ("rank", found.rank),
        ("dead", found.features.dead),
        ("dense", found.features.dense),
    ];
    for (what, count) in counts {
        assert_eq!(Some(count as u64), wanted[what].as_u64(), "{name}: {what}");
    }
    let histograms = [("frequencies", &found.features.frequencies), ("max_cosines", &found.similarity.max_cosines)];
    for (what, histogram) in histograms {
        let wanted: Vec<u64> = serde_json::from_value(wanted[what].clone()).unwrap();
        assert_eq!(histogram.counts, wanted, "{name}: {what}");
    }
}

#[test]
fn every_file_and_architecture_scores_what_pytorch_and_numpy_find() {
    let cases = cases();
    assert!(cases.len() >= 35);
    for case in &cases {
        agrees(case, &evaluate(case, options()));
    }
}

/// Bytes of a string of hexadecimal digits.
fn unhex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal digits")).collect()
}

#[test]
fn what_saelens_saved_scores_what_saelens_computes() {
    let golden = json(include_str!("../golden/saelens.json"));
    let cases = golden["cases"].as_array().expect("cases");
    assert!(cases.len() >= 35);
    for case in cases {
        let weights = unhex(case["weights"].as_str().expect("hex"));
        let weights = DataFile::open("sae_weights.safetensors", Box::new(weights), CAP).unwrap();
        let config = case["config"].as_str().expect("text").as_bytes().to_vec();
        let method = DecompositionInput::from_sae("cfg.json", config, Rc::new(weights));
        let method = method.unwrap_or_else(|error| panic!("{}: {error}", case["name"]));
        let inputs = Inputs { decomposition: method, ..inputs_of("acts_f32.npy", "dictionary_few.npy") };
        let plan = EvaluationPlan::new(inputs, options()).expect("a plan");
        let found = EvaluationRun::new(plan).run(&mut |_| {});
        agrees(case, &found.unwrap_or_else(|error| panic!("{}: {error}", case["name"])));
    }
}

#[test]
fn a_factor_that_saelens_no_longer_knows_is_refused() {
    let bytes = bytes("sae_standard/sae_weights.safetensors");
    let size = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut header: Value = serde_json::from_slice(&bytes[8..8 + size]).unwrap();
    let mut values = bytes[8 + size..].to_vec();
    let start = values.len();
    values.extend([1.0f32, 1.5].repeat(10).iter().flat_map(|factor| factor.to_le_bytes()));
    header["scaling_factor"] = serde_json::json!({
        "dtype": "F32", "shape": [20], "data_offsets": [start, values.len()],
    });
    let header = header.to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.into_bytes());
    file.extend(values);
    let weights = DataFile::open("w.safetensors", Box::new(file), CAP).unwrap();
    let config = self::bytes("sae_standard/cfg.json");
    let method = DecompositionInput::from_sae("cfg.json", config, Rc::new(weights)).unwrap();
    assert_eq!(
        refusal(Inputs { decomposition: method, ..inputs_of("acts_f32.npy", "dictionary_few.npy") }).to_string(),
        "w.safetensors, scaling_factor: 1.5; allowed: 1 for every feature"
    );
}

/// A file of tensors, and others in it.
fn with_tensors(file: &str, more: &[(&str, &str, usize)], value: f32) -> Rc<DataFile> {
    let bytes = bytes(file);
    let size = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut header: Value = serde_json::from_slice(&bytes[8..8 + size]).unwrap();
    let mut values = bytes[8 + size..].to_vec();
    for (name, dtype, count) in more {
        let start = values.len();
        match *dtype {
            "F32" => values.extend([value].repeat(*count).iter().flat_map(|x| x.to_le_bytes())),
            _ => values.extend(vec![0; *count]),
        }
        header[*name] = serde_json::json!({
            "dtype": dtype, "shape": [count], "data_offsets": [start, values.len()],
        });
    }
    let header = header.to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.into_bytes());
    file.extend(values);
    Rc::new(DataFile::open("w.safetensors", Box::new(file), CAP).unwrap())
}

/// The configuration of a folder without some of its fields.
fn config_without(folder: &str, fields: &[&str]) -> Vec<u8> {
    let mut config: Value = serde_json::from_slice(&bytes(&format!("{folder}/cfg.json"))).expect("JSON");
    fields.iter().for_each(|field| drop(config.as_object_mut().unwrap().remove(*field)));
    serde_json::to_vec(&config).unwrap()
}

#[test]
fn tensors_that_an_architecture_does_not_have_are_refused_by_name() {
    let refused = |config: Vec<u8>, weights: Rc<DataFile>| {
        let decomposition = DecompositionInput::from_sae("cfg.json", config, weights).unwrap();
        refusal(Inputs { decomposition, ..inputs_of("acts_f32.npy", "dictionary_few.npy") })
    };
    // Neither a jumprelu nor a gated autoencoder is one of ReLU where nobody says what it is.
    for (folder, tensor, wanted) in [
        ("sae_jumprelu", "threshold", "says jumprelu or batchtopk, threshold is read"),
        ("sae_batchtopk", "topk_threshold", "no threshold of the architecture standard"),
    ] {
        let weights = open(&format!("{folder}/sae_weights.safetensors"));
        let error = refused(config_without(folder, &["architecture", "k"]), weights);
        assert_eq!((error.code(), error.field()), ("evaluate.config", Some(tensor)), "{error}");
        assert!(error.to_string().contains(wanted), "{error}");
    }
    let standard = bytes("sae_standard/cfg.json");
    let weights = open("sae_gated/sae_weights.safetensors");
    assert_eq!(refused(standard.clone(), weights).code(), "io.missing");
    for (name, dtype, wanted) in [
        ("b_gate", "F32", "Where cfg.json says gated, it is read"),
        ("W_skip", "F32", "W_enc, W_dec, b_enc, b_dec, the tensors of standard"),
        ("mask", "BOOL", "W_enc, W_dec, b_enc, b_dec, the tensors of standard"),
        ("scaling_factor", "F32", "1 for every feature"),
        ("finetuning_scaling_factor", "F32", "1 for every feature"),
    ] {
        let weights = with_tensors("sae_standard/sae_weights.safetensors", &[(name, dtype, 20)], 1.5);
        let error = refused(standard.clone(), weights);
        assert_eq!((error.code(), error.field()), ("evaluate.config", Some(name)), "{error}");
        assert!(error.to_string().contains(wanted), "{error}");
    }
    // What does nothing is nothing to refuse.
    let ones = [("finetuning_scaling_factor", "F32", 20)];
    let weights = with_tensors("sae_standard/sae_weights.safetensors", &ones, 1.0);
    let decomposition = DecompositionInput::from_sae("cfg.json", standard, weights).unwrap();
    let inputs = Inputs { decomposition, ..inputs_of("acts_f32.npy", "dictionary_few.npy") };
    assert!(EvaluationRun::new(EvaluationPlan::new(inputs, options()).unwrap()).run(&mut |_| {}).is_ok());
    let both = with_tensors("sae_gated/sae_weights.safetensors", &[("b_enc", "F32", 20)], 1.5);
    let gated = |weights| Inputs {
        decomposition: DecompositionInput::from_sae("cfg.json", bytes("sae_gated/cfg.json"), weights).unwrap(),
        ..inputs_of("acts_f32.npy", "dictionary_few.npy")
    };
    let report =
        |weights| EvaluationRun::new(EvaluationPlan::new(gated(weights), options()).unwrap()).run(&mut |_| {}).unwrap();
    let (with, without) = (report(both), report(open("sae_gated/sae_weights.safetensors")));
    assert_eq!(with.fidelity, without.fidelity);
    assert!(with.notes.iter().any(|note| note.contains("b_enc is not read")), "{:?}", with.notes);
    assert!(!without.notes.iter().any(|note| note.contains("b_enc")), "{:?}", without.notes);
    for architecture in ["transcoder", "skip_transcoder", "jumprelu_transcoder"] {
        let error = with_config("sae_standard", "architecture", architecture.into()).err().unwrap();
        assert_eq!(error.field(), Some("apply_b_dec_to_input"), "{error}");
    }
    for (field, value) in [
        ("k", Value::from(4)),
        ("signed", true.into()),
        ("transcode", true.into()),
        ("skip_connection", true.into()),
        ("use_error_term", true.into()),
    ] {
        let error = with_config("sae_standard", field, value).err().expect("refused");
        assert_eq!((error.code(), error.field()), ("evaluate.config", Some(field)), "{error}");
    }
}

#[test]
fn the_factor_of_a_checkpoints_activations_is_folded_in() {
    const SCALER: &str = "activation_scaler.json";
    let folder = |config: Vec<u8>| {
        let weights = open("sae_folded/sae_weights.safetensors");
        SaeFolder::new("cfg.json", config, weights).unwrap()
    };
    let unfolded = || folder(config_without("sae_folded", &["norm_scaling_factor"]));
    let run = |folder: SaeFolder| {
        let decomposition = DecompositionInput::Sae(folder);
        let inputs = Inputs { decomposition, ..inputs_of("acts_f32.npy", "dictionary_few.npy") };
        let plan = EvaluationPlan::new(inputs, options()).unwrap();
        EvaluationRun::new(plan).run(&mut |_| {}).unwrap()
    };
    let named = run(folder(bytes("sae_folded/cfg.json")));
    let beside = run(unfolded().with_activation_scaler(SCALER, br#"{"scaling_factor": 1.75}"#).unwrap());
    assert_eq!((&beside.fidelity, &beside.sparsity), (&named.fidelity, &named.sparsity));
    assert_eq!(beside.files[3].file, SCALER);
    assert!(beside.files[3].sha256.is_some());
    // Without one, and where SAELens wrote that there is none, the weights are taken as they are, which is told.
    let alone = run(unfolded());
    assert_ne!(alone.sparsity, named.sparsity);
    let none = run(unfolded().with_activation_scaler(SCALER, br#"{"scaling_factor": null}"#).unwrap());
    assert_eq!(none.fidelity, alone.fidelity);
    let told = |report: &EvaluationReport| report.notes.iter().any(|note| note.contains(SCALER));
    assert_eq!([&named, &beside, &alone, &none].map(told), [false, false, true, true]);
    let both = |config: &str, scaler: &str| {
        let weights = open("sae_folded/sae_weights.safetensors");
        let folder = SaeFolder::new("cfg.json", bytes(config), weights).unwrap();
        EvaluationError::from(folder.with_activation_scaler(SCALER, scaler.as_bytes()).err().expect("refused"))
    };
    for (config, scaler, file, field) in [
        ("sae_folded/cfg.json", r#"{"scaling_factor": 1.5}"#, "cfg.json", "norm_scaling_factor"),
        ("sae_standard/cfg.json", r#"{"scaling_factor": 1.5}"#, "cfg.json", "normalize_activations"),
        ("sae_folded/cfg.json", r#"{"scaling_factor": 0}"#, SCALER, "scaling_factor"),
        ("sae_folded/cfg.json", r#"{"scaling_factor": "1.75"}"#, SCALER, "scaling_factor"),
        ("sae_folded/cfg.json", "{}", SCALER, "scaling_factor"),
        ("sae_folded/cfg.json", "[1.75]", SCALER, "the whole file"),
    ] {
        let error = both(config, scaler);
        let begin = format!("{file}, {field}: ");
        assert!(error.to_string().starts_with(&begin), "{error}");
        assert_eq!(error.code(), "evaluate.config");
    }
}

#[test]
fn an_array_is_read_beside_others_of_no_numbers() {
    let words = npy_of("<U1", 3, 4);
    let records = npy_of("R", 2, 8);
    let rows = bytes("acts_f32.npy");
    let archive = zip_flat(&[
        ("tokens.npy", words),
        ("flags.npy", npy_of("|b1", 2, 1)),
        ("acts.npy", rows),
        ("records.npy", records),
        ("none.npy", npy_of("<f4", 0, 4)),
    ]);
    let file = DataFile::open("mixed.npz", Box::new(archive), CAP).unwrap();
    let acts = file.array("acts").unwrap();
    assert_eq!((acts.rows(), acts.cols()), (150, 12));
    assert!(std::ptr::eq(file.only_array().unwrap(), acts));
    for (name, code, wanted) in [
        ("tokens", "io.dtype", "mixed.npz, tokens.npy: numbers of type <U1"),
        ("flags", "io.dtype", "|b1"),
        ("records", "io.header", "not a type with fields"),
        ("none", "io.shape", "at least one row and one column"),
        ("other", "io.missing", "mixed.npz has acts; other is needed"),
    ] {
        let error = file.array(name).err().expect("refused");
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(wanted), "{error}");
    }
    // Where nothing else is there, that is what is wrong.
    let archive = zip_flat(&[("tokens.npy", npy_of("<U1", 3, 4))]);
    let error = DataFile::open("w.npz", Box::new(archive), CAP).err().expect("refused");
    assert_eq!(error.code(), "io.dtype");
}

/// An array of zeros of one of NumPy's types.
fn npy_of(dtype: &str, count: usize, size: usize) -> Vec<u8> {
    let quoted = format!("'{dtype}'");
    let descr = if dtype == "R" { "[('a', '<f4'), ('b', '<f4', (1,))]" } else { &quoted };
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({count},), }}\n");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.bytes());
    out.extend(vec![0; count * size]);
    out
}

/// A zip archive of stored files at its root, under any names.
fn zip_flat(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut crc = !0u32;
        for byte in bytes {
            crc ^= u32::from(*byte);
            (0..8).for_each(|_| crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 });
        }
        let size = (bytes.len() as u32).to_le_bytes();
        let length = (name.len() as u16).to_le_bytes();
        let head =
            [&[20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0][..], &(!crc).to_le_bytes(), &size, &size, &length, &[0, 0]].concat();
        let at = (out.len() as u32).to_le_bytes();
        out.extend([&b"PK\x03\x04"[..], &head, name.as_bytes(), bytes].concat());
        let entry = [&b"PK\x01\x02\x14\x00"[..], &head, &[0; 10], &at, name.as_bytes()].concat();
        directory.extend(entry);
    }
    let count = (files.len() as u16).to_le_bytes();
    let (size, at) = (directory.len() as u32, out.len() as u32);
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size.to_le_bytes(), &at.to_le_bytes(), &[0, 0]];
    [out, directory, end.concat()].concat()
}

#[test]
fn archives_of_other_systems_are_read_as_their_own() {
    let rows = bytes("acts_f32.npy");
    let attributes = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        ".to_vec();
    let archive =
        zip_flat(&[("x.npy", rows.clone()), ("__MACOSX/._x.npy", attributes.clone()), ("._x.npy", attributes.clone())]);
    let file = DataFile::open("a.npz", Box::new(archive), CAP).unwrap();
    assert_eq!(file.only_array().unwrap().read_all().unwrap().len(), 1800);
    let archive = zip_flat(&[
        ("s1\\cfg.json", bytes("sae_topk/cfg.json")),
        ("s1\\sae_weights.safetensors", bytes("sae_topk/sae_weights.safetensors")),
        ("s1\\._cfg.json", attributes),
        ("s1\\acts.npy", rows),
    ]);
    let source: Rc<dyn ReadAt> = Rc::new(archive);
    assert!(is_archived_folder("win.zip", &source).unwrap());
    let names: Vec<String> = unpack_files("win.zip", &source, CAP).unwrap().into_iter().map(|file| file.name).collect();
    assert_eq!(names, ["s1/cfg.json", "s1/sae_weights.safetensors", "s1/acts.npy"]);
    for (name, bytes, wanted) in [
        ("a.xlsx", zip_flat(&[("xl/workbook.xml", Vec::new())]), "an Excel workbook: save"),
        ("a.ods", zip_flat(&[("content.xml", Vec::new())]), "an OpenDocument file: save"),
        ("a.mat", b"MATLAB 7.3 MAT-file, Platform: GLNXA64".to_vec(), "h5py.File"),
    ] {
        let error = DataFile::open(name, Box::new(bytes), CAP).err().expect("refused");
        assert_eq!(error.code(), "io.format");
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn a_dictionary_that_spans_everything_is_flagged_and_a_missing_readout_told() {
    for case in cases() {
        let found = evaluate(&case, options());
        let row_space = &found.completeness[0];
        assert_eq!(row_space.reading, Reading::RowSpace);
        assert_eq!(row_space.identically_one, found.rank == found.dimensions);
        assert_eq!(row_space.identically_one, row_space.total == Some(1.0));
        let said = |what: &str| found.notes.iter().any(|note| note.contains(what));
        assert_eq!(said("spans all"), row_space.identically_one);
        assert_eq!(said("No readout was given"), case["readout"].is_null());
        assert_eq!(found.readout_given, !case["readout"].is_null());
    }
}

/// A .npy file of float64, by rows or by columns.
fn npy_f64(rows: usize, cols: usize, fortran: bool, value: impl Fn(usize, usize) -> f64) -> ArrayRef {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': ({rows}, {cols}), }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    let at = |index: usize| match fortran {
        true => value(index % rows, index / rows),
        false => value(index / cols, index % cols),
    };
    file.extend((0..rows * cols).flat_map(|index| at(index).to_le_bytes()));
    let file = DataFile::open("wide.npy", Box::new(file), CAP).unwrap();
    ArrayRef::find(&Rc::new(file), None, &[]).unwrap()
}

/// Rows that differ by less than single precision has of them, which would be one row four times there.
#[test]
fn rows_of_double_precision_are_scored_in_it() {
    for fortran in [false, true] {
        let value = |row: usize, col: usize| if col == 0 { 1e8 + row as f64 } else { 0.0 };
        let inputs = Inputs {
            activations: npy_f64(4, 2, fortran, value),
            decomposition: DecompositionInput::Dictionary {
                dictionary: npy_f64(1, 2, false, |_, col| if col == 0 { 0.5 } else { 0.0 }),
                codes: CodesSource::FromFile(npy_f64(4, 1, fortran, |row, _| 2.0 * (1e8 + row as f64) - 1.0)),
            },
            readout: None,
            readout_bias: None,
        };
        let plan = EvaluationPlan::new(inputs, options()).unwrap();
        let found = EvaluationRun::new(plan).run(&mut |_| {}).unwrap();
        // Every reconstruction is half below a row; the rows' squared distances from their mean are 5.
        assert_eq!(found.fidelity.r2, Some(1.0 - 4.0 * 0.25 / 5.0), "{fortran}");
    }
}

/// Numbers of `f64`, as a file of `f64` or, rounded, of `f32`.
fn numbers(dtype: &str, rows: usize, cols: usize, values: &[f64]) -> ArrayRef {
    let header = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({rows}, {cols}), }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    for value in values {
        match dtype {
            "<f4" => file.extend((*value as f32).to_le_bytes()),
            _ => file.extend(value.to_le_bytes()),
        }
    }
    let file = DataFile::open("n.npy", Box::new(file), CAP).unwrap();
    ArrayRef::find(&Rc::new(file), None, &[]).unwrap()
}

/// What numbers come to as weights of one type, under rows that have an offset which single precision of weights spoils.
fn with_weights(dtype: &str, codes: CodesSource, offset: f64, dictionary: &[f64]) -> EvaluationReport {
    let row = |at: usize| {
        let x = |by: usize| offset + ((at * by) % 17) as f64 / 4.0;
        [x(3), x(5), x(7), x(11), x(13), x(2)]
    };
    let rows: Vec<f64> = (0..50).flat_map(row).collect();
    let inputs = Inputs {
        activations: numbers("<f8", 50, 6, &rows),
        decomposition: DecompositionInput::Dictionary { dictionary: numbers(dtype, 3, 6, dictionary), codes },
        readout: Some(numbers(dtype, 2, 6, &dictionary[..12])),
        readout_bias: Some(numbers(dtype, 1, 2, &[0.5, -0.25])),
    };
    EvaluationRun::new(EvaluationPlan::new(inputs, options()).unwrap()).run(&mut |_| {}).unwrap()
}

/// An orthonormal dictionary in double precision reconstructs what it projects on; rounded to single precision it is
/// wrong by what an offset of 10⁷ makes of the rounding.
#[test]
fn weights_of_double_precision_are_kept_in_it() {
    let third = 1.0 / 3.0_f64.sqrt();
    let half = 0.5_f64.sqrt();
    let sixth = 1.0 / 6.0_f64.sqrt();
    let dictionary = [
        [third, third, third, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, half, half, 0.0],
        [sixth, sixth, -2.0 * sixth, 0.0, 0.0, 0.0],
    ]
    .concat();
    for by in [CodesBy::Projection, CodesBy::LeastSquares, CodesBy::Top(3)] {
        let found = with_weights("<f8", CodesSource::Computed(by), 1e7, &dictionary);
        let [row_space, reconstruction, _] = &found.completeness[..] else { panic!() };
        let (span, reached) = (row_space.total.unwrap(), reconstruction.total.unwrap());
        assert!((span - reached).abs() < 1e-6, "{by}: {reached}, as far as the span goes: {span}");
        let rounded = with_weights("<f4", CodesSource::Computed(by), 1e7, &dictionary);
        if by != CodesBy::LeastSquares {
            let apart = found.fidelity.r2.unwrap() - rounded.fidelity.r2.unwrap();
            assert!(apart > 1e-4, "{by}: single precision is off: {apart}");
        }
        assert!(found.notes.iter().all(|note| !note.contains("rounded")), "{:?}", found.notes);
    }
}

/// Numbers that both types have give the same bits, whichever their file has.
#[test]
fn the_same_weights_give_the_same_bits_in_either_precision() {
    let dictionary: Vec<f64> = (0..18).map(|at| f64::from(at * 7 % 11 - 5) / 8.0).collect();
    for by in [CodesBy::Projection, CodesBy::LeastSquares, CodesBy::Top(2)] {
        let of = |dtype| {
            let mut found = with_weights(dtype, CodesSource::Computed(by), 0.5, &dictionary);
            found.files.clear();
            serde_json::to_string(&found).unwrap()
        };
        assert_eq!(of("<f4"), of("<f8"), "{by}");
    }
}

#[test]
fn text_is_read_in_double_precision() {
    let text = b"100000.1,1e39\n100000.2,2e39\n".to_vec();
    let file = DataFile::open("a.csv", Box::new(text), CAP).unwrap();
    let array = file.only_array().unwrap();
    assert_eq!(array.read_all_as::<f64>().unwrap(), [100_000.1, 1e39, 100_000.2, 2e39]);
    assert_eq!(array.read_all().unwrap_err().code(), "io.non-finite");
}

/// Where lengths are near the guard of the cosine, a low one has this reason alone.
#[test]
fn rows_that_the_cosines_guard_outweighs_are_told() {
    let rows: Vec<f64> = (0..120).map(|at| 1e-6 * f64::from(at % 7 + 1)).collect();
    let told = |by: f64| {
        let rows: Vec<f64> = rows.iter().map(|value| value * by).collect();
        let found = scored(matrix_of("a.npy", 3, &rows), CodesSource::Computed(CodesBy::Projection));
        found.notes.into_iter().find(|note| note.contains("the recipe's guard"))
    };
    assert!(told(1.0).unwrap().starts_with("In 40 of 40 rows"));
    assert_eq!(told(1e6), None);
}

/// Recorded from this program natively; the test runs in a browser too, where it must be the same. The notes
/// on dense codes, on a factor that no file names, on rows that are very long and on what was left out of a text file
/// are younger than the record. Rows of float64 files have been double precision since the record before the last, weights
/// of such files and text since this one.
const BITS: u64 = 0x349c_d530_20ee_7106;

#[test]
fn the_bits_are_the_same_everywhere() {
    let text: String = cases()
        .iter()
        .map(|case| {
            let mut found = evaluate(case, options());
            let younger = [
                "Nearly every code is active",
                "cfg.json: normalize_",
                "acts.csv: line ",
                "1 of 150 rows ",
                "1 of 90 rows ",
            ];
            found.notes.retain(|note| !younger.iter().any(|begin| note.starts_with(begin)));
            // As is a sentence on what is scored.
            for note in &mut found.notes {
                let younger = " The score takes the reconstruction where no reading is asked for.";
                *note = note.replace(younger, "");
            }
            (found.autoencoder, found.fidelity.fvu) = (None, None);
            found.similarity.max_cosine = None;
            (found.decoder_norms, found.worst_rows) = (None, Vec::new());
            let text = serde_json::to_string(&found).expect("JSON");
            let text = text.replace("\"fvu\":null,", "").replace("\"max_cosine\":null,", "");
            let text = text.replace("\"worst_rows\":[],", "");
            // Under the names that they had when it was recorded.
            text.replace("one_minus_rel_mse", "rel_mse").replace("frac_variance_explained", "explained_variance")
        })
        .collect();
    assert_eq!(fnv(text.bytes()), BITS, "{:#x}", fnv(text.bytes()));
}

/// By so many hands, of whom the last is always the first to be done, and all of what goes from one to another is bytes.
fn by_hands(case: &Value, hands: usize) -> EvaluationReport {
    let plan = EvaluationPlan::new(inputs(case), options()).unwrap();
    let mut first = EvaluationRun::new(plan.clone());
    let mut others: Vec<EvaluationWorker> = (1..hands).map(|_| EvaluationWorker::new(&plan)).collect();
    while first.progress().phase != Phase::Done {
        let before = first.progress().phase;
        let jobs: Vec<Vec<u8>> = std::iter::from_fn(|| first.assign_job()).map(|job| job.to_bytes().unwrap()).collect();
        let mut parts = vec![Vec::new(); jobs.len()];
        for (at, job) in jobs.iter().enumerate().rev() {
            let job = Job::of_bytes(job).unwrap();
            let part = match at % hands {
                0 => first.run_job(job),
                other => others[other - 1].run_job(job),
            };
            parts[at] = part.unwrap().to_bytes().unwrap();
        }
        for part in &parts {
            first.merge_part(&PartialResult::of_bytes(part).unwrap()).unwrap();
        }
        if before == Phase::Loading {
            let basis = first.basis().unwrap().to_bytes().unwrap();
            for other in &mut others {
                other.set_basis(Basis::of_bytes(&basis).unwrap()).unwrap();
            }
        }
    }
    first.finish().unwrap()
}

#[test]
fn any_number_of_hands_comes_to_the_same_bits() {
    for case in &cases() {
        let wanted = serde_json::to_string(&evaluate(case, options())).unwrap();
        for hands in [1, 2, 5] {
            assert_eq!(serde_json::to_string(&by_hands(case, hands)).unwrap(), wanted);
        }
    }
    assert_eq!(Job::of_bytes(&[9; 3]).err().map(|error| error.code()), Some("evaluate.part"));
}

#[test]
fn a_report_of_some_rows_says_that_it_is_one() {
    let case = &cases()[0];
    let mut run = EvaluationRun::new(EvaluationPlan::new(inputs(case), options()).unwrap());
    assert_eq!(run.provisional_report().unwrap(), None);
    let rows = run.plan().shapes().rows;
    while run.progress().phase != Phase::Rows {
        run.step().unwrap();
    }
    let job = run.assign_job().unwrap();
    let part = run.run_job(job).unwrap();
    run.merge_part(&part).unwrap();
    let some = run.provisional_report().unwrap().unwrap();
    assert!(some.rows > 0 && some.rows < rows, "{}", some.rows);
    let said = format!("Provisional: the first {} of {rows} rows.", some.rows);
    assert!(some.notes.iter().any(|note| note.starts_with(&said)), "{:?}", some.notes);
    assert_eq!((some.similarity.compared, some.completeness[2].total), (0, None));
    while run.progress().phase != Phase::Done {
        run.step().unwrap();
    }
    assert_eq!(run.provisional_report().unwrap().unwrap(), evaluate(case, options()));
}

#[test]
fn steps_come_to_the_same_and_end() {
    let case = &cases()[0];
    let mut evaluation = EvaluationRun::new(EvaluationPlan::new(inputs(case), options()).unwrap());
    let mut phases = vec![evaluation.progress().phase];
    for _ in 0..100 {
        let progress = evaluation.step().expect("a step");
        assert!(progress.done <= progress.total);
        if phases.last() != Some(&progress.phase) {
            phases.push(progress.phase);
        }
    }
    let all = [Phase::Loading, Phase::Rows, Phase::ActiveSubspace, Phase::Directions, Phase::Done];
    assert_eq!(phases, all);
    assert_eq!(evaluation.finish().unwrap(), evaluate(case, options()));
    let early = EvaluationRun::new(EvaluationPlan::new(inputs(case), options()).unwrap());
    assert_eq!(early.finish(), Err(EvaluationError::Unfinished));
}

#[test]
fn too_much_memory_is_refused_before_anything_is_read() {
    /// Three gigabytes of activations that nobody may touch beyond their header.
    struct Vast;
    impl sfc_bench::io::ReadAt for Vast {
        fn size(&self) -> u64 {
            128 + 250_000 * 3_000 * 4
        }
        fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
            let mut header =
                b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (250000, 3000), }".to_vec();
            header.resize(127, b' ');
            header.push(b'\n');
            let from = offset as usize;
            let held = header.get(from..from + into.len()).ok_or("beyond the header")?;
            into.copy_from_slice(held);
            Ok(())
        }
    }
    let vast = || {
        let file = Rc::new(DataFile::open("vast.npy", Box::new(Vast), CAP).expect("a header"));
        ArrayRef::find(&file, None, &[]).unwrap()
    };
    let inputs = |activations, dictionary| Inputs {
        activations,
        decomposition: DecompositionInput::Dictionary { dictionary, codes: CodesSource::Computed(CodesBy::Projection) },
        readout: None,
        readout_bias: None,
    };
    // As activations they are streamed, but as a dictionary they would be held.
    match EvaluationPlan::new(inputs(vast(), vast()), Options::default()) {
        Err(EvaluationError::Memory { needed, cap }) => assert!(needed > 4 << 30 && cap == CAP),
        _ => panic!("refused"),
    }
    let options = Options { memory: 100_000, ..Options::default() };
    match EvaluationPlan::new(inputs_of("acts_f32.npy", "dictionary_many.npy"), options) {
        Err(EvaluationError::Memory { needed, cap }) => assert!(needed > cap),
        _ => panic!("refused"),
    }
}

fn inputs_of(activations: &str, dictionary: &str) -> Inputs {
    Inputs {
        activations: picked(activations, None),
        decomposition: DecompositionInput::Dictionary {
            dictionary: picked(dictionary, None),
            codes: CodesSource::Computed(CodesBy::Projection),
        },
        readout: None,
        readout_bias: None,
    }
}

#[track_caller]
fn refusal(inputs: Inputs) -> EvaluationError {
    match EvaluationPlan::new(inputs, Options::default()) {
        Err(error) => error,
        Ok(plan) => match EvaluationRun::new(plan).run(&mut |_| {}) {
            Err(error) => error,
            Ok(_) => panic!("not refused"),
        },
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused_by_name() {
    let error = refusal(inputs_of("acts_f32.npy", "readout_bias.npy"));
    assert_eq!(error.to_string(), "readout_bias.npy, its array: shape 3; allowed: 1 × 12 (as wide as the activations)");
    let mut inputs = inputs_of("acts_f32.npy", "dictionary_few.npy");
    inputs.readout = Some(picked("codes.npy", None));
    assert_eq!(
        refusal(inputs).to_string(),
        "codes.npy, its array: shape 150 × 7; allowed: 150 × 12 (as wide as the activations)"
    );
    let mut inputs = inputs_of("acts_f32.npy", "dictionary_many.npy");
    inputs.decomposition = DecompositionInput::Dictionary {
        dictionary: picked("dictionary_many.npy", None),
        codes: CodesSource::FromFile(picked("codes.npy", None)),
    };
    assert_eq!(
        refusal(inputs).to_string(),
        "codes.npy, its array: shape 150 × 7; allowed: 150 × 20 (one row a row of activations)"
    );
    let error = open("acts.safetensors").array("f8").err().expect("none");
    assert_eq!(error.to_string(), "acts.safetensors has f64, f32, bf16, f16; f8 is needed");
    assert_eq!(error.code(), "io.missing");
    assert!(open("acts_stored.npz").only_array().is_err(), "two arrays, and none named");
}

/// A folder with one field of its configuration changed.
fn with_config(folder: &str, field: &str, value: Value) -> Result<DecompositionInput, EvaluationError> {
    let mut config: Value = serde_json::from_slice(&bytes(&format!("{folder}/cfg.json"))).expect("JSON");
    config[field] = value;
    let weights = open(&format!("{folder}/sae_weights.safetensors"));
    DecompositionInput::from_sae("cfg.json", serde_json::to_vec(&config).unwrap(), weights)
}

#[test]
fn configurations_that_are_not_understood_are_refused_by_their_field() {
    let cases: [(&str, Value, &str); 12] = [
        ("architecture", "temporal".into(), "topk, batchtopk, matryoshka_batchtopk, jumprelu"),
        ("architecture", 7.into(), "a word"),
        ("architecture", "topk".into(), "a whole number from 1"),
        ("activation_fn", "tanh-relu".into(), "relu, topk"),
        ("normalize_activations", "batch_norm".into(), "none, expected_average_only_in"),
        ("apply_b_dec_to_input", "yes".into(), "true or false"),
        ("finetuning_scaling_factor", 2.into(), "true or false"),
        ("reshape_activations", "conv".into(), "none, hook_z"),
        ("d_in", 13.into(), "12, as W_dec has it"),
        ("d_sae", 21.into(), "20, as W_dec has it"),
        ("d_in", 12.5.into(), "a whole number from 1"),
        ("norm_scaling_factor", 0.into(), "a number from 1e-12 to 1e12"),
    ];
    for (field, value, allowed) in cases {
        let method = with_config("sae_standard", field, value.clone());
        let error = match method {
            Err(error) => error,
            Ok(method) => refusal(Inputs { decomposition: method, ..inputs_of("acts_f32.npy", "dictionary_few.npy") }),
        };
        assert_eq!(error.code(), "evaluate.config", "{field}: {error}");
        let text = error.to_string();
        let place = if field == "architecture" && value == "topk" { "k" } else { field };
        assert!(text.starts_with(&format!("cfg.json, {place}: ")), "{text}");
        assert!(text.contains(allowed), "{text}");
    }
    for broken in ["", "[]", "null", "{", "3", "\"standard\""] {
        let weights = open("sae_standard/sae_weights.safetensors");
        let error = DecompositionInput::from_sae("cfg.json", broken.into(), weights).err().expect("refused");
        assert!(error.to_string().starts_with("cfg.json, the whole file: "), "{error}");
    }
    // Weights of another kind lack what the configuration needs.
    let weights = open("sae_standard/sae_weights.safetensors");
    let method = DecompositionInput::from_sae("cfg.json", bytes("sae_gated/cfg.json"), weights).unwrap();
    let error = refusal(Inputs { decomposition: method, ..inputs_of("acts_f32.npy", "dictionary_few.npy") });
    let EvaluationError::Sae(SaeError::Io(IoError::Missing { wanted, .. })) = error else { panic!("{error}") };
    assert_eq!(wanted, "r_mag");
}

#[test]
fn a_row_that_cannot_be_normalised_is_named() {
    let mut activations = bytes("acts_f32.npy");
    let start = activations.len() - (150 - 70) * 12 * 4;
    activations[start..start + 48].fill(0);
    let file = DataFile::open("zero.npy", Box::new(activations), CAP).unwrap();
    let inputs = Inputs {
        activations: ArrayRef::find(&Rc::new(file), None, &[]).unwrap(),
        decomposition: sae("sae_jumprelu"),
        readout: None,
        readout_bias: None,
    };
    assert_eq!(
        refusal(inputs).to_string(),
        "row 70 of the activations is zero, so constant_norm_rescale has no value for it"
    );
}

#[test]
fn what_was_left_out_of_a_text_file_is_told_in_the_report() {
    let inputs = inputs_of("acts.csv", "dictionary_few.npy");
    let found = EvaluationRun::new(EvaluationPlan::new(inputs, options()).unwrap()).run(&mut |_| {}).unwrap();
    let told = &found.notes[found.notes.len() - 2..];
    let header = "acts.csv: line 2 was taken for a header: d0, d1, d2, d3, d4, d5, d6, d7, d8";
    assert!(told[0].starts_with(header), "{told:?}");
    assert_eq!(told[1], "acts.csv: line 1 begins with # and was left out.");
    // Of what has nothing of the kind, nothing is told.
    let inputs = inputs_of("acts_f32.npy", "dictionary_few.npy");
    let found = EvaluationRun::new(EvaluationPlan::new(inputs, options()).unwrap()).run(&mut |_| {}).unwrap();
    assert!(found.notes.iter().all(|note| !note.contains("left out")));
}

/// A matrix of single precision.
fn matrix_of(name: &str, cols: usize, values: &[f64]) -> ArrayRef {
    let bytes = to_npy(&[values.len() / cols, cols], values);
    let file = DataFile::open(name, Box::new(bytes), CAP).unwrap();
    ArrayRef::find(&Rc::new(file), None, &[]).unwrap()
}

/// What codes on a dictionary of one's own come to.
fn scored(activations: ArrayRef, codes: CodesSource) -> EvaluationReport {
    let inputs = Inputs {
        activations,
        decomposition: DecompositionInput::Dictionary {
            dictionary: matrix_of("w.npy", 3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
            codes,
        },
        readout: None,
        readout_bias: None,
    };
    EvaluationRun::new(EvaluationPlan::new(inputs, options()).unwrap()).run(&mut |_| {}).unwrap()
}

#[test]
fn a_decoders_bias_is_added_to_what_codes_reconstruct() {
    let codes: Vec<f64> = (0..40).map(|at| f64::from(at * 7 % 11) / 8.0 + 0.125).collect();
    let bias = [3.0, -2.0, 5.0];
    let rows = codes.chunks_exact(2).flat_map(|c| [c[0] + bias[0], c[1] + bias[1], bias[2]]);
    let rows: Vec<f64> = rows.collect();
    let acts = || matrix_of("a.npy", 3, &rows);
    let given = || matrix_of("c.npy", 2, &codes);
    let alone = scored(acts(), CodesSource::FromFile(given()));
    let whole = CodesSource::FromFileWithBias { codes: given(), bias: matrix_of("b.npy", 3, &bias) };
    let whole = scored(acts(), whole);
    assert_close("cosine", whole.fidelity.cosine, 1.0, 1e-9, 0.0);
    assert_eq!(whole.fidelity.r2, Some(1.0));
    assert_eq!(whole.codes, "given");
    assert_eq!(whole.files[3].role, "decoder bias");
    assert!(alone.fidelity.r2.is_some_and(|r2| r2 < 0.0));
    let said = |report: &EvaluationReport| report.notes.iter().any(|note| note.contains("(b_dec)"));
    assert_eq!([&alone, &whole].map(said), [true, false]);
    let wrong = Inputs {
        activations: acts(),
        decomposition: DecompositionInput::Dictionary {
            dictionary: matrix_of("w.npy", 3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
            codes: CodesSource::FromFileWithBias { codes: given(), bias: matrix_of("b.npy", 2, &[1.0, 2.0]) },
        },
        readout: None,
        readout_bias: None,
    };
    assert!(refusal(wrong).to_string().contains("1 × 3 (one a dimension)"));
}

#[test]
fn rows_of_zeros_and_rows_that_are_very_long_are_counted() {
    let rows = |factor: f64| -> Vec<f64> {
        let row = |at: i32| [1.0, f64::from(at % 3) - 1.0, f64::from(at % 5) / 4.0];
        let each = (0..100).map(|at| (if at % 20 == 0 { factor } else { 1.0 }, row(at)));
        each.flat_map(|(times, row)| row.map(|x| x * times)).collect()
    };
    let by = || CodesSource::Computed(CodesBy::Projection);
    let told = |report: &EvaluationReport, what: &str| report.notes.iter().find(|note| note.contains(what)).cloned();
    let plain = scored(matrix_of("a.npy", 3, &rows(1.0)), by());
    let zeros = scored(matrix_of("a.npy", 3, &rows(0.0)), by());
    let sinks = scored(matrix_of("a.npy", 3, &rows(1_000.0)), by());
    let (zero, long) = ("rows are zeros", "times the median");
    assert_eq!((told(&plain, zero), told(&plain, long)), (None, None));
    assert_eq!((told(&zeros, long), told(&sinks, zero)), (None, None));
    let without: Vec<f64> = rows(0.0).chunks(3).filter(|row| row[0] != 0.0).flatten().copied().collect();
    let without = scored(matrix_of("a.npy", 3, &without), by()).fidelity.cosine;
    let said = told(&zeros, zero).unwrap();
    assert!(said.starts_with("5 of 100 rows are zeros, as padding is"), "{said}");
    assert!(said.ends_with(&format!("without them it is {without:.3}.")), "{said}");
    let said = told(&sinks, long).unwrap();
    assert!(said.starts_with("5 of 100 rows are longer than 10 times the median"), "{said}");
}

/// A text file's shape, its numbers, and what was left out of it.
type TextFile = (Vec<usize>, Vec<f32>, Vec<String>);

fn text_file(text: &str, labels: LabelDetection) -> Result<TextFile, IoError> {
    let file = DataFile::open_as("a.csv", Box::new(text.as_bytes().to_vec()), CAP, labels)?;
    let array = file.only_array()?;
    Ok((vec![array.rows(), array.cols()], array.read_all()?, file.unread_notes()))
}

#[test]
fn labels_that_pandas_writes_are_told_from_numbers() {
    let (rows, numbers) = ("0.5,-0.25,2\n1.5,0.75,-1\n", [0.5, -0.25, 2.0, 1.5, 0.75, -1.0]);
    let indexed = "0,0.5,-0.25,2\n1,1.5,0.75,-1\n";
    for (text, notes) in [
        (rows.to_owned(), 0),
        (format!("# so\n0,1,2\n{rows}"), 2),
        (format!("\"0\",\"1\",\"2\"\n{rows}"), 1),
        (format!(",a,b,c\n{indexed}"), 2),
        (format!(",0,1,2\n{indexed}"), 2),
        (format!("id,0,1,2\n{indexed}"), 2),
        (format!("index,a,b,c\n{indexed}"), 2),
        (",a,b,c\n17,0.5,-0.25,2\n4,1.5,0.75,-1\n".to_owned(), 2),
        ("\"0.5\",\"-0.25\",\"2\"\n\"1.5\", \"0.75\" ,-1\n".to_owned(), 0),
    ] {
        let (shape, found, left) = text_file(&text, LabelDetection::Recognised).unwrap();
        assert_eq!((shape, found), (vec![2, 3], numbers.to_vec()), "{text}");
        assert_eq!(left.len(), notes, "{left:?}");
    }
    let said = text_file(&format!(",0,1,2\n{indexed}"), LabelDetection::Recognised).unwrap().2;
    assert!(said[0].ends_with("a header: , 0, 1, 2. Written as 0.0, 1.0, … these are numbers."));
    assert!(said[1].starts_with("a.csv: the first column was taken for an index"), "{said:?}");
    // Numbers they are where nothing follows, where two are a 0 and a 1 among such, where a column has a name that says
    // nothing of the kind, and where that is said.
    for (text, rows) in [
        ("0,1,2\n", 1),
        ("0,1\n1,0\n", 2),
        ("0.0,1,2\n0.5,0.25,1\n", 2),
        ("a,b\n0,0.5\n1,0.25\n", 2),
        (",b\n0.5,0.5\n1.5,0.25\n", 2),
    ] {
        let (shape, ..) = text_file(text, LabelDetection::Recognised).unwrap();
        assert_eq!(shape[0], rows, "{text}");
        assert_eq!(shape[1], text.lines().next_back().unwrap().split(',').count(), "{text}");
    }
    assert_eq!(text_file("0,1\n0.5,0.25\n", LabelDetection::Recognised).unwrap().0, [1, 2]);
    assert_eq!(text_file(&format!("0,1,2\n{rows}"), LabelDetection::Numbers).unwrap().0, [3, 3]);
    assert_eq!(text_file(",a,b\n0,1,2\n1,4,3\n", LabelDetection::Numbers).unwrap().0, [2, 3]);
}

#[test]
fn other_separators_are_named() {
    for (text, wanted) in [
        ("0,5;0,6;0,2\n0,7;0,3;0,4\n", "numbers between semicolons, with decimal commas"),
        ("a;b;c\n0,189;-0,523;-0,413\n", "numbers between semicolons, with decimal commas"),
        ("a;b;c\n0.189;-0.523;-0.413\n", "numbers between semicolons"),
        ("0.189\t-0.523\n", "numbers between tabs"),
        ("\"0,1\"\t\"0,2\"\n", "numbers between tabs, with decimal commas"),
        ("0.5 0.6 0.2\n", "numbers between spaces"),
    ] {
        let error = text_file(text, LabelDetection::Recognised).unwrap_err();
        assert_eq!(error.code(), "io.text");
        let said = error.to_string();
        assert!(said.contains(&format!(": {wanted}; allowed: numbers between commas")), "{said}");
    }
    // Whatever the name's ending says.
    let file = DataFile::open("a.tsv", Box::new(b"1,2\n".to_vec()), CAP).unwrap();
    assert_eq!(file.only_array().unwrap().read_all().unwrap(), [1.0, 2.0]);
}

/// A golden autoencoder, one tensor of which is filled with a number.
fn filled(folder: &str, tensor: &str, value: f32) -> DecompositionInput {
    let mut weights = bytes(&format!("{folder}/sae_weights.safetensors"));
    let length = u64::from_le_bytes(weights[..8].try_into().unwrap()) as usize;
    let header = serde_json::from_slice::<Value>(&weights[8..8 + length]).unwrap();
    let ends = header[tensor]["data_offsets"].as_array().expect("a tensor");
    let [from, end] = [0, 1].map(|at| 8 + length + ends[at].as_u64().unwrap() as usize);
    for four in weights[from..end].chunks_exact_mut(4) {
        four.copy_from_slice(&value.to_le_bytes());
    }
    let file = DataFile::open("weights.safetensors", Box::new(weights), CAP).unwrap();
    DecompositionInput::from_sae("cfg.json", bytes(&format!("{folder}/cfg.json")), Rc::new(file)).unwrap()
}

fn scored_by(decomposition: DecompositionInput) -> Result<EvaluationReport, EvaluationError> {
    let inputs = Inputs { decomposition, ..inputs_of("acts_f32.npy", "dictionary_few.npy") };
    EvaluationRun::new(EvaluationPlan::new(inputs, options())?).run(&mut |_| {})
}

/// Where PyTorch, in single precision, comes to infinity or to no number, there is no score.
#[test]
fn what_is_no_finite_single_is_refused_with_its_row() {
    for (r_mag, found) in [(88.8, "88.8"), (200.0, "200"), (709.0, "709"), (710.0, "710")] {
        let error = scored_by(filled("sae_gated", "r_mag", r_mag)).unwrap_err();
        let text = error.to_string();
        assert_eq!((error.code(), error.field()), ("evaluate.config", Some("r_mag")));
        assert!(text.starts_with(&format!("weights.safetensors, r_mag: {found}")), "{text}");
        assert!(text.contains(" for feature 0; allowed: entries to 88.72"), "{text}");
    }
    // The last exponential that is a single, and codes that are none.
    let cases = [
        ("sae_gated", "r_mag", 88.7),
        ("sae_gated", "W_enc", 3e38),
        ("sae_standard", "W_enc", 3e38),
        ("sae_topk_legacy", "W_dec", 3e38),
        ("sae_batchtopk", "W_enc", 3e38),
        ("sae_jumprelu", "W_enc", 3e38),
        ("sae_standard", "W_dec", 3e38),
        ("sae_jumprelu", "W_dec", -3e38),
    ];
    for (folder, tensor, value) in cases {
        let error = scored_by(filled(folder, tensor, value)).unwrap_err();
        assert_eq!(error.code(), "evaluate.non-finite", "{folder}, {tensor}: {error}");
        let text = error.to_string();
        assert!(text.starts_with("row ") && text.ends_with("finite 32-bit floats"), "{text}");
        let what = if tensor == "W_dec" { "the reconstruction in " } else { "the code of feature " };
        assert!(text.contains(what), "{folder}, {tensor}: {text}");
        assert!(matches!(error, EvaluationError::Sae(SaeError::NonFinite { row, .. }) if row < 150), "{text}");
    }
    // Below the bound it is large, but a number, and every measure is one.
    let found = scored_by(filled("sae_gated", "r_mag", 40.0)).unwrap();
    let c = &found.completeness[1];
    let all = [found.fidelity.r2, found.fidelity.one_minus_rel_mse, c.total, c.grand, c.sfc, found.sfc];
    assert!(all.iter().all(|value| value.unwrap().is_finite()), "{found:?}");
    assert!(found.fidelity.r2.unwrap() < -1e20);
}

/// A quotient that is beyond all numbers, of inputs that are not.
#[test]
fn a_measure_without_a_finite_value_is_refused_by_its_name() {
    let matrix = |values: &[f64], cols: usize| {
        let bytes = to_npy(&[values.len() / cols, cols], values);
        let file = DataFile::open("m.npy", Box::new(bytes), CAP).unwrap();
        ArrayRef::find(&Rc::new(file), None, &[]).unwrap()
    };
    let mut inputs = Inputs {
        activations: matrix(&[0.0, 1e-45, 0.0, 0.0, 0.0, 0.0], 2),
        decomposition: DecompositionInput::Dictionary {
            dictionary: matrix(&[1e20, 0.0], 2),
            codes: CodesSource::FromFile(matrix(&[1e18; 3], 1)),
        },
        readout: None,
        readout_bias: None,
    };
    // (10³⁸)² over (10⁻⁴⁵)² is a number still.
    let plan = EvaluationPlan::new(inputs.clone(), options()).unwrap();
    let found = EvaluationRun::new(plan).run(&mut |_| {}).unwrap();
    assert!(found.fidelity.one_minus_rel_mse.unwrap() < -1e160);
    inputs.readout = Some(matrix(&[3e38, 1e-45], 2));
    let error = refusal(inputs);
    assert_eq!(error.code(), "evaluate.measure");
    assert_eq!(
        error.to_string(),
        "C by reconstruction, total variance, comes to -inf: what is divided is too large for \
         numbers, or what it is divided by too small"
    );
}

#[test]
fn digests_are_sha_256() {
    let file = DataFile::open("abc.csv", Box::new(b"1,2\n".to_vec()), CAP).unwrap();
    // printf '1,2\n' | sha256sum
    let wanted = "52186c933993da4082b3cdc7c40bb4bf735b391ff54a2ef78c037dda6c38a680";
    assert_eq!(file.digest().unwrap(), wanted);
}

#[test]
fn what_was_measured_is_scored_anew_without_reading_anything() {
    let all = cases();
    let mut changed = 0;
    for case in all.iter().step_by(4) {
        let wanted = Options {
            fidelity: FidelityMode::RelMse,
            completeness: Some(Reading::ActiveSubspace),
            variance: Variance::Grand,
            weights: Weights::new(1.0, 2.0, 5.0).unwrap(),
            ..Options::default()
        };
        let Options { weights, fidelity, completeness, variance, .. } = wanted;
        let mut found = evaluate(case, options());
        let wanted = evaluate(case, wanted);
        changed += usize::from(found.sfc != wanted.sfc);
        found.rescore(weights, fidelity, completeness, variance);
        assert_eq!(found, wanted, "{}", case["name"]);
        // As it comes out of a worker.
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<EvaluationReport>(&text).unwrap(), found);
    }
    // A score that is zero stays so.
    assert!(changed >= 5, "{changed}");
}

fn example_report() -> EvaluationReport {
    let files = example_files().unwrap();
    let picked = |role: &str| {
        let file = files.iter().find(|file| file.role == role).expect("a file of that role");
        let open = DataFile::open(file.name, Box::new(file.bytes.clone()), CAP).unwrap();
        ArrayRef::find(&Rc::new(open), None, &[]).unwrap()
    };
    let inputs = Inputs {
        activations: picked("activations"),
        decomposition: DecompositionInput::Dictionary {
            dictionary: picked("dictionary"),
            codes: CodesSource::FromFile(picked("codes")),
        },
        readout: Some(picked("readout")),
        readout_bias: Some(picked("readout_bias")),
    };
    let options = Options { variance: Variance::Grand, ..Options::default() };
    EvaluationRun::new(EvaluationPlan::new(inputs, options).unwrap()).run(&mut |_| {}).unwrap()
}

#[test]
fn the_example_is_the_papers_table_3() {
    let found = example_report();
    let row = PAPER_LEVELS.iter().position(|level| *level == EXAMPLE_LEVEL).unwrap();
    let [s, f, c, ..] = TABLE_3[row];
    assert_close("S", found.sparsity.s, s, 0.0, 5e-4);
    assert_close("F", found.fidelity.cosine, f, 0.0, 5e-4);
    // The paper's is of 100 rows of the 2,000.
    assert_close("C", found.completeness[0].grand.unwrap(), c, 0.0, 5e-3);
    assert!(!found.completeness[0].identically_one);
}

#[test]
fn figures_and_files_say_what_the_report_says() {
    let mut report = example_report();
    let all = cases();
    let many = all.iter().find(|case| case["name"] == "projection on dictionary_many.npy");
    let many = many.expect("the case");
    // Where nobody asks for a reading, that is not scored which is always 1.
    let usual = evaluate(many, Options::default());
    assert_eq!(usual.reading, Reading::Reconstruction);
    assert_eq!(usual.sfc, usual.completeness[1].sfc);
    assert_eq!(example_report().reading, Reading::RowSpace);
    let asked = Options { completeness: Some(Reading::RowSpace), ..Options::default() };
    let flagged = evaluate(many, asked);
    assert!(flagged.completeness[0].identically_one);
    let warning = evaluation_figure("own-score", &flagged).unwrap().caption;
    assert!(warning.contains("whatever the dictionary has learnt"), "{warning}");
    for report in [&report, &flagged] {
        for id in figure_ids::<StudyView>() {
            let chart = evaluation_figure(id, report).unwrap();
            assert_eq!(chart.id, id);
            assert!(!chart.data_table().rows.is_empty() && chart.summary.ends_with('.'), "{id}");
            for format in Format::ALL {
                let text = export(&chart, format, report, 640, Appearance::Light).unwrap();
                assert!(!text.is_empty());
                if format == Format::Json {
                    let value = json(&text);
                    assert_eq!(number(&value["report"]["sfc"]), report.sfc.unwrap());
                }
            }
        }
    }
    assert!(evaluation_figure("fig1a", &report).is_none());

    let table = evaluation_figure("own-measures", &report).unwrap().data_table();
    let value = |name: &str| {
        let row = table.rows.iter().find(|row| row[0].text == name).expect("the measure");
        row[1].text.clone()
    };
    assert_eq!((value("S").as_str(), value("F, cosine").as_str()), ("0.833", "0.907"));
    let ChartBody::Bars(bars) = evaluation_figure("own-frequencies", &report).unwrap().body else { panic!("not bars") };
    let counted: f64 = bars.series[0].bars.iter().flatten().map(|bar| bar.value).sum();
    assert_eq!(counted, report.k as f64, "every feature is in one bar");

    let name = report.file_name("own-score", "csv");
    assert_eq!(name, "sfc-bench-own-score-given-k48.csv");
    report.files[0].sha256 = Some("0123456789abcdef".to_owned());
    let name = report.file_name("own-score", "csv");
    assert_eq!(name, "sfc-bench-own-score-given-k48-01234567.csv");
}

#[test]
fn a_dictionary_alone_may_keep_the_largest_codes() {
    for dictionary in ["dictionary_few.npy", "dictionary_many.npy", "dictionary_deficient.npy"] {
        let with = |by: CodesBy| {
            let mut inputs = inputs_of("acts_f32.npy", dictionary);
            inputs.decomposition = DecompositionInput::Dictionary {
                dictionary: picked(dictionary, None),
                codes: CodesSource::Computed(by),
            };
            inputs
        };
        let run = |by| {
            let plan = EvaluationPlan::new(with(by), Options::default()).unwrap();
            EvaluationRun::new(plan).run(&mut |_| {}).unwrap()
        };
        let dense = run(CodesBy::Projection);
        assert_eq!((dense.sparsity.s, dense.sfc), (0.0, Some(0.0)), "{dictionary}");
        let said = dense.notes.iter().any(|note| note.contains("Codes by top-"));
        assert!(said, "{dictionary}: {:?}", dense.notes);

        // As many as there are are the projection's, and fewer are those that are given as codes.
        let k = dense.k;
        let all = run(CodesBy::Top(k));
        assert_eq!(all.sparsity, dense.sparsity);
        let apart = (all.fidelity.cosine - dense.fidelity.cosine).abs();
        assert!(apart < 1e-9, "{dictionary}: {apart}");
        let kept = run(CodesBy::Top(3));
        assert_eq!((kept.sparsity.l0, kept.codes.as_str()), (3.0, "top-3"));
        let given = largest_codes("acts_f32.npy", dictionary, 3);
        let mut inputs = with(CodesBy::Projection);
        inputs.decomposition = DecompositionInput::Dictionary {
            dictionary: picked(dictionary, None),
            codes: CodesSource::FromFile(given),
        };
        let wanted = EvaluationRun::new(EvaluationPlan::new(inputs, Options::default()).unwrap());
        let wanted = wanted.run(&mut |_| {}).unwrap();
        assert_eq!(kept.features, wanted.features, "{dictionary}");
        assert_close("F", kept.fidelity.cosine, wanted.fidelity.cosine, 0.0, 1e-6);
        assert!(!kept.notes.iter().any(|note| note.contains("Codes by top-")));

        let error = refusal(with(CodesBy::Top(k + 1)));
        assert_eq!((error.code(), error.field()), ("evaluate.config", Some("codes_by")));
        assert!(error.to_string().contains(&format!("top-1 to top-{k}")), "{error}");
    }
}

/// The largest products of rows with a dictionary's, in magnitude, as an open file.
fn largest_codes(activations: &str, dictionary: &str, kept: usize) -> ArrayRef {
    let (a, w) = (picked(activations, None), picked(dictionary, None));
    let (d, k) = (a.cols(), w.rows());
    let (a, w) = (a.read_all().unwrap(), w.read_all().unwrap());
    let mut codes = Vec::new();
    for row in a.chunks(d) {
        let product =
            |other: &[f32]| -> f64 { row.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum() };
        let products: Vec<f64> = w.chunks(d).map(product).collect();
        let mut order: Vec<usize> = (0..k).collect();
        order.sort_by(|i, j| products[*j].abs().total_cmp(&products[*i].abs()));
        let mut row = vec![0.0; k];
        order[..kept].iter().for_each(|at| row[*at] = products[*at]);
        codes.extend(row);
    }
    let file = DataFile::open("c.npy", Box::new(to_npy(&[codes.len() / k, k], &codes)), CAP);
    ArrayRef::find(&Rc::new(file.unwrap()), None, &[]).unwrap()
}

/// A golden array the other way round, as an open file.
fn turned(name: &str) -> ArrayRef {
    let array = picked(name, None);
    let (rows, cols) = (array.rows(), array.cols());
    let values: Vec<f64> = array.array().read_columns().unwrap().into_iter().map(f64::from).collect();
    let file = DataFile::open("turned.npy", Box::new(to_npy(&[cols, rows], &values)), CAP);
    ArrayRef::find(&Rc::new(file.unwrap()), None, &[]).unwrap()
}

#[test]
fn a_transposed_dictionary_or_readout_is_told_and_can_be_read_so() {
    let plain = inputs_of("acts_f32.npy", "dictionary_few.npy");
    let wanted = EvaluationRun::new(EvaluationPlan::new(plain.clone(), options()).unwrap()).run(&mut |_| {});
    let dictionary = |picked| DecompositionInput::Dictionary {
        dictionary: picked,
        codes: CodesSource::Computed(CodesBy::Projection),
    };
    let with = |picked| Inputs { decomposition: dictionary(picked), ..plain.clone() };
    let error = refusal(with(turned("dictionary_few.npy")));
    assert_eq!((error.code(), error.field()), ("evaluate.transposed", Some("turned.npy")));
    assert!(error.to_string().contains("Transposed? The dictionary can be read so"), "{error}");
    let plan = EvaluationPlan::new(with(turned("dictionary_few.npy").with_transposed(true)), options()).unwrap();
    let script = evaluation_script(&plan, wanted.as_ref().unwrap()).unwrap();
    assert!(script.contains(").T  # K x D"), "{script}");
    let found = EvaluationRun::new(plan).run(&mut |_| {}).unwrap();
    let wanted = wanted.unwrap();
    assert_eq!((found.sfc, &found.completeness), (wanted.sfc, &wanted.completeness));
    assert!(found.files[1].transposed && !wanted.files[1].transposed);
    let mut readout = plain.clone();
    readout.readout = Some(turned("readout.npy"));
    assert_eq!(refusal(readout.clone()).code(), "evaluate.transposed");
    readout.readout = Some(turned("readout.npy").with_transposed(true));
    let mut straight = plain;
    straight.readout = Some(picked("readout.npy", None));
    let run = |inputs| EvaluationRun::new(EvaluationPlan::new(inputs, options()).unwrap()).run(&mut |_| {}).unwrap();
    assert_eq!(run(readout).completeness, run(straight).completeness);
}

/// A source that counts how often it is asked.
struct Counted(Vec<u8>, Rc<std::cell::Cell<usize>>);

impl ReadAt for Counted {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        self.1.set(self.1.get() + 1);
        self.0.read_at(offset, into)
    }
}

#[test]
fn columns_are_read_in_tiles_and_not_row_by_row() {
    let (rows, cols) = (2_000, 96);
    let value = |row: usize, col: usize| ((row * 31 + col * 7) % 997) as f32 / 100.0;
    let columns: Vec<u8> =
        (0..cols).flat_map(|col| (0..rows).flat_map(move |row| value(row, col).to_le_bytes())).collect();
    let mut bytes = to_npy(&[rows, cols], &[]);
    let order = bytes.windows(5).position(|five| five == b"False").unwrap();
    bytes.splice(order..order + 5, *b"True ");
    bytes.extend(columns);
    let asked = Rc::new(std::cell::Cell::new(0));
    let file = DataFile::open("f.npy", Box::new(Counted(bytes, Rc::clone(&asked))), CAP).unwrap();
    let array = file.only_array().unwrap();
    let opened = asked.get();
    let mut block = vec![0.0; 64 * cols];
    // As an evaluation reads: blocks, a last short one, and rows here and there.
    for start in (0..rows).step_by(64) {
        let count = 64.min(rows - start);
        array.read_rows(start, &mut block[..count * cols]).unwrap();
        for (at, found) in block[..count * cols].iter().enumerate() {
            assert_eq!(*found, value(start + at / cols, at % cols));
        }
    }
    for row in (0..rows).step_by(7) {
        array.read_rows(row, &mut block[..cols]).unwrap();
        assert_eq!(block[5], value(row, 5));
    }
    let reads = asked.get() - opened;
    assert!(reads <= cols, "{reads} reads of {cols} columns");
    assert_eq!(array.held_bytes(), (4 * rows * cols) as u64);
}

/// A zip archive of stored files, as a browser's download is.
fn zip(folder: &str, files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = Archive::new(folder);
    files.iter().for_each(|(name, bytes)| archive.add(name, bytes).unwrap());
    archive.finish()
}

#[test]
fn an_archive_of_many_arrays_is_opened_with_few_reads() {
    let count = 2_000;
    let names: Vec<String> = (0..count).map(|at| format!("a{at}.npy")).collect();
    let array = to_npy(&[4, 2], &[0.5; 8]);
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), array.clone())).collect();
    let whole = zip("", &files);
    let asked = Rc::new(std::cell::Cell::new(0));
    // A browser takes milliseconds for each read.
    let most = whole.len() / 1_000 + 100;
    let source = Counted(whole, Rc::clone(&asked));
    let file = DataFile::open("a.npz", Box::new(source), CAP).unwrap();
    let last = file.arrays().last().unwrap();
    assert_eq!((file.arrays().len(), last.read_all().unwrap()), (count, vec![0.5; 8]));
    assert!(asked.get() <= most, "{} reads", asked.get());
}

#[test]
fn a_stored_entry_that_was_damaged_is_refused_when_its_checksum_is_compared() {
    let codes = bytes("codes.npy");
    let whole = zip("a", &[("codes.npy", codes.clone())]);
    let open = |bytes: Vec<u8>| DataFile::open("a.npz", Box::new(bytes), CAP).unwrap();
    let fine = open(whole.clone());
    assert!(fine.verify_checksums().is_ok() && fine.digest().is_ok());
    // The last byte of the array: a number, and a finite one still.
    let at = whole.windows(codes.len()).position(|part| part == codes).unwrap() + codes.len() - 3;
    let mut damaged = whole;
    damaged[at] ^= 1;
    let damaged = open(damaged);
    for error in [damaged.verify_checksums().unwrap_err(), damaged.digest().unwrap_err()] {
        assert_eq!(error.code(), "io.archive");
        assert!(error.to_string().contains("checksum"), "{error}");
    }
}

#[test]
fn a_damaged_file_of_an_archive_is_refused() {
    let damage = |bytes: &mut Vec<u8>, of: &[u8]| {
        let at = bytes.windows(of.len()).position(|part| part == of).unwrap() + of.len() - 3;
        bytes[at] ^= 1;
    };
    let config = bytes("sae_topk/cfg.json");
    let mut archive = zip("a", &[("cfg.json", config.clone())]);
    damage(&mut archive, &config);
    let source: Rc<dyn ReadAt> = Rc::new(archive);
    let file = &unpack_files("a.zip", &source, CAP).unwrap()[0];
    let error = SaeFolder::read_config(&file.name, &*file.source).unwrap_err();
    assert!(error.to_string().contains("checksum"), "{error}");
    // An archive in an archive: either may be damaged, and the other not.
    let codes = bytes("codes.npy");
    let mut inner = zip("a", &[("codes.npy", codes.clone())]);
    damage(&mut inner, &codes);
    let source: Rc<dyn ReadAt> = Rc::new(zip("b", &[("a.npz", inner)]));
    let file = unpack_files("b.zip", &source, CAP).unwrap().remove(0);
    let file = DataFile::open(&file.name, file.source, CAP).unwrap();
    assert!(file.verify_checksums().unwrap_err().to_string().contains("checksum"));
}

#[test]
fn an_archive_of_a_folder_is_its_files() {
    let files = [
        ("cfg.json", bytes("sae_topk/cfg.json")),
        ("sae_weights.safetensors", bytes("sae_topk/sae_weights.safetensors")),
        ("activations.npy", bytes("acts_f32.npy")),
    ];
    let source: Rc<dyn ReadAt> = Rc::new(zip("mine", &files));
    assert!(is_archived_folder("mine.zip", &source).unwrap());
    let mut inside = unpack_files("mine.zip", &source, CAP).unwrap();
    let names: Vec<&str> = inside.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["mine/cfg.json", "mine/sae_weights.safetensors", "mine/activations.npy"]);
    let activations = inside.pop().unwrap();
    let activations = DataFile::open(&activations.name, activations.source, CAP).unwrap();
    let weights = inside.pop().unwrap();
    let weights = DataFile::open(&weights.name, weights.source, CAP).unwrap();
    let config = SaeFolder::read_config("mine/cfg.json", &*inside[0].source).unwrap();
    let inputs = Inputs {
        activations: ArrayRef::find(&Rc::new(activations), None, &[]).unwrap(),
        decomposition: DecompositionInput::from_sae("cfg.json", config, Rc::new(weights)).unwrap(),
        readout: None,
        readout_bias: None,
    };
    let plan = EvaluationPlan::new(inputs, options()).unwrap();
    let found = EvaluationRun::new(plan.clone()).run(&mut |_| {}).unwrap();
    let plain = Inputs { decomposition: sae("sae_topk"), ..inputs_of("acts_f32.npy", "codes.npy") };
    let plain = EvaluationRun::new(EvaluationPlan::new(plain, options()).unwrap()).run(&mut |_| {}).unwrap();
    assert_eq!((found.sfc, found.completeness), (plain.sfc, plain.completeness));
    assert!(plan.digest_files().is_ok());
    // NumPy's own archives are none.
    let source: Rc<dyn ReadAt> = Rc::new(bytes("acts_stored.npz"));
    assert!(!is_archived_folder("acts.npz", &source).unwrap());
}

#[test]
fn what_no_array_is_in_is_named() {
    let png = b"\x89PNG\r\n\x1a\n0000000000000000".to_vec();
    let lfs = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n".to_vec();
    for (name, bytes, wanted) in [
        ("acts.npy", png, "acts.npy: a PNG picture; allowed: .npy"),
        ("w.pkl", b"\x80\x04\x95\x05\x00\x00\x00\x00\x00".to_vec(), "a pickle of Python's"),
        ("w.safetensors", lfs, "git lfs pull"),
        ("w.csv", b"<!DOCTYPE html>".to_vec(), "a web page"),
    ] {
        let error = DataFile::open(name, Box::new(bytes), CAP).err().expect("refused");
        assert_eq!(error.code(), "io.format");
        let said = error.to_string();
        assert!(said.contains(wanted) && !said.contains('\n'), "{said}");
    }
}

/// A tensor file begins with the length of its header: some are the first bytes of a pickle or of an archive.
#[test]
fn tensor_files_are_known_whatever_the_length_of_their_header() {
    let header = r#"{"W":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}"#;
    for length in [0x0280, 0x0380, 0x0480, 0x0580, 0x4b50, 0x5a4d, 0x8b1f] {
        let mut bytes = u64::to_le_bytes(length as u64).to_vec();
        bytes.extend(format!("{header:length$}").bytes());
        bytes.extend([7, 9]);
        let open: Rc<dyn ReadAt> = Rc::new(bytes.clone());
        assert_eq!(is_archived_folder("w.safetensors", &open), Ok(false), "{length}");
        let file = DataFile::open("w.safetensors", Box::new(bytes), CAP).expect("a tensor file");
        assert_eq!(file.only_array().unwrap().read_all().unwrap(), [7.0, 9.0], "{length}");
    }
}

/// What earlier versions wrote under other names.
#[test]
fn reports_under_former_names_are_read() {
    let report = evaluate(&cases()[0], options());
    let written = serde_json::to_string(&report).unwrap();
    let former =
        written.replace("one_minus_rel_mse", "rel_mse").replace("frac_variance_explained", "explained_variance");
    assert_ne!(written, former);
    assert_eq!(serde_json::from_str::<EvaluationReport>(&former).unwrap(), report);
}

/// What is left of rows scores as it does alone, whoever asks and in whatever number of hands.
#[test]
fn rows_that_are_left_out_are_not_scored() {
    let row = |at: usize| -> [f64; 3] {
        match at {
            0 | 17 => [0.0; 3],
            1 => [900.0, -500.0, 300.0],
            _ => [(at % 7) as f64 - 2.5, (at % 5) as f64 / 4.0, (at % 3) as f64],
        }
    };
    let matrix = |rows: &[usize]| {
        let values: Vec<f64> = rows.iter().flat_map(|at| row(*at)).collect();
        matrix_of("a.npy", 3, &values)
    };
    let codes = |rows: &[usize]| {
        let values: Vec<f64> = rows.iter().flat_map(|at| [row(*at)[0] + 0.25, row(*at)[1]]).collect();
        CodesSource::FromFile(matrix_of("c.npy", 2, &values))
    };
    let all: Vec<usize> = (0..200).collect();
    let plan = |rows: &[usize], options: Options| {
        let inputs = Inputs {
            activations: matrix(rows),
            decomposition: DecompositionInput::Dictionary {
                dictionary: matrix_of("w.npy", 3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
                codes: codes(rows),
            },
            readout: None,
            readout_bias: None,
        };
        EvaluationPlan::new(inputs, options).unwrap()
    };
    for active_rows in [1_000, 60] {
        let options = Options { active_rows, ..options() };
        let skip = SkipRules { zero_rows: true, rows: Some("2-4,100".parse().unwrap()), norm_above: Some(20.0) };
        let left: Vec<usize> = all.iter().copied().filter(|at| ![0, 1, 2, 3, 4, 17, 100].contains(at)).collect();
        let alone = EvaluationRun::new(plan(&left, options)).run(&mut |_| {}).unwrap();
        let skipping = plan(&all, options).with_skip(skip).unwrap();
        let found = EvaluationRun::new(skipping.clone()).run(&mut |_| {}).unwrap();
        let skipped = found.skipped.clone().unwrap();
        assert_eq!((skipped.named, skipped.zero, skipped.long), (4, 2, 1));
        assert_eq!((found.rows, skipped.count()), (193, 7));
        let said = "7 of 200 rows were left out: 4 by number, 2 of zeros, 1 longer than 20 times the median.";
        assert!(found.notes.iter().any(|note| note == said), "{:?}", found.notes);
        let numbers =
            |report: &EvaluationReport| -> Vec<usize> { report.worst_rows.iter().map(|worst| worst.row).collect() };
        let renumbered: Vec<usize> = numbers(&alone).into_iter().map(|at| left[at]).collect();
        assert_eq!(numbers(&found), renumbered);
        let plain = |mut found: EvaluationReport| {
            found.skipped = None;
            found.worst_rows.iter_mut().for_each(|worst| worst.row = 0);
            found.notes.retain(|note| note != said);
            found.files.clear();
            serde_json::to_string(&found).unwrap()
        };
        assert_eq!(plain(found), plain(alone));
        // What a program says of them.
        let program = evaluation_script(&skipping, &EvaluationRun::new(skipping.clone()).run(&mut |_| {}).unwrap());
        let program = program.unwrap();
        assert!(program.contains("for first, last in [(2, 4), (100, 100)]:"), "{program}");
        assert!(program.contains("A = A[keep]"), "{program}");
    }
    let refused = |skip: SkipRules| plan(&all, options()).with_skip(skip).err().unwrap();
    let rows = SkipRules { rows: Some("199-200".parse().unwrap()), ..SkipRules::default() };
    assert_eq!(refused(rows).field(), Some("skip.rows"));
    let every = SkipRules { rows: Some("0-199".parse().unwrap()), ..SkipRules::default() };
    assert_eq!(refused(every).field(), Some("skip"));
    let zeros = plan(&[0, 17], options());
    let zeros = zeros.with_skip(SkipRules { zero_rows: true, ..SkipRules::default() }).unwrap();
    assert_eq!(EvaluationRun::new(zeros).run(&mut |_| {}).err().unwrap().field(), Some("skip"));
    // A row that is refused is told by its number in the file.
    let mut values = vec![1.0; 30];
    values[24..27].fill(0.0);
    let skip = SkipRules { rows: Some("0-3".parse().unwrap()), ..SkipRules::default() };
    let inputs = Inputs {
        activations: matrix_of("a.npy", 3, &values),
        decomposition: DecompositionInput::Dictionary {
            dictionary: matrix_of("w.npy", 3, &[1.0, 0.0, 0.0]),
            codes: CodesSource::FromFile(npy_f64(10, 1, false, |row, _| if row == 8 { 1e300 } else { 1.0 })),
        },
        readout: None,
        readout_bias: None,
    };
    let plan = EvaluationPlan::new(inputs, options()).unwrap().with_skip(skip).unwrap();
    let error = EvaluationRun::new(plan).run(&mut |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("row 8 of the activations"), "{error}");
}

/// What the audit takes for the weights of an autoencoder whose codes are rescaled reconstructs as the autoencoder does.
#[test]
fn rescaled_codes_are_folded_for_the_audit() {
    let config = bytes("sae_topk_rescaled/cfg.json");
    let folder = SaeFolder::new("cfg.json", config, open("sae_topk_rescaled/sae_weights.safetensors")).unwrap();
    let weights = audit::user_files::load_weights(&folder).unwrap();
    let rows: Vec<f64> = picked("acts_f32.npy", None).read_all_as().unwrap();
    let d = weights.decoder.cols();
    let (mut error, mut mean) = (0.0, vec![0.0; d]);
    let count = (rows.len() / d) as f64;
    for row in rows.chunks_exact(d) {
        mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / count);
        let mut codes: Vec<(f64, usize)> = weights
            .encoder
            .iter_rows()
            .zip(&weights.encoder_bias)
            .enumerate()
            .map(|(j, (w, bias))| {
                let centred = row.iter().zip(&weights.decoder_bias).map(|(x, b)| x - b);
                (w.iter().zip(centred).map(|(w, x)| w * x).sum::<f64>() + bias, j)
            })
            .collect();
        codes.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut out = weights.decoder_bias.clone();
        let Activation::TopK(kept) = weights.activation else { panic!() };
        for (code, j) in codes.iter().take(kept).filter(|(code, _)| *code > 0.0) {
            out.iter_mut().zip(weights.decoder.row(*j)).for_each(|(out, w)| *out += code * w);
        }
        error += out.iter().zip(row).map(|(out, x)| (out - x) * (out - x)).sum::<f64>();
    }
    let all: f64 =
        rows.chunks_exact(d).flat_map(|row| row.iter().zip(&mean).map(|(x, mean)| (x - mean) * (x - mean))).sum();
    let inputs = Inputs {
        activations: picked("acts_f32.npy", None),
        decomposition: sae("sae_topk_rescaled"),
        readout: None,
        readout_bias: None,
    };
    let report = EvaluationRun::new(EvaluationPlan::new(inputs, options()).unwrap()).run(&mut |_| {}).unwrap();
    assert_close("R²", 1.0 - error / all, report.fidelity.r2.unwrap(), 1e-9, 0.0);
}

/// Whatever is evaluated is audited: S and F of what is given are those of its evaluation, what is in another guise says
/// the same, and random directions are as active as it.
#[test]
fn every_architecture_is_audited_as_it_is_evaluated() {
    let rows = sample_rows(picked("acts_f32.npy", None), 2_000).unwrap();
    let plain = |field: &str, value: &str| (field.to_owned(), json(value));
    let bare = plain("apply_b_dec_to_input", "false");
    let [constant, layer] =
        ["\"constant_norm_rescale\"", "\"layer_norm\""].map(|norm| plain("normalize_activations", norm));
    let rescaled = plain("rescale_acts_by_decoder_norm", "true");
    let factor = plain("norm_scaling_factor", "0.5");
    let other = [
        ("sae_batchtopk", vec![rescaled, layer.clone()]),
        ("sae_gated", vec![bare.clone(), constant.clone()]),
        ("sae_gated", vec![bare.clone(), factor.clone()]),
        ("sae_gated", vec![layer.clone()]),
        ("sae_jumprelu", vec![bare.clone(), layer]),
        ("sae_batchtopk", vec![bare, constant, factor]),
    ];
    let folders = [
        "sae_batchtopk",
        "sae_folded",
        "sae_gated",
        "sae_jumprelu",
        "sae_standard",
        "sae_standard_f16",
        "sae_topk",
        "sae_topk_legacy",
        "sae_topk_rescaled",
    ];
    for (name, changed) in folders.map(|name| (name, Vec::new())).into_iter().chain(other) {
        let mut config = serde_json::from_slice::<Value>(&bytes(&format!("{name}/cfg.json"))).unwrap();
        let said = format!("{name} {changed:?}");
        changed.into_iter().for_each(|(field, value)| config[field] = value);
        let config = config.to_string().into_bytes();
        let file = open(&format!("{name}/sae_weights.safetensors"));
        let inputs = Inputs {
            activations: picked("acts_f32.npy", None),
            decomposition: DecompositionInput::from_sae("cfg.json", config.clone(), Rc::clone(&file)).unwrap(),
            readout: None,
            readout_bias: None,
        };
        let report = EvaluationRun::new(EvaluationPlan::new(inputs, options()).unwrap()).run(&mut |_| {}).unwrap();
        let weights = audit::user_files::load_weights(&SaeFolder::new("cfg.json", config, file).unwrap()).unwrap();
        let given = [UserAutoencoder { place: name.to_owned(), seed: 0, weights, untrained: None }];
        let found = measure_autoencoders(&rows, None, &given, &Registry::all(), || 0.0, &mut |_| {}).unwrap();
        audited_as_evaluated(&said, &found, &report);
    }
}

/// Holds what the audit says of one autoencoder against its evaluation. Returns what is not applicable to it.
pub(super) fn audited_as_evaluated<'a>(
    said: &str,
    found: &'a [audit::SubjectRow],
    report: &EvaluationReport,
) -> Vec<&'a str> {
    let of = |subject: &str| found.iter().find(|row| row.subject.name == subject).unwrap();
    let value = |subject: &str, metric: &str| {
        of(subject).values.iter().find(|value| value.metric == metric).unwrap().value.unwrap()
    };
    let (without, with): (Vec<_>, Vec<_>) = found.iter().partition(|row| row.not_applicable.is_some());
    let without: Vec<&str> = without
        .into_iter()
        .map(|row| {
            assert!(row.values.is_empty() && row.not_applicable_note().unwrap().ends_with('.'), "{said}");
            row.subject.name.as_str()
        })
        .collect();
    let has = |name: &str| with.iter().any(|row| row.subject.name == name);
    assert_close(said, value("given", "sfc.s"), report.sparsity.s, 1e-12, 0.0);
    assert_close(said, value("given", "sfc.f"), report.fidelity.cosine, 2e-6, 0.0);
    for guise in ["reordered", "scaled", "rotated"] {
        for metric in ["sfc.s", "sfc.f"] {
            let name = format!("{said}, {guise}, {metric}");
            assert_close(&name, value(guise, metric), value("given", metric), 2e-6, 0.0);
        }
    }
    for guise in ["duplicated", "widened"] {
        assert_ne!(has(guise), without.contains(&guise), "{said}, {guise}");
        if has(guise) {
            let name = format!("{said}, {guise}");
            assert_close(&name, value(guise, "sfc.f"), value("given", "sfc.f"), 2e-6, 0.0);
        }
    }
    assert_ne!(has("replaced"), without.contains(&"replaced"), "{said}");
    assert!(value("permuted", "sfc.f") < value("given", "sfc.f"), "{said}");
    let (random, size) = (of("random").size.unwrap(), of("given").size.unwrap());
    assert_close(said, size, report.sparsity.l0, 1e-12, 0.0);
    // Of each row of random directions as many are kept as the mean, rounded: a whole number. About half of the latents are
    // positive, give or take √k/2: where as many are to be kept, there may be fewer.
    assert!(random <= size + 0.5, "{said}: {random} of {size}");
    let many = 2.0 * size > report.k as f64 - f64::sqrt(report.k as f64);
    assert!(many || (random - size).abs() <= 0.5, "{said}: {random} of {size}");
    without
}
