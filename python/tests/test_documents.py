"""What docs/python.md and the example notebook show is what comes out."""

from __future__ import annotations

import doctest
import json
import os
import pathlib
import sys

import numpy as np
import pytest

import sfc_bench

ROOT = pathlib.Path(__file__).parents[2]
WIDGET = "application/vnd.jupyter.widget-view+json"
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def test_the_documentation_shows_what_comes_out(golden, tmp_path, monkeypatch):
    # Its reader's folder has what it names.
    (tmp_path / "my-sae").symlink_to(golden / "evaluate" / "sae_topk", target_is_directory=True)
    for name, folder in (("my-model", "smollm2"), ("my-model-sae", "smollm2-sae")):
        (tmp_path / name).symlink_to(golden / "models" / folder, target_is_directory=True)
    (tmp_path / "acts.npy").symlink_to(golden / "evaluate" / "acts_f32.npy")
    (tmp_path / "head.npy").symlink_to(golden / "evaluate" / "readout.npy")
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(
        str(ROOT / "docs" / "python.md"),
        module_relative=False,
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
    )
    assert tried > 20
    assert failed == 0


def test_the_readme_s_lines_run():
    pytest.importorskip("anywidget")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.split("\n## Python\n")[1].split("```python\n")[1].split("```")[0]
    rng = np.random.default_rng(0)
    activations = sfc_bench.world("stream1")["activations"]
    words = rng.standard_normal((32, activations.shape[1]))
    zeros = {"b_enc": np.zeros(32), "b_dec": np.zeros(words.shape[1])}
    sae = {"W_enc": words.T, "W_dec": words, **zeros, "cfg": {"architecture": "topk", "k": 4}}
    labels = rng.choice([0, 2], 50)
    names = {"activations": activations, "sae": sae, "acts": rng.random(50), "labels": labels, "client": None}
    assert "100_000" in block
    # Fewer seeds, on threads; and a widget only where the package was installed with one.
    block = block.replace("100_000", "5")
    for line in block.splitlines():
        try:
            exec(line, names)
        except sfc_bench.SfcBenchError as error:
            assert error.code == "widget.missing", line
    assert f"any of {len(sfc_bench.metrics())} metrics" in block
    assert names["report"].headline()


def shown(cell) -> list[str]:
    """What a cell of a notebook shows in words."""
    # What is printed arrives in as many pieces as a busy machine likes.
    streams = [output.text for output in cell.outputs if output.output_type == "stream"]
    data = [output.get("data", {}) for output in cell.outputs]
    values = [one for one in data if "text/plain" in one and WIDGET not in one]
    return ["".join(streams), *("".join(one["text/plain"]) for one in values)]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.name)
def test_a_notebook_runs_and_shows_what_it_showed(file, monkeypatch, tmp_path):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    kernel = tmp_path / "kernels" / "python3"
    kernel.mkdir(parents=True)
    words = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(
        json.dumps({"argv": words, "display_name": "Python 3", "language": "python"})
    )
    committed = nbformat.read(file, as_version=4)
    fresh = nbformat.read(file, as_version=4)
    NotebookClient(
        fresh, timeout=600, kernel_name="python3", resources={"metadata": {"path": os.fspath(tmp_path)}}
    ).execute()
    code = [(a, b) for a, b in zip(committed.cells, fresh.cells, strict=True) if a.cell_type == "code"]
    assert len(code) > 5
    for before, now in code:
        assert shown(now) == shown(before), before.source
    pictures = [o for _, now in code for o in now.outputs if "image/svg+xml" in o.get("data", {})]
    assert pictures, "figures show themselves"


def test_there_is_a_notebook():
    assert NOTEBOOKS
