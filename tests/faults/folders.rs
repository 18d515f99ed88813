//! Folders as SAELens writes them, malformed by the thousand: refused in words, or scored as the NumPy program
//! that the score comes with scores them.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sfc_bench::NumpyRng;
use sfc_bench::io::DataFile;
use sfc_bench::lab::evaluate::{
    ArrayRef, DecompositionInput, EvaluationError, EvaluationPlan, EvaluationReport, EvaluationRun, Inputs, Options,
    evaluation_script,
};

use crate::common::assert_close;
use crate::malformed::{damage, keep};
use crate::memory::measured;
use crate::mutate::{self, below};
use crate::python::interpreter;
use crate::{golden, seed};

/// As many folders are made as it takes to have so many refused.
const REFUSED: usize = 2_000;
/// Scores of malformed folders that are held against the program's.
const COMPARED: usize = 60;
/// Bytes a run may take.
const CAP: u64 = 4 << 20;
/// Most that one may take besides its own bytes.
const ALLOWED: isize = 48 << 20;
/// Longest that one may take.
const SLOWEST: Duration = Duration::from_secs(10);

const CONFIG: &str = "cfg.json";
const WEIGHTS: &str = "sae_weights.safetensors";
const ACTIVATIONS: &str = "acts.npy";

/// Scores a folder, and writes its program.
fn score(config: Vec<u8>, weights: Vec<u8>) -> Result<(EvaluationReport, String), EvaluationError> {
    let activations = include_bytes!("../golden/evaluate/acts_f16.npy").to_vec();
    let open = |name: &str, bytes: Vec<u8>| -> Result<Rc<DataFile>, EvaluationError> {
        Ok(Rc::new(DataFile::open(name, Box::new(bytes), CAP)?))
    };
    let plan = || -> Result<EvaluationPlan, EvaluationError> {
        let inputs = Inputs {
            decomposition: DecompositionInput::from_sae(CONFIG, config.clone(), open(WEIGHTS, weights.clone())?)?,
            activations: ArrayRef::find(&open(ACTIVATIONS, activations.clone())?, None, &[])?,
            readout: None,
            readout_bias: None,
        };
        EvaluationPlan::new(inputs, Options { memory: CAP, ..Options::default() })
    };
    let report = EvaluationRun::new(plan()?).run(&mut |_| {})?;
    let script = evaluation_script(&plan()?, &report)?;
    Ok((report, script))
}

/// Runs programs in one Python, each in the folder of its number, and returns what they print.
fn run_scripts(folder: &Path, count: usize) -> Vec<Value> {
    const ALL: &str = "
import contextlib, io, json, os, runpy, sys
sys.argv = ['script.py', '--json']
for number in range(int(os.environ['COUNT'])):
    os.chdir(os.path.join(os.environ['FOLDERS'], str(number)))
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            runpy.run_path('script.py', run_name='__main__')
        print(json.dumps(json.loads(out.getvalue())))
    except BaseException as error:
        print(json.dumps({'failed': repr(error)}))
";
    let output = interpreter()
        .args(["-W", "ignore", "-c", ALL])
        .env("FOLDERS", folder)
        .env("COUNT", count.to_string())
        .output()
        .expect("Python starts");
    assert!(output.status.success(), "is there NumPy? {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn malformed_sae_folders_are_refused_or_scored_as_their_program_scores_them() {
    let seeds = golden::sae_folders();
    let folders = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folders");
    let _ = fs::remove_dir_all(&folders);
    let mut rng = NumpyRng::new(seed());
    let (mut made, mut refused, mut scored) = (0, 0, 0);
    let (mut slowest, mut most) = (Duration::ZERO, 0);
    let mut compared: Vec<(String, EvaluationReport)> = Vec::new();
    while refused < REFUSED {
        made += 1;
        assert!(made < 50 * REFUSED, "hardly any of the folders is refused");
        let [config, weights] = seeds[below(&mut rng, seeds.len())];
        let [mut config, mut weights] = [config.to_vec(), weights.to_vec()];
        let which = rng.next_word() % 8;
        if which < 5 {
            mutate::file(&mut rng, CONFIG, &mut config);
        }
        if which > 3 {
            mutate::file(&mut rng, WEIGHTS, &mut weights);
        }
        if rng.next_word().is_multiple_of(8) && !config.is_empty() {
            damage(&mut rng, &mut config);
        }
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| measured(|| score(config.clone(), weights.clone()))));
        let took = start.elapsed();
        let where_kept = || {
            let name = format!("{made}-{CONFIG}");
            keep(&format!("{made}-{WEIGHTS}"), &weights);
            keep(&name, &config).display().to_string()
        };
        let (outcome, held) = outcome.unwrap_or_else(|panic| {
            eprintln!("SFC_FUZZ_SEED={}: {}", seed(), where_kept());
            resume_unwind(panic)
        });
        assert!(took < SLOWEST && held < ALLOWED, "{}: {took:?}, {held} bytes", where_kept());
        slowest = slowest.max(took);
        most = most.max(held);
        match outcome {
            Err(error) => {
                let text = error.to_string();
                assert!(!text.is_empty() && !text.contains('\n') && text.len() < 900, "{text}");
                refused += 1;
            }
            Ok((report, script)) => {
                scored += 1;
                let s = report.sparsity.s;
                assert!((0.0..=1.0).contains(&s), "{}: {s}", where_kept());
                // JSON has no other numbers: what is not finite would be null.
                assert!(json!(report.fidelity)["cosine"].is_number(), "{}", where_kept());
                // Where the weights are as they were trained, and reconstructions of the activations' own
                // size, rounding decides nothing.
                let length = report.fidelity.shrinkage;
                let sized = length.is_some_and(|length| (0.01..100.0).contains(&length));
                if which < 4 && sized && compared.len() < COMPARED {
                    let folder = folders.join(compared.len().to_string());
                    fs::create_dir_all(&folder).expect("a folder");
                    let activations = include_bytes!("../golden/evaluate/acts_f16.npy");
                    for (name, bytes) in [
                        (CONFIG, &config[..]),
                        (WEIGHTS, &weights),
                        (ACTIVATIONS, activations),
                        ("script.py", script.as_bytes()),
                    ] {
                        fs::write(folder.join(name), bytes).expect("a file");
                    }
                    compared.push((folder.display().to_string(), report));
                }
            }
        }
    }
    let found = run_scripts(&folders, compared.len());
    assert_eq!(found.len(), compared.len());
    for ((kept, report), found) in compared.iter().zip(&found) {
        let report = json!(report);
        let check = |what: &str, script: &Value, report: &Value| {
            let what = format!("{kept}: {what}, {found}");
            assert_close(&what, script.as_f64().expect(&what), report.as_f64().expect(&what), 1e-7, 1e-11);
        };
        check("S", &found["sparsity"], &report["sparsity"]["s"]);
        check("L0", &found["l0"], &report["sparsity"]["l0"]);
        for key in ["cosine", "r2", "one_minus_rel_mse", "frac_variance_explained", "shrinkage"] {
            check(key, &found[key], &report["fidelity"][key]);
        }
    }
    println!(
        "{refused} malformed folders of autoencoders refused; {scored} scored, {} of them held against their NumPy \
         program; the slowest in {} ms, at most {} KiB of memory for one; SFC_FUZZ_SEED={}",
        compared.len(),
        slowest.as_millis(),
        most >> 10,
        seed(),
    );
    assert!(compared.len() == COMPARED && scored > 100);
    fs::remove_dir_all(&folders).expect("the folder is removed");
}
