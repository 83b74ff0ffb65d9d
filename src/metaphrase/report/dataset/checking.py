"""A report's corpus checked: every system's translations, as ``metaphrase check`` checks their files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from metaphrase.checks import CHECKS, KINDS, Pair, Settings, check_pairs, unit_pair
from metaphrase.checks.terms.reading import read_glossaries
from metaphrase.corpus import Corpus
from metaphrase.corpus.units import Unit
from metaphrase.errors import InputError
from metaphrase.report.dataset.found import Findings
from metaphrase.report.dataset.unit_files import CorpusUnits, places_on_one_line


def check_sources(corpus: Corpus) -> None:
    """Refuse a corpus that cannot be checked."""
    if corpus.sources is None:
        raise InputError(
            "MP893",
            "There is no source to check the translations against.",
            hint="Give one, or do not ask for checks.",
        )


def checked_corpus(
    corpus: Corpus,
    units: CorpusUnits | None = None,
    *,
    settings: Settings | None = None,
    glossaries: Sequence[str] = (),
    source_language: str = "",
    language: str = "",
    progress: Callable[[int], None] | None = None,
) -> Findings:
    """What is wrong with the translations of each system.

    ``units`` are those of the files that the corpus was read from; the languages that they declare hold
    against those that are given. ``glossaries`` are files. ``progress`` is told how many are done.
    """
    check_sources(corpus)
    given = settings or Settings()
    glossary = cache(read_glossaries)
    done = 0
    found: dict[str, list[dict[str, Any]]] = {}
    for name in corpus.systems:
        column = None if units is None else units.systems.get(name)
        languages = (
            (column.source_language if column else "") or source_language,
            (column.language if column else "") or language,
        )
        own = given
        if glossaries:
            own = replace(given, glossary=glossary(tuple(glossaries), *languages))
        filed = [None] * len(corpus) if column is None else column.units
        pairs = _pairs(corpus, name, filed, languages)
        records = found.setdefault(name, [])
        for pair, findings in check_pairs(pairs, own):
            places = {
                side: places_on_one_line(text)
                for side, text in (("source", pair.source), ("target", pair.target))
                if findings
            }
            for finding in findings:
                record = finding.as_dict()
                if (there := places[finding.side]) is not None:
                    record |= {"start": there[finding.start], "end": there[finding.end]}
                records.append(record)
            done += 1
            if progress is not None and done % 256 == 0:
                progress(done)
    return Findings(
        found,
        checks=[
            check.name
            for check in CHECKS.values()
            if any(kind.code in given.codes for kind in check.kinds)
            and (check.name != "terms" or glossaries or given.glossary is not None)
        ],
        descriptions={code: kind.description for code, kind in KINDS.items()},
    )


def _pairs(
    corpus: Corpus, name: str, units: Sequence[Unit | None], languages: tuple[str, str]
) -> Iterator[Pair]:
    sources = corpus.sources or ()
    for row, (source, target, unit) in enumerate(
        zip(sources, corpus.systems[name], units, strict=True)
    ):
        number = row + 1
        if not source:
            continue  # of a file of one language, or a row of a table without one
        if unit is None or unit.target is None:
            code = None if corpus.ids is None else corpus.ids[row]
            translated = code is None or bool(target)
            yield Pair(
                source, target, *languages, segment=number, unit=code, is_translated=translated
            )
            continue
        pair = unit_pair(unit, number, source_language=languages[0], target_language=languages[1])
        # Files of one language have their sources elsewhere.
        yield pair if pair.source else replace(pair, source=source, source_tags=())
