"""The ways to choose by name: what each needs, how useful it finds each segment, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.errors import OptionError
from metaphrase.metrics import Metric
from metaphrase.sampling import usefulness
from metaphrase.sampling.coverage import coverage, like_segments, word_vectors
from metaphrase.scoring import Scores, score
from metaphrase.selection import pairwise

WAYS = ("consistency", "variance", "disagreement", "diversity", "coverage", "random")
_BY_METRICS = {
    "variance": usefulness.variance,
    "disagreement": usefulness.disagreement,
    "consistency": usefulness.consistency,
}
#: What says how much translations have in common: all languages are one to it, and it is quick.
SIMILARITY = "chrf"
#: How many similar segments a reason names.
_NAMED = 3


@dataclass(frozen=True, slots=True, eq=False)
class Usefulness:
    """How useful each segment is to judge, and a reason in words for each that is asked for."""

    way: str
    values: FloatArray
    why: Callable[[int], str]
    signatures: tuple[str, ...] = ()


def check_way(way: str, *, systems: int, metrics: int) -> None:
    """Refuse a way that there is not, or that these texts and metrics have too little for."""
    if way not in WAYS:
        raise OptionError(
            "MP786", f"there is no way to choose {way!r}.", hint=f"There are {', '.join(WAYS)}."
        )
    if way in (*_BY_METRICS, "diversity") and systems < 2:
        raise OptionError(
            "MP787",
            f"{way} compares systems, and there is only one.",
            hint="Give the translations of others too, or choose by coverage.",
        )
    if way == "disagreement" and metrics < 2:
        raise OptionError(
            "MP787",
            "metrics can only disagree if there are several.",
            hint="Give two or more, or choose by variance.",
        )


def measure(
    corpus: Corpus,
    way: str,
    metrics: Sequence[Metric],
    *,
    seed: int,
    threads: int | None = None,
    check_language: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Usefulness:
    """How useful each segment of ``corpus`` is."""
    check_way(way, systems=len(corpus.systems), metrics=len(metrics))
    if way == "random":
        random = np.random.Generator(np.random.PCG64(seed))
        return Usefulness(way, random.random(len(corpus)), lambda _: "drawn at random")
    if way == "coverage":
        return _by_coverage(corpus, seed)
    if way == "diversity":
        return _by_diversity(corpus, threads)
    scores = score(
        corpus,
        metrics,
        levels=["segment"],
        threads=threads,
        check_language=check_language,
        progress=progress,
    )
    table = _table(scores)
    why = _differing_metrics if way == "disagreement" else _extremes
    return Usefulness(
        way,
        _BY_METRICS[way](table),
        lambda segment: why(scores, table, segment),
        tuple(info.signature for info in scores.metrics),
    )


def counted_text(corpus: Corpus) -> Sequence[str]:
    """What a judge reads of each segment whatever the system: the source, or a reference."""
    return corpus.first_references if corpus.sources is None else corpus.sources


def _by_coverage(corpus: Corpus, seed: int) -> Usefulness:
    texts = counted_text(corpus)
    vectors = word_vectors(texts)

    def why(segment: int) -> str:
        like = like_segments(vectors, segment, most=_NAMED)
        return f"like {', '.join(str(one + 1) for one in like)}" if like else "like no other"

    return Usefulness("coverage", coverage(texts, seed=seed), why)


def _by_diversity(corpus: Corpus, threads: int | None) -> Usefulness:
    columns = list(corpus.systems.values())
    rows = [list(texts) for texts in zip(*columns, strict=True)]
    values = usefulness.diversity(pairwise(SIMILARITY, rows, threads=threads))
    return Usefulness(
        "diversity", values, lambda one: f"{SIMILARITY} {-100 * values[one]:.0f} between systems"
    )


def _table(scores: Scores) -> FloatArray:
    """(metrics, systems, segments), higher being better."""
    return np.array(
        [
            [
                scores.values(system=system.name, metric=info.name, level="segment")
                * (1.0 if info.higher_is_better else -1.0)
                for system in scores.systems
            ]
            for info in scores.metrics
        ]
    )


def _extremes(scores: Scores, table: FloatArray, segment: int) -> str:
    """The best and the worst system by each metric."""
    parts = []
    for info, values in zip(scores.metrics, table[:, :, segment], strict=True):
        best, worst = int(np.nanargmax(values)), int(np.nanargmin(values))
        sign = 1.0 if info.higher_is_better else -1.0
        parts.append(
            f"{info.name} {scores.systems[best].name} {info.shown(sign * values[best])}, "
            f"{scores.systems[worst].name} {info.shown(sign * values[worst])}"
        )
    return "; ".join(parts)


def _differing_metrics(scores: Scores, table: FloatArray, segment: int) -> str:
    """Which system each metric finds best."""
    best: dict[str, list[str]] = {}
    for info, values in zip(scores.metrics, table[:, :, segment], strict=True):
        name = scores.systems[int(np.nanargmax(values))].name
        best.setdefault(name, []).append(info.name)
    if len(best) == 1:
        return f"all prefer {next(iter(best))}, not alike"
    return "; ".join(f"{', '.join(names)} for {system}" for system, names in best.items())
