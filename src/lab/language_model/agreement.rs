//! Words of subject–verb agreement, in the singular and the plural: "The keys near the table" → " are".

/// Subjects.
pub(super) const NOUNS: [[&str; 2]; 8] = [
    ["key", "keys"],
    ["teacher", "teachers"],
    ["picture", "pictures"],
    ["dog", "dogs"],
    ["letter", "letters"],
    ["road", "roads"],
    ["man", "men"],
    ["woman", "women"],
];

/// What stands between a subject and its verb.
pub(super) const MODIFIERS: [[&str; 2]; 5] = [
    ["near the table", "near the tables"],
    ["behind the house", "behind the houses"],
    ["of the boy", "of the boys"],
    ["beside the tree", "beside the trees"],
    ["by the window", "by the windows"],
];

/// Verbs, each with the space before it.
pub(super) const VERBS: [[&str; 2]; 2] = [[" is", " are"], [" was", " were"]];
