//! Weights in the type in which their file has them, and products with them.

use half::{bf16, f16};

use crate::cancel;
use crate::kernel::single_precision::{self, WeightPanels, scalar::TILE_COLS};
use crate::threads;

/// How weights are stored: ggml's types that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are ggml's
pub enum WeightType {
    F32,
    F16,
    BF16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q4K,
    Q5K,
    Q6K,
}

/// Numbers of a block of K-quants, and of a block of the others.
const SUPER_BLOCK_WEIGHTS: usize = 256;
const SMALL_BLOCK_WEIGHTS: usize = 32;

impl WeightType {
    /// Each with ggml's number and name, the weights of a block and its bytes.
    const ALL: [(Self, u32, &str, usize, usize); 11] = [
        (Self::F32, 0, "F32", 1, 4),
        (Self::F16, 1, "F16", 1, 2),
        (Self::BF16, 30, "BF16", 1, 2),
        (Self::Q4_0, 2, "Q4_0", SMALL_BLOCK_WEIGHTS, 18),
        (Self::Q4_1, 3, "Q4_1", SMALL_BLOCK_WEIGHTS, 20),
        (Self::Q5_0, 6, "Q5_0", SMALL_BLOCK_WEIGHTS, 22),
        (Self::Q5_1, 7, "Q5_1", SMALL_BLOCK_WEIGHTS, 24),
        (Self::Q8_0, 8, "Q8_0", SMALL_BLOCK_WEIGHTS, 34),
        (Self::Q4K, 12, "Q4_K", SUPER_BLOCK_WEIGHTS, 144),
        (Self::Q5K, 13, "Q5_K", SUPER_BLOCK_WEIGHTS, 176),
        (Self::Q6K, 14, "Q6_K", SUPER_BLOCK_WEIGHTS, 210),
    ];
    /// Names of other types of ggml, by number.
    const UNSUPPORTED_TYPES: [(u32, &str); 24] = [
        (9, "Q8_1"),
        (10, "Q2_K"),
        (11, "Q3_K"),
        (15, "Q8_K"),
        (16, "IQ2_XXS"),
        (17, "IQ2_XS"),
        (18, "IQ3_XXS"),
        (19, "IQ1_S"),
        (20, "IQ4_NL"),
        (21, "IQ3_S"),
        (22, "IQ2_S"),
        (23, "IQ4_XS"),
        (24, "I8"),
        (25, "I16"),
        (26, "I32"),
        (27, "I64"),
        (28, "F64"),
        (29, "IQ1_M"),
        (31, "Q4_0_4_4"),
        (32, "Q4_0_4_8"),
        (33, "Q4_0_8_8"),
        (34, "TQ1_0"),
        (35, "TQ2_0"),
        (39, "MXFP4"),
    ];

    /// The type of ggml's number.
    ///
    /// # Errors
    /// The name of a type that is not read.
    pub fn from_ggml(number: u32) -> Result<Self, String> {
        match Self::ALL.iter().find(|(_, known, ..)| *known == number) {
            Some((found, ..)) => Ok(*found),
            None => {
                let other = Self::UNSUPPORTED_TYPES.iter().find(|(known, _)| *known == number);
                Err(other.map_or_else(|| format!("type {number}"), |(_, name)| (*name).to_owned()))
            }
        }
    }

    /// Names of all types that are read.
    #[must_use]
    pub fn names() -> String {
        Self::ALL.map(|(_, _, name, ..)| name).join(", ")
    }

    fn table_row(self) -> (&'static str, usize, usize) {
        let found = Self::ALL.iter().find(|(known, ..)| *known == self);
        found.map_or(("", 1, 1), |(_, _, name, weights, bytes)| (name, *weights, *bytes))
    }

    /// ggml's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.table_row().0
    }

    /// Weights of a block.
    #[must_use]
    pub fn weights_per_block(self) -> usize {
        self.table_row().1
    }

    /// Bytes of so many weights, which are whole blocks; nothing where they are not, or cannot be counted.
    #[must_use]
    pub fn byte_count(self, weights: usize) -> Option<usize> {
        let (_, block, bytes) = self.table_row();
        weights.is_multiple_of(block).then_some(weights / block)?.checked_mul(bytes)
    }

    /// Weights of their bytes, in the order of operations of ggml's C, without a fused multiplication.
    ///
    /// # Panics
    /// When there are not as many bytes as the weights take.
    pub fn dequantize(self, bytes: &[u8], out: &mut [f32]) {
        assert_eq!(self.byte_count(out.len()), Some(bytes.len()), "whole blocks of weights");
        match self {
            Self::F32 => for_each_block(bytes, out, |bytes, out: &mut [f32; 1]| out[0] = f32::from_le_bytes(*bytes)),
            Self::F16 => for_each_block(bytes, out, |bytes, out: &mut [f32; 1]| {
                out[0] = f16::from_le_bytes(*bytes).to_f32();
            }),
            Self::BF16 => for_each_block(bytes, out, |bytes, out: &mut [f32; 1]| {
                out[0] = bf16::from_le_bytes(*bytes).to_f32();
            }),
            Self::Q4_0 => for_each_block(bytes, out, |block: &[u8; 18], out: &mut [f32; SMALL_BLOCK_WEIGHTS]| {
                let scale = read_half(block, 0);
                for (at, byte) in block[2..].iter().enumerate() {
                    out[at] = scale * f32::from((byte & 15) as i8 - 8);
                    out[at + 16] = scale * f32::from((byte >> 4) as i8 - 8);
                }
            }),
            Self::Q4_1 => for_each_block(bytes, out, |block: &[u8; 20], out: &mut [f32; SMALL_BLOCK_WEIGHTS]| {
                let (scale, least) = (read_half(block, 0), read_half(block, 2));
                for (at, byte) in block[4..].iter().enumerate() {
                    out[at] = scale * f32::from(byte & 15) + least;
                    out[at + 16] = scale * f32::from(byte >> 4) + least;
                }
            }),
            Self::Q5_0 => for_each_block(bytes, out, |block: &[u8; 22], out: &mut [f32; SMALL_BLOCK_WEIGHTS]| {
                let scale = read_half(block, 0);
                unpack_five_bits(&block[2..], |at, q| out[at] = scale * f32::from(q as i8 - 16));
            }),
            Self::Q5_1 => for_each_block(bytes, out, |block: &[u8; 24], out: &mut [f32; SMALL_BLOCK_WEIGHTS]| {
                let (scale, least) = (read_half(block, 0), read_half(block, 2));
                unpack_five_bits(&block[4..], |at, q| out[at] = scale * f32::from(q) + least);
            }),
            Self::Q8_0 => for_each_block(bytes, out, |block: &[u8; 34], out: &mut [f32; SMALL_BLOCK_WEIGHTS]| {
                let scale = read_half(block, 0);
                for (out, byte) in out.iter_mut().zip(&block[2..]) {
                    *out = scale * f32::from(byte.cast_signed());
                }
            }),
            Self::Q4K => for_each_block(bytes, out, |block: &[u8; 144], out: &mut [f32; SUPER_BLOCK_WEIGHTS]| {
                dequantize_k_quants(block, &[0; 32], &block[16..], out);
            }),
            Self::Q5K => for_each_block(bytes, out, |block: &[u8; 176], out: &mut [f32; SUPER_BLOCK_WEIGHTS]| {
                let high = block[16..].first_chunk().copied().unwrap_or([0; 32]);
                dequantize_k_quants(block, &high, &block[48..], out);
            }),
            Self::Q6K => for_each_block(bytes, out, dequantize_q6_k),
        }
    }
}

/// Every block.
fn for_each_block<const B: usize, const N: usize>(
    bytes: &[u8],
    out: &mut [f32],
    mut block: impl FnMut(&[u8; B], &mut [f32; N]),
) {
    for (bytes, out) in bytes.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        block(bytes, out);
    }
}

/// The half-precision number at a byte.
fn read_half(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// The 32 numbers of 5 bits after a block's scale: four bytes of highest bits, sixteen of two nibbles.
fn unpack_five_bits(block: &[u8], mut each: impl FnMut(usize, u8)) {
    let high = u32::from_le_bytes([block[0], block[1], block[2], block[3]]);
    for (at, byte) in block[4..].iter().enumerate() {
        each(at, byte & 15 | ((high >> at & 1) as u8) << 4);
        each(at + 16, byte >> 4 | ((high >> (at + 16) & 1) as u8) << 4);
    }
}

/// Q4_K and Q5_K: eight runs of 32, each with a scale and a least value of 6 bits. `high` has the fifth bits.
fn dequantize_k_quants(block: &[u8], high: &[u8; 32], nibbles: &[u8], out: &mut [f32; SUPER_BLOCK_WEIGHTS]) {
    let (scale, least) = (read_half(block, 0), read_half(block, 2));
    let packed = &block[4..16];
    for (run, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let (six, min) = if run < 4 {
            (packed[run] & 63, packed[run + 4] & 63)
        } else {
            let both = packed[run + 4];
            (both & 15 | packed[run - 4] >> 6 << 4, both >> 4 | packed[run] >> 6 << 4)
        };
        let (factor, shift) = (scale * f32::from(six), least * f32::from(min));
        let bytes = &nibbles[run / 2 * 32..][..32];
        for ((out, byte), high) in out.iter_mut().zip(bytes).zip(high) {
            let nibble = if run % 2 == 0 { byte & 15 } else { byte >> 4 };
            *out = factor * f32::from(nibble | (high >> run & 1) << 4) - shift;
        }
    }
}

/// Q6_K.
fn dequantize_q6_k(block: &[u8; 210], out: &mut [f32; SUPER_BLOCK_WEIGHTS]) {
    let scale = read_half(block, 208);
    for (run, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let (half_of, quarter) = (run / 4, run % 4);
        let low = &block[64 * half_of + 32 * (quarter % 2)..][..32];
        let high = &block[128 + 32 * half_of..][..32];
        let scales = &block[192 + 8 * half_of + 2 * quarter..][..2];
        for (at, out) in out.iter_mut().enumerate() {
            let nibble = if quarter < 2 { low[at] & 15 } else { low[at] >> 4 };
            let six = nibble | (high[at] >> (2 * quarter) & 3) << 4;
            let factor = scale * f32::from(scales[at / 16].cast_signed());
            *out = factor * f32::from(six as i8 - 32);
        }
    }
}

/// A matrix of weights, rows × columns, in the type of its file; a row is whole blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    kind: WeightType,
    rows: usize,
    cols: usize,
    bytes: Vec<u8>,
}

impl Weight {
    /// Of the bytes of a file; nothing where they are not as many as the shape takes, or a row is not whole blocks.
    #[must_use]
    pub fn new(kind: WeightType, rows: usize, cols: usize, bytes: Vec<u8>) -> Option<Self> {
        let fits = kind.byte_count(cols).and_then(|row| row.checked_mul(rows)) == Some(bytes.len());
        (fits && cols > 0).then_some(Self { kind, rows, cols, bytes })
    }

    /// A shape without its bytes, of what has not been read; nothing where a row is not whole blocks.
    #[must_use]
    pub(super) fn without_bytes(kind: WeightType, rows: usize, cols: usize) -> Option<Self> {
        kind.byte_count(cols).map(|_| Self { kind, rows, cols, bytes: Vec::new() })
    }

    /// How it is stored.
    #[must_use]
    pub fn kind(&self) -> WeightType {
        self.kind
    }

    /// (rows, columns).
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// Bytes of a row.
    fn bytes_per_row(&self) -> usize {
        self.kind.byte_count(self.cols).unwrap_or(0)
    }

    /// Rows from one on, as many as `out` has room for, as `f32`.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn dequantize(&self, first: usize, out: &mut [f32]) {
        let stride = self.bytes_per_row();
        let count = out.len() / self.cols;
        self.kind.dequantize(&self.bytes[first * stride..(first + count) * stride], out);
    }

    /// The same rows in another order: row `i` is this one's row `from(i)`.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn reorder_rows(&self, rows: usize, from: impl Fn(usize) -> usize) -> Self {
        if self.bytes.is_empty() {
            return Self { rows, bytes: Vec::new(), ..*self };
        }
        let stride = self.bytes_per_row();
        let mut bytes = Vec::with_capacity(rows * stride);
        for row in 0..rows {
            bytes.extend_from_slice(&self.bytes[from(row) * stride..][..stride]);
        }
        Self { rows, bytes, ..*self }
    }

    /// Rows for columns; nothing where a block is more than one weight.
    #[must_use]
    pub fn transposed(&self) -> Option<Self> {
        let size = (self.kind.weights_per_block() == 1).then(|| self.kind.byte_count(1)).flatten()?;
        let mut bytes = Vec::with_capacity(self.bytes.len());
        for col in 0..if self.bytes.is_empty() { 0 } else { self.cols } {
            for row in 0..self.rows {
                bytes.extend_from_slice(&self.bytes[(row * self.cols + col) * size..][..size]);
            }
        }
        Some(Self { rows: self.cols, cols: self.rows, bytes, ..*self })
    }

    /// x·Wᵀ + bias for row-major `x` (rows of W's columns), into `out` (rows of W's rows): every entry begins with its
    /// bias, or 0, and is summed over the columns in order. Weights are widened some rows at a time; where there are
    /// several threads, each has some of them, so that no sum is split.
    pub fn affine(&self, x: &[f32], bias: Option<&[f32]>, out: &mut Vec<f32>) {
        /// Weights that are widened at a time: what a core's second cache has room for beside x.
        const BLOCK_WEIGHTS: usize = 1 << 16;
        /// Multiplications below which threads take longer to hear of a product than to compute it.
        const PARALLEL_WORK_MIN: usize = 1 << 20;
        let rows = x.len() / self.cols;
        out.resize(rows * self.rows, 0.0);
        let some = (BLOCK_WEIGHTS / self.cols).next_multiple_of(TILE_COLS).max(TILE_COLS);
        let threads = threads::thread_count();
        if threads == 1 || x.len().saturating_mul(self.rows) < PARALLEL_WORK_MIN {
            let mut wide = DequantizeBuffers::default();
            for first in (0..self.rows).step_by(some) {
                // Whoever reads what is not there asks, too.
                if cancel::is_cancelled() {
                    return;
                }
                let count = some.min(self.rows - first);
                self.affine_columns(x, bias, (first, count), &mut wide, out, (self.rows, first));
            }
            return;
        }
        // As many blocks for each thread, as far as tiles allow.
        let blocks = self.rows.div_ceil(some).next_multiple_of(threads);
        let some = self.rows.div_ceil(blocks).next_multiple_of(TILE_COLS);
        let blocks: Vec<usize> = (0..self.rows).step_by(some).collect();
        let blocks = threads::parallel_map_with(blocks, DequantizeBuffers::default, |wide, first| {
            let count = some.min(self.rows - first);
            let mut block = vec![0.0; rows * count];
            self.affine_columns(x, bias, (first, count), wide, &mut block, (count, 0));
            block
        });
        let rows: Vec<(usize, &mut [f32])> = out.chunks_exact_mut(self.rows).enumerate().collect();
        threads::parallel_map_with(
            rows,
            || (),
            |(), (row, out)| {
                for (block, out) in blocks.iter().zip(out.chunks_mut(some)) {
                    out.copy_from_slice(&block[row * out.len()..][..out.len()]);
                }
            },
        );
    }

    /// The columns of [`Self::affine`] from one on, so many, into columns of `out`, whose rows have a stride.
    fn affine_columns(
        &self,
        x: &[f32],
        bias: Option<&[f32]>,
        (first, count): (usize, usize),
        DequantizeBuffers { weights, panels, zeros }: &mut DequantizeBuffers,
        out: &mut [f32],
        place: (usize, usize),
    ) {
        weights.resize(count * self.cols, 0.0);
        zeros.resize(count, 0.0);
        self.dequantize(first, weights);
        panels.fill(weights, self.cols);
        let bias = bias.map_or(zeros.as_slice(), |bias| &bias[first..first + count]);
        single_precision::affine_columns(x, panels, bias, out, place);
    }
}

/// Room for weights as `f32`, once row by row and once as products read them.
#[derive(Default)]
struct DequantizeBuffers {
    weights: Vec<f32>,
    panels: WeightPanels,
    zeros: Vec<f32>,
}
