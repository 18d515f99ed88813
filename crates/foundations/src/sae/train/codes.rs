use super::{Family, Parameters, TrainConfig};
use crate::kernel::single_precision;

/// Sparse codes of some rows: for each row its active latents, ascending, with their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Codes {
    /// Where each row's entries end.
    ends: Vec<usize>,
    entries: Vec<(u32, f32)>,
}

impl Codes {
    /// Leaves no rows.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.entries.clear();
    }

    /// Has a latent active on the row that is being written; latents come in ascending order.
    #[inline]
    pub fn push(&mut self, latent: u32, value: f32) {
        self.entries.push((latent, value));
    }

    /// Ends the row that is being written.
    pub(crate) fn end_row(&mut self) {
        self.ends.push(self.entries.len());
    }

    fn push_row(&mut self, entries: &[(u32, f32)]) {
        self.entries.extend_from_slice(entries);
        self.end_row();
    }

    /// The rows' (latent, value) pairs.
    pub fn rows(&self) -> impl Iterator<Item = &[(u32, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.entries[start..*end])
    }

    /// All pairs, row after row.
    #[must_use]
    pub fn entries(&self) -> &[(u32, f32)] {
        &self.entries
    }

    /// How many rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// What choosing codes needs again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct CodeSelector {
    selector: single_precision::TopKSelector,
    spare: single_precision::TopKSelector,
    list: Vec<(u32, f32)>,
    keys: Vec<u64>,
    /// JumpReLU's θ, Gated's eʳ.
    pub(super) exponentials: Vec<f32>,
}

impl CodeSelector {
    /// Codes from h (`pre`, rows × F) as the family trains with them.
    pub(super) fn select_codes(&mut self, config: &TrainConfig, parameters: &Parameters, pre: &[f32], out: &mut Codes) {
        out.clear();
        exponentials(parameters, &mut self.exponentials);
        let rows = pre.chunks_exact(config.latents);
        match config.family {
            Family::TopK => {
                for row in rows {
                    self.selector.top_k(row, config.k, &mut self.list);
                    out.push_row(&self.list);
                }
            }
            Family::BatchTopK | Family::Matryoshka => {
                let wanted = config.k * (pre.len() / config.latents);
                batch_top_k((pre, pre), config.latents, wanted, &mut self.keys, out);
            }
            Family::Relu | Family::JumpRelu | Family::Gated => {
                for row in rows {
                    select_elementwise(parameters, &self.exponentials, row, out);
                }
            }
        }
    }

    /// The `k` largest positive ones of `pre` among some latents.
    pub(super) fn select_among(&mut self, pre: &[f32], latents: &[u32], k: usize, out: &mut Codes) {
        let candidates: Vec<f32> = latents.iter().map(|&latent| pre[latent as usize]).collect();
        self.spare.top_k(&candidates, k, &mut self.list);
        for &(at, value) in &self.list {
            out.push(latents[at as usize], value);
        }
        out.end_row();
    }
}

/// Of a batch the `wanted` largest of what is ranked (rows × latents) that are above 0, of equal ones those that come first: `out`
/// takes what `values` has in their places. Gives the least that was chosen. `keys` is room to work in.
pub(crate) fn batch_top_k(
    (ranked, values): (&[f32], &[f32]),
    latents: usize,
    wanted: usize,
    keys: &mut Vec<u64>,
    out: &mut Codes,
) -> Option<f32> {
    let positive = (0u64..).zip(ranked).filter(|(_, value)| **value > 0.0);
    // Positive numbers order as their bits do; turned round, the smallest key is the largest.
    keys.clear();
    keys.extend(positive.map(|(at, value)| (u64::from(!value.to_bits()) << 32) | at));
    if keys.len() > wanted && wanted > 0 {
        keys.select_nth_unstable(wanted - 1);
        keys.truncate(wanted);
    }
    let least = keys.iter().max().map(|key| f32::from_bits(!((*key >> 32) as u32)));
    // Back in the order of the rows.
    keys.iter_mut().for_each(|key| *key &= u64::from(u32::MAX));
    keys.sort_unstable();
    let mut keys = keys.iter().map(|key| *key as usize).peekable();
    for (row, values) in values.chunks_exact(latents).enumerate() {
        let start = row * latents;
        while let Some(at) = keys.next_if(|at| *at < start + latents) {
            out.push((at - start) as u32, values[at - start]);
        }
        out.end_row();
    }
    least
}

/// The exponentials that a family's codes are made with: JumpReLU's θ, Gated's eʳ.
pub(super) fn exponentials(parameters: &Parameters, out: &mut Vec<f32>) {
    out.clear();
    if matches!(parameters.family(), Family::JumpRelu | Family::Gated) {
        out.extend(parameters.extra(0).iter().map(|log| libm::expf(*log)));
    }
}

/// Codes of the families in which each latent decides for itself; `exp` from [`exponentials`].
pub(super) fn select_elementwise(parameters: &Parameters, exp: &[f32], pre: &[f32], out: &mut Codes) {
    let latents = (0u32..).zip(pre);
    match parameters.family() {
        Family::JumpRelu => {
            for ((latent, &h), threshold) in latents.zip(exp) {
                if h > *threshold {
                    out.push(latent, h);
                }
            }
        }
        Family::Gated => {
            let (b_mag, b_enc) = (parameters.extra(1), parameters.b_enc());
            for (latent, &h) in latents.filter(|(_, h)| **h > 0.0) {
                let at = latent as usize;
                let magnitude = exp[at] * (h - b_enc[at]) + b_mag[at];
                out.push(latent, if magnitude > 0.0 { magnitude } else { 0.0 });
            }
        }
        _ => {
            for (latent, &h) in latents.filter(|(_, h)| **h > 0.0) {
                out.push(latent, h);
            }
        }
    }
    out.end_row();
}
