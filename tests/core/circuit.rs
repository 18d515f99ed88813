//! Heads and edges of the toy model, cut and scaled: against separate programs in double precision (model/edges.json,
//! model/circuits.json), and against whole passes.

use std::collections::BTreeMap;

use serde_json::Value;
use sfc_bench::model::{
    Batch, EdgeGraph, EdgePatcher, Edit, EditChange, EditTarget, Edits, GraphEdge, HeadAblation, HeadEditRunner,
    HeadMeans, Hook, HookedActivation, Hooks, InputKind, Model, Node, Parameters, Replacement, Site,
};
use sfc_bench::papers::measurement::circuit::{
    CircuitEvaluator, EdgeAblation, EdgeCurve, TaskResult, head_name, measure_edges, measure_task,
};
use sfc_bench::papers::measurement::metric::{DoseResponse, REDUCED_STRENGTH};
use sfc_bench::synthetic::language::{ExerciseLength, Prompts, Task, task_prompts};
use sfc_bench::synthetic::{Head, HeadEdits};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, number, numbers};

/// Of logits of some 10 in single precision.
const APART: f64 = 1e-4;

fn given() {
    give!("ck-12000", "ck-00750");
}

fn parameters() -> Parameters {
    given();
    sfc_bench::toy_model::load_parameters("ck-12000").unwrap()
}

fn few(task: Task, count: usize) -> (Prompts, Batch) {
    let prompts = task_prompts(task, count, 2_000 + task as u32, None, ExerciseLength::Constant);
    let batch = Batch::new(&prompts.tokens).unwrap();
    (prompts, batch)
}

fn difference(logits: &[f32], prompts: &Prompts) -> f64 {
    let rows = logits.chunks_exact(144).zip(prompts.answers.iter().zip(&prompts.foils));
    let each = rows.map(|(row, (answer, foil))| f64::from(row[*answer as usize]) - f64::from(row[*foil as usize]));
    each.sum::<f64>() / prompts.answers.len() as f64
}

#[test]
fn every_edge_costs_what_the_reference_says_cut_and_by_attribution() {
    let parameters = parameters();
    let model = Model::new(&parameters);
    let golden = json(include_str!("../golden/model/edges.json"));
    let mut measured = 0;
    for task in Task::ALL {
        for (kind, wanted) in golden[task.name()].as_object().into_iter().flatten() {
            let (prompts, batch) = few(task, 4);
            let mut next = prompts.tokens.clone();
            next.rotate_left(1);
            let next = Batch::new(&next).unwrap();
            let instead = if kind == "mean" { Replacement::Mean } else { Replacement::OtherPrompts(&next) };
            let patching = EdgePatcher::new(&model, &batch, instead).unwrap();
            let of = |edges: &[GraphEdge]| difference(&patching.logits_without_edges(edges).unwrap(), &prompts);
            let close = |what: &str, found, wanted: &Value| {
                assert_close(&format!("{task}, {kind}, {what}"), found, number(wanted), 0.0, APART);
            };
            close("clean", of(&[]), &wanted["clean"]);
            let rows = wanted["edges"].as_array().unwrap();
            let named: Vec<GraphEdge> = rows.iter().map(|row| row[0].as_str().unwrap().parse().unwrap()).collect();
            let thirds: Vec<GraphEdge> = named.iter().step_by(3).copied().collect();
            close("all", of(&named), &wanted["all"]);
            close("every third", of(&thirds), &wanted["every_third"]);
            let attributions = patching.edge_attributions(&parameters, &prompts.answers, &prompts.foils).unwrap();
            let attributions: BTreeMap<GraphEdge, f64> = patching.graph().edges().zip(attributions).collect();
            assert_eq!(attributions.len(), 262);
            for (edge, row) in named.iter().zip(rows) {
                close(&edge.to_string(), of(&[*edge]), &row[1]);
                close(&format!("{edge} by attribution"), attributions[edge], &row[2]);
                measured += 1;
            }
        }
    }
    assert_eq!(measured, 3 * 262);
}

/// Replaces what all heads' queries read by what it is on average, by hand.
struct MeanQueries {
    layer: usize,
    qkv: Vec<f32>,
}

impl Hooks for MeanQueries {
    fn wants(&self, hook: Hook) -> bool {
        hook == Hook::Block(self.layer, Site::Q)
    }

    fn on_activation(&mut self, _: Hook, seen: &mut HookedActivation<'_>) {
        seen.values.copy_from_slice(&self.qkv);
    }
}

#[test]
fn all_edges_of_receivers_cut_are_their_input_ablated() {
    let parameters = parameters();
    let model = Model::new(&parameters);
    let (_, batch) = few(Task::Recall, 6);
    let patching = EdgePatcher::new(&model, &batch, Replacement::Mean).unwrap();
    // The mean residual stream before the layer, and what queries are of it, in double precision.
    let before = model.residual_after(&batch, 1, &mut ()).unwrap();
    let (positions, width) = (batch.position_count(), 48);
    let mean: Vec<f64> = (0..positions * width)
        .map(|at| {
            let column = before.iter().skip(at).step_by(positions * width);
            column.map(|x| f64::from(*x)).sum::<f64>() / 6.0
        })
        .collect();
    let tensor = |name: &str| -> Vec<f64> { parameters.tensor(name).iter().map(|x| f64::from(*x)).collect() };
    let [weight, bias] = ["blocks.2.ln1.w", "blocks.2.ln1.b"].map(tensor);
    let [queries, constant] = ["blocks.2.attn.W_Q", "blocks.2.attn.b_Q"].map(tensor);
    let mut rows = Vec::new();
    for row in mean.chunks_exact(width) {
        let centre = row.iter().sum::<f64>() / width as f64;
        let spread = row.iter().map(|x| (x - centre) * (x - centre)).sum::<f64>() / width as f64;
        let normal: Vec<f64> = (row.iter().zip(&weight).zip(&bias))
            .map(|((x, w), b)| (x - centre) / (spread + 1e-5).sqrt() * w + b)
            .collect();
        for (at, constant) in constant.iter().enumerate() {
            let (head, col) = (at / 12, at % 12);
            let column = queries[head * width * 12 + col..].iter().step_by(12).take(width);
            rows.push(column.zip(&normal).fold(*constant, |sum, (w, x)| sum + w * x) as f32);
        }
    }
    let mut hooks = MeanQueries { layer: 2, qkv: rows.repeat(6) };
    let wanted = model.last_logits(&batch, &mut hooks).unwrap();
    let all: Vec<GraphEdge> = patching
        .graph()
        .edges()
        .filter(|edge| matches!(edge.to, Node::Head(2, _)) && edge.input == InputKind::Query)
        .collect();
    assert_eq!(all.len(), 4 * 11);
    let found = patching.logits_without_edges(&all).unwrap();
    let clean = model.last_logits(&batch, &mut ()).unwrap();
    assert!(found.iter().zip(&clean).any(|(a, b)| (a - b).abs() > 0.1));
    for (found, wanted) in found.iter().zip(&wanted) {
        assert_close("logit", f64::from(*found), f64::from(*wanted), 0.0, 1e-3);
    }
}

#[test]
fn cutting_nothing_or_what_says_nothing_changes_no_bit() {
    let mut parameters = parameters();
    // Head 1 of layer 0 is made to say nothing.
    let output = parameters.tensor_specs().into_iter().find(|t| t.name == "blocks.0.attn.W_O").unwrap();
    let from = output.range.start + 12 * 48;
    parameters.values_mut()[from..from + 12 * 48].fill(0.0);
    let model = Model::new(&parameters);
    let (_, batch) = few(Task::Mood, 5);
    let clean = model.last_logits(&batch, &mut ()).unwrap();
    let patching = EdgePatcher::new(&model, &batch, Replacement::Mean).unwrap();
    assert_eq!(patching.logits_without_edges(&[]).unwrap(), clean);
    let idle: Vec<GraphEdge> = patching.graph().edges().filter(|edge| edge.from == Node::Head(0, 1)).collect();
    assert_eq!(idle.len(), 3 * 8 + 3 + 1);
    assert_eq!(patching.logits_without_edges(&idle).unwrap(), clean);
    // The same prompts' numbers in every edge are no change either.
    let same = EdgePatcher::new(&model, &batch, Replacement::OtherPrompts(&batch)).unwrap();
    let all: Vec<GraphEdge> = same.graph().edges().collect();
    assert_eq!(same.logits_without_edges(&all).unwrap(), clean);
    let (_, fewer) = few(Task::Mood, 4);
    let error = EdgePatcher::new(&model, &batch, Replacement::OtherPrompts(&fewer)).unwrap_err();
    assert_eq!(error.to_string(), "other prompts = 4; allowed: 5");
}

#[test]
fn all_edges_of_a_head_cut_are_the_head_ablated() {
    given();
    let model = sfc_bench::toy_model::load_model("ck-12000").unwrap();
    let (prompts, batch) = few(Task::Colour, 8);
    let patching = EdgePatcher::new(&model, &batch, Replacement::Mean).unwrap();
    let means = HeadMeans::from_batch(&model, &batch).unwrap();
    for (layer, head) in [(0, 3), (1, 1), (2, 2)] {
        let edges = patching.graph().edges().filter(|edge| edge.from == Node::Head(layer, head));
        let found = difference(&patching.logits_without_edges(&edges.collect::<Vec<_>>()).unwrap(), &prompts);
        let mut ablation = HeadAblation { means: &means, heads: vec![(layer, head)] };
        let wanted = model.last_logits(&batch, &mut ablation).unwrap();
        assert_close("head", found, difference(&wanted, &prompts), 0.0, APART);
    }
}

#[test]
fn heads_with_any_voices_are_those_of_a_whole_pass_in_any_order() {
    given();
    let model = sfc_bench::toy_model::load_model("ck-12000").unwrap();
    let (_, batch) = few(Task::Copy, 7);
    let means = HeadMeans::from_batch(&model, &batch).unwrap();
    let mut runs = HeadEditRunner::new(std::borrow::Cow::Borrowed(&*model), &batch).unwrap();
    // Every 41st of all circuits, there and back: some from what is kept, some anew.
    let masks: Vec<usize> = (0..4096).step_by(41).collect();
    for mask in masks.iter().chain(masks.iter().rev()) {
        let ablated = (0..12).filter(|at| mask >> at & 1 == 1);
        let heads: Vec<Head> = ablated.map(|at| (at / 4, at % 4)).collect();
        let edits = HeadEdits::ablate(&heads);
        let mut ablation = HeadAblation { means: &means, heads };
        let wanted = model.last_logits(&batch, &mut ablation).unwrap();
        assert_eq!(runs.last_logits(&edits).unwrap(), wanted, "{mask:b}");
    }
    // Scaled, in a layer that is computed as a whole and in the last.
    for (head, factor) in [((0, 3), 0.5), ((1, 1), 0.95), ((2, 2), 0.0)] {
        let change = EditChange::Scale(factor as f32);
        let (hook, target) = (Hook::Block(head.0, Site::Z), EditTarget::Head(head.1));
        let edit = Edit { hook, target, change, positions: Vec::new() };
        let mut edits = Edits::new(&*model, vec![edit]).unwrap();
        let wanted = model.last_logits(&batch, &mut edits).unwrap();
        assert_eq!(runs.last_logits(&HeadEdits::scale(&[(head, factor)])).unwrap(), wanted);
    }
    let error = runs.last_logits(&HeadEdits::ablate(&[(1, 4)])).unwrap_err();
    assert_eq!(error.to_string(), "blocks.1.attn.hook_z: head = 4; allowed: 0 to 3");
}

#[test]
fn the_graph_has_as_many_edges_as_its_formula_says() {
    for (layers, heads, count) in [(3, 4, 262), (12, 12, 32_491), (1, 1, 8), (0, 4, 1)] {
        let graph = EdgeGraph::new(layers, heads);
        assert_eq!((graph.edge_count(), graph.edges().count()), (count, count as usize));
        if layers <= 3 {
            for edge in graph.edges() {
                assert!(graph.has_edge(&edge));
                assert_eq!(edge.to_string().parse(), Ok(edge));
                assert!(graph.writer_index(edge.from) < graph.writer_count_before(edge.to));
            }
            for (place, node) in graph.writers().enumerate() {
                assert_eq!(graph.writer_index(node), place);
            }
        }
    }
}

fn golden() -> Value {
    json(include_str!("../golden/model/circuits.json"))
}

fn named(heads: &[Head]) -> Vec<String> {
    heads.iter().copied().map(head_name).collect()
}

fn names(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// What both checkpoints have. Sums of logit differences are as precise as logits; shares of them as their inverse.
fn assert_circuit(what: &str, found: &TaskResult, wanted: &Value) {
    let whole = number(&wanted["ld_mean"]);
    let share = APART / whole.abs();
    assert_close(what, found.ld_mean, whole, 0.0, APART);
    for (head, effect) in &found.head_effect {
        let wanted = number(&wanted["head_effect"][head_name(*head)]);
        assert_close(&format!("{what}, {head:?}"), *effect, wanted, 0.0, APART);
    }
    assert_eq!(named(&found.circuit), names(&wanted["circuit"]), "{what}");
    let close = |name: &str, found: f64, wanted: &Value| {
        assert_close(&format!("{what}, {name}"), found, number(wanted), 0.0, share);
    };
    close("empty", found.empty, &wanted["faith_none"]);
    close("faithfulness", found.faithfulness, &wanted["backward_faith"]);
    close("completeness", found.completeness, &wanted["completeness"]);
    for (curve, key) in [(&found.mib.code, "mib_code"), (&found.mib.ranked, "mib_ranked")] {
        close(key, curve.area.cpr, &wanted[key]["cpr"]);
        for (found, wanted) in curve.faithfulness.iter().zip(numbers(&wanted[key]["faithfulness"])) {
            assert_close(&format!("{what}, {key}"), *found, wanted, 0.0, share);
        }
    }
}

#[test]
fn circuits_and_what_is_said_of_them_are_the_references() {
    given();
    let model = sfc_bench::toy_model::load_model("ck-12000").unwrap();
    for (name, wanted) in golden()["ck-12000"].as_object().unwrap() {
        let task = Task::from_name(name).unwrap();
        let found = measure_task(&model, task, 128).unwrap();
        assert_circuit(name, &found, wanted);
        let share = APART / found.ld_mean;
        for (search, order, curve) in
            [(&found.greedy, "greedy", "greedy_curve"), (&found.by_effect, "attribution_order", "attribution_curve")]
        {
            assert_eq!(named(&search.order), names(&wanted[order]), "{name}");
            for (found, wanted) in search.curve.iter().zip(numbers(&wanted[curve])) {
                assert_close(&format!("{name}, {order}"), *found, wanted, 0.0, share);
            }
        }
        let close = |key: &str, found: f64, wanted: &Value, apart: f64| {
            assert_close(&format!("{name}, {key}"), found, number(wanted), 0.0, apart);
        };
        // Shares of 128 prompts, but for the area: two of 16,384 pairs may be the other way round.
        let ex1 = &wanted["ex1"];
        close("d'", found.ex1.dprime, &ex1["dprime"], 1e-9);
        close("criterion", found.ex1.criterion_c, &ex1["criterion_c"], 1e-9);
        close("AUC", found.ex1.auc, &ex1["auc"], 2.0 / 16_384.0);
        assert_eq!(found.ex1.passed_code_ge, ex1["passed_code_ge"]);
        let ex2 = &wanted["ex2"];
        close("max DIF", found.ex2.max_dif_code, &ex2["max_dif_code"], APART);
        close("max DIF", found.ex2.max_dif_standard, &ex2["max_dif_standard"], APART);
        assert_eq!(found.ex2_mixed.is_some(), name == "ioi");
        if let Some(mixed) = &found.ex2_mixed {
            for pair in &mixed.pairs {
                let key = format!("{}_vs_{}", pair.first, pair.second);
                let wanted = &wanted["ex2_mixed"][&key];
                close(&key, pair.d_code_ddof0, &wanted["d_code_ddof0"], APART);
                close(&key, pair.d_standard_ddof1, &wanted["d_standard_ddof1"], APART);
            }
            assert_eq!(mixed.pairs.len(), 3);
        }
        let ex11 = found.ex11.as_ref().unwrap();
        for (found, key) in [(&ex11.jnd_full, "jnd_full"), (&ex11.jnd_reduced, "jnd_reduced")] {
            let wanted = wanted["ex11"][key].as_array().unwrap();
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(wanted) {
                assert_eq!(found.is_none(), wanted.is_null(), "{name}, {key}");
                if let Some(found) = found {
                    close(key, *found, wanted, 1e-12);
                }
            }
        }
        for (key, found) in [
            ("weber_consistency_code", ex11.weber_consistency_code),
            ("weber_consistency_relative_jnd", ex11.weber_consistency_relative_jnd),
        ] {
            close(key, found, &wanted["ex11"][key], 1e-9);
        }
        for (found, curve, key) in [
            (&found.mib_code_normalised, &found.mib.code, "mib_code"),
            (&found.mib_ranked_normalised, &found.mib.ranked, "mib_ranked"),
        ] {
            let normalised = &wanted[key]["normalised"];
            let area = &found.as_ref().unwrap().area;
            close(key, area.cpr, &normalised["cpr"], 2.0 * share);
            close(key, area.cmd_abs_mib, &normalised["cmd_abs_mib"], 2.0 * share);
            close(key, area.cpr_log_mib, &normalised["cpr_log_mib"], 20.0 * share);
            close(key, curve.area.cmd_signed_document, &wanted[key]["cmd_signed_document"], share);
            assert_eq!(curve.area.passed, wanted[key]["passed"], "{name}, {key}");
        }
    }
}

/// Where there is no skill yet the sum that all is divided by is near 0, and the ratio is noise: it can pass.
#[test]
fn circuits_of_an_early_checkpoint_are_the_references() {
    given();
    let model = sfc_bench::toy_model::load_model("ck-00750").unwrap();
    let golden = golden();
    for (task, passes) in [(Task::Ioi, true), (Task::Recall, true), (Task::Colour, false)] {
        let found = measure_task(&model, task, 128).unwrap();
        let wanted = &golden["ck-00750"][task.name()];
        assert_circuit(task.name(), &found, wanted);
        assert_close(task.name(), found.ex1.dprime, number(&wanted["dprime"]), 0.0, 1e-9);
        assert_eq!(found.mib.code.area.passed, passes);
        assert_eq!(found.ex1.passed_code_ge, task == Task::Ioi);
    }
}

#[test]
fn scaled_heads_do_what_the_reference_says() {
    given();
    let model = sfc_bench::toy_model::load_model("ck-12000").unwrap();
    let wanted = &golden()["ck-12000"]["ioi"];
    let (prompts, _) = few(Task::Ioi, 128);
    let mut circuits = CircuitEvaluator::new(&model, &prompts).unwrap();
    let circuit = [(0, 0), (2, 0), (2, 2)];
    for (level, key, baseline) in
        [(1.0, "curves_full", "baseline"), (REDUCED_STRENGTH, "curves_reduced", "reduced_baseline")]
    {
        let doses = DoseResponse::measure(&circuit, level, |scales| {
            circuits.logit_differences(&HeadEdits::scale(scales)).map(|ld| ld.iter().sum::<f64>() / ld.len() as f64)
        });
        let doses = doses.unwrap();
        assert_close(key, doses.baseline, number(&wanted["ex11"][baseline]), 0.0, APART);
        for (found, wanted) in doses.curves.iter().zip(wanted["ex11"][key].as_array().unwrap()) {
            for (found, wanted) in found.iter().zip(numbers(wanted)) {
                assert_close(key, *found, wanted, 0.0, APART);
            }
        }
    }
}

/// The chains that ablating heads and looking at what they look at had shown, now edge by edge.
#[test]
fn edges_of_a_task_tell_its_mechanism() {
    // Who looks one back tells the next layers through the first layer's neurons; who binds colours tells movers itself.
    let copy = ["input->a0.h3<v>", "a0.h3->m0", "m0->a2.h2<q>", "a2.h2->logits"];
    let colour = ["m0->a1.h1<v>", "a1.h1->a2.h2<k>", "a2.h2->logits"];
    for (task, chain) in [(Task::Copy, &copy[..]), (Task::Colour, &colour)] {
        let mut last = 0.0;
        let found = measure_edges(&parameters(), task, 24, EdgeAblation::Mean, &mut |share| {
            assert!(share > last);
            last = share;
        });
        let found = found.unwrap();
        assert_eq!((found.edges.len(), found.pairs.len()), (262, 48));
        assert_close("told", last, 1.0, 1e-12, 0.0);
        for edge in &found.edges {
            let share = edge.effect.abs() / found.ld_mean;
            if chain.contains(&edge.edge.to_string().as_str()) {
                assert!(share > 0.1, "{task}, {}: {share}", edge.edge);
            }
            // It is idle.
            if edge.edge.from == Node::Head(0, 1) {
                assert!(share < 0.01, "{task}, {}: {share}", edge.edge);
            }
        }
        for curve in [&found.by_effect, &found.by_attribution] {
            assert_eq!((curve.kept[0], curve.kept[9], curve.faithfulness[9]), (1, 262, 1.0));
        }
        assert!(found.by_effect.faithfulness[7] > 0.9, "{:?}", found.by_effect);
        let cpr = |curve: &EdgeCurve| curve.area.as_ref().unwrap().cpr;
        // Attribution knows which edges matter, but not in which order: where one saturates, its slope is small.
        assert!(found.rank_correlation_sizes.unwrap() > 0.85);
        assert!(cpr(&found.by_effect) > cpr(&found.by_attribution) + 0.05);
        if task == Task::Colour {
            let strongest = found.pairs.iter().max_by(|a, b| a.effect.total_cmp(&b.effect));
            let strongest = strongest.unwrap().edge;
            assert_eq!((strongest.sender, strongest.receiver), ((1, 1), (2, 2)));
        }
    }
}
