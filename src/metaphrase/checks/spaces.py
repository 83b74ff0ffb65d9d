"""The check of blanks: at the ends of the text, where programs join texts, and doubled ones inside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from metaphrase.analysis.languages.codes import UNSPACED, base_language
from metaphrase.checks.check import Check, by_pair
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.pair import Pair
from metaphrase.corpus.normalisation import is_blank
from metaphrase.corpus.units import InlineTag

LEADING = Kind("spaces/leading", "minor", "the target begins with other blanks than the source")
TRAILING = Kind("spaces/trailing", "minor", "the target ends with other blanks than the source")
DOUBLE = Kind("spaces/double", "minor", "two blanks inside the target, none in the source")

_DOUBLE = re.compile(r"(?<=\S)[ \u00a0]{2,}(?=\S)")


def _find(pair: Pair) -> Iterator[Finding]:
    source, target = pair.source, pair.target
    if is_blank(source):
        return
    begun = len(target) - len(target.lstrip())
    ended = len(target.rstrip())
    before = source[: len(source) - len(source.lstrip())], target[:begun]
    behind = source[len(source.rstrip()) :], target[ended:]
    # Chinese puts no blank between sentences.
    unspaced = base_language(pair.target_language) in UNSPACED
    for kind, (wanted, found), place, where, edges in (
        (LEADING, before, (0, begun), "begins", (0, 0)),
        (TRAILING, behind, (ended, len(target)), "ends", (len(source), len(target))),
    ):
        # A blank between a word and a tag is inside the text.
        if _has_tag(pair.source_tags, edges[0]) or _has_tag(pair.target_tags, edges[1]):
            continue
        if _same(wanted, found) or (unspaced and not found and "\n" not in wanted):
            continue
        yield kind.finding(
            "target",
            place,
            f"The target {where} with {_in_words(found)}, the source with {_in_words(wanted)}.",
            expected=wanted,
            found=found,
            suggestion=wanted,
        )
    if not _DOUBLE.search(source):
        for match in _DOUBLE.finditer(target):
            yield DOUBLE.finding(
                "target",
                match.span(),
                f"{len(match[0])} blanks stand together.",
                found=match[0],
                suggestion=" ",
            )


def _has_tag(tags: Sequence[InlineTag], position: int) -> bool:
    return any(tag.position == position for tag in tags)


def _same(first: str, second: str) -> bool:
    """Alike but for the kind of blank: no-break spaces and ordinary ones are the same here."""
    return first == second or re.sub(r"[^\S\n]", " ", first) == re.sub(r"[^\S\n]", " ", second)


def _in_words(blanks: str) -> str:
    if not blanks:
        return "none"
    breaks = blanks.count("\n")
    others = len(blanks) - breaks
    parts = [
        f"{number} {name}{'s' * (number > 1)}"
        for number, name in ((breaks, "line break"), (others, "blank"))
        if number
    ]
    return " and ".join(parts)


SPACES = Check(
    "spaces",
    "whitespace",
    "blanks at the ends, and doubled ones",
    (LEADING, TRAILING, DOUBLE),
    by_pair(_find),
)
