"""From files to translations to be checked: localisation files, tables, and text line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from metaphrase.checks.pair import Pair
from metaphrase.checks.running import file_pairs
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.registry import Recognised, recognise
from metaphrase.corpus.formats.tables.tsv import table_rows
from metaphrase.corpus.lines import LineReader
from metaphrase.corpus.names import name_systems, shown_path
from metaphrase.corpus.opening import CorpusFiles, open_corpus, read_units
from metaphrase.corpus.opening.unit_corpus import are_units
from metaphrase.errors import InputError

_SOURCES = ("source", "src")
_TARGETS = ("target", "tgt", "translation", "hypothesis", "hyp", "mt")
#: Lines that are read at a time.
_LINES = 1024


@dataclass(frozen=True, slots=True)
class Translation:
    """What is checked together: one file, or one system, from its first pair to its last."""

    name: str
    source_language: str
    language: str
    pairs: Iterator[Pair]


def open_file(path: str, *, source_language: str = "", language: str = "") -> Iterator[Translation]:
    """The translations of a file: one of a localisation file, one for each system of a corpus.

    Languages that are given hold against those that the file declares.
    """
    found = recognise(path)
    if found.has_units:
        file = read_units(found, source_language=source_language, target_language=language)
        pair = source_language or file.source_language, language or file.target_language
        pairs = file_pairs(file, source_language=pair[0], target_language=pair[1])
        yield Translation(path, *pair, pairs)
    elif found.format is not None and found.format.holds == "texts":
        yield from _systems(path, source_language, language)
    else:
        yield Translation(
            shown_path(path), source_language, language, _table(path, source_language, language)
        )


def open_with_source(
    source: str, targets: Sequence[str], *, source_language: str = "", language: str = ""
) -> Iterator[Translation]:
    """A translation for each file of targets, ``FILE`` or ``NAME=FILE``.

    Text belongs together line by line, and localisation files by the ids of their units: string tables of one
    language need the table of the other.
    """
    files = {path: recognise(path) for path in (source, *name_systems(targets).values())}
    if are_units([*files.values()]):
        yield from _joined(files, source, targets, source_language, language)
        return
    for name, path in name_systems(targets).items():
        pairs = _lines(source, path, source_language, language)
        yield Translation(name, source_language, language, pairs)


def _joined(
    files: Mapping[str, Recognised],
    source: str,
    targets: Sequence[str],
    source_language: str,
    language: str,
) -> Iterator[Translation]:
    given = read_units(files[source], source_language=source_language)
    sources = {unit.id: unit.source if unit.source.text else unit.target for unit in given.units}
    for name, path in name_systems(targets).items():
        file = read_units(files[path], target_language=language)
        units = tuple(
            replace(unit, source=text)
            for unit in file.units
            if (text := sources.get(unit.id)) is not None
        )
        if not units:
            raise InputError(
                "MP893", f"No unit has its source in {source}.", path=path, hint="Check the ids."
            )
        pair = (
            source_language or given.source_language or given.target_language,
            language or file.target_language,
        )
        pairs = file_pairs(
            replace(file, units=units), source_language=pair[0], target_language=pair[1]
        )
        yield Translation(name, *pair, pairs)


def _systems(path: str, source_language: str, language: str) -> Iterator[Translation]:
    corpus = Corpus.join(open_corpus(CorpusFiles(corpus=path, empty_references="keep")))
    if corpus.sources is None:
        raise InputError(
            "MP893",
            "The corpus has no sources.",
            path=path,
            hint="Checks compare a translation with its source: add a column 'source'.",
        )
    for name, targets in corpus.systems.items():
        pairs = (
            Pair(source, target, source_language, language, segment=number)
            for number, (source, target) in enumerate(zip(corpus.sources, targets, strict=True), 1)
        )
        yield Translation(f"{path}: {name}", source_language, language, pairs)


def _table(path: str, source_language: str, language: str) -> Iterator[Pair]:
    """The rows of a table with a column of sources and one of targets."""
    with LineReader(path) as reader:
        columns: tuple[str, str] | None = None
        for number, (_, row) in enumerate(table_rows(reader), 1):
            if columns is None:
                columns = _columns(row, path)
            texts = row[columns[0]], row[columns[1]]
            yield Pair(*texts, source_language, language, segment=number, unit=row.get("id"))
    if columns is None:
        raise InputError("MP113", "The table has no rows.", path=path, hint="Give one per segment.")


def _columns(row: dict[str, str], path: str) -> tuple[str, str]:
    names = {name.lower(): name for name in row}
    source = next((names[name] for name in _SOURCES if name in names), None)
    target = next((names[name] for name in _TARGETS if name in names), None)
    if source is None or target is None:
        raise InputError(
            "MP896",
            "This is no localisation file, and no table with columns 'source' and 'target'.",
            path=path,
            hint="Give text line by line as -s SOURCE -i TARGET.",
        )
    return source, target


def _lines(source: str, target: str, source_language: str, language: str) -> Iterator[Pair]:
    """Two files in lock step."""
    with ExitStack() as stack:
        readers = [stack.enter_context(LineReader(path)) for path in (source, target)]
        number = 0
        while True:
            sources, targets = (reader.take(_LINES) for reader in readers)
            if len(sources) != len(targets):
                counts = " and ".join(f"{reader.name} has {reader.count()}" for reader in readers)
                raise InputError(
                    "MP102",
                    f"The files have different numbers of lines: {counts}.",
                    hint="Every file needs one line for each segment.",
                )
            if not sources:
                return
            for texts in zip(sources, targets, strict=True):
                number += 1
                yield Pair(*texts, source_language, language, segment=number)
