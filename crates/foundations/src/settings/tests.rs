//! A study of its own, with more than one knob of a kind: nothing of the rows is the first paper's.

use super::pairs::{self, PairReader, QUERY_GRAMMAR};
use super::{
    Choice, Field, FieldKind, FormGroup, ListSpan, NameCondition, NamePart, ParameterDraft, Parameters, Problem, Range,
    Value, check, choice, draft, file_name,
};

const ONLY: FormGroup = FormGroup { name: "only", heading: "Only" };
const WORDS: &[Choice] =
    &[choice("text", "Text", "As the paper says."), choice("code", "Code", "As its program does.")];

const fn row(name: &'static str, key: &'static str, rank: u8, kind: FieldKind) -> Field {
    let part = NamePart { rank, prefix: "-x", condition: NameCondition::Changed };
    Field { name, key, group: ONLY, label: name, help: name, kind, name_part: part }
}

const DEPTHS: ListSpan = ListSpan { min: -2.0, upper_bound: 1e6, count_max: 6 };

draft! {
    pub struct Toy {
        units: f64,
        heads: f64,
        reading: String,
        first: bool,
        second: bool,
        seed: f64,
        depths: Vec<f64>,
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Settings(Toy);

impl Default for Settings {
    fn default() -> Self {
        Self::from_valid_draft(&Toy::default())
    }
}

impl Parameters for Settings {
    type ParameterDraft = Toy;

    const STUDY: &'static str = "toy";
    const FIELDS: &'static [Field] = &[
        row("units", "u", 0, FieldKind::Number(Range::integer("units", 1, 99))),
        row("heads", "h", 1, FieldKind::Within(Range::integer("heads", 1, 99), "units")),
        row("reading", "r", 2, FieldKind::Choice(WORDS)),
        row("first", "a", 3, FieldKind::Switch),
        row("second", "b", 4, FieldKind::Switch),
        row("seed", "s", 5, FieldKind::Seed),
        row("depths", "x", 6, FieldKind::List(DEPTHS)),
    ];
    const CONFLICT_RESET_FIELD: &'static str = "depths";

    fn from_valid_draft(draft: &Toy) -> Self {
        let units = draft.units.unwrap_or(8.0);
        Self(Toy {
            units: Some(units),
            heads: Some(draft.heads.unwrap_or(units.min(4.0))),
            reading: Some(draft.reading.clone().unwrap_or_else(|| "text".to_owned())),
            first: Some(draft.first.unwrap_or(true)),
            second: Some(draft.second.unwrap_or(false)),
            seed: Some(draft.seed.unwrap_or(0.0)),
            depths: Some(draft.depths.clone().unwrap_or_else(|| vec![1.0])),
        })
    }

    fn draft(&self) -> Toy {
        self.0.clone()
    }

    fn problem(&self) -> Option<Problem> {
        let deep = self.0.depths.iter().flatten().sum::<f64>() > 1e6;
        deep.then(|| Problem::new("depths", "too deep", "a sum up to 1000000"))
    }
}

fn read(text: &str) -> (Settings, Vec<String>) {
    let mut reader = PairReader::new(&QUERY_GRAMMAR, text.split('&'), Vec::new());
    let settings = reader.take_settings("");
    let changes = reader.finish(|_| "there is no such key".to_owned());
    (settings, changes.into_iter().map(|change| change.sentence).collect())
}

fn print(settings: &Settings) -> String {
    let pairs = pairs::changed_pairs(settings).into_iter();
    pairs.map(|(key, text)| format!("{key}={text}")).collect::<Vec<_>>().join("&")
}

#[test]
fn switches_choices_seeds_and_lists_are_rows_like_any_other() {
    assert_eq!(print(&Settings::default()), "");
    for text in [
        "b=1",
        "a=0",
        "a=0&b=1",
        "u=2",
        "u=2&h=1",
        "r=code&s=4294967295",
        "x=-2..3x6",
        "x=0.1,999999,-1.5",
        "x=100000..100003x4",
        "u=99&h=50&r=code&a=0&b=1&s=7&x=2,1",
    ] {
        let (settings, changes) = read(text);
        assert!(changes.is_empty(), "{text}: {changes:?}");
        assert_eq!(print(&settings), text);
        assert_eq!(check::<Settings>(&settings.draft()), Ok(settings.clone()));
    }
    // Where another value follows from them, it need not be said.
    assert_eq!(print(&read("u=2&h=2").0), "u=2");
}

#[test]
fn what_cannot_be_used_is_said() {
    for (text, used, sentence) in [
        ("h=9", "h=8", "h is \"9\"; allowed: a whole number from 1 to 8; 8 is used"),
        ("r=both", "", "r is \"both\"; allowed: one of text, code; text is used"),
        ("a=perhaps", "", "a is \"perhaps\"; allowed: 0 or 1; 1 is used"),
        ("b=perhaps", "", "b is \"perhaps\"; allowed: 0 or 1; 0 is used"),
        ("x=-3,5", "x=5", "x is \"-3,5\"; allowed: a list of 1 to 6 numbers from -2 to below 1000000; 5 is used"),
        ("x=999999,2", "", "x is \"999999,2\"; depths is too deep; allowed: a sum up to 1000000; 1 is used"),
        ("y=1", "", "y is \"1\"; there is no such key; it is left out"),
    ] {
        let (settings, changes) = read(text);
        assert_eq!((print(&settings).as_str(), changes), (used, vec![sentence.to_owned()]));
    }
    let draft = Toy { heads: Some(9.0), depths: Some(vec![]), ..Toy::default() };
    let problems = check::<Settings>(&draft).unwrap_err();
    let said: Vec<&str> = problems.0.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        said,
        ["heads is 9; allowed: a whole number from 1 to 8", "depths is a list of 0; allowed: 1 to 6 depths"]
    );
    let mut other = Toy::default();
    assert!(!other.set("first", Value::Number(1.0)) && !other.set("third", Value::Switch(true)));
}

#[test]
fn names_of_files_tell_every_row_apart() {
    let stem = |text: &str| file_name::file_stem(&read(text).0, |_| None);
    assert_eq!(stem(""), "");
    assert_eq!(stem("u=9&b=1"), "-x9-x");
    assert_eq!(stem("a=0"), "-x-off");
    assert_eq!(stem("x=1,2.5"), "-x1_2.5");
    assert!(stem("x=1,2,3,4").starts_with("-4x-"));
    assert_eq!(file_name::file_stem(&read("s=3").0, |_| None), "-x3");
    let instead = |field: &str| (field == "seed").then(|| "-9seeds".to_owned());
    assert_eq!(file_name::file_stem(&read("s=3").0, instead), "-9seeds");
}
