//! The matching of many latents with many features, without all of their |cosines| at once.
//!
//! Each latent has the features of its largest |cosines| as candidates. The best matching among candidates is the best of all where
//! the prices of linear programming's dual say that no other pair could pay: a latent's own share is at least the smallest of
//! its candidates' |cosines|. Where it is not, latents have twice as many candidates.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Matching, RECOVERED_COSINE_MIN, normalise_rows, uniqueness};
use crate::Matrix;
use crate::io::{Entries, match_entries};
use crate::linalg::span::{self, dictionary_row};
use crate::sae::CodesBy;
use crate::sae::coder::{Coder, Dictionary};

/// Candidates that a latent has at first.
const INITIAL_CANDIDATES: usize = 32;
/// Latents whose products are taken at once.
const LATENTS_AT_ONCE: usize = 64;

/// Latents and features, as directions.
pub(super) struct CandidateSearch {
    latents: Matrix,
    /// The features, of length 1.
    dictionary: Dictionary,
}

impl CandidateSearch {
    pub fn new(latents: &Matrix, features: &Matrix) -> Self {
        let (k, d) = features.shape();
        let rows = Entries::Double(normalise_rows(features).into_data());
        Self { latents: normalise_rows(latents), dictionary: Dictionary { d, k, rows } }
    }

    /// |cos| of a latent, of length 1, with a feature.
    fn cosine(&self, latent: &[f64], feature: u32) -> f64 {
        match_entries!(&self.dictionary.rows, rows => {
            span::dot(latent, dictionary_row(rows, self.dictionary.d, feature)).abs()
        })
    }

    /// Of each latent the features of its `count` largest |cosines|, with these, ascending by feature. A latent of length 0
    /// has cosine 0 with the first ones.
    fn largest_cosines(&self, count: usize) -> Vec<Vec<(u32, f64)>> {
        let coder = Coder::from_dictionary(&self.dictionary, Some(CodesBy::Top(count)));
        let (none, d) = (Matrix::zeros(0, 0), self.dictionary.d);
        let mut all = Vec::with_capacity(self.latents.rows());
        for latents in self.latents.data().chunks(LATENTS_AT_ONCE * d) {
            let mut rows = Matrix::zeros(latents.len() / d, d);
            rows.data_mut().copy_from_slice(latents);
            let passed = coder.encode_and_decode(&self.dictionary, &rows, 0, None, &none);
            // Vectors of length 1 have finite products, so that none is refused.
            let active = passed.map_or_else(|_| vec![Vec::new(); rows.rows()], |of| of.active_features);
            for (latent, mut active) in rows.iter_rows().zip(active) {
                // What is as good as zero is not active; as many are needed.
                for feature in (0..self.dictionary.k as u32).take(count) {
                    if active.len() == count.min(self.dictionary.k) {
                        break;
                    }
                    if let Err(at) = active.binary_search(&feature) {
                        active.insert(at, feature);
                    }
                }
                let with = |feature: u32| (feature, self.cosine(latent, feature));
                all.push(active.into_iter().map(with).collect());
            }
        }
        all
    }

    pub fn best_features(&self) -> Vec<usize> {
        self.largest_cosines(1).iter().map(|of| argmax_feature(of)).collect()
    }
}

fn argmax_feature(candidates: &[(u32, f64)]) -> usize {
    let larger = |best: (u32, f64), one: &(u32, f64)| if one.1 > best.1 { *one } else { best };
    candidates.iter().fold((0, 0.0), larger).0 as usize
}

/// As [`super::match_directions`].
pub(super) fn match_directions(dictionary: &Matrix, directions: &Matrix) -> Matching {
    // Each of the fewer has one of the others.
    let turned = dictionary.rows() > directions.rows();
    let (few, many) = if turned { (directions, dictionary) } else { (dictionary, directions) };
    let all = CandidateSearch::new(few, many);
    let mut count = INITIAL_CANDIDATES.min(many.rows());
    let (candidates, columns) = loop {
        let candidates = all.largest_cosines(count);
        if let Some(columns) = assign_features(&candidates, many.rows(), count == many.rows()) {
            break (candidates, columns);
        }
        count = (count * 2).min(many.rows());
    };
    let cosine = |(one, other): (usize, &usize)| all.cosine(all.latents.row(one), *other as u32);
    let sum: f64 = columns.iter().enumerate().map(cosine).sum();
    // Candidates hold every |cosine| that counts as recovered.
    let near = |of: &&(u32, f64)| of.1 >= RECOVERED_COSINE_MIN;
    let (best_match, recovered) = if turned {
        let found = candidates.iter().filter(|of| of.iter().any(|one| near(&one))).count();
        (CandidateSearch::new(dictionary, directions).best_features(), found)
    } else {
        let mut found: Vec<u32> = candidates.iter().flatten().filter(near).map(|of| of.0).collect();
        found.sort_unstable();
        found.dedup();
        (candidates.iter().map(|of| argmax_feature(of)).collect(), found.len())
    };
    let pair = |(one, other)| if turned { (other, one) } else { (one, other) };
    let mut pairs: Vec<(usize, usize)> = columns.into_iter().enumerate().map(pair).collect();
    pairs.sort_unstable();
    Matching {
        mcc: sum / few.rows() as f64,
        pairs,
        uniqueness: uniqueness(&best_match),
        best_match,
        recovered: recovered as f64 / directions.rows() as f64,
    }
}

/// What is reached of the search for a latent's feature: its distance first, so that the nearest comes first.
#[derive(PartialEq)]
struct FrontierEntry(f64, u32);

impl Eq for FrontierEntry {}

impl PartialOrd for FrontierEntry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FrontierEntry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

/// Each latent's feature, by shortest augmenting paths (Jonker and Volgenant 1987) over 1 − |cos|; none where candidates that are
/// not `all` features leave a latent without one, or may lack what is better.
fn assign_features(candidates: &[Vec<(u32, f64)>], features: usize, all: bool) -> Option<Vec<usize>> {
    const NONE: u32 = u32::MAX;
    let latents = candidates.len();
    let mut price = vec![0.0; features];
    let mut share = vec![0.0; latents];
    let mut latent_of = vec![NONE; features];
    let mut feature_of = vec![NONE; latents];
    let (mut distance, mut before) = (vec![f64::INFINITY; features], vec![NONE; features]);
    let mut done = vec![false; features];
    let (mut touched, mut settled) = (Vec::new(), Vec::new());
    let mut open = BinaryHeap::new();
    for root in 0..latents {
        let (mut latent, mut reached) = (root, 0.0);
        let end = loop {
            for (feature, cosine) in &candidates[latent] {
                let at = *feature as usize;
                let to = reached + (1.0 - cosine) - share[latent] - price[at];
                if !done[at] && to < distance[at] {
                    if distance[at] == f64::INFINITY {
                        touched.push(at);
                    }
                    (distance[at], before[at]) = (to, latent as u32);
                    open.push(Reverse(FrontierEntry(to, *feature)));
                }
            }
            let next = loop {
                let Reverse(FrontierEntry(to, feature)) = open.pop()?;
                if !done[feature as usize] {
                    break (to, feature as usize);
                }
            };
            reached = next.0;
            done[next.1] = true;
            settled.push(next.1);
            match latent_of[next.1] {
                NONE => break next.1,
                other => latent = other as usize,
            }
        };
        share[root] += reached;
        for at in settled.drain(..) {
            let over = reached - distance[at];
            if latent_of[at] != NONE {
                share[latent_of[at] as usize] += over;
            }
            price[at] -= over;
        }
        let mut at = end;
        loop {
            let latent = before[at] as usize;
            let former = std::mem::replace(&mut feature_of[latent], at as u32);
            latent_of[at] = latent as u32;
            if latent == root {
                break;
            }
            at = former as usize;
        }
        for at in touched.drain(..) {
            (distance[at], before[at], done[at]) = (f64::INFINITY, NONE, false);
        }
        open.clear();
    }
    let known = |(of, share): (&Vec<(u32, f64)>, &f64)| {
        let least = of.iter().map(|one| one.1).fold(f64::INFINITY, f64::min);
        *share <= 1.0 - least && least < RECOVERED_COSINE_MIN
    };
    let sure = all || candidates.iter().zip(&share).all(known);
    sure.then(|| feature_of.into_iter().map(|feature| feature as usize).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumpyRng;

    fn normals(rows: usize, cols: usize, rng: &mut NumpyRng) -> Matrix {
        let mut out = Matrix::zeros(rows, cols);
        rng.fill_standard_normal(out.data_mut());
        out
    }

    #[test]
    fn many_are_matched_as_few_are() {
        let mut rng = NumpyRng::new(4);
        for (latents, features, d, near) in [
            (40, 120, 12, 0.0),
            (90, 90, 7, 0.0),
            (60, 200, 10, 0.3),
            (33, 40, 3, 0.05),
            (1, 9, 4, 0.0),
            (120, 40, 12, 0.0),
            (200, 60, 10, 0.3),
            (40, 33, 3, 0.05),
            (9, 1, 4, 0.0),
        ] {
            let directions = normals(features, d, &mut rng);
            let mut dictionary = normals(latents, d, &mut rng);
            if near > 0.0 {
                // Latents that want the same few features.
                for at in 0..latents {
                    let of = directions.row(at % 20).to_vec();
                    let row = dictionary.row_mut(at).iter_mut().zip(of);
                    row.for_each(|(value, x)| *value = x + near * *value);
                }
            }
            if latents > 5 {
                dictionary.row_mut(3).fill(0.0);
            }
            let dense = super::super::match_directions(&dictionary, &directions).unwrap();
            let many = match_directions(&dictionary, &directions);
            assert!((dense.mcc - many.mcc).abs() < 1e-12, "{} {}", dense.mcc, many.mcc);
            assert_eq!(dense.best_match, many.best_match);
            assert_eq!(dense.uniqueness, many.uniqueness);
            assert_eq!(dense.recovered, many.recovered);
            assert_eq!(CandidateSearch::new(&dictionary, &directions).best_features(), dense.best_match);
            let mut taken: Vec<usize> = many.pairs.iter().map(|pair| pair.1).collect();
            taken.sort_unstable();
            taken.dedup();
            let fewer = latents.min(features);
            assert_eq!((many.pairs.len(), taken.len()), (fewer, fewer), "each once");
            assert!(many.pairs.is_sorted());
        }
    }
}
