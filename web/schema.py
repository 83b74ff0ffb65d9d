"""Writes what pages know of explanations, read off the dataclasses: ``python web/schema.py``.

Each field has a kind, from which TypeScript makes its type (``data/explanation.ts``) and by which values are
checked (``explain/well_formed.ts``). Kinds are told by annotations as they are written, so that a
position in a word list (``Place``) is no other number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import Field, fields, is_dataclass
from pathlib import Path
from sys import modules

from metaphrase.metrics import explanation
from metaphrase.metrics.explanation import Explanation

SCHEMA = Path(__file__).parent / "src" / "data" / "explanation_schema.ts"
_HEAD = """\
/** Written by `python web/schema.py` from metaphrase.metrics.explanation. */

export const SCHEMA = {
"""
_KINDS = {
    "str": "text",
    "float": "number",
    "int": "count",
    "Place": "place",
    "Gap": "gap",
    "Mapping[str, float]": "numbers",
}


def schema() -> str:
    """The table of all records that an explanation is made of."""
    return _HEAD + "".join(map(_record, _reached(Explanation, []))) + "} as const;\n"


def _reached(kind: type, known: list[type]) -> list[type]:
    """The dataclass and those of its fields, each once."""
    known.append(kind)
    for word in re.findall(r"[A-Z]\w+", " ".join(str(one.type) for one in fields(kind))):
        other = getattr(modules[kind.__module__], word, None)
        if isinstance(other, type) and is_dataclass(other) and other not in known:
            _reached(other, known)
    return known


def _record(kind: type) -> str:
    about = (kind.__doc__ or "").split("\n")[0].replace("``", "`")
    return f"  /** {about} */\n  {kind.__name__}: {{\n{''.join(_fields(kind))}  }},\n"


def _fields(kind: type) -> Iterator[str]:
    return (f'    {one.name}: "{_kind(one)}",\n' for one in fields(kind))


def _kind(field: Field[object]) -> str:
    if field.type == "bool":  # what is not said is the default
        return "yes" if field.default is True else "no"
    shape = re.fullmatch(
        r"tuple\[(?P<one>\w+), \.\.\.\]|(?P<perhaps>\w+) \| None|.*", str(field.type)
    )
    assert shape is not None
    one = shape["one"] or shape["perhaps"] or shape[0]
    if one not in _KINDS and not hasattr(explanation, one):
        raise TypeError(f"{field.name}: pages have no kind for {field.type!r}.")
    kind = _KINDS.get(one, one)
    return (
        f"{kind}[]"
        if shape["one"]
        else f"{kind}?"
        if shape["perhaps"] and kind != "number"
        else kind
    )


if __name__ == "__main__":
    SCHEMA.write_text(schema(), encoding="utf-8")
