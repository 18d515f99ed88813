"""Settings on their way to the core: plain JSON, of numbers of Python or of NumPy."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._errors import refuse

_ALLOWED = "numbers, words and lists of them"


def plain(field: str, value: Any) -> Any:
    """A value as JSON has it; refused by its field where JSON has no such thing."""
    if isinstance(value, np.generic):
        value = value.item()
    elif isinstance(value, np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise refuse(field, value, "finite numbers")
        return value
    if isinstance(value, Mapping):
        return {str(name): plain(f"{field}.{name}", of) for name, of in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [plain(field, of) for of in value]
    raise refuse(field, repr(value), _ALLOWED)


def draft(given: Mapping[str, Any] | None, changes: Mapping[str, Any]) -> str:
    """Some settings, as a dictionary and by name, as JSON."""
    if given is not None and not isinstance(given, Mapping):
        raise refuse("settings", repr(given), "a dictionary of settings by name")
    named = {**(given or {}), **changes}
    return json.dumps({str(name): plain(str(name), value) for name, value in named.items()})
