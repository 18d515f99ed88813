//! What a run of CE-Bench on the toy model is made of.

use crate::settings::{
    Choice, Group, Kind, NameCondition, NamePart, Range, parameters, part_if_changed,
};
use crate::toy_model::{DICTIONARIES, dictionary_choices};

/// Story pairs.
pub const PAIRS_RANGE: Range = Range::integer("pairs", 2, 500);

const SUBJECT_GROUP: Group = Group { name: "subject", heading: "What is scored" };
const STORIES_GROUP: Group = Group { name: "stories", heading: "Stories" };

const SAE_CHOICES: [Choice; DICTIONARIES.len() + 1] = dictionary_choices(true);

parameters! {
    /// What a run of CE-Bench is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
    pub struct Settings of "ce-bench", in TypeScript "CeBenchSettings", where pairs gives way;

    /// The name of the autoencoder whose pairs are opened.
    sae: String = "topk256".to_owned(), ("sae", SUBJECT_GROUP, "Autoencoder", "Autoencoder whose pairs are opened"),
        Kind::Choice(&SAE_CHOICES), NamePart { rank: 0, lead: "-", when: NameCondition::Always };
    /// How many story pairs.
    pairs: usize = 100, ("n", STORIES_GROUP, "Story pairs", "Pairs of stories that the scores are means over"),
        Kind::Number(PAIRS_RANGE), part_if_changed(1, "-n");
    /// Their seed.
    seed: u32 = 3, ("seed", STORIES_GROUP, "Seed", "Seed of the story pairs"), Kind::Seed, part_if_changed(2, "-seed");
}
