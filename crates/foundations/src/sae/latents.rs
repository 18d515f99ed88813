//! Latents of an autoencoder over texts: how often each is active and where most, what it adds to logits, and which
//! concepts latents separate, beside random directions and shuffled labels.

mod concepts;

use serde::{Deserialize, Serialize};

pub use concepts::{Concept, ConceptError, DEFAULT_CONCEPTS};

use super::activity::is_active;
use super::splice::{Autoencoder, SpliceError, check_width};
use crate::cancel;
use crate::model::{ActivationCache, Batch, Decoder, Hook, LanguageModel, ModelError, Tokenizer, WithTokenText};
use crate::order::argsort_descending;
use crate::rng::NumpyRng;
use crate::synthetic::language::Token;
use crate::{Matrix, linalg, workers};

/// Texts of many kinds, to look for latents in where no others are given: prose, dialogue, code, numbers, German, French.
/// Written for this.
pub const SAMPLE_TEXT: &str = include_str!("latents/sample.txt");
/// Most positions of all texts together.
pub const POSITIONS_MAX: usize = 1 << 16;
/// Most activations of all latents at all positions together: 128 MiB.
pub const ACTIVATIONS_MAX: usize = 1 << 24;
/// Positions that are encoded at a time, and between which it can be ended.
const POSITIONS_AT_ONCE: usize = 32;
/// Random directions that latents are held against, at most.
const RANDOM_DIRECTIONS_MAX: usize = 256;
/// Positions of a concept that each half of the texts must have, and that it must lack, for latents to be held against it.
const CONCEPT_POSITIONS_MIN: usize = 5;
/// Tokens around a position that are shown, on either side.
const CONTEXT_TOKENS: usize = 10;

/// Cuts a text into contexts of at most `longest` tokens: at blank lines, and where those are too long. Each begins as the
/// tokenizer begins a text, with the token of its beginning where there is one.
///
/// # Errors
/// [`ModelError::Tokenizer`].
pub fn tokenize_into_contexts(
    tokenizer: &Tokenizer,
    text: &str,
    longest: usize,
) -> Result<Vec<Vec<Token>>, ModelError> {
    let start = tokenizer.encode_with_special_tokens("")?;
    let room = longest.saturating_sub(start.len()).max(1);
    let mut all = Vec::new();
    let text = text.replace("\r\n", "\n");
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        for part in tokenizer.encode(paragraph)?.chunks(room) {
            all.push([&start, part].concat());
        }
    }
    Ok(all)
}

/// A token that stands for so many.
#[derive(Clone, Copy, Debug)]
struct Position {
    text: u32,
    at: u32,
}

/// What is read of a text: of each latent where it is active, by the position less one, and the activation; and the
/// products with random directions.
#[derive(Serialize, Deserialize)]
struct TextLatents {
    tokens: Vec<Token>,
    active: Vec<(usize, (u32, f32))>,
    products: Vec<f32>,
}

/// What an autoencoder's latents are at every position of texts but the first of each, whose activations are outliers in
/// many models (attention sinks).
pub struct LatentActivations {
    hook: Hook,
    texts: Vec<Vec<Token>>,
    positions: Vec<Position>,
    /// Of each latent where it is active: the number of the position, and the activation.
    active: Vec<Vec<(u32, f32)>>,
    /// How many these are.
    count: usize,
    /// Random directions, d × as many; and of each position the products with them.
    directions: Matrix,
    products: Vec<f32>,
    seed: u32,
}

/// A latent over all texts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LatentRow {
    /// Its number, from 0.
    pub latent: usize,
    /// Share of positions at which it is active.
    pub density: f64,
    /// Its greatest activation.
    pub max: f32,
    /// Its mean where it is active.
    pub mean: f64,
}

/// All latents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatentTable {
    /// Texts, and positions of them that were looked at: all but the first of each.
    pub texts: usize,
    /// See `texts`.
    pub positions: usize,
    /// Latents, and those of them that are active anywhere.
    pub latents: usize,
    /// See `latents`.
    pub alive: usize,
    /// Latents that are active at a position, on average.
    pub l0: f64,
    /// The first of them in the order that was asked for.
    pub rows: Vec<LatentRow>,
}

/// In which order latents are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LatentOrder {
    /// By the greatest activation.
    #[default]
    Max,
    /// By the share of positions.
    Density,
    /// By their numbers.
    Number,
}

/// A place where a latent is active, with what stands around it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatentContext {
    /// Which text, from 0.
    pub text: usize,
    /// Which position of it.
    pub position: usize,
    /// The activation.
    pub activation: f32,
    /// Tokens around it, with the latent's activation at each.
    pub tokens: Vec<(Token, f32)>,
    /// Which of these it is.
    pub at: usize,
}

/// A token and what a direction adds to its logit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LogitEffect {
    /// The token.
    pub token: Token,
    /// Beyond the mean over all tokens.
    pub effect: f64,
}

/// How well the best of some separates a concept: chosen by the area under the ROC curve in one half of the texts,
/// measured in the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BestSeparator {
    /// Which, from 0.
    pub index: usize,
    /// In the half in which it was chosen.
    pub chosen: f64,
    /// In the other half.
    pub held_out: f64,
}

/// A concept and the latent that separates it best.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConceptScore {
    /// The concept.
    pub concept: String,
    /// Positions that are of it, in the half in which is chosen and in the other.
    pub positives: [usize; 2],
    /// The best latent; nothing where a half has fewer than five positions of the concept, or beside it.
    pub best: Option<BestSeparator>,
    /// The best random direction.
    pub random: Option<BestSeparator>,
    /// The best latent for the labels in random order.
    pub shuffled: Option<BestSeparator>,
}

/// Scores of concepts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConceptTable {
    /// Positions of the half in which is chosen, and of the other.
    pub positions: [usize; 2],
    /// Random directions that there are.
    pub directions: usize,
    /// A row a concept.
    pub rows: Vec<ConceptScore>,
}

/// A label of every position, and which half it is in.
struct PositionLabels {
    is: Vec<bool>,
    half: Vec<bool>,
    /// Positions of the concept and beside it, of each half.
    counts: [[usize; 2]; 2],
}

impl PositionLabels {
    fn new(is: Vec<bool>, half: Vec<bool>) -> Self {
        let mut counts = [[0; 2]; 2];
        for (is, half) in is.iter().zip(&half) {
            counts[usize::from(*half)][usize::from(!*is)] += 1;
        }
        Self { is, half, counts }
    }

    fn has_enough_positions(&self) -> bool {
        self.counts.iter().flatten().all(|count| *count >= CONCEPT_POSITIONS_MIN)
    }

    /// Areas under the ROC curve in both halves, of activations that are sorted from the largest on; of other positions
    /// they are 0. Equal ones count half.
    fn half_aucs(&self, sorted: &[(u32, f32)]) -> [f64; 2] {
        let count = |entries: &[(u32, f32)]| {
            let mut counts = [[0; 2]; 2];
            for (at, _) in entries {
                let at = *at as usize;
                counts[usize::from(self.half[at])][usize::from(!self.is[at])] += 1;
            }
            counts
        };
        let positive = sorted.partition_point(|(_, value)| *value > 0.0);
        let negative = sorted.partition_point(|(_, value)| *value >= 0.0);
        let (above, below) = (&sorted[..positive], &sorted[negative..]);
        let mut zeros = self.counts;
        for (half, counts) in zeros.iter_mut().zip(count(above).iter().zip(count(below))) {
            half.iter_mut().zip(counts.0.iter().zip(counts.1)).for_each(|(rest, (a, b))| *rest -= a + b);
        }
        let groups =
            |of: &[(u32, f32)]| -> Vec<[[usize; 2]; 2]> { of.chunk_by(|a, b| a.1 == b.1).map(count).collect() };
        let (mut pairs, mut left) = ([0.0; 2], self.counts.map(|[_, beside]| beside));
        for counts in groups(above).into_iter().chain([zeros]).chain(groups(below)) {
            for (half, [of, beside]) in counts.into_iter().enumerate() {
                left[half] -= beside;
                pairs[half] += of as f64 * (left[half] as f64 + 0.5 * beside as f64);
            }
        }
        std::array::from_fn(|half| {
            let [of, beside] = self.counts[half];
            pairs[half] / (of as f64 * beside as f64)
        })
    }

    /// The best of some in the first half; of equal ones the first.
    fn best_separator<'a>(&self, all: impl Iterator<Item = &'a [(u32, f32)]>) -> Option<BestSeparator> {
        let mut best: Option<BestSeparator> = None;
        for (index, sorted) in all.enumerate() {
            let [chosen, held_out] = self.half_aucs(sorted);
            if best.is_none_or(|best| chosen > best.chosen) {
                best = Some(BestSeparator { index, chosen, held_out });
            }
        }
        best
    }
}

impl LatentActivations {
    /// Of no text yet; `seed` is that of random directions and of shuffled labels.
    ///
    /// # Errors
    /// [`SpliceError::Width`], [`ModelError::Hook`].
    pub fn new(model: &Decoder, autoencoder: &Autoencoder, hook: Hook, seed: u32) -> Result<Self, SpliceError> {
        check_width(model, autoencoder, hook)?;
        let (d, k) = autoencoder.shape();
        let mut directions = Matrix::zeros(d, k.clamp(1, RANDOM_DIRECTIONS_MAX));
        NumpyRng::new(seed).fill_standard_normal(directions.data_mut());
        Ok(Self {
            hook,
            texts: Vec::new(),
            positions: Vec::new(),
            active: vec![Vec::new(); k],
            count: 0,
            directions,
            products: Vec::new(),
            seed,
        })
    }

    /// Positions that have been looked at.
    #[must_use]
    pub fn position_count(&self) -> usize {
        self.positions.len()
    }

    /// Reads texts, several at once where there are threads or workers: only as far as the hook, without logits. One of a
    /// single token has nothing to look at. Where one is refused, none is added.
    ///
    /// # Errors
    /// As [`Decoder::logits`]; [`SpliceError::Sae`]; [`ModelError::Size`] beyond [`POSITIONS_MAX`] or [`ACTIVATIONS_MAX`];
    /// [`ModelError::NonFinite`].
    pub fn add_texts<T: AsRef<[Token]> + Sync>(
        &mut self,
        model: &Decoder,
        autoencoder: &Autoencoder,
        texts: &[T],
    ) -> Result<(), SpliceError> {
        let size = |field, found, most: usize| Err(ModelError::size(field, found, format!("at most {most}")).into());
        let counts = texts.iter().map(|text| text.as_ref().len().saturating_sub(1));
        let found = self.positions.len() + counts.sum::<usize>();
        if found > POSITIONS_MAX {
            return size("positions of all texts", found, POSITIONS_MAX);
        }
        let read = |text: &T| self.read_text(model, autoencoder, text.as_ref());
        let texts = workers::parallel_map(texts.iter().collect(), read)?;
        let active: usize = texts.iter().flatten().map(|text| text.active.len()).sum();
        if self.count + active > ACTIVATIONS_MAX {
            return size("activations of all latents", self.count + active, ACTIVATIONS_MAX);
        }
        self.count += active;
        for TextLatents { tokens, active, products } in texts.into_iter().flatten() {
            let (first, text) = (self.positions.len() as u32, self.texts.len() as u32);
            for (latent, (at, code)) in active {
                if let Some(of) = self.active.get_mut(latent) {
                    of.push((first + at, code));
                }
            }
            self.products.extend(products);
            self.positions.extend((1..tokens.len()).map(|at| Position { text, at: at as u32 }));
            self.texts.push(tokens);
        }
        Ok(())
    }

    /// As [`Self::add_texts`] of one.
    ///
    /// # Errors
    /// As there.
    pub fn add_text(
        &mut self,
        model: &Decoder,
        autoencoder: &Autoencoder,
        tokens: &[Token],
    ) -> Result<(), SpliceError> {
        self.add_texts(model, autoencoder, &[tokens])
    }

    /// What latents and random directions are at a text's positions but the first; nothing of a text without others.
    fn read_text(
        &self,
        model: &Decoder,
        autoencoder: &Autoencoder,
        tokens: &[Token],
    ) -> Result<Option<TextLatents>, SpliceError> {
        let mut taken = ActivationCache::for_hooks(&[self.hook]);
        model.run_until(&Batch::new(&[tokens])?, self.hook, &mut taken)?;
        let width = autoencoder.shape().0;
        let values = taken.get(self.hook).get(width..).unwrap_or_default();
        if values.is_empty() {
            return Ok(None);
        }
        let mut active = Vec::new();
        let nothing = Matrix::zeros(0, 0);
        let Autoencoder { coder, dictionary, .. } = autoencoder;
        for (block, values) in values.chunks(POSITIONS_AT_ONCE * width).enumerate() {
            cancel::check().map_err(ModelError::from)?;
            let (rows, at) = (autoencoder.to_rows(values)?, block * POSITIONS_AT_ONCE + 1);
            coder.encode_and_decode_with(dictionary, &rows, at, (None, &nothing), &mut |row, codes| {
                for (latent, code) in codes.iter().filter(|(_, code)| is_active(*code)) {
                    active.push((*latent as usize, (row as u32 - 1, *code as f32)));
                }
            })?;
        }
        let rows = autoencoder.to_rows(values)?;
        let products = linalg::product(&rows, &self.directions);
        let codes = active.iter().map(|(_, (_, code))| f64::from(*code));
        if !codes.chain(products.data().iter().copied()).all(f64::is_finite) {
            return Err(ModelError::NonFinite.into());
        }
        let products = products.data().iter().map(|product| *product as f32).collect();
        Ok(Some(TextLatents { tokens: tokens.to_vec(), active, products }))
    }

    /// The texts that have been read.
    #[must_use]
    pub fn texts(&self) -> &[Vec<Token>] {
        &self.texts
    }

    /// How many latents there are.
    #[must_use]
    pub fn latent_count(&self) -> usize {
        self.active.len()
    }

    /// How many random directions there are.
    #[must_use]
    pub fn random_direction_count(&self) -> usize {
        self.directions.cols()
    }

    /// A random direction, as many numbers as the hook has.
    #[must_use]
    pub fn random_direction(&self, index: usize) -> Vec<f64> {
        (0..self.directions.rows()).map(|row| self.directions.row(row)[index]).collect()
    }

    /// Of each text, the activation of a latent at its positions but the first.
    #[must_use]
    pub fn activations_by_text(&self, latent: usize) -> Vec<Vec<f64>> {
        let mut all = vec![0.0; self.positions.len()];
        for (at, value) in self.active.get(latent).into_iter().flatten() {
            all[*at as usize] = f64::from(*value);
        }
        self.split_by_text(all)
    }

    /// The same of a random direction: the product with it.
    #[must_use]
    pub fn direction_products_by_text(&self, index: usize) -> Vec<Vec<f64>> {
        let products = self.products.iter().skip(index).step_by(self.directions.cols());
        self.split_by_text(products.copied().map(f64::from).collect())
    }

    /// The activations of all latents at a text's positions but the first: positions × latents.
    #[must_use]
    pub fn dense_activations(&self, text: usize) -> Vec<f64> {
        let (first, count) = self.text_range(text);
        let width = self.active.len();
        let mut all = vec![0.0; count * width];
        for (latent, entries) in self.active.iter().enumerate() {
            let from = entries.partition_point(|(at, _)| (*at as usize) < first);
            for (at, value) in &entries[from..] {
                let Some(place) = all.get_mut((*at as usize - first) * width + latent) else {
                    break;
                };
                *place = f64::from(*value);
            }
        }
        all
    }

    /// The positive parts of a text's products with all random directions: positions × directions.
    #[must_use]
    pub fn dense_direction_products(&self, text: usize) -> Vec<f64> {
        let (first, count) = self.text_range(text);
        let width = self.directions.cols();
        let all = self.products.get(first * width..(first + count) * width).unwrap_or_default();
        all.iter().map(|product| f64::from(product.max(0.0))).collect()
    }

    /// The first position of a text, and how many it has.
    fn text_range(&self, text: usize) -> (usize, usize) {
        let text = text as u32;
        let first = self.positions.partition_point(|position| position.text < text);
        let next = self.positions.partition_point(|position| position.text <= text);
        (first, next - first)
    }

    /// A number a position, text by text.
    fn split_by_text(&self, all: Vec<f64>) -> Vec<Vec<f64>> {
        let mut rest = all.as_slice();
        let text = |text: &Vec<Token>| {
            let (mine, after) = rest.split_at(text.len() - 1);
            rest = after;
            mine.to_vec()
        };
        self.texts.iter().map(text).collect()
    }

    fn latent_row(&self, latent: usize) -> Option<LatentRow> {
        let active = self.active.get(latent).filter(|active| !active.is_empty())?;
        let sum: f64 = active.iter().map(|(_, value)| f64::from(*value)).sum();
        Some(LatentRow {
            latent,
            density: active.len() as f64 / self.positions.len() as f64,
            max: active.iter().map(|(_, value)| *value).fold(f32::NEG_INFINITY, f32::max),
            mean: sum / active.len() as f64,
        })
    }

    /// The first latents of an order; those that are nowhere active are not listed.
    #[must_use]
    pub fn latent_table(&self, order: LatentOrder, count: usize) -> LatentTable {
        let mut rows: Vec<LatentRow> = (0..self.active.len()).filter_map(|at| self.latent_row(at)).collect();
        match order {
            LatentOrder::Max => rows = sort_descending(&rows, |row| f64::from(row.max)),
            LatentOrder::Density => rows = sort_descending(&rows, |row| row.density),
            LatentOrder::Number => {}
        }
        let alive = rows.len();
        rows.truncate(count);
        LatentTable {
            texts: self.texts.len(),
            positions: self.positions.len(),
            latents: self.active.len(),
            alive,
            l0: self.count as f64 / self.positions.len().max(1) as f64,
            rows,
        }
    }

    /// Where a latent is most active: of each text the strongest place, the strongest first.
    #[must_use]
    pub fn top_contexts(&self, latent: usize, count: usize) -> Vec<LatentContext> {
        let Some(active) = self.active.get(latent) else { return Vec::new() };
        let mut best: Vec<(u32, f32)> = Vec::new();
        // Positions come text by text.
        let text = |at: u32| self.positions.get(at as usize).map(|position| position.text);
        for entries in active.chunk_by(|a, b| text(a.0) == text(b.0)) {
            let most = entries.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
            best.extend(most);
        }
        best = sort_descending(&best, |(_, value)| f64::from(*value));
        best.truncate(count);
        let context = |(index, activation): (u32, f32)| {
            let Position { text, at } = *self.positions.get(index as usize)?;
            let (text, position) = (text as usize, at as usize);
            let tokens = self.texts.get(text)?;
            let from = position.saturating_sub(CONTEXT_TOKENS);
            let until = (position + CONTEXT_TOKENS + 1).min(tokens.len());
            let of = |place: usize| {
                // The place's number among all: position 0 has none.
                let number = (index as usize + place).checked_sub(position);
                let number = number.filter(|_| place > 0);
                let found = number.and_then(|number| active.binary_search_by_key(&(number as u32), |(at, _)| *at).ok());
                (tokens[place], found.map_or(0.0, |found| active[found].1))
            };
            let tokens = (from..until).map(of).collect();
            Some(LatentContext { text, position, activation, tokens, at: position - from })
        };
        best.into_iter().filter_map(context).collect()
    }

    /// Which concepts latents separate. Even texts choose the latent of each, odd ones measure it (of a single text its
    /// halves do), so that the best of many is not the luckiest of many.
    #[must_use]
    pub fn score_concepts(&self, tokenizer: &Tokenizer, concepts: &[Concept]) -> ConceptTable {
        let single = self.texts.len() < 2;
        let middle = self.positions.len() / 2;
        let halves = self.positions.iter().enumerate();
        let half: Vec<bool> = halves.map(|(at, of)| if single { at >= middle } else { of.text % 2 == 1 }).collect();
        let latents: Vec<Vec<(u32, f32)>> =
            self.active.iter().map(|active| sort_descending(active, |(_, value)| f64::from(*value))).collect();
        let count = self.directions.cols();
        let direction = |at: usize| {
            let products = self.products.iter().skip(at).step_by(count).copied();
            let all: Vec<(u32, f32)> = (0u32..).zip(products).collect();
            sort_descending(&all, |(_, value)| f64::from(*value))
        };
        let directions: Vec<Vec<(u32, f32)>> = (0..count).map(direction).collect();
        let order = NumpyRng::new(self.seed).permutation(self.positions.len() as u32);
        // Once for all concepts.
        let texts: Vec<Vec<String>> = self.texts.iter().map(|text| concepts::token_texts(tokenizer, text)).collect();
        let row = |concept: &Concept| {
            // Whoever has ended it looks at none of them.
            let enough = |labels: &PositionLabels| labels.has_enough_positions() && !cancel::is_cancelled();
            let labels = |text: &Vec<String>| {
                let pieces: Vec<&str> = text.iter().map(String::as_str).collect();
                concept.labels(&pieces).into_iter().skip(1)
            };
            let is: Vec<bool> = texts.iter().flat_map(labels).collect();
            let shuffled = order.iter().map(|at| is[*at as usize]).collect();
            let [labels, shuffled] = [is, shuffled].map(|is| PositionLabels::new(is, half.clone()));
            let slices = || latents.iter().map(Vec::as_slice);
            let best = |labels: &PositionLabels| enough(labels).then(|| labels.best_separator(slices())).flatten();
            ConceptScore {
                concept: concept.name().to_owned(),
                positives: [labels.counts[0][0], labels.counts[1][0]],
                best: best(&labels),
                random: enough(&labels).then(|| labels.best_separator(directions.iter().map(Vec::as_slice))).flatten(),
                shuffled: best(&shuffled),
            }
        };
        let second = half.iter().filter(|half| **half).count();
        ConceptTable {
            positions: [half.len() - second, second],
            directions: count,
            rows: concepts.iter().map(row).collect(),
        }
    }
}

/// A place of a latent, with what the tokens around it stand for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContextWithTokenText {
    /// The place.
    #[serde(flatten)]
    pub context: LatentContext,
    /// What each of its tokens stands for.
    pub pieces: Vec<Option<String>>,
}

/// A latent over texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatentView {
    /// Its number, from 0.
    pub latent: usize,
    /// Where it is most active.
    pub contexts: Vec<ContextWithTokenText>,
    /// The tokens whose logits it raises most; nothing where the hook does not write into the residual stream.
    pub raised: Option<Vec<WithTokenText<LogitEffect>>>,
    /// Those whose logits it lowers most.
    pub lowered: Option<Vec<WithTokenText<LogitEffect>>>,
}

impl LatentActivations {
    /// A latent with its `count` strongest places, and as many tokens whose logits it raises and lowers most.
    ///
    /// # Errors
    /// [`SpliceError::Latent`].
    pub fn latent_view(
        &self,
        model: &LanguageModel,
        autoencoder: &Autoencoder,
        latent: usize,
        count: usize,
    ) -> Result<LatentView, SpliceError> {
        let last = self.active.len().saturating_sub(1);
        if latent > last {
            return Err(SpliceError::Latent { found: latent as u64, last });
        }
        let effects = logit_effects(model.decoder(), autoencoder, self.hook, latent, count);
        let spelled = |all: Vec<LogitEffect>| model.with_token_text(all, |effect| effect.token);
        let (raised, lowered) = effects.map(|[a, b]| (spelled(a), spelled(b))).unzip();
        let context = |context: LatentContext| ContextWithTokenText {
            pieces: context.tokens.iter().map(|(token, _)| model.token_text(*token)).collect(),
            context,
        };
        let contexts = self.top_contexts(latent, count).into_iter().map(context).collect();
        Ok(LatentView { latent, contexts, raised, lowered })
    }
}

/// The largest first, equal ones as they were.
fn sort_descending<T: Copy>(all: &[T], value: impl Fn(&T) -> f64) -> Vec<T> {
    argsort_descending(all.iter().map(value)).into_iter().map(|at| all[at]).collect()
}

/// The tokens whose logits a latent raises and lowers most by its direction, through the last normalisation's gain and the
/// unembedding; nothing where it does not write into the residual stream, or there is no such latent.
#[must_use]
pub fn logit_effects(
    model: &Decoder,
    autoencoder: &Autoencoder,
    hook: Hook,
    latent: usize,
    count: usize,
) -> Option<[Vec<LogitEffect>; 2]> {
    use crate::model::Site;
    let writes = match hook {
        Hook::Embed | Hook::PosEmbed => true,
        Hook::Block(_, site) => {
            matches!(site, Site::ResidPre | Site::ResidMid | Site::ResidPost | Site::AttnOut | Site::MlpOut)
        }
        Hook::LnFinalScale | Hook::LnFinal => false,
    };
    let direction = autoencoder.direction(latent).filter(|_| writes)?;
    let direction: Vec<f32> = direction.into_iter().map(|x| x as f32).collect();
    if direction.len() != model.architecture().d_model {
        return None;
    }
    let effects = model.logit_effects(&direction);
    let mut all: Vec<LogitEffect> =
        (0..).zip(&effects).map(|(token, effect)| LogitEffect { token, effect: f64::from(*effect) }).collect();
    all = sort_descending(&all, |one| one.effect);
    let lowest = all.iter().rev().take(count).copied().collect();
    all.truncate(count);
    Some([all, lowest])
}
