"""Autoencoders that are objects of any kind with ``encode`` and ``decode``: they are asked for codes and reconstructions."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import as_array, is_path
from ._errors import refuse
from ._sae import is_autoencoder

#: Rows, or latents, that are asked for at once.
_TOGETHER = 1_024


class Asked(NamedTuple):
    """What an object gave: codes (N × K), the dictionary (K × D) and reconstructions (N × D), and what must be known of them."""

    codes: NDArray[Any]
    dictionary: NDArray[Any]
    reconstruction: NDArray[Any]
    note: str


def is_module(value: Any) -> bool:
    """Whether all that is known of it is that it encodes and decodes: a module of dictionary_learning's, of sparsify's, or any
    other; not an autoencoder whose tensors and configuration say how it encodes."""
    if is_path(value) or isinstance(value, dict):
        return False
    asked = callable(getattr(value, "encode", None)) and callable(getattr(value, "decode", None))
    return asked and (not is_autoencoder(value) or getattr(value, "cfg", None) is None)


def _tensors(module: Any) -> Callable[[NDArray[Any]], Any]:
    """How it takes rows: as tensors of its own type and place, where it has parameters of PyTorch's; else as they are."""
    parameters = getattr(module, "parameters", None)
    first = next(iter(parameters()), None) if callable(parameters) else None
    torch = sys.modules.get("torch")
    if first is None or torch is None:
        return lambda rows: rows
    return lambda rows: torch.from_numpy(np.ascontiguousarray(rows)).to(
        device=first.device, dtype=first.dtype
    )


@contextlib.contextmanager
def _evaluating(module: Any) -> Iterator[None]:
    """Without gradients, and as it is after its training: what it was is restored."""
    torch = sys.modules.get("torch")
    training = getattr(module, "training", False)
    if training and callable(getattr(module, "eval", None)):
        module.eval()
    try:
        with torch.no_grad() if torch is not None else contextlib.nullcontext():
            yield
    finally:
        if training and callable(getattr(module, "train", None)):
            module.train()


def ask(module: Any, activations: Any, memory: int) -> Asked:
    """Asks an object for codes and reconstructions of activations, within so many bytes.

    The dictionary is what decoding one unit of each code adds to decoding none, which is the decoder's rows wherever it is
    affine.
    """
    several = isinstance(activations, (list, tuple)) and any(
        is_path(one) or getattr(one, "ndim", 0) >= 2 for one in activations
    )
    if is_path(activations) or several:
        raise refuse(
            "activations", "a path or a list", "one array in memory, which the autoencoder is asked to encode"
        )
    rows = as_array("activations", activations)
    if rows.ndim < 2 or rows.size == 0:
        raise refuse("activations", f"of the shape {rows.shape}", "rows of numbers (N × D)")
    rows = rows.reshape(-1, rows.shape[-1])
    tensors = _tensors(module)
    codes: NDArray[Any] | None = None
    made = np.empty(rows.shape, np.float32)
    with _evaluating(module):
        for at in range(0, len(rows), _TOGETHER):
            block = slice(at, at + _TOGETHER)
            found = module.encode(tensors(rows[block]))
            if hasattr(found, "top_acts") and hasattr(found, "top_indices"):
                # sparsify's: the largest codes, and which these are.
                top, which = as_array("encode()", found.top_acts), as_array("encode()", found.top_indices)
                dense = np.zeros((len(top), len(module.W_dec)), np.float32)
                np.put_along_axis(dense, which.astype(np.int64), top, axis=1)
                decode = found.top_acts, found.top_indices
            elif isinstance(found, (tuple, list)):
                raise refuse(
                    "sae",
                    f"encode() gives {len(found)} things",
                    "encode() that gives codes alone (rows × latents)",
                )
            else:
                dense = as_array("encode()", found)
                decode = (found,)
            if codes is None:
                needed = 4 * len(rows) * dense.shape[-1]
                if needed > memory:
                    raise refuse(
                        "memory",
                        f"{needed} bytes of codes",
                        f"at most {memory} bytes: fewer rows, or more memory",
                    )
                codes = np.empty((len(rows), dense.shape[-1]), np.float32)
            if dense.shape != codes[block].shape:
                raise refuse(
                    "sae",
                    f"encode() gives {dense.shape}",
                    f"{codes[block].shape}, a row of codes for each of activations",
                )
            codes[block] = dense
            decoded = as_array("decode()", module.decode(*decode))
            if decoded.shape != made[block].shape:
                raise refuse(
                    "sae", f"decode() gives {decoded.shape}", f"{made[block].shape}, as the activations have"
                )
            made[block] = decoded
        assert codes is not None
        dictionary = _dictionary(module, codes.shape[1], rows.shape[1], tensors)
    owner = f"{type(module).__module__}.{type(module).__qualname__}"
    return Asked(
        codes, dictionary, made,
        f"Codes and reconstructions are those that encode() and decode() of {owner} give; its dictionary is what decoding one "
        "unit of each code adds.",
    )  # fmt: skip


def _dictionary(
    module: Any, latents: int, width: int, tensors: Callable[[NDArray[Any]], Any]
) -> NDArray[Any]:
    decoder = getattr(module, "W_dec", None)
    if decoder is not None and tuple(decoder.shape) == (latents, width):
        return as_array("W_dec", decoder)
    none = as_array("decode()", module.decode(tensors(np.zeros((1, latents), np.float32))))
    made = np.empty((latents, width), np.float32)
    for at in range(0, latents, _TOGETHER):
        units = np.zeros((min(_TOGETHER, latents - at), latents), np.float32)
        units[np.arange(len(units)), np.arange(at, at + len(units))] = 1
        made[at : at + len(units)] = as_array("decode()", module.decode(tensors(units))) - none
    return made
