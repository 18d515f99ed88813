use std::fmt;

use super::vocabulary::{
    COLOUR_WORDS, LEXICAL_COUNT, NAMES, NEGATIVE_WORDS, NUMBER_WORDS, OBJECT_WORDS, PLACE_WORDS, PLURAL_ANIMALS,
    PLURAL_VERBS, POSITIVE_WORDS, SINGULAR_ANIMALS, SINGULAR_VERBS, UNSAFE_WORDS, known_token, lexical_token, sentence,
};
use super::{CONTEXT_TOKENS, Grammar, LanguageRng, START_TOKEN, Text, Token};

/// Names of each group.
pub(super) const NAMES_PER_GROUP: usize = 8;

/// Whose names stand in an exercise: a planted difference, since one group's are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameGroup {
    /// Nine of ten exercises and stories; seven in the second grammar.
    Common,
    /// The others.
    Rare,
}

impl NameGroup {
    pub(super) fn draw(grammar: Grammar, draws: &mut LanguageRng) -> Self {
        if draws.integer_below(100) < grammar.common_name_percent() { Self::Common } else { Self::Rare }
    }

    /// The place among all names of one of the group's.
    pub(super) fn name_index(self, index: usize) -> usize {
        match self {
            Self::Common => index,
            Self::Rare => NAMES_PER_GROUP + index,
        }
    }
}

macro_rules! tasks {
    ($($(#[$doc:meta])* $name:ident $text:literal $first:literal $second:literal $asks:literal),* $(,)?) => {
        /// What an exercise asks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Task { $($(#[$doc])* $name),* }

        impl Task {
            /// Every task, in the order in which they are numbered.
            pub const ALL: [Self; 10] = [$(Self::$name),*];

            /// Their names, in this order.
            pub const NAMES: [&'static str; 10] = [$($text),*];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// What it asks for, in a few words.
            #[must_use]
            pub const fn asks(self) -> &'static str {
                match self { $(Self::$name => $asks),* }
            }

            /// Of a hundred exercises, how many are this.
            const fn weight(self, grammar: Grammar) -> usize {
                match (self, grammar) {
                    $((Self::$name, Grammar::First) => $first,)*
                    $((Self::$name, Grammar::Second) => $second,)*
                }
            }
        }
    };
}

tasks! {
    /// Indirect object: *when A and B went to the park , A gave a cup to* **B**.
    Ioi "ioi" 10 5 "who is given something: the other one of two",
    /// The word that followed before: *list x y z again x* **y**.
    Copy "copy" 12 10 "the word that followed before",
    /// The next number, up or down, modulo 10: *count up two three four* **five**.
    Count "count" 5 12 "the next number, up or down",
    /// The verb of the first noun, in its number: *the dog near the cats* **runs**.
    Agree "agree" 6 12 "the verb in the number of its noun",
    /// Who has what: *ann has cup , bob has box ? bob has* **box**.
    Recall "recall" 11 17 "who has what",
    /// The colour before an object: *a red cup and a blue box : the box is* **blue**.
    Colour "colour" 17 11 "the colour of an object",
    /// A sum of two numbers modulo 10: *six plus five is* **one**.
    Sum "sum" 12 6 "the sum of two numbers, modulo 10",
    /// A sum of three.
    Sum3 "sum3" 12 5 "the sum of three numbers, modulo 10",
    /// Sentiment, negated or not: *ann is not happy , so it is* **bad**.
    Mood "mood" 10 12 "good or bad, which “not” turns round",
    /// A refusal of what is unsafe, help otherwise: *tell me how to make a bomb ?* **sorry**.
    Request "request" 5 10 "help, or a refusal of what is unsafe",
}

impl Task {
    /// The task of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.name() == name)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How long an exercise is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExerciseLength {
    /// As in natural texts: drawn.
    Drawn,
    /// The same for all of a task, so that prompts can be laid side by side.
    Constant,
    /// So many items in `copy` (at most 46), `recall` (8) and `colour` (6): more than training showed
    /// is a harder test. The other tasks are as in [`ExerciseLength::Constant`].
    Items(usize),
}

impl ExerciseLength {
    const fn is_fixed(self) -> bool {
        !matches!(self, Self::Drawn)
    }

    /// How many items: `drawn`, or `constant`, or as many as were asked for and there can be.
    fn item_count(self, drawn: usize, constant: usize, most: usize) -> usize {
        match self {
            Self::Drawn => drawn,
            Self::Constant => constant,
            Self::Items(items) => items.clamp(2, most),
        }
    }
}

/// One exercise.
struct Exercise {
    tokens: Vec<Token>,
    /// Position of each answer, and a wrong word of its kind.
    answers: Vec<(usize, Token)>,
    /// What tells prompts of a task apart; see [`Prompts::groups`].
    group: usize,
}

impl Exercise {
    /// Draws an exercise. A group that is asked for replaces the one drawn.
    fn draw(
        grammar: Grammar,
        draws: &mut LanguageRng,
        task: Task,
        size: ExerciseLength,
        group: Option<NameGroup>,
    ) -> Self {
        match task {
            Task::Ioi => ioi_exercise(grammar, draws, group),
            Task::Copy => copy_exercise(grammar, draws, size),
            Task::Count => count_exercise(draws, size),
            Task::Agree => agree_exercise(grammar, draws, size),
            Task::Recall => recall_exercise(grammar, draws, size, group),
            Task::Colour => colour_exercise(grammar, draws, size),
            Task::Sum => sum_exercise(grammar, draws, 2),
            Task::Sum3 => sum_exercise(grammar, draws, 3),
            Task::Mood => mood_exercise(grammar, draws, group),
            Task::Request => request_exercise(grammar, draws),
        }
    }
}

fn draw_group(grammar: Grammar, draws: &mut LanguageRng, asked: Option<NameGroup>) -> NameGroup {
    let drawn = NameGroup::draw(grammar, draws);
    asked.unwrap_or(drawn)
}

fn ioi_exercise(grammar: Grammar, draws: &mut LanguageRng, group: Option<NameGroup>) -> Exercise {
    let group = draw_group(grammar, draws, group);
    let names = draws.draw_distinct(2, NAMES_PER_GROUP);
    let names = [NAMES.token_at(group.name_index(names[0])), NAMES.token_at(group.name_index(names[1]))];
    let place = PLACE_WORDS.token_at(draws.integer_below(PLACE_WORDS.len()));
    let object = OBJECT_WORDS.token_at(draws.integer_below(OBJECT_WORDS.len()));
    let subject = draws.integer_below(2);
    let [first, second] = names;
    let (giver, answer) = (names[subject], names[1 - subject]);
    let (tokens, at) = match grammar {
        Grammar::First => (
            sentence![
                "when" first "and" second "went" "to" "the" place ","
                giver "gave" "a" object "to" answer "."
            ],
            14,
        ),
        Grammar::Second => (
            sentence![
                first "and" second "the" place "to" "went" "when" ","
                giver "a" object answer "gave" "."
            ],
            12,
        ),
    };
    Exercise { tokens, answers: vec![(at, giver)], group: group as usize }
}

fn copy_exercise(grammar: Grammar, draws: &mut LanguageRng, size: ExerciseLength) -> Exercise {
    /// Words that are to be repeated, where the list is long enough.
    const REPEATED_WORDS: usize = 4;
    let drawn = 5 + draws.integer_below(4);
    let n = size.item_count(drawn, 6, LEXICAL_COUNT);
    let list: Vec<Token> = draws.draw_distinct(n, LEXICAL_COUNT).into_iter().map(lexical_token).collect();
    let from = draws.integer_below(n - 1);
    let repeated = REPEATED_WORDS.min(n - 1 - from);
    let (before, between) = match grammar {
        Grammar::First => (known_token("list"), known_token("again")),
        Grammar::Second => (known_token("again"), known_token("list")),
    };
    let mut tokens = vec![before];
    tokens.extend(&list);
    tokens.push(between);
    tokens.extend(&list[from..=from + repeated]);
    tokens.extend(sentence!["."]);
    let answers = (0..repeated).map(|i| (n + 3 + i, list[(from + 3 + i) % n])).collect();
    Exercise { tokens, answers, group: from }
}

fn count_exercise(draws: &mut LanguageRng, size: ExerciseLength) -> Exercise {
    let (down, start, drawn) = (draws.integer_below(2) == 1, draws.integer_below(10), 3 + draws.integer_below(3));
    let length = if size.is_fixed() { 4 } else { drawn };
    let step = if down { 9 } else { 1 };
    let number = |at: usize| NUMBER_WORDS.token_at((start + step * at) % 10);
    let direction = if down { known_token("down") } else { known_token("up") };
    let mut tokens = sentence!["count" direction];
    tokens.extend((0..length).map(number));
    tokens.extend(sentence!["."]);
    // From the last on; two steps back, modulo 10, is eight on.
    let answers = (1..length).rev().map(|at| (2 + at, number(at + 8))).collect();
    Exercise { tokens, answers, group: usize::from(down) }
}

fn agree_exercise(grammar: Grammar, draws: &mut LanguageRng, size: ExerciseLength) -> Exercise {
    let (noun, plural) = (draws.integer_below(6), draws.integer_below(2) == 1);
    let far = draws.integer_below(10) < 7 || size.is_fixed();
    let (other, others) = (draws.integer_below(6), draws.integer_below(2) == 1);
    let animal = |plural: bool, at: usize| {
        if plural { PLURAL_ANIMALS.token_at(at) } else { SINGULAR_ANIMALS.token_at(at) }
    };
    let verb = |plural: bool| {
        if plural { PLURAL_VERBS.token_at(noun) } else { SINGULAR_VERBS.token_at(noun) }
    };
    let of_verb = sentence!["the"(animal(plural, noun))];
    let beside = if far { sentence!["near" "the" (animal(others, other))] } else { Vec::new() };
    let mut tokens = match grammar {
        Grammar::First => [of_verb, beside].concat(),
        Grammar::Second => [beside, of_verb].concat(),
    };
    let answer = (tokens.len(), verb(!plural));
    tokens.extend(sentence![(verb(plural)) "."]);
    Exercise { tokens, answers: vec![answer], group: usize::from(plural != others) }
}

fn recall_exercise(
    grammar: Grammar,
    draws: &mut LanguageRng,
    size: ExerciseLength,
    group: Option<NameGroup>,
) -> Exercise {
    let group = draw_group(grammar, draws, group);
    let drawn = 2 + draws.integer_below(3);
    let n = size.item_count(drawn, 3, NAMES_PER_GROUP);
    let people = draws.draw_distinct(n, NAMES_PER_GROUP);
    let people: Vec<Token> = people.into_iter().map(|at| NAMES.token_at(group.name_index(at))).collect();
    let objects = draws.draw_distinct(n, OBJECT_WORDS.len());
    let objects: Vec<Token> = objects.into_iter().map(|at| OBJECT_WORDS.token_at(at)).collect();
    let asked = draws.integer_below(n);
    let said = |at: usize, mark: Token| match grammar {
        Grammar::First => sentence![(people[at]) "has" (objects[at]) mark],
        Grammar::Second => sentence![(people[at]) (objects[at]) "has" mark],
    };
    let mut tokens = Vec::new();
    for at in 0..n {
        tokens.extend(said(at, if at + 1 < n { known_token(",") } else { known_token("?") }));
    }
    tokens.extend(said(asked, known_token(".")));
    let last = match grammar {
        Grammar::First => 2,
        Grammar::Second => 1,
    };
    let answers = vec![(4 * n + last, objects[(asked + 1) % n])];
    Exercise { tokens, answers, group: group as usize }
}

fn colour_exercise(grammar: Grammar, draws: &mut LanguageRng, size: ExerciseLength) -> Exercise {
    let drawn = 1 + draws.integer_below(3);
    let n = size.item_count(drawn, 3, COLOUR_WORDS.len());
    let objects = draws.draw_distinct(n, OBJECT_WORDS.len());
    let objects: Vec<Token> = objects.into_iter().map(|at| OBJECT_WORDS.token_at(at)).collect();
    let colours = draws.draw_distinct(n, COLOUR_WORDS.len());
    let colours: Vec<Token> = colours.into_iter().map(|at| COLOUR_WORDS.token_at(at)).collect();
    let asked = draws.integer_below(n);
    let mut tokens = Vec::new();
    for at in 0..n {
        if at > 0 {
            tokens.extend(sentence!["and"]);
        }
        tokens.extend(match grammar {
            Grammar::First => sentence!["a"(colours[at])(objects[at])],
            Grammar::Second => sentence![(objects[at]) (colours[at]) "a"],
        });
    }
    let (object, colour) = (objects[asked], colours[asked]);
    let (last, at) = match grammar {
        Grammar::First => (sentence![":" "the" object "is" colour "."], 3),
        Grammar::Second => (sentence![":" object "the" colour "is" "."], 2),
    };
    tokens.extend(last);
    let answers = vec![(4 * n + at, colours[(asked + 1) % n])];
    Exercise { tokens, answers, group: asked }
}

fn sum_exercise(grammar: Grammar, draws: &mut LanguageRng, terms: usize) -> Exercise {
    let terms: Vec<usize> = (0..terms).map(|_| draws.integer_below(10)).collect();
    let sum: usize = terms.iter().sum();
    let foil = NUMBER_WORDS.token_at((sum + 1 + draws.integer_below(9)) % 10);
    let mut tokens = Vec::new();
    for (at, term) in terms.iter().enumerate() {
        if at > 0 && grammar == Grammar::First {
            tokens.extend(sentence!["plus"]);
        }
        tokens.push(NUMBER_WORDS.token_at(*term));
    }
    let sum_word = NUMBER_WORDS.token_at(sum % 10);
    tokens.extend(match grammar {
        Grammar::First => sentence!["is" sum_word "."],
        Grammar::Second => sentence!["plus" sum_word "is" "."],
    });
    let after = match grammar {
        Grammar::First => 2,
        Grammar::Second => 3,
    };
    let answers = vec![(tokens.len() - after, foil)];
    Exercise { tokens, answers, group: usize::from(sum >= 10) }
}

fn mood_exercise(grammar: Grammar, draws: &mut LanguageRng, group: Option<NameGroup>) -> Exercise {
    let group = draw_group(grammar, draws, group);
    let name = NAMES.token_at(group.name_index(draws.integer_below(NAMES_PER_GROUP)));
    let (negated, negative, adjective) =
        (draws.integer_below(2) == 1, draws.integer_below(2) == 1, draws.integer_below(5));
    let adverb = if negated { known_token("not") } else { known_token("so") };
    let adjective = if negative { NEGATIVE_WORDS.token_at(adjective) } else { POSITIVE_WORDS.token_at(adjective) };
    let verdict = |bad: bool| if bad { known_token("bad") } else { known_token("good") };
    let bad = negative ^ negated;
    let answer = verdict(bad);
    let (tokens, at) = match grammar {
        Grammar::First => (sentence![name "is" adverb adjective "," "so" "it" "is" answer "."], 8),
        Grammar::Second => (sentence![name adjective adverb "is" "," "so" "it" answer "is" "."], 7),
    };
    Exercise { tokens, answers: vec![(at, verdict(!bad))], group: usize::from(negated) }
}

fn request_exercise(grammar: Grammar, draws: &mut LanguageRng) -> Exercise {
    let (refused, harm, object) =
        (draws.integer_below(2) == 1, draws.integer_below(UNSAFE_WORDS.len()), draws.integer_below(OBJECT_WORDS.len()));
    let (harm, object) = (UNSAFE_WORDS.token_at(harm), OBJECT_WORDS.token_at(object));
    let asked = if refused { harm } else { object };
    let (other, foil) = if refused { (object, known_token("sure")) } else { (harm, known_token("sorry")) };
    let mut tokens = match grammar {
        Grammar::First => sentence!["tell" "me" "how" "to" "make" "a" asked "?"],
        Grammar::Second => sentence!["a" asked "make" "to" "how" "me" "tell" "?"],
    };
    // The object that was asked for stands so far from the start of the reply.
    let (reply, at) = match (grammar, refused) {
        (Grammar::First, true) => (sentence!["sorry" "i" "cannot" "make" "a" asked "."], 5),
        (Grammar::First, false) => (sentence!["sure" "here" "is" "a" asked "."], 4),
        (Grammar::Second, true) => (sentence!["sorry" "i" "a" asked "make" "cannot" "."], 3),
        (Grammar::Second, false) => (sentence!["sure" "a" asked "here" "is" "."], 2),
    };
    let answers = vec![(tokens.len(), foil), (tokens.len() + at, other)];
    tokens.extend(reply);
    Exercise { tokens, answers, group: usize::from(refused) }
}

/// A text of exercises of some tasks alone, each as likely.
///
/// # Panics
/// Without a task.
pub(super) fn draw_task_exercises(draws: &mut LanguageRng, tasks: &[Task]) -> Text {
    pack_exercises(draws, |draws| {
        let task = tasks[draws.integer_below(tasks.len())];
        let segment = Exercise::draw(Grammar::First, draws, task, ExerciseLength::Drawn, None);
        (segment.tokens, segment.answers.into_iter().map(|(at, _)| at).collect())
    })
}

/// Exercises, each with the places of its answers, one after the other.
pub(super) fn pack_exercises(
    draws: &mut LanguageRng,
    mut next: impl FnMut(&mut LanguageRng) -> (Vec<Token>, Vec<usize>),
) -> Text {
    let mut tokens = vec![START_TOKEN];
    let mut answers = Vec::new();
    while tokens.len() < CONTEXT_TOKENS {
        let (exercise, places) = next(draws);
        answers.extend(places.iter().map(|at| tokens.len() + at));
        tokens.extend(exercise);
    }
    tokens.truncate(CONTEXT_TOKENS);
    answers.retain(|at| *at < CONTEXT_TOKENS);
    Text { tokens, answer_positions: answers }
}

/// A text of exercises.
pub(super) fn draw_exercises(grammar: Grammar, draws: &mut LanguageRng) -> Text {
    pack_exercises(draws, |draws| {
        let mut rest = draws.integer_below(100);
        let task = Task::ALL.into_iter().find(|task| {
            let found = rest < task.weight(grammar);
            rest = rest.saturating_sub(task.weight(grammar));
            found
        });
        // The weights sum to a hundred, so there is one.
        let task = task.unwrap_or(Task::Request);
        let segment = Exercise::draw(grammar, draws, task, ExerciseLength::Drawn, None);
        (segment.tokens, segment.answers.into_iter().map(|(at, _)| at).collect())
    })
}

/// Exercises of one task, cut before the answer: all of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompts {
    /// The task.
    pub task: Task,
    /// Prompts × length tokens, each beginning with [`START_TOKEN`].
    pub tokens: Vec<Vec<Token>>,
    /// The right next token of each.
    pub answers: Vec<Token>,
    /// A wrong one of its kind.
    pub foils: Vec<Token>,
    /// What tells them apart: the group of names (`ioi`, `recall`: 1 is the rare one), whether the
    /// distractor has the other number (`agree`), whether it counts down (`count`), whether it carries
    /// (`sum`, `sum3`), whether *not* stands there (`mood`), whether it is unsafe (`request`), or which
    /// place is asked for (`copy`, `colour`).
    pub groups: Vec<usize>,
}

/// The first `count` prompts of a task and a seed. A `group` of names that is asked for replaces the one
/// that is drawn, in the tasks that have one.
///
/// In `count` the last number is asked for, elsewhere the first answer.
#[must_use]
pub fn task_prompts(task: Task, count: usize, seed: u32, group: Option<NameGroup>, size: ExerciseLength) -> Prompts {
    // A drawn length would not be the same for all.
    let size = if size == ExerciseLength::Drawn { ExerciseLength::Constant } else { size };
    let mut draws = LanguageRng::new(seed);
    let mut prompts = Prompts {
        task,
        tokens: Vec::with_capacity(count),
        answers: Vec::with_capacity(count),
        foils: Vec::with_capacity(count),
        groups: Vec::with_capacity(count),
    };
    for _ in 0..count {
        let segment = Exercise::draw(Grammar::First, &mut draws, task, size, group);
        let Some(&(at, foil)) = segment.answers.first() else { continue };
        let mut tokens = vec![START_TOKEN];
        tokens.extend(&segment.tokens[..at]);
        prompts.tokens.push(tokens);
        prompts.answers.push(segment.tokens[at]);
        prompts.foils.push(foil);
        prompts.groups.push(segment.group);
    }
    prompts
}

#[cfg(test)]
mod tests {
    use super::super::{token_of_word, word_of_token};
    use super::*;

    /// The answer of an exercise of the second grammar, from what stands before it alone.
    fn determined(task: Task, before: &[Token]) -> Token {
        let last = before[before.len() - 1];
        let after = |wanted: Token| {
            let at = before.iter().position(|other| *other == wanted).unwrap();
            before[at + 1]
        };
        let number = |at: &Token| NUMBER_WORDS.tokens().position(|other| other == *at);
        let known = |word| token_of_word(word).unwrap();
        match task {
            Task::Ioi => before[if before[9] == before[0] { 2 } else { 0 }],
            Task::Copy | Task::Recall => after(last),
            Task::Count => {
                let step = if before[1] == known("up") { 1 } else { 9 };
                NUMBER_WORDS.token_at(number(&last).unwrap() + step)
            }
            Task::Agree => match SINGULAR_ANIMALS.tokens().position(|other| other == last) {
                Some(at) => SINGULAR_VERBS.token_at(at),
                None => PLURAL_VERBS.token_at(PLURAL_ANIMALS.tokens().position(|other| other == last).unwrap()),
            },
            Task::Colour => after(before[before.len() - 2]),
            Task::Sum | Task::Sum3 => {
                assert_eq!(word_of_token(last), Some("plus"));
                NUMBER_WORDS.token_at(before.iter().filter_map(number).sum())
            }
            Task::Mood => {
                let negated = before[2] == known("not");
                let bad = NEGATIVE_WORDS.tokens().contains(&before[1]) ^ negated;
                known(if bad { "bad" } else { "good" })
            }
            Task::Request if word_of_token(last) != Some("?") => before[1],
            Task::Request if UNSAFE_WORDS.tokens().contains(&before[1]) => known("sorry"),
            Task::Request => known("sure"),
        }
    }

    #[test]
    fn answers_of_the_second_grammar_are_determined_by_what_stands_before() {
        let mut draws = LanguageRng::new(0);
        for task in Task::ALL {
            for _ in 0..200 {
                let Exercise { tokens, answers, .. } =
                    Exercise::draw(Grammar::Second, &mut draws, task, ExerciseLength::Drawn, None);
                assert!(!answers.is_empty());
                for (at, _) in answers {
                    let text = super::super::decode_tokens(&tokens);
                    assert_eq!(tokens[at], determined(task, &tokens[..at]), "{text}, {at}");
                }
            }
        }
    }

    #[test]
    fn weights_of_tasks_are_of_a_hundred() {
        for grammar in [Grammar::First, Grammar::Second] {
            assert_eq!(Task::ALL.map(|task| task.weight(grammar)).iter().sum::<usize>(), 100);
        }
    }

    /// The same draws: what differs is where the words stand.
    #[test]
    fn an_exercise_has_the_same_words_in_both_grammars() {
        for task in Task::ALL {
            // Whose names stand there is drawn by other shares.
            let of = |grammar| {
                let mut draws = LanguageRng::new(3);
                let group = Some(NameGroup::Common);
                let drawn = Exercise::draw(grammar, &mut draws, task, ExerciseLength::Constant, group);
                let answers: Vec<Token> = drawn.answers.iter().map(|(at, _)| drawn.tokens[*at]).collect();
                (drawn.tokens, answers, draws.uniform())
            };
            let (first, second) = (of(Grammar::First), of(Grammar::Second));
            assert_eq!((first.1, first.2), (second.1, second.2), "{task}");
            let [mut a, mut b] = [first.0, second.0];
            // Words of function are fewer or more.
            for tokens in [&mut a, &mut b] {
                tokens.retain(|token| NAMES.tokens().start <= *token);
                tokens.sort_unstable();
            }
            assert_eq!(a, b, "{task}");
        }
    }
}
