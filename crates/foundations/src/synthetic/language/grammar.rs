/// A planted language's order of words and frequencies. Vocabulary, concepts, tasks and draws are the same in
/// both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grammar {
    /// Verbs before what they govern, *not* before its adjective: *ann was not happy with the boat .*
    #[default]
    First,
    /// Verbs last, adjectives after nouns, *not* after its adjective: *ann the boat with happy not was .*
    Second,
}

impl Grammar {
    /// Of a hundred texts, how many are stories.
    pub(super) const fn story_percent(self) -> usize {
        match self {
            Self::First => 30,
            Self::Second => 50,
        }
    }

    /// Of a hundred draws of a group of names, how many are the common one.
    pub(super) const fn common_name_percent(self) -> usize {
        match self {
            Self::First => 90,
            Self::Second => 70,
        }
    }
}
