use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::batch::last_position_rows;
use super::forward::Linear;
use super::graph::{EdgeGraph, GraphEdge, HEAD_INPUTS, InputKind, Node, NodeInput};
use super::incremental::{add_in_place, attend};
use super::train::logit_difference_gradients;
use super::{Batch, Config, Model, ModelError, Parameters};
use crate::synthetic::language::Token;

/// What goes through a cut edge instead of what its sender writes.
#[derive(Clone, Copy, Debug)]
pub enum Replacement<'a> {
    /// The mean of what the sender writes over the same prompts, position by position: mean ablation.
    Mean,
    /// What the sender writes in other prompts, as many and as long: prompt by prompt, a counterfactual.
    OtherPrompts(&'a Batch),
}

/// A pass over prompts, so kept that any edges can be cut and only what comes after them is computed again.
///
/// A receiver at a cut edge reads the residual stream with other numbers in the sender's place; everybody else reads
/// it as it is. What comes out is the same, bit by bit, as in a whole pass.
#[derive(Clone, Debug)]
pub struct EdgePatcher<'a> {
    model: &'a Model,
    batch: &'a Batch,
    graph: EdgeGraph,
    pass: CachedPass,
    /// What each sender writes beyond what goes through a cut edge, prompts × positions × d_model.
    beyond: Vec<Vec<f32>>,
    /// Of each layer what makes queries of one head, keys, values: in the order of a layer's receivers.
    parts: Vec<Vec<Linear>>,
    /// Of each layer what one head writes, of what it found.
    outputs: Vec<Vec<Linear>>,
}

/// What a pass leaves behind.
#[derive(Clone, Debug)]
struct CachedPass {
    layers: Vec<LayerCache>,
    /// The residual stream in the end.
    after: Vec<f32>,
    /// What each sender writes, without what a layer's heads add together.
    written: Vec<Vec<f32>>,
}

/// What a layer computes.
#[derive(Clone, Debug)]
struct LayerCache {
    before: Vec<f32>,
    qkv: Vec<f32>,
    z: Vec<f32>,
    middle: Vec<f32>,
}

/// One head's numbers of rows in which all heads lie side by side.
fn head_columns(rows: &[f32], wide: usize, from: usize, width: usize) -> Vec<f32> {
    rows.chunks_exact(wide).flat_map(|row| &row[from..from + width]).copied().collect()
}

impl CachedPass {
    fn run(model: &Model, outputs: &[Vec<Linear>], batch: &Batch) -> Result<Self, ModelError> {
        let Config { heads, d_head, d_model, activation, .. } = *model.config();
        let shape = (batch.prompt_count(), batch.position_count());
        let mut x = model.embed_batch(batch)?;
        let mut written = vec![x.clone()];
        let mut layers = Vec::with_capacity(model.layers.len());
        for (layer, outputs) in model.layers.iter().zip(outputs) {
            let qkv = layer.compute_qkv(&x);
            let z = attend(model.config(), heads, &qkv, shape, false);
            for (head, output) in outputs.iter().enumerate() {
                let mut out = Vec::new();
                output.apply(&head_columns(&z, heads * d_head, head * d_head, d_head), &mut out);
                written.push(out);
            }
            let middle = layer.add_attention(x.clone(), &z);
            let added = layer.compute_neurons(&middle, d_model, activation);
            let mut after = middle.clone();
            add_in_place(&mut after, &added);
            written.push(added);
            layers.push(LayerCache { before: std::mem::replace(&mut x, after), qkv, z, middle });
        }
        Ok(Self { layers, after: x, written })
    }
}

/// A pass in which edges are cut, as far as it differs from the kept one.
#[derive(Default)]
struct PatchedRun {
    /// Of each receiver, the places of the senders that it does not hear.
    cut: BTreeMap<NodeInput, BTreeSet<usize>>,
    /// The residual stream, where it is another. In the last layer, from attention on, of last positions alone.
    x: Option<Vec<f32>>,
    /// What senders that are cut somewhere write now less what they wrote.
    moved: BTreeMap<usize, Vec<f32>>,
}

impl PatchedRun {
    fn has_cut_sender(&self, sender: usize) -> bool {
        self.cut.values().any(|senders| senders.contains(&sender))
    }
}

impl<'a> EdgePatcher<'a> {
    /// Passes over prompts once, or twice where other prompts' numbers go through cut edges.
    ///
    /// # Errors
    /// As [`Model::logits`]; [`ModelError::Size`] for other prompts that are not as many or not as long.
    pub fn new(model: &'a Model, batch: &'a Batch, instead: Replacement<'_>) -> Result<Self, ModelError> {
        let Config { heads, d_head, .. } = *model.config();
        let outputs: Vec<Vec<Linear>> = model
            .layers
            .iter()
            .map(|layer| {
                let each = (0..heads).map(|head| head * d_head..(head + 1) * d_head);
                each.map(|rows| layer.attn_out.select_inputs(rows)).collect()
            })
            .collect();
        let parts = model.layers.iter().map(|layer| {
            let each = (0..3 * heads).map(|block| block * d_head..(block + 1) * d_head);
            each.map(|columns| layer.qkv.select_outputs(columns)).collect()
        });
        let parts = parts.collect();
        let pass = CachedPass::run(model, &outputs, batch)?;
        let beyond = match instead {
            Replacement::Mean => {
                let size = batch.position_count() * model.config().d_model;
                pass.written.iter().map(|written| subtract_prompt_mean(written, size)).collect()
            }
            Replacement::OtherPrompts(other) => {
                for (field, found, needed) in [
                    ("other prompts", other.prompt_count(), batch.prompt_count()),
                    ("positions of other prompts", other.position_count(), batch.position_count()),
                ] {
                    if found != needed {
                        return Err(ModelError::size(field, found, needed.to_string()));
                    }
                }
                let other = CachedPass::run(model, &outputs, other)?;
                let each = pass.written.iter().zip(&other.written);
                each.map(|(own, other)| own.iter().zip(other).map(|(a, b)| a - b).collect()).collect()
            }
        };
        let Config { layers, heads, .. } = *model.config();
        let graph = EdgeGraph::new(layers, heads);
        Ok(Self { model, batch, graph, pass, beyond, parts, outputs })
    }

    /// The graph whose edges can be cut.
    #[must_use]
    pub fn graph(&self) -> EdgeGraph {
        self.graph
    }

    /// The logits after the last position with these edges cut: prompts × vocabulary. What a cut edge's sender says to
    /// others is what it says in this pass, not in the kept one.
    ///
    /// # Errors
    /// [`ModelError::Edge`] for one that there is not.
    pub fn logits_without_edges(&self, edges: &[GraphEdge]) -> Result<Vec<f32>, ModelError> {
        let mut run = PatchedRun::default();
        for edge in edges {
            if !self.graph.has_edge(edge) {
                return Err(ModelError::Edge { found: edge.to_string() });
            }
            run.cut.entry((edge.to, edge.input)).or_default().insert(self.graph.writer_index(edge.from));
        }
        for layer in 0..self.pass.layers.len() {
            self.run_layer(&mut run, layer);
        }
        let x = run.x.as_deref().map_or_else(
            || Cow::Owned(last_position_rows(&self.pass.after, self.batch.position_count(), self.d_model())),
            Cow::Borrowed,
        );
        let read = self.receiver_input(&run, (Node::Logits, InputKind::Whole), &x);
        Ok(self.model.logits_of_residual(read.as_deref().unwrap_or(&x)))
    }

    fn d_model(&self) -> usize {
        self.model.config().d_model
    }

    /// What a receiver reads of a residual stream; nothing where it hears everybody.
    fn receiver_input(&self, run: &PatchedRun, reader: NodeInput, x: &[f32]) -> Option<Vec<f32>> {
        let senders = run.cut.get(&reader)?;
        let mut read = x.to_vec();
        for sender in senders {
            for less in std::iter::once(&self.beyond[*sender]).chain(run.moved.get(sender)) {
                let less = if less.len() == read.len() {
                    Cow::Borrowed(less.as_slice())
                } else {
                    Cow::Owned(last_position_rows(less, self.batch.position_count(), self.d_model()))
                };
                read.iter_mut().zip(&*less).for_each(|(x, less)| *x -= less);
            }
        }
        Some(read)
    }

    /// Notes what a sender writes now, where somebody later does not hear it.
    fn record_write(&self, run: &mut PatchedRun, writer: Node, now: impl FnOnce() -> Vec<f32>) {
        let place = self.graph.writer_index(writer);
        if !run.has_cut_sender(place) {
            return;
        }
        let (mut now, then) = (now(), &self.pass.written[place]);
        if now.len() == then.len() {
            now.iter_mut().zip(then).for_each(|(now, then)| *now -= then);
        } else {
            let then = last_position_rows(then, self.batch.position_count(), self.d_model());
            now.iter_mut().zip(&then).for_each(|(now, then)| *now -= then);
        }
        run.moved.insert(place, now);
    }

    fn run_layer(&self, run: &mut PatchedRun, at: usize) {
        let (positions, width) = (self.batch.position_count(), self.d_model());
        let Config { heads, d_head, activation, .. } = *self.model.config();
        let (layer, kept) = (&self.model.layers[at], &self.pass.layers[at]);
        let last = at + 1 == self.pass.layers.len();
        let of = |rows: &[f32]| {
            if last { last_position_rows(rows, positions, width) } else { rows.to_vec() }
        };
        let mut middle = None;
        if let Some(z) = self.run_attention(run, at, last) {
            middle = Some(layer.add_attention(of(run.x.as_deref().unwrap_or(&kept.before)), &z));
            for head in 0..heads {
                self.record_write(run, Node::Head(at, head), || {
                    let mut now = Vec::new();
                    let own = head_columns(&z, heads * d_head, head * d_head, d_head);
                    self.outputs[at][head].apply(&own, &mut now);
                    now
                });
            }
        }
        if middle.is_none() && !run.cut.contains_key(&(Node::Mlp(at), InputKind::Whole)) {
            return;
        }
        let mut x = middle.unwrap_or_else(|| of(&kept.middle));
        let read = self.receiver_input(run, (Node::Mlp(at), InputKind::Whole), &x);
        let added = layer.compute_neurons(read.as_deref().unwrap_or(&x), width, activation);
        add_in_place(&mut x, &added);
        self.record_write(run, Node::Mlp(at), || added);
        run.x = Some(x);
    }

    /// What all heads of a layer find, of the last layer's last positions; nothing where it is what they found.
    fn run_attention(&self, run: &PatchedRun, at: usize, last: bool) -> Option<Vec<f32>> {
        let config = self.model.config();
        let Config { heads: all, d_head, .. } = *config;
        let (layer, kept) = (&self.model.layers[at], &self.pass.layers[at]);
        let x = run.x.as_deref().unwrap_or(&kept.before);
        let mut changed: Vec<(usize, usize, Vec<f32>)> = Vec::new();
        for head in 0..all {
            for (part, input) in HEAD_INPUTS.into_iter().enumerate() {
                if let Some(read) = self.receiver_input(run, (Node::Head(at, head), input), x) {
                    changed.push((head, part, read));
                }
            }
        }
        let heads: Vec<usize> = if run.x.is_some() {
            (0..all).collect()
        } else {
            let mut heads: Vec<usize> = changed.iter().map(|(head, ..)| *head).collect();
            heads.dedup();
            heads
        };
        if heads.is_empty() {
            return None;
        }
        let wide = 3 * heads.len() * d_head;
        let mut qkv = if run.x.is_some() {
            layer.compute_qkv(x)
        } else if heads.len() == all {
            kept.qkv.clone()
        } else {
            let rows = kept.qkv.chunks_exact(3 * all * d_head);
            let blocks = |row: &'_ [f32]| -> Vec<f32> {
                let each = (0..3).flat_map(|part| heads.iter().map(move |head| part * all + head));
                each.flat_map(|block| &row[block * d_head..][..d_head]).copied().collect()
            };
            rows.flat_map(blocks).collect()
        };
        for (head, part, read) in changed {
            let (mut normal, mut own) = (Vec::new(), Vec::new());
            layer.ln1.apply(&read, &mut normal);
            self.parts[at][part * all + head].apply(&normal, &mut own);
            let place = heads.iter().position(|other| *other == head).unwrap_or_default();
            let from = (part * heads.len() + place) * d_head;
            let rows = qkv.chunks_exact_mut(wide).zip(own.chunks_exact(d_head));
            rows.for_each(|(row, own)| row[from..from + d_head].copy_from_slice(own));
        }
        let (prompts, positions) = (self.batch.prompt_count(), self.batch.position_count());
        let found = attend(config, heads.len(), &qkv, (prompts, positions), last);
        if heads.len() == all {
            return Some(found);
        }
        let mut z = if last { last_position_rows(&kept.z, positions, all * d_head) } else { kept.z.clone() };
        let rows = z.chunks_exact_mut(all * d_head).zip(found.chunks_exact(heads.len() * d_head));
        for (row, found) in rows {
            for (head, found) in heads.iter().zip(found.chunks_exact(d_head)) {
                row[head * d_head..][..d_head].copy_from_slice(found);
            }
        }
        Some(z)
    }

    /// Attribution patching of every edge, in the order of [`EdgeGraph::edges`]: by how much the mean logit of `right` less
    /// that of `wrong` would drop with the edge cut, if it were linear in what the receiver reads.
    ///
    /// # Formula
    /// Σ over prompts and positions of ∂m/∂x_r · (w − w′): m the mean logit difference, x_r what the receiver alone
    /// reads, w what the sender writes, w′ what goes through a cut edge (Syed et al., arXiv:2310.10348). All edges by
    /// one way back.
    ///
    /// # Errors
    /// [`ModelError::Size`] for words that are not one a prompt, or weights of other sizes than the model's;
    /// [`ModelError::Token`] for a word that the model does not know.
    pub fn edge_attributions(
        &self,
        parameters: &Parameters,
        right: &[Token],
        wrong: &[Token],
    ) -> Result<Vec<f64>, ModelError> {
        let mut by_edge = BTreeMap::new();
        logit_difference_gradients(parameters, self.batch, (right, wrong), &mut |(node, input), slope| {
            let before = self.beyond.iter().take(self.graph.writer_count_before(node));
            let along = before.map(|beyond| {
                let each = beyond.iter().zip(slope);
                each.map(|(w, d)| f64::from(*w) * f64::from(*d)).sum::<f64>()
            });
            along.enumerate().for_each(|(place, along)| {
                by_edge.insert((node, input, place), along);
            });
        })?;
        let of = |edge: GraphEdge| {
            by_edge.remove(&(edge.to, edge.input, self.graph.writer_index(edge.from))).unwrap_or_default()
        };
        Ok(self.graph.edges().map(of).collect())
    }
}

/// Numbers less their mean over prompts, `size` of each.
fn subtract_prompt_mean(written: &[f32], size: usize) -> Vec<f32> {
    let mut sums = vec![0.0; size];
    let mut count = 0.0;
    for prompt in written.chunks_exact(size.max(1)) {
        sums.iter_mut().zip(prompt).for_each(|(sum, w)| *sum += f64::from(*w));
        count += 1.0;
    }
    let means: Vec<f32> = sums.iter().map(|sum| (sum / count) as f32).collect();
    written.iter().zip(means.iter().cycle()).map(|(w, mean)| w - mean).collect()
}
