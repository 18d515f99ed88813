//! Random choices, for tests of properties.

use sfc_bench::NumpyRng;

/// Random choices.
pub struct Dice(pub NumpyRng);

impl Dice {
    pub fn new(seed: u32) -> Self {
        Self(NumpyRng::new(seed))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0.next_word() as usize % n
    }

    pub fn often(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    pub fn whole(&mut self, min: usize, max: usize) -> usize {
        min + self.below(max - min + 1)
    }

    pub fn seed(&mut self) -> u32 {
        let word = self.0.next_word();
        self.of(&[0, 1, 42, u32::MAX, word, word % 1000])
    }

    /// From `min` to `max`, be it a short decimal or a number of as many digits as there can be.
    pub fn real(&mut self, min: f64, max: f64) -> f64 {
        let sample = self.0.random_sample();
        let tiny = libm::pow(10.0, -320.0 * sample);
        let short = libm::round(sample * 1e3) / 1e3;
        let least = f64::from_bits(1);
        self.of(&[min, max, sample * max, short * max, short, tiny, least]).clamp(min, max)
    }

    /// A text that somebody cut off, or put scraps into, a few times.
    pub fn deface(&mut self, mut text: String, most: usize, scraps: &[&str]) -> String {
        for _ in 0..self.below(most) {
            let mut at = self.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match self.below(4) {
                0 => text.truncate(at),
                1 => text.replace_range(at.., &text[at..].chars().skip(1).collect::<String>()),
                _ => text.insert_str(at, self.of(scraps)),
            }
        }
        text
    }
}
