"""The check of inline tags: all there, in order, and properly nested.

Tags come from two places: from the file, which keeps them apart from the text, and from the text itself,
where it holds HTML.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from metaphrase.checks.check import Check, by_pair
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.markup import tags_in
from metaphrase.checks.pair import Pair
from metaphrase.corpus.units import InlineTag

MISSING = Kind("tags/missing", "critical", "a tag of the source is missing")
ADDED = Kind("tags/added", "critical", "a tag that the source does not have")
NESTING = Kind("tags/nesting", "critical", "tags that overlap, or close what nothing opened")
ORDER = Kind("tags/order", "minor", "the tags stand in another order than in the source")


def _find(pair: Pair) -> Iterator[Finding]:
    yield from _compared(pair.source_tags, pair.target_tags, in_text=False)
    if "<" in pair.source:
        source, target = (
            [tag.as_inline for tag in tags_in(text) if tag.kind is not None]
            for text in (pair.source, pair.target)
        )
        yield from _compared(source, target, in_text=True)


def _compared(
    source: Sequence[InlineTag], target: Sequence[InlineTag], *, in_text: bool
) -> Iterator[Finding]:
    if not source and not target:
        return
    missing, added = _without(source, target), _without(target, source)
    for tag in missing:
        yield MISSING.finding(
            "source", _place(tag, in_text), f"{tag.markup} is missing.", expected=tag.markup
        )
    for tag in added:
        yield ADDED.finding(
            "target", _place(tag, in_text), f"{tag.markup} is not in the source.", found=tag.markup
        )
    fault = _badly_nested(target)
    if fault is not None and _badly_nested(source) is None:
        yield NESTING.finding(
            "target",
            _place(fault, in_text),
            f"{fault.markup} closes a tag that is not the last one opened."
            if fault.kind == "close"
            else f"{fault.markup} is never closed.",
            found=fault.markup,
        )
    elif not (missing or added) and _opening(source) != _opening(target):
        place = next(i for i, tag in enumerate(target) if _key(tag) != _key(source[i]))
        yield ORDER.finding(
            "target",
            _place(target[place], in_text),
            f"{target[place].markup} stands where the source has {source[place].markup}.",
            expected=" ".join(tag.markup for tag in source),
            found=" ".join(tag.markup for tag in target),
        )


def _key(tag: InlineTag) -> tuple[str, str]:
    """Two tags are the same if they have an id in common, or else by what they say."""
    return tag.kind, tag.id or tag.markup


def _opening(tags: Sequence[InlineTag]) -> list[tuple[str, str]]:
    return [_key(tag) for tag in tags if tag.kind != "close"]


def _without(these: Sequence[InlineTag], others: Sequence[InlineTag]) -> list[InlineTag]:
    left = Counter(map(_key, others))
    missing = []
    for tag in these:
        if left[_key(tag)]:
            left[_key(tag)] -= 1
        else:
            missing.append(tag)
    return missing


def _badly_nested(tags: Sequence[InlineTag]) -> InlineTag | None:
    """The first tag that spoils the nesting; none if all pairs are inside one another."""
    opened: list[InlineTag] = []
    for tag in tags:
        if tag.kind == "open":
            opened.append(tag)
        elif tag.kind == "close":
            if not opened or opened[-1].id != tag.id:
                return tag
            opened.pop()
    return opened[0] if opened else None


def _place(tag: InlineTag, in_text: bool) -> tuple[int, int]:
    return tag.position, tag.position + (len(tag.markup) if in_text else 0)


TAGS = Check(
    "tags",
    "markup",
    "inline tags of the file, and HTML in the text",
    (MISSING, ADDED, NESTING, ORDER),
    by_pair(_find),
)
