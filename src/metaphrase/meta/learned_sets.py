"""Which judgements a metric has learned from: on these, how well it agrees says little about others.

A model says in its JSON what it was trained on: names of test sets with their language pairs, or files, and
fingerprints of the judgements in each file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from metaphrase.corpus.judgements import Judgements
from metaphrase.languages import language_code, same_pair
from metaphrase.metrics import Metric


class LearnedSets:
    """Which metrics have learned from which of the judgements that they are measured on.

    They are found by the name of the test set and the language pair, and whatever their name, by the
    fingerprint of all judgements of a file, whose other language pairs may be among ``measured``. Metrics
    that say nothing of their training, as external ones, are never found.
    """

    def __init__(self, measured: Sequence[Judgements] = ()) -> None:
        self._measured = measured
        self._fingerprints: dict[tuple[Judgements, ...], set[str]] = {}

    def taught(self, metric: Metric, judged: Judgements) -> bool:
        """Whether the model of a metric says that it was trained on these judgements."""
        model = metric.trained
        if model is None:
            return False
        if any(_is_called(judged, name) for name in taught_names(metric, judged.language_pair)):
            return True
        known = {str(entry.get("fingerprint")) for entry in _entries(model.training)}
        return bool(known) and not known.isdisjoint(self._fingerprints_of(judged))

    def _fingerprints_of(self, judged: Judgements) -> set[str]:
        """Of these judgements alone, and with those of the same test set into the same language."""
        names = judged.name, judged.target
        file = tuple(one for one in self._measured if (one.name, one.target) == names)
        found: set[str] = set()
        for sets in {(judged,), file}:
            if sets not in self._fingerprints:
                self._fingerprints[sets] = {judgements_fingerprint(sets), scores_fingerprint(sets)}
            found |= self._fingerprints[sets]
        return found


def taught_names(metric: Metric, language_pair: str) -> set[str]:
    """The test sets of a language pair that the model of a metric names as those it was trained on."""
    model = metric.trained
    if model is None:
        return set()
    of_its_language = language_code(language_pair.rpartition("-")[2]) == language_code(model.lang)
    return {
        name
        for name, pair in _labels(model.training)
        if (same_pair(pair, language_pair) if pair else of_its_language)
    }


def _labels(training: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Test sets and language pairs; no pair stands for all into the language of the model."""
    by_label = training.get("judgements")
    if isinstance(by_label, Mapping):
        for label in by_label:
            name, _, pair = str(label).rpartition(" ")
            yield name, pair
    else:
        for entry in _entries(training):
            yield str(entry.get("name")).partition(".")[0], ""
    adapted = training.get("adapted")
    earlier = adapted.get("sets") if isinstance(adapted, Mapping) else None
    for name in earlier if isinstance(earlier, list) else ():
        yield str(name), ""


def _entries(training: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    data = training.get("data")
    return [one for one in data if isinstance(one, Mapping)] if isinstance(data, list) else []


def _is_called(judged: Judgements, name: str) -> bool:
    domains = set(judged.domains or ())
    return judged.name == name or (len(domains) == 1 and judged.name == f"{name} {domains.pop()}")


def judgements_fingerprint(sets: Iterable[Judgements]) -> str:
    """A hash of all texts, rankings and scores."""
    digest = blake2b(digest_size=16)
    for judged in sets:
        digest.update(repr((judged.texts, judged.rankings, judged.human.tolist())).encode())
    return digest.hexdigest()


def scores_fingerprint(sets: Iterable[Judgements]) -> str:
    """A hash of translations, their references and their scores."""
    digest = blake2b(digest_size=16)
    for judged in sets:
        for system, segment in np.argwhere(~np.isnan(judged.human)).tolist():
            text = judged.texts[judged.text_of[system, segment]]
            score = float(judged.human[system, segment])
            digest.update(repr((text.hypothesis, text.references, score)).encode())
    return digest.hexdigest()
