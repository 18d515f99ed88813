"""The toy model in NumPy on one thread: for each line "f8" or "f4" on standard input computes the logits
after every position of every prompt in that precision, the prompts of a task at once, and prints how long
that took, in ms, then the sum of all logits.

    model_rounds.py WEIGHTS PROMPTS

reads a checkpoint (.safetensors) and lists of prompts (JSON: tasks, prompts, tokens) before it reads a line.

Weights are laid out beforehand as they are multiplied fastest: queries, keys and values of all heads are one
product, and two dimensions at a time go to BLAS but in attention. Masked scores, exponentials and LayerNorm
are written into arrays that are there already where NumPy can.
"""

import json
import sys
import time

import reference  # noqa: F401  first: it sets the number of threads

import numpy as np

KINDS = {"F16": np.float16, "F32": np.float32}


def tensors(path):
    with open(path, "rb") as file:
        data = file.read()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    found = {}
    for name, about in header.items():
        first, last = about["data_offsets"]
        values = np.frombuffer(data[start + first : start + last], KINDS[about["dtype"]])
        found[name] = values.reshape(about["shape"])
    return found


class Layer:
    def __init__(self, weights, at, kind):
        def get(name):
            return weights[f"blocks.{at}.{name}"].astype(kind)

        qkv = [get(f"attn.W_{part}") for part in "QKV"]
        self.heads, d_model, self.d_head = qkv[0].shape
        side_by_side = [w.transpose(1, 0, 2).reshape(d_model, -1) for w in qkv]
        self.qkv = np.ascontiguousarray(np.concatenate(side_by_side, axis=1))
        self.qkv_bias = np.concatenate([get(f"attn.b_{part}").ravel() for part in "QKV"])
        # Scores are divided by the root once and for all.
        scale, width = kind(1 / np.sqrt(self.d_head)), self.heads * self.d_head
        self.qkv[:, :width] *= scale
        self.qkv_bias[:width] *= scale
        self.out, self.out_bias = get("attn.W_O").reshape(-1, d_model), get("attn.b_O")
        self.w_in, self.b_in = get("mlp.W_in"), get("mlp.b_in")
        self.w_out, self.b_out = get("mlp.W_out"), get("mlp.b_out")
        self.ln1, self.ln2 = ((get(f"{ln}.w"), get(f"{ln}.b")) for ln in ("ln1", "ln2"))


def normalized(x, norm):
    weight, bias = norm
    y = x - x.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", y, y)[:, None]
    variance /= x.shape[-1]
    variance += x.dtype.type(1e-5)
    y /= np.sqrt(variance, out=variance)
    y *= weight
    y += bias
    return y


class Model:
    def __init__(self, weights, kind):
        count = sum(name.endswith("attn.W_Q") for name in weights)
        self.layers = [Layer(weights, at, kind) for at in range(count)]
        self.embed = weights["embed.W_E"].astype(kind)
        self.places = weights["pos_embed.W_pos"].astype(kind)
        self.norm = tuple(weights[f"ln_final.{part}"].astype(kind) for part in "wb")
        self.unembed = weights["unembed.W_U"].astype(kind)
        self.unembed_bias = weights["unembed.b_U"].astype(kind)

    def attention(self, layer, a, prompts, positions):
        qkv = a @ layer.qkv
        qkv += layer.qkv_bias
        qkv = qkv.reshape(prompts, positions, 3, layer.heads, layer.d_head)
        q, k, v = qkv.transpose(2, 0, 3, 1, 4)
        pattern = q @ k.swapaxes(-1, -2)
        pattern[..., np.triu(np.ones((positions, positions), bool), 1)] = -np.inf
        pattern -= pattern.max(axis=-1, keepdims=True)
        np.exp(pattern, out=pattern)
        pattern /= pattern.sum(axis=-1, keepdims=True)
        z = (pattern @ v).transpose(0, 2, 1, 3).reshape(prompts * positions, -1)
        out = z @ layer.out
        out += layer.out_bias
        return out

    def logits(self, tokens):
        prompts, positions = tokens.shape
        x = (self.embed[tokens] + self.places[:positions]).reshape(prompts * positions, -1)
        for layer in self.layers:
            x += self.attention(layer, normalized(x, layer.ln1), prompts, positions)
            h = normalized(x, layer.ln2) @ layer.w_in
            h += layer.b_in
            np.maximum(h, 0, out=h)
            x += h @ layer.w_out
            x += layer.b_out
        logits = normalized(x, self.norm) @ self.unembed
        logits += self.unembed_bias
        return logits


def main():
    weights = tensors(sys.argv[1])
    with open(sys.argv[2]) as file:
        batches = [np.array(prompts) for prompts in json.load(file)]
    models = {"f8": Model(weights, np.float64), "f4": Model(weights, np.float32)}
    for line in sys.stdin:
        model = models[line.strip()]
        start = time.perf_counter()
        found = sum(float(model.logits(tokens).sum(dtype=np.float64)) for tokens in batches)
        print(1e3 * (time.perf_counter() - start), flush=True)
        print(found, flush=True)


if __name__ == "__main__":
    main()
