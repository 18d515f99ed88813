"""The metrics of all five papers by themselves: on a decomposition, on heads, on a model, on scores."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import as_array, column, is_path, listed, listener, matrix, safetensors, whole, word
from ._errors import refuse
from ._sae import files

Progress = Callable[[str, float], object]
Preset = Literal["small", "full"]
#: What metrics say, by their ids; None where they say nothing.
Values = dict[str, float | None]


class Metric(TypedDict):
    """A metric of a paper, as :func:`metrics` lists it."""

    id: str
    paper: str
    name: str
    says: str
    better: str
    needs: str
    kind: Literal["decomposition", "circuit", "model", "scores"]


class CircuitValues(TypedDict):
    """Heads by (layer, head), and what metrics say of them."""

    heads: list[tuple[int, int]]
    values: Values


def metrics() -> list[Metric]:
    """Every metric of every paper: its ``id``, ``paper``, ``name``, whose reading it is (``says``), which
    way is ``better``, what it ``needs`` and the ``kind`` of what it is measured on: ``decomposition``
    (:func:`measure`), ``circuit`` (:func:`measure_circuit`), ``model`` (:func:`measure_model`) or ``scores``
    (:func:`measure_scores`)."""
    listed: list[Metric] = json.loads(_core.registry())
    return listed


def _ids(ids: str | Iterable[str] | None) -> list[str] | None:
    if ids is None:
        return None
    try:
        return [ids] if isinstance(ids, str) else [str(id) for id in ids]
    except TypeError as error:
        raise refuse("metrics", repr(ids), "ids of metrics()") from error


def _preset(preset: Any) -> str:
    return word("preset", preset, ("small", "full"))


def world(name: str, *, seed: int = 0, preset: Preset = "small") -> dict[str, Any]:
    """Rows of activations of which the truth is known, to train a decomposition on and to measure it at.

    Args:
        name: ``superposition`` (planted directions, more of them than dimensions), ``layer`` (the SFC-Score
            paper's hidden layer), or ``stream0``, ``stream1``, ``stream2`` (the residual stream after each of the
            toy model's layers).
        seed: of everything that is drawn.
        preset: ``small``, or ``full`` for as many rows as the audit's full report has.

    Returns:
        ``training`` (rows to train on) and ``activations`` (rows to measure at, N × D); ``context``, how many rows
        follow each other in one text; ``scale``, what the world's own activations were multiplied by; and what is
        known there: ``directions`` (G × D) and ``magnitudes`` (N × G), ``readout`` (outputs × D) and ``readout_bias``,
        ``circuit`` (orthonormal rows), ``words`` (N), ``unembed`` (D × words), ``embedded`` (N × D).
    """
    if not isinstance(name, str):
        raise refuse("world", repr(name), "the name of a world")
    arrays, besides = _core.world_rows(name, whole("seed", seed), _preset(preset))
    return {**arrays, **json.loads(besides)}


def measure(
    activations: Any,
    sae: Any,
    ids: str | Iterable[str] | None = None,
    *,
    readout: Any = None,
    readout_bias: Any = None,
    context: int = 1,
    words: Any = None,
    unembed: Any = None,
    embed: Any = None,
    directions: Any = None,
    magnitudes: Any = None,
    beside: Sequence[Any] = (),
    seed: int = 0,
    preset: Preset = "small",
    progress: Progress | None = None,
) -> Values:
    """What metrics of decompositions say of an autoencoder, by their ids.

    Without ``ids`` all of them are measured, and one that needs what is not given, or refuses what is, says None; of
    those that are asked for, one that refuses raises.

    Args:
        activations: rows (N × D, at least 16), or the name of a :func:`world`, of which everything is known. FADE and
            CE-Bench, which need texts that are judged, are measured on ``stream0``, ``stream1`` and ``stream2`` alone.
        sae: as in :func:`evaluate`.
        ids: of :func:`metrics`, one or several.
        readout: what follows the activations (outputs × D), which completeness is about; with ``readout_bias``.
        context: how many rows follow each other in one text; M10 and M12 look at these, and not at rows after the
            last whole one.
        words: each row's word (N whole numbers), with ``unembed`` (D × words); M08 and EX34 need both.
        embed: each word's direction (words × D), for the code's reading of M10; with ``words``.
        directions: planted directions (G × D), with ``magnitudes``, how strongly each is there in each row (N × G).
        beside: two autoencoders trained on the same: another family of this width, and a smaller one (M07, M11).
        seed: of a world, and of what metrics draw.
        preset: of a world: ``small`` or ``full``.
        progress: hears the metric's name and the part that is done. Ctrl-C is heard between two metrics.

    Raises:
        SfcBenchError: for whatever does not fit, by name.
    """
    named = isinstance(activations, str)
    besides = {
        "readout": readout, "readout_bias": readout_bias, "words": words, "unembed": unembed, "embed": embed,
        "directions": directions, "magnitudes": magnitudes,
    }  # fmt: skip
    given = [name for name, value in besides.items() if value is not None]
    if named and (given or context != 1):
        raise refuse(given[0] if given else "context", "given", "nothing: it is the world's")
    known: dict[str, Any] = dict.fromkeys((*besides, "embedded"))
    rows = None
    if not named:
        rows = matrix("activations", activations)
        for name in ("readout", "unembed", "directions", "magnitudes"):
            if besides[name] is not None:
                known[name] = matrix(name, besides[name])
        if readout_bias is not None:
            if readout is None:
                raise refuse("readout_bias", "given", "only with a readout")
            known["readout_bias"] = column("readout_bias", readout_bias).reshape(1, -1)
        if words is not None:
            known["words"] = _words(words)
        known["embedded"] = _embedded(embed, known["words"])
        if unembed is None and known["embedded"] is not None:
            # They have said all that they say without it.
            known["words"] = None
    known["context"] = whole("context", context)
    others = listed("beside", beside, "two autoencoders, or none")
    if len(others) not in (0, 2):
        raise refuse("beside", f"{len(others)} autoencoders", "two, or none")
    found: Values = json.loads(
        _core.measure_decomposition(
            rows,
            known,
            activations if named else None,
            _read(sae),
            [_read(other) for other in others],
            _ids(ids),
            whole("seed", seed),
            _preset(preset),
            listener(progress),
        )
    )
    return found


def _read(sae: Any) -> tuple[dict[str, Any], str]:
    names, held = files(sae)
    return held, json.dumps(names)


def _words(words: Any) -> NDArray[np.uint32]:
    array = as_array("words", words)
    allowed = "whole numbers from 0, one a row"
    if array.dtype.kind not in "iu" or array.ndim != 1 or array.size == 0:
        raise refuse("words", f"{array.dtype}, {array.ndim}-dimensional", allowed)
    for value in (int(array.min()), int(array.max())):
        whole("words", value)
    return np.ascontiguousarray(array, np.uint32)


def _embedded(embed: Any, words: NDArray[np.uint32] | None) -> NDArray[np.float64] | None:
    if embed is None:
        return None
    if words is None:
        raise refuse("embed", "given", "only with words")
    table = matrix("embed", embed)
    if int(words.max()) >= len(table):
        raise refuse("embed", f"{len(table)} rows", f"a row a word, at least {int(words.max()) + 1}")
    return np.ascontiguousarray(table[words])


def measure_circuit(
    heads: str | Iterable[tuple[int, int]] = "found",
    task: str = "ioi",
    ids: str | Iterable[str] | None = None,
    *,
    checkpoint: str = "ck-12000",
    seed: int = 0,
    preset: Preset = "small",
    progress: Progress | None = None,
) -> CircuitValues:
    """What metrics of circuits say of some heads of the toy model: ``{"heads": [...], "values": {id: value}}``.

    Args:
        heads: a list of (layer, head) from 0 on; or ``found`` (by backward elimination), ``full``, ``empty``.
        task: ``ioi``, ``copy``, ``count``, ``agree``, ``recall``, ``colour``, ``sum``, ``sum3``, ``mood``,
            ``request``; or ``planted``, two layers of six heads of which it is known which are in.
        ids: of :func:`metrics`, one or several; as in :func:`measure`.
        checkpoint: which weights: ``ck-00000`` (untrained) to ``ck-12000``, ``ft-…``, ``seed1-12000``.
        seed: of the prompts.
        preset: how many of them: ``small`` or ``full``, as the audit has them.
        progress: as in :func:`measure`.
    """
    allowed = "found, full, empty, or a list of (layer, head)"
    which = heads if isinstance(heads, str) else [_head(head) for head in listed("heads", heads, allowed)]
    seed = whole("seed", seed)
    kept, values = _core.measure_circuit(
        which, str(task), str(checkpoint), _ids(ids), seed, _preset(preset), listener(progress)
    )
    return {"heads": kept, "values": json.loads(values)}


def _head(head: Any) -> tuple[int, int]:
    try:
        layer, number = head
    except (TypeError, ValueError) as error:
        raise refuse("heads", repr(head), "pairs of (layer, head)") from error
    return whole("heads", layer), whole("heads", number)


def measure_model(
    model: Any = "ck-12000",
    ids: str | Iterable[str] | None = None,
    *,
    seed: int = 0,
    preset: Preset = "small",
    progress: Progress | None = None,
) -> Values:
    """What metrics of models say of a model of the little language, by their ids: MUI's and those of its layers.

    Args:
        model: a checkpoint (``ck-00000`` to ``ck-12000``, ``ft-…``, ``seed1-12000``), the path of a file as
            ``sfc-bench mui train`` writes it, or a dictionary of arrays by TransformerLens' names.
        ids: of :func:`metrics`, one or several; as in :func:`measure`.
        seed: of what it is asked.
        preset: how much: ``small`` or ``full``, as the audit has it.
        progress: as in :func:`measure`.
    """
    held: dict[str, Any] = {}
    if isinstance(model, Mapping):
        name = "model.safetensors"
        held[name] = safetensors(model)
    elif is_path(model):
        name = os.fspath(model)
    else:
        raise refuse("model", type(model).__name__, "a checkpoint's name, a path, or a dictionary of arrays")
    found: Values = json.loads(
        _core.measure_model(name, held, _ids(ids), whole("seed", seed), _preset(preset), listener(progress))
    )
    return found


def measure_scores(
    groups: tuple[Any, Any] | None = None,
    *,
    better: Any = None,
    other: Any = None,
    prompts: Sequence[Sequence[int]] | None = None,
    ids: str | Iterable[str] | None = None,
) -> Values:
    """What metrics about metrics say of another metric's scores, by their ids.

    Either of two ``groups`` of prompts, a value a prompt; or of two configurations run by run: ``better``
    and ``other`` (runs × prompts), where ``prompts`` says which prompts each run has.
    """
    pair = None
    if groups is not None:
        both = listed("groups", groups, "two lists of numbers")
        if len(both) != 2:
            raise refuse("groups", f"{len(both)} of them", "two")
        pair = tuple(column("groups", group) for group in both)
        for group in pair:
            if not len(group) or not np.isfinite(group).all():
                raise refuse("groups", f"one of {len(group)} values", "one finite value or more in each")
    runs = [None if rows is None else matrix(name, rows) for name, rows in
            (("better", better), ("other", other))]  # fmt: skip
    which = None
    if prompts is not None:
        said = "a list of whole numbers for each run"
        runs_of = [listed("prompts", run, said) for run in listed("prompts", prompts, said)]
        which = [[whole("prompts", at) for at in run] for run in runs_of]
    found: Values = json.loads(_core.measure_scores(pair, runs[0], runs[1], which, _ids(ids)))
    return found
