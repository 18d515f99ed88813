//! How to get the activations that an autoencoder is of: a few lines of Python.

use std::fmt::Write;

use crate::sae::layout::Recognised;

/// What stands for a language model, or a place in it, that no file names.
const MODEL_PLACEHOLDER: &str = "MODEL";

/// A program in Python that saves the activations which an autoencoder reads, `width` numbers each, as `activations.npy`,
/// and those that a transcoder reconstructs, `targets` numbers each, as `targets.npy`: with TransformerLens where the place
/// has one of its names (`blocks.20.hook_resid_post`), and else with nnsight (`gpt_neox.layers.3`, or
/// `model.layers.12.output`). What the files do not say is assumed and said in a comment.
#[must_use]
pub fn activations_script(recognised: &Recognised, width: usize, targets: Option<usize>) -> String {
    let mut assumed = Vec::new();
    let model = recognised.model.clone().unwrap_or_else(|| {
        assumed.push(format!("the files do not name the language model: put it in the place of {MODEL_PLACEHOLDER}"));
        MODEL_PLACEHOLDER.to_owned()
    });
    let layer = recognised.layer;
    let hook = recognised.hook.as_deref().and_then(|hook| resolve_hook_name(hook, layer)).unwrap_or_else(|| {
        let hook = format!("blocks.{}.hook_resid_post", layer.unwrap_or(0));
        let said = recognised.hook.as_ref().map_or_else(
            || "the files do not name the place of the activations".to_owned(),
            |said| format!("the files call the place of the activations {}", python_string(said)),
        );
        assumed.push(format!("{said}: {hook} is a guess"));
        hook
    });
    let out = recognised.hook_out.as_deref().and_then(|out| resolve_hook_name(out, layer));
    let out = out.filter(|out| *out != hook);
    if targets.is_some() && out.is_none() {
        let said = match &recognised.hook_out {
            None => "the files do not name the place of what the transcoder reconstructs".to_owned(),
            Some(said) => {
                format!("the files call the place of what the transcoder reconstructs {}", python_string(said))
            }
        };
        assumed.push(format!("{said}: targets.npy is not saved here"));
    }
    let mut places = vec![("activations", hook)];
    places.extend(out.map(|out| ("targets", out)));
    let mut text = String::new();
    for said in assumed {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# {said}");
    }
    let lens = places.iter().all(|(_, place)| place.split('.').any(|part| part.starts_with("hook_")));
    text += "import numpy as np\n";
    if lens {
        write_transformer_lens(&mut text, &model, &places);
    } else {
        write_nnsight(&mut text, &model, &places);
    }
    let _ = writeln!(
        text,
        "# activations.npy: {width} wide, a row a token. Rows of first tokens are much longer than others: see --skip-norm-above.\n\
         # Texts of different lengths are padded to the longest, and the padding is among the rows: see --skip-rows, or give\n\
         # texts of as many tokens each."
    );
    if let Some(targets) = targets {
        let _ = writeln!(text, "# targets.npy: {targets} wide, as many rows, of the same tokens.");
    }
    text
}

/// A place as a hook of TransformerLens or a module: one that is a layer's own is put into this; none where it is neither.
fn resolve_hook_name(place: &str, layer: Option<u32>) -> Option<String> {
    const LAYER_HOOK_NAMES: [&str; 4] = ["resid_post", "resid_pre", "attn_out", "mlp_out"];
    let hooks = |place: &str| place.split('.').any(|part| part.starts_with("hook_"));
    if hooks(place) {
        let whole = place.contains("blocks.") || place.starts_with("hook_embed");
        return match layer {
            Some(layer) if !whole => Some(format!("blocks.{layer}.{place}")),
            _ => Some(place.to_owned()),
        };
    }
    if place.split('.').any(|part| part.parse::<u32>().is_ok()) {
        // Modules of the model within the one that has the vocabulary's head.
        let inner = ["layers.", "h."].iter().any(|begin| place.starts_with(begin));
        return Some(if inner { format!("model.{place}") } else { place.to_owned() });
    }
    let name = LAYER_HOOK_NAMES.iter().find(|name| place.contains(*name))?;
    Some(format!("blocks.{}.hook_{name}", layer?))
}

/// What saves a tensor of batch × position × width, or × heads × width of one.
fn write_save_statement(text: &mut String, name: &str, tensor: &str) {
    let _ = writeln!(text, "np.save(\"{name}.npy\", {tensor}.detach().flatten(0, 1).flatten(1).float().cpu().numpy())");
}

fn write_transformer_lens(text: &mut String, model: &str, places: &[(&str, String)]) {
    let names: Vec<String> = places.iter().map(|(_, place)| python_string(place)).collect();
    let _ = writeln!(
        text,
        "from transformer_lens import HookedTransformer\n\
         model = HookedTransformer.from_pretrained({})\n\
         tokens = model.to_tokens(texts)  # texts: a list of yours\n\
         _, cache = model.run_with_cache(tokens, names_filter=[{}])",
        python_string(model),
        names.join(", ")
    );
    for (name, place) in places {
        write_save_statement(text, name, &format!("cache[{}]", python_string(place)));
    }
}

fn write_nnsight(text: &mut String, model: &str, places: &[(&str, String)]) {
    let _ = writeln!(
        text,
        "from nnsight import LanguageModel\n\
         model = LanguageModel({}, device_map=\"auto\")\n\
         with model.trace(texts):  # texts: a list of yours",
        python_string(model)
    );
    for (name, place) in places {
        let (place, side) = split_module_side(place);
        let _ = writeln!(text, "    {name} = {}.{side}.save()", module_expression(place));
    }
    if places.iter().any(|(_, place)| place.starts_with("model.")) {
        text.push_str("# model.model.layers is Llama's, Gemma's and Qwen's; Pythia has model.gpt_neox.layers, GPT-2 model.transformer.h\n");
    }
    // Layers give a tuple, whose first part is the residual stream; other modules a tensor.
    for (name, _) in places {
        write_save_statement(text, name, &format!("({name}[0] if isinstance({name}, tuple) else {name})"));
    }
}

/// A module, and whether its input or its output is meant: where a name does not end in either, as Gemma Scope 2's do, its
/// output.
fn split_module_side(place: &str) -> (&str, &str) {
    match place.rsplit_once('.') {
        Some((module, side @ ("input" | "output"))) => (module, side),
        _ => (place, "output"),
    }
}

/// `gpt_neox.layers.3` as an expression: `model.gpt_neox.layers[3]`.
fn module_expression(place: &str) -> String {
    let mut out = "model".to_owned();
    for part in place.split('.') {
        let plain = part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match part.parse::<u32>() {
            Ok(number) => out += &format!("[{number}]"),
            Err(_) if plain && !part.is_empty() => out += &format!(".{part}"),
            Err(_) => out += &format!(".get_submodule({})", python_string(part)),
        }
    }
    out
}

/// Text as Python has it.
fn python_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(model: Option<&str>, hook: Option<&str>, out: Option<&str>, layer: Option<u32>) -> String {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let said =
            Recognised { model: owned(model), hook: owned(hook), hook_out: owned(out), layer, ..Recognised::default() };
        activations_script(&said, 2_304, None)
    }

    #[test]
    fn hooks_of_transformer_lens_are_asked_of_it() {
        let text = of(Some("gemma-2-2b"), Some("blocks.20.hook_resid_post"), None, Some(20));
        assert!(text.contains("HookedTransformer.from_pretrained(\"gemma-2-2b\")"), "{text}");
        assert!(text.contains("names_filter=[\"blocks.20.hook_resid_post\"]"), "{text}");
        assert!(text.contains("2304 wide") && !text.contains("guess"), "{text}");
        let both = of(Some("gpt2"), Some("blocks.8.ln2.hook_normalized"), Some("blocks.8.hook_mlp_out"), None);
        assert!(both.contains("targets.npy") && both.contains("cache[\"blocks.8.hook_mlp_out\"]"));
    }

    #[test]
    fn modules_are_asked_of_nnsight_and_what_no_file_says_is_said() {
        let text = of(Some("EleutherAI/pythia-70m"), Some("gpt_neox.layers.3"), None, Some(3));
        assert!(text.contains("model.gpt_neox.layers[3].output.save()"), "{text}");
        let text = of(Some("meta-llama/Llama-3.1-8B"), Some("layers.5"), None, Some(5));
        assert!(text.contains("model.model.layers[5].output.save()"), "{text}");
        // As Gemma Scope and dictionary_learning name places.
        for (hook, wanted) in [
            ("hook_resid_post", "blocks.7.hook_resid_post"),
            ("attn.hook_z", "blocks.7.attn.hook_z"),
            ("resid_post_layer_7", "blocks.7.hook_resid_post"),
            ("mlp_out_layer_7", "blocks.7.hook_mlp_out"),
        ] {
            let text = of(Some("m"), Some(hook), None, Some(7));
            assert!(text.contains(&format!("cache[\"{wanted}\"]")), "{text}");
        }
        assert!(text.contains(".detach().flatten(0, 1)") && text.contains("padded"), "{text}");
        let text = of(None, None, None, Some(7));
        assert!(text.contains("blocks.7.hook_resid_post is a guess"), "{text}");
        assert!(text.contains("in the place of MODEL"), "{text}");
    }

    /// The names of tests/golden/layouts/gemma_scope_2_res and gemma_scope_2_tc.
    #[test]
    fn names_that_end_in_a_side_have_it_once() {
        let text = of(Some("google/gemma-3-1b-pt"), Some("model.layers.12.output"), None, Some(12));
        assert!(text.contains("= model.model.layers[12].output.save()"), "{text}");
        let text = of(
            Some("google/gemma-3-1b-pt"),
            Some("model.layers.13.pre_feedforward_layernorm.output"),
            Some("model.layers.13.post_feedforward_layernorm.input"),
            Some(13),
        );
        let module = "model.model.layers[13]";
        for line in [
            format!("activations = {module}.pre_feedforward_layernorm.output.save()"),
            format!("targets = {module}.post_feedforward_layernorm.input.save()"),
        ] {
            assert!(text.contains(&line), "{line}: {text}");
        }
        assert!(!text.contains("output.output") && !text.contains("input.output"), "{text}");
    }

    #[test]
    fn what_a_transcoder_reconstructs_is_saved_or_said_to_be_missing() {
        let hook = Some("blocks.8.ln2.hook_normalized".to_owned());
        let mut said = Recognised { hook, ..Recognised::default() };
        let text = activations_script(&said, 768, Some(2_304));
        assert!(text.contains("targets.npy is not saved here"), "{text}");
        assert!(text.contains("# targets.npy: 2304 wide"), "{text}");
        said.hook_out = Some("blocks.8.hook_mlp_out".to_owned());
        let text = activations_script(&said, 768, Some(2_304));
        assert!(text.contains("np.save(\"targets.npy\"") && !text.contains("not saved"), "{text}");
    }

    /// Text of a file goes into the program as text alone.
    #[test]
    fn names_of_files_cannot_become_code() {
        let text = of(Some("a\"); import os #"), Some("x\"].hook_y\n"), None, None);
        assert!(text.contains(r#"from_pretrained("a\"); import os #")"#), "{text}");
        assert!(!text.lines().any(|line| line.starts_with("import os")), "{text}");
        let text = of(Some("m"), Some("a.3.b(); import os"), None, None);
        assert!(text.contains("get_submodule(\"b(); import os\")"), "{text}");
    }
}
