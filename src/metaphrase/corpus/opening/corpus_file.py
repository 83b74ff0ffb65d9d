"""One file or folder that has all the texts: TSV, JSONL, Parquet, WMT's XML or a tree of mt-metrics-eval."""

from __future__ import annotations

import os
from collections.abc import Iterator

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats import (
    format_of,
    is_named_jsonl,
    markup_corpus,
    open_jsonl,
    open_parquet,
    open_tsv,
    read_mtme,
    refuse_foreign,
)
from metaphrase.corpus.formats.mtme.tree import language_pairs
from metaphrase.corpus.formats.tables.layout import ColumnNames
from metaphrase.corpus.formats.units.csv_file import CSV_CORPUS
from metaphrase.corpus.formats.units.xlsx import XLSX_CORPUS, is_corpus
from metaphrase.corpus.opening.names import pair_and_file
from metaphrase.corpus.opening.unit_corpus import unit_file_corpus
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import same_pair

_TABLES = ("tsv", "jsonl", "parquet", "judgements-tsv", "csv", "csv-corpus", "xlsx")


def open_corpus_file(
    given: str, *, empty_references: EmptyReferences, columns: ColumnNames | None = None
) -> Iterator[Corpus]:
    """All texts of ``FILE``, in whichever format; of a folder with several pairs those of ``LP=FOLDER``.

    ``columns`` are the names of a table's columns by role.
    """
    pair, path = pair_and_file(given)
    if pair is not None and not os.path.exists(path):
        raise InputError("MP110", "There is no such file.", path=given, hint="Check the path.")
    found = format_of(path)
    name = "" if found is None else found.name
    if pair is not None and name != "mtme":
        raise InputError(
            "MP609",
            "This is no folder with language pairs to choose from.",
            path=path,
            hint="Give the file alone, or LP=FOLDER for the folder of an mt-metrics-eval test set.",
        )
    if columns and found is not None and name not in _TABLES:
        raise OptionError(
            "MP108",
            f"--columns is for tables, but {path} is {found.description}.",
            hint="Leave it out.",
        )
    if found is not None and name == "wmt-xml":
        return iter([markup_corpus([found.read(path)], empty_references=empty_references)])
    if name == "mtme":
        return iter([_read_tree(path, pair, empty_references)])
    if name == "csv-corpus" or (name == "csv" and columns):
        return CSV_CORPUS.open(path, columns=columns, empty_references=empty_references)
    if name == "xlsx" and (columns or is_corpus(path)):
        return XLSX_CORPUS.open(path, columns=columns, empty_references=empty_references)
    if found is not None and found.holds == "units":
        return iter([unit_file_corpus(path, empty_references=empty_references)])
    if found is not None and name not in _TABLES:
        raise InputError(
            "MP609",
            f"The file is {found.description}, not a corpus.",
            path=path,
            hint="A corpus is a table (TSV, CSV, .xlsx, Parquet), JSONL, WMT's XML, XLIFF with matches, or a "
            "folder of mt-metrics-eval.",
        )
    if found is None:
        refuse_foreign(path, as_corpus=True)
    by_name = found is None and is_named_jsonl(path)
    if name == "parquet":
        return open_parquet(path, columns=columns, empty_references=empty_references)
    opener = open_jsonl if by_name or name == "jsonl" else open_tsv
    return opener(path, columns=columns, empty_references=empty_references)


def _read_tree(folder: str, pair: str | None, empty_references: EmptyReferences) -> Corpus:
    pairs = language_pairs(folder)
    if len(pairs) > 1 and not any(pair is not None and same_pair(pair, one) for one in pairs):
        raise InputError(
            "MP169",
            "The tree has several language pairs." if pair is None else f"It has no pair {pair}.",
            path=folder,
            hint=f"Choose one of {', '.join(pairs)}: --corpus {pairs[0]}={folder}",
        )
    mtme = read_mtme(folder, language_pair=pair, metric_scores=False)
    try:
        return mtme.as_corpus(empty_references=empty_references)
    except InputError as error:
        raise error.at(folder) from None
