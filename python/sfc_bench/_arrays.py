"""Arrays of any library as files that are nowhere but in memory: what the core reads, it reads where it lies."""

from __future__ import annotations

import io
import json
import operator
import os
from collections.abc import Callable, Mapping
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
        raise refuse(field, _not_numbers(array), "an array of numbers, each row as long as the others")
    return array


def _not_numbers(array: NDArray[Any]) -> str:
    """What an array has in place of numbers, and where."""
    if array.dtype.kind != "O":
        kinds = {
            "U": "texts",
            "S": "bytes",
            "b": "true and false",
            "c": "complex numbers",
            "M": "dates",
            "m": "times",
        }
        return f"an array of {kinds.get(array.dtype.kind, str(array.dtype))}"
    for at, value in np.ndenumerate(array):
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            where = f" at {list(at)}" if at else ""
            return f"{type(value).__name__}{where} ({str(value)[:40]})"
    return "an array of whole numbers beyond 64 bits"


def _memory() -> int:
    """Bytes of memory of this machine, where it tells."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 48


def _copied(
    field: str, array: NDArray[Any], copy: Callable[[], NDArray[Any]], width: int | None = None
) -> NDArray[Any]:
    """A copy, where there is memory for it: a broadcast array has more numbers than it takes bytes."""
    needed = array.size * (array.dtype.itemsize if width is None else width)
    said = f"{' × '.join(map(str, array.shape))} numbers, of which a copy takes {needed} bytes"
    allowed = "an array of which there is memory for a copy"
    if needed > _memory():
        raise refuse(field, said, allowed, "arrays.memory")
    try:
        return copy()
    except MemoryError as error:
        raise refuse(field, said, allowed, "arrays.memory") from error


def _in_one_piece(field: str, array: NDArray[Any]) -> NDArray[Any]:
    # Of what has more than two dimensions one order is enough.
    if array.flags.c_contiguous or (array.ndim == 2 and array.flags.f_contiguous):
        return array
    return _copied(field, array, lambda: np.ascontiguousarray(array))


def _numbers(array: NDArray[Any]) -> NDArray[np.uint8]:
    return array.reshape(-1, order="A").view(np.uint8)


def _doubles(field: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """In one piece and where the processor reads doubles."""
    if array.dtype == np.float64 and array.flags.c_contiguous and array.flags.aligned:
        return array
    return _copied(field, array, lambda: np.require(array, np.float64, ["C", "A"]), 8)


def npy(field: str, value: Any) -> InMemory:
    """A file of NumPy's: the header that NumPy writes, and the array as it lies."""
    array = _in_one_piece(field, as_array(field, value))
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(array))
    return head.getvalue(), [_numbers(array)]


def safetensors(tensors: Mapping[str, Any]) -> InMemory:
    """A file of tensors: a header that says where each lies, and these as they lie."""
    header: dict[str, Any] = {}
    pieces: list[NDArray[np.uint8]] = []
    at = 0
    for name, value in tensors.items():
        array = as_array(name, value)
        if not array.flags.c_contiguous:
            array = _copied(name, array, lambda array=array: np.ascontiguousarray(array))  # type: ignore[misc]
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


def count(field: str, value: Any, most: int) -> int:
    """A whole number from 1 on."""
    allowed = f"a whole number from 1 to {most}"
    try:
        found = operator.index(value)
    except TypeError:
        found = 0
    if isinstance(value, bool) or not 1 <= found <= most:
        raise refuse(field, repr(value), allowed)
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
    return _doubles(field, array)


def column(field: str, value: Any) -> NDArray[np.float64]:
    """Numbers in double precision."""
    array = as_array(field, value)
    if array.ndim != 1:
        raise refuse(field, f"{array.ndim}-dimensional", "an array of one dimension")
    return _doubles(field, array)
