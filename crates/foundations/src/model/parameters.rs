use std::ops::Range;

use super::Config;
use crate::NumpyRng;

/// A tensor's place among all parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// TransformerLens' name.
    pub name: String,
    /// Its dimensions.
    pub shape: Vec<usize>,
    /// Where its numbers are, row-major.
    pub range: Range<usize>,
}

/// All weights of a model, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    config: Config,
    values: Vec<f32>,
}

/// Places of a layer's tensors, in the order of [`Parameters::tensor_specs`].
#[derive(Clone, Debug)]
pub(super) struct LayerRanges {
    pub ln1: [Range<usize>; 2],
    /// W and b of queries, keys and values.
    pub qkv: [[Range<usize>; 2]; 3],
    pub attn_out: [Range<usize>; 2],
    pub ln2: [Range<usize>; 2],
    pub mlp_in: [Range<usize>; 2],
    pub mlp_out: [Range<usize>; 2],
}

/// Places of all tensors.
#[derive(Clone, Debug)]
pub(super) struct TensorRanges {
    pub embed: Range<usize>,
    pub position_embedding: Range<usize>,
    pub layers: Vec<LayerRanges>,
    pub ln_final: [Range<usize>; 2],
    /// Nothing where it is tied to the embedding.
    pub unembed: [Range<usize>; 2],
    pub tensors: Vec<TensorSpec>,
}

impl TensorRanges {
    pub fn for_config(config: &Config) -> Self {
        let mut tensors: Vec<TensorSpec> = Vec::new();
        let mut end = 0;
        let places = Self::with_ranges(config, |name, shape| {
            let range = end..end + shape.iter().product::<usize>();
            end = range.end;
            tensors.push(TensorSpec { name, shape: shape.to_vec(), range: range.clone() });
            range
        });
        Self { tensors, ..places }
    }

    /// Every tensor's place as somebody says it, who is told their names and shapes in order.
    pub fn with_ranges(config: &Config, mut place: impl FnMut(String, &[usize]) -> Range<usize>) -> Self {
        let Config { layers, heads, d_model, d_head, d_mlp, context, vocabulary, tied, .. } = *config;
        let embed = place("embed.W_E".to_owned(), &[vocabulary, d_model]);
        let positions = place("pos_embed.W_pos".to_owned(), &[context, d_model]);
        let layers = (0..layers).map(|layer| {
            let mut place = |name: &str, shape: &[usize]| place(format!("blocks.{layer}.{name}"), shape);
            LayerRanges {
                ln1: [place("ln1.w", &[d_model]), place("ln1.b", &[d_model])],
                qkv: ["Q", "K", "V"].map(|which| {
                    [
                        place(&format!("attn.W_{which}"), &[heads, d_model, d_head]),
                        place(&format!("attn.b_{which}"), &[heads, d_head]),
                    ]
                }),
                attn_out: [place("attn.W_O", &[heads, d_head, d_model]), place("attn.b_O", &[d_model])],
                ln2: [place("ln2.w", &[d_model]), place("ln2.b", &[d_model])],
                mlp_in: [place("mlp.W_in", &[d_model, d_mlp]), place("mlp.b_in", &[d_mlp])],
                mlp_out: [place("mlp.W_out", &[d_mlp, d_model]), place("mlp.b_out", &[d_model])],
            }
        });
        let layers = layers.collect();
        let ln_final = [place("ln_final.w".to_owned(), &[d_model]), place("ln_final.b".to_owned(), &[d_model])];
        let unembed = if tied {
            [0..0, 0..0]
        } else {
            [place("unembed.W_U".to_owned(), &[d_model, vocabulary]), place("unembed.b_U".to_owned(), &[vocabulary])]
        };
        Self { embed, position_embedding: positions, layers, ln_final, unembed, tensors: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.tensors.last().map_or(0, |tensor| tensor.range.end)
    }
}

impl Parameters {
    /// All of them 0.
    #[must_use]
    pub fn zeros(config: Config) -> Self {
        Self { config, values: vec![0.0; TensorRanges::for_config(&config).len()] }
    }

    /// Of numbers, one tensor after the other, of which the first are taken; nothing where they are too few.
    #[must_use]
    pub fn from_values(config: Config, numbers: &[f32]) -> Option<Self> {
        let values = numbers.get(..TensorRanges::for_config(&config).len())?.to_vec();
        Some(Self { config, values })
    }

    /// Drawn anew from NumPy's `RandomState(seed)`, as those that the toy model began with: normal numbers,
    /// tensor by tensor in their order. Deviations are 0.3 of the embedding, 0.1 of positions, 1/√d_model of
    /// queries, keys, values and the unembedding, √(2/d_model) of what goes into neurons; what is written back to
    /// the residual stream has 1/√(2·layers·inputs). Scales of normalisations are 1, everything else is 0.
    #[must_use]
    pub fn random_init(config: Config, seed: u32) -> Self {
        let mut rng = NumpyRng::new(seed);
        let mut all = Self::zeros(config);
        let (width, depth) = (config.d_model as f64, 2.0 * config.layers as f64);
        for TensorSpec { name, range, .. } in all.tensor_specs() {
            let kind = name.rsplit('.').next().unwrap_or_default();
            let deviation = match kind {
                "W_E" => 0.3,
                "W_pos" => 0.1,
                "W_Q" | "W_K" | "W_V" | "W_U" => width.sqrt().recip(),
                "W_in" => (2.0 / width).sqrt(),
                "W_O" => (config.heads_width() as f64 * depth).sqrt().recip(),
                "W_out" => (config.d_mlp as f64 * depth).sqrt().recip(),
                "w" => {
                    all.values[range].fill(1.0);
                    continue;
                }
                _ => continue,
            };
            let drawn = &mut all.values[range];
            drawn.iter_mut().for_each(|value| *value = (deviation * rng.standard_normal()) as f32);
        }
        all
    }

    /// The sizes of the model.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Every tensor, in the order in which they stand.
    #[must_use]
    pub fn tensor_specs(&self) -> Vec<TensorSpec> {
        TensorRanges::for_config(&self.config).tensors
    }

    /// All numbers.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All numbers, to be changed.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// A tensor's numbers, row-major; nothing where there is none of the name.
    #[must_use]
    pub fn tensor(&self, name: &str) -> &[f32] {
        let found = self.tensor_specs().into_iter().find(|tensor| tensor.name == name);
        found.map_or(&[], |tensor| &self.values[tensor.range])
    }
}
