"""Studies: a paper's own experiment, many seeds of it, families of autoencoders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import _core
from ._arrays import listener
from ._errors import refuse
from ._report import PLAIN, Figure, Report
from ._settings import draft
from .dask import ensemble, families

__all__ = ["curve", "ensemble", "families", "figure", "merge", "report", "run", "settings", "sizes"]

Progress = Callable[[str, float], object]


def _named(study: Any) -> str:
    if not isinstance(study, str):
        raise refuse("study", repr(study), "the name of a study")
    return study


def settings(study: str = "sfc", given: Mapping[str, Any] | None = None, /, **changes: Any) -> dict[str, Any]:
    """The complete settings of a study (``sfc``, ``fade``, ``ce-bench``, ``mui``, ``measurement``,
    ``audit``): the paper's own, but for what is given."""
    found: dict[str, Any] = json.loads(_core.study_settings(_named(study), draft(given, changes)))
    return found


def run(
    study: str = "sfc",
    given: Mapping[str, Any] | None = None,
    /,
    *,
    progress: Progress | None = None,
    **changes: Any,
) -> Report:
    """Runs a study: ``sfc`` (curve, sizes and the four configurations), ``fade``, ``ce-bench``, ``mui``,
    ``measurement`` or ``audit``. Settings are given as a dictionary, by name, or both."""
    return Report(study, _core.study_run(_named(study), draft(given, changes), listener(progress)))


def curve(given: Mapping[str, Any] | None = None, /, **changes: Any) -> Report:
    """Sparsity, fidelity, completeness and score at each level (Table 3, Figures 1 and 4 of the SFC-Score
    paper), with the Pareto front and the hypervolume. Without settings it is the paper's own run."""
    return Report("curve", _core.curve(draft(given, changes)))


def sizes(given: Mapping[str, Any] | None = None, /, **changes: Any) -> Report:
    """The same at level 0.5 for each dictionary size (Table 6)."""
    return Report("sizes", _core.sizes(draft(given, changes)))


def report(study: str, text: str) -> Report:
    """A report from the JSON that the command line or :attr:`Report.json` gave."""
    if not isinstance(text, str):
        raise refuse("text", type(text).__name__, "text in JSON")
    made = Report(study, text)
    if study not in PLAIN:
        # The core says whether it is one.
        made.headline()
        return made
    try:
        read = made.to_dict()
    except ValueError as error:
        raise refuse("text", f"no JSON: {error}", "what Report.json gave") from error
    if not isinstance(read, dict):
        raise refuse("text", type(read).__name__, "an object, as Report.json gave")
    return made


def merge(parts: Iterable[Report]) -> Report:
    """Joins ensembles of one plan, of whatever seeds: equal to one over all their seeds."""
    if isinstance(parts, Report):
        raise refuse("parts", "one report", "a list of them")
    given = list(parts)
    for part in given:
        if not (isinstance(part, Report) and part.study == "ensemble"):
            raise refuse("parts", repr(part), "reports of ensembles")
    return Report("ensemble", _core.ensemble_merge([part.json for part in given]))


def figure(of: Report, name: str, **look: Any) -> Figure:
    """A figure or a table of a report, as :meth:`Report.figure`; in a notebook it shows itself."""
    return of.figure(name, **look)
