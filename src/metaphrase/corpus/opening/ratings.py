"""What each judge said: files of any tool, joined with the key of the sample that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.judged.appraise import item_id, read_appraise, written_system
from metaphrase.corpus.formats.judged.error_spans import read_error_spans
from metaphrase.corpus.formats.judged.marot import read_marot
from metaphrase.corpus.formats.judged.mqm import MqmTable, read_mqm
from metaphrase.corpus.formats.judged.mqm_weights import GOOGLE, MqmWeights
from metaphrase.corpus.formats.judged.pearmut import read_pearmut
from metaphrase.corpus.formats.judged.rated_judgements import read_rated_judgements
from metaphrase.corpus.formats.judged.rating_sheet import read_rating_sheet
from metaphrase.corpus.formats.judged.sample_key import SampleKey
from metaphrase.corpus.formats.judged.texts import data_name
from metaphrase.corpus.formats.registry import head_of
from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.ratings import Item, Kind, MarkedError, Protocol, Rating, Ratings
from metaphrase.errors import InputError

_READERS = {
    "appraise": read_appraise,
    "pearmut": read_pearmut,
    "rating-sheet": read_rating_sheet,
    "xlsx": read_rating_sheet,
}
_MQM = {"mqm": read_mqm, "marot": read_marot}


def says_who_judged(path: str) -> bool:
    """Whether a file has what single judges said, and no rankings."""
    found = format_of(path)
    if found is None:
        return False
    if found.name == "judgements-tsv":
        return "judge" in head_of(path).columns
    return found.name in (*_READERS, *_MQM, "error-spans")


def read_ratings(
    paths: Sequence[str], *, key: SampleKey | None = None, weights: MqmWeights = GOOGLE
) -> list[Ratings]:
    """The ratings of each campaign: files of items are one, and with a key its items are known.

    Errors of MQM become a score by ``weights``.
    """
    formats = {path: format_of(path) for path in paths}
    found: list[Ratings] = []
    campaign: list[Ratings] = []
    for path in paths:
        one = formats[path]
        name = "" if one is None else one.name
        if name in _READERS:
            campaign.append(_joined(_READERS[name](path), name, key))
        elif name in _MQM:
            found.append(mqm_ratings(_MQM[name](path, weights=weights)))
        elif name == "error-spans":
            found += read_error_spans(path)
        elif name == "judgements-tsv":
            found += read_rated_judgements(path)
        else:
            raise _no_ratings_here(path, one)
    if campaign:
        found.insert(0, _weighed(_together(campaign), weights))
    return found


def mqm_ratings(table: MqmTable) -> Ratings:
    """What each rater of a table of MQM said."""
    items: dict[str, Item] = {}
    errors: dict[tuple[str, str], list[MarkedError]] = {}
    costs: dict[tuple[str, str], float] = {}
    for row in table.errors:
        item = Item(
            f"{row.system}\t{row.segment}",
            row.system,
            row.document,
            str(row.segment),
            source=row.source.text,
            hypothesis=row.target.text,
        )
        items.setdefault(item.id, item)
        both = row.rater, item.id
        costs[both] = costs.get(both, 0.0) + row.weight
        marked = errors.setdefault(both, [])
        if row.severity.lower() != "no-error":
            span = row.target.spans[0] if row.target.spans else None
            marked.append(MarkedError(row.severity.lower(), row.category, span))
    ratings = tuple(
        Rating(judge, item, 0.0 - costs[judge, item], tuple(marked))
        for (judge, item), marked in errors.items()
    )
    return Ratings(data_name(table.path), "", "mqm", items, ratings, table.path)


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


def _no_ratings_here(path: str, found: Format | None) -> InputError:
    return InputError(
        "MP791",
        f"The file is {'plain text' if found is None else found.description}, not what judges said.",
        path=path,
        hint="Results are those of Appraise or Pearmut, sheets that judges filled in, MQM (Marot's, too), "
        "error spans, or judgements with a column judge.",
    )
