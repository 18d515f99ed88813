//! The specification of every kernel, in plain Rust.

/// Partial sums a reduction keeps: lane `i` takes the entries `i`, `i + LANES`, ….
pub const LANES: usize = 8;

/// Rows of one partial sum of a Gram matrix.
pub const GRAM_BLOCK: usize = 128;

/// Rows and columns of a register tile of a product.
pub(super) const TILE_ROWS: usize = 4;
pub(super) const TILE_COLS: usize = 4;

/// `out = a · b` for row-major `a` (rows × `depth`), `b` (`depth` × `cols`).
pub fn product(a: &[f64], b: &[f64], depth: usize, cols: usize, out: &mut [f64]) {
    if cols == 0 {
        return;
    }
    if depth == 0 {
        out.fill(0.0);
        return;
    }
    let full = cols - cols % TILE_COLS;
    for (a, out) in a.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * cols)) {
        let whole = a.len() == TILE_ROWS * depth;
        if whole {
            for j in (0..full).step_by(TILE_COLS) {
                product_tile(a, b, depth, cols, j, out);
            }
        }
        product_rest(a, b, depth, cols, if whole { full } else { 0 }, out);
    }
}

#[inline]
fn product_tile(a: &[f64], b: &[f64], depth: usize, cols: usize, j: usize, out: &mut [f64]) {
    let mut acc = [[0.0; TILE_COLS]; TILE_ROWS];
    let (a0, rest) = a.split_at(depth);
    let (a1, rest) = rest.split_at(depth);
    let (a2, a3) = rest.split_at(depth);
    let entries = a0.iter().zip(a1).zip(a2).zip(&a3[..depth]);
    for ((((a0, a1), a2), a3), b) in entries.zip(b.chunks_exact(cols)) {
        let b = &b[j..j + TILE_COLS];
        for (acc, a) in acc.iter_mut().zip([a0, a1, a2, a3]) {
            for (acc, b) in acc.iter_mut().zip(b) {
                *acc += a * b;
            }
        }
    }
    for (acc, out) in acc.iter().zip(out.chunks_exact_mut(cols)) {
        out[j..j + TILE_COLS].copy_from_slice(acc);
    }
}

/// Columns `from..` of what the tiles leave over, entry by entry.
#[inline]
pub(super) fn product_rest(
    a: &[f64],
    b: &[f64],
    depth: usize,
    cols: usize,
    from: usize,
    out: &mut [f64],
) {
    for (a, out) in a.chunks_exact(depth).zip(out.chunks_exact_mut(cols)) {
        for (j, out) in out.iter_mut().enumerate().skip(from) {
            *out = a.iter().zip(b[j..].iter().step_by(cols)).fold(0.0, |acc, (a, b)| acc + a * b);
        }
    }
}

/// `out = max(0, out + bias)` for each row.
pub fn add_bias_relu(out: &mut [f64], bias: &[f64]) {
    if bias.is_empty() {
        return;
    }
    for row in out.chunks_exact_mut(bias.len()) {
        for (value, bias) in row.iter_mut().zip(bias) {
            let sum = *value + bias;
            *value = if sum > 0.0 { sum } else { 0.0 };
        }
    }
}

/// Upper triangle (diagonal included) of HᵀH for row-major `h` (rows × `d`); `out` starts at 0.
pub fn gram_upper(h: &[f64], d: usize, out: &mut [f64]) {
    for block in h.chunks(GRAM_BLOCK * d) {
        for i in (0..d).step_by(TILE_ROWS) {
            for j in (i..d).step_by(TILE_COLS) {
                if i + TILE_ROWS <= d && j + TILE_COLS <= d {
                    gram_tile(block, d, i, j, out);
                } else {
                    gram_rest(block, d, i, j, out);
                }
            }
        }
    }
}

#[inline]
fn gram_tile(block: &[f64], d: usize, i: usize, j: usize, out: &mut [f64]) {
    let mut acc = [[0.0; TILE_COLS]; TILE_ROWS];
    for row in block.chunks_exact(d) {
        let (left, right) = (&row[i..i + TILE_ROWS], &row[j..j + TILE_COLS]);
        for (acc, a) in acc.iter_mut().zip(left) {
            for (acc, b) in acc.iter_mut().zip(right) {
                *acc += a * b;
            }
        }
    }
    for (r, acc) in acc.iter().enumerate() {
        for (out, acc) in out[(i + r) * d + j..].iter_mut().zip(acc) {
            *out += acc;
        }
    }
}

/// A tile that the edge of the matrix cuts.
#[inline]
pub(super) fn gram_rest(block: &[f64], d: usize, i: usize, j: usize, out: &mut [f64]) {
    for r in i..d.min(i + TILE_ROWS) {
        for c in j..d.min(j + TILE_COLS) {
            let sum = block.chunks_exact(d).fold(0.0, |acc, row| acc + row[r] * row[c]);
            out[r * d + c] += sum;
        }
    }
}

/// Adds the lanes up: halves onto halves, then the rest of the slice in order.
#[inline]
pub(super) fn fold_lanes(lanes: [f64; LANES], rest: impl Iterator<Item = f64>) -> f64 {
    let [a, b, c, d, e, f, g, h] = lanes;
    let tree = ((a + e) + (c + g)) + ((b + f) + (d + h));
    rest.fold(tree, |acc, value| acc + value)
}

/// Σ aᵢ·bᵢ.
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b);
    for (a, b) in a.zip(b) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    fold_lanes(lanes, rest)
}

/// Σ aᵢ.
#[must_use]
pub fn sum(a: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let chunks = a.chunks_exact(LANES);
    let rest = chunks.remainder().iter().copied();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    fold_lanes(lanes, rest)
}
