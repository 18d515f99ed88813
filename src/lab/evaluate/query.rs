//! What a link says of a decomposition of somebody's own: the files by their digests, never their
//! content, and what is scored of them.
//!
//! `f:cosine,c:row-space,v:total,rows:1000,activations:9f86…,weights:60303…`

use std::fmt::Write as _;

use serde::Serialize;

use super::{InputFile, RowNumbers};
use crate::io::{IoError, digest};
use crate::sae::CodesBy;
use crate::settings::pairs::{PairGrammar, PairReader};
use crate::settings::{
    Change, Field, FieldKind, FormGroup, NamePart, ParameterDraft, Problem, Range, SEED_MAX, Value, choice, fields,
    format_value, part_if_changed, read_nearest,
};

/// Longest text that names the files of a reader's own decomposition.
pub const LENGTH_MAX: usize = 640;
/// What the options of a text take of it, but for long lists of rows that are left out.
const OPTIONS_LENGTH_MAX: usize = 160;

const GRAMMAR: PairGrammar = PairGrammar {
    pair_separator: ',',
    key_value_separator: ':',
    percent_encoded: false,
    length_max: LENGTH_MAX,
    pairs_max: LENGTH_MAX,
    noun_and_unit: ("list of files", "characters"),
};

const SCORE_GROUP: FormGroup = FormGroup { name: "own", heading: "Score" };
const NAME_PART_IF_CHANGED: NamePart = part_if_changed(0, "-");

fields! {
    /// What is scored of own files, as far as a text says it.
    #[derive(Serialize)]
    pub struct ScoringOptions;
    fidelity: String, ("f", SCORE_GROUP, "F in the score", "Form of fidelity that the score takes"),
        FieldKind::Choice(&[
            choice("cosine", "mean cosine", ""),
            choice("r2", "R²", ""),
            choice("rel-mse", "1 − relative MSE", ""),
        ]), NAME_PART_IF_CHANGED;
    completeness: String, ("c", SCORE_GROUP, "C in the score", "Reading of completeness that the score takes"),
        FieldKind::Choice(&[
            choice("row-space", "row space (the paper’s)", ""),
            choice("reconstruction", "reconstruction", ""),
            choice("active-subspace", "active subspace", ""),
        ]), NAME_PART_IF_CHANGED;
    variance: String, ("v", SCORE_GROUP, "C is over", "Variance that completeness divides by"),
        FieldKind::Choice(&[
            choice("total", "the total variance", ""),
            choice("grand", "the grand variance (the paper’s)", ""),
        ]), NAME_PART_IF_CHANGED;
    codes_by: String, ("by", SCORE_GROUP, "Codes on a dictionary alone",
        "How codes are made where a dictionary comes without them"),
        FieldKind::Choice(&[
            choice("projection", "by projection, a·Wᵀ", ""),
            choice("least-squares", "by least squares", ""),
        ]), NAME_PART_IF_CHANGED;
    active_rows: f64, ("rows", SCORE_GROUP, "Most rows for the active subspace",
        "Most rows, evenly spaced, that the active-subspace reading looks at"),
        FieldKind::Number(Range { field: "active_rows", min: 1.0, max: SEED_MAX as f64, whole: true }), NAME_PART_IF_CHANGED;
    skip_zero_rows: bool, ("zeros", SCORE_GROUP, "Leave out rows of zeros", "Rows of zeros, as padding is, are not scored"),
        FieldKind::Switch, NAME_PART_IF_CHANGED;
    skip_rows: String, ("skip", SCORE_GROUP, "Leave out rows, such as 0,5-9",
        "Rows that are not scored, by their numbers from 0"),
        FieldKind::Choice(&[]), NAME_PART_IF_CHANGED;
    skip_norm_above: f64, ("norm", SCORE_GROUP, "Leave out rows longer than so many times the median",
        "Rows that are longer than so many times the median length are not scored"),
        FieldKind::Number(Range { field: "skip_norm_above", min: 1.0, max: 1e6, whole: false }), NAME_PART_IF_CHANGED;
}

/// What a text says of own files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ParsedQuery {
    /// What is scored; nothing where the text does not say it, or says something else.
    pub options: ScoringOptions,
    /// The SHA-256 of each file with its role, in the order of the text.
    pub files: Vec<(String, String)>,
    /// What of the text could not be used.
    pub changes: Vec<Change>,
}

/// Everything that is not allowed of options as somebody typed them, in the order of [`FIELDS`].
#[must_use]
pub fn find_problems(options: &ScoringOptions) -> Vec<Problem> {
    let problem = |field: &Field| match (field.name, options.get(field.name)?) {
        ("codes_by", Value::Word(by)) => by.parse::<CodesBy>().err(),
        ("skip_rows", Value::Word(rows)) => {
            let refused = rows.parse::<RowNumbers>().is_err();
            refused.then(|| Problem::new(field.name, rows, RowNumbers::ALLOWED_DESCRIPTION))
        }
        (_, value) => field.check(&value, None).err(),
    };
    FIELDS.iter().filter_map(problem).collect()
}

/// Reads such a text, whatever it is.
#[must_use]
pub fn parse(text: &str) -> ParsedQuery {
    let mut changes = Vec::new();
    let items = PairReader::truncate(&GRAMMAR, text, &mut changes).split(GRAMMAR.pair_separator);
    let mut reader = PairReader::new(&GRAMMAR, items, changes);
    let mut options = ScoringOptions::default();
    for field in &FIELDS {
        let Some(found) = reader.take(field.key) else { continue };
        // How many of the largest codes are kept is part of the word.
        if field.name == "codes_by"
            && let Ok(by @ CodesBy::Top(_)) = found.parse()
        {
            options.codes_by = Some(by.to_string());
            continue;
        }
        // Commas are between pairs.
        if field.name == "skip_rows"
            && let Ok(rows) = found.replace('.', ",").parse::<RowNumbers>()
        {
            options.skip_rows = Some(rows.to_string());
            continue;
        }
        let (value, whole) = read_nearest(&found, field, None);
        if !whole {
            let used = value.as_ref().map(|value| format_value(value, field)).unwrap_or_default();
            reader.record_refusal(field.key, &found, &field.describe_allowed(None), &used);
        }
        if let Some(value) = value {
            options.set(field.name, value);
        }
    }
    let keys: Vec<String> = reader.unread_pairs().map(|(key, _)| key.to_owned()).collect();
    let mut files = Vec::new();
    for role in keys.into_iter().filter(|role| is_role(role)) {
        match reader.take(&role) {
            Some(digest) if is_digest(&digest) => files.push((role, digest)),
            Some(other) => reader.record_refusal(&role, &other, "64 digits and letters from a to f", ""),
            None => {}
        }
    }
    let changes = reader.finish(|_| "there is no such key".to_owned());
    ParsedQuery { options, files, changes }
}

/// The text of options and files; none where a file's role or digest cannot stand in it, or where it
/// would be longer than [`LENGTH_MAX`].
#[must_use]
pub fn to_text(options: &ScoringOptions, files: &[(String, String)]) -> Option<String> {
    let mut out = String::new();
    let mut push = |key: &str, value: &str| {
        let comma = if out.is_empty() { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(out, "{comma}{key}:{value}");
    };
    for field in &FIELDS {
        if let Some(value) = options.get(field.name) {
            push(field.key, &format_value(&value, field).replace(',', "."));
        }
    }
    for (role, digest) in files {
        if !is_role(role) || !is_digest(digest) {
            return None;
        }
        push(role, digest);
    }
    (out.len() <= LENGTH_MAX).then_some(out)
}

/// The roles of a report's files, as a text has them, with their SHA-256; without those whose digest was not taken.
///
/// Each of several files of activations is there under its number (`activations-2`); where these are more than a text has
/// room for beside its options, there is one digest, that of all theirs in turn, a line each: `activations-of-12-files`.
///
/// # Errors
/// [`IoError`] where digests cannot be taken of these.
pub fn file_digests(files: &[InputFile]) -> Result<Vec<(String, String)>, IoError> {
    const ACTIVATIONS: &str = "activations";
    let known = files.iter().filter_map(|file| Some((file.role.as_str(), file.sha256.clone()?)));
    let (acts, others): (Vec<_>, Vec<_>) = known.partition(|(role, _)| *role == ACTIVATIONS);
    let acts: Vec<String> = acts.into_iter().map(|(_, digest)| digest).collect();
    let others = others.into_iter().map(|(role, digest)| (role.replace(' ', "-"), digest));
    let others: Vec<(String, String)> = others.collect();
    let numbered = |at: usize| match at {
        0 => ACTIVATIONS.to_owned(),
        at => format!("{ACTIVATIONS}-{}", at + 1),
    };
    let each = acts.iter().enumerate().map(|(at, digest)| (numbered(at), digest.clone()));
    let all: Vec<(String, String)> = each.chain(others.iter().cloned()).collect();
    let room: usize = all.iter().map(|(role, digest)| role.len() + digest.len() + 2).sum();
    if acts.len() < 2 || room + OPTIONS_LENGTH_MAX <= LENGTH_MAX {
        return Ok(all);
    }
    let role = format!("{ACTIVATIONS}-of-{}-files", acts.len());
    let of_all = digest("", &acts.join("\n").into_bytes())?;
    Ok(std::iter::once((role, of_all)).chain(others).collect())
}

fn is_role(text: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && !text.starts_with(|first: char| first.is_ascii_digit()) && text.bytes().all(known)
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::evaluate::{Options, Reading, Variance};

    #[test]
    fn every_row_is_an_option_of_a_request() {
        let words = |name: &str| {
            let field = FIELDS.iter().find(|field| field.name == name).unwrap();
            field.choices().iter().map(|choice| choice.word).collect::<Vec<_>>()
        };
        assert_eq!(words("completeness"), Reading::ALL.map(Reading::name));
        for name in ["fidelity", "completeness", "variance"] {
            for word in words(name) {
                let request = serde_json::json!({ name: word });
                assert!(serde_json::from_value::<Options>(request).is_ok(), "{name} {word}");
            }
        }
        for word in words("codes_by") {
            assert!(serde_json::from_value::<CodesBy>(word.into()).is_ok(), "{word}");
        }
        assert_eq!(words("variance"), [Variance::Total, Variance::Grand].map(Variance::name));
        let usual = Options::default();
        assert_eq!([words("fidelity")[0], words("variance")[0]], ["cosine", usual.variance.name()]);
    }

    #[test]
    fn several_files_of_activations_are_named_or_told_together() {
        let file = |role: &str, digest: Option<String>| InputFile {
            role: role.to_owned(),
            file: "a".to_owned(),
            array: None,
            transposed: false,
            sha256: digest,
        };
        let sha = |at: usize| format!("{at:064x}");
        let of = |count: usize| {
            let acts = (0..count).map(|at| file("activations", Some(sha(at))));
            let files: Vec<InputFile> =
                acts.chain([file("decoder bias", Some(sha(99))), file("codes", None)]).collect();
            file_digests(&files).unwrap()
        };
        let roles =
            |found: &[(String, String)]| -> Vec<String> { found.iter().map(|(role, _)| role.clone()).collect() };
        assert_eq!(of(1), [("activations".to_owned(), sha(0)), ("decoder-bias".to_owned(), sha(99))]);
        assert_eq!(roles(&of(3)), ["activations", "activations-2", "activations-3", "decoder-bias"]);
        assert_eq!(roles(&of(9)), ["activations-of-9-files", "decoder-bias"]);
        assert_ne!(of(9)[0].1, of(10)[0].1);
        for count in [1, 3, 900] {
            let files = of(count);
            let said = to_text(&ScoringOptions::default(), &files).unwrap();
            assert_eq!(parse(&said).files, files);
        }
        assert_eq!(parse(&format!("9:{}", sha(1))).files, []);
    }

    #[test]
    fn what_is_not_allowed_is_told_by_its_option() {
        let rows = |text: &str| ScoringOptions { skip_rows: Some(text.to_owned()), ..ScoringOptions::default() };
        for text in ["0,5-9", "3", " 0 , 5 - 9"] {
            assert_eq!(find_problems(&rows(text)), [], "{text}");
        }
        for text in ["0,x", "9-5", "0,,1", "99999999999999999999", "-1", ""] {
            let found = find_problems(&rows(text));
            let [problem] = found.as_slice() else { panic!("{text}: {found:?}") };
            let told = (problem.field.as_str(), problem.value.as_str(), problem.allowed.as_str());
            assert_eq!(told, ("skip_rows", text, RowNumbers::ALLOWED_DESCRIPTION));
        }
        let options = ScoringOptions {
            codes_by: Some("top-8".to_owned()),
            active_rows: Some(0.5),
            skip_norm_above: Some(f64::NAN),
            ..ScoringOptions::default()
        };
        let fields: Vec<String> = find_problems(&options).into_iter().map(|one| one.field).collect();
        assert_eq!(fields, ["active_rows", "skip_norm_above"]);
        let options = ScoringOptions { codes_by: Some("top-0".to_owned()), ..ScoringOptions::default() };
        assert_eq!(find_problems(&options).len(), 1);
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let sha = "9f86d081".repeat(8);
        let options = ScoringOptions {
            fidelity: Some("r2".to_owned()),
            codes_by: Some("least-squares".to_owned()),
            active_rows: Some(250.0),
            ..ScoringOptions::default()
        };
        let files = vec![("activations".to_owned(), sha.clone()), ("readout-bias".into(), sha)];
        let said = to_text(&options, &files).unwrap();
        assert!(said.starts_with("f:r2,by:least-squares,rows:250,activations:9f86"));
        assert_eq!(parse(&said), ParsedQuery { options, files, changes: vec![] });
        let top = ScoringOptions { codes_by: Some("top-8".to_owned()), ..ScoringOptions::default() };
        assert_eq!(to_text(&top, &[]).unwrap(), "by:top-8");
        assert_eq!(parse("by:top-8").options, top);
        assert_eq!(parse("by:top-0").changes.len(), 1);
        let skip = ScoringOptions {
            skip_zero_rows: Some(true),
            skip_rows: Some("0,5-9".to_owned()),
            skip_norm_above: Some(10.0),
            ..ScoringOptions::default()
        };
        assert_eq!(to_text(&skip, &[]).unwrap(), "zeros:1,skip:0.5-9,norm:10");
        assert_eq!(parse("zeros:1,skip:0.5-9,norm:10").options, skip);
        assert_eq!(parse("skip:x,norm:0").changes.len(), 2);
        let other = vec![("a b".to_owned(), String::new())];
        assert_eq!(to_text(&ScoringOptions::default(), &other), None);
        let many = vec![("a".to_owned(), "0".repeat(64)); 20];
        assert_eq!(to_text(&ScoringOptions::default(), &many), None);
        let mut axes = ScoringOptions::default();
        assert!(!axes.set("fidelity", Value::Number(1.0)));
    }
}
