"""The metrics by themselves, on somebody's own numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import column, matrix, number, whole, word
from ._report import _three
from ._types import CompletenessReading, FidelityMode, Hypervolume, Variance


def sparsity(codes: Any) -> float:
    """S of codes (N × K): the share of zeros in them, by the paper's formula."""
    return _core.sparsity(matrix("codes", codes))


def fidelity(activations: Any, reconstruction: Any, mode: FidelityMode = "cosine") -> float:
    """F of a reconstruction of activations (both N × D): ``cosine``, ``r2`` or ``rel-mse``."""
    a, a_hat = matrix("activations", activations), matrix("reconstruction", reconstruction)
    return _core.fidelity(a, a_hat, word("mode", mode, ("cosine", "r2", "rel-mse")))


def completeness(
    activations: Any,
    dictionary: Any,
    readout: Any = None,
    bias: Any = None,
    *,
    variance: Variance = "total",
    reading: CompletenessReading | None = None,
) -> float:
    """C of a dictionary (K × D) under a linear readout (o × D, the identity without one): how much of the
    outputs of activations (N × D) is left when they are projected on its row space. ``variance`` is what
    it divides by, as in :func:`evaluate`: ``total`` (about the mean output) or ``grand`` (of all entries about their one
    mean, which gives the paper's digits). ``reading`` is its former name, where ``grand`` is ``paper``."""
    a = matrix("activations", activations)
    out = np.eye(a.shape[1]) if readout is None else matrix("readout", readout)
    zero = np.zeros(out.shape[0]) if bias is None else column("bias", bias)
    said = _reading(variance, reading)
    return _core.completeness(a, matrix("dictionary", dictionary), out, zero.reshape(1, -1), said)


def _reading(variance: Variance, reading: CompletenessReading | None) -> str:
    """The core's word of a variance."""
    if reading is not None:
        return word("reading", reading, ("paper", "total"))
    return {"total": "total", "grand": "paper"}[word("variance", variance, ("total", "grand"))]


def completeness_of_outputs(
    outputs: Any, projected: Any, *, variance: Variance = "total", reading: CompletenessReading | None = None
) -> float:
    """C of any network: its outputs (N × o) against those of the projected activations (N × o), over a ``variance`` as
    in :func:`completeness`."""
    given, found = matrix("outputs", outputs), matrix("projected", projected)
    return _core.completeness_of_outputs(given, found, _reading(variance, reading))


def rate(codes: Any, bins: int = 32) -> float:
    """Rate of codes (N × K) in bits, by histograms of so many bins."""
    return _core.rate(matrix("codes", codes), whole("bins", bins))


def distortion(activations: Any, reconstruction: Any) -> float:
    """Distortion of a reconstruction of activations (both N × D)."""
    return _core.distortion(matrix("activations", activations), matrix("reconstruction", reconstruction))


def relevance(codes: Any, outputs: Any) -> float:
    """Relevance of codes (N × K) to outputs (N × o)."""
    return _core.relevance(matrix("codes", codes), matrix("outputs", outputs))


def score(s: float, f: float, c: float, weights: Iterable[float] = (1.0, 1.0, 1.0)) -> float:
    """The SFC-Score: the weighted harmonic mean of S, F and C."""
    axes = number("s", s), number("f", f), number("c", c)
    return _core.score(axes, _three("weights", weights))


def hypervolume(points: Any, reference: Iterable[float] = (0.0, 0.0, 0.0)) -> Hypervolume:
    """Volume that points (n × 3, more is better) dominate above a reference point, and what each of them
    alone adds: ``{"hypervolume": ..., "contributions": [...]}``."""
    found: Hypervolume = json.loads(
        _core.hypervolume(matrix("points", points), _three("reference", reference))
    )
    return found


def front(points: Any, tolerance: float = 0.0) -> NDArray[np.intp]:
    """Indices of the points (n × 3) that no other dominates; differences up to ``tolerance`` are ties."""
    return np.asarray(_core.front(matrix("points", points), number("tolerance", tolerance)), dtype=np.intp)


def dominates(first: Iterable[float], second: Iterable[float], tolerance: float = 0.0) -> bool:
    """Whether the first point is nowhere worse and somewhere better than the second."""
    return _core.dominates(_three("first", first), _three("second", second), number("tolerance", tolerance))


def simplex(points: Any, weights: Iterable[float] = (1.0, 1.0, 1.0)) -> dict[str, Any]:
    """The map of weights: which point wins where, over all weights of S, F and C."""
    found: dict[str, Any] = json.loads(_core.simplex(matrix("points", points), _three("weights", weights)))
    return found
