//! Fixed work for the kernels, to measure their speed by.
//!
//! On WebAssembly both the specification and its twin in SIMD can be asked for. The specification is
//! compiled with the same instructions allowed, and the compiler uses them: in Chromium on x86-64 both
//! come to the same speed within the noise. Its speed is that of the plain source, not that of a
//! machine without SIMD.

use std::hint::black_box;

use serde::Serialize;

use super::{active, scalar};
use crate::NumpyRng;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernel {
    /// max(0, X·W₁ᵀ + b₁): N × inputs by inputs × hidden.
    Layer,
    /// The upper triangle of HᵀH: N × D.
    Gram,
    /// A dot product.
    Dot,
    /// A sum.
    Sum,
}

/// Which of a kernel's implementations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implementation {
    /// The specification in plain Rust, [`scalar`].
    Scalar,
    /// The one that runs use: `simd128` on WebAssembly, `native` on x86-64, [`scalar`] elsewhere.
    Active,
}

/// A kernel at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// What is computed.
    pub kernel: Kernel,
    /// Rows, or the length of a vector.
    pub rows: usize,
    /// Inner dimension of a layer; 1 elsewhere.
    pub depth: usize,
    /// Columns; 1 for a vector.
    pub cols: usize,
}

/// The sizes of the paper's Standard and Large networks, and vectors within and beyond a core's
/// nearest cache.
pub const CASES: [Case; 9] = [
    Case { kernel: Kernel::Layer, rows: 2000, depth: 16, cols: 64 },
    Case { kernel: Kernel::Layer, rows: 2000, depth: 32, cols: 128 },
    Case { kernel: Kernel::Layer, rows: 2000, depth: 64, cols: 64 },
    Case { kernel: Kernel::Gram, rows: 2000, depth: 1, cols: 64 },
    Case { kernel: Kernel::Gram, rows: 2000, depth: 1, cols: 128 },
    Case { kernel: Kernel::Dot, rows: 1 << 10, depth: 1, cols: 1 },
    Case { kernel: Kernel::Dot, rows: 1 << 17, depth: 1, cols: 1 },
    Case { kernel: Kernel::Sum, rows: 1 << 10, depth: 1, cols: 1 },
    Case { kernel: Kernel::Sum, rows: 1 << 17, depth: 1, cols: 1 },
];

impl Case {
    /// Additions and multiplications that the result needs: what the edge of a tile computes beyond
    /// it is not counted.
    #[must_use]
    pub fn flops(&self) -> f64 {
        let [rows, depth, cols] = [self.rows, self.depth, self.cols].map(|size| size as f64);
        match self.kernel {
            // The last addition of each entry is the bias.
            Kernel::Layer => rows * cols * (2.0 * depth + 1.0),
            Kernel::Gram => rows * cols * (cols + 1.0),
            Kernel::Dot => 2.0 * rows,
            Kernel::Sum => rows,
        }
    }

    /// Its sizes, e.g. "2000 × 16 × 64".
    #[must_use]
    pub fn describe_sizes(&self) -> String {
        match self.kernel {
            Kernel::Layer => format!("{} × {} × {}", self.rows, self.depth, self.cols),
            Kernel::Gram => format!("{} × {}", self.rows, self.cols),
            Kernel::Dot | Kernel::Sum => self.rows.to_string(),
        }
    }
}

/// A case with numbers to compute on, the same every time.
pub struct Workload {
    case: Case,
    a: Vec<f64>,
    b: Vec<f64>,
    bias: Vec<f64>,
    out: Vec<f64>,
}

/// Computes a workload once by the kernels of a module.
macro_rules! compute_by {
    ($kernels:ident, $work:expr) => {{
        let Workload { case, a, b, bias, out } = $work;
        // The compiler must not know what it works on, or it would work once for all repeats, nor
        // that only the last result is read.
        let (a, b) = (black_box(a.as_slice()), black_box(b.as_slice()));
        match case.kernel {
            Kernel::Layer => {
                $kernels::product(a, b, case.depth, case.cols, out);
                $kernels::add_bias_relu(out, bias);
            }
            Kernel::Gram => {
                out.fill(0.0);
                $kernels::gram_upper(a, case.cols, out);
            }
            Kernel::Dot => out.fill($kernels::dot(a, b)),
            Kernel::Sum => out.fill($kernels::sum(a)),
        }
        black_box(out);
    }};
}

impl Workload {
    /// Draws the numbers.
    #[must_use]
    pub fn new(case: Case) -> Self {
        let Case { kernel, rows, depth, cols } = case;
        let [a, b, bias, out] = match kernel {
            Kernel::Layer => [rows * depth, depth * cols, cols, rows * cols],
            Kernel::Gram => [rows * cols, 0, 0, cols * cols],
            Kernel::Dot => [rows, rows, 0, 1],
            Kernel::Sum => [rows, 0, 0, 1],
        };
        let mut rng = NumpyRng::new(1);
        let mut normals = |len| {
            let mut values = vec![0.0; len];
            rng.fill_standard_normal(&mut values);
            values
        };
        Self { case, a: normals(a), b: normals(b), bias: normals(bias), out: vec![0.0; out] }
    }

    /// Computes the case `repeats` times; returns the sum of the last result's entries.
    pub fn run(&mut self, path: Implementation, repeats: u32) -> f64 {
        for _ in 0..repeats {
            match path {
                Implementation::Scalar => compute_by!(scalar, self),
                Implementation::Active => compute_by!(active, self),
            }
        }
        scalar::sum(&self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts, one loop after the other, as the definitions have them.
    fn counted(case: Case) -> f64 {
        let mut count = 0u64;
        match case.kernel {
            Kernel::Layer => {
                for _entry in 0..case.rows * case.cols {
                    // A product and its addition to the sum, which starts from 0.
                    (0..case.depth).for_each(|_| count += 2);
                    count += 1; // the bias
                }
            }
            Kernel::Gram => {
                for i in 0..case.cols {
                    for _j in i..case.cols {
                        count += 2 * case.rows as u64;
                    }
                }
            }
            Kernel::Dot => (0..case.rows).for_each(|_| count += 2),
            Kernel::Sum => (0..case.rows).for_each(|_| count += 1),
        }
        count as f64
    }

    #[test]
    fn operations_are_counted_as_the_loops_make_them() {
        for case in CASES {
            assert_eq!(case.flops(), counted(case), "{case:?}");
        }
    }

    #[test]
    fn both_paths_give_the_same_bits_however_often() {
        for case in CASES {
            let mut work = Workload::new(case);
            let once = work.run(Implementation::Scalar, 1);
            assert!(once.is_finite() && once != 0.0, "{case:?}");
            assert_eq!(work.run(Implementation::Active, 1).to_bits(), once.to_bits(), "{case:?}");
            assert_eq!(work.run(Implementation::Active, 3).to_bits(), once.to_bits(), "{case:?}");
            assert_eq!(Workload::new(case).run(Implementation::Scalar, 0), 0.0, "{case:?}");
        }
    }
}
