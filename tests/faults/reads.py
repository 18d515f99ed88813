"""What NumPy, or plain Python by a format's own description, makes of files.

    reads.py FOLDER

reads each file of the folder that is named on standard input, a line each, and prints a line of JSON for it:
either {"refused": "why"}, or for each array its rows, columns and the SHA-256 of its values as float32 (or why
it is refused).
"""
import hashlib
import io
import json
import re
import sys
import warnings
from pathlib import Path

import numpy as np
from numpy.lib import format as npy_format


def bfloat16(raw, order="<"):
    """NumPy alone has no such type: its two bytes are the upper half of a float32."""
    return (raw.view(order + "u2").astype(np.uint32) << 16).view(np.float32)


def array(file, descr):
    found = npy_format.read_array(file, allow_pickle=False)
    # NumPy forgets in which order the bytes of what it does not know are.
    return bfloat16(found, ">" if descr == ">V2" else "<") if found.dtype == "V2" else found


def descr(data):
    found = re.search(rb"['\"]descr['\"]\s*:\s*['\"]([^'\"]*)['\"]", data[:2000])
    return found[1].decode("latin-1") if found else ""


def npy(path):
    with path.open("rb") as file:
        return {"": array(file, descr(path.read_bytes()))}


def npz(path):
    try:
        loaded = np.load(path, allow_pickle=False)
    except Exception as error:
        raise Records(error) from error
    return {
        name.removesuffix(".npy"): entry(loaded.zip, name)
        for name in loaded.zip.namelist()
        if name.endswith(".npy")
    }


class Records(Exception):
    """What an archive says of its entries contradicts itself; their bytes were not looked at."""


def entry(archive, name):
    """An array of an archive, or why it is refused."""
    try:
        file = archive.open(name)
    except Exception as error:
        return refused(Records(error))
    try:
        with file:
            data = file.read()  # to its end, and so with its checksum
        return array(io.BytesIO(data), descr(data))
    except Exception as error:
        return refused(error)


def safetensors(path):
    """By the format's description: a length, as much JSON, the tensors' bytes."""

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name twice")
        return dict(pairs)

    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    types = {"F16": "<f2", "BF16": "<u2", "F32": "<f4", "F64": "<f8", "I8": "i1", "U8": "u1", "I16": "<i2",
             "U16": "<u2", "I32": "<i4", "U32": "<u4", "I64": "<i8", "U64": "<u8"}
    found = {}
    header = json.loads(data[8:8 + size], object_pairs_hook=once)
    header.pop("__metadata__", None)
    for name, tensor in header.items():
        if tensor["dtype"] in types:
            start, end = (8 + size + offset for offset in tensor["data_offsets"])
            values = np.frombuffer(data[start:end], types[tensor["dtype"]])
            values = bfloat16(values) if tensor["dtype"] == "BF16" else values
            found[name] = values.reshape(tensor["shape"])
    return found


def numeric(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def unquoted(cell):
    cell = cell.strip()
    return cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def csv(path):
    # A comment may be in any encoding; a number that is not in this one is none.
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        lines = [line for line in file if line.strip("\r\n") and not line.startswith("#")]
    # A number may be in quotes.
    lines = [",".join(unquoted(cell) for cell in line.split(",")) for line in lines]
    header = bool(lines) and not any(numeric(cell) for cell in lines[0].split(","))
    return {"": np.loadtxt(lines[header:], delimiter=",", comments=None, ndmin=2)}


READERS = {".npy": npy, ".npz": npz, ".safetensors": safetensors, ".csv": csv}


def refused(error):
    return f"{type(error).__name__}: {error}"[:300]


def told(values):
    if isinstance(values, str):
        return values
    cols = values.shape[-1] if values.ndim else 1
    if cols == 0:
        return "no values"
    single = np.ascontiguousarray(values.astype(np.float32)).astype("<f4")
    return [values.size // cols, cols, hashlib.sha256(single.tobytes()).hexdigest()]


def main():
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        path = folder / line.strip()
        try:
            arrays = READERS[path.suffix](path)
            answer = {"arrays": {name: told(values) for name, values in arrays.items()}}
        except Exception as error:  # whatever a malformed file does to it
            answer = {"refused": refused(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
