//! Files and counts that have no bound: each is refused in words, at once, and within memory.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::killed::scratch;

fn golden(name: &str) -> String {
    format!("{}/tests/golden/evaluate/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// What a run says that is refused: within 2 GB of addresses, and before a minute is over.
#[track_caller]
fn refused(args: &[&str], input: Option<&'static [u8]>) -> String {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 2000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_sfc-bench")])
        .args(args)
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // Without an end, until nobody reads it any more.
        std::thread::spawn(move || {
            let many = input.repeat(1 << 12);
            while stdin.write_all(&many).is_ok() {}
        });
    }
    // The shell is the program by now.
    let id = child.id().to_string();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || tell.send(child.wait_with_output()));
    let Ok(output) = told.recv_timeout(Duration::from_secs(60)) else {
        let _ = Command::new("sh").args(["-c", &format!("kill -KILL {id}")]).status();
        panic!("{:?} hangs", &args[..args.len().min(6)]);
    };
    let output = output.unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(complaint.lines().count(), 1, "{args:?}: {complaint}");
    complaint
}

/// What is no file of sensible size, each under every ending.
struct Odd {
    folder: PathBuf,
}

impl Odd {
    fn new(name: &str) -> Self {
        Self { folder: scratch(name) }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    fn pipe(&self, name: &str) -> String {
        assert!(Command::new("mkfifo").arg(self.folder.join(name)).status().unwrap().success());
        self.path(name)
    }

    fn device(&self, name: &str) -> String {
        symlink("/dev/zero", self.folder.join(name)).unwrap();
        self.path(name)
    }

    fn folder(&self, name: &str) -> String {
        fs::create_dir(self.folder.join(name)).unwrap();
        self.path(name)
    }

    fn dangling(&self, name: &str) -> String {
        symlink("nowhere", self.folder.join(name)).unwrap();
        self.path(name)
    }

    /// 3 GiB of nothing, which take no room.
    fn sparse(&self, name: &str) -> String {
        File::create(self.folder.join(name)).unwrap().set_len(3 << 30).unwrap();
        self.path(name)
    }

    fn all(&self, ending: &str) -> Vec<String> {
        vec![
            self.pipe(&format!("pipe{ending}")),
            self.device(&format!("device{ending}")),
            self.folder(&format!("folder{ending}")),
            self.dangling(&format!("dangling{ending}")),
            self.sparse(&format!("sparse{ending}")),
        ]
    }
}

impl Drop for Odd {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn points_and_parts_are_read_from_regular_files_of_some_size() {
    let odd = Odd::new("odd-points");
    for path in odd.all(".csv") {
        for command in ["hypervolume", "merge"] {
            let line = refused(&[command, &path], None);
            assert!(line.contains(&path), "{line}");
        }
    }
    for path in ["/dev/zero", "/dev/stdin"] {
        let line = refused(&["hypervolume", path], Some(b"1,2,3\n"));
        assert!(line.contains("it is a pipe or a device; allowed: a regular file"), "{line}");
    }
    let line = refused(&["hypervolume", "-"], Some(b"\0"));
    assert!(line.contains("a line of more than 1048576 bytes"), "{line}");
    let line = refused(&["hypervolume", "-"], Some(b"1,2,3\n"));
    assert!(line.contains("line 1000001: more points than 1000000"), "{line}");
    for endless in [&b"["[..], b"\0", b"\""] {
        assert!(refused(&["merge", "-"], Some(endless)).contains("- is not what"));
    }
}

#[test]
fn seeds_that_lie_far_apart_are_not_judged_together() {
    let odd = Odd::new("odd-seeds");
    let job = |seed: u32| {
        format!(
            "{{\"job\": \"scores-{seed}\", \"rows\": [{{\"world\": \"scores\", \"seed\": {seed}, \"subject\": \
             {{\"group\": \"reference\", \"name\": \"x\", \"level\": 0.0}}, \"truth\": 1.0, \"size\": null, \
             \"width\": null, \"values\": []}}]}}"
        )
    };
    let path = odd.path("two-rows.json");
    let write = |seeds: [u32; 2]| {
        let [first, last] = seeds.map(job);
        fs::write(&path, format!("{{\"settings\": {{}}, \"jobs\": [{first}, {last}]}}")).unwrap();
    };
    for last in [4_000_000_000, u32::MAX, 10_000] {
        write([0, last]);
        let line = refused(&["audit", "--from", &path], None);
        assert!(line.contains(&format!("from 0 to {last}; allowed: 10000 at most")), "{line}");
        assert!(line.ends_with("[audit.seeds]\n"), "{line}");
    }
    write([0, 1]);
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args(["audit", "--from", &path]).output();
    assert!(output.unwrap().status.success());
}

#[test]
fn arrays_are_read_from_regular_files_alone() {
    let odd = Odd::new("odd-arrays");
    let (acts, dictionary) = (golden("acts_f32.npy"), golden("dictionary_few.npy"));
    for ending in [".npy", ".npz", ".csv", ".safetensors"] {
        for path in odd.all(ending) {
            let of = |line: String| assert!(line.contains(&path), "{line}");
            of(refused(&["evaluate", "--activations", &path, "--dictionary", &dictionary], None));
            of(refused(&["evaluate", "--activations", &acts, "--dictionary", &path], None));
            let both = ["evaluate", "--activations", &acts, "--dictionary", &dictionary];
            of(refused(&[&both[..], &["--codes", &path]].concat(), None));
            of(refused(&[&both[..], &["--readout", &path]].concat(), None));
            let readout = golden("readout.npy");
            let bias = ["--readout", readout.as_str(), "--readout-bias", &path];
            of(refused(&[&both[..], &bias].concat(), None));
            of(refused(&["train", "--activations", &path], None));
            of(refused(&["families", "--activations", &path], None));
        }
    }
}

#[test]
fn folders_of_an_autoencoder_hold_regular_files_of_some_size() {
    let odd = Odd::new("odd-folders");
    let acts = golden("acts_f32.npy");
    let evaluate = |sae: &str| refused(&["evaluate", "--activations", &acts, "--sae", sae], None);
    for path in odd.all(".zip") {
        assert!(evaluate(&path).contains(&path));
    }
    type Make = fn(&Odd, &str) -> String;
    let kinds: [(&str, Make); 5] =
        [("a", Odd::pipe), ("b", Odd::device), ("c", Odd::folder), ("d", Odd::dangling), ("e", Odd::sparse)];
    for (name, make) in kinds {
        for (odd_one, other) in [("cfg.json", "sae_weights.safetensors"), ("sae_weights.safetensors", "cfg.json")] {
            let sae = format!("{name}-{odd_one}");
            odd.folder(&sae);
            let path = make(&odd, &format!("{sae}/{odd_one}"));
            let from = golden(&format!("sae_topk/{other}"));
            fs::copy(from, odd.path(&format!("{sae}/{other}"))).unwrap();
            let line = evaluate(&odd.path(&sae));
            assert!(line.contains(&path), "{line}");
            if (name, odd_one) == ("e", "cfg.json") {
                assert!(line.contains("takes 3221225472 bytes; allowed: 1048576"), "{line}");
            }
        }
    }
}

#[test]
fn what_may_not_be_read_is_said() {
    let odd = Odd::new("odd-denied");
    let path = odd.path("denied.csv");
    fs::write(&path, "1,2,3\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if File::open(&path).is_ok() {
        eprintln!("skipped: who runs this may read everything");
        return;
    }
    for command in ["hypervolume", "merge"] {
        assert!(refused(&[command, &path], None).contains("Permission denied"));
    }
    let dictionary = golden("dictionary_few.npy");
    let args = ["evaluate", "--activations", &path, "--dictionary", &dictionary];
    assert!(refused(&args, None).contains("Permission denied"));
}

#[test]
fn a_checkpoint_is_read_from_regular_files_of_some_size() {
    let odd = Odd::new("odd-checkpoint");
    let ensemble = ["ensemble", "--samples", "300", "--seeds", "3", "--checkpoint"];
    let run = |folder: &str| refused(&[&ensemble[..], &[folder, "--resume"]].concat(), None);
    let whole = odd.path("whole");
    let program = env!("CARGO_BIN_EXE_sfc-bench");
    let made = Command::new(program).args(ensemble).arg(&whole).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    type Make = fn(&Odd, &str) -> String;
    let kinds: [(&str, Make); 4] = [("a", Odd::pipe), ("b", Odd::device), ("c", Odd::folder), ("d", Odd::sparse)];
    for (name, make) in kinds {
        odd.folder(name);
        make(&odd, &format!("{name}/settings.json"));
        assert!(run(&odd.path(name)).contains("[checkpoint."));
        assert!(Path::new(&odd.path(&format!("{name}/settings.json"))).exists());
        // Without settings it is no run, whatever it is.
        let results = format!("{name}-results");
        odd.folder(&results);
        make(&odd, &format!("{results}/results.jsonl"));
        // A device is a link here, which is not followed.
        let code = |code: &'static str| if name == "b" { "[checkpoint.link]" } else { code };
        assert!(run(&odd.path(&results)).contains(code("[checkpoint.others]")));
        // Of nothing but zeros nothing is believed.
        if name != "d" {
            let settings = odd.path(&format!("{results}/settings.json"));
            assert!(!Path::new(&settings).exists());
            fs::copy(format!("{whole}/settings.json"), settings).unwrap();
            assert!(run(&odd.path(&results)).contains(code("[checkpoint.unreadable]")));
        }
    }
}

#[test]
fn counts_without_a_bound_are_refused_before_anything_is_made() {
    const MOST: &str = "18446744073709551615";
    let cases: &[(&[&str], &str)] = &[
        (&["families", "--seeds", "500000000"], "seeds is 500000000; allowed: a whole number from 1 to"),
        (&["families", "--seeds", "4294967295"], "seeds is 4294967295"),
        (&["families", "--seeds", "0"], "seeds is []"),
        (&["families", "--seeds", "10000"], "jobs"),
        (&["families", "--study", "small,seeds:0-499999999"], "seeds"),
        (&["families", "--study", "small,seeds:0-4294967295"], "seeds"),
        (&["families", "--steps", "4294967295"], "steps is 4294967295"),
        (&["families", "--latents", MOST], "latents is"),
        (&["families", "--ks", MOST], "ks is"),
        (&["families", "--features", MOST], "features is"),
        (&["families", "--dimensions", MOST], "dimensions is"),
        (&["families", "--children", MOST], "children is"),
        (&["train", "--rows", MOST], "samples is"),
        (&["train", "--rows", "100000000000"], "samples is"),
        (&["train", "--latents", MOST], "latents is"),
        (&["train", "--latents", "4000000000"], "latents is"),
        (&["train", "--k", MOST], "k is"),
        (&["train", "--batch", MOST], "batch is"),
        (&["train", "--steps", "4294967295"], "steps is"),
        (&["train", "--features", MOST], "features is"),
        (&["train", "--dimensions", MOST], "dimensions is"),
        (&["ensemble", "--seeds", "4294967295"], "4294967295 seeds are asked for; allowed: 1 to"),
        (&["ensemble", "--seed-range", "0..4294967296"], "4294967296 seeds are asked for"),
        (&["ensemble", "--seeds", "0"], "seeds is 0"),
        (&["curve", "--samples", "1e300"], "samples is"),
        (&["curve", "--samples", "4000000000"], "samples is"),
        (&["curve", "--k", "1e18"], "k is"),
        (&["figure", "1a", "--width", "1e9"], "width is"),
    ];
    for (args, wanted) in cases {
        let line = refused(args, None);
        assert!(line.contains(wanted), "{args:?}: {line}");
    }
    let levels = vec!["0.5"; 20_000].join(",");
    assert!(refused(&["curve", "--levels", &levels], None).contains("levels"));
    let ks: Vec<String> = (1..=2_000).map(|k| k.to_string()).collect();
    assert!(refused(&["families", "--ks", &ks.join(",")], None).contains("ks is"));
}
