use serde::{Deserialize, Serialize};

use super::codes::CodeSelector;
use super::{Codes, Family, Parameters, TrainConfig};
use crate::kernel::single_precision::{WeightPanels, add_scaled, affine, dot};

/// A batch's loss and its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// What is minimised: the sum of its parts (for Matryoshka, of the prefixes' errors and the
    /// auxiliary one).
    pub total: f64,
    /// Mean of (x − x̂)² over all entries, with all latents.
    pub mse: f64,
    /// The sparsity term, λ included.
    pub sparsity: f64,
    /// The auxiliary term, its coefficient included; of Gated, that of the gates' own reconstruction.
    pub auxiliary: f64,
    /// Mean number of codes above 0 in a row.
    pub l0: f64,
}

/// The loss of rows `x` (rows × D), and its gradient by every parameter.
///
/// `dead` are the latents, ascending, that the auxiliary loss is for. Sparsity has its full
/// coefficient, and no part of a gradient is projected away: as automatic differentiation gives it.
///
/// # Panics
/// When `x` is empty or no whole number of rows, or the configuration is of another shape than the
/// parameters.
#[must_use]
pub fn loss_and_gradients(
    config: &TrainConfig,
    parameters: &Parameters,
    x: &[f32],
    dead: &[u32],
) -> (Loss, Parameters) {
    assert_eq!(
        (config.family, config.latents),
        (parameters.family(), parameters.latent_count()),
        "parameters of the configuration"
    );
    assert!(!x.is_empty() && x.len().is_multiple_of(parameters.input_width()), "whole rows");
    let (family, inputs, latents) = (parameters.family(), parameters.input_width(), parameters.latent_count());
    let mut gradient = Parameters::zeros(family, inputs, latents);
    let mut workspace = Workspace::default();
    let loss = workspace.run(config, parameters, config.sparsity, x, dead, &mut gradient);
    (loss, gradient)
}

/// The buffers of a step; [`Workspace::run`] leaves in them what the step found.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    panels: WeightPanels,
    chooser: CodeSelector,
    /// x − b_dec: rows × D.
    pub(super) centred: Vec<f32>,
    /// h: rows × F.
    pre: Vec<f32>,
    pub(super) codes: Codes,
    /// Σ (x − x̂)² of each row.
    pub(super) row_errors: Vec<f32>,
    /// Codes of the dead latents.
    spare: Codes,
    /// x̂ − x of one row for each group of latents, later its gradient: groups × D.
    errors: Vec<f32>,
    /// The same of the auxiliary reconstruction: D.
    other: Vec<f32>,
    /// The loss's gradient by each latent's W_enc·(x − b_dec), summed over the rows: F.
    by_latent: Vec<f32>,
}

impl Workspace {
    /// Computes loss and gradient; `gradient` is overwritten.
    pub(super) fn run(
        &mut self,
        config: &TrainConfig,
        parameters: &Parameters,
        sparsity: f64,
        x: &[f32],
        dead: &[u32],
        gradient: &mut Parameters,
    ) -> Loss {
        let (d, latents) = (parameters.input_width(), parameters.latent_count());
        let rows = x.len() / d;
        let groups = config.prefix_ends();
        gradient.values_mut().fill(0.0);
        self.encode(config, parameters, x);
        self.spare.clear();
        if !dead.is_empty() {
            for pre in self.pre.chunks_exact(latents) {
                self.chooser.select_among(pre, dead, config.aux_k, &mut self.spare);
            }
        }
        self.errors.resize(groups.len() * d, 0.0);
        self.other.resize(d, 0.0);
        self.by_latent.clear();
        self.by_latent.resize(latents, 0.0);
        self.row_errors.clear();

        let mut row = GradientAccumulator {
            parameters,
            gradient,
            by_latent: &mut self.by_latent,
            groups: &groups,
            factor: 2.0 / (rows * d) as f32,
            sparsity: (sparsity / rows as f64) as f32,
        };
        let mut sums = SquareSums::default();
        let inputs = self.centred.chunks_exact(d).zip(self.pre.chunks_exact(latents));
        let mut spare = self.spare.rows();
        for ((x, pre), codes) in inputs.zip(self.codes.rows()) {
            let squared = row.prefix_errors(x, codes, &mut self.errors, &mut sums);
            self.row_errors.push(squared);
            if let Some(codes) = spare.next() {
                row.backward_auxiliary(config.aux as f32, x, codes, &self.errors, &mut self.other, &mut sums);
            }
            row.sum_over_prefixes(&mut self.errors);
            match config.family {
                Family::Gated => {
                    let exp = &self.chooser.exponentials;
                    row.backward_gated(x, pre, codes, exp, &self.errors, &mut self.other, &mut sums);
                }
                Family::JumpRelu => {
                    row.backward_plain(x, codes, &self.errors, 0.0);
                    row.backward_thresholds(config.bandwidth as f32, pre, &self.chooser.exponentials, &self.errors);
                    sums.sparsity += codes.len() as f64;
                }
                Family::Relu => {
                    row.backward_plain(x, codes, &self.errors, row.sparsity);
                    sums.sparsity += codes.iter().map(|(_, z)| f64::from(*z)).sum::<f64>();
                }
                _ => row.backward_plain(x, codes, &self.errors, 0.0),
            }
        }
        self.finish_gradient(parameters, gradient);

        let entries = (rows * d) as f64;
        let mse = sums.last / entries;
        let sparsity = sparsity * sums.sparsity / rows as f64;
        let auxiliary = sums.auxiliary / entries;
        let active = self.codes.entries().iter().filter(|(_, value)| *value > 0.0).count();
        Loss {
            total: sums.prefixes / entries + sparsity + auxiliary,
            mse,
            sparsity,
            auxiliary,
            l0: active as f64 / rows as f64,
        }
    }

    /// x − b_dec, h and the codes.
    fn encode(&mut self, config: &TrainConfig, parameters: &Parameters, x: &[f32]) {
        let d = parameters.input_width();
        self.centred.clear();
        for row in x.chunks_exact(d) {
            self.centred.extend(row.iter().zip(parameters.b_dec()).map(|(x, mean)| x - mean));
        }
        self.panels.fill(parameters.encoder(), d);
        self.pre.resize(x.len() / d * parameters.latent_count(), 0.0);
        affine(&self.centred, &self.panels, parameters.b_enc(), &mut self.pre);
        self.chooser.select_codes(config, parameters, &self.pre, &mut self.codes);
    }

    /// What follows from the sums over the rows: the biases' gradients.
    fn finish_gradient(&self, parameters: &Parameters, gradient: &mut Parameters) {
        let d = parameters.input_width();
        if parameters.family() != Family::Gated {
            gradient.b_enc_mut().copy_from_slice(&self.by_latent);
        }
        // θ = e^(ln θ).
        if parameters.family() == Family::JumpRelu {
            let thresholds = gradient.extra_mut(0).iter_mut().zip(&self.chooser.exponentials);
            thresholds.for_each(|(by_log, threshold)| *by_log *= threshold);
        }
        let out = gradient.b_dec_mut();
        for (by_latent, row) in self.by_latent.iter().zip(parameters.encoder().chunks_exact(d)) {
            add_scaled(out, -by_latent, row);
        }
    }
}

/// Sums over the rows of a batch, of squares over all entries.
#[derive(Clone, Copy, Debug, Default)]
struct SquareSums {
    /// Of the errors of every prefix.
    prefixes: f64,
    /// Of the errors with all latents.
    last: f64,
    /// What λ multiplies.
    sparsity: f64,
    /// Of the auxiliary errors, coefficient included.
    auxiliary: f64,
}

/// What the gradients of one row after the other are added to.
struct GradientAccumulator<'a> {
    parameters: &'a Parameters,
    gradient: &'a mut Parameters,
    by_latent: &'a mut [f32],
    groups: &'a [usize],
    /// 2/(B·D): a mean square's gradient is this times the error.
    factor: f32,
    /// λ/B.
    sparsity: f32,
}

impl GradientAccumulator<'_> {
    fn direction(&self, latent: u32) -> &[f32] {
        let d = self.parameters.input_width();
        &self.parameters.decoder()[latent as usize * d..][..d]
    }

    fn group_of(&self, latent: u32) -> usize {
        self.groups.iter().position(|end| (latent as usize) < *end).unwrap_or(0)
    }

    /// x̂ − x with the latents up to the end of each group; returns the last one's square.
    fn prefix_errors(&self, x: &[f32], codes: &[(u32, f32)], errors: &mut [f32], sums: &mut SquareSums) -> f32 {
        let d = x.len();
        let mut rest = codes;
        let mut squared = 0.0;
        for (group, &end) in self.groups.iter().enumerate() {
            let (before, error) = errors.split_at_mut(group * d);
            let error = &mut error[..d];
            match before.len().checked_sub(d) {
                Some(start) => error.copy_from_slice(&before[start..]),
                None => error.iter_mut().zip(x).for_each(|(error, x)| *error = -x),
            }
            let held = rest.partition_point(|(latent, _)| (*latent as usize) < end);
            let (mine, later) = rest.split_at(held);
            for &(latent, value) in mine {
                add_scaled(error, value, self.direction(latent));
            }
            rest = later;
            squared = dot(error, error);
            sums.prefixes += f64::from(squared);
        }
        sums.last += f64::from(squared);
        squared
    }

    /// Errors become gradients by x̂: each group's, of all prefixes that hold it.
    fn sum_over_prefixes(&mut self, errors: &mut [f32]) {
        let d = self.parameters.input_width();
        for group in (1..self.groups.len()).rev() {
            let (before, after) = errors.split_at_mut(group * d);
            add_scaled(&mut before[(group - 1) * d..], 1.0, &after[..d]);
        }
        errors.iter_mut().for_each(|error| *error *= self.factor);
        add_scaled(self.gradient.b_dec_mut(), 1.0, &errors[..d]);
    }

    /// Adds one latent's part, given the gradient by its code's decoded direction (`by_out`, D).
    fn add_decoder_gradient(&mut self, latent: u32, value: f32, by_out: &[f32]) -> f32 {
        let d = by_out.len();
        let by_code = dot(by_out, self.direction(latent));
        let row = &mut self.gradient.decoder_mut()[latent as usize * d..][..d];
        add_scaled(row, value, by_out);
        by_code
    }

    /// Adds what follows from a gradient by W_enc[latent]·x.
    fn add_encoder_gradient(&mut self, latent: u32, by_pre: f32, x: &[f32]) {
        let d = x.len();
        add_scaled(&mut self.gradient.encoder_mut()[latent as usize * d..][..d], by_pre, x);
        self.by_latent[latent as usize] += by_pre;
    }

    /// Families in which an active code is h itself.
    fn backward_plain(&mut self, x: &[f32], codes: &[(u32, f32)], by_out: &[f32], sparsity: f32) {
        let d = x.len();
        for &(latent, value) in codes {
            let start = self.group_of(latent) * d;
            let by_code = self.add_decoder_gradient(latent, value, &by_out[start..start + d]);
            self.add_encoder_gradient(latent, by_code + sparsity, x);
        }
    }

    /// JumpReLU: the straight-through gradient by θ, of latents whose h is within half a bandwidth.
    fn backward_thresholds(&mut self, bandwidth: f32, pre: &[f32], thresholds: &[f32], by_out: &[f32]) {
        let half = 0.5 * bandwidth;
        for ((latent, h), &threshold) in (0u32..).zip(pre).zip(thresholds) {
            if (h - threshold).abs() < half {
                let by_code = dot(by_out, self.direction(latent));
                self.gradient.extra_mut(0)[latent as usize] -= (threshold * by_code + self.sparsity) / bandwidth;
            }
        }
    }

    /// Gated: magnitudes through the main reconstruction, gates through their own.
    #[allow(clippy::too_many_arguments)] // the buffers are the workspace's, borrowed one by one
    fn backward_gated(
        &mut self,
        x: &[f32],
        pre: &[f32],
        codes: &[(u32, f32)],
        exp: &[f32],
        by_out: &[f32],
        error: &mut [f32],
        sums: &mut SquareSums,
    ) {
        error.iter_mut().zip(x).for_each(|(error, x)| *error = -x);
        for &(latent, _) in codes {
            let h = pre[latent as usize];
            add_scaled(error, h, self.direction(latent));
            sums.sparsity += f64::from(h);
        }
        sums.auxiliary += f64::from(dot(error, error));
        error.iter_mut().for_each(|error| *error *= self.factor);
        for &(latent, value) in codes {
            let at = latent as usize;
            // The decoder is frozen for the gates.
            let by_gate = dot(error, self.direction(latent)) + self.sparsity;
            self.gradient.b_enc_mut()[at] += by_gate;
            let mut by_pre = by_gate;
            if value > 0.0 {
                let by_code = self.add_decoder_gradient(latent, value, by_out);
                let linear = pre[at] - self.parameters.b_enc()[at];
                self.gradient.extra_mut(0)[at] += by_code * exp[at] * linear;
                self.gradient.extra_mut(1)[at] += by_code;
                by_pre += by_code * exp[at];
            }
            self.add_encoder_gradient(latent, by_pre, x);
        }
    }

    /// The auxiliary loss: dead latents reconstruct what the others left over.
    fn backward_auxiliary(
        &mut self,
        coefficient: f32,
        x: &[f32],
        codes: &[(u32, f32)],
        errors: &[f32],
        error: &mut [f32],
        sums: &mut SquareSums,
    ) {
        error.copy_from_slice(&errors[errors.len() - x.len()..]);
        for &(latent, value) in codes {
            add_scaled(error, value, self.direction(latent));
        }
        sums.auxiliary += f64::from(coefficient * dot(error, error));
        let factor = coefficient * self.factor;
        error.iter_mut().for_each(|error| *error *= factor);
        for &(latent, value) in codes {
            let by_code = self.add_decoder_gradient(latent, value, error);
            self.add_encoder_gradient(latent, by_code, x);
        }
    }
}
