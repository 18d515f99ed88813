"""Ensembles and families on one machine or on many.

Both are jobs that know nothing of each other, and join exactly: the report is byte for byte that of the
command line, whatever the order in which jobs were done, the number of workers, or how many were lost.
Without a ``client`` they run on threads of this process; with one of ``distributed`` on its workers, which
need this package too. With a ``checkpoint`` folder what is done is kept, and ``resume=True`` goes on with it,
also with what the command line's ``--checkpoint`` has kept.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _core
from ._checkpoint import Checkpoint
from ._columns import ensemble_columns, estimate, summary
from ._engine import chunks, run, size_of_chunks, workers_of
from ._errors import refuse
from ._report import Report

__all__ = ["ensemble", "ensemble_columns", "estimate", "families", "seeds_of", "summary"]

#: Hears how many jobs are done, and of how many.
Progress = Callable[[int, int], object]

_SEEDS = "a number of seeds, a range of them with step 1, or (first, end), within 0 to 4294967296"


def seeds_of(seeds: Any) -> range:
    """The seeds that are meant: 100 for the first hundred, a range, or the first and the one after the last."""
    if isinstance(seeds, range):
        found = seeds
    elif isinstance(seeds, int) and not isinstance(seeds, bool):
        found = range(seeds)
    elif isinstance(seeds, (tuple, list)) and len(seeds) == 2 and all(isinstance(s, int) for s in seeds):
        found = range(*seeds)
    else:
        raise refuse("seeds", repr(seeds), _SEEDS)
    if len(found) == 0 or found.step != 1 or found.start < 0 or found.stop > 1 << 32:
        raise refuse("seeds", repr(seeds), _SEEDS)
    return found


@functools.lru_cache(maxsize=4)
def _ensemble_runner(settings: str, varied: str) -> _core.EnsembleRunner:
    return _core.EnsembleRunner(settings, varied)


@functools.lru_cache(maxsize=4)
def _families_runner(config: str) -> _core.FamiliesRunner:
    return _core.FamiliesRunner(config)


def _members(common: tuple[str, str], seeds: Sequence[int]) -> list[tuple[int, str]]:
    """A piece of an ensemble: what each seed comes to. Top-level, so that workers find it by its name."""
    runner = _ensemble_runner(*common)
    return [(seed, runner.member(seed)) for seed in seeds]


def _results(common: str, jobs: Sequence[int]) -> list[tuple[int, str]]:
    """A piece of a study of families."""
    runner = _families_runner(common)
    return [(job, runner.run(job)) for job in jobs]


def _gathered(
    name: str,
    work: Callable[[Any, Sequence[int]], list[tuple[int, str]]],
    common: Any,
    jobs: Sequence[int],
    kept: Checkpoint | None,
    most: int,
    *,
    client: Any,
    threads: int | None,
    retries: int,
    chunk: int | None,
    progress: Progress | None,
) -> list[str]:
    """The results of all jobs, in their order; those that are kept already are not done again."""
    found: dict[int, str] = {} if kept is None else dict(kept.done)
    missing = [job for job in jobs if job not in found]
    size = size_of_chunks(len(missing), workers_of(client, threads), chunk, most)
    pieces = chunks(missing, size)
    if progress is not None and pieces:
        progress(len(found), len(jobs))
    ran = run(name, work, common, pieces, client=client, threads=threads, retries=retries)
    try:
        for piece in ran:
            for job, text in piece:
                if kept is not None:
                    kept.keep(text)
                found[job] = text
            if progress is not None:
                progress(len(found), len(jobs))
    finally:
        ran.close()  # type: ignore[attr-defined]
        if kept is not None:
            kept.close()
    return [found[job] for job in jobs]


def ensemble(
    seeds: int | range | tuple[int, int] = 100,
    settings: Mapping[str, Any] | None = None,
    *,
    varied: str = "model",
    client: Any = None,
    checkpoint: Any = None,
    resume: bool = False,
    threads: int | None = None,
    chunk: int | None = None,
    retries: int = 3,
    progress: Progress | None = None,
    **changes: Any,
) -> Report:
    """One configuration under many model seeds: bands, winners, and where the paper's numbers lie.

    Args:
        seeds: 100 for the first hundred; a range; or the first and the one after the last.
        settings: those of the SFC-Score paper, but for what is given here or by name.
        varied: ``model``, or ``model-and-data`` to vary the data seed along.
        client: a client of ``distributed``; threads of this process without one.
        checkpoint: a folder in which each seed's results are kept.
        resume: go on with what the folder holds of the same settings.
        threads: how many, without a client; as many as there are processors without a number.
        chunk: how many seeds go to a worker at once.
        retries: how often a piece of work that failed is tried again by a client's workers.
        progress: hears how many seeds are done, and of how many.

    Raises:
        SfcBenchError: for what is not allowed, or a folder of another run.
        KeyboardInterrupt: after Ctrl-C. What is done is kept where there is a checkpoint.
    """
    draft = json.dumps({**(settings or {}), **changes})
    common = (_core.study_settings("sfc", draft), varied)
    wanted = seeds_of(seeds)
    runner = _ensemble_runner(*common)
    runner.check(wanted.start, wanted.stop - 1)
    config = json.loads(runner.config())
    levels = len(config["levels"])

    def place(member: dict[str, Any]) -> int | None:
        fits = member.get("seed") in wanted and len(member.get("points", ())) == levels
        return member["seed"] if fits else None

    asked = {"config": config, "varied": varied, "seeds": [wanted.start, wanted.stop - 1]}
    kept = None if checkpoint is None else Checkpoint(checkpoint, resume, "ensemble", asked, place)
    members = _gathered(
        "sfc-ensemble", _members, common, wanted, kept, 256,
        client=client, threads=threads, retries=retries, chunk=chunk, progress=progress,
    )  # fmt: skip
    return Report("ensemble", _core.ensemble_of(*common, members))


def families(
    config: str | Mapping[str, Any] = "small",
    *,
    client: Any = None,
    checkpoint: Any = None,
    resume: bool = False,
    threads: int | None = None,
    retries: int = 3,
    progress: Progress | None = None,
) -> Report:
    """Families of sparse autoencoders against each other and against controls: random, permuted, untrained.

    Args:
        config: a study as a link of the page has it (``small``, ``full``, ``small,seeds:0-4,ks:2_3``), or the
            complete configuration (the ``config`` of a report).

    The other arguments are as in :func:`ensemble`; a job is the training of one autoencoder, or a control.
    """
    text = _core.families_config(config) if isinstance(config, str) else json.dumps(dict(config))
    runner = _families_runner(text)
    jobs = [json.loads(runner.job(at)) for at in range(runner.count())]

    def place(result: dict[str, Any]) -> int | None:
        job = result.get("job")
        return jobs.index(job) if job in jobs else None

    asked = json.loads(text)
    kept = None if checkpoint is None else Checkpoint(checkpoint, resume, "families", asked, place)
    results = _gathered(
        "sfc-families", _results, text, range(len(jobs)), kept, 1,
        client=client, threads=threads, retries=retries, chunk=1, progress=progress,
    )  # fmt: skip
    return Report("families", _core.families_gather(text, results))
