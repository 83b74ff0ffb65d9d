"""What each judge said: files of any tool, joined with the key of the sample that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from metaphrase.corpus.formats.judged.appraise import item_id, written_system
from metaphrase.corpus.formats.judged.mqm_weights import GOOGLE, MqmWeights
from metaphrase.corpus.formats.judged.sample_key import SampleKey
from metaphrase.corpus.formats.registry import Recognised, recognise
from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.ratings import Item, Kind, MarkedError, Protocol, Rating, Ratings
from metaphrase.errors import InputError


def says_who_judged(path: str) -> bool:
    """Whether a file has what single judges said, and no rankings."""
    file = recognise(path)
    if file.format is None or file.head is None or file.format.open_ratings is None:
        return False
    return file.format.name != "judgements-tsv" or "judge" in file.head.columns


def read_ratings(
    paths: Sequence[str], *, key: SampleKey | None = None, weights: MqmWeights = GOOGLE
) -> list[Ratings]:
    """The ratings of each campaign: files of items are one, and with a key its items are known.

    Errors of MQM become a score by ``weights``.
    """
    files = [recognise(path) for path in paths]
    found: list[Ratings] = []
    campaign: list[Ratings] = []
    for file in files:
        form = file.format
        if form is None or form.open_ratings is None:
            raise _no_ratings_here(file)
        given = form.open_ratings(file.path, weights)
        if form.of_items:
            campaign += [_joined(one, form.name, key) for one in given]
        else:
            found += given
    if campaign:
        found.insert(0, _weighed(_together(campaign), weights))
    return found


def _joined(found: Ratings, form: str, key: SampleKey | None) -> Ratings:
    """The same with the items of the key."""
    if key is None:
        return found
    known: Mapping[str, Item] = key.by_id
    if form == "appraise":
        known = _as_in_appraise(key)
    names: dict[str, Item] = {}
    for rating in found.ratings:
        shown_item = found.items[rating.item]
        name = shown_item.segment if form == "pearmut" else shown_item.id
        item = known.get(name)
        if item is None:
            raise InputError(
                "MP790",
                f"The key has no item {shown(name)}.",
                path=found.path,
                line=rating.line,
                hint="Give the key that was written with these items.",
            )
        if shown_item.hypothesis and _plain(shown_item.hypothesis) != _plain(item.hypothesis):
            raise InputError(
                "MP790",
                f"The key has another translation for the item {shown(name)}.",
                path=found.path,
                line=rating.line,
                hint="Give the key that was written with these items; translations must not be changed.",
            )
        names[rating.item] = item
    return replace(
        found,
        name=key.name,
        language_pair=key.language_pair,
        protocol=key.protocol,
        items=key.by_id,
        ratings=tuple(
            replace(one, item=names[one.item].id, errors=_asked_errors(one, key.protocol))
            for one in found.ratings
        ),
    )


def _asked_errors(rating: Rating, protocol: Protocol) -> tuple[MarkedError, ...] | None:
    """Who was asked for errors and marked none has found none."""
    if protocol == "da":
        return None
    return rating.errors or ()


def segment_numbers(items: Iterable[Item]) -> Mapping[tuple[str, str], int]:
    """The number that Appraise knows a document's segment by, which must be one: from 1, as they come."""
    numbers: dict[tuple[str, str], int] = {}
    for item in items:
        numbers.setdefault((item.document, item.segment), len(numbers) + 1)
    return numbers


def _as_in_appraise(key: SampleKey) -> Mapping[str, Item]:
    numbers = segment_numbers(key.items)

    def name(item: Item, kind: Kind) -> str:
        number = numbers[item.document, item.segment]
        return item_id(written_system(item.system), str(number), kind)

    return {name(item, item.kind): item for item in key.items}


def _together(parts: Sequence[Ratings]) -> Ratings:
    """One campaign of several files; a judge who stands in two of them for one item is a mistake."""
    items: dict[str, Item] = {}
    seen: dict[tuple[str, str], str | None] = {}
    for part in parts:
        items.update(part.items)
        for rating in part.ratings:
            both = rating.judge, rating.item
            if both in seen:
                raise InputError(
                    "MP794",
                    f"{rating.judge!r} has judged the item {shown(rating.item)} in {seen[both]}, too.",
                    path=part.path,
                    line=rating.line,
                    hint="Name each file once, and give each judge a name of their own.",
                )
            seen[both] = part.path
    ratings = tuple(rating for part in parts for rating in part.ratings)
    return replace(parts[0], items=items, ratings=ratings)


def _weighed(found: Ratings, weights: MqmWeights) -> Ratings:
    if found.protocol != "mqm":
        return found
    return replace(found, ratings=tuple(_priced(one, weights, found.path) for one in found.ratings))


def _priced(rating: Rating, weights: MqmWeights, path: str | None) -> Rating:
    cost = 0.0
    for error in rating.errors or ():
        weight = weights.weight(error.severity, error.category)
        if weight is None:
            raise InputError(
                "MP183",
                f"The weights {weights.name} have none for the severity {shown(error.severity)}.",
                path=path,
                line=rating.line,
                hint="Give weights that have it, 0 if it costs nothing.",
            )
        cost += weight
    return replace(rating, score=0.0 - cost)


def _plain(text: str) -> str:
    """Spreadsheet programs change line ends and outer spaces."""
    return " ".join(text.split())


def _no_ratings_here(file: Recognised) -> InputError:
    return InputError(
        "MP791",
        f"The file is {file.description}, not what judges said.",
        path=file.path,
        hint="Results are those of Appraise or Pearmut, sheets that judges filled in, MQM (Marot's, too), "
        "error spans, or judgements with a column judge.",
    )
