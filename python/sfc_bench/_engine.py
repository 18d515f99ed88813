"""Where jobs are run: by threads of this process, or by the workers of a Dask client. What comes of them does
not depend on it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from ._errors import refuse

T = TypeVar("T")
#: What is run: it is given what all have in common, and the numbers of its jobs.
Work = Callable[[Any, Sequence[int]], T]


def chunks(jobs: Sequence[int], size: int) -> list[Sequence[int]]:
    """So many jobs at a time."""
    return [jobs[at : at + size] for at in range(0, len(jobs), size)]


def size_of_chunks(jobs: int, workers: int, size: int | None, most: int) -> int:
    """How many jobs go together: some eight pieces a worker, so that a slow one holds nobody up, and ``most``
    at most, so that a piece that is lost is no great loss."""
    if size is not None:
        if size < 1:
            raise refuse("chunk", size, "a whole number from 1")
        return size
    return max(1, min(most, jobs // max(1, 8 * workers)))


def workers_of(client: Any, threads: int | None) -> int:
    """How many jobs run at the same time."""
    if client is None:
        if threads is not None and threads < 1:
            raise refuse("threads", threads, "a whole number from 1")
        return threads or os.cpu_count() or 1
    held: int = sum(client.nthreads().values())
    return max(1, held)


def run(
    name: str,
    work: Work[T],
    common: Any,
    pieces: Sequence[Sequence[int]],
    *,
    client: Any,
    threads: int | None,
    retries: int,
) -> Iterator[T]:
    """What comes of each piece, in the order in which they are done. Whoever stops asking ends the rest."""
    if client is None:
        yield from _threads(work, common, pieces, workers_of(None, threads))
    else:
        yield from _dask(name, work, common, pieces, client, retries)


def _threads(work: Work[T], common: Any, pieces: Sequence[Sequence[int]], threads: int) -> Iterator[T]:
    # Threads, not processes: the core lets go of Python's lock while it computes, and nothing is copied.
    left = iter(pieces)
    with ThreadPoolExecutor(threads, thread_name_prefix="sfc-bench") as pool:
        waiting: set[Future[T]] = set()
        try:
            while True:
                for piece in left:
                    waiting.add(pool.submit(work, common, piece))
                    if len(waiting) >= 2 * threads:
                        break
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _dask(
    name: str,
    work: Work[T],
    common: Any,
    pieces: Sequence[Sequence[int]],
    client: Any,
    retries: int,
) -> Iterator[T]:
    from distributed import as_completed

    # A run of its own each time: what a scheduler remembers of another is not taken for this one's.
    run_of = uuid.uuid4().hex[:8]
    # What all have in common goes to each worker once.
    shared = client.scatter(common, broadcast=True, hash=False)
    futures = [
        # By this key the dashboard tells how far each name is.
        client.submit(work, shared, piece, key=(f"{name}-{run_of}", at), pure=False, retries=retries)
        for at, piece in enumerate(pieces)
    ]
    left = dict.fromkeys(future.key for future in futures)
    try:
        for future in as_completed(futures):
            found: T = future.result()
            left.pop(future.key, None)
            # The result is here: the workers need not hold it.
            future.release()
            yield found
    finally:
        client.cancel([future for future in futures if future.key in left])
