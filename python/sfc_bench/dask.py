"""Ensembles and families on one machine or on many.

Both are jobs that know nothing of each other, and join exactly: the report is byte for byte that of the
command line, whatever the order in which jobs were done, the number of workers, or how many were lost.
Without a ``client`` they run on threads of this process; with one of ``distributed`` on its workers, which
need this package too. With a ``checkpoint`` folder what is done is kept, and ``resume=True`` goes on with it,
also with what the command line's ``--checkpoint`` has kept.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _core
from ._arrays import listener, whole
from ._checkpoint import Checkpoint
from ._columns import ensemble_columns, estimate, summary
from ._engine import Stopped, chunks, run, size_of_chunks, workers_of
from ._errors import refuse
from ._seeds import Progress, ensemble_runner, measure, plan_of, seeds_of
from ._settings import plain
from ._types import EnsembleReport, FamiliesReport, Varied

__all__ = ["ensemble", "ensemble_columns", "estimate", "families", "seeds_of", "summary"]


@functools.lru_cache(maxsize=4)
def _families_runner(config: str) -> _core.FamiliesRunner:
    return _core.FamiliesRunner(config)


def members(common: tuple[str, str], seeds: Sequence[int], stopped: Stopped) -> list[tuple[int, str]]:
    """A piece of an ensemble. It is here under this name in every version, so that workers with another one find it."""
    return measure(common, seeds, stopped)


def _results(common: str, jobs: Sequence[int], stopped: Stopped) -> list[tuple[int, str]]:
    """A piece of a study of families."""
    runner = _families_runner(common)
    return [(job, runner.run(job)) for job in jobs if not stopped()]


@dataclasses.dataclass(frozen=True)
class _How:
    """Where and how jobs are run; checked before anything is written."""

    client: Any
    threads: int | None
    retries: int
    chunk: int | None
    progress: Progress | None
    checkpoint: Any
    resume: bool

    def check(self, most: int) -> None:
        workers_of(self.client, self.threads)
        size_of_chunks(1, 1, self.chunk, most)
        whole("retries", self.retries)
        listener(self.progress)
        if self.checkpoint is not None and not isinstance(self.checkpoint, (str, os.PathLike)):
            raise refuse("checkpoint", repr(self.checkpoint), "the path of a folder")
        if self.resume and self.checkpoint is None:
            raise refuse("resume", "given", "only with a checkpoint")


def _gathered(
    name: str,
    work: Callable[[Any, Sequence[int], Stopped], list[tuple[int, str]]],
    common: Any,
    jobs: Sequence[int],
    opened: Callable[[], Checkpoint],
    most: int,
    how: _How,
) -> list[str]:
    """The results of all jobs, in their order; those that are kept already are not done again."""
    how.check(most)
    found: dict[int, str] = {}
    with contextlib.ExitStack() as stack:
        kept = None if how.checkpoint is None else stack.enter_context(contextlib.closing(opened()))
        if kept is not None:
            found.update(kept.done)
        missing = [job for job in jobs if job not in found]
        workers = workers_of(how.client, how.threads)
        pieces = chunks(missing, size_of_chunks(len(missing), workers, how.chunk, most))

        def keep(piece: list[tuple[int, str]]) -> None:
            for job, text in piece:
                if kept is not None:
                    kept.keep(text)
                found[job] = text

        def tell() -> None:
            if how.progress is not None:
                how.progress(len(found), len(jobs))

        if pieces:
            tell()
        run(
            name, work, common, pieces, keep, tell,
            client=how.client, threads=how.threads, retries=int(how.retries),
        )  # fmt: skip
    return [found[job] for job in jobs]


def ensemble(
    seeds: int | range | tuple[int, int] = 100,
    settings: Mapping[str, Any] | None = None,
    *,
    varied: Varied = "model",
    client: Any = None,
    checkpoint: Any = None,
    resume: bool = False,
    threads: int | None = None,
    chunk: int | None = None,
    retries: int = 3,
    progress: Progress | None = None,
    **changes: Any,
) -> EnsembleReport:
    """One configuration under many model seeds: bands, winners, and where the paper's numbers lie.

    Args:
        seeds: 100 for the first hundred; a range; or the first and the one after the last.
        settings: those of the SFC-Score paper, but for what is given here or by name.
        varied: ``model``, or ``model-and-data`` to vary the data seed along.
        client: a client of ``distributed``; threads of this process without one.
        checkpoint: a folder in which each seed's results are kept.
        resume: go on with what the folder holds of the same settings.
        threads: how many, without a client; as many as there are processors for this process without a number.
        chunk: how many seeds go to a worker at once.
        retries: how often a piece of work that failed is tried again by a client's workers.
        progress: hears how many seeds are done, and of how many.

    Raises:
        SfcBenchError: for what is not allowed, or a folder of another run.
        KeyboardInterrupt: after Ctrl-C. What is done is kept where there is a checkpoint: of threads every seed, of
            workers every piece that has come back.
    """
    common = plan_of(settings, changes, varied)
    wanted = seeds_of(seeds)
    runner = ensemble_runner(*common)
    runner.check(wanted.start, wanted.stop - 1)
    config = json.loads(runner.config())
    levels = len(config["levels"])

    def place(member: dict[str, Any]) -> int | None:
        fits = member.get("seed") in wanted and len(member.get("points", ())) == levels
        return member["seed"] if fits else None

    asked = {"config": config, "varied": varied, "seeds": [wanted.start, wanted.stop - 1]}
    how = _How(client, threads, retries, chunk, progress, checkpoint, resume)
    found = _gathered(
        "sfc-ensemble", members, common, wanted,
        lambda: Checkpoint(checkpoint, resume, "ensemble", asked, place), 256, how,
    )  # fmt: skip
    return EnsembleReport("ensemble", _core.ensemble_of(*common, found))


def _families_config(config: Any) -> str:
    """The complete configuration that is meant, as the core writes it."""
    if isinstance(config, str):
        return _core.families_config(config)
    if not isinstance(config, Mapping):
        raise refuse("config", repr(config), "a study as a link has it, or a dictionary of its fields")
    small: dict[str, Any] = json.loads(_core.families_config("small"))
    for name, value in config.items():
        if name not in small:
            raise refuse(str(name), repr(value), f"one of {', '.join(small)}")
        value = plain(str(name), value)
        small[name] = {**small[name], **value} if name == "train" and isinstance(value, dict) else value
    return _core.families_settled(json.dumps(small))


def families(
    config: str | Mapping[str, Any] = "small",
    *,
    client: Any = None,
    checkpoint: Any = None,
    resume: bool = False,
    threads: int | None = None,
    retries: int = 3,
    progress: Progress | None = None,
) -> FamiliesReport:
    """Families of sparse autoencoders against each other and against controls: random, permuted, untrained.

    Args:
        config: a study as a link of the page has it (``small``, ``full``, ``small,seeds:0-4,ks:2_3``), or a dictionary
            as the ``config`` of a report, where what is left out is as in ``small``.

    The other arguments are as in :func:`ensemble`; a job is the training of one autoencoder, or a control.
    """
    text = _families_config(config)
    runner = _families_runner(text)
    jobs = [json.loads(runner.job(at)) for at in range(runner.count())]

    def place(result: dict[str, Any]) -> int | None:
        job = result.get("job")
        return jobs.index(job) if job in jobs else None

    how = _How(client, threads, retries, 1, progress, checkpoint, resume)
    results = _gathered(
        "sfc-families", _results, text, range(len(jobs)),
        lambda: Checkpoint(checkpoint, resume, "families", json.loads(text), place), 1, how,
    )  # fmt: skip
    return FamiliesReport("families", _core.families_gather(text, results))
