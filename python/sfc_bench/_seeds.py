"""Which seeds an ensemble is of, and a piece of it: what whole reports and shards of columns have in common."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _core
from ._engine import Stopped
from ._errors import refuse
from ._settings import draft

#: Hears how many jobs are done, and of how many.
Progress = Callable[[int, int], object]

_SEEDS = "a number of seeds, a range of them with step 1, or (first, end), within 0 to 4294967296"


def seeds_of(seeds: Any) -> range:
    """The seeds that are meant: 100 for the first hundred, a range, or the first and the one after the last."""
    ends: Any = seeds
    if isinstance(seeds, range):
        ends = (seeds.start, seeds.stop) if seeds.step == 1 else ()
    elif not isinstance(seeds, (tuple, list)):
        ends = (0, seeds)
    try:
        first, end = (operator.index(value) for value in ends if not isinstance(value, bool))
    except (TypeError, ValueError) as error:
        raise refuse("seeds", repr(seeds), _SEEDS) from error
    if not 0 <= first < end <= 1 << 32:
        raise refuse("seeds", repr(seeds), _SEEDS)
    return range(first, end)


@functools.lru_cache(maxsize=4)
def ensemble_runner(settings: str, varied: str) -> _core.EnsembleRunner:
    return _core.EnsembleRunner(settings, varied)


def plan_of(settings: Any, changes: Mapping[str, Any], varied: Any) -> tuple[str, str]:
    """The settings of an ensemble and which seeds vary, as its runner takes them."""
    if varied not in ("model", "model-and-data"):
        raise refuse("varied", repr(varied), "model, model-and-data")
    return _core.study_settings("sfc", draft(settings, changes)), varied


def measure(common: tuple[str, str], seeds: Sequence[int], stopped: Stopped) -> list[tuple[int, str]]:
    """What each of some seeds comes to."""
    runner = ensemble_runner(*common)
    return [(seed, runner.member(seed)) for seed in seeds if not stopped()]
