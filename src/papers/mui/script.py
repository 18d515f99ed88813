
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
WIDTH = P["blocks.0.mlp.b_in"].size
KEPT = 2000  # scores of a layer that the paper's code keeps


def prompts(task):
    """Tokens up to the answer, and the answer."""
    exercise, at = EXERCISES[task]
    draws = Draws(SEED + list(EXERCISES).index(task))
    texts = [exercise(draws, True).split() for _ in range(PROMPTS)]
    tokens = np.array([[TOKEN[word] for word in ["<s>"] + text[:at]] for text in texts])
    return tokens, np.array([TOKEN[text[at]] for text in texts])


def run(tokens):
    """Of the last position: logits, and what the neurons of each layer say."""
    x, said = embedded(tokens), []
    for l in range(LAYERS):
        x = attended(x, l)
        hidden = neurons(x, l)
        said.append(hidden[:, -1])
        x = x + hidden @ P[f"blocks.{l}.mlp.W_out"] + P[f"blocks.{l}.mlp.b_out"]
    logits = normed(x[:, -1], "ln_final") @ P["unembed.W_U"] + P["unembed.b_U"]
    return logits, np.swapaxes(said, 0, 1)


def reached(scores):
    """Which of an answer's scores (layers x neurons) reach the threshold, and are above 0."""
    code = READING == "code"

    def largest(values, k):
        k = min(k, values.size)
        order = np.argsort(-values, kind="stable")
        if k == 0:
            return np.zeros(values.size, bool)
        if code:  # ties are cut off
            return np.isin(np.arange(values.size), order[:k])
        return values >= values[order[k - 1]]

    kept = np.ones(scores.shape, bool)
    if code:
        kept = np.array([largest(layer, KEPT) for layer in scores])
    if THRESHOLD == "global-topk":
        found = largest(np.where(kept, scores, -np.inf).reshape(-1), K).reshape(scores.shape)
    elif THRESHOLD == "topscore":
        found = scores >= SHARE * scores.max(axis=1, keepdims=True)
    else:
        k = K if THRESHOLD == "topk" else int(np.floor(SHARE * WIDTH + 1e-9))
        found = np.array([largest(layer, k) for layer in scores])
    return found & kept & (scores > 0)


def index(used):
    return float(np.any(used, axis=0).mean()) if len(used) else 0.0


# The model is computed in float32 there and in float64 here: where two scores all but tie, another
# neuron may count, or two in the code's reading of one that is cut off.
WITHIN = 2.5 / (LAYERS * WIDTH)

PROMOTED = [P[f"blocks.{l}.mlp.W_out"] @ P["unembed.W_U"] for l in range(LAYERS)]
for task, there in FOUND.items():
    tokens, answer = prompts(task)
    logits, said = run(tokens)
    right = logits.argmax(axis=1) == answer
    word = logits.argmax(axis=1) if WORD == "own" else answer
    if READING == "code":  # it looks where the word itself stands
        said = run(np.concatenate([tokens, word[:, None]], axis=1))[1]
    if SCORE == "contribution":
        said = said * np.array([promoted[:, word].T for promoted in PROMOTED]).swapaxes(0, 1)
    used = np.array([reached(scores) for scores in said])
    here = [float(right.mean()), index(used), index(used[right])]
    names = ("accuracy", "MUI", "MUI, right")
    row(task, dict(zip(names, here)), dict(zip(names, there)), dict.fromkeys(names[1:], WITHIN))
end(f"Indices may differ by {WITHIN:.2g}, which is two neurons.")
