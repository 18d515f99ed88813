"""Language models in Python: as the command line has them, from files and from memory."""

from __future__ import annotations

import json

import numpy as np
import pytest

import sfc_bench

TEXT = "It is 42, and it is done."
RULES = "digits: class digit\ncommas: chars ,\n"


@pytest.fixture(scope="module")
def files(golden):
    return golden / "models"


@pytest.fixture(scope="module")
def model(files):
    return sfc_bench.LanguageModel(files / "smollm2")


@pytest.fixture
def own(cli, files):
    def run(*words):
        return json.loads(cli("model", "own", files / "smollm2", *words, "--json"))

    return run


def test_what_comes_next_is_what_the_command_line_says(model, own):
    said = own("--text", TEXT)
    assert model.encode(TEXT) == said["tokens"]
    found = model.score(TEXT)
    assert {name: found[name] for name in ("tokens", "top", "cross_entropy", "losses")} == {
        name: said[name] for name in ("tokens", "top", "cross_entropy", "losses")
    }
    assert "ablation" not in found
    assert model.score(said["tokens"], top=3)["top"] == said["top"][:3]
    assert model.hooks == said["hooks"]
    assert model.pieces([one["token"] for one in found["top"]]) == [one["text"] for one in found["top"]]
    ablated = model.score(TEXT, ablate=["head:0.1"], to="mean", seed=2)["ablation"]
    assert ablated == own("--text", TEXT, "--ablate", "head:0.1", "--to", "mean", "--seed", "2")["ablation"]


def test_activations_are_those_that_the_command_line_writes(model, own, tmp_path):
    for hook in ("blocks.0.hook_resid_post", "blocks.1.attn.hook_pattern", "blocks.0.attn.hook_z"):
        file = tmp_path / "out.npy"
        own("--text", TEXT, "--hook", hook, "--out", file, "--force")
        found, wanted = model.activations(TEXT, hook), np.load(file)
        assert found.dtype == np.float32
        assert np.array_equal(found.reshape(wanted.shape), wanted), hook


def test_rows_of_a_corpus_are_those_of_its_texts_without_their_first_positions(model):
    hook, texts = "blocks.0.hook_resid_post", [TEXT, "A tree, and 17 more."]
    found = model.corpus_activations(hook, corpus="\n\n".join(texts))
    assert np.array_equal(found, np.concatenate([model.activations(text, hook)[1:] for text in texts]))
    rows = model.corpus_activations(hook)
    sae = sfc_bench.train(rows, "topk", latents=16, k=2, steps=8)
    assert sfc_bench.evaluate(rows, sae)["rows"] == len(rows)


def test_an_autoencoder_in_it_and_the_metrics_are_the_command_lines(
    model, own, cli, files, tmp_path, saelens_object
):
    folder = files / "smollm2-sae"
    spliced = own("--text", TEXT, "--sae", folder, "--scale", "3=0", "--seed", "1")["splice"]
    for sae in (folder, saelens_object(folder)):
        assert model.splice(TEXT, sae, scale={3: 0}, seed=1, hook="blocks.0.hook_resid_post") == spliced
    assert model.splice(TEXT, folder, keep_error=True)["kl"] < 1e-6
    rules = tmp_path / "rules.txt"
    rules.write_text(RULES)
    at = ("--model", files / "smollm2")
    heard = []
    fade = model.fade(folder, concepts=RULES, made=3, seed=1, progress=lambda stage, part: heard.append(part))
    flags = ("--sae", folder, "--concepts", rules, "--made", 3, "--seed", 1, "--json")
    assert fade == json.loads(cli("fade", *at, *flags))
    assert heard == sorted(heard)
    assert heard[-1] == 1
    ce_bench = json.loads(cli("ce-bench", *at, "--sae", folder, "--json"))
    assert model.ce_bench(folder) == ce_bench
    assert model.mui(questions=3) == json.loads(cli("mui", *at, "--prompts", 3, "--json"))
    flags = ("--prompts", 4, "--fractions", "0.2,0.5", "--ablation", "mean", "--json")
    circuits = json.loads(cli("measure", "circuits", files / "smollm2", *flags))
    assert model.circuits(prompts=4, fractions=[0.2, 0.5], ablation="mean") == circuits
    shares = {"threshold": "topscore", "share": 0.5, "questions": 12}
    base = model.mui(**shares)
    moved = model.mui(before={"base": base, "second": base}, **shares)
    args = ("--prompts", 12, "--threshold", "topscore", "--share", 0.5, "--before", at[1], "--before", at[1])
    printed = json.loads(cli("mui", *at, *args, "--json"))
    steps = [of["directions"]["steps"] for of in (moved, printed)]
    assert [step["tasks"] for step in steps[0]] == [step["tasks"] for step in steps[1]]
    assert [(step["from"], step["to"]) for step in steps[0]] == [("base", "second"), ("second", "model")]
    # What it returned with directions is taken as an earlier model, too.
    assert model.mui(before={"base": moved}, **shares)["directions"]["laws"] == []


@pytest.mark.parametrize(
    ("ask", "named"),
    [
        (lambda model, sae: model.score(TEXT, ablate=["head"]), "ablate"),
        (lambda model, sae: model.score(TEXT, ablate=["head:0.1"], to="one"), "to"),
        (lambda model, sae: model.score([-1]), "tokens"),
        (lambda model, sae: model.activations(TEXT, "blocks.9.hook_resid_post"), "hook"),
        (lambda model, sae: model.splice(TEXT, sae, hook="nowhere"), "hook"),
        (lambda model, sae: model.splice(TEXT, "nowhere"), "sae"),
        (lambda model, sae: model.fade(sae, concepts="digits"), "concepts"),
        (lambda model, sae: model.fade(sae, sneed=1), "sneed"),
        (lambda model, sae: model.mui(questions=0), "questions"),
        (lambda model, sae: model.circuits(prompts=3), "prompts"),
        (lambda model, sae: model.circuits(fractions=[0.5, 0.1]), "fractions"),
        (lambda model, sae: model.mui(threshold="best"), "threshold"),
        (lambda model, sae: model.mui(before={}), "models"),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(model, files, ask, named):
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        ask(model, files / "smollm2-sae")
    assert named in (refused.value.field or "")


def test_what_is_no_model_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(sfc_bench.SfcBenchError):
            sfc_bench.LanguageModel(path)
