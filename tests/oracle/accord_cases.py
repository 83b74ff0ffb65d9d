"""Texts that accord is tried on, and metrics with small models of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from metaphrase import Corpus
from metaphrase.learning.accord import Untrained
from metaphrase.metrics import compare
from metaphrase.metrics.accord.metric import Accord
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.trained.accord_model import AccordModel, ErrorPoints, Interval, Scale

REFERENCES = [
    "The government announced a new plan on Tuesday.",
    "Heavy rain caused floods in several villages.",
    "U.S. President Barack Obama spoke.",
    "He doesn't remember who gave him the letter!",
    "Ärzte ohne Grenzen — 国境なき医師団 🙂",
    "the",
    "",
]
HYPOTHESES = [
    "On Tuesday the government has announced a plan.",
    "Strong rain has caused a flood in villages.",
    "Barack Obama spoke.",
    "",
    "Doctors without borders 🙂",
    "the",
    "",
]
PAIRS = list(zip(HYPOTHESES, REFERENCES, strict=True))
# As in test_invariances: any text a file could hold, and words that come again; and Chinese.
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=40)
VOCABULARY = "the cat sat on a mat . dogs running U.S. n't 12%".split()
words = st.lists(st.sampled_from(VOCABULARY), max_size=9).map(" ".join)
segment = text | words | st.text("他去了北京上海。，", max_size=9)

#: The score is 100 / (1 + sum / 100): that of penalties that weigh 25 in all is 100 / 1.25 = 80.
PLAIN = Scale(middle=100.0, steepness=1.0)
_folder: list[TemporaryDirectory[str]] = []


def small_accord(
    features: Mapping[str, float],
    *,
    lang: str = "en",
    name: str = "small",
    scale: Scale = PLAIN,
    interval: Interval | None = None,
    vectors: str | None = None,
    encoder: str = "none",
    points: ErrorPoints | None = None,
    counted: str = "none",
) -> Accord:
    """accord with a model of these weights, in a file that goes when Python does."""
    _folder.append(TemporaryDirectory())
    path = Path(_folder[-1].name, "model.json")
    model = AccordModel(
        name=name, lang=lang, features=features, scale=scale, interval=interval, points=points
    )
    model.save(path)
    return Accord(lang=lang, model=f"file:{path}", vectors=vectors, encoder=encoder, points=counted)


def varied(lang: str, scale: Scale = PLAIN) -> Accord:
    """One that weighs every loss that the language has, each differently."""
    names = Untrained(lang=lang).loss_names
    weights = {name: 0.1 + number / 70 for number, name in enumerate(names)}
    return small_accord(weights, lang=lang, scale=scale)


def comparison(metric: Accord, hypotheses: Sequence[str], *references: Sequence[str]) -> Comparison:
    corpus = Corpus({"a": hypotheses}, list(references), empty_references="keep")
    return next(compare(corpus, metric))


def losses(
    hypothesis: str, reference: str, *, lang: str = "en", vectors: str | None = None
) -> dict[str, float]:
    """All losses that the language has, by their names."""
    metric = Untrained(lang=lang, vectors=vectors)
    row = metric.losses(compare_pair(metric, hypothesis, reference), 0, metric.families)[0]
    return dict(zip(metric.loss_names, row.tolist(), strict=True))


def points_lost(total: float) -> float:
    """What penalties that weigh ``total`` take off 100 on the scale ``PLAIN``."""
    return 100.0 - 100.0 / (1.0 + total / 100.0)


def in_sequence(numbers: Sequence[float]) -> float:
    """The sum of numbers added one after the other; Python's own is more exact from 3.12 on."""
    return reduce(add, numbers, 0.0)
