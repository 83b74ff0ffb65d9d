"""Every file format by name, and which of them a file is in."""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

from metaphrase.corpus.format import Format, Head
from metaphrase.corpus.jsonl import read_jsonl, write_jsonl
from metaphrase.corpus.judgement_files import read_judgements
from metaphrase.corpus.lines import FilePath, LineReader, beginning, is_read_once
from metaphrase.corpus.tsv import read_tsv, write_tsv
from metaphrase.errors import InputError, OptionError

#: Modules with a tuple ``FORMATS``.
_MODULES = ("direct_assessment", "mqm", "mtme", "ranking_csv", "sgml", "submissions", "wmt_xml")
#: How much of a file is looked at: lines, and characters of each.
_LINES, _CHARACTERS = 50, 1_000_000
_REFERENCE_COLUMNS = {"reference", "reference1", "references", "ref", "ref1", "refs"}
_JUDGEMENT_COLUMNS = {"set", "lp", "system", "seg", "references", "hypothesis", "human"}


def formats() -> dict[str, Format]:
    """All formats that can be recognised, by name; plain text is not among them, for it may be anything."""
    modules = [import_module(f"metaphrase.corpus.{name}") for name in _MODULES]
    known = [*_TABLES, *(one for module in modules for one in module.FORMATS)]
    return {one.name: one for one in known}


def named_format(name: str) -> Format:
    """A format by its name."""
    known = formats()
    if name not in known:
        raise OptionError(
            "MP608", f"there is no format {name!r}.", hint=f"There are {', '.join(sorted(known))}."
        )
    return known[name]


def recognised(path: FilePath) -> Format | None:
    """The format of a file or folder, or none if it is in none of them, as plain text is.

    A file that several formats fit is refused: nobody should have to guess which one was taken.
    """
    head = head_of(path)
    found = [one for one in formats().values() if one.recognises(head)]
    if len(found) > 1:
        names = " and ".join(sorted(one.name for one in found))
        raise InputError(
            "MP199",
            f"The file could be {names}.",
            path=path,
            hint="Say which it is, with --from NAME.",
        )
    return found[0] if found else None


def head_of(path: FilePath) -> Head:
    """The first lines of a file, decompressed, or the entries of a folder."""
    if os.path.isdir(path):
        return Head(os.fspath(path), (), tuple(sorted(e.name for e in Path(path).iterdir())))
    if is_read_once(path):
        return Head(os.fspath(path), tuple(beginning(path, _LINES)))
    with LineReader(path) as reader:
        lines = tuple(line[:_CHARACTERS] for line in reader.take(_LINES))
    return Head(os.fspath(path), lines)


def _header(head: Head) -> set[str]:
    return set(head.lines[0].split("\t")) if head.lines else set()


def _is_tsv(head: Head) -> bool:
    names = _header(head)
    return len(names) > 1 and bool(names & _REFERENCE_COLUMNS) and not names >= _JUDGEMENT_COLUMNS


def _is_judgements(head: Head) -> bool:
    return _header(head) >= _JUDGEMENT_COLUMNS


def _first_object(head: Head) -> dict[str, object]:
    try:
        row = json.loads(head.lines[0]) if head.lines else None
    except (ValueError, RecursionError):
        row = None
    return row if isinstance(row, dict) else {}


def _is_jsonl(head: Head) -> bool:
    """An object with a reference; any other may be text, unless the file's name says that it is none."""
    row = _first_object(head)
    named = head.name.removesuffix(".gz").endswith(".jsonl")
    return bool(row) and (named or bool(row.keys() & _REFERENCE_COLUMNS)) and not _is_rankings(head)


def _is_rankings(head: Head) -> bool:
    return "items" in _first_object(head)


def _is_conllu(head: Head) -> bool:
    rows = [line.split("\t") for line in head.lines if line and not line.startswith("#")]
    return bool(rows) and all(len(row) == 10 and row[0][:1].isdigit() for row in rows)


def _read_conllu(path: FilePath) -> Any:
    from metaphrase.analysis import read_conllu

    return list(read_conllu(path))


_TABLES = (
    Format(
        name="conllu",
        holds="texts",
        description="CoNLL-U, analysed text",
        recognises=_is_conllu,
        read=_read_conllu,
    ),
    Format(
        name="tsv",
        holds="texts",
        description="a table of texts with a header, wide or long",
        recognises=_is_tsv,
        read=read_tsv,
        write=write_tsv,
    ),
    Format(
        name="jsonl",
        holds="texts",
        description="texts, one JSON object per line, wide or long",
        recognises=_is_jsonl,
        read=read_jsonl,
        write=write_jsonl,
    ),
    Format(
        name="judgements-tsv",
        holds="judgements",
        description="texts with human scores in a table",
        recognises=_is_judgements,
        read=read_judgements,
    ),
    Format(
        name="rankings-jsonl",
        holds="judgements",
        description="texts that people ranked, one ranking per line",
        recognises=_is_rankings,
        read=read_judgements,
    ),
)
