//! What is read of texts once for many dictionaries.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::thread::LocalKey;

use crate::lab::audit::{Decomposition, Memo};
use crate::model::Model;
use crate::papers::ce_bench::{ConceptLabels, StoryActivations};
use crate::papers::fade::{Description, NaturalTexts, RatedDescription, Settings};
use crate::study::Failure;
use crate::synthetic::language::{Concept, Grammar};
use crate::toy_model;

/// Natural texts for each text of the ground: 325 in all of the audit's streams, half of it where there is half the data.
const NATURAL_TEXTS_PER_TEXT: usize = 5;
/// Texts of the ground for each text that is made of a concept, and for each pair of stories: 22 of both.
const TEXTS_PER_GENERATED: usize = 3;
/// How often each steered feature is continued, a factor.
const CONTINUATIONS_PER_FACTOR: usize = 8;
/// Draws of one ground are so far apart; grounds' own seeds are below that.
const DRAW_SEED_STRIDE: u32 = 100_000;
/// Readings of one kind that are held at once: a job goes to and fro between its ground and the one without structure.
const CACHE_SIZE: usize = 4;

/// Whose residual stream, and of which texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ResidualSource {
    checkpoint: &'static str,
    layer: usize,
    grammar: Grammar,
    /// The seed of the natural texts.
    natural: u32,
    /// The seed of what is made: texts from descriptions, pairs of stories.
    made: u32,
    /// Texts of the ground.
    texts: usize,
}

impl ResidualSource {
    /// That of a decomposition; none where it is of no language.
    pub(super) fn from_decomposition(it: &Decomposition) -> Option<Self> {
        let ground = it.ground_truth();
        let (checkpoint, layer) = it.checkpoint_layer()?;
        let grammar = ground.grammar;
        let natural = ground.texts_seed;
        let made = natural.wrapping_add(it.draw_seed().wrapping_mul(DRAW_SEED_STRIDE));
        let texts = ground.texts.len();
        (texts > 0).then_some(Self { checkpoint, layer, grammar, natural, made, texts })
    }

    /// How many natural texts.
    pub(super) fn natural_text_count(self) -> usize {
        NATURAL_TEXTS_PER_TEXT * self.texts
    }

    /// How many texts of each concept, or pairs of stories.
    pub(super) fn generated_text_count(self) -> usize {
        self.texts.div_ceil(TEXTS_PER_GENERATED)
    }

    /// FADE's knobs that say how much there is.
    pub(super) fn fade_settings(self) -> Settings {
        Settings {
            texts: self.natural_text_count(),
            made: self.generated_text_count(),
            seed: self.natural,
            continuations: CONTINUATIONS_PER_FACTOR,
            ..Settings::default()
        }
    }

    /// The seed of what is made.
    pub(super) fn generation_seed(self) -> u32 {
        self.made
    }

    /// After which layer.
    pub(super) fn layer(self) -> usize {
        self.layer
    }

    /// What the texts are written in.
    pub(super) fn grammar(self) -> Grammar {
        self.grammar
    }

    /// What reads and writes.
    pub(super) fn model(self) -> Result<std::sync::Arc<Model>, Failure> {
        toy_model::load_model(self.checkpoint).map_err(Failure::from)
    }
}

/// Natural texts and what they express.
pub(super) struct LabelledTexts {
    pub natural: NaturalTexts,
    pub labels: ConceptLabels,
}

/// Something that was read, and how long that took.
struct CacheEntry<T> {
    of: ResidualSource,
    it: Rc<T>,
    seconds: f64,
}

type TextCache<T> = RefCell<VecDeque<CacheEntry<T>>>;

thread_local! {
    static LABELLED_TEXTS: TextCache<LabelledTexts> = const { RefCell::new(VecDeque::new()) };
    static RATED_CONCEPTS: TextCache<Vec<RatedDescription>> = const { RefCell::new(VecDeque::new()) };
    static STORY_ACTIVATIONS: TextCache<StoryActivations> = const { RefCell::new(VecDeque::new()) };
}

/// What a shelf has of a stream, made if it has nothing. Its seconds count for whoever asks.
fn get_or_make<T>(
    shelf: &'static LocalKey<TextCache<T>>,
    memo: &Memo,
    of: ResidualSource,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<Rc<T>, Failure> {
    let found = shelf.with_borrow(|shelf| {
        let kept = shelf.iter().find(|kept| kept.of == of)?;
        Some((Rc::clone(&kept.it), kept.seconds))
    });
    if let Some((it, seconds)) = found {
        memo.add_saved_seconds(seconds);
        return Ok(it);
    }
    let began = memo.now();
    let it = Rc::new(make()?);
    let kept = CacheEntry { of, it: Rc::clone(&it), seconds: memo.now() - began };
    shelf.with_borrow_mut(|shelf| {
        shelf.truncate(CACHE_SIZE - 1);
        shelf.push_front(kept);
    });
    Ok(it)
}

/// The natural texts of a stream.
pub(super) fn labelled_texts(memo: &Memo, of: ResidualSource) -> Result<Rc<LabelledTexts>, Failure> {
    // They are the same under every seed of what is made.
    let key = ResidualSource { made: 0, ..of };
    get_or_make(&LABELLED_TEXTS, memo, key, || {
        let (model, grammar) = (of.model()?, of.grammar);
        let place = (&*model, of.layer);
        let natural = NaturalTexts::from_model(place, grammar, of.natural, of.natural_text_count())?;
        Ok(LabelledTexts { labels: ConceptLabels::from_texts(grammar, natural.texts()), natural })
    })
}

/// Every concept's labels and made texts.
pub(super) fn rated_concepts(
    memo: &Memo,
    of: ResidualSource,
    read: &LabelledTexts,
) -> Result<Rc<Vec<RatedDescription>>, Failure> {
    get_or_make(&RATED_CONCEPTS, memo, of, || {
        let (model, settings) = (of.model()?, of.fade_settings());
        let rated = |concept| {
            let (description, place) = (Description::Concept(concept), (&*model, of.layer));
            RatedDescription::new(description, &read.natural, place, &settings, of.made).map_err(Failure::from)
        };
        Concept::ALL.into_iter().map(rated).collect()
    })
}

/// Pairs of stories.
pub(super) fn story_activations(memo: &Memo, of: ResidualSource) -> Result<Rc<StoryActivations>, Failure> {
    get_or_make(&STORY_ACTIVATIONS, memo, of, || {
        let model = of.model()?;
        StoryActivations::from_model((&*model, of.layer), of.grammar, of.made, of.generated_text_count())
            .map_err(Failure::from)
    })
}
