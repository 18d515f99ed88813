
# The model and the autoencoders, from the files that they are shipped in.
FOLDERS = [word for word in sys.argv[1:] if not word.startswith("-")]
FOLDER = FOLDERS[0] if FOLDERS else os.path.dirname(os.path.abspath(sys.argv[0]))


def tensors(name):
    """Every tensor of a safetensors file: a length, a table of contents in JSON, then numbers."""
    try:
        with open(os.path.join(FOLDER, name), "rb") as file:
            data = file.read()
    except OSError as error:
        sys.exit(f"{error}\nThe first argument is the folder that has {' and '.join(FILES)}.")
    if hashlib.sha256(data).hexdigest() != FILES[name]:
        sys.exit(f"{name} is not the file that sfc-bench read: its SHA-256 is another.")
    start = 8 + int.from_bytes(data[:8], "little")
    found = {}
    for tensor, about in json.loads(data[8:start]).items():
        if tensor != "__metadata__":
            first, end = about["data_offsets"]
            kind = {"F16": "<f2", "F32": "<f4"}[about["dtype"]]
            numbers = np.frombuffer(data[start + first : start + end], kind)
            found[tensor] = numbers.astype(float).reshape(about["shape"])
    return found


P = tensors(MODEL)
HEADS, D_HEAD = P["blocks.0.attn.b_Q"].shape


def normed(x, name):
    x = x - x.mean(axis=-1, keepdims=True)
    x = x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + 1e-5)
    return x * P[name + ".w"] + P[name + ".b"]


def attended(x, l):
    """The residual stream after a layer's attention."""
    attn = f"blocks.{l}.attn."
    seen = normed(x, f"blocks.{l}.ln1")[:, None]  # texts, 1, positions, numbers
    q, k, v = (seen @ P[attn + "W_" + one] + P[attn + "b_" + one][:, None] for one in "QKV")
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(D_HEAD)
    scores[..., np.triu(np.ones(scores.shape[-2:], bool), 1)] = -np.inf  # nobody looks ahead
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    z = weights / weights.sum(axis=-1, keepdims=True) @ v
    return x + np.sum(z @ P[attn + "W_O"], axis=1) + P[attn + "b_O"]


def neurons(x, l):
    """What the neurons of a layer's MLP say."""
    mlp = f"blocks.{l}.mlp."
    return np.maximum(normed(x, f"blocks.{l}.ln2") @ P[mlp + "W_in"] + P[mlp + "b_in"], 0)


def layer(x, l):
    """One layer of the transformer: attention, then the MLP, each added to the residual stream."""
    x = attended(x, l)
    return x + neurons(x, l) @ P[f"blocks.{l}.mlp.W_out"] + P[f"blocks.{l}.mlp.b_out"]


def embedded(tokens):
    return P["embed.W_E"][tokens] + P["pos_embed.W_pos"][: tokens.shape[1]]


def residual(texts):
    """blocks.1.hook_resid_post without the first position, which is the same in all texts."""
    tokens = np.array([[TOKEN[word] for word in text] for text in texts])
    parts = np.array_split(tokens, -(-len(tokens) // 100))
    return np.concatenate([layer(layer(embedded(part), 0), 1)[:, 1:] for part in parts])


class Autoencoder:
    """relu((x - b_dec) W_enc' + b_enc), of which the `kept` largest are kept, or all."""

    def __init__(self, file, name, kept):
        self.kept = kept
        self.itself = file is None  # no dictionary: the residual stream
        if not self.itself:
            found = tensors(file)
            self.W_enc, self.b_enc = found[name + ".W_enc"], found[name + ".b_enc"]
            self.W_dec, self.b_dec = found[name + ".W_dec"], found[name + ".b_dec"]

    def codes(self, x):
        if self.itself:
            return x
        codes = np.maximum((x - self.b_dec) @ self.W_enc.T + self.b_enc, 0)
        if self.kept:
            order = np.argsort(-codes, axis=-1, kind="stable")
            np.put_along_axis(codes, order[..., self.kept :], 0, axis=-1)
        # Equal beginnings of texts have equal codes, and scores count ties. A product of matrices
        # can round equal rows otherwise in the 16th digit; nine decimals make them equal again.
        return np.round(codes, 9)

