"""Metrics of mechanistic interpretability, computed by the core of sfc-bench.

Results have the same bits as those of the command line and of the page. Whatever is refused raises
:class:`SfcBenchError` with the field, its value and what is allowed.
"""

from __future__ import annotations

from ._compare import Comparison, Evaluator, compare
from ._core import version as _version
from ._errors import SfcBenchError
from ._evaluate import evaluate, numpy_script
from ._metrics import (
    completeness,
    completeness_of_outputs,
    distortion,
    dominates,
    fidelity,
    front,
    hypervolume,
    rate,
    relevance,
    score,
    simplex,
    sparsity,
)
from ._model import LanguageModel
from ._own import own
from ._report import Figure, Report
from ._studies import curve, ensemble, families, figure, merge, report, run, settings, sizes
from ._subjects import measure, measure_circuit, measure_model, measure_scores, metrics, world
from ._train import TrainedSAE, train
from .widget import widget

__version__ = _version()

__all__ = [
    "Comparison",
    "Evaluator",
    "Figure",
    "LanguageModel",
    "Report",
    "SfcBenchError",
    "TrainedSAE",
    "compare",
    "completeness",
    "completeness_of_outputs",
    "curve",
    "distortion",
    "dominates",
    "ensemble",
    "evaluate",
    "families",
    "fidelity",
    "figure",
    "front",
    "hypervolume",
    "measure",
    "measure_circuit",
    "measure_model",
    "measure_scores",
    "merge",
    "metrics",
    "numpy_script",
    "own",
    "rate",
    "relevance",
    "report",
    "run",
    "score",
    "settings",
    "simplex",
    "sizes",
    "sparsity",
    "train",
    "widget",
    "world",
]
