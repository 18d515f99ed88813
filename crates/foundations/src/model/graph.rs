//! The graph of a transformer in which MIB counts edges: what each part writes, and every later part that reads it.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// A part of a transformer that writes into the residual stream, or the logits, which only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Node {
    /// The embedding.
    Input,
    /// A head, by layer and number.
    Head(usize, usize),
    /// A layer's MLP.
    Mlp(usize),
    /// What reads the whole stream at the end.
    Logits,
}

/// What of a head reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputKind {
    /// Its queries.
    Query,
    /// Its keys.
    Key,
    /// Its values.
    Value,
    /// The part has one input.
    Whole,
}

/// A part that writes and an input that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct GraphEdge {
    /// What writes.
    pub from: Node,
    /// What reads.
    pub to: Node,
    /// With which of its inputs.
    pub input: InputKind,
}

/// A transformer's graph: the embedding, heads with an input each for queries, keys and values, MLPs, the logits.
///
/// # Formula
/// A layer's heads read what the embedding and all earlier layers write, three inputs each; its MLP reads the same
/// and, unless both run side by side, the layer's heads; the logits read everything. With L layers of H heads that is
/// Σₗ (3H·(1 + l(H + 1)) + 1 + l(H + 1) + H) + 1 + L(H + 1), without the last H in the sum where they run side by
/// side.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::model::EdgeGraph;
/// assert_eq!(EdgeGraph::new(3, 4).edge_count(), 262);
/// assert_eq!(EdgeGraph::new(12, 12).edge_count(), 32_491);
/// assert_eq!(EdgeGraph::new(3, 4).edges().count(), 262);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeGraph {
    layers: usize,
    heads: usize,
    side_by_side: bool,
}

impl EdgeGraph {
    /// That of a model whose MLPs read their layer's heads, as GPT-2's do.
    #[must_use]
    pub const fn new(layers: usize, heads: usize) -> Self {
        Self { layers, heads, side_by_side: false }
    }

    /// That of a model whose MLPs run beside their layer's heads, as those of Pythia do.
    #[must_use]
    pub const fn with_parallel_mlps(layers: usize, heads: usize) -> Self {
        Self { layers, heads, side_by_side: true }
    }

    /// How many edges it has; the largest number there is for graphs beyond it.
    #[must_use]
    pub fn edge_count(&self) -> u64 {
        let [layers, heads] = [self.layers, self.heads].map(|size| size as u64);
        let written = |layer: u64| layer.saturating_mul(heads.saturating_add(1)).saturating_add(1);
        // Σ written(l) over layers: L + (H + 1)·L(L − 1)/2.
        let pairs = u128::from(layers) * u128::from(layers.saturating_sub(1)) / 2;
        let before = pairs.saturating_mul(u128::from(heads) + 1).saturating_add(u128::from(layers));
        let own = if self.side_by_side { 0 } else { u128::from(layers) * u128::from(heads) };
        let all = before
            .saturating_mul(3 * u128::from(heads) + 1)
            .saturating_add(own)
            .saturating_add(u128::from(written(layers)));
        u64::try_from(all).unwrap_or(u64::MAX)
    }

    /// What writes, in the order in which it does.
    pub fn writers(&self) -> impl Iterator<Item = Node> + use<> {
        let heads = self.heads;
        let layers = (0..self.layers)
            .flat_map(move |layer| (0..heads).map(move |head| Node::Head(layer, head)).chain([Node::Mlp(layer)]));
        std::iter::once(Node::Input).chain(layers)
    }

    /// How many parts write before a part reads: the first of [`Self::writers`].
    #[must_use]
    pub fn writer_count_before(&self, node: Node) -> usize {
        let layers = |count: usize| count.saturating_mul(self.heads.saturating_add(1)).saturating_add(1);
        match node {
            Node::Input => 0,
            Node::Head(layer, _) => layers(layer),
            Node::Mlp(layer) if self.side_by_side => layers(layer),
            Node::Mlp(layer) => layers(layer).saturating_add(self.heads),
            Node::Logits => layers(self.layers),
        }
    }

    /// All edges, by what reads and then by what writes.
    pub fn edges(self) -> impl Iterator<Item = GraphEdge> {
        let readers = self.writers().chain([Node::Logits]);
        let inputs = readers.flat_map(|to| {
            let inputs: &[InputKind] = match to {
                Node::Head(..) => &[InputKind::Query, InputKind::Key, InputKind::Value],
                Node::Input | Node::Mlp(_) | Node::Logits => &[InputKind::Whole],
            };
            inputs.iter().map(move |input| (to, *input))
        });
        inputs.flat_map(move |(to, input)| {
            let from = self.writers().take(self.writer_count_before(to));
            from.map(move |from| GraphEdge { from, to, input })
        })
    }

    /// Where a part stands among [`Self::writers`].
    #[must_use]
    pub fn writer_index(&self, node: Node) -> usize {
        match node {
            Node::Head(_, head) => self.writer_count_before(node).saturating_add(head),
            Node::Mlp(layer) => self.writer_count_before(Node::Head(layer, 0)).saturating_add(self.heads),
            Node::Input | Node::Logits => self.writer_count_before(node),
        }
    }

    /// Whether it has an edge.
    #[must_use]
    pub fn has_edge(&self, edge: &GraphEdge) -> bool {
        let (layers, heads) = (self.layers, self.heads);
        let there = |node: Node| match node {
            Node::Head(layer, head) => layer < layers && head < heads,
            Node::Mlp(layer) => layer < layers,
            Node::Input | Node::Logits => true,
        };
        // Stages of writing: the embedding, then each layer's heads and its MLP.
        let heads_of = |layer: usize| layer.saturating_mul(2).saturating_add(1);
        let written = match edge.from {
            Node::Logits => return false,
            Node::Input => 0,
            Node::Head(layer, _) => heads_of(layer),
            Node::Mlp(layer) => heads_of(layer).saturating_add(1),
        };
        let earlier = match edge.to {
            Node::Input => false,
            Node::Head(layer, _) => written < heads_of(layer),
            Node::Mlp(layer) if self.side_by_side => written < heads_of(layer),
            Node::Mlp(layer) => written <= heads_of(layer),
            Node::Logits => true,
        };
        let input = matches!(edge.to, Node::Head(..)) == (edge.input != InputKind::Whole);
        there(edge.from) && there(edge.to) && input && earlier
    }
}

/// As MIB's files name it: `input`, `a0.h1`, `m2`, `logits`.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input => f.write_str("input"),
            Self::Head(layer, head) => write!(f, "a{layer}.h{head}"),
            Self::Mlp(layer) => write!(f, "m{layer}"),
            Self::Logits => f.write_str("logits"),
        }
    }
}

/// As MIB's files name it: `input->a0.h1<q>`, `a0.h1->m2`.
impl fmt::Display for GraphEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}->{}", self.from, self.to)?;
        f.write_str(match self.input {
            InputKind::Query => "<q>",
            InputKind::Key => "<k>",
            InputKind::Value => "<v>",
            InputKind::Whole => "",
        })
    }
}

/// A name that no part and no edge of a graph has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such part; allowed: input, a<layer>.h<head>, m<layer>, logits, and two of them with -> between them")]
pub struct UnknownNameError;

/// A number as Python prints it: digits without a sign, and no 0 before others.
fn parse_number(text: &str) -> Result<usize, UnknownNameError> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    // So that no sum of places can be too large.
    let small = text.parse::<u16>().map(usize::from);
    small.ok().filter(|_| plain).ok_or(UnknownNameError)
}

impl FromStr for Node {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, UnknownNameError> {
        match name {
            "input" => return Ok(Self::Input),
            "logits" => return Ok(Self::Logits),
            _ => {}
        }
        if let Some(layer) = name.strip_prefix('m') {
            return Ok(Self::Mlp(parse_number(layer)?));
        }
        let (layer, head) = name.strip_prefix('a').and_then(|rest| rest.split_once(".h")).ok_or(UnknownNameError)?;
        Ok(Self::Head(parse_number(layer)?, parse_number(head)?))
    }
}

impl FromStr for GraphEdge {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, UnknownNameError> {
        let (from, to) = name.split_once("->").ok_or(UnknownNameError)?;
        let inputs = [("<q>", InputKind::Query), ("<k>", InputKind::Key), ("<v>", InputKind::Value)];
        let named = inputs.into_iter().find_map(|(end, input)| Some((to.strip_suffix(end)?, input)));
        let (to, input) = named.unwrap_or((to, InputKind::Whole));
        Ok(Self { from: from.parse()?, to: to.parse()?, input })
    }
}

/// A part and which of its inputs.
pub(super) type NodeInput = (Node, InputKind);

/// What of a head reads, in the order in which a layer has it.
pub(super) const HEAD_INPUTS: [InputKind; 3] = [InputKind::Query, InputKind::Key, InputKind::Value];
