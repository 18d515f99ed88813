use rand_mt::Mt;

/// What PyTorch's CPU generator draws after `manual_seed(seed)`, in single precision.
///
/// The words are the Mersenne Twister's, seeded by the lowest 32 bits. Uniform numbers have PyTorch's bits. Normals are by
/// Box and Muller in PyTorch's order with its roundings to single precision; its vectorised logarithm, sine and cosine differ
/// in their last bits, so that a normal is within 2 × 10⁻⁶ of PyTorch's.
///
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// let mut rng = sfc_bench::TorchRng::new(3);
/// // torch.rand(2, generator=torch.Generator().manual_seed(3))
/// assert_eq!([rng.uniform(), rng.uniform()], [0.004_263_520_2, 0.105_569_36]);
/// ```
#[derive(Clone, Debug)]
pub struct TorchRng {
    words: Mt,
}

impl TorchRng {
    /// Normals that are drawn together; of fewer than these each is drawn by itself, in double precision.
    const BLOCK_SIZE: usize = 16;

    /// The stream of `torch.Generator().manual_seed(seed)`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // PyTorch's engine takes the lowest 32 bits.
        Self { words: Mt::new(seed as u32) }
    }

    /// `rand(1)`: a single in [0, 1) with 24 random bits, from one word.
    pub fn uniform(&mut self) -> f32 {
        const SCALE: f32 = 1.0 / 16_777_216.0; // 2⁻²⁴
        (self.words.next_u32() & 0x00ff_ffff) as f32 * SCALE
    }

    /// A double in [0, 1) with 53 random bits, from two words.
    fn uniform_f64(&mut self) -> f64 {
        const SCALE: f64 = 1.0 / 9_007_199_254_740_992.0; // 2⁻⁵³
        let high = u64::from(self.words.next_u32());
        let bits = (high << 32 | u64::from(self.words.next_u32())) & ((1 << 53) - 1);
        bits as f64 * SCALE
    }

    /// `randn(count)`: standard normals. They depend on how many are drawn at once.
    ///
    /// # Examples
    /// ```
    /// # use sfc_bench_foundations as sfc_bench;
    /// # use sfc_bench::TorchRng;
    /// // torch.randn(3, generator=torch.Generator().manual_seed(0))
    /// for (own, torch) in TorchRng::new(0).randn(3).into_iter().zip([1.540_996, -0.293_428_9, -2.178_789_4]) {
    ///     assert!((own - torch).abs() < 1e-6);
    /// }
    /// ```
    pub fn randn(&mut self, count: usize) -> Vec<f32> {
        if count < Self::BLOCK_SIZE {
            let mut out = Vec::with_capacity(count + 1);
            while out.len() < count {
                let (angle, length) = (self.uniform_f64(), self.uniform_f64());
                let angle = std::f64::consts::TAU * angle;
                let length = f64::sqrt(-2.0 * libm::log1p(-length));
                out.push((length * libm::cos(angle)) as f32);
                out.push((length * libm::sin(angle)) as f32);
            }
            out.truncate(count);
            return out;
        }
        let mut out: Vec<f32> = (0..count).map(|_| self.uniform()).collect();
        out.chunks_exact_mut(Self::BLOCK_SIZE).for_each(normal_block);
        if !count.is_multiple_of(Self::BLOCK_SIZE) {
            // The last sixteen are drawn once more.
            let last = out.split_at_mut(count - Self::BLOCK_SIZE).1;
            last.iter_mut().for_each(|value| *value = self.uniform());
            normal_block(last);
        }
        out
    }
}

/// Sixteen uniform numbers to as many normals: the first eight are lengths, the others angles.
fn normal_block(block: &mut [f32]) {
    let (lengths, angles) = block.split_at_mut(TorchRng::BLOCK_SIZE / 2);
    for (first, second) in lengths.iter_mut().zip(angles) {
        let logarithm = libm::log(f64::from(1.0 - *first)) as f32;
        let length = f32::sqrt(-2.0 * logarithm);
        let angle = f64::from(std::f32::consts::TAU * *second);
        *first = length * libm::cos(angle) as f32;
        *second = length * libm::sin(angle) as f32;
    }
}
