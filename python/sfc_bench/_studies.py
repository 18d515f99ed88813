"""Studies: a paper's own experiment, many seeds of it, families of autoencoders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, overload

from . import _core
from ._arrays import listener
from ._errors import refuse
from ._report import PLAIN, Figure, Report
from ._settings import draft
from ._types import (
    OF,
    AuditReport,
    AuditSettings,
    CeBenchReport,
    CeBenchSettings,
    CompareReport,
    CurveReport,
    EnsembleReport,
    EvaluateReport,
    FadeReport,
    FadeSettings,
    FamiliesReport,
    MeasurementReport,
    MeasurementSettings,
    MuiReport,
    MuiSettings,
    PaperReport,
    Settings,
    SizesReport,
)
from .dask import ensemble, families

__all__ = ["curve", "ensemble", "families", "figure", "merge", "report", "run", "settings", "sizes"]

Progress = Callable[[str, float], object]


def _named(study: Any) -> str:
    if not isinstance(study, str):
        raise refuse("study", repr(study), "the name of a study")
    return study


@overload
def settings(
    study: Literal["sfc"] = "sfc", given: Mapping[str, Any] | None = None, /, **changes: Any
) -> Settings: ...
@overload
def settings(
    study: Literal["fade"], given: Mapping[str, Any] | None = None, /, **changes: Any
) -> FadeSettings: ...
@overload
def settings(
    study: Literal["ce-bench"], given: Mapping[str, Any] | None = None, /, **changes: Any
) -> CeBenchSettings: ...
@overload
def settings(
    study: Literal["mui"], given: Mapping[str, Any] | None = None, /, **changes: Any
) -> MuiSettings: ...
@overload
def settings(
    study: Literal["measurement"], given: Mapping[str, Any] | None = None, /, **changes: Any
) -> MeasurementSettings: ...
@overload
def settings(
    study: Literal["audit"], given: Mapping[str, Any] | None = None, /, **changes: Any
) -> AuditSettings: ...
def settings(study: str = "sfc", given: Mapping[str, Any] | None = None, /, **changes: Any) -> Any:
    """The complete settings of a study (``sfc``, ``fade``, ``ce-bench``, ``mui``, ``measurement``,
    ``audit``): the paper's own, but for what is given."""
    return json.loads(_core.study_settings(_named(study), draft(given, changes)))


@overload
def run(
    study: Literal["sfc"] = "sfc",
    given: Mapping[str, Any] | None = None,
    /,
    *,
    progress: Progress | None = None,
    **changes: Any,
) -> PaperReport: ...
@overload
def run(
    study: Literal["fade"],
    given: Mapping[str, Any] | None = None,
    /,
    *,
    progress: Progress | None = None,
    **changes: Any,
) -> FadeReport: ...
@overload
def run(
    study: Literal["ce-bench"],
    given: Mapping[str, Any] | None = None,
    /,
    *,
    progress: Progress | None = None,
    **changes: Any,
) -> CeBenchReport: ...
@overload
def run(
    study: Literal["mui"],
    given: Mapping[str, Any] | None = None,
    /,
    *,
    progress: Progress | None = None,
    **changes: Any,
) -> MuiReport: ...
@overload
def run(
    study: Literal["measurement"],
    given: Mapping[str, Any] | None = None,
    /,
    *,
    progress: Progress | None = None,
    **changes: Any,
) -> MeasurementReport: ...
@overload
def run(
    study: Literal["audit"],
    given: Mapping[str, Any] | None = None,
    /,
    *,
    progress: Progress | None = None,
    **changes: Any,
) -> AuditReport: ...
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
    text = _core.study_run(_named(study), draft(given, changes), listener(progress))
    return OF.get(study, Report)(study, text)


def curve(given: Mapping[str, Any] | None = None, /, **changes: Any) -> CurveReport:
    """Sparsity, fidelity, completeness and score at each level (Table 3, Figures 1 and 4 of the SFC-Score
    paper), with the Pareto front and the hypervolume. Without settings it is the paper's own run."""
    return CurveReport("curve", _core.curve(draft(given, changes)))


def sizes(given: Mapping[str, Any] | None = None, /, **changes: Any) -> SizesReport:
    """The same at level 0.5 for each dictionary size (Table 6)."""
    return SizesReport("sizes", _core.sizes(draft(given, changes)))


@overload
def report(study: Literal["sfc"], text: str) -> PaperReport: ...
@overload
def report(study: Literal["curve"], text: str) -> CurveReport: ...
@overload
def report(study: Literal["sizes"], text: str) -> SizesReport: ...
@overload
def report(study: Literal["fade"], text: str) -> FadeReport: ...
@overload
def report(study: Literal["ce-bench"], text: str) -> CeBenchReport: ...
@overload
def report(study: Literal["mui"], text: str) -> MuiReport: ...
@overload
def report(study: Literal["measurement"], text: str) -> MeasurementReport: ...
@overload
def report(study: Literal["audit"], text: str) -> AuditReport: ...
@overload
def report(study: Literal["ensemble"], text: str) -> EnsembleReport: ...
@overload
def report(study: Literal["families"], text: str) -> FamiliesReport: ...
@overload
def report(study: Literal["own"], text: str) -> EvaluateReport: ...
@overload
def report(study: Literal["decompositions"], text: str) -> CompareReport: ...
@overload
def report(study: str, text: str) -> Report: ...
def report(study: str, text: str) -> Report:
    """A report from the JSON that the command line or :attr:`Report.json` gave."""
    if not isinstance(text, str):
        raise refuse("text", type(text).__name__, "text in JSON")
    made = OF.get(_named(study), Report)(study, text)
    if study in ("curve", "sizes"):
        _part(made)
        return made
    if study not in PLAIN:
        # The core says whether it is one.
        made.headline()
        return made
    _object(made)
    return made


def _object(made: Report) -> dict[str, Any]:
    try:
        read: Any = made.to_dict()
    except ValueError as error:
        raise refuse("text", "no JSON", "what Report.json gave") from error
    if not isinstance(read, dict):
        raise refuse("text", type(read).__name__, "an object, as Report.json gave")
    return read


def _part(made: Report) -> None:
    """A curve, or sizes, has settings and points; what they say, the core says of the settings."""
    read = _object(made)
    missing = [name for name in ("config", "points") if name not in read]
    if missing:
        raise refuse(f"text.{missing[0]}", "missing", f"what a report of {made.study} has")
    made.figures()
    try:
        made.headline()
    except (KeyError, TypeError, ValueError) as error:
        raise refuse(
            "text.points", "not understood", f"points as a report of {made.study} has them"
        ) from error


def merge(parts: Iterable[Report]) -> EnsembleReport:
    """Joins ensembles of one plan, of whatever seeds: equal to one over all their seeds."""
    if isinstance(parts, Report):
        raise refuse("parts", "one report", "a list of them")
    given = list(parts)
    for part in given:
        if not (isinstance(part, Report) and part.study == "ensemble"):
            raise refuse("parts", repr(part), "reports of ensembles")
    return EnsembleReport("ensemble", _core.ensemble_merge([part.json for part in given]))


def figure(of: Report, name: str, **look: Any) -> Figure:
    """A figure or a table of a report, as :meth:`Report.figure`; in a notebook it shows itself."""
    return of.figure(name, **look)
