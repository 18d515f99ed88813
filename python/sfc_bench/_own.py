"""What somebody brings to FADE, CE-Bench, the Model Utilization Index and measurement theory."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, overload

from . import _core
from ._arrays import InMemory, is_path, listed, listener, npy, word
from ._errors import refuse
from ._report import Report
from ._settings import plain
from ._types import (
    OF,
    CeBenchOwnReport,
    CeBenchResultsReport,
    FadeNorm,
    FadeOwnReport,
    FadeRatedTexts,
    MeasurementOwnReport,
    MuiLawReport,
    MuiOwnReport,
)

Progress = Callable[[str, float], object]

_ARRAYS = (".csv", ".npy", ".npz", ".safetensors")
#: What files of folders are taken, by their ends, as the command line takes them.
_ENDINGS = {
    "fade": (".json", *_ARRAYS),
    "ce-bench": (".json", ".jsonl", *_ARRAYS),
    "ce-bench-results": ("results.json",),
    "mui": (".json", ".jsonl", *_ARRAYS),
    "mui-law": (".csv",),
    "measurement": (".json", ".jsonl", ".txt", *_ARRAYS),
}


@overload
def own(
    paper: Literal["fade"],
    given: Any,
    /,
    *,
    rated: FadeRatedTexts | None = None,
    sample: int | None = None,
    top: float | None = None,
    seed: int | None = None,
    norm: FadeNorm | None = None,
    progress: Progress | None = None,
) -> FadeOwnReport: ...
@overload
def own(
    paper: Literal["ce-bench"], given: Any, /, *, progress: Progress | None = None
) -> CeBenchOwnReport: ...
@overload
def own(
    paper: Literal["ce-bench-results"], given: Any, /, *, progress: Progress | None = None
) -> CeBenchResultsReport: ...
@overload
def own(paper: Literal["mui-law"], given: Any, /, *, progress: Progress | None = None) -> MuiLawReport: ...
@overload
def own(
    paper: Literal["measurement"], given: Any, /, *, progress: Progress | None = None
) -> MeasurementOwnReport: ...
@overload
def own(
    paper: Literal["mui"],
    given: Any,
    /,
    *,
    layers: int | None = None,
    neurons: int | None = None,
    k: int | None = None,
    alpha: float | None = None,
    accuracy: Iterable[float] | None = None,
    progress: Progress | None = None,
) -> MuiOwnReport: ...
def own(
    paper: str,
    given: Any,
    /,
    *,
    layers: int | None = None,
    neurons: int | None = None,
    k: int | None = None,
    alpha: float | None = None,
    accuracy: Iterable[float] | None = None,
    rated: FadeRatedTexts | None = None,
    sample: int | None = None,
    top: float | None = None,
    seed: int | None = None,
    norm: FadeNorm | None = None,
    progress: Progress | None = None,
) -> Report:
    """What a paper's metrics say of your own numbers, or of the files that its reference program wrote.

    Args:
        paper: ``fade`` (activations with labels and ratings, or the folders that FADE writes), ``ce-bench``
            (activations of story pairs, with marks or tagged stories), ``ce-bench-results`` (its ``results.json``
            files), ``mui`` (the neurons that each answer uses), ``mui-law`` (a table of models), ``measurement``
            (scores of prompts, runs, seeds, curves, circuits; results of mechval and SAEBench).
        given: a path of a file or folder, several of them, or a dictionary: arrays by the names that say what they are
            (``activations``, ``labels``, ``0_a``, ``0_marks_a``, …), texts or bytes of files by the files' names
            (``texts.json``), and paths by anything. 64 MiB in all, but for ``mui``, whose files are read piece by
            piece.
        layers: of the model, for ``mui``, where no file says it.
        neurons: of each layer, for ``mui``.
        k: the scores of each layer that count, for ``mui``.
        alpha: exponent of the index in PUR, for ``mui``.
        accuracy: of each file of neurons in percent, for ``mui``, where answers do not tell it.
        rated: ``all`` texts, or a sample by activation (``sampled``), for ``fade``: responsiveness and purity are of
            those. The folders that FADE writes have ratings of a sample already.
        sample: texts of a sample, for ``fade``.
        top: share of a sample that comes from the most active texts, for ``fade``.
        seed: of a sample, for ``fade``.
        norm: what the note's clarity and responsiveness divide by, for ``fade``: ``elements``, or ``nonzero`` ones, which
            makes no share of pairs, so that both can exceed 1.
        progress: hears the stage and the part that is done.

    Returns:
        What ``sfc-bench … --json`` prints of the same files.

    Raises:
        SfcBenchError: for what is not understood, by file and field.
    """
    of_papers: dict[str, dict[str, Any]] = {
        "mui": {
            "layers": layers, "neurons": neurons, "k": k, "alpha": alpha,
            "accuracy": None if accuracy is None else listed("accuracy", accuracy, "numbers, one a file of neurons"),
        },
        "fade": {"rated": rated, "sample": sample, "top": top, "seed": seed, "norm": norm},
    }  # fmt: skip
    asked: dict[str, Any] = {}
    for of, options in of_papers.items():
        said = {name: plain(name, value) for name, value in options.items() if value is not None}
        if said and paper != of:
            raise refuse(next(iter(said)), "given", f"only for {of}")
        asked |= said
    paper = word("paper", paper, tuple(_ENDINGS))
    names, held = _files(given, _ENDINGS[paper])
    study = f"own-{paper}"
    return OF[study](study, _core.own(paper, names, held, json.dumps(asked), listener(progress)))


def _files(given: Any, endings: tuple[str, ...]) -> tuple[list[str], dict[str, InMemory]]:
    """The names of all files, and those that are in memory."""
    if is_path(given):
        return _on_disk(given, endings), {}
    if isinstance(given, Mapping):
        names: list[tuple[str, bool]] = []
        held: dict[str, InMemory] = {}
        for name, value in given.items():
            if _names_a_file(value, endings):
                names += [(file, True) for file in _on_disk(value, endings)]
                continue
            name = str(name)
            if isinstance(value, str):
                held[name] = (value.encode(), [])
            elif isinstance(value, (bytes, bytearray, memoryview)):
                held[name] = (bytes(value), [])
            else:
                name = name if pathlib.PurePath(name).suffix == ".npy" else f"{name}.npy"
                held[name] = npy(name, value)
            names.append((name, False))
        # What is on the disk is not taken for what is in memory under the same name.
        return [
            os.path.join(os.curdir, name) if from_disk and name in held else name for name, from_disk in names
        ], held
    if isinstance(given, Iterable) and not hasattr(given, "__array__"):
        paths = list(given)
        if all(is_path(path) for path in paths):
            return [name for path in paths for name in _on_disk(path, endings)], {}
    raise refuse("given", type(given).__name__, "paths, or a dictionary of arrays by what they are")


def _names_a_file(value: Any, endings: tuple[str, ...]) -> bool:
    """Whether it is a path; a text that names no file, and does not look as if it should, is a file's own."""
    if not isinstance(value, str):
        return is_path(value)
    return "\n" not in value and (value.lower().endswith(endings) or os.path.exists(value))


def _on_disk(path: Any, endings: tuple[str, ...]) -> list[str]:
    """A file, or those of a folder in the order of their names."""
    name = os.fspath(path)
    if not os.path.isdir(name):
        return [name]
    found = list(_walk(name, endings))
    if not found:
        raise refuse("given", repr(name), f"a folder with a file that ends in {', '.join(endings)}")
    return found


def _walk(folder: str, endings: tuple[str, ...]) -> Iterable[str]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise refuse("given", repr(folder), f"a folder that can be read ({error.strerror})") from error
    for entry in entries:
        # A link may lead round in a circle: it is not followed.
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path, endings)
        elif entry.is_file(follow_symlinks=False) and entry.name.lower().endswith(endings):
            yield entry.path
