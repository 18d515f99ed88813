//! Rotations of queries and keys by their positions.

use std::f64::consts::TAU;

use super::architecture::{Rotary, RotaryScaling};

/// Cosines and sines of so many positions, computed in double precision.
#[derive(Clone, Debug)]
pub(super) struct CosSinCache {
    /// Half of the dimensions that are turned.
    half: usize,
    /// Positions × half, cosines and sines.
    cosines: Vec<f32>,
    sines: Vec<f32>,
}

impl Rotary {
    /// The frequency of each pair of dimensions.
    fn frequencies(&self, dimensions: usize) -> Vec<f64> {
        let frequency = |pair: usize| {
            let exponent = -2.0 * pair as f64 / dimensions as f64;
            let frequency = libm::pow(self.theta, exponent);
            match &self.scaling {
                RotaryScaling::None => frequency,
                RotaryScaling::Linear { factor } => frequency / factor,
                RotaryScaling::Factors { factors } => frequency / factors.get(pair).copied().map_or(1.0, f64::from),
                RotaryScaling::Llama3 { factor, low, high, context } => {
                    let wavelength = TAU / frequency;
                    if wavelength > context / low {
                        frequency / factor
                    } else if wavelength < context / high {
                        frequency
                    } else {
                        let share = (context / wavelength - low) / (high - low);
                        frequency * ((1.0 - share) / factor + share)
                    }
                }
            }
        };
        (0..dimensions / 2).map(frequency).collect()
    }

    /// The angles of the first positions.
    pub(super) fn cos_sin_cache(&self, dimensions: usize, positions: usize) -> CosSinCache {
        let frequencies = self.frequencies(dimensions);
        let half = frequencies.len();
        let mut angles = CosSinCache { half, cosines: Vec::new(), sines: Vec::new() };
        for position in 0..positions {
            for frequency in &frequencies {
                let angle = position as f64 * frequency;
                angles.cosines.push(libm::cos(angle) as f32);
                angles.sines.push(libm::sin(angle) as f32);
            }
        }
        angles
    }
}

impl CosSinCache {
    /// Turns the heads of rows, of which each run of so many positions begins at the first.
    pub fn rotate(&self, rows: &mut [f32], width: usize, d_head: usize, positions: usize) {
        let half = self.half;
        for (index, row) in rows.chunks_exact_mut(width).enumerate() {
            let at = index % positions * half;
            let (cosines, sines) = (&self.cosines[at..at + half], &self.sines[at..at + half]);
            for head in row.chunks_exact_mut(d_head) {
                let (first, second) = head[..2 * half].split_at_mut(half);
                let pairs = first.iter_mut().zip(second).zip(cosines.iter().zip(sines));
                for ((a, b), (cos, sin)) in pairs {
                    (*a, *b) = (*a * cos - *b * sin, *b * cos + *a * sin);
                }
            }
        }
    }
}
