use super::hook::{Hook, HookedActivation, Hooks, Site};
use super::{Batch, Decoder, Model, ModelError};

/// Numbers to replace or add: the same at every position, or position by position.
#[derive(Clone, Debug, PartialEq)]
pub enum EditValues {
    /// As many as the target is wide.
    Everywhere(Vec<f32>),
    /// Positions × width of the target.
    ByPosition(Vec<f32>),
}

impl EditValues {
    fn at_position(&self, position: usize, width: usize) -> &[f32] {
        let (values, from) = match self {
            Self::Everywhere(values) => (values, 0),
            Self::ByPosition(values) => (values, position * width),
        };
        values.get(from..from + width).unwrap_or(&[])
    }
}

/// What of an activation is changed.
#[derive(Clone, Debug, PartialEq)]
pub enum EditTarget {
    /// All of it.
    All,
    /// One head, where the hook has heads.
    Head(usize),
    /// One number of each position: a neuron, or a coordinate. Where the hook has heads, counted through.
    Unit(usize),
    /// The part along a direction, which is made of unit length.
    Direction(Vec<f32>),
}

/// What becomes of the target.
#[derive(Clone, Debug, PartialEq)]
pub enum EditChange {
    /// These numbers instead: a mean, for mean ablation.
    Replace(EditValues),
    /// These added.
    Add(EditValues),
    /// As many times as much; 0 ablates.
    Scale(f32),
}

/// A change of one activation.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// Where.
    pub hook: Hook,
    /// Of what.
    pub target: EditTarget,
    /// To what.
    pub change: EditChange,
    /// At which positions; all where none is named.
    pub positions: Vec<usize>,
}

/// Changes, made in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edits(Vec<Edit>);

impl Edits {
    /// Checks each edit against the model's sizes.
    ///
    /// # Errors
    /// [`ModelError::Edit`]: a layer, head, unit or number of values that the hook does not have;
    /// [`ModelError::Hook`]: a hook that the model does not have.
    pub fn new(model: &impl HookShapes, mut edits: Vec<Edit>) -> Result<Self, ModelError> {
        edits.iter_mut().try_for_each(|edit| edit.check(model))?;
        Ok(Self(edits))
    }
}

/// A model whose hooks have shapes.
pub trait HookShapes {
    /// How many layers it has.
    fn layer_count(&self) -> usize;

    /// Heads, else 1, and numbers of each at every position, of which a pattern has as many as there are positions: 0
    /// here. Nothing where the model has no such hook.
    fn hook_shape(&self, hook: Hook) -> Option<(usize, usize)>;
}

impl HookShapes for Model {
    fn layer_count(&self) -> usize {
        self.config().layers
    }

    fn hook_shape(&self, hook: Hook) -> Option<(usize, usize)> {
        let config = self.config();
        Some(match hook {
            Hook::Block(_, Site::Q | Site::K | Site::V | Site::Z) => (config.heads, config.d_head),
            Hook::Block(_, Site::Pattern) => (config.heads, 0),
            Hook::Block(_, Site::MlpPre | Site::MlpPost) => (1, config.d_mlp),
            Hook::Block(_, site) if !Site::MODEL_SITES.contains(&site) => return None,
            Hook::LnFinalScale => return None,
            _ => (1, config.d_model),
        })
    }
}

impl HookShapes for Decoder {
    fn layer_count(&self) -> usize {
        self.architecture().layers
    }

    fn hook_shape(&self, hook: Hook) -> Option<(usize, usize)> {
        self.architecture().hook_shape(hook)
    }
}

impl Edit {
    fn check(&mut self, model: &impl HookShapes) -> Result<(), ModelError> {
        let hook = self.hook;
        let refuse = |field, found: usize, allowed: String| Err(ModelError::Edit { hook, field, found, allowed });
        let below = |count: usize| match count {
            0 => "none".to_owned(),
            count => format!("0 to {}", count - 1),
        };
        if let Hook::Block(layer, _) = hook
            && layer >= model.layer_count()
        {
            return refuse("layer", layer, below(model.layer_count()));
        }
        let (heads, width) = model.hook_shape(hook).ok_or(ModelError::Hook { hook })?;
        let wide = match &mut self.target {
            EditTarget::All => heads * width,
            EditTarget::Head(head) if *head >= heads || heads == 1 => {
                return refuse("head", *head, if heads == 1 { "none".to_owned() } else { below(heads) });
            }
            EditTarget::Head(_) => width,
            EditTarget::Unit(unit) if *unit >= heads * width => {
                return refuse("unit", *unit, below(heads * width));
            }
            EditTarget::Unit(_) => 1,
            EditTarget::Direction(direction) => {
                if direction.len() != heads * width || width == 0 {
                    return refuse("numbers of the direction", direction.len(), (heads * width).to_string());
                }
                let length = f32::sqrt(direction.iter().map(|x| x * x).sum());
                if length > 0.0 && length.is_finite() {
                    direction.iter_mut().for_each(|x| *x /= length);
                } else {
                    return refuse("length of the direction", 0, "above 0 and finite".to_owned());
                }
                1
            }
        };
        // A pattern is as wide as there are positions, which only a run knows: it is scaled.
        match &self.change {
            EditChange::Scale(_) => Ok(()),
            EditChange::Replace(values) | EditChange::Add(values) => {
                let (found, fits) = match values {
                    EditValues::Everywhere(values) => (values.len(), values.len() == wide),
                    EditValues::ByPosition(values) => (values.len(), wide > 0 && values.len().is_multiple_of(wide)),
                };
                if fits && wide > 0 { Ok(()) } else { refuse("values", found, format!("{wide} a position")) }
            }
        }
    }

    fn apply(&self, seen: &mut HookedActivation<'_>) {
        if matches!(self.hook, Hook::Block(_, Site::Pattern | Site::AttnScores)) {
            self.apply_to_pattern(seen);
            return;
        }
        let wide = seen.heads * seen.width;
        for (row, values) in seen.values.chunks_exact_mut(wide.max(1)).enumerate() {
            let position = seen.first_position + row % seen.positions;
            if !self.positions.is_empty() && !self.positions.contains(&position) {
                continue;
            }
            match &self.target {
                EditTarget::All => self.change.apply(values, position),
                EditTarget::Head(head) => {
                    let from = head * seen.width;
                    self.change.apply(&mut values[from..from + seen.width], position);
                }
                EditTarget::Unit(unit) => self.change.apply(&mut values[*unit..=*unit], position),
                EditTarget::Direction(direction) => {
                    let along = values.iter().zip(direction).map(|(x, d)| x * d).sum::<f32>();
                    let mut changed = [along];
                    self.change.apply(&mut changed, position);
                    let by = changed[0] - along;
                    values.iter_mut().zip(direction).for_each(|(x, d)| *x += by * d);
                }
            }
        }
    }

    /// Heads come before positions here, and a row is what one position looks at.
    fn apply_to_pattern(&self, seen: &mut HookedActivation<'_>) {
        let EditChange::Scale(factor) = self.change else { return };
        for (row, values) in seen.values.chunks_exact_mut(seen.width.max(1)).enumerate() {
            let (position, head) = (seen.first_position + row % seen.positions, row / seen.positions % seen.heads);
            let wanted = match self.target {
                EditTarget::Head(wanted) => wanted == head,
                _ => true,
            };
            if wanted && (self.positions.is_empty() || self.positions.contains(&position)) {
                values.iter_mut().for_each(|value| *value *= factor);
            }
        }
    }
}

impl EditChange {
    fn apply(&self, values: &mut [f32], position: usize) {
        match self {
            Self::Replace(with) => {
                let with = with.at_position(position, values.len());
                values.iter_mut().zip(with).for_each(|(value, with)| *value = *with);
            }
            Self::Add(more) => {
                let more = more.at_position(position, values.len());
                values.iter_mut().zip(more).for_each(|(value, more)| *value += more);
            }
            Self::Scale(factor) => values.iter_mut().for_each(|value| *value *= factor),
        }
    }
}

impl Hooks for Edits {
    fn wants(&self, hook: Hook) -> bool {
        self.0.iter().any(|edit| edit.hook == hook)
    }

    fn on_activation(&mut self, hook: Hook, seen: &mut HookedActivation<'_>) {
        for edit in self.0.iter().filter(|edit| edit.hook == hook) {
            edit.apply(seen);
        }
    }
}

/// What heads find on average over prompts, position by position: what an ablated head says instead.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadMeans {
    positions: usize,
    heads: usize,
    /// Of each layer positions × heads × d_head.
    layers: Vec<Vec<f32>>,
}

impl HeadMeans {
    /// Over the prompts of a batch.
    ///
    /// # Errors
    /// As [`Model::logits`].
    pub fn from_batch(model: &Model, batch: &Batch) -> Result<Self, ModelError> {
        struct SumHooks(Vec<Vec<f64>>);
        impl Hooks for SumHooks {
            fn wants(&self, hook: Hook) -> bool {
                matches!(hook, Hook::Block(_, Site::Z))
            }
            fn on_activation(&mut self, hook: Hook, seen: &mut HookedActivation<'_>) {
                if let Hook::Block(layer, _) = hook {
                    let size = seen.values.len() / seen.prompts;
                    let sums = &mut self.0[layer];
                    sums.resize(size, 0.0);
                    for prompt in seen.values.chunks_exact(size) {
                        sums.iter_mut().zip(prompt).for_each(|(sum, z)| *sum += f64::from(*z));
                    }
                }
            }
        }
        let mut sums = SumHooks(vec![Vec::new(); model.config().layers]);
        model.last_logits(batch, &mut sums)?;
        let count = batch.prompt_count() as f64;
        let mean = |sums: &Vec<f64>| sums.iter().map(|sum| (sum / count) as f32).collect();
        Ok(Self {
            positions: batch.position_count(),
            heads: model.config().heads,
            layers: sums.0.iter().map(mean).collect(),
        })
    }

    /// A head's mean at a position: d_head numbers; nothing where there is none.
    #[must_use]
    pub fn get(&self, layer: usize, head: usize, position: usize) -> &[f32] {
        let Some(all) = self.layers.get(layer).filter(|_| head < self.heads && position < self.positions) else {
            return &[];
        };
        let width = all.len() / (self.positions * self.heads).max(1);
        &all[(position * self.heads + head) * width..][..width]
    }
}

/// Heads that say their mean instead of what they found.
#[derive(Clone, Debug)]
pub struct HeadAblation<'a> {
    /// What they say.
    pub means: &'a HeadMeans,
    /// Which, as (layer, head).
    pub heads: Vec<(usize, usize)>,
}

impl Hooks for HeadAblation<'_> {
    fn wants(&self, hook: Hook) -> bool {
        let Hook::Block(layer, Site::Z) = hook else { return false };
        self.heads.iter().any(|(of, _)| *of == layer)
    }

    fn on_activation(&mut self, hook: Hook, seen: &mut HookedActivation<'_>) {
        let Hook::Block(layer, _) = hook else { return };
        for (_, head) in self.heads.iter().filter(|(of, _)| *of == layer) {
            let wide = seen.heads * seen.width;
            for (row, values) in seen.values.chunks_exact_mut(wide).enumerate() {
                let mean = self.means.get(layer, *head, seen.first_position + row % seen.positions);
                let from = head * seen.width;
                values[from..from + seen.width].iter_mut().zip(mean).for_each(|(z, mean)| *z = *mean);
            }
        }
    }
}
