"""Every file format by name, and which of them a file is in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from metaphrase.corpus.formats import conllu
from metaphrase.corpus.formats.challenges import demetr
from metaphrase.corpus.formats.challenges import tables as challenge_tables
from metaphrase.corpus.formats.foreign import ForeignFormat, foreign_format
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.judged import (
    appraise,
    da_judgements,
    direct_assessment,
    error_spans,
    esa,
    genmt,
    judgement_files,
    marot,
    mqm,
    pearmut,
    ranking_csv,
    rating_sheet,
)
from metaphrase.corpus.formats.markup import sgml, wmt_xml
from metaphrase.corpus.formats.mtme import recognition
from metaphrase.corpus.formats.submissions import files
from metaphrase.corpus.formats.tables import jsonl, parquet, tsv
from metaphrase.corpus.formats.tables.parquet_file import MAGIC, is_parquet
from metaphrase.corpus.formats.units import csv_file, json_strings, po, properties, tmx, xliff, xlsx
from metaphrase.corpus.formats.units.file_beginning import decoded_beginning
from metaphrase.corpus.lines import (
    STDIN,
    FilePath,
    LineReader,
    beginning,
    byte_blocks,
    is_read_once,
)
from metaphrase.errors import InputError, OptionError

#: How much of a file is looked at: lines, and characters of each.
_LINES, _CHARACTERS = 50, 1_000_000
#: Why a file is no lines of UTF-8: another encoding, bytes that are none of it, NUL, no line feed.
_NOT_LINES = ("MP120", "MP121", "MP122", "MP123")
#: All formats that can be recognised; plain text is not among them, for it may be anything.
_FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        *conllu.FORMATS,
        *tsv.FORMATS,
        *jsonl.FORMATS,
        *parquet.FORMATS,
        *judgement_files.FORMATS,
        *direct_assessment.FORMATS,
        *da_judgements.FORMATS,
        *esa.FORMATS,
        *error_spans.FORMATS,
        *genmt.FORMATS,
        *mqm.FORMATS,
        *marot.FORMATS,
        *appraise.FORMATS,
        *pearmut.FORMATS,
        *rating_sheet.FORMATS,
        *ranking_csv.FORMATS,
        *sgml.FORMATS,
        *wmt_xml.FORMATS,
        *recognition.FORMATS,
        *files.FORMATS,
        *challenge_tables.FORMATS,
        *demetr.FORMATS,
        *xliff.FORMATS,
        *po.FORMATS,
        *tmx.FORMATS,
        *csv_file.FORMATS,
        *xlsx.FORMATS,
        *properties.FORMATS,
        *json_strings.FORMATS,
    )
}
_UNITS = tuple(one for one in _FORMATS.values() if one.holds == "units")


def named_format(name: str) -> Format:
    """A format by its name."""
    if name not in _FORMATS:
        known = ", ".join(sorted(_FORMATS))
        raise OptionError("MP608", f"there is no format {name!r}.", hint=f"There are {known}.")
    return _FORMATS[name]


def format_of(path: FilePath) -> Format | None:
    """What a file, folder, pipe or standard input is recognised as, or else named as.

    None is plain text, or not there. A file that several formats fit is refused: nobody should have to guess
    which one was taken.
    """
    if os.fspath(path) != STDIN and not os.path.exists(path):
        return None
    head = head_of(path)
    found = [one for one in _FORMATS.values() if one.recognises(head)]
    if len(found) > 1:
        names = " and ".join(sorted(one.name for one in found))
        raise InputError(
            "MP199",
            f"The file could be {names}.",
            path=path,
            hint="Say which it is, with --from NAME.",
        )
    return next(iter(found), None) or next(
        (one for one in _FORMATS.values() if _is_named(head, one)), None
    )


def _is_named(head: Head, one: Format) -> bool:
    return Path(head.name.lower().removesuffix(".gz")).suffix in one.endings


def check_plain(paths: Sequence[str | None]) -> None:
    """Refuse whatever is not one text per line."""
    for path in paths:
        found = None if path is None else format_of(path)
        if path is not None and found is not None:
            raise not_plain(path, found)


def foreign_format_of(path: FilePath) -> ForeignFormat | None:
    """What a file is that ``format_of`` takes for plain text, though it is none; None if it is."""
    if os.fspath(path) != STDIN and not os.path.exists(path):
        return None
    return foreign_format(head_of(path))


def refuse_foreign(path: str, *, as_corpus: bool = False) -> None:
    """Refuse what no format reads where plain text belongs, or a corpus, which may be any table."""
    found = foreign_format_of(path)
    if found is None or (as_corpus and found.is_table):
        return
    raise InputError(
        "MP609",
        f"The file is {found.description}, not {'a corpus' if as_corpus else 'plain text'}.",
        path=path,
        hint=f"{found.remedy}." + ("" if as_corpus else " --plain takes it as it is."),
    )


def not_plain(path: str, found: Format) -> InputError:
    """The error for a file of some format where plain text belongs."""
    hint = "Give plain text, one segment per line."
    if found.name == "conllu":
        hint = "Give a file whose name ends in .conllu."
    elif found.holds == "challenges":
        hint = f"Give it to `metaphrase probe {path}`."
    elif found.holds == "texts" and not sgml.is_sgml(found):
        hint = f"Give it with --corpus {path}."
    return InputError(
        "MP609", f"The file is {found.description}, not plain text.", path=path, hint=hint
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
        if any(one.recognises(head) or _is_named(head, one) for one in _UNITS):
            return head
        raise


def _unusual_head(path: FilePath) -> Head:
    """The beginning of a file that is not UTF-8: localisation has others, and workbooks are not even text."""
    blocks = byte_blocks(path)
    data = next(blocks, b"")
    blocks.close()
    return Head(os.fspath(path), decoded_beginning(data)[:_LINES], magic=data[:8])
