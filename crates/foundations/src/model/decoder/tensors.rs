//! Weights by their names in Hugging Face's folders and in GGUF files.

use std::collections::HashSet;

use super::architecture::{Architecture, Family, Norm, PositionEncoding, RotaryScaling};
use super::gguf;
use super::pass::{Block, Decoder, Gain, Linear, Weights};
use super::weight::{Weight, WeightType};
use crate::io::{DType, DataFile, Gguf};
use crate::model::ModelError;
use crate::model::config_reader::DIMENSION_MAX;
use crate::model::load::format_shape;

/// Files that hold tensors.
pub(super) enum TensorStore<'a> {
    /// Tensor files, of which each tensor is in one.
    Safetensors(&'a [DataFile]),
    /// GGUF files, of which each tensor is in one.
    Gguf(&'a [Gguf]),
}

/// How queries, keys and values stand in a file.
#[derive(Clone, Copy)]
enum QkvLayout {
    /// In matrices of their own.
    Separate([&'static str; 3]),
    /// In the rows of one: all queries, all keys, all values.
    ByPart(&'static str),
    /// In the rows of one: queries, keys and values of the first head, then those of the next.
    ByHead(&'static str),
}

/// Names of a layer's tensors behind that of the layer, without `.weight` and `.bias`.
struct LayerNames {
    ln1: &'static str,
    qkv: QkvLayout,
    qk_norm: [&'static str; 2],
    output: &'static str,
    ln1_post: &'static str,
    ln2: &'static str,
    input: &'static str,
    linear: &'static str,
    mlp: &'static str,
    ln2_post: &'static str,
}

/// Names of tensors, without `.weight` and `.bias`.
struct TensorNames {
    /// What all but the head begin with.
    before: &'static str,
    embed: &'static str,
    positions: &'static str,
    layer: &'static str,
    within: LayerNames,
    ln_final: &'static str,
    /// The head has one of these names.
    unembed: &'static [&'static str],
    /// Whether matrices are stored inputs × outputs.
    transposed: bool,
    /// Whether rows of queries and keys are those of adjacent pairs, as llama.cpp turns them.
    paired: bool,
}

const SEPARATE_QKV: QkvLayout = QkvLayout::Separate(["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"]);

impl TensorNames {
    fn for_hugging_face(family: Family, before: &'static str) -> Self {
        let within = LayerNames {
            ln1: "input_layernorm",
            qkv: SEPARATE_QKV,
            qk_norm: ["self_attn.q_norm", "self_attn.k_norm"],
            output: "self_attn.o_proj",
            ln1_post: "post_attention_layernorm",
            ln2: "post_attention_layernorm",
            input: "mlp.gate_proj",
            linear: "mlp.up_proj",
            mlp: "mlp.down_proj",
            ln2_post: "post_feedforward_layernorm",
        };
        let llama = Self {
            before,
            embed: "embed_tokens",
            positions: "",
            layer: "layers.",
            within,
            ln_final: "norm",
            unembed: &["lm_head"],
            transposed: false,
            paired: false,
        };
        match family {
            Family::Gpt2 => Self {
                embed: "wte",
                positions: "wpe",
                layer: "h.",
                within: LayerNames {
                    ln1: "ln_1",
                    qkv: QkvLayout::ByPart("attn.c_attn"),
                    output: "attn.c_proj",
                    ln2: "ln_2",
                    input: "mlp.c_fc",
                    mlp: "mlp.c_proj",
                    ..llama.within
                },
                ln_final: "ln_f",
                transposed: true,
                ..llama
            },
            Family::GptNeox => Self {
                embed: "embed_in",
                within: LayerNames {
                    qkv: QkvLayout::ByHead("attention.query_key_value"),
                    output: "attention.dense",
                    input: "mlp.dense_h_to_4h",
                    mlp: "mlp.dense_4h_to_h",
                    ..llama.within
                },
                ln_final: "final_layer_norm",
                unembed: &["embed_out", "lm_head"],
                ..llama
            },
            Family::Gemma2 | Family::Gemma3 => {
                let within = LayerNames { ln2: "pre_feedforward_layernorm", ..llama.within };
                Self { within, ..llama }
            }
            _ => llama,
        }
    }

    fn for_gguf(family: Family) -> Self {
        let neox = family == Family::GptNeox;
        Self {
            before: "",
            embed: "token_embd",
            positions: "",
            layer: "blk.",
            within: LayerNames {
                ln1: "attn_norm",
                qkv: if neox {
                    QkvLayout::ByPart("attn_qkv")
                } else {
                    QkvLayout::Separate(["attn_q", "attn_k", "attn_v"])
                },
                qk_norm: ["attn_q_norm", "attn_k_norm"],
                output: "attn_output",
                ln1_post: "post_attention_norm",
                ln2: "ffn_norm",
                input: if neox { "ffn_up" } else { "ffn_gate" },
                linear: "ffn_up",
                mlp: "ffn_down",
                ln2_post: "post_ffw_norm",
            },
            ln_final: "output_norm",
            unembed: &["output"],
            transposed: false,
            paired: family == Family::Llama,
        }
    }
}

/// What names of a folder's tensors may begin with, those of the head apart.
fn name_prefixes(family: Family) -> &'static [&'static str] {
    match family {
        Family::Gpt2 => &["transformer.", ""],
        Family::GptNeox => &["gpt_neox.", ""],
        Family::Gemma3 => &["model.", "", "language_model.model.", "model.language_model."],
        _ => &["model.", ""],
    }
}

/// Tensors that are left alone: angles and masks that follow from the configuration, and the parts of a model that
/// reads pictures.
fn is_ignored(name: &str) -> bool {
    const IGNORED_SUFFIXES: [&str; 5] =
        [".rotary_emb.inv_freq", ".attention.bias", ".attention.masked_bias", ".attn.bias", ".attn.masked_bias"];
    const IGNORED_PREFIXES: [&str; 4] =
        ["vision_tower.", "model.vision_tower.", "multi_modal_projector.", "model.multi_modal_projector."];
    IGNORED_SUFFIXES.iter().any(|end| name.ends_with(end))
        || IGNORED_PREFIXES.iter().any(|begin| name.starts_with(begin))
}

impl TensorStore<'_> {
    fn file_label(&self) -> String {
        match self {
            Self::Safetensors(files) => files.first().map_or_else(String::new, |file| file.name().to_owned()),
            Self::Gguf(files) => files.first().map_or_else(String::new, |file| file.name().to_owned()),
        }
    }

    /// Names of the types of weights, those of most bytes first.
    pub fn weight_types(&self) -> Vec<&'static str> {
        let mut bytes: Vec<(&'static str, u64)> = Vec::new();
        let mut add = |name: &'static str, size: u64| match bytes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum = sum.saturating_add(size),
            None => bytes.push((name, size)),
        };
        match self {
            Self::Safetensors(files) => {
                for found in files.iter().flat_map(|file| file.arrays()) {
                    let found = found.description();
                    let count = found.shape.iter().fold(1u64, |count, size| count.saturating_mul(*size));
                    add(found.dtype.name(), count);
                }
            }
            Self::Gguf(files) => {
                for tensor in files.iter().flat_map(Gguf::tensors) {
                    if let Ok(kind) = WeightType::from_ggml(tensor.type_id) {
                        add(kind.name(), tensor.shape.iter().product());
                    }
                }
            }
        }
        bytes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
        bytes.into_iter().map(|(name, _)| name).collect()
    }

    fn tensor_names(&self) -> Vec<&str> {
        match self {
            Self::Safetensors(files) => files.iter().flat_map(DataFile::names).collect(),
            Self::Gguf(files) => {
                let tensors = files.iter().flat_map(Gguf::tensors);
                tensors.map(|tensor| tensor.name.as_str()).collect()
            }
        }
    }

    fn has_tensor(&self, name: &str) -> bool {
        match self {
            Self::Safetensors(files) => files.iter().any(|file| file.names().any(|known| known == name)),
            Self::Gguf(files) => files.iter().flat_map(Gguf::tensors).any(|tensor| tensor.name == name),
        }
    }

    /// A tensor's type and shape, after a check that the file has all of it; and its bytes, where they are asked for.
    fn read_tensor(&self, name: &str, read: bool) -> Result<(WeightType, Vec<u64>, Vec<u8>), ModelError> {
        let missing = || ModelError::Missing { file: self.file_label(), tensor: name.to_owned() };
        match self {
            Self::Safetensors(files) => {
                let holds = |file: &&DataFile| file.names().any(|known| known == name);
                let file = files.iter().find(holds).ok_or_else(missing)?;
                let array = file.array(name)?;
                let found = array.description();
                let kind = match found.dtype {
                    DType::Float32 => WeightType::F32,
                    DType::Float16 => WeightType::F16,
                    DType::BFloat16 => WeightType::BF16,
                    found => {
                        let (file, tensor) = (file.name().to_owned(), name.to_owned());
                        return Err(ModelError::DType { file, tensor, found });
                    }
                };
                let bytes = if read { array.read_bytes()? } else { Vec::new() };
                Ok((kind, found.shape, bytes))
            }
            Self::Gguf(files) => {
                let named = |file| Gguf::tensors(file).iter().find(|tensor| tensor.name == name);
                let found = files.iter().find_map(|file| Some((file, named(file)?)));
                let (file, tensor) = found.ok_or_else(missing)?;
                let wrong = |found: String, allowed: String| {
                    ModelError::config(file.name(), format!("type of {name}"), found, allowed)
                };
                let kind = WeightType::from_ggml(tensor.type_id).map_err(|found| wrong(found, WeightType::names()))?;
                let count: u64 = tensor.shape.iter().product();
                let row = tensor.shape.last().copied().unwrap_or(1);
                let whole = row.is_multiple_of(kind.weights_per_block() as u64);
                let needed = usize::try_from(count).ok().and_then(|count| kind.byte_count(count));
                let Some(needed) = needed.filter(|_| whole) else {
                    let allowed = format!("rows of a multiple of {}", kind.weights_per_block());
                    return Err(wrong(format!("{} of rows of {row}", kind.name()), allowed));
                };
                if needed as u64 > file.bytes_to_file_end(tensor) {
                    return Err(crate::io::IoError::Truncated {
                        file: file.name().to_owned(),
                        what: name.to_owned(),
                        at: tensor.offset,
                        needed: needed as u64,
                        held: file.bytes_to_file_end(tensor),
                    }
                    .into());
                }
                let mut bytes = Vec::new();
                if read {
                    bytes = vec![0; needed];
                    file.read_tensor(tensor, &mut bytes)?;
                }
                Ok((kind, tensor.shape.clone(), bytes))
            }
        }
    }
}

/// What takes weights out of files; first without their numbers, to know that all is there and what it takes.
struct WeightLoader<'a> {
    store: &'a TensorStore<'a>,
    of: &'a Architecture,
    names: TensorNames,
    read: bool,
    bytes: u64,
    used: HashSet<String>,
}

impl WeightLoader<'_> {
    fn read_checked(&mut self, name: &str, shape: &[usize]) -> Result<(WeightType, Vec<u8>), ModelError> {
        let (kind, found, bytes) = self.store.read_tensor(name, self.read)?;
        let wanted: Vec<u64> = shape.iter().map(|size| *size as u64).collect();
        if found != wanted {
            return Err(ModelError::Shape {
                file: self.store.file_label(),
                tensor: name.to_owned(),
                found: format_shape(&found),
                allowed: format_shape(&wanted),
            });
        }
        self.used.insert(name.to_owned());
        Ok((kind, bytes))
    }

    /// A matrix, outputs × inputs; or inputs × outputs in the file, where it is `turned`.
    fn read_matrix(&mut self, name: &str, [rows, cols]: [usize; 2], turned: bool) -> Result<Weight, ModelError> {
        let [rows, cols] = if turned { [cols, rows] } else { [rows, cols] };
        let (kind, bytes) = self.read_checked(name, &[rows, cols])?;
        // The shape is the file's, and its bytes have been counted.
        let size = (rows as u64).saturating_mul(kind.byte_count(cols).unwrap_or(0) as u64);
        self.bytes = self.bytes.saturating_add(if turned { 2 * size } else { size });
        let weight = if self.read {
            self.check_finite(name, kind, cols, &bytes)?;
            Weight::new(kind, rows, cols, bytes)
        } else {
            Weight::without_bytes(kind, rows, cols)
        };
        let weight = if turned { weight.and_then(|weight| weight.transposed()) } else { weight };
        weight.ok_or_else(|| ModelError::Missing { file: self.store.file_label(), tensor: name.to_owned() })
    }

    /// Refuses a number that is not finite: where blocks have scales, one of those may not be.
    fn check_finite(&self, name: &str, kind: WeightType, cols: usize, bytes: &[u8]) -> Result<(), ModelError> {
        if matches!(self.store, TensorStore::Safetensors(_)) {
            return Ok(()); // It was checked as it was read.
        }
        let mut block = vec![0.0; kind.weights_per_block()];
        let size = kind.byte_count(block.len()).unwrap_or(1);
        for (index, bytes) in bytes.chunks_exact(size).enumerate() {
            kind.dequantize(bytes, &mut block);
            if let Some(at) = block.iter().position(|value| !value.is_finite()) {
                let at = index * block.len() + at;
                return Err(crate::io::IoError::NonFinite {
                    file: self.store.file_label(),
                    array: name.to_owned(),
                    row: at / cols.max(1),
                    column: at % cols.max(1),
                    value: block[at % block.len()].to_string(),
                    allowed: "finite 32-bit floats",
                }
                .into());
            }
        }
        Ok(())
    }

    fn read_vector(&mut self, name: &str, len: usize) -> Result<Vec<f32>, ModelError> {
        let (kind, bytes) = self.read_checked(name, &[len])?;
        self.bytes = self.bytes.saturating_add(4 * len as u64);
        let mut values = vec![0.0; if self.read { len } else { 0 }];
        if self.read {
            self.check_finite(name, kind, len, &bytes)?;
            kind.dequantize(&bytes, &mut values);
        }
        Ok(values)
    }

    fn read_gain(&mut self, name: &str, width: usize) -> Result<Gain, ModelError> {
        let mut weight = self.read_vector(&format!("{name}.weight"), width)?;
        match self.of.norm {
            Norm::Layer => {
                let bias = Some(self.read_vector(&format!("{name}.bias"), width)?);
                Ok(Gain { weight, bias })
            }
            Norm::Rms { offset } => {
                // A gain of an offset of 0 keeps its sign, −0 among them.
                if offset != 0.0 {
                    weight.iter_mut().for_each(|weight| *weight += offset);
                }
                Ok(Gain { weight, bias: None })
            }
        }
    }

    fn read_linear(&mut self, name: &str, [rows, cols]: [usize; 2], bias: bool) -> Result<Linear, ModelError> {
        let turned = self.names.transposed;
        let weight = self.read_matrix(&format!("{name}.weight"), [rows, cols], turned)?;
        let bias = if bias { Some(self.read_vector(&format!("{name}.bias"), rows)?) } else { None };
        Ok(Linear { weight, bias })
    }

    /// Queries, keys and values, each head by head.
    fn read_qkv(&mut self, layer: &str) -> Result<[Linear; 3], ModelError> {
        let &Architecture { d_model, d_head, heads, kv_heads, qkv_bias, .. } = self.of;
        let counts = [heads, kv_heads, kv_heads];
        let (name, by_head) = match self.names.within.qkv {
            QkvLayout::Separate(names) => {
                let mut part = |at: usize| -> Result<Linear, ModelError> {
                    let name = format!("{layer}{}", names[at]);
                    let linear = self.read_linear(&name, [counts[at] * d_head, d_model], qkv_bias)?;
                    // Row 2i + j of a head is row j·d_head/2 + i here.
                    let paired = self.names.paired && at < 2;
                    let from = |row: usize| {
                        let (head, row) = (row / d_head, row % d_head);
                        head * d_head + row % (d_head / 2) * 2 + row / (d_head / 2)
                    };
                    Ok(if paired { linear.reorder_rows(counts[at] * d_head, from) } else { linear })
                };
                return Ok([part(0)?, part(1)?, part(2)?]);
            }
            QkvLayout::ByPart(name) => (name, false),
            QkvLayout::ByHead(name) => (name, true),
        };
        let width = heads * d_head;
        let all = self.read_linear(&format!("{layer}{name}"), [3 * width, d_model], qkv_bias)?;
        let part = |at: usize| {
            all.reorder_rows(width, |row| {
                if by_head { (row / d_head * 3 + at) * d_head + row % d_head } else { at * width + row }
            })
        };
        Ok([0, 1, 2].map(part))
    }

    fn read_block(&mut self, at: usize) -> Result<Block, ModelError> {
        let &Architecture { d_model, d_head, d_mlp, heads, .. } = self.of;
        let of = self.of;
        let layer = format!("{}{}{at}.", self.names.before, self.names.layer);
        let name = |name: &str| format!("{layer}{name}");
        let within = &self.names.within;
        let LayerNames { ln1, qk_norm, output, ln1_post, ln2, input, linear, mlp, ln2_post, .. } = *within;
        let qkv = self.read_qkv(&layer)?;
        let mut norm = |wanted: bool, of: &str, width: usize| match wanted {
            true => self.read_gain(&name(of), width).map(Some),
            false => Ok(None),
        };
        let [q_norm, k_norm] = qk_norm.map(|of_one| norm(of.qk_norm, of_one, d_head));
        let ln1_post = norm(of.post_norms, ln1_post, d_model)?;
        let ln2_post = norm(of.post_norms, ln2_post, d_model)?;
        Ok(Block {
            ln1: self.read_gain(&name(ln1), d_model)?,
            qkv,
            q_norm: q_norm?,
            k_norm: k_norm?,
            attn_out: self.read_linear(&name(output), [d_model, heads * d_head], of.output_bias)?,
            ln1_post,
            ln2: self.read_gain(&name(ln2), d_model)?,
            mlp_in: self.read_linear(&name(input), [d_mlp, d_model], of.mlp_bias)?,
            mlp_linear: match of.gated {
                true => Some(self.read_linear(&name(linear), [d_mlp, d_model], of.mlp_bias)?),
                false => None,
            },
            mlp_out: self.read_linear(&name(mlp), [d_model, d_mlp], of.mlp_bias)?,
            ln2_post,
        })
    }

    fn read_weights(&mut self) -> Result<Weights, ModelError> {
        let &Architecture { d_model, vocabulary, context, tied, .. } = self.of;
        let before = self.names.before;
        let name = |name: &str| format!("{before}{name}.weight");
        let embed = self.read_matrix(&name(self.names.embed), [vocabulary, d_model], false)?;
        let positions = match self.of.positions {
            PositionEncoding::Learned => {
                Some(self.read_matrix(&name(self.names.positions), [context, d_model], false)?)
            }
            PositionEncoding::Rotary { .. } => None,
        };
        let blocks = (0..self.of.layers).map(|at| self.read_block(at)).collect::<Result<_, _>>()?;
        let ln_final = format!("{before}{}", self.names.ln_final);
        let ln_final = self.read_gain(&ln_final, d_model)?;
        let heads = self.names.unembed.iter().map(|name| format!("{name}.weight"));
        let heads: Vec<String> = heads.collect();
        let unembed = match tied {
            true => None,
            false => {
                let named = heads.iter().find(|name| self.store.has_tensor(name));
                let name = named.unwrap_or(&heads[0]);
                Some(self.read_matrix(name, [vocabulary, d_model], false)?)
            }
        };
        // The configuration says whether they are tied: a head that is there besides is not used.
        self.used.extend(heads);
        Ok(Weights { embed, position_embedding: positions, blocks, ln_final, unembed })
    }

    /// Refuses a tensor that is not used: it would change what the model computes elsewhere.
    fn check_all_used(&self) -> Result<(), ModelError> {
        let other = self.store.tensor_names().into_iter().find(|name| !self.used.contains(*name) && !is_ignored(name));
        match other {
            None => Ok(()),
            Some(name) => {
                let allowed = format!("those of {} layers of the configuration", self.of.layers);
                Err(ModelError::config(self.store.file_label(), "tensors", name, allowed))
            }
        }
    }
}

impl Linear {
    fn reorder_rows(&self, rows: usize, from: impl Fn(usize) -> usize) -> Self {
        let bias = self
            .bias
            .as_ref()
            .map(|bias| (0..if bias.is_empty() { 0 } else { rows }).map(|row| bias[from(row)]).collect());
        Self { weight: self.weight.reorder_rows(rows, from), bias }
    }
}

fn new_loader<'a>(store: &'a TensorStore<'a>, of: &'a Architecture, read: bool) -> WeightLoader<'a> {
    let names = match store {
        TensorStore::Gguf(_) => TensorNames::for_gguf(of.family),
        TensorStore::Safetensors(_) => {
            let prefixes = name_prefixes(of.family);
            let embed = TensorNames::for_hugging_face(of.family, "").embed;
            let held = prefixes
                .iter()
                .find(|before| store.has_tensor(&format!("{before}{embed}.weight")))
                .unwrap_or(&prefixes[0]);
            TensorNames::for_hugging_face(of.family, held)
        }
    };
    WeightLoader { store, of, names, read, bytes: 0, used: HashSet::new() }
}

/// Bytes of memory that the weights take at most, after a check of every name and shape.
///
/// # Errors
/// [`ModelError`].
pub(super) fn weights_memory_bytes(store: &TensorStore<'_>, of: &Architecture) -> Result<u64, ModelError> {
    // Products of sizes that are each within bounds: an address of 32 bits has to hold them.
    let width = of.heads as u64 * of.d_head as u64;
    if width > DIMENSION_MAX {
        let (field, allowed) = ("heads × width of a head", format!("1 to {DIMENSION_MAX}"));
        return Err(ModelError::config(store.file_label(), field, width.to_string(), allowed));
    }
    let mut loader = new_loader(store, of, false);
    loader.read_weights()?;
    if let Some(count) = rotary_factor_count(of) {
        loader.read_vector(gguf::ROTARY_FACTORS_TENSOR, count)?;
    }
    loader.check_all_used()?;
    // Rows of queries and keys in another order, and a tensor on its way.
    let largest = 8 * of.d_model as u64 * (of.d_mlp.max(3 * of.heads * of.d_head)) as u64;
    Ok(loader.bytes.saturating_add(largest))
}

/// How many factors of rotary frequencies are read.
fn rotary_factor_count(of: &Architecture) -> Option<usize> {
    match &of.positions {
        PositionEncoding::Rotary { global, .. } => match &global.scaling {
            RotaryScaling::Factors { factors } => Some(factors.len()),
            _ => None,
        },
        PositionEncoding::Learned => None,
    }
}

/// Reads the weights.
///
/// # Errors
/// [`ModelError`].
pub(super) fn read_decoder(store: &TensorStore<'_>, mut of: Architecture) -> Result<Decoder, ModelError> {
    if let Some(count) = rotary_factor_count(&of) {
        let found = new_loader(store, &of, true).read_vector(gguf::ROTARY_FACTORS_TENSOR, count)?;
        if let Some(bad) = found.iter().find(|factor| **factor <= 0.0) {
            let found = bad.to_string();
            return Err(ModelError::config(store.file_label(), gguf::ROTARY_FACTORS_TENSOR, found, "above 0"));
        }
        if let PositionEncoding::Rotary { global, local, .. } = &mut of.positions {
            for rotary in [global, local] {
                rotary.scaling = RotaryScaling::Factors { factors: found.clone() };
            }
        }
    }
    let weights = new_loader(store, &of, true).read_weights()?;
    Ok(Decoder { architecture: of, weights })
}
