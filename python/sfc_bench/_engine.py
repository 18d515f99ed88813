"""Where jobs are run: by threads of this process, or by the workers of a Dask client. What comes of them does
not depend on it."""

from __future__ import annotations

import contextlib
import os
import threading
import uuid
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from . import _core
from ._arrays import count, whole
from ._errors import SfcBenchError, refuse

T = TypeVar("T")
#: As many threads as may be asked for.
THREADS_MAX = 1_024
#: Asked between two jobs: whether no more of them are wanted.
Stopped = Callable[[], bool]
#: What is run: it is given what all have in common, the numbers of its jobs, and whom to ask whether to go on.
Work = Callable[[Any, Sequence[int], Stopped], T]


def never() -> bool:
    """Nobody stops what runs elsewhere."""
    return False


def chunks(jobs: Sequence[int], size: int) -> list[Sequence[int]]:
    """So many jobs at a time."""
    return [jobs[at : at + size] for at in range(0, len(jobs), size)]


def size_of_chunks(jobs: int, workers: int, size: int | None, most: int) -> int:
    """How many jobs go together: some eight pieces a worker, so that a slow one holds nobody up, and ``most``
    at most, so that a piece that is lost is no great loss."""
    if size is not None:
        return at_least_1("chunk", size)
    return max(1, min(most, jobs // max(1, 8 * workers)))


def at_least_1(field: str, value: Any) -> int:
    """A whole number from 1 on."""
    found = whole(field, value)
    if found < 1:
        raise refuse(field, value, "a whole number from 1")
    return found


def processors() -> int:
    """As many threads as this process has processors for, which may be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def workers_of(client: Any, threads: int | None) -> int:
    """How many jobs run at the same time."""
    if client is None:
        # More threads than processors compute no sooner.
        return processors() if threads is None else min(count("threads", threads, THREADS_MAX), processors())
    if threads is not None:
        raise refuse("threads", threads, "nothing beside a client, whose workers have theirs")
    if not (hasattr(client, "submit") and hasattr(client, "nthreads")):
        raise refuse("client", type(client).__name__, "a client of distributed")
    if getattr(client, "asynchronous", False):
        raise refuse("client", "asynchronous", "a client that waits: Client(..., asynchronous=False)")
    status = getattr(client, "status", "running")
    if status not in ("running", "connecting"):
        raise refuse("client", str(status), "a client that is connected to its scheduler", "dask.closed")
    try:
        held: int = sum(client.nthreads().values())
    except (OSError, RuntimeError, TimeoutError, ValueError) as error:
        # The scheduler is gone.
        raise refuse(
            "client", f"out of reach ({error})", "a client that is connected", "dask.closed"
        ) from error
    # There may be none yet: they come when there is work.
    return max(1, held)


def run(
    name: str,
    work: Work[T],
    common: Any,
    pieces: Sequence[Sequence[int]],
    keep: Callable[[T], None],
    tell: Callable[[], None],
    *,
    client: Any,
    threads: int | None,
    retries: int,
) -> None:
    """Runs all pieces: what comes of each is kept as soon as it is done, and told. Where that raises, or Ctrl-C
    does, the rest ends; threads hand in what they have done of their pieces."""
    if client is None:
        _threads(work, common, pieces, keep, tell, workers_of(None, threads))
        return
    with contextlib.closing(_dask(name, work, common, pieces, client, retries)) as found:
        for piece in found:
            keep(piece)
            tell()


def _threads(
    work: Work[T],
    common: Any,
    pieces: Sequence[Sequence[int]],
    keep: Callable[[T], None],
    tell: Callable[[], None],
    threads: int,
) -> None:
    # Threads, not processes: the core lets go of Python's lock while it computes, and nothing is copied.
    left = iter(pieces)
    stop = threading.Event()
    waiting: set[Future[T]] = set()
    done: set[Future[T]] = set()
    with ThreadPoolExecutor(threads, thread_name_prefix="sfc-bench") as pool:
        try:
            while True:
                for piece in left:
                    waiting.add(pool.submit(work, common, piece, stop.is_set))
                    if len(waiting) >= 2 * threads:
                        break
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                while done:
                    future = next(iter(done))
                    keep(future.result())
                    done.discard(future)
                    tell()
        except BaseException:
            stop.set()
            # Those that have not begun do not begin; the others end after the job that they are at.
            for future in [future for future in done | waiting if not future.cancel()]:
                if _undisturbed(future.exception) is None:
                    found = future.result()
                    _undisturbed(lambda found=found: keep(found))  # type: ignore[misc]
            raise


def _undisturbed(call: Callable[[], T]) -> T:
    """Does something whole, whoever presses Ctrl-C again."""
    while True:
        try:
            return call()
        except KeyboardInterrupt:
            continue


def _dask(
    name: str, work: Work[T], common: Any, pieces: Sequence[Sequence[int]], client: Any, retries: int
) -> Generator[T, None, None]:
    from distributed import as_completed

    # A run of its own each time: what a scheduler remembers of another is not taken for this one's.
    run_of = uuid.uuid4().hex[:8]
    task = _task()
    named = (_core.version(), work.__module__, work.__qualname__)
    # What all have in common is small, and goes with each piece: what is scattered is lost with its workers.
    futures = [
        # By this key the dashboard tells how far each name is.
        client.submit(task, named, common, piece, key=(f"{name}-{run_of}", at), pure=False, retries=retries)
        for at, piece in enumerate(pieces)
    ]
    left = dict.fromkeys(future.key for future in futures)
    try:
        for future in as_completed(futures):
            refused, found = future.result()
            if refused is not None:
                raise SfcBenchError(*refused)
            left.pop(future.key, None)
            # The result is here: the workers need not hold it.
            future.release()
            yield found
    finally:
        client.cancel([future for future in futures if future.key in left])


def _task() -> Callable[..., tuple[Any, Any]]:
    """What workers are sent: as it is, not by its name, so that those without this package, or with another one, can say
    so. What they cannot read would end them, and nobody would be told."""

    def task(named: tuple[str, str, str], common: Any, piece: Sequence[int]) -> tuple[Any, Any]:
        import importlib

        version, module, function = named
        allowed = f"workers with version {version} of sfc_bench"
        try:
            here = importlib.import_module("sfc_bench._core").version()
            work = getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError) as error:
            said = f"a worker has no such sfc_bench ({error}); allowed: {allowed}"
            return (said, "dask.missing", "client", str(error), allowed), None
        if here != version:
            said = f"a worker has version {here} of sfc_bench; allowed: {allowed}"
            return (said, "dask.version", "client", here, allowed), None
        return None, work(common, piece, lambda: False)

    return task
