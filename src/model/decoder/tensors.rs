//! Weights by their names in Hugging Face's folders and in GGUF files.

use std::collections::HashSet;

use super::architecture::{Architecture, Family, Norm, Positions, RotaryScaling};
use super::gguf;
use super::pass::{Block, Decoder, Gain, Linear, Weights};
use super::weight::{Weight, WeightType};
use crate::io::{DType, DataFile, Gguf};
use crate::model::ModelError;
use crate::model::load::shown;
use crate::model::reading::SIZE_MAX;

/// Files that hold tensors.
pub(super) enum Store<'a> {
    /// Tensor files, of which each tensor is in one.
    Safetensors(&'a [DataFile]),
    /// GGUF files, of which each tensor is in one.
    Gguf(&'a [Gguf]),
}

/// How queries, keys and values stand in a file.
#[derive(Clone, Copy)]
enum Qkv {
    /// In matrices of their own.
    Apart([&'static str; 3]),
    /// In the rows of one: all queries, all keys, all values.
    ByPart(&'static str),
    /// In the rows of one: queries, keys and values of the first head, then those of the next.
    ByHead(&'static str),
}

/// Names of a layer's tensors behind that of the layer, without `.weight` and `.bias`.
struct LayerNames {
    ln1: &'static str,
    qkv: Qkv,
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
struct Names {
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

const SPLIT: Qkv = Qkv::Apart(["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"]);

impl Names {
    fn hugging_face(family: Family, before: &'static str) -> Self {
        let within = LayerNames {
            ln1: "input_layernorm",
            qkv: SPLIT,
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
                    qkv: Qkv::ByPart("attn.c_attn"),
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
                    qkv: Qkv::ByHead("attention.query_key_value"),
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

    fn gguf(family: Family) -> Self {
        let neox = family == Family::GptNeox;
        Self {
            before: "",
            embed: "token_embd",
            positions: "",
            layer: "blk.",
            within: LayerNames {
                ln1: "attn_norm",
                qkv: if neox {
                    Qkv::ByPart("attn_qkv")
                } else {
                    Qkv::Apart(["attn_q", "attn_k", "attn_v"])
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
fn prefixes(family: Family) -> &'static [&'static str] {
    match family {
        Family::Gpt2 => &["transformer.", ""],
        Family::GptNeox => &["gpt_neox.", ""],
        Family::Gemma3 => &["model.", "", "language_model.model.", "model.language_model."],
        _ => &["model.", ""],
    }
}

/// Tensors that are left alone: angles and masks that follow from the configuration, and the parts of a model that
/// reads pictures.
fn is_spare(name: &str) -> bool {
    const ENDS: [&str; 5] = [
        ".rotary_emb.inv_freq",
        ".attention.bias",
        ".attention.masked_bias",
        ".attn.bias",
        ".attn.masked_bias",
    ];
    const BEGINS: [&str; 4] = [
        "vision_tower.",
        "model.vision_tower.",
        "multi_modal_projector.",
        "model.multi_modal_projector.",
    ];
    ENDS.iter().any(|end| name.ends_with(end)) || BEGINS.iter().any(|begin| name.starts_with(begin))
}

impl Store<'_> {
    fn file(&self) -> String {
        match self {
            Self::Safetensors(files) => {
                files.first().map_or_else(String::new, |file| file.name().to_owned())
            }
            Self::Gguf(files) => {
                files.first().map_or_else(String::new, |file| file.name().to_owned())
            }
        }
    }

    /// Names of the types of weights, those of most bytes first.
    pub fn types(&self) -> Vec<&'static str> {
        let mut bytes: Vec<(&'static str, u64)> = Vec::new();
        let mut add = |name: &'static str, size: u64| match bytes
            .iter_mut()
            .find(|(known, _)| *known == name)
        {
            Some((_, sum)) => *sum = sum.saturating_add(size),
            None => bytes.push((name, size)),
        };
        match self {
            Self::Safetensors(files) => {
                for found in files.iter().flat_map(|file| file.arrays()) {
                    let found = found.description();
                    let count =
                        found.shape.iter().fold(1u64, |count, size| count.saturating_mul(*size));
                    add(found.dtype.name(), count);
                }
            }
            Self::Gguf(files) => {
                for tensor in files.iter().flat_map(Gguf::tensors) {
                    if let Ok(kind) = WeightType::of(tensor.kind) {
                        add(kind.name(), tensor.shape.iter().product());
                    }
                }
            }
        }
        bytes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
        bytes.into_iter().map(|(name, _)| name).collect()
    }

    fn names(&self) -> Vec<&str> {
        match self {
            Self::Safetensors(files) => files.iter().flat_map(DataFile::names).collect(),
            Self::Gguf(files) => {
                let tensors = files.iter().flat_map(Gguf::tensors);
                tensors.map(|tensor| tensor.name.as_str()).collect()
            }
        }
    }

    fn has(&self, name: &str) -> bool {
        match self {
            Self::Safetensors(files) => {
                files.iter().any(|file| file.names().any(|known| known == name))
            }
            Self::Gguf(files) => {
                files.iter().flat_map(Gguf::tensors).any(|tensor| tensor.name == name)
            }
        }
    }

    /// A tensor's type and shape, after a check that the file has all of it; and its bytes, where they are asked for.
    fn tensor(
        &self,
        name: &str,
        read: bool,
    ) -> Result<(WeightType, Vec<u64>, Vec<u8>), ModelError> {
        let missing = || ModelError::Missing { file: self.file(), tensor: name.to_owned() };
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
                let kind = WeightType::of(tensor.kind)
                    .map_err(|found| wrong(found, WeightType::names()))?;
                let count: u64 = tensor.shape.iter().product();
                let row = tensor.shape.last().copied().unwrap_or(1);
                let whole = row.is_multiple_of(kind.block() as u64);
                let needed = usize::try_from(count).ok().and_then(|count| kind.bytes(count));
                let Some(needed) = needed.filter(|_| whole) else {
                    let allowed = format!("rows of a multiple of {}", kind.block());
                    return Err(wrong(format!("{} of rows of {row}", kind.name()), allowed));
                };
                if needed as u64 > file.held(tensor) {
                    return Err(crate::io::IoError::Truncated {
                        file: file.name().to_owned(),
                        what: name.to_owned(),
                        at: tensor.at,
                        needed: needed as u64,
                        held: file.held(tensor),
                    }
                    .into());
                }
                let mut bytes = Vec::new();
                if read {
                    bytes = vec![0; needed];
                    file.read(tensor, &mut bytes)?;
                }
                Ok((kind, tensor.shape.clone(), bytes))
            }
        }
    }
}

/// What takes weights out of files; first without their numbers, to know that all is there and what it takes.
struct Loader<'a> {
    store: &'a Store<'a>,
    of: &'a Architecture,
    names: Names,
    read: bool,
    bytes: u64,
    used: HashSet<String>,
}

impl Loader<'_> {
    fn take(&mut self, name: &str, shape: &[usize]) -> Result<(WeightType, Vec<u8>), ModelError> {
        let (kind, found, bytes) = self.store.tensor(name, self.read)?;
        let wanted: Vec<u64> = shape.iter().map(|size| *size as u64).collect();
        if found != wanted {
            return Err(ModelError::Shape {
                file: self.store.file(),
                tensor: name.to_owned(),
                found: shown(&found),
                allowed: shown(&wanted),
            });
        }
        self.used.insert(name.to_owned());
        Ok((kind, bytes))
    }

    /// A matrix, outputs × inputs; or inputs × outputs in the file, where it is `turned`.
    fn matrix(
        &mut self,
        name: &str,
        [rows, cols]: [usize; 2],
        turned: bool,
    ) -> Result<Weight, ModelError> {
        let [rows, cols] = if turned { [cols, rows] } else { [rows, cols] };
        let (kind, bytes) = self.take(name, &[rows, cols])?;
        // The shape is the file's, and its bytes have been counted.
        let size = (rows as u64).saturating_mul(kind.bytes(cols).unwrap_or(0) as u64);
        self.bytes = self.bytes.saturating_add(if turned { 2 * size } else { size });
        let weight = if self.read {
            self.finite(name, kind, cols, &bytes)?;
            Weight::new(kind, rows, cols, bytes)
        } else {
            Weight::planned(kind, rows, cols)
        };
        let weight = if turned { weight.and_then(|weight| weight.transposed()) } else { weight };
        weight
            .ok_or_else(|| ModelError::Missing { file: self.store.file(), tensor: name.to_owned() })
    }

    /// Refuses a number that is not finite: where blocks have scales, one of those may not be.
    fn finite(
        &self,
        name: &str,
        kind: WeightType,
        cols: usize,
        bytes: &[u8],
    ) -> Result<(), ModelError> {
        if matches!(self.store, Store::Safetensors(_)) {
            return Ok(()); // It was checked as it was read.
        }
        let mut block = vec![0.0; kind.block()];
        let size = kind.bytes(block.len()).unwrap_or(1);
        for (index, bytes) in bytes.chunks_exact(size).enumerate() {
            kind.widen(bytes, &mut block);
            if let Some(at) = block.iter().position(|value| !value.is_finite()) {
                let at = index * block.len() + at;
                return Err(crate::io::IoError::NonFinite {
                    file: self.store.file(),
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

    fn vector(&mut self, name: &str, len: usize) -> Result<Vec<f32>, ModelError> {
        let (kind, bytes) = self.take(name, &[len])?;
        self.bytes = self.bytes.saturating_add(4 * len as u64);
        let mut values = vec![0.0; if self.read { len } else { 0 }];
        if self.read {
            self.finite(name, kind, len, &bytes)?;
            kind.widen(&bytes, &mut values);
        }
        Ok(values)
    }

    fn gain(&mut self, name: &str, width: usize) -> Result<Gain, ModelError> {
        let mut weight = self.vector(&format!("{name}.weight"), width)?;
        match self.of.norm {
            Norm::Layer => {
                let bias = Some(self.vector(&format!("{name}.bias"), width)?);
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

    fn linear(
        &mut self,
        name: &str,
        [rows, cols]: [usize; 2],
        bias: bool,
    ) -> Result<Linear, ModelError> {
        let turned = self.names.transposed;
        let weight = self.matrix(&format!("{name}.weight"), [rows, cols], turned)?;
        let bias = if bias { Some(self.vector(&format!("{name}.bias"), rows)?) } else { None };
        Ok(Linear { weight, bias })
    }

    /// Queries, keys and values, each head by head.
    fn qkv(&mut self, layer: &str) -> Result<[Linear; 3], ModelError> {
        let &Architecture { d_model, d_head, heads, kv_heads, qkv_bias, .. } = self.of;
        let counts = [heads, kv_heads, kv_heads];
        let (name, by_head) = match self.names.within.qkv {
            Qkv::Apart(names) => {
                let mut part = |at: usize| -> Result<Linear, ModelError> {
                    let name = format!("{layer}{}", names[at]);
                    let linear = self.linear(&name, [counts[at] * d_head, d_model], qkv_bias)?;
                    // Row 2i + j of a head is row j·d_head/2 + i here.
                    let paired = self.names.paired && at < 2;
                    let from = |row: usize| {
                        let (head, row) = (row / d_head, row % d_head);
                        head * d_head + row % (d_head / 2) * 2 + row / (d_head / 2)
                    };
                    Ok(if paired { linear.reordered(counts[at] * d_head, from) } else { linear })
                };
                return Ok([part(0)?, part(1)?, part(2)?]);
            }
            Qkv::ByPart(name) => (name, false),
            Qkv::ByHead(name) => (name, true),
        };
        let width = heads * d_head;
        let all = self.linear(&format!("{layer}{name}"), [3 * width, d_model], qkv_bias)?;
        let part = |at: usize| {
            all.reordered(width, |row| {
                if by_head {
                    (row / d_head * 3 + at) * d_head + row % d_head
                } else {
                    at * width + row
                }
            })
        };
        Ok([0, 1, 2].map(part))
    }

    fn block(&mut self, at: usize) -> Result<Block, ModelError> {
        let &Architecture { d_model, d_head, d_mlp, heads, .. } = self.of;
        let of = self.of;
        let layer = format!("{}{}{at}.", self.names.before, self.names.layer);
        let name = |name: &str| format!("{layer}{name}");
        let within = &self.names.within;
        let LayerNames {
            ln1, qk_norm, output, ln1_post, ln2, input, linear, mlp, ln2_post, ..
        } = *within;
        let qkv = self.qkv(&layer)?;
        let mut norm = |wanted: bool, of: &str, width: usize| match wanted {
            true => self.gain(&name(of), width).map(Some),
            false => Ok(None),
        };
        let [q_norm, k_norm] = qk_norm.map(|of_one| norm(of.qk_norm, of_one, d_head));
        let ln1_post = norm(of.post_norms, ln1_post, d_model)?;
        let ln2_post = norm(of.post_norms, ln2_post, d_model)?;
        Ok(Block {
            ln1: self.gain(&name(ln1), d_model)?,
            qkv,
            q_norm: q_norm?,
            k_norm: k_norm?,
            output: self.linear(&name(output), [d_model, heads * d_head], of.output_bias)?,
            ln1_post,
            ln2: self.gain(&name(ln2), d_model)?,
            input: self.linear(&name(input), [d_mlp, d_model], of.mlp_bias)?,
            linear: match of.gated {
                true => Some(self.linear(&name(linear), [d_mlp, d_model], of.mlp_bias)?),
                false => None,
            },
            mlp: self.linear(&name(mlp), [d_model, d_mlp], of.mlp_bias)?,
            ln2_post,
        })
    }

    fn weights(&mut self) -> Result<Weights, ModelError> {
        let &Architecture { d_model, vocabulary, context, tied, .. } = self.of;
        let before = self.names.before;
        let name = |name: &str| format!("{before}{name}.weight");
        let embed = self.matrix(&name(self.names.embed), [vocabulary, d_model], false)?;
        let positions = match self.of.positions {
            Positions::Learned => {
                Some(self.matrix(&name(self.names.positions), [context, d_model], false)?)
            }
            Positions::Rotary { .. } => None,
        };
        let blocks = (0..self.of.layers).map(|at| self.block(at)).collect::<Result<_, _>>()?;
        let ln_final = format!("{before}{}", self.names.ln_final);
        let ln_final = self.gain(&ln_final, d_model)?;
        let heads = self.names.unembed.iter().map(|name| format!("{name}.weight"));
        let heads: Vec<String> = heads.collect();
        let unembed = match tied {
            true => None,
            false => {
                let named = heads.iter().find(|name| self.store.has(name));
                let name = named.unwrap_or(&heads[0]);
                Some(self.matrix(name, [vocabulary, d_model], false)?)
            }
        };
        // The configuration says whether they are tied: a head that is there besides is not used.
        self.used.extend(heads);
        Ok(Weights { embed, positions, blocks, ln_final, unembed })
    }

    /// Refuses a tensor that is not used: it would change what the model computes elsewhere.
    fn check_used(&self) -> Result<(), ModelError> {
        let other = self
            .store
            .names()
            .into_iter()
            .find(|name| !self.used.contains(*name) && !is_spare(name));
        match other {
            None => Ok(()),
            Some(name) => {
                let allowed = format!("those of {} layers of the configuration", self.of.layers);
                Err(ModelError::config(self.store.file(), "tensors", name, allowed))
            }
        }
    }
}

impl Linear {
    fn reordered(&self, rows: usize, from: impl Fn(usize) -> usize) -> Self {
        let bias = self.bias.as_ref().map(|bias| {
            (0..if bias.is_empty() { 0 } else { rows }).map(|row| bias[from(row)]).collect()
        });
        Self { weight: self.weight.reordered(rows, from), bias }
    }
}

fn loader<'a>(store: &'a Store<'a>, of: &'a Architecture, read: bool) -> Loader<'a> {
    let names = match store {
        Store::Gguf(_) => Names::gguf(of.family),
        Store::Safetensors(_) => {
            let prefixes = prefixes(of.family);
            let embed = Names::hugging_face(of.family, "").embed;
            let held = prefixes
                .iter()
                .find(|before| store.has(&format!("{before}{embed}.weight")))
                .unwrap_or(&prefixes[0]);
            Names::hugging_face(of.family, held)
        }
    };
    Loader { store, of, names, read, bytes: 0, used: HashSet::new() }
}

/// Bytes of memory that the weights take at most, after a check of every name and shape.
///
/// # Errors
/// [`ModelError`].
pub(super) fn plan(store: &Store<'_>, of: &Architecture) -> Result<u64, ModelError> {
    // Products of sizes that are each within bounds: an address of 32 bits has to hold them.
    let width = of.heads as u64 * of.d_head as u64;
    if width > SIZE_MAX {
        let (field, allowed) = ("heads × width of a head", format!("1 to {SIZE_MAX}"));
        return Err(ModelError::config(store.file(), field, width.to_string(), allowed));
    }
    let mut loader = loader(store, of, false);
    loader.weights()?;
    if let Some(count) = factors(of) {
        loader.vector(gguf::FACTORS, count)?;
    }
    loader.check_used()?;
    // Rows of queries and keys in another order, and a tensor on its way.
    let largest = 8 * of.d_model as u64 * (of.d_mlp.max(3 * of.heads * of.d_head)) as u64;
    Ok(loader.bytes.saturating_add(largest))
}

/// How many factors of rotary frequencies are read.
fn factors(of: &Architecture) -> Option<usize> {
    match &of.positions {
        Positions::Rotary { global, .. } => match &global.scaling {
            RotaryScaling::Factors { factors } => Some(factors.len()),
            _ => None,
        },
        Positions::Learned => None,
    }
}

/// Reads the weights.
///
/// # Errors
/// [`ModelError`].
pub(super) fn read(store: &Store<'_>, mut of: Architecture) -> Result<Decoder, ModelError> {
    if let Some(count) = factors(&of) {
        let found = loader(store, &of, true).vector(gguf::FACTORS, count)?;
        if let Some(bad) = found.iter().find(|factor| **factor <= 0.0) {
            let found = bad.to_string();
            return Err(ModelError::config(store.file(), gguf::FACTORS, found, "above 0"));
        }
        if let Positions::Rotary { global, local, .. } = &mut of.positions {
            for rotary in [global, local] {
                rotary.scaling = RotaryScaling::Factors { factors: found.clone() };
            }
        }
    }
    let weights = loader(store, &of, true).weights()?;
    Ok(Decoder { architecture: of, weights })
}
