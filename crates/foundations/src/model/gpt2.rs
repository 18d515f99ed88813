//! The folder that Hugging Face writes for GPT-2.

use super::config_reader::ConfigObject;
use super::load::find_weights;
use super::parameters::TensorRanges;
use super::{Activation, Config, ModelError, Parameters};
use crate::io::DataFile;
use crate::kernel::single_precision::scalar::TILE_COLS;

/// What a name begins with where the head is saved besides.
const TRANSFORMER_PREFIX: &str = "transformer.";

/// What a configuration says, and what reading it would take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gpt2Loader {
    /// The model's sizes.
    pub config: Config,
}

impl Gpt2Loader {
    /// Reads `config.json`.
    ///
    /// # Errors
    /// [`ModelError::Config`]: what is no configuration of GPT-2, or asks for what is not computed here.
    pub fn parse(file: &str, json: &[u8]) -> Result<Self, ModelError> {
        let reading = ConfigObject::parse(file, json)?;
        reading.get_choice("model_type", &["gpt2"])?;
        let d_model = reading.get_size("n_embd", None)?;
        let heads = reading.get_size("n_head", None)?;
        if !d_model.is_multiple_of(heads) {
            return Err(reading.config_error("n_head", &heads.to_string(), &format!("a divisor of {d_model}")));
        }
        for (field, wanted) in
            [("scale_attn_weights", true), ("scale_attn_by_inverse_layer_idx", false), ("add_cross_attention", false)]
        {
            if reading.get_bool(field, wanted)? != wanted {
                return Err(reading.config_error(field, &(!wanted).to_string(), &wanted.to_string()));
            }
        }
        let activation = reading.get_choice("activation_function", &["gelu_new", "gelu_pytorch_tanh", "relu"])?;
        let epsilon = reading.get_number("layer_norm_epsilon", 1e-5)?;
        let layers = reading.get_layer_count("n_layer", None)?;
        let config = Config {
            layers,
            heads,
            d_model,
            d_head: d_model / heads,
            d_mlp: reading.get_size("n_inner", Some(4 * d_model))?,
            context: reading.get_size("n_positions", None)?,
            vocabulary: reading.get_size("vocab_size", None)?,
            activation: if activation == "relu" { Activation::Relu } else { Activation::GeluTanh },
            epsilon,
            tied: reading.get_bool("tie_word_embeddings", true)?,
        };
        Ok(Self { config })
    }

    /// Bytes of memory that reading the weights and laying them out takes at most, besides less than a
    /// MiB: known before a weight is read. More than can be counted is the largest number.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        let Config { layers, d_model, d_mlp, context, vocabulary, tied, .. } = self.config;
        let [layers, d, mlp, context, words] = [layers, d_model, d_mlp, context, vocabulary].map(|size| size as u128);
        let tables = words * d + context * d + 2 * d;
        let (biases, norms) = (3 * d + d + mlp + d, 4 * d);
        // As they are read,
        let layer = 4 * d * d + 2 * d * mlp + biases + norms;
        let head = if tied { 0 } else { words * (d + 1) };
        let read = tables + layers * layer + head;
        // as they are multiplied, in panels of so many columns (the head also where it is tied),
        let panels = |columns: u128| columns.next_multiple_of(TILE_COLS as u128);
        let layer = d * (panels(3 * d) + panels(d) + panels(mlp)) + mlp * panels(d) + biases + norms;
        let laid_out = tables + layers * layer + d * panels(words) + words;
        // and the largest matrix once more on the way.
        let matrix = (3 * d * d).max(d * mlp).max(words * d);
        u64::try_from(4 * (read + laid_out + matrix)).unwrap_or(u64::MAX)
    }

    /// Reads the weights, `model.safetensors`, into no more than `cap` bytes.
    ///
    /// # Errors
    /// [`ModelError`]: a model beyond the cap, a missing tensor, another shape than the configuration says,
    /// a number that is not finite.
    pub fn read(&self, file: &DataFile, cap: u64) -> Result<Parameters, ModelError> {
        let needed = self.memory_bytes();
        if needed > cap {
            return Err(ModelError::TooLarge { file: file.name().to_owned(), needed, cap });
        }
        let Config { heads, d_model, d_head, d_mlp, context, vocabulary, tied, .. } = self.config;
        let prefix = if file.array("wte.weight").is_ok() { "" } else { TRANSFORMER_PREFIX };
        let tensor = |name: String, shape: &[usize]| find_weights(file, &format!("{prefix}{name}"), shape);
        // Every shape before any number, so that nothing is taken that the file does not hold.
        let width = heads * d_head;
        let shapes = |layer: usize| -> Vec<(String, Vec<usize>)> {
            [
                ("ln_1.weight", vec![d_model]),
                ("ln_1.bias", vec![d_model]),
                ("attn.c_attn.weight", vec![d_model, 3 * width]),
                ("attn.c_attn.bias", vec![3 * width]),
                ("attn.c_proj.weight", vec![width, d_model]),
                ("attn.c_proj.bias", vec![d_model]),
                ("ln_2.weight", vec![d_model]),
                ("ln_2.bias", vec![d_model]),
                ("mlp.c_fc.weight", vec![d_model, d_mlp]),
                ("mlp.c_fc.bias", vec![d_mlp]),
                ("mlp.c_proj.weight", vec![d_mlp, d_model]),
                ("mlp.c_proj.bias", vec![d_model]),
            ]
            .map(|(name, shape)| (format!("h.{layer}.{name}"), shape))
            .to_vec()
        };
        tensor("wte.weight".to_owned(), &[vocabulary, d_model])?;
        tensor("wpe.weight".to_owned(), &[context, d_model])?;
        for layer in 0..self.config.layers {
            for (name, shape) in shapes(layer) {
                tensor(name, &shape)?;
            }
        }
        if !tied {
            find_weights(file, "lm_head.weight", &[vocabulary, d_model])?;
        }
        let layers = self.config.layers;
        if file.array(&format!("{prefix}h.{layers}.ln_1.weight")).is_ok() {
            let allowed = format!("as many as the weights have, at least {}", layers + 1);
            return Err(ModelError::config(file.name(), "n_layer", layers.to_string(), allowed));
        }

        let places = TensorRanges::for_config(&self.config);
        let mut all = Parameters::zeros(self.config);
        let values = all.values_mut();
        let mut copy = |name: String, shape: &[usize], to: std::ops::Range<usize>| {
            values[to].copy_from_slice(&tensor(name, shape)?.read_all()?);
            Ok::<(), ModelError>(())
        };
        copy("wte.weight".to_owned(), &[vocabulary, d_model], places.embed.clone())?;
        copy("wpe.weight".to_owned(), &[context, d_model], places.position_embedding.clone())?;
        for (layer, to) in places.layers.iter().enumerate() {
            let ranges = [
                Some(&to.ln1[0]),
                Some(&to.ln1[1]),
                None,
                None,
                Some(&to.attn_out[0]),
                Some(&to.attn_out[1]),
                Some(&to.ln2[0]),
                Some(&to.ln2[1]),
                Some(&to.mlp_in[0]),
                Some(&to.mlp_in[1]),
                Some(&to.mlp_out[0]),
                Some(&to.mlp_out[1]),
            ];
            for ((name, shape), range) in shapes(layer).into_iter().zip(ranges) {
                if let Some(range) = range {
                    copy(name, &shape, range.clone())?;
                }
            }
        }
        copy("ln_f.weight".to_owned(), &[d_model], places.ln_final[0].clone())?;
        copy("ln_f.bias".to_owned(), &[d_model], places.ln_final[1].clone())?;
        // Queries, keys and values stand side by side in the columns of one matrix, head by head.
        for (layer, to) in places.layers.iter().enumerate() {
            let weight = tensor(format!("h.{layer}.attn.c_attn.weight"), &[d_model, 3 * width])?.read_all()?;
            let bias = tensor(format!("h.{layer}.attn.c_attn.bias"), &[3 * width])?.read_all()?;
            for (part, [weights, biases]) in to.qkv.iter().enumerate() {
                values[biases.clone()].copy_from_slice(&bias[part * width..(part + 1) * width]);
                let blocks = values[weights.clone()].chunks_exact_mut(d_model * d_head);
                for (head, block) in blocks.enumerate() {
                    let from = part * width + head * d_head;
                    for (out, row) in block.chunks_exact_mut(d_head).zip(weight.chunks_exact(3 * width)) {
                        out.copy_from_slice(&row[from..from + d_head]);
                    }
                }
            }
        }
        if !tied {
            let head = find_weights(file, "lm_head.weight", &[vocabulary, d_model])?.read_all()?;
            let to = &mut values[places.unembed[0].clone()];
            for (token, row) in head.chunks_exact(d_model).enumerate() {
                for (at, value) in row.iter().enumerate() {
                    to[at * vocabulary + token] = *value;
                }
            }
        }
        Ok(all)
    }
}
