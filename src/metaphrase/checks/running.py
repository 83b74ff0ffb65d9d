"""Checks run over texts: a pair of them, a corpus, the units of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from metaphrase.checks.finding import Finding
from metaphrase.checks.pair import Pair
from metaphrase.checks.registry import CHECKS
from metaphrase.checks.settings import Settings
from metaphrase.corpus import Corpus
from metaphrase.corpus.normalisation import is_blank
from metaphrase.corpus.units import Unit, UnitFile
from metaphrase.corpus.validation import is_listed, not_a_column
from metaphrase.errors import InputError
from metaphrase.languages import known_language

#: Pairs that are looked at together.
_PIECE = 1024
#: Characters of both texts; what is longer is looked at for its length alone.
_LONGEST = 20_000


def check_pairs(
    pairs: Iterable[Pair], settings: Settings | None = None
) -> Iterator[tuple[Pair, tuple[Finding, ...]]]:
    """Each pair with what is wrong with it, in the order of the texts and of their places.

    >>> [(pair, (finding,))] = check_pairs([Pair("Save %s", "%d sichern", "en", "de", segment=7)])
    >>> finding.code, finding.severity, finding.segment, pair.target[finding.start:finding.end]
    ('placeholders/changed', 'critical', 7, '%d')
    """
    given = settings or Settings()
    codes = given.codes
    severities = {code: given.severity_of(code) for code in codes}
    checks = [check for check in CHECKS.values() if any(kind.code in codes for kind in check.kinds)]
    remaining = iter(pairs)
    while piece := list(islice(remaining, _PIECE)):
        found: list[list[Finding]] = [[] for _ in piece]
        usual = [number for number, pair in enumerate(piece) if _is_usual(pair)]
        every = list(range(len(piece)))
        for check in checks:
            rows = every if check.for_any else usual
            for place, finding in check.find([piece[row] for row in rows], given):
                if finding.code in codes:
                    found[rows[place]].append(finding)
        for pair, findings in zip(piece, found, strict=True):
            placed = (
                replace(
                    finding,
                    severity=severities[finding.code],
                    segment=pair.segment,
                    unit=pair.unit,
                )
                for finding in findings
            )
            yield pair, tuple(sorted(placed, key=_order))


def _is_usual(pair: Pair) -> bool:
    """Whether there is a translation, and neither text is so long that looking for patterns takes minutes."""
    return not is_blank(pair.target) and len(pair.source) + len(pair.target) <= _LONGEST


def _order(finding: Finding) -> tuple[str, int, int, str]:
    return finding.side, finding.start, finding.end, finding.code


def check(
    source: str | Sequence[str],
    target: str | Sequence[str],
    *,
    source_language: str = "",
    language: str = "",
    settings: Settings | None = None,
) -> list[Finding]:
    """What is wrong with a translation, or with a list of them: numbers, tags, placeholders and so on.

    ``language`` is that of the target, by any of its names. ``settings`` say what is checked.

    >>> for finding in metaphrase.check("Delete 12 files?", "21 Dateien löschen.", language="de"):
    ...     print(finding.severity, finding.code, finding.message)
    critical numbers/changed 12 has become 21.
    minor punctuation/end The target ends with a full stop, the source with a question mark.
    """
    for name, given in (("source", source), ("target", target)):
        if not isinstance(given, str) and not is_listed(given):
            raise not_a_column(name, given, "a string or a list of strings")
    sources, targets = ([one] if isinstance(one, str) else list(one) for one in (source, target))
    if len(sources) != len(targets):
        raise InputError(
            "MP102",
            f"There are {len(sources)} sources and {len(targets)} targets.",
            hint="Give a target for each source, an empty one if there is none.",
        )
    source_language, language = (
        name and known_language(name).tag for name in (source_language, language)
    )
    pairs = (
        Pair(*texts, source_language, language, segment=number)
        for number, texts in enumerate(zip(sources, targets, strict=True), 1)
    )
    return [finding for _, findings in check_pairs(pairs, settings) for finding in findings]


def check_corpus(
    corpus: Corpus,
    *,
    source_language: str = "",
    language: str = "",
    settings: Settings | None = None,
) -> dict[str, list[Finding]]:
    """What is wrong with the translations of each system of a corpus, which must have sources."""
    if corpus.sources is None:
        raise InputError(
            "MP893", "The corpus has no sources.", hint="Give them with sources= or --sources."
        )
    return {
        name: check(
            corpus.sources,
            targets,
            source_language=source_language,
            language=language,
            settings=settings,
        )
        for name, targets in corpus.systems.items()
    }


def unit_pair(
    unit: Unit, number: int, *, source_language: str = "", target_language: str = ""
) -> Pair:
    """A unit of a localisation file as checks read it."""
    target = unit.target
    return Pair(
        unit.source.text,
        "" if target is None else target.text,
        source_language,
        target_language,
        unit.source.tags,
        () if target is None else target.tags,
        max_length=unit.max_length,
        is_translated=target is not None,
        is_plural_form=unit.plural is not None,
        segment=number,
        unit=unit.id,
    )


def file_pairs(
    file: UnitFile, *, source_language: str = "", target_language: str = ""
) -> Iterator[Pair]:
    """The units of a file that are to be translated; languages that it does not declare are as given."""
    for number, unit in enumerate(file.units, 1):
        if unit.translate:
            yield unit_pair(
                unit,
                number,
                source_language=source_language or file.source_language,
                target_language=target_language or file.target_language,
            )
