"""Marked errors as XLIFF 2.1 with issues of ITS 2.0, which translation tools show beside the words.

Each system is a ``<file>``, each translation a ``<unit>``. An error is one of ``its:locQualityIssues`` in its
unit, and a ``<mrk>`` of the target that refers to it; words that are missing are marked by a ``<mrk>`` of the
whole source, or of the whole target if there is no source.

https://docs.oasis-open.org/xliff/xliff-core/v2.1/xliff-core-v2.1.html (5.9), https://www.w3.org/TR/its20/
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from metaphrase.corpus.formats.units.annotating import ITS, Remark, issue_element, written
from metaphrase.corpus.marked_translation import MarkedTranslation
from metaphrase.corpus.ratings import MarkedError

#: What ITS calls errors of our kinds, and of MQM's categories by their last part.
_ISSUES = {
    "missing words": "omission",
    "extra words": "addition",
    "wrong word": "mistranslation",
    "wrong name": "mistranslation",
    "wrong number": "numbers",
    "negation": "mistranslation",
    "inflection": "grammar",
    "word order": "grammar",
    "spelling": "misspelling",
    "casing": "typographical",
    "punctuation": "typographical",
    **{
        name: name
        for name in (
            "omission",
            "addition",
            "mistranslation",
            "untranslated",
            "grammar",
            "terminology",
            "style",
            "register",
        )
    },
}
_OTHER = "uncategorized"
#: Names that XLIFF takes for ids.
_NAME = re.compile(r"[\w.:-]+", re.ASCII)


def xliff_lines(marked: Iterable[MarkedTranslation], *, name: str, pair: str) -> Iterator[str]:
    """The lines of the file; ``name`` is what it is of, and ``pair`` the two languages."""
    by_system: dict[str, list[MarkedTranslation]] = {}
    for one in marked:
        by_system.setdefault(one.item.system, []).append(one)
    source, _, target = pair.partition("-")
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" '
        f'srcLang="{written(source)}" trgLang="{written(target)}" '
        f'xmlns:its="{ITS}" its:version="2.0">'
    )
    for number, (system, translations) in enumerate(by_system.items(), 1):
        yield f' <file id="system-{number}" original="{written(system)}">'
        named = all(_NAME.fullmatch(one.item.segment) for one in translations)
        for one in translations:
            unit = one.item.segment if named else str(one.row + 1)
            yield from _unit(one, unit, f"issue-{number}-{one.row + 1}")
        yield " </file>"
    yield "</xliff>"


def _unit(one: MarkedTranslation, unit: str, prefix: str) -> Iterator[str]:
    yield f'  <unit id="{unit}" name="{written(one.item.segment)}">'
    names = {id(error): f"{prefix}-{at}" for at, error in enumerate(one.errors, 1)}
    for error in one.errors:
        yield (
            f'   <its:locQualityIssues xml:id="{names[id(error)]}">'
            f"{issue_element(_remark(one, error, unit))}</its:locQualityIssues>"
        )
    source, target = written(one.item.source), _marked(one, names)
    missing = [names[id(error)] for error in one.missing]
    if source:
        source = _wrapped(source, missing)
    else:
        target = _wrapped(target, missing)
    yield "   <segment>"
    yield f'    <source xml:space="preserve">{source}</source>'
    yield f'    <target xml:space="preserve">{target}</target>'
    yield "   </segment>"
    yield "  </unit>"


def _remark(one: MarkedTranslation, error: MarkedError, unit: str) -> Remark:
    issue = _ISSUES.get(error.category.rpartition("/")[2].lower(), _OTHER)
    return Remark(unit, error.category or "error", error.severity, one.remark(error), issue=issue)


def _marked(one: MarkedTranslation, names: dict[int, str]) -> str:
    text = one.item.hypothesis
    parts = []
    at = 0
    for start, end, error in one.placed:
        parts.append(written(text[at:start]))
        parts.append(_wrapped(written(text[start:end]), [names[id(error)]]))
        at = end
    return "".join([*parts, written(text[at:])])


def _wrapped(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = f'<mrk id="{name}" its:locQualityIssuesRef="#its={name}">{text}</mrk>'
    return text
