//! The program killed many times, and on a disk that is full.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::killed::{self, names, program, scratch, succeeds};
use crate::{seed, tried};

const FAMILIES: [&str; 12] = [
    "families",
    "--preset",
    "small",
    "--methods",
    "svd,topk,relu,random",
    "--steps",
    "60",
    "--ks",
    "1,2,3",
    "--seeds",
    "3",
    "--json",
];

#[test]
fn no_figure_is_ever_empty_or_partial() {
    let rounds = tried(200);
    let killed = killed::figures(rounds, seed());
    println!("figures: {rounds} runs, {killed} killed under way, 0 empty or partial files");
    assert!(killed > rounds / 10, "{killed}");
}

#[test]
fn what_is_gone_on_with_is_the_same_to_the_last_byte() {
    let mut killed = 0;
    let rounds = tried(8) as u32;
    for round in 0..rounds {
        let ensemble =
            ["ensemble", "--samples", "300", "--seeds", "80", if round % 2 == 0 { "--json" } else { "--csv" }];
        killed += killed::resumed("many-ensembles", &ensemble, seed() ^ round);
        killed += killed::resumed("many-families", &FAMILIES, seed() ^ (round + 100));
    }
    println!("checkpoints: {} runs, killed {killed} times, 0 other results", 2 * rounds);
}

/// A file system of a few KiB, where whoever runs this may make one.
struct Small(PathBuf);

impl Small {
    fn new(kibibytes: usize) -> Option<Self> {
        let folder = scratch("full-disk");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={kibibytes}k"), "tmpfs"]).arg(&folder);
        mount.output().is_ok_and(|output| output.status.success()).then_some(Self(folder))
    }

    /// Fills what is left, all but so many bytes.
    fn fill(&self, but: usize) {
        let filler = self.0.join("filler");
        let mut bytes = Vec::new();
        loop {
            bytes.extend([1; 4096]);
            if fs::write(&filler, &bytes).is_err() {
                break;
            }
        }
        fs::write(&filler, &bytes[..(bytes.len() - 4096).saturating_sub(but)]).unwrap();
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_takes_nothing_away() {
    let Some(disk) = Small::new(512) else {
        println!("full disk: skipped, no file system can be made here");
        return;
    };
    let (file, sae, kept) = (disk.0.join("fig.svg"), disk.0.join("sae"), disk.0.join("kept"));
    let figure = |theme: &str| {
        let mut command = program();
        command.args(["figure", "t3", "--theme", theme, "--force", "--out"]).arg(&file);
        command
    };
    let train = |seed: &str| {
        let mut command = program();
        command.args(["train", "--rows", "600", "--steps", "20", "--batch", "50", "--force", "--seed", seed]);
        command.arg("--out").arg(&sae);
        command
    };
    succeeds(&mut figure("light"));
    succeeds(&mut train("1"));
    let paths = [file.clone(), sae.join("cfg.json"), sae.join("sae_weights.safetensors"), sae.join("activations.npy")];
    let older = paths.clone().map(|path| fs::read(path).unwrap());
    let mut refused = 0;
    for but in [0, 1, 4096, 8192, 16_384, 40_000] {
        disk.fill(but);
        for mut command in [figure("dark"), train("2")] {
            let output = command.output().unwrap();
            if output.status.success() {
                // There was room for it: back to what was.
                fs::remove_file(disk.0.join("filler")).unwrap();
                succeeds(&mut figure("light"));
                succeeds(&mut train("1"));
                disk.fill(but);
                continue;
            }
            refused += 1;
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{said}");
            assert!(said.contains("cannot write ") && said.ends_with("[output.unwritten]\n"), "{said}");
            let held = paths.clone().map(|path| fs::read(path).unwrap());
            assert!(held == older, "{but} bytes left: {said}");
            assert_eq!(names(&disk.0), ["fig.svg", "filler", "sae"]);
        }
    }
    assert!(refused >= 4, "{refused}");

    // A checkpoint keeps what there was room for, and what there is room for later.
    disk.fill(60_000);
    let args = ["ensemble", "--samples", "300", "--seeds", "60", "--json"];
    let keeping = |more: &[&str]| {
        let mut command = program();
        command.args(args).args(more).arg("--checkpoint").arg(&kept);
        command
    };
    let stopped = keeping(&[]).output().unwrap();
    assert_eq!(stopped.status.code(), Some(1), "{}", String::from_utf8_lossy(&stopped.stderr));
    fs::remove_file(disk.0.join("filler")).unwrap();
    let whole = succeeds(program().args(args)).stdout;
    assert!(succeeds(&mut keeping(&["--resume"])).stdout == whole);
    println!("full disk: {refused} writes refused, 0 earlier files lost");
}
