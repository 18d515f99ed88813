"""What Python's json makes of files.

    reads_json.py FOLDER

reads each file of the folder that is named on standard input, a line each, and prints a line for it: "refused", or
the SHA-256 of what it holds, written in one way only: numbers by the bits of their float64, texts by their length in
bytes, objects with every key, also where one is repeated.
"""
import hashlib
import json
import struct
import sys
from pathlib import Path


class Entries(list):
    """An object's keys and values."""


def quoted(text):
    # A lone surrogate is no text in UTF-8: an error.
    return f"{len(text.encode())}:{text}"


def plain(value):
    if value is None:
        return "n"
    if value is True or value is False:
        return "t" if value else "f"
    if isinstance(value, (int, float)):
        value = float(value) + 0.0
        return "#nan" if value != value else "#" + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Entries):
        return "{" + "".join(quoted(key) + plain(item) for key, item in value) + "}"
    return "[" + "".join(map(plain, value)) + "]"


def main():
    sys.setrecursionlimit(10_000)
    folder = Path(sys.argv[1])
    for name in sys.stdin.read().splitlines():
        try:
            # utf-8-sig: the mark that some editors begin a text with says nothing.
            text = (folder / name).read_bytes().decode("utf-8-sig")
            found = plain(json.loads(text, object_pairs_hook=Entries))
            print(hashlib.sha256(found.encode()).hexdigest())
        except (ValueError, OverflowError, RecursionError):
            print("refused")


if __name__ == "__main__":
    main()
