
# The planted language: words, by kind. A token is a word's place in this list.
KINDS = {
    "mark": "<s> . , : ?",
    "function": "when and went to the gave a list again count up down near has is plus not so it"
    " good bad tell me how make sorry i cannot sure here was saw in with",
    "name": "ann bob cara dan eve finn gina hugo amir bao chidi devi emeka fatou goro hana",
    "animal": "dog cat bird horse cow fox",
    "animals": "dogs cats birds horses cows foxes",
    "does": "runs sleeps sings jumps eats hunts",
    "do": "run sleep sing jump eat hunt",
    "place": "park shop school farm market river",
    "object": "cup box hat ball book ring lamp key",
    "colour": "red blue green black white yellow",
    "number": "zero one two three four five six seven eight nine",
    "positive": "happy kind lovely sweet calm",
    "negative": "sad cruel awful bitter angry",
    "sea": "boat wave shell sand",
    "kitchen": "soup bread pan knife",
    "space": "star moon rocket planet",
    "music": "drum song violin dance",
    "winter": "snow ice coat sled",
    "unsafe": "bomb poison weapon virus fraud",
}
KINDS = {kind: words.split() for kind, words in KINDS.items()}
TOKEN = {word: token for token, word in enumerate(sum(KINDS.values(), []))}
TOPICS = [KINDS[kind] for kind in ("sea", "kitchen", "space", "music", "winter")]
SENTIMENTS = [KINDS["positive"], KINDS["negative"]]
LISTED = KINDS["object"] + KINDS["place"] + KINDS["colour"] + sum(TOPICS, []) + KINDS["animal"]
CONTEXT = 32  # words of a text, the first of them <s>

# What a word can express, in the order in which concepts are numbered.
CONCEPTS = {
    "person": KINDS["name"],
    "animal": KINDS["animal"] + KINDS["animals"],
    "action": KINDS["does"] + KINDS["do"],
    "place": KINDS["place"],
    "object": KINDS["object"],
    "colour": KINDS["colour"],
    "number": KINDS["number"],
    "positive": KINDS["positive"] + ["good"],
    "negative": KINDS["negative"] + ["bad"],
    "sea": KINDS["sea"],
    "kitchen": KINDS["kitchen"],
    "space": KINDS["space"],
    "music": KINDS["music"],
    "winter": KINDS["winter"],
    "unsafe": KINDS["unsafe"],
    "refusal": ["sorry", "i", "cannot"],
    "negation": ["not", "cannot"],
    "plural": KINDS["animals"] + KINDS["do"],
}


class Draws:
    """All chance is floor(random_sample() * n) of NumPy's frozen generator."""

    def __init__(self, seed):
        self.sample = np.random.RandomState(seed).random_sample

    def below(self, n):
        return int(self.sample() * n)

    def of(self, items):
        return items[self.below(len(items))]

    def distinct(self, count, items):
        """The first steps of a shuffle from the front."""
        items = list(items)
        for i in range(count):
            j = i + self.below(len(items) - i)
            items[i], items[j] = items[j], items[i]
        return items[:count]

    def names(self):
        """The common names, or 1 time in 10 the rare ones."""
        return KINDS["name"][:8] if self.below(100) < 90 else KINDS["name"][8:]


def header(draws):
    """What a whole story is about: topic, whether the mood is negative, two people, a place."""
    topic, negative = draws.below(5), draws.below(2)
    return topic, negative, draws.distinct(2, draws.names()), draws.of(KINDS["place"])


def plan(draws):
    """What one sentence says, of whatever story. All is drawn, also what is not used."""
    kind = draws.below(4)
    off_topic, shift = draws.below(10) == 0, 1 + draws.below(4)
    word = draws.below(4)
    flipped, negated = draws.below(10) == 0, draws.below(5) == 0
    adjective = draws.below(5)
    other = draws.below(5) == 0
    coloured, colour = draws.below(2) == 1, draws.of(KINDS["colour"])
    return kind, shift * off_topic, word, flipped, negated, adjective, other, coloured, colour


def told(header, plan):
    topic, negative, people, place = header
    kind, shift, word, flipped, negated, adjective, other, coloured, colour = plan
    noun = TOPICS[(topic + shift) % 5][word]
    # With "not", the adjective of the other list says the same.
    adjective = SENTIMENTS[negative ^ flipped ^ negated][adjective]
    was, person = "was not" if negated else "was", people[other]
    return [
        f"the {noun} {was} {adjective} .",
        f"{person} saw a {colour} {noun} ." if coloured else f"{person} saw a {noun} .",
        f"{person} {was} {adjective} with the {noun} .",
        f"in the {place} was a {noun} .",
    ][kind].split()


# Exercises. With `fixed` all of a task are of one length.


def ioi(draws, fixed=False):
    first, second = draws.distinct(2, draws.names())
    place, thing = draws.of(KINDS["place"]), draws.of(KINDS["object"])
    giver, taker = (second, first) if draws.below(2) else (first, second)
    return f"when {first} and {second} went to the {place} , {giver} gave a {thing} to {taker} ."


def copy(draws, fixed=False):
    drawn = 5 + draws.below(4)
    words = draws.distinct(6 if fixed else drawn, LISTED)
    start = draws.below(len(words) - 1)
    return f"list {' '.join(words)} again {' '.join(words[start:start + 5])} ."


def count(draws, fixed=False):
    down, start, drawn = draws.below(2), draws.below(10), 3 + draws.below(3)
    length = 4 if fixed else drawn
    numbers = [KINDS["number"][(start + (-i if down else i)) % 10] for i in range(length)]
    return f"count {'down' if down else 'up'} {' '.join(numbers)} ."


def agree(draws, fixed=False):
    noun, plural = draws.below(6), draws.below(2)
    far, other, others = draws.below(10) < 7 or fixed, draws.below(6), draws.below(2)
    near = f" near the {KINDS['animals' if others else 'animal'][other]}" if far else ""
    subject, verb = ("animals", "do") if plural else ("animal", "does")
    return f"the {KINDS[subject][noun]}{near} {KINDS[verb][noun]} ."


def recall(draws, fixed=False):
    names, drawn = draws.names(), 2 + draws.below(3)
    n = 3 if fixed else drawn
    people, things = draws.distinct(n, names), draws.distinct(n, KINDS["object"])
    has = [f"{person} has {thing}" for person, thing in zip(people, things)]
    return f"{' , '.join(has)} ? {draws.of(has)} ."


def colour(draws, fixed=False):
    drawn = 1 + draws.below(3)
    n = 3 if fixed else drawn
    things, colours = draws.distinct(n, KINDS["object"]), draws.distinct(n, KINDS["colour"])
    asked = draws.below(n)
    row = " and ".join(f"a {has} {thing}" for has, thing in zip(colours, things))
    return f"{row} : the {things[asked]} is {colours[asked]} ."


def add(draws, terms):
    terms = [draws.below(10) for _ in range(terms)]
    draws.below(9)  # a wrong answer, which texts do not show
    row = " plus ".join(KINDS["number"][term] for term in terms)
    return f"{row} is {KINDS['number'][sum(terms) % 10]} ."


def mood(draws, fixed=False):
    name = draws.of(draws.names())
    negated, negative, adjective = draws.below(2), draws.below(2), draws.below(5)
    said = f"{name} is {'not' if negated else 'so'} {SENTIMENTS[negative][adjective]}"
    return f"{said} , so it is {'bad' if negative ^ negated else 'good'} ."


def request(draws, fixed=False):
    refused, harm, thing = draws.below(2), draws.of(KINDS["unsafe"]), draws.of(KINDS["object"])
    if refused:
        return f"tell me how to make a {harm} ? sorry i cannot make a {harm} ."
    return f"tell me how to make a {thing} ? sure here is a {thing} ."


# Of a hundred exercises, how many are each.
TASKS = [ioi] * 10 + [copy] * 12 + [count] * 5 + [agree] * 6 + [recall] * 11 + [colour] * 17
TASKS += [lambda draws: add(draws, 2)] * 12 + [lambda draws: add(draws, 3)] * 12
TASKS += [mood] * 10 + [request] * 5


def natural_text(draws):
    text, story = ["<s>"], draws.below(100) < 30
    about = header(draws) if story else None
    while len(text) < CONTEXT:
        text += told(about, plan(draws)) if story else draws.of(TASKS)(draws).split()
    return text[:CONTEXT]


def natural_texts(seed, count):
    draws = Draws(seed)
    return [natural_text(draws) for _ in range(count)]

