"""Somebody's own activations and decomposition on the axes of the SFC-Score."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

from . import _core
from ._arrays import InMemory, is_path, npy
from ._errors import refuse
from ._report import Report, _three
from ._sae import files, is_autoencoder


def evaluate(
    activations: Any,
    sae: Any,
    *,
    readout: Any = None,
    readout_bias: Any = None,
    codes: Any = None,
    codes_by: str = "projection",
    transposed: Iterable[str] = (),
    fidelity: str = "cosine",
    completeness: str = "row-space",
    variance: str = "total",
    weights: Iterable[float] = (1.0, 1.0, 1.0),
    active_rows: int = 1_000,
    memory: int = 1_024,
    threads: int | None = None,
    digest: bool = False,
    progress: Callable[[str, float], object] | None = None,
) -> Report:
    """Scores a decomposition of activations: sparsity, fidelity, completeness and what belongs to them.

    Args:
        activations: N × D: an array of NumPy or PyTorch, anything with ``__dlpack__``, or the path of a
            .npy, .npz, .safetensors or .csv file (``FILE:ARRAY`` for one array of several). Arrays in one
            piece are read where they lie.
        sae: an autoencoder of SAELens (or any object or dictionary with ``W_enc`` D × F, ``W_dec`` F × D,
            ``b_enc``, ``b_dec`` and ``cfg``), the path of its folder, or a dictionary alone (K × D).
        readout: W_out (outputs × D), the linear map that follows the activations; the identity without one.
        readout_bias: its bias.
        codes: codes on a dictionary that comes alone (N × K).
        codes_by: or how they are made: ``projection``, ``least-squares``, or ``top-8`` for the eight largest.
        transposed: which of ``dictionary`` and ``readout`` have rows and columns exchanged.
        fidelity: which is scored: ``cosine``, ``r2`` or ``rel-mse``.
        completeness: which is scored: ``row-space`` (the paper's), ``reconstruction``, ``active-subspace``.
        variance: what completeness divides by: ``total`` or ``grand`` (the paper's).
        weights: of S, F and C.
        active_rows: most rows that the active-subspace reading looks at.
        memory: what the run may take, in MiB.
        threads: how many; as many as there are without a number. Results do not depend on it.
        digest: whether the report has the SHA-256 of every file or array.
        progress: hears the stage and the part of it that is done.

    Raises:
        SfcBenchError: for whatever does not fit, by name.
        KeyboardInterrupt: soon after Ctrl-C.
    """
    request, given = _request(
        activations,
        sae,
        readout,
        readout_bias,
        codes,
        codes_by,
        transposed,
        {
            "fidelity": fidelity,
            "completeness": completeness,
            "variance": variance,
            "weights": list(_three("weights", weights)),
            "active_rows": active_rows,
            "memory": int(memory) << 20,
        },
    )
    return Report("own", _core.evaluate(request, given, progress, threads, digest))


def numpy_script(activations: Any, sae: Any, **settings: Any) -> str:
    """A program in NumPy that computes what :func:`evaluate` does from the same files; all of them have to
    be on the disk."""
    named = {"readout": None, "readout_bias": None, "codes": None, **settings}
    for name, value in {"activations": activations, "sae": sae, **named}.items():
        is_file = name in ("activations", "sae", "readout", "readout_bias", "codes")
        if is_file and value is not None and not is_path(value):
            raise refuse(name, type(value).__name__, "a path: the program reads the same files")
    options: dict[str, Any] = {
        key: settings[key] for key in ("fidelity", "completeness", "variance") if key in settings
    }
    request, given = _request(
        activations,
        sae,
        named["readout"],
        named["readout_bias"],
        named["codes"],
        settings.get("codes_by", "projection"),
        settings.get("transposed", ()),
        options,
    )
    return _core.evaluate(request, given, None, None, False, True)


def _request(
    activations: Any,
    sae: Any,
    readout: Any,
    readout_bias: Any,
    codes: Any,
    codes_by: str,
    transposed: Iterable[str],
    options: dict[str, Any],
) -> tuple[str, dict[str, InMemory]]:
    given: dict[str, InMemory] = {}
    exchanged = {transposed} if isinstance(transposed, str) else set(transposed)
    if not exchanged <= {"dictionary", "readout"}:
        raise refuse("transposed", sorted(exchanged), "dictionary, readout")

    def choice(field: str, value: Any) -> dict[str, Any] | None:
        if value is None:
            return None
        made: dict[str, Any] = {"transposed": field in exchanged}
        if is_path(value):
            name = os.fspath(value)
            file, colon, array = name.rpartition(":")
            if colon and not os.path.exists(name):
                return {**made, "file": file, "array": array}
            return {**made, "file": name}
        name = f"{field}.npy"
        given[name] = npy(field, value)
        return {**made, "file": name}

    request: dict[str, Any] = {
        "activations": choice("activations", activations),
        "readout": choice("readout", readout),
        "readout_bias": choice("readout_bias", readout_bias),
        "codes": choice("codes", codes),
        "options": options,
    }
    if is_autoencoder(sae) or (is_path(sae) and os.path.isdir(os.fspath(sae))):
        if codes is not None:
            raise refuse("codes", "given", "nothing beside an autoencoder, which makes its own")
        names, held = files(sae)
        request["sae"] = names
        given.update(held)
    else:
        request["dictionary"] = choice("dictionary", sae)
        request["codes_by"] = codes_by
    return json.dumps({key: value for key, value in request.items() if value is not None}), given
