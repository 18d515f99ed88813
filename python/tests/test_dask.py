"""Past one machine: whatever happens to workers, the result is that of one process, byte for byte."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

import sfc_bench
from sfc_bench import _engine as engine
from sfc_bench import dask as studies

STUDY = "small,steps:60,seeds:0-2"


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=4, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as made,
        distributed.Client(made) as client,
    ):
        yield client


def test_threads_make_what_the_command_line_makes(cli):
    expected = cli("ensemble", "--seed-range", "3..40", "--json")
    for threads, chunk in ((1, None), (3, 1), (None, 50)):
        found = sfc_bench.ensemble((3, 40), threads=threads, chunk=chunk)
        assert found.json == expected
    parts = [sfc_bench.ensemble(range(20, 40)), sfc_bench.ensemble(range(3, 25))]
    assert sfc_bench.merge(parts).json == expected
    assert found.digest() == sfc_bench.merge(parts).digest() is not None
    vary = sfc_bench.ensemble(5, {"samples": 300}, varied="model-and-data")
    assert vary.json == cli("ensemble", "--seeds", 5, "--samples", 300, "--vary-data", "--json")


def test_families_are_the_command_lines(cli):
    heard = []
    found = sfc_bench.families(STUDY, progress=lambda done, all: heard.append((done, all)))
    assert found.json == cli("families", "--study", STUDY, "--json")
    assert heard[-1] == (heard[-1][1],) * 2
    assert sfc_bench.families(found["config"]).json == found.json
    assert found.figure("fam-hv").svg


def test_workers_make_what_one_process_makes(cluster, cli):
    assert studies.ensemble(60, client=cluster, chunk=7).json == cli("ensemble", "--seeds", 60, "--json")
    found = studies.families(STUDY, client=cluster)
    assert found.json == cli("families", "--study", STUDY, "--json")


def test_a_worker_that_is_killed_costs_nothing_but_time(cluster, cli):
    pids = list(cluster.run(os.getpid).values())
    killed = []

    def kill(done: int, of: int) -> None:
        if done and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    found = studies.ensemble(300, client=cluster, chunk=2, progress=kill)
    assert killed
    assert found.json == cli("ensemble", "--seeds", 300, "--json")
    # Its nanny starts another in its place.
    cluster.wait_for_workers(4)
    assert pids[0] not in cluster.run(os.getpid).values()


def test_no_worker_that_is_left_and_none_that_is_there_yet(cli):
    distributed = pytest.importorskip("distributed")
    expected = cli("ensemble", "--seeds", 60, "--json")
    look = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with distributed.LocalCluster(n_workers=1, **look) as made, distributed.Client(made) as client:
        pids, killed = list(client.run(os.getpid).values()), []

        def kill(done: int, of: int) -> None:
            if done and not killed:
                killed.append(os.kill(pids[0], signal.SIGKILL))

        assert studies.ensemble(60, client=client, chunk=5, progress=kill).json == expected
        assert killed
    with distributed.LocalCluster(n_workers=0, **look) as made, distributed.Client(made) as client:
        # Workers come when there is work for them.
        made.adapt(minimum=0, maximum=1)
        assert studies.ensemble(60, client=client).json == expected


WORK = """
import pathlib
import time


def flaky(folder, piece, stopped):
    try:
        (pathlib.Path(folder) / f"tried-{piece[0]}").mkdir()
    except FileExistsError:
        return piece[0]
    raise OSError("it fails the first time")


def waits(folder, piece, stopped):
    while piece[0] == 0 and not (pathlib.Path(folder) / "others").exists():
        time.sleep(0.01)
    return piece[0]
"""


def test_a_piece_that_fails_is_tried_again_and_a_slow_one_holds_up_nobody(cluster, tmp_path, monkeypatch):
    (tmp_path / "work_of_a_test.py").write_text(WORK)
    monkeypatch.syspath_prepend(tmp_path)
    work = importlib.import_module("work_of_a_test")
    cluster.upload_file(str(tmp_path / "work_of_a_test.py"))
    found: list[int] = []
    pieces = [[at] for at in range(12)]
    how = {"client": cluster, "threads": None}
    engine.run("test", work.flaky, str(tmp_path), pieces, found.append, lambda: None, retries=1, **how)
    assert sorted(found) == list(range(12))
    for at in range(12):
        (tmp_path / f"tried-{at}").rmdir()
    with pytest.raises(OSError, match="the first time"):
        engine.run("test", work.flaky, str(tmp_path), pieces, found.append, lambda: None, retries=0, **how)

    found.clear()

    def tell() -> None:
        if len(found) == 11:
            assert 0 not in found
            (tmp_path / "others").mkdir()

    engine.run("test", work.waits, str(tmp_path), pieces, found.append, tell, retries=0, **how)
    assert found[-1] == 0


@pytest.mark.parametrize(
    ("stub", "code"),
    [
        ("raise ImportError('there is none')", "dask.missing"),
        ("def version(): return '0.0.0'", "dask.missing"),
        ("from sfc_bench._other import *\ndef version(): return '0.0.0'", "dask.version"),
    ],
)
def test_a_worker_without_this_package_or_with_another_says_so(tmp_path, stub, code):
    distributed = pytest.importorskip("distributed")
    package = tmp_path / "sfc_bench"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "_core.py").write_text(stub)
    (package / "_other.py").write_text("")
    if code == "dask.version":
        (package / "dask.py").write_text("def members(common, piece, stopped): return []")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    look = {"dashboard_address": ":0", "processes": True}
    with distributed.LocalCluster(n_workers=0, **look) as made, distributed.Client(made) as client:
        words = ["-m", "distributed.cli.dask_worker", made.scheduler_address, "--no-nanny", "--nthreads", "1"]
        # It comes when the call is under way.
        worker = subprocess.Popen(
            [sys.executable, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        refused: list[BaseException] = []

        def call() -> None:
            try:
                studies.ensemble(3, client=client)
            except BaseException as error:
                refused.append(error)

        # Whoever waits for ever has failed.
        waits = threading.Thread(target=call, daemon=True)
        waits.start()
        waits.join(300)
        worker.kill()
        worker.wait()
        assert not waits.is_alive()
    assert isinstance(refused[0], sfc_bench.SfcBenchError), refused
    assert (refused[0].code, refused[0].field) == (code, "client")


class Enough(Exception):
    pass


def _stop(done: int, of: int) -> None:
    if done >= 20:
        raise Enough


def test_what_is_cancelled_is_gone_on_with_on_workers_and_on_threads(cluster, cli, tmp_path):
    for name, client in (("threads", None), ("workers", cluster)):
        folder = tmp_path / name
        with pytest.raises(Enough):
            studies.ensemble(80, client=client, checkpoint=folder, chunk=2, progress=_stop)
        kept = (folder / "results.jsonl").read_text().count("\n")
        assert 20 <= kept < 80
        heard = []
        found = studies.ensemble(
            80, client=client, checkpoint=folder, resume=True, chunk=2,
            progress=lambda done, of, heard=heard: heard.append(done),
        )  # fmt: skip
        assert heard[0] == kept
        assert found.json == cli("ensemble", "--seeds", 80, "--json")


def test_the_command_line_goes_on_with_a_folder_of_pythons_and_the_other_way_round(cli, tmp_path):
    expected = cli("ensemble", "--seeds", 40, "--json")
    here = tmp_path / "here"
    with pytest.raises(Enough):
        sfc_bench.ensemble(40, checkpoint=here, chunk=1, progress=_stop)
    assert cli("ensemble", "--seeds", 40, "--checkpoint", here, "--resume", "--json") == expected
    # Every line is whole now, and none is done again.
    heard = []
    again = sfc_bench.ensemble(40, checkpoint=here, resume=True, progress=lambda done, of: heard.append(done))
    assert (again.json, heard) == (expected, [])
    # A line that was cut off and one that was changed are done again.
    file = here / "results.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"hypervolume":0.', b'"hypervolume":1.')
    file.write_bytes(b"".join(lines)[:-20])
    again = sfc_bench.ensemble(40, checkpoint=here, resume=True, progress=lambda done, of: heard.append(done))
    assert (again.json, heard[0]) == (expected, 38)
    there = tmp_path / "there"
    study = cli("families", "--study", STUDY, "--checkpoint", there, "--json")
    assert sfc_bench.families(STUDY, checkpoint=there, resume=True).json == study


def test_a_folder_of_another_run_is_refused(tmp_path, program):
    folder = tmp_path / "run"
    sfc_bench.ensemble(3, checkpoint=folder)
    for code, refuse in {
        "checkpoint.taken": lambda: sfc_bench.ensemble(3, checkpoint=folder),
        "checkpoint.differs": lambda: sfc_bench.ensemble(4, checkpoint=folder, resume=True),
        "checkpoint.others": lambda: sfc_bench.ensemble(3, checkpoint=tmp_path),
        "settings.seeds": lambda: sfc_bench.ensemble(0),
        "settings.chunk": lambda: sfc_bench.ensemble(3, chunk=0),
        "settings.threads": lambda: sfc_bench.ensemble(3, threads=0),
        "settings.varied": lambda: sfc_bench.ensemble(3, varied="all"),
        "settings.config": lambda: sfc_bench.families("huge"),
        "settings.seed": lambda: sfc_bench.families({"seed": 3}),
        "settings.resume": lambda: sfc_bench.ensemble(3, resume=True),
        "settings.client": lambda: sfc_bench.ensemble(3, client="tcp://127.0.0.1:8786"),
        "settings.progress": lambda: sfc_bench.ensemble(3, progress=5),
        "settings.checkpoint": lambda: sfc_bench.ensemble(3, checkpoint=5),
        "checkpoint.unreadable": lambda: sfc_bench.ensemble(3, checkpoint=folder / "settings.json"),
    }.items():
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            refuse()
        assert refused.value.code == code
        assert refused.value.field
    # Results whose settings are lost are nobody's.
    lost = tmp_path / "lost"
    sfc_bench.ensemble(3, k=32, checkpoint=lost)
    (lost / "settings.json").unlink()
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.ensemble(3, checkpoint=lost)
    assert refused.value.code == "checkpoint.others"
    done = subprocess.run(
        [program, "ensemble", "--seeds", "3", "--checkpoint", lost], capture_output=True, text=True
    )
    assert "checkpoint.others" in done.stderr
    # What was refused for its arguments has neither made nor locked anything.
    for wrong in ({"threads": 0}, {"chunk": -1}, {"retries": None}):
        with pytest.raises(sfc_bench.SfcBenchError):
            sfc_bench.ensemble(3, checkpoint=tmp_path / "new", **wrong)
    assert not (tmp_path / "new").exists()
    # Other sources of the same version may compute other bits; what somebody chose is said first.
    settings = json.loads((folder / "settings.json").read_text())
    (folder / "settings.json").write_text(json.dumps(settings | {"build": "1-00000000"}))
    for seeds, field in ((3, "build"), (4, "seeds")):
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            sfc_bench.ensemble(seeds, checkpoint=folder, resume=True)
        assert (refused.value.code, refused.value.field) == ("checkpoint.differs", field)
    (folder / "settings.json").write_text("{")
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.ensemble(3, checkpoint=folder, resume=True)
    assert refused.value.code == "checkpoint.malformed"
    # What a link leads to is neither read nor written.
    (folder / "settings.json").rename(tmp_path / "mine")
    (folder / "settings.json").symlink_to(tmp_path / "mine")
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.ensemble(3, checkpoint=folder, resume=True)
    assert refused.value.code == "checkpoint.link"


@pytest.mark.skipif(os.name == "nt", reason="pipes with names are Unix's")
def test_a_folder_with_what_is_no_file_is_refused(tmp_path, program):
    whole = tmp_path / "whole"
    sfc_bench.ensemble(3, checkpoint=whole)
    settings, results = "settings.json", "results.jsonl"
    # A pipe would be waited for. Beside no settings it is no run, whatever it is.
    for name, pipe, lost, code in [
        ("settings", settings, None, "checkpoint.unreadable"),
        ("results", results, None, "checkpoint.unreadable"),
        ("neither", results, settings, "checkpoint.others"),
    ]:
        folder = tmp_path / name
        shutil.copytree(whole, folder)
        (folder / pipe).unlink()
        os.mkfifo(folder / pipe)
        if lost:
            (folder / lost).unlink()
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            sfc_bench.ensemble(3, checkpoint=folder, resume=True)
        assert refused.value.code == code
        words = ["ensemble", "--seeds", "3", "--checkpoint", folder, "--resume"]
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=300)
        assert code in done.stderr


BUSY = """
import sys, sfc_bench
def tell(done, of):
    print("began", flush=True)
    sys.stdin.read()
sfc_bench.ensemble(3, checkpoint=sys.argv[1], chunk=1, progress=tell)
"""


@pytest.mark.skipif(os.name == "nt", reason="the lock is that of Unix")
def test_one_run_at_a_time_is_in_a_folder(program, tmp_path):
    folder = tmp_path / "run"
    command = [sys.executable, "-c", BUSY, str(folder)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline().strip() == "began"
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.ensemble(3, checkpoint=folder, resume=True)
    assert refused.value.code == "checkpoint.busy"
    words = ["ensemble", "--seeds", "3", "--checkpoint", str(folder), "--resume"]
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert "checkpoint.busy" in done.stderr
    child.communicate()
    assert child.returncode == 0


def test_columns_are_what_a_report_says(cluster, tmp_path):
    pytest.importorskip("pyarrow")
    report = sfc_bench.ensemble(200)
    expected = report["summary"]
    for rank in expected["printed"]:
        del rank["band"]
    for client in (None, cluster):
        folder = tmp_path / ("workers" if client else "threads")
        studies.ensemble_columns(200, folder, client=client, shard=33)
        assert studies.summary(folder) == expected
    # A shard that is lost, and one that is cut off, are made again; the others are not.
    files = sorted(folder.glob("*.parquet"))
    kept = files[3].stat().st_mtime_ns
    files[0].unlink()
    files[1].write_bytes(files[1].read_bytes()[:100])
    heard = []
    studies.ensemble_columns(200, folder, shard=33, progress=lambda done, of: heard.append(done))
    assert heard[-1] == 200 and len(heard) == 2
    assert files[3].stat().st_mtime_ns == kept
    assert studies.summary(folder) == expected
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        studies.ensemble_columns(200, folder, shard=33, samples=300)
    assert refused.value.code == "columns.differs"
    files[2].write_bytes(files[2].read_bytes()[:100])
    (folder / ".settings.json.1").write_text("left over")
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        studies.summary(folder)
    assert refused.value.code == "columns.damaged"
    assert files[2].name in str(refused.value)

    # Whoever stops a run leaves whole shards alone, and nothing goes on.
    stopped = tmp_path / "stopped"
    with pytest.raises(Enough):
        studies.ensemble_columns(4_000, stopped, shard=40, client=cluster, progress=_stop)
    assert len(list(stopped.glob("*.parquet"))) == 1
    assert studies.summary(stopped)["members"] == 40
    # What workers were at when it was stopped comes to its end, and nothing else begins.
    until = time.monotonic() + 300
    while any(cluster.processing().values()):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert len(list(stopped.glob("*.parquet"))) == 1


def test_an_estimate_is_of_all_seeds(tmp_path):
    pytest.importorskip("pyarrow")
    of = studies.estimate(1_000_000, threads=2, measured=8)
    assert of["seconds"] == pytest.approx(of["seconds_each"] * 1e6 / 2)
    assert of["column"] == 8e6
    folder = studies.ensemble_columns(300, tmp_path / "columns")
    held = sum(file.stat().st_size for file in folder.glob("*.parquet"))
    # Rows pack a little better or worse than some of them do.
    assert studies.estimate(300, measured=32)["disk"] == pytest.approx(held, rel=0.2)


@pytest.mark.skipif(os.name == "nt", reason="signals are sent as on Unix")
def test_ctrl_c_keeps_what_threads_have_done_of_their_pieces():
    begun, kept = threading.Semaphore(0), []
    # Neither piece is ever whole: each stops between two jobs.
    pieces = [range(0, 1_000_000), range(1_000_000, 2_000_000)]

    def work(common, piece, stopped):
        done = []
        for job in piece:
            done.append(job)
            begun.release()
            if stopped():
                break
            time.sleep(0.001)
        return done

    def press() -> None:
        for _ in range(6):
            begun.acquire()
        # Twice, as people do.
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    def keep(done) -> None:
        kept.extend(done)

    presses = threading.Thread(target=press)
    presses.start()
    with pytest.raises(KeyboardInterrupt):
        try:
            engine.run("test", work, "", pieces, keep, lambda: None, client=None, threads=2, retries=0)
        finally:
            while presses.is_alive():
                with contextlib.suppress(KeyboardInterrupt):
                    presses.join()
    assert len(set(kept)) == len(kept) >= 6
    assert {0, 1, 1_000_000} <= set(kept) or {0, 1_000_000, 1_000_001} <= set(kept)


def test_ctrl_c_leaves_what_is_done(tmp_path):
    folder = tmp_path / "run"
    script = f"import sfc_bench; sfc_bench.ensemble(50_000, checkpoint={str(folder)!r}, chunk=4)"
    child = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)
    results = pathlib.Path(folder / "results.jsonl")
    while not (results.exists() and results.stat().st_size > 10_000):
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=300)
    assert child.returncode != 0
    assert "KeyboardInterrupt" in said
    assert json.loads((folder / "settings.json").read_text())["command"] == "ensemble"
