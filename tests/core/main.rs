//! What the core computes: natively, and the same tests in a browser.

#![allow(clippy::unwrap_used, clippy::expect_used)]

/// Gives the library these files of the toy model: in WebAssembly they are no part of it.
macro_rules! give {
    ($($name:literal),* $(,)?) => {
        #[cfg(target_arch = "wasm32")]
        {
            $(sfc_bench::toy_model::provide_file(
                $name,
                include_bytes!(concat!("../../assets/little/", $name, ".safetensors")).to_vec(),
            )
            .unwrap();)*
        }
    };
}

#[path = "../common/mod.rs"]
mod common;

mod audit_circuits;
#[cfg(not(target_arch = "wasm32"))]
mod audit_full;
mod audit_jobs;
mod audit_judged;
mod audit_opened;
mod audit_own;
mod audit_second;
#[cfg(not(target_arch = "wasm32"))]
mod audit_second_full;
mod audit_statistics;
mod audit_table;
mod circuit;
mod combinations;
#[cfg(not(target_arch = "wasm32"))]
mod compare;
mod decoder;
mod ensemble;
mod expected;
mod fade;
mod families;
mod fields;
#[cfg(not(target_arch = "wasm32"))]
mod figures;
mod general_path;
mod gpt2;
mod kernels;
mod language;
mod link;
mod links;
mod little;
mod measurement_decomposition;
mod measurement_evaluated;
mod measurement_evaluation;
mod measurement_little;
mod measurement_overview;
mod measurement_own;
mod measurement_own_results;
mod measurement_picture;
mod measurement_reach;
mod model;
mod mui;
mod mui_own;
mod mui_training;
mod own_model;
mod pareto;
#[cfg(not(target_arch = "wasm32"))]
mod properties;
#[cfg(not(target_arch = "wasm32"))]
mod prose;
mod query;
mod rng;
mod settings;
mod statistics;
mod studies;
mod study_jobs;
mod synth_sae_bench;
#[cfg(not(target_arch = "wasm32"))]
mod threads;
mod tokenizer;
mod train;
mod vectors;
