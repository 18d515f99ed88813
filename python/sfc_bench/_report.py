"""Reports: plain dictionaries that know their figures."""

from __future__ import annotations

import csv
import difflib
import io
import json
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._arrays import is_path, number, whole, word
from ._errors import MissingKeyError, refuse

if TYPE_CHECKING:
    import pandas


class Figure:
    """A figure or a table of a report. In a notebook it shows itself.

    Attributes:
        id: its stable identifier, e.g. ``fig1a``.
        title, caption, summary: what it is, what is to be known of it, and what it shows in a sentence.
        svg: the drawing.
    """

    def __init__(
        self,
        of: Report,
        id: str,
        width: int = 720,
        theme: Theme = "auto",
        weights: tuple[float, float, float] | None = None,
    ) -> None:
        self._of, self._weights = of, weights
        self._auto = theme == "auto"
        self._look = (width, "light" if self._auto else theme)
        self.id = id
        opened = self._opened()
        self.svg: str = opened.svg(id, *self._look)
        self.title: str = opened.title(id)
        self.caption: str = opened.caption(id)
        self.summary: str = opened.summary(id)

    def _opened(self) -> _core.StudyView:
        # It is opened anew each time: what is opened belongs to one thread, and a figure may go to others.
        opened = self._of._opened()
        if self._weights is not None:
            opened.set_weights(*self._weights)
        return opened

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        found = {"image/svg+xml": self.svg, "text/plain": repr(self)}
        if self._auto:
            # Notebooks say in several ways that they are dark; only the page that shows the figure knows which.
            dark = self._opened().svg(self.id, self._look[0], "dark")
            found["text/html"] = _BOTH.format(light=self.svg, dark=dark)
        return found

    def __repr__(self) -> str:
        return f"<Figure {self.id}: {self.summary}>"

    def table(self) -> dict[str, Any]:
        """What it shows, as ``{"columns": [...], "rows": [...]}``."""
        table: dict[str, Any] = json.loads(self._opened().table(self.id))
        return table

    def text(self, format: Ending) -> str:
        """It as a file's text: ``svg``, ``csv``, ``json``, ``tex`` or ``md``."""
        return self._opened().export(self.id, str(format), *self._look)

    def save(self, path: Any) -> None:
        """Writes it to a file; its ending says what: .svg, .csv, .json, .tex or .md, and with ``cairosvg`` .png (of two
        pixels a CSS pixel) or .pdf."""
        if not is_path(path):
            raise refuse("path", repr(path), "the path of a file")
        file = pathlib.Path(path)
        ending = file.suffix.lstrip(".").lower()
        if ending in ("png", "pdf"):
            file.write_bytes(self.png() if ending == "png" else self.pdf())
            return
        text = self._opened().export(self.id, ending, *self._look)
        file.write_text(text, encoding="utf-8", newline="\n")

    def png(self, scale: float = 2.0) -> bytes:
        """The drawing as a PNG file of ``scale`` pixels a CSS pixel (.1 to 10); with ``cairosvg``."""
        scale = number("scale", scale)
        if not 0.1 <= scale <= 10.0:
            raise refuse("scale", scale, "a number from 0.1 to 10")
        made: bytes = _cairo().svg2png(bytestring=self.svg.encode(), scale=scale)
        return made

    def pdf(self) -> bytes:
        """The drawing as a PDF file, as wide in points as it is in CSS pixels × 3/4; with ``cairosvg``."""
        made: bytes = _cairo().svg2pdf(bytestring=self.svg.encode())
        return made


def _cairo() -> Any:
    try:
        import cairosvg
    except (ImportError, OSError) as error:
        # OSError: the package is there, and the library that it calls is not.
        said = "PNG and PDF need cairosvg and the cairo library: pip install cairosvg"
        raise ImportError(f"{said} ({error})") from error
    return cairosvg


Theme = Literal["auto", "light", "dark", "transparent"]
Ending = Literal["svg", "csv", "json", "tex", "md"]

#: Both drawings, of which the page that they are in shows one: JupyterLab, VS Code, Colab and Sphinx each say by a word of
#: their own that they are dark.
_BOTH = """<div class="sfc-bench-figure"><style>
:is([data-jp-theme-light="false"], .vscode-dark, .vscode-high-contrast, html[theme="dark"], html[data-theme="dark"])
.sfc-bench-figure > .sfc-bench-light {{ display: none !important }}
:is([data-jp-theme-light="false"], .vscode-dark, .vscode-high-contrast, html[theme="dark"], html[data-theme="dark"])
.sfc-bench-figure > .sfc-bench-dark {{ display: block !important }}
</style><div class="sfc-bench-light">{light}</div><div class="sfc-bench-dark" style="display: none">{dark}</div></div>"""

#: What the command line prints is not all that there is of these.
_SUMMED_UP = ("sfc", "fade", "ce-bench", "mui", "measurement", "audit")
#: These have no figures of their own, and what has or shows them instead.
PLAIN = {
    **dict.fromkeys(
        ("own-fade", "own-ce-bench", "own-ce-bench-results", "own-mui", "own-mui-law", "own-measurement"),
        "a study with figures: of this, frame() has the rows",
    ),
}


#: Parts of the paper's study: their figures, and the digest, are those of the study under their settings.
_PARTS = ("curve", "sizes")


class Report(Mapping[str, Any]):
    """A result. It reads as the plain dictionary that the command line prints as JSON.

    Attributes:
        study: the name of what it is of, e.g. ``sfc`` or ``own``.
        json: the text that the command line prints with ``--json``, byte for byte.
    """

    def __init__(self, study: str, text: str) -> None:
        self.study = study
        self._text = text
        self._read: dict[str, Any] | None = None
        self._study: str | None = None

    @property
    def json(self) -> str:
        # Those that the command line sums up are kept whole here, so that they can be opened again.
        return self._opened().json() if self.study in _SUMMED_UP else self._text

    def to_dict(self) -> dict[str, Any]:
        """A plain dictionary of it, which may be changed."""
        read: dict[str, Any] = json.loads(self._text)
        return read

    def _plain(self) -> dict[str, Any]:
        if self._read is None:
            self._read = self.to_dict()
        return self._read

    def __getitem__(self, key: str, /) -> Any:
        plain = self._plain()
        try:
            return plain[key]
        except (KeyError, TypeError):
            keys = ", ".join(plain)
            near = difflib.get_close_matches(str(key), plain, 1)
            said = f"; did you mean {near[0]!r}?" if near else ""
            message = f"a report of {self.study} has no {key!r}{said} allowed: {keys}"
            raise MissingKeyError(
                message.replace("? allowed", "? Allowed"), "report.key", "key", repr(key), keys
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain())

    def __len__(self) -> int:
        return len(self._plain())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Report):
            return (self.study, self._text) == (other.study, other._text)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.study, self._text)

    def __repr__(self) -> str:
        if self.study in PLAIN:
            name, rows = _rows(self)
            return f"<Report of {self.study}: {len(rows)} {name}>"
        if self.study in _PARTS:
            return f"<Report of {self.study}: {len(self['points'])} points. {self.headline()}>"
        return f"<Report of {self.study}: {self.headline()}>"

    def _opened(self) -> _core.StudyView:
        """It with its figures, under weights that may change: a new one each time."""
        if self.study in PLAIN:
            raise refuse("study", repr(self.study), PLAIN[self.study])
        if self.study in _PARTS:
            if self._study is None:
                # In a second, and once: what is drawn beside it is of the whole study.
                self._study = _core.study_run("sfc", json.dumps(self["config"]))
            return _core.StudyView("sfc", self._study)
        return _core.StudyView(self.study, self._text)

    def headline(self) -> str:
        """It in a few sentences."""
        if self.study in _PARTS:
            return _headline(self)
        return self._opened().headline()

    def digest(self) -> str | None:
        """What tells it from other results: the same here, on the command line and on the page."""
        return self._opened().digest()

    def figures(self) -> list[dict[str, str]]:
        """Its figures and tables: ``id``, ``name`` and the ``section`` of its page."""
        listed: list[dict[str, str]] = json.loads(self._opened().figures())
        return listed

    def figure(
        self,
        name: str,
        *,
        width: int = 720,
        theme: Theme = "auto",
        weights: Iterable[float] | None = None,
    ) -> Figure:
        """A figure or table by its id or name, ``width`` CSS pixels wide (200 to 4000); ``theme`` is ``light``, ``dark``,
        ``transparent``, or ``auto``: light in files, and in a notebook as the notebook is. Under other ``weights`` of S,
        F and C nothing is run anew."""
        word("theme", theme, ("auto", "light", "dark", "transparent"))
        three = None if weights is None else _three("weights", weights)
        return Figure(self, str(name), whole("width", width), theme, three)

    def printed(self) -> list[dict[str, Any]]:
        """What the paper prints, each number beside what was found; nothing where there is no paper."""
        cells: list[dict[str, Any]] = json.loads(self._opened().printed())
        return cells

    def frame(self, name: str | None = None) -> pandas.DataFrame:
        """A pandas frame: of the figure or table ``name`` what it shows; without one, the report's own rows
        (points of a curve, members of an ensemble, features of FADE, each value of the audit), a row each; what a
        row has within others is a column of its own, ``clarity.code``."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("frames need pandas: pip install pandas") from error
        if name is None:
            return pandas.json_normalize(_rows(self)[1])
        # What the file for programs holds: all digits.
        text = self.figure(name).text("csv")
        frame = pandas.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""])
        frame.columns = _headings(next(row for row in csv.reader(io.StringIO(text)) if row))
        for column in frame:
            # Of words, what is empty is empty; of numbers, it is missing.
            if not pandas.api.types.is_numeric_dtype(frame[column]):
                frame[column] = frame[column].fillna("")
        return frame


def _headings(row: list[str]) -> list[str]:
    """Headings that are not told apart get numbers, and those that are empty their places."""
    found: list[str] = []
    for at, heading in enumerate(row):
        name = heading or f"column {at + 1}"
        copies = sum(other == name or other.startswith(f"{name} (") for other in found)
        found.append(f"{name} ({copies + 1})" if copies else name)
    return found


#: Where a report's own rows are, if they are not its points.
_ROWS = (
    "points",
    "results",
    "rows",
    "features",
    "folders",
    "subjects",
    "readings",
    "found",
    "answers",
    "metrics",
    "parts",
)


#: Rows that are within others: where the outer ones are, what each of them is called, and where its own are.
_NESTED = {"mui": ("checkpoints", "checkpoint", "tasks")}


def _audited(plain: dict[str, Any]) -> list[dict[str, Any]]:
    """What the audit's metrics say, a row a value: of its jobs, and of autoencoders of one's own, which are no job's.

    ``reading`` is whose the metric's definition is: ``document`` (the paper's text), ``code``, ``both`` or ``neither``."""
    says = {metric["id"]: metric["says"] for metric in json.loads(_core.registry())}
    jobs = [*plain.get("jobs", ()), {"job": "", "rows": plain.get("own") or ()}]
    return [
        {
            "job": job["job"],
            **{key: row.get(key, "") for key in ("world", "place", "seed")},
            "group": row["subject"]["group"],
            "subject": row["subject"]["name"],
            "level": row["subject"]["level"],
            **{key: row[key] for key in ("truth", "size", "width")},
            "reading": says.get(value["metric"], ""),
            **value,
        }
        for job in jobs
        for row in job["rows"]
        for value in row["values"]
    ]


def _axes(plain: dict[str, Any]) -> dict[str, Any]:
    """An evaluation as one row: its axes and score first, by the names that they have in the paper."""
    by = {row["reading"]: row for row in plain["completeness"]}
    fidelity = plain["fidelity"]
    if "rel_mse" in fidelity:
        # As it was called before.
        fidelity = {"one_minus_rel_mse": fidelity["rel_mse"], **fidelity}
    first = {
        "S": plain["sparsity"]["s"],
        "F": fidelity["one_minus_rel_mse" if fidelity["mode"] == "rel-mse" else fidelity["mode"]],
        "C": by[plain["reading"]][plain["variance"]],
        "SFC": plain["sfc"],
        "L0": plain["sparsity"]["l0"],
    }
    scalars = {key: value for key, value in plain.items() if not isinstance(value, (dict, list))}
    parts = {
        f"{name}.{key}": value
        for name in ("fidelity", "features", "similarity")
        for key, value in plain[name].items()
        if not isinstance(value, (dict, list))
    }
    readings = {f"completeness.{reading}": row[plain["variance"]] for reading, row in by.items()}
    return {**first, **scalars, **parts, **readings}


def _headline(report: Report) -> str:
    """A curve, or the sizes of a dictionary, in a sentence or two."""
    points = report["points"]
    if not points:
        return "No point: every dictionary is larger than the rank of the activations."
    best = max(points, key=lambda point: point["sfc"])
    at = ", ".join(f"{axis} {best[name]:.3f}" for axis, name in zip("SFC", _AXES, strict=True))
    weights = ":".join(f"{weight:g}" for weight in report["config"]["weights"])
    if report.study == "sizes":
        said = (
            f"Of {len(points)} dictionary sizes at λ = {best['level']:g}, K = {best['k']} has the highest SFC"
        )
        return f"{said}, {best['sfc']:.3f} under weights {weights} ({at})."
    front = len(report["front"])
    said = f"SFC is highest at λ = {best['level']:g}, {best['sfc']:.3f} under weights {weights} ({at}); K = {best['k']}"
    volume = f"hypervolume {report['hypervolume']:.3f}"
    return f"{said}. {front} of {len(points)} levels on the Pareto front, {volume}."


_AXES = ("sparsity", "fidelity", "completeness")


def _rows(report: Report) -> tuple[str, list[dict[str, Any]]]:
    """What a report's own rows are called, and they."""
    plain = report._plain()
    if report.study == "ensemble":
        return "members", [
            {"seed": member["seed"], **point} for member in plain["members"] for point in member["points"]
        ]
    if report.study == "own":
        return "evaluation", [_axes(plain)]
    if report.study == "audit":
        return "values", _audited(plain)
    nested = _NESTED.get(report.study)
    if nested:
        outer, name, inner = nested
        return name, [{name: whole[name], **part} for whole in plain[outer] for part in whole[inner]]
    for name in _ROWS:
        rows = plain.get(name)
        if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
            return name, rows
    for part in ("main", "curve"):
        if isinstance(plain.get(part), dict) and "points" in plain[part]:
            points: list[dict[str, Any]] = plain[part]["points"]
            return "points", points
    scalars = {key: value for key, value in plain.items() if not isinstance(value, (dict, list))}
    return "values", [scalars]


def _three(field: str, values: Iterable[float]) -> tuple[float, float, float]:
    try:
        first, second, third = (float(value) for value in values)
    except (TypeError, ValueError) as error:
        raise refuse(field, repr(values), "three numbers") from error
    return first, second, third
