"""Labelled sentences for both tasks: the tags that our tagger gives them, and spans to judge by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from metaphrase._core.analysis import TextAnalyser, tokenise
from metaphrase._core.labelling import Labeller
from metaphrase.shipped import shipped_file

Span = tuple[int, int, str]
#: Of the Penn treebank, and as people write them.
QUOTES = {"``": '"', "''": '"'}


@dataclass(frozen=True)
class LabelledSentence:
    """Tokens with a Penn tag and an IOB2 label each."""

    forms: list[str]
    tags: list[str]
    labels: list[str]


def retagged(sentences: Sequence[LabelledSentence]) -> list[LabelledSentence]:
    """The same with the tags that the built-in analyser gives, which are those it will have in use."""
    core = TextAnalyser(shipped_file("english.bin").read_bytes())
    forms = [s.forms for s in sentences]
    offsets, columns, strings = core.analyse_tokens(
        forms, lemma=False, tag=True, upos=False, threads=1
    )
    tags = [strings[i] for i in columns["tag"].tolist()]
    return [
        replace(s, tags=tags[a:b]) for s, (a, b) in zip(sentences, pairwise(offsets), strict=True)
    ]


def retokenised(sentences: Iterable[LabelledSentence]) -> list[LabelledSentence]:
    """Copies as our tokeniser would cut them ("24 - year - old"), tagged as such; only those that differ.

    A word cut into pieces stays in its span.
    """
    copies = []
    for sentence in sentences:
        forms, labels = [], []
        for form, name in zip(sentence.forms, sentence.labels, strict=True):
            pieces = tokenise([QUOTES.get(form, form)])[0]
            forms += pieces
            labels += [name, *["O" if name == "O" else f"I-{name[2:]}"] * (len(pieces) - 1)]
        if forms != sentence.forms:
            copies.append(LabelledSentence(forms, [""] * len(forms), labels))
    return retagged(copies)


def lower_cased(sentences: Iterable[LabelledSentence]) -> list[LabelledSentence]:
    """Copies without capitals, tagged as such."""
    return retagged([replace(s, forms=[form.lower() for form in s.forms]) for s in sentences])


def packed(
    sentences: Sequence[LabelledSentence],
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Offsets, forms, tags and strings as the core reads them."""
    number: dict[str, int] = {}
    columns = [
        np.array(
            [number.setdefault(x, len(number)) for s in sentences for x in getattr(s, name)],
            np.int32,
        )
        for name in ("forms", "tags")
    ]
    offsets = np.cumsum([0, *(len(s.forms) for s in sentences)], dtype=np.int64)
    return offsets, *columns, list(number)


def label(model: Labeller, sentences: Sequence[LabelledSentence]) -> list[list[str]]:
    """The labels that the model gives."""
    offsets, form, tag, strings = packed(sentences)
    numbers = model.label(offsets, form, tag, strings, threads=1).tolist()
    names = [model.labels[n] for n in numbers]
    return [names[a:b] for a, b in pairwise(offsets)]


def spans(labels: Sequence[str]) -> set[Span]:
    """First token, token after the last, and type of every span."""
    found, begin, kind = set(), 0, ""
    for i, name in enumerate([*labels, "O"]):
        if kind and name != f"I-{kind}":
            found.add((begin, i, kind))
            kind = ""
        if name.startswith("B-"):
            begin, kind = i, name[2:]
    return found


def span_scores(
    gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]
) -> dict[str, tuple[float, float, float]]:
    """Precision, recall and F in per cent by type and of all: exact spans, as conlleval counts."""
    right, given, wanted = Counter[str](), Counter[str](), Counter[str]()
    for gold_labels, found_labels in zip(gold, found, strict=True):
        expected, actual = spans(gold_labels), spans(found_labels)
        for counter, items in ((right, expected & actual), (given, actual), (wanted, expected)):
            counter.update(kind for _, _, kind in items)
            counter["all"] += len(items)
    return {
        kind: (
            100 * right[kind] / max(given[kind], 1),
            100 * right[kind] / max(wanted[kind], 1),
            200 * right[kind] / max(given[kind] + wanted[kind], 1),
        )
        for kind in sorted(wanted, key=lambda kind: (-wanted[kind], kind))
    }
