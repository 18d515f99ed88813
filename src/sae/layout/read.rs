//! What a table cannot hold of a layout: what its configuration, its path and numbers beside its tensors say.

use super::{Recognised, SaeError, Seen};
use crate::sae::saelens::{Architecture, Config, Normalisation, Transcoder};

type Read = Result<(), SaeError>;

const TRANSCODER_UNKNOWN: &str = "Neither file nor path says whether this is an autoencoder or a transcoder, whose names \
    and shapes are the same: it is read as an autoencoder unless targets are given.";

/// A word of the configuration, under the first of some keys that has one.
fn word(seen: &Seen<'_>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| seen.fields.text(key))
}

/// Whether activations in and out are known to be of two places.
fn apart(said: &Recognised) -> bool {
    matches!((&said.hook, &said.hook_out), (Some(one), Some(other)) if one != other)
}

pub(super) fn path_alone(_: &Seen<'_>, _: &mut Config, _: &mut Recognised) -> Read {
    Ok(())
}

pub(super) fn saelens(seen: &Seen<'_>, _: &mut Config, said: &mut Recognised) -> Read {
    said.model = word(seen, &["metadata.model_name", "model_name"]);
    said.hook = word(seen, &["metadata.hook_name", "hook_name", "hook_point"]);
    said.hook_out = word(seen, &["metadata.hook_name_out", "hook_name_out"]);
    Ok(())
}

pub(super) fn without_config(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Read {
    if seen.has("threshold") {
        config.architecture = Architecture::JumpRelu;
    } else if seen.has("topk_threshold") {
        config.architecture = Architecture::BatchTopK;
        config.rescale_acts_by_decoder_norm = true;
    }
    said.assumed.push(
        "No configuration lies beside: b_dec is subtracted from the input, as SAELens has it by default, and nothing is \
         normalised. Gemma Scope and transcoders subtract nothing."
            .to_owned(),
    );
    Ok(())
}

pub(super) fn sparsify(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Read {
    let k = seen.fields.count("k")?.unwrap_or(1);
    config.architecture = match seen.fields.word("activation")? {
        None | Some("topk") => Architecture::TopK { k },
        Some("groupmax") => Architecture::GroupMax { k },
        Some(_) => return Err(seen.fields.refuse("activation", "topk, groupmax")),
    };
    if seen.fields.truth("signed", false)? {
        return Err(seen.fields.refuse("signed", "false"));
    }
    let transcodes = seen.fields.truth("transcode", false)?;
    config.transcoder = if transcodes { Transcoder::Yes } else { Transcoder::No };
    config.apply_b_dec_to_input = !transcodes;
    let step = seen.path.rsplit(['/', '\\']).nth(1);
    said.hook = step.filter(|step| !step.is_empty()).map(str::to_owned);
    Ok(())
}

pub(super) fn gemma_scope_2(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Read {
    said.model = word(seen, &["model_name"]);
    said.hook = word(seen, &["hf_hook_point_in"]);
    said.hook_out = word(seen, &["hf_hook_point_out"]);
    if word(seen, &["architecture"]).is_some_and(|word| word != "jump_relu") {
        return Err(seen.fields.refuse("architecture", "jump_relu"));
    }
    let layers = seen.shape("w_dec").len() == 3;
    let named = seen.path_has("transcoder") || seen.path_has("clt");
    let known = said.hook.is_some() && said.hook_out.is_some();
    let places = ["resid_post", "attn_out", "mlp_out"];
    config.transcoder = if layers || seen.has("affine_skip_connection") || apart(said) || named {
        Transcoder::Yes
    } else if known || places.iter().any(|place| seen.path_has(place)) {
        Transcoder::No
    } else {
        said.assumed.push(TRANSCODER_UNKNOWN.to_owned());
        Transcoder::Unknown
    };
    Ok(())
}

pub(super) fn gemma_scope(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Read {
    const PLACES: [(&str, &str); 3] =
        [("-res", "hook_resid_post"), ("-mlp", "hook_mlp_out"), ("-att", "attn.hook_z")];
    let place = PLACES.iter().find(|(word, _)| seen.path_has(word));
    if seen.path_has("embedding") {
        config.norm_scaling_factor = Some(1.0 / (seen.len("b_dec") as f64).sqrt());
        config.keeps_decoder_bias = true;
        said.hook = Some("hook_embed".to_owned());
        said.assumed.push(
            "An autoencoder of embeddings: W_enc is divided and W_dec multiplied by √D, and b_dec is not, as SAELens has \
             it."
                .to_owned(),
        );
    } else if seen.path_has("transcoder") || !seen.as_saelens() {
        config.transcoder = Transcoder::Yes;
        said.hook = Some("ln2.hook_normalized".to_owned());
        said.hook_out = Some("hook_mlp_out".to_owned());
    } else if let Some((_, hook)) = place {
        said.hook = Some((*hook).to_owned());
    } else {
        config.transcoder = Transcoder::Unknown;
        said.assumed.push(TRANSCODER_UNKNOWN.to_owned());
    }
    Ok(())
}

pub(super) fn llama_scope(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Read {
    const NORM: &str = "dataset_average_activation_norm.in";
    let fields = &seen.fields;
    let Some(threshold) = fields.number("jump_relu_threshold")? else {
        return Err(fields.refuse("jump_relu_threshold", "a number"));
    };
    let Some(norm) = fields.factor(NORM)? else {
        return Err(fields.refuse(NORM, "a number from 1e-12 to 1e12"));
    };
    if !matches!(fields.word("act_fn")?, None | Some("jumprelu" | "relu")) {
        return Err(fields.refuse("act_fn", "jumprelu"));
    }
    config.d_in = fields.count("d_model")?;
    config.d_sae = fields.count("d_sae")?;
    let factor = (seen.len("decoder.bias") as f64).sqrt() / norm;
    config.norm_scaling_factor = Some(factor);
    // It is written for activations as they are.
    config.threshold = Some(threshold * factor);
    said.hook = word(seen, &["hook_point_in"]);
    Ok(())
}

pub(super) fn openmoss_distilled(
    seen: &Seen<'_>,
    config: &mut Config,
    said: &mut Recognised,
) -> Read {
    said.hook = word(seen, &["hook_point_in"]);
    said.hook_out = word(seen, &["hook_point_out"]);
    config.norm_scaling_factor = seen.fields.factor("norm_scaling_factor")?;
    if config.norm_scaling_factor.is_none() {
        said.assumed.push(
            "The factor that activations were multiplied by in training is in no file of such a folder: none is taken, as \
             SAELens does. norm_scaling_factor in config.json names one."
                .to_owned(),
        );
    }
    Ok(())
}

pub(super) fn openmoss(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Read {
    const NORM: &str = "dataset_average_activation_norm.";
    let fields = &seen.fields;
    said.hook = word(seen, &["hook_point_in"]);
    said.hook_out = word(seen, &["hook_point_out"]);
    let crosscoder = seen.shape("W_E").len() == 3;
    config.architecture = match fields.word("act_fn")? {
        None if seen.has("activation_function.log_jumprelu_threshold") => Architecture::JumpRelu,
        None | Some("relu") => Architecture::Standard,
        Some("jumprelu") => Architecture::JumpRelu,
        Some("topk") => match fields.count("top_k")? {
            Some(k) => Architecture::TopK { k },
            None => return Err(fields.refuse("top_k", "a whole number from 1")),
        },
        Some(_) => return Err(fields.refuse("act_fn", "relu, jumprelu, topk")),
    };
    if fields.truth("use_glu_encoder", false)? || seen.has("W_E_glu") {
        let allowed = "false: with a gated linear unit codes are products of two encoders, of which one is read here";
        return Err(seen.refuse("use_glu_encoder", "an encoder with a gated linear unit", allowed));
    }
    if !matches!(fields.word("sae_type")?, None | Some("sae" | "crosscoder" | "transcoder")) {
        return Err(fields.refuse("sae_type", "sae, crosscoder, transcoder"));
    }
    config.transcoder = if apart(said) { Transcoder::Yes } else { Transcoder::No };
    config.gates_by_decoder_norm = fields.truth("sparsity_include_decoder_norm", true)?;
    match fields.word("norm_activation")? {
        Some("inference" | "none") => {}
        Some("token-wise") => config.normalisation = Normalisation::ConstantNorm,
        // Each layer has a factor of its own.
        Some("dataset-wise") if crosscoder => {
            return Err(fields.refuse("norm_activation", "inference, for a crosscoder"));
        }
        None | Some("dataset-wise") => {
            let begin = seen.file_name(NORM);
            let mut hooks = seen.weights.names().filter_map(|name| name.strip_prefix(&begin));
            let own = hooks.find(|hook| said.hook.as_deref().is_none_or(|own| own == *hook));
            let norm = own.and_then(|hook| seen.value(&format!("{NORM}{hook}")));
            match norm.filter(|norm| *norm > 0.0) {
                Some(norm) => {
                    let d = seen.shape("W_E").first().copied().unwrap_or(1) as f64;
                    config.norm_scaling_factor = Some(d.sqrt() / norm);
                }
                None if fields.has("norm_activation") => {
                    let allowed = "inference or none, where the weights hold no dataset_average_activation_norm of the hook";
                    return Err(fields.refuse("norm_activation", allowed));
                }
                None => {}
            }
        }
        Some(_) => {
            let allowed = "inference, none, token-wise, dataset-wise";
            return Err(fields.refuse("norm_activation", allowed));
        }
    }
    Ok(())
}

pub(super) fn temporal(seen: &Seen<'_>, _: &mut Config, _: &mut Recognised) -> Read {
    Err(seen.refuse(
        "attn_layers",
        "attention over the codes of a sequence",
        "autoencoders that read one row at a time: which rows are of one sequence is not known here",
    ))
}

/// The class that dictionary_learning's configuration names, beside the weights or in a checkpoint with them.
fn class(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Option<String> {
    said.model = word(seen, &["trainer.lm_name"]);
    said.hook = word(seen, &["trainer.submodule_name"]);
    said.layer = seen.fields.count("trainer.layer").ok().flatten().map(|layer| layer as u32);
    config.bias_factor = seen.norm_factor();
    if seen.fields.has("trainer") && !said.layout.starts_with("dictionary_learning") {
        said.layout = "dictionary_learning".to_owned();
    }
    word(seen, &["trainer.dict_class"]).or_else(|| seen.beside("config.dict_class"))
}

pub(super) fn dictionary_learning(
    seen: &Seen<'_>,
    config: &mut Config,
    said: &mut Recognised,
) -> Read {
    if class(seen, config, said).is_none() && seen.path_has("deepseek") {
        said.layout = "DeepSeek".to_owned();
    }
    Ok(())
}

pub(super) fn dictionary_learning_batch(
    seen: &Seen<'_>,
    config: &mut Config,
    said: &mut Recognised,
) -> Read {
    class(seen, config, said);
    untrained(seen, said);
    Ok(())
}

fn untrained(seen: &Seen<'_>, said: &mut Recognised) {
    if seen.value("threshold").is_some_and(|threshold| threshold <= 0.0) {
        said.assumed.push(
            "The threshold was never set in training, so that every positive pre-activation is a code: S and L0 are those \
             of ReLU."
                .to_owned(),
        );
    }
}

pub(super) fn dictionary_learning_top_k(
    seen: &Seen<'_>,
    config: &mut Config,
    said: &mut Recognised,
) -> Read {
    const TOP: &str = "AutoEncoderTopK";
    const BATCH: &str = "BatchTopKSAE";
    let top = match class(seen, config, said).as_deref() {
        Some(TOP) => true,
        Some(BATCH) => false,
        Some(_) => {
            return Err(seen.fields.refuse("trainer.dict_class", "AutoEncoderTopK, BatchTopKSAE"));
        }
        None if !seen.has("threshold") => true,
        None => {
            return Err(seen.refuse(
                "dict_class",
                "nothing, as no configuration lies beside the weights",
                "AutoEncoderTopK or BatchTopKSAE, whose files are alike and whose codes are not: put config.json beside",
            ));
        }
    };
    said.layout = format!("dictionary_learning {}", if top { TOP } else { BATCH });
    if !top {
        config.architecture = Architecture::JumpRelu;
        untrained(seen, said);
        return Ok(());
    }
    let own = seen.value("k").filter(|k| *k >= 1.0 && *k <= 1e9).map(|k| k as usize);
    let Some(k) = own.or(seen.fields.count("trainer.k")?) else {
        return Err(seen.refuse("k", "nothing", "a whole number from 1"));
    };
    config.architecture = Architecture::TopK { k };
    Ok(())
}

pub(super) fn connor_rob(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Read {
    said.model = word(seen, &["model_name"]);
    said.hook = word(seen, &["act_name"]);
    config.d_in = seen.fields.count("act_size")?;
    config.d_sae = seen.fields.count("dict_size")?;
    Ok(())
}

pub(super) fn crosscoder(seen: &Seen<'_>, _: &mut Config, said: &mut Recognised) -> Read {
    said.model = word(seen, &["model_name"]);
    said.hook = word(seen, &["hook_point"]);
    let layers = [seen.shape("W_enc"), seen.shape("encoder.weight")].concat();
    said.assumed.push(format!(
        "A crosscoder of {} layers: the activations of all of them stand side by side in a row.",
        layers.first().copied().unwrap_or(1)
    ));
    Ok(())
}

pub(super) fn openai(seen: &Seen<'_>, config: &mut Config, _: &mut Recognised) -> Read {
    let k = seen.value("activation_state_dict.k").or_else(|| seen.value("activation.k"));
    let k = k.filter(|k| *k >= 1.0 && *k <= 1e9);
    let top = match seen.word("activation") {
        // The tool takes ReLU where nothing is said.
        None => k.is_some(),
        Some("ReLU") => false,
        Some("TopK") => true,
        Some(other) => return Err(seen.refuse("activation", other, "ReLU, TopK")),
    };
    if !top {
        return Ok(());
    }
    for name in ["activation_state_dict.postact_fn", "activation.postact_fn"] {
        if let Some(other) = seen.word(name).filter(|word| *word != "ReLU") {
            return Err(seen.refuse(name, other, "ReLU"));
        }
    }
    let Some(k) = k else {
        return Err(seen.refuse("activation_state_dict.k", "nothing", "a whole number from 1"));
    };
    config.architecture = Architecture::TopK { k: k as usize };
    config.normalisation = Normalisation::LayerNorm;
    Ok(())
}

pub(super) fn qwen_scope(seen: &Seen<'_>, config: &mut Config, _: &mut Recognised) -> Read {
    let Some(k) = seen.digits("l0_").filter(|k| *k > 0) else {
        return Err(seen.refuse(
            "k",
            "nothing",
            "the number of codes that are kept, which stands in the folder's name alone: a path with L0_<k> in it",
        ));
    };
    config.architecture = Architecture::TopK { k: k as usize };
    Ok(())
}

pub(super) fn circuit_tracer(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Read {
    said.model = word(seen, &["model_name"]);
    said.hook = word(seen, &["feature_input_hook"]);
    said.hook_out = word(seen, &["feature_output_hook"]);
    config.transcoder = Transcoder::Yes;
    Ok(())
}

pub(super) fn clt(seen: &Seen<'_>, config: &mut Config, said: &mut Recognised) -> Read {
    circuit_tracer(seen, config, said)?;
    if seen.has("threshold_{}") {
        config.architecture = Architecture::JumpRelu;
    }
    said.layer = seen.number.as_deref().and_then(|number| number.parse().ok());
    Ok(())
}
