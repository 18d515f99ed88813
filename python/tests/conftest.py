"""What the tests share: the command line that they compare with, and the project's golden files."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
from collections.abc import Callable

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="session")
def golden() -> pathlib.Path:
    return ROOT / "tests" / "golden"


@pytest.fixture(scope="session")
def program() -> str:
    """The command line; `cargo xtask test python` builds it and names it."""
    named = os.environ.get("SFC_BENCH")
    if named is None:
        pytest.fail("SFC_BENCH has to name the command line: `cargo xtask test python` does")
    return named


@pytest.fixture(scope="session")
def cli(program: str) -> Callable[..., str]:
    def run(*words: object, cwd: object = None) -> str:
        command = [program, *map(str, words)]
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


class Sae:
    """As SAELens has one: tensors by name, and what it is configured by."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.cfg = json.loads((folder / "cfg.json").read_text())
        data = (folder / "sae_weights.safetensors").read_bytes()
        size = int.from_bytes(data[:8], "little")
        for name, it in json.loads(data[8 : 8 + size]).items():
            if name == "__metadata__":
                continue
            start, end = (8 + size + at for at in it["data_offsets"])
            # NumPy has no bfloat16, which is the upper half of a float32.
            kind = {"BF16": "<u2", "F16": "<f2", "F32": "<f4", "F64": "<f8"}[it["dtype"]]
            array = np.frombuffer(data[start:end], kind).reshape(it["shape"])
            if it["dtype"] == "BF16":
                array = (array.astype("<u4") << 16).view("<f4")
            setattr(self, name, array)


@pytest.fixture(scope="session")
def saelens_object() -> type[Sae]:
    """An autoencoder of a folder as an object."""
    return Sae


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Writes an object a line of what came of each test, as the page's tests do: xtask counts them."""
    file = os.environ.get("SFC_BENCH_REPORT")
    # Of a test that ended its process nobody knows where it was.
    whole = report.when in ("call", "???") or (report.when == "setup" and report.outcome != "passed")
    # Where several processes test, the one that starts them hears of every test, too.
    if file is None or not whole or "PYTEST_XDIST_WORKER" in os.environ:
        return
    line = {"name": report.nodeid, "outcome": report.outcome, "ms": report.duration * 1e3}
    with open(file, "a", encoding="utf-8") as into:
        into.write(json.dumps(line) + "\n")


def pytest_sessionstart(session: pytest.Session) -> None:
    # What a shell starts in the background, or nohup, ignores Ctrl-C, and so would all that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    file = os.environ.get("SFC_BENCH_REPORT")
    if file is not None and "PYTEST_XDIST_WORKER" not in os.environ:
        pathlib.Path(file).write_text("", encoding="utf-8")
