"""What raw text of a language says of words: classes of two sizes, and how often each is capitalised.

    METAPHRASE_DATA=... python -m training.languages.raw_text LANGUAGE OUTPUT

writes the lexicon that ``training.languages.train`` reads, in the format of ``training.english.raw_text``.
The forms of the training treebanks, dev parts among them, are part of the text.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from training.english.raw_text import capitals, classes
from training.english.treebank import data_path
from training.languages.treebanks import SOURCES, training_sentences

from metaphrase._core.analysis import tokenise

_DIGITS = re.compile("[0-9]")


def raw_lines(name: str, limit: int | None = None) -> list[str]:
    """The lines of a file of raw text, at most ``limit``, with one kind of apostrophe."""
    with gzip.open(data_path() / "parallel" / f"{name}.gz", "rt", encoding="utf-8") as file:
        return [line.strip().replace("’", "'") for line in islice(file, limit)]


def raw_sentences(language: str, limit: int | None = None) -> Iterator[list[str]]:
    """Tokens of every distinct line, and of the training treebanks; digits read as 0.

    Of each file of raw text the first ``limit`` lines are read.
    """
    seen: set[str] = set()
    for name in SOURCES[language].raw:
        lines = dict.fromkeys(_DIGITS.sub("0", line) for line in raw_lines(name, limit))
        yield from tokenise([line for line in lines if line not in seen], language)
        seen.update(lines)
    for sentence in training_sentences(language, dev=False):
        yield [_DIGITS.sub("0", form) for form in sentence.forms]


def main() -> None:
    """Write the lexicon."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=sorted(SOURCES))
    parser.add_argument("output", type=Path)
    parser.add_argument("--lines", type=int, help="of each file; all unless told")
    arguments = parser.parse_args()
    sentences = list(raw_sentences(arguments.language, arguments.lines))
    lines = [*classes(sentences), *capitals(sentences)]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(sentences)} sentences, {len(lines)} entries")


if __name__ == "__main__":
    main()
