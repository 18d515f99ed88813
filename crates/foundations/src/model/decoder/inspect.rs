//! Looking inside a decoder: losses of tokens, the logit lens, attention patterns, ablations beside their control.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::pass::Decoder;
use crate::model::folder::likeliest_tokens;
use crate::model::hook::{ActivationCache, Hook, HookedActivation, Hooks, Site};
use crate::model::{Batch, Edit, EditChange, EditTarget, EditValues, Edits, HookShapes, ModelError, NextToken};
use crate::rng::NumpyRng;
use crate::synthetic::language::Token;

/// What a model makes of a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TextScore {
    /// The likeliest tokens after it, the likeliest first.
    pub top: Vec<NextToken>,
    /// −ln p of each of its tokens but the first, on average, in nats; nothing of a single token.
    pub cross_entropy: Option<f64>,
    /// −ln p of each of its tokens but the first, in nats.
    pub losses: Vec<f64>,
}

/// The likeliest token after a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LikeliestToken {
    /// The token; of equal ones that of lower index.
    pub token: Token,
    /// Its probability.
    pub probability: f64,
}

/// What a changed run does to the model's predictions of a text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelEffect"))]
pub struct PredictionEffect {
    /// Mean cross-entropy of all tokens but the first, in nats; nothing of a single token.
    pub cross_entropy: Option<f64>,
    /// Mean over positions of KL(unchanged ‖ changed), in nats.
    pub kl: f64,
    /// Share of positions at which both have the same likeliest token.
    pub top1_agreement: f64,
}

/// Log of the sum of exponentials of logits, and the likeliest token: of equal ones the first.
fn log_sum_exp_and_argmax(logits: &[f32]) -> (f64, usize) {
    let mut most = 0;
    for (at, logit) in logits.iter().enumerate() {
        if *logit > logits[most] {
            most = at;
        }
    }
    (log_sum_exp(logits), most)
}

fn likeliest_token(logits: &[f32]) -> LikeliestToken {
    let (sum, most) = log_sum_exp_and_argmax(logits);
    let logit = logits.get(most).copied().map_or(f64::NAN, f64::from);
    LikeliestToken { token: most as Token, probability: libm::exp(logit - sum) }
}

impl Decoder {
    /// What runs do to the predictions of a text, by what the unembedding reads in each of them
    /// ([`Decoder::final_normalized`]). The first is the unchanged one; its effect is on itself.
    ///
    /// # Errors
    /// [`ModelError::NonFinite`].
    pub fn prediction_effects(&self, tokens: &[Token], runs: &[&[f32]]) -> Result<Vec<PredictionEffect>, ModelError> {
        self.prediction_effects_with(tokens, runs, |_, _| ())
    }

    /// The same, and calls back with every position and the logits of each run there.
    fn prediction_effects_with(
        &self,
        tokens: &[Token],
        runs: &[&[f32]],
        mut each: impl FnMut(usize, &[&[f32]]),
    ) -> Result<Vec<PredictionEffect>, ModelError> {
        let mut sums = vec![(0.0, 0.0, 0usize); runs.len()];
        let (mut row, mut finite) = (0, true);
        self.for_each_logits_of_runs(runs, |logits| {
            let found: Vec<(f64, usize)> = logits.iter().map(|logits| log_sum_exp_and_argmax(logits)).collect();
            finite &= found.iter().all(|(sum, _)| sum.is_finite());
            let (Some(plain), Some((sum, most))) = (logits.first(), found.first()) else { return };
            for ((logits, (other, likeliest)), (entropy, kl, agreed)) in logits.iter().zip(&found).zip(&mut sums) {
                if let Some(next) = tokens.get(row + 1) {
                    *entropy += other - logits.get(*next as usize).copied().map_or(0.0, f64::from);
                }
                for (a, b) in plain.iter().zip(*logits) {
                    let a = f64::from(*a) - sum;
                    *kl += libm::exp(a) * (a - (f64::from(*b) - other));
                }
                *agreed += usize::from(most == likeliest);
            }
            each(row, logits);
            row += 1;
        })?;
        if !finite {
            return Err(ModelError::NonFinite);
        }
        let count = tokens.len() as f64;
        let effect = |(entropy, kl, agreed): (f64, f64, usize)| PredictionEffect {
            cross_entropy: (tokens.len() > 1).then(|| entropy / (count - 1.0)),
            kl: kl / count,
            top1_agreement: agreed as f64 / count,
        };
        Ok(sums.into_iter().map(effect).collect())
    }

    /// The logit lens: of each layer the likeliest token after every position, were the residual stream after that layer
    /// what the last normalisation and the unembedding read (layers × positions). That of the last layer is the model's.
    ///
    /// # Errors
    /// As [`Decoder::logits`]; [`ModelError::NonFinite`].
    pub fn logit_lens(&self, tokens: &[Token], hooks: &mut dyn Hooks) -> Result<Vec<Vec<LikeliestToken>>, ModelError> {
        struct LogitLensHook<'a> {
            of: &'a Decoder,
            layers: Vec<Vec<LikeliestToken>>,
        }
        impl Hooks for LogitLensHook<'_> {
            fn wants(&self, hook: Hook) -> bool {
                matches!(hook, Hook::Block(_, Site::ResidPost))
            }
            fn on_activation(&mut self, _: Hook, seen: &mut HookedActivation<'_>) {
                let normal = self.of.apply_final_norm(seen.values, (1, 0, seen.positions), &mut ());
                let mut layer = Vec::with_capacity(seen.positions);
                let all = self.of.for_each_logits_of_runs(&[&normal], |logits| {
                    layer.extend(logits.iter().map(|logits| likeliest_token(logits)));
                });
                // The run itself ends at its next layer.
                if all.is_ok() {
                    self.layers.push(layer);
                }
            }
        }
        let mut lens = LogitLensHook { of: self, layers: Vec::new() };
        let last = Hook::Block(self.architecture().layers.saturating_sub(1), Site::ResidPost);
        // What is changed at a hook is changed before the lens reads it.
        self.run_until(&Batch::new(&[tokens])?, last, &mut (hooks, &mut lens))?;
        let finite = |one: &LikeliestToken| one.probability.is_finite();
        match lens.layers.iter().flatten().all(finite) {
            true => Ok(lens.layers),
            false => Err(ModelError::NonFinite),
        }
    }

    /// The attention pattern of a head: positions × positions that are looked at, rows that sum to 1.
    ///
    /// # Errors
    /// As [`Decoder::logits`]; [`ModelError::Edit`] for a layer or head that the model does not have.
    pub fn attention_pattern(
        &self,
        tokens: &[Token],
        component: Component,
        hooks: &mut dyn Hooks,
    ) -> Result<Vec<f32>, ModelError> {
        let Component::Head { layer, head } = component else {
            let (hook, found) = (component.hook(), component.index_in_layer());
            let allowed = "a head, LAYER.HEAD".to_owned();
            return Err(ModelError::Edit { hook, field: "neuron", found, allowed });
        };
        component.check(self)?;
        let hook = Hook::Block(layer, Site::Pattern);
        let mut taken = ActivationCache::for_hooks(&[hook]);
        self.run_until(&Batch::new(&[tokens])?, hook, &mut (hooks, &mut taken))?;
        let size = tokens.len() * tokens.len();
        Ok(taken.get(hook).get(head * size..(head + 1) * size).unwrap_or_default().to_vec())
    }
}

/// What can be ablated: a head or a neuron of a layer, all from 0. Written `head:LAYER.HEAD`, `neuron:LAYER.NEURON`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Component {
    /// What a head writes: its part of `attn.hook_z`.
    Head {
        /// Its layer.
        layer: usize,
        /// Its number in the layer.
        head: usize,
    },
    /// A neuron after its activation function: a number of `mlp.hook_post`.
    Neuron {
        /// Its layer.
        layer: usize,
        /// Its number in the layer.
        neuron: usize,
    },
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head { layer, head } => write!(f, "head:{layer}.{head}"),
            Self::Neuron { layer, neuron } => write!(f, "neuron:{layer}.{neuron}"),
        }
    }
}

impl FromStr for Component {
    type Err = &'static str;

    /// Refuses with what is allowed. `LAYER.HEAD` alone is a head.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, place) = text.trim().split_once(':').unwrap_or(("head", text.trim()));
        let parts = place.split_once('.').map(|(layer, at)| (layer.parse(), at.parse()));
        match (kind, parts) {
            ("head", Some((Ok(layer), Ok(head)))) => Ok(Self::Head { layer, head }),
            ("neuron", Some((Ok(layer), Ok(neuron)))) => Ok(Self::Neuron { layer, neuron }),
            _ => Err("head:LAYER.HEAD or neuron:LAYER.NEURON, all from 0"),
        }
    }
}

impl Component {
    fn hook(self) -> Hook {
        match self {
            Self::Head { layer, .. } => Hook::Block(layer, Site::Z),
            Self::Neuron { layer, .. } => Hook::Block(layer, Site::MlpPost),
        }
    }

    /// Its number in the layer.
    fn index_in_layer(self) -> usize {
        match self {
            Self::Head { head, .. } => head,
            Self::Neuron { neuron, .. } => neuron,
        }
    }

    /// How many of its kind a layer has.
    fn count_per_layer(self, model: &Decoder) -> usize {
        match self {
            Self::Head { .. } => model.architecture().heads,
            Self::Neuron { .. } => model.architecture().d_mlp,
        }
    }

    /// Refuses one that a model does not have.
    fn check(self, model: &Decoder) -> Result<(), ModelError> {
        let hook = self.hook();
        let (Self::Head { layer, .. } | Self::Neuron { layer, .. }) = self;
        let kind = if matches!(self, Self::Head { .. }) { "head" } else { "neuron" };
        let sizes = [("layer", layer, model.layer_count()), (kind, self.index_in_layer(), self.count_per_layer(model))];
        for (field, found, count) in sizes {
            if found >= count {
                let allowed = format!("0 to {}", count.saturating_sub(1));
                return Err(ModelError::Edit { hook, field, found, allowed });
            }
        }
        Ok(())
    }

    fn with_index(self, index: usize) -> Self {
        match self {
            Self::Head { layer, .. } => Self::Head { layer, head: index },
            Self::Neuron { layer, .. } => Self::Neuron { layer, neuron: index },
        }
    }
}

/// What an ablated component writes instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AblateTo {
    /// Nothing.
    #[default]
    Zero,
    /// Its mean over the positions of the text but the first, whose activations are outliers in many models.
    Mean,
}

/// Components that are ablated at every position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ablation {
    /// Which.
    pub components: Vec<Component>,
    /// To what.
    pub ablate_to: AblateTo,
}

/// What an ablation does to a text, beside that of random components of the same layers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AblationReport {
    /// What was ablated.
    pub components: Vec<String>,
    /// To what.
    pub to: AblateTo,
    /// What that does.
    #[serde(flatten)]
    pub effect: PredictionEffect,
    /// The likeliest tokens after the text then: whoever shows them adds what they stand for.
    #[serde(skip)]
    pub top: Vec<NextToken>,
    /// −ln p of each token but the first, in nats.
    pub losses: Vec<f64>,
    /// Nothing where a layer has no others.
    pub control: Option<AblationControl>,
}

/// As many random other components of the same layers, ablated the same way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AblationControl {
    /// Which.
    pub components: Vec<String>,
    /// What that does.
    #[serde(flatten)]
    pub effect: PredictionEffect,
}

impl Ablation {
    /// The places of what is ablated, in the order in which a run comes by.
    fn hooks(&self) -> Vec<Hook> {
        let mut hooks: Vec<Hook> = self.components.iter().map(|one| one.hook()).collect();
        hooks.sort_unstable();
        hooks.dedup();
        hooks
    }

    /// What takes the activations that means are over: of nothing where none are needed.
    fn mean_cache(&self) -> ActivationCache {
        match self.ablate_to {
            AblateTo::Zero => ActivationCache::default(),
            AblateTo::Mean => ActivationCache::for_hooks(&self.hooks()),
        }
    }

    /// The edits that ablate in a text.
    ///
    /// # Errors
    /// As [`Decoder::logits`]; [`ModelError::Edit`] for a component that the model does not have.
    pub fn edits(&self, model: &Decoder, tokens: &[Token]) -> Result<Edits, ModelError> {
        self.check(model)?;
        let mut means = self.mean_cache();
        if let (AblateTo::Mean, Some(last)) = (self.ablate_to, self.hooks().last()) {
            model.run_until(&Batch::new(&[tokens])?, *last, &mut means)?;
        }
        self.edits_from_cache(model, &means)
    }

    fn check(&self, model: &Decoder) -> Result<(), ModelError> {
        self.components.iter().try_for_each(|one| one.check(model))
    }

    /// The edits, with the activations of a text where its means are asked for.
    fn edits_from_cache(&self, model: &Decoder, taken: &ActivationCache) -> Result<Edits, ModelError> {
        let mut edits = Vec::new();
        for component in &self.components {
            let (hook, index) = (component.hook(), component.index_in_layer());
            let (heads, width) = model.hook_shape(hook).ok_or(ModelError::Hook { hook })?;
            let (target, from, wide) = match component {
                // A single head is all there is.
                Component::Head { .. } if heads == 1 => (EditTarget::All, 0, width),
                Component::Head { .. } => (EditTarget::Head(index), index * width, width),
                Component::Neuron { .. } => (EditTarget::Unit(index), index, 1),
            };
            let change = match self.ablate_to {
                AblateTo::Zero => EditChange::Scale(0.0),
                AblateTo::Mean => {
                    let rows = taken.get(hook).chunks_exact((heads * width).max(1));
                    let skipped = usize::from(rows.len() > 1);
                    let mut sums = vec![0.0; wide];
                    let count = (rows.len() - skipped) as f64;
                    for row in rows.skip(skipped) {
                        let part = row.get(from..from + wide).unwrap_or_default();
                        sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += f64::from(*x));
                    }
                    let means = sums.iter().map(|sum: &f64| (sum / count) as f32).collect();
                    EditChange::Replace(EditValues::Everywhere(means))
                }
            };
            edits.push(Edit { hook, target, change, positions: Vec::new() });
        }
        Edits::new(model, edits)
    }

    /// As many random components of the same layers and kinds, none of them ablated; nothing where a layer has not as
    /// many others.
    #[must_use]
    pub fn random_control(&self, model: &Decoder, seed: u32) -> Option<Self> {
        let mut rng = NumpyRng::new(seed);
        let mut components: Vec<Component> = Vec::new();
        for component in &self.components {
            let other = |index: &u32| {
                let other = component.with_index(*index as usize);
                !self.components.contains(&other) && !components.contains(&other)
            };
            let count = component.count_per_layer(model) as u32;
            let found = rng.permutation(count).into_iter().find(other)?;
            components.push(component.with_index(found as usize));
        }
        (!components.is_empty()).then_some(Self { components, ablate_to: self.ablate_to })
    }

    fn component_names(&self) -> Vec<String> {
        self.components.iter().map(ToString::to_string).collect()
    }

    /// What a model makes of a text, with the `count` likeliest next tokens; and what the ablation does to that, beside that
    /// of random components of the same layers, by a seed. Three runs: as it is, ablated, and the control.
    ///
    /// # Errors
    /// As [`Ablation::edits`]; [`ModelError::NonFinite`].
    pub fn report(
        &self,
        model: &Decoder,
        tokens: &[Token],
        count: usize,
        seed: u32,
    ) -> Result<(TextScore, AblationReport), ModelError> {
        self.check(model)?;
        let batch = Batch::new(&[tokens])?;
        // The control is of the same places.
        let mut taken = self.mean_cache();
        let plain = model.final_normalized(&batch, &mut taken)?;
        let run = |of: &Self| model.final_normalized(&batch, &mut of.edits_from_cache(model, &taken)?);
        let (ablated, control) = (run(self)?, self.random_control(model, seed));
        let other = control.as_ref().map(run).transpose()?;
        let mut runs: Vec<&[f32]> = vec![&plain, &ablated];
        runs.extend(other.as_deref());
        let mut scored = [TextScore::default(), TextScore::default()];
        let mut finite = Ok(());
        let effects = model.prediction_effects_with(tokens, &runs, |row, logits| {
            for (scored, logits) in scored.iter_mut().zip(logits) {
                match tokens.get(row + 1) {
                    Some(next) => scored.losses.push(token_loss(logits, *next)),
                    None => match likeliest_tokens(logits, count) {
                        Ok(top) => scored.top = top,
                        Err(error) => finite = Err(error),
                    },
                }
            }
        })?;
        finite?;
        let control = control
            .zip(effects.get(2))
            .map(|(control, effect)| AblationControl { components: control.component_names(), effect: *effect });
        let effect = *effects.get(1).ok_or(ModelError::NonFinite)?;
        let [mut plain, TextScore { top, losses, .. }] = scored;
        plain.cross_entropy = effects.first().and_then(|effect| effect.cross_entropy);
        let components = self.component_names();
        Ok((plain, AblationReport { components, to: self.ablate_to, effect, top, losses, control }))
    }
}

/// −ln p of a token, in nats.
pub(super) fn token_loss(logits: &[f32], token: Token) -> f64 {
    let logit = logits.get(token as usize).copied().map_or(f64::NAN, f64::from);
    log_sum_exp(logits) - logit
}

/// ln Σ eˡ over logits, in double precision.
fn log_sum_exp(logits: &[f32]) -> f64 {
    let most = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum: f64 = logits.iter().map(|logit| libm::exp(f64::from(*logit) - most)).sum();
    most + libm::log(sum)
}
