"""From lines of rankings to judgements: systems by name, pairs put together, texts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.judged.texts import SystemNames, judged_text, none_counts
from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder, Ranking
from metaphrase.errors import InputError


@dataclass(frozen=True, slots=True)
class RankedSegment:
    """One line: what a judge said of the segment at ``position`` (from 1) of the test set.

    ``systems`` are ids as the file has them, one for each item that was ranked. ``ranking`` tells which
    pairs were one ranking, None where a line is a whole one.
    """

    line: int
    language_pair: str
    position: int
    judge: str
    systems: tuple[str, ...]
    ranks: tuple[int, ...]
    ranking: str | None


@dataclass(frozen=True, slots=True)
class _Order:
    """A ranking of systems by name; ``items`` tells which of them were shown as one text."""

    line: int
    position: int
    judge: str
    systems: tuple[str, ...]
    ranks: tuple[int, ...]
    items: tuple[int, ...]


def joined(
    rankings: Sequence[RankedSegment],
    corpus: Corpus | None,
    language_pair: str,
    name: str,
    systems: SystemNames,
    *,
    path: str | None,
) -> Judgements:
    """The rankings with the texts of the corpus; without one, without any text."""
    builder = JudgementsBuilder(name, language_pair)

    def place(order: _Order, system: str) -> tuple[int, int]:
        document, text = "", JudgedText("", ())
        if corpus is not None:
            document, text = judged_text(corpus, system, order.position, path=path, line=order.line)
        return builder.place(system, document, str(order.position), text)

    for order in _whole(_named(rankings, systems, corpus, path)):
        if len(set(order.items)) < 2:  # nothing is said by the rank of a single text
            continue
        rows, segments = zip(*(place(order, system) for system in order.systems), strict=True)
        ranking = Ranking(segments[0], order.judge, rows, order.ranks, order.items)
        builder.rankings.append(ranking)
    if not builder.rankings:
        raise none_counts(path, "A ranking needs two systems or more that have a rank and texts.")
    judged = builder.build()
    if corpus is not None:
        return judged
    return replace(judged, texts=(), text_of=np.full_like(judged.text_of, -1))


def _named(
    rankings: Sequence[RankedSegment],
    systems: SystemNames,
    corpus: Corpus | None,
    path: str | None,
) -> Iterator[tuple[str | None, _Order]]:
    """Each line with the names of its systems, and the ranking that it was part of."""
    known = None if corpus is None else corpus.systems
    found: dict[str, tuple[str, ...]] = {}
    for ranking in rankings:
        names: list[str] = []
        ranks: list[int] = []
        items: list[int] = []
        for item, (ids, rank) in enumerate(zip(ranking.systems, ranking.ranks, strict=True)):
            if ids not in found:
                found[ids] = systems.of(ids, known, path=path, line=ranking.line)
            for name in found[ids]:
                if name in names:
                    raise ranked_twice(name, path, ranking.line)
            names += found[ids]
            ranks += [rank] * len(found[ids])
            items += [item] * len(found[ids])
        order = _Order(
            ranking.line,
            ranking.position,
            ranking.judge,
            tuple(names),
            tuple(ranks),
            tuple(items),
        )
        yield ranking.ranking, order


def ranked_twice(system: str, path: str | None, line: int) -> InputError:
    """The error for a system that cannot be better or worse than itself."""
    return InputError(
        "MP178",
        f"The system {shown(system)} is ranked twice.",
        path=path,
        line=line,
        hint="A ranking has each system once.",
    )


def _whole(orders: Iterable[tuple[str | None, _Order]]) -> Iterator[_Order]:
    """The rankings in order of appearance, those that were taken apart put together again."""
    groups: dict[object, list[_Order]] = {}
    for number, (ranking, order) in enumerate(orders):
        # An id of its own for each line that is a ranking already; the same id elsewhere is another.
        unknown = ranking in (None, "", "-1")
        key = number if unknown else (ranking, order.judge, order.position)
        groups.setdefault(key, []).append(order)
    for pairs in groups.values():
        whole = _put_together(pairs) if len(pairs) > 1 else None
        yield from pairs if whole is None else [whole]


def _put_together(pairs: Sequence[_Order]) -> _Order | None:
    """The ranking of which these are all pairs; None if they are not, or contradict each other.

    Systems that were shown as one text are compared with the others, not with each other: they have one
    rank, and the same systems beside them. So the pairs are complete where each system is compared
    once with every system that is not of its own text.
    """
    ranks: dict[str, int] = {}
    beside: dict[str, set[str]] = {}
    for pair in pairs:
        for system, rank in zip(pair.systems, pair.ranks, strict=True):
            if ranks.setdefault(system, rank) != rank:
                return None
        for one, item in zip(pair.systems, pair.items, strict=True):
            for other, its in zip(pair.systems, pair.items, strict=True):
                if item == its:
                    continue
                if one == other or other in beside.setdefault(one, set()):
                    return None
                beside[one].add(other)
    texts: dict[tuple[int, frozenset[str]], list[str]] = {}
    for system, rank in ranks.items():
        texts.setdefault((rank, frozenset(beside.get(system, ()))), []).append(system)
    if any(len(others) + len(alike) != len(ranks) for (_, others), alike in texts.items()):
        return None
    item_of = {system: item for item, alike in enumerate(texts.values()) for system in alike}
    systems = tuple(sorted(ranks))
    return replace(
        pairs[0],
        systems=systems,
        ranks=tuple(ranks[system] for system in systems),
        items=tuple(item_of[system] for system in systems),
    )
