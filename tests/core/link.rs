//! Links: every state comes back from its own, and any text gives a valid state and says what was
//! changed. The digest of a report, and the verdict on it.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sfc_bench::lab::ensemble::{Varied, check_seed_count};
use sfc_bench::link::{
    self, Colours, Digest, DigestGroup, FILES_LENGTH_MAX, Figure, Files, FrameId, Hidden, LENGTH_MAX, PAGE_PARTS,
    PAIRS_MAX, Parsed, SEEDS_MAX, STUDY_LENGTH_MAX, Seeds, State, Study, VIEW_KEYS, Version, compare, digest,
};
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::settings::{LEVELS_MAX, PAPER_LEVELS};
use sfc_bench::papers::sfc::{NoProgress, Report, rescore};
use sfc_bench::{Draft, PROFILES, Settings, Weights};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::dice::Dice;
use super::common::is_long_run;

/// Cases of each property: in a browser fewer, as the code is the same; before a release more.
fn cases() -> usize {
    if cfg!(target_arch = "wasm32") {
        2_000
    } else if is_long_run() {
        100_000
    } else {
        20_000
    }
}

impl Dice {
    fn number(&mut self, min: usize, max: usize) -> f64 {
        self.whole(min, max) as f64
    }

    fn levels(&mut self) -> Vec<f64> {
        let most = if self.often(50) { LEVELS_MAX } else { 24 };
        let count = 1 + self.below(most);
        let (first, last) = (self.real(0.0, 0.99), self.real(0.0, 0.9999999999999999));
        match self.below(5) {
            0 => PAPER_LEVELS.to_vec(),
            1 => (0..count).map(|i| i as f64 / count as f64).collect(),
            2 => {
                let step = (last - first) / count as f64;
                (0..count).map(|i| (first + i as f64 * step).min(0.9999999999999999)).collect()
            }
            3 => vec![last; count],
            _ => (0..count).map(|_| self.real(0.0, 0.9999999999999999)).collect(),
        }
    }

    fn settings(&mut self) -> Settings {
        loop {
            let mut draft = Draft::default();
            let (custom, wide) = (self.often(3), self.often(4));
            draft.config = Some(self.of(&["standard", "large", "dense", "sparse"]).to_owned());
            let mut width = if draft.config.as_deref() == Some("large") { 128 } else { 64 };
            if custom {
                draft.config = None;
                width = 2 + self.below(if wide { 1023 } else { 130 });
                draft.hidden = Some(width as f64);
                draft.inputs = Some(self.number(1, 512)).filter(|_| self.often(2));
                draft.outputs = Some(self.number(1, 64)).filter(|_| self.often(2));
                draft.circuit = Some(self.number(1, width)).filter(|_| self.often(2));
            }
            draft.k = Some(self.number(1, width)).filter(|_| self.often(2));
            draft.samples = Some(self.number(2, 200_000)).filter(|_| self.often(3));
            draft.weight_scale = Some(self.real(0.0, 100.0)).filter(|_| self.often(4));
            draft.bias_scale = Some(self.real(0.0, 100.0)).filter(|_| self.often(4));
            draft.noise = Some(self.real(0.0, 100.0)).filter(|_| self.often(4));
            draft.model_seed = Some(f64::from(self.seed())).filter(|_| self.often(3));
            draft.data_seed = Some(f64::from(self.seed())).filter(|_| self.often(3));
            draft.completeness_seed = Some(f64::from(self.seed())).filter(|_| self.often(3));
            draft.levels = Some(self.levels()).filter(|_| self.often(2));
            draft.completeness = Some(self.of(&["paper", "total"]).to_owned());
            draft.fidelity = Some(self.of(&["cosine", "r2", "rel-mse"]).to_owned());
            draft.centred = Some(self.often(2));
            let mut weight = || self.real(0.0, 1e9);
            let weights = vec![weight(), weight(), weight()];
            draft.weights = match self.below(3) {
                0 => None,
                1 => Some(self.of(&PROFILES).weights.values().to_vec()),
                _ => Some(weights),
            };
            // Too much memory, or weights that are none: once more.
            if let Ok(settings) = draft.parse() {
                return settings;
            }
        }
    }

    fn state(&mut self) -> State {
        let settings = self.settings();
        let most = (2_000_000 / settings.levels().len()).min(SEEDS_MAX as usize);
        let seeds = [10, 100, 1000, 1 + self.below(most)];
        let mut hide = Hidden::default();
        for _ in 0..if self.often(3) { self.below(6) } else { 0 } {
            assert!(hide.insert(self.of(&Hidden::names().collect::<Vec<_>>())));
        }
        State {
            settings,
            pin: self.often(3).then(|| self.settings()),
            seeds: Seeds::new(self.of(&seeds) as u32).unwrap(),
            vary: self.of(&[Varied::Model, Varied::ModelAndData]),
            families: self.often(3).then(|| self.study()),
            own: self.often(3).then(|| {
                let text = self.text(FILES_LENGTH_MAX);
                Files::new(&text).unwrap()
            }),
            figure: self.often(3).then(|| self.figure()),
            embed: self.often(3),
            hide,
            theme: self.often(3).then(|| Colours::new(self.of(&["light", "dark"])).unwrap()),
            id: self.often(3).then(|| FrameId::new(self.of(&["a", "Frame-2", "0-0", "-"])).unwrap()),
            digest: self.often(3).then(|| self.digest()),
            made: self.often(3).then(|| Version::new(self.of(&["0.1.0", "12.0.3-rc.1", "1"])).unwrap()),
        }
    }

    fn figure(&mut self) -> Figure {
        Figure::new(self.of(&Figure::names().collect::<Vec<_>>())).unwrap()
    }

    fn text(&mut self, most: usize) -> String {
        let letters: Vec<char> = ('0'..='9').chain('A'..='Z').chain(".,:_-".chars()).collect();
        let length = 1 + self.below(most);
        (0..length).map(|_| self.of(&letters)).collect()
    }

    fn study(&mut self) -> Study {
        Study::new(&self.text(STUDY_LENGTH_MAX)).unwrap()
    }

    fn digest(&mut self) -> Digest {
        let letters: Vec<char> = "0123456789abcdefghjkmnpqrstvwxyz".chars().collect();
        let mut group = || (0..5).map(|_| self.of(&letters)).collect::<String>();
        [group(), group(), group()].join("-").parse().unwrap()
    }

    /// The same link, otherwise written: its pairs in another order, some characters escaped.
    fn rewritten(&mut self, query: &str) -> String {
        let mut pairs: Vec<&str> = query.split('&').collect();
        for last in (1..pairs.len()).rev() {
            pairs.swap(last, self.below(last + 1));
        }
        let mut out = String::from(self.of(&["", "?"]));
        for c in pairs.join("&").chars() {
            if !"&=".contains(c) && self.often(8) {
                out += &format!("%{:02X}", c as u32);
            } else {
                out.push(c);
            }
        }
        out
    }

    /// Something that somebody may have made of a link.
    fn hostile_link(&mut self) -> String {
        let text = match self.below(4) {
            0 => String::new(),
            1 => link::to_query(&self.state()),
            _ => self.assembled_link(),
        };
        let scraps = [
            "&",
            "=",
            "%",
            "%00",
            "%ff",
            "%F0%9F",
            "..",
            ",",
            "x",
            "-",
            ".",
            "e",
            "0",
            "9",
            "nan",
            "inf",
            "1e999",
            "-1e-999",
            "&k=",
            "&pin.",
            "&&",
            "?",
            "#",
            "\u{202e}",
            "\0",
            "é",
            "🦀",
            "<script>",
            "'",
            "\"",
            " ",
            "+",
            "\n",
            "levels=0..1x",
            "99999999999999999999",
        ];
        self.deface(text, 12, &scraps)
    }

    /// Keys that there are with values that may be anything.
    fn assembled_link(&mut self) -> String {
        let values = [
            "",
            "0",
            "1",
            "-1",
            "2.5",
            "64",
            "1024",
            "200000",
            "1e9",
            "1e-9",
            "1e308",
            "-0",
            "NaN",
            "inf",
            "-inf",
            "0x10",
            "1_000",
            "٣",
            "large",
            "custom",
            "paper",
            "total",
            "cosine",
            "r2",
            "rel-mse",
            "true",
            "model-and-data",
            "1,1,1",
            "0,0,0",
            "5,1",
            "1,1,1,1",
            "-1,1,1",
            "1e10,1e-10,0",
            "nan,1,1",
            "0,0.5,0.9",
            "1,0.5",
            "0..0.95x20",
            "0..1x3",
            "0..0.9x513",
            "0.9..0x7",
            "0..0x0",
            "5e-324..1e-323x3",
            "0.1..0.1x9",
            "-0..0.5x3",
            "fig1a",
            "fig9",
            "verdict,k",
            "verdict,,what",
            "small,world:paper",
            "small;world",
            "00000-00000-00000",
            "0.1.0",
            "v9",
            "4294967295",
            "4294967296",
        ];
        let mut out = String::new();
        for _ in 0..self.below(20) {
            let key = self.of(&link::all_keys::<Settings>().collect::<Vec<_>>()).key;
            let prefix = if self.often(4) { "pin." } else { "" };
            out += &format!("&{prefix}{key}={}", self.of(&values));
        }
        out
    }
}

#[test]
fn every_state_comes_back_from_its_link() {
    let mut dice = Dice::new(1);
    let (cases, mut grids) = (cases(), 0);
    for case in 0..cases {
        let state = dice.state();
        let query = link::to_query(&state);
        let safe = |c: char| c.is_ascii_alphanumeric() || ".,-:_=&".contains(c);
        assert!(query.chars().all(safe), "{query}");
        assert!(query.len() < LENGTH_MAX / 2, "{}", query.len());
        assert_eq!(link::parse(&query), Parsed { state: state.clone(), changes: vec![] }, "{query}");
        grids += usize::from(query.contains(".."));
        if case % 8 == 0 && !query.is_empty() {
            let other = dice.rewritten(&query);
            assert_eq!(link::parse(&other), Parsed { state: state.clone(), changes: vec![] }, "{other}");
            let text = serde_json::to_string(&state).unwrap();
            assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state, "{text}");
        }
    }
    assert!(grids > cases / 20, "{grids} of {cases} have levels as a grid");
}

#[track_caller]
fn check_any(text: &str) {
    let Parsed { state, changes } = link::parse(text);
    // Valid by the core's own rule.
    let draft: Draft = serde_json::from_value(json!(state.settings)).expect("settings are a draft");
    assert_eq!(draft.parse().as_ref(), Ok(&state.settings), "{text:?}");
    if let Some(pin) = &state.pin {
        let draft: Draft = serde_json::from_value(json!(pin)).expect("settings are a draft");
        assert_eq!(draft.parse().as_ref(), Ok(pin), "{text:?}");
    }
    assert_eq!(check_seed_count(&state.settings, &(0..=state.seeds.count() - 1)), Ok(()), "{text:?}");
    // Once read, it stays.
    let query = link::to_query(&state);
    assert_eq!(link::parse(&query), Parsed { state, changes: vec![] }, "{text:?} as {query:?}");
    // What was changed may be shown anywhere.
    for change in changes {
        let all = [&change.key, &change.found, &change.used, &change.sentence];
        assert!(all.iter().all(|text| text.bytes().all(|b| (b' '..=b'~').contains(&b))), "{all:?}");
        // The longest names every part that can be hidden; what was found is cut to 40.
        assert!(change.sentence.len() < 512, "{all:?}");
    }
}

#[test]
fn any_text_gives_a_valid_state() {
    let mut dice = Dice::new(2);
    for _ in 0..cases() {
        check_any(&dice.hostile_link());
    }
}

#[test]
fn long_and_crowded_links_are_cut() {
    let pairs: Vec<String> = (0..PAIRS_MAX + 5).map(|index| format!("a{index}=1")).collect();
    let crowded = link::parse(&pairs.join("&"));
    assert_eq!(crowded.changes.len(), PAIRS_MAX + 1);
    assert_eq!(crowded.state, State::default());

    for filler in ["&", "k=1&", "a", "%ff", "levels=0.1,", "🦀", "n=0,"] {
        let long = format!("k=32&{}", filler.repeat(20_000_000 / filler.len() / 10));
        let read = link::parse(&long);
        assert_eq!(read.state.settings.k(), 32, "{filler}");
        assert_eq!(read.changes[0].key, "link");
        check_any(&long);
    }
    let levels: Vec<f64> = (0..LEVELS_MAX).map(|i| 0.1 + 1e-3 / (i + 3) as f64).collect();
    let settings = Draft { levels: Some(levels), ..Draft::default() }.parse().unwrap();
    let state = State { pin: Some(settings.clone()), settings, ..State::default() };
    check_any(&link::to_query(&state));
    assert_eq!(link::parse(&link::to_query(&state)).state, state);
}

#[test]
fn links_are_short_and_canonical() {
    let printed = |draft: &str| {
        let draft: Draft = serde_json::from_str(draft).unwrap();
        link::to_query(&State { settings: draft.parse().unwrap(), ..State::default() })
    };
    for (draft, query) in [
        ("{}", ""),
        (r#"{"config": "standard", "circuit": 24}"#, "v=1&net=dense"),
        (r#"{"config": "large"}"#, "v=1&net=large"),
        (r#"{"config": "large", "k": 64}"#, "v=1&net=large&k=64"),
        (r#"{"config": "custom", "hidden": 30}"#, "v=1&d=30"),
        (r#"{"hidden": 30, "k": 29, "circuit": 8}"#, "v=1&d=30"),
        (r#"{"hidden": 4, "circuit": 3}"#, "v=1&d=4&circuit=3"),
        (r#"{"weights": [5, 1, 1], "samples": 100000}"#, "v=1&n=100000&w=5,1,1"),
        (r#"{"levels": [0, 0.05, 0.1, 0.15]}"#, "v=1&levels=0..0.15x4"),
        // `numpy.linspace(0, 0.9, 8)`
        (
            r#"{"levels": [0.0, 0.1285714285714286, 0.2571428571428572, 0.3857142857142858, 0.5142857142857143, 0.6428571428571429, 0.7714285714285716, 0.9]}"#,
            "v=1&levels=0..0.9x8",
        ),
        // Off it by the last bit of one.
        (r#"{"levels": [0, 0.05, 0.1, 0.15000000000000002]}"#, "v=1&levels=0,0.05,0.1,0.15000000000000002"),
        (r#"{"levels": [0.9, 0.5, 0.1]}"#, "v=1&levels=0.9,0.5,0.1"),
        (r#"{"noise": 1e-300, "weight_scale": 0.1}"#, "v=1&ws=0.1&noise=1e-300"),
    ] {
        assert_eq!(printed(draft), query);
    }
    let twentieths: Vec<f64> = (0..20).map(|i| f64::from(i) / 20.0).collect();
    assert_eq!(link::parse("levels=0..0.95x20").state.settings.levels(), twentieths);
    let state = State { pin: Some(Settings::default()), ..State::default() };
    assert_eq!(link::to_query(&state), "v=1&pin=paper");
    let all = "v=1&net=dense&seed=7&pin.net=large&pin.k=32&seeds=1000&vary=model-and-data&fig=table6&embed=1&\
               hide=verdict,k&theme=dark&id=a-1&digest=00000-abcde-zzzzz&made=0.1.0";
    let read = link::parse(all);
    assert_eq!((link::to_query(&read.state).as_str(), read.changes), (all, vec![]));
}

#[test]
fn what_is_changed_is_said() {
    let figures = Figure::names().collect::<Vec<_>>().join(", ");
    let figure = format!("fig is \"fig9\"; allowed: one of {figures}; it is left out");
    for (query, kept, sentence) in [
        ("k=700", "v=1&k=64", "k is \"700\"; allowed: a whole number from 1 to 64; 64 is used"),
        ("k=-1e999", "v=1&k=1", "k is \"-1e999\"; allowed: a whole number from 1 to 64; 1 is used"),
        ("d=32&k=40", "v=1&d=32&k=32", "k is \"40\"; allowed: a whole number from 1 to 32; 32 is used"),
        ("k=31.6", "v=1&k=32", "k is \"31.6\"; allowed: a whole number from 1 to 64; 32 is used"),
        ("k=many", "", "k is \"many\"; allowed: a whole number from 1 to 64; 48 is used"),
        (
            "net=huge&k=32",
            "v=1&k=32",
            "net is \"huge\"; allowed: one of standard, large, dense, sparse, custom; standard is used",
        ),
        ("noise=-1", "", "noise is \"-1\"; allowed: a number from 0 to 100; 0 is used"),
        ("noise=1e999", "v=1&noise=100", "noise is \"1e999\"; allowed: a number from 0 to 100; 100 is used"),
        (
            "seed=4294967296",
            "v=1&seed=4294967295",
            "seed is \"4294967296\"; allowed: a whole number from 0 to 4294967295; 4294967295 is used",
        ),
        (
            "n=200000&d=1024",
            "v=1&d=1024",
            "n is \"200000\"; memory is 5526 MiB; allowed: at most 1024 MiB: fewer samples or fewer hidden units; 2000 is used",
        ),
        (
            "n=1e7&d=1024",
            "v=1&d=1024",
            "n is \"1e7\"; memory is 5526 MiB; allowed: at most 1024 MiB: fewer samples or fewer hidden units; 2000 is used",
        ),
        (
            "levels=0,1,0.5",
            "v=1&levels=0,0.5",
            "levels is \"0,1,0.5\"; allowed: a list of 1 to 512 numbers from 0 to below 1; 0,0.5 is used",
        ),
        (
            "levels=0..1x5",
            "",
            "levels is \"0..1x5\"; allowed: a list of 1 to 512 numbers from 0 to below 1; 0,0.1,0.2,0.3,0.5,0.7,0.85,0.95 is used",
        ),
        ("w=5,1", "", "w is \"5,1\"; allowed: three numbers, each 0 or 1e-9 to 1e9, not all 0; 1,1,1 is used"),
        (
            "w=-5,1,1e10",
            "v=1&w=0,1,1000000000",
            "w is \"-5,1,1e10\"; allowed: three numbers, each 0 or 1e-9 to 1e9, not all 0; 0,1,1000000000 is used",
        ),
        ("centred=yes", "", "centred is \"yes\"; allowed: 0 or 1; 0 is used"),
        ("pin.k=0", "v=1&pin.k=1", "pin.k is \"0\"; allowed: a whole number from 1 to 64; 1 is used"),
        ("pin=it", "", "pin is \"it\"; allowed: paper, or settings after pin.; it is left out"),
        ("seeds=0", "v=1&seeds=1", "seeds is \"0\"; allowed: a whole number from 1 to 10000; 1 is used"),
        (
            "seeds=1e4&levels=0..0.5x500",
            "v=1&levels=0..0.5x500&seeds=4000",
            "seeds is \"1e4\"; allowed: a whole number from 1 to 4000; 4000 is used",
        ),
        ("vary=all", "", "vary is \"all\"; allowed: model or model-and-data; model is used"),
        ("fig=fig9", "", &figure),
        ("theme=blue", "", "theme is \"blue\"; allowed: light or dark; it is left out"),
        ("id=a_b", "", "id is \"a_b\"; allowed: 1 to 32 letters, digits and hyphens; it is left out"),
        ("embed=2", "", "embed is \"2\"; allowed: 0 or 1; 0 is used"),
        ("digest=00000", "", "digest is \"00000\"; allowed: three groups of five digits and letters; it is left out"),
        ("made=v1", "", "made is \"v1\"; allowed: a version, as in 0.1.0; it is left out"),
        ("k=32&k=16", "v=1&k=32", "k is \"16\"; the key is there already; the first is used"),
        ("colour=red", "", "colour is \"red\"; there is no such key; it is left out"),
        ("%ff%3Cb%3E=%ff", "", "?<b> is \"?\"; there is no such key; it is left out"),
        ("v=2&k=32", "v=1&k=32", "v is \"2\"; this page reads version 1 of links; what it knows of the link is used"),
    ] {
        let read = link::parse(query);
        let said: Vec<&str> = read.changes.iter().map(|change| change.sentence.as_str()).collect();
        assert_eq!((link::to_query(&read.state).as_str(), said), (kept, vec![sentence]), "{query}");
    }
    let id = "x".repeat(33);
    assert_eq!(link::parse(&format!("id={id}")).state.id, None);
    assert!(link::parse(&format!("id={}", &id[1..])).state.id.is_some());
    let all: Vec<&str> = Hidden::names().collect();
    assert_eq!(link::parse(&format!("hide={}", all.join(","))).state.hide.iter().count(), all.len());
    let read = link::parse("hide=k,what,verdict");
    assert_eq!(link::to_query(&read.state), "v=1&hide=verdict,k");
    assert_eq!(read.changes[0].found, "what");
    let long = link::parse(&format!("k={}", "7".repeat(500)));
    assert_eq!(long.changes[0].found, format!("{}...", "7".repeat(40)));
    // Written by hand.
    for query in ["?k=32", "&k=32&", "k=%33%32", "k=32.0&embed=0", "k=+32&net=custom", "k=3.2e1&vary=model"] {
        let read = link::parse(query);
        assert_eq!((link::to_query(&read.state).as_str(), read.changes), ("v=1&k=32", vec![]), "{query}");
    }
    assert!(link::parse("embed").state.embed);
}

#[test]
fn a_link_is_of_a_study_and_of_the_first_where_it_does_not_say() {
    for (query, refused) in [
        ("", None),
        ("?k=9", None),
        ("v=1&study=sfc&k=9", None),
        ("k=9&study=fade", Some("fade")),
        ("study=f%61de", Some("fade")),
        ("study=", Some("")),
        ("study=<script>", Some("<script>")),
    ] {
        let changes = link::parse(query).changes;
        let change = changes.iter().find(|change| change.key == "study");
        assert_eq!(change.map(|change| change.found.as_str()), refused, "{query}");
    }
    let own = link::parse("study=sfc&k=9");
    assert_eq!((link::to_query(&own.state).as_str(), own.changes), ("v=1&k=9", vec![]));
    let other = link::parse("study=fade&k=9");
    assert_eq!(link::to_query(&other.state), "v=1&k=9");
    assert_eq!(
        other.changes[0].sentence,
        "study is \"fade\"; this page is of the study sfc; what it knows of the link is used"
    );
}

#[test]
fn the_keys_are_those_of_the_settings_and_the_state() {
    let settings: Vec<&str> = link::setting_keys::<Settings>().map(|row| row.field).collect();
    assert_eq!(settings, Draft::FIELDS);
    let state = json!(State::default());
    let mut fields: BTreeSet<&str> = state.as_object().unwrap().keys().map(String::as_str).collect();
    fields.remove("settings");
    let view: BTreeSet<&str> = VIEW_KEYS.iter().map(|row| row.field).filter(|f| !f.is_empty()).collect();
    assert_eq!(view, fields);
    let all = link::all_keys::<Settings>();
    let keys: BTreeSet<&str> = all.map(|row| row.key).collect();
    assert_eq!(keys.len(), settings.len() + VIEW_KEYS.len());
    assert!(keys.iter().all(|key| key.bytes().all(|byte| byte.is_ascii_lowercase())));
    assert!(keys.iter().all(|key| !PAGE_PARTS.contains(key)));
}

fn small() -> Report {
    let draft = Draft {
        samples: Some(120.0),
        levels: Some(vec![0.0, 0.5, 0.9]),
        config: Some("sparse".to_owned()),
        ..Draft::default()
    };
    study::run(&draft.parse().unwrap(), &mut NoProgress).unwrap()
}

/// Paths of all numbers and words below a value.
fn leaves(value: &Value, path: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| leaves(value, &format!("{path}/{key}"), out));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| leaves(item, &format!("{path}/{at}"), out));
        }
        _ => out.push(path.to_owned()),
    }
}

#[test]
fn the_least_change_of_any_result_changes_its_group_of_the_digest() {
    let report = small();
    let whole = digest(&report).to_string();
    let plain = json!(report);
    let mut paths = Vec::new();
    leaves(&plain, "", &mut paths);
    assert!(paths.len() > 200, "{}", paths.len());
    for path in paths {
        let mut other = plain.clone();
        let leaf = other.pointer_mut(&path).unwrap();
        *leaf = match &*leaf {
            Value::Number(n) if n.is_f64() => {
                json!(f64::from_bits(n.as_f64().unwrap().to_bits() + 1))
            }
            Value::Number(n) => json!(n.as_u64().unwrap() + 1),
            Value::String(word) => json!(format!("{word}x")),
            other => other.clone(),
        };
        let group = match path.split('/').nth(1) {
            Some("main") => Some(0),
            Some("sizes") => Some(1),
            Some("cross") => Some(2),
            _ => None,
        };
        // Neither the settings (some of which are checked) nor the version are results.
        let Some(group) = group else { continue };
        let changed: Report = serde_json::from_value(other).unwrap();
        let changed = digest(&changed).to_string();
        let differ: Vec<usize> = (0..3).filter(|at| whole.split('-').nth(*at) != changed.split('-').nth(*at)).collect();
        assert_eq!(differ, [group], "{path}");
    }
    let mut newer = report.clone();
    newer.version = "9.9.9".to_owned();
    assert_eq!(digest(&newer), digest(&report));
    let mut fewer = report.clone();
    fewer.cross.pop();
    assert_ne!(digest(&fewer), digest(&report));
}

#[test]
fn a_digest_is_read_as_it_is_printed() {
    let mut dice = Dice::new(3);
    for _ in 0..1000 {
        let digest = dice.digest();
        assert_eq!(digest.to_string().parse(), Ok(digest));
    }
    for bad in [
        "",
        "00000",
        "00000-00000",
        "00000-00000-0000",
        "00000-00000-00000-",
        "0000i-00000-00000",
        "00000-00000-00000-00000",
        "A0000-00000-00000",
        "0000é-00000-00000",
    ] {
        assert!(bad.parse::<Digest>().is_err(), "{bad}");
    }
}

#[test]
fn the_verdict_names_what_differs_and_the_versions() {
    let report = small();
    let claimed = digest(&report);
    let here = report.version.clone();
    let made = |version: &str| Version::new(version);
    let equal = compare(&report, &claimed, made(&here).as_ref());
    assert_eq!(equal.sentence, "Recomputed here: equal to the link's results to the last bit.");
    assert!(equal.equal && equal.differs.is_empty());
    let older = compare(&report, &claimed, made("0.0.9").as_ref());
    assert!(older.equal);
    assert!(older.sentence.ends_with(&format!("made with version 0.0.9; this is {here}.")));

    let mut other = report.clone();
    other.sizes[2].rate += 1e-9;
    let sizes = compare(&other, &claimed, made("0.0.9").as_ref());
    assert_eq!((sizes.equal, sizes.differs.as_slice()), (false, &[DigestGroup::Sizes][..]));
    assert_eq!(
        sizes.sentence,
        format!(
            "Recomputed here, other than in the link: the dictionary sizes; equal: the level curve and \
             the four networks. The link was made with version 0.0.9; this is {here}."
        )
    );
    // The scores are in it, under the weights of the settings.
    rescore(&mut other, Weights::new(5.0, 1.0, 1.0).unwrap());
    let all = compare(&other, &claimed, None);
    assert_eq!(all.differs, DigestGroup::ALL);
    assert!(all.sentence.ends_with("nothing is equal. The link does not say which version it was made with."));
    let same = compare(&other, &claimed, made(&here).as_ref());
    assert!(same.sentence.ends_with(&format!("made with this version, {here}.")));
}

/// As in `expected.rs`: one process cannot check that two targets agree, so each is held against this.
#[test]
fn the_papers_digest_is_the_same_on_every_target() {
    let report = study::run(&Settings::default(), &mut NoProgress).unwrap();
    assert_eq!(digest(&report).to_string(), "kpe33-x6exm-vhqe0");
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use proptest::prelude::*;

    use super::check_any;

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 5_000, failure_persistence: None, ..ProptestConfig::default()
        })]

        #[test]
        fn any_string(text in any::<String>()) {
            check_any(&text);
        }

        #[test]
        fn any_pairs(pairs in prop::collection::vec(
            ("(pin\\.)?(net|in|d|n|k|levels|w|centred|seeds|hide|fig|embed|theme|id|[a-z.]{0,4})", "[-+%0-9a-fxnI.,]{0,12}|light|dark|table[3-6]"),
            0..8,
        )) {
            let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
            check_any(&pairs.join("&"));
        }
    }
}
