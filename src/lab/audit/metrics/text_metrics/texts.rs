//! What is read of texts once for many dictionaries.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::thread::LocalKey;

use crate::lab::audit::{Decomposition, Memo};
use crate::model::Model;
use crate::papers::ce_bench::{Labels, StoryActivations};
use crate::papers::fade::{Description, Natural, Rated, Settings};
use crate::study::Failure;
use crate::synthetic::language::{Concept, Grammar};
use crate::toy_model;

/// Natural texts for each text of the ground: 325 in all of the audit's streams, half of it where there is half the data.
const NATURAL: usize = 5;
/// Texts of the ground for each text that is made of a concept, and for each pair of stories: 22 of both.
const SHARED: usize = 3;
/// How often each steered feature is continued, a factor.
const CONTINUATIONS: usize = 8;
/// Draws of one ground are so far apart; grounds' own seeds are below that.
const APART: u32 = 100_000;
/// Readings of one kind that are held at once: a job goes to and fro between its ground and the one without structure.
const HELD: usize = 4;

/// Whose residual stream, and of which texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stream {
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

impl Stream {
    /// That of a decomposition; none where it is of no language.
    pub(super) fn of(it: &Decomposition) -> Option<Self> {
        let ground = it.ground();
        let (checkpoint, layer) = it.language()?;
        let grammar = ground.grammar;
        let natural = ground.texts_seed;
        let made = natural.wrapping_add(it.draw().wrapping_mul(APART));
        let texts = ground.texts.len();
        (texts > 0).then_some(Self { checkpoint, layer, grammar, natural, made, texts })
    }

    /// How many natural texts.
    pub(super) fn natural_texts(self) -> usize {
        NATURAL * self.texts
    }

    /// How many texts of each concept, or pairs of stories.
    pub(super) fn made_texts(self) -> usize {
        self.texts.div_ceil(SHARED)
    }

    /// FADE's knobs that say how much there is.
    pub(super) fn settings(self) -> Settings {
        Settings {
            texts: self.natural_texts(),
            made: self.made_texts(),
            seed: self.natural,
            continuations: CONTINUATIONS,
            ..Settings::default()
        }
    }

    /// The seed of what is made.
    pub(super) fn made_seed(self) -> u32 {
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
        toy_model::model(self.checkpoint).map_err(Failure::from)
    }
}

/// Natural texts and what they express.
pub(super) struct Read {
    pub natural: Natural,
    pub labels: Labels,
}

/// Something that was read, and how long that took.
struct Kept<T> {
    of: Stream,
    it: Rc<T>,
    seconds: f64,
}

type Shelf<T> = RefCell<VecDeque<Kept<T>>>;

thread_local! {
    static NATURALS: Shelf<Read> = const { RefCell::new(VecDeque::new()) };
    static RATED: Shelf<Vec<Rated>> = const { RefCell::new(VecDeque::new()) };
    static TOLD: Shelf<StoryActivations> = const { RefCell::new(VecDeque::new()) };
}

/// What a shelf has of a stream, made if it has nothing. Its seconds count for whoever asks.
fn shared<T>(
    shelf: &'static LocalKey<Shelf<T>>,
    memo: &Memo,
    of: Stream,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<Rc<T>, Failure> {
    let found = shelf.with_borrow(|shelf| {
        let kept = shelf.iter().find(|kept| kept.of == of)?;
        Some((Rc::clone(&kept.it), kept.seconds))
    });
    if let Some((it, seconds)) = found {
        memo.saved(seconds);
        return Ok(it);
    }
    let began = memo.now();
    let it = Rc::new(make()?);
    let kept = Kept { of, it: Rc::clone(&it), seconds: memo.now() - began };
    shelf.with_borrow_mut(|shelf| {
        shelf.truncate(HELD - 1);
        shelf.push_front(kept);
    });
    Ok(it)
}

/// The natural texts of a stream.
pub(super) fn natural(memo: &Memo, of: Stream) -> Result<Rc<Read>, Failure> {
    // They are the same under every seed of what is made.
    let key = Stream { made: 0, ..of };
    shared(&NATURALS, memo, key, || {
        let (model, grammar) = (of.model()?, of.grammar);
        let place = (&*model, of.layer);
        let natural = Natural::read(place, grammar, of.natural, of.natural_texts())?;
        Ok(Read { labels: Labels::of(grammar, natural.texts()), natural })
    })
}

/// Every concept's labels and made texts.
pub(super) fn rated(memo: &Memo, of: Stream, read: &Read) -> Result<Rc<Vec<Rated>>, Failure> {
    shared(&RATED, memo, of, || {
        let (model, settings) = (of.model()?, of.settings());
        let rated = |concept| {
            let (description, place) = (Description::Concept(concept), (&*model, of.layer));
            Rated::of(description, &read.natural, place, &settings, of.made).map_err(Failure::from)
        };
        Concept::ALL.into_iter().map(rated).collect()
    })
}

/// Pairs of stories.
pub(super) fn told(memo: &Memo, of: Stream) -> Result<Rc<StoryActivations>, Failure> {
    shared(&TOLD, memo, of, || {
        let model = of.model()?;
        StoryActivations::read((&*model, of.layer), of.grammar, of.made, of.made_texts())
            .map_err(Failure::from)
    })
}
