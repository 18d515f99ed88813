"""The scripts of examples/cluster, in miniature: whatever becomes of a shard, the join is one process's result."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import time

import pytest

SCRIPTS = pathlib.Path(__file__).parents[2] / "examples" / "cluster"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the scripts are those of Unix")


def run(script: str, *words: str, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        ["bash", str(SCRIPTS / script), *words],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(child: subprocess.Popen) -> None:
    _, said = child.communicate()
    assert child.returncode == 0, said


def test_an_array_with_a_task_that_is_killed_and_queued_again(cli, program, tmp_path):
    out = tmp_path / "out"
    given = {"SEEDS": "700", "OUT": str(out), "SFC_BENCH": program, "SLURM_SUBMIT_DIR": str(SCRIPTS)}

    def task(at: int) -> subprocess.Popen:
        return run("slurm.sh", "--k", "32", **given, SLURM_ARRAY_TASK_ID=str(at), SLURM_ARRAY_TASK_COUNT="3")

    # The second one goes first, and is killed with all that it started once it has kept something.
    child, kept = task(1), out / "shard-000001.d" / "results.jsonl"
    while not (kept.exists() and kept.stat().st_size > 10_000):
        assert child.poll() is None, child.communicate()
        time.sleep(0.005)
    os.killpg(child.pid, 9)
    child.communicate()
    assert child.returncode != 0
    assert not (out / "shard-000001.json").exists()
    before = kept.read_bytes()

    for at in range(3):
        finish(task(at))
    assert kept.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    shards = sorted(out.glob("shard-*.json"))
    assert len(shards) == 3
    expected = cli("ensemble", "--seeds", 700, "--k", 32, "--json")
    assert cli("merge", *shards, "--json") == expected
    # A task that is queued once more has nothing to do.
    written = shards[1].stat().st_mtime_ns
    finish(task(1))
    assert shards[1].stat().st_mtime_ns == written


def test_gnu_parallel_does_what_is_missing(cli, program, tmp_path):
    if shutil.which("parallel") is None:
        pytest.fail("GNU parallel is missing: `cargo xtask test python` installs it where apt-get may")
    # A program that fails at first, as a node may: each shard is tried again.
    flaky = tmp_path / "flaky"
    flaky.write_text(
        '#!/usr/bin/env bash\nif [[ $1 == ensemble ]] && mkdir "$OUT/failed" 2>/dev/null; then exit 9; fi\n'
        f'exec "{program}" "$@"\n'
    )
    flaky.chmod(0o755)
    given = {"SEEDS": "50", "OUT": str(tmp_path / "out"), "SHARDS": "4", "SFC_BENCH": str(flaky)}
    expected = cli("ensemble", "--seeds", 50, "--json")
    finish(run("parallel.sh", **given))
    all_of = pathlib.Path(tmp_path / "out" / "all.json")
    assert (tmp_path / "out" / "failed").exists()
    assert all_of.read_text() == expected
    # One that is lost is made again.
    all_of.unlink()
    (tmp_path / "out" / "shard-000002.json").unlink()
    finish(run("parallel.sh", **given))
    assert all_of.read_text() == expected
