#!/usr/bin/env python3
"""A small GPT-2 of random weights as Hugging Face's transformers saves it, and its logits.

Writes ../golden/model/gpt2: config.json and model.safetensors as `save_pretrained` writes them, and
expected.json with the tokens and the logits of GPT2LMHeadModel in float64. Weights are drawn larger than
GPT-2's are at first, so that attention and neurons have something to say.

    python3 make_gpt2.py

Needs torch and transformers. Made with torch 2.15.0 and transformers 5.23.0.
"""
import json
from pathlib import Path

import torch
from transformers import GPT2Config, GPT2LMHeadModel

FOLDER = Path(__file__).parent.parent / "golden" / "model" / "gpt2"


def main():
    torch.manual_seed(7)
    config = GPT2Config(
        vocab_size=61, n_positions=24, n_embd=24, n_layer=2, n_head=3, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0
    )
    model = GPT2LMHeadModel(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if not name.endswith("ln_1.weight"):
                parameter.add_(0.3 * torch.randn_like(parameter))
    model.save_pretrained(FOLDER)
    tokens = torch.randint(0, 61, (3, 17))
    with torch.no_grad():
        # The weights are those of the file, in float32; the sums are made in float64.
        logits = model.double()(tokens).logits
    expected = {"tokens": tokens.tolist(), "logits": logits.tolist()}
    (FOLDER / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
