"""Studies in Python are those of the command line, to the last byte."""

from __future__ import annotations

import json
import pickle

import pytest

import sfc_bench


def test_the_paper_is_the_command_lines(cli):
    assert sfc_bench.curve().json == cli("curve", "--json")
    assert sfc_bench.sizes().json == cli("sizes", "--json")


def test_settings_are_the_command_lines(cli):
    changed = sfc_bench.curve({"model_seed": 7}, k=32, samples=500, weights=[2, 1, 0.5])
    words = ("--model-seed", 7, "--k", 32, "--samples", 500, "--weights", "2,1,0.5")
    assert changed.json == cli("curve", *words, "--json")
    assert changed["config"] == sfc_bench.settings(
        "sfc", model_seed=7, k=32, samples=500, weights=[2, 1, 0.5]
    )


def test_the_paper_s_digest_is_that_of_its_link(cli):
    report = sfc_bench.run()
    digest = report.digest()
    assert digest is not None
    assert digest in cli("link", "--digest")
    other = sfc_bench.run(model_seed=1).digest()
    assert other != digest
    assert other in cli("link", "--digest", "--model-seed", 1)


@pytest.mark.parametrize("name", ["1a", "3b", "t4"])
@pytest.mark.parametrize("ending", ["svg", "csv", "tex", "md", "json"])
def test_figures_are_the_command_lines(cli, tmp_path, name, ending):
    file = tmp_path / f"figure.{ending}"
    cli("figure", name, "--out", file)
    id = name.replace("t", "table") if name[0] == "t" else f"fig{name}"
    figure = sfc_bench.figure(sfc_bench.run(), id)
    assert figure.text(ending) == file.read_bytes().decode()
    figure.save(tmp_path / f"saved.{ending}")
    assert (tmp_path / f"saved.{ending}").read_bytes() == file.read_bytes()


def test_a_figure_shows_itself_and_follows_weights():
    report = sfc_bench.run()
    figure = report.figure("fig1b")
    assert figure._repr_svg_().startswith("<svg ")
    assert figure.title and figure.caption and figure.summary
    assert report.figure("fig1b", weights=(1, 1, 1)).svg == figure.svg
    assert report.figure("fig1b", weights=(5, 1, 1)).svg != figure.svg
    # Nothing stays changed.
    assert report.figure("fig1b").svg == figure.svg
    assert report.figure("fig1b", theme="dark", width=400).svg != figure.svg


def test_reports_read_as_dictionaries_and_survive_being_sent():
    report = sfc_bench.curve(k=16)
    assert dict(report) == json.loads(report.json) == report.to_dict()
    assert set(report) >= {"config", "points", "hypervolume"}
    assert pickle.loads(pickle.dumps(report)) == report
    assert "points" in repr(report)
    again = sfc_bench.report("sfc", sfc_bench.run().json)
    assert again.digest() == sfc_bench.run().digest()


def test_frames_hold_all_digits():
    pandas = pytest.importorskip("pandas")
    report = sfc_bench.run()
    frame = report.frame("table3")
    assert isinstance(frame, pandas.DataFrame)
    points = report["main"]["points"]
    assert list(frame["S"]) == [point["sparsity"] for point in points]
    rows = sfc_bench.curve().frame()
    assert list(rows["sfc"]) == [point["sfc"] for point in sfc_bench.curve()["points"]]


@pytest.mark.parametrize(
    ("study", "settings"),
    [("fade", {}), ("ce-bench", {}), ("mui", {})],
)
def test_every_paper_runs_and_has_figures(study, settings):
    heard = []
    report = sfc_bench.run(study, settings, progress=lambda stage, part: heard.append(part))
    assert report.headline()
    figures = report.figures()
    assert figures
    assert report.figure(figures[0]["id"]).svg.startswith("<svg ")
    assert all(0 <= part <= 1 for part in heard)
    again = sfc_bench.report(study, report.json)
    assert again.headline() == report.headline()


def test_what_is_refused_says_field_value_and_what_is_allowed():
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.curve(samples=1)
    error = refused.value
    assert isinstance(error, ValueError)
    assert (error.code, error.field, error.value) == ("settings.samples", "samples", "1")
    assert error.allowed == "a whole number from 2 to 200000"
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.allowed) == (str(error), error.allowed)
    for field, refuse in {
        "smaples": lambda: sfc_bench.curve(smaples=3),
        "study": lambda: sfc_bench.run("sfx"),
        "figure": lambda: sfc_bench.run().figure("fig9"),
        "width": lambda: sfc_bench.run().figure("fig1a", width=5),
        "theme": lambda: sfc_bench.run().figure("fig1a", theme="pink"),
        "weights": lambda: sfc_bench.run().figure("fig1a", weights=(1, 2)),
        "settings": lambda: sfc_bench.curve(levels={1, 2}),
    }.items():
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            refuse()
        assert refused.value.field == field
        assert refused.value.allowed


def test_a_listener_that_raises_ends_the_run():
    def stop(stage: str, part: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sfc_bench.run("fade", progress=stop)
    # What is computed after is not the worse for it.
    assert sfc_bench.curve().json == sfc_bench.curve().json
