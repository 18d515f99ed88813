//! Golden files that are read whole, changed, or malformed by more than one test.

/// Arrays as the libraries write them, by name.
pub fn arrays() -> Vec<(&'static str, &'static [u8])> {
    macro_rules! files {
        ($($name:literal)*) => {
            vec![$(($name, &include_bytes!(concat!("../golden/evaluate/", $name))[..]),)*]
        };
    }
    files! {
        "acts_f16.npy" "acts_f64.npy" "acts_bf16.npy" "acts_fortran_f32.npy"
        "acts_big_endian_fortran_f8.npy" "acts_i16.npy" "acts_stored.npz" "acts_deflated.npz"
        "acts.safetensors" "acts.csv"
    }
}

/// Configuration and weights of autoencoders as SAELens saves them.
pub fn sae_folders() -> [[&'static [u8]; 2]; 6] {
    macro_rules! folder {
        ($name:literal) => {
            [
                &include_bytes!(concat!("../golden/evaluate/", $name, "/cfg.json"))[..],
                include_bytes!(concat!("../golden/evaluate/", $name, "/sae_weights.safetensors")),
            ]
        };
    }
    [
        folder!("sae_standard"),
        folder!("sae_topk_rescaled"),
        folder!("sae_batchtopk"),
        folder!("sae_gated"),
        folder!("sae_jumprelu"),
        folder!("sae_folded"),
    ]
}

/// Configuration and weights of models as transformers saves them.
pub fn models() -> [[&'static [u8]; 2]; 2] {
    macro_rules! folder {
        ($name:literal) => {
            [
                &include_bytes!(concat!("../golden/model/", $name, "/config.json"))[..],
                include_bytes!(concat!("../golden/model/", $name, "/model.safetensors")),
            ]
        };
    }
    [folder!("gpt2"), folder!("own")]
}

/// A tokenizer as transformers saves it.
pub fn tokenizer() -> &'static [u8] {
    include_bytes!("../golden/model/own/tokenizer.json")
}
