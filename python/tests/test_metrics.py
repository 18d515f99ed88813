"""The metrics by themselves, against NumPy and against what the studies say."""

from __future__ import annotations

import json

import numpy as np
import pytest

import sfc_bench


def test_the_formulas_are_numpys():
    rng = np.random.default_rng(3)
    codes = rng.standard_normal((40, 9)) * (rng.random((40, 9)) < 0.4)
    a, a_hat = rng.standard_normal((2, 40, 6))
    assert sfc_bench.sparsity(codes) == pytest.approx(np.mean(codes == 0.0), abs=1e-15)
    residual = ((a - a_hat) ** 2).sum()
    about = ((a - a.mean(axis=0)) ** 2).sum()
    assert sfc_bench.fidelity(a, a_hat, "r2") == pytest.approx(1 - residual / about)
    s, f, c = 0.5, 0.25, 0.75
    assert sfc_bench.score(s, f, c, (2, 1, 1)) == pytest.approx(4 / (2 / s + 1 / f + 1 / c))


def test_a_complete_dictionary_leaves_everything():
    rng = np.random.default_rng(4)
    a = rng.standard_normal((30, 5))
    assert sfc_bench.completeness(a, np.eye(5), reading="total") == pytest.approx(1.0)
    few = np.eye(5)[:2]
    # One default with evaluate, and the former name of the other variance.
    report = sfc_bench.evaluate(a, few)
    of = {reading["reading"]: reading for reading in report["completeness"]}["row-space"]
    assert sfc_bench.completeness(a, few) == pytest.approx(of["total"])
    assert sfc_bench.completeness(a, few, variance="grand") == pytest.approx(of["grand"])
    assert sfc_bench.completeness(a, few, reading="paper") == sfc_bench.completeness(a, few, variance="grand")
    half = sfc_bench.completeness(a, np.eye(5)[:2], reading="total")
    assert 0.0 < half < 1.0


def test_fronts_and_volumes_are_those_of_points(golden, cli, tmp_path):
    rng = np.random.default_rng(5)
    points = rng.random((20, 3)).round(3)
    front = sfc_bench.front(points)
    beaten = [any(sfc_bench.dominates(other, point) for other in points) for point in points]
    assert list(front) == [at for at, lost in enumerate(beaten) if not lost]
    file = tmp_path / "points.csv"
    np.savetxt(file, points, delimiter=",")
    said = json.loads(cli("hypervolume", file, "--json"))
    assert sfc_bench.hypervolume(points)["hypervolume"] == said["hypervolume"]
    regions = sfc_bench.simplex(points)
    assert regions["regions"]


def test_the_registry_lists_every_paper_and_measures_what_it_can(golden):
    listed = sfc_bench.metrics()
    assert {metric["paper"] for metric in listed} >= {"sfc", "measurement"}
    of_decompositions = {m["id"] for m in listed if m["kind"] == "decomposition"}
    folder = golden / "evaluate"
    rows = np.load(folder / "acts_f32.npy")
    found = sfc_bench.measure(rows, folder / "sae_topk")
    assert set(found) == of_decompositions
    said = {name: value for name, value in found.items() if value is not None}
    assert len(said) > 5
    some = sorted(said)[:2]
    assert sfc_bench.measure(rows, folder / "sae_topk", some) == {name: said[name] for name in some}
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.measure(rows, folder / "sae_topk", ["no.such"])
    assert refused.value.field == "metrics"


def test_metrics_about_metrics_read_groups_and_runs():
    rng = np.random.default_rng(6)
    left, right = rng.standard_normal(60), rng.standard_normal(60) + 3
    apart = sfc_bench.measure_scores((left, right))
    alike = sfc_bench.measure_scores((left, left))
    assert any(value is not None for value in apart.values())
    assert apart != alike
    better = rng.standard_normal((4, 30)) + 2
    runs = sfc_bench.measure_scores(better=better, other=rng.standard_normal((4, 30)))
    assert any(value is not None for value in runs.values())
    with pytest.raises(sfc_bench.SfcBenchError):
        sfc_bench.measure_scores()


@pytest.mark.parametrize(
    ("field", "refuse"),
    [
        ("points", lambda: sfc_bench.front([[1.0, 2.0]])),
        ("tolerance", lambda: sfc_bench.front([[1.0, 2.0, 3.0]], tolerance=-1.0)),
        ("codes", lambda: sfc_bench.sparsity([[np.nan]])),
        ("codes", lambda: sfc_bench.sparsity([1.0])),
        ("mode", lambda: sfc_bench.fidelity([[1.0]], [[1.0]], "best")),
        ("bins", lambda: sfc_bench.rate([[1.0]], 1)),
        ("weights", lambda: sfc_bench.score(1, 1, 1, (0, 0, 0))),
        ("reference", lambda: sfc_bench.hypervolume([[1.0, 1.0, 1.0]], (np.inf, 0, 0))),
    ],
)
def test_what_has_no_value_is_refused_by_name(field, refuse):
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        refuse()
    assert refused.value.field == field
