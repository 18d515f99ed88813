//! A language model natively on one thread and on all, timed for `benches/language-model.mjs`, which runs NumPy in between.
//!
//! `language_model_rounds FOLDER` writes `config.json`, `model.safetensors` and `tokens.json` there: six layers of SmolLM2-135M's sizes
//! with weights drawn from NumPy's stream, and eight texts of 64 tokens. Then it prints what the work is, as JSON. For
//! each line of standard input, "forward", "all", "kernel" or "peak", it does that once, "all" on all threads and the others on one, and prints how long it took, in ms, and
//! what came of it: the sum of all logits, or how many multiplications and additions that were.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::hint::black_box;
use std::io::{BufRead as _, Write as _};
use std::path::PathBuf;
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use safetensors::{Dtype, tensor::TensorView};
use sfc_bench::NumpyRng;
use sfc_bench::io::ReadAt;
use sfc_bench::kernel::single_precision::{self, PEAK_FLOPS_PER_ROUND, WeightPanels, run_peak_workload};
use sfc_bench::model::{Batch, ModelFiles};

const PEAK_ROUNDS: u32 = 20_000_000;
const LAYERS: usize = 6;
const D_MODEL: usize = 576;
const D_MLP: usize = 1_536;
/// Width of keys and of values.
const KV: usize = 192;
const VOCABULARY: usize = 8_192;
const TEXTS: usize = 8;
const TOKENS: usize = 64;

/// Names and shapes of the weights.
fn shapes() -> Vec<(String, Vec<usize>)> {
    let mut all = vec![
        ("model.embed_tokens.weight".to_owned(), vec![VOCABULARY, D_MODEL]),
        ("model.norm.weight".to_owned(), vec![D_MODEL]),
    ];
    for layer in 0..LAYERS {
        for (name, shape) in [
            ("input_layernorm", vec![D_MODEL]),
            ("self_attn.q_proj", vec![D_MODEL, D_MODEL]),
            ("self_attn.k_proj", vec![KV, D_MODEL]),
            ("self_attn.v_proj", vec![KV, D_MODEL]),
            ("self_attn.o_proj", vec![D_MODEL, D_MODEL]),
            ("post_attention_layernorm", vec![D_MODEL]),
            ("mlp.gate_proj", vec![D_MLP, D_MODEL]),
            ("mlp.up_proj", vec![D_MLP, D_MODEL]),
            ("mlp.down_proj", vec![D_MODEL, D_MLP]),
        ] {
            all.push((format!("model.layers.{layer}.{name}.weight"), shape));
        }
    }
    all
}

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).expect("a folder"));
    let mut rng = NumpyRng::new(1);
    let mut tensors = Vec::new();
    for (name, shape) in shapes() {
        let scale = (*shape.last().unwrap() as f64).sqrt().recip();
        let norm = shape.len() == 1;
        let one = |rng: &mut NumpyRng| if norm { 1.0 } else { (scale * rng.standard_normal()) as f32 };
        let bytes: Vec<u8> = (0..shape.iter().product()).flat_map(|_| one(&mut rng).to_le_bytes()).collect();
        tensors.push((name, shape, bytes));
    }
    let views =
        tensors.iter().map(|(name, shape, bytes)| (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
    let weights = safetensors::serialize(views, None).unwrap();
    std::fs::write(folder.join("model.safetensors"), &weights).expect("a folder to write to");
    let texts: Vec<Vec<u32>> =
        (0..TEXTS).map(|_| (0..TOKENS).map(|_| rng.next_word() % VOCABULARY as u32).collect()).collect();
    std::fs::write(folder.join("tokens.json"), serde_json::to_string(&texts).unwrap()).unwrap();
    let config = serde_json::json!({
        "model_type": "llama", "hidden_size": D_MODEL, "intermediate_size": D_MLP,
        "num_attention_heads": 9, "num_key_value_heads": 3, "num_hidden_layers": LAYERS,
        "vocab_size": VOCABULARY, "rope_theta": 1e5, "rms_norm_eps": 1e-5,
        "tie_word_embeddings": true, "max_position_embeddings": 8_192,
    });
    std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let files: Vec<(String, Box<dyn ReadAt>)> = vec![
        ("config.json".to_owned(), Box::new(config.to_string().into_bytes())),
        ("model.safetensors".to_owned(), Box::new(weights)),
    ];
    let model = ModelFiles::open(files, 1 << 30).unwrap().read(1 << 30).unwrap();
    let batch = Batch::new(&texts).unwrap();

    // The product that most of the work is like.
    let rows = TEXTS * TOKENS;
    let (x, mut out) = (vec![0.5f32; rows * D_MODEL], vec![0.0f32; rows * D_MLP]);
    let mut panels = WeightPanels::default();
    panels.fill(&vec![0.1; D_MLP * D_MODEL], D_MODEL);
    let bias = vec![0.0; D_MLP];
    let matrices = LAYERS * (2 * D_MODEL * D_MODEL + 2 * KV * D_MODEL + 3 * D_MLP * D_MODEL);
    let flops = 2 * rows * (matrices + VOCABULARY * D_MODEL);
    let threads = rayon::current_num_threads();
    let one = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let forward = || {
        let mut sum = 0.0;
        let add = |_: usize, logits: &[f32]| {
            sum += logits.iter().copied().map(f64::from).sum::<f64>();
        };
        model.decoder().for_each_logits(&batch, &mut (), add).unwrap();
        sum
    };
    let mut told = std::io::stdout();
    let about = serde_json::json!({"tokens": rows, "flops": flops, "threads": threads});
    writeln!(told, "{about}").unwrap();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let start = Instant::now();
        let found = match line.as_str() {
            "forward" => one.install(forward),
            "all" => forward(),
            "kernel" => {
                for _ in 0..10 {
                    single_precision::affine(&x, &panels, &bias, black_box(&mut out));
                }
                (20 * rows * D_MODEL * D_MLP) as f64
            }
            "peak" => {
                black_box(run_peak_workload(PEAK_ROUNDS));
                f64::from(PEAK_ROUNDS) * PEAK_FLOPS_PER_ROUND
            }
            other => panic!("{other:?}; allowed: forward, all, kernel, peak"),
        };
        let ms = 1e3 * start.elapsed().as_secs_f64();
        writeln!(told, "{ms}\n{found}").expect("standard output is open");
    }
}
