"""Explanations as HTML: the page of a report that has nothing but explained segments.

It is the same front end with the same kinds of blocks. What makes it another page is ``segmentNumbers`` in
the overview, and the block ``shown``, which lists the explanations in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from metaphrase.corpus import Corpus
from metaphrase.metrics import Explanation
from metaphrase.report.dataset import ReportData, blocks
from metaphrase.report.dataset.overview import frame
from metaphrase.report.dataset.profiles import profile_blocks, profile_notes, profile_overview
from metaphrase.report.dataset.segment_explainer import explanation_record
from metaphrase.report.page.html_file import report_page
from metaphrase.scoring import Profile
from metaphrase.trained.preference_table import PreferenceTable

Text = TypeVar("Text", str, str | None)

#: The name of a system that has none.
HYPOTHESIS = "hypothesis"
#: Characters of a text that the title of a window has room for.
_TITLE = 60


@dataclass(frozen=True, slots=True)
class ExplainedSegment:
    """One explanation and what it explains: a system's text of a row, with one of its references.

    ``caption`` is what else a reader must know of it.
    """

    explanation: Explanation
    system: str = HYPOTHESIS
    row: int = 0
    reference: int = 0
    caption: str = ""


def explanation_html(explanation: Explanation, *, title: str = "") -> str:
    """One explanation as a page that needs nothing but itself, with ``title`` above the explanation."""
    return _page([explanation], title)


def explanation_page(explanations: Iterable[Explanation]) -> str:
    """Several explanations as one page, each below its texts."""
    return _page(list(explanations))


def explained_page(
    corpus: Corpus,
    explained: Sequence[ExplainedSegment],
    *,
    lang: str = "xx",
    compared: bool = False,
    verdict: str | None = None,
    profiles: Sequence[Profile | str] = (),
    preferences: Mapping[str, PreferenceTable] | None = None,
) -> str:
    """The page of segments of a corpus, in the order of ``explained``.

    If systems are ``compared``, it says first which of the two scores higher in each segment, and why.
    ``verdict`` says the same of all segments, with a test, and ``profiles`` by which kinds of errors; those
    that there are not say why. ``preferences`` tell, by the signature of a metric, which of the two raters
    would prefer.
    """
    data = _page_data(corpus, explained, lang, compared, verdict, profiles, preferences or {})
    return b"".join(report_page(data)).decode()


def _page(explanations: Sequence[Explanation], caption: str = "") -> str:
    corpus = Corpus(
        {HYPOTHESIS: [one.hypothesis_text for one in explanations]},
        [[one.reference_text for one in explanations]],
        empty_references="keep",
    )
    return explained_page(
        corpus,
        [ExplainedSegment(one, row=row, caption=caption) for row, one in enumerate(explanations)],
    )


def _page_data(
    corpus: Corpus,
    explained: Sequence[ExplainedSegment],
    lang: str,
    compared: bool,
    verdict: str | None,
    profiles: Sequence[Profile | str],
    preferences: Mapping[str, PreferenceTable],
) -> ReportData:
    places = {row: place for place, row in enumerate(dict.fromkeys(one.row for one in explained))}
    rows = list(places)
    shown = _rows_of(corpus, rows)
    systems = list(corpus.systems)
    metrics = {_key(one.explanation): _metric(one.explanation, preferences) for one in explained}
    keys = list(metrics)
    cells = [
        (
            keys.index(_key(one.explanation)),
            systems.index(one.system),
            places[one.row],
            one.reference,
        )
        for one in explained
    ]
    overview = {
        **frame(shown, title=_title(explained), lang=lang, explained="some"),
        "metrics": list(metrics.values()),
        "chunk": len(rows),
        "segmentNumbers": [row + 1 for row in rows] if len(corpus) > 1 else [None],
        "compared": compared,
        "verdict": verdict,
        **profile_overview(profiles),
        "notes": profile_notes(profiles, [key[0] for key in keys]),
    }

    def content() -> Iterator[tuple[str, bytes]]:
        if shown.documents is not None and overview["documents"] is not None:
            yield "documents", blocks.document_block(shown.documents, overview["documents"])
        (texts,) = blocks.text_blocks(shown, chunk=len(rows))
        yield "texts/0", texts
        listed = [[*cell, one.caption] for cell, one in zip(cells, explained, strict=True)]
        yield "shown", blocks.json_block(listed)
        records = {
            "/".join(map(str, cell)): explanation_record(one.explanation)
            for cell, one in zip(cells, explained, strict=True)
        }
        yield "explanations/0", blocks.json_block(records)
        yield from profile_blocks(profiles, systems)

    return ReportData(overview, {name: blocks.deflated(block) for name, block in content()})


def _rows_of(corpus: Corpus, rows: Sequence[int]) -> Corpus:
    def chosen(column: Sequence[Text]) -> list[Text]:
        return [column[row] for row in rows]

    return Corpus(
        {name: chosen(column) for name, column in corpus.systems.items()},
        [chosen(column) for column in corpus.references],
        sources=None if corpus.sources is None else chosen(corpus.sources),
        documents=None if corpus.documents is None else chosen(corpus.documents),
        empty_references="keep",
    )


def _key(explanation: Explanation) -> tuple[str, str]:
    """Variants of a metric may share its name, but not its signature."""
    return explanation.metric, explanation.signature


def _metric(explanation: Explanation, preferences: Mapping[str, PreferenceTable]) -> dict[str, Any]:
    table = preferences.get(explanation.signature)
    return {
        "name": explanation.metric,
        "signature": explanation.signature,
        "higherIsBetter": explanation.higher_is_better,
        "bounds": [None, None],
        "explains": True,
        "preferences": None if table is None else table.points(),
    }


def _title(explained: Sequence[ExplainedSegment]) -> str:
    translations = len({(one.system, one.row) for one in explained})
    if translations != 1:
        return f"{translations} explained translations"
    first = explained[0].explanation
    names = dict.fromkeys(one.explanation.metric for one in explained)
    hypothesis, reference = map(_short, (first.hypothesis_text, first.reference_text))
    return f"{', '.join(names)}: “{hypothesis}” against “{reference}”"


def _short(text: str) -> str:
    return text if len(text) <= _TITLE else f"{text[: _TITLE - 1].rstrip()}…"
