//! What a run of CE-Bench on the toy model is made of.

use crate::settings::{Choice, FieldKind, FormGroup, NameCondition, NamePart, Range, parameters, part_if_changed};
use crate::toy_model::{DICTIONARIES, dictionary_choices};

/// Story pairs.
pub const PAIRS_RANGE: Range = Range::integer("pairs", 2, 500);

const SUBJECT_GROUP: FormGroup = FormGroup { name: "subject", heading: "What is scored" };
const STORIES_GROUP: FormGroup = FormGroup { name: "stories", heading: "Stories" };

const SAE_CHOICES: [Choice; DICTIONARIES.len() + 1] = dictionary_choices(true);

parameters! {
    /// What a run of CE-Bench is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
    pub struct Settings of "ce-bench", in TypeScript "CeBenchSettings", where pairs gives way;

    /// The name of the autoencoder whose pairs are opened.
    sae: String = "topk256".to_owned(), ("sae", SUBJECT_GROUP, "Autoencoder", "Autoencoder whose pairs are opened"),
        FieldKind::Choice(&SAE_CHOICES), NamePart { rank: 0, prefix: "-", condition: NameCondition::Always };
    /// How many story pairs.
    pairs: usize = 100, ("n", STORIES_GROUP, "Story pairs", "Pairs of stories that the scores are means over"),
        FieldKind::Number(PAIRS_RANGE), part_if_changed(1, "-n");
    /// Their seed.
    seed: u32 = 3, ("seed", STORIES_GROUP, "Seed", "Seed of the story pairs"), FieldKind::Seed, part_if_changed(2, "-seed");
}
