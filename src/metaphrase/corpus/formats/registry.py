"""Which file formats there are, and which of them a file is in: every module of this package may have some.

A module of a format has a tuple ``FORMATS``, and that is all that makes it known. Formats of others come from
a file of Python that its user names, or by an entry point of the group ``metaphrase.formats``; these are
looked at only if a file is in none of ours, or a name is none of them.
"""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path

from metaphrase.corpus.formats.foreign import ForeignFormat, foreign_format
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.tables.parquet_file import MAGIC, is_parquet
from metaphrase.corpus.formats.units.file_beginning import decoded_beginning
from metaphrase.corpus.lines import (
    STDIN,
    FilePath,
    LineReader,
    beginning,
    byte_blocks,
    is_read_once,
)
from metaphrase.entry_points import imported, installed, no_plugin
from metaphrase.errors import InputError, OptionError

GROUP = "metaphrase.formats"
#: How much of a file is looked at: lines, and characters of each.
_LINES, _CHARACTERS = 50, 1_000_000
#: Why a file is no lines of UTF-8: another encoding, bytes that are none of it, NUL, no line feed.
_NOT_LINES = ("MP120", "MP121", "MP122", "MP123")


@cache
def formats() -> dict[str, Format]:
    """All formats of ours by name."""
    package = import_module(__package__ or "metaphrase.corpus.formats")
    modules = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return {
        one.name: one
        for module in modules
        for one in getattr(import_module(module.name), "FORMATS", ())
    }


#: Those of files that somebody named, by the file.
_loaded: dict[str, dict[str, Format]] = {}


def load_formats(found: Iterable[Format], path: str) -> bool:
    """Make known the formats that a file of Python defines, in the place of those that it had before."""
    of_file = {one.name: one for one in found}
    others = {name for where, known in _loaded.items() if where != path for name in known}
    for name in of_file:
        if name in formats() or name in others:
            raise OptionError(
                "MP523",
                f"{name!r} is the name of another format, too.",
                path=path,
                hint="Give the new one another name.",
            )
    _loaded[path] = of_file
    return bool(of_file)


@contextmanager
def temporary_formats() -> Iterator[None]:
    """After the block only those are loaded that were before, and what is installed is looked at again."""
    before = dict(_loaded)
    _installed.cache_clear()
    try:
        yield
    finally:
        _installed.cache_clear()
        _loaded.clear()
        _loaded.update(before)


@cache
def _installed() -> dict[str, Format]:
    found = {}
    for name, points in installed(GROUP).items():
        one, origin = imported("format", name, points)
        if not isinstance(one, Format) or one.name != name:
            fault = f"it is no metaphrase.corpus.formats.Format called {name!r}."
            raise no_plugin("format", name, points, origin, fault)
        found[name] = one
    return found


def formats_of_others() -> dict[str, Format]:
    """Those that are not ours by name: of files that were loaded, and of installed distributions."""
    loaded = {name: one for known in _loaded.values() for name, one in known.items()}
    return _installed() | loaded


def find_format(name: str) -> Format | None:
    """The format of a name; only if it is none of ours, those of others are looked for."""
    return formats().get(name) or formats_of_others().get(name)


@dataclass(frozen=True, slots=True)
class Recognised:
    """A file that was looked at, which nobody has to do again.

    Without a ``format`` it is plain text, or not there: then it has no ``head`` either.
    """

    path: str
    head: Head | None
    format: Format | None

    @property
    def foreign(self) -> ForeignFormat | None:
        """What a file is that seems plain text, though it is none; None if it is."""
        return None if self.head is None or self.format else foreign_format(self.head)

    @property
    def description(self) -> str:
        """What messages say that it is."""
        return "plain text" if self.format is None else self.format.description

    @property
    def has_units(self) -> bool:
        """Whether it is a localisation file."""
        return self.format is not None and self.format.holds == "units"


def recognise(path: FilePath) -> Recognised:
    """Look at a file, folder, pipe or standard input: what it is recognised as, or else named as.

    A file that several formats fit is refused: nobody should have to guess which one was taken.
    """
    if os.fspath(path) != STDIN and not os.path.exists(path):
        return Recognised(os.fspath(path), None, None)
    head = head_of(path)
    return Recognised(os.fspath(path), head, format_of_head(head))


def format_of_head(head: Head) -> Format | None:
    """The format of a file that begins so, or is named so."""
    ours = [one for one in formats().values() if one.recognises(head)]
    found = [one for one in ours if not one.is_general]
    others = () if found else formats_of_others().values()
    found = found or [one for one in others if one.recognises(head)] or ours
    if len(found) > 1:
        names = " and ".join(sorted(one.name for one in found))
        raise InputError(
            "MP199",
            f"The file could be {names}.",
            path=head.name,
            hint="Say which it is, with --from NAME.",
        )
    return next(
        chain(found, (one for one in (*formats().values(), *others) if _is_named(head, one))), None
    )


def _is_named(head: Head, one: Format) -> bool:
    return Path(head.name.lower().removesuffix(".gz")).suffix in one.endings


def format_of(path: FilePath) -> Format | None:
    """The format of a file; None is plain text, or not there."""
    return recognise(path).format


def named_format(name: str) -> Format:
    """A format that is read, by its name."""
    found = find_format(name)
    if found is None or found.read is None:
        known = sorted(one.name for one in formats().values() if one.read is not None)
        raise OptionError(
            "MP608", f"there is no format {name!r}.", hint=f"There are {', '.join(known)}."
        )
    return found


def check_plain(paths: Iterable[str | None]) -> None:
    """Refuse whatever is in a format of ours where one text per line belongs."""
    for path in paths:
        file = None if path is None else recognise(path)
        if file is not None and file.format is not None:
            raise not_plain(file)


def refuse_foreign(file: Recognised, *, as_corpus: bool = False) -> None:
    """Refuse what no format reads where plain text belongs, or a corpus, which may be any table."""
    found = file.foreign
    if found is None or (as_corpus and found.is_table):
        return
    raise InputError(
        "MP609",
        f"The file is {found.description}, not {'a corpus' if as_corpus else 'plain text'}.",
        path=file.path,
        hint=f"{found.remedy}." + ("" if as_corpus else " --plain takes it as it is."),
    )


def not_plain(file: Recognised) -> InputError:
    """The error for a file of some format where plain text belongs."""
    found = file.format
    hint = "Give plain text, one segment per line."
    if found is not None and found.name == "conllu":
        hint = "Give a file whose name ends in .conllu."
    elif found is not None and found.holds == "challenges":
        hint = f"Give it to `metaphrase probe {file.path}`."
    elif found is not None and found.holds == "texts" and found.open_corpus is not None:
        hint = f"Give it with --corpus {file.path}."
    return InputError(
        "MP609", f"The file is {file.description}, not plain text.", path=file.path, hint=hint
    )


def head_of(path: FilePath) -> Head:
    """The first lines of a file, decompressed, or the entries of a folder."""
    if os.path.isdir(path):
        return Head(os.fspath(path), (), tuple(sorted(e.name for e in Path(path).iterdir())))
    if is_read_once(path):
        return Head(os.fspath(path), tuple(beginning(path, _LINES)))
    if is_parquet(path):
        return Head(os.fspath(path), (), magic=MAGIC)
    try:
        with LineReader(path) as reader:
            lines = tuple(line[:_CHARACTERS] for line in reader.take(_LINES))
        return Head(os.fspath(path), lines)
    except InputError as error:
        if error.code not in _NOT_LINES:
            raise
        head = _unusual_head(path)
        units = (one for one in formats().values() if one.holds == "units")
        others = formats_of_others().values()
        if any(one.recognises(head) or _is_named(head, one) for one in (*units, *others)):
            return head
        raise


def _unusual_head(path: FilePath) -> Head:
    """The beginning of a file that is not UTF-8: localisation has others, and workbooks are not even text."""
    blocks = byte_blocks(path)
    data = next(blocks, b"")
    blocks.close()
    return Head(os.fspath(path), decoded_beginning(data)[:_LINES], magic=data[:8])
