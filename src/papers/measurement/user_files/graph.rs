//! Circuits as MIB and EAP-IG write them: `cfg`, `nodes` and `edges` of one JSON object.

use std::collections::BTreeSet;

use serde::Serialize;

use super::super::metric::{EdgeGraph, GraphEdge, Node, count_kept_edges};
use crate::io::json::{Json, JsonNode};
use crate::order::argsort_descending;
use crate::statistics::StatisticsError;
use crate::study::user_file::UserFileError;

/// Most layers, and most heads of one.
const LAYERS_AND_HEADS_MAX: u64 = 1_024;
/// What says whether a part belongs to a circuit.
const ALLOWED_BOOLEAN: &str = "true or false";

/// An edge as a file has it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OwnEdge {
    /// Which one.
    pub edge: GraphEdge,
    /// Its score; none where the file has none, or NaN, as of what was not scored.
    pub score: Option<f64>,
    /// Whether it belongs to the circuit; none where the file does not say.
    pub in_graph: Option<bool>,
}

/// A circuit of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnGraph {
    /// Layers of its model.
    pub layers: usize,
    /// Heads of each.
    pub heads: usize,
    /// Whether its MLPs run beside their layer's heads.
    pub side_by_side: bool,
    /// Edges that its model has.
    pub total: u64,
    /// Edges of the file, in its order.
    pub edges: Vec<OwnEdge>,
    /// Parts that the file says to belong to the circuit, or not to.
    pub nodes: Vec<(Node, bool)>,
}

impl OwnGraph {
    /// Edges that the file says to belong to the circuit.
    #[must_use]
    pub fn count_in_graph(&self) -> usize {
        self.edges.iter().filter(|edge| edge.in_graph == Some(true)).count()
    }

    /// The edges that a share of all of the model's keeps: those of the largest |score|, of equal ones the first of the
    /// file; what is not scored comes last.
    ///
    /// # Errors
    /// [`StatisticsError::Share`] unless the threshold is from 0 to 1.
    pub fn edges_at_threshold(&self, threshold: f64) -> Result<Vec<GraphEdge>, StatisticsError> {
        let total = usize::try_from(self.total).unwrap_or(usize::MAX);
        let count = count_kept_edges(threshold, total)?;
        let sizes = self.edges.iter().map(|edge| edge.score.map_or(-1.0, f64::abs));
        let order = argsort_descending(sizes).into_iter().take(count);
        Ok(order.filter_map(|at| self.edges.get(at)).map(|edge| edge.edge).collect())
    }

    /// Reads a file.
    pub(super) fn from_json(file: &str, json: &Json) -> Result<Self, UserFileError> {
        let whole = JsonNode::root(file, json);
        let config = whole.get("cfg")?;
        let size = |key: &str| -> Result<usize, UserFileError> {
            let place = config.get(key)?;
            match place.as_count()? {
                size @ 1..=LAYERS_AND_HEADS_MAX => Ok(size as usize),
                _ => Err(place.invalid_value_error("from 1 to 1024").into()),
            }
        };
        let (layers, heads) = (size("n_layers")?, size("n_heads")?);
        let side_by_side = match config.get_optional("parallel_attn_mlp")? {
            Some(place) => place.as_bool(ALLOWED_BOOLEAN)?,
            None => false,
        };
        let graph = match side_by_side {
            true => EdgeGraph::with_parallel_mlps(layers, heads),
            false => EdgeGraph::new(layers, heads),
        };
        let listed = whole.get("edges")?;
        let mut edges = Vec::new();
        let mut seen = BTreeSet::new();
        for (name, value) in listed.as_object("an object of edges by their names")? {
            let place = listed.child(name, value);
            let edge = name.parse::<GraphEdge>().ok().filter(|edge| graph.has_edge(edge));
            let Some(edge) = edge else {
                let allowed =
                    format!("an edge of {layers} layers of {heads} heads, such as input->a0.h0<q> or m0->logits");
                return Err(place.field_error(format!("{name:?}"), &allowed).into());
            };
            if !seen.insert(edge) {
                return Err(place.field_error("there twice".to_owned(), "there once").into());
            }
            let score = place.get_optional("score")?.map(|place| read_score(&place)).transpose()?.flatten();
            let in_graph = place.get_optional("in_graph")?.map(|place| place.as_bool(ALLOWED_BOOLEAN)).transpose()?;
            edges.push(OwnEdge { edge, score, in_graph });
        }
        let told = |edge: &OwnEdge| edge.score.is_some() || edge.in_graph.is_some();
        if !edges.iter().any(told) {
            let allowed = "edges with a score, or with in_graph";
            return Err(listed.field_error(format!("{} edges without", edges.len()), allowed).into());
        }
        let (mut nodes, mut known) = (Vec::new(), BTreeSet::new());
        if let Some(listed) = whole.get_optional("nodes")? {
            for (name, value) in listed.as_object("an object of parts by their names")? {
                let place = listed.child(name, value);
                let node = name.parse::<Node>().ok().filter(|node| match node {
                    Node::Head(layer, head) => *layer < layers && *head < heads,
                    Node::Mlp(layer) => *layer < layers,
                    Node::Input | Node::Logits => true,
                });
                let Some(node) = node else {
                    let allowed = format!("a part of {layers} layers of {heads} heads: input, a0.h0, m0, logits");
                    return Err(place.field_error(format!("{name:?}"), &allowed).into());
                };
                if !known.insert(node) {
                    return Err(place.field_error("there twice".to_owned(), "there once").into());
                }
                if let Some(place) = place.get_optional("in_graph")? {
                    nodes.push((node, place.as_bool(ALLOWED_BOOLEAN)?));
                }
            }
        }
        Ok(Self { layers, heads, side_by_side, total: graph.edge_count(), edges, nodes })
    }
}

fn read_score(place: &JsonNode<'_>) -> Result<Option<f64>, UserFileError> {
    match place.value() {
        Json::Null => Ok(None),
        Json::Number(value) if value.is_nan() => Ok(None),
        Json::Number(value) if value.is_finite() => Ok(Some(*value)),
        _ => Err(place.invalid_value_error("a finite number, or NaN where it was not scored").into()),
    }
}
