use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// A place within a layer where activations can be read and changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// The residual stream before the layer: prompts × positions × d_model, as are all without heads that
    /// are not neurons.
    ResidPre,
    /// What attention's normalisation divides by: prompts × positions × 1.
    Ln1Scale,
    /// What attention reads; in a general pass before the gain, but for GPT-2.
    Ln1Normalized,
    /// What attention reads, after gain and bias.
    Ln1Out,
    /// Queries: prompts × positions × heads × d_head.
    Q,
    /// Keys, shaped as queries; of as many heads as there are of keys.
    K,
    /// Values, shaped as keys.
    V,
    /// Queries after their normalisation, before its gain.
    QNormalized,
    /// Keys after their normalisation, before its gain.
    KNormalized,
    /// Queries as they are multiplied with keys: after normalisation and rotation.
    RotQ,
    /// Keys as they are multiplied with queries.
    RotK,
    /// Products of queries and keys, scaled, capped, −∞ where nothing is looked at; shaped as attention.
    AttnScores,
    /// Attention: prompts × heads × positions × positions that are looked at.
    Pattern,
    /// What each head found, shaped as queries.
    Z,
    /// What the normalisation after attention divides by.
    Ln1PostScale,
    /// What attention found after the normalisation that follows it, before its gain.
    Ln1PostNormalized,
    /// What attention adds.
    AttnOut,
    /// The residual stream between attention and neurons.
    ResidMid,
    /// The residual stream that neurons' normalisation reads.
    MlpIn,
    /// What neurons' normalisation divides by.
    Ln2Scale,
    /// What neurons read; in a general pass before the gain, but for GPT-2.
    Ln2Normalized,
    /// What neurons read, after gain and bias.
    Ln2Out,
    /// Neurons before their activation function: prompts × positions × d_mlp.
    MlpPre,
    /// What gated neurons are multiplied with, shaped as they are.
    MlpPreLinear,
    /// Neurons after it, shaped as before it.
    MlpPost,
    /// What the normalisation after the neurons divides by.
    Ln2PostScale,
    /// What neurons make after the normalisation that follows them, before its gain.
    Ln2PostNormalized,
    /// What neurons add.
    MlpOut,
    /// The residual stream after the layer.
    ResidPost,
}

impl Site {
    /// The sites of [`super::Model`], in the order in which a layer comes by.
    pub const MODEL_SITES: [Self; 14] = [
        Self::ResidPre,
        Self::Ln1Normalized,
        Self::Q,
        Self::K,
        Self::V,
        Self::Pattern,
        Self::Z,
        Self::AttnOut,
        Self::ResidMid,
        Self::Ln2Normalized,
        Self::MlpPre,
        Self::MlpPost,
        Self::MlpOut,
        Self::ResidPost,
    ];

    /// Every site that some model has, in the order in which a layer comes by, with TransformerLens' name behind that of
    /// the block.
    pub const SITE_NAMES: [(Self, &str); 29] = [
        (Self::ResidPre, "hook_resid_pre"),
        (Self::Ln1Scale, "ln1.hook_scale"),
        (Self::Ln1Normalized, "ln1.hook_normalized"),
        (Self::Ln1Out, "ln1.hook_out"),
        (Self::Q, "attn.hook_q"),
        (Self::K, "attn.hook_k"),
        (Self::V, "attn.hook_v"),
        (Self::QNormalized, "attn.q_norm.hook_normalized"),
        (Self::KNormalized, "attn.k_norm.hook_normalized"),
        (Self::RotQ, "attn.hook_rot_q"),
        (Self::RotK, "attn.hook_rot_k"),
        (Self::AttnScores, "attn.hook_attn_scores"),
        (Self::Pattern, "attn.hook_pattern"),
        (Self::Z, "attn.hook_z"),
        (Self::Ln1PostScale, "ln1_post.hook_scale"),
        (Self::Ln1PostNormalized, "ln1_post.hook_normalized"),
        (Self::AttnOut, "hook_attn_out"),
        (Self::ResidMid, "hook_resid_mid"),
        (Self::MlpIn, "hook_mlp_in"),
        (Self::Ln2Scale, "ln2.hook_scale"),
        (Self::Ln2Normalized, "ln2.hook_normalized"),
        (Self::Ln2Out, "ln2.hook_out"),
        (Self::MlpPre, "mlp.hook_pre"),
        (Self::MlpPreLinear, "mlp.hook_pre_linear"),
        (Self::MlpPost, "mlp.hook_post"),
        (Self::Ln2PostScale, "ln2_post.hook_scale"),
        (Self::Ln2PostNormalized, "ln2_post.hook_normalized"),
        (Self::MlpOut, "hook_mlp_out"),
        (Self::ResidPost, "hook_resid_post"),
    ];

    /// TransformerLens' name, behind that of the block.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::SITE_NAMES.iter().find(|(site, _)| *site == self).map_or("", |(_, name)| name)
    }
}

/// A place where activations can be read and changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hook {
    /// The tokens' embeddings: prompts × positions × d_model.
    Embed,
    /// The positions' embeddings, shaped as the tokens'.
    PosEmbed,
    /// A place within a layer, from 0.
    Block(usize, Site),
    /// What the last normalisation divides by: prompts × positions × 1.
    LnFinalScale,
    /// What the unembedding reads, shaped as the embeddings; in a general pass before the gain, but for GPT-2.
    LnFinal,
}

impl Hook {
    /// Every place of a [`super::Model`] of some layers, in the order in which they come by.
    #[must_use]
    pub fn all(layers: usize) -> Vec<Self> {
        let blocks = (0..layers).flat_map(|layer| Site::MODEL_SITES.map(|site| Self::Block(layer, site)));
        [Self::Embed, Self::PosEmbed].into_iter().chain(blocks).chain([Self::LnFinal]).collect()
    }
}

impl fmt::Display for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embed => f.write_str("hook_embed"),
            Self::PosEmbed => f.write_str("hook_pos_embed"),
            Self::Block(layer, site) => write!(f, "blocks.{layer}.{}", site.name()),
            Self::LnFinalScale => f.write_str("ln_final.hook_scale"),
            Self::LnFinal => f.write_str("ln_final.hook_normalized"),
        }
    }
}

impl FromStr for Hook {
    type Err = String;

    /// A name as TransformerLens has it; refuses with the names there are.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let block = |rest: &str| {
            let (layer, site) = rest.split_once('.')?;
            let site = Site::MODEL_SITES.into_iter().find(|known| known.name() == site)?;
            Some(Self::Block(layer.parse().ok()?, site))
        };
        let found = match name {
            "hook_embed" => Some(Self::Embed),
            "hook_pos_embed" => Some(Self::PosEmbed),
            "ln_final.hook_normalized" => Some(Self::LnFinal),
            _ => name.strip_prefix("blocks.").and_then(block),
        };
        found.ok_or_else(|| {
            let sites = Site::MODEL_SITES.map(Site::name).join(", ");
            format!(
                "no hook {name:?}; allowed: hook_embed, hook_pos_embed, ln_final.hook_normalized, and \
                 blocks.LAYER. before one of {sites}"
            )
        })
    }
}

/// An activation where it stands, to be read or changed.
pub struct HookedActivation<'a> {
    /// The numbers, row-major in the shape of the hook.
    pub values: &'a mut [f32],
    /// How many prompts.
    pub prompts: usize,
    /// The first position of these; those before were computed earlier.
    pub first_position: usize,
    /// How many positions.
    pub positions: usize,
    /// Heads, where the hook has them, else 1.
    pub heads: usize,
    /// Numbers of each head and position.
    pub width: usize,
}

/// What is called at hooks, in the order in which they come by.
pub trait Hooks {
    /// Whether to be called at a hook. What nobody wants is not always computed as a whole.
    fn wants(&self, hook: Hook) -> bool;

    /// Reads, or changes, an activation.
    fn on_activation(&mut self, hook: Hook, seen: &mut HookedActivation<'_>);
}

/// Nobody.
impl Hooks for () {
    fn wants(&self, _: Hook) -> bool {
        false
    }

    fn on_activation(&mut self, _: Hook, _: &mut HookedActivation<'_>) {}
}

/// The first, then the second.
impl<A: Hooks + ?Sized, B: Hooks + ?Sized> Hooks for (&mut A, &mut B) {
    fn wants(&self, hook: Hook) -> bool {
        self.0.wants(hook) || self.1.wants(hook)
    }

    fn on_activation(&mut self, hook: Hook, seen: &mut HookedActivation<'_>) {
        if self.0.wants(hook) {
            self.0.on_activation(hook, seen);
        }
        if self.1.wants(hook) {
            self.1.on_activation(hook, seen);
        }
    }
}

/// Activations taken by hook, as they stood there.
#[derive(Clone, Debug, Default)]
pub struct ActivationCache {
    hooks: Vec<Hook>,
    values: HashMap<Hook, Vec<f32>>,
}

impl ActivationCache {
    /// Takes those of some hooks.
    #[must_use]
    pub fn for_hooks(hooks: &[Hook]) -> Self {
        Self { hooks: hooks.to_vec(), values: HashMap::new() }
    }

    /// What was taken at a hook; nothing where it was not come by.
    #[must_use]
    pub fn get(&self, hook: Hook) -> &[f32] {
        self.values.get(&hook).map_or(&[], Vec::as_slice)
    }
}

impl Hooks for ActivationCache {
    fn wants(&self, hook: Hook) -> bool {
        self.hooks.contains(&hook)
    }

    fn on_activation(&mut self, hook: Hook, seen: &mut HookedActivation<'_>) {
        self.values.insert(hook, seen.values.to_vec());
    }
}
