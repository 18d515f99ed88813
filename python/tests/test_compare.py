"""Decompositions side by side: as the command line has them, and controls as NumPy makes them."""

from __future__ import annotations

import itertools
import json
import pickle

import numpy as np
import pytest

import sfc_bench

SAES = ("sae_standard", "sae_topk", "sae_jumprelu")


@pytest.fixture(scope="module")
def activations():
    """A superposition of more directions than there are dimensions."""
    rng = np.random.default_rng(3)
    directions = rng.standard_normal((24, 12))
    codes = rng.random((400, 24)) * (rng.random((400, 24)) < 0.1)
    return (codes @ directions + 0.5).astype(np.float32)


def r2(a, a_hat):
    a, a_hat = a.astype(np.float64), a_hat.astype(np.float64)
    return 1 - ((a - a_hat) ** 2).sum() / ((a - a.mean(0)) ** 2).sum()


def largest(z, k):
    """The k of each row that are largest in magnitude."""
    keep = np.argsort(-np.abs(z), axis=1, kind="stable")[:, :k]
    out = np.zeros_like(z)
    np.put_along_axis(out, keep, np.take_along_axis(z, keep, axis=1), axis=1)
    return out


def row(table, role, of):
    return next(row for row in table if row["role"] == role and of in row["control_of"])


def test_a_table_is_the_command_lines_byte_for_byte(cli, golden, saelens_object):
    folder = golden / "evaluate"
    expected = cli("compare", *SAES, "--activations", "acts_f32.npy", "--json", cwd=folder)
    found = sfc_bench.compare({name: folder / name for name in SAES}, folder / "acts_f32.npy")

    def named(text):
        table = json.loads(text)
        for one in table["rows"]:
            one["report"]["files"] = None
        return table

    assert named(found.json) == named(expected)
    # Objects and arrays in memory come to the same.
    objects = sfc_bench.compare(
        {name: saelens_object(folder / name) for name in SAES}, np.load(folder / "acts_f32.npy"), threads=2
    )
    assert named(objects.json) == named(expected)


def test_controls_are_what_numpy_makes_of_them(activations):
    sae = sfc_bench.train(activations, "topk", latents=24, k=3, steps=200)
    heard = []
    table = sfc_bench.compare(
        {"sae": sae}, activations, seed=5, progress=lambda _, share: heard.append(share)
    )
    assert heard == sorted(heard) and 0 < heard[-1] <= 1
    a = activations.astype(np.float64)
    own = table["sae"]
    kept = round(own["report"]["sparsity"]["l0"])
    # The stream of NumPy's own legacy generator.
    rng = np.random.RandomState(1_000 + 5)
    directions = rng.standard_normal((24, 12))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    order = rng.permutation(24)

    projected = (a - a.mean(0)) @ directions.astype(np.float32).T.astype(np.float64)
    codes = largest(np.maximum(projected, 0), kept)
    random = row(table, "random", "sae")
    assert random["report"]["fidelity"]["r2"] == pytest.approx(
        r2(a, codes @ directions + a.mean(0)), abs=1e-5
    )
    assert random["sparsity"] == pytest.approx((codes == 0).mean(), abs=1e-9)

    z = np.maximum((a - sae.b_dec) @ sae.W_enc + sae.b_enc, 0)
    codes = largest(z, 3)
    assert own["report"]["fidelity"]["r2"] == pytest.approx(r2(a, codes @ sae.W_dec + sae.b_dec), abs=1e-5)
    permuted = row(table, "permuted", "sae")
    shuffled = codes @ sae.W_dec[order] + sae.b_dec
    assert permuted["report"]["fidelity"]["r2"] == pytest.approx(r2(a, shuffled), abs=1e-5)
    assert permuted["sparsity"] == own["sparsity"]

    _, _, components = np.linalg.svd(a - a.mean(0), full_matrices=False)
    codes = largest((a - a.mean(0)) @ components.T, kept)
    pca = row(table, "pca", "sae")
    assert pca["report"]["k"] == 12
    assert pca["report"]["fidelity"]["r2"] == pytest.approx(r2(a, codes @ components + a.mean(0)), abs=1e-5)


def test_decompositions_of_any_kind_stand_side_by_side(activations, tmp_path):
    a = activations.astype(np.float64)
    mean = a.mean(0)
    _, _, components = np.linalg.svd(a - mean, full_matrices=False)
    codes = largest((a - mean) @ components.T, 3)
    for k in (2, 4):
        sfc_bench.train(activations, latents=24, k=k, steps=50).save(tmp_path / "release" / f"k{k}")
    table = sfc_bench.compare(
        {
            "mine": sfc_bench.train(activations, "relu", latents=24, steps=50),
            "pca": (codes, components, mean),
            "same": {"codes": codes, "dictionary": components, "b_dec": mean},
            "alone": components,
            "release": tmp_path / "release",
        },
        activations,
        codes_by="top-3",
        controls=False,
    )
    assert {one["name"] for one in table} == {"mine", "pca", "same", "alone", "release/k2", "release/k4"}
    assert table["pca"]["report"]["fidelity"]["r2"] == pytest.approx(
        r2(a, codes @ components + mean), abs=1e-5
    )
    assert table["pca"]["sfc"] == table["same"]["sfc"]
    one = sfc_bench.compare(tmp_path / "release", activations, choose="*k2", controls=False)
    assert len(one) == 1 and one[0]["name"].endswith("k2")
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.compare(tmp_path / "release", activations, choose="none")
    assert (refused.value.field, refused.value.value) == ("choose", "none")
    assert "k2" in str(refused.value)


def test_a_decoder_of_any_kind_is_scored_by_what_it_makes(activations):
    a = activations.astype(np.float64)
    rng = np.random.default_rng(4)
    dictionary = rng.standard_normal((24, 12)).astype(np.float32)
    codes = largest(np.maximum(a @ dictionary.T, 0), 3).astype(np.float32)
    # No linear function of the codes.
    made = np.tanh(codes @ dictionary) + 0.2 * activations
    given = {"codes": codes, "dictionary": dictionary}
    table = sfc_bench.compare({"mine": {**given, "reconstruction": made}, "linear": given}, activations)
    mine, linear = table["mine"]["report"], table["linear"]["report"]
    assert mine["fidelity"]["r2"] == pytest.approx(r2(a, made), abs=1e-6)
    cosine = (a * made).sum(1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(made, axis=1) + 1e-10)
    assert mine["fidelity"]["cosine"] == pytest.approx(cosine.mean(), abs=1e-6)
    # What is not of the decoder is the same.
    for same in ("sparsity", "rank", "features"):
        assert mine[same] == linear[same]
    assert [one["total"] for one in mine["completeness"]][0] == linear["completeness"][0]["total"]
    assert not [one for one in table if one["role"] == "permuted" and "mine" in one["control_of"]]
    assert any("reconstruction is given" in note for note in table.report["notes"])
    alone = sfc_bench.evaluate(activations, dictionary, codes=codes, reconstruction=made)
    assert alone["fidelity"] == mine["fidelity"]
    for wrong in ({"reconstruction": made}, {"codes": codes, "b_dec": a.mean(0), "reconstruction": made}):
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            sfc_bench.evaluate(activations, dictionary, **wrong)
        assert refused.value.field == "reconstruction"


def test_a_table_is_rescored_drawn_and_printed(activations):
    pandas = pytest.importorskip("pandas")
    saes = {f"k{k}": sfc_bench.train(activations, latents=24, k=k, steps=50) for k in (1, 3)}
    table = sfc_bench.compare(saes, activations)
    for weights in [(1, 1, 1), (1, 0, 0), (0, 1, 0), (2, 1, 3)]:
        scored = table.score(weights)
        for one in scored:
            axes = (one["sparsity"], one["fidelity"], one["completeness"])
            assert one["sfc"] == pytest.approx(sfc_bench.score(*axes, weights), abs=1e-12)
        scores = [one["sfc"] for one in scored]
        assert scores == sorted(scores, reverse=True)
    frame = table.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and list(frame.index) == [one["name"] for one in table]
    points = frame[["S", "F", "C"]].to_numpy()
    assert list(np.flatnonzero(frame["front"])) == list(sfc_bench.front(points))
    found = sfc_bench.hypervolume(points)
    assert list(frame["contribution"]) == pytest.approx(found["contributions"], abs=1e-12)
    for name in ("table", "front", "sc", "fc"):
        assert table.figure(name).svg.startswith("<svg")
    with pytest.raises(sfc_bench.SfcBenchError, match="table, front, sc, fc"):
        table.figure("none")
    assert "\\begin{tabular}" in table.to_latex()
    assert pickle.loads(pickle.dumps(table)) == table
    again = sfc_bench.report("decompositions", table.json)
    assert sfc_bench.Comparison(again) == table
    with pytest.raises(KeyError, match="k1"):
        table["k2"]


def test_directions_of_two_are_matched_as_well_as_can_be(activations):
    rng = np.random.default_rng(8)
    first = rng.standard_normal((6, 12)).astype(np.float32)
    same = (-first[rng.permutation(6)]).astype(np.float32)
    other = (first + 0.8 * rng.standard_normal((6, 12))).astype(np.float32)[::-1].copy()
    given = {"first": first, "same": same, "other": other, "wide": rng.standard_normal((7, 12))}
    table = sfc_bench.compare(given, activations, codes_by="top-2", controls=False)
    found = {(one["first"], one["second"]): one["pw_mcc"] for one in table.report["consistency"]}
    assert set(found) == {("first", "same"), ("first", "other"), ("same", "other")}
    assert found["first", "same"] == pytest.approx(1, abs=1e-6)

    def unit(rows):
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    cosines = np.abs(unit(first.astype(float)) @ unit(other.astype(float)).T)
    best = max(cosines[range(6), order].mean() for order in itertools.permutations(range(6)))
    assert found["first", "other"] == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "decompositions"),
        (7, "decompositions"),
        ({"a": (1, 2, 3, 4)}, "a"),
        ({"a": {"codes": 1}}, "a"),
    ],
)
def test_what_is_no_decomposition_is_refused(activations, given, field):
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.compare(given, activations)
    assert refused.value.field == field


@pytest.mark.parametrize("family", ["relu", "topk", "batch-topk", "jumprelu", "gated", "matryoshka"])
def test_training_gives_the_command_lines_bytes(cli, tmp_path, activations, family):
    np.save(tmp_path / "acts.npy", activations)
    words = ["--activations", "acts.npy", "--latents", "24", "--steps", "40", "--batch", "64", "--seed", "3"]
    cli("train", "--family", family, *words, "--k", "4", "--out", "cli", cwd=tmp_path)
    for given, threads in ((activations, 1), (tmp_path / "acts.npy", None)):
        made = sfc_bench.train(given, family, latents=24, k=4, steps=40, batch=64, seed=3, threads=threads)
        folder = tmp_path / f"python{threads}"
        made.save(folder)
        for name in ("cfg.json", "sae_weights.safetensors"):
            assert (folder / name).read_bytes() == (tmp_path / "cli" / name).read_bytes(), name
    with pytest.raises(sfc_bench.SfcBenchError, match="force"):
        made.save(folder)
    made.save(folder, force=True)
    # It is scored as the folder is.
    found = sfc_bench.evaluate(activations, made)
    on_disk = sfc_bench.evaluate(activations, folder)
    assert {**found, "files": None} == {**on_disk, "files": None}
    assert pickle.loads(pickle.dumps(made)).W_dec.tobytes() == made.W_dec.tobytes()
    # What is saved is what was trained: nothing else can be written into it and then be lost.
    with pytest.raises(ValueError, match="read-only"):
        made.W_dec[0] = 0
    other = {**made.state_dict(), "W_dec": np.zeros_like(made.W_dec), "cfg": made.cfg}
    assert sfc_bench.evaluate(activations, other)["fidelity"]["r2"] < found["fidelity"]["r2"]


def test_trainings_that_are_not_allowed_are_refused(activations):
    for given, field in [
        ({"latents": 0}, "latents"),
        ({"family": "none"}, "family"),
        ({"k": 99}, "k"),
        ({"colour": 1}, "settings.colour"),
        ({"rows": "many"}, "rows"),
    ]:
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            sfc_bench.train(activations, **{"latents": 24, "steps": 1, **given})
        assert field in (refused.value.field, f"settings.{refused.value.field}"), refused.value


def test_batches_are_scored_as_the_whole_to_the_last_bit(golden, activations, tmp_path):
    folder = golden / "evaluate"
    rows = np.load(folder / "acts_f32.npy")
    for name in SAES:
        evaluator = sfc_bench.Evaluator(folder / name, skip_norm_above=3.0)
        for start in (0, 1, 64, 100):
            stop = {0: 1, 1: 64, 64: 100, 100: len(rows)}[start]
            evaluator.update(rows[start:stop])
        found = evaluator.result()
        expected = sfc_bench.evaluate(rows, folder / name, skip_norm_above=3.0)
        assert {**found, "files": None} == {**expected, "files": None}
    # With codes, and in a folder that stays.
    mean = activations.mean(0)
    _, _, components = np.linalg.svd(activations - mean, full_matrices=False)
    codes = largest((activations - mean) @ components.T, 3)
    kept = sfc_bench.Evaluator(components, folder=tmp_path / "kept", b_dec=mean)
    for part in np.array_split(np.arange(len(activations)), 7):
        kept.update(activations[part], codes=codes[part])
    expected = sfc_bench.evaluate(activations, components, codes=codes, b_dec=mean)
    assert {**kept.result(), "files": None} == {**expected, "files": None}
    assert len(list((tmp_path / "kept" / "codes").iterdir())) == 7
    for wrong, field in [
        (lambda: kept.update(activations), "codes"),
        (lambda: kept.update(activations, codes=codes[1:]), "codes"),
        (lambda: kept.update(mean, codes=codes), "activations"),
        (lambda: sfc_bench.Evaluator(components).result(), "activations"),
        (lambda: sfc_bench.Evaluator(components, codes=codes), "codes"),
        (lambda: sfc_bench.Evaluator(components, folder=tmp_path / "kept"), "folder"),
        # Before any batch.
        (lambda: sfc_bench.Evaluator(components, fidelity="none"), "fidelity"),
        (lambda: sfc_bench.Evaluator(components, active_rows=0), "active_rows"),
        (lambda: sfc_bench.Evaluator(components, skip_norm_above=0.5), "skip_norm_above"),
        (lambda: sfc_bench.Evaluator(components, codes_by="some"), "codes_by"),
        (lambda: sfc_bench.Evaluator(components, threads=0), "threads"),
        (lambda: sfc_bench.Evaluator(7), "sae"),
    ]:
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            wrong()
        assert refused.value.field == field


@pytest.mark.parametrize("skip", [None, "0-4,100"])
def test_the_worst_rows_and_the_decoders_norms_are_those_of_numpy(activations, skip):
    rng = np.random.default_rng(2)
    dictionary = (rng.standard_normal((20, 12)) * rng.uniform(0.1, 3, (20, 1))).astype(np.float32)
    codes = largest(rng.standard_normal((400, 20)), 3).astype(np.float32)
    bias = rng.standard_normal(12).astype(np.float32)
    found = sfc_bench.evaluate(activations, dictionary, codes=codes, b_dec=bias, skip_rows=skip)
    a = activations.astype(np.float64)
    errors = ((a - (codes.astype(np.float64) @ dictionary + bias)) ** 2).sum(1)
    kept = np.ones(400, bool)
    if skip:
        kept[[0, 1, 2, 3, 4, 100]] = False
    errors[~kept] = -1
    order = np.argsort(-errors, kind="stable")[:10]
    assert [row["row"] for row in found["worst_rows"]] == list(order)
    for row in found["worst_rows"]:
        assert row["squared_error"] == pytest.approx(errors[row["row"]], rel=1e-9)
        assert row["norm"] == pytest.approx(np.linalg.norm(a[row["row"]]), rel=1e-9)
        assert row["share"] == pytest.approx(errors[row["row"]] / errors[kept].sum(), rel=1e-9)
    lengths = np.linalg.norm(dictionary.astype(np.float64), axis=1)
    assert found["decoder_norms"] == pytest.approx(
        {"min": lengths.min(), "median": np.median(lengths), "mean": lengths.mean(), "max": lengths.max()},
        rel=1e-9,
    )
