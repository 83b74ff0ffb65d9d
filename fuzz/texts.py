"""Any text for what cuts it into words and analyses it, and any two or three for each metric.

Most of this is compiled, so that inputs are mutated by the character instead of being guided by coverage.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from fuzz.mutation import mutated
from fuzz.seeds import TEXT_WORDS, TEXTS, texts
from fuzz.target import Target
from metaphrase.analysis import registry as analysers
from metaphrase.analysis.languages import recognition
from metaphrase.analysis.metric_text.meteor_text import normalise
from metaphrase.analysis.metric_text.sacrebleu_tokens import TOKENISERS, tokenise, tokenise_for_ter
from metaphrase.analysis.metric_text.snowball import stem
from metaphrase.corpus import Corpus
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import Metric, available, create

#: In this order, so that a byte of the input can choose.
_ANALYSERS = ("en", "de", "fr", "es", "cs", "de+compounds", "zh")
_STEMMED = ("en", "de", "fr", "es", "ru", "fi", "it")
_WORDS = [word.encode() for word in TEXT_WORDS]
#: Bytes of a short input, about two sentences, and the share of those that may be longer.
_SHORT = 300
_LONG = 0.1


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _analyse(name: str) -> Callable[[Sequence[bytes]], object]:
    def run(inputs: Sequence[bytes]) -> object:
        decoded = [_decoded(data) for data in inputs]
        analyser = analysers.shared(name)
        batch = analyser.analyse(decoded, sorted(analyser.columns))
        for text, sentence in zip(decoded, batch, strict=True):
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


def _score(name: str, lang: str) -> Callable[[Sequence[bytes]], object]:
    """The texts are lines: a hypothesis, and one or two references."""

    def run(inputs: Sequence[bytes]) -> object:
        metric = _metric(name, lang)
        by_references: dict[int, list[list[str]]] = defaultdict(list)
        for data in inputs:
            lines = _decoded(data).split("\n")[:3]
            lines = lines if len(lines) > 1 else lines * 2
            try:
                Corpus({"hypothesis": lines[:1]}, [[text] for text in lines[1:]])
            except MetaphraseError:
                if len(inputs) == 1:
                    raise
            else:
                by_references[len(lines)].append(lines)
        for segments in by_references.values():
            hypotheses, *references = (list(column) for column in zip(*segments, strict=True))
            scores = metric.segment_scores(hypotheses, references, threads=1)
            assert np.isfinite(scores).all(), scores.tolist()
            # What takes longer is done for the first alone: company changes no score, and it has a reason.
            if not metric.needs_whole_corpus:
                alone = metric.sentence_score(hypotheses[0], [texts[0] for texts in references])
                assert float(alone) == scores[0], (float(alone), scores[0])
            if type(metric).explains():
                json.dumps(metric.explain(hypotheses[0], references[0][0]).to_dict())
        return None

    return run


def _made(seeds: Sequence[bytes], longest: int, chance: Random) -> bytes:
    """Most inputs are short: long ones take nearly all of the time, and are seldom what finds something."""
    most = longest if chance.random() < _LONG else _SHORT
    return mutated(chance, seeds, _WORDS, most)


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

    def text(
        name: str, run: Any, seeds: Any = texts, *, longest: int = 2048, **options: Any
    ) -> Target:
        return Target(
            name=name,
            run=run,
            seeds=seeds,
            longest=longest,
            guided=False,
            make=partial(_made, seeds(), longest),
            **options,
        )

    def several(name: str, run: Any, *given: Any, **options: Any) -> Target:
        return text(name, lambda data: run([data]), *given, run_several=run, **options)

    # Guests are programs of others; what they say is a target among the decisions.
    ours = {name: kind for name, kind in available().items() if not kind.needs_options}
    spaced = [name for name in ours if name not in ("celab",)]
    return [
        *(
            several(
                f"analysis.{code}",
                _analyse(f"builtin:{code}"),
                # jieba weighs 256 states against each other for a character that it does not know.
                seconds_per_kilobyte=10.0 if code == "zh" else 0.05,
            )
            for code in _ANALYSERS
        ),
        several("analysis.characters", _analyse("characters")),
        several("analysis.presegmented", _analyse("characters:presegmented")),
        text("analysis.tokenisers", _tokenise),
        text(
            "analysis.stems", _stem, lambda: [bytes([i]) + t.encode() for i, t in enumerate(TEXTS)]
        ),
        text("analysis.languages", _recognise),
        *(
            several(
                f"metric.{name}",
                _score("meteor:paraphrases=none" if name == "meteor" else name, "en"),
                _pairs,
                longest=1024,
                seconds=8.0,
                seconds_per_kilobyte=4.0,
            )
            for name in spaced
        ),
        several(
            "metric.celab",
            _score("celab", "zh"),
            _pairs,
            longest=1024,
            seconds=8.0,
            seconds_per_kilobyte=4.0,
        ),
        *(
            several(
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
