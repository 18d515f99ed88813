//! A language model on one thread and on several: what comes of it is the same, bit for bit.

use std::rc::Rc;

use rayon::ThreadPoolBuilder;
use safetensors::{Dtype, tensor::TensorView};
use serde_json::json;
use sfc_bench::NumpyRng;
use sfc_bench::io::{DataFile, ReadAt};
use sfc_bench::lab::language_model::{CorpusActivations, MetricRequest, MetricRun};
use sfc_bench::model::{Batch, LanguageModel, ModelFiles};
use sfc_bench::sae::latents::SAMPLE_TEXT;
use sfc_bench::sae::{Autoencoder, SaeFolder};
use sfc_bench::study::Failure;
use sfc_bench::workers;

const CAP: u64 = 64 << 20;

/// What comes of some work in a pool of so many threads.
fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn read(files: Vec<(&str, Vec<u8>)>) -> LanguageModel {
    let boxed = |(name, bytes): (&str, Vec<u8>)| {
        let source: Box<dyn ReadAt> = Box::new(bytes);
        (name.to_owned(), source)
    };
    ModelFiles::open(files.into_iter().map(boxed).collect(), CAP).unwrap().read(CAP).unwrap()
}

/// A model of random weights whose products are large enough to be split.
fn wide(family: &str) -> LanguageModel {
    let (d, mlp, vocabulary) = (96, 400, 1_000);
    let mut rng = NumpyRng::new(7);
    let mut tensors = Vec::new();
    let mut add = |name: String, shape: Vec<usize>| {
        let scale = (*shape.last().unwrap() as f64).sqrt().recip();
        let count = shape.iter().product();
        let values = (0..count).map(|_| (scale * rng.standard_normal()) as f32);
        tensors.push((name, shape, values.flat_map(f32::to_le_bytes).collect::<Vec<u8>>()));
    };
    add("model.embed_tokens.weight".to_owned(), vec![vocabulary, d]);
    add("model.norm.weight".to_owned(), vec![d]);
    for layer in 0..2 {
        let mut add = |name: &str, shape| add(format!("model.layers.{layer}.{name}.weight"), shape);
        for name in
            ["input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"]
        {
            if family == "gemma2" || !name.contains("feedforward") {
                add(name, vec![d]);
            }
        }
        add("self_attn.q_proj", vec![d, d]);
        add("self_attn.k_proj", vec![d / 2, d]);
        add("self_attn.v_proj", vec![d / 2, d]);
        add("self_attn.o_proj", vec![d, d]);
        add("mlp.gate_proj", vec![mlp, d]);
        add("mlp.up_proj", vec![mlp, d]);
        add("mlp.down_proj", vec![d, mlp]);
    }
    let views =
        tensors.iter().map(|(name, shape, bytes)| (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
    let config = json!({
        "model_type": family, "hidden_size": d, "intermediate_size": mlp, "head_dim": 24,
        "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2,
        "vocab_size": vocabulary, "tie_word_embeddings": true, "sliding_window": 20,
        "hidden_activation": "gelu_pytorch_tanh", "query_pre_attn_scalar": 24,
        "attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0,
        "max_position_embeddings": 512,
    });
    let weights = safetensors::serialize(views, None).unwrap();
    read(vec![("config.json", config.to_string().into_bytes()), ("model.safetensors", weights)])
}

#[test]
fn logits_are_the_same_on_any_number_of_threads() {
    for family in ["llama", "gemma2"] {
        let model = wide(family);
        let mut rng = NumpyRng::new(1);
        for (prompts, positions) in [(1, 300), (3, 77), (5, 1), (64, 9)] {
            let texts: Vec<Vec<u32>> =
                (0..prompts).map(|_| (0..positions).map(|_| rng.next_word() % 1_000).collect()).collect();
            let batch = Batch::new(&texts).unwrap();
            let bits = |threads| -> Vec<u32> {
                let logits = on(threads, || model.decoder().logits(&batch, &mut ()).unwrap());
                logits.into_iter().map(f32::to_bits).collect()
            };
            let one = bits(1);
            assert!([2, 3, 5].into_iter().all(|threads| bits(threads) == one), "{family} {prompts}");
        }
    }
}

/// The golden model of Llama's architecture and its autoencoder.
fn golden() -> (LanguageModel, Autoencoder) {
    let gguf: &[u8] = include_bytes!("../golden/models/smollm2/model.gguf");
    let model = read(vec![("model.gguf", gguf.to_vec())]);
    let weights: &[u8] = include_bytes!("../golden/models/smollm2-sae/sae_weights.safetensors");
    let weights = DataFile::open("sae_weights.safetensors", Box::new(weights.to_vec()), CAP).unwrap();
    let config = include_bytes!("../golden/models/smollm2-sae/cfg.json").to_vec();
    let folder = SaeFolder::open(Some(("cfg.json", config)), Rc::new(weights), Vec::new()).unwrap();
    (model, Autoencoder::open(&folder).unwrap())
}

fn requests() -> impl Iterator<Item = MetricRequest> {
    [
        json!({"metric": "fade", "options": {"steer": "all", "made": 3, "written": 2}}),
        json!({"metric": "ce-bench"}),
        json!({"metric": "mui", "options": {"questions": 7}}),
        json!({"metric": "circuits", "options": {"prompts": 8, "ablation": "mean"}}),
    ]
    .into_iter()
    .map(|request| serde_json::from_value(request).unwrap())
}

/// Metrics, and activations of a corpus, take several texts at once.
#[test]
fn metrics_are_the_same_on_any_number_of_threads() {
    let (model, autoencoder) = golden();
    for request in requests() {
        let run = |threads| {
            on(threads, || {
                let mut run = MetricRun::new(&model, Some(&autoencoder), request.clone()).unwrap();
                let (mut calls, mut before) = (0, 0);
                while before < run.steps() {
                    let done = run.step(&model, Some(&autoencoder)).unwrap();
                    assert!(done > before && done <= before + threads, "{before} to {done}");
                    (calls, before) = (calls + 1, done);
                }
                assert_eq!(run.step(&model, Some(&autoencoder)).unwrap(), before);
                (calls, serde_json::to_string(&run.report().unwrap()).unwrap())
            })
        };
        let (calls, one) = run(1);
        for threads in [2, 3] {
            let (fewer, several) = run(threads);
            assert!(fewer < calls && several == one, "{request:?} on {threads} threads");
        }
    }
    let hook = model.decoder().architecture().parse_hook("blocks.1.hook_resid_post").unwrap();
    let file = |threads| {
        on(threads, || {
            let mut run = CorpusActivations::new(&model, SAMPLE_TEXT, hook).unwrap();
            while run.step(&model).unwrap() < run.steps() {}
            run.to_npy().unwrap().to_vec()
        })
    };
    let one = file(1);
    assert!(file(2) == one && file(3) == one);
}

/// Takes a step of every worker's run, as workers do that have nothing in common: how many steps each has taken. So
/// many as `lost` says are gone once there is something to exchange.
fn step_together(
    runs: &mut Vec<MetricRun>,
    lost: &mut usize,
    mut step: impl FnMut(&mut MetricRun) -> Result<usize, Failure>,
) -> usize {
    let mut shares: Vec<Vec<u8>> = Vec::new();
    for _ in 0..4 {
        let world_size = runs.len();
        let mut taken = Vec::new();
        let mut computed = Vec::new();
        for (rank, run) in runs.iter_mut().enumerate() {
            workers::set_rank(rank, world_size);
            if !shares.is_empty() {
                workers::set_gathered_pieces(shares.clone());
            }
            match step(run) {
                Ok(done) => taken.push(done),
                Err(error) => {
                    assert_eq!(error.code, "cancelled");
                    computed.push(workers::take_computed_pieces().expect("a share"));
                    assert!(workers::take_computed_pieces().is_none(), "it is taken once");
                }
            }
        }
        if let Some(done) = taken.first() {
            assert!(computed.is_empty() && taken.iter().all(|other| other == done));
            return *done;
        }
        shares = computed;
        if *lost > 0 {
            runs.truncate(world_size - std::mem::take(lost));
            shares.clear();
        }
    }
    panic!("no step is taken")
}

/// Workers that share nothing but what each computed of a step come to the same report, whoever is lost on the way.
#[test]
fn metrics_are_the_same_on_any_number_of_workers() {
    let (model, autoencoder) = golden();
    for request in requests() {
        let report = |workers: usize, lost: usize| {
            let new = || MetricRun::new(&model, Some(&autoencoder), request.clone()).unwrap();
            let mut runs: Vec<MetricRun> = (0..workers).map(|_| new()).collect();
            let (mut calls, mut done) = (0, 0);
            let mut to_lose = lost;
            while done < runs[0].steps() {
                let step = |run: &mut MetricRun| run.step(&model, Some(&autoencoder));
                done = step_together(&mut runs, &mut to_lose, step);
                calls += 1;
            }
            workers::set_rank(0, 1);
            assert_eq!(runs.len(), workers - lost);
            let reports = runs.iter().map(|run| serde_json::to_string(&run.report().unwrap()));
            let mut reports: Vec<String> = reports.map(Result::unwrap).collect();
            reports.dedup();
            assert_eq!(reports.len(), 1, "every worker has all");
            (calls, reports.remove(0))
        };
        // On one thread beside these.
        let (calls, one) = on(1, || report(1, 0));
        for (workers, lost) in [(3, 0), (3, 1)] {
            let (fewer, several) = report(workers, lost);
            assert!(fewer < calls && several == one, "{request:?} on {workers} workers");
        }
    }
}
