use crate::NumpyRng;

/// The draws of a language: one NumPy stream, one primitive.
#[derive(Clone, Debug)]
pub struct LanguageRng(NumpyRng);

impl LanguageRng {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self(NumpyRng::new(seed))
    }

    /// A whole number below `n`: ⌊`random_sample()` · n⌋.
    pub fn integer_below(&mut self, n: usize) -> usize {
        (self.0.random_sample() * n as f64) as usize
    }

    /// True once in `n` draws.
    pub(super) fn once_in(&mut self, n: usize) -> bool {
        self.integer_below(n) == 0
    }

    /// `k` distinct numbers below `n`: the first `k` steps of a shuffle from the front. All of them where
    /// `k` exceeds `n`.
    pub fn draw_distinct(&mut self, k: usize, n: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..n).collect();
        for at in 0..k.min(n) {
            let other = at + self.integer_below(n - at);
            numbers.swap(at, other);
        }
        numbers.truncate(k);
        numbers
    }

    /// A double in [0, 1): what a sampled token is chosen by.
    pub fn uniform(&mut self) -> f64 {
        self.0.random_sample()
    }
}
