"""Arrays of any library as files that are nowhere but in memory: what the core reads, it reads where it lies."""

from __future__ import annotations

import io
import json
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
    if hasattr(value, "detach"):
        # A tensor of PyTorch: off its graph and its device. NumPy has no bfloat16; float32 holds all of it.
        value = value.detach().cpu()
        if str(value.dtype) == "torch.bfloat16":
            value = value.float()
        value = value.numpy()
    elif not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
        value = np.from_dlpack(value)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise refuse(field, type(value).__name__, "an array of numbers") from error
    if array.dtype.kind not in "fiu":
        raise refuse(field, f"an array of {array.dtype}", "an array of numbers")
    return array


def _in_one_piece(array: NDArray[Any]) -> NDArray[Any]:
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return array
    return np.ascontiguousarray(array)


def _numbers(array: NDArray[Any]) -> NDArray[np.uint8]:
    return array.reshape(-1, order="A").view(np.uint8)


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


def is_path(value: Any) -> bool:
    """Whether something names a file or a folder."""
    return isinstance(value, (str, os.PathLike))


def matrix(field: str, value: Any) -> NDArray[np.float64]:
    """Rows of numbers in double precision, as the metrics take them."""
    array = as_array(field, value)
    if array.ndim != 2:
        raise refuse(field, f"{array.ndim}-dimensional", "an array of two dimensions")
    return np.ascontiguousarray(array, dtype=np.float64)


def column(field: str, value: Any) -> NDArray[np.float64]:
    """Numbers in double precision."""
    array = as_array(field, value)
    if array.ndim != 1:
        raise refuse(field, f"{array.ndim}-dimensional", "an array of one dimension")
    return np.ascontiguousarray(array, dtype=np.float64)
