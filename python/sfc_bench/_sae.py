"""Autoencoders: files as the field's tools write them, and objects that are built as SAELens' are."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _core
from ._arrays import InMemory, as_array, is_path, safetensors
from ._errors import refuse

CONFIG = "cfg.json"
WEIGHTS = "sae_weights.safetensors"

#: What an autoencoder of SAELens has of numbers; those that are there are taken.
_TENSORS = (
    "W_enc", "W_dec", "b_enc", "b_dec",
    "threshold", "topk_threshold", "b_gate", "b_mag", "r_mag",
    "scaling_factor", "finetuning_scaling_factor",
)  # fmt: skip
ALLOWED = "an autoencoder of SAELens (W_enc, W_dec, b_enc, b_dec, cfg), its folder, or a dictionary (K × D)"


class FolderFiles:
    """One autoencoder of a folder of many, by the names of its files."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names


def is_autoencoder(value: Any) -> bool:
    """Whether it has an encoder and a decoder, as an object or as a dictionary of arrays."""
    return _part(value, "W_enc") is not None and _part(value, "W_dec") is not None


def _part(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return value.get(name)
    return getattr(value, name, None)


def _config(sae: Any, shape: tuple[int, int]) -> dict[str, Any]:
    cfg = _part(sae, "cfg")
    if cfg is None:
        found: dict[str, Any] = {}
    elif isinstance(cfg, dict):
        found = dict(cfg)
    elif hasattr(cfg, "to_dict"):
        found = dict(cfg.to_dict())
    elif hasattr(cfg, "__dict__"):
        found = {name: value for name, value in vars(cfg).items() if not name.startswith("_")}
    else:
        raise refuse(
            "cfg", repr(cfg), "a configuration as SAELens has it: a dictionary, or an object with fields"
        )
    if "architecture" not in found:
        word = getattr(cfg, "architecture", None) or _part(sae, "architecture")
        word = word() if callable(word) else word
        if word is not None:
            found["architecture"] = word
    found.setdefault("d_in", shape[0])
    found.setdefault("d_sae", shape[1])
    return found


def _state(sae: Any) -> dict[str, Any]:
    """All that it has of numbers, known or not: what the core does not know it refuses by name."""
    if isinstance(sae, dict):
        return {
            str(name): value
            for name, value in sae.items()
            if name not in ("cfg", "architecture", "log_threshold")
        }
    state = getattr(sae, "state_dict", None)
    found = state() if callable(state) else {}
    return {name: value for name, value in found.items() if name != "log_threshold"}


def files(sae: Any) -> tuple[dict[str, Any], dict[str, InMemory]]:
    """The names of an autoencoder's files, and those of the files that are in memory."""
    if isinstance(sae, FolderFiles):
        return sae.names, {}
    if is_path(sae):
        path = os.fspath(sae)
        if not os.path.exists(path):
            raise refuse("sae", repr(path), "the folder or the weights of an autoencoder")
        names: dict[str, Any] = json.loads(_core.autoencoder_files(path))
        return names, {}
    if not is_autoencoder(sae):
        raise refuse("sae", type(sae).__name__, ALLOWED)
    if own_encoder(sae) is not None and _part(sae, "cfg") is None:
        allowed = "one with a cfg that says how it encodes, or a path; evaluate() and compare() call encode() and decode()"
        raise refuse("sae", f"{type(sae).__name__} without cfg", allowed)
    tensors = {**_state(sae), **{name: _part(sae, name) for name in _TENSORS}}
    tensors = {name: as_array(name, value) for name, value in tensors.items() if value is not None}
    if "threshold" not in tensors and _part(sae, "log_threshold") is not None:
        import numpy as np

        tensors["threshold"] = np.exp(as_array("log_threshold", _part(sae, "log_threshold")))
    shape = tensors["W_enc"].shape
    if len(shape) != 2:
        raise refuse("W_enc", f"{len(shape)}-dimensional", "D × F")
    config = json.dumps(_config(sae, (shape[0], shape[1])), default=str).encode()
    return {"config": CONFIG, "weights": WEIGHTS}, {
        CONFIG: (config, []),
        WEIGHTS: safetensors(tensors),
    }


def own_encoder(sae: Any) -> str | None:
    """Whose encode() it has, where that is not SAELens' own: its tensors and cfg do not say what that does."""
    if is_path(sae) or isinstance(sae, dict):
        return None
    if callable(vars(sae).get("encode") if hasattr(sae, "__dict__") else None):
        return "the object itself"
    owners = [kind for kind in type(sae).__mro__ if callable(vars(kind).get("encode"))]
    if not owners or owners[0].__module__.split(".")[0] == "sae_lens":
        return None
    return f"{owners[0].__module__}.{owners[0].__qualname__}"


def notes(sae: Any) -> list[str]:
    """What must be known of an object that has an encoder of its own: tensors are read, and nothing of it is called."""
    owner = own_encoder(sae) if is_autoencoder(sae) else None
    if owner is None:
        return []
    return [
        f"encode() of {owner} is not called: codes are computed from the tensors, as SAELens' architecture "
        "that cfg names has them. Where it does something else, give its codes: evaluate(activations, W_dec, "
        "codes=sae.encode(activations), b_dec=b_dec)."
    ]
