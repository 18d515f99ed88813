use super::log::ln;
use rand_mt::Mt;

/// What `numpy.random.RandomState(seed)` draws, bit for bit.
///
/// The words are the Mersenne Twister's (MT19937, seeded by `init_genrand`); this type turns them
/// into doubles, normals and permutations in the order and with the arithmetic of NumPy's legacy
/// generator, which NumPy has frozen.
///
/// A normal takes a logarithm, which NumPy takes from the C library. The reference platform is
/// Linux on x86-64 with FMA and glibc 2.28 or later: the draws have that platform's bits, on every
/// target. Elsewhere NumPy itself may differ from them in a normal's last bit, be it without FMA or
/// with another C library. All else is exact or rounded once by definition, square roots included.
///
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// let mut rng = sfc_bench::NumpyRng::new(42);
/// assert_eq!(rng.standard_normal(), 0.4967141530112327);
/// ```
#[derive(Clone, Debug)]
pub struct NumpyRng {
    words: Mt,
    /// The polar method makes normals in pairs; the second waits here for the next call.
    spare: Option<f64>,
}

impl NumpyRng {
    /// The stream of `RandomState(seed)`.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self { words: Mt::new(seed), spare: None }
    }

    /// The next 32-bit word.
    #[inline]
    pub fn next_word(&mut self) -> u32 {
        self.words.next_u32()
    }

    /// `random_sample()`: a double in [0, 1) with 53 random bits, from two words.
    pub fn random_sample(&mut self) -> f64 {
        const SCALE: f64 = 1.0 / 9_007_199_254_740_992.0; // 2⁻⁵³
        let high = f64::from(self.next_word() >> 5);
        let low = f64::from(self.next_word() >> 6);
        (high * 67_108_864.0 + low) * SCALE
    }

    /// `randn()`: a standard normal, by Marsaglia's polar method.
    pub fn standard_normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let [first, second] = self.normal_pair();
        self.spare = Some(second);
        first
    }

    /// Fills `out` with what as many calls of [`standard_normal`](Self::standard_normal) return.
    pub fn fill_standard_normal(&mut self, out: &mut [f64]) {
        let waiting = usize::from(self.spare.is_some()).min(out.len());
        let (head, rest) = out.split_at_mut(waiting);
        if let [head] = head {
            *head = self.standard_normal();
        }
        let mut pairs = rest.chunks_exact_mut(2);
        for pair in &mut pairs {
            pair.copy_from_slice(&self.normal_pair());
        }
        if let [last] = pairs.into_remainder() {
            *last = self.standard_normal();
        }
    }

    /// `randn(count)`.
    pub fn standard_normals(&mut self, count: usize) -> Vec<f64> {
        let mut out = vec![0.0; count];
        self.fill_standard_normal(&mut out);
        out
    }

    /// Two normals, in the order in which NumPy hands them out.
    #[inline]
    fn normal_pair(&mut self) -> [f64; 2] {
        loop {
            let x = 2.0 * self.random_sample() - 1.0;
            let y = 2.0 * self.random_sample() - 1.0;
            let r2 = x * x + y * y;
            if r2 < 1.0 && r2 != 0.0 {
                let factor = f64::sqrt(-2.0 * ln(r2) / r2);
                return [factor * y, factor * x];
            }
        }
    }

    /// A whole number in `0..=max`, by masked rejection on single words: `randint(0, max + 1)`.
    pub fn random_integer(&mut self, max: u32) -> u32 {
        let mask = u32::MAX.checked_shr(max.leading_zeros()).unwrap_or(0);
        loop {
            let value = self.next_word() & mask;
            if value <= max {
                return value;
            }
        }
    }

    /// `permutation(n)`: a shuffle of `0..n`, from the last index down.
    pub fn permutation(&mut self, n: u32) -> Vec<u32> {
        let mut items: Vec<u32> = (0..n).collect();
        for last in (1..n).rev() {
            let other = self.random_integer(last);
            items.swap(last as usize, other as usize);
        }
        items
    }

    /// `choice(n, k, replace=False)`: the first `k` of a permutation of `0..n`; all of it where
    /// `k` exceeds `n`.
    pub fn choice(&mut self, n: u32, k: usize) -> Vec<u32> {
        let mut picked = self.permutation(n);
        picked.truncate(k);
        picked
    }
}
