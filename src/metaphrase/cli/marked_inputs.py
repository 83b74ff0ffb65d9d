"""Texts on the command line that are not plain: WMT's XML, NIST's SGML."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from metaphrase.corpus import Corpus
from metaphrase.corpus.format import Format
from metaphrase.corpus.formats import named_format, recognised
from metaphrase.corpus.lines import STDIN
from metaphrase.corpus.marked_text import MarkedText, Role, marked_corpus
from metaphrase.corpus.sgml import read_sgml
from metaphrase.errors import InputError, OptionError

#: What a file is called that is so damaged that its beginning does not tell.
_ENDINGS = {".sgm": "sgml-reference", ".sgml": "sgml-reference", ".xml": "wmt-xml"}


def format_of(path: str) -> Format | None:
    """What a file, a pipe or standard input is recognised as, or else named as; none is plain text."""
    if path != STDIN and not os.path.exists(path):
        return None
    ending = Path(path.lower().removesuffix(".gz")).suffix
    return recognised(path) or (named_format(_ENDINGS[ending]) if ending in _ENDINGS else None)


def are_sgml(paths: Sequence[str]) -> bool:
    """Whether the texts are SGML: all of them or none. Any other format but plain text is refused."""
    formats = {path: format_of(path) for path in paths}
    for path, one in formats.items():
        if one is not None and not one.name.startswith("sgml-"):
            raise _not_plain(path, one)
    found = [path for path, one in formats.items() if one is not None]
    if found and len(found) < len(formats):
        plain = next(path for path in formats if path not in found)
        raise OptionError(
            "MP606",
            f"{shown_path(plain)} is not SGML, but {shown_path(found[0])} is.",
            hint="Give all texts as SGML or none.",
        )
    return bool(found)


def check_plain(paths: Sequence[str | None]) -> None:
    """Refuse whatever is not one text per line."""
    for path in paths:
        found = None if path is None else format_of(path)
        if path is not None and found is not None:
            raise _not_plain(path, found)


def shown_path(path: str) -> str:
    """What messages call a file."""
    return "standard input" if path == STDIN else path


def _not_plain(path: str, found: Format) -> InputError:
    hint = "Give plain text, one segment per line."
    if found.name == "conllu":
        hint = "Give a file whose name ends in .conllu."
    elif found.holds == "texts" and not found.name.startswith("sgml-"):
        hint = f"Give it with --corpus {path}."
    return InputError(
        "MP609", f"The file is {found.description}, not plain text.", path=path, hint=hint
    )


def read_marked(options: argparse.Namespace) -> Corpus:
    """The corpus of SGML files; a system is called by its sysid, unless the option names it."""
    for name in ("documents", "domains"):
        if getattr(options, name) is not None:
            raise OptionError(
                "MP601", f"SGML has its documents: --{name} says it twice.", hint="Leave it out."
            )
    files = [_read_role(path, "reference") for path in options.references]
    if options.sources is not None:
        files.append(_read_role(options.sources, "source"))
    for given in options.input or [STDIN]:
        name, path = named(given)
        marked = _read_role(path, "system")
        files.append(_renamed(marked, name) if name else marked)
    return marked_corpus(files, empty_references=options.empty_references)


def _read_role(path: str, role: Role) -> MarkedText:
    marked = read_sgml(path)
    if not marked.versions(role):
        roles: tuple[Role, ...] = ("source", "reference", "system")
        other = next(other for other in roles if marked.versions(other))
        raise InputError(
            "MP190",
            f"The file has a {other}, but stands where a {role} belongs.",
            path=marked.path,
            hint="References come first, systems after -i, the source after --sources.",
        )
    return marked


def named(given: str) -> tuple[str, str]:
    """The name and the file of ``NAME=FILE``; the name is empty if there is only a file."""
    name, equals, path = given.partition("=")
    if not equals or os.path.exists(given):
        name, path = "", given
    if not path or (path != given and not name):
        raise OptionError(
            "MP603", f"{given!r} names no file or no system.", hint="Write FILE or NAME=FILE."
        )
    return name, path


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
