//! What a run of FADE on the toy model is made of.

use serde::{Deserialize, Serialize};

use super::metric::{DEFAULT_FACTORS, Norm, RatedTexts, Sample};
use crate::settings::{
    Choice, Field, Group, Kind, Parameters, Part, Problem, Problems, Range, Span, When, changed,
    check, wish,
};
use crate::toy_model::{DICTIONARIES, choices};

/// Natural texts that are rated.
pub const TEXTS: Range = Range::whole("texts", 20, 2_000);
/// Texts made from each description.
pub const MADE: Range = Range::whole("made", 5, 200);
/// Continuations written at each factor.
pub const CONTINUATIONS: Range = Range::whole("continuations", 1, 128);
/// Share of wrong labels, and of made texts that are not of the concept.
pub const ERROR: Range = Range::real("error", 0.0, 0.5);
/// Texts of a sample.
pub const SAMPLE: Range = Range::whole("sample", 1, 2_000);
/// Share of a sample that comes from the top.
pub const TOP: Range = Range::real("top", 0.0, 1.0);
/// Factors by which a feature's largest activation is multiplied.
pub const FACTORS: Span = Span { min: -100.0, below: 100.5, most: 15 };

const SUBJECT: Group = Group { name: "subject", heading: "What is rated" };
const TEXT: Group = Group { name: "texts", heading: "Texts" };
const STEERING: Group = Group { name: "steering", heading: "Steering" };
const RATER: Group = Group { name: "rater", heading: "Rater" };
const FORMULA: Group = Group { name: "formula", heading: "The note’s formula" };

/// Without the residual stream, which is no dictionary.
const SAES: [Choice; DICTIONARIES.len()] = choices(true);

const RATED: [Choice; 2] = [
    Choice { word: RatedTexts::All.name(), label: "all", help: "Every natural text" },
    Choice {
        word: RatedTexts::Sampled.name(),
        label: "a sample",
        help: "As the reference code does: from bands of a latent’s activations, and the most active ones; purity, \
               which depends on the mix, then is mostly higher",
    },
];

const NORMS: [Choice; 2] = [
    Choice {
        word: Norm::Elements.name(),
        label: "elements",
        help: "All activations: a share of pairs, at most 1",
    },
    Choice {
        word: Norm::Nonzero.name(),
        label: "non-zeros",
        help: "Literally the ℓ0 norm: no share of pairs any more, so that scores can exceed 1",
    },
];

/// Every knob, in the order in which a link has them.
pub const FIELDS: [Field; 11] = [
    Field {
        name: "sae",
        key: "sae",
        group: SUBJECT,
        label: "Autoencoder",
        help: "Autoencoder whose latents are rated",
        kind: Kind::Choice(&SAES),
        part: Part { rank: 0, lead: "-", when: When::Always },
    },
    Field {
        name: "texts",
        key: "n",
        group: TEXT,
        label: "Natural texts",
        help: "Natural texts: all of them are rated, or a sample",
        kind: Kind::Number(TEXTS),
        part: changed(1, "-n"),
    },
    Field {
        name: "made",
        key: "made",
        group: TEXT,
        label: "Made texts",
        help: "Texts made from each description",
        kind: Kind::Number(MADE),
        part: changed(2, "-made"),
    },
    Field {
        name: "seed",
        key: "seed",
        group: TEXT,
        label: "Seed",
        help: "Seed of the natural texts, and of a sample of them",
        kind: Kind::Seed,
        part: changed(3, "-seed"),
    },
    Field {
        name: "continuations",
        key: "cont",
        group: STEERING,
        label: "Continuations",
        help: "Continuations written at each factor",
        kind: Kind::Number(CONTINUATIONS),
        part: changed(4, "-cont"),
    },
    Field {
        name: "factors",
        key: "factors",
        group: STEERING,
        label: "Factors",
        help: "Multiples of a feature’s largest activation that it is set to, separated by commas; 0 \
               among them",
        kind: Kind::List(FACTORS),
        part: changed(5, "-factors"),
    },
    Field {
        name: "error",
        key: "error",
        group: RATER,
        label: "Error rate",
        help: "Share of labels that are wrong, and of made texts that are any natural text",
        kind: Kind::Number(ERROR),
        part: changed(6, "-error"),
    },
    Field {
        name: "rated",
        key: "rated",
        group: RATER,
        label: "Rated texts",
        help: "Natural texts that responsiveness and purity are of",
        kind: Kind::Choice(&RATED),
        part: changed(7, "-rated-"),
    },
    Field {
        name: "sample",
        key: "sample",
        group: RATER,
        label: "Sample",
        help: "Texts of a sample, whether it is what is rated or stands beside that",
        kind: Kind::Number(SAMPLE),
        part: changed(8, "-sample"),
    },
    Field {
        name: "top",
        key: "top",
        group: RATER,
        label: "Top share",
        help: "Share of a sample that comes from the most active texts",
        kind: Kind::Number(TOP),
        part: changed(9, "-top"),
    },
    Field {
        name: "norm",
        key: "norm",
        group: FORMULA,
        label: "‖A‖₀ counts",
        help: "What the note’s clarity and responsiveness divide by for each set; the code’s divide by none",
        kind: Kind::Choice(&NORMS),
        part: changed(10, "-norm-"),
    },
];

wish! {
    /// Somebody's wish for [`Settings`], unchecked.
    pub struct Draft {
        sae: Word,
        texts: Number,
        made: Number,
        seed: Number,
        continuations: Number,
        factors: List,
        error: Number,
        rated: Word,
        sample: Number,
        top: Number,
        norm: Word,
    }
}

impl Draft {
    /// Settings of a draft.
    ///
    /// # Errors
    /// All refused fields together.
    pub fn parse(&self) -> Result<Settings, Problems> {
        check(self)
    }
}

/// What a run of FADE is made of. Out-of-range values cannot be held: it is made by [`Draft::parse`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FadeSettings"))]
#[serde(try_from = "Draft")]
pub struct Settings {
    /// The autoencoder's name.
    pub sae: String,
    /// Natural texts that are rated.
    pub texts: usize,
    /// Texts made from each description.
    pub made: usize,
    /// Seed of the natural texts.
    pub seed: u32,
    /// Continuations written at each factor.
    pub continuations: usize,
    /// Multiples of a feature's largest activation, 0 among them.
    pub factors: Vec<f64>,
    /// Share of wrong labels.
    pub error: f64,
    /// Natural texts that responsiveness and purity are of.
    pub rated: RatedTexts,
    /// Texts of a sample, whether it is what is rated or stands beside that.
    pub sample: usize,
    /// Share of a sample that comes from the most active texts, from 0 to 1.
    pub top: f64,
    /// What the note's formula of clarity and responsiveness divides by.
    pub norm: Norm,
}

impl Settings {
    /// The sample of natural texts by a latent's activations of them; nothing where it would be all.
    pub(super) fn sampled(&self, activations: &[f64]) -> Option<Sample> {
        Sample::of(activations, self.sample, self.top, self.seed)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            sae: "topk256".to_owned(),
            texts: 600,
            made: 50,
            seed: 2,
            continuations: 32,
            factors: DEFAULT_FACTORS.to_vec(),
            error: 0.0,
            rated: RatedTexts::All,
            sample: 500,
            top: 0.1,
            norm: Norm::Elements,
        }
    }
}

impl TryFrom<Draft> for Settings {
    type Error = Problems;

    fn try_from(draft: Draft) -> Result<Self, Problems> {
        draft.parse()
    }
}

impl Parameters for Settings {
    type ParameterDraft = Draft;
    const STUDY: &'static str = "fade";
    const FIELDS: &'static [Field] = &FIELDS;
    const GIVES_WAY: &'static str = "factors";

    fn fill(wish: &Draft) -> Self {
        let usual = Self::default();
        let whole = |value: Option<f64>, usual: usize| value.map_or(usual, |value| value as usize);
        Self {
            sae: wish.sae.clone().unwrap_or(usual.sae),
            texts: whole(wish.texts, usual.texts),
            made: whole(wish.made, usual.made),
            seed: wish.seed.map_or(usual.seed, |seed| seed as u32),
            continuations: whole(wish.continuations, usual.continuations),
            factors: wish.factors.clone().unwrap_or(usual.factors),
            error: wish.error.unwrap_or(usual.error),
            rated: match wish.rated.as_deref() {
                Some(word) if word == RatedTexts::Sampled.name() => RatedTexts::Sampled,
                _ => RatedTexts::All,
            },
            sample: whole(wish.sample, usual.sample),
            top: wish.top.unwrap_or(usual.top),
            norm: match wish.norm.as_deref() {
                Some(word) if word == Norm::Nonzero.name() => Norm::Nonzero,
                _ => Norm::Elements,
            },
        }
    }

    fn wish(&self) -> Draft {
        Draft {
            sae: Some(self.sae.clone()),
            texts: Some(self.texts as f64),
            made: Some(self.made as f64),
            seed: Some(f64::from(self.seed)),
            continuations: Some(self.continuations as f64),
            factors: Some(self.factors.clone()),
            error: Some(self.error),
            rated: Some(self.rated.name().to_owned()),
            sample: Some(self.sample as f64),
            top: Some(self.top),
            norm: Some(self.norm.name().to_owned()),
        }
    }

    fn problem(&self) -> Option<Problem> {
        let shown = || self.factors.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
        let none = !self.factors.contains(&0.0);
        none.then(|| {
            Problem::new(
                "factors",
                shown(),
                "a list with 0 in it: that is what the others are held against",
            )
        })
    }
}
