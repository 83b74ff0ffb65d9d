"""Accuracy of a model on gold tokens, as they are and lower-cased, and token F1 from raw text.

    python -m training.english.evaluate MODEL [--test]

"lemma" compares with case, "any case" without; "gold tags" leaves the tagger's errors out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from training.english.treebank import TaggedSentence, judging_sentences

from metaphrase._core.analysis import TextAnalyser

COLUMNS = (
    *("XPOS", "UPOS", "lemma", "lemma, any case", "lemma, gold tags"),
    *("XPOS, lower-cased", "UPOS, lower-cased", "token F1"),
)


def share_equal(gold: Sequence[str], found: Sequence[str]) -> float:
    """In per cent."""
    return 100 * sum(a == b for a, b in zip(gold, found, strict=True)) / len(gold)


def tagged(analyser: TextAnalyser, forms: list[list[str]]) -> dict[str, list[str]]:
    """The columns of all tokens, one after the other."""
    _, columns, strings = analyser.analyse_tokens(forms, lemma=True, tag=True, upos=True, threads=1)
    return {name: [strings[i] for i in column.tolist()] for name, column in columns.items()}


def accuracies(analyser: TextAnalyser, sentences: list[TaggedSentence]) -> list[float]:
    """All of ``COLUMNS`` but the last."""
    tags = [tag for s in sentences for tag in s.tags]
    upos = [tag for s in sentences for tag in s.upos]
    lemmas = [lemma for s in sentences for lemma in s.lemmas]
    known = {tag for tag, _ in analyser.labels}
    found = tagged(analyser, [s.forms for s in sentences])
    lower = tagged(analyser, [[form.lower() for form in s.forms] for s in sentences])
    by_gold_tags = analyser.lemmatise(
        [form for s in sentences for form in s.forms],
        [tag if tag in known else "NN" for tag in tags],
    )
    return [
        share_equal(tags, found["tag"]),
        share_equal(upos, found["upos"]),
        share_equal(lemmas, found["lemma"]),
        share_equal([x.lower() for x in lemmas], [x.lower() for x in found["lemma"]]),
        share_equal(lemmas, by_gold_tags),
        share_equal(tags, lower["tag"]),
        share_equal(upos, lower["upos"]),
    ]


def gold_spans(sentence: TaggedSentence) -> set[tuple[int, int]]:
    """Where the gold tokens stand in the text."""
    spans, at = set(), 0
    for form in sentence.forms:
        at = sentence.text.index(form, at)
        spans.add((at, at + len(form)))
        at += len(form)
    return spans


def token_f1(analyser: TextAnalyser, sentences: list[TaggedSentence]) -> float:
    """Harmonic mean of precision and recall of spans."""
    texts = [s.text for s in sentences]
    offsets, columns, _ = analyser.analyse(texts, lemma=False, tag=False, upos=False, threads=1)
    right = gold_count = 0
    for i, sentence in enumerate(sentences):
        part = slice(int(offsets[i]), int(offsets[i + 1]))
        found = zip(columns["start"][part].tolist(), columns["end"][part].tolist(), strict=True)
        gold = gold_spans(sentence)
        right += len(gold.intersection(found))
        gold_count += len(gold)
    return 100 * 2 * right / (gold_count + int(offsets[-1]))


def report(analyser: TextAnalyser, *, test: bool) -> str:
    """A Markdown table of per cents."""
    lines = ["| data | " + " | ".join(COLUMNS) + " |", "| --- |" + " ---: |" * len(COLUMNS)]
    for name, sentences in judging_sentences(test).items():
        cells = [*accuracies(analyser, sentences), token_f1(analyser, sentences)]
        lines.append(f"| {name} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--test", action="store_true", help="the test sets: once a released model")
    arguments = parser.parse_args()
    print(report(TextAnalyser(arguments.model.read_bytes()), test=arguments.test))


if __name__ == "__main__":
    main()
