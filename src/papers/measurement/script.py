
# The tasks in their order, and where in an exercise the answer stands.
EXERCISES = {
    "ioi": (ioi, -2),
    "copy": (copy, 9),
    "count": (count, -2),
    "agree": (agree, -2),
    "recall": (recall, -2),
    "colour": (colour, -2),
    "sum": (lambda draws, fixed: add(draws, 2), -2),
    "sum3": (lambda draws, fixed: add(draws, 3), -2),
    "mood": (mood, -2),
    "request": (request, 8),
}
LAYERS = sum(name.endswith("mlp.W_in") for name in P)
ALL = [(l, h) for l in range(LAYERS) for h in range(HEADS)]
SHARES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
WITHIN = 0.1  # of 1: the faithfulness of a circuit that is found
RUNS = 5


def prompts(task):
    """Tokens up to the answer, and the answer."""
    exercise, at = EXERCISES[task]
    draws = Draws(SEED + list(EXERCISES).index(task))
    texts = [exercise(draws, True).split() for _ in range(PROMPTS)]
    tokens = np.array([[TOKEN[word] for word in ["<s>"] + text[:at]] for text in texts])
    return tokens, np.array([TOKEN[text[at]] for text in texts])


def heads_say(x, l):
    """What each head of a layer has to say: texts, heads, positions, numbers."""
    attn = f"blocks.{l}.attn."
    seen = normed(x, f"blocks.{l}.ln1")[:, None]
    q, k, v = (seen @ P[attn + "W_" + one] + P[attn + "b_" + one][:, None] for one in "QKV")
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(D_HEAD)
    scores[..., np.triu(np.ones(scores.shape[-2:], bool), 1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


class Circuits:
    """A task's prompts, with some heads replaced by their means over the prompts."""

    def __init__(self, task):
        self.tokens, self.answer = prompts(task)
        self.foil = np.array(FOILS[task])
        self.means = [None] * LAYERS
        self.known = {}
        self.clean = self.without([])

    def without(self, ablated):
        """Logit differences, one a prompt."""
        key = tuple(sorted(ablated))
        if key in self.known:
            return self.known[key]
        x = embedded(self.tokens)
        for l in range(LAYERS):
            z = heads_say(x, l)
            if self.means[l] is None:
                self.means[l] = z.mean(axis=0)
            for _, h in (head for head in ablated if head[0] == l):
                z[:, h] = self.means[l][h]
            x = x + np.sum(z @ P[f"blocks.{l}.attn.W_O"], axis=1) + P[f"blocks.{l}.attn.b_O"]
            x = x + neurons(x, l) @ P[f"blocks.{l}.mlp.W_out"] + P[f"blocks.{l}.mlp.b_out"]
        logits = normed(x[:, -1], "ln_final") @ P["unembed.W_U"] + P["unembed.b_U"]
        each = np.arange(len(logits))
        self.known[key] = logits[each, self.answer] - logits[each, self.foil]
        return self.known[key]

    def alone(self, circuit):
        """Its faithfulness: all other heads are ablated."""
        kept = self.without([head for head in ALL if head not in circuit])
        return kept.sum() / self.clean.sum()

    def backward(self):
        """Heads are dropped, the least missed first, while what is left is within reach of 1."""
        circuit = list(ALL)
        while circuit:
            less = [[other for other in circuit if other != head] for head in circuit]
            apart = [abs(1 - self.alone(one)) for one in less]
            best = int(np.argmin(apart))
            if apart[best] > WITHIN:
                break
            circuit = less[best]
        return circuit

    def area(self, edges):
        """Under the faithfulness of the heads of the first edges, over the share of the edges."""
        curve = []
        for share in SHARES:
            kept = edges[: max(1, int(share * len(edges)))]
            curve.append(self.alone({head for edge in kept for head in edge}))
        return trapezoid(curve)


def trapezoid(curve):
    steps = np.diff(SHARES)
    return float(sum(step * (a + b) / 2 for step, a, b in zip(steps, curve, curve[1:])))


def d_prime(signal, noise):
    def z(values):
        least = 0.5 / len(values)
        return NormalDist().inv_cdf(min(max(float((values > 0).mean()), least), 1 - least))

    return z(signal) - z(noise)


def area_above(signal, noise):
    above = (signal[:, None] > noise).mean()
    return float(above + (signal[:, None] == noise).mean() / 2)


def coherence(values):
    """As it is coded: ranks of runs that have other prompts, correlated place by place."""
    ranks = []
    for seed in range(RUNS):
        chosen = np.random.RandomState(seed).permutation(len(values))
        run = values[np.sort(chosen[: max(2, len(values) * 3 // 4)])]
        ranks.append(np.argsort(np.argsort(run, kind="stable"), kind="stable"))
    n = len(ranks[0])
    pairs = [(a, b) for i, a in enumerate(ranks) for b in ranks[i + 1 :]]
    return float(np.mean([1 - 6 * np.sum((a - b) ** 2) / (n * (n * n - 1)) for a, b in pairs]))


NAMES = ("d'", "AUC", "CPR, code", "CPR, ranked", "CPR, no head", "coherence")
# The model is computed in float32 there and in float64 here.
APART = dict(zip(NAMES, (1e-6, 1e-3, 1e-4, 1e-4, 1e-4, 1e-3)))
EDGES = [(a, b) for a in ALL for b in ALL if a[0] < b[0]]
for task, there in FOUND.items():
    model = Circuits(task)
    ablated = model.without(model.backward())
    effect = {head: model.clean.mean() - model.without([head]).mean() for head in ALL}
    coded = sorted(EDGES, key=lambda edge: (edge[0][0], edge[1][0], edge[0][1], edge[1][1]))
    ranked = sorted(EDGES, key=lambda edge: -min(abs(effect[edge[0]]), abs(effect[edge[1]])))
    here = [
        d_prime(model.clean, ablated),
        area_above(model.clean, ablated),
        model.area(coded),
        model.area(ranked),
        trapezoid([model.alone([])] * len(SHARES)),
        coherence(model.clean),
    ]
    row(task, dict(zip(NAMES, here)), dict(zip(NAMES, there)), APART)
end("The circuits were found anew.")
