"""Copies of sentences with other names in them, so that the model learns to trust the context."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from training.chunks.labelled_text import LabelledSentence, spans

#: How often a name comes from WordNet rather than from labelled sentences.
WORDNET_SHARE = 0.25


Names = Mapping[str, list[list[str]]]


def renamed(
    sentences: Sequence[LabelledSentence], names: Names, instances: Names, *, seed: int
) -> list[LabelledSentence]:
    """One copy, without tags, of every sentence with names; each becomes another of its type.

    It comes from ``names`` or, now and then, from WordNet's ``instances``.
    """
    draw = random.Random(seed).random  # the same numbers in every version of Python
    copies = []
    for sentence in sentences:
        found = sorted(spans(sentence.labels))
        forms: list[str] = []
        labels: list[str] = []
        after = 0
        for begin, end, kind in found:
            from_wordnet = draw() < WORDNET_SHARE and kind in instances
            choices = instances[kind] if from_wordnet else names[kind]
            name = choices[int(draw() * len(choices))]
            forms += [*sentence.forms[after:begin], *name]
            labels += ["O"] * (begin - after) + [f"B-{kind}"] + [f"I-{kind}"] * (len(name) - 1)
            after = end
        if found:
            forms += sentence.forms[after:]
            labels += ["O"] * (len(sentence.forms) - after)
            copies.append(LabelledSentence(forms, [""] * len(forms), labels))
    return copies


def names_of(sentences: Iterable[LabelledSentence]) -> dict[str, list[list[str]]]:
    """All names by type, as often as they occur."""
    names: dict[str, list[list[str]]] = {}
    for sentence in sentences:
        for begin, end, kind in sorted(spans(sentence.labels)):
            names.setdefault(kind, []).append(sentence.forms[begin:end])
    return names
