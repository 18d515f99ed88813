"""What is done of a long run, in a folder: the command line's own format, so that each goes on with the other's.

``settings.json`` says what is run; ``results.jsonl`` has a line a job, with a checksum of the result's text.
A line that is cut off or damaged is not believed: that job is done again.
"""

from __future__ import annotations

import json
import os
import pathlib
import time
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from . import _core
from ._errors import SfcBenchError

_FORMAT = 1
_SETTINGS = "settings.json"
_RESULTS = "results.jsonl"
_BEGIN, _MIDDLE = b'{"crc32":"', b'","result":'
#: What is written is on the disk after so many seconds.
_SYNC_EVERY = 2.0


def _error(code: str, message: str, field: str = "checkpoint", value: object = None) -> SfcBenchError:
    shown = None if value is None else str(value)
    return SfcBenchError(message, f"checkpoint.{code}", field, shown)


def _difference(held: Any, asked: Any, at: str = "") -> tuple[str, Any, Any] | None:
    """The first field, by its path, that is not the same in both."""
    if isinstance(held, dict) and isinstance(asked, dict):
        names = [*held, *(name for name in asked if name not in held)]
        # What somebody chose is said first.
        for name in sorted(names, key=lambda name: name == "build"):
            inside = f"{at}.{name}" if at else name
            found = _difference(held.get(name), asked.get(name), inside)
            if found:
                return found
        return None
    return None if held == asked else (at.removeprefix("settings."), held, asked)


def _believed(line: bytes) -> str | None:
    """The text of a line's result, where the checksum is its own."""
    if not (line.startswith(_BEGIN) and line.endswith(b"}\n")):
        return None
    crc, rest = line[len(_BEGIN) : len(_BEGIN) + 8], line[len(_BEGIN) + 8 : -2]
    if not rest.startswith(_MIDDLE):
        return None
    text = rest[len(_MIDDLE) :]
    try:
        return text.decode() if int(crc, 16) == zlib.crc32(text) else None
    except ValueError:
        return None


def _regular(path: pathlib.Path) -> None:
    # A pipe would be waited for, and a device read for ever.
    if path.exists() and not path.is_file():
        raise _error("unreadable", f"cannot read {path}: not a regular file", value=path)


def _lock(file: BinaryIO, folder: pathlib.Path) -> None:
    try:
        import fcntl
    except ImportError:
        # Nowhere but on Unix is the lock the command line's.
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise _error("busy", f"another run is under way in {folder}", value=folder) from error
    except OSError:
        # Not every file system has locks.
        return


class Checkpoint:
    """An open folder of results; ``done`` has those that it holds, by their job's number."""

    def __init__(
        self,
        folder: Any,
        resume: bool,
        command: str,
        settings: Any,
        place: Callable[[dict[str, Any]], int | None],
    ) -> None:
        self.folder = pathlib.Path(os.fspath(folder))
        asked = {
            "format": _FORMAT,
            "version": _core.version(),
            "build": _core.build(),
            "command": command,
            "settings": settings,
        }
        self._open(resume, asked)
        _regular(self.folder / _RESULTS)
        self._file: BinaryIO = open(self.folder / _RESULTS, "a+b")  # noqa: SIM115 (close() closes it)
        try:
            _lock(self._file, self.folder)
            self.done = self._read(place)
        except BaseException:
            self._file.close()
            raise
        self._synced = time.monotonic()

    def _open(self, resume: bool, asked: dict[str, Any]) -> None:
        folder, file = self.folder, self.folder / _SETTINGS
        # What a link leads to is not the run's to read, and not to be written to.
        for path in (file, folder / _RESULTS):
            if path.is_symlink():
                raise _error("link", f"{path} is a link; allowed: a file of the folder", value=path)
        if file.exists():
            if not resume:
                said = f"{folder} holds a run already; resume=True goes on with it"
                raise _error("taken", said, value=folder)
            _regular(file)
            try:
                held = json.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                said = f"{file} is not what a run keeps: {error}"
                raise _error("malformed", said, value=file) from error
            differs = _difference(held, asked)
            if differs:
                field, there, here = differs
                shown = [json.dumps(value)[:60] for value in (there, here)]
                said = f"{folder} holds a run with other settings: {field} is {shown[0]} there, and {shown[1]} here"
                raise _error("differs", said, field, shown[1])
            return

        def ours(entry: pathlib.Path) -> bool:
            # Results without settings are of whatever run.
            empty = entry.name == _RESULTS and entry.is_file() and entry.stat().st_size == 0
            return empty or entry.name.startswith(f".{_SETTINGS}.")

        if folder.is_dir() and not all(ours(entry) for entry in folder.iterdir()):
            said = f"{folder} holds files, but no run; allowed: a folder of its own"
            raise _error("others", said, value=folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _error("unreadable", f"{folder}: {error.strerror}", value=folder) from error
        beside = folder / f".{_SETTINGS}.{os.getpid()}"
        beside.write_text(json.dumps(asked, indent=2) + "\n", encoding="utf-8")
        os.replace(beside, file)

    def _read(self, place: Callable[[dict[str, Any]], int | None]) -> dict[int, str]:
        done: dict[int, str] = {}
        self._file.seek(0)
        line = b"\n"
        for line in self._file:
            text = _believed(line)
            at = None if text is None else place(json.loads(text))
            if text is not None and at is not None:
                done[at] = text
        if not line.endswith(b"\n"):
            # What comes next has a line of its own.
            self._file.write(b"\n")
        return done

    def keep(self, text: str) -> None:
        """Keeps a result."""
        data = text.encode()
        self._file.write(_BEGIN + b"%08x" % zlib.crc32(data) + _MIDDLE + data + b"}\n")
        self._file.flush()
        if time.monotonic() - self._synced >= _SYNC_EVERY:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def close(self) -> None:
        """Has everything on the disk, and lets others at it."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
