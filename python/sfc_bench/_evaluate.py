"""Somebody's own activations and decomposition on the axes of the SFC-Score."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable
from typing import Any, Literal

from . import _core
from ._arrays import InMemory, count, is_path, listener, npy, whole
from ._engine import THREADS_MAX
from ._errors import refuse
from ._modules import encode_with, has_encode_decode
from ._report import _three
from ._sae import ALLOWED, FolderFiles, files, is_autoencoder, notes
from ._settings import plain
from ._types import EvaluateReport, FidelityMode, Reading, Variance

Exchanged = Literal["dictionary", "readout"]


def evaluate(
    activations: Any,
    sae: Any,
    *,
    readout: Any = None,
    readout_bias: Any = None,
    codes: Any = None,
    b_dec: Any = None,
    reconstruction: Any = None,
    codes_by: str | None = None,
    targets: Any = None,
    transposed: Exchanged | Iterable[Exchanged] = (),
    fidelity: FidelityMode = "cosine",
    completeness: Reading | None = None,
    variance: Variance = "total",
    weights: Iterable[float] = (1.0, 1.0, 1.0),
    active_rows: int = 1_000,
    skip_zero_rows: bool = False,
    skip_rows: str | Iterable[int] | None = None,
    skip_norm_above: float | None = None,
    memory: int = 1_024,
    threads: int | None = None,
    digest: bool = False,
    progress: Callable[[str, float], object] | None = None,
) -> EvaluateReport:
    """Scores a decomposition of activations: sparsity, fidelity, completeness and what belongs to them.

    Args:
        activations: N × D: an array of NumPy or PyTorch, anything with ``__dlpack__``, or the path of a
            .npy, .npz, .safetensors, .pt or .csv file (``FILE:ARRAY`` for one array of several). Arrays in one
            piece are read where they lie. Of a list of such, or of the path of a folder of files, rows are read one
            after the other.
        sae: an autoencoder of SAELens (or any object or dictionary with ``W_enc`` D × F, ``W_dec`` F × D,
            ``b_enc``, ``b_dec`` and ``cfg``), the path of the folder or the weights of one in any of the field's
            layouts, or a dictionary alone (K × D). Any other object with ``encode`` and ``decode`` (a module of
            dictionary_learning's or sparsify's, or one of your own) has these called, and ``activations`` is then one array
            in memory.
        readout: W_out (outputs × D), the linear map that follows the activations; the identity without one.
        readout_bias: its bias.
        codes: codes on a dictionary that comes alone (N × K), or several of such, one after the other.
        b_dec: bias of the decoder that these codes are of (D), which reconstructions have added.
        reconstruction: or what these codes are decoded to (N × D), by whatever decoder: fidelity is of it, completeness by
            the row space of the dictionary.
        codes_by: or how they are made: ``projection`` (where nothing is said), ``least-squares``, or ``top-8`` for
            the eight largest.
        targets: the activations that a transcoder reconstructs, as many rows as it reads.
        transposed: which of ``dictionary`` and ``readout`` have rows and columns exchanged.
        fidelity: which is scored: ``cosine``, ``r2`` or ``rel-mse``.
        completeness: which is scored: ``row-space`` (the paper's), ``reconstruction``, ``active-subspace``. Left out,
            the paper's, unless the dictionary spans the whole space and it is always 1: then the reconstruction.
        variance: what completeness divides by: ``total`` or ``grand`` (the paper's).
        weights: of S, F and C.
        active_rows: most rows that the active-subspace reading looks at.
        skip_zero_rows: whether rows of zeros, as padding is, are left out.
        skip_rows: rows that are left out, by their numbers from 0: a list, or text such as ``"0,5-9"``.
        skip_norm_above: leaves out rows longer than so many times the median length of those that are neither named
            nor zeros.
        memory: what the run may take, in MiB.
        threads: how many; as many as there are processors for this process without a number. Results do not
            depend on it.
        digest: whether the report has the SHA-256 of every file or array.
        progress: hears the stage and the part of it that is done.

    Raises:
        SfcBenchError: for whatever does not fit, by name.
        KeyboardInterrupt: soon after Ctrl-C.
    """
    said = notes(sae)
    if has_encode_decode(sae):
        beside = {
            "codes": codes, "b_dec": b_dec, "reconstruction": reconstruction, "codes_by": codes_by, "targets": targets,
        }  # fmt: skip
        for name, value in beside.items():
            if value is not None:
                raise refuse(name, "given", "None, as encode() and decode() of the object are called")
        codes, sae, reconstruction, note = encode_with(sae, activations, whole("memory", memory) << 20)
        said = [note]
    request, given = _request(
        activations, sae, readout, readout_bias, codes, b_dec, codes_by, targets, transposed,
        _options(fidelity, completeness, variance, weights, active_rows, memory),
        _skip(skip_zero_rows, skip_rows, skip_norm_above), reconstruction,
    )  # fmt: skip
    most = None if threads is None else count("threads", threads, THREADS_MAX)
    text = _core.evaluate(request, given, listener(progress), most, bool(digest), False, said)
    return EvaluateReport("own", text)


def numpy_script(
    activations: Any,
    sae: Any,
    *,
    readout: Any = None,
    readout_bias: Any = None,
    codes: Any = None,
    b_dec: Any = None,
    reconstruction: Any = None,
    codes_by: str | None = None,
    targets: Any = None,
    transposed: Exchanged | Iterable[Exchanged] = (),
    fidelity: FidelityMode = "cosine",
    completeness: Reading | None = None,
    variance: Variance = "total",
    weights: Iterable[float] = (1.0, 1.0, 1.0),
    active_rows: int = 1_000,
    skip_zero_rows: bool = False,
    skip_rows: str | Iterable[int] | None = None,
    skip_norm_above: float | None = None,
    memory: int = 1_024,
) -> str:
    """A program in NumPy that computes what :func:`evaluate` does from the same files, and checks its numbers; all
    files have to be on the disk."""
    files_of = {
        "activations": activations, "sae": sae, "readout": readout, "readout_bias": readout_bias, "codes": codes,
        "b_dec": b_dec, "targets": targets, "reconstruction": reconstruction,
    }  # fmt: skip
    for name, value in files_of.items():
        for one in _shards(value) if name in ("activations", "targets") and value is not None else [value]:
            if one is not None and not is_path(one):
                raise refuse(name, type(one).__name__, "a path: the program reads the same files")
    request, given = _request(
        activations, sae, readout, readout_bias, codes, b_dec, codes_by, targets, transposed,
        _options(fidelity, completeness, variance, weights, active_rows, memory),
        _skip(skip_zero_rows, skip_rows, skip_norm_above), reconstruction,
    )  # fmt: skip
    return _core.evaluate(request, given, None, None, False, True)


def _colon(name: str) -> int:
    """Where FILE:ARRAY is parted, or -1: a file's name may have a colon, and so may an array's."""
    if os.path.exists(name):
        return -1
    places = [at for at, character in enumerate(name) if character == ":"]
    return next((at for at in places if os.path.isfile(name[:at])), max(places, default=-1))


def _options(
    fidelity: Any, completeness: Any, variance: Any, weights: Any, active_rows: Any, memory: Any
) -> dict[str, Any]:
    three = _three("weights", weights)
    if not all(math.isfinite(value) for value in three):
        raise refuse("weights", ", ".join(map(str, three)), "three finite numbers, not all 0 and none below")
    return {
        "fidelity": plain("fidelity", fidelity),
        "completeness": None if completeness is None else plain("completeness", completeness),
        "variance": plain("variance", variance),
        "weights": list(three),
        "active_rows": whole("active_rows", active_rows),
        "memory": whole("memory", memory) << 20,
    }


def _shards(activations: Any) -> list[Any]:
    """What is read one after the other: the files of a folder by their names and numbers, the members of a list."""
    if is_path(activations) and os.path.isdir(activations):
        folder = os.fspath(activations)
        names = [name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name))]
        return [os.path.join(folder, name) for name in _core.shards(folder, names)]
    several = isinstance(activations, (list, tuple)) and len(activations) > 0
    if several and all(is_path(one) or getattr(one, "ndim", 0) >= 2 for one in activations):
        return list(activations)
    return [activations]


def _skip(zero_rows: Any, rows: Any, norm_above: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"zero_rows": bool(zero_rows)}
    if isinstance(rows, str):
        made["rows"] = rows
    elif rows is not None:
        try:
            listed = list(rows)
        except TypeError as error:
            raise refuse("skip_rows", repr(rows), "a list of rows from 0, or text such as 0,5-9") from error
        if listed:
            made["rows"] = ",".join(str(whole("skip_rows", row)) for row in listed)
    if norm_above is not None:
        try:
            times = float(norm_above)
        except (TypeError, ValueError) as error:
            raise refuse("skip_norm_above", repr(norm_above), "a finite number from 1") from error
        if not (math.isfinite(times) and times >= 1):
            raise refuse("skip_norm_above", str(times), "a finite number from 1")
        made["norm_above"] = times
    return made


def _is_sae(sae: Any, alone: bool = True) -> bool:
    """Whether it is an autoencoder: as an object, by its files or its folder, or, where nothing is said of codes, by the path
    of its weights."""
    if isinstance(sae, FolderFiles) or is_autoencoder(sae):
        return True
    return is_path(sae) and (
        os.path.isdir(sae) or (alone and os.path.isfile(sae) and _core.is_autoencoder(os.fspath(sae)))
    )


def _choice(given: dict[str, InMemory], field: str, value: Any, transposed: bool) -> dict[str, Any] | None:
    """An array as a request names it: what is in memory is put among what is given."""
    if value is None:
        return None
    made: dict[str, Any] = {"transposed": transposed}
    if is_path(value):
        name = os.fspath(value)
        at = _colon(name)
        if at >= 0:
            return {**made, "file": name[:at], "array": name[at + 1 :], "path": True}
        return {**made, "file": name, "path": True}
    name = f"{field}.npy"
    given[name] = npy(field, value)
    return {**made, "file": name}


def _settled(given: dict[str, InMemory], made: dict[str, Any] | None) -> dict[str, Any] | None:
    """A choice as a request has it: what is on the disk is not taken for what is in memory under the same name."""
    if made is not None and made.pop("path", False) and made["file"] in given:
        made["file"] = os.path.join(os.curdir, made["file"])
    return made


def _request(
    activations: Any,
    sae: Any,
    readout: Any,
    readout_bias: Any,
    codes: Any,
    b_dec: Any,
    codes_by: str | None,
    targets: Any,
    transposed: str | Iterable[str],
    options: dict[str, Any],
    skip: dict[str, Any],
    reconstruction: Any = None,
) -> tuple[str, dict[str, InMemory]]:
    given: dict[str, InMemory] = {}
    try:
        exchanged = {transposed} if isinstance(transposed, str) else set(transposed)
    except TypeError as error:
        raise refuse("transposed", repr(transposed), "dictionary, readout") from error
    if not exchanged <= {"dictionary", "readout"}:
        raise refuse("transposed", sorted(map(str, exchanged)), "dictionary, readout")

    def choice(field: str, value: Any) -> dict[str, Any] | None:
        return _choice(given, field, value, field in exchanged)

    if activations is None:
        raise refuse("activations", "None", "an array (N × D), or a path")
    if "readout" in exchanged and readout is None:
        raise refuse("transposed", "readout", "only with a readout")
    if readout_bias is not None and readout is None:
        raise refuse("readout_bias", "given", "only with a readout")
    if b_dec is not None and codes is None:
        raise refuse("b_dec", "given", "only with codes")
    if reconstruction is not None and (codes is None or b_dec is not None):
        raise refuse("reconstruction", "given", "only with codes, and without a b_dec, which it has in it")
    first, *more = _shards(activations)
    first_codes, *more_codes = [codes] if codes is None else _shards(codes)
    choices = {
        "activations": choice("activations", first),
        "readout": choice("readout", readout),
        "readout_bias": choice("readout_bias", readout_bias),
        "codes": choice("codes", first_codes),
        "decoder_bias": choice("b_dec", b_dec),
        "reconstruction": choice("reconstruction", reconstruction),
    }
    request: dict[str, Any] = {"options": options, "skip": skip}
    several = {
        "more_activations": [choice(f"activations_{at}", one) for at, one in enumerate(more, 1)],
        "more_codes": [choice(f"codes_{at}", one) for at, one in enumerate(more_codes, 1)],
    }
    plain_codes = codes is None and codes_by is None and "dictionary" not in exchanged
    if _is_sae(sae, plain_codes):
        for name, value in (("codes", codes), ("codes_by", codes_by)):
            if value is not None:
                raise refuse(name, "given", "nothing beside an autoencoder, which makes its own codes")
        if "dictionary" in exchanged:
            raise refuse("transposed", "dictionary", "nothing of an autoencoder")
        request["sae"], held = files(sae)
        given.update(held)
        if targets is not None:
            several["targets"] = [choice(f"targets_{at}", one) for at, one in enumerate(_shards(targets))]
    else:
        if targets is not None:
            raise refuse("targets", "given", "only with a transcoder")
        if codes is not None and codes_by is not None:
            raise refuse("codes_by", repr(codes_by), "nothing where codes are given")
        if not is_path(sae) and not hasattr(sae, "__len__") and not hasattr(sae, "__dlpack__"):
            raise refuse("sae", type(sae).__name__, ALLOWED)
        choices["dictionary"] = choice("dictionary", sae)
        request["codes_by"] = plain("codes_by", "projection" if codes_by is None else codes_by)
    # Once all that is in memory is known.
    for name, made in choices.items():
        if made is not None:
            request[name] = _settled(given, made)
    for name, all_made in several.items():
        if all_made:
            request[name] = [_settled(given, made) for made in all_made]
    return json.dumps(request), given
