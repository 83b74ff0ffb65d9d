"""Errors that somebody predicts in rated translations: a metric, a file, or nobody with any sense.

The last are baselines that look silly and are hard to beat: everything is marked, or whatever the alignment
of words with the reference leaves over, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.ratings import Item, MarkedError, Rating, Ratings
from metaphrase.errors import InputError
from metaphrase.languages import language_code, same_pair
from metaphrase.metrics import Metric
from metaphrase.metrics.repairs.alignment import AlignedTexts, align

#: What was marked in each translation, by the id of its item; nothing is known of those that are not there.
Marked = Mapping[str, Sequence[MarkedError]]
#: Translations that are looked at at a time.
_CHUNK = 256
_MINOR = "minor"


def target_language(gold: Ratings) -> str:
    """The language of the translations: ``en`` of ``de-en``."""
    return language_code(gold.language_pair.rpartition("-")[2])


def metric_spans(
    gold: Ratings,
    metric: Metric,
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Sequence[MarkedError]]:
    """The errors that a metric marks, beside the reference that the translation scores best with.

    >>> (gold,) = metaphrase.corpus.opening.read_marked_errors(["error-spans.jsonl"])
    >>> found = metaphrase.meta.metric_spans(gold, metaphrase.Chrf())
    >>> found["b\\tstory\\t8"][0].category, len(found)
    ('wrong word', 24)
    """
    found: dict[str, Sequence[MarkedError]] = {}
    for items in _chunks(gold):
        for item in items:
            if not any(item.references):
                raise _no_references(gold, item)
        columns = list(zip(*(item.references for item in items), strict=True))
        marked = metric.error_spans(
            [item.hypothesis for item in items],
            columns,
            sources=[item.source for item in items],
            threads=threads,
        )
        found.update(zip((item.id for item in items), marked, strict=True))
        if progress is not None:
            progress(len(found))
    return found


def file_spans(gold: Ratings, predicted: Sequence[Ratings]) -> dict[str, Marked]:
    """What each rater of ``predicted`` marked in the translations of ``gold``, by the rater's name.

    Translations are joined by system, document and segment, or by system and segment where one side has no
    documents; their texts must be the same. Whatever else the files have is passed over.
    """
    places = _Places(gold)
    found: dict[str, dict[str, Sequence[MarkedError]]] = {}
    chosen = _same_texts(gold, predicted)
    for ratings in chosen:
        names = _names(ratings, [one for one in chosen if one.path != ratings.path])
        for rating, item in ratings.of_kind("target"):
            own = places.of(item)
            if own is None or rating.errors is None:
                continue
            if own.hypothesis != item.hypothesis:
                raise _another_text(ratings, rating, item)
            marked = found.setdefault(names[rating.judge], {})
            if own.id in marked:
                raise InputError(
                    "MP780",
                    f"{shown(names[rating.judge])} has marked the translation of {shown(item.system)} for "
                    f"segment {shown(item.segment)} twice.",
                    path=ratings.path,
                    line=rating.line,
                    hint="Name each file once.",
                )
            marked[own.id] = rating.errors
    if not found:
        raise _nothing_in_common(gold, predicted, chosen)
    return dict(found)


def everything(gold: Ratings) -> dict[str, Sequence[MarkedError]]:
    """The whole of each translation."""
    return {
        item.id: (MarkedError(_MINOR, span=(0, len(item.hypothesis))),) if item.hypothesis else ()
        for item in _items(gold)
    }


def nothing(gold: Ratings) -> dict[str, Sequence[MarkedError]]:
    """No errors at all."""
    return {item.id: () for item in _items(gold)}


def unaligned(
    gold: Ratings, *, threads: int = 1, progress: Callable[[int], None] | None = None
) -> dict[str, Sequence[MarkedError]]:
    """The words of each translation for which its reference has none, neighbours as one.

    Of several references the one that leaves over the fewest characters counts.
    """
    found: dict[str, Sequence[MarkedError]] = {}
    language = target_language(gold)
    for items in _chunks(gold):
        if not items[0].references:
            continue
        texts = [item.hypothesis for item in items]
        best: list[list[tuple[int, int]] | None] = [None] * len(items)
        for column in zip(*(item.references for item in items), strict=True):
            for row, aligned in enumerate(align(texts, column, language, threads=threads)):
                spans = _left_over(aligned)
                known = best[row]
                if known is None or _length(spans) < _length(known):
                    best[row] = spans
        for item, chosen in zip(items, best, strict=True):
            found[item.id] = tuple(MarkedError(_MINOR, span=span) for span in chosen or ())
        if progress is not None:
            progress(len(found))
    return found


def _left_over(aligned: AlignedTexts) -> list[tuple[int, int]]:
    words = aligned.hypothesis.words
    linked = {own for own, _ in aligned.relations}
    alone = [number not in linked for number in range(len(words))]
    borders = [
        number
        for number in range(len(words) + 1)
        if number in (0, len(words)) or alone[number] != alone[number - 1]
    ]
    return [
        (words[start].start, words[end - 1].end) for start, end in pairwise(borders) if alone[start]
    ]


def _length(spans: Sequence[tuple[int, int]]) -> int:
    return sum(end - start for start, end in spans)


def _items(gold: Ratings) -> Iterator[Item]:
    return (item for item in gold.items.values() if item.kind == "target")


def _chunks(gold: Ratings) -> Iterator[list[Item]]:
    """The translations, some at a time, all of which have as many references."""
    by_references: dict[int, list[Item]] = {}
    for item in _items(gold):
        by_references.setdefault(len(item.references), []).append(item)
    for items in by_references.values():
        for start in range(0, len(items), _CHUNK):
            yield items[start : start + _CHUNK]


class _Places:
    """Finds the translation of gold that stands for one of another file."""

    def __init__(self, gold: Ratings) -> None:
        self._whole: dict[tuple[str, str, str], Item] = {}
        self._short: dict[tuple[str, str], list[Item]] = {}
        for item in _items(gold):
            self._whole[item.system, item.document, item.segment] = item
            self._short.setdefault((item.system, item.segment), []).append(item)

    def of(self, item: Item) -> Item | None:
        found = self._whole.get((item.system, item.document, item.segment))
        if found is not None:
            return found
        others = self._short.get((item.system, item.segment), [])
        if len(others) == 1 and not (item.document and others[0].document):
            return others[0]
        return None


def _same_texts(gold: Ratings, predicted: Sequence[Ratings]) -> list[Ratings]:
    """Those of the language pair, and of the data set if any of a file is of that name."""
    found = []
    for path in dict.fromkeys(ratings.path for ratings in predicted):
        pair = [
            ratings
            for ratings in predicted
            if ratings.path == path
            and (
                not (ratings.language_pair and gold.language_pair)
                or same_pair(ratings.language_pair, gold.language_pair)
            )
        ]
        found += [ratings for ratings in pair if ratings.name == gold.name] or pair
    return found


def _names(ratings: Ratings, others: Sequence[Ratings]) -> dict[str, str]:
    """What each rater's spans are called: by the rater, and by the file if several have such a rater."""
    stem = Path(ratings.path or ratings.name).name.partition(".")[0]
    taken = {judge for one in others for judge in one.judges}
    return {
        judge: stem if not judge else f"{stem}: {judge}" if judge in taken else judge
        for judge in ratings.judges
    }


def _nothing_in_common(
    gold: Ratings, predicted: Sequence[Ratings], chosen: Sequence[Ratings]
) -> InputError:
    """Which names no translation of both sides has, of systems before those of segments."""
    names = [("language pairs", [gold.language_pair], [one.language_pair for one in predicted])]
    own, others = list(_items(gold)), [item for ratings in chosen for item in _items(ratings)]
    if chosen:
        names = [
            ("systems", [one.system for one in own], [one.system for one in others]),
            ("documents", [one.document for one in own], [one.document for one in others]),
            ("segments", [one.segment for one in own], [one.segment for one in others]),
        ]
    told = ""
    for what, rated, marked in names:
        if all(rated) and all(marked) and set(rated).isdisjoint(marked):
            told = f": {what} are {_some(rated)} among the ratings, {_some(marked)} here"
            break
    return InputError(
        "MP780",
        f"None of the rated translations has predicted spans{told}.",
        path=predicted[0].path if predicted else None,
        hint="Files are joined by language pair, system, document and segment: give them the same names.",
    )


def _some(names: Iterable[str]) -> str:
    known = list(dict.fromkeys(names))
    return ", ".join(map(shown, known[:3])) + (" …" if len(known) > 3 else "")


def _another_text(ratings: Ratings, rating: Rating, item: Item) -> InputError:
    return InputError(
        "MP780",
        f"The translation of {shown(item.system)} for segment {shown(item.segment)} is another one than the "
        "one that was rated.",
        path=ratings.path,
        line=rating.line,
        hint="Spans are places of characters: mark errors in the very texts that were rated.",
    )


def _no_references(gold: Ratings, item: Item) -> InputError:
    return InputError(
        "MP780",
        f"The translation of {shown(item.system)} for segment {shown(item.segment)} has no reference, which "
        "metrics need.",
        path=gold.path,
        hint="Give references (--references FILE), or spans that were predicted already (--spans FILE).",
    )
