"""Decompositions of the same activations side by side, and activations that come batch by batch."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._arrays import InMemory, as_array, count, is_path, listed, listener, whole
from ._engine import THREADS_MAX
from ._errors import MissingKeyError, refuse
from ._evaluate import _is_sae, _options, _request, _skip, evaluate
from ._modules import encode_with, has_encode_decode
from ._report import Figure, Theme, _three
from ._sae import FolderFiles, is_autoencoder, notes
from ._types import CompareReport, DecompositionRow, EvaluateReport, FidelityMode, Reading, Variance

if TYPE_CHECKING:
    import numpy as np
    import pandas

_ALLOWED = (
    "an autoencoder, the path of one or of a folder of them, a dictionary (K × D), (codes, dictionary), "
    "(codes, dictionary, b_dec), or a dictionary of these by name"
)
_PARTS = ("codes", "dictionary", "b_dec", "reconstruction")


class Comparison:
    """A table of decompositions, by falling SFC: a row is a dictionary, and goes by its place or its name.

    Attributes:
        report: all of it, as ``sfc-bench compare --json`` prints it.
    """

    def __init__(self, report: CompareReport) -> None:
        self.report = report

    @property
    def rows(self) -> list[DecompositionRow]:
        """The rows: ``name``, ``role`` (``given``, ``random``, ``permuted``, ``pca``), ``control_of``, ``sparsity``,
        ``fidelity``, ``completeness``, ``sfc``, ``on_front``, ``contribution``, and the whole ``report`` of each."""
        rows: list[DecompositionRow] = self.report.to_dict()["rows"]
        return rows

    def __iter__(self) -> Iterator[DecompositionRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.report["rows"])

    def __getitem__(self, key: int | str) -> DecompositionRow:
        rows = self.rows
        if not isinstance(key, str):
            return rows[key]
        for row in rows:
            if row["name"] == key:
                return row
        names = ", ".join(repr(row["name"]) for row in rows)
        raise MissingKeyError(
            f"no decomposition is called {key!r}; allowed: {names}", "compare.name", "name", repr(key), names
        )

    def __eq__(self, other: object) -> bool:
        return self.report == other.report if isinstance(other, Comparison) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Comparison: {self.report.headline()}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.figure("table")._repr_mimebundle_(include, exclude)

    @property
    def json(self) -> str:
        """The text that the command line prints with ``--json``, byte for byte."""
        return self.report.json

    def score(self, weights: Iterable[float]) -> Comparison:
        """The same table under other weights of S, F and C; nothing is computed anew."""
        opened = self.report._opened()
        opened.set_weights(*_three("weights", weights))
        return Comparison(CompareReport(self.report.study, opened.json()))

    def figure(self, name: str = "front", *, width: int = 720, theme: Theme = "auto") -> Figure:
        """A figure: ``table``, ``front`` (S and F), ``sc`` (S and C), ``fc`` (F and C)."""
        name = str(name)
        prefix = "decompositions-"
        full = name if name.startswith(prefix) else prefix + name
        known = [figure["id"] for figure in self.report.figures()]
        if full not in known:
            raise refuse("figure", repr(name), ", ".join(one.removeprefix(prefix) for one in known))
        return self.report.figure(full, width=width, theme=theme)

    def to_latex(self) -> str:
        """The table for LaTeX, as ``sfc-bench compare --latex`` prints it."""
        return self.figure("table").text("tex")

    def to_dataframe(self) -> pandas.DataFrame:
        """A pandas frame with a row a decomposition, by its name: role, K, SFC, S, F, C, L0, R2, FVU, dead, dense, front and
        contribution, at full precision."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("frames need pandas: pip install pandas") from error
        rows = [
            {
                "name": row["name"],
                "role": row["role"],
                "K": row["report"]["k"],
                "SFC": row["sfc"],
                "S": row["sparsity"],
                "F": row["fidelity"],
                "C": row["completeness"],
                "L0": row["report"]["sparsity"]["l0"],
                "R2": row["report"]["fidelity"]["r2"],
                "FVU": row["report"]["fidelity"]["fvu"],
                "dead": row["report"]["features"]["dead"],
                "dense": row["report"]["features"]["dense"],
                "front": row["on_front"],
                "contribution": row["contribution"],
            }
            for row in self.rows
        ]
        return pandas.DataFrame(rows).set_index("name")


def compare(
    decompositions: Any,
    activations: Any,
    *,
    targets: Any = None,
    controls: bool = True,
    seed: int = 0,
    choose: str | Iterable[str] | None = None,
    codes_by: str | None = None,
    readout: Any = None,
    readout_bias: Any = None,
    fidelity: FidelityMode = "cosine",
    completeness: Reading | None = None,
    variance: Variance = "total",
    weights: Iterable[float] = (1.0, 1.0, 1.0),
    active_rows: int = 1_000,
    skip_zero_rows: bool = False,
    skip_rows: str | Iterable[int] | None = None,
    skip_norm_above: float | None = None,
    memory: int = 1_024,
    threads: int | None = None,
    progress: Callable[[str, float], object] | None = None,
) -> Comparison:
    """Scores several decompositions of the same activations, and controls of each, in one table.

    Args:
        decompositions: by name, as a dictionary: an autoencoder or a transcoder (an object, its folder or its weights, as
            :func:`evaluate` takes them), a folder of many, of which each is a row of its own, a dictionary alone
            (K × D), ``(codes, dictionary)``, ``(codes, dictionary, b_dec)``, or ``{"codes": …, "dictionary": …,
            "b_dec": …}``; with a decoder of any other kind, ``{"codes": …, "dictionary": …, "reconstruction": …}``. Or
            paths, which are their own names.
        activations: N × D, as of :func:`evaluate`.
        targets: what transcoders reconstruct, as many rows; all that are no transcoders read and reconstruct these.
        controls: whether random directions, permuted decoders and principal components are in the table. Of each row
            these keep as many codes as are active in a row of what they are held against, on average.
        seed: of random directions and permutations.
        choose: of folders of many, those alone whose name has this in it, or is this with ``*`` for any letters.
        codes_by: how codes on dictionaries that come alone are made.

    The others are those of :func:`evaluate`. Completeness is by one reading for all rows: the paper's, unless some
    dictionary spans the whole space; then by the reconstruction.

    Raises:
        SfcBenchError: for whatever does not fit, by name.
        KeyboardInterrupt: soon after Ctrl-C.
    """
    patterns: list[str] | None
    if isinstance(choose, str):
        patterns = [choose]
    else:
        patterns = None if choose is None else [str(one) for one in listed("choose", choose, "patterns")]
    options = _options(fidelity, completeness, variance, weights, active_rows, memory)
    skip = _skip(skip_zero_rows, skip_rows, skip_norm_above)
    members: list[tuple[str, str, dict[str, InMemory], list[str]]] = []
    for name, value in _members(decompositions, patterns):
        if has_encode_decode(value):
            # It reconstructs what it reads, as all that are no transcoders do.
            read = activations if targets is None else targets
            codes, sae, made, note = encode_with(value, read, whole("memory", memory) << 20)
            b_dec, said = None, [note]
        else:
            sae, codes, b_dec, made = _parts(name, value)
            said = notes(sae)
        trained = _is_sae(sae, codes is None)
        # What is no transcoder reads what it reconstructs.
        reads = activations if trained or targets is None else targets
        request, given = _request(
            reads, sae, readout, readout_bias, codes, b_dec, None if codes is not None or trained else codes_by,
            targets if trained else None, (), options, skip, made,
        )  # fmt: skip
        members.append((name, request, given, said))
    if not members:
        raise refuse("decompositions", "none", _ALLOWED)
    most = None if threads is None else count("threads", threads, THREADS_MAX)
    of = whole("seed", seed) if controls else None
    text = _core.compare(members, of, listener(progress), most)
    return Comparison(CompareReport("decompositions", text))


def _members(decompositions: Any, patterns: list[str] | None) -> list[tuple[str, Any]]:
    """Each by its name, those of folders of many one by one; of patterns those that one of them means."""
    members = list(_all_members(decompositions))
    if patterns is None:
        return members
    meant = [(name, value) for name, value in members if _core.is_meant(name, patterns)]
    if members and not meant:
        names = ", ".join(name for name, _ in members[:12]) + (", …" if len(members) > 12 else "")
        raise refuse("choose", ", ".join(patterns), f"what one of {names} has in it")
    return meant


def _all_members(decompositions: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(decompositions, Mapping) and not is_autoencoder(decompositions):
        named = [(str(name), value) for name, value in decompositions.items()]
    elif is_path(decompositions):
        named = [(os.fspath(decompositions), decompositions)]
    elif isinstance(decompositions, Sequence) and all(is_path(one) for one in decompositions):
        named = [(os.fspath(one), one) for one in decompositions]
    else:
        raise refuse("decompositions", type(decompositions).__name__, _ALLOWED)
    for name, value in named:
        if not (is_path(value) and os.path.isdir(value)):
            yield name, value
            continue
        folder = os.fspath(value)
        found: list[tuple[str, dict[str, Any]]] = json.loads(_core.autoencoders_in(folder))
        for called, files in found:
            own = name if len(found) == 1 else f"{name}/{os.path.relpath(called, folder)}"
            yield own, FolderFiles(files)


def _parts(name: str, value: Any) -> tuple[Any, Any, Any, Any]:
    """The autoencoder or dictionary, codes on it, the bias of their decoder, and what they are decoded to."""
    if isinstance(value, Mapping) and not is_autoencoder(value):
        unknown = [str(part) for part in value if part not in _PARTS]
        if unknown or "dictionary" not in value:
            allowed = "codes, dictionary and, if there is one, b_dec or a reconstruction"
            raise refuse(name, ", ".join(map(str, value)), allowed)
        return value["dictionary"], value.get("codes"), value.get("b_dec"), value.get("reconstruction")
    if isinstance(value, tuple):
        if len(value) not in (2, 3):
            raise refuse(name, f"{len(value)} parts", "(codes, dictionary) or (codes, dictionary, b_dec)")
        codes, dictionary, *more = value
        return dictionary, codes, more[0] if more else None, None
    return value, None, None, None


class Evaluator:
    """Scores activations that come batch by batch and do not fit into memory.

    Batches are kept in a folder on the disk, as they come, and read from there: what :meth:`result` gives is, to the last
    bit, what :func:`evaluate` gives of all of them in one array. Without a ``folder`` it is a temporary one, which goes
    with the evaluator; one that is given stays, and other calls can read it.

    Args:
        sae: as of :func:`evaluate`.
        folder: where batches are kept: a folder that holds none.
        options: those of :func:`evaluate`, but for activations, targets and codes.

    Examples:
        >>> evaluator = sfc_bench.Evaluator(sae)
        >>> for batch in batches:
        ...     evaluator.update(batch)
        >>> report = evaluator.result()
    """

    def __init__(self, sae: Any, *, folder: Any = None, **options: Any) -> None:
        for name in ("activations", "targets", "codes"):
            if name in options:
                raise refuse(name, "given", "batches, by update()")
        if has_encode_decode(sae):
            raise refuse(
                "sae", type(sae).__name__, "evaluate(), which calls its encode() and decode() on one array"
            )
        if "reconstruction" in options:
            raise refuse("reconstruction", "given", "evaluate(), which takes all of it at once")
        self._sae, self._options = sae, options
        self._check()
        self._batches: dict[str, list[str]] = {"activations": [], "targets": [], "codes": []}
        if folder is None:
            self.folder = tempfile.mkdtemp(prefix="sfc-bench-")
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        else:
            if not is_path(folder):
                raise refuse("folder", repr(folder), "the path of a folder")
            self.folder = os.fspath(folder)
            os.makedirs(self.folder, exist_ok=True)
            if os.listdir(self.folder):
                raise refuse("folder", repr(self.folder), "a folder without files")

    def _check(self) -> None:
        """Refuses what no batch could make right, before batches are computed."""
        asked = inspect.signature(evaluate).bind(None, self._sae, **self._options)
        asked.apply_defaults()
        of = asked.arguments
        # Whose rows and width are known later.
        row = [[0.0]]
        request, _ = _request(
            row, self._sae, of["readout"], of["readout_bias"], None if of["b_dec"] is None else row, of["b_dec"],
            of["codes_by"], None, of["transposed"],
            _options(*(of[name] for name in ("fidelity", "completeness", "variance", "weights", "active_rows", "memory"))),
            _skip(of["skip_zero_rows"], of["skip_rows"], of["skip_norm_above"]),
        )  # fmt: skip
        _core.check_request(request)
        if of["threads"] is not None:
            count("threads", of["threads"], THREADS_MAX)
        listener(of["progress"])

    def update(self, activations: Any, *, targets: Any = None, codes: Any = None) -> Evaluator:
        """Takes a batch: rows of activations (n × D, or of more dimensions, the last of which is D), what a transcoder
        reconstructs of them, or their codes on a dictionary."""
        batch = {"activations": activations, "targets": targets, "codes": codes}
        arrays = {name: as_array(name, value) for name, value in batch.items() if value is not None}
        if "activations" not in arrays:
            raise refuse("activations", "None", "an array (n × D)")
        first = not self._batches["activations"]
        for name in ("targets", "codes"):
            if not first and (name in arrays) != bool(self._batches[name]):
                said = "given" if name in arrays else "missing"
                raise refuse(name, said, "the same as with the batches before")
        rows: int | None = None
        for name, array in arrays.items():
            if array.ndim < 2 or array.size == 0:
                raise refuse(name, f"of the shape {array.shape}", "rows of numbers (n × D)")
            here = array.size // array.shape[-1]
            if rows not in (None, here):
                raise refuse(name, f"{here} rows", f"{rows}, as the activations have")
            rows = here
        for name, array in arrays.items():
            self._batches[name].append(self._keep(name, array))
        return self

    def _keep(self, name: str, array: np.ndarray[Any, Any]) -> str:
        import numpy as np

        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, f"{name}_{len(self._batches[name]):06}.npy")
        np.save(path, np.ascontiguousarray(array.reshape(-1, array.shape[-1])))
        return path

    def result(self) -> EvaluateReport:
        """The report of all batches so far; more may come after it."""
        if not self._batches["activations"]:
            raise refuse("activations", "no batch", "one or more, by update()")
        more: dict[str, Any] = {}
        if self._batches["targets"]:
            more["targets"] = self._batches["targets"]
        if self._batches["codes"]:
            more["codes"] = self._batches["codes"]
        return evaluate(self._batches["activations"], self._sae, **more, **self._options)


__all__ = ["Comparison", "Evaluator", "compare"]
