"""Accuracy of a model on gold tokens, as they are and lower-cased, and token F1 from raw text.

    python -m training.languages.evaluate MODEL [--test]

A token is a surface word (see ``treebanks.py``). "Tag" leaves words out whose treebank has another tag set.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from training.english.evaluate import share_equal, tagged, token_f1
from training.english.treebank import TaggedSentence
from training.languages.treebanks import UNKNOWN, judging_sentences

from metaphrase._core.analysis import TextAnalyser

COLUMNS = (
    *("UPOS", "tag", "lemma", "lemma, any case", "UPOS, lower-cased", "token F1"),
    *("simplemma", "simplemma, any case"),
)


def lowered(words: list[str]) -> list[str]:
    return [word.lower() for word in words]


def accuracies(analyser: TextAnalyser, sentences: list[TaggedSentence]) -> list[float]:
    """All of ``COLUMNS`` but simplemma's, in per cent."""
    tags = [tag for s in sentences for tag in s.tags]
    upos = [tag for s in sentences for tag in s.upos]
    gold = [lemma for s in sentences for lemma in s.lemmas]
    found = tagged(analyser, [s.forms for s in sentences])
    lower = tagged(analyser, [lowered(s.forms) for s in sentences])
    comparable = [(a, b) for a, b in zip(tags, found["tag"], strict=True) if a != UNKNOWN]
    return [
        share_equal(upos, found["upos"]),
        share_equal(*zip(*comparable, strict=True)) if comparable else float("nan"),
        share_equal(gold, found["lemma"]),
        share_equal(lowered(gold), lowered(found["lemma"])),
        share_equal(upos, lower["upos"]),
        token_f1(analyser, sentences),
    ]


def simplemma_accuracies(language: str, sentences: list[TaggedSentence]) -> list[float]:
    """Lemmas of simplemma, which sees no context."""
    from simplemma import lemmatize

    gold = [lemma for s in sentences for lemma in s.lemmas]
    found = [lemmatize(form, lang=language) for s in sentences for form in s.forms]
    return [share_equal(gold, found), share_equal(lowered(gold), lowered(found))]


def report(analyser: TextAnalyser, *, test: bool) -> str:
    """A Markdown table of per cents."""
    lines = ["| data | " + " | ".join(COLUMNS) + " |", "| --- |" + " ---: |" * len(COLUMNS)]
    for name, sentences in judging_sentences(analyser.language, test=test).items():
        cells = accuracies(analyser, sentences)
        cells += simplemma_accuracies(analyser.language, sentences)
        lines.append(f"| {name} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--test", action="store_true", help="the test parts: once a released model")
    arguments = parser.parse_args()
    print(report(TextAnalyser(arguments.model.read_bytes()), test=arguments.test))


if __name__ == "__main__":
    main()
