//! What a table cannot hold of a layout: what its configuration, its path and numbers beside its tensors say.

use super::{FileProbe, Recognised, SaeError};
use crate::sae::saelens::{Architecture, Config, Normalisation, TranscoderStatus};

type ReadResult = Result<(), SaeError>;

const TRANSCODER_UNKNOWN_NOTE: &str = "Neither file nor path says whether this is an autoencoder or a transcoder, whose names \
    and shapes are the same: it is read as an autoencoder unless targets are given.";

/// A word of the configuration, under the first of some keys that has one.
fn first_text(seen: &FileProbe<'_>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| seen.fields.get_text(key))
}

/// Whether activations in and out are known to be of two places.
fn has_distinct_hooks(said: &Recognised) -> bool {
    matches!((&said.hook, &said.hook_out), (Some(one), Some(other)) if one != other)
}

pub(super) fn from_path_only(_: &FileProbe<'_>, _: &mut Config, _: &mut Recognised) -> ReadResult {
    Ok(())
}

pub(super) fn saelens(seen: &FileProbe<'_>, _: &mut Config, said: &mut Recognised) -> ReadResult {
    said.model = first_text(seen, &["metadata.model_name", "model_name"]);
    said.hook = first_text(seen, &["metadata.hook_name", "hook_name", "hook_point"]);
    said.hook_out = first_text(seen, &["metadata.hook_name_out", "hook_name_out"]);
    Ok(())
}

pub(super) fn without_config(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    if seen.has_tensor("threshold") {
        config.architecture = Architecture::JumpRelu;
    } else if seen.has_tensor("topk_threshold") {
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

pub(super) fn sparsify(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    let k = seen.fields.get_count("k")?.unwrap_or(1);
    config.architecture = match seen.fields.get_word("activation")? {
        None | Some("topk") => Architecture::TopK { k },
        Some("groupmax") => Architecture::GroupMax { k },
        Some(_) => return Err(seen.fields.config_error("activation", "topk, groupmax")),
    };
    if seen.fields.get_bool("signed", false)? {
        return Err(seen.fields.config_error("signed", "false"));
    }
    let transcodes = seen.fields.get_bool("transcode", false)?;
    config.transcoder = if transcodes { TranscoderStatus::Yes } else { TranscoderStatus::No };
    config.apply_b_dec_to_input = !transcodes;
    let step = seen.path.rsplit(['/', '\\']).nth(1);
    said.hook = step.filter(|step| !step.is_empty()).map(str::to_owned);
    Ok(())
}

pub(super) fn gemma_scope_2(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    said.model = first_text(seen, &["model_name"]);
    said.hook = first_text(seen, &["hf_hook_point_in"]);
    said.hook_out = first_text(seen, &["hf_hook_point_out"]);
    if first_text(seen, &["architecture"]).is_some_and(|word| word != "jump_relu") {
        return Err(seen.fields.config_error("architecture", "jump_relu"));
    }
    let layers = seen.tensor_shape("w_dec").len() == 3;
    let named = seen.path_has("transcoder") || seen.path_has("clt");
    let known = said.hook.is_some() && said.hook_out.is_some();
    let places = ["resid_post", "attn_out", "mlp_out"];
    config.transcoder = if layers || seen.has_tensor("affine_skip_connection") || has_distinct_hooks(said) || named {
        TranscoderStatus::Yes
    } else if known || places.iter().any(|place| seen.path_has(place)) {
        TranscoderStatus::No
    } else {
        said.assumed.push(TRANSCODER_UNKNOWN_NOTE.to_owned());
        TranscoderStatus::Unknown
    };
    Ok(())
}

pub(super) fn gemma_scope(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    const HOOKS_BY_PATH_WORD: [(&str, &str); 3] =
        [("-res", "hook_resid_post"), ("-mlp", "hook_mlp_out"), ("-att", "attn.hook_z")];
    let place = HOOKS_BY_PATH_WORD.iter().find(|(word, _)| seen.path_has(word));
    if seen.path_has("embedding") {
        config.norm_scaling_factor = Some(1.0 / (seen.tensor_len("b_dec") as f64).sqrt());
        config.keeps_decoder_bias = true;
        said.hook = Some("hook_embed".to_owned());
        said.assumed.push(
            "An autoencoder of embeddings: W_enc is divided and W_dec multiplied by √D, and b_dec is not, as SAELens has \
             it."
                .to_owned(),
        );
    } else if seen.path_has("transcoder") || !seen.is_saelens_oriented() {
        config.transcoder = TranscoderStatus::Yes;
        said.hook = Some("ln2.hook_normalized".to_owned());
        said.hook_out = Some("hook_mlp_out".to_owned());
    } else if let Some((_, hook)) = place {
        said.hook = Some((*hook).to_owned());
    } else {
        config.transcoder = TranscoderStatus::Unknown;
        said.assumed.push(TRANSCODER_UNKNOWN_NOTE.to_owned());
    }
    Ok(())
}

pub(super) fn llama_scope(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    const NORM_FIELD: &str = "dataset_average_activation_norm.in";
    let fields = &seen.fields;
    let Some(threshold) = fields.get_number("jump_relu_threshold")? else {
        return Err(fields.config_error("jump_relu_threshold", "a number"));
    };
    let Some(norm) = fields.get_factor(NORM_FIELD)? else {
        return Err(fields.config_error(NORM_FIELD, "a number from 1e-12 to 1e12"));
    };
    if !matches!(fields.get_word("act_fn")?, None | Some("jumprelu" | "relu")) {
        return Err(fields.config_error("act_fn", "jumprelu"));
    }
    config.d_in = fields.get_count("d_model")?;
    config.d_sae = fields.get_count("d_sae")?;
    let factor = (seen.tensor_len("decoder.bias") as f64).sqrt() / norm;
    config.norm_scaling_factor = Some(factor);
    // It is written for activations as they are.
    config.threshold = Some(threshold * factor);
    said.hook = first_text(seen, &["hook_point_in"]);
    Ok(())
}

pub(super) fn openmoss_distilled(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    said.hook = first_text(seen, &["hook_point_in"]);
    said.hook_out = first_text(seen, &["hook_point_out"]);
    config.norm_scaling_factor = seen.fields.get_factor("norm_scaling_factor")?;
    if config.norm_scaling_factor.is_none() {
        said.assumed.push(
            "The factor that activations were multiplied by in training is in no file of such a folder: none is taken, as \
             SAELens does. norm_scaling_factor in config.json names one."
                .to_owned(),
        );
    }
    Ok(())
}

pub(super) fn openmoss(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    const NORM_FIELD: &str = "dataset_average_activation_norm.";
    let fields = &seen.fields;
    said.hook = first_text(seen, &["hook_point_in"]);
    said.hook_out = first_text(seen, &["hook_point_out"]);
    let crosscoder = seen.tensor_shape("W_E").len() == 3;
    config.architecture = match fields.get_word("act_fn")? {
        None if seen.has_tensor("activation_function.log_jumprelu_threshold") => Architecture::JumpRelu,
        None | Some("relu") => Architecture::Standard,
        Some("jumprelu") => Architecture::JumpRelu,
        Some("topk") => match fields.get_count("top_k")? {
            Some(k) => Architecture::TopK { k },
            None => return Err(fields.config_error("top_k", "a whole number from 1")),
        },
        Some(_) => return Err(fields.config_error("act_fn", "relu, jumprelu, topk")),
    };
    if fields.get_bool("use_glu_encoder", false)? || seen.has_tensor("W_E_glu") {
        let allowed = "false: with a gated linear unit codes are products of two encoders, of which one is read here";
        return Err(seen.config_error("use_glu_encoder", "an encoder with a gated linear unit", allowed));
    }
    if !matches!(fields.get_word("sae_type")?, None | Some("sae" | "crosscoder" | "transcoder")) {
        return Err(fields.config_error("sae_type", "sae, crosscoder, transcoder"));
    }
    config.transcoder = if has_distinct_hooks(said) { TranscoderStatus::Yes } else { TranscoderStatus::No };
    config.gates_by_decoder_norm = fields.get_bool("sparsity_include_decoder_norm", true)?;
    match fields.get_word("norm_activation")? {
        Some("inference" | "none") => {}
        Some("token-wise") => config.normalisation = Normalisation::ConstantNorm,
        // Each layer has a factor of its own.
        Some("dataset-wise") if crosscoder => {
            return Err(fields.config_error("norm_activation", "inference, for a crosscoder"));
        }
        None | Some("dataset-wise") => {
            let begin = seen.file_name(NORM_FIELD);
            let mut hooks = seen.weights.names().filter_map(|name| name.strip_prefix(&begin));
            let own = hooks.find(|hook| said.hook.as_deref().is_none_or(|own| own == *hook));
            let norm = own.and_then(|hook| seen.first_value(&format!("{NORM_FIELD}{hook}")));
            match norm.filter(|norm| *norm > 0.0) {
                Some(norm) => {
                    let d = seen.tensor_shape("W_E").first().copied().unwrap_or(1) as f64;
                    config.norm_scaling_factor = Some(d.sqrt() / norm);
                }
                None if fields.has("norm_activation") => {
                    let allowed =
                        "inference or none, where the weights hold no dataset_average_activation_norm of the hook";
                    return Err(fields.config_error("norm_activation", allowed));
                }
                None => {}
            }
        }
        Some(_) => {
            let allowed = "inference, none, token-wise, dataset-wise";
            return Err(fields.config_error("norm_activation", allowed));
        }
    }
    Ok(())
}

pub(super) fn temporal(seen: &FileProbe<'_>, _: &mut Config, _: &mut Recognised) -> ReadResult {
    Err(seen.config_error(
        "attn_layers",
        "attention over the codes of a sequence",
        "autoencoders that read one row at a time: which rows are of one sequence is not known here",
    ))
}

/// The class that dictionary_learning's configuration names, beside the weights or in a checkpoint with them.
fn configured_class(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> Option<String> {
    said.model = first_text(seen, &["trainer.lm_name"]);
    said.hook = first_text(seen, &["trainer.submodule_name"]);
    said.layer = seen.fields.get_count("trainer.layer").ok().flatten().map(|layer| layer as u32);
    config.bias_factor = seen.norm_factor();
    if seen.fields.has("trainer") && !said.layout.starts_with("dictionary_learning") {
        said.layout = "dictionary_learning".to_owned();
    }
    first_text(seen, &["trainer.dict_class"]).or_else(|| seen.checkpoint_text("config.dict_class"))
}

pub(super) fn dictionary_learning(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    if configured_class(seen, config, said).is_none() && seen.path_has("deepseek") {
        said.layout = "DeepSeek".to_owned();
    }
    Ok(())
}

pub(super) fn dictionary_learning_batch(
    seen: &FileProbe<'_>,
    config: &mut Config,
    said: &mut Recognised,
) -> ReadResult {
    configured_class(seen, config, said);
    add_untrained_note(seen, said);
    Ok(())
}

fn add_untrained_note(seen: &FileProbe<'_>, said: &mut Recognised) {
    if seen.first_value("threshold").is_some_and(|threshold| threshold <= 0.0) {
        said.assumed.push(
            "The threshold was never set in training, so that every positive pre-activation is a code: S and L0 are those \
             of ReLU."
                .to_owned(),
        );
    }
}

pub(super) fn dictionary_learning_top_k(
    seen: &FileProbe<'_>,
    config: &mut Config,
    said: &mut Recognised,
) -> ReadResult {
    const TOP_K_CLASS: &str = "AutoEncoderTopK";
    const BATCH_TOP_K_CLASS: &str = "BatchTopKSAE";
    let top = match configured_class(seen, config, said).as_deref() {
        Some(TOP_K_CLASS) => true,
        Some(BATCH_TOP_K_CLASS) => false,
        Some(_) => {
            return Err(seen.fields.config_error("trainer.dict_class", "AutoEncoderTopK, BatchTopKSAE"));
        }
        None if !seen.has_tensor("threshold") => true,
        None => {
            return Err(seen.config_error(
                "dict_class",
                "nothing, as no configuration lies beside the weights",
                "AutoEncoderTopK or BatchTopKSAE, whose files are alike and whose codes are not: put config.json beside",
            ));
        }
    };
    said.layout = format!("dictionary_learning {}", if top { TOP_K_CLASS } else { BATCH_TOP_K_CLASS });
    if !top {
        config.architecture = Architecture::JumpRelu;
        add_untrained_note(seen, said);
        return Ok(());
    }
    let own = seen.first_value("k").filter(|k| *k >= 1.0 && *k <= 1e9).map(|k| k as usize);
    let Some(k) = own.or(seen.fields.get_count("trainer.k")?) else {
        return Err(seen.config_error("k", "nothing", "a whole number from 1"));
    };
    config.architecture = Architecture::TopK { k };
    Ok(())
}

pub(super) fn connor_rob(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    said.model = first_text(seen, &["model_name"]);
    said.hook = first_text(seen, &["act_name"]);
    config.d_in = seen.fields.get_count("act_size")?;
    config.d_sae = seen.fields.get_count("dict_size")?;
    Ok(())
}

pub(super) fn crosscoder(seen: &FileProbe<'_>, _: &mut Config, said: &mut Recognised) -> ReadResult {
    said.model = first_text(seen, &["model_name"]);
    said.hook = first_text(seen, &["hook_point"]);
    let layers = [seen.tensor_shape("W_enc"), seen.tensor_shape("encoder.weight")].concat();
    said.assumed.push(format!(
        "A crosscoder of {} layers: the activations of all of them stand side by side in a row.",
        layers.first().copied().unwrap_or(1)
    ));
    Ok(())
}

pub(super) fn openai(seen: &FileProbe<'_>, config: &mut Config, _: &mut Recognised) -> ReadResult {
    let k = seen.first_value("activation_state_dict.k").or_else(|| seen.first_value("activation.k"));
    let k = k.filter(|k| *k >= 1.0 && *k <= 1e9);
    let top = match seen.text_value("activation") {
        // The tool takes ReLU where nothing is said.
        None => k.is_some(),
        Some("ReLU") => false,
        Some("TopK") => true,
        Some(other) => return Err(seen.config_error("activation", other, "ReLU, TopK")),
    };
    if !top {
        return Ok(());
    }
    for name in ["activation_state_dict.postact_fn", "activation.postact_fn"] {
        if let Some(other) = seen.text_value(name).filter(|word| *word != "ReLU") {
            return Err(seen.config_error(name, other, "ReLU"));
        }
    }
    let Some(k) = k else {
        return Err(seen.config_error("activation_state_dict.k", "nothing", "a whole number from 1"));
    };
    config.architecture = Architecture::TopK { k: k as usize };
    config.normalisation = Normalisation::LayerNorm;
    Ok(())
}

pub(super) fn qwen_scope(seen: &FileProbe<'_>, config: &mut Config, _: &mut Recognised) -> ReadResult {
    let Some(k) = seen.number_after("l0_").filter(|k| *k > 0) else {
        return Err(seen.config_error(
            "k",
            "nothing",
            "the number of codes that are kept, which stands in the folder's name alone: a path with L0_<k> in it",
        ));
    };
    config.architecture = Architecture::TopK { k: k as usize };
    Ok(())
}

pub(super) fn circuit_tracer(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    said.model = first_text(seen, &["model_name"]);
    said.hook = first_text(seen, &["feature_input_hook"]);
    said.hook_out = first_text(seen, &["feature_output_hook"]);
    config.transcoder = TranscoderStatus::Yes;
    Ok(())
}

pub(super) fn clt(seen: &FileProbe<'_>, config: &mut Config, said: &mut Recognised) -> ReadResult {
    circuit_tracer(seen, config, said)?;
    if seen.has_tensor("threshold_{}") {
        config.architecture = Architecture::JumpRelu;
    }
    said.layer = seen.number.as_deref().and_then(|number| number.parse().ok());
    Ok(())
}
