"""Objects that encode and decode: what they give is scored, as if it had been handed over."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import sfc_bench

K, D, N = 24, 12, 2_500


@pytest.fixture(scope="module")
def activations():
    rng = np.random.default_rng(5)
    codes = rng.random((N, K)) * (rng.random((N, K)) < 0.1)
    return (codes @ rng.standard_normal((K, D)) + 0.3).astype(np.float32)


class Module:
    """A dictionary-learning autoencoder in NumPy: nothing of it has a name that is known."""

    def __init__(self, seed=0, training=True):
        rng = np.random.default_rng(seed)
        self.words = rng.standard_normal((K, D)).astype(np.float32)
        self.offset = rng.standard_normal(D).astype(np.float32)
        self.training, self.asked = training, []

    def eval(self):
        self.training = False

    def train(self):
        self.training = True

    def encode(self, rows):
        self.asked.append((len(rows), self.training))
        return np.maximum((rows - self.offset) @ self.words.T - 1, 0)

    def decode(self, codes):
        return codes @ self.words + self.offset


class Bent(Module):
    """With a decoder that is not affine."""

    def decode(self, codes):
        return np.tanh(super().decode(codes))


class Sparse(Module):
    """As sparsify's: the largest codes with their places."""

    def __init__(self):
        super().__init__()
        self.W_dec = self.words

    def encode(self, rows):
        all_codes = super().encode(rows)
        which = np.argsort(-all_codes, axis=1, kind="stable")[:, :3]
        return SimpleNamespace(top_acts=np.take_along_axis(all_codes, which, 1), top_indices=which)

    def decode(self, top_acts, top_indices):
        return np.einsum("nk,nkd->nd", top_acts, self.words[top_indices]) + self.offset


def in_batches(function, rows):
    """As an evaluation asks: a product of float32 depends on how many rows it has on some processors."""
    return np.concatenate([function(rows[at : at + 1_024]) for at in range(0, len(rows), 1_024)])


def parts(report):
    kept = ("rows", "k", "sparsity", "fidelity", "completeness", "sfc")
    return {name: report[name] for name in kept}


def near(one, other, name=""):
    if isinstance(one, dict):
        assert one.keys() == other.keys(), name
        for key in one:
            near(one[key], other[key], f"{name}.{key}")
    elif isinstance(one, list):
        for at, (here, there) in enumerate(zip(one, other, strict=True)):
            near(here, there, f"{name}[{at}]")
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-5, abs=1e-6), name
    else:
        assert one == other, name


def test_codes_and_reconstructions_are_asked_for(activations):
    module = Module()
    report = sfc_bench.evaluate(activations, module)
    assert module.training, "it is as it was"
    assert module.asked == [(1_024, False), (1_024, False), (N - 2_048, False)]
    codes = in_batches(module.encode, activations)
    reconstruction = in_batches(module.decode, codes)
    given = sfc_bench.evaluate(activations, module.words, codes=codes, reconstruction=reconstruction)
    # The dictionary was decoded one unit at a time, within the rounding of float32.
    near(parts(report), parts(given))
    assert report["fidelity"]["cosine"] == given["fidelity"]["cosine"]
    assert [note for note in report["notes"] if "encode()" in note and "Module" in note]


def test_a_decoder_of_any_kind_counts_by_what_it_gives(activations):
    bent, plain = Bent(), Module()
    report = sfc_bench.evaluate(activations, bent)
    a_hat = bent.decode(bent.encode(activations)).astype(np.float64)
    a = activations.astype(np.float64)
    cosine = (a * a_hat).sum(1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(a_hat, axis=1) + 1e-8)
    assert report["fidelity"]["cosine"] == pytest.approx(cosine.mean(), abs=1e-9)
    assert report["fidelity"]["cosine"] != sfc_bench.evaluate(activations, plain)["fidelity"]["cosine"]


def test_beside_transcoders_it_reads_what_it_reconstructs(activations):
    module, targets = Module(), np.tanh(activations)
    table = sfc_bench.compare(
        {"asked": module, "directions": module.words}, activations, targets=targets, controls=False
    )
    near(
        parts(table["asked"]["report"]),
        parts(sfc_bench.evaluate(targets, module, completeness=table["asked"]["report"]["reading"])),
    )


def test_batches_of_what_is_asked_are_refused_before_they_come():
    for sae in (Module(), Named()):
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            sfc_bench.Evaluator(sae)
        assert refused.value.field == "sae"


def test_the_largest_codes_with_their_places_are_codes(activations):
    report = sfc_bench.evaluate(activations, Sparse())
    assert report["k"] == K
    assert report["sparsity"]["l0"] <= 3


class Named(Module):
    """With tensors as SAELens calls them, and nothing that says how it encodes."""

    def __init__(self):
        super().__init__()
        self.W_enc, self.W_dec = self.words.T, self.words
        self.b_enc, self.b_dec = np.zeros(K, np.float32), self.offset


class Configured(Named):
    """As SAEBench's own classes: a cfg that names an architecture, and what that needs elsewhere."""

    cfg = SimpleNamespace(architecture="topk", d_in=D, d_sae=K)

    def state_dict(self):
        return {
            "W_enc": self.W_enc,
            "W_dec": self.W_dec,
            "b_enc": self.b_enc,
            "b_dec": self.b_dec,
            "k": np.array(3),
        }


def test_what_has_an_encoder_of_its_own_is_asked_whatever_its_cfg_says(activations):
    assert parts(sfc_bench.evaluate(activations, Configured())) == parts(
        sfc_bench.evaluate(activations, Named())
    )


def test_tensors_without_a_configuration_do_not_say_how_it_encodes(activations):
    assert (
        parts(sfc_bench.evaluate(activations, Named()))["sparsity"]
        == parts(sfc_bench.evaluate(activations, Module()))["sparsity"]
    )


def test_it_stands_in_a_table_beside_others(activations):
    module = Module()
    table = sfc_bench.compare({"asked": module, "directions": module.words}, activations, controls=True)
    assert {row["name"] for row in table if row["role"] == "given"} == {"asked", "directions"}
    near(
        parts(table["asked"]["report"]),
        parts(sfc_bench.evaluate(activations, module, completeness=table["asked"]["report"]["reading"])),
    )


class Wrong(Module):
    def __init__(self, codes=None, decoded=None):
        super().__init__()
        self.codes, self.decoded = codes, decoded

    def encode(self, rows):
        return super().encode(rows) if self.codes is None else self.codes(rows)

    def decode(self, codes):
        return super().decode(codes) if self.decoded is None else self.decoded(codes)


@pytest.mark.parametrize(
    ("sae", "more", "field"),
    [
        (Wrong(codes=lambda rows: (rows, rows)), {}, "sae"),
        (Wrong(codes=lambda rows: rows[:1]), {}, "sae"),
        (Wrong(decoded=lambda codes: codes), {}, "sae"),
        (Module(), {"codes": np.zeros((N, K))}, "codes"),
        (Module(), {"codes_by": "projection"}, "codes_by"),
        (Module(), {"activations": "acts.npy"}, "activations"),
    ],
)
def test_what_it_cannot_be_asked_is_refused(activations, sae, more, field):
    given = {"activations": activations, **more}
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.evaluate(sae=sae, **given)
    assert refused.value.field == field


def test_more_codes_than_memory_holds_are_refused():
    class Wide(Module):
        def encode(self, rows):
            return np.zeros((len(rows), 300_000), np.float32)

        def decode(self, codes):
            return np.zeros((len(codes), D), np.float32)

    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.evaluate(np.ones((2_000, D), np.float32), Wide(), memory=16)
    assert refused.value.field == "memory"
