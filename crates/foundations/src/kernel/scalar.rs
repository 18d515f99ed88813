//! The specification of every kernel, in plain Rust.

/// Partial sums a reduction keeps: lane `i` takes the entries `i`, `i + LANES`, ….
pub const LANES: usize = 8;

/// Rows of one partial sum of a Gram matrix.
pub const GRAM_BLOCK: usize = 128;

/// Rows and columns of a register tile; a Gram matrix's tiles are square.
pub(super) const TILE_ROWS: usize = 4;
pub(super) const TILE_COLS: usize = 4;

/// Rearranges columns for the tiles: of each row-major row of `cols` entries [`TILE_COLS`] at a time,
/// one panel after the other, the last one filled up with zeros. A tile then reads its columns from
/// one place.
pub(super) fn pack_panels(from: &[f64], cols: usize, out: &mut Vec<f64>) {
    let rows = from.len() / cols;
    out.clear();
    out.resize(cols.next_multiple_of(TILE_COLS) * rows, 0.0);
    for (panel, out) in out.chunks_exact_mut(TILE_COLS * rows).enumerate() {
        let start = panel * TILE_COLS;
        let rows = from.chunks_exact(cols).zip(out.chunks_exact_mut(TILE_COLS));
        for (row, out) in rows {
            let row = &row[start..];
            // A length that the compiler knows is copied without a call.
            match row.get(..TILE_COLS) {
                Some(row) => out.copy_from_slice(row),
                None => out[..row.len()].copy_from_slice(row),
            }
        }
    }
}

/// `out = a · b` for row-major `a` (rows × `depth`), `b` (`depth` × `cols`).
pub fn product(a: &[f64], b: &[f64], depth: usize, cols: usize, out: &mut [f64]) {
    if cols == 0 {
        return;
    }
    if depth == 0 {
        out.fill(0.0);
        return;
    }
    let mut packed = Vec::new();
    pack_panels(b, cols, &mut packed);
    for (a, out) in a.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * cols)) {
        if a.len() == TILE_ROWS * depth {
            for (panel, b) in packed.chunks_exact(TILE_COLS * depth).enumerate() {
                let tile = product_tile(a, b, depth);
                store_tile(&tile, panel * TILE_COLS, cols, out);
            }
        } else {
            product_remainder(a, b, depth, cols, out);
        }
    }
}

#[inline]
fn product_tile(a: &[f64], b: &[f64], depth: usize) -> [[f64; TILE_COLS]; TILE_ROWS] {
    let mut acc = [[0.0; TILE_COLS]; TILE_ROWS];
    let (a0, rest) = a.split_at(depth);
    let (a1, rest) = rest.split_at(depth);
    let (a2, a3) = rest.split_at(depth);
    let entries = a0.iter().zip(a1).zip(a2).zip(&a3[..depth]);
    for ((((a0, a1), a2), a3), b) in entries.zip(b.as_chunks::<TILE_COLS>().0) {
        for (acc, a) in acc.iter_mut().zip([a0, a1, a2, a3]) {
            for (acc, b) in acc.iter_mut().zip(b) {
                *acc += a * b;
            }
        }
    }
    acc
}

/// A tile's rows into columns `from..` of `out`; what reaches over the edge is dropped.
#[inline]
pub(super) fn store_tile(tile: &[[f64; TILE_COLS]], from: usize, cols: usize, out: &mut [f64]) {
    let width = TILE_COLS.min(cols - from);
    for (tile, out) in tile.iter().zip(out.chunks_exact_mut(cols)) {
        out[from..from + width].copy_from_slice(&tile[..width]);
    }
}

/// The rows that the tiles leave over, entry by entry.
#[inline]
pub(super) fn product_remainder(a: &[f64], b: &[f64], depth: usize, cols: usize, out: &mut [f64]) {
    for (a, out) in a.chunks_exact(depth).zip(out.chunks_exact_mut(cols)) {
        for (j, out) in out.iter_mut().enumerate() {
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
    let mut packed = Vec::new();
    for block in h.chunks(GRAM_BLOCK * d) {
        pack_panels(block, d, &mut packed);
        let panel = TILE_COLS * (block.len() / d);
        for (i, left) in packed.chunks_exact(panel).enumerate() {
            for (j, right) in packed.chunks_exact(panel).enumerate().skip(i) {
                let tile = gram_tile(left, right);
                add_tile(&tile, [i * TILE_COLS, j * TILE_COLS], d, out);
            }
        }
    }
}

#[inline]
fn gram_tile(left: &[f64], right: &[f64]) -> [[f64; TILE_COLS]; TILE_ROWS] {
    let mut acc = [[0.0; TILE_COLS]; TILE_ROWS];
    let (left, right) = (left.as_chunks::<TILE_COLS>().0, right.as_chunks::<TILE_COLS>().0);
    for (left, right) in left.iter().zip(right) {
        for (acc, a) in acc.iter_mut().zip(left) {
            for col in 0..TILE_COLS {
                acc[col] += a * right[col];
            }
        }
    }
    acc
}

/// Adds a tile to `out` (d × d) from row and column `at` on; what reaches over an edge is dropped.
#[inline]
pub(super) fn add_tile(tile: &[[f64; TILE_COLS]], at: [usize; 2], d: usize, out: &mut [f64]) {
    let width = TILE_COLS.min(d - at[1]);
    for (tile, out) in tile.iter().zip(out.chunks_exact_mut(d).skip(at[0])) {
        out[at[1]..at[1] + width].iter_mut().zip(tile).for_each(|(out, sum)| *out += sum);
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
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let rest = rest_a.iter().zip(rest_b).map(|(a, b)| a * b);
    for (a, b) in a.iter().zip(b) {
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
    let (chunks, rest) = a.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    fold_lanes(lanes, rest.iter().copied())
}

/// As [`pack_panels`], of `f32`, from the rows of the transposed matrix: `cols` of them, of `depth` entries.
pub(super) fn pack_panels_f32(columns: &[f32], depth: usize, out: &mut Vec<f32>) {
    for group in columns.chunks(TILE_COLS * depth) {
        for at in 0..depth {
            let filled = group[at..].iter().step_by(depth).copied();
            out.extend(filled.chain([0.0; TILE_COLS]).take(TILE_COLS));
        }
    }
}

/// `out = a · b` for row-major `a` (rows × `depth`) and `b` (`depth` × `cols`) in panels of `f32`.
///
/// Panels are the outer loop: each is read from memory once, however many rows there are.
pub fn widening_product(a: &[f64], panels: &[f32], depth: usize, cols: usize, out: &mut [f64]) {
    for (panel, b) in panels.chunks_exact(TILE_COLS * depth).enumerate() {
        let from = panel * TILE_COLS;
        for (a, out) in a.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * cols)) {
            if a.len() == TILE_ROWS * depth {
                widening_tile::<TILE_ROWS>(a, b, depth, from, cols, out);
            } else {
                for (a, out) in a.chunks_exact(depth).zip(out.chunks_exact_mut(cols)) {
                    widening_tile::<1>(a, b, depth, from, cols, out);
                }
            }
        }
    }
}

#[inline]
fn widening_tile<const ROWS: usize>(a: &[f64], b: &[f32], depth: usize, from: usize, cols: usize, out: &mut [f64]) {
    let mut acc = [[0.0; TILE_COLS]; ROWS];
    for (at, b) in b.as_chunks::<TILE_COLS>().0.iter().enumerate() {
        for (row, acc) in acc.iter_mut().enumerate() {
            let a = a[row * depth + at];
            for (acc, b) in acc.iter_mut().zip(b) {
                *acc += a * f64::from(*b);
            }
        }
    }
    store_tile(&acc, from, cols, out);
}

/// Lanes of [`widening_dots`], and rows that it takes.
pub const DOT_ROWS: usize = 4;

/// Σ aᵢ·bᵢ of `f64` with each of four rows, in four lanes. They are read side by side, which is quicker where
/// they are far apart.
#[must_use]
pub fn widening_dots<T: Copy + Into<f64>>(a: &[f64], rows: [&[T]; DOT_ROWS]) -> [f64; DOT_ROWS] {
    let mut lanes = [[0.0; DOT_ROWS]; DOT_ROWS];
    let (fours, rest) = a.as_chunks::<DOT_ROWS>();
    let [b0, b1, b2, b3] = rows.map(|row| row.as_chunks::<DOT_ROWS>().0);
    for ((((a, b0), b1), b2), b3) in fours.iter().zip(b0).zip(b1).zip(b2).zip(b3) {
        for (lanes, b) in lanes.iter_mut().zip([b0, b1, b2, b3]) {
            for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
                *lane += a * (*b).into();
            }
        }
    }
    fold_dot_lanes(lanes, rest, rows)
}

/// Sums of lanes with what is left over.
#[inline(always)]
pub(super) fn fold_dot_lanes<T: Copy + Into<f64>>(
    lanes: [[f64; DOT_ROWS]; DOT_ROWS],
    rest: &[f64],
    rows: [&[T]; DOT_ROWS],
) -> [f64; DOT_ROWS] {
    core::array::from_fn(|at| {
        let [a, b, c, d] = lanes[at];
        let left = &rows[at][rows[at].len() - rest.len()..];
        let more = rest.iter().zip(left);
        more.fold((a + c) + (b + d), |sum, (a, b)| sum + a * (*b).into())
    })
}

/// `acc = acc + scale · row`.
pub fn add_scaled<T: Copy + Into<f64>>(acc: &mut [f64], scale: f64, row: &[T]) {
    for (acc, value) in acc.iter_mut().zip(row) {
        *acc += scale * (*value).into();
    }
}

/// [`add_scaled`] of four rows, one after the other.
pub fn add_scaled_rows<T: Copy + Into<f64>>(acc: &mut [f64], scales: [f64; DOT_ROWS], rows: [&[T]; DOT_ROWS]) {
    let [s0, s1, s2, s3] = scales;
    let [r0, r1, r2, r3] = rows;
    for ((((acc, a), b), c), d) in acc.iter_mut().zip(r0).zip(r1).zip(r2).zip(r3) {
        *acc = *acc + s0 * (*a).into() + s1 * (*b).into() + s2 * (*c).into() + s3 * (*d).into();
    }
}

/// Rows of whole numbers are filled up with zeros to a multiple of this.
pub const INTEGER_ROW_MULTIPLE: usize = 16;

/// `out[i, j]` = Σ aᵢ·bⱼ for rows of `depth` whole numbers, which no sum may take beyond 32 bits: their
/// order does not matter.
pub fn integer_product(a: &[i16], b: &[i16], depth: usize, out: &mut [i32]) {
    integer_tiles::<1, 2>(a, b, depth, out, |[a], b| {
        let products = |b: &[i16]| a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
        [b.map(products)]
    });
}

/// Tiles of products of rows of whole numbers, in an order in which the caches hold what is needed again: some rows of
/// the second factor in the second one, some of the first in the first.
#[inline(always)]
pub(super) fn integer_tiles<const ROWS: usize, const COLS: usize>(
    a: &[i16],
    b: &[i16],
    depth: usize,
    out: &mut [i32],
    tile: impl Fn([&[i16]; ROWS], [&[i16]; COLS]) -> [[i32; COLS]; ROWS],
) {
    /// Rows of each factor that are taken together: of 768 entries they fill 24 and 98 KB.
    const INNER_BLOCK_ROWS: usize = 16;
    const OUTER_BLOCK_ROWS: usize = 64;
    let cols = b.len() / depth;
    for (far, b) in b.chunks(OUTER_BLOCK_ROWS * depth).enumerate() {
        for (a, out) in a.chunks(INNER_BLOCK_ROWS * depth).zip(out.chunks_mut(INNER_BLOCK_ROWS * cols)) {
            for (group, b) in b.chunks(COLS * depth).enumerate() {
                let some = pad_rows(b, depth);
                let from = far * OUTER_BLOCK_ROWS + group * COLS;
                for (a, out) in a.chunks(ROWS * depth).zip(out.chunks_mut(ROWS * cols)) {
                    let sums = tile(pad_rows(a, depth), some);
                    for (sums, out) in sums.iter().zip(out.chunks_exact_mut(cols)) {
                        let out = &mut out[from..];
                        let width = out.len().min(COLS);
                        out[..width].copy_from_slice(&sums[..width]);
                    }
                }
            }
        }
    }
}

/// Rows, of which the last stands for those that lack.
#[inline(always)]
fn pad_rows<const N: usize>(rows: &[i16], depth: usize) -> [&[i16]; N] {
    let last = rows.len() / depth - 1;
    core::array::from_fn(|at| &rows[at.min(last) * depth..][..depth])
}
