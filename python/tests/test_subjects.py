"""Every metric of the registry by itself says what the audit says of the same subject."""

from __future__ import annotations

import json

import numpy as np
import pytest

import sfc_bench


def tensors(file):
    """What a file of tensors in single precision holds."""
    data = file.read_bytes()
    size = int.from_bytes(data[:8], "little")
    for name, it in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__":
            start, end = (8 + size + at for at in it["data_offsets"])
            yield name, np.frombuffer(data[start:end], "<f4").reshape(it["shape"])


def audited(cli, *words) -> list[dict]:
    return json.loads(cli("audit", *words, "--json"))["jobs"][0]["rows"]


def said(row: dict) -> dict:
    return {value["metric"]: value["value"] for value in row["values"]}


def directions(rng, latents: int, width: int) -> np.ndarray:
    found = rng.standard_normal((latents, width))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def top_k(words: np.ndarray, k: int) -> dict:
    latents, width = words.shape
    zeros = {"b_enc": np.zeros(latents), "b_dec": np.zeros(width)}
    return {"W_enc": words.T, "W_dec": words, **zeros, "cfg": {"architecture": "topk", "k": k}}


def test_each_metric_can_be_measured_on_something():
    rng = np.random.default_rng(0)
    of = {kind: {m["id"] for m in sfc_bench.metrics() if m["kind"] == kind} for kind in
          ("decomposition", "circuit", "model", "scores")}  # fmt: skip
    assert sum(map(len, of.values())) == len(sfc_bench.metrics())
    wide = sfc_bench.world("stream1")["training"].shape[1]
    sae, others = top_k(directions(rng, 64, wide), 4), [top_k(directions(rng, n, wide), 4) for n in (64, 32)]
    found = sfc_bench.measure("stream1", sae, beside=others)
    assert set(found) == of["decomposition"]
    assert [name for name, value in found.items() if value is None] == []
    circuit = sfc_bench.measure_circuit()
    assert set(circuit["values"]) == of["circuit"]
    assert None not in circuit["values"].values()
    model = sfc_bench.measure_model()
    assert set(model) == of["model"]
    assert None not in model.values()
    groups = sfc_bench.measure_scores((rng.standard_normal(40), rng.standard_normal(40) + 1))
    runs = rng.standard_normal((5, 30))
    both = {
        **groups,
        **{k: v for k, v in sfc_bench.measure_scores(better=runs + 1, other=runs[::-1]).items() if v},
    }
    assert set(groups) == of["scores"]
    assert len([value for value in both.values() if value is not None]) > len(both) / 2


@pytest.mark.parametrize("sae", ["sae_topk", "sae_jumprelu", "sae_gated", "sae_topk_legacy"])
def test_an_own_autoencoder_is_measured_as_the_audit_measures_it(cli, golden, sae):
    folder = golden / "evaluate"
    words = ["--own", folder / sae, "--activations", folder / "acts_f32.npy"]
    rows = json.loads(cli("audit", *words, "--json"))["own"]
    given = [row for row in rows if row["subject"]["group"] == "reference"]
    assert len(given) == 1
    found = sfc_bench.measure(np.load(folder / "acts_f32.npy"), folder / sae)
    expected = said(given[0])
    # The audit draws its rows, so that sums over rows are in another order there.
    assert set(found) == set(expected)
    for name, value in expected.items():
        assert found[name] == (value if value is None else pytest.approx(value, rel=1e-12)), name
    assert found["m09.overlap.code"] is not None
    some = ["sfc.f", "m12.correlation"]
    rows = np.load(folder / "acts_f32.npy")
    assert sfc_bench.measure(rows, folder / sae, some) == {name: found[name] for name in some}
    assert sfc_bench.measure(rows, folder / sae, "sfc.f") == {"sfc.f": found["sfc.f"]}


@pytest.mark.parametrize("seed", [0, 3])
def test_planted_heads_are_measured_as_the_audit_measures_them(cli, seed):
    rows = audited(cli, "--world", "planted", "--seeds", 1, "--first-seed", seed)
    for name, heads in {"planted": "found", "full": "full", "empty": "empty"}.items():
        row = next(row for row in rows if row["subject"]["name"] == name)
        found = sfc_bench.measure_circuit(heads, "planted", seed=seed)
        assert found["values"] == said(row)
        assert len(found["heads"]) == row["size"]
    again = sfc_bench.measure_circuit(sfc_bench.measure_circuit("found", "planted")["heads"], "planted")
    assert again == sfc_bench.measure_circuit("found", "planted")


def test_a_task_s_heads_and_models_are_measured_as_the_audit_measures_them(cli):
    rows = audited(cli, "--world", "tasks", "--seeds", 1)
    for task in ("ioi", "sum3"):
        of = [row for row in rows if row["place"] == task]
        row = next(row for row in of if row["subject"]["name"] == "found")
        found = sfc_bench.measure_circuit(task=task)
        assert found["values"] == said(row)
        # The same heads before training.
        row = next(row for row in of if row["subject"] == {"group": "dose", "name": "steps", "level": 0.0})
        before = sfc_bench.measure_circuit(found["heads"], task, checkpoint="ck-00000")
        assert before["values"] == said(row)
    rows = audited(cli, "--world", "models", "--seeds", 1)
    for name, checkpoint in {"trained": "ck-12000", "untrained": "ck-00000"}.items():
        row = next(row for row in rows if row["subject"]["name"] == name)
        assert sfc_bench.measure_model(checkpoint) == said(row)


def test_what_is_known_of_rows_is_taken_from_arrays_as_from_the_world():
    rng = np.random.default_rng(1)
    for name in ("superposition", "stream0"):
        known = sfc_bench.world(name)
        sae = top_k(directions(rng, 64, known["activations"].shape[1]), 4)
        of = sfc_bench.measure(name, sae)
        given = {key: known[key] for key in ("words", "unembed", "readout", "readout_bias", "directions", "magnitudes")
                 if key in known}  # fmt: skip
        if name == "stream0":
            # A word's direction is its row of the table.
            table = np.zeros((known["unembed"].shape[1], known["activations"].shape[1]))
            table[known["words"]] = known["embedded"]
            given["embed"] = table
        found = sfc_bench.measure(known["activations"], sae, context=known["context"], **given)
        # Words that are listed are the world's own number; texts are not given; rows alone have another embedding.
        apart = {"m08.agreement"} if name == "superposition" else set()
        apart |= {m["id"] for m in sfc_bench.metrics() if m["paper"] in ("fade", "ce-bench")}
        apart |= {"m10.rate.code"} if name == "superposition" else set()
        assert {k: v for k, v in found.items() if k not in apart} == {
            k: v for k, v in of.items() if k not in apart
        }
    # Directions of another length are the same directions.
    known = sfc_bench.world("superposition")
    longer = {"directions": known["directions"] * 2, "magnitudes": known["magnitudes"] / 2}
    plain = {name: known[name] for name in ("directions", "magnitudes")}
    sae = top_k(known["directions"], 3)
    assert sfc_bench.measure(known["activations"], sae, **longer) == sfc_bench.measure(
        known["activations"], sae, **plain
    )


def test_weights_of_one_s_own_are_a_checkpoint_s(tmp_path, cli):
    file = tmp_path / "tiny.safetensors"
    words = ["--begin", "new", "--layers", 1, "--width", 16, "--lessons", "language", "--steps", 3]
    cli("mui", "train", *words, "--out", file)
    found = sfc_bench.measure_model(file, ["mui.performance", "mui.mui.code"])
    assert set(found) == {"mui.performance", "mui.mui.code"}
    assert (
        sfc_bench.measure_model(str(file), "mui.performance")["mui.performance"] == found["mui.performance"]
    )
    held = dict(tensors(file))
    assert sfc_bench.measure_model(held, list(found)) == found


def test_what_cannot_be_measured_is_refused_by_name(golden):
    rows = np.load(golden / "evaluate" / "acts_f32.npy")
    folder = golden / "evaluate" / "sae_topk"
    eye = np.eye(12)
    for field, refuse in {
        "metrics": lambda: sfc_bench.measure(rows, folder, ["no.such"]),
        "activations": lambda: sfc_bench.measure(rows[:3], folder),
        "world": lambda: sfc_bench.measure("stream9", folder),
        "W_dec": lambda: sfc_bench.measure("stream0", folder),
        "readout": lambda: sfc_bench.measure("stream0", folder, readout=eye),
        "readout_bias": lambda: sfc_bench.measure(rows, folder, readout_bias=[1.0]),
        "unembed": lambda: sfc_bench.measure(rows, folder, words=np.zeros(len(rows), int)),
        "words": lambda: sfc_bench.measure(rows, folder, words=np.full(len(rows), 12), unembed=eye),
        "embed": lambda: sfc_bench.measure(rows, folder, embed=eye),
        "magnitudes": lambda: sfc_bench.measure(rows, folder, directions=eye),
        "directions": lambda: sfc_bench.measure(
            rows, folder, directions=0 * eye, magnitudes=np.ones((len(rows), 12))
        ),
        "context": lambda: sfc_bench.measure(rows, folder, context=0),
        "beside": lambda: sfc_bench.measure(rows, folder, beside=[folder]),
        "beside[0]": lambda: sfc_bench.measure(rows, folder, beside=[top_k(np.eye(12), 1), folder]),
        "progress": lambda: sfc_bench.measure(rows, folder, progress=3),
        "other": lambda: sfc_bench.measure_scores(better=np.ones((5, 30)), other=np.ones((4, 30))),
        "beside[1]": lambda: sfc_bench.measure(rows, folder, beside=[folder, top_k(np.eye(5), 1)]),
        "seed": lambda: sfc_bench.measure(rows, folder, seed=1 << 31),
        "preset": lambda: sfc_bench.measure("stream0", folder, preset="huge"),
        "heads": lambda: sfc_bench.measure_circuit([(9, 0)]),
        "task": lambda: sfc_bench.measure_circuit(task="chess"),
        "checkpoint": lambda: sfc_bench.measure_circuit(checkpoint="ck-1"),
        "model": lambda: sfc_bench.measure_model(3),
        "prompts": lambda: sfc_bench.measure_scores(better=[[1.0]], other=[[1.0]], prompts=[[-1]]),
        "prompts ": lambda: sfc_bench.measure_scores(better=[[1.0]], other=[[1.0]], prompts=[[1, 2]]),
        "beside[1] ": lambda: sfc_bench.measure(rows, folder, beside=[folder, folder]),
        "checkpoint ": lambda: sfc_bench.measure_model("ck-1"),
        "words ": lambda: sfc_bench.measure(rows, folder, words=np.full(len(rows), -1), unembed=eye),
        "world ": lambda: sfc_bench.world(5),
        "scores": lambda: sfc_bench.measure_scores(),
        "groups": lambda: sfc_bench.measure_scores(([1.0],)),
    }.items():
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            refuse()
        assert refused.value.field == field.strip(), refused.value
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.measure_circuit("best")
    assert refused.value.allowed
