//! The tokenizer in the metadata of a GGUF file.

use std::collections::HashMap;

use super::pattern::SplitPattern;
use super::{
    ADDED_TOKEN_BYTES_MAX, ADDED_TOKENS_MAX, AddedTokens, InitialSymbols, MERGES_MAX, METASPACE, Normalizer, Tokenizer,
    TokenizerError, VOCABULARY_MAX, alphabet,
};
use crate::io::{ByteStrings, Gguf, GgufValue};
use crate::synthetic::language::Token;

/// Kinds of tokens by their numbers.
const TOKEN_TYPE_CONTROL: f64 = 3.0;
const TOKEN_TYPE_USER_DEFINED: f64 = 4.0;
const TOKEN_TYPE_UNUSED: f64 = 5.0;
const TOKEN_TYPE_BYTE: f64 = 6.0;

/// What a token of SentencePiece stands for: ▁ is a space, `<0x0A>` a byte.
pub(super) fn token_bytes(text: &str) -> Box<[u8]> {
    let byte = text.strip_prefix("<0x").and_then(|rest| rest.strip_suffix('>'));
    match byte.filter(|digits| digits.len() == 2).map(|digits| u8::from_str_radix(digits, 16)) {
        Some(Ok(byte)) => Box::new([byte]),
        _ => text.replace(METASPACE, " ").into_bytes().into(),
    }
}

struct Metadata<'a>(&'a Gguf);

impl Metadata<'_> {
    fn field_error(&self, field: &'static str, found: &str, allowed: &str) -> TokenizerError {
        let [file, found, allowed] = [self.0.name(), found, allowed].map(str::to_owned);
        TokenizerError::Field { file, field, found, allowed }
    }

    fn get_strings(&self, field: &'static str, most: usize) -> Result<&ByteStrings, TokenizerError> {
        match self.0.get(field) {
            Some(GgufValue::Strings(all)) if (1..=most).contains(&all.len()) => Ok(all),
            Some(GgufValue::Strings(all)) => {
                Err(self.field_error(field, &format!("{} strings", all.len()), &format!("1 to {most}")))
            }
            _ => Err(self.field_error(field, "no strings", "an array of strings")),
        }
    }

    fn get_numbers(&self, field: &'static str, count: usize) -> Result<Option<&[f64]>, TokenizerError> {
        match self.0.get(field) {
            None => Ok(None),
            Some(GgufValue::Numbers(all)) if all.len() == count => Ok(Some(all)),
            Some(_) => {
                let allowed = format!("{count} numbers, as many as there are tokens");
                Err(self.field_error(field, "another array", &allowed))
            }
        }
    }

    fn get_bool(&self, field: &'static str, default: bool) -> Result<bool, TokenizerError> {
        match self.0.get(field) {
            None => Ok(default),
            Some(GgufValue::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.field_error(field, "another value", "true or false")),
        }
    }

    fn get_token(&self, field: &'static str, count: usize) -> Result<Option<Token>, TokenizerError> {
        match self.0.get(field) {
            None => Ok(None),
            Some(GgufValue::Unsigned(token)) if *token < count as u64 => Ok(Some(*token as Token)),
            Some(other) => Err(self.field_error(field, &format!("{other:?}"), &format!("0 to {}", count - 1))),
        }
    }
}

impl Tokenizer {
    /// Reads the tokenizer of a GGUF file; nothing where it has none.
    ///
    /// Where llama.cpp differs from Hugging Face's `tokenizers`, it is as these: characters and the marks that follow them
    /// become one for Qwen and Pythia.
    ///
    /// # Errors
    /// [`TokenizerError::Field`].
    pub fn from_gguf(file: &Gguf) -> Result<Option<Self>, TokenizerError> {
        let of = Metadata(file);
        let kind = match file.get("tokenizer.ggml.model") {
            None => return Ok(None),
            Some(GgufValue::String(kind)) => kind.as_str(),
            Some(_) => "another value than a string",
        };
        let byte_level = match kind {
            "gpt2" => true,
            "llama" => false,
            other => return Err(of.field_error("tokenizer.ggml.model", other, "gpt2, llama")),
        };
        let tokens = of.get_strings("tokenizer.ggml.tokens", VOCABULARY_MAX)?;
        let count = tokens.len();
        let kinds = of.get_numbers("tokenizer.ggml.token_type", count)?;
        let kind_of = |at: usize| kinds.map_or(1.0, |kinds| kinds[at]);

        let alphabet = alphabet::byte_alphabet();
        let mut pieces: Vec<Option<Box<[u8]>>> = Vec::with_capacity(count);
        let mut vocabulary: HashMap<Box<[u8]>, Token> = HashMap::with_capacity(count);
        let mut added = Vec::new();
        for (at, bytes) in tokens.iter().enumerate() {
            let token = at as Token;
            let kind = kind_of(at);
            let text = std::str::from_utf8(bytes).ok();
            let cut_at = kind == TOKEN_TYPE_USER_DEFINED || kind == TOKEN_TYPE_CONTROL;
            let piece = match text {
                Some(text) if byte_level && !cut_at => {
                    alphabet::token_bytes(&alphabet, text).unwrap_or_else(|| bytes.into())
                }
                Some(text) if !byte_level => token_bytes(text),
                _ => bytes.into(),
            };
            pieces.push(Some(piece));
            if cut_at {
                let Some(text) = text.filter(|text| (1..=ADDED_TOKEN_BYTES_MAX).contains(&text.len())) else {
                    let found = format!("token {token} of {} bytes", bytes.len());
                    let allowed = format!("UTF-8 of 1 to {ADDED_TOKEN_BYTES_MAX}");
                    return Err(of.field_error("tokenizer.ggml.tokens", &found, &allowed));
                };
                if added.len() == ADDED_TOKENS_MAX {
                    let found = format!("more than {ADDED_TOKENS_MAX} tokens of types 3 and 4");
                    let allowed = format!("at most {ADDED_TOKENS_MAX}");
                    return Err(of.field_error("tokenizer.ggml.token_type", &found, &allowed));
                }
                added.push((text.into(), token));
            }
            // Of the same twice, the first; what is not used is no token of a text.
            if kind != TOKEN_TYPE_UNUSED && (!cut_at || byte_level) {
                vocabulary.entry(bytes.into()).or_insert(token);
            }
        }
        let mut out = Self {
            bytes: vec![None; 256],
            pieces,
            symbols: InitialSymbols::Bytes,
            merges: HashMap::new(),
            words: None,
            added: [AddedTokens::new(added), AddedTokens::new(Vec::new())],
            normal: Vec::new(),
            prefix_space: false,
            cuts: Vec::new(),
            around: Default::default(),
            strips_space: false,
        };
        let begins = if byte_level {
            for (c, byte) in &alphabet {
                let written = c.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
                out.bytes[usize::from(*byte)] = vocabulary.get(written.as_slice()).copied();
            }
            out.read_byte_level(&of, &vocabulary)?
        } else {
            for (byte, token) in out.bytes.iter_mut().enumerate() {
                let written = format!("<0x{byte:02X}>");
                *token = vocabulary.get(written.as_bytes()).copied();
            }
            let Some(scores) = of.get_numbers("tokenizer.ggml.scores", count)? else {
                return Err(of.field_error("tokenizer.ggml.scores", "nothing", "a score a token"));
            };
            if let Some(at) = scores.iter().position(|score| score.is_nan()) {
                let found = format!("not a number at token {at}");
                return Err(of.field_error("tokenizer.ggml.scores", &found, "numbers"));
            }
            let mut order: Vec<f64> = scores.to_vec();
            order.sort_unstable_by(|a, b| b.total_cmp(a));
            order.dedup();
            // The greatest score is merged first.
            let rank = |score: f64| order.partition_point(|other| *other > score) as u32;
            let ranked = vocabulary.into_iter().filter(|(_, token)| kind_of(*token as usize) != TOKEN_TYPE_BYTE);
            let ranked = ranked.map(|(text, token)| (text, (rank(scores[token as usize]), token)));
            let unknown = of.get_token("tokenizer.ggml.unknown_token_id", count)?;
            out.symbols = InitialSymbols::Scores { tokens: ranked.collect(), unknown };
            let before = of.get_bool("tokenizer.ggml.add_space_prefix", true)?;
            if before {
                // As older files of Hugging Face, between any two added tokens; no other text begins with a space.
                out.normal.push(Normalizer::Prepend(METASPACE.to_owned()));
            }
            out.normal.push(Normalizer::Replace([" ".to_owned(), METASPACE.to_owned()]));
            out.strips_space = before;
            true
        };
        for (at, (flag, field, default)) in [
            ("tokenizer.ggml.add_bos_token", "tokenizer.ggml.bos_token_id", begins),
            ("tokenizer.ggml.add_eos_token", "tokenizer.ggml.eos_token_id", false),
        ]
        .into_iter()
        .enumerate()
        {
            if of.get_bool(flag, default)? {
                let token = of.get_token(field, count)?;
                let token = token.ok_or_else(|| of.field_error(field, "nothing", "a token"))?;
                out.around[at].push(token);
            }
        }
        Ok(Some(out))
    }

    /// Merges and pattern of words; gives whether a text begins with a token of its own where the file does not say.
    fn read_byte_level(
        &mut self,
        of: &Metadata<'_>,
        vocabulary: &HashMap<Box<[u8]>, Token>,
    ) -> Result<bool, TokenizerError> {
        const PRE_TOKENIZER_KEY: &str = "tokenizer.ggml.pre";
        let pre = match of.0.get(PRE_TOKENIZER_KEY) {
            Some(GgufValue::String(pre)) => pre.as_str(),
            _ => "nothing",
        };
        let llama = matches!(pre, "llama-bpe" | "llama3" | "llama-v3");
        match pre {
            "gpt-2" => self.cuts.push(SplitPattern::Gpt2),
            "olmo" => {
                self.normal.push(Normalizer::Nfc);
                self.cuts.push(SplitPattern::Gpt2);
            }
            "smollm" => self.cuts.extend([SplitPattern::Digits, SplitPattern::Gpt2]),
            "qwen2" => {
                self.normal.push(Normalizer::Nfc);
                self.cuts.push(SplitPattern::Llama { digits: 1 });
            }
            _ if llama => self.cuts.push(SplitPattern::Llama { digits: 3 }),
            other => {
                let allowed = "gpt-2, olmo, smollm, qwen2, llama-bpe";
                return Err(of.field_error(PRE_TOKENIZER_KEY, other, allowed));
            }
        }
        const MERGES_KEY: &str = "tokenizer.ggml.merges";
        let merges = of.get_strings(MERGES_KEY, MERGES_MAX)?;
        for (rank, merge) in (0..).zip(merges.iter()) {
            let wrong = |allowed| of.field_error(MERGES_KEY, &String::from_utf8_lossy(merge), allowed);
            let middle = merge.iter().position(|byte| *byte == b' ');
            let middle = middle.ok_or_else(|| wrong("two tokens with a space between them"))?;
            let (first, second) = (&merge[..middle], &merge[middle + 1..]);
            let token = |text: &[u8]| vocabulary.get(text).copied().ok_or_else(|| wrong("tokens of the vocabulary"));
            let becomes = token(&[first, second].concat())?;
            self.merges.entry([token(first)?, token(second)?]).or_insert((rank, becomes));
        }
        if llama {
            // The tokens as they are written are those of the alphabet of bytes.
            let alphabet = alphabet::byte_alphabet();
            let all = vocabulary.iter().filter_map(|(text, token)| {
                Some((alphabet::token_bytes(&alphabet, std::str::from_utf8(text).ok()?)?, *token))
            });
            self.words = Some(all.collect());
        }
        Ok(llama)
    }
}
