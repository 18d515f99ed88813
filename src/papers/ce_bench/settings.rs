//! What a run of CE-Bench on the toy model is made of.

use crate::settings::{Choice, Group, Kind, Part, Range, When, changed, parameters};
use crate::toy_model::{DICTIONARIES, choices};

/// Story pairs.
pub const PAIRS: Range = Range::whole("pairs", 2, 500);

const SUBJECT: Group = Group { name: "subject", heading: "What is scored" };
const STORIES: Group = Group { name: "stories", heading: "Stories" };

const SAES: [Choice; DICTIONARIES.len() + 1] = choices(true);

parameters! {
    /// What a run of CE-Bench is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
    pub struct Settings of "ce-bench", in TypeScript "CeBenchSettings", where pairs gives way;

    /// The name of the autoencoder whose pairs are opened.
    sae: String = "topk256".to_owned(), ("sae", SUBJECT, "Autoencoder", "Autoencoder whose pairs are opened"),
        Kind::Choice(&SAES), Part { rank: 0, lead: "-", when: When::Always };
    /// How many story pairs.
    pairs: usize = 100, ("n", STORIES, "Story pairs", "Pairs of stories that the scores are means over"),
        Kind::Number(PAIRS), changed(1, "-n");
    /// Their seed.
    seed: u32 = 3, ("seed", STORIES, "Seed", "Seed of the story pairs"), Kind::Seed, changed(2, "-seed");
}
