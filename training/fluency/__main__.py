"""Trains the language models of mixed units by which accord sees what is not fluent.

METAPHRASE_DATA=... python -m training.fluency FOLDER [LANGUAGE ...]

Common words stand for themselves, all others for their tags. The text is Europarl and news; the same data
give the same bytes. Takes a minute.
"""

from __future__ import annotations

import argparse
import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from training.english.treebank import data_path

from metaphrase.analysis import shared
from metaphrase.learning.language_models.kneser_ney import estimate
from metaphrase.metrics.accord.fluency import FLUENCY_MODELS, TAG_MARK
from metaphrase.trained.ngram_model import TextForm

FILES = {
    "en": ("news.en.gz", "europarl.de-en.en.gz", "europarl.fr-en.en.gz"),
    "de": ("news.de.gz", "europarl.de-en.de.gz"),
    "fr": ("news.fr.gz", "europarl.fr-en.fr.gz"),
    "es": ("news.es.gz", "europarl.es-en.es.gz"),
    "cs": ("news.cs.gz",),
}
#: Lines of each file at most, and those that are too long to be one sentence.
LINES, LONGEST = 90_000, 400
#: How many words stand for themselves; n-grams of so many occurrences or fewer are left out.
WORDS, CUT_OFFS, ORDER = 500, (0, 1, 2, 3), 4
PIECE = 4096


def texts(lang: str) -> list[str]:
    """Distinct lines."""
    found: dict[str, None] = {}
    for name in FILES[lang]:
        with gzip.open(data_path() / "parallel" / name, "rt", encoding="utf-8") as file:
            lines = (line.strip() for line in file)
            some = [line for line in lines if line and len(line) <= LONGEST][:LINES]
        found |= dict.fromkeys(some)
    return list(found)


def analysed(lang: str) -> Iterator[tuple[list[str], list[str]]]:
    """Words in lower case and tags of each line."""
    analyser, lines = shared(f"builtin:{lang}"), texts(lang)
    for first in range(0, len(lines), PIECE):
        for sentence in analyser.analyse(lines[first : first + PIECE], ("form", "tag")):
            yield [form.lower() for form in sentence.form], list(sentence.tag or ())


def train(lang: str, folder: Path) -> None:
    sentences = list(analysed(lang))
    counts = Counter(word for words, _ in sentences for word in words)
    common = {word for word, _ in counts.most_common(WORDS) if not any(map(str.isdigit, word))}
    units = [
        [word if word in common else TAG_MARK + tag for word, tag in zip(*sentence, strict=True)]
        for sentence in sentences
    ]
    form = TextForm(analyser=f"builtin:{lang}", lowercase=True)
    model = estimate(units, order=ORDER, cut_offs=CUT_OFFS, form=form)
    path = folder / FLUENCY_MODELS[lang]
    model.write_binary(path)
    print(f"{lang}: {len(units):,} lines, {model.counts} n-grams, {path.stat().st_size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("languages", nargs="*", default=list(FILES))
    options = parser.parse_args()
    for lang in options.languages:
        train(lang, options.folder)


if __name__ == "__main__":
    main()
