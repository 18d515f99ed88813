//! `tokenizer.json`, bounded while it is read: no part of it is held that is not needed.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::alphabet;
use super::{
    ADDED_BYTES_MAX, ADDED_MAX, Added, MERGES_MAX, TOKENIZER_MAX, Tokenizer, TokenizerError,
    VOCABULARY_MAX,
};
use crate::synthetic::language::Token;

#[derive(Deserialize)]
struct File {
    #[serde(default, deserialize_with = "added_tokens")]
    added_tokens: Vec<AddedToken>,
    normalizer: Option<Part>,
    pre_tokenizer: Option<Part>,
    post_processor: Option<Part>,
    decoder: Option<Part>,
    model: Bpe,
}

#[derive(Deserialize)]
struct AddedToken {
    id: Token,
    content: String,
    #[serde(default)]
    single_word: bool,
    #[serde(default)]
    lstrip: bool,
    #[serde(default)]
    rstrip: bool,
    #[serde(default)]
    normalized: bool,
}

/// Any of the parts around the model.
#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    add_prefix_space: Option<bool>,
    use_regex: Option<bool>,
    #[serde(default, deserialize_with = "template")]
    single: Template,
}

/// What a template puts together.
#[derive(Default)]
struct Template {
    adds_tokens: bool,
}

#[derive(Deserialize)]
enum TemplatePiece {
    Sequence(IgnoredAny),
    SpecialToken(IgnoredAny),
}

#[derive(Deserialize)]
struct Bpe {
    #[serde(rename = "type")]
    kind: Option<String>,
    dropout: Option<f64>,
    continuing_subword_prefix: Option<String>,
    end_of_word_suffix: Option<String>,
    #[serde(default)]
    ignore_merges: bool,
    vocab: Vocabulary,
    merges: Merges,
}

struct Vocabulary(HashMap<Box<str>, Token>);

/// Pairs, one after the other in one text: both of a pair are as far apart as a number says.
struct Merges {
    text: String,
    /// Where the first of a pair ends, and the second.
    ends: Vec<[u32; 2]>,
}

fn too_many<E: Error>(what: &str, most: usize) -> E {
    E::custom(format!("more {what} than {most}"))
}

/// What goes over the elements of a list, or the entries of an object.
struct Over<T, F>(&'static str, F, PhantomData<T>);

impl<'de, T, F: FnMut(T) -> Result<(), String>> Visitor<'de> for Over<T, F>
where
    T: Deserialize<'de>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(item) = list.next_element()? {
            (self.1)(item).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// Calls something with every element of a list.
fn each<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    what: &'static str,
    call: impl FnMut(T) -> Result<(), String>,
) -> Result<(), D::Error> {
    deserializer.deserialize_seq(Over(what, call, PhantomData))
}

fn added_tokens<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<AddedToken>, D::Error> {
    let mut all = Vec::new();
    each(from, "a list of added tokens", |token: AddedToken| {
        if all.len() == ADDED_MAX {
            return Err(format!("more added tokens than {ADDED_MAX}"));
        }
        all.push(token);
        Ok(())
    })?;
    Ok(all)
}

fn template<'de, D: Deserializer<'de>>(from: D) -> Result<Template, D::Error> {
    let mut adds_tokens = false;
    each(from, "a list of pieces", |piece: TemplatePiece| {
        adds_tokens |= matches!(piece, TemplatePiece::SpecialToken(_));
        Ok(())
    })?;
    Ok(Template { adds_tokens })
}

impl<'de> Deserialize<'de> for Vocabulary {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Tokens;

        impl<'de> Visitor<'de> for Tokens {
            type Value = Vocabulary;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tokens and their numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vocabulary, A::Error> {
                let mut all = HashMap::new();
                while let Some((token, number)) = map.next_entry::<Box<str>, Token>()? {
                    if all.len() == VOCABULARY_MAX {
                        return Err(too_many("tokens", VOCABULARY_MAX));
                    }
                    if number as usize >= VOCABULARY_MAX {
                        let what = format!("token {number}; allowed: below {VOCABULARY_MAX}");
                        return Err(A::Error::custom(what));
                    }
                    if all.contains_key(&token) {
                        return Err(A::Error::custom(format!("the token {token:?} stands twice")));
                    }
                    all.insert(token, number);
                }
                Ok(Vocabulary(all))
            }
        }

        from.deserialize_map(Tokens)
    }
}

/// `"a b"`, or `["a", "b"]`.
struct Merge([String; 2]);

impl<'de> Deserialize<'de> for Merge {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pair;

        impl<'de> Visitor<'de> for Pair {
            type Value = Merge;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("two tokens: a list of two, or a text with one space between them")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Merge, E> {
                match text.split_once(' ') {
                    Some((first, second)) if !second.contains(' ') => {
                        Ok(Merge([first, second].map(str::to_owned)))
                    }
                    _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Merge, A::Error> {
                let [first, second] = [list.next_element()?, list.next_element()?];
                match (first, second, list.next_element::<IgnoredAny>()?) {
                    (Some(first), Some(second), None) => Ok(Merge([first, second])),
                    (_, second, _) => {
                        let count = if second.is_some() { 3 } else { 1 };
                        Err(A::Error::invalid_length(count, &self))
                    }
                }
            }
        }

        from.deserialize_any(Pair)
    }
}

impl<'de> Deserialize<'de> for Merges {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut merges = Self { text: String::new(), ends: Vec::new() };
        each(from, "a list of merges", |Merge([first, second])| {
            if merges.ends.len() == MERGES_MAX {
                return Err(format!("more merges than {MERGES_MAX}"));
            }
            // A file is below what 32 bits count.
            merges.text += &first;
            let middle = merges.text.len() as u32;
            merges.text += &second;
            merges.ends.push([middle, merges.text.len() as u32]);
            Ok(())
        })?;
        Ok(merges)
    }
}

impl Merges {
    fn pairs(&self) -> impl Iterator<Item = [&str; 2]> {
        let mut start = 0;
        self.ends.iter().map(move |&[middle, end]| {
            let [from, middle, end] = [start, middle as usize, end as usize];
            start = end;
            [self.text.get(from..middle), self.text.get(middle..end)].map(Option::unwrap_or_default)
        })
    }
}

/// What is said of a field.
fn wrong(
    file: &str,
    field: &'static str,
    found: impl fmt::Display,
    allowed: impl fmt::Display,
) -> TokenizerError {
    let (found, allowed) = (found.to_string(), allowed.to_string());
    TokenizerError::Field { file: file.to_owned(), field, found, allowed }
}

impl File {
    /// Refuses what would make other tokens of a text than are made here.
    fn check(&self, file: &str) -> Result<(), TokenizerError> {
        let refuse = |field, found: &dyn fmt::Debug, allowed: &str| {
            Err(wrong(file, field, format!("{found:?}"), allowed))
        };
        let kind = |part: &Option<Part>| part.as_ref().map(|part| part.kind.clone());
        if let Some(kind) = self.model.kind.as_ref().filter(|kind| *kind != "BPE") {
            return refuse("model.type", kind, "BPE");
        }
        if let Some(kind) = kind(&self.normalizer) {
            return refuse("normalizer.type", &kind, "no normalizer");
        }
        match &self.pre_tokenizer {
            Some(part) if part.kind == "ByteLevel" => {}
            part => {
                return refuse("pre_tokenizer.type", &kind(part).unwrap_or_default(), "ByteLevel");
            }
        }
        if let Some(part) = &self.post_processor {
            let allowed = "ByteLevel, TemplateProcessing that adds no tokens";
            match (part.kind.as_str(), part.single.adds_tokens) {
                ("ByteLevel", _) | ("TemplateProcessing", false) => {}
                ("TemplateProcessing", true) => {
                    return refuse("post_processor.single", &"tokens around a text", allowed);
                }
                _ => return refuse("post_processor.type", &part.kind, allowed),
            }
        }
        if let Some(kind) = kind(&self.decoder).filter(|kind| kind != "ByteLevel") {
            return refuse("decoder.type", &kind, "ByteLevel");
        }
        if let Some(dropout) = self.model.dropout.filter(|dropout| *dropout != 0.0) {
            return Err(wrong(file, "model.dropout", dropout, "null"));
        }
        for (field, affix) in [
            ("model.continuing_subword_prefix", &self.model.continuing_subword_prefix),
            ("model.end_of_word_suffix", &self.model.end_of_word_suffix),
        ] {
            if let Some(affix) = affix.as_ref().filter(|affix| !affix.is_empty()) {
                return refuse(field, affix, "null");
            }
        }
        for token in &self.added_tokens {
            for (field, set) in [
                ("added_tokens.single_word", token.single_word),
                ("added_tokens.lstrip", token.lstrip),
                ("added_tokens.rstrip", token.rstrip),
            ] {
                if set {
                    return Err(wrong(file, field, true, false));
                }
            }
            if token.content.is_empty() || token.content.len() > ADDED_BYTES_MAX {
                let found = format!("{} bytes", token.content.len());
                let allowed = format!("1 to {ADDED_BYTES_MAX}");
                return Err(wrong(file, "added_tokens.content", found, allowed));
            }
            if token.id as usize >= VOCABULARY_MAX {
                let allowed = format!("below {VOCABULARY_MAX}");
                return Err(wrong(file, "added_tokens.id", token.id, allowed));
            }
        }
        Ok(())
    }
}

impl Tokenizer {
    /// Reads `tokenizer.json`. Truncation and padding, where it has them, are not applied.
    ///
    /// # Errors
    /// [`TokenizerError::Json`] where it is too long, no JSON, or not of this form;
    /// [`TokenizerError::Field`] where it is another kind of tokenizer, or contradicts itself.
    pub fn parse(file: &str, json: &[u8]) -> Result<Self, TokenizerError> {
        let refuse = |reason: String| TokenizerError::Json { file: file.to_owned(), reason };
        if json.len() > TOKENIZER_MAX {
            let found = json.len();
            return Err(refuse(format!("{found} bytes; allowed: at most {TOKENIZER_MAX}")));
        }
        let read: File = serde_json::from_slice(json).map_err(|error| refuse(error.to_string()))?;
        read.check(file)?;
        let File { added_tokens, pre_tokenizer, model, .. } = read;
        let Bpe { vocab: Vocabulary(vocabulary), ignore_merges, .. } = model;
        let Some(prefix_space) = pre_tokenizer.as_ref().and_then(|part| part.add_prefix_space)
        else {
            let field = "pre_tokenizer.add_prefix_space";
            return Err(wrong(file, field, "nothing", "true or false"));
        };
        let by_words = pre_tokenizer.and_then(|part| part.use_regex).unwrap_or(true);

        let alphabet = alphabet::bytes();
        let mut pieces: Vec<Option<Box<[u8]>>> = Vec::new();
        let mut place = |token: Token, bytes: Box<[u8]>| {
            let at = token as usize;
            if pieces.len() <= at {
                pieces.resize(at + 1, None);
            }
            pieces[at].replace(bytes)
        };
        let twice =
            |field, token| Err(wrong(file, field, format!("{token} twice"), "each number once"));
        // What is not written in bytes stands for itself.
        let meant =
            |text: &str| alphabet::read(&alphabet, text).unwrap_or_else(|| text.as_bytes().into());
        for (text, token) in &vocabulary {
            if place(*token, meant(text)).is_some() {
                return twice("model.vocab", token);
            }
        }
        let mut added = [Vec::new(), Vec::new()];
        let mut seen = HashSet::new();
        for AddedToken { id, content, normalized, .. } in added_tokens {
            let known = vocabulary.get(content.as_str());
            if let Some(token) = known.filter(|token| **token != id) {
                let found = format!("{id} of {content:?}");
                return Err(wrong(file, "added_tokens.id", found, token));
            }
            if place(id, meant(&content)).is_some() && known.is_none() {
                return twice("added_tokens.id", &id);
            }
            if !seen.insert(content.clone()) {
                let found = format!("{content:?} twice");
                return Err(wrong(file, "added_tokens.content", found, "each once"));
            }
            added[usize::from(normalized)].push((content.into_boxed_str(), id));
        }

        let token = |text: &str| {
            let allowed = "tokens of the vocabulary";
            let found = vocabulary.get(text).copied();
            found.ok_or_else(|| wrong(file, "model.merges", format!("{text:?}"), allowed))
        };
        let mut merges = HashMap::with_capacity(model.merges.ends.len());
        for (rank, [first, second]) in (0..).zip(model.merges.pairs()) {
            let pair = [token(first)?, token(second)?];
            let becomes = token(&format!("{first}{second}"))?;
            if merges.insert(pair, (rank, becomes)).is_some() {
                let found = format!("{first:?}, {second:?} twice");
                return Err(wrong(file, "model.merges", found, "each once"));
            }
        }
        let mut bytes = vec![None; 256];
        for (c, byte) in &alphabet {
            bytes[usize::from(*byte)] = vocabulary.get(c.encode_utf8(&mut [0; 4]) as &str).copied();
        }
        if pieces.is_empty() {
            return Err(wrong(file, "model.vocab", "no tokens", "at least one"));
        }
        let words = ignore_merges.then(|| {
            let all = vocabulary.iter();
            all.filter_map(|(text, token)| Some((alphabet::read(&alphabet, text)?, *token)))
                .collect()
        });
        let added = added.map(Added::of);
        Ok(Self { bytes, pieces, merges, words, added, prefix_space, by_words })
    }
}
