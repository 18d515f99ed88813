"""Ensembles that are too large for one report: a column a quantity, in shards of seeds on the disk.

A shard is a parquet file with a row a seed. Bands are exact: a column is read whole (8 MB for a million seeds)
and its quantiles are taken as a report's are. What is counted (winners, points on the front, where printed
numbers lie) is counted in each shard by the core, and added.
"""

from __future__ import annotations

import json
import math
import os
import pathlib
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import is_path, listener, whole
from ._engine import Stopped, at_least_1, chunks, never, run, workers_of
from ._errors import SfcBenchError, refuse
from ._seeds import Progress, ensemble_runner, measure, plan_of, seeds_of

if TYPE_CHECKING:
    from ._types import Varied

#: Seeds of a shard.
SHARD = 4_096
#: What of a level is no column: the level itself and its dictionary are the same under every seed.
_FIXED = ("level", "k", "method")
_OVER = ("hypervolume", "peak_sfc")
_SETTINGS = "settings.json"


def _shard(common: tuple[str, str], seeds: Sequence[int], stopped: Stopped) -> tuple[int, bytes] | None:
    """A piece of the work: a shard's first seed, and its file; nothing where it was stopped before its end."""
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = [text for _, text in measure(common, seeds, stopped)]
    if len(texts) < len(seeds):
        return None
    report = json.loads(_core.ensemble_of(*common, texts))
    members, summary = report["members"], report["summary"]
    columns: dict[str, Any] = {"seed": np.asarray(seeds, np.uint32)}
    for at, point in enumerate(members[0]["points"]):
        for name, value in point.items():
            if name in summary["levels"][at] and name not in _FIXED and isinstance(value, float):
                column = [member["points"][at][name] for member in members]
                columns[f"{name}[{at}]"] = np.asarray(column, np.float64)
    columns["hypervolume"] = np.asarray([member["hypervolume"] for member in members], np.float64)
    best = [max(point["sfc"] for point in member["points"]) for member in members]
    columns["peak_sfc"] = np.asarray(best, np.float64)
    counted = {
        "members": len(members),
        "all_on_front": summary["all_on_front"],
        "wins": summary["wins"],
        # Those below count whole and equal ones half: of n, a number of halves.
        "printed": [
            {**{key: rank[key] for key in ("table", "row", "column", "printed")},
             "below": round(rank["percentile"] / 100 * len(members) * 2) / 2}
            for rank in summary["printed"]
        ],
    }  # fmt: skip
    table = pa.table(columns).replace_schema_metadata({"counted": json.dumps(counted)})
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd")
    return seeds[0], file.getvalue()


def _arrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("columns need pyarrow: pip install pyarrow") from error
    return pyarrow.parquet


def _read(file: pathlib.Path) -> Any:
    """A shard that is whole; none where it is not."""
    parquet = _arrow()
    try:
        return parquet.ParquetFile(file)
    except Exception:  # What is cut off is refused in many ways; it is made again.
        return None


def ensemble_columns(
    seeds: Any,
    folder: Any,
    settings: Mapping[str, Any] | None = None,
    *,
    varied: Varied = "model",
    client: Any = None,
    threads: int | None = None,
    retries: int = 3,
    shard: int = SHARD,
    progress: Progress | None = None,
    **changes: Any,
) -> pathlib.Path:
    """Runs an ensemble of any number of seeds into a folder of parquet files, of which :func:`summary` tells.

    Whatever the folder already has of the same settings is not done again. Memory does not grow with the
    number of seeds: a worker holds one shard.
    """
    _arrow()
    shard = at_least_1("shard", shard)
    workers_of(client, threads)
    listener(progress)
    retries = whole("retries", retries)
    wanted = seeds_of(seeds)
    common = plan_of(settings, changes, varied)
    runner = ensemble_runner(*common)
    # A shard is what the core holds at once, so that is what it is asked about.
    runner.check(wanted.start, min(wanted.stop, wanted.start + shard) - 1)
    config = json.loads(runner.config())
    place = _place(folder)
    asked = {"config": config, "varied": varied, "seeds": [wanted.start, wanted.stop - 1], "shard": shard}
    asked["version"] = _core.version()
    _open(place, asked)
    pieces = []
    for piece in chunks(wanted, shard):
        known = _read(place / _name(piece[0]))
        if known is None or known.metadata.num_rows != len(piece):
            pieces.append(piece)
    missing = {piece[0]: len(piece) for piece in pieces}

    def keep(found: tuple[int, bytes] | None) -> None:
        if found is not None:
            first, data = found
            _write(place / _name(first), data)
            missing.pop(first, None)

    def tell() -> None:
        if progress is not None:
            progress(len(wanted) - sum(missing.values()), len(wanted))

    run(
        "sfc-columns", _shard, common, pieces, keep, tell,
        client=client, threads=threads, retries=retries,
    )  # fmt: skip
    return place


def _place(folder: Any) -> pathlib.Path:
    if not is_path(folder):
        raise refuse("folder", repr(folder), "the path of a folder")
    return pathlib.Path(os.fspath(folder))


def _open(place: pathlib.Path, asked: dict[str, Any]) -> None:
    """A folder of the ensemble that is asked for; a new one says which that is."""
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{place}: {error.strerror}"
        raise SfcBenchError(message, "columns.unreadable", "folder", str(place)) from error
    said = place / _SETTINGS
    if said.exists():
        if _said(place) != asked:
            message = f"{place} holds an ensemble with other settings"
            raise SfcBenchError(message, "columns.differs", "folder", str(place))
    elif any(not entry.name.startswith(f".{_SETTINGS}.") for entry in place.iterdir()):
        message = f"{place} holds files, but no ensemble; allowed: a folder of its own"
        raise SfcBenchError(message, "columns.others", "folder", str(place))
    else:
        _write(said, (json.dumps(asked, indent=2) + "\n").encode())


def _said(place: pathlib.Path) -> Any:
    """What a folder says it is of."""
    try:
        return json.loads((place / _SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        message = f"{place / _SETTINGS} is not what an ensemble's folder has: {error}"
        raise SfcBenchError(message, "columns.malformed", "folder", str(place)) from error


def _name(first: int) -> str:
    return f"seeds-{first:010}.parquet"


def _write(file: pathlib.Path, data: bytes) -> None:
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    with open(beside, "wb") as into:
        into.write(data)
        into.flush()
        os.fsync(into.fileno())
    os.replace(beside, file)


def summary(folder: Any) -> dict[str, Any]:
    """The ``summary`` of a report of :func:`~sfc_bench.dask.ensemble`, of the shards in a folder: to the last
    bit what the report would have, but that printed numbers have no bands of their own.

    ``members`` says how many seeds there are so far.
    """
    parquet = _arrow()
    place = _place(folder)
    files = sorted(place.glob("seeds-*.parquet"))
    if not files:
        raise refuse("folder", repr(str(place)), "a folder of ensemble_columns with a shard")
    config = _said(place)["config"]
    damaged = [file.name for file in files if _read(file) is None]
    if damaged:
        message = f"{', '.join(damaged)}: cut off or damaged; ensemble_columns makes such shards again"
        raise SfcBenchError(message, "columns.damaged", "folder", str(place))
    counted = [json.loads(parquet.read_schema(file).metadata[b"counted"]) for file in files]
    members = sum(one["members"] for one in counted)

    def band(name: str) -> dict[str, float]:
        column = np.concatenate([parquet.read_table(file, columns=[name])[name].to_numpy() for file in files])
        found: dict[str, float] = json.loads(_core.band(np.ascontiguousarray(column, np.float64)))
        return found

    names = parquet.read_schema(files[0]).names
    levels = []
    for at, level in enumerate(config["levels"]):
        of_level = [name for name in names if name.endswith(f"[{at}]")]
        levels.append({"level": level, **{name.split("[")[0]: band(name) for name in of_level}})
    wins = []
    for rows in zip(*(one["wins"] for one in counted), strict=True):
        wins.append({**rows[0], "wins": [sum(of) for of in zip(*(r["wins"] for r in rows), strict=True)]})
    printed = []
    for ranks in zip(*(one["printed"] for one in counted), strict=True):
        share = sum(rank["below"] for rank in ranks) / members
        row = {key: value for key, value in ranks[0].items() if key != "below"}
        printed.append({**row, "percentile": 100.0 * share})
    return {
        "members": members,
        "levels": levels,
        **{name: band(name) for name in _OVER},
        "all_on_front": sum(one["all_on_front"] for one in counted),
        "wins": wins,
        "printed": printed,
    }


def estimate(
    seeds: Any,
    settings: Mapping[str, Any] | None = None,
    *,
    varied: Varied = "model",
    client: Any = None,
    threads: int | None = None,
    measured: int = 64,
    **changes: Any,
) -> dict[str, float]:
    """What an ensemble of so many seeds would take, by a shard of ``measured`` seeds that is run here, on one
    thread: an estimate, of ``seconds`` on as many workers as there are, ``disk`` bytes for
    :func:`ensemble_columns`, and the ``column`` bytes that :func:`summary` holds at once."""
    _arrow()
    wanted = seeds_of(seeds)
    common = plan_of(settings, changes, varied)
    some = range(wanted.start, wanted.start + min(at_least_1("measured", measured), len(wanted)))
    # What a file takes besides its rows is that of one row, nearly.
    besides = _bytes(_shard(common, some[:1], never))
    start = time.perf_counter()
    data = _bytes(_shard(common, some, never))
    each = (time.perf_counter() - start) / len(some)
    row = max(0, data - besides) / max(1, len(some) - 1)
    disk = row * len(wanted) + besides * math.ceil(len(wanted) / SHARD)
    workers = workers_of(client, threads)
    return {
        "seeds": float(len(wanted)),
        "workers": float(workers),
        "seconds_each": each,
        "seconds": each * len(wanted) / workers,
        "disk": disk,
        "column": 8.0 * len(wanted),
    }


def _bytes(found: tuple[int, bytes] | None) -> int:
    return 0 if found is None else len(found[1])


__all__ = ["ensemble_columns", "estimate", "summary"]
