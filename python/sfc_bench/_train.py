"""Sparse autoencoders, trained here."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import InMemory, count, is_path, listener, whole
from ._engine import THREADS_MAX
from ._errors import SfcBenchError, refuse
from ._evaluate import _choice, _settled, _shards
from ._sae import CONFIG, WEIGHTS
from ._settings import plain

_DTYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F64": np.dtype("<f8")}


class TrainedSAE:
    """A trained autoencoder: its weights under SAELens' names, as arrays (``W_enc`` D × F, ``b_enc`` F, ``W_dec`` F × D,
    ``b_dec`` D; ``threshold`` F; of gated ones ``b_gate``, ``r_mag`` and ``b_mag`` in the place of ``b_enc``). They are
    read-only, as :meth:`save` writes what was trained: one with other numbers is a dictionary of arrays,
    ``{**sae.state_dict(), "W_dec": mine, "cfg": sae.cfg}``.

    Attributes:
        cfg: its configuration, as SAELens has it.
        metrics: what the last step of its training came to.
    """

    W_enc: NDArray[np.float32]
    W_dec: NDArray[np.float32]
    b_enc: NDArray[np.float32]
    b_dec: NDArray[np.float32]

    def __init__(self, files: dict[str, bytes], metrics: dict[str, Any]) -> None:
        self._files = files
        self.metrics = metrics
        self.cfg: dict[str, Any] = json.loads(files[CONFIG])
        self._tensors = _tensors(files[WEIGHTS])
        for name, tensor in self._tensors.items():
            setattr(self, name, tensor)

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Its weights by their names, read-only."""
        return dict(self._tensors)

    def __repr__(self) -> str:
        d, f = self.W_enc.shape
        return f"<TrainedSAE: {self.cfg['metadata']['family']}, {d} → {f}>"

    def __reduce__(self) -> tuple[type, tuple[dict[str, bytes], dict[str, Any]]]:
        return type(self), (self._files, self.metrics)

    def save(self, folder: Any, *, force: bool = False) -> None:
        """Writes ``cfg.json`` and ``sae_weights.safetensors`` into a folder, as SAELens loads it: the bytes that
        ``sfc-bench train --out`` writes. Files of these names that are there stay, but with ``force``."""
        if not is_path(folder):
            raise refuse("folder", repr(folder), "the path of a folder")
        place = pathlib.Path(os.fspath(folder))
        there = next((name for name in self._files if (place / name).exists()), None)
        if there is not None and not force:
            raise refuse(
                "folder", f"{str(place)!r}, which holds a {there}", "a folder without one, or force=True"
            )
        try:
            place.mkdir(parents=True, exist_ok=True)
            for name, data in self._files.items():
                (place / name).write_bytes(data)
        except OSError as error:
            raise SfcBenchError(
                f"cannot write {place}: {error}", "output.unwritten", "folder", str(place)
            ) from error

    def to_saelens(self, device: str = "cpu") -> Any:
        """It as an object of SAELens, where that is installed."""
        try:
            import sae_lens
        except ImportError as error:
            raise ImportError("this needs SAELens: pip install sae-lens") from error
        with tempfile.TemporaryDirectory() as folder:
            self.save(folder)
            return sae_lens.SAE.load_from_disk(folder, device=device)


def _tensors(data: bytes) -> dict[str, NDArray[Any]]:
    """The tensors of a file of safetensors."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    found = {}
    for name, tensor in header.items():
        if name != "__metadata__":
            start, end = tensor["data_offsets"]
            numbers = np.frombuffer(data[8 + size + start : 8 + size + end], _DTYPES[tensor["dtype"]])
            # They are the bytes that are saved: what was changed in a copy alone would be lost.
            found[name] = numbers.reshape(tensor["shape"])
    return found


def train(
    activations: Any,
    family: str = "topk",
    *,
    latents: int = 32,
    k: int | None = None,
    sparsity: float | None = None,
    steps: int = 1_500,
    batch: int = 256,
    rate: float = 0.003,
    seed: int = 0,
    rows: int = 20_000,
    world_seed: int = 42,
    threads: int | None = None,
    progress: Callable[[str, float], object] | None = None,
    **settings: Any,
) -> TrainedSAE:
    """Trains a sparse autoencoder, as ``sfc-bench train --activations`` does: the same settings give the same bytes.

    Args:
        activations: N × D, D to 1,024, as of :func:`evaluate`: an array, a path, or several of them. They are scaled as the
            trainer needs them, and the weights are those of activations as they are given.
        family: ``relu``, ``topk``, ``batch-topk``, ``jumprelu``, ``gated`` or ``matryoshka``.
        latents: F, 1 to 16,384.
        k: codes a row; of ``topk``, ``batch-topk`` and ``matryoshka``, 3 without one.
        sparsity: sparsity coefficient; of ``relu``, ``gated`` and ``jumprelu``, the family's own without one.
        steps: how many.
        batch: rows of one, 1 to 4,096.
        rate: learning rate.
        seed: of the first weights and of the rows' order.
        rows: most rows that it is trained on. Up to 512 of all, or of few a fifth, are held back, as the command line
            scores on them.
        world_seed: of which rows are taken, and in which order.
        threads: how many; results do not depend on it.
        progress: hears the stage and the part of it that is done.
        settings: others of the trainer's, by their names (``aux_k``, ``decay``, ``prefixes``, …).

    Raises:
        SfcBenchError: for whatever is not allowed, by name.
        KeyboardInterrupt: soon after Ctrl-C.
    """
    if activations is None:
        raise refuse("activations", "None", "an array (N × D), or a path")
    given: dict[str, InMemory] = {}
    choices = []
    for at, one in enumerate(_shards(activations)):
        made = _choice(given, f"activations_{at}" if at else "activations", one, False)
        choices.append(_settled(given, made))
    request = {
        "activations": choices[0],
        "more_activations": choices[1:],
        "seed": whole("world_seed", world_seed),
    }
    asked: dict[str, Any] = {
        "family": family, "latents": latents, "k": k, "sparsity": sparsity, "steps": steps,
        "batch": batch, "rate": rate, "seed": seed, **settings,
    }  # fmt: skip
    asked = {name: plain(name, value) for name, value in asked.items() if value is not None}
    most = None if threads is None else count("threads", threads, THREADS_MAX)
    files, metrics = _core.train(
        json.dumps(request), given, json.dumps(asked), whole("rows", rows), listener(progress), most
    )
    return TrainedSAE(files, json.loads(metrics))


__all__ = ["TrainedSAE", "train"]
