"""Errors that raters, or metrics, marked in translations: files of any format that says what was marked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.judged.esa import read_esa, read_esa_ratings
from metaphrase.corpus.formats.judged.mqm_weights import GOOGLE, MqmWeights
from metaphrase.corpus.formats.judged.pearmut import read_pearmut
from metaphrase.corpus.lines import FilePath, cannot_read
from metaphrase.corpus.opening.corpus_file import open_corpus_file
from metaphrase.corpus.opening.ratings import read_ratings
from metaphrase.corpus.ratings import Item, Ratings
from metaphrase.errors import InputError

#: Formats whose segments are numbers of lines of the test set, so that references can be joined.
_NUMBERED = ("mqm", "marot")


def read_marked_errors(
    paths: Sequence[FilePath],
    *,
    language_pair: str | None = None,
    references: Sequence[Sequence[str]] = (),
    texts: str | None = None,
    weights: MqmWeights = GOOGLE,
) -> list[Ratings]:
    """The ratings of each data set and language pair; those without marked errors are left as they are.

    ``language_pair`` is that of files that do not say it. ``references``, each of the whole test set, are for
    MQM, ``texts`` for ESA: a corpus with documents.

    >>> [ratings.name for ratings in read_marked_errors(["error-spans.jsonl"])]
    ['example']
    """
    found = []
    for path in map(str, paths):
        form = format_of(path)
        if form is None and not os.path.exists(path):
            raise cannot_read(path, path, FileNotFoundError())
        name = "" if form is None else form.name
        if name == "esa-jsonl":
            some = read_esa_ratings(path)
            if texts is not None:
                some = list(_with_texts(some, path, texts))
        elif name == "pearmut":
            some = [read_pearmut(path)]
        else:
            some = read_ratings([path], weights=weights)
        if references and name in _NUMBERED:
            some = [_with_references(one, references) for one in some]
        found += some
    return [replace(one, language_pair=one.language_pair or language_pair or "") for one in found]


def _with_references(ratings: Ratings, references: Sequence[Sequence[str]]) -> Ratings:
    length = min(map(len, references))
    if any(len(reference) != length for reference in references):
        raise InputError(
            "MP102",
            "References have different numbers of segments.",
            hint="Every reference needs one text for each segment.",
        )

    def joined(item: Item) -> Item:
        number = int(item.segment)
        if number > length:
            raise InputError(
                "MP181",
                f"Segment {number} was judged, but references have {length}.",
                path=ratings.path,
                hint="Give references of the whole test set in its order.",
            )
        return replace(item, references=tuple(reference[number - 1] for reference in references))

    return replace(ratings, items={name: joined(item) for name, item in ratings.items.items()})


def _with_texts(found: Sequence[Ratings], path: str, texts: str) -> Iterator[Ratings]:
    corpus = Corpus.join(open_corpus_file(texts, empty_references="keep"))
    table = read_esa(path)
    for ratings in found:
        rows = [row for row in table.rows if row.language_pair == ratings.language_pair]
        offset = table.offset(rows, corpus)

        def joined(item: Item, offset: int = offset) -> Item:
            row = int(item.segment) + offset
            return replace(
                item, references=tuple(corpus.text(r, row) for r in corpus.references_of(row))
            )

        yield replace(ratings, items={name: joined(one) for name, one in ratings.items.items()})
