"""The metrics by themselves, on somebody's own numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import column, matrix
from ._report import _three
from ._sae import files

Progress = Callable[[str, float], object]


def sparsity(codes: Any) -> float:
    """S of codes (N × K): the share of zeros in them, by the paper's formula."""
    return _core.sparsity(matrix("codes", codes))


def fidelity(activations: Any, reconstruction: Any, mode: str = "cosine") -> float:
    """F of a reconstruction of activations (both N × D): ``cosine``, ``r2`` or ``rel-mse``."""
    a, a_hat = matrix("activations", activations), matrix("reconstruction", reconstruction)
    return _core.fidelity(a, a_hat, mode)


def completeness(
    activations: Any,
    dictionary: Any,
    readout: Any = None,
    bias: Any = None,
    *,
    reading: str = "paper",
) -> float:
    """C of a dictionary (K × D) under a linear readout (o × D, the identity without one): how much of the
    outputs of activations (N × D) is left when they are projected on its row space. ``reading`` is
    ``paper`` (the variance about the grand mean) or ``total``."""
    a = matrix("activations", activations)
    out = np.eye(a.shape[1]) if readout is None else matrix("readout", readout)
    zero = np.zeros(out.shape[0]) if bias is None else column("bias", bias)
    return _core.completeness(a, matrix("dictionary", dictionary), out, zero.reshape(1, -1), reading)


def completeness_of_outputs(outputs: Any, projected: Any, *, reading: str = "paper") -> float:
    """C of any network: its outputs (N × o) against those of the projected activations (N × o)."""
    given, found = matrix("outputs", outputs), matrix("projected", projected)
    return _core.completeness_of_outputs(given, found, reading)


def rate(codes: Any, bins: int = 32) -> float:
    """Rate of codes (N × K) in bits, by histograms of so many bins."""
    return _core.rate(matrix("codes", codes), bins)


def distortion(activations: Any, reconstruction: Any) -> float:
    """Distortion of a reconstruction of activations (both N × D)."""
    return _core.distortion(matrix("activations", activations), matrix("reconstruction", reconstruction))


def relevance(codes: Any, outputs: Any) -> float:
    """Relevance of codes (N × K) to outputs (N × o)."""
    return _core.relevance(matrix("codes", codes), matrix("outputs", outputs))


def score(s: float, f: float, c: float, weights: Iterable[float] = (1.0, 1.0, 1.0)) -> float:
    """The SFC-Score: the weighted harmonic mean of S, F and C."""
    return _core.score((s, f, c), _three("weights", weights))


def hypervolume(points: Any, reference: Iterable[float] = (0.0, 0.0, 0.0)) -> dict[str, Any]:
    """Volume that points (n × 3, more is better) dominate above a reference point, and what each of them
    alone adds: ``{"volume": ..., "contributions": [...]}``."""
    found: dict[str, Any] = json.loads(
        _core.hypervolume(matrix("points", points), _three("reference", reference))
    )
    return found


def front(points: Any, tolerance: float = 0.0) -> NDArray[np.intp]:
    """Indices of the points (n × 3) that no other dominates; differences up to ``tolerance`` are ties."""
    return np.asarray(_core.front(matrix("points", points), tolerance), dtype=np.intp)


def dominates(first: Iterable[float], second: Iterable[float], tolerance: float = 0.0) -> bool:
    """Whether the first point is nowhere worse and somewhere better than the second."""
    return _core.dominates(_three("first", first), _three("second", second), tolerance)


def simplex(points: Any, weights: Iterable[float] = (1.0, 1.0, 1.0)) -> dict[str, Any]:
    """The map of weights: which point wins where, over all weights of S, F and C."""
    found: dict[str, Any] = json.loads(_core.simplex(matrix("points", points), _three("weights", weights)))
    return found


def metrics() -> list[dict[str, Any]]:
    """Every metric of every paper: its ``id``, ``paper``, ``name``, whose reading it is (``says``), which
    way is ``better``, what it ``needs`` and the ``kind`` of what it is measured of."""
    listed: list[dict[str, Any]] = json.loads(_core.registry())
    return listed


def measure(
    activations: Any,
    sae: Any,
    ids: Sequence[str] | None = None,
    *,
    progress: Progress | None = None,
) -> dict[str, float | None]:
    """What metrics of decompositions say of an autoencoder at rows of activations (N × D), by their ids;
    all of them without ``ids``. One that needs more than activations and a dictionary says None.

    ``sae`` is as in :func:`evaluate`, of the architectures ``standard`` and ``topk``.
    """
    names, held = files(sae)
    rows = matrix("activations", activations)
    wanted = None if ids is None else list(ids)
    found: dict[str, float | None] = json.loads(
        _core.measure_decomposition(rows, held, names["config"], names["weights"], wanted, progress)
    )
    return found


def measure_scores(
    groups: tuple[Any, Any] | None = None,
    *,
    better: Any = None,
    other: Any = None,
    prompts: Sequence[Sequence[int]] | None = None,
    ids: Sequence[str] | None = None,
) -> dict[str, float | None]:
    """What metrics about metrics say of another metric's scores, by their ids.

    Either of two ``groups`` of prompts, a value a prompt; or of two configurations run by run: ``better``
    and ``other`` (runs × prompts), where ``prompts`` says which prompts each run has.
    """
    pair = None if groups is None else tuple(column("groups", group) for group in groups)
    runs = [None if rows is None else matrix(name, rows) for name, rows in
            (("better", better), ("other", other))]  # fmt: skip
    which = None if prompts is None else [list(run) for run in prompts]
    wanted = None if ids is None else list(ids)
    found: dict[str, float | None] = json.loads(_core.measure_scores(pair, runs[0], runs[1], which, wanted))
    return found
