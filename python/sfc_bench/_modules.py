"""Autoencoders that are objects of any kind with ``encode`` and ``decode``, which are called."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import as_array, is_path
from ._errors import refuse
from ._sae import own_encoder

#: Rows, or latents, that are given at once.
_TOGETHER = 1_024

#: How an object takes rows of numbers.
_Tensors = Callable[[NDArray[Any]], Any]


class ModuleCodes(NamedTuple):
    """What an object gave: codes (N × K), the dictionary (K × D) and reconstructions (N × D), and what must be known of them."""

    codes: NDArray[Any]
    dictionary: NDArray[Any]
    reconstruction: NDArray[Any]
    note: str


def has_encode_decode(value: Any) -> bool:
    """Whether it encodes and decodes by functions of its own, which are called then: a module of dictionary_learning's, of
    sparsify's, of SAEBench's, or any other. SAELens' own are read by their tensors and configuration."""
    decodes = callable(getattr(value, "encode", None)) and callable(getattr(value, "decode", None))
    return decodes and own_encoder(value) is not None


def _tensors(module: Any) -> _Tensors:
    """As tensors of its own type and place, where it has parameters of PyTorch's; else as they are."""
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
    """Without gradients, and as it is after its training; then each of its modules is as it was."""
    torch = sys.modules.get("torch")
    parts = getattr(module, "modules", None)
    modules = list(parts()) if callable(parts) else [module]
    were = [(one, one.training) for one in modules if isinstance(getattr(one, "training", None), bool)]
    if were and callable(getattr(module, "eval", None)):
        module.eval()
    try:
        with torch.no_grad() if torch is not None else contextlib.nullcontext():
            yield
    finally:
        for one, training in were:
            one.training = training


def _encoded(module: Any, rows: Any) -> tuple[NDArray[Any], tuple[Any, ...]]:
    """Codes of rows as an array, and as decode() takes them."""
    found = module.encode(rows)
    if hasattr(found, "top_acts") and hasattr(found, "top_indices"):
        # sparsify's: the largest codes, and which these are.
        decoder = getattr(module, "W_dec", None)
        if decoder is None:
            raise refuse("sae", "no W_dec", "one, where encode() gives the largest codes with their places")
        top, which = as_array("sae", found.top_acts), as_array("sae", found.top_indices)
        dense = np.zeros((len(top), len(decoder)), np.float32)
        np.put_along_axis(dense, which.astype(np.int64), top, axis=1)
        return dense, (found.top_acts, found.top_indices)
    if isinstance(found, (tuple, list)):
        raise refuse(
            "sae", f"encode() gives {len(found)} things", "encode() that gives codes alone (rows × latents)"
        )
    return as_array("sae", found), (found,)


def encode_with(module: Any, activations: Any, memory: int) -> ModuleCodes:
    """Codes and reconstructions of activations by an object's encode() and decode(), within so many bytes of codes."""
    several = isinstance(activations, (list, tuple)) and any(
        is_path(one) or getattr(one, "ndim", 0) >= 2 for one in activations
    )
    if is_path(activations) or several:
        raise refuse("activations", "a path or a list", "one array in memory, of which encode() is called")
    rows = as_array("activations", activations)
    if rows.ndim < 2 or rows.size == 0:
        raise refuse("activations", f"of the shape {rows.shape}", "rows of numbers (N × D)")
    rows = rows.reshape(-1, rows.shape[-1])
    tensors = _tensors(module)
    made = np.empty(rows.shape, np.float32)
    codes = np.empty((0, 0), np.float32)
    with _evaluating(module):
        for at in range(0, len(rows), _TOGETHER):
            block = slice(at, at + _TOGETHER)
            dense, taken = _encoded(module, tensors(rows[block]))
            if at == 0:
                needed = 4 * len(rows) * dense.shape[-1]
                if needed > memory:
                    allowed = f"at most {memory} bytes: fewer rows, or more memory"
                    raise refuse("memory", f"{needed} bytes of codes", allowed)
                codes = np.empty((len(rows), dense.shape[-1]), np.float32)
            if dense.shape != codes[block].shape:
                allowed = f"{codes[block].shape}, a row of codes for each of activations"
                raise refuse("sae", f"encode() gives {dense.shape}", allowed)
            codes[block] = dense
            decoded = as_array("sae", module.decode(*taken))
            if decoded.shape != made[block].shape:
                allowed = f"{made[block].shape}, as the activations have"
                raise refuse("sae", f"decode() gives {decoded.shape}", allowed)
            made[block] = decoded
        shape = (codes.shape[1], rows.shape[1])
        # One that takes codes with their places has no place for units.
        if len(taken) == 1:
            dictionary, source = (
                _units(module, shape, tensors, memory),
                "what decoding one unit of each code adds",
            )
        else:
            dictionary, source = as_array("sae", module.W_dec), "its W_dec"
    if dictionary.shape != shape:
        raise refuse("sae", f"W_dec of the shape {dictionary.shape}", f"{shape}, a row a code")
    note = f"Codes and reconstructions are those that encode() and decode() of {own_encoder(module)} give; its dictionary is {source}."
    return ModuleCodes(codes, dictionary, made, note)


def _units(module: Any, shape: tuple[int, int], tensors: _Tensors, memory: int) -> NDArray[Any]:
    """What decoding one unit of each code adds to decoding none: the decoder's rows where it is affine."""
    latents, _ = shape
    none = as_array("sae", module.decode(tensors(np.zeros((1, latents), np.float32))))
    made = np.empty(shape, np.float32)
    together = max(1, min(_TOGETHER, memory // (4 * latents)))
    for at in range(0, latents, together):
        units = np.zeros((min(together, latents - at), latents), np.float32)
        units[np.arange(len(units)), np.arange(at, at + len(units))] = 1
        made[at : at + len(units)] = as_array("sae", module.decode(tensors(units))) - none
    return made
