//! The planted language equals its reference: the same seeds give the same texts, marks, prompts and labels.

use serde_json::{Value, json as value};
use sfc_bench::synthetic::language::{
    self, Concept, Contrast, ExerciseLength, Grammar, LanguageRng, NameGroup, Task, Text, Token, VOCABULARY,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{fnv, json};

fn golden() -> Value {
    json(include_str!("../golden/language.json"))
}

fn seed(of: &Value) -> u32 {
    of.as_u64().and_then(|seed| seed.try_into().ok()).expect("a 32-bit seed")
}

fn count(of: &Value) -> usize {
    of.as_u64().expect("a count") as usize
}

/// The digest of numbers below 256, one after the other.
fn digest(numbers: impl IntoIterator<Item = u32>) -> String {
    let bytes = numbers.into_iter().map(|number| u8::try_from(number).expect("a byte"));
    format!("{:016x}", fnv(bytes))
}

fn named<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str, wanted: &Value) -> T {
    *all.iter().find(|item| name(**item) == *wanted).expect("a name")
}

#[test]
fn the_vocabulary_and_the_concepts_are_the_references() {
    let golden = golden();
    assert_eq!(value!(VOCABULARY[..]), golden["vocab"]);
    assert_eq!(value!(Task::ALL.map(Task::name)), golden["tasks"]);
    for (at, word) in VOCABULARY.iter().enumerate() {
        assert_eq!(language::token_of_word(word), Some(at as Token));
    }
    let concepts = golden["concepts"].as_object().expect("concepts");
    assert_eq!(concepts.len(), Concept::ALL.len());
    for concept in Concept::ALL {
        assert_eq!(value!(concept.words()), concepts[concept.name()], "{concept}");
        assert_eq!(value!(concept), concept.name());
    }
}

#[test]
fn texts_of_the_same_seeds_are_the_same() {
    let golden = golden();
    for (seed, texts) in golden["texts"].as_object().expect("texts") {
        let wanted = texts.as_array().expect("texts").len();
        assert_eq!(value!(language::draw_texts(seed.parse().unwrap(), wanted)), *texts, "seed {seed}");
    }
    let many = &golden["texts_fnv"];
    let seeds = many["by_seed"].as_object().expect("seeds");
    assert!(seeds.len() * count(&many["count"]) >= 10_000);
    for (seed, wanted) in seeds {
        let texts = language::draw_texts(seed.parse().unwrap(), count(&many["count"]));
        assert_eq!(digest(texts.into_iter().flatten()), *wanted, "seed {seed}");
    }
    let answers = &golden["answers_fnv"];
    let mut draws = LanguageRng::new(seed(&answers["seed"]));
    let found = (0..count(&answers["count"])).flat_map(|_| {
        let answers = Text::draw(&mut draws).answer_positions;
        answers.into_iter().map(|at| at as u32).chain([255])
    });
    assert_eq!(digest(found), answers["fnv"]);
}

#[test]
fn a_text_is_words_again() {
    for text in language::draw_texts(7, 50) {
        assert_eq!(text.len(), language::CONTEXT_TOKENS);
        assert_eq!(text[0], language::START_TOKEN);
        assert_eq!(language::encode_words(&language::decode_tokens(&text)), Ok(text));
    }
    assert_eq!(language::encode_words("the dog barks"), Err("barks".to_owned()));
    assert_eq!(language::decode_tokens(&[5, 144]), "when �");
}

#[test]
fn story_pairs_and_their_marks_are_the_same() {
    let golden = golden();
    let pairs = golden["story_pairs_seed3"].as_array().expect("pairs");
    for (pair, wanted) in language::draw_pairs(3, pairs.len()).iter().zip(pairs) {
        assert_eq!(value!(usize::from(pair.contrast == Contrast::Mood)), wanted["kind"]);
        assert_eq!(value!(pair.texts), wanted["texts"]);
        assert_eq!(value!(pair.contrast_masks), wanted["marks"]);
        for (header, wanted) in pair.headers.iter().zip([&wanted["a"], &wanted["b"]]) {
            assert_eq!(value!(header.topic), wanted["topic"]);
            assert_eq!(value!(usize::from(header.negative)), wanted["mood"]);
            assert_eq!(value!(header.people), wanted["who"]);
            assert_eq!(value!(header.place), wanted["place"]);
        }
    }
    let many = &golden["story_pairs_fnv"];
    let found = language::draw_pairs(seed(&many["seed"]), count(&many["count"])).into_iter();
    let found = found.flat_map(|pair| {
        let told = pair.texts.into_iter().zip(pair.contrast_masks);
        told.flat_map(|(text, marks)| text.into_iter().chain(marks.into_iter().map(u32::from)))
    });
    assert_eq!(digest(found.collect::<Vec<_>>()), many["fnv"]);
}

#[test]
fn prompts_of_every_task_length_and_group_are_the_same() {
    let golden = golden();
    let shown = |prompts: &language::Prompts, first: usize| {
        value!({
            "tokens": prompts.tokens[..first], "answer": prompts.answers[..first],
            "foil": prompts.foils[..first], "group": prompts.groups[..first],
        })
    };
    for (at, task) in Task::ALL.into_iter().enumerate() {
        let prompts = language::task_prompts(task, 4, 2_000 + at as u32, None, ExerciseLength::Constant);
        assert_eq!(shown(&prompts, 4), golden["prompts"][task.name()], "{task}");
    }
    let rare = language::task_prompts(Task::Ioi, 4, 3_000, Some(NameGroup::Rare), ExerciseLength::Constant);
    let wanted = &golden["prompts_group1_ioi_seed3000"];
    assert_eq!(shown(&rare, wanted["answer"].as_array().unwrap().len()), *wanted);
    for case in golden["prompts_fnv"].as_array().expect("cases") {
        let task = named(&Task::ALL, Task::name, &case["task"]);
        let group = case["group"].as_u64().map(|group| [NameGroup::Common, NameGroup::Rare][group as usize]);
        let size = case["size"].as_u64().map_or(ExerciseLength::Constant, |n| ExerciseLength::Items(n as usize));
        let prompts = language::task_prompts(task, 128, seed(&case["seed"]), group, size);
        let found = (0..128).flat_map(|at| {
            let mut all = prompts.tokens[at].clone();
            all.extend([prompts.answers[at], prompts.foils[at], prompts.groups[at] as u32]);
            all
        });
        assert_eq!(digest(found), case["fnv"], "{case}");
        let length = prompts.tokens[0].len();
        assert!(prompts.tokens.iter().all(|tokens| tokens.len() == length), "{case}");
        assert!(prompts.answers.iter().zip(&prompts.foils).all(|(a, b)| a != b), "{case}");
    }
}

#[test]
fn lengths_that_cannot_be_are_brought_to_those_that_can() {
    for task in Task::ALL {
        for items in [0, 1, 2, 100] {
            let prompts = language::task_prompts(task, 20, 1, None, ExerciseLength::Items(items));
            assert_eq!(prompts.tokens.len(), 20, "{task} {items}");
        }
    }
    assert!(LanguageRng::new(1).draw_distinct(9, 4).len() == 4);
}

#[test]
fn the_rater_and_the_generator_of_a_concept_are_the_references() {
    let golden = golden();
    let first = language::expressed_concepts(&language::draw_texts(2, 1)[0]);
    let labels: Vec<Vec<u8>> = Concept::ALL
        .iter()
        .map(|concept| (0..language::CONTEXT_TOKENS).map(|at| u8::from(first.is_expressed(at, *concept))).collect())
        .collect();
    assert_eq!(value!(labels), golden["token_labels_seed2_first"]);
    let ratings = golden["ratings_seed2"].as_array().expect("ratings");
    for (text, wanted) in language::draw_texts(2, ratings.len()).iter().zip(ratings) {
        assert_eq!(value!(Concept::ALL.map(|concept| language::concept_label(text, concept))), *wanted);
    }
    let many = &golden["labels_fnv"];
    let found = language::draw_texts(seed(&many["seed"]), count(&many["count"])).into_iter();
    let found = found.flat_map(|text| {
        let expressed = language::expressed_concepts(&text);
        let all = Concept::ALL.map(|concept| {
            (0..text.len()).map(|at| u32::from(expressed.is_expressed(at, concept))).collect::<Vec<_>>()
        });
        all.into_iter().flatten()
    });
    assert_eq!(digest(found.collect::<Vec<_>>()), many["fnv"]);
    for (at, concept) in Concept::ALL.into_iter().enumerate() {
        let wanted = &golden["concept_texts"][concept.name()];
        let texts = language::draw_concept_texts(concept, 2, 100 + at as u32);
        assert_eq!(value!(texts), *wanted, "{concept}");
    }
}

/// *not good* is bad, *not bad* is good, and *not* itself stays what it is.
#[test]
fn a_negated_sentiment_is_its_opposite() {
    let text = language::encode_words("ann is not good . bob is sad .").expect("words");
    let expressed = language::expressed_concepts(&text);
    assert!(expressed.is_expressed(3, Concept::Negative) && !expressed.is_expressed(3, Concept::Positive));
    assert!(expressed.is_expressed(2, Concept::Negation));
    assert_eq!(expressed.label(Concept::Negative), 2);
    assert_eq!(expressed.label(Concept::Person), 2);
    assert_eq!(language::concept_label(&[], Concept::Person), 0);
    assert_eq!(language::concept_label(&[1_000_000], Concept::Person), 0);
}

#[test]
fn the_second_grammar_has_texts_of_its_own() {
    let texts = Grammar::Second.draw_texts(0, 400);
    assert!(texts.iter().all(|text| text.len() == language::CONTEXT_TOKENS && text[0] == language::START_TOKEN));
    assert!(
        language::decode_tokens(&texts[0])
            .starts_with("<s> six five plus one is . key green a and cup white a : cup the white is .")
    );
    let mut draws = LanguageRng::new(0);
    let drawn: Vec<Text> = (0..400).map(|_| Text::draw_in_grammar(Grammar::Second, &mut draws)).collect();
    assert!(drawn.iter().map(|text| &text.tokens).eq(&texts));
    // Of a hundred, fifty.
    let stories = drawn.iter().filter(|text| text.answer_positions.is_empty()).count();
    assert!((170..230).contains(&stories), "{stories}");
    let pairs = Grammar::Second.draw_pairs(0, 40);
    assert!(pairs.iter().all(|pair| pair.texts.iter().all(|text| text.len() == language::CONTEXT_TOKENS)));
    assert!(pairs.iter().filter(|pair| pair.contrast_masks[0].contains(&true)).count() > 20);
}

#[test]
fn not_turns_the_adjective_before_it_in_the_second_grammar() {
    let text = language::encode_words("ann happy not is . the boat sad was . not kind").expect("words");
    let expressed = Grammar::Second.expressed_concepts(&text);
    let at = |concept| (0..text.len()).filter(|at| expressed.is_expressed(*at, concept)).collect::<Vec<_>>();
    assert_eq!((at(Concept::Negative), at(Concept::Positive)), (vec![1, 7], vec![11]));
    let first = language::expressed_concepts(&text);
    assert!(first.is_expressed(1, Concept::Positive) && first.is_expressed(11, Concept::Negative));
}
