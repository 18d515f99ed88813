//! What a layer's heads look at, and what they find: for a run and for training.

use super::Config;
use crate::kernel::single_precision;

/// How queries, keys and values lie side by side, prompts × newest positions × 3 × heads × d_head.
#[derive(Clone, Copy, Debug)]
pub(super) struct QkvShape {
    pub prompts: usize,
    /// Positions before the newest.
    pub past_positions: usize,
    /// The newest positions.
    pub positions: usize,
    pub heads: usize,
    pub d_head: usize,
}

impl QkvShape {
    pub fn new(config: &Config, prompts: usize, past: usize, positions: usize) -> Self {
        Self { prompts, past_positions: past, positions, heads: config.heads, d_head: config.d_head }
    }

    /// All heads side by side.
    pub fn heads_width(&self) -> usize {
        self.heads * self.d_head
    }

    /// Positions that the last one looks at.
    pub fn total_positions(&self) -> usize {
        self.past_positions + self.positions
    }
}

/// Keys and values of prompts.
#[derive(Clone, Debug, Default)]
pub(super) struct KvCache {
    /// Positions that there is room for, whole fours of them.
    capacity: usize,
    /// Prompts × heads × d_head × capacity.
    keys: Vec<f32>,
    /// Prompts × heads × capacity × d_head.
    values: Vec<f32>,
}

impl KvCache {
    /// Room for the positions of some prompts.
    pub fn new(config: &Config, prompts: usize, positions: usize) -> Self {
        let capacity = positions.next_multiple_of(4);
        let size = prompts * config.heads_width() * capacity;
        Self { capacity, keys: vec![0.0; size], values: vec![0.0; size] }
    }

    /// Takes keys and values of the newest positions, of prompts from one on.
    pub fn append(&mut self, first: usize, qkv: &[f32], shape: QkvShape) {
        let (width, d_head) = (shape.heads_width(), shape.d_head);
        let size = d_head * self.capacity;
        let prompts = qkv.chunks_exact((shape.positions * 3 * width).max(1));
        for (prompt, rows) in prompts.enumerate() {
            for head in 0..shape.heads {
                let from = ((first + prompt) * shape.heads + head) * size;
                let keys = &mut self.keys[from..from + size];
                let values = &mut self.values[from + shape.past_positions * d_head..from + size];
                let rows = rows.chunks_exact(3 * width);
                for ((at, row), value) in rows.enumerate().zip(values.chunks_exact_mut(d_head)) {
                    let key = &row[width + head * d_head..][..d_head];
                    let places = keys[shape.past_positions + at..].iter_mut().step_by(self.capacity);
                    places.zip(key).for_each(|(place, key)| *place = *key);
                    value.copy_from_slice(&row[2 * width + head * d_head..][..d_head]);
                }
            }
        }
    }

    /// Keys (d_head × capacity) and values (capacity × d_head) of a head.
    fn keys_and_values(&self, prompt: usize, head: usize, shape: QkvShape) -> (&[f32], &[f32]) {
        let size = shape.d_head * self.capacity;
        let from = (prompt * shape.heads + head) * size;
        (&self.keys[from..from + size], &self.values[from..from + size])
    }

    /// Calls back with how much every newest position of every head looks at each position up to itself,
    /// softmax(q·kᵀ/√d_head), and with what it finds there, for prompts from one on.
    fn for_each_attention_row(
        &self,
        first: usize,
        qkv: &[f32],
        shape: QkvShape,
        mut found: impl FnMut(HeadRow, &[f32], &[f32]),
    ) {
        let QkvShape { prompts, past_positions: past, positions, heads, d_head } = shape;
        let width = shape.heads_width();
        let scale = 1.0 / f32::sqrt(d_head as f32);
        let mut weights = vec![0.0; self.capacity];
        for prompt in 0..prompts {
            for head in 0..heads {
                let (keys, values) = self.keys_and_values(first + prompt, head, shape);
                for position in 0..positions {
                    let row = HeadRow { prompt, head, position };
                    let query = &qkv[(prompt * positions + position) * 3 * width + head * d_head..];
                    let looks = past + position + 1;
                    let weights = &mut weights[..looks.next_multiple_of(4)];
                    single_precision::weighted_row_sum(&query[..d_head], keys, self.capacity, weights);
                    single_precision::softmax(weights, looks, scale);
                    found(row, &weights[..looks], values);
                }
            }
        }
    }

    /// What each head finds, prompts × newest positions × heads × d_head, into `z`.
    pub fn attend(&self, first: usize, qkv: &[f32], shape: QkvShape, z: &mut [f32]) {
        self.for_each_attention_row(first, qkv, shape, |row, weights, values| {
            single_precision::weighted_row_sum(weights, values, shape.d_head, row.output_slice(z, shape));
        });
    }

    /// How much each position looks at each, prompts × heads × newest positions × all positions, 0 at those
    /// that come after it.
    pub fn attention_patterns(&self, qkv: &[f32], shape: QkvShape) -> Vec<f32> {
        let total = shape.total_positions();
        let mut patterns = vec![0.0; shape.prompts * shape.heads * shape.positions * total];
        self.for_each_attention_row(0, qkv, shape, |row, weights, _| {
            let at = (row.prompt * shape.heads + row.head) * shape.positions + row.position;
            patterns[at * total..at * total + weights.len()].copy_from_slice(weights);
        });
        patterns
    }

    /// As [`KvCache::attend`], by patterns that may have been changed.
    pub fn apply_patterns(&self, patterns: &[f32], shape: QkvShape, z: &mut [f32]) {
        for (at, weights) in patterns.chunks_exact(shape.total_positions()).enumerate() {
            let (of, position) = (at / shape.positions, at % shape.positions);
            let (prompt, head) = (of / shape.heads, of % shape.heads);
            let (_, values) = self.keys_and_values(prompt, head, shape);
            let z = HeadRow { prompt, head, position }.output_slice(z, shape);
            single_precision::weighted_row_sum(weights, values, shape.d_head, z);
        }
    }
}

/// One newest position of one head.
#[derive(Clone, Copy)]
struct HeadRow {
    prompt: usize,
    head: usize,
    position: usize,
}

impl HeadRow {
    /// Its place among what all heads find.
    fn output_slice(self, z: &mut [f32], shape: QkvShape) -> &mut [f32] {
        let at = (self.prompt * shape.positions + self.position) * shape.heads_width();
        &mut z[at + self.head * shape.d_head..][..shape.d_head]
    }
}
