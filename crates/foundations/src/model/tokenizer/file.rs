//! `tokenizer.json`, bounded while it is read: no part of it is held that is not needed.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::alphabet;
use super::pattern::SplitPattern;
use super::{
    ADDED_TOKEN_BYTES_MAX, ADDED_TOKENS_MAX, AddedTokens, InitialSymbols, MERGES_MAX, Normalizer, TOKENIZER_BYTES_MAX,
    Tokenizer, TokenizerError, VOCABULARY_MAX,
};
use crate::synthetic::language::Token;

#[derive(Deserialize)]
struct TokenizerFile {
    #[serde(default, deserialize_with = "deserialize_added_tokens")]
    added_tokens: Vec<AddedToken>,
    normalizer: Option<PipelinePart>,
    pre_tokenizer: Option<PipelinePart>,
    post_processor: Option<PipelinePart>,
    decoder: Option<PipelinePart>,
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

/// Any of the parts around the model, or a sequence of them.
#[derive(Deserialize)]
struct PipelinePart {
    #[serde(rename = "type")]
    kind: String,
    add_prefix_space: Option<bool>,
    use_regex: Option<bool>,
    individual_digits: Option<bool>,
    pattern: Option<Pattern>,
    behavior: Option<String>,
    #[serde(default)]
    invert: bool,
    content: Option<String>,
    prepend: Option<String>,
    replacement: Option<String>,
    prepend_scheme: Option<String>,
    split: Option<bool>,
    start: Option<u32>,
    stop: Option<u32>,
    #[serde(default, deserialize_with = "deserialize_template")]
    single: Template,
    #[serde(default, deserialize_with = "deserialize_special_tokens")]
    special_tokens: Vec<(String, Vec<Token>)>,
    #[serde(
        default,
        rename = "normalizers",
        alias = "pretokenizers",
        alias = "processors",
        alias = "decoders",
        deserialize_with = "deserialize_parts"
    )]
    parts: Option<Vec<PipelinePart>>,
}

impl PipelinePart {
    /// Itself, or what it is a sequence of.
    fn flatten(&self) -> Vec<&Self> {
        match &self.parts {
            Some(parts) if self.kind == "Sequence" => parts.iter().collect(),
            _ => vec![self],
        }
    }
}

#[derive(Deserialize)]
enum Pattern {
    String(String),
    Regex(String),
}

/// What a template puts together: names of the tokens before a text and after it.
#[derive(Default)]
struct Template {
    around: [Vec<String>; 2],
    texts: usize,
}

#[derive(Deserialize)]
enum TemplatePiece {
    Sequence(IgnoredAny),
    SpecialToken(TemplateToken),
}

#[derive(Deserialize)]
struct TemplateToken {
    id: String,
}

#[derive(Deserialize)]
struct SpecialToken {
    #[serde(deserialize_with = "deserialize_ids")]
    ids: Vec<Token>,
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
    #[serde(default)]
    byte_fallback: bool,
    #[serde(default)]
    fuse_unk: bool,
    unk_token: Option<String>,
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

fn too_many_error<E: Error>(what: &str, most: usize) -> E {
    E::custom(format!("more {what} than {most}"))
}

/// What goes over the elements of a list, or the entries of an object.
struct ForEachVisitor<T, F>(&'static str, F, PhantomData<T>);

impl<'de, T, F: FnMut(T) -> Result<(), String>> Visitor<'de> for ForEachVisitor<T, F>
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
fn for_each_element<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    what: &'static str,
    call: impl FnMut(T) -> Result<(), String>,
) -> Result<(), D::Error> {
    deserializer.deserialize_seq(ForEachVisitor(what, call, PhantomData))
}

fn deserialize_added_tokens<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<AddedToken>, D::Error> {
    let mut all = Vec::new();
    for_each_element(from, "a list of added tokens", |token: AddedToken| {
        if all.len() == ADDED_TOKENS_MAX {
            return Err(format!("more added tokens than {ADDED_TOKENS_MAX}"));
        }
        all.push(token);
        Ok(())
    })?;
    Ok(all)
}

/// Most parts of a sequence, tokens around a text, and special tokens that a template names.
const PARTS_MAX: usize = 16;

/// A list of no more than [`PARTS_MAX`].
fn deserialize_short_list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
    what: &'static str,
) -> Result<Vec<T>, D::Error> {
    let mut all = Vec::new();
    for_each_element(from, what, |one| {
        if all.len() == PARTS_MAX {
            return Err(format!("{what} of more than {PARTS_MAX}"));
        }
        all.push(one);
        Ok(())
    })?;
    Ok(all)
}

fn deserialize_parts<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<PipelinePart>>, D::Error> {
    let parts: Vec<PipelinePart> = deserialize_short_list(from, "a list of parts")?;
    if parts.iter().any(|part| part.parts.is_some()) {
        return Err(D::Error::custom("a sequence within a sequence"));
    }
    Ok(Some(parts))
}

fn deserialize_ids<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Token>, D::Error> {
    deserialize_short_list(from, "a list of tokens")
}

fn deserialize_template<'de, D: Deserializer<'de>>(from: D) -> Result<Template, D::Error> {
    let mut template = Template::default();
    for_each_element(from, "a list of pieces", |piece: TemplatePiece| {
        match piece {
            TemplatePiece::Sequence(_) => template.texts += 1,
            TemplatePiece::SpecialToken(token) => {
                let around = &mut template.around[usize::from(template.texts > 0)];
                if around.len() == PARTS_MAX {
                    return Err(format!("more tokens around a text than {PARTS_MAX}"));
                }
                around.push(token.id);
            }
        }
        Ok(())
    })?;
    Ok(template)
}

fn deserialize_special_tokens<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, Vec<Token>)>, D::Error> {
    struct SpecialTokensVisitor;

    impl<'de> Visitor<'de> for SpecialTokensVisitor {
        type Value = Vec<(String, Vec<Token>)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of special tokens")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some((name, SpecialToken { ids })) = map.next_entry()? {
                if all.len() == PARTS_MAX {
                    return Err(too_many_error("special tokens", PARTS_MAX));
                }
                all.push((name, ids));
            }
            Ok(all)
        }
    }

    from.deserialize_map(SpecialTokensVisitor)
}

impl<'de> Deserialize<'de> for Vocabulary {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct VocabularyVisitor;

        impl<'de> Visitor<'de> for VocabularyVisitor {
            type Value = Vocabulary;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tokens and their numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vocabulary, A::Error> {
                let mut all = HashMap::new();
                while let Some((token, number)) = map.next_entry::<Box<str>, Token>()? {
                    if all.len() == VOCABULARY_MAX {
                        return Err(too_many_error("tokens", VOCABULARY_MAX));
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

        from.deserialize_map(VocabularyVisitor)
    }
}

/// `"a b"`, or `["a", "b"]`.
struct Merge([String; 2]);

impl<'de> Deserialize<'de> for Merge {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct MergeVisitor;

        impl<'de> Visitor<'de> for MergeVisitor {
            type Value = Merge;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("two tokens: a list of two, or a text with one space between them")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Merge, E> {
                match text.split_once(' ') {
                    Some((first, second)) if !second.contains(' ') => Ok(Merge([first, second].map(str::to_owned))),
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

        from.deserialize_any(MergeVisitor)
    }
}

impl<'de> Deserialize<'de> for Merges {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut merges = Self { text: String::new(), ends: Vec::new() };
        for_each_element(from, "a list of merges", |Merge([first, second])| {
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
fn field_error(
    file: &str,
    field: &'static str,
    found: impl fmt::Display,
    allowed: impl fmt::Display,
) -> TokenizerError {
    let (found, allowed) = (found.to_string(), allowed.to_string());
    TokenizerError::Field { file: file.to_owned(), field, found, allowed }
}

/// Patterns of words, as files write them.
const WORD_PATTERNS: [(&str, SplitPattern); 5] = [
    (r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", SplitPattern::Gpt2),
    (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        SplitPattern::Llama { digits: 3 },
    ),
    (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        SplitPattern::Llama { digits: 1 },
    ),
    (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
        SplitPattern::Llama { digits: 3 },
    ),
    (r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", SplitPattern::Gpt2),
];

/// What parts around the model come to.
#[derive(Default)]
struct TokenizerSteps {
    normal: Vec<Normalizer>,
    cuts: Vec<SplitPattern>,
    prefix_space: bool,
    tokens: [Vec<Token>; 2],
    strips_space: bool,
}

impl TokenizerFile {
    /// Whether words are made of bytes, rather than of characters as in SentencePiece.
    fn is_byte_level(&self) -> bool {
        !self.model.byte_fallback
    }

    fn read_normalizer(&self, file: &str, to: &mut TokenizerSteps) -> Result<(), TokenizerError> {
        const ALLOWED_NORMALIZERS: &str = "NFC, Prepend, Replace of a text, a sequence of them";
        for part in self.normalizer.iter().flat_map(PipelinePart::flatten) {
            to.normal.push(match (part.kind.as_str(), part) {
                ("NFC", _) => Normalizer::Nfc,
                ("Prepend", PipelinePart { prepend: Some(before), .. }) => {
                    Normalizer::Prepend(check_short_text(file, before)?)
                }
                ("Replace", PipelinePart { pattern: Some(Pattern::String(from)), content: Some(to), .. })
                    if !from.is_empty() =>
                {
                    Normalizer::Replace([check_short_text(file, from)?, check_short_text(file, to)?])
                }
                (kind, _) => {
                    return Err(field_error(file, "normalizer.type", format!("{kind:?}"), ALLOWED_NORMALIZERS));
                }
            });
        }
        Ok(())
    }

    fn read_pre_tokenizer(&self, file: &str, to: &mut TokenizerSteps) -> Result<(), TokenizerError> {
        const PRE_TOKENIZER_FIELD: &str = "pre_tokenizer.type";
        let parts: Vec<&PipelinePart> = self.pre_tokenizer.iter().flat_map(PipelinePart::flatten).collect();
        if !self.is_byte_level() {
            for part in parts {
                let from = match &part.pattern {
                    Some(Pattern::String(from)) => from.as_str(),
                    _ => "",
                };
                // What a normaliser has put something else for is nowhere to be cut at.
                let nowhere = to.normal.iter().any(|normal| {
                    matches!(normal, Normalizer::Replace([known, into])
                        if known == from && !into.contains(from))
                });
                match part.kind.as_str() {
                    "Split" if nowhere => {}
                    "Metaspace"
                        if part.replacement.as_deref() == Some(super::METASPACE)
                            && part.prepend_scheme.as_deref() == Some("first")
                            && part.split == Some(false) =>
                    {
                        to.normal.push(Normalizer::Metaspace);
                    }
                    kind => {
                        let allowed = "Metaspace of prepend_scheme first that does not split, Split at spaces that are replaced, null";
                        return Err(field_error(file, PRE_TOKENIZER_FIELD, format!("{kind:?}"), allowed));
                    }
                }
            }
            return Ok(());
        }
        let allowed = "ByteLevel, a sequence of Digits or Split and ByteLevel";
        let Some((last, before)) = parts.split_last().filter(|(last, _)| last.kind == "ByteLevel") else {
            let found = parts.last().map(|part| part.kind.as_str()).unwrap_or_default();
            return Err(field_error(file, PRE_TOKENIZER_FIELD, format!("{found:?}"), allowed));
        };
        for part in before {
            to.cuts.push(match (part.kind.as_str(), &part.pattern) {
                ("Digits", _) if part.individual_digits == Some(true) => SplitPattern::Digits,
                ("Split", Some(Pattern::Regex(found)))
                    if part.behavior.as_deref() == Some("Isolated") && !part.invert =>
                {
                    let known = WORD_PATTERNS.iter().find(|(known, _)| known == found);
                    let Some((_, cut)) = known else {
                        let allowed = "the patterns of GPT-2, Llama 3 and Qwen 2";
                        let found = format!("{found:?}");
                        return Err(field_error(file, "pre_tokenizer.pattern", found, allowed));
                    };
                    *cut
                }
                (kind, _) => {
                    return Err(field_error(file, PRE_TOKENIZER_FIELD, format!("{kind:?}"), allowed));
                }
            });
        }
        let Some(prefix_space) = last.add_prefix_space else {
            let field = "pre_tokenizer.add_prefix_space";
            return Err(field_error(file, field, "nothing", "true or false"));
        };
        if prefix_space && !before.is_empty() {
            return Err(field_error(file, "pre_tokenizer.add_prefix_space", true, false));
        }
        to.prefix_space = prefix_space;
        if last.use_regex.unwrap_or(true) {
            to.cuts.push(SplitPattern::Gpt2);
        }
        Ok(())
    }

    fn read_post_processor(&self, file: &str, to: &mut TokenizerSteps) -> Result<(), TokenizerError> {
        for part in self.post_processor.iter().flat_map(PipelinePart::flatten) {
            match part.kind.as_str() {
                "ByteLevel" => {}
                "TemplateProcessing" if part.single.texts == 1 => {
                    for (names, to) in part.single.around.iter().zip(&mut to.tokens) {
                        for name in names {
                            let known = part.special_tokens.iter().find(|(known, _)| known == name);
                            let Some((_, ids)) = known else {
                                let field = "post_processor.special_tokens";
                                return Err(field_error(file, field, "nothing", format!("{name:?}")));
                            };
                            to.extend(ids);
                        }
                    }
                }
                "TemplateProcessing" if part.single.texts == 0 && part.single.around.iter().all(Vec::is_empty) => {}
                "TemplateProcessing" => {
                    let found = format!("{} texts", part.single.texts);
                    return Err(field_error(file, "post_processor.single", found, "one text"));
                }
                kind => {
                    let allowed = "ByteLevel, TemplateProcessing, a sequence of them";
                    return Err(field_error(file, "post_processor.type", format!("{kind:?}"), allowed));
                }
            }
        }
        Ok(())
    }

    fn read_decoder(&self, file: &str, to: &mut TokenizerSteps) -> Result<(), TokenizerError> {
        for part in self.decoder.iter().flat_map(PipelinePart::flatten) {
            let known: &[&str] = match self.is_byte_level() {
                true => &["ByteLevel"],
                false => &["Replace", "ByteFallback", "Fuse", "Strip", "Metaspace"],
            };
            let strips = part.kind == "Strip";
            let one = part.content.as_deref() == Some(" ") && (part.start, part.stop) == (Some(1), Some(0));
            if !known.contains(&part.kind.as_str()) || (strips && !one) {
                let found = format!("{:?}", part.kind);
                return Err(field_error(file, "decoder.type", found, known.join(", ")));
            }
            to.strips_space |= strips || part.kind == "Metaspace";
        }
        Ok(())
    }

    /// What the parts around the model do; refuses what would make other tokens of a text than are made here.
    fn read_steps(&self, file: &str) -> Result<TokenizerSteps, TokenizerError> {
        let refuse =
            |field, found: &dyn fmt::Debug, allowed: &str| Err(field_error(file, field, format!("{found:?}"), allowed));
        if let Some(kind) = self.model.kind.as_ref().filter(|kind| *kind != "BPE") {
            return refuse("model.type", kind, "BPE");
        }
        let mut around = TokenizerSteps::default();
        self.read_normalizer(file, &mut around)?;
        self.read_pre_tokenizer(file, &mut around)?;
        self.read_post_processor(file, &mut around)?;
        self.read_decoder(file, &mut around)?;
        if let Some(dropout) = self.model.dropout.filter(|dropout| *dropout != 0.0) {
            return Err(field_error(file, "model.dropout", dropout, "null"));
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
                    return Err(field_error(file, field, true, false));
                }
            }
            if token.content.is_empty() || token.content.len() > ADDED_TOKEN_BYTES_MAX {
                let found = format!("{} bytes", token.content.len());
                let allowed = format!("1 to {ADDED_TOKEN_BYTES_MAX}");
                return Err(field_error(file, "added_tokens.content", found, allowed));
            }
            if token.id as usize >= VOCABULARY_MAX {
                let allowed = format!("below {VOCABULARY_MAX}");
                return Err(field_error(file, "added_tokens.id", token.id, allowed));
            }
        }
        Ok(around)
    }
}

/// A text that is put before another or in its place.
fn check_short_text(file: &str, text: &str) -> Result<String, TokenizerError> {
    const LENGTH_MAX: usize = 16;
    if text.len() > LENGTH_MAX {
        let allowed = format!("texts of at most {LENGTH_MAX} bytes");
        return Err(field_error(file, "normalizer", format!("{} bytes", text.len()), allowed));
    }
    Ok(text.to_owned())
}

impl Tokenizer {
    /// Reads `tokenizer.json`. Truncation and padding, where it has them, are not applied.
    ///
    /// # Errors
    /// [`TokenizerError::Json`] where it is too long, no JSON, or not of this form;
    /// [`TokenizerError::Field`] where it is another kind of tokenizer, or contradicts itself.
    pub fn parse(file: &str, json: &[u8]) -> Result<Self, TokenizerError> {
        let refuse = |reason: String| TokenizerError::Json { file: file.to_owned(), reason };
        if json.len() > TOKENIZER_BYTES_MAX {
            let found = json.len();
            return Err(refuse(format!("{found} bytes; allowed: at most {TOKENIZER_BYTES_MAX}")));
        }
        let read: TokenizerFile = serde_json::from_slice(json).map_err(|error| refuse(error.to_string()))?;
        let around = read.read_steps(file)?;
        let byte_level = read.is_byte_level();
        let TokenizerFile { added_tokens, model, .. } = read;
        let Bpe { vocab: Vocabulary(vocabulary), ignore_merges, unk_token, fuse_unk, .. } = model;

        let alphabet = alphabet::byte_alphabet();
        let mut pieces: Vec<Option<Box<[u8]>>> = Vec::new();
        let mut place = |token: Token, bytes: Box<[u8]>| {
            let at = token as usize;
            if pieces.len() <= at {
                pieces.resize(at + 1, None);
            }
            pieces[at].replace(bytes)
        };
        let twice = |field, token| Err(field_error(file, field, format!("{token} twice"), "each number once"));
        // What is not written in bytes stands for itself.
        let meant = |text: &str| match byte_level {
            true => alphabet::token_bytes(&alphabet, text).unwrap_or_else(|| text.as_bytes().into()),
            false => super::gguf::token_bytes(text),
        };
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
                return Err(field_error(file, "added_tokens.id", found, token));
            }
            if place(id, meant(&content)).is_some() && known.is_none() {
                return twice("added_tokens.id", &id);
            }
            if !seen.insert(content.clone()) {
                let found = format!("{content:?} twice");
                return Err(field_error(file, "added_tokens.content", found, "each once"));
            }
            added[usize::from(normalized)].push((content.into_boxed_str(), id));
        }

        let token = |text: &str| {
            let allowed = "tokens of the vocabulary";
            let found = vocabulary.get(text).copied();
            found.ok_or_else(|| field_error(file, "model.merges", format!("{text:?}"), allowed))
        };
        let mut merges = HashMap::with_capacity(model.merges.ends.len());
        for (rank, [first, second]) in (0..).zip(model.merges.pairs()) {
            let pair = [token(first)?, token(second)?];
            let becomes = token(&format!("{first}{second}"))?;
            if merges.insert(pair, (rank, becomes)).is_some() {
                let found = format!("{first:?}, {second:?} twice");
                return Err(field_error(file, "model.merges", found, "each once"));
            }
        }
        let mut bytes = vec![None; 256];
        if byte_level {
            for (c, byte) in &alphabet {
                bytes[usize::from(*byte)] = vocabulary.get(c.encode_utf8(&mut [0; 4]) as &str).copied();
            }
        } else {
            for (byte, token) in bytes.iter_mut().enumerate() {
                *token = vocabulary.get(format!("<0x{byte:02X}>").as_str()).copied();
            }
        }
        if pieces.is_empty() {
            return Err(field_error(file, "model.vocab", "no tokens", "at least one"));
        }
        let symbols = if byte_level {
            InitialSymbols::Bytes
        } else {
            let one = |text: &str| {
                let mut chars = text.chars();
                chars.next().filter(|_| chars.next().is_none())
            };
            let all = vocabulary.iter().filter_map(|(text, token)| Some((one(text)?, *token)));
            let unknown = match &unk_token {
                None => None,
                Some(text) => match vocabulary.get(text.as_str()) {
                    Some(token) => Some(*token),
                    None => {
                        let found = format!("{text:?}");
                        return Err(field_error(file, "model.unk_token", found, "one of the vocabulary"));
                    }
                },
            };
            InitialSymbols::Characters { tokens: all.collect(), unknown, fuse: fuse_unk }
        };
        let words = ignore_merges.then(|| {
            let all = vocabulary.iter();
            all.filter_map(|(text, token)| {
                let bytes = if byte_level { alphabet::token_bytes(&alphabet, text)? } else { text.as_bytes().into() };
                Some((bytes, *token))
            })
            .collect()
        });
        let last = pieces.len() as Token;
        if let Some(token) = around.tokens.iter().flatten().find(|token| **token >= last) {
            let allowed = "tokens of the vocabulary";
            return Err(field_error(file, "post_processor.special_tokens", token, allowed));
        }
        let TokenizerSteps { normal, cuts, prefix_space, tokens: around, strips_space } = around;
        let added = added.map(AddedTokens::new);
        Ok(Self { bytes, pieces, symbols, merges, words, added, normal, prefix_space, cuts, around, strips_space })
    }
}
