//! The toy model equals its reference in double precision: hooks, logits, ablations, edits, samples.

use serde_json::Value;
use sfc_bench::NumpyRng;
use sfc_bench::io::DataFile;
use sfc_bench::model::{
    Activation, ActivationCache, AdamW, Batch, Config, EdgePatcher, Edit, EditChange, EditTarget, EditValues, Edits,
    GraphEdge, HeadAblation, HeadMeans, Hook, HookedActivation, Hooks, InputKind, Model, ModelError, Node, Parameters,
    Replacement, Site, Training, TrainingBatch, loss_and_gradient,
};
use sfc_bench::synthetic::language::{
    self, ExerciseLength, LanguageRng, NameGroup, Prompts, START_TOKEN, Task, Text, Token,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{fnv, json, number, numbers};

/// How far `f32` may be from the reference.
const APART: f64 = 1e-4;

fn golden() -> Value {
    json(include_str!("../golden/model/golden.json"))
}

fn opened(bytes: &[u8]) -> DataFile {
    DataFile::open("model.safetensors", Box::new(bytes.to_vec()), 0).expect("a tensor file")
}

fn trained() -> Model {
    let file = opened(include_bytes!("../../assets/little/ck-12000.safetensors"));
    Model::new(&Parameters::open(&file).expect("the toy model"))
}

fn prompts(task: Task, count: usize) -> Prompts {
    let at = Task::ALL.iter().position(|other| *other == task).unwrap() as u32;
    language::task_prompts(task, count, 2_000 + at, None, ExerciseLength::Constant)
}

fn tokens(of: &Value) -> Vec<Token> {
    of.as_array().expect("tokens").iter().map(|token| token.as_u64().unwrap() as Token).collect()
}

#[track_caller]
fn assert_near(what: &str, found: &[f32], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (at, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let apart = (f64::from(*found) - wanted).abs();
        assert!(apart < APART, "{what}, {at}: {found} is not {wanted}");
    }
}

/// Logit of the answer less that of the foil, of each prompt.
fn differences(logits: &[f32], prompts: &Prompts) -> Vec<f64> {
    let rows = logits.chunks_exact(language::VOCABULARY_SIZE);
    let pairs = prompts.answers.iter().zip(&prompts.foils);
    rows.zip(pairs).map(|(row, (a, f))| f64::from(row[*a as usize] - row[*f as usize])).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn accuracy(logits: &[f32], prompts: &Prompts) -> f64 {
    let right = logits.chunks_exact(language::VOCABULARY_SIZE).zip(&prompts.answers).filter(|(row, answer)| {
        let best = row.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
        best == **answer as usize
    });
    right.count() as f64 / prompts.answers.len() as f64
}

#[test]
fn every_hook_is_within_a_ten_thousandth_of_double_precision() {
    let model = trained();
    let file = opened(include_bytes!("../golden/model/hooks.safetensors"));
    let read = |name: &str| file.array(name).unwrap().read_all().unwrap();
    let mut seen = 0;
    for task in ["ioi", "sum"] {
        let tokens: Vec<Token> = read(&format!("{task}.tokens")).into_iter().map(|token| token as Token).collect();
        let batch = Batch::new(&[tokens]).unwrap();
        let prefix = format!("{task}.");
        let names: Vec<&str> = file
            .arrays()
            .iter()
            .filter_map(|array| array.name().strip_prefix(&prefix))
            .filter(|name| !["tokens", "logits"].contains(name))
            .collect();
        let hooks: Vec<Hook> = names.iter().map(|name| name.parse().expect(name)).collect();
        let mut taken = ActivationCache::for_hooks(&hooks);
        let logits = model.logits(&batch, &mut taken).unwrap();
        for (name, hook) in names.iter().zip(&hooks) {
            let wanted: Vec<f64> = read(&format!("{task}.{name}")).into_iter().map(f64::from).collect();
            assert_near(&format!("{task}: {name}"), taken.get(*hook), &wanted);
            assert_eq!(hook.to_string(), **name);
            seen += 1;
        }
        let wanted: Vec<f64> = read(&format!("{task}.logits")).into_iter().map(f64::from).collect();
        assert_near(task, &logits, &wanted);
        // Hooks that are come by change nothing.
        assert_eq!(model.logits(&batch, &mut ()).unwrap(), logits);
    }
    assert!(seen >= 2 * (3 * 8 + 2), "{seen} hooks");
}

#[test]
fn logits_and_the_likeliest_tokens_are_the_references() {
    let model = trained();
    for case in golden()["forward"].as_array().unwrap() {
        let batch = Batch::new(&[tokens(&case["tokens"])]).unwrap();
        let last = model.last_logits(&batch, &mut ()).unwrap();
        assert_near("logits", &last, &numbers(&case["logits_last"]));
        let all = model.logits(&batch, &mut ()).unwrap();
        assert_eq!(all[all.len() - language::VOCABULARY_SIZE..], last);
        let best: Vec<Value> = all
            .chunks_exact(language::VOCABULARY_SIZE)
            .map(|row| {
                let best = row.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
                Value::from(best)
            })
            .collect();
        assert_eq!(Value::from(best), case["argmax_all"]);
    }
}

#[test]
fn accuracies_of_every_checkpoint_and_task_are_the_references() {
    let golden = golden();
    let checkpoints: [(&str, &[u8]); 3] = [
        ("ck-00750", include_bytes!("../../assets/little/ck-00750.safetensors")),
        ("ck-12000", include_bytes!("../../assets/little/ck-12000.safetensors")),
        ("ft-contaminated-00600", include_bytes!("../../assets/little/ft-contaminated-00600.safetensors")),
    ];
    for (name, bytes) in checkpoints {
        let model = Model::new(&Parameters::open(&opened(bytes)).unwrap());
        for task in Task::ALL {
            let prompts = prompts(task, 128);
            let logits = model.last_logits(&Batch::new(&prompts.tokens).unwrap(), &mut ()).unwrap();
            let wanted = numbers(&golden["accuracy"][name][task.name()]);
            assert_eq!(accuracy(&logits, &prompts), wanted[0], "{name} {task}");
            let found = mean(&differences(&logits, &prompts));
            assert!((found - wanted[1]).abs() < APART, "{name} {task}: {found}, {}", wanted[1]);
        }
    }
}

#[test]
fn ablated_heads_cost_what_the_reference_says_from_any_layer_on() {
    let model = trained();
    let golden = golden();
    for task in Task::ALL {
        let prompts = prompts(task, 128);
        let batch = Batch::new(&prompts.tokens).unwrap();
        let means = HeadMeans::from_batch(&model, &batch).unwrap();
        let trace = model.trace(&batch).unwrap();
        let clean = mean(&differences(&model.last_logits(&batch, &mut ()).unwrap(), &prompts));
        for (layer, head) in (0..3).flat_map(|layer| (0..4).map(move |head| (layer, head))) {
            let mut hooks = HeadAblation { means: &means, heads: vec![(layer, head)] };
            let logits = model.resume(&trace, layer, &mut hooks).unwrap();
            let name = format!("{layer}.{head}");
            let wanted = &golden["tasks_final"][task.name()];
            let effect = clean - mean(&differences(&logits, &prompts));
            let wanted_effect = number(&wanted["head_effect"][&name]);
            assert!((effect - wanted_effect).abs() < APART, "{task} {name}: {effect}, {wanted_effect}");
            assert_eq!(accuracy(&logits, &prompts), number(&wanted["head_accuracy"][&name]));
            if task == Task::Sum {
                // The same bits, had the layers before been computed again.
                assert_eq!(model.last_logits(&batch, &mut hooks).unwrap(), logits);
            }
        }
    }
}

#[test]
fn ablated_edges_cost_what_the_reference_says() {
    let model = trained();
    let golden = golden();
    let edges = &golden["edges"];
    let prompts = prompts(Task::Ioi, 32);
    let batch = Batch::new(&prompts.tokens).unwrap();
    let patching = EdgePatcher::new(&model, &batch, Replacement::Mean).unwrap();
    let end = |end: &Value| Node::Head(end[0].as_u64().unwrap() as usize, end[1].as_u64().unwrap() as usize);
    let found = |edges: &[GraphEdge]| mean(&differences(&patching.logits_without_edges(edges).unwrap(), &prompts));
    assert!((found(&[]) - number(&edges["clean"])).abs() < APART);
    let mut all = Vec::new();
    for edge in edges["ablated"].as_array().unwrap() {
        // Queries, keys and values of the receiver together.
        let (from, to) = (end(&edge[0]), end(&edge[1]));
        let one = [InputKind::Query, InputKind::Key, InputKind::Value];
        let one = one.map(|input| GraphEdge { from, to, input });
        all.extend(one);
        let (found, wanted) = (found(&one), number(&edge[2]));
        assert!((found - wanted).abs() < APART, "{one:?}: {found}, {wanted}");
    }
    assert_eq!(all.len(), 3 * 48);
    assert!((found(&all) - number(&edges["all"])).abs() < APART);
}

#[test]
fn directions_neurons_positions_and_patterns_are_changed_as_in_the_reference() {
    let model = trained();
    let golden = golden();
    let batch = Batch::new(&prompts(Task::Ioi, 8).tokens).unwrap();
    let direction: Vec<f64> = (0..48).map(|at| libm::sin(f64::from(at) + 1.0)).collect();
    let single: Vec<f32> = direction.iter().map(|x| *x as f32).collect();
    let tenth = direction.iter().map(|x| (0.1 * x) as f32).collect();
    let block = Hook::Block;
    let all = Vec::new;
    let cases = [
        (
            "direction",
            Edit {
                hook: block(1, Site::ResidPost),
                target: EditTarget::Direction(single),
                change: EditChange::Scale(0.0),
                positions: all(),
            },
        ),
        (
            "neuron",
            Edit {
                hook: block(0, Site::MlpPost),
                target: EditTarget::Unit(5),
                change: EditChange::Replace(EditValues::Everywhere(vec![2.0])),
                positions: all(),
            },
        ),
        (
            "add",
            Edit {
                hook: block(2, Site::ResidPre),
                target: EditTarget::All,
                change: EditChange::Add(EditValues::Everywhere(tenth)),
                positions: vec![3],
            },
        ),
        (
            "pattern",
            Edit {
                hook: block(1, Site::Pattern),
                target: EditTarget::Head(1),
                change: EditChange::Scale(0.5),
                positions: all(),
            },
        ),
    ];
    for (name, edit) in cases {
        let mut edits = Edits::new(&model, vec![edit]).unwrap();
        let found = model.last_logits(&batch, &mut edits).unwrap();
        let wanted: Vec<f64> = golden["edits"][name].as_array().unwrap().iter().flat_map(numbers).collect();
        assert_near(name, &found, &wanted);
        assert_ne!(found, model.last_logits(&batch, &mut ()).unwrap(), "{name}");
    }
}

/// Means as values by position are what [`HeadAblation`] does.
#[test]
fn an_edit_by_position_is_an_ablation() {
    let model = trained();
    let batch = Batch::new(&prompts(Task::Mood, 16).tokens).unwrap();
    let means = HeadMeans::from_batch(&model, &batch).unwrap();
    let values = (0..batch.position_count()).flat_map(|at| means.get(0, 2, at)).copied().collect();
    let edit = Edit {
        hook: Hook::Block(0, Site::Z),
        target: EditTarget::Head(2),
        change: EditChange::Replace(EditValues::ByPosition(values)),
        positions: Vec::new(),
    };
    let mut edits = Edits::new(&model, vec![edit]).unwrap();
    let mut ablation = HeadAblation { means: &means, heads: vec![(0, 2)] };
    assert_eq!(model.last_logits(&batch, &mut edits).unwrap(), model.last_logits(&batch, &mut ablation).unwrap());
}

#[test]
fn samples_of_a_seed_are_the_references() {
    let model = trained();
    let golden = golden();
    let case = &golden["sample"];
    let rows: Vec<Vec<Token>> = case["prompt"].as_array().unwrap().iter().map(tokens).collect();
    let wanted: Vec<Vec<Token>> = case["tokens"].as_array().unwrap().iter().map(tokens).collect();
    let mut draws = LanguageRng::new(case["seed"].as_u64().unwrap() as u32);
    let count = case["n"].as_u64().unwrap() as usize;
    let batch = Batch::new(&rows).unwrap();
    assert_eq!(model.sample_continuations(&batch, count, START_TOKEN, &mut draws, &mut ()).unwrap(), wanted);
}

/// Continuations with what is remembered of earlier positions are those computed anew each time.
#[test]
fn a_greedy_continuation_is_the_likeliest_token_again_and_again() {
    let model = trained();
    let rows = language::draw_texts(9, 6).into_iter().map(|text| text[..8].to_vec());
    let rows: Vec<Vec<Token>> = rows.collect();
    let batch = Batch::new(&rows).unwrap();
    let found = model.continue_greedily(&batch, 10, START_TOKEN, &mut ()).unwrap();
    let mut wanted = rows;
    for _ in 0..10 {
        let logits = model.last_logits(&Batch::new(&wanted).unwrap(), &mut ()).unwrap();
        for (row, logits) in wanted.iter_mut().zip(logits.chunks_exact(language::VOCABULARY_SIZE)) {
            let best = (1..logits.len()).fold(1, |best, at| if logits[at] > logits[best] { at } else { best });
            row.push(best as Token);
        }
    }
    assert_eq!(found, wanted);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let model = trained();
    let none: [Vec<Token>; 0] = [];
    assert!(matches!(Batch::new(&none), Err(ModelError::Size { field: "prompts", .. })));
    assert!(matches!(Batch::new(&[vec![0; 0]]), Err(ModelError::Size { .. })));
    let ragged = Batch::new(&[vec![0, 1], vec![0]]).unwrap_err();
    assert_eq!(ragged.to_string(), "prompt 1 has 1 tokens; the first has 2, and all of a batch must have as many");
    let long = Batch::new(&[vec![0; 33]]).unwrap();
    let error = model.last_logits(&long, &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "positions = 33; allowed: 1 to 32");
    let unknown = Batch::new(&[vec![0, 1], vec![0, 144]]).unwrap();
    let error = model.last_logits(&unknown, &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "prompt 1, position 1: token 144; allowed: 0 to 143");
    let short = Batch::new(&[vec![0; 30]]).unwrap();
    assert!(model.continue_greedily(&short, 3, START_TOKEN, &mut ()).is_err());
    assert!(model.residual_after(&short, 3, &mut ()).is_err());
    assert!(model.resume(&model.trace(&short).unwrap(), 3, &mut ()).is_err());
    let edit = |hook, target, change| {
        Edits::new(&model, vec![Edit { hook, target, change, positions: Vec::new() }]).unwrap_err().to_string()
    };
    let half = || EditChange::Scale(0.5);
    assert_eq!(
        edit(Hook::Block(3, Site::Z), EditTarget::All, half()),
        "blocks.3.attn.hook_z: layer = 3; allowed: 0 to 2"
    );
    assert_eq!(
        edit(Hook::Block(0, Site::Z), EditTarget::Head(4), half()),
        "blocks.0.attn.hook_z: head = 4; allowed: 0 to 3"
    );
    assert_eq!(edit(Hook::Embed, EditTarget::Head(0), half()), "hook_embed: head = 0; allowed: none");
    assert_eq!(
        edit(Hook::Block(0, Site::MlpPost), EditTarget::Unit(192), half()),
        "blocks.0.mlp.hook_post: unit = 192; allowed: 0 to 191"
    );
    let values = EditChange::Add(EditValues::Everywhere(vec![1.0; 3]));
    assert_eq!(
        edit(Hook::LnFinal, EditTarget::All, values),
        "ln_final.hook_normalized: values = 3; allowed: 48 a position"
    );
    let patching = EdgePatcher::new(&model, &short, Replacement::Mean).unwrap();
    let error = patching.logits_without_edges(&["a1.h0->a1.h1<q>".parse().unwrap()]).unwrap_err();
    assert_eq!(error.code(), "model.edge");
    assert!("blocks.0.hook_nothing".parse::<Hook>().unwrap_err().contains("hook_resid_pre"));
}

#[test]
fn tensors_that_do_not_fit_one_another_are_refused() {
    let whole = include_bytes!("../../assets/little/ck-12000.safetensors");
    let length = u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&whole[8..8 + length]).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(header.contains(from), "{from}");
        let mut header = header.replacen(from, to, 1);
        header.truncate(header.trim_end().len());
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(&whole[8 + length..]);
        Parameters::open(&opened(&bytes)).unwrap_err().to_string()
    };
    let missing = changed("\"blocks.1.mlp.b_in\"", "\"blocks.1.mlp.b_inn\"");
    assert_eq!(missing, "model.safetensors: no tensor blocks.1.mlp.b_in");
    let shape = changed("[48,192]", "[192,48]");
    assert!(shape.contains("blocks.0.mlp") || shape.contains("blocks.0"), "{shape}");
    let mut bytes = whole.to_vec();
    let end = bytes.len();
    bytes[end - 2..].copy_from_slice(&[0x00, 0x7c]);
    let infinite = Parameters::open(&opened(&bytes)).unwrap_err().to_string();
    assert!(infinite.contains("inf; allowed: finite"), "{infinite}");
}

/// Counts calls, and looks at the shapes.
#[derive(Default)]
struct Everything(Vec<(Hook, usize)>);

impl Hooks for Everything {
    fn wants(&self, _: Hook) -> bool {
        true
    }

    fn on_activation(&mut self, hook: Hook, seen: &mut HookedActivation<'_>) {
        assert_eq!(seen.values.len(), seen.prompts * seen.positions * seen.heads * seen.width);
        self.0.push((hook, seen.width));
    }
}

#[test]
fn hooks_come_by_in_order_and_the_bits_are_everywhere_the_same() {
    let model = trained();
    let prompts = language::task_prompts(Task::Recall, 12, 7, Some(NameGroup::Rare), ExerciseLength::Constant);
    let batch = Batch::new(&prompts.tokens).unwrap();
    let mut all = Everything::default();
    let logits = model.logits(&batch, &mut all).unwrap();
    assert_eq!(all.0.len(), 2 + 3 * Site::MODEL_SITES.len() + 1);
    assert_eq!(model.logits(&batch, &mut ()).unwrap(), logits);
    // As this code has it natively; in a browser the bits must be the same.
    let digest = fnv(logits.iter().flat_map(|logit| logit.to_le_bytes()));
    assert_eq!(format!("{digest:016x}"), "a1acb016020cd410");
}

fn lesson(draws: &mut LanguageRng, texts: usize) -> TrainingBatch {
    let texts: Vec<Text> = (0..texts).map(|_| Text::draw(draws)).collect();
    TrainingBatch::new(&texts, 8.0).unwrap()
}

fn untrained() -> Parameters {
    Parameters::open(&opened(include_bytes!("../../assets/little/ck-00000.safetensors"))).unwrap()
}

#[test]
fn gradients_of_the_first_batch_are_those_of_automatic_differentiation() {
    let parameters = untrained();
    let (loss, found) = loss_and_gradient(&parameters, &lesson(&mut LanguageRng::new(1), 64)).unwrap();
    let golden = golden();
    let wanted = number(&golden["training"]["losses"][0]);
    assert!((loss - wanted).abs() < 1e-5, "{loss}, {wanted}");
    let length = |values: &[f32]| -> f64 { values.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt() };
    let whole = number(&golden["training"]["first_gradient_norm"]);
    assert!((length(&found) / whole - 1.0).abs() < 1e-4, "{}, {whole}", length(&found));
    let file = opened(include_bytes!("../golden/model/training_gradients.safetensors"));
    let mut compared = 0;
    for tensor in parameters.tensor_specs() {
        let wanted = file.array(&tensor.name).unwrap().read_all().unwrap();
        let found = &found[tensor.range];
        let apart: Vec<f32> = found.iter().zip(&wanted).map(|(a, b)| a - b).collect();
        // Small ones are held against the whole: keys' biases have no effect, and a gradient of rounding.
        let against = length(&wanted).max(1e-3 * whole);
        compared += usize::from(length(&wanted) > 1e-3 * whole);
        let apart = length(&apart) / against;
        assert!(apart < 1e-4, "{}: {apart:e}", tensor.name);
    }
    assert!(compared > 40, "{compared} tensors");
}

#[test]
fn forty_steps_of_training_lose_what_the_reference_loses() {
    let mut draws = LanguageRng::new(1);
    let mut training = Training::new(untrained(), AdamW::default());
    let golden = golden();
    let losses = numbers(&golden["training"]["losses"]);
    // In a browser without optimisation a part of them.
    let steps = if cfg!(target_arch = "wasm32") { 8 } else { losses.len() };
    for (step, wanted) in losses[..steps].iter().enumerate() {
        let rate = 4e-3 * (step as f64 / 100.0).min(1.0);
        let loss = training.step(&lesson(&mut draws, 64), rate).unwrap();
        let apart = (loss - wanted).abs();
        assert!(apart < if step < 20 { 1e-3 } else { 1e-2 }, "step {step}: {loss}, {wanted}");
    }
}

/// Along random directions, for both activation functions, and tied and untied.
#[test]
fn gradients_are_slopes() {
    for (activation, tied) in [(Activation::Relu, false), (Activation::GeluTanh, false), (Activation::GeluTanh, true)] {
        let config = Config {
            layers: 2,
            heads: 2,
            d_model: 6,
            d_head: 3,
            d_mlp: 10,
            context: 31,
            activation,
            tied,
            ..Config::TOY_MODEL
        };
        let mut rng = NumpyRng::new(3);
        let mut parameters = Parameters::zeros(config);
        parameters.values_mut().iter_mut().for_each(|x| *x = 0.4 * rng.standard_normal() as f32);
        let lesson = lesson(&mut LanguageRng::new(5), 4);
        let (_, found) = loss_and_gradient(&parameters, &lesson).unwrap();
        for _ in 0..4 {
            let direction: Vec<f64> =
                (0..found.len()).map(|_| rng.standard_normal() / f64::sqrt(found.len() as f64)).collect();
            let moved = |by: f64| {
                let mut moved = parameters.clone();
                for (value, d) in moved.values_mut().iter_mut().zip(&direction) {
                    *value += (by * d) as f32;
                }
                loss_and_gradient(&moved, &lesson).unwrap().0
            };
            let slope: f64 = found.iter().zip(&direction).map(|(g, d)| f64::from(*g) * d).sum();
            let measured = (moved(0.02) - moved(-0.02)) / 0.04;
            // Single precision leaves some 1e-7 of the loss, and the step's cube is of that order.
            assert!(
                (slope - measured).abs() < 2e-3 * (1.0 + slope.abs()),
                "{activation:?} {tied}: {slope}, {measured}"
            );
        }
    }
}

#[test]
fn lessons_that_cannot_be_are_refused() {
    assert!(matches!(TrainingBatch::new(&[], 8.0), Err(ModelError::Size { .. })));
    let text = |tokens: &[Token]| Text { tokens: tokens.to_vec(), answer_positions: Vec::new() };
    assert!(TrainingBatch::new(&[text(&[1, 2]), text(&[1])], 8.0).is_err());
    let unknown = TrainingBatch::new(&[text(&[1, 200])], 1.0).unwrap();
    let error = loss_and_gradient(&untrained(), &unknown).unwrap_err().to_string();
    assert_eq!(error, "prompt 0, position 0: token 200; allowed: 0 to 143");
    let long = TrainingBatch::new(&[text(&[1; 34])], 1.0).unwrap();
    assert!(loss_and_gradient(&untrained(), &long).is_err());
}
