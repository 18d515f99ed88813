//! A study of families as text: every one comes back from its own, and any text gives a valid study
//! and says what was changed.

use serde_json::{Value, json};
use sfc_bench::lab::families::query::{self, ParsedQuery};
use sfc_bench::lab::families::{FamiliesConfig, JOBS_MAX, Method, Reading};
use sfc_bench::link::{STUDY_LENGTH_MAX, Study};
use sfc_bench::synthetic::UserActivations;
use sfc_bench::synthetic::{Network, Nonlinear, Superposition, World};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::dice::Dice;

/// Cases of each property; in a browser fewer, as the code is the same.
const CASES: usize = if cfg!(target_arch = "wasm32") { 500 } else { 5_000 };

impl Dice {
    /// Distinct values.
    fn list<T: PartialEq>(&mut self, most: usize, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut out = Vec::new();
        for _ in 0..=self.below(most) {
            let value = one(self);
            if !out.contains(&value) {
                out.push(value);
            }
        }
        out
    }

    fn world(&mut self) -> World {
        let network = Network { seed: self.seed(), ..Network::default() };
        let features = self.whole(1, 1024);
        match self.below(5) {
            4 => {
                let digest = self.often(2).then(|| format!("{:064x}", self.seed()));
                let rows = self.whole(200_000, 4_294_967_295) as u64;
                let outputs = self.often(2).then(|| self.whole(1, 9));
                let (dimensions, seed) = (self.whole(1, 160), self.seed());
                let with = digest.clone().filter(|_| outputs.is_some());
                World::Own(UserActivations { rows, dimensions, outputs, sha256: digest, with, seed })
            }
            0 => World::Paper(network),
            1 => World::Nonlinear(Nonlinear { network, interaction: self.real(0.0, 1.0) }),
            2 => World::default(),
            _ => World::Superposition(Superposition {
                features,
                dimensions: self.whole(1, 1024),
                correlation: self.real(0.0, 1.0),
                children: self.whole(0, features / 2),
                seed: self.seed(),
                ..Superposition::default()
            }),
        }
    }

    /// Anything that a text can say.
    fn config(&mut self) -> FamiliesConfig {
        let preset = self.of(&FamiliesConfig::PRESETS);
        let mut config = FamiliesConfig::preset(preset).unwrap();
        config.world = self.world();
        config.completeness = self.of(&Reading::ALL);
        if self.often(2) {
            config.methods = self.list(12, |dice| dice.of(&Method::ALL));
        }
        if config.available_methods().is_empty() {
            config.methods.push(Method::Svd);
        }
        if self.often(2) {
            config.train_rows = self.whole(2, 100_000);
            config.eval_rows = self.whole(2, 100_000);
        }
        config.train.batch = config.train.batch.min(config.train_rows);
        if self.often(2) {
            config.train.latents = self.whole(8, 4096);
            config.train.steps = self.whole(1, 10_000_000) as u32;
            config.train.batch = self.whole(1, config.train_rows.min(4096));
            config.train.rate = self.real(1e-7, 1.0);
        }
        if self.often(2) {
            let latents = config.train.latents;
            config.ks = self.list(6, |dice| dice.whole(1, latents));
        }
        for knobs in [&mut config.relu, &mut config.gated, &mut config.jumprelu] {
            if self.often(3) {
                *knobs = self.list(3, |dice| dice.real(0.0, 1e3));
            }
        }
        let most = self.whole(1, 90) as u32;
        config.seeds = match self.below(4) {
            0 => (0..most).collect(),
            1 => self.list(6, Self::seed),
            // Ascending runs with gaps, and some from their ends.
            2 => (0..most).filter(|seed| seed % 7 > 1).take(12).chain(500..500 + most).collect(),
            _ => config.seeds,
        };
        config
    }

    /// Something that somebody may have made of a text.
    fn hostile_study(&mut self) -> String {
        let text = match self.below(3) {
            0 => String::new(),
            1 => query::to_query(&self.config()).unwrap_or_default(),
            _ => self.assembled_study(),
        };
        let scraps = [
            ",",
            ":",
            "_",
            "-",
            ".",
            "e",
            "0",
            "9",
            "nan",
            "inf",
            "1e999",
            "-1e-999",
            ",ks:",
            "é",
            "🦀",
            "\0",
            "<script>",
            "%2c",
            " ",
            "+",
            "0-4294967295",
            ",world:given,of:9x2",
            "x",
            "99999999999999999999",
        ];
        self.deface(text, 8, &scraps)
    }

    /// Keys that there are with values that may be anything.
    fn assembled_study(&mut self) -> String {
        let keys = [
            "world",
            "of",
            "sha256",
            "with",
            "c",
            "methods",
            "seeds",
            "latents",
            "steps",
            "batch",
            "rate",
            "rows",
            "eval",
            "ks",
            "relu",
            "gated",
            "jumprelu",
            "world-seed",
            "features",
            "dimensions",
            "correlation",
            "children",
            "interaction",
            "what",
        ];
        let values = [
            "",
            "given",
            "10x3",
            "4x1x2",
            "3x3",
            "99999999999x2",
            "100x1024x18446744073709551615",
            "0000000000000000000000000000000000000000000000000000000000000a1b",
            "0",
            "1",
            "-1",
            "2.5",
            "64",
            "1e9",
            "1e308",
            "-0",
            "NaN",
            "inf",
            "0x10",
            "1_000",
            "superposition",
            "paper",
            "nonlinear",
            "given",
            "row-space",
            "reconstruction",
            "svd",
            "svd_pca_svd",
            "oracle",
            "random_untrained",
            "topk_what",
            "0_1_2",
            "0-9",
            "9-0",
            "3-3",
            "0-4294967295",
            "1-512",
            "0.01_0.02",
            "1_1_1",
            "_",
            "4096",
            "4097",
            "1e-8",
            "0.5",
        ];
        let mut out = self.of(&["small", "full", "", "medium", "small,"]).to_owned();
        for _ in 0..self.below(14) {
            out += &format!(",{}:{}", self.of(&keys), self.of(&values));
        }
        out
    }
}

#[test]
fn every_study_comes_back_from_its_text() {
    let mut dice = Dice::new(1);
    let (mut said, mut ranges) = (0, 0);
    for _ in 0..CASES {
        let config = dice.config();
        config.check().unwrap();
        let Some(text) = query::to_query(&config) else {
            // Of these only the longest have no text.
            let many = config.seeds.len() + config.ks.len() + config.methods.len();
            let digits = [&config.relu, &config.gated, &config.jumprelu].map(Vec::len);
            assert!(many > 10 || digits.iter().sum::<usize>() > 8, "{config:?}");
            continue;
        };
        said += 1;
        ranges += usize::from(text.contains("seeds:0-"));
        assert!(Study::new(&text).is_some(), "{text}");
        assert_eq!(query::parse(&text), ParsedQuery { config, changes: vec![] }, "{text}");
    }
    assert!(said > CASES * 9 / 10 && ranges > CASES / 20, "{said}, {ranges} of {CASES}");
}

#[track_caller]
fn check_any(text: &str) {
    let ParsedQuery { config, changes } = query::parse(text);
    config.check().unwrap();
    for change in &changes {
        for words in [&change.key, &change.found, &change.used, &change.sentence] {
            assert!(words.chars().all(|c| c == ' ' || c.is_ascii_graphic()), "{words:?}");
        }
        assert!(change.sentence.len() < 400, "{}", change.sentence);
    }
    // What was read to the letter is read so again; what was not is nearest to itself.
    if let Some(canonical) = query::to_query(&config) {
        assert_eq!(query::parse(&canonical), ParsedQuery { config, changes: vec![] }, "{text}");
        assert_eq!(query::to_query(&query::parse(&canonical).config), Some(canonical));
    }
}

#[test]
fn any_text_gives_a_valid_study() {
    let mut dice = Dice::new(2);
    for _ in 0..CASES {
        check_any(&dice.hostile_study());
    }
    for text in ["", ",", ":", ",,,:::", "small:small", "🦀,🦀:🦀", &"9".repeat(5_000)] {
        check_any(text);
    }
    check_any(&"small,".repeat(200));
    check_any(&format!("small,seeds:{}", "é".repeat(400)));
}

#[track_caller]
fn read(text: &str, canonical: &str, sentences: &[&str]) {
    let found = query::parse(text);
    let told: Vec<&str> = found.changes.iter().map(|change| change.sentence.as_str()).collect();
    assert_eq!(told, sentences, "{text}");
    assert_eq!(query::to_query(&found.config).as_deref(), Some(canonical), "{text}");
}

#[test]
fn texts_are_short_and_say_what_was_changed() {
    for text in [
        "small",
        "full",
        "small,world:nonlinear,c:row-space,methods:svd_topk_random,seeds:0_1,latents:64",
        "small,steps:500,rate:0.003,rows:9000,eval:600,batch:64,ks:1_2_3,relu:0.01_0.02",
        "small,world:nonlinear,interaction:0.25",
        "full,seeds:0-99",
        "small,seeds:4_5_6_9-12,world-seed:7,features:48,dimensions:20,correlation:0.5,children:9",
    ] {
        let given = query::parse(text);
        assert_eq!(given.changes, [], "{text}");
        let printed = query::to_query(&given.config).unwrap();
        let (mut a, mut b): (Vec<_>, Vec<_>) = (text.split(',').collect(), printed.split(',').collect());
        a.sort_unstable();
        b.sort_unstable();
        assert_eq!(a, b);
    }
    read("small,world:superposition,ks:1_2_3_5,seeds:0-2", "small", &[]);
    read("full,ks:1e0_2,world-seed:42", "full,ks:1_2", &[]);
    read("", "small", &["preset is \"\"; allowed: small, full; small is used"]);
    read("world:paper", "small,world:paper", &["preset is \"world:paper\"; allowed: small, full; small is used"]);
    read(
        "small,world:mars,steps:2.5,latents:2,steps:9",
        "small,latents:2,steps:3,ks:1_2",
        &[
            "steps is \"9\"; the key is there already; the first is used",
            "world is \"mars\"; allowed: paper, superposition, nonlinear; superposition is used",
            "steps is \"2.5\"; allowed: a whole number from 1 to 10000000; 3 is used",
            "ks is \"1_2_3_5\"; allowed: whole numbers from 1 to 2, none twice; 1_2 is used",
        ],
    );
    read(
        "small,world:paper,rows:100,features:3,colour:red",
        "small,world:paper,rows:100,batch:100",
        &[
            "batch is \"128\"; allowed: a whole number from 1 to 100; 100 is used",
            "features is \"3\"; the world paper has no such number; it is left out",
            "colour is \"red\"; there is no such key; it is left out",
        ],
    );
    // What trains nothing has no batch to fill.
    read("small,methods:svd_pca,rows:100", "small,methods:svd_pca,rows:100", &[]);
    let many = query::parse("small,seeds:0-9999");
    assert!(many.config.check().is_ok() && many.config.seeds.len() < JOBS_MAX / 12);
    assert_eq!(many.changes[0].key, "seeds");
    let long = query::parse(&format!("small,steps:7,ks:{}", "1_".repeat(STUDY_LENGTH_MAX)));
    assert_eq!((long.config.train.steps, long.changes[0].key.as_str()), (7, "study"));
    assert_eq!(long.config.ks, FamiliesConfig::small().ks);
}

#[test]
fn what_has_no_word_has_no_text() {
    let plain = FamiliesConfig::small();
    let mut other = plain.clone();
    other.train.threshold = 0.2;
    assert_eq!(query::to_query(&other), None);
    let noisy = Superposition { noise: 0.5, ..Superposition::default() };
    let other = FamiliesConfig { world: World::Superposition(noisy), ..plain.clone() };
    assert_eq!(query::to_query(&other), None);
    let other = FamiliesConfig { seeds: (0..400).map(|seed| seed * 3).collect(), ..plain.clone() };
    assert_eq!(query::to_query(&other), None);
    // Nor has what is not allowed.
    let other = FamiliesConfig { ks: vec![0], ..plain };
    assert_eq!(query::to_query(&other), None);
}

/// Field, value and what is allowed, of every problem.
fn problems(change: impl FnOnce(&mut Value)) -> Vec<(String, String, String)> {
    let mut study = json!(FamiliesConfig::small());
    change(&mut study);
    let found = query::find_problems(&study);
    found.into_iter().map(|problem| (problem.field, problem.value, problem.allowed)).collect()
}

#[test]
fn whatever_was_typed_is_judged_field_by_field() {
    let told = |field: &str, value: &str, allowed: &str| (field.to_owned(), value.to_owned(), allowed.to_owned());
    assert_eq!(problems(|_| {}), []);
    let found = problems(|study| {
        study["train"]["latents"] = json!(2.5);
        study["train"]["steps"] = Value::Null;
        study["train"]["batch"] = json!(-1);
        study["eval_rows"] = json!(1);
        study["ks"] = json!([1, null, 99]);
        study["relu"] = json!([]);
        study["gated"] = json!([0.1, 1e9]);
        study["world"]["features"] = json!(8);
        study["world"]["children"] = json!(5);
        study["world"]["seed"] = json!(4294967296.0);
    });
    let expected = [
        told("latents", "2.5", "a whole number from 1 to 16384"),
        told("steps", "not a number", "a whole number from 1 to 10000000"),
        told("batch", "-1", "a whole number from 1 to 4096"),
        told("seed", "4294967296.0", "a whole number from 0 to 4294967295"),
        told("ks", "not a number", "a whole number from 1 to 32"),
        told("children", "5", "a whole number from 0 to 4"),
        told("eval_rows", "1", "a whole number from 2 to 100000"),
        told("gated", "1000000000", "a number from 0 to 1000"),
    ];
    assert_eq!(found[..8], expected);
    assert_eq!((found[8].0.as_str(), found.len()), ("relu", 9));
    // A batch is bounded by the rows there are.
    let found = problems(|study| study["train_rows"] = json!(100));
    assert_eq!(found, [told("batch", "128", "a whole number from 1 to 100")]);
    // The k that a job brings along is not this study's.
    let few = problems(|study| {
        study["train"]["latents"] = json!(3);
        study["ks"] = json!([1, 3]);
    });
    assert_eq!(few, []);
    let found = problems(|study| {
        study["world"] = json!({"world": "paper"});
        study["methods"] = json!(["oracle"]);
    });
    assert_eq!(found, [told("methods", "oracle", "at least one method that the world allows")]);
    for study in [json!(null), json!(3), json!({"what": 1}), json!({"world": {"world": "mars"}})] {
        assert_eq!(query::find_problems(&study)[0].field, "families");
    }
}

#[test]
fn given_activations_are_named_by_their_shape_and_digest() {
    let digest = "0123456789abcdef".repeat(4);
    let text = format!("small,world:given,of:2000x64x4,sha256:{digest},rows:1500,eval:500");
    let ParsedQuery { config, changes } = query::parse(&text);
    assert_eq!(changes, []);
    let World::Own(given) = &config.world else { panic!("{:?}", config.world) };
    assert_eq!((given.rows, given.dimensions, given.outputs), (2_000, 64, Some(4)));
    assert_eq!((given.sha256.as_ref(), given.seed), (Some(&digest), UserActivations::SEED_DEFAULT));
    assert_eq!(query::to_query(&config).unwrap(), text);
    // What cannot be is said, and something that can be is used.
    let shown = |text: &str| {
        let read = query::parse(text);
        read.config.check().unwrap();
        read.changes.into_iter().map(|change| change.sentence).collect::<Vec<_>>()
    };
    assert_eq!(
        shown("small,world:given,of:10x3"),
        [
            "rows is \"8192\"; allowed: a whole number from 2 to 8; 8 is used",
            "eval is \"512\"; allowed: a whole number from 2 to 2; 2 is used",
            "batch is \"128\"; allowed: a whole number from 1 to 8; 8 is used",
        ]
    );
    assert!(shown("small,world:given")[0].starts_with("of is \"\"; allowed: rows x dimensions"));
    assert!(shown("small,world:given,of:3x3")[0].starts_with("rows is \"3\""));
    assert!(shown("small,world:given,of:9x3,sha256:abc")[0].contains("64 hexadecimal digits"));
}
