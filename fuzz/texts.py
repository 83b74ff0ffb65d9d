"""Any text for what cuts it into words and analyses it, and any two or three for each metric.

Most of this is compiled, so that inputs are mutated by the character instead of being guided by coverage.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

from fuzz.seeds import TEXT_WORDS, TEXTS, texts
from fuzz.target import Target
from metaphrase.analysis import registry as analysers
from metaphrase.analysis.languages import recognition
from metaphrase.analysis.metric_text.meteor_text import normalise
from metaphrase.analysis.metric_text.sacrebleu_tokens import TOKENISERS, tokenise, tokenise_for_ter
from metaphrase.analysis.metric_text.snowball import stem
from metaphrase.metrics import Metric, available, create

#: In this order, so that a byte of the input can choose.
_ANALYSERS = ("en", "de", "fr", "es", "cs", "de+compounds", "zh")
_STEMMED = ("en", "de", "fr", "es", "ru", "fi", "it")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _analyse(name: str) -> Callable[[bytes], object]:
    def run(data: bytes) -> object:
        text = _decoded(data)
        analyser = analysers.shared(name)
        batch = analyser.analyse([text], sorted(analyser.columns))
        (sentence,) = batch
        # Words are in the text, one after the other, and each has its head among them.
        places = list(zip(sentence.start, sentence.end, strict=True))
        assert all(0 <= start < end <= len(text) for start, end in places), places
        assert all(one[0] <= other[0] for one, other in pairwise(places)), places
        if sentence.head is not None:
            assert all(0 <= head <= len(places) for head in sentence.head)
        return None

    return run


def _tokenise(data: bytes) -> object:
    text = _decoded(data)
    for name in TOKENISERS:
        tokenise([text], name).texts()
    for options in (
        {},
        {"normalized": True, "no_punct": True, "asian_support": True},
        {"passes": 2},
    ):
        tokenise_for_ter([text], **options).texts()
    for lang in ("en", "de", "fr", "cs"):
        normalise([text], lang=lang)
    return None


def _stem(data: bytes) -> object:
    """The first byte chooses the language."""
    words = _decoded(data[1:]).split()
    return stem(words, _STEMMED[data[0] % len(_STEMMED)]) if data else None


def _recognise(data: bytes) -> object:
    text = _decoded(data)
    for lang in ("en", "ru", "zh", "sr"):
        recognition.misfits([text, TEXTS[2]], lang)
    return recognition.read([text])


@cache
def _metric(name: str, lang: str) -> Metric:
    return create(name, lang=lang)


def _score(name: str, lang: str) -> Callable[[bytes], object]:
    """The texts are lines: a hypothesis, and one or two references."""

    def run(data: bytes) -> object:
        hypothesis, *references = _decoded(data).split("\n")[:3]
        references = references or [hypothesis]
        metric = _metric(name, lang)
        score = float(metric.sentence_score(hypothesis, references))
        assert math.isfinite(score), score
        if type(metric).explains():
            json.dumps(metric.explain(hypothesis, references[0]).to_dict())
        return score

    return run


def _pairs() -> list[bytes]:
    found = [f"{one}\n{other}" for one, other in pairwise(TEXTS)]
    found += [
        "the cat sat on the mat\nthe mat on which the cat sat\na cat was sitting there",
        "big house\nlarge building",
        "\n",
        "a\n\nb",
        "Der Bundestag trat gestern zusammen\nGestern trat der Bundestag zusammen",
    ]
    return [text.encode() for text in found]


def targets() -> list[Target]:
    """Those of this room."""

    def text(name: str, run: Any, seeds: Any = texts, **options: Any) -> Target:
        return Target(
            name=name,
            run=run,
            seeds=seeds,
            words=TEXT_WORDS,
            **{"guided": False, "longest": 2048, **options},
        )

    # Guests are programs of others; what they say is a target among the decisions.
    ours = {name: kind for name, kind in available().items() if not kind.needs_options}
    spaced = [name for name in ours if name not in ("celab",)]
    return [
        *(text(f"analysis.{code}", _analyse(f"builtin:{code}")) for code in _ANALYSERS),
        text("analysis.characters", _analyse("characters")),
        text("analysis.presegmented", _analyse("characters:presegmented")),
        text("analysis.tokenisers", _tokenise),
        text(
            "analysis.stems", _stem, lambda: [bytes([i]) + t.encode() for i, t in enumerate(TEXTS)]
        ),
        text("analysis.languages", _recognise),
        *(
            text(
                f"metric.{name}",
                _score("meteor:paraphrases=none" if name == "meteor" else name, "en"),
                _pairs,
                longest=1024,
                seconds=8.0,
                seconds_per_kilobyte=4.0,
            )
            for name in spaced
        ),
        text(
            "metric.celab",
            _score("celab", "zh"),
            _pairs,
            longest=1024,
            seconds=8.0,
            seconds_per_kilobyte=4.0,
        ),
        *(
            text(
                f"metric.{name}-{lang}",
                _score(name, lang),
                _pairs,
                longest=1024,
                seconds=8.0,
                seconds_per_kilobyte=4.0,
            )
            for name, lang in (
                ("accord", "de"),
                ("meteor", "fr"),
                ("tesla-m", "cs"),
                ("bleu", "zh"),
            )
        ),
    ]
