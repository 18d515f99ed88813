"""Studies in Python are those of the command line, to the last byte."""

from __future__ import annotations

import concurrent.futures
import copy
import json
import pickle

import numpy as np
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


@pytest.fixture(scope="module", params=["fade", "ce-bench", "mui"])
def measured(request):
    """A paper that is measured on the toy model, and what was heard of it."""
    heard = []
    # Enough of the tasks for every figure: the default takes ten seconds.
    fewer = {"mui": {"prompts": 32}}.get(request.param, {})
    report = sfc_bench.run(request.param, progress=lambda stage, part: heard.append(part), **fewer)
    return report, heard


def test_every_paper_runs_and_has_figures(measured):
    report, heard = measured
    assert report.headline()
    figures = report.figures()
    assert figures
    assert report.figure(figures[0]["id"]).svg.startswith("<svg ")
    assert all(0 <= part <= 1 for part in heard)
    again = sfc_bench.report(report.study, report.json)
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
        "levels": lambda: sfc_bench.curve(levels={1, 2}),
        "k": lambda: sfc_bench.curve(k=float("nan")),
        "settings": lambda: sfc_bench.curve(5),
        "text": lambda: sfc_bench.report("curve", "{"),
        "parts": lambda: sfc_bench.merge(sfc_bench.curve()),
    }.items():
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            refuse()
        assert refused.value.field == field
        assert refused.value.allowed


def test_a_figure_keeps_its_looks_and_goes_to_other_threads(tmp_path):
    look = {"width": 400, "theme": "dark", "weights": (5, 1, 1)}
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        figure = pool.submit(lambda: sfc_bench.run().figure("fig1b", **look)).result()
    assert 'width="400"' in figure.svg
    figure.save(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_text(encoding="utf-8") == figure.svg == figure.text("svg")
    assert figure.table()["rows"]
    again = pickle.loads(pickle.dumps(copy.deepcopy(figure)))
    assert (again.svg, again.table()) == (figure.svg, figure.table())


def test_numbers_of_numpy_are_settings():
    plain = sfc_bench.curve(k=32, levels=[0.0, 0.5], model_seed=3)
    assert sfc_bench.curve(k=np.int64(32), levels=np.array([0.0, 0.5]), model_seed=np.uint8(3)) == plain
    assert sfc_bench.ensemble(np.int64(3), k=np.int64(32)) == sfc_bench.ensemble(3, k=32)
    study = sfc_bench.families("small,methods:svd_random,seeds:0-1")
    given = {"methods": ("svd", "random"), "seeds": np.arange(2)}
    assert sfc_bench.families(given) == study


@pytest.mark.parametrize("study", ["curve", "sizes"])
def test_reports_are_read_again(study):
    report = getattr(sfc_bench, study)()
    assert sfc_bench.report(study, report.json) == report


def test_frames_have_rows_and_headings_that_can_be_told_apart(measured):
    pytest.importorskip("pandas")
    report, _ = measured
    assert report.frame().shape[0] >= 1
    for figure in report.figures():
        try:
            frame = report.frame(figure["id"])
        except sfc_bench.SfcBenchError as error:
            # What was not measured has no figure.
            assert error.code
            continue
        assert len(set(frame.columns)) == len(frame.columns)
        assert not any(str(column).startswith("Unnamed") for column in frame.columns)


def test_the_frame_of_the_paper_has_its_points():
    pytest.importorskip("pandas")
    paper = sfc_bench.run()
    assert list(paper.frame()["sfc"]) == [point["sfc"] for point in paper["main"]["points"]]


def test_a_listener_that_raises_ends_the_run():
    def stop(stage: str, part: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sfc_bench.run("fade", progress=stop)
    # What is computed after is not the worse for it.
    assert sfc_bench.curve().json == sfc_bench.curve().json
