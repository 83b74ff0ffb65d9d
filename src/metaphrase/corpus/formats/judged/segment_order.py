"""Which segments the numbers of direct assessment mean: WMT did not always count as its test sets stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.judged.texts import SystemNames
from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.errors import InputError, OptionError
from metaphrase.statistics.coefficients import pearson

if TYPE_CHECKING:
    from metaphrase.corpus.formats.judged.direct_assessment import AssessmentTable

#: A difference of two correlations that shows that one of them is nonsense.
_MUCH = 0.05


def ids_by_sorted_documents(corpus: Corpus) -> list[str]:
    """Each segment's number if documents come in the order of their ids, as WMT 2021 and 2022 counted."""
    if corpus.documents is None:
        raise OptionError(
            "MP187",
            "documents cannot be sorted: the texts have none.",
            hint="Give texts with a column of document ids.",
        )
    documents = corpus.documents
    order = sorted(range(len(corpus)), key=lambda row: documents[row])
    numbers = {row: str(number) for number, row in enumerate(order, 1)}
    return [numbers[row] for row in range(len(corpus))]


def check_order(table: AssessmentTable, corpus: Corpus, pair: str, systems: SystemNames) -> None:
    """Refuse to guess where people's scores fit the texts much better with documents sorted by id.

    Either way every number names a segment, so that the wrong one gives plausible nonsense. What fits is
    told by the words that a translation shares with its reference.
    """
    if corpus.documents is None:
        return
    ids = ids_by_sorted_documents(corpus)
    if ids == [str(number) for number in range(1, len(ids) + 1)]:
        return
    given, other = (
        table.judgements(corpus, language_pair=pair, systems=systems, segment_ids=segment_ids)
        for segment_ids in (None, ids)
    )
    one, another = _fit(given), _fit(other)
    # Four standard errors of a correlation, or what nobody would call much.
    if another - one > max(_MUCH, 4 / np.sqrt(np.count_nonzero(~np.isnan(given.human)))):
        raise InputError(
            "MP157",
            "Segments seem to be numbered with documents in the order of their ids: so, scores correlate "
            f"with words shared with the reference by {another:.2f}, and as the texts stand by {one:.2f}.",
            path=table.path,
            hint="Say --segment-order sorted-documents, or --segment-order test-set if it is right as it is.",
        )


def _fit(judged: Judgements) -> float:
    """How far people's scores go with the share of words that a translation has in common."""
    shares = np.array([_shared_words(text) for text in judged.texts])
    known = ~np.isnan(judged.human)
    fit = pearson(shares[judged.text_of[known]], judged.human[known])
    return 0.0 if np.isnan(fit) else fit


def _shared_words(text: JudgedText) -> float:
    ours = set(text.hypothesis.split())
    theirs = {word for reference in text.references for word in reference.split()}
    return 2 * len(ours & theirs) / max(len(ours) + len(theirs), 1)
