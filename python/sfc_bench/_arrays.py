"""Arrays of any library as files that are nowhere but in memory: what the core reads, it reads where it lies."""

from __future__ import annotations

import io
import json
import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import refuse

#: A file in memory: its first bytes, and the numbers that follow them.
InMemory = tuple[bytes, list[NDArray[np.uint8]]]

_SAFETENSORS = {"f8": "F64", "f4": "F32", "f2": "F16", "i8": "I64", "i4": "I32"}


def as_array(field: str, value: Any) -> NDArray[Any]:
    """An array of numbers out of whatever holds one, without a copy where that can be."""
    try:
        if hasattr(value, "detach"):
            # A tensor of PyTorch: off its graph and its device. NumPy has no bfloat16; float32 holds all of it.
            value = value.detach().cpu()
            if str(value.dtype) == "torch.bfloat16":
                value = value.float()
            value = value.numpy()
        elif not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
            value = np.from_dlpack(value)
        array = np.asanyarray(value)
    except (TypeError, ValueError, RuntimeError, BufferError, NotImplementedError) as error:
        # Sparse and quantised tensors, arrays on a device, rows of several lengths.
        said = (
            f"{type(value).__name__} ({str(error).splitlines()[0]})" if str(error) else type(value).__name__
        )
        raise refuse(field, said, "a dense array of numbers, where the CPU reaches it") from error
    if isinstance(array, np.ma.MaskedArray):
        if np.ma.getmaskarray(array).any():
            raise refuse(field, "an array of which some is masked", "an array of which nothing is")
        array = array.data
    array = np.asarray(array)
    wide = array.dtype.kind == "f" and array.dtype.itemsize > 8
    if array.dtype.name == "bfloat16" or wide:
        # Of a package's own kind, and one that no file has.
        array = array.astype(np.float32 if array.dtype.name == "bfloat16" else np.float64)
    if array.dtype.kind not in "fiu":
        raise refuse(field, f"an array of {array.dtype}", "an array of numbers")
    return array


def _in_one_piece(array: NDArray[Any]) -> NDArray[Any]:
    # Of what has more than two dimensions one order is enough.
    if array.flags.c_contiguous or (array.ndim == 2 and array.flags.f_contiguous):
        return array
    return np.ascontiguousarray(array)


def _numbers(array: NDArray[Any]) -> NDArray[np.uint8]:
    return array.reshape(-1, order="A").view(np.uint8)


def _doubles(array: NDArray[Any]) -> NDArray[np.float64]:
    """In one piece and where the processor reads doubles."""
    return np.require(array, np.float64, ["C", "A"])


def npy(field: str, value: Any) -> InMemory:
    """A file of NumPy's: the header that NumPy writes, and the array as it lies."""
    array = _in_one_piece(as_array(field, value))
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(array))
    return head.getvalue(), [_numbers(array)]


def safetensors(tensors: Mapping[str, Any]) -> InMemory:
    """A file of tensors: a header that says where each lies, and these as they lie."""
    header: dict[str, Any] = {}
    pieces: list[NDArray[np.uint8]] = []
    at = 0
    for name, value in tensors.items():
        array = np.ascontiguousarray(as_array(name, value))
        if array.dtype.str[1:] not in _SAFETENSORS or array.dtype.str[0] == ">":
            array = array.astype("<f4" if array.dtype.kind == "f" else "<i8")
        header[name] = {
            "dtype": _SAFETENSORS[array.dtype.str[1:]],
            "shape": list(array.shape),
            "data_offsets": [at, at + array.nbytes],
        }
        at += array.nbytes
        pieces.append(_numbers(array))
    text = json.dumps(header).encode()
    # The numbers begin at a multiple of eight bytes.
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text, pieces


def whole(field: str, value: Any) -> int:
    """A whole number from 0 to 2³² − 1, of Python or of NumPy."""
    try:
        found = operator.index(value)
    except TypeError:
        found = -1
    if isinstance(value, bool) or not 0 <= found < 1 << 32:
        raise refuse(field, repr(value), "a whole number from 0 to 4294967295")
    return found


def number(field: str, value: Any) -> float:
    """A number of Python's or NumPy's, which may be infinite or none."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError) as error:
        raise refuse(field, repr(value), "a number") from error


def word(field: str, value: Any, allowed: tuple[str, ...]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in allowed:
        raise refuse(field, repr(value), ", ".join(allowed))
    return value


def listed(field: str, value: Any, allowed: str) -> list[Any]:
    """What a list, or whatever can be gone through, has."""
    try:
        return list(value)
    except TypeError as error:
        raise refuse(field, repr(value), allowed) from error


def listener(progress: Any) -> Any:
    """Something to call, or nothing."""
    if progress is not None and not callable(progress):
        raise refuse("progress", repr(progress), "something to call")
    return progress


def is_path(value: Any) -> bool:
    """Whether something names a file or a folder."""
    return isinstance(value, (str, os.PathLike))


def matrix(field: str, value: Any) -> NDArray[np.float64]:
    """Rows of numbers in double precision, as the metrics take them."""
    array = as_array(field, value)
    if array.ndim != 2:
        raise refuse(field, f"{array.ndim}-dimensional", "an array of two dimensions")
    return _doubles(array)


def column(field: str, value: Any) -> NDArray[np.float64]:
    """Numbers in double precision."""
    array = as_array(field, value)
    if array.ndim != 1:
        raise refuse(field, f"{array.ndim}-dimensional", "an array of one dimension")
    return _doubles(array)
