"""Results as they are used: their types, rows, figures, and what is said of what cannot be."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import sfc_bench

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).standard_normal((60, 8))


@pytest.fixture(scope="module")
def words():
    return np.random.default_rng(1).standard_normal((5, 8))


def refused(call) -> sfc_bench.SfcBenchError:
    with pytest.raises(sfc_bench.SfcBenchError) as error:
        call()
    return error.value


def test_an_evaluation_is_a_row_with_its_axes(rows, words):
    pytest.importorskip("pandas")
    report = sfc_bench.evaluate(rows, words)
    frame = report.frame()
    assert len(frame) == 1
    assert frame["S"][0] == report["sparsity"]["s"]
    assert frame["L0"][0] == report["sparsity"]["l0"]
    assert frame["F"][0] == report["fidelity"]["cosine"]
    assert frame["C"][0] == report["completeness"][0]["total"]
    assert frame["SFC"][0] == frame["sfc"][0] == report["sfc"]
    other = sfc_bench.evaluate(
        rows, words, fidelity="rel-mse", completeness="active-subspace", variance="grand"
    )
    assert other.frame()["F"][0] == other["fidelity"]["one_minus_rel_mse"]
    assert other.frame()["C"][0] == other["completeness"][2]["grand"]
    # What an older version has saved is read, too.
    old = sfc_bench.report("own", other.json.replace("one_minus_rel_mse", "rel_mse"))
    assert old.frame()["F"][0] == other.frame()["F"][0]


def test_rows_within_rows_are_a_table():
    pytest.importorskip("pandas")
    row = {"task": "copy", "accuracy": 0.5, "mui": 0.1}
    text = {"settings": {}, "checkpoints": [{"checkpoint": f"ck-{at}", "tasks": [row, row]} for at in "012"]}
    import json

    from sfc_bench._types import MuiReport

    frame = MuiReport("mui", json.dumps(text)).frame()
    assert frame.shape == (6, 4)
    assert list(frame["checkpoint"]) == ["ck-0", "ck-0", "ck-1", "ck-1", "ck-2", "ck-2"]


def test_the_audits_frame_has_a_row_a_value(cli, golden):
    pandas = pytest.importorskip("pandas")
    report = sfc_bench.run("audit", world="scores", seeds=2)
    frame = report.frame()
    values = [value for job in report["jobs"] for row in job["rows"] for value in row["values"]]
    assert list(frame["metric"]) == [value["metric"] for value in values]
    assert not frame.map(lambda cell: isinstance(cell, (list, dict))).to_numpy().any()
    assert pandas.api.types.is_numeric_dtype(frame["value"])
    first = report["jobs"][1]["rows"][0]
    chosen = frame[
        (frame["job"] == report["jobs"][1]["job"]) & (frame["subject"] == first["subject"]["name"])
    ]
    assert list(chosen["seed"].unique()) == [first["seed"]]
    assert chosen["value"].iloc[0] == first["values"][0]["value"]
    assert set(frame["reading"]) <= {"document", "code", "both", "neither"}
    wide = frame[frame["group"] == "reference"].pivot(
        index=["job", "place"], columns="metric", values="value"
    )
    assert wide.shape[1] == len(first["values"])

    text = cli(
        "audit",
        "--own",
        golden / "evaluate" / "sae_jumprelu",
        "--activations",
        golden / "evaluate" / "acts_f32.npy",
        "--json",
    )
    own = sfc_bench.report("audit", text)
    frame = own.frame()
    assert len(frame) == sum(len(row["values"]) for row in own["own"])
    given = frame[(frame["subject"] == "given") & (frame["metric"] == "sfc.s")]
    wanted = sfc_bench.evaluate(golden / "evaluate" / "acts_f32.npy", golden / "evaluate" / "sae_jumprelu")
    assert given["value"].iloc[0] == pytest.approx(wanted["sparsity"]["s"], abs=1e-12)
    assert set(frame["job"]) == {""}
    assert set(frame["place"]) == {"sae_jumprelu"}


@pytest.mark.parametrize("name", ["curve", "sizes"])
def test_parts_of_the_paper_have_what_a_report_has(name):
    report = getattr(sfc_bench, name)(k=8, samples=200)
    best = max(report["points"], key=lambda point: point["sfc"])
    assert f"{best['sfc']:.3f}" in report.headline()
    assert report.headline() in repr(report)
    whole = sfc_bench.run(k=8, samples=200)
    assert report.digest() == whole.digest()
    assert report.figure("fig1a").svg == whole.figure("fig1a").svg
    assert sfc_bench.report(name, report.json) == report


def test_a_key_that_is_none_is_named(rows, words):
    report = sfc_bench.evaluate(rows, words)
    with pytest.raises(KeyError, match="'sparsity'") as error:
        report["sparsty"]
    assert isinstance(error.value, sfc_bench.SfcBenchError)
    assert "fidelity" in (error.value.allowed or "")
    assert report.get("sparsty") is None and "sparsty" not in report


@pytest.mark.parametrize(
    ("field", "allowed", "call"),
    [
        ("threads", "1 to 1024", lambda: sfc_bench.evaluate(np.eye(3), np.eye(3), threads=-1)),
        ("threads", "1 to 1024", lambda: sfc_bench.ensemble(2, threads=-1)),
        ("threads", "1 to 1024", lambda: sfc_bench.ensemble(2, threads=10**9)),
        ("k", "a whole number from 1", lambda: sfc_bench.run(k="x")),
        ("levels[1]", "a number", lambda: sfc_bench.curve(levels=[0.5, "x"])),
        ("world", "superposition", lambda: sfc_bench.run("audit", world=3)),
        ("config.methods[1]", "svd, pca", lambda: sfc_bench.families({"methods": ["svd", "foo"]})),
        ("config.train.steps", "a whole number", lambda: sfc_bench.families({"train": {"steps": "x"}})),
        ("config.train.foo", "steps", lambda: sfc_bench.families({"train": {"foo": 1}})),
        ("config.world.world", "superposition", lambda: sfc_bench.families({"world": {"world": "mars"}})),
        ("config.seeds", "a list", lambda: sfc_bench.families({"seeds": -1})),
        ("report.members", "a value", lambda: sfc_bench.report("ensemble", '{"a": 1}')),
        ("report", "JSON", lambda: sfc_bench.report("sfc", "{")),
        ("text.config", "a report of curve", lambda: sfc_bench.report("curve", "{}")),
        ("activations", "an array of numbers", lambda: sfc_bench.evaluate([[1, None]], np.eye(2))),
        ("activations", "an array of numbers", lambda: sfc_bench.evaluate(np.eye(2) > 0, np.eye(2))),
    ],
)
def test_refusals_are_in_the_fields_own_words(field, allowed, call):
    error = refused(call)
    assert error.field == field, error
    assert allowed in (error.allowed or ""), error
    for word in ("variant", "column", "line 1 column", "serde", "f64", "usize", "array of object"):
        assert word not in str(error), error


def test_a_report_of_another_kind_says_where_it_differs(rows, words):
    text = sfc_bench.evaluate(rows, words).json.replace('"row-space"', '"rowspace"', 1)
    error = refused(lambda: sfc_bench.report("own", text))
    assert (error.field, error.value) == ("report.completeness[0].reading", '"rowspace"')
    assert error.allowed == "row-space, reconstruction, active-subspace"


def test_an_array_that_cannot_be_copied_is_refused_before_it_is():
    huge = np.broadcast_to(np.float64(1), (1 << 45, 8))
    eye = np.eye(8)
    for call in (
        lambda: sfc_bench.evaluate(huge, eye),
        lambda: sfc_bench.sparsity(huge),
        lambda: sfc_bench.measure(huge, {"W_enc": eye, "W_dec": eye}),
        lambda: sfc_bench.evaluate(eye, {"W_enc": huge.T, "W_dec": eye}),
    ):
        error = refused(call)
        assert error.code == "arrays.memory" and "35184372088832" in str(error)
    # One that is as small as it looks is read.
    assert sfc_bench.sparsity(np.broadcast_to(np.float64(1), (4, 8))) == 0


def test_a_client_that_is_closed_is_refused():
    class Closed:
        status = "closed"
        submit = None

        def nthreads(self):
            raise RuntimeError("cannot schedule new futures after shutdown")

    error = refused(lambda: sfc_bench.ensemble(2, client=Closed()))
    assert (error.code, error.field, error.value) == ("dask.closed", "client", "closed")
    Closed.status = "running"
    assert refused(lambda: sfc_bench.ensemble(2, client=Closed())).code == "dask.closed"


class Sae:
    """A training object of SAELens', as much as is read of one."""

    def __init__(self, words, threshold):
        self.W_enc, self.W_dec = words.T.copy(), words
        self.b_enc, self.b_dec = np.zeros(len(words)), np.zeros(words.shape[1])
        self.topk_threshold = np.array(threshold)
        self.cfg = {"architecture": "batchtopk", "k": 2}


class Encoding(Sae):
    def encode(self, rows):
        return rows @ self.W_enc


def test_what_an_object_does_not_say_by_its_tensors_is_noted(rows, words):
    fresh = sfc_bench.evaluate(rows, Sae(words, 0.0))
    assert any("threshold" in note and "ReLU" in note for note in fresh["notes"])
    trained = sfc_bench.evaluate(rows, Sae(words, 0.3))
    assert not any("threshold" in note or "encode()" in note for note in trained["notes"])
    own = sfc_bench.evaluate(rows, Encoding(words, 0.3))
    assert any("encode()" in note and "Encoding" in note for note in own["notes"])
    assert own["sfc"] == trained["sfc"]


def test_a_figure_follows_its_notebook_and_is_an_image(rows, words, tmp_path):
    report = sfc_bench.evaluate(rows, words)
    shown = report.figure("own-score")._repr_mimebundle_()
    dark = report.figure("own-score", theme="dark")
    assert (
        dark.svg in shown["text/html"] and report.figure("own-score", theme="light").svg in shown["text/html"]
    )
    assert "data-jp-theme-light" in shown["text/html"] and "vscode-dark" in shown["text/html"]
    assert "text/html" not in dark._repr_mimebundle_()
    assert refused(lambda: report.figure("own-score", theme="pink")).field == "theme"
    pytest.importorskip("cairosvg", exc_type=(ImportError, OSError))
    dark.save(tmp_path / "figure.png")
    png = (tmp_path / "figure.png").read_bytes()
    assert png.startswith(b"\x89PNG") and int.from_bytes(png[16:20], "big") == 1440
    dark.save(tmp_path / "figure.pdf")
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")
    assert refused(lambda: dark.png(scale=100)).field == "scale"


def test_a_widget_s_state_is_small(rows, words):
    pytest.importorskip("anywidget")
    try:
        widget = sfc_bench.widget(sfc_bench.evaluate(rows, words))
    except sfc_bench.SfcBenchError as error:
        assert error.code == "widget.missing"
        return
    assert len(str(widget.get_state())) < 50_000
    sent = []
    widget.send = lambda content, buffers=None: sent.append((content, buffers))
    name = widget._esm.split("'")[1]
    widget._answer(widget, {"wants": name}, [])
    assert sent[0][0] == {"module": name} and len(sent[0][1][0]) > 1_000_000


USED = """
import sfc_bench
report = sfc_bench.evaluate([[1.0]], [[1.0]], fidelity="cosine")
s: float = report["sparsity"]["s"]
k: int = report["k"]
sfc_bench.curve()["points"][0]["sfc"]
sfc_bench.run("mui")["checkpoints"]
report["sparsty"]
report["sparsity"]["l_0"]
sfc_bench.evaluate([[1.0]], [[1.0]], fidelity="cosin")
sfc_bench.run("muy")
sfc_bench.curve()["points"][0]["fsc"]
report.figure("own-score", theme="drak")
"""


def test_a_type_checker_finds_misspelt_words(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "used.py").write_text(USED)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "used.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    wrong = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    assert wrong == {8, 9, 10, 11, 12, 13}, done.stdout + done.stderr


def test_the_types_are_those_of_the_core():
    sys.path.insert(0, str(ROOT / "python" / "tools"))
    try:
        import write_types
    finally:
        sys.path.pop(0)
    pytest.importorskip("ruff")
    kept = write_types.TARGET.read_text(encoding="utf-8")
    assert kept == write_types.types(), "run python python/tools/write_types.py"


def wrong(value, of, at):
    """Where a value is not of its type, as far as numbers are concerned."""
    import sfc_bench._types as types

    if value is None or of in ("str", "Any"):
        return []
    for part in of.split(" | "):
        if part == "int" and isinstance(value, float):
            return [f"{at}: {value} is not whole"]
        if part.startswith("list[") and isinstance(value, list):
            return [found for one in value for found in wrong(one, part[5:-1], at)]
        made = getattr(types, part, None)
        if isinstance(made, type) and isinstance(value, dict):
            fields = made.__annotations__
            named = {name: getattr(kind, "__forward_arg__", str(kind)) for name, kind in fields.items()}
            missing = [f"{at}.{name}: not declared" for name in value if name not in named]
            inside = (wrong(value[name], named[name], f"{at}.{name}") for name in value if name in named)
            return missing + [found for all in inside for found in all]
    return []


def test_numbers_are_of_their_types(rows, words):
    for made, of in [
        (sfc_bench.evaluate(rows, words), "EvaluateReportDict"),
        (sfc_bench.run(samples=200), "ReportDict"),
        (sfc_bench.curve(samples=200), "CurveDocument"),
        (sfc_bench.sizes(samples=200), "SizesDocument"),
        (sfc_bench.ensemble(2, samples=200), "EnsembleDocument"),
        (sfc_bench.families("small,methods:svd_random,seeds:0-1"), "FamiliesReportDict"),
    ]:
        assert wrong(made.to_dict(), of, of) == []


MANY_THREADS = """
import os, threading, numpy as np, sfc_bench
most, over = [0], threading.Event()
def watch():
    while not over.wait(0.002):
        most[0] = max(most[0], len(os.listdir("/proc/self/task")))
watching = threading.Thread(target=watch)
watching.start()
rng = np.random.default_rng(0)
rows, words = rng.standard_normal((3_000, 32)), rng.standard_normal((64, 32))
for threads in (None, 1_000):
    sfc_bench.evaluate(rows, words, threads=threads)
    sfc_bench.ensemble(4, threads=threads, samples=200)
sfc_bench.run(samples=200)
over.set()
watching.join()
# Each pool has a thread a processor, and each call one of its own.
assert most[0] <= 4 * len(os.sched_getaffinity(0)) + 8, most
"""


@pytest.mark.skipif(not pathlib.Path("/proc/self/task").exists(), reason="threads are counted on Linux")
def test_there_are_no_more_threads_than_processors():
    import os

    env = {**os.environ, "RAYON_NUM_THREADS": "100000", "OPENBLAS_NUM_THREADS": "1"}
    assert subprocess.run([sys.executable, "-c", MANY_THREADS], env=env, timeout=600).returncode == 0
