"""Writes sfc_bench/_types.py, the types of results, from www/types/core.d.ts, which is written from the Rust types.

``python python/tools/write_types.py`` writes the file; a test fails where the two part. TypeScript has one kind of number:
which are whole is read from the fields of the Rust types.
"""

from __future__ import annotations

import keyword
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
TARGET = ROOT / "python" / "sfc_bench" / "_types.py"

#: The type of what each kind of report reads as: the study's name, its class in Python, its type in the core.
REPORTS = [
    ("sfc", "PaperReport", "Report"),
    ("curve", "CurveReport", "CurveDocument"),
    ("sizes", "SizesReport", "SizesDocument"),
    ("fade", "FadeReport", "FadeReport"),
    ("ce-bench", "CeBenchReport", "CeBenchReport"),
    ("mui", "MuiReport", "MuiReport"),
    ("measurement", "MeasurementReport", "MeasurementReport"),
    ("audit", "AuditReport", "AuditReport"),
    ("ensemble", "EnsembleReport", "EnsembleDocument"),
    ("families", "FamiliesReport", "FamiliesReport"),
    ("own", "EvaluateReport", "EvaluateReport"),
    ("decompositions", "CompareReport", "DecompositionsReport"),
    ("own-fade", "FadeOwnReport", "FadeOwnReport"),
    ("own-ce-bench", "CeBenchOwnReport", "CeBenchOwnReport"),
    ("own-ce-bench-results", "CeBenchResultsReport", "CeBenchResultsReport"),
    ("own-mui", "MuiOwnReport", "MuiOwn"),
    ("own-mui-law", "MuiLawReport", "MuiOwnLaw"),
    ("own-measurement", "MeasurementOwnReport", "MeasurementOwnDocument"),
]
#: Types besides those of reports that the package's functions give.
BESIDES = ["Cell", "DataTable", "FigureRow", "Hypervolume", "Divided", "Settings"]
SETTINGS = ["FadeSettings", "CeBenchSettings", "MuiSettings", "MeasurementSettings", "AuditSettings"]

#: What no type of the core declares: documents that are put together where they are printed.
DOCUMENTS = """
/** What `curve` prints. */
export type CurveDocument = { config: Settings, points: Array<Point>, hypervolume: number, front: Array<number>,
contributions: Array<number>, c_gt_chance: number, };
/** What `sizes` prints. */
export type SizesDocument = { config: Settings, points: Array<Point>, c_gt_chance: Array<number>,
left_out: Array<number>, };
/** What `ensemble` prints. */
export type EnsembleDocument = { config: Settings, varied: Varied, members: Array<EnsembleMember>,
summary: EnsembleSummary, };
/** What one seed comes to. */
export type EnsembleMember = { seed: number, points: Array<Point>, hypervolume: number, on_front: number, };
/** What all seeds come to; `levels` has a band a quantity. */
export type EnsembleSummary = { members: number, levels: Array<{ [key in string]: any }>, hypervolume: any, peak_sfc: any,
all_on_front: number, wins: Array<{ [key in string]: any }>, printed: Array<{ [key in string]: any }>, };
/** What the files of measurement theory come to. */
export type MeasurementOwnDocument = { found: Array<{ [key in string]: any }>, };
"""
WHOLE_OF_DOCUMENTS = {
    ("CurveDocument", "front"),
    ("SizesDocument", "left_out"),
    ("EnsembleMember", "seed"),
    ("EnsembleMember", "on_front"),
    ("EnsembleSummary", "members"),
    ("EnsembleSummary", "all_on_front"),
    *(("Settings", f"{name}_seed") for name in ("model", "data", "completeness")),
    *(("Settings", name) for name in ("samples", "k", "inputs", "hidden", "outputs", "circuit")),
}

TOKEN = re.compile(
    r"\s*(/\*.*?\*/|\"[^\"]*\"|'[^']*'|`[^`]*`|[A-Za-z_][\w]*|-?\d+|[{}\[\]()<>,:;|&?=])", re.DOTALL
)
WHOLE = re.compile(r"\b(?:u8|u16|u32|u64|usize|i8|i16|i32|i64|isize)\b")


class Parser:
    """Declarations as ts-rs writes them."""

    def __init__(self, text: str) -> None:
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str | None = None) -> str:
        token = self.peek()
        if wanted is not None and token != wanted:
            raise SyntaxError(f"{wanted!r} expected, {self.tokens[self.at - 6 : self.at + 3]}")
        self.at += 1
        return token

    def docs(self) -> str:
        found = ""
        while self.peek().startswith("/*"):
            found = self.take()
        lines = (line.strip().removeprefix("*").strip() for line in found.strip("/").strip("*").splitlines())
        return " ".join(line for line in lines if line)

    def declarations(self):
        while self.peek():
            docs = self.docs()
            if not self.peek():
                return
            self.take("export")
            self.take("type")
            name = self.take()
            self.take("=")
            yield name, docs, self.union()
            self.take(";")

    def union(self):
        if self.peek() == "|":
            self.take()
        parts = [self.intersection()]
        while self.peek() == "|":
            self.take()
            parts.append(self.intersection())
        return parts[0] if len(parts) == 1 else ("union", parts)

    def intersection(self):
        parts = [self.single()]
        while self.peek() == "&":
            self.take()
            parts.append(self.single())
        return parts[0] if len(parts) == 1 else ("both", parts)

    def single(self):
        token = self.take()
        if token == "(":
            found = self.union()
            self.take(")")
            return found
        if token == "[":
            found = []
            while self.peek() != "]":
                found.append(self.union())
                if self.peek() == ",":
                    self.take()
            self.take()
            return ("tuple", found)
        if token == "{":
            return self.fields()
        if token.startswith("`"):
            # A word with a number in it.
            return ("name", "string")
        if token[0] in "\"'":
            return ("word", f'"{token[1:-1]}"')
        if self.peek() == "<":
            self.take()
            inside = [self.union()]
            while self.peek() == ",":
                self.take()
                inside.append(self.union())
            self.take(">")
            return (token, inside)
        return ("name", token)

    def fields(self):
        found = []
        while True:
            docs = self.docs()
            if self.peek() == "}":
                self.take()
                return ("object", found)
            if self.peek() == "[":
                # { [key in string]: T }
                while self.take() != "]":
                    pass
                if self.peek() == "?":
                    self.take()
                self.take(":")
                inside = self.union()
                if self.peek() in (",", ";"):
                    self.take()
                self.docs()
                self.take("}")
                return ("Record", [("name", "string"), inside])
            name = self.take().strip('"')
            optional = self.peek() == "?"
            if optional:
                self.take()
            self.take(":")
            found.append((name, self.union(), optional, docs))
            if self.peek() == ",":
                self.take()


def whole_fields() -> set[tuple[str, str]]:
    """Fields of Rust types, by the name that they have in TypeScript, all of whose numbers are whole."""
    found: set[tuple[str, str]] = set()
    files = [file for folder in ("src", "crates/foundations/src") for file in (ROOT / folder).rglob("*.rs")]
    for file in sorted(files):
        renamed, name = "", ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("#["):
                renamed = (re.findall(r'ts\(.*rename = "(\w+)"', line) or [renamed])[0]
            elif made := re.match(r' +pub struct Settings of "[\w-]+", in TypeScript "(\w+)"', line):
                # A study's parameters, a row each (`parameters!`).
                name, renamed = made[1], ""
            elif made := re.match(r"pub(?:\(\w+\))? struct (\w+)", line):
                name, renamed = renamed or made[1], ""
            elif line.startswith("}"):
                name = renamed = ""
            elif name and (
                field := re.match(r" +(?:pub(?:\([\w ]+\))? )?(\w+): ([^=]*?)(?: = .*|,)?$", line)
            ):
                whole = WHOLE.search(field[2]) and not re.search(r"\bf(?:32|64)\b", field[2])
                found |= {(name, field[1])} if whole else set()
    return found | WHOLE_OF_DOCUMENTS


class Writer:
    """Types of Python, each once."""

    def __init__(self, types: dict[str, tuple[str, tuple]]) -> None:
        self.types, self.whole = types, whole_fields()
        self.done: dict[str, str] = {}
        self.taken = {"Report", *(made for _, made, _ in REPORTS)}

    def name(self, name: str) -> str:
        # A report's class has the name that its fields would have.
        return f"{name}Dict" if name in self.taken else name

    def reach(self, name: str) -> None:
        if name not in self.types:
            raise KeyError(f"core.d.ts has no {name}")
        if name in self.done:
            return
        self.done[name] = ""
        docs, made = self.types[name]
        self.done[name] = self.declare(name, docs, made)

    def declare(self, name: str, docs: str, made: tuple) -> str:
        kind = made[0]
        if kind in ("object", "both"):
            return self.structure(name, docs, made)
        if kind == "union" and any(part[0] in ("object", "both") for part in made[1]):
            text, parts = "", []
            for at, part in enumerate(made[1], 1):
                if part[0] in ("object", "both"):
                    parts.append(f"{self.name(name)}{at}")
                    text += self.structure(f"{self.name(name)}{at}", docs, part)
                else:
                    parts.append(self.of(part, name, ""))
            said = " | ".join(parts).replace('"', "'")
            return f'{text}{self.name(name)}: TypeAlias = "{said}"\n\n\n'
        said = f"#: {docs}\n" if docs else ""
        return f'{said}{self.name(name)}: TypeAlias = "{self.of(made, name, "").replace(chr(34), chr(39))}"\n\n\n'

    def structure(self, name: str, docs: str, made: tuple) -> str:
        fields, bases = [], []
        for part in made[1] if made[0] == "both" else [made]:
            if part[0] == "object":
                fields += part[1]
            else:
                self.reach(part[1])
                bases.append(self.name(part[1]))
        made_of = {field: self.field(name, field, of, optional) for field, of, optional, _ in fields}
        doc = f'    """{docs or name}"""\n\n'
        if any(keyword.iskeyword(field) for field, *_ in fields):
            rows = "".join(
                '    "{}": "{}",\n'.format(field, of.replace('"', "'")) for field, of in made_of.items()
            )
            return f'{self.name(name)} = TypedDict(\n    "{self.name(name)}",\n    {{\n{rows}    }},\n)\n\n\n'
        body = "".join(
            (f"    #: {said}\n" if said else "") + f"    {field}: {made_of[field]}\n"
            for field, _, _, said in fields
        )
        return f"class {self.name(name)}({', '.join(bases) or 'TypedDict'}):\n{doc}{body}\n\n"

    def field(self, owner: str, field: str, made: tuple, optional: bool) -> str:
        found = self.of(made, owner, field)
        return f"NotRequired[{found}]" if optional else found

    def of(self, made: tuple, owner: str, field: str) -> str:
        kind, inside = made
        if kind == "name":
            plain = {
                "string": "str",
                "bigint": "int",
                "boolean": "bool",
                "null": "None",
                "any": "Any",
                "unknown": "Any",
            }
            if inside == "number":
                return "int" if (owner, field) in self.whole else "float"
            if inside in plain:
                return plain[inside]
            self.reach(inside)
            return self.name(inside)
        if kind == "word":
            return f"Literal[{inside}]"
        if kind == "Array":
            return f"list[{self.of(inside[0], owner, field)}]"
        if kind == "tuple":
            # JSON has lists; what those of several kinds hold is told by place, which no type of a list does.
            parts = list(dict.fromkeys(self.of(part, owner, field) for part in inside))
            return f"list[{parts[0]}]" if len(parts) == 1 else "list[Any]"
        if kind in ("Record", "Map"):
            return f"dict[str, {self.of(inside[1], owner, field)}]"
        if kind == "union":
            words = [part[1] for part in inside if part[0] == "word"]
            parts = [f"Literal[{', '.join(words)}]"] if words else []
            parts += [self.of(part, owner, field) for part in inside if part[0] != "word"]
            return " | ".join(dict.fromkeys(parts))
        if kind == "object":
            if not inside:
                return "dict[str, Any]"
            name = f"{owner}{''.join(part.title() for part in field.split('_'))}"
            self.done.setdefault(name, self.structure(name, "", made))
            return self.name(name)
        raise TypeError(f"{owner}.{field}: {made}")


HEAD = '''"""The types of results. Written by `python python/tools/write_types.py` from the core's own types; a test fails where
the two part. A report reads as its `…Dict`; a key that it has not is an error of a type checker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, overload

from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import NotRequired


'''


def reports(writer: Writer) -> str:
    text = ""
    for study, made, of in REPORTS:
        docs, (kind, fields) = writer.types[of]
        assert kind == "object", of
        name = writer.name(of)
        text += f'class {made}(Report):\n    """A report of ``{study}``."""\n\n    if TYPE_CHECKING:\n'
        # Two overloads are the fewest: a key that is none is refused whatever their number.
        several = len(fields) > 1
        for field, given, _, _ in fields:
            if several:
                text += (
                    "\n        @overload  # type: ignore[override]\n"
                    if field == fields[0][0]
                    else "\n        @overload\n"
                )
            ignored = "" if several else "  # type: ignore[override]"
            text += f'        def __getitem__(self, key: Literal["{field}"], /) -> {writer.of(given, of, field)}: ...{ignored}\n'
        if several:
            text += "\n        def __getitem__(self, key: Any, /) -> Any: ...\n"
        text += f"\n        def to_dict(self) -> {name}: ...  # type: ignore[override]\n\n\n"
    rows = "".join(f'    "{study}": {made},\n' for study, made, _ in REPORTS)
    return text + f"#: The class of each study's reports.\nOF: dict[str, type[Report]] = {{\n{rows}}}\n"


def types() -> str:
    """The text of the module."""
    declared = (ROOT / "www" / "types" / "core.d.ts").read_text(encoding="utf-8")
    found = {name: (docs, made) for name, docs, made in Parser(declared + DOCUMENTS).declarations()}
    writer = Writer(found)
    for name in [*(of for _, _, of in REPORTS), *BESIDES, *SETTINGS]:
        writer.reach(name)
    # What a class stands on comes before it, and so it was reached before.
    text = HEAD + "".join(writer.done[name] for name in ordered(writer)) + reports(writer)
    how = ["-m", "ruff", "format", "--no-cache", "--quiet", "--line-length", "110", "-"]
    made = subprocess.run([sys.executable, *how], input=text, stdout=subprocess.PIPE, text=True, check=True)
    return made.stdout


def ordered(writer: Writer) -> list[str]:
    """Names, bases before what is made of them."""
    found: list[str] = []

    def visit(name: str) -> None:
        if name in found:
            return
        for made in re.findall(r"^class \w+\(([\w, ]+)\):", writer.done[name], re.M):
            for base in made.split(", "):
                if base in writer.done:
                    visit(base)
        found.append(name)

    for name in sorted(writer.done):
        visit(name)
    return found


if __name__ == "__main__":
    TARGET.write_text(types(), encoding="utf-8", newline="\n")
