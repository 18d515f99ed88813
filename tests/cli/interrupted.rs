//! What is kept of a run that is interrupted, and what it writes: all of it, or nothing. The long loops of
//! this are in the stage of faults.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::killed::{self, names, program, scratch, signal, succeeds};

const ENSEMBLE: [&str; 5] = ["ensemble", "--samples", "300", "--seeds", "60"];
const FAMILIES: [&str; 11] =
    ["families", "--preset", "small", "--methods", "svd,topk,relu", "--steps", "20", "--ks", "1,3", "--seeds", "2"];

#[track_caller]
fn refusal(command: &mut Command, code: i32) -> String {
    let output = command.output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{complaint}");
    assert!(output.stdout.is_empty());
    complaint
}

/// What a run says and prints that is interrupted once it is under way.
fn interrupted(args: &[&str]) -> Output {
    for wait in [500, 2_000, 8_000] {
        let child = program().args(args).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        signal(&child, if wait == 500 { "INT" } else { "TERM" });
        let output = child.wait_with_output().unwrap();
        let begun = !output.stdout.is_empty() || args.contains(&"--csv");
        // On a slow machine it had not begun to listen, or to do anything.
        if output.status.code() == Some(130) && begun {
            return output;
        }
    }
    panic!("{args:?} is not stopped by a signal");
}

fn said(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn a_figure_is_whole_whenever_its_run_is_killed() {
    killed::figures(12, 1);
}

#[test]
fn an_ensemble_that_is_killed_is_gone_on_with() {
    let args = [&ENSEMBLE[..], &["--json"]].concat();
    killed::resumed("ensemble", &args, 2);
}

#[test]
fn families_that_are_killed_are_gone_on_with() {
    let args = [&FAMILIES[..], &["--json"]].concat();
    killed::resumed("families", &args, 3);
}

#[test]
fn a_study_of_a_language_model_that_is_killed_is_gone_on_with() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/models/smollm2");
    let circuits = ["measure", "circuits", model, "--prompts", "40", "--json"];
    killed::resumed("circuits", &circuits, 4);
}

#[test]
fn an_interrupted_study_of_a_language_model_says_where_it_is_kept() {
    let folder = scratch("interrupted-circuits");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/models/smollm2");
    let kept = folder.join("kept");
    let circuits = ["measure", "circuits", model, "--prompts", "200", "--random", "20", "--csv"];
    let args = [&circuits[..], &["--checkpoint", kept.to_str().unwrap()]].concat();
    let mut child = program().args(&args).spawn().unwrap();
    // The first piece is kept long before the last one is done, however slow the machine.
    let results = kept.join("results.jsonl");
    while fs::metadata(&results).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it kept a piece");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains(" pieces are done; they are kept in "), "{}", said(&output));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_interrupted_ensemble_prints_what_is_done_and_says_so() {
    let args = ["ensemble", "--samples", "300", "--seeds", "100000"];
    let output = interrupted(&[&args[..], &["--json"]].concat());
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let members = found["members"].as_array().unwrap();
    assert_eq!(found["partial"]["of"], 100_000);
    assert_eq!(found["partial"]["done"], members.len());
    let done = format!("interrupted: {} of 100000 seeds are done; with --checkpoint", members.len());
    assert!(said(&output).contains(&done), "{}", said(&output));
    // It is what an ensemble of these seeds is, and can be merged.
    let folder = scratch("interrupted-ensemble");
    let part = folder.join("part.json");
    fs::write(&part, &output.stdout).unwrap();
    let merged = succeeds(program().args(["merge", "--json"]).arg(&part)).stdout;
    let merged: Value = serde_json::from_slice(&merged).unwrap();
    assert_eq!(merged["members"], found["members"]);
    assert_eq!(merged["summary"], found["summary"]);
    let output = interrupted(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("Partial: ") && text.contains(" of 100000 seeds are done\n"), "{text}");
    // Columns have no place for that word.
    let output = interrupted(&[&args[..], &["--csv"]].concat());
    assert!(output.stdout.is_empty() && said(&output).contains("interrupted: "));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn interrupted_families_print_the_finished_methods_and_say_so() {
    let output = interrupted(&["families", "--preset", "full", "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["partial"]["of"], 288);
    assert_eq!(found["provisional"]["of"], 288);
    assert_eq!(found["provisional"]["members"], found["partial"]["done"]);
    assert!(said(&output).contains(" of 288 members are done; with --checkpoint"), "{}", said(&output));
}

#[test]
fn a_run_goes_on_with_what_is_whole_of_its_own_settings_alone() {
    let folder = scratch("resumed");
    let kept = folder.join("kept");
    let run = |args: &[&str]| {
        let mut command = program();
        command.args(ENSEMBLE).args(args).arg("--checkpoint").arg(&kept);
        command
    };
    let whole = succeeds(&mut run(&["--json"])).stdout;
    assert_eq!(names(&kept), ["results.jsonl", "settings.json"]);
    assert!(refusal(&mut run(&["--json"]), 2).ends_with("[checkpoint.taken]\n"));
    let differs = |args: &[&str], field: &str| {
        let line = refusal(&mut run(&[args, &["--resume"]].concat()), 2);
        assert!(line.contains(&format!("other settings: {field} is ")), "{line}");
        assert!(line.ends_with("[checkpoint.differs]\n"), "{line}");
    };
    differs(&["--k", "20"], "config.k");
    differs(&["--weights", "1,2,3"], "config.weights");
    differs(&["--vary-data"], "config.data_seed");
    let mut other = program();
    other.args(FAMILIES).arg("--resume").arg("--checkpoint").arg(&kept);
    assert!(refusal(&mut other, 2).contains("command is \"ensemble\" there, and \"families\" here"));
    let settings = fs::read_to_string(kept.join("settings.json")).unwrap();
    for (from, to, field) in [
        ("\"format\": 1", "\"format\": 2", "format is 2"),
        ("\"version\": \"0.", "\"version\": \"7.", "version is \"7."),
        ("\"format\": 1,", "", "format is null"),
    ] {
        fs::write(kept.join("settings.json"), settings.replace(from, to)).unwrap();
        let line = refusal(&mut run(&["--resume"]), 2);
        assert!(line.contains(field), "{line}");
    }
    for broken in ["", "{", "[]", "3"] {
        fs::write(kept.join("settings.json"), broken).unwrap();
        let line = refusal(&mut run(&["--resume"]), 2);
        assert!(line.contains("checkpoint."), "{broken}: {line}");
    }
    fs::write(kept.join("settings.json"), settings).unwrap();

    // Lines that are cut off, changed, doubled, of other seeds, and nothing of the kind.
    let path = kept.join("results.jsonl");
    let results = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = results.lines().collect();
    assert_eq!(lines.len(), 60);
    let changed = lines[3].replacen("\"hypervolume\":0.", "\"hypervolume\":1.", 1);
    assert_ne!(changed, lines[3]);
    let all = lines.join("\n");
    let cut = &results[..results.len() - 30];
    for (what, text, damaged) in [
        ("cut off", cut.to_owned(), 1),
        ("changed", all.replace(lines[3], &changed) + "\n", 1),
        ("doubled", format!("{all}\n{}\n", lines[5]), 0),
        ("of no seed", all.replace("\"seed\":7,", "\"seed\":700,") + "\n", 1),
        ("nonsense", format!("{{}}\n\n\0\u{fffd}\n[1]\n{all}\n"), 3),
        ("nothing", String::new(), 0),
        ("a half", lines[..30].join("\n") + "\n", 0),
    ] {
        fs::write(&path, text).unwrap();
        let output = succeeds(&mut run(&["--resume", "--json"]));
        assert!(output.stdout == whole, "{what}");
        let told = said(&output);
        assert_eq!(told.contains(&format!("{damaged} in number")), damaged > 0, "{what}: {told}");
        // What was done again is kept too.
        assert!(succeeds(&mut run(&["--resume", "--json"])).stdout == whole, "{what}");
    }
    // One run at a time.
    let held = File::open(&path).unwrap();
    held.try_lock().unwrap();
    assert!(refusal(&mut run(&["--resume"]), 2).ends_with("[checkpoint.busy]\n"));
    drop(held);
    // A folder of something else.
    fs::remove_file(kept.join("settings.json")).unwrap();
    fs::write(kept.join("thesis.tex"), "mine").unwrap();
    assert!(refusal(&mut run(&["--resume"]), 2).ends_with("[checkpoint.others]\n"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_interrupted_training_is_kept_beside_the_older_one() {
    let folder = scratch("interrupted-train");
    let sae = folder.join("sae");
    let small = ["train", "--rows", "600", "--steps", "20", "--batch", "50", "--out"];
    succeeds(program().args(small).arg(&sae));
    let older = fs::read(sae.join("sae_weights.safetensors")).unwrap();
    let place = sae.to_str().unwrap();
    let output = interrupted(&["train", "--steps", "900000", "--out", place, "--force"]);
    assert_eq!(fs::read(sae.join("sae_weights.safetensors")).unwrap(), older);
    let all = names(&folder);
    let [_, unfinished] = all.as_slice() else { panic!("{all:?}") };
    let step: u32 = unfinished.strip_prefix("sae.step-").unwrap().parse().unwrap();
    assert!(said(&output).contains(&format!("interrupted: {step} of 900000 steps are done")));
    assert!(said(&output).contains(unfinished.as_str()), "{}", said(&output));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.starts_with(&format!("Partial: {step} of 900000 steps are done\n")), "{text}");
    let partial = folder.join(unfinished);
    let scored = succeeds(
        program()
            .args(["evaluate", "--json", "--activations"])
            .arg(partial.join("activations.npy"))
            .arg("--sae")
            .arg(&partial),
    );
    assert!(!scored.stdout.is_empty());
    fs::remove_dir_all(&folder).unwrap();
}

fn figure(out: &Path) -> Command {
    let mut command = program();
    command.args(["figure", "t3", "--out"]).arg(out);
    command
}

#[test]
fn a_figure_is_written_over_figures_and_over_nothing_else() {
    let folder = scratch("written-over");
    for ending in ["svg", "csv", "json", "tex", "md"] {
        let file = folder.join(format!("fig.{ending}"));
        succeeds(&mut figure(&file));
        let first = fs::read(&file).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        // Other settings, other numbers.
        succeeds(figure(&file).args(["--samples", "400", "--width", "400", "--weights", "1,2,3"]));
        assert_ne!(fs::read(&file).unwrap(), first, "{ending}");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        for mine in ["\\documentclass{book}\n", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n", "x,y\n1,2\n"] {
            fs::write(&file, mine).unwrap();
            let line = refusal(&mut figure(&file), 2);
            assert!(line.contains("which holds something else") && line.contains("--force"), "{line}");
            assert_eq!(fs::read_to_string(&file).unwrap(), mine);
        }
        succeeds(figure(&file).arg("--force"));
        assert_eq!(fs::read(&file).unwrap(), first, "{ending}");
        fs::write(&file, "").unwrap();
        succeeds(&mut figure(&file));
        assert_eq!(fs::read(&file).unwrap(), first, "{ending}");
    }
    assert_eq!(names(&folder).len(), 5, "nothing is left beside them");
    // By a link it is what the link leads to.
    let (link, file) = (folder.join("link.svg"), folder.join("fig.svg"));
    symlink("fig.svg", &link).unwrap();
    succeeds(figure(&link).args(["--theme", "dark"]));
    assert!(link.is_symlink() && !file.is_symlink());
    assert_eq!(fs::read(&link).unwrap(), fs::read(&file).unwrap());
    symlink("nowhere", folder.join("lost.svg")).unwrap();
    assert!(refusal(&mut figure(&folder.join("lost.svg")), 1).contains("link to what is not there"));
    fs::create_dir(folder.join("folder.svg")).unwrap();
    assert!(refusal(&mut figure(&folder.join("folder.svg")), 1).ends_with("[output.unwritten]\n"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_somebody_else_wrote_or_changed_is_written_over_with_force_alone() {
    let folder = scratch("somebody-elses");
    // They begin as figures do.
    let json = "{\n  \"figure\": {\"data\": [1,2,3]}, \"mine\": true\n}\n";
    for (name, mine) in [("mine.csv", "K,loss,note\n48,0.1,mine\n"), ("mine.json", json)] {
        let file = folder.join(name);
        fs::write(&file, mine).unwrap();
        let line = refusal(program().args(["figure", "t6", "--out"]).arg(&file), 2);
        assert!(line.contains("which holds something else"), "{line}");
        assert_eq!(fs::read_to_string(&file).unwrap(), mine);
    }
    // A figure, changed by hand; and one that was copied.
    let file = folder.join("figure.svg");
    succeeds(&mut figure(&file));
    let copy = folder.join("copy.svg");
    fs::write(&copy, fs::read(&file).unwrap()).unwrap();
    File::options().append(true).open(&file).unwrap().write_all(b"<!-- my note -->\n").unwrap();
    for mine in [file, copy] {
        let held = fs::read(&mine).unwrap();
        assert!(refusal(&mut figure(&mine), 2).contains("--force"));
        assert_eq!(fs::read(&mine).unwrap(), held);
    }
    // Other commands that write a file; before they compute.
    let weights = folder.join("mine.safetensors");
    fs::write(&weights, "mine").unwrap();
    for args in [["mui", "train", "--out"], ["audit", "--seeds=100", "--pack"]] {
        let line = refusal(program().args(args).arg(&weights), 2);
        assert!(line.contains("which holds something else"), "{line}");
        assert_eq!(fs::read_to_string(&weights).unwrap(), "mine");
    }
    // Beside a figure's file only remnants of this program are removed.
    let notes = folder.join(".new.svg.sfc-bench-notes-of-mine");
    fs::write(&notes, "mine").unwrap();
    succeeds(&mut figure(&folder.join("new.svg")));
    assert!(notes.exists());
    fs::remove_dir_all(&folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn files_among_devices_are_files() {
    let folder = Path::new("/dev/shm").join(format!("sfc-bench-{}", std::process::id()));
    if fs::create_dir(&folder).is_err() {
        println!("files among devices: skipped, there is no /dev/shm to write to");
        return;
    }
    let (notes, new) = (folder.join("notes.svg"), folder.join("new.svg"));
    let mine = "MY NOTES\n".repeat(3_000);
    fs::write(&notes, &mine).unwrap();
    assert!(refusal(&mut figure(&notes), 2).contains("which holds something else"));
    assert!(fs::read_to_string(&notes).unwrap() == mine);
    succeeds(figure(&notes).arg("--force"));
    succeeds(&mut figure(&new));
    assert!(fs::read(&notes).unwrap() == fs::read(&new).unwrap());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_no_file_is_written_straight_through() {
    let folder = scratch("straight-through");
    let (null, out, pipe) = (folder.join("null.svg"), folder.join("out.svg"), folder.join("pipe.svg"));
    symlink("/dev/null", &null).unwrap();
    succeeds(&mut figure(&null));
    assert!(null.is_symlink() && !fs::metadata("/dev/null").unwrap().is_file());
    // What a shell opened, by a name with an ending.
    symlink("/dev/stdout", &out).unwrap();
    let shown = succeeds(&mut figure(&out)).stdout;
    assert!(shown.starts_with(b"<svg ") && out.is_symlink());
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || {
            let mut text = String::new();
            File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
            text
        })
    };
    succeeds(&mut figure(&pipe));
    assert!(reader.join().unwrap().ends_with("</svg>\n"));
    fs::remove_dir_all(&folder).unwrap();
}

/// The command, allowed files of 1 KiB at most: as on a full disk, what is longer cannot be written.
fn cramped(args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    let script = "ulimit -f 2; trap '' XFSZ; exec \"$@\"";
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_sfc-bench")]).args(args);
    command.stdin(Stdio::null());
    command
}

#[test]
fn what_cannot_be_written_leaves_what_was_there() {
    let folder = scratch("cramped");
    let (file, sae, kept) = (folder.join("fig.svg"), folder.join("sae"), folder.join("kept"));
    let [at, to, keep] = [&file, &sae, &kept].map(|path| path.to_str().unwrap());
    succeeds(&mut figure(&file));
    let train = ["train", "--rows", "600", "--steps", "20", "--batch", "50", "--out", to];
    succeeds(program().args(train));
    let older =
        [&file, &sae.join("cfg.json"), &sae.join("sae_weights.safetensors")].map(|path| fs::read(path).unwrap());
    let mut again = vec!["figure", "t3", "--theme", "dark", "--out", at];
    let line = refusal(&mut cramped(&again), 1);
    assert!(line.starts_with(&format!("sfc-bench: cannot write {at}: ")), "{line}");
    again = [&train[..], &["--force", "--seed", "9"]].concat();
    assert!(refusal(&mut cramped(&again), 1).contains("cannot write "));
    let held = [&file, &sae.join("cfg.json"), &sae.join("sae_weights.safetensors")].map(|path| fs::read(path).unwrap());
    assert!(held == older);
    assert_eq!(names(&folder), ["fig.svg", "sae"]);

    // A checkpoint keeps what it could write.
    let args = [&ENSEMBLE[..], &["--json", "--checkpoint", keep]].concat();
    let line = refusal(&mut cramped(&args), 1);
    assert!(line.contains("cannot write ") && line.contains("results.jsonl"), "{line}");
    let whole = succeeds(program().args(ENSEMBLE).arg("--json")).stdout;
    assert!(succeeds(program().args(&args).arg("--resume")).stdout == whole);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_is_another_one_at_once_and_what_else_it_holds_stays() {
    let folder = scratch("folders");
    let sae = folder.join("deep/er/sae");
    let train = |out: &Path, more: &[&str]| {
        let mut command = program();
        command.args(["train", "--rows", "600", "--steps", "20", "--batch", "50", "--out"]);
        command.arg(out).args(more);
        command
    };
    let weights = |of: &Path| fs::read(of.join("sae_weights.safetensors")).unwrap();
    succeeds(&mut train(&sae, &[]));
    let first = weights(&sae);
    // Its files are nobody's to write over unasked, the activations neither.
    for name in ["cfg.json", "sae_weights.safetensors", "activations.npy"] {
        let other = folder.join(format!("only-{name}"));
        fs::create_dir(&other).unwrap();
        fs::write(other.join(name), "mine").unwrap();
        let line = refusal(&mut train(&other, &[]), 2);
        assert!(line.contains(&format!("which holds a {name}")), "{line}");
        assert_eq!(fs::read_to_string(other.join(name)).unwrap(), "mine");
    }
    let link = folder.join("link");
    symlink(&sae, &link).unwrap();
    succeeds(&mut train(&link, &["--force", "--seed", "1"]));
    assert!(link.is_symlink());
    let second = weights(&sae);
    assert_ne!(first, second);
    // With a file of somebody's, or as the folder one stands in, its files are.
    fs::write(sae.join("notes.txt"), "mine").unwrap();
    succeeds(&mut train(&sae, &["--force", "--seed", "2"]));
    let third = weights(&sae);
    assert_ne!(second, third);
    succeeds(train(Path::new("."), &["--force", "--seed", "1"]).current_dir(&sae));
    assert_eq!(weights(&sae), second);
    assert_eq!(fs::read_to_string(sae.join("notes.txt")).unwrap(), "mine");
    assert_eq!(
        names(&sae),
        ["activations.npy", "cfg.json", "notes.txt", "readout.npy", "readout_bias.npy", "sae_weights.safetensors"]
    );
    assert_eq!(names(&folder.join("deep/er")), ["sae"]);
    let mut own = File::create(folder.join("file")).unwrap();
    own.write_all(b"mine").unwrap();
    assert!(refusal(&mut train(&folder.join("file"), &["--force"]), 1).contains("cannot write"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn another_build_does_not_go_on_with_a_run() {
    let folder = scratch("another-build");
    let kept = folder.join("kept");
    let run = || {
        let mut command = program();
        command.args(ENSEMBLE).arg("--checkpoint").arg(&kept).arg("--resume");
        command
    };
    succeeds(&mut run());
    let file = kept.join("settings.json");
    let mut settings: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert!(settings["build"].as_str().unwrap().contains('-'));
    settings["build"] = "1-00000000".into();
    fs::write(&file, settings.to_string()).unwrap();
    let line = refusal(&mut run(), 2);
    assert!(line.contains("build is \"1-00000000\" there"), "{line}");
    assert!(line.ends_with("[checkpoint.differs]\n"), "{line}");
    // What somebody chose is said first.
    let line = refusal(run().args(["--noise", "0.25"]), 2);
    assert!(line.contains("config.noise is "), "{line}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn links_in_a_checkpoint_are_not_followed() {
    let folder = scratch("linked-checkpoint");
    let (kept, mine) = (folder.join("kept"), folder.join("mine"));
    let mut run = program();
    run.args(ENSEMBLE).arg("--checkpoint").arg(&kept).arg("--resume");
    succeeds(&mut run);
    for name in ["results.jsonl", "settings.json"] {
        let file = kept.join(name);
        fs::rename(&file, &mine).unwrap();
        let held = fs::read(&mine).unwrap();
        symlink(&mine, &file).unwrap();
        let line = refusal(&mut run, 2);
        assert!(line.contains(name) && line.ends_with("[checkpoint.link]\n"), "{line}");
        assert!(fs::read(&mine).unwrap() == held);
        fs::remove_file(&file).unwrap();
        // Nor is what does not exist made.
        symlink(folder.join("new"), &file).unwrap();
        assert!(refusal(&mut run, 2).ends_with("[checkpoint.link]\n"));
        assert!(!folder.join("new").exists());
        fs::remove_file(&file).unwrap();
        fs::rename(&mine, &file).unwrap();
    }
    fs::remove_dir_all(&folder).unwrap();
}
