"""One file or folder that has all the texts, in whichever format."""

from __future__ import annotations

import os
from collections.abc import Iterator

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.registry import named_format, recognise, refuse_foreign
from metaphrase.corpus.formats.tables.jsonl import is_named_jsonl
from metaphrase.corpus.formats.tables.layout import ColumnNames
from metaphrase.corpus.names import pair_and_file
from metaphrase.corpus.opening.unit_corpus import unit_file_corpus
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError, OptionError


def open_corpus_file(
    given: str, *, empty_references: EmptyReferences, columns: ColumnNames | None = None
) -> Iterator[Corpus]:
    """All texts of ``FILE``, in whichever format; of a folder with several pairs those of ``LP=FOLDER``.

    ``columns`` are the names of a table's columns by role.
    """
    pair, path = pair_and_file(given)
    if pair is not None and not os.path.exists(path):
        raise InputError("MP110", "There is no such file.", path=given, hint="Check the path.")
    file = recognise(path)
    found = file.format
    if pair is not None and (found is None or "pair" not in found.options):
        raise InputError(
            "MP609",
            "This is no folder with language pairs to choose from.",
            path=path,
            hint="Give the file alone, or LP=FOLDER for the folder of an mt-metrics-eval test set.",
        )
    if columns and found is not None and "columns" not in found.options:
        raise OptionError(
            "MP109",
            f"--columns is for tables, but {path} is {found.description}.",
            hint="Leave it out.",
        )
    if found is None:
        refuse_foreign(file, as_corpus=True)
        found = named_format("jsonl" if is_named_jsonl(path) else "tsv")
    if found.open_corpus is not None:
        asked = found.given(columns=columns, pair=pair)
        corpus = found.open_corpus(path, empty_references=empty_references, **asked)
        if corpus is not None:
            return corpus
    if found.open_units is not None:
        return iter([unit_file_corpus(file, empty_references=empty_references)])
    raise InputError(
        "MP609",
        f"The file is {found.description}, not a corpus.",
        path=path,
        hint="A corpus is a table (TSV, CSV, .xlsx, Parquet), JSONL, WMT's XML, XLIFF with matches, or a "
        "folder of mt-metrics-eval.",
    )
