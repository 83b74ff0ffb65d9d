"""Accuracy of a model: tags, universal tags and lemmas on gold tokens, as they are and lower-cased, and token F1.

python -m training.english.evaluate MODEL [--test]
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from training.english.treebank import TaggedSentence, judging_sentences

from metaphrase._core.analysis import EnglishAnalyser


def tagged(analyser: EnglishAnalyser, forms: list[list[str]]) -> dict[str, list[str]]:
    _, columns, strings = analyser.analyse_tokens(forms, lemma=True, tag=True, upos=True, threads=1)
    return {name: [strings[i] for i in column.tolist()] for name, column in columns.items()}


def accuracies(
    analyser: EnglishAnalyser, sentences: list[TaggedSentence], *, lower: bool
) -> dict[str, float]:
    forms = [[f.lower() if lower else f for f in s.forms] for s in sentences]
    found = tagged(analyser, forms)
    gold = {
        "tag": [t for s in sentences for t in s.tags],
        "upos": [t for s in sentences for t in s.upos],
        "lemma": [t for s in sentences for t in s.lemmas],
    }
    if lower:  # whether a lemma is capitalised cannot be known here
        gold["lemma"] = [lemma.lower() for lemma in gold["lemma"]]
        found["lemma"] = [lemma.lower() for lemma in found["lemma"]]
    return {
        name: 100
        * sum(a == b for a, b in zip(gold[name], found[name], strict=True))
        / len(gold[name])
        for name in gold
    }


def gold_spans(sentence: TaggedSentence) -> list[tuple[int, int]]:
    spans, at = [], 0
    for form in sentence.forms:
        at = sentence.text.index(form, at)
        spans.append((at, at + len(form)))
        at += len(form)
    return spans


def token_f1(
    analyser: EnglishAnalyser, sentences: list[TaggedSentence], errors: Counter[str] | None = None
) -> float:
    texts = [s.text for s in sentences]
    offsets, columns, _ = analyser.analyse(texts, lemma=False, tag=False, upos=False, threads=1)
    right = gold_count = found_count = 0
    for i, sentence in enumerate(sentences):
        part = slice(int(offsets[i]), int(offsets[i + 1]))
        found = set(
            zip(columns["start"][part].tolist(), columns["end"][part].tolist(), strict=True)
        )
        gold = set(gold_spans(sentence))
        right += len(found & gold)
        gold_count += len(gold)
        found_count += len(found)
        if errors is not None:
            for start, end in sorted(gold - found):
                ours = [sentence.text[a:b] for a, b in sorted(found) if a < end and b > start]
                theirs = [
                    sentence.text[a:b]
                    for a, b in sorted(gold)
                    if a < max(e for s, e in found if s < end)
                    and b > min(s for s, e in found if e > start)
                ]
                errors["|".join(theirs[:8]) + "  ->  " + "|".join(ours[:8])] += 1
    return 100 * 2 * right / (gold_count + found_count)


def report(analyser: EnglishAnalyser, *, test: bool) -> str:
    lines = [
        "| data | XPOS | UPOS | lemma | XPOS, lower-cased | token F1 |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, sentences in judging_sentences(test).items():
        plain = accuracies(analyser, sentences, lower=False)
        lower = accuracies(analyser, sentences, lower=True)
        f1 = token_f1(analyser, sentences)
        cells = [plain["tag"], plain["upos"], plain["lemma"], lower["tag"], f1]
        lines.append(f"| {name} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--test", action="store_true", help="the test sets: once a released model")
    arguments = parser.parse_args()
    print(report(EnglishAnalyser(arguments.model.read_bytes()), test=arguments.test))


if __name__ == "__main__":
    main()
