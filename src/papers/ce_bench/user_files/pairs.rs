use std::collections::HashMap;

use super::report::{MarksSource, ReadingMeans, ReadingScores, UserPair, UserReport};
use super::tags::UntaggedStory;
use crate::io::json::{JsonNode, parse, parse_lines};
use crate::io::{EscapedText, IoError};
use crate::papers::ce_bench::metric::{PairError, Reading, StoryLatents, score_pair};
use crate::papers::ce_bench::score_bound;
use crate::study::user_file::{ArrayReader, GivenRow, UserArray, UserFile, UserFileError, check_sizes, split_words};

/// What files are understood, for refusals.
const ALLOWED_FILES: &str = "names with a or b (story1, story2), marks beside them, and the pair's number, such as 0_a and \
    0_marks_a; a .json or .jsonl of stories";
/// Most entries of a file of stories.
const ENTRIES_MAX: usize = 50_000;

/// Words of names, by what they say.
const FIRST_STORY_WORDS: [&str; 4] = ["a", "story1", "marks1", "first"];
const SECOND_STORY_WORDS: [&str; 4] = ["b", "story2", "marks2", "second"];
const MARKS_WORDS: [&str; 7] = ["marks", "marked", "mark", "mask", "masks", "marks1", "marks2"];
/// Words that say nothing of which pair it is.
const IGNORED_WORDS: [&str; 6] = ["pair", "pairs", "acts", "activations", "latents", "codes"];

/// What an array's name says.
#[derive(Debug, PartialEq, Eq)]
struct ArrayName {
    story: Option<usize>,
    marks: bool,
    pair: String,
}

impl ArrayName {
    fn parse(name: &str) -> Self {
        let words = split_words(name);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let story = match (has(&FIRST_STORY_WORDS), has(&SECOND_STORY_WORDS)) {
            (true, false) => Some(0),
            (false, true) => Some(1),
            _ => None,
        };
        let spent = [&FIRST_STORY_WORDS[..], &SECOND_STORY_WORDS, &MARKS_WORDS, &IGNORED_WORDS].concat();
        let left: Vec<&str> = words.iter().map(String::as_str).filter(|word| !spent.contains(word)).collect();
        Self { story, marks: has(&MARKS_WORDS), pair: left.join("_") }
    }

    /// By an array's own name, and where that is silent by its file's.
    fn from_array(array: &UserArray) -> Self {
        let (own, file) = (Self::parse(&array.name), Self::parse(&array.file_stem));
        Self {
            story: own.story.or(file.story),
            marks: own.marks || file.marks,
            pair: if own.pair.is_empty() { file.pair } else { own.pair },
        }
    }
}

/// The arrays of a pair.
#[derive(Debug, Default)]
struct PairArrays {
    name: String,
    stories: [Option<UserArray>; 2],
    marks: [Option<UserArray>; 2],
}

/// An entry of a file of stories.
#[derive(Debug)]
struct StoryEntry {
    stories: [String; 2],
    tokens: [Option<Vec<String>>; 2],
    subject: Option<String>,
    /// Whether it has the story that no score uses.
    neutral: bool,
}

/// Scores pairs of stories in every reading that their files allow.
///
/// The data set's mean that the abstract's reading takes is that of all tokens of all stories given.
///
/// # Errors
/// [`UserFileError`]: files that are refused, contradict one another or whose names say nothing; pairs of which a
/// story is missing or has other latents than the first.
///
/// # Examples
/// ```
/// use sfc_bench::papers::ce_bench::user_files::score_files;
/// use sfc_bench::study::user_file::UserFile;
///
/// let file = |name: &str, text: &str| UserFile { name: name.into(), bytes: text.into() };
/// let report = score_files(vec![
///     file("0_a.csv", "1,0,0\n3,0,0\n"),
///     file("0_b.csv", "0,0,0\n0,0,1\n"),
///     file("stories.json", r#"[{"story1": "so <subject>brave</subject>", "story2": "so shy"}]"#),
/// ])?;
/// let v1 = &report.readings[0];
/// assert_eq!((v1.reading.name(), v1.pairs), ("v1_marked", 1));
/// assert_eq!(report.pairs[0].marked, Some([1, 0]));
/// assert_eq!(report.pairs[0].scores[3].contrastive, Some(2.0));
/// # Ok::<(), sfc_bench::study::user_file::UserFileError>(())
/// ```
pub fn score_files(files: Vec<UserFile>) -> Result<UserReport, UserFileError> {
    check_sizes(&files, ALLOWED_FILES)?;
    let (mut told, mut notes) = (Vec::new(), Vec::new());
    let mut reader = ArrayReader::new();
    let mut pairs = PairCollector::default();
    let mut entries: Option<(String, Vec<StoryEntry>)> = None;
    for file in files {
        let (name, lower) = (file.name.clone(), file.name.to_ascii_lowercase());
        if lower.ends_with(".json") || lower.ends_with(".jsonl") {
            let read = read_entries(&file, lower.ends_with(".jsonl"))?;
            if let Some((first, _)) = entries {
                return Err(UserFileError::duplicate("stories", first, name));
            }
            told.push(GivenRow::new(&name, "stories", None));
            entries = Some((name, read));
            continue;
        }
        told.push(reader.classify_arrays(file, ALLOWED_FILES, &mut notes, |array| pairs.add_array(array))?);
    }
    notes.extend(reader.notes);
    let pairs = pairs.into_sorted();
    let latents = check_shapes(&pairs)?;
    let chosen = match &entries {
        None => vec![None; pairs.len()],
        Some((file, entries)) => {
            if entries.iter().any(|entry| entry.neutral) {
                notes.push(format!("{file}: story0 is used by no score."));
            }
            match_entries(file, entries, &pairs)?
        }
    };
    let file = entries.as_ref().map_or("", |(file, _)| file.as_str());
    let mut all = Vec::with_capacity(pairs.len());
    for (pair, entry) in pairs.iter().zip(chosen) {
        all.push(PairMarks::find(pair, entry, file, &mut notes)?);
    }
    let mean = mean_activations(&pairs, latents);
    let scored = pairs.iter().zip(&all);
    let scored = scored.map(|(pair, marked)| marked.score(pair, latents, &mean));
    let scored = scored.collect::<Result<Vec<_>, _>>()?;
    let readings = Reading::ALL.map(|reading| mean_scores(reading, &scored, latents)).to_vec();
    Ok(UserReport { files: told, latents, readings, pairs: scored, notes })
}

/// Pairs by name, in the order in which they came.
#[derive(Default)]
struct PairCollector {
    all: Vec<PairArrays>,
    places: HashMap<String, usize>,
}

impl PairCollector {
    /// Keeps an array for what its name says it is; nothing where that says no story.
    fn add_array(&mut self, array: UserArray) -> Result<Option<&'static str>, UserFileError> {
        let ArrayName { story: Some(story), marks, pair } = ArrayName::from_array(&array) else {
            return Ok(None);
        };
        let place = *self.places.entry(pair.clone()).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push(PairArrays { name: pair.clone(), ..PairArrays::default() });
        }
        let slots = self.all.get_mut(place).map(|found| if marks { &mut found.marks } else { &mut found.stories });
        let Some(slot) = slots.and_then(|slots| slots.get_mut(story)) else { return Ok(None) };
        let role = if marks { "marks" } else { "activations" };
        if let Some(first) = slot {
            let what = format!("{role} of story {} of pair {pair:?}", story + 1);
            return Err(UserFileError::duplicate(what, &first.label, array.label));
        }
        *slot = Some(array);
        Ok(Some(role))
    }

    /// By their numbers where all names are numbers.
    fn into_sorted(self) -> Vec<PairArrays> {
        let mut all = self.all;
        if all.iter().all(|pair| pair.name.parse::<usize>().is_ok()) {
            all.sort_by_key(|pair| pair.name.parse::<usize>().unwrap_or(0));
        }
        all
    }
}

/// Holds shapes against each other; the number of latents.
fn check_shapes(pairs: &[PairArrays]) -> Result<usize, UserFileError> {
    let mut latents = None;
    for pair in pairs {
        for (index, story) in pair.stories.iter().enumerate() {
            let Some(array) = story else {
                let name = if pair.name.is_empty() { "the pair".to_owned() } else { format!("pair {}", pair.name) };
                return Err(UserFileError::missing(
                    format!("activations of story {} of {name}", index + 1),
                    "both stories of a pair are needed, tokens × latents",
                ));
            };
            let (_, cols) = array.file_shape();
            let expected = *latents.get_or_insert(cols);
            if cols != expected {
                let allowed = format!("{expected} columns, as the first story has latents");
                return Err(array.shape_error(allowed));
            }
        }
        for (marks, story) in pair.marks.iter().zip(&pair.stories) {
            let (Some(marks), Some(story)) = (marks, story) else { continue };
            let (tokens, _) = story.file_shape();
            if marks.values.len() != tokens {
                return Err(marks.shape_error(format!("{tokens} marks, one a token of {}", story.label)));
            }
            if let Some(at) = marks.values.iter().position(|mark| mark != 0.0 && mark != 1.0) {
                let value = marks.values.get_shortest_decimal(at).unwrap_or(f64::NAN).to_string();
                return Err(marks.entry_error(at, marks.cols, &value, "0 or 1"));
            }
        }
        if let [Some(one), None] | [None, Some(one)] = &pair.marks {
            return Err(UserFileError::missing(
                format!("marks of the other story beside {}", one.label),
                "marks of both stories, or of none, are needed",
            ));
        }
    }
    latents.ok_or_else(|| {
        let allowed = "those of both stories of a pair are needed, tokens × latents";
        UserFileError::missing("activations", allowed)
    })
}

/// Pairs of stories as the data set has them, with what each contrasts: a `.json` or `.jsonl` as [`score_files`] takes it, or a
/// `.csv` with a header that has `story1` and `story2`, and `subject` if it is there.
///
/// # Errors
/// [`UserFileError`].
pub fn read_story_pairs(file: &UserFile) -> Result<Vec<(String, [String; 2])>, UserFileError> {
    let name = file.name.to_ascii_lowercase();
    if !name.ends_with(".csv") {
        let all = read_entries(file, name.ends_with(".jsonl"))?;
        let named = |entry: StoryEntry| (entry.subject.unwrap_or_default(), entry.stories);
        return Ok(all.into_iter().map(named).collect());
    }
    let wrong = |line: u64, found: String, allowed: &str| IoError::text(&file.name, line, found, allowed);
    let mut reader = csv::ReaderBuilder::new().from_reader(file.bytes.as_slice());
    let header = reader.headers().map_err(|error| wrong(1, error.to_string(), "UTF-8"))?.clone();
    let place = |name: &str| header.iter().position(|column| column.trim() == name);
    let (Some(first), Some(second)) = (place("story1"), place("story2")) else {
        let found = header.iter().take(20).collect::<Vec<_>>().join(",");
        return Err(wrong(1, found, "a header with story1 and story2").into());
    };
    let mut all = Vec::new();
    for row in reader.records() {
        let line = |position: Option<&csv::Position>| position.map_or(0, csv::Position::line);
        let row =
            row.map_err(|error| wrong(line(error.position()), error.to_string(), "rows as wide as the header"))?;
        if all.len() == ENTRIES_MAX {
            let allowed = format!("at most {ENTRIES_MAX} pairs");
            return Err(wrong(line(row.position()), "one more".to_owned(), &allowed).into());
        }
        let cell = |at: usize| row.get(at).unwrap_or_default().to_owned();
        let subject = place("subject").map(cell).unwrap_or_default();
        all.push((subject, [cell(first), cell(second)]));
    }
    Ok(all)
}

/// Entries of a file of stories.
fn read_entries(file: &UserFile, by_line: bool) -> Result<Vec<StoryEntry>, UserFileError> {
    let mut entries = Vec::new();
    let many = |found: usize| {
        let (found, allowed) = (format!("{found} entries"), format!("1 to {ENTRIES_MAX}"));
        IoError::field(&file.name, "the whole of it", found, allowed)
    };
    if by_line {
        for line in parse_lines(&file.name, &file.bytes) {
            let (number, json) = line?;
            let place = JsonNode::root(&file.name, &json).child(format!("line {number}"), &json);
            entries.push(read_entry(&place)?);
            if entries.len() > ENTRIES_MAX {
                return Err(many(entries.len()).into());
            }
        }
    } else {
        let json = parse(&file.name, &file.bytes)?;
        let whole = JsonNode::root(&file.name, &json);
        let list = whole.as_list("a list of entries with story1 and story2")?;
        if list.len() > ENTRIES_MAX {
            return Err(many(list.len()).into());
        }
        for (index, value) in list.iter().enumerate() {
            entries.push(read_entry(&whole.child(index, value))?);
        }
    }
    if entries.is_empty() { Err(many(0).into()) } else { Ok(entries) }
}

fn read_entry(place: &JsonNode<'_>) -> Result<StoryEntry, IoError> {
    place.as_object("an object with story1 and story2")?;
    let story = |name: &str| place.get(name)?.as_text().map(str::to_owned);
    let tokens = |name: &str| -> Result<Option<Vec<String>>, IoError> {
        let Some(found) = place.get_optional(name)? else { return Ok(None) };
        let all = found.as_list("a list of tokens, as strings")?.iter().enumerate();
        all.map(|(at, token)| found.child(at, token).as_text().map(str::to_owned)).collect::<Result<_, _>>().map(Some)
    };
    let subject = place.get_non_null("subject")?;
    let subject = subject.map(|found| found.as_text().map(str::to_owned)).transpose()?;
    Ok(StoryEntry {
        stories: [story("story1")?, story("story2")?],
        tokens: [tokens("tokens1")?, tokens("tokens2")?],
        subject,
        neutral: place.get_optional("story0")?.is_some(),
    })
}

/// The entry of each pair: by the pair's number, or else in order.
fn match_entries<'a>(
    file: &str,
    entries: &'a [StoryEntry],
    pairs: &[PairArrays],
) -> Result<Vec<Option<&'a StoryEntry>>, UserFileError> {
    let wrong = |allowed: String| UserFileError::value(file, "entries", entries.len().to_string(), allowed);
    let numbers: Option<Vec<usize>> = pairs.iter().map(|pair| pair.name.parse().ok()).collect();
    match numbers {
        Some(numbers) => numbers
            .into_iter()
            .map(|number| {
                let missing = || wrong(format!("one for pair {number}, counted from 0"));
                entries.get(number).map(Some).ok_or_else(missing)
            })
            .collect(),
        None if entries.len() == pairs.len() => Ok(entries.iter().map(Some).collect()),
        None => Err(wrong(format!("{}, one a pair", pairs.len()))),
    }
}

/// What is known of a pair besides its activations.
struct PairMarks {
    subject: Option<String>,
    marks: Option<([Vec<bool>; 2], MarksSource)>,
    why: Option<String>,
}

impl PairMarks {
    fn find(
        pair: &PairArrays,
        entry: Option<&StoryEntry>,
        file: &str,
        notes: &mut Vec<String>,
    ) -> Result<Self, UserFileError> {
        let subject = entry.and_then(|entry| entry.subject.clone());
        if let [Some(a), Some(b)] = &pair.marks {
            let marks = [a, b].map(|array| array.values.iter().map(|mark| mark == 1.0).collect());
            return Ok(Self { subject, marks: Some((marks, MarksSource::Arrays)), why: None });
        }
        let Some(entry) = entry else {
            let why = "marks were not given, nor stories with tags".to_owned();
            return Ok(Self { subject, marks: None, why: Some(why) });
        };
        let mut marks = [Vec::new(), Vec::new()];
        let mut from = MarksSource::Words;
        let each = entry.stories.iter().zip(&entry.tokens).zip(&pair.stories).zip(&mut marks);
        for (index, (((story, tokens), array), marks)) in each.enumerate() {
            let untagged = UntaggedStory::parse(story);
            let name = format!("pair {}, story {}", pair.name, index + 1);
            if untagged.has_unclosed_tag {
                let name = EscapedText(&name);
                notes.push(format!("{file}, {name}: a tag is not closed; what follows is marked, as in the code."));
            }
            if !untagged.has_tags() {
                let name = EscapedText(&name);
                notes.push(format!("{file}, {name}: it has no tags."));
            }
            let rows = array.as_ref().map_or(0, |array| array.file_shape().0);
            let (mut found, what) = match tokens {
                Some(tokens) => {
                    from = MarksSource::Tokens;
                    let found = untagged.token_marks(tokens.iter().map(String::as_str));
                    let found = found.map_err(|at| {
                        let token = tokens.get(at).map_or("", String::as_str);
                        let (field, found) = (format!("{name}, token {at}"), format!("{token:?}"));
                        let allowed = "what comes next in the story without its tags";
                        UserFileError::value(file, field, found, allowed)
                    })?;
                    (found, "tokens")
                }
                None => (untagged.word_marks(), "words"),
            };
            if found.len() + 1 == rows {
                // The begin of the text has a row, too.
                found.insert(0, false);
            }
            if found.len() != rows {
                let why = format!(
                    "story {} has {} {what} and its activations {rows} rows: which of them are marked is not \
                     known without marks, or the tokens",
                    index + 1,
                    found.len()
                );
                return Ok(Self { subject, marks: None, why: Some(why) });
            }
            *marks = found;
        }
        Ok(Self { subject, marks: Some((marks, from)), why: None })
    }

    fn score(&self, pair: &PairArrays, latents: usize, mean: &[f64]) -> Result<UserPair, UserFileError> {
        let values = pair
            .stories
            .each_ref()
            .map(|story| story.as_ref().map_or_else(Vec::new, |array| array.values.iter().collect::<Vec<f64>>()));
        let tokens = values.each_ref().map(|values| values.len() / latents.max(1));
        let none = tokens.map(|tokens| vec![false; tokens]);
        let marks = self.marks.as_ref().map_or(&none, |(marks, _)| marks);
        let [one, other] = &values;
        let [marks_one, marks_other] = marks;
        let stories =
            [StoryLatents { latents: one, marks: marks_one }, StoryLatents { latents: other, marks: marks_other }];
        let marked = |reading: Reading| matches!(reading, Reading::V1Marked | Reading::Readme);
        let mut found = Vec::new();
        for reading in Reading::ALL {
            if marked(reading) && self.marks.is_none() {
                continue;
            }
            let scored = score_pair(stories, latents, mean, reading);
            let scored = scored.map_err(|error: PairError| {
                let first = pair.stories.iter().flatten().next();
                let file = first.map_or("", |array| &array.label);
                let (field, allowed) = (format!("pair {}", pair.name), "two stories of finite activations");
                UserFileError::value(file, field, error.to_string(), allowed)
            })?;
            found.push(ReadingScores::from_scores(reading, &scored));
        }
        let count = |marks: &Vec<bool>| marks.iter().filter(|mark| **mark).count();
        Ok(UserPair {
            pair: pair.name.clone(),
            subject: self.subject.clone(),
            tokens,
            marked: self.marks.as_ref().map(|(marks, _)| marks.each_ref().map(count)),
            marks_from: self.marks.as_ref().map(|(_, from)| *from),
            scores: found,
            why: self.why.clone(),
        })
    }
}

/// The mean of all tokens of all stories.
fn mean_activations(pairs: &[PairArrays], latents: usize) -> Vec<f64> {
    let (mut sums, mut tokens) = (vec![0.0; latents], 0_usize);
    let stories = pairs.iter().flat_map(|pair| pair.stories.iter().flatten());
    for array in stories {
        for (at, value) in array.values.iter().enumerate() {
            if let Some(sum) = sums.get_mut(at % latents.max(1)) {
                *sum += value;
            }
        }
        tokens += array.values.len().checked_div(latents).unwrap_or(0);
    }
    sums.iter_mut().for_each(|sum| *sum /= tokens.max(1) as f64);
    sums
}

/// Means of the pairs' scores in one reading.
fn mean_scores(reading: Reading, pairs: &[UserPair], latents: usize) -> ReadingMeans {
    let scored: Vec<&ReadingScores> =
        pairs.iter().flat_map(|pair| pair.scores.iter().filter(|scores| scores.reading == reading)).collect();
    let mean = |value: fn(&ReadingScores) -> Option<f64>| {
        let values: Option<Vec<f64>> = scored.iter().map(|scores| value(scores)).collect();
        let values = values.filter(|values| !values.is_empty())?;
        Some(values.iter().sum::<f64>() / values.len() as f64)
    };
    let contrastive = mean(|scores| scores.contrastive);
    let independence = mean(|scores| scores.independence);
    let interpretability = mean(|scores| scores.interpretability);
    // With one latent there is nothing to stand out from.
    let bound = score_bound(reading, latents).filter(|bound| *bound > 0.0);
    let share = |score: Option<f64>| score.zip(bound).map(|(score, bound)| score / bound);
    let why = if scored.is_empty() {
        pairs.iter().find_map(|pair| pair.why.clone())
    } else if scored.len() < pairs.len() {
        Some(format!("{} of {} pairs have marks", scored.len(), pairs.len()))
    } else if contrastive.is_none() {
        Some("with one latent the deviation over latents is no number".to_owned())
    } else {
        None
    };
    ReadingMeans {
        reading,
        reads_marks: reading.reads_marks(),
        pairs: scored.len(),
        contrastive,
        independence,
        interpretability,
        bound,
        contrastive_share: share(contrastive),
        independence_share: share(independence),
        interpretability_share: share(interpretability),
        why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_an_array_is() {
        let told = |name: &str| {
            let ArrayName { story, marks, pair } = ArrayName::parse(name);
            (story, marks, pair)
        };
        for (name, story, marks, pair) in [
            ("0_a", Some(0), false, "0"),
            ("pair-12.story2", Some(1), false, "12"),
            ("marks_b", Some(1), true, ""),
            ("0.marked.a", Some(0), true, "0"),
            ("marks1_7", Some(0), true, "7"),
            ("a_b", None, false, ""),
            ("story0_3", None, false, "story0_3"),
            ("bravery_A", Some(0), false, "bravery"),
        ] {
            assert_eq!(told(name), (story, marks, pair.to_owned()), "{name}");
        }
    }
}
