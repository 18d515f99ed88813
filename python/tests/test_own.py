"""What is brought to the other papers is what the command line makes of the same files."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

import sfc_bench


@pytest.mark.parametrize(
    ("paper", "files", "words"),
    [
        ("fade", ["fade_results/own/all.npz", "fade_results/own/ratings.npy", "fade_results/own/factors.npy"],
         ["fade", "--own"]),
        ("fade", ["fade_results/model.layers[3].mlp"], ["fade", "--own"]),
        ("ce-bench", ["ce_bench_results/own/activations.npz", "ce_bench_results/own/stories.json"],
         ["ce-bench", "--own"]),
        ("ce-bench-results", ["ce_bench_results/interpretability_eval"], ["ce-bench", "--results"]),
        ("measurement", ["m07_architecture_duality.json"], None),
    ],
)  # fmt: skip
def test_files_are_read_as_the_command_line_reads_them(cli, golden, paper, files, words):
    paths = [golden / file for file in files]
    if words is None:
        with pytest.raises(sfc_bench.SfcBenchError):
            sfc_bench.own(paper, paths)
        return
    found = sfc_bench.own(paper, paths if len(paths) > 1 else paths[0])
    assert found.json == cli(*words, *paths, "--json")
    assert found.frame().shape[0] > 0
    assert paper in repr(found)


def test_arrays_in_memory_are_the_files(cli, golden, tmp_path):
    folder = golden / "fade_results" / "own"
    arrays = {
        name: np.load(folder / f"{name}.npy") for name in ("activations", "labels", "ratings", "factors")
    }
    found = sfc_bench.own("fade", arrays)
    files = [folder / f"{name}.npy" for name in arrays]
    expected = json.loads(cli("fade", "--own", *files, "--json"))
    assert found["features"] == expected["features"]
    assert [file["role"] for file in found["files"]] == [file["role"] for file in expected["files"]]
    frame = found.frame()
    assert list(frame["responsiveness.code"])[0] == found["features"][0]["responsiveness"]["code"]
    # Files and arrays together; what FADE wrote is text.
    mixed = {"activations": folder / "activations.npy", "labels": arrays["labels"]}
    assert sfc_bench.own("fade", mixed)["features"][0]["clarity"] == found["features"][0]["clarity"]
    choices = {"rated": "sampled", "sample": 20, "top": 0.2, "seed": 3, "norm": "nonzero"}
    sampled = sfc_bench.own("fade", arrays, **choices)
    assert sampled["features"][0]["rated"][0] == 20
    assert sampled["features"][0]["purity"] != found["features"][0]["purity"]

    stories = {
        f"{pair}_{story}": np.random.default_rng(pair).random((4, 6)) for pair in (0, 1) for story in "ab"
    }
    np.savez(tmp_path / "pairs.npz", **stories)
    found = sfc_bench.own("ce-bench", stories)
    assert (
        found["readings"]
        == json.loads(cli("ce-bench", "--own", tmp_path / "pairs.npz", "--json"))["readings"]
    )


def test_scores_runs_and_models_are_read(cli, tmp_path):
    rng = np.random.default_rng(2)
    file = tmp_path / "runs.npy"
    np.save(file, rng.standard_normal((5, 40)))
    assert sfc_bench.own("measurement", file).json == cli("measure", "own", file, "--json")
    table = "model,accuracy,mui\na,50,10\nb,60,9\nc,70,8.5\nd,80,8\n"
    (tmp_path / "models.csv").write_text(table)
    law = sfc_bench.own("mui-law", tmp_path / "models.csv")
    assert law.json == cli("mui", "law", tmp_path / "models.csv", "--json")
    assert sfc_bench.own("mui-law", {"models.csv": table})["a"] == law["a"]


def test_neurons_of_answers_are_counted(cli, tmp_path):
    rng = np.random.default_rng(3)
    files = []
    for name in ("one", "two"):
        file = tmp_path / f"{name}_result.jsonl"
        lines = [
            {"response": "x", "top_neurons": [
                {"layer": int(layer), "position": 0, "neuron": int(neuron), "score": float(score)}
                for layer in range(3)
                for neuron, score in zip(rng.permutation(40)[:10], rng.random(10), strict=True)
            ]}
            for _ in range(8)
        ]  # fmt: skip
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        files.append(file)
    heard = []
    found = sfc_bench.own(
        "mui", files, layers=np.int64(3), neurons=40, k=5, accuracy=[50, 60.5],
        progress=lambda stage, part: heard.append(part),
    )  # fmt: skip
    words = ["--layers", 3, "--neurons", 40, "--k", 5, "--accuracy", "50,60.5"]
    assert found.json == cli("mui", "own", *files, *words, "--json")
    assert all(0 <= part <= 1 for part in heard)
    in_memory = {file.name: file.read_bytes() for file in files}
    again = sfc_bench.own("mui", in_memory, layers=3, neurons=40, k=5, accuracy=[50, 60.5])
    assert json.dumps(again.to_dict()).replace("one_result", "") == json.dumps(found.to_dict()).replace(
        os.fspath(tmp_path) + os.sep, ""
    ).replace("one_result", "")


def test_what_is_not_understood_is_refused_by_file_and_field(tmp_path):
    huge = tmp_path / "0_a.npy"
    with open(huge, "wb") as file:
        file.truncate(100 << 20)
    for code, refuse in {
        "settings.paper": lambda: sfc_bench.own("sfc", {}),
        "given.none": lambda: sfc_bench.own("fade", {}),
        "given.unknown": lambda: sfc_bench.own("fade", {"things": np.zeros(3)}),
        "given.missing": lambda: sfc_bench.own("fade", {"labels": np.zeros(3)}),
        "given.memory": lambda: sfc_bench.own("ce-bench", huge),
        "io.unreadable": lambda: sfc_bench.own("fade", tmp_path / "none.npy"),
        "io.unreadable ": lambda: sfc_bench.own("fade", {"activations": "/nope/acts.npy"}),
        "settings.accuracy": lambda: sfc_bench.own("mui", {}, accuracy=5),
        "settings.given": lambda: sfc_bench.own("fade", np.zeros(3)),
        "settings.rated": lambda: sfc_bench.own("ce-bench", {"acts": np.zeros(3)}, rated="sampled"),
        "settings.norm": lambda: sfc_bench.own("fade", {"acts": np.zeros(3)}, norm="two"),
        "settings.sample": lambda: sfc_bench.own("fade", {"acts": np.zeros(3)}, sample=2),
        "settings.layers": lambda: sfc_bench.own("fade", {"acts": np.zeros(3)}, layers=3),
        "settings.acts.npy": lambda: sfc_bench.own("fade", {"acts": ["a"]}),
    }.items():
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            refuse()
        assert refused.value.code == code.strip(), refused.value
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.own("mui", {"a.jsonl": "{}"}, layers=0)
    assert refused.value.field == "layers"
