/// Tags around what carries the contrast.
const OPEN_TAG: &str = "<subject>";
const CLOSE_TAG: &str = "</subject>";

/// A story without its tags.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct UntaggedStory {
    /// Its text.
    pub text: String,
    /// Where what was between tags begins and ends, in bytes.
    spans: Vec<(usize, usize)>,
    /// Whether the last tag is never closed; what follows is marked.
    pub has_unclosed_tag: bool,
}

impl UntaggedStory {
    /// Takes tags out, as the older program does: a tag opens or closes, and what does neither where it
    /// stands is text.
    pub fn parse(story: &str) -> Self {
        let mut found = Self::default();
        let (mut rest, mut from) = (story, None);
        loop {
            let tag = if from.is_none() { OPEN_TAG } else { CLOSE_TAG };
            let Some((before, after)) = rest.split_once(tag) else { break };
            found.text += before;
            rest = after;
            from = match from {
                None => Some(found.text.len()),
                Some(from) => {
                    found.mark_from(from);
                    None
                }
            };
        }
        found.text += rest;
        if let Some(from) = from {
            found.mark_from(from);
            found.has_unclosed_tag = true;
        }
        found
    }

    /// Marks what there is from a place on.
    fn mark_from(&mut self, from: usize) {
        if from < self.text.len() {
            self.spans.push((from, self.text.len()));
        }
    }

    /// Whether there was any tag.
    pub fn has_tags(&self) -> bool {
        !self.spans.is_empty()
    }

    /// Whether some of what is between two places was between tags.
    pub fn is_marked(&self, from: usize, end: usize) -> bool {
        // Spans follow one another.
        let after = self.spans.partition_point(|(_, ends)| *ends <= from);
        self.spans.get(after).is_some_and(|(begins, _)| *begins < end)
    }

    /// A mark for each word.
    pub fn word_marks(&self) -> Vec<bool> {
        let mut at = 0;
        let mark = |word: &str| {
            let rest = self.text.get(at..).unwrap_or_default();
            let from = at + rest.find(word).unwrap_or(0);
            at = from + word.len();
            self.is_marked(from, at)
        };
        self.text.split_whitespace().map(mark).collect()
    }

    /// A mark for each token, by their texts in order; the index of the first that is not found.
    ///
    /// Spaces count for nothing. A token that stands for something else than text, such as the begin of it, is
    /// in pointed or square brackets, and unmarked.
    pub fn token_marks<'a>(&self, tokens: impl Iterator<Item = &'a str>) -> Result<Vec<bool>, usize> {
        let mut at = 0;
        let mut marks = Vec::new();
        for (index, token) in tokens.enumerate() {
            // What stands for a space or a line's end in vocabularies.
            let token = token.replace(['Ġ', '▁', 'Ċ'], " ");
            let token = token.trim();
            let rest = self.text.get(at..).unwrap_or_default();
            let begins = at + (rest.len() - rest.trim_start().len());
            let rest = self.text.get(begins..).unwrap_or_default();
            // A word's later parts, in some vocabularies.
            let inner = token.strip_prefix("##").filter(|_| !rest.starts_with(token));
            let token = inner.unwrap_or(token);
            if token.is_empty() {
                marks.push(self.is_marked(at, begins.max(at + 1)));
            } else if rest.starts_with(token) {
                at = begins + token.len();
                marks.push(self.is_marked(begins, at));
            } else if is_special_token(token) {
                marks.push(false);
            } else {
                return Err(index);
            }
        }
        Ok(marks)
    }
}

/// Whether a token is of the vocabulary's own making.
fn is_special_token(token: &str) -> bool {
    let between = |open, close| token.len() > 2 && token.starts_with(open) && token.ends_with(close);
    between('<', '>') || between('[', ']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_tags_is_marked() {
        let story = UntaggedStory::parse("A <subject>very brave</subject> cat, un<subject>afraid</subject>.");
        assert_eq!(story.text, "A very brave cat, unafraid.");
        assert_eq!(story.word_marks(), [false, true, true, false, true]);
        assert!(story.has_tags() && !story.has_unclosed_tag);
        let tokens = ["<bos>", "A", "Ġvery", "▁brave", " cat", ",", " un", "##afraid", "."];
        let marks = story.token_marks(tokens.into_iter()).unwrap();
        assert_eq!(marks, [false, false, true, true, false, false, false, true, false]);
        assert_eq!(story.token_marks(["A", "dog"].into_iter()), Err(1));
    }

    #[test]
    fn tags_that_do_not_fit_are_read_as_the_program_reads_them() {
        let unclosed = UntaggedStory::parse("a <subject>b c");
        assert!(unclosed.has_unclosed_tag);
        assert_eq!(unclosed.word_marks(), [false, true, true]);
        // A closing tag outside and an opening one inside are text.
        let stray = UntaggedStory::parse("a </subject> b");
        assert_eq!((stray.text.as_str(), stray.has_tags()), ("a </subject> b", false));
        let nested = UntaggedStory::parse("<subject>a <subject> b</subject> c");
        assert_eq!(nested.word_marks(), [true, true, true, false]);
        assert_eq!(UntaggedStory::parse("").word_marks(), [false; 0]);
        let empty = UntaggedStory::parse("a<subject></subject>b <subject></subject>");
        assert_eq!(empty.word_marks(), [false]);
        assert_eq!(UntaggedStory::parse("é<subject>ß</subject>").word_marks(), [true]);
    }
}
