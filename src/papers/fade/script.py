
# The autoencoder, and what its latents are held against.
SAE = Autoencoder(*AUTOENCODER)


def expressed(description, text):
    """Which words of a text express a concept, or are the word in quotes."""
    if description not in CONCEPTS:
        return [word == description.strip("'") for word in text]
    turned = {"positive": "negative", "negative": "positive"}.get(description, description)
    # Right after "not", an adjective expresses the other sentiment.
    return [
        word in CONCEPTS[turned if before == "not" else description]
        for before, word in zip([None] + text, text)
    ]


def true_label(description, text):
    """0: not expressed, 1: by one word, 2: by two or more."""
    return min(2, sum(expressed(description, text)))


def number(description):
    """What seeds are counted from."""
    if description in CONCEPTS:
        return list(CONCEPTS).index(description)
    return len(CONCEPTS) + TOKEN[description.strip("'")]


def rated(description, text, draws):
    """The rater: right, but for a share ERROR of its labels."""
    label = true_label(description, text)
    if ERROR > 0 and draws.sample() < ERROR:
        return (label + 1 + draws.below(2)) % 3
    return label


def made_texts(description, slips):
    """Natural texts that clearly express a description; of a share ERROR, any natural text."""
    draws, texts = Draws(100 + number(description)), []
    while len(texts) < MADE:
        anything = ERROR > 0 and slips.sample() < ERROR
        text = natural_text(draws)
        while not anything and true_label(description, text) < 2:
            text = natural_text(draws)
        texts.append(text)
    return texts


# The four scores. An activation is a text's: the largest of its words'.
def clarity(yes, no, norm):
    """|2 P(yes > no) - 1| over all pairs. A tie counts nothing (the note's reading) or 1/2 (the
    reference code's). The note divides by how many elements both sets have, or by how many of them
    are not 0: that is no share of pairs."""
    above, below = (np.sum(compare.outer(yes, no)) for compare in (np.greater, np.less))
    pairs = len(yes) * len(no)
    of = pairs if norm == "elements" else np.count_nonzero(yes) * np.count_nonzero(no)
    return abs(2 * above / of - 1) if of else None, abs(above - below) / pairs


def sampled(activations):
    """Texts that are rated, by the note and by the code: from bands of activations and the top."""
    count = len(activations)
    if count <= SAMPLE:
        return np.arange(count), np.arange(count)
    order, draws = np.argsort(activations, kind="stable"), np.random.RandomState(SEED)
    each = int(SAMPLE * (1 - TOP) // 4)
    drawn = []
    for start, stop in zip((0, 50, 75, 95), (50, 75, 95, 100)):
        band = order[int(start / 100 * count) : int(stop / 100 * count)]
        drawn += list(draws.choice(band, each, replace=False) if len(band) > each else band)
    drawn, left = np.array(drawn, int), SAMPLE - len(drawn)
    others = order[~np.isin(order, drawn)]
    # The code's slice of the last 0 is everything, and what was drawn already counts once.
    return np.union1d(drawn, others[len(others) - left :]), np.union1d(drawn, order[-left:])


def average_precision(yes, no):
    total = 0.0
    for value, ties in zip(*np.unique(yes, return_counts=True)):
        right, wrong = np.sum(yes >= value), np.sum(no >= value)
        total += ties / len(yes) * right / (right + wrong)
    return total


def purity(yes, no):
    turned = np.mean(np.greater.outer(yes, no)) < np.mean(np.less.outer(yes, no))
    plain = average_precision(yes, no)
    return plain, average_precision(-yes, -no) if turned else plain


def responses(activations, labels, which, norm):
    """Responsiveness and purity by the note and by the code, each of the texts that it rates."""
    every = np.arange(len(activations))
    found = []
    for texts in sampled(activations) if which == "sampled" else (every, every):
        yes, no = (activations[texts][labels[texts] == label] for label in (2, 0))
        both = len(yes) > 0 and len(no) > 0
        found.append(clarity(yes, no, norm) + purity(yes, no) if both else (None,) * 4)
    (note, _, pure_note, _), (_, code, _, pure) = found
    return note, code, pure_note, pure


def steered(description, latent, largest):
    """Shares of continuations that clearly express a description, by factor."""
    tokens = [[TOKEN[word] for word in text[:8]] for text in natural_texts(9, CONTINUATIONS)]
    tokens = np.array(tokens * len(FACTORS))
    wanted = np.repeat(FACTORS, CONTINUATIONS)[:, None] * largest
    words, draws = list(TOKEN), Draws(5000 + number(description))
    for _ in range(12):
        x = layer(layer(embedded(tokens), 0), 1)
        # The latent is set to what is wanted, at every position.
        x += (wanted - SAE.codes(x)[..., latent])[..., None] * SAE.W_dec[latent]
        logits = normed(layer(x, 2)[:, -1], "ln_final") @ P["unembed.W_U"] + P["unembed.b_U"]
        logits[:, 0] = -np.inf  # <s> is never written
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances = np.cumsum(chances / chances.sum(axis=1, keepdims=True), axis=1)
        chances[:, -1] = 1  # where rounding leaves none, the last word
        drawn = np.array([draws.sample() for _ in tokens])
        tokens = np.column_stack([tokens, np.argmax(chances > drawn[:, None], axis=1)])
    rater = Draws(7000 + number(description) + 65536)
    texts = [[words[token] for token in row[8:]] for row in tokens]
    clear = np.array([rated(description, text, rater) == 2 for text in texts])
    return clear.reshape(len(FACTORS), CONTINUATIONS).mean(axis=1)


def faithfulness(shares):
    """By how much the best factor raises the share, of what factor 0 leaves."""
    base = shares[FACTORS.index(0)]
    return (shares.max() - base) / (1 - base) if shares.max() > base else 0.0


NATURAL = natural_texts(SEED, TEXTS)
CODES = SAE.codes(residual(NATURAL))
ACTIVE = (CODES.reshape(-1, CODES.shape[-1]) > 0).astype(float)
COUNTS = ACTIVE.sum(axis=0)


def f1s(description):
    """How well each latent, by being active, tells the words that express a description."""
    truth = np.array([expressed(description, text)[1:] for text in NATURAL], float).ravel()
    of = COUNTS + truth.sum()
    return 2 * (truth @ ACTIVE) / np.maximum(of, 1)


def best(description):
    return int(np.argmax(f1s(description)))  # the first of equal ones


# What is rated: each concept with its best latent, and descriptions that are bad on purpose.
CASES = [("best latent", concept, best(concept)) for concept in CONCEPTS]
OF = {concept: latent for _, concept, latent in CASES}
CASES += [
    ("wrong concept", "music", OF["sea"]),
    ("wrong concept", "place", OF["number"]),
    ("described too broadly", "negation", OF["refusal"]),
    ("described too broadly", "positive", best("'happy'")),
    ("described too broadly", "person", best("'ann'")),
    ("described too narrowly", "'two'", OF["number"]),
    ("described too narrowly", "'park'", OF["place"]),
]
if np.any(COUNTS == 0):
    CASES.append(("dead latent", "sea", int(np.argmin(COUNTS))))
CASES.append(("dense latent", "person", int(np.argmax(COUNTS))))

# The model is computed in float32 there and in float64 here. Scores depend on the order of
# activations, which is the same unless two differ in their last digits only: there is room for one
# such pair of 50 x 600 texts. Of continuations one a factor may differ, where a draw falls between.
TOLERANCE, ONE = 1e-4, 1 / CONTINUATIONS
NAMES = ("texts (note)", "texts", "clarity (note)", "clarity (norm)", "respons.", "respons. (note)")
NAMES += ("respons. (norm)", "purity", "purity (note)")
READINGS = []
WITHIN = f"Scores may differ by {TOLERANCE:g}, shares of continuations by one of {CONTINUATIONS}."

for (case, description, latent), there in zip(CASES, FOUND):
    rater = Draws(7000 + number(description))
    labels = np.array([rated(description, text, rater) for text in NATURAL])
    made = SAE.codes(residual(made_texts(description, rater)))[..., latent].max(axis=1)
    activations = CODES[..., latent].max(axis=1)
    clear_note, clear = clarity(made, activations, NORM)
    responsive_note, responsive, pure_note, pure = responses(activations, labels, RATED, NORM)
    truth = np.array([true_label(description, text) > 0 for text in NATURAL])
    here = {
        "latent": latent,
        "F1": f1s(description)[latent],
        "clarity": clear,
        "clarity (note)": clear_note,
        "ceiling": clarity(np.ones(MADE), truth, "elements")[1],
        "respons.": responsive,
        "respons. (note)": responsive_note,
        "purity": pure,
        "purity (note)": pure_note,
        "gate": bool(clear >= 0.5 and responsive is not None and responsive >= 0.5),
    }
    within = {"latent": 0}
    row(f"{description}, {case}", here, there, {name: within.get(name, TOLERANCE) for name in here})
    clear = [clarity(made, activations, norm)[0] for norm in ("elements", "nonzero")]
    for which in ("all", "sampled"):
        if which in there:
            texts = sampled(activations) if which == "sampled" else (activations, activations)
            note, code, pure_note, pure = responses(activations, labels, which, "elements")
            literal = responses(activations, labels, which, "nonzero")[0]
            numbers = *map(len, texts), *clear, code, note, literal, pure, pure_note
            about = f"{description}, {latent}, {which}"
            READINGS.append((about, dict(zip(NAMES, numbers)), dict(zip(NAMES, there[which]))))

# Beside what was chosen: all texts and a sample, either norm.
for about, here, there in READINGS:
    row(about, here, there, {name: TOLERANCE * max(1, here[name] or 0) for name in list(here)[2:]})

here = {"features": len(CASES), "dead latents": int(np.sum(COUNTS == 0))}
row("all", here, {"features": len(FOUND), "dead latents": DEAD}, {})

for (case, description, latent), there in zip(CASES, FOUND):
    if "--steer" in sys.argv and "shares" in there:
        shares = steered(description, latent, CODES[..., latent].max())
        base = min(shares[FACTORS.index(0)], 1 - ONE)
        here = {"faithfulness": faithfulness(shares)}
        within = {"faithfulness": 2 * ONE / (1 - base)}
        for factor, share, found in zip(FACTORS, shares, there["shares"]):
            here[f"at {factor:g}"], there[f"at {factor:g}"] = share, found
            within[f"at {factor:g}"] = ONE
        row(f"{description}, {case}", here, there, within)
end(WITHIN)
