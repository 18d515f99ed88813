use serde::Serialize;

use super::{Problem, Range, Value, format_refused};

/// One knob of a study, as one row. Whatever has to know the knob reads it here: the limits and the
/// check of a draft, the form, a link, the command line, the attributes of an element, and the names of
/// files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Its name in a draft and in refusals; with hyphens, that of its flag on the command line.
    pub name: &'static str,
    /// Its key in a link, which is its attribute on an element too.
    pub key: &'static str,
    /// The part of the form that it stands in.
    pub group: FormGroup,
    /// What the form calls it.
    pub label: &'static str,
    /// What it is, without a full stop.
    pub help: &'static str,
    /// What it may hold.
    pub kind: FieldKind,
    /// What a file's name says of it.
    pub name_part: NamePart,
}

/// A part of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormGroup {
    /// Its name, as in the page's `group-network`.
    pub name: &'static str,
    /// What the command line's help calls it.
    pub heading: &'static str,
}

/// What a field may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldKind {
    /// A word that stands for several other fields at once, or, the last of them, for none that has a
    /// name.
    Preset(&'static [Choice]),
    /// A number in a range.
    Number(Range),
    /// A whole number from 1 to what another field holds; the range is the widest.
    Within(Range, &'static str),
    /// A seed: one 32-bit word.
    Seed,
    /// One of a few words.
    Choice(&'static [Choice]),
    /// On or off; off where it is missing.
    Switch,
    /// Numbers in an order.
    List(ListSpan),
    /// Weights of several axes: each 0, or from the least to the most; not all of them 0.
    Weights {
        /// The axes, in order.
        axes: &'static [&'static str],
        /// The smallest weight that is not 0.
        least: f64,
        /// The largest weight.
        most: f64,
    },
}

/// A word that a field may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FieldChoice"))]
pub struct Choice {
    /// As a draft, a link and the command line have it.
    #[serde(rename = "value")]
    pub word: &'static str,
    /// As the form has it.
    pub label: &'static str,
    /// What it means.
    pub help: &'static str,
}

/// A choice with its label and what it means.
pub const fn choice(word: &'static str, label: &'static str, help: &'static str) -> Choice {
    Choice { word, label, help }
}

/// A choice before others.
pub const fn prepend_choice<const N: usize, const M: usize>(first: Choice, rest: [Choice; N]) -> [Choice; M] {
    let mut choices = [first; M];
    let mut at = 0;
    while at < N {
        choices[at + 1] = rest[at];
        at += 1;
    }
    choices
}

/// Choices of which each is its own label.
pub const fn choices_from_words<const N: usize>(words: [&'static str; N]) -> [Choice; N] {
    let mut choices = [choice("", "", ""); N];
    let mut at = 0;
    while at < N {
        choices[at] = choice(words[at], words[at], "");
        at += 1;
    }
    choices
}

/// What a list may hold: up to so many numbers from a least one up to below another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListSpan {
    /// The least number.
    pub min: f64,
    /// The end of the range, which is not in it.
    pub upper_bound: f64,
    /// Most numbers.
    pub count_max: usize,
}

/// What the name of a file says of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamePart {
    /// Its place among the others.
    pub rank: u8,
    /// What stands before its value: `-k` of `-k48`.
    pub prefix: &'static str,
    /// When it is there.
    pub condition: NameCondition,
}

/// A part that is there where its value is not the study's own.
pub const fn part_if_changed(rank: u8, lead: &'static str) -> NamePart {
    NamePart { rank, prefix: lead, condition: NameCondition::Changed }
}

/// When a file's name says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameCondition {
    /// Always.
    Always,
    /// Where it is not the study's own value.
    Changed,
    /// Where no preset's name says it.
    Unnamed,
}

/// What a field that holds numbers may hold, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Limit {
    /// The field's name.
    pub field: &'static str,
    /// The smallest value.
    pub min: f64,
    /// The largest value; not itself allowed where `below` says so.
    pub max: f64,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
    /// Whether values must lie below `max`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "types", ts(as = "Option<bool>", optional))]
    pub below: bool,
    /// The smallest value that is not 0, where there is a gap.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub least: Option<f64>,
    /// Fewest and most values, of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub count: Option<[usize; 2]>,
    /// All of it, in words.
    pub allowed: String,
}

/// A field as a form has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct FormField {
    /// Its name in the settings.
    pub name: &'static str,
    /// Its key in a link, and its attribute on an element.
    pub key: &'static str,
    /// The part of the form that it stands in.
    pub group: &'static str,
    /// What kind of input it takes.
    #[cfg_attr(
        feature = "types",
        ts(type = "'preset' | 'number' | 'seed' | 'choice' | 'switch' | 'list' | 'weights'")
    )]
    pub kind: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What it is, in a sentence.
    pub help: String,
    /// The words that it may hold, if it holds words.
    pub options: &'static [Choice],
    /// What its numbers may be, if it holds numbers.
    pub limit: Option<Limit>,
}

impl Field {
    /// The row of a form.
    #[must_use]
    pub fn to_form_field(&self) -> FormField {
        let kind = match self.kind {
            FieldKind::Preset(_) => "preset",
            FieldKind::Number(_) | FieldKind::Within(..) => "number",
            FieldKind::Seed => "seed",
            FieldKind::Choice(_) => "choice",
            FieldKind::Switch => "switch",
            FieldKind::List(_) => "list",
            FieldKind::Weights { .. } => "weights",
        };
        FormField {
            name: self.name,
            key: self.key,
            group: self.group.name,
            kind,
            label: self.label,
            help: format!("{}.", self.help),
            options: self.choices(),
            limit: self.limit(),
        }
    }

    /// Its flag on the command line, without the hyphens before it.
    #[must_use]
    pub fn flag_name(&self) -> String {
        self.name.replace('_', "-")
    }

    /// The words that it may hold; none where it holds something else.
    #[must_use]
    pub fn choices(&self) -> &'static [Choice] {
        match self.kind {
            FieldKind::Preset(choices) | FieldKind::Choice(choices) => choices,
            _ => &[],
        }
    }

    /// The range of a field that is one number, where another field bounds it by `most`.
    #[must_use]
    pub fn range(&self, most: Option<f64>) -> Option<Range> {
        match self.kind {
            FieldKind::Number(range) => Some(range),
            FieldKind::Within(range, _) => Some(Range { max: most.unwrap_or(range.max), ..range }),
            FieldKind::Seed => Some(Range::seed(self.name)),
            _ => None,
        }
    }

    /// What it may hold, in numbers; none where it holds none.
    #[must_use]
    #[inline(never)]
    pub fn limit(&self) -> Option<Limit> {
        let limit = |min: f64, max: f64, whole: bool| Limit {
            field: self.name,
            min,
            max,
            whole,
            below: false,
            least: None,
            count: None,
            allowed: self.describe_allowed(None),
        };
        match self.kind {
            FieldKind::List(span) => Some(Limit {
                below: true,
                count: Some([1, span.count_max]),
                ..limit(span.min, span.upper_bound, false)
            }),
            FieldKind::Weights { axes, least, most } => {
                Some(Limit { least: Some(least), count: Some([axes.len(), axes.len()]), ..limit(0.0, most, false) })
            }
            _ => self.range(None).map(|range| limit(range.min, range.max, range.whole)),
        }
    }

    /// What it may hold, in words, where another field bounds it by `most`.
    #[must_use]
    #[inline(never)]
    pub fn describe_allowed(&self, most: Option<f64>) -> String {
        match self.kind {
            FieldKind::Preset(choices) | FieldKind::Choice(choices) => {
                format!("one of {}", choice_words(choices))
            }
            FieldKind::Switch => "0 or 1".to_owned(),
            FieldKind::List(ListSpan { min, upper_bound: below, count_max: most }) => {
                format!("a list of 1 to {most} numbers from {min} to below {below}")
            }
            FieldKind::Weights { axes, least, most } => {
                let count = count_word(axes.len());
                format!("{count} numbers, each 0 or {least:e} to {most:e}, not all 0")
            }
            _ => self.range(most).map(|range| range.describe_allowed()).unwrap_or_default(),
        }
    }

    /// The value, as settings keep it.
    ///
    /// # Errors
    /// A value that is not allowed, or of another kind.
    #[inline(never)]
    pub fn check(&self, value: &Value, most: Option<f64>) -> Result<Value, Problem> {
        let refused = |value: String, allowed: String| Err(Problem::new(self.name, value, allowed));
        match (self.kind, value) {
            (FieldKind::Preset(choices) | FieldKind::Choice(choices), Value::Word(word)) => {
                if choices.iter().any(|choice| choice.word == word) {
                    return Ok(Value::Word(word.clone()));
                }
                refused(format!("{word:?}"), choice_words(choices))
            }
            (FieldKind::Switch, Value::Switch(on)) => Ok(Value::Switch(*on)),
            (FieldKind::List(span), Value::List(values)) => {
                if values.is_empty() || values.len() > span.count_max {
                    let allowed = format!("1 to {} {}", span.count_max, self.name);
                    return refused(format!("a list of {}", values.len()), allowed);
                }
                match values.iter().find(|value| !span.contains(**value)) {
                    Some(bad) => {
                        let ListSpan { min, upper_bound: below, .. } = span;
                        let allowed = format!("numbers from {min} up to, but not including, {below}");
                        refused(format_refused(*bad), allowed)
                    }
                    None => Ok(Value::List(without_signed_zeros(values))),
                }
            }
            (FieldKind::Weights { axes, least, most }, Value::List(values)) => {
                let count = count_word(axes.len());
                if values.len() != axes.len() {
                    let allowed = format!("{count} numbers: {}", axes.join(", "));
                    return refused(format!("a list of {}", values.len()), allowed);
                }
                if are_valid_weights(values, least, most) {
                    return Ok(Value::List(without_signed_zeros(values)));
                }
                let said: Vec<String> = values.iter().map(f64::to_string).collect();
                let allowed = format!("{count} numbers from {least} to {most} or 0, not all of them 0");
                refused(said.join(", "), allowed)
            }
            (_, Value::Number(value)) => match self.range(most) {
                Some(range) => range.check(*value).map(Value::Number),
                None => refused(format_refused(*value), self.describe_allowed(most)),
            },
            _ => refused("a value of another type".to_owned(), self.describe_allowed(most)),
        }
    }
}

impl ListSpan {
    /// Whether a value lies in it.
    pub fn contains(&self, value: f64) -> bool {
        (self.min..self.upper_bound).contains(&value)
    }
}

fn choice_words(choices: &[Choice]) -> String {
    choices.iter().map(|choice| choice.word).collect::<Vec<_>>().join(", ")
}

/// Whether numbers are weights: each 0, or from the least to the most, and not all 0.
pub fn are_valid_weights(values: &[f64], least: f64, most: f64) -> bool {
    let fits = |value: &f64| *value == 0.0 || (least..=most).contains(value);
    values.iter().all(fits) && values.iter().any(|value| *value > 0.0)
}

/// −0 and 0 are the same value; one of them is kept.
fn without_signed_zeros(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value + 0.0).collect()
}

/// A small number in words.
pub fn count_word(count: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six"];
    words.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}
