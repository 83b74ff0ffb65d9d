"""A sample: the segments that people should judge next, in the order of their usefulness, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from metaphrase.corpus import Corpus
from metaphrase.corpus.reading_words import lengths
from metaphrase.metrics import Metric
from metaphrase.sampling.choosing import Budget, choose, share_out
from metaphrase.sampling.ways import check_way, counted_text, measure


@dataclass(frozen=True, slots=True)
class Sampled:
    """One segment: by position from 0 and by name, how useful it is, why, and whose translations to judge."""

    segment: int
    name: str
    document: str
    words: int
    usefulness: float
    why: str
    systems: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """What was chosen of how much, and by which metrics."""

    way: str
    chosen: tuple[Sampled, ...]
    segments: int
    systems: tuple[str, ...]
    seed: int
    signatures: tuple[str, ...]

    @property
    def cells(self) -> list[tuple[int, int]]:
        """Segments and systems by position, for each translation to be judged."""
        places = {name: place for place, name in enumerate(self.systems)}
        return [(one.segment, places[name]) for one in self.chosen for name in one.systems]


def sample(
    corpus: Corpus,
    metrics: Sequence[Metric],
    budget: Budget,
    *,
    way: str = "consistency",
    by_document: bool = False,
    whole_documents: bool = False,
    systems_per_segment: int | None = None,
    seed: int = 12345,
    threads: int | None = None,
    check_language: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Sample:
    """Choose segments of ``corpus`` to be judged; the same seed chooses the same ones.

    way:                 one of :data:`~metaphrase.sampling.ways.WAYS`
    by_document:         take from each document in proportion to its size
    whole_documents:     take documents as a whole
    systems_per_segment: judge so many systems' translations of a segment, in turn, instead of all

    >>> corpus = Corpus({"a": ["a cat", "no"], "b": ["the dog", "no"]}, [["the cat", "no"]])
    >>> chosen = sample(corpus, [metaphrase.Chrf()], Budget(segments=1))
    >>> chosen.chosen[0].name, chosen.chosen[0].why
    ('1', 'chrf a 31.25, b 19.17')
    """
    check_way(way, systems=len(corpus.systems), metrics=len(metrics))
    texts = counted_text(corpus)
    words = lengths(texts)
    # What cannot be chosen from is said before metrics take their time.
    share_out([], len(corpus.systems), per_segment=systems_per_segment, seed=seed)
    found = measure(
        corpus,
        way,
        metrics,
        seed=seed,
        threads=threads,
        check_language=check_language,
        progress=progress,
    )
    segments = choose(
        found.values,
        words,
        budget,
        documents=corpus.documents,
        by_document=by_document,
        whole_documents=whole_documents,
    )
    names = tuple(corpus.systems)
    judged: dict[int, list[str]] = {}
    for segment, system in share_out(
        segments, len(names), per_segment=systems_per_segment, seed=seed
    ):
        judged.setdefault(segment, []).append(names[system])
    return Sample(
        way,
        tuple(
            Sampled(
                segment,
                str(segment + 1) if corpus.ids is None else corpus.ids[segment],
                "" if corpus.documents is None else corpus.documents[segment],
                int(words[segment]),
                float(found.values[segment]),
                found.why(segment),
                tuple(judged[segment]),
                texts[segment],
            )
            for segment in segments
        ),
        len(corpus),
        names,
        seed,
        found.signatures,
    )
