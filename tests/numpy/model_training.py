"""Steps of training of the toy model in NumPy on one thread: forth, back and AdamW, each written to be fast.

    model_training.py WEIGHTS LESSON

reads a checkpoint (.safetensors) and a lesson (JSON: texts, read, told, weights, rate) and for each line "f4" or "f8"
on standard input takes one step in that precision, and prints how long it took, in ms, then the loss before it.

All parameters lie in one array, as do their gradient and what the optimizer knows of each, so that a step of AdamW is a
few passes over them; queries, keys and values of all heads are one product each, and gradients go straight to where
they lie.
"""

import json
import sys
import time

import reference  # noqa: F401  first: it sets the number of threads

import numpy as np
from model_rounds import tensors

BETA1, BETA2, EPSILON, DECAY, LONGEST = 0.9, 0.98, 1e-8, 0.01, 1.0


def normalize(x, weight, bias):
    """LayerNorm, with what its derivative needs."""
    y = x - x.mean(axis=-1, keepdims=True)
    scale = 1 / np.sqrt(np.einsum("ij,ij->i", y, y)[:, None] / x.shape[-1] + x.dtype.type(1e-5))
    y *= scale
    return y * weight + bias, (y, scale)


def normalize_back(d, weight, kept, d_weight, d_bias):
    y, scale = kept
    d_weight[...] = np.einsum("ij,ij->j", d, y)
    d_bias[...] = d.sum(axis=0)
    d = d * weight
    d -= d.mean(axis=-1, keepdims=True) + y * (np.einsum("ij,ij->i", d, y)[:, None] / d.shape[-1])
    d *= scale
    return d


class Training:
    def __init__(self, weights, lesson, kind):
        self.kind = kind
        self.shapes = {name: w.shape for name, w in weights.items()}
        self.layers = sum(name.endswith("attn.W_Q") for name in weights)
        count = sum(w.size for w in weights.values())
        self.all, self.gradient = np.zeros(count, kind), np.zeros(count, kind)
        self.means, self.squares = np.zeros(count, kind), np.zeros(count, kind)
        self.p, self.d, start = {}, {}, 0
        for name, w in weights.items():
            part = slice(start, start + w.size)
            self.p[name], self.d[name] = (a[part].reshape(w.shape) for a in (self.all, self.gradient))
            self.p[name][...] = w
            start += w.size
        texts = lesson["texts"]
        self.read = np.array(lesson["read"]).reshape(texts, -1)
        self.told = np.array(lesson["told"])
        self.weights = np.array(lesson["weights"], kind)
        self.weights /= self.weights.sum()
        self.rate, self.steps = lesson["rate"], 0
        positions = self.read.shape[1]
        self.masked = np.triu(np.ones((positions, positions), bool), 1)

    def flat(self, at, part):
        """Weights of all heads side by side: d_model × heads·d_head."""
        w = self.p[f"blocks.{at}.attn.W_{part}"]
        return w.transpose(1, 0, 2).reshape(w.shape[1], -1)

    def run(self):
        p, d, (texts, positions) = self.p, self.d, self.read.shape
        x = (p["embed.W_E"][self.read] + p["pos_embed.W_pos"][:positions]).reshape(texts * positions, -1)
        kept = []
        for at in range(self.layers):
            b = f"blocks.{at}."
            heads, d_model, d_head = p[b + "attn.W_Q"].shape
            a, ln1 = normalize(x, p[b + "ln1.w"], p[b + "ln1.b"])
            qkv_w = np.concatenate([self.flat(at, part) for part in "QKV"], axis=1)
            qkv = a @ qkv_w
            qkv += np.concatenate([p[b + f"attn.b_{part}"].ravel() for part in "QKV"])
            q, k, v = qkv.reshape(texts, positions, 3, heads, d_head).transpose(2, 0, 3, 1, 4)
            pattern = q @ k.swapaxes(-1, -2)
            pattern *= self.kind(d_head**-0.5)
            pattern[..., self.masked] = -np.inf
            pattern -= pattern.max(axis=-1, keepdims=True)
            np.exp(pattern, out=pattern)
            pattern /= pattern.sum(axis=-1, keepdims=True)
            z = (pattern @ v).transpose(0, 2, 1, 3).reshape(texts * positions, -1)
            x = x + z @ p[b + "attn.W_O"].reshape(-1, d_model)
            x += p[b + "attn.b_O"]
            m, ln2 = normalize(x, p[b + "ln2.w"], p[b + "ln2.b"])
            h = m @ p[b + "mlp.W_in"]
            h += p[b + "mlp.b_in"]
            np.maximum(h, 0, out=h)
            x = x + h @ p[b + "mlp.W_out"]
            x += p[b + "mlp.b_out"]
            kept.append((a, ln1, qkv_w, q, k, v, pattern, z, m, ln2, h))
        last, ln = normalize(x, p["ln_final.w"], p["ln_final.b"])
        logits = last @ p["unembed.W_U"]
        logits += p["unembed.b_U"]
        logits -= logits.max(axis=-1, keepdims=True)
        rows = np.arange(len(logits))
        right = logits[rows, self.told].copy()
        np.exp(logits, out=logits)
        sums = logits.sum(axis=-1, keepdims=True)
        loss = float((self.weights * (np.log(sums[:, 0]) - right)).sum())

        # Back: the array of exponentials becomes the gradient of the logits.
        logits /= sums
        logits[rows, self.told] -= 1
        logits *= self.weights[:, None]
        np.matmul(last.T, logits, out=d["unembed.W_U"])
        d["unembed.b_U"][...] = logits.sum(axis=0)
        g = normalize_back(logits @ p["unembed.W_U"].T, p["ln_final.w"], ln, d["ln_final.w"], d["ln_final.b"])
        for at in reversed(range(self.layers)):
            b = f"blocks.{at}."
            a, ln1, qkv_w, q, k, v, pattern, z, m, ln2, h = kept[at]
            heads, d_model, d_head = p[b + "attn.W_Q"].shape
            np.matmul(h.T, g, out=d[b + "mlp.W_out"])
            d[b + "mlp.b_out"][...] = g.sum(axis=0)
            dh = g @ p[b + "mlp.W_out"].T
            dh *= h > 0
            np.matmul(m.T, dh, out=d[b + "mlp.W_in"])
            d[b + "mlp.b_in"][...] = dh.sum(axis=0)
            g = g + normalize_back(dh @ p[b + "mlp.W_in"].T, p[b + "ln2.w"], ln2, d[b + "ln2.w"], d[b + "ln2.b"])
            np.matmul(z.T, g, out=d[b + "attn.W_O"].reshape(-1, d_model))
            d[b + "attn.b_O"][...] = g.sum(axis=0)
            dz = g @ p[b + "attn.W_O"].reshape(-1, d_model).T
            dz = dz.reshape(texts, positions, heads, d_head).transpose(0, 2, 1, 3)
            dqkv = np.empty((texts, positions, 3, heads, d_head), self.kind)
            dq, dk, dv = dqkv.transpose(2, 0, 3, 1, 4)
            dv[...] = pattern.swapaxes(-1, -2) @ dz
            ds = dz @ v.swapaxes(-1, -2)
            ds -= np.einsum("...ij,...ij->...i", ds, pattern)[..., None]
            ds *= pattern
            ds *= self.kind(d_head**-0.5)
            dq[...] = ds @ k
            dk[...] = ds.swapaxes(-1, -2) @ q
            dqkv = dqkv.reshape(texts * positions, -1)
            dw, db = a.T @ dqkv, dqkv.sum(axis=0)
            width = heads * d_head
            for which, part in enumerate("QKV"):
                cut = slice(which * width, (which + 1) * width)
                d[b + f"attn.W_{part}"][...] = dw[:, cut].reshape(d_model, heads, d_head).transpose(1, 0, 2)
                d[b + f"attn.b_{part}"][...] = db[cut].reshape(heads, d_head)
            g = g + normalize_back(dqkv @ qkv_w.T, p[b + "ln1.w"], ln1, d[b + "ln1.w"], d[b + "ln1.b"])
        g = g.reshape(texts, positions, -1)
        d["pos_embed.W_pos"][...] = 0
        d["pos_embed.W_pos"][:positions] = g.sum(axis=0)
        # By a product with the words that were read: quicker than adding row by row.
        words = np.zeros((len(p["embed.W_E"]), self.read.size), self.kind)
        words[self.read.ravel(), np.arange(self.read.size)] = 1
        np.matmul(words, g.reshape(self.read.size, -1), out=d["embed.W_E"])
        return loss

    def step(self):
        loss = self.run()
        length = np.sqrt(np.dot(self.gradient, self.gradient))
        if length > LONGEST:
            self.gradient *= self.kind(LONGEST / length)
        self.steps += 1
        self.means *= self.kind(BETA1)
        self.means += self.kind(1 - BETA1) * self.gradient
        self.squares *= self.kind(BETA2)
        self.squares += self.kind(1 - BETA2) * np.square(self.gradient)
        step = np.sqrt(self.squares)
        step *= self.kind((1 - BETA2**self.steps) ** -0.5)
        step += self.kind(EPSILON)
        np.divide(self.means, step, out=step)
        step *= self.kind(self.rate / (1 - BETA1**self.steps))
        step += self.kind(self.rate * DECAY) * self.all
        self.all -= step
        return loss


def main():
    weights = tensors(sys.argv[1])
    with open(sys.argv[2]) as file:
        lesson = json.load(file)
    trainings = {"f4": Training(weights, lesson, np.float32), "f8": Training(weights, lesson, np.float64)}
    for line in sys.stdin:
        training = trainings[line.strip()]
        start = time.perf_counter()
        loss = training.step()
        print(1e3 * (time.perf_counter() - start), flush=True)
        print(loss, flush=True)


if __name__ == "__main__":
    main()
