//! The random stream equals NumPy's legacy generator, bit for bit.

use serde_json::Value;
use sfc_bench::NumpyRng;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{fnv, fnv_of, json, numbers};

fn seeds() -> Vec<Value> {
    json(include_str!("../golden/rng.json"))["seeds"].as_array().expect("seeds").clone()
}

fn seed(entry: &Value) -> u32 {
    entry["seed"].as_u64().and_then(|seed| seed.try_into().ok()).expect("a 32-bit seed")
}

#[test]
fn normals_of_20_seeds_equal_numpys() {
    let seeds = seeds();
    assert!(seeds.len() >= 20);
    for entry in &seeds {
        let mut rng = NumpyRng::new(seed(entry));
        let mut normals = vec![0.0; 10_000];
        rng.fill_standard_normal(&mut normals);
        let expected = &entry["randn_10000"];
        let blocks = expected["block_digests"].as_array().expect("digests").iter();
        for (index, (block, digest)) in normals.chunks(1_000).zip(blocks).enumerate() {
            assert_eq!(fnv_of(block), *digest, "seed {}, block {index}", entry["seed"]);
        }
        assert_eq!(fnv_of(&normals), expected["digest"]);
    }
}

#[test]
fn uniforms_and_shuffles_of_20_seeds_equal_numpys() {
    for entry in &seeds() {
        let mut rng = NumpyRng::new(seed(entry));
        let uniforms: Vec<f64> = (0..1_000).map(|_| rng.random_sample()).collect();
        assert_eq!(fnv_of(&uniforms), entry["random_sample_1000"]["digest"]);

        let shuffled = NumpyRng::new(seed(entry)).permutation(1_000);
        let digest = fnv(shuffled.iter().flat_map(|item| item.to_le_bytes()));
        assert_eq!(format!("{digest:016x}"), entry["permutation_1000"]["digest"]);
    }
}

#[test]
fn seed_42_equals_the_recipes_draws() {
    let expected = &json(include_str!("../golden/expected.json"))["rng_seed_42"];
    let fresh = || NumpyRng::new(42);
    let take = |mut draw: Box<dyn FnMut() -> f64>, count: usize| -> Vec<f64> { (0..count).map(|_| draw()).collect() };
    let as_numbers = |items: Vec<u32>| -> Vec<f64> { items.into_iter().map(f64::from).collect() };

    let mut rng = fresh();
    let words = take(Box::new(move || f64::from(rng.next_word())), 5);
    assert_eq!(words, numbers(&expected["u32"]));
    let mut rng = fresh();
    let uniforms = take(Box::new(move || rng.random_sample()), 5);
    assert_eq!(uniforms, numbers(&expected["random_sample"]));
    let mut rng = fresh();
    let normals = take(Box::new(move || rng.standard_normal()), 6);
    assert_eq!(normals, numbers(&expected["randn"]));
    assert_eq!(as_numbers(fresh().permutation(10)), numbers(&expected["permutation_10"]));
    assert_eq!(as_numbers(fresh().choice(64, 8)), numbers(&expected["choice_64_8"]));

    let mut rng = fresh();
    rng.choice(64, 8);
    let after = take(Box::new(move || rng.standard_normal()), 4);
    assert_eq!(after, numbers(&expected["choice_then_randn"]));
}

#[test]
fn filling_in_pieces_draws_the_same_stream() {
    let mut whole = vec![0.0; 100];
    NumpyRng::new(3).fill_standard_normal(&mut whole);
    for piece in [1, 2, 3, 7, 33] {
        let mut rng = NumpyRng::new(3);
        let mut pieces = vec![0.0; 100];
        pieces.chunks_mut(piece).for_each(|out| rng.fill_standard_normal(out));
        assert_eq!(pieces, whole, "pieces of {piece}");
    }
}

#[test]
fn small_permutations_are_complete() {
    assert!(NumpyRng::new(5).permutation(0).is_empty());
    assert_eq!(NumpyRng::new(5).permutation(1), [0]);
    for n in 2..70 {
        let mut items = NumpyRng::new(n).permutation(n);
        items.sort_unstable();
        assert!(items.into_iter().eq(0..n));
    }
    assert_eq!(NumpyRng::new(5).choice(3, 100).len(), 3);
}
