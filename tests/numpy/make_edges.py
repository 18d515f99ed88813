"""What cut edges cost the toy model, in double precision: every edge of the graph as MIB counts it (input, heads'
queries, keys and values, neurons, logits), by whole passes in which each receiver reads a sum of its own.

    python tests/numpy/make_edges.py > tests/golden/model/edges.json

Prompts are the four of `language.json`. Of each edge: its name, the mean logit difference with it cut, and by how much
that would drop if it were linear in what the receiver reads (a central difference; attribution patching). Through a cut
edge goes the sender's mean over the prompts (`mean`), or what the sender writes in the next prompt (`other`).
"""

import json
import pathlib

import numpy as np

TESTS = pathlib.Path(__file__).resolve().parent.parent
STEP = 1e-5


def tensors(path):
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    found = {}
    for name, about in json.loads(data[8:start]).items():
        if name != "__metadata__":
            first, end = about["data_offsets"]
            found[name] = np.frombuffer(data[start + first : start + end], "<f2").astype(float).reshape(about["shape"])
    return found


P = tensors(TESTS.parent / "assets" / "little" / "ck-12000.safetensors")
LAYERS = 3
HEADS, D_HEAD = P["blocks.0.attn.b_Q"].shape


def normed(x, name):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * P[name + ".w"] + P[name + ".b"]


def attended(inputs, layer, head):
    """What a head writes whose queries, keys and values read inputs of their own."""
    attn = f"blocks.{layer}.attn."
    q, k, v = (
        normed(x, f"blocks.{layer}.ln1") @ P[attn + "W_" + part][head] + P[attn + "b_" + part][head]
        for part, x in zip("QKV", inputs)
    )
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(D_HEAD)
    scores[..., np.triu(np.ones(scores.shape[-2:], bool), 1)] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v @ P[attn + "W_O"][head]


def run(prompts, cut=(), instead=None, share=1.0):
    """The mean logit difference, and what every sender writes. Through edges in `cut`, (sender, receiver), goes `share`
    of what `instead` has of the sender and the rest of what the sender writes."""
    tokens = np.array(prompts["tokens"])
    written = {"input": P["embed.W_E"][tokens] + P["pos_embed.W_pos"][: tokens.shape[1]]}
    biases = np.zeros_like(written["input"])  # of attention, which no sender writes

    def read(receiver):
        x = biases.copy()
        for sender, w in written.items():
            x += w if (sender, receiver) not in cut else (1 - share) * w + share * instead[sender]
        return x

    for layer in range(LAYERS):
        heads = {}
        for head in range(HEADS):
            name = f"a{layer}.h{head}"
            heads[name] = attended([read(f"{name}<{part}>") for part in "qkv"], layer, head)
        written.update(heads)
        biases = biases + P[f"blocks.{layer}.attn.b_O"]
        mlp, name = f"blocks.{layer}.mlp.", f"m{layer}"
        hidden = np.maximum(normed(read(name), f"blocks.{layer}.ln2") @ P[mlp + "W_in"] + P[mlp + "b_in"], 0)
        written[name] = hidden @ P[mlp + "W_out"] + P[mlp + "b_out"]
    logits = normed(read("logits")[:, -1], "ln_final") @ P["unembed.W_U"] + P["unembed.b_U"]
    rows = np.arange(len(tokens))
    return (logits[rows, prompts["answer"]] - logits[rows, prompts["foil"]]).mean(), written


def edges():
    """Every edge, receiver by receiver in the order in which they read."""
    senders = ["input"]
    for layer in range(LAYERS):
        heads = [f"a{layer}.h{head}" for head in range(HEADS)]
        yield from ((s, f"{head}<{part}>") for part in "qkv" for head in heads for s in senders)
        senders = senders + heads
        yield from ((s, f"m{layer}") for s in senders)
        senders = senders + [f"m{layer}"]
    yield from ((s, "logits") for s in senders)


def measured(prompts, instead_of):
    clean, written = run(prompts)
    instead = {sender: instead_of(w) for sender, w in written.items()}
    of = lambda cut, share=1.0: run(prompts, cut, instead, share)[0]
    every = list(edges())
    found = []
    for edge in every:
        slope = (of({edge}, -STEP) - of({edge}, STEP)) / (2 * STEP)
        found.append(["->".join(edge), of({edge}), slope])
    return {"clean": clean, "edges": found, "every_third": of(set(every[::3])), "all": of(set(every))}


INSTEAD = {
    "mean": lambda w: np.broadcast_to(w.mean(0), w.shape),
    "other": lambda w: np.roll(w, -1, axis=0),
}

if __name__ == "__main__":
    prompts = json.loads((TESTS / "golden" / "language.json").read_text())["prompts"]
    wanted = [("ioi", "mean"), ("ioi", "other"), ("mood", "mean")]
    out = {}
    for task, instead in wanted:
        out.setdefault(task, {})[instead] = measured(prompts[task], INSTEAD[instead])
    print(json.dumps(out, separators=(",", ":")))
