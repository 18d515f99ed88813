"""FADE, CE-Bench and the Model Utilization Index of a language model anew, by a forward pass in NumPy.

    sfc-bench mui --model MODEL --json > mui.json
    python3 check.py mui.json --model MODEL
    sfc-bench ce-bench --model MODEL --sae SAE --json > ce-bench.json
    python3 check.py ce-bench.json --model MODEL --sae SAE
    sfc-bench fade --model MODEL --sae SAE --concepts RULES --json > fade.json
    python3 check.py fade.json --model MODEL --sae SAE --rules RULES

Reads a report that the page saved or the command line printed, and computes its numbers in float64 from
the tokens that stand in it. MODEL is a folder of Hugging Face's (config.json, model.safetensors or its
shards) of GPT-2, GPT-NeoX, Llama, Mistral, Qwen2, Qwen3, Gemma 2 or Gemma 3; SAE one of SAELens'
(cfg.json, sae_weights.safetensors): standard, topk or jumprelu. The core computes in float32: numbers of
activations are held to 1e-3 of the largest, and where two neurons or two tokens are as close as 1e-4 of
it, either is right. Numbers that follow from others in the report are held to 1e-9.

Ends with 0 if all numbers are as there, with 1 if not, and with 2 where it has no program for what it is
given. What it does not compute: how texts become tokens, which texts are made or asked, and of FADE how
latents are chosen, for which the report has no texts. Without --rules, which tokens have a concept is
taken from the report.
"""

import argparse
import json
import math
import string
import sys
from pathlib import Path

import numpy as np

MEASURED, FOLLOWS, CLOSE = 1e-3, 1e-9, 1e-4
# Positions that go through the model at once, rows of the unembedding, and lines that say what differs.
POSITIONS, ROWS, LINES = 4096, 16384, 20
# Tokens that stand before what is written.
PREFIX = 6


class Refused(Exception):
    """What there is no program for, in a sentence."""


def read_json(path):
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror or error}.") from None
    except ValueError as error:
        raise Refused(f"{path} is no JSON: {error}.") from None
    if not isinstance(found, dict):
        raise Refused(f"{path} is no JSON object.")
    return found


# ---- Files of tensors.


class Tensors:
    """Tensors of safetensors files, each read when it is asked for."""

    TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}

    def __init__(self, paths):
        self.where = {}
        for path in paths:
            try:
                data = np.memmap(path, np.uint8, "r")
                length = int.from_bytes(data[:8].tobytes(), "little")
                header = json.loads(data[8 : 8 + length].tobytes())
                header.pop("__metadata__", None)
                for name, of in header.items():
                    start, end = of["data_offsets"]
                    part = data[8 + length + start : 8 + length + end]
                    size = np.dtype(self.TYPES.get(of["dtype"], "u1")).itemsize
                    if of["dtype"] in self.TYPES and (
                        part.nbytes != end - start or part.nbytes != size * math.prod(of["shape"])
                    ):
                        raise ValueError(f"{name} has not as many bytes as it says")
                    self.where[name] = path, part, of["dtype"], of["shape"]
            except OSError as error:
                raise Refused(f"{path} cannot be read: {error.strerror or error}.") from None
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise Refused(f"{path} is no safetensors file: {error}.") from None

    def __contains__(self, name):
        return name in self.where

    def take(self, name, rows=None):
        """A tensor in float64, or some rows of it."""
        if name not in self.where:
            raise Refused(f"The weights have no tensor {name}.")
        path, part, kind, shape = self.where[name]
        if kind not in self.TYPES:
            raise Refused(f"{name} of {path} is {kind}; F32, F16 and BF16 are read.")
        values = part.view(self.TYPES[kind]).reshape(shape)
        values = values if rows is None else values[rows]
        if kind == "BF16":
            values = (values.astype(np.uint32) << 16).view(np.float32)
        return values.astype(np.float64)


def weights_of(folder):
    whole, index = folder / "model.safetensors", folder / "model.safetensors.index.json"
    if whole.exists():
        return Tensors([whole])
    if index.exists():
        shards = read_json(index).get("weight_map")
        if not isinstance(shards, dict) or not all(isinstance(name, str) for name in shards.values()):
            raise Refused(f"{index} has no weight_map.")
        return Tensors([folder / Path(name).name for name in sorted(set(shards.values()))])
    raise Refused(f"{folder} has neither model.safetensors nor its index; GGUF files are not read.")


# ---- A language model.

GEMMA = "gemma2", "gemma3"
PREFIXES = "model.", "", "language_model.model.", "model.language_model.", "transformer.", "gpt_neox."
# What a layer's tensors are called: normalisations, matrices, those behind.
LLAMA = {
    "embed": "embed_tokens",
    "layer": "layers",
    "ln1": "input_layernorm",
    "qkv": "self_attn.q_proj self_attn.k_proj self_attn.v_proj",
    "output": "self_attn.o_proj",
    "ln2": "post_attention_layernorm",
    "input": "mlp.gate_proj",
    "linear": "mlp.up_proj",
    "mlp": "mlp.down_proj",
    "last": "norm",
}
NAMES = {
    "gpt2": {
        "embed": "wte",
        "layer": "h",
        "ln1": "ln_1",
        "qkv": "attn.c_attn",
        "output": "attn.c_proj",
        "ln2": "ln_2",
        "input": "mlp.c_fc",
        "mlp": "mlp.c_proj",
        "last": "ln_f",
    },
    "gpt_neox": {
        "embed": "embed_in",
        "layer": "layers",
        "ln1": "input_layernorm",
        "qkv": "attention.query_key_value",
        "output": "attention.dense",
        "ln2": "post_attention_layernorm",
        "input": "mlp.dense_h_to_4h",
        "mlp": "mlp.dense_4h_to_h",
        "last": "final_layer_norm",
    },
}
BEHIND = {
    "ln1_post": "post_attention_layernorm",
    "ln2": "pre_feedforward_layernorm",
    "ln2_post": "post_feedforward_layernorm",
}
# What transformers' classes take where a configuration says nothing.
DEFAULTS = {
    "mistral": {"num_key_value_heads": 8},
    "qwen2": {"num_key_value_heads": 32},
    "qwen3": {"num_key_value_heads": 32, "head_dim": 128},
    "gemma2": {"num_key_value_heads": 4, "head_dim": 256},
    "gemma3": {"num_key_value_heads": 4, "head_dim": 256},
}
# What Gemma 3's configurations leave out where they are part of a larger one.
NESTED = {
    "hidden_size": 2304,
    "num_attention_heads": 8,
    "num_hidden_layers": 26,
    "intermediate_size": 9216,
    "vocab_size": 262208,
}


def erf(x):
    return np.fromiter(map(math.erf, x.ravel()), float, x.size).reshape(x.shape)


def silu(x):
    return x * (0.5 + 0.5 * np.tanh(0.5 * x))


def gelu(x):
    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


ACTIVATIONS = {
    "silu": silu,
    "swish": silu,
    "gelu": gelu,
    "gelu_new": gelu_tanh,
    "gelu_pytorch_tanh": gelu_tanh,
    "relu": lambda x: np.maximum(0, x),
}


def activation_of(name):
    if name not in ACTIVATIONS:
        raise Refused(f"There is no program for neurons of {name!r}; of {', '.join(ACTIVATIONS)} there is.")
    return ACTIVATIONS[name]


def frequencies(theta, scaling, dimensions):
    """Of each pair of dimensions, after what is done for texts longer than those of training."""
    found = theta ** (-2.0 * np.arange(dimensions // 2) / dimensions)
    scaling = scaling or {}
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "default":
        return found
    if kind == "linear":
        return found / scaling["factor"]
    if kind != "llama3":
        raise Refused(f"There is no program for rotary positions of {kind!r}; of linear and llama3 there is.")
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    turns = scaling["original_max_position_embeddings"] * found / (2 * math.pi)
    share = np.clip((turns - low) / (high - low), 0, 1)
    return found * ((1 - share) / scaling["factor"] + share)


class Model:
    def __init__(self, folder):
        outer = read_json(folder / "config.json")
        kind = str(outer.get("model_type")).removesuffix("_text")
        known = "gpt2", "gpt_neox", "llama", *DEFAULTS
        if kind not in known:
            raise Refused(
                f"There is no program for a model of type {kind!r}; of {', '.join(known)} there is."
            )
        if outer.get("quantization_config"):
            raise Refused("Quantised weights are not read; F32, F16 and BF16 are.")
        self.kind = kind
        self.weights = weights_of(folder)
        try:
            self.describe(outer)
        except KeyError as error:
            raise Refused(f"{folder / 'config.json'} does not say {error}.") from None
        except (TypeError, ZeroDivisionError, AttributeError) as error:
            raise Refused(f"{folder / 'config.json'} has a value that is not understood: {error}.") from None

    def describe(self, outer):
        kind, nested = self.kind, outer.get("text_config") or {}
        said = nested or outer
        c = {key: value for key, value in said.items() if value is not None}
        for key, value in (NESTED if nested else {}).items():
            c.setdefault(key, value)
        old = {"n_layer": "num_hidden_layers", "n_head": "num_attention_heads", "n_embd": "hidden_size"}
        for key, name in old.items() if kind == "gpt2" else ():
            c.setdefault(name, c[key])
        gemma, d = kind in GEMMA, c["hidden_size"]
        self.layers, self.heads, self.width = c["num_hidden_layers"], c["num_attention_heads"], d
        apart = kind in ("gpt2", "gpt_neox")
        default = DEFAULTS.get(kind, {})
        heads = default.get("num_key_value_heads", self.heads)
        self.kv_heads = self.heads if apart else c.get("num_key_value_heads", heads)
        default = default.get("head_dim", d // self.heads)
        self.d_head = d // self.heads if apart else c.get("head_dim", default)
        self.neurons = c.get("n_inner", 4 * d) if kind == "gpt2" else c["intermediate_size"]
        key = {"gpt2": "layer_norm_epsilon", "gpt_neox": "layer_norm_eps"}.get(kind, "rms_norm_eps")
        self.epsilon = c.get(key, 1e-5 if apart else 1e-6)
        if gemma:
            name = c.get("hidden_activation", c.get("hidden_act", "gelu_pytorch_tanh"))
            # Files of Gemma say "gelu", and mean its other form.
            self.activation = activation_of("gelu_pytorch_tanh" if name == "gelu" else name)
        elif kind == "gpt2":
            self.activation = activation_of(c.get("activation_function", "gelu_new"))
        else:
            self.activation = activation_of(c.get("hidden_act", "gelu" if apart else "silu"))
        self.parallel = kind == "gpt_neox" and c.get("use_parallel_residual", True)
        self.embedding_scale = math.sqrt(d) if gemma else 1.0
        self.attention_scale = (c.get("query_pre_attn_scalar", 256) if gemma else self.d_head) ** -0.5
        self.attention_cap = said.get("attn_logit_softcapping", 50.0) if kind == "gemma2" else None
        cap = {"gemma2": 30.0, "gemma3": None}
        self.logit_cap = said.get("final_logit_softcapping", cap[kind]) if gemma else None
        self.slides(c)
        self.turns(c)
        self.names = NAMES.get(kind, LLAMA | (BEHIND if gemma else {}))
        embed = f"{self.names['embed']}.weight"
        found = [prefix for prefix in PREFIXES if prefix + embed in self.weights]
        if not found:
            raise Refused(f"The weights have no tensor {embed}.")
        self.before = found[0]
        self.embed = self.before + embed
        tied = c.get("tie_word_embeddings", gemma or kind == "gpt2")
        heads = "embed_out.weight", "lm_head.weight"
        self.head = (
            self.embed if tied else next((name for name in heads if name in self.weights), "lm_head.weight")
        )
        self.last = self.gain(f"{self.before}{self.names['last']}")

    def slides(self, c):
        """Which layers have a window, and of how many positions."""
        gemma, layers = self.kind in GEMMA, range(self.layers)
        window, sliding = c.get("sliding_window", 4096 if gemma else None), [False] * self.layers
        if self.kind == "mistral":
            sliding = [window is not None] * self.layers
        elif gemma or (self.kind in ("qwen2", "qwen3") and c.get("use_sliding_window", False)):
            if "layer_types" in c:
                sliding = [kind == "sliding_attention" for kind in c["layer_types"]]
            elif self.kind == "gemma2":
                sliding = [layer % 2 == 0 for layer in layers]
            elif self.kind == "gemma3":
                pattern = c.get("sliding_window_pattern", c.get("_sliding_window_pattern", 6))
                sliding = [(layer + 1) % pattern != 0 for layer in layers]
            else:
                sliding = [layer >= c.get("max_window_layers", 28) for layer in layers]
        if len(sliding) != self.layers or (any(sliding) and window is None):
            raise Refused("config.json does not say which layers have a window, or of how many positions.")
        self.window, self.sliding = window, sliding

    def turns(self, c):
        """Frequencies of rotary positions, of layers without a window and of those with one."""
        if self.kind == "gpt2":
            self.frequencies = None
            return
        parameters, size = c.get("rope_parameters"), self.d_head
        if self.kind == "gpt_neox":
            share = parameters.get("partial_rotary_factor", 0.25) if parameters else c.get("rotary_pct", 0.25)
            size = int(self.d_head * share)
        if self.kind == "gemma3":
            if parameters:
                each = [(parameters["full_attention"], 1e6), (parameters["sliding_attention"], 1e4)]
                rules = [(of.get("rope_theta", theta), of) for of, theta in each]
            else:
                rules = [
                    (c.get("rope_theta", 1e6), c.get("rope_scaling")),
                    (c.get("rope_local_base_freq", 1e4), None),
                ]
        else:
            key = "rope_theta" if parameters or self.kind != "gpt_neox" else "rotary_emb_base"
            theta = (parameters or c).get(key, 1e4)
            rules = [(theta, parameters or c.get("rope_scaling"))] * 2
        self.frequencies = [frequencies(float(theta), scaling, size) for theta, scaling in rules]

    # -- Parts of the forward pass.

    def gain(self, name):
        weight = self.weights.take(f"{name}.weight")
        bias = f"{name}.bias"
        return weight + (self.kind in GEMMA), self.weights.take(bias) if bias in self.weights else None

    def linear(self, name):
        """A matrix of inputs × outputs, and what is added."""
        weight = self.weights.take(f"{name}.weight")
        bias = f"{name}.bias"
        return weight if self.kind == "gpt2" else weight.T, self.weights.take(
            bias
        ) if bias in self.weights else 0.0

    def layer(self, number):
        before, names = f"{self.before}{self.names['layer']}.{number}.", self.names
        w = {
            part: self.gain(before + names[part])
            for part in ("ln1", "ln2", "ln1_post", "ln2_post")
            if part in names
        }
        w |= {
            part: self.linear(before + names[part])
            for part in ("output", "input", "linear", "mlp")
            if part in names
        }
        w["qkv"] = [self.linear(before + name) for name in names["qkv"].split()]
        if self.kind in ("qwen3", "gemma3"):
            w["qk_norm"] = [self.gain(f"{before}self_attn.{part}_norm") for part in "qk"]
        return w

    def normal(self, x, gain):
        weight, bias = gain
        if self.kind in NAMES:
            x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + self.epsilon) * weight
        return x if bias is None else x + bias

    def turn(self, x, positions, local):
        if self.frequencies is None:
            return x
        rates = self.frequencies[local]
        angles = positions[:, None, None] * rates
        half = len(rates)
        a, b, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
        cos, sin = np.cos(angles), np.sin(angles)
        return np.concatenate([a * cos - b * sin, b * cos + a * sin, rest], -1)

    def attend(self, q, k, v, sliding):
        k, v = (np.repeat(x, self.heads // self.kv_heads, 1) for x in (k, v))
        scores = np.einsum("qhd,khd->hqk", q, k) * self.attention_scale
        if self.attention_cap:
            scores = self.attention_cap * np.tanh(scores / self.attention_cap)
        at = np.arange(len(q))
        away = at[:, None] - at
        scores[:, (away < 0) | ((away >= self.window) if sliding else False)] = -np.inf
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        return np.einsum("hqk,khd->qhd", scores / scores.sum(-1, keepdims=True), v)

    def run(self, texts, at, until=None):
        """All texts at once, one below the other; `at` is told what is at each hook and may return something
        else. The residual stream after the last layer, or after the one of a hook."""
        lengths = [len(text) for text in texts]
        ends = np.cumsum(lengths)
        spans = [slice(end - length, end) for end, length in zip(ends, lengths)]
        positions = np.concatenate([np.arange(length) for length in lengths])

        def hook(name, x):
            changed = at(name, x)
            return x if changed is None else changed

        x = hook("hook_embed", self.weights.take(self.embed, np.concatenate(texts)) * self.embedding_scale)
        if self.kind == "gpt2":
            x = x + hook("hook_pos_embed", self.weights.take(f"{self.before}wpe.weight", positions))
        for number in range(self.layers):
            w, block, sliding = self.layer(number), f"blocks.{number}.", self.sliding[number]
            x = hook(f"{block}hook_resid_pre", x)
            normal = self.normal(x, w["ln1"])
            parts = [normal @ weight + bias for weight, bias in w["qkv"]]
            if self.kind == "gpt2":
                parts = np.split(parts[0], 3, -1)
            elif self.kind == "gpt_neox":
                by_head = parts[0].reshape(len(x), self.heads, 3, self.d_head)
                parts = [by_head[:, :, part] for part in range(3)]
            q, k, v = (part.reshape(len(x), -1, self.d_head) for part in parts)
            q, k, v = (hook(f"{block}attn.hook_{name}", part) for name, part in zip("qkv", (q, k, v)))
            if "qk_norm" in w:
                q, k = (self.normal(part, gain) for part, gain in zip((q, k), w["qk_norm"]))
            q, k = (self.turn(part, positions, sliding) for part in (q, k))
            z = np.concatenate([self.attend(q[span], k[span], v[span], sliding) for span in spans])
            z = hook(f"{block}attn.hook_z", z).reshape(len(x), -1)
            weight, bias = w["output"]
            added = z @ weight + bias
            if "ln1_post" in w:
                added = self.normal(added, w["ln1_post"])
            added = hook(f"{block}hook_attn_out", added)
            read, x = x, x + added
            if not self.parallel:
                read = x = hook(f"{block}hook_resid_mid", x)
            normal = self.normal(read, w["ln2"])
            weight, bias = w["input"]
            post = self.activation(hook(f"{block}mlp.hook_pre", normal @ weight + bias))
            if "linear" in w:
                weight, bias = w["linear"]
                post = post * (normal @ weight + bias)
            post = hook(f"{block}mlp.hook_post", post)
            weight, bias = w["mlp"]
            added = post @ weight + bias
            if "ln2_post" in w:
                added = self.normal(added, w["ln2_post"])
            x = hook(f"{block}hook_resid_post", x + hook(f"{block}hook_mlp_out", added))
            if until and until.startswith(block):
                break
        return x

    def logits(self, x, tokens=None):
        """After rows of the residual stream, of some tokens or of all."""
        x = self.normal(x, self.last)
        if tokens is None:
            rows = self.weights.where[self.head][3][0]
            parts = [slice(first, first + ROWS) for first in range(0, rows, ROWS)]
        else:
            parts = [tokens]
        found = np.concatenate([x @ self.weights.take(self.head, part).T for part in parts], -1)
        return self.logit_cap * np.tanh(found / self.logit_cap) if self.logit_cap else found

    def promotions(self, tokens):
        """What each neuron at 1 adds to the logits of tokens, without scales: layers × neurons × tokens."""
        reads = self.weights.take(self.head, tokens) * self.last[0]
        for number in range(self.layers):
            name = f"{self.before}{self.names['layer']}.{number}."
            weight, _ = self.linear(name + self.names["mlp"])
            post = self.names.get("ln2_post")
            yield weight * (self.gain(name + post)[0] if post else 1.0) @ reads.T

    def check(self, texts):
        size = self.weights.where[self.embed][3][0]
        if any(not text or min(text) < 0 or max(text) >= size for text in texts):
            raise Refused(f"The report has tokens that the model has not: it has {size}. Is it this model's?")

    def groups(self, texts):
        """Texts that go through at once."""
        self.check(texts)
        group, count = [], 0
        for number, text in enumerate(texts):
            if group and count + len(text) > POSITIONS:
                yield group
                group, count = [], 0
            group.append(number)
            count += len(text)
        if group:
            yield group

    def at_hook(self, texts, name):
        """What is at a hook at all positions but the first, of each text."""
        found = []
        for group in self.groups(texts):
            some, seen = [texts[number] for number in group], {}

            def at(hook, x, seen=seen):
                if hook == name:
                    seen[name] = x.reshape(len(x), -1)

            self.run(some, at, name)
            if name not in seen:
                raise Refused(f"There is no program for activations at {name}.")
            found += [rows[1:] for rows in np.split(seen[name], np.cumsum([len(text) for text in some])[:-1])]
        return found


# ---- An autoencoder.


class Autoencoder:
    def __init__(self, folder):
        c = {key: value for key, value in read_json(folder / "cfg.json").items() if value is not None}
        tensors = Tensors([folder / "sae_weights.safetensors"])
        words = [c.get(key) for key in ("activation_fn", "activation_fn_str", "activation")]
        kept = (c.get("activation_fn_kwargs") or {}).get("k", c.get("k"))
        kind = c.get("architecture", "standard")
        kind = "topk" if kind == "standard" and "topk" in words else kind
        none = "There is no program for an autoencoder"
        if kind not in ("standard", "topk", "jumprelu"):
            raise Refused(f"{none} of architecture {kind!r}; of standard, topk and jumprelu there is.")
        if any(word not in (None, "relu", "topk") for word in words) or (kind == "topk" and not kept):
            raise Refused(f"{none} of this activation.")
        normal = c.get("normalize_activations", "none")
        if normal not in ("none", False) or "norm_scaling_factor" in c:
            raise Refused(f"{none} with normalize_activations {normal!r}.")
        odd = "finetuning_scaling_factor", "rescale_acts_by_decoder_norm", "use_error_term", "transcode"
        for key in odd:
            if c.get(key) and not (key == odd[1] and kind != "topk"):
                raise Refused(f"{none} with {key}.")
        known = {"W_enc", "W_dec", "b_enc", "b_dec", "threshold", "log_threshold"}
        for name in set(tensors.where) - known:
            raise Refused(f"{none} with a tensor {name}.")
        self.decoder, self.encoder = tensors.take("W_dec"), tensors.take("W_enc")
        self.offset, self.bias = tensors.take("b_dec").ravel(), tensors.take("b_enc").ravel()
        k, d = self.decoder.shape
        if self.encoder.shape != (d, k) or len(self.offset) != d or len(self.bias) != k:
            raise Refused("The autoencoder's tensors do not fit each other.")
        self.subtracts = c.get("apply_b_dec_to_input", True)
        self.kept = min(int(kept), k) if kind == "topk" else None
        self.threshold = 0.0
        if kind == "jumprelu":
            if "threshold" not in tensors and "log_threshold" in tensors:
                self.threshold = np.exp(tensors.take("log_threshold").ravel())
            else:
                self.threshold = np.maximum(tensors.take("threshold").ravel(), 0)
            self.threshold = np.broadcast_to(self.threshold, (k,))

    def encode(self, x, latent=None):
        """Codes of rows; of one latent where it is asked for."""
        x = x - self.offset if self.subtracts else x
        if latent is not None and self.kept is None:
            z = x @ self.encoder[:, latent] + self.bias[latent]
            return np.where(z > (self.threshold[latent] if np.ndim(self.threshold) else 0.0), z, 0)
        z = x @ self.encoder + self.bias
        z = np.where(z > self.threshold, z, 0)
        if self.kept is not None:
            rest = np.argsort(-z, axis=1, kind="stable")[:, self.kept :]
            np.put_along_axis(z, rest, 0, axis=1)
        return z if latent is None else z[:, latent]


def random_directions(sae, seed):
    """As many as there are latents, at most 256."""
    k, d = sae.decoder.shape
    return np.random.RandomState(seed).standard_normal((d, min(k, 256)))


# ---- What is compared.


class Compared:
    def __init__(self):
        self.count, self.differ, self.worst, self.close = 0, [], 0.0, 0

    def is_so(self, what, agrees, found=None, wanted=None):
        self.count += 1
        if not agrees:
            both = "other in the report" if wanted is None else f"{found} here, {wanted} in the report"
            self.differ.append(f"{what}: {both}")

    def number(self, what, found, wanted, tolerance=FOLLOWS, scale=None):
        """A number, to a share of what it is or of something larger."""
        if found is None or wanted is None:
            self.is_so(what, found is None and wanted is None, found, str(wanted))
            return
        away = abs(found - wanted) / max(abs(found), abs(wanted), scale or 0.0, 1e-12)
        self.worst = max(self.worst, away)
        self.is_so(what, away <= tolerance, f"{found:.9g}", f"{wanted:.9g}")

    def numbers(self, what, found, wanted, tolerance=MEASURED):
        """A row of numbers, to a share of the largest."""
        if len(found) != len(wanted):
            self.is_so(what, False, f"{len(found)} numbers", str(len(wanted)))
            return
        scale = max(map(abs, found), default=0.0)
        for at, (one, other) in enumerate(zip(found, wanted)):
            self.number(f"{what}, {at}", float(one), other, tolerance, scale)

    def largest(self, what, values, chosen, scale=None):
        """Which of some values is the largest."""
        values = np.asarray(values)
        if not 0 <= chosen < len(values):
            self.is_so(what, False, int(values.argmax()), chosen)
            return
        least = values.max() - CLOSE * (np.abs(values).max() if scale is None else scale)
        self.is_so(what, values[chosen] >= least, int(values.argmax()), chosen)
        self.close += int(chosen != values.argmax() and values[chosen] >= least)


# ---- The Model Utilization Index.


def check_neurons(compared, what, scores, options, told):
    """Which neurons count by a threshold: those at it to rounding may or may not."""
    layers, width = scores.shape
    rule, kept, share = (options.get(name) for name in ("threshold", "kept", "share"))
    usual = max(1, math.floor(0.001 * width + 1e-9))
    if rule == "topscore":
        level = (0.8 if share is None else share) * scores.max(1, keepdims=True)
    elif rule == "global-topk":
        level = np.sort(scores.ravel())[-(kept or usual * layers)]
    elif rule in ("topk", "top-share"):
        share = 0.001 if share is None else share
        count = (kept or usual) if rule == "topk" else math.floor(share * width + 1e-9)
        level = np.sort(scores, 1)[:, -count, None]
    else:
        raise Refused(f"There is no program for the threshold {rule!r}.")
    margin = CLOSE * np.abs(scores).max(None if rule == "global-topk" else 1, keepdims=True)
    is_told = np.zeros(scores.shape, bool)
    for layer, at in told:
        is_told[layer, at] = True
    off = is_told != (scores >= level)
    wrong = off & (np.abs(scores - level) > margin)
    compared.close += int((off & ~wrong).sum())
    found = f"{int((scores >= level).sum())} neurons"
    compared.is_so(what, not wrong.any(), found, f"{len(told)} with {int(wrong.sum())} wrong or left out")


def of_mean(values, seed):
    """A 95 % interval of the mean of values drawn with replacement; none of fewer than ten, or of equal ones."""
    values = np.asarray(values, float)
    if len(values) < 10 or (values == values[0]).all():
        return None
    rng = np.random.RandomState(seed)
    means = [values[rng.randint(0, len(values), len(values))].mean() for _ in range(1000)]
    return [float(end) for end in np.quantile(means, [0.025, 0.975])]


def gini(a, b):
    above, equal = of_pairs(a, b)
    return 2 * (above + equal / 2) - 1


def of_gini(first, second, seed):
    """The same of the Gini coefficient of two sets, each drawn by itself, in the direction of the whole sets."""
    if min(len(first), len(second)) < 10:
        return None
    rng, found, sign = np.random.RandomState(seed), [], -1 if gini(first, second) < 0 else 1
    for _ in range(400):
        found.append(sign * gini(*(some[rng.randint(0, len(some), len(some))] for some in (first, second))))
    return [float(end) for end in np.quantile(found, [0.025, 0.975])]


def check_interval(compared, what, mine, told, tolerance, size=None):
    """Both ends, or neither."""
    if mine is None or told is None:
        compared.is_so(f"{what}, interval", mine is told, mine, told)
        return
    for end, value, other in zip(("low", "high"), mine, told):
        compared.number(f"{what}, {end}", value, other, tolerance, size)


def alone(answers, key, total):
    """What each answer alone uses of all neurons."""
    used = [{tuple(one) for one in answer[key]} for answer in answers]
    counts = {}
    for one in (neuron for some in used for neuron in some):
        counts[one] = counts.get(one, 0) + 1
    return np.array([sum(counts[one] == 1 for one in some) for some in used]) / total


def check_mui(compared, report, model):
    layers, width, options = model.layers, model.neurons, report["options"]
    told = report["layers"], report["neurons"]
    compared.is_so("layers and neurons of each", told == (layers, width), (layers, width), told)
    if compared.differ:
        return
    answers = [(task["task"], answer) for task in report["tasks"] for answer in task["answers"]]
    texts = [answer["tokens"] for _, answer in answers]
    model.check([answer["choices"] for _, answer in answers])
    tokens = sorted({token for _, answer in answers for token in answer["choices"][:2]})
    place = {token: at for at, token in enumerate(tokens)}
    adds = list(model.promotions(tokens))
    for group in model.groups(texts):
        some, posts = [texts[number] for number in group], []
        last = np.cumsum([len(text) for text in some]) - 1

        def at(hook, x, posts=posts, last=last):
            if hook.endswith("mlp.hook_post"):
                posts.append(x[last])

        ends = model.run(some, at)[last]
        for row, number in enumerate(group):
            name, answer = answers[number]
            what = f"{name}, question {answer['question']}"
            logits = model.logits(ends[row : row + 1], answer["choices"])[0]
            compared.largest(f"{what}, what is chosen", logits, answer["chosen"])
            for key, choice in zip(("neurons", "other"), answer["choices"]):
                scores = np.array([post[row] * by[:, place[choice]] for post, by in zip(posts, adds)])
                check_neurons(compared, f"{what}, {key}", scores, options, answer[key])
    everything = set()
    for task in report["tasks"]:
        used, other, growth, counts = set(), set(), [], []
        for answer in task["answers"]:
            mine = {tuple(one) for one in answer["neurons"]}
            used |= mine
            other |= {tuple(one) for one in answer["other"]}
            counts.append(len(mine))
            growth.append(len(used) / (layers * width))
        everything |= used
        share = np.mean(counts) / (layers * width)
        found = {
            "accuracy": np.mean([answer["chosen"] == 0 for answer in task["answers"]]),
            "chance": np.mean([1 / len(answer["choices"]) for answer in task["answers"]]),
            "mui": growth[-1],
            "mui_other": len(other) / (layers * width),
            "mui_random": 1 - (1 - share) ** len(counts),
            "mean_k": share * width,
        }
        for key, value in found.items():
            compared.number(f"{task['task']}, {key}", float(value), task[key])
        compared.numbers(f"{task['task']}, growth", growth, task["growth"], FOLLOWS)
        if "mui_interval" not in task:
            continue
        seed, n = options["seed"], len(counts)
        added = {"accuracy": np.array([answer["chosen"] == 0 for answer in task["answers"]], float)}
        for key, neurons in (("mui", "neurons"), ("mui_other", "other")):
            own = alone(task["answers"], neurons, layers * width)
            added[key] = found[key] + (n - 1) * (own - own.mean())
        for key, values in added.items():
            what = f"{task['task']}, {key}"
            mine = of_mean(values, seed)
            mine = mine and [min(max(end, 0.0), 1.0) for end in mine]
            check_interval(compared, what, mine, task[f"{key}_interval"], FOLLOWS)
    compared.number("mui", len(everything) / (layers * width), report["mui"])


# ---- CE-Bench.

KINDS = "contrastive", "independence", "interpretability"
READINGS = "v1_marked", "code_head", "readme", "paper"


def z_scores(values, ddof):
    std = values.std(ddof=ddof) if len(values) > ddof else 0.0
    return (values - values.mean()) / (std if std > 0 else 1)


def mean(rows):
    return rows.mean(0) if len(rows) else np.zeros(rows.shape[1])


def story_scores(stories, marks, every):
    """Each reading's contrastive and independence scores of latents, and its interpretability score."""
    tokens, marked = np.concatenate(stories), np.concatenate(marks)
    first, second, head = stories[0].mean(0), stories[1].mean(0), tokens.mean(0)
    with_, without = mean(tokens[marked]), mean(tokens[~marked])
    contrast, independence = abs(first - second), abs(with_ - without)

    def scaled(a, b):
        least, most = min(a.min(), b.min()), max(a.max(), b.max())
        return abs(a - b) / (most - least if most > least else 1)

    found = [
        (z_scores(contrast, 0), z_scores(independence, 0), z_scores(contrast + independence, 0).max()),
        (z_scores(contrast, 1), z_scores(head, 1), z_scores(contrast + head, 1).max()),
    ]
    for pair in (scaled(first, second), scaled(with_, without)), (contrast, abs(head - every)):
        found.append((*pair, pair[0].max() + pair[1].max()))
    return found


def check_ce_bench(compared, report, model, sae):
    pairs, seed = report["pairs"], report["seed"]
    texts = [story for pair in pairs for story in pair["tokens"]]
    rows = model.at_hook(texts, report["hook"])
    marks = [np.array(mark, bool) for pair in pairs for mark in pair["marks"]]
    if not rows or any(len(a) != len(b) for a, b in zip(rows, marks)):
        raise Refused("The report has no stories, or marks of other tokens than theirs.")
    if rows[0].shape[1] != len(sae.offset):
        raise Refused(
            f"The autoencoder reads {len(sae.offset)} numbers; {report['hook']} has {rows[0].shape[1]}."
        )
    codes = [sae.encode(row).astype(np.float32) for row in rows]
    vectors = random_directions(sae, seed)
    products = [np.maximum(0, row @ vectors) for row in rows]

    def scores(values, shuffled=False):
        every = sum(row.sum(0, dtype=np.float64) for row in values) / sum(map(len, values))
        for index in range(len(pairs)):
            two = slice(2 * index, 2 * index + 2)
            stories, marked = [row.astype(np.float64) for row in values[two]], marks[two]
            if shuffled:
                rng, first = np.random.RandomState((seed + index) % 2**32), len(stories[0])
                both = np.concatenate(stories)
                both = both[rng.permutation(len(both))]
                order = np.concatenate(marked)[rng.permutation(len(both))]
                stories, marked = [both[:first], both[first:]], [order[:first], order[first:]]
            yield story_scores(stories, marked, every)

    def largest(all_):
        """Of each pair, by reading and score."""
        return np.array([[[a.max(), b.max(), c] for a, b, c in one] for one in all_])

    own = list(scores(codes))
    for pair, found in zip(pairs, own):
        for name, told, (contrast, independence, whole) in zip(READINGS, pair["scores"], found):
            what = f"{pair['name']}, {name}"
            for kind, value in zip(KINDS, (contrast.max(), independence.max(), whole)):
                compared.number(f"{what}, {kind}", float(value), told[kind], MEASURED)
            for kind, values in zip(KINDS, (contrast, independence)):
                compared.largest(f"{what}, latent of {kind}", values, told[f"{kind}_latent"])
    k = len(sae.bias)
    others = (
        ("random", largest(scores(products)), vectors.shape[1]),
        ("shuffled", largest(scores(codes, True)), k),
    )
    for encoder, each, latents in (("autoencoder", largest(own), k), *others):
        told, found = report[encoder], each.mean(0)
        compared.is_so(f"{encoder}, latents", told["latents"] == latents, latents, told["latents"])
        for name, row, some in zip(READINGS, found, np.moveaxis(each, 1, 0)):
            for kind, value, values in zip(KINDS, row, some.T):
                what = f"{encoder}, {name}, {kind}"
                compared.number(what, float(value), told["readings"][name][kind], MEASURED)
                if "intervals" in told:
                    mine = of_mean(values, seed)
                    check_interval(compared, what, mine, told["intervals"][name][kind], MEASURED)
        if latents > 1:
            share = found[0][2] / math.sqrt(latents - 1)
            compared.number(f"{encoder}, share of the largest", float(share), told["of_bound"], MEASURED)


# ---- FADE.


class Texts:
    """What tokens stand for, by tokenizer.json."""

    def __init__(self, folder):
        data = read_json(folder / "tokenizer.json")
        of, decoder = data.get("model") or {}, data.get("decoder") or {}
        vocabulary = of.get("vocab")
        steps = [one.get("type") for one in decoder.get("decoders", [decoder])]
        if of.get("type") != "BPE" or not isinstance(vocabulary, dict):
            raise Refused(
                f"Rules cannot be decided with a tokenizer of type {of.get('type')!r}; with BPE they can."
            )
        self.pieces = {}
        # Bytes that are no visible characters stand for themselves 256 higher, in their order.
        seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
        hidden = [byte for byte in range(256) if byte not in seen]
        letters = {chr(byte): byte for byte in seen} | {chr(256 + at): byte for at, byte in enumerate(hidden)}
        for text, number in vocabulary.items():
            if "ByteLevel" in steps:
                piece = bytes(letters[c] for c in text) if all(c in letters for c in text) else text.encode()
            elif of.get("byte_fallback") and len(text) == 6 and text.startswith("<0x") and text.endswith(">"):
                piece = bytes([int(text[3:5], 16)])
            else:
                piece = text.replace("\u2581", " ").encode()
            self.pieces[number] = piece.decode(errors="replace")
        if "ByteLevel" not in steps and "Replace" not in steps:
            raise Refused(f"Rules cannot be decided with a decoder of {', '.join(map(str, steps))}.")
        for one in data.get("added_tokens") or []:
            self.pieces[one["id"]] = one["content"]

    def of(self, tokens):
        return [self.pieces.get(token, "\ufffd") for token in tokens]


def word_at(text, start, end):
    """The word that a stretch is, or is part of: letters around its first letter."""
    at = next((at for at in range(start, end) if text[at].isalpha()), None)
    if at is None:
        return ""
    first = last = at
    while first > 0 and text[first - 1].isalpha():
        first -= 1
    while last < len(text) and text[last].isalpha():
        last += 1
    return text[first:last]


CLASSES = {
    "digit": lambda piece, word: any(c in string.digits for c in piece),
    "newline": lambda piece, word: "\n" in piece,
    "punctuation": lambda piece, word: (
        bool(piece.strip()) and all(c in string.punctuation for c in piece.strip())
    ),
    "non-ascii": lambda piece, word: any(c.isalpha() and not c.isascii() for c in piece),
    "upper": lambda piece, word: len(word) > 1 and all(c.isupper() for c in word),
    "capitalised": lambda piece, word: len(word) > 1 and word[0].isupper() and word[1].islower(),
}


def stretches(text, opens, closes):
    """Between two delimiters, without these, outermost ones."""
    found, start, depth = [], 0, 0
    for at, c in enumerate(text):
        if c == closes and depth > 0:
            depth -= 1
            if depth == 0:
                found.append((start, at))
        elif c == opens:
            start = at + 1 if depth == 0 else start
            depth += 1
    return found


class Rule:
    """A concept: "name: kind argument …"."""

    def __init__(self, line, texts):
        name, _, rule = line.partition(":")
        self.name, self.texts = name.strip(), texts
        self.kind, *rest = rule.split() or [""]
        self.arguments = [word.lower() for word in rest] if self.kind in ("words", "starts", "ends") else rest
        known = {
            "class": len(rest) == 1 and rest[0] in CLASSES,
            "inside": [len(one) for one in rest] == [1, 1],
            "chars": rest and all(len(one) == 1 for one in rest),
        }
        if self.kind not in ("words", "starts", "ends", *known) or not rest or not known.get(self.kind, True):
            raise Refused(f"The rule {line!r} cannot be decided here.")

    def holds(self, piece, text, start, end, inside):
        rest = self.arguments
        if self.kind == "chars":
            return any(c in rest for c in piece)
        if self.kind == "inside":
            return end > start and any(a <= start and end <= b for a, b in inside)
        word = word_at(text, start, end)
        if self.kind == "class":
            return CLASSES[rest[0]](piece, word)
        word = word.lower()
        if self.kind == "words":
            return word in rest
        if self.kind == "starts":
            return any(word.startswith(one) for one in rest) if word else False
        return any(len(word) > len(one) and word.endswith(one) for one in rest)

    def labels(self, tokens):
        """Which tokens of a text are of it."""
        pieces = self.texts.of(tokens)
        text, at, found = "".join(pieces), 0, []
        inside = stretches(text, *self.arguments) if self.kind == "inside" else []
        for piece in pieces:
            found.append(self.holds(piece, text, at, at + len(piece), inside))
            at += len(piece)
        return found


def rules_of(path, model, concepts):
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise Refused(f"{path} cannot be read: {error}.") from None
    lines = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
    texts = Texts(model)
    rules = [Rule(line, texts) for line in lines]
    names = [one["concept"] for one in concepts]
    # A report that was ended early has the first of them.
    if [rule.name for rule in rules][: len(names)] != names:
        raise Refused(f"{path} has other concepts than the report: {', '.join(names)}.")
    return rules[: len(names)]


def of_pairs(a, b):
    """Shares of pairs in which the first is larger, and in which both are equal."""
    b = np.sort(b)
    below, upto = np.searchsorted(b, a, "left"), np.searchsorted(b, a, "right")
    return below.sum() / (len(a) * len(b)), (upto - below).sum() / (len(a) * len(b))


def clarity(a, b):
    above, equal = of_pairs(a, b)
    return {"document": abs(2 * above - 1), "code": abs(2 * (above + equal / 2) - 1)}


def precision(with_, without):
    """The average precision; equal activations enter together."""
    values, area, before = np.concatenate([with_, without]), 0.0, 0.0
    for least in sorted(set(values), reverse=True):
        right, count = (with_ >= least).sum(), (values >= least).sum()
        area += (right / len(with_) - before) * right / count
        before = right / len(with_)
    return area


def purity(with_, without):
    above, equal = of_pairs(with_, without)
    sign = -1 if above + equal / 2 < 0.5 else 1
    return {"document": precision(with_, without), "code": precision(sign * with_, sign * without)}


def pooled(values):
    return float(values[np.abs(values).argmax()]) if len(values) else 0.0


def check_written(compared, what, feature, model, hook, options, activations, unit, starts, rule):
    """What the model writes with a feature turned to a value: each token is the likeliest after those before."""
    factors, rows = options["factors"], feature["written"]
    texts = [row for some in rows for row in some]
    wanted = [factor * feature["largest"] for factor, some in zip(factors, rows) for _ in some]
    for number, some in enumerate(rows):
        begun = [row[:PREFIX] for row in some]
        known = begun == starts[: len(some)] if rule else all(start in starts for start in begun)
        compared.is_so(f"{what}, beginnings at factor {factors[number]}", known)
    for group in model.groups(texts):
        some = [texts[number] for number in group]
        first = np.cumsum([0, *map(len, some[:-1])])
        goal = np.concatenate([[wanted[number]] * len(texts[number]) for number in group])

        def at(name, x, first=first, goal=goal):
            if name != hook:
                return None
            shape, x = x.shape, x.reshape(len(x), -1)
            by = goal - activations(x)
            by[first] = 0
            return (x + by[:, None] * unit).reshape(shape)

        found = model.run(some, at)
        for start, number in zip(first, group):
            text = texts[number]
            logits = model.logits(found[start + PREFIX - 1 : start + len(text) - 1])
            for row, token in zip(logits, text[PREFIX:]):
                compared.largest(f"{what}, a token of continuation {number}", row, token)
    shares = feature["shares"]
    if rule:
        shares = [float(np.mean([any(rule.labels(row)[PREFIX:]) for row in some])) for some in rows]
        compared.numbers(f"{what}, shares", shares, feature["shares"], FOLLOWS)
    base = shares[factors.index(0)]
    best = max(range(len(shares)), key=lambda at: shares[at])
    is_above = shares[best] > base
    value = (shares[best] - base) / (1 - base) if is_above else 0.0
    compared.number(f"{what}, faithfulness", value, feature["faithfulness"])
    compared.number(f"{what}, best factor", factors[best] if is_above else None, feature["best_factor"])


def check_fade(compared, report, model, sae, rules):
    natural, options, hook = report["natural"], report["options"], report["hook"]
    vectors = random_directions(sae, options["seed"])
    k = len(sae.bias)
    compared.is_so("latents", report["latents"] == k, k, report["latents"])
    compared.is_so(
        "directions", report["directions"] == vectors.shape[1], vectors.shape[1], report["directions"]
    )
    if compared.differ:
        return
    rows = model.at_hook(natural, hook)
    if rows and rows[0].shape[1] != len(sae.offset):
        raise Refused(f"The autoencoder reads {len(sae.offset)} numbers; {hook} has {rows[0].shape[1]}.")
    codes = sae.kept and [sae.encode(row).astype(np.float32) for row in rows]
    for concept, rule in zip(report["concepts"], rules or [None] * len(report["concepts"])):
        name, labels = concept["concept"], np.array(concept["labels"], bool)
        if rule:
            found = [any(rule.labels(text)[1:]) for text in natural]
            compared.is_so(f"{name}, labels", found == concept["labels"])
            compared.is_so(f"{name}, made texts", all(any(rule.labels(text)[1:]) for text in concept["made"]))
        compared.number(f"{name}, texts with it", int(labels.sum()), concept["with"])
        rated = 0 < labels.sum() < len(labels) and concept["made"]
        compared.number(f"{name}, by chance", float(labels.mean()) if rated else None, concept["prevalence"])
        starts = [text[:PREFIX] for text in natural if len(text) >= PREFIX]
        if rule:
            starts = [start for start in starts if not any(rule.labels(start)[1:])][: options["prompts"]]
        features = {kind: concept[kind] for kind in ("latent", "random", "shuffled") if concept[kind]}
        made_rows = model.at_hook(concept["made"], hook) if features else []
        for kind, feature in features.items():
            what, index = f"{name}, {kind}", feature["index"]
            if not 0 <= index < (vectors.shape[1] if kind == "random" else k):
                raise Refused(f"The report has no such feature as {what} {index}.")
            vector = vectors[:, index]

            def activations(x, kind=kind, index=index, vector=vector):
                return x @ vector if kind == "random" else sae.encode(x, index)

            unit = vector / (vector @ vector) if kind == "random" else sae.decoder[index]
            if codes and kind != "random":
                mine = [pooled(row[:, index]) for row in codes]
            else:
                mine = [pooled(activations(row)) for row in rows]
            compared.numbers(f"{what}, natural text", mine, feature["natural"])
            made = [pooled(activations(row)) for row in made_rows]
            compared.numbers(f"{what}, made text", made, feature["made"])
            # Rounding may part what is equal: ranks are those of the report's own numbers from here on.
            own, others = np.array(feature["natural"]), np.array(feature["made"])
            compared.number(f"{what}, largest", float(np.abs(own).max()), feature["largest"])
            is_with, apart = labels, [others, own]
            if kind == "shuffled":
                rng = np.random.RandomState(options["seed"])
                is_with = is_with[rng.permutation(len(is_with))]
                mixed = np.concatenate([own, others])
                mixed = mixed[rng.permutation(len(mixed))]
                apart = [mixed[len(own) :], mixed[: len(own)]]
            with_, without = own[is_with], own[~is_with]
            scores = {
                "clarity": clarity(*apart),
                "responsiveness": clarity(with_, without),
                "purity": purity(with_, without),
            }
            for score, readings in scores.items():
                for reading, value in readings.items():
                    compared.number(
                        f"{what}, {score} ({reading})", float(value), feature[score][reading], FOLLOWS, 1.0
                    )
            if "intervals" in feature:
                seed = options["seed"]
                intervals = {
                    "clarity": of_gini(*apart, seed),
                    "responsiveness": of_gini(with_, without, seed),
                }
                for score, interval in intervals.items():
                    told = feature["intervals"][score]
                    check_interval(compared, f"{what}, {score}", interval, told, FOLLOWS, 1.0)
            gate = min(feature[score]["code"] for score in ("clarity", "responsiveness")) >= 0.5
            compared.is_so(f"{what}, gate", gate == feature["gate"], gate, feature["gate"])
            if feature["written"]:
                check_written(compared, what, feature, model, hook, options, activations, unit, starts, rule)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("report", help="what the page saved or the command line printed")
    parser.add_argument("--model", type=Path, required=True, help="the model's folder")
    parser.add_argument("--sae", type=Path, help="the autoencoder's folder, for FADE and CE-Bench")
    parser.add_argument("--rules", help="the file of FADE's concepts")
    given = parser.parse_args()
    report, compared, note = read_json(given.report), Compared(), ""
    metric = next(
        (
            name
            for name, keys in [
                ("MUI", {"tasks", "neurons", "layers", "mui", "options"}),
                ("CE-Bench", {"pairs", "autoencoder", "random", "shuffled", "seed", "hook"}),
                ("FADE", {"natural", "concepts", "latents", "options", "hook"}),
            ]
            if keys <= set(report)
        ),
        None,
    )
    if metric is None:
        raise Refused(f"{given.report} is no report of MUI, CE-Bench or FADE on one model of your own.")
    if metric != "MUI" and given.sae is None:
        raise Refused(f"{metric} is of an autoencoder: give its folder, --sae FOLDER.")
    model = Model(given.model)
    if metric == "MUI":
        check_mui(compared, report, model)
    else:
        sae = Autoencoder(given.sae)
        if metric == "CE-Bench":
            check_ce_bench(compared, report, model, sae)
        else:
            rules = rules_of(given.rules, given.model, report["concepts"]) if given.rules else None
            note = "" if rules else "; without --rules labels are the report's own"
            check_fade(compared, report, model, sae, rules)
    for line in compared.differ[:LINES]:
        print(line)
    if len(compared.differ) > LINES:
        print(f"… and {len(compared.differ) - LINES} more")
    near = f", {compared.close} choices are as close as rounding" if compared.close else ""
    print(
        f"{metric}: {compared.count} numbers, {len(compared.differ)} of them other than in the report; "
        f"the largest relative difference is {compared.worst:.1e}{near}{note}"
    )
    return 1 if compared.differ or not compared.count else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Refused as refusal:
        print(refusal, file=sys.stderr)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        print(f"The report, the model and the autoencoder do not fit each other: {error!r}.", file=sys.stderr)
    sys.exit(2)
