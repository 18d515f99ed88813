//! What a run of CE-Bench on the toy model is made of.

use serde::{Deserialize, Serialize};

use crate::settings::{
    Choice, Field, Group, Kind, Parameters, Part, Problems, Range, When, changed, check, wish,
};
use crate::toy_model::{DICTIONARIES, choices};

/// Story pairs.
pub const PAIRS: Range = Range::whole("pairs", 2, 500);

const SUBJECT: Group = Group { name: "subject", heading: "What is scored" };
const STORIES: Group = Group { name: "stories", heading: "Stories" };

const SAES: [Choice; DICTIONARIES.len() + 1] = choices(true);

/// Every knob, in the order in which a link has them.
pub const FIELDS: [Field; 3] = [
    Field {
        name: "sae",
        key: "sae",
        group: SUBJECT,
        label: "Autoencoder",
        help: "Autoencoder whose pairs are opened",
        kind: Kind::Choice(&SAES),
        part: Part { rank: 0, lead: "-", when: When::Always },
    },
    Field {
        name: "pairs",
        key: "n",
        group: STORIES,
        label: "Story pairs",
        help: "Pairs of stories that the scores are means over",
        kind: Kind::Number(PAIRS),
        part: changed(1, "-n"),
    },
    Field {
        name: "seed",
        key: "seed",
        group: STORIES,
        label: "Seed",
        help: "Seed of the story pairs",
        kind: Kind::Seed,
        part: changed(2, "-seed"),
    },
];

wish! {
    /// Somebody's wish for [`Settings`], unchecked.
    pub struct Draft {
        sae: Word,
        pairs: Number,
        seed: Number,
    }
}

/// What a run of CE-Bench is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CeBenchSettings"))]
#[serde(try_from = "Draft")]
pub struct Settings {
    /// The name of the autoencoder whose pairs are opened.
    pub sae: String,
    /// How many story pairs.
    pub pairs: usize,
    /// Their seed.
    pub seed: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { sae: "topk256".to_owned(), pairs: 100, seed: 3 }
    }
}

impl TryFrom<Draft> for Settings {
    type Error = Problems;

    fn try_from(draft: Draft) -> Result<Self, Problems> {
        check(&draft)
    }
}

impl Parameters for Settings {
    type ParameterDraft = Draft;
    const STUDY: &'static str = "ce-bench";
    const FIELDS: &'static [Field] = &FIELDS;
    const GIVES_WAY: &'static str = "pairs";

    fn fill(wish: &Draft) -> Self {
        let usual = Self::default();
        Self {
            sae: wish.sae.clone().unwrap_or(usual.sae),
            pairs: wish.pairs.map_or(usual.pairs, |pairs| pairs as usize),
            seed: wish.seed.map_or(usual.seed, |seed| seed as u32),
        }
    }

    fn wish(&self) -> Draft {
        Draft {
            sae: Some(self.sae.clone()),
            pairs: Some(self.pairs as f64),
            seed: Some(f64::from(self.seed)),
        }
    }
}
