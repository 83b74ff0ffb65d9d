"""Texts on the command line that are not plain: WMT's XML, NIST's SGML."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path

from metaphrase.corpus import Corpus
from metaphrase.corpus.format import Format
from metaphrase.corpus.formats import named_format, recognised
from metaphrase.corpus.marked_text import MarkedText, marked_corpus
from metaphrase.corpus.sgml import read_sgml
from metaphrase.errors import InputError, OptionError

#: What a file is called that is so damaged that its beginning does not tell.
_ENDINGS = {".sgm": "sgml-reference", ".sgml": "sgml-reference", ".xml": "wmt-xml"}


def format_of(path: str) -> Format | None:
    """What a file is recognised as, or else named as; pipes are left alone: they can be read once only."""
    if not os.path.isfile(path) and not os.path.isdir(path):
        return None
    endings = {ending.lower() for ending in Path(path).suffixes[-2:]}
    named_so = next((name for ending, name in _ENDINGS.items() if ending in endings), None)
    return recognised(path) or (named_format(named_so) if named_so else None)


def are_sgml(references: list[str], inputs: list[str]) -> bool:
    """Whether the texts are SGML: all of them or none. Any other format but plain text is refused."""
    paths = list(dict.fromkeys([*references, *(named(given)[1] for given in inputs)]))
    formats = {path: format_of(path) for path in paths if path != "-"}
    for path, one in formats.items():
        if one is not None and not one.name.startswith("sgml-"):
            raise InputError(
                "MP609",
                f"The file is {one.description}, not plain text.",
                path=path,
                hint=f"Give it with --corpus {path}" if one.holds == "texts" else "Give texts.",
            )
    found = [path for path, one in formats.items() if one is not None]
    if found and len(found) < len(paths):
        plain = next(path for path in paths if path not in found)
        raise OptionError(
            "MP606",
            f"{'standard input' if plain == '-' else plain} is not SGML, but {found[0]} is.",
            hint="Give all texts as SGML or none.",
        )
    return bool(found)


def read_marked(options: argparse.Namespace) -> Corpus:
    """The corpus of SGML files; a system is called by its sysid, unless the option names it."""
    for name in ("documents", "domains"):
        if getattr(options, name) is not None:
            raise OptionError(
                "MP601", f"SGML has its documents: --{name} says it twice.", hint="Leave it away."
            )
    files = [read_sgml(path) for path in options.references]
    if options.sources is not None:
        files.append(read_sgml(options.sources))
    for given in options.input:
        name, path = named(given)
        marked = read_sgml(path)
        files.append(_renamed(marked, name) if name else marked)
    return marked_corpus(files, empty_references=options.empty_references)


def named(given: str) -> tuple[str, str]:
    """The name and the file of ``NAME=FILE``; the name is empty if there is only a file."""
    name, equals, path = given.partition("=")
    return ("", given) if not equals or os.path.exists(given) else (name, path)


def _renamed(marked: MarkedText, name: str) -> MarkedText:
    systems = marked.versions("system")
    if len(systems) != 1:
        raise InputError(
            "MP603",
            f"The file has {len(systems)} systems, which cannot all be called {name!r}.",
            path=marked.path,
            hint="Name the file alone.",
        )
    documents = tuple(
        replace(document, versions=tuple(replace(v, name=name) for v in document.versions))
        for document in marked.documents
    )
    return replace(marked, documents=documents)
