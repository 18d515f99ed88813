//! The papers' metrics on a language model of one's own, against NumPy.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::json;
use crate::killed::{self, program, succeeds};
use crate::numpy::{check, python};

fn golden(name: &str) -> String {
    format!("{}/tests/golden/models/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn scratch(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// The program that the page offers.
const CHECK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lab/language_model/check.py");

/// Has it compute a report's numbers of a model anew.
#[track_caller]
fn check_report(report: &Path, model: &str, more: &[&str]) {
    let report = report.to_str().unwrap();
    check(CHECK, &[&[report, "--model", model][..], more].concat());
}

/// Standard output, or the refusal.
fn run(args: &[&str]) -> Result<String, String> {
    let found = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if found.status.success() { Ok(text(found.stdout)) } else { Err(text(found.stderr)) }
}

#[test]
fn fade_of_a_model_is_what_numpy_finds() {
    let [model, sae] = ["smollm2", "smollm2-sae"].map(golden);
    let rules = scratch("fade-rules.txt", "digits: class digit\ncommas: chars ,\ncode: chars { } ; =\n");
    let rules = rules.to_str().unwrap();
    let args = ["fade", "--model", &model, "--sae", &sae, "--concepts", rules, "--seed", "3"];
    let found = run(&[&args[..], &["--steer", "all", "--json"]].concat()).unwrap();
    let report = json(&found);
    assert_eq!(report["hook"], "blocks.0.hook_resid_post");
    assert_eq!((&report["latents"], &report["directions"]), (&96.into(), &96.into()));
    let file = scratch("fade-found.json", &found);
    let rows = report["concepts"].as_array().unwrap();
    let written = rows.iter().filter(|row| row["latent"]["written"][0].is_array());
    assert!(rows.len() == 3 && written.count() > 0);
    check_report(&file, &model, &["--sae", &sae, "--rules", rules]);
    // By default only what is clear and responsive enough is steered.
    let gated = json(&run(&[&args[..], &["--json"]].concat()).unwrap());
    for row in gated["concepts"].as_array().unwrap() {
        for feature in ["latent", "random", "shuffled"].map(|kind| &row[kind]) {
            assert_eq!(feature["faithfulness"].is_null(), feature["gate"] == false, "{feature}");
        }
    }
    let table = run(&args).unwrap();
    for words in ["digits", "random direction", "shuffled labels", "by chance"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    for (more, said) in [
        (&["--texts", "50"][..], "[settings.texts]"),
        (&["--factors", "1,2"], "0 among them"),
        (&["--made", "0"], "made = 0; allowed: 1 to 100"),
        (&["--seed", "1.5"], "a whole number from 0"),
        (&["--steer", "some"], "gated, all, none"),
        (&["--hook", "blocks.9.hook_resid_post"], "[settings.hook]"),
        (&["--bad"], "[settings.bad]"),
    ] {
        let error = run(&[&args[..7], more].concat()).unwrap_err();
        assert!(error.contains(said), "{more:?}: {error}");
    }
    let error = run(&["fade", "--model", &model]).unwrap_err();
    assert!(error.contains("the folder of an autoencoder"), "{error}");
}

#[test]
fn stories_and_questions_of_a_model_are_what_numpy_finds() {
    let [model, sae] = ["smollm2", "smollm2-sae"].map(golden);
    let args = ["ce-bench", "--model", &model, "--sae", &sae, "--seed", "5"];
    let stories = run(&[&args[..], &["--json"]].concat()).unwrap();
    let asked = ["mui", "--model", &model, "--prompts", "20", "--k", "3", "--seed", "2"];
    check_report(&scratch("stories.json", &stories), &model, &["--sae", &sae]);
    for (rule, amount) in [
        ("topk", Some(["--k", "3"])),
        ("global-topk", Some(["--k", "7"])),
        ("global-topk", None),
        ("top-share", Some(["--share", "0.05"])),
        ("topscore", Some(["--share", "0.5"])),
        ("topscore", None),
    ] {
        let args = ["mui", "--model", &model, "--prompts", "20", "--seed", "2", "--threshold", rule];
        let amount = amount.iter().flatten().copied();
        let args: Vec<&str> = args.into_iter().chain(amount).chain(["--json"]).collect();
        check_report(&scratch("questions.json", &run(&args).unwrap()), &model, &[]);
    }
    for other in ["gemma2", "llama3", "pythia", "qwen2"].map(golden) {
        let questions = run(&["mui", "--model", &other, "--prompts", "20", "--json"]).unwrap();
        check_report(&scratch("questions.json", &questions), &other, &[]);
    }
    // It can find something, and says what it needs.
    let mut other = json(&stories);
    other["autoencoder"]["of_bound"] = 0.5.into();
    let other = scratch("stories-other.json", &other.to_string());
    for (more, status) in [(&["--sae", &*sae][..], 1), (&[], 2)] {
        let found = python().arg(CHECK).arg(&other).args(["--model", &model]).args(more).output();
        assert_eq!(found.unwrap().status.code(), Some(status), "{more:?}");
    }
    let table = run(&args).unwrap();
    assert!(table.contains("random directions") && table.contains("30 pairs"), "{table}");
    let table = run(&asked).unwrap();
    assert!(table.contains("agreement") && table.contains("by chance"), "{table}");

    // The data set's own pairs, as CSV and as a list.
    let csv = scratch(
        "pairs.csv",
        "story0,subject,story1,story2\nx,pets,\"A <subject>cat</subject>, once\",A <subject>dog</subject>\n",
    );
    let list = scratch(
        "pairs-list.json",
        r#"[{"story1": "A <subject>cat</subject>, once", "story2": "A <subject>dog</subject>", "subject": "pets"}]"#,
    );
    let [one, same] = [&csv, &list].map(|file| {
        let args = [&args[..], &["--stories", file.to_str().unwrap(), "--json"]].concat();
        json(&run(&args).unwrap())
    });
    assert_eq!(one, same);
    assert_eq!(one["pairs"][0]["name"], "pets");
    let wrong = scratch("wrong.csv", "a,b\n1,2\n");
    for (more, said) in [
        (&["--stories", wrong.to_str().unwrap()][..], "a header with story1 and story2"),
        (&["--pairs", "3"], "[settings.pairs]"),
        (&["--all"], "[settings.all]"),
    ] {
        let error = run(&[&args[..5], more].concat()).unwrap_err();
        assert!(error.contains(said), "{more:?}: {error}");
    }
    for (more, said) in [
        (&["--k", "129"][..], "1 to 128"),
        (&["--prompts", "0"], "questions = 0; allowed: 1 to 1000"),
        (&["--task", "colour"], "[settings.task]"),
        (&["--threshold", "best"], "allowed: topk, global-topk, top-share, topscore"),
        (&["--threshold", "top-share"], "share = 0.001; allowed: at least one neuron of 128, up to 1"),
        (&["--threshold", "topscore", "--share", "2"], "share = 2; allowed: above 0, up to 1"),
        (&["--threshold", "topscore", "--k", "2"], "kept = 2; allowed: no value"),
        (&["--share", "0.1"], "share = 0.1; allowed: no value"),
    ] {
        let error = run(&[&asked[..3], more].concat()).unwrap_err();
        assert!(error.contains(said), "{more:?}: {error}");
    }
}

#[test]
fn circuits_of_a_model_are_what_numpy_finds() {
    let model = golden("smollm2");
    let args = ["measure", "circuits", &model, "--prompts", "8", "--seed", "4"];
    let files: Vec<PathBuf> = [
        ("corrupted", &["--random", "2"][..]),
        ("mean", &["--random", "1", "--fractions", "0.3"]),
        ("zero", &["--random", "1", "--fractions", "0.5,1"]),
    ]
    .into_iter()
    .map(|(ablation, more)| {
        let more = [&args[..], more, &["--ablation", ablation, "--json"]].concat();
        scratch(&format!("circuits-{ablation}.json"), &run(&more).unwrap())
    })
    .collect();
    let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    check("check_model_circuits.py", &files);
    let table = run(&args).unwrap();
    for words in ["ioi: 8 prompts", "by chance 0.500", "shuffled labels", "random, mean of 3", "no verdict"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let csv = run(&[&args[..], &["--csv"]].concat()).unwrap();
    assert!(csv.starts_with("task,accuracy,by chance,"), "{csv}");
    assert!(csv.lines().count() > 30, "{csv}");
    for (more, said) in [
        (&["--prompts", "3"][..], "prompts = 3; allowed: 4 to 200"),
        (&["--random", "0"], "random = 0; allowed: 1 to 20"),
        (&["--fractions", "0.5,0.1"], "fractions = 1; allowed: all of them: rising"),
        (&["--fractions", "NaN"], "fractions = 0;"),
        (&["--ablation", "some"], "corrupted, mean, zero"),
    ] {
        let error = run(&[&args[..3], more].concat()).unwrap_err();
        assert!(error.contains(said), "{more:?}: {error}");
    }
    let error = run(&["measure", "circuits", &golden("qwen3")]).unwrap_err();
    assert!(error.contains("tokenizer"), "{error}");
}

#[test]
fn directions_and_laws_of_models_are_what_numpy_finds() {
    let [first, second, last] = ["llama3", "qwen2", "smollm2"].map(golden);
    let args = ["mui", "--model", &last, "--prompts", "30", "--before", &first];
    let two = run(&[&args[..], &["--json"]].concat()).unwrap();
    let three = run(&[&args[..], &["--before", &second, "--seed", "4", "--json"]].concat()).unwrap();
    for (name, text) in [("two.json", two), ("three.json", three)] {
        let file = scratch(name, &text);
        check("check_model_directions.py", &[file.to_str().unwrap()]);
    }
    let table = run(&[&args[..], &["--before", &second]].concat()).unwrap();
    for words in ["direction by it", "by chance", "at random, change", "over 3 models"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let csv = run(&[&args[..], &["--csv"]].concat()).unwrap();
    assert!(csv.lines().count() == 4 && csv.starts_with("from,to,task,questions"), "{csv}");
    // The same model has gone nowhere.
    let same = ["mui", "--model", &last, "--before", &last, "--json"];
    for task in json(&run(&same).unwrap())["directions"]["steps"][0]["tasks"].as_array().unwrap() {
        assert_eq!((&task["direction"], &task["mui"]["high"]), (&"undetermined".into(), &0.0.into()));
    }
    let error = run(&["mui", "--before", &first]).unwrap_err();
    assert!(error.contains("--model"), "{error}");
}

/// Several texts at a time, on as many threads as `RAYON_NUM_THREADS` says.
#[test]
fn what_is_printed_is_the_same_on_one_thread_and_on_two() {
    let [model, sae] = ["smollm2", "smollm2-sae"].map(golden);
    let corpus = scratch("threads.txt", "One text of several.\n\nAnother one.\n\nAnd a third, 1 2 3.\n");
    // Three prompts of four tokens, as NumPy writes whole numbers.
    let prompts = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("threads-tokens.npy");
    let header = "{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), }";
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{header:<117}\n").bytes());
    bytes.extend((1..=12i64).flat_map(i64::to_le_bytes));
    fs::write(&prompts, bytes).unwrap();
    let [corpus, prompts] = [&corpus, &prompts].map(|path| path.to_str().unwrap());
    let out = scratch("threads.npy", "");
    let out = out.to_str().unwrap();
    let gathers = ["--hook", "blocks.0.hook_resid_post", "--out", out, "--force", "--json"];
    let corpus = [&["model", "own", &model, "--corpus", corpus][..], &gathers].concat();
    let rows = [&["model", "own", &model, "--tokens", prompts][..], &gathers].concat();
    for args in [
        &["mui", "--model", &model, "--prompts", "7", "--json"][..],
        &["ce-bench", "--model", &model, "--sae", &sae, "--json"],
        &["fade", "--model", &model, "--sae", &sae, "--steer", "all", "--made", "3", "--json"],
        &["model", "own", &model, "--tokens", prompts, "--json"],
        &corpus,
        &rows,
    ] {
        let [one, two] = ["1", "2"].map(|threads| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sfc-bench"));
            let found = command.args(args).env("RAYON_NUM_THREADS", threads).output().unwrap();
            assert!(found.status.success(), "{args:?}: {}", String::from_utf8_lossy(&found.stderr));
            (found.stdout, args.contains(&out).then(|| fs::read(out).unwrap()))
        });
        assert!(one == two, "{args:?}");
    }
}

/// A run that is ended goes on with the pieces that are kept, to the same bytes; of other settings or files they are refused.
#[test]
fn studies_go_on_with_the_pieces_that_are_kept() {
    let [model, before, sae] = ["smollm2", "llama3", "smollm2-sae"].map(golden);
    let folder = killed::scratch("kept-pieces");
    let corpus = folder.join("corpus.txt");
    let text = "One text of several.\n\nAnother one.\n\nAnd a third, 1 2 3.\n";
    fs::write(&corpus, text).unwrap();
    let out = folder.join("out.npy");
    let [texts, out] = [&corpus, &out].map(|path| path.to_str().unwrap());
    let of_sae = ["--model", &model, "--sae", &sae];
    let fade = [&["fade"], &of_sae[..], &["--steer", "all", "--made", "3"]].concat();
    let ce_bench = [&["ce-bench"], &of_sae[..]].concat();
    let mui = ["mui", "--model", &model, "--before", &before, "--prompts", "7"];
    let circuits = ["measure", "circuits", &model, "--prompts", "8", "--random", "1"];
    let own = ["model", "own", &model, "--corpus", texts];
    let latents = [&own[..], &["--sae", &sae, "--latents", "3"]].concat();
    let hook = "blocks.0.hook_resid_post";
    let activations = [&own[..], &["--hook", hook, "--out", out, "--force"]].concat();
    let seed: &[&str] = &["--seed", "1"];
    for (name, args, other, differs) in [
        ("fade", &fade[..], seed, "options.seed is 0 there, and 1 here"),
        ("ce-bench", &ce_bench, seed, "options.seed is 0 there, and 1 here"),
        ("mui", &mui, &["--k", "2"], "options.kept is null there, and 2 here"),
        ("circuits", &circuits, seed, "options.seed is 0 there, and 1 here"),
        ("latents", &latents, seed, "seed is 0 there, and 1 here"),
        ("activations", &activations, &[], "corpus is "),
    ] {
        let kept = folder.join(name);
        let run = |more: &[&str]| {
            let mut command = program();
            command.args(args).arg("--json").args(more);
            command
        };
        let kept_at = ["--checkpoint", kept.to_str().unwrap()];
        let resumed = |more: &[&str]| run(&[&kept_at[..], &["--resume"], more].concat());
        let whole = succeeds(&mut run(&[])).stdout;
        let file = name == "activations";
        let written = || file.then(|| fs::read(out).unwrap());
        let expected = written();
        assert!(succeeds(&mut run(&kept_at)).stdout == whole, "{name}");
        let results = kept.join("results.jsonl");
        let text = fs::read_to_string(&results).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        // Half of them, and one that was cut off.
        let half = lines.len() / 2;
        assert!(half > 0, "{name}");
        let cut = &lines[half][..lines[half].len() / 2];
        fs::write(&results, lines[..half].join("\n") + "\n" + cut).unwrap();
        let again = succeeds(&mut resumed(&[]));
        assert!(again.stdout == whole && written() == expected, "{name}: another result");
        let said = String::from_utf8(again.stderr).unwrap();
        assert!(said.contains(&format!("going on with {half} that ")), "{name}: {said}");
        let now = fs::read_to_string(&results).unwrap();
        assert_eq!(now.lines().count(), lines.len() + 1, "{name}: only the others are done again");
        if other.is_empty() {
            fs::write(&corpus, "Another corpus, of one text.").unwrap();
        }
        for (mut command, code) in [(resumed(other), "[checkpoint.differs]"), (run(&kept_at), "[checkpoint.taken]")] {
            let output = command.output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && said.contains(code), "{name}: {said}");
            assert!(code.contains("taken") || said.contains(differs), "{name}: {said}");
        }
    }
    // Nothing is kept of what has no pieces.
    let one = ["model", "own", &model, "--text", "a"];
    for args in [&["fade"][..], &["ce-bench"], &one] {
        let error = run(&[args, &["--checkpoint", out]].concat()).unwrap_err();
        assert!(error.contains("[settings.checkpoint]"), "{args:?}: {error}");
    }
    let error = run(&["mui", "--resume"]).unwrap_err();
    assert!(error.contains("--model"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}
