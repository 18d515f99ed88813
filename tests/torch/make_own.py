#!/usr/bin/env python3
"""A small GPT-2 with a vocabulary of its own, as Hugging Face's transformers saves it, and what both make of texts.

Writes ../golden/model/own: config.json, model.safetensors (in float16) and tokenizer.json as `save_pretrained` writes
them; expected.json with the tokens of texts by Hugging Face's tokenizers, what they are decoded to, the same under
other settings of the file, and the logits of GPT2LMHeadModel after a text, in float64. Writes characters.json, which
characters its pattern takes for letters, numbers, spaces and others, beside the tokenizer's sources, whose test it is.

    python3 make_own.py

Needs torch, transformers and tokenizers. Made with torch 2.15.0, transformers 5.23.0 and tokenizers 0.23.3.
"""
import json
import random
import tempfile
from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

FOLDER = Path(__file__).parent.parent / "golden" / "model" / "own"
TOKENIZER = Path(__file__).parents[2] / "crates" / "foundations" / "src" / "model" / "tokenizer"

LEARNT = """
A sparse autoencoder writes an activation as a sum of a few directions, and says that each of them means something.
Whether it does is what a score is to tell: is the direction active where the concept is, and only there? Doesn't the
model do without it? We've planted the concepts ourselves, so we'll know; they're in the weights, and it's no secret.
The cat saw the dog, the dog saw the bird, and the bird didn't see the cat. In 2024, 17 of 144 words were numbers.
Dünne Wörterbücher lügen schöner; größere Modelle müssen es nicht. Où est la vérité ? L'été, ça va déjà très bien.
Слова складываются в предложения, а предложения в тексты. 言葉は意味を持つ。模型は言葉を数える。
def score(x):
    return sum(x) / len(x)  # the mean, 3.14159 at most
"""

#: As people write, and as they do not.
TEXTS = [
    "",
    " ",
    "  ",
    "\n",
    "a",
    " a",
    "The cat saw the dog.",
    "Hello, world!",
    "I'm sure we've seen they'll say he'd, she's, you're, don't",
    "I'M SURE WE'VE 'S 'LL",
    "'s's 'tis ''s '",
    "rock'n'roll 'cause",
    "two  spaces,   three,\ttab, end  ",
    "lines\nand\n\nmore\r\n  indented\n",
    " \n \t x",
    "1 22 333 4444 1,000.50 ½ ² Ⅻ ٣ ४",
    "x1y2 3z a_b c-d e.f",
    "größer Straße naïve café",
    "cafe\u0301 combining",
    "言葉は意味を持つ。模型",
    "Привет, мир! Ещё",
    "مرحبا بالعالم",
    "हिन्दी में",
    "👍🏽 👨‍👩‍👧‍👦 🇩🇪 ✨x",
    "a\u00a0b\u2003c\u3000d\u2028e\u0085f\u200bg\ufeffh",
    "\u0000\u0001\u007f\u00ad",
    "\U0010ffff\ufffd\ue000",
    "<|endoftext|>",
    "one<|endoftext|>two <|endoftext|> three",
    "<|endoftext|><|endoftext|>",
    "<|endoftext|",
    "<|user|>hello<|user|>\nthere <|user|>  x",
    "<|user|><|endoftext|>'s",
    "<|終|>言<|終|",
    "ĠĊ Ġthe âĢĻ",
    "the " * 12 + "the",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "def score(x):\n    return sum(x) / len(x)  # the mean\n",
    "http://a.b/c?d=e&f=%20#g",
    "\"quoted\" (so) [and] {so} <on> — – … ’s “x”",
]

#: What random texts are put together from.
PARTS = [
    " ", "  ", "\n", "\t", "'", "'s", "'ll", "'t", "the", " the", "cat", "s", "e", "E", "1", "23", "½", ".", ",", "!?",
    "é", "e\u0301", "ß", "я", " Мир", "言", "葉は", "👍", "🏽", "\u200d", "\u00a0", "\u3000", "<|endoftext|>", "<|user|>",
    "<|user|>\n", "<|", "|>", "Ġ", "in", "ing", " direc", "tions", "\u0000", "٣", "Ⅻ", "_", "-", "\r",
]

#: Settings that change what a text becomes: which part of the file, field, value.
OTHERWISE = [
    ["pre_tokenizer", "add_prefix_space", True],
    ["pre_tokenizer", "use_regex", False],
    ["model", "ignore_merges", True],
]


def learn():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(
        vocab_size=420,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(LEARNT.splitlines(keepends=True), trainer)
    return tokenizer


def kind(pattern, character):
    """L for a letter, N for a number, S for a space, O for all others."""
    def alone(text):
        return len(pattern.pre_tokenize_str(text)) == 1
    return "L" if alone("a" + character) else "N" if alone("1" + character) else "O" if alone("!" + character) else "S"


def characters():
    """Where each kind begins, by code point."""
    pattern = pre_tokenizers.ByteLevel(add_prefix_space=False)
    starts = []
    for point in range(0x110000):
        found = "O" if 0xD800 <= point < 0xE000 else kind(pattern, chr(point))
        if not starts or starts[-1][1] != found:
            starts.append([point, found])
    return starts


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    fast = PreTrainedTokenizerFast(tokenizer_object=learn(), eos_token="<|endoftext|>")
    fast.add_tokens([AddedToken("<|user|>"), AddedToken("<|user|>\n"), AddedToken("<|終|>", normalized=False)])
    with tempfile.TemporaryDirectory() as folder:
        fast.save_pretrained(folder)
        (FOLDER / "tokenizer.json").write_text((Path(folder) / "tokenizer.json").read_text())
    written = json.loads((FOLDER / "tokenizer.json").read_text())

    random.seed(3)
    texts = TEXTS + ["".join(random.choices(PARTS, k=random.randint(1, 14))) for _ in range(160)]
    plain = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))

    def read(tokenizer):
        return [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]

    ids = read(plain)
    auto = AutoTokenizer.from_pretrained(FOLDER) if (FOLDER / "config.json").exists() else fast
    assert [auto.encode(text) for text in texts] == ids, "transformers reads the file as tokenizers does"
    otherwise = []
    for part, field, value in OTHERWISE:
        changed = json.loads(json.dumps(written))
        changed[part][field] = value
        otherwise.append({"part": part, "field": field, "value": value,
                          "tokens": read(Tokenizer.from_str(json.dumps(changed)))})
    cut = [row[1:] for row in ids if len(row) > 2]
    decoded = [plain.decode(row, skip_special_tokens=False) for row in ids + cut]

    torch.manual_seed(11)
    config = GPT2Config(
        vocab_size=plain.get_vocab_size() + 5, n_positions=48, n_embd=16, n_layer=2, n_head=2, n_inner=40,
        resid_pdrop=0, embd_pdrop=0, attn_pdrop=0,
    )
    model = GPT2LMHeadModel(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    model.half().save_pretrained(FOLDER)
    prompt = "The cat saw the"
    tokens = plain.encode(prompt).ids
    with torch.no_grad():
        # The weights are those of the file, in float16; the sums are made in float64.
        logits = model.double()(torch.tensor([tokens])).logits[0, -1]
    expected = {
        "texts": texts, "tokens": ids, "otherwise": otherwise, "cut": cut, "decoded": decoded,
        "prompt": prompt, "prompt_tokens": tokens, "logits": logits.tolist(),
    }

    def write(name, value, folder=FOLDER):
        (folder / name).write_text(json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n")

    write("expected.json", expected)
    write("characters.json", characters(), TOKENIZER)


if __name__ == "__main__":
    main()
